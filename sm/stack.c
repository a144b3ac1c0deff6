/* stack.c -- the divergence stack: what a push stores and what a pop brings back.
 *
 * One stack per warp slot, LEs numbered from 1 for users and from 0 here:
 *
 *      bit 65     34 33  32 31      0
 *          |  SPC   |  ID  |   TM   |
 *
 *   SYNC     pushed by SSY, SPC = target                  pop goes on at SPC + 8 (behind the join)
 *   DIVERGE  pushed by BRA, SPC = fall-through path, TM = active and not taken
 *   CALL     pushed by CAL, SPC = next instruction         pop makes `returned` threads in TM
 *            active
 *   BREAK    pushed by PBK, SPC = target                   pop makes `broken` threads in TM active
 *
 * SPC[2:0] are cells like all others, but a push writes 0 there and a pop ignores them. Beyond the
 * last LE a profile may have a spill area, where no fault lives and every access takes
 * spill_latency.
 *
 * What is said of SYNC, of a full and of an empty stack are the rules of the G80; a profile may
 * have others (profile.h).
 */
#include "internal.h"

/* The cells of a line-entry, in the order of structures.def. A pop takes no more of SPC than fetch
 * sees. */
static void report_entry(struct sm *m, int wi, uint32_t le, bool push)
{
    const struct profile *p = &m->img->profile;
    uint32_t entry = ((uint32_t)wi * (uint32_t)p->stack_entries + le) * 3;
    m->hook->pushed |= push;
    m->hook->popped |= !push;
    if (le >= (uint32_t)p->stack_entries)
        return;
    sm_report_word(m->hook, SM_S_dstack, entry, m->hook->cycle, push, ~0u);
    sm_report_word(m->hook, SM_S_dstack, entry + 1, m->hook->cycle, push, 3);
    sm_report_word(m->hook, SM_S_dstack, entry + 2, m->hook->cycle, push,
                   push ? ~0u : profile_spc_bits(p));
}

static void note(struct sm *m, int wi, bool push, uint32_t le, const struct sm_stack_event *e)
{
    struct sm_commit *r = m->record;
    if (sm_hooked(m))
        report_entry(m, wi, le, push);
    if (!r || r->nstack >= SM_MAX_STACK_EVENTS)
        return;
    r->stack[r->nstack] = *e;
    r->stack[r->nstack].push = push;
    r->stack[r->nstack].le = (uint8_t)(le + 1);
    r->nstack++;
}

void stack_push(struct sm *m, int wi, enum sm_le_id id, uint32_t tm, uint32_t spc, uint32_t *stall)
{
    struct sm_warp *w = &m->s.warp[wi];
    uint32_t le = w->sp, les = (uint32_t)m->img->profile.stack_entries;
    uint32_t drops_at = (uint32_t)m->img->profile.drops_at;
    struct sm_stack_event e = {.id = (uint8_t)id, .tm = tm, .spc = spc & ~7u};
    if (drops_at && le >= drops_at)
        return;
    if (le < les) {
        w->tm[le] = tm;
        w->spc[le] = e.spc;
        w->id[le] = (uint8_t)id;
        if (m->nforces)
            apply_forces(m); /* a pop by the same instruction must see the cell as it is held */
    } else if (le - les < (uint32_t)m->img->profile.stack_spill) {
        m->s.spill_tm[wi][le - les] = tm;
        m->s.spill_spc[wi][le - les] = e.spc;
        m->s.spill_id[wi][le - les] = (uint8_t)id;
        *stall += (uint32_t)m->img->profile.spill_latency;
    } else {
        set_trap(m, wi, TRAP_STACK_OVERFLOW);
        return;
    }
    w->sp = le + 1;
    note(m, wi, true, le, &e);
}

/* Pops one entry into the warp's mask and PC; the stack is not empty. */
static enum sm_le_id pop(struct sm *m, int wi, uint32_t *stall)
{
    struct sm_warp *w = &m->s.warp[wi];
    uint32_t les = (uint32_t)m->img->profile.stack_entries;
    uint32_t top = les + (uint32_t)m->img->profile.stack_spill;
    if (w->sp > top) /* a faulty pointer */
        w->sp = top;
    uint32_t le = --w->sp;
    struct sm_stack_event e;
    if (le < les) {
        e = (struct sm_stack_event){.id = w->id[le] & 3, .tm = w->tm[le], .spc = w->spc[le]};
    } else {
        e = (struct sm_stack_event){.id = m->s.spill_id[wi][le - les],
                                    .tm = m->s.spill_tm[wi][le - les],
                                    .spc = m->s.spill_spc[wi][le - les]};
        *stall += (uint32_t)m->img->profile.spill_latency;
    }
    enum sm_le_id id = (enum sm_le_id)e.id;
    if (id == LE_CALL)
        set_thread_state(w, e.tm & ~w->ts[0] & w->ts[1], TS_ACTIVE);
    else if (id == LE_BREAK)
        set_thread_state(w, e.tm & w->ts[0] & ~w->ts[1], TS_ACTIVE);
    w->active = e.tm & active_threads(w);
    w->pc = (e.spc & profile_spc_bits(&m->img->profile)) + (id == LE_SYNC ? 8 : 0);
    note(m, wi, false, le, &e);
    return id;
}

void stack_join(struct sm *m, int wi, uint32_t *stall)
{
    const struct profile *p = &m->img->profile;
    struct sm_warp *w = &m->s.warp[wi];
    uint32_t pc = w->pc, next = pc + 8; /* every instruction that can be a join has two words */
    if (w->sp == 0) {
        if (!p->empty_restores) {
            set_trap(m, wi, TRAP_STACK_UNDERFLOW);
            return;
        }
        w->active = active_threads(w);
        w->pc = next;
        return;
    }
    enum sm_le_id id = pop(m, wi, stall);
    if (!(p->join_pops >> id & 1)) {
        w->pc = pc; /* the trap is the join's */
        set_trap(m, wi, TRAP_STACK_MISMATCH);
    } else if (!(p->join_jumps >> id & 1) || (w->sp == 0 && !p->last_jumps)) {
        w->pc = next;
    }
}

uint32_t stack_return(struct sm *m, int wi, uint32_t exec, uint32_t next, uint32_t *stall)
{
    struct sm_warp *w = &m->s.warp[wi];
    if (w->sp == 0) {
        w->active &= ~exec;
        return next;
    }
    enum sm_le_id id = pop(m, wi, stall);
    return w->pc - (id == LE_SYNC ? 8 : 0); /* the address itself, whatever the entry */
}

bool stack_unwind(struct sm *m, int wi, uint32_t *stall)
{
    if (m->s.warp[wi].sp == 0)
        return false;
    pop(m, wi, stall);
    return true;
}
