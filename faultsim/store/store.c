/* store.c -- sums in memory, the same sums in an SQLite file, and a thread that carries the one
 * over to the other.
 *
 * store_put adds a unit to `result` and to `pending`, both under `lock`. A commit takes `pending`
 * away under `lock` and writes it as one transaction under `file_lock`: what happened since the
 * last one, with the units that are done, so the file is at every moment the exact sum of the units
 * it lists. Workers wait for the disk only when injections pile up.
 *
 * The file is locked for as long as it is open (locking_mode EXCLUSIVE): kill -9 frees the lock,
 * nothing else needs to. A rollback journal, not a write-ahead log: one file at rest, and it works
 * on the network file systems of clusters.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faultsim/result/made.h"
#include "internal.h"

/* ---- opening --------------------------------------------------------------------------------- */

static struct store *store_new(const char *path, const char *name)
{
    struct store *s = fl_alloc(sizeof *s);
    pthread_condattr_t monotonic;
    s->path = fl_strdup(path ? path : "");
    s->name = fl_strdup(name ? name : s->path);
    store_kinds_none(s);
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
    store_written_free(s);
    sqlite3_close(s->db);
    store_pending_free(s->pending, s->result.nparts);
    for (int p = 0; p < s->result.nparts; p++)
        free(s->done[p].run);
    free(s->done);
    free(s->job_known);
    result_free(&s->result);
    pthread_cond_destroy(&s->tick);
    pthread_cond_destroy(&s->drained);
    pthread_mutex_destroy(&s->lock);
    pthread_mutex_destroy(&s->file_lock);
    free(s->options);
    free(s->size);
    free(s->wanted);
    free(s->path);
    free(s->name);
    free(s);
}

/* A temporary database ("" to SQLite) may lose everything when the process does; a file takes its
 * lock here. */
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
    if (!s->path[0] ||
        s->merging) /* lost with the process, or left behind by it under another name */
        return store_sql(s, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;", err);
    if (s->read_only)
        return writes ? fl_fail(err, "%s: cannot be written: it is read-only", name_of(s)) : 0;
    return store_sql(s,
                     "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT; "
                     "PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL;",
                     err);
}

/* Everything in one transaction: a file has its identity, or is empty. */
static int create(struct store *s, const struct store_identity *id, struct fl_err *err)
{
    char *head = fl_format("PRAGMA application_id = %d; PRAGMA user_version = %d; "
                           "INSERT INTO seal VALUES(0);",
                           STORE_APPLICATION, STORE_FORMAT);
    char shard[16], shards[16];
    snprintf(shard, sizeof shard, "%d", id->shard);
    snprintf(shards, sizeof shards, "%d", id->shards);
    int bad = store_begin(s, err) != 0;
    bad = bad || store_make_tables(s, err) != 0 || store_sql(s, head, err) != 0 ||
          store_kinds_write(s, err) != 0 ||
          store_put_campaign(s, "options", id->options, err) != 0 ||
          store_put_campaign(s, "size", id->size, err) != 0 ||
          store_put_campaign(s, "shard", shard, err) != 0 ||
          store_put_campaign(s, "shards", shards, err) != 0 ||
          store_put_campaign(s, "finished", "0", err) != 0;
    free(head);
    s->options = fl_strdup(id->options);
    s->size = fl_strdup(id->size);
    s->shard = id->shard;
    s->shards = id->shards;
    s->result.job = fl_alloc((size_t)id->njobs * sizeof *s->result.job);
    s->job_known = fl_alloc((size_t)id->njobs * sizeof *s->job_known);
    for (int j = 0; j < id->njobs; j++) {
        struct result_job *job = &s->result.job[s->result.njobs++];
        job->name = fl_strdup(id->job[j].name);
        job->profile = fl_strdup("");
        memcpy(job->digest, id->job[j].digest, sizeof job->digest);
        memcpy(job->netlist, id->job[j].netlist, sizeof job->netlist);
        memcpy(job->checker, id->job[j].checker, sizeof job->checker);
        bad = bad || STORE_WRITE(s, err,
                                 "INSERT INTO job VALUES(?, ?, ?, NULL, ?, ?, '', 0, 0, 0, 0, 0, "
                                 "0, 0, NULL)",
                                 as_int(j), as_text(job->name), as_text(job->digest),
                                 as_digest(job->netlist), as_digest(job->checker)) != 0;
    }
    return store_end(s, bad, err);
}

int store_same_identity(const struct store *s, const struct store_identity *id, struct fl_err *err)
{
    const struct result *r = &s->result;
    char *other = made_by_other_results(s->options, id->options);
    if (other) {
        fl_fail(err, "%s: %s", name_of(s), other);
        free(other);
        return -1;
    }
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
            strcmp(r->job[j].digest, id->job[j].digest) != 0 ||
            strcmp(r->job[j].netlist, id->job[j].netlist) != 0 ||
            strcmp(r->job[j].checker, id->job[j].checker) != 0)
            return fl_fail(err,
                           "%s: holds a campaign over another job: there %s (%.12s...), here %s "
                           "(%.12s...); machine, code or inputs differ: give another file",
                           name_of(s), r->job[j].name, r->job[j].digest, id->job[j].name,
                           id->job[j].digest);
    return 0;
}

/* A store of this format, by a faultsim that knew fewer outcomes. */
static int add_kinds(struct store *s, struct fl_err *err)
{
    if (!store_kinds_lack(s))
        return 0;
    return store_begin(s, err) != 0 ? -1 : store_end(s, store_kinds_write(s, err), err);
}

int store_check_name(const char *path, struct fl_err *err)
{
    if (!path[0])
        return fl_fail(err, "the name of a store is empty; name a file");
    if (path[0] == ':' || strncmp(path, "file:", 5) == 0)
        return fl_fail(err,
                       "%s: SQLite may take that name for something else than a file; write ./%s "
                       "for a file of that name",
                       path, path);
    return 0;
}

/* Is there, or is made: by one process only. A process that waits for the file
 * writes over no other's. */
static int make_file(const char *path, bool may_be_there, struct fl_err *err)
{
    if (store_check_name(path, err) != 0)
        return -1;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0)
        return close(fd);
    if (errno != EEXIST)
        return fl_fail(err, "%s: cannot be opened: %s", path, strerror(errno));
    if (access(path, F_OK) != 0)
        return fl_fail(
            err, "%s: is a link to a file that is missing; remove it, or name the file itself",
            path);
    return may_be_there
               ? 0
               : fl_fail(err,
                         "%s: is there already; continue it with --resume, or give another file",
                         path);
}

int store_open(const char *path, bool resume, const struct store_identity *id, struct store **out,
               struct fl_err *err)
{
    if (path && make_file(path, resume, err) != 0)
        return -1;
    struct store *s = store_new(path, id->merged_as);
    s->merging = id->merged_as != NULL;
    s->wanted = fl_strdup(id->size);
    int bad = open_file(s, true, err);
    if (!bad && path)
        store_digest_follow(s);
    /* A run that was killed before its identity was in the file leaves a database without a
     * table. */
    if (!bad && store_pragma(s, "schema_version") == 0 && store_pragma(s, "application_id") == 0)
        bad = create(s, id, err);
    else if (!bad)
        bad = store_load(s, err) != 0 || store_can_go_on(s, err) != 0 ||
              store_same_identity(s, id, err) != 0 || store_upgrade(s, err) != 0 ||
              add_kinds(s, err) != 0;
    if (bad) {
        store_free(s);
        return -1;
    }
    s->has_committer = pthread_create(&s->committer, NULL, store_commit_now_and_then, s) == 0;
    if (!s->has_committer) {
        store_free(s);
        return fl_fail(err, "cannot start a thread for the store");
    }
    *out = s;
    return 0;
}

int store_read(const char *path, struct store **out, struct fl_err *err)
{
    if (store_check_name(path, err) != 0)
        return -1;
    if (access(path, F_OK) != 0)
        return fl_fail(err, "%s: there is no such file", path);
    struct store *s = store_new(path, NULL);
    if (open_file(s, false, err) != 0 || store_load(s, err) != 0) {
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
        bad = store_commit(s, err) != 0 || store_is_there(s, err) != 0 ? -1 : 0;
    }
    store_free(s);
    return bad;
}

/* ---- units and sums -------------------------------------------------------------------------- */

bool store_done(const struct store *s, int part, uint64_t unit)
{
    pthread_mutex_t *lock = (pthread_mutex_t *)&s->lock;
    pthread_mutex_lock(lock);
    bool done = store_units_has(&s->done[part], unit);
    pthread_mutex_unlock(lock);
    return done;
}

bool store_wants(const struct store *s, int part, uint64_t unit)
{
    return unit % (uint64_t)s->shards == (uint64_t)s->shard - 1 && !store_done(s, part, unit);
}

void store_sum(const struct store *s, int part, struct tally *out)
{
    pthread_mutex_t *lock = (pthread_mutex_t *)&s->lock;
    pthread_mutex_lock(lock);
    const struct result_part *p = &s->result.part[part];
    result_tally(&s->result.job[p->job], p, -1, out);
    pthread_mutex_unlock(lock);
}

static int resize(struct store *s, int part, uint64_t flips, const struct store_found *rest,
                  struct fl_err *err)
{
    struct result_part *p = &s->result.part[part];
    pthread_mutex_lock(&s->lock);
    struct pending *w = &s->pending[part];
    p->flips = flips;
    p->units = (flips + p->cut - 1) / p->cut;
    if (rest)
        store_absorb(s, part, rest);
    w->resized = w->any = true;
    w->flips = p->flips;
    w->units = p->units;
    s->finished = false;
    pthread_mutex_unlock(&s->lock);
    return store_commit(s, err);
}

int store_stop(struct store *s, int part, uint64_t units, struct fl_err *err)
{
    const struct result_part *p = &s->result.part[part];
    const struct units *done = &s->done[part];
    if (done->nruns && done->run[done->nruns - 1].last >= units)
        return fl_fail(err, "%s: unit %llu is done, the sample cannot stop before it", name_of(s),
                       (unsigned long long)done->run[done->nruns - 1].last);
    return units < p->units ? resize(s, part, units * p->cut, NULL, err) : 0;
}

int store_grow(struct store *s, int part, uint64_t flips, const struct store_found *rest,
               struct fl_err *err)
{
    return resize(s, part, flips, rest, err);
}

bool store_complete(const struct store *s)
{
    for (int p = 0; p < s->result.nparts; p++)
        if (store_count_done(s, p) != store_share(s, p))
            return false;
    return s->finished && s->result.nparts > 0;
}

int store_finish(struct store *s, struct fl_err *err)
{
    if (store_commit(s, err) != 0)
        return -1;
    pthread_mutex_lock(&s->file_lock);
    int bad = store_begin(s, err);
    if (!bad)
        bad = store_end(s,
                        store_put_campaign(s, "size", s->wanted, err) != 0 ||
                            store_put_campaign(s, "finished", "1", err) != 0,
                        err);
    s->finished = !bad;
    pthread_mutex_unlock(&s->file_lock);
    return bad;
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

char *store_made(const struct store *s)
{
    const char *size = s->wanted ? s->wanted : s->size;
    int known = (int)store_get(s, "checked", MADE_UNCHECKED);
    bool gates = made_says(s->options, "model=gate") && known >= 0 && known < MADE_CHECKS;
    char *options = made_without(s->options, STORE_WORDS),
         *made = fl_format("%s%s%s%s", options, size[0] ? " " : "", size,
                           gates ? made_checked[known] : "");
    free(options);
    return made;
}

const char *store_options(const struct store *s)
{
    return s->options;
}

const char *store_name(const struct store *s)
{
    return name_of(s);
}

/* ---- settings, runs, injections -------------------------------------------------------------- */

int store_set(struct store *s, const char *name, double value, struct fl_err *err)
{
    pthread_mutex_lock(&s->file_lock);
    int bad = store_begin(s, err);
    if (!bad)
        bad = store_end(s,
                        STORE_WRITE(s, err, "INSERT OR REPLACE INTO setting VALUES(?, ?)",
                                    as_text(name), as_real(value)),
                        err);
    pthread_mutex_unlock(&s->file_lock);
    return bad;
}

int store_ran(struct store *s, double seconds, int threads, struct fl_err *err)
{
    pthread_mutex_lock(&s->file_lock);
    int bad = STORE_WRITE(s, err, "INSERT INTO run VALUES(datetime('now'), ?, ?)", as_real(seconds),
                          as_int(threads));
    pthread_mutex_unlock(&s->file_lock);
    return bad;
}

static uint64_t cycle_or_never(sqlite3_stmt *q, int at)
{
    return sqlite3_column_type(q, at) == SQLITE_NULL ? FSIM_NEVER
                                                     : (uint64_t)sqlite3_column_int64(q, at);
}

/* As a query selects it: INJECTION. */
#define INJECTION                                                                                  \
    "injection, kernel, id, outcome, reason, first_activation, end, ran, elements, by, "           \
    "ifnull(place, 0), untestable, unwritten, rows, nan, inf, zero, sign, exponent, mantissa, "    \
    "fields, other, bits_1, bits_2_4, bits_5_8, bits_more, up, down, error_median, writers, "      \
    "period, lanes FROM injection LEFT JOIN pattern USING(injection) LEFT JOIN words "             \
    "USING(injection)"

static struct anatomy anatomy_at(sqlite3_stmt *q, int at)
{
    struct anatomy a = {.writers = WRITERS_UNKNOWN};
    const char *writers = column(q, at + ANATOMY_VALUES + ANATOMY_BITS + 3);
    for (int i = 1; i < ANATOMY_WRITERS; i++)
        if (strcmp(anatomy_writers[i], writers) == 0)
            a.writers = (enum anatomy_writers)i;
    if (a.writers == WRITERS_UNKNOWN)
        return a;
    for (int i = 0; i < ANATOMY_VALUES; i++)
        a.value[i] = (uint32_t)sqlite3_column_int64(q, at++);
    for (int i = 0; i < ANATOMY_BITS; i++)
        a.bits[i] = (uint32_t)sqlite3_column_int64(q, at++);
    a.up = (uint64_t)sqlite3_column_int64(q, at++);
    a.down = (uint64_t)sqlite3_column_int64(q, at++);
    a.median = sqlite3_column_type(q, at) == SQLITE_NULL ? (double)NAN
                                                         : sqlite3_column_double(q, at);
    a.period = (uint32_t)sqlite3_column_int64(q, at + 2);
    a.lanes = (uint32_t)sqlite3_column_int64(q, at + 3);
    return a;
}

static struct store_injection injection_at(const struct store *s, sqlite3_stmt *q)
{
    int outcome = store_kind(&s->outcomes, sqlite3_column_int64(q, 3));
    return (struct store_injection){
        .number = (uint64_t)sqlite3_column_int64(q, 0) & INJECTION_NUMBER,
        .kernel = sqlite3_column_int(q, 1),
        .id = column(q, 2),
        .outcome = outcome >= 0 ? (enum fsim_outcome)outcome : 0,
        .reason = column(q, 4),
        .first_activation = cycle_or_never(q, 5),
        .end = cycle_or_never(q, 6),
        .ran = sqlite3_column_int(q, 7),
        .elements = (uint32_t)sqlite3_column_int64(q, 8),
        .by = sqlite3_column_type(q, 9) == SQLITE_NULL ? (double)NAN : sqlite3_column_double(q, 9),
        .place = (uint64_t)sqlite3_column_int64(q, 10),
        .untestable = sqlite3_column_type(q, 11) == SQLITE_NULL ? STORE_UNKNOWN
                                                                : sqlite3_column_int(q, 11),
        .unwritten = sqlite3_column_type(q, 12) == SQLITE_NULL ? STORE_UNKNOWN
                                                               : sqlite3_column_int64(q, 12),
        .words = sqlite3_column_blob(q, 13),
        .words_size = (size_t)sqlite3_column_bytes(q, 13),
        .anatomy = anatomy_at(q, 14)};
}

/* Of the rows that a query selects, whose parameters are `from` and `to`. */
static int each_injection(const struct store *s, const char *sql, sqlite3_int64 from,
                          sqlite3_int64 to,
                          int (*each)(void *context, int part, const struct store_injection *i),
                          void *context, struct fl_err *err)
{
    struct store *w = (struct store *)s;
    if (w->has_committer && store_commit(w, err) != 0)
        return -1;
    pthread_mutex_lock(&w->file_lock);
    sqlite3_stmt *q = store_prepare(w, sql, err);
    int more = q ? 0 : -1, stop = 0;
    if (q) {
        sqlite3_bind_int64(q, 1, from);
        sqlite3_bind_int64(q, 2, to);
    }
    while (q && !stop && (more = store_step(w, q, err)) > 0) {
        struct store_injection i = injection_at(s, q);
        stop = each(context, (int)(sqlite3_column_int64(q, 0) >> INJECTION_PART), &i);
    }
    sqlite3_finalize(q);
    pthread_mutex_unlock(&w->file_lock);
    return more < 0 ? -1 : 0;
}

struct one_part {
    int (*each)(void *context, const struct store_injection *i);
    void *context;
};

static int of_one_part(void *context, int part, const struct store_injection *i)
{
    const struct one_part *one = context;
    (void)part;
    return one->each(one->context, i);
}

int store_injections(const struct store *s, int part,
                     int (*each)(void *context, const struct store_injection *i), void *context,
                     struct fl_err *err)
{
    struct one_part one = {each, context};
    return each_injection(
        s, "SELECT " INJECTION " WHERE injection >= ? AND injection < ? ORDER BY injection",
        injection_key(part, 0), injection_key(part + 1, 0), of_one_part, &one, err);
}

/* The parts of a job stand one after the other. */
int store_list(const struct store *s, int job,
               int (*each)(void *context, int part, const struct store_injection *i), void *context,
               struct fl_err *err)
{
    const struct result *r = &s->result;
    int from = 0, to = r->nparts;
    while (from < to && r->part[from].job != job)
        from++;
    while (from < to && r->part[to - 1].job != job)
        to--;
    return each_injection(
        s, "SELECT " INJECTION " WHERE injection >= ? AND injection < ? ORDER BY place, injection",
        injection_key(from, 0), injection_key(to, 0), each, context, err);
}

bool store_is_copy(const struct store *s)
{
    return s->migrated != 0;
}

int store_complete_injections(struct store *s, int part, const struct store_known *known,
                              struct fl_err *err)
{
    uint64_t n = s->result.part[part].flips;
    pthread_mutex_lock(&s->file_lock);
    int bad = store_begin(s, err);
    if (!bad) {
        for (uint64_t i = 0; i < n && !bad; i++)
            bad = STORE_WRITE(s, err,
                              "UPDATE injection SET place = ?, untestable = ? WHERE injection = ?",
                              as_u64(known[i].place), as_int(known[i].untestable),
                              as_int(injection_key(part, i)));
        bad = store_end(s, bad, err);
    }
    pthread_mutex_unlock(&s->file_lock);
    return bad;
}

struct progress *store_progress(const struct progress_options *show, const char *path, int shard,
                                int shards, int njobs)
{
    char *part = fl_format("%d/%d", shard, shards),
         *file = fl_format("%s.status", path ? path : "");
    struct progress_options o = *show;
    o.file = path ? file : NULL;
    o.shard = shards > 1 ? part : NULL;
    o.jobs = njobs;
    struct progress *p = progress_start(&o);
    free(part);
    free(file);
    return p;
}

char *store_go_on(const char *path, int shard, int shards)
{
    return shards > 1
               ? fl_format("go on with --store %s --resume --shard %d/%d", path, shard, shards)
               : fl_format("go on with --store %s --resume", path);
}
