/* draw.c -- a random instruction of a row of the ISA table, such that it does not trap.
 *
 * A random word of the row is decoded for its operation and type; then registers, offsets and what else could trap are
 * written over its fields, as the table has them. Nothing here knows where a field's bits are.
 */
#include "internal.h"

#include <string.h>

#include "base/random.h"

uint32_t gates_below(uint64_t *random, uint32_t n)
{
    return (uint32_t)((fl_random(random) >> 32) * n >> 32);
}

bool gates_row_runs(const struct isa_row *row)
{
    switch ((enum isa_op)row->preset.op) {
    case OP_TRAP:
    case OP_TXB:
    case OP_TXL:
    case OP_TXQ:
    case OP_QUADOP:
    case OP_QUADON:
    case OP_QUADPOP:
    case OP_PMTRIG: return false;
    default: return !row->preset.tex.cube && row->preset.min == ISA_1_0;
    }
}

bool gates_is_hosted(const struct isa_insn *in)
{
    return in->src[0].kind != ISA_K && in->src[1].kind != ISA_K && in->src[2].kind != ISA_K;
}

static bool is_kept(const struct gates_place *p, int reg)
{
    return reg >= p->kept && reg < p->kept + GATES_KEPT;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int gates_free(const struct gates_place *p, int n, int align, int limit)
{
    int places = (least(limit - 1, p->regs - n) + align) / align;
    for (int i = 0, at = places > 0 ? (int)gates_below(p->random, (uint32_t)places) : 0; i < places;
         i++, at = (at + 1) % places) {
        bool good = true;
        for (int r = align * at; r < align * at + n; r++)
            good &= !p->used[r] && !is_kept(p, r);
        if (good)
            return align * at;
    }
    return -1;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

struct work {
    const struct gates_place *p;
    struct isa_insn in; /* of the first word: operation and type */
    uint64_t word;
    bool has_dst; /* the first operand has been placed */
    int first, registers;
    uint32_t unit;
};

static void put(struct work *w, const struct isa_alt *a, uint64_t value)
{
    w->word = (w->word & ~isa_bits_mask(a)) | isa_put(a, value);
}

static int wide(uint8_t type)
{
    return type == T_B64 ? 2 : type == T_B128 ? 4 : 1;
}

static bool is_memory(const struct isa_operand *o)
{
    return o->kind == ISA_S || o->kind == ISA_L || o->kind == ISA_G;
}

static bool place_register(struct work *w, const struct isa_alt *a)
{
    int half = a->kind == ISA_RH, limit = 1 << isa_bits_len(a) >> half;
    bool dst = !w->has_dst && (w->in.dst.kind == ISA_R || w->in.dst.kind == ISA_RH);
    bool datum = is_memory(&w->in.dst) || is_memory(&w->in.src[0]);
    bool fetch = w->in.op == OP_TEX || w->in.op == OP_TLD;
    int n = fetch ? 4 : datum ? wide(w->in.type) : 1, align = fetch ? 1 : n, reg;
    if (dst) {
        reg = w->first = gates_free(w->p, n, align, limit);
        w->registers = n;
        w->has_dst = true;
    } else
        reg = n * (int)gates_below(w->p->random, (uint32_t)(least(limit, w->p->regs) / n));
    if (reg < 0)
        return false;
    put(w, a, half ? (uint32_t)reg << 1 | gates_below(w->p->random, 2) : (uint32_t)reg);
    return true;
}

/* Offsets from `low` to `high` that do not trap. */
static bool find_range(const struct work *w, const struct isa_alt *a, bool indexed, uint32_t bytes,
                       uint32_t *low, uint32_t *high)
{
    const struct gates_place *p = w->p;
    bool store = is_memory(&w->in.dst);
    *low = 0;
    switch (a->kind) {
    case ISA_K: *high = indexed ? 65536 - 32 : 65536 - bytes; return true;
    case ISA_L: *high = indexed ? GATES_LOCAL - 64 : GATES_LOCAL - 16; return true;
    default: break;
    }
    if (store) {
        *low = (indexed ? 0 : p->window) + p->slot;
        *high = *low + (indexed ? 0 : GATES_SLOT - 4) + 4 - bytes;
        return p->slot + GATES_SLOT <= p->size;
    }
    *high = (indexed ? p->size - GATES_SLOT + 4 : p->readable) - bytes;
    return true;
}

static bool place_memory(struct work *w, const struct isa_alt *a)
{
    bool local = a->kind == ISA_L;
    uint32_t bytes = isa_type_bytes(local ? w->in.type : a->type), low, high;
    uint32_t step = local ? bytes : 1u << a->scale;
    uint32_t reg = a->areg && !w->p->plain && gates_below(w->p->random, 3)
                       ? 1 + gates_below(w->p->random, a->areg == 3 ? 4 : 3)
                       : 0;
    if (a->areg)
        w->word = (w->word & ~(3ull << 26) & ~(a->areg == 3 ? 1ull << 34 : 0)) |
                  (uint64_t)(reg & 3) << 26 | (uint64_t)(reg >> 2) << 34;
    if (a->inc && (!reg || w->in.op == OP_LST))
        w->word &= ~(1ull << a->inc);
    if (a->inc && w->word >> a->inc & 1) /* the offset is added afterwards */
        return !is_memory(&w->in.dst) || w->p->slot + GATES_SLOT <= w->p->size;
    uint32_t most = ((1u << isa_bits_len(a)) - 1) << a->scale;
    if (!find_range(w, a, reg, bytes, &low, &high))
        return false;
    high = high < most ? high : most;
    if (low > high)
        return false;
    put(w, a, (low + step * gates_below(w->p->random, (high - low) / step + 1)) >> a->scale);
    return true;
}

static void place_number(struct work *w, const struct isa_alt *a)
{
    switch ((enum isa_to)a->to) {
    case TO_UNIT: put(w, a, w->unit); break;
    case TO_SAMPLER: put(w, a, w->unit); break;
    case TO_COORDS: put(w, a, w->in.op == OP_TEX ? gates_below(w->p->random, 2) : 0); break;
    case TO_MASK: put(w, a, 1 + gates_below(w->p->random, 15)); break;
    case TO_OFFSET:
    case TO_DERIV: put(w, a, 0); break;
    case TO_EXIT_JOIN: put(w, a, gates_below(w->p->random, 4) ? 0 : 2); break;
    default: break;
    }
}

static bool place_field(struct work *w, const struct isa_alt *a)
{
    static const uint8_t special[] = {SREG_PHYSID, SREG_CLOCK, SREG_PM0,
                                      SREG_PM1,    SREG_PM2,   SREG_PM3};
    uint64_t *random = w->p->random;
    switch (a->kind) {
    case ISA_R:
    case ISA_RH: return place_register(w, a);
    case ISA_S:
    case ISA_K:
    case ISA_L: return place_memory(w, a);
    case ISA_G: put(w, a, (uint32_t)w->p->address); break;
    case ISA_A:
        put(w, a,
            w->in.dst.kind == ISA_A && !w->has_dst ? 1 + gates_below(random, 4)
                                                   : gates_below(random, 5));
        w->has_dst = true;
        break;
    case ISA_SREG: put(w, a, special[gates_below(random, sizeof special)]); break;
    case ISA_PRED:
        if (gates_below(random, 2))
            put(w, a, PRED_ALWAYS);
        break;
    default: place_number(w, a);
    }
    return true;
}

/* The fields of the template in order, each once; bits that no field owns become 0. */
static bool place_fields(struct work *w, const struct isa_row *row)
{
    const struct isa_field *seen[16];
    uint64_t owned = (uint64_t)row->hi_mask << 32 | row->lo_mask;
    int n = 0;
    for (const char *t = strchr(row->text, '{'); t; t = strchr(t + 1, '{')) {
        const struct isa_field *f = isa_field(t + 1, strcspn(t + 1, "}"));
        const struct isa_alt *a = isa_alt(f, w->word);
        bool again = false;
        for (int i = 0; i < n; i++)
            again |= seen[i] == f;
        if (!a || (!again && !place_field(w, a)))
            return false;
        owned |= isa_claims(a);
        seen[n++ % 16] = f;
    }
    w->word &= owned;
    return true;
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

/* Words with few ones and with as many as zeros. */
static uint64_t random_bits(uint64_t *random)
{
    uint64_t bits = fl_random(random);
    for (uint32_t thin = gates_below(random, 3); thin; thin--)
        bits &= fl_random(random);
    return bits;
}

static bool decode(uint64_t word, const struct isa_row *row, struct isa_insn *in)
{
    return isa_decode((uint32_t)word, (uint32_t)(word >> 32), false, ISA_1_0, in) &&
           isa_rows + in->row == row;
}

static bool try(const struct gates_place *p, const struct isa_row *row, struct gates_drawn *out)
{
    uint64_t fixed = (uint64_t)row->hi_mask << 32 | row->lo_mask;
    struct work w = {.p = p, .unit = gates_below(p->random, GATES_TEXTURES)};
    w.word = ((uint64_t)row->hi << 32 | row->lo) | (random_bits(p->random) & ~fixed);
    if (row->form == ISA_SHORT)
        w.word &= UINT32_MAX;
    w.in = row->preset;
    /* twice: the first word tells the type, which fields that follow the destination may decide */
    struct work first = w;
    if (!place_fields(&first, row) || !decode(first.word, row, &w.in) || !place_fields(&w, row) ||
        !decode(w.word, row, &out->in))
        return false;
    const struct isa_insn *in = &out->in;
    const struct isa_operand *all[] = {&in->dst, &in->src[0], &in->src[1], &in->src[2]};
    if (in->exit || (p->hosted && !gates_is_hosted(in)) ||
        (in->dst.kind == ISA_OUT && in->cc_dst < 0 && gates_below(p->random, 4)) ||
        isa_print((uint32_t)w.word, (uint32_t)(w.word >> 32), out->text, sizeof out->text) < 0)
        return false;
    out->indexed = NULL;
    for (int i = 0; i < 4; i++)
        if (all[i]->areg &&
            (all[i]->kind == ISA_S || all[i]->kind == ISA_K || all[i]->kind == ISA_L))
            out->indexed = all[i];
    out->first = w.first;
    out->registers = w.registers;
    return true;
}

bool gates_draw(const struct gates_place *p, const struct isa_row *row, struct gates_drawn *out)
{
    for (int i = 0; i < 100; i++)
        if (try(p, row, out))
            return true;
    return false;
}
