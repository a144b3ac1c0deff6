/* evaluate.c -- one instruction of one thread in 32 copies: the C model executes it, for a warp of which each lane is a
 * copy. */
#include "base/invariant.h"
#include "internal.h"

/* ---- into the warp and out of it --------------------------------------------------------------- */

static void enter_row(const struct step *s, uint32_t reg, int lane, uint32_t at)
{
    uint32_t room[COPIES];
    if (reg < s->instance->regs)
        memcpy(&s->l->scratch->sm->s.rf[reg * SM_LANES], contents(s, reg, lane, at, room),
               sizeof room);
}

static void enter_flags(const struct step *s, uint32_t number, int lane, uint32_t at)
{
    uint32_t room[COPIES];
    uint8_t byte[COPIES];
    const uint32_t *v = contents(s, PLACE_CC + number, lane, at, room);
    for (int i = 0; i < COPIES; i++)
        byte[i] = (uint8_t)v[i];
    flag_planes(byte, &s->l->scratch->sm->s.warp[0].cc[number]);
}

static void enter_areg(const struct step *s, uint32_t number, int lane, uint32_t at)
{
    uint32_t room[COPIES];
    const uint32_t *v = contents(s, PLACE_A + number, lane, at, room);
    for (int i = 0; number && i < COPIES; i++)
        s->l->scratch->sm->s.warp[0].a[number][i] = (uint16_t)v[i];
}

/* The registers that the instruction writes. */
static uint32_t results(const struct step *s, uint32_t *first)
{
    const struct isa_operand *o = &s->in->dst;
    *first = o->kind == ISA_RH ? o->value >> 1 : o->value;
    return o->kind == ISA_RH              ? s->e->uop->unit != UNIT_LOAD
           : o->kind != ISA_R             ? 0
           : s->e->uop->unit == UNIT_LOAD ? sm_operand_words(&s->in->src[0])
                                          : 1;
}

/* All that the instruction reads, and what it may leave as it was. */
static void enter(const struct step *s, int lane)
{
    const struct flow_event *e = s->e;
    const uint32_t a_in = flow_areg_read(e->uop), a_out = flow_areg_written(e->uop);
    const int flags = flow_flags_written(e->uop);
    uint32_t first, n = results(s, &first);
    for (int i = 0; i < 3; i++) {
        const struct isa_operand *o = &s->in->src[i];
        if (o->kind == ISA_R || o->kind == ISA_G || o->kind == ISA_RH)
            enter_row(s, o->kind == ISA_RH ? o->value >> 1 : o->value, lane, e->row[i]);
    }
    for (uint32_t k = 0; k < n; k++)
        enter_row(s, first + k, lane, e->row[ROW_DATA + k]);
    if (s->in->carry)
        enter_flags(s, s->in->cc_src & 3, lane, e->cc_in);
    if (e->uop->unit == UNIT_C2R)
        enter_flags(s, s->in->src[0].value & 3, lane, e->cc_old);
    else if (flags >= 0)
        enter_flags(s, (uint32_t)flags, lane, e->cc_old);
    if (a_in)
        enter_areg(s, a_in, lane, e->a_in);
    if (a_out)
        enter_areg(s, a_out, lane, e->a_old);
}

static void set(struct step *s, uint32_t place, int lane, const uint32_t v[COPIES], uint32_t after)
{
    follow_set_place(s->l, s->e->instance, s->e->at, place, lane, v, after);
    s->t = find_track(s->l, s->e->instance);
}

static uint32_t row_after(const struct step *s, uint32_t k)
{
    return s->e->made == FLOW_NONE ? s->e->row[ROW_DATA + k] : s->e->made + k;
}

static void leave(struct step *s, int lane)
{
    const struct sm *m = s->l->scratch->sm;
    const uint32_t a = flow_areg_written(s->e->uop);
    const int flags = flow_flags_written(s->e->uop);
    uint32_t first, n = results(s, &first), v[COPIES];
    for (uint32_t k = 0; k < n && first + k < s->instance->regs; k++)
        set(s, first + k, lane, &m->s.rf[(first + k) * SM_LANES], row_after(s, k));
    if (flags >= 0) {
        for (int i = 0; i < COPIES; i++)
            v[i] = sm_lane_flags(&m->s.warp[0].cc[flags], i);
        set(s, PLACE_CC + (uint32_t)flags, lane, v, s->e->cc_new);
    }
    if (a) {
        for (int i = 0; i < COPIES; i++)
            v[i] = m->s.warp[0].a[a][i];
        set(s, PLACE_A + a, lane, v, s->e->a_new);
    }
}

static void execute(struct step *s, const struct lane *x)
{
    struct sm *m = s->l->scratch->sm;
    const uint32_t exec = x->exec & s->l->alive;
    struct reader reader = {s, x};
    follow_scratch(s);
    enter(s, x->lane);
    m->words = follow_words;
    m->words_context = &reader;
    if (exec)
        exec_data(m, 0, s->e->uop, exec);
    m->words = NULL;
    FL_INVARIANT(!m->s.trap); /* copies that trap have crashed before */
    leave(s, x->lane);
}

/* ---- what no single lane decides --------------------------------------------------------------- */

/* A register, in the copies that execute; the others keep what they had. */
static void put_register(struct step *s, const struct lane *x, const uint32_t d[COPIES])
{
    uint32_t room[COPIES], v[COPIES], reg = s->in->dst.value;
    if (reg >= s->instance->regs)
        return;
    const uint32_t *old = contents(s, reg, x->lane, s->e->row[ROW_DATA], room);
    for (int i = 0; i < COPIES; i++)
        v[i] = x->exec & lane_bit[i] ? d[i] : old[i];
    set(s, reg, x->lane, v, row_after(s, 0));
}

/* The value does not depend on data; who does not read it in the golden run cannot know it here. */
static void evaluate_s2r(struct step *s, const struct lane *x)
{
    uint32_t v[COPIES];
    if (x->exec & ~golden_exec(s, x->lane))
        lose(s->l, x->exec);
    else if (s->in->dst.kind == ISA_R && s->in->dst.value < s->instance->regs)
        put_register(s, x, golden(s->l, 0, s->e->made, x->lane, v));
    else
        lose(s->l, ~0u);
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
            put_register(s, &s->lane[i], found[s->lane[i].lane]);
    }
    for (lanes &= ~affected; lanes && s->in->op == OP_GATOM; lanes &= lanes - 1) {
        const struct lane x = {.lane = __builtin_ctz(lanes), .exec = ~0u};
        put_register(s, &x, found[x.lane]);
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
        set(s, PLACE_CC + (s->in->dst.value & 3), x.lane, v, s->e->cc_new);
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
        if (unit == UNIT_S2R)
            evaluate_s2r(s, &s->lane[i]);
        else if (unit != UNIT_STORE || s->e->uop->postinc)
            execute(s, &s->lane[i]);
    }
}
