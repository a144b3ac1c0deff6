/* hook.h -- the trace hook: the code that reads or writes a structure reports the access.
 *
 * An access is a word of a structure (a field of an element, or, where 32 lanes stand in a row, a
 * whole row), the bits or lanes of it that matter, and a cycle. An SM with a hook reports the
 * accesses of its instructions, of their further pops and of its own events (fetch, the start of a
 * block); the chip reports what the host reads between launches. Without a hook a report costs a
 * test of a pointer.
 *
 * A read's cycle is the last one whose flip it still sees: operands are taken at the end of Read,
 * words at the end of Fetch, constants at the end of Execute unless a cache has them, shared memory in the first cycle of
 * Write-back, the rest in its last cycle. A write's cycle is the last one whose flip it erases.
 * More reads than there are may be reported, never fewer. All accesses of an instruction are reported
 * in the tick of its Write-back, none of one that traps: the job ends there, and its addresses may be anything.
 */
#ifndef SM_HOOK_H
#define SM_HOOK_H

#include "structures.h"

enum { ACCESS_WHOLE = 3, ACCESS_LOW_HALF = 1, ACCESS_HIGH_HALF = 2 };

/* A unit (sm/gpu/access.h) is counted over all SMs of the chip: those of sm0, then those of sm1 ... */

/* Beside all structures: global memory, in 32-bit words from JOB_BASE on. */
enum { SM_S_global = SM_ALL_STRUCTURES, SM_PLACES };
_Static_assert(SM_PLACES <= 64, "struct sm_hook has a bit for each place");

/* The part of a register that one of its halves is, by the number of the half; the bits that a part
 * has. */
static inline uint8_t sm_half_part(uint32_t half)
{
    return half & 1 ? ACCESS_HIGH_HALF : ACCESS_LOW_HALF;
}

static inline uint32_t sm_part_bits(uint8_t part)
{
    return (part & ACCESS_LOW_HALF ? 0xffff : 0) | (part & ACCESS_HIGH_HALF ? 0xffff0000 : 0);
}

struct sm_access {
    uint64_t cycle;
    uint32_t unit; /* word, or row, of the structure */
    uint32_t mask; /* bits of the word; in a structure by rows: lanes */
    uint8_t structure;
    bool write;
    /* by rows: which half of each lane's word */
    uint8_t part;
    /* whether the instruction at hand does it; else the machine: a fetch, the start of a block */
    bool instruction;
};

struct sm_accesses { /* zero-initialise; free `access` */
    struct sm_access *access;
    uint32_t count, room;
};

struct sm_hook {
    uint64_t places; /* those that are listed, bits UINT64_C(1) << SM_S_... */
    bool timed;      /* the cycles below are kept */
    struct sm_accesses *out;
    uint32_t first[SM_PLACES]; /* unit of each structure that is the SM's first one */
    /* of the instruction each warp has in the pipeline: the cycles in which it left Fetch, Decode,
     * Read and Execute */
    uint64_t fetched[SM_MAX_WARPS], decoded[SM_MAX_WARPS], read[SM_MAX_WARPS],
        executed[SM_MAX_WARPS];
    sm_mask flying;       /* warps with an instruction behind Fetch */
    uint64_t cycle, slot; /* of the slot that ends: its last cycle, its first one */
    bool instruction;     /* one is at hand */
    bool popped, pushed;  /* by the instruction at hand */
};

static inline bool sm_hook_takes(const struct sm_hook *k, int place)
{
    return k->places >> place & 1;
}

/* Accesses are reported, which is rare. */
static inline bool sm_hooked(const struct sm *m)
{
    return __builtin_expect(m->hook != NULL, 0);
}

void sm_report(struct sm_hook *k, int place, uint32_t unit, uint64_t cycle, bool write,
               uint32_t mask, uint8_t part);

static inline void sm_report_word(struct sm_hook *k, int place, uint32_t unit, uint64_t cycle,
                                  bool write, uint32_t mask)
{
    sm_report(k, place, unit, cycle, write, mask, ACCESS_WHOLE);
}

/* Words of a byte-addressed structure that n bytes at `at` touch. */
void sm_report_bytes(struct sm_hook *k, int place, uint64_t at, uint32_t n, uint64_t cycle,
                     bool write);

/* A register of a warp, its $a, its $c. Registers that it has not got are not reported. */
void sm_report_row(struct sm *m, const struct sm_warp *w, uint32_t reg, uint64_t cycle, bool write,
                   uint32_t lanes, uint8_t part);
void sm_report_areg(struct sm *m, const struct sm_warp *w, uint32_t number, uint64_t cycle,
                    bool write, uint32_t lanes);
void sm_report_flags(struct sm *m, const struct sm_warp *w, uint32_t number, uint64_t cycle,
                     bool write, uint32_t lanes);
/* The arrivals at a barrier of a block. */
void sm_report_arrivals(struct sm *m, int block, uint32_t barrier, bool write);
/* PC, masks and thread states of the warp that has committed, `u` NULL: a further pop. */
void sm_report_control(struct sm *m, int warp, const struct sm_uop *u, uint32_t active);

/* The cycle in which the warp at Write-back took its operands. */
static inline uint64_t sm_read_cycle(const struct sm *m, const struct sm_warp *w)
{
    return m->hook->read[w - m->s.warp];
}

/* The warp whose instruction has taken the cell as an operand, or another one beside it, and has
 * had no effect yet: a flip at the start of `cycle`, where `m` stands, is not seen by it and waits
 * until it has left. Else NO_WARP. */
int sm_taken_by(struct sm *m, const struct sm_cell *cell, uint64_t cycle);

#endif
