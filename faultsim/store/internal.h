/* internal.h -- what the parts of store.h share: the state, and SQLite with messages.
 *
 * store.c opens and answers; store_commit.c takes what units found and carries it over to the file; store_parts.c
 * declares jobs and parts; store_load.c reads a file back and store_check.c says whether it adds up; store_digest.c
 * finds what somebody else has changed; store_merge.c joins shards; store_sql.c talks to SQLite.
 */
#ifndef STORE_INT_H
#define STORE_INT_H

/* The digest follows each row that changes: Debian's library has the hook, its header wants to be asked. */
#define SQLITE_ENABLE_PREUPDATE_HOOK
#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

#include "store.h"

enum { MAX_PENDING_INJECTIONS = 1 << 18 };

struct unit_run { /* units first .. last of a part */
    uint64_t first, last;
};

struct units { /* a set of them: runs in order, none next to another */
    struct unit_run *run;
    size_t nruns, room;
    uint64_t count;
};

struct pending { /* of one part, since the last commit */
    struct store_found found;
    struct units done;
    bool resized, any;
    uint64_t units, flips; /* when resized: of the part */
};

enum statement { ADD_TALLY, ADD_SITE, ADD_MOMENT, ADD_DONE, ADD_INJECTION, SET_SIZE, STATEMENTS };

struct store {
    sqlite3 *db;
    char *path, *name; /* "" when the file is a temporary one; for messages */
    char *options;
    char *size, *wanted; /* of samples: in the file when it was opened; of this run */
    int shard, shards;
    uint64_t digest, committed_digest; /* of all rows; store_digest.c */
    bool read_only, finished;          /* finished: by store_finish */
    bool merging;                      /* shards are joined here: nobody resumes that */
    int declared;                      /* parts that this run has declared */
    bool *job_known;                   /* [njobs]: kernels and timeline are in `result` */
    struct result result;
    struct units *done;      /* [nparts] */
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

static inline const char *name_of(const struct store *s)
{
    return s->name[0] ? s->name : "the temporary store";
}

static inline sqlite3_int64 injection_key(int part, uint64_t number) /* as in store_schema.c */
{
    return ((sqlite3_int64)part << 40) + (sqlite3_int64)number;
}

/* ---- store_sql.c ------------------------------------------------------------------------------------------------- */

int store_sql(struct store *s, const char *sql, struct fl_err *err);
sqlite3_stmt *store_prepare(struct store *s, const char *sql, struct fl_err *err);
/* 1: a row, 0: the end, -1 */
int store_step(struct store *s, sqlite3_stmt *q, struct fl_err *err);
int store_write_row(struct store *s, sqlite3_stmt *q, struct fl_err *err);
int store_put_campaign(struct store *s, const char *name, const char *value, struct fl_err *err);
/* A transaction; under file_lock. `bad`: it is taken back. */
int store_begin(struct store *s, struct fl_err *err);
int store_end(struct store *s, int bad, struct fl_err *err);
/* "FILE: is damaged: ..., and what can be done about it". */
int store_damaged(const struct store *s, struct fl_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static inline void bind_u64s(sqlite3_stmt *q, int from, const uint64_t *v, int n)
{
    for (int i = 0; i < n; i++)
        sqlite3_bind_int64(q, from + i, (sqlite3_int64)v[i]);
}

static inline void read_u64s(sqlite3_stmt *q, int from, uint64_t *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = (uint64_t)sqlite3_column_int64(q, from + i);
}

static inline void bind_text(sqlite3_stmt *q, int at, const char *text)
{
    sqlite3_bind_text(q, at, text, -1, SQLITE_STATIC);
}

static inline const char *column(sqlite3_stmt *q, int at)
{
    const unsigned char *t = sqlite3_column_text(q, at);
    return t ? (const char *)t : "";
}

/* The counts of a tally as columns, in this order. */
#define COUNTS                                                                                     \
    "counted, masked, performance, sdc, crash, timeout, hang, idle, overwritten, logic, fails, "   \
    "owned_counted, owned_failed, not_run, ace, groups, runs"
enum { NCOUNTS = 17 };
void store_counts_of(const struct tally *t, uint64_t v[NCOUNTS]);
void store_set_counts(struct tally *t, const uint64_t v[NCOUNTS]);

/* ---- store_commit.c ---------------------------------------------------------------------------------------------- */

/* To the sums and to what waits for the file; under `lock`. */
void store_absorb(struct store *s, int part, const struct store_found *f);
/* Sets of units; under `lock`. None of those that are added may be in the set. */
bool store_units_has(const struct units *u, uint64_t unit);
void store_units_add(struct units *u, uint64_t first, uint64_t last);
/* These units are done; under `lock`. */
void store_finish_units(struct store *s, int part, uint64_t first, uint64_t last);
/* Waits while too much is pending; under `lock`. */
void store_wait_for_room(struct store *s);
void store_pending_free(struct pending *w, int n);
/* The committer's thread. */
void *store_commit_now_and_then(void *store);

/* ---- store_load.c ------------------------------------------------------------------------------------------------ */

/* A whole file into memory. */
int store_load(struct store *s, struct fl_err *err);
/* The number that a pragma answers with. */
int store_pragma(struct store *s, const char *name);

/* ---- store_check.c ----------------------------------------------------------------------------------------------- */

/* Sums, units and injections of a store that has been loaded agree. */
int store_check(struct store *s, struct fl_err *err);

/* ---- store_digest.c ---------------------------------------------------------------------------------------------- */

/* From here on s->digest follows all that is written. */
void store_digest_follow(struct store *s);
/* Of all rows that are there now. */
int store_digest_rows(struct store *s, uint64_t *digest, struct fl_err *err);
/* Tables, views and rows are those that the last commit has left. */
int store_digest_check(struct store *s, struct fl_err *err);

/* ---- store_parts.c ----------------------------------------------------------------------------------------------- */

/* Room for one more part, in all arrays that have one entry a part; under `lock`. */
struct result_part *store_add_part(struct store *s, int job);
int store_same_job(const struct store *s, const struct result_job *a, const struct result_job *b,
                   struct fl_err *err);
bool store_same_frame(const struct store *s, const struct result_part *a,
                      const struct result_part *b);

/* ---- store.c ----------------------------------------------------------------------------------------------------- */

int store_same_identity(const struct store *s, const struct store_identity *id, struct fl_err *err);

#endif
