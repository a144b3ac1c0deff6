/* segments.c -- see segments.h. */
#include "segments.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/threads.h"

enum { MARKS = 64 }; /* machines on the way through a segment, at growing distances */

struct flip {
    struct follow_passage p;
    enum follow_passed state; /* PASSES_ON: not decided yet */
    struct fsim_result r;
};

struct segments {
    struct flip *flip;
    uint32_t count, room, segments;
    const struct reference *ref;
    const atomic_int *stop;
    /* the segment at hand, as a run that begins with it */
    struct golden part;
    struct gpu *mark[MARKS];
    uint64_t mark_cycle[MARKS], interval;
    uint32_t last; /* flips [0, last) are read up to its end */
    atomic_uint next;
};

struct segments *segments_new(void)
{
    return fl_alloc(sizeof(struct segments));
}

void segments_add(struct segments *s, const struct follow_passage *flip)
{
    FL_ROOM(s->flip, s->count, s->room, 256);
    struct flip *f = &s->flip[s->count++];
    *f = (struct flip){.p = *flip};
    memset(f->p.forgot, 0xff, sizeof f->p.forgot);
}

void segments_free(struct segments *s)
{
    if (!s)
        return;
    for (uint32_t i = 0; i < s->count; i++)
        free(s->flip[i].p.item);
    free(s->flip);
    free(s);
}

uint32_t segments_count(const struct segments *s)
{
    return s->segments;
}

static int compare(const struct follow_passage *a, const struct follow_passage *b)
{
    return a->event != b->event ? (a->event < b->event ? -1 : 1)
           : a->row != b->row   ? (a->row < b->row ? -1 : 1)
           : a->lane != b->lane ? (a->lane < b->lane ? -1 : 1)
                                : (a->bit > b->bit) - (a->bit < b->bit);
}

static int by_event(const void *a, const void *b)
{
    const struct flip *x = a, *y = b;
    return compare(&x->p, &y->p);
}

/* ---- a segment ------------------------------------------------------------------------------- */

static void drop_marks(struct segments *s)
{
    for (int i = 0; i < s->part.ncheckpoints; i++)
        gpu_free(s->mark[i]);
    s->part.ncheckpoints = 0;
    s->interval = 64;
}

static void mark(struct segments *s, const struct gpu *m)
{
    int n = s->part.ncheckpoints;
    if (n == MARKS) {
        for (n = 0; 2 * n < MARKS; n++) {
            s->mark[n] = s->mark[2 * n];
            s->mark_cycle[n] = s->mark_cycle[2 * n];
            gpu_free(s->mark[2 * n + 1]);
        }
        s->interval *= 2;
    }
    s->mark[n] = gpu_new(s->part.img);
    gpu_copy(s->mark[n], m);
    s->mark_cycle[n] = gpu_cycles(m);
    s->part.ncheckpoints = n + 1;
}

static bool is_stopped(const struct segments *s)
{
    return s->stop && atomic_load(s->stop);
}

static void *follow(void *segments)
{
    struct segments *s = segments;
    struct runner run;
    runner_open(&run, s->ref);
    struct follower *l = follower_new(&s->part, &run, NULL);
    for (uint32_t i; (i = atomic_fetch_add(&s->next, 1)) < s->last && !is_stopped(s);)
        if (s->flip[i].state == PASSES_ON)
            s->flip[i].state = follow_pass(l, &s->flip[i].p, &s->flip[i].r);
    follower_free(l);
    runner_close(&run);
    return NULL;
}

/* The flips that are read up to the end of the segment. */
static void judge(struct segments *s, const struct flow *f, int threads)
{
    const uint64_t end = (uint64_t)f->before + f->nevents;
    bool any = false;
    s->last = FL_FIRST(i, 0, s->count, s->flip[i].p.event >= end);
    for (uint32_t i = 0; i < s->last && !any; i++)
        any = s->flip[i].state == PASSES_ON;
    s->segments++;
    if (!any)
        return;
    s->part.flow = (struct flow *)f;
    atomic_store(&s->next, 0);
    fl_threads_run(threads, follow, s);
}

bool segments_follow(struct segments *s, const struct reference *ref, size_t max_bytes, int threads,
                     const atomic_int *stop)
{
    struct gpu *m = gpu_new(ref->img);
    struct sm_watch w;
    struct sm_accesses seen = {0};
    struct flow_recorder *k = flow_recorder_new(ref->golden->residence, max_bytes);
    const struct flow *f = NULL;
    uint64_t ticks = 0;
    qsort(s->flip, s->count, sizeof *s->flip, by_event);
    s->ref = ref;
    s->stop = stop;
    s->part = *ref->golden;
    s->part.checkpoint = s->mark;
    s->part.checkpoint_cycle = s->mark_cycle;
    s->part.ncheckpoints = 0;
    drop_marks(s);
    sm_watch_start(&w, m, flow_places, false);
    while (!gpu_ended(m) && !is_stopped(s)) {
        if (ticks++ % s->interval == 0)
            mark(s, m);
        sm_watch_tick(&w, &seen);
        if (flow_recorder_tick(k, &w, &seen) && !gpu_ended(m))
            continue;
        f = flow_recorder_cut(k, gpu_ended(m));
        judge(s, f, threads);
        drop_marks(s);
        ticks = 0;
        if (!gpu_ended(m))
            flow_recorder_next(k);
    }
    drop_marks(s);
    for (uint32_t i = 0; i < s->count && !is_stopped(s); i++)
        if (s->flip[i].state == PASSED_KNOWN && !follow_confirm(f, &s->flip[i].p))
            s->flip[i].state = PASSED_UNKNOWN;
    sm_watch_end(&w);
    flow_recorder_drop(k);
    gpu_free(m);
    free(seen.access);
    return !is_stopped(s);
}

bool segments_know(const struct segments *s, uint32_t row, int lane, uint32_t bit, uint32_t event,
                   struct fsim_result *out)
{
    const struct follow_passage p = {.row = row, .lane = lane, .bit = bit, .event = event};
    uint32_t i = FL_FIRST(k, 0, s->count, compare(&s->flip[k].p, &p) >= 0);
    if (i == s->count || compare(&s->flip[i].p, &p) != 0 || s->flip[i].state != PASSED_KNOWN)
        return false;
    *out = s->flip[i].r;
    return true;
}
