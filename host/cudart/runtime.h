/* clang-format off */
/* runtime.h -- the calls of CUDA's runtime library that ours has, in C and C++. Programs are compiled with it (smcc --exe),
 * and so is the library itself.
 *
 * A device pointer is the place in g14[], below 4 GiB. Launches are over when they return, as under CUDA_LAUNCH_BLOCKING=1.
 */
#ifndef CUDART_RUNTIME_H
#define CUDART_RUNTIME_H

#ifdef __cplusplus
#define CUDA_OR(value) = value /* of an argument that may be missing */
extern "C" {
#else
#include <stddef.h>
#define CUDA_OR(value)
typedef struct { unsigned x, y, z; } dim3;
#endif

/* The names of CUDA's own headers, which helper_cuda.h asks for. */
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#ifdef CUDART_LIBRARY
#pragma GCC visibility push(default)
#endif

#include "types.h"

/* ---- memory ---- */
cudaError_t cudaMalloc(void **to, size_t size);
cudaError_t cudaMallocPitch(void **to, size_t *pitch, size_t width, size_t height);
cudaError_t cudaFree(void *at);
cudaError_t cudaMallocHost(void **to, size_t size);
cudaError_t cudaHostAlloc(void **to, size_t size, unsigned flags);
cudaError_t cudaFreeHost(void *at);
cudaError_t cudaHostRegister(void *at, size_t size, unsigned flags);
cudaError_t cudaHostUnregister(void *at);
cudaError_t cudaMallocManaged(void **to, size_t size, unsigned flags CUDA_OR(cudaMemAttachGlobal));
cudaError_t cudaMemPrefetchAsync(const void *at, size_t size, int device, cudaStream_t stream CUDA_OR(0));
cudaError_t cudaMemAdvise(const void *at, size_t size, enum cudaMemoryAdvise advice, int device);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *at, size_t size CUDA_OR(0), unsigned flags CUDA_OR(cudaMemAttachSingle));
cudaError_t cudaMemGetInfo(size_t *left, size_t *total);
cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind, cudaStream_t stream CUDA_OR(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
                              enum cudaMemcpyKind kind, cudaStream_t stream CUDA_OR(0));
cudaError_t cudaMemset(void *at, int value, size_t size);
cudaError_t cudaMemsetAsync(void *at, int value, size_t size, cudaStream_t stream CUDA_OR(0));
cudaError_t cudaMemset2D(void *at, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset CUDA_OR(0),
                               enum cudaMemcpyKind kind CUDA_OR(cudaMemcpyHostToDevice));
cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset CUDA_OR(0),
                                 enum cudaMemcpyKind kind CUDA_OR(cudaMemcpyDeviceToHost));
cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset, enum cudaMemcpyKind kind,
                                    cudaStream_t stream CUDA_OR(0));
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset, enum cudaMemcpyKind kind,
                                      cudaStream_t stream CUDA_OR(0));
cudaError_t cudaGetSymbolAddress(void **to, const void *symbol);
cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol);

/* ---- arrays and textures; rows of an array lie side by side ---- */
cudaError_t cudaMallocArray(cudaArray_t *to, const struct cudaChannelFormatDesc *format, size_t width, size_t height CUDA_OR(0),
                            unsigned flags CUDA_OR(0));
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *out, const struct cudaArray *array);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *to, const struct cudaArray *from, size_t x, size_t y, size_t size, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width, size_t height,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, const struct cudaArray *from, size_t x, size_t y, size_t width,
                                  size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, const struct cudaArray *from, size_t x, size_t y,
                                   size_t size, enum cudaMemcpyKind kind CUDA_OR(cudaMemcpyDeviceToDevice));
cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference, const void *at,
                            const struct cudaChannelFormatDesc *format, size_t size CUDA_OR(0xffffffff));
cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference, const void *at,
                              const struct cudaChannelFormatDesc *format, size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference *reference, const struct cudaArray *array,
                                   const struct cudaChannelFormatDesc *format);
cudaError_t cudaUnbindTexture(const struct textureReference *reference);
cudaError_t cudaGetTextureReference(const struct textureReference **out, const void *symbol);
cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference);

cudaError_t cudaCreateTextureObject(unsigned long long *object, const struct cudaResourceDesc *resource, const struct cudaTextureDesc *texture,
                                    const struct cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(unsigned long long object);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out, unsigned long long object);
cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out, unsigned long long object);

/* ---- launches ---- */
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared CUDA_OR(0), cudaStream_t stream CUDA_OR(0));
cudaError_t cudaSetupArgument(const void *argument, size_t size, size_t offset);
cudaError_t cudaLaunch(const void *kernel);
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared CUDA_OR(0), struct cudaStream *stream CUDA_OR(0));
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *kernel);
cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache config);
/* Blocks that an SM runs at a time. */
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int threads, size_t shared);
cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig config);

/* ---- devices ---- */
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int device);
cudaError_t cudaDeviceGetAttribute(int *out, enum cudaDeviceAttr attribute, int device);
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaSetValidDevices(int *devices, int count);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);

/* ---- streams, which work in order; events ---- */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data, unsigned flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags CUDA_OR(0));
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream CUDA_OR(0));
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end);
cudaError_t cudaEventDestroy(cudaEvent_t event);

/* ---- errors ---- */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t error);
const char *cudaGetErrorName(cudaError_t error);

/* ---- what is refused, with a message: cudaErrorNotSupported ---- */
cudaError_t cudaHostGetDevicePointer(void **to, void *from, unsigned flags);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr *to, struct cudaExtent extent);
cudaError_t cudaMalloc3DArray(cudaArray_t *to, const struct cudaChannelFormatDesc *format, struct cudaExtent extent,
                              unsigned flags CUDA_OR(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream CUDA_OR(0));
cudaError_t cudaMemset3D(struct cudaPitchedPtr at, int value, struct cudaExtent extent);
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size);

#ifdef __cplusplus
}
cudaError_t inline cudaEventCreate(cudaEvent_t *event) { return cudaEventCreateWithFlags(event, 0); }
cudaError_t inline cudaEventCreate(cudaEvent_t *event, unsigned flags) { return cudaEventCreateWithFlags(event, flags); }
template <class T> cudaError_t cudaMalloc(T **to, size_t size) { return cudaMalloc((void **)to, size); }
template <class T> cudaError_t cudaMallocPitch(T **to, size_t *pitch, size_t width, size_t height)
{
    return cudaMallocPitch((void **)to, pitch, width, height);
}
template <class T> cudaError_t cudaMallocHost(T **to, size_t size, unsigned = 0) { return cudaMallocHost((void **)to, size); }
template <class T> cudaError_t cudaHostAlloc(T **to, size_t size, unsigned flags)
{
    return cudaHostAlloc((void **)to, size, flags);
}
template <class T> cudaError_t cudaHostGetDevicePointer(T **to, void *from, unsigned flags)
{
    return cudaHostGetDevicePointer((void **)to, from, flags);
}
template <class T> cudaError_t cudaMallocManaged(T **to, size_t size, unsigned flags = cudaMemAttachGlobal)
{
    return cudaMallocManaged((void **)to, size, flags);
}
/* A symbol is a variable, or its name. */
template <class T> cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size, size_t offset = 0,
                                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpyToSymbol((const void *)&symbol, from, size, offset, kind);
}
template <class T> cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpyFromSymbol(to, (const void *)&symbol, size, offset, kind);
}
template <class T> cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size, size_t offset,
                                                       cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return cudaMemcpyToSymbolAsync((const void *)&symbol, from, size, offset, kind, stream);
}
template <class T> cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size, size_t offset,
                                                         cudaMemcpyKind kind, cudaStream_t stream = 0)
{
    return cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, size, offset, kind, stream);
}
template <class T> cudaError_t cudaGetSymbolAddress(void **to, const T &symbol)
{
    return cudaGetSymbolAddress(to, (const void *)&symbol);
}
template <class T> cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol)
{
    return cudaGetSymbolSize(size, (const void *)&symbol);
}
template <class T> cudaError_t cudaSetupArgument(T argument, size_t offset)
{
    return cudaSetupArgument((const void *)&argument, sizeof argument, offset);
}
template <class T> cudaError_t cudaLaunch(T *kernel) { return cudaLaunch((const void *)kernel); }
template <class T>
cudaError_t cudaLaunchKernel(T *kernel, dim3 grid, dim3 block, void **arguments, size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class T> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *out, T *kernel)
{
    return cudaFuncGetAttributes(out, (const void *)kernel);
}
template <class T> cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *kernel, int threads, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)kernel, threads, shared);
}
/* The largest of the blocks with which an SM has the most threads. */
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T *kernel, size_t shared = 0, int limit = 0)
{
    int sms, most, best = 0, blocks;
    cudaFuncAttributes a;
    cudaError_t error = cudaFuncGetAttributes(&a, (const void *)kernel);
    if (error || (error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0)))
        return error;
    most = limit > 0 && limit < a.maxThreadsPerBlock ? limit : a.maxThreadsPerBlock;
    for (int n = most; n > 0; n = (n - 1) / 32 * 32) {
        if ((error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, n, shared)))
            return error;
        if (n * blocks > best) {
            best = n * blocks;
            *block = n;
            *grid = blocks * sms;
        }
    }
    return cudaSuccess;
}
template <class T> cudaError_t cudaFuncSetCacheConfig(T *kernel, cudaFuncCache config)
{
    return cudaFuncSetCacheConfig((const void *)kernel, config);
}
#ifdef __CUDACC__
#define TEXTURE template <class T, int Axes, cudaTextureReadMode Mode>
TEXTURE cudaError_t cudaBindTexture(size_t *offset, const texture<T, Axes, Mode> &t, const void *at, size_t size = 0xffffffff)
{
    return cudaBindTexture(offset, (const textureReference *)&t, at, &t.channelDesc, size);
}
TEXTURE cudaError_t cudaBindTexture(size_t *offset, const texture<T, Axes, Mode> &t, const void *at,
                                    const cudaChannelFormatDesc &format, size_t size = 0xffffffff)
{
    return cudaBindTexture(offset, (const textureReference *)&t, at, &format, size);
}
TEXTURE cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, Axes, Mode> &t, const void *at, size_t width,
                                      size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, (const textureReference *)&t, at, &t.channelDesc, width, height, pitch);
}
TEXTURE cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, Axes, Mode> &t, const void *at,
                                      const cudaChannelFormatDesc &format, size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, (const textureReference *)&t, at, &format, width, height, pitch);
}
TEXTURE cudaError_t cudaBindTextureToArray(const texture<T, Axes, Mode> &t, const cudaArray *array)
{
    return cudaBindTextureToArray((const textureReference *)&t, array, 0);
}
TEXTURE cudaError_t cudaBindTextureToArray(const texture<T, Axes, Mode> &t, const cudaArray *array,
                                           const cudaChannelFormatDesc &format)
{
    return cudaBindTextureToArray((const textureReference *)&t, array, &format);
}
TEXTURE cudaError_t cudaUnbindTexture(const texture<T, Axes, Mode> &t)
{
    return cudaUnbindTexture((const textureReference *)&t);
}
#undef TEXTURE
#endif
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f)
{
    cudaChannelFormatDesc d = {x, y, z, w, f};
    return d;
}
#ifdef __CUDACC__
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc() { return smcc_channels<T>(); }
#endif
inline cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { cudaExtent e = {w, h, d}; return e; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { cudaPos p = {x, y, z}; return p; }
inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t x, size_t y)
{
    cudaPitchedPtr q = {p, pitch, x, y};
    return q;
}
#else
cudaError_t cudaEventCreate(cudaEvent_t *event);
#endif
#ifdef CUDART_LIBRARY
#pragma GCC visibility pop
#endif
#undef CUDA_OR
#endif
