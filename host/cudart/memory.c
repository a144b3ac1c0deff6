/* memory.c -- memory: calls that give, copy and fill it; symbols. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- buffers ---- */

cudaError_t cudaMalloc(void **to, size_t size)
{
    struct cudart *rt = cudart_enter_device("cudaMalloc");
    if (rt->dead)
        return cudart_leave(rt, rt->dead);
    if (!to)
        return cudart_leave(rt, cudaErrorInvalidValue);
    *to = NULL;
    int buffer = size ? host_allocate(&rt->d, size) : -1;
    if (buffer >= 0)
        *to = (void *)(uintptr_t)rt->d.job.buffer[buffer].addr;
    return cudart_leave(rt, buffer >= 0 || !size ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaMallocPitch(void **to, size_t *pitch, size_t width, size_t height)
{
    if (!pitch || width > HOST_DEVICE_BYTES || height > HOST_DEVICE_BYTES)
        return cudart_leave(cudart_enter("cudaMallocPitch"),
                            pitch ? cudaErrorMemoryAllocation : cudaErrorInvalidValue);
    *pitch = (width + 255) & ~(size_t)255;
    return cudaMalloc(to, *pitch * height);
}

cudaError_t cudaFree(void *at)
{
    struct cudart *rt = cudart_enter_device("cudaFree");
    if (rt->dead || !at)
        return cudart_leave(rt, rt->dead);
    cudart_bring_managed(rt);
    if (host_give_back(&rt->d, at))
        return cudart_leave(rt, cudart_refuse(rt, cudaErrorInvalidDevicePointer,
                                              "%p is not from cudaMalloc, or freed already", at));
    cudart_free_managed(rt, at);
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *left, size_t *total)
{
    struct cudart *rt = cudart_enter_device("cudaMemGetInfo");
    if (left)
        *left = HOST_DEVICE_BYTES - rt->d.used;
    if (total)
        *total = HOST_DEVICE_BYTES;
    return cudart_leave(rt, rt->dead);
}

/* ---- memory of the host ---- */

/* Pages that are locked cannot be more than there are. */
static size_t memory_of_host(void)
{
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

cudaError_t cudaMallocHost(void **to, size_t size)
{
    struct cudart *rt = cudart_enter("cudaMallocHost");
    if (!to)
        return cudart_leave(rt, cudaErrorInvalidValue);
    *to = size <= memory_of_host() ? calloc(1, size ? size : 1) : NULL;
    if (!*to)
        return cudart_leave(rt, cudaErrorMemoryAllocation);
    host_hold(&rt->held, HOLDS_HOST_MEMORY, *to);
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaHostAlloc(void **to, size_t size, unsigned flags)
{
    if (flags & cudaHostAllocMapped) {
        struct cudart *rt = cudart_enter("cudaHostAlloc");
        return cudart_leave(
            rt,
            cudart_refuse(rt, cudaErrorNotSupported,
                          "the device cannot access memory of the host; copy it with cudaMemcpy"));
    }
    return cudaMallocHost(to, size);
}

cudaError_t cudaFreeHost(void *at)
{
    struct cudart *rt = cudart_enter("cudaFreeHost");
    if (!at || cudart_drop(rt, HOLDS_HOST_MEMORY, at))
        return cudart_leave(rt, cudaSuccess);
    return cudart_leave(rt, cudart_refuse(rt, cudaErrorInvalidValue,
                                          "%p is not from cudaMallocHost, or freed already", at));
}

cudaError_t cudaHostRegister(void *at, size_t size, unsigned flags)
{
    struct cudart *rt = cudart_enter("cudaHostRegister");
    if (!at || !size)
        return cudart_leave(rt, cudaErrorInvalidValue);
    if (flags & cudaHostRegisterMapped)
        return cudart_leave(
            rt,
            cudart_refuse(rt, cudaErrorNotSupported,
                          "the device cannot access memory of the host; copy it with cudaMemcpy"));
    if (host_holds(&rt->held, HOLDS_REGISTERED, at))
        return cudart_leave(rt, cudaErrorHostMemoryAlreadyRegistered);
    host_hold(&rt->held, HOLDS_REGISTERED, at);
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaHostUnregister(void *at)
{
    struct cudart *rt = cudart_enter("cudaHostUnregister");
    return cudart_leave(rt, !at ? cudaErrorInvalidValue
                            : cudart_drop(rt, HOLDS_REGISTERED, at)
                                ? cudaSuccess
                                : cudaErrorHostMemoryNotRegistered);
}

/* ---- copies ---- */

static cudaError_t check_stream(const char *call, cudaStream_t stream)
{
    struct cudart *rt = cudart_enter_device(call);
    return cudart_leave(rt, rt->dead ? rt->dead : cudart_check_stream(rt, stream));
}

static cudaError_t copy(const char *call, struct host_block to, struct host_block from,
                        size_t width, size_t rows, enum cudaMemcpyKind kind)
{
    struct cudart *rt = cudart_enter_device(call);
    bool in = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
         out = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (rt->dead)
        return cudart_leave(rt, rt->dead);
    if ((unsigned)kind > cudaMemcpyDefault)
        return cudart_leave(rt, cudart_refuse(rt, cudaErrorInvalidMemcpyDirection,
                                              "%d is not a direction; pass a cudaMemcpyKind",
                                              (int)kind));
    if (width == 0 || rows == 0)
        return cudart_leave(rt, cudaSuccess);
    if (rows > 1 && (to.pitch > INT32_MAX || from.pitch > INT32_MAX))
        return cudart_leave(
            rt,
            cudart_refuse(rt, cudaErrorInvalidPitchValue,
                          "the pitch of a copy is at most %d bytes; copy row by row", INT32_MAX));
    if (to.pitch < width || from.pitch < width)
        return cudart_leave(
            rt,
            cudart_refuse(
                rt, cudaErrorInvalidPitchValue,
                "the pitch is smaller than the %zu bytes of a row; correct the pitch or the width",
                width));
    cudart_bring_managed(rt);
    cudart_send_managed(rt);
    if (kind == cudaMemcpyDefault || cudart_is_managed(rt, to.at))
        in = host_buffer(&rt->d, to.at, 0) >= 0;
    if (kind == cudaMemcpyDefault || cudart_is_managed(rt, from.at))
        out = host_buffer(&rt->d, from.at, 0) >= 0;
    enum host_error error = host_find_block(&rt->d, &to, in, width, rows);
    if (!error)
        error = host_find_block(&rt->d, &from, out, width, rows);
    error = error ? error : host_copy(&rt->d, &to, &from, width, rows);
    if (cudart_is_managed(rt, to.at))
        cudart_close_managed(rt);
    cudart_bring_managed(rt);
    return cudart_leave(rt, cudart_error(error));
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
{
    return copy("cudaMemcpy", (struct host_block){.at = to, .pitch = size},
                (struct host_block){.at = from, .pitch = size}, size, 1, kind);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    cudaError_t error = check_stream("cudaMemcpyAsync", stream);
    return error ? error : cudaMemcpy(to, from, size, kind);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size)
{
    if (to_device || from_device)
        return cudart_leave(cudart_enter("cudaMemcpyPeer"), cudaErrorInvalidDevice);
    return cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return copy("cudaMemcpy2D", (struct host_block){.at = to, .pitch = to_pitch},
                (struct host_block){.at = from, .pitch = from_pitch}, width, height, kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    cudaError_t error = check_stream("cudaMemcpy2DAsync", stream);
    return error ? error : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

/* ---- fills ---- */

cudaError_t cudaMemset2D(void *at, size_t pitch, int value, size_t width, size_t height)
{
    struct cudart *rt = cudart_enter_device("cudaMemset");
    struct host_block b = {.at = at, .pitch = pitch};
    if (rt->dead || width == 0 || height == 0)
        return cudart_leave(rt, rt->dead);
    if (height > 1 && pitch < width)
        return cudart_leave(
            rt,
            cudart_refuse(
                rt, cudaErrorInvalidValue,
                "the pitch is smaller than the %zu bytes of a row; correct the pitch or the width",
                width));
    enum host_error error = host_find_block(&rt->d, &b, true, width, height);
    cudart_bring_managed(rt);
    cudart_send_managed(rt);
    if (cudart_is_managed(rt, at))
        cudart_close_managed(rt);
    if (!error)
        host_fill(&rt->d, &b, (uint8_t)value * 0x01010101u, width, height);
    return cudart_leave(rt, cudart_error(error));
}

cudaError_t cudaMemset(void *at, int value, size_t size)
{
    return cudaMemset2D(at, size, value, size, 1);
}

cudaError_t cudaMemsetAsync(void *at, int value, size_t size, cudaStream_t stream)
{
    cudaError_t error = check_stream("cudaMemsetAsync", stream);
    return error ? error : cudaMemset(at, value, size);
}

/* ---- symbols ---- */

static cudaError_t find_symbol(const struct cudart *rt, const void *symbol, struct host_place *out)
{
    const struct symbol *s = NULL;
    for (int i = 0; i < rt->nsymbols && !s; i++)
        if (rt->symbol[i].shadow == symbol)
            s = &rt->symbol[i];
    for (int i = 0; i < rt->nsymbols && !s && symbol; i++) /* programs of CUDA 4 give the name */
        if (strcmp(rt->symbol[i].name, symbol) == 0)
            s = &rt->symbol[i];
    const int module = s ? rt->image[s->image].module : -1;
    if (s && ((s->own && host_find_variable(&rt->d, module, s->own, out)) ||
              host_find_variable(&rt->d, module, s->name, out)))
        return cudaSuccess;
    return cudart_refuse(
        rt, cudaErrorInvalidSymbol,
        s && strstr(s->name, "_GLOBAL__N_1")
            ? "no kernel uses '%s', or clang hides it, as it does with variables of a "
              "namespace without a name; make it static"
        : s ? "no kernel uses '%s'"
            : "the symbol is not a variable of the device; pass a __device__ or "
              "__constant__ variable",
        s ? s->name : "");
}

cudaError_t cudaGetSymbolAddress(void **to, const void *symbol)
{
    struct cudart *rt = cudart_enter_device("cudaGetSymbolAddress");
    struct host_place p;
    cudaError_t error = rt->dead ? rt->dead : find_symbol(rt, symbol, &p);
    if (!error && !to)
        error = cudaErrorInvalidValue;
    if (!error && p.buffer < 0)
        error = cudart_refuse(
            rt, cudaErrorNotSupported,
            "a variable in constant memory has no address; write it with cudaMemcpyToSymbol");
    if (!error)
        *to = (void *)(uintptr_t)rt->d.job.buffer[p.buffer].addr;
    return cudart_leave(rt, error);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    struct cudart *rt = cudart_enter_device("cudaGetSymbolSize");
    struct host_place p;
    cudaError_t error = rt->dead ? rt->dead : find_symbol(rt, symbol, &p);
    if (!error && !size)
        error = cudaErrorInvalidValue;
    if (!error)
        *size = p.size;
    return cudart_leave(rt, error);
}

/* Between the variable and the other end, which is of the host or of the device. */
static cudaError_t copy_symbol(struct cudart *rt, const void *symbol, const void *other,
                               size_t size, size_t offset, bool in, enum cudaMemcpyKind kind)
{
    bool device = kind == cudaMemcpyDeviceToDevice ||
                  (kind == cudaMemcpyDefault && host_buffer(&rt->d, other, 0) >= 0);
    struct host_place p;
    struct host_block end = {.at = other, .pitch = size};
    cudart_bring_managed(rt);
    cudart_send_managed(rt);
    cudaError_t error = rt->dead ? rt->dead : find_symbol(rt, symbol, &p);
    if (!error && !device && kind != cudaMemcpyDefault &&
        kind != (in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost))
        error = cudart_refuse(rt, cudaErrorInvalidMemcpyDirection,
                              "%d is not a direction of this call; pass another cudaMemcpyKind",
                              (int)kind);
    if (error || size == 0)
        return error;
    if (offset > p.size || size > p.size - offset)
        return cudart_refuse(rt, cudaErrorInvalidValue, "%zu bytes from %zu: the variable has %u",
                             size, offset, p.size);
    if ((error = cudart_error(host_find_block(&rt->d, &end, device, size, 1))))
        return error;
    if (p.buffer >= 0) {
        struct host_block v = {(const void *)(uintptr_t)(rt->d.job.buffer[p.buffer].addr + offset),
                               size, p.buffer};
        return cudart_error(in ? host_copy(&rt->d, &v, &end, size, 1)
                               : host_copy(&rt->d, &end, &v, size, 1));
    }
    if (!in || device)
        return cudart_refuse(rt, cudaErrorNotSupported,
                             "constant memory can only be written, from the host");
    host_write_constant(&rt->d, p.module, p.offset + (uint32_t)offset, other, (uint32_t)size);
    return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset,
                               enum cudaMemcpyKind kind)
{
    struct cudart *rt = cudart_enter_device("cudaMemcpyToSymbol");
    return cudart_leave(rt, copy_symbol(rt, symbol, from, size, offset, true, kind));
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    struct cudart *rt = cudart_enter_device("cudaMemcpyFromSymbol");
    return cudart_leave(rt, copy_symbol(rt, symbol, to, size, offset, false, kind));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t error = check_stream("cudaMemcpyToSymbolAsync", stream);
    return error ? error : cudaMemcpyToSymbol(symbol, from, size, offset, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    cudaError_t error = check_stream("cudaMemcpyFromSymbolAsync", stream);
    return error ? error : cudaMemcpyFromSymbol(to, symbol, size, offset, kind);
}
