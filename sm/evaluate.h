/* evaluate.h -- parts of what an instruction means, for whoever evaluates one outside of a machine:
 * where it and its registers stand, which lanes execute it, what its flags are, which buffer an address
 * is in, how long an access takes.
 */
#ifndef SM_EVALUATE_H
#define SM_EVALUATE_H

#include "sm/arith/lanes.h"
#include "machine.h"

static const alignas(64) uint32_t zero_row[SM_LANES];

/* The code and the instruction at an address, or NULL where none is mapped. */
static inline const struct sm_code *fetch_code(const struct sm_kernel *k, uint32_t pc)
{
    const struct sm_code *c = k->code;
    while (pc - c->base >= c->size)
        if (++c >= k->code + k->ncode)
            return NULL;
    return c;
}

static inline const struct sm_uop *fetch_uop(const struct sm_kernel *k, uint32_t pc)
{
    const struct sm_code *c = fetch_code(k, pc);
    return !c || pc & 3 ? NULL : &c->uop[(pc - c->base) / 4];
}

/* The 32 lanes of the registers stand one after the other: register r of a warp is row reg_base +
 * 32 r. Registers beyond the allocation read 0. */
static inline const uint32_t *register_row(const struct sm *m, const struct sm_warp *w,
                                           uint32_t reg)
{
    return reg < w->regs ? &m->s.rf[w->reg_base + reg * SM_LANES] : zero_row;
}

/* Flags, a byte a lane, into the four bit planes of a $c register. */
static inline void flag_planes(const uint8_t *flags, struct sm_cc *out)
{
    out->z = lanes_bits(flags, 0);
    out->s = lanes_bits(flags, 1);
    out->c = lanes_bits(flags, 2);
    out->o = lanes_bits(flags, 3);
}

/* The flags of one lane of a $c register. */
static inline uint32_t sm_lane_flags(const struct sm_cc *c, int lane)
{
    return (c->z >> lane & 1) | (c->s >> lane & 1) << 1 | (c->c >> lane & 1) << 2 |
           (c->o >> lane & 1) << 3;
}

/* Active lanes whose predicate holds. */
uint32_t exec_mask(const struct sm_warp *w, const struct isa_insn *in);

/* What an instruction that decides no control flow does to registers, flags and memory, in the lanes of `exec`: some, except
 * of a vote. */
void exec_data(struct sm *m, int w, const struct sm_uop *u, uint32_t exec);

/* Byte address of each lane in the operand's own space; the trap that accesses of lanes in `exec`, some, cause. */
void lsu_addresses(const struct sm *m, const struct sm_warp *w, const struct isa_operand *o,
                   uint32_t addr[SM_LANES]);
enum sm_trap lsu_trap(struct sm *m, int w, const struct isa_operand *o, uint32_t exec);

/* Transactions that a global or local access of a warp takes; cycles in Execute that nothing is
 * known of yet, `now` being the cycle in which it enters. */
uint32_t lsu_unknown_cycles(struct sm *m, int w, const struct sm_uop *u, uint64_t now);
uint32_t lsu_transactions(const struct sm *m, int w, const struct sm_uop *u);
/* How many of those each partition of the memory has to take. */
void lsu_partitions(const struct sm *m, int w, const struct sm_uop *u, uint32_t *n);

/* Accesses of 32-bit words of shared memory through an address register are the most common there
 * are, and the register's contents change seldom: what can be said of them once is said once. */
enum pattern_shape {
    SHAPE_ANY,
    SHAPE_HALVES,   /* one word for each half-warp */
    SHAPE_REPEATED, /* the second half-warp like the first */
    SHAPE_LINE,     /* lane after lane, word after word */
};

/* What is known of an access; NULL when that is nothing, or it may trap: then the long way decides.
 * `o` is u->memory of an instruction with word_shared. */
static inline const struct sm_pattern *lsu_pattern(const struct sm *m, int wi,
                                                   const struct isa_operand *o, uint32_t exec)
{
    const struct sm_warp *w = &m->s.warp[wi];
    const struct sm_pattern *p = &m->pattern[wi][o->areg];
    bool known = p->exec == exec && lanes_same16(p->a, w->a[o->areg]);
    return known && p->last + o->value < m->s.block[w->block].shared ? p : NULL;
}
/* The buffer that holds all bytes of a global access, or NULL. */
static inline const struct sm_buffer *lsu_buffer_at(const struct sm_image *img, uint32_t addr,
                                                    uint32_t size)
{
    uint32_t at = addr - JOB_BASE;
    const struct sm_buffer *b = at < img->global_bytes ? img->page_buffer[at / SM_PAGE] : NULL;
    return b && addr >= b->addr && (uint64_t)addr + size <= (uint64_t)b->addr + b->size ? b : NULL;
}

/* Cycles that an access needs in Execute beyond one pass over the banks. */
static inline uint32_t lsu_execute_cycles(struct sm *m, int wi, const struct sm_uop *u,
                                          uint64_t now)
{
    uint32_t exec = m->s.warp[wi].exec;
    const struct sm_pattern *p = u->word_shared && exec ? lsu_pattern(m, wi, u->memory, exec)
                                                        : NULL;
    return p ? p->cycles : lsu_unknown_cycles(m, wi, u, now);
}

#endif
