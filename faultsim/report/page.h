/* page.h -- what pages are made of: tables, bars (chart.h), and plots over time by gnuplot. */
#ifndef FAULTSIM_AVF_PAGE_H
#define FAULTSIM_AVF_PAGE_H

#include "avf.h"
#include "chart.h"

struct page {
    const struct avf_report *a;
    struct fl_buf html, script;
    size_t *gap; /* [plots]: where in html the plots belong */
    int plots;
    struct fl_buf contents; /* links to the headings */
    size_t contents_at;     /* where in html they belong: before the first plot */
    int headings;
    const char *section; /* the last heading */
    struct fl_buf style; /* of single tables: what their columns are called where they do not fit */
    int tables;
    bool several_jobs, several_methods;
    int outcomes;             /* columns for them: page_outcomes */
    struct page_files *files; /* plots and tables for files, or NULL */
    int *svg;                 /* [plots]: the file of each wide one */
};

/* The outcomes that are shown, those that fail first, with their colours; the last of them only
 * where a fault ended so. */
enum { PAGE_FAILING = 4, PAGE_OUTCOMES = 6 };
extern const struct page_outcome {
    enum fsim_outcome outcome;
    const char *name, *colour;
} page_shown[PAGE_OUTCOMES];
int page_outcomes(const struct result *r); /* how many of them */
extern const char *const page_method_colour[METHOD_COUNT];

void page_escaped(struct page *p, const char *text);
void page_heading(struct page *p, int level, const char *title);
/* With its gaps filled; plot NULL: they stay empty. */
void page_put_together(const struct page *p, const struct fl_buf *plot, struct fl_buf *out);
bool page_same_bits(const struct result_part *a, const struct result_part *b);

/* The lines of a CSV's top; notes stand out. */
void page_what_made_it(struct page *p);
/* Draws the plots and puts the page together; frees what `p` holds. As avf_report_html. */
int page_draw(struct page *p, struct fl_buf *out, struct fl_err *missing, struct fl_err *err);

/* Tables. A head is names between bars; those that start with a star stand left. */
void page_head(struct page *p, const char *columns);
void page_end_table(struct page *p);
void page_begin_row(struct page *p);
void page_end_row(struct page *p);
void page_cell_text(struct page *p, const char *class, const char *s);
void page_cell_count(struct page *p, uint64_t v);
void page_cell_unknown(struct page *p);
void page_cell_number(struct page *p, double v);
void page_cell_percent(struct page *p, double v);
/* From and to, of samples alone: others know their AVF. */
void page_cell_interval(struct page *p, enum tally_method method, double lo, double hi);

/* Bars, which are freed; none without a row. */
void page_chart(struct page *p, struct chart *c);

/* Plots: first the data, then the gap that the plot fills; the script goes on with `set` commands
 * and one `plot` of $d<number>. The plot is drawn twice, for wide and for narrow windows. */
void page_begin_data(struct page *p);
void page_value(struct page *p, double v);
void page_end_data(struct page *p);
/* What the script holds from there on, as a file: the data of the plot that comes. */
void page_data(struct page *p, const char *name, size_t from);
void page_begin_plot(struct page *p, const char *ylabel);
void page_end_plot(struct page *p, const char *name, const char *caption);

/* avf_html_detail.c: when the flips of a structure fail, all methods in one plot; and over which
 * code. */
void avf_html_over_time(struct page *p, int first);
void avf_html_over_code(struct page *p, const struct result_part *part);

#endif
