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

int main(void)
{
    stores_start();
    int status = CHECK_RUN("shards", CHECK(merged_shards_give_the_bytes_of_one_run),
                           CHECK(shards_that_do_not_add_up_are_refused),
                           CHECK(a_merge_that_is_killed_leaves_nothing_or_all),
                           CHECK(of_two_merges_into_one_name_one_wins),
                           CHECK(shards_are_named_by_hand_or_by_slurm));
    stores_end();
    return status;
}
