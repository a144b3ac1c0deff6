/* sites.c -- counts over code and over time. */
#include "sites.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/fl.h"

/* ---- over code ------------------------------------------------------------------------------- */

static uint32_t hash(enum site_role role, int kernel, uint32_t pc, int reg)
{
    uint64_t h = ((uint64_t)role << 63) ^ ((uint64_t)(uint32_t)kernel << 40) ^ ((uint64_t)pc << 8) ^
                 (uint32_t)(reg + 1);
    h *= 0x9e3779b97f4a7c15;
    return (uint32_t)(h >> 32);
}

static void index_all(struct sites *s, int nslots)
{
    free(s->slot);
    s->slot = fl_alloc((size_t)nslots * sizeof *s->slot);
    s->nslots = nslots;
    for (int i = 0; i < s->count; i++) {
        uint32_t h = hash(s->site[i].role, s->site[i].kernel, s->site[i].pc, s->site[i].reg);
        while (s->slot[h & (uint32_t)(nslots - 1)])
            h++;
        s->slot[h & (uint32_t)(nslots - 1)] = i + 1;
    }
}

static struct site *find(struct sites *s, enum site_role role, int kernel, uint32_t pc, int reg)
{
    if (2 * (s->count + 1) > s->nslots)
        index_all(s, s->nslots ? 2 * s->nslots : 64);
    uint32_t h = hash(role, kernel, pc, reg);
    int *slot;
    for (; *(slot = &s->slot[h & (uint32_t)(s->nslots - 1)]); h++) {
        struct site *found = &s->site[*slot - 1];
        if (found->role == role && found->kernel == kernel && found->pc == pc && found->reg == reg)
            return found;
    }
    FL_ROOM(s->site, s->count, s->room, 32);
    s->site[s->count] = (struct site){.role = role, .kernel = kernel, .pc = pc, .reg = reg};
    *slot = ++s->count;
    return &s->site[s->count - 1];
}

void sites_count(struct sites *s, enum site_role role, int kernel, uint32_t pc, int reg,
                 enum fsim_outcome o, uint64_t weight)
{
    find(s, role, kernel, pc, reg)->outcome[o] += weight;
}

void sites_add(struct sites *to, const struct sites *more)
{
    for (int i = 0; i < more->count; i++) {
        const struct site *m = &more->site[i];
        struct site *s = find(to, m->role, m->kernel, m->pc, m->reg);
        for (int o = 0; o < OUT_COUNT; o++)
            s->outcome[o] += m->outcome[o];
    }
}

static int by_place(const void *a, const void *b)
{
    const struct site *x = a, *y = b;
    if (x->role != y->role)
        return x->role < y->role ? -1 : 1;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    if (x->pc != y->pc)
        return x->pc < y->pc ? -1 : 1;
    return (x->reg > y->reg) - (x->reg < y->reg);
}

const char *sites_role_name(enum site_role role)
{
    return role == SITE_READER ? "reader" : "writer";
}

void sites_sort(struct sites *s)
{
    if (s->count == 0)
        return;
    qsort(s->site, (size_t)s->count, sizeof *s->site, by_place);
    index_all(s, s->nslots);
}

void sites_clear(struct sites *s)
{
    s->count = 0;
    if (s->nslots)
        memset(s->slot, 0, (size_t)s->nslots * sizeof *s->slot);
}

void sites_free(struct sites *s)
{
    free(s->site);
    free(s->slot);
    *s = (struct sites){0};
}

/* ---- over time ------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts; drops repeats and what is not inside the job. */
static size_t tidy(uint64_t *edge, size_t n, uint64_t cycles)
{
    size_t kept = 0;
    qsort(edge, n, sizeof *edge, by_value);
    for (size_t i = 0; i < n; i++)
        if (edge[i] < cycles && (kept == 0 || edge[i] != edge[kept - 1]))
            edge[kept++] = edge[i];
    return kept;
}

void timeline_make(uint64_t cycles, int grid, const uint64_t *change, size_t nchanges, int max,
                   struct timeline *out)
{
    uint64_t n = (uint64_t)grid < cycles ? (uint64_t)grid : cycles;
    uint64_t *edge = fl_alloc((n + nchanges + 1) * sizeof *edge);
    for (uint64_t i = 0; i < n; i++)
        edge[i] = (uint64_t)((unsigned __int128)cycles * i / n);
    if (nchanges)
        memcpy(edge + n, change, nchanges * sizeof *edge);
    size_t all = tidy(edge, n + nchanges, cycles);
    out->steady = all <= (size_t)max;
    if (!out->steady) {
        for (uint64_t i = 0; i < n; i++)
            edge[i] = (uint64_t)((unsigned __int128)cycles * i / n);
        all = tidy(edge, n, cycles);
    }
    edge[all] = cycles;
    out->buckets = (int)all;
    out->edge = edge;
    out->kernel = NULL;
}

void timeline_launches(struct timeline *t, const uint64_t *from, const int *kernel, int nlaunches)
{
    t->kernel = fl_alloc((size_t)t->buckets * sizeof *t->kernel);
    for (int b = 0, l = 0; b < t->buckets; b++) {
        while (l + 1 < nlaunches && from[l + 1] <= t->edge[b])
            l++;
        t->kernel[b] = kernel[l];
    }
}

void timeline_copy(struct timeline *to, const struct timeline *from)
{
    *to = *from;
    to->edge = NULL;
    to->kernel = NULL;
    if (from->kernel) {
        to->kernel = fl_alloc((size_t)from->buckets * sizeof *to->kernel);
        memcpy(to->kernel, from->kernel, (size_t)from->buckets * sizeof *to->kernel);
    }
    if (from->edge) {
        to->edge = fl_alloc((size_t)(from->buckets + 1) * sizeof *to->edge);
        memcpy(to->edge, from->edge, (size_t)(from->buckets + 1) * sizeof *to->edge);
    }
}

void timeline_free(struct timeline *t)
{
    free(t->edge);
    free(t->kernel);
    *t = (struct timeline){0};
}

int timeline_bucket(const struct timeline *t, uint64_t cycle)
{
    return FL_FIRST(b, 1, t->buckets, t->edge[b] > cycle) - 1;
}

void timeline_spread(const struct timeline *t, uint64_t from, uint64_t to, uint64_t weight,
                     uint64_t *member_of_first)
{
    const size_t stride = sizeof(struct moment) / sizeof(uint64_t);
    if (t->buckets == 0)
        return;
    for (int b = timeline_bucket(t, from); b < t->buckets && from < to; b++) {
        uint64_t end = t->edge[b + 1] < to ? t->edge[b + 1] : to;
        if (end > from)
            member_of_first[(size_t)b * stride] += weight * (end - from);
        from = end;
    }
}
