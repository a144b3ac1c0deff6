/* memory.c -- buffers, parts of them, and memory that is mapped to the host. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- made and ended ---- */

/* What kernels may do, and what the host may. */
static const cl_mem_flags by_kernels = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY,
                          by_host = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY |
                                    CL_MEM_HOST_NO_ACCESS;

static cl_int check_flags(const struct ocl *o, cl_mem_flags flags, const void *host)
{
    const cl_mem_flags kernels = flags & by_kernels, hosts = flags & by_host,
                       known = by_kernels | by_host | CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR |
                               CL_MEM_COPY_HOST_PTR;
    if (flags & ~known || kernels & (kernels - 1) || hosts & (hosts - 1) ||
        (flags & CL_MEM_USE_HOST_PTR && flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
        return ocl_refuse(o, CL_INVALID_VALUE, "flags 0x%llx exclude each other, or do not exist",
                          (unsigned long long)flags);
    bool wanted = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    return wanted == (host != NULL)
               ? CL_SUCCESS
               : ocl_refuse(o, CL_INVALID_HOST_PTR,
                            wanted ? "the flags name memory of the host, and it is NULL"
                                   : "memory of the host, and the flags do not say what for");
}

cl_int ocl_copy(struct host_device *d, uint32_t address, size_t step, void *host, size_t pitch,
                size_t width, size_t rows, bool to_host)
{
    struct host_block device = {(const void *)(uintptr_t)address, step, -1},
                      memory = {host, pitch, -1};
    if (!width || !rows)
        return CL_SUCCESS;
    enum host_error error = host_find_block(d, &device, true, width, rows);
    if (!error)
        error = host_copy(d, to_host ? &memory : &device, to_host ? &device : &memory, width, rows);
    return ocl_error(error);
}

cl_mem ocl_make_memory(struct ocl *o, cl_context context, cl_mem_flags flags, size_t size,
                       cl_int *error)
{
    struct host_device *d = &context->d;
    int buffer = host_allocate(d, size);
    if (buffer < 0) {
        *error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
        return NULL;
    }
    cl_mem m = ocl_new(o, OCL_MEMORY, sizeof *m, context);
    m->flags = flags & by_kernels ? flags : flags | CL_MEM_READ_WRITE;
    m->size = size;
    m->address = d->job.buffer[buffer].addr;
    return m;
}

cl_int ocl_check_memory(const struct ocl *o, cl_context context, cl_mem_flags flags,
                        const void *host)
{
    cl_int error = ocl_check(o, OCL_CONTEXT, context);
    if (!error)
        error = ocl_check_alive(o, context);
    return error ? error : check_flags(o, flags, host);
}

cl_mem clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size, void *host,
                      cl_int *where)
{
    struct ocl *o = ocl_enter("clCreateBuffer");
    cl_int error = ocl_check_memory(o, context, flags, host);
    cl_mem m = NULL;
    if (!error && (!size || size > HOST_DEVICE_BYTES))
        error = ocl_refuse(o, CL_INVALID_BUFFER_SIZE, "a buffer of %zu bytes: 1 to %d are possible",
                           size, HOST_DEVICE_BYTES);
    if (!error)
        m = ocl_make_memory(o, context, flags, size, &error);
    if (m && host)
        error = ocl_copy(&context->d, m->address, size, host, size, size, 1, false);
    if (m)
        m->host = flags & CL_MEM_USE_HOST_PTR ? host : NULL;
    if (m && error)
        ocl_drop(o, m);
    return ocl_made(o, error, where, m);
}

/* The flags of a part; those that it does not name are its parent's. False: they allow more than the parent's. */
static bool flags_of_part(cl_mem_flags whole, cl_mem_flags flags, cl_mem_flags *out)
{
    const cl_mem_flags kernels = flags & by_kernels, hosts = flags & by_host;
    *out = (kernels ? kernels : whole & by_kernels) | (hosts ? hosts : whole & by_host) |
           (whole & ~(by_kernels | by_host));
    return !(flags & ~(by_kernels | by_host)) && !(kernels & (kernels - 1)) &&
           !(hosts & (hosts - 1)) &&
           (whole & CL_MEM_READ_WRITE || !kernels || kernels == (whole & by_kernels)) &&
           (!(whole & by_host) || !hosts || hosts == (whole & by_host) ||
            hosts == CL_MEM_HOST_NO_ACCESS);
}

cl_mem clCreateSubBuffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                         const void *info, cl_int *where)
{
    struct ocl *o = ocl_enter("clCreateSubBuffer");
    const cl_buffer_region *r = info;
    cl_int error = ocl_check(o, OCL_MEMORY, parent);
    cl_mem m = NULL;
    if (!error && (parent->parent || parent->is_image))
        error = ocl_refuse(o, CL_INVALID_MEM_OBJECT, "a part of a part, or of an image");
    cl_mem_flags all = 0;
    if (!error &&
        (type != CL_BUFFER_CREATE_TYPE_REGION || !r || r->origin > parent->size ||
         r->size > parent->size - r->origin || !flags_of_part(parent->flags, flags, &all)))
        error = ocl_refuse(o, CL_INVALID_VALUE,
                           "a part is a CL_BUFFER_CREATE_TYPE_REGION within the buffer, without "
                           "memory of the host of its own, and its flags allow no more than the "
                           "buffer's");
    if (!error && !r->size)
        error = ocl_refuse(o, CL_INVALID_BUFFER_SIZE, "a part of 0 bytes");
    if (!error && r->origin % 256)
        error = ocl_refuse(o, CL_MISALIGNED_SUB_BUFFER_OFFSET,
                           "a part at byte %zu; parts begin at multiples of 256 bytes "
                           "(CL_DEVICE_MEM_BASE_ADDR_ALIGN)",
                           r->origin);
    if (!error) {
        m = ocl_new(o, OCL_MEMORY, sizeof *m, parent->object.context);
        ocl_hold(parent);
        m->flags = all;
        m->size = r->size;
        m->address = parent->address + (uint32_t)r->origin;
        m->host = parent->host ? (char *)parent->host + r->origin : NULL;
        m->parent = parent;
        m->origin = r->origin;
    }
    return ocl_made(o, error, where, m);
}

static void end_map(cl_mem m, int i)
{
    if (m->map[i].own)
        free(m->map[i].at);
    free(m->map[i].before);
    m->map[i] = m->map[--m->nmaps];
}

void ocl_end_memory(struct ocl *o, cl_mem m)
{
    while (m->nmaps)
        end_map(m, 0);
    free(m->map);
    if (m->parent)
        ocl_drop(o, m->parent);
    else
        host_give_back(&m->object.context->d, (const void *)(uintptr_t)m->address);
}

cl_int clGetMemObjectInfo(cl_mem m, cl_mem_info what, size_t room, void *out, size_t *size)
{
    struct ocl *o = ocl_enter("clGetMemObjectInfo");
    const struct ocl_question q = {o, room, out, size};
    cl_int error = ocl_check(o, OCL_MEMORY, m);
    if (error)
        return ocl_leave(o, error);
    switch (what) {
    case CL_MEM_TYPE:
        error = OCL_ANSWER(&q, cl_mem_object_type,
                           m->is_image ? CL_MEM_OBJECT_IMAGE2D : CL_MEM_OBJECT_BUFFER);
        break;
    case CL_MEM_FLAGS: error = OCL_ANSWER(&q, cl_mem_flags, m->flags); break;
    case CL_MEM_SIZE: error = OCL_ANSWER(&q, size_t, m->size); break;
    case CL_MEM_HOST_PTR: error = OCL_ANSWER(&q, void *, m->host); break;
    case CL_MEM_MAP_COUNT: error = OCL_ANSWER(&q, cl_uint, (cl_uint)m->nmaps); break;
    case CL_MEM_REFERENCE_COUNT: error = OCL_ANSWER(&q, cl_uint, m->object.references); break;
    case CL_MEM_CONTEXT: error = OCL_ANSWER(&q, cl_context, m->object.context); break;
    case CL_MEM_ASSOCIATED_MEMOBJECT: error = OCL_ANSWER(&q, cl_mem, m->parent); break;
    case CL_MEM_OFFSET: error = OCL_ANSWER(&q, size_t, m->origin); break;
    default: error = ocl_no_answer(&q, what);
    }
    return ocl_leave(o, error);
}

/* ---- reads, writes, copies ---- */

static cl_int check_host_access(const struct ocl_command *c, cl_mem m, bool reads, bool writes)
{
    const cl_mem_flags f = m->flags;
    if ((reads && f & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)) ||
        (writes && f & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)))
        return ocl_refuse(c->o, CL_INVALID_OPERATION,
                          "the memory was made with flags 0x%llx, by which the host does not %s it",
                          (unsigned long long)f, reads ? "read" : "write");
    return CL_SUCCESS;
}

cl_int ocl_check_operand(const struct ocl_command *c, cl_mem m, bool is_image)
{
    cl_int error = ocl_check_of(c->o, OCL_MEMORY, m, c->queue->object.context);
    const bool reads = c->type == CL_COMMAND_READ_BUFFER || c->type == CL_COMMAND_READ_IMAGE ||
                       c->type == CL_COMMAND_READ_BUFFER_RECT,
               writes = c->type == CL_COMMAND_WRITE_BUFFER || c->type == CL_COMMAND_WRITE_IMAGE ||
                        c->type == CL_COMMAND_WRITE_BUFFER_RECT;
    if (!error && m->is_image == is_image)
        return check_host_access(c, m, reads, writes);
    if (error)
        return error;
    return ocl_refuse(c->o, CL_INVALID_MEM_OBJECT,
                      is_image ? "a buffer, and the call is for images"
                               : "an image, and the call is for "
                                 "buffers");
}

static cl_int check_bytes(const struct ocl_command *c, cl_mem m, size_t offset, size_t size)
{
    cl_int error = ocl_check_operand(c, m, false);
    if (!error && (!size || offset > m->size || size > m->size - offset))
        error = ocl_refuse(c->o, CL_INVALID_VALUE,
                           "%zu bytes from byte %zu on: the buffer has %zu bytes", size, offset,
                           m->size);
    return error;
}

static cl_int check_host(const struct ocl_command *c, const void *host)
{
    return host ? CL_SUCCESS : ocl_refuse(c->o, CL_INVALID_VALUE, "the memory of the host is NULL");
}

static cl_int transfer(const char *call, cl_command_type type, cl_command_queue queue, cl_mem m,
                       size_t offset, size_t size, void *host, cl_uint nevents,
                       const cl_event *events, cl_event *event)
{
    struct ocl_command c;
    cl_int error = ocl_begin(&c, call, type, queue, nevents, events, event);
    if (!error)
        error = check_bytes(&c, m, offset, size);
    if (!error)
        error = check_host(&c, host);
    if (!error)
        error = ocl_copy(c.d, m->address + (uint32_t)offset, size, host, size, size, 1,
                         type == CL_COMMAND_READ_BUFFER);
    return ocl_end(&c, error);
}

cl_int clEnqueueReadBuffer(cl_command_queue queue, cl_mem m, cl_bool blocks, size_t offset,
                           size_t size, void *host, cl_uint nevents, const cl_event *events,
                           cl_event *event)
{
    (void)blocks;
    return transfer("clEnqueueReadBuffer", CL_COMMAND_READ_BUFFER, queue, m, offset, size, host,
                    nevents, events, event);
}

cl_int clEnqueueWriteBuffer(cl_command_queue queue, cl_mem m, cl_bool blocks, size_t offset,
                            size_t size, const void *host, cl_uint nevents, const cl_event *events,
                            cl_event *event)
{
    (void)blocks;
    return transfer("clEnqueueWriteBuffer", CL_COMMAND_WRITE_BUFFER, queue, m, offset, size,
                    (void *)(uintptr_t)host, nevents, events, event);
}

/* Whether bytes of the one rectangle are bytes of the other. */
static bool overlap(uint64_t a, size_t a_step, uint64_t b, size_t b_step, size_t width, size_t rows)
{
    for (size_t i = 0, k = 0; i < rows && k < rows;) {
        const uint64_t x = a + i * a_step, y = b + k * b_step;
        if (x < y + width && y < x + width)
            return true;
        if (x < y)
            i++;
        else
            k++;
    }
    return false;
}

cl_int ocl_copy_in_device(const struct ocl_command *c, uint32_t to, size_t to_step, uint32_t from,
                          size_t from_step, size_t width, size_t rows)
{
    struct host_block a = {(const void *)(uintptr_t)to, to_step, -1},
                      b = {(const void *)(uintptr_t)from, from_step, -1};
    if (overlap(to, to_step, from, from_step, width, rows))
        return ocl_refuse(c->o, CL_MEM_COPY_OVERLAP, "source and destination overlap");
    enum host_error error = host_find_block(c->d, &a, true, width, rows);
    if (!error)
        error = host_find_block(c->d, &b, true, width, rows);
    return ocl_error(error ? error : host_copy(c->d, &a, &b, width, rows));
}

cl_int clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                           size_t to_offset, size_t size, cl_uint nevents, const cl_event *events,
                           cl_event *event)
{
    struct ocl_command c;
    cl_int error = ocl_begin(&c, "clEnqueueCopyBuffer", CL_COMMAND_COPY_BUFFER, queue, nevents,
                             events, event);
    if (!error)
        error = check_bytes(&c, from, from_offset, size);
    if (!error)
        error = check_bytes(&c, to, to_offset, size);
    if (!error)
        error = ocl_copy_in_device(&c, to->address + (uint32_t)to_offset, size,
                                   from->address + (uint32_t)from_offset, size, size, 1);
    return ocl_end(&c, error);
}

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem m, const void *pattern, size_t length,
                           size_t offset, size_t size, cl_uint nevents, const cl_event *events,
                           cl_event *event)
{
    struct ocl_command c;
    cl_int error = ocl_begin(&c, "clEnqueueFillBuffer", CL_COMMAND_FILL_BUFFER, queue, nevents,
                             events, event);
    if (!error)
        error = check_bytes(&c, m, offset, size);
    if (!error && (!pattern || !length || length > 128 || length & (length - 1) ||
                   offset % length || size % length))
        error = ocl_refuse(c.o, CL_INVALID_VALUE,
                           "a pattern has 1, 2, 4 ... 128 bytes, and offset and size are multiples "
                           "of them");
    if (error)
        return ocl_end(&c, error);
    uint8_t *bytes = fl_alloc(size);
    for (size_t i = 0; i < size; i += length)
        memcpy(bytes + i, pattern, length);
    error = ocl_copy(c.d, m->address + (uint32_t)offset, size, bytes, size, size, 1, false);
    free(bytes);
    return ocl_end(&c, error);
}

/* ---- parts of two and three dimensions ---- */

struct side {
    size_t at[3], row, slice; /* at: bytes, rows, slices */
};

static bool fits(const size_t region[3], struct side *s, size_t size)
{
    size_t end;
    if (!s->row)
        s->row = region[0];
    if (!s->slice)
        s->slice = region[1] * s->row;
    if (!region[0] || !region[1] || !region[2] || s->row < region[0] ||
        s->slice < region[1] * s->row || s->slice % s->row)
        return false;
    if (__builtin_mul_overflow(s->at[2] + region[2] - 1, s->slice, &end) ||
        __builtin_add_overflow(end, (s->at[1] + region[1] - 1) * s->row, &end) ||
        __builtin_add_overflow(end, s->at[0] + region[0], &end))
        return false;
    return end <= size;
}

static size_t start_of(const struct side *s, size_t slice)
{
    return (s->at[2] + slice) * s->slice + s->at[1] * s->row + s->at[0];
}

static cl_int rectangle(const char *call, cl_command_type type, cl_command_queue queue, cl_mem m,
                        const size_t at[3], const size_t host_at[3], const size_t region[3],
                        size_t row, size_t slice, size_t host_row, size_t host_slice, void *host,
                        cl_uint nevents, const cl_event *events, cl_event *event)
{
    struct ocl_command c;
    cl_int error = ocl_begin(&c, call, type, queue, nevents, events, event);
    if (!error)
        error = ocl_check_operand(&c, m, false);
    if (!error)
        error = check_host(&c, host);
    if (!error && (!at || !host_at || !region))
        error = ocl_refuse(c.o, CL_INVALID_VALUE, "an origin, or the region, is NULL");
    if (error)
        return ocl_end(&c, error);
    struct side device = {{at[0], at[1], at[2]}, row, slice},
                memory = {{host_at[0], host_at[1], host_at[2]}, host_row, host_slice};
    if (!fits(region, &device, m->size) || !fits(region, &memory, SIZE_MAX))
        error = ocl_refuse(c.o, CL_INVALID_VALUE,
                           "the region is empty, leaves the buffer of %zu bytes, or does not fit "
                           "its pitches",
                           m->size);
    for (size_t i = 0; i < (error ? 0 : region[2]); i++)
        error = ocl_copy(c.d, m->address + (uint32_t)start_of(&device, i), device.row,
                         (char *)host + start_of(&memory, i), memory.row, region[0], region[1],
                         type == CL_COMMAND_READ_BUFFER_RECT);
    return ocl_end(&c, error);
}

cl_int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem m, cl_bool blocks,
                               const size_t *origin, const size_t *host_origin,
                               const size_t *region, size_t row, size_t slice, size_t host_row,
                               size_t host_slice, void *host, cl_uint nevents,
                               const cl_event *events, cl_event *event)
{
    (void)blocks;
    return rectangle("clEnqueueReadBufferRect", CL_COMMAND_READ_BUFFER_RECT, queue, m, origin,
                     host_origin, region, row, slice, host_row, host_slice, host, nevents, events,
                     event);
}

cl_int clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem m, cl_bool blocks,
                                const size_t *origin, const size_t *host_origin,
                                const size_t *region, size_t row, size_t slice, size_t host_row,
                                size_t host_slice, const void *host, cl_uint nevents,
                                const cl_event *events, cl_event *event)
{
    (void)blocks;
    return rectangle("clEnqueueWriteBufferRect", CL_COMMAND_WRITE_BUFFER_RECT, queue, m, origin,
                     host_origin, region, row, slice, host_row, host_slice, (void *)(uintptr_t)host,
                     nevents, events, event);
}

cl_int clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem from, cl_mem to,
                               const size_t *from_origin, const size_t *to_origin,
                               const size_t *region, size_t from_row, size_t from_slice,
                               size_t to_row, size_t to_slice, cl_uint nevents,
                               const cl_event *events, cl_event *event)
{
    struct ocl_command c;
    cl_int error = ocl_begin(&c, "clEnqueueCopyBufferRect", CL_COMMAND_COPY_BUFFER_RECT, queue,
                             nevents, events, event);
    if (!error)
        error = ocl_check_operand(&c, from, false);
    if (!error)
        error = ocl_check_operand(&c, to, false);
    if (!error && (!from_origin || !to_origin || !region))
        error = ocl_refuse(c.o, CL_INVALID_VALUE, "an origin, or the region, is NULL");
    if (error)
        return ocl_end(&c, error);
    struct side a = {{from_origin[0], from_origin[1], from_origin[2]}, from_row, from_slice},
                b = {{to_origin[0], to_origin[1], to_origin[2]}, to_row, to_slice};
    if (!fits(region, &a, from->size) || !fits(region, &b, to->size))
        error = ocl_refuse(c.o, CL_INVALID_VALUE,
                           "the region is empty, leaves a buffer, or does not fit its pitches");
    for (size_t i = 0; !error && i < region[2] * region[2]; i++) /* each slice with each */
        if (overlap(from->address + start_of(&a, i % region[2]), a.row,
                    to->address + start_of(&b, i / region[2]), b.row, region[0], region[1]))
            error = ocl_refuse(c.o, CL_MEM_COPY_OVERLAP, "source and destination overlap");
    for (size_t i = 0; i < (error ? 0 : region[2]); i++)
        error = ocl_copy_in_device(&c, to->address + (uint32_t)start_of(&b, i), b.row,
                                   from->address + (uint32_t)start_of(&a, i), a.row, region[0],
                                   region[1]);
    return ocl_end(&c, error);
}

/* ---- mapped memory ---- */

static uint8_t *without_gaps(const struct ocl_map *x)
{
    uint8_t *bytes = fl_alloc(x->width * x->rows);
    for (size_t i = 0; i < x->rows; i++)
        memcpy(bytes + i * x->width, x->at + i * x->pitch, x->width);
    return bytes;
}

/* What the device holds, to the host. What is mapped for writing alone is no output of the program. */
cl_int ocl_map(const struct ocl_command *c, cl_mem m, cl_map_flags flags, struct ocl_map x)
{
    const cl_map_flags writes = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    const bool reads = flags & CL_MAP_READ;
    cl_int error = flags & ~(CL_MAP_READ | writes)
                       ? ocl_refuse(c->o, CL_INVALID_VALUE, "flags 0x%llx do not exist",
                                    (unsigned long long)flags)
                       : check_host_access(c, m, reads, flags & writes);
    if (error)
        return error;
    if (!x.at) {
        x.at = fl_alloc(x.width * x.rows);
        x.pitch = x.width;
        x.own = true;
    }
    error = reads ? ocl_copy(c->d, x.address, x.step, x.at, x.pitch, x.width, x.rows, true)
                  : CL_SUCCESS;
    for (size_t i = 0; i < (reads ? 0 : x.rows); i++)
        machine_read(&c->d->machine, x.address - JOB_BASE + (uint32_t)i * x.step,
                     x.at + i * x.pitch, (uint32_t)x.width);
    if (error) {
        if (x.own)
            free(x.at);
        return error;
    }
    x.before = flags & writes ? without_gaps(&x) : NULL;
    FL_ROOM(m->map, m->nmaps, m->map_room, 4);
    m->map[m->nmaps++] = x;
    return CL_SUCCESS;
}

void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem m, cl_bool blocks, cl_map_flags flags,
                         size_t offset, size_t size, cl_uint nevents, const cl_event *events,
                         cl_event *event, cl_int *where)
{
    struct ocl_command c;
    (void)blocks;
    cl_int error = ocl_begin(&c, "clEnqueueMapBuffer", CL_COMMAND_MAP_BUFFER, queue, nevents,
                             events, event);
    if (!error)
        error = check_bytes(&c, m, offset, size);
    if (!error)
        error = ocl_map(&c, m, flags,
                        (struct ocl_map){.at = m->host ? (uint8_t *)m->host + offset : NULL,
                                         .pitch = size,
                                         .address = m->address + (uint32_t)offset,
                                         .step = (uint32_t)size,
                                         .width = size,
                                         .rows = 1});
    if (where)
        *where = error;
    void *at = error ? NULL : m->map[m->nmaps - 1].at;
    ocl_end(&c, error);
    return at;
}

/* Writes the bytes of a row that the host has changed: a part that it has left alone may hold a fault. Parts that lie close together go as
 * one. */
static cl_int write_changes(struct host_device *d, const struct ocl_map *x, size_t row)
{
    enum { CLOSE = 64 };
    uint8_t *now = x->at + row * x->pitch;
    const uint8_t *before = x->before + row * x->width;
    cl_int error = CL_SUCCESS;
    for (size_t i = 0; i < x->width && !error; i++) {
        if (now[i] == before[i])
            continue;
        size_t end = i + 1;
        for (size_t k = end; k < x->width && k < end + CLOSE; k++)
            if (now[k] != before[k])
                end = k + 1;
        size_t n = end - i;
        error = ocl_copy(d, x->address + (uint32_t)(row * x->step + i), n, now + i, n, n, 1, false);
        i = end;
    }
    return error;
}

cl_int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem m, void *at, cl_uint nevents,
                               const cl_event *events, cl_event *event)
{
    struct ocl_command c;
    int i;
    cl_int error = ocl_begin(&c, "clEnqueueUnmapMemObject", CL_COMMAND_UNMAP_MEM_OBJECT, queue,
                             nevents, events, event);
    if (!error)
        error = ocl_check_of(c.o, OCL_MEMORY, m, queue->object.context);
    if (error)
        return ocl_end(&c, error);
    for (i = m->nmaps - 1; i >= 0 && m->map[i].at != at; i--)
        ;
    if (i < 0)
        return ocl_end(&c, ocl_refuse(c.o, CL_INVALID_VALUE,
                                      "%p is not where the memory object is mapped", at));
    for (size_t row = 0; m->map[i].before && row < m->map[i].rows && !error; row++)
        error = write_changes(c.d, &m->map[i], row);
    end_map(m, i);
    return ocl_end(&c, error);
}
