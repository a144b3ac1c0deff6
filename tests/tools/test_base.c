/* test_base.c -- threads and signals: how many work, and what asks them to stop. */
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/threads.h"
#include "tests/lib/check.h"

static void as_many_threads_work_as_were_wanted(void)
{
    CU_ASSERT_EQUAL(fl_threads(3), 3);
    CU_ASSERT_EQUAL(fl_threads(1), 1);
    CU_ASSERT(fl_threads(0) >= 1);
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

int main(void)
{
    return CHECK_RUN(
        "base", CHECK(as_many_threads_work_as_were_wanted),
        CHECK(a_signal_that_ends_the_waiting_asks_for_nothing_when_a_stranger_sends_it),
        CHECK(a_signal_twice_within_no_time_is_meant_once));
}
