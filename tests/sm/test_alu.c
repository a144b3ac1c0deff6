/* test_alu.c -- the arithmetic, bit for bit: against sampled and complete vectors; and what must hold for
 * any operands.
 *
 * A vector is one instruction with its operands, as docs/reference/arithmetic.md describes: $r1, $r2, $r3 and
 * $c0 are set, $r0 is preloaded with the third operand (short forms accumulate into it), and result
 * and condition code are compared under masks. Vectors of one instruction run 32 at a time, one a
 * lane, so that a mix-up of lanes shows.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/random.h"
#include "sm/arith/alu.h"
#include "tests/lib/check.h"

enum { LANES = 32 };

struct vector {
    const char *text; /* for the reader */
    uint32_t lo, hi;
    uint32_t src[3];
    uint32_t cc_in, result, cc_out, cc_mask, res_mask;
};

/* A few of each group. */
/* clang-format off */
static const struct vector samples[] = {
    {"IADD.U16.C0 R0L, R1L, R3L", 0x20000401, 0x000187c0,
     {0x9da9af25, 0x6d89c6b6, 0x5d9d5fd1}, 0x0, 0x00000ef6, 0x4, 0xf, 0x0000ffff},
    {"IADD.C0 R0, R1, R3", 0x20000201, 0x0400c7c0,
     {0x000000ce, 0x075878a4, 0xa6fbf20c}, 0x5, 0xa6fbf2da, 0x2, 0xf, 0xffffffff},
    {"IADD.U16.SAT.C0 R0L, R1L, R3L", 0x20000401, 0x080187c0,
     {0x8364000a, 0xaf802e19, 0x0397000f}, 0xc, 0x00000019, 0x0, 0xf, 0x0000ffff},
    {"IADD.C0 R0, R1, -R3", 0x20400201, 0x0400c7c0,
     {0xffffffb1, 0xa1345111, 0x00000000}, 0x7, 0xffffffb1, 0x6, 0xf, 0xffffffff},
    {"IADD.U16.C0 R0L, -R1L, R3L", 0x30000401, 0x000187c0,
     {0x9428c399, 0xb098145f, 0x19d4e75c}, 0x8, 0x000023c3, 0x4, 0xf, 0x0000ffff},
    {"IADD.CARRY0.C0 R0, R1, R3", 0x30400201, 0x0400c7c0,
     {0xd27b181d, 0xe21b5b69, 0x8000001f}, 0xc, 0x527b183d, 0xc, 0xf, 0xffffffff},
    {"ISET.S16.C0 R0L, R1L, R2L, TRUE", 0x30040401, 0x6801c7c0,
     {0x85528a5f, 0x47cb9689, 0xb6b08851}, 0xd, 0x0000ffff, 0x2, 0xf, 0x0000ffff},
    {"ISET.S16.C0 R0L, R1L, R2L, LT", 0x30040401, 0x680047c0,
     {0x0d79000a, 0xc6690080, 0x8779a27e}, 0xf, 0x0000ffff, 0x2, 0xf, 0x0000ffff},
    {"IMAX.S32.C0 R0, R1, R2", 0x30020201, 0x8c0007c0,
     {0x000000ff, 0x00000030, 0xd03b934e}, 0x7, 0x000000ff, 0x0, 0xf, 0xffffffff},
    {"SHL.C0 R0, R1, R2", 0x30020201, 0xc40007c0,
     {0x000000f4, 0x00000008, 0x7bcf2b6b}, 0x5, 0x0000f400, 0x0, 0xf, 0xffffffff},
    {"SHR.S32.C0 R0, R1, R2", 0x30020201, 0xec0007c0,
     {0x00000096, 0x00000007, 0x164a3bc0}, 0x2, 0x00000001, 0x0, 0xf, 0xffffffff},
    {"SHR.C0 R0, R1, R2", 0x30020201, 0xe40007c0,
     {0x5cd56660, 0x00000011, 0x2b7315ed}, 0x9, 0x00002e6a, 0x4, 0xf, 0xffffffff},
    {"SHL.C0 R0, R1, 0x9", 0x30090201, 0xc41007c0,
     {0x9ab1c767, 0x000000ef, 0x9f9b8074}, 0xe, 0x638ece00, 0x4, 0xf, 0xffffffff},
    {"SHR.U16.C0 R0L, R1L, 0x1", 0x30010401, 0xe01007c0,
     {0x703e1b66, 0xbe8abea7, 0xcef13a7e}, 0xf, 0x00000db3, 0x0, 0xf, 0x0000ffff},
    {"SHR.S32.C0 R0, R1, 0x18", 0x30180201, 0xec1007c0,
     {0x7ffffffe, 0x00fffffe, 0xb702f02b}, 0xe, 0x0000007f, 0x4, 0xf, 0xffffffff},
    {"IMUL.U16.U16.C0 R0, R1L, R2L", 0x40040401, 0x000007c0,
     {0x5f5880a5, 0x5f189df2, 0x997547fe}, 0xb, 0x4f5eccfa, 0x0, 0xf, 0xffffffff},
    {"IMUL.S24.S24.C0 R0, R1, R2", 0x40020201, 0x000187c0,
     {0xdcffffff, 0xfffffff1, 0x89fcecbc}, 0x3, 0x0000000f, 0x0, 0xf, 0xffffffff},
    {"ISAD.C0 R0, R1, R2, R3", 0x50020201, 0x0400c7c0,
     {0xffffff7a, 0x00010001, 0x756aef86}, 0xa, 0x7569eeff, 0x4, 0xf, 0xffffffff},
    {"IMAD.S16.SAT.C0 R0, R1L, R2L, -R3", 0x60040401, 0x4400c7c0,
     {0x7cf47c46, 0x466f7ffe, 0x01000001}, 0x4, 0x3d220773, 0x4, 0xf, 0xffffffff},
    {"IMAD.HI.U24.C0 R0, -R1, R2, R3", 0x60020201, 0xc800c7c0,
     {0xdfcd6568, 0x00000075, 0x00000010}, 0xa, 0xffffa231, 0x2, 0xf, 0xffffffff},
    {"IMAD.HI.U24.C0 R0, R1, R2, R3", 0x60020201, 0xc000c7c0,
     {0xc242fac7, 0x807fffff, 0x80000001}, 0x7, 0xa17d633e, 0x2, 0xf, 0xffffffff},
    {"IMAD.U16.C0 R0, -R1L, R2L, R3", 0x60040401, 0x0800c7c0,
     {0x58de0011, 0xf59c8000, 0xaaaaaaaa}, 0x8, 0xaaa22aaa, 0x6, 0xf, 0xffffffff},
    {"IMAD.S24.SAT.CARRY0.C0 R0, R1, R2, R3", 0x60020201, 0xac00c7c0,
     {0x7fff7fff, 0x00000020, 0x3fe03923}, 0xb, 0x3fd03903, 0x4, 0xf, 0xffffffff},
    {"LOP.OR.U16.C0 R0L, ~R1L, R2L", 0xd0040401, 0x000147c0,
     {0x9f4cffff, 0xc3f80080, 0x110f8678}, 0x0, 0x00000080, 0x0, 0xf, 0x0000ffff},
    {"LOP.PASS_B.C0 R0, R1, ~R2", 0xd0020201, 0x0402c7c0,
     {0xffffb0e2, 0x9c4c128f, 0x169d74de}, 0xe, 0x63b3ed70, 0x0, 0xf, 0xffffffff},
    {"I2I.S8.U16.C0 R0, -R1L", 0xa0000401, 0x2c0807c0,
     {0xc9f4c0a6, 0xb291fe98, 0xfa552301}, 0x0, 0xffffff80, 0x2, 0xf, 0xffffffff},
    {"I2I.S16.U32.C0 R0L, -|R1|", 0xa0000201, 0x281047c0,
     {0x26ec5d70, 0x6c9c42c3, 0xfc499b17}, 0x8, 0x00008000, 0x2, 0xf, 0x0000ffff},
    {"I2I.S16.S16.C0 R0L, -R1L", 0xa0000401, 0x280107c0,
     {0x9d2cea23, 0xbd3abd23, 0xf1488e14}, 0x6, 0x000015dd, 0x0, 0xf, 0x0000ffff},
    {"I2F.F32.U32.FLOOR.C0 R0, -|R1|", 0xa0000201, 0x641247c0,
     {0x000000cf, 0x1b03af4e, 0xfac80bd7}, 0x9, 0xc34f0000, 0x2, 0xf, 0xffffffff},
    {"I2F.F32.U32.BEXT.FLOOR.C0 R0, R1", 0xa0000201, 0x4402c7c0,
     {0x00010001, 0x7abd902b, 0xa54332e8}, 0xf, 0x3f800000, 0x0, 0xf, 0xffffffff},
    {"I2F.F32.U16.BEXT.SAT.C0 R0, R1L", 0xa0000401, 0x440887c0,
     {0x0e99eeff, 0x417ede58, 0xef6d20f2}, 0x1, 0x3f800000, 0x0, 0xf, 0xffffffff},
    {"I2F.F16.U32.C0 R0L, R1", 0xa0000201, 0x400047c0,
     {0x00000090, 0xba506d95, 0xf6b3bf81}, 0x2, 0x00005880, 0x0, 0xf, 0x0000ffff},
    {"F2I.S32.F16.FLOOR.C0 R0, R1L", 0xa0000401, 0x8c0207c0,
     {0xbb0a4d97, 0x17eaceb1, 0x3ca86f20}, 0xb, 0x00000016, 0x0, 0xf, 0xffffffff},
    {"F2I.U32.F32.FLOOR.C0 R0, |R1|", 0xa0000201, 0x841247c0,
     {0xbf9184f6, 0x99df4aed, 0x5d719d62}, 0xb, 0x00000001, 0x0, 0xf, 0xffffffff},
    {"F2I.S16.F16.FLOOR.C0 R0L, R1L", 0xa0000401, 0x880207c0,
     {0x9ffc4248, 0xa3cf0801, 0x178737aa}, 0x9, 0x00000003, 0x0, 0xf, 0x0000ffff},
    {"F2F.F16.F32.C0 R0L, R1", 0xa0000201, 0xc00047c0,
     {0xc4400000, 0x1f93c63d, 0x93b9de51}, 0x2, 0x0000e200, 0x2, 0xf, 0x0000ffff},
    {"F2F.F32.F16.C0 R0, R1L", 0xa0000401, 0xc40007c0,
     {0xa1e0e26a, 0x9aa82eec, 0x1342d17b}, 0x3, 0xc44d4000, 0x2, 0xf, 0xffffffff},
    {"F2F.F16.F16.ROUND.C0 R0L, -|R1L|", 0xa0000401, 0xe81007c0,
     {0x5cc702d9, 0x14c126e0, 0x1deab5a6}, 0x3, 0x00008000, 0x1, 0xf, 0x0000ffff},
    {"FADD.TRUNC.C0 R0, R1, -R3", 0xb0030201, 0x0800c7c0,
     {0xa3800001, 0x7db5c753, 0x21cacb62}, 0x8, 0xa38cacb7, 0x2, 0xf, 0xffffffff},
    {"FADD.C0 R0, -R1, R3", 0xb0000201, 0x0400c7c0,
     {0x11f9e7a5, 0xb59b1894, 0xa700035b}, 0x6, 0xa700035b, 0x2, 0xf, 0xffffffff},
    {"FADD.TRUNC.C0 R0, -R1, R3", 0xb0030201, 0x0400c7c0,
     {0x3d000001, 0xc81c7195, 0xbd800001}, 0x3, 0xbdc00001, 0x2, 0xf, 0xffffffff},
    {"FADD.C0 R0, R1, -R3", 0xb0000201, 0x0800c7c0,
     {0xe062b7bd, 0x48a9d331, 0xd4000001}, 0x0, 0xe062b7bc, 0x2, 0xf, 0xffffffff},
    {"FSET.C0 R0, -|R1|, -R2, LT", 0xb0020201, 0x6c1047c0,
     {0x4f7fffff, 0x1e3ce508, 0x486856ab}, 0x2, 0xffffffff, 0x2, 0xf, 0xffffffff},
    {"FSET.C0 R0, R1, R2, GT", 0xb0020201, 0x600107c0,
     {0x11f7fb1f, 0xbe000000, 0x3783ae98}, 0x9, 0xffffffff, 0x2, 0xf, 0xffffffff},
    {"FMIN.C0 R0, R1, |R2|", 0xb0020201, 0xa00807c0,
     {0x553b336a, 0xc04ee6cd, 0xea429dfc}, 0xa, 0x404ee6cd, 0x0, 0xf, 0xffffffff},
    {"FMAX.C0 R0, -R1, R2", 0xb0020201, 0x840007c0,
     {0x6ba91dec, 0x6ba91dec, 0x6fd0a72b}, 0x4, 0x6ba91dec, 0x0, 0xf, 0xffffffff},
    {"FMUL.TRUNC.C0 R0, R1, -R2", 0xc0020201, 0x0800c7c0,
     {0x01000000, 0xc3693c21, 0xe39e411c}, 0x9, 0x04e93c21, 0x0, 0xf, 0xffffffff},
    {"FMUL.C0 R0, R1, R2", 0xc0020201, 0x000007c0,
     {0x3fb78000, 0x3fd53800, 0x2c21ac30}, 0x7, 0x4018d5a4, 0x0, 0xf, 0xffffffff},
    {"FMUL.C0 R0, R1, -R2", 0xc0020201, 0x080007c0,
     {0x3eaaaaab, 0xef800000, 0xfd466338}, 0x2, 0x6eaaaaab, 0x0, 0xf, 0xffffffff},
    {"FCMP.C0 R0, R1, R2, -R3", 0xc0020201, 0x6000c7c0,
     {0x3c000001, 0x2f800000, 0x7b1bba03}, 0x9, 0x2f800000, 0x0, 0xf, 0xffffffff},
    {"FMAD.SAT.C0 R0, -R1, R2, -R3", 0xe0020201, 0x2c00c7c0,
     {0x38800000, 0xd3a27867, 0x4a0003c3}, 0xa, 0x3f800000, 0x0, 0xf, 0xffffffff},
    {"FMAD.C0 R0, -R1, R2, -R3", 0xe0020201, 0x0c00c7c0,
     {0x22c00000, 0x1d7fffff, 0xc7000100}, 0x1, 0x47000100, 0x0, 0xf, 0xffffffff},
    {"FMAD.C0 R0, R1, R2, -R3", 0xe0020201, 0x0800c7c0,
     {0x3f82f000, 0x3fa07400, 0x42c0b946}, 0x0, 0xc2be28bb, 0x2, 0xf, 0xffffffff},
    {"FMAD.SAT.C0 R0, R1, R2, R3", 0xe0020201, 0x2000c7c0,
     {0x7effffff, 0x7c1eb6db, 0xb7800000}, 0xb, 0x3f800000, 0x0, 0xf, 0xffffffff},
    {"FMAD.C0 R0, -R1, R2, R3", 0xe0020201, 0x0400c7c0,
     {0xc7000000, 0xbc16ad7e, 0xc3800001}, 0x9, 0xc40b56c0, 0x2, 0xf, 0xffffffff},
    {"RCP R0, -|R1|", 0x90000201, 0x04100780,
     {0x9508acfe, 0xce4129cb, 0xa9f3af20}, 0xa, 0xe9efbffa, 0x0, 0x0, 0xffffffff},
    {"RSQ R0, R1", 0x90000201, 0x40000780,
     {0x7f7fffff, 0x3364fd3a, 0xc322ae5a}, 0x0, 0x1f800000, 0x0, 0x0, 0xffffffff},
    {"LG2 R0, -R1", 0x90000201, 0x64000780,
     {0x8d5590b5, 0xa4c5bf36, 0xa94a6437}, 0x5, 0xc2c885de, 0x0, 0x0, 0xffffffff},
    {"SIN R0, R1", 0x90000201, 0x80000780,
     {0x1096f765, 0x8d0d8b47, 0x6ae76458}, 0x4, 0x3f75e64b, 0x0, 0x0, 0xffffffff},
    {"COS R0, R1", 0x90000201, 0xa0000780,
     {0x8c25eb4d, 0xbc131ee8, 0xa946ce63}, 0xb, 0x3f64c78c, 0x0, 0x0, 0xffffffff},
    {"EX2 R0, R1", 0x90000201, 0xc0000780,
     {0x886ed0ce, 0x48ca81d7, 0xeb2487d5}, 0x7, 0x370c7bac, 0x0, 0x0, 0xffffffff},
    {"EX2.SAT R0, R1", 0x90000201, 0xc8000780,
     {0xafe9b630, 0x5c028d7a, 0x999f392b}, 0x3, 0x0f906b8a, 0x0, 0x0, 0xffffffff},
    {"RRO R0, R1, EX2", 0xb0000201, 0xc0004780,
     {0x40000000, 0xc404d722, 0x8906ba73}, 0x9, 0x01000000, 0x0, 0x0, 0xffffffff},
    {"FMAD32 R0, -R1, R2, -R0", 0xe0428200, 0,
     {0xb6800000, 0x7f000000, 0xf8800001}, 0x0, 0x78840001, 0x0, 0x0, 0xffffffff},
    {"ISAD32.U16 R0, R1L, R2L, R0", 0x50040400, 0,
     {0x7ad80011, 0x92b30006, 0xad61e5e6}, 0x9, 0xad61e5f1, 0x0, 0x0, 0xffffffff},
    {"FMAD32 R0, -R1, R2, R0", 0xe0028200, 0,
     {0xeeb1ed81, 0x3fc00000, 0x6c7fffff}, 0x9, 0x6f097220, 0x0, 0x0, 0xffffffff},
    {"IMAD32.U24 R0, R1, R2, R0", 0x60028300, 0,
     {0xfffffffb, 0xff252782, 0x00000001}, 0x4, 0x81463a77, 0x0, 0x0, 0xffffffff},
    {"IMUL32.U16.S16 R0, R1L, R2L", 0x40040500, 0,
     {0x53ee0009, 0xd483b2f0, 0xa09a0a4d}, 0x3, 0xfffd4a70, 0x0, 0x0, 0xffffffff},
    {"FMUL32I R0, -R1, 0xbf800001", 0xc0018201, 0x0bf80003,
     {0xbf800001, 0x62d05b8b, 0x29c6b4e7}, 0xc, 0xbf800002, 0x0, 0x0, 0xffffffff},
    {"IADD32I.SAT R0, R1, -0x1", 0x20418301, 0x00000003,
     {0x000000ce, 0x000000a3, 0x639baabb}, 0x8, 0x000000cd, 0x0, 0x0, 0xffffffff},
    {"IADD32I.SAT R0, -R1, 0x0", 0x30008301, 0x00000003,
     {0xff800000, 0x01342f2f, 0x7412ffbf}, 0x2, 0x00800000, 0x0, 0x0, 0xffffffff},
    {"FMAD32I R0, R1, 0x33800000, R0", 0xe0000201, 0x03380003,
     {0x007fffff, 0x00000000, 0x20000000}, 0x5, 0x20000000, 0x0, 0x0, 0xffffffff},
    {"LOP32I.AND R0, R1, 0x80000000", 0xd0000201, 0x08000003,
     {0xffffff39, 0xc606bf6b, 0xeeb849d4}, 0x9, 0x80000000, 0x0, 0x0, 0xffffffff},
};

static uint32_t fetch(const struct isa_operand *o, const uint32_t src[3])
{
    const uint32_t reg[4] = {src[2], src[0], src[1], src[2]};
    switch (o->kind) {
    case ISA_R: return reg[o->value & 3];
    case ISA_RH: return reg[o->value >> 1 & 3] >> (o->value & 1 ? 16 : 0) & 0xffff;
    case ISA_I: return o->value;
    default: return 0;
    }
}

static void report(const struct vector *v, const char *what, uint32_t got, uint32_t expected)
{
    printf("\n    %s %08x %08x: %08x, %08x, %08x, cc %x: %s %x, expected %x", v->text, v->lo, v->hi,
           v->src[0], v->src[1], v->src[2], v->cc_in, what, got, expected);
}

/* Runs up to 32 vectors of one instruction; returns how many came out wrong. */
static int run_lanes(const struct vector *v, int count)
{
    struct isa_insn in;
    sm_alu_fn fn = isa_decode(v->lo, v->hi, false, ISA_1_0, &in) ? sm_alu_select(&in) : NULL;
    if (!fn) {
        printf("\n    %s %08x %08x is not decoded, or no arithmetic", v->text, v->lo, v->hi);
        return count;
    }
    uint32_t src[3][LANES], d[LANES], d_alone[LANES];
    uint8_t cc[LANES], flags[LANES];
    for (int i = 0; i < LANES; i++) {
        const struct vector *lane = &v[i % count];
        for (int k = 0; k < 3; k++)
            src[k][i] = fetch(&in.src[k], lane->src);
        cc[i] = (uint8_t)lane->cc_in;
    }
    fn(&in, src[0], src[1], src[2], cc, d, flags);
    fn(&in, src[0], src[1], src[2], cc, d_alone, NULL);
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        bool bad_result = (d[i] & v[i].res_mask) != v[i].result;
        bool bad_flags = (flags[i] & v[i].cc_mask) != v[i].cc_out;
        if (bad_result)
            report(&v[i], "result", d[i] & v[i].res_mask, v[i].result);
        if (bad_flags)
            report(&v[i], "flags", flags[i], v[i].cc_out);
        if (d_alone[i] != d[i])
            report(&v[i], "result without flags", d_alone[i], d[i]);
        wrong += bad_result || bad_flags || d_alone[i] != d[i];
    }
    return wrong;
}

static void sampled_vectors_come_out_bit_for_bit(void)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        CU_ASSERT_EQUAL(run_lanes(&samples[i], 1), 0);
}

/* ---- the complete vectors -------------------------------------------------------------------- */

struct group {
    char name[32];
    int rows, wrong;
};

struct variant {
    uint32_t lo, hi;
    int group;
};

struct vectors {
    struct group groups[64];
    int group_count;
    struct variant variants[2048];
    int variant_count;
};

static int group_of(struct vectors *t, const char *name)
{
    for (int i = 0; i < t->group_count; i++)
        if (strcmp(t->groups[i].name, name) == 0)
            return i;
    if (t->group_count == 64)
        return 0;
    snprintf(t->groups[t->group_count].name, sizeof t->groups->name, "%s", name);
    return t->group_count++;
}

static uint32_t second_word(const char *column)
{
    return column[0] == '-' ? 0 : (uint32_t)strtoul(column, NULL, 16);
}

static void read_variants(struct vectors *t, FILE *f)
{
    char line[512], hi[16], form[16], name[32];
    uint32_t lo;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "%x\t%15[^\t]\t%15[^\t]\t%31[^\t]", &lo, hi, form, name) == 4 &&
            t->variant_count < 2048)
            t->variants[t->variant_count++] = (struct variant){lo, second_word(hi),
                                                               group_of(t, name)};
}

static struct group *find_group(struct vectors *t, const struct vector *v)
{
    for (int i = 0; i < t->variant_count; i++)
        if (t->variants[i].lo == v->lo && t->variants[i].hi == v->hi)
            return &t->groups[t->variants[i].group];
    return NULL;
}

static bool read_vector(FILE *f, struct vector *v)
{
    char line[512], hi[16];
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%x %15s %x %x %x %x %x %x %x %x", &v->lo, hi, &v->src[0], &v->src[1],
                   &v->src[2], &v->cc_in, &v->result, &v->cc_out, &v->cc_mask,
                   &v->res_mask) == 10) {
            v->hi = second_word(hi);
            v->text = "";
            return true;
        }
    }
    return false;
}

static void run_group(struct vectors *t, const struct vector *batch, int count)
{
    struct group *g = count ? find_group(t, batch) : NULL;
    if (!g)
        return;
    g->rows += count;
    g->wrong += run_lanes(batch, count);
}

static void every_vector_comes_out_bit_for_bit(void)
{
    if (!check_shared("sm10/alu-variants.tsv") || !check_shared("sm10/alu-vectors.tsv"))
        return;
    FILE *variants = fopen(FAULTLINE_SHARED_DIR "/sm10/alu-variants.tsv", "r");
    FILE *rows = fopen(FAULTLINE_SHARED_DIR "/sm10/alu-vectors.tsv", "r");
    CU_ASSERT_FATAL(variants && rows);
    struct vectors *t = calloc(1, sizeof *t);
    read_variants(t, variants);
    struct vector batch[LANES], v;
    int count = 0, total = 0;
    while (read_vector(rows, &v)) {
        if (count == LANES || (count && (batch[0].lo != v.lo || batch[0].hi != v.hi))) {
            run_group(t, batch, count);
            count = 0;
        }
        batch[count++] = v;
        total++;
    }
    run_group(t, batch, count);
    int seen = 0;
    for (int i = 0; i < t->group_count; i++) {
        const struct group *g = &t->groups[i];
        printf("\n    %-20s %6d vectors, %d wrong", g->name, g->rows, g->wrong);
        seen += g->rows;
        CU_ASSERT_EQUAL(g->wrong, 0);
    }
    printf("\n    %-20s %6d vectors ", "total", total);
    CU_ASSERT_EQUAL(total, 72488);
    CU_ASSERT_EQUAL(seen, total);
    free(t);
    fclose(variants);
    fclose(rows);
}

/* ---- floats against exact arithmetic --------------------------------------------------------- */

/* ---- what must hold for anything ------------------------------------------------------------- */

/* A 16-bit operation may get a 32-bit operand (shared memory, immediates): only its low half
 * counts. */
static void sixteen_bit_operations_ignore_upper_halves(void)
{
    uint64_t state = 1;
    int tried = 0;
    for (size_t n = 0; n < sizeof samples / sizeof *samples; n++) {
        struct isa_insn in;
        if (!isa_decode(samples[n].lo, samples[n].hi, false, ISA_1_0, &in) || in.src[0].kind != ISA_RH)
            continue;
        uint32_t a[2][LANES], b[2][LANES], c[LANES], d[2][LANES];
        uint8_t cc[LANES], flags[2][LANES];
        for (int i = 0; i < LANES; i++) {
            uint64_t r = fl_random(&state), noise = fl_random(&state);
            a[0][i] = (uint32_t)r & 0xffff;
            a[1][i] = a[0][i] | (uint32_t)noise << 16;
            b[0][i] = (uint32_t)(r >> 16) & (i & 1 ? 0xffff : 15);
            b[1][i] = b[0][i];
            if (in.src[1].kind == ISA_RH || in.src[2].kind == ISA_RH)
                b[1][i] |= (uint32_t)(noise >> 16) << 16;
            c[i] = (uint32_t)(r >> 32);
            cc[i] = (uint8_t)(noise >> 60);
        }
        sm_alu_fn fn = sm_alu_select(&in);
        for (int k = 0; k < 2; k++)
            fn(&in, a[k], b[k], c, cc, d[k], flags[k]);
        uint32_t mask = in.dst.kind == ISA_RH ? 0xffff : 0xffffffff;
        for (int i = 0; i < LANES; i++) {
            CU_ASSERT_EQUAL(d[0][i] & mask, d[1][i] & mask);
            CU_ASSERT_EQUAL(flags[0][i], flags[1][i]);
        }
        tried++;
    }
    CU_ASSERT(tried >= 10);
}

/* Runs under the sanitizers in the development build: that is where this test finds things. */
static void any_instruction_takes_any_operands(void)
{
    static const uint32_t edges[] = {0,          1,          0x7fffffff, 0x80000000, 0xffffffff,
                                     0x7f800000, 0xff800000, 0x7f800001, 0xffc00000, 0x4f000000,
                                     0xcf000000, 0x4f7fffff, 0x5f000000, 0x0000ffff, 0x00008000};
    uint64_t state = 5;
    int ran = 0;
    for (int n = 0; n < 60000; n++) {
        uint64_t word = fl_random(&state);
        uint32_t lo = (uint32_t)word, hi = (uint32_t)(word >> 32);
        hi &= (uint32_t)fl_random(&state); /* many rows want zeros in unused bits */
        struct isa_insn in;
        if (!isa_decode(lo, hi, true, ISA_1_0, &in))
            continue;
        sm_alu_fn fn = sm_alu_select(&in);
        if (!fn)
            continue;
        ran++;
        uint32_t src[3][LANES], d[LANES], d_alone[LANES];
        uint8_t cc[LANES], flags[LANES];
        for (int i = 0; i < LANES; i++) {
            uint64_t r = fl_random(&state);
            for (int k = 0; k < 3; k++)
                src[k][i] = in.src[k].kind == ISA_I ? in.src[k].value
                            : r >> (40 + k) & 1     ? edges[(r >> 8 * k) % 15]
                                                    : (uint32_t)fl_random(&state);
            cc[i] = (uint8_t)(r >> 60);
        }
        /* One lane repeated: equal operands give equal results wherever they stand. */
        for (int k = 0; k < 3; k++)
            src[k][29] = src[k][2];
        cc[29] = cc[2];
        fn(&in, src[0], src[1], src[2], cc, d, flags);
        fn(&in, src[0], src[1], src[2], cc, d_alone, NULL);
        CU_ASSERT_EQUAL(memcmp(d, d_alone, sizeof d), 0);
        CU_ASSERT(d[29] == d[2] && flags[29] == flags[2]);
        /* The result may take an operand's place. */
        fn(&in, src[0], src[1], src[2], cc, src[n % 3], NULL);
        CU_ASSERT_EQUAL(memcmp(d, src[n % 3], sizeof d), 0);
        for (int i = 0; i < LANES; i++)
            CU_ASSERT((flags[i] & ~15) == 0);
    }
    CU_ASSERT(ran > 1000);
}

static void control_and_memory_are_not_arithmetic(void)
{
    static const enum isa_op ops[] = {OP_BRA, OP_SSY, OP_RET, OP_BAR, OP_NOP, OP_GLD,
                                      OP_GST, OP_R2G, OP_R2A, OP_A2R, OP_C2R, OP_R2C};
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct isa_insn in = {.op = (uint16_t)ops[i]};
        CU_ASSERT_PTR_NULL(sm_alu_select(&in));
    }
}

int main(void)
{
    return CHECK_RUN("alu", CHECK(sampled_vectors_come_out_bit_for_bit), CHECK(every_vector_comes_out_bit_for_bit), CHECK(sixteen_bit_operations_ignore_upper_halves), CHECK(any_instruction_takes_any_operands), CHECK(control_and_memory_are_not_arithmetic));
}
