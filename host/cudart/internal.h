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
#include "host/device.h"
#include "host/held.h"

enum { MAX_CONFIGURATIONS = 16 };

struct image { /* a cubin or a fat binary that the program holds */
    const void *bytes;
    size_t size;
    int module; /* of the device, while it is started */
};

struct kernel_stub { /* of the host, for a kernel */
    const void *stub;
    char *name; /* mangled */
    int image;
    char *own; /* its name in the cubin when it is static, of a later file; NULL: the same */
};

struct symbol {         /* a __device__ or __constant__ variable */
    const void *shadow; /* the host's variable of that name */
    char *name, *own;
    int image;
    bool managed;
};

struct reference {                            /* a texture reference */
    const struct textureReference *reference; /* the host's */
    char *name, *own;
    bool normalized;          /* integers are read as floats */
    struct job_texture bound; /* without what the launch finds in the reference; width 0: nothing */
};

struct configuration { /* of a launch that is being put together */
    dim3 grid, block;
    size_t shared;
    struct fl_buf sizes,
        bytes; /* of its arguments, in order: a size_t each; one behind the other */
};

enum cudart_kind {
    HOLDS_STREAM,
    HOLDS_EVENT,
    HOLDS_ARRAY,
    HOLDS_TEXTURE,
    HOLDS_HOST_MEMORY,
    HOLDS_REGISTERED
};

struct cudart_thread { /* what each thread of the host has of its own */
    cudaError_t last;
    struct configuration configuration[MAX_CONFIGURATIONS];
    int nconfigurations;
};

struct cudart {
    pthread_mutex_t lock;
    struct host_process process;
    /* what the program has registered; the images' bytes are in it */
    struct image *image;
    struct kernel_stub *stub;
    struct symbol *symbol;
    struct reference *texture;
    int nimages, image_room, nstubs, stub_room, nsymbols, symbol_room, ntextures, texture_room;
    /* the device, since the first call that needs it */
    bool started, fork_reported;
    struct host_device d;
    struct host_held held;
    struct managed **managed;
    int nmanaged, managed_room;
    bool managed_closed; /* a kernel may have written it since the host could */
    cudaError_t dead;    /* every call fails so, until the device is reset */
};

struct cudart_thread *cudart_thread(void);

struct cudart *cudart_enter(const char *call);
/* The same, with the device started; what it failed with is in `dead`. */
struct cudart *cudart_enter_device(const char *call);
cudaError_t cudart_leave(struct cudart *rt, cudaError_t error);
/* CUDA's error for one of the device. */
cudaError_t cudart_error(enum host_error error);
/* A message on standard error; returns `error`. */
cudaError_t cudart_refuse(const struct cudart *rt, cudaError_t error, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Frees it too; false: it is not held. */
bool cudart_drop(struct cudart *rt, enum cudart_kind kind, void *at);
/* A stream that a call is given; NULL is the default one. */
cudaError_t cudart_check_stream(const struct cudart *rt, cudaStream_t stream);

/* The name in the cubin of what is static in a file of the program, of which clang gives the handle; NULL: it is the name itself. */
char *cudart_own_name(void **handle, const char *name);

/* Memory that is shared with the host (managed.c). Before the device is used; after kernels were; by calls that wait for them. */
void cudart_send_managed(struct cudart *rt);
void cudart_close_managed(struct cudart *rt);
void cudart_bring_managed(struct cudart *rt);
bool cudart_is_managed(const struct cudart *rt, const void *at);
void cudart_free_managed(struct cudart *rt, const void *at);
void cudart_drop_managed(struct cudart *rt);
/* Variables: when they are registered, and when the device has started. */
void cudart_note_managed(struct cudart *rt, struct symbol *s, void *shadow, size_t size);
void cudart_take_managed_variables(struct cudart *rt);

/* Textures: what is in memory from `at` on, as a unit reads it; `name` is for messages. Width and pitch are in bytes. */
struct cudart_texels {
    const char *name;
    const void *at;
    const struct cudaChannelFormatDesc *format;
    size_t width, height, pitch;
    bool normalized; /* integers are read as floats */
};
cudaError_t cudart_texture(const struct cudart *rt, const struct cudart_texels *texels,
                           struct job_texture *out);
/* The same for an array. */
cudaError_t cudart_array(const struct cudart *rt, const struct cudaArray *array,
                         struct cudart_texels *out);
/* Filter and addresses of a unit. */
void cudart_sample(struct texture *t, bool normalized, enum cudaTextureFilterMode filter,
                   const enum cudaTextureAddressMode *address);
/* What the launch finds bound: references, and the objects among a kernel's arguments. */
int cudart_bind(struct cudart *rt, struct fl_err *err);
int cudart_bind_objects(struct cudart *rt, const struct cubin_kernel *k, const uint8_t *arguments,
                        struct fl_err *err);

#endif
