/* device.c -- see device.h: a device from its start to its end, messages, events. */
#include "device.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
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
size_t host_elf_size(const void *bytes)
{
    const Elf32_Ehdr *e = bytes;
    const Elf32_Shdr *s = (const Elf32_Shdr *)(const void *)((const char *)bytes + e->e_shoff);
    size_t end = e->e_shoff + (size_t)e->e_shnum * e->e_shentsize;
    for (int i = 0; i < e->e_shnum; i++)
        if (s[i].sh_type != SHT_NOBITS && s[i].sh_offset + (size_t)s[i].sh_size > end)
            end = s[i].sh_offset + (size_t)s[i].sh_size;
    return end;
}

static const char *profile_asked(void)
{
    const char *profile = getenv("FAULTLINE_PROFILE");
    return profile && *profile ? profile : "g80";
}

static int start_record(struct host_device *d, struct fl_err *err)
{
    const char *folder = getenv("FAULTLINE_RECORD"), *earlier = d->process->recorded;
    if (!folder || !*folder || (earlier && strcmp(earlier, folder) == 0))
        return 0;
    d->recorder = record_open(folder, profile_asked(), err);
    return d->recorder ? 0 : -1;
}

int host_open(struct host_device *d, struct host_process *p, struct fl_err *err)
{
    struct job *job = &d->job;
    *d = (struct host_device){.process = p, .owner = getpid(), .next = JOB_BASE};
    job->cubin = fl_alloc(sizeof *job->cubin);
    if (profile_load(profile_asked(), &job->profile, err))
        return -1;
    job->name = fl_strdup("program");
    job->path = fl_strdup(program_invocation_short_name);
    return machine_open(&d->machine, job, getenv("FAULTLINE_ENGINE"), err) || start_record(d, err)
               ? -1
               : 0;
}

/* Not in a child of fork, whose machine is a copy. */
void host_close_record(struct host_device *d)
{
    struct fl_err err;
    const char *folder = getenv("FAULTLINE_RECORD");
    if (d->recorder && getpid() == d->owner) {
        bool launched = machine_state(&d->machine) != NULL;
        if (record_close(d->recorder, &d->job, &err))
            host_refuse(d, HOST_UNKNOWN, "nothing is recorded: %s", err.msg);
        else if (launched && folder && !d->process->recorded)
            d->process->recorded = fl_strdup(folder);
    }
    d->recorder = NULL;
}

void host_close(struct host_device *d)
{
    struct job *job = &d->job;
    if (d->machine.img)
        machine_close(&d->machine);
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
