/* old.c -- the forms of CUDA 2 and 3.0 of calls that have another one since: addresses and sizes have 32 bits. The library has them under
 * the plain names, for programs that were compiled with headers of that time; cuda.h gives the later form, NAME_v2.
 */
#include "internal.h"

/* Without the macro, the plain name. */
#undef cuDeviceTotalMem
#undef cuCtxCreate
#undef cuCtxDestroy
#undef cuCtxPushCurrent
#undef cuCtxPopCurrent
#undef cuModuleGetGlobal
#undef cuMemGetInfo
#undef cuMemAlloc
#undef cuMemAllocPitch
#undef cuMemFree
#undef cuMemGetAddressRange
#undef cuMemAllocHost
#undef cuMemcpyHtoD
#undef cuMemcpyDtoH
#undef cuMemcpyDtoD
#undef cuMemcpyHtoDAsync
#undef cuMemcpyDtoHAsync
#undef cuMemcpyDtoDAsync
#undef cuMemcpy2D
#undef cuMemsetD8
#undef cuMemsetD16
#undef cuMemsetD32
#undef cuMemsetD2D8
#undef cuMemsetD2D16
#undef cuMemsetD2D32
#undef cuTexRefSetAddress
#undef cuTexRefSetAddress2D
#undef cuStreamDestroy
#undef cuEventDestroy

#define EXPORTED __attribute__((visibility("default")))

typedef unsigned old_pointer; /* CUdeviceptr then */
struct old_descriptor {       /* CUDA_ARRAY_DESCRIPTOR then */
    unsigned width, height;
    CUarray_format format;
    unsigned channels;
};

/* A form with the same types. */
#define SAME(name, taken, given)                                                                   \
    EXPORTED CUresult name taken;                                                                  \
    CUresult name taken                                                                            \
    {                                                                                              \
        return name##_v2 given;                                                                    \
    }

SAME(cuCtxCreate, (CUcontext * out, unsigned flags, CUdevice device), (out, flags, device))
SAME(cuCtxDestroy, (CUcontext c), (c))
SAME(cuCtxPushCurrent, (CUcontext c), (c))
SAME(cuCtxPopCurrent, (CUcontext * out), (out))
SAME(cuStreamDestroy, (CUstream stream), (stream))
SAME(cuEventDestroy, (CUevent event), (event))
SAME(cuMemAllocHost, (void **at, unsigned n), (at, n))
SAME(cuMemFree, (old_pointer at), (at))
SAME(cuMemcpyHtoD, (old_pointer to, const void *from, unsigned n), (to, from, n))
SAME(cuMemcpyDtoH, (void *to, old_pointer from, unsigned n), (to, from, n))
SAME(cuMemcpyDtoD, (old_pointer to, old_pointer from, unsigned n), (to, from, n))
SAME(cuMemcpyHtoDAsync, (old_pointer to, const void *from, unsigned n, CUstream s),
     (to, from, n, s))
SAME(cuMemcpyDtoHAsync, (void *to, old_pointer from, unsigned n, CUstream s), (to, from, n, s))
SAME(cuMemcpyDtoDAsync, (old_pointer to, old_pointer from, unsigned n, CUstream s),
     (to, from, n, s))
SAME(cuMemsetD8, (old_pointer at, unsigned char v, unsigned n), (at, v, n))
SAME(cuMemsetD16, (old_pointer at, unsigned short v, unsigned n), (at, v, n))
SAME(cuMemsetD32, (old_pointer at, unsigned v, unsigned n), (at, v, n))
SAME(cuMemsetD2D8, (old_pointer at, unsigned pitch, unsigned char v, unsigned w, unsigned h),
     (at, pitch, v, w, h))
SAME(cuMemsetD2D16, (old_pointer at, unsigned pitch, unsigned short v, unsigned w, unsigned h),
     (at, pitch, v, w, h))
SAME(cuMemsetD2D32, (old_pointer at, unsigned pitch, unsigned v, unsigned w, unsigned h),
     (at, pitch, v, w, h))

/* The answers of the later form, where the program has a place for them. */
static CUresult narrow(CUresult error, CUdeviceptr at, old_pointer *to, size_t size,
                       unsigned *bytes)
{
    if (!error && to)
        *to = (old_pointer)at;
    if (!error && bytes)
        *bytes = (unsigned)size;
    return error;
}

EXPORTED CUresult cuDeviceTotalMem(unsigned *bytes, CUdevice device);
CUresult cuDeviceTotalMem(unsigned *bytes, CUdevice device)
{
    size_t n = 0;
    CUresult error = cuDeviceTotalMem_v2(bytes ? &n : NULL, device);
    return narrow(error, 0, NULL, n, bytes);
}

EXPORTED CUresult cuMemGetInfo(unsigned *left, unsigned *total);
CUresult cuMemGetInfo(unsigned *left, unsigned *total)
{
    size_t a = 0, b = 0;
    CUresult error = cuMemGetInfo_v2(&a, &b);
    return narrow(error, a, left, b, total);
}

EXPORTED CUresult cuMemAlloc(old_pointer *at, unsigned n);
CUresult cuMemAlloc(old_pointer *at, unsigned n)
{
    CUdeviceptr p = 0;
    CUresult error = cuMemAlloc_v2(at ? &p : NULL, n);
    return narrow(error, p, at, 0, NULL);
}

EXPORTED CUresult cuMemAllocPitch(old_pointer *at, unsigned *pitch, unsigned width, unsigned height,
                                  unsigned element);
CUresult cuMemAllocPitch(old_pointer *at, unsigned *pitch, unsigned width, unsigned height,
                         unsigned element)
{
    CUdeviceptr p = 0;
    size_t n = 0;
    CUresult error = cuMemAllocPitch_v2(at ? &p : NULL, pitch ? &n : NULL, width, height, element);
    return narrow(error, p, at, n, pitch);
}

EXPORTED CUresult cuMemGetAddressRange(old_pointer *base, unsigned *bytes, old_pointer at);
CUresult cuMemGetAddressRange(old_pointer *base, unsigned *bytes, old_pointer at)
{
    CUdeviceptr p = 0;
    size_t n = 0;
    CUresult error = cuMemGetAddressRange_v2(&p, &n, at);
    return narrow(error, p, base, n, bytes);
}

EXPORTED CUresult cuTexRefSetAddress(unsigned *offset, CUtexref r, old_pointer at, unsigned n);
CUresult cuTexRefSetAddress(unsigned *offset, CUtexref r, old_pointer at, unsigned n)
{
    size_t zero = 0;
    CUresult error = cuTexRefSetAddress_v2(&zero, r, at, n);
    return narrow(error, 0, NULL, zero, offset);
}

EXPORTED CUresult cuTexRefSetAddress2D(CUtexref r, const struct old_descriptor *o, old_pointer at,
                                       unsigned pitch);
CUresult cuTexRefSetAddress2D(CUtexref r, const struct old_descriptor *o, old_pointer at,
                              unsigned pitch)
{
    if (!o)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY_DESCRIPTOR size = {o->width, o->height, o->format, o->channels};
    return cuTexRefSetAddress2D_v3(r, &size, at, pitch);
}

/* An address of constant memory does not fit into 32 bits. */
EXPORTED CUresult cuModuleGetGlobal(old_pointer *at, unsigned *bytes, CUmodule module,
                                    const char *name);
CUresult cuModuleGetGlobal(old_pointer *at, unsigned *bytes, CUmodule module, const char *name)
{
    CUdeviceptr p = 0;
    size_t n = 0;
    CUresult error = cuModuleGetGlobal_v2(&p, &n, module, name);
    if (!error && at && p > UINT32_MAX) {
        struct driver *dr = driver_enter("cuModuleGetGlobal");
        error = driver_refuse(dr, CUDA_ERROR_NOT_SUPPORTED,
                              "constant memory has addresses of 64 bits; compile the program with "
                              "the cuda.h of this library");
        driver_leave(dr, error);
    }
    return narrow(error, p, at, n, bytes);
}
