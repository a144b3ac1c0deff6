/* sm.c -- the tick of the machine's pipeline.
 *
 * The pipeline is a barrel. Each of the five stages holds one warp instruction for one slot; a slot
 * is 32/SPs cycles, longer when the instruction in Execute needs longer (SFU, bank conflicts) or
 * the one in Write-back does (unwinding, spill area). All stages move on together at the end of the
 * slot, in its last cycle, and that is also when the instruction in Write-back has its effects.
 * Since a warp has one instruction in flight, nothing between Fetch and Write-back can change what
 * it reads: so the model reads everything at Write-back and keeps only warp numbers in the stages.
 *
 * Global and local accesses leave the pipeline after Execute, queue at the memory port, and come
 * back to Write-back when answered; an answer goes first, and the instruction in Execute then waits
 * one slot.
 */
#include "internal.h"
#include "scheduler.h"

const char *sm_trap_name(enum sm_trap trap)
{
    static const char *const name[] = {
#define X(n, error, text) #n,
        SM_TRAPS(X)
#undef X
    };
    return trap < TRAP_COUNT ? name[trap] : "?";
}

const char *sm_trap_text(enum sm_trap trap)
{
    static const char *const texts[] = {
#define X(n, error, text) text,
        SM_TRAPS(X)
#undef X
    };
    return trap < TRAP_COUNT ? texts[trap] : "?";
}

enum sm_error sm_trap_error(enum sm_trap trap)
{
    static const enum sm_error errors[] = {
#define X(n, error, text) SM_ERROR_##error,
        SM_TRAPS(X)
#undef X
    };
    return trap < TRAP_COUNT ? errors[trap] : SM_ERROR_NONE;
}

/* ---- stages ---------------------------------------------------------------------------------- */

static uint32_t beats(const struct sm *m)
{
    return m->img->beats;
}

/* After an instruction or a pop left the warp's mask as it is: go on, unwind further, or end the
 * warp. True when the warp needs Write-back for another cycle. */
static bool settle(struct sm *m, int wi, bool popped, uint32_t *stall)
{
    struct sm_warp *w = &m->s.warp[wi];
    if (m->s.trap)
        return false;
    if (!w->active && w->sp) {
        if (popped)
            return true; /* the stack has been read in this cycle already */
        stack_unwind(m, wi, stall);
        if (!w->active && w->sp)
            return true;
    }
    if (!w->active && !w->sp) {
        if (w->ts[0] & ~w->ts[1]) { /* broken threads that no BREAK entry will bring back */
            set_trap(m, wi, TRAP_STACK_MISMATCH);
            return false;
        }
        block_warp_ended(m, wi);
        if (m->record)
            m->record->ended = 1;
    }
    m->s.busy &= ~mask_of(wi);
    return false;
}

static void start_record(struct sm *m, int wi)
{
    struct sm_commit *r = m->record;
    const struct sm_warp *w = &m->s.warp[wi];
    r->kind = COMMIT_UNWIND;
    r->cycle = m->s.next - 1;
    r->warp = wi;
    r->launch = m->s.launch;
    r->block_x = m->s.block[w->block].x;
    r->block_y = m->s.block[w->block].y;
    r->reg_base = w->reg_base;
    r->regs = w->regs;
    r->pc = w->pc;
    r->active = w->active;
    /* an unwinding or a fetch that traps leaves these as they are: nothing of an earlier commit may
     * show */
    r->uop = NULL;
    r->lo = r->hi = 0;
    r->exec = r->reg_mask = 0;
}

/* The warp's instruction has left the pipeline, and with it what a fault did to it. */
static inline void as_coded(struct sm *m, int wi)
{
    m->s.altered &= ~mask_of(wi);
    memset(m->s.warp[wi].altered, 0, sizeof m->s.warp[wi].altered);
}

/* Functions on a struct pipe: inlined, so that it is in registers of the host. */
#define ON_PIPE static inline __attribute__((always_inline))

/* What of the state changes in every slot, and the instructions after Read. During a slot it is here and not in the state:
 * store_pipe writes it back before other code reads the state, load_pipe reads it again. */
struct pipe {
    uint64_t next;
    int f, d, r, x, w;                /* the warp in each stage, or NO_WARP */
    const struct sm_uop *in_x, *in_w; /* NULL: an empty stage, or no code there */
    sm_mask busy;
    uint32_t slot;
};

ON_PIPE void store_pipe(struct sm *m, const struct pipe *p)
{
    struct sm_state *s = &m->s;
    s->next = p->next;
    s->stage[STAGE_F] = p->f;
    s->stage[STAGE_D] = p->d;
    s->stage[STAGE_R] = p->r;
    s->stage[STAGE_X] = p->x;
    s->stage[STAGE_W] = p->w;
    s->busy = p->busy;
    s->slot = p->slot;
}

ON_PIPE void load_pipe(struct sm *m, struct pipe *p)
{
    const struct sm_state *s = &m->s;
    p->next = s->next;
    p->f = s->stage[STAGE_F];
    p->d = s->stage[STAGE_D];
    p->r = s->stage[STAGE_R];
    p->x = s->stage[STAGE_X];
    p->w = s->stage[STAGE_W];
    p->busy = s->busy;
    p->slot = s->slot;
    p->in_x = p->x == NO_WARP ? NULL : warp_uop(m, p->x);
    p->in_w = p->w == NO_WARP ? NULL : warp_uop(m, p->w);
}

/* As warp_uop; while nobody watches no instruction differs from the code. */
ON_PIPE const struct sm_uop *uop_of(struct sm *m, int wi, bool watched)
{
    return !watched ? fetch_uop(m->kernel, m->s.warp[wi].fetched) : warp_uop(m, wi);
}

ON_PIPE const struct sm_pattern *known_pattern(const struct sm *m, int wi, const struct sm_uop *u,
                                               uint32_t exec)
{
    return u->word_shared ? lsu_pattern(m, wi, u->memory, exec) : NULL;
}

/* The instruction in Write-back by its fast path (quick/), which has the same effects or none. False: none. */
ON_PIPE bool write_back_fast(struct sm *m, struct pipe *p, bool watched)
{
    struct sm_warp *w = &m->s.warp[p->w];
    const struct sm_uop *u = p->in_w;
    if (!u || !u->quick || (watched && (m->record || m->s.unwinding)) ||
        (m->lanes && u->unit == UNIT_ALU))
        return false;
    w->pc += u->in.size;
    if (!w->active ||
        ((w->exec || u->acts) && !u->quick(m, w, u, w->exec, known_pattern(m, p->w, u, w->exec)))) {
        w->pc -= u->in.size;
        return false;
    }
    w->fetched = w->exec = 0;
    m->s.instructions++;
    p->busy &= ~mask_of(p->w);
    return true;
}

/* What the hook needs to know of an instruction at Write-back, or of a further pop. */
struct reported {
    const struct sm_uop *u; /* NULL: a further pop, or no code */
    bool pops;
    uint32_t active, before; /* the mask; the number of accesses reported before */
};

static __attribute__((noinline)) struct reported start_report(struct sm *m, int wi)
{
    struct sm_hook *k = m->hook;
    k->instruction = true;
    k->popped = k->pushed = false;
    return (struct reported){.u = m->s.unwinding ? NULL : warp_uop(m, wi),
                             .pops = m->s.unwinding,
                             .active = m->s.warp[wi].active,
                             .before = k->out->count};
}

static __attribute__((noinline)) void end_report(struct sm *m, int wi, const struct reported *t)
{
    struct sm_hook *k = m->hook;
    if (m->s.trap || (!t->u && !t->pops))
        k->out->count = t->before;
    else
        sm_report_control(m, wi, t->u, t->active);
    k->instruction = false;
    k->flying &= ~mask_of(wi);
}

/* The warps in these stages, or NO_WARP, leave them. By value: a pipe whose address is taken is not in registers. */
static __attribute__((noinline)) void report_moves(struct sm_hook *k, int f, int d, int r, int x)
{
    if (!k->timed)
        return;
    if (f != NO_WARP) {
        k->fetched[f] = k->cycle;
        k->flying |= mask_of(f);
    }
    if (d != NO_WARP)
        k->decoded[d] = k->cycle;
    if (r != NO_WARP)
        k->read[r] = k->cycle;
    if (x != NO_WARP)
        k->executed[x] = k->cycle;
}

/* The next warp whose instruction is there, or will be without being asked for again. */
static __attribute__((noinline)) int pick_fetched(struct sm *m, sm_mask ready, uint64_t next)
{
    struct sm_state *s = &m->s;
    bool reports = sm_hooked(m) && m->hook->timed;
    int w;
    while ((w = sched_pick(ready, s->last_warp)) != NO_WARP) {
        ready &= ~mask_of(w);
        if (mask_has(s->fetching, w)) {
            if (s->line_ready[w] > next)
                continue;
            s->fetching &= ~mask_of(w);
            s->line_ready[w] = 0;
            return w;
        }
        if (reports) { /* who is asked first is up to the one picked last */
            sm_report_word(m->hook, SM_S_sched, 0, m->hook->cycle, false, ~0u);
            sm_report_word(m->hook, SM_S_pc, (uint32_t)w, m->hook->cycle, false, ~0u);
        }
        uint64_t ready_at = cached_line(m, w, next);
        if (ready_at <= next)
            return w;
        s->fetching |= mask_of(w);
        s->line_ready[w] = ready_at;
    }
    return NO_WARP;
}

static void report_pick(struct sm_hook *k)
{
    sm_report_word(k, SM_S_sched, 0, k->cycle, false, ~0u);
    sm_report_word(k, SM_S_sched, 0, k->cycle, true, ~0u);
}

/* The instruction in Write-back has its effects. True: the next cycle pops again, and the pipeline waits. */
static bool write_back(struct sm *m, int wi, uint32_t *stall)
{
    struct sm_warp *w = &m->s.warp[wi];
    struct sm_commit *r = m->record;
    bool popped = true;
    struct reported reported;
    if (r)
        start_record(m, wi);
    if (sm_hooked(m))
        reported = start_report(m, wi);
    if (m->s.unwinding) {
        m->s.unwinding = 0;
        stack_unwind(m, wi, stall);
    } else {
        popped = exec_instruction(m, wi, stall);
    }
    w->fetched = w->exec = 0;
    as_coded(m, wi);
    bool more = settle(m, wi, popped, stall);
    if (r) {
        r->pc_after = w->pc;
        r->active_after = w->active;
        r->trap = m->s.trap;
    }
    if (sm_hooked(m))
        end_report(m, wi, &reported);
    return more;
}

/* From a cache for instructions. */
static inline bool asks_for_code(const struct sm *m)
{
    return m->img->caches.instructions;
}

static bool is_queue_full(const struct sm *m)
{
    return m->s.nrequests >= profile_queue(&m->img->profile);
}

/* Each partition takes its transactions; the answer is there when all of them are. */
static __attribute__((noinline)) uint64_t ask_partitions(struct sm *m, int wi, uint64_t next)
{
    uint32_t n[SM_MAX_PARTITIONS];
    uint64_t ready = 0;
    lsu_partitions(m, wi, warp_uop(m, wi), n);
    for (int i = 0; i < m->img->profile.partitions; i++) {
        uint64_t t = n[i] ? sm_channel_request(&m->port.channel[i], n[i], next) : 0;
        ready = t > ready ? t : ready;
    }
    return ready;
}

static void enter_queue(struct sm *m, int wi, const struct sm_uop *u, uint32_t transactions,
                        uint64_t next)
{
    struct sm_state *s = &m->s;
    uint64_t ready;
    if (u->unit == UNIT_TEXTURE ? fetch_is_cached(m) : is_cached(m, u->memory->kind))
        ready = cached_answer(m, wi, u, next);
    else if (m->img->profile.partitions > 1)
        ready = ask_partitions(m, wi, next);
    else
        ready = sm_channel_request(m->port.channel, transactions, next);
    if (s->nrequests && ready < s->request[s->nrequests - 1].ready)
        ready = s->request[s->nrequests - 1].ready; /* none overtakes another */
    s->request[s->nrequests++] = (struct sm_request){.warp = wi, .ready = ready};
}

static int leave_queue(struct sm *m)
{
    struct sm_state *s = &m->s;
    int wi = s->request[0].warp;
    s->nrequests--;
    memmove(&s->request[0], &s->request[1], (size_t)s->nrequests * sizeof s->request[0]);
    s->request[s->nrequests] = (struct sm_request){0};
    return wi;
}

/* From Read to Execute: which lanes execute the instruction is settled here, whatever becomes of
 * mask and flags later. Returns the cycles that it needs in Execute. */
static inline uint32_t enter_execute(struct sm *m, int wi, const struct sm_uop *u, bool watched,
                                     uint64_t now)
{
    struct sm_warp *w = &m->s.warp[wi];
    if (!u) {
        w->exec = 0;
        return beats(m);
    }
    w->exec = u->always ? w->active : exec_mask(w, &u->in);
    if (!u->longer)
        return u->cycles;
    uint32_t further = lsu_execute_cycles(m, wi, u, now);
    return u->cycles + (watched && m->retime ? m->retime(m->retime_context, wi, further) : further);
}

/* The instruction that leaves Decode is not the one that was fetched. */
static __attribute__((noinline)) void decode_altered(struct sm *m, int wi)
{
    if (wi != NO_WARP) {
        memcpy(m->s.warp[wi].altered, m->s.ir, sizeof m->s.ir);
        m->s.altered |= mask_of(wi);
    }
    memset(m->s.ir, 0, sizeof m->s.ir);
}

/* The next instruction in Write-back: an answer of memory goes first, else that in Execute, unless it leaves for memory.
 * False: the one in Execute waits, and with it all stages before it. */
ON_PIPE bool fill_write_back(struct sm *m, struct pipe *p, bool watched)
{
    struct sm_state *s = &m->s;
    uint32_t transactions = p->in_x && p->in_x->offchip ? lsu_transactions(m, p->x, p->in_x) : 0;
    if (watched && m->retime && p->in_x && p->in_x->offchip)
        transactions = m->retime(m->retime_context, p->x, transactions);
    if (s->nrequests && s->request[0].ready <= p->next) {
        p->w = leave_queue(m);
        p->in_w = uop_of(m, p->w, watched);
        if (p->x != NO_WARP && !transactions)
            return false;
    } else if (transactions && is_queue_full(m)) {
        p->w = NO_WARP;
        return false;
    } else {
        p->w = transactions ? NO_WARP : p->x;
        p->in_w = p->in_x;
    }
    if (transactions)
        enter_queue(m, p->x, p->in_x, transactions, p->next);
    return true;
}

/* The next warp in Fetch. */
ON_PIPE void fetch(struct sm *m, struct pipe *p, bool watched)
{
    struct sm_state *s = &m->s;
    p->f = watched && asks_for_code(m) ? pick_fetched(m, sched_ready(s, p->busy), p->next)
                                       : sched_pick(sched_ready(s, p->busy), s->last_warp);
    if (p->f == NO_WARP)
        return;
    s->last_warp = p->f;
    p->busy |= mask_of(p->f);
    if (watched && sm_hooked(m) && m->hook->timed)
        report_pick(m->hook);
}

/* All stages move on. Returns the cycles of the new slot. */
ON_PIPE uint32_t move_on(struct sm *m, struct pipe *p, bool watched)
{
    struct sm_state *s = &m->s;
    if (!fill_write_back(m, p, watched))
        return beats(m);
    if (watched && sm_hooked(m))
        report_moves(m->hook, p->f, p->d, p->r, p->x);
    p->x = p->r;
    p->r = p->d;
    if (watched && (s->ir[0] | s->ir[1]))
        decode_altered(m, p->r);
    p->d = p->f;
    if (p->d != NO_WARP) {
        s->warp[p->d].fetched = s->warp[p->d].pc;
        if (watched && asks_for_code(m))
            cached_instruction(m, p->d);
    }
    fetch(m, p, watched);
    if (p->x == NO_WARP) {
        p->in_x = NULL;
        return beats(m);
    }
    p->in_x = uop_of(m, p->x, watched);
    return enter_execute(m, p->x, p->in_x, watched, p->next);
}

/* ---- slots in which only time passes --------------------------------------------------------- */

static bool holds_ir(const struct sm *m)
{
    for (int i = 0; i < m->nforces; i++)
        if (in_ir(m->force[i].offset))
            return true;
    return false;
}

/* The next cycle in which memory, or the cache for instructions, answers. */
ON_PIPE uint64_t next_answer(const struct sm *m, bool watched)
{
    const struct sm_state *s = &m->s;
    uint64_t answer = s->nrequests ? s->request[0].ready : UINT64_MAX;
    for (sm_mask f = watched ? s->fetching : 0; f; f &= f - 1)
        answer = s->line_ready[mask_first(f)] < answer ? s->line_ready[mask_first(f)] : answer;
    return answer;
}

ON_PIPE void skip_to_answer(struct sm *m, struct pipe *p, uint64_t answer)
{
    const uint64_t wait = answer > p->next ? answer - p->next : 0;
    p->next += (wait + beats(m) - 1) / beats(m) * beats(m);
}

/* One instruction is on its way, in Fetch: to Write-back, or to where it leaves for memory; unless somebody may change what
 * Read or Execute reads, or an answer comes on the way. */
ON_PIPE void skip_to_write_back(struct sm *m, struct pipe *p, uint64_t answer, bool watched)
{
    if (p->next + 3 * beats(m) > m->stop || p->next + 2 * beats(m) >= answer)
        return;
    if (watched && (holds_ir(m) || asks_for_code(m)))
        return;
    struct sm_warp *w = &m->s.warp[p->f];
    w->fetched = w->pc;
    const struct sm_uop *u = uop_of(m, p->f, watched);
    if (u && u->longer & LONGER_BY_CACHE) { /* a cache is looked up when it enters Execute */
        w->fetched = 0;
        return;
    }
    const uint32_t execute = enter_execute(m, p->f, u, watched, p->next);
    const bool leaves = u && u->offchip;
    if (p->next + 2 * beats(m) + execute > m->stop ||
        (!leaves && p->next + 2 * beats(m) + execute >= answer)) {
        w->fetched = w->exec = 0;
        return;
    }
    if (watched && m->nforces) { /* to `exec` */
        store_pipe(m, p);
        apply_forces(m);
        load_pipe(m, p);
    }
    p->slot = leaves ? execute : beats(m);
    p->next += 2 * beats(m) + execute + (leaves ? 0 : beats(m));
    p->x = leaves ? p->f : NO_WARP;
    p->w = leaves ? NO_WARP : p->f;
    p->in_x = leaves ? u : NULL;
    p->in_w = u;
    p->f = NO_WARP;
}

/* Passes them at once, where all stages behind Fetch are empty: every effect stays in its cycle. */
ON_PIPE void skip_idle(struct sm *m, struct pipe *p, bool watched)
{
    if ((p->d & p->r & p->x & p->w) != NO_WARP)
        return;
    const uint64_t answer = next_answer(m, watched);
    if (p->f == NO_WARP && answer == UINT64_MAX)
        m->s.deadlock = 1; /* all warps wait at barriers that no warp can open */
    else if (p->f == NO_WARP)
        skip_to_answer(m, p, answer);
    else if (!sched_ready(&m->s, p->busy))
        skip_to_write_back(m, p, answer, watched);
}

/* ---- one slot -------------------------------------------------------------------------------- */

static __attribute__((noinline)) void clear_record(struct sm *m)
{
    struct sm_commit *r = m->record;
    r->kind = COMMIT_NONE;
    r->started = -1;
    r->sm = m->img->sms > 1 ? m->port.number + 1 : 0;
    r->nregs = r->nstack = 0;
    r->cc = r->areg = -1;
    r->space = r->ended = 0;
    r->trap = TRAP_NONE;
    r->cycle = m->s.next - 1;
}

/* The instruction in Write-back by the plain code. False: the job has ended with it. */
ON_PIPE bool write_back_plain(struct sm *m, struct pipe *p, uint32_t *stall)
{
    store_pipe(m, p);
    m->s.unwinding = write_back(m, p->w, stall);
    bool ended = sm_ended(m);
    if (ended && m->nforces)
        apply_forces(m);
    p->busy = m->s.busy; /* no other stage has changed */
    return !ended;       /* if so, `next` stays the cycle after the last effect */
}

/* Nobody watches, no fault is held outside the registers or in the pipeline, nothing unwinds, no block
 * waits for its start and instructions pass no cache. */
static inline bool is_unwatched(const struct sm *m)
{
    const struct sm_state *s = &m->s;
    return !m->record && !m->retime && !holds_control(m) &&
           !(s->ir[0] | s->ir[1] | s->altered | s->unwinding | s->try_block) && !asks_for_code(m);
}

/* A slot while that holds. False: nothing has happened, since the instruction in Write-back needs the plain code; or the
 * machine is in a deadlock. `held`: registers are. */
ON_PIPE bool unwatched_slot(struct sm *m, struct pipe *p, bool held)
{
    if (p->w != NO_WARP && !write_back_fast(m, p, false))
        return false;
    p->slot = move_on(m, p, false);
    if (held)
        apply_forces(m);
    p->next += p->slot;
    skip_idle(m, p, false);
    return !m->s.deadlock;
}

/* A slot of any machine that has not ended. */
ON_PIPE void watched_slot(struct sm *m, struct pipe *p)
{
    struct sm_state *s = &m->s;
    uint32_t stall = 0;
    if (p->w != NO_WARP && !write_back_fast(m, p, true) && !write_back_plain(m, p, &stall))
        return;
    if (s->unwinding) {
        p->slot = 1 + stall; /* the next cycle pops again; all other stages wait */
    } else {
        if (s->try_block) {
            s->next = p->next;
            block_start(m);
        }
        p->slot = move_on(m, p, true) + stall;
    }
    if (m->nforces) {
        store_pipe(m, p);
        apply_forces(m);
        load_pipe(m, p);
    }
    p->next += p->slot;
    if (!s->try_block)
        skip_idle(m, p, true);
}

/* ---- slots of a full pipeline ---------------------------------------------------------------- */

/* A full pipeline is a stream of instructions: f[0] is in Write-back, f[1] in Execute, f[4] in Fetch, and a slot moves f on by
 * one. */
struct passing {
    struct sm_warp *w;
    const struct sm_uop *u;
    const struct sm_pattern *known; /* after Read */
    sm_mask bit;                    /* of the warp */
    uint64_t slot;                  /* cycles of the slot in which it is in Execute */
};

/* Fetches f->u, at `pc`. The first of the stream that must not reach Write-back because of it, or `end`. */
ON_PIPE struct passing *fetch_next(struct sm *m, struct passing *f, struct sm_code *c, sm_mask bit,
                                   uint32_t pc, struct passing *end)
{
    uint32_t at = pc - c->base, place = at >> 2 | at << 30; /* one for each 4 bytes */
    f->bit = bit;
    if (place >= c->size) {
        const struct sm_code *other = fetch_code(m->kernel, pc);
        if (!other || pc & 3)
            return f - 2 < end ? f - 2 : end;
        *c = *other;
        c->size /= 4;
        place = (pc - c->base) / 4;
    }
    f->u = &c->uop[place];
    const uint32_t pace = f->u->pace;
    return pace && f + 1 - pace < end ? f + 1 - pace : end;
}

/* From Read to Execute, as enter_execute. */
ON_PIPE uint32_t enter_execute_full(struct sm *m, struct passing *f, uint64_t now)
{
    const struct sm_uop *u = f->u;
    const uint32_t exec = u->always ? f->w->active : exec_mask(f->w, &u->in);
    f->w->exec = exec;
    if (!u->longer || !exec)
        return u->cycles;
    f->known = known_pattern(m, mask_first(f->bit), u, exec);
    if (f->known)
        return u->cycles + f->known->cycles;
    uint32_t further = lsu_unknown_cycles(m, mask_first(f->bit), u, now);
    f->known = known_pattern(m, mask_first(f->bit), u, exec);
    return u->cycles + further;
}

/* Slots as of unwatched_slot, while every stage is full, memory has no answer and gets no request, and Write-back has fast
 * paths: then the scheduler's choice is all that remains. */
ON_PIPE void run_full(struct sm *m, struct pipe *p, uint64_t cycle, bool held)
{
    enum { MOST = 64 };
    struct sm_state *s = &m->s;
    if ((p->w | p->x | p->r | p->d | p->f) < 0 || !p->in_w || !p->in_w->quick ||
        p->in_w->pace == PACE_EXECUTE || !p->in_x || p->in_x->pace > PACE_EXECUTE || m->lanes)
        return;
    const int stage[STAGE_COUNT] = {p->w, p->x, p->r, p->d, p->f};
    struct passing room[2 + MOST + STAGE_COUNT]; /* two before the first, for `end` */
    struct passing *const first = room + 2, *f = first, *end = first + MOST;
    struct sm_code code = {0};
    const sm_mask runnable = s->live & ~s->waiting;
    sm_mask warps = 0, ready = runnable & ~p->busy, after_last = ~(sm_mask)1 << (s->last_warp & 63);
    const uint64_t until = s->nrequests && s->request[0].ready <= cycle ? s->request[0].ready - 1
                                                                        : cycle;
    for (int i = 0; i < STAGE_COUNT; i++)
        warps |= mask_of(stage[i]);
    if (mask_count(warps) < STAGE_COUNT || warps & ~(runnable & p->busy) || p->next > until ||
        !s->warp[p->w].active || !s->warp[p->x].active)
        return; /* not only what a fault leaves */
    s->warp[p->f].fetched = s->warp[p->f].pc;
    for (int i = 0; i < STAGE_COUNT; i++) {
        f[i].w = &s->warp[stage[i]];
        struct passing *at = fetch_next(m, f + i, &code, mask_of(stage[i]), f[i].w->fetched, end);
        end = i ? at : end;
    }
    f[0].known = known_pattern(m, p->w, f[0].u, f[0].w->exec);
    f[1].known = known_pattern(m, p->x, f[1].u, f[1].w->exec);
    f[1].slot = p->slot;
    for (; f < end && p->next <= until; f++) {
        f->w->pc += f->u->in.size;
        if ((f->w->exec || (f->u->acts && f->w->active))
                ? !f->u->quick(m, f->w, f->u, f->w->exec, f->known)
                : !f->w->active) {
            f->w->pc -= f->u->in.size;
            break;
        }
        f->w->fetched = f->w->exec = 0;
        ready |= f->bit;
        f[2].slot = enter_execute_full(m, f + 2, p->next);
        p->next += f[2].slot;
        if (held)
            apply_forces(m);
        sm_mask next = ready & after_last ? ready & after_last : ready;
        next &= -next;
        ready ^= next;
        after_last = -(next << 1);
        struct sm_warp *w = &s->warp[mask_first(next)];
        w->fetched = w->pc;
        f[5].w = w;
        end = fetch_next(m, f + 5, &code, next, w->pc, end);
    }
    s->instructions += (uint64_t)(f - first);
    f[4].w->fetched = 0;
    p->w = mask_first(f[0].bit);
    p->x = mask_first(f[1].bit);
    p->r = mask_first(f[2].bit);
    p->d = mask_first(f[3].bit);
    p->f = mask_first(f[4].bit);
    p->in_w = f[0].u;
    p->in_x = f[1].u;
    p->slot = (uint32_t)f[1].slot;
    p->busy = (p->busy & ~runnable) | (runnable & ~ready);
    if (f > first)
        s->last_warp = p->f;
}

void sm_tick(struct sm *m)
{
    struct pipe p;
    if (m->record)
        clear_record(m);
    if (sm_ended(m))
        return;
    load_pipe(m, &p);
    watched_slot(m, &p);
    store_pipe(m, &p);
}

/* Slots that need no more than fast paths, `slots` at most. Returns how many are left. */
ON_PIPE uint64_t run_unwatched(struct sm *m, struct pipe *p, uint64_t cycle, uint64_t slots,
                               bool held)
{
    for (; slots && p->next <= cycle; slots--) {
        if (slots > UINT64_MAX / 2) /* all there are */
            run_full(m, p, cycle, held);
        if (p->next > cycle || !unwatched_slot(m, p, held))
            break;
    }
    return slots;
}

SM_CLONES void sm_run_slots(struct sm *m, uint64_t cycle, uint64_t slots)
{
    struct pipe p;
    load_pipe(m, &p);
    while (slots && p.next <= cycle && !sm_ended(m)) {
        if (is_unwatched(m))
            slots = m->nforces ? run_unwatched(m, &p, cycle, slots, true)
                               : run_unwatched(m, &p, cycle, slots, false);
        if (!slots || p.next > cycle || m->s.deadlock)
            break;
        if (m->record) {
            store_pipe(m, &p);
            clear_record(m);
        }
        watched_slot(m, &p);
        slots--;
    }
    store_pipe(m, &p);
}

static inline bool has_cached_constant(const struct sm_uop *u)
{
    return u && u->longer & LONGER_BY_CACHE;
}

SM_CLONES bool sm_run_ahead(struct sm *m, uint64_t cycle, bool shares_channel)
{
    struct pipe p;
    if (sm_ended(m) || !is_unwatched(m))
        return m->s.deadlock;
    const bool constants = is_cached(m, ISA_K), held = m->nforces;
    load_pipe(m, &p);
    while (p.next <= cycle && !(p.in_w && p.in_w->offchip) &&
           !(shares_channel && p.in_x && p.in_x->offchip) &&
           !(constants && (has_cached_constant(p.in_w) ||
                           (p.r != NO_WARP && has_cached_constant(uop_of(m, p.r, false)))))) {
        const uint64_t before = p.next;
        run_full(m, &p, cycle, held);
        if (p.next == before && !unwatched_slot(m, &p, held))
            break;
    }
    store_pipe(m, &p);
    return m->s.deadlock;
}
