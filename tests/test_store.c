/* test_store.c -- campaigns in a file: what survives kill -9, a full disk, two processes, shards; what is refused; and
 * that the views compute what metrics.c does.
 */
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/lib/made_up.h"
#include "tests/lib/seal.h"
#include "tests/lib/tools.h"

static char *dir;

/* The path of a file of the folder; the same text for the same name, for as long as the tests run. */
static const char *file(const char *name)
{
    static char path[64][128];
    char *p = path[0], wanted[128];
    snprintf(wanted, sizeof wanted, "%s/%s", dir, name);
    while (p[0] && strcmp(p, wanted) != 0)
        p += sizeof path[0];
    CU_ASSERT_FATAL(p < path[63]);
    return strcpy(p, wanted);
}

static char *dump_and_close(struct store *s)
{
    struct fl_err err = {""};
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    char *text = made_up_dump(s);
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    return text;
}

/* What an undisturbed run in one piece gives. */
static char *undisturbed(void)
{
    struct fl_err err;
    return dump_and_close(made_up_campaign(NULL, false, 1, 1, MADE_UP_UNITS, &err));
}

static char *read_back(const char *path)
{
    struct store *s;
    struct fl_err err = {""};
    if (store_read(path, &s, &err) != 0) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("cannot be read back");
    }
    return dump_and_close(s);
}

#define REFUSED(err, words)                                                                        \
    do {                                                                                           \
        if (!strstr((err).msg, words))                                                             \
            printf("\nmessage: %s\n", (err).msg);                                                  \
        CU_ASSERT_PTR_NOT_NULL(strstr((err).msg, words));                                          \
    } while (0)

static void change(const char *path, const char *sql)
{
    sqlite3 *db;
    CU_ASSERT_EQUAL(sqlite3_open(path, &db), SQLITE_OK);
    CU_ASSERT_EQUAL(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* The same by somebody who knows of the digest. */
static void change_sealed(const char *path, const char *sql)
{
    change(path, sql);
    CU_ASSERT_EQUAL(seal_store(path), 0);
}

/* ---- going on ------------------------------------------------------------------------------------------------------ */

static void a_file_holds_what_memory_holds(void)
{
    struct fl_err err = {""};
    char *want = undisturbed();
    char *got = dump_and_close(made_up_campaign(file("a"), false, 1, 1, MADE_UP_UNITS, &err));
    char *again = read_back(file("a"));
    CU_ASSERT_STRING_EQUAL(got, want);
    CU_ASSERT_STRING_EQUAL(again, want);
    CU_ASSERT(strlen(want) > 5000);
    CU_ASSERT_NOT_EQUAL(access(file("a-journal"), F_OK), 0); /* one file at rest */
    CU_ASSERT_NOT_EQUAL(access(file("a-wal"), F_OK), 0);
    free(want);
    free(got);
    free(again);
}

static void a_campaign_in_pieces_gives_the_same_bytes(void)
{
    struct fl_err err = {""};
    char *want = undisturbed();
    for (uint64_t upto = 7; upto < MADE_UP_UNITS + 13; upto += 13) {
        struct store *s = made_up_campaign(file("pieces"), true, 1, 1, upto < 60 ? upto : 60, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        CU_ASSERT_EQUAL(store_complete(s), upto >= MADE_UP_UNITS);
        CU_ASSERT_EQUAL(store_count_done(s, 2), upto < 60 ? upto : 60);
        CU_ASSERT_EQUAL(store_close(s, &err), 0);
    }
    char *got = read_back(file("pieces"));
    CU_ASSERT_STRING_EQUAL(got, want);
    free(want);
    free(got);
}

/* Killed between two targets: all that is declared is done, and more was to come. */
static void a_campaign_without_its_last_parts_is_not_complete(void)
{
    struct fl_err err = {""};
    struct store *s = made_up_campaign(file("early"), false, 1, 1, MADE_UP_UNITS, &err);
    CU_ASSERT_TRUE(store_complete(s));
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    change_sealed(file("early"), "UPDATE campaign SET value = '0' WHERE name = 'finished'");
    CU_ASSERT_EQUAL_FATAL(store_read(file("early"), &s, &err), 0);
    CU_ASSERT_FALSE(store_complete(s));
    store_close(s, NULL);
}

static void a_unit_counts_once(void)
{
    struct fl_err err = {""};
    struct store *s = made_up_campaign(NULL, false, 1, 1, 5, &err);
    struct store_found f;
    struct tally before, after;
    store_found_make(&f, s, 0);
    made_up_work(&f, 0, 4);
    store_sum(s, 0, &before);
    CU_ASSERT_EQUAL(store_put(s, 0, 4, &f, &err), -1);
    REFUSED(err, "done already");
    store_sum(s, 0, &after);
    CU_ASSERT_EQUAL(before.counted, after.counted);
    CU_ASSERT_EQUAL(store_put(s, 0, 5, &f, &err), 0);
    store_found_free(&f);
    store_close(s, NULL);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A child puts a unit every few milliseconds and tells each through a pipe, with the time; it is killed on the way. */
static void work_slowly(const char *path, int to)
{
    struct result_job job[2] = {made_up_job(0), made_up_job(1)};
    struct store_identity id = made_up_identity(1, 1, job);
    struct store *s;
    struct store_found f;
    if (store_open(path, false, &id, &s, NULL) != 0 || store_job(s, 0, &job[0], NULL) != 0 ||
        store_job(s, 1, &job[1], NULL) != 0 || made_up_declare(s, 0, NULL) != 0)
        _exit(1);
    store_found_make(&f, s, 0);
    for (uint64_t u = 0; u < MADE_UP_UNITS; u++) {
        double at;
        made_up_work(&f, 0, u);
        if (store_put(s, 0, u, &f, NULL) != 0)
            _exit(1);
        store_found_clear(&f);
        at = now();
        if (write(to, &at, sizeof at) != sizeof at)
            _exit(1);
        usleep(30000);
    }
    for (;;) /* finished work that nobody follows up with a put must be committed as well */
        pause();
}

static void kill_9_loses_at_most_the_last_second(void)
{
    struct fl_err err = {""};
    int fd[2];
    CU_ASSERT_EQUAL_FATAL(pipe(fd), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        work_slowly(file("killed"), fd[1]);
    close(fd[1]);
    usleep(2500000);
    kill(child, SIGKILL);
    double killed = now(), at[MADE_UP_UNITS];
    double stall = 0; /* the longest that a busy machine let the child wait */
    waitpid(child, NULL, 0);
    uint64_t safe = 0, told = 0;
    for (; told < MADE_UP_UNITS && read(fd[0], &at[told], sizeof *at) == sizeof *at; told++)
        if (told && at[told] - at[told - 1] > stall)
            stall = at[told] - at[told - 1];
    while (safe < told && at[safe] < killed - 1 - stall)
        safe++;
    close(fd[0]);
    CU_ASSERT(safe > 0 && told > safe);
    struct store *s;
    CU_ASSERT_EQUAL_FATAL(store_read(file("killed"), &s, &err), 0);
    CU_ASSERT(store_count_done(s, 0) >= safe);
    CU_ASSERT(store_count_done(s, 0) <= told + 1);
    store_close(s, NULL);
    char *want = undisturbed();
    char *got = dump_and_close(made_up_campaign(file("killed"), true, 1, 1, MADE_UP_UNITS, &err));
    CU_ASSERT_STRING_EQUAL(got, want);
    free(want);
    free(got);
}

/* Units until nothing goes in any more: a file that may not grow much further. Exit 0: refused with a message. */
static void fill_up(const char *path)
{
    struct fl_err err = {""};
    struct stat st;
    struct store *s = made_up_campaign(path, false, 1, 1, 10, &err);
    if (!s || store_commit(s, &err) != 0 || stat(path, &st) != 0)
        _exit(1);
    rlim_t most = (rlim_t)st.st_size + 30000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){most, most});
    struct store_found f;
    store_found_make(&f, s, 1);
    for (uint64_t u = 10; u < MADE_UP_UNITS; u++) {
        made_up_work(&f, 1, u);
        if (store_put(s, 1, u, &f, &err) != 0 || store_commit(s, &err) != 0)
            break;
        store_found_clear(&f);
    }
    struct fl_err again = {""}; /* what a commit in the background finds is told by the next unit */
    bool told = store_put(s, 1, MADE_UP_UNITS - 1, &f, &again) != 0 &&
                strcmp(again.msg, err.msg) == 0;
    _exit(told && strstr(err.msg, "cannot be written") && strstr(err.msg, "--resume") ? 0 : 2);
}

static void a_full_disk_is_told_and_loses_nothing(void)
{
    struct fl_err err = {""};
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        fill_up(file("full"));
    waitpid(child, &status, 0);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    struct store *s;
    CU_ASSERT_EQUAL_FATAL(store_read(file("full"), &s, &err), 0);
    for (int p = 0; p < MADE_UP_PARTS; p++)
        CU_ASSERT(store_count_done(s, p) >= 10);
    CU_ASSERT(store_count_done(s, 1) > 10 && store_count_done(s, 1) < MADE_UP_UNITS);
    struct tally t; /* the sums are those of the units done, neither more nor fewer */
    store_sum(s, 1, &t);
    CU_ASSERT_EQUAL(t.counted, 40 * store_count_done(s, 1));
    store_close(s, NULL);
}

/* ---- refused ------------------------------------------------------------------------------------------------------- */

/* SQLite has written its first page, the campaign nothing yet. */
static void a_store_killed_at_birth_is_started_again(void)
{
    struct fl_err err = {""};
    change(file("newborn"), "PRAGMA journal_mode = WAL; PRAGMA journal_mode = DELETE;");
    CU_ASSERT_EQUAL(access(file("newborn"), F_OK), 0);
    struct store *s = made_up_campaign(file("newborn"), true, 1, 1, MADE_UP_UNITS, &err);
    if (!s)
        printf("\n%s\n", err.msg);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_TRUE(store_complete(s));
    store_close(s, NULL);
}

static void two_processes_on_one_store_are_refused(void)
{
    struct fl_err err = {""};
    struct store *s = made_up_campaign(file("busy"), false, 1, 1, 3, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        struct store *t;
        bool writer = !made_up_campaign(file("busy"), true, 1, 1, 60, &err) &&
                      strstr(err.msg, "another process works on this store");
        bool reader = store_read(file("busy"), &t, &err) != 0 &&
                      strstr(err.msg, "another process works on this store");
        _exit(writer && reader ? 0 : 1);
    }
    waitpid(child, &status, 0);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    s = made_up_campaign(file("busy"), true, 1, 1, 60, &err); /* the lock is gone */
    CU_ASSERT_PTR_NOT_NULL(s);
    store_close(s, NULL);
}

static void an_existing_file_is_refused_without_resume(void)
{
    struct fl_err err = {""};
    store_close(made_up_campaign(file("there"), false, 1, 1, 3, &err), NULL);
    CU_ASSERT_PTR_NULL(made_up_campaign(file("there"), false, 1, 1, 3, &err));
    REFUSED(err, "--resume");
}

static void another_campaign_is_refused(void)
{
    struct fl_err err = {""};
    struct result_job job[2] = {made_up_job(0), made_up_job(1)};
    struct store_identity id = made_up_identity(1, 1, job);
    struct store *s;
    store_close(made_up_campaign(file("other"), false, 1, 1, 3, &err), NULL);
    job[1].digest[5] = '0';
    CU_ASSERT_EQUAL(store_open(file("other"), true, &id, &s, &err), -1);
    REFUSED(err, "another job");
    job[1] = made_up_job(1);
    memset(job[1].netlist, 'e', 64);
    CU_ASSERT_EQUAL(store_open(file("other"), true, &id, &s, &err), -1);
    REFUSED(err, "another job");
    job[1] = made_up_job(1);
    id.options = "model=transient target=cc";
    CU_ASSERT_EQUAL(store_open(file("other"), true, &id, &s, &err), -1);
    REFUSED(err, "other options");
    id = made_up_identity(2, 3, job);
    CU_ASSERT_EQUAL(store_open(file("other"), true, &id, &s, &err), -1);
    REFUSED(err, "holds shard 1/1, not 2/3");
    id = made_up_identity(1, 1, job);
    id.njobs = 1;
    CU_ASSERT_EQUAL(store_open(file("other"), true, &id, &s, &err), -1);
    REFUSED(err, "2 jobs, not 1");
}

static void another_fault_free_run_is_refused(void)
{
    struct fl_err err = {""};
    struct result_job job[2] = {made_up_job(0), made_up_job(1)};
    struct store_identity id = made_up_identity(1, 1, job);
    struct result_kernel kernel[2] = {job[0].kernel[0], job[0].kernel[1]};
    struct store *s;
    store_close(made_up_campaign(file("model"), false, 1, 1, 3, &err), NULL);
    CU_ASSERT_EQUAL_FATAL(store_open(file("model"), true, &id, &s, &err), 0);
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
    store_close(made_up_campaign(file("old"), false, 1, 1, 3, &err), NULL);
    change(file("old"), "PRAGMA user_version = 77");
    CU_ASSERT_PTR_NULL(made_up_campaign(file("old"), true, 1, 1, 3, &err));
    REFUSED(err, "another version of faultsim (store format 77");
    CU_ASSERT_EQUAL(store_read(file("old"), &s, &err), -1);
    REFUSED(err, "another version");
}

static void work_that_was_cut_otherwise_is_refused(void)
{
    struct fl_err err = {""};
    store_close(made_up_campaign(file("cut"), false, 1, 1, 3, &err), NULL);
    change_sealed(file("cut"), "UPDATE part SET cut = 5 WHERE part = 3");
    CU_ASSERT_PTR_NULL(made_up_campaign(file("cut"), true, 1, 1, 3, &err));
    REFUSED(err, "another version");
}

static void a_file_that_is_no_store_is_refused(void)
{
    struct fl_err err = {""};
    struct store *s;
    char junk[5000];
    memset(junk, 'j', sizeof junk);
    CU_ASSERT_EQUAL(fl_write_file(file("junk"), junk, sizeof junk, &err), 0);
    CU_ASSERT_EQUAL(store_read(file("junk"), &s, &err), -1);
    REFUSED(err, "is no campaign store");
    CU_ASSERT_PTR_NULL(made_up_campaign(file("junk"), true, 1, 1, 3, &err));
    REFUSED(err, "is no campaign store");
    change(file("foreign"), "CREATE TABLE t(x)");
    CU_ASSERT_EQUAL(store_read(file("foreign"), &s, &err), -1);
    REFUSED(err, "is no campaign store");
    CU_ASSERT_EQUAL(store_read(file("nothing"), &s, &err), -1);
    REFUSED(err, "no such file");
    CU_ASSERT_PTR_NULL(made_up_campaign("/nowhere/at/all", false, 1, 1, 3, &err));
    REFUSED(err, "cannot be opened");
}

static void a_link_to_nothing_is_refused(void)
{
    struct fl_err err = {""};
    const char *one[] = {file("whole")};
    CU_ASSERT_EQUAL(symlink("nowhere", file("link")), 0);
    CU_ASSERT_PTR_NULL(made_up_campaign(file("link"), false, 1, 1, 3, &err));
    REFUSED(err, "is a link to nothing");
    CU_ASSERT_PTR_NULL(made_up_campaign(file("link"), true, 1, 1, 3, &err));
    REFUSED(err, "is a link to nothing");
    CU_ASSERT_EQUAL(store_merge(file("link"), one, 1, &err), -1);
    REFUSED(err, "that of a new file");
    CU_ASSERT_NOT_EQUAL(access(file("nowhere"), F_OK), 0);
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
    char *got = dump_and_close(s);
    if (strcmp(got, want) != 0)
        printf("\n%s changes the result\n", how);
    CU_ASSERT_STRING_EQUAL(got, want);
    free(got);
}

static void damaged_bytes_are_refused_or_change_nothing(void)
{
    struct fl_err err = {""};
    char *want = dump_and_close(made_up_campaign(file("whole"), false, 1, 1, MADE_UP_UNITS, &err));
    struct fl_buf good = {0};
    CU_ASSERT_EQUAL_FATAL(fl_read_file(file("whole"), &good, &err), 0);
    for (uint64_t i = 0; i < 60; i += SANITIZED ? 5 : 1) {
        struct fl_buf bad = {0};
        fl_buf_add(&bad, good.data, i % 4 ? good.size : good.size * i / 60);
        for (uint64_t k = 0; k < i % 4 && bad.size; k++)
            bad.data[stats_draw(i, k, bad.size)] ^= (uint8_t)(1 << stats_draw(i, k + 100, 8));
        tools_put(dir, "damaged", bad.data, bad.size);
        refused_or_the_same(file("damaged"), want, "a bit");
        fl_buf_free(&bad);
    }
    fl_buf_free(&good);
    free(want);
}

static void copy(const char *from, const char *to)
{
    struct fl_err err;
    struct fl_buf b = {0};
    CU_ASSERT_EQUAL_FATAL(fl_read_file(file(from), &b, &err), 0);
    tools_put(dir, to, b.data, b.size);
    fl_buf_free(&b);
}

/* All rows are there, and a search goes astray: the first key of the root of the table `injection`, in SQLite's format. */
static void a_key_inside_a_tree_that_changed_is_refused(void)
{
    struct fl_err err = {""};
    struct fl_buf b = {0};
    struct store *s;
    sqlite3 *db;
    sqlite3_stmt *q;
    store_close(made_up_campaign(file("tree"), false, 1, 1, MADE_UP_UNITS, &err), NULL);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(file("tree"), &db), SQLITE_OK);
    sqlite3_prepare_v2(db,
                       "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM "
                       "sqlite_master WHERE name = 'injection'",
                       -1, &q, NULL);
    CU_ASSERT_EQUAL_FATAL(sqlite3_step(q), SQLITE_ROW);
    size_t page = (size_t)(sqlite3_column_int(q, 0) - 1) * (size_t)sqlite3_column_int(q, 1);
    sqlite3_finalize(q);
    sqlite3_close(db);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(file("tree"), &b, &err), 0);
    uint8_t *root = b.data + page, *cell = root + root[12] * 256 + root[13];
    CU_ASSERT_EQUAL_FATAL(root[0], 5); /* not a leaf */
    cell[4] ^= 0x40; /* behind the number of the page below; a high byte of the key */
    tools_put(dir, "tree", b.data, b.size);
    CU_ASSERT_EQUAL(store_read(file("tree"), &s, &err), -1);
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
    store_close(made_up_campaign(file("done"), false, 1, 1, MADE_UP_UNITS, &err), NULL);
    store_close(made_up_campaign(file("half"), false, 1, 1, 20, &err), NULL);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(file("half"), &db), SQLITE_OK);
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
        copy(columns % 2 ? "half" : "done", "changed");
        change(file("changed"), sql);
        int status = store_read(file("changed"), &s, &err);
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
        {"DELETE FROM tally WHERE part = 1 AND launch = 0", "sums of a launch are missing"},
        {"DELETE FROM moment WHERE part = 4", "lacks sums of its pieces of time"},
        {"UPDATE moment SET owned_failed = 0", "do not add up"},
        {"UPDATE tally_outcome SET n = n + 2 * outcome - 2 WHERE part = 0 AND outcome IN (0, 2)",
         "do not add up"},
        {"UPDATE tally_outcome SET outcome = 9 WHERE part = 0 AND outcome = 5", "a count makes no"},
        {"UPDATE tally_outcome SET n = -1 WHERE part = 0 AND outcome = 5", "a count makes no"},
        {"UPDATE tally_outcome SET launch = 3 WHERE part = 0 AND launch = 2", "a count makes no"},
        {"UPDATE tally_reason SET part = 5 WHERE part = 4", "a count makes no"},
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
    store_close(made_up_campaign(file("sound"), false, 1, 1, MADE_UP_UNITS, &err), NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i += SANITIZED ? 4 : 1) {
        struct store *s;
        copy("sound", "unsound");
        change_sealed(file("unsound"), bad[i].sql);
        int status = store_read(file("unsound"), &s, &err);
        if (status == 0)
            printf("\n%s\n", bad[i].sql);
        CU_ASSERT_EQUAL_FATAL(status, -1);
        REFUSED(err, "is damaged");
        REFUSED(err, bad[i].words);
    }
}

/* ---- kinds of outcome ---------------------------------------------------------------------------------------------- */

/* The file has numbers of its own for them. */
static void a_store_takes_outcomes_that_it_did_not_know(void)
{
    struct fl_err err = {""};
    sqlite3 *db;
    sqlite3_stmt *q;
    char *want = undisturbed();
    store_close(made_up_campaign(file("fewer"), false, 1, 1, 0, &err), NULL);
    change_sealed(file("fewer"),
                  "DELETE FROM outcome WHERE name = 'hang'; DELETE FROM reason WHERE "
                  "name = 'fails'; UPDATE outcome SET outcome = outcome + 40, place "
                  "= 9");
    char *got = dump_and_close(made_up_campaign(file("fewer"), true, 1, 1, MADE_UP_UNITS, &err));
    char *again = read_back(file("fewer"));
    CU_ASSERT_STRING_EQUAL(got, want);
    CU_ASSERT_STRING_EQUAL(again, want);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(file("fewer"), &db), SQLITE_OK);
    sqlite3_prepare_v2(db, "SELECT outcome, place, failure FROM outcome WHERE name = 'hang'", -1,
                       &q, NULL);
    CU_ASSERT_EQUAL_FATAL(sqlite3_step(q), SQLITE_ROW);
    CU_ASSERT(sqlite3_column_int(q, 0) == 45 && sqlite3_column_int(q, 1) == OUT_HANG &&
              sqlite3_column_int(q, 2) == 1);
    sqlite3_finalize(q);
    sqlite3_close(db);
    free(want);
    free(got);
    free(again);
}

static void an_outcome_of_a_later_version_is_refused(void)
{
    struct fl_err err = {""};
    struct store *s;
    store_close(made_up_campaign(file("later"), false, 1, 1, 3, &err), NULL);
    change_sealed(file("later"), "INSERT INTO outcome VALUES(6, 'tolerable', 0, 2)");
    CU_ASSERT_EQUAL(store_read(file("later"), &s, &err), -1);
    REFUSED(err, "later version");
    REFUSED(err, "the outcome 'tolerable'");
}

static int same_id(void *context, const struct store_injection *i)
{
    const char *const *id = context;
    CU_ASSERT_STRING_EQUAL(i->id, id[i->number]);
    return 0;
}

/* Faults are text, a part says its model and engine, a job the netlist that its faults are of. */
static void a_store_takes_permanent_faults_wherever_they_are(void)
{
    static const char *const id[] = {
        "dstack/w0/le3/spc17:sa1", "gate/alu_int/n123.2:sa0", "sm3/rf/p5/b1~rf/p9/b1:cfin",
        "sm3/l1d/set5/way1/tag7@1800-1900:sa1+l2/set1/way0/d3@1800-1900:sa1"};
    struct fl_err err = {""};
    struct result_job job[2] = {made_up_job(1), made_up_job(1)};
    memset(job[0].netlist, 'e', 64);
    memset(job[0].checker, 'f', 64);
    struct store_identity id_of = made_up_identity(1, 1, job);
    id_of.njobs = 1;
    struct tally tally = {.cycles = 1000};
    struct result_part part = {.model = (char *)"gate",
                               .engine = (char *)"gates",
                               .target = (char *)"list",
                               .method = METHOD_LIST,
                               .confidence = 0.95,
                               .units = 1,
                               .flips = 4,
                               .cut = 4,
                               .tally = &tally};
    struct store *s;
    struct store_found f;
    CU_ASSERT_EQUAL_FATAL(store_open(file("gates"), false, &id_of, &s, &err), 0);
    CU_ASSERT(store_job(s, 0, &job[0], &err) == 0 && store_part(s, &part, &err) == 0);
    store_found_make(&f, s, 0);
    f.tally[0].counted = f.tally[0].runs = f.tally[0].outcome[OUT_SDC] = 4;
    f.tally[0].reason[REASON_FAILS] = f.moment[0].outcome[OUT_SDC] = 4;
    for (uint64_t i = 0; i < 4; i++)
        store_found_inject(&f, &(struct store_injection){i, 0, id[i], OUT_SDC, "out+0x4", 7, 9, 1});
    CU_ASSERT(store_put(s, 0, 0, &f, &err) == 0 && store_finish(s, &err) == 0);
    store_found_free(&f);
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    const char *in[] = {file("gates")};
    CU_ASSERT_EQUAL(store_merge(file("gates2"), in, 1, &err), 0);
    CU_ASSERT_EQUAL_FATAL(store_read(file("gates2"), &s, &err), 0);
    const struct result *r = store_result(s);
    CU_ASSERT_STRING_EQUAL(r->part[0].model, "gate");
    CU_ASSERT_STRING_EQUAL(r->part[0].engine, "gates");
    CU_ASSERT_STRING_EQUAL(r->job[0].netlist, job[0].netlist);
    CU_ASSERT_STRING_EQUAL(r->job[0].checker, job[0].checker);
    CU_ASSERT_EQUAL(r->part[0].tally[0].outcome[OUT_SDC], 4);
    CU_ASSERT_EQUAL(store_injections(s, 0, same_id, (void *)(uintptr_t)id, &err), 0);
    store_close(s, NULL);
}

/* ---- samples ------------------------------------------------------------------------------------------------------- */

static void a_sample_that_stops_early_stays_stopped(void)
{
    struct fl_err err = {""};
    struct store *s = made_up_campaign(file("stop"), false, 1, 1, 20, &err);
    CU_ASSERT_EQUAL(store_stop(s, 1, 19, &err), -1);
    REFUSED(err, "cannot stop");
    CU_ASSERT_EQUAL(store_stop(s, 1, 20, &err), 0);
    store_close(s, NULL);
    s = made_up_campaign(file("stop"), true, 1, 1, 20, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL(store_result(s)->part[1].units, 20);
    store_close(s, NULL);
}

/* Sums are those of a sample that keeps its flips. */
static void a_sample_may_keep_sums_without_a_row_for_each_flip(void)
{
    struct fl_err err = {""};
    const char *in[] = {file("sums1"), file("sums2")};
    struct tally want, got;
    struct store *s = made_up_campaign(NULL, false, 1, 1, MADE_UP_UNITS, &err);
    store_sum(s, 1, &want);
    store_close(s, NULL);
    for (int i = 0; i < 2; i++)
        store_close(made_up_campaign_of_sums(in[i], i + 1, 2, &err), NULL);
    CU_ASSERT_EQUAL_FATAL(store_merge(file("sums"), in, 2, &err), 0);
    CU_ASSERT_PTR_NULL(made_up_campaign(file("sums"), true, 1, 1, MADE_UP_UNITS, &err));
    REFUSED(err, "its part 1 (rf) differs");
    CU_ASSERT_EQUAL_FATAL(store_read(file("sums"), &s, &err), 0);
    struct fl_buf rows = {0};
    store_sum(s, 1, &got);
    CU_ASSERT_EQUAL(memcmp(&got, &want, sizeof got), 0);
    CU_ASSERT_EQUAL(store_injections(s, 1, made_up_print_injection, &rows, &err), 0);
    CU_ASSERT_EQUAL(rows.size, 0);
    store_close(s, NULL);
    change_sealed(file("sums"), "INSERT INTO injection VALUES((1 << 40) + 5, 0, 'rf/p1/b1@1:flip', "
                                "0, '', NULL, NULL, 0)");
    CU_ASSERT_EQUAL(store_read(file("sums"), &s, &err), -1);
    REFUSED(err, "none of those that were counted");
}

/* ---- shards -------------------------------------------------------------------------------------------------------- */

static void make_shards(const char *prefix, int n)
{
    struct fl_err err = {""};
    for (int i = 1; i <= n; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%d", prefix, i);
        struct store *s = made_up_campaign(file(name), false, i, n, MADE_UP_UNITS, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        CU_ASSERT_TRUE(store_complete(s));
        CU_ASSERT_EQUAL(store_close(s, &err), 0);
    }
}

static void merged_shards_give_the_bytes_of_one_run(void)
{
    struct fl_err err = {""};
    make_shards("s", 3);
    const char *in[] = {file("s2"), file("s3"), file("s1")};
    CU_ASSERT_EQUAL(store_merge(file("merged"), in, 3, &err), 0);
    char *want = undisturbed(), *got = read_back(file("merged"));
    CU_ASSERT_STRING_EQUAL(got, want);
    free(want);
    free(got);
    CU_ASSERT_EQUAL(store_merge(file("merged"), in, 3, &err), -1); /* no file is overwritten */
    REFUSED(err, "that of a new file");
}

static void shards_that_do_not_add_up_are_refused(void)
{
    struct fl_err err = {""};
    struct store *s;
    make_shards("t", 2);
    const char *twice[] = {file("t1"), file("t1")};
    CU_ASSERT_EQUAL(store_merge(file("out"), twice, 2, &err), -1);
    REFUSED(err, "is named twice");
    struct fl_buf copy = {0};
    fl_read_file(file("t1"), &copy, &err);
    fl_write_file(file("t1copy"), copy.data, copy.size, &err);
    fl_buf_free(&copy);
    const char *same[] = {file("t1"), file("t1copy")};
    CU_ASSERT_EQUAL(store_merge(file("out"), same, 2, &err), -1);
    REFUSED(err, "both hold shard 1/2");
    const char *one[] = {file("t2")};
    CU_ASSERT_EQUAL(store_merge(file("out"), one, 1, &err), -1);
    REFUSED(err, "shard 1/2 is missing");
    store_close(made_up_campaign(file("u1"), false, 1, 2, 30, &err), NULL);
    const char *unfinished[] = {file("u1"), file("t2")};
    CU_ASSERT_EQUAL(store_merge(file("out"), unfinished, 2, &err), -1);
    REFUSED(err, "not finished");
    store_close(made_up_campaign(file("v1"), false, 1, 3, 60, &err), NULL);
    const char *mixed[] = {file("t1"), file("v1")};
    CU_ASSERT_EQUAL(store_merge(file("out"), mixed, 2, &err), -1);
    REFUSED(err, "holds shard 1/3");
    CU_ASSERT_EQUAL(store_read(file("out"), &s, &err), -1); /* nothing was left behind */
}

/* Whatever the instant: nothing under the name, or all. */
static void a_merge_that_is_killed_leaves_nothing_or_all(void)
{
    struct fl_err err = {""};
    make_shards("k", 3);
    const char *in[] = {file("k1"), file("k2"), file("k3")};
    char *want = undisturbed(), *got;
    int early = 0;
    for (unsigned i = 0; i < 8; i += SANITIZED ? 5 : 1) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            _exit(store_merge(file("killed_merge"), in, 3, &err) != 0);
        usleep(2000 + 4000 * i);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        if (access(file("killed_merge"), F_OK) != 0) {
            early++;
            CU_ASSERT_EQUAL(store_merge(file("killed_merge"), in, 3, &err), 0);
        }
        got = read_back(file("killed_merge"));
        CU_ASSERT_STRING_EQUAL(got, want);
        free(got);
        unlink(file("killed_merge"));
    }
    CU_ASSERT(early > 0);
    free(want);
}

static void of_two_merges_into_one_name_one_wins(void)
{
    struct fl_err err = {""};
    make_shards("w", 2);
    const char *in[2][2] = {{file("w1"), file("w2")}};
    copy("w1", "x1");
    copy("w2", "x2"); /* a shard that is being merged is locked */
    in[1][0] = file("x1");
    in[1][1] = file("x2");
    char *want = undisturbed(), *got;
    for (int round = 0; round < (SANITIZED ? 1 : 5); round++) {
        pid_t child[2];
        int won = 0;
        fflush(stdout);
        for (int i = 0; i < 2; i++)
            if ((child[i] = fork()) == 0)
                _exit(store_merge(file("race"), in[i], 2, &err) == 0 ? 0
                      : strstr(err.msg, "another process has made it") ||
                              strstr(err.msg, "that of a new file")
                          ? 1
                          : 2);
        for (int i = 0; i < 2; i++) {
            int status;
            waitpid(child[i], &status, 0);
            CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) < 2);
            won += WEXITSTATUS(status) == 0;
        }
        CU_ASSERT_EQUAL(won, 1);
        got = read_back(file("race"));
        CU_ASSERT_STRING_EQUAL(got, want);
        free(got);
        unlink(file("race"));
    }
    free(want);
}

static void shards_are_named_by_hand_or_by_slurm(void)
{
    struct fl_err err = {""};
    int i, n;
    CU_ASSERT(store_shard_parse("2/8", &i, &n, &err) == 0 && i == 2 && n == 8);
    static const char *const bad[] = {"0/8", "9/8", "2", "2/", "/8", "a/b", "-1/8", "2/8x", ""};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        CU_ASSERT_EQUAL(store_shard_parse(bad[k], &i, &n, &err), -1);
    unsetenv("SLURM_ARRAY_TASK_ID");
    CU_ASSERT_EQUAL(store_shard_parse("auto", &i, &n, &err), -1);
    REFUSED(err, "sbatch --array");
    setenv("SLURM_ARRAY_TASK_ID", "7", 1);
    setenv("SLURM_ARRAY_TASK_COUNT", "4", 1);
    setenv("SLURM_ARRAY_TASK_MIN", "1", 1);
    setenv("SLURM_ARRAY_TASK_STEP", "3", 1);
    CU_ASSERT(store_shard_parse("auto", &i, &n, &err) == 0 && i == 3 && n == 4);
    setenv("SLURM_ARRAY_TASK_ID", "8", 1);
    CU_ASSERT_EQUAL(store_shard_parse("auto", &i, &n, &err), -1);
    unsetenv("SLURM_ARRAY_TASK_ID");
}

/* ---- views --------------------------------------------------------------------------------------------------------- */

static bool close_to(sqlite3_stmt *q, int at, double want)
{
    if (isnan(want))
        return sqlite3_column_type(q, at) == SQLITE_NULL;
    double got = sqlite3_column_double(q, at);
    return isinf(want) ? isinf(got) : fabs(got - want) <= 1e-12 * fabs(want) + 1e-300;
}

static void the_view_avf_computes_what_the_report_does(void)
{
    struct fl_err err = {""};
    sqlite3 *db;
    sqlite3_stmt *q;
    struct store *s = made_up_campaign(file("view"), false, 1, 1, 60, &err);
    CU_ASSERT_EQUAL(store_set(s, "fit_per_bit", 1.2e-5, &err), 0);
    CU_ASSERT_EQUAL(store_get(s, "fit_per_bit", 0), 1.2e-5);
    store_close(s, NULL);
    CU_ASSERT_EQUAL_FATAL(store_read(file("view"), &s, &err), 0);
    int n, i = 0;
    struct tally_row *row = result_rows(store_result(s), &n);
    struct metrics_setting set = {.fit_per_bit = 1.2e-5, .clock_mhz = 1350, .warps = 24};
    /* The rows belong to the open store, the view to the file: both at once are refused. */
    struct metrics *want = calloc((size_t)n, sizeof *want);
    double *launch = calloc((size_t)n, sizeof *launch);
    for (; i < n; i++) {
        metrics_of(&row[i], &set, &want[i]);
        launch[i] = row[i].launch < 0 ? (double)NAN : row[i].launch;
    }
    free(row);
    store_close(s, NULL);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(file("view"), &db), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(
        sqlite3_prepare_v2(db,
                           "SELECT avf, avf_lo, avf_hi, avf_util, avf_util_lo, avf_util_hi, "
                           "occupancy, warp_occupancy, fit, eit, epf, launch FROM avf",
                           -1, &q, NULL),
        SQLITE_OK);
    for (i = 0; sqlite3_step(q) == SQLITE_ROW && i < n; i++) {
        const struct metrics *m = &want[i];
        const double v[] = {m->avf,         m->avf_lo,      m->avf_hi,    m->avf_util,
                            m->avf_util_lo, m->avf_util_hi, m->occupancy, m->warp_occupancy,
                            m->fit,         m->eit,         m->epf,       launch[i]};
        for (int c = 0; c < 12; c++)
            CU_ASSERT_TRUE(close_to(q, c, v[c]));
    }
    CU_ASSERT_EQUAL(i, n);
    sqlite3_finalize(q);
    sqlite3_close(db);
    free(want);
    free(launch);
}

static void every_view_answers(void)
{
    static const struct {
        const char *view;
        int rows; /* at least */
    } all[] = {{"counts", 14},    {"avf", 14},       {"outcomes", 11},       {"fi_beside_ace", 2},
               {"speedup", 3},    {"over_time", 23}, {"by_instruction", 18}, {"by_register", 20},
               {"derating", 7},   {"chip", 4},       {"injections", 120},    {"progress", 5},
               {"by_outcome", 36}};
    struct fl_err err = {""};
    sqlite3 *db;
    sqlite3_stmt *q;
    store_close(made_up_campaign(file("views"), false, 1, 1, 60, &err), NULL);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(file("views"), &db), SQLITE_OK);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *sql = fl_format("SELECT * FROM %s", all[i].view);
        int rows = 0;
        CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
        while (sqlite3_step(q) == SQLITE_ROW)
            rows++;
        if (rows < all[i].rows)
            printf("\n%s: %d rows\n", all[i].view, rows);
        CU_ASSERT(rows >= all[i].rows);
        sqlite3_finalize(q);
        free(sql);
    }
    sqlite3_close(db);
}

static void the_view_derating_computes_what_the_report_does(void)
{
    struct fl_err err = {""};
    sqlite3 *db;
    sqlite3_stmt *q;
    struct metrics_derated want[16];
    int n = 0;
    struct store *s = made_up_campaign(file("derate"), false, 1, 1, 60, &err);
    const struct result *r = store_result(s);
    for (int p = 0; p < r->nparts; p++)
        for (int k = 0; k < r->job[r->part[p].job].nkernels; k++)
            n += metrics_derate(&r->job[r->part[p].job], &r->part[p], k, &want[n]);
    store_close(s, NULL);
    CU_ASSERT_EQUAL(n, 7);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(file("derate"), &db), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(
        sqlite3_prepare_v2(db, "SELECT fr, df, derated, avf, off FROM derating", -1, &q, NULL),
        SQLITE_OK);
    int i = 0;
    for (; sqlite3_step(q) == SQLITE_ROW && i < n; i++) {
        CU_ASSERT_TRUE(close_to(q, 0, want[i].fr));
        CU_ASSERT_TRUE(close_to(q, 1, want[i].df));
        CU_ASSERT_TRUE(close_to(q, 2, want[i].avf));
        CU_ASSERT_TRUE(close_to(q, 3, want[i].physical));
        CU_ASSERT_DOUBLE_EQUAL(sqlite3_column_double(q, 4), want[i].off, 1e-12);
    }
    CU_ASSERT_EQUAL(i, n);
    sqlite3_finalize(q);
    sqlite3_close(db);
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN(
        "store", CHECK(a_file_holds_what_memory_holds),
        CHECK(a_campaign_in_pieces_gives_the_same_bytes),
        CHECK(a_campaign_without_its_last_parts_is_not_complete), CHECK(a_unit_counts_once),
        CHECK(kill_9_loses_at_most_the_last_second), CHECK(a_full_disk_is_told_and_loses_nothing),
        CHECK(a_store_killed_at_birth_is_started_again),
        CHECK(two_processes_on_one_store_are_refused),
        CHECK(an_existing_file_is_refused_without_resume), CHECK(another_campaign_is_refused),
        CHECK(another_fault_free_run_is_refused), CHECK(another_version_is_refused),
        CHECK(work_that_was_cut_otherwise_is_refused), CHECK(a_file_that_is_no_store_is_refused),
        CHECK(a_link_to_nothing_is_refused), CHECK(damaged_bytes_are_refused_or_change_nothing),
        CHECK(a_key_inside_a_tree_that_changed_is_refused),
        CHECK(a_row_that_somebody_changed_is_refused), CHECK(a_store_that_cannot_be_is_refused),
        CHECK(a_store_takes_outcomes_that_it_did_not_know),
        CHECK(an_outcome_of_a_later_version_is_refused),
        CHECK(a_store_takes_permanent_faults_wherever_they_are),
        CHECK(a_sample_that_stops_early_stays_stopped),
        CHECK(a_sample_may_keep_sums_without_a_row_for_each_flip),
        CHECK(merged_shards_give_the_bytes_of_one_run),
        CHECK(shards_that_do_not_add_up_are_refused),
        CHECK(a_merge_that_is_killed_leaves_nothing_or_all),
        CHECK(of_two_merges_into_one_name_one_wins), CHECK(shards_are_named_by_hand_or_by_slurm),
        CHECK(the_view_avf_computes_what_the_report_does), CHECK(every_view_answers),
        CHECK(the_view_derating_computes_what_the_report_does));
    tools_remove(dir);
    return status;
}
