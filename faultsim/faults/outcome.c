/* outcome.c -- the names of outcomes. */
#include "outcome.h"

const char *fsim_outcome_name(enum fsim_outcome o)
{
    static const char *const name[] = {"masked",  "performance", "sdc",      "crash",
                                       "timeout", "hang",        "tolerable"};
    return o < OUT_COUNT ? name[o] : "?";
}

bool fsim_outcome_fails(enum fsim_outcome o)
{
    return o >= OUT_SDC && o <= OUT_HANG;
}
