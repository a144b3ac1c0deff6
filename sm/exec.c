/* exec.c -- what an instruction does in its Write-back cycle: operands in, the operation, results
 * out, the next PC.
 *
 * The arithmetic itself is in alu.c and sfu.c, memory in lsu.c, the divergence stack in stack.c.
 * All effects of an instruction happen here at once, and in this order: predicate, operation, exit
 * or join, unwinding.
 */
#include "internal.h"

SM_CLONES static void merge(uint32_t *row, const uint32_t *d, uint32_t lanes)
{
    lanes_merge(row, d, lanes);
}

static void record_register(struct sm *m, uint32_t row)
{
    struct sm_commit *r = m->record;
    if (!r || r->nregs >= 4)
        return;
    if (r->nregs == 0)
        r->reg_row = (uint16_t)row;
    memcpy(r->reg[r->nregs++], &m->s.rf[row], sizeof r->reg[0]);
}

void sm_write_register(struct sm *m, struct sm_warp *w, uint32_t reg, const uint32_t *d,
                       uint32_t lanes)
{
    if (reg >= w->regs)
        return;
    uint32_t row = w->reg_base + reg * SM_LANES;
    merge(&m->s.rf[row], d, lanes);
    record_register(m, row);
    if (sm_hooked(m))
        sm_report_row(m, w, reg, m->hook->cycle, true, lanes, ACCESS_WHOLE);
}

static void write_half(struct sm *m, struct sm_warp *w, uint32_t half, const uint32_t *d,
                       uint32_t lanes)
{
    uint32_t reg = half >> 1;
    if (reg >= w->regs)
        return;
    uint32_t row = w->reg_base + reg * SM_LANES, whole[SM_LANES];
    for (int l = 0; l < SM_LANES; l++) {
        uint32_t old = m->s.rf[row + (uint32_t)l];
        whole[l] = sm_merge_half(old, d[l], half & 1);
    }
    merge(&m->s.rf[row], whole, lanes);
    record_register(m, row);
    if (sm_hooked(m))
        sm_report_row(m, w, reg, m->hook->cycle, true, lanes, sm_half_part(half));
}

static void write_dst(struct sm *m, struct sm_warp *w, const struct isa_operand *dst,
                      const uint32_t *d, uint32_t lanes)
{
    if (dst->kind == ISA_R)
        sm_write_register(m, w, dst->value, d, lanes);
    else if (dst->kind == ISA_RH)
        write_half(m, w, dst->value, d, lanes);
    /* ISA_OUT: discarded */
}

static void bytes_from_planes(const struct sm_cc *cc, uint8_t *flags)
{
    for (int l = 0; l < SM_LANES; l++)
        flags[l] = (uint8_t)((cc->z >> l & 1) | (cc->s >> l & 1) << 1 | (cc->c >> l & 1) << 2 |
                             (cc->o >> l & 1) << 3);
}

static void write_cc(struct sm *m, struct sm_warp *w, int number, const struct sm_cc *v,
                     uint32_t lanes)
{
    struct sm_cc *cc = &w->cc[number & 3];
    cc->z = (cc->z & ~lanes) | (v->z & lanes);
    cc->s = (cc->s & ~lanes) | (v->s & lanes);
    cc->c = (cc->c & ~lanes) | (v->c & lanes);
    cc->o = (cc->o & ~lanes) | (v->o & lanes);
    if (m->record) {
        m->record->cc = (int8_t)(number & 3);
        m->record->flags = *cc;
    }
    if (sm_hooked(m))
        sm_report_flags(m, w, (uint32_t)number, m->hook->cycle, true, lanes);
}

/* Predicates as functions of the flags (sm_10 predicate table: hi[11:7]). */
uint32_t exec_mask(const struct sm_warp *w, const struct isa_insn *in)
{
    uint32_t active = w->active & in->lanes * 0x11111111u; /* lanes: a mask for each quad */
    if (in->pred == PRED_ALWAYS)
        return active;
    const struct sm_cc *cc = &w->cc[in->cc_src & 3];
    uint32_t z = cc->z, s = cc->s, c = cc->c, o = cc->o, p;
    switch (in->pred) {
    case 0x00: p = 0; break;             /* never */
    case 0x01: p = (s & ~z) ^ o; break;  /* l */
    case 0x02: p = z & ~s; break;        /* e */
    case 0x03: p = s ^ (z | o); break;   /* le */
    case 0x04: p = ~z & ~(s ^ o); break; /* g */
    case 0x05: p = ~z; break;            /* lg */
    case 0x06: p = ~(s ^ o); break;      /* ge */
    case 0x07: p = ~z | ~s; break;       /* lge */
    case 0x08: p = z & s; break;         /* u */
    case 0x09: p = s ^ o; break;         /* lu */
    case 0x0a: p = z; break;             /* eu */
    case 0x0b: p = z | (s ^ o); break;   /* leu */
    case 0x0c: p = ~s ^ (z | o); break;  /* gu */
    case 0x0d: p = ~z | s; break;        /* lgu */
    case 0x0e: p = (~s | z) ^ o; break;  /* geu */
    case 0x10: p = o; break;             /* o */
    case 0x11: p = c; break;             /* c */
    case 0x12: p = ~z & c; break;        /* a */
    case 0x13: p = s; break;             /* s */
    case 0x1c: p = ~s; break;            /* ns */
    case 0x1d: p = z | ~c; break;        /* na */
    case 0x1e: p = ~c; break;            /* nc */
    case 0x1f: p = ~o; break;            /* no */
    default: p = ~0u; break;             /* no other code decodes */
    }
    return active & p;
}

/* Operand i as 32 lanes: a row of the register file itself, or `tmp` filled in. NULL after a
 * trap. */
static const uint32_t *operand(struct sm *m, struct sm_warp *w, const struct sm_uop *u, int i,
                               uint32_t exec, uint32_t tmp[SM_LANES])
{
    const struct isa_operand *o = &u->in.src[i];
    switch (o->kind) {
    case ISA_R:
        if (sm_hooked(m))
            sm_report_row(m, w, o->value, sm_read_cycle(m, w), false, exec, ACCESS_WHOLE);
        return register_row(m, w, o->value);
    case ISA_RH: {
        if (sm_hooked(m))
            sm_report_row(m, w, o->value >> 1, sm_read_cycle(m, w), false, exec,
                          sm_half_part(o->value));
        const uint32_t *row = register_row(m, w, o->value >> 1);
        for (int l = 0; l < SM_LANES; l++)
            tmp[l] = sm_half(row[l], o->value & 1);
        return tmp;
    }
    case ISA_I: return u->imm[i];
    case ISA_S:
    case ISA_K: return lsu_operand(m, w, o, exec, tmp) ? tmp : NULL;
    case ISA_A:
        if (sm_hooked(m))
            sm_report_areg(m, w, o->value, sm_read_cycle(m, w), false, exec);
        for (int l = 0; l < SM_LANES; l++)
            tmp[l] = o->value < 5 ? w->a[o->value][l] : 0;
        return tmp;
    default: return zero_row;
    }
}

static void do_alu(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec)
{
    alignas(64) uint32_t tmp[3][SM_LANES], d[SM_LANES];
    uint8_t cc[SM_LANES], flags[SM_LANES];
    const uint32_t *src[3] = {zero_row, zero_row, zero_row};
    for (int i = 0; i < u->nsrc; i++) {
        const struct isa_operand *o = &u->in.src[i];
        src[i] = o->kind == ISA_R && !sm_hooked(m) ? register_row(m, w, o->value)
                                                   : operand(m, w, u, i, exec, tmp[i]);
        if (!src[i])
            return;
    }
    if (sm_hooked(m) && u->in.carry)
        sm_report_flags(m, w, (uint32_t)u->in.cc_src, sm_read_cycle(m, w), false, exec);
    uint8_t *wanted = u->in.cc_dst >= 0 ? flags : NULL;
    if (u->in.carry || m->lanes)
        bytes_from_planes(&w->cc[u->in.cc_src & 3], cc);
    u->alu(&u->in, src[0], src[1], src[2], cc, d, wanted);
    if (m->lanes)
        m->lanes->compute(m->lanes->context, &u->in, exec, src[0], src[1], src[2], cc, d, wanted);
    write_dst(m, w, &u->in.dst, d, exec);
    if (u->in.cc_dst >= 0) {
        struct sm_cc v;
        flag_planes(flags, &v);
        write_cc(m, w, u->in.cc_dst, &v, exec);
    }
    lsu_postincrement(m, w, u, exec);
}

static void do_move(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec)
{
    alignas(64) uint32_t tmp[SM_LANES];
    const uint32_t *src = operand(m, w, u, 0, exec, tmp);
    if (!src)
        return;
    write_dst(m, w, &u->in.dst, src, exec);
    if (u->in.cc_dst >= 0) { /* flags of the value moved: Z and S */
        struct sm_cc v = {0};
        bool half = u->in.dst.kind == ISA_RH || u->in.src[0].kind == ISA_RH;
        for (int l = 0; l < SM_LANES; l++) {
            uint32_t x = half ? src[l] << 16 : src[l];
            v.z |= (uint32_t)(x == 0) << l;
            v.s |= (x >> 31) << l;
        }
        write_cc(m, w, u->in.cc_dst, &v, exec);
    }
    lsu_postincrement(m, w, u, exec);
}

static void write_areg(struct sm *m, struct sm_warp *w, uint32_t number, const uint32_t *v,
                       uint32_t lanes)
{
    if (number < 1 || number > 4)
        return; /* $a0 reads 0, $a5..$a7 do not exist */
    for (int l = 0; l < SM_LANES; l++)
        if (lanes >> l & 1)
            w->a[number][l] = (uint16_t)v[l];
    if (m->record) {
        m->record->areg = (int8_t)number;
        memcpy(m->record->a, w->a[number], sizeof m->record->a);
    }
    if (sm_hooked(m))
        sm_report_areg(m, w, number, m->hook->cycle, true, lanes);
}

static void do_special(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec)
{
    alignas(64) uint32_t t0[SM_LANES], t1[SM_LANES], d[SM_LANES];
    const uint32_t *a = operand(m, w, u, 0, exec, t0), *b = operand(m, w, u, 1, exec, t1);
    if (!a || !b)
        return;
    switch ((enum sm_unit)u->unit) {
    case UNIT_R2A: /* $a = r << immediate */
        for (int l = 0; l < SM_LANES; l++)
            d[l] = b[l] < 32 ? a[l] << b[l] : 0;
        write_areg(m, w, u->in.dst.value, d, exec);
        break;
    case UNIT_ADA: /* $a = $a + immediate */
        for (int l = 0; l < SM_LANES; l++)
            d[l] = a[l] + b[l];
        write_areg(m, w, u->in.dst.value, d, exec);
        break;
    case UNIT_A2R: write_dst(m, w, &u->in.dst, a, exec); break;
    case UNIT_C2R: {
        uint8_t flags[SM_LANES];
        bytes_from_planes(&w->cc[u->in.src[0].value & 3], flags);
        if (sm_hooked(m))
            sm_report_flags(m, w, u->in.src[0].value, sm_read_cycle(m, w), false, exec);
        for (int l = 0; l < SM_LANES; l++)
            d[l] = flags[l];
        write_dst(m, w, &u->in.dst, d, exec);
        break;
    }
    case UNIT_R2C: {
        uint8_t flags[SM_LANES];
        struct sm_cc v;
        for (int l = 0; l < SM_LANES; l++)
            flags[l] = a[l] & 15;
        flag_planes(flags, &v);
        write_cc(m, w, u->in.cc_dst >= 0 ? u->in.cc_dst : (int)u->in.dst.value, &v, exec);
        break;
    }
    default: { /* UNIT_S2R */
        uint32_t v = 0, per_lane = 0;
        if (u->in.src[0].value == SREG_CLOCK) {
            v = (uint32_t)(m->s.next - 1);
            m->s.clock_reads++;
        } else if (u->in.src[0].value == SREG_PHYSID) {
            /* bits 7..0 lane, 15..8 warp slot, 31..16 SM */
            v = (uint32_t)(w - m->s.warp) << 8 | (uint32_t)m->port.number << 16;
            per_lane = 1;
        }
        for (uint32_t l = 0; l < SM_LANES; l++)
            d[l] = v + per_lane * l;
        write_dst(m, w, &u->in.dst, d, exec);
    }
    }
}

/* Flags as of the number 2 where a lane has the lock now, else 0: LT tells. */
static void do_lock(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec)
{
    uint32_t v[SM_LANES];
    const uint32_t had = lsu_lock(m, w, u, exec, v);
    if (m->s.trap)
        return;
    write_dst(m, w, &u->in.dst, v, exec);
    if (u->in.cc_dst >= 0)
        write_cc(m, w, u->in.cc_dst, &(struct sm_cc){.s = had}, exec);
    lsu_postincrement(m, w, u, exec);
}

/* The predicate is what is asked: lanes in which it does not hold get the answer too. */
static void do_vote(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec)
{
    const bool holds = u->in.subop == VOTE_ANY ? exec != 0 : !(w->active & ~exec);
    write_cc(m, w, (int)u->in.dst.value, &(struct sm_cc){.z = holds ? 0 : ~0u}, w->active);
}

/* Control-flow instructions: everything that decides mask and PC, but for exit and join. Returns
 * the next PC. */
static uint32_t do_control(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec,
                           uint32_t *stall)
{
    struct sm_warp *w = &m->s.warp[wi];
    uint32_t next = w->pc + u->in.size, target = u->in.target;
    bool jumps = u->unit == UNIT_BRA || u->unit == UNIT_CAL || u->unit == UNIT_SSY ||
                 u->unit == UNIT_PBK;
    if (jumps && (target & 7)) {
        set_trap(m, wi, TRAP_FETCH_MISALIGNED);
        return next;
    }
    switch ((enum sm_unit)u->unit) {
    case UNIT_BRA:
        if (exec == 0)
            break;
        if (exec != w->active) {
            stack_push(m, wi, LE_DIVERGE, w->active & ~exec, next, stall);
            w->active = exec;
        }
        next = target;
        break;
    case UNIT_SSY: stack_push(m, wi, LE_SYNC, w->active, target, stall); break;
    case UNIT_PBK: stack_push(m, wi, LE_BREAK, w->active, target, stall); break;
    case UNIT_CAL:
        stack_push(m, wi, LE_CALL, w->active, next, stall);
        next = target;
        break;
    case UNIT_RET:
        if (m->img->profile.ret_pops)
            return stack_return(m, wi, exec, next, stall);
        set_thread_state(w, exec, TS_RETURNED);
        w->active &= ~exec;
        break;
    case UNIT_BRK:
        set_thread_state(w, exec, TS_BROKEN);
        w->active &= ~exec;
        break;
    default: break;
    }
    return next;
}

void exec_data(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec)
{
    struct sm_warp *w = &m->s.warp[wi];
    switch ((enum sm_unit)u->unit) {
    case UNIT_ALU: do_alu(m, w, u, exec); break;
    case UNIT_MOVE: do_move(m, w, u, exec); break;
    case UNIT_LOAD: lsu_load(m, w, u, exec); break;
    case UNIT_STORE: lsu_store(m, w, u, exec); break;
    case UNIT_ATOM: lsu_atom(m, w, u, exec); break;
    case UNIT_LOCK: do_lock(m, w, u, exec); break;
    case UNIT_TEXTURE: fetch_texture(m, w, u, exec); break;
    case UNIT_VOTE: do_vote(m, w, u, exec); break;
    default: do_special(m, w, u, exec);
    }
}

static void do_instruction(struct sm *m, int wi, const struct sm_uop *u, uint32_t exec,
                           uint32_t *stall)
{
    struct sm_warp *w = &m->s.warp[wi];
    uint32_t next = w->pc + u->in.size;
    switch ((enum sm_unit)u->unit) {
    case UNIT_ALU:
    case UNIT_MOVE:
    case UNIT_LOAD:
    case UNIT_STORE:
    case UNIT_ATOM:
    case UNIT_LOCK:
    case UNIT_TEXTURE:
    case UNIT_R2A:
    case UNIT_ADA:
    case UNIT_A2R:
    case UNIT_C2R:
    case UNIT_R2C:
    case UNIT_S2R:
        if (exec)
            exec_data(m, wi, u, exec);
        break;
    case UNIT_VOTE: exec_data(m, wi, u, exec); break;
    case UNIT_BRA:
    case UNIT_CAL:
    case UNIT_RET:
    case UNIT_SSY:
    case UNIT_PBK:
    case UNIT_BRK: next = do_control(m, wi, u, exec, stall); break;
    case UNIT_BAR:
        block_barrier(m, wi, (int)(u->in.src[0].value % (uint32_t)m->img->profile.barriers),
                      u->in.subop & 1, u->in.subop >> 1 & 1);
        break;
    case UNIT_TRAP: set_trap(m, wi, TRAP_TRAP_INSTRUCTION); break;
    case UNIT_UNSUPPORTED: set_trap(m, wi, TRAP_UNSUPPORTED_INSTRUCTION); break;
    case UNIT_NOP: break;
    default: set_trap(m, wi, TRAP_ILLEGAL_INSTRUCTION); break;
    }
    if (m->s.trap)
        return;
    /* Exit and join happen whatever the predicate says; no encoding has both. */
    if (u->in.exit && m->img->profile.exit_ends) {
        set_thread_state(w, w->active, TS_EXITED);
        w->active = 0;
    }
    if (u->in.join)
        stack_join(m, wi, stall);
    else
        w->pc = next;
}

bool exec_instruction(struct sm *m, int wi, uint32_t *stall)
{
    struct sm_warp *w = &m->s.warp[wi];
    struct sm_commit *r = m->record;
    const struct sm_uop *u = warp_uop(m, wi);
    if (r) {
        r->kind = COMMIT_INSTRUCTION;
        r->pc = w->pc;
        r->active = w->active;
        r->uop = u;
        if (u) {
            r->lo = u->lo;
            r->hi = u->hi;
        }
    }
    m->s.instructions++;
    if (!u) {
        set_trap(m, wi, w->fetched & 3 ? TRAP_FETCH_MISALIGNED : TRAP_FETCH_UNMAPPED);
        return false;
    }
    if (u->in.size == 8 && (w->fetched & 7)) {
        set_trap(m, wi, TRAP_FETCH_MISALIGNED);
        return false;
    }
    uint32_t exec = w->exec, sp = w->sp;
    if (r) {
        r->exec = exec;
        r->reg_mask = exec;
    }
    do_instruction(m, wi, u, exec, stall);
    return w->sp < sp;
}
