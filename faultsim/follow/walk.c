/* walk.c -- follows differences from event to event: which event must be looked at, and
 * what differs behind it.
 *
 * A heap has the events to look at, the earliest first. An event is in it because a place of its
 * instance differs that it uses, or a word of memory. Looking at one goes through the lanes that are
 * affected; evaluate.c does the rest.
 */
#include "base/invariant.h"
#include "base/search.h"
#include "internal.h"

/* ---- which event comes next ------------------------------------------------------------------ */

static void push(struct follower *l, uint32_t event, bool words)
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

static struct visit pop(struct follower *l)
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

/* ---- differences ----------------------------------------------------------------------------- */

SM_CLONES uint32_t lanes_differ(const uint32_t v[COPIES], uint32_t good)
{
    uint32_t mask = 0;
    for (int i = 0; i < COPIES; i++)
        mask |= v[i] != good ? lane_bit[i] : 0;
    return mask;
}

SM_CLONES static uint32_t rows_differ(const uint32_t a[COPIES], const uint32_t b[COPIES])
{
    uint32_t mask = 0;
    for (int i = 0; i < COPIES; i++)
        mask |= a[i] != b[i] ? lane_bit[i] : 0;
    return mask;
}

static void drop_track(struct follower *l, struct track *t)
{
    *t = l->track[--l->ntracks];
}

static void add_place(struct follower *l, uint32_t instance, uint32_t at, const struct place *x)
{
    struct track *t = find_track(l, instance);
    struct place *p = find_place(t, x->place, x->lane);
    if (!t && l->ntracks < MAX_TRACKS) {
        t = &l->track[l->ntracks++];
        t->instance = instance;
        t->at = at;
        t->n = 0;
    }
    FL_INVARIANT(!t || t->at <= at + 1); /* V2 */
    if (!p && t && t->n < MAX_PLACES)
        p = &t->place[t->n++];
    if (p)
        *p = *x;
    else
        lose(l, x->mask);
}

void follow_set_place(struct follower *l, uint32_t instance, uint32_t at, uint32_t place, int lane,
                      const uint32_t v[COPIES], uint32_t good)
{
    uint32_t forced[COPIES], room[COPIES];
    bool held = is_held(l, instance, place, lane);
    if (held) {
        memcpy(forced, v, sizeof forced);
        hold(l, forced);
        v = forced;
    }
    uint32_t mask = rows_differ(v, golden(l, place, good, lane, room)) & l->alive;
    struct track *t = find_track(l, instance);
    struct place *p = find_place(t, place, lane);
    if (!mask && !held) {
        if (p)
            *p = t->place[--t->n];
        return;
    }
    struct place x = {.place = (uint8_t)place, .lane = (uint8_t)lane, .mask = mask};
    memcpy(x.x.v, v, sizeof x.x.v);
    add_place(l, instance, at, &x);
}

/* The last write to the word before the event, or -1; relative to the chain. */
static int64_t write_before(const struct follower *l, const struct flow_chain *c, uint32_t event)
{
    const struct flow_write *w = &l->f->write[c->write];
    uint32_t key = when(l, event);
    return (int64_t)FL_FIRST(i, 0, c->writes, when(l, w[i].event) >= key) - 1;
}

uint32_t follow_word_before(const struct follower *l, uint32_t word, uint32_t event)
{
    const struct flow_chain *c = &l->f->chain[word];
    int64_t i = write_before(l, c, event);
    return i < 0 ? l->f->init[word] : l->f->write[c->write + (uint32_t)i].value;
}

/* What it holds behind the event. */
uint32_t follow_word_after(const struct follower *l, uint32_t word, uint32_t event)
{
    const struct flow_chain *c = &l->f->chain[word];
    int64_t i = write_before(l, c, event) + 1;
    if (i < c->writes && l->f->write[c->write + (uint32_t)i].event == event)
        return l->f->write[c->write + (uint32_t)i].value;
    return i == 0 ? l->f->init[word] : l->f->write[c->write + (uint32_t)(i - 1)].value;
}

/* Everybody who reads the word from event `from` on, later than `behind`, and before its write number `next`; and who
 * writes it then. */
static void visit_between(struct follower *l, uint32_t word, uint32_t from, uint32_t next,
                          int64_t behind)
{
    const struct flow *f = l->f;
    const struct flow_chain *c = &f->chain[word];
    const uint32_t *r = &f->read[c->read];
    uint32_t to = next < c->writes ? f->write[c->write + next].event : FLOW_NONE;
    for (uint32_t i = FL_FIRST(k, 0, c->reads, r[k] >= from); i < c->reads && r[i] < to; i++)
        if (when(l, r[i]) > behind)
            push(l, r[i], true);
    if (to != FLOW_NONE)
        push(l, to, true);
}

/* Everybody who reads the word after the event and before it is written again, and who writes it
 * then. */
static void visit_users(struct follower *l, uint32_t word, uint32_t event)
{
    const struct flow_chain *c = &l->f->chain[word];
    const struct flow_write *w = &l->f->write[c->write];
    int64_t last = write_before(l, c, event);
    uint32_t next = (uint32_t)(last + 1);
    if (next < c->writes && w[next].event == event)
        next++, last++;
    visit_between(l, word, last >= 0 ? w[last].event : 0, next, when(l, event));
}

/* Room for a word that has not differed. */
static struct word *add_word(struct follower *l, uint32_t number)
{
    FL_ROOM(l->word, l->nwords, l->word_room, MAX_WORDS);
    struct word *w = &l->word[l->nwords++];
    w->number = number;
    l->word_at[number] = l->nwords;
    return w;
}

void follow_set_word(struct follower *l, uint32_t number, uint32_t event, const uint32_t v[COPIES],
                     uint32_t good)
{
    uint32_t mask = lanes_differ(v, good) & l->alive;
    struct word *w = find_word(l, number);
    if (!mask) {
        if (w) {
            *w = l->word[--l->nwords];
            l->word_at[w->number] = l->word_at[number];
            l->word_at[number] = 0;
        }
        return;
    }
    if (!w) {
        if (l->nwords == MAX_WORDS) {
            lose(l, mask);
            return;
        }
        w = add_word(l, number);
    }
    w->mask = mask;
    memcpy(w->x.v, v, sizeof w->x.v);
    visit_users(l, number, event);
}

/* ---- one event ------------------------------------------------------------------------------- */

static uint32_t predicate(const struct step *s, int lane)
{
    struct follower *l = s->l;
    uint32_t room[COPIES];
    const uint32_t *flags = contents(s, PLACE_CC + (uint32_t)(s->in->cc_src & 3), lane, s->e->cc_in,
                                     room);
    struct isa_insn in = {.pred = s->in->pred, .cc_src = s->in->cc_src, .lanes = 15};
    struct sm_cc *cc = &l->warp->cc[in.cc_src & 3];
    uint8_t byte[COPIES];
    for (int i = 0; i < COPIES; i++)
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
    x->exec = golden_exec(s, lane);
    if (s->in->pred != PRED_ALWAYS &&
        find_place(s->t, PLACE_CC + (uint32_t)(s->in->cc_src & 3), lane))
        x->exec = predicate(s, lane);
    s->calm = s->calm && x->exec == golden_exec(s, lane);
    s->n++;
}

/* Lanes of which the event touches a place or a word that differs. */
static uint32_t affected_lanes(const struct step *s, bool words_too)
{
    const struct follower *l = s->l;
    uint64_t mask = l->f->instance_mask[s->instance->first + s->e->at];
    uint32_t lanes = 0, some = 0;
    for (uint32_t i = 0; s->t && i < s->t->n; i++)
        if ((mask & flow_place_bit(s->t->place[i].place)) &&
            (s->t->place[i].mask & l->alive ||
             is_held(l, s->e->instance, s->t->place[i].place, s->t->place[i].lane)))
            lanes |= lane_bit[s->t->place[i].lane];
    if (s->e->uop->unit == UNIT_TEXTURE) /* which of its lanes read a word nobody asks */
        return words_too ? s->e->exec | lanes : lanes;
    for (uint32_t i = 0; i < l->nwords; i++)
        some |= words_too ? l->word[i].mask & l->alive : 0;
    const struct isa_operand *list[4] = {&s->in->src[0], &s->in->src[1], &s->in->src[2],
                                         &s->in->dst};
    for (int i = 0; some && i < 4; i++) {
        const struct isa_operand *o = list[i];
        if (o->kind != ISA_S && o->kind != ISA_G && o->kind != ISA_L)
            continue;
        uint32_t words = sm_operand_words(o);
        for (int lane = 0; lane < SM_LANES; lane++) {
            if (!(s->e->exec >> lane & 1))
                continue;
            uint32_t first = flow_word(l->f, s->instance, o,
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

/* What differs at the end of its instance is forgotten, unless somebody reads leftovers later on. */
static void end_instance(struct follower *l, struct track *t)
{
    const struct flow_instance *instance = &l->f->instance[t->instance];
    uint64_t last = l->f->before;
    if (instance->count)
        last += l->f->instance_event[instance->first + instance->count - 1];
    /* blocks are in the order of their starts */
    const bool followed = l->f->block[l->f->nblocks - 1].from >= l->f->block[instance->block].to;
    for (uint32_t i = 0; i < t->n; i++) {
        int kind = t->place[i].place < PLACE_CC  ? STALE_ROW
                   : t->place[i].place < PLACE_A ? STALE_CC
                                                 : STALE_A;
        l->left_behind |= followed ? t->place[i].mask : 0;
        if (l->f->stale[kind] > last)
            lose(l, t->place[i].mask);
        else if (last < l->forgot[kind])
            l->forgot[kind] = last;
    }
    drop_track(l, t);
}

static void next_visit(struct follower *l, uint32_t instance)
{
    struct track *t = find_track(l, instance);
    if (!t)
        return;
    const struct flow_instance *f = &l->f->instance[instance];
    const uint64_t *mask = &l->f->instance_mask[f->first];
    uint32_t n = 0;
    t->places_bits = 0;
    for (uint32_t i = 0; i < t->n; i++)
        if ((t->place[i].mask & l->alive) ||
            is_held(l, instance, t->place[i].place, t->place[i].lane)) {
            t->places_bits |= flow_place_bit(t->place[i].place);
            if (n != i)
                t->place[n] = t->place[i];
            n++;
        }
    t->n = n;
    if (!n) {
        drop_track(l, t);
        return;
    }
    while (t->at < f->count && !(mask[t->at] & t->places_bits))
        t->at++;
    if (t->at < f->count)
        push(l, l->f->instance_event[f->first + t->at], false);
    else if (is_over(l->f, instance))
        end_instance(l, t);
}

/* Nobody looks after what the copies that are gone have left: golden writes pass it by. */
static void drop_words(struct follower *l)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->nwords; i++)
        if (l->word[i].mask & l->alive) {
            l->word[n++] = l->word[i];
            l->word_at[l->word[i].number] = n;
        } else {
            l->word_at[l->word[i].number] = 0;
        }
    l->nwords = n;
}

void follow_lose_stale(struct step *s, uint32_t copies)
{
    struct follower *l = s->l;
    const struct flow_instance *own = s->instance;
    const struct run_block *b = &l->f->block[own->block];
    const uint32_t global = l->g->img->const_offset / 4,
                   local = l->g->img->kernel[own->kernel].local_bytes / 4 * SM_LANES;
    uint32_t left = l->left_behind;
    for (uint32_t i = 0; (copies & l->alive) && i < l->nwords; i++) {
        const uint32_t n = l->word[i].number;
        if (n >= global && n - b->word0 >= b->shared / 4 && n - own->local >= local)
            left |= l->word[i].mask;
    }
    lose(l, copies & left);
}

static void look_at(struct follower *l, uint32_t event, bool words)
{
    const struct flow_event *e = &l->f->event[event];
    struct step s; /* most of it is lanes, set as they are added */
    if (flow_by_host(e)) {
        follow_host(l, event);
        return;
    }
    s.l = l;
    s.event = event;
    s.e = e;
    s.instance = &l->f->instance[e->instance];
    s.n = 0;
    s.t = find_track(l, e->instance);
    if (s.t)
        s.t->at = e->at + 1;
    if (e->uop) {
        s.in = &e->uop->in;
        s.calm = true;
        for (uint32_t lanes = affected_lanes(&s, words); lanes; lanes &= lanes - 1)
            add_lane(&s, __builtin_ctz(lanes));
        uint32_t otherwise = 0; /* copies that execute it in other lanes */
        for (int i = 0; !s.calm && i < s.n; i++)
            otherwise |= s.lane[i].exec ^ golden_exec(&s, s.lane[i].lane);
        follow_lose_stale(&s, otherwise);
        if (s.n)
            follow_evaluate(&s);
    }
    s.t = find_track(l, e->instance);
    if (s.t)
        s.t->at = e->at + 1;
    next_visit(l, e->instance);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* What a register holds that the event reads. */
static uint32_t row_read(const struct flow_event *e, uint32_t reg)
{
    const struct isa_insn *in = &e->uop->in;
    for (int i = 0; i < 3; i++) {
        const struct isa_operand *o = &in->src[i];
        if (((o->kind == ISA_R || o->kind == ISA_G) && o->value == reg) ||
            (o->kind == ISA_RH && o->value >> 1 == reg))
            return e->row[i];
    }
    if (in->dst.kind == ISA_G && in->dst.value == reg)
        return e->row[ROW_ADDRESS];
    if (e->uop->unit == UNIT_TEXTURE)
        return e->row[ROW_DATA + (reg - in->dst.value) % 4];
    return e->row[ROW_DATA + (reg - in->src[0].value) % 4];
}

/* A flipped register, from the instruction on that reads it. */
static void start_flipped(struct follower *l)
{
    const struct subject *x = &l->subject;
    const struct flow_event *e = &l->f->event[x->site];
    const struct flow_instance *instance = &l->f->instance[e->instance];
    uint32_t reg = x->row - instance->base, v[COPIES];
    if (!e->uop || reg >= instance->regs) {
        lose(l, ~0u);
        return;
    }
    uint32_t good = row_read(e, reg), room[COPIES];
    const uint32_t *was = golden(l, reg, good, x->lane, room);
    for (int i = 0; i < COPIES; i++)
        v[i] = was[i] ^ lane_bit[i];
    follow_set_place(l, e->instance, e->at, reg, x->lane, v, good);
    push(l, x->site, false);
}

/* A held register, in every instance that owns it: each is looked at wherever it reads or writes it.
 * Somebody who reads what he has not written would find there what is held. */
static void start_held(struct follower *l)
{
    const struct flow *f = l->f;
    const struct subject *x = &l->subject;
    if (f->uninitialised || f->stale[STALE_ROW])
        lose(l, ~0u);
    for (uint32_t i = 0; i < f->ninstances && l->alive; i++) {
        uint32_t reg = x->row - f->instance[i].base;
        if (reg >= f->instance[i].regs)
            continue;
        if (l->ntracks == MAX_TRACKS) {
            lose(l, ~0u);
            return;
        }
        struct track *t = &l->track[l->ntracks++];
        *t = (struct track){.instance = i, .n = 1};
        t->place[0] = (struct place){.place = (uint8_t)reg, .lane = (uint8_t)x->lane};
        next_visit(l, i);
    }
}

/* What differs at the start of a segment. */
static void start_carried(struct follower *l)
{
    const struct follow_passage *p = l->subject.carried;
    l->left_behind = p->left_behind ? l->alive : 0;
    for (uint32_t i = 0; i < p->items && l->alive; i++) {
        const struct follow_item *x = &p->item[i];
        if (x->instance != FLOW_NONE) {
            struct place place = {
                .place = (uint8_t)x->number, .lane = (uint8_t)x->lane, .mask = l->alive};
            fill(place.x.v, x->value);
            const struct flow_instance *own = &l->f->instance[x->instance];
            add_place(l, x->instance,
                      FL_FIRST(e, 0, own->count, l->f->instance_event[own->first + e] >= p->from),
                      &place);
            continue;
        }
        struct word *w = add_word(l, x->number);
        w->mask = l->alive;
        fill(w->x.v, x->value);
        const struct flow_chain *c = &l->f->chain[x->number];
        visit_between(l, x->number, p->from,
                      FL_FIRST(k, 0, c->writes, l->f->write[c->write + k].event >= p->from),
                      (int64_t)p->from - 1);
    }
    for (uint32_t i = l->ntracks;
         i-- > 0;) /* each may be dropped, and the last one takes its place */
        next_visit(l, l->track[i].instance);
}

static void start(struct follower *l, uint32_t copies)
{
    l->alive = copies;
    memset(l->forgot, 0xff, sizeof l->forgot);
    l->crashed = l->diverged = l->lost = l->sensitive = l->left_behind = 0;
    l->now->n = l->now->items = 0;
    for (uint32_t i = 0; i < l->nwords; i++)
        l->word_at[l->word[i].number] = 0;
    l->ntracks = l->nwords = l->ncosts = l->nheap = 0;
}

static void walk(struct follower *l)
{
    int64_t last = -1;
    while (l->nheap && l->alive) {
        if (l->f->event[l->heap[0].event].cycle >= l->stop)
            return;
        struct visit at = pop(l);
        uint32_t before = l->alive;
        while (l->nheap && l->heap[0].event == at.event)
            at.words |= pop(l).words;
        FL_INVARIANT(last < at.key || at.key == FLOW_NONE); /* V1 */
        last = at.key;
        look_at(l, at.event, at.words);
        if (l->alive != before)
            drop_words(l);
    }
}

/* A flipped word of an L1, from the event on that reads it. When its line leaves, memory has what it had. */
static void walk_cached(struct follower *l)
{
    const struct subject *x = &l->subject;
    uint32_t good = follow_word_before(l, x->word, x->site), v[COPIES];
    for (int i = 0; i < COPIES; i++)
        v[i] = good ^ lane_bit[i];
    follow_set_word(l, x->word, x->site - 1, v, good);
    l->stop = x->until;
    walk(l);
    l->stop = FSIM_NEVER;
    if (x->until == FSIM_NEVER || !l->alive)
        return;
    fill(v, good);
    follow_set_word(l, x->word, x->site, v, good);
}

void follow_walk(struct follower *l, const struct subject *x, uint32_t bits)
{
    l->subject = *x;
    l->stop = FSIM_NEVER;
    start(l, bits);
    if (x->cached)
        walk_cached(l);
    else if (x->held)
        start_held(l);
    else if (x->carried)
        start_carried(l);
    else
        start_flipped(l);
    walk(l);
}
