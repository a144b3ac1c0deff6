/* address.c -- memory at an address that the program chooses, by the calls of CUDA 10.2: a range, an allocation, and the map of one to the
 * other. Here a range is memory at once, so the calls behind cuMemAddressReserve only check what they are given.
 */
#include "internal.h"

static const void *address(CUdeviceptr at)
{
    return (const void *)(uintptr_t)at;
}

CUresult cuMemAddressReserve(CUdeviceptr *out, size_t bytes, size_t alignment, CUdeviceptr at,
                             unsigned long long flags)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuMemAddressReserve", &d, &error);
    if (!error && (!out || !bytes || flags || alignment > 256))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "a range has at least one byte, an alignment up to 256, no flags");
    int buffer = error ? -1 : host_allocate_at(d, at ? at : d->next, bytes);
    if (!error && buffer < 0)
        error = CUDA_ERROR_OUT_OF_MEMORY;
    if (!error)
        *out = d->job.buffer[buffer].addr;
    return driver_leave(dr, error);
}

/* A call that is given a range. */
static struct driver *enter_range(const char *call, CUdeviceptr at, size_t bytes,
                                  struct host_device **d, CUresult *error)
{
    struct driver *dr = driver_enter_context(call, d, error);
    int buffer = *error ? -1 : host_buffer(*d, address(at), bytes);
    if (!*error &&
        (buffer < 0 || (*d)->job.buffer[buffer].addr != at || (*d)->given[buffer] != bytes))
        *error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                               "%zu bytes at 0x%llx are no range of cuMemAddressReserve", bytes,
                               at);
    return dr;
}

CUresult cuMemAddressFree(CUdeviceptr at, size_t bytes)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_range("cuMemAddressFree", at, bytes, &d, &error);
    if (!error)
        host_give_back(d, address(at));
    return driver_leave(dr, error);
}

CUresult cuMemCreate(CUmemGenericAllocationHandle *out, size_t bytes, const CUmemAllocationProp *p,
                     unsigned long long flags)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuMemCreate", &d, &error);
    if (!error && (!out || !bytes || flags || !p || p->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
                   p->location.type != CU_MEM_LOCATION_TYPE_DEVICE || p->location.id))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "an allocation is pinned, on device 0, of at least one byte, without "
                              "flags");
    if (!error)
        *out = bytes;
    return driver_leave(dr, error);
}

CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
    return handle ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemMap(CUdeviceptr at, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                  unsigned long long flags)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_range("cuMemMap", at, bytes, &d, &error);
    if (!error && (offset || flags || handle != bytes))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "a range takes a whole allocation of its own size, without flags");
    return driver_leave(dr, error);
}

CUresult cuMemUnmap(CUdeviceptr at, size_t bytes)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_range("cuMemUnmap", at, bytes, &d, &error);
    return driver_leave(dr, error);
}

CUresult cuMemSetAccess(CUdeviceptr at, size_t bytes, const CUmemAccessDesc *access, size_t count)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_range("cuMemSetAccess", at, bytes, &d, &error);
    if (!error && (count != 1 || !access || access->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "device 0 alone has access, and reads and writes");
    return driver_leave(dr, error);
}
