/* serial.c -- see serial.h. */
#include "serial.h"

#include "faulty.h"

#include <stdio.h>
#include <stdlib.h>

struct serial {
    struct runner run;
    struct faulty_lane lane;
};

static void *make(const struct trace *t, const struct reference *ref)
{
    struct serial *a = fl_alloc(sizeof *a);
    faulty_lane_open(&a->lane, t->unit);
    runner_open(&a->run, ref);
    ref->engine->replace_unit(a->run.bad, &sm_lane_pins, t->sp, &a->lane.by);
    return a;
}

static void done(void *machine)
{
    struct serial *a = machine;
    runner_close(&a->run);
    faulty_lane_close(&a->lane);
    free(a);
}

static struct dut *start(void *machine, uint32_t fault, uint64_t cycle)
{
    struct serial *a = machine;
    (void)cycle;
    faulty_lane_set(&a->lane, fault);
    dut_copy(a->run.bad, a->run.ref->checkpoint[0]);
    return a->run.bad;
}

static void run_alone(void *machine, uint32_t fault, uint64_t first, struct fsim_result *out)
{
    struct serial *a = machine;
    start(a, fault, 0);
    *out = (struct fsim_result){.outcome = OUT_MASKED};
    run_to_end(&a->run, 0, out);
    out->first_activation = first;
    if (first == FSIM_NEVER && out->outcome == OUT_MASKED)
        snprintf(out->reason, sizeof out->reason, "not_activated");
}

const struct unit_machine serial_machine = {
    .make = make, .free = done, .alone = run_alone, .start = start};
