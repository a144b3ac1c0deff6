/* structures.c -- turns the rows of structures.def and registers.def into geometry and addresses of
 * cells. */
#include "structures.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "internal.h"
#include "sm/job/widths.h"

const char *sm_structure_name(int i, const char **text)
{
    static const char *const all[SM_ALL_STRUCTURES][2] = {
#define STRUCTURE(name, text, ...) {#name, text},
#define AXIS(...)
#define FIELD(...)
#include "structures.def"
#define STRUCTURE(name, text, ...) {#name, text},
#define AXIS(...)
#define FIELD(...)
#include "registers.def"
    };
    if (text)
        *text = all[i][1];
    return all[i][0];
}

enum sm_moment sm_read_moment(int i)
{
    enum { UNREPORTED = READ_UNREPORTED, STAGES = READ_IN_STAGES, COMMIT = READ_IN_COMMIT };
    static const uint8_t all[SM_ALL_STRUCTURES] = {
#define STRUCTURE(name, text, owner, lanes, moment) moment,
#define AXIS(...)
#define FIELD(...)
#include "structures.def"
    };
    return (enum sm_moment)all[i];
}

int sm_structure_letters(int i, bool of_axes, const char *out[SM_MAX_FIELDS])
{
    int n = 0;
    memset(out, 0, SM_MAX_FIELDS * sizeof *out);
#define LETTERS(wanted, name, letters)                                                             \
    if ((wanted) && i == SM_S_##name)                                                              \
        out[n++] = letters;
#define STRUCTURE(...)
#define AXIS(name, letters, ...)     LETTERS(of_axes, name, letters)
#define FIELD(name, f, letters, ...) LETTERS(!of_axes, name, letters)
#include "structures.def"
#define STRUCTURE(...)
#define AXIS(name, letters, ...)     LETTERS(of_axes, name, letters)
#define FIELD(name, f, letters, ...) LETTERS(!of_axes, name, letters)
#include "registers.def"
    return n;
}

/* A register that holds 0..n. */
static int bits_to_count(int n)
{
    int bits = 1;
    while (n >> bits)
        bits++;
    return bits;
}

/* Of caches: what gpuFI-4's have not got, which for instructions is all; the bits of a tag. */
#define CACHE_SETS(c)                                                                              \
    (sm_is_left_out(img, SM_CACHE_STRUCTURES + 2 * (c)) ? 0 : img->caches.cache[c].sets)
#define CACHE_REAL(c, bits)                                                                        \
    (img->caches.cache[c].sets > 0 && !img->caches.cache[c].wrong ? (int)(bits) : 0)
#define CACHE_TAG_BITS(c) (int)(img->caches.cache[c].wrong ? 32 : img->caches.cache[c].tag_bits)
#define CACHE_HIGH_BITS(c)                                                                         \
    (img->caches.cache[c].wrong ? (int)img->caches.cache[c].wrong_bits - 32 : 0)

/* The rows of each structure are a block of their own: one is worked out. */
#define GET_STRUCTURE(n, t, o, l, ...)                                                             \
    break;                                                                                         \
    case SM_S_##n:                                                                                 \
        out->name = #n;                                                                            \
        out->text = t;                                                                             \
        out->owner = OWNER_##o;                                                                    \
        out->lanes = LANES_##l;
#define GET_AXIS(n, letters, c, f) out->axis[out->naxes++] = (struct sm_axis){letters, (int)(c), f};
#define GET_FIELD(n, f, letters, b, off, w, path)                                                  \
    if ((b) > 0)                                                                                   \
        out->field[out->nfields++] = (struct sm_field){letters, b, w, path};

bool sm_is_of_chip(int i)
{
    return i == SM_S_const || i == SM_S_l2 || i == SM_S_l2_data || i == SM_S_chip;
}

void sm_structure_get(const struct sm_image *img, int i, struct sm_structure *out)
{
    memset(out, 0, offsetof(struct sm_structure, field)); /* of its fields those that it has */
#define STRUCTURE GET_STRUCTURE
#define AXIS      GET_AXIS
#define FIELD     GET_FIELD
    switch (i) {
    default:
#include "structures.def"
#define STRUCTURE GET_STRUCTURE
#define AXIS      GET_AXIS
#define FIELD     GET_FIELD
#include "registers.def"
    }
    out->places = sm_is_of_chip(i) ? 1 : img->sms;
}

int sm_structure_find(const struct sm_image *img, const char *name)
{
    (void)img;
    for (int i = 0; i < SM_ALL_STRUCTURES; i++)
        if (strcmp(sm_structure_name(i, NULL), name) == 0)
            return i;
    return -1;
}

long sm_structure_bits(const struct sm_structure *s)
{
    long elements = 1, bits = 0;
    for (int i = 0; i < s->naxes; i++)
        elements *= s->axis[i].count;
    for (int i = 0; i < s->nfields; i++)
        bits += s->field[i].bits;
    return elements * bits;
}

/* gpuFI-4's tags stand as what differs from those that were fetched. */
#define CACHE_TAG_CELL(c)                                                                          \
    (img->caches.cache[c].wrong                                                                    \
         ? SM_IN_PAGES(cache_wrong_at(&img->caches.cache[c], (int)sm, (uint32_t)a, (uint32_t)b))   \
         : CACHE_CELL(c, tag))
#define CACHE_HIGH_CELL(c)                                                                         \
    SM_IN_PAGES(cache_wrong_at(&img->caches.cache[c], (int)sm, (uint32_t)a, (uint32_t)b) + 4)
#define CACHE_CELL(c, member)                                                                      \
    SM_IN_PAGES(cache_entry_at(&img->caches.cache[c], (int)sm, (uint32_t)a, (uint32_t)b) +         \
                offsetof(struct cache_entry, member))
#define CACHE_WORD(c_)                                                                             \
    SM_IN_PAGES(cache_line_at(&img->caches.cache[c_], (int)sm, (uint32_t)a, (uint32_t)b) + 4 * c)

/* Its offset and width. */
static struct sm_force word_of(const struct sm_image *img, const struct sm_cell *cell)
{
    size_t a = (size_t)cell->index[0], b = (size_t)cell->index[1], c = (size_t)cell->index[2];
    size_t sm = (size_t)cell->place;
    struct sm_force found = {.width = 0};
    int field = 0;
    (void)a, (void)b, (void)c, (void)sm, (void)img;
#define STRUCTURE(...)
#define AXIS(...)
#define FIELD(n, f, letters, bits, off, w, path)                                                   \
    if (SM_S_##n == cell->structure && (int)(bits) > 0 && field++ == cell->field)                  \
        found = (struct sm_force){.offset = (uint32_t)(off), .width = w};
#include "structures.def"
    return found;
}

struct sm_force sm_cell_force(const struct sm_image *img, const struct sm_cell *cell, int value)
{
    assert(cell->structure < SM_STRUCTURES);
    struct sm_force word = word_of(img, cell);
    uint32_t mask = 1u << cell->bit;
    return (struct sm_force){.place = cell->place,
                             .chip = cell->structure == SM_S_l2 || cell->structure == SM_S_l2_data,
                             .offset = word.offset,
                             .width = word.width,
                             .mask = mask,
                             .value = value ? mask : 0};
}

uint32_t sm_word_read(const struct sm *m, const struct sm_force *at)
{
    uint32_t v = 0;
    const void *word = at->offset < sizeof(struct sm_state)
                           ? (const void *)((const char *)&m->s + at->offset)
                           : sm_memory_at(m->port.memory,
                                          at->offset - (uint32_t)sizeof(struct sm_state));
    memcpy(&v, word, at->width);
    if (in_ir(at->offset)) /* it stands there as a difference */
        v ^= sm_ir_word(m, (at->offset - (uint32_t)offsetof(struct sm_state, ir)) / 4);
    return v;
}

int sm_cell_read(const struct sm *m, const struct sm_cell *cell)
{
    struct sm_force at = sm_cell_force(m->img, cell, 0);
    return (int)(sm_word_read(m, &at) >> cell->bit & 1);
}

void sm_cell_flip(struct sm *m, const struct sm_cell *cell)
{
    struct sm_force w = word_of(m->img, cell);
    uint32_t v = 0;
    void *word = w.offset < sizeof(struct sm_state)
                     ? (void *)((char *)&m->s + w.offset)
                     : sm_memory_writable(m->port.memory,
                                          w.offset - (uint32_t)sizeof(struct sm_state));
    memcpy(&v, word, w.width);
    v ^= 1u << cell->bit;
    memcpy(word, &v, w.width);
}
