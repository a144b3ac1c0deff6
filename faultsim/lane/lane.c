/* lane.c -- see lane.h. */
#include "lane.h"

#include <stdlib.h>

#include "check.h"
#include "concurrent.h"
#include "serial.h"
#include "first_wrong.h"

void lane_load(struct unit_sim *sim, const struct vector *v, uint32_t count)
{
    const uint64_t *now[UNIT_PATTERNS];
    for (uint32_t p = 0; p < count; p++)
        now[p] = v[p].w;
    unit_sim_load(sim, now, NULL, count);
}

uint64_t lane_result(const struct unit_sim *sim, uint32_t p)
{
    const struct gate_netlist *n = sim->unit->netlist;
    uint64_t is = 0;
    for (uint32_t o = 0; o < n->outputs; o++)
        is |= (gate_sim_value(sim->sim, n->output[o])[p / 64] >> p % 64 & 1)
              << sim->unit->output[o];
    return is;
}

/* ---- the fault-free run ---------------------------------------------------------------------- */

struct recorder {
    const struct gpu *m;
    struct trace *t;
    struct unit_past *past; /* [n] */
    int n;
};

uint32_t lane_mask(const struct sm_image *img, int sp)
{
    uint32_t lanes = 0;
    if (sp < 0)
        return ~0u;
    for (int l = sp; l < SM_LANES; l += img->profile.sps)
        lanes |= 1u << l;
    return lanes;
}

static void note(struct trace *t, const struct use *v, const struct unit_past *behind,
                 uint64_t cycle, uint64_t good)
{
    bool isnew;
    const uint32_t i = use_add(&t->seen, v, &isnew), had = t->room;
    trace_note(t, i, cycle);
    if (!isnew)
        return;
    trace_good(t, i, &good);
    if (!unit_slow(t->unit))
        return;
    if (t->room > had)
        t->behind = fl_grow(t->behind, t->room, sizeof *t->behind);
    t->behind[i] = *behind;
}

static void see(void *context, const struct isa_insn *in, uint32_t exec, const uint32_t *a,
                const uint32_t *b, const uint32_t *c, const uint8_t *cc, uint32_t *d,
                uint8_t *flags)
{
    const struct recorder *r = context;
    uint64_t written = vector_written(in);
    for (int i = 0; i < r->n; i++) {
        struct trace *t = &r->t[i];
        uint32_t lanes = exec & lane_mask(r->m->img, t->sp);
        struct vector insn = lanes ? vector_of(in, lane_which(t->unit)) : (struct vector){{0}};
        const struct unit_past behind = r->past[i];
        for (; lanes; lanes &= lanes - 1) {
            int l = __builtin_ctz(lanes);
            uint64_t good = lane_answer(d, flags, l);
            struct vector v = vector_with_operands(insn, a[l], b[l], c[l], cc[l] & SM_CC_C);
            v = lane_vector(t->unit, v, written, good);
            struct use use = lane_next(t->unit, &r->past[i], v);
            note(t, &use, &behind, r->m->sm->s.next - 1, good);
        }
    }
}

void lane_record(const struct golden *g, struct trace *t, int n)
{
    struct gpu *m = gpu_new(g->img);
    struct recorder r = {m, t, fl_alloc((size_t)n * sizeof *r.past), n};
    struct sm_lane_hook hook = {see, &r};
    m->sm->lanes = &hook;
    for (int i = 0; i < n; i++)
        t[i].seen.words = lane_uses(t[i].unit).words;
    gpu_run(m, g->cycles);
    gpu_free(m);
    free(r.past);
}

static int record(const struct golden *g, const struct reference *ref, struct trace *t, int n,
                  struct fl_err *err)
{
    (void)ref, (void)err;
    lane_record(g, t, n);
    return 0;
}

static uint64_t care(const uint64_t *vector)
{
    return vector_care((const struct vector *)vector);
}

/* Without a fault the netlist does what the C model does. */
static int check(const struct trace *t, const struct unit_sim *sim, uint32_t from,
                 struct fl_err *err)
{
    for (uint32_t p = 0; p < sim->count; p++) {
        const struct vector *v = lane_seen(t, from + p);
        uint64_t counts = vector_care(v), is = lane_result(sim, p);
        uint64_t good = t->good[from + p];
        if (lane_which(t->unit) != VECTOR_LANE && !vector_bit(v, VECTOR_en))
            good = 0;
        if ((is ^ good) & counts)
            return fl_fail(
                err,
                "%s: it answers %09llx, and the C model %09llx, to a=%08x b=%08x c=%08x of "
                "the instruction in cycle %llu; it was made of another rtl/: run "
                "scripts/gates",
                t->unit->netlist->file, (unsigned long long)(is & counts),
                (unsigned long long)(good & counts), (uint32_t)v->w[0], (uint32_t)(v->w[0] >> 32),
                (uint32_t)v->w[1], (unsigned long long)t->first[from + p]);
    }
    return 0;
}

static const struct unit_machine *machine(const struct engine *e)
{
    return e == &engine_c ? &concurrent_machine : &serial_machine;
}

static const char *rtl_of(int which, bool above)
{
    (void)which, (void)above;
    return FAULTLINE_LANE_RTL;
}

const struct unit_kind lane_kind = {.rtl = rtl_of,
                                    .count = VECTOR_UNITS,
                                    .name = lane_name,
                                    .find = lane_find,
                                    .is = lane_is,
                                    .of_sp = true,
                                    .one_run = true,
                                    .cut = 128,
                                    .cut_alone = 8,
                                    .place_bits = 8,
                                    .open = lane_open,
                                    .record = record,
                                    .care = care,
                                    .check = check,
                                    .vet = check_all,
                                    .machine = machine,
                                    .first_wrong = lane_first_wrong};
