/* texture.c -- texture references of a module: what the program says of them, bound when a kernel is launched. */
#include "internal.h"

#include <string.h>

/* The reference that the program has got already, or a new one. */
static CUtexref reference_of(struct driver *dr, CUmodule module, int unit)
{
    for (int i = 0; i < dr->held.count; i++) {
        CUtexref r = dr->held.thing[i].at;
        if (dr->held.thing[i].kind == HOLDS_TEXTURE && r->module == module && r->x.unit == unit)
            return r;
    }
    CUtexref r = fl_alloc(sizeof *r);
    driver_hold(dr, HOLDS_TEXTURE, r);
    r->module = module;
    r->x.unit = unit;
    r->format = CU_AD_FORMAT_FLOAT;
    r->channels = 1;
    r->mode[0] = r->mode[1] = CU_TR_ADDRESS_MODE_CLAMP;
    return r;
}

CUresult cuModuleGetTexRef(CUtexref *out, CUmodule module, const char *name)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuModuleGetTexRef", &d, &error);
    if (!error && (!out || !name))
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error)
        error = driver_check(dr, HOLDS_MODULE, module);
    int unit = error ? -1 : host_find_texture(d, module->number, name);
    if (!error && unit < 0)
        error = driver_refuse(dr, CUDA_ERROR_NOT_FOUND, "the module has no texture reference '%s'",
                              name);
    if (!error)
        *out = reference_of(dr, module, unit);
    return driver_leave(dr, error);
}

/* A call that is given a reference. */
static struct driver *enter(const char *call, CUtexref r, struct host_device **d, CUresult *error)
{
    struct driver *dr = driver_enter_context(call, d, error);
    if (!*error)
        *error = driver_check(dr, HOLDS_TEXTURE, r);
    return dr;
}

CUresult cuTexRefSetFormat(CUtexref r, CUarray_format format, int channels)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter("cuTexRefSetFormat", r, &d, &error);
    if (!error &&
        ((channels != 1 && channels != 2 && channels != 4) ||
         !((format >= CU_AD_FORMAT_UNSIGNED_INT8 && format <= CU_AD_FORMAT_UNSIGNED_INT32) ||
           (format >= CU_AD_FORMAT_SIGNED_INT8 && format <= CU_AD_FORMAT_SIGNED_INT32) ||
           format == CU_AD_FORMAT_FLOAT)))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "a texel is 1, 2 or 4 integers of 8, 16 or 32 bits, or floats");
    if (!error) {
        r->format = format;
        r->channels = channels;
    }
    return driver_leave(dr, error);
}

CUresult cuTexRefSetAddressMode(CUtexref r, int axis, CUaddress_mode mode)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter("cuTexRefSetAddressMode", r, &d, &error);
    if (!error && (axis < 0 || axis > 2 ||
                   (mode != CU_TR_ADDRESS_MODE_WRAP && mode != CU_TR_ADDRESS_MODE_CLAMP)))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "axis %d, mode %d: axes are 0 to 2, modes are wrap and clamp", axis,
                              (int)mode);
    if (!error && axis < 2)
        r->mode[axis] = mode;
    return driver_leave(dr, error);
}

CUresult cuTexRefSetFilterMode(CUtexref r, CUfilter_mode mode)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter("cuTexRefSetFilterMode", r, &d, &error);
    if (!error && mode != CU_TR_FILTER_MODE_POINT && mode != CU_TR_FILTER_MODE_LINEAR)
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error)
        r->filter = mode;
    return driver_leave(dr, error);
}

CUresult cuTexRefSetFlags(CUtexref r, unsigned flags)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter("cuTexRefSetFlags", r, &d, &error);
    if (!error && flags & ~(unsigned)(CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE, "0x%x: flags are %d and %d", flags,
                              CU_TRSF_READ_AS_INTEGER, CU_TRSF_NORMALIZED_COORDINATES);
    if (!error)
        r->flags = flags;
    return driver_leave(dr, error);
}

/* Texels as the machine has them: integers of 8 and 16 bits become floats unless they are read as integers. */
static enum texture_format format_of(const struct CUtexref_st *r)
{
    static const uint8_t format[2][2][3] = {
        {{TEXTURE_UNORM8, TEXTURE_UNORM16, TEXTURE_U32},
         {TEXTURE_SNORM8, TEXTURE_SNORM16, TEXTURE_S32}},
        {{TEXTURE_U8, TEXTURE_U16, TEXTURE_U32}, {TEXTURE_S8, TEXTURE_S16, TEXTURE_S32}}};
    bool sign = r->format >= CU_AD_FORMAT_SIGNED_INT8;
    if (r->format == CU_AD_FORMAT_FLOAT)
        return TEXTURE_F32;
    return (enum texture_format)
        format[r->flags & CU_TRSF_READ_AS_INTEGER][sign]
              [r->format - (sign ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8)];
}

/* `pitch`, or `bytes` of one row. */
static CUresult set_place(const struct driver *dr, struct host_device *d, CUtexref r,
                          CUdeviceptr at, size_t bytes, size_t width, size_t height, size_t pitch)
{
    int buffer = host_buffer(d, (const void *)(uintptr_t)at, 0);
    if (buffer < 0)
        return driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                             "0x%llx is no memory of the device: cuMemAlloc gives it", at);
    r->x.buffer = buffer;
    r->x.offset = (uint32_t)at - d->job.buffer[buffer].addr;
    r->x.texture.format = (uint8_t)format_of(r);
    r->x.texture.channels = (uint8_t)r->channels;
    const uint32_t texel = texture_texel_bytes(&r->x.texture);
    size_t left = d->given[buffer] - r->x.offset;
    r->x.texture.width = (uint32_t)(width ? width : (bytes < left ? bytes : left) / texel);
    r->x.texture.height = (uint32_t)height;
    r->x.texture.pitch = (uint32_t)(pitch ? pitch : r->x.texture.width * texel);
    return CUDA_SUCCESS;
}

CUresult cuTexRefSetAddress(size_t *offset, CUtexref r, CUdeviceptr at, size_t bytes)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter("cuTexRefSetAddress", r, &d, &error);
    if (!error)
        error = set_place(dr, d, r, at, bytes, 0, 1, 0);
    if (!error && offset)
        *offset = 0; /* a texture begins anywhere */
    return driver_leave(dr, error);
}

CUresult cuTexRefSetAddress2D(CUtexref r, const CUDA_ARRAY_DESCRIPTOR *size, CUdeviceptr at,
                              size_t pitch)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter("cuTexRefSetAddress2D", r, &d, &error);
    if (!error &&
        (!size || size->Format != r->format || size->NumChannels != (unsigned)r->channels ||
         !size->Width || size->Width > TEXTURE_MAX || !size->Height || size->Height > TEXTURE_MAX ||
         pitch > HOST_DEVICE_BYTES))
        error = driver_refuse(
            dr, CUDA_ERROR_INVALID_VALUE,
            "the descriptor has the format and channels of cuTexRefSetFormat, and "
            "1 to %d texels each way",
            TEXTURE_MAX);
    if (!error)
        error = set_place(dr, d, r, at, 0, size->Width, size->Height, pitch);
    return driver_leave(dr, error);
}

/* A reference that the module uses is bound by its name already. */
CUresult cuParamSetTexRef(CUfunction f, int unit, CUtexref r)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter("cuParamSetTexRef", r, &d, &error);
    if (!error)
        error = driver_check(dr, HOLDS_FUNCTION, f);
    if (!error && unit != CU_PARAM_TR_DEFAULT)
        error = CUDA_ERROR_INVALID_VALUE;
    return driver_leave(dr, error);
}

CUresult driver_bind_textures(const struct driver *dr, struct host_device *d)
{
    struct fl_err err;
    for (int i = 0; i < dr->held.count; i++) {
        const struct CUtexref_st *r = dr->held.thing[i].at;
        if (dr->held.thing[i].kind != HOLDS_TEXTURE || &r->context->d != d || !r->x.texture.width)
            continue;
        struct job_texture x = r->x;
        x.texture.format = (uint8_t)format_of(r);
        x.texture.normalized = (r->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
        x.texture.linear = r->filter == CU_TR_FILTER_MODE_LINEAR &&
                           texture_is_float((enum texture_format)x.texture.format);
        for (int k = 0; k < 2; k++) /* as CUDA has it: else they are clamped */
            x.texture.wrap[k] = x.texture.normalized && r->mode[k] == CU_TR_ADDRESS_MODE_WRAP;
        int reference = 0;
        while ((int)d->job.cubin->texture[reference].unit != x.unit)
            reference++;
        if (host_bind(d, &x, d->job.cubin->texture[reference].name, &err))
            return driver_refuse(dr, CUDA_ERROR_INVALID_VALUE, "%s", err.msg);
    }
    return CUDA_SUCCESS;
}
