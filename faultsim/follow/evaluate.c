/* evaluate.c -- one instruction of one thread in 32 copies: operands, arithmetic,
 * results. */
#include "internal.h"

/* ---- operands -------------------------------------------------------------------------------- */

static const uint32_t *source(struct step *s, int i, const struct lane *x, uint32_t room[COPIES])
{
    const struct isa_operand *o = &s->in->src[i];
    struct lane y;
    switch ((enum isa_operand_kind)o->kind) {
    case ISA_R:
        return o->value < s->instance->regs ? contents(s, o->value, x->lane, s->e->row[i], room)
                                            : zero_row;
    case ISA_RH: {
        if (o->value >> 1 >= s->instance->regs)
            return zero_row;
        const uint32_t *v = contents(s, o->value >> 1, x->lane, s->e->row[i], room);
        for (int k = 0; k < COPIES; k++)
            room[k] = sm_half(v[k], o->value & 1);
        return room;
    }
    case ISA_I: return s->e->uop->imm[i];
    case ISA_A:
        return o->value >= 1 && o->value < 5
                   ? contents(s, PLACE_A + o->value, x->lane, s->e->a_in, room)
                   : zero_row;
    case ISA_S:
    case ISA_K:
        if (!s->calm) {
            y = *x;
            follow_find_addresses(s, o, &y);
        }
        follow_load(s, o, s->calm ? x : &y, 0, room);
        return room;
    default: return zero_row;
    }
}

/* ---- results --------------------------------------------------------------------------------- */

/* Copies that do not execute keep what they had. */
static void choose(uint32_t v[COPIES], const uint32_t *old, uint32_t exec)
{
    for (int i = 0; i < COPIES; i++)
        v[i] = exec & lane_bit[i] ? v[i] : old[i];
}

static void put_register(struct step *s, const struct lane *x, uint32_t reg, int k, bool half,
                         bool upper, const uint32_t d[COPIES])
{
    struct follower *l = s->l;
    if (reg >= s->instance->regs)
        return;
    uint32_t room[COPIES], v[COPIES];
    uint32_t before = s->e->row[ROW_DATA + k],
             after = s->e->made == FLOW_NONE ? before : s->e->made + (uint32_t)k;
    const uint32_t *old = contents(s, reg, x->lane, before, room);
    for (int i = 0; i < COPIES; i++)
        v[i] = half ? sm_merge_half(old[i], d[i], upper) : d[i];
    choose(v, old, x->exec);
    follow_set_place(l, s->e->instance, s->e->at, reg, x->lane, v, after);
    s->t = find_track(l, s->e->instance);
}

static void write_dst(struct step *s, const struct lane *x, const uint32_t d[COPIES])
{
    const struct isa_operand *o = &s->in->dst;
    if (o->kind == ISA_R)
        put_register(s, x, o->value, 0, false, false, d);
    else if (o->kind == ISA_RH)
        put_register(s, x, o->value >> 1, 0, true, o->value & 1, d);
}

static void write_flags(struct step *s, const struct lane *x, uint32_t number, uint32_t v[COPIES])
{
    uint32_t room[COPIES];
    choose(v, contents(s, PLACE_CC + number, x->lane, s->e->cc_old, room), x->exec);
    follow_set_place(s->l, s->e->instance, s->e->at, PLACE_CC + number, x->lane, v, s->e->cc_new);
    s->t = find_track(s->l, s->e->instance);
}

static void write_areg(struct step *s, const struct lane *x, uint32_t number, uint32_t v[COPIES])
{
    uint32_t room[COPIES];
    if (number < 1 || number > 4)
        return;
    for (int i = 0; i < COPIES; i++)
        v[i] &= 0xffff;
    choose(v, contents(s, PLACE_A + number, x->lane, s->e->a_old, room), x->exec);
    follow_set_place(s->l, s->e->instance, s->e->at, PLACE_A + number, x->lane, v, s->e->a_new);
    s->t = find_track(s->l, s->e->instance);
}

static void postincrement(struct step *s, const struct lane *x)
{
    const struct isa_operand *list[4] = {&s->in->dst, &s->in->src[0], &s->in->src[1],
                                         &s->in->src[2]};
    for (int i = 0; s->e->uop->postinc && i < 4; i++) {
        const struct isa_operand *o = list[i];
        uint32_t room[COPIES], v[COPIES];
        if (!o->postinc || o->areg < 1 || o->areg > 4)
            continue;
        const uint32_t *a = contents(s, PLACE_A + o->areg, x->lane, s->e->a_old, room);
        for (int k = 0; k < COPIES; k++)
            v[k] = a[k] + o->value;
        write_areg(s, x, o->areg, v);
        return;
    }
}

/* ---- the kinds of instruction ---------------------------------------------------------------- */

static void evaluate_alu(struct step *s, const struct lane *x)
{
    uint32_t room[3][COPIES], d[COPIES], v[COPIES];
    uint8_t cc[COPIES] = {0}, flags[COPIES];
    const uint32_t *src[3] = {zero_row, zero_row, zero_row};
    const struct sm_uop *u = s->e->uop;
    bool has_flags = s->in->cc_dst >= 0;
    for (int i = 0; i < u->nsrc; i++)
        src[i] = source(s, i, x, room[i]);
    if (s->in->carry) {
        const uint32_t *c = contents(s, PLACE_CC + (uint32_t)(s->in->cc_src & 3), x->lane,
                                     s->e->cc_in, v);
        for (int i = 0; i < COPIES; i++)
            cc[i] = (uint8_t)c[i];
    }
    u->alu(s->in, src[0], src[1], src[2], cc, d, has_flags ? flags : NULL);
    write_dst(s, x, d);
    if (has_flags) {
        for (int i = 0; i < COPIES; i++)
            v[i] = flags[i] & 15;
        write_flags(s, x, (uint32_t)(s->in->cc_dst & 3), v);
    }
}

static void evaluate_move(struct step *s, const struct lane *x)
{
    uint32_t room[COPIES], v[COPIES];
    const uint32_t *src = source(s, 0, x, room);
    bool half = s->in->dst.kind == ISA_RH || s->in->src[0].kind == ISA_RH;
    for (int i = 0; i < COPIES; i++) {
        uint32_t y = half ? src[i] << 16 : src[i];
        v[i] = (uint32_t)(y == 0) | y >> 31 << 1;
    }
    memmove(room, src, sizeof room);
    write_dst(s, x, room);
    if (s->in->cc_dst >= 0)
        write_flags(s, x, (uint32_t)(s->in->cc_dst & 3), v);
}

static void evaluate_special(struct step *s, const struct lane *x)
{
    uint32_t t0[COPIES], t1[COPIES], d[COPIES];
    const uint32_t *a = source(s, 0, x, t0), *b = source(s, 1, x, t1);
    enum sm_unit unit = (enum sm_unit)s->e->uop->unit;
    for (int i = 0; i < COPIES; i++)
        d[i] = unit == UNIT_R2A   ? (b[i] < 32 ? a[i] << b[i] : 0)
               : unit == UNIT_ADA ? a[i] + b[i]
                                  : a[i];
    switch (unit) {
    case UNIT_R2A:
    case UNIT_ADA: write_areg(s, x, s->in->dst.value, d); break;
    case UNIT_C2R:
        memcpy(d, contents(s, PLACE_CC + (s->in->src[0].value & 3), x->lane, s->e->cc_old, t0),
               sizeof d);
        write_dst(s, x, d);
        break;
    case UNIT_R2C:
        for (int i = 0; i < COPIES; i++)
            d[i] &= 15;
        write_flags(s, x,
                    s->in->cc_dst >= 0 ? (uint32_t)(s->in->cc_dst & 3)
                                       : (uint32_t)(s->in->dst.value & 3),
                    d);
        break;
    default: write_dst(s, x, d);
    }
}

/* The value does not depend on data; who does not read it in the golden run cannot know it here. */
static void evaluate_s2r(struct step *s, const struct lane *x)
{
    uint32_t v[COPIES];
    if (x->exec & ~golden_exec(s, x->lane))
        lose(s->l, x->exec);
    else if (s->in->dst.kind == ISA_R && s->in->dst.value < s->instance->regs)
        write_dst(s, x, golden(s->l, 0, s->e->made, x->lane, v));
    else
        lose(s->l, ~0u);
}

static void evaluate_load(struct step *s, const struct lane *x)
{
    const struct isa_operand *o = &s->in->src[0];
    uint32_t d[4][COPIES], words = sm_operand_words(o);
    for (uint32_t k = 0; k < words; k++)
        follow_load(s, o, x, k, d[k]);
    for (uint32_t k = 0; k < words && s->in->dst.kind == ISA_R; k++)
        put_register(s, x, s->in->dst.value + k, (int)k, false, false, d[k]);
}

/* Lanes that find something else get another result, whether or not anything of their own differs. */
static void evaluate_atom(struct step *s)
{
    uint32_t found[SM_LANES][COPIES] = {{0}}, lanes, affected = 0;
    if (s->in->type == T_B64) { /* a machine knows: the flow has one row for each source */
        lose(s->l, ~0u);
        return;
    }
    lanes = follow_atom(s, found);
    for (int i = 0; i < s->n; i++) {
        affected |= lane_bit[s->lane[i].lane];
        if (s->in->op == OP_GATOM)
            put_register(s, &s->lane[i], s->in->dst.value, 0, false, false, found[s->lane[i].lane]);
    }
    for (lanes &= ~affected; lanes && s->in->op == OP_GATOM; lanes &= lanes - 1) {
        const struct lane x = {.lane = __builtin_ctz(lanes), .exec = ~0u};
        put_register(s, &x, s->in->dst.value, 0, false, false, found[x.lane]);
    }
}

/* Where the answer is that of the golden run, so are the flags of all active lanes. */
static void evaluate_vote(struct step *s)
{
    const bool any = s->in->subop == VOTE_ANY;
    uint32_t v[COPIES], rest = s->e->exec, active = s->e->active, holds;
    for (int i = 0; i < s->n; i++) {
        rest &= ~lane_bit[s->lane[i].lane];
        active &= ~lane_bit[s->lane[i].lane];
    }
    holds = (any ? rest != 0 : rest == active) ? ~0u : 0;
    for (int i = 0; i < s->n; i++)
        holds = any ? holds | s->lane[i].exec : holds & s->lane[i].exec;
    lose(s->l, (any ? s->e->exec != 0 : s->e->exec == s->e->active) ? ~holds : holds);
    for (int i = 0; i < s->n && s->l->alive; i++) {
        const struct lane x = {.lane = s->lane[i].lane, .exec = ~0u};
        fill(v, sm_lane_flags(&s->l->f->flags[s->e->cc_new], x.lane));
        write_flags(s, &x, s->in->dst.value & 3, v);
    }
}

void follow_evaluate(struct step *s)
{
    struct follower *l = s->l;
    const struct isa_operand *src[3] = {&s->in->src[0], &s->in->src[1], &s->in->src[2]},
                             *dst[1] = {&s->in->dst};
    enum sm_unit unit = (enum sm_unit)s->e->uop->unit;
    switch (unit) {
    case UNIT_BRA:
    case UNIT_RET:
    case UNIT_BRK: {
        uint32_t apart = 0;
        for (int i = 0; i < s->n; i++)
            apart |= golden_exec(s, s->lane[i].lane) ^ s->lane[i].exec;
        follow_diverge(s, apart);
        return;
    }
    case UNIT_STORE: follow_find_memory(s, dst, 1); break;
    case UNIT_LOAD:
    case UNIT_MOVE: follow_find_memory(s, src, 1); break;
    case UNIT_ALU: follow_find_memory(s, src, s->e->uop->nsrc); break;
    case UNIT_R2A:
    case UNIT_ADA:
    case UNIT_A2R:
    case UNIT_C2R:
    case UNIT_R2C: follow_find_memory(s, src, 2); break;
    case UNIT_S2R: break;
    case UNIT_ATOM:
        follow_find_memory(s, &(const struct isa_operand *){s->e->uop->memory}, 1);
        break;
    case UNIT_VOTE: break;
    case UNIT_TEXTURE: lose(l, ~0u); return; /* a machine knows what it reads, and how long */
    default: return;
    }
    l->evaluated += (uint64_t)s->n;
    if (unit == UNIT_STORE)
        follow_store(s);
    if (unit == UNIT_ATOM)
        evaluate_atom(s);
    if (unit == UNIT_VOTE)
        evaluate_vote(s);
    if (unit == UNIT_ATOM || unit == UNIT_VOTE)
        return;
    for (int i = 0; i < s->n && l->alive; i++) {
        const struct lane *x = &s->lane[i];
        switch (unit) {
        case UNIT_ALU: evaluate_alu(s, x); break;
        case UNIT_MOVE: evaluate_move(s, x); break;
        case UNIT_LOAD: evaluate_load(s, x); break;
        case UNIT_STORE: break;
        case UNIT_S2R: evaluate_s2r(s, x); continue;
        default: evaluate_special(s, x); continue; /* these do not post-increment */
        }
        postincrement(s, x);
    }
}
