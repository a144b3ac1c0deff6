/* test_smcc_language.c -- what users write, as the language means it, for every clang that smcc takes. */
#include "tests/lib/check.h"

#include <fnmatch.h>

#include "tests/lib/folder.h"

/* Each clang that is there has a folder in which it is the only one that smcc finds: under the name of the first. */
static const char *const clangs[] = {"clang-14", "clang-15", "clang-16"};
enum { CLANGS = sizeof clangs / sizeof clangs[0] };
static bool is_there[CLANGS];

/* A test runs with those that are there, and says which are not. */
static bool no_clang(void)
{
    static bool looked;
    struct fl_buf out = {0};
    int count = 0;
    for (int i = 0; i < CLANGS; i++) {
        if (!looked)
            is_there[i] = tools_run(
                              dir, &out,
                              "p=$(command -v %s) && mkdir with-%s && ln -s $p with-%s/clang-14",
                              clangs[i], clangs[i], clangs[i]) == 0;
        if (!is_there[i])
            check_skip("not installed: %s (scripts/setup --clangs)", clangs[i]);
        count += is_there[i];
    }
    looked = true;
    fl_buf_free(&out);
    return !count;
}

/* Whether a clang compiles case `number`: each, or one in turn. */
static bool compiles(int clang, size_t number)
{
    size_t before = 0, all = 0;
    for (int i = 0; i < CLANGS; i++) {
        before += is_there[i] && i < clang;
        all += is_there[i];
    }
    return is_there[clang] && (!check_few() || number % all == before);
}

/* ---- barriers ---- */

/* One source in two languages: `words` stand before it. */
static const char opencl_words[] =
    "#define KERNEL __kernel void\n#define G __global\n#define SHARED __local\n#define OWN\n"
    "#define T get_local_id(0)\n#define SYNC barrier(CLK_LOCAL_MEM_FENCE)\n"
    "#define SYNC_ALL barrier(CLK_GLOBAL_MEM_FENCE)\n#define FENCE mem_fence(CLK_LOCAL_MEM_FENCE)\n"
    "#define FENCE_ALL write_mem_fence(CLK_GLOBAL_MEM_FENCE); "
    "read_mem_fence(CLK_GLOBAL_MEM_FENCE)\n";
static const char cuda_words[] =
    "#define KERNEL __global__ void\n#define G\n#define SHARED __shared__\n#define OWN __device__\n"
    "#define T threadIdx.x\n#define SYNC __syncthreads()\n#define SYNC_ALL __syncthreads()\n"
    "#define FENCE __threadfence_block()\n#define FENCE_ALL __threadfence()\n"
    "#define restrict __restrict__\n";

/* Thread 7 changes a cell that all read before and behind. Nothing here is a race; with the fences all is one warp's. */
static const char handed_over[] =
    /* the address of the cells goes nowhere */
    "KERNEL cells(G int *d, G int *b, G int *e)\n{\n    SHARED int s[64];\n"
    "    s[T] = b[T];\n    SYNC;\n    int x = s[5];\n    SYNC;\n"
    "    if (T == 7)\n        s[5] = b[9] + 100;\n    SYNC;\n"
    "    d[T] = x * 1000 + s[5];\n}\n"
    /* one variable of the block, which one thread writes */
    "KERNEL one(G int *d, G int *b, G int *e)\n{\n    SHARED int base;\n"
    "    if (T == 0)\n        base = b[5];\n    SYNC;\n    int x = base * 1000;\n    SYNC;\n"
    "    if (T == 63)\n        base = b[9] + 100;\n    SYNC;\n    d[T] = x + base;\n}\n"
    /* a sum that grows in a loop, so that it could live in a register */
    "KERNEL loop(G int *d, G int *b, G int *e)\n{\n    SHARED int s[2];\n"
    "    int x = 0;\n    if (T < 2)\n        s[T] = 0;\n    SYNC;\n"
    "    for (int i = 0; i < 10; i++) {\n        if (T == i + 20)\n"
    "            s[1] += i == 4 ? b[5] * 1000 : i == 6 ? b[9] + 100 : 0;\n        SYNC;\n"
    "        x = s[1];\n        SYNC;\n    }\n    d[T] = x;\n}\n"
    /* a barrier in a function */
    "OWN int swap(SHARED int *s, G int *b)\n{\n    SYNC;\n    int x = *s;\n    SYNC;\n"
    "    if (T == 7)\n        *s = b[9] + 100;\n    SYNC;\n    return x;\n}\n"
    "KERNEL call(G int *d, G int *b, G int *e)\n{\n    SHARED int s[64];\n"
    "    s[T] = b[T];\n    int x = swap(&s[5], b);\n    d[T] = x * 1000 + s[5];\n}\n"
    /* through global memory, by pointers of which clang is told that no other pointer means the same */
    "KERNEL far(G int *restrict d, G const int *restrict b, G int *restrict e)\n{\n"
    "    e[T] = b[T];\n    SYNC_ALL;\n    int x = e[5];\n    SYNC_ALL;\n"
    "    if (T == 7)\n        e[5] = b[9] + 100;\n    SYNC_ALL;\n"
    "    d[T] = x * 1000 + e[5];\n}\n"
    "KERNEL fence(G int *d, G int *b, G int *e)\n{\n    SHARED int s[64];\n"
    "    int y = b[9] + 100;\n    s[T] = b[T];\n    FENCE;\n    int x = s[5];\n    FENCE;\n"
    "    if (T == 7)\n        s[5] = y;\n    FENCE;\n    d[T] = x * 1000 + s[5];\n}\n"
    "KERNEL far_fence(G int *d, G int *b, G int *restrict e)\n{\n"
    "    int y = b[9] + 100;\n    e[T] = b[T];\n    FENCE_ALL;\n    int x = e[5];\n"
    "    FENCE_ALL;\n    if (T == 7)\n        e[5] = y;\n    FENCE_ALL;\n"
    "    d[T] = x * 1000 + e[5];\n}\n";

static void expect_handed_over(int clang, const char *source)
{
    static const struct {
        const char *kernel;
        int threads;
    } runs[] = {{"cells", 64}, {"one", 64},   {"loop", 64},     {"call", 64},
                {"far", 64},   {"fence", 32}, {"far_fence", 32}};
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL_FATAL(tools_run(dir, &out, "PATH=$PWD/with-%s:$PATH smcc %s -o k.cubin 2>&1",
                                    clangs[clang], source),
                          0);
    for (size_t r = 0; r < sizeof runs / sizeof runs[0]; r++) {
        int n = runs[r].threads;
        /* b[5] is 6, b[9] is 10 */
        bool good = tools_run(dir, &out,
                              "smrun k.cubin --kernel %s --block %d --buffer d=%d --buffer b=./b "
                              "--buffer e=256 --param d:buf:d --param b:buf:b --param e:buf:e "
                              "--dump d=d >/dev/null && od -An -v -w4 -td4 d | sort | uniq -c | "
                              "tr -s ' '",
                              runs[r].kernel, n, 4 * n) == 0;
        char want[40];
        snprintf(want, sizeof want, " %d 6110\n", n);
        good = good && strcmp((const char *)out.data, want) == 0;
        if (!good)
            printf("\n    %s, %s, kernel %s: %s", clangs[clang], source, runs[r].kernel, out.data);
        CU_ASSERT_TRUE(good);
    }
    fl_buf_free(&out);
}

static void what_threads_hand_over_at_a_barrier_is_read_behind_it(void)
{
    int b[64];
    if (no_clang())
        return;
    for (int i = 0; i < 64; i++)
        b[i] = i + 1;
    tools_put(dir, "b", b, sizeof b);
    char *cl = fl_format("%s%s", opencl_words, handed_over),
         *cu = fl_format("%s%s", cuda_words, handed_over);
    put("over.cl", cl);
    put("over.cu", cu);
    for (int i = 0; i < CLANGS; i++)
        if (is_there[i]) {
            expect_handed_over(i, "over.cl");
            expect_handed_over(i, "over.cu");
        }
    free(cl);
    free(cu);
}

/* ---- conversions ---- */

/* What clang may compute itself: a cast of such a number would be undefined. */
static void a_conversion_that_clamps_does_so_for_constants_too(void)
{
    if (no_clang())
        return;
    put("clamp.cl",
        "__kernel void k(__global int *d)\n{\n    d[0] = convert_int_sat(1e10f);\n"
        "    d[1] = (int)convert_uint_sat(-1.0f);\n    d[2] = convert_int_rtz(-1e10f);\n"
        "    d[3] = (int)convert_uint_rtz(1e10f);\n    d[4] = convert_char_sat(-1e10f);\n"
        "}\n");
    put("clamp.cu", "__global__ void k(int *d)\n{\n    d[0] = __float2int_rz(1e10f);\n"
                    "    d[1] = (int)__float2uint_rz(-1.0f);\n    d[2] = __float2int_rz(-1e10f);\n"
                    "    d[3] = (int)__float2uint_rz(1e10f);\n"
                    "    d[4] = max(-128, __float2int_rz(-1e10f));\n}\n");
    for (int i = 0; i < CLANGS; i++)
        for (int cuda = 0; cuda < 2 && is_there[i]; cuda++) {
            struct fl_buf out = {0};
            tools_run(
                dir, &out,
                "PATH=$PWD/with-%s:$PATH smcc clamp.%s -o k.cubin && smrun k.cubin --kernel k "
                "--buffer d=20 --param d:buf:d --dump d=d >/dev/null && od -An -v -w20 -td4 d | "
                "tr -s ' '",
                clangs[i], cuda ? "cu" : "cl");
            CU_ASSERT_STRING_EQUAL(out.data, " 2147483647 0 -2147483648 -1 -128\n");
            fl_buf_free(&out);
        }
}

/* ---- pointers ---- */

/* clang makes one load of two, with a pointer to either memory, where users wrote no such pointer. */
static void a_pointer_may_mean_global_memory_or_another_one(void)
{
    struct fl_buf out = {0};
    if (no_clang())
        return;
    put("either.cu",
        "__global__ void k(int *d, int *b, int n)\n{\n    __shared__ int s[32];\n"
        "    int t = threadIdx.x, x;\n    s[t] = 100 * t;\n    __syncthreads();\n"
        "    if (t < n)\n        x = s[t + 1];\n    else\n        x = b[t - 1];\n    "
        "__syncthreads();\n"
        "    unsigned char *c = (unsigned char *)(t & 1 ? &s[t] : &b[t]);\n"
        "    c[1] = 1;\n    __syncthreads();\n    d[t] = x * 1000 + s[t] % 256 + b[t];\n}\n");
    int b[32];
    for (int i = 0; i < 32; i++)
        b[i] = i;
    tools_put(dir, "b", b, sizeof b);
    for (int i = 0; i < CLANGS; i++) {
        if (!is_there[i])
            continue;
        int status = tools_run(
            dir, &out,
            "PATH=$PWD/with-%s:$PATH smcc either.cu -o k.cubin && smrun k.cubin --kernel k --block "
            "32 "
            "--buffer d=128 --buffer b=./b --param d:buf:d --param b:buf:b --param n:s32:2 "
            "--dump d=d >/dev/null && od -An -v -w4 -td4 d | head -5 | tr -s '\\n ' ' '",
            clangs[i]);
        /* b[t] + 256 for even t; s[t] % 256 of all */
        CU_ASSERT_EQUAL(status, 0);
        CU_ASSERT_STRING_EQUAL(out.data, " 100256 200101 1458 2047 3404 ");
    }
    fl_buf_free(&out);
}

/* ---- macros ---- */

extern const char cc_opencl_header[], cc_cuda_header[];

/* Names of the language that are macros here; a * stands for more. */
static const char *const opencl_macros[] = {
    "CHAR_BIT", "CLK_*",     "CHAR_*",    "SCHAR_*", "UCHAR_MAX", "SHRT_*",     "USHRT_MAX",
    "INT_*",    "UINT_*",    "LONG_*",    "ULONG_*", "FLT_*",     "MAXFLOAT",   "HUGE_VAL*",
    "NAN",      "INFINITY",  "M_*_F",     "NULL",    "restrict",  "__restrict", "__restrict__",
    "as_*",     "convert_*", "FP_ILOGB*", "printf",  "SMCC_*",    NULL};
static const char *const cuda_macros[] = {
    "__global__",      "__device__",        "__host__",
    "__constant__",    "__shared__",        "__managed__",
    "__forceinline__", "__noinline__",      "__launch_bounds__",
    "__restrict",      "__restrict__",      "__syncthreads",
    "__CUDA_ARCH__",   "__CUDACC__",        "CUDART_*_F",
    "__align__",       "CUDART_TYPES_H",    "CUDART_VERSION",
    "CUDART_CB",       "__grid_constant__", NULL};

static void expect_macros(const char *header, const char *end, const char *options,
                          const char *const *known)
{
    struct fl_buf out = {0};
    tools_put(dir, "header.h", header, strlen(header));
    put("empty", "");
    for (int i = 0; i < CLANGS; i++) {
        if (!is_there[i])
            continue;
        CU_ASSERT_EQUAL_FATAL(
            tools_run(dir, &out,
                      "all() { %s %s -x %s -dM -E \"$@\" empty | sort; } && all >without && all "
                      "-include header.h >with && comm -13 without with | awk '{ print $2 }' | sed "
                      "'s/(.*//'",
                      clangs[i], options, end),
            0);
        CU_ASSERT_TRUE(tools_says(&out, known[0])); /* it has been read */
        char *rest = (char *)out.data;
        for (char *name = strsep(&rest, "\n"); name && *name; name = strsep(&rest, "\n")) {
            bool found = false;
            for (int k = 0; known[k] && !found; k++)
                found = fnmatch(known[k], name, 0) == 0;
            if (!found)
                printf("\n    %s with %s defines %s\n", end, clangs[i], name);
            CU_ASSERT_TRUE(found);
        }
    }
    fl_buf_free(&out);
}

static void of_the_macros_behind_the_headers_all_are_the_languages_own(void)
{
    if (no_clang())
        return;
    expect_macros(cc_opencl_header, "cl",
                  "-target nvptx--nvidiacl -cl-std=CL1.2 -cl-no-stdinc -DSMCC_RARE", opencl_macros);
    expect_macros(cc_cuda_header, "cuda",
                  "--cuda-device-only --target=i386-linux-gnu --cuda-gpu-arch=sm_20 -nocudainc "
                  "-nocudalib -Wno-unknown-cuda-version -fdeclspec",
                  cuda_macros);
}

/* A sum of a to z and A to Z, which are variables, or macros of the command line. */
static void expect_letters(const char *source, const char *head)
{
    struct fl_buf text = {0}, macros = {0}, out = {0};
    int in[52];
    int32_t want = 0;
    fl_buf_printf(&text, "%s\n{\n    int sum = 0;\n#ifdef VARIABLES\n", head);
    for (int i = 0; i < 52; i++) {
        char letter = (char)(i < 26 ? 'a' + i : 'A' + i - 26);
        in[i] = 1000 - i * i;
        want = want * 2 % 1000003 + in[i];
        fl_buf_printf(&text, "#ifdef %c\n#error %c\n#endif\n    int %c = from[%d];\n", letter,
                      letter, letter, i);
        fl_buf_printf(&macros, " -D%c=%d", letter, in[i]);
    }
    fl_buf_printf(&text, "#endif\n#ifndef M\n#define M from[38]\n#endif\n");
    for (int i = 0; i < 52; i++)
        fl_buf_printf(&text, "    sum = sum * 2 %% 1000003 + %c;\n",
                      i < 26 ? 'a' + i : 'A' + i - 26);
    fl_buf_printf(&text, "    to[0] = sum;\n}\n");
    fl_buf_add(&macros, "", 1);
    tools_put(dir, source, text.data, text.size);
    tools_put(dir, "from", in, sizeof in);
    const char *const options[] = {"-DVARIABLES", (const char *)macros.data};
    for (int o = 0; o < 2; o++) {
        int status = tools_run(dir, &out,
                               "smcc %s %s -o k.cubin && smrun k.cubin --kernel letters --buffer "
                               "to=4 --buffer from=./from --param to:buf:to --param from:buf:from "
                               "--dump to=to >/dev/null && od -An -td4 to",
                               source, options[o]);
        CU_ASSERT_EQUAL(status, 0);
        CU_ASSERT_EQUAL(strtol((const char *)out.data, NULL, 10), want);
    }
    fl_buf_free(&text);
    fl_buf_free(&macros);
    fl_buf_free(&out);
}

static void every_single_letter_is_the_users(void)
{
    if (no_clang())
        return;
    expect_letters("letters.cl",
                   "__kernel void letters(__global int *to, __global const int *from)");
    expect_letters("letters.cu", "__global__ void letters(int *to, const int *from)");
}

static void the_last_word_on_a_macro_counts(void)
{
    if (no_clang())
        return;
    put("last.cl", "#ifdef GONE\n#error GONE\n#endif\n"
                   "__kernel void k(__global int *p) { p[0] = TWICE(N) + ONE; }\n");
    tools_expect(
        dir, "smcc",
        "-DN=3 -DGONE '-DTWICE(x)=2 * (x)' -UGONE -UN -D N=20 -D ONE last.cl -o k.cubin && "
        "smrun k.cubin --kernel k --buffer p=4 --param p:buf:p --dump p=p >/dev/null && "
        "od -An -td4 p",
        0, "41");
    tools_expect(dir, "smcc", "-D 3=4 last.cl -o none.cubin", 1,
                 "<command line>:1:9: error: macro name must be an identifier");
}

static void a_function_that_is_not_to_be_built_in_is_built_in(void)
{
    static const char *const file[] = {"far.cl", "far.cu"};
    if (no_clang())
        return;
    for (int i = 0; i < 2; i++) {
        const char *of = i ? "__device__ " : "", *global = i ? "" : "__global ";
        char text[600];
        snprintf(text, sizeof text,
                 "%s__attribute__((noinline)) int inner(int a)\n{\n    return a * 3 + 1;\n}\n"
                 "%s__attribute__((__noinline__)) void outer(%sint *p, int n)\n{\n    if (n < "
                 "100)\n      "
                 "  p[n] = inner(n) + inner(n + 1);\n}\n"
                 "%s void k(%sint *p) { p[0] = 0; outer(p, 1); outer(p, p[1]); }\n",
                 of, of, global, i ? "__global__" : "__kernel", global);
        put(file[i], text);
        char line[200];
        snprintf(
            line, sizeof line,
            "%s -o k.cubin && smrun k.cubin --kernel k --buffer p=64 --param p:buf:p --dump p=p "
            ">/dev/null && od -An -td4 p | tr -s ' \n' ' '",
            file[i]);
        tools_expect(dir, "smcc", line, 0, "0 11 0 0 0 0 0 0 0 0 0 71");
    }
}

/* ---- refusals ---- */

/* What a machine of 1.1 or 1.2 lacks: the message says its capability, and the one that has it. */
static void what_a_machine_with_atomics_lacks_is_refused_by_name(void)
{
    static const struct {
        const char *file, *profile, *text, *says;
    } bad[] = {
        {"vote.cu", "g92", "__global__ void k(int *p)\n{\n    p[0] = __all(p[1]);\n}\n",
         "vote.cu:3:12: error: '__all' is unavailable: the machine (compute capability 1.1) has no "
         "votes, 1.2 has; combine"},
        {"wide.cu", "g92", "__global__ void k(unsigned long long *p)\n{\n    atomicAdd(p, 1);\n}\n",
         "wide.cu:3:5: error: 'atomicAdd' is unavailable: the machine (compute capability 1.1) has "
         "no such atomic operation: those of int and unsigned are all, and 1.2 has"},
        {"wide.cl", "g92", "__kernel void k(__global long *p)\n{\n    atom_add(p, 1);\n}\n",
         "wide.cl:3:5: error: 'atom_add' is unavailable: the machine (compute capability 1.1) has "
         "no such atomic operation"},
        {"ballot.cu", "gt215", "__global__ void k(int *p)\n{\n    p[0] = __ballot(p[1]);\n}\n",
         "ballot.cu:3:12: error: '__ballot' is unavailable: the machine (compute capability 1.2) "
         "has no votes, 2.0 has this one"},
        {"least.cu", "gt215",
         "__global__ void k(unsigned long long *p)\n{\n    atomicMin(p, 1ull);\n}\n",
         "least.cu:3:5: error: 'atomicMin' is unavailable: the machine (compute capability 1.2) "
         "has "
         "no such atomic operation"},
        {"double.cu", "g92", "__global__ void k(double *p)\n{\n    atomicAdd(p, 1);\n}\n",
         "double.cu:3:5: error: 'atomicAdd' is unavailable: the machine (compute capability 1.1) "
         "has no such atomic operation"},
        {"shared.cu", "g92",
         "__global__ void k(int *p)\n{\n    __shared__ int n;\n    atomicAdd(&n, p[1]);\n    "
         "__syncthreads();\n    p[0] = n;\n}\n",
         "shared.cu:4:5: error: atomic 'add' on shared memory is unavailable: the machine (compute "
         "capability 1.1) has none, 1.2 has"},
        {"wide.cl", "gt215", "__kernel void k(__local long *p)\n{\n    atom_add(p, 5);\n}\n",
         "wide.cl:3:5: error: atomic 'add' of 64 bits on shared memory is unavailable: the machine "
         "(compute capability 1.2) has none, 2.0 has"},
        {"local.cl", "g92", "__kernel void k(__local int *p)\n{\n    atomic_max(p, 5);\n}\n",
         "local.cl:3:5: error: atomic 'max' on shared memory is unavailable"},
    };
    if (no_clang())
        return;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        put(bad[i].file, bad[i].text);
        char *line = fl_format("--profile %s %s -o none.cubin 2>&1", bad[i].profile, bad[i].file);
        tools_expect(dir, "smcc", line, 1, bad[i].says);
        free(line);
    }
}

/* What a program asks before it uses one. */
static void a_program_finds_what_the_machine_has(void)
{
    static const struct {
        const char *profile, *says;
    } machine[] = {{"g80", "0x64"}, {"g92", "0x6f"}, {"gt215", "0x7b"}};
    if (no_clang())
        return;
    put("arch.cu", "__global__ void k(int *p) { p[0] = __CUDA_ARCH__; }\n");
    put("arch.cl",
        "__kernel void k(__global int *p)\n{\n    int n = 100;\n"
        "#ifdef cl_khr_global_int32_base_atomics\n    n += 10;\n#endif\n"
        "#ifdef cl_khr_global_int32_extended_atomics\n    n += 1;\n#endif\n"
        "#ifdef cl_khr_int64_base_atomics\n    n += 12;\n#endif\n"
        "#if !defined(cl_khr_local_int32_base_atomics) != !defined(cl_khr_int64_base_atomics) || "
        "defined(cl_khr_int64_extended_atomics)\n"
        "    n = 0;\n#endif\n    p[0] = n;\n}\n");
    for (size_t i = 0; i < sizeof machine / sizeof machine[0]; i++) {
        char *line = fl_format("--profile %s arch.cl -S", machine[i].profile), want[20];
        snprintf(want, sizeof want, "MVI R0, %s", machine[i].says);
        tools_expect(dir, "smcc", line, 0, want);
        free(line);
        line = fl_format("--profile %s arch.cu -S", machine[i].profile);
        snprintf(want, sizeof want, "MVI R0, 0x%zx", 100 + 10 * i);
        tools_expect(dir, "smcc", line, 0, want);
        free(line);
    }
}

static void what_the_machine_has_not_is_refused_by_name_and_place(void)
{
    static const struct {
        const char *file, *text, *says;
    } bad[] = {
        {"atomic.cl",
         "__kernel void k(volatile __global uint *p)\n{\n    p[1] = atomic_inc(p);\n}\n",
         "atomic.cl:3:12: error: 'atomic_inc' is unavailable: the machine (compute capability 1.0) "
         "has no atomic operations, 1.1 has; let each thread write an element of its own and "
         "combine them later\n    p[1] = atomic_inc(p);\n           ^\n"},
        {"local.cl",
         "__kernel void k(__local int *p)\n{\n    if (p[0])\n        atom_add(&p[3], 2);\n}\n",
         "local.cl:4:9: error: 'atom_add' is unavailable: the machine (compute capability 1.0) has "
         "no atomic operations"},
        {"atomic.cu",
         "__global__ void k(int *p)\n{\n    int x = 1 + atomicCAS(p, 3, 4);\n    p[1] = "
         "x;\n}\n",
         "atomic.cu:3:17: error: 'atomicCAS' is unavailable: the machine (compute capability 1.0) "
         "has no atomic operations"},
        {"vote.cu", "__global__ void k(int *p)\n{\n    p[0] = __any(p[1]);\n}\n",
         "vote.cu:3:12: error: '__any' is unavailable: the machine (compute capability 1.0) has no "
         "votes, 1.2 has; combine"},
        {"ballot.cu", "__global__ void k(int *p)\n{\n    p[0] = __ballot(p[1]);\n}\n",
         "ballot.cu:3:12: error: '__ballot' is unavailable: the machine (compute capability 1.0) "
         "has no votes, 2.0 has this one"},
        {"count.cu", "__global__ void k(int *p)\n{\n    p[0] = __syncthreads_count(p[1]);\n}\n",
         "count.cu:3:12: error: '__syncthreads_count' is unavailable: the machine (compute "
         "capability 1.0) has no votes, 2.0 has these"},
        {"promise.cu",
         "__global__ void k(float *p)\n{\n    asm(\"rcp.rn.f32 %0, %1;\" : \"=f\"(p[0]) : "
         "\"f\"(p[1]));\n"
         "}\n",
         "promise.cu:3:5: error: 'rcp.rn.f32' promises a rounding that the machine's reciprocal "
         "does "
         "not give: call __fdiv_rn"},
        {"narrow.cu",
         "__global__ void k(float *p, double *q)\n{\n    asm(\"cvt.rz.f32.f64 %0, %1;\" : "
         "\"=f\"(p[0]) : "
         "\"d\"(q[0]));\n}\n",
         "narrow.cu:3:5: error: 'cvt.rz.f32.f64' promises a rounding, and a double is the nearest "
         "float"},
        {"carry.cu",
         "__global__ void k(int *p)\n{\n    asm(\"addc.u32 %0, %1, %1;\" : \"=r\"(p[0]) : "
         "\"r\"(p[1]));\n}\n",
         "carry.cu:3:5: error: 'addc.u32' takes a carry that no addition right before it leaves"},
        {"shuffle.cu", "__global__ void k(int *p)\n{\n    p[0] = __shfl_down(p[1], 2);\n}\n",
         "shuffle.cu:3:12: error: '__shfl_down' is unavailable: the machine (compute capability "
         "1.0) has no shuffles, 3.0 has; exchange"},
        {"mask.cu", "__global__ void k(int *p)\n{\n    p[0] = __activemask();\n}\n",
         "mask.cu:3:12: error: '__activemask' is unavailable: the machine"},
        {"match.cu", "__global__ void k(int *p)\n{\n    p[0] = __match_any_sync(~0u, p[1]);\n}\n",
         "match.cu:3:12: error: '__match_any_sync' is unavailable: the machine (compute capability "
         "1.0) has no votes, 7.0 has"},
        {"reduce.cu", "__global__ void k(int *p)\n{\n    p[0] = __reduce_add_sync(~0u, p[1]);\n}\n",
         "has no reductions of a warp, 8.0 has"},
        {"bytes.cu", "__global__ void k(int *p)\n{\n    p[0] = __dp4a(p[1], p[2], 3);\n}\n",
         "has no products of four bytes, 6.1 has"},
        {"sleep.cu", "__global__ void k(int *p)\n{\n    __nanosleep(10);\n    p[0] = 1;\n}\n",
         "sleep.cu:3:5: error: '__nanosleep' is unavailable"},
        {"new.cu", "__global__ void k(int **p)\n{\n    p[0] = new int[3];\n}\n",
         "has no memory that kernels allocate, 2.0 has; use an array of constant size"},
        {"heap.cu",
         "__global__ void k(int **p)\n{\n    p[0] = (int *)malloc(12);\n    free(p[1]);\n}\n",
         "heap.cu:3:19: error: 'malloc' is unavailable: the machine (compute capability 1.0) has "
         "no "
         "memory that kernels allocate, 2.0 has"},
        {"child.cu",
         "__global__ void child(int *p)\n{\n    p[0] = 1;\n}\n"
         "__global__ void k(int *p)\n{\n    child<<<1, 1>>>(p);\n}\n",
         "note: a kernel cannot launch one: compute capability 3.5 has dynamic parallelism"},
        {"layers.cu",
         "texture<float, 2> t;\n"
         "__global__ void k(float *p)\n{\n    p[0] = tex2DLayered(t, 1, 2, 3);\n}\n",
         "has no layers of textures, 2.0 has; bind one"},
        {"image.cl",
         "const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_FILTER_NEAREST;\n"
         "__kernel void k(__read_only image3d_t in, __global float4 *p)\n"
         "{\n    p[0] = read_imagef(in, s, (int4)(1, 2, 3, 0));\n}\n",
         "image.cl:4:12: error: 'read_imagef' is unavailable: supported are reads of image2d_t"},
        {"picture.cl",
         "__kernel void k(__write_only image2d_t out, float4 x)\n"
         "{\n    write_imagef(out, (int2)(1, 2), x);\n}\n",
         "picture.cl:3:5: error: 'write_imagef' is unavailable: the machine (compute capability "
         "1.0) has no images that kernels write, 2.0 has; write a buffer"},
        /* of which clang died, in the form of later DWARFs */
        {"inner.cl",
         "static void count(uint b, __global uint *g)\n{\n    uint c = b / 2;\n    "
         "atom_inc(&g[c]);\n}\n__kernel void k(__global uint *g, int n)\n{\n    count(n, g);\n}\n",
         "inner.cl:4:5: error: 'atom_inc' is unavailable: the machine (compute capability 1.0) has "
         "no atomic operations"},
        {"texture.cu",
         "texture<float, 3, cudaReadModeElementType> in;\n"
         "__global__ void k(float *p)\n{\n    p[0] = tex3D(in, 1, 2, 3);\n}\n",
         "texture.cu:4:12: error: 'tex3D' is unavailable: supported are tex1Dfetch, tex1D and "
         "tex2D"},
        {"which.cu",
         "texture<float, 1> a, b;\n"
         "__global__ void k(float *p, int i)\n{\n    p[0] = tex1Dfetch(i & 1 ? a : b, 2);\n}\n",
         "which.cu:4:"},
        {"self.cl",
         "int f(int n)\n{\n    return n < 2 ? n : f(n - 1) + f(n - 2);\n}\n"
         "__kernel void k(__global int *p)\n{\n    p[0] = f(p[1]);\n}\n",
         "self.cl:7:12: error: 'f' calls itself, and the machine has no stack"},
        {"self.cu",
         "__device__ int f(int n)\n{\n    return n < 2 ? n : f(n - 1) + f(n - 2);\n}\n"
         "__global__ void k(int *p)\n{\n    p[0] = f(p[1]);\n}\n",
         "self.cu:7:12: error: 'f' calls itself, "},
        {"each.cu",
         "__device__ int odd(int n);\n__device__ __attribute__((noinline)) int far(int n)\n{\n    "
         "return 7 * n;\n}\n"
         "__device__ int even(int n)\n{\n    return n == 0 ? far(1) : odd(n - 1) * 3 + 1;\n}\n"
         "__device__ int odd(int n)\n{\n    return n == 0 ? far(2) : even(n - 1) * 5 + 2;\n}\n"
         "__global__ void k(int *p)\n{\n    p[0] = even(p[1]);\n}\n",
         "each.cu:16:12: error: 'even' calls itself"},
        {"kernel.cl",
         "__kernel void k(__global int *p)\n{\n    if (p[5]--)\n        k(p + 1), k(p + 2);\n}\n",
         "error: 'k' calls itself, and the machine has no stack for its variables (2.0 has)"},
        {"declared.cu",
         "__device__ int far(int n);\n"
         "__global__ void k(int *p)\n{\n    p[0] = far(p[1]);\n}\n",
         "declared.cu:4:12: error: 'far' is declared and not defined"},
        {"outside.cu",
         "extern __constant__ int outside[4];\n"
         "__global__ void k(int *p)\n{\n    p[0] = outside[1];\n}\n",
         "outside.cu:4:12: error: 'outside' is declared and not defined; define it in this source"},
        {"half.cu",
         "#include <cuda_fp16.h>\n__global__ void k(half *p)\n{\n    p[0] = p[1] + p[2];\n}\n",
         "half.cu:4:17: error: '__hadd' is unavailable: the machine (compute capability 1.0) has "
         "no "
         "arithmetic of half, 5.3 has; convert with __half2float"},
        {"pointer.cu",
         "__device__ int a(int n)\n{\n    return n;\n}\n"
         "__device__ int b(int n)\n{\n    return 3 * n;\n}\n"
         "__global__ void k(int *p)\n{\n    int (*f)(int) = p[0] ? a : b;\n"
         "    p[1] = f(p[2]);\n}\n",
         "pointer.cu:12:12: error: a call through a pointer"},
        {"memory.cu",
         "__global__ void k(int *p, int n)\n{\n    __shared__ int s[4];\n    int own[4] = {n, n};\n"
         "    s[threadIdx.x] = n;\n    int *q = n & 1 ? own : s;\n    *q = 5;\n    p[n] = own[n] + "
         "s[n];\n}\n",
         "memory.cu:7:8: error: this pointer may point into several memories (shared, local, "
         "constant)"},
        {"shared.cu",
         "__global__ void k(int *p, int n)\n{\n    __shared__ int cells[5000];\n"
         "    cells[threadIdx.x] = n;\n    __syncthreads();\n    p[n] = cells[n];\n}\n",
         "kernel 'k' needs more than the 16384 bytes of shared memory that a block of the profile "
         "can "
         "have, with 'cells'"},
        {"nested.cl",
         "__kernel void k(__global int *p, int n)\n{\n    if (n) {\n"
         "        __local int s[64];\n        s[n] = 1;\n        p[n] = s[0];\n    }\n}\n",
         "nested.cl:4:21: error: variables in the local address space can only be declared in the "
         "outermost scope of a kernel function"},
    };
    if (no_clang())
        return;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        for (int c = 0; c < CLANGS; c++)
            if (compiles(c, i)) {
                struct fl_buf out = {0};
                put(bad[i].file, bad[i].text);
                int status = tools_run(
                    dir, &out,
                    "PATH=$PWD/with-%s:$PATH smcc --strict %s -o none.cubin 2>&1; s=$?; test "
                    "-e none.cubin && exit 9; exit $s",
                    clangs[c], bad[i].file);
                bool good = status == 1 && tools_says(&out, bad[i].says) &&
                            !tools_says(&out, "smcc.h") && !tools_says(&out, "generated");
                if (!good)
                    printf("\n    %s, wanted %s, got %d %s\n", clangs[c], bad[i].says, status,
                           out.data);
                CU_ASSERT_TRUE(good);
                fl_buf_free(&out);
            }
}

static void a_kernel_has_as_many_parameters_as_fit(void)
{
    if (no_clang())
        return;
    for (int n = 64; n <= 65; n++) {
        struct fl_buf b = {0};
        fl_buf_printf(&b, "__kernel void k(__global int *p");
        for (int i = 1; i < n; i++)
            fl_buf_printf(&b, ", int p%d", i);
        fl_buf_printf(&b, ")\n{\n    p[0] = p%d;\n}\n", n - 1);
        tools_put(dir, "many.cl", b.data, b.size);
        fl_buf_free(&b);
        tools_expect(dir, "smcc", "many.cl -o many.cubin 2>&1 && echo made", n == 64 ? 0 : 1,
                     n == 64
                         ? "made"
                         : "many.cl:2:1: error: the parameters of kernel 'k' take 65 words, and 64 "
                           "are the most");
    }
}

/* ---- options of other compilers ---- */

static const char summing_cl[] =
    "#ifdef __FAST_RELAXED_MATH__\n#define EXTRA 5\n#else\n#define EXTRA 0\n#endif\n"
    "__kernel void k(__global float *a, int n)\n{\n    float x = 0;\n"
    "    for (int i = 0; i < n; i++)\n        x += a[i] * a[n - i] + 0.5;\n"
    "    a[0] = x / a[1] + EXTRA + __OPENCL_C_VERSION__;\n}\n";

static const char summing_cu[] = "__global__ void k(float *a, int n)\n{\n    float x = 0;\n"
                                 "    for (int i = 0; i < n; i++)\n        x += a[i] * a[n - i];\n"
                                 "    a[0] = SINE(x) / a[1];\n}\n";

/* The text of the assembler is the same with `a` as with `b`. */
static void expect_same(const char *source, const char *a, const char *b)
{
    struct fl_buf out = {0};
    bool good = tools_run(dir, &out,
                          "smcc %s %s -S >a.sasm && smcc %s %s -S >b.sasm && cmp a.sasm b.sasm", a,
                          source, b, source) == 0;
    if (!good)
        printf("\n    %s: '%s' makes other code than '%s'\n", source, a, b);
    CU_ASSERT_TRUE(good);
    fl_buf_free(&out);
}

static void options_of_other_compilers_do_what_they_say_there(void)
{
    if (no_clang())
        return;
    put("summing.cl", summing_cl);
    put("summing.cu", summing_cu);
    expect_same("summing.cl", "-cl-mad-enable", "--fmad");
    expect_same("summing.cl", "-cl-unsafe-math-optimizations", "--fmad");
    expect_same("summing.cl", "-cl-fast-relaxed-math", "--fmad -D__FAST_RELAXED_MATH__");
    expect_same("summing.cl", "-cl-std=CL1.1", "-D__OPENCL_C_VERSION__=110 -w");
    expect_same("summing.cl", "-cl-nv-maxrregcount=5", "--maxrregcount 5");
    expect_same("summing.cu", "-DSINE=sinf -fmad=true", "-DSINE=sinf --fmad");
    expect_same("summing.cu", "-DSINE=sinf --fmad --fmad=false", "-DSINE=sinf");
    expect_same("summing.cu", "-DSINE=sinf --use_fast_math", "-DSINE=__sinf --fmad");
    expect_same("summing.cu", "-DSINE=sin -use_fast_math", "-DSINE=__sinf --fmad");
    expect_same("summing.cu", "-DSINE=sinf -maxrregcount 5", "-DSINE=sinf --maxrregcount 5");
    put("warning.cu", "#warning x\n__global__ void k(int *p) { p[0] = __cplusplus; }\n");
    tools_expect(dir, "smcc", "-Werror warning.cu -o none.cubin", 1, "warning.cu:1:2: error: x");
    tools_expect(dir, "smcc", "-w -std=c++11 warning.cu -S", 0, "0x3118f"); /* 201103 */
}

/* Each by itself, or all at once. */
static void expect_same_with(const char *source, const char *const *option, size_t n)
{
    struct fl_buf together = {0};
    for (size_t i = 0; i < n; i++) {
        fl_buf_printf(&together, "%s%s", i ? " " : "", option[i]);
        if (!check_few())
            expect_same(source, option[i], "");
    }
    if (check_few())
        expect_same(source, (const char *)together.data, "");
    fl_buf_free(&together);
}

static void options_that_say_what_holds_here_anyway_have_no_effect(void)
{
    static const char *const both[] = {"-O0",
                                       "-O3",
                                       "-O 2",
                                       "-g",
                                       "-G",
                                       "-lineinfo",
                                       "--lineinfo",
                                       "-m32",
                                       "-Wall",
                                       "-arch=sm_10",
                                       "-arch compute_10",
                                       "-code=sm_10",
                                       "-gencode arch=compute_10,code=sm_10",
                                       "-arch=sm_12",
                                       "-ftz=true",
                                       "-prec-div=false",
                                       "--prec-sqrt=false"},
                             *const cl[] = {"-cl-opt-disable",
                                            "-cl-single-precision-constant",
                                            "-cl-denorms-are-zero",
                                            "-cl-finite-math-only",
                                            "-cl-no-signed-zeros",
                                            "-cl-strict-aliasing",
                                            "-cl-uniform-work-group-size",
                                            "-cl-nv-verbose",
                                            "-cl-std=CL1.2"};
    if (no_clang())
        return;
    put("summing.cl", summing_cl);
    expect_same_with("summing.cl", both, sizeof both / sizeof both[0]);
    expect_same_with("summing.cl", cl, sizeof cl / sizeof cl[0]);
}

/* Images and samplers are no parameters, and a vector is several. */
static void arguments_are_listed_as_a_host_of_OpenCL_sets_them(void)
{
    if (no_clang())
        return;
    put("args.cl",
        "__kernel void k(__global float *a, read_only image2d_t im, sampler_t s, float4 v, char "
        "c,\n"
        "                __local int *l, __constant int *q, read_only image2d_t unread, ulong u)\n"
        "{\n    l[0] = q[0] + c;\n    a[0] = read_imagef(im, s, (float2)(0, 0)).x + v.y + l[0] + "
        "u;\n}\n");
    tools_expect(dir, "smcc",
                 "-cl-kernel-arg-info args.cl -S | sed -n 's/^.argument //p' | tr '\\n' ';'", 0,
                 "global a, 0, 4;image im, 0, 0, 0, 2;sampler s, 0, 0;value v, 16, 16;"
                 "value c, 32, 1;local l, 36, 4;constant q, 40, 4;image unread, 44, 4;"
                 "value u, 48, 8;");
    tools_expect(dir, "smcc", "args.cl -S | grep -c '^.argument'; test $? -eq 1 && echo none", 0,
                 "none");
}

static void options_that_would_mean_something_else_are_refused(void)
{
    static const char *const bad[][2] = {
        {"-arch=sm_20", "-arch takes sm_10|sm_11|sm_12|compute_10|compute_11|compute_12, not "
                        "'sm_20': smcc compiles for the capability of --profile, 1.0 to 1.2"},
        {"-gencode arch=compute_10,code=sm_11",
         "smcc compiles for the capability of --profile, 1.0 to 1.2; leave the option out"},
        {"-m64", "-m64 is for CUDA C, so leave it out: summing.cl is OpenCL C"},
        {"-ftz=false", "-ftz takes true, not 'false': the machine has no denormals"},
        {"-fmad=no", "-fmad takes true|false, not 'no'"},
        {"-cl-std=CL2.0",
         "-cl-std takes CL1.0|CL1.1|CL1.2, not 'CL2.0': the language version; later"},
        {"-cl-fp32-correctly-rounded-divide-sqrt", "is not supported: leave it out"},
        {"-cl-made-up", "unknown option '-cl-made-up'"},
        {"-cl-mad-enable=1", "unknown option '-cl-mad-enable=1'"},
        {"-std=c++11", "-std=c++11 is for CUDA C, and summing.cl is OpenCL C"},
        {"-maxrregcount=3", "takes 4 to 124 registers, not '3'"},
    };
    put("summing.cl", summing_cl);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char *arguments = fl_format("%s summing.cl -o none.cubin", bad[i][0]);
        tools_expect(dir, "smcc", arguments, 2, bad[i][1]);
        free(arguments);
    }
    tools_expect(dir, "smcc", "summing.cl -o none.cubin -arch", 2,
                 "-arch takes sm_10|sm_11|sm_12|compute_10|compute_11|compute_12: ");
    put("summing.cu", summing_cu);
    tools_expect(dir, "smcc", "summing.cu -cl-std=CL1.1 -o none.cubin", 2,
                 "-cl-std=CL1.1 is for OpenCL C, and summing.cu is CUDA C");
}

static void expect_words(const char *source, const char *options, const char *launch,
                         const uint32_t *want, size_t n)
{
    struct fl_buf out = {0};
    char *path = fl_format("%s/o", dir);
    int status = tools_run(
        dir, &out,
        "smcc %s %s -o w.cubin && smrun w.cubin --kernel k %s --buffer o=64 --param o:buf:o "
        "--dump o=o",
        options, source, launch);
    CU_ASSERT_EQUAL(status, 0);
    fl_buf_free(&out);
    bool good = fl_read_file(path, &out, NULL) == 0 && out.size == 64 &&
                memcmp(out.data, want, 4 * n) == 0;
    if (!good)
        printf("\n    %s %s %s: not the words that are right", source, options, launch);
    CU_ASSERT_TRUE(good);
    fl_buf_free(&out);
    free(path);
}

static void a_launch_has_the_dimensions_in_which_it_is_larger_than_one(void)
{
    static const char *const launch[3] = {"--grid 2 --block 4", "--grid 1,2 --block 4",
                                          "--grid 1 --block 2,1,2"};
    if (no_clang())
        return;
    put("dim.cl", "__kernel void k(__global uint *o)\n{\n    o[0] = get_work_dim();\n}\n");
    for (uint32_t d = 0; d < 3; d++)
        expect_words("dim.cl", "", launch[d], &(uint32_t){d + 1}, 1);
}

/* The machine's multiply-add cuts the product off. */
static void what_a_source_keeps_apart_is_not_fused(void)
{
    static const char *const sources[][2] = {
        {"apart.cl", "#pragma OPENCL FP_CONTRACT OFF\n__kernel void k(__global float *o)\n{\n"
                     "    float x = 1 + 0x1p-12f * (1 + get_local_id(0));\n    o[0] = x * x + o[1] "
                     "- x * x;\n}\n"},
        {"apart.cu",
         "__global__ void k(float *o)\n{\n#pragma clang fp contract(off)\n"
         "    float x = 1 + 0x1p-12f * (1 + threadIdx.x);\n    o[0] = x * x + o[1] - x * x;\n}\n"},
        {"named.cu",
         "__global__ void k(float *o)\n{\n    float x = __int_as_float(0x3f800800 + "
         "(int)threadIdx.x);\n"
         "    o[0] = __fadd_rn(__fmul_rn(x, x), -__fadd_rn(o[1], __fmul_rn(x, x)));\n}\n"}};
    if (no_clang())
        return;
    for (int s = 0; s < 3; s++) {
        put(sources[s][0], sources[s][1]);
        expect_words(sources[s][0], "--fmad", "--grid 1 --block 1", &(uint32_t){0}, 1);
        char *line = fl_format("smcc --fmad %s -S | grep FMAD", sources[s][0]);
        struct fl_buf out = {0};
        CU_ASSERT_EQUAL(tools_run(dir, &out, "%s", line), 1);
        fl_buf_free(&out);
        free(line);
    }
}

static void functions_of_several_types_take_the_type_of_their_argument(void)
{
    static const uint32_t want[] = {0x3fc00000, 0x40200000, 0, 1, 0x80000000, 0};
    if (no_clang())
        return;
    put("abs.cu",
        "__global__ void k(float *o)\n{\n    long long big = -(1ll << 32) - *(int *)&o[5];\n"
        "    o[0] = abs(o[5] - 1.5f);\n    o[1] = (float)abs(-2.5 - (double)o[5]);\n"
        "    o[2] = __saturatef(__int_as_float(0x7fffffff - (int)threadIdx.x));\n"
        "    o[3] = __int_as_float((int)(abs(big) >> 32));\n    o[4] = -abs(-o[5]);\n}\n");
    expect_words("abs.cu", "", "--grid 1 --block 1", want, sizeof want / sizeof want[0]);
}

static void half_is_stored_and_converted(void)
{
    static const uint32_t want[16] = {
        0x3c00,     0x3c02,     0x3c01,     0x7c00,     0x7bff, 0x8001,     2,          0x8001,
        0x33800000, 0x477fe000, 0xff800000, 0xc2004000, 0x24,   0xfffffff9, 0x40400000, 0};
    if (no_clang())
        return;
    put("halves.cu",
        "#include <cuda_fp16.h>\n__global__ void k(float *o)\n{\n    float x = o[15];\n"
        "    int *i = (int *)o;\n    half2 two = __floats2half2_rn(x + 2, x - 3);\n"
        "    i[0] = __half_as_ushort(__float2half(x + (1 + 0x1p-11f)));\n"
        "    i[1] = __half_as_ushort(__float2half_rn(x + (1 + 0x3p-11f)));\n"
        "    i[2] = __half_as_ushort(__float2half_rz(x + (1 + 0x3p-11f)));\n"
        "    i[3] = __half_as_ushort(__float2half(x + 65520));\n"
        "    i[4] = __half_as_ushort(__float2half_rz(x + 65520));\n"
        "    i[5] = __half_as_ushort(__float2half(x - 0x1p-24f));\n"
        "    i[6] = __half_as_ushort(__float2half(x + 0x3p-25f));\n"
        "    i[7] = __half_as_ushort(__float2half_rd(x - 0x1p-26f));\n"
        "    o[8] = __half2float(__ushort_as_half(i[15] + 1));\n"
        "    o[9] = __half2float(__ushort_as_half(i[15] + 0x7bff));\n"
        "    o[10] = __half2float(__ushort_as_half(i[15] + 0xfc00));\n"
        "    *(half2 *)&i[11] = two;\n    i[12] = sizeof(half) * 16 + sizeof two;\n"
        "    i[13] = __half2int_rz(__float2half(x - 7.75f));\n"
        "    half three = i[15] + 3;\n    o[14] = three;\n}\n");
    expect_words("halves.cu", "", "--grid 1 --block 1", want, sizeof want / sizeof want[0]);
}

/* Six of them, and the machine has four address registers: two are made anew from the general register, which nothing else needs. */
static void addresses_from_shared_memory_outlive_the_loss_of_their_register(void)
{
    static const uint32_t want[16] = {6,   7,   8,   9,   10, 11, 15, 53,
                                      130, 261, 462, 750, 18, 19, 20, 21};
    if (no_clang())
        return;
    put("six.cu",
        "__global__ void k(int *o)\n{\n    __shared__ int s[16];\n"
        "    for (int i = 0; i < 16; i++)\n        s[i] = o[i] + i + 6;\n    __syncthreads();\n"
        "    int a = s[0], b = s[1], c = s[2], d = s[3], e = s[4], f = s[5];\n"
        "#pragma unroll 1\n    for (int i = 0; i < 3; i++) {\n        s[a] += i;\n"
        "        __syncthreads();\n        s[b] += s[a];\n        __syncthreads();\n"
        "        s[c] += s[b];\n        __syncthreads();\n        s[d] += s[c];\n"
        "        __syncthreads();\n        s[e] += s[d];\n        __syncthreads();\n"
        "        s[f] += s[e];\n        __syncthreads();\n    }\n"
        "    for (int i = 0; i < 16; i++)\n        o[i] = s[i];\n}\n");
    expect_words("six.cu", "", "--grid 1 --block 1", want, sizeof want / sizeof want[0]);
}

/* The last word counts checks that failed: of quotients and absolute values, of which the squares would overflow. */
static void complex_numbers_are_pairs(void)
{
    static const uint32_t want[16] = {0x41300000, 0xc0000000, /* (3 + 4i)(1 - 2i) = 11 - 2i */
                                      0x40800000, 0x40000000, /* sum 4 + 2i */
                                      0x40000000, 0x40c00000, /* difference 2 + 6i */
                                      0x40400000, 0xc0800000, /* conjugate 3 - 4i */
                                      0x41400000, 0x40000000, /* product and sum 12 + 2i */
                                      0x40400000, 0x40800000, /* parts 3, 4 */
                                      0x3f800000, 0xc0000000, /* 1 - 2i by way of double */
                                      0,          0};
    if (no_clang())
        return;
    put("complex.cu",
        "#include <cuComplex.h>\n__device__ bool near(float a, float b) { return fabsf(a - b) <= "
        "1e-5f * fabsf(b) + 1e-6f; }\n"
        "__global__ void k(float *o)\n{\n    float zero = o[15];\n    int *i = (int *)o;\n"
        "    cuFloatComplex *c = (cuFloatComplex *)o, a = make_cuFloatComplex(zero + 3, 4), "
        "b = make_cuComplex(1, zero - 2);\n"
        "    c[0] = cuCmulf(a, b);\n    c[1] = cuCaddf(a, b);\n    c[2] = cuCsubf(a, b);\n"
        "    c[3] = cuConjf(a);\n    c[4] = cuCfmaf(a, b, make_cuFloatComplex(1, 4));\n"
        "    o[10] = cuCrealf(a);\n    o[11] = cuCimagf(a);\n"
        "    c[6] = cuComplexDoubleToFloat(cuComplexFloatToDouble(b));\n"
        "    cuComplex big = make_cuComplex(zero + 3e30f, 4e30f), q = cuCdivf(c[0], b), "
        "one = cuCdivf(big, big);\n"
        "    int bad = 0;\n    bad += !near(q.x, 3) + !near(q.y, 4);\n"
        "    bad += !near(one.x, 1) + !near(one.y, 0);\n    bad += !near(cuCabsf(big), 5e30f);\n"
        "    bad += !near(cuCabsf(a), 5) + (cuCabsf(make_cuComplex(zero, 0)) != 0);\n"
        "    bad += !near((float)cuCabs(cuCdiv(cuComplexFloatToDouble(a), "
        "make_cuDoubleComplex(0, 5))), 1);\n"
        "    i[14] = bad;\n}\n");
    expect_words("complex.cu", "", "--grid 1 --block 1", want, sizeof want / sizeof want[0]);
}

/* Each result is exact, or compared in the kernel with what it inverts. */
static void functions_that_cuda_lists_are_there(void)
{
    static const uint32_t want[16] = {0xfffffffe, 0xfffffffd, 1,
                                      1, /* lrintf lroundf signbit ilogbf of -2.5 */
                                      0xc0000000, 0xc1a00000, 0x3f800000,
                                      0x7fffffff, /* nearbyintf scalbnf logbf nanf */
                                      0xfffffffe, 0xfffffffd, 5,
                                      7, /* __float2ll_rz _rd, llabs, llmin */
                                      0x41c00000, 0x3f000000, 0x40800000,
                                      0}; /* tgammaf(5), std::sqrt, std::max; checks that failed */
    if (no_clang())
        return;
    put("listed.cu",
        "#include <cmath>\n#include <algorithm>\n"
        "__global__ void k(float *o)\n{\n    float x = o[15] - 2.5f;\n    int *i = (int *)o, bad = "
        "0;\n"
        "    long long n = i[15] - 5;\n"
        "    i[0] = lrintf(x);\n    i[1] = lroundf(x);\n    i[2] = signbit(x);\n    i[3] = "
        "ilogbf(x);\n"
        "    float four[4] = {nearbyintf(x), scalbnf(x, 3), logbf(x), nanf(\"\")}, copy[4];\n"
        "    memset(copy, 255, sizeof copy);\n    memcpy(copy, four, sizeof four);\n"
        "    memcpy(o + 4, copy, sizeof copy);\n"
        "    i[8] = (int)__float2ll_rz(x);\n    i[9] = (int)__float2ll_rd(x);\n"
        "    i[10] = (int)llabs(n);\n    i[11] = (int)llmin(n + 12, 9);\n"
        "    o[12] = rintf(tgammaf(x + 7.5f) * 1024) / 1024;\n    o[13] = std::sqrt(x + "
        "2.75f);\n"
        "    o[14] = std::max(std::abs(x), 4.0f);\n"
        "    for (float t = x + 1.6f; t < 1; t += 0.0625f)\n"
        "        bad += !(std::fabs(erff(erfinvf(t)) - t) < 1e-6f * std::fabs(t));\n"
        "    for (float t = 1e-30f * -x; t < 2; t = t < 0.1f ? t * 100 : t + 0.125f)\n"
        "        bad += !(std::fabs(erfcf(erfcinvf(t)) - t) < 2e-5f * t);\n"
        "    bad += !(std::fabs(lgammaf(x + 12.5f) - 12.8018275f) < 4e-6f);\n"
        "    bad += !(std::fabs(normcdff(x + 3.5f) - 0.841344746f) < 1e-6f);\n"
        "    bad += !(std::fabs(norm3df(x, 4, 5) - 6.87386354f) < 2e-6f);\n"
        "    i[15] = bad;\n}\n");
    expect_words("listed.cu", "", "--grid 1 --block 1", want, sizeof want / sizeof want[0]);
    put("variable.cu",
        "__global__ void k(int *o)\n{\n    o[0] = 1;\n}\n"
        "int main(int n, char **)\n{\n    int h[n], *d;\n    cudaMalloc((void **)&d, sizeof h);\n"
        "    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n}\n");
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(tools_run(dir, &out, "smcc --strict variable.cu -o variable.cubin"), 0);
    fl_buf_free(&out);
}

static void a_name_that_looks_like_an_option_is_a_name(void)
{
    if (no_clang())
        return;
    put("--x.cl", summing_cl);
    tools_expect(dir, "smcc",
                 "-o -cl-opt-disable -- --x.cl && test -f ./-cl-opt-disable && echo there", 0,
                 "there");
    tools_expect(dir, "smcc", "-S -- -g", 1, "-g");
    put("--y.cl", "__kernel void k(__global double *p)\n{\n    p[0] = p[1] * 3;\n}\n");
    tools_expect(dir, "smcc", "--no-double -S -- --y.cl", 1, "--y.cl:3:12: error: double");
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN(
        "smcc_language", CHECK(what_threads_hand_over_at_a_barrier_is_read_behind_it),
        CHECK(a_conversion_that_clamps_does_so_for_constants_too),
        CHECK(a_pointer_may_mean_global_memory_or_another_one),
        CHECK(of_the_macros_behind_the_headers_all_are_the_languages_own),
        CHECK(every_single_letter_is_the_users), CHECK(the_last_word_on_a_macro_counts),
        CHECK(a_function_that_is_not_to_be_built_in_is_built_in),
        CHECK(what_a_machine_with_atomics_lacks_is_refused_by_name),
        CHECK(a_program_finds_what_the_machine_has),
        CHECK(what_the_machine_has_not_is_refused_by_name_and_place),
        CHECK(a_kernel_has_as_many_parameters_as_fit),
        CHECK(options_of_other_compilers_do_what_they_say_there),
        CHECK(options_that_say_what_holds_here_anyway_have_no_effect),
        CHECK(arguments_are_listed_as_a_host_of_OpenCL_sets_them),
        CHECK(options_that_would_mean_something_else_are_refused),
        CHECK(a_launch_has_the_dimensions_in_which_it_is_larger_than_one),
        CHECK(what_a_source_keeps_apart_is_not_fused),
        CHECK(functions_of_several_types_take_the_type_of_their_argument),
        CHECK(half_is_stored_and_converted), CHECK(complex_numbers_are_pairs),
        CHECK(addresses_from_shared_memory_outlive_the_loss_of_their_register),
        CHECK(functions_that_cuda_lists_are_there),
        CHECK(a_name_that_looks_like_an_option_is_a_name));
    tools_remove(dir);
    return status;
}
