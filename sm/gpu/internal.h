/* internal.h -- what the files of the chip share. */
#ifndef GPU_INTERNAL_H
#define GPU_INTERNAL_H

#include "gpu.h"

/* grid.c: what an SM has of the chip; a launch begins in the slot of SM `by`. */
struct sm_port gpu_port(struct gpu *g, int sm);
void gpu_begin_launch(struct gpu *g, uint32_t launch, int by);

/* dump.c: each warp of an SM with its place in the pipeline, its stack and registers, as lines of text. */
void sm_print_warps(const struct sm *m, struct fl_buf *out);

#endif
