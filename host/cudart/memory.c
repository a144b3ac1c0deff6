/* memory.c -- memory of the device: given, copied, filled; symbols. */
#include "internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- buffers ---- */

int cudart_buffer(const struct cudart *rt, const void *at, size_t size)
{
    uintptr_t addr = (uintptr_t)at;
    for (int i = 0; i < rt->job.nbuffers; i++) {
        const struct job_buffer *b = &rt->job.buffer[i];
        if (rt->given[i] && addr >= b->addr && addr - b->addr <= rt->given[i] &&
            size <= rt->given[i] - (addr - b->addr))
            return i;
    }
    return -1;
}

static uint32_t offset_in(const struct cudart *rt, int buffer, const void *at)
{
    return (uint32_t)(uintptr_t)at - rt->job.buffer[buffer].addr;
}

/* The freed buffer that has the least room for it; -1. */
static int find_free(const struct cudart *rt, size_t size)
{
    int best = -1;
    uint32_t least = UINT32_MAX;
    for (int i = rt->variables; i < rt->job.nbuffers; i++) {
        const struct job_buffer *b = &rt->job.buffer[i];
        uint32_t left = JOB_BASE + rt->machine.img->global_bytes - b->addr,
                 room = b->size >= size ? b->size : machine_room(b->size);
        if (room > left) /* the last one ends with the addresses */
            room = left;
        if (!rt->given[i] && room >= size && room < least) {
            best = i;
            least = room;
        }
    }
    return best;
}

int cudart_allocate(struct cudart *rt, size_t size)
{
    struct job *job = &rt->job;
    bool fits = size <= DEVICE_BYTES - rt->used;
    int best = fits ? find_free(rt, size) : -1;
    if (best >= 0) { /* with what was in it, as on the device */
        if (size > job->buffer[best].size)
            job->buffer[best].size = (uint32_t)size;
        sm_image_resize(rt->machine.img, best, job->buffer[best].size);
        rt->given[best] = size;
        if (rt->recorder)
            record_given(rt->recorder, best);
        rt->used += size;
        return best;
    }
    if (!fits || sm_image_map(rt->machine.img, rt->next, (uint32_t)size)) {
        cudart_refuse(rt, cudaErrorMemoryAllocation,
                      "%zu bytes: the device has %d, of which %" PRIu64
                      " are given, and takes %d buffers in all",
                      size, DEVICE_BYTES, rt->used, SM_MAX_JOB_BUFFERS);
        return -1;
    }
    int n = job->nbuffers++;
    job->buffer = fl_grow(job->buffer, (size_t)n + 1, sizeof *job->buffer);
    rt->given = fl_grow(rt->given, (size_t)n + 1, sizeof *rt->given);
    job->buffer[n] = (struct job_buffer){.addr = rt->next, .size = (uint32_t)size};
    rt->given[n] = size;
    rt->used += size;
    rt->next += (machine_room((uint32_t)size) + JOB_GUARD + 255) & ~255u;
    return n;
}

cudaError_t cudaMalloc(void **to, size_t size)
{
    struct cudart *rt = cudart_enter_device("cudaMalloc");
    if (rt->dead)
        return cudart_leave(rt, rt->dead);
    if (!to)
        return cudart_leave(rt, cudaErrorInvalidValue);
    *to = NULL;
    int buffer = size ? cudart_allocate(rt, size) : -1;
    if (buffer >= 0)
        *to = (void *)(uintptr_t)rt->job.buffer[buffer].addr;
    return cudart_leave(rt, buffer >= 0 || !size ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t cudaMallocPitch(void **to, size_t *pitch, size_t width, size_t height)
{
    if (!pitch || width > DEVICE_BYTES || height > DEVICE_BYTES)
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
    int buffer = cudart_buffer(rt, at, 0);
    if (buffer < rt->variables || offset_in(rt, buffer, at) != 0)
        return cudart_leave(rt, cudart_refuse(rt, cudaErrorInvalidDevicePointer,
                                              "%p is not from cudaMalloc, or freed already", at));
    rt->used -= rt->given[buffer];
    rt->given[buffer] = 0;
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *left, size_t *total)
{
    struct cudart *rt = cudart_enter_device("cudaMemGetInfo");
    if (left)
        *left = DEVICE_BYTES - rt->used;
    if (total)
        *total = DEVICE_BYTES;
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
    cudart_hold(rt, HOLDS_HOST_MEMORY, *to);
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
    if (cudart_holds(rt, HOLDS_REGISTERED, at))
        return cudart_leave(rt, cudaErrorHostMemoryAlreadyRegistered);
    cudart_hold(rt, HOLDS_REGISTERED, at);
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

void cudart_to_device(struct cudart *rt, int buffer, uint32_t offset, const void *from,
                      uint32_t size)
{
    machine_write(&rt->machine, rt->job.buffer[buffer].addr - JOB_BASE + offset, from, size);
    if (rt->recorder)
        record_write(rt->recorder, buffer, offset, from, size);
}

void cudart_to_host(struct cudart *rt, int buffer, uint32_t offset, void *to, uint32_t size)
{
    machine_read(&rt->machine, rt->job.buffer[buffer].addr - JOB_BASE + offset, to, size);
    if (rt->recorder)
        record_read(rt->recorder, buffer, offset, to, size);
}

static cudaError_t not_there(const struct cudart *rt, const void *at, size_t size)
{
    int buffer = cudart_buffer(rt, at, 0);
    if (buffer < 0)
        return cudart_refuse(rt, cudaErrorInvalidValue,
                             "%p is no memory of the device: cudaMalloc gives it", at);
    return cudart_refuse(rt, cudaErrorInvalidValue, "%zu bytes at %p: there are %zu", size, at,
                         rt->given[buffer] - offset_in(rt, buffer, at));
}

/* `rows` rows, which lie so many bytes apart. */
struct block {
    const void *at;
    size_t pitch;
    int buffer; /* -1: of the host */
};

/* A buffer's address that the host has no memory at. */
static bool is_of_device(const struct cudart *rt, const void *at)
{
    uintptr_t page = (uintptr_t)at & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
    unsigned char there;
    return cudart_buffer(rt, at, 0) >= 0 && mincore((void *)page, 1, &there) != 0;
}

static cudaError_t find_block(const struct cudart *rt, struct block *b, bool device, size_t width,
                              size_t rows)
{
    size_t bytes;
    b->buffer = -1;
    if (!b->at)
        return cudaErrorInvalidValue;
    if (__builtin_mul_overflow(b->pitch, rows - 1, &bytes) ||
        __builtin_add_overflow(bytes, width, &bytes))
        return cudart_refuse(
            rt, cudaErrorInvalidValue,
            "%zu rows of %zu bytes with a pitch of %zu exceed any memory; correct the sizes", rows,
            width, b->pitch);
    if (!device)
        return is_of_device(rt, b->at)
                   ? cudart_refuse(rt, cudaErrorInvalidValue,
                                   "%p is memory of the device, and the call takes memory of the "
                                   "host; correct the direction",
                                   b->at)
                   : cudaSuccess;
    b->buffer = cudart_buffer(rt, b->at, bytes);
    return b->buffer < 0 ? not_there(rt, b->at, bytes) : cudaSuccess;
}

static cudaError_t copy_in_device(struct cudart *rt, const struct block *to,
                                  const struct block *from, size_t row, uint32_t size)
{
    uint32_t offset = offset_in(rt, from->buffer, from->at) + (uint32_t)(row * from->pitch);
    uint32_t at = offset_in(rt, to->buffer, to->at) + (uint32_t)(row * to->pitch);
    if (to->buffer == from->buffer && offset < at + size && at < offset + size)
        return offset == at
                   ? cudaSuccess
                   : cudart_refuse(rt, cudaErrorInvalidValue,
                                   "source and destination overlap; copy through another buffer");
    void *bytes = fl_alloc(size);
    machine_read(&rt->machine, rt->job.buffer[from->buffer].addr - JOB_BASE + offset, bytes, size);
    machine_write(&rt->machine, rt->job.buffer[to->buffer].addr - JOB_BASE + at, bytes, size);
    free(bytes);
    if (rt->recorder)
        record_copy(rt->recorder, from->buffer, offset, size, to->buffer, at);
    return cudaSuccess;
}

static cudaError_t copy_rows(struct cudart *rt, const struct block *to, const struct block *from,
                             size_t width, size_t rows)
{
    cudaError_t error = cudaSuccess;
    if (to->pitch == width && from->pitch == width) {
        width *= rows;
        rows = 1;
    }
    for (size_t i = 0; i < rows && !error; i++) {
        void *there = (char *)(uintptr_t)to->at + i * to->pitch;
        const void *here = (const char *)from->at + i * from->pitch;
        if (to->buffer >= 0 && from->buffer >= 0)
            error = copy_in_device(rt, to, from, i, (uint32_t)width);
        else if (to->buffer >= 0)
            cudart_to_device(rt, to->buffer, offset_in(rt, to->buffer, there), here,
                             (uint32_t)width);
        else if (from->buffer >= 0)
            cudart_to_host(rt, from->buffer, offset_in(rt, from->buffer, here), there,
                           (uint32_t)width);
        else
            memmove(there, here, width);
    }
    return error;
}

static cudaError_t copy(const char *call, struct block to, struct block from, size_t width,
                        size_t rows, enum cudaMemcpyKind kind)
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
    if (rows > 1 && (to.pitch > MAX_PITCH || from.pitch > MAX_PITCH))
        return cudart_leave(
            rt,
            cudart_refuse(rt, cudaErrorInvalidPitchValue,
                          "the pitch of a copy is at most %d bytes; copy row by row", MAX_PITCH));
    if (to.pitch < width || from.pitch < width)
        return cudart_leave(
            rt,
            cudart_refuse(
                rt, cudaErrorInvalidPitchValue,
                "the pitch is smaller than the %zu bytes of a row; correct the pitch or the width",
                width));
    if (kind == cudaMemcpyDefault) {
        in = cudart_buffer(rt, to.at, 0) >= 0;
        out = cudart_buffer(rt, from.at, 0) >= 0;
    }
    cudaError_t error = find_block(rt, &to, in, width, rows);
    if (!error)
        error = find_block(rt, &from, out, width, rows);
    return cudart_leave(rt, error ? error : copy_rows(rt, &to, &from, width, rows));
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind)
{
    return copy("cudaMemcpy", (struct block){.at = to, .pitch = size},
                (struct block){.at = from, .pitch = size}, size, 1, kind);
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
    return copy("cudaMemcpy2D", (struct block){.at = to, .pitch = to_pitch},
                (struct block){.at = from, .pitch = from_pitch}, width, height, kind);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    cudaError_t error = check_stream("cudaMemcpy2DAsync", stream);
    return error ? error : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

/* ---- fills ---- */

/* Piece by piece: the host may have less memory than the device. */
static void fill(struct cudart *rt, uint32_t at, int value, uint32_t size)
{
    uint8_t piece[4096];
    memset(piece, value, sizeof piece);
    for (uint32_t done = 0, n; done < size; done += n) {
        n = size - done < sizeof piece ? size - done : (uint32_t)sizeof piece;
        machine_write(&rt->machine, at + done, piece, n);
    }
}

cudaError_t cudaMemset2D(void *at, size_t pitch, int value, size_t width, size_t height)
{
    struct cudart *rt = cudart_enter_device("cudaMemset");
    struct block b = {.at = at, .pitch = pitch};
    if (rt->dead || width == 0 || height == 0)
        return cudart_leave(rt, rt->dead);
    if (height > 1 && pitch < width)
        return cudart_leave(
            rt,
            cudart_refuse(
                rt, cudaErrorInvalidValue,
                "the pitch is smaller than the %zu bytes of a row; correct the pitch or the width",
                width));
    cudaError_t error = find_block(rt, &b, true, width, height);
    if (error)
        return cudart_leave(rt, error);
    if (pitch == width) {
        width *= height;
        height = 1;
    }
    for (size_t i = 0; i < height; i++) {
        uint32_t offset = offset_in(rt, b.buffer, at) + (uint32_t)(i * pitch);
        fill(rt, rt->job.buffer[b.buffer].addr - JOB_BASE + offset, value, (uint32_t)width);
        if (rt->recorder)
            record_fill(rt->recorder, b.buffer, offset, (uint32_t)width, (uint8_t)value);
    }
    return cudart_leave(rt, cudaSuccess);
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

/* Where a variable lies: in a buffer, or in constant memory. */
struct place {
    int buffer; /* -1: at `offset` in c0[] */
    uint32_t offset, size;
};

static cudaError_t find_symbol(const struct cudart *rt, const void *symbol, struct place *out)
{
    const struct cubin *c = rt->job.cubin;
    const char *name = NULL;
    for (int i = 0; i < rt->nsymbols && !name; i++)
        if (rt->symbol[i].shadow == symbol)
            name = rt->symbol[i].name;
    for (int i = 0; i < rt->nsymbols && !name && symbol; i++) /* programs of CUDA 4 give the name */
        if (strcmp(rt->symbol[i].name, symbol) == 0)
            name = rt->symbol[i].name;
    for (int i = 0; name && i < c->nvariables; i++)
        if (strcmp(c->variable[i].name, name) == 0) {
            *out = (struct place){job_find_buffer(&rt->job, name), 0, c->variable[i].size};
            return cudaSuccess;
        }
    for (int i = 0; name && i < c->nconstants; i++)
        if (strcmp(c->constant[i].name, name) == 0) {
            *out = (struct place){-1, c->constant[i].offset, c->constant[i].size};
            return cudaSuccess;
        }
    return cudart_refuse(rt, cudaErrorInvalidSymbol,
                         name ? "no kernel uses '%s'"
                              : "the symbol is not a variable of the device; pass a __device__ or "
                                "__constant__ variable",
                         name);
}

cudaError_t cudaGetSymbolAddress(void **to, const void *symbol)
{
    struct cudart *rt = cudart_enter_device("cudaGetSymbolAddress");
    struct place p;
    cudaError_t error = rt->dead ? rt->dead : find_symbol(rt, symbol, &p);
    if (!error && !to)
        error = cudaErrorInvalidValue;
    if (!error && p.buffer < 0)
        error = cudart_refuse(
            rt, cudaErrorNotSupported,
            "a variable in constant memory has no address; write it with cudaMemcpyToSymbol");
    if (!error)
        *to = (void *)(uintptr_t)rt->job.buffer[p.buffer].addr;
    return cudart_leave(rt, error);
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    struct cudart *rt = cudart_enter_device("cudaGetSymbolSize");
    struct place p;
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
                  (kind == cudaMemcpyDefault && cudart_buffer(rt, other, 0) >= 0);
    struct place p;
    struct block end = {.at = other, .pitch = size};
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
    if ((error = find_block(rt, &end, device, size, 1)))
        return error;
    if (p.buffer >= 0) {
        struct block v = {(const void *)(uintptr_t)(rt->job.buffer[p.buffer].addr + offset), size,
                          p.buffer};
        return in ? copy_rows(rt, &v, &end, size, 1) : copy_rows(rt, &end, &v, size, 1);
    }
    if (!in || device)
        return cudart_refuse(rt, cudaErrorNotSupported,
                             "constant memory can only be written, from the host");
    machine_write_constant(&rt->machine, 0, p.offset + (uint32_t)offset, other, (uint32_t)size);
    if (rt->recorder)
        record_write_constant(rt->recorder, p.offset + (uint32_t)offset, other, (uint32_t)size);
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
