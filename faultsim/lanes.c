/* lanes.c -- follows 32 variants of a fault through the data flow of the golden run. See lanes.h. */
#include "lanes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../sm/machine.h"
#include "pace.h"
#include "worker.h"

enum {
    VARIANTS = 32,
    MAX_TRACKS = 48,
    MAX_PLACES = 48,
    MAX_WORDS = 128,
    MAX_COSTS = 1024,
    HEAP = 4096,
    MAX_PARTINGS = 64
};

struct vector {
    uint32_t v[VARIANTS];
};

/* A place of a thread that differs. */
struct place {
    uint8_t place, lane;
    uint32_t mask; /* variants that differ */
    struct vector x;
};

/* A life of which some place differs. */
struct track {
    uint32_t life, at; /* at: its next event that has not been looked at */
    uint64_t touch;    /* flow_place_bit of the places */
    uint32_t n;
    struct place place[MAX_PLACES];
};

struct word {
    uint32_t number, mask;
    struct vector x;
};

struct visit { /* an event to look at */
    uint32_t key, event;
    bool words; /* it uses words that differ */
};

struct cost { /* an access that takes longer or shorter in some variants */
    uint32_t event, cost, mask;
};

/* Variants that part from the golden run in a branch, and what differs by then. */
struct parting {
    uint32_t event, mask, first, count;
};
struct item {
    uint32_t life; /* FLOW_NONE: a word */
    uint32_t number, mask;
    uint8_t lane;
    struct vector x;
};
struct partings {
    struct parting list[MAX_PARTINGS];
    uint32_t n;
    struct item *item;
    uint32_t items, room;
};

struct lanes {
    const struct flow *f;
    const struct golden *g;
    struct pace *pace;
    struct sm *scratch;    /* works out how long accesses take */
    struct sm_warp *warp;  /* works out predicates */
    const uint32_t *order; /* of the events, when it is not the golden one */
    uint32_t alive, crashed, parted, lost, sensitive; /* variants */
    uint32_t stop_event[VARIANTS];                    /* where it crashed or parted */
    enum sm_trap trap[VARIANTS];
    struct track track[MAX_TRACKS];
    uint32_t ntracks;
    struct word word[MAX_WORDS];
    uint32_t nwords;
    struct cost cost[MAX_COSTS];
    uint32_t ncosts;
    struct visit heap[HEAP];
    uint32_t nheap;
    struct partings partings[2], *now; /* of the first time, and of the second in another order */
    struct fsim_worker *worker;
    uint64_t evaluated, machines;
};

struct lanes *lanes_new(const struct flow *f, struct fsim_worker *w)
{
    struct lanes *l = fl_alloc(sizeof *l);
    l->f = f;
    l->g = f->g;
    l->pace = pace_new(f);
    l->scratch = sm_new(f->g->img);
    l->warp = fl_alloc(sizeof *l->warp);
    l->worker = w;
    l->now = &l->partings[0];
    return l;
}

void lanes_free(struct lanes *l)
{
    if (!l)
        return;
    pace_free(l->pace);
    sm_free(l->scratch);
    free(l->warp);
    free(l->partings[0].item);
    free(l->partings[1].item);
    free(l);
}

void lanes_statistics(const struct lanes *l, struct lanes_statistics *add_to)
{
    add_to->evaluated += l->evaluated;
    add_to->machines += l->machines;
    pace_statistics(l->pace, &add_to->replays, &add_to->replayed);
}

static uint32_t when(const struct lanes *l, uint32_t event)
{
    return l->order ? l->order[event] : event;
}

/* These variants cannot be followed any further. */
static void lose(struct lanes *l, uint32_t variants)
{
    l->lost |= variants & l->alive;
    l->alive &= ~variants;
}

/* ---- which event comes next -------------------------------------------------------------------------------------- */

static void push(struct lanes *l, uint32_t event, bool words)
{
    if (l->nheap == HEAP) {
        lose(l, ~0u);
        return;
    }
    struct visit v = {when(l, event), event, words};
    uint32_t i = l->nheap++;
    for (; i && l->heap[(i - 1) / 2].key > v.key; i = (i - 1) / 2)
        l->heap[i] = l->heap[(i - 1) / 2];
    l->heap[i] = v;
}

static struct visit pop(struct lanes *l)
{
    struct visit first = l->heap[0];
    uint32_t i = 0, n = --l->nheap;
    struct visit v = l->heap[n];
    for (;;) {
        uint32_t c = 2 * i + 1;
        if (c >= n)
            break;
        c += c + 1 < n && l->heap[c + 1].key < l->heap[c].key;
        if (l->heap[c].key >= v.key)
            break;
        l->heap[i] = l->heap[c];
        i = c;
    }
    l->heap[i] = v;
    return first;
}

/* ---- differences -------------------------------------------------------------------------------------------------- */

static struct track *find_track(struct lanes *l, uint32_t life)
{
    for (uint32_t i = 0; i < l->ntracks; i++)
        if (l->track[i].life == life)
            return &l->track[i];
    return NULL;
}

static struct place *find_place(struct track *t, uint32_t place, int lane)
{
    for (uint32_t i = 0; t && i < t->n; i++)
        if (t->place[i].place == place && t->place[i].lane == lane)
            return &t->place[i];
    return NULL;
}

static struct word *find_word(struct lanes *l, uint32_t number)
{
    for (uint32_t i = 0; i < l->nwords; i++)
        if (l->word[i].number == number)
            return &l->word[i];
    return NULL;
}

SM_CLONES static uint32_t differ(const uint32_t v[VARIANTS], uint32_t good)
{
    uint32_t mask = 0;
    for (int i = 0; i < VARIANTS; i++)
        mask |= v[i] != good ? lane_bit[i] : 0;
    return mask;
}

static void fill(uint32_t v[VARIANTS], uint32_t x)
{
    for (int i = 0; i < VARIANTS; i++)
        v[i] = x;
}

/* After the event at hand the place holds `v`; the golden run's holds `good`. */
static void set_place(struct lanes *l, uint32_t life, uint32_t at, uint32_t place, int lane,
                      const uint32_t v[VARIANTS], uint32_t good)
{
    uint32_t mask = differ(v, good) & l->alive;
    struct track *t = find_track(l, life);
    struct place *p = find_place(t, place, lane);
    if (!mask) {
        if (p)
            *p = t->place[--t->n];
        return;
    }
    if (!t) {
        if (l->ntracks == MAX_TRACKS) {
            lose(l, mask);
            return;
        }
        t = &l->track[l->ntracks++];
        t->life = life;
        t->at = at;
        t->n = 0;
    }
    if (!p) {
        if (t->n == MAX_PLACES) {
            lose(l, mask);
            return;
        }
        p = &t->place[t->n++];
        p->place = (uint8_t)place;
        p->lane = (uint8_t)lane;
    }
    p->mask = mask;
    memcpy(p->x.v, v, sizeof p->x.v);
}

/* The last write to the word before the event, or -1; relative to the chain. */
static int64_t write_before(const struct lanes *l, const struct flow_chain *c, uint32_t event)
{
    const struct flow_write *w = &l->f->write[c->write];
    uint32_t lo = 0, hi = c->writes, key = when(l, event);
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (when(l, w[mid].event) < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return (int64_t)lo - 1;
}

static uint32_t word_before(const struct lanes *l, uint32_t word, uint32_t event)
{
    const struct flow_chain *c = &l->f->chain[word];
    int64_t i = write_before(l, c, event);
    return i < 0 ? l->f->init[word] : l->f->write[c->write + (uint32_t)i].value;
}

/* What it holds behind the event. */
static uint32_t word_after(const struct lanes *l, uint32_t word, uint32_t event)
{
    const struct flow_chain *c = &l->f->chain[word];
    int64_t i = write_before(l, c, event) + 1;
    if (i < c->writes && l->f->write[c->write + (uint32_t)i].event == event)
        return l->f->write[c->write + (uint32_t)i].value;
    return i == 0 ? l->f->init[word] : l->f->write[c->write + (uint32_t)(i - 1)].value;
}

/* Everybody who reads the word after the event and before it is written again, and who writes it then. */
static void visit_users(struct lanes *l, uint32_t word, uint32_t event)
{
    const struct flow *f = l->f;
    const struct flow_chain *c = &f->chain[word];
    const struct flow_write *w = &f->write[c->write];
    const uint32_t *r = &f->read[c->read];
    int64_t last = write_before(l, c, event);
    uint32_t next = (uint32_t)(last + 1);
    if (next < c->writes && w[next].event == event)
        next++, last++;
    uint32_t from = last >= 0 ? w[last].event : 0,
             to = next < c->writes ? w[next].event : FLOW_NONE, lo = 0, hi = c->reads;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (r[mid] < from)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < c->reads && r[lo] < to; lo++)
        if (when(l, r[lo]) > when(l, event))
            push(l, r[lo], true);
    if (to != FLOW_NONE)
        push(l, to, true);
}

static void set_word(struct lanes *l, uint32_t number, uint32_t event, const uint32_t v[VARIANTS],
                     uint32_t good)
{
    uint32_t mask = differ(v, good) & l->alive;
    struct word *w = find_word(l, number);
    if (!mask) {
        if (w)
            *w = l->word[--l->nwords];
        return;
    }
    if (!w) {
        if (l->nwords == MAX_WORDS) {
            lose(l, mask);
            return;
        }
        w = &l->word[l->nwords++];
        w->number = number;
    }
    w->mask = mask;
    memcpy(w->x.v, v, sizeof w->x.v);
    visit_users(l, number, event);
}

/* ---- one event ---------------------------------------------------------------------------------------------------- */

struct lane {
    int lane;
    uint32_t exec; /* variants that execute */
    /* of the memory operand: variants whose address is not the golden run's, and all addresses */
    uint32_t moved;
    struct vector addr;
};

struct step { /* what is needed to evaluate an event */
    struct lanes *l;
    uint32_t event;
    const struct flow_event *e;
    const struct isa_insn *in;
    const struct flow_life *life;
    struct track *t;
    bool calm; /* no lane, no address comes out differently */
    int n;
    struct lane lane[SM_LANES];
};

static uint32_t golden_row(const struct lanes *l, uint32_t row, int lane)
{
    return row == FLOW_NONE ? 0 : l->g->values[row][lane];
}

static uint32_t golden_flags(const struct lanes *l, uint32_t at, int lane)
{
    if (at == FLOW_NONE)
        return 0;
    const struct sm_cc *c = &l->f->flags[at];
    return (c->z >> lane & 1) | (c->s >> lane & 1) << 1 | (c->c >> lane & 1) << 2 |
           (c->o >> lane & 1) << 3;
}

static uint32_t golden_areg(const struct lanes *l, uint32_t at, int lane)
{
    return at == FLOW_NONE ? 0 : l->f->areg[at][lane];
}

/* The contents of a place before the event: the variants', or `good` in all of them. */
static const uint32_t *contents(const struct step *s, uint32_t place, int lane, uint32_t good,
                                uint32_t room[VARIANTS])
{
    const struct place *p = find_place(s->t, place, lane);
    if (p)
        return p->x.v;
    fill(room, good);
    return room;
}

static uint32_t predicate(const struct step *s, int lane)
{
    struct lanes *l = s->l;
    uint32_t room[VARIANTS];
    const uint32_t *flags = contents(s, PLACE_CC + (uint32_t)(s->in->cc_src & 3), lane,
                                     golden_flags(l, s->e->cc_in, lane), room);
    struct isa_insn in = {.pred = s->in->pred, .cc_src = s->in->cc_src, .lanes = 15};
    struct sm_cc *cc = &l->warp->cc[in.cc_src & 3];
    uint8_t byte[VARIANTS];
    for (int i = 0; i < VARIANTS; i++)
        byte[i] = (uint8_t)flags[i];
    flag_planes(byte, cc);
    l->warp->active = ~0u;
    return exec_mask(l->warp, &in);
}

static void add_lane(struct step *s, int lane)
{
    struct lane *x = &s->lane[s->n];
    if (!(s->e->active >> lane & 1) || !(s->in->lanes >> (lane & 3) & 1))
        return;
    x->lane = lane;
    x->moved = 0;
    x->exec = s->e->exec >> lane & 1 ? ~0u : 0;
    if (s->in->pred != PRED_ALWAYS &&
        find_place(s->t, PLACE_CC + (uint32_t)(s->in->cc_src & 3), lane))
        x->exec = predicate(s, lane);
    s->calm = s->calm && x->exec == (s->e->exec >> lane & 1 ? ~0u : 0);
    s->n++;
}

static bool in_memory(const struct isa_operand *o)
{
    return o->kind == ISA_S || o->kind == ISA_G || o->kind == ISA_L || o->kind == ISA_K;
}

static uint32_t words_of(const struct isa_operand *o)
{
    uint32_t bytes = flow_width(o->type);
    return bytes > 4 ? bytes / 4 : 1;
}

/* Lanes of which the event touches a place or a word that differs. */
static uint32_t lanes_affected(const struct step *s, bool words_too)
{
    const struct lanes *l = s->l;
    uint64_t mask = l->f->life_mask[s->life->first + s->e->at];
    uint32_t lanes = 0, some = 0;
    for (uint32_t i = 0; s->t && i < s->t->n; i++)
        if ((s->t->place[i].mask & l->alive) && (mask & flow_place_bit(s->t->place[i].place)))
            lanes |= lane_bit[s->t->place[i].lane];
    for (uint32_t i = 0; i < l->nwords; i++)
        some |= words_too ? l->word[i].mask & l->alive : 0;
    const struct isa_operand *list[4] = {&s->in->src[0], &s->in->src[1], &s->in->src[2],
                                         &s->in->dst};
    for (int i = 0; some && i < 4; i++) {
        const struct isa_operand *o = list[i];
        if (o->kind != ISA_S && o->kind != ISA_G && o->kind != ISA_L)
            continue;
        uint32_t words = words_of(o);
        for (int lane = 0; lane < SM_LANES; lane++) {
            if (!(s->e->exec >> lane & 1))
                continue;
            uint32_t first = flow_word(l->f, s->life, o,
                                       flow_address(l->f, s->e, o, s->e->row[i], lane), lane);
            for (uint32_t w = 0; w < l->nwords; w++) {
                uint32_t d = l->word[w].number - first, step = flow_step(o);
                if (d < words * step && d % step == 0)
                    lanes |= lane_bit[lane];
            }
        }
    }
    return lanes;
}

/* ---- addresses ---------------------------------------------------------------------------------------------------- */

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
    uint32_t good = golden_address(s, o, x->lane), room[VARIANTS];
    if (same) {
        fill(x->addr.v, good);
        return;
    }
    if (o->kind == ISA_G) {
        memcpy(x->addr.v, contents(s, o->value, x->lane, good, room), sizeof room);
    } else if (!o->areg) {
        fill(x->addr.v, good);
    } else {
        const uint32_t *a = contents(s, PLACE_A + o->areg % 5, x->lane,
                                     golden_areg(s->l, s->e->a_in, x->lane), room);
        uint16_t offset = o->postinc ? 0 : (uint16_t)o->value;
        for (int i = 0; i < VARIANTS; i++)
            x->addr.v[i] = (uint16_t)(a[i] + offset);
    }
    x->moved = differ(x->addr.v, good);
}

/* Bytes of the operand's space; global memory: of no concern. */
static uint32_t limit_of(const struct step *s, const struct isa_operand *o)
{
    const struct sm_kernel *k = &s->l->g->img->kernel[s->life->kernel];
    switch ((enum isa_operand_kind)o->kind) {
    case ISA_S: return s->l->f->block[s->life->block].shared;
    case ISA_K: return k->bank[o->bank & 15].size;
    default: return k->local_bytes;
    }
}

static void crash(struct lanes *l, uint32_t variants, uint32_t event, enum sm_trap trap)
{
    variants &= l->alive;
    for (int i = 0; i < VARIANTS; i++)
        if (variants >> i & 1) {
            l->stop_event[i] = event;
            l->trap[i] = trap;
        }
    l->crashed |= variants;
    l->alive &= ~variants;
}

/* The traps of lsu.c: an address that is misaligned in any lane counts before one that is out of bounds. */
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
    uint32_t bytes = flow_width(o->type), limit = limit_of(s, o), low = 0, beyond = 0;
    for (int i = 0; i < s->n; i++) {
        const struct lane *x = &s->lane[i];
        uint32_t ask = x->exec & (s->e->exec >> x->lane & 1 ? x->moved : ~0u) & s->l->alive;
        for (int v = 0; v < VARIANTS && ask >> v; v++) {
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

/* How long the access takes with these lanes and addresses, as struct sm's `pace` counts. */
static uint32_t cost_of(const struct step *s, const struct isa_operand *o, uint32_t exec,
                        const uint32_t addr[SM_LANES])
{
    struct sm *m = s->l->scratch;
    struct sm_warp *w = &m->s.warp[0];
    w->exec = exec;
    w->block = 0;
    w->regs = 256;
    m->s.block[0].shared = s->l->f->block[s->life->block].shared;
    if (o->kind == ISA_G)
        memcpy(&m->s.rf[o->value * SM_LANES], addr, SM_LANES * sizeof *addr);
    else
        for (int i = 0; i < SM_LANES; i++)
            w->a[o->areg % 5][i] = (uint16_t)(addr[i] - (o->postinc ? 0 : o->value));
    return s->e->uop->offchip ? lsu_transactions(m, 0, s->e->uop)
                              : lsu_execute_cycles(m, 0, s->e->uop);
}

static void note_cost(struct lanes *l, uint32_t event, uint32_t cost, uint32_t variant)
{
    for (uint32_t i = l->ncosts; i-- > 0 && l->cost[i].event == event;)
        if (l->cost[i].cost == cost) {
            l->cost[i].mask |= variant;
            return;
        }
    if (l->ncosts == MAX_COSTS)
        lose(l, variant);
    else
        l->cost[l->ncosts++] = (struct cost){event, cost, variant};
}

static void check_cost(struct step *s, const struct isa_operand *o)
{
    uint32_t good[SM_LANES], addr[SM_LANES], ask = 0;
    for (int i = 0; i < s->n; i++) {
        const struct lane *x = &s->lane[i];
        uint32_t other = s->e->exec >> x->lane & 1 ? ~x->exec : x->exec;
        ask |= (other | (x->exec & x->moved)) & s->l->alive;
    }
    if (!ask)
        return;
    for (int i = 0; i < SM_LANES; i++)
        good[i] = golden_address(s, o, i);
    uint32_t usual = cost_of(s, o, s->e->exec, good);
    for (int v = 0; v < VARIANTS; v++) {
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

/* Addresses of all memory operands: what they take, and who traps. The last one's addresses stay in s->lane. */
static void find_memory(struct step *s, const struct isa_operand *list[], int n)
{
    const struct isa_operand *timed = s->e->uop->memory;
    for (uint32_t i = 0; s->t && i < s->t->n && s->calm; i++)
        s->calm = s->t->place[i].place < PLACE_A &&
                  (!timed || timed->kind != ISA_G || timed->value != s->t->place[i].place);
    if (s->calm)
        return;
    if (timed && (s->e->uop->banked || s->e->uop->offchip)) {
        for (int k = 0; k < s->n; k++)
            find_addresses(s, timed, &s->lane[k]);
        check_cost(s, timed);
    }
    for (int i = 0; i < n; i++) {
        if (!in_memory(list[i]))
            continue;
        for (int k = 0; k < s->n; k++)
            find_addresses(s, list[i], &s->lane[k]);
        check_traps(s, list[i]);
    }
}

/* ---- operands ----------------------------------------------------------------------------------------------------- */

static uint32_t extend(uint32_t v, uint8_t type)
{
    switch ((enum isa_type)type) {
    case T_U8: return v & 0xff;
    case T_S8: return (v & 0xff) | (v & 0x80 ? 0xffffff00u : 0);
    case T_U16:
    case T_F16: return v & 0xffff;
    case T_S16: return (v & 0xffff) | (v & 0x8000 ? 0xffff0000u : 0);
    default: return v;
    }
}

/* Does anybody else write the word, or read it? Then it matters when this access comes. */
static bool shared_word(const struct step *s, uint32_t word, bool store)
{
    const struct flow *f = s->l->f;
    const struct flow_chain *c = &f->chain[word];
    if (find_word(s->l, word))
        return true;
    for (uint32_t i = 0; i < c->writes; i++)
        if (f->event[f->write[c->write + i].event].life != s->e->life)
            return true;
    for (uint32_t i = 0; store && i < c->reads; i++)
        if (f->event[f->read[c->read + i]].life != s->e->life)
            return true;
    return false;
}

static uint32_t constant(const struct step *s, const struct isa_operand *o, uint32_t addr)
{
    const struct sm_image *img = s->l->g->img;
    const struct sm_bank *b = &img->kernel[s->life->kernel].bank[o->bank & 15];
    uint32_t bytes = flow_width(o->type), v = 0;
    if ((uint64_t)addr + bytes > b->size)
        return 0;
    memcpy(&v, img->initial + b->offset + addr, bytes > 4 ? 4 : bytes);
    return extend(v, o->type);
}

/* Word k of what the lane finds in memory. */
static void load(struct step *s, const struct isa_operand *o, const struct lane *x, uint32_t k,
                 uint32_t out[VARIANTS])
{
    struct lanes *l = s->l;
    uint32_t bytes = flow_width(o->type), need = x->exec & l->alive;
    bool runs = s->e->exec >> x->lane & 1;
    uint32_t apart = runs ? x->moved & need : need;
    if (o->kind == ISA_K) {
        uint32_t good = runs ? constant(s, o, golden_address(s, o, x->lane)) : 0;
        fill(out, good);
        for (int v = 0; v < VARIANTS && apart >> v; v++)
            if (apart >> v & 1)
                out[v] = constant(s, o, x->addr.v[v]);
        return;
    }
    fill(out, 0);
    if (runs) {
        uint32_t a = golden_address(s, o, x->lane),
                 n = flow_word(l->f, s->life, o, a, x->lane) + k * flow_step(o);
        const struct word *w = find_word(l, n);
        if (w)
            memcpy(out, w->x.v, sizeof w->x.v);
        else
            fill(out, word_before(l, n, s->event));
        if (bytes < 4)
            for (int v = 0; v < VARIANTS; v++)
                out[v] = extend(out[v] >> 8 * (a & 3), o->type);
    }
    for (int v = 0; v < VARIANTS && apart >> v; v++) {
        if (!(apart >> v & 1))
            continue;
        uint32_t a = x->addr.v[v], n = flow_word(l->f, s->life, o, a, x->lane) + k * flow_step(o);
        const struct word *w = find_word(l, n);
        uint32_t value = w ? w->x.v[v] : word_before(l, n, s->event);
        out[v] = bytes < 4 ? extend(value >> 8 * (a & 3), o->type) : value;
        if (shared_word(s, n, false))
            l->sensitive |= lane_bit[v];
    }
}

static const uint32_t *source(struct step *s, int i, const struct lane *x, uint32_t room[VARIANTS])
{
    const struct isa_operand *o = &s->in->src[i];
    struct lane y;
    switch ((enum isa_operand_kind)o->kind) {
    case ISA_R:
        return o->value < s->life->regs
                   ? contents(s, o->value, x->lane, golden_row(s->l, s->e->row[i], x->lane), room)
                   : zero_row;
    case ISA_RH: {
        if (o->value >> 1 >= s->life->regs)
            return zero_row;
        const uint32_t *v = contents(s, o->value >> 1, x->lane,
                                     golden_row(s->l, s->e->row[i], x->lane), room);
        for (int k = 0; k < VARIANTS; k++)
            room[k] = o->value & 1 ? v[k] >> 16 : v[k] & 0xffff;
        return room;
    }
    case ISA_I: return s->e->uop->imm[i];
    case ISA_A:
        return o->value >= 1 && o->value < 5
                   ? contents(s, PLACE_A + o->value, x->lane,
                              golden_areg(s->l, s->e->a_in, x->lane), room)
                   : zero_row;
    case ISA_S:
    case ISA_K:
        if (!s->calm) {
            y = *x;
            find_addresses(s, o, &y);
        }
        load(s, o, s->calm ? x : &y, 0, room);
        return room;
    default: return zero_row;
    }
}

/* ---- results ------------------------------------------------------------------------------------------------------ */

/* Variants that do not execute keep what they had. */
static void choose(uint32_t v[VARIANTS], const uint32_t *old, uint32_t exec)
{
    for (int i = 0; i < VARIANTS; i++)
        v[i] = exec & lane_bit[i] ? v[i] : old[i];
}

static void put_register(struct step *s, const struct lane *x, uint32_t reg, int k, bool half,
                         bool upper, const uint32_t d[VARIANTS])
{
    struct lanes *l = s->l;
    if (reg >= s->life->regs)
        return;
    uint32_t room[VARIANTS], v[VARIANTS];
    uint32_t before = golden_row(l, s->e->row[ROW_DATA + k], x->lane),
             after = s->e->made == FLOW_NONE ? before
                                             : golden_row(l, s->e->made + (uint32_t)k, x->lane);
    const uint32_t *old = contents(s, reg, x->lane, before, room);
    for (int i = 0; i < VARIANTS; i++)
        v[i] = !half   ? d[i]
               : upper ? (old[i] & 0xffff) | d[i] << 16
                       : (old[i] & 0xffff0000) | (d[i] & 0xffff);
    choose(v, old, x->exec);
    set_place(l, s->e->life, s->e->at, reg, x->lane, v, after);
    s->t = find_track(l, s->e->life);
}

static void write_dst(struct step *s, const struct lane *x, const uint32_t d[VARIANTS])
{
    const struct isa_operand *o = &s->in->dst;
    if (o->kind == ISA_R)
        put_register(s, x, o->value, 0, false, false, d);
    else if (o->kind == ISA_RH)
        put_register(s, x, o->value >> 1, 0, true, o->value & 1, d);
}

static void write_flags(struct step *s, const struct lane *x, uint32_t number, uint32_t v[VARIANTS])
{
    uint32_t room[VARIANTS];
    choose(v,
           contents(s, PLACE_CC + number, x->lane, golden_flags(s->l, s->e->cc_old, x->lane), room),
           x->exec);
    set_place(s->l, s->e->life, s->e->at, PLACE_CC + number, x->lane, v,
              golden_flags(s->l, s->e->cc_new, x->lane));
    s->t = find_track(s->l, s->e->life);
}

static void write_areg(struct step *s, const struct lane *x, uint32_t number, uint32_t v[VARIANTS])
{
    uint32_t room[VARIANTS];
    if (number < 1 || number > 4)
        return;
    for (int i = 0; i < VARIANTS; i++)
        v[i] &= 0xffff;
    choose(v, contents(s, PLACE_A + number, x->lane, golden_areg(s->l, s->e->a_old, x->lane), room),
           x->exec);
    set_place(s->l, s->e->life, s->e->at, PLACE_A + number, x->lane, v,
              golden_areg(s->l, s->e->a_new, x->lane));
    s->t = find_track(s->l, s->e->life);
}

static void postincrement(struct step *s, const struct lane *x)
{
    const struct isa_operand *list[4] = {&s->in->dst, &s->in->src[0], &s->in->src[1],
                                         &s->in->src[2]};
    for (int i = 0; s->e->uop->postinc && i < 4; i++) {
        const struct isa_operand *o = list[i];
        uint32_t room[VARIANTS], v[VARIANTS];
        if (!o->postinc || o->areg < 1 || o->areg > 4)
            continue;
        const uint32_t *a = contents(s, PLACE_A + o->areg, x->lane,
                                     golden_areg(s->l, s->e->a_old, x->lane), room);
        for (int k = 0; k < VARIANTS; k++)
            v[k] = a[k] + o->value;
        write_areg(s, x, o->areg, v);
        return;
    }
}

/* ---- the kinds of instruction ------------------------------------------------------------------------------------- */

static void evaluate_alu(struct step *s, const struct lane *x)
{
    uint32_t room[3][VARIANTS], d[VARIANTS], v[VARIANTS];
    uint8_t cc[VARIANTS] = {0}, flags[VARIANTS];
    const uint32_t *src[3] = {zero_row, zero_row, zero_row};
    const struct sm_uop *u = s->e->uop;
    bool has_flags = s->in->cc_dst >= 0;
    for (int i = 0; i < u->nsrc; i++)
        src[i] = source(s, i, x, room[i]);
    if (s->in->carry) {
        const uint32_t *c = contents(s, PLACE_CC + (uint32_t)(s->in->cc_src & 3), x->lane,
                                     golden_flags(s->l, s->e->cc_in, x->lane), v);
        for (int i = 0; i < VARIANTS; i++)
            cc[i] = (uint8_t)c[i];
    }
    u->alu(s->in, src[0], src[1], src[2], cc, d, has_flags ? flags : NULL);
    write_dst(s, x, d);
    if (has_flags) {
        for (int i = 0; i < VARIANTS; i++)
            v[i] = flags[i] & 15;
        write_flags(s, x, (uint32_t)(s->in->cc_dst & 3), v);
    }
}

static void evaluate_move(struct step *s, const struct lane *x)
{
    uint32_t room[VARIANTS], v[VARIANTS];
    const uint32_t *src = source(s, 0, x, room);
    bool half = s->in->dst.kind == ISA_RH || s->in->src[0].kind == ISA_RH;
    for (int i = 0; i < VARIANTS; i++) {
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
    uint32_t t0[VARIANTS], t1[VARIANTS], d[VARIANTS];
    const uint32_t *a = source(s, 0, x, t0), *b = source(s, 1, x, t1);
    enum sm_unit unit = (enum sm_unit)s->e->uop->unit;
    for (int i = 0; i < VARIANTS; i++)
        d[i] = unit == UNIT_R2A   ? (b[i] < 32 ? a[i] << b[i] : 0)
               : unit == UNIT_ADA ? a[i] + b[i]
                                  : a[i];
    switch (unit) {
    case UNIT_R2A:
    case UNIT_ADA: write_areg(s, x, s->in->dst.value, d); break;
    case UNIT_C2R:
        memcpy(d,
               contents(s, PLACE_CC + (s->in->src[0].value & 3), x->lane,
                        golden_flags(s->l, s->e->cc_old, x->lane), t0),
               sizeof d);
        write_dst(s, x, d);
        break;
    case UNIT_R2C:
        for (int i = 0; i < VARIANTS; i++)
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
    uint32_t v[VARIANTS];
    if (!(s->e->exec >> x->lane & 1))
        lose(s->l, x->exec);
    else if (s->in->dst.kind == ISA_R && s->in->dst.value < s->life->regs) {
        fill(v, golden_row(s->l, s->e->made, x->lane));
        write_dst(s, x, v);
    } else
        lose(s->l, ~0u);
}

static void evaluate_load(struct step *s, const struct lane *x)
{
    const struct isa_operand *o = &s->in->src[0];
    uint32_t d[4][VARIANTS], words = words_of(o);
    for (uint32_t k = 0; k < words; k++)
        load(s, o, x, k, d[k]);
    for (uint32_t k = 0; k < words && s->in->dst.kind == ISA_R; k++)
        put_register(s, x, s->in->dst.value + k, (int)k, false, false, d[k]);
}

/* ---- stores ------------------------------------------------------------------------------------------------------- */

struct store {
    struct step *s;
    const struct isa_operand *o, *data;
    uint32_t bytes, words;
    uint32_t number[MAX_WORDS]; /* words that somebody may leave differently */
    uint32_t n;
};

static void involve(struct store *t, uint32_t word)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->number[i] == word)
            return;
    if (t->n == MAX_WORDS)
        lose(t->s->l, ~0u);
    else
        t->number[t->n++] = word;
}

static void stored(const struct store *t, int lane, uint32_t k, uint32_t out[VARIANTS])
{
    const struct step *s = t->s;
    bool half = t->data->kind == ISA_RH, upper = half && (t->data->value & 1);
    uint32_t reg = half ? t->data->value >> 1 : t->data->value + k, room[VARIANTS];
    uint32_t mask = t->bytes == 1 ? 0xff : t->bytes == 2 || half ? 0xffff : ~0u;
    const uint32_t *v = zero_row;
    if (reg < s->life->regs) /* what is no register is taken for one, as lsu.c does */
        v = contents(s, reg, lane, golden_row(s->l, s->e->row[ROW_DATA + k], lane), room);
    for (int i = 0; i < VARIANTS; i++)
        out[i] = (upper ? v[i] >> 16 : v[i]) & mask;
}

/* One lane's word k into a word as the variants have it. */
static uint32_t merged(uint32_t old, uint32_t v, uint32_t addr, uint32_t bytes)
{
    uint32_t shift = 8 * (addr & 3), mask = bytes >= 4 ? ~0u : ((1u << 8 * bytes) - 1) << shift;
    return bytes >= 4 ? v : (old & ~mask) | (v << shift & mask);
}

static void store_word(struct store *t, uint32_t word)
{
    struct step *s = t->s;
    struct lanes *l = s->l;
    uint32_t v[VARIANTS], data[VARIANTS], step = flow_step(t->o);
    const struct word *w = find_word(l, word);
    if (w)
        memcpy(v, w->x.v, sizeof v);
    else
        fill(v, word_before(l, word, s->event));
    int at = 0;
    for (int lane = 0; lane < SM_LANES; lane++) { /* ascending: the highest lane wins */
        bool runs = s->e->exec >> lane & 1;
        const struct lane *x = NULL;
        if (at < s->n && s->lane[at].lane == lane)
            x = &s->lane[at++];
        if (!x && !runs)
            continue;
        uint32_t a = golden_address(s, t->o, lane), first = 0;
        if (runs)
            first = flow_word(l->f, s->life, t->o, a, lane);
        for (uint32_t k = 0; k < t->words; k++) {
            if (!x && first + k * step != word)
                continue;
            bool ready = false;
            for (int i = 0; i < VARIANTS; i++) {
                if (x && !(x->exec & l->alive & lane_bit[i]))
                    continue;
                uint32_t mine = x && (x->moved >> i & 1 || !runs) ? x->addr.v[i] : a,
                         n = mine == a && runs ? first : flow_word(l->f, s->life, t->o, mine, lane);
                if (n + k * step != word)
                    continue;
                if (!ready)
                    stored(t, lane, k, data);
                ready = true;
                v[i] = merged(v[i], data[i], mine, t->bytes);
            }
        }
    }
    set_word(l, word, s->event, v, word_after(l, word, s->event));
}

static void evaluate_store(struct step *s)
{
    struct lanes *l = s->l;
    struct store t = {.s = s, .o = &s->in->dst, .data = &s->in->src[0]};
    t.bytes = flow_width(t.o->type);
    t.words = words_of(t.o);
    for (int i = 0; i < s->n; i++) {
        const struct lane *x = &s->lane[i];
        bool runs = s->e->exec >> x->lane & 1;
        uint32_t apart = x->exec & l->alive & (runs ? x->moved : ~0u), step = flow_step(t.o);
        if (runs)
            for (uint32_t k = 0; k < t.words; k++)
                involve(&t,
                        flow_word(l->f, s->life, t.o, golden_address(s, t.o, x->lane), x->lane) +
                            k * step);
        for (int v = 0; v < VARIANTS && apart >> v; v++) {
            if (!(apart >> v & 1))
                continue;
            for (uint32_t k = 0; k < t.words; k++) {
                uint32_t word = flow_word(l->f, s->life, t.o, x->addr.v[v], x->lane) + k * step;
                involve(&t, word);
                if (shared_word(s, word, true))
                    l->sensitive |= lane_bit[v];
            }
        }
    }
    for (uint32_t i = 0; i < t.n && l->alive; i++)
        store_word(&t, t.number[i]);
}

/* ---- following ---------------------------------------------------------------------------------------------------- */

static void keep_item(struct partings *p, const struct item *x)
{
    if (p->items == p->room) {
        p->room = p->room ? 2 * p->room : 64;
        p->item = fl_grow(p->item, p->room, sizeof *p->item);
    }
    p->item[p->items++] = *x;
}

/* An instruction that another warp may have behind Read in this moment: does a difference decide its lanes or its
 * addresses? */
static bool decides(const struct lanes *l, const struct track *t)
{
    const struct flow_life *life = &l->f->life[t->life];
    if (t->at >= life->count)
        return false;
    const struct flow_event *e = &l->f->event[l->f->life_event[life->first + t->at]];
    for (uint32_t i = 0; e->uop && i < t->n; i++) {
        uint32_t place = t->place[i].place;
        const struct isa_insn *in = &e->uop->in;
        const struct isa_operand *list[4] = {&in->src[0], &in->src[1], &in->src[2], &in->dst};
        if (place >= PLACE_CC)
            return true;
        for (int k = 0; k < 4; k++)
            if (list[k]->kind == ISA_G && list[k]->value == place)
                return true;
    }
    return false;
}

/* These variants go another way from here: a machine takes over, with what differs now. */
static void part(struct step *s, uint32_t variants)
{
    struct lanes *l = s->l;
    struct partings *p = l->now;
    variants &= l->alive;
    if (!variants)
        return;
    bool clear = p->n < MAX_PARTINGS;
    for (uint32_t i = 0; i < l->ntracks; i++)
        clear = clear && (&l->track[i] == s->t || !decides(l, &l->track[i]));
    if (!clear) {
        lose(l, variants);
        return;
    }
    struct parting *x = &p->list[p->n++];
    *x = (struct parting){s->event, variants, p->items, 0};
    for (uint32_t i = 0; i < l->ntracks; i++)
        for (uint32_t k = 0; k < l->track[i].n; k++) {
            const struct place *at = &l->track[i].place[k];
            struct item item = {l->track[i].life, at->place, at->mask & variants, at->lane, at->x};
            if (item.mask)
                keep_item(p, &item);
        }
    for (uint32_t i = 0; i < l->nwords; i++) {
        struct item item = {FLOW_NONE, l->word[i].number, l->word[i].mask & variants, 0,
                            l->word[i].x};
        if (item.mask)
            keep_item(p, &item);
    }
    x->count = p->items - x->first;
    for (int v = 0; v < VARIANTS; v++)
        if (variants >> v & 1)
            l->stop_event[v] = s->event;
    l->parted |= variants;
    l->alive &= ~variants;
}

static void evaluate(struct step *s)
{
    struct lanes *l = s->l;
    const struct isa_operand *src[3] = {&s->in->src[0], &s->in->src[1], &s->in->src[2]},
                             *dst[1] = {&s->in->dst};
    enum sm_unit unit = (enum sm_unit)s->e->uop->unit;
    switch (unit) {
    case UNIT_BRA:
    case UNIT_RET:
    case UNIT_BRK: {
        uint32_t apart = 0;
        for (int i = 0; i < s->n; i++)
            apart |= s->e->exec >> s->lane[i].lane & 1 ? ~s->lane[i].exec : s->lane[i].exec;
        part(s, apart);
        return;
    }
    case UNIT_STORE: find_memory(s, dst, 1); break;
    case UNIT_LOAD:
    case UNIT_MOVE: find_memory(s, src, 1); break;
    case UNIT_ALU: find_memory(s, src, s->e->uop->nsrc); break;
    case UNIT_R2A:
    case UNIT_ADA:
    case UNIT_A2R:
    case UNIT_C2R:
    case UNIT_R2C: find_memory(s, src, 2); break;
    case UNIT_S2R: break;
    default: return;
    }
    l->evaluated += (uint64_t)s->n;
    if (unit == UNIT_STORE)
        evaluate_store(s);
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

/* What differs at the end of its life is forgotten, unless somebody reads leftovers later on. */
static void end_life(struct lanes *l, struct track *t)
{
    const struct flow_life *life = &l->f->life[t->life];
    uint32_t last = l->f->life_event[life->first + life->count - 1];
    for (uint32_t i = 0; i < t->n; i++) {
        int kind = t->place[i].place < PLACE_CC  ? STALE_ROW
                   : t->place[i].place < PLACE_A ? STALE_CC
                                                 : STALE_A;
        if (l->f->stale[kind] > last)
            lose(l, t->place[i].mask);
    }
    *t = l->track[--l->ntracks];
}

static void next_visit(struct lanes *l, uint32_t life)
{
    struct track *t = find_track(l, life);
    if (!t)
        return;
    const struct flow_life *f = &l->f->life[life];
    const uint64_t *mask = &l->f->life_mask[f->first];
    uint32_t n = 0;
    t->touch = 0;
    for (uint32_t i = 0; i < t->n; i++)
        if (t->place[i].mask & l->alive) {
            t->touch |= flow_place_bit(t->place[i].place);
            if (n != i)
                t->place[n] = t->place[i];
            n++;
        }
    t->n = n;
    if (!n) {
        *t = l->track[--l->ntracks];
        return;
    }
    while (t->at < f->count && !(mask[t->at] & t->touch))
        t->at++;
    if (t->at < f->count)
        push(l, l->f->life_event[f->first + t->at], false);
    else
        end_life(l, t);
}

/* Nobody looks after what the variants that are gone have left: golden writes pass it by. */
static void drop_words(struct lanes *l)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->nwords; i++)
        if (l->word[i].mask & l->alive) {
            if (n != i)
                l->word[n] = l->word[i];
            n++;
        }
    l->nwords = n;
}

static void look_at(struct lanes *l, uint32_t event, bool words)
{
    const struct flow_event *e = &l->f->event[event];
    struct step s = {.l = l, .event = event, .e = e, .life = &l->f->life[e->life]};
    s.t = find_track(l, e->life);
    if (s.t)
        s.t->at = e->at + 1;
    if (e->uop) {
        s.in = &e->uop->in;
        s.calm = true;
        for (uint32_t lanes = lanes_affected(&s, words); lanes; lanes &= lanes - 1)
            add_lane(&s, __builtin_ctz(lanes));
        if (s.n)
            evaluate(&s);
    }
    s.t = find_track(l, e->life);
    if (s.t)
        s.t->at = e->at + 1;
    next_visit(l, e->life);
}

static uint32_t golden_register(const struct lanes *l, const struct flow_event *e, uint32_t reg,
                                int lane)
{
    const struct isa_insn *in = &e->uop->in;
    for (int i = 0; i < 3; i++) {
        const struct isa_operand *o = &in->src[i];
        if (((o->kind == ISA_R || o->kind == ISA_G) && o->value == reg) ||
            (o->kind == ISA_RH && o->value >> 1 == reg))
            return golden_row(l, e->row[i], lane);
    }
    if (in->dst.kind == ISA_G && in->dst.value == reg)
        return golden_row(l, e->row[ROW_ADDRESS], lane);
    return golden_row(l, e->row[ROW_DATA + (reg - in->src[0].value) % 4], lane);
}

static void follow(struct lanes *l, uint32_t row, int lane, uint32_t site, uint32_t bits)
{
    const struct flow_event *e = &l->f->event[site];
    const struct flow_life *life = &l->f->life[e->life];
    uint32_t reg = row - life->base, v[VARIANTS];
    l->alive = bits;
    l->crashed = l->parted = l->lost = l->sensitive = 0;
    l->now->n = l->now->items = 0;
    l->ntracks = l->nwords = l->ncosts = l->nheap = 0;
    if (!e->uop || reg >= life->regs) {
        lose(l, ~0u);
        return;
    }
    uint32_t good = golden_register(l, e, reg, lane);
    for (int i = 0; i < VARIANTS; i++)
        v[i] = good ^ lane_bit[i];
    set_place(l, e->life, e->at, reg, lane, v, good);
    push(l, site, false);
    while (l->nheap && l->alive) {
        struct visit x = pop(l);
        uint32_t before = l->alive;
        while (l->nheap && l->heap[0].event == x.event)
            x.words |= pop(l).words;
        look_at(l, x.event, x.words);
        if (l->alive != before)
            drop_words(l);
    }
}

/* ---- outcomes ----------------------------------------------------------------------------------------------------- */

static uint32_t word_at_end(const struct lanes *l, uint32_t word)
{
    const struct flow_chain *c = &l->f->chain[word];
    return c->writes ? l->f->write[c->write + c->writes - 1].value : l->f->init[word];
}

/* Shared and local words that differ at the end are forgotten like registers. */
static void end_words(struct lanes *l)
{
    const struct flow *f = l->f;
    uint32_t global = l->g->img->global_bytes / 4;
    for (uint32_t i = 0; i < l->nwords; i++) {
        if (l->word[i].number >= global && (f->stale[STALE_SHARED] || f->stale[STALE_LOCAL]))
            lose(l, l->word[i].mask);
    }
}

/* The first byte of an output that differs in each variant of `ask`: returns those that have one. */
static uint32_t outputs_that_differ(const struct lanes *l, uint32_t ask, int output[VARIANTS],
                                    uint32_t offset[VARIANTS])
{
    const struct job *job = l->g->img->job;
    uint32_t found = 0, global = l->g->img->global_bytes / 4;
    for (int i = 0; i < job->noutputs && l->nwords; i++) {
        const struct job_output *o = &job->output[i];
        uint32_t from = job->buffer[o->buffer].addr + o->offset - JOB_BASE, now = 0;
        for (uint32_t k = 0; k < l->nwords; k++) {
            const struct word *w = &l->word[k];
            uint32_t mask = w->mask & ask & ~found, good;
            if (!mask || w->number >= global)
                continue;
            good = word_at_end(l, w->number);
            for (int v = 0; v < VARIANTS; v++) {
                uint32_t d = w->x.v[v] ^ good;
                for (uint32_t b = 0; (mask >> v & 1) && b < 4; b++) {
                    uint32_t at = w->number * 4 + b - from;
                    if (!(d >> 8 * b & 0xff) || at >= o->size)
                        continue;
                    if (!(now >> v & 1) || at < offset[v])
                        offset[v] = at;
                    output[v] = i;
                    now |= lane_bit[v];
                }
            }
        }
        found |= now;
    }
    return found;
}

struct verdicts { /* of the variants in `known`, as far as data go */
    uint32_t known, differ, crashed, parted, sensitive;
    int output[VARIANTS];
    uint32_t offset[VARIANTS], stop_event[VARIANTS];
    enum sm_trap trap[VARIANTS];
    const struct partings *partings;
};

static void judge(struct lanes *l, struct verdicts *out)
{
    end_words(l);
    out->known = l->alive | l->crashed | l->parted;
    out->crashed = l->crashed;
    out->parted = l->parted;
    out->sensitive = l->sensitive;
    out->differ = outputs_that_differ(l, l->alive, out->output, out->offset);
    out->partings = l->now;
    memcpy(out->stop_event, l->stop_event, sizeof out->stop_event);
    memcpy(out->trap, l->trap, sizeof out->trap);
}

static void tell(const struct lanes *l, const struct verdicts *x, int v, uint64_t cycle,
                 struct fsim_result *r)
{
    const struct golden *g = l->g;
    r->end = cycle;
    if (x->crashed >> v & 1) {
        r->outcome = OUT_CRASH;
        r->end = cycle + 1; /* behind the last effect */
        snprintf(r->reason, sizeof r->reason, "%s", sm_trap_name(x->trap[v]));
    } else if (x->differ >> v & 1) {
        r->outcome = OUT_SDC;
        snprintf(r->reason, sizeof r->reason, "%.40s+0x%x", g->img->job->output[x->output[v]].name,
                 x->offset[v]);
    } else if (cycle != g->cycles) {
        r->outcome = OUT_PERFORMANCE;
        snprintf(r->reason, sizeof r->reason, "%lld cycles %s",
                 llabs((long long)cycle - (long long)g->cycles),
                 cycle > g->cycles ? "late" : "early");
    } else {
        r->outcome = OUT_MASKED;
        snprintf(r->reason, sizeof r->reason, "logically_masked");
    }
}

/* ---- variants that part ------------------------------------------------------------------------------------------- */

static int slot_of(const struct sm *m, const uint32_t *life_of, uint32_t life)
{
    for (int i = 0; i < m->img->warps_used; i++)
        if ((m->s.live >> i & 1) && life_of[i] == life)
            return i;
    return NO_WARP;
}

static bool put_place(struct sm *m, const uint32_t *life_of, const struct item *x, uint32_t v)
{
    int slot = slot_of(m, life_of, x->life);
    if (slot == NO_WARP)
        return false;
    struct sm_warp *w = &m->s.warp[slot];
    if (x->number < PLACE_CC) {
        m->s.rf[w->reg_base + x->number * SM_LANES + x->lane] = v;
    } else if (x->number < PLACE_A) {
        struct sm_cc *cc = &w->cc[x->number - PLACE_CC];
        uint32_t *plane[4] = {&cc->z, &cc->s, &cc->c, &cc->o};
        for (int i = 0; i < 4; i++)
            *plane[i] = (*plane[i] & ~lane_bit[x->lane]) | (v >> i & 1 ? lane_bit[x->lane] : 0);
    } else {
        w->a[x->number - PLACE_A][x->lane] = (uint16_t)v;
    }
    return true;
}

/* A word of a block or a warp that is there; others are not looked at again. */
static bool put_word(const struct flow *f, struct sm *m, const uint32_t *life_of, uint32_t number,
                     uint32_t v)
{
    if (number < m->img->global_bytes / 4) {
        memcpy(mem_writable(&m->mem, number * 4), &v, 4);
        return true;
    }
    for (int i = 0; i < m->img->warps_used; i++) {
        if (!(m->s.live >> i & 1))
            continue;
        const struct flow_life *life = &f->life[life_of[i]];
        const struct flow_block *b = &f->block[life->block];
        uint32_t local = m->img->kernel[life->kernel].local_bytes / 4 * SM_LANES;
        if (number - b->word0 < b->shared / 4) {
            memcpy(&m->s.shared[m->s.block[m->s.warp[i].block].shared0 + 4 * (number - b->word0)],
                   &v, 4);
            return true;
        }
        if (number - life->local < local) {
            uint32_t at = (uint32_t)i * local + number - life->local;
            memcpy(mem_writable(&m->mem, m->img->local_offset + 4 * at), &v, 4);
            return true;
        }
    }
    return !f->uninitialised;
}

/* Variant v by a machine from the instruction on in which it parts. */
static bool run_parted(struct lanes *l, const struct parting *x, const struct partings *all, int v,
                       const struct sm *from, const uint32_t *life_of, struct fsim_result *out)
{
    struct sm *m = l->worker->bad;
    sm_copy(m, from);
    for (uint32_t i = x->first; i < x->first + x->count; i++) {
        const struct item *item = &all->item[i];
        if (!(item->mask >> v & 1))
            continue;
        if (item->life != FLOW_NONE ? !put_place(m, life_of, item, item->x.v[v])
                                    : !put_word(l->f, m, life_of, item->number, item->x.v[v]))
            return false;
    }
    struct sm_warp *w = &m->s.warp[m->s.stage[STAGE_W]];
    w->exec = exec_mask(w, &l->f->event[x->event].uop->in);
    l->machines++;
    worker_run_to_end(l->worker, m, true, out);
    return true;
}

static uint32_t run_all_parted(struct lanes *l, const struct verdicts *x, uint32_t group,
                               const struct pace_cost *cost, uint32_t n,
                               struct fsim_result out[VARIANTS])
{
    const uint32_t *life_of;
    uint32_t known = 0;
    for (uint32_t i = 0; i < x->partings->n; i++) {
        const struct parting *p = &x->partings->list[i];
        if (!(p->mask & group))
            continue;
        const struct sm *m = pace_machine(l->pace, cost, n, p->event, &life_of);
        for (int v = 0; m && v < VARIANTS; v++)
            if ((p->mask & group) >> v & 1 && run_parted(l, p, x->partings, v, m, life_of, &out[v]))
                known |= lane_bit[v];
    }
    return known;
}

/* ---- variants that take another time ------------------------------------------------------------------------------ */

/* The costs of variant v, in ascending order of events. */
static uint32_t costs_of(const struct cost *cost, uint32_t ncosts, int v, struct pace_cost *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < ncosts; i++)
        if (cost[i].mask >> v & 1) {
            struct pace_cost c = {cost[i].event, cost[i].cost};
            uint32_t at = n++;
            for (; at && out[at - 1].event > c.event; at--)
                out[at] = out[at - 1];
            out[at] = c;
        }
    return n;
}

/* Variants of `among` with exactly the costs of variant v. */
static uint32_t like(const struct cost *cost, uint32_t ncosts, int v, uint32_t among)
{
    for (uint32_t i = 0; i < ncosts; i++)
        among &= cost[i].mask >> v & 1 ? cost[i].mask : ~cost[i].mask;
    return among;
}

struct fault {
    uint32_t row, site;
    int lane;
};

static uint32_t stop_of(const struct verdicts *x, int v)
{
    return (x->crashed | x->parted) >> v & 1 ? x->stop_event[v] : FLOW_NONE;
}

/* The variants of `group` once more, in the order in which things happen with these costs: those that come to the same
 * costs. */
static uint32_t follow_again(struct lanes *l, const struct fault *f, uint32_t group,
                             const uint32_t *order, const struct pace_cost *cost, uint32_t n,
                             uint32_t stop, struct verdicts *x)
{
    struct pace_cost *again = fl_alloc(MAX_COSTS * sizeof *again);
    l->order = order;
    l->now = &l->partings[1];
    follow(l, f->row, f->lane, f->site, group);
    judge(l, x);
    l->now = &l->partings[0];
    l->order = NULL;
    group &= x->known;
    for (int v = 0; v < VARIANTS; v++) {
        if (!(group >> v & 1))
            continue;
        uint32_t m = costs_of(l->cost, l->ncosts, v, again);
        if (m != n || stop_of(x, v) != stop || memcmp(again, cost, n * sizeof *cost) != 0)
            group &= ~lane_bit[v];
    }
    free(again);
    return group;
}

/* Variants that take the same time, which is not the golden run's. Returns those whose outcome is known. */
static uint32_t answer_late(struct lanes *l, const struct fault *f, const struct verdicts *first,
                            uint32_t group, const struct pace_cost *cost, uint32_t n, uint32_t stop,
                            struct fsim_result out[VARIANTS])
{
    struct verdicts x = *first;
    const uint32_t *order;
    uint64_t cycle;
    bool sensitive = first->sensitive & group;
    if (!sensitive && (group & x.parted))
        return run_all_parted(l, &x, group, cost, n, out);
    if (!pace_run(l->pace, cost, n, stop, &cycle, sensitive ? &order : NULL))
        return 0;
    if (sensitive)
        group = follow_again(l, f, group, order, cost, n, stop, &x);
    if (group & x.parted)
        return run_all_parted(l, &x, group & x.parted, cost, n, out);
    for (int v = 0; v < VARIANTS; v++)
        if (group >> v & 1)
            tell(l, &x, v, cycle, &out[v]);
    return group;
}

uint32_t lanes_flip(struct lanes *l, uint32_t row, int lane, uint32_t site, uint32_t bits,
                    struct fsim_result out[VARIANTS])
{
    struct fault f = {row, site, lane};
    struct verdicts x;
    uint32_t known, late = 0, left;
    follow(l, row, lane, site, bits);
    judge(l, &x);
    for (uint32_t i = 0; i < l->ncosts; i++)
        late |= l->cost[i].mask;
    known = x.known & ~late & ~x.parted;
    for (left = x.known; left; left &= left - 1) {
        int v = __builtin_ctz(left);
        out[v].untestable = false;
        out[v].first_activation = FSIM_NEVER;
        if (known >> v & 1)
            tell(l, &x, v, x.crashed >> v & 1 ? l->f->t->site[x.stop_event[v]].cycle : l->g->cycles,
                 &out[v]);
    }
    if (x.parted & ~late)
        known |= run_all_parted(l, &x, x.parted & ~late, NULL, 0, out);
    left = x.known & late;
    if (!left)
        return known;
    uint32_t ncosts = l->ncosts;
    struct cost *cost = fl_alloc(ncosts * sizeof *cost);
    struct pace_cost *one = fl_alloc(ncosts * sizeof *one);
    memcpy(cost, l->cost, ncosts * sizeof *cost);
    while (left) {
        int v = __builtin_ctz(left);
        uint32_t stop = stop_of(&x, v),
                 group = like(cost, ncosts, v, left & (x.parted >> v & 1 ? x.parted : ~x.parted));
        for (int i = 0; i < VARIANTS; i++)
            if ((group >> i & 1) && stop_of(&x, i) != stop)
                group &= ~lane_bit[i];
        left &= ~group;
        uint32_t n = costs_of(cost, ncosts, v, one);
        known |= answer_late(l, &f, &x, group, one, n, stop, out);
    }
    free(cost);
    free(one);
    return known;
}
