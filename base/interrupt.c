/* interrupt.c -- a thread that waits for signals. See interrupt.h. */
#include "interrupt.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    ENOUGH = SIGURG, /* ends the thread; from anywhere else nobody sends it, and it does nothing */
    TWICE =
        250 /* ms: timeout(1) signals the process and its group, twice within no time, meant once */
};

void interrupt_raise(int signal)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    raise(signal); /* fl_start: removes temporary files on the way */
}

static long ms_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void *wait_for_signals(void *context)
{
    struct interrupt *i = context;
    long first = 0;
    for (int signal; sigwait(&i->signals, &signal) == 0 && !atomic_load(&i->enough);) {
        if (signal == ENOUGH)
            continue;
        int none = 0;
        if (first && ms_now() - first >= TWICE && signal != SIGUSR1)
            interrupt_raise(signal);
        if (!first && signal != SIGUSR1) /* a batch system warns with it, and means no hurry */
            first = ms_now();
        if (!atomic_compare_exchange_strong(&i->signal, &none, signal))
            continue;
        if (isatty(STDERR_FILENO))
            fprintf(stderr,
                    "\r%*s\rfaultsim: stopping after the work at hand; once more ends it now\n", 70,
                    "");
    }
    return NULL;
}

void interrupt_start(struct interrupt *i)
{
    static const int asked[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    struct sigaction act;
    memset(i, 0, sizeof *i);
    sigemptyset(&i->signals);
    sigaddset(&i->signals, ENOUGH);
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
        if (sigaction(asked[k], NULL, &act) == 0 && act.sa_handler != SIG_IGN) /* nohup ignores */
            sigaddset(&i->signals, asked[k]);
    pthread_sigmask(SIG_BLOCK, &i->signals, &i->before);
    i->waits = pthread_create(&i->waiter, NULL, wait_for_signals, i) == 0;
    if (!i->waits)
        pthread_sigmask(SIG_SETMASK, &i->before, NULL);
}

int interrupt_end(struct interrupt *i)
{
    if (i->waits) {
        atomic_store(&i->enough, true);
        pthread_kill(i->waiter, ENOUGH);
        pthread_join(i->waiter, NULL);
        pthread_sigmask(SIG_SETMASK, &i->before, NULL);
    }
    return atomic_load(&i->signal);
}
