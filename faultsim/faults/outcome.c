/* outcome.c -- what outcomes are called, and what they mean. */
#include "outcome.h"

static const struct {
    const char *name;
    bool fails, detected, detected_by_time, optional;
    int strength;
} row[OUT_COUNT] = {
    [OUT_DROPPED] = {"dropped", .optional = true, .strength = 0},
    [OUT_MASKED] = {"masked", .strength = 1},
    [OUT_PERFORMANCE] = {"performance", .detected_by_time = true, .strength = 2},
    [OUT_TOLERABLE] = {"tolerable", .optional = true, .strength = 3},
    [OUT_DETECTED] = {"detected", .detected = true, .optional = true, .strength = 4},
    [OUT_TIMEOUT] = {"timeout", .fails = true, .strength = 5},
    [OUT_HANG] = {"hang", .fails = true, .strength = 6},
    [OUT_EXIT] = {"exit", .fails = true, .optional = true, .strength = 7},
    [OUT_CRASH] = {"crash", .fails = true, .strength = 8},
    [OUT_SDC] = {"sdc", .fails = true, .strength = 9},
};

const char *fsim_outcome_name(enum fsim_outcome o)
{
    return o < OUT_COUNT ? row[o].name : "?";
}

bool fsim_outcome_none(enum fsim_outcome o)
{
    return o == OUT_DROPPED;
}

bool fsim_outcome_fails(enum fsim_outcome o)
{
    return row[o].fails;
}

bool fsim_outcome_detected(enum fsim_outcome o, bool timing)
{
    return row[o].fails || row[o].detected || (timing && row[o].detected_by_time);
}

bool fsim_outcome_optional(enum fsim_outcome o)
{
    return row[o].optional;
}

int fsim_outcome_strength(enum fsim_outcome o)
{
    return row[o].strength;
}

uint64_t fsim_outcomes_failed(const uint64_t outcome[OUT_COUNT])
{
    uint64_t n = 0;
    for (int o = 0; o < OUT_COUNT; o++)
        n += row[o].fails ? outcome[o] : 0;
    return n;
}

uint64_t fsim_outcomes_counted(const uint64_t outcome[OUT_COUNT])
{
    uint64_t n = 0;
    for (int o = 0; o < OUT_COUNT; o++)
        n += outcome[o];
    return n;
}
