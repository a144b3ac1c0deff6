/* hook.c -- how accesses are reported. See hook.h. */
#include "hook.h"

#include "internal.h"

void sm_report(struct sm_hook *k, int place, uint32_t unit, uint64_t cycle, bool write,
               uint32_t mask, uint8_t part)
{
    struct sm_accesses *l = k->out;
    if (!mask || !sm_hook_takes(k, place))
        return;
    FL_ROOM(l->access, l->count, l->room, 256);
    l->access[l->count++] = (struct sm_access){
        cycle, k->first[place] + unit, mask, (uint8_t)place, write, part, k->instruction};
}

void sm_report_bytes(struct sm_hook *k, int place, uint64_t at, uint32_t n, uint64_t cycle,
                     bool write)
{
    if (n == 4 && at % 4 == 0) { /* nearly all are */
        sm_report_word(k, place, (uint32_t)(at / 4), cycle, write, ~0u);
        return;
    }
    for (uint64_t word = at / 4; word * 4 < at + n; word++) {
        uint32_t mask = 0;
        for (uint32_t b = 0; b < 4; b++)
            if (word * 4 + b >= at && word * 4 + b < at + n)
                mask |= 0xffu << 8 * b;
        sm_report_word(k, place, (uint32_t)word, cycle, write, mask);
    }
}

void sm_report_row(struct sm *m, const struct sm_warp *w, uint32_t reg, uint64_t cycle, bool write,
                   uint32_t lanes, uint8_t part)
{
    if (reg < w->regs)
        sm_report(m->hook, SM_S_rf, w->reg_base / (uint32_t)SM_LANES + reg, cycle, write, lanes,
                  part);
}

void sm_report_areg(struct sm *m, const struct sm_warp *w, uint32_t number, uint64_t cycle,
                    bool write, uint32_t lanes)
{
    if (number >= 1 && number <= 4)
        sm_report_word(m->hook, SM_S_areg, (uint32_t)(w - m->s.warp) * 4 + number - 1, cycle, write,
                       lanes);
}

void sm_report_flags(struct sm *m, const struct sm_warp *w, uint32_t number, uint64_t cycle,
                     bool write, uint32_t lanes)
{
    for (uint32_t plane = 0; plane < 4; plane++)
        sm_report_word(m->hook, SM_S_cc, ((uint32_t)(w - m->s.warp) * 4 + (number & 3)) * 4 + plane,
                       cycle, write, lanes);
}

void sm_report_arrivals(struct sm *m, int block, uint32_t barrier, bool write)
{
    const struct profile *p = &m->img->profile;
    uint32_t words = p->warps > 32 ? 2 : 1; /* a word for each 32 warps */
    uint32_t unit = ((uint32_t)block * (uint32_t)p->barriers + barrier) * words;
    for (uint32_t i = 0; i < words; i++)
        sm_report_word(m->hook, SM_S_barrier, unit + i, m->hook->cycle, write, ~0u);
}

/* What the pipeline does with an instruction, and no instruction. */
static void report_by_machine(struct sm_hook *k, int place, uint32_t unit, uint64_t cycle)
{
    k->instruction = false;
    sm_report_word(k, place, unit, cycle, true, ~0u);
    k->instruction = true;
}

/* What became of the instruction on its way through the pipeline. */
static void report_passage(struct sm *m, uint32_t w, const struct sm_uop *u, uint32_t active)
{
    struct sm_hook *k = m->hook;
    sm_report_word(k, SM_S_pc, w, k->fetched[w], false, ~0u);
    sm_report_word(k, SM_S_mask, w, k->read[w], false, ~0u);
    for (uint32_t i = 0; i < 2; i++) {
        report_by_machine(k, SM_S_ir, i, k->fetched[w]);
        sm_report_word(k, SM_S_ir, i, k->decoded[w], false, ~0u);
    }
    report_by_machine(k, SM_S_exec, w, k->read[w]);
    if (u->in.pred != PRED_ALWAYS)
        sm_report_flags(m, &m->s.warp[w], (uint32_t)u->in.cc_src, k->read[w], false, active);
    if (u->offchip)
        sm_report_word(k, SM_S_exec, w, k->executed[w], false, ~0u);
    sm_report_word(k, SM_S_exec, w, k->cycle, false, ~0u);
    sm_report_word(k, SM_S_pc, w, k->cycle, false, ~0u);
}

static void report_states(struct sm_hook *k, uint32_t w, bool write, uint32_t lanes)
{
    for (uint32_t i = 0; i < 2; i++)
        sm_report_word(k, SM_S_tstate, 2 * w + i, k->cycle, write, lanes);
}

static bool branches(const struct sm_uop *u)
{
    return u->unit == UNIT_BRA || u->unit == UNIT_CAL || u->unit == UNIT_RET ||
           u->unit == UNIT_SSY || u->unit == UNIT_PBK || u->unit == UNIT_BRK;
}

/* Looks at the stack pointer, whether or not it finds an entry, or room for one. */
static bool asks_stack(const struct profile *p, const struct sm_uop *u)
{
    bool pushes = u->unit == UNIT_SSY || u->unit == UNIT_PBK || u->unit == UNIT_CAL ||
                  u->unit == UNIT_BRA;
    return u->in.join || (p->ret_pops && u->unit == UNIT_RET) || (p->drops_at && pushes);
}

void sm_report_control(struct sm *m, int warp, const struct sm_uop *u, uint32_t active)
{
    struct sm_hook *k = m->hook;
    const struct profile *p = &m->img->profile;
    uint32_t w = (uint32_t)warp, after = m->s.warp[warp].active;
    bool ended = !mask_has(m->s.live, warp);
    if (u) {
        bool exits = u->in.exit && p->exit_ends;
        report_passage(m, w, u, active);
        /* who is active matters to what branches, and when nobody may be left */
        if (branches(u) || u->unit == UNIT_VOTE || exits || __builtin_popcount(after) <= 1)
            sm_report_word(k, SM_S_mask, w, k->cycle, false, ~0u);
        if (u->unit == UNIT_RET || u->unit == UNIT_BRK || exits || u->in.join || k->popped ||
            ended || !after)
            report_states(k, w, false, ~0u);
        if (exits)
            report_states(k, w, true, active);
        if (k->popped || exits || u->in.join)
            sm_report_word(k, SM_S_mask, w, k->cycle, true, ~0u);
    } else {
        report_states(k, w, false, ~0u);
        sm_report_word(k, SM_S_mask, w, k->cycle, false, ~0u);
        sm_report_word(k, SM_S_mask, w, k->cycle, true, ~0u);
    }
    report_by_machine(k, SM_S_exec, w, k->cycle);
    sm_report_word(k, SM_S_pc, w, k->cycle, true, ~0u);
    if (k->popped || k->pushed || !after || (u && asks_stack(p, u)))
        sm_report_word(k, SM_S_dsp, w, k->cycle, false, ~0u);
}

/* ---- operands already taken ------------------------------------------------------------------ */

/* The warp's instruction has taken its operands, and has had no effect yet. */
static bool behind_read(const struct sm *m, int w)
{
    const struct sm_state *s = &m->s;
    bool behind = s->stage[STAGE_X] == w || (s->stage[STAGE_W] == w && !s->unwinding);
    for (int i = 0; i < s->nrequests; i++)
        behind |= s->request[i].warp == w;
    return behind;
}

static bool reads_shared(const struct sm_uop *u)
{
    for (int i = 0; u && i < 3; i++)
        if (u->in.src[i].kind == ISA_S)
            return true;
    return false;
}

int sm_taken_by(struct sm *m, const struct sm_cell *c, uint64_t cycle)
{
    const struct sm_state *s = &m->s;
    int w = NO_WARP;
    switch (c->structure) {
    case SM_S_rf:
        for (int i = 0; i < m->img->warps_used; i++) {
            uint32_t at = (uint32_t)c->index[0] - s->warp[i].reg_base;
            if (mask_has(s->live, i) && at < s->warp[i].regs * (uint32_t)SM_LANES) {
                w = i;
                if (behind_read(m, i) && lsu_stores_late(warp_uop(m, i), at / SM_LANES))
                    return NO_WARP; /* a store takes its data in Write-back */
            }
        }
        break;
    case SM_S_cc:
    case SM_S_areg: w = c->index[0]; break;
    case SM_S_shared: /* operands are taken in the first cycle of Write-back */
        if (s->unwinding || s->stage[STAGE_W] == NO_WARP || cycle <= s->next - s->slot)
            return NO_WARP;
        return reads_shared(warp_uop(m, s->stage[STAGE_W])) ? s->stage[STAGE_W] : NO_WARP;
    case SM_S_const: /* of a cache they are taken in Write-back */
        return s->unwinding || is_cached(m, ISA_K) ? NO_WARP : s->stage[STAGE_W];
    default: break;
    }
    return w != NO_WARP && behind_read(m, w) ? w : NO_WARP;
}
