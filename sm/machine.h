/* machine.h -- the C model of a G80-style streaming multiprocessor (SM), cycle-exact.
 *
 *   image    what never changes while a job runs (image.h)
 *   sm       one machine: a flat state (state.h: registers, stacks, pipeline ...), copy-on-write
 *            pages of memory, and the faults it carries. A copy is a checkpoint.
 *
 * Walk of a run: sm_new() puts a machine at cycle 0 of the job; sm_run() lets it work up to a
 * cycle; every tick of the pipeline commits at most one warp instruction in its Write-back cycle,
 * where all its effects happen at once. With `record` set, each tick describes what it did in a
 * struct sm_commit (commit.h).
 *
 * A faulty machine may do anything; this code may not: every odd value ends as a named trap.
 */
#ifndef SM_MACHINE_H
#define SM_MACHINE_H

#include "commit.h"
#include "image.h"
#include "state.h"

struct sm_mem { /* copy-on-write pages */
    uint32_t npages;
    const uint8_t **page; /* current contents of each page */
    uint8_t *own;         /* npages * SM_PAGE, private; page[i] == own + i * SM_PAGE once written */
    uint32_t *dirty;      /* numbers of the private pages */
    uint32_t ndirty;
};

/* A cell held at a value (stuck-at), or during a window of cycles (intermittent). */
struct sm_force {
    uint32_t offset; /* byte offset of the cell's 1, 2 or 4 bytes in struct sm_state */
    uint8_t width;   /* in bytes */
    uint32_t mask, value;
};

enum { SM_MAX_FORCES = 64 };

/* Worked out again and again, so kept with what it was worked out from: an entry counts only while
 * that is unchanged, and is no state. */
struct sm_pattern {        /* what the addresses in an address register have in common */
    uint16_t a[SM_LANES];  /* the register's contents ... */
    uint32_t exec;         /* ... and the lanes that count; 0: empty entry */
    uint16_t at[SM_LANES]; /* contents; lanes outside exec like the first lane inside */
    uint8_t shape;         /* how they lie: enum pattern_shape */
    uint32_t last;   /* last byte that is accessed, beyond all memory when one is misaligned */
    uint32_t cycles; /* that bank conflicts of 32-bit accesses cost */
};

struct sm_altered; /* instructions that differ from the code, decoded: decode.c */

/* Stands in for the arithmetic of some lanes, as gates with a fault do: is told what an arithmetic
 * instruction (UNIT_ALU) reads and what the C arithmetic made of it, and may change d and flags of
 * its lanes. Arrays as in sm/arith/alu.h, all three operands there; `cc`: of $c<cc_src>, whether
 * the instruction wants it or not, as the lane's port has it; flags NULL: nobody wants them. Lanes
 * outside `exec` do not count. It must change nothing else. */
struct sm_lane_hook {
    void (*compute)(void *context, const struct isa_insn *in, uint32_t exec, const uint32_t *a,
                    const uint32_t *b, const uint32_t *c, const uint8_t *cc, uint32_t *d,
                    uint8_t *flags);
    void *context;
};

/* The same for the RTL, where it stands in for the lane of one SP and answers in every cycle. `seen`: what
 * stands at the lane's inputs, a bit each (port_seen_o of rtl/sm_execute.sv); d and flags: the lane's own
 * result, to be changed. */
struct sm_lane_port {
    void (*answer)(void *context, const uint64_t seen[3], uint32_t *d, uint8_t *flags);
    void *context;
};

struct sm {
    const struct sm_image *img;
    const struct sm_kernel *kernel; /* of the launch that is running; follows s.launch */
    struct sm_commit *record;       /* not NULL: filled in by every tick */
    uint64_t stop; /* no shortcut through time passes this cycle: a fault may come */
    /* not NULL: asked how long a warp's memory instruction takes; `cost`: what its addresses say,
     * in further cycles of Execute or in transactions */
    uint32_t (*pace)(void *context, int warp, uint32_t cost);
    void *pace_context;
    const struct sm_lane_hook *lanes; /* NULL: the lanes are as they should be */
    int nforces;
    struct sm_force force[SM_MAX_FORCES];
    struct sm_pattern pattern[SM_MAX_WARPS][5];
    struct sm_altered *altered; /* NULL, or [SM_MAX_WARPS] */
    struct sm_mem mem;
    struct sm_state s;
};

enum { SM_GAVE_UP = 2 }; /* the host has: a repeat has reached its limit */

struct sm *sm_new(const struct sm_image *img); /* at cycle 0 of the job */
void sm_free(struct sm *m);

/* Ended for good: finished, trapped or deadlocked. */
static inline bool sm_ended(const struct sm *m)
{
    return m->s.done | m->s.trap | m->s.deadlock;
}

void sm_tick(struct sm *m); /* one slot of the pipeline; nothing when ended */
void sm_run(struct sm *m,
            uint64_t cycle); /* all effects of cycles below `cycle` have happened, or ended */
/* Ticks while the current slot ends by `cycle`, `slots` at most. */
void sm_run_slots(struct sm *m, uint64_t cycle, uint64_t slots);
void sm_step(struct sm *m);             /* to the next commit (record->kind set), or ended */
uint64_t sm_cycles(const struct sm *m); /* cycles of an ended job; else the cycle that comes next */

/* With the memory as it is when the launch has ended. */
uint32_t sm_next_launch(const struct sm_image *img, const struct sm_mem *mem, uint32_t launch);

void sm_add_force(struct sm *m, const struct sm_force *f); /* from now on; at most SM_MAX_FORCES */

/* Copies machine state; both machines must be of one image. Faults, lanes and record stay as they
 * are in `to`. */
void sm_copy(struct sm *to, const struct sm *from);

/* Whether the job can ever use the word at this offset (struct sm_force): copies and comparisons
 * leave out what it cannot, and the fault-free machine has 0 there. */
bool sm_uses(const struct sm_image *img, uint32_t offset);

/* Everything but time equal (recurrence), or everything (same = true: two machines in the same
 * cycle). */
bool sm_same(const struct sm *a, const struct sm *b); /* states, absolute time included */
bool sm_recurs(const struct sm *a,
               const struct sm *b); /* states, time taken relative; right after a tick of each */
bool sm_same_control(const struct sm *a,
                     const struct sm *b); /* like sm_same without registers, flags, $a, memories */
/* The same, but for the bits of `cell` in which a held one may differ. */
bool sm_same_control_but(const struct sm *a, const struct sm *b, const struct sm_force *cell);
bool sm_same_living(
    const struct sm *a,
    const struct sm *b); /* sm_same_control without what nobody can read any more: stack
                                            entries above the pointer, warp slots without threads */
uint64_t sm_hash(const struct sm *m); /* of what sm_same compares */

/* Bytes of global memory; the range must lie inside a buffer. */
void sm_read_global(const struct sm *m, uint32_t addr, void *out, uint32_t size);
void sm_outputs_digest(const struct sm *m, uint8_t digest[32]);
bool sm_outputs_equal(const struct sm *a, const struct sm *b);

/* What is in the pipeline, and each warp with its stack and registers, as lines of text. */
void sm_state_print(const struct sm *m, struct fl_buf *out);

#endif
