/* threads.c -- see threads.h. */
#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "fl.h"

int fl_threads(int wanted)
{
    enum { MOST = 1024 };
    cpu_set_t mask;
    long n = wanted > 0                                      ? wanted
             : sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask)
                                                             : sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MOST ? MOST : (int)n;
}

void fl_threads_run(int wanted, void *(*work)(void *), void *context)
{
    int n = fl_threads(wanted), running = 0;
    pthread_t *thread = fl_alloc((size_t)n * sizeof *thread);
    while (running < n && pthread_create(&thread[running], NULL, work, context) == 0)
        running++;
    if (running == 0)
        work(context);
    for (int i = 0; i < running; i++)
        pthread_join(thread[i], NULL);
    free(thread);
}

double fl_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
