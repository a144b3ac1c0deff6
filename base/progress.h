/* progress.h -- how far a long run is: for a terminal, for a log, and for other processes.
 *
 *     p = progress_start(&options);              a thread of its own tells
 *     progress_job(p, "mxm");                    the next of options.jobs
 *     progress_expect(p, w);                     for each piece of its work, how much it weighs
 *     progress_piece(p, "rf", "units", done, of, w);
 *     progress_add(p, 1);                        from any thread
 *     progress_end(p, "done", NULL);
 *
 * A terminal gets one line that is written over and over, a log a line now and then. The file of
 * the status is replaced as a whole, every few seconds: who reads it, on whatever machine, sees all
 * of it or the one before. What is left of the whole run is predicted from what was done since
 * the start and from the weights, which have no unit; a job that was not opened yet counts like the
 * mean of those before.
 *
 * `p` may be NULL: nobody is told anything.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum progress_show {
    PROGRESS_NONE,
    PROGRESS_AUTO, /* a bar where standard error is a terminal, else lines */
    PROGRESS_BAR,
    PROGRESS_LINE
};

struct progress_options {
    enum progress_show show;
    int every;         /* seconds between two lines; 0: 30 */
    const char *file;  /* of the status; NULL: none */
    const char *shard; /* "2/16"; NULL: the run is whole */
    int jobs;          /* how many there will be */
};

struct progress;

struct progress *progress_start(const struct progress_options *o);
void progress_job(struct progress *p, const char *name);
void progress_expect(struct progress *p, double weight);
/* The next piece; the one before is over. `done` of the `of` units were done by an earlier run. */
void progress_piece(struct progress *p, const char *name, const char *units, uint64_t done,
                    uint64_t of, double weight);
void progress_add(struct progress *p, uint64_t done);
/* A line for people, unless they asked for none. */
void progress_say(struct progress *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "done", "stopped" or "failed"; `why` is a message or NULL. Frees it. */
void progress_end(struct progress *p, const char *state, const char *why);

/* "0.003 s", "12 s", "3.4 minutes", "1.2 hours": caller frees. */
char *progress_duration(double seconds);

#endif
