/* rtl.c -- engine rtl: the Verilated RTL, in builds that have it. */
#include "engine.h"

#include <stdlib.h>

#include "carried.h"
#include "rtl/twin/smrtl.h"

struct rtl_dut {
    struct dut dut;
    struct smrtl *rtl;
    const struct sm_image *img;
    /* a line-entry is held by the fault port, which takes one at a time */
    bool port_taken;
    bool carries; /* a fault of a memory */
    struct carried carried;
};

static struct rtl_dut *of(struct dut *m)
{
    return (struct rtl_dut *)m;
}

static struct smrtl *rtl_of(const struct dut *m)
{
    return ((const struct rtl_dut *)m)->rtl;
}

static struct dut *around(struct smrtl *rtl, const struct engine *e, const struct sm_image *img)
{
    if (!rtl)
        return NULL;
    struct rtl_dut *m = fl_alloc(sizeof *m);
    *m = (struct rtl_dut){.dut.engine = e, .rtl = rtl, .img = img};
    return &m->dut;
}

static struct dut *make(const struct sm_image *img, struct fl_err *err)
{
    return around(smrtl_new(img, err), &engine_rtl, img);
}

static struct dut *make_gates(const struct sm_image *img, struct fl_err *err)
{
    return around(smrtl_new_gates(img, err), &engine_rtl_gates, img);
}

static uint8_t *bits(struct dut *m, const char *path, int *width)
{
    return smrtl_bits(rtl_of(m), path, width);
}

/* ---- faults of memories ---------------------------------------------------------------------- */

static uint32_t read_word(const void *machine, const struct memory_place *p)
{
    return smrtl_read(machine, &p->cell);
}

static void write_word(void *machine, const struct memory_place *p, uint32_t word)
{
    smrtl_write(machine, &p->cell, word);
}

static const struct carried_port port = {read_word, write_word, NULL};

static void carry(struct dut *m, const struct fsim_fault *f, int latched)
{
    of(m)->carries = true;
    carried_start(&of(m)->carried, &port, rtl_of(m), of(m)->img, f, latched);
}

/* Changes are seen, not accesses. */
static bool carries(const struct fsim_fault *f)
{
    return f->kind != FSIM_SOF && !memory_sees_writes(f);
}

static void tick_rtl(struct rtl_dut *d)
{
    if (d->carries)
        carried_before(&d->carried, &port, d->rtl);
    smrtl_tick(d->rtl);
    if (d->carries)
        carried_after(&d->carried, &port, d->rtl, NULL);
}

/* ---- the machine ----------------------------------------------------------------------------- */

static void free_dut(struct dut *m)
{
    smrtl_free(rtl_of(m));
    free(m);
}

static void copy(struct dut *to, const struct dut *from)
{
    const struct rtl_dut *f = (const struct rtl_dut *)from;
    smrtl_copy(rtl_of(to), f->rtl);
    of(to)->port_taken = f->port_taken;
    of(to)->carries = f->carries;
    of(to)->carried = f->carried;
}

static uint64_t cycle_of(const struct dut *m)
{
    return smrtl_cycles(rtl_of(m));
}

static bool ended(const struct dut *m)
{
    return smrtl_ended(rtl_of(m));
}

static uint64_t instructions(const struct dut *m)
{
    return smrtl_instructions(rtl_of(m));
}

static void run(struct dut *m, uint64_t cycle)
{
    if (!of(m)->carries)
        smrtl_run(rtl_of(m), cycle);
    else
        while (!ended(m) && cycle_of(m) < cycle)
            tick_rtl(of(m));
}

/* Pops count: with a stack pointer that is held, a warp may pop for ever. */
static bool advance(struct dut *m, uint64_t cycle, bool far)
{
    struct smrtl *rtl = rtl_of(m);
    uint64_t before = smrtl_commits(rtl);
    while (!smrtl_ended(rtl) && smrtl_cycles(rtl) < cycle && (far || smrtl_commits(rtl) == before))
        tick_rtl(of(m));
    return smrtl_commits(rtl) != before;
}

static void tick(struct dut *m, struct sm_commit *c)
{
    smrtl_record(rtl_of(m), c);
    tick_rtl(of(m));
    smrtl_record(rtl_of(m), NULL);
}

static bool same(const struct dut *a, const struct dut *b, bool relative)
{
    const struct rtl_dut *x = (const struct rtl_dut *)a, *y = (const struct rtl_dut *)b;
    if (x->carries && y->carries && !carried_same(&x->carried, &y->carried))
        return false;
    return smrtl_same(x->rtl, y->rtl, relative);
}

static struct dut_end end_of(struct dut *m)
{
    return dut_end_of(smrtl_end(rtl_of(m)), cycle_of(m));
}

/* smrtl_new has found every path of structures.def and registers.def; the memory pages are outside
 * of both machines. */
static bool has(const struct sm_image *img, const struct sm_cell *cell)
{
    struct sm_structure s;
    sm_structure_get(img, cell->structure, &s);
    return s.field[cell->field].rtl || sm_cell_force(img, cell, 0).offset >= SM_IN_PAGES(0);
}

static int read_cell(struct dut *m, const struct sm_cell *cell)
{
    return (int)(smrtl_read(rtl_of(m), cell) >> cell->bit % 32 & 1);
}

static void flip(struct dut *m, const struct sm_cell *cell)
{
    smrtl_flip(rtl_of(m), cell);
}

static int replace_unit(struct dut *m, const struct sm_pins *unit, int number,
                        const struct sm_override *by)
{
    return smrtl_replace_unit(rtl_of(m), unit, number, by);
}

/* The bit of a cell of the stack. */
static struct smrtl_le line_entry(const struct sm_cell *cell)
{
    struct smrtl_le le = {0};
    uint32_t bit = 1u << cell->bit;
    if (cell->field == SM_FIELD(dstack, tm))
        le.tm = bit;
    else if (cell->field == SM_FIELD(dstack, id))
        le.id = (uint8_t)bit;
    else
        le.spc = bit;
    return le;
}

static int hold(struct dut *m, const struct sm_cell *cell, int value, bool for_good)
{
    if (!for_good || of(m)->port_taken || cell->structure != SM_S_dstack)
        return smrtl_hold(rtl_of(m), cell, value);
    struct smrtl_le mask = line_entry(cell);
    smrtl_force_le(rtl_of(m), cell->place, cell->index[0], cell->index[1], mask,
                   value ? mask : (struct smrtl_le){0});
    of(m)->port_taken = true;
    return 0;
}

static void release(struct dut *m)
{
    struct smrtl_le none = {0};
    of(m)->carries = false;
    smrtl_release(rtl_of(m));
    if (of(m)->port_taken)
        smrtl_force_le(rtl_of(m), 0, 0, 0, none, none);
    of(m)->port_taken = false;
}

#define RTL_ENGINE(made_by)                                                                        \
    {                                                                                              \
        .name = "rtl", .text = "RTL", .make = made_by, .free = free_dut, .copy = copy,             \
        .cycle = cycle_of, .ended = ended, .instructions = instructions, .run = run,               \
        .advance = advance, .tick = tick, .same = same, .end = end_of, .has = has,                 \
        .read = read_cell, .flip = flip, .hold = hold, .carry = carry, .carries = carries,         \
        .replace_unit = replace_unit, .bits = bits, .release = release                             \
    }
const struct engine engine_rtl = RTL_ENGINE(make), engine_rtl_gates = RTL_ENGINE(make_gates);
