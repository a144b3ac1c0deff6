/* exact.c -- every flip of every bit in every cycle, by groups.
 *
 * The accesses of a bit cut the job into groups of cycles in which its flips are one fault. A group
 * that ends in a write, or in nothing, is masked. One that ends in a read is decided once, at the
 * read, and stands for all its cycles. In structures by rows the bits of a lane's word share their
 * groups.
 *
 * A unit of work is a stretch of the line of plan.h: of a group of several bits it may have some
 * only.
 */
#include <stdlib.h>
#include <string.h>

#include "plan.h"

/* A group that ends in a read; in structures by rows it stands for all bits of the lane's word, or
 * of its half. */
struct reading {
    struct access_class group;
    uint32_t unit;
    int index; /* lane, or bit */
    int bit0, bits;
};

struct exact {
    struct avf_task *k;
    struct plan_place from, to; /* places in [from, to) */
    int bits_of_word;           /* by rows */
    bool rows, owners, rf;
    bool stopped; /* a program was to be asked, and was not */
    struct reading *reading;
    size_t count, room;
    uint32_t units; /* of an SM */
    uint32_t unit;  /* that is walked, and when blocks owned it */
    uint64_t (*span)[2];
    int nspans, span_room;
};

/* ---- counting -------------------------------------------------------------------------------- */

static void find_owners(struct exact *x, uint32_t unit)
{
    const struct residence *r = x->k->ctx->g->residence;
    x->unit = unit;
    x->nspans = 0;
    for (uint32_t b = 0; x->owners && b < r->nblocks; b++) {
        struct run_span s = residence_span(r, x->k->structure, &r->block[b]);
        if (unit - s.first >= s.count)
            continue;
        FL_ROOM(x->span, x->nspans, x->span_room, 16);
        x->span[x->nspans][0] = r->block[b].from;
        x->span[x->nspans++][1] = r->block[b].to;
    }
}

/* The tallies of a launch that count it: of the whole machine and, where SMs have their own, of the unit's. */
static int tallies(const struct exact *x, uint32_t unit, int launch, struct tally *out[2])
{
    out[0] = &x->k->found->tally[launch];
    out[1] = store_found_sm(x->k->found, (int)(unit / x->units), launch);
    return out[1] ? 2 : 1;
}

/* Cycles of [from, to) in which a block owned the unit; spreads them too when `spread` is given. */
static uint64_t owned_cycles(const struct exact *x, uint64_t from, uint64_t to, uint64_t weight,
                             uint64_t *spread)
{
    uint64_t n = 0;
    if (!x->owners) {
        if (spread)
            timeline_spread(&x->k->ctx->facts.timeline, from, to, weight, spread);
        return to - from;
    }
    for (int i = 0; i < x->nspans; i++) {
        uint64_t a = x->span[i][0] > from ? x->span[i][0] : from;
        uint64_t b = x->span[i][1] < to ? x->span[i][1] : to;
        if (a >= b)
            continue;
        n += b - a;
        if (spread)
            timeline_spread(&x->k->ctx->facts.timeline, a, b, weight, spread);
    }
    return n;
}

/* `bits` flips in each cycle of the group came out so. */
static void count(struct exact *x, const struct access_class *g, uint64_t bits, enum fsim_outcome o,
                  enum tally_reason why)
{
    struct store_found *f = x->k->found;
    struct context_piece p;
    bool fails = why == REASON_FAILS;
    uint64_t all = 0;
    for (uint64_t from = g->from; context_piece(x->k->ctx, &from, g->to, &p);) {
        struct tally *t[2];
        int n = tallies(x, x->unit, p.launch, t);
        uint64_t weight = bits * (p.to - p.from);
        all += weight;
        if (o != OUT_MASKED)
            timeline_spread(&x->k->ctx->facts.timeline, p.from, p.to, bits,
                            &f->moment[0].outcome[o]);
        uint64_t owned = owned_cycles(x, p.from, p.to, bits,
                                      fails ? &f->moment[0].owned_failed : NULL);
        for (int i = 0; i < n; i++) {
            t[i]->counted += weight;
            t[i]->outcome[o] += weight;
            t[i]->reason[why] += weight;
            t[i]->owned_counted += bits * owned;
            t[i]->owned_failed += fails ? bits * owned : 0;
        }
    }
    for (int role = 0; g->end == CLASS_READ && role < SITE_ROLES; role++)
        context_count_site(x->k->ctx, &f->sites, (enum site_role)role,
                           role == SITE_READER ? g->site : g->writer, x->rf ? (int)x->unit : -1, o,
                           all);
}

/* So wrong are the outputs of a bit's flips in each cycle of the group. */
static void count_wrong(struct exact *x, const struct access_class *g, const struct fsim_result *r)
{
    struct context_piece p;
    struct tally *t[2];
    for (uint64_t from = g->from; context_piece(x->k->ctx, &from, g->to, &p);)
        for (int i = 0, n = tallies(x, x->unit, p.launch, t); i < n; i++)
            tally_wrong(t[i], r->elements, r->unwritten, r->by, &r->anatomy, p.to - p.from);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void add_reading(struct exact *x, const struct reading *r)
{
    FL_ROOM(x->reading, x->count, x->room, 1024);
    x->reading[x->count++] = *r;
}

static bool in_window(const struct job_context *l, const struct access_class *g)
{
    return g->from < l->to && g->to >= l->from;
}

/* The bits of [*bit0, *bit0 + *bits) whose groups end there and are in this unit of work; false
 * without any. */
static bool in_reach(const struct exact *x, struct plan_place at, int *bit0, int *bits)
{
    int end = *bit0 + *bits;
    at.bit = x->from.bit;
    if (plan_compare(&at, &x->from) < 0)
        return false;
    if (plan_compare(&at, &x->from) == 0 && *bit0 < x->from.bit)
        *bit0 = x->from.bit;
    at.bit = x->to.bit;
    if (plan_compare(&at, &x->to) > 0)
        return false;
    if (plan_compare(&at, &x->to) == 0 && end > x->to.bit)
        end = x->to.bit;
    *bits = end - *bit0;
    return *bits > 0;
}

/* The groups of some bits that share them. */
static void walk(struct exact *x, uint32_t unit, int index, int bit0, int bits, uint8_t part)
{
    const struct job_context *l = x->k->ctx;
    struct access_walk w;
    struct access_class g;
    access_walk_start(&w, l->t, x->k->structure, (struct sm_unit_place){unit, 1u << index, part});
    if (unit == x->from.unit)
        access_walk_seek(&w, x->from.cycle);
    while (access_walk_next(&w, &g)) {
        struct plan_place at = {.cycle = g.to, .unit = unit, .index = (uint8_t)index};
        int first = bit0, n = bits;
        if (unit == x->to.unit && g.to > x->to.cycle)
            break;
        if (!in_window(l, &g) || !in_reach(x, at, &first, &n))
            continue;
        struct tally *t[2];
        int launch = context_launch(l, g.to < l->to ? g.to : l->to - 1);
        for (int i = 0, of = tallies(x, unit, launch, t); i < of; i++)
            t[i]->groups += (uint64_t)n;
        if (g.end == CLASS_READ)
            add_reading(x, &(struct reading){g, unit, index, first, n});
        else
            count(x, &g, (uint64_t)n, OUT_MASKED,
                  g.end == CLASS_WRITE ? REASON_OVERWRITTEN : REASON_IDLE);
    }
}

static void walk_unit(struct exact *x, uint32_t unit)
{
    const struct access_structure *s = &x->k->ctx->t->s[x->k->structure];
    const struct access_unit *u = &s->unit[unit];
    if (!x->rows) {
        for (int b = 0; b < x->bits_of_word; b++)
            walk(x, unit, b, 0, 1, ACCESS_WHOLE);
        return;
    }
    bool halves = false;
    for (uint32_t i = 0; i < u->count; i++)
        halves |= s->access[u->first + i].part != ACCESS_WHOLE;
    for (int lane = 0; lane < SM_LANES; lane++) {
        if (!halves) {
            walk(x, unit, lane, 0, x->bits_of_word, ACCESS_WHOLE);
            continue;
        }
        walk(x, unit, lane, 0, 16, ACCESS_LOW_HALF);
        walk(x, unit, lane, 16, x->bits_of_word - 16, ACCESS_HIGH_HALF);
    }
}

static int by_cycle(const void *a, const void *b)
{
    const struct reading *x = a, *y = b;
    if (x->group.to != y->group.to)
        return x->group.to < y->group.to ? -1 : 1;
    if (x->unit != y->unit)
        return x->unit < y->unit ? -1 : 1;
    return x->index != y->index ? (x->index > y->index) - (x->index < y->index)
                                : (x->bit0 > y->bit0) - (x->bit0 < y->bit0);
}

static struct fsim_fault flip_of(const struct exact *x, uint32_t unit, int index, int bit,
                                 uint64_t cycle)
{
    return fsim_flip(sm_unit_cell(x->k->ctx->img, x->k->structure, unit, index, bit), cycle);
}

static bool ask_program(struct exact *x, struct fsim_fault u, struct transient_result *out)
{
    if (!x->stopped)
        x->stopped = !avf_ask_program(x->k, &u, out);
    return !x->stopped;
}

/* Decides the flips of a group, and counts them by outcome. */
static void decide(struct exact *x, const struct reading *r)
{
    uint64_t bits[OUT_COUNT] = {0}, runs = 0;
    struct fsim_result at_once[32];
    uint32_t known = 0, all = r->bits == 32 ? ~0u : ((1u << r->bits) - 1) << r->bit0;
    if (x->rf && r->group.site != SITE_NONE)
        known = transient_simulate_register(x->k->worker, r->unit, r->index,
                                            x->k->ctx->t->site[r->group.site].event, all, at_once);
    for (int b = r->bit0; b < r->bit0 + r->bits; b++) {
        struct transient_result out;
        if (known >> b & 1) {
            out = (struct transient_result){.r = at_once[b], .why = REASON_LOGIC, .ran = true};
        } else {
            struct fsim_fault u = flip_of(x, r->unit, r->index, b, r->group.to);
            transient_simulate(x->k->worker, x->k->ctx->t, &u, &out);
        }
        if (!ask_program(x, flip_of(x, r->unit, r->index, b, r->group.to), &out))
            return;
        bits[out.r.outcome]++;
        runs += out.ran;
        if (out.r.outcome == OUT_SDC)
            count_wrong(x, &r->group, &out.r);
    }
    const struct job_context *l = x->k->ctx;
    uint64_t last = r->group.to < l->to ? r->group.to : l->to - 1;
    struct tally *t[2];
    for (int i = 0, n = tallies(x, r->unit, context_launch(l, last), t); i < n; i++)
        t[i]->runs += runs;
    for (int o = 0; o < OUT_COUNT; o++)
        if (bits[o])
            count(x, &r->group, bits[o], (enum fsim_outcome)o,
                  fsim_outcome_fails((enum fsim_outcome)o) ? REASON_FAILS : REASON_LOGIC);
}

/* Brute force: each cycle of each bit is a run of its own, and no group is believed. */
static void every_cycle(struct exact *x, uint32_t unit)
{
    const struct job_context *l = x->k->ctx;
    int lanes = x->rows ? SM_LANES : 1;
    uint64_t from = unit == x->from.unit && x->from.cycle > l->from ? x->from.cycle : l->from;
    uint64_t to = unit == x->to.unit && x->to.cycle < l->to ? x->to.cycle : l->to;
    for (int lane = 0; lane < lanes; lane++)
        for (int b = 0; b < x->bits_of_word; b++)
            for (uint64_t cycle = from; cycle < to; cycle++) {
                struct fsim_fault u = flip_of(x, unit, x->rows ? lane : b, b, cycle);
                struct transient_result out;
                transient_exhaustive(x->k->worker, l->recorded ? l->t : NULL, &u, &out);
                if (!ask_program(x, u, &out))
                    return;
                struct access_class g = {cycle, cycle, CLASS_NOTHING, SITE_NONE, SITE_NONE};
                count(x, &g, 1, out.r.outcome, out.why);
                if (out.r.outcome == OUT_SDC)
                    count_wrong(x, &g, &out.r);
                struct tally *t[2];
                for (int i = 0, n = tallies(x, unit, context_launch(l, cycle), t); i < n; i++)
                    t[i]->runs++;
            }
}

static void prepare(struct exact *x, struct avf_task *k, uint64_t number)
{
    struct sm_structure s;
    sm_structure_get(k->ctx->img, k->structure, &s);
    *x = (struct exact){.k = k,
                        .from = k->plan->cut[number],
                        .to = k->plan->cut[number + 1],
                        .rows = k->ctx->t->s[k->structure].rows,
                        .owners = residence_has_owners(k->ctx->g->residence, k->structure),
                        .rf = k->structure == SM_S_rf,
                        .units = sm_units(&s),
                        .bits_of_word = s.field[0].bits};
}

bool exact_unit(struct avf_task *k, uint64_t number)
{
    struct sm_structure geometry;
    struct exact x;
    prepare(&x, k, number);
    sm_structure_get(k->ctx->img, k->structure, &geometry);
    uint32_t units = k->ctx->t->s[k->structure].units;
    for (uint32_t unit = x.from.unit; unit < units && unit <= x.to.unit && !x.stopped; unit++) {
        if (!context_has_unit(k->ctx, k->structure, unit))
            continue;
        if (!x.rows)
            x.bits_of_word = geometry.field[unit % (uint32_t)geometry.nfields].bits;
        find_owners(&x, unit);
        if (k->opt->run.exhaustive)
            every_cycle(&x, unit);
        else
            walk_unit(&x, unit);
    }
    /* in the order of time, since machines travel forward */
    if (x.count)
        qsort(x.reading, x.count, sizeof *x.reading, by_cycle);
    for (size_t i = 0; i < x.count && !x.stopped; i++) {
        if (i == 0 || x.reading[i].unit != x.reading[i - 1].unit)
            find_owners(&x, x.reading[i].unit);
        decide(&x, &x.reading[i]);
    }
    free(x.reading);
    free(x.span);
    return !x.stopped;
}
