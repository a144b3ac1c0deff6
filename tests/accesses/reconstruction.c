/* reconstruction.c -- what a tick accessed, worked out from its commit record and the stages. See
 * reconstruction.h.
 */
#include "reconstruction.h"

#include <string.h>

#include "sm/internal.h"

/* ---- taking notes ---------------------------------------------------------------------------- */

static bool listed(const struct reconstruction *k, int place)
{
    return k->places >> place & 1;
}

static void note(struct reconstruction *k, int place, uint32_t unit, uint64_t cycle, bool write,
                 uint32_t mask, uint8_t part)
{
    struct sm_accesses *l = k->out;
    if (!mask || !listed(k, place))
        return;
    FL_ROOM(l->access, l->count, l->room, 256);
    l->access[l->count++] = (struct sm_access){cycle, unit, mask,          (uint8_t)place,
                                               write, part, k->instruction};
}

static void note_word(struct reconstruction *k, int place, uint32_t unit, uint64_t cycle,
                      bool write, uint32_t mask)
{
    note(k, place, unit, cycle, write, mask, ACCESS_WHOLE);
}

/* What the pipeline does with an instruction, and no instruction. */
static void note_by_machine(struct reconstruction *k, int place, uint32_t unit, uint64_t cycle,
                            bool write, uint32_t mask)
{
    k->instruction = false;
    note_word(k, place, unit, cycle, write, mask);
    k->instruction = true;
}

/* A store to global or local memory takes its data in Write-back, not in Read: whether `reg` is
 * data of this one, and not its address too. */
static bool stores_register(const struct sm_uop *u, uint32_t reg)
{
    if (!u || u->unit != UNIT_STORE || (u->in.dst.kind != ISA_G && u->in.dst.kind != ISA_L))
        return false;
    const struct isa_operand *d = &u->in.src[0];
    uint32_t first = d->kind == ISA_RH ? d->value >> 1 : d->value, n = 1;
    if (d->kind != ISA_R && d->kind != ISA_RH)
        return false;
    if (d->kind == ISA_R)
        n = u->in.dst.type == T_B128 ? 4 : u->in.dst.type == T_B64 ? 2 : 1;
    return reg - first < n && (u->in.dst.kind != ISA_G || u->in.dst.value != reg);
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

static void note_stack(struct reconstruction *k, int w)
{
    const struct sm_commit *c = &k->c;
    const struct profile *p = &k->g->img->profile;
    for (int i = 0; i < c->nstack; i++) {
        const struct sm_stack_event *e = &c->stack[i];
        if (e->le > k->g->img->profile.stack_entries)
            continue;
        for (uint32_t f = 0; f < 3; f++)
            note_word(k, SM_S_dstack, stack_unit(k->g->img, w, e->le - 1u, f), c->cycle, e->push,
                      f == 1               ? 3
                      : f == 2 && !e->push ? profile_spc_bits(p)
                                           : ~0u);
    }
    bool looks = c->nstack || !c->active_after ||
                 (c->uop && (c->uop->in.join || (p->ret_pops && c->uop->unit == UNIT_RET) ||
                             (p->drops_at && may_push(c->uop))));
    if (looks)
        note_word(k, SM_S_dsp, (uint32_t)w, c->cycle, false, ~0u);
}

/* Lane addresses of a shared or constant operand, as the operand's own space has them. The address
 * register holds what it held before, but for a post-increment. */
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
static void note_bytes(struct reconstruction *k, int place, uint64_t at, uint32_t n, uint64_t cycle,
                       bool write)
{
    for (uint64_t word = at / 4; word * 4 < at + n; word++) {
        uint32_t mask = 0;
        for (uint32_t b = 0; b < 4; b++)
            if (word * 4 + b >= at && word * 4 + b < at + n)
                mask |= 0xffu << 8 * b;
        note_word(k, place, (uint32_t)word, cycle, write, mask);
    }
}

static void note_memory_operand(struct reconstruction *k, const struct sm_warp *w, int wi,
                                const struct isa_operand *o, uint32_t exec, bool write)
{
    const struct sm_image *img = k->g->img;
    const struct sm_launch *launch = &img->launch[k->c.launch];
    const struct sm_kernel *kernel = &img->kernel[launch->kernel];
    uint32_t addr[SM_LANES], n = isa_type_bytes(o->type), before = ~0u;
    int place = o->kind == ISA_S ? SM_S_shared : o->kind == ISA_K ? SM_S_const : SM_S_local;
    if (!listed(k, place))
        return;
    if (o->areg && k->c.areg == o->areg) { /* the address is gone: all it can have been */
        const struct sm_bank *b = &kernel->bank[o->bank & 15];
        if (o->kind == ISA_S)
            note_bytes(k, SM_S_shared, k->shared0, k->shared, k->slot, false);
        else if (o->kind == ISA_K)
            note_bytes(k, SM_S_const, b->offset - img->const_offset, b->size, k->executed[wi],
                       false);
        return;
    }
    operand_addresses(w, o, exec, addr);
    for (uint32_t l = 0; l < SM_LANES; l++) {
        if (!(exec >> l & 1))
            continue;
        if (o->kind == ISA_S && addr[l] != before) {
            note_bytes(k, SM_S_shared, (uint64_t)k->shared0 + addr[l], n,
                       write ? k->c.cycle : k->slot, write);
        } else if (o->kind == ISA_K && addr[l] != before) {
            const struct sm_bank *b = &kernel->bank[o->bank & 15];
            note_bytes(k, SM_S_const, (uint64_t)b->offset - img->const_offset + addr[l],
                       n > 4 ? 4 : n, k->executed[wi], false);
        } else if (o->kind == ISA_L) {
            for (uint32_t b = 0; b < n; b += 4) {
                uint32_t word = ((uint32_t)wi * (kernel->local_bytes / 4) + (addr[l] + b) / 4) *
                                    SM_LANES +
                                l;
                note_bytes(k, SM_S_local, 4 * (uint64_t)word + addr[l] % 4, n > 4 ? 4 : n,
                           k->c.cycle, write);
            }
        }
        before = addr[l];
    }
}

/* Global memory, at the addresses that the instruction used. */
static void note_global(struct reconstruction *k)
{
    const struct sm_commit *c = &k->c;
    if (c->space != ISA_G || !listed(k, SM_S_global))
        return;
    for (uint32_t m = c->exec; m; m &= m - 1)
        note_bytes(k, SM_S_global, c->addr[__builtin_ctz(m)] - JOB_BASE, c->bytes, c->cycle,
                   c->store);
}

/* A register of the warp that committed. It may have ended, and its slot have a new owner
 * already. */
static void note_row(struct reconstruction *k, uint32_t reg, uint64_t cycle, bool write,
                     uint32_t lanes, uint8_t part)
{
    const struct sm_commit *c = &k->c;
    if (reg < c->regs)
        note(k, SM_S_rf, c->reg_base / (uint32_t)SM_LANES + reg, cycle, write, lanes, part);
}

static void note_areg(struct reconstruction *k, int wi, uint32_t number, uint64_t cycle, bool write,
                      uint32_t lanes)
{
    if (number >= 1 && number <= 4)
        note(k, SM_S_areg, (uint32_t)wi * 4 + number - 1, cycle, write, lanes, ACCESS_WHOLE);
}

static void note_flags(struct reconstruction *k, int wi, uint32_t number, uint64_t cycle,
                       bool write, uint32_t lanes)
{
    for (uint32_t plane = 0; plane < 4; plane++)
        note_word(k, SM_S_cc, ((uint32_t)wi * 4 + (number & 3)) * 4 + plane, cycle, write, lanes);
}

/* What an instruction read of one operand. `data` is its first source, which may take several
 * registers. */
static void note_source(struct reconstruction *k, const struct sm_warp *w, int wi,
                        const struct isa_operand *o, bool data)
{
    const struct sm_commit *c = &k->c;
    uint32_t exec = c->exec, reg = o->kind == ISA_RH ? o->value >> 1 : o->value;
    uint64_t read = k->read[wi];
    if (o->areg)
        note_areg(k, wi, o->areg, read, false, exec);
    switch ((enum isa_operand_kind)o->kind) {
    case ISA_G: note_row(k, o->value, read, false, exec, ACCESS_WHOLE); break;
    case ISA_R:
    case ISA_RH: {
        uint32_t n = data && o->kind == ISA_R && c->uop->unit == UNIT_STORE
                         ? (isa_type_bytes(c->uop->in.dst.type) + 3) / 4
                         : 1;
        for (uint32_t i = 0; i < n; i++)
            note_row(k, reg + i, stores_register(c->uop, reg + i) ? c->cycle : read, false, exec,
                     o->kind == ISA_R ? ACCESS_WHOLE
                     : o->value & 1   ? ACCESS_HIGH_HALF
                                      : ACCESS_LOW_HALF);
        break;
    }
    case ISA_A: note_areg(k, wi, o->value, read, false, exec); break;
    case ISA_S:
    case ISA_L:
    case ISA_K: note_memory_operand(k, w, wi, o, exec, false); break;
    default: break;
    }
}

static void note_operands(struct reconstruction *k, const struct sm_warp *w, int wi)
{
    const struct sm_commit *c = &k->c;
    const struct sm_uop *u = c->uop;
    const struct isa_insn *in = &u->in;
    if (!c->exec)
        return;
    if (u->unit != UNIT_C2R)
        for (int i = 0; i < 3; i++)
            note_source(k, w, wi, &in->src[i], i == 0);
    else
        note_flags(k, wi, in->src[0].value, k->read[wi], false, c->exec);
    if (in->carry)
        note_flags(k, wi, (uint32_t)in->cc_src, k->read[wi], false, c->exec);
    if (in->dst.areg)
        note_areg(k, wi, in->dst.areg, k->read[wi], false, c->exec);
    if (in->dst.kind == ISA_G)
        note_row(k, in->dst.value, k->read[wi], false, c->exec, ACCESS_WHOLE);
    else if (in->dst.kind == ISA_S || in->dst.kind == ISA_L)
        note_memory_operand(k, w, wi, &in->dst, c->exec, true);
    uint8_t part = in->dst.kind != ISA_RH ? ACCESS_WHOLE
                   : in->dst.value & 1    ? ACCESS_HIGH_HALF
                                          : ACCESS_LOW_HALF;
    for (int i = 0; i < c->nregs; i++)
        note(k, SM_S_rf, c->reg_row / (uint32_t)SM_LANES + (uint32_t)i, c->cycle, true, c->reg_mask,
             part);
    if (c->cc >= 0)
        note_flags(k, wi, (uint32_t)c->cc, c->cycle, true, c->exec);
    if (c->areg >= 1)
        note_areg(k, wi, (uint32_t)c->areg, c->cycle, true, c->exec);
    note_global(k);
    const struct isa_operand *list[4] = {&in->dst, &in->src[0], &in->src[1], &in->src[2]};
    for (int i = 0; i < 4; i++)
        if (list[i]->postinc)
            note_areg(k, wi, list[i]->areg, c->cycle, true, c->exec);
}

/* PC, masks and thread states of the warp that committed. */
static void note_control(struct reconstruction *k, int wi, bool instruction)
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
        bool exits = in->exit && k->g->img->profile.exit_ends;
        note_word(k, SM_S_pc, w, k->fetched[wi], false, ~0u);
        note_word(k, SM_S_mask, w, k->read[wi], false, ~0u);
        for (uint32_t i = 0; i < 2; i++) {
            note_by_machine(k, SM_S_ir, i, k->fetched[wi], true, ~0u);
            note_word(k, SM_S_ir, i, k->decoded[wi], false, ~0u);
        }
        note_by_machine(k, SM_S_exec, w, k->read[wi], true, ~0u);
        if (in->pred != PRED_ALWAYS)
            note_flags(k, wi, (uint32_t)in->cc_src, k->read[wi], false, c->active);
        if (u->offchip)
            note_word(k, SM_S_exec, w, k->executed[wi], false, ~0u);
        note_word(k, SM_S_exec, w, c->cycle, false, ~0u);
        note_word(k, SM_S_pc, w, c->cycle, false, ~0u);
        /* who is active matters to what branches, and when nobody may be left */
        if (branches || exits || __builtin_popcount(c->active_after) <= 1)
            note_word(k, SM_S_mask, w, c->cycle, false, ~0u);
        if (u->unit == UNIT_RET || u->unit == UNIT_BRK || exits || in->join || popped || c->ended ||
            !c->active_after)
            for (uint32_t i = 0; i < 2; i++)
                note_word(k, SM_S_tstate, ts + i, c->cycle, false, ~0u);
        if (exits)
            for (uint32_t i = 0; i < 2; i++)
                note_word(k, SM_S_tstate, ts + i, c->cycle, true, c->active);
        if (popped || exits || in->join)
            note_word(k, SM_S_mask, w, c->cycle, true, ~0u);
    } else {
        for (uint32_t i = 0; i < 2; i++)
            note_word(k, SM_S_tstate, ts + i, c->cycle, false, ~0u);
        note_word(k, SM_S_mask, w, c->cycle, false, ~0u);
        note_word(k, SM_S_mask, w, c->cycle, true, ~0u);
    }
    note_by_machine(k, SM_S_exec, w, c->cycle, true, ~0u);
    note_word(k, SM_S_pc, w, c->cycle, true, ~0u);
}

/* The arrivals at a barrier of a block: a word, or two where there are more than 32 warps. */
static void note_arrivals(struct reconstruction *k, int block, uint32_t barrier, bool write)
{
    const struct profile *p = &k->g->img->profile;
    uint32_t words = p->warps > 32 ? 2 : 1;
    uint32_t unit = ((uint32_t)block * (uint32_t)p->barriers + barrier) * words;
    for (uint32_t i = 0; i < words; i++)
        note_word(k, SM_S_barrier, unit + i, k->c.cycle, write, ~0u);
}

static void note_barriers(struct reconstruction *k)
{
    const struct sm_commit *c = &k->c;
    uint32_t barriers = (uint32_t)k->g->img->profile.barriers;
    bool bar = c->uop && c->kind == COMMIT_INSTRUCTION && c->uop->unit == UNIT_BAR;
    uint32_t number = bar ? c->uop->in.src[0].value % barriers : 0;
    for (uint32_t b = 0; b < barriers; b++)
        if (c->ended || (bar && b == number))
            note_arrivals(k, k->block, b, false);
}

static void note_pages(struct reconstruction *k, uint32_t at, uint32_t size, bool write)
{
    const struct sm_image *img = k->g->img;
    if (at < img->global_bytes && listed(k, SM_S_global))
        note_bytes(k, SM_S_global, at, size, k->c.cycle, write);
    if (at >= img->const_offset && listed(k, SM_S_const))
        note_bytes(k, SM_S_const, at - img->const_offset, size, k->c.cycle, write);
}

/* Between launches: the word that decides what comes next, and the steps before that. */
static void note_host(struct reconstruction *k)
{
    const struct sm_image *img = k->g->img;
    const struct sm_launch *l = &img->launch[k->launch];
    const struct gpu_grid *grid = &k->g->grid;
    if (grid->launch == k->launch && !grid->done)
        return;
    if (l->decides)
        note_pages(k, l->word - JOB_BASE, 4, false);
    struct sm_steps s = sm_steps_before(img, grid->done ? SM_JOB_OVER : grid->launch);
    for (uint32_t i = s.first; grid->done != SM_GAVE_UP && i < s.first + s.count; i++) {
        if (img->step[i].copies)
            note_pages(k, img->step[i].from, img->step[i].size, false);
        note_pages(k, img->step[i].to, img->step[i].size, true);
    }
}

/* A block starts: what its warps and its shared memory begin with. */
static void note_start(struct reconstruction *k)
{
    const struct sm_commit *c = &k->c;
    const struct sm_image *img = k->g->img;
    const struct sm_block *b = &k->g->sm->s.block[c->started];
    uint32_t barriers = (uint32_t)img->profile.barriers;
    for (uint32_t i = b->warp0; i < (uint32_t)b->warp0 + b->warps; i++) {
        const struct sm_warp *w = &k->g->sm->s.warp[i];
        note_word(k, SM_S_pc, i, c->cycle, true, ~0u);
        note_word(k, SM_S_mask, i, c->cycle, true, ~0u);
        note_word(k, SM_S_dsp, i, c->cycle, true, ~0u);
        note_word(k, SM_S_tstate, 2 * i, c->cycle, true, ~0u);
        note_word(k, SM_S_tstate, 2 * i + 1, c->cycle, true, ~0u);
        if (w->regs)
            note(k, SM_S_rf, w->reg_base / (uint32_t)SM_LANES, c->cycle, true, w->active,
                 ACCESS_WHOLE);
    }
    note_bytes(k, SM_S_shared, b->shared0, img->launch[k->g->grid.launch].params_end, c->cycle,
               true);
    for (uint32_t i = 0; i < barriers; i++)
        note_arrivals(k, c->started, i, true);
}

/* ---- following a machine --------------------------------------------------------------------- */

static void list_commit(struct reconstruction *k)
{
    const struct sm_commit *c = &k->c;
    const struct sm_warp *w = &k->g->sm->s.warp[c->warp];
    if (c->trap || (c->kind == COMMIT_INSTRUCTION && !c->uop))
        return; /* the job ends here: its addresses may be anything */
    k->instruction = true;
    if (c->kind == COMMIT_INSTRUCTION)
        note_operands(k, w, c->warp);
    note_control(k, c->warp, c->kind == COMMIT_INSTRUCTION);
    note_stack(k, c->warp);
    note_barriers(k);
    k->instruction = false;
}

/* What the warp that is about to commit owns: behind its last instruction that may be another's. */
static void note_owner(struct reconstruction *k, int warp)
{
    const struct sm_state *s = &k->g->sm->s;
    k->block = s->warp[warp].block;
    k->shared0 = s->block[k->block].shared0;
    k->shared = s->block[k->block].shared;
}

/* Who moved on: Fetch -> Decode, Read -> Execute, Execute -> Write-back or memory. */
static void note_stages(struct reconstruction *k, const int32_t before[STAGE_COUNT])
{
    uint64_t cycle = k->cycle;
    const struct sm_state *s = &k->g->sm->s;
    for (int i = 0; i < STAGE_COUNT; i++) {
        int now = s->stage[i];
        if (now == NO_WARP || now == before[i])
            continue;
        if (i == STAGE_D) {
            k->fetched[now] = cycle;
            k->flying |= mask_of(now);
        } else if (i == STAGE_R) {
            k->decoded[now] = cycle;
        } else if (i == STAGE_X) {
            k->read[now] = cycle;
        }
    }
    int x = before[STAGE_X];
    if (x != NO_WARP && s->stage[STAGE_X] != x)
        k->executed[x] = cycle;
    if (s->stage[STAGE_F] != NO_WARP && s->stage[STAGE_F] != before[STAGE_F]) {
        note_word(k, SM_S_sched, 0, cycle, false, ~0u);
        note_word(k, SM_S_sched, 0, cycle, true, ~0u);
    }
}

void reconstruct_tick(struct reconstruction *k, struct sm_watch *w, struct sm_accesses *told,
                      struct sm_accesses *out)
{
    struct sm_state *s = &k->g->sm->s;
    int32_t before[STAGE_COUNT];
    memcpy(before, s->stage, sizeof before);
    k->cycle = s->next - 1;
    k->slot = s->next - s->slot;
    k->launch = k->g->grid.launch;
    if (before[STAGE_W] != NO_WARP)
        note_owner(k, before[STAGE_W]);
    k->out = out;
    out->count = 0;
    sm_watch_tick(w, told);
    k->c = w->c;
    if (k->c.kind == COMMIT_INSTRUCTION || k->c.kind == COMMIT_UNWIND) {
        k->flying &= ~mask_of(k->c.warp);
        list_commit(k);
    }
    note_host(k);
    if (k->c.started >= 0)
        note_start(k);
    if (k->timed)
        note_stages(k, before);
}
