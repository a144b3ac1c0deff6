/* threads.h -- the same work on several threads. */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H

/* How many threads a command uses: `wanted`, or, where that is 0, one for each processor that this
 * process may run on (its CPU mask, as containers and clusters set it). */
int fl_threads(int wanted);

/* Runs `work` with `context` on so many threads (fl_threads) and waits for all; without a thread to
 * be had it works here. */
void fl_threads_run(int wanted, void *(*work)(void *), void *context);

/* Seconds on a clock that only goes forward. */
double fl_seconds(void);

#endif
