/* svg.c -- see svg.h. */
#include "svg.h"

#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#include "figures.h"

/* Advance widths of common sans-serif faces differ; these are of the wide ones, so that no text is longer than it is
 * taken for. */
double svg_text_width(const char *text)
{
    double width = 0;
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c >= 0x80 && c < 0xc0)
            continue; /* of a character that began before */
        width += strchr("iIjlt.,:;'|!()/ ", c) ? 4.6 : strchr("mwMW%@", c) ? 11.6 : 7.7;
    }
    return width;
}

static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};

static void text_of(struct fl_buf *out, double x, double y, enum svg_anchor anchor,
                    const char *class, const char *text, size_t n)
{
    char *part = fl_format("%.*s", (int)n, text);
    fl_buf_printf(out, "<text x=\"%.4g\" y=\"%.4g\"%s class=\"%s\">", x, y, anchors[anchor], class);
    figure_escaped(out, part);
    fl_buf_printf(out, "</text>\n");
    free(part);
}

void svg_text(struct fl_buf *out, double x, double y, enum svg_anchor anchor, const char *class,
              const char *text)
{
    text_of(out, x, y, anchor, class, text, strlen(text));
}

/* Bytes of the next line. */
static size_t line_of(const char *text, double width)
{
    size_t fits = 0, good = 0, n = strlen(text);
    for (size_t i = 1; i <= n; i++) {
        if (((unsigned char)text[i] & 0xc0) == 0x80)
            continue;
        char *head = fl_format("%.*s", (int)i, text);
        bool in = svg_text_width(head) <= width;
        free(head);
        if (!in && fits)
            break;
        fits = i;
        if (i < n && strchr(" -_./,@", text[i - 1]))
            good = i;
    }
    return fits == n || !good ? fits : good;
}

int svg_text_lines(struct fl_buf *out, double x, double y, enum svg_anchor anchor,
                   const char *class, double width, const char *text)
{
    int lines = 0;
    do {
        size_t n = line_of(text, width);
        if (out)
            text_of(out, x, y + SVG_TEXT_LINE * lines, anchor, class, text, n);
        text += n;
        lines++;
    } while (*text);
    return lines;
}

int svg_shade(double share)
{
    int shade = share > 0 ? 1 + (int)(share * SVG_SHADES) : 0;
    return shade > SVG_SHADES ? SVG_SHADES : shade;
}

void svg_begin(struct fl_buf *out, int width, int height, const char *class, const char *label)
{
    fl_buf_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "viewBox=\"0 0 %d %d\" class=\"pic %s\" role=\"img\" aria-label=\"",
                  width, height, width, height, class);
    figure_escaped(out, label);
    fl_buf_printf(out, "\">\n");
}

void svg_end(struct fl_buf *out)
{
    fl_buf_printf(out, "</svg>\n");
}

void svg_file(struct fl_buf *out, const struct fl_buf *picture)
{
    enum { EDGE = 12 };
    int width = 0, height = 0;
    char *head = fl_format("%.*s", (int)picture->size, (const char *)picture->data);
    sscanf(head, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\"", &width,
           &height);
    free(head);
    width += 2 * EDGE;
    height += 2 * EDGE;
    fl_buf_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                  "viewBox=\"%d %d %d %d\">\n<style>.pic{overflow:visible}\n",
                  width, height, -EDGE, -EDGE, width, height);
    svg_style(out, false);
    fl_buf_printf(out,
                  "</style><rect x=\"%d\" y=\"%d\" width=\"100%%\" height=\"100%%\" "
                  "fill=\"#fff\"/>\n",
                  -EDGE, -EDGE);
    fl_buf_add(out, picture->data, picture->size);
    fl_buf_printf(out, "</svg>\n");
}

/* Shades 1 to 8 of detection (violet, the colour of no outcome) and of failure, on white and on black. Text is dark on
 * shades 1 to 4 of the light ones, and on 5 to 8 of the dark ones, at least 4.5 to 1. */
static const struct {
    const char *class, *shade[2][SVG_SHADES];
} scale[] = {
    {"det",
     {{"#f2f0f7", "#dadaeb", "#bcbddc", "#9e9ac8", "#756bb1", "#6a51a3", "#54278f", "#3f007d"},
      {"#221d33", "#2e2549", "#3d2f66", "#4f3c85", "#9384cc", "#a99bd9", "#c4bbe6", "#e4dff4"}}},
    {"fail",
     {{"#fef0e4", "#fdd9bd", "#fdc196", "#fda463", "#c2500a", "#a63f05", "#8c3404", "#6f2803"},
      {"#2e2018", "#452a19", "#5f351a", "#7c4219", "#e07b39", "#ee9a60", "#f5bb8f", "#fbdcc4"}}}};
enum { SCALES = sizeof scale / sizeof *scale, DARK_UP_TO = 4 };

static void shades(struct fl_buf *out, int dark)
{
    for (int s = 0; s < SCALES; s++)
        for (int q = 1; q <= SVG_SHADES; q++) {
            bool black = dark ? q > DARK_UP_TO : q <= DARK_UP_TO;
            fl_buf_printf(out, ".%1$s .q%2$d{fill:%3$s}.%1$s .q%2$d+text{fill:%4$s}\n",
                          scale[s].class, q, scale[s].shade[dark][q - 1], black ? "#111" : "#fff");
        }
}

void svg_style(struct fl_buf *out, bool page)
{
    const char *paper = page ? "var(--p)" : "#fff", *text = page ? "var(--t)" : "#1b1b1b",
               *muted = page ? "var(--m)" : "#595959", *line = page ? "var(--l)" : "#d4d4d4";
    fl_buf_printf(out,
                  ".pic text{font:%dpx system-ui,sans-serif;fill:%s}.pic .m{fill:%s}"
                  ".pic .b{font-weight:bold}.pic .q0{fill:%s}.pic .cell{stroke:%s}"
                  ".pic .axis{stroke:%s;fill:none}.pic .grid{stroke:%s;fill:none}\n"
                  ".pic .dot0{fill:%s}.pic .dot1{fill:%s;stroke:#c0508a;stroke-width:2}"
                  ".pic .dot2{fill:#777}.pic .err0{stroke:%s;fill:none;stroke-width:1.5}"
                  ".pic .err1{stroke:#c0508a;fill:none;stroke-width:1.5}"
                  ".pic .err2{stroke:#777;fill:none}"
                  ".pic .halo{paint-order:stroke;stroke:%s;stroke-width:4px}\n",
                  SVG_TEXT, text, muted, paper, line, muted, line, text, paper, text, paper);
    shades(out, 0);
    if (!page)
        return;
    fl_buf_printf(out, "@media screen and (prefers-color-scheme:dark){\n");
    shades(out, 1);
    fl_buf_printf(out, "}\n");
}
