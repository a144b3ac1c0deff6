/* memory.h -- what a memory with a fault holds: one step for each tick of the machine around it.
 *
 * A memory keeps what is written, and a fault changes that. Whoever carries the memory (a machine
 * with the fault, or an observer of the fault-free run) says after every tick which bits of the
 * words of the fault were written and what with; memory_tick() says what the cells hold then, and
 * memory_shows() what a read finds. One rule for every engine and for the fault-free run, so none of
 * them can have another idea of a fault.
 *
 * All writes of a tick happen at once; the fault acts behind them. Definitions: docs/explain/faults.md.
 */
#ifndef FAULTS_MEMORY_H
#define FAULTS_MEMORY_H

#include "fault.h"
#include "sm/gpu/access.h"

/* The fields of an element at most. */
enum { MEMORY_WORDS = SM_MAX_FIELDS };

/* Bits of a word that belong to the fault. */
struct memory_bits {
    uint32_t mask;
    uint32_t holds;   /* what the cells hold, whatever a read shows */
    uint32_t written; /* in this tick, */
    uint32_t value;   /* with this */
};

struct memory_place {
    struct sm_cell cell; /* the first one of its bits */
    struct sm_unit_place at;
    bool lane; /* its word is that of a lane in a row */
    struct sm_force word;
    uint32_t mask;
};

/* Where the bits of a fault stand: of the cell or row at fault, and of the aggressor or the other
 * row. The second are as many, or none. */
struct memory_places {
    int n, others;
    struct memory_place cell[MEMORY_WORDS], other[MEMORY_WORDS];
};
void memory_find(const struct sm_image *img, const struct fsim_fault *f, struct memory_places *out);

/* The bits of a place that an access takes. */
uint32_t memory_covered(const struct sm_access *x, int structure, const struct memory_place *p);

/* The fault comes to cells that hold what cell[] and other[], one for each place, say. Constant
 * memory was loaded with that before, by a host that wrote one word after the other over zeros. */
void memory_start(const struct fsim_fault *f, const struct memory_places *p,
                  struct memory_bits *cell, struct memory_bits *other);
void memory_tick(const struct fsim_fault *f, int n, struct memory_bits *cell,
                 struct memory_bits *other);
/* What a read of the cell or row finds in word i. */
uint32_t memory_shows(const struct fsim_fault *f, const struct memory_bits *cell,
                      const struct memory_bits *other);
/* The other row changes too; an aggressor does not. */
bool memory_both(const struct fsim_fault *f);
/* Written is told from changed: a write of what is there already matters. */
bool memory_sees_writes(const struct fsim_fault *f);

#endif
