/* test_smcc.c -- smcc from the source of a kernel to words in memory. Without clang only what needs none is tested. */
#include "tests/lib/check.h"

#include "asm/cubin/cubin.h"
#include "base/random.h"
#include "tests/lib/folder.h"

static const char vadd[] = "__kernel void vadd(__global const float *a, __global const float *b,\n"
                           "                   __global float *c, int n)\n"
                           "{\n"
                           "    int i = get_global_id(0);\n"
                           "    if (i < n)\n"
                           "        c[i] = a[i] + b[i];\n"
                           "}\n";

static void the_vector_addition_of_any_opencl_book_runs(void)
{
    enum { N = 1000 };
    float a[N], b[N];
    if (!check_clang())
        return;
    for (int i = 0; i < N; i++) {
        a[i] = (float)i / 7;
        b[i] = (float)(N - 3 * i) / 3;
    }
    put("vadd.cl", vadd);
    tools_put(dir, "a", a, sizeof a);
    tools_put(dir, "b", b, sizeof b);
    tools_expect(dir, "smcc", "vadd.cl -o vadd.cubin && echo made", 0, "made");
    tools_expect(dir, "smrun",
                 "vadd.cubin --kernel vadd --grid 4 --block 256 --buffer a=./a --buffer b=./b "
                 "--buffer c=4096 "
                 "--param a:buf:a --param b:buf:b --param c:buf:c --param n:s32:1000 --dump c=c",
                 0, "instructions");
    struct fl_buf out = {0};
    char *path = fl_format("%s/c", dir);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &out, NULL), 0);
    int wrong = 0;
    for (int i = 0; i < N + 24; i++) {
        float sum = i < N ? a[i] + b[i] : 0;
        wrong += memcmp(out.data + 4 * i, &sum, 4) != 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    fl_buf_free(&out);
    free(path);
}

static void what_is_refused_is_shown_in_the_source(void)
{
    if (!check_clang())
        return;
    put("double.cl", "__kernel void k(__global double *p)\n{\n    p[0] = p[1] * 3;\n}\n");
    tools_expect(dir, "smcc", "--no-double double.cl -o double.cubin 2>&1", 1,
                 "double.cl:3:12: error: double: the machine has no f64");
    tools_expect(dir, "smcc", "--no-double double.cl -o double.cubin 2>&1", 1,
                 "    p[0] = p[1] * 3;\n           ^");
    put("typo.cl", "__kernel void k(__global int *p)\n{\n    p[0] = q;\n}\n");
    tools_expect(dir, "smcc", "typo.cl -o typo.cubin 2>&1", 1,
                 "typo.cl:3:12: error: use of undeclared identifier 'q'");
    tools_expect(dir, "ls", "double.cubin typo.cubin", 2, "No such file");
}

static void the_text_of_the_assembler_makes_the_same_code(void)
{
    if (!check_clang())
        return;
    put("vadd.cl", vadd);
    tools_expect(
        dir, "smcc",
        "vadd.cl -o vadd.cubin && smcc vadd.cl -S -o vadd.sasm && sasm vadd.sasm -o again.cubin && "
        "sdis vadd.cubin >1 && sdis again.cubin >2 && cmp 1 2 && echo same",
        0, "same");
}

static void a_cubin_has_the_lines_of_its_source_and_the_source(void)
{
    struct cubin *c;
    struct fl_err err;
    if (!check_clang())
        return;
    put("vadd.cl", vadd);
    tools_expect(dir, "smcc", "vadd.cl -o vadd.cubin && echo made", 0, "made");
    char *path = fl_format("%s/vadd.cubin", dir);
    CU_ASSERT_EQUAL_FATAL(cubin_read(path, &c, &err), 0);
    CU_ASSERT_EQUAL_FATAL(c->nsources, 1);
    CU_ASSERT_STRING_EQUAL(c->source[0].name, "vadd.cl");
    CU_ASSERT_STRING_EQUAL(c->source[0].text, vadd);
    int length, seen = 0;
    const char *sum = cubin_source_line(&c->source[0], 6, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sum);
    CU_ASSERT_EQUAL(memcmp(sum, "        c[i] = a[i] + b[i];", (size_t)length), 0);
    CU_ASSERT_PTR_NULL(cubin_source_line(&c->source[0], 8, &length));
    for (uint32_t at = 0; at < c->kernel[0].code[0].size; at += 8) {
        const struct cubin_line *l = cubin_line_at(&c->kernel[0], at);
        CU_ASSERT_PTR_NOT_NULL_FATAL(l);
        seen |= 1 << l->line;
    }
    CU_ASSERT_EQUAL(seen, 1 << 4 | 1 << 5 | 1 << 6);
    cubin_free(c);
    free(path);
}

static void sources_have_the_names_that_the_user_typed(void)
{
    struct fl_buf out = {0};
    if (!check_clang())
        return;
    CU_ASSERT_EQUAL(tools_run(dir, &out, "mkdir -p sub/inc"), 0);
    put("sub/inc/h.h",
        "#ifdef __OPENCL_C_VERSION__\n#define D\n#else\n#define D __device__\n#endif\n"
        "D static int twice(int x)\n{\n    return x * 2;\n}\n");
    put("sub/n.cl", "#include <h.h>\n__kernel void k(__global int *p) { p[0] = twice(p[1]); }\n");
    put("sub/n.cu", "#include \"h.h\"\n__global__ void k(int *p) { p[0] = twice(p[1]); }\n");
    for (int cuda = 0; cuda < 2; cuda++)
        for (int way = 0; way < 3; way++) {
            /* the source, and the header, which clang finds */
            const char *folder = way == 0 ? "sub/" : way == 1 ? "./sub/" : "$PWD/sub/";
            char *command = fl_format("-I sub/inc %sn.%s -S | grep -o '\"[^\"]*\"' | sort -u",
                                      folder, cuda ? "cu" : "cl"),
                 *want = fl_format("%s%sn.%s\"\n\"sub/inc/h.h\"\n", way == 1 ? "\"./" : "",
                                   way == 1 ? "sub/" : "/sub/", cuda ? "cu" : "cl");
            tools_expect(dir, "smcc", command, 0,
                         way    ? want
                         : cuda ? "\"sub/inc/h.h\"\n\"sub/n.cu\"\n"
                                : "\"sub/inc/h.h\"\n\"sub/n.cl\"\n");
            free(command);
            free(want);
        }
    fl_buf_free(&out);
}

static void a_constant_table_lies_in_c0_under_its_name(void)
{
    if (!check_clang())
        return;
    put("table.cl", "__constant int table[3] = {7, 8, 9};\n__constant char odd = 5;\n"
                    "__kernel void k(__global int *p, int n) { p[0] = table[n] * 100 + odd; }\n");
    tools_expect(dir, "smcc", "table.cl -o table.cubin && smrun --list table.cubin", 0, "table");
    tools_expect(dir, "smrun",
                 "table.cubin --kernel k --buffer p=4 --param p:buf:p --param n:s32:2 --dump p=p "
                 ">/dev/null && od -An -td4 p",
                 0, "905");
}

static void cuda_c_runs_too(void)
{
    if (!check_clang())
        return;
    put("k.cu",
        "__constant__ int bias[2] = {5, 7};\n"
        "template <typename T> __device__ T twice(T x) { return x + x; }\n"
        "extern __shared__ int dynamic[];\n"
        "__global__ void k(int *out, int n)\n{\n"
        "    __shared__ int s[64];\n    int p[4], t = threadIdx.x;\n"
        "    for (int i = 0; i < 4; i++)\n        p[i] = t * i;\n"
        "    s[t] = t * 10 + n + bias[t & 1];\n    dynamic[t] = p[n & 3];\n    __syncthreads();\n"
        "    out[t + blockIdx.x * blockDim.x] = twice(s[63 - t]) + dynamic[(t + 1) & 63];\n}\n");
    tools_expect(dir, "smcc", "k.cu -o k.cubin && smrun --list k.cubin", 0,
                 "ptr out=0x10(4) u32 n=0x14(4)");
    tools_expect(
        dir, "smrun",
        "k.cubin --kernel k --grid 2 --block 64 --shared 256 --buffer o=512 --param out:buf:o "
        "--param n:s32:2 "
        "--dump o=o >/dev/null && od -An -v -w4 -td4 o | sed -n '1p;64p;65p' | tr -s '\\n ' ' '",
        0, "1280 14 1280");
}

static void variables_of_the_program_are_buffers_with_first_values(void)
{
    if (!check_clang())
        return;
    put("var.cu", "__device__ int table[3] = {7, 8, 9};\n__device__ int sum[64];\n__device__ "
                  "unsigned char odd = 5;\n"
                  "__global__ void k(int *p, int n)\n{\n    int t = threadIdx.x;\n"
                  "    sum[t] += table[n] * t + odd;\n    p[t] = sum[t];\n    odd = 6;\n}\n");
    tools_expect(dir, "smcc",
                 "var.cu -o var.cubin && smrun --list var.cubin | tr -s ' ' | grep variable", 0,
                 "variable sum a buffer of 256 bytes");
    tools_expect(dir, "smrun",
                 "var.cubin --kernel k --grid 1 --block 64 --buffer p=256 --param p:buf:p --param "
                 "n:s32:2 --dump p=p "
                 ">/dev/null && od -An -v -w4 -td4 p | sed -n '1p;11p' | tr -s '\\n ' ' '",
                 0, "5 95");
    tools_expect(dir, "smcc",
                 "var.cu -S -o var.sasm && sasm var.sasm -o again.cubin && "
                 "smrun again.cubin --kernel k --grid 1 --block 64 --buffer p=256 --param p:buf:p "
                 "--param n:s32:0 --dump sum=s "
                 ">/dev/null && od -An -j4 -N4 -td4 s",
                 0, "12");
}

/* A shell's command that fills in a first job of vadd. */
#define FILL_IN                                                                                    \
    "sed -i 's/<file path=\"?\"/<random type=\"f32\" seed=\"1\"/; s/size=\"?\"/size=\"256\"/; "    \
    "s/grid=\"?\"/grid=\"1\"/; s/block=\"?\"/block=\"64\"/; s/u32=\"?\"/u32=\"64\"/' vadd.job.xml"

static void a_first_job_does_not_run_before_it_is_filled_in(void)
{
    if (!check_clang())
        return;
    put("vadd.cl", vadd);
    static const char open[] =
        "vadd.job.xml:6: <buffer name=\"a\"> size=\"?\": put in the value; 7 more wait for theirs";
    tools_expect(dir, "smcc", "vadd.cl -o vadd.cubin --job vadd.job.xml && echo made", 0, "made");
    tools_expect(dir, "smrun", "vadd.job.xml", 1, open);
    tools_expect(dir, "faultsim", "transient --target rf --exact vadd.job.xml", 1, open);
    tools_expect(dir, FILL_IN, "&& smrun vadd.job.xml", 0, "instructions");
    put("arguments.cu", "__global__ void __launch_bounds__(32) k(float x, int *p) { p[0] = x; }\n");
    tools_expect(
        dir, "smcc", "arguments.cu -o k.cubin --job k.job.xml && cat k.job.xml", 0,
        "  <launch kernel=\"k\" grid=\"?\" block=\"?\">\n    <param name=\"x\" f32=\"?\"/>\n"
        "    <param name=\"p\" buffer=\"p\"/>\n");
    tools_expect(dir, "sed",
                 "'s/size=\"?\"/size=\"4\"/; s/grid=\"?\"/grid=\"1\"/; s/block=\"?\"/block=\"1\"/' "
                 "k.job.xml >open.job.xml; smrun open.job.xml",
                 1, "open.job.xml:8: <param name=\"x\"> f32=\"?\": put in the value; 0 more");
}

static void of_a_first_job_what_is_only_read_is_no_output(void)
{
    if (!check_clang())
        return;
    put("uses.cl",
        "__kernel void k(__global const float *in, __global float *also_in, __global float *both,\n"
        "                __global float *out, __global float *mixed, __local float *cells)\n{\n"
        "    int i = get_global_id(0);\n    __global float *q = i & 1 ? mixed : both;\n"
        "    cells[i] = in[i] + also_in[i];\n    barrier(1);\n    out[i] = cells[i ^ 1];\n"
        "    *q += 1;\n}\n"
        "__kernel void next(__global int *out, int n) { out[n] = out[n + 1]; }\n");
    tools_expect(dir, "smcc",
                 "uses.cl -o uses.cubin --job uses.job.xml && sed -n '/<[bol]/p' uses.job.xml", 0,
                 "  <buffer name=\"in\" size=\"?\"><file path=\"?\"/></buffer>\n"
                 "  <buffer name=\"also_in\" size=\"?\"><file path=\"?\"/></buffer>\n"
                 "  <buffer name=\"both\" size=\"?\"><file path=\"?\"/></buffer>\n"
                 "  <buffer name=\"out\" size=\"?\"><file path=\"?\"/></buffer>\n"
                 "  <buffer name=\"mixed\" size=\"?\"><file path=\"?\"/></buffer>\n"
                 "  <launch kernel=\"k\" grid=\"?\" block=\"?\" shared=\"?\">\n"
                 "  <launch kernel=\"next\" grid=\"?\" block=\"?\">\n"
                 "  <output name=\"both\" buffer=\"both\" type=\"f32\"/>\n"
                 "  <output name=\"out\" buffer=\"out\"/>\n"
                 "  <output name=\"mixed\" buffer=\"mixed\" type=\"f32\"/>\n");
    put("far.cl", "__kernel void k(__global int *a, __global int *b, int n)\n{\n"
                  "    __global int *p[4] = {a, b, a + n, b + n};\n    p[n & 3][1] = 5;\n}\n");
    tools_expect(dir, "smcc", "far.cl -o far.cubin --job far.job.xml && cat far.job.xml", 0,
                 "<output name=\"a\" buffer=\"a\" type=\"s32\"/>\n  <output name=\"b\" "
                 "buffer=\"b\" type=\"s32\"/>\n");
    put("walk.cu", "__device__ int last;\n__global__ void k(const int *in, int *out, int n)\n{\n"
                   "    for (int i = 0; i < n; i++, in += 3, out += 2)\n        *out = *in;\n"
                   "    last = n;\n}\n");
    tools_expect(dir, "smcc",
                 "walk.cu -o walk.cubin --job walk.job.xml && grep -c '<output' walk.job.xml", 0,
                 "1");
}

static void failures_of_a_kernel_have_lines(void)
{
    struct fl_buf out = {0};
    if (!check_clang())
        return;
    put("vadd.cl", vadd);
    tools_expect(dir, "smcc", "--list vadd.cl", 0, "s[0x1c] u32 n");
    CU_ASSERT_EQUAL(tools_run(dir, &out,
                              "smcc vadd.cl -o vadd.cubin --job vadd.job.xml && " FILL_IN
                              " && faultsim transient --target cc --exact vadd.job.xml"),
                    0);
    double avf = 0, sum = 0;
    const char *at = strstr((char *)out.data, "exact"),
               *lines = strstr((char *)out.data, "AVF by the line of the source");
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    CU_ASSERT_PTR_NOT_NULL_FATAL(lines);
    CU_ASSERT_EQUAL(sscanf(at, "exact %lf", &avf), 1);
    for (const char *l = strchr(lines, '\n'); l && l[1] && l[1] != '\n'; l = strchr(l + 1, '\n'))
        sum += strtod(l + 1, NULL);
    CU_ASSERT_TRUE(avf > 0);
    CU_ASSERT_DOUBLE_EQUAL(sum, avf, 0.001);
    CU_ASSERT_TRUE(tools_says(&out, "vadd.cl:5: if (i < n)"));
    tools_expect(
        dir, "faultsim",
        "stuck-at --target cc --store s.db vadd.job.xml >/dev/null && faultsim report s.db", 0,
        "by the line of the source that first meets\nthem\n");
    tools_expect(dir, "faultsim", "transient --target rf --sample 300 --seed 7 vadd.job.xml", 0,
                 "of the source that reads the flips\nshare %  95 % interval  line\n");
    fl_buf_free(&out);
}

/* 40 values that are all needed behind the barrier */
#define MANY                                                                                       \
    "{\n    float s[40];\n#pragma unroll\n    for (int i = 0; i < 40; i++)\n        s[i] = c[i * " \
    "5];\n    SYNC;\n"                                                                             \
    "#pragma unroll\n    for (int i = 0; i < 40; i++)\n        c[i + 40 * ID] = s[i] * s[39 - "    \
    "i];\n}\n"

static void a_thread_has_no_more_registers_than_its_launch_allows(void)
{
    if (!check_clang())
        return;
    put("many.cl", "#define SYNC barrier(1)\n#define ID get_local_id(0)\n"
                   "__kernel void k(__global float *c)\n" MANY
                   "__kernel __attribute__((reqd_work_group_size(16, 32, 1))) void "
                   "r(__global float *c)\n" MANY);
    tools_expect(dir, "smcc", "many.cl --list | grep ^k", 0, "k: 42 registers");
    tools_expect(dir, "smcc", "many.cl --list --block 16,8 | grep ^k", 0, "k: 42 registers");
    tools_expect(dir, "smcc", "many.cl --list --block 16,16 | grep ^k", 0, "k: 32 registers");
    tools_expect(dir, "smcc", "many.cl --list | grep ^r", 0, "r: 16 registers");
    tools_expect(dir, "smcc",
                 "many.cl -o many.cubin --block 16,16 --job many.job.xml && grep '<launch' "
                 "many.job.xml | tr -d '\\n'",
                 0, "block=\"16,16,1\">  <launch kernel=\"r\" grid=\"?\" block=\"16,32,1\">");
    tools_expect(dir, "smcc", "many.cl --list --strict --profile tiny 2>&1", 1,
                 "error: blocks of 512 threads, and the profile allows at most 64");
    tools_expect(dir, "smcc", "many.cl --list --block 16,33 2>&1", 1,
                 "--block: 528 threads; a block of profile g80 has 512 at most");
    tools_expect(dir, "smcc", "many.cl --ptx -o many.ptx && smcc many.ptx --list | grep ^r", 0,
                 "r: 16 registers");
    put("many.cu", "#define SYNC __syncthreads()\n#define ID threadIdx.x\n"
                   "__global__ void __launch_bounds__(128, 3) k(float *c)\n" MANY);
    tools_expect(dir, "smcc", "many.cu --list", 0, "k: 21 registers");
}

/* 256 threads of 42 registers are too many for g80; with the limit that the message names they fit, with one more they do not. */
static void a_launch_of_too_many_registers_names_the_limit_to_compile_with(void)
{
    static const char launch[] = "smrun many.cubin --kernel k --profile g80 --block 256 "
                                 "--buffer c=65536 --param c:buf:c 2>&1";
    if (!check_clang())
        return;
    put("many.cl", "#define SYNC barrier(1)\n#define ID get_local_id(0)\n"
                   "__kernel void k(__global float *c)\n" MANY);
    tools_expect(dir, "smcc", "many.cl -o many.cubin && echo made", 0, "made");
    tools_expect_line(dir, launch, 1,
                      "needs 42 registers for each of 256 threads, profile g80 has 8192; make the "
                      "block smaller, or compile the kernel with smcc --maxrregcount 32");
    tools_expect(dir, "smcc", "many.cl -o many.cubin --maxrregcount 32 && echo made", 0, "made");
    tools_expect_line(dir, launch, 0, "profile       g80");
    tools_expect(dir, "smcc", "many.cl -o many.cubin --maxrregcount 33 && echo made", 0, "made");
    tools_expect_line(dir, launch, 1, "needs 33 registers");
}

/* Private variables leave 16 bytes of local memory: none for what four registers do not hold. */
static void registers_that_do_not_fit_into_local_memory_ask_for_more_registers(void)
{
    if (!check_clang())
        return;
    put("full.cl", "__kernel void k(__global int *a, int n)\n{\n    int x[16350], s[30];\n"
                   "    for (int i = 0; i < 16350; i++)\n        x[i] = a[i];\n"
                   "    for (int i = 0; i < 30; i++)\n        s[i] = a[i * 5 + n];\n"
                   "    for (int i = 0; i < n; i++)\n        for (int j = 0; j < 30; j++)\n"
                   "            s[j] = s[j] * s[29 - j] + x[i];\n"
                   "    for (int i = 0; i < 30; i++)\n        a[i] = s[i];\n}\n");
    tools_expect(dir, "smcc", "full.cl --list", 0, "65520 of local memory");
    tools_expect(dir, "smcc", "full.cl --list --maxrregcount 4 2>&1", 1,
                 "spilled registers, and 65,536 are the most; raise --maxrregcount");
}

/* 64 numbers whose quotients, products and roundings are hard */
static uint64_t hard(int i)
{
    static const uint64_t edge[16] = {1,
                                      2,
                                      3,
                                      0xffff,
                                      0xffffffff,
                                      1ull << 32,
                                      (1ull << 32) + 1,
                                      0x1000001,
                                      1ull << 63,
                                      ~0ull,
                                      ~0ull - 1,
                                      0xffffffff00000000,
                                      0x7fffffffffffffff,
                                      0x8000008000000001,
                                      0x8000008000000000,
                                      10};
    uint64_t x = edge[i % 16];
    if (i >= 16)
        x = i < 32   ? fl_random_mix((uint64_t)i)
            : i < 48 ? x << i % 29 ^ x >> 40
                     : fl_random_mix((uint64_t)i) >> i;
    return x ? x : 7;
}

static void integers_of_64_bits_are_exact_at_their_edges(void)
{
    enum { N = 32, WORDS = 11 };
    static uint64_t want[N * N][WORDS];
    struct fl_buf out = {0};
    if (!check_clang())
        return;
    put("wide.cl",
        "__kernel void k(__global const ulong *in, __global ulong *o)\n{\n"
        "    ulong x = in[get_local_id(0)], y = in[get_group_id(0)];\n"
        "    o += 11 * get_global_id(0);\n"
        "    o[0] = x / y;\n    o[1] = x % y;\n"
        "    o[2] = y + 1 < 2 ? 0 : (ulong)((long)x / (long)y);\n"
        "    o[3] = y + 1 < 2 ? 0 : (ulong)((long)x % (long)y);\n"
        "    o[4] = mul_hi(x, y);\n    o[5] = (ulong)mul_hi((long)x, (long)y);\n"
        "    o[6] = (ulong)as_uint((float)(x ^ y)) << 32 | as_uint((float)(long)(x ^ y));\n"
        "    o[7] = (ulong)((float)(x ^ y) * 0.5f) ^ (ulong)(long)((float)(long)(x ^ y) * "
        "0.5f);\n    o[8] = x / 10 ^ x % 1000003;\n    o[9] = (ulong)((long)x / 7 ^ (long)x % "
        "60);\n    o[10] = mul_hi(x, (ulong)((long)y >> 45));\n}\n");
    uint64_t in[N];
    for (int i = 0; i < N; i++)
        in[i] = hard(2 * i + (i & 16 ? 1 : 0));
    for (int i = 0; i < N * N; i++) {
        uint64_t x = in[i % N], y = in[i / N], z = x ^ y, *w = want[i];
        float a = (float)z, b = (float)(int64_t)z;
        uint32_t bits[2];
        w[0] = x / y;
        w[1] = x % y;
        w[2] = y + 1 < 2 ? 0 : (uint64_t)((int64_t)x / (int64_t)y);
        w[3] = y + 1 < 2 ? 0 : (uint64_t)((int64_t)x % (int64_t)y);
        w[4] = (uint64_t)((unsigned __int128)x * y >> 64);
        w[5] = (uint64_t)((__int128)(int64_t)x * (int64_t)y >> 64);
        memcpy(&bits[0], &b, 4);
        memcpy(&bits[1], &a, 4);
        memcpy(&w[6], bits, 8);
        w[7] = (uint64_t)(a * 0.5f) ^ (uint64_t)(int64_t)(b * 0.5f);
        w[8] = x / 10 ^ x % 1000003;
        w[9] = (uint64_t)((int64_t)x / 7 ^ (int64_t)x % 60);
        w[10] = (uint64_t)((unsigned __int128)x * (uint64_t)((int64_t)y >> 45) >> 64);
    }
    tools_put(dir, "in", in, sizeof in);
    tools_expect(dir, "smcc",
                 "wide.cl -o wide.cubin && smrun wide.cubin --kernel k --grid 32 --block 32 "
                 "--buffer in=./in --buffer o=90112 --param in:buf:in --param o:buf:o --dump o=o",
                 0, "instructions");
    char *path = fl_format("%s/o", dir);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &out, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(out.size, sizeof want);
    int wrong = 0;
    for (int i = 0; i < N * N * WORDS; i++) {
        uint64_t got, expected = want[i / WORDS][i % WORDS];
        memcpy(&got, out.data + 8 * i, 8);
        if (got != expected && ++wrong < 10)
            printf("\n    %d of %016llx, %016llx: %016llx, not %016llx\n", i % WORDS,
                   (unsigned long long)in[i / WORDS % N], (unsigned long long)in[i / WORDS / N],
                   (unsigned long long)got, (unsigned long long)expected);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    fl_buf_free(&out);
    free(path);
}

static void without_clang_smcc_says_how_to_get_it(void)
{
    put("vadd.cl", vadd);
    tools_expect(dir, "env", "PATH=$(dirname $(command -v smcc)) smcc vadd.cl -o none.cubin 2>&1",
                 1,
                 "install Debian's package clang-14 or clang-16; in a clone, scripts/setup --cc");
}

static void ptx_needs_no_clang(void)
{
    put("k.ptx", ".version 3.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 "
                 "k_param_0)\n{\n"
                 ".reg .b32 %r<3>;\n ld.param.u32 %r0, [k_param_0];\n mov.u32 %r1, 7;\n "
                 "st.global.u32 [%r0], %r1;\n ret;\n}\n");
    tools_expect(dir, "smcc",
                 "k.ptx -o k.cubin && smrun k.cubin --kernel k --buffer p=4 --param 0x10:buf:p "
                 "--dump p=p >/dev/null && od -An -tu4 p",
                 0, "7");
    put("bad.ptx", ".version 3.2\n.target sm_20\n.address_size 32\n.visible .entry k()\n{\n"
                   ".reg .b32 %r<3>;\n atom.global.add.u32 %r0, [%r1], 1;\n ret;\n}\n");
    tools_expect(
        dir, "smcc", "bad.ptx -o k.cubin 2>&1", 1,
        "bad.ptx:7:1: error: the machine (compute capability 1.0) has no atomic operations");
}

/* clang means a signed field where it writes bfe.u32 up to the top bit; PTX by itself does not. */
static void a_field_up_to_the_sign_is_signed_in_what_clang_writes(void)
{
    static const char text[] =
        "%s.version 3.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 "
        "k_param_0)\n{\n"
        ".reg .b32 %%r<4>;\n ld.param.u32 %%r0, [k_param_0];\n ld.global.u32 %%r1, [%%r0];\n"
        " bfe.u32 %%r2, %%r1, 16, 16;\n st.global.u32 [%%r0+4], %%r2;\n ret;\n}\n";
    static const char *const head[] = {"// Generated by LLVM NVPTX Back-End\n", ""},
                             *const want[] = {"-32767", "32769"};
    const uint32_t in[2] = {0x80011234, 0};
    for (int i = 0; i < 2; i++) {
        struct fl_buf b = {0};
        fl_buf_printf(&b, text, head[i]);
        tools_put(dir, "field.ptx", b.data, b.size);
        tools_put(dir, "in", in, sizeof in);
        tools_expect(dir, "smcc",
                     "field.ptx -o k.cubin && smrun k.cubin --kernel k --buffer p=./in --param "
                     "0x10:buf:p --dump p=p >/dev/null && od -An -j4 -td4 p",
                     0, want[i]);
        fl_buf_free(&b);
    }
}

/* Of a 64-bit shift right clang forgets that signs have come in: it writes (x >> 40 & 0xffffffff) as bfe.u64 x, 40, 32, which
 * by itself fills with zeros. Up to the top bit a field is signed, as above. */
static void a_field_past_the_sign_has_copies_of_it_in_what_clang_writes(void)
{
    static const char text[] =
        "%s.version 3.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 "
        "k_param_0)\n{\n"
        ".reg .b32 %%r<2>;\n.reg .b64 %%rd<3>;\n ld.param.u32 %%r0, [k_param_0];\n"
        " ld.global.u64 %%rd1, [%%r0];\n bfe.u64 %%rd2, %%rd1, %d, %d;\n"
        " st.global.u64 [%%r0], %%rd2;\n ret;\n}\n";
    static const char *const head[] = {"// Generated by LLVM NVPTX Back-End\n", ""};
    static const struct {
        int at, n;
        const char *want[2];
    } row[] = {{40, 32, {"00000000ff800100", "0000000000800100"}},
               {63, 32, {"00000000ffffffff", "0000000000000001"}},
               {60, 8, {"00000000000000f8", "0000000000000008"}},
               {36, 40, {"000000fff8001000", "0000000008001000"}},
               {48, 16, {"ffffffffffff8001", "0000000000008001"}},
               {40, 12, {"0000000000000100", "0000000000000100"}}};
    const uint64_t in = 0x8001000000000000;
    for (size_t i = 0; i < 2 * sizeof row / sizeof row[0]; i++) {
        struct fl_buf b = {0};
        fl_buf_printf(&b, text, head[i % 2], row[i / 2].at, row[i / 2].n);
        tools_put(dir, "past.ptx", b.data, b.size);
        tools_put(dir, "in", &in, sizeof in);
        tools_expect(dir, "smcc",
                     "past.ptx -o k.cubin && smrun k.cubin --kernel k --buffer p=./in --param "
                     "0x10:buf:p --dump p=p >/dev/null && od -An -tx8 p",
                     0, row[i / 2].want[i % 2]);
        fl_buf_free(&b);
    }
}

/* Of a shifted word smcc knows how many bits it has, and so which multiplications suffice. */
static void a_product_of_shifted_words_has_all_of_their_bits(void)
{
    static const char text[] =
        ".version 3.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 "
        "k_param_0)\n{\n"
        ".reg .b32 %%r<5>;\n ld.param.u32 %%r0, [k_param_0];\n ld.global.u32 %%r1, [%%r0];\n"
        " shr.u32 %%r2, %%r1, %d;\n mul.lo.s32 %%r3, %%r2, %%r2;\n"
        " st.global.u32 [%%r0], %%r3;\n ret;\n}\n";
    const uint32_t in = 0x92345678;
    for (int by = 0; by < 32; by += 4) {
        char *want = fl_format("%08x", (in >> by) * (in >> by));
        struct fl_buf b = {0};
        fl_buf_printf(&b, text, by);
        tools_put(dir, "product.ptx", b.data, b.size);
        tools_put(dir, "in", &in, sizeof in);
        tools_expect(dir, "smcc",
                     "product.ptx -o k.cubin && smrun k.cubin --kernel k --buffer p=./in --param "
                     "0x10:buf:p --dump p=p >/dev/null && od -An -tx4 p",
                     0, want);
        fl_buf_free(&b);
        free(want);
    }
}

/* Copies of bit 31 of s32, zeros of u32. */
static void a_word_in_a_register_of_64_bits_is_extended_as_its_type_says(void)
{
    static const char text[] =
        ".version 3.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 "
        "k_param_0)\n{\n"
        ".reg .b32 %%r<2>;\n.reg .b64 %%rd<2>;\n ld.param.u32 %%r0, [k_param_0];\n"
        " ld.global.%s %%rd1, [%%r0];\n st.global.u64 [%%r0], %%rd1;\n ret;\n}\n";
    static const struct {
        const char *type;
        uint64_t in;
        const char *want;
    } row[] = {{"s32", 0x40000000, "0000000040000000"},
               {"s32", 0x80000001, "ffffffff80000001"},
               {"u32", 0x80000001, "0000000080000001"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct fl_buf b = {0};
        fl_buf_printf(&b, text, row[i].type);
        tools_put(dir, "word.ptx", b.data, b.size);
        tools_put(dir, "in", &row[i].in, sizeof row[i].in);
        tools_expect(dir, "smcc",
                     "word.ptx -o k.cubin && smrun k.cubin --kernel k --buffer p=./in --param "
                     "0x10:buf:p --dump p=p >/dev/null && od -An -tx8 p",
                     0, row[i].want);
        fl_buf_free(&b);
    }
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN(
        "smcc", CHECK(the_vector_addition_of_any_opencl_book_runs),
        CHECK(what_is_refused_is_shown_in_the_source),
        CHECK(the_text_of_the_assembler_makes_the_same_code),
        CHECK(a_cubin_has_the_lines_of_its_source_and_the_source),
        CHECK(a_constant_table_lies_in_c0_under_its_name), CHECK(cuda_c_runs_too),
        CHECK(variables_of_the_program_are_buffers_with_first_values),
        CHECK(a_first_job_does_not_run_before_it_is_filled_in),
        CHECK(of_a_first_job_what_is_only_read_is_no_output),
        CHECK(failures_of_a_kernel_have_lines), CHECK(sources_have_the_names_that_the_user_typed),
        CHECK(a_thread_has_no_more_registers_than_its_launch_allows),
        CHECK(a_launch_of_too_many_registers_names_the_limit_to_compile_with),
        CHECK(registers_that_do_not_fit_into_local_memory_ask_for_more_registers),
        CHECK(integers_of_64_bits_are_exact_at_their_edges),
        CHECK(without_clang_smcc_says_how_to_get_it), CHECK(ptx_needs_no_clang),
        CHECK(a_field_up_to_the_sign_is_signed_in_what_clang_writes),
        CHECK(a_product_of_shifted_words_has_all_of_their_bits),
        CHECK(a_word_in_a_register_of_64_bits_is_extended_as_its_type_says),
        CHECK(a_field_past_the_sign_has_copies_of_it_in_what_clang_writes));
    tools_remove(dir);
    return status;
}
