/* test_cuda_errors.c -- which of CUDA's documented errors a call ends with when its arguments are wrong. Every test begins with
 * a device of its own; after a refused call the device still works.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "program.h"
#include "tests/lib/check.h"

static uint32_t host[64], *device;

static void begin(void)
{
    cudaDeviceReset();
    OK(cudaMalloc((void **)&device, sizeof host));
}

/* The device still works, without an error of its own. */
static void end(void)
{
    cudaGetLastError();
    OK(add(one, warp, 0, device, 1));
    OK(cudaDeviceSynchronize());
    OK(cudaGetLastError());
}

static const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost,
                                 within = cudaMemcpyDeviceToDevice;

static void a_result_without_a_place_is_an_invalid_value(void)
{
    size_t size;
    void *p;
    cudaEvent_t event;
    begin();
    OK(cudaEventCreate(&event));
    OK(cudaEventRecord(event, NULL));
    IS(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
    IS(cudaMallocPitch(NULL, &size, 100, 10), cudaErrorInvalidValue);
    IS(cudaMallocPitch(&p, NULL, 100, 10), cudaErrorInvalidValue);
    IS(cudaMallocHost(NULL, 4), cudaErrorInvalidValue);
    IS(cudaHostAlloc(NULL, 4, 0), cudaErrorInvalidValue);
    IS(cudaMallocArray(NULL, &(struct cudaChannelFormatDesc){32, 0, 0, 0, 2}, 8, 8, 0),
       cudaErrorInvalidValue);
    IS(cudaGetDevice(NULL), cudaErrorInvalidValue);
    IS(cudaGetDeviceCount(NULL), cudaErrorInvalidValue);
    IS(cudaChooseDevice(NULL, &(struct cudaDeviceProp){0}), cudaErrorInvalidValue);
    IS(cudaGetDeviceProperties(NULL, 0), cudaErrorInvalidValue);
    IS(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
    IS(cudaDeviceGetLimit(NULL, cudaLimitStackSize), cudaErrorInvalidValue);
    IS(cudaDeviceCanAccessPeer(NULL, 0, 0), cudaErrorInvalidValue);
    IS(cudaDriverGetVersion(NULL), cudaErrorInvalidValue);
    IS(cudaRuntimeGetVersion(NULL), cudaErrorInvalidValue);
    IS(cudaStreamCreate(NULL), cudaErrorInvalidValue);
    IS(cudaStreamCreateWithFlags(NULL, cudaStreamNonBlocking), cudaErrorInvalidValue);
    IS(cudaEventCreate(NULL), cudaErrorInvalidValue);
    IS(cudaEventCreateWithFlags(NULL, cudaEventDisableTiming), cudaErrorInvalidValue);
    IS(cudaEventElapsedTime(NULL, event, event), cudaErrorInvalidValue);
    IS(cudaFuncGetAttributes(NULL, &stub_add), cudaErrorInvalidValue);
    IS(cudaGetSymbolAddress(NULL, &shadow_total), cudaErrorInvalidValue);
    IS(cudaGetSymbolSize(NULL, &shadow_total), cudaErrorInvalidValue);
    IS(cudaGetTextureReference(NULL, "t"), cudaErrorInvalidValue);
    IS(cudaGetTextureAlignmentOffset(NULL, NULL), cudaErrorInvalidValue);
    OK(cudaMemGetInfo(NULL, NULL));
    end();
}

static void a_fill_of_more_than_there_is_changes_nothing(void)
{
    begin();
    OK(cudaMemset(device, 0, sizeof host));
    tools_listen();
    IS(cudaMemset(device, 1, (size_t)1 << 40), cudaErrorInvalidValue);
    IS(cudaMemset(device, 1, SIZE_MAX - 3), cudaErrorInvalidValue);
    IS(cudaMemset(device, 1, sizeof host + 1), cudaErrorInvalidValue);
    IS(cudaMemset((void *)1, 1, 4), cudaErrorInvalidValue);
    IS(cudaMemset(NULL, 1, 4), cudaErrorInvalidValue);
    IS(cudaMemset(host, 1, 4), cudaErrorInvalidValue);
    IS(cudaMemset2D(device, SIZE_MAX / 3 + 1, 1, 4, 4), cudaErrorInvalidValue);
    IS(cudaMemset2D(device, (size_t)1 << 33, 1, (size_t)1 << 33, (size_t)1 << 31),
       cudaErrorInvalidValue);
    IS(cudaMemset2D(device, 4, 1, 8, 2), cudaErrorInvalidValue);
    IS(cudaMemset2D(device, 16, 1, 16, 17), cudaErrorInvalidValue);
    tools_said("there are 256");
    OK(cudaMemset2D(device, 16, 1, 16, 0));
    OK(cudaMemset2D(device, 16, 1, 0, 4));
    OK(cudaMemcpy(host, device, sizeof host, out));
    for (int i = 0; i < 64; i++)
        CU_ASSERT_EQUAL(host[i], 0);
    end();
}

static void a_copy_of_more_than_there_is_is_refused(void)
{
    begin();
    tools_listen();
    IS(cudaMemcpy(device, host, (size_t)1 << 40, in), cudaErrorInvalidValue);
    IS(cudaMemcpy(host, device, SIZE_MAX - 3, out), cudaErrorInvalidValue);
    IS(cudaMemcpy(device, host, sizeof host + 1, in), cudaErrorInvalidValue);
    IS(cudaMemcpy(device + 1, host, sizeof host - 3, in), cudaErrorInvalidValue);
    IS(cudaMemcpy(NULL, host, 4, in), cudaErrorInvalidValue);
    IS(cudaMemcpy(device, NULL, 4, in), cudaErrorInvalidValue);
    IS(cudaMemcpy(host, NULL, 4, out), cudaErrorInvalidValue);
    IS(cudaMemcpy(device, host, 4, (enum cudaMemcpyKind)77), cudaErrorInvalidMemcpyDirection);
    IS(cudaMemcpy(device, host, 4, (enum cudaMemcpyKind) - 1), cudaErrorInvalidMemcpyDirection);
    IS(cudaMemcpy(device, device + 1, 16, within), cudaErrorInvalidValue);
    IS(cudaMemcpyPeer(device, 1, device + 8, 0, 16), cudaErrorInvalidDevice);
    tools_said("overlap");
    OK(cudaMemcpy(device, host, 0, in));
    OK(cudaMemcpy(device, host, 4, cudaMemcpyDefault));
    OK(cudaMemcpy(host, host, 4, cudaMemcpyHostToHost));
    end();
}

static void a_copy_in_the_wrong_direction_is_refused(void)
{
    begin();
    tools_listen();
    IS(cudaMemcpy(device, host, 16, out), cudaErrorInvalidValue);
    IS(cudaMemcpy(host, device, 16, in), cudaErrorInvalidValue);
    IS(cudaMemcpy(device, host, 16, cudaMemcpyHostToHost), cudaErrorInvalidValue);
    IS(cudaMemcpy(host, device, 16, cudaMemcpyHostToHost), cudaErrorInvalidValue);
    IS(cudaMemcpy(device, host, 16, within), cudaErrorInvalidValue);
    tools_said("is memory of the device, and the call takes memory of the host");
    end();
}

static void rows_that_no_memory_holds_are_refused(void)
{
    begin();
    tools_listen();
    IS(cudaMemcpy2D(device, (size_t)1 << 63, host, 16, 4, 3, in), cudaErrorInvalidPitchValue);
    IS(cudaMemcpy2D(device, SIZE_MAX / 3 + 1, host, 16, 4, 4, in), cudaErrorInvalidPitchValue);
    IS(cudaMemcpy2D(host, (size_t)1 << 63, device, 16, 4, 3, out), cudaErrorInvalidPitchValue);
    IS(cudaMemcpy2D(device, 16, host, 8, 12, 3, in), cudaErrorInvalidPitchValue);
    IS(cudaMemcpy2D(device, 8, host, 16, 12, 3, in), cudaErrorInvalidPitchValue);
    IS(cudaMemcpy2D(device, 16, host, 16, 16, 17, in), cudaErrorInvalidValue);
    tools_said("the pitch of a copy is at most 2147483647 bytes");
    OK(cudaMemcpy2D(device, 16, host, 16, 16, 0, in));
    OK(cudaMemcpy2D(device, 16, host, 16, 0, 16, in));
    end();
}

static void memory_is_freed_once_and_from_its_first_byte(void)
{
    begin();
    uint32_t *p;
    OK(cudaMalloc((void **)&p, 256));
    tools_listen();
    IS(cudaFree(p + 1), cudaErrorInvalidDevicePointer);
    IS(cudaFree(host), cudaErrorInvalidDevicePointer);
    OK(cudaFree(p));
    IS(cudaFree(p), cudaErrorInvalidDevicePointer);
    IS(cudaMemcpy(p, host, 4, in), cudaErrorInvalidValue);
    IS(cudaMemset(p, 0, 4), cudaErrorInvalidValue);
    OK(cudaFree(NULL));
    OK(cudaGetSymbolAddress((void **)&p, &shadow_total));
    IS(cudaFree(p), cudaErrorInvalidDevicePointer);
    tools_said("is not from cudaMalloc, or freed already");
    end();
}

static void more_memory_than_there_is_is_not_given(void)
{
    void *p;
    size_t pitch;
    cudaDeviceReset();
    tools_listen();
    IS(cudaMalloc(&p, SIZE_MAX), cudaErrorMemoryAllocation);
    IS(cudaMalloc(&p, (size_t)1 << 32), cudaErrorMemoryAllocation);
    IS(cudaMalloc(&p, (768u << 20) + 1), cudaErrorMemoryAllocation);
    CU_ASSERT_PTR_NULL(p);
    IS(cudaGetLastError(), cudaErrorMemoryAllocation);
    OK(cudaGetLastError());
    IS(cudaMallocPitch(&p, &pitch, SIZE_MAX, SIZE_MAX), cudaErrorMemoryAllocation);
    OK(cudaMalloc(&p, 768u << 20));
    IS(cudaMalloc(&p, 1), cudaErrorMemoryAllocation);
    tools_said("805306368");
    cudaDeviceReset();
    begin();
    tools_listen();
    IS(cudaMalloc(&p, SIZE_MAX - 255), cudaErrorMemoryAllocation);
    IS(cudaMalloc(&p, SIZE_MAX - 127), cudaErrorMemoryAllocation);
    tools_said("256 are given");
    end();
}

static void memory_of_the_host_is_freed_once(void)
{
    void *p;
    begin();
    tools_listen();
    IS(cudaFreeHost(host), cudaErrorInvalidValue);
    IS(cudaFreeHost(device), cudaErrorInvalidValue);
    OK(cudaMallocHost(&p, 10));
    IS(cudaFreeHost((char *)p + 1), cudaErrorInvalidValue);
    OK(cudaFreeHost(p));
    IS(cudaFreeHost(p), cudaErrorInvalidValue);
    OK(cudaHostAlloc(&p, 10, cudaHostAllocPortable));
    OK(cudaDeviceReset());
    OK(cudaFreeHost(p)); /* it outlives the device */
    OK(cudaFreeHost(NULL));
    tools_said("is not from cudaMallocHost, or freed already");
    begin();
    end();
}

static void memory_of_the_host_is_registered_once(void)
{
    begin();
    tools_listen();
    IS(cudaHostRegister(NULL, 4, 0), cudaErrorInvalidValue);
    IS(cudaHostRegister(host, 0, 0), cudaErrorInvalidValue);
    IS(cudaHostRegister(host, sizeof host, cudaHostRegisterMapped), cudaErrorNotSupported);
    OK(cudaHostRegister(host, sizeof host, 0));
    IS(cudaHostRegister(host, sizeof host, 0), cudaErrorHostMemoryAlreadyRegistered);
    OK(cudaHostUnregister(host));
    IS(cudaHostUnregister(host), cudaErrorHostMemoryNotRegistered);
    IS(cudaHostUnregister(NULL), cudaErrorInvalidValue);
    tools_said("the device cannot access memory of the host");
    end();
}

static void a_stream_ends_with_its_destruction(void)
{
    cudaStream_t s;
    cudaEvent_t e;
    void *arguments[] = {&device, host};
    begin();
    OK(cudaEventCreate(&e));
    OK(cudaStreamCreate(&s));
    OK(cudaMemcpyAsync(device, host, 4, in, s));
    OK(cudaStreamDestroy(s));
    tools_listen();
    IS(cudaStreamDestroy(s), cudaErrorInvalidResourceHandle);
    IS(cudaStreamDestroy(NULL), cudaErrorInvalidResourceHandle);
    IS(cudaStreamQuery(s), cudaErrorInvalidResourceHandle);
    IS(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
    IS(cudaStreamWaitEvent(s, e, 0), cudaErrorInvalidResourceHandle);
    IS(cudaEventRecord(e, s), cudaErrorInvalidResourceHandle);
    IS(cudaMemcpyAsync(device, host, 4, in, s), cudaErrorInvalidResourceHandle);
    IS(cudaMemcpy2DAsync(device, 4, host, 4, 4, 1, in, s), cudaErrorInvalidResourceHandle);
    IS(cudaMemsetAsync(device, 0, 4, s), cudaErrorInvalidResourceHandle);
    IS(cudaMemcpyToSymbolAsync(&shadow_total, host, 4, 0, in, s), cudaErrorInvalidResourceHandle);
    IS(cudaConfigureCall(one, warp, 0, s), cudaErrorInvalidResourceHandle);
    IS(cudaLaunchKernel(&stub_add, one, warp, arguments, 0, s), cudaErrorInvalidResourceHandle);
    IS(cudaStreamCreateWithFlags(&s, 2), cudaErrorInvalidValue);
    tools_said("is no stream: cudaStreamCreate makes one");
    OK(cudaStreamSynchronize(NULL));
    end();
}

static void an_event_ends_with_its_destruction(void)
{
    cudaEvent_t e, unused;
    float ms;
    begin();
    OK(cudaEventCreate(&e));
    OK(cudaEventCreate(&unused));
    OK(cudaEventQuery(unused));
    OK(cudaEventRecord(e, NULL));
    OK(cudaEventElapsedTime(&ms, e, e));
    CU_ASSERT_EQUAL(ms, 0);
    IS(cudaEventElapsedTime(&ms, e, unused), cudaErrorInvalidResourceHandle);
    OK(cudaEventDestroy(e));
    tools_listen();
    IS(cudaEventDestroy(e), cudaErrorInvalidResourceHandle);
    IS(cudaEventDestroy(NULL), cudaErrorInvalidResourceHandle);
    IS(cudaEventRecord(e, NULL), cudaErrorInvalidResourceHandle);
    IS(cudaEventRecord(NULL, NULL), cudaErrorInvalidResourceHandle);
    IS(cudaEventQuery(e), cudaErrorInvalidResourceHandle);
    IS(cudaEventSynchronize(NULL), cudaErrorInvalidResourceHandle);
    IS(cudaStreamWaitEvent(NULL, e, 0), cudaErrorInvalidResourceHandle);
    IS(cudaStreamWaitEvent(NULL, unused, 1), cudaErrorInvalidValue);
    IS(cudaEventElapsedTime(&ms, unused, e), cudaErrorInvalidResourceHandle);
    IS(cudaEventCreateWithFlags(&e, 64), cudaErrorInvalidValue);
    tools_said("is no event: cudaEventCreate makes one");
    end();
}

static void an_array_ends_with_its_destruction(void)
{
    cudaArray_t a;
    const struct cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat},
                                       none = {0, 0, 0, 0, cudaChannelFormatKindNone};
    struct cudaChannelFormatDesc d;
    begin();
    OK(cudaMallocArray(&a, &floats, 8, 8, 0));
    OK(cudaMemcpyToArray(a, 0, 0, host, 256, in));
    OK(cudaGetChannelDesc(&d, a));
    tools_listen();
    IS(cudaMemcpyToArray(a, 0, 0, host, 257, in), cudaErrorInvalidValue);
    IS(cudaMemcpyToArray(a, 1000, 1000, host, 4, in), cudaErrorInvalidValue);
    IS(cudaMemcpyToArray(a, 0, SIZE_MAX, host, 4, in), cudaErrorInvalidValue);
    IS(cudaGetChannelDesc(NULL, a), cudaErrorInvalidValue);
    OK(cudaFreeArray(a));
    IS(cudaFreeArray(a), cudaErrorInvalidValue);
    IS(cudaMemcpyToArray(a, 0, 0, host, 64, in), cudaErrorInvalidValue);
    IS(cudaMemcpyFromArray(host, a, 0, 0, 64, out), cudaErrorInvalidValue);
    IS(cudaMemcpy2DToArray(a, 0, 0, host, 8, 8, 1, in), cudaErrorInvalidValue);
    IS(cudaMemcpy2DFromArray(host, 8, a, 0, 0, 8, 1, out), cudaErrorInvalidValue);
    IS(cudaMemcpyArrayToArray(a, 0, 0, a, 0, 0, 4, within), cudaErrorInvalidValue);
    IS(cudaGetChannelDesc(&d, a), cudaErrorInvalidValue);
    IS(cudaMallocArray(&a, &floats, (size_t)1 << 40, 1, 0), cudaErrorInvalidValue);
    IS(cudaMallocArray(&a, &floats, 0, 0, 0), cudaErrorInvalidValue);
    IS(cudaMallocArray(&a, &none, 8, 8, 0), cudaErrorInvalidValue);
    IS(cudaMallocArray(&a, NULL, 8, 8, 0), cudaErrorInvalidValue);
    tools_said("is no array: cudaMallocArray makes one");
    OK(cudaFreeArray(NULL));
    end();
}

static void handles_end_with_their_device(void)
{
    cudaStream_t s;
    cudaEvent_t e;
    cudaArray_t a;
    const struct cudaChannelFormatDesc floats = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    uint32_t *old;
    begin();
    old = device;
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreate(&e));
    OK(cudaMallocArray(&a, &floats, 8, 8, 0));
    OK(cudaDeviceReset());
    tools_listen();
    IS(cudaMemcpy(host, old, 4, out), cudaErrorInvalidValue);
    IS(cudaFree(old), cudaErrorInvalidDevicePointer);
    IS(cudaEventRecord(e, NULL), cudaErrorInvalidResourceHandle);
    IS(cudaStreamDestroy(s), cudaErrorInvalidResourceHandle);
    IS(cudaEventDestroy(e), cudaErrorInvalidResourceHandle);
    IS(cudaFreeArray(a), cudaErrorInvalidValue);
    tools_said("is no event: cudaEventCreate makes one");
    OK(cudaDeviceReset());
    OK(cudaDeviceReset());
    begin();
    end();
}

static void a_symbol_has_its_size_and_no_more(void)
{
    void *p;
    begin();
    tools_listen();
    OK(cudaMemcpyToSymbol(&shadow_total, host, 8, 0, in));
    IS(cudaMemcpyToSymbol(&shadow_total, host, 9, 0, in), cudaErrorInvalidValue);
    IS(cudaMemcpyToSymbol(&shadow_total, host, 4, SIZE_MAX - 3, in), cudaErrorInvalidValue);
    IS(cudaMemcpyToSymbol(&shadow_factors, host, 4, 5, in), cudaErrorInvalidValue);
    IS(cudaMemcpyFromSymbol(host, &shadow_total, 4, 8, out), cudaErrorInvalidValue);
    IS(cudaMemcpyToSymbol("nosuch", host, 4, 0, in), cudaErrorInvalidSymbol);
    IS(cudaMemcpyToSymbol(NULL, host, 4, 0, in), cudaErrorInvalidSymbol);
    IS(cudaGetSymbolAddress(&p, "nosuch"), cudaErrorInvalidSymbol);
    IS(cudaMemcpyToSymbol(&shadow_total, NULL, 4, 0, in), cudaErrorInvalidValue);
    tools_said("the symbol is not a variable of the device");
    end();
}

static void a_device_that_is_not_there_is_refused(void)
{
    struct cudaDeviceProp p;
    int value;
    begin();
    tools_listen();
    IS(cudaSetDevice(1), cudaErrorInvalidDevice);
    IS(cudaSetDevice(-1), cudaErrorInvalidDevice);
    IS(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
    IS(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 2), cudaErrorInvalidDevice);
    IS(cudaDeviceCanAccessPeer(&value, 0, 1), cudaErrorInvalidDevice);
    IS(cudaDeviceEnablePeerAccess(1, 0), cudaErrorInvalidDevice);
    IS(cudaSetValidDevices((int[]){0, 3}, 2), cudaErrorInvalidDevice);
    IS(cudaSetValidDevices(NULL, 1), cudaErrorInvalidValue);
    IS(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
    IS(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20), cudaErrorUnsupportedLimit);
    tools_said("does not exist; use device 0");
    end();
}

static void a_launch_outside_the_limits_is_an_invalid_configuration(void)
{
    static const dim3 wrong_grid[] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {65536, 1, 1}, {1, 1, 2}},
                      wrong_block[] = {
                          {0, 1, 1}, {513, 1, 1}, {1, 1, 65}, {65536, 65536, 1}, {1u << 31, 2, 1}};
    begin();
    tools_listen();
    for (size_t i = 0; i < sizeof wrong_grid / sizeof *wrong_grid; i++)
        IS(add(wrong_grid[i], warp, 0, device, 1), cudaErrorInvalidConfiguration);
    for (size_t i = 0; i < sizeof wrong_block / sizeof *wrong_block; i++)
        IS(add(one, wrong_block[i], 0, device, 1), cudaErrorInvalidConfiguration);
    IS(add(one, warp, 20000, device, 1), cudaErrorInvalidConfiguration);
    IS(add(one, warp, SIZE_MAX, device, 1), cudaErrorInvalidConfiguration);
    IS(cudaGetLastError(), cudaErrorInvalidConfiguration);
    OK(cudaGetLastError());
    tools_said("a grid of");
    end();
}

static void an_unknown_error_has_a_text(void)
{
    CU_ASSERT_STRING_EQUAL(cudaGetErrorString((cudaError_t)9999), "unrecognized error code");
    CU_ASSERT_STRING_EQUAL(cudaGetErrorName((cudaError_t)-1), "unrecognized error code");
}

int main(void)
{
    register_program();
    int status = CHECK_RUN(
        "cuda_errors", CHECK(a_result_without_a_place_is_an_invalid_value),
        CHECK(a_fill_of_more_than_there_is_changes_nothing),
        CHECK(a_copy_of_more_than_there_is_is_refused),
        CHECK(a_copy_in_the_wrong_direction_is_refused),
        CHECK(rows_that_no_memory_holds_are_refused),
        CHECK(memory_is_freed_once_and_from_its_first_byte),
        CHECK(more_memory_than_there_is_is_not_given), CHECK(memory_of_the_host_is_freed_once),
        CHECK(memory_of_the_host_is_registered_once), CHECK(a_stream_ends_with_its_destruction),
        CHECK(an_event_ends_with_its_destruction), CHECK(an_array_ends_with_its_destruction),
        CHECK(handles_end_with_their_device), CHECK(a_symbol_has_its_size_and_no_more),
        CHECK(a_device_that_is_not_there_is_refused),
        CHECK(a_launch_outside_the_limits_is_an_invalid_configuration),
        CHECK(an_unknown_error_has_a_text));
    cudaDeviceReset();
    return status;
}
