/* cudart.c -- the runtime library's state, how calls begin and end, and what a program registers before main().
 *
 * The interface names no context, so there is one state for the process: the only one of the project. A machine is made by the first call
 * that needs a device, and the recorded job is written when the process ends.
 */
#include "internal.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct cudart runtime = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                .process = {.gives = "cudaMalloc"}};
static _Thread_local struct cudart_thread thread;

struct cudart_thread *cudart_thread(void)
{
    return &thread;
}

/* ---- calls ---- */

cudaError_t cudart_refuse(const struct cudart *rt, cudaError_t error, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    host_say(&rt->process, fmt, ap);
    va_end(ap);
    return error;
}

cudaError_t cudart_error(enum host_error error)
{
    static const cudaError_t number[] = {[HOST_OK] = cudaSuccess,
                                         [HOST_INVALID_VALUE] = cudaErrorInvalidValue,
                                         [HOST_INVALID_POINTER] = cudaErrorInvalidDevicePointer,
                                         [HOST_INVALID_LAUNCH] = cudaErrorInvalidConfiguration,
                                         [HOST_NO_MEMORY] = cudaErrorMemoryAllocation,
                                         [HOST_NO_REGISTERS] = cudaErrorLaunchOutOfResources,
                                         [HOST_NOT_STARTED] = cudaErrorInitializationError,
                                         [HOST_NEVER_ENDS] = cudaErrorLaunchTimeout,
                                         [HOST_ASSERTED] = cudaErrorAssert,
                                         [HOST_UNKNOWN] = cudaErrorUnknown};
    return error >= HOST_TRAPPED && error <= HOST_STACK_ERROR ? cudaErrorLaunchFailure
                                                              : number[error];
}

struct cudart *cudart_enter(const char *call)
{
    struct cudart *rt = &runtime;
    pthread_mutex_lock(&rt->lock);
    rt->process.call = call;
    return rt;
}

cudaError_t cudart_leave(struct cudart *rt, cudaError_t error)
{
    if (error != cudaSuccess && error != cudaErrorNotReady)
        thread.last = error;
    pthread_mutex_unlock(&rt->lock);
    return error;
}

/* ---- what the program holds ---- */

bool cudart_drop(struct cudart *rt, enum cudart_kind kind, void *at)
{
    if (!host_drop(&rt->held, kind, at))
        return false;
    if (kind != HOLDS_REGISTERED) /* that is the program's own */
        free(at);
    return true;
}

cudaError_t cudart_check_stream(const struct cudart *rt, cudaStream_t stream)
{
    if (!stream || host_holds(&rt->held, HOLDS_STREAM, stream))
        return cudaSuccess;
    return cudart_refuse(rt, cudaErrorInvalidResourceHandle,
                         "%p is no stream: cudaStreamCreate makes one, and cudaStreamDestroy and "
                         "cudaDeviceReset end it",
                         (void *)stream);
}

/* Streams, events and arrays end with the device; memory of the host stays. */
static void drop_held(struct cudart *rt)
{
    for (int i = rt->held.count; i-- > 0;)
        if (rt->held.thing[i].kind < HOLDS_HOST_MEMORY)
            cudart_drop(rt, (enum cudart_kind)rt->held.thing[i].kind, rt->held.thing[i].at);
}

/* ---- the device ---- */

static int start_device(struct cudart *rt, struct fl_err *err)
{
    if (!rt->nimages)
        return fl_fail(err, "the program holds no kernels; build it with smcc --exe");
    if (host_open(&rt->d, &rt->process, err))
        return -1;
    for (int i = 0; i < rt->nimages; i++) {
        size_t size;
        const void *cubin = host_choose_cubin(rt->image[i].bytes, rt->image[i].size,
                                              rt->d.job.profile.capability, &size);
        if (!cubin)
            return fl_fail(err,
                           "a fat binary of the program has no code for compute capability 1.x; "
                           "build the program with smcc --exe, or nvcc -arch=sm_10");
        if ((rt->image[i].module = host_load(&rt->d, cubin, size, err)) < 0)
            return -1;
    }
    return rt->d.job.cubin->m64
               ? 0
               : fl_fail(err, "the kernels were compiled for pointers of 32 bits, the program has "
                              "64: build it with smcc --exe");
}

static void close_device(struct cudart *rt)
{
    cudart_drop_managed(rt);
    host_close_record(&rt->d);
    host_close(&rt->d);
    for (int i = 0; i < rt->ntextures; i++)
        rt->texture[i].bound.texture.width = 0;
    drop_held(rt);
    rt->started = false;
    rt->dead = cudaSuccess;
}

struct cudart *cudart_enter_device(const char *call)
{
    struct cudart *rt = cudart_enter(call);
    struct fl_err err;
    if (!rt->started) {
        rt->started = true;
        rt->d = (struct host_device){.process = &rt->process, .owner = getpid()};
        if (start_device(rt, &err))
            rt->dead = cudart_refuse(rt, cudaErrorInitializationError, "%s", err.msg);
        else
            cudart_take_managed_variables(rt);
    } else if (getpid() != rt->d.owner) {
        rt->dead = cudaErrorInitializationError;
        if (!rt->fork_reported)
            cudart_refuse(
                rt, rt->dead,
                "a child of fork has no device: let it call CUDA before its parent does, or start "
                "it by exec");
        rt->fork_reported = true;
    }
    return rt;
}

cudaError_t cudaDeviceReset(void)
{
    struct cudart *rt = cudart_enter("cudaDeviceReset");
    if (rt->started && getpid() == rt->d.owner)
        close_device(rt);
    thread.last = cudaSuccess;
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

/* ---- errors ---- */

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define X(name, number, text) {name, #name, text},
    CUDA_ERRORS(X)
#undef X
};

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].text;
    return "unrecognized error code";
}

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].error == error)
            return errors[i].name;
    return "unrecognized error code";
}

cudaError_t cudaPeekAtLastError(void)
{
    struct cudart *rt = cudart_enter("cudaPeekAtLastError");
    cudaError_t error = rt->dead ? rt->dead : thread.last;
    pthread_mutex_unlock(&rt->lock);
    return error;
}

cudaError_t cudaGetLastError(void)
{
    struct cudart *rt = cudart_enter("cudaGetLastError");
    cudaError_t error = rt->dead ? rt->dead : thread.last;
    thread.last = cudaSuccess;
    pthread_mutex_unlock(&rt->lock);
    return error;
}

/* ---- what clang makes a program call before main() and behind it ---- */

#pragma GCC visibility push(default)
void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const void *stub, char *device_stub, const char *name,
                            int threads, void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, const void *shadow, char *address, const char *name,
                       int external, size_t size, int constant, int global);
void __cudaRegisterSurface(void);
void __cudaRegisterManagedVar(void);
#pragma GCC visibility pop

/* A host that reads or writes memory of the device at its address: there is nothing. */
static void wrong_address(int signal, siginfo_t *info, void *context)
{
    (void)context;
    const struct cudart *rt = &runtime;
    uintptr_t at = (uintptr_t)info->si_addr;
    char text[200];
    if (rt->started && at >= JOB_BASE && at < rt->d.next) {
        int n = snprintf(text, sizeof text,
                         "faultline: the host touches 0x%" PRIxPTR ", which is %s\n", at,
                         cudart_is_managed(rt, info->si_addr)
                             ? "managed memory that a kernel may be using: call "
                               "cudaDeviceSynchronize first"
                             : "memory of the device: copy it with cudaMemcpy");
        (void)!write(STDERR_FILENO, text, (size_t)n);
    }
    struct sigaction ordinary = {.sa_handler = SIG_DFL};
    sigaction(signal, &ordinary, NULL); /* again, and then for good */
}

static void at_exit(void)
{
    struct cudart *rt = cudart_enter("exit");
    if (rt->started)
        host_close_record(&rt->d);
    if (rt->started && getpid() == rt->d.owner)
        watch_close(&rt->d.machine.watch);
    pthread_mutex_unlock(&rt->lock);
}

static void watch_addresses(void)
{
    struct sigaction now, then = {.sa_sigaction = wrong_address, .sa_flags = SA_SIGINFO};
    if (sigaction(SIGSEGV, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        sigaction(SIGSEGV, &then, NULL);
}

void **__cudaRegisterFatBinary(const void *wrapper)
{
    struct cudart *rt = cudart_enter("__cudaRegisterFatBinary");
    const void *bytes;
    memcpy(&bytes, (const char *)wrapper + 8, sizeof bytes);
    const unsigned char *ident = bytes;
    const bool is_elf = memcmp(bytes, ELFMAG, SELFMAG) == 0;
    const size_t head = is_elf ? EI_NIDENT : 0, size = host_image_size(bytes);
    int i = 0; /* files of one smcc --exe hold the same */
    if (!rt->nimages) {
        watch_addresses();
        atexit(at_exit);
    }
    while (i < rt->nimages &&
           (rt->image[i].size != size ||
            memcmp((const char *)rt->image[i].bytes + head, ident + head, size - head)))
        i++;
    if (i == rt->nimages) {
        FL_ROOM(rt->image, rt->nimages, rt->image_room, 4);
        rt->image[rt->nimages++] = (struct image){bytes, size, -1};
    }
    pthread_mutex_unlock(&rt->lock);
    /* which of its files this is: smcc has written it there */
    int file = is_elf ? ident[EI_NIDENT - 2] | ident[EI_NIDENT - 1] << 8 : 0;
    return (void **)(intptr_t)(file << 16 | (i + 1));
}

static int image_of(void **handle)
{
    return (int)((intptr_t)handle & 0xffff) - 1;
}

char *cudart_own_name(void **handle, const char *name)
{
    int file = (int)((intptr_t)handle >> 16);
    return file ? fl_format("%s_%d", name, file + 1) : NULL;
}

void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

void __cudaRegisterFunction(void **handle, const void *stub, char *device_stub, const char *name,
                            int threads, void *tid, void *bid, void *block, void *grid, int *warp)
{
    (void)device_stub, (void)threads, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    struct cudart *rt = cudart_enter("__cudaRegisterFunction");
    FL_ROOM(rt->stub, rt->nstubs, rt->stub_room, 16);
    rt->stub[rt->nstubs++] = (struct kernel_stub){stub, fl_strdup(name), image_of(handle),
                                                  cudart_own_name(handle, name)};
    pthread_mutex_unlock(&rt->lock);
}

void __cudaRegisterVar(void **handle, const void *shadow, char *address, const char *name,
                       int external, size_t size, int constant, int global)
{
    (void)address, (void)external, (void)global;
    struct cudart *rt = cudart_enter("__cudaRegisterVar");
    FL_ROOM(rt->symbol, rt->nsymbols, rt->symbol_room, 16);
    rt->symbol[rt->nsymbols++] = (struct symbol){
        shadow, fl_strdup(name), cudart_own_name(handle, name), image_of(handle), false};
    if (!constant)
        cudart_note_managed(rt, &rt->symbol[rt->nsymbols - 1], (void *)(uintptr_t)shadow, size);
    pthread_mutex_unlock(&rt->lock);
}

/* The kernels that use one are not in the cubin: smcc has said so. */
void __cudaRegisterSurface(void)
{
}

void __cudaRegisterManagedVar(void)
{
}
