/* launch.c -- kernels: configured, given arguments, run. */
#include "internal.h"

#include "base/mangled.h"
#include <stdlib.h>
#include <string.h>

static const struct kernel_stub *find_stub(const struct cudart *rt, const void *stub)
{
    for (int i = 0; i < rt->nstubs; i++)
        if (rt->stub[i].stub == stub)
            return &rt->stub[i];
    for (int i = 0; i < rt->nstubs; i++) /* programs of CUDA 4 give the name */
        if (stub && strcmp(rt->stub[i].name, stub) == 0)
            return &rt->stub[i];
    return NULL;
}

static cudaError_t find_kernel(const struct cudart *rt, const void *stub, int *kernel)
{
    const struct kernel_stub *s = find_stub(rt, stub);
    if (!s)
        return cudart_refuse(
            rt, cudaErrorInvalidDeviceFunction,
            "this is not a kernel of the program; pass the name of a __global__ function");
    const int module = rt->image[s->image].module;
    *kernel = s->own ? host_find_kernel(&rt->d, module, s->own) : -1;
    if (*kernel < 0)
        *kernel = host_find_kernel(&rt->d, module, s->name);
    size_t length;
    const char *plain = fl_source_name(s->name, &length);
    if (*kernel < 0)
        return cudart_refuse(
            rt, cudaErrorInvalidDeviceFunction,
            "kernel '%.*s' is not in the program, since smcc could not compile it; "
            "correct what the warning of smcc names, and build the program again",
            (int)length, plain);
    return cudaSuccess;
}

/* ---- running ---- */

/* The arguments as the kernel has them, in their order. Returns their end; -1: see err. */
static int pack(const struct cubin_kernel *k, const struct configuration *c,
                uint8_t words[4 * JOB_MAX_PARAMS], struct fl_err *err)
{
    enum { BYTES = 4 * JOB_MAX_PARAMS };
    const uint8_t *from = c->bytes.data;
    size_t given = c->sizes.size / sizeof(size_t), end = 0;
    if (given != (size_t)k->nparams)
        return fl_fail(err, "kernel '%s' takes %d arguments, not %zu", k->name, k->nparams, given);
    for (int i = 0; i < k->nparams; i++) {
        const struct cubin_param *p = &k->param[i];
        size_t size;
        memcpy(&size, c->sizes.data + (size_t)i * sizeof size, sizeof size);
        if (size != p->size || p->offset > BYTES || size > BYTES - p->offset)
            return fl_fail(err,
                           "argument %d of kernel '%s' has %u bytes at 0x%x, not %zu; a launch "
                           "takes %d in all",
                           i + 1, k->name, p->size, p->offset, size, BYTES);
        memcpy(words + p->offset, from, size);
        from += size;
        end = p->offset + size > end ? p->offset + size : end;
    }
    return (int)end;
}

static cudaError_t run(struct cudart *rt, int kernel, const struct configuration *c)
{
    struct host_device *d = &rt->d;
    uint8_t words[4 * JOB_MAX_PARAMS] = {0};
    struct job_param param[JOB_MAX_PARAMS];
    struct fl_err err;
    struct job_launch l = {.param = param};
    cudart_send_managed(rt);
    const uint32_t grid[3] = {c->grid.x, c->grid.y, c->grid.z},
                   block[3] = {c->block.x, c->block.y, c->block.z};
    enum host_error error = host_prepare(d, kernel, grid, block, c->shared, &l);
    if (error)
        return cudart_error(error);
    if (cudart_bind(rt, &err))
        return cudart_refuse(rt, cudaErrorInvalidTexture, "%s", err.msg);
    int size = pack(&d->job.cubin->kernel[kernel], c, words, &err);
    if (size >= 0 && cudart_bind_objects(rt, &d->job.cubin->kernel[kernel], words, &err))
        return cudart_refuse(rt, cudaErrorInvalidTexture, "%s", err.msg);
    error = size < 0 ? host_refuse_launch(d, &l, err.msg) : host_run(d, &l, words, (size_t)size);
    cudart_close_managed(rt);
    rt->dead = cudart_error(d->dead);
    return cudart_error(error);
}

/* ---- configurations ---- */

static struct configuration *top(void)
{
    struct cudart_thread *t = cudart_thread();
    return t->nconfigurations ? &t->configuration[t->nconfigurations - 1] : NULL;
}

static cudaError_t push(dim3 grid, dim3 block, size_t shared)
{
    struct cudart_thread *t = cudart_thread();
    if (t->nconfigurations == MAX_CONFIGURATIONS)
        return cudaErrorInvalidConfiguration;
    t->configuration[t->nconfigurations++] = (struct configuration){
        .grid = grid, .block = block, .shared = shared};
    return cudaSuccess;
}

static void pop(void)
{
    struct cudart_thread *t = cudart_thread();
    struct configuration *c = &t->configuration[--t->nconfigurations];
    fl_buf_free(&c->sizes);
    fl_buf_free(&c->bytes);
}

cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared, cudaStream_t stream)
{
    struct cudart *rt = cudart_enter_device("cudaConfigureCall");
    cudaError_t error = cudart_check_stream(rt, stream);
    return cudart_leave(rt, error ? error : push(grid, block, shared));
}

/* The next argument: where the kernel has it is known at the launch. */
cudaError_t cudaSetupArgument(const void *argument, size_t size, size_t offset)
{
    struct cudart *rt = cudart_enter("cudaSetupArgument");
    struct configuration *c = top();
    (void)offset; /* in the host's own layout */
    if (!c)
        return cudart_leave(rt, cudaErrorMissingConfiguration);
    if (!argument)
        return cudart_leave(rt, cudaErrorInvalidValue);
    fl_buf_add(&c->sizes, &size, sizeof size);
    fl_buf_add(&c->bytes, argument, size);
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaLaunch(const void *stub)
{
    struct cudart *rt = cudart_enter_device("cudaLaunch");
    int kernel;
    if (!top())
        return cudart_leave(rt, cudaErrorMissingConfiguration);
    cudaError_t error = rt->dead ? rt->dead : find_kernel(rt, stub, &kernel);
    if (!error)
        error = run(rt, kernel, top());
    pop();
    return cudart_leave(rt, error);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                     struct cudaStream *stream)
{
    return cudaConfigureCall(grid, block, shared, stream);
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    struct cudart *rt = cudart_enter("__cudaPopCallConfiguration");
    if (!top())
        return cudart_leave(rt, cudaErrorMissingConfiguration);
    *grid = top()->grid;
    *block = top()->block;
    *shared = top()->shared;
    *(cudaStream_t *)stream = NULL;
    pop();
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **arguments,
                             size_t shared, cudaStream_t stream)
{
    struct cudart *rt = cudart_enter_device("cudaLaunchKernel");
    int kernel;
    cudaError_t error = rt->dead ? rt->dead : cudart_check_stream(rt, stream);
    if (!error)
        error = find_kernel(rt, stub, &kernel);
    struct configuration c = {.grid = grid, .block = block, .shared = shared};
    const struct cubin_kernel *k = error ? NULL : &rt->d.job.cubin->kernel[kernel];
    for (int i = 0; k && i < k->nparams; i++) {
        size_t size = k->param[i].size;
        fl_buf_add(&c.sizes, &size, sizeof size);
        fl_buf_add(&c.bytes, arguments[i], size);
    }
    if (!error)
        error = run(rt, kernel, &c);
    fl_buf_free(&c.sizes);
    fl_buf_free(&c.bytes);
    return cudart_leave(rt, error);
}

/* ---- what a kernel needs ---- */

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *stub)
{
    struct cudart *rt = cudart_enter_device("cudaFuncGetAttributes");
    int kernel;
    cudaError_t error = rt->dead ? rt->dead
                        : out    ? find_kernel(rt, stub, &kernel)
                                 : cudaErrorInvalidValue;
    if (error)
        return cudart_leave(rt, error);
    const struct cubin_kernel *k = &rt->d.job.cubin->kernel[kernel];
    *out = (struct cudaFuncAttributes){
        .sharedSizeBytes = k->shared_bytes,
        .constSizeBytes = k->const1_size,
        .localSizeBytes = k->local_bytes,
        .maxThreadsPerBlock = host_block_threads(&rt->d, kernel, false),
        .numRegs = k->regs,
        .ptxVersion = 10,
        .binaryVersion = 10};
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub,
                                                          int threads, size_t shared)
{
    struct cudart *rt = cudart_enter_device("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    int kernel;
    cudaError_t error = rt->dead                 ? rt->dead
                        : blocks && threads >= 1 ? find_kernel(rt, stub, &kernel)
                                                 : cudaErrorInvalidValue;
    if (!error)
        *blocks = host_blocks_of_sm(&rt->d, kernel, threads, shared);
    return cudart_leave(rt, error);
}

/* This machine has nothing to choose; the kernel must be one of the program. */
static cudaError_t choose(const char *call, const void *stub)
{
    struct cudart *rt = cudart_enter_device(call);
    int kernel;
    return cudart_leave(rt, rt->dead ? rt->dead : find_kernel(rt, stub, &kernel));
}

cudaError_t cudaFuncSetCacheConfig(const void *stub, enum cudaFuncCache config)
{
    (void)config;
    return choose("cudaFuncSetCacheConfig", stub);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *stub, enum cudaSharedMemConfig config)
{
    (void)config;
    return choose("cudaFuncSetSharedMemConfig", stub);
}
