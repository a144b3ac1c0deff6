/* test_smcc_math.c -- functions of float: what the machine makes of them is what the host computes with the same source, so that
 * errors measured on the host (math_errors.c) are those of the machine. */
#include "tests/lib/check.h"

#include <math.h>
#include "base/random.h"
#include "host_math.h"
#include "tests/lib/tools.h"

enum { N = 256 };
static char *dir;

/* Floats of every size, the ends of their range, small multiples of 1/4. */
static float argument(int i, int which)
{
    static const unsigned ends[8] = {0,          0x80000000, 0x7f800000, 0xff800000,
                                     0x7fffffff, 0x00800000, 0x7f7fffff, 0x80000001};
    unsigned step = which ? 0x9e3779b1u : 0x01010193u;
    if (i < 8)
        return host_float(ends[which ? (i * 3 + 5) % 8 : i]);
    if (i < 64)
        return (float)(i - 36 + 7 * which) * 0.25f;
    return host_float((unsigned)i * step);
}

static void write_kernels(void)
{
    struct fl_buf cl = {0}, job = {0};
    fl_buf_printf(
        &job, "<job profile=\"g80\" cubin=\"m.cubin\"><buffer name=\"x\" size=\"%d\"><u32>", 8 * N);
    for (int i = 0; i < 2 * N; i++)
        fl_buf_printf(&job, "0x%x ", host_bits(argument(i % N, i / N)));
    fl_buf_printf(&job, "</u32></buffer><buffer name=\"o\" size=\"%d\"/>",
                  4 * N * (host_nfunctions + host_nfunctions2));
    for (int f = 0; f < host_nfunctions + host_nfunctions2; f++) {
        bool two = f >= host_nfunctions;
        fl_buf_printf(
            &cl,
            "__kernel void k%d(__global float *o, __global const float *x)\n{\n    uint i = "
            "get_local_id(0);\n    o[i + %d] = %s(x[i]%s);\n}\n",
            f, f * N, two ? host_functions2[f - host_nfunctions].name : host_functions[f].name,
            two ? ", x[i + 256]" : "");
        fl_buf_printf(
            &job,
            "<launch kernel=\"k%d\" grid=\"1\" block=\"%d\"><param offset=\"0x10\" buffer=\"o\"/>"
            "<param offset=\"0x14\" buffer=\"x\"/></launch>\n",
            f, N);
    }
    fl_buf_printf(&job, "<output name=\"o\" buffer=\"o\"/></job>\n");
    tools_put(dir, "m.cl", cl.data, cl.size);
    tools_put(dir, "m.job.xml", job.data, job.size);
    fl_buf_free(&cl);
    fl_buf_free(&job);
}

/* The host can take denormals for zero, as the machine does. */
static bool flushes(void)
{
    bool can = host_math_flush(true);
    host_math_flush(false);
    if (!can)
        check_skip("denormals cannot be zero on this processor");
    return can;
}

static void the_machine_computes_functions_as_the_host_does(void)
{
    struct fl_buf out = {0};
    if (!check_clang() || !flushes())
        return;
    write_kernels();
    tools_expect(dir, "smcc", "m.cl -o m.cubin && smrun m.job.xml --dump o=o", 0, "instructions");
    char *path = fl_format("%s/o", dir);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &out, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(out.size, (size_t)(4 * N * (host_nfunctions + host_nfunctions2)));
    int wrong = 0;
    for (int i = 0; i < N * (host_nfunctions + host_nfunctions2); i++) {
        int f = i / N;
        float x = argument(i % N, 0), y = argument(i % N, 1), got, want;
        bool two = f >= host_nfunctions;
        memcpy(&got, out.data + 4 * i, 4);
        host_math_flush(true);
        want = two ? host_functions2[f - host_nfunctions].f(x, y) : host_functions[f].f(x);
        host_math_flush(false);
        if (host_bits(got) != host_bits(want) && (got == got || want == want) && ++wrong < 10)
            printf("\n    %s(%a, %a): %a, not %a\n",
                   two ? host_functions2[f - host_nfunctions].name : host_functions[f].name,
                   (double)x, (double)y, (double)got, (double)want);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    fl_buf_free(&out);
    free(path);
}

/* The most that OpenCL allows, in ulp; what it does not name has 4. */
static double limit(const char *name)
{
    static const struct {
        const char *name;
        double ulps;
    } all[] = {
        {"tan", 5},       {"atan", 5},  {"asinpi", 5},  {"acospi", 5},       {"atanpi", 5},
        {"tanpi", 6},     {"atanh", 5}, {"tanh", 5},    {"erf", 16},         {"erfc", 16},
        {"pow", 16},      {"powr", 16}, {"atan2", 6},   {"atan2pi", 6},      {"fmod", 0},
        {"remainder", 0}, {"exp", 3},   {"exp2", 3},    {"exp10", 3},        {"expm1", 3},
        {"log", 3},       {"log2", 3},  {"log10", 3},   {"log1p", 2},        {"cbrt", 2},
        {"sqrt", 3},      {"rsqrt", 2}, {"tgamma", 16}, {"lgamma", HUGE_VAL}}; /* it has zeros */
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].name, name) == 0)
            return all[i].ulps;
    return 4;
}

static void errors_of_functions_are_below_what_opencl_allows(void)
{
    if (!flushes())
        return;
    for (int f = 0; f < host_nfunctions; f++) {
        bool good = true;
        for (unsigned i = 0; good && i < 1u << 13; i++) {
            unsigned bits = i * 524309u;
            float x = host_float(bits & 0x7f800000 ? bits : 0), got;
            double in = (double)x, want;
            host_math_flush(true);
            got = host_functions[f].f(x);
            host_math_flush(false);
            host_functions[f].want(&in, &want, 1);
            good = host_ulps(got, want) <= limit(host_functions[f].name);
            if (!good)
                printf("\n    %s(%a) is %a, not %a\n", host_functions[f].name, in, (double)got,
                       want);
        }
        CU_ASSERT_TRUE(good);
    }
}

/* Against the C library's, which rounds once. */
static void fma_rounds_once(void)
{
    enum { TRIPLES = 1 << 14 };
    struct fl_buf out = {0};
    static float in[3 * TRIPLES];
    if (!check_clang())
        return;
    uint64_t state = 5;
    for (int i = 0; i < TRIPLES; i++) {
        uint64_t r = fl_random(&state), s = fl_random(&state);
        unsigned spread = i % 4 == 0   ? 0x7fffff
                          : i % 4 == 1 ? 0x1ffffff
                          : i % 4 == 2 ? 0xfffffff
                                       : 0x3f800000;
        float x = host_float(0x3f000000 + (unsigned)(r & spread & 0x7fffffff)),
              y = host_float(0x3f000000 + (unsigned)(r >> 32 & spread & 0x7fffffff));
        in[3 * i] = x;
        in[3 * i + 1] = y;
        /* near -x * y, where everything cancels but the last bits, or anything */
        in[3 * i + 2] = i & 8 ? host_float(host_bits(-x * y) + (unsigned)(s % 5) - 2)
                              : host_float((unsigned)s % 0x7e000000u + 0x800000u);
    }
    tools_put(dir, "in", in, sizeof in);
    static const char source[] = "__kernel void k(__global float *o, __global const float *x)\n{\n "
                                 "   uint i = get_global_id(0);\n"
                                 "    o[i] = fma(x[3 * i], x[3 * i + 1], x[3 * i + 2]);\n}\n";
    tools_put(dir, "fma.cl", source, sizeof source - 1);
    tools_expect(
        dir, "smcc",
        "fma.cl -o fma.cubin && smrun fma.cubin --kernel k --grid 64 --block 256 --buffer x=./in "
        "--buffer o=65536 --param o:buf:o --param x:buf:x --dump o=o",
        0, "instructions");
    char *path = fl_format("%s/o", dir);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &out, NULL), 0);
    int wrong = 0;
    for (int i = 0; i < TRIPLES; i++) {
        float want = fmaf(in[3 * i], in[3 * i + 1], in[3 * i + 2]), got;
        memcpy(&got, out.data + 4 * i, 4);
        if (fabsf(want) < 0x1p-126f)
            want = got == 0 ? got : 0;
        if (host_bits(want) != host_bits(got) && (want == want || got == got) && ++wrong < 10)
            printf("\n    fma(%a, %a, %a) is %a, not %a\n", (double)in[3 * i],
                   (double)in[3 * i + 1], (double)in[3 * i + 2], (double)got, (double)want);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    fl_buf_free(&out);
    free(path);
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN("smcc_math", CHECK(the_machine_computes_functions_as_the_host_does),
                           CHECK(errors_of_functions_are_below_what_opencl_allows),
                           CHECK(fma_rounds_once));
    tools_remove(dir);
    return status;
}
