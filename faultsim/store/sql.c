/* sql.c -- SQLite, with messages that say what to do. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "internal.h"

/* What is left to the user whose store is damaged. */
static const char salvage[] =
    "start the campaign again in another file; shards that it was merged from can be merged again";

int store_damaged(const struct store *s, struct fl_err *err, const char *fmt, ...)
{
    char what[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    return fl_fail(err, "%s: is damaged: %s; %s", name_of(s), what, salvage);
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
    case SQLITE_CONSTRAINT: /* rows of an earlier format that do not fit */
    case SQLITE_MISMATCH:
    case SQLITE_CORRUPT: return store_damaged(s, err, "%s", text);
    case SQLITE_FULL:
    case SQLITE_IOERR:
        return fl_fail(err, "%s: cannot be written (%s); %s", name_of(s),
                       code == SQLITE_FULL ? "the disk is full" : text,
                       s->merging   ? "the shards are as they were: make room, then merge again"
                       : s->path[0] ? "what was committed is safe: make room, then go on with "
                                      "--resume"
                                    : "make room, or keep the campaign in a file: --store F");
    default: return fl_fail(err, "%s: %s", name_of(s), text);
    }
}

int store_sql(struct store *s, const char *sql, struct fl_err *err)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : complain(s, err);
}

static int make(struct store *s, const struct store_object *o, const char *outcomes,
                struct fl_err *err)
{
    int bad = 0;
    for (; o->name && !bad; o++) {
        char *sql = store_object_sql(o, outcomes);
        bad = store_sql(s, sql, err);
        free(sql);
    }
    return bad;
}

int store_make_tables(struct store *s, struct fl_err *err)
{
    return make(s, store_tables, "", err);
}

char *store_outcomes(struct store *s, struct fl_err *err)
{
    char *names;
    store_ask(s, "SELECT group_concat(name) FROM (SELECT name FROM main.outcome ORDER BY place)",
              NULL, &names, err);
    return names;
}

int store_make_views(struct store *s, struct fl_err *err)
{
    char *outcomes = store_outcomes(s, err);
    int bad = outcomes ? 0 : -1;
    for (const struct store_object *o = store_views; o->name && !bad; o++) {
        char *sql = fl_format("DROP VIEW IF EXISTS main.%s", o->name);
        bad = store_sql(s, sql, err);
        free(sql);
    }
    bad = bad || make(s, store_views, outcomes, err) != 0;
    free(outcomes);
    return bad;
}

sqlite3_stmt *store_prepare(struct store *s, const char *sql, struct fl_err *err)
{
    sqlite3_stmt *q = NULL;
    if (sqlite3_prepare_v2(s->db, sql, -1, &q, NULL) != SQLITE_OK)
        complain(s, err);
    return q;
}

int store_step(struct store *s, sqlite3_stmt *q, struct fl_err *err)
{
    int r = sqlite3_step(q);
    return r == SQLITE_ROW ? 1 : r == SQLITE_DONE ? 0 : complain(s, err);
}

int store_ask(struct store *s, const char *sql, const char *name, char **out, struct fl_err *err)
{
    sqlite3_stmt *q = store_prepare(s, sql, err);
    *out = NULL;
    if (!q)
        return -1;
    if (name)
        bind_text(q, 1, name);
    int more = store_step(s, q, err);
    if (more > 0)
        *out = fl_strdup(column(q, 0));
    sqlite3_finalize(q);
    return more;
}

/* The statement, prepared once. NULL: it cannot be. */
static sqlite3_stmt *prepared(struct store *s, const char *sql, struct fl_err *err)
{
    for (int i = 0; i < s->nwritten; i++)
        if (s->written[i].sql == sql)
            return s->written[i].q;
    sqlite3_stmt *q = store_prepare(s, sql, err);
    if (q) {
        s->written = fl_grow(s->written, (size_t)s->nwritten + 1, sizeof *s->written);
        s->written[s->nwritten++] = (struct written){sql, q};
    }
    return q;
}

static void bind(sqlite3_stmt *q, int at, const struct store_value *v)
{
    switch (v->type) {
    case STORE_INT: sqlite3_bind_int64(q, at, v->i); break;
    case STORE_REAL: sqlite3_bind_double(q, at, v->d); break;
    case STORE_TEXT: bind_text(q, at, v->text); break;
    case STORE_BYTES:
        sqlite3_bind_blob64(q, at, v->text, (sqlite3_uint64)v->i, SQLITE_STATIC);
        break;
    default: sqlite3_bind_null(q, at);
    }
}

int store_write(struct store *s, const char *sql, const struct store_value *v, struct fl_err *err)
{
    sqlite3_stmt *q = prepared(s, sql, err);
    if (!q)
        return -1;
    for (int at = 1; v->type != STORE_END; at++)
        bind(q, at, v++);
    int bad = store_step(s, q, err) < 0;
    sqlite3_reset(q);
    return bad ? -1 : 0;
}

void store_written_free(struct store *s)
{
    for (int i = 0; i < s->nwritten; i++)
        sqlite3_finalize(s->written[i].q);
    free(s->written);
}

int store_put_campaign(struct store *s, const char *name, const char *value, struct fl_err *err)
{
    return STORE_WRITE(s, err, "INSERT OR REPLACE INTO campaign VALUES(?, ?)", as_text(name),
                       as_text(value));
}

int store_is_there(struct store *s, struct fl_err *err)
{
    int moved = 0;
    if (!s->path[0] || s->merging)
        return 0;
    sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return moved ? fl_fail(err,
                           "%s: was deleted, moved or replaced while the campaign ran, and what "
                           "was in it is no longer there; start the campaign again, or put the "
                           "file back and go on with --resume",
                           name_of(s))
                 : 0;
}

int store_begin(struct store *s, struct fl_err *err)
{
    return store_is_there(s, err) != 0 ? -1 : store_sql(s, "BEGIN IMMEDIATE", err);
}

static int write_seal(struct store *s, struct fl_err *err)
{
    return STORE_WRITE(s, err, "UPDATE seal SET digest = ?", as_u64(s->digest));
}

int store_end(struct store *s, int bad, struct fl_err *err)
{
    if (!bad && write_seal(s, err) == 0 && store_sql(s, "COMMIT", err) == 0 &&
        store_is_there(s, err) == 0) {
        s->committed_digest = s->digest;
        return 0;
    }
    sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    s->digest = s->committed_digest;
    return -1;
}
