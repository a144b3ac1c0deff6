/* reference.h -- the fault-free run of an engine: what the run of every faulty machine is held
 * against.
 *
 * Engine c has the record of the C model (golden.h), made once for each job. Another engine runs
 * the job itself, so that what is pruned is pruned by its own trace, never by that of the C model.
 *
 * Read-only once made: any number of threads share one.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "faultsim/machine/engine.h"
#include "faultsim/record/golden.h"
#include "detect.h"

struct segments;

struct reference {
    const struct engine *engine;
    const struct sm_image *img;
    uint64_t cycles;         /* G: of the whole job */
    struct outputs *outputs; /* of the record */
    /* only detection is asked for, of faults that end runs as they may; NULL: the outcome */
    struct detection *detection;
    uint32_t skip; /* rungs of the ladder that are left out, a bit each (verdict.h) */
    int ncheckpoints;
    struct dut **checkpoint; /* machines on the way in time order, [0] at cycle 0 */
    /* the record that this was taken from, with shortcuts for engine c alone; else NULL */
    const struct golden *golden;
    /* flips of registers that have been followed through segments of its flow, where that is too large; or NULL */
    const struct segments *followed;
    /* when permanent faults act, by the record: facts of the fault-free run, whatever the engine */
    const struct activations *activations;
    const struct excitations *excitations;
    const struct activations *committed; /* the same by the commits of the engine's own run */
    /* of a run of its own: what is behind `committed`, and the machine at its end */
    struct activations *own;
    struct dut *ended;
};

/* For engine c from the record; for others by a run, which is refused when there is no machine for
 * the image or when it ends otherwise than the record says. */
struct reference *reference_new(const struct engine *e, const struct golden *g, struct fl_err *err);
/* By a run on any engine, c too, and so without shortcuts. */
struct reference *reference_run(const struct engine *e, const struct golden *g, struct fl_err *err);
struct reference *reference_of(const struct golden *g);
void reference_free(struct reference *ref);

/* From now on runs end when it is known whether the fault is detected. */
void reference_detect(struct reference *ref);

/* Brings `m` to the start of `cycle` in the fault-free run: from where it is, or from a
 * checkpoint. */
void reference_seek(const struct reference *ref, struct dut *m, uint64_t cycle);

#endif
