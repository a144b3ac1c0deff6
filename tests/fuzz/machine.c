/* machine.c -- fuzz target: bytes as code, initial state and faults of a small machine.
 *
 * One or two warps of profile tiny or g80 run for some hundred slots, four machines side by side:
 *   a  slot by slot, its commits recorded and printed
 *   b  by gpu_run, without a record
 *   c  after the checkpoint: a copy of `a`, made into a machine that was somewhere else; its commits are the same lines
 *   d  the checkpoint itself; runs once `a` has come back to it
 * All must agree about everything, whatever the code is and whatever the faults do to it.
 */
#include "machine.h"

#include <string.h>

#include "fuzz.h"
#include "sm/gpu/gpu.h"
#include "sm/structures.h"

enum { MAX_SLOTS = 400, MAX_LINE = 4096 };

/* splitmix64, as in the project's other tests */
static uint32_t draw(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 16);
}

/* ---- the state it starts from ---- */

static uint32_t some_value(uint64_t *seed, uint32_t lane)
{
    static const uint32_t odd[] = {0,          1,          0xffffffff, 0x80000000, 0x7fffffff,
                                   0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00400000,
                                   0x80000001, 0x42c80000, 0xcf000000, 0x00010000, 0x0000ffff};
    uint32_t r = draw(seed);
    switch (r & 7) {
    case 0: return draw(seed);
    case 1: return r >> 24;
    case 2: return JOB_BASE + 4 * lane;
    case 3: return JOB_BASE + (r >> 23);
    case 4: return odd[(r >> 8) % (sizeof odd / sizeof *odd)];
    case 5: return (r >> 20) * 4;
    case 6: return lane;
    default: return JOB_BASE + 520 + JOB_GUARD + 16 * lane;
    }
}

/* Registers, flags, address registers, masks and stack of the warps that live after the first slot. */
static void set_state(struct gpu *m, const struct machine_header *h)
{
    uint64_t seed;
    uint32_t mask, number;
    memcpy(&number, h->seed, 4);
    memcpy(&mask, h->mask, 4);
    seed = number;
    for (int i = 0; i < m->img->profile.warps; i++) {
        struct sm_warp *w = &m->sm->s.warp[i];
        if (!mask_has(m->sm->s.live, i))
            continue;
        for (uint32_t r = 0; r < w->regs; r++) {
            uint64_t same = seed;
            bool uniform = draw(&seed) & 1;
            for (uint32_t l = 0; l < SM_LANES; l++) {
                uint64_t one = same;
                m->sm->s.rf[w->reg_base + r * SM_LANES + l] = some_value(uniform ? &one : &seed, l);
            }
        }
        for (int a = 1; a < 5; a++)
            for (int l = 0; l < SM_LANES; l++)
                w->a[a][l] = (uint16_t)((draw(&seed) & 7) << h->areg % 4);
        for (int c = 0; c < 4; c++)
            w->cc[c] = (struct sm_cc){draw(&seed), draw(&seed), draw(&seed), draw(&seed)};
        w->sp = i == 0 ? h->depth % (uint32_t)(m->img->profile.stack_entries + 1) : 0;
        for (uint32_t e = 0; e < w->sp; e++) {
            w->tm[e] = draw(&seed) | w->active;
            w->spc[e] = draw(&seed) & 0x38;
            w->id[e] = draw(&seed) & 3;
        }
        if (i == 0 && mask & w->active)
            w->active &= mask;
    }
}

/* ---- faults ---- */

struct fault {
    struct sm_cell cell;
    struct sm_force force;
    bool flip;
    int slot;
};

static struct fault read_fault(const struct sm_image *img, const struct machine_fault *f)
{
    struct sm_structure s;
    struct sm_cell cell = {.structure = f->structure % SM_STRUCTURES};
    sm_structure_get(img, cell.structure, &s);
    if (sm_structure_bits(&s) == 0) /* a job without local memory */
        sm_structure_get(img, cell.structure = 0, &s);
    uint32_t raw[SM_MAX_AXES] = {(uint32_t)f->index[0] | (uint32_t)f->index[1] << 8, f->index[2],
                                 f->index[3]};
    for (int i = 0; i < s.naxes; i++)
        cell.index[i] = (int)(raw[i] % (uint32_t)s.axis[i].count);
    cell.field = f->field % s.nfields;
    cell.bit = f->bit % s.field[cell.field].bits;
    return (struct fault){.cell = cell,
                          .force = sm_cell_force(img, &cell, f->when & 1),
                          .flip = f->when & 2,
                          .slot = f->when >> 2 << 1};
}

static void inject(struct gpu *m, const struct fault *f)
{
    if (!f->flip) {
        gpu_add_force(m, &f->force);
        return;
    }
    gpu_cell_flip(m, &f->cell);
}

/* ---- the run ---- */

struct run {
    const struct sm_image *img;
    struct gpu *a, *b, *c, *d;
    bool copied, recurs;
    bool faulty;             /* a fault has come */
    int nfaults, last_fault; /* slot of the last one */
    struct fault fault[8];
    struct sm_commit commit, commit_c;
    struct fl_buf line, line_c;
};

static void check_commit(struct run *r)
{
    const struct sm_commit *c = &r->commit;
    if (c->kind == COMMIT_NONE && c->started < 0)
        return;
    r->line.size = 0;
    sm_commit_print(r->img, c, &r->line);
    const char *text = (const char *)r->line.data;
    FUZZ_CHECK(r->line.size > 0 && r->line.size < MAX_LINE && strlen(text) == r->line.size &&
                   !strchr(text, '\n'),
               "commit of %zu bytes: %s", r->line.size, text);
    /* who executes is settled in Read; a flip may change the mask behind it */
    FUZZ_CHECK(r->faulty || (c->exec & ~c->active) == 0, "lanes that are not active execute: %s",
               text);
    FUZZ_CHECK(c->cycle < r->a->sm->s.next, "cycle %llu before its time: %s",
               (unsigned long long)c->cycle, text);
    FUZZ_CHECK(c->trap < TRAP_COUNT && (!c->trap || c->trap == r->a->sm->s.trap), "trap: %s", text);
}

/* What no program can do to a machine without faults. */
static void check_fault_free(const struct gpu *m)
{
    uint32_t room = (uint32_t)(m->img->profile.stack_entries + m->img->profile.stack_spill);
    for (int i = 0; i < m->img->profile.warps; i++) {
        const struct sm_warp *w = &m->sm->s.warp[i];
        if (!mask_has(m->sm->s.live, i))
            continue;
        FUZZ_CHECK((w->active & (w->ts[0] | w->ts[1])) == 0,
                   "warp %d: a thread that left is active", i);
        FUZZ_CHECK(w->sp <= room, "warp %d: %u entries on the stack", i, w->sp);
        FUZZ_CHECK(w->reg_base + w->regs * SM_LANES <= m->img->regs_used,
                   "warp %d: registers up to %u of %d", i, w->reg_base + w->regs * SM_LANES,
                   m->img->regs_used);
        for (int l = 0; l < SM_LANES; l++)
            FUZZ_CHECK(w->a[0][l] == 0, "warp %d: $a0 is %u in lane %d", i, w->a[0][l], l);
    }
    FUZZ_CHECK((m->sm->s.live & ~mask_below(m->img->warps_used)) == 0, "warps %llx live, %d used",
               (unsigned long long)m->sm->s.live, m->img->warps_used);
    for (int i = m->img->regs_used; i < SM_MAX_REGS; i++)
        FUZZ_CHECK(m->sm->s.rf[i] == 0, "register row %d beyond the used ones", i);
    for (uint32_t i = m->img->shared_used; i < SM_MAX_SHARED; i++)
        FUZZ_CHECK(m->sm->s.shared[i] == 0, "shared memory at %u beyond the used", i);
}

static void check_same(const struct run *r, const struct gpu *other, const char *what, int slot)
{
    FUZZ_CHECK(gpu_same(r->a, other), "%s differs in slot %d", what, slot);
    FUZZ_CHECK(gpu_recurs(r->a, other), "%s is equal but does not recur, slot %d", what, slot);
    FUZZ_CHECK(gpu_hash(r->a) == gpu_hash(other), "%s is equal but hashes otherwise, slot %d", what,
               slot);
    FUZZ_CHECK(gpu_cycles(r->a) == gpu_cycles(other) && r->a->sm->s.trap == other->sm->s.trap &&
                   r->a->sm->s.trap_pc == other->sm->s.trap_pc &&
                   r->a->sm->s.instructions == other->sm->s.instructions,
               "%s ends otherwise, slot %d", what, slot);
    FUZZ_CHECK(gpu_outputs_equal(r->a, other), "%s: outputs, slot %d", what, slot);
}

static void copy_faults(struct gpu *to, const struct gpu *from)
{
    to->sm->nforces = from->sm->nforces;
    memcpy(to->sm->force, from->sm->force, sizeof to->sm->force);
}

static void check_same_commit(struct run *r, int number)
{
    const struct sm_commit *a = &r->commit, *c = &r->commit_c;
    FUZZ_CHECK(a->kind == c->kind && a->started == c->started,
               "the copy commits otherwise, slot %d", number);
    if (a->kind == COMMIT_NONE && a->started < 0)
        return;
    r->line_c.size = 0;
    sm_commit_print(r->img, c, &r->line_c);
    FUZZ_CHECK(strcmp((char *)r->line.data, (char *)r->line_c.data) == 0,
               "the copy's commit differs, slot %d:\n  %s\n  %s", number, (char *)r->line.data,
               (char *)r->line_c.data);
}

static void slot(struct run *r, int number)
{
    for (int i = 0; i < r->nfaults; i++)
        if (r->fault[i].slot == number) {
            r->faulty = true;
            inject(r->a, &r->fault[i]);
            inject(r->b, &r->fault[i]);
            if (r->copied)
                inject(r->c, &r->fault[i]);
        }
    uint64_t before = r->a->sm->s.next;
    gpu_tick(r->a);
    check_commit(r);
    FUZZ_CHECK(r->a->sm->s.next >= before, "time runs backwards");
    /* what happened in this slot is what happens until the next one */
    gpu_run(r->b, gpu_ended(r->a) ? r->a->sm->s.next : r->a->sm->s.next - 1);
    FUZZ_CHECK(r->a->sm->s.next == r->b->sm->s.next && gpu_ended(r->a) == gpu_ended(r->b),
               "without a record cycle %llu, with one %llu", (unsigned long long)r->b->sm->s.next,
               (unsigned long long)r->a->sm->s.next);
    if (r->copied) {
        gpu_tick(r->c);
        check_same_commit(r, number);
    }
    if (r->recurs) {
        gpu_tick(r->d);
        FUZZ_CHECK(gpu_recurs(r->d, r->a), "it recurred and goes on otherwise, slot %d", number);
    } else if (r->copied && number > r->last_fault && gpu_recurs(r->d, r->a)) {
        r->recurs = true;
        copy_faults(r->d, r->a);
    }
}

static void run(struct run *r, const struct machine_header *h)
{
    int copy = 1 + h->copy % 128;
    r->a->sm->record = &r->commit;
    r->a->sm->stop = r->b->sm->stop =
        0; /* no further than Fetch: what Read takes is set behind it */
    gpu_tick(r->a);
    check_commit(r);
    gpu_tick(r->b);
    r->a->sm->stop = r->b->sm->stop = UINT64_MAX;
    set_state(r->a, h);
    set_state(r->b, h);
    for (int i = 0; i < 9; i++)
        gpu_tick(r->c); /* somewhere else */
    for (int i = 0; i < MAX_SLOTS && !gpu_ended(r->a); i++) {
        if (i == copy) {
            gpu_copy(r->c, r->a);
            gpu_copy(r->d, r->a);
            copy_faults(r->c, r->a);
            check_same(r, r->c, "a copy", i);
            r->copied = true;
            r->c->sm->record = &r->commit_c;
        }
        slot(r, i);
        if (i % 64 == 63)
            check_same(r, r->b, "the run without a record", i);
    }
    check_same(r, r->b, "the run without a record", MAX_SLOTS);
    if (r->copied)
        check_same(r, r->c, "the run of the copy", MAX_SLOTS);
    if (!r->nfaults)
        check_fault_free(r->a);
    uint8_t digest[2][32];
    gpu_outputs_digest(r->a, digest[0]);
    gpu_outputs_digest(r->b, digest[1]);
    FUZZ_CHECK(memcmp(digest[0], digest[1], 32) == 0, "digests");
    gpu_tick(r->a); /* nothing, when it has ended */
    if (gpu_ended(r->b))
        FUZZ_CHECK(gpu_same(r->a, r->b), "goes on behind its end");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine_header h;
    if (size < sizeof h)
        return 0;
    memcpy(&h, data, sizeof h);
    data += sizeof h;
    size -= sizeof h;
    size_t nfaults = h.faults % 8, words;
    if (size < nfaults * sizeof(struct machine_fault) + 4)
        return 0;
    const uint8_t *code = data + nfaults * sizeof(struct machine_fault);
    words = (size - nfaults * sizeof(struct machine_fault)) / 4;
    words = words > MACHINE_MAX_WORDS ? MACHINE_MAX_WORDS : words;

    struct fl_err err = {{0}};
    struct job *job = machine_job(&h, code, (uint32_t)words * 4, NULL);
    struct sm_image *img = NULL;
    /* profile tiny has not the room for all; that must be said */
    if (job_finish(job, &err) || !(img = sm_image_new(job, &err))) {
        FUZZ_CHECK(err.msg[0], "refused without a message");
        job_free(job);
        return 0;
    }
    struct run r = {.img = img,
                    .a = gpu_new(img),
                    .b = gpu_new(img),
                    .c = gpu_new(img),
                    .d = gpu_new(img),
                    .last_fault = -1,
                    .nfaults = (int)nfaults};
    for (size_t i = 0; i < nfaults; i++) {
        struct machine_fault f;
        memcpy(&f, data + i * sizeof f, sizeof f);
        r.fault[i] = read_fault(img, &f);
        if (r.fault[i].slot > r.last_fault)
            r.last_fault = r.fault[i].slot;
    }
    run(&r, &h);
    fl_buf_free(&r.line);
    fl_buf_free(&r.line_c);
    gpu_free(r.a);
    gpu_free(r.b);
    gpu_free(r.c);
    gpu_free(r.d);
    sm_image_free(img);
    job_free(job);
    return 0;
}
