/* commit.c -- what units found: collected, added to the sums, carried over to the file. See the
 * head of store.c. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "internal.h"

enum {
    COMMIT_MS = 500,
    WORDS_OF_ONE = 1000 /* bytes of words that wait as one injection more does */
};

/* ---- what a unit found ----------------------------------------------------------------------- */

struct tally *store_found_sm(const struct store_found *f, int sm, int launch)
{
    return f->ntallies > f->nlaunches ? &f->tally[(1 + sm) * f->nlaunches + launch] : NULL;
}

static size_t keep_bytes(struct store_found *f, const void *bytes, size_t n)
{
    size_t at = f->text_used;
    if (at + n > f->text_room) {
        f->text_room = 2 * (at + n) + 1024;
        f->text = fl_grow(f->text, f->text_room, 1);
    }
    if (n)
        memcpy(f->text + at, bytes, n);
    f->text_used += n;
    return at;
}

void store_found_inject(struct store_found *f, const struct store_injection *i)
{
    if (f->ninjections == f->room) {
        f->room = f->room ? 2 * f->room : 64;
        f->injection = fl_grow(f->injection, (size_t)f->room, sizeof *f->injection);
    }
    size_t id = keep_bytes(f, i->id, strlen(i->id) + 1),
           reason = keep_bytes(f, i->reason, strlen(i->reason) + 1),
           words = keep_bytes(f, i->words, i->words_size);
    f->injection[f->ninjections++] = (struct store_kept){*i, id, reason, words};
}

void store_found_clear(struct store_found *f)
{
    memset(f->tally, 0, (size_t)f->ntallies * sizeof *f->tally);
    memset(f->moment, 0, (size_t)f->nbuckets * sizeof *f->moment);
    sites_clear(&f->sites);
    f->ninjections = 0;
    f->text_used = 0;
}

void store_found_free(struct store_found *f)
{
    free(f->tally);
    free(f->moment);
    free(f->injection);
    free(f->text);
    sites_free(&f->sites);
    *f = (struct store_found){0};
}

/* ---- in memory ------------------------------------------------------------------------------- */

static void add_moments(struct moment *to, const struct moment *more, int n)
{
    for (int b = 0; b < n; b++) {
        for (int o = 0; o < OUT_COUNT; o++)
            to[b].outcome[o] += more[b].outcome[o];
        to[b].owned_counted += more[b].owned_counted;
        to[b].owned_failed += more[b].owned_failed;
        to[b].ace += more[b].ace;
    }
}

void store_absorb(struct store *s, int part, const struct store_found *f)
{
    struct result_part *p = &s->result.part[part];
    struct pending *w = &s->pending[part];
    for (int k = 0; k < f->ntallies; k++) {
        tally_count(&p->tally[k], &f->tally[k]);
        tally_count(&w->found.tally[k], &f->tally[k]);
    }
    sites_add(&p->sites, &f->sites);
    sites_add(&w->found.sites, &f->sites);
    add_moments(p->moment, f->moment, f->nbuckets);
    add_moments(w->found.moment, f->moment, f->nbuckets);
    for (int i = 0; i < f->ninjections && store_keeps(p); i++) {
        struct store_injection one = f->injection[i].i;
        one.id = f->text + f->injection[i].id;
        one.reason = f->text + f->injection[i].reason;
        one.words = (const uint8_t *)f->text + f->injection[i].words;
        s->waiting += one.words_size / WORDS_OF_ONE;
        store_found_inject(&w->found, &one);
    }
    s->waiting += store_keeps(p) ? (size_t)f->ninjections : 0;
    w->any = true;
}

void store_finish_units(struct store *s, int part, uint64_t first, uint64_t last)
{
    store_units_add(&s->done[part], first, last);
    store_units_add(&s->pending[part].done, first, last);
    s->pending[part].any = true;
}

void store_wait_for_room(struct store *s)
{
    while (s->waiting > MAX_PENDING_INJECTIONS && !s->broken) {
        pthread_cond_signal(&s->tick);
        pthread_cond_wait(&s->drained, &s->lock);
    }
}

int store_put(struct store *s, int part, uint64_t unit, const struct store_found *found,
              struct fl_err *err)
{
    int bad = 0;
    pthread_mutex_lock(&s->lock);
    store_wait_for_room(s);
    if (s->broken)
        bad = fl_fail(err, "%s", s->why.msg);
    else if (store_units_has(&s->done[part], unit))
        bad = fl_fail(err, "%s: unit %llu of %s is done already", name_of(s),
                      (unsigned long long)unit, s->result.part[part].target);
    else {
        store_absorb(s, part, found);
        store_finish_units(s, part, unit, unit);
    }
    pthread_mutex_unlock(&s->lock);
    return bad;
}

/* ---- in the file ----------------------------------------------------------------------------- */

/* A kind that was counted: more of it. */
#define ADD_KIND(table)                                                                            \
    "INSERT INTO " table " VALUES(?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE SET n = n + ?4"

static int write_injections(struct store *s, int part, const struct store_found *f,
                            struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; i < f->ninjections && !bad; i++) {
        const struct store_injection *in = &f->injection[i].i;
        bad = STORE_WRITE(
            s, err, "INSERT INTO injection VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            as_int(injection_key(part, in->number)), as_int(in->kernel),
            as_text(f->text + f->injection[i].id), as_int(s->outcomes.number[in->outcome]),
            as_text(f->text + f->injection[i].reason),
            as_known(in->first_activation != FSIM_NEVER, as_u64(in->first_activation)),
            as_known(in->end != FSIM_NEVER, as_u64(in->end)), as_int(in->ran), as_int(in->elements),
            as_real(in->by), as_known(in->place, as_u64(in->place)),
            as_known(in->untestable != STORE_UNKNOWN, as_int(in->untestable)),
            as_known(in->unwritten != STORE_UNKNOWN, as_int(in->unwritten)));
        const struct anatomy *a = &in->anatomy;
        if (!bad && a->writers != WRITERS_UNKNOWN)
            bad = STORE_WRITE(s, err,
                              "INSERT INTO pattern VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                              "?, ?, ?, ?, ?, ?)",
                              as_int(injection_key(part, in->number)), as_int(a->value[VALUE_NAN]),
                              as_int(a->value[VALUE_INF]), as_int(a->value[VALUE_ZERO]),
                              as_int(a->value[VALUE_SIGN]), as_int(a->value[VALUE_EXPONENT]),
                              as_int(a->value[VALUE_MANTISSA]), as_int(a->value[VALUE_FIELDS]),
                              as_int(a->value[VALUE_OTHER]), as_int(a->bits[BITS_1]),
                              as_int(a->bits[BITS_2_4]), as_int(a->bits[BITS_5_8]),
                              as_int(a->bits[BITS_MORE]), as_u64(a->up), as_u64(a->down),
                              as_real(a->median), as_text(anatomy_writers[a->writers]),
                              as_int(a->period), as_int(a->lanes));
        if (!bad && in->words_size)
            bad = STORE_WRITE(s, err, "INSERT INTO words VALUES(?, ?)",
                              as_int(injection_key(part, in->number)),
                              as_bytes(f->text + f->injection[i].words, in->words_size));
    }
    return bad;
}

static bool all_zero(const uint64_t *v, int n)
{
    for (int i = 0; i < n; i++)
        if (v[i])
            return false;
    return true;
}

/* A row for each kind that was counted, of a launch or a piece of time. */
static int write_kinds(struct store *s, const char *sql, int part, int row, const struct kinds *k,
                       const uint64_t *n, struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; i < k->count && !bad; i++)
        if (n[i])
            bad = STORE_WRITE(s, err, sql, as_int(part), as_int(row), as_int(k->number[i]),
                              as_u64(n[i]));
    return bad;
}

static int write_launch(struct store *s, int part, int launch, const struct tally *t,
                        struct fl_err *err)
{
    const uint64_t v[] = {t->owned_counted, t->owned_failed, t->not_run,
                          t->ace,           t->groups,       t->runs};
    if (!all_zero(v, 6) &&
        STORE_WRITE(s, err,
                    "UPDATE tally SET owned_counted = owned_counted + ?3, owned_failed = "
                    "owned_failed + ?4, not_run = not_run + ?5, ace = ace + ?6, groups = groups + "
                    "?7, runs = runs + ?8 WHERE part = ?1 AND launch = ?2",
                    as_int(part), as_int(launch), as_u64(v[0]), as_u64(v[1]), as_u64(v[2]),
                    as_u64(v[3]), as_u64(v[4]), as_u64(v[5])) != 0)
        return -1;
    return write_kinds(s, ADD_KIND("tally_outcome"), part, launch, &s->outcomes, t->outcome, err) !=
                       0 ||
                   write_kinds(s, ADD_KIND("tally_reason"), part, launch, &s->reasons, t->reason,
                               err) != 0 ||
                   write_kinds(s, ADD_KIND("tally_extent"), part, launch, &s->extents, t->extent,
                               err) != 0
               ? -1
               : 0;
}

static int write_site(struct store *s, int part, const struct site *at, struct fl_err *err)
{
    int bad = 0;
    for (int o = 0; o < OUT_COUNT && !bad; o++)
        if (at->outcome[o])
            bad = STORE_WRITE(s, err,
                              "INSERT INTO site VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO "
                              "UPDATE SET n = n + ?7",
                              as_int(part), as_int(at->role), as_int(at->kernel), as_int(at->pc),
                              as_int(at->reg), as_int(s->outcomes.number[o]),
                              as_u64(at->outcome[o]));
    return bad;
}

static int write_moment(struct store *s, int part, int bucket, const struct moment *m,
                        struct fl_err *err)
{
    const uint64_t v[] = {m->owned_counted, m->owned_failed, m->ace};
    if (!all_zero(v, 3) &&
        STORE_WRITE(s, err,
                    "UPDATE moment SET owned_counted = owned_counted + ?3, owned_failed = "
                    "owned_failed + ?4, ace = ace + ?5 WHERE part = ?1 AND bucket = ?2",
                    as_int(part), as_int(bucket), as_u64(v[0]), as_u64(v[1]), as_u64(v[2])) != 0)
        return -1;
    return write_kinds(s, ADD_KIND("moment_outcome"), part, bucket, &s->outcomes, m->outcome, err);
}

static int write_counts(struct store *s, int part, const struct store_found *f, struct fl_err *err)
{
    int bad = 0;
    for (int k = 0; k < f->ntallies && !bad; k++)
        bad = write_launch(s, part, k, &f->tally[k], err);
    for (int i = 0; i < f->sites.count && !bad; i++)
        bad = write_site(s, part, &f->sites.site[i], err);
    for (int b = 0; b < f->nbuckets && !bad; b++)
        bad = write_moment(s, part, b, &f->moment[b], err);
    return bad;
}

static int write_done(struct store *s, int part, const struct units *done, struct fl_err *err)
{
    int bad = 0;
    for (size_t i = 0; i < done->nruns && !bad; i++)
        bad = STORE_WRITE(s, err, "INSERT INTO done VALUES(?, ?, ?)", as_int(part),
                          as_u64(done->run[i].first), as_u64(done->run[i].last));
    return bad;
}

static int write_size(struct store *s, int part, const struct pending *w, struct fl_err *err)
{
    return STORE_WRITE(s, err, "UPDATE part SET units = ?2, flips = ?3 WHERE part = ?1",
                       as_int(part), as_u64(w->units), as_u64(w->flips)) != 0 ||
                   store_put_campaign(s, "size", s->wanted, err) != 0 ||
                   store_put_campaign(s, "finished", "0", err) != 0
               ? -1
               : 0;
}

static int write_pending(struct store *s, int part, struct pending *w, struct fl_err *err)
{
    if (!w->any)
        return 0;
    return (w->resized && write_size(s, part, w, err) != 0) ||
                   write_injections(s, part, &w->found, err) != 0 ||
                   write_counts(s, part, &w->found, err) != 0 ||
                   write_done(s, part, &w->done, err) != 0
               ? -1
               : 0;
}

void store_pending_free(struct pending *w, int n)
{
    for (int p = 0; p < n; p++) {
        store_found_free(&w[p].found);
        free(w[p].done.run);
    }
    free(w);
}

static struct pending *pending_new(const struct store *s)
{
    struct pending *w = fl_alloc((size_t)s->result.nparts * sizeof *w);
    for (int p = 0; p < s->result.nparts; p++)
        store_found_make(&w[p].found, s, p);
    return w;
}

int store_commit(struct store *s, struct fl_err *err)
{
    struct fl_err why = {""};
    int bad = 0, nparts;
    pthread_mutex_lock(&s->file_lock);
    pthread_mutex_lock(&s->lock);
    struct pending *w = s->pending;
    bool any = false;
    nparts = s->result.nparts;
    for (int p = 0; p < nparts; p++)
        any |= w[p].any;
    bad = s->broken;
    if (any && !bad)
        s->pending = pending_new(s);
    why = s->why;
    pthread_mutex_unlock(&s->lock);
    if (any && !bad) {
        bad = store_begin(s, &why) != 0;
        if (!bad) {
            for (int p = 0; p < nparts && !bad; p++)
                bad = write_pending(s, p, &w[p], &why) != 0;
            bad = store_end(s, bad, &why) != 0;
        }
        pthread_mutex_lock(&s->lock);
        for (int p = 0; p < nparts; p++)
            s->waiting -= (size_t)w[p].found.ninjections;
        s->broken |= bad;
        if (bad)
            s->why = why;
        pthread_cond_broadcast(&s->drained);
        pthread_mutex_unlock(&s->lock);
        store_pending_free(w, nparts);
    }
    pthread_mutex_unlock(&s->file_lock);
    return bad ? fl_fail(err, "%s", why.msg) : 0;
}

void *store_commit_now_and_then(void *arg)
{
    struct store *s = arg;
    pthread_mutex_lock(&s->lock);
    while (!s->stopping) {
        struct timespec at;
        clock_gettime(CLOCK_MONOTONIC, &at);
        at.tv_nsec += COMMIT_MS * 1000000l;
        at.tv_sec += at.tv_nsec / 1000000000;
        at.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&s->tick, &s->lock, &at);
        pthread_mutex_unlock(&s->lock);
        store_commit(s, NULL); /* an error stays in s->why for the next put */
        pthread_mutex_lock(&s->lock);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}
