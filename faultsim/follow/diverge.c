/* diverge.c -- copies that diverge from the golden run in a branch: a machine takes over from
 * there. */
#include <stdlib.h>

#include "base/hash.h"
#include "internal.h"

/* ---- what they take along -------------------------------------------------------------------- */

static void keep_item(struct divergences *p, const struct item *x)
{
    FL_ROOM(p->item, p->items, p->room, 64);
    p->item[p->items++] = *x;
}

bool follow_decides(const struct follower *l, const struct track *t, uint32_t copies)
{
    const struct flow_instance *instance = &l->f->instance[t->instance];
    if (t->at >= instance->count)
        return !is_over(l->f, t->instance); /* the next segment has it */
    const struct flow_event *e = &l->f->event[l->f->instance_event[instance->first + t->at]];
    for (uint32_t i = 0; e->uop && i < t->n; i++) {
        uint32_t place = t->place[i].place;
        if (l->subject.held && !(t->place[i].mask & copies))
            continue;
        const struct isa_insn *in = &e->uop->in;
        const struct isa_operand *list[4] = {&in->src[0], &in->src[1], &in->src[2], &in->dst};
        if (place >= PLACE_CC)
            return true;
        if (e->uop->unit == UNIT_TEXTURE && place - in->dst.value < in->tex.coords)
            return true;
        for (int k = 0; k < 4; k++)
            if (list[k]->kind == ISA_G && list[k]->value == place)
                return true;
    }
    return false;
}

/* These copies go another way from here: a machine takes over, with what differs now. */
void follow_diverge(struct step *s, uint32_t copies)
{
    struct follower *l = s->l;
    struct divergences *p = l->now;
    copies &= l->alive;
    if (!copies)
        return;
    bool clear = p->n < MAX_DIVERGENCES;
    for (uint32_t i = 0; i < l->ntracks; i++)
        clear = clear && (&l->track[i] == s->t || !follow_decides(l, &l->track[i], copies));
    if (!clear) {
        lose(l, copies);
        return;
    }
    struct divergence *x = &p->list[p->n++];
    *x = (struct divergence){s->event, copies, p->items, 0};
    for (uint32_t i = 0; i < l->ntracks; i++)
        for (uint32_t k = 0; k < l->track[i].n; k++) {
            const struct place *at = &l->track[i].place[k];
            struct item item = {l->track[i].instance, at->place, at->mask & copies, at->lane,
                                at->x};
            if (item.mask)
                keep_item(p, &item);
        }
    for (uint32_t i = 0; i < l->nwords; i++) {
        struct item item = {FLOW_NONE, l->word[i].number, l->word[i].mask & copies, 0,
                            l->word[i].x};
        if (item.mask)
            keep_item(p, &item);
    }
    x->count = p->items - x->first;
    for (int v = 0; v < COPIES; v++)
        if (copies >> v & 1)
            l->stop_event[v] = s->event;
    l->diverged |= copies;
    l->alive &= ~copies;
}

/* ---- the machine ----------------------------------------------------------------------------- */

static int slot_of(const struct sm *m, const struct retime_slots *slots, uint32_t instance)
{
    for (int i = 0; i < m->img->warps_used; i++)
        if (mask_has(m->s.live, i) && slots->instance[i] == instance)
            return i;
    return NO_WARP;
}

/* Puts a value into a place of a warp, whose registers begin at row `base` of the SM. */
static void put_value(struct sm *m, int slot, uint32_t base, uint32_t place, int lane, uint32_t v)
{
    struct sm_warp *w = &m->s.warp[slot];
    if (place < PLACE_CC) {
        m->s.rf[(base + place) * SM_LANES + (uint32_t)lane] = v;
    } else if (place < PLACE_A) {
        struct sm_cc *cc = &w->cc[place - PLACE_CC];
        uint32_t *plane[4] = {&cc->z, &cc->s, &cc->c, &cc->o};
        for (int i = 0; i < 4; i++)
            *plane[i] = (*plane[i] & ~lane_bit[lane]) | (v >> i & 1 ? lane_bit[lane] : 0);
    } else {
        w->a[place - PLACE_A][lane] = (uint16_t)v;
    }
}

/* The places of an instance, and the words of shared and local memory, are where they are now: blocks
 * may have come to lie elsewhere, in another SM too. */
static bool put_place(struct gpu *m, const struct retime_slots *slots, const struct item *x,
                      uint32_t v)
{
    for (int i = 0; i < m->sms; i++) {
        int slot = slot_of(&m->sm[i], &slots[i], x->instance);
        if (slot != NO_WARP) {
            put_value(&m->sm[i], slot, m->sm[i].s.warp[slot].reg_base / SM_LANES, x->number,
                      x->lane, v);
            return true;
        }
    }
    return false;
}

static bool put_word_of(const struct flow *f, struct gpu *g, int sm,
                        const struct retime_slots *slots, uint32_t number, uint32_t v)
{
    struct sm *m = &g->sm[sm];
    for (int i = 0; i < g->img->warps_used; i++) {
        if (!mask_has(m->s.live, i))
            continue;
        const struct flow_instance *instance = &f->instance[slots->instance[i]];
        const struct run_block *b = &f->block[instance->block];
        uint32_t local = g->img->kernel[instance->kernel].local_bytes / 4 * SM_LANES;
        if (number - b->word0 < b->shared / 4) {
            memcpy(&m->s.shared[m->s.block[m->s.warp[i].block].shared0 + 4 * (number - b->word0)],
                   &v, 4);
            return true;
        }
        if (number - instance->local < local) {
            uint32_t at = (uint32_t)i * local + number - instance->local;
            memcpy(sm_memory_writable(&g->memory, g->img->local_offset +
                                                      (uint32_t)sm * g->img->local_bytes + 4 * at),
                   &v, 4);
            return true;
        }
    }
    return false;
}

/* A word of a block or a warp that is there; others are not looked at again. */
static bool put_word(const struct flow *f, struct gpu *m, const struct retime_slots *slots,
                     uint32_t number, uint32_t v)
{
    if (number < m->img->const_offset / 4) {
        memcpy(sm_memory_writable(&m->memory, number * 4), &v, 4);
        return true;
    }
    for (int i = 0; i < m->sms; i++)
        if (put_word_of(f, m, i, &slots[i], number, v))
            return true;
    return !f->uninitialised;
}

/* The rest of a run from the instruction on in which it diverges, of which the machine has all that differs but the
 * lanes that execute it. */
static void set_lanes(const struct follower *l, struct gpu *m, const struct divergence *x, int v)
{
    if (l->subject.held) {
        struct sm_cell cell = sm_unit_cell(m->img, SM_S_rf, l->subject.row, l->subject.lane, v);
        struct sm_force f = sm_cell_force(m->img, &cell, l->subject.value);
        gpu_add_force(m, &f);
    }
    struct sm_state *s = &m->sm[gpu_turn(m)].s;
    struct sm_warp *w = &s->warp[s->stage[STAGE_W]];
    w->exec = exec_mask(w, &l->f->event[x->event].uop->in);
}

/* What differs is of this SM alone, whose instances have golden places. */
static bool put_single(const struct follower *l, const struct item *x, uint32_t v)
{
    struct gpu *g = l->single->m;
    struct sm *m = &g->sm[l->single->sm];
    uint32_t rows = (uint32_t)g->img->profile.regs / SM_LANES;
    if (x->instance == FLOW_NONE && x->number < g->img->const_offset / 4) {
        m->global(m->global_context, x->number, true);
        memcpy(sm_memory_writable(&g->memory, x->number * 4), &v, 4);
        return !l->single->strayed;
    }
    if (x->instance == FLOW_NONE)
        return false; /* shared and local memory: by the chip */
    const struct flow_instance *i = &l->f->instance[x->instance];
    const struct sm_warp *w = &m->s.warp[i->slot];
    if (i->sm != l->single->sm || !mask_has(m->s.live, i->slot) ||
        i->base % rows != w->reg_base / SM_LANES || l->f->block[i->block].to < gpu_cycles(g))
        return false;
    put_value(m, i->slot, w->reg_base / SM_LANES, x->number, x->lane, v);
    return true;
}

/* Copy v by the SM of the event alone. */
static bool run_single_sm(struct follower *l, const struct divergence *x,
                          const struct divergences *all, int v, struct fsim_result *out)
{
    const struct flow_event *e = &l->f->event[x->event];
    struct gpu *m = dut_gpu(l->run->bad);
    uint32_t rows = (uint32_t)l->g->img->profile.regs / SM_LANES;
    if (l->subject.held && l->subject.row / rows != l->f->instance[e->instance].sm)
        return false;
    if (!l->single || !single_sm_seek(l->single, m, l->f->instance[e->instance].sm, e->cycle))
        return false;
    single_sm_watch(l->single);
    for (uint32_t i = x->first; i < x->first + x->count; i++) {
        const struct item *item = &all->item[i];
        if ((item->mask >> v & 1) && !put_single(l, item, item->x.v[v])) {
            single_sm_leave(l->single);
            return false;
        }
    }
    set_lanes(l, m, x, v);
    l->machines++;
    return single_sm_to_end(l->run, l->single, NULL, LOOK_EARLY, out);
}

/* Copy v by a machine from the instruction on in which it diverges. */
static bool run_diverged(struct follower *l, const struct divergence *x,
                         const struct divergences *all, int v, const struct gpu *from,
                         const struct retime_slots *slots, bool may_return, struct fsim_result *out)
{
    struct gpu *m = dut_gpu(l->run->bad);
    gpu_copy(m, from);
    gpu_drop_forces(m);
    for (uint32_t i = x->first; i < x->first + x->count; i++) {
        const struct item *item = &all->item[i];
        if (!(item->mask >> v & 1))
            continue;
        if (item->instance != FLOW_NONE ? !put_place(m, slots, item, item->x.v[v])
                                        : !put_word(l->f, m, slots, item->number, item->x.v[v]))
            return false;
    }
    set_lanes(l, m, x, v);
    l->machines++;
    if (may_return && follow_rejoin(l, x->event, v))
        return false;
    run_to_end(l->run, LOOK_EARLY, out);
    return true;
}

/* ---- machines that have ended ---------------------------------------------------------------- */

/* A counter that is flipped in one pass of a loop, or in the next one, comes to the same. */

static int by_place(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct follow_item));
}

/* What differs in copy v, in order; its entry in l->ended. NULL: it has none. */
static struct ended *entry_of(struct follower *l, const struct divergence *x,
                              const struct divergences *all, int v,
                              struct follow_item key[MAX_ENDED_ITEMS], uint32_t *n)
{
    *n = 0;
    for (uint32_t i = x->first; i < x->first + x->count; i++) {
        const struct item *item = &all->item[i];
        if (!(item->mask >> v & 1))
            continue;
        if (*n == MAX_ENDED_ITEMS)
            return NULL;
        key[(*n)++] = (struct follow_item){item->instance, item->number, item->lane, item->x.v[v]};
    }
    qsort(key, *n, sizeof *key, by_place);
    uint64_t h = fl_hash(FL_HASH_START, x->event);
    for (uint32_t i = 0; i < *n; i++)
        h = fl_hash(fl_hash(fl_hash(fl_hash(h, key[i].instance), key[i].number), key[i].lane),
                    key[i].value);
    if (!l->ended)
        l->ended = fl_alloc(ENDED * sizeof *l->ended);
    return &l->ended[(h ^ h >> 32) % ENDED];
}

static bool recall(struct follower *l, const struct divergence *x, const struct divergences *all,
                   int v, struct fsim_result *out)
{
    struct follow_item key[MAX_ENDED_ITEMS];
    uint32_t n;
    const struct ended *e = entry_of(l, x, all, v, key, &n);
    if (!e || !e->item || e->event != x->event || e->items != n ||
        memcmp(e->item, key, n * sizeof *key) != 0)
        return false;
    *out = e->r;
    l->machines++; /* it counts as if it had run */
    l->run->stat.instructions += e->instructions;
    return true;
}

static void remember(struct follower *l, const struct divergence *x, const struct divergences *all,
                     int v, uint64_t instructions, const struct fsim_result *r)
{
    struct follow_item key[MAX_ENDED_ITEMS];
    uint32_t n;
    struct ended *e = entry_of(l, x, all, v, key, &n);
    if (!e || r->kept) /* elements are kept for each fault */
        return;
    free(e->item);
    *e = (struct ended){x->event, n, fl_alloc(n * sizeof *key + 1), *r, instructions};
    memcpy(e->item, key, n * sizeof *key);
}

uint32_t follow_run_diverged(struct follower *l, const struct divergences *all, uint32_t group,
                             const struct retime_cost *cost, uint32_t n,
                             struct fsim_result out[COPIES])
{
    const struct retime_slots *slots;
    const bool again = !n && !l->subject.held; /* machines that may have run before */
    uint32_t known = 0;
    for (uint32_t i = 0; i < all->n; i++) {
        const struct divergence *p = &all->list[i];
        bool asked = false;
        const struct gpu *m = NULL; /* the others' */
        for (uint32_t left = p->mask & group; left; left &= left - 1) {
            const int v = __builtin_ctz(left);
            const uint64_t before = l->run->stat.instructions;
            if (again && recall(l, p, all, v, &out[v])) {
                known |= lane_bit[v];
                continue;
            }
            bool ended = !n && run_single_sm(l, p, all, v, &out[v]);
            if (!ended && !asked) {
                m = retime_machine(l->retime, cost, n, p->event, &slots);
                asked = true;
            }
            if (!ended && !(m && run_diverged(l, p, all, v, m, slots, !n, &out[v])))
                continue;
            known |= lane_bit[v];
            if (again)
                remember(l, p, all, v, l->run->stat.instructions - before, &out[v]);
        }
    }
    return known;
}
