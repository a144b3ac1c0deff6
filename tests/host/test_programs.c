/* test_programs.c -- CUDA programs with their main(), unmodified: built by smcc --exe, run on the model, recorded, replayed. */
#include "tests/lib/check.h"

#include "tests/lib/folder.h"

static const char vadd[] =
    "#include <stdio.h>\n#include <stdlib.h>\n#include <vector>\n"
    "__global__ void vadd(const float *a, const float *b, float *c, int n)\n{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n        c[i] = a[i] + "
    "b[i];\n}\n"
    "int main(int argc, char **argv)\n{\n    int n = argc > 1 ? atoi(argv[1]) : 1000, wrong = 0;\n"
    "    std::vector<float> a(n), b(n), c(n);\n    float *da, *db, *dc;\n"
    "    for (int i = 0; i < n; i++) {\n        a[i] = i;\n        b[i] = 2 * i;\n    }\n"
    "    cudaMalloc(&da, 4 * n);\n    cudaMalloc((void **)&db, 4 * n);\n    cudaMalloc(&dc, 4 * "
    "n);\n"
    "    cudaMemcpy(da, &a[0], 4 * n, cudaMemcpyHostToDevice);\n"
    "    cudaMemcpy(db, &b[0], 4 * n, cudaMemcpyHostToDevice);\n"
    "    vadd<<<(n + 127) / 128, 128>>>(da, db, dc, n);\n"
    "    cudaMemcpy(&c[0], dc, 4 * n, cudaMemcpyDeviceToHost);\n"
    "    for (int i = 0; i < n; i++)\n        wrong += c[i] != 3.0f * i;\n"
    "    printf(\"%d wrong\\n\", wrong);\n    return wrong != 0;\n}\n";

static void a_program_is_built_and_run_as_it_is(void)
{
    put("vadd.cu", vadd);
    expect("smcc --exe vadd.cu -o vadd && ./vadd && ./vadd 300", 0, "0 wrong");
    expect("FAULTLINE_PROFILE=tiny ./vadd 100", 1, "128 threads, profile tiny allows");
}

static void every_clang_builds_it(void)
{
    static const char *const clangs[] = {"clang-14", "clang-15", "clang-16"};
    put("vadd.cu", vadd);
    for (int i = 0; i < (SANITIZED ? 1 : 3); i++) {
        struct fl_buf out = {0};
        if (tools_run(dir, &out, "p=$(command -v %s) && mkdir -p w%d && ln -sf $p w%d/clang-14",
                      clangs[i], i, i) == 0) {
            char line[200];
            snprintf(line, sizeof line,
                     "{ PATH=$PWD/w%d:$PATH smcc --exe vadd.cu -o v; } && ./v 64", i);
            expect(line, 0, "0 wrong");
        }
        fl_buf_free(&out);
    }
    CU_PASS("as many as there are");
}

/* In a later file, which has no kernel, or in none. */
static void a_variable_is_defined_by_another_file(void)
{
    put("uses.cu",
        "#include <stdio.h>\nextern __constant__ int c[2];\nextern __device__ int d;\n"
        "__global__ void k(int *p) { *p += c[1] * 10 + d; }\n"
        "int main()\n{\n    int h = 200, *p;\n    cudaMalloc(&p, 4);\n"
        "    cudaMemcpy(p, &h, 4, cudaMemcpyHostToDevice);\n    k<<<1, 1>>>(p);\n"
        "    cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);\n    printf(\"%d\\n\", h);\n}\n");
    put("has.cu", "__constant__ int own = 9, c[2] = {3, 4};\n__device__ int d = 7;\n");
    expect("smcc --exe uses.cu has.cu -o uses && ./uses", 0, "247\n");
    expect("smcc --exe uses.cu -o uses", 1, "uses.cu:4:35: error: 'c' is declared and not defined");
}

/* Layouts, constants and variables of two files, a host file of C, a library, macros and folders. */
static void files_are_put_together(void)
{
    put("parts.h", "#include <stdio.h>\nvoid run_one(float *);\nvoid set_one(float);\nextern \"C\" "
                   "int c_part(int);\n"
                   "struct pair { long long big; float *at; char c; int n; };\n");
    put("one.cu",
        "#include \"parts.h\"\n__constant__ float f1[4];\n__device__ int n1;\n"
        "__global__ void one(float *p) { p[threadIdx.x] *= f1[1] + n1; }\n"
        "void run_one(float *p) { one<<<1, N>>>(p); }\n"
        "void set_one(float x)\n{\n    float h[4] = {0, x};\n    int n = 2;\n"
        "    cudaMemcpyToSymbol(f1, h, sizeof h);\n    cudaMemcpyToSymbol(n1, &n, sizeof n);\n}\n");
    put("two.cu",
        "#include <parts.h>\n__constant__ float f2[4];\n__device__ int n2 = 1;\n__constant__ short "
        "seven = 7;\n"
        "template <class T> __global__ void two(pair q, T by, char c)\n{\n"
        "    q.at[threadIdx.x] += f2[1] + n2 + seven + q.big + q.n + q.c + by + c;\n}\n"
        "int main()\n{\n    float h[N], *d, g[4] = {0, 10};\n    int n = 3;\n"
        "    for (int i = 0; i < N; i++)\n        h[i] = i;\n    cudaMalloc(&d, sizeof h);\n"
        "    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);\n    set_one(0.5f);\n"
        "    cudaMemcpyToSymbol(f2, g, sizeof g);\n    cudaMemcpyToSymbol(\"n2\", &n, sizeof n);\n "
        "   run_one(d);\n"
        "    pair q = {100, d, 1, 2};\n    two<long long><<<1, N>>>(q, 1000, 2);\n"
        "    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n    printf(\"%g %g %d\\n\", "
        "h[1], h[31], c_part(3));\n}\n");
    put("part.c", "#include <math.h>\n#include \"part.h\"\nint c_part(int new) { return "
                  "(int)sqrt(new * new) + K; }\n");
    expect("mkdir -p inc && echo '#define K 4' >inc/part.h && "
           "smcc --exe -I . -Iinc -DN=32 -O2 -g two.cu part.c one.cu -lm -o two && ./two",
           0, "1127.5 1202.5 7");
}

static void a_kernel_that_was_left_out_fails_at_its_launch(void)
{
    put("left.cu",
        "#include <stdio.h>\n__global__ void good(int *p) { p[threadIdx.x] = 5; }\n"
        "__global__ void bad(int *p) { p[threadIdx.x] = atomicAdd(p, 1); }\n"
        "int main()\n{\n    int *d, h = 0;\n    cudaMalloc(&d, 128);\n    good<<<1, 32>>>(d);\n"
        "    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);\n    bad<<<1, 32>>>(d);\n"
        "    printf(\"%d %s\\n\", h, cudaGetErrorString(cudaGetLastError()));\n}\n");
    expect("smcc --exe left.cu -o left 2>/dev/null && ./left", 0, "5 invalid device function");
    expect("./left", 0,
           "faultline: cudaLaunch: kernel 'bad' is not in the program, since smcc could not "
           "compile it");
}

/* 24 values that live through a loop, in blocks of all sizes; the host computes the same. */
static void a_block_that_lacks_registers_runs_a_version_with_fewer(void)
{
    put("live.cu",
        "#include <stdio.h>\n"
        "__host__ __device__ inline unsigned mix(const unsigned *a, int t)\n{\n    unsigned v[24], "
        "sum = 0;\n#pragma unroll\n    for (int i = 0; i < 24; i++)\n        v[i] = a[i + t];\n"
        "    for (int r = 0; r < 3; r++) {\n        unsigned first = v[0];\n#pragma unroll\n"
        "        for (int i = 0; i < 23; i++)\n            v[i] = v[i + 1] * 5 + v[i * 7 % 24];\n"
        "        v[23] = first;\n    }\n#pragma unroll\n    for (int i = 0; i < 24; i++)\n"
        "        sum = sum * 3 + v[i];\n    return sum;\n}\n"
        "__global__ void live(unsigned *out, const unsigned *a)\n{\n    out[threadIdx.x] = mix(a, "
        "threadIdx.x);\n}\n"
        "int main()\n{\n    unsigned h[536], got[512], *a, *out;\n    int wrong = 0;\n"
        "    cudaFuncAttributes f;\n    for (int i = 0; i < 536; i++)\n        h[i] = i * "
        "2654435761u;\n    cudaMalloc(&a, sizeof h);\n    cudaMalloc(&out, sizeof got);\n"
        "    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);\n"
        "    for (int n = 128; n <= 512; n += 128) {\n        live<<<1, n>>>(out, a);\n"
        "        wrong += cudaMemcpy(got, out, 4 * n, cudaMemcpyDeviceToHost) != cudaSuccess;\n"
        "        for (int t = 0; t < n; t++)\n            wrong += got[t] != mix(h, t);\n    }\n"
        "    cudaFuncGetAttributes(&f, live);\n    printf(\"%d wrong, %d, %s\\n\", wrong, "
        "f.maxThreadsPerBlock, f.numRegs > 16 ? \"many\" : \"few\");\n}\n");
    expect("smcc --exe live.cu -o live && ./live 2>said", 0, "0 wrong, 512, many");
    expect("grep -c 'too many for a block of 384 threads on profile g80; its version with 1[0-6] "
           "runs' said && wc -l <said",
           0, "1\n1");
    expect("smrun --record rec-live -- ./live && smrun rec-live/job.xml && grep -c "
           "'\"live__fewer_registers\"' rec-live/job.xml",
           0, "2");
    expect("smcc --exe --maxrregcount 16 live.cu -o live && ./live 2>&1", 0, "0 wrong, 512, few");
}

/* The headers of CUDA's samples: errors end the program and say where. */
static void a_checked_call_that_fails_ends_the_program(void)
{
    static const char *const check[][2] = {{"helper_cuda.h", "checkCudaErrors"},
                                           {"cutil_inline.h", "cutilSafeCall"},
                                           {"cutil.h", "CUDA_SAFE_CALL"}};
    for (int i = 0; i < 3; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "#include <%s>\n__global__ void k(int *p) { p[0] = 1; }\nint main()\n{\n    int "
                 "*p;\n    %s(cudaMalloc(&p, 4));\n    k<<<1, 1>>>(p);\n"
                 "    getLastCudaError(\"k\");\n    puts(\"well\");\n    %s(cudaMemcpy(p, p, 4, "
                 "(cudaMemcpyKind)9));\n    puts(\"not reached\");\n}\n",
                 check[i][0], check[i][1], check[i][1]);
        put("checked.cu", text);
        expect("smcc --exe checked.cu -o checked && ./checked >out; s=$?; cat out; exit $s", 1,
               "CUDA error at checked.cu:10: cudaMemcpy(p, p, 4, (cudaMemcpyKind)9): invalid copy "
               "direction for memcpy (21)");
        expect("cat out", 0, "well");
        expect("grep -c reached out", 1, "0");
    }
}

static void the_headers_of_cudas_samples_have_bodies(void)
{
    put("sample.cu",
        "#include <helper_cuda.h>\n#include <helper_functions.h>\n#include <cutil.h>\n#include "
        "<shrQATest.h>\n"
        "__global__ void k(float *p) { p[threadIdx.x] = max((float)threadIdx.x, 2.0f); }\n"
        "int host_part(int, char **);\n"
        "int main(int argc, char **argv)\n{\n    shrQAStart(argc, argv);\n"
        "    findCudaDevice(argc, (const char **)argv);\n    float h[32], r[32], *d;\n"
        "    unsigned t, w = 0, hi = 0, n = 0;\n    StopWatchInterface *s;\n    unsigned char "
        "dots[6] "
        "= {1, 2, 3, 10, 250, 255}, *again = 0;\n    float *read = 0;\n    char *to = 0;\n"
        "    cutilCheckError(cutCreateTimer(&t));\n    cutStartTimer(t);\n    sdkCreateTimer(&s);\n"
        "    sdkStartTimer(&s);\n    checkCudaErrors(cudaMalloc(&d, sizeof h));\n    k<<<1, "
        "32>>>(d);\n"
        "    checkCudaErrors(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));\n    "
        "cutStopTimer(t);\n"
        "    sdkStopTimer(&s);\n    for (int i = 0; i < 32; i++)\n        r[i] = max((float)i, "
        "2.0f);\n"
        "    bool good = compareData(r, h, 32, 0.0f, 0.0f) && cutCompareL2fe(r, h, 32, 1e-6f) == "
        "CUTTrue;\n"
        "    h[3] += 1;\n    good = good && !compareData(r, h, 32, 0.5f, 0.0f) && compareData(r, "
        "h, "
        "32, 0.5f, 0.1f) &&\n"
        "           !sdkCompareL2fe(r, h, 32, 1e-3f);\n"
        "    good = good && cutGetTimerValue(t) > 0 && sdkGetTimerValue(&s) > 0 && "
        "sdkGetAverageTimerValue(&s) < 1e6;\n"
        "    good = good && sdkSavePGM(\"dots.pgm\", dots, 3, 2) && sdkLoadPGM(\"dots.pgm\", "
        "&again, &w, &hi) &&\n"
        "           w == 3 && hi == 2 && memcmp(dots, again, 6) == 0;\n"
        "    cutWriteFilef(\"r.txt\", r, 32);\n"
        "    good = good && cutReadFilef(\"numbers\", &read, &n) == CUTTrue && n == 3 && read[2] "
        "== "
        "-2.5f;\n"
        "    good = good && checkCmdLineFlag(argc, (const char **)argv, \"quick\") &&\n"
        "           !checkCmdLineFlag(argc, (const char **)argv, \"qui\") &&\n"
        "           getCmdLineArgumentInt(argc, (const char **)argv, \"size\") == 12 &&\n"
        "           getCmdLineArgumentString(argc, (const char **)argv, \"to\", &to) && "
        "!strcmp(to, \"x=y\");\n"
        "    good = good && sdkFindFilePath(\"numbers\", argv[0]) && "
        "!sdkFindFilePath(\"nowhere\", argv[0]);\n"
        "    good = good && host_part(argc, argv) == 32;\n"
        "    shrQAFinishExit(argc, (const char **)argv, good ? QA_PASSED : QA_FAILED);\n}\n");
    /* C++ of the host sees CUDA's types where it includes a header of CUDA's, and its own macros */
    put("part.cpp",
        "#include <assert.h>\nstruct float4 *mine();\n#include <cutil_inline.h>\n#include "
        "<algorithm>\nstatic int minimum(int a, int b) { return std::min(a, b); }\n"
        "int host_part(int, char **)\n{\n    dim3 d(M, 2);\n    float4 f = "
        "make_float4(1, 2, 3, 4);\n    unsigned t;\n    cutCreateTimer(&t);\n"
        "    return minimum((int)(d.x * d.y * d.z + (unsigned)f.w), 1000);\n}\n");
    put("numbers", "1 2\n-2.5\n");
    expect("smcc --exe -DM=14 sample.cu part.cpp -o sample && ./sample --quick -size=12 --to=x=y",
           0, "PASSED");
    expect("./sample --quick -size=13 --to=x=y", 1, "FAILED");
}

static void groups_of_threads_wait_for_each_other(void)
{
    put("groups.cu",
        "#include <stdio.h>\n#include <cooperative_groups.h>\n#include "
        "<cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n"
        "__global__ void turn(int *p)\n{\n    __shared__ int s[64];\n"
        "    cg::thread_block all = cg::this_thread_block();\n"
        "    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(all);\n"
        "    s[all.thread_rank()] = all.thread_rank();\n    cg::sync(all);\n"
        "    int x = s[all.size() - 1 - threadIdx.x];\n    all.sync();\n    s[threadIdx.x] = x;\n  "
        "  "
        "tile.sync();\n"
        "    p[threadIdx.x] = s[threadIdx.x ^ 1] * 100 + tile.thread_rank();\n}\n"
        "__global__ void sum(int *p)\n{\n    auto tile = "
        "cg::tiled_partition<32>(cg::this_thread_block());\n"
        "    p[0] = cg::reduce(tile, p[threadIdx.x], cg::plus<int>());\n}\n"
        "__global__ void shuffle(int *p)\n{\n    auto tile = "
        "cg::tiled_partition<32>(cg::this_thread_block());\n"
        "    p[0] = tile.shfl_down(p[threadIdx.x], 1);\n}\n"
        "__global__ void grid(int *p)\n{\n    p[0] = (int)cg::this_grid().size();\n    "
        "cg::this_grid().sync();\n}\n"
        "int main()\n{\n    int *d, h[64];\n    cudaMalloc(&d, sizeof h);\n    turn<<<1, "
        "64>>>(d);\n"
        "    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n    printf(\"%d %d %d\\n\", "
        "h[0], "
        "h[17], h[63]);\n}\n");
    expect("smcc --exe groups.cu -o groups 2>said && ./groups", 0, "6200 4701 115");
    expect("cat said", 0, "kernel 'sum' is left out: 'reduce' is unavailable");
    expect("cat said", 0, "kernel 'shuffle' is left out: '__shfl_down_sync' is unavailable");
    expect("cat said", 0, "kernel 'grid' is left out: 'sync' is unavailable");
}

static void an_assertion_of_the_host_is_one(void)
{
    put("asserts.cu",
        "#include <assert.h>\n#include <stdlib.h>\n__global__ void k(int *p, int n)\n{\n  "
        "  assert(n > 0);\n    p[0] = n;\n}\n"
        "int main(int argc, char **)\n{\n    int *p;\n    cudaMalloc(&p, 4);\n    "
        "k<<<1, 1>>>(p, 1);\n    assert(argc == 1);\n    return 3;\n}\n");
    expect("smcc --exe asserts.cu -o asserts && ./asserts; echo \"ends with $?\"", 0,
           "ends with 3");
    expect("(./asserts 1)", 134, "Assertion `argc == 1' failed");
    expect("smcc --exe -DNDEBUG asserts.cu -o asserts && ./asserts 1; echo \"ends with $?\"", 0,
           "ends with 3");
}

static void what_cannot_be_built_says_why_and_leaves_nothing(void)
{
    put("nothing.cu", "int main() { return 0; }\n");
    put("undefined.cu", "int f();\n__global__ void k(int *p) { p[0] = 1; }\nint main() { k<<<1, "
                        "1>>>(0); return f(); }\n");
    put("wrong.cu",
        "__global__ void k(int *p) { p[0] = 1; }\nint main() { k<<<1, 1>>>(0); return 1 + ; }\n");
    put("vadd.cu", vadd);
    expect("smcc --exe nothing.cu -o x", 1, "no kernel in any source");
    expect("smcc --exe undefined.cu -o x", 1, "undefined reference to `f()'");
    expect("smcc --exe wrong.cu -o x", 1, "wrong.cu:2:41: error: expected expression");
    expect("smcc --exe vadd.cu -lnothing -o x", 1, "cannot find -lnothing");
    expect("smcc --exe vadd.cu none.cu -o x", 1, "none.cu");
    expect("smcc --exe vadd.cu", 2, "name the output: -o PROGRAM");
    expect("smcc --exe vadd.cu --job j -o x", 2, "smrun --record makes the job of a program");
    expect("smcc --exe vadd.cu -o vadd.cu", 1, "vadd.cu");
    expect("PATH=$(dirname $(command -v smcc)) && smcc --exe vadd.cu -o x", 1,
           "install Debian's package clang-14");
    expect("ls x", 2, "");
}

/* The host reads a flag after each launch, as bfs does. */
static const char again[] =
    "#include <stdio.h>\n__global__ void halve(int *p, bool *more)\n{\n    int i = threadIdx.x;\n"
    "    p[i] /= 2;\n    if (p[i])\n        *more = true;\n}\n"
    "int main()\n{\n    int h[32], *p, turns = 0;\n    bool more, *d;\n    cudaEvent_t a, b;\n    "
    "float ms;\n"
    "    for (int i = 0; i < 32; i++)\n        h[i] = i;\n    cudaMalloc(&p, sizeof h);\n    "
    "cudaMalloc(&d, 1);\n"
    "    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);\n    cudaEventCreate(&a);\n    "
    "cudaEventCreate(&b);\n"
    "    cudaEventRecord(a);\n    do {\n        more = false;\n        cudaMemcpy(d, &more, 1, "
    "cudaMemcpyHostToDevice);\n"
    "        halve<<<1, 32>>>(p, d);\n        cudaMemcpy(&more, d, 1, cudaMemcpyDeviceToHost);\n   "
    "     turns++;\n"
    "    } while (more);\n    cudaEventRecord(b);\n    cudaEventElapsedTime(&ms, a, b);\n"
    "    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);\n"
    "    printf(\"%d turns, %.0f cycles, %d\\n\", turns, ms * 1350000, h[31]);\n}\n";

static void a_run_with_decisions_is_one_job_that_ends_in_the_same_cycle(void)
{
    put("again.cu", again);
    expect("smcc --exe again.cu -o again && smrun --record rec -- ./again", 0,
           "rec/job.xml: 5 launches, 2 buffers, 6 reads of 133 bytes");
    expect("smrun rec/job.xml", 0,
           "host          4 writes of 4 bytes, 6 reads of 133 bytes, among 5 launches");
    expect("./again | grep -q \"5 turns, $(smrun rec/job.xml | sed -n 's/^cycles *\\([0-9]*\\) "
           ".*/\\1/p') cycles, 0\" && echo alike",
           0, "alike");
    expect("smrun --record rec -- ./again && faultsim transient --target rf --exact rec/job.xml", 0,
           "again.cu:5: p[i] /= 2;");
}

static void constants_may_be_written_thousands_of_times_before_the_first_launch(void)
{
    put("many.cu",
        "#include <stdio.h>\n__constant__ int c[3];\n__global__ void k(int *p) { p[0] = c[0] * "
        "100 + c[1]; }\n"
        "int main()\n{\n    int *p, h = 0;\n    cudaMalloc(&p, 4);\n"
        "    for (int i = 0; i < 3000; i++)\n        cudaMemcpyToSymbol(c, &i, 4, 4 * (i % 3));\n"
        "    k<<<1, 1>>>(p);\n    cudaMemcpy(&h, p, 4, cudaMemcpyDeviceToHost);\n    "
        "printf(\"%d\\n\", h);\n}\n");
    expect("smcc --exe many.cu -o many && smrun --record many-rec -- ./many", 0, "302698");
    expect("smrun many-rec/job.xml", 0, "instructions");
}

/* The host writes and reads between launches. */
static void every_campaign_of_a_recorded_job_ends_as_brute_force_says(void)
{
    static const char *const campaigns[] = {
        "transient --target dest,dest/pr --sample 30 --csv-faults",
        "intermittent --target rf,mask --active-only --sample 30 --hold 2000 --csv-faults",
        "memory --faults 'rf/p0-20/b0:*' --csv-faults",
        "stuck-at --faults 'mask/w0/t0-1' --csv-faults",
        "transient --target mask,sched --cycles 3711-3712 --csv",
    };
    put("again.cu", again);
    expect("smcc --exe again.cu -o again && smrun --record rec -- ./again", 0, "6 reads");
    for (size_t i = 0; i < sizeof campaigns / sizeof *campaigns; i++) {
        char line[500];
        snprintf(
            line, sizeof line,
            "for x in '' --exhaustive; do faultsim %s - --quiet $x rec/job.xml | grep -v '^#' | "
            "cut -d, -f-9,12- >pruned$x || exit; done; cmp pruned pruned--exhaustive && "
            "grep -c sdc pruned && echo alike",
            campaigns[i]);
        expect(line, 0, "alike");
    }
    /* lifetimes take for lost whatever is read */
    expect("for m in --ace --exact; do faultsim transient $m --target mask --quiet --csv - "
           "rec/job.xml | grep ',all,,' | cut -d, -f18; done | { read ace; read exact; awk \"BEGIN "
           "{ print ($ace >= $exact && $exact > 0) }\"; }",
           0, "1");
}

static void the_rtl_runs_a_program_as_the_model_does(void)
{
    put("again.cu", again);
#ifdef FAULTLINE_RTL
    expect("smcc --exe again.cu -o again && mkdir c rtl && (cd c && smrun --record rec -- ../again "
           ">said) && "
           "(cd rtl && FAULTLINE_ENGINE=rtl smrun --record rec -- ../again >said) && "
           "diff -r c rtl && cat rtl/said",
           0, "5 turns");
#else
    expect("smcc --exe again.cu -o again && FAULTLINE_ENGINE=rtl ./again", 0,
           "this library was built without the RTL");
#endif
}

static void what_cannot_be_recorded_says_why(void)
{
    put("again.cu", again);
    put("ends.cu", "#include <stdlib.h>\n__global__ void k(int *p) { p[0] = 1; }\n"
                   "int main(int n, char **)\n{\n    int *p;\n    cudaMalloc(&p, 4);\n    if (n > "
                   "1)\n        k<<<1, 1>>>(p);\n"
                   "    if (n > 3)\n        abort();\n    return n > 2 ? 3 : 0;\n}\n");
    expect("smcc --exe ends.cu -o ends && smrun --record r1 -- ./ends", 1,
           "no kernel was launched");
    expect("smrun --record r2 -- ./ends 1 2", 1,
           "ended with status 3; its run is recorded all the same");
    expect("smrun --record r2 -- ./ends 1 2 3; echo status $?; ls r2", 0, "ended by signal 6");
    expect("ls r2/job.xml", 2, "");
    expect("smrun --record r3 -- ./none", 1, "./none: No such file");
    expect(
        "smrun --record r3 -- true", 1,
        "build the program with smcc --exe, or link it with libcuda, and let it launch a kernel");
    expect("mkdir -p r4 && echo mine >r4/job.xml && smrun --record r4 -- ./ends 1; cat r4/job.xml",
           0, "mine");
    expect("for f in data.bin program.cubin; do mkdir -p $f.d && echo mine >$f.d/$f && smrun "
           "--record $f.d -- ./ends 1; cat $f.d/*; done",
           0,
           "--record data.bin.d: holds a data.bin that is no record; name another folder\nmine\n"
           "smrun: --record program.cubin.d: holds a program.cubin that is no record; name another "
           "folder\nmine\n");
    expect("smrun --record r6 -- ./ends; ls r6 | wc -l; smrun --record r6 -- ./ends 1", 0,
           "\n0\nrecorded      r6/job.xml");
    expect("FAULTLINE_ENGINE=quick smrun --record r5 -- ./ends 1", 1, "set it to c or rtl");
    expect("FAULTLINE_ENGINE=quick smrun --engine c --record r5 -- ./ends 1", 0, "r5/job.xml");
    expect("smrun --record r5", 2, "no file given");
}

/* Some have none: odd bytes, several types, 64 bits, no kernel that gets the buffer. */
static void a_recorded_output_has_the_type_that_kernels_find_in_it(void)
{
    put("typed.cu",
        "#include <stdio.h>\n"
        "#include <stdlib.h>\n"
        "typedef const float *numbers;\n"
        "struct pair { int a, b; };\n"
        "struct both { int a; float b; };\n"
        "enum color { RED, BLUE };\n"
        "namespace n { template <class T> struct box { T at[2]; T get() const { return at[0]; } "
        "static int count; }; }\n"
        "__global__ void f(float *__restrict__ p) { p[threadIdx.x] = p[threadIdx.x] * 1.5f + 1; }\n"
        "__global__ void v(float4 *p) { p[threadIdx.x / 4].x += 1; }\n"
        "__global__ void b(volatile unsigned char *p) { p[threadIdx.x] += 1; }\n"
        "template <class T> __global__ void t(T *p, numbers q) { p[threadIdx.x] += (T)q[0]; }\n"
        "__global__ void i(pair *p) { p[threadIdx.x / 2].a += 1; }\n"
        "__global__ void m(both *p) { p[threadIdx.x / 2].a += 1; }\n"
        "__global__ void d(double *p) { p[threadIdx.x / 2] += 1; }\n"
        "__global__ void e(color *p, bool *q, n::box<short> *r) { p[0] = q[0] ? RED : BLUE; "
        "r[0].at[1] = 1; }\n"
        "static char h[128];\n"
        "template <class T> static void get(T *from, size_t size, int at) { cudaMemcpy(h, (char "
        "*)from + at, size, cudaMemcpyDeviceToHost); }\n"
        "template <class T> static T *give() { void *p; cudaMalloc(&p, 128); cudaMemset(p, 1, "
        "128); return (T *)p; }\n"
        "int main(int argc, char **)\n"
        "{\n"
        "    float *x = give<float>();\n"
        "    f<<<1, 32>>>(x), get(x, 128, 0);\n"
        "    if (argc > 1)\n"
        "        return 0;\n"
        "    get(x, 6, 0), get(x, 8, 2);\n"
        "    float *y = give<float>();\n"
        "    cudaMemcpy(y, x, 64, cudaMemcpyDeviceToDevice), get(y, 128, 0);\n"
        "    v<<<1, 32>>>((float4 *)x), get(x, 128, 0);\n"
        "    unsigned char *c = give<unsigned char>();\n"
        "    b<<<1, 32>>>(c + 1), get(c, 3, 1);\n"
        "    short *s = give<short>();\n"
        "    t<<<1, 32>>>(s, x), get(s, 64, 0), get(x, 64, 0);\n"
        "    pair *p = give<pair>();\n"
        "    i<<<1, 32>>>(p), get(p, 128, 0);\n"
        "    f<<<1, 32>>>((float *)p), get(p, 128, 0);\n"
        "    both *o = give<both>();\n"
        "    m<<<1, 32>>>(o), get(o, 128, 0);\n"
        "    double *w = give<double>();\n"
        "    d<<<1, 32>>>(w), get(w, 128, 0);\n"
        "    int *k = give<int>();\n"
        "    get(k, 128, 0);\n"
        "    cudaFree(s);\n"
        "    bool *again = give<bool>();\n"
        "    n::box<short> *l = give<n::box<short> >();\n"
        "    e<<<1, 1>>>((color *)k, again, l), get(k, 4, 0), get(again, 1, 0), get(l, 8, 0);\n"
        "    f<<<1, 16>>>((float *)((char *)l + 4)), get(l, 128, 0);\n"
        "}\n");
    expect(
        "smcc --exe typed.cu -o typed && smrun --record types -- ./typed && sed -n 's/.*<read "
        "name=\"r\\([0-9]*\\)\".* size=\"[0-9]*\"\\( type=\"\\(.*\\)\"\\)*\\/>/\\1 "
        "\\3/p' types/job.xml | tr '\\n' ','",
        0,
        "1 f32,2 ,3 ,4 f32,5 f32,6 u8,7 s16,8 f32,9 s32,10 ,11 ,12 ,13 ,14 u32,15 u8,16 s16,17 ,");
}

static void errors_of_a_recorded_float_output_have_sizes(void)
{
    expect("smrun --record floats -- ./typed once && faultsim transient --target dest --sample 60 "
           "floats/job.xml | sed -n '/How wrong/,/^$/p' >wrong; cat wrong; grep -c 'no type' wrong",
           1, "as a share of the right value");
}

static void a_recorded_job_is_called_after_its_program(void)
{
    put("again.cu", again);
    expect("smcc --exe again.cu -o again && cp again 'odd--name x' && smrun --record rec1 -- "
           "./again && smrun --record rec2 -- './odd--name x' && faultsim transient --target pc "
           "--sample 5 --quiet --csv - rec1/job.xml rec2/job.xml | grep -v '^#' | cut -d, -f1 | "
           "sort -u | tr '\\n' ' '",
           0, "again job odd--name_x");
}

/* Its child writes into whatever files it has got from the program, as one that uses the device too does. */
static void a_record_that_does_not_leave_what_the_program_has_read_is_refused(void)
{
    put("mixed.cu",
        "#include <stdio.h>\n#include <unistd.h>\n#include <sys/wait.h>\n__global__ void add(int "
        "*p) { p[threadIdx.x] += 2; }\nint main(int n, char **)\n{\n    int h[32] = {0}, *p;\n    "
        "cudaMalloc(&p, sizeof h);\n    add<<<1, 32>>>(p);\n    pid_t child = n > 1 ? fork() : "
        "-1;\n    if (child == 0) {\n        for (int i = 3; i < 20; i++)\n            if "
        "(write(i, "
        "\"mine\", 4) < 0)\n                continue;\n        _exit(0);\n    }\n    "
        "waitpid(child, "
        "0, 0);\n    h[0] = 40;\n    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);\n    "
        "add<<<1, 32>>>(p);\n    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);\n    "
        "printf(\"%d\\n\", h[0]);\n}\n");
    expect("smcc --exe mixed.cu -o mixed && smrun --record mix -- ./mixed && ls mix/job.xml", 0,
           "mix/job.xml");
    expect("smrun --record mix -- ./mixed child", 1,
           "the record leaves other outputs than the program has read, so it is not kept");
    expect("ls mix/job.xml", 2, "");
}

static void a_record_lies_where_the_line_says_though_the_program_changes_its_folder(void)
{
    put("moves.cu",
        "#include <unistd.h>\n__global__ void k(int *p) { p[0] = 1; }\n"
        "int main()\n{\n    int *p;\n    if (chdir(\"/\"))\n        return 1;\n"
        "    cudaMalloc(&p, 4);\n    k<<<1, 1>>>(p);\n    return chdir(\"/tmp\");\n}\n");
    expect("smcc --exe moves.cu -o moves && smrun --record moved -- ./moves", 0, "moved/job.xml");
    expect("mkdir -p by && FAULTLINE_RECORD=. ./moves; ls job.xml", 2, "");
    expect("cd by && FAULTLINE_RECORD=$PWD ../moves && ls", 0, "job.xml");
}

static void a_program_that_cannot_be_started_leaves_the_earlier_record(void)
{
    expect("smrun --record moved -- moves 2>&1", 1, "did you mean ./moves?");
    expect("smrun --record moved -- ./none 2>&1", 1, "./none: No such file");
    expect("ls moved", 0, "job.xml");
}

static void who_ends_smrun_ends_the_program_that_it_records(void)
{
    put("waits.cu",
        "#include <stdio.h>\n#include <signal.h>\n#include <unistd.h>\nint main(int n, char "
        "**)\n{\n    if (n > 1)\n        signal(SIGTERM, SIG_IGN);\n    FILE *f = "
        "fopen(\"pid\", \"w\");\n    fprintf(f, \"%d\", getpid());\n    fclose(f);\n    "
        "pause();\n    return 0;\n}\n__global__ void k(int *p) { p[0] = 1; }\n");
    put("end", "rm -f pid\nsmrun --record rec -- ./waits $1 &\np=$!\nuntil test -s pid; do sleep "
               "0.05; done\nkill $p\nwait $p\necho status $?\nkill -0 $(cat pid) || echo gone\n");
    expect("smcc --exe waits.cu -o waits && bash end 2>&1", 0, "status 143");
    expect("bash end 2>&1", 0, "gone");
    expect("timeout 20 bash end deaf 2>&1", 0, "gone");
}

int main(void)
{
    dir = tools_folder();
    needs_clang = true;
    int status = CHECK_RUN(
        "programs", CHECK(a_program_is_built_and_run_as_it_is), CHECK(every_clang_builds_it),
        CHECK(a_variable_is_defined_by_another_file), CHECK(files_are_put_together),
        CHECK(a_kernel_that_was_left_out_fails_at_its_launch),
        CHECK(a_block_that_lacks_registers_runs_a_version_with_fewer),
        CHECK(a_checked_call_that_fails_ends_the_program),
        CHECK(the_headers_of_cudas_samples_have_bodies),
        CHECK(groups_of_threads_wait_for_each_other), CHECK(an_assertion_of_the_host_is_one),
        CHECK(what_cannot_be_built_says_why_and_leaves_nothing),
        CHECK(a_run_with_decisions_is_one_job_that_ends_in_the_same_cycle),
        CHECK(constants_may_be_written_thousands_of_times_before_the_first_launch),
        CHECK(every_campaign_of_a_recorded_job_ends_as_brute_force_says),
        CHECK(the_rtl_runs_a_program_as_the_model_does), CHECK(what_cannot_be_recorded_says_why),
        CHECK(a_recorded_output_has_the_type_that_kernels_find_in_it),
        CHECK(errors_of_a_recorded_float_output_have_sizes),
        CHECK(a_recorded_job_is_called_after_its_program),
        CHECK(a_record_that_does_not_leave_what_the_program_has_read_is_refused),
        CHECK(a_record_lies_where_the_line_says_though_the_program_changes_its_folder),
        CHECK(a_program_that_cannot_be_started_leaves_the_earlier_record),
        CHECK(who_ends_smrun_ends_the_program_that_it_records));
    tools_remove(dir);
    return status;
}
