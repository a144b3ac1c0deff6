/* writers.h -- who wrote each element of the outputs in the fault-free run: the last instruction that stored to its
 * address, before the host took the output where a step does that. */
#ifndef WRITERS_H
#define WRITERS_H

#include "sm/commit.h"
#include "sm/gpu/gpu.h"

struct writer {
    uint32_t block, pc; /* block: of the launch, x first */
    uint16_t launch;
    uint8_t warp, lane; /* warp: of the block */
};
extern const struct writer writer_none; /* all ones: no instruction has stored there */

struct writers;

struct writers *writers_new(const struct sm_image *img);
void writers_free(struct writers *w);
/* An instruction has left; `warp0`: the first warp of its block. */
void writers_commit(struct writers *w, const struct sm_commit *c, int warp0);
const struct sm_image *writers_image(const struct writers *w);
/* How many elements have a writer. */
uint64_t writers_written(const struct writers *w);
const struct writer *writers_of(const struct writers *w, int output, uint32_t element);

#endif
