/* marks.c -- see marks.h. A line for each mark, so that none covers another; a name stands left of its mark where there is no room
 * right of it. */
#include "marks.h"

#include <stdlib.h>

#include "faultsim/result/csv.h"
#include "svg.h"

enum { WIDEST = 640, EDGE = 8, GAP = 6 };

void marks_begin(struct marks *m, const char *name, uint64_t to)
{
    *m = (struct marks){.name = fl_strdup(name), .to = to};
}

void marks_add(struct marks *m, const char *label, uint64_t at)
{
    if (m->count < MARKS_MOST)
        m->mark[m->count++] = (struct mark){fl_strdup(label), at};
    m->to = at > m->to ? at : m->to;
}

void marks_free(struct marks *m)
{
    for (int i = 0; i < m->count; i++)
        free(m->mark[i].label);
    free(m->name);
    *m = (struct marks){0};
}

static int marks_least(const void *marks)
{
    (void)marks;
    return WIDEST;
}

static double x_of(const struct marks *m, int width, uint64_t cycle)
{
    return EDGE + (width - 2 * EDGE) * (m->to ? (double)cycle / (double)m->to : 0);
}

static void marks_svg(const void *marks, int width, struct fl_buf *out)
{
    const struct marks *m = marks;
    int axis = SVG_TEXT_LINE * m->count + GAP;
    char *end = fl_format("cycle %llu", (unsigned long long)m->to);
    svg_begin(out, width, axis + SVG_TEXT_LINE + GAP, "marks", m->name);
    fl_buf_printf(out, "<path class=\"axis\" d=\"M%d %dH%d\"/>\n", EDGE, axis, width - EDGE);
    for (int i = 0; i < m->count; i++)
        fl_buf_printf(out, "<path class=\"axis\" d=\"M%.5g %dV%d\"/>\n",
                      x_of(m, width, m->mark[i].at), SVG_TEXT_LINE * i + 2, axis + 4);
    for (int i = 0; i < m->count; i++) { /* on top of all lines */
        double x = x_of(m, width, m->mark[i].at);
        char *text = fl_format("%s, cycle %llu", m->mark[i].label,
                               (unsigned long long)m->mark[i].at);
        double wide = svg_text_width(text) + GAP;
        if (x + wide <= width)
            svg_text(out, x + GAP, SVG_TEXT_LINE * i + 12, SVG_LEFT, "halo", text);
        else
            svg_text(out, x >= wide ? x - GAP : width, SVG_TEXT_LINE * i + 12, SVG_RIGHT, "halo",
                     text);
        free(text);
    }
    svg_text(out, 0, axis + SVG_TEXT_LINE, SVG_LEFT, "m", "cycle 0");
    svg_text(out, width, axis + SVG_TEXT_LINE, SVG_RIGHT, "m", end);
    free(end);
    svg_end(out);
}

static void marks_csv(const void *marks, struct fl_buf *out)
{
    const struct marks *m = marks;
    fl_buf_printf(out, "moment,cycle\n");
    for (int i = 0; i < m->count; i++) {
        csv_text(m->mark[i].label, out);
        fl_buf_printf(out, ",%llu\n", (unsigned long long)m->mark[i].at);
    }
}

const struct picture_kind marks_picture = {marks_svg, marks_least, marks_csv};
