/* device.c -- the device as programs ask for it; streams, which work in order; events, which are cycles. */
#include "internal.h"

#include <string.h>

enum { VERSION = CUDART_VERSION };

struct cudaStream {
    int unused;
};

struct cudaEvent {
    struct host_event e;
};

/* Calls that only need the device, and ask nothing of it. */
static cudaError_t asked(const char *call)
{
    struct cudart *rt = cudart_enter_device(call);
    cudart_bring_managed(rt);
    return cudart_leave(rt, rt->dead);
}

/* A call that is told nowhere to put its answer. */
static cudaError_t without_place(const char *call)
{
    return cudart_leave(cudart_enter(call), cudaErrorInvalidValue);
}

/* ---- devices: there is one ---- */

cudaError_t cudaGetDeviceCount(int *count)
{
    if (!count)
        return without_place("cudaGetDeviceCount");
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    if (!device)
        return without_place("cudaGetDevice");
    *device = 0;
    return cudaSuccess;
}

static cudaError_t check_device(const char *call, int device)
{
    struct cudart *rt = cudart_enter(call);
    return cudart_leave(rt, device == 0
                                ? cudaSuccess
                                : cudart_refuse(rt, cudaErrorInvalidDevice,
                                                "device %d does not exist; use device 0", device));
}

cudaError_t cudaSetDevice(int device)
{
    return check_device("cudaSetDevice", device);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    return wanted ? cudaGetDevice(device) : without_place("cudaChooseDevice");
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    if (!devices && count)
        return without_place("cudaSetValidDevices");
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < count && !error; i++)
        error = check_device("cudaSetValidDevices", devices[i]);
    return error;
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    const unsigned known = 7 | cudaDeviceMapHost | cudaDeviceLmemResizeToMax; /* 7: how to wait */
    struct cudart *rt = cudart_enter("cudaSetDeviceFlags");
    return cudart_leave(rt, flags & ~known ? cudart_refuse(rt, cudaErrorInvalidValue,
                                                           "flags 0x%x do not exist", flags)
                                           : cudaSuccess);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int device)
{
    if (!out)
        return without_place("cudaGetDeviceProperties");
    if (check_device("cudaGetDeviceProperties", device))
        return cudaErrorInvalidDevice;
    struct cudart *rt = cudart_enter_device("cudaGetDeviceProperties");
    const struct profile *p = &rt->d.job.profile;
    int v[HOST_MINOR + 1];
    for (int i = 0; i <= HOST_MINOR; i++)
        v[i] = host_attribute(p, (enum host_attribute)i);
    *out = (struct cudaDeviceProp){
        .totalGlobalMem = HOST_DEVICE_BYTES,
        .sharedMemPerBlock = (size_t)v[HOST_SHARED_PER_BLOCK],
        .regsPerBlock = v[HOST_REGISTERS_PER_BLOCK],
        .warpSize = v[HOST_WARP_SIZE],
        .memPitch = (size_t)v[HOST_PITCH],
        .maxThreadsPerBlock = v[HOST_THREADS_PER_BLOCK],
        .maxThreadsDim = {v[HOST_BLOCK_X], v[HOST_BLOCK_Y], v[HOST_BLOCK_Z]},
        .maxGridSize = {v[HOST_GRID_X], v[HOST_GRID_Y], v[HOST_GRID_Z]},
        .clockRate = v[HOST_CLOCK_RATE],
        .totalConstMem = (size_t)v[HOST_CONSTANT_BYTES],
        .major = v[HOST_MAJOR],
        .minor = v[HOST_MINOR],
        .textureAlignment = (size_t)v[HOST_TEXTURE_ALIGNMENT],
        .multiProcessorCount = v[HOST_SMS],
        .maxThreadsPerMultiProcessor = v[HOST_THREADS_PER_SM],
        .managedMemory = 1};
    snprintf(out->name, sizeof out->name, "Faultline %s", p->name);
    return cudart_leave(rt, rt->dead);
}

cudaError_t cudaDeviceGetAttribute(int *out, enum cudaDeviceAttr attribute, int device)
{
    if (!out)
        return without_place("cudaDeviceGetAttribute");
    if (check_device("cudaDeviceGetAttribute", device))
        return cudaErrorInvalidDevice;
    struct cudart *rt = cudart_enter_device("cudaDeviceGetAttribute");
    int value = host_attribute(&rt->d.job.profile, (enum host_attribute)attribute);
    if (value < 0)
        return cudart_leave(rt, cudart_refuse(rt, cudaErrorInvalidValue,
                                              "%d is no attribute of a device", (int)attribute));
    *out = value;
    return cudart_leave(rt, rt->dead);
}

cudaError_t cudaDeviceSynchronize(void)
{
    return asked("cudaDeviceSynchronize");
}

cudaError_t cudaThreadSynchronize(void)
{
    return asked("cudaThreadSynchronize");
}

/* This machine has nothing to choose. */
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
    (void)config;
    return cudaSuccess;
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
    (void)config;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    (void)config;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    struct cudart *rt = cudart_enter("cudaDeviceSetLimit");
    if (limit != cudaLimitPrintfFifoSize)
        return cudart_leave(rt, cudaErrorUnsupportedLimit);
    if (value == 0 || value > HOST_DEVICE_BYTES)
        return cudart_leave(rt, cudaErrorInvalidValue);
    rt->process.fifo = value;
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    if (!value)
        return without_place("cudaDeviceGetLimit");
    struct cudart *rt = cudart_enter("cudaDeviceGetLimit");
    const bool known = limit == cudaLimitPrintfFifoSize;
    *value = !known ? 0 : rt->process.fifo ? rt->process.fifo : HOST_FIFO_BYTES;
    return cudart_leave(rt, known ? cudaSuccess : cudaErrorUnsupportedLimit);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    if (device || peer)
        return check_device("cudaDeviceCanAccessPeer", device ? device : peer);
    if (!can)
        return without_place("cudaDeviceCanAccessPeer");
    *can = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    (void)peer, (void)flags;
    struct cudart *rt = cudart_enter("cudaDeviceEnablePeerAccess");
    return cudart_leave(rt, cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    (void)peer;
    struct cudart *rt = cudart_enter("cudaDeviceDisablePeerAccess");
    return cudart_leave(rt, cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDriverGetVersion(int *version)
{
    if (!version)
        return without_place("cudaDriverGetVersion");
    *version = VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (!version)
        return without_place("cudaRuntimeGetVersion");
    *version = VERSION;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}

/* ---- streams: what is put into one is done when the call returns ---- */

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
    struct cudart *rt = cudart_enter_device("cudaStreamCreate");
    if (rt->dead || !stream || flags > cudaStreamNonBlocking)
        return cudart_leave(rt, rt->dead ? rt->dead : cudaErrorInvalidValue);
    *stream = fl_alloc(sizeof **stream);
    host_hold(&rt->held, HOLDS_STREAM, *stream);
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, 0);
}

/* One priority, as streams work in turn. */
cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = 0;
    return asked("cudaDeviceGetStreamPriorityRange");
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority)
{
    (void)priority; /* what is out of the range counts as its end */
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    struct cudart *rt = cudart_enter("cudaStreamDestroy");
    if (!stream)
        return cudart_leave(rt, cudaErrorInvalidResourceHandle);
    cudaError_t error = cudart_check_stream(rt, stream);
    if (!error)
        cudart_drop(rt, HOLDS_STREAM, stream);
    return cudart_leave(rt, error);
}

/* All that is in the stream is done. */
static cudaError_t asked_stream(const char *call, cudaStream_t stream)
{
    struct cudart *rt = cudart_enter_device(call);
    cudart_bring_managed(rt);
    return cudart_leave(rt, rt->dead ? rt->dead : cudart_check_stream(rt, stream));
}

/* A function of the host runs at once, outside of the lock: what is before it in the stream is done. */
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *data,
                                  unsigned flags)
{
    if (!callback || flags)
        return without_place("cudaStreamAddCallback");
    cudaError_t error = asked_stream("cudaStreamAddCallback", stream);
    if (error != cudaErrorInvalidResourceHandle)
        callback(stream, error, data);
    return error;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    if (!function)
        return without_place("cudaLaunchHostFunc");
    cudaError_t error = asked_stream("cudaLaunchHostFunc", stream);
    if (!error)
        function(data);
    return error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return asked_stream("cudaStreamSynchronize", stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return asked_stream("cudaStreamQuery", stream);
}

/* ---- events ---- */

static cudaError_t check_event(const struct cudart *rt, cudaEvent_t event)
{
    if (host_holds(&rt->held, HOLDS_EVENT, event))
        return cudaSuccess;
    return cudart_refuse(rt, cudaErrorInvalidResourceHandle,
                         "%p is no event: cudaEventCreate makes one, and cudaEventDestroy and "
                         "cudaDeviceReset end it",
                         (void *)event);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    struct cudart *rt = cudart_enter_device("cudaStreamWaitEvent");
    cudaError_t error = rt->dead ? rt->dead
                        : flags  ? cudaErrorInvalidValue
                                 : cudart_check_stream(rt, stream);
    return cudart_leave(rt, error ? error : check_event(rt, event));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    struct cudart *rt = cudart_enter_device("cudaEventCreate");
    if (rt->dead || !event || flags > (cudaEventBlockingSync | cudaEventDisableTiming))
        return cudart_leave(rt, rt->dead ? rt->dead : cudaErrorInvalidValue);
    *event = fl_alloc(sizeof **event);
    (*event)->e.untimed = flags & cudaEventDisableTiming;
    host_hold(&rt->held, HOLDS_EVENT, *event);
    return cudart_leave(rt, cudaSuccess);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    struct cudart *rt = cudart_enter_device("cudaEventRecord");
    cudaError_t error = rt->dead ? rt->dead : check_event(rt, event);
    if (!error)
        error = cudart_check_stream(rt, stream);
    if (!error)
        host_event_record(&rt->d, &event->e);
    return cudart_leave(rt, error);
}

static cudaError_t asked_event(const char *call, cudaEvent_t event)
{
    struct cudart *rt = cudart_enter_device(call);
    cudart_bring_managed(rt);
    return cudart_leave(rt, rt->dead ? rt->dead : check_event(rt, event));
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return asked_event("cudaEventQuery", event);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return asked_event("cudaEventSynchronize", event);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    struct cudart *rt = cudart_enter_device("cudaEventElapsedTime");
    cudaError_t error = rt->dead ? rt->dead : ms ? check_event(rt, start) : cudaErrorInvalidValue;
    if (!error)
        error = check_event(rt, end);
    if (!error && host_event_elapsed(&rt->d, &start->e, &end->e, ms))
        error = cudaErrorInvalidResourceHandle;
    return cudart_leave(rt, error);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    struct cudart *rt = cudart_enter("cudaEventDestroy");
    cudaError_t error = check_event(rt, event);
    if (!error)
        cudart_drop(rt, HOLDS_EVENT, event);
    return cudart_leave(rt, error);
}
