/* transient.c -- decides what becomes of one upset. See transient.h.
 *
 * The walk: the touches of the cell say whether anybody reads it before it is written again; if not, it is masked
 * without a run. A flipped register is followed as a difference in data, from the instruction that reads it first. What
 * data alone cannot answer gets a machine: both run side by side from the reader on until they agree in all that the
 * future can depend on but data, and those are followed; or the faulty one runs to its end.
 */
#include "transient.h"

#include <stdio.h>
#include <string.h>

#include "worker.h"

/* The first read that may see the upset of one cell, and its sites if it is the earliest so far, or FSIM_NEVER: then *why says
 * what comes instead. What is held stays in the cell until a write behind the window. */
static uint64_t first_read(const struct touches *t, const struct upset *u,
                           const struct sm_cell *cell, struct transient_result *out,
                           enum tally_reason *why)
{
    uint64_t from = u->from;
    *why = REASON_IDLE;
    while (from < t->g->cycles) {
        struct touch_group g = touch_group_at(t, cell, from);
        if (g.end == GROUP_READ && g.to < out->r.first_activation) {
            out->site = g.site;
            out->writer = g.writer;
        }
        if (g.end == GROUP_READ)
            return g.to;
        if (g.end == GROUP_NOTHING)
            return FSIM_NEVER;
        *why = REASON_OVERWRITTEN;
        if (g.to >= u->to)
            return FSIM_NEVER;
        from = g.to + 1;
    }
    return FSIM_NEVER;
}

/* One flipped bit of the register file, as data. */
static bool follow_register(struct fsim_worker *w, const struct touches *t, const struct sm_cell *c,
                            uint32_t site, struct transient_result *out)
{
    struct sm_unit_place p = sm_unit_of(w->g->img, c);
    struct fsim_result r[32];
    if (w->lanes) {
        uint64_t first = out->r.first_activation;
        if (!lanes_flip(w->lanes, p.unit, __builtin_ctz(p.mask), site, 1u << c->bit, r))
            return false;
        out->r = r[c->bit];
        out->r.first_activation = first;
        return true;
    }
    if (!diff_start(&w->diff, w->g, t->site[site].cycle, p.unit, __builtin_ctz(p.mask),
                    1u << c->bit) ||
        !diff_follow(&w->diff, w->g, FSIM_NEVER))
        return false;
    worker_finish_by_data(w, &out->r);
    return true;
}

static void simulate_from(struct fsim_worker *w, const struct upset *u, struct fsim_result *out)
{
    uint64_t now = u->to;
    w->stat.runs++;
    golden_seek(w->g, w->golden, u->from);
    sm_copy(w->good, w->golden);
    sm_copy(w->bad, w->golden);
    upset_bring(w->bad, u);
    for (int misses = 0; misses < MAX_MISSES && u->to != UPSET_NO_END; misses++) {
        now += STRIDE;
        worker_run_both(w, now);
        if (sm_ended(w->bad) || sm_ended(w->good))
            break;
        if (sm_same_living(w->bad, w->good) && diff_collect(&w->diff, w->g, w->bad, w->good, now) &&
            diff_follow(&w->diff, w->g, FSIM_NEVER)) {
            worker_finish_by_data(w, out);
            return;
        }
    }
    worker_run_to_end(w, w->bad, true, out);
}

/* Several flips in active masks may leave a warp without a thread where one could not: touches do not tell. */
static bool masks_together(const struct sm_image *img, const struct upset *u)
{
    int mask = sm_structure_find(img, "mask");
    bool any = false;
    for (int i = 0; i < u->ncells; i++)
        any |= u->cell[i].structure == mask;
    return any && u->ncells > 1;
}

/* Whether the touches tell who reads all of its cells. */
static bool foreseeable(const struct touches *t, const struct upset *u)
{
    bool known = t != NULL;
    for (int i = 0; i < u->ncells; i++)
        known &= sm_access_known(u->cell[i].structure);
    return known;
}

void transient_foresee(const struct golden *g, const struct touches *t, const struct upset *u,
                       struct transient_result *out)
{
    *out = (struct transient_result){.r = {.first_activation = FSIM_NEVER},
                                     .why = REASON_LOGIC,
                                     .site = SITE_NONE,
                                     .writer = SITE_NONE};
    if (!foreseeable(t, u))
        return;
    enum tally_reason why = REASON_IDLE, each;
    for (int i = 0; i < u->ncells; i++) {
        uint64_t at = first_read(t, u, &u->cell[i], out, &each);
        why = each > why ? each : why;
        if (at < out->r.first_activation)
            out->r.first_activation = at;
    }
    if (out->r.first_activation == FSIM_NEVER && !masks_together(g->img, u))
        out->why = why;
}

void transient_judge(struct transient_result *out)
{
    static const char *const text[] = {"idle", "overwritten", "logically_masked"};
    if (out->r.outcome == OUT_MASKED)
        snprintf(out->r.reason, sizeof out->r.reason, "%s", text[out->why]);
    else
        out->why = out->r.outcome == OUT_PERFORMANCE ? REASON_LOGIC : REASON_FAILS;
}

/* A cell of a stack that is held to the end: the fault that worker_hold takes. */
static bool held_in_stack(const struct sm_image *img, const struct upset *u, struct fsim_fault *f)
{
    *f = (struct fsim_fault){u->cell[0], u->kind == UPSET_SA1};
    return u->to == UPSET_NO_END && u->ncells == 1 &&
           u->cell[0].structure == sm_structure_find(img, "dstack");
}

void transient_simulate(struct fsim_worker *w, const struct touches *t, const struct upset *u,
                        struct transient_result *out)
{
    struct upset now = *u;
    struct fsim_fault stuck;
    transient_foresee(w->g, t, u, out);
    if (out->why != REASON_LOGIC) {
        out->r.outcome = OUT_MASKED;
        out->r.end = w->g->cycles;
        transient_judge(out);
        return;
    }
    /* a single flip is the same fault anywhere in its group: at the read it needs the shortest run */
    bool single = foreseeable(t, u) && u->ncells == 1 && u->kind == UPSET_FLIP;
    if (single)
        now.from = now.to = out->r.first_activation;
    out->ran = true;
    struct sm_structure s;
    sm_structure_get(w->g->img, u->cell[0].structure, &s);
    if (held_in_stack(w->g->img, u, &stuck))
        out->ran = worker_hold(w, &stuck, u->from, &out->r);
    else if (!single || out->site == SITE_NONE || strcmp(s.name, "rf") != 0 ||
             !follow_register(w, t, &u->cell[0], out->site, out))
        simulate_from(w, &now, &out->r);
    w->bad->nforces = 0; /* what was held to the end */
    transient_judge(out);
}

void transient_exhaustive(struct fsim_worker *w, const struct touches *t, const struct upset *u,
                          struct transient_result *out)
{
    transient_foresee(w->g, t, u, out);
    out->ran = true;
    sm_copy(w->bad, w->g->checkpoint[0]);
    upset_bring(w->bad, u);
    w->stat.runs++;
    worker_run_to_end(w, w->bad, false, &out->r);
    w->bad->nforces = 0;
    transient_judge(out);
}
