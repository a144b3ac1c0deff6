/* coverage.h -- the coverage of permanent faults from a store: a table, CSV, and a page with plots.
 *
 * A store knows what became of each fault in each job, added up; the union of several jobs is the
 * campaign's to tell (stuck_at.h).
 */
#ifndef COVERAGE_H
#define COVERAGE_H

#include "avf.h"
#include "faultsim/permanent/campaign.h"

/* Whether the campaign is one of permanent faults: `made` says its model. */
bool coverage_is(const char *made);

/* Of a job (or -1: all), one target or all (NULL). */
struct fsim_counts coverage_counts(const struct avf_report *a, int job, const char *target);

void coverage_table(const struct avf_report *a, struct fl_buf *out);
/* The columns of `faultsim stuck-at --csv`; target all, then each. */
void coverage_csv(const struct avf_report *a, struct fl_buf *out);
/* As avf_report_html. */
int coverage_html(const struct avf_report *a, struct fl_buf *out, struct page_files *files,
                  struct fl_err *err);

#endif
