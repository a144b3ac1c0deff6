/* state.c -- what an open store knows without its file: units that are done, parts and their sums; and one setting. */
#include <stdlib.h>

#include "internal.h"

/* ---- units ----------------------------------------------------------------------------------- */

/* Of the first run that ends at `unit` or behind it. */
static size_t find_run(const struct units *u, uint64_t unit)
{
    size_t low = 0, high = u->nruns;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (u->run[mid].last < unit)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

bool store_units_has(const struct units *u, uint64_t unit)
{
    size_t i = find_run(u, unit);
    return i < u->nruns && u->run[i].first <= unit;
}

void store_units_add(struct units *u, uint64_t first, uint64_t last)
{
    size_t i = find_run(u, first), behind = u->nruns - i;
    bool left = i && u->run[i - 1].last + 1 == first;
    bool right = behind && u->run[i].first == last + 1;
    u->count += last - first + 1;
    if (left && right) {
        u->run[i - 1].last = u->run[i].last;
        memmove(&u->run[i], &u->run[i + 1], (behind - 1) * sizeof *u->run);
        u->nruns--;
    } else if (left) {
        u->run[i - 1].last = last;
    } else if (right) {
        u->run[i].first = first;
    } else {
        if (u->nruns == u->room) {
            u->room = u->room ? 2 * u->room : 64;
            u->run = fl_grow(u->run, u->room, sizeof *u->run);
        }
        memmove(&u->run[i + 1], &u->run[i], behind * sizeof *u->run);
        u->run[i] = (struct unit_run){first, last};
        u->nruns++;
    }
}

uint64_t store_count_done(const struct store *s, int part)
{
    pthread_mutex_t *lock = (pthread_mutex_t *)&s->lock;
    pthread_mutex_lock(lock);
    uint64_t n = s->done[part].count;
    pthread_mutex_unlock(lock);
    return n;
}

uint64_t store_share(const struct store *s, int part)
{
    uint64_t units = s->result.part[part].units, n = (uint64_t)s->shards;
    return units / n + (units % n >= (uint64_t)s->shard);
}

/* ---- parts ----------------------------------------------------------------------------------- */

void store_found_make(struct store_found *f, const struct store *s, int part)
{
    const struct result_job *job = &s->result.job[s->result.part[part].job];
    *f = (struct store_found){.nlaunches = job->nlaunches,
                              .ntallies = result_tallies(job, &s->result.part[part]),
                              .nbuckets = job->timeline.buckets};
    f->tally = fl_alloc((size_t)f->ntallies * sizeof *f->tally);
    f->moment = fl_alloc((size_t)f->nbuckets * sizeof *f->moment);
}

void store_add_population(struct store *s, const struct result_population *p)
{
    struct result *r = &s->result;
    r->population = fl_grow(r->population, (size_t)r->npopulations + 1, sizeof *r->population);
    r->population[r->npopulations] = *p;
    r->population[r->npopulations].target = fl_strdup(p->target);
    r->population[r->npopulations++].field = fl_strdup(p->field);
}

struct result_part *store_add_part(struct store *s, int job, int sms)
{
    struct result *r = &s->result;
    size_t n = (size_t)r->nparts;
    int buckets = r->job[job].timeline.buckets;
    r->part = fl_grow(r->part, n + 1, sizeof *r->part);
    s->done = fl_grow(s->done, n + 1, sizeof *s->done);
    s->pending = fl_grow(s->pending, n + 1, sizeof *s->pending);
    r->part[n] = (struct result_part){.job = job, .sms = sms};
    r->part[n].tally = fl_alloc((size_t)result_tallies(&r->job[job], &r->part[n]) *
                                sizeof(struct tally));
    r->part[n].moment = fl_alloc((size_t)buckets * sizeof(struct moment));
    s->done[n] = (struct units){0};
    s->pending[n] = (struct pending){0};
    r->nparts++;
    store_found_make(&s->pending[n].found, s, (int)n);
    return &r->part[n];
}

bool store_keeps(const struct result_part *p)
{
    return (p->method == METHOD_SAMPLE || p->method == METHOD_LIST) && !p->sums_only;
}

/* ---- settings --------------------------------------------------------------------------------- */

char *store_cache_setting(int job, int cache, int figure)
{
    return fl_format("job%d/%s/%s", job, profile_cache_name(cache), result_cache_figure[figure]);
}

double store_get(const struct store *s, const char *name, double otherwise)
{
    struct store *w = (struct store *)s;
    pthread_mutex_lock(&w->file_lock);
    sqlite3_stmt *q = store_prepare(w, "SELECT value FROM setting WHERE name = ?", NULL);
    if (q) {
        bind_text(q, 1, name);
        if (sqlite3_step(q) == SQLITE_ROW)
            otherwise = sqlite3_column_double(q, 0);
    }
    sqlite3_finalize(q);
    pthread_mutex_unlock(&w->file_lock);
    return otherwise;
}
