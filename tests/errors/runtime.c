/* runtime.c -- see test_api_errors.c: calls of CUDA's runtime API (cudaError_t). */
#include "errors.h"

#include <stdlib.h>

#include "tests/host/program.h"
#include "tests/lib/check.h"

static const enum cudaMemcpyKind in = cudaMemcpyHostToDevice;

static void rows_of_device(void)
{
    int value;
    size_t size;
    ENDS(cudaSetDevice(7), cudaErrorInvalidDevice);
    ENDS(cudaSetDeviceFlags(0xfff0), cudaErrorInvalidValue);
    ENDS(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 7), cudaErrorInvalidDevice);
    ENDS(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)9999, 0), cudaErrorInvalidValue);
    ENDS(cudaDeviceGetLimit(&size, (enum cudaLimit)99), cudaErrorUnsupportedLimit);
    ENDS(cudaDeviceSetLimit((enum cudaLimit)99, 1), cudaErrorUnsupportedLimit);
    ENDS(cudaThreadSetLimit((enum cudaLimit)99, 1), cudaErrorUnsupportedLimit);
    ENDS(cudaDeviceCanAccessPeer(&value, 0, 9), cudaErrorInvalidDevice);
    ENDS(cudaDeviceDisablePeerAccess(0), cudaErrorPeerAccessNotEnabled);
}

static void rows_of_memory(uint32_t *device)
{
    uint32_t host[4];
    void *p;
    ENDS(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
    ENDS(cudaMalloc(&p, (size_t)1 << 40), cudaErrorMemoryAllocation);
    ENDS(cudaMallocManaged(NULL, 4, cudaMemAttachGlobal), cudaErrorInvalidValue);
    ENDS(cudaMallocManaged(&p, 0, cudaMemAttachGlobal), cudaErrorInvalidValue);
    ENDS(cudaMallocManaged(&p, 4, 0), cudaErrorInvalidValue);
    ENDS(cudaMallocManaged(&p, (size_t)1 << 40, cudaMemAttachGlobal), cudaErrorMemoryAllocation);
    ENDS(cudaMemPrefetchAsync(device, 4, 0, NULL), cudaErrorInvalidValue);
    ENDS(cudaMemAdvise(host, 4, cudaMemAdviseSetReadMostly, 0), cudaErrorInvalidValue);
    ENDS(cudaStreamAttachMemAsync(NULL, host, 0, cudaMemAttachSingle), cudaErrorInvalidValue);
    ENDS(cudaMemcpy(device, host, 4, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    ENDS(cudaMemcpy2D(device, 4, host, 16, 8, 2, in), cudaErrorInvalidPitchValue);
    ENDS(cudaMemcpyFromSymbol(host, host, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidSymbol);
    ENDS(cudaFree(host), cudaErrorInvalidDevicePointer);
    ENDS(cudaFreeHost(host), cudaErrorInvalidValue);
    ENDS(cudaHostUnregister(host), cudaErrorHostMemoryNotRegistered);
}

static void rows_of_textures(uint32_t *device)
{
    unsigned long long object;
    size_t offset;
    static const struct textureReference none;
    const struct cudaChannelFormatDesc words = {32, 0, 0, 0, cudaChannelFormatKindUnsigned};
    struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear};
    struct cudaTextureDesc texture = {.readMode = cudaReadModeElementType};
    cudaArray_t array;
    resource.res.linear.devPtr = device;
    resource.res.linear.desc = words;
    resource.res.linear.sizeInBytes = 64;
    ENDS(cudaBindTexture(&offset, &none, device, &words, 64), cudaErrorInvalidTexture);
    ENDS(cudaBindTexture2D(&offset, &none, device, &words, 4, 4, 16), cudaErrorInvalidTexture);
    ENDS(cudaBindTextureToArray(&none, NULL, &words), cudaErrorInvalidValue);
    ENDS(cudaUnbindTexture(&none), cudaErrorInvalidTexture);
    ENDS(cudaGetTextureAlignmentOffset(&offset, &none), cudaErrorInvalidTexture);
    ENDS(cudaCreateTextureObject(NULL, &resource, &texture, NULL), cudaErrorInvalidValue);
    ENDS(cudaCreateTextureObject(&object, NULL, &texture, NULL), cudaErrorInvalidValue);
    ENDS(cudaDestroyTextureObject(77), cudaErrorInvalidValue);
    ENDS(cudaGetTextureObjectResourceDesc(&resource, 77), cudaErrorInvalidValue);
    ENDS(cudaGetTextureObjectTextureDesc(&texture, 77), cudaErrorInvalidValue);
    ENDS(cudaMallocArray(&array, &(struct cudaChannelFormatDesc){7, 0, 0, 0, 1}, 4, 4, 0),
         cudaErrorInvalidValue);
}

static void rows_of_launches(uint32_t *device)
{
    struct cudaFuncAttributes a;
    void *arguments[] = {&device, &(uint32_t){1}};
    int local;
    ENDS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, &stub_add, 32, 0),
         cudaErrorInvalidValue);
    ENDS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&local, &local, 32, 0),
         cudaErrorInvalidDeviceFunction);
    ENDS(cudaStreamAddCallback(NULL, NULL, NULL, 0), cudaErrorInvalidValue);
    ENDS(cudaLaunchHostFunc((cudaStream_t)&local, free, NULL), cudaErrorInvalidResourceHandle);
    ENDS(cudaLaunch(&stub_add), cudaErrorMissingConfiguration);
    ENDS(cudaSetupArgument(&local, 4, 0), cudaErrorMissingConfiguration);
    ENDS(cudaLaunchKernel(&local, one, warp, arguments, 0, NULL), cudaErrorInvalidDeviceFunction);
    ENDS(cudaLaunchKernel(&stub_gone, one, warp, arguments, 0, NULL),
         cudaErrorInvalidDeviceFunction);
    ENDS(cudaLaunchKernel(&stub_add, one, (dim3){1024, 1, 1}, arguments, 0, NULL),
         cudaErrorInvalidConfiguration);
    ENDS(cudaLaunchKernel(&stub_many, one, (dim3){512, 1, 1}, arguments, 0, NULL),
         cudaErrorLaunchOutOfResources);
    ENDS(cudaFuncGetAttributes(&a, &local), cudaErrorInvalidDeviceFunction);
    ENDS(cudaFuncSetCacheConfig(&local, cudaFuncCachePreferL1), cudaErrorInvalidDeviceFunction);
    ENDS(cudaFuncSetSharedMemConfig(&local, cudaSharedMemBankSizeDefault),
         cudaErrorInvalidDeviceFunction);
    ENDS(cudaStreamDestroy((cudaStream_t)&local), cudaErrorInvalidResourceHandle);
    ENDS(cudaEventDestroy((cudaEvent_t)&local), cudaErrorInvalidResourceHandle);
}

void errors_of_runtime(void)
{
    uint32_t *device;
    register_program();
    OK(cudaMalloc((void **)&device, 256));
    rows_of_device();
    rows_of_memory(device);
    rows_of_textures(device);
    rows_of_launches(device);
    cudaGetLastError();
    OK(add(one, warp, 0, device, 1));
    OK(cudaDeviceSynchronize());
    OK(cudaDeviceReset());
}
