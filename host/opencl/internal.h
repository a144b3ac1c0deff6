/* internal.h -- what the files of OpenCL's API share.
 *
 * A context is a device of its own: a machine, its memory, its modules. Every command is complete when its call returns. Every call takes
 * `struct ocl` with ocl_enter, or ocl_begin for a command, and gives it back with ocl_leave or ocl_end.
 */
#ifndef OPENCL_INTERNAL_H
#define OPENCL_INTERNAL_H

#include <pthread.h>

#define CL_TARGET_OPENCL_VERSION 200 /* for the types of the loader's table */
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl_icd.h>

#include "host/device.h"
#include "host/held.h"

enum ocl_kind {
    OCL_CONTEXT,
    OCL_QUEUE,
    OCL_MEMORY,
    OCL_SAMPLER,
    OCL_PROGRAM,
    OCL_KERNEL,
    OCL_EVENT,
    OCL_KINDS
};

/* Each object begins with it; the loader reads the first member. */
struct ocl_object {
    const cl_icd_dispatch *dispatch;
    enum ocl_kind kind;
    cl_uint references;
    cl_context context; /* which it holds; of a context: itself */
};

struct _cl_platform_id {
    const cl_icd_dispatch *dispatch;
};
struct _cl_device_id {
    const cl_icd_dispatch *dispatch;
};
struct _cl_context {
    struct ocl_object object;
    struct host_device d;
    cl_context_properties *properties; /* up to and with its 0; NULL: none were given */
    int nproperties;
};
struct _cl_command_queue {
    struct ocl_object object;
    cl_command_queue_properties properties;
};
struct _cl_mem { /* a buffer, a part of one, or an image */
    struct ocl_object object;
    cl_mem_flags flags;
    size_t size;
    uint32_t address; /* in the device */
    void *host;       /* of CL_MEM_USE_HOST_PTR; NULL */
    cl_mem parent;    /* NULL: it is no part */
    size_t origin;    /* in the parent */
    struct ocl_map *map;
    int nmaps, map_room;
    /* of an image; `texture` as it is bound, without a sampler */
    bool is_image;
    cl_image_format format;
    size_t pitch; /* of a row at `host` */
    struct texture texture;
};
struct ocl_map { /* `rows` rows of `width` bytes, which the host may change */
    uint8_t *at;
    size_t pitch;           /* there */
    uint32_t address, step; /* in the device; step: from row to row */
    size_t width, rows;
    bool own;        /* the memory at `at` ends with it */
    uint8_t *before; /* the bytes that were there, without gaps; NULL: it is only read */
};
struct _cl_sampler {
    struct ocl_object object;
    cl_bool normalized;
    cl_addressing_mode addressing;
    cl_filter_mode filter;
};
struct _cl_program {
    struct ocl_object object;
    int number;   /* of those with a source, from 1 on */
    char *source; /* NULL: it came as a binary */
    struct fl_buf binary;
    cl_build_status status;
    char *options, *log;
    int module;  /* -1: none is loaded */
    int kernels; /* objects that hold it */
};
struct _cl_kernel {
    struct ocl_object object;
    cl_program program;
    int number; /* in the joint cubin */
    struct cubin_argument *argument;
    int narguments;
    struct ocl_value { /* of each of them */
        bool set;
        void *object;   /* cl_mem, cl_sampler; NULL */
        uint8_t *bytes; /* of a value */
        size_t local;
    } * value;
};
struct _cl_event {
    struct ocl_object object;
    cl_command_queue queue; /* which it holds */
    cl_command_type type;
    uint64_t start, end; /* cycles */
};

struct ocl {
    pthread_mutex_t lock;
    struct host_process process;
    bool started;
    pid_t owner; /* the process that has started it */
    struct profile profile;
    struct host_held held;
    int programs; /* with a source, so far */
};

/* ---- platform.c ---- */

extern const cl_icd_dispatch ocl_dispatch; /* icd.c */
extern struct _cl_platform_id ocl_platform;
extern struct _cl_device_id ocl_device;

struct ocl *ocl_enter(const char *call);
cl_int ocl_leave(struct ocl *o, cl_int error);
/* A message on standard error; returns `error`. */
cl_int ocl_refuse(const struct ocl *o, cl_int error, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
cl_int ocl_error(enum host_error error);
/* Reads the profile, once. */
cl_int ocl_start(struct ocl *o);
/* The device of the API, or CL_INVALID_DEVICE. */
/* Whether the device is of one of these types. */
cl_int ocl_check_type(struct ocl *o, cl_device_type type);
cl_int ocl_check_device(const struct ocl *o, cl_device_id device);

/* What the program asks for, and where it goes. */
struct ocl_question {
    const struct ocl *o;
    size_t room;
    void *out;
    size_t *size;
};
cl_int ocl_answer(const struct ocl_question *q, const void *value, size_t size);
#define OCL_ANSWER(q, type, value) ocl_answer(q, &(type){value}, sizeof(type))
cl_int ocl_answer_text(const struct ocl_question *q, const char *text);
/* CL_INVALID_VALUE: no such thing can be asked. */
cl_int ocl_no_answer(const struct ocl_question *q, cl_uint what);

/* ---- object.c ---- */

/* A new one with one reference; it holds its context. */
void *ocl_new(struct ocl *o, enum ocl_kind kind, size_t size, cl_context context);
/* One of that kind, or its error, CL_INVALID_CONTEXT ... CL_INVALID_EVENT, with a message. */
cl_int ocl_check(const struct ocl *o, enum ocl_kind kind, const void *object);
/* ... of that context. */
cl_int ocl_check_of(const struct ocl *o, enum ocl_kind kind, const void *object,
                    cl_context context);
void ocl_hold(void *object);
/* Ends it with the last reference. */
void ocl_drop(struct ocl *o, void *object);
/* The end of a call that makes an object: stores the error where the program wants it; returns the object, or NULL. */
void *ocl_made(struct ocl *o, cl_int error, cl_int *where, void *object);
/* The device of a context that works. */
cl_int ocl_check_alive(const struct ocl *o, cl_context context);

void ocl_end_memory(struct ocl *o, cl_mem m);
void ocl_end_program(struct ocl *o, cl_program p);
void ocl_end_kernel(struct ocl *o, cl_kernel k);

/* ---- queue.c ---- */

struct ocl_command {
    struct ocl *o;
    cl_command_queue queue;
    struct host_device *d;
    cl_command_type type;
    cl_event *event; /* NULL: none is wanted */
    uint64_t start;
};
/* Checks queue and events. Whatever it returns, ocl_end is to be called. */
cl_int ocl_begin(struct ocl_command *c, const char *call, cl_command_type type,
                 cl_command_queue queue, cl_uint nevents, const cl_event *events, cl_event *event);
cl_int ocl_end(struct ocl_command *c, cl_int error);

/* ---- memory.c ---- */

/* Checks of calls that make memory, and that use it. */
cl_int ocl_check_memory(const struct ocl *o, cl_context context, cl_mem_flags flags,
                        const void *host);
cl_int ocl_check_operand(const struct ocl_command *c, cl_mem m, bool is_image);
/* NULL: see *error. */
cl_mem ocl_make_memory(struct ocl *o, cl_context context, cl_mem_flags flags, size_t size,
                       cl_int *error);
/* `rows` rows between host and device; their width is not 0 unless there is nothing to do. */
cl_int ocl_copy(struct host_device *d, uint32_t address, size_t step, void *host, size_t pitch,
                size_t width, size_t rows, bool to_host);
cl_int ocl_copy_in_device(const struct ocl_command *c, uint32_t to, size_t to_step, uint32_t from,
                          size_t from_step, size_t width, size_t rows);
/* Maps rows at `x.at`, or, if that is NULL, where there is room: the last one of m->map. */
cl_int ocl_map(const struct ocl_command *c, cl_mem m, cl_map_flags flags, struct ocl_map x);

/* ---- compile.c ---- */

/* Compiles the source of a program: its binary, its log. */
cl_int ocl_compile(struct ocl *o, cl_program p, const char *options);

#endif
