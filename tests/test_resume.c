/* test_resume.c -- real campaigns, through the command line, killed with SIGKILL again and again: they end with the bytes
 * of export of an undisturbed run; so do shards that are merged.
 */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "avf_util.h"
#include "tools_util.h"

static char *dir;

static const char *const exports[] = {"csv", "csv-faults", "xml"};
enum { EXPORTS = 3, MAX_ARGS = 40 };

/* faultsim --model transient <options> vecadd, with exports to dir/<name>.<export> unless the name is NULL. */
static pid_t start(const char *options, const char *store, const char *name)
{
    static char text[MAX_ARGS][160];
    char *argv[MAX_ARGS + 1];
    int n = 0;
    char *copy = fl_format("faultsim --model transient --quiet --threads 2 %s", options);
    for (char *at = strtok(copy, " "); at; at = strtok(NULL, " "))
        snprintf(text[n++], sizeof text[0], "%s", at);
    if (store) {
        snprintf(text[n++], sizeof text[0], "--resume");
        snprintf(text[n++], sizeof text[0], "--store");
        snprintf(text[n++], sizeof text[0], "%s/%s", dir, store);
    }
    for (int i = 0; i < EXPORTS && name; i++) {
        snprintf(text[n++], sizeof text[0], "--%s", exports[i]);
        snprintf(text[n++], sizeof text[0], "%s/%s.%s", dir, name, exports[i]);
    }
    snprintf(text[n++], sizeof text[0], "%s/bench/vecadd.job.xml", FAULTLINE_BUILD_DIR);
    for (int i = 0; i < n; i++)
        argv[i] = text[i];
    argv[n] = NULL;
    free(copy);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        execv(FAULTLINE_BIN_DIR "/faultsim", argv);
        _exit(127);
    }
    return child;
}

static int finish(pid_t child)
{
    int status;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void same_exports(const char *a, const char *b)
{
    for (int i = 0; i < EXPORTS; i++) {
        struct fl_buf x = {0}, y = {0};
        struct fl_err err = {""};
        char *p = fl_format("%s/%s.%s", dir, a, exports[i]);
        char *q = fl_format("%s/%s.%s", dir, b, exports[i]);
        CU_ASSERT_EQUAL(fl_read_file(p, &x, &err), 0);
        CU_ASSERT_EQUAL(fl_read_file(q, &y, &err), 0);
        CU_ASSERT(x.size > 60 && x.size == y.size && memcmp(x.data, y.data, x.size) == 0);
        fl_buf_free(&x);
        fl_buf_free(&y);
        free(p);
        free(q);
    }
}

/* Waits until the store has grown beyond `bytes`, for at most ten seconds; the size it has then. */
static long wait_for_work(const char *store, long bytes)
{
    char *path = fl_format("%s/%s", dir, store);
    struct stat st = {0};
    for (int i = 0; i < 1000 && (stat(path, &st) != 0 || st.st_size <= bytes); i++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    free(path);
    return st.st_size;
}

static void kill_and_resume(const char *options)
{
    long size = 0;
    int killed = 0;
    CU_ASSERT_EQUAL(finish(start(options, NULL, "whole")), 0);
    for (int i = 0; i < 3; i++) {
        pid_t child = start(options, "killed", NULL);
        size = wait_for_work("killed", size);
        kill(child, SIGKILL);
        killed += finish(child) == -SIGKILL;
    }
    CU_ASSERT(killed >= 1); /* a fast machine may be done before the others */
    CU_ASSERT_EQUAL(finish(start(options, "killed", "resumed")), 0);
    same_exports("whole", "resumed");
    CU_ASSERT_EQUAL(finish(start(options, "killed", "again")), 0); /* nothing is left to do */
    same_exports("whole", "again");
    char *path = fl_format("%s/killed", dir);
    CU_ASSERT_EQUAL(unlink(path), 0);
    free(path);
}

static void a_killed_sample_ends_with_the_same_bytes(void)
{
    kill_and_resume("--target rf,cc --sample 12000 --ace --seed 3");
}

static void a_killed_sample_that_stops_early_stops_at_the_same_flip(void)
{
    kill_and_resume("--target rf --margin 0.01 --stop-early");
}

/* A store keeps the ids of a list as text. */
static void a_killed_list_of_cells_held_to_the_end_ends_with_the_same_bytes(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(tools_run(dir, &out,
                              "faultsim --model intermittent --hold end --target dstack,cc,pc "
                              "--sample 200 --write-faults list '%s/bench/vecadd.job.xml' && "
                              "grep -c '@[0-9]*-:sa[01]$' list",
                              FAULTLINE_BUILD_DIR),
                    0);
    CU_ASSERT_STRING_EQUAL((char *)out.data, "600\n");
    char *options = fl_format("--model intermittent --faults %s/list", dir);
    kill_and_resume(options);
    CU_ASSERT_EQUAL(tools_run(dir, &out, "cut -d, -f3 again.csv-faults | tail -n +2 | cmp - list"),
                    0);
    free(options);
    fl_buf_free(&out);
}

static void shards_in_any_order_give_the_bytes_of_one_run(void)
{
    static const char options[] = "--target rf,shared --sample 1000 --seed 9";
    CU_ASSERT_EQUAL(finish(start(options, NULL, "whole")), 0);
    for (int i = 3; i >= 1; i--) {
        char *shard = fl_format("%s --shard %d/3", options, i), *store = fl_format("shard%d", i);
        CU_ASSERT_EQUAL(finish(start(shard, store, NULL)), 0);
        free(shard);
        free(store);
    }
    char *command = fl_format("cd '%s' && '%s/faultsim' merge all shard2 shard1 shard3 && "
                              "'%s/faultsim' report all --quiet --csv merged.csv --csv-faults "
                              "merged.csv-faults --xml merged.xml",
                              dir, FAULTLINE_BIN_DIR, FAULTLINE_BIN_DIR);
    CU_ASSERT_EQUAL(system(command), 0);
    free(command);
    same_exports("whole", "merged");
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN("resume", CHECK(a_killed_sample_ends_with_the_same_bytes),
                           CHECK(a_killed_sample_that_stops_early_stops_at_the_same_flip),
                           CHECK(a_killed_list_of_cells_held_to_the_end_ends_with_the_same_bytes),
                           CHECK(shards_in_any_order_give_the_bytes_of_one_run));
    tools_remove(dir);
    return status;
}
