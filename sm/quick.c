/* quick.c -- shortcuts: the common kinds of instruction, without the way through everything that
 * others can be.
 *
 * What an instruction does is written in exec.c and lsu.c, and that way is always open: a shortcut
 * has the same effects or none. It is chosen when code is decoded, for instructions that change
 * nothing but a register, a condition code, memory or the PC: no .EXIT, no join, no post-increment,
 * no stack. It is taken only while nobody watches (`record`).
 */
#include "internal.h"

static inline uint32_t *registers(struct sm *m, int wi)
{
    return &m->s.rf[m->s.warp[wi].reg_base];
}

static inline const uint32_t *source(const struct sm_uop *u, int i, const uint32_t *regs)
{
    return u->lanes[i] ? u->lanes[i] : regs + u->row[i];
}

static inline uint8_t *shared_at(struct sm *m, int wi, uint32_t offset)
{
    return &m->s.shared[m->s.block[m->s.warp[wi].block].shared0 + offset];
}

/* The operation in place when it fills the register, else beside it. */
static inline __attribute__((always_inline)) void compute(const struct sm_uop *u, const uint32_t *a,
                                                          const uint32_t *b, const uint32_t *c,
                                                          uint32_t *row, uint32_t exec)
{
    static const uint8_t no_carry[SM_LANES];
    if (exec == ~0u) {
        u->alu(&u->in, a, b, c, no_carry, row, NULL);
    } else {
        alignas(64) uint32_t d[SM_LANES];
        u->alu(&u->in, a, b, c, no_carry, d, NULL);
        lanes_merge(row, d, exec);
    }
}

/* Registers and immediates in, a register out. */
SM_CLONES static bool alu(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec)
{
    uint32_t *regs = registers(m, wi);
    compute(u, source(u, 0, regs), source(u, 1, regs), source(u, 2, regs), regs + u->dst_row, exec);
    return true;
}

static inline void merge_flags(struct sm_cc *cc, const struct sm_cc *v, uint32_t exec)
{
    cc->z = (cc->z & ~exec) | (v->z & exec);
    cc->s = (cc->s & ~exec) | (v->s & exec);
    cc->c = (cc->c & ~exec) | (v->c & exec);
    cc->o = (cc->o & ~exec) | (v->o & exec);
}

/* A comparison: its result is 0 or all ones, and says what the flags are. */
SM_CLONES static bool compare(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec)
{
    static const uint8_t no_carry[SM_LANES];
    alignas(64) uint32_t d[SM_LANES];
    uint32_t *regs = registers(m, wi), truth;
    u->alu(&u->in, source(u, 0, regs), source(u, 1, regs), zero_row, no_carry, d, NULL);
    truth = lanes_signs(d);
    merge_flags(&m->s.warp[wi].cc[u->in.cc_dst & 3], &(struct sm_cc){.z = ~truth, .s = truth},
                exec);
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
    SOURCE_FIXED, /* one word of shared or constant memory for all lanes */
    SOURCE_OTHER
};

/* One word for all lanes; false when it lies outside. */
static inline bool spread_word(struct sm *m, int wi, const struct isa_operand *o,
                               uint32_t out[SM_LANES])
{
    const struct sm_bank *bank = &m->kernel->bank[o->bank & 15];
    uint32_t limit = o->kind == ISA_S ? m->s.block[m->s.warp[wi].block].shared : bank->size, v;
    if ((uint64_t)o->value + 4 > limit)
        return false;
    v = lanes_word(o->kind == ISA_S ? shared_at(m, wi, o->value)
                                    : sm_memory_at(m->port.memory, bank->offset + o->value));
    for (int l = 0; l < SM_LANES; l++)
        out[l] = v;
    return true;
}

/* The lanes of source i put together in `room`; NULL when the long way has to do it. */
SM_CLONES static const uint32_t *make_source(struct sm *m, int wi, const struct sm_uop *u, int i,
                                             uint32_t exec, uint32_t room[SM_LANES])
{
    const struct isa_operand *o = &u->in.src[i];
    const struct sm_pattern *p;
    if (u->how[i] == SOURCE_WORD) {
        if (!(p = lsu_pattern(m, wi, o, exec)))
            return NULL;
        gather_pattern(p, shared_at(m, wi, o->value), room);
    } else if (u->how[i] == SOURCE_FIXED) {
        if (!spread_word(m, wi, o, room))
            return NULL;
    } else { /* SOURCE_HALF */
        const uint32_t *row = source(u, i, registers(m, wi));
        for (int l = 0; l < SM_LANES; l++)
            room[l] = o->value & 1 ? row[l] >> 16 : row[l] & 0xffff;
    }
    return room;
}

static inline const uint32_t *any_source(struct sm *m, int wi, const struct sm_uop *u, int i,
                                         uint32_t exec, uint32_t room[SM_LANES])
{
    return u->how[i] == SOURCE_ROW ? source(u, i, registers(m, wi))
                                   : make_source(m, wi, u, i, exec, room);
}

/* The same with sources that have to be put together. */
SM_CLONES static bool alu_made(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec)
{
    alignas(64) uint32_t room[3][SM_LANES];
    const uint32_t *a = any_source(m, wi, u, 0, exec, room[0]);
    const uint32_t *b = any_source(m, wi, u, 1, exec, room[1]);
    const uint32_t *c = any_source(m, wi, u, 2, exec, room[2]);
    if (!a || !b || !c)
        return false;
    compute(u, a, b, c, registers(m, wi) + u->dst_row, exec);
    return true;
}

/* The same with flags. */
SM_CLONES static bool alu_flags(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec)
{
    static const uint8_t no_carry[SM_LANES];
    alignas(64) uint32_t room[3][SM_LANES], d[SM_LANES];
    alignas(32) uint8_t flags[SM_LANES];
    struct sm_cc v;
    const uint32_t *a = any_source(m, wi, u, 0, exec, room[0]);
    const uint32_t *b = any_source(m, wi, u, 1, exec, room[1]);
    const uint32_t *c = any_source(m, wi, u, 2, exec, room[2]);
    if (!a || !b || !c)
        return false;
    u->alu(&u->in, a, b, c, no_carry, d, flags);
    flag_planes(flags, &v);
    merge_flags(&m->s.warp[wi].cc[u->in.cc_dst & 3], &v, exec);
    if (u->in.dst.kind == ISA_R)
        lanes_merge(registers(m, wi) + u->dst_row, d, exec);
    return true;
}

/* $a = a register << immediate */
SM_CLONES static bool to_areg(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec)
{
    const uint32_t *v = source(u, 0, registers(m, wi)), n = u->in.src[1].value;
    uint16_t *a = m->s.warp[wi].a[u->in.dst.value];
    for (int l = 0; l < SM_LANES; l++)
        a[l] = (uint16_t)(exec & lane_bit[l] ? v[l] << n : a[l]);
    return true;
}

SM_CLONES static bool move(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec)
{
    uint32_t *regs = registers(m, wi);
    lanes_merge(regs + u->dst_row, source(u, 0, regs), exec);
    return true;
}

SM_CLONES static bool move_made(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec)
{
    alignas(64) uint32_t room[SM_LANES];
    uint32_t *row = registers(m, wi) + u->dst_row;
    if (exec == ~0u)
        return make_source(m, wi, u, 0, exec, row) != NULL;
    const uint32_t *v = make_source(m, wi, u, 0, exec, room);
    if (!v)
        return false;
    lanes_merge(row, v, exec);
    return true;
}

SM_CLONES static bool store_word(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec)
{
    const struct sm_pattern *p = lsu_pattern(m, wi, u->memory, exec);
    if (!p)
        return false;
    const uint32_t *v = source(u, 0, registers(m, wi));
    uint8_t *base = shared_at(m, wi, u->memory->value);
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

SM_CLONES static bool load(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec)
{
    uint32_t *regs = registers(m, wi), *row = regs + u->dst_row, at[2];
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

SM_CLONES static bool store(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec)
{
    const uint32_t *regs = registers(m, wi), *row = source(u, 0, regs);
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

/* A branch that all take. */
static bool branch(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec)
{
    struct sm_warp *w = &m->s.warp[wi];
    if (exec != w->active)
        return false;
    w->pc = u->in.target;
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
    bool fixed = (o->kind == ISA_S || o->kind == ISA_K) && !o->areg && o->type == T_B32;
    return fixed && o->value % 4 == 0 ? SOURCE_FIXED : SOURCE_OTHER;
}

static sm_quick_fn select_alu(const struct sm_uop *u, bool made, bool to_register)
{
    bool compares = u->in.op == OP_ISET || u->in.op == OP_FSET;
    if (u->in.cc_dst < 0)
        return !to_register ? NULL : made ? alu_made : alu;
    if (!(to_register || u->in.dst.kind == ISA_OUT))
        return NULL;
    return compares && !made ? compare : alu_flags;
}

static sm_quick_fn select_store(const struct sm_uop *u, bool address)
{
    if (u->in.src[0].kind != ISA_R || u->memory != &u->in.dst)
        return NULL;
    if (u->word_shared)
        return store_word;
    return u->in.dst.kind == ISA_G && u->in.dst.type == T_B32 && address ? store : NULL;
}

void quick_select(struct sm_uop *u, uint32_t regs)
{
    const struct isa_operand *dst = &u->in.dst;
    bool in_regs = (dst->kind == ISA_R || dst->kind == ISA_G) && dst->value < regs;
    bool to_register = in_regs && dst->kind == ISA_R, made = false, other = false;
    for (int i = 0; i < 3; i++) {
        enum source_kind kind = prepare_source(u, i, regs);
        u->how[i] = (uint8_t)kind;
        made |= kind != SOURCE_ROW;
        other |= kind == SOURCE_OTHER;
    }
    u->dst_row = in_regs ? dst->value * SM_LANES : 0;
    if (other || u->in.exit || u->in.join || u->in.carry || u->postinc)
        return;
    if (u->unit == UNIT_ALU)
        u->quick = select_alu(u, made, to_register);
    else if (u->unit == UNIT_MOVE && to_register && u->in.cc_dst < 0)
        u->quick = made ? move_made : move;
    else if (u->unit == UNIT_LOAD && to_register && u->in.src[0].kind == ISA_G &&
             u->in.src[0].type == T_B32)
        u->quick = load;
    else if (u->unit == UNIT_R2A && dst->value >= 1 && dst->value <= 4 && u->how[0] == SOURCE_ROW &&
             u->in.src[1].kind == ISA_I && u->in.src[1].value < 32 && u->in.cc_dst < 0)
        u->quick = to_areg;
    else if (u->unit == UNIT_BRA && u->in.target % 8 == 0)
        u->quick = branch;
    else if (u->unit == UNIT_STORE)
        u->quick = select_store(u, in_regs);
}
