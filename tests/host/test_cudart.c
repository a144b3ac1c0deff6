/* test_cudart.c -- the runtime library as a program calls it, with kernels in text of the assembler: what each call does, and
 * which of CUDA's errors it ends with. A program is registered once; every test begins with a device of its own.
 */
#include <pthread.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"
#include "sm/job/job.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

static char *dir;

static void a_launch_changes_memory_and_a_copy_brings_it(void)
{
    cudaDeviceReset();
    uint32_t h[32], *d = NULL;
    for (uint32_t i = 0; i < 32; i++)
        h[i] = i;
    OK(cudaMalloc((void **)&d, sizeof h));
    OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    OK(add(one, warp, 0, d, 10));
    OK(add(one, warp, 0, d, 1));
    memset(h, 0, sizeof h);
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CU_ASSERT_EQUAL(h[0], 44);
    CU_ASSERT_EQUAL(h[31], 75);
    OK(cudaFree(d));
}

static void a_launch_with_a_list_of_arguments_is_the_same(void)
{
    cudaDeviceReset();
    uint32_t h[32], *d, by = 2;
    void *arguments[] = {&d, &by};
    OK(cudaMalloc((void **)&d, sizeof h));
    OK(cudaMemset(d, 0, sizeof h));
    OK(cudaLaunchKernel(&stub_add, one, warp, arguments, 0, NULL));
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    CU_ASSERT_EQUAL(h[31], 8);
}

static void rows_are_copied_and_filled_with_a_pitch(void)
{
    cudaDeviceReset();
    uint8_t h[4][10], back[4][10] = {{0}}, *d, *e;
    size_t pitch, other;
    for (int i = 0; i < 40; i++)
        h[i / 10][i % 10] = (uint8_t)i;
    OK(cudaMallocPitch((void **)&d, &pitch, 10, 4));
    OK(cudaMallocPitch((void **)&e, &other, 300, 4));
    CU_ASSERT_EQUAL(pitch, 256);
    CU_ASSERT_EQUAL(other, 512);
    OK(cudaMemcpy2D(d, pitch, h, 10, 10, 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(e, other, d, pitch, 10, 4, cudaMemcpyDeviceToDevice));
    OK(cudaMemset2D(e, other, 0xff, 3, 2));
    OK(cudaMemcpy2D(back, 10, e, other, 10, 4, cudaMemcpyDeviceToHost));
    CU_ASSERT_EQUAL(back[1][2], 0xff);
    CU_ASSERT_EQUAL(back[1][3], 13);
    CU_ASSERT_EQUAL(back[3][9], 39);
    tools_listen();
    IS(cudaMemcpy2D(d, 9, h, 10, 10, 4, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    tools_said("the pitch is smaller than the 10 bytes of a row");
}

static void variables_and_constants_are_reached_by_their_host_side_or_name(void)
{
    cudaDeviceReset();
    uint32_t h[2], four[2] = {0, 7}, *d, *at;
    size_t size;
    OK(cudaMemcpyFromSymbol(h, &shadow_total, 8, 0, cudaMemcpyDeviceToHost));
    CU_ASSERT_EQUAL(h[1], 6);
    OK(cudaMemcpyToSymbol("total", four, 4, 4, cudaMemcpyHostToDevice));
    OK(cudaGetSymbolAddress((void **)&at, &shadow_total));
    OK(cudaMemcpy(h, at, 8, cudaMemcpyDefault));
    CU_ASSERT_EQUAL(h[0], 5);
    CU_ASSERT_EQUAL(h[1], 0);
    OK(cudaGetSymbolSize(&size, &shadow_factors));
    CU_ASSERT_EQUAL(size, 8);
    OK(cudaMalloc((void **)&d, 128));
    OK(cudaMemset(d, 0, 128));
    OK(add(one, warp, 0, d, 1));
    OK(cudaMemcpyToSymbol(&shadow_factors, four, 8, 0, cudaMemcpyHostToDevice));
    OK(add(one, warp, 0, d, 1)); /* between launches, too */
    OK(cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost));
    CU_ASSERT_EQUAL(h[0], 11);
    tools_listen();
    IS(cudaMemcpyToSymbol("nobody", four, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
    IS(cudaMemcpyToSymbol(&shadow_total, four, 8, 4, cudaMemcpyHostToDevice),
       cudaErrorInvalidValue);
    tools_said("8 bytes from 4: the variable has 8");
}

static void what_is_not_memory_of_the_device_is_refused(void)
{
    cudaDeviceReset();
    uint32_t h[4] = {0}, *d;
    OK(cudaMalloc((void **)&d, 16));
    tools_listen();
    IS(cudaMemcpy(h, h, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    IS(cudaMemcpy(d, h, 20, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    IS(cudaMemcpy(h, d + 1, 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    IS(cudaMemset(d + 4, 0, 1), cudaErrorInvalidValue);
    IS(cudaMemcpy(d, h, 16, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    IS(cudaFree(d + 1), cudaErrorInvalidDevicePointer);
    OK(cudaFree(d));
    IS(cudaFree(d), cudaErrorInvalidDevicePointer);
    IS(cudaMemcpy(d, h, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    tools_said("20 bytes at 0x12200: there are 16");
    OK(cudaFree(NULL));
    OK(cudaMemcpy(d, h, 0, cudaMemcpyHostToDevice));
}

static void memory_ends_and_what_is_freed_is_given_again(void)
{
    cudaDeviceReset();
    size_t left, total;
    void *a, *b, *c;
    OK(cudaMalloc(&a, 512 << 20));
    OK(cudaMemGetInfo(&left, &total));
    CU_ASSERT_EQUAL(left, 256 << 20);
    CU_ASSERT_EQUAL(total, 768 << 20);
    tools_listen();
    IS(cudaMalloc(&b, 512 << 20), cudaErrorMemoryAllocation);
    CU_ASSERT_PTR_NULL(b);
    IS(cudaMalloc(&b, SIZE_MAX), cudaErrorMemoryAllocation);
    tools_said("the device has 805306368");
    OK(cudaFree(a));
    OK(cudaMalloc(&c, 512 << 20));
    CU_ASSERT_PTR_EQUAL(c, a);
    OK(cudaMalloc(&b, 0));
    CU_ASSERT_PTR_NULL(b);
}

static void a_launch_that_the_machine_cannot_hold_is_refused(void)
{
    cudaDeviceReset();
    uint32_t *d;
    OK(cudaMalloc((void **)&d, 4096));
    tools_listen();
    IS(add(one, (dim3){513, 1, 1}, 0, d, 1), cudaErrorInvalidConfiguration);
    IS(add(one, (dim3){0, 1, 1}, 0, d, 1), cudaErrorInvalidConfiguration);
    IS(add((dim3){65536, 1, 1}, warp, 0, d, 1), cudaErrorInvalidConfiguration);
    IS(add((dim3){1, 1, 2}, warp, 0, d, 1), cudaErrorInvalidConfiguration);
    IS(add(one, warp, 16384, d, 1), cudaErrorInvalidConfiguration);
    tools_said("513 threads");
    tools_listen();
    OK(cudaConfigureCall(one, (dim3){256, 1, 1}, 0, NULL));
    IS(cudaLaunch(&stub_many), cudaErrorLaunchOutOfResources);
    tools_said("needs 100 registers");
    IS(cudaGetLastError(), cudaErrorLaunchOutOfResources);
    OK(cudaGetLastError());
    OK(add(one, warp, 0, d, 1));
}

static void a_launch_without_its_parts_is_refused(void)
{
    cudaDeviceReset();
    uint32_t *d;
    OK(cudaMalloc((void **)&d, 128));
    IS(cudaLaunch(&stub_add), cudaErrorMissingConfiguration);
    tools_listen();
    OK(cudaConfigureCall(one, warp, 0, NULL));
    OK(cudaSetupArgument(&d, 8, 0));
    IS(cudaLaunch(&stub_add), cudaErrorInvalidConfiguration);
    OK(cudaConfigureCall(one, warp, 0, NULL));
    IS(cudaLaunch(&stub_gone), cudaErrorInvalidDeviceFunction);
    OK(cudaConfigureCall(one, warp, 0, NULL));
    IS(cudaLaunch("add"), cudaErrorInvalidDeviceFunction);
    tools_said("kernel 'gone' is not in the program");
}

static void a_trap_is_named_and_stays_until_the_device_is_reset(void)
{
    cudaDeviceReset();
    uint32_t *d, h;
    OK(cudaMalloc((void **)&d, 128));
    tools_listen();
    cudaConfigureCall(one, warp, 0, NULL);
    cudaSetupArgument(&d, sizeof d, 0);
    IS(cudaLaunch(&stub_wild), cudaErrorLaunchFailure);
    tools_said("kernel 'wild' trapped at 0x8: OUT_OF_BOUNDS_GLOBAL");
    IS(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost), cudaErrorLaunchFailure);
    IS(cudaThreadSynchronize(), cudaErrorLaunchFailure);
    IS(cudaGetLastError(), cudaErrorLaunchFailure);
    IS(cudaPeekAtLastError(), cudaErrorLaunchFailure);
    OK(cudaDeviceReset());
    OK(cudaGetLastError());
    OK(cudaMalloc((void **)&d, 128));
    OK(add(one, warp, 0, d, 1));
}

static void events_count_the_cycles_of_the_machine(void)
{
    cudaDeviceReset();
    cudaEvent_t start, end;
    cudaStream_t stream;
    uint32_t *d;
    float ms = -1;
    struct cudaDeviceProp p;
    OK(cudaGetDeviceProperties(&p, 0));
    OK(cudaMalloc((void **)&d, 128));
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    IS(cudaEventElapsedTime(&ms, start, end), cudaErrorInvalidResourceHandle);
    OK(cudaEventRecord(start, stream));
    OK(add(one, warp, 0, d, 1));
    OK(cudaEventRecord(end, stream));
    OK(cudaEventSynchronize(end));
    OK(cudaEventElapsedTime(&ms, start, end));
    double cycles = ms * (double)p.clockRate;
    CU_ASSERT(cycles > 500 && cycles < 5000);
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(end));
    OK(cudaStreamDestroy(stream));
}

static void note_call(void *at)
{
    ++*(int *)at;
}

static void note_callback(cudaStream_t stream, cudaError_t error, void *at)
{
    *(int *)at += stream && !error ? 10 : 100;
}

static void a_function_of_the_host_in_a_stream_runs_at_once(void)
{
    cudaStream_t s;
    int calls = 0, least = 7, greatest = 7;
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    CU_ASSERT_TRUE(least == 0 && greatest == 0);
    OK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest));
    OK(cudaLaunchHostFunc(s, note_call, &calls));
    OK(cudaStreamAddCallback(s, note_callback, &calls, 0));
    CU_ASSERT_EQUAL(calls, 11);
    OK(cudaStreamDestroy(s));
    IS(cudaStreamAddCallback(s, note_callback, &calls, 0), cudaErrorInvalidResourceHandle);
    CU_ASSERT_EQUAL(calls, 11);
}

/* g80: 8 blocks, 768 threads, 24 warps, 8192 registers and 16384 bytes of an SM. */
static void blocks_of_an_SM_are_counted_by_what_it_has_least_of(void)
{
    static const struct {
        const void *kernel;
        int threads, shared, blocks;
    } of[] = {{&stub_add, 32, 0, 8},    {&stub_add, 256, 0, 3},    {&stub_add, 512, 0, 1},
              {&stub_add, 33, 0, 8},    {&stub_add, 97, 0, 6},     {&stub_add, 513, 0, 0},
              {&stub_add, 32, 8000, 2}, {&stub_add, 32, 16384, 0}, {&stub_many, 32, 0, 2},
              {&stub_many, 64, 0, 1},   {&stub_many, 96, 0, 0}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        int blocks = -1;
        OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, of[i].kernel, of[i].threads,
                                                         (size_t)of[i].shared));
        CU_ASSERT_EQUAL(blocks, of[i].blocks);
    }
}

static void the_device_is_the_profile(void)
{
    setenv("FAULTLINE_PROFILE", "tiny", 1);
    cudaDeviceReset();
    struct cudaDeviceProp p;
    struct cudaFuncAttributes a;
    int value;
    OK(cudaGetDeviceProperties(&p, 0));
    CU_ASSERT_STRING_EQUAL(p.name, "Faultline tiny");
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
    CU_ASSERT_EQUAL(value, p.maxThreadsPerBlock);
    CU_ASSERT(p.major == 1 && p.minor == 0);
    setenv("FAULTLINE_PROFILE", "gt215", 1);
    cudaDeviceReset();
    OK(cudaGetDeviceProperties(&p, 0));
    CU_ASSERT(p.major == 1 && p.minor == 2);
    CU_ASSERT_EQUAL(p.regsPerBlock, 16384);
    CU_ASSERT_EQUAL(p.maxThreadsPerMultiProcessor, 1024);
    CU_ASSERT_EQUAL(p.multiProcessorCount, 12);
    unsetenv("FAULTLINE_PROFILE");
    cudaDeviceReset();
    OK(cudaGetDeviceProperties(&p, 0));
    CU_ASSERT_STRING_EQUAL(p.name, "Faultline g80");
    CU_ASSERT_EQUAL(p.maxThreadsPerBlock, 512);
    CU_ASSERT_EQUAL(p.sharedMemPerBlock, 16384);
    CU_ASSERT_EQUAL(p.regsPerBlock, 8192);
    OK(cudaFuncGetAttributes(&a, &stub_many));
    CU_ASSERT_EQUAL(a.numRegs, 100);
    CU_ASSERT_EQUAL(a.maxThreadsPerBlock, 64);
    tools_listen();
    IS(cudaSetDevice(1), cudaErrorInvalidDevice);
    tools_said("does not exist; use device 0");
    CU_ASSERT_STRING_EQUAL(cudaGetErrorString(cudaErrorInvalidDevice), "invalid device ordinal");
    CU_ASSERT_STRING_EQUAL(cudaGetErrorName(cudaErrorInvalidDevice), "cudaErrorInvalidDevice");
}

static void images_of_a_program_have_their_own_kernels_and_variables(void)
{
    cudaDeviceReset();
    uint32_t *d, by = 1, v = 0;
    void *arguments[] = {&d, &by};
    size_t size;
    OK(cudaMalloc((void **)&d, 128));
    OK(cudaMemset(d, 0, 128));
    OK(cudaLaunchKernel(&stub_add, one, warp, arguments, 0, NULL));
    OK(cudaLaunchKernel(&stub_more, one, warp, arguments, 0, NULL));
    OK(cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost));
    CU_ASSERT_EQUAL(v, 1004);
    OK(cudaMemcpyFromSymbol(&v, &shadow_more, sizeof v, 0, cudaMemcpyDeviceToHost));
    CU_ASSERT_EQUAL(v, 7);
    OK(cudaMemcpyFromSymbol(&v, &shadow_total, sizeof v, 0, cudaMemcpyDeviceToHost));
    CU_ASSERT_EQUAL(v, 5);
    OK(cudaGetSymbolSize(&size, &shadow_more));
    CU_ASSERT_EQUAL(size, 4);
    v = 20;
    OK(cudaMemcpyToSymbol(&shadow_addend, &v, sizeof v, 4, cudaMemcpyHostToDevice));
    OK(cudaLaunchKernel(&stub_more, one, warp, arguments, 0, NULL));
    OK(cudaLaunchKernel(&stub_add, one, warp, arguments, 0, NULL));
    OK(cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost));
    CU_ASSERT_EQUAL(v, 1004 + 20 + 4);
}

static void what_is_not_there_is_refused_by_name(void)
{
    cudaDeviceReset();
    void *p;
    struct cudaPitchedPtr q;
    tools_listen();
    IS(cudaMalloc3D(&q, (struct cudaExtent){1, 1, 1}), cudaErrorNotSupported);
    IS(cudaHostAlloc(&p, 16, cudaHostAllocMapped), cudaErrorNotSupported);
    tools_said("cudaMalloc3D: memory and copies of three dimensions are not supported");
}

static void an_engine_or_profile_that_is_not_there_fails_every_call(void)
{
    void *p;
    setenv("FAULTLINE_ENGINE", "quick", 1);
    cudaDeviceReset();
    tools_listen();
    IS(cudaMalloc(&p, 16), cudaErrorInitializationError);
    IS(cudaMalloc(&p, 16), cudaErrorInitializationError);
    tools_said("FAULTLINE_ENGINE is 'quick'; set it to c or rtl");
    unsetenv("FAULTLINE_ENGINE");
    setenv("FAULTLINE_PROFILE", "none", 1);
    cudaDeviceReset();
    tools_listen();
    IS(cudaMalloc(&p, 16), cudaErrorInitializationError);
    tools_said("none");
    unsetenv("FAULTLINE_PROFILE");
    cudaDeviceReset();
    OK(cudaMalloc(&p, 16));
}

static void a_child_of_fork_has_no_device(void)
{
    cudaDeviceReset();
    uint32_t *d;
    int status;
    OK(cudaMalloc((void **)&d, 128));
    tools_listen();
    pid_t child = fork();
    if (child == 0)
        _exit(cudaMemset(d, 0, 128) != cudaErrorInitializationError);
    waitpid(child, &status, 0);
    tools_said("a child of fork has no device");
    CU_ASSERT_EQUAL(status, 0);
    OK(cudaMemset(d, 0, 128));
}

static void a_host_that_touches_the_device_is_told(void)
{
    cudaDeviceReset();
    uint32_t *d;
    int status;
    OK(cudaMalloc((void **)&d, 128));
    tools_listen();
    pid_t child = fork();
    if (child == 0)
        _exit((int)*(volatile uint32_t *)d);
    waitpid(child, &status, 0);
    tools_said(SANITIZED ? "" : "which is memory of the device: copy it with cudaMemcpy");
    CU_ASSERT_NOT_EQUAL(status, 0);
}

/* Cycles and outputs of the job are those of the run; d2d copies, fills, constants and reads between launches are in it. */
static void a_run_is_recorded_as_a_job_that_ends_alike(void)
{
    uint32_t h[32], first[32], *d, *e;
    float ms;
    cudaEvent_t start, end;
    struct cudaDeviceProp p;
    setenv("FAULTLINE_RECORD", dir, 1);
    cudaDeviceReset();
    OK(cudaGetDeviceProperties(&p, 0));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&end));
    OK(cudaEventRecord(start, NULL));
    for (uint32_t i = 0; i < 32; i++)
        h[i] = i;
    OK(cudaMalloc((void **)&d, sizeof h));
    OK(cudaMalloc((void **)&e, 2 * sizeof h));
    OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    OK(add(one, warp, 0, d, 1));
    OK(cudaMemcpy(first, d, sizeof h, cudaMemcpyDeviceToHost));
    OK(cudaMemset(e, 1, 2 * sizeof h));
    OK(cudaMemcpy(e + 32, d, 64, cudaMemcpyDeviceToDevice));
    h[0] = 9;
    OK(cudaMemcpyToSymbol(&shadow_factors, h, 8, 0, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(e, h, 4, cudaMemcpyHostToDevice));
    OK(add(one, (dim3){64, 1, 1}, 16, e, 2));
    OK(cudaMemcpy(h, e + 20, sizeof h, cudaMemcpyDeviceToHost));
    OK(cudaEventRecord(end, NULL));
    OK(cudaEventElapsedTime(&ms, start, end));
    cudaEventDestroy(start);
    cudaEventDestroy(end);
    unsetenv("FAULTLINE_RECORD");
    cudaDeviceReset();
    uint8_t digest[32];
    char line[128];
    job_sha256(
        (const struct job_range[]){{(uint8_t *)first, sizeof first}, {(uint8_t *)h, sizeof h}}, 2,
        digest);
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(tools_run(dir, &out, "smrun job.xml && cat job.xml"), 0);
    int n = snprintf(line, sizeof line, "digest        ");
    for (int i = 0; i < 32; i++)
        n += snprintf(line + n, sizeof line - (size_t)n, "%02x", digest[i]);
    CU_ASSERT_TRUE(tools_says(&out, line));
    snprintf(line, sizeof line, "%.0f", (double)ms * p.clockRate);
    CU_ASSERT_TRUE(tools_says(&out, line));
    CU_ASSERT_FALSE(tools_says(&out, "type=")); /* the cubin does not say to what `p` points */
    fl_buf_free(&out);
}

static void *launch_often(void *at)
{
    uint32_t *d = *(uint32_t **)at;
    intptr_t bad = 0;
    for (int i = 0; i < 50; i++) {
        bad += add(one, warp, 0, d, 1) != cudaSuccess;
        bad += cudaGetLastError() != cudaSuccess;
    }
    return (void *)bad;
}

static void *fail_often(void *at)
{
    intptr_t missed = 0;
    (void)at;
    for (int i = 0; i < 50; i++) {
        cudaMemset(NULL, 0, 4);
        missed += cudaGetLastError() != cudaErrorInvalidValue;
    }
    return (void *)missed;
}

static void each_thread_of_the_host_has_its_own_configuration_and_last_error(void)
{
    enum { THREADS = 4 };
    cudaDeviceReset();
    pthread_t thread[THREADS];
    uint32_t *d[THREADS], h;
    for (int i = 0; i < THREADS; i++) {
        OK(cudaMalloc((void **)&d[i], 128));
        OK(cudaMemset(d[i], 0, 128));
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, i == 0 ? fail_often : launch_often, &d[i]);
    for (int i = 0; i < THREADS; i++) {
        void *bad;
        pthread_join(thread[i], &bad);
        CU_ASSERT_PTR_NULL(bad);
        OK(cudaMemcpy(&h, d[i], 4, cudaMemcpyDeviceToHost));
        CU_ASSERT_EQUAL(h, i == 0 ? 0 : 200);
    }
    OK(cudaGetLastError());
}

static void freed_memory_grows_no_further_than_the_addresses(void)
{
    void *p, *last;
    cudaDeviceReset();
    OK(cudaMalloc(&p, 448 << 20));
    OK(cudaFree(p));
    OK(cudaMalloc(&p, 512 << 20));
    OK(cudaFree(p));
    OK(cudaMalloc(&last, 575 << 20)); /* up to the end of the addresses, nearly */
    OK(cudaFree(last));
    tools_listen();
    IS(cudaMalloc(&p, 600 << 20), cudaErrorMemoryAllocation);
    tools_said("629145600 bytes");
    OK(cudaMalloc(&p, 575 << 20));
    CU_ASSERT_PTR_EQUAL(p, last);
}

static void freed_memory_serves_requests_that_grow(void)
{
    void *p, *first;
    cudaDeviceReset();
    OK(cudaMalloc(&first, 100));
    OK(cudaFree(first));
    OK(cudaMalloc(&p, 200));
    CU_ASSERT_PTR_EQUAL(p, first);
    OK(cudaMemset(p, 1, 200));
    cudaDeviceReset();
    for (size_t i = 0; i < 5000; i++) {
        OK(cudaMalloc(&p, 4 + i));
        OK(cudaFree(p));
    }
    cudaDeviceReset();
    for (size_t i = 0; i < 100; i++) {
        OK(cudaMalloc(&p, (100 << 20) + 4096 * i));
        OK(cudaFree(p));
    }
}

static void freed_memory_serves_smaller_requests_and_keeps_to_their_size(void)
{
    cudaDeviceReset();
    void *a, *b;
    uint8_t h[4096] = {0};
    size_t left, total;
    OK(cudaMalloc(&a, 4096));
    OK(cudaFree(a));
    OK(cudaMalloc(&b, 1000));
    CU_ASSERT_PTR_EQUAL(b, a);
    OK(cudaMemGetInfo(&left, &total));
    CU_ASSERT_EQUAL(total - left, 1000);
    tools_listen();
    IS(cudaMemcpy(b, h, 1001, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    tools_said("there are 1000");
    for (size_t i = 4096; i > 96; i--) {
        OK(cudaMalloc(&a, i));
        OK(cudaFree(a));
    }
}

/* A run of two launches, recorded; between them a child ends, or the device is reset. */
static void record(const char *folder, bool child_exits, bool resets, uint32_t out[32])
{
    uint32_t h[32] = {7}, *d;
    setenv("FAULTLINE_RECORD", folder, 1);
    cudaDeviceReset();
    OK(cudaMalloc((void **)&d, sizeof h));
    OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    OK(add(one, warp, 0, d, 1));
    h[0] = 50;
    OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    fflush(NULL);
    pid_t child = child_exits ? fork() : 0;
    if (child_exits && child == 0)
        exit(0);
    if (child)
        waitpid(child, NULL, 0);
    if (resets) {
        OK(cudaDeviceReset());
        OK(cudaMalloc((void **)&d, sizeof h));
    }
    h[0] = 90;
    OK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
    OK(add(one, warp, 0, d, 1));
    OK(cudaMemcpy(out, d, sizeof h, cudaMemcpyDeviceToHost));
    unsetenv("FAULTLINE_RECORD");
    cudaDeviceReset();
}

static void a_child_that_ends_by_exit_adds_nothing_to_a_record(void)
{
    uint32_t out[32];
    char *folder = fl_format("%s/forked", dir);
    struct fl_buf said_of_it = {0};
    mkdir(folder, 0700);
    record(folder, true, false, out);
    CU_ASSERT_EQUAL(out[0], 94);
    CU_ASSERT_EQUAL(tools_run(dir, &said_of_it, "smrun --expect forked/job.xml"), 0);
    CU_ASSERT_TRUE(tools_says(&said_of_it, "as the job states"));
    fl_buf_free(&said_of_it);
    said_of_it = (struct fl_buf){0};
    CU_ASSERT_EQUAL(tools_run(dir, &said_of_it,
                              "sed -i 's/u32=\"1\"/u32=\"2\"/' forked/job.xml; "
                              "smrun --expect forked/job.xml"),
                    1); /* a record that is not what ran is found */
    fl_buf_free(&said_of_it);
    free(folder);
}

static void launches_after_a_reset_are_a_record_of_their_own(void)
{
    uint32_t out[32];
    char *folder = fl_format("%s/reset", dir);
    struct fl_buf said_of_it = {0};
    mkdir(folder, 0700);
    record(folder, false, true, out);
    CU_ASSERT_EQUAL(out[0], 94);
    CU_ASSERT_EQUAL(
        tools_run(
            dir, &said_of_it,
            "smrun --expect reset/2/job.xml; grep -c '<launch' reset/job.xml reset/2/job.xml"),
        0);
    CU_ASSERT_TRUE(tools_says(&said_of_it, "as the job states"));
    CU_ASSERT_TRUE(tools_says(&said_of_it, "reset/job.xml:1\nreset/2/job.xml:1"));
    fl_buf_free(&said_of_it);
    free(folder);
}

int main(void)
{
    dir = tools_folder();
    register_program();
    int status = CHECK_RUN(
        "cudart", CHECK(a_launch_changes_memory_and_a_copy_brings_it),
        CHECK(a_launch_with_a_list_of_arguments_is_the_same),
        CHECK(rows_are_copied_and_filled_with_a_pitch),
        CHECK(variables_and_constants_are_reached_by_their_host_side_or_name),
        CHECK(what_is_not_memory_of_the_device_is_refused),
        CHECK(memory_ends_and_what_is_freed_is_given_again),
        CHECK(a_launch_that_the_machine_cannot_hold_is_refused),
        CHECK(a_launch_without_its_parts_is_refused),
        CHECK(a_trap_is_named_and_stays_until_the_device_is_reset),
        CHECK(events_count_the_cycles_of_the_machine), CHECK(the_device_is_the_profile),
        CHECK(a_function_of_the_host_in_a_stream_runs_at_once),
        CHECK(blocks_of_an_SM_are_counted_by_what_it_has_least_of),
        CHECK(images_of_a_program_have_their_own_kernels_and_variables),
        CHECK(what_is_not_there_is_refused_by_name),
        CHECK(an_engine_or_profile_that_is_not_there_fails_every_call),
        CHECK(a_child_of_fork_has_no_device), CHECK(a_host_that_touches_the_device_is_told),
        CHECK(each_thread_of_the_host_has_its_own_configuration_and_last_error),
        CHECK(freed_memory_serves_smaller_requests_and_keeps_to_their_size),
        CHECK(freed_memory_grows_no_further_than_the_addresses),
        CHECK(freed_memory_serves_requests_that_grow),
        CHECK(a_run_is_recorded_as_a_job_that_ends_alike),
        CHECK(a_child_that_ends_by_exit_adds_nothing_to_a_record),
        CHECK(launches_after_a_reset_are_a_record_of_their_own));
    tools_remove(dir);
    return status;
}
