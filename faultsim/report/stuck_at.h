/* stuck_at.h -- what a campaign found: a table for people, CSV and XML for programs.
 *
 * Exports are byte-identical for identical results: they hold no times, paths or thread counts.
 */
#ifndef REPORT_H
#define REPORT_H

#include "faultsim/permanent/campaign.h"

/* The human table: a row per job, a union row for several, coverage per field, how the numbers came
 * about. */
void report_table(const struct fsim_campaign *c, int n, const char *target, const char *model,
                  struct fl_buf *out);
/* A summary line per job; the header is documented in docs/formats.md. */
void report_csv(const struct fsim_campaign *c, int n, const char *target, const char *model,
                struct fl_buf *out);
/* A line per fault: job,id,outcome,class,first_activation_cycle,end_cycle,reason,elements,by. */
void report_csv_faults(const struct fsim_campaign *c, int n, struct fl_buf *out);
/* Both, as XML after docs/report.rng. */
int report_xml(const struct fsim_campaign *c, int n, const char *target, const char *model,
               struct fl_buf *out, struct fl_err *err);

/* The same line from counts, for other reports. */
/* `tolerable`: with a column of those, the last. */
void report_csv_head(bool tolerable, struct fl_buf *out);
void report_csv_row(const char *job, const char *target, const char *model, const char *engine,
                    const struct fsim_counts *k, bool tolerable, struct fl_buf *out);

/* One CSV field, quoted as in RFC 4180 where it must be. */
void report_csv_text(const char *s, struct fl_buf *out);

#endif
