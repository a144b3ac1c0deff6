/* follow.c -- the outcomes of 32 flips at once: follows them, judges what is left, runs groups
 * again that take another time. See follow.h; the parts are listed in internal.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "internal.h"

/* In each launch all blocks start before one of them ends: none waits for another's place. */
static bool all_at_once(const struct flow *f)
{
    uint64_t end =
        UINT64_MAX; /* the first one of the launch; blocks are in the order of their starts */
    for (uint32_t i = 0; i < f->nblocks; i++) {
        const struct run_block *b = &f->block[i];
        if (!i || b->launch != b[-1].launch)
            end = UINT64_MAX;
        if (b->from >= end)
            return false;
        end = b->to < end ? b->to : end;
    }
    return true;
}

struct follower *follower_new(const struct golden *g, struct runner *run, struct single_sm *single)
{
    struct follower *l = fl_alloc(sizeof *l);
    l->f = g->flow && !g->flow->incoherent ? g->flow : NULL;
    l->g = g;
    l->run = run;
    l->single = single;
    l->now = &l->divergences[0];
    if (!l->f)
        return l;
    l->retime = retime_new(g);
    l->scratch = gpu_new(g->img);
    l->warp = fl_alloc(sizeof *l->warp);
    l->word_at = fl_alloc((size_t)l->f->nwords * sizeof *l->word_at + 1);
    l->placed = all_at_once(l->f);
    return l;
}

void follower_free(struct follower *l)
{
    if (!l)
        return;
    retime_free(l->retime);
    gpu_free(l->scratch);
    free(l->warp);
    free(l->word);
    free(l->word_at);
    free(l->left);
    free(l->changed);
    free(l->divergences[0].item);
    free(l->divergences[1].item);
    for (int v = 0; v < COPIES; v++)
        free(l->back[v].item);
    for (int i = 0; l->ended && i < ENDED; i++)
        free(l->ended[i].item);
    free(l->ended);
    free(l);
}

void follow_statistics(const struct follower *l, struct follow_statistics *add_to)
{
    add_to->evaluated += l->evaluated;
    add_to->machines += l->machines;
    if (l->retime)
        retime_statistics(l->retime, &add_to->replays, &add_to->replayed);
}

/* ---- outcomes -------------------------------------------------------------------------------- */

/* Shared and local words that differ at the end are forgotten like registers. */
static void end_words(struct follower *l)
{
    const struct flow *f = l->f;
    uint32_t global = l->g->img->const_offset / 4;
    for (uint32_t i = 0; i < l->nwords; i++) {
        if (l->word[i].number >= global && (f->stale[STALE_SHARED] || f->stale[STALE_LOCAL]))
            lose(l, l->word[i].mask);
    }
}

static void judge_outputs(struct follower *l, int v, struct outputs_verdict *out)
{
    uint32_t n = 0, global = l->g->img->const_offset / 4;
    for (uint32_t i = 0; i < l->nwords; i++) {
        if (!(l->word[i].mask >> v & 1) || l->word[i].number >= global)
            continue;
        FL_ROOM(l->left, n, l->left_room, MAX_WORDS);
        l->left[n++] = (struct outputs_word){l->word[i].number, l->word[i].x.v[v]};
    }
    outputs_judge(l->g->outputs, l->left, n, out);
}

struct verdicts { /* of the copies in `known`, as far as data go */
    uint32_t known, crashed, diverged, sensitive;
    struct outputs_verdict outputs[COPIES];
    uint32_t stop_event[COPIES];
    enum sm_trap trap[COPIES];
    const struct divergences *divergences;
};

static void judge(struct follower *l, struct verdicts *out)
{
    if (l->f->ends)
        end_words(l);
    out->known = l->alive | l->crashed | l->diverged;
    out->crashed = l->crashed;
    out->diverged = l->diverged;
    out->sensitive = l->sensitive;
    for (uint32_t left = l->alive; left; left &= left - 1) {
        struct outputs_verdict *v = &out->outputs[__builtin_ctz(left)];
        *v = (struct outputs_verdict){0};
        if (l->f->ends) /* else whoever still differs goes on */
            judge_outputs(l, __builtin_ctz(left), v);
    }
    out->divergences = l->now;
    memcpy(out->stop_event, l->stop_event, sizeof out->stop_event);
    memcpy(out->trap, l->trap, sizeof out->trap);
}

static void set_outcome(const struct follower *l, const struct verdicts *x, int v, uint64_t cycle,
                        struct fsim_result *r)
{
    r->end = cycle;
    if (x->crashed >> v & 1) {
        r->outcome = OUT_CRASH;
        r->end = cycle + 1; /* behind the last effect */
        snprintf(r->reason, sizeof r->reason, "%s", sm_trap_name(x->trap[v]));
    } else {
        run_say_outputs(l->run->ref, &x->outputs[v], cycle, r);
    }
}

/* ---- copies that take another time --------------------------------------------------------- */

/* The costs of copy v, in ascending order of events. */
static uint32_t costs_of(const struct cost *cost, uint32_t ncosts, int v, struct retime_cost *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ncosts; i++)
        if (cost[i].mask >> v & 1) {
            struct retime_cost c = {cost[i].event, cost[i].cost};
            uint32_t at = n++;
            for (; at && out[at - 1].event > c.event; at--)
                out[at] = out[at - 1];
            out[at] = c;
        }
    return n;
}

/* Copies of `among` with exactly the costs of copy v. */
static uint32_t like(const struct cost *cost, uint32_t ncosts, int v, uint32_t among)
{
    for (uint32_t i = 0; i < ncosts; i++)
        among &= cost[i].mask >> v & 1 ? cost[i].mask : ~cost[i].mask;
    return among;
}

static uint32_t stop_of(const struct verdicts *x, int v)
{
    return (x->crashed | x->diverged) >> v & 1 ? x->stop_event[v] : FLOW_NONE;
}

/* The copies of `group` once more, in the order in which things happen with these costs: those
 * that come to the same costs. */
static uint32_t follow_again(struct follower *l, const struct subject *of, uint32_t group,
                             const uint32_t *order, const struct retime_cost *cost, uint32_t n,
                             uint32_t stop, struct verdicts *x)
{
    struct retime_cost *again = fl_alloc(MAX_COSTS * sizeof *again);
    l->order = order;
    l->now = &l->divergences[1];
    follow_walk(l, of, group);
    judge(l, x);
    l->now = &l->divergences[0];
    l->order = NULL;
    group &= x->known;
    for (int v = 0; v < COPIES; v++) {
        if (!(group >> v & 1))
            continue;
        uint32_t m = costs_of(l->cost, l->ncosts, v, again);
        if (m != n || stop_of(x, v) != stop || memcmp(again, cost, n * sizeof *cost) != 0)
            group &= ~lane_bit[v];
    }
    free(again);
    return group;
}

/* Copies that take the same time, which is not the golden run's. Returns those whose outcome is
 * known. */
static uint32_t answer_late(struct follower *l, const struct subject *of,
                            const struct verdicts *first, uint32_t group,
                            const struct retime_cost *cost, uint32_t n, uint32_t stop,
                            struct fsim_result out[COPIES])
{
    struct verdicts x = *first;
    const uint32_t *order;
    uint64_t cycle;
    bool sensitive = first->sensitive & group;
    if (!sensitive && (group & x.diverged))
        return follow_run_diverged(l, x.divergences, group, cost, n, out);
    if (!retime_run(l->retime, cost, n, stop, &cycle, sensitive ? &order : NULL))
        return 0;
    if (sensitive)
        group = follow_again(l, of, group, order, cost, n, stop, &x);
    if (group & x.diverged)
        return follow_run_diverged(l, x.divergences, group & x.diverged, cost, n, out);
    for (int v = 0; v < COPIES; v++)
        if (group >> v & 1)
            set_outcome(l, &x, v, cycle, &out[v]);
    return group;
}

static uint32_t answer(struct follower *l, const struct subject *of, uint32_t bits,
                       struct fsim_result out[COPIES])
{
    struct verdicts x;
    uint32_t known, late = 0, left;
    if (!l->f)
        return 0;
    follow_walk(l, of, bits);
    judge(l, &x);
    for (uint32_t i = 0; i < l->ncosts; i++)
        late |= l->cost[i].mask;
    known = x.known & ~late & ~x.diverged;
    for (left = x.known; left; left &= left - 1) {
        int v = __builtin_ctz(left);
        out[v] = (struct fsim_result){.first_activation = FSIM_NEVER};
        if (known >> v & 1)
            set_outcome(l, &x, v,
                        x.crashed >> v & 1 ? l->f->event[x.stop_event[v]].cycle : l->g->cycles,
                        &out[v]);
    }
    if (l->g->img->caches.any) /* what hits decides what an access costs, and no replay knows it */
        return known;
    if (x.diverged & ~late)
        known |= follow_run_diverged(l, x.divergences, x.diverged & ~late, NULL, 0, out);
    left = x.known & late;
    if (!left || (of->held && !l->placed)) /* another block may come to own the register */
        return known;
    uint32_t ncosts = l->ncosts;
    struct cost *cost = fl_alloc(ncosts * sizeof *cost);
    struct retime_cost *one = fl_alloc(ncosts * sizeof *one);
    memcpy(cost, l->cost, ncosts * sizeof *cost);
    while (left) {
        int v = __builtin_ctz(left);
        uint32_t stop = stop_of(&x, v),
                 group = like(cost, ncosts, v,
                              left & (x.diverged >> v & 1 ? x.diverged : ~x.diverged));
        for (int i = 0; i < COPIES; i++)
            if ((group >> i & 1) && stop_of(&x, i) != stop)
                group &= ~lane_bit[i];
        left &= ~group;
        uint32_t n = costs_of(cost, ncosts, v, one);
        known |= answer_late(l, of, &x, group, one, n, stop, out);
    }
    free(cost);
    free(one);
    return known;
}

enum { RETURNS = 32 }; /* of a machine, at most */

uint32_t follow_flips(struct follower *l, uint32_t row, int lane, uint32_t site, uint32_t bits,
                      struct fsim_result out[COPIES])
{
    l->returned = 0;
    l->returns = COPIES;
    uint32_t known = answer(l, &(struct subject){.row = row, .lane = lane, .site = site}, bits,
                            out);
    for (uint32_t left = l->returned; left; left &= left - 1) {
        const int v = __builtin_ctz(left);
        struct follow_passage p = l->back[v];
        l->back[v] = (struct follow_passage){0};
        if (follow_pass(l, &p, &out[v]) == PASSED_KNOWN && follow_confirm(l->f, &p))
            known |= lane_bit[v];
        free(p.item);
    }
    return known;
}

/* Whether its line in the L1 holds the word alone, from the event that reads it to its end: nobody else stores a part
 * of it or reads it another way. `until` becomes FSIM_NEVER where a store puts the word right in both. */
static bool is_followed(const struct flow *f, struct subject *x)
{
    const struct flow_chain *c = &f->chain[x->word];
    const struct flow_write *w = &f->write[c->write];
    const uint32_t *r = &f->read[c->read];
    uint32_t end = FL_FIRST(i, 0, f->nevents, f->event[i].cycle >= x->until), behind = end;
    while (behind < f->nevents && f->event[behind].cycle == x->until)
        behind++;
    for (uint32_t i = FL_FIRST(k, 0, c->reads, r[k] >= x->site); i < c->reads && r[i] < behind; i++)
        if (r[i] >= end || !f->event[r[i]].uop || f->event[r[i]].uop->unit != UNIT_LOAD)
            return false;
    uint32_t i = FL_FIRST(k, 0, c->writes, w[k].event >= x->site);
    if (i == c->writes || w[i].event >= behind)
        return x->site > 0;
    const struct flow_event *e = &f->event[w[i].event];
    x->until = FSIM_NEVER;
    return x->site > 0 && w[i].event < end && w[i].event > x->site && e->uop &&
           e->uop->unit == UNIT_STORE && isa_type_bytes(e->uop->in.dst.type) >= 4;
}

uint32_t follow_flips_in_cache(struct follower *l, uint32_t word, uint32_t site, uint64_t until,
                               struct fsim_result out[COPIES])
{
    struct subject x = {.cached = true, .word = word, .site = site, .until = until};
    return l->f && is_followed(l->f, &x) ? answer(l, &x, ~0u, out) : 0;
}

uint32_t follow_held(struct follower *l, uint32_t row, int lane, int value, uint32_t bits,
                     struct fsim_result out[COPIES])
{
    struct subject held = {.row = row, .lane = lane, .held = true, .value = value};
    return answer(l, &held, bits, out);
}

/* ---- segment after segment --------------------------------------------------------------------- */

static void keep_item(struct follow_passage *p, struct follow_item x)
{
    FL_ROOM(p->item, p->items, p->room, 16);
    p->item[p->items++] = x;
}

/* What differs in the copy at the end of the segment. */
static void keep_rest(const struct follower *l, struct follow_passage *p)
{
    p->items = 0;
    for (uint32_t i = 0; i < l->ntracks; i++)
        for (uint32_t k = 0; k < l->track[i].n; k++) {
            const struct place *x = &l->track[i].place[k];
            if (x->mask >> p->bit & 1)
                keep_item(p, (struct follow_item){l->track[i].instance, x->place, x->lane,
                                                  x->x.v[p->bit]});
        }
    for (uint32_t i = 0; i < l->nwords; i++)
        if (l->word[i].mask >> p->bit & 1)
            keep_item(
                p, (struct follow_item){FLOW_NONE, l->word[i].number, 0, l->word[i].x.v[p->bit]});
}

/* Of the copy, which takes another time in this segment: its outcome, or the cycles that it is late behind it. */
static bool pass_late(struct follower *l, const struct subject *of, struct follow_passage *p,
                      struct verdicts *x, struct fsim_result out[COPIES])
{
    const uint32_t mask = lane_bit[p->bit], stop = stop_of(x, (int)p->bit);
    struct retime_cost *one = fl_alloc(l->ncosts * sizeof *one);
    const uint32_t n = costs_of(l->cost, l->ncosts, (int)p->bit, one), *order;
    uint64_t cycle;
    const bool sensitive = x->sensitive & mask;
    bool known = retime_run(l->retime, one, n, stop, &cycle, sensitive ? &order : NULL) &&
                 (!sensitive || follow_again(l, of, mask, order, one, n, stop, x));
    p->late = true;
    if (known && x->diverged & mask)
        known = follow_run_diverged(l, x->divergences, mask, one, n, out);
    else if (known && x->crashed & mask)
        set_outcome(l, x, (int)p->bit, cycle + (uint64_t)p->delay, &out[p->bit]);
    else if (known)
        p->delay += (int64_t)(cycle - l->g->cycles);
    free(one);
    return known;
}

enum { PASSES_AGAIN = PASSED_UNKNOWN + 1 };

/* From where its machine came back to the control of the fault-free run. */
static int go_on(struct follower *l, struct follow_passage *p)
{
    struct follow_passage *back = &l->back[p->bit];
    struct follow_item *item = p->item;
    const uint32_t room = p->room;
    p->item = back->item;
    p->items = back->items;
    p->room = back->room;
    p->from = back->from;
    p->delay = back->delay;
    p->late |= back->late;
    p->diverged = p->left_behind = true;
    for (int k = 0; k < STALE_KINDS; k++)
        p->forgot[k] = back->forgot[k] < p->forgot[k] ? back->forgot[k] : p->forgot[k];
    *back = (struct follow_passage){.item = item, .room = room};
    return PASSES_AGAIN;
}

/* Once, up to the end of the segment or to where it diverges. */
static int pass(struct follower *l, struct follow_passage *p, struct fsim_result *out)
{
    struct subject of = {.row = p->row, .lane = p->lane, .site = p->event - l->f->before};
    const uint32_t mask = lane_bit[p->bit];
    const int v = (int)p->bit;
    struct fsim_result room[COPIES];
    struct verdicts x;
    bool late = false;
    of.carried = p->started ? p : NULL;
    p->started = true;
    follow_walk(l, &of, mask);
    judge(l, &x);
    p->left_behind |= (l->left_behind & mask) != 0;
    for (uint32_t i = 0; i < l->ncosts; i++)
        late |= l->cost[i].mask & mask;
    room[v] = (struct fsim_result){.first_activation = FSIM_NEVER};
    if (!(x.known & mask) || ((x.diverged & mask) && p->delay))
        return PASSED_UNKNOWN;
    if (late ? !pass_late(l, &of, p, &x, room)
             : x.diverged & mask && !follow_run_diverged(l, x.divergences, mask, NULL, 0, room))
        return l->returned & mask ? go_on(l, p) : PASSED_UNKNOWN;
    for (int k = 0; k < STALE_KINDS; k++)
        p->forgot[k] = l->forgot[k] < p->forgot[k] ? l->forgot[k] : p->forgot[k];
    const uint64_t cycles = l->g->cycles + (uint64_t)p->delay;
    if (x.diverged & mask) {
        p->diverged = true;
    } else if (x.crashed & mask) {
        if (!late)
            set_outcome(l, &x, v, l->f->event[x.stop_event[v]].cycle + (uint64_t)p->delay,
                        &room[v]);
    } else {
        keep_rest(l, p);
        p->from = 0;
        if (p->items && !l->f->ends && cycles <= 2 * l->g->cycles)
            return PASSES_ON;
        set_outcome(l, &x, v, cycles, &room[v]);
    }
    *out = room[v];
    return out->end != FSIM_NEVER && out->end > 2 * l->g->cycles ? PASSED_UNKNOWN : PASSED_KNOWN;
}

enum follow_passed follow_pass(struct follower *l, struct follow_passage *p,
                               struct fsim_result *out)
{
    int state;
    l->returns = RETURNS;
    do {
        l->returned = 0;
        state = pass(l, p, out);
    } while (state == PASSES_AGAIN);
    return (enum follow_passed)state;
}

bool follow_confirm(const struct flow *f, const struct follow_passage *p)
{
    bool good = !(p->late && (f->clock || f->physid || f->uninitialised)) &&
                !(p->diverged && f->uninitialised);
    for (int k = 0; k < STALE_KINDS; k++)
        good = good && f->stale[k] <= p->forgot[k];
    return good;
}
