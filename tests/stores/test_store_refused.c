/* test_store_refused.c -- stores that are refused: of another campaign, damaged, or that cannot be. */
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include "faultsim/result/made.h"
#include "tests/lib/made_up.h"
#include "tests/lib/seal.h"
#include "tests/lib/tools.h"
#include "tests/lib/stores.h"

/* ---- refused ------------------------------------------------------------------------------------------------------- */

/* SQLite has written its first page, the campaign nothing yet. */
static void a_store_killed_at_birth_is_started_again(void)
{
    struct fl_err err = {""};
    stores_change(stores_file("newborn"),
                  "PRAGMA journal_mode = WAL; PRAGMA journal_mode = DELETE;");
    CU_ASSERT_EQUAL(access(stores_file("newborn"), F_OK), 0);
    struct store *s = made_up_campaign(stores_file("newborn"), true, 1, 1, MADE_UP_UNITS, &err);
    if (!s)
        printf("\n%s\n", err.msg);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_TRUE(store_complete(s));
    store_close(s, NULL);
}

/* The identity is in the file, and nothing else of its jobs: they have no profile yet. */
static void a_store_killed_before_its_jobs_are_described_goes_on(void)
{
    struct fl_err err = {""};
    struct result_job job[2] = {made_up_job(0), made_up_job(1)};
    struct store_identity id = made_up_identity(1, 1, job);
    struct store *s;
    CU_ASSERT_EQUAL_FATAL(store_open(stores_file("named"), false, &id, &s, &err), 0);
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    s = made_up_campaign(stores_file("named"), true, 1, 1, MADE_UP_UNITS, &err);
    if (!s)
        printf("\n%s\n", err.msg);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_TRUE(store_complete(s));
    store_close(s, NULL);
}

/* The other process is there before the store is open: an open store has a thread, and who forks while that allocates has a
 * lock for ever that nobody opens. */
static void two_processes_on_one_store_are_refused(void)
{
    struct fl_err err = {""};
    int status, opened[2];
    char byte = 0;
    CU_ASSERT_EQUAL_FATAL(pipe(opened), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct store *t;
        close(opened[1]);
        if (read(opened[0], &byte, 1) != 1)
            _exit(2); /* the first one has failed */
        bool writer = !made_up_campaign(stores_file("busy"), true, 1, 1, 60, &err) &&
                      strstr(err.msg, "another process works on this store");
        bool reader = store_read(stores_file("busy"), &t, &err) != 0 &&
                      strstr(err.msg, "another process works on this store");
        _exit(writer && reader ? 0 : 1);
    }
    close(opened[0]);
    struct store *s = made_up_campaign(stores_file("busy"), false, 1, 1, 3, &err);
    CU_ASSERT_PTR_NOT_NULL(s);
    CU_ASSERT_EQUAL(write(opened[1], &byte, s ? 1 : 0), s ? 1 : 0);
    close(opened[1]);
    waitpid(child, &status, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    s = made_up_campaign(stores_file("busy"), true, 1, 1, 60, &err); /* the lock is gone */
    CU_ASSERT_PTR_NOT_NULL(s);
    store_close(s, NULL);
}

static void an_existing_file_is_refused_without_resume(void)
{
    struct fl_err err = {""};
    store_close(made_up_campaign(stores_file("there"), false, 1, 1, 3, &err), NULL);
    CU_ASSERT_PTR_NULL(made_up_campaign(stores_file("there"), false, 1, 1, 3, &err));
    REFUSED(err, "--resume");
}

static void another_campaign_is_refused(void)
{
    struct fl_err err = {""};
    struct result_job job[2] = {made_up_job(0), made_up_job(1)};
    struct store_identity id = made_up_identity(1, 1, job);
    struct store *s;
    store_close(made_up_campaign(stores_file("other"), false, 1, 1, 3, &err), NULL);
    job[1].digest[5] = '0';
    CU_ASSERT_EQUAL(store_open(stores_file("other"), true, &id, &s, &err), -1);
    REFUSED(err, "another job");
    job[1] = made_up_job(1);
    memset(job[1].netlist, 'e', 64);
    CU_ASSERT_EQUAL(store_open(stores_file("other"), true, &id, &s, &err), -1);
    REFUSED(err, "another job");
    job[1] = made_up_job(1);
    id.options = "model=transient target=cc";
    CU_ASSERT_EQUAL(store_open(stores_file("other"), true, &id, &s, &err), -1);
    REFUSED(err, "other options");
    id = made_up_identity(2, 3, job);
    CU_ASSERT_EQUAL(store_open(stores_file("other"), true, &id, &s, &err), -1);
    REFUSED(err, "holds shard 1/1, not 2/3");
    id = made_up_identity(1, 1, job);
    id.njobs = 1;
    CU_ASSERT_EQUAL(store_open(stores_file("other"), true, &id, &s, &err), -1);
    REFUSED(err, "2 jobs, not 1");
}

/* What the RTL alone has may end otherwise from one version to the next, and so may flips, while stuck-at faults of the C
 * model end as ever. */
static void results_have_a_version_for_each_engine_and_kind_of_fault(void)
{
    struct fl_buf c = {0}, rtl = {0};
    CU_ASSERT_STRING_EQUAL(made_results("memory", "c"), made_results("stuck-at", "c"));
    CU_ASSERT_STRING_EQUAL(made_results("intermittent", "c"), made_results("transient", "c"));
    CU_ASSERT_STRING_NOT_EQUAL(made_results("transient", "c"), made_results("stuck-at", "c"));
    made_begin(&c, "stuck-at", "c");
    made_begin(&rtl, "stuck-at", "rtl");
    CU_ASSERT_STRING_EQUAL((char *)c.data, "faultline 0.1 model=stuck-at"); /* as version 0.2.0 */
    CU_ASSERT_STRING_NOT_EQUAL((char *)rtl.data, "faultline 0.1 model=stuck-at");
    fl_buf_free(&c);
    fl_buf_free(&rtl);
}

/* Two programs with results of one version have exports that differ in the program alone. */
static void a_line_of_an_export_names_the_program_and_the_version_of_its_results(void)
{
    char *line = made_exported("faultline 0.3 model=transient seed=1", "0.2.0 revision=949f479a");
    CU_ASSERT_STRING_EQUAL(line,
                           "faultline 0.2.0 revision=949f479a results=0.3 model=transient seed=1");
    free(line);
    line = made_exported("faultline 0.3 model=transient seed=1", NULL);
    CU_ASSERT_STRING_EQUAL(line, "faultline results=0.3 model=transient seed=1");
    free(line);
}

static void a_store_of_other_results_names_the_release_that_finishes_it(void)
{
    char *why = made_by_other_results("faultline 0.1 model=transient", "faultline 0.3 model=x");
    CU_ASSERT_PTR_NOT_NULL_FATAL(why);
    CU_ASSERT_PTR_NOT_NULL(strstr(why, "since 0.3: finish it with version 0.2.0"));
    free(why);
    why = made_by_other_results("faultline 0.11 model=transient", "faultline 0.3 model=x");
    CU_ASSERT_PTR_NOT_NULL_FATAL(why);
    CU_ASSERT_PTR_NULL(strstr(why, "0.2.0"));
    free(why);
    CU_ASSERT_PTR_NULL(made_by_other_results("faultline 0.3 model=a", "faultline 0.3 model=b"));
    CU_ASSERT_PTR_NULL(made_by_other_results("model=transient", "faultline 0.3 model=transient"));
}

static void another_fault_free_run_is_refused(void)
{
    struct fl_err err = {""};
    struct result_job job[2] = {made_up_job(0), made_up_job(1)};
    struct store_identity id = made_up_identity(1, 1, job);
    struct result_kernel kernel[2] = {job[0].kernel[0], job[0].kernel[1]};
    struct store *s;
    store_close(made_up_campaign(stores_file("model"), false, 1, 1, 3, &err), NULL);
    CU_ASSERT_EQUAL_FATAL(store_open(stores_file("model"), true, &id, &s, &err), 0);
    kernel[1].cycles++;
    job[0].kernel = kernel;
    CU_ASSERT_EQUAL(store_job(s, 0, &job[0], &err), -1);
    REFUSED(err, "another version");
    store_close(s, NULL);
}

static void another_version_is_refused(void)
{
    struct fl_err err = {""};
    struct store *s;
    store_close(made_up_campaign(stores_file("old"), false, 1, 1, 3, &err), NULL);
    stores_change(stores_file("old"), "PRAGMA user_version = 77");
    CU_ASSERT_PTR_NULL(made_up_campaign(stores_file("old"), true, 1, 1, 3, &err));
    REFUSED(err, "another version of faultsim (store format 77");
    CU_ASSERT_EQUAL(store_read(stores_file("old"), &s, &err), -1);
    REFUSED(err, "another version");
}

static void work_that_was_cut_otherwise_is_refused(void)
{
    struct fl_err err = {""};
    store_close(made_up_campaign(stores_file("cut"), false, 1, 1, 3, &err), NULL);
    stores_change_sealed(stores_file("cut"), "UPDATE part SET cut = 5 WHERE part = 2");
    CU_ASSERT_PTR_NULL(made_up_campaign(stores_file("cut"), true, 1, 1, 3, &err));
    REFUSED(err, "another version");
}

static void exact_work_that_was_cut_otherwise_starts_again_unless_it_is_done(void)
{
    static const uint64_t done[] = {7, MADE_UP_UNITS};
    static const char *const cut[] = {"UPDATE part SET cut = 5, units = 61 WHERE part = 3",
                                      "UPDATE part SET cut = 5 WHERE part = 3"};
    char *want = stores_undisturbed();
    for (int i = 0; i < 2; i++) {
        struct fl_err err = {""};
        struct store *s = made_up_campaign(stores_file("cut"), false, 1, 1, done[i], &err);
        CU_ASSERT_EQUAL(store_close(s, &err), 0);
        stores_change_sealed(stores_file("cut"), cut[i]);
        s = made_up_campaign(stores_file("cut"), true, 1, 1, 0, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        CU_ASSERT_EQUAL(store_count_done(s, 0), done[i]);
        CU_ASSERT_EQUAL(store_count_done(s, 3), i ? done[i] : 0);
        CU_ASSERT_EQUAL(store_result(s)->part[3].units, MADE_UP_UNITS);
        store_close(s, &err);
        s = made_up_campaign(stores_file("cut"), true, 1, 1, MADE_UP_UNITS, &err);
        char *got = stores_dump(s), *read = stores_read(stores_file("cut"));
        CU_ASSERT_STRING_EQUAL(got, want);
        CU_ASSERT_STRING_EQUAL(read, want);
        free(got);
        free(read);
        unlink(stores_file("cut"));
    }
    free(want);
}

static void a_file_that_is_no_store_is_refused(void)
{
    struct fl_err err = {""};
    struct store *s;
    char junk[5000];
    memset(junk, 'j', sizeof junk);
    CU_ASSERT_EQUAL(fl_write_file(stores_file("junk"), junk, sizeof junk, &err), 0);
    CU_ASSERT_EQUAL(store_read(stores_file("junk"), &s, &err), -1);
    REFUSED(err, "is no campaign store");
    CU_ASSERT_PTR_NULL(made_up_campaign(stores_file("junk"), true, 1, 1, 3, &err));
    REFUSED(err, "is no campaign store");
    stores_change(stores_file("foreign"), "CREATE TABLE t(x)");
    CU_ASSERT_EQUAL(store_read(stores_file("foreign"), &s, &err), -1);
    REFUSED(err, "is no campaign store");
    CU_ASSERT_EQUAL(store_read(stores_file("nothing"), &s, &err), -1);
    REFUSED(err, "no such file");
    CU_ASSERT_PTR_NULL(made_up_campaign("/nowhere/at/all", false, 1, 1, 3, &err));
    REFUSED(err, "cannot be opened");
}

static void a_link_to_nothing_is_refused(void)
{
    struct fl_err err = {""};
    const char *one[] = {stores_file("whole")};
    CU_ASSERT_EQUAL(symlink("nowhere", stores_file("link")), 0);
    CU_ASSERT_PTR_NULL(made_up_campaign(stores_file("link"), false, 1, 1, 3, &err));
    REFUSED(err, "is a link to a file that is missing");
    CU_ASSERT_PTR_NULL(made_up_campaign(stores_file("link"), true, 1, 1, 3, &err));
    REFUSED(err, "is a link to a file that is missing");
    CU_ASSERT_EQUAL(store_merge(stores_file("link"), one, 1, &err), -1);
    REFUSED(err, "that of a new file");
    CU_ASSERT_NOT_EQUAL(access(stores_file("nowhere"), F_OK), 0);
}

static void names_that_are_no_file_to_sqlite_are_refused(void)
{
    static const char *const names[] = {"", ":memory:", ":any", "file:x.db",
                                        "file:x.db?mode=memory"};
    const char *one[] = {stores_file("whole")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct fl_err err = {""};
        struct store *s;
        const char *words = *names[i] ? "write ./" : "the name of a store is empty";
        for (int resume = 0; resume < 2; resume++) {
            CU_ASSERT_PTR_NULL(made_up_campaign(names[i], resume, 1, 1, 3, &err));
            REFUSED(err, words);
        }
        CU_ASSERT_EQUAL(store_read(names[i], &s, &err), -1);
        REFUSED(err, words);
        CU_ASSERT_EQUAL(store_merge(names[i], one, 1, &err), -1);
        REFUSED(err, words);
    }
}

/* Deleted, moved, or another file in its place: nothing that is written then can be found again. */
static void a_store_that_is_gone_is_an_error_when_it_is_written(void)
{
    for (int how = 0; how < 3; how++) {
        struct fl_err err = {""};
        struct store_found f;
        struct store *s = made_up_campaign(stores_file("gone"), false, 1, 1, 3, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        if (how == 0)
            unlink(stores_file("gone"));
        else
            rename(stores_file("gone"), stores_file("moved"));
        if (how == 2)
            tools_put(stores_dir, "gone", "", 0);
        store_found_make(&f, s, 0);
        made_up_work(&f, 0, 10);
        if (store_put(s, 0, 10, &f, &err) == 0)
            CU_ASSERT_EQUAL(store_commit(s, &err), -1);
        REFUSED(err, "was deleted, moved or replaced while the campaign ran");
        store_found_free(&f);
        err.msg[0] = 0;
        CU_ASSERT_EQUAL(store_close(s, &err), -1);
        REFUSED(err, "was deleted, moved or replaced");
        unlink(stores_file("gone"));
        unlink(stores_file("moved"));
    }
}

static void a_store_that_is_gone_is_an_error_when_it_is_closed(void)
{
    struct fl_err err = {""};
    struct store *s = made_up_campaign(stores_file("gone"), false, 1, 1, MADE_UP_UNITS, &err);
    unlink(stores_file("gone"));
    CU_ASSERT_EQUAL(store_close(s, &err), -1);
    REFUSED(err, "was deleted, moved or replaced");
}

/* ---- damaged ------------------------------------------------------------------------------------------------------- */

/* Refused with a message, or as if nothing were wrong with it. */
static void refused_or_the_same(const char *path, const char *want, const char *how)
{
    struct store *s;
    struct fl_err err = {""};
    if (store_read(path, &s, &err) != 0) {
        CU_ASSERT(strncmp(err.msg, path, strlen(path)) == 0);
        return;
    }
    char *got = stores_dump(s);
    if (strcmp(got, want) != 0)
        printf("\n%s changes the result\n", how);
    CU_ASSERT_STRING_EQUAL(got, want);
    free(got);
}

static void damaged_bytes_are_refused_or_change_nothing(void)
{
    struct fl_err err = {""};
    char *want = stores_dump(
        made_up_campaign(stores_file("whole"), false, 1, 1, MADE_UP_UNITS, &err));
    struct fl_buf good = {0};
    CU_ASSERT_EQUAL_FATAL(fl_read_file(stores_file("whole"), &good, &err), 0);
    for (uint64_t i = 0; i < 60; i += SANITIZED ? 5 : 1) {
        struct fl_buf bad = {0};
        fl_buf_add(&bad, good.data, i % 4 ? good.size : good.size * i / 60);
        for (uint64_t k = 0; k < i % 4 && bad.size; k++)
            bad.data[stats_draw(i, k, bad.size)] ^= (uint8_t)(1 << stats_draw(i, k + 100, 8));
        tools_put(stores_dir, "damaged", bad.data, bad.size);
        refused_or_the_same(stores_file("damaged"), want, "a bit");
        fl_buf_free(&bad);
    }
    fl_buf_free(&good);
    free(want);
}

/* All rows are there, and a search goes astray: the first key of the root of the table `injection`, in SQLite's format. */
static void a_key_inside_a_tree_that_changed_is_refused(void)
{
    struct fl_err err = {""};
    struct fl_buf b = {0};
    struct store *s;
    sqlite3 *db;
    sqlite3_stmt *q;
    store_close(made_up_campaign(stores_file("tree"), false, 1, 1, MADE_UP_UNITS, &err), NULL);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(stores_file("tree"), &db), SQLITE_OK);
    sqlite3_prepare_v2(db,
                       "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM "
                       "sqlite_master WHERE name = 'injection'",
                       -1, &q, NULL);
    CU_ASSERT_EQUAL_FATAL(sqlite3_step(q), SQLITE_ROW);
    size_t page = (size_t)(sqlite3_column_int(q, 0) - 1) * (size_t)sqlite3_column_int(q, 1);
    sqlite3_finalize(q);
    sqlite3_close(db);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(stores_file("tree"), &b, &err), 0);
    uint8_t *root = b.data + page, *cell = root + root[12] * 256 + root[13];
    CU_ASSERT_EQUAL_FATAL(root[0], 5); /* not a leaf */
    cell[4] ^= 0x40; /* behind the number of the page below; a high byte of the key */
    tools_put(stores_dir, "tree", b.data, b.size);
    CU_ASSERT_EQUAL(store_read(stores_file("tree"), &s, &err), -1);
    REFUSED(err, "its pages do not fit together");
    fl_buf_free(&b);
}

/* Every column of every table that counts, finished or not. */
static void a_row_that_somebody_changed_is_refused(void)
{
    struct fl_err err = {""};
    sqlite3 *db;
    sqlite3_stmt *q;
    int columns = 0;
    store_close(made_up_campaign(stores_file("done"), false, 1, 1, MADE_UP_UNITS, &err), NULL);
    store_close(made_up_campaign(stores_file("half"), false, 1, 1, 20, &err), NULL);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(stores_file("half"), &db), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(
        sqlite3_prepare_v2(db,
                           "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) "
                           "c WHERE m.type = 'table' AND m.name NOT IN ('run', 'setting')",
                           -1, &q, NULL),
        SQLITE_OK);
    while (sqlite3_step(q) == SQLITE_ROW) {
        const char *table = column(q, 0), *name = column(q, 1);
        if (columns++ % (SANITIZED ? 7 : 1) != 0)
            continue;
        char *sql = fl_format("UPDATE OR REPLACE %s SET %s = CASE typeof(%s) WHEN 'text' THEN %s "
                              "|| 'x' ELSE coalesce(%s, 0) + 1000 END",
                              table, name, name, name, name);
        struct store *s;
        stores_copy(columns % 2 ? "half" : "done", "changed");
        stores_change(stores_file("changed"), sql);
        int status = store_read(stores_file("changed"), &s, &err);
        if (status == 0)
            printf("\n%s.%s\n", table, name);
        CU_ASSERT_EQUAL_FATAL(status, -1);
        REFUSED(err, "is damaged");
        REFUSED(err, "start the campaign again");
        free(sql);
    }
    CU_ASSERT(columns > 80);
    sqlite3_finalize(q);
    sqlite3_close(db);
}

/* Somebody who writes the digest as well: what cannot be is refused, without a crash and without endless loops. */
static void a_store_that_cannot_be_is_refused(void)
{
    static const struct {
        const char *sql, *words;
    } bad[] = {
        {"UPDATE campaign SET value = '0' WHERE name = 'shards'", "its shards makes no sense"},
        {"UPDATE campaign SET value = '-5' WHERE name = 'shards'", "its shards makes no sense"},
        {"UPDATE campaign SET value = '2147483647' WHERE name = 'shards'", "its shards makes"},
        {"UPDATE campaign SET value = '2' WHERE name = 'shard'", "its shard makes no sense"},
        {"DELETE FROM campaign WHERE name = 'options'", "it does not say its options"},
        {"UPDATE site SET kernel = 99999999 WHERE part = 0 AND pc = 8 AND reg = 1 AND kernel = 0",
         "an instruction make"},
        {"UPDATE site SET kernel = -7 WHERE part = 0 AND pc = 8 AND reg = 1 AND kernel = 0",
         "an instruction make no"},
        {"UPDATE site SET reg = -2 WHERE part = 0 AND pc = 8 AND reg = 1 AND kernel = 0",
         "an instruction make no"},
        {"UPDATE site SET role = 2 WHERE part = 0 AND role = 1", "an instruction make no"},
        {"UPDATE site SET n = n + 1000000000000 WHERE part = 0", "do not add up"},
        {"DELETE FROM kernel", "a launch makes no sense"},
        {"DELETE FROM kernel WHERE job = 0 AND kernel = 1", "a launch makes no sense"},
        {"DELETE FROM launch", "lacks its kernels, launches or pieces of time"},
        {"UPDATE launch SET cycles = cycles + 1", "lacks its kernels, launches or pieces of time"},
        {"UPDATE kernel SET cycles = -1", "a kernel makes no sense"},
        {"DELETE FROM bucket", "lacks its kernels, launches or pieces of time"},
        {"DELETE FROM kernel; DELETE FROM launch; DELETE FROM bucket; DELETE FROM code; DELETE "
         "FROM "
         "part; DELETE FROM tally; DELETE FROM moment; DELETE FROM site; DELETE FROM done; DELETE "
         "FROM injection",
         "lacks its kernels, launches or"},
        {"DELETE FROM bucket WHERE bucket = 1", "a piece of time makes no sense"},
        {"UPDATE bucket SET cycles = 0", "a piece of time makes no sense"},
        {"UPDATE code SET kernel = 7 WHERE pc = 8", "an instruction makes no sense"},
        {"UPDATE part SET units = -1", "part 0 makes no sense"},
        {"UPDATE part SET units = 1000 WHERE part = 1", "part 1 makes no sense"},
        {"UPDATE part SET job = 2 WHERE part = 1", "part 1 makes no sense"},
        {"UPDATE part SET method = 'guess' WHERE part = 2", "part 2 makes no sense"},
        {"UPDATE part SET part = 9 WHERE part = 4", "part 4 makes no sense"},
        {"UPDATE done SET last = 1000000000000", "units are done that nobody asked for"},
        {"INSERT INTO done VALUES(0, 5, 5)", "units are done twice"},
        {"INSERT INTO done VALUES(99, 5, 5)", "units are done that nobody asked for"},
        {"DELETE FROM done WHERE part = 1", "flips it has done"},
        {"DELETE FROM tally", "lacks sums of its launches"},
        {"DELETE FROM tally WHERE part = 1 AND launch = 0", "lacks sums of its launches"},
        {"DELETE FROM moment WHERE part = 4", "lacks sums of its pieces of time"},
        {"UPDATE moment SET owned_failed = 0", "do not add up"},
        {"UPDATE tally_outcome SET n = n + 2 * outcome - 2 WHERE part = 0 AND outcome IN (0, 2)",
         "do not add up"},
        {"UPDATE tally_outcome SET outcome = 99 WHERE part = 0 AND outcome = 5",
         "a count makes no"},
        {"UPDATE tally_outcome SET n = -1 WHERE part = 0 AND outcome = 5", "a count makes no"},
        {"UPDATE tally_outcome SET launch = 3 WHERE part = 0 AND launch = 2", "a count makes no"},
        {"UPDATE tally_reason SET part = 5 WHERE part = 4", "a count makes no"},
        {"UPDATE tally_extent SET n = 2 * n WHERE part = 0", "do not add up"},
        {"DELETE FROM tally_extent WHERE part = 0 AND extent = 7", "do not add up"},
        {"UPDATE tally_extent SET extent = 99 WHERE part = 0 AND extent = 0", "a count makes no"},
        {"UPDATE injection SET id = replace(id, '/b', ';b') WHERE injection % 1000 = 7",
         "none of those that were"},
        {"UPDATE injection SET reason = 'a' || char(7) WHERE injection % 1000 = 7",
         "none of those that were"},
        {"UPDATE job SET name = 'jo' || char(2) || 'b'", "job 0 makes no sense"},
        {"UPDATE job SET digest = replace(digest, 'a', 'z')", "job 0 makes no sense"},
        {"UPDATE kernel SET name = char(27)", "a kernel makes no sense"},
        {"UPDATE code SET text = ''", "an instruction makes no sense"},
        {"UPDATE part SET target = char(1) WHERE part = 0", "part 0 makes no sense"},
        {"UPDATE injection SET unwritten = elements + 1", "none of those that were"},
        {"UPDATE injection SET unwritten = -1", "none of those that were"},
        {"UPDATE injection SET elements = -1", "none of those that were"},
        {"UPDATE injection SET by = 'much'", "none of those that were"},
        {"UPDATE pattern SET nan = nan + 1", "another pattern than"},
        {"UPDATE pattern SET writers = 'nobody'", "another pattern than"},
        {"UPDATE words SET rows = zeroblob(1)", "other wrong words than"},
        {"UPDATE words SET injection = -injection", "other wrong words than"},
        {"UPDATE moment_outcome SET bucket = -1 WHERE bucket = 0", "a count makes no"},
        {"DELETE FROM tally_reason WHERE part = 1 AND reason = 0", "do not add up"},
        {"DELETE FROM moment_outcome WHERE part = 0 AND outcome = 2", "do not add up"},
        {"UPDATE outcome SET failure = 0 WHERE name = 'sdc'", "its outcome 'sdc' makes no sense"},
        {"UPDATE outcome SET outcome = -3 WHERE name = 'sdc'", "its outcome 'sdc' makes no sense"},
        {"INSERT INTO reason VALUES(17, 'idle')", "its reason 'idle' makes no sense"},
        {"UPDATE part SET kept = 0 WHERE part = 1", "none of those that were"},
        {"UPDATE part SET kept = 1 WHERE part = 0", "part 0 makes no sense"},
        {"UPDATE part SET model = '' WHERE part = 0", "part 0 makes no sense"},
        {"UPDATE job SET netlist = 'abc'", "job 0 makes no sense"},
        {"UPDATE tally SET population = 1", "do not add up"},
        {"UPDATE tally_outcome SET n = n - 1 WHERE part = 0 AND outcome = 0; UPDATE tally_reason "
         "SET n = n - 1 WHERE part = 0 AND reason = 0",
         "do not add up"},
        {"UPDATE injection SET outcome = 17 WHERE injection % 7 = 0", "none of those that were"},
        {"UPDATE injection SET kernel = -1 WHERE injection % 7 = 0", "none of those that were"},
        {"UPDATE injection SET injection = injection + (1 << 50) WHERE injection % 1000 = 7",
         "none of those"},
        {"UPDATE injection SET outcome = (outcome + 1) % 6", "none of those that were"},
        {"DELETE FROM injection WHERE injection % 1000 = 7", "lacks injections"},
        {"CREATE TRIGGER t AFTER INSERT ON done BEGIN DELETE FROM done; END", "has a trigger"},
        {"DROP VIEW avf", "its view avf is not as"},
        {"ALTER TABLE site ADD COLUMN x", "its table site is not as"},
    };
    struct fl_err err = {""};
    store_close(made_up_campaign(stores_file("sound"), false, 1, 1, MADE_UP_UNITS, &err), NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i += SANITIZED ? 4 : 1) {
        struct store *s;
        stores_copy("sound", "unsound");
        stores_change_sealed(stores_file("unsound"), bad[i].sql);
        int status = store_read(stores_file("unsound"), &s, &err);
        if (status == 0)
            printf("\n%s\n", bad[i].sql);
        CU_ASSERT_EQUAL_FATAL(status, -1);
        REFUSED(err, "is damaged");
        REFUSED(err, bad[i].words);
    }
}

int main(void)
{
    stores_start();
    int status = CHECK_RUN(
        "store_refused", CHECK(a_store_killed_at_birth_is_started_again),
        CHECK(a_store_killed_before_its_jobs_are_described_goes_on),
        CHECK(two_processes_on_one_store_are_refused),
        CHECK(an_existing_file_is_refused_without_resume), CHECK(another_campaign_is_refused),
        CHECK(results_have_a_version_for_each_engine_and_kind_of_fault),
        CHECK(a_line_of_an_export_names_the_program_and_the_version_of_its_results),
        CHECK(a_store_of_other_results_names_the_release_that_finishes_it),
        CHECK(another_fault_free_run_is_refused), CHECK(another_version_is_refused),
        CHECK(exact_work_that_was_cut_otherwise_starts_again_unless_it_is_done),
        CHECK(work_that_was_cut_otherwise_is_refused), CHECK(a_file_that_is_no_store_is_refused),
        CHECK(a_link_to_nothing_is_refused), CHECK(names_that_are_no_file_to_sqlite_are_refused),
        CHECK(a_store_that_is_gone_is_an_error_when_it_is_written),
        CHECK(a_store_that_is_gone_is_an_error_when_it_is_closed),
        CHECK(damaged_bytes_are_refused_or_change_nothing),
        CHECK(a_key_inside_a_tree_that_changed_is_refused),
        CHECK(a_row_that_somebody_changed_is_refused), CHECK(a_store_that_cannot_be_is_refused));
    stores_end();
    return status;
}
