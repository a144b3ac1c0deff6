/* machine_job.c -- the job that an input of the targets `machine` and `faults` stands for. */
#include "machine.h"

#include <string.h>

#include "fuzz.h"

static const struct profile *profile(bool g80)
{
    static struct profile p[2];
    if (!p[g80].warps) {
        struct fl_err err;
        FUZZ_CHECK(profile_load(g80 ? "g80" : "tiny", &p[g80], &err) == 0, "%s", err.msg);
    }
    return &p[g80];
}

static struct cubin_code code_at(uint32_t base, const uint8_t *bytes, uint32_t size)
{
    struct cubin_code c = {base, size, fl_alloc(size)};
    memcpy(c.bytes, bytes, size);
    return c;
}

static struct cubin *make_cubin(const struct machine_header *h, const uint8_t *code, uint32_t size,
                                const struct cubin_code *further)
{
    struct cubin *c = fl_alloc(sizeof *c);
    struct cubin_kernel *k = fl_alloc(sizeof *k);
    c->kernel = k;
    c->nkernels = 1;
    c->wide_code = !(h->flags & MACHINE_G80);
    *k = (struct cubin_kernel){.name = fl_strdup("k"),
                               .regs = 1 + h->regs % 32,
                               .shared_bytes = 0x20,
                               .local_bytes = 4u * (h->local % 5)};
    k->code = fl_alloc(3 * sizeof *k->code);
    uint32_t half = h->flags & MACHINE_FAR ? size / 16 * 8 : 0;
    k->code[k->ncode++] = code_at(0, code, half ? half : size);
    if (half)
        k->code[k->ncode++] = code_at(MACHINE_FAR_BASE, code + half, size - half);
    if (further)
        k->code[k->ncode++] = code_at(further->base, further->bytes, further->size);
    k->const1_size = 72;
    k->const1 = fl_alloc(k->const1_size);
    c->const0_size = 30;
    c->const0 = fl_alloc(c->const0_size);
    for (uint32_t i = 0; i < k->const1_size; i++)
        k->const1[i] = (uint8_t)(7 * i);
    for (uint32_t i = 0; i < c->const0_size; i++)
        c->const0[i] = (uint8_t)(i * i);
    return c;
}

static void add_buffer(struct job *job, const char *name, uint32_t size)
{
    struct job_buffer *b = &job->buffer[job->nbuffers];
    *b = (struct job_buffer){.name = fl_strdup(name), .size = size, .init = fl_alloc(size)};
    for (uint32_t i = 0; i < size; i++)
        b->init[i] = (uint8_t)(i * 5 + size);
    job->output[job->noutputs++] = (struct job_output){
        .name = fl_strdup(name), .buffer = job->nbuffers++, .size = size};
}

static void add_launch(struct job *job, const struct machine_header *h)
{
    uint32_t threads = (h->flags & MACHINE_WARPS ? 64 : 32) - (h->flags & MACHINE_PARTIAL ? 5 : 0);
    struct job_launch *l = &job->launch[job->nlaunches++];
    *l = (struct job_launch){.kernel = fl_strdup("k"),
                             .grid = {h->flags & MACHINE_BLOCKS ? 3 : 1, 1},
                             .block = {threads, 1, 1},
                             .shared = 16u * (h->shared % 8),
                             .nparams = 2};
    l->param = fl_alloc(2 * sizeof *l->param);
    l->param[0] = (struct job_param){.offset = 0x10, .value = JOB_BASE};
    l->param[1] = (struct job_param){.offset = 0x1c, .value = 0x12345678};
}

struct job *machine_job(const struct machine_header *h, const uint8_t *code, uint32_t size,
                        const struct cubin_code *further)
{
    struct job *job = fl_alloc(sizeof *job);
    job->name = fl_strdup("fuzz");
    job->path = fl_strdup("fuzz.job.xml");
    job->profile = *profile(h->flags & MACHINE_G80);
    job->cubin = make_cubin(h, code, size, further);
    job->buffer = fl_alloc(2 * sizeof *job->buffer);
    job->output = fl_alloc(2 * sizeof *job->output);
    add_buffer(job, "a", 520);
    add_buffer(job, "b", 300);
    job->launch = fl_alloc(2 * sizeof *job->launch);
    add_launch(job, h);
    if (h->flags & MACHINE_LAUNCHES)
        add_launch(job, h);
    return job;
}
