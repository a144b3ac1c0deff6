/* structures.h -- the storage elements of structures.def and registers.def as data: names, geometry,
 * where a cell lies in the state.
 *
 * Units: an axis counts elements, a field counts bits. A cell is one bit of one field of one
 * element.
 */
#ifndef SM_STRUCTURES_H
#define SM_STRUCTURES_H

#include <assert.h>

#include "machine.h"

enum { SM_MAX_AXES = 3, SM_MAX_FIELDS = 56 };

/* Numbers of structures, SM_S_dstack ..., in the order of the rows: those of the C model, and behind
 * them what the RTL alone has. */
enum sm_structure_number {
#define STRUCTURE(name, ...) SM_S_##name,
#define AXIS(...)
#define FIELD(...)
#include "structures.def"
    SM_STRUCTURES,
    SM_LAST_OF_MODEL = SM_STRUCTURES - 1,
#define STRUCTURE(name, ...) SM_S_##name,
#define AXIS(...)
#define FIELD(...)
#include "registers.def"
    SM_ALL_STRUCTURES
};

/* Those of a cache: its entries, then its lines. */
enum { SM_CACHE_STRUCTURES = SM_S_l1d };
static_assert(SM_S_l2_data == SM_CACHE_STRUCTURES + 2 * CACHES - 1, "each cache has two");

/* Its cells are in a cache, where one tick may write and read them more than once. */
static inline bool sm_is_cache(int structure)
{
    return structure >= SM_S_l1d && structure <= SM_S_l2_data;
}

/* gpuFI-4 injects nothing into caches for instructions: with its model they are there, and no site of
 * faults. */
static inline bool sm_is_left_out(const struct sm_image *img, int structure)
{
    return (structure == SM_S_l1i || structure == SM_S_l1i_data) &&
           img->caches.cache[CACHE_L1I].wrong;
}

/* All SMs of a chip share it. */
bool sm_is_of_chip(int structure);

/* Numbers of fields in their structure: SM_FIELD(dstack, spc). */
enum sm_field_number {
#define STRUCTURE(name, ...) SM_AT_##name, SM_BEFORE_##name = SM_AT_##name - 1,
#define AXIS(...)
#define FIELD(name, field, ...) SM_AT_##name##_##field,
#include "structures.def"
};
#define SM_FIELD(structure, field) ((int)SM_AT_##structure##_##field - (int)SM_AT_##structure)

/* What the rows of structures.def say of a structure: see there. */
enum sm_owner {
    OWNER_MACHINE,
    OWNER_WARP,
    OWNER_BLOCK,
    OWNER_REGISTERS,
    OWNER_SHARED,
    OWNER_LOCAL
};
enum sm_lanes { LANES_NONE, LANES_BITS, LANES_WORDS, LANES_ROWS };
enum sm_moment { READ_UNREPORTED, READ_IN_STAGES, READ_IN_COMMIT };

struct sm_axis {
    const char *name; /* letters in an id: "w", "le" */
    int count, first; /* numbers first .. first + count - 1 */
};

struct sm_field {
    const char *name; /* letters in an id: "tm" */
    int bits;
    int width; /* bytes of the word that holds it in struct sm_state; 0: in the RTL alone */
    const char *rtl;
};

struct sm_structure {
    const char *name, *text;
    enum sm_owner owner;
    enum sm_lanes lanes;
    int places; /* SMs that have one: all, or sm0 alone what belongs to the chip */
    int naxes, nfields;
    struct sm_axis axis[SM_MAX_AXES];
    struct sm_field field[SM_MAX_FIELDS];
};

/* One cell; index[] counts from 0 in each axis. Members in the order in which cells are listed. */
struct sm_cell {
    int place; /* number of the SM */
    int structure, index[SM_MAX_AXES], field, bit;
};

/* Name and, unless `text` is NULL, what it is: without an image. */
const char *sm_structure_name(int i, const char **text);
/* When it is read, likewise; cells of the RTL alone are not reported. */
enum sm_moment sm_read_moment(int i);
/* The letters of its fields in an id, or of its axes, also without one; how many. */
int sm_structure_letters(int i, bool of_axes, const char *out[SM_MAX_FIELDS]);
/* Geometry under an image's profile. `i` in 0 .. SM_ALL_STRUCTURES - 1. */
void sm_structure_get(const struct sm_image *img, int i, struct sm_structure *out);
int sm_structure_find(const struct sm_image *img,
                      const char *name);              /* -1 when there is none of that name */
long sm_structure_bits(const struct sm_structure *s); /* all cells of an SM */

/* Offsets from here on are offsets in the memory pages. */
#define SM_IN_PAGES(offset) (sizeof(struct sm_state) + (offset))

/* Where a cell of the C model lies: its word in struct sm_state; the mask has the one bit of the
 * cell. */
struct sm_force sm_cell_force(const struct sm_image *img, const struct sm_cell *cell, int value);
/* The word of it, all bits. */
uint32_t sm_word_read(const struct sm *m, const struct sm_force *at);
int sm_cell_read(const struct sm *m, const struct sm_cell *cell);
void sm_cell_flip(struct sm *m, const struct sm_cell *cell);

#endif
