/* dissect.h -- what the wrong elements of a run look like (faultsim/faults/anatomy.h). */
#ifndef DISSECT_H
#define DISSECT_H

#include "faultsim/faults/anatomy.h"
#include "outputs.h"
#include "writers.h"

/* An element as outputs.c finds it. */
struct dissected {
    struct outputs_element e;
    bool unwritten;
    double by; /* NaN: it has no type */
};

/* `n` of them, more than none, by output and index. */
void dissect(const struct writers *w, const struct dissected *d, uint32_t n, struct anatomy *out);

#endif
