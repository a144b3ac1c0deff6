/* random_caches.h -- caches of any shape for a machine. */
#ifndef RANDOM_CACHES_H
#define RANDOM_CACHES_H

#include "sm/job/profile.h"

/* One or some, each with any shape. */
void random_caches(uint64_t *seed, struct profile *p);

#endif
