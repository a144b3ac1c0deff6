/* internal.h -- what the files of the runtime library share.
 *
 * CUDA's calls name no device and no context, so the library keeps one `struct cudart` for the process (cudart.c). Every call takes it
 * with cudart_enter, which locks it, and gives it back with cudart_leave.
 */
#ifndef CUDART_INTERNAL_H
#define CUDART_INTERNAL_H

#include <pthread.h>
#include <sys/types.h>

#define CUDART_LIBRARY
#include "runtime.h"
#include "machine.h"
#include "record.h"

/* What the 8800 GTX had. */
enum { DEVICE_BYTES = 768 << 20, MAX_CONFIGURATIONS = 16 };

struct kernel_stub { /* of the host, for a kernel */
    const void *stub;
    char *name; /* mangled */
};

struct symbol {         /* a __device__ or __constant__ variable */
    const void *shadow; /* the host's variable of that name */
    char *name;
};

struct reference {                            /* a texture reference */
    const struct textureReference *reference; /* the host's */
    char *name;
    bool normalized;          /* integers are read as floats */
    struct job_texture bound; /* without what the launch finds in the reference; width 0: nothing */
};

struct configuration { /* of a launch that is being put together */
    dim3 grid, block;
    size_t shared;
    struct fl_buf sizes,
        bytes; /* of its arguments, in order: a size_t each; one behind the other */
};

struct cudart {
    pthread_mutex_t lock;
    const char *call; /* under way */
    /* what the program has registered; the cubin's bytes are in it */
    const void *cubin_bytes;
    size_t cubin_size;
    bool several; /* cubins, which differ */
    struct kernel_stub *stub;
    struct symbol *symbol;
    struct reference *texture;
    int nstubs, stub_room, nsymbols, symbol_room, ntextures, texture_room;
    int binding_room; /* of job.texture */
    /* the device, since the first call that needs it */
    bool started, fork_told;
    pid_t owner;
    struct job
        job;    /* its buffers are what cudaMalloc has given, and the program's variables, first */
    int *freed; /* of each buffer: it may be given again */
    int variables; /* so many buffers are variables */
    uint32_t next; /* address of the next buffer */
    uint64_t used; /* bytes in buffers that are not freed */
    struct machine machine;
    struct recorder *recorder; /* NULL: nothing is recorded */
    /* errors */
    cudaError_t last, dead; /* dead: every call fails so, until the device is reset */
    /* launches */
    struct configuration configuration[MAX_CONFIGURATIONS];
    int nconfigurations;
};

struct cudart *cudart_enter(const char *call);
/* The same, with the device started; what it failed with is in `dead`. */
struct cudart *cudart_enter_device(const char *call);
cudaError_t cudart_leave(struct cudart *rt, cudaError_t error);
/* A message on standard error; returns `error`. */
cudaError_t cudart_refuse(const struct cudart *rt, cudaError_t error, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* What the launch finds bound. */
int cudart_bind(struct cudart *rt, struct job_launch *l, struct fl_err *err);

/* The buffer that bytes of the device lie in, whole; -1: none. */
int cudart_buffer(const struct cudart *rt, const void *at, size_t size);
/* One from cudaMalloc; -1 with a message. */
int cudart_allocate(struct cudart *rt, size_t size);
/* Copies and their like, of ranges that are there. `buffer`: in job.buffer. */
void cudart_to_device(struct cudart *rt, int buffer, uint32_t offset, const void *from,
                      uint32_t size);
void cudart_to_host(struct cudart *rt, int buffer, uint32_t offset, void *to, uint32_t size);

#endif
