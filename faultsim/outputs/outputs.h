/* outputs.h -- what the outputs of a job must be, and what a run that leaves others is: wrong, or
 * within what the job tolerates (docs/reference/job.md, <output>).
 *
 * Any number of threads may ask at once; the verdict on an output by a checker is remembered.
 */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "faultsim/faults/anatomy.h"
#include "sm/gpu/gpu.h"

struct outputs;
struct writers;

/* `end`: the fault-free machine at its end, which stays, as its writers do. Runs each checker on the right output: an
 * error when it cannot be run or finds that wrong. */
struct outputs *outputs_new(const struct gpu *end, const struct writers *writers,
                            struct fl_err *err);
void outputs_free(struct outputs *o);

struct outputs_word { /* of the memory pages */
    uint32_t number, value;
};

/* How the outputs of a run differ. */
struct outputs_verdict {
    bool differ, wrong; /* some byte does; outside of what is tolerated */
    /* the first wrong byte, else the first that differs; by a checker's output: its first that
     * differs */
    int output;
    uint32_t offset;
    uint32_t elements; /* that differ: words where no type is stated */
    /* of these, elements as they were before the first launch: the fault-free run has written them, this
     * one has not, or just that value */
    uint32_t unwritten;
    double worst; /* the largest difference, in the unit of the output's tolerance */
    /* of outputs of SMs that are compared with each other: what the comparison says of wrong ones */
    enum outputs_named { NAMED_NOTHING, NAMED_ODD, NAMED_ALIKE, NAMED_NO_HALF } named;
    int odd, odds; /* NAMED_ODD: the first output that is not like most, how many are not */
    /* the largest difference of elements that are not unwritten, as a share of the right value;
     * infinite where that is 0 or one of the two is no number; NaN as soon as an element differs whose
     * type nobody states */
    double by;
    struct anatomy anatomy; /* of the elements that differ, if any does */
    uint32_t kept;          /* see outputs_keep; 0: nothing is */
};

/* The words are all in which the memory of the run differs from that of the fault-free run, in any
 * order. */
void outputs_judge(struct outputs *o, const struct outputs_word *word, uint32_t n,
                   struct outputs_verdict *out);
/* Of a machine's memory at its end. */
void outputs_judge_memory(struct outputs *o, const struct sm_memory *memory,
                          struct outputs_verdict *out);

/* An element that differs: its bits, in the lowest ones. `index`: of an output without a type, of the words of memory that
 * it has bytes of. */
struct outputs_element {
    uint32_t index, right, wrong;
    uint16_t output;
};
/* From now on the elements of every run are kept, up to so many of them. Then none are, and outputs_too_many says so. */
void outputs_keep(struct outputs *o, uint64_t most);
bool outputs_too_many(struct outputs *o);
/* Of a verdict's `kept`; by output and index. They stay as long as the outputs do. */
const struct outputs_element *outputs_kept(struct outputs *o, uint32_t kept, uint32_t *count);
/* The bytes of an output that this run has left. Caller frees. */
uint8_t *outputs_left(struct outputs *o, uint32_t kept, int output);

/* The digest of all outputs in a memory of an image, as smrun prints it. */
void outputs_digest(const struct sm_image *img, const struct sm_memory *memory, uint8_t digest[32]);
/* Does any byte of an output count, and by itself? */
bool outputs_decides(const struct outputs *o, int output);
/* Its first byte that differs in this memory, which need not be that of an end. */
bool outputs_differ(const struct outputs *o, const struct sm_memory *memory, int output,
                    uint32_t *offset);

#endif
