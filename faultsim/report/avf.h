/* avf.h -- the AVF of transient campaigns: a table for people, CSV and XML for programs, a page
 * with plots.
 *
 * All read one struct result, from a campaign just run or from its store. Exports are
 * byte-identical for identical results: they hold no run times, paths or thread counts.
 */
#ifndef AVF_REPORT_H
#define AVF_REPORT_H

#include "base/fl.h"
#include "faultsim/result/metrics.h"
#include "faultsim/store/store.h"

/* Plots and tables of a page as files of their own. Zero-initialise it. */
struct page_files {
    struct page_file {
        char *name; /* "03-outcomes.svg" */
        struct fl_buf text;
    } * file;
    int count, numbers;
};
void page_files_free(struct page_files *f);

struct avf_report {
    const struct result *result;
    const char *made;   /* made.h: store_options */
    double fit_per_bit; /* 0: not known; FIT and EPF stay empty */
    const char *rate;   /* where fit_per_bit comes from: "28nm: ...", or NULL */
    /* that holds the result: for lists of single faults, and for coverage */
    const struct store *store;
    const struct protect *protect; /* codes of memories; NULL: not asked for */
    struct page_files *files;      /* of a page; NULL: only the page is asked for */
};

int avf_report_table(const struct avf_report *a, struct fl_buf *out, struct fl_err *err);
/* What made it in lines that begin with #, then job,kernel,launch,...: docs/reference/exports-transient.md */
int avf_report_csv(const struct avf_report *a, struct fl_buf *out, struct fl_err *err);
/* A line for each flip that was drawn or listed: job,target,id,outcome,first_activation_cycle,
 * end_cycle,reason,elements,by, and what wrong.h adds. */
int avf_report_csv_faults(const struct avf_report *a, struct fl_buf *out, struct fl_err *err);
/* All that the store knows but single injections, after docs/avf.rng. */
int avf_report_xml(const struct avf_report *a, struct fl_buf *out, struct fl_err *err);
/* One page that needs nothing beside it, and its plots and tables as files. */
int avf_report_html(const struct avf_report *a, struct fl_buf *out, struct fl_err *err);

/* ---- shared by the formats ------------------------------------------------------------------- */

extern const char avf_owned_only[]; /* what --active-only means */
void avf_metrics(const struct avf_report *a, int job, const struct tally_row *row,
                 struct metrics *out);
/* Part p alone: the rows of result_rows, "all" the last; `count` rows, which the caller frees. */
struct tally_row *avf_part_rows(const struct result *r, int p, int *count);
/* Columns of outcomes for people: the strongest first, and behind all others those that are optional. */
enum fsim_outcome avf_column(int i);
/* An optional one is shown only where some fault ended so. */
bool avf_shows(const struct avf_report *a, enum fsim_outcome o);
/* What the outputs of jobs say of their outcomes: a sentence each, for people. */
void avf_notes(const struct result *r, struct fl_buf *out);
/* The row "all" of a part, and its figures. */
void avf_all(const struct avf_report *a, int part, struct tally_row *all, struct metrics *m);
/* Another part of the same job, target and engine with method ace, or -1. */
int avf_ace_beside(const struct result *r, int p);
/* Different (engine, method) pairs of a job's parts: calls `each` with a part of each, in their
 * order. */
void avf_each_chip(const struct avf_report *a, int job,
                   void (*each)(void *context, const struct result_part *part,
                                const struct metrics_chip *chip),
                   void *context);

/* The same for each SM of a chip in which a fault could be; false when there are none. */
bool avf_each_sm(const struct avf_report *a, int job,
                 void (*each)(void *context, const struct result_part *part, int sm,
                              const struct metrics_chip *chip),
                 void *context);
/* Of such an SM, "all" of a part, where it has tallies of its own: its target is "sm3/rf", which the caller
 * frees. */
bool avf_sm_row(const struct result *r, int part, int sm, struct tally_row *out);

/* Length of a job's name without "@8sp"; 0: it has no such end. */
size_t avf_program_length(const struct result_job *j);
/* Jobs of one program on several numbers of SPs have names like mxm@8sp (faultsim --sps 8,16,32).
 * Calls `each` for "all" of every part of such a job, those of one target, method and engine
 * together. False when there are none. */
bool avf_each_sps(const struct avf_report *a,
                  void (*each)(void *context, const struct result_job *job,
                               const struct tally_row *row, const struct metrics *m),
                  void *context);

/* Sites of a part and role that failed, added up over registers (by instruction) or over
 * instructions (by register), in order of kernel and pc or register; .reg is -1 in the first, .pc
 * is 0 in the second. Caller frees. */
struct site *avf_by_instruction(const struct result_part *p, enum site_role role, int *count);
struct site *avf_by_register(const struct result_part *p, enum site_role role, int *count);
const char *avf_code_text(const struct result_job *j, int kernel,
                          uint32_t pc); /* "" when unknown */

#endif
