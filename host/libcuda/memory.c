/* memory.c -- memory of the device and of the host: given, copied, filled. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- addresses ---- */

enum {
    CONSTANT_BITS = 40,
    MODULE_BITS = 16
}; /* an address of constant memory has bit 40, its module and its offset */

CUdeviceptr driver_constant(int module, uint32_t offset)
{
    return (CUdeviceptr)1 << CONSTANT_BITS | (CUdeviceptr)module << MODULE_BITS | offset;
}

static bool is_constant(CUdeviceptr at)
{
    return at >> CONSTANT_BITS == 1;
}

static const void *address(CUdeviceptr at)
{
    return (const void *)(uintptr_t)at;
}

/* Whether bytes lie in the constants of a module that is loaded. */
static CUresult check_constant(const struct driver *dr, const struct host_device *d, CUdeviceptr at,
                               size_t size)
{
    const uint32_t module = (uint32_t)(at >> MODULE_BITS) & 0xffffff,
                   offset = (uint32_t)at & 0xffff;
    if (module < (uint32_t)d->nmodules && d->module[module].loaded) {
        const struct cubin_module m = cubin_module(d->job.cubin, (int)module);
        if (offset <= m.const0_size && size <= m.const0_size - offset)
            return CUDA_SUCCESS;
    }
    return driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                         "%zu bytes at 0x%llx are not in the constants of a module", size, at);
}

static CUresult write_constant(const struct driver *dr, struct host_device *d, CUdeviceptr at,
                               const void *from, size_t size)
{
    CUresult error = check_constant(dr, d, at, size);
    if (!error)
        host_write_constant(d, (int)(at >> MODULE_BITS & 0xffffff), (uint32_t)at & 0xffff, from,
                            (uint32_t)size);
    return error;
}

static CUresult only_written(const struct driver *dr)
{
    return driver_refuse(dr, CUDA_ERROR_NOT_SUPPORTED,
                         "constant memory can only be written, from the host and without a pitch");
}

/* ---- of the device ---- */

CUresult cuMemGetInfo(size_t *left, size_t *total)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuMemGetInfo", &d, &error);
    if (!error && left)
        *left = HOST_DEVICE_BYTES - d->used;
    if (!error && total)
        *total = HOST_DEVICE_BYTES;
    return driver_leave(dr, error);
}

static CUresult allocate(const char *call, CUdeviceptr *at, size_t bytes)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context(call, &d, &error);
    if (!error && (!at || !bytes))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "memory has at least one byte, and its address a place");
    int buffer = error ? -1 : host_allocate(d, bytes);
    if (!error && buffer < 0)
        error = CUDA_ERROR_OUT_OF_MEMORY;
    if (!error)
        *at = d->job.buffer[buffer].addr;
    return driver_leave(dr, error);
}

CUresult cuMemAlloc(CUdeviceptr *at, size_t bytes)
{
    return allocate("cuMemAlloc", at, bytes);
}

CUresult cuMemAllocPitch(CUdeviceptr *at, size_t *pitch, size_t width, size_t height,
                         unsigned element)
{
    const bool wrong = !pitch || (element != 4 && element != 8 && element != 16),
               large = width > HOST_DEVICE_BYTES || height > HOST_DEVICE_BYTES;
    const size_t row = (width + 255) & ~(size_t)255;
    CUresult error = allocate("cuMemAllocPitch", wrong ? NULL : at,
                              large ? SIZE_MAX : row * height);
    if (!error)
        *pitch = row;
    return error;
}

CUresult cuMemFree(CUdeviceptr at)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuMemFree", &d, &error);
    if (!error && host_give_back(d, address(at)))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "0x%llx is not from cuMemAlloc, or freed already", at);
    return driver_leave(dr, error);
}

CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr at)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuMemGetAddressRange", &d, &error);
    int buffer = error ? -1 : host_buffer(d, address(at), 0);
    if (!error && buffer < 0)
        error = driver_refuse(dr, CUDA_ERROR_NOT_FOUND,
                              "0x%llx is no memory of the device: cuMemAlloc gives it", at);
    if (!error && base)
        *base = d->job.buffer[buffer].addr;
    if (!error && bytes)
        *bytes = d->given[buffer];
    return driver_leave(dr, error);
}

/* ---- of the host ---- */

/* Pages that are locked cannot be more than there are. */
static size_t memory_of_host(void)
{
    return (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
}

static CUresult allocate_host(const char *call, void **at, size_t bytes, unsigned flags)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context(call, &d, &error);
    if (!error && (!at || !bytes || flags > 7))
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error && flags & CU_MEMHOSTALLOC_DEVICEMAP)
        error = driver_refuse(dr, CUDA_ERROR_NOT_SUPPORTED,
                              "the device cannot access memory of the host; copy it with "
                              "cuMemcpyHtoD");
    if (!error) {
        *at = bytes <= memory_of_host() ? calloc(1, bytes) : NULL;
        if (*at)
            driver_hold(dr, HOLDS_HOST_MEMORY, *at);
        else
            error = CUDA_ERROR_OUT_OF_MEMORY;
    }
    return driver_leave(dr, error);
}

CUresult cuMemAllocHost(void **at, size_t bytes)
{
    return allocate_host("cuMemAllocHost", at, bytes, 0);
}

CUresult cuMemHostAlloc(void **at, size_t bytes, unsigned flags)
{
    return allocate_host("cuMemHostAlloc", at, bytes, flags);
}

CUresult cuMemFreeHost(void *at)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuMemFreeHost", &d, &error);
    if (!error && !host_holds(&dr->held, HOLDS_HOST_MEMORY, at))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "%p is not from cuMemAllocHost, or freed already", at);
    if (!error)
        driver_drop(dr, HOLDS_HOST_MEMORY, at);
    return driver_leave(dr, error);
}

/* ---- copies ---- */

/* One end of a copy. */
struct end {
    bool device;
    const void *host;
    CUdeviceptr at;
    size_t pitch;
};

static struct end on_host(const void *at, size_t pitch)
{
    return (struct end){false, at, 0, pitch};
}

static struct end on_device(CUdeviceptr at, size_t pitch)
{
    return (struct end){true, NULL, at, pitch};
}

static CUresult copy(const char *call, CUstream stream, struct end to, struct end from,
                     size_t width, size_t rows)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context(call, &d, &error);
    struct host_block there = {to.device ? address(to.at) : to.host, to.pitch, -1},
                      here = {from.device ? address(from.at) : from.host, from.pitch, -1};
    if (!error)
        error = driver_check_stream(dr, stream);
    if (error || width == 0 || rows == 0)
        return driver_leave(dr, error);
    if (from.device && is_constant(from.at))
        return driver_leave(dr, only_written(dr));
    if (to.device && is_constant(to.at))
        return driver_leave(dr, rows > 1 || from.device || !from.host
                                    ? only_written(dr)
                                    : write_constant(dr, d, to.at, from.host, width));
    if (rows > 1 &&
        (to.pitch > INT32_MAX || from.pitch > INT32_MAX || to.pitch < width || from.pitch < width))
        return driver_leave(
            dr, driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "a pitch is at least the %zu bytes of a row, and at most %d", width,
                              INT32_MAX));
    enum host_error wrong = host_find_block(d, &there, to.device, width, rows);
    if (!wrong)
        wrong = host_find_block(d, &here, from.device, width, rows);
    if (!wrong)
        wrong = host_copy(d, &there, &here, width, rows);
    return driver_leave(dr, driver_error(wrong));
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t n)
{
    return copy("cuMemcpyHtoD", NULL, on_device(to, n), on_host(from, n), n, 1);
}

CUresult cuMemcpyDtoH(void *to, CUdeviceptr from, size_t n)
{
    return copy("cuMemcpyDtoH", NULL, on_host(to, n), on_device(from, n), n, 1);
}

CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t n)
{
    return copy("cuMemcpyDtoD", NULL, on_device(to, n), on_device(from, n), n, 1);
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t n, CUstream stream)
{
    return copy("cuMemcpyHtoDAsync", stream, on_device(to, n), on_host(from, n), n, 1);
}

CUresult cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t n, CUstream stream)
{
    return copy("cuMemcpyDtoHAsync", stream, on_host(to, n), on_device(from, n), n, 1);
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
    return copy("cuMemcpyDtoDAsync", stream, on_device(to, n), on_device(from, n), n, 1);
}

/* An address of either: memory of the device lies where the host has none. */
static struct end anywhere(CUdeviceptr at, size_t pitch)
{
    CUcontext c = driver_current();
    bool device = is_constant(at) || (c && host_buffer(&c->d, address(at), 0) >= 0);
    return device ? on_device(at, pitch) : on_host(address(at), pitch);
}

/* The ends are looked at under the lock, so that no thread ends the context meanwhile. */
static CUresult copy_anywhere(const char *call, CUstream stream, CUdeviceptr to, CUdeviceptr from,
                              size_t n)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context(call, &d, &error);
    struct end there = {0}, here = {0};
    if (!error) {
        there = anywhere(to, n);
        here = anywhere(from, n);
    }
    driver_leave(dr, error);
    return error ? error : copy(call, stream, there, here, n, 1);
}

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t n)
{
    return copy_anywhere("cuMemcpy", NULL, to, from, n);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream stream)
{
    return copy_anywhere("cuMemcpyAsync", stream, to, from, n);
}

/* False: an array, or no type of memory. */
static bool end_of(CUmemorytype type, const void *host, CUdeviceptr device, size_t x, size_t y,
                   size_t pitch, struct end *out)
{
    if (type == CU_MEMORYTYPE_HOST)
        *out = on_host(host ? (const char *)host + y * pitch + x : NULL, pitch);
    else
        *out = on_device(device + y * pitch + x, pitch);
    return type == CU_MEMORYTYPE_HOST || type == CU_MEMORYTYPE_DEVICE;
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D *c)
{
    struct end to = {0}, from = {0};
    struct driver *dr = driver_enter("cuMemcpy2D");
    CUresult error = CUDA_SUCCESS;
    if (!c)
        error = CUDA_ERROR_INVALID_VALUE;
    else if (!end_of(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstXInBytes, c->dstY,
                     c->dstPitch ? c->dstPitch : c->WidthInBytes, &to) ||
             !end_of(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcXInBytes, c->srcY,
                     c->srcPitch ? c->srcPitch : c->WidthInBytes, &from))
        error = driver_refuse(dr, CUDA_ERROR_NOT_SUPPORTED,
                              "copies are between memory of the host and of the device; arrays and "
                              "unified memory are not supported");
    driver_leave(dr, error);
    return error ? error : copy("cuMemcpy2D", NULL, to, from, c->WidthInBytes, c->Height);
}

/* ---- fills ---- */

/* Of elements of 1, 2 or 4 bytes; `value` has all four. */
static CUresult fill(const char *call, CUstream stream, CUdeviceptr at, size_t pitch,
                     uint32_t value, size_t element, size_t count, size_t rows)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context(call, &d, &error);
    size_t width;
    struct host_block b = {address(at), pitch, -1};
    if (!error)
        error = driver_check_stream(dr, stream);
    if (!error && (__builtin_mul_overflow(count, element, &width) || at % element ||
                   (rows > 1 && (pitch < width || pitch % element))))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "address and pitch are multiples of the %zu bytes of an element, and "
                              "a row fits into the pitch",
                              element);
    if (error || count == 0 || rows == 0)
        return driver_leave(dr, error);
    if (rows == 1)
        b.pitch = width;
    if (is_constant(at) && rows == 1 && width <= JOB_MAX_CONST) {
        uint8_t bytes[JOB_MAX_CONST];
        for (size_t i = 0; i < width; i++)
            bytes[i] = (uint8_t)(value >> 8 * (i % 4));
        return driver_leave(dr, write_constant(dr, d, at, bytes, width));
    }
    if (is_constant(at))
        return driver_leave(dr, only_written(dr));
    enum host_error wrong = host_find_block(d, &b, true, width, rows);
    if (!wrong)
        host_fill(d, &b, value, width, rows);
    return driver_leave(dr, driver_error(wrong));
}

static uint32_t four(unsigned char value)
{
    return value * 0x01010101u;
}

static uint32_t two(unsigned short value)
{
    return value * 0x10001u;
}

CUresult cuMemsetD8(CUdeviceptr at, unsigned char value, size_t count)
{
    return fill("cuMemsetD8", NULL, at, 0, four(value), 1, count, 1);
}

CUresult cuMemsetD16(CUdeviceptr at, unsigned short value, size_t count)
{
    return fill("cuMemsetD16", NULL, at, 0, two(value), 2, count, 1);
}

CUresult cuMemsetD32(CUdeviceptr at, unsigned value, size_t count)
{
    return fill("cuMemsetD32", NULL, at, 0, value, 4, count, 1);
}

CUresult cuMemsetD2D8(CUdeviceptr at, size_t pitch, unsigned char value, size_t width,
                      size_t height)
{
    return fill("cuMemsetD2D8", NULL, at, pitch, four(value), 1, width, height);
}

CUresult cuMemsetD2D16(CUdeviceptr at, size_t pitch, unsigned short value, size_t width,
                       size_t height)
{
    return fill("cuMemsetD2D16", NULL, at, pitch, two(value), 2, width, height);
}

CUresult cuMemsetD2D32(CUdeviceptr at, size_t pitch, unsigned value, size_t width, size_t height)
{
    return fill("cuMemsetD2D32", NULL, at, pitch, value, 4, width, height);
}

CUresult cuMemsetD8Async(CUdeviceptr at, unsigned char value, size_t count, CUstream stream)
{
    return fill("cuMemsetD8Async", stream, at, 0, four(value), 1, count, 1);
}

CUresult cuMemsetD16Async(CUdeviceptr at, unsigned short value, size_t count, CUstream stream)
{
    return fill("cuMemsetD16Async", stream, at, 0, two(value), 2, count, 1);
}

CUresult cuMemsetD32Async(CUdeviceptr at, unsigned value, size_t count, CUstream stream)
{
    return fill("cuMemsetD32Async", stream, at, 0, value, 4, count, 1);
}
