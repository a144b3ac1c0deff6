/* outcome.c -- the names of outcomes. */
#include "outcome.h"

const char *fsim_outcome_name(enum fsim_outcome o)
{
    static const char *const name[] = {"masked", "performance", "sdc", "crash", "timeout", "hang"};
    return o < OUT_COUNT ? name[o] : "?";
}
