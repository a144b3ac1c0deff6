/* evaluate.c -- one instruction of one thread in 32 copies: the C model executes it, for a warp of which each lane is a
 * copy. */
#include "base/invariant.h"
#include "internal.h"

/* ---- into the warp and out of it --------------------------------------------------------------- */

void follow_enter_row(const struct step *s, uint32_t reg, int lane, uint32_t at)
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

void follow_enter_areg(const struct step *s, uint32_t number, int lane, uint32_t at)
{
    uint32_t room[COPIES];
    const uint32_t *v = contents(s, PLACE_A + number, lane, at, room);
    for (int i = 0; number && i < COPIES; i++)
        s->l->scratch->sm->s.warp[0].a[number][i] = (uint16_t)v[i];
}

/* The registers of which ROW_DATA and the rows after it say what they hold: those that the instruction stores or writes. */
static uint32_t data_registers(const struct step *s, uint32_t *first)
{
    const bool stores = s->e->uop->unit == UNIT_STORE, loads = s->e->uop->unit == UNIT_LOAD;
    const struct isa_operand *o = stores ? &s->in->src[0] : &s->in->dst;
    *first = o->kind == ISA_RH ? o->value >> 1 : o->value;
    return o->kind == ISA_RH  ? !loads
           : o->kind != ISA_R ? 0
           : stores           ? sm_operand_words(&s->in->dst)
           : loads            ? sm_operand_words(&s->in->src[0])
                              : 1;
}

/* All that the instruction reads, and what it may leave as it was. */
static void enter(const struct step *s, int lane)
{
    const struct flow_event *e = s->e;
    const uint32_t a_in = flow_areg_read(e->uop), a_out = flow_areg_written(e->uop);
    const int flags = flow_flags_written(e->uop);
    uint32_t first, n = data_registers(s, &first);
    for (int i = 0; i < 3; i++) {
        const struct isa_operand *o = &s->in->src[i];
        if (o->kind == ISA_R || o->kind == ISA_G || o->kind == ISA_RH)
            follow_enter_row(s, o->kind == ISA_RH ? o->value >> 1 : o->value, lane, e->row[i]);
    }
    if (s->in->dst.kind == ISA_G)
        follow_enter_row(s, s->in->dst.value, lane, e->row[ROW_ADDRESS]);
    for (uint32_t k = 0; k < n; k++)
        follow_enter_row(s, first + k, lane, e->row[ROW_DATA + k]);
    if (s->in->carry)
        enter_flags(s, s->in->cc_src & 3, lane, e->cc_in);
    if (e->uop->unit == UNIT_C2R)
        enter_flags(s, s->in->src[0].value & 3, lane, e->cc_old);
    else if (flags >= 0)
        enter_flags(s, (uint32_t)flags, lane, e->cc_old);
    if (a_in)
        follow_enter_areg(s, a_in, lane, e->a_in);
    if (a_out)
        follow_enter_areg(s, a_out, lane, e->a_old);
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
    uint32_t first, n = data_registers(s, &first), v[COPIES];
    for (uint32_t k = 0; s->e->uop->unit != UNIT_STORE && k < n && first + k < s->instance->regs;
         k++)
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

static void execute(struct step *s, int lane, uint32_t exec)
{
    struct sm *m = s->l->scratch->sm;
    struct reader reader = {s, lane};
    exec &= s->l->alive;
    follow_scratch(s);
    enter(s, lane);
    m->words = follow_words;
    m->words_context = &reader;
    if (exec)
        exec_data(m, 0, s->e->uop, exec);
    m->words = NULL;
    FL_INVARIANT(!m->s.trap); /* copies that trap have crashed before */
    leave(s, lane);
}

/* The value does not depend on data; a lane that does not read it in the golden run cannot know it here. */
static void copy_special(struct step *s, const struct lane *x)
{
    uint32_t v[COPIES];
    if (s->in->dst.kind != ISA_R || s->in->dst.value >= s->instance->regs)
        lose(s->l, ~0u);
    else
        lose(s->l, x->exec ^ golden_exec(s, x->lane));
    if (s->l->alive && s->e->exec >> x->lane & 1)
        set(s, s->in->dst.value, x->lane, golden(s->l, 0, s->e->made, x->lane, v), s->e->made);
}

/* Lanes decide together: each copy is a warp by itself, and all active lanes get flags. */
static void execute_together(struct step *s)
{
    struct sm *m = s->l->scratch->sm;
    const int flags = flow_flags_written(s->e->uop);
    uint32_t v[SM_LANES][COPIES];
    m->s.warp[0].active = s->e->active;
    for (int c = 0; c < COPIES; c++) {
        exec_data(m, 0, s->e->uop, follow_exec(s, c));
        for (int lane = 0; lane < SM_LANES; lane++)
            v[lane][c] = sm_lane_flags(&m->s.warp[0].cc[flags], lane);
    }
    for (uint32_t lanes = s->e->active; lanes; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        set(s, PLACE_CC + (uint32_t)flags, lane, v[lane], s->e->cc_new);
    }
}

static void execute_lanes(struct step *s)
{
    const uint32_t others = follow_open_words(s);
    uint32_t lanes = others;
    for (int i = 0; i < s->n; i++)
        lanes |= lane_bit[s->lane[i].lane];
    const struct lane *next = s->lane;
    for (; lanes && s->l->alive; lanes &= lanes - 1) {
        const int lane = __builtin_ctz(lanes);
        execute(s, lane, others & lane_bit[lane] ? ~0u : next++->exec);
    }
    follow_close_words(s);
}

void follow_evaluate(struct step *s)
{
    uint32_t diverged = 0;
    switch ((enum sm_unit)s->e->uop->unit) {
    case UNIT_BRA:
    case UNIT_RET:
    case UNIT_BRK:
        for (int i = 0; i < s->n; i++)
            diverged |= golden_exec(s, s->lane[i].lane) ^ s->lane[i].exec;
        follow_diverge(s, diverged);
        return;
    case UNIT_NONE:
    case UNIT_NOP:
    case UNIT_CAL:
    case UNIT_SSY:
    case UNIT_PBK:
    case UNIT_BAR:
    case UNIT_TRAP:
    case UNIT_UNSUPPORTED: return;
    case UNIT_TEXTURE: lose(s->l, ~0u); return; /* a machine knows what it reads, and how long */
    case UNIT_ATOM:
        if (s->in->type == T_B64) /* the event has one row for each source */
            lose(s->l, ~0u);
        break;
    default: break;
    }
    s->l->evaluated += (uint64_t)s->n;
    follow_find_memory(s);
    if (s->e->uop->unit == UNIT_VOTE)
        execute_together(s);
    else if (s->e->uop->unit != UNIT_S2R)
        execute_lanes(s);
    for (int i = 0; s->e->uop->unit == UNIT_S2R && i < s->n && s->l->alive; i++)
        copy_special(s, &s->lane[i]);
}
