/* transient.c -- the outcome of one transient or intermittent fault. See transient.h.
 *
 * The faulty machine gets the fault at the start of its first cycle, whatever it is doing: who sees it is up to the
 * machine. It ends early when its state is the fault-free one again.
 */
#include "transient.h"

#include <stdio.h>

#include "ladder.h"

/* What a cache writes, it may read in the same cycle, and finds what is held there. */
static bool held_behind(const struct fsim_fault *u, const struct sm_cell *cell, uint64_t written)
{
    return u->kind != FSIM_FLIP && sm_is_cache(cell->structure) && written <= u->to;
}

/* The first read that may see the fault in one cell, and its sites if it is the earliest so far, or
 * FSIM_NEVER: then *why says what comes instead. What is held stays in the cell until a write
 * behind the window. */
static uint64_t first_read(const struct accesses *t, const struct fsim_fault *u,
                           const struct sm_cell *cell, struct transient_result *out,
                           enum tally_reason *why)
{
    uint64_t from = u->from;
    *why = REASON_IDLE;
    while (from < t->g->cycles) {
        struct access_class g = access_class_at(t, cell, from);
        if (g.end == CLASS_READ && g.to < out->r.first_activation) {
            out->site = g.site;
            out->writer = g.writer;
        }
        if (g.end == CLASS_READ || (g.end == CLASS_WRITE && held_behind(u, cell, g.to)))
            return g.to;
        if (g.end == CLASS_NOTHING)
            return FSIM_NEVER;
        *why = REASON_OVERWRITTEN;
        if (g.to >= u->to)
            return FSIM_NEVER;
        from = g.to + 1;
    }
    return FSIM_NEVER;
}

/* Several flips in active masks may leave a warp without a thread where one could not: accesses do
 * not tell. */
static bool masks_together(const struct fsim_fault *u)
{
    bool any = false;
    for (int i = 0; i < u->cells; i++)
        any |= u[i].cell.structure == SM_S_mask;
    return any && u->cells > 1;
}

/* A read of a cache tells of cells that matter one by one: two of a tag together may make it another that is
 * looked up. */
static bool caches_together(const struct fsim_fault *u)
{
    bool any = false;
    for (int i = 0; i < u->cells; i++)
        any |= sm_is_cache(u[i].cell.structure);
    return any && u->cells > 1;
}

/* Whether the accesses tell who reads all of its cells. */
static bool foreseeable(const struct accesses *t, const struct fsim_fault *u)
{
    bool known = t != NULL;
    for (int i = 0; i < u->cells; i++)
        known &= sm_access_known(u[i].cell.structure);
    return known;
}

/* What the accesses tell, `why` being that of a masked fault. */
static void foresee(const struct accesses *t, const struct fsim_fault *u,
                    struct transient_result *out)
{
    *out = (struct transient_result){.r = {.first_activation = FSIM_NEVER},
                                     .why = REASON_LOGIC,
                                     .site = SITE_NONE,
                                     .writer = SITE_NONE};
    if (!foreseeable(t, u))
        return;
    enum tally_reason why = REASON_IDLE, each;
    for (int i = 0; i < u->cells; i++) {
        uint64_t at = first_read(t, u, &u[i].cell, out, &each);
        why = each > why ? each : why;
        if (at < out->r.first_activation)
            out->r.first_activation = at;
    }
    if (out->r.first_activation == FSIM_NEVER && !masks_together(u) && !caches_together(u))
        out->why = why;
}

void transient_judge(struct transient_result *out)
{
    static const char *const text[] = {"idle", "overwritten", "logically_masked"};
    if (out->r.outcome == OUT_MASKED)
        snprintf(out->r.reason, sizeof out->r.reason, "%s", text[out->why]);
    else
        out->why = fsim_outcome_fails(out->r.outcome) ? REASON_FAILS : REASON_LOGIC;
}

bool transient_is_read(const struct accesses *t, const struct fsim_fault *u)
{
    struct transient_result r;
    foresee(t, u, &r);
    return r.why == REASON_LOGIC;
}

bool transient_passage(const struct accesses *t, const struct fsim_fault *u,
                       struct follow_passage *out)
{
    struct transient_result r;
    if (u->cells != 1 || u->kind != FSIM_FLIP || u->cell.structure != SM_S_rf)
        return false;
    foresee(t, u, &r);
    if (r.r.first_activation == FSIM_NEVER || r.site == SITE_NONE)
        return false;
    struct sm_unit_place p = sm_unit_of(t->g->img, &u->cell);
    *out = (struct follow_passage){.row = p.unit,
                                   .lane = __builtin_ctz(p.mask),
                                   .bit = (uint32_t)u->cell.bit,
                                   .event = t->site[r.site].event};
    return true;
}

void transient_simulate(struct fsim_worker *w, const struct accesses *t, const struct fsim_fault *u,
                        struct transient_result *out)
{
    const bool records = w->run.ref->golden;
    struct fsim_fault at_read = *u;
    struct attempt a = {.fault = u, .from = u->from, .accesses = t, .site = SITE_NONE};
    foresee(t, u, out);
    a.inert = records && out->why != REASON_LOGIC;
    /* a single flip is the same fault anywhere in its group: at the read it needs the shortest
     * run */
    if (records && u->cells == 1 && u->kind == FSIM_FLIP && out->r.first_activation != FSIM_NEVER) {
        a.from = at_read.from = at_read.to = out->r.first_activation;
        a.fault = &at_read;
        a.site = out->site;
    }
    out->ran = ladder_decide(w, &a, &out->r) > RUNG_RECORD;
    transient_judge(out);
}

uint32_t transient_simulate_register(struct fsim_worker *w, uint32_t row, int lane, uint32_t event,
                                     uint32_t bits, struct fsim_result out[32])
{
    if (!w->follower || fsim_skips(w->run.ref, RUNG_FOLLOW))
        return 0;
    return follow_flips(w->follower, row, lane, event, bits, out);
}

void transient_exhaustive(struct fsim_worker *w, const struct accesses *t,
                          const struct fsim_fault *u, struct transient_result *out)
{
    const struct attempt a = {.fault = u};
    foresee(t, u, out);
    out->ran = true;
    ladder_brute_force(w, &a, &out->r);
    transient_judge(out);
}
