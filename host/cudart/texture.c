/* texture.c -- arrays, which are buffers, and what textures are bound to.
 *
 * A binding is looked at when a kernel is launched: the program may change the reference until then, and an array
 * keeps its place.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- arrays ---- */

struct cudaArray {
    void *at;             /* in g14[]; rows lie side by side */
    size_t width, height; /* in texels; height 0: one row */
    struct cudaChannelFormatDesc format;
};

static uint32_t texel_bytes(const struct cudaChannelFormatDesc *d)
{
    return (uint32_t)(d->x + d->y + d->z + d->w) / 8;
}

static size_t pitch_of(const struct cudaArray *a)
{
    return a->width * texel_bytes(&a->format);
}

cudaError_t cudaMallocArray(cudaArray_t *to, const struct cudaChannelFormatDesc *format,
                            size_t width, size_t height, unsigned flags)
{
    struct cudaArray a = {.width = width, .height = height};
    if (to)
        *to = NULL;
    if (!to || !format || !width || flags || width > TEXTURE_MAX || height > TEXTURE_MAX ||
        texel_bytes(format) == 0 || texel_bytes(format) > 16)
        return cudart_leave(cudart_enter("cudaMallocArray"), cudaErrorInvalidValue);
    a.format = *format;
    cudaError_t error = cudaMalloc(&a.at, pitch_of(&a) * (height ? height : 1));
    if (error)
        return error;
    struct cudart *rt = cudart_enter("cudaMallocArray");
    *to = fl_alloc(sizeof **to);
    **to = a;
    host_hold(&rt->held, HOLDS_ARRAY, *to);
    return cudart_leave(rt, cudaSuccess);
}

static cudaError_t check_array(const struct cudart *rt, const struct cudaArray *a)
{
    if (host_holds(&rt->held, HOLDS_ARRAY, a))
        return cudaSuccess;
    return cudart_refuse(rt, cudaErrorInvalidValue,
                         "%p is no array: cudaMallocArray makes one, and cudaFreeArray and "
                         "cudaDeviceReset end it",
                         (const void *)a);
}

cudaError_t cudaFreeArray(cudaArray_t array)
{
    struct cudart *rt = cudart_enter("cudaFreeArray");
    cudaError_t error = array ? check_array(rt, array) : cudaSuccess;
    void *at = array && !error ? array->at : NULL;
    if (at)
        cudart_drop(rt, HOLDS_ARRAY, array);
    cudart_leave(rt, error);
    return error ? error : cudaFree(at);
}

cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *out, const struct cudaArray *array)
{
    struct cudart *rt = cudart_enter("cudaGetChannelDesc");
    cudaError_t error = out ? check_array(rt, array) : cudaErrorInvalidValue;
    if (!error)
        *out = array->format;
    return cudart_leave(rt, error);
}

/* `rows` rows of `width` bytes from byte x of row y on: they lie in the array. One row may go on in the next ones. */
static cudaError_t find_in(const char *call, const struct cudaArray *a, size_t x, size_t y,
                           size_t width, size_t rows, void **at)
{
    struct cudart *rt = cudart_enter(call);
    cudaError_t error = check_array(rt, a);
    if (error)
        return cudart_leave(rt, error);
    size_t pitch = pitch_of(a), height = a->height ? a->height : 1;
    bool inside = x <= pitch && y < height;
    if (inside && rows == 1)
        inside = width <= (height - y) * pitch - x;
    else
        inside = inside && width <= pitch - x && rows <= height - y;
    if (!inside)
        error = cudart_refuse(
            rt, cudaErrorInvalidValue,
            "%zu rows of %zu bytes from byte %zu of row %zu: the array has %zu of "
            "%zu bytes",
            rows, width, x, y, height, pitch);
    else
        *at = (char *)a->at + y * pitch + x;
    return cudart_leave(rt, error);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                              enum cudaMemcpyKind kind)
{
    void *at = NULL;
    cudaError_t error = find_in("cudaMemcpyToArray", to, x, y, size, 1, &at);
    return error ? error : cudaMemcpy(at, from, size, kind);
}

cudaError_t cudaMemcpyFromArray(void *to, const struct cudaArray *from, size_t x, size_t y,
                                size_t size, enum cudaMemcpyKind kind)
{
    void *at = NULL;
    cudaError_t error = find_in("cudaMemcpyFromArray", from, x, y, size, 1, &at);
    return error ? error : cudaMemcpy(to, at, size, kind);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    void *at = NULL;
    cudaError_t error = find_in("cudaMemcpy2DToArray", to, x, y, width, height, &at);
    return error ? error : cudaMemcpy2D(at, pitch_of(to), from, pitch, width, height, kind);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, const struct cudaArray *from, size_t x,
                                  size_t y, size_t width, size_t height, enum cudaMemcpyKind kind)
{
    void *at = NULL;
    cudaError_t error = find_in("cudaMemcpy2DFromArray", from, x, y, width, height, &at);
    return error ? error : cudaMemcpy2D(to, pitch, at, pitch_of(from), width, height, kind);
}

cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                   const struct cudaArray *from, size_t x, size_t y, size_t size,
                                   enum cudaMemcpyKind kind)
{
    void *there = NULL, *here = NULL;
    cudaError_t error = kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault
                            ? find_in("cudaMemcpyArrayToArray", to, to_x, to_y, size, 1, &there)
                            : cudart_leave(cudart_enter("cudaMemcpyArrayToArray"),
                                           cudaErrorInvalidMemcpyDirection);
    if (!error)
        error = find_in("cudaMemcpyArrayToArray", from, x, y, size, 1, &here);
    return error ? error : cudaMemcpy(there, here, size, cudaMemcpyDeviceToDevice);
}

/* ---- references ---- */

#pragma GCC visibility push(default)
void __cudaRegisterTexture(void **handle, const struct textureReference *reference,
                           const void **address, const char *name, int axes, int normalized,
                           int external);
#pragma GCC visibility pop

void __cudaRegisterTexture(void **handle, const struct textureReference *reference,
                           const void **address, const char *name, int axes, int normalized,
                           int external)
{
    (void)address, (void)axes, (void)external;
    struct cudart *rt = cudart_enter("__cudaRegisterTexture");
    FL_ROOM(rt->texture, rt->ntextures, rt->texture_room, 16);
    rt->texture[rt->ntextures++] = (struct reference){.reference = reference,
                                                      .name = fl_strdup(name),
                                                      .own = cudart_own_name(handle, name),
                                                      .normalized = normalized};
    pthread_mutex_unlock(&rt->lock);
}

static struct reference *find_reference(const struct cudart *rt,
                                        const struct textureReference *reference)
{
    for (int i = 0; i < rt->ntextures; i++)
        if (rt->texture[i].reference == reference)
            return &rt->texture[i];
    return NULL;
}

cudaError_t cudaGetTextureReference(const struct textureReference **out, const void *symbol)
{
    struct cudart *rt = cudart_enter("cudaGetTextureReference");
    if (!out || !symbol)
        return cudart_leave(rt, cudaErrorInvalidValue);
    *out = NULL;
    for (int i = 0; i < rt->ntextures; i++)
        if (rt->texture[i].reference == symbol || strcmp(rt->texture[i].name, symbol) == 0)
            *out = rt->texture[i].reference;
    return cudart_leave(rt, *out ? cudaSuccess : cudaErrorInvalidTexture);
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference)
{
    struct cudart *rt = cudart_enter("cudaGetTextureAlignmentOffset");
    if (offset)
        *offset = 0;
    return cudart_leave(rt, !offset                          ? cudaErrorInvalidValue
                            : !find_reference(rt, reference) ? cudaErrorInvalidTexture
                                                             : cudaSuccess);
}

/* Texels of the program as the machine has them. */
static bool texels_of(const struct cudaChannelFormatDesc *d, bool normalized, struct texture *out)
{
    static const uint8_t formats[2][2][3] = {
        {{TEXTURE_S8, TEXTURE_S16, TEXTURE_S32}, {TEXTURE_U8, TEXTURE_U16, TEXTURE_U32}},
        {{TEXTURE_SNORM8, TEXTURE_SNORM16, TEXTURE_S32},
         {TEXTURE_UNORM8, TEXTURE_UNORM16, TEXTURE_U32}}};
    int bits[4] = {d->x, d->y, d->z, d->w}, n = 0;
    while (n < 4 && bits[n] == bits[0] && bits[n])
        n++;
    for (int i = n; i < 4; i++)
        if (bits[i])
            return false;
    out->channels = (uint8_t)n;
    if (n == 0 || n == 3 || (bits[0] != 8 && bits[0] != 16 && bits[0] != 32))
        return false;
    if (d->f == cudaChannelFormatKindFloat) {
        out->format = TEXTURE_F32;
        return bits[0] == 32;
    }
    out->format = formats[normalized][d->f == cudaChannelFormatKindUnsigned][bits[0] / 16];
    return d->f == cudaChannelFormatKindUnsigned || d->f == cudaChannelFormatKindSigned;
}

cudaError_t cudart_texture(const struct cudart *rt, const struct cudart_texels *from,
                           struct job_texture *out)
{
    struct texture t = {.height = (uint32_t)from->height, .pitch = (uint32_t)from->pitch};
    size_t width = from->width;
    if (!from->format || !texels_of(from->format, from->normalized, &t))
        return cudart_refuse(
            rt, cudaErrorInvalidValue,
            "texture '%s': a texel must be 1, 2 or 4 integers of 8, 16 or 32 bits, or floats",
            from->name);
    int buffer = host_buffer(&rt->d, from->at, 0);
    if (buffer < 0)
        return cudart_refuse(rt, cudaErrorInvalidDevicePointer,
                             "%p is no memory of the device: cudaMalloc gives it", from->at);
    const size_t offset = (uintptr_t)from->at - rt->d.job.buffer[buffer].addr,
                 left = rt->d.given[buffer] - offset;
    if (from->height == 1 && width > left) /* as CUDA has it: to the end */
        width = left;
    t.width = (uint32_t)(width / texture_texel_bytes(&t));
    if (!t.pitch)
        t.pitch = t.width * texture_texel_bytes(&t);
    *out = (struct job_texture){.buffer = buffer, .offset = (uint32_t)offset, .texture = t};
    return cudaSuccess;
}

cudaError_t cudart_array(const struct cudart *rt, const struct cudaArray *a,
                         struct cudart_texels *out)
{
    cudaError_t error = check_array(rt, a);
    if (error)
        return error;
    out->at = a->at;
    out->format = out->format ? out->format : &a->format;
    out->width = out->pitch = pitch_of(a);
    out->height = a->height ? a->height : 1;
    return cudaSuccess;
}

static cudaError_t bind(struct cudart *rt, const struct textureReference *reference,
                        struct cudart_texels *from)
{
    struct reference *r = find_reference(rt, reference);
    if (rt->dead)
        return rt->dead;
    if (!r)
        return cudart_refuse(rt, cudaErrorInvalidTexture,
                             "this is not a texture of the program; pass a texture reference");
    from->name = r->name;
    from->normalized = r->normalized;
    return cudart_texture(rt, from, &r->bound);
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference,
                            const void *at, const struct cudaChannelFormatDesc *format, size_t size)
{
    struct cudart *rt = cudart_enter_device("cudaBindTexture");
    if (offset)
        *offset = 0; /* a texture begins anywhere */
    return cudart_leave(
        rt, bind(rt, reference,
                 &(struct cudart_texels){.at = at, .format = format, .width = size, .height = 1}));
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference,
                              const void *at, const struct cudaChannelFormatDesc *format,
                              size_t width, size_t height, size_t pitch)
{
    struct cudart *rt = cudart_enter_device("cudaBindTexture2D");
    if (offset)
        *offset = 0;
    struct cudart_texels from = {.at = at,
                                 .format = format,
                                 .width = format ? width * texel_bytes(format) : 0,
                                 .height = height,
                                 .pitch = pitch};
    return cudart_leave(rt, bind(rt, reference, &from));
}

cudaError_t cudaBindTextureToArray(const struct textureReference *reference,
                                   const struct cudaArray *array,
                                   const struct cudaChannelFormatDesc *format)
{
    struct cudart *rt = cudart_enter_device("cudaBindTextureToArray");
    struct cudart_texels from = {.format = format};
    cudaError_t error = rt->dead ? rt->dead : cudart_array(rt, array, &from);
    return cudart_leave(rt, error ? error : bind(rt, reference, &from));
}

cudaError_t cudaUnbindTexture(const struct textureReference *reference)
{
    struct cudart *rt = cudart_enter_device("cudaUnbindTexture");
    struct reference *r = find_reference(rt, reference);
    if (r)
        r->bound.texture.width = 0;
    return cudart_leave(rt, r ? cudaSuccess : cudaErrorInvalidTexture);
}

/* ---- launches ---- */

void cudart_sample(struct texture *t, bool normalized, enum cudaTextureFilterMode filter,
                   const enum cudaTextureAddressMode *address)
{
    t->normalized = normalized;
    t->linear = filter == cudaFilterModeLinear && texture_is_float((enum texture_format)t->format);
    for (int k = 0; k < 2; k++) /* as CUDA has it: else they are clamped */
        t->wrap[k] = normalized && address[k] == cudaAddressModeWrap;
}

int cudart_bind(struct cudart *rt, struct fl_err *err)
{
    const struct job *job = &rt->d.job;
    for (int i = 0; i < rt->ntextures; i++) {
        const struct reference *r = &rt->texture[i];
        int index = r->own ? cubin_find_texture(job->cubin, r->own) : -1;
        index = index < 0 ? cubin_find_texture(job->cubin, r->name) : index;
        struct job_texture x = r->bound;
        if (index < 0 || !x.texture.width)
            continue;
        x.unit = (int)job->cubin->texture[index].unit;
        cudart_sample(&x.texture, r->reference->normalized != 0, r->reference->filterMode,
                      r->reference->addressMode);
        if (host_bind(&rt->d, &x, job->cubin->texture[index].name, err))
            return -1;
    }
    return 0;
}
