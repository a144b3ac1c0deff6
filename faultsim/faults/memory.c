/* memory.c -- the faults of memories, one step a tick. See memory.h. */
#include "memory.h"

#include "internal.h"

/* ---- where ----------------------------------------------------------------------------------- */

static struct memory_place place_of(const struct sm_image *img, const struct layout *l,
                                    const struct sm_cell *cell, uint32_t mask)
{
    return (struct memory_place){*cell, sm_unit_of(img, cell), l->lanes > 1,
                                 sm_cell_force(img, cell, 0), mask};
}

uint32_t memory_covered(const struct sm_access *x, int structure, const struct memory_place *p)
{
    if (x->structure != structure || x->unit != p->at.unit)
        return 0;
    if (!p->lane)
        return x->mask & p->mask;
    return x->mask & p->at.mask ? sm_part_bits(x->part) & p->mask : 0;
}

/* All fields of an element. */
static int element_places(const struct sm_image *img, const struct layout *l, int sm, int element,
                          struct memory_place out[MEMORY_WORDS])
{
    struct sm_cell c = layout_cell(l, sm, element, 0);
    for (c.field = 0; c.field < l->s.nfields; c.field++) {
        int bits = l->s.field[c.field].bits;
        out[c.field] = place_of(img, l, &c, bits == 32 ? ~0u : (1u << bits) - 1);
    }
    return l->s.nfields;
}

void memory_find(const struct sm_image *img, const struct fsim_fault *f, struct memory_places *out)
{
    struct layout l = layout_of(img, f->cell.structure);
    *out = (struct memory_places){.n = 1};
    bool pair = (fsim_row_of(f)->flags & PAIR) != 0;
    if (fsim_of_decoder(f)) {
        out->n = element_places(img, &l, f->cell.place, layout_element(&l, &f->cell), out->cell);
        if (pair)
            out->others = element_places(img, &l, f->cell.place, f->other, out->other);
        return;
    }
    out->cell[0] = place_of(img, &l, &f->cell, 1u << f->cell.bit);
    if (pair) {
        struct sm_cell other = layout_cell(&l, f->cell.place, f->other, f->other_bit);
        out->others = 1;
        out->other[0] = place_of(img, &l, &other, 1u << other.bit);
    }
}

bool memory_both(const struct fsim_fault *f)
{
    return f->kind == FSIM_AF_WRONG || f->kind == FSIM_AF_TWO;
}

bool memory_sees_writes(const struct fsim_fault *f)
{
    return f->kind == FSIM_AF_TWO;
}

/* ---- what ------------------------------------------------------------------------------------ */

static uint32_t after_write(const struct memory_bits *b)
{
    return ((b->holds & ~b->written) | (b->value & b->written)) & b->mask;
}

/* All bits of the mask have this value. */
static uint32_t all(const struct memory_bits *b, int value)
{
    return value ? b->mask : 0;
}

/* The aggressor acts, after the victim's own write. */
static void couple(const struct fsim_fault *f, struct memory_bits *cell, struct memory_bits *other)
{
    bool before = other->holds, now = after_write(other) != 0;
    cell->holds = after_write(cell);
    other->holds = after_write(other);
    if (now != f->when || (f->kind != FSIM_CFST && before == now))
        return;
    if (f->kind == FSIM_CFIN)
        cell->holds ^= cell->mask;
    else
        cell->holds = all(cell, f->value);
}

/* One row under two addresses. Of two writes in a tick the one that changes a bit counts. */
static void merge(struct memory_bits *x, struct memory_bits *y)
{
    uint32_t was = x->holds;
    x->holds = y->holds = (was ^ ((after_write(x) ^ was) | (after_write(y) ^ was))) & x->mask;
}

/* What is written to x goes into y too, unless y is written in the same tick. */
static void spread(struct memory_bits *x, struct memory_bits *y)
{
    x->holds = after_write(x);
    y->holds = (y->holds & ~x->written) | (x->value & x->written & y->mask);
    y->holds = after_write(y);
}

static void come(const struct fsim_fault *f, int n, struct memory_bits *cell,
                 struct memory_bits *other)
{
    for (int i = 0; i < n; i++) {
        cell[i].written = other[i].written = 0;
        if (f->kind == FSIM_SA || f->kind == FSIM_AF_NONE)
            cell[i].holds = all(&cell[i], f->value);
    }
    if (f->kind == FSIM_CFST)
        couple(f, cell, other);
}

static void load(const struct fsim_fault *f, const struct memory_places *p,
                 struct memory_bits *cell, struct memory_bits *other)
{
    uint32_t at = p->cell->at.unit, other_at = p->others ? p->other->at.unit : at;
    cell->value = cell->holds;
    other->value = other->holds;
    cell->holds = other->holds = 0;
    come(f, 1, cell, other);
    for (uint32_t word = at < other_at ? at : other_at;; word = at < other_at ? other_at : at) {
        cell->written = word == at ? cell->mask : 0;
        other->written = word == other_at ? other->mask : 0;
        memory_tick(f, 1, cell, other);
        if (word == (at > other_at ? at : other_at))
            break;
    }
}

void memory_start(const struct fsim_fault *f, const struct memory_places *p,
                  struct memory_bits *cell, struct memory_bits *other)
{
    if (f->cell.structure == SM_S_const)
        load(f, p, cell, other);
    else
        come(f, p->n, cell, other);
}

void memory_tick(const struct fsim_fault *f, int n, struct memory_bits *cell,
                 struct memory_bits *other)
{
    for (int i = 0; i < n; i++) {
        struct memory_bits *x = &cell[i], *y = &other[i];
        switch ((enum fsim_kind)f->kind) {
        case FSIM_TF:
            if (x->holds != all(x, f->value))
                x->holds = after_write(x);
            break;
        case FSIM_CFIN:
        case FSIM_CFID:
        case FSIM_CFST: couple(f, x, y); break;
        case FSIM_AF_WRONG: merge(x, y); break;
        case FSIM_AF_TWO: spread(x, y); break;
        default: break; /* no write reaches the cell */
        }
    }
}

uint32_t memory_shows(const struct fsim_fault *f, const struct memory_bits *cell,
                      const struct memory_bits *other)
{
    if (f->kind != FSIM_AF_TWO)
        return cell->holds;
    return f->value ? cell->holds | other->holds : cell->holds & other->holds;
}
