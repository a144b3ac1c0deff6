/* test_base.c -- threads, signals, progress: how many work, what asks them to stop, how far they are. */
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "base/threads.h"
#include "tests/lib/tools.h"

static void as_many_threads_work_as_were_wanted(void)
{
    CU_ASSERT_EQUAL(fl_threads(3), 3);
    CU_ASSERT_EQUAL(fl_threads(1), 1);
    CU_ASSERT(fl_threads(0) >= 1);
}

static void a_cpu_mask_says_how_many_threads_there_are(void)
{
    cpu_set_t before, one;
    CU_ASSERT_EQUAL_FATAL(sched_getaffinity(0, sizeof before, &before), 0);
    CPU_ZERO(&one);
    for (int cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &before))
            CPU_SET(cpu, &one);
    CU_ASSERT_EQUAL(sched_setaffinity(0, sizeof one, &one), 0);
    CU_ASSERT_EQUAL(fl_threads(0), 1);
    CU_ASSERT_EQUAL(sched_setaffinity(0, sizeof before, &before), 0);
}

/* To this process; back when a thread of it has taken the signal. */
static void send(int signal)
{
    sigset_t waiting;
    kill(getpid(), signal);
    do {
        usleep(1000);
        sigpending(&waiting);
    } while (sigismember(&waiting, signal));
}

static void a_signal_that_ends_the_waiting_asks_for_nothing_when_a_stranger_sends_it(void)
{
    struct interrupt i;
    interrupt_start(&i);
    send(SIGURG);
    CU_ASSERT_EQUAL(interrupt_end(&i), 0);
}

/* In a process of its own: the second signal would end this one. */
static void a_signal_twice_within_no_time_is_meant_once(void)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        struct interrupt i;
        interrupt_start(&i);
        send(SIGTERM);
        send(SIGTERM);
        _exit(interrupt_end(&i) == SIGTERM ? 0 : 1);
    }
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
}

/* The time of a task is nearly over, twice; then it is. */
static void a_warning_of_a_batch_system_does_not_count_as_the_first_time(void)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        struct interrupt i;
        interrupt_start(&i);
        send(SIGUSR1);
        usleep(300000);
        send(SIGUSR1);
        send(SIGTERM);
        _exit(interrupt_end(&i) == SIGUSR1 ? 0 : 1);
    }
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
}

/* ---- progress ---------------------------------------------------------------------------------------------------- */

static void has(const struct fl_buf *text, const char *words)
{
    bool there = text->data && strstr((char *)text->data, words);
    if (!there)
        printf("\n'%s' is not in: %s\n", words, text->data ? (char *)text->data : "");
    CU_ASSERT_TRUE(there);
}

static void read_it(const char *path, struct fl_buf *out)
{
    struct fl_err err;
    fl_buf_free(out);
    CU_ASSERT_EQUAL(fl_read_file(path, out, &err), 0);
}

/* Two jobs; the first has pieces that weigh 1 and 2, and 10 units of the second were done before. */
static void the_status_file_says_how_far_the_whole_run_is(void)
{
    char *dir = tools_folder(), *path = fl_format("%s/s.db.status", dir);
    struct fl_buf text = {0};
    struct progress *p = progress_start(
        &(struct progress_options){.file = path, .shard = "2/16", .jobs = 2});
    read_it(path, &text);
    has(&text, "state running\nshard 2/16\nshare 0.0000\n");
    progress_job(p, "mxm");
    progress_expect(p, 1);
    progress_expect(p, 2);
    progress_piece(p, "rf", "units", 0, 40, 1);
    progress_add(p, 40);
    progress_piece(p, "shared", "units", 10, 40, 2);
    progress_add(p, 10);
    progress_end(p, "stopped", "stopped by SIGTERM\nmore");
    read_it(path, &text);
    has(&text, "state stopped\nshard 2/16\njob mxm\ntarget shared\ndone 20\nof 40\n"
               "share 0.3333\n"); /* 1 + 2 * 20/40 of 2 * 3 */
    has(&text, "message stopped by SIGTERM\n");
    fl_buf_free(&text);
    free(path);
    tools_remove(dir);
}

static void a_log_gets_a_line_now_and_then_and_a_quiet_one_none(void)
{
    char *dir = tools_folder(), *path = fl_format("%s/log", dir);
    struct fl_buf text = {0};
    int before = dup(STDERR_FILENO);
    CU_ASSERT_PTR_NOT_NULL(freopen(path, "w", stderr));
    struct progress *lines = progress_start(
        &(struct progress_options){.show = PROGRESS_AUTO, .every = 1, .jobs = 1});
    struct progress *none = progress_start(&(struct progress_options){.every = 1, .jobs = 1});
    progress_job(lines, "mxm");
    progress_job(none, "sort");
    progress_expect(lines, 4);
    progress_piece(lines, "rf", "units", 0, 40, 4);
    progress_piece(none, "cc", "units", 0, 40, 4);
    progress_add(lines, 10);
    progress_say(lines, "for people");
    progress_say(none, "for nobody");
    usleep(1500000);
    progress_end(lines, "done", NULL);
    progress_end(none, "done", NULL);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    read_it(path, &text);
    has(&text, "for people\nmxm: rf: 10 of 40 units; 25 % of all, ");
    has(&text, " s left\n");
    CU_ASSERT_PTR_NULL(strpbrk((char *)text.data, "\r"));
    CU_ASSERT_PTR_NULL(strstr((char *)text.data, "nobody"));
    CU_ASSERT_PTR_NULL(strstr((char *)text.data, "sort"));
    fl_buf_free(&text);
    free(path);
    tools_remove(dir);
}

int main(void)
{
    return CHECK_RUN(
        "base", CHECK(as_many_threads_work_as_were_wanted),
        CHECK(a_cpu_mask_says_how_many_threads_there_are),
        CHECK(a_signal_that_ends_the_waiting_asks_for_nothing_when_a_stranger_sends_it),
        CHECK(a_signal_twice_within_no_time_is_meant_once),
        CHECK(a_warning_of_a_batch_system_does_not_count_as_the_first_time),
        CHECK(the_status_file_says_how_far_the_whole_run_is),
        CHECK(a_log_gets_a_line_now_and_then_and_a_quiet_one_none));
}
