/* memory.c -- see device.h: memory of the device, given, copied, filled. */
#include "device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- buffers ---- */

int host_buffer(const struct host_device *d, const void *at, size_t size)
{
    uintptr_t addr = (uintptr_t)at;
    for (int i = 0; i < d->job.nbuffers; i++) {
        const struct job_buffer *b = &d->job.buffer[i];
        if (d->given[i] && addr >= b->addr && addr - b->addr <= d->given[i] &&
            size <= d->given[i] - (addr - b->addr))
            return i;
    }
    return -1;
}

uint32_t host_offset_in(const struct host_device *d, int buffer, const void *at)
{
    return (uint32_t)(uintptr_t)at - d->job.buffer[buffer].addr;
}

/* The freed buffer that has the least room for it; -1. */
static int find_free(const struct host_device *d, size_t size)
{
    int best = -1;
    uint32_t least = UINT32_MAX;
    for (int i = 0; i < d->job.nbuffers; i++) {
        const struct job_buffer *b = &d->job.buffer[i];
        uint32_t left = JOB_BASE + d->machine.img->global_bytes - b->addr,
                 room = b->size >= size ? b->size : machine_room(b->size);
        if (room > left) /* the last one ends with the addresses */
            room = left;
        if (!b->name && !d->given[i] && room >= size && room < least) {
            best = i;
            least = room;
        }
    }
    return best;
}

/* -1: no room. Later ones lie behind it, as in a job. */
static int new_buffer(struct host_device *d, uint32_t addr, size_t size)
{
    struct job *job = &d->job;
    if (sm_image_map(d->machine.img, addr, (uint32_t)size))
        return -1;
    int n = job->nbuffers++;
    job->buffer = fl_grow(job->buffer, (size_t)n + 1, sizeof *job->buffer);
    d->given = fl_grow(d->given, (size_t)n + 1, sizeof *d->given);
    job->buffer[n] = (struct job_buffer){.addr = addr, .size = (uint32_t)size};
    d->given[n] = size;
    uint32_t end = addr + ((machine_room((uint32_t)size) + JOB_GUARD + 255) & ~255u);
    d->next = end > d->next ? end : d->next;
    return n;
}

/* With what was in it, as on the device. */
static int give_again(struct host_device *d, int buffer, size_t size)
{
    struct job *job = &d->job;
    if (size > job->buffer[buffer].size)
        job->buffer[buffer].size = (uint32_t)size;
    sm_image_resize(d->machine.img, buffer, job->buffer[buffer].size);
    d->given[buffer] = size;
    if (d->recorder)
        record_given(d->recorder, buffer);
    d->used += size;
    return buffer;
}

static void no_memory(const struct host_device *d, size_t size)
{
    host_refuse(d, HOST_NO_MEMORY,
                "%zu bytes: the device has %d, of which %" PRIu64
                " are given, and takes %d buffers in all",
                size, HOST_DEVICE_BYTES, d->used, SM_MAX_JOB_BUFFERS);
}

void *host_align_next(struct host_device *d, uint32_t to)
{
    if (d->next < JOB_END - to)
        d->next = (d->next + to - 1) & ~(to - 1);
    return (void *)(uintptr_t)d->next;
}

int host_allocate_new(struct host_device *d, size_t size, size_t room)
{
    const uint32_t at = d->next;
    int n = size <= HOST_DEVICE_BYTES - d->used ? new_buffer(d, d->next, size) : -1;
    if (n < 0) {
        no_memory(d, size);
        return n;
    }
    d->used += size;
    if (d->next < at + room)
        d->next = at + (uint32_t)room;
    return n;
}

int host_allocate(struct host_device *d, size_t size)
{
    bool fits = size <= HOST_DEVICE_BYTES - d->used;
    int best = fits ? find_free(d, size) : -1;
    if (best >= 0)
        return give_again(d, best, size);
    int n = fits ? new_buffer(d, d->next, size) : -1;
    if (n >= 0)
        d->used += size;
    else
        no_memory(d, size);
    return n;
}

/* Whether a buffer would lie there alone, with a guard on both sides. */
static bool is_free(const struct host_device *d, uint32_t addr, size_t size)
{
    for (int i = 0; i < d->job.nbuffers; i++) {
        const struct job_buffer *b = &d->job.buffer[i];
        if ((uint64_t)addr < (uint64_t)b->addr + machine_room(b->size) + JOB_GUARD &&
            (uint64_t)addr + size + JOB_GUARD > b->addr)
            return false;
    }
    return true;
}

int host_allocate_at(struct host_device *d, uint64_t addr, size_t size)
{
    int n = -1;
    for (int i = 0; i < d->job.nbuffers; i++) {
        const struct job_buffer *b = &d->job.buffer[i];
        if (!d->given[i] && !b->name && b->addr == addr && size <= b->size)
            return give_again(d, i, size);
    }
    if (size <= HOST_DEVICE_BYTES - d->used && addr >= JOB_BASE && addr % 256 == 0 &&
        addr < JOB_END && is_free(d, (uint32_t)addr, size))
        n = new_buffer(d, (uint32_t)addr, size);
    if (n >= 0)
        d->used += size;
    else
        host_refuse(d, HOST_NO_MEMORY,
                    "%zu bytes at 0x%" PRIx64 ": an address is a multiple of 256 from 0x%x to "
                    "0x%x, and %d bytes from other memory",
                    size, addr, JOB_BASE, JOB_END - 1, JOB_GUARD);
    return n;
}

int host_allocate_variable(struct host_device *d, const char *name, uint32_t size)
{
    int n = new_buffer(d, d->next, size);
    if (n >= 0)
        d->job.buffer[n].name = fl_strdup(name);
    return n;
}

enum host_error host_give_back(struct host_device *d, const void *at)
{
    int buffer = host_buffer(d, at, 0);
    if (buffer < 0 || d->job.buffer[buffer].name || host_offset_in(d, buffer, at) != 0)
        return HOST_INVALID_POINTER;
    d->used -= d->given[buffer];
    d->given[buffer] = 0;
    return HOST_OK;
}

/* ---- copies ---- */

static void to_device(struct host_device *d, int buffer, uint32_t offset, const void *from,
                      uint32_t size)
{
    machine_write(&d->machine, d->job.buffer[buffer].addr - JOB_BASE + offset, from, size);
    if (d->recorder)
        record_write(d->recorder, buffer, offset, from, size);
}

static void to_host(struct host_device *d, int buffer, uint32_t offset, void *to, uint32_t size)
{
    machine_read(&d->machine, d->job.buffer[buffer].addr - JOB_BASE + offset, to, size);
    if (d->recorder)
        record_read(d->recorder, buffer, offset, to, size);
}

static enum host_error not_there(const struct host_device *d, const void *at, size_t size)
{
    int buffer = host_buffer(d, at, 0);
    if (buffer < 0)
        return host_refuse(d, HOST_INVALID_VALUE, "%p is no memory of the device: %s gives it", at,
                           d->process->gives);
    return host_refuse(d, HOST_INVALID_VALUE, "%zu bytes at %p: there are %zu", size, at,
                       d->given[buffer] - host_offset_in(d, buffer, at));
}

/* A buffer's address that the host has no memory at. */
static bool is_of_device(const struct host_device *d, const void *at)
{
    uintptr_t page = (uintptr_t)at & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1);
    unsigned char there;
    return host_buffer(d, at, 0) >= 0 && mincore((void *)page, 1, &there) != 0;
}

enum host_error host_find_block(const struct host_device *d, struct host_block *b, bool device,
                                size_t width, size_t rows)
{
    size_t bytes;
    b->buffer = -1;
    if (!b->at)
        return HOST_INVALID_VALUE;
    if (__builtin_mul_overflow(b->pitch, rows - 1, &bytes) ||
        __builtin_add_overflow(bytes, width, &bytes))
        return host_refuse(
            d, HOST_INVALID_VALUE,
            "%zu rows of %zu bytes with a pitch of %zu exceed any memory; correct the sizes", rows,
            width, b->pitch);
    if (!device)
        return is_of_device(d, b->at)
                   ? host_refuse(d, HOST_INVALID_VALUE,
                                 "%p is memory of the device, and the call takes memory of the "
                                 "host; correct the direction",
                                 b->at)
                   : HOST_OK;
    b->buffer = host_buffer(d, b->at, bytes);
    return b->buffer < 0 ? not_there(d, b->at, bytes) : HOST_OK;
}

static enum host_error copy_in_device(struct host_device *d, const struct host_block *to,
                                      const struct host_block *from, size_t row, uint32_t size)
{
    uint32_t offset = host_offset_in(d, from->buffer, from->at) + (uint32_t)(row * from->pitch);
    uint32_t at = host_offset_in(d, to->buffer, to->at) + (uint32_t)(row * to->pitch);
    if (to->buffer == from->buffer && offset < at + size && at < offset + size)
        return offset == at
                   ? HOST_OK
                   : host_refuse(d, HOST_INVALID_VALUE,
                                 "source and destination overlap; copy through another buffer");
    void *bytes = fl_alloc(size);
    machine_read(&d->machine, d->job.buffer[from->buffer].addr - JOB_BASE + offset, bytes, size);
    machine_write(&d->machine, d->job.buffer[to->buffer].addr - JOB_BASE + at, bytes, size);
    free(bytes);
    if (d->recorder)
        record_copy(d->recorder, from->buffer, offset, size, to->buffer, at);
    return HOST_OK;
}

enum host_error host_copy(struct host_device *d, const struct host_block *to,
                          const struct host_block *from, size_t width, size_t rows)
{
    enum host_error error = HOST_OK;
    if (to->pitch == width && from->pitch == width) {
        width *= rows;
        rows = 1;
    }
    for (size_t i = 0; i < rows && !error; i++) {
        void *there = (char *)(uintptr_t)to->at + i * to->pitch;
        const void *here = (const char *)from->at + i * from->pitch;
        if (to->buffer >= 0 && from->buffer >= 0)
            error = copy_in_device(d, to, from, i, (uint32_t)width);
        else if (to->buffer >= 0)
            to_device(d, to->buffer, host_offset_in(d, to->buffer, there), here, (uint32_t)width);
        else if (from->buffer >= 0)
            to_host(d, from->buffer, host_offset_in(d, from->buffer, here), there, (uint32_t)width);
        else
            memmove(there, here, width);
    }
    return error;
}

/* ---- fills ---- */

/* Piece by piece: the host may have less memory than the device. */
static void fill(struct host_device *d, uint32_t at, uint32_t value, uint32_t size)
{
    uint8_t piece[4096];
    for (size_t i = 0; i < sizeof piece; i++)
        piece[i] = (uint8_t)(value >> 8 * (i % 4));
    for (uint32_t done = 0, n; done < size; done += n) {
        n = size - done < sizeof piece ? size - done : (uint32_t)sizeof piece;
        machine_write(&d->machine, at + done, piece, n);
    }
}

void host_fill(struct host_device *d, const struct host_block *at, uint32_t value, size_t width,
               size_t rows)
{
    size_t pitch = at->pitch;
    if (pitch == width) {
        width *= rows;
        rows = 1;
    }
    for (size_t i = 0; i < rows; i++) {
        uint32_t offset = host_offset_in(d, at->buffer, at->at) + (uint32_t)(i * pitch);
        fill(d, d->job.buffer[at->buffer].addr - JOB_BASE + offset, value, (uint32_t)width);
        if (d->recorder)
            record_fill(d->recorder, at->buffer, offset, (uint32_t)width, value);
    }
}

/* ---- constants ---- */

void host_write_constant(struct host_device *d, int module, uint32_t offset, const void *from,
                         uint32_t size)
{
    machine_write_constant(&d->machine, module, 0, offset, from, size);
    if (d->recorder)
        record_write_constant(d->recorder, module, offset, from, size);
}
