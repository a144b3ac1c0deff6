/* driver.c -- the driver API's state, errors, the device, contexts. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_CURRENT = 64 };

static struct driver driver = {.lock = PTHREAD_MUTEX_INITIALIZER,
                               .process = {.gives = "cuMemAlloc"}};
static _Thread_local struct {
    CUcontext at[MAX_CURRENT];
    int count;
} current;

/* ---- calls ---- */

struct driver *driver_enter(const char *call)
{
    pthread_mutex_lock(&driver.lock);
    driver.process.call = call;
    return &driver;
}

CUresult driver_leave(struct driver *dr, CUresult error)
{
    pthread_mutex_unlock(&dr->lock);
    return error;
}

CUresult driver_refuse(const struct driver *dr, CUresult error, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    host_say(&dr->process, fmt, ap);
    va_end(ap);
    return error;
}

_Static_assert((int)SM_ERROR_ILLEGAL_ADDRESS == (int)CUDA_ERROR_ILLEGAL_ADDRESS &&
                   (int)SM_ERROR_HARDWARE_STACK_ERROR == (int)CUDA_ERROR_HARDWARE_STACK_ERROR &&
                   (int)SM_ERROR_ILLEGAL_INSTRUCTION == (int)CUDA_ERROR_ILLEGAL_INSTRUCTION &&
                   (int)SM_ERROR_MISALIGNED_ADDRESS == (int)CUDA_ERROR_MISALIGNED_ADDRESS &&
                   (int)SM_ERROR_INVALID_PC == (int)CUDA_ERROR_INVALID_PC &&
                   (int)SM_ERROR_LAUNCH_FAILED == (int)CUDA_ERROR_LAUNCH_FAILED,
               "sm/state.h has the numbers of cuda.h");

CUresult driver_error(enum host_error error)
{
    static const CUresult number[] = {[HOST_OK] = CUDA_SUCCESS,
                                      [HOST_INVALID_VALUE] = CUDA_ERROR_INVALID_VALUE,
                                      [HOST_INVALID_POINTER] = CUDA_ERROR_INVALID_VALUE,
                                      [HOST_INVALID_LAUNCH] = CUDA_ERROR_INVALID_VALUE,
                                      [HOST_NO_MEMORY] = CUDA_ERROR_OUT_OF_MEMORY,
                                      [HOST_NO_REGISTERS] = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
                                      [HOST_NOT_STARTED] = CUDA_ERROR_NOT_INITIALIZED,
                                      [HOST_TRAPPED] = CUDA_ERROR_LAUNCH_FAILED,
                                      [HOST_ILLEGAL_ADDRESS] = CUDA_ERROR_ILLEGAL_ADDRESS,
                                      [HOST_MISALIGNED_ADDRESS] = CUDA_ERROR_MISALIGNED_ADDRESS,
                                      [HOST_ILLEGAL_INSTRUCTION] = CUDA_ERROR_ILLEGAL_INSTRUCTION,
                                      [HOST_INVALID_PC] = CUDA_ERROR_INVALID_PC,
                                      [HOST_STACK_ERROR] = CUDA_ERROR_HARDWARE_STACK_ERROR,
                                      [HOST_ASSERTED] = CUDA_ERROR_ASSERT,
                                      [HOST_NEVER_ENDS] = CUDA_ERROR_LAUNCH_TIMEOUT,
                                      [HOST_UNKNOWN] = CUDA_ERROR_UNKNOWN};
    return number[error];
}

static CUresult check_initialized(const struct driver *dr)
{
    if (!dr->initialized)
        return driver_refuse(dr, CUDA_ERROR_NOT_INITIALIZED, "call cuInit first");
    if (getpid() != dr->owner)
        return driver_refuse(dr, CUDA_ERROR_NOT_INITIALIZED,
                             "a child of fork has no device: let it call cuInit before its parent "
                             "does, or start it by exec");
    return CUDA_SUCCESS;
}

CUcontext driver_current(void)
{
    return current.count ? current.at[current.count - 1] : NULL;
}

struct driver *driver_enter_context(const char *call, struct host_device **d, CUresult *error)
{
    struct driver *dr = driver_enter(call);
    CUcontext c = driver_current();
    *d = NULL;
    if ((*error = check_initialized(dr)))
        return dr;
    if (!c)
        *error = driver_refuse(dr, CUDA_ERROR_INVALID_CONTEXT,
                               "no context is current; call cuCtxCreate or cuCtxSetCurrent");
    else if (!host_holds(&dr->held, HOLDS_CONTEXT, c))
        *error = driver_refuse(dr, CUDA_ERROR_CONTEXT_IS_DESTROYED,
                               "the current context has been destroyed; make another one current");
    else if (!(*error = driver_error(c->d.dead)))
        *d = &c->d;
    return dr;
}

/* ---- what the program holds ---- */

static CUcontext context_of(const struct host_thing *t)
{
    return t->kind == HOLDS_CONTEXT || t->kind == HOLDS_HOST_MEMORY ? NULL : *(CUcontext *)t->at;
}

void driver_hold(struct driver *dr, enum driver_kind kind, void *thing)
{
    host_hold(&dr->held, kind, thing);
    if (kind != HOLDS_HOST_MEMORY)
        *(CUcontext *)thing = driver_current();
}

void driver_drop(struct driver *dr, enum driver_kind kind, void *thing)
{
    for (int i = dr->held.count; i-- > 0 && kind == HOLDS_MODULE;) {
        struct host_thing t = dr->held.thing[i];
        if ((t.kind == HOLDS_FUNCTION && ((CUfunction)t.at)->module == thing) ||
            (t.kind == HOLDS_TEXTURE && ((CUtexref)t.at)->module == thing))
            driver_drop(dr, (enum driver_kind)t.kind, t.at);
    }
    host_drop(&dr->held, kind, thing);
    free(thing);
}

CUresult driver_check(const struct driver *dr, enum driver_kind kind, const void *thing)
{
    static const char *const what[] = {[HOLDS_MODULE] = "module",
                                       [HOLDS_FUNCTION] = "function",
                                       [HOLDS_TEXTURE] = "texture reference",
                                       [HOLDS_STREAM] = "stream",
                                       [HOLDS_EVENT] = "event"};
    const struct host_thing t = {kind, (void *)(uintptr_t)thing};
    if (host_holds(&dr->held, kind, thing) && context_of(&t) == driver_current())
        return CUDA_SUCCESS;
    return driver_refuse(dr, CUDA_ERROR_INVALID_HANDLE,
                         "%p is no %s of the current context, or none any more", thing, what[kind]);
}

CUresult driver_check_stream(const struct driver *dr, CUstream stream)
{
    return stream ? driver_check(dr, HOLDS_STREAM, stream) : CUDA_SUCCESS;
}

/* ---- start and end, errors ---- */

static void at_exit(void)
{
    struct driver *dr = driver_enter("exit");
    for (int i = 0; i < dr->held.count && getpid() == dr->owner; i++) {
        if (dr->held.thing[i].kind != HOLDS_CONTEXT)
            continue;
        struct host_device *d = &((CUcontext)dr->held.thing[i].at)->d;
        host_close_record(d);
        watch_close(&d->machine.watch);
    }
    driver_leave(dr, CUDA_SUCCESS);
}

CUresult cuInit(unsigned flags)
{
    struct driver *dr = driver_enter("cuInit");
    struct fl_err err;
    if (flags)
        return driver_leave(
            dr, driver_refuse(dr, CUDA_ERROR_INVALID_VALUE, "%u are no flags; pass 0", flags));
    if (dr->initialized)
        return driver_leave(dr, check_initialized(dr));
    if (profile_load(host_profile(), &dr->profile, &err))
        return driver_leave(dr, driver_refuse(dr, CUDA_ERROR_NO_DEVICE, "%s", err.msg));
    dr->initialized = true;
    dr->owner = getpid();
    atexit(at_exit);
    return driver_leave(dr, CUDA_SUCCESS);
}

static const struct {
    CUresult error;
    const char *name, *text;
} errors[] = {
#define X(name, number, text) {name, #name, text},
    CUDA_DRIVER_ERRORS(X)
#undef X
};

static int find_error(CUresult error)
{
    int i = (int)(sizeof errors / sizeof *errors);
    while (i-- > 0 && errors[i].error != error)
        ;
    return i;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
    int i = find_error(error);
    if (name)
        *name = i < 0 ? NULL : errors[i].name;
    return name && i >= 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
    int i = find_error(error);
    if (text)
        *text = i < 0 ? NULL : errors[i].text;
    return text && i >= 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDriverGetVersion(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

/* ---- the device: there is one ---- */

/* Of a call that is given the device, and a place for the answer. */
static CUresult ask(const char *call, CUdevice device, const void *place)
{
    struct driver *dr = driver_enter(call);
    CUresult error = check_initialized(dr);
    if (!error && device != 0)
        error = driver_refuse(dr, CUDA_ERROR_INVALID_DEVICE, "device %d does not exist; use 0",
                              device);
    return driver_leave(dr, error ? error : place ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuDeviceGetCount(int *count)
{
    CUresult error = ask("cuDeviceGetCount", 0, count);
    if (!error)
        *count = 1;
    return error;
}

CUresult cuDeviceGet(CUdevice *device, int number)
{
    CUresult error = ask("cuDeviceGet", number, device);
    if (!error)
        *device = 0;
    return error;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device)
{
    CUresult error = ask("cuDeviceGetName", device, name);
    if (!error && size <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!error)
        snprintf(name, (size_t)size, "Faultline %s", driver.profile.name);
    return error;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    CUresult error = ask("cuDeviceTotalMem", device, bytes);
    if (!error)
        *bytes = HOST_DEVICE_BYTES;
    return error;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    CUresult error = ask("cuDeviceGetAttribute", device, value);
    if (!error)
        *value = host_attribute(&driver.profile, (enum host_attribute)attribute);
    return !error && *value < 0 ? CUDA_ERROR_INVALID_VALUE : error;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    CUresult error = ask("cuDeviceComputeCapability", device, minor ? major : NULL);
    if (error)
        return error;
    *major = host_attribute(&driver.profile, HOST_MAJOR);
    *minor = host_attribute(&driver.profile, HOST_MINOR);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetProperties(CUdevprop *p, CUdevice device)
{
    CUresult error = ask("cuDeviceGetProperties", device, p);
    if (error)
        return error;
    int v[HOST_TEXTURE_ALIGNMENT + 1];
    for (int i = 0; i <= HOST_TEXTURE_ALIGNMENT; i++)
        v[i] = host_attribute(&driver.profile, (enum host_attribute)i);
    *p = (CUdevprop){.maxThreadsPerBlock = v[HOST_THREADS_PER_BLOCK],
                     .maxThreadsDim = {v[HOST_BLOCK_X], v[HOST_BLOCK_Y], v[HOST_BLOCK_Z]},
                     .maxGridSize = {v[HOST_GRID_X], v[HOST_GRID_Y], v[HOST_GRID_Z]},
                     .sharedMemPerBlock = v[HOST_SHARED_PER_BLOCK],
                     .totalConstantMemory = v[HOST_CONSTANT_BYTES],
                     .SIMDWidth = v[HOST_WARP_SIZE],
                     .memPitch = v[HOST_PITCH],
                     .regsPerBlock = v[HOST_REGISTERS_PER_BLOCK],
                     .clockRate = v[HOST_CLOCK_RATE],
                     .textureAlign = v[HOST_TEXTURE_ALIGNMENT]};
    return CUDA_SUCCESS;
}

/* ---- contexts ---- */

static CUresult push(const struct driver *dr, CUcontext context)
{
    if (current.count == MAX_CURRENT)
        return driver_refuse(dr, CUDA_ERROR_INVALID_VALUE,
                             "%d contexts are on the stack of this thread; pop some", MAX_CURRENT);
    current.at[current.count++] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxCreate(CUcontext *out, unsigned flags, CUdevice device)
{
    CUresult error = ask("cuCtxCreate", device, flags > 0xff ? NULL : out); /* nothing waits here */
    if (error)
        return error;
    struct driver *dr = driver_enter("cuCtxCreate");
    struct fl_err err;
    CUcontext c = fl_alloc(sizeof *c);
    *out = NULL;
    if (host_open(&c->d, &dr->process, &err))
        error = driver_refuse(dr, CUDA_ERROR_NO_DEVICE, "%s", err.msg);
    else
        error = push(dr, c);
    if (error) {
        host_close(&c->d);
        free(c);
        return driver_leave(dr, error);
    }
    host_hold(&dr->held, HOLDS_CONTEXT, c);
    *out = c;
    return driver_leave(dr, CUDA_SUCCESS);
}

/* A context that a call is given. */
static CUresult check_context(const struct driver *dr, CUcontext c)
{
    CUresult error = check_initialized(dr);
    if (error || host_holds(&dr->held, HOLDS_CONTEXT, c))
        return error;
    return driver_refuse(dr, CUDA_ERROR_INVALID_CONTEXT, "%p is no context, or none any more",
                         (void *)c);
}

CUresult cuCtxDestroy(CUcontext c)
{
    struct driver *dr = driver_enter("cuCtxDestroy");
    CUresult error = check_context(dr, c);
    if (error)
        return driver_leave(dr, error);
    for (int i = dr->held.count; i-- > 0;) {
        struct host_thing t = i < dr->held.count ? dr->held.thing[i] : (struct host_thing){0};
        if (t.at && context_of(&t) == c && t.kind != HOLDS_FUNCTION && t.kind != HOLDS_TEXTURE)
            driver_drop(dr, (enum driver_kind)t.kind, t.at);
    }
    host_close_record(&c->d);
    host_close(&c->d);
    if (driver_current() == c)
        current.count--;
    driver_drop(dr, HOLDS_CONTEXT, c);
    return driver_leave(dr, CUDA_SUCCESS);
}

CUresult cuCtxPushCurrent(CUcontext c)
{
    struct driver *dr = driver_enter("cuCtxPushCurrent");
    CUresult error = check_context(dr, c);
    return driver_leave(dr, error ? error : push(dr, c));
}

CUresult cuCtxPopCurrent(CUcontext *out)
{
    struct driver *dr = driver_enter("cuCtxPopCurrent");
    CUresult error = check_initialized(dr);
    if (!error && !current.count)
        error = driver_refuse(dr, CUDA_ERROR_INVALID_CONTEXT, "no context is current");
    if (!error && out)
        *out = driver_current();
    if (!error)
        current.count--;
    return driver_leave(dr, error);
}

/* In place of the one on top; NULL: takes that one away. */
CUresult cuCtxSetCurrent(CUcontext c)
{
    struct driver *dr = driver_enter("cuCtxSetCurrent");
    CUresult error = c ? check_context(dr, c) : check_initialized(dr);
    if (error)
        return driver_leave(dr, error);
    if (current.count)
        current.count--;
    return driver_leave(dr, c ? push(dr, c) : CUDA_SUCCESS);
}

CUresult cuCtxGetCurrent(CUcontext *out)
{
    struct driver *dr = driver_enter("cuCtxGetCurrent");
    CUresult error = check_initialized(dr);
    if (!error && out)
        *out = driver_current();
    return driver_leave(dr, error ? error : out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuCtxGetDevice", &d, &error);
    if (!error && !device)
        error = CUDA_ERROR_INVALID_VALUE;
    if (!error)
        *device = 0;
    return driver_leave(dr, error);
}

/* All launches have ended. */
CUresult cuCtxSynchronize(void)
{
    struct host_device *d;
    CUresult error;
    struct driver *dr = driver_enter_context("cuCtxSynchronize", &d, &error);
    return driver_leave(dr, error);
}
