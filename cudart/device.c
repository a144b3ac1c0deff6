/* device.c -- the device as programs ask for it; streams, which work in order; events, which are cycles. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = CUDART_VERSION };

struct cudaStream {
    int unused;
};

struct cudaEvent {
    bool recorded;
    uint64_t cycle;
};

/* Calls that only need the device, and ask nothing of it. */
static cudaError_t asked(const char *call)
{
    struct cudart *rt = cudart_enter_device(call);
    return cudart_leave(rt, rt->dead);
}

/* ---- devices: there is one ---- */

cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}

static cudaError_t check_device(const char *call, int device)
{
    struct cudart *rt = cudart_enter(call);
    return cudart_leave(rt, device == 0
                                ? cudaSuccess
                                : cudart_refuse(rt, cudaErrorInvalidDevice,
                                                "device %d: there is device 0 alone", device));
}

cudaError_t cudaSetDevice(int device)
{
    return check_device("cudaSetDevice", device);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    (void)wanted;
    return cudaGetDevice(device);
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
    return check_device("cudaSetValidDevices", count > 0 ? devices[0] : 0);
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    (void)flags;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int device)
{
    if (check_device("cudaGetDeviceProperties", device))
        return cudaErrorInvalidDevice;
    struct cudart *rt = cudart_enter_device("cudaGetDeviceProperties");
    const struct profile *p = &rt->job.profile;
    int threads = p->threads_per_block;
    *out = (struct cudaDeviceProp){.totalGlobalMem = DEVICE_BYTES,
                                   .sharedMemPerBlock = (size_t)p->shared_bytes,
                                   .regsPerBlock = p->regs,
                                   .warpSize = SM_LANES,
                                   .memPitch = 262144,
                                   .maxThreadsPerBlock = threads,
                                   .maxThreadsDim = {threads, threads, threads < 64 ? threads : 64},
                                   .maxGridSize = {65535, 65535, 1},
                                   .clockRate = (int)(p->clock_mhz * 1000),
                                   .totalConstMem = JOB_MAX_CONST,
                                   .major = 1,
                                   .textureAlignment = 256,
                                   .multiProcessorCount = rt->machine.img ? rt->machine.img->sms
                                                                          : 1,
                                   .maxThreadsPerMultiProcessor = p->threads_per_sm};
    snprintf(out->name, sizeof out->name, "Faultline %s", p->name);
    return cudart_leave(rt, rt->dead);
}

cudaError_t cudaDeviceGetAttribute(int *out, enum cudaDeviceAttr attribute, int device)
{
    struct cudaDeviceProp p;
    cudaError_t error = cudaGetDeviceProperties(&p, device);
    if (error)
        return error;
    switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *out = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: *out = p.maxThreadsDim[0]; break;
    case cudaDevAttrMaxBlockDimY: *out = p.maxThreadsDim[1]; break;
    case cudaDevAttrMaxBlockDimZ: *out = p.maxThreadsDim[2]; break;
    case cudaDevAttrMaxGridDimX: *out = p.maxGridSize[0]; break;
    case cudaDevAttrMaxGridDimY: *out = p.maxGridSize[1]; break;
    case cudaDevAttrMaxGridDimZ: *out = p.maxGridSize[2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *out = (int)p.sharedMemPerBlock; break;
    case cudaDevAttrTotalConstantMemory: *out = (int)p.totalConstMem; break;
    case cudaDevAttrWarpSize: *out = p.warpSize; break;
    case cudaDevAttrMaxPitch: *out = (int)p.memPitch; break;
    case cudaDevAttrMaxRegistersPerBlock: *out = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *out = p.clockRate; break;
    case cudaDevAttrTextureAlignment: *out = (int)p.textureAlignment; break;
    case cudaDevAttrGpuOverlap: *out = p.deviceOverlap; break;
    case cudaDevAttrMultiProcessorCount: *out = p.multiProcessorCount; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *out = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *out = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *out = p.minor; break;
    default: *out = 0; /* what this machine has not */
    }
    return cudaSuccess;
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
    (void)limit, (void)value;
    struct cudart *rt = cudart_enter("cudaDeviceSetLimit");
    return cudart_leave(rt, cudaErrorUnsupportedLimit);
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    *value = 0;
    return cudaDeviceSetLimit(limit, 0);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    (void)device, (void)peer;
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
    *version = VERSION;
    return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
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
    (void)flags;
    *stream = fl_alloc(sizeof **stream);
    return asked("cudaStreamCreate");
}

cudaError_t cudaStreamCreate(cudaStream_t *stream)
{
    return cudaStreamCreateWithFlags(stream, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    free(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    (void)stream;
    return asked("cudaStreamSynchronize");
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    (void)stream;
    return asked("cudaStreamQuery");
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    (void)stream, (void)event, (void)flags;
    return asked("cudaStreamWaitEvent");
}

/* ---- events ---- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
    (void)flags;
    *event = fl_alloc(sizeof **event);
    return asked("cudaEventCreate");
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    (void)stream;
    struct cudart *rt = cudart_enter_device("cudaEventRecord");
    if (!event)
        return cudart_leave(rt, cudaErrorInvalidResourceHandle);
    *event = (struct cudaEvent){true, machine_cycles(&rt->machine)};
    return cudart_leave(rt, rt->dead);
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    (void)event;
    return asked("cudaEventQuery");
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    (void)event;
    return asked("cudaEventSynchronize");
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end)
{
    struct cudart *rt = cudart_enter_device("cudaEventElapsedTime");
    if (!start || !end || !start->recorded || !end->recorded)
        return cudart_leave(rt, cudaErrorInvalidResourceHandle);
    watch_time(&rt->machine.watch);
    *ms = (float)((double)(end->cycle - start->cycle) / (rt->job.profile.clock_mhz * 1000));
    return cudart_leave(rt, rt->dead);
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    free(event);
    return cudaSuccess;
}
