/* steps.c -- see steps.h. A curve is a path in a frame of WIDTH x HEIGHT units that the page stretches; text stands beside it,
 * so that it keeps its size. Steps that fall into one unit become one stroke from their least to their greatest value: nothing
 * that sticks out is lost, and a run of a thousand pieces is no longer than its picture.
 */
#include "steps.h"

#include <math.h>
#include <stdlib.h>

#include "figures.h"
#include "svg.h"

enum { WIDTH = 800, HEIGHT = 200 };

void steps_begin(struct steps *s, const char *name, const char *title, uint64_t from, uint64_t to)
{
    *s = (struct steps){.name = fl_strdup(name),
                        .title = fl_strdup(title),
                        .axis = "AVF in %",
                        .from = from,
                        .to = to};
}

int steps_curve(struct steps *s, const char *title, const char *colour, bool lower)
{
    s->curve[s->ncurves] = (struct steps_curve){
        .title = fl_strdup(title), .colour = colour, .lower = lower};
    return s->ncurves++;
}

void steps_add(struct steps *s, int curve, uint64_t from, uint64_t to, double percent)
{
    steps_add_sampled(s, curve, from, to, percent, percent, percent);
}

void steps_add_sampled(struct steps *s, int curve, uint64_t from, uint64_t to, double percent,
                       double lo, double hi)
{
    struct steps_curve *c = &s->curve[curve];
    FL_ROOM(c->step, c->nsteps, c->room, 64);
    c->step[c->nsteps++] = (struct step){from, to, percent, lo, hi};
}

void steps_free(struct steps *s)
{
    for (int i = 0; i < s->ncurves; i++) {
        free(s->curve[i].step);
        free(s->curve[i].title);
    }
    free(s->name);
    free(s->title);
    *s = (struct steps){0};
}

static bool has(const struct steps *s, bool lower)
{
    for (int i = 0; i < s->ncurves; i++)
        if (s->curve[i].lower == lower)
            return true;
    return false;
}

static double top(const struct steps *s, bool lower)
{
    double most = 0;
    for (int i = 0; i < s->ncurves; i++)
        for (int k = 0; k < s->curve[i].nsteps && s->curve[i].lower == lower; k++)
            most = fmax(most, fmax(s->curve[i].step[k].y, s->curve[i].step[k].hi));
    return lower ? 100 : fmin(figure_top(most), fmax(most, 100));
}

static int x_of(const struct steps *s, uint64_t cycle)
{
    return s->to > s->from
               ? (int)((double)(cycle - s->from) / (double)(s->to - s->from) * WIDTH + 0.5)
               : 0;
}

static int y_of(double percent, double most)
{
    return HEIGHT - (int)(HEIGHT * percent / most + 0.5);
}

/* At one place: a stroke from where it was over the least and greatest to the last. */
static void stroke(int *at, int least, int greatest, int last, struct fl_buf *out)
{
    const int way[] = {least, greatest, last};
    for (int i = 0; i < 3; i++)
        if (way[i] != *at)
            fl_buf_printf(out, "V%d", *at = way[i]);
}

/* Curves of a frame differ in their dashes too, so that nothing hangs on colours. */
static const struct {
    const char *svg, *css;
} dash[] = {{"", "solid"},
            {" stroke-dasharray=\"7 4\"", "dashed"},
            {" stroke-dasharray=\"2 3\"", "dotted"},
            {" stroke-dasharray=\"9 3 2 3\"", "double"}};
enum { DASHES = sizeof dash / sizeof *dash };

static int dash_of(const struct steps *s, const struct steps_curve *c)
{
    int before = 0;
    for (const struct steps_curve *k = s->curve; k < c; k++)
        before += k->lower == c->lower;
    return before % DASHES;
}

static void path(const struct steps *s, const struct steps_curve *c, double most,
                 struct fl_buf *out)
{
    int y = -1; /* no line yet */
    fl_buf_printf(out, "<path stroke=\"%s\"%s d=\"", c->colour, dash[dash_of(s, c)].svg);
    for (int i = 0; i < c->nsteps; i++) {
        int x = x_of(s, c->step[i].from), end = x_of(s, c->step[i].to);
        if (isnan(c->step[i].y)) {
            y = -1;
            continue;
        }
        int least = y_of(c->step[i].y, most), greatest = least, last = least;
        for (; end == x && i + 1 < c->nsteps && !isnan(c->step[i + 1].y); i++) {
            end = x_of(s, c->step[i + 1].to);
            last = y_of(c->step[i + 1].y, most);
            least = last > least ? last : least; /* y counts downwards */
            greatest = last < greatest ? last : greatest;
        }
        if (y < 0)
            fl_buf_printf(out, "M%d %d", x, y = least);
        stroke(&y, least, greatest, last, out);
        if (end > x)
            fl_buf_printf(out, "H%d", end);
    }
    fl_buf_printf(out, "\"/>");
}

/* Intervals as a box for each step, behind the curves. */
static void band(const struct steps *s, const struct steps_curve *c, double most,
                 struct fl_buf *out)
{
    bool any = false;
    for (int i = 0; i < c->nsteps; i++) {
        const struct step *at = &c->step[i];
        int x = x_of(s, at->from), end = x_of(s, at->to);
        if (!(at->hi > at->lo) || end == x)
            continue;
        if (!any)
            fl_buf_printf(out,
                          "<path class=\"band\" style=\"fill:%s;fill-opacity:.25;stroke:none\" "
                          "d=\"",
                          c->colour);
        any = true;
        fl_buf_printf(out, "M%d %dH%dV%dH%dz", x, y_of(at->hi, most), end, y_of(at->lo, most), x);
    }
    fl_buf_printf(out, "%s", any ? "\"/>" : "");
}

static void paths(const struct steps *s, bool lower, struct fl_buf *out)
{
    for (int i = 0; i < s->ncurves; i++)
        if (s->curve[i].lower == lower)
            band(s, &s->curve[i], top(s, lower), out);
    for (int i = 0; i < s->ncurves; i++)
        if (s->curve[i].lower == lower)
            path(s, &s->curve[i], top(s, lower), out);
}

/* ---- the page -------------------------------------------------------------------------------- */

static void frame(const struct steps *s, bool lower, struct fl_buf *out)
{
    double most = top(s, lower);
    if (!has(s, lower))
        return;
    fl_buf_printf(out,
                  "<div class=\"plot%s\"><div class=\"y\"><b>%.4g&#8239;%%</b><b>%.4g</b><b>0</b>"
                  "</div><svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\">",
                  lower ? " low" : "", most, most / 2, WIDTH, HEIGHT);
    paths(s, lower, out);
    fl_buf_printf(out, "</svg></div>\n");
}

void steps_html(const struct steps *s, struct fl_buf *out)
{
    fl_buf_printf(out, "<figure class=\"time\"><figcaption><b>");
    figure_escaped(out, s->title);
    fl_buf_printf(out, "</b>");
    for (int i = 0; i < s->ncurves; i++)
        fl_buf_printf(out, "<span><i style=\"border-top:3px %s %s\"></i>%s</span>",
                      dash[dash_of(s, &s->curve[i])].css, s->curve[i].colour, s->curve[i].title);
    fl_buf_printf(out, "</figcaption>\n");
    frame(s, false, out);
    frame(s, true, out);
    fl_buf_printf(out, "<div class=\"x\"><b>cycle ");
    figure_count(out, s->from);
    fl_buf_printf(out, "</b><b>");
    figure_count(out, s->to);
    fl_buf_printf(out, "</b></div></figure>\n");
}

/* ---- files ----------------------------------------------------------------------------------- */

static void svg_frame(const struct steps *s, bool lower, int y, int height, struct fl_buf *out)
{
    double most = top(s, lower);
    for (int i = 0; i <= 2; i++)
        fl_buf_printf(out,
                      "<text x=\"52\" y=\"%d\" text-anchor=\"end\">%.4g</text><path "
                      "d=\"M60 %dh920\" stroke=\"#ccc\"/>\n",
                      y + 4 + height * i / 2, most * (2 - i) / 2, y + height * i / 2);
    fl_buf_printf(out,
                  "<svg x=\"60\" y=\"%d\" width=\"920\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                  "preserveAspectRatio=\"none\" fill=\"none\" stroke-width=\"1.5\" "
                  "overflow=\"visible\"><style>path{vector-effect:non-scaling-stroke}</style>",
                  y, height, WIDTH, HEIGHT);
    paths(s, lower, out);
    fl_buf_printf(out, "</svg>\n");
}

/* Which curve is which, in lines where they do not fit beside each other; how many lines. With out NULL nothing is written. */
static int svg_key(const struct steps *s, struct fl_buf *out)
{
    double x = 60;
    int lines = 1;
    for (int i = 0; i < s->ncurves; i++) {
        double wide = svg_text_width(s->curve[i].title) + 54;
        if (x > 60 && x + wide > 1000) {
            x = 60;
            lines++;
        }
        if (out) {
            fl_buf_printf(out, "<path d=\"M%.4g %dh24\" stroke=\"%s\" stroke-width=\"3\"%s/>", x,
                          14 + SVG_TEXT_LINE * lines, s->curve[i].colour,
                          dash[dash_of(s, &s->curve[i])].svg);
            svg_text(out, x + 30, 18 + SVG_TEXT_LINE * lines, SVG_LEFT, "", s->curve[i].title);
        }
        x += wide;
    }
    return lines;
}

void steps_svg(const struct steps *s, struct fl_buf *out)
{
    int y = 34 + SVG_TEXT_LINE * svg_key(s, NULL), end = y + 284;
    fl_buf_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1000\" height=\"%d\" "
                  "viewBox=\"0 0 1000 %d\" font-family=\"sans-serif\" font-size=\"%d\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
                  end + 6, end + 6, SVG_TEXT);
    svg_text(out, 60, 16, SVG_LEFT, "", s->title);
    svg_key(s, out);
    bool both = has(s, false) && has(s, true);
    int heights[2] = {both ? 160 : 250, both ? 80 : 250};
    for (int lower = 0; lower < 2; lower++)
        if (has(s, lower)) {
            fl_buf_printf(out,
                          "<text transform=\"translate(14 %d)rotate(-90)\" "
                          "text-anchor=\"middle\">%s</text>\n",
                          y + heights[lower] / 2, lower ? "share in %" : s->axis);
            svg_frame(s, lower, y, heights[lower], out);
            y += 180;
        }
    fl_buf_printf(out,
                  "<text x=\"60\" y=\"%1$d\">%2$llu</text><text x=\"520\" y=\"%1$d\" "
                  "text-anchor=\"middle\">cycle</text><text x=\"980\" y=\"%1$d\" "
                  "text-anchor=\"end\">%3$llu</text>\n</svg>\n",
                  end, (unsigned long long)s->from, (unsigned long long)s->to);
}

void steps_dat(const struct steps *s, struct fl_buf *out)
{
    fl_buf_printf(
        out, "# from cycle, to cycle, percent, of a sample its interval; a block for each curve\n");
    for (int c = 0; c < s->ncurves; c++) {
        fl_buf_printf(out, "\n\n# %s\n", s->curve[c].title);
        for (int i = 0; i < s->curve[c].nsteps; i++) {
            const struct step *at = &s->curve[c].step[i];
            if (!isnan(at->y)) {
                fl_buf_printf(out, "%llu %llu %.9g", (unsigned long long)at->from,
                              (unsigned long long)at->to, at->y);
                if (at->hi > at->lo)
                    fl_buf_printf(out, " %.9g %.9g", at->lo, at->hi);
                fl_buf_printf(out, "\n");
            }
        }
    }
}
