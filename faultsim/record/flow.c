/* flow.c -- records the data flow of the fault-free run. See flow.h. */
#include "flow.h"
#include "shares.h"

#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/search.h"
#include "sm/memory/memory.h"

enum { FLAGS = 4 };         /* planes of a $c register */
enum { EVENT_BYTES = 180 }; /* of each, with all that belongs to it: at least */

struct access_log {
    uint32_t word : 31, write : 1, value;
};

/* Who wrote a place last, and which lanes of it. */
struct owner {
    uint32_t instance, low, high;
};

/* What the warp slots of an SM hold: numbers in flow.flags, flow.areg, flow.instance. */
struct held {
    uint32_t cc[SM_MAX_WARPS][4], a[SM_MAX_WARPS][5], instance[SM_MAX_WARPS];
};

struct flow_recorder {
    struct flow *f;
    const struct gpu *m;
    const struct sm_commit *c;
    const struct sm *sm; /* whose commit it is */
    struct held *held;   /* [SM] */
    uint32_t value_room;
    uint32_t *row; /* its contents, in flow.value */
    uint32_t ncc, cc_room, na, a_room;
    struct owner *row_owner, *cc_owner, *a_owner;
    bool *shared_used, *local_used; /* by a block, by an instance */
    uint8_t *written;               /* [word]: by its owner */
    uint8_t *soiled;                /* [word]: an earlier owner used its place */
    uint32_t word_room;
    uint32_t first[SM_STRUCTURES]; /* unit of each structure that is the first one of `sm` */
    uint32_t units[SM_STRUCTURES]; /* of an SM */
    struct run_block *block;       /* flow.block */
    uint8_t *now; /* the memory pages before local memory, when the host changes them */
    struct access_log *log;
    uint32_t nlog, log_room, *log_from; /* log_from: of each event, its first in the log */
    uint32_t instance_room, event_room;
    size_t max_bytes, least; /* what a segment adds, and what was there before it */
};

/* ---- what the events touch ------------------------------------------------------------------- */

static uint64_t operand_mask(const struct isa_operand *o, uint32_t words)
{
    uint64_t mask = 0;
    if (o->areg)
        mask |= flow_place_bit(PLACE_A + o->areg % 5);
    if (o->kind == ISA_RH)
        mask |= flow_place_bit(o->value >> 1);
    else if (o->kind == ISA_G)
        mask |= flow_place_bit(o->value);
    else if (o->kind == ISA_A)
        mask |= flow_place_bit(PLACE_A + o->value % 5);
    else if (o->kind == ISA_CC)
        mask |= flow_place_bit(PLACE_CC + (o->value & 3));
    for (uint32_t k = 0; o->kind == ISA_R && k < words; k++)
        mask |= flow_place_bit(o->value + k);
    return mask;
}

static uint64_t accessed(const struct sm_uop *u)
{
    const struct isa_insn *in = &u->in;
    uint32_t stored = u->unit == UNIT_STORE ? sm_operand_words(&in->dst) : 1,
             loaded = u->unit == UNIT_LOAD      ? sm_operand_words(&in->src[0])
                      : u->unit == UNIT_TEXTURE ? isa_texture_registers(in)
                                                : 1;
    const uint32_t all = u->unit == UNIT_ATOM ? sm_operand_words(u->memory) : 1;
    uint64_t mask = operand_mask(&in->dst, all > 1 ? all : loaded);
    for (int i = 0; i < 3; i++)
        mask |= operand_mask(&in->src[i], i == 0 && stored > all ? stored : all);
    if (in->pred != PRED_ALWAYS || in->carry)
        mask |= flow_place_bit(PLACE_CC + (uint32_t)(in->cc_src & 3));
    if (in->cc_dst >= 0)
        mask |= flow_place_bit(PLACE_CC + (uint32_t)(in->cc_dst & 3));
    return mask;
}

/* ---- reads of what one has not written ------------------------------------------------------- */

static void read_unwritten(struct flow_recorder *k, int kind, uint32_t owner, uint32_t instance)
{
    k->f->uninitialised = true;
    if (owner != FLOW_NONE && owner != instance)
        k->f->stale[kind] = k->f->before + k->f->nevents + 1;
}

static void check_read(struct flow_recorder *k, int kind, const struct owner *o, uint32_t instance,
                       const struct sm_access *a)
{
    bool mine = o->instance == instance, low = a->part & ACCESS_LOW_HALF,
         high = a->part & ACCESS_HIGH_HALF;
    if ((low && a->mask & ~(mine ? o->low : 0)) || (high && a->mask & ~(mine ? o->high : 0)))
        read_unwritten(k, kind, mine ? instance - 1 : o->instance,
                       instance); /* a warp instance before may have been */
}

static void own(struct owner *o, uint32_t instance, uint32_t lanes, uint8_t part)
{
    if (o->instance != instance)
        *o = (struct owner){.instance = instance};
    o->low |= part & ACCESS_LOW_HALF ? lanes : 0;
    o->high |= part & ACCESS_HIGH_HALF ? lanes : 0;
}

/* Registers, flags and address registers that the instruction reads, then those that it writes. */
static void note_owners(struct flow_recorder *k, const struct sm_accesses *seen, uint32_t instance)
{
    for (int write = 0; write < 2; write++)
        for (uint32_t i = 0; i < seen->count; i++) {
            const struct sm_access *a = &seen->access[i];
            bool flags = a->structure == SM_S_cc;
            struct owner *o = a->structure == SM_S_rf       ? &k->row_owner[a->unit]
                              : a->structure == SM_S_areg   ? &k->a_owner[a->unit]
                              : flags && !(a->unit % FLAGS) ? &k->cc_owner[a->unit / FLAGS]
                                                            : NULL;
            if (!o || !a->instruction || a->write != write)
                continue;
            if (write)
                own(o, instance, a->mask, a->part);
            else
                check_read(k,
                           flags                       ? STALE_CC
                           : a->structure == SM_S_areg ? STALE_A
                                                       : STALE_ROW,
                           o, instance, a);
        }
}

/* ---- recording ------------------------------------------------------------------------------- */

static uint32_t row_of(const struct flow_recorder *k, uint32_t reg_base)
{
    return k->first[SM_S_rf] + reg_base / SM_LANES;
}

static uint32_t reg_row(const struct flow_recorder *k, uint32_t reg)
{
    return reg < k->c->regs ? k->row[row_of(k, k->c->reg_base) + reg] : FLOW_NONE;
}

static void source_row(struct flow_recorder *k, struct flow_event *e, int i,
                       const struct isa_operand *o)
{
    uint32_t reg = o->kind == ISA_RH ? o->value >> 1 : o->value;
    if (o->kind != ISA_R && o->kind != ISA_RH && o->kind != ISA_G)
        return;
    e->row[i] = reg_row(k, reg);
}

static void note_word(struct flow_recorder *k, uint32_t word, bool write, uint32_t value)
{
    bool first = k->nlog == k->log_from[k->f->nevents];
    struct access_log *last = first ? NULL : &k->log[k->nlog - 1];
    if (last && last->word == word && last->write == write) {
        last->value = value;
        return;
    }
    FL_ROOM(k->log, k->nlog, k->log_room, 4096);
    k->log[k->nlog++] = (struct access_log){
        .word = word & INT32_MAX, .write = write, .value = value};
}

/* Where the local memory of the SM begins. */
static uint32_t local_at(const struct flow_recorder *k)
{
    return k->m->img->local_offset + (uint32_t)k->sm->port.number * k->m->img->local_bytes;
}

/* With caches, memory is told of lines: the words are those that the instruction names. */
static void note_cached(struct flow_recorder *k, const struct flow_event *e)
{
    const struct isa_operand *o = e->uop->memory;
    bool store = e->uop->unit == UNIT_STORE;
    if ((!store && e->uop->unit != UNIT_LOAD) || !o || o->kind != ISA_G)
        return;
    for (uint32_t lanes = e->exec; lanes; lanes &= lanes - 1) {
        uint32_t addr = flow_address(k->f, e, o, e->row[ROW_ADDRESS], __builtin_ctz(lanes));
        for (uint32_t i = 0; i < sm_words(isa_type_bytes(o->type)); i++) {
            const uint32_t word = (addr - JOB_BASE) / 4 + i,
                           value = store ? sm_peek_global(k->sm, 4 * word) : 0;
            note_word(k, word, store, value);
            if (store && k->now)
                memcpy(k->now + 4 * word, &value, 4);
        }
    }
}

/* Words of memory that the instruction reads and writes, by owner; what a written one holds now. */
static void note_memory(struct flow_recorder *k, const struct sm_accesses *seen,
                        const struct flow_event *e, int wi)
{
    const struct gpu *m = k->m;
    const struct flow_instance *instance = &k->f->instance[e->instance];
    const struct run_block *block = &k->f->block[instance->block];
    uint32_t local = m->img->kernel[instance->kernel].local_bytes / 4 * SM_LANES;
    for (uint32_t i = 0; i < seen->count; i++) {
        const struct sm_access *a = &seen->access[i];
        uint32_t word = a->unit, value = 0;
        const void *at = NULL;
        if (!a->instruction || (a->structure == SM_S_global && m->img->caches.any))
            continue;
        if (a->structure == SM_S_global) {
            at = sm_memory_at(&m->memory, 4 * a->unit);
        } else if (a->structure == SM_S_shared) {
            uint32_t unit = a->unit - k->first[SM_S_shared];
            word = block->word0 + unit - block->shared0 / 4;
            at = &k->sm->s.shared[4 * unit];
        } else if (a->structure == SM_S_local) {
            uint32_t unit = a->unit - k->first[SM_S_local];
            word = instance->local + unit - (uint32_t)wi * local;
            at = sm_memory_at(&m->memory, local_at(k) + 4 * unit);
        } else {
            continue;
        }
        if (a->write)
            memcpy(&value, at, 4);
        note_word(k, word, a->write, value);
        if (a->structure == SM_S_global) {
            if (a->write && k->now)
                memcpy(k->now + 4 * word, &value, 4);
            continue;
        }
        if (a->write && a->mask == ~0u)
            k->written[word] = 1;
        else if (!a->write && !k->written[word])
            read_unwritten(k, a->structure == SM_S_shared ? STALE_SHARED : STALE_LOCAL,
                           k->soiled[word] ? 0 : FLOW_NONE, FLOW_NONE - 1);
    }
}

static uint32_t keep_flags(struct flow_recorder *k, const struct sm_cc *v)
{
    if (k->ncc == k->cc_room) {
        k->cc_room = k->cc_room ? 2 * k->cc_room : 256;
        k->f->flags = fl_grow(k->f->flags, k->cc_room, sizeof *v);
    }
    k->f->flags[k->ncc] = *v;
    return k->ncc++;
}

static uint32_t keep_areg(struct flow_recorder *k, const uint16_t v[SM_LANES])
{
    FL_ROOM(k->f->areg, k->na, k->a_room, 256);
    memcpy(k->f->areg[k->na], v, sizeof *k->f->areg);
    return k->na++;
}

uint32_t flow_areg_written(const struct sm_uop *u)
{
    const struct isa_operand *list[4] = {&u->in.dst, &u->in.src[0], &u->in.src[1], &u->in.src[2]};
    if ((u->unit == UNIT_R2A || u->unit == UNIT_ADA) && u->in.dst.value < 5)
        return u->in.dst.value;
    for (int i = 0; u->postinc && i < 4; i++)
        if (list[i]->postinc && list[i]->areg >= 1 && list[i]->areg <= 4)
            return list[i]->areg;
    return 0;
}

uint32_t flow_areg_read(const struct sm_uop *u)
{
    const struct isa_operand *list[4] = {&u->in.dst, &u->in.src[0], &u->in.src[1], &u->in.src[2]};
    for (int i = 0; i < 4; i++) {
        if (list[i]->areg >= 1 && list[i]->areg <= 4)
            return list[i]->areg;
        if (i && list[i]->kind == ISA_A && list[i]->value >= 1 && list[i]->value <= 4)
            return list[i]->value;
    }
    return 0;
}

int flow_flags_written(const struct sm_uop *u)
{
    const bool whole = u->unit == UNIT_R2C || u->unit == UNIT_VOTE;
    return whole && u->in.cc_dst < 0 ? (int)(u->in.dst.value & 3)
           : u->in.cc_dst >= 0       ? u->in.cc_dst & 3
                                     : -1;
}

static void note_flags(struct flow_recorder *k, struct flow_event *e, int wi)
{
    uint32_t *cc = k->held[k->sm->port.number].cc[wi];
    const struct isa_insn *in = &e->uop->in;
    int out = flow_flags_written(e->uop);
    int from = e->uop->unit == UNIT_C2R ? (int)(in->src[0].value & 3) : out;
    if (in->pred != PRED_ALWAYS || in->carry)
        e->cc_in = cc[in->cc_src & 3];
    if (from >= 0)
        e->cc_old = cc[from];
    if (k->c->cc >= 0)
        cc[k->c->cc] = keep_flags(k, &k->c->flags);
    e->cc_new = from >= 0 ? cc[from] : FLOW_NONE;
}

static void note_aregs_before(struct flow_recorder *k, struct flow_event *e, int wi)
{
    const uint32_t *a = k->held[k->sm->port.number].a[wi];
    uint32_t in = flow_areg_read(e->uop), out = flow_areg_written(e->uop);
    if (in)
        e->a_in = a[in];
    if (out)
        e->a_old = a[out];
}

static void note_aregs_after(struct flow_recorder *k, struct flow_event *e, int wi)
{
    uint32_t *a = k->held[k->sm->port.number].a[wi];
    uint32_t out = flow_areg_written(e->uop);
    if (!out)
        return;
    if (e->exec)
        a[out] = keep_areg(k, k->sm->s.warp[wi].a[out]);
    e->a_new = a[out];
}

static void note_rows(struct flow_recorder *k, struct flow_event *e)
{
    const struct isa_insn *in = &e->uop->in;
    for (int i = 0; i < 3; i++)
        source_row(k, e, i, &in->src[i]);
    if (in->dst.kind == ISA_G)
        source_row(k, e, ROW_ADDRESS, &in->dst);
    else if (in->src[0].kind == ISA_G)
        e->row[ROW_ADDRESS] = e->row[0];
    if (e->uop->unit == UNIT_STORE) {
        struct isa_operand o = in->src[0];
        for (uint32_t n = 0; n < sm_operand_words(&in->dst); n++) {
            source_row(k, e, ROW_DATA + (int)n, &o);
            o.value += o.kind == ISA_R;
        }
    } else if (in->dst.kind == ISA_R || in->dst.kind == ISA_RH) {
        uint32_t n = e->uop->unit == UNIT_LOAD      ? sm_operand_words(&in->src[0])
                     : e->uop->unit == UNIT_ATOM    ? sm_operand_words(e->uop->memory)
                     : e->uop->unit == UNIT_TEXTURE ? isa_texture_registers(in)
                                                    : 1;
        for (uint32_t i = 0; i < n; i++)
            e->row[ROW_DATA + i] = reg_row(k, in->dst.kind == ISA_RH ? in->dst.value >> 1
                                                                     : in->dst.value + i);
    }
}

/* The contents of a row from now on. */
static uint32_t keep_row(struct flow_recorder *k, uint32_t row, const uint32_t v[SM_LANES])
{
    struct flow *f = k->f;
    FL_ROOM(f->value, f->nvalues, k->value_room, 1024);
    memcpy(f->value[f->nvalues], v, sizeof *f->value);
    return k->row[row] = f->nvalues++;
}

static struct flow_event *add_event(struct flow_recorder *k, uint64_t cycle, uint32_t pc)
{
    struct flow *f = k->f;
    if (f->nevents == k->event_room) {
        k->event_room = k->event_room ? 2 * k->event_room : 1024;
        f->event = fl_grow(f->event, k->event_room, sizeof *f->event);
        f->instance_mask = fl_grow(f->instance_mask, k->event_room, sizeof *f->instance_mask);
        k->log_from = fl_grow(k->log_from, k->event_room, sizeof *k->log_from);
    }
    struct flow_event *e = &f->event[f->nevents];
    memset(e, 0xff, sizeof *e);
    e->uop = NULL;
    e->cycle = cycle;
    e->pc = pc;
    e->exec = 0;
    f->instance_mask[f->nevents] = 0;
    k->log_from[f->nevents] = k->nlog;
    return e;
}

static struct flow_event *new_event(struct flow_recorder *k)
{
    struct flow *f = k->f;
    struct flow_event *e = add_event(k, k->c->cycle, k->c->pc);
    e->instance = k->held[k->sm->port.number].instance[k->c->warp];
    e->at = f->instance[e->instance].count++;
    e->active = k->c->active;
    FL_INVARIANT(!f->nevents || e[-1].cycle + (k->m->sms == 1) <= e->cycle); /* F1 */
    return e;
}

static void note_commit(struct flow_recorder *k, const struct sm_accesses *seen)
{
    struct flow *f = k->f;
    const struct sm_commit *c = k->c;
    struct flow_event *e = new_event(k);
    if (c->kind == COMMIT_INSTRUCTION && c->uop) {
        const struct sm_uop *u = c->uop;
        e->uop = u;
        e->exec = c->exec;
        f->instance_mask[f->nevents] = accessed(u);
        f->physid |= u->unit == UNIT_S2R && u->in.src[0].value == SREG_PHYSID && c->exec;
        f->clock |= u->unit == UNIT_S2R && u->in.src[0].value == SREG_CLOCK && c->exec;
        note_owners(k, seen, e->instance);
        note_rows(k, e);
        note_aregs_before(k, e, c->warp);
        note_flags(k, e, c->warp);
        note_memory(k, seen, e, c->warp);
        if (k->m->img->caches.any)
            note_cached(k, e);
        note_aregs_after(k, e, c->warp);
        for (int i = 0; i < c->nregs; i++) {
            uint32_t v = keep_row(k, row_of(k, c->reg_row) + (uint32_t)i, c->reg[i]);
            e->made = i ? e->made : v;
        }
    }
    f->nevents++;
}

/* Words of the memory pages. */
static void note_pages(struct flow_recorder *k, uint32_t at, uint32_t size, bool write)
{
    for (uint32_t word = at / 4, value; word <= (at + size - 1) / 4; word++) {
        memcpy(&value, k->now + 4 * word, 4);
        note_word(k, word, write, value);
    }
}

/* A launch has ended: the host decides what comes, and does what comes before it. */
static void note_host(struct flow_recorder *k, uint32_t ended)
{
    const struct sm_image *img = k->f->img;
    const struct gpu_grid *grid = &k->m->grid;
    const struct sm_launch *l = &img->launch[ended];
    struct sm_steps steps = sm_steps_before(img, grid->done ? SM_JOB_OVER : grid->launch);
    if (l->decides) {
        add_event(k, k->c->cycle, ended);
        note_word(k, (l->word - JOB_BASE) / 4, false, 0);
        k->f->nevents++;
    }
    for (uint32_t i = steps.first; i < steps.first + steps.count; i++) {
        const struct sm_step *s = &img->step[i];
        add_event(k, k->c->cycle, ended)->at = i;
        if (s->copies)
            note_pages(k, s->from, s->size, false);
        sm_step_do(s, k->now);
        note_pages(k, s->to, s->size, true);
        k->f->nevents++;
    }
}

static void room_for_words(struct flow_recorder *k, uint32_t words)
{
    struct flow *f = k->f;
    if (f->nwords + words > k->word_room) {
        uint32_t old = k->word_room;
        k->word_room = 2 * (f->nwords + words);
        f->init = fl_grow(f->init, k->word_room, sizeof *f->init);
        k->written = fl_grow(k->written, k->word_room, 1);
        k->soiled = fl_grow(k->soiled, k->word_room, 1);
        memset(k->written + old, 0, k->word_room - old);
        memset(k->soiled + old, 0, k->word_room - old);
    }
}

static void start_instance(struct flow_recorder *k, uint32_t block, int wi)
{
    struct flow *f = k->f;
    const struct gpu *m = k->m;
    const struct sm_warp *w = &k->sm->s.warp[wi];
    uint32_t local = k->sm->kernel->local_bytes / 4 * SM_LANES;
    FL_ROOM(f->instance, f->ninstances, k->instance_room, 64);
    for (int i = 0; i < m->img->warps_used; i++) { /* F2 */
        const struct sm_warp *x = &k->sm->s.warp[i];
        FL_INVARIANT(i == wi || !mask_has(k->sm->s.live, i) ||
                     x->reg_base + x->regs * SM_LANES <= w->reg_base ||
                     w->reg_base + w->regs * SM_LANES <= x->reg_base);
    }
    room_for_words(k, local);
    for (uint32_t i = 0; i < local; i++) {
        uint32_t at = local_at(k) + 4 * ((uint32_t)wi * local + i);
        bool *used = &k->local_used[(at - m->img->local_offset) / 4];
        memcpy(&f->init[f->nwords + i], sm_memory_at(&m->memory, at), 4);
        k->soiled[f->nwords + i] = *used;
        *used = true;
    }
    f->instance[f->ninstances] = (struct flow_instance){
        .block = block,
        .local = f->nwords,
        .base = row_of(k, w->reg_base),
        .regs = w->regs,
        .kernel = (uint16_t)(k->sm->kernel - m->img->kernel),
        .sm = (uint8_t)k->sm->port.number,
        .slot = (uint8_t)wi,
        .active = w->active,
        .r0 = FLOW_NONE};
    f->nwords += local;
    if (w->regs) {
        f->instance[f->ninstances].r0 = keep_row(k, row_of(k, w->reg_base),
                                                 &k->sm->s.rf[w->reg_base]);
        own(&k->row_owner[row_of(k, w->reg_base)], f->ninstances, w->active, ACCESS_WHOLE);
    }
    k->held[k->sm->port.number].instance[wi] = f->ninstances++;
}

static void start_block(struct flow_recorder *k)
{
    struct flow *f = k->f;
    const struct gpu *m = k->m;
    const struct sm_launch *l = &m->img->launch[m->grid.launch];
    struct run_block *b = &k->block[f->nblocks];
    FL_INVARIANT(b->from == k->c->cycle + 1 && b->sm == k->sm->port.number);
    room_for_words(k, b->shared / 4);
    b->first_instance = f->ninstances;
    b->word0 = f->nwords;
    for (uint32_t i = 0; i < b->shared / 4; i++) {
        uint32_t at = b->shared0 / 4 + i;
        bool *used = &k->shared_used[k->first[SM_S_shared] + at];
        memcpy(&f->init[f->nwords + i], &k->sm->s.shared[4 * at], 4);
        k->written[f->nwords + i] = 4 * i + 4 <= l->params_end;
        k->soiled[f->nwords + i] = *used;
        *used = true;
    }
    f->nwords += b->shared / 4;
    f->nblocks++;
    for (int i = 0; i < b->warps; i++)
        start_instance(k, f->nblocks - 1, b->warp0 + i);
}

/* ---- sorting --------------------------------------------------------------------------------- */

static void sort_instances(struct flow *f)
{
    uint64_t *mask = fl_alloc(f->nevents * sizeof *mask + 1);
    f->instance_event = fl_alloc(f->nevents * sizeof *f->instance_event + 1);
    for (uint32_t l = 1; l < f->ninstances; l++)
        f->instance[l].first = f->instance[l - 1].first + f->instance[l - 1].count;
    for (uint32_t e = 0; e < f->nevents; e++) {
        if (flow_by_host(&f->event[e]))
            continue;
        uint32_t to = f->instance[f->event[e].instance].first + f->event[e].at;
        f->instance_event[to] = e;
        mask[to] = f->instance_mask[e];
    }
    free(f->instance_mask);
    f->instance_mask = mask;
}

static void sort_words(struct flow_recorder *k)
{
    struct flow *f = k->f;
    uint32_t writes = 0, reads = 0;
    f->chain = fl_alloc((f->nwords + 1) * sizeof *f->chain);
    for (uint32_t i = 0; i < k->nlog; i++) {
        struct flow_chain *c = &f->chain[k->log[i].word];
        if (k->log[i].write)
            c->writes++, writes++;
        else
            c->reads++, reads++;
    }
    f->write = fl_alloc((writes + 1) * sizeof *f->write);
    f->read = fl_alloc((reads + 1) * sizeof *f->read);
    writes = reads = 0;
    for (uint32_t w = 0; w < f->nwords; w++) {
        struct flow_chain *c = &f->chain[w];
        c->write = writes;
        c->read = reads;
        writes += c->writes;
        reads += c->reads;
        c->writes = c->reads = 0;
    }
    for (uint32_t i = 0, event = 0; i < k->nlog; i++) {
        const struct access_log *a = &k->log[i];
        struct flow_chain *c = &f->chain[a->word];
        while (event + 1 < f->nevents && k->log_from[event + 1] <= i)
            event++;
        /* an event's second access to a word adds nothing */
        if (!a->write) {
            FL_INVARIANT(!c->reads || f->read[c->read + c->reads - 1] <= event); /* F3 */
            if (!c->reads || f->read[c->read + c->reads - 1] != event)
                f->read[c->read + c->reads++] = event;
        } else {
            FL_INVARIANT(!c->writes || f->write[c->write + c->writes - 1].event <= event);
            if (!c->writes || f->write[c->write + c->writes - 1].event != event)
                c->writes++;
            f->write[c->write + c->writes - 1] = (struct flow_write){event, a->value};
        }
    }
}

struct pairs {
    const struct flow *f;
    struct flow_pair *pair;
    uint32_t n, room;
};

static void add_pair(struct pairs *p, uint32_t first, uint32_t second)
{
    const struct flow_event *a = &p->f->event[first], *b = &p->f->event[second];
    if (a->instance == b->instance || flow_by_host(a) || flow_by_host(b))
        return; /* nothing passes the end of a launch */
    FL_ROOM(p->pair, p->n, p->room, 4096);
    p->pair[p->n++] = (struct flow_pair){first, second};
}

/* Stable; `count` has room for all events and one more. */
static void sort_pairs(const struct pairs *p, struct flow_pair *to, bool by_second, uint32_t *count)
{
    memset(count, 0, (p->f->nevents + 1) * sizeof *count);
    for (uint32_t i = 0; i < p->n; i++)
        count[1 + (by_second ? p->pair[i].second : p->pair[i].first)]++;
    for (uint32_t e = 0; e < p->f->nevents; e++)
        count[e + 1] += count[e];
    for (uint32_t i = 0; i < p->n; i++)
        to[count[by_second ? p->pair[i].second : p->pair[i].first]++] = p->pair[i];
}

/* Each word's accesses that must not change places. Reads among themselves may. */
static void find_pairs(struct flow *f)
{
    struct pairs p = {.f = f};
    for (uint32_t w = 0; w < f->nwords; w++) {
        const struct flow_chain *c = &f->chain[w];
        const uint32_t *read = &f->read[c->read];
        uint32_t r = 0;
        for (uint32_t i = 0; c->writes && i <= c->writes; i++) {
            /* the reads between write i - 1 and write i */
            const struct flow_write *before = i ? &f->write[c->write + i - 1] : NULL,
                                    *after = i < c->writes ? &f->write[c->write + i] : NULL;
            if (before && after)
                add_pair(&p, before->event, after->event);
            for (; r < c->reads && (!after || read[r] < after->event); r++) {
                if (before)
                    add_pair(&p, before->event, read[r]);
                if (after)
                    add_pair(&p, read[r], after->event);
            }
        }
    }
    struct flow_pair *sorted = fl_alloc((p.n + 1) * sizeof *sorted);
    uint32_t *count = fl_alloc((f->nevents + 1) * sizeof *count), n = 0;
    sort_pairs(&p, sorted, false, count);
    struct flow_pair *unsorted = p.pair;
    p.pair = sorted;
    sort_pairs(&p, unsorted, true, count);
    for (uint32_t i = 0; i < p.n; i++)
        if (!n || memcmp(&unsorted[n - 1], &unsorted[i], sizeof *unsorted) != 0)
            unsorted[n++] = unsorted[i];
    f->pair = unsorted;
    f->npairs = n;
    free(sorted);
    free(count);
}

static void *units_of_none(uint32_t units, size_t size)
{
    void *p = fl_alloc(units * size);
    memset(p, 0xff, units * size);
    return p;
}

/* What global memory passes in an SM: a cache; CACHE_MEMORY: none. */
static int l1_of(const struct sm_image *img)
{
    const int first = img->caches.any ? img->caches.first[CACHE_GLOBAL] : CACHE_MEMORY;
    return first == cache_shared(&img->caches, first) ? CACHE_MEMORY : first;
}

/* Through the caches a load of an SM finds what this SM, or the host, has stored last. */
static bool caches_are_transparent(const struct sm_image *img)
{
    const int l1 = l1_of(img);
    /* neither local memory nor textures are looked for in caches */
    return !img->local_bytes && !img->texture_units &&
           (l1 == CACHE_MEMORY || img->sms == 1 || img->caches.cache[l1].is.write == CACHE_THROUGH);
}

/* An SM's L1 may keep a word that another SM stores in the same launch. */
static bool is_incoherent(const struct flow *f)
{
    for (uint32_t i = 0; i < f->npairs && l1_of(f->img) != CACHE_MEMORY; i++) {
        const uint32_t a = f->pair[i].first, b = f->pair[i].second;
        if (flow_sm_of(f, a) != flow_sm_of(f, b) && flow_launch_of(f, a) == flow_launch_of(f, b))
            return true;
    }
    return false;
}

/* What no flow has: locks, and with caches what passes L1. */
static bool has_others(const struct sm_image *img)
{
    for (int l = 0; l < img->nlaunches; l++) {
        const struct sm_kernel *k = &img->kernel[img->launch[l].kernel];
        for (int i = 0; i < k->ncode; i++)
            for (uint32_t u = 0; u < k->code[i].size / 4; u++)
                if (k->code[i].uop[u].unit == UNIT_LOCK ||
                    (img->caches.any && k->code[i].uop[u].unit == UNIT_ATOM))
                    return true;
    }
    return false;
}

bool flow_is_possible(const struct sm_image *img)
{
    if (img->profile.capability > ISA_1_0 && has_others(img))
        return false;
    /* a replay is told numbers of transactions, not whose of several partitions they are; with caches there is none */
    return img->caches.any ? caches_are_transparent(img) : img->profile.partitions == 1;
}

bool flow_fits(uint64_t instructions, size_t max_bytes)
{
    return instructions <= max_bytes / EVENT_BYTES;
}

struct flow_recorder *flow_recorder_new(struct residence *r, size_t max_bytes)
{
    const struct sm_image *img = r->img;
    if (!flow_is_possible(img))
        return NULL;
    struct flow_recorder *k = fl_alloc(sizeof *k);
    struct flow *f = fl_alloc(sizeof *f);
    uint32_t sms = (uint32_t)img->sms;
    for (int i = 0; i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(img, i, &s);
        k->units[i] = s.places > 1 ? sm_units(&s) : 0;
    }
    uint32_t rows = sms * (uint32_t)img->profile.regs / SM_LANES,
             words = (uint32_t)img->profile.shared_bytes / 4;
    k->f = f;
    k->max_bytes = max_bytes;
    k->block = r->block;
    f->img = img;
    f->block = r->block;
    k->row = units_of_none(rows, sizeof *k->row);
    /* nobody's places count as those of the first instance, who may have been about to write them */
    k->row_owner = fl_alloc(rows * sizeof *k->row_owner);
    k->cc_owner = fl_alloc(4 * SM_MAX_WARPS * sms * sizeof *k->cc_owner);
    k->a_owner = fl_alloc(4 * SM_MAX_WARPS * sms * sizeof *k->a_owner);
    k->held = units_of_none(sms, sizeof *k->held);
    k->shared_used = fl_alloc(sms * words * sizeof *k->shared_used + 1);
    k->local_used = fl_alloc((img->mem_bytes - img->local_offset) / 4 * sizeof *k->local_used + 1);
    room_for_words(k, img->local_offset / 4);
    memcpy(f->init, img->initial, img->local_offset);
    f->nwords = img->local_offset / 4;
    if (img->nsteps) {
        k->now = fl_alloc(img->local_offset);
        memcpy(k->now, img->initial, img->local_offset);
    }
    return k;
}

static uint64_t bytes_of(const struct flow_recorder *k)
{
    const struct flow *f = k->f;
    return (uint64_t)f->nevents * (sizeof *f->event + sizeof *f->instance_mask + 8) +
           (uint64_t)f->nvalues * sizeof *f->value + (uint64_t)k->nlog * sizeof *k->log * 2 +
           (uint64_t)f->nwords * (sizeof *f->init + sizeof *f->chain + 2) +
           (uint64_t)k->ncc * sizeof *f->flags + (uint64_t)k->na * sizeof *f->areg;
}

/* What is of the events alone. */
static void free_events(struct flow *f)
{
    free(f->event);
    free(f->instance_event);
    free(f->instance_mask);
    free(f->chain);
    free(f->write);
    free(f->read);
    free(f->pair);
    f->event = NULL;
    f->instance_event = NULL;
    f->instance_mask = NULL;
    f->chain = NULL;
    f->write = NULL;
    f->read = NULL;
    f->pair = NULL;
}

void flow_free(struct flow *f)
{
    if (!f)
        return;
    free_events(f);
    free(f->value);
    free(f->instance);
    free(f->flags);
    free(f->areg);
    free(f->init);
    sm_shares_free(f->shares);
    free(f);
}

static struct flow *leave(struct flow_recorder *k)
{
    struct flow *f = k->f;
    free(k->row);
    free(k->row_owner);
    free(k->cc_owner);
    free(k->a_owner);
    free(k->held);
    free(k->shared_used);
    free(k->local_used);
    free(k->written);
    free(k->soiled);
    free(k->now);
    free(k->log);
    free(k->log_from);
    free(k);
    return f;
}

static void sort_all(struct flow_recorder *k)
{
    sort_instances(k->f);
    sort_words(k);
    find_pairs(k->f);
}

struct flow *flow_recorder_end(struct flow_recorder *k)
{
    sort_all(k);
    k->f->incoherent = is_incoherent(k->f);
    k->f->shares = sm_shares_new(k->f);
    k->f->ends = true;
    return leave(k);
}

void flow_recorder_drop(struct flow_recorder *k)
{
    if (k)
        flow_free(leave(k));
}

/* ---- segments -------------------------------------------------------------------------------- */

const struct flow *flow_recorder_cut(struct flow_recorder *k, bool ends)
{
    sort_all(k);
    k->f->ends = ends;
    return k->f;
}

/* Of the values that a segment has recorded, those that places still hold are the first of the next one. `at`: their
 * numbers in `from`, of values of `size` bytes. */
static uint32_t keep_held(void *values, size_t size, uint32_t *const *at, uint32_t held)
{
    uint8_t *all = values, *kept = fl_alloc(held * size + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < held; i++)
        if (*at[i] != FLOW_NONE) {
            memcpy(kept + n * size, all + *at[i] * size, size);
            *at[i] = n++;
        }
    if (n)
        memcpy(all, kept, n * size);
    free(kept);
    return n;
}

static void keep_values(struct flow_recorder *k)
{
    struct flow *f = k->f;
    const struct sm_image *img = f->img;
    uint32_t sms = (uint32_t)img->sms, rows = sms * (uint32_t)img->profile.regs / SM_LANES, n = 0;
    uint32_t most = rows > 5 * SM_MAX_WARPS * sms ? rows : 5 * SM_MAX_WARPS * sms;
    uint32_t **at = fl_alloc(most * sizeof *at);
    for (n = 0; n < rows; n++)
        at[n] = &k->row[n];
    f->nvalues = keep_held(f->value, sizeof *f->value, at, n);
    n = 0;
    for (uint32_t i = 0; i < sms; i++)
        for (int w = 0; w < SM_MAX_WARPS; w++)
            for (int c = 0; c < 4; c++)
                at[n++] = &k->held[i].cc[w][c];
    k->ncc = keep_held(f->flags, sizeof *f->flags, at, n);
    n = 0;
    for (uint32_t i = 0; i < sms; i++)
        for (int w = 0; w < SM_MAX_WARPS; w++)
            for (int a = 0; a < 5; a++)
                at[n++] = &k->held[i].a[w][a];
    k->na = keep_held(f->areg, sizeof *f->areg, at, n);
    free(at);
}

void flow_recorder_next(struct flow_recorder *k)
{
    struct flow *f = k->f;
    for (uint32_t w = 0; w < f->nwords; w++)
        if (f->chain[w].writes)
            f->init[w] = f->write[f->chain[w].write + f->chain[w].writes - 1].value;
    keep_values(k);
    f->before += f->nevents;
    f->nevents = k->event_room = k->nlog = f->npairs = 0;
    for (uint32_t i = 0; i < f->ninstances; i++)
        f->instance[i].first = f->instance[i].count = 0;
    free_events(f);
    free(k->log_from);
    k->log_from = NULL;
    k->least = bytes_of(k);
}

const uint64_t flow_places = UINT64_C(1) << SM_S_rf | UINT64_C(1) << SM_S_cc |
                             UINT64_C(1) << SM_S_areg | UINT64_C(1) << SM_S_shared |
                             UINT64_C(1) << SM_S_local | UINT64_C(1) << SM_S_global;

bool flow_recorder_tick(struct flow_recorder *k, const struct sm_watch *w,
                        const struct sm_accesses *seen)
{
    if (w->c.kind == COMMIT_NONE && w->c.started < 0)
        return true;
    k->m = w->g;
    k->c = &w->c;
    k->sm = &w->g->sm[sm_commit_place(&w->c)];
    for (int i = 0; w->g->sms > 1 && i < SM_STRUCTURES; i++)
        k->first[i] = k->units[i] * (uint32_t)k->sm->port.number;
    if (w->c.kind == COMMIT_INSTRUCTION || w->c.kind == COMMIT_UNWIND)
        note_commit(k, seen);
    if (flow_host_events(w))
        note_host(k, w->c.launch);
    if (w->c.started >= 0)
        start_block(k);
    return bytes_of(k) <= k->least + k->max_bytes;
}
