/* made_up.h -- a made-up campaign for the tests of store and report: two jobs, one with two kernels, of which one is
 * launched twice; the register file exact, by sample and by ACE, shared memory exact. What a unit finds is a function of
 * its number alone.
 */
#ifndef MADE_UP_H
#define MADE_UP_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faultsim/result/metrics.h"
#include "base/stats.h"
#include "faultsim/store/store.h"
#include "check.h"

enum {
    MADE_UP_UNITS = 60,
    MADE_UP_PARTS = 5,
    MADE_UP_CUT = 40
}; /* flips of a unit of the sample, half of them in each kernel */

struct result_job made_up_job(int j);

struct store_identity made_up_identity(int shard, int shards, const struct result_job job[2]);

/* 0: rf exact, 1: rf sample, 2: rf ace, 3: shared exact, all of job 0; 4: rf exact of job 1 */
int made_up_declare(struct store *s, int number, struct fl_err *err);

void made_up_work(struct store_found *f, int part, uint64_t unit);

/* Opens, declares all, does what is wanted of units [0, upto). NULL with a message when it cannot. */
struct store *made_up_campaign(const char *path, bool resume, int shard, int shards, uint64_t upto,
                               struct fl_err *err);

/* The same, finished; its sample keeps no row of a flip. */
struct store *made_up_campaign_of_sums(const char *path, int shard, int shards, struct fl_err *err);

/* All that counts, as text: equal texts are equal results. */
int made_up_print_injection(void *context, const struct store_injection *i);

char *made_up_dump(struct store *s);

#endif
