/* state.h -- the state of an SM: flat, without pointers; and the traps that end a run.
 *
 * A copy of it is a checkpoint. Offsets in it are addresses of cells: see structures.def.
 */
#ifndef SM_STATE_H
#define SM_STATE_H

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include "sm/job/profile.h"

/* ---- traps ----------------------------------------------------------------------------------- */

/* How CUDA's driver reports a trap, with the numbers of cuda.h. */
enum sm_error {
    SM_ERROR_NONE,
    SM_ERROR_ILLEGAL_ADDRESS = 700,
    SM_ERROR_HARDWARE_STACK_ERROR = 714,
    SM_ERROR_ILLEGAL_INSTRUCTION,
    SM_ERROR_MISALIGNED_ADDRESS,
    SM_ERROR_INVALID_PC = 718,
    SM_ERROR_LAUNCH_FAILED
};

#define SM_TRAPS(X)                                                                                \
    X(NONE, NONE, "no trap")                                                                       \
    X(FETCH_UNMAPPED, INVALID_PC, "fetch from an address that holds no code")                      \
    X(FETCH_MISALIGNED, INVALID_PC, "a control target, or a two-word instruction, at 4 mod 8")     \
    X(ILLEGAL_INSTRUCTION, ILLEGAL_INSTRUCTION, "no instruction has this encoding")                \
    X(UNSUPPORTED_INSTRUCTION, ILLEGAL_INSTRUCTION,                                                \
      "an instruction that Faultline knows but does not execute")                                  \
    X(TRAP_INSTRUCTION, LAUNCH_FAILED, "the program executed a trap or breakpoint instruction")    \
    X(MISALIGNED_GLOBAL, MISALIGNED_ADDRESS, "global address not a multiple of the access size")   \
    X(MISALIGNED_SHARED, MISALIGNED_ADDRESS, "shared address not a multiple of the access size")   \
    X(MISALIGNED_LOCAL, MISALIGNED_ADDRESS, "local address not a multiple of the access size")     \
    X(MISALIGNED_CONST, MISALIGNED_ADDRESS, "constant address not a multiple of the access size")  \
    X(OUT_OF_BOUNDS_GLOBAL, ILLEGAL_ADDRESS, "global access outside every buffer of the job")      \
    X(OUT_OF_BOUNDS_SHARED, ILLEGAL_ADDRESS, "shared access outside the block's shared memory")    \
    X(OUT_OF_BOUNDS_LOCAL, ILLEGAL_ADDRESS, "local access outside the kernel's local memory")      \
    X(OUT_OF_BOUNDS_CONST, ILLEGAL_ADDRESS, "constant access outside the bank")                    \
    X(STACK_OVERFLOW, HARDWARE_STACK_ERROR, "push on a full divergence stack")                     \
    X(STACK_UNDERFLOW, HARDWARE_STACK_ERROR, "join on an empty divergence stack")                  \
    X(STACK_MISMATCH, HARDWARE_STACK_ERROR,                                                        \
      "join that finds CALL or BREAK on top, or a warp that ends with broken threads")

enum sm_trap {
#define X(name, error, text) TRAP_##name,
    SM_TRAPS(X)
#undef X
        TRAP_COUNT
};
const char *sm_trap_name(enum sm_trap trap); /* "OUT_OF_BOUNDS_GLOBAL" */
const char *sm_trap_text(enum sm_trap trap);
enum sm_error sm_trap_error(enum sm_trap trap);

/* ---- state: flat, no pointers ---------------------------------------------------------------- */

enum sm_le_id { LE_SYNC = 0, LE_DIVERGE = 1, LE_CALL = 2, LE_BREAK = 3 };
enum sm_thread_state { TS_ACTIVE = 0, TS_BROKEN = 1, TS_RETURNED = 2, TS_EXITED = 3 };
enum sm_stage { STAGE_F, STAGE_D, STAGE_R, STAGE_X, STAGE_W, STAGE_COUNT };
enum { NO_WARP = -1 };

/* A set of warps, a bit each. */
typedef uint64_t sm_mask;

static inline sm_mask mask_of(int warp)
{
    return (sm_mask)1 << warp;
}

static inline bool mask_has(sm_mask m, int warp)
{
    return m >> warp & 1;
}

static inline int mask_first(sm_mask m) /* of some */
{
    return __builtin_ctzll(m);
}

static inline int mask_count(sm_mask m)
{
    return __builtin_popcountll(m);
}

static inline sm_mask mask_below(int n) /* warps 0 .. n - 1 */
{
    return n < SM_MAX_WARPS ? mask_of(n) - 1 : ~(sm_mask)0;
}

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
    uint32_t reg0, regs;
    uint32_t shared0, shared;
    uint32_t x, y;                    /* ctaid */
    uint32_t unused;                  /* no padding: blocks are compared and hashed as bytes */
    sm_mask arrived[SM_MAX_BARRIERS]; /* warps of the block that have arrived, bit 0 = warp0 */
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
    uint32_t over;      /* the job is, as the port has said */
    uint32_t deadlock;  /* none of its warps can go on, unless the chip hands it a block */
    uint32_t launch;    /* index of the launch whose blocks it runs, or ran last */
    uint32_t try_block; /* resources changed since the last block could not start */
    /* scheduler and pipeline */
    int32_t last_warp;
    int32_t unused;
    sm_mask live;     /* warps that hold threads of a block */
    sm_mask busy;     /* warps with an instruction in the pipeline or waiting for memory */
    sm_mask waiting;  /* warps at a barrier */
    sm_mask fetching; /* warps whose next instruction is not in a cache yet */
    sm_mask altered;  /* warps whose instruction behind Decode differs from the code */
    int32_t stage[STAGE_COUNT]; /* warp in each stage, or NO_WARP */
    /* the instruction register of Decode, as the bits in which it differs from what was fetched:
     * what faults did */
    uint32_t ir[2];
    uint32_t slot;      /* length of the current slot in cycles */
    uint32_t unwinding; /* the warp in Write-back pops one more entry in each cycle */
    int32_t nrequests;  /* of memory */
    /* the large arrays; only the part that the image says is used is ever copied or compared */
    struct sm_request request[SM_MAX_WARPS]; /* in order of `ready` */
    /* of warps in `fetching`: the first cycle in which they may be picked; else 0 */
    uint64_t line_ready[SM_MAX_WARPS];
    struct sm_block block[SM_MAX_BLOCKS];
    struct sm_warp warp[SM_MAX_WARPS];
    alignas(64) uint32_t rf[SM_MAX_REGS];
    alignas(64) uint8_t shared[SM_MAX_SHARED];
    /* spill area of the stacks: fault-free entries beyond LE 32 */
    uint32_t spill_tm[SM_MAX_WARPS][SM_MAX_SPILL], spill_spc[SM_MAX_WARPS][SM_MAX_SPILL];
    uint8_t spill_id[SM_MAX_WARPS][SM_MAX_SPILL];
    uint8_t lock[SM_MAX_SHARED / 4]; /* of each word of `shared`: 1 while a thread has it */
};

#endif
