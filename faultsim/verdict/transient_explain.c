/* transient_explain.c -- the story of one upset: when it is first read and by whom, where a wrong value first reaches
 * memory, how the run ends.
 */
#include <string.h>

#include "worker.h"
#include "transient.h"

static void tell(const struct golden *g, const char *who, const struct sm_commit *c,
                 struct fl_buf *out)
{
    fl_buf_printf(out, "  %-7s", who);
    sm_commit_print(g->img, c, out);
    fl_buf_printf(out, "\n");
}

static bool same_lanes(const uint32_t *a, const uint32_t *b, uint32_t lanes)
{
    for (int l = 0; l < SM_LANES; l++)
        if ((lanes >> l & 1) && a[l] != b[l])
            return false;
    return true;
}

static bool same_control(const struct sm_commit *a, const struct sm_commit *b)
{
    return a->kind == b->kind && a->cycle == b->cycle && a->warp == b->warp && a->pc == b->pc &&
           a->active == b->active && a->exec == b->exec && a->pc_after == b->pc_after &&
           a->active_after == b->active_after && a->trap == b->trap && a->started == b->started;
}

static bool same_registers(const struct sm_commit *a, const struct sm_commit *b)
{
    if (a->nregs != b->nregs)
        return false;
    for (int i = 0; i < a->nregs; i++)
        if (!same_lanes(a->reg[i], b->reg[i], a->reg_mask))
            return false;
    return true;
}

static bool stores(const struct sm_commit *c)
{
    return c->space && c->store; /* without an access, `store` says nothing */
}

/* What a store to memory wrote, and where. */
static bool same_store(const struct sm_commit *a, const struct sm_commit *b)
{
    if (stores(a) != stores(b) || (stores(a) && a->space != b->space))
        return false;
    if (!stores(a))
        return true;
    for (int i = 0; i < (a->bytes > 4 ? a->bytes / 4 : 1); i++)
        if (!same_lanes(a->data[i], b->data[i], a->exec))
            return false;
    return same_lanes(a->addr, b->addr, a->exec);
}

void transient_tell_end(const struct golden *g, const struct fsim_result *r, struct fl_buf *out)
{
    unsigned long long end = r->end, golden = g->cycles;
    switch (r->outcome) {
    case OUT_CRASH:
        fl_buf_printf(out, "It ends in a trap: %s, in cycle %llu.\n", r->reason, end - 1);
        break;
    case OUT_SDC:
        fl_buf_printf(out,
                      "It finishes after %llu cycles (golden: %llu); the first output byte that "
                      "differs is %s.\n",
                      end, golden, r->reason);
        break;
    case OUT_HANG: fl_buf_printf(out, "It never ends: %s.\n", r->reason); break;
    case OUT_TIMEOUT:
        fl_buf_printf(out,
                      "It is unfinished at twice the golden run's %llu cycles, and its state does "
                      "not recur.\n",
                      golden);
        break;
    case OUT_PERFORMANCE:
        fl_buf_printf(out, "All outputs are right; it finishes %s.\n", r->reason);
        break;
    default: fl_buf_printf(out, "All outputs are right, after the same %llu cycles.\n", end);
    }
}

/* Both machines from the upset on, until they part in control or one ends. */
static void walk(struct fsim_worker *w, const struct upset *u, struct fl_buf *out)
{
    const struct golden *g = w->g;
    struct sm_commit bad = {0}, good = {0}; /* a block's start fills in little */
    bool register_told = false, store_told = false;
    golden_seek(g, w->golden, u->from);
    sm_copy(w->good, w->golden);
    sm_copy(w->bad, w->golden);
    upset_bring(w->bad, u);
    while (w->good->s.next < w->bad->s.next && !sm_ended(w->good))
        sm_tick(w->good);
    w->bad->record = &bad;
    w->good->record = &good;
    for (int i = 0; i < 1000000 && !sm_ended(w->bad) && !sm_ended(w->good); i++) {
        sm_step(w->good);
        sm_step(w->bad);
        const char *what = NULL;
        bool control = same_control(&bad, &good);
        if (!control)
            what = "First divergence of control";
        else if (!store_told && !same_store(&bad, &good))
            what = "First wrong value or address in a store";
        else if (!register_told && !same_registers(&bad, &good))
            what = "First wrong result in a register";
        if (!what)
            continue;
        fl_buf_printf(out, "%s: cycle %llu.\n", what, (unsigned long long)bad.cycle);
        tell(g, "golden", &good, out);
        tell(g, "faulty", &bad, out);
        store_told |= !same_store(&bad, &good);
        register_told = true;
        if (!control || store_told)
            break;
    }
    w->bad->record = w->good->record = NULL;
}

void transient_explain(struct fsim_worker *w, const struct touches *t, const struct upset *u,
                       struct fl_buf *out)
{
    const struct golden *g = w->g;
    struct transient_result r;
    transient_simulate(w, t, u, &r);
    upset_print(g->img, u, out);
    fl_buf_printf(out, ": %s (%s)\n", fsim_outcome_name(r.r.outcome), r.r.reason);
    if (r.why < REASON_LOGIC) {
        fl_buf_printf(out,
                      r.why == REASON_OVERWRITTEN
                          ? "It is overwritten before anybody reads it: no run can tell.\n"
                          : "Nobody reads or writes the cell in the rest of the %llu cycles.\n",
                      (unsigned long long)g->cycles);
        return;
    }
    if (r.r.first_activation != FSIM_NEVER)
        fl_buf_printf(out, "First read: it is seen up to cycle %llu of %llu",
                      (unsigned long long)r.r.first_activation, (unsigned long long)g->cycles);
    if (r.site != SITE_NONE)
        fl_buf_printf(out, ", by the instruction at pc 0x%x of warp %d that leaves in cycle %llu",
                      t->site[r.site].pc, t->site[r.site].warp,
                      (unsigned long long)t->site[r.site].cycle);
    if (r.r.first_activation != FSIM_NEVER)
        fl_buf_printf(out, ".\n");
    walk(w, u, out);
    transient_tell_end(g, &r.r, out);
}
