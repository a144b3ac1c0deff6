/* test_store.c -- campaigns in a file: what survives kill -9, a full disk and two processes, which
 * outcomes and faults a store takes, and samples that stop early or keep sums.
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
#include "tests/lib/stores.h"

/* ---- going on ------------------------------------------------------------------------------------------------------ */

static void a_file_holds_what_memory_holds(void)
{
    struct fl_err err = {""};
    char *want = stores_undisturbed();
    char *got = stores_dump(made_up_campaign(stores_file("a"), false, 1, 1, MADE_UP_UNITS, &err));
    char *again = stores_read(stores_file("a"));
    CU_ASSERT_STRING_EQUAL(got, want);
    CU_ASSERT_STRING_EQUAL(again, want);
    CU_ASSERT(strlen(want) > 5000);
    CU_ASSERT_NOT_EQUAL(access(stores_file("a-journal"), F_OK), 0); /* one file at rest */
    CU_ASSERT_NOT_EQUAL(access(stores_file("a-wal"), F_OK), 0);
    free(want);
    free(got);
    free(again);
}

static void a_campaign_in_pieces_gives_the_same_bytes(void)
{
    struct fl_err err = {""};
    char *want = stores_undisturbed();
    for (uint64_t upto = 7; upto < MADE_UP_UNITS + 13; upto += 13) {
        struct store *s = made_up_campaign(stores_file("pieces"), true, 1, 1, upto < 60 ? upto : 60,
                                           &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        CU_ASSERT_EQUAL(store_complete(s), upto >= MADE_UP_UNITS);
        CU_ASSERT_EQUAL(store_count_done(s, 2), upto < 60 ? upto : 60);
        CU_ASSERT_EQUAL(store_close(s, &err), 0);
    }
    char *got = stores_read(stores_file("pieces"));
    CU_ASSERT_STRING_EQUAL(got, want);
    free(want);
    free(got);
}

/* Killed between two targets: all that is declared is done, and more was to come. */
static void a_campaign_without_its_last_parts_is_not_complete(void)
{
    struct fl_err err = {""};
    struct store *s = made_up_campaign(stores_file("early"), false, 1, 1, MADE_UP_UNITS, &err);
    CU_ASSERT_TRUE(store_complete(s));
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    stores_change_sealed(stores_file("early"),
                         "UPDATE campaign SET value = '0' WHERE name = 'finished'");
    CU_ASSERT_EQUAL_FATAL(store_read(stores_file("early"), &s, &err), 0);
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
        work_slowly(stores_file("killed"), fd[1]);
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
    CU_ASSERT_EQUAL_FATAL(store_read(stores_file("killed"), &s, &err), 0);
    CU_ASSERT(store_count_done(s, 0) >= safe);
    CU_ASSERT(store_count_done(s, 0) <= told + 1);
    store_close(s, NULL);
    char *want = stores_undisturbed();
    char *got = stores_dump(
        made_up_campaign(stores_file("killed"), true, 1, 1, MADE_UP_UNITS, &err));
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
        fill_up(stores_file("full"));
    waitpid(child, &status, 0);
    CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    struct store *s;
    CU_ASSERT_EQUAL_FATAL(store_read(stores_file("full"), &s, &err), 0);
    for (int p = 0; p < MADE_UP_PARTS; p++)
        CU_ASSERT(store_count_done(s, p) >= 10);
    CU_ASSERT(store_count_done(s, 1) > 10 && store_count_done(s, 1) < MADE_UP_UNITS);
    struct tally t; /* the sums are those of the units done, neither more nor fewer */
    store_sum(s, 1, &t);
    CU_ASSERT_EQUAL(t.counted, 40 * store_count_done(s, 1));
    store_close(s, NULL);
}

/* ---- kinds of outcome ---------------------------------------------------------------------------------------------- */

/* The file has numbers of its own for them. */
static void a_store_takes_outcomes_that_it_did_not_know(void)
{
    struct fl_err err = {""};
    sqlite3 *db;
    sqlite3_stmt *q;
    char *want = stores_undisturbed();
    store_close(made_up_campaign(stores_file("fewer"), false, 1, 1, 0, &err), NULL);
    stores_change_sealed(stores_file("fewer"),
                         "DELETE FROM outcome WHERE name = 'hang'; DELETE FROM reason WHERE "
                         "name = 'fails'; UPDATE outcome SET outcome = outcome + 40, place "
                         "= 9");
    CU_ASSERT_EQUAL(seal_views(stores_file("fewer")), 0); /* it had no column for it */
    char *got = stores_dump(
        made_up_campaign(stores_file("fewer"), true, 1, 1, MADE_UP_UNITS, &err));
    char *again = stores_read(stores_file("fewer"));
    CU_ASSERT_STRING_EQUAL(got, want);
    CU_ASSERT_STRING_EQUAL(again, want);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(stores_file("fewer"), &db), SQLITE_OK);
    sqlite3_prepare_v2(db, "SELECT outcome, place, failure FROM outcome WHERE name = 'hang'", -1,
                       &q, NULL);
    CU_ASSERT_EQUAL_FATAL(sqlite3_step(q), SQLITE_ROW);
    CU_ASSERT(sqlite3_column_int(q, 0) == 40 + OUT_COUNT && sqlite3_column_int(q, 1) == OUT_HANG &&
              sqlite3_column_int(q, 2) == 1);
    sqlite3_finalize(q);
    CU_ASSERT_EQUAL(sqlite3_prepare_v2(db, "SELECT hang FROM counts", -1, &q, NULL), SQLITE_OK);
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
    char sql[100];
    store_close(made_up_campaign(stores_file("later"), false, 1, 1, 3, &err), NULL);
    snprintf(sql, sizeof sql, "INSERT INTO outcome VALUES(%d, 'corrected', 0, 2)", OUT_COUNT);
    stores_change_sealed(stores_file("later"), sql);
    CU_ASSERT_EQUAL(store_read(stores_file("later"), &s, &err), -1);
    REFUSED(err, "later version");
    REFUSED(err, "the outcome 'corrected'");
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
        "dstack/w0/le3/spc17:sa1", "gate/alu_int/n123.2:sa0", "sm3/rf/p5/b1~sm3/rf/p9/b1:cfin1",
        "sm3/l1d/set5/way1/tag7@1800-1900:sa1+l2/set1/way0/tag3@1800-1900:sa1"};
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
    CU_ASSERT_EQUAL_FATAL(store_open(stores_file("gates"), false, &id_of, &s, &err), 0);
    CU_ASSERT(store_job(s, 0, &job[0], &err) == 0 && store_part(s, &part, &err) == 0);
    store_found_make(&f, s, 0);
    f.tally[0].counted = f.tally[0].runs = f.tally[0].outcome[OUT_SDC] = 4;
    f.tally[0].reason[REASON_FAILS] = f.moment[0].outcome[OUT_SDC] = 4;
    for (uint64_t i = 0; i < 4; i++)
        store_found_inject(&f, &(struct store_injection){.number = i,
                                                         .id = id[i],
                                                         .outcome = OUT_SDC,
                                                         .reason = "out+0x4",
                                                         .first_activation = 7,
                                                         .end = 9,
                                                         .ran = true,
                                                         .elements = 1,
                                                         .place = i + 1});
    CU_ASSERT(store_put(s, 0, 0, &f, &err) == 0 && store_finish(s, &err) == 0);
    store_found_free(&f);
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    const char *in[] = {stores_file("gates")};
    CU_ASSERT_EQUAL(store_merge(stores_file("gates2"), in, 1, &err), 0);
    CU_ASSERT_EQUAL_FATAL(store_read(stores_file("gates2"), &s, &err), 0);
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
    struct store *s = made_up_campaign(stores_file("stop"), false, 1, 1, 20, &err);
    CU_ASSERT_EQUAL(store_stop(s, 1, 19, &err), -1);
    REFUSED(err, "cannot stop");
    CU_ASSERT_EQUAL(store_stop(s, 1, 20, &err), 0);
    store_close(s, NULL);
    s = made_up_campaign(stores_file("stop"), true, 1, 1, 20, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_EQUAL(store_result(s)->part[1].units, 20);
    store_close(s, NULL);
}

/* Sums are those of a sample that keeps its flips. */
static void a_sample_may_keep_sums_without_a_row_for_each_flip(void)
{
    struct fl_err err = {""};
    const char *in[] = {stores_file("sums1"), stores_file("sums2")};
    struct tally want, got;
    struct store *s = made_up_campaign(NULL, false, 1, 1, MADE_UP_UNITS, &err);
    store_sum(s, 1, &want);
    store_close(s, NULL);
    for (int i = 0; i < 2; i++)
        store_close(made_up_campaign_of_sums(in[i], i + 1, 2, &err), NULL);
    CU_ASSERT_EQUAL_FATAL(store_merge(stores_file("sums"), in, 2, &err), 0);
    CU_ASSERT_PTR_NULL(made_up_campaign(stores_file("sums"), true, 1, 1, MADE_UP_UNITS, &err));
    REFUSED(err, "keeps sums alone; go on with --keep sums");
    CU_ASSERT_EQUAL_FATAL(store_read(stores_file("sums"), &s, &err), 0);
    struct fl_buf rows = {0};
    store_sum(s, 1, &got);
    CU_ASSERT_EQUAL(memcmp(&got, &want, sizeof got), 0);
    CU_ASSERT_EQUAL(store_injections(s, 1, made_up_print_injection, &rows, &err), 0);
    CU_ASSERT_EQUAL(rows.size, 0);
    store_close(s, NULL);
    stores_change_sealed(stores_file("sums"),
                         "INSERT INTO injection VALUES((1 << 40) + 5, 0, 'rf/p1/b1@1:flip', "
                         "0, '', NULL, NULL, 0, 0, NULL, NULL, 0, 0)");
    CU_ASSERT_EQUAL(store_read(stores_file("sums"), &s, &err), -1);
    REFUSED(err, "none of those that were counted");
}

static void the_documentation_names_the_format(void)
{
    struct fl_buf text = {0};
    struct fl_err err;
    CU_ASSERT_EQUAL_FATAL(
        fl_read_file(FAULTLINE_SOURCE_DIR "/docs/reference/stores.md", &text, &err), 0);
    char *says = fl_format("| `PRAGMA user_version` | %d, the format of the store |", STORE_FORMAT);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)text.data, says));
    free(says);
    fl_buf_free(&text);
}

int main(void)
{
    stores_start();
    int status = CHECK_RUN("store", CHECK(a_file_holds_what_memory_holds),
                           CHECK(a_campaign_in_pieces_gives_the_same_bytes),
                           CHECK(a_campaign_without_its_last_parts_is_not_complete),
                           CHECK(a_unit_counts_once), CHECK(kill_9_loses_at_most_the_last_second),
                           CHECK(a_full_disk_is_told_and_loses_nothing),
                           CHECK(a_store_takes_outcomes_that_it_did_not_know),
                           CHECK(an_outcome_of_a_later_version_is_refused),
                           CHECK(a_store_takes_permanent_faults_wherever_they_are),
                           CHECK(a_sample_that_stops_early_stays_stopped),
                           CHECK(a_sample_may_keep_sums_without_a_row_for_each_flip),
                           CHECK(the_documentation_names_the_format));
    stores_end();
    return status;
}
