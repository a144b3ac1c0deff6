/* device.c -- see device.h: a device from its start to its end, messages, events. */
#include "device.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void host_say(const struct host_process *p, const char *fmt, va_list ap)
{
    struct fl_err text;
    vsnprintf(text.msg, sizeof text.msg, fmt, ap);
    fflush(stdout);
    fprintf(stderr, "faultline: %s: ", p->call);
    fl_print(stderr, text.msg);
    fputc('\n', stderr);
}

enum host_error host_refuse(const struct host_device *d, enum host_error error, const char *fmt,
                            ...)
{
    va_list ap;
    va_start(ap, fmt);
    host_say(d->process, fmt, ap);
    va_end(ap);
    return error;
}

/* A file of ELF says where it ends: behind its last section. */
#define ELF_SIZE(Header, Section)                                                                  \
    Header e;                                                                                      \
    memcpy(&e, bytes, sizeof e);                                                                   \
    size_t end = e.e_shoff + (size_t)e.e_shnum * e.e_shentsize;                                    \
    for (int i = 0; i < e.e_shnum; i++) {                                                          \
        Section s;                                                                                 \
        memcpy(&s, (const char *)bytes + e.e_shoff + (size_t)i * e.e_shentsize, sizeof s);         \
        if (s.sh_type != SHT_NOBITS && s.sh_offset + s.sh_size > end)                              \
            end = s.sh_offset + s.sh_size;                                                         \
    }                                                                                              \
    return end

static size_t elf64_size(const void *bytes)
{
    ELF_SIZE(Elf64_Ehdr, Elf64_Shdr);
}

size_t host_elf_size(const void *bytes)
{
    if (((const unsigned char *)bytes)[EI_CLASS] == ELFCLASS64)
        return elf64_size(bytes);
    ELF_SIZE(Elf32_Ehdr, Elf32_Shdr);
}

int host_attribute(const struct profile *p, enum host_attribute attribute)
{
    const int threads = p->threads_per_block;
    switch (attribute) {
    case HOST_THREADS_PER_BLOCK:
    case HOST_BLOCK_X:
    case HOST_BLOCK_Y: return threads;
    case HOST_BLOCK_Z: return threads < 64 ? threads : 64;
    case HOST_GRID_X:
    case HOST_GRID_Y: return 65535;
    case HOST_GRID_Z: return 1;
    case HOST_SHARED_PER_BLOCK: return p->shared_bytes;
    case HOST_CONSTANT_BYTES: return JOB_MAX_CONST;
    case HOST_WARP_SIZE: return SM_LANES;
    case HOST_PITCH: return INT32_MAX;
    case HOST_REGISTERS_PER_BLOCK: return p->regs;
    case HOST_CLOCK_RATE: return (int)(p->clock_mhz * 1000);
    case HOST_TEXTURE_ALIGNMENT: return 256;
    case HOST_SMS: return p->sms;
    case HOST_THREADS_PER_SM: return p->threads_per_sm;
    case HOST_MAJOR: return 1;
    case HOST_MINOR: return p->capability;
    case HOST_MANAGED_MEMORY: return 1;
    default: return attribute >= 1 && attribute < HOST_ATTRIBUTES ? 0 : -1;
    }
}

const char *host_profile(void)
{
    const char *profile = getenv("FAULTLINE_PROFILE");
    return profile && *profile ? profile : "g80";
}

/* The job of the first device is in the folder itself, those of the others in folders 2, 3 ... in it: a job holds one use of a device. */
static int start_record(struct host_device *d, struct fl_err *err)
{
    const char *folder = getenv("FAULTLINE_RECORD");
    struct host_process *p = d->process;
    if (!folder || !*folder)
        return 0;
    if (!p->folder || strcmp(p->folder, folder) != 0) {
        free(p->folder);
        p->folder = fl_strdup(folder);
        p->records = 0;
    }
    char *path = record_folder(folder, d->record = ++p->records);
    if (d->record > 1)
        mkdir(path, 0777);
    d->recorder = record_open(path, host_profile(), err);
    free(path);
    return d->recorder ? 0 : -1;
}

int host_open(struct host_device *d, struct host_process *p, struct fl_err *err)
{
    struct job *job = &d->job;
    *d = (struct host_device){.process = p, .owner = getpid(), .next = JOB_BASE, .fifo.module = -1};
    job->cubin = fl_alloc(sizeof *job->cubin);
    if (profile_load(host_profile(), &job->profile, err))
        return -1;
    job->name = fl_strdup("program");
    job->path = fl_strdup(program_invocation_short_name);
    if (machine_open(&d->machine, job, getenv("FAULTLINE_ENGINE"), err) || start_record(d, err))
        return -1;
    if (p->flipped)
        d->machine.watch.waits = false;
    return 0;
}

/* Not in a child of fork, whose machine is a copy. The next device takes the number of one that has launched nothing. */
void host_close_record(struct host_device *d)
{
    struct fl_err err;
    if (d->recorder && getpid() == d->owner) {
        bool launched = machine_state(&d->machine) != NULL;
        if (record_close(d->recorder, &d->job, &err) && (launched || d->record == 1))
            host_refuse(d, HOST_UNKNOWN, "nothing is recorded: %s", err.msg);
        if (!launched && d->record == d->process->records)
            d->process->records--;
    }
    d->recorder = NULL;
}

void host_close(struct host_device *d)
{
    struct job *job = &d->job;
    if (d->machine.img) {
        d->process->flipped |= d->machine.watch.brought;
        machine_close(&d->machine);
    }
    for (int i = 0; i < job->nbuffers; i++) {
        free(job->buffer[i].name);
        free(job->buffer[i].init);
    }
    free(job->buffer);
    free(job->name);
    free(job->path);
    free(job->texture);
    cubin_free(job->cubin);
    free(d->given);
    free(d->fewer);
    for (int i = 0; i < d->nmodules; i++)
        free(d->module[i].bytes);
    free(d->module);
    *d = (struct host_device){.process = d->process};
}

/* ---- events ---- */

void host_event_record(const struct host_device *d, struct host_event *e)
{
    e->recorded = true;
    e->cycle = machine_cycles(&d->machine);
}

enum host_error host_event_elapsed(struct host_device *d, const struct host_event *start,
                                   const struct host_event *end, float *ms)
{
    if (!start->recorded || !end->recorded || start->untimed || end->untimed)
        return HOST_INVALID_VALUE;
    watch_time(&d->machine.watch);
    *ms = (float)(((double)end->cycle - (double)start->cycle) / (d->job.profile.clock_mhz * 1000));
    return HOST_OK;
}
