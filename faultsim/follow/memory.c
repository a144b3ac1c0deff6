/* memory.c -- memory as the copies see it: addresses and how long they take, traps,
 * loads, stores. */
#include "sm/arith/atomic.h"
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

static void find_addresses(const struct step *s, const struct isa_operand *o, struct lane *x)
{
    bool same = o->kind == ISA_G ? !find_place(s->t, o->value, x->lane)
                                 : !o->areg || !find_place(s->t, PLACE_A + o->areg % 5, x->lane);
    x->moved = 0;
    if (same && (s->e->exec >> x->lane & 1))
        return; /* nobody asks */
    uint32_t good = golden_address(s, o, x->lane), room[COPIES];
    if (same) {
        fill(x->addr.v, good);
        return;
    }
    if (o->kind == ISA_G) {
        memcpy(x->addr.v, contents(s, o->value, x->lane, row_of(s, o), room), sizeof room);
    } else if (!o->areg) {
        fill(x->addr.v, good);
    } else {
        const uint32_t *a = contents(s, PLACE_A + o->areg % 5, x->lane, s->e->a_in, room);
        uint16_t offset = o->postinc ? 0 : (uint16_t)o->value;
        for (int i = 0; i < COPIES; i++)
            x->addr.v[i] = (uint16_t)(a[i] + offset);
    }
    x->moved = lanes_differ(x->addr.v, good);
}

/* Bytes of the operand's space; global memory: of no concern. */
static uint32_t limit_of(const struct step *s, const struct isa_operand *o)
{
    const struct sm_kernel *k = &s->l->g->img->kernel[s->instance->kernel];
    switch ((enum isa_operand_kind)o->kind) {
    case ISA_S: return s->l->f->block[s->instance->block].shared;
    case ISA_K: return k->bank[o->bank & 15].size;
    default: return k->local_bytes;
    }
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

/* The traps of lsu.c: an address that is misaligned in any lane counts before one that is out of
 * bounds. */
static void check_traps(struct step *s, const struct isa_operand *o)
{
    static const enum sm_trap misaligned[] = {[ISA_S] = TRAP_MISALIGNED_SHARED,
                                              [ISA_G] = TRAP_MISALIGNED_GLOBAL,
                                              [ISA_L] = TRAP_MISALIGNED_LOCAL,
                                              [ISA_K] = TRAP_MISALIGNED_CONST},
                              outside[] = {[ISA_S] = TRAP_OUT_OF_BOUNDS_SHARED,
                                           [ISA_G] = TRAP_OUT_OF_BOUNDS_GLOBAL,
                                           [ISA_L] = TRAP_OUT_OF_BOUNDS_LOCAL,
                                           [ISA_K] = TRAP_OUT_OF_BOUNDS_CONST};
    uint32_t bytes = isa_type_bytes(o->type), limit = limit_of(s, o), low = 0, beyond = 0;
    for (int i = 0; i < s->n; i++) {
        const struct lane *x = &s->lane[i];
        uint32_t ask = x->exec & (s->e->exec >> x->lane & 1 ? x->moved : ~0u) & s->l->alive;
        for (int v = 0; v < COPIES && ask >> v; v++) {
            uint32_t a = x->addr.v[v];
            if (!(ask >> v & 1))
                continue;
            if (a & (bytes - 1))
                low |= lane_bit[v];
            if (o->kind == ISA_G ? !lsu_buffer_at(s->l->g->img, a, bytes)
                                 : (uint64_t)a + bytes > limit)
                beyond |= lane_bit[v];
        }
    }
    if (low)
        crash(s->l, low, s->event, misaligned[o->kind]);
    if (beyond)
        crash(s->l, beyond, s->event, outside[o->kind]);
}

void follow_scratch(const struct step *s)
{
    struct sm *m = s->l->scratch->sm;
    m->kernel = &s->l->g->img->kernel[s->instance->kernel];
    m->s.warp[0].block = 0;
    m->s.warp[0].regs = s->instance->regs;
    m->s.block[0].shared = s->l->f->block[s->instance->block].shared;
}

/* How long the access takes with these lanes and addresses, as struct sm's `retime` counts. */
static uint32_t cost_of(const struct step *s, const struct isa_operand *o, uint32_t exec,
                        const uint32_t addr[SM_LANES])
{
    struct gpu *m = s->l->scratch;
    struct sm_warp *w = &m->sm->s.warp[0];
    follow_scratch(s);
    w->exec = exec;
    w->regs = 256;
    if (o->kind == ISA_G)
        memcpy(&m->sm->s.rf[o->value * SM_LANES], addr, SM_LANES * sizeof *addr);
    else
        for (int i = 0; i < SM_LANES; i++)
            w->a[o->areg % 5][i] = (uint16_t)(addr[i] - (o->postinc ? 0 : o->value));
    return s->e->uop->offchip ? lsu_transactions(m->sm, 0, s->e->uop)
                              : lsu_execute_cycles(m->sm, 0, s->e->uop, 0);
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
    uint32_t good[SM_LANES], addr[SM_LANES], ask = accessed_otherwise(s, o);
    if (!ask)
        return;
    for (int i = 0; i < SM_LANES; i++)
        good[i] = golden_address(s, o, i);
    uint32_t usual = cost_of(s, o, s->e->exec, good);
    for (int v = 0; v < COPIES; v++) {
        if (!(ask >> v & 1))
            continue;
        uint32_t exec = s->e->exec;
        memcpy(addr, good, sizeof addr);
        for (int i = 0; i < s->n; i++) {
            const struct lane *x = &s->lane[i];
            if (x->moved >> v & 1 || !(s->e->exec >> x->lane & 1))
                addr[x->lane] = x->addr.v[v];
            exec = (exec & ~lane_bit[x->lane]) | (x->exec >> v & 1 ? lane_bit[x->lane] : 0);
        }
        uint32_t cost = cost_of(s, o, exec, addr);
        if (cost != usual)
            note_cost(s->l, s->event, cost, lane_bit[v]);
    }
}

void follow_find_memory(struct step *s, const struct isa_operand *list[], int n)
{
    const struct isa_operand *timed = s->e->uop->memory;
    for (uint32_t i = 0; s->t && i < s->t->n && s->calm; i++)
        s->calm = s->t->place[i].place < PLACE_A &&
                  (!timed || timed->kind != ISA_G || timed->value != s->t->place[i].place);
    if (s->calm)
        return;
    lose_other_lines(s);
    if (timed && (s->e->uop->longer || s->e->uop->offchip))
        check_cost(s, timed);
    for (int i = 0; i < n; i++) {
        if (!in_memory(list[i]))
            continue;
        for (int k = 0; k < s->n; k++)
            find_addresses(s, list[i], &s->lane[k]);
        check_traps(s, list[i]);
    }
}

/* ---- loads ----------------------------------------------------------------------------------- */

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

/* The word of offset `at` in the operand's space, as exec_data says it, of copy c of the lane. */
static uint32_t word_of(const struct step *s, const struct isa_operand *o, uint32_t at, uint32_t c,
                        int lane)
{
    return o->kind == ISA_S ? s->l->f->block[s->instance->block].word0 + at / 4
           : o->kind == ISA_L
               ? s->instance->local + (at - s->l->g->img->local_offset) / 4 - c + (uint32_t)lane
               : at / 4;
}

void follow_words(void *context, const struct isa_operand *o, uint32_t exec,
                  const uint32_t at[SM_LANES], uint32_t words, uint32_t (*v)[SM_LANES])
{
    const struct reader *r = context;
    const struct step *s = r->step;
    struct follower *l = s->l;
    const int lane = r->lane->lane;
    const bool constant = o->kind == ISA_K; /* nobody but the host writes it */
    uint32_t own = FLOW_NONE;               /* the word that the lane reads in the golden run */
    if (!constant && s->e->exec >> lane & 1)
        own = flow_word(l->f, s->instance, o, golden_address(s, o, lane), lane);
    for (uint32_t k = 0; k < words; k++) {
        uint32_t last = FLOW_NONE, before = 0;
        for (uint32_t left = exec; left; left &= left - 1) {
            const uint32_t c = (uint32_t)__builtin_ctz(left);
            const uint32_t first = word_of(s, o, at[c], c, lane), n = first + k * flow_step(o);
            const struct word *w = find_word(l, n);
            if (n != last)
                before = follow_word_before(l, last = n, s->event);
            v[k][c] = (w ? w->x.v[c] : before) >> 8 * (at[c] & 3);
            if (first != own && !constant && shared_word(s, n, false))
                l->sensitive |= lane_bit[c];
        }
    }
}

/* ---- stores ---------------------------------------------------------------------------------- */

struct store {
    struct step *s;
    const struct isa_operand *o, *data;
    uint32_t bytes, words;
    uint32_t number[MAX_WORDS]; /* words that somebody may leave differently */
    uint32_t mask[MAX_WORDS];   /* copies in which a lane of s->lane writes it */
    uint32_t n;
    /* word that a lane writes first in the golden run, if it executes there */
    uint32_t first[SM_LANES];
    uint32_t affected; /* lanes in s->lane */
    /* of an atomic operation: what lanes have found, and which; else NULL */
    uint32_t (*found)[COPIES];
    uint32_t finders;
};

static void involve(struct store *t, uint32_t word, uint32_t copies)
{
    uint32_t i = 0;
    while (i < t->n && t->number[i] != word)
        i++;
    if (i == MAX_WORDS) {
        lose(t->s->l, ~0u);
        return;
    }
    if (i == t->n) {
        t->number[t->n++] = word;
        t->mask[i] = 0;
    }
    t->mask[i] |= copies;
}

static void stored(const struct store *t, int lane, uint32_t k, uint32_t out[COPIES])
{
    const struct step *s = t->s;
    bool half = t->data->kind == ISA_RH, upper = half && (t->data->value & 1);
    uint32_t reg = half ? t->data->value >> 1 : t->data->value + k, room[COPIES];
    uint32_t mask = t->bytes == 1 ? 0xff : t->bytes == 2 || half ? 0xffff : ~0u;
    const uint32_t *v = zero_row;
    if (reg < s->instance->regs) /* what is no register is taken for one, as lsu.c does */
        v = contents(s, reg, lane, s->e->row[ROW_DATA + k], room);
    for (int i = 0; i < COPIES; i++)
        out[i] = (upper ? v[i] >> 16 : v[i]) & mask;
}

/* The operand x of an atomic operation, and y of a CAS, of a lane; then what it makes of the word as one copy has it. */
static void atom_operands(const struct store *t, int lane, const uint32_t *out[2],
                          uint32_t room[2][COPIES])
{
    const struct step *s = t->s;
    const int first = s->in->op == OP_GATOM;
    for (int i = 0; i < 2; i++) {
        const struct isa_operand *o = &s->in->src[i + first];
        out[i] = zero_row;
        if (o->kind == ISA_R && o->value < s->instance->regs)
            out[i] = contents(s, o->value, lane, s->e->row[i + first], room[i]);
    }
}

/* One lane's word k into a word as the copies have it. */
static uint32_t merged(uint32_t old, uint32_t v, uint32_t addr, uint32_t bytes)
{
    uint32_t shift = 8 * (addr & 3), mask = bytes >= 4 ? ~0u : ((1u << 8 * bytes) - 1) << shift;
    return bytes >= 4 ? v : (old & ~mask) | (v << shift & mask);
}

/* Lanes that may write the word in some copy. */
static uint32_t lanes_that_write(const struct store *t, uint32_t word)
{
    uint32_t lanes = 0;
    for (uint32_t k = 0; k < t->words; k++)
        lanes |= ~lanes_differ(t->first, word - k * flow_step(t->o));
    return (lanes & t->s->e->exec) | t->affected;
}

static void store_word(struct store *t, uint32_t word, uint32_t writers)
{
    struct step *s = t->s;
    struct follower *l = s->l;
    uint32_t v[COPIES], data[COPIES], room[2][COPIES], step = flow_step(t->o);
    const uint32_t *operand[2];
    const struct word *w = find_word(l, word);
    if (w)
        memcpy(v, w->x.v, sizeof v);
    else
        fill(v, follow_word_before(l, word, s->event));
    const struct lane *next = s->lane;
    /* ascending: the highest lane wins */
    for (uint32_t lanes = lanes_that_write(t, word); lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        bool runs = s->e->exec >> lane & 1;
        const struct lane *x = t->affected >> lane & 1 ? next++ : NULL;
        uint32_t a = golden_address(s, t->o, lane);
        uint32_t who = ~0u, apart = 0; /* copies that store; those with an address of their own */
        if (x) {
            who = x->exec & writers & l->alive;
            apart = runs ? x->moved : ~0u;
        }
        for (uint32_t k = 0; k < t->words; k++) {
            uint32_t ask = runs && t->first[lane] + k * step == word ? who : who & apart;
            bool ready = false;
            for (; ask; ask &= ask - 1) {
                int i = __builtin_ctz(ask);
                uint32_t mine = apart & lane_bit[i] ? x->addr.v[i] : a;
                if ((apart & lane_bit[i]) &&
                    flow_word(l->f, s->instance, t->o, mine, lane) + k * step != word)
                    continue;
                if (!ready && t->found)
                    atom_operands(t, lane, operand, room);
                else if (!ready)
                    stored(t, lane, k, data);
                ready = true;
                if (t->found) {
                    t->found[lane][i] = v[i];
                    t->finders |= lane_bit[lane];
                    v[i] = (uint32_t)sm_atomic(s->in, v[i], operand[0][i], operand[1][i]);
                } else {
                    v[i] = merged(v[i], data[i], mine, t->bytes);
                }
            }
        }
    }
    follow_set_word(l, word, s->event, v, follow_word_after(l, word, s->event));
}

/* All words that the affected lanes write in some copy. */
static void store_words(struct store *t, struct step *s)
{
    struct follower *l = s->l;
    t->s = s;
    t->bytes = isa_type_bytes(t->o->type);
    t->words = sm_operand_words(t->o);
    t->n = t->affected = 0;
    for (int lane = 0; lane < SM_LANES; lane++)
        t->first[lane] = s->e->exec >> lane & 1 ? flow_word(l->f, s->instance, t->o,
                                                            golden_address(s, t->o, lane), lane)
                                                : 0;
    for (int i = 0; i < s->n; i++) {
        const struct lane *x = &s->lane[i];
        bool runs = s->e->exec >> x->lane & 1;
        uint32_t apart = x->exec & l->alive & (runs ? x->moved : ~0u), step = flow_step(t->o);
        t->affected |= lane_bit[x->lane];
        for (uint32_t k = 0; runs && k < t->words; k++)
            involve(t, t->first[x->lane] + k * step, x->exec & l->alive & ~apart);
        for (int v = 0; v < COPIES && apart >> v; v++) {
            if (!(apart >> v & 1))
                continue;
            for (uint32_t k = 0; k < t->words; k++) {
                uint32_t word = flow_word(l->f, s->instance, t->o, x->addr.v[v], x->lane) +
                                k * step;
                involve(t, word, lane_bit[v]);
                if (shared_word(s, word, true))
                    l->sensitive |= lane_bit[v];
            }
        }
    }
    for (uint32_t i = 0; i < t->n && l->alive; i++)
        store_word(t, t->number[i], t->mask[i]);
}

void follow_store(struct step *s)
{
    struct store t = {.o = &s->in->dst, .data = &s->in->src[0], .found = NULL};
    store_words(&t, s);
}

uint32_t follow_atom(struct step *s, uint32_t found[SM_LANES][COPIES])
{
    struct store t = {.o = s->e->uop->memory, .found = found};
    store_words(&t, s);
    return t.finders;
}
