/* test_shards.c -- campaigns in shards: what merging gives, and what it refuses. */
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

static void make_shards(const char *prefix, int n)
{
    struct fl_err err = {""};
    for (int i = 1; i <= n; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%d", prefix, i);
        struct store *s = made_up_campaign(stores_file(name), false, i, n, MADE_UP_UNITS, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);
        CU_ASSERT_TRUE(store_complete(s));
        CU_ASSERT_EQUAL(store_close(s, &err), 0);
    }
}

static void merged_shards_give_the_bytes_of_one_run(void)
{
    struct fl_err err = {""};
    make_shards("s", 3);
    const char *in[] = {stores_file("s2"), stores_file("s3"), stores_file("s1")};
    CU_ASSERT_EQUAL(store_merge(stores_file("merged"), in, 3, &err), 0);
    char *want = stores_undisturbed(), *got = stores_read(stores_file("merged"));
    CU_ASSERT_STRING_EQUAL(got, want);
    free(want);
    free(got);
    CU_ASSERT_EQUAL(store_merge(stores_file("merged"), in, 3, &err),
                    -1); /* no file is overwritten */
    REFUSED(err, "that of a new file");
}

static void shards_that_do_not_add_up_are_refused(void)
{
    struct fl_err err = {""};
    struct store *s;
    make_shards("t", 2);
    const char *twice[] = {stores_file("t1"), stores_file("t1")};
    CU_ASSERT_EQUAL(store_merge(stores_file("out"), twice, 2, &err), -1);
    REFUSED(err, "is named twice");
    struct fl_buf copy = {0};
    fl_read_file(stores_file("t1"), &copy, &err);
    fl_write_file(stores_file("t1copy"), copy.data, copy.size, &err);
    fl_buf_free(&copy);
    const char *same[] = {stores_file("t1"), stores_file("t1copy")};
    CU_ASSERT_EQUAL(store_merge(stores_file("out"), same, 2, &err), -1);
    REFUSED(err, "both hold shard 1/2");
    const char *one[] = {stores_file("t2")};
    CU_ASSERT_EQUAL(store_merge(stores_file("out"), one, 1, &err), -1);
    REFUSED(err, "shard 1/2 is missing");
    store_close(made_up_campaign(stores_file("u1"), false, 1, 2, 30, &err), NULL);
    const char *unfinished[] = {stores_file("u1"), stores_file("t2")};
    CU_ASSERT_EQUAL(store_merge(stores_file("out"), unfinished, 2, &err), -1);
    REFUSED(err, "not finished");
    store_close(made_up_campaign(stores_file("v1"), false, 1, 3, 60, &err), NULL);
    const char *mixed[] = {stores_file("t1"), stores_file("v1")};
    CU_ASSERT_EQUAL(store_merge(stores_file("out"), mixed, 2, &err), -1);
    REFUSED(err, "holds shard 1/3");
    CU_ASSERT_EQUAL(store_read(stores_file("out"), &s, &err), -1); /* nothing was left behind */
}

static void a_partial_merge_has_what_is_there_and_says_what_is_not(void)
{
    struct fl_err err = {""};
    struct store_census c;
    struct store *s;
    make_shards("q", 4);
    unlink(stores_file("q2"));
    store_close(made_up_campaign(stores_file("q2"), false, 2, 4, 30, &err), NULL);
    CU_ASSERT_EQUAL(truncate(stores_file("q4"), 5000), 0);
    tools_put(stores_dir, "q4.status", "state running\nshard 4/4\n", 24);
    const char *in[] = {stores_file("q2"), stores_file("q4"), stores_file("q1")};
    CU_ASSERT_EQUAL_FATAL(store_merge_partial(stores_file("some"), in, 3, &c, &err), 0);
    CU_ASSERT(c.shards == 4 && c.shard[0].whole && c.shard[0].done == c.shard[0].units);
    CU_ASSERT(c.shard[1].path && !c.shard[1].whole && c.shard[1].done > 0);
    CU_ASSERT(!c.shard[2].path && !c.shard[3].path);
    CU_ASSERT(c.nunread == 1 && strstr(c.unread[0].why, "q4: is damaged"));
    CU_ASSERT_EQUAL(c.unread[0].shard, 4);
    CU_ASSERT_EQUAL_FATAL(store_read(stores_file("some"), &s, &err), 0);
    uint64_t done = 0;
    for (int p = 0; p < store_result(s)->nparts; p++)
        done += store_count_done(s, p);
    CU_ASSERT_EQUAL(done, c.shard[0].done + c.shard[1].done);
    CU_ASSERT_FALSE(store_complete(s));
    store_close(s, NULL);
    store_census_free(&c);
    CU_ASSERT_EQUAL(store_merge_partial(stores_file("none"), &in[1], 1, &c, &err), -1);
    REFUSED(err, "there is nothing to merge");
    store_census_free(&c);
}

/* Whatever the instant: nothing under the name, or all. */
static void a_merge_that_is_killed_leaves_nothing_or_all(void)
{
    struct fl_err err = {""};
    make_shards("k", 3);
    const char *in[] = {stores_file("k1"), stores_file("k2"), stores_file("k3")};
    char *want = stores_undisturbed(), *got;
    int early = 0;
    for (unsigned i = 0; i < 8; i += SANITIZED ? 5 : 1) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            _exit(store_merge(stores_file("killed_merge"), in, 3, &err) != 0);
        usleep(2000 + 4000 * i);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        if (access(stores_file("killed_merge"), F_OK) != 0) {
            early++;
            CU_ASSERT_EQUAL(store_merge(stores_file("killed_merge"), in, 3, &err), 0);
        }
        got = stores_read(stores_file("killed_merge"));
        CU_ASSERT_STRING_EQUAL(got, want);
        free(got);
        unlink(stores_file("killed_merge"));
    }
    CU_ASSERT(early > 0);
    free(want);
}

static void of_two_merges_into_one_name_one_wins(void)
{
    struct fl_err err = {""};
    make_shards("w", 2);
    const char *in[2][2] = {{stores_file("w1"), stores_file("w2")}};
    stores_copy("w1", "x1");
    stores_copy("w2", "x2"); /* a shard that is being merged is locked */
    in[1][0] = stores_file("x1");
    in[1][1] = stores_file("x2");
    char *want = stores_undisturbed(), *got;
    for (int round = 0; round < (SANITIZED ? 1 : 5); round++) {
        pid_t child[2];
        int won = 0;
        fflush(stdout);
        for (int i = 0; i < 2; i++)
            if ((child[i] = fork()) == 0)
                _exit(store_merge(stores_file("race"), in[i], 2, &err) == 0 ? 0
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
        got = stores_read(stores_file("race"));
        CU_ASSERT_STRING_EQUAL(got, want);
        free(got);
        unlink(stores_file("race"));
    }
    free(want);
}

static void shards_are_named_by_hand(void)
{
    struct fl_err err = {""};
    int i, n;
    CU_ASSERT(store_shard_parse("2/8", &i, &n, &err) == 0 && i == 2 && n == 8);
    static const char *const bad[] = {"0/8", "9/8", "2", "2/", "/8", "a/b", "-1/8", "2/8x", ""};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        CU_ASSERT_EQUAL(store_shard_parse(bad[k], &i, &n, &err), -1);
}

/* Values that Slurm 22.05 sets for these arrays; "" sets none. */
static int shard_of_array(const char *id, const char *count, const char *min, const char *max,
                          const char *step, int *shards, struct fl_err *err)
{
    const char *const set[][2] = {
        {"ID", id}, {"COUNT", count}, {"MIN", min}, {"MAX", max}, {"STEP", step}};
    int shard = 0;
    for (int i = 0; i < 5; i++) {
        char name[32];
        snprintf(name, sizeof name, "SLURM_ARRAY_TASK_%s", set[i][0]);
        unsetenv(name);
        if (*set[i][1])
            setenv(name, set[i][1], 1);
    }
    return store_shard_parse("auto", &shard, shards, err) == 0 ? shard : -1;
}

static void a_whole_slurm_array_says_which_shard_its_task_is(void)
{
    struct fl_err err;
    int n;
    CU_ASSERT(shard_of_array("0", "16", "0", "15", "1", &n, &err) == 1 && n == 16); /* 0-15, %4 */
    CU_ASSERT(shard_of_array("15", "16", "0", "15", "1", &n, &err) == 16 && n == 16);
    CU_ASSERT(shard_of_array("4", "4", "1", "4", "1", &n, &err) == 4 && n == 4); /* 1-4 */
    CU_ASSERT(shard_of_array("7", "4", "1", "7", "2", &n, &err) == 4 && n == 4); /* 1-7:2 */
    CU_ASSERT(shard_of_array("7", "4", "1", "10", "3", &n, &err) == 3 && n == 4);
}

static void a_slurm_array_that_may_be_a_part_of_one_is_refused(void)
{
    static const struct {
        const char *id, *count, *min, *max, *step, *says;
    } all[] = {{"2", "1", "2", "2", "1", "one task, number 2"}, /* 2 */
               {"0", "1", "0", "0", "1", "one task, number 0"},
               {"3", "4", "1", "7", "1", "a list of tasks, 4 of those from 1 to 7"}, /* 1,3,5,7 */
               {"7", "2", "0", "7", "1", "a list of tasks"},                         /* 0,7 */
               {"4", "3", "3", "5", "1", "begins with task 3"},                      /* 3-5 */
               {"8", "4", "1", "10", "3", "a list of tasks"},
               {"4", "4", "", "4", "1", "sbatch --array"}, /* Slurm that sets less */
               {"4", "4", "1", "", "1", "sbatch --array"},
               {"4", "4", "1", "4", "", "sbatch --array"},
               {"4", "4", "1", "4", "0", "sbatch --array"},
               {"1", "9999999999", "1", "9999999999", "1", "sbatch --array"},
               {"", "", "", "", "", "sbatch --array"}};
    int n;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct fl_err err = {""};
        CU_ASSERT_EQUAL(
            shard_of_array(all[i].id, all[i].count, all[i].min, all[i].max, all[i].step, &n, &err),
            -1);
        REFUSED(err, all[i].says);
        REFUSED(err, "give I/N");
    }
}

int main(void)
{
    stores_start();
    int status = CHECK_RUN("shards", CHECK(merged_shards_give_the_bytes_of_one_run),
                           CHECK(shards_that_do_not_add_up_are_refused),
                           CHECK(a_partial_merge_has_what_is_there_and_says_what_is_not),
                           CHECK(a_merge_that_is_killed_leaves_nothing_or_all),
                           CHECK(of_two_merges_into_one_name_one_wins),
                           CHECK(shards_are_named_by_hand),
                           CHECK(a_whole_slurm_array_says_which_shard_its_task_is),
                           CHECK(a_slurm_array_that_may_be_a_part_of_one_is_refused));
    stores_end();
    return status;
}
