/* migrate.c -- stores of earlier formats. Their rows are copied into temporary tables of today's
 * format: so a report or a merge goes through the same code as ever, and the file stays as it is.
 * Who goes on with the campaign puts the temporary tables in place of the file's, in one
 * transaction.
 *
 *     4    counts by kernel instead of by launch, no instruction that wrote a value, no digest,
 *          options in other words: what it lacks cannot be made up for, so it is read and not gone
 *          on with
 *     5    a column for each outcome and each reason; neither model nor other digests than of job
 *          and cubin
 *     6    not how wrong outputs are. Who goes on with 5 or 6 knows it of what is counted from then on
 *     7    not the place of a fault in its list, nor which faults are untestable where some are, nor
 *          instructions of the fault-free run, nor the source of the code, nor what samples of
 *          permanent faults were drawn from. Places are made up: as the first job has them. Who goes
 *          on with the campaign knows all five
 *     8    not how many of the elements that differ are unwritten
 *     9    not the elements that differ
 */
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "internal.h"

enum { OLDEST = 4, OLDEST_TO_GO_ON = 5 };

/* One for each row and column of a table that is not 0. */
#define OUTCOME_ROWS(to, key, from)                                                                \
    "INSERT INTO temp." to " SELECT " key ", 0, masked FROM main." from " WHERE masked IS NOT 0 "  \
    "UNION ALL SELECT " key ", 1, performance FROM main." from " WHERE performance IS NOT 0 "      \
    "UNION ALL SELECT " key ", 2, sdc FROM main." from " WHERE sdc IS NOT 0 "                      \
    "UNION ALL SELECT " key ", 3, crash FROM main." from " WHERE crash IS NOT 0 "                  \
    "UNION ALL SELECT " key ", 4, timeout FROM main." from " WHERE timeout IS NOT 0 "              \
    "UNION ALL SELECT " key ", 5, hang FROM main." from " WHERE hang IS NOT 0"
#define REASON_ROWS(launch)                                                                        \
    "INSERT INTO temp.tally_reason SELECT part, " launch                                           \
    ", 0, idle FROM main.tally WHERE idle IS "                                                     \
    "NOT 0 UNION ALL SELECT part, " launch                                                         \
    ", 1, overwritten FROM main.tally WHERE overwritten IS "                                       \
    "NOT 0 UNION ALL SELECT part, " launch ", 2, logic FROM main.tally WHERE logic IS NOT 0 "      \
    "UNION ALL SELECT part, " launch ", 3, fails FROM main.tally WHERE fails IS NOT 0"
#define TALLY_ROWS(launch)                                                                         \
    "INSERT INTO temp.tally SELECT part, " launch ", bits, cycles, population, owned, "            \
    "warp_cycles, owned_counted, owned_failed, not_run, ace, groups, runs FROM main.tally"
#define OPTIONS "(SELECT value FROM main.campaign WHERE name = 'options')"
#define MODEL                                                                                      \
    "CASE WHEN instr(" OPTIONS ", 'model=intermittent ') THEN 'intermittent' ELSE 'transient' END"
/* Behind a word of the options. */
#define BEHIND(word)    "substr(" OPTIONS ", instr(" OPTIONS ", ' " word "=') + length(' " word "='))"
#define NUMBER_OF_LIST  "CAST(" BEHIND("list") " AS INTEGER)"
#define NUMBER_OF_FLIPS "CAST(" BEHIND("flips") " AS INTEGER)"
#define MARGIN          "CAST(" BEHIND("margin") " AS REAL)"

/* Statements; the lists end with NULL. */
static const char *const from_all[] = {"INSERT INTO temp.seal VALUES(0)",
                                       "INSERT INTO temp.campaign SELECT * FROM main.campaign",
                                       "INSERT INTO temp.setting SELECT * FROM main.setting",
                                       "INSERT INTO temp.bucket SELECT * FROM main.bucket",
                                       "INSERT INTO temp.code SELECT * FROM main.code",
                                       "INSERT INTO temp.done SELECT * FROM main.done",
                                       "INSERT INTO temp.run SELECT * FROM main.run",
                                       NULL};

/* What formats 6 and 7 need alike; `wrong`: the two columns that format 6 lacks. */
#define FROM_6_AND_7(wrong)                                                                        \
    "INSERT INTO temp.outcome SELECT * FROM main.outcome",                                         \
        "INSERT INTO temp.reason SELECT * FROM main.reason",                                       \
        "INSERT INTO temp.job SELECT *, NULL FROM main.job",                                       \
        "INSERT INTO temp.kernel SELECT * FROM main.kernel",                                       \
        "INSERT INTO temp.launch SELECT * FROM main.launch",                                       \
        "INSERT INTO temp.part SELECT * FROM main.part",                                           \
        "INSERT INTO temp.tally SELECT * FROM main.tally",                                         \
        "INSERT INTO temp.tally_outcome SELECT * FROM main.tally_outcome",                         \
        "INSERT INTO temp.tally_reason SELECT * FROM main.tally_reason",                           \
        "INSERT INTO temp.site SELECT * FROM main.site",                                           \
        "INSERT INTO temp.moment SELECT * FROM main.moment",                                       \
        "INSERT INTO temp.moment_outcome SELECT * FROM main.moment_outcome",                       \
        "CREATE TEMP TABLE list(id TEXT PRIMARY KEY, place INTEGER) WITHOUT ROWID",                \
        "INSERT OR IGNORE INTO list SELECT id, row_number() OVER (ORDER BY injection) FROM "       \
        "main.injection i JOIN main.part p ON p.part = i.injection >> 40 WHERE p.job = 0 AND "     \
        "p.model NOT IN ('transient', 'intermittent')",                                            \
        "INSERT INTO temp.injection SELECT i.*" wrong                                              \
        ", (SELECT place FROM list l WHERE l.id = i.id), CASE WHEN i.outcome = (SELECT outcome "   \
        "FROM main.outcome WHERE name = 'masked') AND EXISTS (SELECT 1 FROM main.tally_reason t "  \
        "JOIN main.reason r USING(reason) WHERE t.part = i.injection >> 40 AND r.name = "          \
        "'untestable') THEN NULL ELSE 0 END, NULL FROM main.injection i",                          \
        "DROP TABLE list"

static const char *const from_6[] = {FROM_6_AND_7(", 0, NULL"), NULL};

static const char *const from_7[] = {
    FROM_6_AND_7(""), "INSERT INTO temp.extent SELECT * FROM main.extent",
    "INSERT INTO temp.tally_extent SELECT * FROM main.tally_extent", NULL};

/* What formats 8 and 9 need alike. */
#define FROM_8_AND_9                                                                               \
    "INSERT INTO temp.outcome SELECT * FROM main.outcome",                                         \
        "INSERT INTO temp.reason SELECT * FROM main.reason",                                       \
        "INSERT INTO temp.extent SELECT * FROM main.extent",                                       \
        "INSERT INTO temp.job SELECT * FROM main.job",                                             \
        "INSERT INTO temp.kernel SELECT * FROM main.kernel",                                       \
        "INSERT INTO temp.launch SELECT * FROM main.launch",                                       \
        "INSERT INTO temp.source SELECT * FROM main.source",                                       \
        "INSERT INTO temp.population SELECT * FROM main.population",                               \
        "INSERT INTO temp.part SELECT * FROM main.part",                                           \
        "INSERT INTO temp.tally SELECT * FROM main.tally",                                         \
        "INSERT INTO temp.tally_outcome SELECT * FROM main.tally_outcome",                         \
        "INSERT INTO temp.tally_reason SELECT * FROM main.tally_reason",                           \
        "INSERT INTO temp.tally_extent SELECT * FROM main.tally_extent",                           \
        "INSERT INTO temp.site SELECT * FROM main.site",                                           \
        "INSERT INTO temp.moment SELECT * FROM main.moment",                                       \
        "INSERT INTO temp.moment_outcome SELECT * FROM main.moment_outcome"

static const char *const from_8[] = {
    FROM_8_AND_9, "INSERT INTO temp.injection SELECT *, NULL FROM main.injection", NULL};

static const char *const from_9[] = {
    FROM_8_AND_9, "INSERT INTO temp.injection SELECT * FROM main.injection", NULL};

/* What formats 4 and 5 need alike. */
#define FROM_4_AND_5                                                                               \
    "INSERT INTO temp.outcome VALUES(0, 'masked', 0, 0), (1, 'performance', 0, 1), (2, 'sdc', 1, " \
    "2), (3, 'crash', 1, 3), (4, 'timeout', 1, 4), (5, 'hang', 1, 5)",                             \
        "INSERT INTO temp.reason VALUES(0, 'idle'), (1, 'overwritten'), (2, 'logic'), (3, "        \
        "'fails')",                                                                                \
        "INSERT INTO temp.moment SELECT part, bucket, owned, owned_counted, owned_failed, ace "    \
        "FROM main.moment",                                                                        \
        OUTCOME_ROWS("moment_outcome", "part, bucket", "moment"),                                  \
        "INSERT INTO temp.injection SELECT *, 0, NULL, NULL, 0, NULL FROM main.injection"

static const char *const from_5[] = {
    FROM_4_AND_5,
    "INSERT INTO temp.job SELECT job, name, digest, nullif(cubin, ''), NULL, NULL, profile, "
    "clock_mhz, warps, regs, shared_bytes, steady, sps, outputs, NULL FROM main.job",
    "INSERT INTO temp.kernel SELECT * FROM main.kernel",
    "INSERT INTO temp.launch SELECT * FROM main.launch",
    "INSERT INTO temp.part SELECT part, job, " MODEL ", engine, target, method, confidence, t, "
    "units, flips, cut, active_only, method IN ('sample', 'list') FROM main.part",
    TALLY_ROWS("launch"),
    OUTCOME_ROWS("tally_outcome", "part, launch", "tally"),
    REASON_ROWS("launch"),
    OUTCOME_ROWS("site", "part, role, kernel, pc, reg", "site"),
    NULL};

/* A kernel's launches stand as one. Its list of kernels gave the last cycles of one to the next,
 * its sums did not: the sums are right. The size of a sample follows from its options; one that
 * stopped early has fewer units. Whether there were outputs is not known, and nothing is said of
 * it. */
static const char *const from_4[] = {
    FROM_4_AND_5,
    "INSERT INTO temp.campaign VALUES('size', '')",
    "INSERT INTO temp.job SELECT job, name, digest, NULL, NULL, NULL, profile, clock_mhz, warps, "
    "regs, shared_bytes, steady, sps, 1, NULL FROM main.job",
    "INSERT INTO temp.kernel SELECT job, kernel, name, cycles, max(warp_cycles, ifnull((SELECT "
    "max(t.warp_cycles) FROM main.tally t JOIN main.part p USING(part) WHERE p.job = k.job AND "
    "t.kernel = k.kernel), 0)), thread_cycles, block_cycles, regs_per_thread, block_shared FROM "
    "main.kernel k",
    "INSERT INTO temp.launch SELECT job, kernel, kernel, cycles FROM main.kernel",
    "INSERT INTO temp.part SELECT part, job, " MODEL ", engine, target, CASE target WHEN 'list' "
    "THEN 'list' ELSE method END, confidence, CASE target WHEN 'list' THEN 0 ELSE t END, units, "
    "CASE WHEN method <> 'sample' THEN 0 ELSE min(units * cut, CASE "
    "WHEN target = 'list' THEN " NUMBER_OF_LIST " WHEN instr(" OPTIONS
    ", ' flips=') THEN " NUMBER_OF_FLIPS
    " ELSE sample_size((SELECT sum(population) FROM main.tally t WHERE t.part = "
    "p.part), " MARGIN ", confidence) END) END, cut, method = 'sample' AND instr(" OPTIONS
    ", ' active-only') > 0, method = 'sample' FROM main.part p",
    TALLY_ROWS("kernel"),
    OUTCOME_ROWS("tally_outcome", "part, kernel", "tally"),
    REASON_ROWS("kernel"),
    OUTCOME_ROWS("site", "part, 0, kernel, pc, reg", "site"),
    NULL};

static const struct earlier {
    uint64_t definitions; /* store_digest_check_old */
    const char *const *copy;
} earlier[] = {{0x8ccb980f199fa694, from_4}, {0xf33673237270d073, from_5},
               {0xfadcae5af76649a6, from_6}, {0xdab0cb194fee3cfc, from_7},
               {0xce5ed7d80ee15dec, from_8}, {0x91c1bcf3c0578856, from_9}};

/* ---- reading --------------------------------------------------------------------------------- */

/* SQL: how many flips a margin needs: population, margin, confidence. */
static void sample_size(sqlite3_context *c, int n, sqlite3_value **v)
{
    uint64_t flips;
    struct fl_err err;
    (void)n;
    if (stats_sample_size((uint64_t)sqlite3_value_int64(v[0]), sqlite3_value_double(v[1]),
                          sqlite3_value_double(v[2]), 0.5, &flips, &err) == 0)
        sqlite3_result_int64(c, (sqlite3_int64)flips);
    else
        sqlite3_result_error(c, err.msg, -1);
}

static int copy(struct store *s, const char *const *sql, struct fl_err *err)
{
    for (; *sql; sql++)
        if (store_sql(s, *sql, err) != 0)
            return -1;
    return 0;
}

int store_migrate(struct store *s, int format, struct fl_err *err)
{
    if (format < OLDEST || format >= STORE_FORMAT)
        return fl_fail(err,
                       "%s: was written by another version of faultsim (store format %d, this one "
                       "reads %d to %d); use that version, or start the campaign again in another "
                       "file",
                       name_of(s), format, OLDEST, STORE_FORMAT);
    const struct earlier *e = &earlier[format - OLDEST];
    int bad = store_digest_check_old(s, format, e->definitions, err) != 0;
    for (const struct store_object *o = store_tables; o->name && !bad; o++) {
        char *sql = fl_format("CREATE TEMP TABLE %s%s", o->name, o->is);
        bad = store_sql(s, sql, err) != 0;
        free(sql);
    }
    if (!bad && sqlite3_create_function(s->db, "sample_size", 3, SQLITE_UTF8, NULL, sample_size,
                                        NULL, NULL) != SQLITE_OK)
        bad = fl_fail(err, "%s: SQLite has no memory", name_of(s)) != 0;
    s->migrated = format;
    return bad || copy(s, from_all, err) != 0 || copy(s, e->copy, err) != 0 ? -1 : 0;
}

/* ---- going on -------------------------------------------------------------------------------- */

static int each(struct store *s, const char *fmt, const char *name, struct fl_err *err)
{
    char *sql = fl_format(fmt, name, name);
    int bad = store_sql(s, sql, err);
    free(sql);
    return bad;
}

/* In a transaction. */
static int put_in_place(struct store *s, struct fl_err *err)
{
    int bad = 0;
    for (const struct store_object *v = store_views; v->name && !bad;
         v++) /* they name the tables */
        bad = each(s, "DROP VIEW IF EXISTS main.%s", v->name, err);
    for (const struct store_object *o = store_tables; o->name && !bad; o++)
        if (o->since <= s->migrated)
            bad = each(s, "DROP TABLE main.%s", o->name, err);
    bad = bad || store_make_tables(s, err) != 0;
    for (const struct store_object *o = store_tables; o->name && !bad; o++)
        bad = each(s, "INSERT INTO main.%s SELECT * FROM temp.%s", o->name, err) != 0 ||
              each(s, "DROP TABLE temp.%s", o->name, err) != 0;
    char *format = fl_format("PRAGMA main.user_version = %d", STORE_FORMAT);
    bad = bad || store_make_views(s, err) != 0 || store_sql(s, format, err) != 0 ||
          store_digest_rows(s, STORE_FORMAT, &s->digest, err) != 0;
    free(format);
    return bad;
}

int store_can_go_on(const struct store *s, struct fl_err *err)
{
    return !s->migrated || s->migrated >= OLDEST_TO_GO_ON
               ? 0
               : fl_fail(err,
                         "%s: was written by an earlier version of faultsim (store format %d), "
                         "which did not count by launch and by the instruction that wrote a value; "
                         "faultsim report and merge read it; to go on with it use that version, or "
                         "start the campaign again in another file",
                         name_of(s), s->migrated);
}

int store_upgrade(struct store *s, struct fl_err *err)
{
    if (!s->migrated)
        return 0;
    if (store_begin(s, err) != 0 || store_end(s, put_in_place(s, err), err) != 0)
        return -1;
    s->migrated = 0;
    return 0;
}
