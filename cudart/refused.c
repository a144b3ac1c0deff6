/* refused.c -- what this machine or this library has not: refused, and told why. */
#include "internal.h"

static cudaError_t refuse(const char *call, const char *why)
{
    struct cudart *rt = cudart_enter(call);
    return cudart_leave(rt, cudart_refuse(rt, cudaErrorNotSupported, "%s", why));
}

static const char no_arrays[] =
    "this machine has no arrays and textures; take memory of cudaMalloc";
static const char no_volumes[] =
    "copies and memory have two dimensions at most here; use cudaMemcpy";

cudaError_t cudaHostGetDevicePointer(void **to, void *from, unsigned flags)
{
    (void)from, (void)flags;
    *to = NULL;
    return refuse("cudaHostGetDevicePointer", "the device sees no memory of the host");
}

cudaError_t cudaMallocManaged_refused(void)
{
    return refuse("cudaMallocManaged",
                  "no memory is shared by host and device; use cudaMalloc and cudaMemcpy");
}

cudaError_t cudaTexture_refused(void)
{
    return refuse("cudaBindTexture", no_arrays);
}

cudaError_t cudaMallocArray(cudaArray_t *to, const struct cudaChannelFormatDesc *format,
                            size_t width, size_t height, unsigned flags)
{
    (void)format, (void)width, (void)height, (void)flags;
    *to = NULL;
    return refuse("cudaMallocArray", no_arrays);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    return array ? refuse("cudaFreeArray", no_arrays) : cudaSuccess;
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *to, struct cudaExtent extent)
{
    (void)to, (void)extent;
    return refuse("cudaMalloc3D", no_volumes);
}

cudaError_t cudaMalloc3DArray(cudaArray_t *to, const struct cudaChannelFormatDesc *format,
                              struct cudaExtent extent, unsigned flags)
{
    (void)format, (void)extent, (void)flags;
    *to = NULL;
    return refuse("cudaMalloc3DArray", no_arrays);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy)
{
    (void)copy;
    return refuse("cudaMemcpy3D", no_volumes);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *copy, cudaStream_t stream)
{
    (void)stream;
    return cudaMemcpy3D(copy);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr at, int value, struct cudaExtent extent)
{
    (void)at, (void)value, (void)extent;
    return refuse("cudaMemset3D", no_volumes);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                              enum cudaMemcpyKind kind)
{
    (void)to, (void)x, (void)y, (void)from, (void)size, (void)kind;
    return refuse("cudaMemcpyToArray", no_arrays);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_t from, size_t x, size_t y, size_t size,
                                enum cudaMemcpyKind kind)
{
    (void)to, (void)from, (void)x, (void)y, (void)size, (void)kind;
    return refuse("cudaMemcpyFromArray", no_arrays);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    (void)to, (void)x, (void)y, (void)from, (void)pitch, (void)width, (void)height, (void)kind;
    return refuse("cudaMemcpy2DToArray", no_arrays);
}
