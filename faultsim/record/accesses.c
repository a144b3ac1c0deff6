/* accesses.c -- keeps the accesses of a fault-free run, sorted by unit: accesses. See accesses.h. */
#include "accesses.h"

#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/search.h"
#include "access_filter.h"

/* Accesses as they come, before they are sorted by unit. */
struct log_entry {
    struct access t;
    uint32_t unit;
};
struct log {
    struct log_entry *entry;
    uint32_t count, room;
};

/* Of a unit in a cache: bits that have been written in a cycle; 0: in none. */
struct erased {
    uint64_t cycle; /* + 1 */
    uint32_t mask;
};

struct access_recorder {
    struct accesses *t;
    const struct sm_image *img;
    const struct sm_watch *w;
    struct log log[SM_STRUCTURES];
    struct erased *erased[SM_STRUCTURES]; /* [unit], of caches; NULL until needed */
    size_t bytes, max_bytes;
    uint32_t commits; /* events so far */
    uint32_t site_room;
    /* part of the record */
    const struct access_wanted *wanted; /* NULL: all of it */
    struct access_filter *filter;
    uint32_t units[SM_STRUCTURES];
    uint32_t site; /* of the commit at hand, once an access of it is kept; SITE_NONE */
    uint32_t tidied[SM_STRUCTURES]; /* entries of the log that forget() left */
};

/* ---- taking notes ---------------------------------------------------------------------------- */

static uint32_t new_site(struct access_recorder *k);
static void forget(struct access_recorder *k, int structure);

/* A cache tells in the order in which it does things, and in one tick may fetch a line and read it: no flip of that
 * cycle is seen behind the write. Whether anything is left of the access. */
static bool sees_flips(struct access_recorder *k, const struct sm_access *a, uint32_t *mask)
{
    if (!sm_is_cache(a->structure))
        return true;
    struct erased **all = &k->erased[a->structure];
    if (!*all)
        *all = fl_alloc(k->units[a->structure] * sizeof **all);
    struct erased *e = &(*all)[a->unit];
    if (e->cycle != a->cycle + 1)
        *e = (struct erased){.cycle = a->cycle + 1};
    if (a->write)
        e->mask |= a->mask;
    else
        *mask &= ~e->mask;
    return *mask != 0;
}

/* With a filter an instruction gets a site when the first access of it is kept; without, every one
 * has one. */
static void note(struct access_recorder *k, const struct sm_access *a)
{
    struct log *l = &k->log[a->structure];
    struct access t = {.cycle = a->cycle,
                       .mask = a->mask,
                       .site = a->instruction ? k->site : SITE_NONE,
                       .write = a->write,
                       .part = a->part};
    if (!sees_flips(k, a, &t.mask))
        return;
    if (k->filter && !access_filter_takes(k->filter, a->structure, a->unit, &t))
        return;
    FL_INVARIANT(!a->instruction || a->cycle <= k->w->c.cycle); /* T2 */
    bool before = k->wanted && k->wanted->window && a->cycle < k->wanted->from;
    if (k->filter && a->instruction) {
        if (!before && k->site == SITE_NONE)
            k->site = new_site(k);
        t.site = before ? SITE_NONE : k->site;
    }
    if (before && l->count >= 2 * k->tidied[a->structure] + k->units[a->structure] / 4 + 256)
        forget(k, a->structure);
    if (l->count == l->room) {
        uint32_t room = l->room < 1 << 16 ? 2 * l->room + 256 : l->room + l->room / 8;
        k->bytes += (room - l->room) * sizeof *l->entry;
        if (k->bytes > k->max_bytes)
            return;
        l->entry = fl_grow(l->entry, room, sizeof *l->entry);
        l->room = room;
    }
    l->entry[l->count++] = (struct log_entry){t, a->unit};
}

static uint32_t new_site(struct access_recorder *k)
{
    struct accesses *t = k->t;
    const struct sm_commit *c = &k->w->c;
    if (t->nsites == k->site_room) {
        k->site_room = k->site_room ? 2 * k->site_room : 1024;
        k->bytes += k->site_room / 2 * sizeof *t->site;
        t->site = fl_grow(t->site, k->site_room, sizeof *t->site);
    }
    t->site[t->nsites] = (struct access_site){.pc = c->pc,
                                              .launch = (uint16_t)c->launch,
                                              .warp = (uint8_t)c->warp,
                                              .sm = (uint8_t)sm_commit_place(c),
                                              .reg_base = c->reg_base,
                                              .regs = c->regs,
                                              .event = k->commits - 1,
                                              .cycle = c->cycle};
    return t->nsites++;
}

static void drop(struct access_recorder *k, uint64_t cycle)
{
    k->t->fit = cycle;
    k->t->nsites = 0;
    for (int i = 0; i < SM_STRUCTURES; i++) {
        free(k->log[i].entry);
        k->log[i] = (struct log){0};
    }
}

void access_recorder_tick(struct access_recorder *k, const struct sm_watch *w,
                          const struct sm_accesses *seen)
{
    const struct sm_commit *c = &w->c;
    const struct flow *f = k->t->g->flow;
    if (access_recorder_full(k))
        return;
    k->w = w;
    if (k->filter)
        access_filter_time(k->filter, w->settled, w->cycle);
    bool commit = c->kind == COMMIT_INSTRUCTION || c->kind == COMMIT_UNWIND;
    FL_INVARIANT(!commit || !f ||
                 (k->commits < f->nevents && f->event[k->commits].cycle == c->cycle &&
                  f->event[k->commits].pc == c->pc)); /* T3 */
    k->commits += commit;
    k->site = commit && !k->filter ? new_site(k) : SITE_NONE;
    for (uint32_t i = 0; i < seen->count; i++)
        if (seen->access[i].structure < SM_STRUCTURES)
            note(k, &seen->access[i]);
    k->commits += flow_host_events(w);
    if (k->bytes > k->max_bytes)
        drop(k, gpu_cycles(w->g));
}

/* Before a window the last access of each bit is enough: whether, and how, the bit was accessed
 * before. */
static void forget(struct access_recorder *k, int structure)
{
    struct log *l = &k->log[structure];
    uint32_t units = k->units[structure], to = l->count;
    uint32_t(*seen)[2] = fl_alloc(units * sizeof *seen);
    for (uint32_t i = l->count; i-- > 0;) {
        const struct log_entry *e = &l->entry[i];
        uint32_t *s = seen[e->unit], low = e->t.part & ACCESS_LOW_HALF ? e->t.mask & ~s[0] : 0;
        uint32_t high = e->t.part & ACCESS_HIGH_HALF ? e->t.mask & ~s[1] : 0;
        bool inside = e->t.cycle >= k->wanted->from;
        if (!inside && !(low | high))
            continue;
        if (!inside) {
            s[0] |= low;
            s[1] |= high;
        }
        l->entry[--to] = *e;
    }
    l->count -= to;
    memmove(l->entry, l->entry + to, l->count * sizeof *l->entry);
    k->tidied[structure] = l->count;
    free(seen);
}

/* ---- sorting --------------------------------------------------------------------------------- */

/* By unit, each unit's in time order. The log of a warp is in order but for reads, which are logged
 * when the instruction commits: constants, read by several warps, may be out of order by a slot. */
/* In one cycle reads come before writes: a flip in it is seen before it is erased. */
static bool later(const struct access *a, const struct access *b)
{
    return a->cycle > b->cycle || (a->cycle == b->cycle && a->write && !b->write);
}

static void sort(struct access_recorder *k, int structure)
{
    struct access_structure *out = &k->t->s[structure];
    struct log *l = &k->log[structure];
    struct sm_structure s;
    sm_structure_get(k->img, structure, &s);
    out->rows = s.lanes == LANES_ROWS;
    out->units = k->units[structure];
    out->unit = fl_alloc((out->units + 1) * sizeof *out->unit);
    out->access = fl_alloc(((size_t)l->count + 1) * sizeof *out->access);
    for (uint32_t i = 0; i < l->count; i++)
        out->unit[l->entry[i].unit].count++;
    for (uint32_t u = 1; u < out->units; u++)
        out->unit[u].first = out->unit[u - 1].first + out->unit[u - 1].count;
    for (uint32_t u = 0; u < out->units; u++)
        out->unit[u].count = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        struct access_unit *u = &out->unit[l->entry[i].unit];
        struct access *t = &out->access[u->first];
        uint32_t at = u->count++;
        for (; at > 0 && later(&t[at - 1], &l->entry[i].t); at--)
            t[at] = t[at - 1];
        t[at] = l->entry[i].t;
    }
    for (uint32_t u = 0; u < out->units; u++) {
        struct access *t = &out->access[out->unit[u].first];
        for (uint32_t i = 0, last = 0; i < out->unit[u].count; i++) {
            FL_INVARIANT(!i || !later(&t[i - 1], &t[i])); /* T1 */
            t[i].writes = last;
            last = t[i].write ? i + 1 : last;
        }
    }
    free(l->entry);
    l->entry = NULL;
}

struct access_recorder *access_recorder_new(const struct golden *g,
                                            const struct access_wanted *wanted, size_t max_bytes)
{
    const struct sm_image *img = g->img;
    struct access_recorder *k = fl_alloc(sizeof *k);
    struct accesses *t = fl_alloc(sizeof *t);
    t->g = g;
    t->fit = UINT64_MAX;
    t->s = fl_alloc(SM_STRUCTURES * sizeof *t->s);
    *k = (struct access_recorder){.t = t, .img = img, .max_bytes = max_bytes, .wanted = wanted};
    for (int i = 0; i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(img, i, &s);
        k->units[i] = sm_all_units(&s);
    }
    if (wanted)
        k->filter = access_filter_new(wanted, k->units, SM_STRUCTURES);
    return k;
}

bool access_recorder_full(const struct access_recorder *k)
{
    return k->t->fit != UINT64_MAX;
}

struct accesses *access_recorder_end(struct access_recorder *k)
{
    struct accesses *t = k->t;
    bool sorted[SM_STRUCTURES] = {false};
    /* the shortest log first: each is freed when it is sorted, and the longest needs most room
     * beside it */
    for (int left = SM_STRUCTURES; left > 0; left--) {
        int least = -1;
        for (int i = 0; i < SM_STRUCTURES; i++)
            if (!sorted[i] && (least < 0 || k->log[i].count < k->log[least].count))
                least = i;
        sorted[least] = true;
        sort(k, least);
    }
    for (int i = 0; i < SM_STRUCTURES; i++)
        free(k->erased[i]);
    access_filter_free(k->filter);
    free(k);
    return t;
}

void accesses_free(struct accesses *t)
{
    if (!t)
        return;
    for (int i = 0; i < SM_STRUCTURES; i++) {
        free(t->s[i].unit);
        free(t->s[i].access);
    }
    free(t->s);
    free(t->site);
    free(t);
}

/* ---- asking ---------------------------------------------------------------------------------- */

void access_walk_start(struct access_walk *w, const struct accesses *t, int structure,
                       struct sm_unit_place place)
{
    const struct access_structure *s = &t->s[structure];
    const struct access_unit *u = &s->unit[place.unit];
    *w = (struct access_walk){.s = s,
                              .access = &s->access[u->first],
                              .count = u->count,
                              .mask = place.mask,
                              .part = place.part,
                              .writer = SITE_NONE,
                              .cycles = t->g->cycles};
}

bool access_walk_next(struct access_walk *w, struct access_class *out)
{
    if (w->next >= w->cycles)
        return false;
    while (w->at < w->count) {
        const struct access *t = &w->access[w->at++];
        if (!(t->mask & w->mask) || !(t->part & w->part))
            continue;
        bool same_cycle = t->cycle < w->next;
        *out = (struct access_class){w->next, t->cycle, t->write ? CLASS_WRITE : CLASS_READ,
                                     t->site, w->writer};
        if (t->write)
            w->writer = t->site;
        if (same_cycle)
            continue;
        w->next = t->cycle + 1;
        return true;
    }
    *out = (struct access_class){w->next, w->cycles - 1, CLASS_NOTHING, SITE_NONE, w->writer};
    w->next = w->cycles;
    return true;
}

/* The first access that is not before `cycle`. */
static uint32_t first_from(const struct access *access, uint32_t count, uint64_t cycle)
{
    return FL_FIRST(i, 0, count, access[i].cycle >= cycle);
}

/* Who wrote the bit last before access number `at` of its unit. */
static uint32_t writer_before(const struct access *access, uint32_t at, uint32_t mask, uint8_t part)
{
    if (at == 0)
        return SITE_NONE;
    for (uint32_t i = access[at - 1].write ? at : access[at - 1].writes; i;
         i = access[i - 1].writes)
        if ((access[i - 1].mask & mask) && (access[i - 1].part & part))
            return access[i - 1].site;
    return SITE_NONE;
}

void access_walk_seek(struct access_walk *w, uint64_t cycle)
{
    w->at = first_from(w->access, w->count, cycle);
    w->next = 0;
    w->writer = writer_before(w->access, w->at, w->mask, w->part);
    for (uint32_t i = w->at; i-- > 0;)
        if ((w->access[i].mask & w->mask) && (w->access[i].part & w->part)) {
            w->next = w->access[i].cycle + 1;
            break;
        }
}

struct access_class access_class_at(const struct accesses *t, const struct sm_cell *cell,
                                    uint64_t cycle)
{
    struct sm_unit_place p = sm_unit_of(t->g->img, cell);
    const struct access_structure *s = &t->s[cell->structure];
    const struct access_unit *u = &s->unit[p.unit];
    const struct access *access = &s->access[u->first];
    uint32_t lo = first_from(access, u->count, cycle);
    struct access_class g = {0, t->g->cycles - 1, CLASS_NOTHING, SITE_NONE,
                             writer_before(access, lo, p.mask, p.part)};
    for (uint32_t i = lo; i-- > 0;)
        if ((access[i].mask & p.mask) && (access[i].part & p.part)) {
            g.from = access[i].cycle + 1;
            break;
        }
    for (uint32_t i = lo; i < u->count; i++)
        if ((access[i].mask & p.mask) && (access[i].part & p.part)) {
            g.to = access[i].cycle;
            g.end = access[i].write ? CLASS_WRITE : CLASS_READ;
            g.site = access[i].site;
            break;
        }
    return g;
}
