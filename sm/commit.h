/* commit.h -- what one tick of a machine did: a record that traces, the fault-free run of a campaign
 * and the lock-step comparison all read.
 */
#ifndef SM_COMMIT_H
#define SM_COMMIT_H

#include <stddef.h>
#include "image.h"
#include "state.h"

enum { SM_MAX_STACK_EVENTS = 4 };

struct sm_stack_event {
    uint8_t push; /* 1 push, 0 pop */
    uint8_t le;   /* 1..32; above: spill area */
    uint8_t id;
    uint32_t tm, spc;
};

enum sm_commit_kind { COMMIT_NONE, COMMIT_INSTRUCTION, COMMIT_UNWIND, COMMIT_BLOCK };

struct sm_commit {
    /* enum sm_commit_kind: nothing, an instruction, a further pop of one, a block's start */
    uint8_t kind;
    uint64_t cycle;
    int sm;   /* number of the SM + 1; 0: the chip has one */
    int warp; /* COMMIT_BLOCK: its first warp */
    uint32_t launch, block_x, block_y;
    uint16_t reg_base, regs; /* of the warp: physical number of $r0 lane 0, count per thread */
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
    int8_t cc; /* written $c, or -1; lanes in exec, of a vote in active */
    struct sm_cc flags;
    int8_t areg; /* written $a, or -1; lanes in exec */
    uint16_t a[SM_LANES];
    /* memory access: space 0 none, else ISA_S, ISA_G, ISA_L or ISA_K; lanes in exec; addresses as
     * the program sees them */
    uint8_t space, bytes, store; /* bytes per lane */
    uint32_t addr[SM_LANES];
    uint32_t data
        [4]
        [SM_LANES]; /* what a store or an atomic operation wrote, in words of up to 32 bits; lanes in exec */
    int nstack;
    struct sm_stack_event stack[SM_MAX_STACK_EVENTS];
    uint32_t pc_after, active_after;
    uint8_t ended; /* the warp ended here */
    uint32_t trap;
    int started; /* index of the block that started, also in the tick of an instruction; or -1 */
};

/* The number of its SM. */
static inline int sm_commit_place(const struct sm_commit *c)
{
    return c->sm ? c->sm - 1 : 0;
}

/* One printer for both machines: a line of text without newline. */
void sm_commit_print(const struct sm_image *img, const struct sm_commit *c, struct fl_buf *out);
/* For people who hold two commits against each other: of registers, addresses and data the lanes of
 * `shown` alone; "=same" where it has none of a value's. */
void sm_commit_print_lanes(const struct sm_commit *c, uint32_t shown, struct fl_buf *out);

/* The same as bytes: a file of traces is SM_TRACE_MAGIC and packed records one after the other.
 * sm_commit_unpack returns the bytes it took, 0 when they are no record. */
#define SM_TRACE_MAGIC "FLTRACE2"
void sm_commit_pack(const struct sm_commit *c, struct fl_buf *out);
size_t sm_commit_unpack(const uint8_t *bytes, size_t size, struct sm_commit *out);

#endif
