/* machine.h -- one streaming multiprocessor (SM) of the chip, G80-style, cycle-exact.
 *
 * Walk of a run: gpu_new() of sm/gpu/gpu.h puts a chip at cycle 0 of its job; gpu_run() lets it work up
 * to a cycle. Every tick of an SM's pipeline commits at most one warp instruction in its Write-back
 * cycle, where all its effects happen at once. With `record` set, each tick describes what it did
 * in a struct sm_commit (commit.h).
 *
 * An SM knows nothing of the chip but its port: words of memory, a way to have requests answered,
 * blocks to run.
 *
 * A faulty machine may do anything; this code may not: every odd value ends as a named trap.
 */
#ifndef SM_MACHINE_H
#define SM_MACHINE_H

#include "commit.h"
#include "image.h"
#include "sm/memory/memory.h"
#include "state.h"

/* A cell held at a value (stuck-at), or during a window of cycles (intermittent). */
struct sm_force {
    int place;       /* number of the SM */
    bool chip;       /* it is in a cache of the chip, which all SMs write */
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

struct sm_hook;
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

/* The next block of the launch that is running. */
struct sm_order {
    uint32_t launch, block; /* index of the launch; number of the block in its grid */
};

/* What an SM has of the chip around it. */
struct sm_port {
    struct sm_memory *memory;   /* Write-back reads and writes its words */
    struct sm_channel *channel; /* takes requests behind Execute; of partitions: the first */
    struct cache_count *counts; /* of each cache: what went on in it; no state */
    int number;                 /* of the SM */
    void *chip;
    /* The block that this SM may start next; false: none is left for it. */
    bool (*next_block)(void *chip, int sm, struct sm_order *out);
    void (*take_block)(void *chip, int sm); /* it has started the one that next_block says */
    bool (*end_block)(void *chip, int sm,
                      uint32_t block); /* false: it was the last one of the job */
};

struct sm {
    const struct sm_image *img;
    struct sm_port port;
    const struct sm_kernel *kernel; /* of the launch whose blocks it runs; follows s.launch */
    struct sm_commit *record;       /* not NULL: filled in by every tick */
    /* not NULL: gets reports of reads and writes (hook.h); then there is a record too */
    struct sm_hook *hook;
    uint64_t stop; /* no shortcut through time passes this cycle: a fault may come */
    /* not NULL: asked how long a warp's memory instruction takes; `cost`: what its addresses say,
     * in further cycles of Execute or in transactions */
    uint32_t (*retime)(void *context, int warp, uint32_t cost);
    void *retime_context;
    /* not NULL: told of each word of global memory that an instruction is about to read or write */
    void (*global)(void *context, uint32_t word, bool write);
    void *global_context;
    /* not NULL: reads and writes words in place of all memories; as cached_access */
    void (*words)(void *context, const struct isa_operand *o, uint32_t exec,
                  const uint32_t at[SM_LANES], uint32_t words, uint32_t (*v)[SM_LANES], bool store);
    void *words_context;
    const struct sm_lane_hook *lanes; /* NULL: the lanes are as they should be */
    int nforces;
    struct sm_force force[SM_MAX_FORCES];
    struct sm_pattern pattern[SM_MAX_WARPS][5];
    struct sm_altered *altered; /* NULL, or [SM_MAX_WARPS] */
    struct sm_state s;
};

/* Puts an SM of zeros at cycle 0; takes away what it has allocated since. */
void sm_init(struct sm *m, const struct sm_image *img, const struct sm_port *port);
void sm_drop(struct sm *m);

/* Ended for good: its job is over, it has trapped, or none of its warps can go on. */
static inline bool sm_ended(const struct sm *m)
{
    return m->s.over | m->s.trap | m->s.deadlock;
}

void sm_tick(struct sm *m); /* one slot of the pipeline; nothing when ended */
/* Ticks while the current slot ends by `cycle`, `slots` at most. */
void sm_run_slots(struct sm *m, uint64_t cycle, uint64_t slots);
/* The same, up to a slot that may touch what it shares with other SMs: words of memory, blocks, and a channel
 * if it shares that. True when none of its warps can go on. */
bool sm_run_ahead(struct sm *m, uint64_t cycle, bool shares_channel);

/* The cache `c` of SM `sm`, or of the chip, at the end of a launch. It is this SM's slot. */
void sm_empty_cache(struct sm *m, int c, int sm);

/* The word of global memory that a load of this SM would find, through its caches, `at` bytes behind JOB_BASE. */
uint32_t sm_peek_global(const struct sm *m, uint32_t at);

void sm_add_force(struct sm *m, const struct sm_force *f); /* from now on; at most SM_MAX_FORCES */

/* Copies the state; both are of one image. Port, faults, lanes and record stay as they are in `to`. */
void sm_copy(struct sm *to, const struct sm *from);

/* Whether the job can ever use the word at this offset (struct sm_force): copies and comparisons
 * leave out what it cannot, and the fault-free machine has 0 there. */
bool sm_uses(const struct sm_image *img, uint32_t offset);

/* Two states without the words of memory: all of it; the same but for time, which is taken relative
 * to the current slot (right after a tick of each). */
bool sm_same(const struct sm *a, const struct sm *b);
bool sm_recurs(const struct sm *a, const struct sm *b);
uint64_t sm_hash(const struct sm *m, uint64_t h); /* of what sm_same compares, behind h */

#endif
