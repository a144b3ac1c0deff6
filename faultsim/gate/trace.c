/* trace.c -- records what units see. See trace.h. */
#include "trace.h"

#include <stdlib.h>

struct recorder {
    const struct gpu *m;
    struct trace *t;
    int n;
};

uint32_t trace_lanes(const struct sm_image *img, int sp)
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
    int64_t known = use_find(&t->seen, v);
    uint32_t i = known < 0 ? use_add(&t->seen, v) : (uint32_t)known;
    if (i >= t->room) {
        t->room = t->room ? 2 * t->room : 256;
        t->first = fl_grow(t->first, t->room, sizeof *t->first);
        t->good = fl_grow(t->good, t->room, sizeof *t->good);
        t->uses = fl_grow(t->uses, t->room, sizeof *t->uses);
        if (t->seen.pairs)
            t->behind = fl_grow(t->behind, t->room, sizeof *t->behind);
    }
    if (known < 0) {
        t->first[i] = cycle;
        t->good[i] = good;
        t->uses[i] = 0;
        if (t->seen.pairs)
            t->behind[i] = *behind;
    }
    t->uses[i]++;
}

static void see(void *context, const struct isa_insn *in, uint32_t exec, const uint32_t *a,
                const uint32_t *b, const uint32_t *c, const uint8_t *cc, uint32_t *d,
                uint8_t *flags)
{
    const struct recorder *r = context;
    uint64_t written = vector_written(in);
    for (struct trace *t = r->t; t < r->t + r->n; t++) {
        uint32_t lanes = exec & trace_lanes(r->m->img, t->sp);
        struct vector insn = lanes ? vector_of(in, t->unit->which) : (struct vector){{0}};
        const struct unit_past behind = t->past;
        for (; lanes; lanes &= lanes - 1) {
            int l = __builtin_ctz(lanes);
            uint64_t good = trace_result(d, flags, l);
            struct vector v = vector_with_operands(insn, a[l], b[l], c[l], cc[l] & SM_CC_C);
            v = unit_vector(t->unit, v, written, good);
            struct use use = unit_next(t->unit, &t->past, v);
            note(t, &use, &behind, r->m->sm->s.next - 1, good);
        }
    }
}

void trace_record(const struct golden *g, struct trace *t, int n)
{
    struct gpu *m = gpu_new(g->img);
    struct recorder r = {m, t, n};
    struct sm_lane_hook hook = {see, &r};
    m->sm->lanes = &hook;
    for (int i = 0; i < n; i++) {
        t[i].seen.pairs = unit_slow(t[i].unit);
        t[i].past.any = false;
    }
    gpu_run(m, g->cycles);
    gpu_free(m);
}

void trace_free(struct trace *t)
{
    vector_set_free(&t->seen);
    free(t->first);
    free(t->good);
    free(t->uses);
    free(t->behind);
    *t = (struct trace){0};
}
