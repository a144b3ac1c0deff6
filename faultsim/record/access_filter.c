/* access_filter.c -- see access_filter.h. */
#include "access_filter.h"

#include <stdlib.h>

/* Behind a window: which bits of a unit have been accessed, and until when. */
struct behind {
    uint64_t last;
    uint32_t low, high;
};

struct open_watch { /* of a flip that has happened and is not decided */
    const struct access_watch *w;
    uint64_t decided; /* cycle of the access that decides it; UINT64_MAX */
    uint32_t next;    /* of the same unit: number + 1 */
};

struct access_filter {
    const struct access_wanted *wanted;
    int structures;
    struct behind **behind; /* [structure][unit]; NULL until needed */
    const uint32_t *units;
    /* watches */
    uint32_t **head; /* [structure][unit]: number + 1 in open[] */
    struct open_watch *open;
    uint32_t nopen, room, free; /* free: number + 1 of a chain */
    uint64_t started;           /* watches [0, started) have happened */
    uint64_t gone;
};

static int by_cycle(const void *a, const void *b)
{
    const struct access_watch *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

struct access_filter *access_filter_new(const struct access_wanted *w, const uint32_t *units,
                                        int structures)
{
    struct access_filter *f = fl_alloc(sizeof *f);
    f->wanted = w;
    f->units = units;
    f->structures = structures;
    f->behind = fl_alloc((size_t)structures * sizeof *f->behind);
    f->head = fl_alloc((size_t)structures * sizeof *f->head);
    if (w->nwatches)
        qsort(w->watch, w->nwatches, sizeof *w->watch, by_cycle);
    return f;
}

void access_filter_free(struct access_filter *f)
{
    for (int i = 0; f && i < f->structures; i++) {
        free(f->behind[i]);
        free(f->head[i]);
    }
    if (f) {
        free(f->behind);
        free(f->head);
        free(f->open);
    }
    free(f);
}

/* ---- a window -------------------------------------------------------------------------------- */

static bool takes_behind(struct access_filter *f, int structure, uint32_t unit,
                         const struct access *t)
{
    if (!f->behind[structure])
        f->behind[structure] = fl_alloc(f->units[structure] * sizeof **f->behind);
    struct behind *b = &f->behind[structure][unit];
    uint32_t low = t->part & ACCESS_LOW_HALF ? t->mask & ~b->low : 0;
    uint32_t high = t->part & ACCESS_HIGH_HALF ? t->mask & ~b->high : 0;
    if (!(low | high) && t->cycle > b->last)
        return false;
    b->low |= low;
    b->high |= high;
    b->last = t->cycle > b->last ? t->cycle : b->last;
    return true;
}

/* ---- watches --------------------------------------------------------------------------------- */

static void start(struct access_filter *f, const struct access_watch *w)
{
    if (!f->head[w->structure])
        f->head[w->structure] = fl_alloc(f->units[w->structure] * sizeof **f->head);
    if (!f->free) {
        FL_ROOM(f->open, f->nopen, f->room, 64);
        f->open[f->nopen].next = 0;
        f->free = ++f->nopen;
    }
    uint32_t number = f->free, *head = &f->head[w->structure][w->place.unit];
    struct open_watch *o = &f->open[number - 1];
    f->free = o->next;
    *o = (struct open_watch){w, UINT64_MAX, *head};
    *head = number;
}

/* One access may be in time for a watch though another, later one was noted before: so a watch stays
 * open until nothing can come before the access that decides it. */
static bool takes_watched(struct access_filter *f, int structure, uint32_t unit,
                          const struct access *t)
{
    bool takes = false;
    if (!f->head[structure])
        return false;
    for (uint32_t *link = &f->head[structure][unit]; *link;) {
        uint32_t number = *link;
        struct open_watch *o = &f->open[number - 1];
        if (o->decided <= f->gone) {
            *link = o->next;
            o->next = f->free;
            f->free = number;
            continue;
        }
        link = &o->next;
        if (!(t->mask & o->w->place.mask) || !(t->part & o->w->place.part) ||
            t->cycle < o->w->from || t->cycle > o->decided)
            continue;
        takes = true;
        if (!t->write || t->cycle >= o->w->to)
            o->decided = t->cycle;
    }
    return takes;
}

bool access_filter_takes(struct access_filter *f, int structure, uint32_t unit,
                         const struct access *t)
{
    if (!f->wanted->window)
        return takes_watched(f, structure, unit, t);
    return t->cycle < f->wanted->to || takes_behind(f, structure, unit, t);
}

void access_filter_time(struct access_filter *f, uint64_t gone, uint64_t now)
{
    f->gone = gone;
    while (f->started < f->wanted->nwatches && f->wanted->watch[f->started].from <= now)
        start(f, &f->wanted->watch[f->started++]);
}
