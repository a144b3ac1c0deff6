/* tally.h -- what became of transient faults, counted: for each launch and target of a job.
 *
 * Unit of all counts: method exact and ace count bit-cycles (a bit in a cycle is one possible
 * flip), methods sample and list count injections. The population is always bits x cycles; a list
 * has none.
 */
#ifndef TALLY_H
#define TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "faultsim/faults/anatomy.h"
#include "faultsim/faults/outcome.h"

/* How wrong the outputs of an sdc are, in two ways: how many elements differ, and by how much at
 * most, as a share of the right value. An element is what the job's output says (type=), else a
 * word of 32 bits, of which only the number is known. Nothing is known where the exit status of a
 * program, or a command of the user's, decides and no word differs. */
enum tally_extent {
    EXTENT_1,
    EXTENT_TO_10,
    EXTENT_TO_100,
    EXTENT_ABOVE_100,
    EXTENT_BY_1E_4, /* up to 0.0001 */
    EXTENT_BY_1E_2,
    EXTENT_BY_1,
    EXTENT_BY_MORE, /* also where the right value is 0, or one of the two is no number */
    EXTENT_BY_UNKNOWN,
    EXTENT_UNWRITTEN, /* all elements that differ are: no difference is told */
    /* By the commonest kind of its elements that are not unwritten, or by who wrote all of them (anatomy.h); none of it is
     * known of files of programs. */
    EXTENT_VALUE,
    EXTENT_VALUE_UNWRITTEN = EXTENT_VALUE + ANATOMY_VALUES,
    EXTENT_BITS, /* none, where all elements are unwritten */
    EXTENT_WRITERS = EXTENT_BITS + ANATOMY_BITS,
    EXTENT_COUNT = EXTENT_WRITERS + ANATOMY_WRITERS - 1
};

enum tally_method {
    METHOD_EXACT,
    METHOD_SAMPLE,
    METHOD_LIST, /* faults that the user chose: they stand for themselves, not for a population */
    METHOD_ACE,
    METHOD_COUNT
};

struct tally {
    uint64_t bits, cycles; /* of the target, of the kernel's launches */
    uint64_t population;   /* bits x cycles */
    uint64_t owned;        /* of these, bit-cycles that belonged to a resident block or warp */
    uint64_t warp_cycles;  /* cycles x warps with threads, of the kernel's launches */
    uint64_t counted;      /* sum of `outcome` */
    uint64_t outcome[OUT_COUNT];
    uint64_t reason[REASON_COUNT];
    /* of each sdc its number of elements and its size; stores of earlier formats have none */
    uint64_t extent[EXTENT_COUNT];
    /* flips counted that hit an owned bit, and those of them that failed; 0 when the engine did not
     * tell them apart: AVF_util is then AVF / occupancy */
    uint64_t owned_counted, owned_failed;
    uint64_t not_run;      /* sample: flips answered without a simulation, for any reason */
    uint64_t ace;          /* ace: bit-cycles that may matter */
    uint64_t groups, runs; /* groups of equal flips; machines run or lanes evaluated for them */
};

/* One row of a report. */
struct tally_row {
    const char *job, *kernel, *target, *engine; /* kernel "all" sums up */
    int launch;          /* of the job, from 0; -1: all launches of the kernel, or of the job */
    uint64_t run_cycles; /* of these launches, in a window of cycles or not */
    enum tally_method method;
    bool active_only;  /* drawn among owned bits: counts tell AVF_util, not the AVF */
    double confidence; /* of the interval of a sample: 0.95 */
    struct tally t;
};

void tally_add(struct tally *to, const struct tally *more); /* other cycles of the same target */
/* Adds the counts alone, from `counted` on: another piece of work on the same bits and cycles. */
void tally_count(struct tally *to, const struct tally *more);
/* Wrong outputs: elements, how many of them are unwritten, and by how much the others are off (NaN:
 * unknown; outputs.h), and what they look like. */
void tally_wrong(struct tally *t, uint32_t elements, uint32_t unwritten, double by,
                 const struct anatomy *a, uint64_t weight);
uint64_t tally_failed(const struct tally *t);  /* fsim_outcome_fails */
uint64_t tally_unowned(const struct tally *t); /* flips counted that no owner can read */

#endif
