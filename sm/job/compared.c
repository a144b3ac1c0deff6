/* compared.c -- outputs of SMs that are held against each other: which SM is the odd one. */
#include <stdlib.h>
#include <string.h>

#include "job.h"

int job_compared(const struct job *job, int output[JOB_MAX_COMPARED])
{
    int n = 0;
    for (int i = 0; i < job->noutputs; i++)
        if (job->output[i].compared && n++ < JOB_MAX_COMPARED)
            output[n - 1] = i;
    return n < JOB_MAX_COMPARED ? n : JOB_MAX_COMPARED;
}

bool job_find_odd(const uint8_t *const bytes[], int n, uint32_t size, bool odd[])
{
    for (int i = 0; i <= n / 2; i++) { /* of more than half of them, one is among these */
        int same = 0;
        for (int k = 0; k < n; k++) {
            odd[k] = memcmp(bytes[i], bytes[k], size) != 0;
            same += !odd[k];
        }
        if (2 * same > n)
            return true;
    }
    return false;
}

/* Who compares must know that each output is of an SM of its own, and be able to name one. */
int job_check_compared(const struct job *job, struct fl_err *err)
{
    int output[JOB_MAX_COMPARED], n = job_compared(job, output);
    if (!n)
        return 0;
    const struct job_output *first = &job->output[output[0]];
    const char *at = job->path ? job->path : "job";
    for (int i = 0; i < n; i++)
        if (job->output[output[i]].size != first->size)
            return fl_fail(err,
                           "%s:%d: output %s has %u bytes, %s %u: what is compared has one size",
                           at, job->output[output[i]].line, job->output[output[i]].name,
                           job->output[output[i]].size, first->name, first->size);
    if (n < 2 || (n == 2 && !job->has_digest))
        return fl_fail(err,
                       "%s:%d: %d output%s compared: three SMs or more name the one that differs, "
                       "two need a <digest> beside them",
                       at, first->line, n, n == 1 ? " is" : "s are");
    if (job->profile.sms != n || job->profile.blocks != BLOCKS_FIXED)
        return fl_fail(err,
                       "%s:%d: the outputs of %d SMs are compared: take a profile of %d SMs whose "
                       "<blocks> are fixed; %s has %d, %s",
                       at, first->line, n, n, job->profile.name, job->profile.sms,
                       job->profile.blocks == BLOCKS_FIXED ? "fixed" : "dynamic");
    for (int i = 0; i < job->nlaunches; i++) {
        const struct job_launch *l = &job->launch[i];
        if (l->grid[0] * l->grid[1] % (uint32_t)n)
            return fl_fail(
                err,
                "%s:%d: the outputs of %d SMs are compared: launch %d has %u blocks, let "
                "it have as many for each",
                at, l->line, n, i + 1, l->grid[0] * l->grid[1]);
    }
    return 0;
}
