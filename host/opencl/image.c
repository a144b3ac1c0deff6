/* image.c -- images of two dimensions, which kernels read through texture units, and samplers. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- formats ---- */

static const struct {
    cl_channel_type type;
    uint8_t format; /* enum texture_format */
} types[] = {{CL_FLOAT, TEXTURE_F32},           {CL_UNORM_INT8, TEXTURE_UNORM8},
             {CL_UNORM_INT16, TEXTURE_UNORM16}, {CL_SNORM_INT8, TEXTURE_SNORM8},
             {CL_SNORM_INT16, TEXTURE_SNORM16}, {CL_SIGNED_INT8, TEXTURE_S8},
             {CL_SIGNED_INT16, TEXTURE_S16},    {CL_SIGNED_INT32, TEXTURE_S32},
             {CL_UNSIGNED_INT8, TEXTURE_U8},    {CL_UNSIGNED_INT16, TEXTURE_U16},
             {CL_UNSIGNED_INT32, TEXTURE_U32}};
static const struct {
    cl_channel_order order;
    uint8_t channels;
} orders[] = {{CL_RGBA, 4}, {CL_RG, 2}, {CL_R, 1}};
enum { TYPES = sizeof types / sizeof *types, ORDERS = sizeof orders / sizeof *orders };

/* False: no unit reads such texels. */
static bool find_format(const cl_image_format *f, struct texture *out)
{
    for (int o = 0; o < ORDERS; o++)
        for (int t = 0; t < TYPES; t++)
            if (f->image_channel_order == orders[o].order &&
                f->image_channel_data_type == types[t].type) {
                out->channels = orders[o].channels;
                out->format = types[t].format;
                return true;
            }
    return false;
}

/* Whether the specification has the format. */
static bool exists(const cl_image_format *f)
{
    const cl_channel_order o = f->image_channel_order;
    const cl_channel_type t = f->image_channel_data_type;
    const bool packed = t == CL_UNORM_SHORT_565 || t == CL_UNORM_SHORT_555 ||
                        t == CL_UNORM_INT_101010,
               bytes = t == CL_SNORM_INT8 || t == CL_UNORM_INT8 || t == CL_SIGNED_INT8 ||
                       t == CL_UNSIGNED_INT8,
               scaled = t == CL_FLOAT || t == CL_HALF_FLOAT || t == CL_UNORM_INT8 ||
                        t == CL_UNORM_INT16 || t == CL_SNORM_INT8 || t == CL_SNORM_INT16;
    switch (o) {
    case CL_RGB:
    case CL_RGBx: return packed;
    case CL_BGRA:
    case CL_ARGB: return bytes;
    case CL_INTENSITY:
    case CL_LUMINANCE: return scaled;
    default: return o >= CL_R && o <= CL_RGBx && t >= CL_SNORM_INT8 && t <= CL_FLOAT && !packed;
    }
}

cl_int clGetSupportedImageFormats(cl_context context, cl_mem_flags flags, cl_mem_object_type type,
                                  cl_uint room, cl_image_format *out, cl_uint *count)
{
    struct ocl *o = ocl_enter("clGetSupportedImageFormats");
    cl_int error = ocl_check(o, OCL_CONTEXT, context);
    if (!error &&
        ((out && !room) || (type != CL_MEM_OBJECT_IMAGE2D && type != CL_MEM_OBJECT_IMAGE3D)))
        error = ocl_refuse(o, CL_INVALID_VALUE, "no room, or no type of images");
    if (error)
        return ocl_leave(o, error);
    const bool some = type == CL_MEM_OBJECT_IMAGE2D && !(flags & CL_MEM_WRITE_ONLY);
    for (cl_uint i = 0; out && some && i < room && i < TYPES * ORDERS; i++)
        out[i] = (cl_image_format){orders[i / TYPES].order, types[i % TYPES].type};
    if (count)
        *count = some ? TYPES * ORDERS : 0;
    return ocl_leave(o, CL_SUCCESS);
}

/* ---- images ---- */

static cl_int check_image(const struct ocl *o, cl_mem_flags flags, const cl_image_format *format,
                          size_t width, size_t height, size_t pitch, const void *host,
                          struct texture *t)
{
    if (!format)
        return ocl_refuse(o, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "the format is NULL");
    if (!exists(format))
        return ocl_refuse(o, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                          "order 0x%x with type 0x%x is no format", format->image_channel_order,
                          format->image_channel_data_type);
    if (!find_format(format, t))
        return ocl_refuse(o, CL_IMAGE_FORMAT_NOT_SUPPORTED,
                          "order 0x%x with type 0x%x: clGetSupportedImageFormats lists the formats "
                          "of the texture units",
                          format->image_channel_order, format->image_channel_data_type);
    if (flags & CL_MEM_WRITE_ONLY)
        return ocl_refuse(o, CL_IMAGE_FORMAT_NOT_SUPPORTED,
                          "kernels of this machine write no images; write a buffer");
    if (!width || !height || width > TEXTURE_MAX || height > TEXTURE_MAX)
        return ocl_refuse(o, CL_INVALID_IMAGE_SIZE, "%zu x %zu texels: 1 to %d each way", width,
                          height, TEXTURE_MAX);
    size_t row = width * texture_texel_bytes(t);
    if (host ? pitch && (pitch < row || pitch % texture_texel_bytes(t)) : pitch != 0)
        return ocl_refuse(o, CL_INVALID_IMAGE_SIZE,
                          "a row pitch of %zu: rows have %zu bytes, whole texels, and there is one "
                          "only with memory of the host",
                          pitch, row);
    t->width = (uint32_t)width;
    t->height = (uint32_t)height;
    t->pitch = (uint32_t)row;
    return CL_SUCCESS;
}

static cl_mem make_image(const char *call, cl_context context, cl_mem_flags flags,
                         const cl_image_format *format, size_t width, size_t height, size_t pitch,
                         void *host, cl_int *where)
{
    struct ocl *o = ocl_enter(call);
    struct texture t = {0};
    cl_mem m = NULL;
    cl_int error = ocl_check_memory(o, context, flags, host);
    if (!error)
        error = check_image(o, flags, format, width, height, pitch, host, &t);
    if (!error)
        m = ocl_make_memory(o, context, flags, (size_t)t.pitch * t.height, &error);
    if (error)
        return ocl_made(o, error, where, NULL);
    m->is_image = true;
    m->format = *format;
    m->pitch = pitch ? pitch : t.pitch;
    m->host = flags & CL_MEM_USE_HOST_PTR ? host : NULL;
    m->texture = t;
    if (host)
        error = ocl_copy(&context->d, m->address, t.pitch, host, m->pitch, t.pitch, t.height,
                         false);
    return ocl_made(o, error, where, m);
}

cl_mem clCreateImage2D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                       size_t width, size_t height, size_t pitch, void *host, cl_int *where)
{
    return make_image("clCreateImage2D", context, flags, format, width, height, pitch, host, where);
}

cl_mem clCreateImage(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                     const cl_image_desc *desc, void *host, cl_int *where)
{
    if (desc && desc->image_type == CL_MEM_OBJECT_IMAGE2D && !desc->mem_object)
        return make_image("clCreateImage", context, flags, format, desc->image_width,
                          desc->image_height, desc->image_row_pitch, host, where);
    struct ocl *o = ocl_enter("clCreateImage");
    return ocl_made(o,
                    ocl_refuse(o, CL_INVALID_IMAGE_DESCRIPTOR,
                               "the machine has images of two dimensions, each with memory of its "
                               "own"),
                    where, NULL);
}

cl_mem clCreateImage3D(cl_context context, cl_mem_flags flags, const cl_image_format *format,
                       size_t width, size_t height, size_t depth, size_t row, size_t slice,
                       void *host, cl_int *where)
{
    (void)context, (void)flags, (void)format, (void)width, (void)height, (void)depth, (void)row;
    (void)slice, (void)host;
    struct ocl *o = ocl_enter("clCreateImage3D");
    return ocl_made(o,
                    ocl_refuse(o, CL_INVALID_OPERATION, "the machine has images of two dimensions"),
                    where, NULL);
}

cl_int clGetImageInfo(cl_mem m, cl_image_info what, size_t room, void *out, size_t *size)
{
    struct ocl *o = ocl_enter("clGetImageInfo");
    const struct ocl_question q = {o, room, out, size};
    cl_int error = ocl_check(o, OCL_MEMORY, m);
    if (!error && !m->is_image)
        error = ocl_refuse(o, CL_INVALID_MEM_OBJECT, "a buffer, and the call is for images");
    if (error)
        return ocl_leave(o, error);
    switch (what) {
    case CL_IMAGE_FORMAT: error = ocl_answer(&q, &m->format, sizeof m->format); break;
    case CL_IMAGE_ELEMENT_SIZE:
        error = OCL_ANSWER(&q, size_t, texture_texel_bytes(&m->texture));
        break;
    case CL_IMAGE_ROW_PITCH: error = OCL_ANSWER(&q, size_t, m->pitch); break;
    case CL_IMAGE_SLICE_PITCH:
    case CL_IMAGE_DEPTH: error = OCL_ANSWER(&q, size_t, 0); break;
    case CL_IMAGE_WIDTH: error = OCL_ANSWER(&q, size_t, m->texture.width); break;
    case CL_IMAGE_HEIGHT: error = OCL_ANSWER(&q, size_t, m->texture.height); break;
    default: error = ocl_no_answer(&q, what);
    }
    return ocl_leave(o, error);
}

/* ---- commands ---- */

/* A region lies in the image: *address is that of its first texel, *width its bytes in a row. */
static cl_int find_region(const struct ocl_command *c, cl_mem m, const size_t *origin,
                          const size_t *region, uint32_t *address, size_t *width)
{
    cl_int error = ocl_check_operand(c, m, true);
    if (error)
        return error;
    const struct texture *t = &m->texture;
    if (!origin || !region || origin[2] || region[2] != 1 || !region[0] || !region[1] ||
        origin[0] > t->width || region[0] > t->width - origin[0] || origin[1] > t->height ||
        region[1] > t->height - origin[1])
        return ocl_refuse(c->o, CL_INVALID_VALUE,
                          "the region is empty, or leaves the image of %u x %u texels", t->width,
                          t->height);
    uint32_t texel = texture_texel_bytes(t);
    *address = m->address + (uint32_t)origin[1] * t->pitch + (uint32_t)origin[0] * texel;
    *width = region[0] * texel;
    return CL_SUCCESS;
}

static cl_int move(const char *call, cl_command_type type, cl_command_queue queue, cl_mem m,
                   const size_t *origin, const size_t *region, size_t pitch, void *host,
                   cl_uint nevents, const cl_event *events, cl_event *event)
{
    struct ocl_command c;
    uint32_t address;
    size_t width;
    cl_int error = ocl_begin(&c, call, type, queue, nevents, events, event);
    if (!error)
        error = find_region(&c, m, origin, region, &address, &width);
    if (!error && (!host || (pitch && pitch < width)))
        error = ocl_refuse(
            c.o, CL_INVALID_VALUE,
            "the memory of the host is NULL, or its row pitch is less than %zu bytes", width);
    if (!error)
        error = ocl_copy(c.d, address, m->texture.pitch, host, pitch ? pitch : width, width,
                         region[1], type == CL_COMMAND_READ_IMAGE);
    return ocl_end(&c, error);
}

cl_int clEnqueueReadImage(cl_command_queue queue, cl_mem m, cl_bool blocks, const size_t *origin,
                          const size_t *region, size_t pitch, size_t slice, void *host,
                          cl_uint nevents, const cl_event *events, cl_event *event)
{
    (void)blocks, (void)slice;
    return move("clEnqueueReadImage", CL_COMMAND_READ_IMAGE, queue, m, origin, region, pitch, host,
                nevents, events, event);
}

cl_int clEnqueueWriteImage(cl_command_queue queue, cl_mem m, cl_bool blocks, const size_t *origin,
                           const size_t *region, size_t pitch, size_t slice, const void *host,
                           cl_uint nevents, const cl_event *events, cl_event *event)
{
    (void)blocks, (void)slice;
    return move("clEnqueueWriteImage", CL_COMMAND_WRITE_IMAGE, queue, m, origin, region, pitch,
                (void *)(uintptr_t)host, nevents, events, event);
}

cl_int clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin,
                          const size_t *to_origin, const size_t *region, cl_uint nevents,
                          const cl_event *events, cl_event *event)
{
    struct ocl_command c;
    uint32_t a, b;
    size_t width;
    cl_int error = ocl_begin(&c, "clEnqueueCopyImage", CL_COMMAND_COPY_IMAGE, queue, nevents,
                             events, event);
    if (!error)
        error = find_region(&c, from, from_origin, region, &a, &width);
    if (!error)
        error = find_region(&c, to, to_origin, region, &b, &width);
    if (!error && memcmp(&from->format, &to->format, sizeof from->format) != 0)
        error = ocl_refuse(c.o, CL_IMAGE_FORMAT_MISMATCH, "the images differ in format");
    if (!error)
        error = ocl_copy_in_device(&c, b, to->texture.pitch, a, from->texture.pitch, width,
                                   region[1]);
    return ocl_end(&c, error);
}

/* Between an image and a buffer, where rows lie one behind the other. */
static cl_int exchange(const char *call, cl_command_type type, cl_command_queue queue, cl_mem image,
                       cl_mem buffer, const size_t *origin, const size_t *region, size_t offset,
                       cl_uint nevents, const cl_event *events, cl_event *event)
{
    struct ocl_command c;
    uint32_t a;
    size_t width;
    cl_int error = ocl_begin(&c, call, type, queue, nevents, events, event);
    if (!error)
        error = find_region(&c, image, origin, region, &a, &width);
    if (!error)
        error = ocl_check_operand(&c, buffer, false);
    if (!error && (offset > buffer->size || width * region[1] > buffer->size - offset))
        error = ocl_refuse(c.o, CL_INVALID_VALUE, "%zu bytes from byte %zu on: the buffer has %zu",
                           width * region[1], offset, buffer->size);
    if (error)
        return ocl_end(&c, error);
    uint32_t b = buffer->address + (uint32_t)offset, pitch = image->texture.pitch;
    error = type == CL_COMMAND_COPY_IMAGE_TO_BUFFER
                ? ocl_copy_in_device(&c, b, width, a, pitch, width, region[1])
                : ocl_copy_in_device(&c, a, pitch, b, width, width, region[1]);
    return ocl_end(&c, error);
}

cl_int clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                                  const size_t *origin, const size_t *region, size_t offset,
                                  cl_uint nevents, const cl_event *events, cl_event *event)
{
    return exchange("clEnqueueCopyImageToBuffer", CL_COMMAND_COPY_IMAGE_TO_BUFFER, queue, image,
                    buffer, origin, region, offset, nevents, events, event);
}

cl_int clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer, cl_mem image,
                                  size_t offset, const size_t *origin, const size_t *region,
                                  cl_uint nevents, const cl_event *events, cl_event *event)
{
    return exchange("clEnqueueCopyBufferToImage", CL_COMMAND_COPY_BUFFER_TO_IMAGE, queue, image,
                    buffer, origin, region, offset, nevents, events, event);
}

void *clEnqueueMapImage(cl_command_queue queue, cl_mem m, cl_bool blocks, cl_map_flags flags,
                        const size_t *origin, const size_t *region, size_t *pitch, size_t *slice,
                        cl_uint nevents, const cl_event *events, cl_event *event, cl_int *where)
{
    struct ocl_command c;
    uint32_t address;
    size_t width;
    (void)blocks;
    cl_int error = ocl_begin(&c, "clEnqueueMapImage", CL_COMMAND_MAP_IMAGE, queue, nevents, events,
                             event);
    if (!error)
        error = find_region(&c, m, origin, region, &address, &width);
    if (!error && !pitch)
        error = ocl_refuse(c.o, CL_INVALID_VALUE, "there is no place for the row pitch");
    if (!error) {
        size_t at = origin[1] * m->pitch + origin[0] * texture_texel_bytes(&m->texture);
        error = ocl_map(&c, m, flags,
                        (struct ocl_map){.at = m->host ? (uint8_t *)m->host + at : NULL,
                                         .pitch = m->pitch,
                                         .address = address,
                                         .step = m->texture.pitch,
                                         .width = width,
                                         .rows = region[1]});
    }
    if (where)
        *where = error;
    if (!error)
        *pitch = m->map[m->nmaps - 1].pitch;
    if (!error && slice)
        *slice = 0;
    void *mapped = error ? NULL : m->map[m->nmaps - 1].at;
    ocl_end(&c, error);
    return mapped;
}

/* ---- samplers ---- */

cl_sampler clCreateSampler(cl_context context, cl_bool normalized, cl_addressing_mode addressing,
                           cl_filter_mode filter, cl_int *where)
{
    struct ocl *o = ocl_enter("clCreateSampler");
    cl_sampler s = NULL;
    cl_int error = ocl_check(o, OCL_CONTEXT, context);
    if (!error && (normalized > CL_TRUE || addressing < CL_ADDRESS_NONE ||
                   addressing > CL_ADDRESS_MIRRORED_REPEAT ||
                   (!normalized && addressing >= CL_ADDRESS_REPEAT) ||
                   (filter != CL_FILTER_NEAREST && filter != CL_FILTER_LINEAR)))
        error = ocl_refuse(o, CL_INVALID_VALUE,
                           "no such addressing, filter or coordinates; CL_ADDRESS_REPEAT and "
                           "CL_ADDRESS_MIRRORED_REPEAT are for normalized coordinates");
    if (!error) {
        s = ocl_new(o, OCL_SAMPLER, sizeof *s, context);
        s->normalized = normalized;
        s->addressing = addressing;
        s->filter = filter;
    }
    return ocl_made(o, error, where, s);
}

cl_int clGetSamplerInfo(cl_sampler s, cl_sampler_info what, size_t room, void *out, size_t *size)
{
    struct ocl *o = ocl_enter("clGetSamplerInfo");
    const struct ocl_question q = {o, room, out, size};
    cl_int error = ocl_check(o, OCL_SAMPLER, s);
    if (error)
        return ocl_leave(o, error);
    switch (what) {
    case CL_SAMPLER_REFERENCE_COUNT: error = OCL_ANSWER(&q, cl_uint, s->object.references); break;
    case CL_SAMPLER_CONTEXT: error = OCL_ANSWER(&q, cl_context, s->object.context); break;
    case CL_SAMPLER_NORMALIZED_COORDS: error = OCL_ANSWER(&q, cl_bool, s->normalized); break;
    case CL_SAMPLER_ADDRESSING_MODE:
        error = OCL_ANSWER(&q, cl_addressing_mode, s->addressing);
        break;
    case CL_SAMPLER_FILTER_MODE: error = OCL_ANSWER(&q, cl_filter_mode, s->filter); break;
    default: error = ocl_no_answer(&q, what);
    }
    return ocl_leave(o, error);
}
