/* part.h -- permanent faults for the driver of campaigns: of each job a part for each structure of
 * its list.
 *
 * The faults stand in the order in which they first act, cut into units of work.
 */
#ifndef PART_H
#define PART_H

#include "campaign.h"

/* All jobs, with the one and the part that run. */
struct permanent {
    struct fsim_campaign *jobs;
    struct fsim_campaign *job;
    struct job_context ctx;
    int structures[SM_ALL_STRUCTURES]; /* of its parts */
    int structure;
    long *order; /* fault numbers */
    uint64_t faults;
    bool incomplete; /* the store has rows that lack something */
};

/* What sorts faults, so that machines travel forward: when they first act, then their place in the list. */
struct permanent_key {
    uint64_t activation; /* of the fault; in the register file: the first of its register's */
    long fault;
};
int permanent_by_activation(const void *a, const void *b);

extern const struct campaign_kind permanent_kind;

#endif
