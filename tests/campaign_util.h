/* campaign_util.h -- transient campaigns of small jobs, kept in memory. */
#ifndef CAMPAIGN_UTIL_H
#define CAMPAIGN_UTIL_H

#include "faultsim/transient/campaign.h"
#include "upset_util.h"

static inline struct avf_options options(void)
{
    return (struct avf_options){.target = {"all"},
                                .ntargets = 1,
                                .confidence = 0.95,
                                .margin = 0.01,
                                .seed = 1,
                                .pattern = {.with = -1},
                                .window = {.launch = -1, .to = UINT64_MAX},
                                .shard = 1,
                                .shards = 1,
                                .max_cycles = 1000000};
}

static inline struct store *campaign(const struct job *job, struct avf_options opt)
{
    struct fl_err err = {{0}};
    struct store *s = NULL;
    struct sm_image *img = sm_image_new(job, &err);
    if (!img || avf_targets(&img, 1, &opt, &err) != 0 || avf_run(&job, 1, &opt, &s, &err) != 0) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no campaign");
    }
    sm_image_free(img);
    return s;
}

static inline void done(struct store *s)
{
    struct fl_err err;
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
}

/* A machine small enough to try everything: two warps of a few registers. */
static inline struct job *small(const char *text)
{
    struct job *job = util_job("tiny", 1, 40, text);
    struct fl_err err;
    job->profile.regs = 2 * 32 * job->cubin->kernel[0].regs;
    job->profile.barriers = 2;
    job->profile.global_latency = 20; /* a wait is a wait, however long */
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    return job;
}

/* The first part of a campaign over one target. */
static inline struct tally of_target(const struct job *job, const char *target,
                                     struct avf_options opt)
{
    opt.target[0] = target;
    struct store *s = campaign(job, opt);
    struct tally t = store_result(s)->part[0].tally[0];
    done(s);
    return t;
}

#endif
