/* host.c -- what the host of a job does between its launches, as a line of the summary. */
#include <inttypes.h>

#include "smrun.h"

void smrun_print_host(const struct job *job, struct fl_buf *out)
{
    static const char *const name[][2] = {[STEP_WRITE] = {"write", "writes"},
                                          [STEP_FILL] = {"fill", "fills"},
                                          [STEP_COPY] = {"copy", "copies"},
                                          [STEP_READ] = {"read", "reads"}};
    uint64_t bytes[4] = {0};
    int count[4] = {0};
    for (int i = 0; i < job->nsteps; i++) {
        count[job->step[i].kind]++;
        bytes[job->step[i].kind] += job->step[i].size;
    }
    const char *comma = "host          ";
    for (int k = 0; k < 4; k++) {
        if (!count[k])
            continue;
        fl_buf_printf(out, "%s%d %s of %" PRIu64 " bytes", comma, count[k], name[k][count[k] != 1],
                      bytes[k]);
        comma = ", ";
    }
    if (job->nsteps)
        fl_buf_printf(out, ", among %d launch%s\n", job->nlaunches,
                      job->nlaunches == 1 ? "" : "es");
}
