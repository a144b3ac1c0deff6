/* sm.h -- the C model of a G80-style streaming multiprocessor (SM), cycle-exact.
 *
 *   image    what never changes while a job runs: profile, decoded code, launches, the map of
 *            global memory. Built once from a job, shared by any number of machines and threads.
 *   sm       one machine: a flat state (registers, stacks, pipeline ...), copy-on-write pages of
 *            memory, and the faults it carries. A copy is a checkpoint.
 *
 * Walk of a run: sm_new() puts a machine at cycle 0 of the job; sm_run() lets it work up to a
 * cycle; every tick of the pipeline commits at most one warp instruction in its Write-back cycle,
 * where all its effects happen at once. With `record` set, each tick describes what it did in a
 * struct sm_commit: traces, the golden run of a fault campaign and the lock-step comparison all
 * read that.
 *
 * A faulty machine may do anything; this code may not: every odd value ends as a named trap.
 */
#ifndef SM_H
#define SM_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "asm/isa/isa.h"
#include "sm/arith/alu.h"
#include "sm/job/job.h"
#include "sm/job/profile.h"

/* ---- traps ----------------------------------------------------------------------------------- */

#define SM_TRAPS(X)                                                                                \
    X(NONE, "no trap")                                                                             \
    X(FETCH_UNMAPPED, "fetch from an address that holds no code")                                  \
    X(FETCH_MISALIGNED, "a control target, or a two-word instruction, at 4 mod 8")                 \
    X(ILLEGAL_INSTRUCTION, "no instruction has this encoding")                                     \
    X(UNSUPPORTED_INSTRUCTION, "an instruction that Faultline knows but does not execute")         \
    X(TRAP_INSTRUCTION, "the program executed a trap or breakpoint instruction")                   \
    X(MISALIGNED_GLOBAL, "global address not a multiple of the access size")                       \
    X(MISALIGNED_SHARED, "shared address not a multiple of the access size")                       \
    X(MISALIGNED_LOCAL, "local address not a multiple of the access size")                         \
    X(MISALIGNED_CONST, "constant address not a multiple of the access size")                      \
    X(OUT_OF_BOUNDS_GLOBAL, "global access outside every buffer of the job")                       \
    X(OUT_OF_BOUNDS_SHARED, "shared access outside the block's shared memory")                     \
    X(OUT_OF_BOUNDS_LOCAL, "local access outside the kernel's local memory")                       \
    X(OUT_OF_BOUNDS_CONST, "constant access outside the bank")                                     \
    X(STACK_OVERFLOW, "push on a full divergence stack")                                           \
    X(STACK_UNDERFLOW, "join on an empty divergence stack")                                        \
    X(STACK_MISMATCH,                                                                              \
      "join that finds CALL or BREAK on top, or a warp that ends with broken threads")

enum sm_trap {
#define X(name, text) TRAP_##name,
    SM_TRAPS(X)
#undef X
        TRAP_COUNT
};
const char *sm_trap_name(enum sm_trap trap); /* "OUT_OF_BOUNDS_GLOBAL" */
const char *sm_trap_text(enum sm_trap trap);

/* ---- image: the constant part ---------------------------------------------------------------- */

/* How the model executes an instruction; chosen once, when code is decoded. */
enum sm_unit {
    UNIT_NONE, /* no such instruction: traps */
    UNIT_NOP,
    UNIT_ALU,
    UNIT_MOVE,
    UNIT_R2A,
    UNIT_A2R,
    UNIT_ADA,
    UNIT_C2R,
    UNIT_R2C,
    UNIT_S2R,
    UNIT_LOAD,
    UNIT_STORE,
    UNIT_BRA,
    UNIT_CAL,
    UNIT_RET,
    UNIT_SSY,
    UNIT_PBK,
    UNIT_BRK,
    UNIT_BAR,
    UNIT_TRAP,
    UNIT_UNSUPPORTED
};

struct sm;
struct sm_uop;
/* A shortcut: does the instruction for the lanes in `exec`, which are some; or does nothing and
 * returns false. The PC is that of the next instruction. */
typedef bool (*sm_quick_fn)(struct sm *m, int warp, const struct sm_uop *u, uint32_t exec);

struct sm_uop {
    struct isa_insn in;
    uint32_t lo, hi;
    sm_alu_fn alu;
    uint8_t unit; /* enum sm_unit */
    bool sfu;     /* takes profile.sfu_cycles in Execute */
    /* leaves the pipeline after Execute and waits for memory: global and local accesses */
    bool offchip;
    /* shared or constant operand through an address register: Execute may take longer */
    bool banked;
    uint8_t nsrc; /* sources that have an operand */
    bool postinc; /* adds to an address register afterwards */
    /* `memory` is a 32-bit word of shared memory through an address register: the common kind */
    bool word_shared;
    uint32_t cycles;                  /* in Execute, without those for bank conflicts */
    bool always;                      /* no predicate, no lane mask: all active lanes execute */
    const struct isa_operand *memory; /* the operand that decides how long, or NULL */
    uint32_t *imm[3];                 /* 32 lanes of each source that is an immediate, else NULL */
    /* shortcuts of quick.c */
    sm_quick_fn quick; /* or NULL */
    /* 32 lanes of each source that never changes: immediate, zeros; else NULL ... */
    const uint32_t *lanes[3];
    uint32_t row[3], dst_row; /* ... and the register's first lane counts from reg_base */
    uint8_t how[3];           /* how each source is had: enum source_kind in quick.c */
};

struct sm_code {
    uint32_t base, size;
    /* one for each 4 bytes; those inside an instruction are decoded too: a wild jump may go
     * there */
    struct sm_uop *uop;
};

/* one constant bank as the kernel sees it: bytes [offset, offset + size) of the memory pages */
struct sm_bank {
    uint32_t offset, size;
};

struct sm_kernel {
    const char *name;
    int regs;             /* registers per thread */
    uint32_t local_bytes; /* per thread */
    int ncode;
    struct sm_code *code;
    struct sm_bank bank[16];
};

struct sm_launch {
    int kernel;
    uint32_t grid[2], block[3];
    uint32_t blocks;     /* grid[0] * grid[1] */
    int threads, warps;  /* per block */
    int regs;            /* registers of a whole block: warps * 32 * regs per thread */
    uint32_t shared;     /* bytes of a block, header and parameters included, multiple of 16 */
    uint32_t params_end; /* bytes [0x10, params_end) are written when a block starts */
    uint8_t *params;     /* image of s[0 .. params_end), header zero */
    uint32_t *r0;        /* what $r0 of each thread of a block starts with; whole warps */
    bool shares;         /* the two are those of an earlier pass of a repeat */
    /* what the host does behind it: see struct job_launch */
    bool decides, last_pass;
    uint32_t word, until, over; /* word: address in g14[] */
};

/* What follows the end of a launch; beside the number of another one: */
enum { SM_JOB_OVER = 1u << 30, SM_HOST_GIVES_UP };

enum { SM_PAGE = 4096 };

struct sm_buffer { /* a mapped range of g14[] */
    uint32_t addr, size;
};

struct sm_image {
    struct profile profile;
    uint32_t beats;        /* cycles of a slot: 32 / SPs */
    const struct job *job; /* names for messages; must outlive the image */
    int nkernels, nlaunches, nbuffers;
    struct sm_kernel *kernel;
    struct sm_launch *launch;
    struct sm_buffer *buffer;
    /* memory pages: [0, global_bytes) is g14[JOB_BASE ...), then constant banks, then local
     * memory */
    /* of each page of global memory, or NULL: never two, they stand apart */
    const struct sm_buffer **page_buffer;
    uint32_t global_bytes, local_offset, mem_bytes, npages;
    uint8_t *initial; /* npages * SM_PAGE, the contents at cycle 0 */
    /* what this job can ever occupy, so that copies and comparisons touch no more than that */
    int warps_used, regs_used;
    uint32_t shared_used;
};

struct sm_image *sm_image_new(const struct job *job, struct fl_err *err);
void sm_image_free(struct sm_image *img);

/* ---- state: flat, no pointers ---------------------------------------------------------------- */

enum sm_le_id { LE_SYNC = 0, LE_DIVERGE = 1, LE_CALL = 2, LE_BREAK = 3 };
enum sm_thread_state { TS_ACTIVE = 0, TS_BROKEN = 1, TS_RETURNED = 2, TS_EXITED = 3 };
enum sm_stage { STAGE_F, STAGE_D, STAGE_R, STAGE_X, STAGE_W, STAGE_COUNT };
enum { NO_WARP = -1 };

struct sm_cc { /* one $c register of a warp: bit l of each word is lane l's flag */
    uint32_t z, s, c, o;
};

struct sm_warp {
    uint32_t pc;
    uint32_t active; /* active mask */
    uint32_t ts[2];  /* thread states, bit 0 and bit 1 of enum sm_thread_state for each lane */
    /* number of the barrier it waits at, while its bit in sm_state.waiting is set */
    uint8_t barrier;
    int8_t block;      /* index in block[] */
    uint16_t reg_base; /* physical register of $r0, lane 0 */
    uint16_t regs;     /* registers per thread */
    /* of its instruction in the pipeline: the address it was fetched from; else 0 */
    uint32_t fetched;
    uint32_t exec; /* of its instruction behind Read: the lanes that execute it; else 0 */
    /* of its instruction behind Decode: bits in which it differs from the code; else 0 */
    uint32_t altered[2];
    uint32_t sp; /* entries on the divergence stack, 0..32 and spill */
    uint32_t tm[SM_MAX_LE], spc[SM_MAX_LE];
    uint8_t id[SM_MAX_LE];
    struct sm_cc cc[4];
    uint16_t a[5][SM_LANES]; /* $a0 reads 0 and is never written */
};

struct sm_block {
    uint8_t live, warp0, warps, ended; /* ended: number of its warps that have ended */
    uint16_t reg0, regs;
    uint32_t shared0, shared;
    uint32_t x, y;                     /* ctaid */
    uint32_t arrived[SM_MAX_BARRIERS]; /* warps of the block that have arrived, bit 0 = warp0 */
};

struct sm_request { /* a memory instruction on its way */
    int32_t warp;
    uint32_t unused; /* no padding: requests are compared and hashed as bytes */
    uint64_t ready;  /* first cycle in which its answer may go to Write-back */
};

struct sm_state {
    /* time: excluded when two states are compared for recurrence */
    /* the current slot ends before this cycle; its effects happen in cycle next - 1 */
    uint64_t next;
    uint64_t instructions; /* warp instructions committed */
    uint32_t clock_reads;  /* a program that read the clock in between never recurs */
    /* job */
    uint32_t trap; /* enum sm_trap */
    uint32_t trap_pc;
    int32_t trap_warp;
    uint32_t done;       /* all launches have finished, or SM_GAVE_UP */
    uint32_t deadlock;   /* no warp can ever go on */
    uint32_t launch;     /* index of the launch that is running */
    uint32_t next_block; /* of that launch, in order */
    uint32_t ended_blocks;
    uint32_t try_block; /* resources changed since the last block could not start */
    /* scheduler and pipeline */
    int32_t last_warp;
    uint32_t live;    /* warps that hold threads of a block, a bit each */
    uint32_t busy;    /* warps with an instruction in the pipeline or waiting for memory */
    uint32_t waiting; /* warps at a barrier */
    int32_t stage[STAGE_COUNT]; /* warp in each stage, or NO_WARP */
    /* the instruction register of Decode, as the bits in which it differs from what was fetched:
     * what faults did */
    uint32_t ir[2];
    uint32_t altered; /* warps whose instruction behind Decode differs from the code, a bit each */
    uint32_t slot;    /* length of the current slot in cycles */
    uint32_t unwinding; /* the warp in Write-back pops one more entry in each cycle */
    /* memory */
    uint64_t port_free; /* first cycle in which the memory port takes a new request */
    int32_t nrequests;
    struct sm_request request[SM_MAX_WARPS]; /* in order of `ready` */
    struct sm_block block[SM_MAX_BLOCKS];
    struct sm_warp warp[SM_MAX_WARPS];
    /* the large arrays; only the part that the image says is used is ever copied or compared */
    alignas(64) uint32_t rf[SM_MAX_REGS];
    alignas(64) uint8_t shared[SM_MAX_SHARED];
    /* spill area of the stacks: fault-free entries beyond LE 32 */
    uint32_t spill_tm[SM_MAX_WARPS][SM_MAX_SPILL], spill_spc[SM_MAX_WARPS][SM_MAX_SPILL];
    uint8_t spill_id[SM_MAX_WARPS][SM_MAX_SPILL];
};

/* ---- what one tick did ----------------------------------------------------------------------- */

enum { SM_MAX_STACK_EVENTS = 4 };

struct sm_stack_event {
    uint8_t push; /* 1 push, 0 pop */
    uint8_t le;   /* 1..32; above: spill area */
    uint8_t id;
    uint32_t tm, spc;
};

enum sm_commit_kind { COMMIT_NONE, COMMIT_INSTRUCTION, COMMIT_UNWIND, COMMIT_BLOCK };

struct sm_commit {
    /* enum sm_commit_kind: nothing, an instruction, a further pop of an earlier one, a block's
     * start */
    uint8_t kind;
    uint64_t cycle;
    int warp; /* COMMIT_BLOCK: its first warp */
    uint32_t launch, block_x, block_y;
    uint16_t reg_base,
        regs; /* the warp's registers: physical number of $r0 lane 0, count per thread */
    uint32_t pc, lo, hi;
    const struct sm_uop *uop;
    uint32_t active; /* before the instruction */
    uint32_t exec;   /* active lanes whose predicate holds */
    /* written registers: physical rows reg_row .. reg_row + nregs - 1 (32 registers each), lanes in
     * reg_mask */
    int nregs;
    uint16_t reg_row;
    uint32_t reg_mask;
    uint32_t reg[4][SM_LANES];
    int8_t cc; /* written $c, or -1; lanes in exec */
    struct sm_cc flags;
    int8_t areg; /* written $a, or -1; lanes in exec */
    uint16_t a[SM_LANES];
    /* memory access: space 0 none, else ISA_S, ISA_G, ISA_L or ISA_K; lanes in exec; addresses as
     * the program sees them */
    uint8_t space, bytes, store; /* bytes per lane */
    uint32_t addr[SM_LANES];
    uint32_t data[4][SM_LANES]; /* what a store wrote, in words of up to 32 bits; lanes in exec */
    int nstack;
    struct sm_stack_event stack[SM_MAX_STACK_EVENTS];
    uint32_t pc_after, active_after;
    uint8_t ended; /* the warp ended here */
    uint32_t trap;
    /* a block may start in the same tick as an instruction commits */
    int started; /* index of the block that started, or -1 */
};

/* ---- machine --------------------------------------------------------------------------------- */

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

/* One printer for both machines: a line of text without newline. */
void sm_commit_print(const struct sm_image *img, const struct sm_commit *c, struct fl_buf *out);

/* The same as bytes: a file of traces is SM_TRACE_MAGIC and packed records one after the other.
 * sm_commit_unpack returns the bytes it took, 0 when they are no record. */
#define SM_TRACE_MAGIC "FLTRACE1"
void sm_commit_pack(const struct sm_commit *c, struct fl_buf *out);
size_t sm_commit_unpack(const uint8_t *bytes, size_t size, struct sm_commit *out);

/* What is in the pipeline, and each warp with its stack and registers, as lines of text. */
void sm_state_print(const struct sm *m, struct fl_buf *out);

#endif
