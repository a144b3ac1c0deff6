/* made_stuck_at.h -- what made the result of a stuck-at campaign: the line of made.h, and its
 * jobs. */
#ifndef FAULTSIM_MADE_STUCK_AT_H
#define FAULTSIM_MADE_STUCK_AT_H

#include "campaign.h"
#include "faultsim/result/made.h"

/* The line of a stuck-at campaign as exports have it, and its jobs; `more` stands at its end, with a
 * space before it. */
struct made {
    char *line;
    struct result_job *job;
    int njobs;
};
/* The line as a store has it, of the first job's list. */
void made_options_stuck_at(const struct fsim_campaign *c, const char *more, struct fl_buf *out);
void made_stuck_at(const struct fsim_campaign *c, int n, const char *more, struct made *out);
void made_free(struct made *m);
void made_csv_stuck_at(const struct fsim_campaign *c, int n, struct fl_buf *out);

#endif
