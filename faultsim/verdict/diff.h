/* diff.h -- follows a difference that lives only in data, without running the machine.
 *
 * When a faulty machine agrees with the golden one in all control state (masks, PCs, stacks, flags,
 * address registers, scheduler, pipeline) and differs only in register values or in words of global
 * memory, it executes the same instructions in the same cycles until one of them turns a differing
 * value into a decision or an address. So it is enough to evaluate again those instructions of the
 * golden run that read a differing register, with the faulty values. Whatever this cannot follow
 * exactly (a flag that comes out differently, an address, shared memory, a word that the program
 * loads or overwrites later) makes it give up, and the machine itself is run instead.
 */
#ifndef DIFF_H
#define DIFF_H

#include "faultsim/record/golden.h"

enum { DIFF_MAX_ROWS = 64 };

struct diff_row {
    uint32_t row;         /* physical register / 32 */
    uint32_t mask;        /* lanes that differ */
    uint32_t v[SM_LANES]; /* the faulty machine's contents, all lanes */
};

struct diff {
    int nrows;
    struct diff_row row[DIFF_MAX_ROWS];
    /* for every physical row: the first access in its chain that is not before the event at hand,
     * while `known` equals `epoch` */
    uint32_t *next, *known, epoch, start;
    struct outputs_word *word; /* sorted by nothing; each word at most once */
    uint32_t nwords, word_room;
    uint64_t evaluated; /* instructions evaluated again, for statistics */
};

/* Notes how `faulty` differs from `golden`, both before the effects of `cycle`. False when a
 * difference is not one of data, or cannot be followed: without the golden run's events, any at
 * all. */
bool diff_collect(struct diff *d, const struct golden *g, const struct gpu *faulty,
                  const struct gpu *good, uint64_t cycle);
/* The difference is one lane of one row, which a flip has changed before the instruction of cycle
 * `commit` read it. False when the golden run's events were not kept. */
bool diff_start(struct diff *d, const struct golden *g, uint64_t commit, uint32_t row, int lane,
                uint32_t flipped);
/* Carries a difference collected at some cycle on to the state before the effects of `stop`
 * (FSIM_NEVER: to the end). */
bool diff_follow(struct diff *d, const struct golden *g, uint64_t stop);
/* Puts the difference into a copy of the golden machine. */
void diff_apply(const struct diff *d, struct gpu *m);
void diff_free(struct diff *d);

#endif
