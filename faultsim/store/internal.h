/* internal.h -- what the parts of store.h share: the state, and SQLite with messages.
 *
 * store.c opens and answers; state.c has units and parts in memory; commit.c takes what units found and carries it over to the file;
 * parts.c declares jobs and parts, kinds.c outcomes and reasons; load.c reads a file back and
 * check.c says whether it adds up; digest.c finds what another program has changed; migrate.c reads
 * stores of earlier formats; merge.c joins shards; sql.c talks to SQLite.
 */
#ifndef STORE_INT_H
#define STORE_INT_H

/* The digest follows each row that changes: Debian's library has the hook, its header wants to be
 * asked. */
#define SQLITE_ENABLE_PREUPDATE_HOOK
#include <pthread.h>
#include <sqlite3.h>
#include <string.h>

#include "schema.h"
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

/* Outcomes, reasons or extents: rows of the file, which has its own numbers for them. */
enum { MAX_KINDS = 40 };
struct kinds {
    int count;             /* of those that we know */
    int number[MAX_KINDS]; /* in the file; -1: it has none of them yet */
};

struct store {
    sqlite3 *db;
    char *path, *name; /* "" when the file is a temporary one; for messages */
    char *options;
    char *size, *wanted; /* of samples: in the file when it was opened; of this run */
    int shard, shards;
    struct kinds outcomes, reasons, extents;
    int migrated; /* format of the file, whose rows stand in temporary tables meanwhile; 0: ours */
    uint64_t digest, committed_digest; /* of all rows; digest.c */
    bool read_only, finished;          /* finished: by store_finish */
    bool merging;                      /* shards are joined here: no run resumes that */
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
    struct written {
        const char *sql;
        sqlite3_stmt *q;
    } * written; /* statements of store_write; they stay prepared */
    int nwritten;
};

static inline const char *name_of(const struct store *s)
{
    return s->name[0] ? s->name : "the temporary store";
}

/* A row's own number: as in schema.c. */
enum { INJECTION_PART = 40 };
#define INJECTION_NUMBER ((1ull << INJECTION_PART) - 1)

static inline sqlite3_int64 injection_key(int part, uint64_t number)
{
    return ((sqlite3_int64)part << INJECTION_PART) + (sqlite3_int64)number;
}

/* ---- sql.c ----------------------------------------------------------------------------------- */

/* The parameter of a statement. */
struct store_value {
    enum { STORE_END, STORE_NULL, STORE_INT, STORE_REAL, STORE_TEXT, STORE_BYTES } type;
    sqlite3_int64 i;
    double d;
    const char *text; /* of STORE_BYTES, `i` of them */
};

static inline struct store_value as_int(sqlite3_int64 i)
{
    return (struct store_value){.type = STORE_INT, .i = i};
}

static inline struct store_value as_u64(uint64_t v)
{
    return as_int((sqlite3_int64)v);
}

static inline struct store_value as_real(double d)
{
    return (struct store_value){.type = STORE_REAL, .d = d}; /* NaN becomes NULL */
}

static inline struct store_value as_text(const char *text)
{
    return (struct store_value){.type = STORE_TEXT, .text = text};
}

static inline struct store_value as_bytes(const void *bytes, size_t n)
{
    return (struct store_value){.type = STORE_BYTES, .i = (sqlite3_int64)n, .text = bytes};
}

/* A number that is not known is NULL in the file, and so is a digest "". */
static inline struct store_value as_known(bool known, struct store_value v)
{
    return known ? v : (struct store_value){.type = STORE_NULL};
}

static inline struct store_value as_digest(const char *hex)
{
    return as_known(hex[0], as_text(hex));
}

int store_sql(struct store *s, const char *sql, struct fl_err *err);
int store_make_tables(struct store *s, struct fl_err *err);
/* Those of the outcomes that the file has, in place of views that are there; in a transaction. */
int store_make_views(struct store *s, struct fl_err *err);
/* "masked,sdc": those of the file. Caller frees; NULL: an error. */
char *store_outcomes(struct store *s, struct fl_err *err);
sqlite3_stmt *store_prepare(struct store *s, const char *sql, struct fl_err *err);
/* 1: a row, 0: the end, -1 */
int store_step(struct store *s, sqlite3_stmt *q, struct fl_err *err);
/* Asks for one value: of the first row that a query finds, whose parameter is `name` unless NULL. 1, with a
 * text that the caller frees; 0: it finds none, -1, both with NULL. */
int store_ask(struct store *s, const char *sql, const char *name, char **out, struct fl_err *err);
/* Carries out a statement with these parameters, an end behind them. `sql` is a text of the program. */
int store_write(struct store *s, const char *sql, const struct store_value *v, struct fl_err *err);
#define STORE_WRITE(s, err, sql, ...)                                                              \
    store_write(s, sql, (const struct store_value[]){__VA_ARGS__, {.type = STORE_END}}, err)
void store_written_free(struct store *s);
int store_put_campaign(struct store *s, const char *name, const char *value, struct fl_err *err);
/* A transaction; under file_lock. `bad`: it is taken back. */
/* Refuses names that are no file to SQLite. */
int store_check_name(const char *path, struct fl_err *err);
/* Is its file still the one that was opened? */
int store_is_there(struct store *s, struct fl_err *err);
int store_begin(struct store *s, struct fl_err *err);
int store_end(struct store *s, int bad, struct fl_err *err);
/* The name of a figure of a cache among the settings: "job0/l1d/hits". Caller frees. */
char *store_cache_setting(int job, int cache, int figure);
/* "FILE: is damaged: ..., and what can be done about it". */
int store_damaged(const struct store *s, struct fl_err *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static inline void bind_text(sqlite3_stmt *q, int at, const char *text)
{
    sqlite3_bind_text(q, at, text, -1, SQLITE_STATIC);
}

static inline const char *column(sqlite3_stmt *q, int at)
{
    const unsigned char *t = sqlite3_column_text(q, at);
    return t ? (const char *)t : "";
}

/* ---- kinds.c --------------------------------------------------------------------------------- */

/* The file has none yet. */
void store_kinds_none(struct store *s);
/* Those of the file. What only a later faultsim can know is refused. */
int store_kinds_load(struct store *s, struct fl_err *err);
/* Those that the file lacks, and the views of all; in a transaction. */
bool store_kinds_lack(const struct store *s);
int store_kinds_write(struct store *s, struct fl_err *err);
/* What has this number in the file; -1: none. */
int store_kind(const struct kinds *k, sqlite3_int64 number);

/* ---- commit.c -------------------------------------------------------------------------------- */

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

/* ---- load.c ---------------------------------------------------------------------------------- */

/* A whole file into memory. */
int store_load(struct store *s, struct fl_err *err);
/* The number that a pragma answers with. */
int store_pragma(struct store *s, const char *name);

/* ---- check.c --------------------------------------------------------------------------------- */

/* Sums, units and injections of a store that has been loaded agree. */
int store_check(struct store *s, struct fl_err *err);

/* ---- digest.c -------------------------------------------------------------------------------- */

/* From here on s->digest follows all that is written. */
void store_digest_follow(struct store *s);
/* Of all rows that are there now, in the tables of a format. */
int store_digest_rows(struct store *s, int format, uint64_t *digest, struct fl_err *err);
/* Of the rows of one table, added to *digest. */
int store_digest_table(struct store *s, const char *table, uint64_t *digest, struct fl_err *err);
/* Tables and rows are those that the last commit has left. */
int store_digest_check(struct store *s, struct fl_err *err);

/* Views are those of the file's outcomes. */
int store_check_views(struct store *s, struct fl_err *err);
/* The same of a store of an earlier format. `definitions` is a hash of the statements that made its
 * tables. */
int store_digest_check_old(struct store *s, int format, uint64_t definitions, struct fl_err *err);

/* ---- migrate.c ------------------------------------------------------------------------------- */

/* Reads a store of an earlier format into temporary tables of today's, which hide those of the
 * file: readers go on as if it were of today. The file stays as it is. */
int store_migrate(struct store *s, int format, struct fl_err *err);
/* Refused: a format that lacks what today's counts. */
int store_can_go_on(const struct store *s, struct fl_err *err);
/* Makes the file what the temporary tables are, in one transaction; nothing when it is of today's
 * format. */
int store_upgrade(struct store *s, struct fl_err *err);

/* ---- parts.c --------------------------------------------------------------------------------- */

/* Room for one more part, in all arrays that have one entry a part; under `lock`. */
struct result_part *store_add_part(struct store *s, int job, int sms);
int store_same_job(const struct store *s, const struct result_job *a, const struct result_job *b,
                   struct fl_err *err);
/* In memory alone; copies the texts. */
void store_add_population(struct store *s, const struct result_population *p);
/* Each flip has a row. */
bool store_keeps(const struct result_part *p);
bool store_same_frame(const struct store *s, const struct result_part *a,
                      const struct result_part *b);

/* ---- store.c --------------------------------------------------------------------------------- */

int store_same_identity(const struct store *s, const struct store_identity *id, struct fl_err *err);

#endif
