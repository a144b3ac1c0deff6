/* first_wrong.h -- of a fault of a lane's unit the first wrong answer, and the first wrong net, for a fault trace. */
#ifndef FAULTSIM_LANE_FIRST_WRONG_H
#define FAULTSIM_LANE_FIRST_WRONG_H

#include "lane.h"

/* The `first_wrong` of unit_kind. */
void lane_first_wrong(const struct trace *t, uint32_t pattern, uint64_t cycles, uint32_t fault,
                      struct fl_buf *out);

#endif
