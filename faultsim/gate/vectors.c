/* vectors.c -- see vectors.h. */
#include "vectors.h"

#include <stdlib.h>
#include <string.h>

#include "base/fl.h"
#include "base/hash.h"
#include "base/random.h"

static bool same(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    uint32_t i = 0;
    while (i < words && a[i] == b[i])
        i++;
    return i == words;
}

/* Where it stands, or where it would. */
static uint32_t *slot_of(const struct vectors *s, const uint64_t *vector)
{
    uint64_t h = FL_HASH_START;
    for (uint32_t i = 0; i < s->words; i++)
        h = fl_hash(h, vector[i]);
    uint32_t at = (uint32_t)fl_random_mix(h) & (s->slots - 1);
    while (s->slot[at] && !same(vectors_at(s, s->slot[at] - 1), vector, s->words))
        at = (at + 1) & (s->slots - 1);
    return &s->slot[at];
}

int64_t vectors_find(const struct vectors *s, const uint64_t *vector)
{
    return s->slots ? (int64_t)*slot_of(s, vector) - 1 : -1;
}

uint32_t vectors_add(struct vectors *s, const uint64_t *vector, bool *isnew)
{
    if (2 * s->count >= s->slots) {
        s->slots = s->slots ? 2 * s->slots : 512;
        free(s->slot);
        s->slot = fl_alloc(s->slots * sizeof *s->slot);
        for (uint32_t i = 0; i < s->count; i++)
            *slot_of(s, vectors_at(s, i)) = i + 1;
    }
    uint32_t *slot = slot_of(s, vector);
    *isnew = !*slot;
    if (*isnew) {
        if (s->count == s->room) {
            s->room = s->room ? 2 * s->room : 256;
            s->word = fl_grow(s->word, (size_t)s->room * s->words, sizeof *s->word);
        }
        memcpy(&s->word[(size_t)s->count * s->words], vector, s->words * sizeof *vector);
        *slot = ++s->count;
    }
    return *slot - 1;
}

void vectors_empty(struct vectors *s)
{
    if (s->count)
        memset(s->slot, 0, s->slots * sizeof *s->slot);
    s->count = 0;
}

void vectors_free(struct vectors *s)
{
    free(s->word);
    free(s->slot);
    *s = (struct vectors){.words = s->words};
}
