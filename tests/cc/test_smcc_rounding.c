/* test_smcc_rounding.c -- functions whose names say how they round, on the machine, against the host's arithmetic in the same rounding.
 *
 *     test_smcc_rounding [--seed S] [--count N]
 *
 * Every special value with every other, then N drawn ones (4,096). What the promise is where the machine has no denormals,
 * docs/reference/arithmetic.md says: operands are zeros, and so are results below 2^-126, rounded as if exponents had no lower limit.
 */
#include "tests/lib/check.h"

#include <fenv.h>
#include <math.h>
#include <unistd.h>
#include "base/random.h"
#include "tests/lib/tools.h"

enum { BATCH = 8192, BLOCK = 128, ROUNDINGS = 4 };

static const struct rounding {
    const char *cuda, *opencl;
    int mode;
} roundings[ROUNDINGS] = {{"rn", "rte", FE_TONEAREST},
                          {"rz", "rtz", FE_TOWARDZERO},
                          {"rd", "rtn", FE_DOWNWARD},
                          {"ru", "rtp", FE_UPWARD}};

static uint64_t seed = 1;
static int count = SANITIZED ? 1024 : 4096;
static char *dir;

/* What a thread reads; x, y, z are the numbers of functions of float. */
struct input {
    float x, y, z;
    uint32_t unused;
    uint64_t n;
};

static float of_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* ---- what is right: the host rounds as fesetround() says, so nothing may be computed before or kept.
 * Small results are computed 2^100 times as large. ---- */

static float flushed(float x)
{
    return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

/* A result that is `by` times as large as it should be. */
static float unscaled(float x, float by)
{
    return fabsf(x) < 0x1p-126f * by ? copysignf(0, x) : x / by;
}

static float sum(float x, float y)
{
    volatile float r = x + y; /* exact where it is small */
    return flushed(r);
}

static float difference(float x, float y)
{
    return sum(x, -y);
}

static float product(float x, float y)
{
    float small = fabsf(x) < fabsf(y) ? x : y, large = fabsf(x) < fabsf(y) ? y : x;
    volatile float r = x * y, scaled = small * 0x1p100f;
    if (!(fabsf(r) < 0x1p-120f) || r == 0)
        return small == 0 || !(fabsf(r) < 0x1p-120f) ? r : unscaled(scaled * large, 0x1p100f);
    r = scaled * large;
    return unscaled(r, 0x1p100f);
}

static float quotient(float x, float y)
{
    volatile float r = x / y, scaled = x * 0x1p100f;
    if (x == 0 || isinf(y) || !(fabsf(r) < 0x1p-120f))
        return r;
    r = scaled / y;
    return unscaled(r, 0x1p100f);
}

static float fused(float x, float y, float z)
{
    float small = fabsf(x) < fabsf(y) ? x : y, large = fabsf(x) < fabsf(y) ? y : x;
    volatile float r = fmaf(x, y, z), scaled = small * 0x1p100f, third = z * 0x1p100f;
    if (!(fabsf(r) < 0x1p-120f) || fabsf(z) >= 0x1p-100f || small == 0)
        return flushed(r);
    r = fmaf(scaled, large, third);
    return unscaled(r, 0x1p100f);
}

static float reciprocal(float x)
{
    return quotient(1, x);
}

static float root(float x)
{
    volatile float r = sqrtf(x);
    return r;
}

static uint32_t to_int(float x)
{
    volatile float r = rintf(x);
    return r != r         ? 0
           : r >= 0x1p31f ? 0x7fffffff
           : r < -0x1p31f ? 0x80000000
                          : (uint32_t)(int32_t)r;
}

static uint32_t to_uint(float x)
{
    volatile float r = rintf(x);
    return r != r || r < 0 ? 0 : r >= 0x1p32f ? 0xffffffff : (uint32_t)r;
}

/* The 53 bits of a double do not hold a number of 64: what is cut off is kept as its lowest bit. */
static float of_size(uint64_t n, bool negative)
{
    int zeros = 0;
    while (n >> 40) {
        n = n >> 1 | (n & 1);
        zeros++;
    }
    volatile double d = ldexp(negative ? -(double)n : (double)n, zeros);
    volatile float r = (float)d;
    return r;
}

enum kind { ONE, TWO, THREE, TO_INT, TO_UINT, FROM_INT, FROM_UINT, FROM_LONG, FROM_ULONG };
static const struct function {
    const char *cuda, *opencl,
        *argument; /* names up to the rounding; NULL: the language has none */
    enum kind kind;
    float (*one)(float x);
    float (*two)(float x, float y);
} functions[] = {{"__fadd_", NULL, "t.x, t.y", TWO, NULL, sum},
                 {"__fsub_", NULL, "t.x, t.y", TWO, NULL, difference},
                 {"__fmul_", NULL, "t.x, t.y", TWO, NULL, product},
                 {"__fdiv_", NULL, "t.x, t.y", TWO, NULL, quotient},
                 {"__fmaf_", NULL, "t.x, t.y, t.z", THREE, NULL, NULL},
                 {"__frcp_", NULL, "t.x", ONE, reciprocal, NULL},
                 {"__fsqrt_", NULL, "t.x", ONE, root, NULL},
                 {"__float2int_", "convert_int_", "t.x", TO_INT, NULL, NULL},
                 {"__float2uint_", "convert_uint_", "t.x", TO_UINT, NULL, NULL},
                 {"__int2float_", "convert_float_", "(int)t.n", FROM_INT, NULL, NULL},
                 {"__uint2float_", "convert_float_", "(unsigned)t.n", FROM_UINT, NULL, NULL},
                 {"__ll2float_", "convert_float_", "(s64)t.n", FROM_LONG, NULL, NULL},
                 {"__ull2float_", "convert_float_", "(u64)t.n", FROM_ULONG, NULL, NULL}};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static uint32_t want(const struct function *f, const struct input *in)
{
    float x = flushed(in->x), y = flushed(in->y), z = flushed(in->z), r = 0;
    switch (f->kind) {
    case ONE: r = f->one(x); break;
    case TWO: r = f->two(x, y); break;
    case THREE: r = fused(x, y, z); break;
    case TO_INT: return to_int(x);
    case TO_UINT: return to_uint(x);
    case FROM_INT:
        r = of_size((uint32_t)in->n >> 31 ? 0u - (uint32_t)in->n : (uint32_t)in->n,
                    (uint32_t)in->n >> 31);
        break;
    case FROM_UINT: r = of_size((uint32_t)in->n, false); break;
    case FROM_LONG: r = of_size(in->n >> 63 ? 0 - in->n : in->n, in->n >> 63); break;
    case FROM_ULONG: r = of_size(in->n, false); break;
    }
    return r != r ? 0x7fffffff : bits_of(r);
}

/* ---- inputs ---- */

static const uint32_t specials[] = {
    0,          1,          0x00000100, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff, 0x01000000,
    0x0c800000, 0x20000000, 0x33800000, 0x34000000, 0x3effffff, 0x3f000000, 0x3f000001, 0x3f7fffff,
    0x3f800000, 0x3f800001, 0x3fb504f3, 0x3fffffff, 0x40000000, 0x40400000, 0x4b000000, 0x4b000001,
    0x4b7fffff, 0x4b800001, 0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000, 0x5f000000, 0x72345679,
    0x7e800000, 0x7effffff, 0x7f000000, 0x7f7ffffe, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff};
enum { SPECIALS = 2 * sizeof specials / sizeof specials[0] };

static float special(int i)
{
    return of_bits(specials[i / 2] | (uint32_t)i << 31);
}

static float near(float x, uint64_t r)
{
    return of_bits(bits_of(x) + (uint32_t)(r % 7) - 3);
}

static struct input input(int i, uint64_t *from)
{
    uint64_t r = fl_random(from), s = fl_random(from), how = r >> 60;
    struct input in = {.n = s >> (r >> 50 & 63)};
    if (i < SPECIALS * SPECIALS) {
        in.x = special(i / SPECIALS);
        in.y = special(i % SPECIALS);
        in.z = r & 1 ? special((int)(s % SPECIALS)) : -in.x * in.y;
        in.n = (UINT64_C(1) << (i & 63)) + s % 5 - 2;
        return in;
    }
    uint32_t spread = how < 4    ? 0xffffffff
                      : how < 8  ? 0x87ffffff
                      : how < 12 ? 0x80ffffff
                                 : 0x807fff00;
    in.x = of_bits(((uint32_t)r & spread) ^ (how < 4 ? 0 : 0x3c000000));
    in.y = of_bits(((uint32_t)s & spread) ^ (how < 4 ? 0 : 0x3c000000));
    if (how == 12) /* the result is near the least float */
        in.y = near(of_bits((bits_of(in.x) ^ 0x80000000) & 0x80ffffff), s >> 40);
    if (how == 13) /* or near 1, or a square */
        in.y = near(in.x, s >> 40);
    if (how == 14) {
        in.y = of_bits(bits_of(in.y) & (r & 1 ? 0xfffff000 : 0xffffffff));
        in.x = near(in.y * in.y, r & 2 ? 3 : r >> 32);
    }
    if (how == 15)
        in.x = of_bits((bits_of(0x1p-126f / in.y) + (uint32_t)(s >> 40) % 5 - 2) & 0x7fffffff);
    in.z = s >> 32 & 1   ? near(-in.x * in.y, s >> 33)
           : s >> 32 & 2 ? of_bits((uint32_t)(s >> 16))
                         : of_bits(bits_of(-in.x * in.y) ^ (uint32_t)(s >> 34 & 7) << 23);
    if (s >> 63) /* halves between two floats */
        in.n = ((r & 0xffffff) << 25 | (s >> 40 & 3) << 23 | 1u << 24) >> (s >> 44 & 31);
    if (s >> 62 == 3)
        in.n = 0 - in.n;
    return in;
}

/* ---- kernels ---- */

/* A number for each function and rounding, in either language. */
static void write_kernels(bool opencl)
{
    struct fl_buf b = {0}, job = {0};
    fl_buf_printf(&b,
                  "typedef %s s64;\ntypedef unsigned %s u64;\nstruct input { float x, y, z; "
                  "unsigned unused; u64 n; };\n",
                  opencl ? "long" : "long long", opencl ? "long" : "long long");
    fl_buf_printf(&job,
                  "<job profile=\"g80\" cubin=\"k.cubin\"><buffer name=\"in\" size=\"%zu\"><file "
                  "path=\"in.bin\"/></buffer><buffer name=\"o\" size=\"%d\"/>\n",
                  BATCH * sizeof(struct input), 4 * BATCH * FUNCTIONS * ROUNDINGS);
    for (int k = 0; k < FUNCTIONS * ROUNDINGS; k++) {
        const struct function *f = &functions[k / ROUNDINGS];
        const struct rounding *r = &roundings[k % ROUNDINGS];
        const char *name = opencl ? f->opencl : f->cuda;
        if (!name)
            continue;
        fl_buf_printf(
            &b,
            "%s void k%d(%s unsigned *o, %s const struct input *in)\n{\n    unsigned i = %s;\n"
            "    struct input t = in[i];\n    ",
            opencl ? "__kernel" : "__global__", k, opencl ? "__global" : "",
            opencl ? "__global" : "",
            opencl ? "get_global_id(0)" : "blockIdx.x * blockDim.x + threadIdx.x");
        if (f->kind == TO_INT || f->kind == TO_UINT)
            fl_buf_printf(&b, "o[%d + i] = %s%s(%s);\n}\n", k * BATCH, name,
                          opencl ? r->opencl : r->cuda, f->argument);
        else
            fl_buf_printf(&b, "o[%d + i] = %s(%s%s(%s));\n}\n", k * BATCH,
                          opencl ? "as_uint" : "__float_as_uint", name,
                          opencl ? r->opencl : r->cuda, f->argument);
        fl_buf_printf(&job,
                      "<launch kernel=\"k%d\" grid=\"%d\" block=\"%d\"><param offset=\"0x10\" "
                      "buffer=\"o\"/><param offset=\"0x14\" buffer=\"in\"/></launch>\n",
                      k, BATCH / BLOCK, BLOCK);
    }
    fl_buf_printf(&job, "<output name=\"o\" buffer=\"o\"/></job>\n");
    tools_put(dir, opencl ? "k.cl" : "k.cu", b.data, b.size);
    tools_put(dir, "k.job.xml", job.data, job.size);
    fl_buf_free(&b);
    fl_buf_free(&job);
}

/* Results of a batch that are wrong. */
static int compare(const struct input *in, const struct fl_buf *out, bool opencl)
{
    int wrong = 0;
    for (int k = 0; k < FUNCTIONS * ROUNDINGS; k++) {
        const struct function *f = &functions[k / ROUNDINGS];
        const struct rounding *r = &roundings[k % ROUNDINGS];
        int before = wrong;
        if (!(opencl ? f->opencl : f->cuda))
            continue;
        fesetround(r->mode);
        for (int i = 0; i < BATCH; i++) {
            uint32_t got, right = want(f, &in[i]);
            memcpy(&got, out->data + 4 * (k * BATCH + i), sizeof got);
            if (got == right || wrong++ > before)
                continue;
            fesetround(FE_TONEAREST);
            printf("\n    %s%s of %s: x %a y %a z %a n %llx give %08x, not %08x",
                   opencl ? f->opencl : f->cuda, opencl ? r->opencl : r->cuda, f->argument,
                   (double)in[i].x, (double)in[i].y, (double)in[i].z, (unsigned long long)in[i].n,
                   got, right);
            fesetround(r->mode);
        }
        fesetround(FE_TONEAREST);
    }
    return wrong;
}

static void compare_all(bool opencl, const char *flags)
{
    static struct input in[BATCH];
    struct fl_buf out = {0};
    uint64_t from = seed;
    if (!check_clang())
        return;
    write_kernels(opencl);
    CU_ASSERT_EQUAL_FATAL(
        tools_run(dir, &out, "smcc --strict %s k.%s -o k.cubin", flags, opencl ? "cl" : "cu"), 0);
    int wrong = 0, all = SPECIALS * SPECIALS + count;
    char *path = fl_format("%s/o.bin", dir);
    for (int first = 0; first < all; first += BATCH) {
        for (int i = 0; i < BATCH; i++)
            in[i] = input(first + i, &from);
        tools_put(dir, "in.bin", in, sizeof in);
        CU_ASSERT_EQUAL_FATAL(tools_run(dir, &out, "smrun k.job.xml --dump o=o.bin"), 0);
        fl_buf_free(&out);
        CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &out, NULL), 0);
        wrong += compare(in, &out, opencl);
        fl_buf_free(&out);
    }
    free(path);
    CU_ASSERT_EQUAL(wrong, 0);
}

static void functions_of_cuda_round_as_their_names_say(void)
{
    compare_all(false, "");
}

static void functions_of_cuda_round_so_where_others_are_fused_too(void)
{
    compare_all(false, "-use_fast_math");
}

static void conversions_of_opencl_round_as_their_names_say(void)
{
    compare_all(true, "");
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++) {
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[++i], NULL, 0);
        else if (strcmp(argv[i], "--count") == 0)
            count = atoi(argv[++i]);
    }
    dir = tools_folder();
    int status = CHECK_RUN("smcc_rounding", CHECK(functions_of_cuda_round_as_their_names_say),
                           CHECK(functions_of_cuda_round_so_where_others_are_fused_too),
                           CHECK(conversions_of_opencl_round_as_their_names_say));
    tools_remove(dir);
    return status;
}
