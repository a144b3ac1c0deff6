/* rows.c -- see rows.h. */
#include "rows.h"

#include <stdlib.h>

enum {
    BEFORE = 4,     /* rows before the first event */
    BEHIND = 8,     /* ... behind each one */
    RING = 256,     /* commits among which those of the warp are looked for */
    HISTORY = 2000, /* cycles of the fault-free run before the fault */
};

struct rows {
    struct fault_trace *trace;
    struct sm_commit (*ring)[TRACE_MACHINES]; /* the last ones before the first event */
    int kept;                                 /* ever put there */
    bool begun, skipped;
    int sm, warp, behind;    /* of the last event; rows behind it */
    int own[TRACE_MACHINES]; /* rows_behind: of each machine */
    int from;                /* first row of those */
};

struct rows *rows_new(struct fault_trace *t)
{
    struct rows *r = fl_alloc(sizeof *r);
    r->trace = t;
    r->ring = fl_alloc(RING * sizeof *r->ring);
    return r;
}

void rows_free(struct rows *r)
{
    free(r->ring);
    free(r);
}

static bool of_warp(const struct rows *r, const struct sm_commit *c)
{
    return c->kind != COMMIT_NONE && c->warp == r->warp && c->sm == r->sm;
}

static struct trace_row *add(struct rows *r, const struct sm_commit *good,
                             const struct sm_commit *bad)
{
    struct trace_row *row = fault_trace_row(r->trace);
    row->of[TRACE_GOLDEN] = (struct trace_side){.there = true, .commit = *good};
    row->of[TRACE_FAULTY] = (struct trace_side){.there = true, .commit = *bad};
    row->skipped = r->skipped;
    r->skipped = false;
    r->from = r->trace->rows;
    return row;
}

void rows_same(struct rows *r, const struct sm_commit *good, const struct sm_commit *bad)
{
    if (!r->begun) {
        r->ring[r->kept % RING][TRACE_GOLDEN] = *good;
        r->ring[r->kept % RING][TRACE_FAULTY] = *bad;
        r->kept++;
    } else if (of_warp(r, bad) && r->behind < BEHIND) {
        add(r, good, bad);
        r->behind++;
    } else {
        r->skipped |= of_warp(r, bad);
    }
}

void rows_recall(struct rows *r, const struct golden *g, const struct gpu *healthy)
{
    struct gpu *m = gpu_new(g->img);
    struct sm_commit c = {0};
    uint64_t now = gpu_cycles(healthy);
    golden_seek(g, m, now > HISTORY ? now - HISTORY : 0);
    gpu_record(m, &c);
    while (!gpu_ended(m) && gpu_instructions(m) < gpu_instructions(healthy)) {
        gpu_step(m);
        rows_same(r, &c, &c);
    }
    gpu_free(m);
}

/* The last ones of the warp of the first event. */
static void begin(struct rows *r)
{
    int first = r->kept, n = 0, oldest = r->kept > RING ? r->kept - RING : 0;
    for (int i = r->kept - 1; i >= oldest && n < BEFORE; i--)
        if (of_warp(r, &r->ring[i % RING][TRACE_FAULTY])) {
            first = i;
            n++;
        }
    r->begun = true;
    for (int i = first; i < r->kept; i++)
        if (of_warp(r, &r->ring[i % RING][TRACE_FAULTY]))
            add(r, &r->ring[i % RING][TRACE_GOLDEN], &r->ring[i % RING][TRACE_FAULTY]);
}

static void read_stack(const struct gpu *g, struct trace_side *of)
{
    const struct sm_commit *c = &of->commit;
    const struct sm_warp *w = &g->sm[sm_commit_place(c)].s.warp[c->warp];
    of->has_stack = true;
    of->stack.depth = w->sp < SM_MAX_LE ? (int)w->sp : SM_MAX_LE;
    for (int i = 0; i < of->stack.depth; i++)
        of->stack.le[i] = (struct trace_entry){w->id[i], w->tm[i], w->spc[i]};
}

void rows_event(struct rows *r, enum trace_event event, const struct sm_commit *good,
                const struct sm_commit *bad, const struct gpu *healthy, struct dut *faulty)
{
    int warp = r->warp, sm = r->sm;
    r->warp = bad->warp;
    r->sm = bad->sm;
    if (!r->begun)
        begin(r);
    else
        r->skipped |= warp != r->warp || sm != r->sm;
    struct trace_row *row = add(r, good, bad);
    row->event = event;
    r->behind = 0;
    if (faulty->engine != &engine_c || bad->kind == COMMIT_NONE || good->kind == COMMIT_NONE ||
        bad->warp < 0 || good->warp < 0)
        return;
    read_stack(healthy, &row->of[TRACE_GOLDEN]);
    read_stack(dut_gpu(faulty), &row->of[TRACE_FAULTY]);
}

bool rows_want(const struct rows *r, int machine)
{
    return r->begun && r->behind + r->own[machine] < BEHIND;
}

void rows_behind(struct rows *r, int machine, const struct sm_commit *c)
{
    if (!of_warp(r, c))
        return;
    int at = r->from + r->own[machine]++;
    struct trace_row *row = at < r->trace->rows ? &r->trace->row[at] : fault_trace_row(r->trace);
    row->of[machine] = (struct trace_side){.there = true, .commit = *c};
}
