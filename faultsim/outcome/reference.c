/* reference.c -- the fault-free run of an engine, taken from the record of the C model or made. See
 * reference.h. */
#include "reference.h"

#include <stdlib.h>

#include "base/search.h"

struct reference *reference_of(const struct golden *g)
{
    struct reference *ref = fl_alloc(sizeof *ref);
    *ref = (struct reference){.engine = &engine_c,
                              .img = g->img,
                              .cycles = g->cycles,
                              .outputs = g->outputs,
                              .activations = g->activations,
                              .excitations = g->excitations,
                              .committed = g->activations,
                              .ncheckpoints = g->ncheckpoints,
                              .golden = g};
    ref->checkpoint = fl_alloc((size_t)g->ncheckpoints * sizeof(struct dut *));
    for (int i = 0; i < g->ncheckpoints; i++)
        ref->checkpoint[i] = dut_of_gpu(g->checkpoint[i]);
    return ref;
}

struct reference *reference_run(const struct engine *e, const struct golden *g, struct fl_err *err)
{
    enum { CHECKPOINTS = 64 };
    const uint64_t stride = g->cycles / CHECKPOINTS + 1;
    struct dut *m = e->make(g->img, err);
    if (!m)
        return NULL;
    struct sm_commit *records = fl_alloc((size_t)g->img->sms * sizeof *records);
    struct reference *ref = fl_alloc(sizeof *ref);
    *ref = (struct reference){.engine = e,
                              .img = g->img,
                              .outputs = g->outputs,
                              .activations = g->activations,
                              .excitations = g->excitations,
                              .own = activations_new(g->img),
                              .ended = m};
    ref->committed = ref->own;
    ref->checkpoint = fl_alloc(CHECKPOINTS * sizeof(struct dut *));
    while (!dut_ended(m) && dut_cycle(m) <= g->cycles) {
        if (dut_cycle(m) >= (uint64_t)ref->ncheckpoints * stride) {
            struct dut *copy = e->make(g->img, err); /* as `m` */
            dut_copy(copy, m);
            ref->checkpoint[ref->ncheckpoints++] = copy;
        }
        dut_tick(m, records);
        for (int i = 0; i < g->img->sms; i++)
            activations_commit(ref->own, &records[i]);
    }
    free(records);
    ref->cycles = dut_cycle(m);
    struct dut_end end = dut_end(m);
    if (!dut_ended_rightly(&end, g->img) || ref->cycles != g->cycles ||
        !gpu_same_outputs(g->img, end.memory, &g->end->memory)) {
        fl_fail(err,
                "%s: the %s does not run the job as the C model does; smrun --engine both shows "
                "where",
                g->img->job->path, e->text);
        reference_free(ref);
        return NULL;
    }
    return ref;
}

struct reference *reference_new(const struct engine *e, const struct golden *g, struct fl_err *err)
{
    return e == &engine_c ? reference_of(g) : reference_run(e, g, err);
}

void reference_free(struct reference *ref)
{
    if (!ref)
        return;
    for (int i = 0; i < ref->ncheckpoints; i++)
        dut_free(ref->checkpoint[i]);
    free(ref->checkpoint);
    activations_free(ref->own);
    detection_free(ref->detection);
    dut_free(ref->ended);
    free(ref);
}

void reference_detect(struct reference *ref)
{
    ref->detection = detection_new(ref->img, ref->outputs);
}

void reference_seek(const struct reference *ref, struct dut *m, uint64_t cycle)
{
    uint64_t now = dut_cycle(m);
    int at = FL_FIRST(i, 1, ref->ncheckpoints, dut_cycle(ref->checkpoint[i]) > cycle) - 1;
    if (now > cycle || now < dut_cycle(ref->checkpoint[at]))
        dut_copy(m, ref->checkpoint[at]);
    dut_run(m, cycle);
}
