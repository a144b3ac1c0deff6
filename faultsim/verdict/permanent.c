/* permanent.c -- the outcome of one permanent fault.
 *
 * The fault-free run says in which cycle a read first finds the other value. There a copy of the fault-free machine gets the fault.
 * Before that cycle the fault changes nothing. The machine gets a fault of a memory in the cycle since which its cells have been wrong.
 */
#include <stdio.h>

#include "ladder.h"

bool read_in_commits(const struct fsim_fault *f)
{
    return f->kind == FSIM_SA && sm_read_moment(f->cell.structure) == READ_IN_COMMIT;
}

/* Where nobody knows who reads the cell, or what it holds in the middle of a tick, it may act from the first cycle on. */
static uint64_t recorded_activation(const struct reference *ref, const struct fsim_fault *f)
{
    if (sm_is_cache(f->cell.structure))
        return 0;
    if (f->kind != FSIM_SA)
        return excitation_of(ref->excitations, f).first;
    if (!sm_access_known(f->cell.structure))
        return 0;
    return activation_of(read_in_commits(f) ? ref->committed : ref->activations, &f->cell, f->value,
                         0);
}

/* What an instruction that traps reads is in no record. */
uint64_t fsim_first_activation(const struct reference *ref, const struct fsim_fault *f)
{
    uint64_t first = recorded_activation(ref, f);
    return first == FSIM_NEVER && ref->img->traps ? ref->cycles - 1 : first;
}

static void say_idle(struct fsim_result *out)
{
    if (out->first_activation == FSIM_NEVER && out->outcome == OUT_MASKED)
        snprintf(out->reason, sizeof out->reason, "not_activated");
}

void fsim_simulate(struct fsim_worker *w, const struct fsim_fault *f, struct fsim_result *out)
{
    const struct reference *ref = w->run.ref;
    if (ref->img->traps) {
        fsim_exhaustive(w, f, out);
        return;
    }
    bool own = ref->golden || read_in_commits(f); /* `first` is of the engine's own run */
    uint64_t first = fsim_first_activation(ref, f);
    struct attempt a = {.fault = f,
                        .permanent = true,
                        .inert = own && first == FSIM_NEVER,
                        .from = own && first != FSIM_NEVER ? first : 0,
                        .site = SITE_NONE};
    if (f->kind != FSIM_SA && first != FSIM_NEVER && ref->golden &&
        !sm_is_cache(f->cell.structure)) {
        struct excitation e = excitation_of(ref->excitations, f);
        a.from = e.from;
        a.latched = e.latched;
    }
    *out = (struct fsim_result){.first_activation = first};
    ladder_decide(w, &a, out);
    say_idle(out);
}

uint32_t fsim_simulate_register(struct fsim_worker *w, const struct sm_cell *of, int value,
                                uint32_t bits, struct fsim_result out[32])
{
    if (!w->follower || fsim_skips(w->run.ref, RUNG_FOLLOW) || of->structure != SM_S_rf ||
        w->run.ref->img->traps)
        return 0;
    struct sm_unit_place p = sm_unit_of(w->run.ref->img, of);
    uint32_t known = follow_held(w->follower, p.unit, __builtin_ctz(p.mask), value, bits, out);
    for (uint32_t left = known; left; left &= left - 1) {
        int b = __builtin_ctz(left);
        struct fsim_fault f = fsim_held(*of, value, 0, FSIM_NO_END);
        f.cell.bit = b;
        out[b].first_activation = fsim_first_activation(w->run.ref, &f);
    }
    return known;
}

void fsim_exhaustive(struct fsim_worker *w, const struct fsim_fault *f, struct fsim_result *out)
{
    const struct attempt a = {.fault = f, .permanent = true};
    *out = (struct fsim_result){.outcome = OUT_MASKED};
    ladder_brute_force(w, &a, out);
    out->first_activation = fsim_first_activation(w->run.ref, f);
    say_idle(out);
}
