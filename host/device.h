/* device.h -- the device as a program uses it, whatever interface calls: memory, launches, events; its run recorded, and given a fault.
 *
 * An interface (a folder of this room) translates names and errors, and decides what is its own. What goes wrong is said here, on
 * standard error, with the name of the call; the interface finds the error of its own that belongs to it.
 */
#ifndef HOST_DEVICE_H
#define HOST_DEVICE_H

#include <stdarg.h>
#include <sys/types.h>

#include "machine.h"
#include "print.h"
#include "record.h"

/* What the 8800 GTX had. */
enum { HOST_DEVICE_BYTES = 768 << 20 };

enum host_error {
    HOST_OK,
    HOST_INVALID_VALUE,
    HOST_INVALID_POINTER, /* no memory that was given */
    HOST_INVALID_LAUNCH,  /* grid, block, shared memory or arguments */
    HOST_NO_MEMORY,
    HOST_NO_REGISTERS, /* for the blocks of a launch */
    HOST_NOT_STARTED,
    HOST_TRAPPED, /* by a trap instruction; then come the other traps, up to HOST_STACK_ERROR */
    HOST_ILLEGAL_ADDRESS,
    HOST_MISALIGNED_ADDRESS,
    HOST_ILLEGAL_INSTRUCTION,
    HOST_INVALID_PC,
    HOST_STACK_ERROR,
    HOST_NEVER_ENDS, /* a launch */
    HOST_ASSERTED,   /* an assert of a kernel has failed */
    HOST_UNKNOWN
};

struct host_module { /* a cubin that has been loaded; its code stays in the machine */
    void *bytes;     /* of its file */
    size_t size;
    bool loaded;
};

struct host_process {  /* what all devices of a program share */
    const char *gives; /* for messages: the call that gives memory */
    const char *call;  /* under way, for messages */
    char *folder;      /* of records, or NULL */
    int records;       /* that it has, and that are being made: each device has its own */
    size_t fifo;       /* bytes for what kernels print; 0: HOST_FIFO_BYTES */
    bool flipped;      /* the fault of this run has come: not again on another device */
};

struct host_device {
    struct host_process *process;
    pid_t owner;
    struct job
        job; /* its cubin has all modules; its buffers are variables, which have names, and what is given */
    size_t *given; /* of each buffer: the bytes that the program has asked for; 0: it is free */
    struct host_module *module; /* by their numbers in the cubin */
    int nmodules, texture_room;
    int *fewer, nfewer, fewer_room; /* versions of fewer registers that have run */
    uint32_t next;                  /* address of the next buffer */
    uint64_t used;                  /* bytes of all that is given, without variables */
    struct machine machine;
    struct host_fifo fifo;
    struct recorder *recorder; /* NULL: nothing is recorded */
    int record;                /* its number, from 1 */
    enum host_error dead;      /* every call fails so, until the device is closed */
};

/* What a program may ask of a device, with the numbers of CUDA. */
enum host_attribute {
    HOST_THREADS_PER_BLOCK = 1,
    HOST_BLOCK_X,
    HOST_BLOCK_Y,
    HOST_BLOCK_Z,
    HOST_GRID_X,
    HOST_GRID_Y,
    HOST_GRID_Z,
    HOST_SHARED_PER_BLOCK,
    HOST_CONSTANT_BYTES,
    HOST_WARP_SIZE,
    HOST_PITCH,
    HOST_REGISTERS_PER_BLOCK,
    HOST_CLOCK_RATE, /* kHz */
    HOST_TEXTURE_ALIGNMENT,
    HOST_SMS = 16,
    HOST_THREADS_PER_SM = 39,
    HOST_MAJOR = 75, /* compute capability */
    HOST_MINOR,
    HOST_MANAGED_MEMORY = 83,
    HOST_ATTRIBUTES = 256 /* above all that there are */
};
/* 0: what this machine has not; -1: no number of CUDA's. */
int host_attribute(const struct profile *p, enum host_attribute attribute);
/* The profile that the environment names, or the default. */
const char *host_profile(void);

/* "faultline: CALL: TEXT" on standard error. */
void host_say(const struct host_process *p, const char *fmt, va_list ap);
enum host_error host_refuse(const struct host_device *d, enum host_error error, const char *fmt,
                            ...) __attribute__((format(printf, 3, 4)));

/* ---- device.c ---- */

/* The machine that the environment asks for, without code. -1: see err; the device is then to be closed. */
int host_open(struct host_device *d, struct host_process *p, struct fl_err *err);
void host_close(struct host_device *d);
/* Ends the record: of a device that is closed, or of a process that ends. */
void host_close_record(struct host_device *d);
/* Of a file of ELF in memory: where it ends. */
size_t host_elf_size(const void *bytes);

/* ---- image.c ---- */

bool host_is_fat(const void *image); /* a fat binary of nvcc */
/* Of a cubin or a fat binary in memory: where it ends; 0: it is neither. */
size_t host_image_size(const void *image);
/* The cubin itself; of a fat binary the best one for a machine of that capability (1.x): the highest that is no higher, else the
 * lowest, of which single kernels may need more. NULL: it has none for 1.x. `out`: its size. */
const void *host_choose_cubin(const void *image, size_t size, int capability, size_t *out);

/* ---- module.c ---- */

/* Loads a cubin. Returns the number of the module; -1: see err. What was unloaded, and is loaded again, is as it was at first. */
int host_load(struct host_device *d, const void *bytes, size_t size, struct fl_err *err);
void host_unload(struct host_device *d, int module);
/* The kernel that the host calls so: by its name, or its mangled one; -1: none. */
int host_find_kernel(const struct host_device *d, int module, const char *name);

/* Where a variable lies: in a buffer, or in constant memory. */
struct host_place {
    int buffer; /* -1: at `offset` in c0[] of the module */
    uint32_t offset, size;
    int module;
};
/* False: no kernel uses a variable of that name. */
bool host_find_variable(const struct host_device *d, int module, const char *name,
                        struct host_place *out);

struct host_event {
    bool recorded, untimed;
    uint64_t cycle;
};
void host_event_record(const struct host_device *d, struct host_event *e);
/* HOST_INVALID_VALUE: one of them has no time. */
enum host_error host_event_elapsed(struct host_device *d, const struct host_event *start,
                                   const struct host_event *end, float *ms);

/* ---- memory.c ---- */

/* The buffer that bytes of the device lie in, whole; -1: none. */
int host_buffer(const struct host_device *d, const void *at, size_t size);
uint32_t host_offset_in(const struct host_device *d, int buffer, const void *at);
/* A new one; -1 with a message. */
int host_allocate(struct host_device *d, size_t size);
int host_allocate_at(struct host_device *d, uint64_t addr, size_t size);
/* Where the next new buffer begins, moved on to a multiple of `to`; that buffer, with room up to `room` bytes for it alone; -1 with a
 * message. */
void *host_align_next(struct host_device *d, uint32_t to);
int host_allocate_new(struct host_device *d, size_t size, size_t room);
enum host_error host_give_back(struct host_device *d, const void *at);

/* `rows` rows, which lie so many bytes apart. */
struct host_block {
    const void *at;
    size_t pitch;
    int buffer; /* -1: of the host */
};
/* Finds the buffer, or checks that it is memory of the host. */
enum host_error host_find_block(const struct host_device *d, struct host_block *b, bool device,
                                size_t width, size_t rows);
enum host_error host_copy(struct host_device *d, const struct host_block *to,
                          const struct host_block *from, size_t width, size_t rows);
/* With the bytes of `value`, from its low one on, again and again. */
void host_fill(struct host_device *d, const struct host_block *at, uint32_t value, size_t width,
               size_t rows);
void host_write_constant(struct host_device *d, int module, uint32_t offset, const void *from,
                         uint32_t size);
/* A buffer for a variable, which is never given to others. */
int host_allocate_variable(struct host_device *d, const char *name, uint32_t size);

/* ---- launch.c ---- */

/* A launch without its arguments. `l->param` has room for JOB_MAX_PARAMS. */
enum host_error host_prepare(struct host_device *d, int kernel, const uint32_t grid[3],
                             const uint32_t block[3], size_t shared, struct job_launch *l);
/* The unit of a texture reference; -1: the module has none of that name. */
int host_find_texture(const struct host_device *d, int module, const char *name);
/* A launch that is refused for what is in `why`. */
enum host_error host_refuse_launch(const struct host_device *d, const struct job_launch *l,
                                   const char *why);
/* Threads of a block that the kernel's registers leave room for; `own`: without its version of fewer registers. */
int host_block_threads(const struct host_device *d, int kernel, bool own);
/* Blocks of so many threads, with so much shared memory beside the kernel's own, that an SM runs at a time. */
int host_blocks_of_sm(const struct host_device *d, int kernel, int threads, size_t shared);
/* What a texture unit reads from the next launch on. `name`: of the reference. */
int host_bind(struct host_device *d, struct job_texture *x, const char *name, struct fl_err *err);
/* Runs it, with so many bytes of arguments, at most 4 * JOB_MAX_PARAMS. */
enum host_error host_run(struct host_device *d, struct job_launch *l, const uint8_t *arguments,
                         size_t size);

#endif
