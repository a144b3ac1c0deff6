/* test_smcc_double.c -- double, which is demoted to float: what is kept in memory, what arithmetic makes of it. */
#include "tests/lib/check.h"

#include <math.h>
#include "base/random.h"
#include "host_math.h"
#include "tests/lib/tools.h"

enum { N = 512 };
static char *dir;

static const char source[] =
    "__global__ void narrow(const double *a, float *o) { o[threadIdx.x] = (float)a[threadIdx.x]; "
    "}\n"
    "__global__ void widen(const float *a, double *o) { o[threadIdx.x] = a[threadIdx.x]; }\n"
    "struct pair { char c; double d; };\n"
    "__global__ void sum(double *o, double f, struct pair p)\n"
    "{\n    o[threadIdx.x] = f * threadIdx.x + p.d / 4 + 0.1;\n}\n";

static bool ready(void)
{
    tools_put(dir, "d.cu", source, sizeof source - 1);
    return check_clang();
}

static uint64_t bits_of(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static double double_of(uint64_t b)
{
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* Every edge: halves between two floats, the ends of their range, doubles that no float holds, NaNs; then any bits. */
static uint64_t value(int i)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     0x3ff0000010000000,
                                     0x3ff0000030000000,
                                     0x3ff0000010000001,
                                     0x3ff000000fffffff,
                                     0x380fffffffffffff,
                                     0x3810000000000000,
                                     0x3810000000000001,
                                     0x47efffffefffffff,
                                     0x47effffff0000000,
                                     0x47efffffe0000000,
                                     0x47f0000000000000,
                                     0x7fe0000000000000,
                                     0x7ff0000000000000,
                                     0x7ff0000000000001,
                                     0x7ff8000000000000,
                                     0x7fefffffffffffff,
                                     0x3fffffffffffffff,
                                     0x000fffffffffffff,
                                     0x36a0000000000000,
                                     0x3800000000000000};
    enum { EDGES = sizeof edges / sizeof edges[0] };
    uint64_t state = (uint64_t)i, r = fl_random(&state);
    if (i < 2 * EDGES)
        return edges[i / 2] | (uint64_t)(i & 1) << 63;
    if (i & 1) /* in the range of floats */
        r = (r & UINT64_C(0x80ffffffffffffff)) |
            (UINT64_C(0x3800000000000000) + (r >> 4 & UINT64_C(0x0fe0000000000000)));
    return r;
}

static uint32_t narrowed(uint64_t b)
{
    double x = double_of(b);
    if (isnan(x))
        return 0x7fffffff;
    return fabs(x) < 0x1p-126 ? (uint32_t)(b >> 63) << 31 : host_bits((float)x);
}

static uint64_t widened(uint32_t b)
{
    if (!(b & 0x7f800000))
        return (uint64_t)(b >> 31) << 63;
    if ((b & 0x7fffffff) > 0x7f800000) /* the bits of a NaN stay; a host sets the uppermost */
        return (uint64_t)(b >> 31) << 63 | UINT64_C(0x7ff0000000000000) |
               (uint64_t)(b & 0x7fffff) << 29;
    return bits_of(host_float(b));
}

/* What the command leaves in out.bin, of that size. */
static struct fl_buf made(size_t size, const char *command)
{
    struct fl_buf said = {0}, result = {0};
    struct fl_err err;
    int status = tools_run(dir, &said, "{ %s; } 2>&1", command);
    char *path = fl_format("%s/out.bin", dir);
    if (status || fl_read_file(path, &result, &err))
        printf("\n    %s: status %d\n%.2000s\n", command, status, said.data);
    free(path);
    fl_buf_free(&said);
    CU_ASSERT_EQUAL_FATAL(result.size, size);
    return result;
}

#define RUN                                                                                        \
    "smcc -w d.cu -o d.cubin && smrun d.cubin --block 512 --buffer a=in.bin --param a:buf:a "      \
    "--param o:buf:o --dump o=out.bin "

static void put_doubles(void)
{
    uint64_t in[N + 1];
    for (int i = 0; i <= N; i++)
        in[i] = value(i);
    tools_put(dir, "in.bin", in, sizeof in);
}

static void a_double_that_is_loaded_is_the_nearest_float(void)
{
    if (!ready())
        return;
    put_doubles();
    struct fl_buf out = made(4 * N, RUN "--kernel narrow --buffer o=2048");
    const uint32_t *got = (const uint32_t *)(const void *)out.data;
    for (int i = 0; i < N; i++)
        if (got[i] != narrowed(value(i))) {
            printf("\n    %016llx: 0x%08x, not 0x%08x\n", (unsigned long long)value(i), got[i],
                   narrowed(value(i)));
            CU_FAIL("narrow");
        }
    fl_buf_free(&out);
}

static void a_double_that_is_stored_has_the_value_of_the_float(void)
{
    uint32_t in[N] = {0, 1, 0x807fffff};
    if (!ready())
        return;
    for (int i = 3; i < N; i++)
        in[i] = i & 1 ? (uint32_t)(value(i) >> 32) : narrowed(value(i));
    tools_put(dir, "in.bin", in, sizeof in);
    struct fl_buf out = made(8 * N, RUN "--kernel widen --buffer o=4096");
    const uint64_t *got = (const uint64_t *)(const void *)out.data;
    for (int i = 0; i < N; i++)
        if (got[i] != widened(in[i])) {
            printf("\n    0x%08x: %016llx\n", in[i], (unsigned long long)got[i]);
            CU_FAIL("widen");
        }
    fl_buf_free(&out);
}

static void a_double_that_is_only_moved_keeps_its_bits(void)
{
    static const char move[] = "__global__ void copy(const double *a, double *o, int n)\n"
                               "{\n    double x = a[threadIdx.x];\n"
                               "    o[threadIdx.x] = n ? x : a[0];\n}\n";
    if (!ready())
        return;
    put_doubles();
    tools_put(dir, "move.cu", move, sizeof move - 1);
    tools_expect(
        dir, "smcc",
        "--no-double move.cu -o move.cubin && smrun move.cubin --kernel copy --block 512 "
        "--buffer a=in.bin --buffer o=4096 --param a:buf:a --param o:buf:o "
        "--param n:u32:1 --dump o=out.bin >/dev/null && cmp -n 4096 in.bin out.bin && echo same",
        0, "same");
}

static void arithmetic_is_that_of_float_and_arguments_have_eight_bytes(void)
{
    if (!ready())
        return;
    for (int wide = 0; wide < 2; wide++) {
        char command[500];
        snprintf(command, sizeof command,
                 "smcc -w %s d.cu -o d.cubin && smrun d.cubin --kernel sum --block 3 --buffer o=24 "
                 "--param o:buf:o --param 0x18:u32:0 --param 0x1c:u32:0x3ffc0000 --param %s:u32:0 "
                 "--param %s:u32:0x40080000 --dump o=out.bin",
                 wide ? "-m64" : "-m32", wide ? "0x28" : "0x24", wide ? "0x2c" : "0x28");
        struct fl_buf out = made(24, command);
        for (int i = 0; i < 3; i++) {
            double want = 1.75f * (float)i + 3.0f * 0.25f + 0.1f;
            CU_ASSERT_EQUAL(((const double *)(const void *)out.data)[i], want);
        }
        fl_buf_free(&out);
    }
}

static void a_kernel_that_demotes_is_told_once_and_no_double_refuses_it(void)
{
    if (!ready())
        return;
    tools_expect(dir, "smcc", "d.cu -o d.cubin 2>&1 | grep -c 'double is demoted to float'", 0,
                 "3");
    tools_expect(dir, "smcc", "d.cu -o d.cubin", 0,
                 "d.cu:1:77: warning: kernel 'narrow': double is demoted to float\n");
    tools_expect(dir, "smcc", "--no-double d.cu -o none.cubin", 1,
                 "double: the machine has no f64; use float");
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN("smcc_double", CHECK(a_double_that_is_loaded_is_the_nearest_float),
                           CHECK(a_double_that_is_stored_has_the_value_of_the_float),
                           CHECK(a_double_that_is_only_moved_keeps_its_bits),
                           CHECK(arithmetic_is_that_of_float_and_arguments_have_eight_bytes),
                           CHECK(a_kernel_that_demotes_is_told_once_and_no_double_refuses_it));
    tools_remove(dir);
    return status;
}
