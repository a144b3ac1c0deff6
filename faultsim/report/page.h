/* page.h -- what pages are made of: headings, tables, bars (chart.h), curves (steps.h), code with its heat (heat.h).
 *
 * A page is one file that fetches nothing and runs no script. It is read on a desk, on a telephone, in the dark and on paper.
 */
#ifndef FAULTSIM_AVF_PAGE_H
#define FAULTSIM_AVF_PAGE_H

#include "avf.h"
#include "faultsim/chart/chart.h"
#include "faultsim/chart/dots.h"
#include "faultsim/chart/faultmap.h"
#include "faultsim/chart/figures.h"
#include "faultsim/chart/floor.h"
#include "faultsim/chart/ribbons.h"
#include "faultsim/chart/heatmap.h"
#include "faultsim/chart/picture.h"
#include "faultsim/chart/steps.h"

enum { PAGE_OUTCOMES = OUT_COUNT - 1 }; /* all but masked */

struct page {
    const struct avf_report *a;
    const struct avf_report *other;  /* that is compared with it, or NULL */
    const struct coverage *coverage; /* of permanent faults */
    struct fl_buf html;
    struct fl_buf contents; /* links to the headings */
    size_t contents_at;     /* where in html they belong: before the first heading */
    int headings;
    const char *section; /* the last heading */
    struct fl_buf style; /* of single tables: what their columns are called where they do not fit */
    int tables;
    struct page_table *table; /* that is being made */
    bool several_jobs, several_methods;
    /* the outcomes that it shows, in this order: page_outcome_at; optional ones only where a fault ended so */
    struct page_outcome {
        enum fsim_outcome outcome;
        const char *colour;
    } shown[PAGE_OUTCOMES];
    int failing, outcomes;
    struct page_files *files; /* plots and tables for files, or NULL */
    const char *title, *made; /* of a page of no campaign; else NULL */
};

_Static_assert(PAGE_OUTCOMES + 2 <= CHART_SERIES, "bars have masked and not activated, too");
_Static_assert(PAGE_OUTCOMES + 3 <= RIBBONS_ENDS && PAGE_OUTCOMES + 4 <= FAULTMAP_CLASSES,
               "flows and maps have others beside outcomes, too");
/* Detection has a colour of its own, which is that of no outcome. */
#define PAGE_DETECTED "#756bb1"
/* The i-th of all that a page can show, those that fail first. */
const struct page_outcome *page_outcome_at(int i);

bool page_same_bits(const struct result_part *a, const struct result_part *b);
/* Whether the part is an exact one, or one of its bits that has no exact one beside it: where one is enough. */
bool page_stands_for(const struct result *r, int part);
/* "fft rf, sample", without what is the same for all. Caller frees. */
char *page_part_name(const struct page *p, const struct result_part *part, bool with_method);

/* A page of a campaign; one without targets is refused. */
int page_open(struct page *p, const struct avf_report *a, struct fl_err *err);
/* A page of anything else: what it is called, and the line of what made it; `a` stays NULL. */
void page_open_titled(struct page *p, const char *title, const char *made);
/* Title and contents; notes stand out. */
void page_begin(struct page *p);
void page_notes(struct page *p);
void page_contents(struct page *p);
void page_heading(struct page *p, int level, const char *title);
void page_escaped(struct page *p, const char *text);
void page_say(struct page *p, const char *html); /* a paragraph */
void page_targets(struct page *p);               /* what the names of structures stand for */
/* The structure of a part, when the part is the first one of its target; -1. */
int page_structure(const struct page *p, int part);
/* What made it; then the page is put together, and what `p` holds is freed. */
void page_end(struct page *p, struct fl_buf *out);

/* Tables. A head is names between bars; those that start with a star are text and stand left; "@"
 * is a column for each outcome. What a column says in every row stands above the table, and a
 * column that says nothing is left out: so a table without rows is none. */
enum { PAGE_ROWS = 200 }; /* that a page has at most; a file of --plots has all */
void page_head(struct page *p, const char *columns);
bool page_end_table(struct page *p); /* whether there is one */
void page_end_row(struct page *p);
void page_cell_text(struct page *p, const char *s);
void page_cell_count(struct page *p, uint64_t v);
void page_cell_unknown(struct page *p);
/* NAN: unknown. `half`: of the interval, in the unit of v; 0: exact. */
void page_cell_number(struct page *p, double v, double half);
void page_cell_share(struct page *p, double v, double half); /* as percent */
/* The share of k in what was counted. */
void page_cell_part(struct page *p, const struct tally_row *row, uint64_t k);
/* From and to, of samples alone: others know their AVF. */
void page_cell_interval(struct page *p, enum tally_method method, double lo, double hi);
/* Half of an interval, 0 where nothing was drawn: from both ends, and of k in n that were drawn. */
double page_half(enum tally_method method, double lo, double hi);
double page_doubt(enum tally_method method, uint64_t k, uint64_t n, double confidence);

/* Bars and curves, which are freed; none without a row or a curve. */
void page_chart(struct page *p, struct chart *c);
void page_steps(struct page *p, struct steps *s);
/* A picture (picture.h), which is not freed. `caption` is HTML. */
void page_picture(struct page *p, const char *name, const struct picture_kind *kind, const void *of,
                  const char *caption);

/* A file of --plots: its number goes up when `name` is a new plot or table. NULL: no files are wanted. */
struct fl_buf *page_file(struct page *p, const char *name, const char *ending, bool another);

/* page_code.c: over source, instructions and registers; page_time.c: when the flips of a structure fail. */
void page_source(struct page *p, const char *reads);
void page_code(struct page *p, const char *reads);
void page_time(struct page *p);
/* coverage_map.c: each structure bit by bit, where all its stuck-at faults are there. */
void page_faultmaps(struct page *p);
/* patterns.c: what wrong outputs look like. */
void page_patterns(struct page *p);
/* coverage_time.c: what several jobs detect, one after the other. */
void page_coverage_time(struct page *p);

#endif
