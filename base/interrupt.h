/* interrupt.h -- Ctrl-C, kill and a terminal that closes ask a campaign to stop; the second time
 * they end it at once. SIGUSR1 asks too, as often as it comes: batch systems send it before the
 * time of a task is over, and SIGTERM when it is.
 *
 *     struct interrupt i;
 *     interrupt_start(&i);            before any thread: all of them leave these signals to a
 *                                     thread of ours
 *     options.stop = &i.signal;       0, then the signal that came: workers look at it between
 *                                     pieces of work
 *     by = interrupt_end(&i);         the signal that came, or 0; from here on signals do what they
 *                                     did before
 *     if (by) interrupt_raise(by);    ... when nothing is left to go on from: the shell sees what
 *                                     ended the process
 */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

struct interrupt {
    sigset_t signals, before; /* those asked for; the mask of the thread that started */
    pthread_t waiter;
    bool waits;
    atomic_bool enough;
    atomic_int signal;
};

void interrupt_start(struct interrupt *i);
int interrupt_end(struct interrupt *i);
void interrupt_raise(int signal);

#endif
