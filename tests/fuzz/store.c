/* store.c -- fuzz target: a finished campaign in a file, and changes to it. It is refused with a message that starts with
 * its name, or exports the bytes that it did, before and after somebody goes on with it.
 *
 * An input is the text "seed N count M": M stores, each with changes drawn from a seed of its own, N, N + 1 ..., of today's
 * format and of earlier ones in turn; or it is eight bytes a change (struct change), for one store. With the change SEAL
 * somebody has written the digest anew: then it may export something else, but nothing crashes, goes on for ever or is
 * refused without a message. A store of format 4 has no digest.
 */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/made_up.h"
#include "tests/lib/seal.h"
#include "faultsim/report/avf.h"
#include "fuzz.h"

enum { MAX_STORES = 200, MAX_CHANGES = 8 };

enum { BIT, BYTE, CUT_OFF, VALUE, VALUE_TOO, MISSING, TWICE, SEAL, KINDS };

struct change {
    uint8_t kind, table, column, value;
    uint8_t where[4]; /* row, or place in the file */
};

static uint32_t place(const struct change *c)
{
    uint32_t at;
    memcpy(&at, c->where, sizeof at);
    return at;
}

/* ---- what a store exports ---------------------------------------------------------------------------------------- */

static int one_injection(void *context, const struct store_injection *i)
{
    fl_buf_printf(context, "%llu %d %s %d %s %llu %llu %d\n", (unsigned long long)i->number,
                  i->kernel, i->id, (int)i->outcome, i->reason,
                  (unsigned long long)i->first_activation, (unsigned long long)i->end, i->ran);
    return 0;
}

/* False when the store is refused. */
static bool exports(const char *path, struct fl_buf *out)
{
    struct store *s;
    struct fl_err err = {""};
    if (store_read(path, &s, &err) != 0) {
        FUZZ_CHECK(strncmp(err.msg, path, strlen(path)) == 0, "refused with '%s'", err.msg);
        return false;
    }
    struct avf_report a = {.result = store_result(s),
                           .made = store_options(s),
                           .fit_per_bit = store_get(s, "fit_per_bit", 0)};
    bool good = store_complete(s), written = true;
    avf_report_table(&a, out, NULL);
    avf_report_csv(&a, out, NULL);
    written = avf_report_xml(&a, out, &err) == 0;
    for (int p = 0; p < a.result->nparts && written; p++)
        written = store_injections(s, p, one_injection, out, &err) == 0;
    FUZZ_CHECK(written || err.msg[0], "no message");
    store_close(s, NULL);
    return good && written; /* `faultsim report` refuses what is not whole */
}

/* ---- changes ------------------------------------------------------------------------------------------------------ */

static const char *const tables[] = {
    "campaign",     "seal",           "setting", "outcome",       "job",    "launch",
    "kernel",       "bucket",         "code",    "part",          "tally",  "site",
    "moment",       "injection",      "done",    "sqlite_master", "reason", "tally_outcome",
    "tally_reason", "moment_outcome", "extent",  "tally_extent"};
static const char *const values[] = {"-1",
                                     "0",
                                     "1",
                                     "2147483647",
                                     "2147483648",
                                     "9223372036854775807",
                                     "NULL",
                                     "'text'",
                                     "''",
                                     "x'00ff'",
                                     "0.5",
                                     "9e999",
                                     "1099511627776",
                                     "-9223372036854775808",
                                     "%s + 1",
                                     "%s * 2"};

/* The columns of a table with commas between, and the name of one; false without such a table. */
static bool columns_of(sqlite3 *db, const char *table, unsigned wanted, char *all, size_t size,
                       char one[64])
{
    char sql[128];
    sqlite3_stmt *q;
    unsigned n = 0;
    all[0] = one[0] = 0;
    snprintf(sql, sizeof sql, "SELECT name FROM pragma_table_info('%s')", table);
    if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) != SQLITE_OK)
        return false;
    for (; sqlite3_step(q) == SQLITE_ROW; n++)
        snprintf(all + strlen(all), size - strlen(all), "%s%s", n ? ", " : "", column(q, 0));
    sqlite3_reset(q);
    for (unsigned i = 0; n && i <= wanted % n && sqlite3_step(q) == SQLITE_ROW; i++)
        snprintf(one, 64, "%s", column(q, 0));
    sqlite3_finalize(q);
    return n > 0;
}

static void change_rows(const char *path, const struct change *c)
{
    const char *table = tables[c->table % (sizeof tables / sizeof *tables)];
    const char *value = values[c->value % (sizeof values / sizeof *values)];
    char all[1024], one[64], text[128], row[2400], *sql = NULL;
    sqlite3 *db;
    if (sqlite3_open(path, &db) == SQLITE_OK &&
        columns_of(db, table, c->column, all, sizeof all, one)) {
        snprintf(text, sizeof text, strchr(value, '%') ? value : "%s",
                 strchr(value, '%') ? one : value);
        snprintf(row, sizeof row,
                 "WHERE (%s) IS (SELECT %s FROM %s LIMIT 1 OFFSET %u %% (SELECT count(*) FROM %s))",
                 all, all, table, place(c), table);
        if (c->kind == MISSING)
            sql = fl_format("DELETE FROM %s %s", table, row);
        else if (c->kind == TWICE)
            sql = fl_format("CREATE TEMP TABLE t AS SELECT * FROM %s %s; UPDATE t SET %s = %s; "
                            "INSERT OR REPLACE INTO %s SELECT * FROM t",
                            table, row, one, text, table);
        else
            sql = fl_format("PRAGMA writable_schema = ON; UPDATE OR REPLACE %s SET %s = %s %s",
                            table, one, text, row);
        sqlite3_exec(db, sql, NULL, NULL, NULL); /* what SQLite refuses is no change */
    }
    free(sql);
    sqlite3_close(db);
}

static void change_bytes(const char *path, const struct change *c)
{
    struct fl_buf b = {0};
    struct fl_err err;
    FUZZ_CHECK(fl_read_file(path, &b, &err) == 0, "%s", err.msg);
    if (b.size) {
        size_t at = place(c) % b.size;
        if (c->kind == BIT)
            b.data[at] ^= (uint8_t)(1 << c->value % 8);
        else if (c->kind == BYTE)
            b.data[at] = c->value;
        else
            b.size = at;
        fuzz_file("store.db", b.data, b.size);
    }
    fl_buf_free(&b);
}

/* ---- a store ------------------------------------------------------------------------------------------------------ */

enum { TODAY, FORMAT_5, FORMAT_4, FORMATS };

struct sound {
    struct fl_buf file, exports;
    struct store_identity id;
};

static struct result_job *copy_jobs(const struct result *r)
{
    struct result_job *job = fl_alloc((size_t)r->njobs * sizeof *job);
    for (int j = 0; j < r->njobs; j++)
        result_job_copy(&job[j], &r->job[j]);
    return job;
}

static void make_old(const char *path, int format)
{
    struct fl_buf sql = {0};
    struct fl_err err = {""};
    sqlite3 *db;
    char *from = fl_format(FAULTLINE_SOURCE_DIR "/tests/data/stores/format%d-sample.sql",
                           format == FORMAT_5 ? 5 : 4);
    FUZZ_CHECK(fl_read_file(from, &sql, &err) == 0, "%s", err.msg);
    fl_buf_add(&sql, "", 1);
    FUZZ_CHECK(sqlite3_open(path, &db) == SQLITE_OK &&
                   sqlite3_exec(db, (char *)sql.data, NULL, NULL, NULL) == SQLITE_OK,
               "%s", sqlite3_errmsg(db));
    sqlite3_close(db);
    fl_buf_free(&sql);
    free(from);
}

static const struct sound *sound(int format)
{
    static struct sound all[FORMATS];
    struct sound *s = &all[format];
    struct fl_err err = {""};
    struct store *made;
    if (s->file.size)
        return s;
    char *path = fl_format("%s/sound%d.db", fuzz_dir(), format);
    if (format != TODAY)
        make_old(path, format);
    else if ((made = made_up_campaign(path, false, 1, 1, MADE_UP_UNITS, &err)))
        FUZZ_CHECK(store_set(made, "fit_per_bit", 1e-5, &err) == 0 && store_close(made, &err) == 0,
                   "%s", err.msg);
    FUZZ_CHECK(exports(path, &s->exports) && fl_read_file(path, &s->file, &err) == 0 &&
                   store_read(path, &made, &err) == 0,
               "%s", err.msg);
    s->id = (struct store_identity){.options = fl_strdup(store_options(made)),
                                    .size = "",
                                    .shard = 1,
                                    .shards = 1,
                                    .njobs = store_result(made)->njobs,
                                    .job = copy_jobs(store_result(made))};
    store_close(made, NULL);
    free(path);
    return s;
}

static void same_exports(const struct sound *s, const struct fl_buf *got)
{
    FUZZ_CHECK(got->size == s->exports.size && memcmp(got->data, s->exports.data, got->size) == 0,
               "the store exports something else");
}

static void try_store(int format, const struct change *c, int n)
{
    const struct sound *s = sound(format);
    struct fl_buf got = {0};
    struct fl_err err = {""};
    struct store *again;
    bool sealed = format == FORMAT_4;
    const char *path = fuzz_file("store.db", s->file.data, s->file.size);
    for (int i = 0; i < n; i++) {
        if (c[i].kind < VALUE)
            change_bytes(path, &c[i]);
        else if (c[i].kind < SEAL)
            change_rows(path, &c[i]);
        else
            sealed |= seal_store(path) == 0;
    }
    bool taken = exports(path, &got);
    if (taken && !sealed)
        same_exports(s, &got);
    if (taken && sealed) { /* nobody else would come so far */
        char *merged = fl_format("%s/merged.db", fuzz_dir());
        if (store_merge(merged, &path, 1, &err) == 0)
            unlink(merged);
        free(merged);
    }
    if (store_open(path, true, &s->id, &again, &err) == 0) {
        store_close(again, NULL);
        got.size = 0;
        if (exports(path, &got) && !sealed)
            same_exports(s, &got);
        else
            FUZZ_CHECK(!taken || got.size, "a store that was gone on with is refused");
    } else {
        FUZZ_CHECK(err.msg[0], "no message");
    }
    fl_buf_free(&got);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct change c[MAX_CHANGES];
    char text[64] = "";
    unsigned long long seed;
    int count;
    memcpy(text, data, size < sizeof text - 1 ? size : sizeof text - 1);
    if (sscanf(text, "seed %llu count %d", &seed, &count) == 2) {
        for (int i = 0; i < count && i < MAX_STORES; i++) {
            struct stats_stream random = stats_stream_of(seed + (uint64_t)i, 0);
            int n = 1 + (int)stats_below(&random, 2);
            bool seal = stats_below(&random, 3) == 0;
            for (int k = 0; k < n; k++) {
                uint64_t bytes = stats_next(&random);
                memcpy(&c[k], &bytes, sizeof c[k]);
                c[k].kind = seal ? (uint8_t)(VALUE + c[k].kind % (SEAL - VALUE)) : c[k].kind % SEAL;
            }
            if (seal)
                c[n++] = (struct change){.kind = SEAL};
            try_store((int)((seed + (uint64_t)i) % FORMATS), c, n);
        }
        return 0;
    }
    int n = (int)(size / sizeof *c);
    n = n < MAX_CHANGES ? n : MAX_CHANGES;
    memcpy(c, data, (size_t)n * sizeof *c);
    for (int k = 0; k < n; k++)
        c[k].kind %= KINDS;
    if (n)
        try_store(TODAY, c, n);
    return 0;
}
