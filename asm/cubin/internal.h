/* internal.h -- what the readers of cubin files share. */
#ifndef CUBIN_INT_H
#define CUBIN_INT_H

#include "cubin.h"

enum {
    CUBIN_MAX_BYTES = 1 << 16,    /* of a constant bank, shared or local memory */
    CUBIN_MAX_GLOBAL = 1 << 30,   /* of all __device__ variables together: what a job may have */
    CUBIN_MAX_VARIABLES = 1 << 10 /* more than a job takes */
};

/* The old text form; `text` ends with a zero byte. Adds to an empty cubin. */
int cubin_read_text(const char *path, const char *text, struct cubin *cubin, struct fl_err *err);

#endif
