/* digest.c -- finds what a disk, a copy or another program has changed in a store.
 *
 * The digest is the sum, modulo 2^64, of a hash of every row. SQLite tells of each row before it
 * changes (the preupdate hook): the old row's hash is taken off, the new one's added. So a commit
 * pays for the rows that it writes and for no others, and writes the digest along with them; a
 * store that is still growing is as well guarded as a finished one. Tables and columns are taken
 * from the schema: a new one is covered without a line here.
 *
 * This is against accidents. Who changes a row on purpose can change the digest as well.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "internal.h"

/* Left out: when runs took place decides no result; the seal holds the digest itself. */
static bool guarded(const char *table)
{
    return strcmp(table, "run") != 0 && strcmp(table, "seal") != 0;
}

static uint64_t add_bytes(uint64_t h, const void *bytes, int n)
{
    const uint8_t *p = bytes;
    uint64_t word;
    h = fl_random_mix(h ^ (uint64_t)n);
    for (; n > 0; n -= 8, p += 8) {
        word = 0;
        memcpy(&word, p, n < 8 ? (size_t)n : 8);
        h = fl_random_mix(h ^ word);
    }
    return h;
}

/* A whole number hashes alike as INTEGER and as REAL: a column REAL keeps it as an INTEGER, and the
 * hook shows either. */
static uint64_t add_value(uint64_t h, sqlite3_value *v)
{
    int type = sqlite3_value_type(v);
    double d;
    switch (type) {
    case SQLITE_FLOAT:
        d = sqlite3_value_double(v);
        if (!(fabs(d) < 0x1p53) || d != (double)(int64_t)d)
            return add_bytes(h + (uint64_t)type, &d, sizeof d);
        return fl_random_mix(fl_random_mix(h + SQLITE_INTEGER) ^ (uint64_t)(int64_t)d);
    case SQLITE_INTEGER:
        return fl_random_mix(fl_random_mix(h + SQLITE_INTEGER) ^ (uint64_t)sqlite3_value_int64(v));
    case SQLITE_NULL: return fl_random_mix(h + (uint64_t)type);
    default:
        if (type == SQLITE_TEXT)
            sqlite3_value_text(v); /* as UTF-8 */
        const void *bytes = sqlite3_value_blob(v);
        return add_bytes(h + (uint64_t)type, bytes, bytes ? sqlite3_value_bytes(v) : 0);
    }
}

static uint64_t start_row(const char *table)
{
    return add_bytes(0, table, (int)strlen(table));
}

/* ---- following ------------------------------------------------------------------------------- */

static uint64_t changed_row(sqlite3 *db, const char *table,
                            int (*value)(sqlite3 *db, int at, sqlite3_value **v))
{
    uint64_t h = start_row(table);
    for (int i = 0; i < sqlite3_preupdate_count(db); i++) {
        sqlite3_value *v;
        if (value(db, i, &v) == SQLITE_OK)
            h = add_value(h, v);
    }
    return h;
}

static void row_changes(void *context, sqlite3 *db, int change, const char *schema,
                        const char *table, sqlite3_int64 old_rowid, sqlite3_int64 new_rowid)
{
    struct store *s = context;
    (void)old_rowid;
    (void)new_rowid;
    if (!guarded(table) || strcmp(schema, "main") != 0)
        return;
    if (change != SQLITE_INSERT)
        s->digest -= changed_row(db, table, sqlite3_preupdate_old);
    if (change != SQLITE_DELETE)
        s->digest += changed_row(db, table, sqlite3_preupdate_new);
}

void store_digest_follow(struct store *s)
{
    sqlite3_preupdate_hook(s->db, row_changes, s);
}

/* ---- checking -------------------------------------------------------------------------------- */

int store_digest_table(struct store *s, const char *table, uint64_t *digest, struct fl_err *err)
{
    char *sql = fl_format("SELECT * FROM main.%s", table);
    sqlite3_stmt *q = store_prepare(s, sql, err);
    int more = q ? 0 : -1;
    while (q && (more = store_step(s, q, err)) > 0) {
        uint64_t h = start_row(table);
        for (int i = 0; i < sqlite3_column_count(q); i++)
            h = add_value(h, sqlite3_column_value(q, i));
        *digest += h;
    }
    sqlite3_finalize(q);
    free(sql);
    return more;
}

/* The statement that made a table or view of the file, "" when there is none; NULL: an error.
 * Caller frees. */
static char *sql_in_file(struct store *s, const char *name, struct fl_err *err)
{
    char *sql;
    return store_ask(s, "SELECT sql FROM main.sqlite_master WHERE name = ?", name, &sql, err) == 0
               ? fl_strdup("")
               : sql;
}

/* Tables or views are in the file as we make them. */
static int check_made(struct store *s, const struct store_object *o, const char *outcomes,
                      struct fl_err *err)
{
    int bad = 0;
    for (; o->name && !bad; o++) {
        char *there = sql_in_file(s, o->name, err), *made = store_object_sql(o, outcomes);
        bad = !there;
        if (there && strcmp(there, made) != 0)
            bad = store_damaged(s, err, "its %s %s is not as faultsim made it",
                                o->is[0] == '(' ? "table" : "view", o->name);
        free(there);
        free(made);
    }
    return bad ? -1 : 0;
}

int store_check_views(struct store *s, struct fl_err *err)
{
    char *outcomes = store_outcomes(s, err);
    int bad = outcomes ? check_made(s, store_views, outcomes, err) : -1;
    free(outcomes);
    return bad;
}

int store_digest_rows(struct store *s, int format, uint64_t *digest, struct fl_err *err)
{
    int bad = 0;
    *digest = 0;
    for (const struct store_object *o = store_tables; o->name && !bad; o++)
        if (o->since <= format && guarded(o->name))
            bad = store_digest_table(s, o->name, digest, err);
    return bad;
}

/* A key inside a tree may be wrong while a walk along the leaves, as the digest takes it, finds
 * every row: a search would not, neither for a report nor for an update. */
static int check_trees(struct store *s, struct fl_err *err)
{
    char *says;
    int more = store_ask(s, "PRAGMA quick_check(1)", NULL, &says, err);
    bool good = says && strcmp(says, "ok") == 0;
    free(says);
    return more < 0 ? -1 : good ? 0 : store_damaged(s, err, "its pages do not fit together");
}

/* A trigger would change rows behind our back. Views and tables that a user has added do no harm. */
static int check_triggers(struct store *s, struct fl_err *err)
{
    char *name;
    int more = store_ask(s, "SELECT name FROM main.sqlite_master WHERE type = 'trigger'", NULL,
                         &name, err);
    free(name);
    return more > 0 ? store_damaged(s, err, "it has a trigger, which faultsim never makes") : more;
}

static int check_seal(struct store *s, struct fl_err *err)
{
    char *digest;
    int more = store_ask(s, "SELECT digest FROM main.seal", NULL, &digest, err);
    bool same = digest && (uint64_t)strtoll(digest, NULL, 10) == s->digest;
    free(digest);
    s->committed_digest = s->digest;
    return more < 0 ? -1 : same ? 0 : store_damaged(s, err, "rows were changed behind its back");
}

int store_digest_check(struct store *s, struct fl_err *err)
{
    return check_triggers(s, err) != 0 || check_made(s, store_tables, "", err) != 0 ||
                   check_trees(s, err) != 0 ||
                   store_digest_rows(s, STORE_FORMAT, &s->digest, err) != 0
               ? -1
               : check_seal(s, err);
}

int store_digest_check_old(struct store *s, int format, uint64_t definitions, struct fl_err *err)
{
    uint64_t h = 0;
    bool sealed = false;
    if (check_triggers(s, err) != 0 || check_trees(s, err) != 0)
        return -1;
    for (const struct store_object *o = store_tables; o->name; o++) {
        if (o->since > format)
            continue;
        char *sql = sql_in_file(s, o->name, err);
        if (!sql)
            return -1;
        h = add_bytes(h, sql, (int)strlen(sql));
        sealed |= strcmp(o->name, "seal") == 0;
        free(sql);
    }
    if (h != definitions)
        return store_damaged(s, err, "its tables are not as faultsim made them");
    if (!sealed)
        return 0;
    return store_digest_rows(s, format, &s->digest, err) != 0 ? -1 : check_seal(s, err);
}
