/* refused.c -- what this machine or this library has not: refused, and told why. */
#include "internal.h"

static cudaError_t refuse(const char *call, const char *why)
{
    struct cudart *rt = cudart_enter(call);
    return cudart_leave(rt, cudart_refuse(rt, cudaErrorNotSupported, "%s", why));
}

static const char no_volumes[] =
    "memory and copies of three dimensions are not supported; use cudaMalloc and cudaMemcpy";

cudaError_t cudaHostGetDevicePointer(void **to, void *from, unsigned flags)
{
    (void)from, (void)flags;
    if (to)
        *to = NULL;
    return refuse("cudaHostGetDevicePointer",
                  "the device cannot access memory of the host; use cudaMalloc and cudaMemcpy");
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
    if (to)
        *to = NULL;
    return refuse("cudaMalloc3DArray", no_volumes);
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
