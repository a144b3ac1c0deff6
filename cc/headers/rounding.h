/* rounding.h -- operations of float that round as their names say: to nearest (the even one of two), to zero, down or up. Both
 * languages have them by way of functions of their own; what M and the smcc_ words are, math.h says.
 *
 * The machine rounds sums and products to nearest and to zero, and integers to float in all four ways. All else is computed in integers,
 * to 25 bits or more whose lowest is set where something below them is, and such an integer is rounded by the machine. Operands that
 * are denormal are zeros of their sign; results are rounded as if exponents had no lower limit, and are zeros of their sign below 2^-126.
 * Instructions stand in assembly, because clang computes with its builtins as if all of them rounded to nearest, and fuses products and sums.
 */
enum { smcc_rn, smcc_rz, smcc_rd, smcc_ru };

#define SMCC_UNARY(name, insn, T, to, S, from)                                                     \
    M T name(S x)                                                                                  \
    {                                                                                              \
        T y;                                                                                       \
        __asm__(insn " %0, %1;" : "=" to(y) : from(x));                                            \
        return y;                                                                                  \
    }
#define SMCC_BINARY(name, insn)                                                                    \
    M float name(float x, float y)                                                                 \
    {                                                                                              \
        float z;                                                                                   \
        __asm__(insn " %0, %1, %2;" : "=f"(z) : "f"(x), "f"(y));                                   \
        return z;                                                                                  \
    }
/* conversions: i and u of 32 bits, l and ul of 64, to float and of 32 bits back */
#define SMCC_CONVERSIONS(r, p)                                                                     \
    SMCC_UNARY(smcc_i_##r, "cvt." p ".f32.s32", float, "f", int, "r")                              \
    SMCC_UNARY(smcc_u_##r, "cvt." p ".f32.u32", float, "f", unsigned, "r")                         \
    SMCC_UNARY(smcc_l_##r, "cvt." p ".f32.s64", float, "f", smcc_s64, "l")                         \
    SMCC_UNARY(smcc_ul_##r, "cvt." p ".f32.u64", float, "f", smcc_u64, "l")                        \
    SMCC_UNARY(smcc_to_i_##r, "cvt." p "i.s32.f32", int, "r", float, "f")                          \
    SMCC_UNARY(smcc_to_u_##r, "cvt." p "i.u32.f32", unsigned, "r", float, "f")
SMCC_CONVERSIONS(rn, "rn")
SMCC_CONVERSIONS(rz, "rz")
SMCC_CONVERSIONS(rd, "rm")
SMCC_CONVERSIONS(ru, "rp")
SMCC_BINARY(smcc_add_rn, "add.rn.f32")
SMCC_BINARY(smcc_add_rz, "add.rz.f32")
SMCC_BINARY(smcc_mul_rn, "mul.rn.f32")
SMCC_BINARY(smcc_mul_rz, "mul.rz.f32")
#undef SMCC_CONVERSIONS
#undef SMCC_BINARY
#undef SMCC_UNARY

/* m * 2^e with the sign in bit 31 of `sign`; m is below 2^31 and above 2^23 */
M float smcc_rounded(unsigned sign, unsigned m, int e, int mode)
{
    int n = sign ? -(int)m : (int)m;
    float f = mode == smcc_rn   ? smcc_i_rn(n)
              : mode == smcc_rz ? smcc_i_rz(n)
              : mode == smcc_rd ? smcc_i_rd(n)
                                : smcc_i_ru(n);
    int exponent = (int)(smcc_bits(f) >> 23 & 255) + e;
    int away = mode == smcc_rn || mode == (sign ? smcc_rd : smcc_ru);
    unsigned r = exponent < 1     ? sign
                 : exponent > 254 ? sign | (away ? 0x7f800000u : 0x7f7fffffu)
                                  : smcc_bits(f) + ((unsigned)e << 23);
    return smcc_float(r);
}

M unsigned smcc_exponent(float x)
{
    return smcc_bits(x) >> 23 & 255;
}

M unsigned smcc_mantissa(float x)
{
    return (smcc_bits(x) & 0x7fffffu) | 0x800000u;
}

M unsigned smcc_sign(float x, float y) /* of a product */
{
    return (smcc_bits(x) ^ smcc_bits(y)) & 0x80000000u;
}

M int smcc_is_plain(float x) /* neither zero nor infinite nor no number */
{
    return smcc_exponent(x) - 1 < 254;
}

M float smcc_product(float x, float y, int mode)
{
    if (mode == smcc_rn || !smcc_is_plain(x) || !smcc_is_plain(y))
        return smcc_mul_rn(x, y);
    if (mode == smcc_rz)
        return smcc_mul_rz(x, y);
    smcc_u64 p = (smcc_u64)smcc_mantissa(x) * smcc_mantissa(y);
    unsigned m = (unsigned)(p >> 18) | ((unsigned)p << 14 != 0);
    return smcc_rounded(smcc_sign(x, y), m, (int)smcc_exponent(x) + (int)smcc_exponent(y) - 282,
                        mode);
}

/* a * b + c in 64 bits: what falls out below is kept as their lowest bit. */
M float smcc_fma(float a, float b, float c, int mode)
{
    unsigned sign = smcc_sign(a, b), other = smcc_bits(c) & 0x80000000u;
    int zero_p = smcc_exponent(a) == 0 || smcc_exponent(b) == 0, zero_c = smcc_exponent(c) == 0;
    if (smcc_exponent(a) == 255 || smcc_exponent(b) == 255)
        return smcc_add_rn(smcc_mul_rn(a, b), c);
    if (smcc_exponent(c) == 255)
        return smcc_add_rn(c, c);
    if (zero_p && zero_c)
        return smcc_float(sign == other ? sign : mode == smcc_rd ? 0x80000000u : 0);
    if (zero_p)
        return c;
    smcc_u64 p = (smcc_u64)smcc_mantissa(a) * smcc_mantissa(b) << 14, r;
    smcc_u64 s = zero_c ? 0 : (smcc_u64)smcc_mantissa(c) << 38;
    int ep = (int)smcc_exponent(a) + (int)smcc_exponent(b) - 314; /* p * 2^ep, s * 2^es */
    int es = zero_c ? ep : (int)smcc_exponent(c) - 188, d = ep - es, e = d > 0 ? ep : es;
    smcc_u64 shifted = d > 0 ? s : p, by = (smcc_u64)(d > 0 ? d : -d);
    r = by > 63 ? 1 : shifted >> by | ((shifted >> by << by) != shifted);
    if (d > 0)
        s = r;
    else
        p = r;
    if (sign == other)
        r = p + s;
    else {
        r = p > s ? p - s : s - p;
        sign = s > p ? other : sign;
    }
    if (!r)
        return smcc_float(mode == smcc_rd ? 0x80000000u : 0);
    if (!(r >> 32)) {
        r <<= 32;
        e -= 32;
    }
    unsigned zeros = 158 - smcc_exponent(smcc_u_rz((unsigned)(r >> 32)));
    r <<= zeros;
    unsigned m = (unsigned)(r >> 33) | ((r & 0x1ffffffffu) != 0);
    return smcc_rounded(sign, m, e + 33 - (int)zeros, mode);
}

M float smcc_sum(float x, float y, int mode)
{
    return mode == smcc_rn   ? smcc_add_rn(x, y)
           : mode == smcc_rz ? smcc_add_rz(x, y)
                             : smcc_fma(x, 1.0f, y, mode);
}

/* x / y. The machine's quotient q of the mantissas is wrong by some 16 in its 26 bits; what it leaves says by how many, and that
 * fits a signed word, so its upper bits are not computed. */
M float smcc_divided(float x, float y, int mode)
{
    float inverse = smcc_div(1.0f, y);
    if (!smcc_is_plain(y))
        return smcc_mul_rn(x, inverse);
    if (!smcc_is_plain(x)) /* 0, infinite, no number */
        return smcc_exponent(x) ? smcc_add_rn(smcc_signed(x, y), smcc_signed(x, y))
                                : smcc_float(smcc_sign(x, y));
    unsigned n = smcc_mantissa(x), d = smcc_mantissa(y);
    inverse = smcc_div(1.0f, (float)d);
    unsigned q = (unsigned)((float)n * inverse * 0x1p25f);
    int left = (int)((n << 25) - q * d), more = (int)((float)left * inverse);
    q += (unsigned)more;
    left -= more * (int)d;
    if (left < 0) {
        q--;
        left += (int)d;
    }
    if (left >= (int)d) {
        q++;
        left -= (int)d;
    }
    return smcc_rounded(smcc_sign(x, y), q << 1 | (left != 0),
                        (int)smcc_exponent(x) - (int)smcc_exponent(y) - 26, mode);
}

/* The same for a root of 25 bits: of a mantissa times 2^25 or 2^26, so that the exponent is even. It is wrong by 7 at most; the sum
 * with 32 rounds to 2^-18, so `more` is what is missing or one too many. */
M float smcc_rooted(float x, int mode)
{
    if (smcc_exponent(x) == 0)
        return smcc_float(smcc_bits(x) & 0x80000000u);
    if (!smcc_is_plain(x) || smcc_bits(x) >> 31)
        return smcc_bits(x) == 0x7f800000u ? x : smcc_float(0x7fffffffu);
    int up = smcc_exponent(x) & 1 ? 25 : 26;
    float square = smcc_float((smcc_bits(x) & 0x7fffffu) + ((unsigned)up + 150u << 23));
    float near = smcc_sqrt(square);
    unsigned root = (unsigned)near, n = smcc_mantissa(x) << up;
    int left = (int)(n - root * root);
    int more = (int)((float)left * smcc_div(0.5f, near) + 32.0f) - 32;
    root += (unsigned)more;
    left = (int)(n - root * root);
    if (left < 0) {
        root--;
        left += (int)(root << 1) + 1;
    }
    return smcc_rounded(0, root << 1 | (left != 0), ((int)smcc_exponent(x) - 150 - up) / 2 - 1,
                        mode);
}
