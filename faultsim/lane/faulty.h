/* faulty.h -- a unit with a fault, which answers in place of the lanes of one SP, pattern by pattern. */
#ifndef FAULTSIM_LANE_FAULTY_H
#define FAULTSIM_LANE_FAULTY_H

#include "lane.h"

struct faulty_lane {
    struct sm_override by; /* for engine.replace_unit of sm_lane_pins */
    const struct unit *u;
    struct gate_group *gates; /* bit 0 has the fault */
    uint64_t *inputs;
    bool asked;
    struct vector last; /* evaluated; none unless asked */
};

/* Neither may move: the machine keeps their addresses. */
void faulty_lane_open(struct faulty_lane *a, const struct unit *u);
void faulty_lane_set(struct faulty_lane *a, uint32_t fault);
void faulty_lane_close(struct faulty_lane *a);

#endif
