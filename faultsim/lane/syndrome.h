/* syndrome.h -- what a fault makes of results: which operations it hits, and how, exactly over the
 * vectors of the fault-free runs of some jobs.
 *
 * For an injector in software: with a fault of class C an operation gives another result in so many
 * of its uses, and then it is the right one with these bits flipped, set or cleared.
 */
#ifndef FAULTSIM_LANE_SYNDROME_H
#define FAULTSIM_LANE_SYNDROME_H

#include "lane.h"

/* The simplest rule that gives the wrong results of an operation from the right ones, for every
 * vector that was seen. */
enum syndrome_rule {
    SYNDROME_SET,   /* bad = good | bits, also where good has them: in every use */
    SYNDROME_CLEAR, /* bad = good & ~bits, in every use */
    SYNDROME_FLIP,  /* bad = good ^ bits, in some uses */
    SYNDROME_OTHER, /* several masks */
};

struct syndrome { /* of one fault and one operation */
    enum isa_op op;
    uint64_t vectors, uses; /* that were seen, with a result that an instruction takes */
    uint64_t wrong_vectors, wrong_uses; /* of these, with a wrong result */
    uint64_t up, down;                  /* bits that went from 0 to 1, from 1 to 0 in some result */
    uint64_t mask, mask_uses;           /* the commonest difference, and in how many uses */
    uint32_t masks;                     /* different ones */
    enum syndrome_rule rule;
};

/* Those of one fault, at most OP_COUNT; returns how many. */
int syndrome_of(const struct trace *t, uint32_t fault, struct syndrome *out);

/* The head of the CSV. */
#define SYNDROME_HEAD                                                                              \
    "id,operation,vectors,uses,wrong_vectors,wrong_uses,d_up,d_down,flags_up,flags_down,masks,"    \
    "mask_d,mask_flags,mask_uses,rule\n"

/* Of all faults of the trace's unit: a line for each fault and each operation that it hits, as CSV
 * after docs/reference/exports-gates.md; and what they have in common, a row an operation. */
void syndrome_report(const struct trace *t, int threads, struct fl_buf *csv, struct fl_buf *table);

#endif
