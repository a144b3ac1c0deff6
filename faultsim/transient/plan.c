/* plan.c -- see plan.h. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hash.h"
#include "base/stats.h"

enum {
    PROBES = 6,      /* groups decided beforehand of each kind */
    TIMES = 16,      /* parts of the job: a loop's first pass may cost much more than its last */
    BELIEF = 2,      /* probes that the kind one coarser counts like */
    GROUP_COST = 2,  /* of a group that is not read */
    RUN_COST = 100,  /* of starting a machine: copies */
    COPIES_COST = 8, /* of an instruction of 32 copies */
    LEAST_COST = 1 << 16, /* of a unit */
    FEWEST_UNITS = 512,   /* unless they would cost less */
    MOST_UNITS = 1 << 20,
    TRIAL_COST =
        1 << 24, /* of all probes, unless that is less than 1 / TRIAL_SHARE of the campaign */
    TRIAL_MOST = 1 << 29,
    TRIAL_SHARE = 500,
    TRIAL_READS = 20, /* and one group in so many at most */
};

/* Groups whose reader is one instruction, through one register, in one part of the job; or in all
 * of it. */
struct kind {
    uint64_t key, reads;
    uint64_t probe[PROBES]; /* unit << 32 | access */
    int probes;
    uint64_t asked, bits; /* groups decided, and bits of them */
    uint64_t machines;    /* what machines cost, for all these bits */
    uint64_t before;      /* what came before machines, for all these groups */
};

struct planner {
    const struct job_context *l;
    int structure;
    const struct access_structure *s;
    struct sm_structure geometry;
    bool rf;
    struct kind *kind;
    uint32_t kinds, room;
    uint32_t *slot, slots; /* hash table: index in kind + 1 */
    struct kind all;
    struct plan *out;
    uint64_t limit, spent; /* of a unit; of the unit that is being cut */
    bool measuring;        /* the sum of all costs alone */
};

int plan_compare(const struct plan_place *a, const struct plan_place *b)
{
    if (a->unit != b->unit)
        return a->unit < b->unit ? -1 : 1;
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return (a->bit > b->bit) - (a->bit < b->bit);
}

/* ---- walking over accesses -------------------------------------------------------------------- */

struct step { /* an access, and the bits (lanes in rows) whose groups end there */
    const struct access *t;
    uint32_t unit, at;
    uint32_t low, high; /* rows: by half of the lane's word; else low */
    int bits;           /* of a word */
};

static int bits_of(const struct planner *p, uint32_t unit)
{
    return p->geometry.field[p->s->rows ? 0 : unit % (uint32_t)p->geometry.nfields].bits;
}

/* Calls `each` for every access at which groups of the window end. */
static void walk(struct planner *p, void (*each)(struct planner *, const struct step *))
{
    for (uint32_t u = 0; u < p->s->units; u++) {
        if (!context_has_unit(p->l, p->structure, u))
            continue;
        const struct access_unit *unit = &p->s->unit[u];
        uint32_t seen[2] = {0, 0}, behind[2] = {0, 0};
        uint64_t cycle = UINT64_MAX;
        for (uint32_t i = 0; i < unit->count; i++) {
            struct step s = {&p->s->access[unit->first + i], u, i, 0, 0, bits_of(p, u)};
            uint32_t all = p->s->rows || s.bits == 32 ? ~0u : (1u << s.bits) - 1;
            if (s.t->cycle < p->l->from)
                continue;
            if (s.t->cycle != cycle)
                seen[0] = seen[1] = 0;
            cycle = s.t->cycle;
            s.low = s.t->part & ACCESS_LOW_HALF ? s.t->mask & all & ~seen[0] & ~behind[0] : 0;
            s.high = p->s->rows && s.bits > 16 && s.t->part & ACCESS_HIGH_HALF
                         ? s.t->mask & ~seen[1] & ~behind[1]
                         : 0;
            seen[0] |= s.low; /* a second access in the same cycle ends nothing */
            seen[1] |= s.high;
            if (cycle >=
                p->l->to - 1) { /* nor does one behind the group that reaches out of the window */
                behind[0] |= s.low;
                behind[1] |= s.high;
            }
            if (s.low | s.high)
                each(p, &s);
        }
    }
}

static int low_bits(const struct planner *p, const struct step *s)
{
    return !p->s->rows ? 1 : s->bits > 16 ? 16 : s->bits;
}

static uint64_t flips_of(const struct planner *p, const struct step *s)
{
    return (uint64_t)__builtin_popcount(s->low) * (uint64_t)low_bits(p, s) +
           (uint64_t)__builtin_popcount(s->high) * (uint64_t)(s->bits - 16);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

enum { ALL_TIMES = 63 };

static uint64_t key_of(const struct planner *p, const struct access *t, uint32_t unit,
                       uint64_t time)
{
    if (t->site == SITE_NONE)
        return UINT64_MAX >> 6 | time << 58;
    const struct access_site *site = &p->l->t->site[t->site];
    uint32_t rows = (uint32_t)p->l->img->profile.regs / SM_LANES; /* of an SM */
    uint32_t sub = p->rf        ? unit % rows - site->reg_base / (uint32_t)SM_LANES
                   : p->s->rows ? 0
                                : unit % (uint32_t)p->geometry.nfields;
    return time << 58 | (uint64_t)(p->l->kernel[site->launch] & 0x3ff) << 48 |
           (uint64_t)(sub & 0xffff) << 32 | site->pc;
}

static uint64_t time_of(const struct planner *p, uint64_t cycle)
{
    uint64_t last = p->l->to - 1;
    return ((cycle < last ? cycle : last) - p->l->from) * TIMES / (p->l->to - p->l->from);
}

static uint32_t *slot_of(struct planner *p, uint64_t key)
{
    uint64_t h = (key ^ key >> 29) * 0x9e3779b97f4a7c15u;
    for (uint32_t i = (uint32_t)(h >> 32);; i++) {
        uint32_t *slot = &p->slot[i & (p->slots - 1)];
        if (!*slot || p->kind[*slot - 1].key == key)
            return slot;
    }
}

static struct kind *kind_of(struct planner *p, uint64_t key)
{
    if (2 * p->kinds >= p->slots) {
        do
            p->slots = p->slots ? 2 * p->slots : 256;
        while (2 * p->kinds >= p->slots);
        free(p->slot);
        p->slot = fl_alloc(p->slots * sizeof *p->slot);
        for (uint32_t i = 0; i < p->kinds; i++)
            *slot_of(p, p->kind[i].key) = i + 1;
    }
    uint32_t *slot = slot_of(p, key);
    if (!*slot) {
        FL_ROOM(p->kind, p->kinds, p->room, 64);
        p->kind[p->kinds] = (struct kind){.key = key};
        *slot = ++p->kinds;
    }
    return &p->kind[*slot - 1];
}

/* Counts, and draws PROBES accesses of each kind, all with the same chance. */
static void note(struct planner *p, const struct step *s)
{
    uint64_t flips = flips_of(p, s);
    p->out->groups += flips;
    if (s->t->write)
        return;
    kind_of(p, key_of(p, s->t, s->unit, ALL_TIMES))->reads += flips;
    struct kind *k = kind_of(p, key_of(p, s->t, s->unit, time_of(p, s->t->cycle)));
    struct stats_stream random = stats_stream_of(k->key, k->asked);
    uint64_t place = stats_below(&random, ++k->asked);
    if (k->probes < PROBES)
        place = (uint64_t)k->probes++;
    if (place < PROBES)
        k->probe[place] = (uint64_t)s->unit << 32 | s->at;
    k->reads += flips;
    p->out->reads += flips;
}

/* ---- probes ---------------------------------------------------------------------------------- */

struct meter {
    uint64_t machines, before;
};

static struct meter read_meter(const struct fsim_worker *w)
{
    struct fsim_statistics s = {0};
    fsim_worker_statistics(w, &s);
    return (struct meter){s.instructions + s.evaluated + RUN_COST * s.runs, COPIES_COST * s.copies};
}

/* Decides some bits that the access reads; the cost. */
static uint64_t probe(struct planner *p, struct fsim_worker *w, struct kind *k, int number)
{
    const struct job_context *l = p->l;
    uint32_t unit = (uint32_t)(k->probe[number] >> 32), at = (uint32_t)k->probe[number];
    const struct access *t = &p->s->access[p->s->unit[unit].first + at];
    struct stats_stream random = stats_stream_of(k->key, ~(uint64_t)number);
    int bits = bits_of(p, unit);
    uint32_t all = p->s->rows || bits == 32 ? ~0u : (1u << bits) - 1, mask = t->mask & all;
    uint32_t wanted = p->rf        ? 0x01010101u << stats_below(&random, 8)
                      : p->s->rows ? 1u << stats_below(&random, (uint64_t)bits)
                                   : 1;
    int index = 0;
    for (uint64_t n = stats_below(&random, (uint64_t)__builtin_popcount(mask)); n; n--)
        mask &= mask - 1;
    index = __builtin_ctz(mask);
    if (t->part != ACCESS_WHOLE)
        wanted &= t->part == ACCESS_LOW_HALF ? 0xffffu : 0xffff0000u;
    struct meter start = read_meter(w);
    uint32_t known = 0;
    if (t->site != SITE_NONE) {
        struct fsim_result r[32];
        known = transient_simulate_register(w, unit, index, l->t->site[t->site].event, wanted, r);
    }
    for (int b = 0; b < 32; b++) {
        struct transient_result r;
        if (!((wanted & ~known) >> b & 1))
            continue;
        struct fsim_fault u = fsim_flip(
            sm_unit_cell(l->img, p->structure, unit, index, p->s->rows ? b : index), t->cycle);
        transient_simulate(w, l->t, &u, &r);
    }
    struct meter end = read_meter(w);
    uint64_t n = (uint64_t)__builtin_popcount(wanted);
    struct kind *to[3] = {k, kind_of(p, key_of(p, t, unit, ALL_TIMES)), &p->all};
    for (int i = 0; i < 3; i++) {
        to[i]->machines += end.machines - start.machines;
        to[i]->bits += n;
        to[i]->before += end.before - start.before;
        to[i]->asked++;
    }
    return end.machines - start.machines + end.before - start.before;
}

/* Of `bits` flips of a lane's word. What few probes of the kind say is drawn towards the kind of
 * all times, and that towards the mean of all. */
static uint64_t cost_of(struct planner *p, const struct step *s, int bits)
{
    enum { FINE = 16 }; /* costs of a bit are counted in these */
    struct kind *kind[3] = {&p->all, kind_of(p, key_of(p, s->t, s->unit, ALL_TIMES)),
                            kind_of(p, key_of(p, s->t, s->unit, time_of(p, s->t->cycle)))};
    uint64_t bit = RUN_COST * FINE, group = 0;
    for (int i = 0; i < 3; i++) {
        const struct kind *k = kind[i];
        if (!k->asked)
            continue;
        uint64_t belief = i ? BELIEF : 0;
        bit = (k->machines * FINE / k->bits * k->asked + bit * belief) / (k->asked + belief);
        group = (k->before + group * belief) / (k->asked + belief);
    }
    return (uint64_t)bits * bit / FINE + group + GROUP_COST;
}

static int by_reads(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;
    if (x->reads != y->reads)
        return x->reads > y->reads ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

/* What the campaign will cost, as far as known. */
static uint64_t expected(const struct planner *p)
{
    return p->all.bits ? p->all.machines / p->all.bits * p->out->reads : 0;
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* All kinds once, then all of them again, those with most reads first, as long as that is cheap.
 * The seconds of a unit of cost. */
static double try_kinds(struct planner *p)
{
    struct fsim_worker *w = fsim_worker_new(p->l->g);
    uint64_t spent = 0, most = p->out->reads / TRIAL_READS + 1;
    double start = cpu_seconds();
    for (uint32_t i = 0; i < p->kinds; i++)
        p->kind[i].asked = 0;
    for (int round = 0; round < PROBES; round++)
        for (uint32_t i = 0; i < p->kinds; i++) {
            uint64_t share = expected(p) / TRIAL_SHARE;
            if (p->all.bits > most ||
                spent > (share < TRIAL_MOST ? share : TRIAL_MOST) + TRIAL_COST)
                goto enough;
            if (round < p->kind[i].probes)
                spent += probe(p, w, &p->kind[i], round);
        }
enough:
    fsim_worker_free(w);
    return spent ? (cpu_seconds() - start) / (double)spent : 0;
}

/* ---- cutting --------------------------------------------------------------------------------- */

static void cut_here(struct planner *p, struct plan_place at)
{
    struct plan *o = p->out;
    if (plan_compare(&at, &o->cut[o->units - 1]) <= 0)
        return;
    o->cost[o->units - 1] = p->spent;
    p->spent = 0;
    if ((o->units & (o->units - 1)) == 0) {
        o->cut = fl_grow(o->cut, 2 * o->units + 1, sizeof *o->cut);
        o->cost = fl_grow(o->cost, 2 * o->units, sizeof *o->cost);
    }
    o->cut[o->units++] = at;
}

/* `bits` groups of one lane or bit, which cost `cost` together; cuts wherever the limit is
 * reached. */
static void lay(struct planner *p, const struct step *s, int index, int bit0, int bits,
                uint64_t cost)
{
    if (p->spent + cost < p->limit) {
        p->spent += cost;
        return;
    }
    for (int b = 0; b < bits; b++) {
        if (p->spent >= p->limit)
            cut_here(p, (struct plan_place){s->t->cycle, s->unit, (uint8_t)index,
                                            (uint8_t)(p->s->rows ? bit0 + b : 0)});
        p->spent += cost * (uint64_t)(b + 1) / (uint64_t)bits - cost * (uint64_t)b / (uint64_t)bits;
    }
}

static void lay_access(struct planner *p, const struct step *s)
{
    int low = low_bits(p, s), high = s->bits - 16;
    int bits[4] = {0, low, high, low + high}; /* of a lane: low half, high half, both */
    uint64_t cost[4];
    for (int i = 1; i < 4; i++)
        cost[i] = s->t->write ? GROUP_COST : cost_of(p, s, bits[i]);
    for (uint32_t m = s->low | s->high; m; m &= m - 1) {
        int lane = __builtin_ctz(m), i = (int)(s->low >> lane & 1) + 2 * (int)(s->high >> lane & 1);
        if (p->measuring)
            p->out->total += cost[i];
        else
            lay(p, s, lane, i == 2 ? 16 : 0, bits[i], cost[i]);
    }
}

static uint64_t limit_for(uint64_t total)
{
    uint64_t limit = total / FEWEST_UNITS;
    limit = limit > PLAN_UNIT_COST ? PLAN_UNIT_COST : limit < LEAST_COST ? LEAST_COST : limit;
    return limit > total / MOST_UNITS ? limit : total / MOST_UNITS;
}

/* Brute force: all flips of a word in a cycle, then the next cycle; each costs a whole run. */
static void cut_exhaustive(struct planner *p)
{
    uint64_t run = p->l->g->instructions + RUN_COST;
    uint64_t flips = context_bits(p->l, p->structure) * (p->l->to - p->l->from);
    p->out->groups = p->out->reads = flips;
    p->out->total = flips > UINT64_MAX / run ? UINT64_MAX : flips * run;
    p->limit = limit_for(p->out->total);
    for (uint32_t u = 0; u < p->s->units; u++) {
        if (!context_has_unit(p->l, p->structure, u))
            continue;
        uint64_t a_cycle = run * (uint64_t)bits_of(p, u) * (p->s->rows ? SM_LANES : 1);
        for (uint64_t c = p->l->from, n; c < p->l->to; c += n) {
            if (p->spent >= p->limit)
                cut_here(p, (struct plan_place){.cycle = c, .unit = u});
            n = (p->limit - p->spent) / a_cycle + 1;
            n = n < p->l->to - c ? n : p->l->to - c;
            p->spent += n * a_cycle;
        }
    }
}

void plan_make(const struct job_context *l, int structure, bool exhaustive, struct plan *out)
{
    struct planner p = {.l = l, .structure = structure, .s = &l->t->s[structure], .out = out};
    sm_structure_get(l->img, structure, &p.geometry);
    p.rf = structure == SM_S_rf;
    *out = (struct plan){.units = 1};
    out->cut = fl_alloc(2 * sizeof *out->cut);
    out->cost = fl_alloc(sizeof *out->cost);
    if (exhaustive) {
        cut_exhaustive(&p);
    } else {
        walk(&p, note);
        if (p.kinds)
            qsort(p.kind, p.kinds, sizeof *p.kind, by_reads);
        p.slots = 0; /* the kinds have moved */
        double rate = try_kinds(&p);
        p.measuring = true;
        walk(&p, lay_access);
        p.measuring = false;
        p.limit = limit_for(out->total);
        walk(&p, lay_access);
        out->seconds = rate * (double)out->total;
        out->groups += context_bits(l, structure); /* behind the last access */
    }
    out->cost[out->units - 1] = p.spent;
    out->cut[out->units] = (struct plan_place){.unit = p.s->units};
    free(p.kind);
    free(p.slot);
}

void plan_free(struct plan *p)
{
    free(p->cut);
    free(p->cost);
    *p = (struct plan){0};
}

/* FNV-1a over the places. */
uint64_t plan_digest(const struct plan *p)
{
    uint64_t h = FL_HASH_START;
    for (uint64_t i = 0; i <= p->units; i++) {
        const struct plan_place *c = &p->cut[i];
        const uint64_t v[] = {c->unit, c->cycle, c->index, c->bit};
        for (int k = 0; k < 4; k++)
            h = fl_hash(h, v[k]);
    }
    return h;
}
