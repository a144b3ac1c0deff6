/* layout.h -- where the cells of a memory lie beside each other: the map that coupling faults and
 * faults of the address decoder need.
 *
 * A structure is an array of rows. An element takes a row, its fields from left to right, bit 0 of
 * each first; where lanes stand in rows, 32 elements do. Neighbours of a cell are the next ones to
 * the left and right in its row and the ones above and below it. Shared memory is one array for
 * each bank, so that the next row is the next word of the bank.
 *
 * Each lane of a row, and each bank, has an address decoder of its own: addresses that a fault of it
 * can confuse are those of one lane or bank.
 */
#ifndef FAULTS_LAYOUT_H
#define FAULTS_LAYOUT_H

#include "sm/gpu/access.h"

struct layout {
    struct sm_structure s;
    int structure;
    int elements, bits; /* bits: of an element */
    int lanes;          /* elements of a row */
    int banks;          /* arrays: row r lies in array r % banks */
};

/* Whether the structure is a memory: cells that are written and read by address. */
bool layout_is_memory(int structure);
struct layout layout_of(const struct sm_image *img, int structure);
struct sm_cell layout_cell(const struct layout *l, int place, int element, int bit);
int layout_element(const struct layout *l, const struct sm_cell *cell);
int layout_bit(const struct layout *l, const struct sm_cell *cell);

struct layout_place {
    int element, bit;
};
enum { LAYOUT_NEIGHBOURS = 4, LAYOUT_PARTNERS = 32 };
/* In ascending order; how many. */
int layout_neighbours(const struct layout *l, const struct sm_cell *cell,
                      struct layout_place out[LAYOUT_NEIGHBOURS]);
/* The elements whose address differs from this one's in one bit. */
int layout_partners(const struct layout *l, int element, struct layout_place out[LAYOUT_PARTNERS]);
/* The column of a cell: the bits of one array that share a sense amplifier. Its row in it for a
 * read or write of the column, else -1; how many rows there are; the cell of a row. */
int layout_column_row(const struct layout *l, const struct sm_cell *cell,
                      const struct sm_access *x);
int layout_rows(const struct layout *l);
struct sm_cell layout_column_cell(const struct layout *l, const struct sm_cell *cell, int row);
/* Cells of one array, addresses of one decoder. */
bool layout_same_array(const struct layout *l, int element, int other);
bool layout_same_decoder(const struct layout *l, int element, int other);

#endif
