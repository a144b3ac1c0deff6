/* part.h -- permanent faults for the driver of campaigns: of each job a part for each structure of
 * its list.
 *
 * The faults stand in the order in which they first act, cut into units of work.
 */
#ifndef PART_H
#define PART_H

#include "campaign.h"

/* Of a program that uses the device several times: the uses after that of the job, each with its own recorded job. */
struct later {
    struct job **job;
    int jobs;
    uint64_t cycles; /* of all of them */
    /* [list.count]: when a fault first acts in one of them, counted on from the job; or FSIM_NEVER. NULL: there are none */
    uint64_t *acts;
};

/* All jobs, with the one and the part that run. */
struct permanent {
    struct fsim_campaign *jobs;
    struct fsim_campaign *job;
    struct job_context ctx;
    struct later later;
    int structures[SM_ALL_STRUCTURES]; /* of its parts */
    int structure;
    long *order; /* fault numbers */
    uint64_t faults;
    bool incomplete; /* the store has rows that lack something */
};

/* ---- later.c ---- */

/* The recorded jobs of a program, without the first. */
int permanent_later_load(struct later *l, const struct program *host, struct fl_err *err);
void permanent_later_free(struct later *l);
/* When the faults of the list act there. `cycles`: of the job. */
int permanent_later_run(struct later *l, const struct fsim_campaign *c, uint64_t cycles,
                        uint64_t max_cycles, struct fl_err *err);

/* What sorts faults, so that machines travel forward: when they first act, then their place in the list. */
struct permanent_key {
    uint64_t activation; /* of the fault; in the register file: the first of its register's */
    long fault;
};
int permanent_by_activation(const void *a, const void *b);

extern const struct campaign_kind permanent_kind;

#endif
