/* module.c -- modules: cubins from files and from memory; their functions and variables. */
#include "internal.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* Of the structure by which programs hold a fat binary of nvcc. */
static const uint32_t wrapper = 0x466243b1;

/* What an image is that is no cubin; -1 for one that may be. */
static CUresult check_image(const struct driver *dr, const void *image)
{
    uint32_t magic;
    memcpy(&magic, image, SELFMAG);
    if (magic == wrapper)
        return driver_refuse(dr, CUDA_ERROR_NO_BINARY_FOR_GPU,
                             "this holds a fat binary; load the fat binary itself, or a cubin");
    if (host_is_fat(image) || memcmp(image, ELFMAG, SELFMAG) == 0)
        return CUDA_SUCCESS;
    const char *text = image;
    while (*text == ' ' || *text == '\n' || *text == '\t' || *text == '\r')
        text++;
    if (strncmp(text, "//", 2) == 0 || strncmp(text, ".version", 8) == 0)
        return driver_refuse(dr, CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
                             "this is PTX, which smcc compiles and no program at run time; compile "
                             "the kernels to a cubin with smcc");
    return driver_refuse(dr, CUDA_ERROR_INVALID_IMAGE, "the image is no cubin: it is no ELF file");
}

static CUresult load(struct driver *dr, struct host_device *d, const void *bytes, size_t size,
                     CUmodule *out)
{
    struct fl_err err;
    if (host_is_fat(bytes))
        bytes = host_choose_cubin(bytes, size, dr->profile.capability, &size);
    if (!bytes)
        return driver_refuse(dr, CUDA_ERROR_NO_BINARY_FOR_GPU,
                             "the fat binary has no code for compute capability 1.x; compile the "
                             "kernels to a cubin with smcc, or with nvcc -arch=sm_10");
    int number = host_load(d, bytes, size, &err);
    if (number < 0)
        return driver_refuse(dr, CUDA_ERROR_INVALID_IMAGE, "%s", err.msg);
    CUmodule m = fl_alloc(sizeof *m);
    driver_hold(dr, HOLDS_MODULE, m);
    m->number = number;
    *out = m;
    return CUDA_SUCCESS;
}

static CUresult load_data(const char *call, CUmodule *out, const void *image)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context(call, &d, &error);
    if (!error && (!out || !image))
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error)
        error = check_image(dr, image);
    if (!error)
        error = load(dr, d, image, host_image_size(image), out);
    return driver_leave(dr, error);
}

CUresult cuModuleLoadData(CUmodule *out, const void *image)
{
    return load_data("cuModuleLoadData", out, image);
}

/* Options are for a compiler; their logs are empty. */
CUresult cuModuleLoadDataEx(CUmodule *out, const void *image, unsigned count, CUjit_option *options,
                            void **values)
{
    const bool wrong = count && (!options || !values);
    for (unsigned i = 0; i < count && !wrong; i++)
        if (options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER) {
            char *log = values[i];
            if (log)
                *log = 0;
        } else if (options[i] == CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES ||
                   options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
            values[i] = NULL; /* so many bytes were written */
        }
    return load_data("cuModuleLoadDataEx", wrong ? NULL : out, image);
}

CUresult cuModuleLoad(CUmodule *out, const char *file)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuModuleLoad", &d, &error);
    struct fl_buf bytes = {0};
    struct fl_err err;
    if (!error && (!out || !file))
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error && fl_read_file(file, &bytes, &err))
        error = driver_refuse(dr, CUDA_ERROR_FILE_NOT_FOUND, "%s", err.msg);
    if (!error) {
        size_t size = bytes.size;
        fl_buf_add(&bytes, "\0\0\0", 4); /* a short one is looked at, too */
        error = check_image(dr, bytes.data);
        if (!error)
            error = load(dr, d, bytes.data, size, out);
    }
    fl_buf_free(&bytes);
    return driver_leave(dr, error);
}

CUresult cuModuleUnload(CUmodule module)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuModuleUnload", &d, &error);
    if (!error)
        error = driver_check(dr, HOLDS_MODULE, module);
    if (!error) {
        host_unload(d, module->number);
        driver_drop(dr, HOLDS_MODULE, module);
    }
    return driver_leave(dr, error);
}

/* The function that the program has got already, or a new one. */
static CUfunction function_of(struct driver *dr, CUmodule module, int kernel)
{
    for (int i = 0; i < dr->held.count; i++) {
        CUfunction f = dr->held.thing[i].at;
        if (dr->held.thing[i].kind == HOLDS_FUNCTION && f->module == module && f->kernel == kernel)
            return f;
    }
    CUfunction f = fl_alloc(sizeof *f);
    driver_hold(dr, HOLDS_FUNCTION, f);
    f->module = module;
    f->kernel = kernel;
    for (int i = 0; i < 3; i++)
        f->block[i] = 1;
    return f;
}

CUresult cuModuleGetFunction(CUfunction *out, CUmodule module, const char *name)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuModuleGetFunction", &d, &error);
    if (!error && (!out || !name))
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error)
        error = driver_check(dr, HOLDS_MODULE, module);
    if (error)
        return driver_leave(dr, error);
    int kernel = host_find_kernel(d, module->number, name);
    if (kernel < 0)
        return driver_leave(dr, driver_refuse(dr, CUDA_ERROR_NOT_FOUND,
                                              "the module has no kernel '%s'; smrun --list shows "
                                              "those of a cubin",
                                              name));
    *out = function_of(dr, module, kernel);
    return driver_leave(dr, CUDA_SUCCESS);
}

CUresult cuModuleGetGlobal(CUdeviceptr *at, size_t *bytes, CUmodule module, const char *name)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuModuleGetGlobal", &d, &error);
    struct host_place p;
    if (!error && !name)
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error)
        error = driver_check(dr, HOLDS_MODULE, module);
    if (!error && !host_find_variable(d, module->number, name, &p))
        error = driver_refuse(dr, CUDA_ERROR_NOT_FOUND, "no kernel of the module uses '%s'", name);
    if (!error && at)
        *at = p.buffer >= 0 ? d->job.buffer[p.buffer].addr
                            : driver_constant(module->number, p.offset);
    if (!error && bytes)
        *bytes = p.size;
    return driver_leave(dr, error);
}
