/* touch.c -- records the touches of a fault-free run. See touch.h.
 *
 * The machine runs once more, slot by slot, with its commit records on. What a record does not say (when an instruction
 * left Fetch, Read and Execute, which operands it took) is seen in the stages and in the decoded instruction.
 */
#include "touch.h"

#include <stdlib.h>
#include <string.h>

#include "sm/machine.h"
#include "touch_filter.h"
#include "faultsim/faults/upset.h"

enum kind {
    DSTACK,
    DSP,
    RF,
    CC,
    AREG,
    SHARED,
    LOCAL,
    CONST,
    PC,
    MASK,
    IR,
    EXEC,
    TSTATE,
    BARRIER,
    SCHED,
    KINDS
};

static const char *const kind_name[KINDS] = {"dstack", "dsp",   "rf",     "cc",      "areg",
                                             "shared", "local", "const",  "pc",      "mask",
                                             "ir",     "exec",  "tstate", "barrier", "sched"};

/* Touches as they come, before they are sorted by unit. */
struct log_entry {
    struct touch t;
    uint32_t unit;
};
struct log {
    struct log_entry *entry;
    uint32_t count, room;
};

struct recorder {
    struct touches *t;
    const struct sm_image *img;
    struct sm *m;
    struct sm_commit c;
    int structure[KINDS]; /* number in structures.def */
    struct log log[KINDS];
    size_t bytes, max_bytes;
    uint32_t site_room, block_room, live_room;
    /* of the instruction each warp has in the pipeline: the cycles in which it left Fetch, Decode, Read and Execute */
    uint64_t fetched[SM_MAX_WARPS], decoded[SM_MAX_WARPS], read[SM_MAX_WARPS],
        executed[SM_MAX_WARPS];
    uint64_t slot;                     /* first cycle of the slot that is committed */
    int32_t open_block[SM_MAX_BLOCKS]; /* index in t->block, or -1 */
    /* part of the record */
    const struct touch_wanted *wanted; /* NULL: all of it */
    struct touch_filter *filter;
    uint32_t *units;        /* [structure] */
    uint32_t flying;        /* warps with an instruction behind Fetch */
    uint32_t site;          /* of the commit at hand, once a touch of it is kept; SITE_NONE */
    uint32_t tidied[KINDS]; /* entries of the log that forget() left */
};
#define SITE_AT_HAND (SITE_NONE - 1)

static int kind_find(const struct sm_image *img, int structure)
{
    struct sm_structure s;
    sm_structure_get(img, structure, &s);
    for (int k = 0; k < KINDS; k++)
        if (strcmp(s.name, kind_name[k]) == 0)
            return k;
    return -1;
}

static bool by_rows(enum kind k)
{
    return k == RF || k == AREG;
}

static uint32_t units_of(enum kind k, const struct sm_structure *s)
{
    uint32_t elements = 1;
    for (int i = 0; i < s->naxes; i++)
        elements *= (uint32_t)s->axis[i].count;
    return by_rows(k) ? elements / SM_LANES : elements * (uint32_t)s->nfields;
}

/* ---- taking notes ----------------------------------------------------------------------------------------------- */

static uint32_t new_site(struct recorder *k);
static void forget(struct recorder *k, enum kind kind);

static void note(struct recorder *k, enum kind kind, uint32_t unit, uint64_t cycle, bool write,
                 uint32_t mask, uint8_t part, uint32_t site)
{
    struct log *l = &k->log[kind];
    struct touch t = {.cycle = cycle, .mask = mask, .site = site, .write = write, .part = part};
    if (!mask || (k->filter && !touch_filter_takes(k->filter, k->structure[kind], unit, &t)))
        return;
    bool before = k->wanted && k->wanted->window && cycle < k->wanted->from;
    if (site == SITE_AT_HAND) {
        if (!before && k->site == SITE_NONE)
            k->site = new_site(k);
        t.site = before ? SITE_NONE : k->site;
    }
    if (before && l->count >= 2 * k->tidied[kind] + k->units[k->structure[kind]] / 4 + 256)
        forget(k, kind);
    if (l->count == l->room) {
        uint32_t room = l->room < 1 << 16 ? 2 * l->room + 256 : l->room + l->room / 8;
        k->bytes += (room - l->room) * sizeof *l->entry;
        if (k->bytes > k->max_bytes)
            return;
        l->entry = fl_grow(l->entry, room, sizeof *l->entry);
        l->room = room;
    }
    l->entry[l->count++] = (struct log_entry){t, unit};
}

static void note_word(struct recorder *k, enum kind kind, uint32_t unit, uint64_t cycle, bool write,
                      uint32_t mask, uint32_t site)
{
    note(k, kind, unit, cycle, write, mask, WHOLE, site);
}

/* Unit of field f of line-entry le: the order of structures.def. */
static uint32_t stack_unit(const struct sm_image *img, int warp, uint32_t le, uint32_t field)
{
    return ((uint32_t)warp * (uint32_t)img->profile.stack_entries + le) * 3 + field;
}

/* Whether or not it finds room for an entry. */
static bool may_push(const struct sm_uop *u)
{
    return u->unit == UNIT_SSY || u->unit == UNIT_PBK || u->unit == UNIT_CAL || u->unit == UNIT_BRA;
}

static void note_stack(struct recorder *k, int w, uint32_t site)
{
    const struct sm_commit *c = &k->c;
    const struct profile *p = &k->img->profile;
    for (int i = 0; i < c->nstack; i++) {
        const struct sm_stack_event *e = &c->stack[i];
        if (e->le > k->img->profile.stack_entries)
            continue;
        for (uint32_t f = 0; f < 3; f++)
            note_word(k, DSTACK, stack_unit(k->img, w, e->le - 1u, f), c->cycle, e->push,
                      f == 1               ? 3
                      : f == 2 && !e->push ? profile_spc_bits(p)
                                           : ~0u,
                      site);
    }
    bool looks = c->nstack || !c->active_after ||
                 (c->uop && (c->uop->in.join || (p->ret_pops && c->uop->unit == UNIT_RET) ||
                             (p->drops_at && may_push(c->uop))));
    if (looks)
        note_word(k, DSP, (uint32_t)w, c->cycle, false, ~0u, site);
}

/* Lane addresses of a shared or constant operand, as the operand's own space has them. The address register holds what
 * it held before, but for a post-increment. */
static void operand_addresses(const struct sm_warp *w, const struct isa_operand *o, uint32_t exec,
                              uint32_t addr[SM_LANES])
{
    for (int l = 0; l < SM_LANES; l++) {
        uint16_t a = o->areg >= 1 && o->areg <= 4 ? w->a[o->areg][l] : 0;
        if (o->postinc && (exec >> l & 1))
            a = (uint16_t)(a - o->value);
        addr[l] = !o->areg ? o->value : (uint16_t)(a + (o->postinc ? 0 : o->value));
    }
}

/* Words of a byte-addressed structure that n bytes at `at` touch. */
static void note_bytes(struct recorder *k, enum kind kind, uint64_t at, uint32_t n, uint64_t cycle,
                       bool write, uint32_t site)
{
    for (uint64_t word = at / 4; word * 4 < at + n; word++) {
        uint32_t mask = 0;
        for (uint32_t b = 0; b < 4; b++)
            if (word * 4 + b >= at && word * 4 + b < at + n)
                mask |= 0xffu << 8 * b;
        note_word(k, kind, (uint32_t)word, cycle, write, mask, site);
    }
}

static void note_memory_operand(struct recorder *k, const struct sm_warp *w, int wi,
                                const struct isa_operand *o, uint32_t exec, bool write,
                                uint32_t site)
{
    const struct sm_image *img = k->img;
    const struct sm_launch *launch = &img->launch[k->c.launch];
    const struct sm_kernel *kernel = &img->kernel[launch->kernel];
    uint32_t addr[SM_LANES], n = isa_type_bytes(o->type), before = ~0u;
    if (o->areg && k->c.areg == o->areg) { /* the address is gone: all it can have been */
        const struct sm_bank *b = &kernel->bank[o->bank & 15];
        if (o->kind == ISA_S)
            note_bytes(k, SHARED, k->m->s.block[w->block].shared0, k->m->s.block[w->block].shared,
                       k->slot, false, site);
        else if (o->kind == ISA_K)
            note_bytes(k, CONST, b->offset - img->global_bytes, b->size, k->executed[wi], false,
                       site);
        return;
    }
    operand_addresses(w, o, exec, addr);
    for (uint32_t l = 0; l < SM_LANES; l++) {
        if (!(exec >> l & 1))
            continue;
        if (o->kind == ISA_S && addr[l] != before) {
            note_bytes(k, SHARED, (uint64_t)k->m->s.block[w->block].shared0 + addr[l], n,
                       write ? k->c.cycle : k->slot, write, site);
        } else if (o->kind == ISA_K && addr[l] != before) {
            const struct sm_bank *b = &kernel->bank[o->bank & 15];
            note_bytes(k, CONST, (uint64_t)b->offset - img->global_bytes + addr[l], n > 4 ? 4 : n,
                       k->executed[wi], false, site);
        } else if (o->kind == ISA_L) {
            for (uint32_t b = 0; b < n; b += 4) {
                uint32_t word = ((uint32_t)wi * (kernel->local_bytes / 4) + (addr[l] + b) / 4) *
                                    SM_LANES +
                                l;
                note_bytes(k, LOCAL, 4 * (uint64_t)word + addr[l] % 4, n > 4 ? 4 : n, k->c.cycle,
                           write, site);
            }
        }
        before = addr[l];
    }
}

static void note_row(struct recorder *k, const struct sm_warp *w, uint32_t reg, uint64_t cycle,
                     bool write, uint32_t lanes, uint8_t part, uint32_t site)
{
    if (reg < w->regs)
        note(k, RF, w->reg_base / (uint32_t)SM_LANES + reg, cycle, write, lanes, part, site);
}

static void note_areg(struct recorder *k, int wi, uint32_t number, uint64_t cycle, bool write,
                      uint32_t lanes, uint32_t site)
{
    if (number >= 1 && number <= 4)
        note(k, AREG, (uint32_t)wi * 4 + number - 1, cycle, write, lanes, WHOLE, site);
}

static void note_flags(struct recorder *k, int wi, uint32_t number, uint64_t cycle, bool write,
                       uint32_t lanes, uint32_t site)
{
    for (uint32_t plane = 0; plane < 4; plane++)
        note_word(k, CC, ((uint32_t)wi * 4 + (number & 3)) * 4 + plane, cycle, write, lanes, site);
}

/* What an instruction read of one operand. `data` is its first source, which may take several registers. */
static void note_source(struct recorder *k, const struct sm_warp *w, int wi,
                        const struct isa_operand *o, bool data, uint32_t site)
{
    const struct sm_commit *c = &k->c;
    uint32_t exec = c->exec, reg = o->kind == ISA_RH ? o->value >> 1 : o->value;
    uint64_t read = k->read[wi];
    if (o->areg)
        note_areg(k, wi, o->areg, read, false, exec, site);
    switch ((enum isa_operand_kind)o->kind) {
    case ISA_G: note_row(k, w, o->value, read, false, exec, WHOLE, site); break;
    case ISA_R:
    case ISA_RH: {
        uint32_t n = data && o->kind == ISA_R && c->uop->unit == UNIT_STORE
                         ? (isa_type_bytes(c->uop->in.dst.type) + 3) / 4
                         : 1;
        for (uint32_t i = 0; i < n; i++)
            note_row(k, w, reg + i, upset_store_data(c->uop, reg + i) ? c->cycle : read, false,
                     exec,
                     o->kind == ISA_R ? WHOLE
                     : o->value & 1   ? HIGH_HALF
                                      : LOW_HALF,
                     site);
        break;
    }
    case ISA_A: note_areg(k, wi, o->value, read, false, exec, site); break;
    case ISA_S:
    case ISA_L:
    case ISA_K: note_memory_operand(k, w, wi, o, exec, false, site); break;
    default: break;
    }
}

static void note_operands(struct recorder *k, const struct sm_warp *w, int wi, uint32_t site)
{
    const struct sm_commit *c = &k->c;
    const struct sm_uop *u = c->uop;
    const struct isa_insn *in = &u->in;
    if (!c->exec)
        return;
    if (u->unit != UNIT_C2R)
        for (int i = 0; i < 3; i++)
            note_source(k, w, wi, &in->src[i], i == 0, site);
    else
        note_flags(k, wi, in->src[0].value, k->read[wi], false, c->exec, site);
    if (in->carry)
        note_flags(k, wi, (uint32_t)in->cc_src, k->read[wi], false, c->exec, site);
    if (in->dst.areg)
        note_areg(k, wi, in->dst.areg, k->read[wi], false, c->exec, site);
    if (in->dst.kind == ISA_G)
        note_row(k, w, in->dst.value, k->read[wi], false, c->exec, WHOLE, site);
    else if (in->dst.kind == ISA_S || in->dst.kind == ISA_L)
        note_memory_operand(k, w, wi, &in->dst, c->exec, true, site);
    uint8_t part = in->dst.kind != ISA_RH ? WHOLE : in->dst.value & 1 ? HIGH_HALF : LOW_HALF;
    for (int i = 0; i < c->nregs; i++)
        note(k, RF, c->reg_row / (uint32_t)SM_LANES + (uint32_t)i, c->cycle, true, c->reg_mask,
             part, site);
    if (c->cc >= 0)
        note_flags(k, wi, (uint32_t)c->cc, c->cycle, true, c->exec, site);
    if (c->areg >= 1)
        note_areg(k, wi, (uint32_t)c->areg, c->cycle, true, c->exec, site);
    const struct isa_operand *list[4] = {&in->dst, &in->src[0], &in->src[1], &in->src[2]};
    for (int i = 0; i < 4; i++)
        if (list[i]->postinc)
            note_areg(k, wi, list[i]->areg, c->cycle, true, c->exec, site);
}

/* PC, masks and thread states of the warp that committed. */
static void note_control(struct recorder *k, int wi, bool instruction, uint32_t site)
{
    const struct sm_commit *c = &k->c;
    const struct sm_uop *u = c->uop;
    uint32_t w = (uint32_t)wi, ts = 2 * w;
    bool popped = false;
    for (int i = 0; i < c->nstack; i++)
        popped |= !c->stack[i].push;
    if (instruction) {
        const struct isa_insn *in = &u->in;
        bool branches = u->unit == UNIT_BRA || u->unit == UNIT_CAL || u->unit == UNIT_RET ||
                        u->unit == UNIT_SSY || u->unit == UNIT_PBK || u->unit == UNIT_BRK;
        bool exits = in->exit && k->img->profile.exit_ends;
        note_word(k, PC, w, k->fetched[wi], false, ~0u, site);
        note_word(k, MASK, w, k->read[wi], false, ~0u, site);
        for (uint32_t i = 0; i < 2; i++) {
            note_word(k, IR, i, k->fetched[wi], true, ~0u, SITE_NONE);
            note_word(k, IR, i, k->decoded[wi], false, ~0u, site);
        }
        note_word(k, EXEC, w, k->read[wi], true, ~0u, SITE_NONE);
        if (in->pred != PRED_ALWAYS)
            note_flags(k, wi, (uint32_t)in->cc_src, k->read[wi], false, c->active, site);
        if (u->offchip)
            note_word(k, EXEC, w, k->executed[wi], false, ~0u, site);
        note_word(k, EXEC, w, c->cycle, false, ~0u, site);
        note_word(k, PC, w, c->cycle, false, ~0u, site);
        /* who is active matters to what branches, and when nobody may be left */
        if (branches || exits || __builtin_popcount(c->active_after) <= 1)
            note_word(k, MASK, w, c->cycle, false, ~0u, site);
        if (u->unit == UNIT_RET || u->unit == UNIT_BRK || exits || in->join || popped || c->ended ||
            !c->active_after)
            for (uint32_t i = 0; i < 2; i++)
                note_word(k, TSTATE, ts + i, c->cycle, false, ~0u, site);
        if (exits)
            for (uint32_t i = 0; i < 2; i++)
                note_word(k, TSTATE, ts + i, c->cycle, true, c->active, site);
        if (popped || exits || in->join)
            note_word(k, MASK, w, c->cycle, true, ~0u, site);
    } else {
        for (uint32_t i = 0; i < 2; i++)
            note_word(k, TSTATE, ts + i, c->cycle, false, ~0u, site);
        note_word(k, MASK, w, c->cycle, false, ~0u, site);
        note_word(k, MASK, w, c->cycle, true, ~0u, site);
    }
    note_word(k, EXEC, w, c->cycle, true, ~0u, SITE_NONE);
    note_word(k, PC, w, c->cycle, true, ~0u, site);
}

static void note_barriers(struct recorder *k, const struct sm_warp *w, uint32_t site)
{
    const struct sm_commit *c = &k->c;
    uint32_t barriers = (uint32_t)k->img->profile.barriers;
    bool bar = c->uop && c->kind == COMMIT_INSTRUCTION && c->uop->unit == UNIT_BAR;
    uint32_t number = bar ? c->uop->in.src[0].value % barriers : 0;
    for (uint32_t b = 0; b < barriers; b++)
        if (c->ended || (bar && b == number))
            note_word(k, BARRIER, (uint32_t)w->block * barriers + b, c->cycle, false, ~0u, site);
}

static uint32_t new_site(struct recorder *k)
{
    struct touches *t = k->t;
    const struct sm_commit *c = &k->c;
    if (t->nsites == k->site_room) {
        k->site_room = k->site_room ? 2 * k->site_room : 1024;
        k->bytes += k->site_room / 2 * sizeof *t->site;
        t->site = fl_grow(t->site, k->site_room, sizeof *t->site);
    }
    t->site[t->nsites] = (struct touch_site){.pc = c->pc,
                                             .launch = (uint16_t)c->launch,
                                             .warp = (uint8_t)c->warp,
                                             .reg_base = c->reg_base,
                                             .regs = c->regs,
                                             .cycle = c->cycle};
    return t->nsites++;
}

static void note_start(struct recorder *k)
{
    const struct sm_commit *c = &k->c;
    const struct sm_block *b = &k->m->s.block[c->started];
    struct touches *t = k->t;
    uint32_t launch = k->m->s.launch, barriers = (uint32_t)k->img->profile.barriers;
    for (uint32_t i = b->warp0; i < (uint32_t)b->warp0 + b->warps; i++) {
        const struct sm_warp *w = &k->m->s.warp[i];
        note_word(k, PC, i, c->cycle, true, ~0u, SITE_NONE);
        note_word(k, MASK, i, c->cycle, true, ~0u, SITE_NONE);
        note_word(k, DSP, i, c->cycle, true, ~0u, SITE_NONE);
        note_word(k, TSTATE, 2 * i, c->cycle, true, ~0u, SITE_NONE);
        note_word(k, TSTATE, 2 * i + 1, c->cycle, true, ~0u, SITE_NONE);
        note_row(k, w, 0, c->cycle, true, w->active, WHOLE, SITE_NONE);
    }
    note_bytes(k, SHARED, b->shared0, k->img->launch[launch].params_end, c->cycle, true, SITE_NONE);
    for (uint32_t i = 0; i < barriers; i++)
        note_word(k, BARRIER, (uint32_t)c->started * barriers + i, c->cycle, true, ~0u, SITE_NONE);
    if (t->nblocks == k->block_room) {
        k->block_room = k->block_room ? 2 * k->block_room : 64;
        t->block = fl_grow(t->block, k->block_room, sizeof *t->block);
    }
    k->open_block[c->started] = (int32_t)t->nblocks;
    t->block[t->nblocks++] = (struct touch_block){.from = c->cycle + 1,
                                                  .to = UINT64_MAX,
                                                  .launch = launch,
                                                  .warp0 = b->warp0,
                                                  .warps = b->warps,
                                                  .reg0 = b->reg0,
                                                  .regs = b->regs,
                                                  .shared0 = b->shared0,
                                                  .shared = b->shared,
                                                  .slot = (uint8_t)c->started};
}

static void note_live(struct recorder *k, uint64_t from, uint32_t warps)
{
    struct touches *t = k->t;
    if (t->nlive && t->live[t->nlive - 1].warps == warps)
        return;
    if (t->nlive == k->live_room) {
        k->live_room = k->live_room ? 2 * k->live_room : 64;
        t->live = fl_grow(t->live, k->live_room, sizeof *t->live);
    }
    t->live[t->nlive++] = (struct touch_live){from, warps};
}

/* What is noted in this tick and later has happened after this cycle: an instruction under way touches nothing before it
 * leaves Fetch. */
static uint64_t all_noted(const struct recorder *k)
{
    uint64_t first = k->slot;
    for (uint32_t m = k->flying; m; m &= m - 1) {
        uint64_t fetched = k->fetched[__builtin_ctz(m)];
        first = fetched < first ? fetched : first;
    }
    return first ? first - 1 : 0;
}

/* One tick, and what it touched. */
static void tick(struct recorder *k)
{
    struct sm *m = k->m;
    struct sm_state *s = &m->s;
    uint64_t cycle = s->next - 1;
    int32_t before[STAGE_COUNT];
    uint32_t launch = s->launch;
    memcpy(before, s->stage, sizeof before);
    m->stop = 0; /* slot by slot */
    k->slot = s->next - s->slot;
    sm_tick(m);
    const struct sm_commit *c = &k->c;
    if (k->filter)
        touch_filter_time(k->filter, all_noted(k), cycle);
    if (c->kind == COMMIT_INSTRUCTION || c->kind == COMMIT_UNWIND) {
        k->flying &= ~(1u << c->warp);
        const struct sm_warp *w = &s->warp[c->warp];
        k->site = SITE_NONE;
        uint32_t site = k->filter ? SITE_AT_HAND : new_site(k);
        if (c->kind == COMMIT_INSTRUCTION)
            note_operands(k, w, c->warp, site);
        note_control(k, c->warp, c->kind == COMMIT_INSTRUCTION, site);
        note_stack(k, c->warp, site);
        note_barriers(k, w, site);
        /* the slot may have a new block already */
        if (c->ended && (!s->block[w->block].live || c->started == w->block)) {
            k->t->block[k->open_block[w->block]].to = cycle + 1;
            k->open_block[w->block] = -1;
        }
    }
    if (c->started >= 0)
        note_start(k);
    /* who moved on: Fetch -> Decode, Read -> Execute, Execute -> Write-back or memory */
    for (int i = 0; i < STAGE_COUNT; i++) {
        int now = s->stage[i];
        if (now == NO_WARP || now == before[i])
            continue;
        if (i == STAGE_D) {
            k->fetched[now] = cycle;
            k->flying |= 1u << now;
        } else if (i == STAGE_R)
            k->decoded[now] = cycle;
        else if (i == STAGE_X)
            k->read[now] = cycle;
    }
    int x = before[STAGE_X];
    if (x != NO_WARP && s->stage[STAGE_X] != x)
        k->executed[x] = cycle;
    if (s->stage[STAGE_F] != NO_WARP && s->stage[STAGE_F] != before[STAGE_F]) {
        note_word(k, SCHED, 0, cycle, false, ~0u, SITE_NONE);
        note_word(k, SCHED, 0, cycle, true, ~0u, SITE_NONE);
    }
    if (s->launch != launch) {
        k->t->launch[launch].to = cycle + 1;
        k->t->launch[s->launch].from = cycle + 1;
    }
    note_live(k, cycle + 1, (uint32_t)__builtin_popcount(s->live));
    k->t->launch[launch].warp_cycles += (uint64_t)__builtin_popcount(s->live) *
                                        (s->next - 1 - cycle < UINT32_MAX ? s->next - 1 - cycle
                                                                          : 0);
}

/* Before a window the last touch of each bit is enough: whether, and how, the bit was touched before. */
static void forget(struct recorder *k, enum kind kind)
{
    struct log *l = &k->log[kind];
    uint32_t units = k->units[k->structure[kind]], to = l->count;
    uint32_t(*seen)[2] = fl_alloc(units * sizeof *seen);
    for (uint32_t i = l->count; i-- > 0;) {
        const struct log_entry *e = &l->entry[i];
        uint32_t *s = seen[e->unit], low = e->t.part & LOW_HALF ? e->t.mask & ~s[0] : 0;
        uint32_t high = e->t.part & HIGH_HALF ? e->t.mask & ~s[1] : 0;
        bool inside = e->t.cycle >= k->wanted->from;
        if (!inside && !(low | high))
            continue;
        if (!inside) {
            s[0] |= low;
            s[1] |= high;
        }
        l->entry[--to] = *e;
    }
    l->count -= to;
    memmove(l->entry, l->entry + to, l->count * sizeof *l->entry);
    k->tidied[kind] = l->count;
    free(seen);
}

/* ---- sorting ---------------------------------------------------------------------------------------------------- */

/* By unit, each unit's in time order. The log of a warp is in order but for reads, which are logged when the
 * instruction commits: constants, read by several warps, may be out of order by a slot. */
/* In one cycle reads come before writes: a flip in it is seen before it is erased. */
static bool later(const struct touch *a, const struct touch *b)
{
    return a->cycle > b->cycle || (a->cycle == b->cycle && a->write && !b->write);
}

static void sort(struct recorder *k, enum kind kind)
{
    struct touch_structure *out = &k->t->s[k->structure[kind]];
    struct log *l = &k->log[kind];
    struct sm_structure s;
    sm_structure_get(k->img, k->structure[kind], &s);
    out->rows = by_rows(kind);
    out->units = units_of(kind, &s);
    out->unit = fl_alloc((out->units + 1) * sizeof *out->unit);
    out->touch = fl_alloc(((size_t)l->count + 1) * sizeof *out->touch);
    for (uint32_t i = 0; i < l->count; i++)
        out->unit[l->entry[i].unit].count++;
    for (uint32_t u = 1; u < out->units; u++)
        out->unit[u].first = out->unit[u - 1].first + out->unit[u - 1].count;
    for (uint32_t u = 0; u < out->units; u++)
        out->unit[u].count = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        struct touch_unit *u = &out->unit[l->entry[i].unit];
        struct touch *t = &out->touch[u->first];
        uint32_t at = u->count++;
        for (; at > 0 && later(&t[at - 1], &l->entry[i].t); at--)
            t[at] = t[at - 1];
        t[at] = l->entry[i].t;
    }
    for (uint32_t u = 0; u < out->units; u++) {
        struct touch *t = &out->touch[out->unit[u].first];
        for (uint32_t i = 0, last = 0; i < out->unit[u].count; i++) {
            t[i].writes = last;
            last = t[i].write ? i + 1 : last;
        }
    }
    free(l->entry);
    l->entry = NULL;
}

static struct touches *record(const struct golden *g, const struct touch_wanted *wanted,
                              size_t max_bytes, uint64_t *fit)
{
    const struct sm_image *img = g->img;
    struct recorder *k = fl_alloc(sizeof *k);
    struct touches *t = fl_alloc(sizeof *t);
    int n = sm_structure_count();
    t->g = g;
    t->s = fl_alloc((size_t)n * sizeof *t->s);
    t->launch = fl_alloc((size_t)img->nlaunches * sizeof *t->launch);
    *k = (struct recorder){
        .t = t, .img = img, .m = sm_new(img), .max_bytes = max_bytes, .wanted = wanted};
    k->units = fl_alloc((size_t)n * sizeof *k->units);
    for (int i = 0; i < n; i++) {
        struct sm_structure s;
        sm_structure_get(img, i, &s);
        k->structure[kind_find(img, i)] = i;
        k->units[i] = units_of((enum kind)kind_find(img, i), &s);
    }
    if (wanted)
        k->filter = touch_filter_new(wanted, k->units, n);
    k->m->record = &k->c;
    while (!sm_ended(k->m) && k->bytes <= max_bytes)
        tick(k);
    bool fits = k->bytes <= max_bytes, sorted[KINDS] = {false};
    *fit = k->m->s.next;
    t->launch[img->nlaunches - 1].to = g->cycles;
    for (uint32_t b = 0; b < t->nblocks; b++)
        if (t->block[b].to > g->cycles)
            t->block[b].to = g->cycles;
    /* the shortest log first: each is freed when it is sorted, and the longest needs most room beside it */
    for (int left = KINDS; left > 0; left--) {
        int least = -1;
        for (int i = 0; i < KINDS; i++)
            if (!sorted[i] && (least < 0 || k->log[i].count < k->log[least].count))
                least = i;
        sorted[least] = true;
        if (fits)
            sort(k, (enum kind)least);
        else
            free(k->log[least].entry);
    }
    sm_free(k->m);
    touch_filter_free(k->filter);
    free(k->units);
    free(k);
    if (!fits)
        touches_free(t);
    return fits ? t : NULL;
}

struct touches *touches_record(const struct golden *g, size_t max_bytes, struct fl_err *err)
{
    uint64_t fit;
    struct touches *t = record(g, NULL, max_bytes, &fit);
    if (!t)
        fl_fail(err, "%s: the record of %llu instructions needs more than %zu MB",
                g->img->job->path, (unsigned long long)g->instructions, max_bytes >> 20);
    return t;
}

struct touches *touches_record_some(const struct golden *g, const struct touch_wanted *wanted,
                                    size_t max_bytes, uint64_t *fit)
{
    uint64_t ignored;
    return record(g, wanted, max_bytes, fit ? fit : &ignored);
}

void touches_free(struct touches *t)
{
    if (!t)
        return;
    for (int i = 0; i < sm_structure_count(); i++) {
        free(t->s[i].unit);
        free(t->s[i].touch);
    }
    free(t->s);
    free(t->site);
    free(t->block);
    free(t->launch);
    free(t->live);
    free(t);
}

uint64_t touch_warp_cycles(const struct touches *t, uint64_t from, uint64_t to)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->nlive; i++) {
        uint64_t a = t->live[i].from, b = i + 1 < t->nlive ? t->live[i + 1].from : t->g->cycles;
        a = a > from ? a : from;
        b = b < to ? b : to;
        if (a < b)
            sum += (b - a) * t->live[i].warps;
    }
    return sum;
}

/* ---- asking ----------------------------------------------------------------------------------------------------- */

struct touch_place touch_place(const struct sm_image *img, const struct sm_cell *cell)
{
    struct sm_structure s;
    sm_structure_get(img, cell->structure, &s);
    uint32_t element = 0;
    for (int i = 0; i < s.naxes; i++)
        element = element * (uint32_t)s.axis[i].count + (uint32_t)cell->index[i];
    if (by_rows((enum kind)kind_find(img, cell->structure)))
        return (struct touch_place){element / SM_LANES, 1u << element % SM_LANES,
                                    cell->bit < 16 ? LOW_HALF : HIGH_HALF};
    return (struct touch_place){element * (uint32_t)s.nfields + (uint32_t)cell->field,
                                1u << cell->bit, WHOLE};
}

void touch_walk_start(struct touch_walk *w, const struct touches *t, int structure,
                      struct touch_place place)
{
    const struct touch_structure *s = &t->s[structure];
    const struct touch_unit *u = &s->unit[place.unit];
    *w = (struct touch_walk){.s = s,
                             .touch = &s->touch[u->first],
                             .count = u->count,
                             .mask = place.mask,
                             .part = place.part,
                             .writer = SITE_NONE,
                             .cycles = t->g->cycles};
}

bool touch_walk_next(struct touch_walk *w, struct touch_group *out)
{
    if (w->next >= w->cycles)
        return false;
    while (w->at < w->count) {
        const struct touch *t = &w->touch[w->at++];
        if (!(t->mask & w->mask) || !(t->part & w->part))
            continue;
        bool same_cycle = t->cycle < w->next;
        *out = (struct touch_group){w->next, t->cycle, t->write ? GROUP_WRITE : GROUP_READ, t->site,
                                    w->writer};
        if (t->write)
            w->writer = t->site;
        if (same_cycle)
            continue;
        w->next = t->cycle + 1;
        return true;
    }
    *out = (struct touch_group){w->next, w->cycles - 1, GROUP_NOTHING, SITE_NONE, w->writer};
    w->next = w->cycles;
    return true;
}

/* The first touch that is not before `cycle`. */
static uint32_t first_from(const struct touch *touch, uint32_t count, uint64_t cycle)
{
    uint32_t lo = 0, hi = count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (touch[mid].cycle < cycle)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

/* Who wrote the bit last before touch number `at` of its unit. */
static uint32_t writer_before(const struct touch *touch, uint32_t at, uint32_t mask, uint8_t part)
{
    if (at == 0)
        return SITE_NONE;
    for (uint32_t i = touch[at - 1].write ? at : touch[at - 1].writes; i; i = touch[i - 1].writes)
        if ((touch[i - 1].mask & mask) && (touch[i - 1].part & part))
            return touch[i - 1].site;
    return SITE_NONE;
}

void touch_walk_seek(struct touch_walk *w, uint64_t cycle)
{
    w->at = first_from(w->touch, w->count, cycle);
    w->next = 0;
    w->writer = writer_before(w->touch, w->at, w->mask, w->part);
    for (uint32_t i = w->at; i-- > 0;)
        if ((w->touch[i].mask & w->mask) && (w->touch[i].part & w->part)) {
            w->next = w->touch[i].cycle + 1;
            break;
        }
}

struct touch_group touch_group_at(const struct touches *t, const struct sm_cell *cell,
                                  uint64_t cycle)
{
    struct touch_place p = touch_place(t->g->img, cell);
    const struct touch_structure *s = &t->s[cell->structure];
    const struct touch_unit *u = &s->unit[p.unit];
    const struct touch *touch = &s->touch[u->first];
    uint32_t lo = first_from(touch, u->count, cycle);
    struct touch_group g = {0, t->g->cycles - 1, GROUP_NOTHING, SITE_NONE,
                            writer_before(touch, lo, p.mask, p.part)};
    for (uint32_t i = lo; i-- > 0;)
        if ((touch[i].mask & p.mask) && (touch[i].part & p.part)) {
            g.from = touch[i].cycle + 1;
            break;
        }
    for (uint32_t i = lo; i < u->count; i++)
        if ((touch[i].mask & p.mask) && (touch[i].part & p.part)) {
            g.to = touch[i].cycle;
            g.end = touch[i].write ? GROUP_WRITE : GROUP_READ;
            g.site = touch[i].site;
            break;
        }
    return g;
}

struct sm_cell touch_cell(const struct sm_image *img, int structure, uint32_t unit, int index,
                          int bit)
{
    struct sm_structure s;
    sm_structure_get(img, structure, &s);
    struct sm_cell c = {.structure = structure, .bit = bit};
    uint32_t element = unit * SM_LANES + (uint32_t)index;
    if (!by_rows((enum kind)kind_find(img, structure))) {
        c.field = (int)(unit % (uint32_t)s.nfields);
        c.bit = index;
        element = unit / (uint32_t)s.nfields;
    }
    for (int i = s.naxes; i-- > 0;) {
        c.index[i] = (int)(element % (uint32_t)s.axis[i].count);
        element /= (uint32_t)s.axis[i].count;
    }
    return c;
}

bool touch_has_owners(const struct touches *t, int structure)
{
    int k = kind_find(t->g->img, structure);
    return k != SCHED && k != CONST && k != IR;
}

struct touch_span touch_span_of(const struct touches *t, int structure, const struct touch_block *b)
{
    const struct sm_image *img = t->g->img;
    uint32_t per_warp, barriers = (uint32_t)img->profile.barriers;
    uint32_t local = img->kernel[img->launch[b->launch].kernel].local_bytes / 4 * SM_LANES;
    struct sm_structure s;
    switch (kind_find(img, structure)) {
    case RF:
        return (struct touch_span){b->reg0 / (uint32_t)SM_LANES, b->regs / (uint32_t)SM_LANES,
                                   32ull * b->regs};
    case SHARED: return (struct touch_span){b->shared0 / 4, b->shared / 4, 8ull * b->shared};
    case LOCAL:
        return (struct touch_span){b->warp0 * local, b->warps * local, 32ull * b->warps * local};
    case BARRIER:
        return (struct touch_span){b->slot * barriers, barriers,
                                   (uint64_t)barriers * (uint32_t)img->profile.warps};
    case SCHED:
    case IR:
    case CONST: return (struct touch_span){0};
    default: /* so much for each warp slot */
        per_warp = t->s[structure].units / (uint32_t)img->profile.warps;
        sm_structure_get(img, structure, &s);
        return (struct touch_span){b->warp0 * per_warp, b->warps * per_warp,
                                   (uint64_t)sm_structure_bits(&s) / (uint32_t)img->profile.warps *
                                       b->warps};
    }
}

bool touch_owned(const struct touches *t, const struct sm_cell *cell, uint64_t from, uint64_t to)
{
    uint32_t unit = touch_place(t->g->img, cell).unit;
    if (!touch_has_owners(t, cell->structure))
        return true;
    for (uint32_t b = 0; b < t->nblocks && t->block[b].from <= to; b++) {
        struct touch_span s = touch_span_of(t, cell->structure, &t->block[b]);
        if (from < t->block[b].to && unit - s.first < s.count)
            return true;
    }
    return false;
}
