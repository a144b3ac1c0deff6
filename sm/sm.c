/* sm.c -- the machine: the tick of its pipeline, and what is done with whole machines (make, copy, compare, hash).
 *
 * The pipeline is a barrel. Each of the five stages holds one warp instruction for one slot; a slot is 32/SPs cycles,
 * longer when the instruction in Execute needs longer (SFU, bank conflicts) or the one in Write-back does (unwinding,
 * spill area). All stages move on together at the end of the slot, in its last cycle, and that is also when the
 * instruction in Write-back has its effects. Since a warp has one instruction in flight, nothing between Fetch and
 * Write-back can change what it reads: so the model reads everything at Write-back and keeps only warp numbers in the
 * stages.
 *
 * Global and local accesses leave the pipeline after Execute, queue at the memory port, and come back to Write-back when
 * answered; an answer goes first, and the instruction in Execute then waits one slot.
 */
#include "machine.h"
#include "scheduler.h"

#include <stdlib.h>

const char *sm_trap_name(enum sm_trap trap)
{
    static const char *const name[] = {
#define X(n, text) #n,
        SM_TRAPS(X)
#undef X
    };
    return trap < TRAP_COUNT ? name[trap] : "?";
}

const char *sm_trap_text(enum sm_trap trap)
{
    static const char *const texts[] = {
#define X(n, text) text,
        SM_TRAPS(X)
#undef X
    };
    return trap < TRAP_COUNT ? texts[trap] : "?";
}

/* ---- one slot --------------------------------------------------------------------------------------------------- */

static uint32_t beats(const struct sm *m)
{
    return m->img->beats;
}

/* After an instruction or a pop left the warp's mask as it is: go on, unwind further, or end the warp. True when the
 * warp needs Write-back for another cycle. */
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
    m->s.busy &= ~(1u << wi);
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
    /* an unwinding or a fetch that traps leaves these as they are: nothing of an earlier commit may show */
    r->uop = NULL;
    r->lo = r->hi = 0;
    r->exec = r->reg_mask = 0;
}

/* The warp's instruction has left the pipeline, and with it what a fault did to it. */
static inline void even(struct sm *m, int wi)
{
    m->s.odd &= ~(1u << wi);
    memset(m->s.warp[wi].odd, 0, sizeof m->s.warp[wi].odd);
}

/* The instruction in Write-back by a shortcut, when it has one and nobody watches. Then it changes its result and the
 * PC, and neither mask nor stack, so the warp is free again. */
static inline bool quick(struct sm *m, int wi)
{
    struct sm_warp *w = &m->s.warp[wi];
    const struct sm_uop *u = known_uop(m, wi);
    if (!u || !u->quick || m->record || m->s.unwinding)
        return false;
    w->pc += u->in.size;
    if (!w->active || (w->exec && !u->quick(m, wi, u, w->exec))) {
        w->pc -= u->in.size;
        return false;
    }
    w->fetched = w->exec = 0;
    m->s.instructions++;
    m->s.busy &= ~(1u << wi);
    return true;
}

/* The instruction in Write-back has its effects. Returns true when the pipeline must hold for a further pop. */
static bool write_back(struct sm *m, int wi, uint32_t *stall)
{
    struct sm_warp *w = &m->s.warp[wi];
    struct sm_commit *r = m->record;
    bool popped = true;
    if (r)
        start_record(m, wi);
    if (m->s.unwinding) {
        m->s.unwinding = 0;
        stack_unwind(m, wi, stall);
    } else {
        popped = exec_instruction(m, wi, stall);
    }
    w->fetched = w->exec = 0;
    even(m, wi);
    bool more = settle(m, wi, popped, stall);
    if (r) {
        r->pc_after = w->pc;
        r->active_after = w->active;
        r->trap = m->s.trap;
    }
    return more;
}

static void enter_queue(struct sm *m, int wi, uint32_t transactions)
{
    struct sm_state *s = &m->s;
    const struct profile *p = &m->img->profile;
    uint64_t from = s->port_free > s->next ? s->port_free : s->next;
    s->port_free = from + (uint64_t)transactions * (uint32_t)p->global_transaction;
    s->request[s->nrequests++] = (struct sm_request){
        .warp = wi, .ready = s->port_free + (uint64_t)p->global_latency};
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

/* From Read to Execute: which lanes execute the instruction is settled here, whatever becomes of mask and flags later.
 * Returns the cycles that it needs in Execute. */
static inline uint32_t enter_execute(struct sm *m, int wi, const struct sm_uop *u)
{
    struct sm_warp *w = &m->s.warp[wi];
    if (!u) {
        w->exec = 0;
        return beats(m);
    }
    w->exec = u->always ? w->active : exec_mask(w, &u->in);
    if (!u->banked)
        return u->cycles;
    uint32_t further = lsu_execute_cycles(m, wi, u);
    return u->cycles + (m->pace ? m->pace(m->pace_context, wi, further) : further);
}

/* The instruction that leaves Decode is not the one that was fetched. */
static __attribute__((noinline)) void decode_odd(struct sm *m)
{
    int wi = m->s.stage[STAGE_R];
    if (wi != NO_WARP) {
        memcpy(m->s.warp[wi].odd, m->s.ir, sizeof m->s.ir);
        m->s.odd |= 1u << wi;
        forget_uop(m, wi);
    }
    memset(m->s.ir, 0, sizeof m->s.ir);
}

/* All stages move on. Returns the cycles of the new slot. */
static inline __attribute__((always_inline)) uint32_t move_on(struct sm *m)
{
    struct sm_state *s = &m->s;
    int x = s->stage[STAGE_X];
    bool answer = s->nrequests && s->request[0].ready <= s->next;
    s->stage[STAGE_W] = answer ? leave_queue(m) : NO_WARP;
    if (x != NO_WARP) {
        const struct sm_uop *u = known_uop(m, x);
        uint32_t transactions = u && u->offchip ? lsu_transactions(m, x, u) : 0;
        if (m->pace && u && u->offchip)
            transactions = m->pace(m->pace_context, x, transactions);
        if (transactions)
            enter_queue(m, x, transactions);
        else if (!answer)
            s->stage[STAGE_W] = x;
        else
            return beats(m); /* Write-back is taken: Execute and all behind it wait */
    }
    s->stage[STAGE_X] = s->stage[STAGE_R];
    s->stage[STAGE_R] = s->stage[STAGE_D];
    uint64_t odd;
    memcpy(&odd, s->ir, sizeof odd);
    if (odd)
        decode_odd(m);
    s->stage[STAGE_D] = s->stage[STAGE_F];
    if (s->stage[STAGE_D] != NO_WARP)
        s->warp[s->stage[STAGE_D]].fetched = s->warp[s->stage[STAGE_D]].pc;
    int pick = sched_pick(s);
    s->stage[STAGE_F] = pick;
    if (pick != NO_WARP) {
        s->last_warp = pick;
        s->busy |= 1u << pick;
    }
    x = s->stage[STAGE_X];
    return x == NO_WARP ? beats(m) : enter_execute(m, x, known_uop(m, x));
}

static bool holds_ir(const struct sm *m)
{
    for (int i = 0; i < m->nforces; i++)
        if (in_ir(m->force[i].offset))
            return true;
    return false;
}

/* Slots in which nothing can happen but that time passes are passed at once: every effect stays in its cycle. */
static void skip_idle(struct sm *m)
{
    struct sm_state *s = &m->s;
    int f = s->stage[STAGE_F];
    if (f == NO_WARP) {
        if (s->nrequests) { /* until memory answers */
            uint64_t wait = s->request[0].ready > s->next ? s->request[0].ready - s->next : 0;
            s->next += (wait + beats(m) - 1) / beats(m) * beats(m);
        } else if (!s->done) {
            s->deadlock = 1; /* all warps wait at barriers that no warp can open */
        }
    } else if (!sched_ready(s)) {
        /* one instruction on its way through an empty pipeline: on to Write-back, or to where it leaves for memory */
        uint64_t answer = s->nrequests ? s->request[0].ready : UINT64_MAX;
        if (s->next + 3 * beats(m) > m->stop || s->next + 2 * beats(m) >= answer)
            return; /* somebody may change what Read or Execute reads; an answer comes on the way */
        if (holds_ir(m))
            return;
        s->warp[f].fetched = s->warp[f].pc;
        const struct sm_uop *u = known_uop(m, f);
        uint32_t execute = enter_execute(m, f, u);
        bool leaves = u && u->offchip;
        if (s->next + 2 * beats(m) + execute > m->stop ||
            (!leaves && s->next + 2 * beats(m) + execute >= answer)) {
            s->warp[f].fetched = s->warp[f].exec = 0;
            return;
        }
        apply_forces(m); /* to `exec` */
        s->slot = leaves ? execute : beats(m);
        s->next += 2 * beats(m) + execute + (leaves ? 0 : beats(m));
        s->stage[STAGE_F] = NO_WARP;
        s->stage[leaves ? STAGE_X : STAGE_W] = f;
    }
}

static __attribute__((noinline)) void clear_record(struct sm *m)
{
    struct sm_commit *r = m->record;
    r->kind = COMMIT_NONE;
    r->started = -1;
    r->nregs = r->nstack = 0;
    r->cc = r->areg = -1;
    r->space = r->ended = 0;
    r->trap = TRAP_NONE;
    r->cycle = m->s.next - 1;
}

/* One slot of a machine that has not ended. */
static inline __attribute__((always_inline)) void slot(struct sm *m)
{
    struct sm_state *s = &m->s;
    uint32_t stall = 0;
    int w = s->stage[STAGE_W];
    if (w != NO_WARP && !quick(m, w)) {
        s->unwinding = write_back(m, w, &stall);
        if (sm_ended(m)) {
            if (m->nforces)
                apply_forces(m);
            return; /* `next` stays the cycle behind the last effect */
        }
    }
    if (s->unwinding) {
        s->slot = 1 + stall; /* one more pop in the next cycle; everybody else waits */
    } else {
        if (s->try_block)
            block_start(m);
        s->slot = move_on(m) + stall;
    }
    if (m->nforces)
        apply_forces(m);
    s->next += s->slot;
    if ((s->stage[STAGE_D] & s->stage[STAGE_R] & s->stage[STAGE_X] & s->stage[STAGE_W]) ==
            NO_WARP &&
        !s->try_block)
        skip_idle(m);
}

void sm_tick(struct sm *m)
{
    if (m->record)
        clear_record(m);
    if (!sm_ended(m))
        slot(m);
}

void sm_run(struct sm *m, uint64_t cycle)
{
    m->stop = cycle;
    while (m->s.next <= cycle && !sm_ended(m)) {
        if (m->record)
            clear_record(m);
        slot(m);
    }
    m->stop = UINT64_MAX;
}

void sm_step(struct sm *m)
{
    do
        sm_tick(m);
    while (!sm_ended(m) && m->record && m->record->kind == COMMIT_NONE && m->record->started < 0);
}

uint64_t sm_cycles(const struct sm *m)
{
    return m->s.next;
}

/* ---- whole machines --------------------------------------------------------------------------------------------- */

struct sm *sm_new(const struct sm_image *img)
{
    void *p = NULL;
    if (posix_memalign(&p, 64, (sizeof(struct sm) + 63) / 64 * 64) != 0)
        abort();
    struct sm *m = p;
    memset(m, 0, sizeof *m);
    m->img = img;
    set_kernel(m, &img->kernel[img->launch[0].kernel]);
    mem_init(&m->mem, img);
    for (int i = 0; i < STAGE_COUNT; i++)
        m->s.stage[i] = NO_WARP;
    m->s.last_warp = img->profile.warps - 1; /* so that warp 0 comes first */
    m->s.slot = beats(m);
    m->s.next = m->s.slot;
    m->s.try_block = 1;
    m->stop = UINT64_MAX;
    return m;
}

void sm_free(struct sm *m)
{
    if (!m)
        return;
    mem_free(&m->mem, m->img);
    free(m->odd);
    free(m);
}

void sm_add_force(struct sm *m, const struct sm_force *f)
{
    if (m->nforces < SM_MAX_FORCES)
        m->force[m->nforces++] = *f;
    apply_forces(m);
}

/* The parts of the state that a job can touch, as byte ranges: what copies, comparisons and hashes walk over. */
struct part {
    size_t offset, size;
};
enum {
    PART_TIME,
    PART_CONTROL,
    PART_WARPS,
    PART_RF,
    PART_SHARED,
    PART_SPILL_TM,
    PART_SPILL_SPC,
    PART_SPILL_ID,
    PARTS
};

static void parts(const struct sm_image *img, struct part out[PARTS])
{
    size_t warps = (size_t)img->warps_used, spill = img->profile.stack_spill ? warps : 0;
    out[PART_TIME] = (struct part){0, offsetof(struct sm_state, trap)};
    out[PART_CONTROL] = (struct part){offsetof(struct sm_state, trap),
                                      offsetof(struct sm_state, warp) -
                                          offsetof(struct sm_state, trap)};
    out[PART_WARPS] = (struct part){offsetof(struct sm_state, warp),
                                    warps * sizeof(struct sm_warp)};
    out[PART_RF] = (struct part){offsetof(struct sm_state, rf), (size_t)img->regs_used * 4};
    out[PART_SHARED] = (struct part){offsetof(struct sm_state, shared), img->shared_used};
    out[PART_SPILL_TM] = (struct part){offsetof(struct sm_state, spill_tm),
                                       spill * SM_MAX_SPILL * 4};
    out[PART_SPILL_SPC] = (struct part){offsetof(struct sm_state, spill_spc),
                                        spill * SM_MAX_SPILL * 4};
    out[PART_SPILL_ID] = (struct part){offsetof(struct sm_state, spill_id), spill * SM_MAX_SPILL};
}

void sm_copy(struct sm *to, const struct sm *from)
{
    struct part part[PARTS];
    parts(from->img, part);
    for (int i = 0; i < PARTS; i++)
        memcpy((char *)&to->s + part[i].offset, (const char *)&from->s + part[i].offset,
               part[i].size);
    set_kernel(to, from->kernel);
    mem_copy(&to->mem, &from->mem);
}

static bool same_parts(const struct sm *a, const struct sm *b, int first, int last)
{
    struct part part[PARTS];
    parts(a->img, part);
    for (int i = first; i <= last; i++)
        if (memcmp((const char *)&a->s + part[i].offset, (const char *)&b->s + part[i].offset,
                   part[i].size) != 0)
            return false;
    return true;
}

bool sm_same(const struct sm *a, const struct sm *b)
{
    return a->s.next == b->s.next && same_parts(a, b, PART_CONTROL, PARTS - 1) &&
           mem_equal(&a->mem, &b->mem);
}

/* Cycles from now until `t`, 0 when it has passed: what of an absolute time matters to the future. */
static uint64_t ahead(const struct sm *m, uint64_t t)
{
    return t > m->s.next ? t - m->s.next : 0;
}

bool sm_recurs(const struct sm *a, const struct sm *b)
{
    const struct sm_state *x = &a->s, *y = &b->s;
    /* cheap and telling first: most states differ in a PC or a mask */
    for (int i = 0; i < a->img->warps_used; i++)
        if (x->warp[i].pc != y->warp[i].pc || x->warp[i].active != y->warp[i].active ||
            x->warp[i].sp != y->warp[i].sp)
            return false;
    if (x->clock_reads != y->clock_reads || x->slot != y->slot)
        return false;
    size_t from = offsetof(struct sm_state, trap), to = offsetof(struct sm_state, port_free);
    if (memcmp((const char *)x + from, (const char *)y + from, to - from) != 0)
        return false;
    if (ahead(a, x->port_free) != ahead(b, y->port_free) || x->nrequests != y->nrequests)
        return false;
    for (int i = 0; i < x->nrequests; i++)
        if (x->request[i].warp != y->request[i].warp ||
            ahead(a, x->request[i].ready) != ahead(b, y->request[i].ready))
            return false;
    return memcmp(x->block, y->block, sizeof x->block) == 0 &&
           same_parts(a, b, PART_WARPS, PARTS - 1) && mem_equal(&a->mem, &b->mem);
}

bool sm_same_control(const struct sm *a, const struct sm *b)
{
    if (a->s.next != b->s.next || !same_parts(a, b, PART_CONTROL, PART_CONTROL))
        return false;
    for (int i = 0; i < a->img->warps_used; i++)
        if (memcmp(&a->s.warp[i], &b->s.warp[i], offsetof(struct sm_warp, cc)) != 0)
            return false;
    return same_parts(a, b, PART_SPILL_TM, PART_SPILL_ID);
}

static bool same_stack(const struct sm_warp *x, const struct sm_warp *y)
{
    uint32_t n = x->sp < SM_MAX_LE ? x->sp : SM_MAX_LE;
    return memcmp(x->tm, y->tm, n * sizeof *x->tm) == 0 &&
           memcmp(x->spc, y->spc, n * sizeof *x->spc) == 0 && memcmp(x->id, y->id, n) == 0;
}

bool sm_same_living(const struct sm *a, const struct sm *b)
{
    if (a->s.next != b->s.next || !same_parts(a, b, PART_CONTROL, PART_CONTROL))
        return false;
    for (int i = 0; i < a->img->warps_used; i++) {
        const struct sm_warp *x = &a->s.warp[i], *y = &b->s.warp[i];
        if ((a->s.live >> i & 1) &&
            (memcmp(x, y, offsetof(struct sm_warp, tm)) != 0 || !same_stack(x, y)))
            return false;
    }
    return same_parts(a, b, PART_SPILL_TM, PART_SPILL_ID);
}

uint64_t sm_hash(const struct sm *m)
{
    struct part part[PARTS];
    parts(m->img, part);
    uint64_t h = 0xcbf29ce484222325u ^ m->s.next;
    for (int i = PART_CONTROL; i < PARTS; i++) {
        const uint8_t *p = (const uint8_t *)&m->s + part[i].offset;
        for (size_t k = 0; k < part[i].size; k++)
            h = (h ^ p[k]) * 0x100000001b3u;
    }
    for (uint32_t i = 0; i < m->mem.npages; i++)
        for (uint32_t k = 0; k < SM_PAGE; k++)
            h = (h ^ m->mem.page[i][k]) * 0x100000001b3u;
    return h;
}

/* ---- memory, from outside --------------------------------------------------------------------------------------- */

void sm_read_global(const struct sm *m, uint32_t addr, void *out, uint32_t size)
{
    uint8_t *to = out;
    for (uint32_t at = addr - JOB_BASE; size;) {
        uint32_t n = SM_PAGE - at % SM_PAGE;
        n = n > size ? size : n;
        memcpy(to, mem_at(&m->mem, at), n);
        to += n;
        at += n;
        size -= n;
    }
}

static uint8_t *output_bytes(const struct sm *m, int i)
{
    const struct job *job = m->img->job;
    const struct job_output *o = &job->output[i];
    uint8_t *p = fl_alloc(o->size);
    sm_read_global(m, job->buffer[o->buffer].addr + o->offset, p, o->size);
    return p;
}

void sm_outputs_digest(const struct sm *m, uint8_t digest[32])
{
    int n = m->img->job->noutputs;
    struct job_range *range = fl_alloc((size_t)n * sizeof *range);
    for (int i = 0; i < n; i++)
        range[i] = (struct job_range){output_bytes(m, i), m->img->job->output[i].size};
    job_sha256(range, n, digest);
    for (int i = 0; i < n; i++)
        free((void *)(uintptr_t)range[i].data);
    free(range);
}

bool sm_outputs_equal(const struct sm *a, const struct sm *b)
{
    const struct job *job = a->img->job;
    for (int i = 0; i < job->noutputs; i++) {
        const struct job_output *o = &job->output[i];
        uint32_t at = job->buffer[o->buffer].addr + o->offset - JOB_BASE, size = o->size;
        while (size) {
            uint32_t n = SM_PAGE - at % SM_PAGE;
            n = n > size ? size : n;
            const uint8_t *p = mem_at(&a->mem, at), *q = mem_at(&b->mem, at);
            if (p != q && memcmp(p, q, n) != 0)
                return false;
            at += n;
            size -= n;
        }
    }
    return true;
}
