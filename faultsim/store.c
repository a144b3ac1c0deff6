/* store.c -- sums in memory, the same sums in an SQLite file, and a thread that carries the one over to the other.
 *
 * store_put adds a unit to `result` and to `pending`, both under `lock`. A commit takes `pending` away under `lock` and
 * writes it as one transaction under `file_lock`: what happened since the last one, with the units that are done, so the
 * file is at every moment the exact sum of the units it lists. Workers wait for the disk only when injections pile up.
 *
 * The file is locked for as long as it is open (locking_mode EXCLUSIVE): kill -9 frees the lock, nothing else needs to.
 * A rollback journal, not a write-ahead log: one file at rest, and it works on the network file systems of clusters.
 */
#include "store.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "stats.h"
#include "store_schema.h"

enum { COMMIT_MS = 500, MAX_PENDING_INJECTIONS = 1 << 18 };

struct bits { /* which units are done */
    uint64_t *word;
    uint64_t nwords, count;
};

struct unit_run { /* units first .. last of a part */
    uint64_t first, last;
};

struct pending { /* of one part, since the last commit */
    struct store_found found;
    struct unit_run *done;
    size_t ndone, done_room;
    bool any;
};

enum statement { ADD_TALLY, ADD_SITE, ADD_MOMENT, ADD_DONE, ADD_INJECTION, STATEMENTS };

struct store {
    sqlite3 *db;
    char *path; /* for messages; "" when the file is a temporary one */
    char *options;
    int shard, shards;
    bool read_only;
    int declared;    /* parts that this run has declared */
    bool *job_known; /* [njobs]: kernels and timeline are in `result` */
    struct result result;
    struct bits *done;       /* [nparts] */
    struct pending *pending; /* [nparts] */
    size_t waiting;          /* injections pending */
    pthread_mutex_t lock;    /* result, done, pending, waiting, broken */
    pthread_mutex_t file_lock;
    pthread_cond_t tick, drained;
    pthread_t committer;
    bool has_committer, stopping, broken;
    struct fl_err why; /* when broken */
    sqlite3_stmt *statement[STATEMENTS];
};

/* ---- SQLite, with messages ----------------------------------------------------------------------------------------- */

static const char *name_of(const struct store *s)
{
    return s->path[0] ? s->path : "the temporary store";
}

static int complain(struct store *s, struct fl_err *err)
{
    int code = sqlite3_extended_errcode(s->db);
    const char *text = sqlite3_errmsg(s->db);
    switch (code & 0xff) {
    case SQLITE_BUSY:
        return fl_fail(err,
                       "%s: another process works on this store; wait for it, or give this one a "
                       "file of its own",
                       name_of(s));
    case SQLITE_NOTADB: return fl_fail(err, "%s: is no campaign store", name_of(s));
    case SQLITE_CORRUPT:
        return fl_fail(err, "%s: is damaged (%s); start the campaign again in another file",
                       name_of(s), text);
    case SQLITE_FULL:
    case SQLITE_IOERR:
        return fl_fail(err,
                       "%s: cannot be written (%s); what was committed is safe: make room, then "
                       "go on with --resume",
                       name_of(s), code == SQLITE_FULL ? "the disk is full" : text);
    default: return fl_fail(err, "%s: %s", name_of(s), text);
    }
}

static int run_sql(struct store *s, const char *sql, struct fl_err *err)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : complain(s, err);
}

static sqlite3_stmt *prepare(struct store *s, const char *sql, struct fl_err *err)
{
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK)
        complain(s, err);
    return q;
}

/* 1: a row, 0: the end, -1 */
static int step(struct store *s, sqlite3_stmt *q, struct fl_err *err)
{
    int r = sqlite3_step(q);
    return r == SQLITE_ROW ? 1 : r == SQLITE_DONE ? 0 : complain(s, err);
}

static int write_row(struct store *s, sqlite3_stmt *q, struct fl_err *err)
{
    int bad = step(s, q, err) < 0;
    sqlite3_reset(q);
    return bad ? -1 : 0;
}

static void bind_u64s(sqlite3_stmt *q, int from, const uint64_t *v, int n)
{
    for (int i = 0; i < n; i++)
        sqlite3_bind_int64(q, from + i, (sqlite3_int64)v[i]);
}

static void read_u64s(sqlite3_stmt *q, int from, uint64_t *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = (uint64_t)sqlite3_column_int64(q, from + i);
}

static void bind_text(sqlite3_stmt *q, int at, const char *text)
{
    sqlite3_bind_text(q, at, text, -1, SQLITE_STATIC);
}

static const char *column(sqlite3_stmt *q, int at)
{
    const unsigned char *t = sqlite3_column_text(q, at);
    return t ? (const char *)t : "";
}

/* ---- sets of units ------------------------------------------------------------------------------------------------- */

static bool bits_has(const struct bits *b, uint64_t unit)
{
    return unit / 64 < b->nwords && b->word[unit / 64] >> unit % 64 & 1;
}

static void bits_add(struct bits *b, uint64_t unit)
{
    if (unit / 64 >= b->nwords) {
        uint64_t room = 2 * (unit / 64) + 16;
        b->word = fl_grow(b->word, (size_t)room, sizeof *b->word);
        memset(b->word + b->nwords, 0, (size_t)(room - b->nwords) * sizeof *b->word);
        b->nwords = room;
    }
    if (!bits_has(b, unit)) {
        b->word[unit / 64] |= 1ull << unit % 64;
        b->count++;
    }
}

/* ---- what a unit found --------------------------------------------------------------------------------------------- */

void store_found_make(struct store_found *f, const struct store *s, int part)
{
    const struct result_job *job = &s->result.job[s->result.part[part].job];
    *f = (struct store_found){.nkernels = job->nkernels, .nbuckets = job->timeline.buckets};
    f->tally = fl_alloc((size_t)f->nkernels * sizeof *f->tally);
    f->moment = fl_alloc((size_t)f->nbuckets * sizeof *f->moment);
}

static size_t keep_text(struct store_found *f, const char *text)
{
    size_t n = strlen(text) + 1, at = f->text_used;
    if (at + n > f->text_room) {
        f->text_room = 2 * (at + n) + 1024;
        f->text = fl_grow(f->text, f->text_room, 1);
    }
    memcpy(f->text + at, text, n);
    f->text_used += n;
    return at;
}

void store_found_inject(struct store_found *f, const struct store_injection *i)
{
    if (f->ninjections == f->room) {
        f->room = f->room ? 2 * f->room : 64;
        f->injection = fl_grow(f->injection, (size_t)f->room, sizeof *f->injection);
    }
    size_t id = keep_text(f, i->id), reason = keep_text(f, i->reason);
    f->injection[f->ninjections++] = (struct store_kept){*i, id, reason};
}

void store_found_clear(struct store_found *f)
{
    memset(f->tally, 0, (size_t)f->nkernels * sizeof *f->tally);
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

/* To the sums and to what waits for the file; under `lock`. */
static void absorb(struct store *s, int part, const struct store_found *f)
{
    struct result_part *p = &s->result.part[part];
    struct pending *w = &s->pending[part];
    for (int k = 0; k < f->nkernels; k++) {
        tally_count(&p->tally[k], &f->tally[k]);
        tally_count(&w->found.tally[k], &f->tally[k]);
    }
    sites_add(&p->sites, &f->sites);
    sites_add(&w->found.sites, &f->sites);
    add_moments(p->moment, f->moment, f->nbuckets);
    add_moments(w->found.moment, f->moment, f->nbuckets);
    for (int i = 0; i < f->ninjections; i++) {
        struct store_injection one = f->injection[i].i;
        one.id = f->text + f->injection[i].id;
        one.reason = f->text + f->injection[i].reason;
        store_found_inject(&w->found, &one);
    }
    s->waiting += (size_t)f->ninjections;
    w->any = true;
}

static void finish_units(struct store *s, int part, uint64_t first, uint64_t last)
{
    struct pending *w = &s->pending[part];
    for (uint64_t u = first; u <= last; u++)
        bits_add(&s->done[part], u);
    w->any = true;
    if (w->ndone && w->done[w->ndone - 1].last + 1 == first) {
        w->done[w->ndone - 1].last = last;
        return;
    }
    if (w->ndone == w->done_room) {
        w->done_room = w->done_room ? 2 * w->done_room : 64;
        w->done = fl_grow(w->done, w->done_room, sizeof *w->done);
    }
    w->done[w->ndone++] = (struct unit_run){first, last};
}

/* ---- commit -------------------------------------------------------------------------------------------------------- */

#define COUNTS                                                                                     \
    "counted, masked, performance, sdc, crash, timeout, hang, idle, overwritten, logic, fails, "   \
    "owned_counted, owned_failed, unread, ace, groups, runs"
enum { NCOUNTS = 17 };

static void counts_of(const struct tally *t, uint64_t v[NCOUNTS])
{
    int n = 0;
    v[n++] = t->counted;
    for (int o = 0; o < OUT_COUNT; o++)
        v[n++] = t->outcome[o];
    for (int r = 0; r < REASON_COUNT; r++)
        v[n++] = t->reason[r];
    v[n++] = t->owned_counted;
    v[n++] = t->owned_failed;
    v[n++] = t->unread;
    v[n++] = t->ace;
    v[n++] = t->groups;
    v[n++] = t->runs;
}

static void set_counts(struct tally *t, const uint64_t v[NCOUNTS])
{
    int n = 0;
    t->counted = v[n++];
    for (int o = 0; o < OUT_COUNT; o++)
        t->outcome[o] = v[n++];
    for (int r = 0; r < REASON_COUNT; r++)
        t->reason[r] = v[n++];
    t->owned_counted = v[n++];
    t->owned_failed = v[n++];
    t->unread = v[n++];
    t->ace = v[n++];
    t->groups = v[n++];
    t->runs = v[n++];
}

static const char *const statement_sql[STATEMENTS] = {
    [ADD_TALLY] = "UPDATE tally SET counted = counted + ?3, masked = masked + ?4, "
                  "performance = performance + ?5, sdc = sdc + ?6, crash = crash + ?7, "
                  "timeout = timeout + ?8, hang = hang + ?9, idle = idle + ?10, "
                  "overwritten = overwritten + ?11, logic = logic + ?12, fails = fails + ?13, "
                  "owned_counted = owned_counted + ?14, owned_failed = owned_failed + ?15, "
                  "unread = unread + ?16, ace = ace + ?17, groups = groups + ?18, "
                  "runs = runs + ?19 WHERE part = ?1 AND kernel = ?2",
    [ADD_SITE] = "INSERT INTO site VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO "
                 "UPDATE SET masked = masked + ?5, performance = performance + ?6, sdc = sdc + ?7, "
                 "crash = crash + ?8, timeout = timeout + ?9, hang = hang + ?10",
    [ADD_MOMENT] = "UPDATE moment SET masked = masked + ?3, performance = performance + ?4, "
                   "sdc = sdc + ?5, crash = crash + ?6, timeout = timeout + ?7, hang = hang + ?8, "
                   "owned_counted = owned_counted + ?9, owned_failed = owned_failed + ?10, "
                   "ace = ace + ?11 WHERE part = ?1 AND bucket = ?2",
    [ADD_DONE] = "INSERT INTO done VALUES(?1, ?2, ?3)",
    [ADD_INJECTION] = "INSERT INTO injection VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
};

static int prepare_statements(struct store *s, struct fl_err *err)
{
    for (int i = 0; i < STATEMENTS; i++)
        if (!s->statement[i] && !(s->statement[i] = prepare(s, statement_sql[i], err)))
            return -1;
    return 0;
}

static sqlite3_int64 injection_key(int part, uint64_t number) /* as in store_schema.c */
{
    return ((sqlite3_int64)part << 40) + (sqlite3_int64)number;
}

static int write_injections(struct store *s, int part, const struct store_found *f,
                            struct fl_err *err)
{
    sqlite3_stmt *q = s->statement[ADD_INJECTION];
    for (int i = 0; i < f->ninjections; i++) {
        const struct store_injection *in = &f->injection[i].i;
        sqlite3_bind_int64(q, 1, injection_key(part, in->number));
        sqlite3_bind_int(q, 2, in->kernel);
        bind_text(q, 3, f->text + f->injection[i].id);
        sqlite3_bind_int(q, 4, (int)in->outcome);
        bind_text(q, 5, f->text + f->injection[i].reason);
        const uint64_t cycle[2] = {in->first_activation, in->end};
        for (int c = 0; c < 2; c++) {
            if (cycle[c] == FSIM_NEVER)
                sqlite3_bind_null(q, 6 + c);
            else
                sqlite3_bind_int64(q, 6 + c, (sqlite3_int64)cycle[c]);
        }
        sqlite3_bind_int(q, 8, in->ran);
        if (write_row(s, q, err) != 0)
            return -1;
    }
    return 0;
}

static bool all_zero(const uint64_t *v, int n)
{
    for (int i = 0; i < n; i++)
        if (v[i])
            return false;
    return true;
}

static int write_counts(struct store *s, int part, const struct store_found *f, struct fl_err *err)
{
    sqlite3_stmt *q = s->statement[ADD_TALLY];
    for (int k = 0; k < f->nkernels; k++) {
        uint64_t v[NCOUNTS];
        counts_of(&f->tally[k], v);
        if (all_zero(v, NCOUNTS))
            continue;
        sqlite3_bind_int(q, 1, part);
        sqlite3_bind_int(q, 2, k);
        bind_u64s(q, 3, v, NCOUNTS);
        if (write_row(s, q, err) != 0)
            return -1;
    }
    q = s->statement[ADD_SITE];
    for (int i = 0; i < f->sites.count; i++) {
        const struct site *site = &f->sites.site[i];
        sqlite3_bind_int(q, 1, part);
        sqlite3_bind_int(q, 2, site->kernel);
        sqlite3_bind_int64(q, 3, site->pc);
        sqlite3_bind_int(q, 4, site->reg);
        bind_u64s(q, 5, site->outcome, OUT_COUNT);
        if (write_row(s, q, err) != 0)
            return -1;
    }
    q = s->statement[ADD_MOMENT];
    for (int b = 0; b < f->nbuckets; b++) {
        const struct moment *m = &f->moment[b];
        const uint64_t more[3] = {m->owned_counted, m->owned_failed, m->ace};
        if (all_zero(m->outcome, OUT_COUNT) && all_zero(more, 3))
            continue;
        sqlite3_bind_int(q, 1, part);
        sqlite3_bind_int(q, 2, b);
        bind_u64s(q, 3, m->outcome, OUT_COUNT);
        bind_u64s(q, 3 + OUT_COUNT, more, 3);
        if (write_row(s, q, err) != 0)
            return -1;
    }
    return 0;
}

static int by_first(const void *a, const void *b)
{
    const struct unit_run *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static int write_done(struct store *s, int part, struct pending *w, struct fl_err *err)
{
    sqlite3_stmt *q = s->statement[ADD_DONE];
    qsort(w->done, w->ndone, sizeof *w->done, by_first);
    for (size_t i = 0; i < w->ndone;) {
        struct unit_run run = w->done[i++];
        for (; i < w->ndone && w->done[i].first == run.last + 1; i++)
            run.last = w->done[i].last;
        sqlite3_bind_int(q, 1, part);
        bind_u64s(q, 2, &run.first, 1);
        bind_u64s(q, 3, &run.last, 1);
        if (write_row(s, q, err) != 0)
            return -1;
    }
    return 0;
}

static int write_pending(struct store *s, int part, struct pending *w, struct fl_err *err)
{
    if (!w->any)
        return 0;
    return write_injections(s, part, &w->found, err) != 0 ||
                   write_counts(s, part, &w->found, err) != 0 || write_done(s, part, w, err) != 0
               ? -1
               : 0;
}

static void pending_free(struct pending *w, int n)
{
    for (int p = 0; p < n; p++) {
        store_found_free(&w[p].found);
        free(w[p].done);
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

/* Under file_lock. */
static int begin(struct store *s, struct fl_err *err)
{
    return run_sql(s, "BEGIN IMMEDIATE", err);
}

static int end(struct store *s, int bad, struct fl_err *err)
{
    if (!bad && run_sql(s, "COMMIT", err) == 0)
        return 0;
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return -1;
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
        bad = prepare_statements(s, &why) != 0 || begin(s, &why) != 0;
        if (!bad) {
            for (int p = 0; p < nparts && !bad; p++)
                bad = write_pending(s, p, &w[p], &why) != 0;
            bad = end(s, bad, &why) != 0;
        }
        pthread_mutex_lock(&s->lock);
        for (int p = 0; p < nparts; p++)
            s->waiting -= (size_t)w[p].found.ninjections;
        s->broken |= bad;
        if (bad)
            s->why = why;
        pthread_cond_broadcast(&s->drained);
        pthread_mutex_unlock(&s->lock);
        pending_free(w, nparts);
    }
    pthread_mutex_unlock(&s->file_lock);
    return bad ? fl_fail(err, "%s", why.msg) : 0;
}

static void *commit_now_and_then(void *arg)
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

int store_put(struct store *s, int part, uint64_t unit, const struct store_found *found,
              struct fl_err *err)
{
    int bad = 0;
    pthread_mutex_lock(&s->lock);
    while (s->waiting > MAX_PENDING_INJECTIONS && !s->broken) {
        pthread_cond_signal(&s->tick);
        pthread_cond_wait(&s->drained, &s->lock);
    }
    if (s->broken)
        bad = fl_fail(err, "%s", s->why.msg);
    else if (bits_has(&s->done[part], unit))
        bad = fl_fail(err, "%s: unit %llu of %s is done already", name_of(s),
                      (unsigned long long)unit, s->result.part[part].target);
    else {
        absorb(s, part, found);
        finish_units(s, part, unit, unit);
    }
    pthread_mutex_unlock(&s->lock);
    return bad;
}

/* ---- reading a file into memory ------------------------------------------------------------------------------------ */

static int load_jobs(struct store *s, struct fl_err *err)
{
    struct result *r = &s->result;
    sqlite3_stmt *q = prepare(s,
                              "SELECT name, digest, profile, clock_mhz, warps, regs, "
                              "shared_bytes, steady FROM job ORDER BY job",
                              err);
    int more = q ? 0 : -1;
    while (q && (more = step(s, q, err)) > 0) {
        r->job = fl_grow(r->job, (size_t)r->njobs + 1, sizeof *r->job);
        struct result_job *j = &r->job[r->njobs++];
        *j = (struct result_job){.name = fl_strdup(column(q, 0)),
                                 .profile = fl_strdup(column(q, 2)),
                                 .clock_mhz = sqlite3_column_double(q, 3),
                                 .warps = sqlite3_column_int(q, 4),
                                 .regs = sqlite3_column_int(q, 5),
                                 .shared_bytes = (uint32_t)sqlite3_column_int64(q, 6)};
        strncpy(j->digest, column(q, 1), 64);
        j->timeline.steady = sqlite3_column_int(q, 7);
    }
    sqlite3_finalize(q);
    return more;
}

static int load_kernels(struct store *s, struct fl_err *err)
{
    sqlite3_stmt *q = prepare(s,
                              "SELECT job, name, cycles, warp_cycles, thread_cycles, "
                              "block_cycles, regs_per_thread, block_shared FROM kernel "
                              "ORDER BY job, kernel",
                              err);
    int more = q ? 0 : -1;
    while (q && (more = step(s, q, err)) > 0) {
        int job = sqlite3_column_int(q, 0);
        if (job < 0 || job >= s->result.njobs)
            continue;
        struct result_job *j = &s->result.job[job];
        j->kernel = fl_grow(j->kernel, (size_t)j->nkernels + 1, sizeof *j->kernel);
        struct result_kernel *k = &j->kernel[j->nkernels++];
        uint64_t v[4];
        read_u64s(q, 2, v, 4);
        *k = (struct result_kernel){.name = fl_strdup(column(q, 1)),
                                    .cycles = v[0],
                                    .warp_cycles = v[1],
                                    .thread_cycles = v[2],
                                    .block_cycles = v[3],
                                    .regs_per_thread = sqlite3_column_int(q, 6),
                                    .block_shared = (uint32_t)sqlite3_column_int64(q, 7)};
    }
    sqlite3_finalize(q);
    return more;
}

static int load_code(struct store *s, struct fl_err *err)
{
    sqlite3_stmt *q = prepare(s, "SELECT job, kernel, pc, text FROM code ORDER BY job, kernel, pc",
                              err);
    int more = q ? 0 : -1;
    while (q && (more = step(s, q, err)) > 0) {
        int job = sqlite3_column_int(q, 0);
        if (job < 0 || job >= s->result.njobs)
            continue;
        struct result_job *j = &s->result.job[job];
        j->code = fl_grow(j->code, (size_t)j->ncode + 1, sizeof *j->code);
        j->code[j->ncode++] = (struct result_code){.kernel = sqlite3_column_int(q, 1),
                                                   .pc = (uint32_t)sqlite3_column_int64(q, 2),
                                                   .text = fl_strdup(column(q, 3))};
    }
    sqlite3_finalize(q);
    return more;
}

static int load_timelines(struct store *s, struct fl_err *err)
{
    sqlite3_stmt *q = prepare(
        s, "SELECT job, first_cycle, cycles, kernel FROM bucket ORDER BY job, bucket", err);
    int more = q ? 0 : -1;
    while (q && (more = step(s, q, err)) > 0) {
        int job = sqlite3_column_int(q, 0);
        if (job < 0 || job >= s->result.njobs)
            continue;
        struct timeline *t = &s->result.job[job].timeline;
        t->edge = fl_grow(t->edge, (size_t)t->buckets + 2, sizeof *t->edge);
        t->kernel = fl_grow(t->kernel, (size_t)t->buckets + 1, sizeof *t->kernel);
        t->kernel[t->buckets] = sqlite3_column_int(q, 3);
        t->edge[t->buckets++] = (uint64_t)sqlite3_column_int64(q, 1);
        t->edge[t->buckets] = t->edge[t->buckets - 1] + (uint64_t)sqlite3_column_int64(q, 2);
    }
    sqlite3_finalize(q);
    return more;
}

static enum tally_method method_of(const char *name)
{
    for (int m = METHOD_EXACT; m <= METHOD_ACE; m++)
        if (strcmp(tally_method_name((enum tally_method)m), name) == 0)
            return (enum tally_method)m;
    return METHOD_EXACT;
}

/* Room for one more part, in all arrays that have one entry a part; under `lock`. */
static struct result_part *add_part(struct store *s, int job)
{
    struct result *r = &s->result;
    size_t n = (size_t)r->nparts;
    int kernels = r->job[job].nkernels, buckets = r->job[job].timeline.buckets;
    r->part = fl_grow(r->part, n + 1, sizeof *r->part);
    s->done = fl_grow(s->done, n + 1, sizeof *s->done);
    s->pending = fl_grow(s->pending, n + 1, sizeof *s->pending);
    r->part[n] = (struct result_part){.job = job};
    r->part[n].tally = fl_alloc((size_t)kernels * sizeof(struct tally));
    r->part[n].moment = fl_alloc((size_t)buckets * sizeof(struct moment));
    s->done[n] = (struct bits){0};
    s->pending[n] = (struct pending){0};
    r->nparts++;
    store_found_make(&s->pending[n].found, s, (int)n);
    return &r->part[n];
}

static int load_parts(struct store *s, struct fl_err *err)
{
    sqlite3_stmt *q = prepare(
        s, "SELECT job, target, engine, method, confidence, units FROM part ORDER BY part", err);
    int more = q ? 0 : -1;
    while (q && (more = step(s, q, err)) > 0) {
        int job = sqlite3_column_int(q, 0);
        if (job < 0 || job >= s->result.njobs) {
            more = fl_fail(err, "%s: is damaged: a part without a job", name_of(s));
            break;
        }
        struct result_part *p = add_part(s, job);
        p->target = fl_strdup(column(q, 1));
        p->engine = fl_strdup(column(q, 2));
        p->method = method_of(column(q, 3));
        p->confidence = sqlite3_column_double(q, 4);
        p->units = (uint64_t)sqlite3_column_int64(q, 5);
    }
    sqlite3_finalize(q);
    return more;
}

static struct result_part *part_of_row(struct store *s, sqlite3_stmt *q)
{
    int part = sqlite3_column_int(q, 0);
    return part >= 0 && part < s->result.nparts ? &s->result.part[part] : NULL;
}

static int load_counts(struct store *s, struct fl_err *err)
{
    struct result_part *p;
    sqlite3_stmt *q = prepare(s,
                              "SELECT part, kernel, bits, cycles, population, owned, "
                              "warp_cycles, " COUNTS " FROM tally",
                              err);
    int more = q ? 0 : -1;
    while (q && (more = step(s, q, err)) > 0) {
        int k = sqlite3_column_int(q, 1);
        uint64_t v[5 + NCOUNTS];
        if (!(p = part_of_row(s, q)) || k < 0 || k >= s->result.job[p->job].nkernels)
            continue;
        read_u64s(q, 2, v, 5 + NCOUNTS);
        p->tally[k] = (struct tally){
            .bits = v[0], .cycles = v[1], .population = v[2], .owned = v[3], .warp_cycles = v[4]};
        set_counts(&p->tally[k], v + 5);
    }
    sqlite3_finalize(q);
    if (more < 0 || !(q = prepare(s, "SELECT * FROM site", err)))
        return -1;
    while ((more = step(s, q, err)) > 0) {
        uint64_t v[OUT_COUNT];
        if (!(p = part_of_row(s, q)))
            continue;
        read_u64s(q, 4, v, OUT_COUNT);
        for (int o = 0; o < OUT_COUNT; o++)
            sites_count(&p->sites, sqlite3_column_int(q, 1), (uint32_t)sqlite3_column_int64(q, 2),
                        sqlite3_column_int(q, 3), (enum fsim_outcome)o, v[o]);
    }
    sqlite3_finalize(q);
    if (more < 0 || !(q = prepare(s, "SELECT * FROM moment", err)))
        return -1;
    while ((more = step(s, q, err)) > 0) {
        int b = sqlite3_column_int(q, 1);
        if (!(p = part_of_row(s, q)) || b < 0 || b >= s->result.job[p->job].timeline.buckets)
            continue;
        struct moment *m = &p->moment[b];
        read_u64s(q, 2, &m->owned, 1);
        read_u64s(q, 3, m->outcome, OUT_COUNT);
        read_u64s(q, 3 + OUT_COUNT, &m->owned_counted, 1);
        read_u64s(q, 4 + OUT_COUNT, &m->owned_failed, 1);
        read_u64s(q, 5 + OUT_COUNT, &m->ace, 1);
    }
    sqlite3_finalize(q);
    return more;
}

static int load_done(struct store *s, struct fl_err *err)
{
    sqlite3_stmt *q = prepare(s, "SELECT part, first, last FROM done", err);
    int more = q ? 0 : -1;
    while (q && (more = step(s, q, err)) > 0) {
        uint64_t v[2];
        struct result_part *p = part_of_row(s, q);
        read_u64s(q, 1, v, 2);
        if (!p || v[1] >= p->units) {
            more = fl_fail(err, "%s: is damaged: units are done that nobody asked for", name_of(s));
            break;
        }
        for (uint64_t u = v[0]; u <= v[1]; u++)
            bits_add(&s->done[p - s->result.part], u);
    }
    sqlite3_finalize(q);
    return more;
}

static char *campaign_value(struct store *s, const char *name, struct fl_err *err)
{
    char *value = NULL;
    sqlite3_stmt *q = prepare(s, "SELECT value FROM campaign WHERE name = ?", err);
    if (!q)
        return NULL;
    bind_text(q, 1, name);
    int more = step(s, q, err);
    if (more > 0)
        value = fl_strdup(column(q, 0));
    else if (more == 0)
        fl_fail(err, "%s: is damaged: it does not say its %s", name_of(s), name);
    sqlite3_finalize(q);
    return value;
}

static int pragma(struct store *s, const char *name)
{
    char *sql = fl_format("PRAGMA %s", name);
    sqlite3_stmt *q = prepare(s, sql, NULL);
    int v = q && sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int(q, 0) : 0;
    sqlite3_finalize(q);
    free(sql);
    return v;
}

static int load(struct store *s, struct fl_err *err)
{
    if (pragma(s, "application_id") != STORE_APPLICATION)
        return fl_fail(err, "%s: is no campaign store", name_of(s));
    int format = pragma(s, "user_version");
    if (format != STORE_FORMAT)
        return fl_fail(err,
                       "%s: was written by another version of faultsim (store format %d, this one "
                       "has %d); use that version, or start the campaign again in another file",
                       name_of(s), format, STORE_FORMAT);
    char *shard = campaign_value(s, "shard", err);
    char *shards = shard ? campaign_value(s, "shards", err) : NULL;
    s->options = shards ? campaign_value(s, "options", err) : NULL;
    if (s->options) {
        s->shard = atoi(shard);
        s->shards = atoi(shards);
    }
    free(shard);
    free(shards);
    if (!s->options || load_jobs(s, err) < 0 || load_kernels(s, err) < 0 || load_code(s, err) < 0 ||
        load_timelines(s, err) < 0)
        return -1;
    s->job_known = fl_alloc((size_t)s->result.njobs * sizeof *s->job_known);
    for (int j = 0; j < s->result.njobs; j++)
        s->job_known[j] = s->result.job[j].nkernels > 0;
    return load_parts(s, err) < 0 || load_counts(s, err) < 0 || load_done(s, err) < 0 ? -1 : 0;
}

/* ---- opening ------------------------------------------------------------------------------------------------------- */

static struct store *store_new(const char *path)
{
    struct store *s = fl_alloc(sizeof *s);
    pthread_condattr_t monotonic;
    s->path = fl_strdup(path ? path : "");
    pthread_mutex_init(&s->lock, NULL);
    pthread_mutex_init(&s->file_lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&s->tick, &monotonic);
    pthread_cond_init(&s->drained, NULL);
    pthread_condattr_destroy(&monotonic);
    return s;
}

static void store_free(struct store *s)
{
    for (int i = 0; i < STATEMENTS; i++)
        sqlite3_finalize(s->statement[i]);
    sqlite3_close(s->db);
    pending_free(s->pending, s->result.nparts);
    for (int p = 0; p < s->result.nparts; p++)
        free(s->done[p].word);
    free(s->done);
    free(s->job_known);
    result_free(&s->result);
    pthread_cond_destroy(&s->tick);
    pthread_cond_destroy(&s->drained);
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->file_lock);
    free(s->options);
    free(s->path);
    free(s);
}

/* A temporary database ("" to SQLite) may lose everything when the process does; a file takes its lock here. */
static int open_file(struct store *s, bool writes, struct fl_err *err)
{
    int flags = /* every use of db stands under file_lock */
        SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | (writes ? SQLITE_OPEN_CREATE : 0);
    int r = sqlite3_open_v2(s->path, &s->db, flags, NULL);
    if (r != SQLITE_OK) {
        if (!s->db)
            return fl_fail(err, "%s: SQLite has no memory", name_of(s));
        return fl_fail(err, "%s: cannot be opened: %s", name_of(s), sqlite3_errmsg(s->db));
    }
    s->read_only = sqlite3_db_readonly(s->db, "main") == 1;
    if (!s->path[0])
        return run_sql(s, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;", err);
    if (s->read_only)
        return writes ? fl_fail(err, "%s: cannot be written: it is read-only", name_of(s)) : 0;
    return run_sql(s,
                   "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT; "
                   "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;",
                   err);
}

static int put_campaign(struct store *s, const char *name, const char *value, struct fl_err *err)
{
    sqlite3_stmt *q = prepare(s, "INSERT INTO campaign VALUES(?, ?)", err);
    if (!q)
        return -1;
    bind_text(q, 1, name);
    bind_text(q, 2, value);
    int bad = write_row(s, q, err);
    sqlite3_finalize(q);
    return bad;
}

/* Everything in one transaction: a file has its identity, or is empty. */
static int create(struct store *s, const struct store_identity *id, struct fl_err *err)
{
    char *head = fl_format("PRAGMA application_id = %d; PRAGMA user_version = %d;",
                           STORE_APPLICATION, STORE_FORMAT);
    char shard[16], shards[16];
    snprintf(shard, sizeof shard, "%d", id->shard);
    snprintf(shards, sizeof shards, "%d", id->shards);
    int bad = begin(s, err) != 0;
    bad = bad || run_sql(s, head, err) != 0 || run_sql(s, store_schema, err) != 0 ||
          put_campaign(s, "options", id->options, err) != 0 ||
          put_campaign(s, "shard", shard, err) != 0 || put_campaign(s, "shards", shards, err) != 0;
    free(head);
    s->options = fl_strdup(id->options);
    s->shard = id->shard;
    s->shards = id->shards;
    s->result.job = fl_alloc((size_t)id->njobs * sizeof *s->result.job);
    s->job_known = fl_alloc((size_t)id->njobs * sizeof *s->job_known);
    sqlite3_stmt *q = bad ? NULL
                          : prepare(s, "INSERT INTO job VALUES(?, ?, ?, '', 0, 0, 0, 0, 0)", err);
    for (int j = 0; j < id->njobs; j++) {
        struct result_job *job = &s->result.job[s->result.njobs++];
        job->name = fl_strdup(id->job[j].name);
        job->profile = fl_strdup("");
        memcpy(job->digest, id->job[j].digest, sizeof job->digest);
        if (!q)
            continue;
        sqlite3_bind_int(q, 1, j);
        bind_text(q, 2, job->name);
        bind_text(q, 3, job->digest);
        bad = bad || write_row(s, q, err) != 0;
    }
    bad = bad || !q;
    sqlite3_finalize(q);
    return end(s, bad, err);
}

static int same_identity(const struct store *s, const struct store_identity *id, struct fl_err *err)
{
    const struct result *r = &s->result;
    if (strcmp(s->options, id->options) != 0)
        return fl_fail(err,
                       "%s: holds a campaign with other options:\n  there %s\n  here  %s\n"
                       "give the same ones, or another file",
                       name_of(s), s->options, id->options);
    if (s->shard != id->shard || s->shards != id->shards)
        return fl_fail(err, "%s: holds shard %d/%d, not %d/%d; give each shard a file of its own",
                       name_of(s), s->shard, s->shards, id->shard, id->shards);
    if (r->njobs != id->njobs)
        return fl_fail(err, "%s: holds a campaign over %d jobs, not %d; give another file",
                       name_of(s), r->njobs, id->njobs);
    for (int j = 0; j < r->njobs; j++)
        if (strcmp(r->job[j].name, id->job[j].name) != 0 ||
            strcmp(r->job[j].digest, id->job[j].digest) != 0)
            return fl_fail(err,
                           "%s: holds a campaign over another job: there %s (%.12s...), here %s "
                           "(%.12s...); machine, code or inputs differ: give another file",
                           name_of(s), r->job[j].name, r->job[j].digest, id->job[j].name,
                           id->job[j].digest);
    return 0;
}

int store_open(const char *path, bool resume, const struct store_identity *id, struct store **out,
               struct fl_err *err)
{
    bool there = path && access(path, F_OK) == 0;
    if (there && !resume)
        return fl_fail(
            err, "%s: is there already; go on with it with --resume, or give another file", path);
    struct store *s = store_new(path);
    int bad = open_file(s, true, err);
    /* A run that was killed before its identity was in the file leaves a database without a table. */
    bool empty = !there ||
                 (!bad && pragma(s, "schema_version") == 0 && pragma(s, "application_id") == 0);
    if (!bad && empty)
        bad = create(s, id, err);
    else if (!bad)
        bad = load(s, err) != 0 || same_identity(s, id, err) != 0;
    if (bad) {
        store_free(s);
        return -1;
    }
    s->has_committer = pthread_create(&s->committer, NULL, commit_now_and_then, s) == 0;
    if (!s->has_committer) {
        store_free(s);
        return fl_fail(err, "cannot start a thread for the store");
    }
    *out = s;
    return 0;
}

int store_read(const char *path, struct store **out, struct fl_err *err)
{
    if (access(path, F_OK) != 0)
        return fl_fail(err, "%s: there is no such file", path);
    struct store *s = store_new(path);
    if (open_file(s, false, err) != 0 || load(s, err) != 0) {
        store_free(s);
        return -1;
    }
    s->declared = s->result.nparts;
    *out = s;
    return 0;
}

int store_close(struct store *s, struct fl_err *err)
{
    int bad = 0;
    if (s->has_committer) {
        pthread_mutex_lock(&s->lock);
        s->stopping = true;
        pthread_cond_signal(&s->tick);
        pthread_mutex_unlock(&s->lock);
        pthread_join(s->committer, NULL);
        bad = store_commit(s, err);
    }
    store_free(s);
    return bad;
}

/* ---- jobs and parts ------------------------------------------------------------------------------------------------ */

static int write_job(struct store *s, int j, struct fl_err *err)
{
    const struct result_job *job = &s->result.job[j];
    sqlite3_stmt *q = prepare(s,
                              "UPDATE job SET profile = ?, clock_mhz = ?, warps = ?, regs = ?, "
                              "shared_bytes = ?, steady = ? WHERE job = ?",
                              err);
    if (!q)
        return -1;
    bind_text(q, 1, job->profile);
    sqlite3_bind_double(q, 2, job->clock_mhz);
    sqlite3_bind_int(q, 3, job->warps);
    sqlite3_bind_int(q, 4, job->regs);
    sqlite3_bind_int64(q, 5, job->shared_bytes);
    sqlite3_bind_int(q, 6, job->timeline.steady);
    sqlite3_bind_int(q, 7, j);
    int bad = write_row(s, q, err);
    sqlite3_finalize(q);
    if (bad || !(q = prepare(s, "INSERT INTO kernel VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", err)))
        return -1;
    for (int k = 0; k < job->nkernels && !bad; k++) {
        const struct result_kernel *kernel = &job->kernel[k];
        const uint64_t v[] = {kernel->cycles, kernel->warp_cycles, kernel->thread_cycles,
                              kernel->block_cycles};
        sqlite3_bind_int(q, 1, j);
        sqlite3_bind_int(q, 2, k);
        bind_text(q, 3, kernel->name);
        bind_u64s(q, 4, v, 4);
        sqlite3_bind_int(q, 8, kernel->regs_per_thread);
        sqlite3_bind_int64(q, 9, kernel->block_shared);
        bad = write_row(s, q, err);
    }
    sqlite3_finalize(q);
    if (bad || !(q = prepare(s, "INSERT INTO bucket VALUES(?, ?, ?, ?, ?)", err)))
        return -1;
    const struct timeline *t = &job->timeline;
    for (int b = 0; b < t->buckets && !bad; b++) {
        sqlite3_bind_int(q, 1, j);
        sqlite3_bind_int(q, 2, b);
        sqlite3_bind_int64(q, 3, (sqlite3_int64)t->edge[b]);
        sqlite3_bind_int64(q, 4, (sqlite3_int64)(t->edge[b + 1] - t->edge[b]));
        sqlite3_bind_int(q, 5, t->kernel ? t->kernel[b] : 0);
        bad = write_row(s, q, err);
    }
    sqlite3_finalize(q);
    if (bad || !(q = prepare(s, "INSERT INTO code VALUES(?, ?, ?, ?)", err)))
        return -1;
    for (int c = 0; c < job->ncode && !bad; c++) {
        sqlite3_bind_int(q, 1, j);
        sqlite3_bind_int(q, 2, job->code[c].kernel);
        sqlite3_bind_int64(q, 3, job->code[c].pc);
        bind_text(q, 4, job->code[c].text);
        bad = write_row(s, q, err);
    }
    sqlite3_finalize(q);
    return bad;
}

/* The golden run is a function of the job: a difference means that the model has changed since. */
static int same_job(const struct store *s, const struct result_job *a, const struct result_job *b,
                    struct fl_err *err)
{
    const struct timeline *x = &a->timeline, *y = &b->timeline;
    bool same = a->nkernels == b->nkernels && x->buckets == y->buckets;
    for (int k = 0; same && k < a->nkernels; k++)
        same = strcmp(a->kernel[k].name, b->kernel[k].name) == 0 &&
               a->kernel[k].cycles == b->kernel[k].cycles &&
               a->kernel[k].warp_cycles == b->kernel[k].warp_cycles;
    same = same && memcmp(x->edge, y->edge,
                          (size_t)(x->buckets ? x->buckets + 1 : 0) * sizeof *x->edge) == 0;
    return same ? 0
                : fl_fail(err,
                          "%s: was written by another version of faultsim: its fault-free run of "
                          "%s differs from this one's; start the campaign again in another file",
                          name_of(s), a->name);
}

int store_job(struct store *s, int j, const struct result_job *job, struct fl_err *err)
{
    if (s->job_known[j])
        return same_job(s, &s->result.job[j], job, err);
    pthread_mutex_lock(&s->file_lock);
    pthread_mutex_lock(&s->lock);
    result_job_free(&s->result.job[j]);
    result_job_copy(&s->result.job[j], job);
    s->job_known[j] = true;
    pthread_mutex_unlock(&s->lock);
    int bad = begin(s, err);
    if (!bad)
        bad = end(s, write_job(s, j, err), err);
    pthread_mutex_unlock(&s->file_lock);
    return bad;
}

static int write_part(struct store *s, int number, const struct result_part *p, struct fl_err *err)
{
    const struct result_job *job = &s->result.job[p->job];
    sqlite3_stmt *q = prepare(s, "INSERT INTO part VALUES(?, ?, ?, ?, ?, ?, ?, ?)", err);
    if (!q)
        return -1;
    sqlite3_bind_int(q, 1, number);
    sqlite3_bind_int(q, 2, p->job);
    bind_text(q, 3, p->target);
    bind_text(q, 4, p->engine);
    bind_text(q, 5, tally_method_name(p->method));
    sqlite3_bind_double(q, 6, p->confidence);
    sqlite3_bind_double(q, 7, p->method == METHOD_SAMPLE ? stats_t(p->confidence) : 0);
    sqlite3_bind_int64(q, 8, (sqlite3_int64)p->units);
    int bad = write_row(s, q, err);
    sqlite3_finalize(q);
    if (bad || !(q = prepare(s,
                             "INSERT INTO tally VALUES(?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 0, "
                             "0, 0, 0, 0, 0, 0, 0, 0, 0, 0)",
                             err)))
        return -1;
    for (int k = 0; k < job->nkernels && !bad; k++) {
        const struct tally *t = &p->tally[k];
        const uint64_t v[] = {t->bits, t->cycles, t->population, t->owned, t->warp_cycles};
        sqlite3_bind_int(q, 1, number);
        sqlite3_bind_int(q, 2, k);
        bind_u64s(q, 3, v, 5);
        bad = write_row(s, q, err);
    }
    sqlite3_finalize(q);
    if (bad ||
        !(q = prepare(s, "INSERT INTO moment VALUES(?, ?, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0)", err)))
        return -1;
    for (int b = 0; b < job->timeline.buckets && !bad; b++) {
        sqlite3_bind_int(q, 1, number);
        sqlite3_bind_int(q, 2, b);
        sqlite3_bind_int64(q, 3, p->moment ? (sqlite3_int64)p->moment[b].owned : 0);
        bad = write_row(s, q, err);
    }
    sqlite3_finalize(q);
    return bad;
}

static bool same_frame(const struct store *s, const struct result_part *a,
                       const struct result_part *b)
{
    bool same = a->job == b->job && a->method == b->method && strcmp(a->target, b->target) == 0 &&
                strcmp(a->engine, b->engine) == 0 && a->confidence == b->confidence;
    for (int k = 0; same && k < s->result.job[a->job].nkernels; k++)
        same = a->tally[k].population == b->tally[k].population &&
               a->tally[k].owned == b->tally[k].owned;
    return same;
}

int store_part(struct store *s, const struct result_part *p, struct fl_err *err)
{
    int number = s->declared++;
    if (number < s->result.nparts) { /* `units` may be fewer there: a sample that stopped early */
        const struct result_part *there = &s->result.part[number];
        if (same_frame(s, there, p) && there->units <= p->units)
            return number;
        return fl_fail(err,
                       "%s: was written by another version of faultsim: its part %d (%s) differs; "
                       "start the campaign again in another file",
                       name_of(s), number, there->target);
    }
    pthread_mutex_lock(&s->file_lock);
    pthread_mutex_lock(&s->lock);
    struct result_part *to = add_part(s, p->job);
    const struct result_job *job = &s->result.job[p->job];
    to->target = fl_strdup(p->target);
    to->engine = fl_strdup(p->engine);
    to->method = p->method;
    to->confidence = p->confidence;
    to->units = p->units;
    for (int k = 0; k < job->nkernels; k++) {
        const struct tally *t = &p->tally[k];
        to->tally[k] = (struct tally){.bits = t->bits,
                                      .cycles = t->cycles,
                                      .population = t->population,
                                      .owned = t->owned,
                                      .warp_cycles = t->warp_cycles};
    }
    for (int b = 0; b < job->timeline.buckets && p->moment; b++)
        to->moment[b].owned = p->moment[b].owned;
    pthread_mutex_unlock(&s->lock);
    int bad = begin(s, err);
    if (!bad)
        bad = end(s, write_part(s, number, to, err), err);
    pthread_mutex_unlock(&s->file_lock);
    return bad ? -1 : number;
}

bool store_done(const struct store *s, int part, uint64_t unit)
{
    pthread_mutex_t *lock = (pthread_mutex_t *)&s->lock;
    pthread_mutex_lock(lock);
    bool done = bits_has(&s->done[part], unit);
    pthread_mutex_unlock(lock);
    return done;
}

bool store_wants(const struct store *s, int part, uint64_t unit)
{
    return unit % (uint64_t)s->shards == (uint64_t)s->shard - 1 && !store_done(s, part, unit);
}

uint64_t store_count_done(const struct store *s, int part)
{
    pthread_mutex_t *lock = (pthread_mutex_t *)&s->lock;
    pthread_mutex_lock(lock);
    uint64_t n = s->done[part].count;
    pthread_mutex_unlock(lock);
    return n;
}

void store_sum(const struct store *s, int part, int kernel, struct tally *out)
{
    pthread_mutex_t *lock = (pthread_mutex_t *)&s->lock;
    pthread_mutex_lock(lock);
    const struct result_part *p = &s->result.part[part];
    *out = (struct tally){0};
    for (int k = 0; k < s->result.job[p->job].nkernels; k++)
        if (kernel < 0 || k == kernel)
            tally_add(out, &p->tally[k]);
    pthread_mutex_unlock(lock);
}

int store_stop(struct store *s, int part, uint64_t units, struct fl_err *err)
{
    struct result_part *p = &s->result.part[part];
    for (uint64_t u = units; u < p->units; u++)
        if (bits_has(&s->done[part], u))
            return fl_fail(err, "%s: unit %llu is done, the sample cannot stop before it",
                           name_of(s), (unsigned long long)u);
    if (units >= p->units)
        return 0;
    pthread_mutex_lock(&s->file_lock);
    pthread_mutex_lock(&s->lock);
    p->units = units;
    pthread_mutex_unlock(&s->lock);
    sqlite3_stmt *q = prepare(s, "UPDATE part SET units = ? WHERE part = ?", err);
    int bad = q ? 0 : -1;
    if (q) {
        sqlite3_bind_int64(q, 1, (sqlite3_int64)units);
        sqlite3_bind_int(q, 2, part);
        bad = write_row(s, q, err);
    }
    sqlite3_finalize(q);
    pthread_mutex_unlock(&s->file_lock);
    return bad;
}

/* Units of a part that belong to the shard. */
static uint64_t share(const struct store *s, int part)
{
    uint64_t units = s->result.part[part].units, n = (uint64_t)s->shards;
    return units / n + (units % n >= (uint64_t)s->shard);
}

bool store_complete(const struct store *s)
{
    for (int p = 0; p < s->result.nparts; p++)
        if (store_count_done(s, p) != share(s, p))
            return false;
    return s->result.nparts > 0;
}

const struct result *store_result(const struct store *s)
{
    return &s->result;
}

int store_shard(const struct store *s, int *shards)
{
    *shards = s->shards;
    return s->shard;
}

const char *store_options(const struct store *s)
{
    return s->options;
}

/* ---- settings, runs, injections ------------------------------------------------------------------------------------ */

int store_set(struct store *s, const char *name, double value, struct fl_err *err)
{
    pthread_mutex_lock(&s->file_lock);
    sqlite3_stmt *q = prepare(s, "INSERT OR REPLACE INTO setting VALUES(?, ?)", err);
    int bad = q ? 0 : -1;
    if (q) {
        bind_text(q, 1, name);
        sqlite3_bind_double(q, 2, value);
        bad = write_row(s, q, err);
    }
    sqlite3_finalize(q);
    pthread_mutex_unlock(&s->file_lock);
    return bad;
}

double store_get(const struct store *s, const char *name, double otherwise)
{
    struct store *w = (struct store *)s;
    pthread_mutex_lock(&w->file_lock);
    sqlite3_stmt *q = prepare(w, "SELECT value FROM setting WHERE name = ?", NULL);
    if (q) {
        bind_text(q, 1, name);
        if (sqlite3_step(q) == SQLITE_ROW)
            otherwise = sqlite3_column_double(q, 0);
    }
    sqlite3_finalize(q);
    pthread_mutex_unlock(&w->file_lock);
    return otherwise;
}

int store_ran(struct store *s, double seconds, int threads, struct fl_err *err)
{
    pthread_mutex_lock(&s->file_lock);
    sqlite3_stmt *q = prepare(s, "INSERT INTO run VALUES(datetime('now'), ?, ?)", err);
    int bad = q ? 0 : -1;
    if (q) {
        sqlite3_bind_double(q, 1, seconds);
        sqlite3_bind_int(q, 2, threads);
        bad = write_row(s, q, err);
    }
    sqlite3_finalize(q);
    pthread_mutex_unlock(&s->file_lock);
    return bad;
}

static uint64_t cycle_or_never(sqlite3_stmt *q, int at)
{
    return sqlite3_column_type(q, at) == SQLITE_NULL ? FSIM_NEVER
                                                     : (uint64_t)sqlite3_column_int64(q, at);
}

int store_injections(const struct store *s, int part,
                     int (*each)(void *context, const struct store_injection *i), void *context,
                     struct fl_err *err)
{
    struct store *w = (struct store *)s;
    if (w->has_committer && store_commit(w, err) != 0)
        return -1;
    pthread_mutex_lock(&w->file_lock);
    sqlite3_stmt *q = prepare(w,
                              "SELECT injection, kernel, id, outcome, reason, first_activation, "
                              "end, ran FROM injection WHERE injection >= ? AND injection < ? "
                              "ORDER BY injection",
                              err);
    int more = q ? 0 : -1, stop = 0;
    if (q) {
        sqlite3_bind_int64(q, 1, injection_key(part, 0));
        sqlite3_bind_int64(q, 2, injection_key(part + 1, 0));
    }
    while (q && !stop && (more = step(w, q, err)) > 0) {
        int outcome = sqlite3_column_int(q, 3);
        struct store_injection i = {
            .number = (uint64_t)(sqlite3_column_int64(q, 0) - injection_key(part, 0)),
            .kernel = sqlite3_column_int(q, 1),
            .id = column(q, 2),
            .outcome = outcome >= 0 && outcome < OUT_COUNT ? (enum fsim_outcome)outcome : 0,
            .reason = column(q, 4),
            .first_activation = cycle_or_never(q, 5),
            .end = cycle_or_never(q, 6),
            .ran = sqlite3_column_int(q, 7)};
        stop = each(context, &i);
    }
    sqlite3_finalize(q);
    pthread_mutex_unlock(&w->file_lock);
    return more < 0 ? -1 : 0;
}

/* ---- merging ------------------------------------------------------------------------------------------------------- */

struct carry {
    struct store *to;
    struct store_found found;
    int part;
};

static void carry_over(struct carry *c)
{
    pthread_mutex_lock(&c->to->lock);
    while (c->to->waiting > MAX_PENDING_INJECTIONS && !c->to->broken) {
        pthread_cond_signal(&c->to->tick);
        pthread_cond_wait(&c->to->drained, &c->to->lock);
    }
    absorb(c->to, c->part, &c->found);
    pthread_mutex_unlock(&c->to->lock);
    store_found_clear(&c->found);
}

static int carry_injection(void *context, const struct store_injection *i)
{
    struct carry *c = context;
    store_found_inject(&c->found, i);
    if (c->found.ninjections >= 10000)
        carry_over(c);
    return 0;
}

static int merge_part(struct store *to, const struct store *from, int part, struct fl_err *err)
{
    const struct result_part *p = &from->result.part[part];
    struct carry c = {.to = to, .part = part};
    store_found_make(&c.found, to, part);
    for (int k = 0; k < c.found.nkernels; k++)
        c.found.tally[k] = p->tally[k];
    memcpy(c.found.moment, p->moment, (size_t)c.found.nbuckets * sizeof *p->moment);
    sites_add(&c.found.sites, &p->sites);
    int bad = store_injections(from, part, carry_injection, &c, err);
    carry_over(&c);
    store_found_free(&c.found);
    pthread_mutex_lock(&to->lock);
    for (uint64_t u = 0; u < p->units; u++)
        if (bits_has(&from->done[part], u))
            finish_units(to, part, u, u);
    pthread_mutex_unlock(&to->lock);
    return bad;
}

/* The shards 1/N ... N/N, in any order. */
static int check_shards(struct store **s, int n, struct fl_err *err)
{
    const struct store *a = s[0];
    struct store_identity id = {
        .options = a->options, .njobs = a->result.njobs, .job = a->result.job, .shards = a->shards};
    struct fl_err why;
    const char **seen = fl_alloc((size_t)(a->shards + 1) * sizeof *seen);
    int bad = 0;
    for (int i = 0; i < n && !bad; i++) {
        const struct store *b = s[i];
        id.shard = b->shard;
        if (same_identity(b, &id, &why) != 0)
            bad = fl_fail(err, "cannot be merged with %s: %s", a->path, why.msg);
        else if (b->shard < 1 || b->shard > b->shards)
            bad = fl_fail(err, "%s: is damaged: shard %d of %d", b->path, b->shard, b->shards);
        else if (seen[b->shard])
            bad = fl_fail(err, "%s and %s both hold shard %d/%d; give each shard once",
                          seen[b->shard], b->path, b->shard, b->shards);
        else if (b->result.nparts != a->result.nparts || !store_complete(b))
            bad = fl_fail(err, "%s: shard %d/%d is not finished; go on with --resume first",
                          b->path, b->shard, b->shards);
        else
            seen[b->shard] = b->path;
        for (int j = 0; j < b->result.njobs && !bad; j++)
            bad = same_job(b, &b->result.job[j], &a->result.job[j], err);
        for (int p = 0; p < b->result.nparts && !bad; p++)
            if (!same_frame(a, &b->result.part[p], &a->result.part[p]) ||
                b->result.part[p].units != a->result.part[p].units)
                bad = fl_fail(err, "%s: part %d differs from that of %s", b->path, p, a->path);
    }
    for (int i = 1; i <= a->shards && !bad; i++)
        if (!seen[i])
            bad = fl_fail(err, "shard %d/%d is missing; give all of them", i, a->shards);
    free(seen);
    return bad;
}

static int merge_into(const char *out, struct store **in, int n, struct fl_err *err)
{
    const struct result *r = &in[0]->result;
    struct store_identity id = {
        .options = in[0]->options, .shard = 1, .shards = 1, .njobs = r->njobs, .job = r->job};
    struct store *to;
    if (store_open(out, false, &id, &to, err) != 0)
        return -1;
    int bad = 0;
    for (int j = 0; j < r->njobs && !bad; j++)
        bad = store_job(to, j, &r->job[j], err);
    for (int p = 0; p < r->nparts && !bad; p++)
        bad = store_part(to, &r->part[p], err) < 0;
    for (int i = 0; i < n && !bad; i++)
        for (int p = 0; p < r->nparts && !bad; p++)
            bad = merge_part(to, in[i], p, err);
    double rate = store_get(in[0], "fit_per_bit", 0);
    if (!bad && rate > 0)
        bad = store_set(to, "fit_per_bit", rate, err);
    if (!bad && !store_complete(to))
        bad = fl_fail(err, "%s: units are missing after the merge", out);
    struct fl_err closing;
    if (store_close(to, &closing) != 0 && !bad)
        bad = fl_fail(err, "%s", closing.msg);
    if (bad)
        unlink(out);
    return bad ? -1 : 0;
}

int store_merge(const char *out, const char *const *in, int n, struct fl_err *err)
{
    struct store **s = fl_alloc((size_t)n * sizeof *s);
    int opened = 0, bad = n < 1 ? fl_fail(err, "name the shards to merge") : 0;
    for (; opened < n && !bad; opened += !bad)
        bad = store_read(in[opened], &s[opened], err);
    if (!bad)
        bad = check_shards(s, n, err);
    if (!bad)
        bad = merge_into(out, s, n, err);
    for (int i = 0; i < opened; i++)
        store_close(s[i], NULL);
    free(s);
    return bad ? -1 : 0;
}

/* ---- shards -------------------------------------------------------------------------------------------------------- */

static bool number_of(const char *text, long *out)
{
    char *rest;
    if (!text || text[0] < '0' || text[0] > '9')
        return false;
    *out = strtol(text, &rest, 10);
    return *rest == 0;
}

int store_shard_parse(const char *text, int *shard, int *shards, struct fl_err *err)
{
    long i, n, first = 0, between = 1;
    if (strcmp(text, "auto") == 0) {
        if (!number_of(getenv("SLURM_ARRAY_TASK_ID"), &i) ||
            !number_of(getenv("SLURM_ARRAY_TASK_COUNT"), &n))
            return fl_fail(err,
                           "--shard auto reads SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT, "
                           "which are not there: start it with sbatch --array, or give I/N");
        if (!number_of(getenv("SLURM_ARRAY_TASK_MIN"), &first))
            first = i < n ? 0 : 1; /* old Slurm: arrays start at 0 or 1 */
        number_of(getenv("SLURM_ARRAY_TASK_STEP"), &between);
        if (between < 1 || i < first || (i - first) % between != 0)
            return fl_fail(err,
                           "--shard auto: SLURM_ARRAY_TASK_ID %ld is not in steps of %ld from "
                           "%ld; give I/N",
                           i, between, first);
        i = (i - first) / between + 1;
    } else {
        char *slash;
        i = strtol(text, &slash, 10);
        if (text[0] < '0' || text[0] > '9' || *slash != '/' || !number_of(slash + 1, &n))
            return fl_fail(err, "--shard '%s': write I/N, as in 2/8, or auto", text);
    }
    if (i < 1 || n < 1 || i > n || n > 1000000)
        return fl_fail(err, "--shard %ld/%ld: shards count from 1 to their number", i, n);
    *shard = (int)i;
    *shards = (int)n;
    return 0;
}
