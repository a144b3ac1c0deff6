/* vectors.h -- sets of vectors: what stands at the inputs of a unit, each once, numbered in the order in which
 * they came.
 */
#ifndef FAULTSIM_GATE_VECTORS_H
#define FAULTSIM_GATE_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise all but `words`. */
struct vectors {
    uint32_t words; /* of 64 bits, of each */
    uint32_t count, room;
    uint64_t *word;        /* [count * words] */
    uint32_t *slot, slots; /* number + 1, or 0; slots is a power of two */
};
/* The number of a vector, or -1. */
int64_t vectors_find(const struct vectors *s, const uint64_t *vector);
/* The same; one that is not there is added. */
uint32_t vectors_add(struct vectors *s, const uint64_t *vector, bool *isnew);
void vectors_empty(struct vectors *s);
void vectors_free(struct vectors *s);

static inline const uint64_t *vectors_at(const struct vectors *s, uint32_t number)
{
    return &s->word[(size_t)number * s->words];
}

static inline bool vectors_bit(const uint64_t *vector, uint32_t bit)
{
    return vector[bit / 64] >> bit % 64 & 1;
}

#endif
