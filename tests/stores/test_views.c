/* test_views.c -- the views of a store compute what metrics.c does. */
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
    struct store *s = made_up_campaign(stores_file("view"), false, 1, 1, 60, &err);
    CU_ASSERT_EQUAL(store_set(s, "fit_per_bit", 1.2e-5, &err), 0);
    CU_ASSERT_EQUAL(store_get(s, "fit_per_bit", 0), 1.2e-5);
    store_close(s, NULL);
    CU_ASSERT_EQUAL_FATAL(store_read(stores_file("view"), &s, &err), 0);
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
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(stores_file("view"), &db), SQLITE_OK);
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

static int one_number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *q;
    CU_ASSERT_EQUAL_FATAL(sqlite3_prepare_v2(db, sql, -1, &q, NULL), SQLITE_OK);
    CU_ASSERT_EQUAL_FATAL(sqlite3_step(q), SQLITE_ROW);
    int n = sqlite3_column_int(q, 0);
    sqlite3_finalize(q);
    return n;
}

static void views_have_a_column_for_each_outcome(void)
{
    struct fl_err err = {""};
    sqlite3 *db;
    store_close(made_up_campaign(stores_file("columns"), false, 1, 1, 60, &err), NULL);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(stores_file("columns"), &db), SQLITE_OK);
    for (enum fsim_outcome o = 0; o < OUT_COUNT; o++) {
        char *column = fl_format("SELECT coalesce(sum(%s), 0) FROM counts WHERE kernel = 'all'",
                                 fsim_outcome_name(o));
        char *rows = fl_format("SELECT coalesce(sum(n), 0) FROM by_outcome WHERE outcome = '%s'",
                               fsim_outcome_name(o));
        CU_ASSERT_EQUAL(one_number(db, column), one_number(db, rows));
        free(column);
        free(rows);
    }
    sqlite3_close(db);
}

static void every_view_answers(void)
{
    static const struct {
        const char *view;
        int rows; /* at least */
    } all[] = {{"counts", 14},     {"avf", 14},       {"outcomes", 11},       {"fi_beside_ace", 2},
               {"speedup", 3},     {"over_time", 23}, {"by_instruction", 18}, {"by_register", 20},
               {"derating", 7},    {"chip", 4},       {"injections", 120},    {"progress", 5},
               {"by_outcome", 36}, {"by_extent", 6}};
    struct fl_err err = {""};
    sqlite3 *db;
    sqlite3_stmt *q;
    store_close(made_up_campaign(stores_file("views"), false, 1, 1, 60, &err), NULL);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(stores_file("views"), &db), SQLITE_OK);
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
    struct store *s = made_up_campaign(stores_file("derate"), false, 1, 1, 60, &err);
    const struct result *r = store_result(s);
    for (int p = 0; p < r->nparts; p++)
        for (int k = 0; k < r->job[r->part[p].job].nkernels; k++)
            n += metrics_derate(&r->job[r->part[p].job], &r->part[p], k, &want[n]);
    store_close(s, NULL);
    CU_ASSERT_EQUAL(n, 7);
    CU_ASSERT_EQUAL_FATAL(sqlite3_open(stores_file("derate"), &db), SQLITE_OK);
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
    stores_start();
    int status = CHECK_RUN("views", CHECK(the_view_avf_computes_what_the_report_does),
                           CHECK(views_have_a_column_for_each_outcome), CHECK(every_view_answers),
                           CHECK(the_view_derating_computes_what_the_report_does));
    stores_end();
    return status;
}
