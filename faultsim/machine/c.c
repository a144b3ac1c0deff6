/* c.c -- engine c: the C model of the SM. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

struct c_dut {
    struct dut dut;
    struct sm *sm;
    bool borrowed;
};

static struct c_dut *of(struct dut *m)
{
    return (struct c_dut *)m;
}

struct sm *dut_sm(const struct dut *m)
{
    return ((const struct c_dut *)m)->sm;
}

struct dut *dut_of_sm(struct sm *sm)
{
    struct c_dut *m = fl_alloc(sizeof *m);
    *m = (struct c_dut){.dut.engine = &engine_c, .sm = sm, .borrowed = true};
    return &m->dut;
}

static struct dut *make(const struct sm_image *img, struct fl_err *err)
{
    (void)err;
    struct dut *m = dut_of_sm(sm_new(img));
    of(m)->borrowed = false;
    return m;
}

static void free_dut(struct dut *m)
{
    if (!of(m)->borrowed)
        sm_free(dut_sm(m));
    free(m);
}

static void copy(struct dut *to, const struct dut *from)
{
    struct sm *x = dut_sm(to);
    const struct sm *y = dut_sm(from);
    sm_copy(x, y);
    x->nforces = y->nforces;
    memcpy(x->force, y->force, (size_t)y->nforces * sizeof *y->force);
}

/* The effects of a slot happen in its last cycle, the one before `next`. */
static uint64_t cycle_of(const struct dut *m)
{
    return dut_sm(m)->s.next - !sm_ended(dut_sm(m));
}

static bool ended(const struct dut *m)
{
    return sm_ended(dut_sm(m));
}

static uint64_t instructions(const struct dut *m)
{
    return dut_sm(m)->s.instructions;
}

static void run(struct dut *m, uint64_t cycle)
{
    sm_run(dut_sm(m), cycle);
}

/* sm_run may stop in idle cycles, between two ticks. */
static bool advance(struct dut *m, uint64_t cycle, bool far)
{
    /* slots: when a run recurs, so do its states some slots apart, and comparing costs more than
     * running */
    enum { TOGETHER = 4 };
    struct sm *sm = dut_sm(m);
    uint64_t before = sm->s.instructions;
    sm_run_slots(sm, cycle, far ? UINT64_MAX : TOGETHER);
    return sm->s.instructions != before;
}

static void tick(struct dut *m, struct sm_commit *c)
{
    dut_sm(m)->record = c;
    sm_tick(dut_sm(m));
    dut_sm(m)->record = NULL;
}

static bool same(const struct dut *a, const struct dut *b, bool relative)
{
    return relative ? sm_recurs(dut_sm(a), dut_sm(b)) : sm_same(dut_sm(a), dut_sm(b));
}

static const struct sm *state(struct dut *m)
{
    return dut_sm(m);
}

static bool has(const struct sm_image *img, const struct sm_cell *cell)
{
    (void)img, (void)cell;
    return true;
}

static void flip(struct dut *m, const struct sm_cell *cell)
{
    sm_cell_flip(dut_sm(m), cell);
}

static int hold(struct dut *m, const struct sm_cell *cell, int value, bool for_good)
{
    (void)for_good;
    struct sm *sm = dut_sm(m);
    struct sm_force f = sm_cell_force(sm->img, cell, value);
    if (sm->nforces == SM_MAX_FORCES)
        return -1;
    sm_add_force(sm, &f);
    return 0;
}

static void release(struct dut *m)
{
    dut_sm(m)->nforces = 0;
}

/* An instruction of the model takes its operands where it has its effects; upset_bring waits for
 * those that would have taken them already. */
static void bring(struct dut *m, const struct upset *u)
{
    upset_bring(dut_sm(m), u);
}

const struct engine engine_c = {.name = "c",
                                .text = "C model",
                                .make = make,
                                .free = free_dut,
                                .copy = copy,
                                .cycle = cycle_of,
                                .ended = ended,
                                .instructions = instructions,
                                .run = run,
                                .advance = advance,
                                .tick = tick,
                                .same = same,
                                .state = state,
                                .has = has,
                                .flip = flip,
                                .hold = hold,
                                .release = release,
                                .bring = bring};
