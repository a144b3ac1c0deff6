/* memory.c -- memory as the copies see it: addresses and how long they take, traps, and the words that instructions read and
 * write there. */
#include "internal.h"

/* ---- addresses ------------------------------------------------------------------------------- */

static bool in_memory(const struct isa_operand *o)
{
    return o->kind == ISA_S || o->kind == ISA_G || o->kind == ISA_L || o->kind == ISA_K;
}

static uint32_t row_of(const struct step *s, const struct isa_operand *o)
{
    return o->kind == ISA_G ? s->e->row[ROW_ADDRESS] : FLOW_NONE;
}

static uint32_t golden_address(const struct step *s, const struct isa_operand *o, int lane)
{
    return flow_address(s->l->f, s->e, o, row_of(s, o), lane);
}

/* The address register that it adds; 0: none. There are four. */
static uint32_t areg_of(const struct isa_operand *o)
{
    return o->areg < 5 ? o->areg : 0;
}

static void find_addresses(const struct step *s, const struct isa_operand *o, struct lane *x)
{
    const uint32_t areg = areg_of(o);
    bool same = o->kind == ISA_G ? !find_place(s->t, o->value, x->lane)
                                 : !areg || !find_place(s->t, PLACE_A + areg, x->lane);
    x->moved = 0;
    if (same && (s->e->exec >> x->lane & 1))
        return; /* nobody asks */
    follow_scratch(s);
    if (o->kind == ISA_G)
        follow_enter_row(s, o->value, x->lane, row_of(s, o));
    else if (areg)
        follow_enter_areg(s, areg, x->lane, s->e->a_in);
    lsu_addresses(s->l->scratch->sm, s->l->scratch->sm->s.warp, o, x->addr.v);
    x->moved = same ? 0 : lanes_differ(x->addr.v, golden_address(s, o, x->lane));
}

static void crash(struct follower *l, uint32_t copies, uint32_t event, enum sm_trap trap)
{
    copies &= l->alive;
    for (int i = 0; i < COPIES; i++)
        if (copies >> i & 1) {
            l->stop_event[i] = event;
            l->trap[i] = trap;
        }
    l->crashed |= copies;
    l->alive &= ~copies;
}

void follow_scratch(const struct step *s)
{
    struct sm *m = s->l->scratch->sm;
    m->kernel = &s->l->g->img->kernel[s->instance->kernel];
    m->s.warp[0].block = 0;
    m->s.warp[0].regs = s->instance->regs;
    m->s.block[0].shared = s->l->f->block[s->instance->block].shared;
}

/* A lane of the scratch warp has this address. */
static void put_address(const struct step *s, const struct isa_operand *o, int lane, uint32_t addr)
{
    struct sm *m = s->l->scratch->sm;
    if (o->kind == ISA_G)
        m->s.rf[o->value * SM_LANES + (uint32_t)lane] = addr;
    else
        m->s.warp[0].a[areg_of(o)][lane] = (uint16_t)(addr - (o->postinc ? 0 : o->value));
}

/* Lanes that have addresses in copy v that they do not have in the golden run: the scratch warp has them. */
static uint32_t put_moved(const struct step *s, const struct isa_operand *o, int v)
{
    uint32_t lanes = 0;
    for (int i = 0; i < s->n; i++) {
        const struct lane *x = &s->lane[i];
        if (x->moved >> v & 1 || !(s->e->exec >> x->lane & 1)) {
            put_address(s, o, x->lane, x->addr.v[v]);
            lanes |= lane_bit[x->lane];
        }
    }
    return lanes;
}

/* Each copy is a warp by itself: an address that is misaligned in any lane counts before one that is out of bounds. */
static void check_traps(struct step *s, const struct isa_operand *o)
{
    struct sm *m = s->l->scratch->sm;
    uint32_t ask = 0;
    for (int i = 0; i < s->n; i++)
        ask |= s->lane[i].exec & (s->e->exec >> s->lane[i].lane & 1 ? s->lane[i].moved : ~0u);
    ask &= s->l->alive;
    follow_scratch(s);
    m->s.warp[0].regs = 256;
    for (; ask; ask &= ask - 1) {
        const int v = __builtin_ctz(ask);
        const enum sm_trap trap = lsu_trap(m, 0, o, put_moved(s, o, v) & follow_exec(s, v));
        if (trap)
            crash(s->l, lane_bit[v], s->event, trap);
    }
}

/* How long the access takes in the scratch warp with these lanes, as struct sm's `retime` counts. */
static uint32_t cost_of(const struct step *s, uint32_t exec)
{
    struct sm *m = s->l->scratch->sm;
    m->s.warp[0].exec = exec;
    return s->e->uop->offchip ? lsu_transactions(m, 0, s->e->uop)
                              : lsu_execute_cycles(m, 0, s->e->uop, 0);
}

static void note_cost(struct follower *l, uint32_t event, uint32_t cost, uint32_t copy)
{
    for (uint32_t i = l->ncosts; i-- > 0 && l->cost[i].event == event;)
        if (l->cost[i].cost == cost) {
            l->cost[i].mask |= copy;
            return;
        }
    if (l->ncosts == MAX_COSTS || l->g->img->caches.any)
        lose(l, copy);
    else
        l->cost[l->ncosts++] = (struct cost){event, cost, copy};
}

/* Copies in which other lanes access the operand, or other addresses. */
static uint32_t accessed_otherwise(struct step *s, const struct isa_operand *o)
{
    uint32_t copies = 0;
    for (int i = 0; i < s->n; i++) {
        struct lane *x = &s->lane[i];
        find_addresses(s, o, x);
        copies |= s->e->exec >> x->lane & 1 ? ~x->exec | x->moved : x->exec;
    }
    return copies & s->l->alive;
}

/* In caches they find other lines, and what that takes is not known. */
static void lose_other_lines(struct step *s)
{
    const struct isa_operand *list[4] = {&s->in->src[0], &s->in->src[1], &s->in->src[2],
                                         s->e->uop->offchip ? s->e->uop->memory : NULL};
    for (int i = 0; i < 4 && s->l->g->img->caches.any; i++)
        if (list[i] && (i == 3 || list[i]->kind == ISA_K))
            lose(s->l, accessed_otherwise(s, list[i]));
}

static void check_cost(struct step *s, const struct isa_operand *o)
{
    uint32_t good[SM_LANES], ask = accessed_otherwise(s, o);
    if (!ask)
        return;
    follow_scratch(s);
    s->l->scratch->sm->s.warp[0].regs = 256;
    for (int i = 0; i < SM_LANES; i++)
        put_address(s, o, i, good[i] = golden_address(s, o, i));
    uint32_t usual = cost_of(s, s->e->exec);
    for (; ask; ask &= ask - 1) {
        const int v = __builtin_ctz(ask);
        uint32_t moved = put_moved(s, o, v), cost = cost_of(s, follow_exec(s, v));
        if (cost != usual)
            note_cost(s->l, s->event, cost, lane_bit[v]);
        for (; moved; moved &= moved - 1)
            put_address(s, o, __builtin_ctz(moved), good[__builtin_ctz(moved)]);
    }
}

void follow_find_memory(struct step *s)
{
    const struct isa_operand *list[4] = {&s->in->dst, &s->in->src[0], &s->in->src[1],
                                         &s->in->src[2]};
    const struct isa_operand *timed = s->e->uop->memory;
    for (uint32_t i = 0; s->t && i < s->t->n && s->calm; i++)
        s->calm = s->t->place[i].place < PLACE_A &&
                  (!timed || timed->kind != ISA_G || timed->value != s->t->place[i].place);
    if (s->calm)
        return;
    lose_other_lines(s);
    if (timed && (s->e->uop->longer || s->e->uop->offchip))
        check_cost(s, timed);
    for (int i = 0; i < 4; i++) {
        if (!in_memory(list[i]))
            continue;
        for (int k = 0; k < s->n; k++) {
            find_addresses(s, list[i], &s->lane[k]);
            if (list[i]->kind == ISA_S || list[i]->kind == ISA_L)
                follow_lose_stale(s, s->lane[k].moved);
        }
        check_traps(s, list[i]);
    }
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The event is another warp's. */
static bool of_others(const struct step *s, uint32_t event)
{
    const struct flow_event *e = &s->l->f->event[event];
    return e->instance != s->e->instance && !flow_by_host(e);
}

/* Does anybody else write the word, or read it? Then it matters when this access comes. */
static bool shared_word(const struct step *s, uint32_t word, bool store)
{
    const struct flow *f = s->l->f;
    const struct flow_chain *c = &f->chain[word];
    if (find_word(s->l, word))
        return true;
    for (uint32_t i = 0; i < c->writes; i++)
        if (of_others(s, f->write[c->write + i].event))
            return true;
    for (uint32_t i = 0; store && i < c->reads; i++)
        if (of_others(s, f->read[c->read + i]))
            return true;
    return false;
}

static struct word *find_stored(struct follower *l, uint32_t number)
{
    uint32_t i = 0;
    while (i < l->nstored && l->stored[i].number != number)
        i++;
    return i < l->nstored ? &l->stored[i] : NULL;
}

/* From here to follow_close_words the words from `first` on are those in `stored`. */
static void open_words(const struct step *s, const struct isa_operand *o, uint32_t first)
{
    struct follower *l = s->l;
    for (uint32_t k = 0; k < sm_operand_words(o); k++) {
        const uint32_t number = first + k * flow_step(o);
        const struct word *w = find_word(l, number);
        if (find_stored(l, number))
            continue;
        if (l->nstored == MAX_WORDS) {
            lose(l, ~0u);
            return;
        }
        struct word *x = &l->stored[l->nstored++];
        x->number = number;
        if (w)
            x->x = w->x;
        else
            fill(x->x.v, follow_word_before(l, number, s->event));
    }
}

uint32_t follow_open_words(struct step *s)
{
    struct follower *l = s->l;
    const struct isa_operand *o = s->e->uop->unit == UNIT_STORE  ? &s->in->dst
                                  : s->e->uop->unit == UNIT_ATOM ? s->e->uop->memory
                                                                 : NULL;
    uint32_t first[SM_LANES], rest = o ? s->e->exec : 0, others = 0;
    for (uint32_t left = rest; left; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        first[lane] = flow_word(l->f, s->instance, o, golden_address(s, o, lane), lane);
    }
    for (int i = 0; o && i < s->n; i++) {
        const struct lane *x = &s->lane[i];
        const bool runs = rest & lane_bit[x->lane];
        if (runs)
            open_words(s, o, first[x->lane]);
        for (uint32_t left = x->exec & l->alive & (runs ? x->moved : ~0u); left; left &= left - 1)
            open_words(s, o,
                       flow_word(l->f, s->instance, o, x->addr.v[__builtin_ctz(left)], x->lane));
        rest &= ~lane_bit[x->lane];
    }
    /* accesses are aligned: two that share a word share all */
    for (uint32_t left = rest; left; left &= left - 1)
        others |= find_stored(l, first[__builtin_ctz(left)]) ? left & -left : 0;
    return others;
}

void follow_close_words(struct step *s)
{
    struct follower *l = s->l;
    for (uint32_t i = 0; i < l->nstored && l->alive; i++)
        follow_set_word(l, l->stored[i].number, s->event, l->stored[i].x.v,
                        follow_word_after(l, l->stored[i].number, s->event));
    l->nstored = 0;
}

/* The word of offset 0 in the operand's space, as exec_data says offsets, for copy 0 of the lane. */
static uint32_t first_word(const struct step *s, const struct isa_operand *o, int lane)
{
    return o->kind == ISA_S   ? s->l->f->block[s->instance->block].word0
           : o->kind == ISA_L ? s->instance->local - s->l->g->img->local_offset / 4 + (uint32_t)lane
                              : 0;
}

static uint32_t merged(uint32_t old, uint32_t v, uint32_t at, uint32_t bytes)
{
    uint32_t shift = 8 * (at & 3), mask = bytes >= 4 ? ~0u : ((1u << 8 * bytes) - 1) << shift;
    return (old & ~mask) | (v << shift & mask);
}

void follow_words(void *context, const struct isa_operand *o, uint32_t exec,
                  const uint32_t at[SM_LANES], uint32_t words, uint32_t (*v)[SM_LANES], bool store)
{
    const struct reader *r = context;
    const struct step *s = r->step;
    struct follower *l = s->l;
    const bool constant = o->kind == ISA_K; /* nobody but the host writes it */
    const uint32_t bytes = isa_type_bytes(o->type), base = first_word(s, o, r->lane),
                   apart = o->kind == ISA_L; /* copies are lanes of the scratch warp */
    uint32_t own = FLOW_NONE;                /* the word that the lane accesses in the golden run */
    if (!constant && s->e->exec >> r->lane & 1)
        own = flow_word(l->f, s->instance, o, golden_address(s, o, r->lane), r->lane);
    for (uint32_t k = 0; k < words; k++) {
        uint32_t last = FLOW_NONE, before = 0;
        struct word *w = NULL;
        for (uint32_t left = exec; left; left &= left - 1) {
            const uint32_t c = (uint32_t)__builtin_ctz(left);
            const uint32_t first = base + at[c] / 4 - apart * c, n = first + k * flow_step(o);
            if (n != last) {
                w = find_stored(l, n);
                w = w ? w : find_word(l, n);
                before = w ? 0 : follow_word_before(l, n, s->event);
                last = n;
            }
            if (store)
                w->x.v[c] = merged(w->x.v[c], v[k][c], at[c], bytes);
            else
                v[k][c] = (w ? w->x.v[c] : before) >> 8 * (at[c] & 3);
            if (first != own && !constant && shared_word(s, n, store))
                l->sensitive |= lane_bit[c];
        }
    }
}
