/* test_smcc_atomics.c -- atomic operations and votes of CUDA C and OpenCL C on machines that have them.
 *
 *     test_smcc_atomics [--seed S] [--count N]
 *
 * Random kernels whose results do not depend on the order of threads: words that all threads add to, take the least or largest of, and so
 * on, in loops and conditions; tickets, whose sum is always the same. One text in CUDA C, OpenCL C and plain C, which gcc compiles: each
 * machine, with its own number and order of SMs, must leave gcc's words.
 */
#include "tests/lib/check.h"

#include "base/random.h"
#include "tests/lib/tools.h"

enum { WORDS = 64, BLOCKS = 5, THREADS = 96 };
static uint64_t seed = 1;
static int count = SANITIZED ? 8 : 32;
static char *dir;

static void put(const char *name, const char *text)
{
    tools_put(dir, name, text, strlen(text));
}

/* ---- the words of kernels in each language ---- */

static const char cuda_kernel[] =
    "#define KERNEL(name) extern \"C\" __global__ void name(unsigned *g)\n";
static const char opencl_kernel[] =
    "#define KERNEL(name) __kernel void name(__global unsigned *g)\n";
/* The words in shared memory, of one block. */
static const char cuda_shared[] =
    "#define KERNEL(name) static __device__ void name##_(unsigned *); extern \"C\" __global__ void "
    "name(unsigned *o) { __shared__ unsigned s[64]; unsigned i = threadIdx.x; \\\n"
    "    if (i < 64) s[i] = o[i]; __syncthreads(); name##_(s); __syncthreads(); if (i < 64) o[i] = "
    "s[i]; } static __device__ void name##_(unsigned *g)\n#define ADD64(p, x)\n";
static const char opencl_shared[] =
    "#define KERNEL(name) static void name##_(__local unsigned *); __kernel void name(global "
    "unsigned *o) { __local unsigned s[64]; unsigned i = get_local_id(0); \\\n"
    "    if (i < 64) s[i] = o[i]; barrier(3); name##_(s); barrier(3); if (i < 64) o[i] = s[i]; } "
    "static void name##_(__local unsigned *g)\n#define __global __local\n#define ADD64(p, x)\n";
static const char cuda[] =
    "#define ID (blockIdx.x * blockDim.x + threadIdx.x)\n"
    "#define ADD(p, x) atomicAdd(p, (unsigned)(x))\n#define SUB(p, x) atomicSub(p, (unsigned)(x))\n"
    "#define INC(p) atomicAdd(p, 1)\n"
    "#define MIN(p, x) atomicMin((int *)(p), (int)(x))\n#define MAX(p, x) atomicMax((int *)(p), "
    "(int)(x))\n"
    "#define UMIN(p, x) atomicMin(p, x)\n#define UMAX(p, x) atomicMax(p, x)\n"
    "#define AND(p, x) atomicAnd(p, x)\n#define OR(p, x) atomicOr(p, x)\n#define XOR(p, x) "
    "atomicXor(p, x)\n"
    "#define ADDF(p, x) atomicAdd((float *)(p), (float)(x))\n"
    "#define CAS(p, x, y) atomicCAS(p, x, y)\n"
    "#ifdef ADD64\n#elif __CUDA_ARCH__ >= 120\n"
    "#define ADD64(p, x) atomicAdd((unsigned long long *)(p), (unsigned long long)(x) << 20)\n"
    "#else\n#define ADD64(p, x)\n#endif\n#include \"k.inc\"\n";
static const char opencl[] =
    "#define unsigned uint\n#define ID get_global_id(0)\n"
    "#define ADD(p, x) atomic_add(p, (uint)(x))\n#define SUB(p, x) atomic_sub(p, (uint)(x))\n"
    "#define INC(p) atomic_inc(p)\n"
    "#define MIN(p, x) atom_min((__global int *)(p), (int)(x))\n#define MAX(p, x) "
    "atomic_max((__global int *)(p), (int)(x))\n"
    "#define UMIN(p, x) atomic_min(p, x)\n#define UMAX(p, x) atom_max(p, x)\n"
    "#define AND(p, x) atomic_and(p, x)\n#define OR(p, x) atomic_or(p, x)\n#define XOR(p, x) "
    "atom_xor(p, x)\n"
    "#define CAS(p, x, y) atomic_cmpxchg(p, x, y)\n"
    "#define ADDF(p, x) do { uint was, now = *(volatile __global uint *)(p); do { was = now; \\\n"
    "    now = CAS(p, was, as_uint(as_float(was) + (float)(x))); } while (now != was); } while "
    "(0)\n"
    "#ifdef ADD64\n#elif defined(cl_khr_int64_base_atomics)\n"
    "#define ADD64(p, x) atom_add((__global ulong *)(p), (ulong)(x) << 20)\n"
    "#else\n#define ADD64(p, x)\n#endif\n#include \"k.inc\"\n";
static const char host[] =
    "#include <stdio.h>\n#include <string.h>\n#define KERNEL(name) static void name(unsigned *g, "
    "unsigned ID)\n"
    "#define OP(name, T, how) static unsigned name(unsigned *p, T y) { T x; unsigned was = *p; "
    "memcpy(&x, p, 4); x = how; memcpy(p, &x, 4); return was; }\n"
    "OP(ADD, unsigned, x + y) OP(SUB, unsigned, x - y) OP(MIN, int, x < y ? x : y) OP(MAX, int, x "
    "> y ? x : y)\n"
    "OP(UMIN, unsigned, x < y ? x : y) OP(UMAX, unsigned, x > y ? x : y) OP(AND, unsigned, x & y) "
    "OP(OR, unsigned, x | y)\n"
    "OP(XOR, unsigned, x ^ y) OP(ADDF, float, x + y)\n#define INC(p) ADD(p, 1)\n"
    "static unsigned CAS(unsigned *p, unsigned x, unsigned y) { unsigned was = *p; if (was == x) "
    "*p = y; return was; }\n"
    "static void ADD64(unsigned *p, unsigned y) { unsigned long long x; memcpy(&x, p, 8); x += "
    "(unsigned long long)y << 20; memcpy(p, &x, 8); }\n"
    "#include \"k.inc\"\n"
    "int main(void)\n{\n    FILE *in = fopen(\"in\", \"r\"), *out = fopen(\"host.out\", \"w\");\n"
    "    static void (*const all[])(unsigned *, unsigned) = {ALL};\n"
    "    for (unsigned k = 0; k < sizeof all / sizeof *all; k++) {\n        unsigned g[64];\n"
    "        if (fread(g, sizeof g, 1, in) != 1) return 1;\n"
    "        for (unsigned i = 0; i < LANES; i++) all[k](g, i);\n"
    "        fwrite(g, sizeof g, 1, out);\n    }\n    return fclose(out);\n}\n";

/* ---- random kernels ---- */

static uint32_t draw(uint64_t *from, uint32_t below)
{
    return (uint32_t)(fl_random(from) >> 33) % below;
}

/* A number of this thread, and of the turn of the loop around it. */
static void expression(struct fl_buf *out, uint64_t *from, int depth)
{
    fl_buf_printf(out, "((i%s) * %uu ^ i >> %u)", depth ? " + k" : "", draw(from, 1 << 30) | 1,
                  draw(from, 7));
}

/* The words of a kernel: eight for each of these, then a ticket and the sum of all tickets, two floats, two numbers of 64 bits. */
static void statement(struct fl_buf *out, uint64_t *from, int depth, int loops)
{
    static const char *const op[] = {"ADD", "MIN", "MAX", "UMIN", "AND", "OR", "XOR"};
    uint32_t what = draw(from, depth < 3 ? 16 : 12);
    if (what < 7) {
        fl_buf_printf(out, "%s(&g[%u + (",
                      what            ? op[what]
                      : draw(from, 2) ? "ADD"
                                      : "SUB",
                      8 * what);
        expression(out, from, loops);
        fl_buf_printf(out, " >> %u & 7)], ", draw(from, 20));
        expression(out, from, loops);
        fl_buf_printf(out, ");\n");
    } else if (what == 7) {
        fl_buf_printf(out, "INC(&g[%u]);\n", draw(from, 8));
    } else if (what == 8) {
        fl_buf_printf(out, "ADD(&g[57], ADD(&g[56], 1));\n");
    } else if (what == 9) {
        fl_buf_printf(out, "ADDF(&g[%u], i >> %u & 15);\n", 58 + draw(from, 2), draw(from, 4));
    } else if (what == 10) {
        fl_buf_printf(out, "ADD64(&g[%u], ", 60 + 2 * draw(from, 2));
        expression(out, from, loops);
        fl_buf_printf(out, ");\n");
    } else if (what == 11) { /* a loop of compare-and-swap: a sum of squares */
        what = draw(from, 8);
        fl_buf_printf(out,
                      "{ unsigned now = g[%u], was; do { was = now; now = CAS(&g[%u], was, was + i "
                      "* i); } while (now != was); }\n",
                      what, what);
    } else if (what < 14) {
        fl_buf_printf(out, "if (");
        expression(out, from, loops);
        fl_buf_printf(out, " & %u) {\n", 1 << draw(from, 6));
        statement(out, from, depth + 1, loops);
        fl_buf_printf(out, "} else {\n");
        statement(out, from, depth + 1, loops);
        fl_buf_printf(out, "}\n");
    } else {
        const char *outer = loops ? "k" : "0";
        fl_buf_printf(
            out,
            "{ unsigned outer = %s; for (unsigned k = outer; k < outer + (i >> %u & 3); k++) {\n",
            outer, draw(from, 5));
        statement(out, from, depth + 1, 1);
        statement(out, from, depth + 1, 1);
        fl_buf_printf(out, "} }\n");
    }
}

static void write_kernels(void)
{
    struct fl_buf text = {0}, in = {0}, job = {0}, code = {0};
    uint64_t from = seed;
    fl_buf_printf(&job,
                  "<job profile=\"MACHINE\" cubin=\"k.cubin\"><buffer name=\"g\" size=\"%d\"><file "
                  "path=\"in\"/></buffer>\n",
                  4 * WORDS * count);
    fl_buf_printf(&code, "#define LANES %d\n#define ALL ", BLOCKS * THREADS);
    for (int k = 0; k < count; k++) {
        fl_buf_printf(&text, "KERNEL(k%d)\n{\nunsigned i = ID;\n", k);
        for (uint32_t n = 3 + draw(&from, 5); n > 0; n--)
            statement(&text, &from, 0, 0);
        fl_buf_printf(&text, "}\n");
        for (int i = 0; i < WORDS; i++) {
            uint32_t w = i >= 56 ? 0 : (uint32_t)(fl_random(&from) >> 32);
            fl_buf_add(&in, &w, sizeof w);
        }
        fl_buf_printf(&job,
                      "<launch kernel=\"k%d\" grid=\"%d\" block=\"%d\"><param offset=\"0x10\" "
                      "buffer=\"g\" plus=\"%d\"/></launch>\n",
                      k, BLOCKS, THREADS, 4 * WORDS * k);
        fl_buf_printf(&code, "k%d, ", k);
    }
    fl_buf_printf(&job, "<output name=\"g\" buffer=\"g\"/></job>\n");
    fl_buf_printf(&code, "\n%s", host);
    tools_put(dir, "k.inc", text.data, text.size);
    tools_put(dir, "in", in.data, in.size);
    tools_put(dir, "k.job.xml", job.data, job.size);
    tools_put(dir, "host.c", code.data, code.size);
    fl_buf_free(&text);
    fl_buf_free(&in);
    fl_buf_free(&job);
    fl_buf_free(&code);
}

static bool run(const char *command)
{
    struct fl_buf out = {0};
    int status = tools_run(dir, &out, "{ %s; } 2>&1", command);
    if (status)
        printf("\n    seed %llu: %s: status %d\n%.2000s\n", (unsigned long long)seed, command,
               status, out.data);
    fl_buf_free(&out);
    CU_ASSERT_EQUAL(status, 0);
    return status == 0;
}

/* Words that differ from gcc's; of a machine without atomic operations of 64 bits, those of these are as they were. */
static void compare(const char *machine, const char *language, bool wide)
{
    struct fl_buf ours = {0}, theirs = {0};
    struct fl_err err;
    char *a = fl_format("%s/ours", dir), *b = fl_format("%s/host.out", dir);
    CU_ASSERT_FATAL(fl_read_file(a, &ours, &err) == 0 && fl_read_file(b, &theirs, &err) == 0);
    CU_ASSERT_EQUAL_FATAL(ours.size, theirs.size);
    for (size_t i = 0; i < ours.size; i += 4) {
        bool same = memcmp(ours.data + i, theirs.data + i, 4) == 0 ||
                    (i / 4 % WORDS >= 60 && !wide);
        if (!same)
            printf("\n    seed %llu, k%zu: word %zu differs on %s in %s\n",
                   (unsigned long long)seed, i / 4 / WORDS, i / 4 % WORDS, machine, language);
        CU_ASSERT_TRUE(same);
    }
    free(a);
    free(b);
    fl_buf_free(&ours);
    fl_buf_free(&theirs);
}

static void random_kernels_leave_the_words_of_gcc_whatever_the_order(void)
{
    static const struct {
        const char *profile, *compile_for;
        bool shared;
    } machine[] = {{"g92", "g92", false},
                   {"three.xml", "g92", false},
                   {"gt215", "gt215", false},
                   {"gt215", "gt215", true}};
    if (!check_clang() || !check_command("gcc", "scripts/setup"))
        return;
    write_kernels();
    if (!run("gcc -O1 -w -o host host.c && ./host && sed 's/<sms>16</<sms>3</; "
             "s/name=\"g92\"/name=\"three\"/' " FAULTLINE_SOURCE_DIR
             "/profiles/g92.xml >three.xml"))
        return;
    for (size_t m = 0; m < sizeof machine / sizeof machine[0]; m++)
        for (int l = 0; l < 2; l++) {
            bool shared = machine[m].shared, wide = m == 2;
            char *text = fl_format("%s%s",
                                   l        ? shared ? opencl_shared : opencl_kernel
                                   : shared ? cuda_shared
                                            : cuda_kernel,
                                   l ? opencl : cuda);
            put(l ? "k.cl" : "k.cu", text);
            free(text);
            char *line = fl_format(
                "smcc -w --strict --profile %s k.%s -o k.cubin && sed 's/MACHINE/%s/%s' k.job.xml "
                ">j.job.xml && smrun j.job.xml --dump g=ours",
                machine[m].compile_for, l ? "cl" : "cu", machine[m].profile,
                shared ? ";s/grid=\"5\" block=\"96\"/grid=\"1\" block=\"480\"/" : "");
            if (run(line))
                compare(shared ? "gt215's shared memory" : machine[m].profile,
                        l ? "OpenCL C" : "CUDA C", wide);
            free(line);
        }
}

/* ---- results of single operations ---- */

static void expect(const char *file, const char *profile, const char *launch, const char *words)
{
    char *line = fl_format(
        "--profile %s %s -o k.cubin && smrun --profile %s k.cubin --kernel k %s --buffer p=512 "
        "--param 0x10:buf:p --dump p=p >/dev/null && od -An -v -td4 p | tr -s ' \\n' ' '",
        profile, file, profile, launch);
    tools_expect(dir, "smcc", line, 0, words);
    free(line);
}

/* What each function returns and leaves: old values first, then the word. */
static void an_operation_returns_what_was_there(void)
{
    if (!check_clang())
        return;
    put("old.cu",
        "#ifdef SHARED\n#define WHERE(p) s\n#else\n#define WHERE(p) p\n#endif\n"
        "extern \"C\" __global__ void k(int *out)\n{\n    __shared__ int s[22];\n    int *p = "
        "WHERE(out); "
        "unsigned *u = (unsigned *)p + 20;\n    *u = 5;\n"
        "    p[0] = atomicInc(u, 6); p[1] = atomicInc(u, 6); p[2] = *u; p[3] = "
        "atomicDec(u, 9); p[4] = *u;\n"
        "    p[5] = atomicDec(u, 3); p[6] = *u; p[7] = atomicCAS(p + 20, 3, -7); p[8] = "
        "atomicCAS(p + 20, 3, 1); p[9] = p[20];\n"
        "    p[10] = atomicExch(p + 20, 4); p[11] = atomicSub(p + 20, 6); p[12] = "
        "atomicMin(p + 20, -1); p[13] = atomicMin(u, 1u);\n"
        "    p[14] = atomicMax(p + 20, -5); float *f = (float *)p + 21; *f = 1.5f; p[15] "
        "= (int)(2 * atomicExch(f, 3.25f)); p[16] = (int)(4 * atomicAdd(f, 2.0f));\n"
        "    p[17] = (int)(4 * *f);\n    for (int i = 0; i < 18; i++) out[i] = p[i];\n}\n");
    expect("old.cu", "g92", "", "5 6 0 0 9 9 3 3 -7 -7 -7 4 -2 -2 1 3 13 21");
    expect("-DSHARED old.cu", "gt215", "", "5 6 0 0 9 9 3 3 -7 -7 -7 4 -2 -2 1 3 13 21");
    put("old.cl", "__kernel void k(__global int *p)\n{\n    p[20] = 5;\n"
                  "    p[0] = atomic_inc(p + 20); p[1] = atomic_dec(p + 20); p[2] = p[20]; p[3] = "
                  "atomic_cmpxchg(p + 20, 5, -7); p[4] = p[20];\n"
                  "    p[5] = atomic_xchg(p + 20, 12); p[6] = atomic_and(p + 20, 10); p[7] = "
                  "atomic_or(p + 20, 3); p[8] = atomic_xor(p + 20, 1); p[9] = p[20];\n"
                  "    p[10] = (int)(2 * atomic_xchg((__global float *)p + 21, 2.5f)); p[11] = "
                  "(int)(2 * ((__global float *)p)[21]);\n}\n");
    expect("old.cl", "g92", "", "5 6 5 5 -7 -7 12 8 11 10 0 5");
    put("wide.cu", "extern \"C\" __global__ void k(int *p)\n{\n    unsigned long long *u = "
                   "(unsigned long long *)(p + 20), x;\n    *u = 0xfffffffffull;\n"
                   "    x = atomicAdd(u, 1ull); p[0] = (int)x; p[1] = (int)(x >> 32); p[2] = "
                   "(int)(*u >> 32); x = atomicCAS(u, 0x1000000000ull, 0x500000007ull);\n"
                   "    p[3] = (int)(x >> 32); x = atomicCAS(u, 7ull, 1ull); p[4] = (int)x; p[5] = "
                   "(int)(x >> 32); x = atomicExch(u, 0x900000008ull); p[6] = (int)x;\n"
                   "    p[7] = (int)*u; p[8] = (int)(*u >> 32);\n}\n");
    expect("wide.cu", "gt215", "", "-1 15 16 16 7 5 7 8 9");
}

/* While a kernel runs, nothing but the machine accesses memory. */
static void operations_of_a_block_and_of_the_system_are_those_of_the_device(void)
{
    if (!check_clang())
        return;
    put("scope.cu",
        "#ifdef BLOCK\n#define A(f) f##_block\n#else\n#define A(f) f##_system\n#endif\n"
        "extern \"C\" __global__ void k(int *p)\n{\n    unsigned *u = (unsigned *)p + 8;\n"
        "    float *f = (float *)p + 9;\n    *u = 5; *f = 1.5f;\n"
        "    p[0] = A(atomicInc)(u, 6); p[1] = A(atomicAdd)(p + 8, 3u); p[2] = A(atomicMin)(u, "
        "7);\n"
        "    p[3] = A(atomicCAS)(p + 8, 7, -2); p[4] = A(atomicMax)(p + 8, -1); p[5] = p[8];\n"
        "    p[6] = (int)(2 * A(atomicAdd)(f, 1)); p[7] = (int)(2 * A(atomicExch)(f, 9.f));\n"
        "}\n");
    expect("scope.cu", "g92", "", "5 6 9 7 -2 -1 3 5");
    expect("-DBLOCK scope.cu", "g92", "", "5 6 9 7 -2 -1 3 5");
    tools_expect(dir, "smcc", "--profile g80 scope.cu -o k.cubin", 1,
                 "scope.cu:11:12: error: 'atomicInc' is unavailable");
}

/* Lanes 0 to 39: two warps, of which the second has 8. */
static void a_vote_is_of_the_threads_of_a_warp_that_are_there(void)
{
    if (!check_clang())
        return;
    put("vote.cu", "extern \"C\" __global__ void k(int *p)\n{\n    int i = threadIdx.x, r = 0;\n"
                   "    if (__any(i == 3)) r += 1;\n    if (__all(i < 32)) r += 2;\n    if "
                   "(__all(i != 35)) r += 4;\n"
                   "    if (i & 1) r += 8 * __all(i & 1) + 16 * __any(i == 2);\n    else r += 8 * "
                   "__any(i & 1) + 16 * __all(i != 1);\n    p[i] = r;\n}\n");
    expect("vote.cu", "gt215", "--block 40",
           " 23 15 23 15 23 15 23 15 23 15 23 15 23 15 23 15 23 15 23 15 23 15 23 15 23 15 23 15 "
           "23 15 23 15 16 8 16 8 16 8 16 8 0");
    put("mask.cu", "extern \"C\" __global__ void k(int *p)\n{\n    int i = threadIdx.x;\n"
                   "    p[i] = __any_sync(~0u, i == 1) + 2 * __all_sync(~0u, i < 2);\n"
                   "    if (i)\n        p[i] += 4 * __all_sync(2u, i);\n}\n");
    expect("mask.cu", "gt215", "--block 2", " 3 7 0");
}

/* Of float and double, which a program may have one of its own for. */
static void a_sum_of_floats_or_doubles_is_atomic(void)
{
    if (!check_clang())
        return;
    put("sums.cu",
        "#ifdef OWN\n__device__ double atomicAdd(double *p, double x) { *p = 100; return x; }\n"
        "__device__ float atomicAdd(float *p, float x) { *p = 50; return x; }\n#endif\n"
        "extern \"C\" __global__ void k(int *p)\n{\n    double *d = (double *)(p + 4); float *f = "
        "(float *)(p + 8);\n    atomicAdd(d, threadIdx.x + 0.5); atomicAdd(f, 1.5f);\n    "
        "__syncthreads();\n    p[0] = (int)*d; p[1] = (int)*f;\n}\n");
    expect("sums.cu", "gt215", "--block 40", " 800 60 0");
    expect("-DOWN sums.cu", "gt215", "--block 40", " 100 50 0");
    tools_expect(dir, "smcc", "--profile g92 sums.cu -o k.cubin", 1,
                 "'atomicAdd' is unavailable: the machine (compute capability 1.1)");
}

/* What CUDA C and OpenCL C have, and machines of 1.0 can do. */
static void functions_of_later_headers_are_made_of_those_of_the_machine(void)
{
    if (!check_clang())
        return;
    put("later.cu",
        "extern \"C\" __global__ void k(int *p, const __grid_constant__ int unused)\n{\n"
        "    dim3 b = blockDim, g = gridDim;\n    unsigned *u = (unsigned *)p;\n"
        "    u[40] = 0x80000001u; u[41] = 0x12345678u; u[42] = 36;\n"
        "    p[0] = b.x + 10 * b.y + 100 * g.x;\n"
        "    u[1] = __funnelshift_l(u[40], u[41], u[42]) == 0x23456788u;\n"
        "    u[2] = __funnelshift_r(u[40], u[41], u[42]) == 0x88000000u;\n"
        "    u[3] = __funnelshift_lc(u[40], u[41], u[42]) == u[40];\n"
        "    u[4] = __funnelshift_rc(u[40], u[41], u[42]) == u[41];\n"
        "    double one = u[42] / 36.0;\n"
        "    p[5] = __double2int_ru(__dadd_rn(one, 1.25)) + (__dadd_ru(one, 1e-9) > one) + "
        "(__dadd_rd(one, 1e-9) > one);\n"
        "    p[6] = (int)__fma_rz(__dmul_rd(one, 3), __ddiv_rn(8, 2), __dsqrt_rn(one)) + "
        "__double2int_rz(__double2float_rn(one));\n    p[7] = nan(\"\") == one;\n}\n");
    expect("later.cu", "g80", "--block 3,2 --grid 2", " 223 1 1 1 1 4 14 0");
    put("call.cl", "__kernel void inner(__global int *p, int n)\n{\n    p[n] += 3;\n}\n"
                   "__kernel void k(__global int *p)\n{\n    inner(p, 1);\n    if (p[1])\n        "
                   "inner(p + 1, p[1]);\n}\n");
    expect("call.cl", "g80", "", " 0 3 0 0 3 0");
}

/* A first job: what an atomic operation changes is read and written. */
static void a_first_job_reads_and_writes_what_atomics_change(void)
{
    if (!check_clang())
        return;
    put("job.cu", "extern \"C\" __global__ void k(const int *in, unsigned *count, int *out) { "
                  "out[atomicAdd(count + in[threadIdx.x], 1)] = 1; }\n");
    tools_expect(
        dir, "smcc",
        "--profile g92 job.cu -o k.cubin --job j.xml && grep -c 'output name' j.xml && grep "
        "'output name' j.xml | sed 's/ *<output name=\"\\([a-z]*\\).*/\\1/' | tr '\\n' ' '",
        0, "2\ncount out ");
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--count") == 0)
            count = atoi(argv[i + 1]);
    dir = tools_folder();
    int status = CHECK_RUN("smcc_atomics",
                           CHECK(random_kernels_leave_the_words_of_gcc_whatever_the_order),
                           CHECK(an_operation_returns_what_was_there),
                           CHECK(operations_of_a_block_and_of_the_system_are_those_of_the_device),
                           CHECK(a_vote_is_of_the_threads_of_a_warp_that_are_there),
                           CHECK(a_sum_of_floats_or_doubles_is_atomic),
                           CHECK(functions_of_later_headers_are_made_of_those_of_the_machine),
                           CHECK(a_first_job_reads_and_writes_what_atomics_change));
    tools_remove(dir);
    return status;
}
