/* gates.c -- see gates.h. */
#include "gates.h"

#include <stdlib.h>

#include "faultsim/lane/faulty.h"
#include "faultsim/machine/live.h"

struct live_gates {
    struct unit unit;
    struct faulty_lane lane;
    int sp;
};

/* faultsim has looked for the proof. */
static const char *any_rtl(int which, bool above)
{
    (void)which, (void)above;
    return "";
}

/* What unit_open asks of a kind. */
static const struct unit_kind lanes = {.rtl = any_rtl,
                                       .count = VECTOR_UNITS,
                                       .name = lane_name,
                                       .find = lane_find,
                                       .is = lane_is,
                                       .of_sp = true,
                                       .open = lane_open};

struct live_gates *live_gates_open(const char *id, int sps, struct fl_err *err)
{
    const char *fault, *folder = getenv(LIVE_NETLISTS);
    int which, sp;
    uint32_t number = 0;
    if (unit_parse(id, &lanes, &which, &sp, &fault, err) != 0)
        return NULL;
    if (sp >= sps) {
        fl_fail(err, LIVE_FAULT " '%.100s': the machine has SPs 0 to %d", id, sps - 1);
        return NULL;
    }
    if (!folder || !*folder) {
        fl_fail(err,
                LIVE_FAULT " '%.100s' needs the netlist of the unit: set " LIVE_NETLISTS
                           " to its folder",
                id);
        return NULL;
    }
    struct live_gates *g = fl_alloc(sizeof *g);
    char *path = fl_format("%s/%s.blif", folder, lane_name(which));
    g->sp = sp;
    int bad = unit_open(path, &lanes, which, &g->unit, err);
    if (!bad && unit_fault(&g->unit, fault, &number, err) != 0) {
        unit_close(&g->unit);
        bad = -1;
    }
    free(path);
    if (bad) {
        free(g);
        return NULL;
    }
    faulty_lane_open(&g->lane, &g->unit);
    faulty_lane_set(&g->lane, number);
    return g;
}

void live_gates_put(struct live_gates *g, struct dut *m)
{
    engine_c.replace_unit(m, &sm_lane_pins, g->sp, &g->lane.by);
}

void live_gates_free(struct live_gates *g)
{
    if (!g)
        return;
    faulty_lane_close(&g->lane);
    unit_close(&g->unit);
    free(g);
}
