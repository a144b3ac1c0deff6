/* cache_kernels.h -- kernels below 300 cycles that fill the caches of tiny-chip-caches. */
#ifndef CACHE_KERNELS_H
#define CACHE_KERNELS_H

/* Each thread reads two words and writes one; each reads one two times and writes it, 16 bytes apart; one
 * set; local memory; constants. */
extern const char cache_sums[], cache_again[], cache_one_set[], cache_in_local[], cache_constants[];

#endif
