/* test_kernel_printf.c -- printf and assert of kernels: the text and its order, records that do not fit, records of a faulty machine. */
#include "tests/lib/check.h"

#include <unistd.h>
#include "asm/sasm/sasm.h"
#include "host/cudart/runtime.h"
#include "tests/lib/folder.h"

/* Kernel and host print by the same lines. */
static void a_kernel_prints_what_the_host_would(void)
{
    put("forms.cu",
        "#include <cstdio>\n"
        "#define LINES(i, f)                                                              \\\n"
        "    printf(\"plain 100 %%\\n\");                                                     \\\n"
        "    printf(\"%d %5d|%-5d|%05d|%+d|% d|%.3d\\n\", i, i, i, i, i, i, i);               \\\n"
        "    printf(\"%u %x %#X %o %hhd %hd %i\\n\", i, i, i, i, i, i, i);                    \\\n"
        "    printf(\"%lld %llx %ld %lu %zu\\n\", i * 123456789012LL, i * 123456789012LL,     \\\n"
        "           (long)i << 40, (unsigned long)i, sizeof(int[3]));                       \\\n"
        "    printf(\"%f %.2f %10.3e %g %G %a|%-9.1f|\\n\", f, f, f, f, f / 1000, f, f);      \\\n"
        "    printf(\"%c%c %s|%8s|%-8.2s|\\n\", 'a' + (i & 15), '!', i > 0 ? \"up\" : \"down\", "
        "\"abc\", \"xyz\"); \\\n"
        "    printf(\"%*d|%-*d|%.*f|\\n\", 6, i, 6, i, 2, f);                                 \\\n"
        "    printf(\"%s %d %d\\n\", (const char *)0, (char)i, (unsigned short)i);            \\\n"
        "    printf(\"%p %d\\n\", (void *)4096, i > 3);\n"
        "__global__ void k(int i, float f) { LINES(i, f) }\n"
        "int main()\n{\n"
        "    const float fs[] = {0.f, -1.5f, 3.14159274f, 1e30f, -1e-30f};\n"
        "    const int is[] = {0, -1, 42, 2147483647, -70000};\n"
        "    for (int j = 0; j < 5; j++) {\n        printf(\"-\\n\");\n        k<<<1, 1>>>(is[j], "
        "fs[j]);\n"
        "        printf(\"-\\n\");\n        LINES(is[j], fs[j])\n    }\n}\n");
    expect("smcc --exe -w forms.cu -o forms 2>said && ./forms >text && cat said && "
           "awk '/^-$/ {n++; next} {print >\"part\" n % 2}' text && wc -l <part0 && cmp part0 "
           "part1 && echo same",
           0, "45\nsame");
}

static void text_stands_in_the_order_of_cycles_then_of_blocks_and_threads(void)
{
    put("order.cu", "#include <cstdio>\n"
                    "__global__ void k()\n{\n"
                    "    if (threadIdx.x % 20 == 1)\n        printf(\"first %d %d\\n\", "
                    "blockIdx.x, threadIdx.x);\n"
                    "    __syncthreads();\n"
                    "    if (threadIdx.x > 61)\n        printf(\"second %d %d\\n\", blockIdx.x, "
                    "threadIdx.x);\n}\n"
                    "int main()\n{\n    printf(\"before\\n\");\n    k<<<2, 64>>>();\n    "
                    "printf(\"after\\n\");\n}\n");
    expect("smcc --exe order.cu -o order && ./order", 0,
           "before\nfirst 0 1\nfirst 0 21\nfirst 0 41\nfirst 0 61\nfirst 1 1\nfirst 1 21\nfirst 1 "
           "41\nfirst 1 61\n"
           "second 0 62\nsecond 0 63\nsecond 1 62\nsecond 1 63\nafter\n");
}

static void what_does_not_fit_is_lost_and_said(void)
{
    put("full.cu",
        "#include <cstdio>\n"
        "__global__ void k(int n, int *lost)\n{\n    for (int i = 0; i < n; i++)\n"
        "        *lost += printf(\"line %d\\n\", i) == -2;\n}\n"
        "int main()\n{\n    size_t limit;\n    int *d, h = 0;\n    cudaMalloc(&d, 4);\n"
        "    cudaMemset(d, 0, 4);\n    cudaDeviceGetLimit(&limit, cudaLimitPrintfFifoSize);\n"
        "    printf(\"%zu %d\\n\", limit, cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 0));\n"
        "    cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 2048);\n    k<<<1, 1>>>(200, d);\n"
        "    k<<<1, 1>>>(1, d);\n    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n"
        "    printf(\"%d lost\\n\", h);\n}\n");
    expect(
        "smcc --exe full.cu -o full && ./full >text 2>said; head -1 text; tail -3 text; cat said",
        0,
        "1048576 11\nline 127\nline 0\n72 lost\nfaultline: cudaLaunch: kernel 'k': of 1 warps some "
        "text of printf is lost, since each has room for 2048 bytes");
}

static void an_assertion_that_fails_ends_its_thread_and_the_device(void)
{
    put("asserts.cu",
        "#include <cstdio>\n#include <cassert>\n"
        "__global__ void k(int *a)\n{\n    assert(a[threadIdx.y] > 0 && \"positive\");\n    "
        "a[threadIdx.y] = 7;\n}\n"
        "int main()\n{\n    int *d, h[4] = {1, 1, 0, 1};\n    cudaMalloc(&d, 16);\n"
        "    cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice);\n    k<<<1, dim3(1, 4)>>>(d);\n"
        "    cudaError_t e = cudaDeviceSynchronize();\n    printf(\"%d %s\\n\", e, "
        "cudaGetErrorName(e));\n"
        "    printf(\"%d\\n\", cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost));\n}\n");
    expect("smcc --exe asserts.cu -o asserts && ./asserts 2>&1", 0,
           "asserts.cu:5: void k(int *): block: [0,0,0], thread: [0,2,0] Assertion `a[threadIdx.y] "
           "> 0 && "
           "\"positive\"` failed.\nfaultline: cudaLaunch: kernel 'k': an assertion failed\n59 "
           "cudaErrorAssert\n59\n");
    expect("smcc --exe -DNDEBUG asserts.cu -o asserts && ./asserts 2>&1", 0, "0 cudaSuccess\n0\n");
}

/* Of a job, what is printed is an output, but not when: two launches read the same bytes and a delay changes none. */
static void text_is_an_output_of_the_recorded_job(void)
{
    put("text.cu",
        "#include <cstdio>\n__global__ void k(int n) { printf(\"%d\\n\", n + threadIdx.x); }\n"
        "int main() { k<<<1, 32>>>(5); k<<<1, 32>>>(6); }\n");
    expect("smcc --exe text.cu -o text && smrun --record r -- ./text 2>&1", 0, "recorded ");
    expect("grep -c '<read ' r/job.xml; smrun r/job.xml", 0, "(as the job states)");
    expect("faultsim transient --target rf --sample 60 --active-only --csv-faults f.csv r/job.xml "
           ">said && "
           "grep -c ',sdc,' f.csv",
           0, "");
}

/* Static kernels, constants, variables, and strings; a template and a kernel of one name. */
static void names_of_a_file_of_its_own_are_not_those_of_another(void)
{
    put("own.h",
        "#include <cstdio>\ntemplate <int N> __global__ void t(int *p) { *p += N; }\n"
        "static __constant__ int factor;\nstatic __device__ int sum = BASE;\n"
        "static __global__ void k(int *p) { *p = factor * 10 + sum; printf(\"%s %d\\n\", NAME, "
        "*p); }\n"
        "static void run(int f)\n{\n    int *d, h;\n    cudaMalloc(&d, 4);\n"
        "    cudaMemcpyToSymbol(factor, &f, 4);\n    k<<<1, 1>>>(d);\n    t<3><<<1, 1>>>(d);\n"
        "    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n    printf(\"%d\\n\", h);\n    "
        "cudaFree(d);\n}\n");
    put("own1.cu",
        "#define NAME \"one\"\n#define BASE 1\n#include \"own.h\"\n"
        "__global__ void over(int x) { printf(\"int %d\\n\", x); }\nvoid second();\n"
        "int main()\n{\n    run(2);\n    over<<<1, 1>>>(4);\n    second();\n    run(2);\n}\n");
    put("own2.cu", "#define NAME \"two\"\n#define BASE 5\n#include \"own.h\"\n"
                   "__global__ void over(float x) { printf(\"float %g\\n\", x); }\n"
                   "void second()\n{\n    run(3);\n    over<<<1, 1>>>(0.5f);\n}\n");
    expect("smcc --exe own1.cu own2.cu -o own && ./own", 0,
           "one 21\n24\nint 4\ntwo 35\n38\nfloat 0.5\none 21\n24\n");
}

/* ---- records of a faulty machine ---- */

void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaRegisterFunction(void **handle, const void *stub, char *device_stub, const char *name,
                            int threads, void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, const void *shadow, char *address, const char *name,
                       int external, size_t size, int constant, int global);

enum { THREADS = 512, WARPS = THREADS / 32, ROOM = 1024, RECORDS = 2 * WARPS };
static char stub_copy, shadow_text;

/* A kernel whose threads copy a word each from p[] to where the records are. */
static void register_copy(void)
{
    static const char kernels[] = ".addresses 64\n.constant smcc_printf, u32, 0, 0, 0, 0, 0\n"
                                  ".device text, u8, 0x25, 0x64, 0x20, 0x25, 0x73, 0x25, 0x2a, "
                                  "0x66, 0x0a, 0\n" /* "%d %s%*f\n" */
                                  ".kernel copy\n.param ptr p, 8, 8\n    SHL R0, R0, 2\n    MOV "
                                  "R1, s[p]\n    IADD R1, R1, R0\n"
                                  "    GLD.U32 R2, global14[R1]\n    MVC R3, c0[smcc_printf]\n    "
                                  "IADD R3, R3, R0\n"
                                  "    GST.U32 global14[R3], R2\n    MOV.EXIT R1, R1\n";
    static struct {
        uint32_t magic, version;
        const void *bytes, *more;
    } wrapper = {0x466243b1, 1, NULL, NULL};
    static struct fl_buf bytes;
    struct cubin *cubin;
    struct fl_err err = {""};
    if (sasm_assemble("copy.sasm", kernels, &cubin, &err) ||
        cubin_write_memory(cubin, &bytes, &err))
        fl_give_up(err.msg);
    cubin_free(cubin);
    wrapper.bytes = bytes.data;
    void **h = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(h, &stub_copy, NULL, "copy", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(h, &shadow_text, NULL, "text", 0, 10, 0, 0);
}

/* A launch whose threads leave these words: what it prints lies in files out and said. */
static cudaError_t launch(uint32_t *device, const uint32_t words[THREADS])
{
    const dim3 one = {1, 1, 1}, block = {THREADS, 1, 1};
    char *out = fl_format("%s/out", dir), *said = fl_format("%s/said", dir);
    fflush(stdout);
    int kept[] = {dup(1), dup(2)};
    bool opened = freopen(out, "w", stdout) && freopen(said, "w", stderr);
    cudaMemcpy(device, words, 4 * THREADS, cudaMemcpyHostToDevice);
    cudaConfigureCall(one, block, 0, NULL);
    cudaSetupArgument(&device, sizeof device, 0);
    cudaError_t error = cudaLaunch(&stub_copy);
    fflush(stdout);
    fflush(stderr);
    dup2(kept[0], 1);
    dup2(kept[1], 2);
    close(kept[0]);
    close(kept[1]);
    free(out);
    free(said);
    CU_ASSERT(opened);
    return error;
}

/* Warp 1 has printed once. */
static void sound(uint32_t words[THREADS], uint32_t text)
{
    const uint32_t record[] = {0xa5000a03, text, 1, 77, 5, text + 5, 1, 8, 3, 0x3fc00000};
    memset(words, 0, 4 * THREADS);
    words[1] = sizeof record;
    memcpy(words + RECORDS + ROOM / 4, record, sizeof record);
}

static uint32_t *start(uint32_t *text)
{
    void *device = NULL, *at = NULL;
    CU_ASSERT_EQUAL(cudaMalloc(&device, 4 * THREADS), cudaSuccess);
    CU_ASSERT_EQUAL(cudaGetSymbolAddress(&at, &shadow_text), cudaSuccess);
    *text = (uint32_t)(uintptr_t)at;
    return device;
}

static void damaged_records_are_refused_and_said(void)
{
    uint32_t words[THREADS], seed = 1, text;
    int refused = 0, printed = 0;
    register_copy();
    CU_ASSERT_EQUAL(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, WARPS * ROOM), cudaSuccess);
    uint32_t *device = start(&text);
    sound(words, text);
    CU_ASSERT_EQUAL(launch(device, words), cudaSuccess);
    tools_expect_line(dir, "cat out", 0, "77 %*f\n1.500000\n");
    for (int round = 0; round < (SANITIZED ? 150 : 400); round++) {
        sound(words, text);
        for (int flips = 1 + round % 3; flips--;) {
            seed = seed * 1664525 + 1013904223;
            const uint32_t any = seed >> 8, at[] = {1, any % WARPS, RECORDS + ROOM / 4 + any % 10};
            words[at[any / 16 % 3]] ^= round % 2 ? 1u << (seed >> 27) : seed;
        }
        cudaError_t error = launch(device, words);
        struct fl_buf out = {0}, said = {0};
        tools_run(dir, &out, "cat out");
        refused += tools_run(dir, &said, "grep damaged said") == 0;
        printed += out.size > 0;
        fl_buf_free(&out);
        fl_buf_free(&said);
        if (error == cudaErrorAssert) { /* a head has become that of an assertion */
            cudaDeviceReset();
            device = start(&text);
        } else
            CU_ASSERT_EQUAL(error, cudaSuccess);
    }
    cudaDeviceReset();
    CU_ASSERT(printed > 20 && refused > 20);
}

int main(void)
{
    dir = tools_folder();
    needs_clang = true;
    int status = CHECK_RUN("kernel_printf", CHECK(a_kernel_prints_what_the_host_would),
                           CHECK(text_stands_in_the_order_of_cycles_then_of_blocks_and_threads),
                           CHECK(what_does_not_fit_is_lost_and_said),
                           CHECK(an_assertion_that_fails_ends_its_thread_and_the_device),
                           CHECK(text_is_an_output_of_the_recorded_job),
                           CHECK(names_of_a_file_of_its_own_are_not_those_of_another),
                           CHECK(damaged_records_are_refused_and_said));
    tools_remove(dir);
    return status;
}
