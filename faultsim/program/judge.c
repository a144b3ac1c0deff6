/* judge.c -- see judge.h. */
#include "judge.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(struct fsim_result *out, enum fsim_outcome o, uint64_t end, const char *reason)
{
    out->outcome = o;
    out->end = end;
    snprintf(out->reason, sizeof out->reason, "%s", reason);
}

/* Counts the words that differ; the first of all gives the reason, unless there is one. */
static void compare(struct fsim_result *out, const char *name, const struct fl_buf *good,
                    const struct fl_buf *bad)
{
    size_t least = good->size < bad->size ? good->size : bad->size,
           most = good->size > bad->size ? good->size : bad->size, first = most;
    uint32_t words = 0;
    for (size_t i = 0, word = SIZE_MAX; i < most; i++)
        if ((i >= least || good->data[i] != bad->data[i]) && word != i / 4) {
            first = words++ ? first : i;
            word = i / 4;
        }
    if (words == 0)
        return;
    out->outcome = OUT_SDC;
    out->elements += words;
    out->by = NAN; /* files have no type */
    if (!out->reason[0])
        snprintf(out->reason, sizeof out->reason, "%.40s+0x%zx", name, first);
}

/* By outputs and cycles. */
static void judge_outputs(const struct program_options *o, const struct leaves *good,
                          const struct leaves *run, struct fsim_result *out)
{
    long long late = (long long)(run->live.cycles - good->live.cycles);
    say(out, late ? OUT_PERFORMANCE : OUT_MASKED, run->live.cycles, "");
    if (run->missing >= 0) {
        out->outcome = OUT_SDC;
        snprintf(out->reason, sizeof out->reason, "%.40s is missing", o->output[run->missing]);
    }
    for (int i = 0; i < o->outputs; i++)
        compare(out, o->output[i], &good->output[i], &run->output[i]);
    if (!o->no_stdout)
        compare(out, "stdout", &good->out, &run->out);
    if (out->outcome == OUT_PERFORMANCE)
        snprintf(out->reason, sizeof out->reason, "%lld cycles %s", llabs(late),
                 late > 0 ? "late" : "early");
}

bool judge(const struct program_options *o, const struct leaves *good, const struct leaves *run,
           struct fsim_result *out)
{
    const struct live *d = &run->live;
    const int code = run->end.code;
    const bool by_signal = run->end.how == PROCESS_BY_SIGNAL, other = code != good->end.code;
    enum fsim_outcome means;
    char text[32];
    *out = (struct fsim_result){.first_activation = out->first_activation};
    if (d->how == LIVE_TRAPPED) {
        say(out, OUT_CRASH, d->cycles, sm_trap_name((enum sm_trap)d->trap));
    } else if (d->how == LIVE_DEADLOCKED || d->how == LIVE_RECURS || d->how == LIVE_LIVELOCKED) {
        say(out, OUT_HANG, FSIM_NEVER,
            d->how == LIVE_RECURS       ? "state_recurs"
            : d->how == LIVE_LIVELOCKED ? "livelock"
                                        : "deadlock");
    } else if (d->how == LIVE_TOO_LONG) {
        say(out, OUT_TIMEOUT, FSIM_NEVER, "no_recurrence_by_4G");
    } else if (run->end.how == PROCESS_TOO_LONG) {
        say(out, OUT_TIMEOUT, FSIM_NEVER, "time_limit");
    } else if (by_signal && code == SIGXFSZ) {
        say(out, OUT_TIMEOUT, FSIM_NEVER, "output_limit");
    } else if (by_signal) {
        snprintf(text, sizeof text, "SIG%s", sigabbrev_np(code) ? sigabbrev_np(code) : "");
        say(out, OUT_CRASH, d->cycles, text);
    } else if (other && !program_exit_means(o, code, &means)) {
        snprintf(text, sizeof text, "exit %d", code);
        say(out, OUT_EXIT, d->cycles, text);
    } else if (other && means == OUT_DETECTED) {
        snprintf(text, sizeof text, "exit %d", code);
        say(out, OUT_DETECTED, d->cycles, text);
    } else {
        judge_outputs(o, good, run, out);
        if (!other || means != OUT_SDC)
            return run->missing < 0;
        out->outcome = OUT_SDC;
        snprintf(out->reason, sizeof out->reason, "exit %d", code);
    }
    return false;
}

void judge_checked(int status, struct fsim_result *out)
{
    if (status == 0 && out->outcome == OUT_SDC)
        out->outcome = OUT_TOLERABLE;
    if (status == 0)
        return;
    if (out->outcome != OUT_SDC)
        snprintf(out->reason, sizeof out->reason, "check %d", status);
    out->outcome = OUT_SDC;
}
