/* campaigns.h -- transient campaigns of small jobs, kept in memory. */
#ifndef CAMPAIGNS_H
#define CAMPAIGNS_H

#include "faultsim/transient/campaign.h"
#include "flips.h"

struct avf_options campaigns_options(void);

struct store *campaigns_run(const struct job *job, struct avf_options opt);

void campaigns_close(struct store *s);

/* A machine small enough to try everything: two warps of a few registers. */
struct job *campaigns_small(const char *text);

/* The first part of a campaign over one target. */
struct tally campaigns_of_target(const struct job *job, const char *target, struct avf_options opt);

/* Sums in a campaigns_loop whose flags, addresses and shared words all matter. */
extern const char campaigns_loop[];

struct job_context campaigns_context(const struct job *job);

#endif
