/* patterns.c -- of the pages: what the wrong outputs of silent data corruptions look like: values, bits, sizes of errors and
 * writers from the sums of a campaign; decades of errors, lanes, and a map of an output from its single faults.
 */
#include "faultsim/report/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "faultsim/chart/grid.h"
#include "faultsim/report/wrong.h"
#include "faultsim/result/made.h"
#include "faultsim/result/words.h"

/* ---- from the sums ----------------------------------------------------------------------------- */

static const char *colour_of(int series)
{
    static const char *const colour[CHART_SERIES] = {"#d55e00", "#e69f00", "#f0e442", "#009e73",
                                                     "#56b4e9", "#0072b2", "#cc79a7", "#7f4f24",
                                                     "#5b5b5b", "#999999", "#c8c8c8"};
    return colour[series];
}

static void share(struct chart_row *row, int series, const struct result_part *part, uint64_t k,
                  uint64_t n)
{
    const double two_decimals = 0.5; /* figures.h */
    row->value[series] = 100 * (double)k / (double)n;
    row->half[series] = part->method == METHOD_LIST
                            ? two_decimals
                            : 100 * page_doubt(part->method, k, n, part->confidence);
}

/* A bar for each part with such classes, in % of its sdc. */
static void classes(struct page *p, const char *name, const char *caption, int from, int to)
{
    const struct result *r = p->a->result;
    struct chart c;
    chart_begin(&c, name, caption, "sdc in %", true);
    for (int e = from; e < to; e++)
        chart_series(&c, wrong_title((enum tally_extent)e), colour_of(e - from));
    for (int i = 0; i < r->nparts; i++) {
        struct tally all;
        uint64_t some = 0;
        result_tally(&r->job[r->part[i].job], &r->part[i], -1, &all);
        for (int e = from; e < to; e++)
            some += all.extent[e];
        if (!some)
            continue;
        char *label = page_part_name(p, &r->part[i], true);
        struct chart_row *row = chart_row(&c, label);
        free(label);
        for (int e = from; e < to; e++)
            share(row, e - from, &r->part[i], all.extent[e], all.outcome[OUT_SDC]);
    }
    page_chart(p, &c);
}

/* ---- from single faults ------------------------------------------------------------------------ */

enum { LANES = 32, DECADES = 9, FIRST_DECADE = -7, SIDE = 64 };

struct faults { /* of a part: those whose wrong words have a pattern */
    uint64_t n, decade[DECADES], with_error, lane[LANES];
};

static int add(void *context, const struct store_injection *i)
{
    struct faults *f = context;
    if (i->anatomy.writers == WRITERS_UNKNOWN)
        return 0;
    f->n++;
    for (int l = 0; l < LANES; l++)
        f->lane[l] += i->anatomy.lanes >> l & 1;
    if (!isnan(i->anatomy.median)) {
        const double decade = floor(log10(fmax(i->anatomy.median, 1e-30))) - FIRST_DECADE + 1;
        f->decade[(int)fmin(fmax(decade, 0), DECADES - 1)]++;
        f->with_error++;
    }
    return 0;
}

static void decades_and_lanes(struct page *p)
{
    static const char *const decade[DECADES] = {"below 1e-7", "1e-7", "1e-6", "1e-5",      "1e-4",
                                                "1e-3",       "0.01", "0.1",  "1 and more"};
    const struct result *r = p->a->result;
    struct fl_err ignored;
    struct heatmap h;
    struct chart c;
    uint64_t stored[LANES] = {0};
    struct faults *of = fl_alloc((size_t)r->nparts * sizeof *of);
    chart_begin(&c, "decades",
                "Median relative error of the wrong elements of a fault, by decade (1e-3: from "
                "0.001 to 0.01), in % of the faults whose wrong elements have a type.",
                "faults in %", true);
    for (int d = 0; d < DECADES; d++)
        chart_series(&c, decade[d], colour_of(DECADES - 1 - d));
    for (int i = 0; i < r->nparts; i++) {
        of[i] = (struct faults){0};
        if (store_injections(p->a->store, i, add, &of[i], &ignored) != 0)
            of[i] = (struct faults){0};
        for (int l = 0; l < LANES; l++)
            stored[l] += of[i].lane[l];
        if (!of[i].with_error)
            continue;
        char *label = page_part_name(p, &r->part[i], true);
        struct chart_row *row = chart_row(&c, label);
        free(label);
        for (int d = 0; d < DECADES; d++)
            share(row, d, &r->part[i], of[i].decade[d], of[i].with_error);
    }
    page_chart(p, &c);
    heatmap_begin(&h, "lanes", "fail");
    for (int l = 0; l < LANES; l++) {
        char *name = fl_format("%d", l);
        heatmap_column(&h, name, stored[l]);
        free(name);
    }
    for (int i = 0; i < r->nparts; i++) {
        if (!of[i].n)
            continue;
        char *label = page_part_name(p, &r->part[i], true);
        const int row = heatmap_row(&h, label, false);
        free(label);
        for (int l = 0; l < LANES; l++)
            heatmap_set(&h, row, l, 100 * (double)of[i].lane[l] / (double)of[i].n, (double)NAN,
                        (double)NAN);
    }
    if (h.rows)
        page_picture(p, h.name, &heatmap_picture, &h,
                     "Faults with a wrong element that the lane stored, in % of the faults with "
                     "wrong elements. Below a lane: their number.");
    heatmap_free(&h);
    free(of);
}

/* ---- the map of an output ---------------------------------------------------------------------- */

struct map { /* of the first output of a job with wrong elements */
    uint32_t *wrong, count;
    uint64_t faults;
    int output;
};

static uint32_t number(const uint8_t *at, int bytes)
{
    uint32_t n = 0;
    for (int i = 0; i < bytes; i++)
        n |= (uint32_t)at[i] << 8 * i;
    return n;
}

static int hit(void *context, int part, const struct store_injection *i)
{
    enum { MOST = 1 << 24 }; /* elements of a map */
    struct map *m = context;
    bool any = false;
    (void)part;
    for (size_t at = 0; at < i->words_size; at += WORDS_KEPT) {
        const int output = (int)number(i->words + at, 2);
        const uint32_t index = number(i->words + at + 2, 4);
        m->output = m->output < 0 ? output : m->output;
        if (output != m->output || index >= MOST)
            continue;
        if (index >= m->count) {
            m->wrong = fl_grow(m->wrong, index + 1, sizeof *m->wrong);
            memset(m->wrong + m->count, 0, (index + 1 - m->count) * sizeof *m->wrong);
            m->count = index + 1;
        }
        m->wrong[index]++;
        any = true;
    }
    m->faults += any;
    return 0;
}

/* Squares as they are, others in rows of a warp; of more rows than SIDE, several are one. */
static void draw(struct page *p, const struct map *m, const char *job)
{
    const int side = (int)ceil(sqrt(m->count));
    const int wide = side <= SIDE && (double)side * side - m->count < side ? side : LANES;
    const int rows = ((int)m->count + wide - 1) / wide, joined = (rows + SIDE - 1) / SIDE;
    double *share = fl_alloc((size_t)(wide * SIDE) * sizeof *share);
    struct grid g = {.columns = wide, .count = (rows + joined - 1) / joined * wide, .value = share};
    for (int i = 0; i < g.count; i++) {
        uint64_t sum = 0;
        for (int k = 0; k < joined; k++) {
            const uint32_t at = (uint32_t)((i / wide * joined + k) * wide + i % wide);
            sum += at < m->count ? m->wrong[at] : 0;
        }
        share[i] = 100 * (double)sum / (double)joined / (double)m->faults;
        g.top = fmax(g.top, share[i]);
    }
    char *name = fl_format("map-%s-%d", job, m->output);
    char *caption = fl_format(
        "Output %d of <b>%s</b>: faults that make an element wrong, in %% of the %llu faults with "
        "wrong elements there. Rows of %d elements%s.",
        m->output, job, (unsigned long long)m->faults, wide,
        joined > 1 ? ", several of them joined to one of the map" : "");
    g.name = name;
    page_picture(p, g.name, &grid_picture, &g, caption);
    free(caption);
    free(name);
    free(share);
}

static void maps(struct page *p)
{
    const struct result *r = p->a->result;
    struct fl_err ignored;
    if (!made_says(store_options(p->a->store), STORE_WORDS))
        return;
    for (int j = 0; j < r->njobs; j++) {
        struct map m = {.output = -1};
        if (store_list(p->a->store, j, hit, &m, &ignored) == 0 && m.count)
            draw(p, &m, r->job[j].name);
        free(m.wrong);
    }
}

void page_patterns(struct page *p)
{
    const struct result *r = p->a->result;
    uint64_t some = 0;
    for (int i = 0; i < r->nparts; i++) {
        struct tally all;
        result_tally(&r->job[r->part[i].job], &r->part[i], -1, &all);
        for (int e = 0; e < EXTENT_COUNT; e++)
            some += all.extent[e];
    }
    if (!some)
        return;
    page_heading(p, 2, "Wrong outputs");
    classes(p, "wrong-elements", "Elements that differ.", EXTENT_1, EXTENT_BY_1E_4);
    classes(p, "wrong-values",
            "What most wrong elements of a fault are: what floats become, or the only field that "
            "differs.",
            EXTENT_VALUE, EXTENT_BITS);
    classes(p, "wrong-bits", "Bits that differ in most wrong elements of a fault.", EXTENT_BITS,
            EXTENT_WRITERS);
    classes(p, "wrong-writers", "What the writers of all wrong elements have in common.",
            EXTENT_WRITERS, EXTENT_COUNT);
    if (p->a->store) {
        decades_and_lanes(p);
        maps(p);
    }
}
