/* test_smcc_builtins.c -- every form of OpenCL C 1.2's built-in functions: each function, in each type and width that the specification
 * gives it, but atomics, images and printf.
 *
 *     test_smcc_builtins [FUNCTION]
 *
 * A row is a function; kernels are made of it for each type. The scalar's results are compared with a formula, the vectors' with the
 * scalar's, bit by bit. Functions of float have only their forms tested where test_smcc_math.c measures their errors.
 */
#include "tests/lib/check.h"

#include <math.h>
#include "base/random.h"
#include "tests/lib/tools.h"

__extension__ typedef unsigned __int128 unsigned_wide;
__extension__ typedef __int128 wide; /* any value of a type, or the bits of a float */

enum { THREADS = 16, N = 16 * THREADS, WIDTHS = 6, ELEMENTS = N + 33 * THREADS, ARRAYS = 3 };
static const int widths[WIDTHS] = {1, 2, 3, 4, 8, 16};

enum { CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT, TYPES };
static const struct type {
    const char *name;
    int bytes;
    bool is_signed;
} types[TYPES] = {{"char", 1, true},    {"uchar", 1, false}, {"short", 2, true},
                  {"ushort", 2, false}, {"int", 4, true},    {"uint", 4, false},
                  {"long", 8, true},    {"ulong", 8, false}, {"float", 4, false}};
enum {
    SMALL = 1 << CHAR | 1 << UCHAR | 1 << SHORT | 1 << USHORT,
    UP_TO_32 = SMALL | 1 << INT | 1 << UINT,
    INTEGERS = UP_TO_32 | 1 << LONG | 1 << ULONG,
    FLOATS = 1 << FLOAT,
    ALL = INTEGERS | FLOATS,
    OF_32 = 1 << INT | 1 << UINT
};

static char *dir;
static const char *only; /* a function's name, or NULL: all */
static uint64_t inputs[TYPES][ARRAYS][N];

/* ---- values ---- */

static wide value(int type, uint64_t bits)
{
    int shift = 64 - 8 * types[type].bytes;
    return types[type].is_signed ? (wide)((int64_t)(bits << shift) >> shift)
                                 : (wide)(bits << shift >> shift);
}

static wide least(int type)
{
    return types[type].is_signed ? -((wide)1 << (8 * types[type].bytes - 1)) : 0;
}

static wide most(int type)
{
    return ((wide)1 << (8 * types[type].bytes - types[type].is_signed)) - 1;
}

static wide clamp(wide x, wide low, wide high)
{
    return x < low ? low : x > high ? high : x;
}

static double number(uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float x;
    memcpy(&x, &word, 4);
    return (double)x;
}

/* Ends of the ranges with each other, then drawn values of every size. Floats are no denormals, which the machine has not. */
static void make_inputs(void)
{
    static const uint32_t floats[16] = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                        0x7f800000, 0xff800000, 0x7fc00000, 0x3f000000,
                                        0xbf000000, 0x40200000, 0xc0600000, 0x4f000000,
                                        0x477fe000, 0x477ff000, 0x33800000, 0xb3000000};
    uint64_t state = 1;
    for (int t = 0; t < TYPES; t++)
        for (int a = 0; a < ARRAYS; a++)
            for (int i = 0; i < N; i++) {
                int special = a == 0 ? i / 8 : a == 1 ? i % 8 : (i + i / 8) % 8;
                const uint64_t ends[8] = {
                    0, 1, ~0ull, (uint64_t)most(t), (uint64_t)least(t), 7, 1ull << 31, 0x8000};
                uint64_t r = fl_random(&state), s = fl_random(&state);
                if (t != FLOAT)
                    inputs[t][a][i] = i < 64 ? ends[special] : r >> (s & 63);
                else {
                    uint32_t bits = (uint32_t)r;
                    bits = (bits & 0x807fffff) | (uint32_t)(100 + (s & 63)) << 23;
                    inputs[t][a][i] = i < 128 ? floats[a == 0 ? i / 8 : (i * 3 + i / 16) % 16]
                                              : bits;
                }
            }
}

/* ---- formulas ---- */

struct conversion {
    int to;
    char rounding; /* e z n p */
    bool clamped;
};
struct operands {
    int type;
    struct conversion by;
    wide a, b, c;
    int bits;
    uint64_t mask;
};
typedef wide formula(const struct operands *);

static wide want_abs(const struct operands *o)
{
    return o->a < 0 ? -o->a : o->a;
}
static wide want_abs_diff(const struct operands *o)
{
    return o->a < o->b ? o->b - o->a : o->a - o->b;
}
static wide want_add_sat(const struct operands *o)
{
    return clamp(o->a + o->b, least(o->type), most(o->type));
}
static wide want_sub_sat(const struct operands *o)
{
    return clamp(o->a - o->b, least(o->type), most(o->type));
}
static wide want_mad_sat(const struct operands *o)
{
    if (types[o->type].is_signed)
        return clamp(o->a * o->b + o->c, least(o->type), most(o->type));
    unsigned_wide sum = (unsigned_wide)o->a * (unsigned_wide)o->b + (unsigned_wide)o->c;
    return sum > (unsigned_wide)most(o->type) ? most(o->type) : (wide)sum;
}
static wide want_hadd(const struct operands *o)
{
    return (o->a + o->b) >> 1;
}
static wide want_rhadd(const struct operands *o)
{
    return (o->a + o->b + 1) >> 1;
}
static wide want_clamp(const struct operands *o)
{
    return o->b < o->c ? clamp(o->a, o->b, o->c) : clamp(o->a, o->c, o->b);
}
static wide want_clz(const struct operands *o)
{
    int n = 0;
    for (uint64_t bit = 1ull << (o->bits - 1); bit && !((uint64_t)o->a & bit); bit >>= 1)
        n++;
    return n;
}
static wide want_popcount(const struct operands *o)
{
    return __builtin_popcountll((uint64_t)o->a & o->mask);
}
static wide want_mul_hi(const struct operands *o)
{
    if (o->type == ULONG)
        return (wide)((unsigned_wide)o->a * (unsigned_wide)o->b >> 64);
    return o->a * o->b >> o->bits;
}
static wide want_mad_hi(const struct operands *o)
{
    return want_mul_hi(o) + o->c;
}
static wide want_max(const struct operands *o)
{
    return o->a > o->b ? o->a : o->b;
}
static wide want_min(const struct operands *o)
{
    return o->a < o->b ? o->a : o->b;
}
static wide want_rotate(const struct operands *o)
{
    unsigned by = (unsigned)((uint64_t)o->b & (uint64_t)(o->bits - 1));
    uint64_t x = (uint64_t)o->a & o->mask;
    return by ? (wide)(x << by | x >> ((unsigned)o->bits - by)) : (wide)x;
}
static wide want_upsample(const struct operands *o)
{
    return o->a * ((wide)1 << o->bits) + (o->b & (wide)o->mask);
}
static wide low_24(int type, wide x)
{
    return types[type].is_signed ? ((x & 0xffffff) ^ 0x800000) - 0x800000 : x & 0xffffff;
}
static wide want_mul24(const struct operands *o)
{
    return low_24(o->type, o->a) * low_24(o->type, o->b);
}
static wide want_mad24(const struct operands *o)
{
    return want_mul24(o) + o->c;
}
static wide want_bitselect(const struct operands *o)
{
    return (o->a & ~o->c) | (o->b & o->c);
}
static wide want_a(const struct operands *o)
{
    return o->a;
}
/* of a vector: by the top bit; scalars are rows of their own */
static wide want_select(const struct operands *o)
{
    return (uint64_t)o->c >> (o->bits - 1) & 1 ? o->b : o->a;
}
static wide want_select_scalar(const struct operands *o)
{
    return (uint64_t)o->c & o->mask ? o->b : o->a;
}

#define RELATION(name, is)                                                                         \
    static wide want_##name(const struct operands *o)                                              \
    {                                                                                              \
        double a = number((uint64_t)o->a), b = number((uint64_t)o->b);                             \
        (void)a, (void)b;                                                                          \
        return is;                                                                                 \
    }
RELATION(isequal, a == b)
RELATION(isnotequal, a != b)
RELATION(isgreater, a > b)
RELATION(isgreaterequal, a >= b)
RELATION(isless, a < b)
RELATION(islessequal, a <= b)
RELATION(islessgreater, a<b || a> b)
RELATION(isordered, a == a && b == b)
RELATION(isunordered, a != a || b != b)
RELATION(isnan, a != a)
RELATION(isinf, isinf(a) != 0)
RELATION(isfinite, isfinite(a) != 0)
RELATION(isnormal, a != 0 && isfinite(a))
RELATION(signbit, (o->a >> 31 & 1) != 0)

/* ---- halves ---- */

static double half_number(unsigned h)
{
    double m = h & 0x3ff;
    int e = (int)(h >> 10 & 31);
    double x = e == 0 ? ldexp(m, -24) : e < 31 ? ldexp(1024 + m, e - 25) : m != 0 ? NAN : INFINITY;
    return h & 0x8000 ? -x : x;
}

static wide want_load_half(const struct operands *o)
{
    float x = (float)half_number((unsigned)o->a & 0xffff);
    uint32_t bits;
    memcpy(&bits, &x, 4);
    return bits;
}

/* Of the magnitudes below and above x, by trying all; 0x10000: not a number. */
static unsigned want_half(uint64_t bits, char rounding)
{
    double x = number(bits), size = fabs(x);
    unsigned sign = (unsigned)(bits >> 16 & 0x8000), below = 0;
    if (x != x)
        return 0x7e00 | sign; /* the one NaN */
    while (below < 0x7c00 && half_number(below + 1) <= size)
        below++;
    double low = half_number(below), high = below < 0x7bff ? half_number(below + 1) : 65536.0;
    bool away = rounding == 'e'
                    ? size - low > high - size || (size - low == high - size && below & 1)
                : rounding == 'p' ? !sign
                : rounding == 'n' ? sign != 0
                                  : false;
    return sign | (below + (below < 0x7c00 && size != low && away));
}
static wide want_half_e(const struct operands *o)
{
    return want_half((uint64_t)o->a, 'e');
}
static wide want_half_z(const struct operands *o)
{
    return want_half((uint64_t)o->a, 'z');
}
static wide want_half_p(const struct operands *o)
{
    return want_half((uint64_t)o->a, 'p');
}
static wide want_half_n(const struct operands *o)
{
    return want_half((uint64_t)o->a, 'n');
}

/* ---- rows ---- */

enum { ONES = 1, SCALAR_ONLY = 2, STEP4 = 4 };
/* A result that the language leaves open. */
static const wide open_result = (wide)1 << 120;

/* In an expression $a $b $c are the operands, $w the width, $t $u $i the type and those of its size with and without sign; $k the
 * index of the element or vector, $p the address of the first operand's array, $l the thread's own local memory, $g the same of
 * global memory. Operands: t u i as above, n an int, f a float, h a ushort, = before it: one number for all. */
static const struct row {
    const char *name;
    int types;
    const char *operands, *expression, *scalar, *result;
    formula *want; /* NULL: the forms alone are compared */
    int flags;     /* ONES: true is -1 in a vector; STEP4: three elements lie four apart */
} rows[] = {
    {"abs", INTEGERS, "t", "abs($a)", NULL, "$u", want_abs, 0},
    {"abs_diff", INTEGERS, "tt", "abs_diff($a, $b)", NULL, "$u", want_abs_diff, 0},
    {"add_sat", INTEGERS, "tt", "add_sat($a, $b)", NULL, "$t", want_add_sat, 0},
    {"sub_sat", INTEGERS, "tt", "sub_sat($a, $b)", NULL, "$t", want_sub_sat, 0},
    {"mad_sat", INTEGERS, "ttt", "mad_sat($a, $b, $c)", NULL, "$t", want_mad_sat, 0},
    {"hadd", INTEGERS, "tt", "hadd($a, $b)", NULL, "$t", want_hadd, 0},
    {"rhadd", INTEGERS, "tt", "rhadd($a, $b)", NULL, "$t", want_rhadd, 0},
    {"clz", INTEGERS, "t", "clz($a)", NULL, "$t", want_clz, 0},
    {"popcount", INTEGERS, "t", "popcount($a)", NULL, "$t", want_popcount, 0},
    {"mul_hi", INTEGERS, "tt", "mul_hi($a, $b)", NULL, "$t", want_mul_hi, 0},
    {"mad_hi", INTEGERS, "ttt", "mad_hi($a, $b, $c)", NULL, "$t", want_mad_hi, 0},
    {"max", INTEGERS, "tt", "max($a, $b)", NULL, "$t", want_max, 0},
    {"max of one", INTEGERS, "t=t", "max($a, $b)", NULL, "$t", want_max, 0},
    {"min", INTEGERS, "tt", "min($a, $b)", NULL, "$t", want_min, 0},
    {"min of one", INTEGERS, "t=t", "min($a, $b)", NULL, "$t", want_min, 0},
    {"clamp", INTEGERS, "ttt", "clamp($a, min($b, $c), max($b, $c))", NULL, "$t", want_clamp, 0},
    {"clamp of one", INTEGERS, "t=t=t", "clamp($a, min($b, $c), max($b, $c))", NULL, "$t",
     want_clamp, 0},
    {"rotate", INTEGERS, "tt", "rotate($a, $b)", NULL, "$t", want_rotate, 0},
    {"upsample", SMALL, "tu", "upsample($a, $b)", NULL, "$2", want_upsample, 0},
    {"upsample", OF_32, "tu", "upsample($a, $b)", NULL, "$2", want_upsample, 0},
    {"mul24", OF_32, "tt", "mul24($a, $b)", NULL, "$t", want_mul24, 0},
    {"mad24", OF_32, "ttt", "mad24($a, $b, $c)", NULL, "$t", want_mad24, 0},
    {"bitselect", ALL, "ttt", "bitselect($a, $b, $c)", NULL, "$t", want_bitselect, 0},
    {"select", ALL, "tti", "select($a, $b, $c)", "select($a, $b, ($i)(($i)$c < 0))", "$t",
     want_select, 0},
    {"select", ALL, "ttu", "select($a, $b, $c)", "select($a, $b, ($u)(($i)$c < 0))", "$t",
     want_select, 0},
    {"select", ALL, "tti", "select($a, $b, $c)", NULL, "$t", want_select_scalar, SCALAR_ONLY},
    {"select", ALL, "ttu", "select($a, $b, $c)", NULL, "$t", want_select_scalar, SCALAR_ONLY},
    {"vload, vstore", ALL, "t", "(vstore$w($a, 0, $l), vload$w(0, $l))", "$a", "$t", want_a, 0},
    {"vload, vstore", ALL, "t", "({ $t all[17]; vstore$w($a, 0, all + 1); vload$w(0, all + 1); })",
     "$a", "$t", want_a, 0},
    {"isequal", FLOATS, "tt", "isequal($a, $b)", NULL, "int", want_isequal, ONES},
    {"isnotequal", FLOATS, "tt", "isnotequal($a, $b)", NULL, "int", want_isnotequal, ONES},
    {"isgreater", FLOATS, "tt", "isgreater($a, $b)", NULL, "int", want_isgreater, ONES},
    {"isgreaterequal", FLOATS, "tt", "isgreaterequal($a, $b)", NULL, "int", want_isgreaterequal,
     ONES},
    {"isless", FLOATS, "tt", "isless($a, $b)", NULL, "int", want_isless, ONES},
    {"islessequal", FLOATS, "tt", "islessequal($a, $b)", NULL, "int", want_islessequal, ONES},
    {"islessgreater", FLOATS, "tt", "islessgreater($a, $b)", NULL, "int", want_islessgreater, ONES},
    {"isordered", FLOATS, "tt", "isordered($a, $b)", NULL, "int", want_isordered, ONES},
    {"isunordered", FLOATS, "tt", "isunordered($a, $b)", NULL, "int", want_isunordered, ONES},
    {"isnan", FLOATS, "t", "isnan($a)", NULL, "int", want_isnan, ONES},
    {"isinf", FLOATS, "t", "isinf($a)", NULL, "int", want_isinf, ONES},
    {"isfinite", FLOATS, "t", "isfinite($a)", NULL, "int", want_isfinite, ONES},
    {"isnormal", FLOATS, "t", "isnormal($a)", NULL, "int", want_isnormal, ONES},
    {"signbit", FLOATS, "t", "signbit($a)", NULL, "int", want_signbit, ONES},
    {"vload_half", FLOATS, "h", "vload_half$w($k, (__global const half *)$p)", NULL, "float",
     want_load_half, 0},
    {"vloada_half", FLOATS, "h", "vloada_half$w($k, (__global const half *)$p)",
     "vload_half($k, (__global const half *)$p)", "float", want_load_half, STEP4},
#define STORE_HALF(o, want)                                                                        \
    {"vstore_half" o,                                                                              \
     FLOATS,                                                                                       \
     "t",                                                                                          \
     "(vstore_half$w" o "($a, 0, (__local half *)$l), vload$w(0, (__local ushort *)$l))",          \
     "(vstore_half" o "($a, 0, (__local half *)$l), *(__local ushort *)$l)",                       \
     "ushort",                                                                                     \
     want,                                                                                         \
     0},                                                                                           \
        {"vstore_half" o,                                                                          \
         FLOATS,                                                                                   \
         "t",                                                                                      \
         "(vstore_half$w" o "($a, 0, (__global half *)$g), vload$w(0, (__global ushort *)$g))",    \
         "(vstore_half" o "($a, 0, (__global half *)$g), *(__global ushort *)$g)",                 \
         "ushort",                                                                                 \
         want,                                                                                     \
         0},                                                                                       \
    {                                                                                              \
        "vstorea_half" o, FLOATS, "t",                                                             \
            "(vstorea_half$w" o "($a, 0, (__local half *)$l), vload$w(0, (__local ushort *)$l))",  \
            "(vstore_half" o "($a, 0, (__local half *)$l), *(__local ushort *)$l)", "ushort",      \
            want, 0                                                                                \
    }
    STORE_HALF("", want_half_e),
    STORE_HALF("_rte", want_half_e),
    STORE_HALF("_rtz", want_half_z),
    STORE_HALF("_rtp", want_half_p),
    STORE_HALF("_rtn", want_half_n),
/* functions of float: a form is right when it gives the scalar's bits */
/* clang-format off */
#define FORM1(f) {#f, FLOATS, "t", #f "($a)", NULL, "$t", NULL, 0}
#define FORM2(f) {#f, FLOATS, "tt", #f "($a, $b)", NULL, "$t", NULL, 0}
#define FORM3(f) {#f, FLOATS, "ttt", #f "($a, $b, $c)", NULL, "$t", NULL, 0}
#define FORM2S(f) {#f " of one", FLOATS, "t=t", #f "($a, $b)", NULL, "$t", NULL, 0}
#define FORMN(f) {#f, FLOATS, "tn", #f "($a, $b)", NULL, "$t", NULL, 0}
    FORM1(acos), FORM1(acosh), FORM1(acospi), FORM1(asin), FORM1(asinh), FORM1(asinpi), FORM1(atan),
    FORM2(atan2), FORM1(atanh), FORM1(atanpi), FORM2(atan2pi), FORM1(cbrt), FORM1(ceil),
    FORM2(copysign), FORM1(cos), FORM1(cosh), FORM1(cospi), FORM1(erfc), FORM1(erf), FORM1(exp),
    FORM1(exp2), FORM1(exp10), FORM1(expm1), FORM1(fabs), FORM2(fdim), FORM1(floor), FORM3(fma),
    FORM2(fmax), FORM2S(fmax), FORM2(fmin), FORM2S(fmin), FORM2(fmod), FORM2(hypot), FORMN(ldexp),
    {"ldexp of one", FLOATS, "t=n", "ldexp($a, $b)", NULL, "$t", NULL, 0},
    {"ilogb", FLOATS, "t", "ilogb($a)", NULL, "int", NULL, 0},
    FORM1(lgamma), FORM1(log), FORM1(log2), FORM1(log10), FORM1(log1p), FORM1(logb), FORM3(mad),
    FORM2(maxmag), FORM2(minmag), {"nan", FLOATS, "u", "nan($a)", NULL, "$t", NULL, 0},
    FORM2(nextafter), FORM2(pow), FORMN(pown), FORM2(powr), FORM2(remainder), FORM1(rint),
    FORMN(rootn), FORM1(round), FORM1(rsqrt), FORM1(sin), FORM1(sinh), FORM1(sinpi), FORM1(sqrt),
    FORM1(tan), FORM1(tanh), FORM1(tanpi), FORM1(tgamma), FORM1(trunc),
    FORM1(half_cos), FORM2(half_divide), FORM1(half_exp), FORM1(half_exp2), FORM1(half_exp10),
    FORM1(half_log), FORM1(half_log2), FORM1(half_log10), FORM2(half_powr), FORM1(half_recip),
    FORM1(half_rsqrt), FORM1(half_sin), FORM1(half_sqrt), FORM1(half_tan),
    FORM1(native_cos), FORM2(native_divide), FORM1(native_exp), FORM1(native_exp2),
    FORM1(native_exp10), FORM1(native_log), FORM1(native_log2), FORM1(native_log10),
    FORM2(native_powr), FORM1(native_recip), FORM1(native_rsqrt), FORM1(native_sin),
    FORM1(native_sqrt), FORM1(native_tan),
    FORM3(clamp), {"clamp of one", FLOATS, "t=t=t", "clamp($a, $b, $c)", NULL, "$t", NULL, 0},
    FORM1(degrees), FORM1(radians), FORM2(max), FORM2S(max), FORM2(min), FORM2S(min), FORM3(mix),
    {"mix of one", FLOATS, "tt=t", "mix($a, $b, $c)", NULL, "$t", NULL, 0}, FORM2(step),
    {"step of one", FLOATS, "=tt", "step($a, $b)", NULL, "$t", NULL, 0}, FORM3(smoothstep),
    {"smoothstep of one", FLOATS, "=t=tt", "smoothstep($a, $b, $c)", NULL, "$t", NULL, 0},
    FORM1(sign),
/* with a second result, in each memory */
#define SECOND(f, operands, call, s)                                                               \
    {f, FLOATS, operands, "({ " s "$w second; $t$w r = " f "(" call ", &second); r + convert_float$w(second); })", \
     NULL, "$t", NULL, 0},                                                                         \
        {f, FLOATS, operands,                                                                      \
         "({ $t$w r = " f "(" call ", (__local " s "$w *)$l); r + convert_float$w(*(__local " s "$w *)$l); })", \
         NULL, "$t", NULL, 0},                                                                     \
        {f, FLOATS, operands,                                                                      \
         "({ $t$w r = " f "(" call ", (__global " s "$w *)$g); r + convert_float$w(*(__global " s "$w *)$g); })", \
         NULL, "$t", NULL, 0}
    SECOND("fract", "t", "$a", "float"), SECOND("modf", "t", "$a", "float"),
    SECOND("sincos", "t", "$a", "float"), SECOND("frexp", "t", "$a", "int"),
    SECOND("lgamma_r", "t", "$a", "int"), SECOND("remquo", "tt", "$a, $b", "int"),
};

/* ---- conversions ---- */

static wide want_float(wide x, char rounding)
{
    float f = (float)x;
    bool above = (wide)f > x, below = (wide)f < x;
    if ((rounding == 'n' && above) || (rounding == 'z' && x > 0 && above))
        f = nextafterf(f, -INFINITY);
    else if ((rounding == 'p' && below) || (rounding == 'z' && x < 0 && below))
        f = nextafterf(f, INFINITY);
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static wide want_convert(const struct operands *o)
{
    if (o->type != FLOAT)
        return o->by.to == FLOAT ? want_float(o->a, o->by.rounding)
               : o->by.clamped   ? clamp(o->a, least(o->by.to), most(o->by.to))
                              : o->a;
    if (o->by.to == FLOAT)
        return o->a;
    double x = number((uint64_t)o->a);
    x = o->by.rounding == 'e' ? rint(x) : o->by.rounding == 'p' ? ceil(x) : o->by.rounding == 'n' ? floor(x) : trunc(x);
    if (x != x)
        return o->by.clamped ? 0 : open_result;
    bool in_range = x >= (double)least(o->by.to) && x < (double)most(o->by.to) + 1.0;
    if (!in_range && !o->by.clamped)
        return open_result;
    return x < (double)least(o->by.to) ? least(o->by.to) : !in_range ? most(o->by.to) : (wide)x;
}

/* ---- kernels ---- */

struct form {
    const struct row *row;
    int type;
    struct conversion by;
};

static struct form *forms;
static int nforms;

static int type_named(const char *name)
{
    for (int t = 0; t < TYPES; t++)
        if (strcmp(types[t].name, name) == 0)
            return t;
    return -1;
}

/* The type of the operand's kind. */
static int kind(const struct form *f, char letter)
{
    int t = f->type;
    return letter == 'n'   ? INT
           : letter == 'h' ? USHORT
           : letter == 't' ? t
           : t == FLOAT    ? letter == 'u' ? UINT : INT
           : letter == 'u' ? t | 1
                           : t & ~1;
}

static int result_type(const struct form *f)
{
    const char *r = f->row->result;
    return r[0] != '$' ? type_named(r) : r[1] == '2' ? f->type + 2 : kind(f, r[1]);
}

static int array_at(int type, int array)
{
    return (type * ARRAYS + array) * N * 8;
}

static void put_operand(struct fl_buf *b, const struct form *f, int which, const char *index, int w)
{
    const char *o = f->row->operands;
    bool one = false;
    for (int i = 0; i < which || *o == '='; o++) {
        one = *o == '=';
        i += !one;
    }
    int type = kind(f, *o);
    char from[80];
    snprintf(from, sizeof from, "(__global const %s *)(X + %d)", types[type].name, array_at(type, which));
    if (one || w == 1)
        fl_buf_printf(b, "(%s)[%s]", from, one ? "0" : index);
    else
        fl_buf_printf(b, "vload%d(%s, %s)", w, index, from);
}

static void put_expression(struct fl_buf *b, const struct form *f, const char *text,
                           const char *index, int w)
{
    for (const char *c = text; *c; c++) {
        if (*c != '$') {
            fl_buf_printf(b, "%c", *c);
            continue;
        }
        switch (*++c) {
        case 'a':
        case 'b':
        case 'c':
            put_operand(b, f, *c - 'a', index, w);
            break;
        case 'k':
            fl_buf_printf(b, "%s", index);
            break;
        case 'w':
            if (w > 1)
                fl_buf_printf(b, "%d", w);
            break;
        case 'p':
            fl_buf_printf(b, "(X + %d)", array_at(kind(f, f->row->operands[0]), 0));
            break;
        case 'l':
        case 'g':
            fl_buf_printf(b, "((__%s %s *)(%c + 128 * T))", *c == 'l' ? "local" : "global",
                          types[f->type].name, *c == 'l' ? 'L' : 'G');
            break;
        default:
            fl_buf_printf(b, "%s", types[kind(f, *c)].name);
        }
    }
}

/* Every form has the scalar and, without CHECK_ALL, two of the five widths of vectors, or one under sanitizers. */
static bool has_width(int at, int w)
{
    return !(forms[at].row->flags & SCALAR_ONLY) && (!check_few() || (w + at) % 5 < 2 - SANITIZED);
}

static void put_kernel(struct fl_buf *b, int at)
{
    const struct form *f = &forms[at];
    const char *result = types[result_type(f)].name;
    fl_buf_printf(b,
                  "__kernel void k%d(__global uchar *O, __global const uchar *X, __global uchar *G)\n"
                  "{\n    __local uchar L[%d];\n    uint T = get_local_id(0);\n    __global %s *to = "
                  "(__global %s *)O;\n#pragma unroll 1\n    for (uint e = T; e < %d; e += %d)\n        to[e] = ",
                  at, THREADS * 128, result, result, N, THREADS);
    put_expression(b, f, f->row->scalar ? f->row->scalar : f->row->expression, "e", 1);
    fl_buf_printf(b, ";\n    to += %d;\n", N);
    for (int w = 1; w < WIDTHS; w++) {
        if (!has_width(at, w))
            continue;
        fl_buf_printf(b, "    vstore%d(", widths[w]);
        put_expression(b, f, f->row->expression, "T", widths[w]);
        fl_buf_printf(b, ", T, to);\n    to += %d;\n", THREADS * widths[w]);
    }
    fl_buf_printf(b, "}\n");
}

/* ---- results ---- */

static wide result_at(const uint8_t *out, int type, int index)
{
    uint64_t bits = 0;
    memcpy(&bits, out + index * types[type].bytes, (size_t)types[type].bytes);
    return value(type, bits);
}

static wide wanted(const struct form *f, int index)
{
    struct operands o = {.type = f->type, .by = f->by, .bits = 8 * types[f->type].bytes};
    wide *operand[ARRAYS] = {&o.a, &o.b, &o.c};
    const char *c = f->row->operands;
    o.mask = o.bits == 64 ? ~0ull : (1ull << o.bits) - 1;
    for (int i = 0; *c; i++, c++) {
        bool one = *c == '=';
        c += one;
        int type = kind(f, *c);
        *operand[i] = value(type, inputs[type][i][one ? 0 : index]);
    }
    wide want = f->row->want(&o);
    return want == open_result ? want : value(result_type(f), (uint64_t)want);
}

/* A machine without denormals and with one NaN: a float that is none of both is compared by its bits. */
static bool differs(int type, wide got, wide want)
{
    double x = number((uint64_t)got), y = number((uint64_t)want);
    return got != want && !(type == FLOAT && ((x != x && y != y) || (x == 0 && fabs(y) < 0x1p-126)));
}

static int complain(const struct form *f, int w, int index, wide got, wide want)
{
    printf("\n    %s of %s, width %d, element %d: %#llx, not %#llx", f->row->name,
           types[f->type].name, w, index, (unsigned long long)got, (unsigned long long)want);
    return 1;
}

static int check_form(int which, const uint8_t *out)
{
    const struct form *f = &forms[which];
    int type = result_type(f), at = N;
    for (int i = 0; i < N; i++) {
        wide got = result_at(out, type, i), want = f->row->want ? wanted(f, i) : got;
        if (want != open_result && differs(type, got, want))
            return complain(f, 1, i, got, want);
    }
    for (int w = 1; w < WIDTHS; w++)
        for (int i = 0; i < THREADS * widths[w] && has_width(which, w); i++, at++) {
            int from = f->row->flags & STEP4 && widths[w] == 3 ? i / 3 * 4 + i % 3 : i;
            wide got = result_at(out, type, at), want = result_at(out, type, from);
            if (f->row->flags & ONES)
                want = -want;
            if (got != want && !(f->row->want && wanted(f, from) == open_result))
                return complain(f, widths[w], i, got, want);
        }
    return 0;
}

/* Compiles and runs the forms; what they leave, each in its own buffer. */
static int run_forms(int first, int end)
{
    struct fl_buf cl = {0}, job = {0}, out = {0};
    int wrong = 0;
    fl_buf_printf(&job, "<job profile=\"g80\" cubin=\"b.cubin\">\n<buffer name=\"x\" size=\"%d\"><file path=\"x\"/></buffer>"
                        "<buffer name=\"g\" size=\"%d\"/>\n",
                  TYPES * ARRAYS * N * 8, THREADS * 128);
    for (int i = first; i < end; i++) {
        put_kernel(&cl, i);
        fl_buf_printf(&job, "<buffer name=\"o%d\" size=\"%d\"/>\n", i, ELEMENTS * 8);
    }
    for (int i = first; i < end; i++)
        fl_buf_printf(&job,
                      "<launch kernel=\"k%d\" grid=\"1\" block=\"%d\"><param offset=\"0x10\" "
                      "buffer=\"o%d\"/><param offset=\"0x14\" buffer=\"x\"/><param offset=\"0x18\" "
                      "buffer=\"g\"/></launch>\n",
                      i, THREADS, i);
    for (int i = first; i < end; i++)
        fl_buf_printf(&job, "<output name=\"o%d\" buffer=\"o%d\"/>\n", i, i);
    fl_buf_printf(&job, "</job>\n");
    tools_put(dir, "b.cl", cl.data, cl.size);
    tools_put(dir, "b.job.xml", job.data, job.size);
    fl_buf_free(&job);
    fl_buf_printf(&job, "smcc b.cl -o b.cubin && smrun b.job.xml");
    for (int i = first; i < end; i++)
        fl_buf_printf(&job, " --dump o%d=o%d", i, i);
    int status = tools_run(dir, &out, "%s 2>&1", job.data);
    if (status != 0) {
        printf("\n    %.2000s", (char *)out.data);
        wrong++;
    }
    for (int i = first; i < end && status == 0; i++) {
        char *path = fl_format("%s/o%d", dir, i);
        fl_buf_free(&out);
        CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &out, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(out.size, ELEMENTS * 8);
        wrong += check_form(i, out.data);
        free(path);
    }
    fl_buf_free(&cl);
    fl_buf_free(&job);
    fl_buf_free(&out);
    return wrong;
}

static void add_form(const struct row *row, int type, struct conversion by)
{
    if (only && strcmp(only, row->name) != 0)
        return;
    forms = fl_grow(forms, (size_t)nforms + 1, sizeof *forms);
    forms[nforms++] = (struct form){row, type, by};
}

static void put_inputs(void)
{
    uint8_t *x = fl_alloc(TYPES * ARRAYS * N * 8);
    for (int t = 0; t < TYPES; t++)
        for (int a = 0; a < ARRAYS; a++)
            for (int i = 0; i < N; i++)
                memcpy(x + array_at(t, a) + i * types[t].bytes, &inputs[t][a][i],
                       (size_t)types[t].bytes);
    tools_put(dir, "x", x, TYPES * ARRAYS * N * 8);
    free(x);
}

static void expect_forms(void)
{
    enum { TOGETHER = 48 };
    put_inputs();
    for (int i = 0; i < nforms; i += TOGETHER)
        CU_ASSERT_EQUAL(run_forms(i, i + TOGETHER < nforms ? i + TOGETHER : nforms), 0);
    free(forms);
    forms = NULL;
    nforms = 0;
}

static void every_function_has_every_type_and_width(void)
{
    if (!check_clang())
        return;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (int t = 0; t < TYPES; t++)
            if (rows[r].types >> t & 1)
                add_form(&rows[r], t, (struct conversion){0});
    expect_forms();
}

static struct row made[TYPES * TYPES * 10]; /* rows of families */
static int nmade;

static void make_row(formula *want, struct conversion by, int from, const char *format, const char *ending)
{
    char *text = fl_format(format, types[by.to].name, ending);
    made[nmade] = (struct row){text, 1 << from, "t", text, NULL, types[by.to].name, want, 0};
    add_form(&made[nmade++], from, by);
}

static void expect_made(void)
{
    expect_forms();
    while (nmade)
        free((char *)(uintptr_t)made[--nmade].name);
}

/* Without CHECK_ALL a part of them, another for each type. */
static void every_conversion_rounds_and_clamps(void)
{
    enum { PART = SANITIZED ? 13 : 7 };
    static const char *const endings[] = {"", "_rte", "_rtz", "_rtn", "_rtp",
                                          "_sat", "_sat_rte", "_sat_rtz", "_sat_rtn", "_sat_rtp"};
    if (!check_clang())
        return;
    for (int from = 0, n = 0; from < TYPES; from++)
        for (int to = 0; to < TYPES; to++)
            for (int e = 0; e < (to == FLOAT ? 5 : 10); e++)
                if (!check_few() || n++ % PART == from)
                    make_row(want_convert,
                             (struct conversion){to,
                                                 e % 5         ? endings[e % 5][3]
                                                 : to == FLOAT ? 'e'
                                                               : 'z',
                                                 e >= 5},
                             from, "convert_%s$w%s($a)", endings[e]);
    expect_made();
}

static void the_bits_of_a_value_are_any_type_of_its_size(void)
{
    if (!check_clang())
        return;
    for (int from = 0; from < TYPES; from++)
        for (int to = 0; to < TYPES; to++)
            if (types[from].bytes == types[to].bytes)
                make_row(want_a, (struct conversion){.to = to}, from, "as_%s$w%s($a)", "");
    expect_made();
}

/* ---- functions whose result has another width than their operands: kernels with their own loops ---- */

/* Compiles the kernels, one a type; runs each, and gives check() what it leaves. */
static void expect_kernels(const struct fl_buf *cl, int of_types, size_t bytes,
                           int (*check)(int type, const uint8_t *out))
{
    struct fl_buf out = {0};
    char *path = fl_format("%s/o", dir);
    tools_put(dir, "s.cl", cl->data, cl->size);
    put_inputs();
    int status = tools_run(dir, &out, "smcc s.cl -o s.cubin 2>&1");
    for (int t = 0; t < TYPES && status == 0; t++) {
        if (!(of_types >> t & 1))
            continue;
        status = tools_run(dir, &out,
                           "smrun s.cubin --kernel k%s --grid 1 --block %d --buffer x=./x --buffer o=%zu "
                           "--param O:buf:o --param X:buf:x --dump o=o 2>&1",
                           types[t].name, THREADS, bytes);
        if (status)
            break;
        fl_buf_free(&out);
        CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &out, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(out.size, bytes);
        CU_ASSERT_EQUAL(check(t, out.data), 0);
    }
    if (status)
        printf("\n    %.2000s", (char *)out.data);
    CU_ASSERT_EQUAL(status, 0);
    fl_buf_free(&out);
    free(path);
}

static void begin_kernel(struct fl_buf *cl, int type)
{
    const char *name = types[type].name;
    fl_buf_printf(cl, "__kernel void k%s(__global uchar *O, __global const uchar *X)\n{\n    uint T = get_local_id(0);\n", name);
    for (int i = 0; i < ARRAYS; i++)
        fl_buf_printf(cl, "    __global const %s *%c = (__global const %s *)(X + %d);\n", name, "abc"[i], name, array_at(type, i));
}

static int same(int type, const char *what, int index, wide got, wide want)
{
    if (got == want)
        return 0;
    printf("\n    %s of %s, element %d: %#llx, not %#llx", what, types[type].name, index,
           (unsigned long long)got, (unsigned long long)want);
    return 1;
}

/* What is left of every m and n follows one another: shuffle, then shuffle2. */
enum { SHUFFLED = 2 * 4 * (2 + 4 + 8 + 16) * THREADS };

static int check_shuffled(int type, const uint8_t *out)
{
    int at = 0, wrong = 0, unsigned_type = kind(&(struct form){.type = type}, 'u');
    for (int m = 2; m <= 16; m *= 2)
        for (int n = 2; n <= 16; n *= 2)
            for (int two = 0; two < 2; two++)
                for (int i = 0; i < n * THREADS && !wrong; i++, at++) {
                    int mask = (int)(inputs[unsigned_type][2][i] & (uint64_t)((two ? 2 * m : m) - 1));
                    uint64_t want = inputs[type][mask / m][i / n * m + mask % m];
                    wrong = same(type, two ? "shuffle2" : "shuffle", at, result_at(out, type, at), value(type, want));
                }
    return wrong;
}

static void elements_are_shuffled_by_a_mask(void)
{
    struct fl_buf cl = {0};
    if (!check_clang())
        return;
    for (int t = 0; t < TYPES; t++) {
        int u = kind(&(struct form){.type = t}, 'u');
        begin_kernel(&cl, t);
        fl_buf_printf(&cl, "    __global const %s *d = (__global const %s *)(X + %d);\n    __global %s *o = (__global %s *)O;\n",
                      types[u].name, types[u].name, array_at(u, 2), types[t].name, types[t].name);
        for (int m = 2; m <= 16; m *= 2)
            for (int n = 2; n <= 16; n *= 2)
                fl_buf_printf(&cl,
                              "    vstore%d(shuffle(vload%d(T, a), vload%d(T, d)), T, o);\n    o += %d;\n"
                              "    vstore%d(shuffle2(vload%d(T, a), vload%d(T, b), vload%d(T, d)), T, o);\n    o += %d;\n",
                              n, m, n, n * THREADS, n, m, m, n, n * THREADS);
        fl_buf_printf(&cl, "}\n");
    }
    expect_kernels(&cl, ALL, SHUFFLED * 8, check_shuffled);
    fl_buf_free(&cl);
}

/* 7 and 5 elements, of which the second come from every second place and go to every third. */
enum { COPIED = 7, STRIDED = 5, COPIES = (COPIED + 3 * STRIDED) * 16 * 8 };

static int check_copied(int type, const uint8_t *out)
{
    int wrong = 0;
    for (int v = 0; v < WIDTHS; v++) {
        int w = widths[v], step = w == 3 ? 4 : w;
        const uint8_t *of = out + v * COPIES;
        for (int i = 0; i < COPIED + STRIDED && !wrong; i++) {
            int from = i < COPIED ? i + 1 : 2 * (i - COPIED), to = i < COPIED ? i : COPIED + 3 * (i - COPIED);
            for (int e = 0; e < w && !wrong; e++)
                wrong = same(type, "async copy", i, result_at(of, type, to * step + e),
                             value(type, inputs[type][0][from * step + e]));
        }
    }
    return wrong;
}

static void blocks_copy_between_memories(void)
{
    struct fl_buf cl = {0};
    if (!check_clang())
        return;
    for (int t = 0; t < TYPES; t++) {
        begin_kernel(&cl, t);
        fl_buf_printf(&cl, "    event_t e;\n");
        for (int v = 0; v < WIDTHS; v++) {
            char name[12] = "";
            snprintf(name, sizeof name, v ? "%s%d" : "%s", types[t].name, widths[v]);
            fl_buf_printf(&cl, "    __local %s l%d[%d];\n", name, v, COPIED + STRIDED);
            fl_buf_printf(&cl,
                          "    prefetch((__global const %s *)a, 4);\n"
                          "    e = async_work_group_copy(l%d, (__global const %s *)a + 1, %d, 0);\n"
                          "    e = async_work_group_strided_copy(l%d + %d, (__global const %s *)a, %d, 2, e);\n"
                          "    wait_group_events(1, &e);\n"
                          "    e = async_work_group_copy((__global %s *)(O + %d), l%d, %d, 0);\n"
                          "    e = async_work_group_strided_copy((__global %s *)(O + %d) + %d, l%d + %d, %d, 3, e);\n"
                          "    wait_group_events(1, &e);\n",
                          name, v, name, COPIED, v, COPIED, name, STRIDED, name, v * COPIES, v, COPIED, name,
                          v * COPIES, COPIED, v, COPIED, STRIDED);
        }
        fl_buf_printf(&cl, "}\n");
    }
    expect_kernels(&cl, ALL, WIDTHS * COPIES, check_copied);
    fl_buf_free(&cl);
}

static int check_any(int type, const uint8_t *out)
{
    int at = 0, wrong = 0;
    for (int v = 0; v < WIDTHS; v++)
        for (int i = 0; i < THREADS; i++, at += 2) {
            int set = 0;
            for (int e = 0; e < widths[v]; e++)
                set += value(type, inputs[type][0][i * widths[v] + e]) < 0;
            wrong += same(type, "any", at, result_at(out, INT, at), set > 0);
            wrong += same(type, "all", at, result_at(out, INT, at + 1), set == widths[v]);
        }
    return wrong;
}

static void any_and_all_look_at_the_top_bits(void)
{
    struct fl_buf cl = {0};
    if (!check_clang())
        return;
    for (int t = CHAR; t <= LONG; t += 2) {
        begin_kernel(&cl, t);
        fl_buf_printf(&cl, "    __global int *o = (__global int *)O;\n    o[2 * T] = any(a[T]);\n    o[2 * T + 1] = all(a[T]);\n");
        for (int v = 1; v < WIDTHS; v++)
            fl_buf_printf(&cl, "    o[%d + 2 * T] = any(vload%d(T, a));\n    o[%d + 2 * T + 1] = all(vload%d(T, a));\n",
                          2 * v * THREADS, widths[v], 2 * v * THREADS, widths[v]);
        fl_buf_printf(&cl, "}\n");
    }
    expect_kernels(&cl, 1 << CHAR | 1 << SHORT | 1 << INT | 1 << LONG, 2 * WIDTHS * THREADS * 4, check_any);
    fl_buf_free(&cl);
}

/* ---- geometry ---- */

enum { PLAIN = 128, RESULTS = 7 }; /* inputs from PLAIN on are finite and not zero; results of a vector of up to 4 */

static bool is_near(double got, double want, double size)
{
    return fabs(got - want) <= 4e-6 * size;
}

static int check_geometry(int type, const uint8_t *out)
{
    int wrong = 0;
    for (int n = 1; n <= 4 && !wrong; n++)
        for (int i = 0; i < THREADS && !wrong; i++) {
            double dot = 0, size = 0, length = 0, distance = 0;
            const uint8_t *r = out + ((n - 1) * THREADS + i) * 16 * 4;
            for (int e = 0; e < n; e++) {
                double x = number(inputs[type][0][PLAIN + i * n + e]), y = number(inputs[type][1][PLAIN + i * n + e]);
                dot += x * y;
                size += fabs(x * y);
                length += x * x;
                distance += (x - y) * (x - y);
            }
            length = sqrt(length);
            distance = sqrt(distance);
            const double want[RESULTS] = {dot, length, distance, length, distance,
                                          number(inputs[type][0][PLAIN + i * n]) / length,
                                          number(inputs[type][0][PLAIN + i * n]) / length};
            for (int k = 0; k < RESULTS; k++)
                if (!is_near(number((uint64_t)result_at(r, FLOAT, k)), want[k], k == 0 ? size : fabs(want[k]) + (k > 4) * 1e-3)) {
                    printf("\n    geometry %d of width %d: %a, not %a", k, n, number((uint64_t)result_at(r, FLOAT, k)), want[k]);
                    wrong++;
                }
            if (n >= 3)
                for (int e = 0; e < 3; e++) {
                    double u[2][3];
                    for (int k = 0; k < 6; k++)
                        u[k / 3][k % 3] = number(inputs[type][k / 3][PLAIN + i * n + k % 3]);
                    double p = u[0][(e + 1) % 3] * u[1][(e + 2) % 3], q = u[0][(e + 2) % 3] * u[1][(e + 1) % 3];
                    wrong += !is_near(number((uint64_t)result_at(r, FLOAT, RESULTS + e)), p - q, fabs(p) + fabs(q));
                }
            if (n == 4)
                wrong += same(type, "cross", 3, result_at(r, FLOAT, RESULTS + 3), 0);
        }
    return wrong;
}

static void geometry_has_vectors_of_up_to_four(void)
{
    struct fl_buf cl = {0};
    if (!check_clang())
        return;
    begin_kernel(&cl, FLOAT);
    fl_buf_printf(&cl, "    a += %d;\n    b += %d;\n    __global float *o = (__global float *)O + 16 * T;\n", PLAIN, PLAIN);
    for (int n = 1; n <= 4; n++) {
        char x[24] = "a[T]", y[24] = "b[T]";
        if (n > 1) {
            snprintf(x, sizeof x, "vload%d(T, a)", n);
            snprintf(y, sizeof y, "vload%d(T, b)", n);
        }
        fl_buf_printf(&cl,
                      "    o[0] = dot(%s, %s);\n    o[1] = length(%s);\n    o[2] = distance(%s, %s);\n"
                      "    o[3] = fast_length(%s);\n    o[4] = fast_distance(%s, %s);\n    o[5] = normalize(%s)%s;\n"
                      "    o[6] = fast_normalize(%s)%s;\n",
                      x, y, x, x, y, x, x, y, x, n > 1 ? ".x" : "", x, n > 1 ? ".x" : "");
        if (n >= 3)
            fl_buf_printf(&cl, "    vstore%d(cross(%s, %s), 0, o + %d);\n", n, x, y, RESULTS);
        fl_buf_printf(&cl, "    o += %d;\n", 16 * THREADS);
    }
    fl_buf_printf(&cl, "}\n");
    expect_kernels(&cl, FLOATS, 4 * 16 * THREADS * 4, check_geometry);
    fl_buf_free(&cl);
}

int main(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : NULL;
    dir = tools_folder();
    make_inputs();
    int status = CHECK_RUN("smcc_builtins", CHECK(every_function_has_every_type_and_width),
                           CHECK(every_conversion_rounds_and_clamps),
                           CHECK(the_bits_of_a_value_are_any_type_of_its_size),
                           CHECK(elements_are_shuffled_by_a_mask), CHECK(blocks_copy_between_memories),
                           CHECK(any_and_all_look_at_the_top_bits),
                           CHECK(geometry_has_vectors_of_up_to_four));
    tools_remove(dir);
    return status;
}
