/* engine.h -- one interface to whatever runs a job with faults in it.
 *
 * An engine makes machines of its kind: each is a `dut`, a device under test. It runs, is copied
 * and compared; its cells are flipped and held. What becomes of a fault is decided above
 * (faultsim/verdict), once for all engines; nothing here knows what a fault is simulated for, nor
 * which one need not be.
 *
 *     const struct engine *e = engine_find("rtl", &err);
 *     struct dut *m = e->make(img, &err);
 *     dut_run(m, 1834);
 *     dut_flip(m, &cell);          // a flip at the start of cycle 1834
 *
 * A further engine is a file beside c.c that fills in the table, and its line in engine.c.
 * tests/faultsim/test_engine.c holds all of them to the same rules.
 */
#ifndef ENGINE_H
#define ENGINE_H

#include "faultsim/faults/memory.h"
#include "sm/pins/pins.h"

/* What every engine's own struct begins with. */
struct dut {
    const struct engine *engine;
};

/* How a run stands: all that its end is judged by. */
struct dut_end {
    enum { DUT_RUNS, DUT_DONE, DUT_GAVE_UP, DUT_TRAPPED, DUT_DEADLOCKED } how;
    enum sm_trap trap;
    uint32_t trap_pc;
    uint64_t cycles;                /* as of `cycle` */
    uint32_t launch;                /* that runs, or ran last */
    const struct sm_memory *memory; /* with the outputs; valid until the machine changes */
};

struct engine {
    /* "c", "rtl": what --engine takes */
    const char *name;
    /* "C model", "RTL": for messages */
    const char *text;
    /* A machine at cycle 0 of the job; NULL: see err. */
    struct dut *(*make)(const struct sm_image *img, struct fl_err *err);
    void (*free)(struct dut *m);
    /* The state, and what is held; both machines are of one engine and one image. */
    void (*copy)(struct dut *to, const struct dut *from);

    /* The cycle whose effects come next; of a machine that has ended, how many cycles it took. */
    uint64_t (*cycle)(const struct dut *m);
    /* For good: finished, trapped or deadlocked. */
    bool (*ended)(const struct dut *m);
    /* Warp instructions committed. */
    uint64_t (*instructions)(const struct dut *m);
    /* To the start of `cycle`: all effects of cycles below have happened, or the machine has
     * ended. */
    void (*run)(struct dut *m, uint64_t cycle);
    /* The same to behind a tick, where states may recur: `far`, or just behind the next commit or
     * some. False: nothing committed. */
    bool (*advance)(struct dut *m, uint64_t cycle, bool far);
    /* The smallest step. `c`, unless NULL, is told what it did; make it all zeros before the
     * first. */
    void (*tick)(struct dut *m, struct sm_commit *c);

    /* All state equal, what is held left out. `relative`: times are taken relative, so that a state
     * that comes back later is equal; never when the program has read the clock in between. */
    bool (*same)(const struct dut *a, const struct dut *b, bool relative);
    struct dut_end (*end)(struct dut *m);

    /* The cells that a fault can change. */
    bool (*has)(const struct sm_image *img, const struct sm_cell *cell);
    int (*read)(struct dut *m, const struct sm_cell *cell);
    void (*flip)(struct dut *m, const struct sm_cell *cell);
    /* From now on the cell has this value whenever it is read. `for_good`: to the end of the run,
     * which may be had in a cheaper way. -1: no more can be held. */
    int (*hold)(struct dut *m, const struct sm_cell *cell, int value, bool for_good);
    /* From now on a memory has this fault, which is not stuck-at; it is the only one. It belongs to
     * the state that is copied and compared. `latched`: what the column of a stuck-open cell
     * returned last. */
    void (*carry)(struct dut *m, const struct fsim_fault *f, int latched);
    /* The faults of memories that it can carry. */
    bool (*carries)(const struct fsim_fault *f);
    /* In place of a unit of sm/pins/pins.h, the one of this number; one at a time. It stays with this
     * machine, whatever is copied into it, and must outlive it; NULL: the machine's own again. -1:
     * the engine has no such unit. */
    int (*replace_unit)(struct dut *m, const struct sm_pins *unit, int number,
                        const struct sm_override *by);
    /* The bits of a register, by the RTL's path, the lowest of the first byte first: for who stands in for what is
     * before it. NULL, or the answer NULL: the engine has no such register. */
    uint8_t *(*bits)(struct dut *m, const char *path, int *width);
    /* All of them; a cell that was not held for good keeps its value until it is written. */
    void (*release)(struct dut *m);
    /* As dut_inject, of an engine in which a change of a cell is not seen as hardware would see it;
     * NULL: as hardware does. */
    void (*bring)(struct dut *m, const struct fsim_fault *u);
};

/* The engine of a name; NULL: it is not there or not in this build, and err says so. */
const struct engine *engine_find(const char *name, struct fl_err *err);
/* The same with machines in which gates may stand in for units of the control (sm_control_pins), if there are. */
const struct engine *engine_gates(const struct engine *e);
/* -1: the structure has a field that is not in the engine. */
int engine_has(const struct engine *e, const struct sm_image *img, int structure,
               struct fl_err *err);
/* -1: it cannot carry one of the faults. */
int engine_carries(const struct engine *e, const struct sm_image *img, const struct fsim_list *list,
                   struct fl_err *err);

static inline void dut_free(struct dut *m)
{
    if (m)
        m->engine->free(m);
}

static inline void dut_copy(struct dut *to, const struct dut *from)
{
    to->engine->copy(to, from);
}

static inline uint64_t dut_cycle(const struct dut *m)
{
    return m->engine->cycle(m);
}

static inline bool dut_ended(const struct dut *m)
{
    return m->engine->ended(m);
}

static inline uint64_t dut_instructions(const struct dut *m)
{
    return m->engine->instructions(m);
}

static inline void dut_run(struct dut *m, uint64_t cycle)
{
    m->engine->run(m, cycle);
}

static inline bool dut_advance(struct dut *m, uint64_t cycle, bool far)
{
    return m->engine->advance(m, cycle, far);
}

static inline void dut_tick(struct dut *m, struct sm_commit *c)
{
    m->engine->tick(m, c);
}

static inline bool dut_same(const struct dut *a, const struct dut *b, bool relative)
{
    return a->engine->same(a, b, relative);
}

/* The state of m recurs after so many cycles: is a lock of shared memory held in all of these, in an SM whose warps go on?
 * The machine runs through them. */
bool dut_livelocked(struct dut *m, const struct sm_image *img, uint64_t period);

static inline struct dut_end dut_end(struct dut *m)
{
    return m->engine->end(m);
}

static inline int dut_read(struct dut *m, const struct sm_cell *cell)
{
    return m->engine->read(m, cell);
}

static inline void dut_flip(struct dut *m, const struct sm_cell *cell)
{
    m->engine->flip(m, cell);
}

static inline int dut_hold(struct dut *m, const struct sm_cell *cell, int value, bool for_good)
{
    return m->engine->hold(m, cell, value, for_good);
}

static inline void dut_carry(struct dut *m, const struct fsim_fault *f, int latched)
{
    m->engine->carry(m, f, latched);
}

static inline void dut_release(struct dut *m)
{
    m->engine->release(m);
}

/* Has it ended as the job states: done, or trapped so in its last launch? */
static inline bool dut_ended_rightly(const struct dut_end *e, const struct sm_image *img)
{
    return img->traps ? e->how == DUT_TRAPPED && img->traps >> e->trap & 1 &&
                            e->launch + 1 == (uint32_t)img->nlaunches
                      : e->how == DUT_DONE;
}

/* Runs to the start of cycle u->from and brings the fault about; an intermittent one is carried on
 * to its end. Returns with nothing pending, at a later cycle if it had to wait. What has no end is
 * still held then. Nothing else may be held. */
void dut_inject(struct dut *m, const struct fsim_fault *u);

/* For engines: the end of a run as a chip of the C model has it, in its grid, its SM and its memory. */
struct dut_end dut_end_of(const struct gpu *g, uint64_t cycles);

/* For engine.c alone: in a build without the RTL they are a name and nothing else. */
extern const struct engine engine_rtl, engine_rtl_gates;

/* ---- the C model ----------------------------------------------------------------------------- */

/* The engine that is always there. Its machines are open to those who know shortcuts through the C
 * model. */
extern const struct engine engine_c;
struct gpu *dut_gpu(const struct dut *m);
/* A machine of engine c that borrows `sm`: dut_free leaves it alone. */
struct dut *dut_of_gpu(struct gpu *gpu);

#endif
