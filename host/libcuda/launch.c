/* launch.c -- functions and their launches, in the form of CUDA 4 and in the older one. */
#include "internal.h"

#include <string.h>

static CUresult run(struct driver *dr, struct host_device *d, CUfunction f, const uint32_t grid[3],
                    const uint32_t block[3], size_t shared, const uint8_t *arguments, size_t size)
{
    struct job_param param[JOB_MAX_PARAMS];
    struct job_launch l = {.param = param};
    if (size > 4 * JOB_MAX_PARAMS)
        return driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                             "%zu bytes of parameters; a launch takes %d", size,
                             4 * JOB_MAX_PARAMS);
    CUresult unbound = driver_bind_textures(dr, d);
    if (unbound)
        return unbound;
    enum host_error error = host_prepare(d, f->kernel, grid, block, shared, &l);
    return driver_error(error ? error : host_run(d, &l, arguments, size));
}

/* The values at `params`, one for each parameter of the kernel. Returns their end. */
static size_t gather(const struct cubin_kernel *k, void **params, uint8_t *out)
{
    size_t end = 0;
    for (int i = 0; i < k->nparams; i++) {
        const struct cubin_param *p = &k->param[i];
        memcpy(out + p->offset, params[i], p->size);
        end = p->offset + p->size > end ? p->offset + p->size : end;
    }
    return end;
}

/* False: the list is none. */
static bool read_extra(void **extra, const uint8_t **bytes, size_t *size)
{
    *bytes = NULL;
    *size = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (!extra[1])
            return false;
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
            *bytes = extra[1];
        else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
            *size = *(size_t *)extra[1];
        else
            return false;
    }
    return *bytes || !*size;
}

static CUresult check_params(const struct driver *dr, const struct cubin_kernel *k, void **params)
{
    for (int i = 0; i < k->nparams; i++) {
        const struct cubin_param *p = &k->param[i];
        if (p->offset > 4 * JOB_MAX_PARAMS || p->size > 4 * JOB_MAX_PARAMS - p->offset)
            return driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                                 "parameter %d of kernel '%s' ends behind the %d bytes that a "
                                 "launch takes",
                                 i + 1, k->name, 4 * JOB_MAX_PARAMS);
        if (!params || !params[i])
            return driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                                 "kernel '%s' takes %d parameters, and the launch has no value for "
                                 "parameter %d",
                                 k->name, k->nparams, i + 1);
    }
    return CUDA_SUCCESS;
}

CUresult cuLaunchKernel(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void **params, void **extra)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuLaunchKernel", &d, &error);
    const uint32_t grid[3] = {grid_x, grid_y, grid_z}, block[3] = {block_x, block_y, block_z};
    uint8_t words[4 * JOB_MAX_PARAMS] = {0};
    const uint8_t *arguments = words;
    size_t size = 0;
    if (!error)
        error = driver_check(dr, HOLDS_FUNCTION, f);
    if (!error)
        error = driver_check_stream(dr, stream);
    if (error)
        return driver_leave(dr, error);
    const struct cubin_kernel *k = &d->job.cubin->kernel[f->kernel];
    if (params && extra)
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "parameters are in kernelParams or in extra, not in both");
    else if (extra && !read_extra(extra, &arguments, &size))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "extra holds CU_LAUNCH_PARAM_BUFFER_POINTER, "
                              "CU_LAUNCH_PARAM_BUFFER_SIZE, their values and CU_LAUNCH_PARAM_END");
    else if (!extra && !(error = check_params(dr, k, params)))
        size = gather(k, params, words);
    return driver_leave(dr, error ? error : run(dr, d, f, grid, block, shared, arguments, size));
}

/* ---- the launch of CUDA 2 and 3: a function keeps shape and parameters ---- */

/* A call of a function, which must be one; NULL: see *error. */
static struct driver *enter_function(const char *call, CUfunction f, struct host_device **d,
                                     CUresult *error)
{
    struct driver *dr = driver_enter_context(call, d, error);
    if (!*error)
        *error = driver_check(dr, HOLDS_FUNCTION, f);
    return dr;
}

CUresult cuFuncSetBlockShape(CUfunction f, int x, int y, int z)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_function("cuFuncSetBlockShape", f, &d, &error);
    if (!error && (x < 1 || y < 1 || z < 1))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE, "a block of %d,%d,%d has no threads", x,
                              y, z);
    if (!error) {
        f->block[0] = (uint32_t)x;
        f->block[1] = (uint32_t)y;
        f->block[2] = (uint32_t)z;
    }
    return driver_leave(dr, error);
}

CUresult cuFuncSetSharedSize(CUfunction f, unsigned bytes)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_function("cuFuncSetSharedSize", f, &d, &error);
    if (!error)
        f->shared = bytes;
    return driver_leave(dr, error);
}

CUresult cuFuncSetCacheConfig(CUfunction f, CUfunc_cache config)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_function("cuFuncSetCacheConfig", f, &d, &error);
    if (!error && (unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL) /* nothing to choose here */
        error = CUDA_ERROR_INVALID_VALUE;
    return driver_leave(dr, error);
}

static CUresult set(const char *call, CUfunction f, int offset, const void *from, unsigned bytes)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_function(call, f, &d, &error);
    if (!error && !from && bytes)
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error && (offset < 0 || (unsigned)offset > sizeof f->param ||
                   bytes > sizeof f->param - (unsigned)offset))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                              "%u bytes at %d: the parameters of a launch have %zu", bytes, offset,
                              sizeof f->param);
    if (!error && bytes)
        memcpy(f->param + offset, from, bytes);
    return driver_leave(dr, error);
}

CUresult cuParamSetv(CUfunction f, int offset, void *from, unsigned bytes)
{
    return set("cuParamSetv", f, offset, from, bytes);
}

CUresult cuParamSeti(CUfunction f, int offset, unsigned value)
{
    return set("cuParamSeti", f, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction f, int offset, float value)
{
    return set("cuParamSetf", f, offset, &value, sizeof value);
}

CUresult cuParamSetSize(CUfunction f, unsigned bytes)
{
    CUresult error = set("cuParamSetSize", f, 0, bytes ? "" : NULL, 0);
    if (error)
        return error;
    if (bytes > sizeof f->param)
        return set("cuParamSetSize", f, 0, f->param, bytes);
    f->size = bytes;
    return CUDA_SUCCESS;
}

static CUresult launch(const char *call, CUfunction f, int x, int y, CUstream stream)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_function(call, f, &d, &error);
    const uint32_t grid[3] = {(uint32_t)x, (uint32_t)y, 1};
    if (!error)
        error = driver_check_stream(dr, stream);
    if (!error && (x < 1 || y < 1))
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE, "a grid of %d,%d has no blocks", x, y);
    return driver_leave(dr, error ? error
                                  : run(dr, d, f, grid, f->block, f->shared, f->param, f->size));
}

CUresult cuLaunch(CUfunction f)
{
    return launch("cuLaunch", f, 1, 1, NULL);
}

CUresult cuLaunchGrid(CUfunction f, int x, int y)
{
    return launch("cuLaunchGrid", f, x, y, NULL);
}

CUresult cuLaunchGridAsync(CUfunction f, int x, int y, CUstream stream)
{
    return launch("cuLaunchGridAsync", f, x, y, stream);
}

/* ---- what a function needs ---- */

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction f)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = enter_function("cuFuncGetAttribute", f, &d, &error);
    if (!error && !value)
        error = CUDA_ERROR_INVALID_VALUE;
    if (error)
        return driver_leave(dr, error);
    const struct cubin_kernel *k = &d->job.cubin->kernel[f->kernel];
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = host_block_threads(d, f->kernel, false);
        break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)k->shared_bytes; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)k->const1_size; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)k->local_bytes; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = k->regs; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = 10; break;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA: *value = 0; break;
    case CU_FUNC_ATTRIBUTE_MAX:
    default:
        error = driver_refuse(dr, CUDA_ERROR_INVALID_VALUE, "%d is no attribute of a function",
                              (int)attribute);
    }
    return driver_leave(dr, error);
}
