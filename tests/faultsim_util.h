/* faultsim_util.h -- jobs of a few lines of sasm for the tests of faultsim, and what becomes of one fault in them.
 *
 *     struct job *job = util_job("tiny", 1, 32, text);   // one buffer of 4 KB, the kernel's parameter and the output
 *     struct fsim_result r = util_fault(job, "dstack/le1/tm5:sa1");
 *     job_free(job);
 *
 * util_fault runs every fault twice, pruned and by brute force, and fails the test when the two differ: so each crafted
 * program keeps the rule that they agree.
 */
#ifndef FAULTSIM_UTIL_H
#define FAULTSIM_UTIL_H

#include "faultsim/permanent/campaign.h"
#include "machine_util.h"

/* One launch of every kernel of the text, in order, `blocks` of `threads`; the parameter of each is the buffer. */
static inline struct job *util_job(const char *profile, uint32_t blocks, uint32_t threads,
                                   const char *text)
{
    struct fl_err err = {{0}};
    struct job *job = machine_job(profile, text);
    uint32_t addr = machine_buffer(job, 4096, NULL);
    for (int k = 0; k < job->cubin->nkernels; k++) {
        struct job_launch *l = machine_launch(job, k, blocks, threads);
        for (int i = 0; i < job->cubin->kernel[k].nparams; i++)
            machine_param(l, addr);
    }
    job->output = fl_alloc(sizeof *job->output);
    job->output[0] = (struct job_output){.name = fl_strdup("out"), .size = 4096};
    job->noutputs = 1;
    if (job_finish(job, &err)) {
        printf("\n%s\n", err.msg);
        job_free(job);
        CU_FAIL_FATAL("no job");
    }
    return job;
}

static inline struct fsim_campaign util_campaign(const struct job *job, const char *pattern,
                                                 struct fsim_options opt)
{
    struct fsim_campaign c;
    struct fl_err err = {{0}};
    if (!opt.max_cycles)
        opt.max_cycles = 10000000;
    if (fsim_campaign_run(&c, job, &pattern, 1, NULL, &opt, &err)) {
        printf("\n%s: %s\n", pattern, err.msg);
        CU_FAIL_FATAL("no campaign");
    }
    return c;
}

static inline bool util_same_result(const struct fsim_result *a, const struct fsim_result *b)
{
    return a->outcome == b->outcome && a->untestable == b->untestable &&
           a->first_activation == b->first_activation && a->end == b->end &&
           strcmp(a->reason, b->reason) == 0;
}

static inline void util_print_result(const char *who, const char *id, const struct fsim_result *r)
{
    printf("\n    %s %s: %s, %s, first %lld, end %lld", who, id, fsim_outcome_name(r->outcome),
           r->reason, (long long)r->first_activation, (long long)r->end);
}

/* Faults of two campaigns over one list with different results; prints the first few. */
static inline long util_differences(const struct fsim_campaign *a, const struct fsim_campaign *b)
{
    long n = 0;
    for (long i = 0; i < a->list.count; i++) {
        if (util_same_result(&a->result[i], &b->result[i]) || n++ >= 5)
            continue;
        char id[FSIM_ID];
        fsim_id(a->img, &a->list.fault[i], id);
        util_print_result("pruned", id, &a->result[i]);
        util_print_result("exhaustive", id, &b->result[i]);
    }
    return n;
}

/* The result of the only fault that the id names. */
static inline struct fsim_result util_fault(const struct job *job, const char *id)
{
    struct fsim_options pruned = {.threads = 1}, brute = {.threads = 1, .exhaustive = true};
    struct fsim_campaign a = util_campaign(job, id, pruned), b = util_campaign(job, id, brute);
    CU_ASSERT_EQUAL(a.list.count, 1);
    CU_ASSERT_EQUAL(util_differences(&a, &b), 0);
    struct fsim_result r = a.result[0];
    fsim_campaign_free(&a);
    fsim_campaign_free(&b);
    return r;
}

#define ASSERT_RESULT(r, want, why)                                                                \
    do {                                                                                           \
        if ((r).outcome != (want) || strcmp((r).reason, why) != 0)                                 \
            util_print_result("wanted " #want " " why ", got", "", &(r));                          \
        CU_ASSERT_EQUAL((r).outcome, want);                                                        \
        CU_ASSERT_STRING_EQUAL((r).reason, why);                                                   \
    } while (0)

#endif
