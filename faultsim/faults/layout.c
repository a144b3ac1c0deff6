/* layout.c -- rows, columns and neighbours. See layout.h. */
#include "layout.h"

bool layout_is_memory(int structure)
{
    switch (structure) {
    case SM_S_dstack:
    case SM_S_dsp:
    case SM_S_rf:
    case SM_S_cc:
    case SM_S_areg:
    case SM_S_shared:
    case SM_S_local:
    case SM_S_const:
    case SM_S_pc:
    case SM_S_mask:
    case SM_S_tstate: return true;
    default: return sm_is_cache(structure);
    }
}

struct layout layout_of(const struct sm_image *img, int structure)
{
    struct layout l = {.structure = structure, .elements = 1};
    sm_structure_get(img, structure, &l.s);
    for (int i = 0; i < l.s.naxes; i++)
        l.elements *= l.s.axis[i].count;
    for (int i = 0; i < l.s.nfields; i++)
        l.bits += l.s.field[i].bits;
    l.lanes = l.s.lanes == LANES_ROWS ? SM_LANES : 1;
    l.banks = structure == SM_S_shared ? img->profile.shared_banks : 1;
    return l;
}

struct sm_cell layout_cell(const struct layout *l, int place, int element, int bit)
{
    struct sm_cell c = {.place = place, .structure = l->structure};
    for (int i = l->s.naxes; i-- > 0; element /= l->s.axis[i].count)
        c.index[i] = element % l->s.axis[i].count;
    for (; bit >= l->s.field[c.field].bits; c.field++)
        bit -= l->s.field[c.field].bits;
    c.bit = bit;
    return c;
}

int layout_element(const struct layout *l, const struct sm_cell *cell)
{
    int n = 0;
    for (int i = 0; i < l->s.naxes; i++)
        n = n * l->s.axis[i].count + cell->index[i];
    return n;
}

int layout_bit(const struct layout *l, const struct sm_cell *cell)
{
    int n = cell->bit;
    for (int i = 0; i < cell->field; i++)
        n += l->s.field[i].bits;
    return n;
}

int layout_neighbours(const struct layout *l, const struct sm_cell *cell,
                      struct layout_place out[LAYOUT_NEIGHBOURS])
{
    int e = layout_element(l, cell), b = layout_bit(l, cell), n = 0;
    int row = e / l->lanes, column = e % l->lanes * l->bits + b, stride = l->banks * l->lanes;
    if (e >= stride)
        out[n++] = (struct layout_place){e - stride, b};
    if (column > 0)
        out[n++] = (struct layout_place){row * l->lanes + (column - 1) / l->bits,
                                         (column - 1) % l->bits};
    if (column + 1 < l->lanes * l->bits)
        out[n++] = (struct layout_place){row * l->lanes + (column + 1) / l->bits,
                                         (column + 1) % l->bits};
    if (e + stride < l->elements)
        out[n++] = (struct layout_place){e + stride, b};
    return n;
}

int layout_partners(const struct layout *l, int element, struct layout_place out[LAYOUT_PARTNERS])
{
    int stride = l->banks * l->lanes, row = element / stride, n = 0, top = 0;
    while ((l->elements - 1) / stride >> top)
        top++;
    for (int k = top; k-- > 0;) /* first those below, from the farthest on */
        if (row >> k & 1)
            out[n++] = (struct layout_place){element - (stride << k), 0};
    for (int k = 0; k < top; k++)
        if (!(row >> k & 1) && element + (stride << k) < l->elements)
            out[n++] = (struct layout_place){element + (stride << k), 0};
    return n;
}

bool layout_same_array(const struct layout *l, int element, int other)
{
    return element / l->lanes % l->banks == other / l->lanes % l->banks;
}

bool layout_same_decoder(const struct layout *l, int element, int other)
{
    return element % (l->lanes * l->banks) == other % (l->lanes * l->banks);
}

int layout_column_row(const struct layout *l, const struct sm_cell *cell, const struct sm_access *x)
{
    uint32_t fields = (uint32_t)l->s.nfields, units = sm_units(&l->s);
    uint32_t unit = x->unit - (uint32_t)cell->place * units;
    int element = layout_element(l, cell);
    if (x->structure != l->structure || unit >= units)
        return -1;
    if (l->lanes > 1)
        return (x->mask >> element % l->lanes & 1) &&
                       (x->part & (cell->bit < 16 ? ACCESS_LOW_HALF : ACCESS_HIGH_HALF))
                   ? (int)unit
                   : -1;
    int at = (int)(unit / fields);
    bool same = (int)(unit % fields) == cell->field && (x->mask >> cell->bit & 1) &&
                layout_same_array(l, at, element);
    return same ? at / l->banks : -1;
}

int layout_rows(const struct layout *l)
{
    return (l->elements + l->lanes * l->banks - 1) / (l->lanes * l->banks);
}

struct sm_cell layout_column_cell(const struct layout *l, const struct sm_cell *cell, int row)
{
    int stride = l->lanes * l->banks;
    return layout_cell(l, cell->place, row * stride + layout_element(l, cell) % stride,
                       layout_bit(l, cell));
}
