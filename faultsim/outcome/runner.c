/* runner.c -- runs a faulty machine to its end and says how it ended. See runner.h. */
#include "runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void runner_open(struct runner *r, const struct reference *ref)
{
    struct fl_err err;
    *r = (struct runner){.ref = ref,
                         .bad = ref->engine->make(ref->img, &err),
                         .saved = ref->engine->make(ref->img, &err)};
}

void runner_close(struct runner *r)
{
    dut_free(r->bad);
    dut_free(r->saved);
}

/* ---- how a run ended ------------------------------------------------------------------------- */

void run_say_outputs(const struct reference *ref, const struct outputs_verdict *v, uint64_t cycles,
                     struct fsim_result *out)
{
    out->end = cycles;
    out->elements = v->elements;
    out->unwritten = v->unwritten;
    out->worst = v->worst;
    out->by = v->by;
    out->anatomy = v->anatomy;
    out->kept = v->kept;
    if (!v->differ) {
        out->outcome = cycles == ref->cycles ? OUT_MASKED : OUT_PERFORMANCE;
        if (cycles == ref->cycles)
            snprintf(out->reason, sizeof out->reason, "logically_masked");
        else
            snprintf(out->reason, sizeof out->reason, "%lld cycles %s",
                     llabs((long long)cycles - (long long)ref->cycles),
                     cycles > ref->cycles ? "late" : "early");
        return;
    }
    const struct job_output *t = &ref->img->job->output[v->output];
    out->outcome = v->wrong ? OUT_SDC : OUT_TOLERABLE;
    out->beyond = v->wrong && t->tolerance != TOLERANCE_NOTHING && !t->checker;
    const char *odd = ref->img->job->output[v->odd].name;
    switch (v->named) {
    case NAMED_NOTHING:
        snprintf(out->reason, sizeof out->reason, "%.40s+0x%x", t->name, v->offset);
        break;
    case NAMED_ODD:
        if (v->odds == 1)
            snprintf(out->reason, sizeof out->reason, "odd_%.40s", odd);
        else
            snprintf(out->reason, sizeof out->reason, "odd_%.30s_and_%d", odd, v->odds - 1);
        break;
    case NAMED_ALIKE: snprintf(out->reason, sizeof out->reason, "alike"); break;
    case NAMED_NO_HALF: snprintf(out->reason, sizeof out->reason, "no_majority"); break;
    }
}

void run_say_end(const struct reference *ref, const struct dut_end *end, struct fsim_result *out)
{
    struct outputs_verdict v;
    out->end = end->cycles;
    switch (end->how) {
    case DUT_TRAPPED:
        if (dut_ended_rightly(end, ref->img)) {
            outputs_judge_memory(ref->outputs, end->memory, &v);
            run_say_outputs(ref, &v, out->end, out);
            break;
        }
        out->outcome = OUT_CRASH;
        snprintf(out->reason, sizeof out->reason, "%s", sm_trap_name(end->trap));
        break;
    case DUT_GAVE_UP:
        out->outcome = OUT_TIMEOUT;
        out->end = FSIM_NEVER;
        snprintf(out->reason, sizeof out->reason, "host_gives_up");
        break;
    case DUT_DEADLOCKED:
        out->outcome = OUT_HANG;
        out->end = FSIM_NEVER;
        snprintf(out->reason, sizeof out->reason, "deadlock");
        break;
    default:
        outputs_judge_memory(ref->outputs, end->memory, &v);
        run_say_outputs(ref, &v, out->end, out);
        if (ref->img->traps && out->outcome != OUT_SDC) { /* the host gets another status */
            out->outcome = OUT_SDC;
            snprintf(out->reason, sizeof out->reason, "status");
        }
    }
}

void run_say_never(enum run_end how, struct fsim_result *out)
{
    out->outcome = how == RUN_TOO_LONG ? OUT_TIMEOUT : OUT_HANG;
    out->end = FSIM_NEVER;
    snprintf(out->reason, sizeof out->reason, "%s",
             how == RUN_RECURS       ? "state_recurs"
             : how == RUN_LIVELOCKED ? "livelock"
                                     : "no_recurrence_by_4G");
}

/* ---- to the end ------------------------------------------------------------------------------ */

static void save(struct runner *r)
{
    dut_copy(r->saved, r->bad);
    if (r->memory)
        r->memory->keep(r->memory->of);
}

/* The state of a checkpoint, but for a cell that is held. */
static bool same_as(struct runner *r, struct dut *checkpoint)
{
    const struct sm_cell *held = r->held ? &r->held->cell : NULL;
    const bool differs = held && dut_read(r->bad, held) != dut_read(checkpoint, held);
    if (differs)
        dut_flip(r->bad, held);
    const bool same = dut_same(r->bad, checkpoint, false);
    if (differs)
        dut_flip(r->bad, held);
    return same;
}

static void skip_on(struct runner *r, uint64_t cycle)
{
    const uint64_t before = dut_instructions(r->bad);
    r->skip(r->of, cycle);
    r->stat.instructions -= dut_instructions(r->bad) - before; /* not simulated */
}

static bool came_back(const struct runner *r)
{
    return dut_same(r->bad, r->saved, true) && (!r->memory || r->memory->same(r->memory->of));
}

/* An output that can no longer become right is wrong. It stays so: it is looked for now and then. */
static bool is_detected(struct runner *r)
{
    enum { LOOKS = 256 /* in a fault-free run */ };
    const struct detection *d = r->ref->detection;
    char what[64];
    if (!d || dut_cycle(r->bad) < r->looks_at || !detection_decides(d))
        return false;
    const struct dut_end now = dut_end(r->bad);
    r->looks_at = dut_cycle(r->bad) + r->ref->cycles / LOOKS + 1;
    return detection_wrong(d, &now, what);
}

/* Looks for a state that comes back (Brent's algorithm: one is saved, and saved anew at doubling
 * distances), or that is the fault-free one again, or a detection. Ends with none at `limit`. */
static void look(struct runner *r, unsigned how, uint64_t limit, bool *recurs, bool *heals,
                 bool *detected)
{
    enum { STEPS = 256 };
    const struct reference *ref = r->ref;
    struct dut *m = r->bad;
    uint64_t power = 32, since = 0, steps = 0;
    int next = how & MAY_HEAL ? 0 : ref->ncheckpoints;
    const uint64_t behind = r->skip ? dut_cycle(m) : r->heals_behind;
    while (next < ref->ncheckpoints && dut_cycle(ref->checkpoint[next]) <= behind)
        next++;
    bool saved = false;
    while (!dut_ended(m) && dut_cycle(m) < limit && !*recurs && !(*detected = is_detected(r))) {
        for (; next < ref->ncheckpoints && dut_cycle(ref->checkpoint[next]) <= dut_cycle(m);
             next++) {
            const uint64_t at = dut_cycle(ref->checkpoint[next]);
            const bool same = same_as(r, ref->checkpoint[next]) &&
                              (!r->memory || !r->memory->fault_free ||
                               r->memory->fault_free(r->memory->of, dut_cycle(m)));
            *heals = same && at > r->heals_behind;
            if (*heals)
                return;
            if (same)
                skip_on(r, at);
        }
        uint64_t to = next < ref->ncheckpoints ? dut_cycle(ref->checkpoint[next]) : limit;
        /* a machine runs ahead, but not in steps of some slots: while the fault-free run lasts, a state that comes
         * back is looked for in the first ones only, and in those of a chip in none */
        if ((ref->img->sms > 1 || steps++ >= STEPS) && dut_cycle(m) < ref->cycles) {
            dut_advance(m, to < ref->cycles ? to : ref->cycles, true);
            continue;
        }
        if (!saved)
            save(r);
        saved = true;
        if (!dut_advance(m, to, false))
            continue;
        *recurs = came_back(r);
        if (!*recurs && ++since == power) {
            save(r);
            power *= 2;
            since = 0;
        }
    }
}

/* Unfinished at 2G: a hang when the state at 2G comes back by 4G, else a timeout. A state that
 * comes back earlier proves the same, since its period is then shorter than 2G. */
enum run_end run_on(struct runner *r, unsigned how)
{
    struct dut *m = r->bad;
    const uint64_t limit = 2 * r->ref->cycles, start = dut_instructions(m);
    bool recurs = false, heals = false, detected = false;
    r->looks_at = 0;
    if (how & LOOK_EARLY)
        look(r, how, limit, &recurs, &heals, &detected);
    else
        dut_advance(m, limit, true);
    bool unfinished = !dut_ended(m) && !recurs && !heals && !detected;
    if (unfinished && !r->ref->detection) {
        save(r);
        while (!dut_ended(m) && dut_cycle(m) < 2 * limit && !recurs) {
            dut_tick(m, NULL); /* any tick: the saved state need not be one behind an instruction */
            recurs = came_back(r);
        }
    }
    const bool livelocked = recurs &&
                            dut_livelocked(m, r->ref->img, dut_cycle(m) - dut_cycle(r->saved));
    r->stat.instructions += dut_instructions(m) - start;
    return heals                                                               ? RUN_HEALED
           : detected                                                          ? RUN_DETECTED
           : livelocked                                                        ? RUN_LIVELOCKED
           : recurs                                                            ? RUN_RECURS
           : unfinished && !(dut_ended(m) && dut_end(m).how == DUT_DEADLOCKED) ? RUN_TOO_LONG
                                                                               : RUN_ENDED;
}

/* What is a failure is detected, by what shows it first. That does not depend on how early the run was ended: outputs
 * that can no longer change are asked for first. */
static void say_detected(const struct reference *ref, enum run_end end, const struct dut_end *now,
                         struct fsim_result *out)
{
    struct fsim_result full = {.end = FSIM_NEVER, .reason = "no_end_by_2G"};
    char what[64];
    if (end == RUN_ENDED)
        run_say_end(ref, now, &full);
    if (end == RUN_ENDED && !fsim_outcome_fails(full.outcome)) {
        *out = full;
        return;
    }
    *out = (struct fsim_result){.outcome = OUT_DETECTED, .end = full.end};
    if (detection_wrong(ref->detection, now, what)) {
        out->end = FSIM_NEVER;
        memcpy(out->reason, what, sizeof what);
    } else {
        snprintf(out->reason, sizeof out->reason, "%s:%.50s",
                 now->how == DUT_TRAPPED                    ? "trap"
                 : end == RUN_ENDED && now->how == DUT_DONE ? "output"
                                                            : "overrun",
                 full.reason);
    }
}

void run_to_end(struct runner *r, unsigned how, struct fsim_result *out)
{
    enum run_end end = run_on(r, how);
    if (end != RUN_HEALED && r->ref->detection) {
        const struct dut_end now = dut_end(r->bad);
        say_detected(r->ref, end, &now, out);
    } else if (end == RUN_HEALED) {
        run_say_outputs(r->ref, &(struct outputs_verdict){0}, r->ref->cycles, out);
    } else if (end == RUN_ENDED) {
        const struct dut_end e = dut_end(r->bad);
        run_say_end(r->ref, &e, out);
    } else {
        run_say_never(end, out);
    }
}
