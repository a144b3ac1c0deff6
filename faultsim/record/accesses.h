/* accesses.h -- when the fault-free run reads and writes every cell of structures.def: what transient
 * faults are pruned by.
 *
 * A unit is a word of a structure: a field of an element, or, where 32 lanes stand in a row
 * (register file, address registers), a whole row. The accesses of a unit, in the order in which
 * they happen, cut the cycles of each of its bits into groups: all flips of a bit between two
 * accesses are one and the same fault.
 *
 *      write 10      read 25         read 31          write 40
 *     ----|-------------|--------------|----------------|-----------> cycles
 *           11 .. 25        26 .. 31        32 .. 40        41 ..
 *           activated       activated       overwritten
 *
 * Which cycles count as read and written: sm/gpu/access.h.
 *
 * Invariants:
 *   T1  the accesses of a unit are in the order of their cycles, in one cycle reads before writes; what a cache reads
 *       of what it wrote in the same cycle is left out
 *   T2  an instruction accesses nothing behind its Write-back
 *   T3  the run slot by slot commits what the golden run commits: event n of the one is that of the other
 */
#ifndef ACCESSES_H
#define ACCESSES_H

#include "golden.h"

struct access {
    uint64_t cycle;
    uint32_t mask; /* bits of the word; in a structure by rows: lanes */
    /* index in accesses.site: who did it; SITE_NONE: a block's start or no instruction */
    uint32_t site;
    uint8_t write;
    uint8_t part;    /* by rows: which half of each lane's word */
    uint32_t writes; /* of the unit, number + 1 of the last write before this access; 0: none */
};

struct access_site { /* a committed instruction */
    uint32_t pc;
    uint16_t launch;
    uint8_t warp;
    uint8_t sm;
    uint16_t reg_base; /* physical register of $r0, lane 0 */
    uint16_t regs;
    uint32_t event; /* its number in golden.flow, where that is */
    uint64_t cycle; /* of its Write-back */
};
#define SITE_NONE UINT32_MAX

struct access_unit { /* its accesses are access[first .. first + count - 1] */
    uint32_t first, count;
};

struct access_structure {
    bool rows; /* units are rows of 32 words */
    uint32_t units;
    struct access_unit *unit;
    struct access *access;
};

struct accesses {
    const struct golden *g;
    struct access_structure *s; /* [SM_STRUCTURES] */
    struct access_site *site;
    uint32_t nsites;
    /* Until this cycle they fitted into the memory they may take, and none is kept; UINT64_MAX: all
     * are there that were wanted. */
    uint64_t fit;
};

void accesses_free(struct accesses *t);

/* Part of the record: access_filter.h. Sites are then those of accesses that were kept. */
struct access_watch { /* a cell that is flipped or held in the cycles from .. to */
    uint64_t from, to;
    int structure;
    struct sm_unit_place place;
};
struct access_wanted {
    bool window; /* all that flips in cycles [from, to) need; else the watches alone */
    uint64_t from, to;
    struct access_watch *watch; /* in any order; gets sorted */
    uint64_t nwatches;
};
/* A view of a run (run.h). `wanted` NULL: all; must live as long. Full once the accesses take more
 * than `max_bytes`. */
struct access_recorder;
struct access_recorder *access_recorder_new(const struct golden *g,
                                            const struct access_wanted *wanted, size_t max_bytes);
void access_recorder_tick(struct access_recorder *k, const struct sm_watch *w,
                          const struct sm_accesses *seen);
bool access_recorder_full(const struct access_recorder *k);
struct accesses *access_recorder_end(struct access_recorder *k);

/* The group of cycles around `cycle` in which flips of the cell are one fault. */
enum group_end { CLASS_READ, CLASS_WRITE, CLASS_NOTHING };
struct access_class {
    uint64_t from, to; /* cycles, both included */
    enum group_end end;
    uint32_t site; /* who reads or writes; SITE_NONE */
    /* of the value that flips; SITE_NONE: no instruction, or the record does not go back so far */
    uint32_t writer;
};
struct access_class access_class_at(const struct accesses *t, const struct sm_cell *cell,
                                    uint64_t cycle);

/* Walks over the groups of one bit of a unit (mask and part have one bit each): start with *at = 0,
 * cycle 0. False at the end of the job. */
struct access_walk {
    const struct access_structure *s;
    const struct access *access;
    uint32_t count, at;
    uint32_t mask;
    uint8_t part;
    uint32_t writer;
    uint64_t next, cycles;
};
void access_walk_start(struct access_walk *w, const struct accesses *t, int structure,
                       struct sm_unit_place place);
bool access_walk_next(struct access_walk *w, struct access_class *out);
/* On to the group in which `cycle` lies. */
void access_walk_seek(struct access_walk *w, uint64_t cycle);

#endif
