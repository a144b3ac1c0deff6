/* random_mix.c -- draws the programs. */
#include "random_mix.h"

uint32_t mix_random(struct random_mix *s, uint32_t below)
{
    s->seed ^= s->seed << 13;
    s->seed ^= s->seed >> 7;
    s->seed ^= s->seed << 17;
    return (uint32_t)(s->seed * 0x2545f4914f6cdd1du >> 33) % below;
}

static uint64_t mix_bits(struct random_mix *s)
{
    return (uint64_t)mix_random(s, 1u << 31) << 42 ^ (uint64_t)mix_random(s, 1u << 31) << 21 ^
           mix_random(s, 1u << 31);
}

static uint32_t mix_bytes(const struct isa_operand *o)
{
    switch ((enum isa_type)o->type) {
    case T_U8:
    case T_S8: return 1;
    case T_U16:
    case T_S16: return 2;
    default: return 4;
    }
}

/* Whether a write to `o` leaves the kept registers alone. */
static bool mix_free(const struct isa_operand *o)
{
    uint32_t reg = o->kind == ISA_RH ? o->value >> 1 : o->value;
    return (o->kind != ISA_R && o->kind != ISA_RH) || reg < MIX_KEPT || reg >= 16;
}

/* An operand in shared, constant or local memory: within bounds, given what the R2A before it puts into $a. */
static bool mix_in_bounds(const struct random_mix *s, const struct isa_operand *o)
{
    uint32_t limit = o->kind == ISA_S   ? (s->small ? 256u : (uint32_t)MIX_SHARED)
                     : o->kind == ISA_L ? MIX_LOCAL
                                        : MIX_CONST;
    uint32_t reach = o->areg >= 1 && o->areg <= 4 ? (s->small ? 7 : 31) * 16 : 0;
    if (o->kind == ISA_K && o->bank > 1)
        return false;
    if (o->postinc)
        return o->areg != 0;
    if (o->kind == ISA_L)
        reach /= 4;
    return o->value % mix_bytes(o) == 0 && o->value + reach + 16 <= limit;
}

static bool mix_suits(struct random_mix *s, const struct isa_insn *in)
{
    const struct isa_operand *all[4] = {&in->dst, &in->src[0], &in->src[1], &in->src[2]};
    enum isa_class class = isa_op_class((enum isa_op)in->op);
    if (s->wild && mix_random(s, 300) == 0)
        return in->target < 1u << 24; /* profiles of 24 bits refuse more */
    if (class == ISA_CONTROL || class == ISA_OTHER || in->exit || in->join || in->op == OP_R2A ||
        in->op == OP_GLD || in->op == OP_GST || in->op == OP_GRED || in->op == OP_GATOM)
        return false;
    if (!mix_free(&in->dst))
        return false;
    if (in->dst.kind == ISA_R && (in->type == T_B64 || in->type == T_B128) && in->dst.value % 4)
        return false;
    for (int i = 0; i < 4; i++) {
        bool reg = all[i]->kind == ISA_R || all[i]->kind == ISA_RH;
        uint32_t n = all[i]->kind == ISA_RH ? all[i]->value >> 1 : all[i]->value;
        if (reg && n >= MIX_REGS && mix_random(s, 30))
            return false; /* rarely registers that the kernel does not own */
        bool memory = all[i]->kind == ISA_S || all[i]->kind == ISA_K || all[i]->kind == ISA_L;
        if (memory && !mix_in_bounds(s, all[i]))
            return false;
    }
    return true;
}

static void mix_index(struct random_mix *s, const struct isa_insn *in)
{
    const struct isa_operand *all[4] = {&in->dst, &in->src[0], &in->src[1], &in->src[2]};
    for (int i = 0; i < 4; i++) {
        const struct isa_operand *o = all[i];
        if (o->areg < 1 || o->areg > 4)
            continue;
        if (o->kind == ISA_L) /* R12: 0 or a lane's own small multiple of 16 */
            fl_buf_printf(&s->text, "    R2A A%u, R12\n", o->areg);
        else if (mix_bytes(o) == 4)
            fl_buf_printf(&s->text, "    R2A A%u, R13, 0x%x\n", o->areg, mix_random(s, 2) ? 2 : 4);
        else
            fl_buf_printf(&s->text, "    R2A A%u, R13, 0x%x\n", o->areg, mix_random(s, 3) + 1);
    }
}

/* A random instruction of a row, or none; returns whether there is one. */
static bool mix_try(struct random_mix *s, const struct isa_row *row, struct isa_insn *in,
                    char *text, size_t size)
{
    uint64_t fixed = (uint64_t)row->hi_mask << 32 | row->lo_mask,
             is = (uint64_t)row->hi << 32 | row->lo;
    uint64_t random = mix_bits(s);
    for (uint32_t thin = mix_random(s, 3); thin; thin--)
        random &= mix_bits(s);
    if (mix_random(s, 2)) /* no address register, no post-increment, bank 0 */
        random &= ~(7ull << 25 | 1ull << 34 | 15ull << 54);
    if (mix_random(s, 2)) /* the predicate that is always true */
        random = (random & ~(31ull << 39)) | 15ull << 39;
    if (mix_random(s, 4)) { /* registers of all fields, mostly those that the kernel owns */
        uint64_t r = mix_bits(s);
        random &= ~(0x7full << 2 | 0x7full << 9 | 0x7full << 16 | 0x7full << 46);
        random |= (r & 31) << 2 | (r >> 5 & 31) << 9 | (r >> 10 & 31) << 16 | (r >> 15 & 31) << 46;
    }
    random &= ~3ull << 32;
    /* registers of long forms mostly below 32 */
    if (mix_random(s, 4))
        random &= ~(3ull << 7 | 3ull << 14 | 3ull << 21 | 3ull << 51);
    uint64_t word = is | (random & ~fixed);
    return isa_decode((uint32_t)word, (uint32_t)(word >> 32), true, s->capability, in) &&
           in->op == row->preset.op && mix_suits(s, in) &&
           isa_print((uint32_t)word, (uint32_t)(word >> 32), text, size) > 0;
}

static void mix_instruction(struct random_mix *s)
{
    struct isa_insn in;
    char text[256];
    for (int tries = 0; tries < 4000; tries++) {
        if (!mix_try(s, &isa_rows[mix_random(s, (uint32_t)isa_rows_of(s->capability))], &in, text,
                     sizeof text))
            continue;
        mix_index(s, &in);
        fl_buf_printf(&s->text, "    %s\n", text);
        if (in.size == 4) /* short instructions come in pairs */
            fl_buf_printf(&s->text, "    %s\n", text);
        return;
    }
}

static void mix_global(struct random_mix *s)
{
    static const char *const type[] = {"U8", "S8", "U16", "S16", "S64", "S128", "U32"};
    static const char *const cond[] = {"", " (C0.NE)", " (C1.LT)", " (C2.GEU)", " (C3.CARRY)"};
    uint32_t t = mix_random(s, 7), address = 14 + mix_random(s, 2);
    const char *c = cond[mix_random(s, 5)];
    uint32_t reg = t == 5   ? 4 * mix_random(s, 3)
                   : t == 4 ? 2 * mix_random(s, 6)
                            : mix_random(s, 12);
    if (mix_random(s, 2))
        fl_buf_printf(&s->text, "    GLD.%s R%u%s, global14[R%u]\n", type[t], reg, c, address);
    else
        fl_buf_printf(&s->text, "    GST.%s global14[R%u]%s, R%u\n", type[t], address, c, reg);
}

static const char *const mix_cond[] = {"LT",    "EQ",    "LE",   "GT",      "NE",
                                       "GE",    "NUM",   "NAN",  "LTU",     "OVERFLOW",
                                       "CARRY", "ABOVE", "SIGN", "NOT_SIGN"};

/* Locked loads and unlocking stores of a few words that threads share. */
static void mix_locks(struct random_mix *s)
{
    const uint32_t word = 0x20 + 4 * mix_random(s, 8), c = mix_random(s, 4);
    fl_buf_printf(&s->text, "    R2A A4, R13, 0x2\n");
    for (uint32_t n = 1 + mix_random(s, 3); n > 0; n--)
        if (mix_random(s, 2))
            fl_buf_printf(&s->text, "    G2R.U32.LCK.C%u R%u, s[A4+0x%x]\n", c, mix_random(s, 11),
                          word);
        else
            fl_buf_printf(&s->text, "    R2G.U32.U32.UNL s[A4+0x%x] (C%u.%s), R%u\n", word, c,
                          mix_random(s, 2) ? "LT" : mix_cond[mix_random(s, 14)], mix_random(s, 18));
}

/* What machines above 1.0 have beside G2R: an atomic operation on a thread's own words or on some of all threads, or a vote. */
static void mix_above(struct random_mix *s)
{
    if (s->capability >= ISA_1_2 && mix_random(s, 4) == 0) {
        mix_locks(s);
        return;
    }
    static const char *const op[] = {"IADD", "EXCH", "CAS", "INC", "DEC",
                                     "MAX",  "MIN",  "AND", "OR",  "XOR"};
    const bool votes = s->capability >= ISA_1_2 && mix_random(s, 4) == 0;
    const uint32_t o = mix_random(s, 10);
    const bool wide = s->capability >= ISA_1_2 && o < 3 && mix_random(s, 2),
               result = mix_random(s, 2) || o == 1 || o == 2;
    const char *c = mix_cond[mix_random(s, 14)];
    char pred[32] = "";
    if (mix_random(s, 2) || votes)
        snprintf(pred, sizeof pred, " (C%u.%s)", mix_random(s, 4), c);
    if (votes) {
        fl_buf_printf(&s->text, "    VOTE.%s C%u%s\n", mix_random(s, 2) ? "ANY" : "ALL",
                      mix_random(s, 4), pred);
        return;
    }
    uint32_t address = 14 + mix_random(s, 2), data = mix_random(s, 18);
    if (mix_random(s, 2)) {
        address = 11;
        fl_buf_printf(&s->text, "    SHL R11, R13, 0x%x\n    IADD R11, g[0x4], R11\n",
                      wide ? 3 : 2);
    }
    const char *type = wide ? "U64" : mix_random(s, 2) ? "U32" : "S32";
    if (!result) {
        fl_buf_printf(&s->text, "    GRED.%s.%s global14[R%u]%s, R%u\n", op[o], type, address, pred,
                      data);
        return;
    }
    fl_buf_printf(&s->text, "    GATOM.%s.%s R%u%s, global14[R%u], R%u", op[o], type,
                  mix_random(s, 11), pred, address, data);
    if (o == 2)
        fl_buf_printf(&s->text, ", R%u", mix_random(s, 18));
    fl_buf_printf(&s->text, "\n");
}

static void mix_body(struct random_mix *s, int n, int depth)
{
    for (int i = 0; i < n; i++) {
        uint32_t what = mix_random(s, 100);
        if (s->capability > ISA_1_0 && mix_random(s, 4) == 0) {
            mix_above(s);
        } else if (what < 10) {
            mix_global(s);
        } else if (what < 18 && depth > 0) {
            int l = s->labels++;
            fl_buf_printf(&s->text, "    .align 8\n    SSY end%d\n    BRA C%u.%s, else%d\n", l,
                          mix_random(s, 4), mix_cond[mix_random(s, 14)], l);
            mix_body(s, n / 4, depth - 1);
            fl_buf_printf(&s->text, "    .align 8\n    BRA end%d\nelse%d:\n", l, l);
            mix_body(s, n / 4, depth - 1);
            fl_buf_printf(&s->text, "    .align 8\nend%d: NOP.S\n", l);
        } else if (what < 20) {
            fl_buf_printf(&s->text, "    BAR.ARV.WAIT b%u, 0xfff\n", mix_random(s, 16));
        } else {
            mix_instruction(s);
        }
    }
}

void mix_make(struct random_mix *s, uint64_t seed, int length, bool small, int capability)
{
    *s = (struct random_mix){.seed = seed * 0x9e3779b97f4a7c15u + 1,
                             .wild = seed % 4 == 0,
                             .small = small,
                             .capability = capability};
    for (int i = 0; i < 8; i++)
        (void)mix_random(s, 2);
    fl_buf_printf(&s->text, ".kernel soup\n.param u32 OUT\n.regs %d\n.shared BUF, %d\n", MIX_REGS,
                  (small ? 256 : MIX_SHARED) - 32);
    fl_buf_printf(&s->text,
                  "    LOP32I.AND R1, R0, 0x1f\n    MVI R2, 0x%x\n    LOP.AND R13, R0, R2\n",
                  (mix_random(s, 2) ? 0x1f : mix_random(s, 32)) & (small ? 7u : 31u));
    fl_buf_printf(&s->text, "    MVI R12, 0x%x\n", 16 * mix_random(s, 4));
    fl_buf_printf(&s->text, "    SHL R14, R0, 0x%x\n    IADD R14, g[0x4], R14\n",
                  mix_random(s, 3) ? 4 : 6);
    fl_buf_printf(&s->text,
                  "    MVI R2, 0x%x\n    LOP.XOR R15, R0, R2\n    SHL R15, R15, 0x%x\n    IADD "
                  "R15, g[0x4], R15\n",
                  mix_random(s, 32), mix_random(s, 2) ? 4 : 6);
    for (int r = 2; r < MIX_REGS; r++) {
        if (r >= MIX_KEPT && r < 16)
            continue;
        uint32_t v = mix_random(s, 3) ? mix_random(s, 1u << 31) << 1
                                      : 0x3f800000 + (mix_random(s, 1u << 24) << 3);
        fl_buf_printf(&s->text, "    MVI R%d, 0x%x\n    IMAD.U16 R%d, R0L, R%dL, R%d\n", r, v, r, r,
                      r);
    }
    for (int c = 0; c < 4; c++)
        fl_buf_printf(&s->text, "    IADD.C%d R%d, R%d, R%d\n", c, c + 3, c + 4, c + 8);
    mix_body(s, length, 2);
    for (int r = 0; r < 12; r += 4)
        fl_buf_printf(&s->text, "    GST.S128 global14[R14], R%d\n", r);
    fl_buf_printf(&s->text, "    .align 8\n    NOP.EXIT\n");
}
