/* check.c -- netlists against the C model. See check.h. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "asm/isa/table.h"
#include "base/random.h"
#include "faultsim/result/made.h"

enum {
    ROW_TRIES = 256, /* words of a row of the instruction table */
    OTHERS = 8,      /* one vector in so many is of another unit */
};

/* Where a word has its predicate, if it has one. */
#define ALWAYS_BITS (31u << 7)

/* A row's fixed bits, the others at random; selectors of operands in memory must often be zero, so
 * some words have few bits set. */
static uint32_t random_word(struct check_source *s, uint32_t fixed, uint32_t mask)
{
    uint64_t r = fl_random(&s->seed), few = fl_random(&s->seed) & fl_random(&s->seed);
    return fixed | ((r & 1 ? (uint32_t)few : (uint32_t)(r >> 32)) & ~mask);
}

void check_source_start(struct check_source *s, uint64_t seed)
{
    *s = (struct check_source){.seed = seed};
    for (int i = 0; i < isa_rows_of(ISA_1_0); i++)
        for (int k = 0; k < ROW_TRIES; k++) {
            const struct isa_row *row = &isa_rows[i];
            uint32_t lo = random_word(s, row->lo, row->lo_mask);
            uint32_t hi = random_word(s, row->hi, row->hi_mask);
            if (!(row->hi_mask & ALWAYS_BITS)) /* most predicates are none */
                hi = (hi & ~ALWAYS_BITS) | PRED_ALWAYS << 7;
            struct check_insn new = {.lo = lo, .hi = hi};
            if (isa_decode(lo, hi, true, ISA_1_0, &new.in) == 0 || !vector_reaches(&new.in))
                continue;
            uint32_t op = new.in.op;
            FL_ROOM(s->insn[op], s->count[op], s->room[op], 64);
            s->insn[op][s->count[op]++] = new;
        }
}

void check_source_end(struct check_source *s)
{
    for (int i = 0; i < OP_COUNT; i++)
        free(s->insn[i]);
    *s = (struct check_source){0};
}

const struct check_insn *check_insn(struct check_source *s, enum vector_unit unit, bool other)
{
    for (;;) {
        uint32_t op = (uint32_t)(fl_random(&s->seed) % (uint32_t)isa_ops_of(ISA_1_0));
        if (!s->count[op])
            continue;
        const struct check_insn *found = &s->insn[op][fl_random(&s->seed) % s->count[op]];
        if (unit == VECTOR_LANE || (vector_unit_of(found->in.op) == unit) != other)
            return found;
    }
}

/* Half of them random bits; else few ones, few zeros, or floats near the ends and near 1. */
uint32_t check_operand(struct check_source *s)
{
    uint64_t r = fl_random(&s->seed);
    uint32_t x = (uint32_t)(r >> 32), n = (uint32_t)(r >> 8 & 31);
    switch (r & 15) {
    case 0: return 0;
    case 1: return ~0u;
    case 2: return 1u << n;
    case 3: return ~(1u << n);
    case 4: return x >> n;
    case 5: return (uint32_t)((int32_t)x >> n);
    case 6: return 0x3f800000u + (x >> 24) - 128;
    case 7: return (x & 0x80000000u) | 0x7f800000u | (x & n ? x & 0x7fffff : 0);
    case 8: return (x & 0x80000000u) | (127 + n - 16) << 23 | (x & 0x7fffff);
    default: return x;
    }
}

/* A block of vectors, and what the C model makes of them. */
struct block {
    struct vector *vector;
    uint64_t *good;
    uint32_t count;
    struct unit_sim sim;
};

static void fill(struct block *b, const struct unit *u, struct check_source *s)
{
    for (b->count = 0; b->count + SM_LANES <= b->sim.room;) {
        bool other = lane_which(u) != VECTOR_LANE && fl_random(&s->seed) % OTHERS == 0;
        const struct isa_insn *in = &check_insn(s, lane_which(u), other)->in;
        uint32_t a[SM_LANES], y[SM_LANES], c[SM_LANES], d[SM_LANES];
        uint8_t cc[SM_LANES], flags[SM_LANES];
        for (int l = 0; l < SM_LANES; l++) {
            a[l] = check_operand(s);
            y[l] = in->src[1].kind == ISA_I ? in->src[1].value : check_operand(s);
            c[l] = check_operand(s);
            cc[l] = (uint8_t)(fl_random(&s->seed) & 15);
        }
        sm_alu_select(in)(in, a, y, c, cc, d, flags);
        struct vector insn = vector_of(in, lane_which(u));
        uint64_t d_bits = in->dst.kind == ISA_RH ? 0xffff : 0xffffffff;
        for (int l = 0; l < SM_LANES; l++) {
            struct vector v = vector_with_operands(insn, a[l], y[l], c[l], cc[l] & SM_CC_C);
            b->vector[b->count] = vector_with_care(v, other ? (1ull << VECTOR_OUTPUTS) - 1
                                                            : d_bits | 15ull << VECTOR_D_BITS);
            b->good[b->count++] = other ? 0 : d[l] | (uint64_t)flags[l] << VECTOR_D_BITS;
        }
    }
}

static int compare(struct block *b, const struct unit *u, struct fl_err *err)
{
    lane_load(&b->sim, b->vector, b->count);
    for (uint32_t p = 0; p < b->count; p++) {
        const struct vector *v = &b->vector[p];
        uint64_t is = lane_result(&b->sim, p), good = b->good[p], care = vector_care(v);
        if ((is ^ good) & care)
            return fl_fail(err,
                           "%s: %s of a=%08x b=%08x c=%08x gives d=%08x, flags %x, but d=%08x, "
                           "flags %x in the C model",
                           u->netlist->file, isa_op_name(vector_op(v)), (uint32_t)v->w[0],
                           (uint32_t)(v->w[0] >> 32), (uint32_t)v->w[1], (uint32_t)(is & care),
                           (unsigned)((is & care) >> VECTOR_D_BITS), (uint32_t)(good & care),
                           (unsigned)((good & care) >> VECTOR_D_BITS));
    }
    return 0;
}

int check_unit(const struct unit *u, uint64_t vectors, uint64_t seed, struct fl_err *err)
{
    struct check_source s;
    struct block b = {.sim = unit_sim_new(u, gate_width(0, NULL))};
    int bad = 0;
    b.vector = fl_alloc(b.sim.room * sizeof *b.vector);
    b.good = fl_alloc(b.sim.room * sizeof *b.good);
    check_source_start(&s, seed);
    for (uint64_t done = 0; done < vectors && !bad; done += b.count) {
        fill(&b, u, &s);
        bad = compare(&b, u, err);
    }
    check_source_end(&s);
    free(b.vector);
    free(b.good);
    unit_sim_free(&b.sim);
    return bad;
}

int check_all(const struct unit *u, int units, uint64_t vectors, struct fl_err *err)
{
    int known = vectors ? MADE_PROVED : MADE_UNCHECKED;
    for (int i = 0; i < units && vectors; i++) {
        if (check_unit(&u[i], vectors, 1, err) != 0)
            return -1;
        if (u[i].doubt)
            known = MADE_BY_VECTORS;
    }
    return known;
}
