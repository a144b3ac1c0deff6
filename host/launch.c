/* launch.c -- see device.h: launches, and how they end. */
#include "device.h"

#include <stdlib.h>
#include <string.h>

/* "vadd.cu:5: c[i] = a[i] + b[i];" */
static void put_line(struct fl_buf *b, const struct cubin *c, const struct cubin_kernel *k,
                     uint32_t pc)
{
    const struct cubin_line *l = cubin_line_at(k, pc);
    int length = 0;
    if (!l || l->line == 0)
        return;
    const char *text = cubin_source_line(&c->source[l->source], l->line, &length);
    fl_buf_printf(b, ", %s:%d: %.*s", c->source[l->source].name, l->line, length, text ? text : "");
}

/* Of sm/state.h, as the interfaces of this room translate it. */
static enum host_error error_of(enum sm_trap trap)
{
    switch (sm_trap_error(trap)) {
    case SM_ERROR_LAUNCH_FAILED: return HOST_TRAPPED;
    case SM_ERROR_INVALID_PC: return HOST_INVALID_PC;
    case SM_ERROR_ILLEGAL_INSTRUCTION: return HOST_ILLEGAL_INSTRUCTION;
    case SM_ERROR_MISALIGNED_ADDRESS: return HOST_MISALIGNED_ADDRESS;
    case SM_ERROR_HARDWARE_STACK_ERROR: return HOST_STACK_ERROR;
    default: return HOST_ILLEGAL_ADDRESS;
    }
}

/* How the launch has ended. */
static enum host_error judge(struct host_device *d, const struct cubin_kernel *k)
{
    const struct sm_state *s = gpu_end_state(machine_state(&d->machine));
    enum sm_trap trap = s->trap < TRAP_COUNT ? (enum sm_trap)s->trap : TRAP_NONE;
    struct fl_buf where = {0};
    if (!s->trap && !s->deadlock && !d->machine.watch.never_ends)
        return HOST_OK;
    if (s->trap)
        put_line(&where, d->job.cubin, k, s->trap_pc);
    fl_buf_add(&where, "", 1);
    if (s->trap && d->recorder)
        record_trap(d->recorder, sm_trap_name(trap));
    if (s->trap)
        d->dead = host_refuse(d, error_of(trap), "kernel '%s' trapped at 0x%x: %s, %s%s", k->name,
                              s->trap_pc, sm_trap_name(trap), sm_trap_text(trap),
                              (char *)where.data);
    else if (!s->deadlock)
        d->dead = host_refuse(d, HOST_NEVER_ENDS,
                              "kernel '%s' never ends: it runs for more than twice the cycles of "
                              "the whole fault-free run",
                              k->name);
    else
        d->dead = host_refuse(d, HOST_NEVER_ENDS,
                              "kernel '%s' never ends: all its warps wait at barriers; let all "
                              "threads of a block reach each __syncthreads()",
                              k->name);
    fl_buf_free(&where);
    return d->dead;
}

/* The threads of a block that fit with these registers. */
static int fitting(const struct profile *p, int regs)
{
    int fit = regs > 0 ? p->regs / (regs * SM_LANES) * SM_LANES : p->threads_per_block;
    return fit < p->threads_per_block ? fit : p->threads_per_block;
}

int host_block_threads(const struct host_device *d, int kernel, bool own)
{
    const struct cubin *c = d->job.cubin;
    int fewer = own ? -1 : cubin_find_fewer(c, kernel);
    return fitting(&d->job.profile, c->kernel[fewer < 0 ? kernel : fewer].regs);
}

int host_blocks_of_sm(const struct host_device *d, int kernel, int threads, size_t shared)
{
    const struct profile *p = &d->job.profile;
    const struct cubin *c = d->job.cubin;
    if (threads > host_block_threads(d, kernel, true) && cubin_find_fewer(c, kernel) >= 0)
        kernel = cubin_find_fewer(c, kernel);
    const struct cubin_kernel *k = &c->kernel[kernel];
    const int warps = (threads + SM_LANES - 1) / SM_LANES;
    const uint64_t bytes = k->shared_bytes + (uint64_t)shared;
    int most = p->blocks_per_sm;
    const int by[] = {p->threads_per_sm / threads, p->warps / warps,
                      k->regs > 0 ? p->regs / (k->regs * warps * SM_LANES) : most,
                      bytes > 0 ? (int)((uint64_t)p->shared_bytes / bytes) : most};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        most = by[i] < most ? by[i] : most;
    return threads > p->threads_per_block ? 0 : most;
}

/* The kernel, or its version of fewer registers where the block needs that; it is said once. */
static int fit_registers(struct host_device *d, int kernel, const uint32_t block[3])
{
    const struct cubin *c = d->job.cubin;
    const uint64_t threads = (uint64_t)block[0] * block[1] * block[2];
    if (threads <= (uint64_t)host_block_threads(d, kernel, true) ||
        threads > (uint64_t)host_block_threads(d, kernel, false))
        return kernel;
    int fewer = cubin_find_fewer(c, kernel);
    for (int i = 0; i < d->nfewer; i++)
        if (d->fewer[i] == fewer)
            return fewer;
    FL_ROOM(d->fewer, d->nfewer, d->fewer_room, 16);
    d->fewer[d->nfewer++] = fewer;
    host_refuse(d, HOST_OK,
                "kernel '%s' has %d registers for each thread, too many for a block of %llu "
                "threads on profile %s; its version with %d runs, which has more in local memory; "
                "smcc --maxrregcount or a smaller block avoids it",
                c->kernel[kernel].name, c->kernel[kernel].regs, (unsigned long long)threads,
                d->job.profile.name, c->kernel[fewer].regs);
    return fewer;
}

enum host_error host_prepare(struct host_device *d, int kernel, const uint32_t grid[3],
                             const uint32_t block[3], size_t shared, struct job_launch *l)
{
    struct job_param *param = l->param;
    kernel = fit_registers(d, kernel, block);
    *l = (struct job_launch){.kernel = d->job.cubin->kernel[kernel].name,
                             .kernel_index = kernel,
                             .grid = {grid[0], grid[1]},
                             .block = {block[0], block[1], block[2]},
                             .shared = shared < SM_MAX_SHARED ? (uint32_t)shared : SM_MAX_SHARED,
                             .param = param};
    if (grid[2] != 1)
        return host_refuse(
            d, HOST_INVALID_LAUNCH,
            "a grid of %u,%u,%u: compute capability 1.x has grids of x and y alone; set z to 1",
            grid[0], grid[1], grid[2]);
    const uint32_t *only = d->job.cubin->kernel[kernel].block;
    if (only[0] && memcmp(only, block, sizeof l->block) != 0)
        return host_refuse(d, HOST_INVALID_LAUNCH,
                           "a block of %u,%u,%u: kernel '%s' is compiled for blocks of %u,%u,%u "
                           "alone (reqd_work_group_size)",
                           block[0], block[1], block[2], l->kernel, only[0], only[1], only[2]);
    return HOST_OK;
}

enum host_error host_refuse_launch(const struct host_device *d, const struct job_launch *l,
                                   const char *why)
{
    const struct profile *p = &d->job.profile;
    int regs = d->job.cubin->kernel[l->kernel_index].regs;
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2],
             warps = (threads + SM_LANES - 1) / SM_LANES;
    bool registers = threads >= 1 && threads <= (uint64_t)p->threads_per_block && regs > 0 &&
                     warps * SM_LANES * (uint64_t)regs > (uint64_t)p->regs;
    return host_refuse(d, registers ? HOST_NO_REGISTERS : HOST_INVALID_LAUNCH, "%s", why);
}

/* Words of s[]. */
static void set_params(struct job_launch *l, const uint8_t *arguments, size_t size)
{
    uint8_t words[4 * JOB_MAX_PARAMS] = {0};
    if (size)
        memcpy(words, arguments, size);
    l->nparams = (int)((size + 3) / 4);
    for (int i = 0; i < l->nparams; i++) {
        l->param[i] = (struct job_param){.offset = JOB_PARAM0 + 4 * (uint32_t)i};
        memcpy(&l->param[i].value, words + 4 * i, 4);
    }
}

/* The binding that the job has of a unit; NULL. */
static const struct job_texture *known(const struct job *job, int unit)
{
    for (int i = job->ntextures; i-- > 0;)
        if (job->texture[i].unit == unit)
            return &job->texture[i];
    return NULL;
}

int host_bind(struct host_device *d, struct job_texture *x, const char *name, struct fl_err *err)
{
    struct job *job = &d->job;
    if (job_check_texture(job, x, err))
        return -1;
    const struct job_texture *old = known(job, x->unit);
    if (old && old->buffer == x->buffer &&
        memcmp(&old->texture, &x->texture, sizeof x->texture) == 0)
        return 0;
    FL_ROOM(job->texture, job->ntextures, d->texture_room, 16);
    job->texture[job->ntextures++] = *x;
    if (d->recorder)
        record_texture(d->recorder, job, x, name);
    return 0;
}

enum host_error host_run(struct host_device *d, struct job_launch *l, const uint8_t *arguments,
                         size_t size)
{
    struct fl_err err;
    set_params(l, arguments, size);
    l->textures = d->job.ntextures;
    if (job_check_launch(&d->job, l, &err))
        return host_refuse_launch(d, l, err.msg);
    const bool prints = host_print_begin(d, l);
    if (d->recorder)
        record_launch(d->recorder, &d->job, &d->machine, l);
    if (machine_launch(&d->machine, l, &err))
        return host_refuse(d, HOST_INVALID_LAUNCH, "%s", err.msg);
    const bool failed = prints && host_print_end(d, l);
    if (failed)
        return d->dead = host_refuse(d, HOST_ASSERTED, "kernel '%s': an assertion failed",
                                     l->kernel);
    return judge(d, &d->job.cubin->kernel[l->kernel_index]);
}
