/* internal.h -- what the files of the chip share. */
#ifndef GPU_INTERNAL_H
#define GPU_INTERNAL_H

#include "gpu.h"

struct sm_port gpu_port(struct gpu *g); /* grid.c: what each of its SMs has of it */

#endif
