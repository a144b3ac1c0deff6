/* exports.h -- every export of a campaign, as a table: what it is called, who writes it, which schema it follows.
 *
 * A writer sees struct avf_report and nothing else: what a store holds, whether the campaign has just
 * run or is read from its file. So both give the same bytes. A new export is a row of the table, and
 * an option of its name in faultsim/cli/table.c; a new kind of faults is a column at most.
 */
#ifndef EXPORTS_H
#define EXPORTS_H

#include "avf.h"

/* What a campaign of some model finds, and so what is written of it. */
enum report_kind {
    REPORT_COVERAGE, /* of permanent faults: coverage.h */
    REPORT_AVF,      /* of faults that have a cycle: avf.h */
    REPORT_KINDS
};
enum report_kind report_kind(const struct avf_report *a);

struct report_writer {
    /* NULL: campaigns of that kind have no such export */
    int (*write)(const struct avf_report *a, struct fl_buf *out, struct fl_err *err);
    const char *schema; /* in docs/, or NULL */
};

extern const struct report_export {
    const char *name; /* the option; "table": what is printed without one */
    struct report_writer by[REPORT_KINDS];
} report_exports[];
extern const int report_export_count;

#endif
