/* internal.h -- what the files of the driver API share.
 *
 * A context is a device of its own: a machine, its memory, its modules. Each thread has a stack of contexts, and calls go to the one on
 * top. Every call takes `struct driver` with driver_enter, or driver_enter_context, and gives it back with driver_leave.
 */
#ifndef LIBCUDA_INTERNAL_H
#define LIBCUDA_INTERNAL_H

#include <pthread.h>

#define CUDA_DRIVER_LIBRARY
#include "cuda.h"
#include "host/device.h"
#include "host/held.h"

enum driver_kind {
    HOLDS_CONTEXT,
    HOLDS_MODULE,
    HOLDS_FUNCTION,
    HOLDS_TEXTURE,
    HOLDS_STREAM,
    HOLDS_EVENT,
    HOLDS_HOST_MEMORY
};

struct CUctx_st {
    struct host_device d;
};
/* Each thing of a context begins with it. */
struct CUmod_st {
    CUcontext context;
    int number;
};
struct CUfunc_st {
    CUcontext context;
    CUmodule module;
    int kernel;
    /* of the old launch */
    uint32_t block[3];
    unsigned shared, size;
    uint8_t param[4 * JOB_MAX_PARAMS];
};
struct CUtexref_st {
    CUcontext context;
    CUmodule module;
    struct job_texture x; /* its place; width 0: none yet */
    CUarray_format format;
    int channels;
    CUaddress_mode mode[2];
    CUfilter_mode filter;
    unsigned flags;
};
struct CUstream_st {
    CUcontext context;
};
struct CUevent_st {
    CUcontext context;
    struct host_event e;
};

struct driver {
    pthread_mutex_t lock;
    struct host_process process;
    bool initialized;
    pid_t owner; /* the process that has called cuInit */
    struct profile profile;
    struct host_held held;
};

struct driver *driver_enter(const char *call);
/* The same for a call that needs the current context: NULL in *d, and an error, if there is none or if it has failed. */
struct driver *driver_enter_context(const char *call, struct host_device **d, CUresult *error);
CUresult driver_leave(struct driver *dr, CUresult error);
/* A message on standard error; returns `error`. */
CUresult driver_refuse(const struct driver *dr, CUresult error, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
CUresult driver_error(enum host_error error);

CUcontext driver_current(void);
/* A thing of the current context, or CUDA_ERROR_INVALID_HANDLE with a message. */
CUresult driver_check(const struct driver *dr, enum driver_kind kind, const void *thing);
/* NULL is the default one. */
CUresult driver_check_stream(const struct driver *dr, CUstream stream);
/* Held from now on, as a thing of the current context. */
void driver_hold(struct driver *dr, enum driver_kind kind, void *thing);
/* Ends one; its functions end with a module. */
void driver_drop(struct driver *dr, enum driver_kind kind, void *thing);

/* Before a launch. */
CUresult driver_bind_textures(const struct driver *dr, struct host_device *d);

/* Addresses of variables in constant memory, which kernels do not read by address: above all others. */
CUdeviceptr driver_constant(int module, uint32_t offset);

#endif
