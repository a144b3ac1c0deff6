/* cache_reference.h -- caches once more, written down as simply as can be: an access is told as the
 * commit record has it, and what the caches hold, count and write back is worked out from that.
 *
 * Ways have the time of their last use in place of ages, and bytes their own addresses; nothing is
 * shared with sm/cache.
 */
#ifndef CACHE_REFERENCE_H
#define CACHE_REFERENCE_H

#include "sm/gpu/gpu.h"

struct cache_reference;
struct cache_reference *cache_reference_new(const struct sm_image *img);
/* Of an SM before a tick. */
struct cache_before {
    struct sm_warp warp[2];
    uint32_t rf[2048];
};
/* What a tick of SM `sm` committed; false: a load or a constant has
 * other values than it should have. */
bool cache_reference_commit(struct cache_reference *r, const struct sm_commit *c, int sm,
                            const struct cache_before *before);
/* A warp of SM `sm` has left Fetch; false: what it fetched is not what is coded there. */
bool cache_reference_fetch(struct cache_reference *r, const struct sm_kernel *k, int sm,
                           uint32_t pc);
/* The launch is over; `host`: so are all, or the host looks at memory. */
void cache_reference_launch(struct cache_reference *r, bool host);
/* The same counts, and the same words of global and local memory. */
bool cache_reference_agrees(const struct cache_reference *r, const struct gpu *g);
void cache_reference_free(struct cache_reference *r);

#endif
