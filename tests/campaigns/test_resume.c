/* test_resume.c -- real campaigns, through the command line: killed at any instant, cut into shards, made larger, they end
 * with the bytes of export of an undisturbed run; and what a signal leaves. `kills N` goes on for N times SIGKILL.
 */
#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "base/interrupt.h"
#include "tests/lib/made_up.h"
#include "tests/lib/tools.h"

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

/* Of four, two are lost. */
static void what_there_is_of_the_shards_is_told_and_goes_on_in_one_process(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(tools_run(dir, &said,
                              "f='faultsim transient --quiet --target rf,shared --seed 9'; "
                              "j=%s/bench/vecadd.job.xml; "
                              "$f --sample 900 --shard 1/4 --store p1.db $j && $f --sample 900 "
                              "--shard 2/4 --store p2.db $j && "
                              "! faultsim merge p.db p1.db p2.db 2>&1 && ! test -e p.db && "
                              "echo x >p3.db && echo shard 3/4 >p3.db.status && "
                              "faultsim merge --partial p.db p1.db p3.db p2.db && "
                              "! faultsim report p.db 2>&1 && $f --sample 900 --store p.db "
                              "--resume --csv a --xml ax $j && "
                              "$f --sample 900 --csv b --xml bx $j && cmp a b && cmp ax bx",
                              FAULTLINE_BUILD_DIR),
                    0);
    CU_ASSERT_TRUE(
        tools_says(&said, "shard 3/4 is missing; give all of them, or see with merge --partial"));
    CU_ASSERT_TRUE(tools_says(&said, "2 of 4 shards are whole, 1 not finished, 1 missing\n"
                                     "  3/4: p3.db: "));
    CU_ASSERT_TRUE(tools_says(&said, "  4/4: is missing; run it alone with --shard 4/4\n"));
    CU_ASSERT_TRUE(tools_says(&said, "vecadd: rf: sample: 55.56 % of the units are done; AVF "));
    CU_ASSERT_TRUE(tools_says(&said, " times as wide as with all flips\n"));
    fl_buf_free(&said);
}

/* ---- growing ----------------------------------------------------------------------------------------------------- */

static void says_and_ends(const char *options, const char *store, int status, const char *words)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(tools_run(dir, &said,
                              "faultsim --model transient --quiet %s --resume --store %s "
                              "%s/bench/vecadd.job.xml 2>&1",
                              options, store, FAULTLINE_BUILD_DIR),
                    status);
    CU_ASSERT_TRUE(tools_says(&said, words));
    fl_buf_free(&said);
}

/* The last unit is full, or has room, or is not done yet. */
static void a_sample_that_grew_has_the_bytes_of_one_that_was_large_at_once(void)
{
    static const char base[] = "--target shared --ace --seed 9";
    static const int size[] = {90, 95, 210};
    for (int i = 0; i < 3; i++) {
        char *options = fl_format("%s --sample %d", base, size[i]);
        CU_ASSERT_EQUAL(finish(start(options, "grown", "grown")), 0);
        CU_ASSERT_EQUAL(finish(start(options, NULL, "whole")), 0);
        same_exports("grown", "whole");
        free(options);
    }
    char *options = fl_format("%s --margin 0.06", base); /* 267 flips */
    CU_ASSERT_EQUAL(finish(start(options, "grown", "grown")), 0);
    CU_ASSERT_EQUAL(finish(start(options, NULL, "whole")), 0);
    same_exports("grown", "whole");
    free(options);
    says_and_ends("--target shared --ace --seed 9 --sample 210", "grown", 1,
                  "can grow but not shrink to 210");
    CU_ASSERT_EQUAL(finish(start("--target shared --sample 9 --seed 8", "seed", NULL)), 0);
    says_and_ends("--target shared --sample 99 --seed 9", "seed", 1, "other options");
}

static void a_sample_that_stops_early_grows_to_where_it_would_have_stopped(void)
{
    static const int size[] = {1010, 2030, 9000};
    for (int i = 0; i < 3; i++) {
        char *options = fl_format(
            "--target rf,shared --seed 3 --stop-early --margin 0.02 --sample %d", size[i]);
        CU_ASSERT_EQUAL(finish(start(options, "stopper", "grown")), 0);
        CU_ASSERT_EQUAL(finish(start(options, NULL, "whole")), 0);
        same_exports("grown", "whole");
        free(options);
    }
}

static void shards_of_different_sizes_are_not_merged_until_all_have_grown(void)
{
    static const char options[] = "--target shared --seed 9 --sample";
    struct fl_buf said = {0};
    for (int i = 1; i <= 2; i++) {
        char *shard = fl_format("%s 70 --shard %d/2", options, i), *store = fl_format("g%d", i);
        CU_ASSERT_EQUAL(finish(start(shard, store, NULL)), 0);
        free(shard);
        shard = fl_format("%s 130 --shard %d/2", options, i);
        if (i == 2) {
            CU_ASSERT_EQUAL(tools_run(dir, &said, "faultsim merge g g1 g2 2>&1"), 1);
            CU_ASSERT_TRUE(tools_says(&said, "let the smaller one grow with --resume"));
        }
        CU_ASSERT_EQUAL(finish(start(shard, store, NULL)), 0);
        free(shard);
        free(store);
    }
    CU_ASSERT_EQUAL(tools_run(dir, &said,
                              "faultsim merge g g1 g2 && faultsim report g --quiet --csv grown.csv "
                              "--csv-faults grown.csv-faults --xml grown.xml"),
                    0);
    CU_ASSERT_EQUAL(finish(start("--target shared --seed 9 --sample 130", NULL, "whole")), 0);
    same_exports("grown", "whole");
    fl_buf_free(&said);
}

/* ---- sums alone -------------------------------------------------------------------------------------------------- */

/* In shards that grow, too; what needs single flips says so. */
/* The last cycles of a launch belonged to it in one sum and to the next one in the other. */
static void a_campaign_of_several_kernels_is_read_again(void)
{
    char *command = fl_format("faultsim transient --quiet --target rf --sample 20 --csv a.csv "
                              "--store lud.db %s/share/faultline/examples/workloads/lud.job.xml && "
                              "faultsim report lud.db --quiet --csv b.csv && cmp a.csv b.csv",
                              FAULTLINE_BUILD_DIR);
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(tools_run(dir, &out, "%s 2>&1", command), 0);
    fl_buf_free(&out);
    free(command);
}

static void sums_alone_give_the_bytes_of_a_store_with_each_flip(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        tools_run(
            dir, &out,
            "f='faultsim transient --quiet --target shared,cc --seed 4'; "
            "j=%s/bench/vecadd.job.xml; "
            "$f --sample 950 --csv a --xml ax $j && for i in 1 2; do "
            "$f --sample 410 --keep sums --shard $i/2 --store k$i.db $j && "
            "$f --sample 950 --keep sums --shard $i/2 --store k$i.db --resume $j || exit; done && "
            "faultsim merge k.db k1.db k2.db && faultsim report k.db --quiet --csv b --xml bx && "
            "cmp a b && cmp ax bx && ! faultsim report k.db --quiet --csv-faults b 2>&1 && "
            "! $f --sample 950 --shard 2/2 --store k2.db --resume $j 2>&1 && "
            "$f --sample 950 --shard 2/2 --store j2.db $j && ! faultsim merge j.db k1.db j2.db "
            "2>&1 && "
            "! $f --sample 9 --keep sums --csv-faults b $j 2>&1",
            FAULTLINE_BUILD_DIR),
        0);
    CU_ASSERT_TRUE(tools_says(&out, "the store keeps sums alone"));
    CU_ASSERT_TRUE(tools_says(&out, "k2.db: keeps sums alone; go on with --keep sums"));
    CU_ASSERT_TRUE(tools_says(&out, "one keeps sums alone, the other each flip"));
    CU_ASSERT_TRUE(tools_says(&out, "--keep sums keeps none"));
    fl_buf_free(&out);
}

/* ---- signals ----------------------------------------------------------------------------------------------------- */

/* Where there are no terminal devices, as where only the root folder was changed, root makes one pair of them. */
static bool terminal(int *master, int *slave)
{
    if (openpty(master, slave, NULL, NULL, NULL) == 0)
        return true;
    char *folder = fl_format("%s/pts", dir), *device = fl_format("%s/ptmx", folder);
    int unlocked = 0;
    *slave = -1;
    mkdir(folder, 0700);
    if (mount("devpts", folder, "devpts", 0, "newinstance,ptmxmode=0600") == 0) {
        *master = open(device, O_RDWR | O_NOCTTY);
        if (ioctl(*master, TIOCSPTLCK, &unlocked) == 0)
            *slave = ioctl(*master, TIOCGPTPEER, O_RDWR | O_NOCTTY);
        umount2(folder, MNT_DETACH);
    }
    rmdir(folder);
    free(folder);
    free(device);
    return *slave >= 0;
}

static bool no_terminal(void)
{
    int end[2];
    bool none = !terminal(&end[0], &end[1]);
    if (none)
        check_skip("there are no terminal devices, and none can be made");
    for (int i = 0; i < 2 && !none; i++)
        close(end[i]);
    return none;
}

/* What a terminal shows of a command that gets a signal when `file` is there. Its exit status, -n when signal n ended it. */
static int interrupted(const char *command, const char *file, double nap, int by, char *shown,
                       size_t size)
{
    int master, slave;
    size_t have = 0;
    CU_ASSERT_FATAL(terminal(&master, &slave));
    char *line = fl_format("cd '%s' && exec '%s'/%s", dir, FAULTLINE_BIN_DIR, command);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(slave, STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", line, NULL);
        _exit(127);
    }
    free(line);
    close(slave);
    wait_for_work(file, 0);
    usleep((useconds_t)(1e6 * nap));
    kill(child, by);
    for (ssize_t n; have < size - 1 && (n = read(master, shown + have, size - 1 - have)) > 0;)
        have += (size_t)n;
    shown[have] = 0;
    close(master);
    return finish(child);
}

/* The message stands at the start of a line. */
static void tells(const char *shown, const char *words)
{
    const char *at = strstr(shown, "faultsim: stopped by SIG");
    if (!at || !strstr(at, words))
        printf("\nshown: %s\n", shown);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    CU_ASSERT_PTR_NOT_NULL(strstr(at, words));
    CU_ASSERT(at == shown || at[-1] == '\r' || at[-1] == '\n');
}

/* How many units a store holds that was stopped after the nap. */
static uint64_t units_kept(int by, double nap)
{
    char shown[4096];
    struct fl_err err = {""};
    struct store *s;
    char *path = fl_format("%s/stopped", dir), *journal = fl_format("%s-journal", path);
    char *command = fl_format("faultsim --model transient --sample 4000000 --store stopped --csv "
                              "stopped.csv %s/bench/vecadd.job.xml",
                              FAULTLINE_BUILD_DIR);
    CU_ASSERT_EQUAL(interrupted(command, "stopped", nap, by, shown, sizeof shown), 3);
    tells(shown, "go on with --store stopped --resume");
    CU_ASSERT_NOT_EQUAL(access(journal, F_OK), 0);
    CU_ASSERT_EQUAL_FATAL(store_read(path, &s, &err), 0);
    uint64_t n = store_result(s)->nparts ? store_count_done(s, 0) : 0;
    store_close(s, NULL);
    CU_ASSERT_EQUAL(unlink(path), 0);
    free(command);
    free(path);
    free(journal);
    return n;
}

static void a_signal_keeps_what_is_done_and_says_how_to_go_on(void)
{
    static const int by[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    if (no_terminal())
        return;
    for (int i = 0; i < 4; i++) {
        double nap = 0.3;
        while (units_kept(by[i], nap) == 0 && nap < 10) /* a busy machine: it had not begun */
            nap *= 2;
        CU_ASSERT(nap < 10);
    }
}

static void a_status_stands_beside_the_store_and_is_that_of_its_owner(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(tools_run(dir, &out,
                              "f='faultsim transient --quiet --sample 90 --store st.db'; "
                              "$f %s/bench/vecadd.job.xml && cat st.db.status && "
                              "echo mine >st.db.status && ! $f %s/bench/vecadd.job.xml && "
                              "grep mine st.db.status",
                              FAULTLINE_BUILD_DIR, FAULTLINE_BUILD_DIR),
                    0);
    CU_ASSERT_TRUE(tools_says(&out, "state done\nshard 1/1\njob vecadd\ntarget rf\n"));
    CU_ASSERT_TRUE(tools_says(&out, "share 1.0000\n"));
    fl_buf_free(&out);
}

/* The first nap may be too short to get as far as the flips. */
static int interrupted_at_work(const char *command, int by, char *shown, size_t size)
{
    int status = 0;
    shown[0] = 0;
    tools_put(dir, "there", "x", 1);
    for (double nap = 0.3; nap < 10 && !strstr(shown, "stopped by"); nap *= 2)
        status = interrupted(command, "there", nap, by, shown, size);
    return status;
}

static void a_signal_without_a_store_ends_the_command_and_leaves_no_file(void)
{
    char shown[4096];
    struct fl_buf left = {0};
    if (no_terminal())
        return;
    char *command = fl_format("faultsim --model transient --sample 4000000 --csv none.csv "
                              "%s/bench/vecadd.job.xml",
                              FAULTLINE_BUILD_DIR);
    CU_ASSERT_EQUAL(interrupted_at_work(command, SIGINT, shown, sizeof shown), -SIGINT);
    tells(shown, "nothing is kept without --store");
    free(command);
    command = fl_format("faultsim --model stuck-at --exhaustive --csv none.csv "
                        "%s/bench/mxm.job.xml",
                        FAULTLINE_BUILD_DIR);
    CU_ASSERT_EQUAL(interrupted_at_work(command, SIGTERM, shown, sizeof shown), -SIGTERM);
    tells(shown, "of 4224 faults; nothing is kept without --store");
    free(command);
    tools_run(dir, &left, "ls | grep none");
    CU_ASSERT_EQUAL(left.size, 0);
    fl_buf_free(&left);
}

/* As main() does while a unit takes for ever. */
static void wait_for_ever(int ready)
{
    struct interrupt i;
    interrupt_start(&i);
    while (!atomic_load(&i.signal))
        usleep(1000);
    if (write(ready, "", 1) == 1)
        sleep(20);
    _exit(1);
}

static void a_second_signal_ends_the_command_at_once(void)
{
    int fd[2];
    char byte;
    CU_ASSERT_EQUAL_FATAL(pipe(fd), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        wait_for_ever(fd[1]);
    usleep(100000);
    kill(child, SIGINT);
    CU_ASSERT_EQUAL(read(fd[0], &byte, 1), 1); /* the first has asked it to stop */
    usleep(300000);
    kill(child, SIGINT);
    CU_ASSERT_EQUAL(finish(child), -SIGINT);
    close(fd[0]);
    close(fd[1]);
}

/* ---- kills ------------------------------------------------------------------------------------------------------- */

static const char *kills_options = "--target shared --sample 200 --ace --seed 4";

static pid_t start_shell(const char *command)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (chdir(dir) != 0)
            _exit(127);
        execl("/bin/sh", "sh", "-c", command, NULL);
        _exit(127);
    }
    return child;
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Was it killed at all? */
static bool kill_within(pid_t child, double most, struct stats_stream *random)
{
    usleep((useconds_t)(1e6 * most * (double)stats_below(random, 1000) / 1000));
    kill(child, SIGKILL);
    return finish(child) == -SIGKILL;
}

static const char merging[] = "exec " FAULTLINE_BIN_DIR "/faultsim merge m k1 k2 k3";
static const char reporting[] = "exec " FAULTLINE_BIN_DIR
                                "/faultsim report m --quiet --csv r.csv --csv-faults r.csv-faults "
                                "--xml r.xml";

/* A report that was killed has written an export or has not. */
static void whole_exports_or_none(void)
{
    for (int i = 0; i < EXPORTS; i++) {
        struct fl_buf x = {0}, y = {0};
        struct fl_err err = {""};
        char *p = fl_format("%s/r.%s", dir, exports[i]),
             *q = fl_format("%s/whole.%s", dir, exports[i]);
        if (fl_read_file(p, &x, &err) == 0) {
            CU_ASSERT_EQUAL(fl_read_file(q, &y, &err), 0);
            CU_ASSERT(x.size == y.size && memcmp(x.data, y.data, x.size) == 0);
            unlink(p);
        }
        fl_buf_free(&x);
        fl_buf_free(&y);
        free(p);
        free(q);
    }
}

static long kill_campaign(double most, struct stats_stream *random)
{
    long killed = 0;
    for (int i = 0; i < 8; i++)
        killed += kill_within(start(kills_options, "k", NULL), most / 2, random);
    CU_ASSERT_EQUAL(finish(start(kills_options, "k", "k")), 0);
    same_exports("whole", "k");
    CU_ASSERT_EQUAL(finish(start_shell("rm k")), 0);
    return killed;
}

static long kill_merge_and_report(double merge, double report, struct stats_stream *random)
{
    long killed = kill_within(start_shell(merging), merge, random);
    if (finish(start_shell("test -e m")) != 0)
        CU_ASSERT_EQUAL(finish(start_shell(merging)), 0);
    killed += kill_within(start_shell(reporting), report, random);
    whole_exports_or_none();
    CU_ASSERT_EQUAL(finish(start_shell(reporting)), 0);
    same_exports("whole", "r");
    CU_ASSERT_EQUAL(finish(start_shell("rm -f m m.merge-* r.*")), 0);
    return killed;
}

static double time_of(pid_t child, double since)
{
    CU_ASSERT_EQUAL(finish(child), 0);
    return 1.2 * (seconds() - since);
}

static long wanted_kills = 8;

/* Whatever is killed, whenever: done again, it ends with the same bytes. */
static void kill_9_at_any_instant_changes_no_byte(void)
{
    struct stats_stream random = stats_stream_of(1, (uint64_t)wanted_kills);
    double campaign = time_of(start(kills_options, NULL, "whole"), seconds());
    for (int i = 1; i <= 3; i++) {
        char *shard = fl_format("%s --shard %d/3", kills_options, i), *store = fl_format("k%d", i);
        CU_ASSERT_EQUAL(finish(start(shard, store, NULL)), 0);
        free(shard);
        free(store);
    }
    double merge = time_of(start_shell(merging), seconds());
    double report = time_of(start_shell(reporting), seconds());
    CU_ASSERT_EQUAL(finish(start_shell("rm m")), 0);
    long killed = 0, rounds = 0;
    while (killed < wanted_kills && CU_get_number_of_failure_records() == 0) {
        killed += kill_campaign(campaign, &random);
        for (int i = 0; i < 2; i++)
            killed += kill_merge_and_report(merge, report, &random);
        rounds++;
    }
    CU_ASSERT(killed >= wanted_kills);
    printf("%ld kills in %ld rounds ", killed, rounds);
}

int main(int argc, char **argv)
{
    dir = tools_folder();
    int status;
    if (argc > 1) { /* kills N */
        wanted_kills = argc > 2 ? atol(argv[2]) : 1000;
        kills_options = "--target rf,shared --sample 10000 --ace --seed 4"; /* commits on the way */
        status = CHECK_RUN("kills", CHECK(kill_9_at_any_instant_changes_no_byte),
                           CHECK(a_sample_that_stops_early_grows_to_where_it_would_have_stopped),
                           CHECK(a_killed_sample_ends_with_the_same_bytes),
                           CHECK(a_killed_sample_that_stops_early_stops_at_the_same_flip),
                           CHECK(a_killed_list_of_cells_held_to_the_end_ends_with_the_same_bytes));
    } else {
        status = CHECK_RUN("resume", CHECK(shards_in_any_order_give_the_bytes_of_one_run),
                           CHECK(what_there_is_of_the_shards_is_told_and_goes_on_in_one_process),
                           CHECK(a_sample_that_grew_has_the_bytes_of_one_that_was_large_at_once),
                           CHECK(shards_of_different_sizes_are_not_merged_until_all_have_grown),
                           CHECK(a_campaign_of_several_kernels_is_read_again),
                           CHECK(sums_alone_give_the_bytes_of_a_store_with_each_flip),
                           CHECK(a_status_stands_beside_the_store_and_is_that_of_its_owner),
                           CHECK(a_signal_keeps_what_is_done_and_says_how_to_go_on),
                           CHECK(a_signal_without_a_store_ends_the_command_and_leaves_no_file),
                           CHECK(a_second_signal_ends_the_command_at_once),
                           CHECK(kill_9_at_any_instant_changes_no_byte));
    }
    tools_remove(dir);
    return status;
}
