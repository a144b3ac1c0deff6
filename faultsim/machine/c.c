/* c.c -- engine c: the C model of the SM. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

#include "carried.h"
#include "faultsim/faults/layout.h"
#include "sm/gpu/access.h"

/* A fault of a memory, and who watches what the machine writes. */
struct c_memory {
    struct carried carried;
    struct sm_watch watch;
    struct sm_accesses seen;
    /* the last tick has ended the launch of a live host, before its stages moved on: this is what it accessed, and what
     * the cells held before it is in `carried` */
    bool half;
    struct sm_accesses first;
    /* of a stuck-open cell: what each row of its column holds */
    struct layout layout;
    uint8_t *column;
};

struct c_dut {
    struct dut dut;
    struct gpu *gpu;
    bool borrowed;
    struct c_memory *memory; /* NULL: no such fault */
    /* what stands in for the lanes of an SP */
    const struct sm_override *by;
    uint32_t lanes;
    struct sm_lane_hook hook;
};

static struct c_dut *of(struct dut *m)
{
    return (struct c_dut *)m;
}

struct gpu *dut_gpu(const struct dut *m)
{
    return ((const struct c_dut *)m)->gpu;
}

struct dut *dut_of_gpu(struct gpu *gpu)
{
    struct c_dut *m = fl_alloc(sizeof *m);
    *m = (struct c_dut){.dut.engine = &engine_c, .gpu = gpu, .borrowed = true};
    return &m->dut;
}

static struct dut *make(const struct sm_image *img, struct fl_err *err)
{
    (void)err;
    struct dut *m = dut_of_gpu(gpu_new(img));
    of(m)->borrowed = false;
    return m;
}

/* ---- faults of memories ---------------------------------------------------------------------- */

static uint32_t read_word(const void *machine, const struct memory_place *p)
{
    return gpu_word_read(machine, &p->word);
}

static void write_word(void *machine, const struct memory_place *p, uint32_t word)
{
    struct sm_cell c = p->cell;
    for (uint32_t bits = word ^ read_word(machine, p); bits; bits &= bits - 1) {
        c.bit = __builtin_ctz(bits);
        gpu_cell_flip(machine, &c);
    }
}

/* The model takes operands where an instruction acts, the hardware some stages before. Cells of the chip,
 * constants, never wait: the host writes them between launches, when no SM has taken any. */
static bool waits(void *machine, const struct memory_place *p)
{
    struct gpu *gpu = machine;
    const struct sm_state *s = &gpu->sm[p->cell.place].s;
    return sm_taken_by(&gpu->sm[p->cell.place], &p->cell, s->next - s->slot) != NO_WARP;
}

/* The same of a stuck-open cell. What a read returned stays with the instruction until it has acted,
 * in PCs and masks too, which it reads twice. A constant is taken at the end of Execute, when the next
 * warp is about to take it: that cannot wait for one of them. */
static bool open_waits(void *machine, const struct memory_place *p)
{
    struct gpu *gpu = machine;
    struct memory_place at = *p;
    const struct sm_state *s = &gpu->sm[p->cell.place].s;
    uint32_t w = (uint32_t)p->cell.index[0];
    switch (p->cell.structure) {
    case SM_S_const: return false;
    case SM_S_pc: return mask_has(s->busy, (int)w) && s->stage[STAGE_F] != (int)w;
    case SM_S_mask: at.cell.structure = SM_S_cc; return waits(gpu, &at);
    default: return waits(gpu, p);
    }
}

static const struct carried_port ports[] = {{read_word, write_word, waits},
                                            {read_word, write_word, open_waits}};

static const struct carried_port *port_of(const struct fsim_fault *f)
{
    return &ports[f->kind == FSIM_SOF];
}

static void watch_anew(struct c_dut *d)
{
    struct c_memory *k = d->memory;
    sm_watch_start(&k->watch, d->gpu, UINT64_C(1) << k->carried.fault.cell.structure, true);
}

/* A fault can leave something in words that the job does not use, which the next one would find. */
static void clean(struct gpu *gpu, const struct memory_place *p, int n)
{
    for (; n-- > 0; p++)
        if (!sm_uses(gpu->img, p->word.offset))
            write_word(gpu, p, 0);
}

static void clean_up(struct c_dut *d)
{
    const struct memory_places *p = &d->memory->carried.p;
    clean(d->gpu, p->cell, p->n);
    clean(d->gpu, p->other, p->others);
}

static void drop_memory(struct c_dut *d)
{
    if (!d->memory)
        return;
    clean_up(d);
    sm_watch_end(&d->memory->watch);
    free(d->memory->seen.access);
    free(d->memory->first.access);
    free(d->memory->column);
    free(d->memory);
    d->memory = NULL;
}

static void read_column(struct c_dut *d)
{
    struct c_memory *k = d->memory;
    int rows = layout_rows(&k->layout);
    k->column = fl_grow(k->column, (size_t)rows, 1);
    for (int i = 0; i < rows; i++) {
        struct sm_cell c = layout_column_cell(&k->layout, &k->carried.fault.cell, i);
        k->column[i] = (uint8_t)gpu_cell_read(d->gpu, &c);
    }
}

static void carry(struct dut *m, const struct fsim_fault *f, int latched)
{
    struct c_dut *d = of(m);
    drop_memory(d);
    d->memory = fl_alloc(sizeof *d->memory);
    if (f->kind == FSIM_SOF) {
        d->memory->layout = layout_of(d->gpu->img, f->cell.structure);
        d->memory->carried.fault = *f;
        read_column(d);
    }
    carried_start(&d->memory->carried, port_of(f), d->gpu, d->gpu->img, f, latched);
    watch_anew(d);
}

static bool carries(const struct fsim_fault *f)
{
    (void)f;
    return true;
}

static void copy_memory(struct c_dut *to, const struct c_dut *from)
{
    if (!from->memory) {
        drop_memory(to);
        return;
    }
    if (to->memory) {
        clean_up(to);
        sm_watch_end(&to->memory->watch);
    } else
        to->memory = fl_alloc(sizeof *to->memory);
    to->memory->carried = from->memory->carried;
    if (from->memory->column) {
        to->memory->layout = from->memory->layout;
        read_column(to);
    }
    watch_anew(to);
}

/* Each read of the column latches what it returns. They count in the tick in which their
 * instructions act, all of a tick at once, and what the open cell returns is from a tick before. */
static void sense(struct c_memory *k)
{
    struct memory_bits *open = &k->carried.cell[0];
    uint32_t latched = open->holds;
    int own = layout_element(&k->layout, &k->carried.fault.cell) /
              (k->layout.lanes * k->layout.banks);
    for (uint32_t i = 0; i < k->seen.count; i++) {
        const struct sm_access *x = &k->seen.access[i];
        int row = x->write ? -1 : layout_column_row(&k->layout, &k->carried.fault.cell, x);
        if (row >= 0)
            latched = row == own ? open->value : k->column[row] ? open->mask : 0;
    }
    open->holds = latched;
}

/* Whoever changes a cell is listed. */
static void follow_column(struct c_memory *k)
{
    const struct sm_cell *cell = &k->carried.fault.cell;
    for (uint32_t i = 0; i < k->seen.count; i++) {
        int row = layout_column_row(&k->layout, cell, &k->seen.access[i]);
        if (row < 0)
            continue;
        struct sm_cell c = layout_column_cell(&k->layout, cell, row);
        k->column[row] = (uint8_t)gpu_cell_read(k->watch.g, &c);
    }
}

/* The slot in which a launch ends is one tick of a job, in which the next launch may write the same cells, and two of a
 * live host, which decides in between: the memory sees both as one. True: the second is to come. */
static bool is_half(struct c_memory *k)
{
    const struct gpu *g = k->watch.g;
    const bool half = g->img->live && g->grid.done == 1 && gpu_ended(g);
    const struct sm_accesses seen = k->seen;
    for (uint32_t i = 0; k->half && i < seen.count; i++) {
        FL_ROOM(k->first.access, k->first.count, k->first.room, 16);
        k->first.access[k->first.count++] = seen.access[i];
    }
    if (k->half != half) { /* the first is kept; or both are there */
        k->seen = k->first;
        k->first = seen;
    }
    k->half = half;
    return half;
}

static void tick_memory(struct c_dut *d)
{
    struct c_memory *k = d->memory;
    const struct carried_port *port = port_of(&k->carried.fault);
    if (!k->half)
        carried_before(&k->carried, port, d->gpu);
    sm_watch_tick(&k->watch, &k->seen);
    if (is_half(k))
        return;
    if (k->carried.fault.kind == FSIM_SOF)
        sense(k);
    carried_after(&k->carried, port, d->gpu, &k->seen);
    if (k->carried.fault.kind == FSIM_SOF)
        follow_column(k);
}

/* As sm_run_slots. */
static void run_slots(struct c_dut *d, uint64_t cycle, uint64_t slots)
{
    if (!d->memory)
        gpu_run_slots(d->gpu, cycle, slots);
    else
        for (; slots && gpu_cycles(d->gpu) <= cycle && !gpu_ended(d->gpu); slots--)
            tick_memory(d);
}

/* ---- the machine ----------------------------------------------------------------------------- */

static void free_dut(struct dut *m)
{
    drop_memory(of(m));
    if (of(m)->by)
        dut_gpu(m)->sm->lanes = NULL;
    if (!of(m)->borrowed)
        gpu_free(dut_gpu(m));
    free(m);
}

static void copy(struct dut *to, const struct dut *from)
{
    struct gpu *x = dut_gpu(to);
    const struct gpu *y = dut_gpu(from);
    gpu_copy(x, y);
    gpu_copy_forces(x, y);
    copy_memory(of(to), (const struct c_dut *)from);
}

/* The effects of a slot happen in its last cycle, the one before `next`. */
static uint64_t cycle_of(const struct dut *m)
{
    return gpu_cycles(dut_gpu(m)) - !gpu_ended(dut_gpu(m));
}

static bool ended(const struct dut *m)
{
    return gpu_ended(dut_gpu(m));
}

static uint64_t instructions(const struct dut *m)
{
    return gpu_instructions(dut_gpu(m));
}

static void run(struct dut *m, uint64_t cycle)
{
    if (of(m)->memory)
        run_slots(of(m), cycle, UINT64_MAX);
    else
        gpu_run(dut_gpu(m), cycle);
}

/* gpu_run may stop in idle cycles, between two ticks. */
static bool advance(struct dut *m, uint64_t cycle, bool far)
{
    /* slots: when a run recurs, so do its states some slots apart, and comparing costs more than
     * running */
    enum { TOGETHER = 4 };
    struct gpu *gpu = dut_gpu(m);
    uint64_t before = gpu_instructions(gpu);
    run_slots(of(m), cycle, far ? UINT64_MAX : TOGETHER);
    return gpu_instructions(gpu) != before;
}

static void tick(struct dut *m, struct sm_commit *c)
{
    if (!c) {
        run_slots(of(m), UINT64_MAX, 1);
        return;
    }
    if (of(m)->memory) {
        tick_memory(of(m));
        *c = of(m)->memory->watch.c;
        return;
    }
    gpu_record(dut_gpu(m), c);
    gpu_tick(dut_gpu(m));
    gpu_record(dut_gpu(m), NULL);
}

static bool same(const struct dut *a, const struct dut *b, bool relative)
{
    const struct c_memory *x = ((const struct c_dut *)a)->memory,
                          *y = ((const struct c_dut *)b)->memory;
    if (x && y && !carried_same(&x->carried, &y->carried))
        return false;
    return relative ? gpu_recurs(dut_gpu(a), dut_gpu(b)) : gpu_same(dut_gpu(a), dut_gpu(b));
}

static struct dut_end end_of(struct dut *m)
{
    return dut_end_of(dut_gpu(m), gpu_cycles(dut_gpu(m)));
}

static bool has(const struct sm_image *img, const struct sm_cell *cell)
{
    (void)img;
    return cell->structure < SM_STRUCTURES;
}

static int read_cell(struct dut *m, const struct sm_cell *cell)
{
    return gpu_cell_read(dut_gpu(m), cell);
}

static void flip(struct dut *m, const struct sm_cell *cell)
{
    gpu_cell_flip(dut_gpu(m), cell);
}

static int hold(struct dut *m, const struct sm_cell *cell, int value, bool for_good)
{
    (void)for_good;
    struct gpu *gpu = dut_gpu(m);
    struct sm_force f = sm_cell_force(gpu->img, cell, value);
    if (gpu->sm[cell->place].nforces == SM_MAX_FORCES)
        return -1;
    gpu_add_force(gpu, &f);
    return 0;
}

static void release(struct dut *m)
{
    gpu_drop_forces(dut_gpu(m));
    drop_memory(of(m));
}

/* ---- units of something outside -------------------------------------------------------------- */

static void ask(void *context, const struct isa_insn *in, uint32_t exec, const uint32_t *a,
                const uint32_t *b, const uint32_t *c, const uint8_t *cc, uint32_t *d,
                uint8_t *flags)
{
    const struct c_dut *k = context;
    uint64_t insn[SM_LANE_WORDS];
    sm_lane_insn(in, insn);
    for (uint32_t lanes = exec & k->lanes; lanes; lanes &= lanes - 1) {
        int l = __builtin_ctz(lanes);
        uint64_t pins[SM_LANE_WORDS] = {insn[0], insn[1], insn[2]};
        uint64_t out = d[l] | (uint64_t)(flags ? flags[l] & 15 : 0) << SM_LANE_D;
        sm_lane_operands(pins, a[l], b[l], c[l], cc[l] & SM_CC_C);
        k->by->answer(k->by->context, pins, &out);
        d[l] = (uint32_t)out;
        if (flags)
            flags[l] = (uint8_t)(out >> SM_LANE_D);
    }
}

static int replace_unit(struct dut *m, const struct sm_pins *unit, int number,
                        const struct sm_override *by)
{
    struct c_dut *k = of(m);
    int sps = k->gpu->img->profile.sps;
    if (unit != &sm_lane_pins || number < 0 || number >= sps)
        return -1;
    k->by = by;
    k->lanes = 0;
    for (int l = number; l < SM_LANES; l += sps)
        k->lanes |= 1u << l;
    k->hook = (struct sm_lane_hook){ask, k};
    k->gpu->sm->lanes = by ? &k->hook : NULL;
    return 0;
}

/* ---- transient and intermittent faults ------------------------------------------------------- */

/* The instruction of this commit, or a block that started in its cycle, wrote the cell. */
static bool wrote(const struct sm_image *img, const struct sm_accesses *seen,
                  const struct sm_cell *c)
{
    struct sm_unit_place place = sm_unit_of(img, c);
    for (uint32_t i = 0; i < seen->count; i++)
        if (seen->access[i].write && sm_access_covers(&seen->access[i], c->structure, &place))
            return true;
    return false;
}

static void change_cell(struct gpu *m, const struct fsim_fault *u, const struct sm_cell *c,
                        bool hold)
{
    if (u->kind == FSIM_FLIP || gpu_cell_read(m, c) != u->value)
        gpu_cell_flip(m, c);
    if (u->kind != FSIM_FLIP && hold) {
        struct sm_force f = sm_cell_force(m->img, c, u->value);
        gpu_add_force(m, &f);
    }
}

/* What has been taken by instructions that have had no effect yet. */
struct late {
    int waiting[FSIM_CELLS]; /* the warp for which a cell waits, or NO_WARP */
    /* cells of the chip, which each SM takes by itself: they have changed, but these SMs do not see it in their next slot */
    bool changed[FSIM_CELLS], to[FSIM_CELLS], unseen[SM_MAX_SMS];
    int popped[SM_MAX_SMS]; /* pops of an SM in a row, no instruction between them */
    int left;               /* cells that wait, SMs that do not see */
};

static bool of_chip(const struct gpu *m, const struct sm_cell *c)
{
    return m->sms > 1 && c->structure == SM_S_const;
}

/* Takes back, or does again, the changes that an SM does not see; not where `seen` has a write. */
static void change_again(struct gpu *m, const struct fsim_fault *u, const struct late *k,
                         const struct sm_accesses *seen)
{
    for (int i = 0; i < u->cells; i++) {
        bool now = gpu_cell_read(m, &u[i].cell), wanted = seen ? k->to[i] : !k->to[i];
        if (k->changed[i] && now != wanted && !(seen && wrote(m->img, seen, &u[i].cell)))
            gpu_cell_flip(m, &u[i].cell);
    }
}

/* More pops in a row than a stack pointer has values: what is held to the end makes a warp of this SM pop for ever, and no
 * other warp's instruction will leave. */
static bool pops_for_ever(const struct gpu *m, const struct fsim_fault *u, const struct late *k,
                          int sm)
{
    const struct profile *p = &m->img->profile;
    return u->to == FSIM_NO_END && k->popped[sm] > 4 * (p->stack_entries + p->stack_spill + 1);
}

static void note_pops(struct late *k, const struct sm_commit *c)
{
    int *popped = &k->popped[sm_commit_place(c)];
    if (c->kind == COMMIT_UNWIND)
        ++*popped;
    else if (c->kind == COMMIT_INSTRUCTION)
        *popped = 0;
}

/* Those that wait change right behind the commit of the instruction that had taken its operands,
 * unless it, or a block that started in the same cycle, wrote the cell. */
static void change_later(struct gpu *m, const struct fsim_fault *u, struct late *k)
{
    struct sm_watch w;
    struct sm_accesses seen = {0};
    uint32_t of = 0; /* structures that have such cells */
    for (int i = 0; i < u->cells; i++)
        of |= k->waiting[i] != NO_WARP || k->changed[i] ? 1u << u[i].cell.structure : 0;
    sm_watch_start(&w, m, of, true);
    while (k->left && !gpu_ended(m)) {
        bool *unseen = &k->unseen[gpu_turn(m)];
        if (gpu_cycles(m) > u->to)
            gpu_drop_forces(m); /* what is held is let go at the end of cycle `to` */
        if (*unseen)
            change_again(m, u, k, NULL);
        sm_watch_tick(&w, &seen);
        if (*unseen) {
            change_again(m, u, k, &seen);
            k->left--;
        }
        *unseen = false;
        note_pops(k, &w.c);
        for (int i = 0; i < u->cells; i++) {
            if (k->waiting[i] != NO_WARP && pops_for_ever(m, u, k, u[i].cell.place)) {
                k->waiting[i] = NO_WARP;
                k->left--;
            }
            bool there = w.c.warp == k->waiting[i] && sm_commit_place(&w.c) == u[i].cell.place;
            if (k->waiting[i] == NO_WARP || w.c.kind != COMMIT_INSTRUCTION || !there)
                continue;
            k->waiting[i] = NO_WARP;
            k->left--;
            bool inside = u->kind != FSIM_FLIP && w.c.cycle < u->to;
            if (inside || !wrote(m->img, &seen, &u[i].cell))
                change_cell(m, u, &u[i].cell, inside);
        }
    }
    sm_watch_end(&w);
    free(seen.access);
}

/* The SMs that have taken cells of the chip. */
static void find_unseen(struct gpu *m, uint64_t cycle, struct late *k)
{
    for (int i = 0; i < m->sms; i++) {
        const struct sm_cell c = {.structure = SM_S_const};
        k->unseen[i] = sm_taken_by(&m->sm[i], &c, cycle) != NO_WARP;
        k->left += k->unseen[i];
    }
}

/* An instruction of the model takes its operands where it has its effects: the fault waits for those
 * that would have taken them already. */
static void bring(struct dut *on, const struct fsim_fault *u)
{
    struct gpu *m = dut_gpu(on);
    struct late k = {.left = 0};
    bool some = false;
    gpu_drop_forces(m);
    gpu_run(m, u->from);
    for (int i = 0; i < u->cells; i++) {
        bool chip = of_chip(m, &u[i].cell);
        k.waiting[i] = chip ? NO_WARP : sm_taken_by(&m->sm[u[i].cell.place], &u[i].cell, u->from);
        k.left += k.waiting[i] != NO_WARP;
    }
    for (int i = 0; i < u->cells; i++)
        if (k.waiting[i] == NO_WARP) {
            int before = gpu_cell_read(m, &u[i].cell);
            change_cell(m, u, &u[i].cell, true);
            k.to[i] = gpu_cell_read(m, &u[i].cell);
            k.changed[i] = of_chip(m, &u[i].cell) && k.to[i] != before;
            some |= k.changed[i];
        }
    if (some)
        find_unseen(m, u->from, &k);
    if (k.left)
        change_later(m, u, &k);
    if (u->to == FSIM_NO_END)
        return;
    if (u->kind != FSIM_FLIP && gpu_has_forces(m))
        gpu_run(m, u->to); /* its effects meet a cell that is free again behind this cycle */
    gpu_drop_forces(m);
}

const struct engine engine_c = {.name = "c",
                                .text = "C model",
                                .make = make,
                                .free = free_dut,
                                .copy = copy,
                                .cycle = cycle_of,
                                .ended = ended,
                                .instructions = instructions,
                                .run = run,
                                .advance = advance,
                                .tick = tick,
                                .same = same,
                                .end = end_of,
                                .has = has,
                                .read = read_cell,
                                .flip = flip,
                                .hold = hold,
                                .carry = carry,
                                .carries = carries,
                                .replace_unit = replace_unit,
                                .release = release,
                                .bring = bring};
