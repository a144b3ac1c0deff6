/* transient_rtl.c -- decides what becomes of one upset by running the RTL with it. See transient_rtl.h. */
#include "transient_rtl.h"

#include "worker_rtl.h"

int transient_rtl_has(const struct fsim_rtl *r, int structure, struct fl_err *err)
{
    struct sm_structure s;
    struct sm_cell c = {.structure = structure};
    sm_structure_get(r->golden.img, structure, &s);
    for (; c.field < s.nfields; c.field++)
        if (!smrtl_has(r->end, &c))
            return fl_fail(err,
                           "target %s is in the C model only (%s); leave it out, or take engine c",
                           s.name, s.text);
    return 0;
}

void transient_rtl_simulate(struct fsim_rtl_worker *w, const struct touches *t,
                            const struct upset *u, struct transient_result *out)
{
    bool ends = u->to != UPSET_NO_END;
    transient_foresee(&w->r->golden, t, u, out);
    out->ran = true;
    w->stat.runs++;
    worker_rtl_seek(w, u->from);
    smrtl_copy(w->bad, w->golden);
    for (int i = 0; i < u->ncells; i++) {
        if (u->kind == UPSET_FLIP)
            smrtl_flip(w->bad, &u->cell[i]);
        else
            smrtl_hold(w->bad, &u->cell[i], u->kind == UPSET_SA1); /* UPSET_MAX_CELLS fit */
    }
    if (u->kind != UPSET_FLIP && ends) { /* what is written in the last cycle stays */
        smrtl_run(w->bad, u->to);
        smrtl_release(w->bad);
    }
    worker_rtl_run_to_end(w, ends, &out->r);
    transient_judge(out);
}

void transient_rtl_explain(struct fsim_rtl_worker *w, const struct touches *t,
                           const struct upset *u, struct fl_buf *out)
{
    struct transient_result r;
    transient_rtl_simulate(w, t, u, &r);
    upset_print(w->r->golden.img, u, out);
    fl_buf_printf(out, ": %s (%s), in the RTL\n", fsim_outcome_name(r.r.outcome), r.r.reason);
    transient_tell_end(&w->r->golden, &r.r, out);
}
