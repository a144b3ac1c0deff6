/* texture_object.c -- texture objects: a number that a program passes to a kernel as an argument.
 *
 * The kernel's argument has a texture unit of its own (cc/images.c), which a launch binds to what the number names.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

struct texture_object {
    struct cudaResourceDesc resource;
    struct cudaTextureDesc texture;
    struct job_texture bound;
};

/* NULL: there is no such object. */
static struct texture_object *find(const struct cudart *rt, unsigned long long object)
{
    void *at = (void *)(uintptr_t)object;
    return object && host_holds(&rt->held, HOLDS_TEXTURE, at) ? at : NULL;
}

static cudaError_t no_object(const struct cudart *rt, unsigned long long object)
{
    return cudart_refuse(rt, cudaErrorInvalidValue,
                         "0x%llx is no texture object: cudaCreateTextureObject makes one, and "
                         "cudaDestroyTextureObject and cudaDeviceReset end it",
                         object);
}

/* Where its texels are. */
static cudaError_t texels_of(const struct cudart *rt, const struct cudaResourceDesc *r,
                             struct cudart_texels *out)
{
    const struct cudaChannelFormatDesc *f = &r->res.pitch2D.desc;
    switch (r->resType) {
    case cudaResourceTypeArray: return cudart_array(rt, r->res.array.array, out);
    case cudaResourceTypeLinear:
        out->at = r->res.linear.devPtr;
        out->format = &r->res.linear.desc;
        out->width = r->res.linear.sizeInBytes;
        out->height = 1;
        return cudaSuccess;
    case cudaResourceTypePitch2D:
        out->at = r->res.pitch2D.devPtr;
        out->format = f;
        out->width = r->res.pitch2D.width * (size_t)(f->x + f->y + f->z + f->w) / 8;
        out->height = r->res.pitch2D.height;
        out->pitch = r->res.pitch2D.pitchInBytes;
        return cudaSuccess;
    default:
        return cudart_refuse(rt, cudaErrorNotSupported,
                             "textures have one level: use an array, linear or pitched memory");
    }
}

static cudaError_t check_description(const struct cudart *rt, const struct cudaTextureDesc *t)
{
    for (int i = 0; i < 2; i++)
        if (t->addressMode[i] == cudaAddressModeMirror ||
            t->addressMode[i] == cudaAddressModeBorder)
            return cudart_refuse(rt, cudaErrorNotSupported,
                                 "texture units have no colour of a border, and do not mirror; use "
                                 "cudaAddressModeClamp or cudaAddressModeWrap");
    return t->sRGB ? cudart_refuse(rt, cudaErrorNotSupported,
                                   "texture units do not convert sRGB; convert in the kernel")
                   : cudaSuccess;
}

cudaError_t cudaCreateTextureObject(unsigned long long *object,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *texture,
                                    const struct cudaResourceViewDesc *view)
{
    struct cudart *rt = cudart_enter_device("cudaCreateTextureObject");
    struct cudart_texels from = {.name = "object"};
    struct job_texture bound;
    if (rt->dead)
        return cudart_leave(rt, rt->dead);
    if (!object || !resource || !texture)
        return cudart_leave(rt, cudaErrorInvalidValue);
    *object = 0;
    from.normalized = texture->readMode == cudaReadModeNormalizedFloat;
    cudaError_t error = view && view->format
                            ? cudart_refuse(
                                  rt, cudaErrorNotSupported,
                                  "another view of a resource is not supported; pass NULL")
                            : check_description(rt, texture);
    if (!error)
        error = texels_of(rt, resource, &from);
    if (!error)
        error = cudart_texture(rt, &from, &bound);
    if (error)
        return cudart_leave(rt, error);
    cudart_sample(&bound.texture, texture->normalizedCoords, texture->filterMode,
                  texture->addressMode);
    struct texture_object *o = fl_alloc(sizeof *o);
    *o = (struct texture_object){*resource, *texture, bound};
    host_hold(&rt->held, HOLDS_TEXTURE, o);
    *object = (uintptr_t)o;
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaDestroyTextureObject(unsigned long long object)
{
    struct cudart *rt = cudart_enter("cudaDestroyTextureObject");
    struct texture_object *o = find(rt, object);
    if (!o)
        return cudart_leave(rt, no_object(rt, object));
    cudart_drop(rt, HOLDS_TEXTURE, o);
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out,
                                             unsigned long long object)
{
    struct cudart *rt = cudart_enter("cudaGetTextureObjectResourceDesc");
    const struct texture_object *o = find(rt, object);
    if (o && out)
        *out = o->resource;
    return cudart_leave(rt, !o ? no_object(rt, object) : out ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out, unsigned long long object)
{
    struct cudart *rt = cudart_enter("cudaGetTextureObjectTextureDesc");
    const struct texture_object *o = find(rt, object);
    if (o && out)
        *out = o->texture;
    return cudart_leave(rt, !o ? no_object(rt, object) : out ? cudaSuccess : cudaErrorInvalidValue);
}

int cudart_bind_objects(struct cudart *rt, const struct cubin_kernel *k, const uint8_t *arguments,
                        struct fl_err *err)
{
    const struct cubin *c = rt->d.job.cubin;
    for (int i = 0; i < k->narguments; i++) {
        const struct cubin_argument *a = &k->argument[i];
        unsigned long long object;
        if (a->kind != CUBIN_IMAGE || a->unit < 0 || a->size != sizeof object ||
            a->offset > 4 * JOB_MAX_PARAMS - sizeof object)
            continue;
        memcpy(&object, arguments + a->offset, sizeof object);
        const struct texture_object *o = find(rt, object);
        if (!o)
            return fl_fail(err,
                           "argument '%s' of kernel '%s': 0x%llx is no texture object; "
                           "cudaCreateTextureObject makes one",
                           a->name, k->name, object);
        struct job_texture x = o->bound;
        x.unit = a->unit;
        for (int t = 0; t < c->ntextures; t++)
            if ((int)c->texture[t].unit == a->unit &&
                host_bind(&rt->d, &x, c->texture[t].name, err))
                return -1;
    }
    return 0;
}
