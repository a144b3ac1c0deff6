/* structures.c -- turns the rows of structures.def into geometry and addresses of cells. */
#include "structures.h"

#include <string.h>

#include "internal.h"

const char *sm_structure_name(int i, const char **text)
{
    static const char *const all[SM_STRUCTURES][2] = {
#define STRUCTURE(name, text, ...) {#name, text},
#define AXIS(...)
#define FIELD(...)
#include "structures.def"
    };
    if (text)
        *text = all[i][1];
    return all[i][0];
}

/* A register that holds 0..n. */
static int bits_to_count(int n)
{
    int bits = 1;
    while (n >> bits)
        bits++;
    return bits;
}

void sm_structure_get(const struct sm_image *img, int i, struct sm_structure *out)
{
    *out = (struct sm_structure){0};
    /* the rows of each structure are a block of their own: one is worked out */
#define STRUCTURE(n, t, o, l)                                                                      \
    }                                                                                              \
    if (i == SM_S_##n) {                                                                           \
        out->name = #n;                                                                            \
        out->text = t;                                                                             \
        out->owner = OWNER_##o;                                                                    \
        out->lanes = LANES_##l;
#define AXIS(n, letters, c, f) out->axis[out->naxes++] = (struct sm_axis){letters, (int)(c), f};
#define FIELD(n, f, letters, b, off, w, path)                                                      \
    out->field[out->nfields++] = (struct sm_field){letters, b, w, path};
    if (i < 0) {
#include "structures.def"
    }
}

int sm_structure_find(const struct sm_image *img, const char *name)
{
    for (int i = 0; i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(img, i, &s);
        if (strcmp(s.name, name) == 0)
            return i;
    }
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

static size_t offset_of(const struct sm_image *img, const struct sm_cell *cell)
{
    size_t a = (size_t)cell->index[0], b = (size_t)cell->index[1], c = (size_t)cell->index[2];
    size_t found = 0;
    (void)a, (void)b, (void)c, (void)img;
#define STRUCTURE(...)
#define AXIS(...)
#define FIELD(n, f, letters, bits, off, w, path)                                                   \
    if (SM_S_##n == cell->structure && SM_FIELD(n, f) == cell->field)                              \
        found = off;
#include "structures.def"
    return found;
}

static int field_width(const struct sm_cell *cell)
{
    int found = 0;
#define STRUCTURE(...)
#define AXIS(...)
#define FIELD(n, f, letters, bits, off, w, path)                                                   \
    if (SM_S_##n == cell->structure && SM_FIELD(n, f) == cell->field)                              \
        found = w;
#include "structures.def"
    return found;
}

struct sm_force sm_cell_force(const struct sm_image *img, const struct sm_cell *cell, int value)
{
    uint32_t mask = 1u << cell->bit;
    return (struct sm_force){.offset = (uint32_t)offset_of(img, cell),
                             .width = (uint8_t)field_width(cell),
                             .mask = mask,
                             .value = value ? mask : 0};
}

int sm_cell_read(const struct sm *m, const struct sm_cell *cell)
{
    uint32_t v = 0, at = (uint32_t)offset_of(m->img, cell);
    const void *word = at < sizeof(struct sm_state)
                           ? (const void *)((const char *)&m->s + at)
                           : mem_at(&m->mem, at - (uint32_t)sizeof(struct sm_state));
    memcpy(&v, word, (size_t)field_width(cell));
    if (in_ir(at))
        v ^= ir_word(m, (uint32_t)cell->field);
    return (int)(v >> cell->bit & 1);
}

void sm_cell_flip(struct sm *m, const struct sm_cell *cell)
{
    uint32_t v = 0, at = (uint32_t)offset_of(m->img, cell);
    size_t width = (size_t)field_width(cell);
    void *word = at < sizeof(struct sm_state)
                     ? (void *)((char *)&m->s + at)
                     : mem_writable(&m->mem, at - (uint32_t)sizeof(struct sm_state));
    memcpy(&v, word, width);
    v ^= 1u << cell->bit;
    memcpy(word, &v, width);
}
