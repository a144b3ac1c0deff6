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

static struct cudart runtime = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local struct cudart_thread thread;

struct cudart_thread *cudart_thread(void)
{
    return &thread;
}

/* ---- calls ---- */

cudaError_t cudart_refuse(const struct cudart *rt, cudaError_t error, const char *fmt, ...)
{
    struct fl_err text;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text.msg, sizeof text.msg, fmt, ap);
    va_end(ap);
    fflush(stdout);
    fprintf(stderr, "faultline: %s: ", rt->call);
    fl_print(stderr, text.msg);
    fputc('\n', stderr);
    return error;
}

struct cudart *cudart_enter(const char *call)
{
    struct cudart *rt = &runtime;
    pthread_mutex_lock(&rt->lock);
    rt->call = call;
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

void cudart_hold(struct cudart *rt, enum cudart_kind kind, void *at)
{
    FL_ROOM(rt->held, rt->nheld, rt->held_room, 16);
    rt->held[rt->nheld++] = (struct held){kind, at};
}

static int find_held(const struct cudart *rt, enum cudart_kind kind, const void *at)
{
    int i = rt->nheld;
    while (i-- > 0 && (rt->held[i].at != at || rt->held[i].kind != kind))
        ;
    return i;
}

bool cudart_holds(const struct cudart *rt, enum cudart_kind kind, const void *at)
{
    return find_held(rt, kind, at) >= 0;
}

bool cudart_drop(struct cudart *rt, enum cudart_kind kind, const void *at)
{
    int i = find_held(rt, kind, at);
    if (i < 0)
        return false;
    if (kind != HOLDS_REGISTERED) /* that is the program's own */
        free(rt->held[i].at);
    rt->held[i] = rt->held[--rt->nheld];
    return true;
}

cudaError_t cudart_check_stream(const struct cudart *rt, cudaStream_t stream)
{
    if (!stream || cudart_holds(rt, HOLDS_STREAM, stream))
        return cudaSuccess;
    return cudart_refuse(rt, cudaErrorInvalidResourceHandle,
                         "%p is no stream: cudaStreamCreate makes one, and cudaStreamDestroy and "
                         "cudaDeviceReset end it",
                         (void *)stream);
}

/* Streams, events and arrays end with the device; memory of the host stays. */
static void drop_held(struct cudart *rt)
{
    int kept = 0;
    for (int i = 0; i < rt->nheld; i++)
        if (rt->held[i].kind == HOLDS_HOST_MEMORY || rt->held[i].kind == HOLDS_REGISTERED)
            rt->held[kept++] = rt->held[i];
        else
            free(rt->held[i].at);
    rt->nheld = kept;
}

/* ---- the device ---- */

/* A file of ELF says where it ends: behind its last section. */
static size_t elf_size(const void *bytes)
{
    const Elf32_Ehdr *e = bytes;
    const Elf32_Shdr *s = (const Elf32_Shdr *)(const void *)((const char *)bytes + e->e_shoff);
    size_t end = e->e_shoff + (size_t)e->e_shnum * e->e_shentsize;
    for (int i = 0; i < e->e_shnum; i++)
        if (s[i].sh_type != SHT_NOBITS && s[i].sh_offset + (size_t)s[i].sh_size > end)
            end = s[i].sh_offset + (size_t)s[i].sh_size;
    return end;
}

static int read_program(struct cudart *rt, struct fl_err *err)
{
    struct job *job = &rt->job;
    if (!rt->cubin_bytes)
        return fl_fail(err, "the program holds no kernels; build it with smcc --exe");
    if (rt->several)
        return fl_fail(
            err, "the program holds several cubins; give all its .cu files to one smcc --exe");
    if (cubin_read_memory(program_invocation_short_name, rt->cubin_bytes, rt->cubin_size,
                          &job->cubin, err))
        return -1;
    if (!job->cubin->m64)
        return fl_fail(err, "the kernels were compiled for pointers of 32 bits, the program has "
                            "64: build it with smcc --exe");
    const char *profile = getenv("FAULTLINE_PROFILE");
    if (profile_load(profile && *profile ? profile : "g80", &job->profile, err))
        return -1;
    job->name = fl_strdup("program");
    job->path = fl_strdup(program_invocation_short_name);
    return job_place(job, err);
}

static void close_device(struct cudart *rt)
{
    struct job *job = &rt->job;
    if (rt->machine.img)
        machine_close(&rt->machine);
    for (int i = 0; i < job->nbuffers; i++) {
        free(job->buffer[i].name);
        free(job->buffer[i].init);
    }
    free(job->buffer);
    free(job->name);
    free(job->path);
    free(job->texture);
    for (int i = 0; i < rt->ntextures; i++)
        rt->texture[i].bound.texture.width = 0;
    cubin_free(job->cubin);
    free(rt->given);
    drop_held(rt);
    *job = (struct job){0};
    rt->binding_room = 0;
    rt->given = NULL;
    rt->variables = 0;
    rt->used = 0;
    rt->started = false;
    rt->dead = cudaSuccess;
}

/* Ends the record. Not in a child of fork, whose machine is a copy. */
static void close_record(struct cudart *rt)
{
    struct fl_err err;
    const char *folder = getenv("FAULTLINE_RECORD");
    if (rt->recorder && getpid() == rt->owner) {
        bool launched = machine_state(&rt->machine) != NULL;
        if (record_close(rt->recorder, &rt->job, &err))
            cudart_refuse(rt, cudaErrorUnknown, "nothing is recorded: %s", err.msg);
        else if (launched && folder && !rt->recorded)
            rt->recorded = fl_strdup(folder);
    }
    rt->recorder = NULL;
}

static int start_record(struct cudart *rt, struct fl_err *err)
{
    const char *folder = getenv("FAULTLINE_RECORD"), *profile = getenv("FAULTLINE_PROFILE");
    if (!folder || !*folder || (rt->recorded && strcmp(rt->recorded, folder) == 0))
        return 0;
    rt->recorder = record_open(folder, profile && *profile ? profile : "g80", rt->cubin_bytes,
                               rt->cubin_size, err);
    return rt->recorder ? 0 : -1;
}

static int start_device(struct cudart *rt, struct fl_err *err)
{
    struct job *job = &rt->job;
    if (read_program(rt, err) || machine_open(&rt->machine, job, getenv("FAULTLINE_ENGINE"), err) ||
        start_record(rt, err))
        return -1;
    rt->variables = job->nbuffers;
    rt->given = fl_alloc((size_t)(job->nbuffers + 1) * sizeof *rt->given);
    rt->next = JOB_BASE;
    for (int i = 0; i < job->nbuffers; i++) {
        rt->given[i] = job->buffer[i].size;
        rt->next = (job->buffer[i].addr + job->buffer[i].size + JOB_GUARD + 255) & ~255u;
    }
    return 0;
}

struct cudart *cudart_enter_device(const char *call)
{
    struct cudart *rt = cudart_enter(call);
    struct fl_err err;
    if (!rt->started) {
        rt->started = true;
        rt->owner = getpid();
        if (start_device(rt, &err))
            rt->dead = cudart_refuse(rt, cudaErrorInitializationError, "%s", err.msg);
    } else if (getpid() != rt->owner) {
        rt->dead = cudaErrorInitializationError;
        if (!rt->fork_told)
            cudart_refuse(
                rt, rt->dead,
                "a child of fork has no device: let it call CUDA before its parent does, or start "
                "it by exec");
        rt->fork_told = true;
    }
    return rt;
}

cudaError_t cudaDeviceReset(void)
{
    struct cudart *rt = cudart_enter("cudaDeviceReset");
    if (rt->started && getpid() == rt->owner) {
        close_record(rt);
        close_device(rt);
    }
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
    if (rt->started && at >= JOB_BASE && at < rt->next) {
        int n = snprintf(text, sizeof text,
                         "faultline: the host touches 0x%" PRIxPTR
                         ", which is memory of the device: copy it "
                         "with cudaMemcpy\n",
                         at);
        (void)!write(STDERR_FILENO, text, (size_t)n);
    }
    struct sigaction ordinary = {.sa_handler = SIG_DFL};
    sigaction(signal, &ordinary, NULL); /* again, and then for good */
}

static void at_exit(void)
{
    struct cudart *rt = cudart_enter("exit");
    if (rt->started)
        close_record(rt);
    if (rt->started && getpid() == rt->owner)
        watch_close(&rt->machine.watch);
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
    bool is_elf = memcmp(bytes, ELFMAG, SELFMAG) == 0;
    size_t size = is_elf ? elf_size(bytes) : 0;
    if (!rt->cubin_bytes) {
        watch_addresses();
        atexit(at_exit);
        rt->cubin_bytes = bytes;
        rt->cubin_size = size;
    } else if (size != rt->cubin_size || memcmp(bytes, rt->cubin_bytes, size) != 0) {
        rt->several = true;
    }
    pthread_mutex_unlock(&rt->lock);
    static void *handle;
    return &handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

void __cudaRegisterFunction(void **handle, const void *stub, char *device_stub, const char *name,
                            int threads, void *tid, void *bid, void *block, void *grid, int *warp)
{
    (void)handle, (void)device_stub, (void)threads, (void)tid, (void)bid, (void)block, (void)grid,
        (void)warp;
    struct cudart *rt = cudart_enter("__cudaRegisterFunction");
    FL_ROOM(rt->stub, rt->nstubs, rt->stub_room, 16);
    rt->stub[rt->nstubs++] = (struct kernel_stub){stub, fl_strdup(name)};
    pthread_mutex_unlock(&rt->lock);
}

void __cudaRegisterVar(void **handle, const void *shadow, char *address, const char *name,
                       int external, size_t size, int constant, int global)
{
    (void)handle, (void)address, (void)external, (void)size, (void)constant, (void)global;
    struct cudart *rt = cudart_enter("__cudaRegisterVar");
    FL_ROOM(rt->symbol, rt->nsymbols, rt->symbol_room, 16);
    rt->symbol[rt->nsymbols++] = (struct symbol){shadow, fl_strdup(name)};
    pthread_mutex_unlock(&rt->lock);
}

/* The kernels that use one are not in the cubin: smcc has said so. */
void __cudaRegisterSurface(void)
{
}

void __cudaRegisterManagedVar(void)
{
}
