/* quick.c -- shortcuts: the common kinds of instruction, without the way through everything that
 * others can be.
 *
 * What an instruction does is written in exec.c, lsu.c, stack.c and block.c, and that way is always open: a
 * shortcut has the same effects or none. It is chosen when code is decoded, for instructions without .EXIT, flags as
 * a source and post-increment. It is taken only while nobody watches (`record`), and leaves the warp with active
 * lanes, free for its next instruction.
 */
#include "sm/effects.h"
#include "sm/evaluate.h"

#define SHORTCUT(name)                                                                             \
    SM_CLONES static bool name(struct sm *m __attribute__((unused)), struct sm_warp *w,            \
                               const struct sm_uop *u, uint32_t exec __attribute__((unused)),      \
                               const struct sm_pattern *p __attribute__((unused)))

static inline uint32_t *registers(struct sm *m, const struct sm_warp *w)
{
    return &m->s.rf[w->reg_base];
}

static inline const uint32_t *source(const struct sm_uop *u, int i, const uint32_t *regs)
{
    return u->lanes[i] ? u->lanes[i] : regs + u->row[i];
}

static inline uint8_t *shared_at(struct sm *m, const struct sm_warp *w, uint32_t offset)
{
    return &m->s.shared[m->s.block[w->block].shared0 + offset];
}

static const uint8_t no_carry[SM_LANES];

SM_CLONES static __attribute__((noinline)) void
compute_some(const struct sm_uop *u, const uint32_t *const src[3], uint32_t *row, uint32_t exec)
{
    alignas(64) uint32_t d[SM_LANES];
    u->alu(&u->in, src[0], src[1], src[2], no_carry, d, NULL);
    lanes_merge(row, d, exec);
}

/* The operation in place when it fills the register, else beside it. */
static inline __attribute__((always_inline)) bool
compute(const struct sm_uop *u, const uint32_t *const src[3], uint32_t *row, uint32_t exec)
{
    if (exec == ~0u)
        u->alu(&u->in, src[0], src[1], src[2], no_carry, row, NULL);
    else
        compute_some(u, src, row, exec);
    return true;
}

/* Registers and immediates in, a register out. */
SHORTCUT(alu)
{
    uint32_t *regs = registers(m, w);
    const uint32_t *src[3] = {source(u, 0, regs), source(u, 1, regs), source(u, 2, regs)};
    return compute(u, src, regs + u->dst_row, exec);
}

static inline void merge_flags(struct sm_cc *cc, const struct sm_cc *v, uint32_t exec)
{
    cc->z = (cc->z & ~exec) | (v->z & exec);
    cc->s = (cc->s & ~exec) | (v->s & exec);
    cc->c = (cc->c & ~exec) | (v->c & exec);
    cc->o = (cc->o & ~exec) | (v->o & exec);
}

/* A comparison: its result is 0 or all ones, and says what the flags are. */
SHORTCUT(compare)
{
    alignas(64) uint32_t d[SM_LANES];
    uint32_t *regs = registers(m, w), truth;
    u->alu(&u->in, source(u, 0, regs), source(u, 1, regs), zero_row, no_carry, d, NULL);
    truth = lanes_signs(d);
    merge_flags(&w->cc[u->in.cc_dst & 3], &(struct sm_cc){.z = ~truth, .s = truth}, exec);
    if (u->in.dst.kind == ISA_R)
        lanes_merge(regs + u->dst_row, d, exec);
    return true;
}

/* What the lanes of a pattern read at `base` and behind it. */
static inline void gather_pattern(const struct sm_pattern *p, const uint8_t *base,
                                  uint32_t out[SM_LANES])
{
    switch ((enum pattern_shape)p->shape) {
    case SHAPE_HALVES: {
        uint32_t lo, hi;
        memcpy(&lo, base + p->at[0], 4);
        memcpy(&hi, base + p->at[16], 4);
        for (int l = 0; l < 16; l++)
            out[l] = lo;
        for (int l = 16; l < SM_LANES; l++)
            out[l] = hi;
        break;
    }
    case SHAPE_REPEATED:
        lanes_gather_half(base, p->at, out);
        lanes_copy_half(out + 16, out);
        break;
    case SHAPE_LINE: lanes_copy(out, base + p->at[0]); break;
    case SHAPE_ANY:
        lanes_gather_half(base, p->at, out);
        lanes_gather_half(base, p->at + 16, out + 16);
        break;
    }
}

/* How a source is had. */
enum source_kind {
    SOURCE_ROW,   /* a register or an immediate: it is there */
    SOURCE_HALF,  /* half of each lane's register */
    SOURCE_WORD,  /* words of shared memory that $a points at */
    SOURCE_FIXED, /* what is at one place of shared or constant memory, for all lanes */
    SOURCE_OTHER
};

/* The same for all lanes; false when it lies outside. */
static inline bool spread(struct sm *m, const struct sm_warp *w, const struct isa_operand *o,
                          uint32_t out[SM_LANES])
{
    const struct sm_bank *bank = &m->kernel->bank[o->bank & 15];
    uint32_t limit = o->kind == ISA_S ? m->s.block[w->block].shared : bank->size;
    uint32_t bytes = isa_type_bytes(o->type), v;
    if ((uint64_t)o->value + bytes > limit)
        return false;
    const uint8_t *at = o->kind == ISA_S ? shared_at(m, w, o->value)
                                         : sm_memory_at(m->port.memory, bank->offset + o->value);
    v = bytes == 4 ? lanes_word(at)
                   : isa_type_extend(bytes == 2 ? at[0] | at[1] << 8 : *at, o->type);
    for (int l = 0; l < SM_LANES; l++)
        out[l] = v;
    return true;
}

/* The sources of an instruction; those that have to be put together are put into `room`. False when the long way has
 * to do it. */
static inline __attribute__((always_inline)) bool
sources(struct sm *m, const struct sm_warp *w, const struct sm_uop *u, const struct sm_pattern *p,
        uint32_t room[3][SM_LANES], const uint32_t *src[3])
{
    const uint32_t *regs = registers(m, w);
    for (int i = 0; i < 3; i++)
        src[i] = source(u, i, regs);
    for (uint32_t left = u->made; left; left &= left - 1) {
        const int i = __builtin_ctz(left);
        const struct isa_operand *o = &u->in.src[i];
        if (u->how[i] == SOURCE_WORD) {
            if (!p)
                return false;
            gather_pattern(p, shared_at(m, w, o->value), room[i]);
        } else if (u->how[i] == SOURCE_FIXED) {
            if (!spread(m, w, o, room[i]))
                return false;
        } else { /* SOURCE_HALF */
            for (int l = 0; l < SM_LANES; l++)
                room[i][l] = o->value & 1 ? src[i][l] >> 16 : src[i][l] & 0xffff;
        }
        src[i] = room[i];
    }
    return true;
}

/* The same with sources that have to be put together. */
SHORTCUT(alu_made)
{
    uint32_t room[3][SM_LANES];
    const uint32_t *src[3];
    return sources(m, w, u, p, room, src) && compute(u, src, registers(m, w) + u->dst_row, exec);
}

/* The same with one source that is words of shared memory. */
SHORTCUT(alu_word)
{
    uint32_t room[SM_LANES], *regs = registers(m, w);
    const uint32_t *src[3] = {source(u, 0, regs), source(u, 1, regs), source(u, 2, regs)};
    if (!p)
        return false;
    gather_pattern(p, shared_at(m, w, u->memory->value), room);
    src[__builtin_ctz(u->made)] = room;
    return compute(u, src, regs + u->dst_row, exec);
}

/* The same with flags. */
SHORTCUT(alu_flags)
{
    alignas(64) uint32_t room[3][SM_LANES], d[SM_LANES];
    alignas(32) uint8_t flags[SM_LANES];
    const uint32_t *src[3];
    struct sm_cc v;
    if (!sources(m, w, u, p, room, src))
        return false;
    u->alu(&u->in, src[0], src[1], src[2], no_carry, d, flags);
    flag_planes(flags, &v);
    merge_flags(&w->cc[u->in.cc_dst & 3], &v, exec);
    if (u->in.dst.kind == ISA_R)
        lanes_merge(registers(m, w) + u->dst_row, d, exec);
    return true;
}

/* $a = a register << immediate */
SHORTCUT(to_areg)
{
    const uint32_t *v = source(u, 0, registers(m, w)), n = u->in.src[1].value;
    uint16_t *a = w->a[u->in.dst.value];
    for (int l = 0; l < SM_LANES; l++)
        a[l] = (uint16_t)(exec & lane_bit[l] ? v[l] << n : a[l]);
    return true;
}

/* $a = $a + immediate */
SHORTCUT(add_areg)
{
    const uint16_t *from = w->a[u->in.src[0].value], n = (uint16_t)u->in.src[1].value;
    uint16_t *a = w->a[u->in.dst.value];
    for (int l = 0; l < SM_LANES; l++)
        a[l] = exec & lane_bit[l] ? (uint16_t)(from[l] + n) : a[l];
    return true;
}

SHORTCUT(move)
{
    uint32_t *regs = registers(m, w);
    lanes_merge(regs + u->dst_row, source(u, 0, regs), exec);
    return true;
}

SHORTCUT(move_made)
{
    uint32_t room[3][SM_LANES];
    const uint32_t *src[3];
    if (!sources(m, w, u, p, room, src))
        return false;
    lanes_merge(registers(m, w) + u->dst_row, src[0], exec);
    return true;
}

SHORTCUT(move_word)
{
    uint32_t room[SM_LANES], *row = registers(m, w) + u->dst_row;
    if (!p)
        return false;
    gather_pattern(p, shared_at(m, w, u->memory->value), exec == ~0u ? row : room);
    if (exec != ~0u)
        lanes_merge(row, room, exec);
    return true;
}

SHORTCUT(store_word)
{
    if (!p)
        return false;
    const uint32_t *v = source(u, 0, registers(m, w));
    uint8_t *base = shared_at(m, w, u->memory->value);
    if (exec == ~0u && p->shape == SHAPE_LINE)
        lanes_copy(base + p->at[0], v);
    else
        for (int l = 0; l < SM_LANES; l++) /* ascending: the highest lane wins */
            if (exec & lane_bit[l])
                memcpy(base + p->at[l], &v[l], 4);
    return true;
}

enum { LINE = 4 * SM_LANES / 2 };

/* The warp accesses neighbouring words of one page: one copy serves all. */
static inline bool one_line(const struct sm *m, uint32_t exec, const uint32_t addr[SM_LANES])
{
    uint32_t at = addr[0] - JOB_BASE;
    return exec == ~0u && addr[16] - addr[0] == LINE && at % 4 == 0 &&
           at % SM_PAGE <= SM_PAGE - 2 * LINE && lanes_in_lines(addr) &&
           lsu_buffer_at(m->img, addr[0], 2 * LINE);
}

/* Each half-warp accesses neighbouring words of one page, both in one buffer: two copies serve all.
 * at: the offsets. */
static inline bool lines(const struct sm *m, uint32_t exec, const uint32_t addr[SM_LANES],
                         uint32_t at[2])
{
    enum { LAST = SM_PAGE - LINE };
    at[0] = addr[0] - JOB_BASE;
    at[1] = addr[16] - JOB_BASE;
    if (exec != ~0u || (at[0] | at[1]) % 4 || at[0] % SM_PAGE > LAST || at[1] % SM_PAGE > LAST ||
        !lanes_in_lines(addr))
        return false;
    const struct sm_buffer *b = lsu_buffer_at(m->img, addr[0], LINE);
    return b && addr[16] >= b->addr && (uint64_t)addr[16] + LINE <= (uint64_t)b->addr + b->size;
}

SHORTCUT(load)
{
    uint32_t *regs = registers(m, w), *row = regs + u->dst_row, at[2];
    const uint32_t *addr = source(u, 0, regs);
    if (m->global)
        return false;
    if (one_line(m, exec, addr)) {
        lanes_copy(row, sm_memory_at(m->port.memory, addr[0] - JOB_BASE));
        return true;
    }
    if (!lines(m, exec, addr, at))
        return false;
    lanes_copy_half(row, sm_memory_at(m->port.memory, at[0]));
    lanes_copy_half(row + 16, sm_memory_at(m->port.memory, at[1]));
    return true;
}

SHORTCUT(store)
{
    const uint32_t *regs = registers(m, w), *row = source(u, 0, regs);
    const uint32_t *addr = regs + u->dst_row;
    uint32_t at[2];
    if (m->global)
        return false;
    if (one_line(m, exec, addr)) {
        lanes_copy(sm_memory_writable(m->port.memory, addr[0] - JOB_BASE), row);
        return true;
    }
    if (!lines(m, exec, addr, at))
        return false;
    lanes_copy_half(sm_memory_writable(m->port.memory, at[0]), row);
    lanes_copy_half(sm_memory_writable(m->port.memory, at[1]), row + 16);
    return true;
}

static int number_of(const struct sm *m, const struct sm_warp *w)
{
    return (int)(w - m->s.warp);
}

/* A push or pop that takes no time and cannot trap, of a stack whose cells nobody holds. */
static bool push(struct sm *m, struct sm_warp *w, enum sm_le_id id, uint32_t tm, uint32_t spc)
{
    const struct profile *p = &m->img->profile;
    uint32_t stall = 0;
    if (m->nforces || p->drops_at || w->sp >= (uint32_t)p->stack_entries)
        return false;
    stack_push(m, number_of(m, w), id, tm, spc, &stall);
    return true;
}

SHORTCUT(sync)
{
    return push(m, w, LE_SYNC, w->active, u->in.target);
}

/* Some lanes take it, or all do. */
SHORTCUT(branch)
{
    if (exec != w->active && !push(m, w, LE_DIVERGE, w->active & ~exec, w->pc))
        return false;
    w->active = exec;
    w->pc = u->in.target;
    return true;
}

/* An instruction that is a join, too: it pops an entry with which threads go on. */
SHORTCUT(joined)
{
    const uint32_t le = w->sp - 1;
    uint32_t stall = 0;
    if (m->nforces || le >= (uint32_t)m->img->profile.stack_entries)
        return false;
    const uint32_t id = w->id[le] & 3;
    if (id > LE_DIVERGE || !(m->img->profile.join_pops >> id & 1) ||
        !(w->tm[le] & active_threads(w)) || (exec && u->joined && !u->joined(m, w, u, exec, p)))
        return false;
    w->pc -= 8;
    stack_join(m, number_of(m, w), &stall);
    return true;
}

SHORTCUT(barrier)
{
    block_barrier(m, number_of(m, w),
                  (int)(u->in.src[0].value % (uint32_t)m->img->profile.barriers), u->in.subop & 1,
                  u->in.subop >> 1 & 1);
    return true;
}

/* ---- the choice, at decode time -------------------------------------------------------------- */

static enum source_kind prepare_source(struct sm_uop *u, int i, uint32_t regs)
{
    const struct isa_operand *o = &u->in.src[i];
    uint32_t reg = o->kind == ISA_RH ? o->value >> 1 : o->value;
    bool register_kind = o->kind == ISA_R || o->kind == ISA_G || o->kind == ISA_RH;
    if (register_kind && reg < regs)
        u->row[i] = reg * SM_LANES;
    else
        u->lanes[i] = o->kind == ISA_I ? u->imm[i] : zero_row;
    if (o->kind == ISA_RH)
        return SOURCE_HALF;
    if (register_kind || o->kind == ISA_I || o->kind == ISA_NONE)
        return SOURCE_ROW;
    if (o == u->memory && u->word_shared)
        return SOURCE_WORD;
    const uint32_t bytes = isa_type_bytes(o->type);
    bool fixed = (o->kind == ISA_S || o->kind == ISA_K) && !o->areg && bytes <= 4;
    return fixed && o->value % bytes == 0 ? SOURCE_FIXED : SOURCE_OTHER;
}

/* Words of shared memory, and nothing else that has to be put together. */
static bool one_word(const struct sm_uop *u)
{
    return u->word_shared && u->memory == &u->in.src[__builtin_ctz(u->made)] &&
           !(u->made & (u->made - 1));
}

static sm_quick_fn select_alu(const struct sm_uop *u, bool to_register)
{
    bool compares = u->in.op == OP_ISET || u->in.op == OP_FSET;
    if (u->in.cc_dst < 0)
        return !to_register ? NULL : !u->made ? alu : one_word(u) ? alu_word : alu_made;
    if (!(to_register || u->in.dst.kind == ISA_OUT))
        return NULL;
    return compares && !u->made ? compare : alu_flags;
}

static sm_quick_fn select_store(const struct sm_uop *u, bool address)
{
    if (u->in.src[0].kind != ISA_R || u->memory != &u->in.dst || u->in.subop == LOCK)
        return NULL;
    if (u->word_shared)
        return store_word;
    return u->in.dst.kind == ISA_G && u->in.dst.type == T_B32 && address ? store : NULL;
}

/* What takes an immediate as its second source, and writes an address register. */
static bool writes_areg(const struct sm_uop *u)
{
    return u->in.dst.value >= 1 && u->in.dst.value <= 4 && u->in.src[1].kind == ISA_I &&
           u->in.cc_dst < 0;
}

static sm_quick_fn select_unit(struct sm_uop *u, uint32_t regs)
{
    const struct isa_operand *dst = &u->in.dst, *first = &u->in.src[0];
    bool in_regs = (dst->kind == ISA_R || dst->kind == ISA_G) && dst->value < regs;
    bool to_register = in_regs && dst->kind == ISA_R, other = false;
    for (int i = 0; i < 3; i++) {
        enum source_kind kind = prepare_source(u, i, regs);
        u->how[i] = (uint8_t)kind;
        u->made |= (uint8_t)(kind != SOURCE_ROW ? 1 << i : 0);
        other |= kind == SOURCE_OTHER;
    }
    u->dst_row = in_regs ? dst->value * SM_LANES : 0;
    if (u->unit == UNIT_ADA && writes_areg(u) && first->kind == ISA_A && first->value <= 4)
        return add_areg;
    if (other)
        return NULL;
    switch ((enum sm_unit)u->unit) {
    case UNIT_ALU: return select_alu(u, to_register);
    case UNIT_MOVE:
        if (!to_register || u->in.cc_dst >= 0)
            return NULL;
        return !u->made ? move : one_word(u) ? move_word : move_made;
    case UNIT_LOAD:
        return to_register && first->kind == ISA_G && first->type == T_B32 ? load : NULL;
    case UNIT_R2A: return writes_areg(u) && !u->made && u->in.src[1].value < 32 ? to_areg : NULL;
    case UNIT_BRA: return u->in.target % 8 == 0 ? branch : NULL;
    case UNIT_SSY: return u->in.target % 8 == 0 ? sync : NULL;
    case UNIT_BAR: return barrier;
    case UNIT_STORE: return select_store(u, in_regs);
    default: return NULL;
    }
}

void quick_select(struct sm_uop *u, uint32_t regs)
{
    sm_quick_fn quick = select_unit(u, regs);
    if (u->in.exit || u->in.carry || u->postinc)
        return;
    u->acts = u->in.join || u->unit == UNIT_SSY || u->unit == UNIT_BAR;
    u->joined = quick;
    u->quick = !u->in.join ? quick : quick || u->unit == UNIT_NOP ? joined : NULL;
}
