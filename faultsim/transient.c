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

static void masked(struct transient_result *out, enum tally_reason why)
{
    static const char *const text[] = {"idle", "overwritten", "logically_masked"};
    out->r.outcome = OUT_MASKED;
    out->why = why;
    snprintf(out->r.reason, sizeof out->r.reason, "%s", text[why]);
}

void transient_judge(struct transient_result *out)
{
    out->why = out->r.outcome == OUT_MASKED || out->r.outcome == OUT_PERFORMANCE ? REASON_LOGIC
                                                                                 : REASON_FAILS;
}

/* The first read that may see the upset of one cell, or FSIM_NEVER: then *why says what comes instead. What is held
 * stays in the cell until a write behind the window. */
static uint64_t first_read(const struct touches *t, const struct upset *u,
                           const struct sm_cell *cell, uint32_t *site, enum tally_reason *why)
{
    uint64_t from = u->from;
    *why = REASON_IDLE;
    while (from < t->g->cycles) {
        struct touch_group g = touch_group_at(t, cell, from);
        *site = g.site;
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
    struct touch_place p = touch_place(w->g->img, c);
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
    uint64_t now = u->from;
    w->stat.runs++;
    golden_seek(w->g, w->golden, now);
    sm_copy(w->good, w->golden);
    sm_copy(w->bad, w->golden);
    w->good->nforces = 0;
    upset_bring(w->bad, u);
    now = u->to;
    for (int misses = 0; misses < MAX_MISSES; misses++) {
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

void transient_simulate(struct fsim_worker *w, const struct touches *t, const struct upset *u,
                        struct transient_result *out)
{
    struct upset now = *u;
    uint32_t site = SITE_NONE;
    *out = (struct transient_result){.r = {.first_activation = FSIM_NEVER, .end = w->g->cycles},
                                     .site = SITE_NONE};
    if (t) {
        enum tally_reason why = REASON_IDLE, each;
        uint64_t first = FSIM_NEVER;
        for (int i = 0; i < u->ncells; i++) {
            uint64_t at = first_read(t, u, &u->cell[i], &site, &each);
            why = each > why ? each : why;
            if (at < first) {
                first = at;
                out->site = site;
            }
        }
        if (first == FSIM_NEVER && !masks_together(w->g->img, u)) {
            masked(out, why);
            return;
        }
        out->r.first_activation = first;
        /* a single flip is the same fault anywhere in its group: at the read it needs the shortest run */
        if (u->ncells == 1 && u->kind == UPSET_FLIP)
            now.from = now.to = first;
    }
    out->ran = true;
    struct sm_structure s;
    sm_structure_get(w->g->img, u->cell[0].structure, &s);
    bool single = t && u->ncells == 1 && u->kind == UPSET_FLIP && out->site != SITE_NONE &&
                  strcmp(s.name, "rf") == 0;
    if (!single || !follow_register(w, t, &u->cell[0], out->site, out))
        simulate_from(w, &now, &out->r);
    transient_judge(out);
}

void transient_exhaustive(struct fsim_worker *w, const struct upset *u,
                          struct transient_result *out)
{
    *out = (struct transient_result){
        .r = {.first_activation = FSIM_NEVER}, .site = SITE_NONE, .ran = true};
    sm_copy(w->bad, w->g->checkpoint[0]);
    upset_bring(w->bad, u);
    w->stat.runs++;
    worker_run_to_end(w, w->bad, false, &out->r);
    transient_judge(out);
}
