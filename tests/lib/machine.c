/* machine.c -- loads, runs and reads the machine. */
#include "base/random.h"
#include "machine.h"

char *machine_with_ret(const char *text)
{
    struct fl_buf out = {0};
    while (*text) {
        size_t n = strcspn(text, "\n");
        bool exit = memmem(text, n, ".EXIT", 5) != NULL;
        fl_buf_printf(&out, "%.*s\n%s", (int)n, text, exit ? "RET\n" : "");
        text += n + (text[n] == '\n');
    }
    return (char *)out.data;
}

struct job *machine_job(const char *profile, const char *text)
{
    struct fl_err err = {{0}};
    struct job *job = fl_alloc(sizeof *job);
    job->name = fl_strdup("test");
    job->path = fl_strdup("test.sasm");
    bool bad = profile_load(profile, &job->profile, &err) != 0;
    char *own = bad || job->profile.exit_ends ? NULL : machine_with_ret(text);
    bad = bad || sasm_assemble(job->path, own ? own : text, &job->cubin, &err) != 0;
    free(own);
    if (bad) {
        printf("\n%s\n", err.msg);
        job_free(job);
        CU_FAIL_FATAL("no job");
    }
    return job;
}

uint32_t machine_buffer(struct job *job, uint32_t size, const void *init)
{
    int i = job->nbuffers++;
    job->buffer = fl_grow(job->buffer, (size_t)job->nbuffers, sizeof *job->buffer);
    job->buffer[i] = (struct job_buffer){
        .name = fl_format("buffer%d", i), .size = size, .init = fl_alloc(size)};
    if (init)
        memcpy(job->buffer[i].init, init, size);
    if (job_place(job, NULL))
        CU_FAIL_FATAL("no room for the buffers");
    return job->buffer[i].addr;
}

struct job_launch *machine_launch(struct job *job, int kernel, uint32_t blocks, uint32_t threads)
{
    job->launch = fl_grow(job->launch, (size_t)++job->nlaunches, sizeof *job->launch);
    struct job_launch *l = &job->launch[job->nlaunches - 1];
    *l = (struct job_launch){.kernel = fl_strdup(job->cubin->kernel[kernel].name),
                             .grid = {blocks, 1},
                             .block = {threads, 1, 1}};
    return l;
}

void machine_param(struct job_launch *l, uint32_t value)
{
    l->param = fl_grow(l->param, (size_t)++l->nparams, sizeof *l->param);
    l->param[l->nparams - 1] = (struct job_param){.offset = 0x10 + 4 * (uint32_t)(l->nparams - 1),
                                                  .value = value};
}

void machine_const(struct job *job, int bank, const void *bytes, uint32_t size)
{
    job->konst = fl_grow(job->konst, (size_t)++job->nconsts, sizeof *job->konst);
    struct job_const *k = &job->konst[job->nconsts - 1];
    *k = (struct job_const){.bank = bank, .size = size, .data = fl_alloc(size)};
    memcpy(k->data, bytes, size);
}

struct machine machine_load(struct job *job)
{
    struct machine m = {.job = job};
    struct fl_err err = {{0}};
    if (job_finish(job, &err) || !(m.img = sm_image_new(job, &err))) {
        printf("\n%s\n", err.msg);
        job_free(job);
        CU_FAIL_FATAL("no image");
    }
    m.gpu = gpu_new(m.img);
    return m;
}

struct machine machine_start(const char *profile, uint32_t threads, const char *text)
{
    struct job *job = machine_job(profile, text);
    uint32_t addr = machine_buffer(job, 4096, NULL);
    struct job_launch *l = machine_launch(job, 0, 1, threads);
    for (int i = 0; i < job->cubin->kernel[0].nparams; i++)
        machine_param(l, addr);
    return machine_load(job);
}

void machine_end(struct machine *m)
{
    gpu_free(m->gpu);
    sm_image_free(m->img);
    job_free(m->job);
    free(m->log);
    *m = (struct machine){0};
}

void machine_flags(struct machine *m, int warp, int c, uint32_t lanes)
{
    m->gpu->sm->s.warp[warp].cc[c] = (struct sm_cc){.z = lanes};
}

void machine_run(struct machine *m)
{
    struct sm_commit r;
    uint64_t limit = m->gpu->sm->s.next + MACHINE_MAX_CYCLES;
    memset(&r, 0, sizeof r);
    m->gpu->sm->record = &r;
    while (!gpu_ended(m->gpu) && m->gpu->sm->s.next < limit) {
        gpu_tick(m->gpu);
        if ((r.kind == COMMIT_NONE && r.started < 0) || m->nlog == MACHINE_MAX_LOG)
            continue;
        if (m->nlog == m->room) {
            m->room = m->room ? 2 * m->room : 16;
            m->log = fl_grow(m->log, (size_t)m->room, sizeof *m->log);
        }
        m->log[m->nlog++] = r;
    }
    m->gpu->sm->record = NULL;
}

void machine_run_instructions(struct machine *m, uint64_t n)
{
    while (!gpu_ended(m->gpu) && m->gpu->sm->s.instructions < n)
        gpu_tick(m->gpu);
}

const struct sm_commit *machine_commit(const struct machine *m, int warp, int kind, int n)
{
    for (int i = 0; i < m->nlog; i++)
        if (m->log[i].kind == kind && (warp < 0 || m->log[i].warp == warp) && n-- == 0)
            return &m->log[i];
    return NULL;
}

const struct sm_commit *machine_insn(const struct machine *m, int n)
{
    const struct sm_commit *c = machine_commit(m, 0, COMMIT_INSTRUCTION, n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    return c;
}

struct sm_stack_event machine_event(const struct machine *m, int n)
{
    for (int i = 0; i < m->nlog; i++) {
        if (m->log[i].kind == COMMIT_NONE)
            continue;
        if (n < m->log[i].nstack)
            return m->log[i].stack[n];
        n -= m->log[i].nstack;
    }
    return (struct sm_stack_event){0};
}

int machine_events(const struct machine *m)
{
    int n = 0;
    for (int i = 0; i < m->nlog; i++)
        n += m->log[i].kind == COMMIT_NONE ? 0 : m->log[i].nstack;
    return n;
}

uint32_t machine_reg(const struct machine *m, int warp, int lane, int reg)
{
    const struct sm_warp *w = &m->gpu->sm->s.warp[warp];
    return reg < w->regs ? m->gpu->sm->s.rf[w->reg_base + reg * SM_LANES + lane] : 0;
}

uint32_t machine_word(const struct machine *m, int buffer, uint32_t i)
{
    uint32_t v = 0;
    gpu_read_global(m->gpu, m->job->buffer[buffer].addr + 4 * i, &v, 4);
    return v;
}

struct sm_cell machine_cell(const struct machine *m, const char *structure, int field, int bit,
                            int a, int b)
{
    return (struct sm_cell){.structure = sm_structure_find(m->img, structure),
                            .field = field,
                            .bit = bit,
                            .index = {a, b, 0}};
}

void machine_stick(struct machine *m, struct sm_cell cell, int value)
{
    struct sm_force f = sm_cell_force(m->img, &cell, value);
    gpu_add_force(m->gpu, &f);
}

void machine_flip(struct machine *m, struct sm_cell cell)
{
    gpu_cell_flip(m->gpu, &cell);
}

uint32_t machine_random(uint64_t *seed)
{
    return (uint32_t)(fl_random(seed) >> 16);
}

struct machine machine_ran(const char *profile, uint32_t threads, const char *text)
{
    struct machine m = machine_start(profile, threads, text);
    machine_run(&m);
    return m;
}

uint64_t machine_cycle(const struct machine *m, int warp, int n)
{
    const struct sm_commit *c = machine_commit(m, warp, COMMIT_INSTRUCTION, n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    return c->cycle;
}
