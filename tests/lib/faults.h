/* faults.h -- jobs of a few lines of sasm for the tests of faultsim, and what becomes of one fault in them.
 *
 *     struct job *job = faults_job("tiny", 1, 32, text);   // one buffer of 4 KB, the kernel's parameter and the output
 *     struct fsim_result r = faults_result(job, "dstack/le1/tm5:sa1");
 *     job_free(job);
 *
 * faults_result runs every fault twice, pruned and by brute force, and fails the test when the two differ: so each crafted
 * program keeps the rule that they agree.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "faultsim/permanent/campaign.h"
#include "machine.h"

/* One launch of every kernel of the text, in order, `blocks` of `threads`; the parameter of each is the buffer. */
struct job *faults_job(const char *profile, uint32_t blocks, uint32_t threads, const char *text);

struct fsim_campaign faults_campaign(const struct job *job, const char *pattern,
                                     struct fsim_options opt);

bool faults_same(const struct fsim_result *a, const struct fsim_result *b);

void faults_print(const char *who, const char *id, const struct fsim_result *r);

/* Faults of two campaigns over one list with different results; prints the first few. */
long faults_differences(const struct fsim_campaign *a, const struct fsim_campaign *b);

/* The result of the only fault that the id names. */
struct fsim_result faults_result(const struct job *job, const char *id);

#define ASSERT_RESULT(r, want, why)                                                                \
    do {                                                                                           \
        if ((r).outcome != (want) || strcmp((r).reason, why) != 0)                                 \
            faults_print("wanted " #want " " why ", got", "", &(r));                               \
        CU_ASSERT_EQUAL((r).outcome, want);                                                        \
        CU_ASSERT_STRING_EQUAL((r).reason, why);                                                   \
    } while (0)

#endif
