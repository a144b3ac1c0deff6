/* single_sm_end.c -- a faulty SM without the others. See single_sm_end.h.
 *
 * It ends in one of four ways: it traps, and with it the job; it waits for ever, or comes back to a state,
 * and the job never ends; its blocks have ended in the last launch, and what it has stored tells the
 * outputs; or they have in an earlier one, before the launch would have ended without it: then it takes
 * its place among the others, and the chip goes on.
 */
#include "single_sm_end.h"

#include <stdlib.h>

#include "base/search.h"
#include "sm/memory/memory.h"

/* ---- the end of the launch ------------------------------------------------------------------- */

struct when { /* a slot, in the order of the chip */
    uint64_t cycle;
    int sm;
};

static struct when time_of(const struct flow *f, uint32_t event)
{
    const struct flow_event *e = &f->event[event];
    return (struct when){e->cycle, f->instance[e->instance].sm};
}

static bool comes_before(struct when a, struct when b)
{
    return a.cycle < b.cycle || (a.cycle == b.cycle && a.sm < b.sm);
}

/* What the SM leaves in the outputs behind the last launch. */
static void judge_words(const struct single_sm *l, struct outputs_verdict *out)
{
    const struct golden *g = l->g;
    struct outputs_word *left = NULL;
    uint32_t n = 0, room = 0;
    for (uint32_t i = 0, w; single_sm_word(l, UINT32_MAX, i, &w); i++) {
        struct outputs_word x = {.number = w};
        const uint8_t *golden = sm_memory_at(&g->end->memory, 4 * w);
        memcpy(&x.value, sm_memory_at(&l->m->memory, 4 * w), 4);
        if (memcmp(&x.value, golden, 4) == 0 || (i >= l->nstored && l->is_stored[w]))
            continue;
        l->is_stored[w] |= 2; /* a word of the golden run's comes once */
        FL_ROOM(left, n, room, 64);
        left[n++] = x;
    }
    outputs_judge(g->outputs, left, n, out);
    for (uint32_t i = 0; i < n; i++)
        l->is_stored[left[i].number] &= 1;
    free(left);
}

/* The chip in the cycle in which the launch ends, with this SM, which has ended before. False: it has not
 * there, or not here. */
static bool join(struct runner *r, struct single_sm *l, uint64_t cycle)
{
    const struct golden *g = l->g;
    struct gpu *bad = l->m;
    if (!l->golden)
        l->golden = gpu_new(g->img);
    golden_seek(g, l->golden, cycle);
    struct gpu *chip = l->golden;
    const struct sm *mine = &bad->sm[l->sm];
    if (chip->grid.launch != l->launch || !chip->sm[l->sm].s.deadlock || chip->sm[l->sm].s.live)
        return false;
    uint32_t now = FL_FIRST(e, 0, g->flow->nevents, g->flow->event[e].cycle >= cycle);
    struct gpu *whole = dut_gpu(r->saved); /* free as long as nothing runs */
    gpu_copy(whole, chip);
    sm_copy(&whole->sm[l->sm], mine);
    whole->channel[l->sm] = bad->channel[l->sm];
    for (uint32_t i = 0, w; single_sm_word(l, now, i, &w); i++) {
        const uint8_t *v = sm_memory_at(&bad->memory, 4 * w);
        if (memcmp(v, sm_memory_at(&whole->memory, 4 * w), 4) != 0)
            memcpy(sm_memory_writable(&whole->memory, 4 * w), v, 4);
    }
    uint32_t local = g->img->local_offset + (uint32_t)l->sm * g->img->local_bytes;
    for (uint32_t i = 0; i < g->img->local_bytes; i += SM_PAGE)
        memcpy(sm_memory_writable(&whole->memory, local + i), sm_memory_at(&bad->memory, local + i),
               SM_PAGE);
    single_sm_leave(l);
    gpu_copy(bad, whole);
    return true;
}

/* The SM has stood still since its last block ended, and with it the window: the chip has the rest of it, from the
 * end of the launch on. */
static void inject_rest(struct runner *r, const struct fsim_fault *u)
{
    struct fsim_fault rest[FSIM_CELLS];
    uint64_t now = dut_cycle(r->bad);
    if (!u || u->kind == FSIM_FLIP || u->to == FSIM_NO_END || u->to < now)
        return;
    memcpy(rest, u, u->cells * sizeof *u);
    rest->from = now;
    dut_inject(r->bad, rest);
}

/* All its blocks have ended. */
static bool end_of_launch(struct runner *r, struct single_sm *l, const struct fsim_fault *u,
                          unsigned how, struct fsim_result *out)
{
    const struct flow *f = l->g->flow;
    struct when mine = {l->ended_at, l->sm}, others = time_of(f, l->share->last_other);
    uint32_t last = l->s->event[l->share->first + l->share->count - 1];
    if (sm_share_is_last(l->s, l->launch)) {
        uint64_t cycles = 1 + (comes_before(mine, others) ? others : mine).cycle;
        struct outputs_verdict v;
        judge_words(l, &v);
        if (cycles > 2 * r->ref->cycles)
            run_say_never(RUN_TOO_LONG, out);
        else
            run_say_outputs(r->ref, &v, cycles, out);
        return true;
    }
    if (last > l->share->last_other || mine.cycle >= others.cycle || !join(r, l, others.cycle))
        return false;
    inject_rest(r, u);
    run_to_end(r, how, out);
    return true;
}

/* ---- the run --------------------------------------------------------------------------------- */

/* From checkpoint to checkpoint of the launch: is the machine the golden one again? */
static bool heals(struct runner *r, struct single_sm *l)
{
    const struct golden *g = l->g;
    uint64_t start = gpu_instructions(l->m), now = gpu_cycles(l->m);
    bool same = false;
    for (int i = FL_FIRST(k, 0, g->ncheckpoints, g->checkpoint_cycle[k] >= now);
         i < g->ncheckpoints && g->checkpoint[i]->grid.launch == l->launch && !same; i++) {
        if (gpu_ended(l->m))
            break;
        gpu_run(l->m, g->checkpoint_cycle[i] - 1);
        same = !l->strayed && single_sm_healed(l, g->checkpoint[i]);
    }
    r->stat.instructions += gpu_instructions(l->m) - start;
    return same;
}

bool single_sm_to_end(struct runner *r, struct single_sm *l, const struct fsim_fault *u,
                      unsigned how, struct fsim_result *out)
{
    bool known = true;
    if (how & MAY_HEAL && heals(r, l)) {
        run_say_outputs(r->ref, &(struct outputs_verdict){0}, r->ref->cycles, out);
        r->stat.single_sm++;
        single_sm_leave(l);
        return true;
    }
    enum run_end end = run_on(r, how & ~(unsigned)MAY_HEAL);
    if (l->strayed) {
        known = false;
    } else if (end != RUN_ENDED) {
        run_say_never(end, out);
    } else if (single_sm_over(l)) {
        known = end_of_launch(r, l, u, how, out);
    } else {
        const struct dut_end e = dut_end(r->bad); /* trapped, or waits for ever */
        run_say_end(r->ref, &e, out);
    }
    r->stat.single_sm += known;
    single_sm_leave(l);
    return known;
}
