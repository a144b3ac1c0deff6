/* judge.h -- the outcome of a run of a program with a fault: docs/howto/programs.md, "Outcomes of a program". */
#ifndef JUDGE_H
#define JUDGE_H

#include "faultsim/machine/live.h"
#include "process.h"
#include "program.h"

struct leaves { /* what a run leaves to be judged by */
    struct process_end end;
    struct live live;
    struct fl_buf out, *output;
    int missing; /* the first output that is not there; -1 */
};

/* True: the run ended as usual and left all its outputs, so a command of the user's may correct what their bytes say (judge_checked). */
bool judge(const struct program_options *o, const struct leaves *good, const struct leaves *run,
           struct fsim_result *out);
/* `status` of that command. */
void judge_checked(int status, struct fsim_result *out);

#endif
