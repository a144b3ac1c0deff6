/* leftover.h -- the faults that campaigns leave undetected, each with its proof or none. */
#ifndef LEFTOVER_H
#define LEFTOVER_H

#include "campaign.h"
#include "prove.h"

/* What became of the faults that no campaign detected: proved untestable, by programs without some
 * operations (`writers` may be NULL), or neither. The last are named. */
void prove_print(const struct fsim_campaign *c, int n, const struct prove_writers *writers,
                 struct fl_buf *out);
/* A line per undetected fault: id,proof,reason. */
void prove_csv(const struct fsim_campaign *c, int n, const struct prove_writers *writers,
               struct fl_buf *out);

#endif
