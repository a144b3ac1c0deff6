/* timeline.h -- which block ran on which SM, and when: listened to while a job runs, then told as a
 * table and as a picture. */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "sm/gpu/gpu.h"

struct timeline_block {
    int sm;
    uint32_t launch, block;
    uint64_t start, end; /* cycles; UINT64_MAX: it did not end */
};

struct timeline { /* zero-initialise */
    struct gpu_log log;
    struct timeline_block *block; /* in the order in which they started */
    uint32_t count, room;
};

/* From here on; `g` must not outlive it. */
void timeline_listen(struct timeline *t, struct gpu *g);
void timeline_free(struct timeline *t);

/* A line for each SM: its blocks, its instructions, how much of the time it had a block, and how many of its warps
 * had threads then. */
void timeline_print(const struct timeline *t, const struct gpu *g, struct fl_buf *out);
/* A line for each partition of the memory: its transactions, and how much of the time it took them. */
void timeline_print_partitions(const struct gpu *g, struct fl_buf *out);
int timeline_write(const struct timeline *t, const struct gpu *g, const char *path,
                   struct fl_err *err);

#endif
