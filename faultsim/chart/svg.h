/* svg.h -- pieces of SVG that all pictures are made of.
 *
 * A picture is laid out for a width in pixels, never scaled, so that its text has one size on a desk, on a telephone and on
 * paper: a page holds a layout for each of these and shows the one that fits (picture.h). Colours are classes: of the page in
 * light and dark, of a file in light alone.
 */
#ifndef CHART_SVG_H
#define CHART_SVG_H

#include "base/fl.h"

enum { SVG_TEXT = 12, SVG_TEXT_LINE = 16, SVG_SHADES = 8 };

/* Pixels that a text takes at most. */
double svg_text_width(const char *text);
enum svg_anchor { SVG_LEFT, SVG_MIDDLE, SVG_RIGHT };
/* `class`: "t" text, "m" muted, "b" bold, or of the picture. */
void svg_text(struct fl_buf *out, double x, double y, enum svg_anchor anchor, const char *class,
              const char *text);
/* In lines of at most `width` pixels, broken behind blanks and signs where it can be; how many lines. With out NULL
 * nothing is written. */
int svg_text_lines(struct fl_buf *out, double x, double y, enum svg_anchor anchor,
                   const char *class, double width, const char *text);
/* The shade of a share from 0 to 1: 0 is none, 1 to SVG_SHADES; a class q0 to q8. */
int svg_shade(double share);

/* Of a picture of that size; `label` is what it says without eyes. */
void svg_begin(struct fl_buf *out, int width, int height, const char *class, const char *label);
void svg_end(struct fl_buf *out);
/* Such a picture as a file: with its style, on white, with an edge. */
void svg_file(struct fl_buf *out, const struct fl_buf *picture);
/* The classes: for a page (in colours of its variables, light and dark), or for a file. */
void svg_style(struct fl_buf *out, bool page);

#endif
