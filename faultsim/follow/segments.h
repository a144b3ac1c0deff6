/* segments.h -- flips of registers that are followed while the fault-free run is recorded in segments, of a job whose
 * data flow takes more memory than it may.
 *
 * A segment is recorded; each flip that it reads first, and each that still differs from the segment before, is
 * followed to its end (follow.h); then the next one is recorded in its place. So memory is bounded, and the time of
 * a flip is that of what differs.
 */
#ifndef SEGMENTS_H
#define SEGMENTS_H

#include <stdatomic.h>

#include "follow.h"

/* Which flips, and how each ended where that is known; by event, row, lane and bit. */
struct segments;

/* So many segments that a flip may be followed through, of `max_bytes` each. */
struct segments *segments_new(void);
void segments_add(struct segments *s, const struct follow_passage *flip);
/* On so many threads; false when `stop` was set meanwhile (it may be NULL). `reference`: of engine c, and of one SM. */
bool segments_follow(struct segments *s, const struct reference *ref, size_t max_bytes, int threads,
                     const atomic_int *stop);
uint32_t segments_count(const struct segments *s); /* how many have been recorded */
/* The outcome of a flip, first_activation apart. */
bool segments_know(const struct segments *s, uint32_t row, int lane, uint32_t bit, uint32_t event,
                   struct fsim_result *out);
void segments_free(struct segments *s);

#endif
