/* words.h -- all elements of outputs that differ, of all faults of a campaign, for NumPy: faultsim/result/words.h. */
#ifndef REPORT_WORDS_H
#define REPORT_WORDS_H

#include "avf.h"

int words_npy(const struct avf_report *a, struct fl_buf *out, struct fl_err *err);

#endif
