/* engine.c -- which engines there are, and what all have in common. See engine.h. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

const struct engine *engine_find(const char *name, struct fl_err *err)
{
    static const struct engine *const all[] = {&engine_c, &engine_rtl};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i]->name, name) != 0)
            continue;
        if (all[i]->make)
            return all[i];
        fl_fail(err, "engine '%s' is not in this build; configure with -DFAULTLINE_RTL=ON", name);
        return NULL;
    }
    fl_fail(err, "there is no engine '%s'; write c or rtl", name);
    return NULL;
}

const struct engine *engine_gates(const struct engine *e)
{
    return e == &engine_rtl ? &engine_rtl_gates : e;
}

struct dut_end dut_end_of(const struct gpu *g, uint64_t cycles)
{
    struct dut_end end = {.trap = gpu_trap(g),
                          .trap_pc = gpu_end_state(g)->trap_pc,
                          .cycles = cycles,
                          .launch = g->grid.launch,
                          .memory = &g->memory};
    end.how = end.trap                     ? DUT_TRAPPED
              : g->grid.done == SM_GAVE_UP ? DUT_GAVE_UP
              : g->grid.done               ? DUT_DONE
              : gpu_deadlocked(g)          ? DUT_DEADLOCKED
                                           : DUT_RUNS;
    return end;
}

/* The program counters of an SM, as one number. */
static uint64_t counters(struct dut *m, const struct sm_image *img, int sm)
{
    uint64_t hash = FL_HASH_START;
    struct sm_cell c = {.place = sm, .structure = SM_S_pc};
    for (; c.index[0] < img->profile.warps; c.index[0]++) {
        uint32_t pc = 0;
        for (c.bit = 0; c.bit < 32; c.bit++)
            pc |= (uint32_t)dut_read(m, &c) << c.bit;
        hash = fl_hash_bytes(hash, &pc, sizeof pc);
    }
    return hash;
}

bool dut_livelocked(struct dut *m, const struct sm_image *img, uint64_t period)
{
    struct sm_structure locks;
    sm_structure_get(img, SM_S_lock, &locks);
    const int of_sm = locks.axis[0].count;
    struct sm_cell *held = fl_alloc((size_t)img->sms * (size_t)of_sm * sizeof *held);
    uint64_t *before = fl_alloc((size_t)img->sms * sizeof *before);
    bool *goes_on = fl_alloc((size_t)img->sms * sizeof *goes_on), livelocked = false;
    long n = 0;
    for (int i = 0; i < img->sms * of_sm; i++) {
        held[n] = (struct sm_cell){
            .place = i / of_sm, .structure = SM_S_lock, .index = {i % of_sm}};
        n += dut_read(m, &held[n]);
    }
    for (int i = 0; n && i < img->sms; i++)
        before[i] = counters(m, img, i);
    for (const uint64_t end = dut_cycle(m) + period; n && dut_cycle(m) < end;) {
        dut_tick(m, NULL);
        for (long i = n; i-- > 0;)
            if (!dut_read(m, &held[i]))
                held[i] = held[--n];
        for (int i = 0; i < img->sms; i++)
            goes_on[i] = goes_on[i] || counters(m, img, i) != before[i];
    }
    for (long i = 0; i < n; i++)
        livelocked |= goes_on[held[i].place];
    free(held);
    free(before);
    free(goes_on);
    return livelocked;
}

int engine_has(const struct engine *e, const struct sm_image *img, int structure,
               struct fl_err *err)
{
    struct sm_structure s;
    struct sm_cell c = {.structure = structure};
    sm_structure_get(img, structure, &s);
    for (; c.field < s.nfields; c.field++)
        if (!e->has(img, &c))
            return fl_fail(err, "target %s is in the %s only (%s); leave it out, or take engine %s",
                           s.name, structure < SM_STRUCTURES ? "C model" : "RTL", s.text,
                           structure < SM_STRUCTURES ? "c" : "rtl");
    return 0;
}

int engine_carries(const struct engine *e, const struct sm_image *img, const struct fsim_list *list,
                   struct fl_err *err)
{
    for (long i = 0; i < list->count; i++) {
        char id[FSIM_ID];
        if (list->fault[i].kind == FSIM_SA || e->carries(&list->fault[i]))
            continue;
        fsim_id(img, &list->fault[i], id);
        return fl_fail(err,
                       "fault '%s' depends on all reads and writes, and the %s shows only changes; "
                       "take engine c, or leave out its kind",
                       id, e->text);
    }
    return 0;
}

void dut_inject(struct dut *m, const struct fsim_fault *u)
{
    bool ends = u->to != FSIM_NO_END;
    if (m->engine->bring) {
        m->engine->bring(m, u);
        return;
    }
    dut_run(m, u->from);
    for (int i = 0; i < u->cells; i++) {
        if (u->kind == FSIM_FLIP)
            dut_flip(m, &u[i].cell);
        else
            dut_hold(m, &u[i].cell, u->value, !ends); /* FSIM_CELLS fit */
    }
    if (u->kind != FSIM_FLIP && ends) { /* what is written in the last cycle stays */
        dut_run(m, u->to);
        dut_release(m);
    }
}
