/* random.h -- splitmix64 (Steele, Lea, Flood 2014): short, good enough for test data and samples,
 * the same everywhere. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

/* A bijection in which every bit of the input reaches every bit of the output. */
static inline uint64_t fl_random_mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The next of a sequence; any state will do as a seed. */
#define FL_RANDOM_STEP 0x9e3779b97f4a7c15u
static inline uint64_t fl_random(uint64_t *state)
{
    return fl_random_mix(*state += FL_RANDOM_STEP);
}

#endif
