/* internal.h -- the machines of a thread, and the shortcuts of engine c.
 *
 * A verdict needs a faulty machine that runs to its end: that works on every engine. The C model
 * can do better: `side` follows differences in data without a machine (side.c), and an SM without the
 * others of its chip. A worker has it when the reference is the record
 * of the C model, and nothing else asks which engine it is.
 */
#ifndef VERDICT_INTERNAL_H
#define VERDICT_INTERNAL_H

#include "alone.h"
#include "transient.h"
#include "variants.h"

struct side {
    const struct golden *g;
    struct runner *run;
    struct gpu *bad;    /* the runner's */
    struct gpu *golden; /* travels forward through the golden run */
    struct variants *variants;
    struct lone *lone; /* the faulty machine as one SM; NULL: none is ever alone */
    /* flips of the bits of a word of an L1 that is first read in this cycle: those that are known */
    struct {
        uint32_t unit, known;
        uint64_t first;
        struct fsim_result r[32];
    } cached;
};

struct fsim_worker {
    struct runner run;
    struct dut *healthy;   /* travels forward through the fault-free run; NULL beside `side` */
    struct reference *own; /* made with the worker, or NULL */
    struct side *side;     /* or NULL */
};

struct side *side_new(struct runner *run);
void side_free(struct side *s);
/* A transient or intermittent fault, of which `out` has what transient.c foresees; `at_read`: a single flip
 * in the cycle of its first read. */
void side_bring(struct side *s, const struct touches *t, const struct fsim_fault *u, bool at_read,
                struct transient_result *out);
/* The faulty one, without its SM's others where it can be: for a fault in these cells. True: it is alone, and goes
 * on by alone_to_end. */
bool side_seek_bad(struct side *s, const struct fsim_fault *f, uint64_t cycle);
/* The faulty one, as a whole. */
void side_seek_whole(struct side *s, uint64_t cycle);

/* r->bad has the fault to the end of the run, and no other. `latched`: see dut_carry. */
void permanent_inject(struct runner *r, const struct fsim_fault *f, int latched);

#endif
