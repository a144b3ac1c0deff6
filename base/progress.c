/* progress.c -- see progress.h. */
#include "progress.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fl.h"
#include "threads.h"

enum { LOOK_MS = 200, LINE_SECONDS = 30, STATUS_SECONDS = 2, HOST = 64 };

struct progress {
    enum progress_show show;
    int every, jobs;
    char *file, *shard;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t tick;
    bool has_thread, stopping;
    char *job, *piece, *units;
    int opened;                   /* jobs */
    uint64_t before, of;          /* of the piece: units that an earlier run has done, all */
    double weight, from;          /* of the piece; when it began */
    double expected;              /* weight of all pieces of the jobs opened so far */
    double passed, worked, spent; /* of pieces that are over: weight, the part done now, seconds */
    double start, shown, wrote;
    int width; /* of the bar on the terminal */
    atomic_ullong done;
};

/* Under `lock`, as all that follows. */
struct view {
    unsigned long long done, of;
    double share, left; /* of all work; seconds, or below 0: not known yet */
};

static double part_of(double n, uint64_t of)
{
    return of ? n / (double)of : 1;
}

static struct view view_of(const struct progress *p, double now)
{
    struct view v = {atomic_load(&p->done), p->of, 0, -1};
    double all = p->expected, passed = p->passed, worked = p->worked, spent = p->spent;
    if (p->opened && p->jobs > p->opened)
        all += p->expected / p->opened * (p->jobs - p->opened);
    if (p->piece) {
        passed += p->weight * part_of((double)v.done, v.of);
        worked += p->weight * part_of((double)(v.done - p->before), v.of);
        spent += now - p->from;
    }
    all = all < passed ? passed : all;
    v.share = all > 0 ? passed / all : 0;
    if (worked > 0)
        v.left = spent * (all - passed) / worked;
    return v;
}

char *progress_duration(double seconds)
{
    return seconds < 0.01   ? fl_strdup("less than 0.01 s")
           : seconds < 10   ? fl_format("%.2g s", seconds)
           : seconds < 100  ? fl_format("%.0f s", seconds)
           : seconds < 6000 ? fl_format("%.1f minutes", seconds / 60)
                            : fl_format("%.1f hours", seconds / 3600);
}

/* ---- for people ------------------------------------------------------------------------------ */

static char *sentence(const struct progress *p, double now)
{
    struct view v = view_of(p, now);
    struct fl_buf b = {0};
    if (p->shard)
        fl_buf_printf(&b, "shard %s: ", p->shard);
    fl_buf_printf(&b, "%s: ", p->job ? p->job : "getting ready");
    if (p->piece)
        fl_buf_printf(&b, "%s: %llu of %llu %s; ", p->piece, v.done, v.of, p->units);
    else if (p->job)
        fl_buf_printf(&b, "the fault-free run; ");
    if (p->job)
        fl_buf_printf(&b, "%d %% of all", (int)(100 * v.share));
    if (v.left >= 0) {
        char *left = progress_duration(v.left);
        fl_buf_printf(&b, ", %s left", left);
        free(left);
    }
    return (char *)b.data;
}

static void clear_bar(struct progress *p)
{
    if (p->width)
        fprintf(stderr, "\r%*s\r", p->width, "");
    p->width = 0;
}

static void print(struct progress *p, double now)
{
    bool line = p->show == PROGRESS_LINE;
    if (p->show == PROGRESS_NONE || (line && now - p->shown < p->every))
        return;
    char *text = sentence(p, now);
    int n = (int)strlen(text), more = p->width - n;
    fputs(line ? "" : "\r", stderr);
    fl_print(stderr, text);
    fprintf(stderr, "%*s", line || more < 0 ? 0 : more, line ? "\n" : "");
    p->width = line ? 0 : n;
    p->shown = now;
    free(text);
}

/* ---- for other processes --------------------------------------------------------------------- */

static void write_status(struct progress *p, double now, const char *state, const char *why)
{
    struct fl_buf b = {0};
    struct view v = view_of(p, now);
    char host[HOST] = "", at[32];
    time_t t = time(NULL);
    struct tm utc;
    struct fl_err ignored;
    gethostname(host, sizeof host - 1);
    strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&t, &utc));
    fl_buf_printf(&b, "state %s\nshard %s\n", state, p->shard ? p->shard : "1/1");
    if (p->job)
        fl_buf_printf(&b, "job %s\n", p->job);
    if (p->piece)
        fl_buf_printf(&b, "target %s\ndone %llu\nof %llu\n", p->piece, v.done, v.of);
    fl_buf_printf(&b, "share %.4f\nseconds %.1f\n", strcmp(state, "done") == 0 ? 1 : v.share,
                  now - p->start);
    if (v.left >= 0 && strcmp(state, "running") == 0)
        fl_buf_printf(&b, "left %.0f\n", v.left);
    fl_buf_printf(&b, "host %s\npid %d\nupdated %s\n", host, (int)getpid(), at);
    if (why)
        fl_buf_printf(&b, "message %.*s\n", (int)strcspn(why, "\n"), why);
    /* Nothing hangs on it: a disk that is full tells the store. */
    fl_write_file(p->file, b.data, b.size, &ignored);
    fl_buf_free(&b);
    p->wrote = now;
}

static void *now_and_then(void *context)
{
    struct progress *p = context;
    pthread_mutex_lock(&p->lock);
    while (!p->stopping) {
        struct timespec at;
        clock_gettime(CLOCK_MONOTONIC, &at);
        at.tv_nsec += LOOK_MS * 1000000l;
        at.tv_sec += at.tv_nsec / 1000000000;
        at.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&p->tick, &p->lock, &at);
        if (p->stopping)
            break;
        double now = fl_seconds();
        print(p, now);
        if (p->file && now - p->wrote >= STATUS_SECONDS)
            write_status(p, now, "running", NULL);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* ---- the run --------------------------------------------------------------------------------- */

struct progress *progress_start(const struct progress_options *o)
{
    struct progress *p = fl_alloc(sizeof *p);
    pthread_condattr_t monotonic;
    p->show = o->show != PROGRESS_AUTO ? o->show
              : isatty(STDERR_FILENO)  ? PROGRESS_BAR
                                       : PROGRESS_LINE;
    p->every = o->every ? o->every : LINE_SECONDS;
    p->jobs = o->jobs;
    p->file = o->file ? fl_strdup(o->file) : NULL;
    p->shard = o->shard ? fl_strdup(o->shard) : NULL;
    p->start = p->shown = fl_seconds();
    pthread_mutex_init(&p->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&p->tick, &monotonic);
    pthread_condattr_destroy(&monotonic);
    if (p->file)
        write_status(p, p->start, "running", NULL);
    if (p->file || p->show != PROGRESS_NONE)
        p->has_thread = pthread_create(&p->thread, NULL, now_and_then, p) == 0;
    return p;
}

static void replace(char **text, const char *by)
{
    free(*text);
    *text = by ? fl_strdup(by) : NULL;
}

/* The piece at hand is over, whole or ended early. */
static void end_piece(struct progress *p)
{
    if (p->piece) {
        p->passed += p->weight;
        p->worked += p->weight * part_of((double)(p->of - p->before), p->of);
        p->spent += fl_seconds() - p->from;
    }
    replace(&p->piece, NULL);
}

void progress_job(struct progress *p, const char *name)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    end_piece(p);
    replace(&p->job, name);
    p->opened++;
    pthread_mutex_unlock(&p->lock);
}

void progress_expect(struct progress *p, double weight)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->expected += weight;
    pthread_mutex_unlock(&p->lock);
}

void progress_piece(struct progress *p, const char *name, const char *units, uint64_t done,
                    uint64_t of, double weight)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    end_piece(p);
    replace(&p->piece, name);
    replace(&p->units, units);
    p->before = done;
    p->of = of;
    p->weight = weight;
    p->from = fl_seconds();
    atomic_store(&p->done, done);
    pthread_mutex_unlock(&p->lock);
}

void progress_add(struct progress *p, uint64_t done)
{
    if (p)
        atomic_fetch_add(&p->done, done);
}

void progress_say(struct progress *p, const char *fmt, ...)
{
    if (!p || p->show == PROGRESS_NONE)
        return;
    va_list ap;
    pthread_mutex_lock(&p->lock);
    clear_bar(p);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    pthread_mutex_unlock(&p->lock);
}

void progress_end(struct progress *p, const char *state, const char *why)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->stopping = true;
    pthread_cond_signal(&p->tick);
    pthread_mutex_unlock(&p->lock);
    if (p->has_thread)
        pthread_join(p->thread, NULL);
    clear_bar(p);
    if (p->file)
        write_status(p, fl_seconds(), state, why);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->tick);
    free(p->job);
    free(p->piece);
    free(p->units);
    free(p->file);
    free(p->shard);
    free(p);
}
