/* ribbons.c -- see ribbons.h. Three bars of one height, whose pieces are joined by ribbons; each end has its name and figure. */
#include "ribbons.h"

#include <math.h>
#include <stdlib.h>

#include "faultsim/result/csv.h"
#include "figures.h"
#include "svg.h"

enum { TALL = 190, TOP = 40, BAR = 14, LABELS = 150, WIDEST = 640 };

void ribbons_begin(struct ribbons *f, const char *name, const char *all, const char *some)
{
    *f = (struct ribbons){.name = fl_strdup(name), .all = all, .some = some};
}

void ribbons_add(struct ribbons *f, const char *name, const char *colour, double count, bool by_way)
{
    if (count > 0)
        f->end[f->ends++] = (struct ribbons_end){name, colour, count, by_way};
}

void ribbons_free(struct ribbons *f)
{
    free(f->name);
    *f = (struct ribbons){0};
}

static double sum(const struct ribbons *f, bool by_way_alone)
{
    double n = 0;
    for (int i = 0; i < f->ends; i++)
        n += f->end[i].by_way || !by_way_alone ? f->end[i].count : 0;
    return n;
}

static int ribbons_least(const void *ribbons)
{
    (void)ribbons;
    return WIDEST;
}

static void ribbon(double x, double y, double to, double height, const char *colour,
                   struct fl_buf *out)
{
    double mid = (x + to) / 2;
    fl_buf_printf(out,
                  "<path fill=\"%s\" fill-opacity=\".35\" d=\"M%.5g %.5gC%.5g %.5g %.5g %.5g %.5g "
                  "%.5gv%.5gC%.5g %.5g %.5g %.5g %.5g %.5gz\"/>\n",
                  colour, x, y, mid, y, mid, y, to, y, height, mid, y + height, mid, y + height, x,
                  y + height);
}

static void bar(double x, double y, double height, const char *colour, struct fl_buf *out)
{
    fl_buf_printf(out, "<rect x=\"%.5g\" y=\"%.5g\" width=\"%d\" height=\"%.5g\" fill=\"%s\"/>\n",
                  x, y, BAR, height, colour);
}

static void head(double x, const char *name, double count, double all, struct fl_buf *out)
{
    char *share = fl_format("%.4g %%", 100 * count / all);
    svg_text(out, x, 12, SVG_LEFT, "b", name);
    svg_text(out, x, 12 + SVG_TEXT_LINE, SVG_LEFT, "m", share);
    free(share);
}

static void ribbons_svg(const void *ribbons, int width, struct fl_buf *out)
{
    const struct ribbons *f = ribbons;
    double all = sum(f, false), some = sum(f, true), scale = TALL / all;
    double right = width - LABELS - BAR, middle = right * .5, y = TOP, text = TOP;
    int height = TOP + TALL + 20;
    height = height < TOP + 20 + SVG_TEXT_LINE * f->ends ? TOP + 20 + SVG_TEXT_LINE * f->ends
                                                         : height;
    svg_begin(out, width, height, "flow", f->name);
    head(0, f->all, all, all, out);
    head(middle, f->some, some, all, out);
    bar(0, TOP, TALL, "#777777", out);
    bar(middle, TOP, some * scale, "#777777", out);
    ribbon(BAR, TOP, middle, some * scale, "#777777", out);
    for (int i = 0; i < f->ends; i++) {
        const struct ribbons_end *e = &f->end[i];
        double h = e->count * scale;
        ribbon(e->by_way ? middle + BAR : BAR, y, right, h, e->colour, out);
        bar(right, y, h, e->colour, out);
        double share = 100 * e->count / all;
        char *label = share < .01 ? fl_format("%s <0.01 %%", e->name)
                                  : fl_format("%s %.3g %%", e->name, share);
        text = fmax(text, y + h / 2 - SVG_TEXT_LINE / 2.0); /* below the one before */
        svg_text(out, right + BAR + 6, text + 12, SVG_LEFT, "", label);
        free(label);
        text += SVG_TEXT_LINE;
        y += h;
    }
    svg_end(out);
}

static void ribbons_csv(const void *ribbons, struct fl_buf *out)
{
    const struct ribbons *f = ribbons;
    fl_buf_printf(out, "end,activated,count\n");
    for (int i = 0; i < f->ends; i++) {
        csv_text(f->end[i].name, out);
        fl_buf_printf(out, ",%s,%.17g\n", f->end[i].by_way ? "yes" : "no", f->end[i].count);
    }
}

const struct picture_kind ribbons_picture = {ribbons_svg, ribbons_least, ribbons_csv};
