/* plot.h -- plots by gnuplot, as SVG to put into a page. */
#ifndef AVF_PLOT_H
#define AVF_PLOT_H

#include "base/fl.h"

/* Runs gnuplot on a script that draws `n` plots one after the other, each started by `set output`,
 * and takes them apart. Ids get a prefix of their own in each, so that all can stand in one page.
 * 0; -1 on an error; 1 when there is no gnuplot, with a message that names the package, or when it
 * keeps silent. Caller frees plot[0 .. n-1]. */
int avf_plot(const struct fl_buf *script, struct fl_buf *plot, int n, struct fl_err *err);

#endif
