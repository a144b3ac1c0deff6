/* job.c -- reads job.xml, checks it against itself, its cubin and its profile. See job.h and
 * docs/reference/job.md.
 *
 * Reading goes twice over the children of <job>: buffers first, since launches and outputs speak of
 * them by name and need their addresses; between the passes comes the cubin, whose variables are
 * buffers as well. What the file alone can get wrong is refused while it is read; what only cubin
 * and profile know is refused in job_finish, which a job built from a command line passes as well.
 */
#include "job.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <nettle/sha2.h>

#include "base/hash.h"
#include "base/random.h"
#include "base/xml.h"

/* ---- checks that every job passes ---- */

static int refuse(const struct job *job, int line, struct fl_err *err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
static int refuse(const struct job *job, int line, struct fl_err *err, const char *fmt, ...)
{
    char msg[sizeof err->msg];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    if (line > 0)
        return fl_fail(err, "%s:%d: %s", job->path, line, msg);
    return fl_fail(err, "%s: %s", job->path, msg);
}

int job_find_param(const struct cubin_kernel *kernel, const char *name, struct fl_err *err)
{
    struct fl_buf have = {0};
    for (int i = 0; i < kernel->nparams; i++) {
        const char *other = kernel->param[i].name;
        if (other && strcmp(other, name) == 0) {
            fl_buf_free(&have);
            return i;
        }
        if (other)
            fl_buf_printf(&have, "%s%s", have.size ? ", " : "", other);
    }
    fl_fail(err,
            have.size
                ? "kernel '%.200s' has no parameter '%.63s'; it has: %.400s"
                : "the cubin names no parameters of kernel '%.200s', so '%.63s' is not known; "
                  "write its offset in s[], which smrun --list shows%.1s",
            kernel->name, name, have.size ? (char *)have.data : "");
    fl_buf_free(&have);
    return -1;
}

/* " 'n'", when the cubin has a name for what lies there. */
static const char *param_name(const struct cubin_kernel *k, uint32_t offset, char out[80])
{
    out[0] = 0;
    for (int i = 0; i < k->nparams; i++)
        if (k->param[i].name && JOB_PARAM0 + k->param[i].offset == offset)
            snprintf(out, 80, " '%.63s'", k->param[i].name);
    return out;
}

int job_find_buffer(const struct job *job, const char *name)
{
    for (int i = 0; i < job->nbuffers; i++)
        if (job->buffer[i].name && !strcmp(job->buffer[i].name, name))
            return i;
    return -1;
}

/* The cubin's __device__ variables are buffers too, behind the job's own; a buffer of that name
 * gives the variable its first value. */
static int add_variables(struct job *job, struct fl_err *err)
{
    const struct cubin *c = job->cubin;
    uint64_t total = 0;
    for (int i = 0; i < job->nbuffers; i++)
        total += job->buffer[i].size;
    for (int i = 0; c && i < c->nvariables; i++) {
        const struct cubin_variable *v = &c->variable[i];
        int same = job_find_buffer(job, v->name);
        if (same >= 0) {
            struct job_buffer *b = &job->buffer[same];
            if (b->size < v->size)
                return refuse(
                    job, b->line, err,
                    "buffer '%s' is the cubin's variable of that name and needs its %u bytes",
                    v->name, v->size);
            continue;
        }
        total += v->size; /* before it is allocated: a file of a few bytes may ask for much */
        if (total > JOB_MAX_BYTES || job->nbuffers == SM_MAX_JOB_BUFFERS)
            return refuse(
                job, job->line, err,
                "with variable '%.100s' of the cubin the job has more than %d buffers, or "
                "more than 1 GiB in them",
                v->name, SM_MAX_JOB_BUFFERS);
        job->buffer = fl_grow(job->buffer, (size_t)job->nbuffers + 1, sizeof *job->buffer);
        struct job_buffer *b = &job->buffer[job->nbuffers++];
        *b = (struct job_buffer){
            .name = fl_strdup(v->name), .size = v->size, .init = fl_alloc(v->size)};
        if (v->init)
            memcpy(b->init, v->init, v->size);
    }
    return 0;
}

/* Where the next one may lie. */
static uint64_t next_place(const struct job_buffer *b)
{
    return ((uint64_t)b->addr + b->size + JOB_GUARD + 255) & ~(uint64_t)255;
}

static int by_address(const void *a, const void *b)
{
    uint32_t x = (*(struct job_buffer *const *)a)->addr, y = (*(struct job_buffer *const *)b)->addr;
    return x < y ? -1 : x > y;
}

/* Of what the job dictates. */
static int check_places(const struct job *job, struct fl_err *err)
{
    const struct job_buffer **b = fl_alloc((size_t)job->nbuffers * sizeof *b);
    int result = 0;
    for (int i = 0; i < job->nbuffers; i++)
        b[i] = &job->buffer[i];
    qsort(b, (size_t)job->nbuffers, sizeof *b, by_address);
    for (int i = 0; i < job->nbuffers && !result; i++) {
        if (b[i]->addr % 256 || b[i]->addr < JOB_BASE ||
            (uint64_t)b[i]->addr + b[i]->size > JOB_END)
            result = refuse(
                job, b[i]->line, err,
                "buffer '%s' at 0x%08x: write a multiple of 256 from 0x%08x on, with its "
                "end below 0x%08x",
                b[i]->name, b[i]->addr, JOB_BASE, JOB_END);
        else if (i && (uint64_t)b[i - 1]->addr + b[i - 1]->size + JOB_GUARD > b[i]->addr)
            result = refuse(
                job, b[i]->line, err,
                "buffer '%s' at 0x%08x: less than %d bytes behind buffer '%s'; move one "
                "of them",
                b[i]->name, b[i]->addr, JOB_GUARD, b[i - 1]->name);
    }
    free(b);
    return result;
}

int job_place(struct job *job, struct fl_err *err)
{
    if (add_variables(job, err))
        return -1;
    uint64_t addr = JOB_BASE, total = 0;
    if (job->nbuffers > SM_MAX_JOB_BUFFERS)
        return refuse(job, job->buffer[SM_MAX_JOB_BUFFERS].line, err,
                      "more than %d buffers; join some of them, parameters can point into a buffer",
                      SM_MAX_JOB_BUFFERS);
    for (int i = 0; i < job->nbuffers; i++)
        if (job->buffer[i].dictated && next_place(&job->buffer[i]) > addr)
            addr = next_place(&job->buffer[i]);
    for (int i = 0; i < job->nbuffers; i++) {
        struct job_buffer *b = &job->buffer[i];
        if (b->size == 0)
            return refuse(job, b->line, err, "buffer '%s' is empty; give it a size in bytes",
                          b->name);
        if (job_find_buffer(job, b->name) != i)
            return refuse(job, b->line, err, "a second buffer '%s'; rename one of them", b->name);
        total += b->size;
        if (total > JOB_MAX_BYTES)
            return refuse(job, b->line, err,
                          "with buffer '%s' the job holds more than 1 GiB; make buffers smaller",
                          b->name);
        if (b->dictated)
            continue;
        b->addr = (uint32_t)addr;
        addr = next_place(b);
    }
    return check_places(job, err);
}

static uint64_t threads_of(const struct job_launch *l)
{
    return (uint64_t)l->block[0] * l->block[1] * l->block[2];
}

static int check_block(const struct job *job, const struct job_launch *l, struct fl_err *err)
{
    const struct profile *p = &job->profile;
    for (int i = 0; i < 2; i++)
        if (l->grid[i] < 1 || l->grid[i] > 65535)
            return refuse(job, l->line, err, "grid %u,%u: write 1 to 65535 blocks each way",
                          l->grid[0], l->grid[1]);
    for (int i = 0; i < 3; i++)
        if (l->block[i] < 1 ||
            l->block[i] > (uint32_t)(i == 2 ? 64 : SM_MAX_BLOCK_WARPS * SM_LANES))
            return refuse(job, l->line, err,
                          "block %u,%u,%u: write 1 to 1024 threads in x and y, 1 to 64 in z",
                          l->block[0], l->block[1], l->block[2]);
    if (threads_of(l) > (uint64_t)p->threads_per_block)
        return refuse(job, l->line, err,
                      "block %u,%u,%u: %llu threads, profile %s allows %d per block; make the "
                      "block smaller",
                      l->block[0], l->block[1], l->block[2], (unsigned long long)threads_of(l),
                      p->name, p->threads_per_block);
    return 0;
}

/* First byte of s[] behind the parameters, as far as the cubin tells. */
static uint32_t params_end(const struct cubin_kernel *k)
{
    uint64_t end = JOB_PARAM0;
    for (int i = 0; i < k->nparams; i++) {
        uint64_t e = (uint64_t)JOB_PARAM0 + k->param[i].offset + k->param[i].size;
        end = e > end ? e : end;
    }
    if (k->nparams == 0)
        end = k->shared_bytes >= JOB_PARAM0 ? k->shared_bytes : JOB_PARAM0 + 4 * JOB_MAX_PARAMS;
    end = (end + 3) & ~(uint64_t)3;
    return end < SM_MAX_BLOCK_SHARED ? (uint32_t)end : SM_MAX_BLOCK_SHARED;
}

static int check_params(const struct job *job, const struct job_launch *l,
                        const struct cubin_kernel *k, struct fl_err *err)
{
    uint32_t end = params_end(k);
    char name[80];
    if (l->nparams > JOB_MAX_PARAMS)
        return refuse(job, l->line, err, "%d parameters, a launch takes at most %d", l->nparams,
                      JOB_MAX_PARAMS);
    for (int i = 0; i < l->nparams; i++) {
        const struct job_param *p = &l->param[i];
        int line = p->line ? p->line : l->line;
        if (p->offset < JOB_PARAM0 || p->offset % 4)
            return refuse(job, line, err,
                          "parameter at 0x%x: write its byte address in s[], a multiple of 4 from "
                          "0x%x",
                          p->offset, JOB_PARAM0);
        if (p->offset >= end)
            return refuse(job, line, err,
                          "parameter at 0x%x: the parameters of kernel '%.200s' end at 0x%x; "
                          "correct the offset",
                          p->offset, k->name, end);
        for (int j = 0; j < i; j++)
            if (l->param[j].offset == p->offset)
                return refuse(job, line, err, "a second parameter%s at 0x%x; keep one",
                              param_name(k, p->offset, name), p->offset);
    }
    return 0;
}

static int check_shared(const struct job *job, const struct job_launch *l,
                        const struct cubin_kernel *k, struct fl_err *err)
{
    uint64_t used = k->shared_bytes > JOB_PARAM0 ? k->shared_bytes : JOB_PARAM0;
    for (int i = 0; i < l->nparams; i++)
        if (l->param[i].offset + 4 > used)
            used = l->param[i].offset + 4;
    used = (used + l->shared + 15) & ~(uint64_t)15;
    if (used > (uint64_t)job->profile.shared_bytes)
        return refuse(
            job, l->line, err,
            "kernel '%.200s' needs %llu bytes of shared memory (%u of its own, %u of this "
            "launch), profile %s has %d; lower shared or take a larger profile",
            k->name, (unsigned long long)used, k->shared_bytes, l->shared, job->profile.name,
            job->profile.shared_bytes);
    return 0;
}

/* The kernels a cubin holds, for the message about one that it does not. */
static void list_kernels(const struct cubin *c, char *out, size_t size)
{
    size_t n = 0;
    out[0] = 0;
    for (int i = 0; i < c->nkernels && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%.60s", i ? ", " : "", c->kernel[i].name);
    if (n >= size && size > 4)
        memcpy(out + size - 4, "...", 4);
}

/* By the name in the source, or by the one that the host registers. */
static int find_kernel(const struct cubin *c, const char *name)
{
    int index = cubin_find(c, name);
    return index >= 0 ? index : cubin_find_mangled(c, name);
}

int job_check_launch(const struct job *job, struct job_launch *l, struct fl_err *err)
{
    const struct profile *p = &job->profile;
    l->kernel_index = find_kernel(job->cubin, l->kernel);
    if (l->kernel_index < 0) {
        char have[400];
        list_kernels(job->cubin, have, sizeof have);
        return refuse(job, l->line, err, "the cubin has no kernel '%.200s'; it holds: %s",
                      l->kernel, *have ? have : "none");
    }
    const struct cubin_kernel *k = &job->cubin->kernel[l->kernel_index];
    if (check_block(job, l, err))
        return -1;
    int64_t warps = (int64_t)((threads_of(l) + SM_LANES - 1) / SM_LANES);
    if (warps > p->warps)
        return refuse(job, l->line, err,
                      "%lld warps per block, profile %s has %d; make the block "
                      "smaller",
                      (long long)warps, p->name, p->warps);
    if (k->regs < 0 || warps * SM_LANES * k->regs > p->regs)
        return refuse(
            job, l->line, err,
            "kernel '%.200s' needs %d registers for each of %lld threads, profile %s has "
            "%d; make the block smaller, or compile the kernel with smcc --maxrregcount %d",
            k->name, k->regs, (long long)warps * SM_LANES, p->name, p->regs,
            p->regs / (int)(warps * SM_LANES));
    if (k->barriers > p->barriers)
        return refuse(job, l->line, err,
                      "kernel '%.200s' uses %d barriers, profile %s has %d; "
                      "take another profile",
                      k->name, k->barriers, p->name, p->barriers);
    if (check_params(job, l, k, err))
        return -1;
    return check_shared(job, l, k, err);
}

static int check_output(const struct job *job, int i, struct fl_err *err)
{
    const struct job_output *o = &job->output[i];
    if (o->buffer < 0 || o->buffer >= job->nbuffers)
        return refuse(job, o->line, err, "output '%s' names no buffer of the job", o->name);
    const struct job_buffer *b = &job->buffer[o->buffer];
    if (o->size == 0 || o->offset > b->size || o->size > b->size - o->offset)
        return refuse(job, o->line, err,
                      "output '%s': %u bytes from %u, buffer '%s' has %u bytes; correct offset and "
                      "size",
                      o->name, o->size, o->offset, b->name, b->size);
    return 0;
}

static int by_name(const void *a, const void *b)
{
    const struct job_output *x = *(struct job_output *const *)a,
                            *y = *(struct job_output *const *)b;
    int c = strcmp(x->name, y->name);
    return c ? c : x < y ? -1 : x > y;
}

static int check_output_names(const struct job *job, struct fl_err *err)
{
    const struct job_output **o = fl_alloc((size_t)job->noutputs * sizeof *o);
    int result = 0;
    for (int i = 0; i < job->noutputs; i++)
        o[i] = &job->output[i];
    qsort(o, (size_t)job->noutputs, sizeof *o, by_name);
    for (int i = 1; i < job->noutputs && !result; i++)
        if (!strcmp(o[i - 1]->name, o[i]->name))
            result = refuse(job, o[i]->line, err, "a second output '%s'; rename one of them",
                            o[i]->name);
    free(o);
    return result;
}

static int check_range(const struct job *job, int line, int buffer, uint32_t offset, uint32_t size,
                       struct fl_err *err)
{
    const struct job_buffer *b = &job->buffer[buffer];
    if (size && offset <= b->size && size <= b->size - offset)
        return 0;
    return refuse(job, line, err,
                  "%u bytes from %u, buffer '%s' has %u bytes; correct offset and size", size,
                  offset, b->name, b->size);
}

static int check_step(const struct job *job, const struct job_step *s, struct fl_err *err)
{
    if (s->konst)
        return 0;
    if (check_range(job, s->line, s->buffer, s->offset, s->size, err))
        return -1;
    if (s->kind != STEP_COPY)
        return 0;
    if (check_range(job, s->line, s->to, s->at, s->size, err))
        return -1;
    if (s->to == s->buffer && s->at < s->offset + s->size && s->offset < s->at + s->size)
        return refuse(job, s->line, err, "a copy within buffer '%s' onto itself; keep them apart",
                      job->buffer[s->to].name);
    return 0;
}

/* A profile with 24-bit code addresses has no code from 2^24 on: a warp that runs past the last
 * word finds nothing. */
static int check_code_space(const struct job *job, struct fl_err *err)
{
    const uint64_t space = (uint64_t)1 << job->profile.code_bits;
    for (int k = 0; k < job->cubin->nkernels; k++) {
        const struct cubin_kernel *kernel = &job->cubin->kernel[k];
        for (int i = 0; i < kernel->ncode; i++) {
            const struct cubin_code *c = &kernel->code[i];
            if (c->base + (uint64_t)c->size > space)
                return refuse(job, job->line, err,
                              "kernel '%s' has code up to 0x%llx, profile %s has a code space of "
                              "0x%llx bytes; place it lower, or use profile flexgripplus",
                              kernel->name, (unsigned long long)c->base + c->size,
                              job->profile.name, (unsigned long long)space);
        }
    }
    return 0;
}

int job_check_code(const struct job *job, struct fl_err *err)
{
    if (job->cubin->wide_code && job->profile.code_bits < 32)
        return refuse(job, job->line, err,
                      "the cubin has branch targets of 32 bits, profile %s has %d; use profile "
                      "flexgripplus, or assemble the code for 24 bits",
                      job->profile.name, job->profile.code_bits);
    return check_code_space(job, err);
}

int job_check_texture(const struct job *job, struct job_texture *x, struct fl_err *err)
{
    struct texture *t = &x->texture;
    const struct job_buffer *b = &job->buffer[x->buffer];
    t->address = b->addr + x->offset;
    const char *wrong = texture_wrong(t);
    if (wrong)
        return refuse(job, x->line, err, "the texture of unit %d: %s", x->unit, wrong);
    uint64_t bytes = (uint64_t)(t->height - 1) * t->pitch +
                     (uint64_t)t->width * texture_texel_bytes(t);
    return x->offset <= b->size && bytes <= b->size - x->offset
               ? 0
               : refuse(job, x->line, err,
                        "the texture of unit %d has %llu bytes from %u on, buffer '%s' has %u",
                        x->unit, (unsigned long long)bytes, x->offset, b->name, b->size);
}

/* A launch that is to trap is the last thing that happens, and leaves nothing but its status. */
static int check_trap(const struct job *job, struct fl_err *err)
{
    const struct job_launch *last = &job->launch[job->nlaunches - 1];
    for (const struct job_launch *l = job->launch; l <= last; l++)
        if (l->trap && (l < last || l->decides))
            return refuse(
                job, l->line, err,
                "trap=\"%.40s\": a trap ends the job; only its last launch can state one, "
                "outside of <repeat>",
                l->trap);
    if (last->trap && job->after.count)
        return refuse(
            job, job->step[job->after.first].line, err,
            "the host does this behind a launch that traps, and no memory is left then; put "
            "it before the launch, or leave it out");
    for (int i = 0; last->trap && i < job->noutputs; i++)
        if (!job->output[i].taken)
            return refuse(
                job, job->output[i].line, err,
                "output '%s': no memory is left when the last launch has trapped; take it "
                "with a <read> before that launch, or leave it out",
                job->output[i].name);
    return 0;
}

int job_finish(struct job *job, struct fl_err *err)
{
    if (job_check_code(job, err) || job_place(job, err))
        return -1;
    for (int i = 0; i < job->nconsts; i++) {
        const struct job_const *c = &job->konst[i];
        if (c->bank < 0 || c->bank > 15 || c->offset > JOB_MAX_CONST ||
            c->size > JOB_MAX_CONST - c->offset)
            return refuse(job, c->line, err,
                          "constant c%d[0x%x] of %u bytes: banks are 0 to 15 and hold %d bytes",
                          c->bank, c->offset, c->size, JOB_MAX_CONST);
    }
    if (job->nlaunches < 1 || job->nlaunches > JOB_MAX_LAUNCHES)
        return refuse(job, job->line, err, "%d launches; a job has 1 to %d", job->nlaunches,
                      JOB_MAX_LAUNCHES);
    for (int i = 0; i < job->nlaunches; i++)
        if (job_check_launch(job, &job->launch[i], err))
            return -1;
    for (int i = 0; i < job->ntextures; i++)
        if (job_check_texture(job, &job->texture[i], err))
            return -1;
    uint64_t taken = 0;
    for (int i = 0; i < job->nsteps; i++)
        if (check_step(job, &job->step[i], err))
            return -1;
        else if (job->step[i].kind == STEP_READ && (taken += job->step[i].size) > JOB_MAX_BYTES)
            return refuse(job, job->step[i].line, err,
                          "the host reads more than 1 GiB; split the job");
    for (int i = 0; i < job->noutputs; i++)
        if (check_output(job, i, err))
            return -1;
    if (check_output_names(job, err) || check_trap(job, err))
        return -1;
    if (job->has_digest && job->noutputs == 0)
        return refuse(job, job->line, err,
                      "a digest without an output; add <output>s, it is their SHA-256");
    return job_check_compared(job, err);
}

int job_repeat(struct job *job, int first, int step, uint32_t limit, uint32_t word, uint32_t until)
{
    int pass = job->nlaunches - first;
    if ((uint64_t)limit * (uint64_t)pass > (uint64_t)(JOB_MAX_LAUNCHES - first))
        return -1;
    int end = first + (int)limit * pass;
    job->launch = fl_grow(job->launch, (size_t)end, sizeof *job->launch);
    for (int i = job->nlaunches; i < end; i++) {
        struct job_launch *l = &job->launch[i];
        *l = job->launch[i - pass];
        l->back += pass;
        if (l->before.first < step) { /* what stands before the repeat happens once */
            l->before.count -= step - l->before.first;
            l->before.first = step;
        }
    }
    for (int i = first + pass - 1; i < end; i += pass) {
        struct job_launch *l = &job->launch[i];
        l->decides = true;
        l->word = word;
        l->until = until;
        l->over = end;
        l->last_pass = i == end - 1;
    }
    job->nlaunches = end;
    return 0;
}

/* ---- job.xml ---- */

struct reader {
    struct xml_file f;
    struct job *job;
    /* elements allocated */
    int buffer_room, const_room, launch_room, output_room, step_room, texture_room;
    uint64_t bytes, written; /* of all buffers, by the host between launches */
    int waiting;             /* the first step that stands behind the last launch */
};

/* Makes room for element `count` of an array, zeroed. */
static void *more(void *array, int count, int *room, size_t size)
{
    if (count == *room) {
        *room = *room ? 2 * *room : 8;
        array = fl_grow(array, (size_t)*room, size);
    }
    memset((char *)array + (size_t)count * size, 0, size);
    return array;
}

static void put_u32(uint8_t *at, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(v >> 8 * i);
}

static int read_name(const struct reader *r, const xmlNode *n, char **out, struct fl_err *err)
{
    const char *name = xml_attr(n, "name");
    if (!*name || strlen(name) > 63 ||
        strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") !=
            strlen(name))
        return xml_fail(&r->f, n, err,
                        "<%s> name=\"%.40s\": write 1 to 63 letters, digits, or . _ -", xml_name(n),
                        name);
    *out = fl_strdup(name);
    return 0;
}

/* "16" or "4,4": missing components are 1. */
static int read_dims(const struct reader *r, const xmlNode *n, const char *attr, int count,
                     uint32_t *out, struct fl_err *err)
{
    const char *text = xml_attr(n, attr), *p = text;
    for (int i = 0; i < count; i++)
        out[i] = 1;
    for (int i = 0; i < count; i++) {
        char number[16];
        size_t len = strcspn(p, ",");
        if (len >= sizeof number)
            break;
        memcpy(number, p, len);
        number[len] = 0;
        if (!xml_u32(number, &out[i]))
            break;
        p += len;
        if (!*p)
            return 0;
        p++;
    }
    return xml_fail(&r->f, n, err, "%s=\"%.40s\": write up to %d numbers, as in \"%s\"", attr, text,
                    count, count == 2 ? "4,4" : "8,8,2");
}

/* The bytes that fill a buffer or a constant. */
struct content {
    uint32_t room; /* bytes at most */
    /* room is the size of a buffer: what a file or <random> fills when they do not say */
    bool fixed;
};

static int read_values(const struct reader *r, const xmlNode *n, const struct content *c,
                       struct fl_buf *out, struct fl_err *err)
{
    bool (*parse)(const char *, uint32_t *) = xml_is(n, "f32")   ? xml_f32
                                              : xml_is(n, "s32") ? xml_s32
                                                                 : xml_u32;
    struct fl_buf text = {0};
    int result = -1;
    if (xml_attrs(&r->f, n, "", "", err) || xml_text(&r->f, n, &text, err))
        goto out;
    char *save = NULL;
    uint32_t index = 0;
    for (char *w = strtok_r((char *)text.data, " \t\r\n", &save); w;
         w = strtok_r(NULL, " \t\r\n", &save), index++) {
        uint32_t bits;
        uint8_t bytes[4];
        if (!parse(w, &bits)) {
            xml_fail(&r->f, n, err, "<%s>: value %u, '%.40s', is not a number of this type",
                     xml_name(n), index + 1, w);
            goto out;
        }
        if (out->size + 4 > c->room) {
            xml_fail(&r->f, n, err, "<%s>: more than the %u values that fit; drop some or enlarge",
                     xml_name(n), c->room / 4);
            goto out;
        }
        put_u32(bytes, bits);
        fl_buf_add(out, bytes, 4);
    }
    result = 0;
out:
    fl_buf_free(&text);
    return result;
}

/* A pipe or device could block or never end. */
static bool regular(const char *path)
{
    struct stat st;
    return stat(path, &st) != 0 ||
           S_ISREG(st.st_mode); /* the reader says why a missing file is one */
}

/* `size` bytes of a file from byte `offset` on; 0: the rest of it, `room` at most. */
static int read_part(const struct reader *r, const xmlNode *n, const char *path, uint32_t offset,
                     uint32_t size, uint32_t room, struct fl_buf *out, struct fl_err *err)
{
    if (!regular(path))
        return xml_fail(&r->f, n, err, "%.300s: not a regular file; name one that holds the bytes",
                        path);
    FILE *f = fopen(path, "rb");
    struct stat st;
    if (!f || fstat(fileno(f), &st)) {
        xml_fail(&r->f, n, err,
                 "%.300s: cannot open it: %s; correct the path, it is relative to this file", path,
                 strerror(errno));
        if (f)
            fclose(f);
        return -1;
    }
    uint64_t have = (uint64_t)st.st_size > offset ? (uint64_t)st.st_size - offset : 0;
    if (size == 0 && have <= room)
        size = (uint32_t)have;
    int result = -1;
    if (size == 0 || have < size) {
        xml_fail(&r->f, n, err,
                 "%.300s: holds %llu bytes from offset %u, %u are needed; correct offset and size, "
                 "or the file",
                 path, (unsigned long long)have, offset, size ? size : room);
    } else {
        uint8_t *bytes = fl_alloc(size);
        if (fseek(f, (long)offset, SEEK_SET) || fread(bytes, 1, size, f) != size)
            xml_fail(&r->f, n, err, "%.300s: cannot be read: %s", path, strerror(errno));
        else
            result = 0;
        fl_buf_add(out, bytes, result ? 0 : size);
        free(bytes);
    }
    fclose(f);
    return result;
}

static int read_file(const struct reader *r, const xmlNode *n, const struct content *c,
                     struct fl_buf *out, struct fl_err *err)
{
    if (xml_attrs(&r->f, n, "path", "offset size", err) || xml_no_text(&r->f, n, true, err))
        return -1;
    uint32_t offset = 0, size = c->room;
    if (xml_attr_u32(&r->f, n, "offset", 0, UINT32_MAX, &offset, err) ||
        xml_attr_u32(&r->f, n, "size", 1, c->room, &size, err))
        return -1;
    char *path = fl_path_beside(r->f.path, xml_attr(n, "path"));
    bool all = !c->fixed && !xml_attr(n, "size");
    int result = read_part(r, n, path, offset, all ? 0 : size, c->room, out, err);
    struct fl_files *files = &r->job->files;
    bool known = files->count && !strcmp(files->file[files->count - 1].path, path);
    if (result == 0 && !known) /* a file may hold what many elements ask for */
        fl_files_in(files, "a file of the job", path);
    free(path);
    return result;
}

struct random {
    enum { RANDOM_U32, RANDOM_U8, RANDOM_F32 } type;
    uint64_t state;
    uint32_t min, max;
    float fmin, fmax;
};

static void draw_element(struct random *g, uint8_t *at)
{
    uint32_t bits = (uint32_t)(fl_random(&g->state) >> 32);
    if (g->type == RANDOM_F32) {
        double unit = (double)(bits >> 8) / 16777216.0; /* 24 bits: 0 <= unit < 1 */
        float v = (float)((double)g->fmin + ((double)g->fmax - (double)g->fmin) * unit);
        memcpy(&bits, &v, sizeof bits);
    } else {
        bits = g->min + (uint32_t)(((uint64_t)bits * ((uint64_t)g->max - g->min + 1)) >> 32);
    }
    if (g->type == RANDOM_U8)
        *at = (uint8_t)bits;
    else
        put_u32(at, bits);
}

static int random_bound(const struct reader *r, const xmlNode *n, const char *attr, float *value,
                        struct fl_err *err)
{
    const char *text = xml_attr(n, attr);
    uint32_t bits;
    if (!text)
        return 0;
    if (!xml_f32(text, &bits) || strstr(text, "inf"))
        return xml_fail(&r->f, n, err, "<random> %s=\"%.40s\": write a finite number", attr, text);
    memcpy(value, &bits, sizeof *value);
    return 0;
}

static int read_random(const struct reader *r, const xmlNode *n, const struct content *c,
                       struct fl_buf *out, struct fl_err *err)
{
    if (xml_attrs(&r->f, n, "type seed", "min max count", err) || xml_no_text(&r->f, n, true, err))
        return -1;
    const char *type = xml_attr(n, "type");
    struct random g = {.max = UINT32_MAX, .fmax = 1};
    if (!strcmp(type, "u8")) {
        g.type = RANDOM_U8;
        g.max = 255;
    } else if (!strcmp(type, "f32")) {
        g.type = RANDOM_F32;
    } else if (strcmp(type, "u32")) {
        return xml_fail(&r->f, n, err, "<random> type=\"%.40s\": write u32, f32 or u8", type);
    }
    uint32_t seed = 0, width = g.type == RANDOM_U8 ? 1 : 4;
    uint32_t count = c->fixed ? c->room / width : 0;
    if (c->room / width == 0 || (!c->fixed && !xml_attr(n, "count")))
        return xml_fail(&r->f, n, err,
                        c->room / width ? "<random> needs count=\"...\" here, the number of values"
                                        : "<random>: not one value fits; enlarge the buffer");
    if (xml_attr_u32(&r->f, n, "seed", 0, UINT32_MAX, &seed, err) ||
        xml_attr_u32(&r->f, n, "count", 1, c->room / width, &count, err))
        return -1;
    if (g.type == RANDOM_F32) {
        if (random_bound(r, n, "min", &g.fmin, err) || random_bound(r, n, "max", &g.fmax, err))
            return -1;
    } else {
        uint32_t top = g.max;
        if (xml_attr_u32(&r->f, n, "min", 0, top, &g.min, err) ||
            xml_attr_u32(&r->f, n, "max", 0, top, &g.max, err))
            return -1;
    }
    if (g.min > g.max || g.fmin > g.fmax)
        return xml_fail(&r->f, n, err, "<random> min is above max; swap them");
    if (c->fixed && !xml_attr(n, "count") && c->room % width)
        return xml_fail(&r->f, n, err,
                        "<random>: %u bytes are no whole number of values; make the size a "
                        "multiple of 4",
                        c->room);
    g.state = seed;
    uint8_t element[4];
    for (uint32_t i = 0; i < count; i++) {
        draw_element(&g, element);
        fl_buf_add(out, element, width);
    }
    return 0;
}

/* The only child of a <buffer> or <constant>. */
static int read_content(const struct reader *r, const xmlNode *parent, const struct content *c,
                        struct fl_buf *out, struct fl_err *err)
{
    const xmlNode *n = xml_first(parent);
    if (xml_no_text(&r->f, parent, false, err))
        return -1;
    if (!n)
        return 0;
    if (xml_next(n))
        return xml_fail(&r->f, xml_next(n), err, "<%s> takes one content element; remove <%.40s>",
                        xml_name(parent), xml_name(xml_next(n)));
    if (xml_is(n, "u32") || xml_is(n, "s32") || xml_is(n, "f32"))
        return read_values(r, n, c, out, err);
    if (xml_is(n, "file"))
        return read_file(r, n, c, out, err);
    if (xml_is(n, "random"))
        return read_random(r, n, c, out, err);
    return xml_fail(&r->f, n, err, "<%s> cannot hold <%.40s>; write u32, s32, f32, file or random",
                    xml_name(parent), xml_name(n));
}

static int read_buffer(struct reader *r, const xmlNode *n, struct fl_err *err)
{
    struct job *job = r->job;
    if (xml_attrs(&r->f, n, "name size", "fill address", err))
        return -1;
    job->buffer = more(job->buffer, job->nbuffers, &r->buffer_room, sizeof *job->buffer);
    struct job_buffer *b = &job->buffer[job->nbuffers];
    b->line = xml_line(n);
    uint32_t fill = 0;
    if (read_name(r, n, &b->name, err))
        return -1;
    job->nbuffers++;
    if (xml_attr_u32(&r->f, n, "size", 1, JOB_MAX_BYTES, &b->size, err) ||
        xml_attr_u32(&r->f, n, "fill", 0, UINT32_MAX, &fill, err) ||
        xml_attr_u32(&r->f, n, "address", 0, UINT32_MAX, &b->addr, err))
        return -1;
    b->dictated = xml_attr(n, "address") != NULL;
    r->bytes += b->size;
    if (r->bytes > JOB_MAX_BYTES)
        return xml_fail(&r->f, n, err,
                        "with buffer '%s' the job holds more than 1 GiB; make buffers smaller",
                        b->name);
    b->init = fl_alloc(b->size);
    for (uint32_t i = 0; fill && i < b->size; i++)
        b->init[i] = (uint8_t)(fill >> 8 * (i % 4));
    struct content c = {.room = b->size, .fixed = true};
    struct fl_buf bytes = {0};
    int result = read_content(r, n, &c, &bytes, err);
    if (result == 0 && bytes.size)
        memcpy(b->init, bytes.data, bytes.size);
    fl_buf_free(&bytes);
    return result;
}

/* As many as stand there; the caller frees *data, whatever comes back. */
static int read_bytes(const struct reader *r, const xmlNode *n, uint32_t room, uint8_t **data,
                      uint32_t *size, struct fl_err *err)
{
    struct content c = {.room = room};
    struct fl_buf bytes = {0};
    int result = read_content(r, n, &c, &bytes, err);
    if (result == 0 && bytes.size == 0)
        result = xml_fail(&r->f, n, err, "<%s> is empty; add u32, s32, f32, file or random",
                          xml_name(n));
    *data = bytes.data;
    *size = (uint32_t)bytes.size;
    return result;
}

/* Whose constants they are. */
static int read_module_of(const struct reader *r, const xmlNode *n, int *module, struct fl_err *err)
{
    const char *name = xml_attr(n, "module");
    *module = name ? cubin_find_module(r->job->cubin, name) : 0;
    return *module >= 0 ? 0
                        : xml_fail(&r->f, n, err,
                                   "no module '%.63s' in this job; add <module name=\"%.63s\" "
                                   "cubin=\"...\"/>",
                                   name, name);
}

static int read_constant(struct reader *r, const xmlNode *n, struct fl_err *err)
{
    struct job *job = r->job;
    if (xml_attrs(&r->f, n, "bank offset", "module", err))
        return -1;
    if (job->nconsts == JOB_MAX_CONSTS)
        return xml_fail(&r->f, n, err, "more than %d constants; join some", JOB_MAX_CONSTS);
    job->konst = more(job->konst, job->nconsts, &r->const_room, sizeof *job->konst);
    struct job_const *k = &job->konst[job->nconsts++];
    k->line = xml_line(n);
    uint32_t bank = 0;
    if (xml_attr_u32(&r->f, n, "bank", 0, 15, &bank, err) ||
        xml_attr_u32(&r->f, n, "offset", 0, JOB_MAX_CONST - 1, &k->offset, err) ||
        read_module_of(r, n, &k->module, err))
        return -1;
    k->bank = (int)bank;
    return read_bytes(r, n, JOB_MAX_CONST - k->offset, &k->data, &k->size, err);
}

static int buffer_in(const struct reader *r, const xmlNode *n, const char *attr, struct fl_err *err)
{
    const char *name = xml_attr(n, attr);
    int i = job_find_buffer(r->job, name);
    if (i < 0)
        xml_fail(&r->f, n, err, "no buffer '%.63s' in this job; add <buffer name=\"%.63s\" ...>",
                 name, name);
    return i;
}

static int buffer_named(const struct reader *r, const xmlNode *n, struct fl_err *err)
{
    return buffer_in(r, n, "buffer", err);
}

/* `kernel` is NULL when the cubin does not have it, which is said later. */
static int param_by_name(struct reader *r, const xmlNode *n, const struct cubin_kernel *kernel,
                         struct job_param *p, struct fl_err *err)
{
    struct fl_err why;
    int i = kernel ? job_find_param(kernel, xml_attr(n, "name"), &why) : 0;
    if (i < 0)
        return xml_fail(&r->f, n, err, "%s", why.msg);
    p->offset = JOB_PARAM0 + (kernel ? kernel->param[i].offset : 0);
    return 0;
}

static int read_param(struct reader *r, const xmlNode *n, const struct cubin_kernel *kernel,
                      struct job_param *p, struct fl_err *err)
{
    if (xml_attrs(&r->f, n, "", "name offset u32 s32 f32 buffer plus", err) ||
        xml_no_text(&r->f, n, true, err))
        return -1;
    if (!xml_attr(n, "name") == !xml_attr(n, "offset"))
        return xml_fail(&r->f, n, err, "<param> needs its name=\"...\", or its offset=\"...\"");
    if (xml_attr(n, "name") && param_by_name(r, n, kernel, p, err))
        return -1;
    if (xml_attr_u32(&r->f, n, "offset", JOB_PARAM0, SM_MAX_BLOCK_SHARED - 4, &p->offset, err))
        return -1;
    const char *u = xml_attr(n, "u32"), *s = xml_attr(n, "s32"), *x = xml_attr(n, "f32"),
               *b = xml_attr(n, "buffer");
    if (!!u + !!s + !!x + !!b != 1)
        return xml_fail(&r->f, n, err, "<param> needs one value: u32=, s32=, f32= or buffer=");
    if (xml_attr(n, "plus") && !b)
        return xml_fail(&r->f, n, err, "<param> plus= belongs to buffer=; add it to the value");
    if ((u && !xml_u32(u, &p->value)) || (s && !xml_s32(s, &p->value)) ||
        (x && !xml_f32(x, &p->value)))
        return xml_fail(&r->f, n, err, "<param> %s=\"%.40s\" is not a number of this type",
                        u   ? "u32"
                        : s ? "s32"
                            : "f32",
                        u   ? u
                        : s ? s
                            : x);
    if (b) {
        int i = buffer_named(r, n, err);
        if (i < 0)
            return -1;
        uint32_t plus = 0;
        if (xml_attr_u32(&r->f, n, "plus", 0, r->job->buffer[i].size, &plus, err))
            return -1;
        p->value = r->job->buffer[i].addr + plus;
    }
    return 0;
}

/* The sizes of images that the kernel asks for, unless the launch says them itself. */
static void fill_sizes(struct reader *r, struct job_launch *l, const struct cubin_kernel *k,
                       int *room)
{
    const struct job *job = r->job;
    for (int i = 0; i < k->nparams && l->nparams < JOB_MAX_PARAMS; i++) {
        const struct texture *bound = NULL;
        uint32_t offset = JOB_PARAM0 + k->param[i].offset;
        bool height, said = false;
        const struct cubin_texture *of = cubin_size_of(job->cubin, k->param[i].name, &height);
        for (int t = 0; of && t < job->ntextures; t++)
            if (job->texture[t].unit == (int)of->unit)
                bound = &job->texture[t].texture;
        for (int p = 0; p < l->nparams; p++)
            said |= l->param[p].offset == offset;
        if (!bound || said)
            continue;
        l->param = more(l->param, l->nparams, room, sizeof *l->param);
        l->param[l->nparams++] = (struct job_param){
            .line = l->line, .offset = offset, .value = height ? bound->height : bound->width};
    }
}

static int read_launch(struct reader *r, const xmlNode *n, struct fl_err *err)
{
    struct job *job = r->job;
    if (xml_attrs(&r->f, n, "kernel grid block", "shared trap", err) ||
        xml_no_text(&r->f, n, false, err))
        return -1;
    if (job->nlaunches == JOB_MAX_LAUNCHES)
        return xml_fail(&r->f, n, err, "more than %d launches; split the job", JOB_MAX_LAUNCHES);
    job->launch = more(job->launch, job->nlaunches, &r->launch_room, sizeof *job->launch);
    struct job_launch *l = &job->launch[job->nlaunches++];
    l->line = xml_line(n);
    l->before = (struct job_steps){r->waiting, job->nsteps - r->waiting};
    l->textures = job->ntextures;
    r->waiting = job->nsteps;
    l->kernel = fl_strdup(xml_attr(n, "kernel"));
    if (xml_attr(n, "trap"))
        l->trap = fl_strdup(xml_attr(n, "trap"));
    if (read_dims(r, n, "grid", 2, l->grid, err) || read_dims(r, n, "block", 3, l->block, err) ||
        xml_attr_u32(&r->f, n, "shared", 0, SM_MAX_BLOCK_SHARED, &l->shared, err))
        return -1;
    int room = 0, index = find_kernel(job->cubin, l->kernel);
    for (const xmlNode *c = xml_first(n); c; c = xml_next(c)) {
        if (!xml_is(c, "param"))
            return xml_fail(&r->f, c, err, "<launch> holds <param>s only; remove <%.40s>",
                            xml_name(c));
        if (l->nparams == JOB_MAX_PARAMS)
            return xml_fail(&r->f, c, err, "more than %d parameters; pass a buffer instead",
                            JOB_MAX_PARAMS);
        l->param = more(l->param, l->nparams, &room, sizeof *l->param);
        struct job_param *p = &l->param[l->nparams++];
        p->line = xml_line(c);
        if (read_param(r, c, index < 0 ? NULL : &job->cubin->kernel[index], p, err))
            return -1;
    }
    if (index >= 0)
        fill_sizes(r, l, &job->cubin->kernel[index], &room);
    return 0;
}

int job_element_size(enum job_element e)
{
    return e <= ELEMENT_U32 ? 4 : e <= ELEMENT_U16 ? 2 : 1;
}

static int read_tolerance(const struct reader *r, const xmlNode *n, struct job_output *o,
                          struct fl_err *err)
{
    static const char *const kinds[] = {
        [TOLERANCE_ABS] = "abs:", [TOLERANCE_REL] = "rel:", [TOLERANCE_ULP] = "ulp:"};
    const char *text = xml_attr(n, "tolerance"), *type = xml_attr(n, "type");
    int kind = TOLERANCE_ABS, element = 0;
    char *end = NULL;
    if (type)
        element = cubin_element(type, strlen(type));
    if (element < 0)
        return xml_fail(&r->f, n, err,
                        "<output> type=\"%.40s\": write f32, s32, u32, s16, u16, s8 or u8", type);
    o->typed = type || text;
    o->element = (enum job_element)element;
    if (!text)
        return 0;
    while (kind <= TOLERANCE_ULP && strncmp(text, kinds[kind], 4) != 0)
        kind++;
    if (kind <= TOLERANCE_ULP)
        o->within = strtod(text + 4, &end);
    if (!end || end == text + 4 || *end || !(o->within >= 0) || isinf(o->within))
        return xml_fail(
            &r->f, n, err,
            "<output> tolerance=\"%.40s\": write abs:, rel: or ulp: and a number from 0 "
            "on",
            text);
    if (kind == TOLERANCE_ULP && element != ELEMENT_F32)
        return xml_fail(&r->f, n, err, "<output> ulp: is of type f32; take abs:");
    o->tolerance = (enum job_tolerance)kind;
    return 0;
}

/* Its bytes belong to what the job is: another checker, another verdict. */
static int read_checker(struct reader *r, const xmlNode *n, struct job_output *o,
                        struct fl_err *err)
{
    struct fl_buf bytes = {0};
    struct fl_err why;
    uint8_t digest[32];
    if (!xml_attr(n, "checker"))
        return 0;
    if (xml_attr(n, "tolerance"))
        return xml_fail(&r->f, n, err, "<output> has a tolerance and a checker; keep one");
    o->checker = fl_path_beside(r->f.path, xml_attr(n, "checker"));
    if (fl_read_file(o->checker, &bytes, &why) || access(o->checker, X_OK) != 0)
        return xml_fail(&r->f, n, err, "checker=\"%.200s\": %.500s", xml_attr(n, "checker"),
                        bytes.data ? "not a program; make it executable" : why.msg);
    job_sha256(&(struct job_range){bytes.data, bytes.size}, 1, digest);
    fl_buf_free(&bytes);
    fl_hex(digest, sizeof digest, o->checker_sha256);
    fl_files_in(&r->job->files, "the checker of an output", o->checker);
    o->tolerance = TOLERANCE_CHECKER;
    return 0;
}

static int read_compared(const struct reader *r, const xmlNode *n, struct job_output *o,
                         struct fl_err *err)
{
    const char *text = xml_attr(n, "compared");
    o->compared = text && strcmp(text, "yes") == 0;
    if (text && !o->compared && strcmp(text, "no") != 0)
        return xml_fail(&r->f, n, err, "compared=\"%.40s\": write yes or no", text);
    if (o->compared && (xml_attr(n, "tolerance") || o->checker || o->taken))
        return xml_fail(&r->f, n, err,
                        "outputs of SMs are compared bit for bit at the end of the job: leave "
                        "tolerance and checker out, and let <read> be an <output>");
    return 0;
}

/* An <output>, or a <read>: what is an output then. */
static int read_output(struct reader *r, const xmlNode *n, struct fl_err *err)
{
    struct job *job = r->job;
    if (xml_attrs(&r->f, n, "name buffer", "offset size tolerance type checker compared", err) ||
        xml_no_text(&r->f, n, true, err))
        return -1;
    if (job->noutputs == JOB_MAX_OUTPUTS)
        return xml_fail(&r->f, n, err, "more than %d outputs; join neighbours", JOB_MAX_OUTPUTS);
    int buffer = buffer_named(r, n, err);
    if (buffer < 0)
        return -1;
    job->output = more(job->output, job->noutputs, &r->output_room, sizeof *job->output);
    struct job_output *o = &job->output[job->noutputs];
    o->line = xml_line(n);
    o->taken = xml_is(n, "read");
    o->buffer = buffer;
    if (read_name(r, n, &o->name, err))
        return -1;
    job->noutputs++;
    uint32_t bytes = job->buffer[buffer].size;
    if (xml_attr_u32(&r->f, n, "offset", 0, bytes - 1, &o->offset, err))
        return -1;
    o->size = bytes - o->offset;
    if (xml_attr_u32(&r->f, n, "size", 1, bytes - o->offset, &o->size, err) ||
        read_tolerance(r, n, o, err) || read_checker(r, n, o, err) || read_compared(r, n, o, err))
        return -1;
    uint32_t each = (uint32_t)job_element_size(o->element);
    if (o->typed && (o->offset % each || o->size % each))
        return xml_fail(&r->f, n, err,
                        "<output> %s: %u bytes from byte %u are no whole %s; move or resize it",
                        o->name, o->size, o->offset, cubin_elements[o->element]);
    return 0;
}

/* ---- what the host does between launches ---- */

static struct job_step *new_step(struct reader *r, const xmlNode *n, enum job_step_kind kind,
                                 struct fl_err *err)
{
    struct job *job = r->job;
    if (job->nsteps == JOB_MAX_STEPS) {
        xml_fail(&r->f, n, err,
                 "the host writes, fills, copies and reads more than %d times; "
                 "split the job",
                 JOB_MAX_STEPS);
        return NULL;
    }
    job->step = more(job->step, job->nsteps, &r->step_room, sizeof *job->step);
    struct job_step *s = &job->step[job->nsteps++];
    s->line = xml_line(n);
    s->kind = kind;
    return s;
}

/* Its buffer and, unless stated, what stands in it from `offset` on. */
static int read_place(const struct reader *r, const xmlNode *n, struct job_step *s,
                      struct fl_err *err)
{
    s->buffer = buffer_named(r, n, err);
    if (s->buffer < 0)
        return -1;
    uint32_t bytes = r->job->buffer[s->buffer].size;
    if (xml_attr_u32(&r->f, n, "offset", 0, bytes - 1, &s->offset, err))
        return -1;
    s->size = bytes - s->offset;
    return xml_attr_u32(&r->f, n, "size", 1, s->size, &s->size, err);
}

static int read_write(struct reader *r, const xmlNode *n, struct fl_err *err)
{
    struct job_step *s = new_step(r, n, STEP_WRITE, err);
    uint32_t bank = 0;
    if (!s || xml_attrs(&r->f, n, "", "buffer bank offset module", err))
        return -1;
    s->konst = xml_attr(n, "bank") != NULL;
    if (s->konst == (xml_attr(n, "buffer") != NULL))
        return xml_fail(&r->f, n, err, "<write> needs a buffer=\"...\", or a bank=\"...\"");
    if (!s->konst && xml_attr(n, "module"))
        return xml_fail(&r->f, n, err, "<write> to a buffer is of no module; leave module out");
    if (read_module_of(r, n, &s->module, err))
        return -1;
    if (s->konst ? xml_attr_u32(&r->f, n, "bank", 0, 15, &bank, err) ||
                       xml_attr_u32(&r->f, n, "offset", 0, JOB_MAX_CONST - 1, &s->offset, err)
                 : read_place(r, n, s, err))
        return -1;
    s->bank = (int)bank;
    if (read_bytes(r, n, s->konst ? JOB_MAX_CONST - s->offset : s->size, &s->data, &s->size, err))
        return -1;
    r->written += s->size;
    return r->written > JOB_MAX_BYTES
               ? xml_fail(&r->f, n, err, "<write>s hold more than 1 GiB; split the job")
               : 0;
}

static int read_fill(struct reader *r, const xmlNode *n, struct fl_err *err)
{
    struct job_step *s = new_step(r, n, STEP_FILL, err);
    return !s || xml_attrs(&r->f, n, "buffer value", "offset size", err) ||
                   xml_no_text(&r->f, n, true, err) || read_place(r, n, s, err) ||
                   xml_attr_u32(&r->f, n, "value", 0, UINT32_MAX, &s->value, err)
               ? -1
               : 0;
}

static int read_copy(struct reader *r, const xmlNode *n, struct fl_err *err)
{
    struct job_step *s = new_step(r, n, STEP_COPY, err);
    if (!s || xml_attrs(&r->f, n, "buffer size to", "offset at", err) ||
        xml_no_text(&r->f, n, true, err) || read_place(r, n, s, err) ||
        (s->to = buffer_in(r, n, "to", err)) < 0)
        return -1;
    return xml_attr_u32(&r->f, n, "at", 0, r->job->buffer[s->to].size - 1, &s->at, err);
}

static int read_read(struct reader *r, const xmlNode *n, struct fl_err *err)
{
    if (read_output(r, n, err))
        return -1;
    struct job_step *s = new_step(r, n, STEP_READ, err);
    if (!s)
        return -1;
    s->output = r->job->noutputs - 1;
    const struct job_output *o = &r->job->output[s->output];
    s->buffer = o->buffer;
    s->offset = o->offset;
    s->size = o->size;
    return 0;
}

/* The unit: by the cubin's name for it, or by number. */
static int read_unit(const struct reader *r, const xmlNode *n, struct job_texture *t,
                     struct fl_err *err)
{
    const char *name = xml_attr(n, "name");
    const struct cubin *c = r->job->cubin;
    uint32_t unit = 0;
    if ((name != NULL) == (xml_attr(n, "unit") != NULL))
        return xml_fail(&r->f, n, err, "<texture> needs a name=\"...\", or a unit=\"...\"");
    if (!name) {
        if (xml_attr_u32(&r->f, n, "unit", 0, TEXTURE_UNITS - 1, &unit, err))
            return -1;
        t->unit = (int)unit;
        return 0;
    }
    int i = cubin_find_texture(c, name);
    struct fl_buf have = {0};
    for (int k = 0; k < c->ntextures; k++)
        fl_buf_printf(&have, "%s%s", k ? ", " : "", c->texture[k].name);
    if (i >= 0)
        t->unit = (int)c->texture[i].unit;
    else
        xml_fail(&r->f, n, err, "the cubin has no texture reference '%.100s'; it has: %.400s", name,
                 have.size ? (char *)have.data : "none");
    fl_buf_free(&have);
    return i < 0 ? -1 : 0;
}

/* Of two words: which it is. */
static int read_choice(const struct reader *r, const xmlNode *n, const char *attr, const char *no,
                       const char *yes, bool *out, struct fl_err *err)
{
    const char *text = xml_attr(n, attr);
    *out = text && strcmp(text, yes) == 0;
    return !text || *out || strcmp(text, no) == 0
               ? 0
               : xml_fail(&r->f, n, err, "<texture> %s=\"%.40s\": write %s or %s", attr, text, no,
                          yes);
}

/* "clamp", or one for each axis. */
static int read_address(const struct reader *r, const xmlNode *n, struct texture *t,
                        struct fl_err *err)
{
    static const char *const ways[] = {"clamp", "wrap", "clamp,wrap", "wrap,clamp"};
    const char *text = xml_attr(n, "address");
    int i = 0;
    while (text && i < 4 && strcmp(text, ways[i]) != 0)
        i++;
    t->wrap[0] = i == 1 || i == 3;
    t->wrap[1] = i == 1 || i == 2;
    return i < 4 ? 0
                 : xml_fail(&r->f, n, err,
                            "<texture> address=\"%.40s\": write clamp, wrap, or one of the two for "
                            "each axis, as in wrap,clamp",
                            text);
}

/* An image of OpenCL C has the texels that the kernel reads, and the sampler that it names. */
static int check_image(const struct reader *r, const xmlNode *n, const struct job_texture *x,
                       struct fl_err *err)
{
    static const char *const formats[] = {
        "gives floats: write f32, unorm8, snorm8, unorm16 or snorm16",
        "gives signed integers: write s8, s16 or s32",
        "gives unsigned integers: write u8, u16 or u32"};
    const struct cubin *c = r->job->cubin;
    const struct texture *t = &x->texture;
    const struct cubin_texture *of = NULL;
    struct cubin_image image;
    for (int i = 0; i < c->ntextures; i++)
        if ((int)c->texture[i].unit == x->unit)
            of = &c->texture[i];
    if (!of || !cubin_image(of, &image))
        return 0;
    enum texture_format f = (enum texture_format)t->format;
    int kind = texture_is_float(f)                                       ? CUBIN_FLOATS
               : f == TEXTURE_S8 || f == TEXTURE_S16 || f == TEXTURE_S32 ? CUBIN_SIGNED
                                                                         : CUBIN_UNSIGNED;
    if (kind != (int)image.kind)
        return xml_fail(&r->f, n, err,
                        "<texture> format=\"%s\": the kernel's read of image '%.60s' %s",
                        texture_format_name(f), of->name, formats[image.kind]);
    if (image.any || (t->wrap[0] == image.wrap && t->wrap[1] == image.wrap &&
                      t->linear == image.linear && t->normalized == image.normalized))
        return 0;
    return xml_fail(&r->f, n, err,
                    "<texture>: the kernel's sampler of image '%.60s' has address=\"%s\" "
                    "filter=\"%s\" normalized=\"%s\": write so here",
                    of->name, image.wrap ? "wrap" : "clamp", image.linear ? "linear" : "nearest",
                    image.normalized ? "yes" : "no");
}

static int read_texture(struct reader *r, const xmlNode *n, struct fl_err *err)
{
    struct job *job = r->job;
    uint32_t channels = 1;
    if (xml_attrs(&r->f, n, "buffer width format",
                  "name unit offset height pitch channels address filter normalized", err) ||
        xml_no_text(&r->f, n, true, err))
        return -1;
    if (job->ntextures == JOB_MAX_TEXTURES)
        return xml_fail(&r->f, n, err, "more than %d textures; split the job", JOB_MAX_TEXTURES);
    job->texture = more(job->texture, job->ntextures, &r->texture_room, sizeof *job->texture);
    struct job_texture *x = &job->texture[job->ntextures++];
    struct texture *t = &x->texture;
    x->line = xml_line(n);
    x->buffer = buffer_named(r, n, err);
    int format = texture_format_find(xml_attr(n, "format"));
    t->height = 1;
    if (x->buffer < 0 || read_unit(r, n, x, err))
        return -1;
    if (format < 0)
        return xml_fail(
            &r->f, n, err,
            "<texture> format=\"%.40s\": write u8, s8, u16, s16, u32, s32, f32, unorm8, "
            "snorm8, unorm16 or snorm16",
            xml_attr(n, "format"));
    if (xml_attr_u32(&r->f, n, "offset", 0, UINT32_MAX, &x->offset, err) ||
        xml_attr_u32(&r->f, n, "width", 1, TEXTURE_LINE, &t->width, err) ||
        xml_attr_u32(&r->f, n, "height", 1, TEXTURE_MAX, &t->height, err) ||
        xml_attr_u32(&r->f, n, "channels", 1, 4, &channels, err))
        return -1;
    t->format = (uint8_t)format;
    t->channels = (uint8_t)channels;
    t->pitch = t->width * texture_texel_bytes(t);
    return xml_attr_u32(&r->f, n, "pitch", 1, JOB_MAX_BYTES, &t->pitch, err) ||
                   read_choice(r, n, "filter", "nearest", "linear", &t->linear, err) ||
                   read_choice(r, n, "normalized", "no", "yes", &t->normalized, err) ||
                   read_address(r, n, t, err) || check_image(r, n, x, err)
               ? -1
               : 0;
}

static const struct element {
    const char *name;
    int (*read)(struct reader *r, const xmlNode *n, struct fl_err *err);
} repeated[] = {{"launch", read_launch},
                {"write", read_write},
                {"fill", read_fill},
                {"copy", read_copy},
                {"read", read_read}};

static int read_repeat(struct reader *r, const xmlNode *n, struct fl_err *err)
{
    struct job *job = r->job;
    uint32_t until, at = 0, limit;
    int first = job->nlaunches, step = job->nsteps;
    if (xml_attrs(&r->f, n, "until buffer limit", "offset", err) ||
        xml_no_text(&r->f, n, false, err))
        return -1;
    int b = buffer_named(r, n, err);
    if (b < 0 || xml_attr_u32(&r->f, n, "until", 0, UINT32_MAX, &until, err) ||
        xml_attr_u32(&r->f, n, "limit", 1, JOB_MAX_LAUNCHES, &limit, err) ||
        xml_attr_u32(&r->f, n, "offset", 0, job->buffer[b].size - 1, &at, err))
        return -1;
    if (at % 4 || job->buffer[b].size - at < 4)
        return xml_fail(&r->f, n, err,
                        "<repeat> offset=\"%u\": the host reads 4 bytes at a multiple of 4 in a "
                        "buffer of %u",
                        at, job->buffer[b].size);
    for (const xmlNode *c = xml_first(n); c; c = xml_next(c)) {
        size_t i = 0, count = sizeof repeated / sizeof *repeated;
        while (i < count && !xml_is(c, repeated[i].name))
            i++;
        if (i == count)
            return xml_fail(&r->f, c, err,
                            "<repeat> holds launch, write, fill, copy and read; remove <%.40s>",
                            xml_name(c));
        if (repeated[i].read(r, c, err))
            return -1;
    }
    if (job->nlaunches == first)
        return xml_fail(&r->f, n, err, "<repeat> is empty; add a <launch>");
    if (r->waiting != job->nsteps)
        return xml_fail(&r->f, n, err,
                        "<repeat> ends with its last <launch>; move what stands behind that to the "
                        "front or out of it");
    if (job_repeat(job, first, step, limit, job->buffer[b].addr + at, until))
        return xml_fail(&r->f, n, err,
                        "<repeat> limit=\"%u\" makes more than %d launches; lower the limit", limit,
                        JOB_MAX_LAUNCHES);
    r->launch_room = job->nlaunches;
    return 0;
}

static int read_digest(struct reader *r, const xmlNode *n, struct fl_err *err)
{
    struct job *job = r->job;
    if (xml_attrs(&r->f, n, "sha256", "", err) || xml_no_text(&r->f, n, true, err))
        return -1;
    if (job->has_digest)
        return xml_fail(&r->f, n, err, "a second <digest>; keep one");
    const char *hex = xml_attr(n, "sha256");
    if (strlen(hex) != 64 || strspn(hex, "0123456789abcdefABCDEF") != 64)
        return xml_fail(
            &r->f, n, err,
            "<digest> sha256=\"%.70s\": write 64 hex digits; smrun prints the right ones", hex);
    for (int i = 0; i < 32; i++) {
        unsigned byte = 0;
        sscanf(hex + 2 * i, "%2x", &byte);
        job->digest[i] = (uint8_t)byte;
    }
    job->has_digest = true;
    return 0;
}

/* Has been read with the cubin. */
static int pass_module(struct reader *r, const xmlNode *n, struct fl_err *err)
{
    return xml_no_text(&r->f, n, true, err);
}

static const struct element children[] = {
    {"buffer", read_buffer}, {"constant", read_constant}, {"launch", read_launch},
    {"repeat", read_repeat}, {"output", read_output},     {"digest", read_digest},
    {"write", read_write},   {"fill", read_fill},         {"copy", read_copy},
    {"read", read_read},     {"texture", read_texture},   {"module", pass_module},
};

/* The buffers, or all the rest. */
static int read_children(struct reader *r, const xmlNode *root, bool buffers, struct fl_err *err)
{
    for (const xmlNode *n = xml_first(root); n; n = xml_next(n)) {
        size_t i = 0, count = sizeof children / sizeof *children;
        while (i < count && !xml_is(n, children[i].name))
            i++;
        if (i == count)
            return xml_fail(&r->f, n, err,
                            "<job> cannot hold <%.40s>; it holds module, buffer, constant, launch, "
                            "repeat, texture, write, fill, copy, read, output and digest",
                            xml_name(n));
        if ((i == 0) == buffers && children[i].read(r, n, err))
            return -1;
    }
    return 0;
}

static int read_profile(struct reader *r, const xmlNode *root, const struct job_machine *machine,
                        struct fl_err *err)
{
    const char *wanted = machine->profile;
    if (machine->on) {
        fl_files_in(&r->job->files, "--on", machine->on);
        return profile_load(machine->on, &r->job->profile, err);
    }
    const char *name = xml_attr(root, "profile");
    size_t len = strlen(name);
    struct fl_err why;
    bool is_path = strchr(name, '/') || (len > 4 && !strcmp(name + len - 4, ".xml"));
    char *path = is_path ? fl_path_beside(r->f.path, name) : fl_strdup(name);
    int result = profile_load(path, &r->job->profile, &why);
    char *file = profile_path(path);
    fl_files_in(&r->job->files, "the profile of the job", file);
    free(file);
    free(path);
    if (result)
        return xml_fail(&r->f, root, err, "profile \"%.40s\": %.800s", name, why.msg);
    if (!wanted)
        return 0;
    struct profile other;
    fl_files_in(&r->job->files, "--profile", wanted);
    if (profile_load(wanted, &other, err))
        return -1;
    const char *differs = profile_differs(&other, &r->job->profile);
    if (!differs && strcmp(other.name, r->job->profile.name))
        differs = "name";
    if (differs)
        return xml_fail(
            &r->f, root, err,
            "--profile %.100s contradicts profile \"%.100s\" of the job (%s); leave one "
            "out or change the job",
            wanted, name, differs);
    return 0;
}

int job_check_machine(const struct job *job, const struct job *other, const struct profile *machine,
                      struct fl_err *err)
{
    const char *differs = profile_differs(&job->profile, machine);
    if (!differs)
        return 0;
    return fl_fail(
        err,
        "%s is for profile %s, and %s for profile %s: these are different machines (%s), "
        "and a campaign is of one; run the jobs apart, or on one machine with --on",
        other->path, machine->name, job->path, job->profile.name, differs);
}

/* suite/bfs.job.xml -> bfs */
static char *name_from(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = fl_strdup(slash ? slash + 1 : path);
    static const char *const endings[] = {".xml", ".job"};
    for (int i = 0; i < 2; i++) {
        size_t n = strlen(name), m = strlen(endings[i]);
        if (n > m && !strcmp(name + n - m, endings[i]))
            name[n - m] = 0;
    }
    return name;
}

/* The cubin that an element names; its bytes are appended to `all`. */
static int read_cubin(struct reader *r, const xmlNode *n, struct cubin **out, struct fl_buf *all,
                      struct fl_err *err)
{
    char *path = fl_path_beside(r->f.path, xml_attr(n, "cubin"));
    struct fl_buf file = {0};
    struct fl_err why;
    int result = -1;
    if (!regular(path))
        xml_fail(&r->f, n, err, "%.300s: not a regular file; name a cubin", path);
    else if (fl_read_file(path, &file, &why) ||
             cubin_read_memory(path, file.data, file.size, out, &why))
        xml_fail(&r->f, n, err, "cubin=\"%.200s\": %.700s", xml_attr(n, "cubin"), why.msg);
    else
        result = 0;
    fl_buf_add(all, file.data, file.size);
    fl_buf_free(&file);
    fl_files_in(&r->job->files, "the cubin of the job", path);
    free(path);
    return result;
}

static int read_module(struct reader *r, const xmlNode *n, struct fl_buf *all, struct fl_err *err)
{
    struct cubin *more = NULL;
    struct fl_err why;
    char *name = NULL;
    int bad = xml_attrs(&r->f, n, "name cubin", "", err) || read_name(r, n, &name, err) ||
              read_cubin(r, n, &more, all, err);
    if (!bad && cubin_join(r->job->cubin, more, name, &why))
        bad = xml_fail(&r->f, n, err, "%.900s", why.msg);
    free(name);
    return bad ? -1 : 0;
}

/* The cubin, and the modules beside it. */
static int read_cubins(struct reader *r, const xmlNode *root, struct fl_err *err)
{
    struct fl_buf all = {0};
    uint8_t digest[32];
    int bad = read_cubin(r, root, &r->job->cubin, &all, err);
    for (const xmlNode *n = xml_first(root); n && !bad; n = xml_next(n))
        if (xml_is(n, "module"))
            bad = read_module(r, n, &all, err);
    if (!bad) {
        job_sha256(&(struct job_range){all.data, all.size}, 1, digest);
        fl_hex(digest, sizeof digest, r->job->cubin_sha256);
    }
    fl_buf_free(&all);
    return bad;
}

/* Attributes with the value "?", which smcc --job writes where only the user knows it; *first is the element of the first. */
static int count_open(const xmlNode *n, const xmlNode **first, const char **attr)
{
    int count = 0;
    for (const xmlAttr *a = n->properties; a; a = a->next) {
        if (!a->children || strcmp((const char *)a->children->content, "?"))
            continue;
        if (!count++ && !*first) {
            *first = n;
            *attr = (const char *)a->name;
        }
    }
    for (const xmlNode *c = xml_first(n); c; c = xml_next(c))
        count += count_open(c, first, attr);
    return count;
}

static int refuse_open(const struct reader *r, const xmlNode *root, struct fl_err *err)
{
    const xmlNode *first = NULL;
    const char *attr = NULL;
    int more_of_them = count_open(root, &first, &attr) - 1;
    if (!first)
        return 0;
    const char *name = xml_attr(first, "name");
    return xml_fail(&r->f, first, err,
                    "<%s%s%.63s%s> %s=\"?\": put in the value; %d more wait for theirs",
                    xml_name(first), name ? " name=\"" : "", name ? name : "", name ? "\"" : "",
                    attr, more_of_them);
}

static int read_job(struct reader *r, const struct job_machine *machine, struct fl_err *err)
{
    const xmlNode *root = xmlDocGetRootElement(r->f.doc);
    struct job *job = r->job;
    job->line = xml_line(root);
    if (refuse_open(r, root, err))
        return -1;
    if (xml_attrs(&r->f, root, "profile cubin", "name", err) ||
        xml_no_text(&r->f, root, false, err))
        return -1;
    if (xml_attr(root, "name")) {
        if (read_name(r, root, &job->name, err))
            return -1;
    } else {
        job->name = name_from(r->f.path);
    }
    if (read_children(r, root, true, err) || read_cubins(r, root, err) || job_place(job, err) ||
        read_children(r, root, false, err) || read_profile(r, root, machine, err))
        return -1;
    if (machine->sms)
        profile_set_sms(&job->profile, machine->sms);
    job->after = (struct job_steps){r->waiting, job->nsteps - r->waiting};
    if (job_finish(job, err))
        return -1;
    return xml_validate(&r->f, "docs/job.rng", err);
}

/* What a file is in place of a job: a cubin, as ELF or as text, or a program; NULL: something else. What
 * a pipe held is gone. */
static const char *other_file(const char *path)
{
    enum { MACHINE = 18, CUDA = 190 }; /* e_machine of ELF */
    struct fl_buf file = {0};
    const char *is = NULL;
    if (regular(path) && fl_read_file(path, &file, NULL) == 0) {
        const uint8_t *h = file.data;
        bool elf = file.size >= 4 && memcmp(h, "\177ELF", 4) == 0;
        if (elf && file.size > MACHINE + 1 && (h[MACHINE] | h[MACHINE + 1] << 8) != CUDA)
            is = "is a program, and no job.xml: write -- ./PROGRAM for a campaign of stuck-at, "
                 "memory, transient or intermittent faults, or take the job.xml that smrun "
                 "--record DIR -- ./PROGRAM makes";
        else if (elf || (file.size >= 12 && memcmp(h, "architecture", 12) == 0))
            is = "is a cubin, which does not say what it runs on: give the job.xml that names it; "
                 "smcc --job and smrun --write-job make one";
    }
    fl_buf_free(&file);
    return is;
}

int job_load(const char *path, const struct job_machine *machine, struct job **out,
             struct fl_err *err)
{
    static const struct job_machine own;
    struct reader r = {.job = fl_alloc(sizeof *r.job)};
    *out = NULL;
    r.job->path = fl_strdup(path);
    fl_files_in(&r.job->files, "the job", path);
    int result = xml_open(path, "job", &r.f, err);
    if (result == 0)
        result = read_job(&r, machine ? machine : &own, err);
    else if (other_file(path))
        fl_fail(err, "%s: %s", path, other_file(path));
    xml_close(&r.f);
    if (result)
        job_free(r.job);
    else
        *out = r.job;
    return result;
}

void job_free(struct job *job)
{
    if (!job)
        return;
    for (int i = 0; i < job->nbuffers; i++) {
        free(job->buffer[i].name);
        free(job->buffer[i].init);
    }
    for (int i = 0; i < job->nconsts; i++)
        free(job->konst[i].data);
    for (int i = 0; i < job->nlaunches; i++) {
        if (job->launch[i].back)
            continue;
        free(job->launch[i].kernel);
        free(job->launch[i].param);
        free(job->launch[i].trap);
    }
    for (int i = 0; i < job->nsteps; i++)
        free(job->step[i].data);
    for (int i = 0; i < job->noutputs; i++) {
        free(job->output[i].checker);
        free(job->output[i].name);
    }
    free(job->buffer);
    free(job->konst);
    free(job->launch);
    free(job->step);
    free(job->texture);
    free(job->output);
    free(job->name);
    free(job->path);
    cubin_free(job->cubin);
    fl_files_free(&job->files);
    free(job);
}

/* ---- digest ---- */

void job_sha256(const struct job_range *range, int count, uint8_t digest[32])
{
    struct sha256_ctx ctx;
    sha256_init(&ctx);
    for (int i = 0; i < count; i++)
        sha256_update(&ctx, range[i].size, range[i].data);
    sha256_digest(&ctx, SHA256_DIGEST_SIZE, digest);
}
