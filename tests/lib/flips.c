/* flips.c -- draws jobs, cells and flips. */
#include "flips.h"

struct bench bench_open(struct job *job, bool may_fail)
{
    struct fl_err err = {{0}};
    struct bench l = {.job = job};
    if (!(l.img = sm_image_new(job, &err)) || !(l.g = golden_new(l.img, 10000000, &err)) ||
        !(l.t = record_run(
              l.g, &(struct record_wanted){.flow_bytes = FLOW_BYTES, .access_bytes = 1u << 30}))) {
        if (may_fail)
            return l;
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no golden run");
    }
    l.w = fsim_worker_new(l.g);
    return l;
}

void bench_close(struct bench *l)
{
    fsim_worker_free(l->w);
    accesses_free(l->t);
    golden_free(l->g);
    sm_image_free(l->img);
    job_free(l->job);
}

bool bench_agrees(const struct bench *l, const struct fsim_fault *u,
                  struct transient_result *pruned)
{
    struct transient_result brute;
    transient_simulate(l->w, l->t, u, pruned);
    transient_exhaustive(l->w, l->t, u, &brute);
    bool same = faults_same(&pruned->r, &brute.r) && pruned->why == brute.why &&
                pruned->site == brute.site && pruned->writer == brute.writer;
    if (!same) {
        struct fl_buf id = {0};
        fsim_print(l->img, u, &id);
        faults_print("pruned", (char *)id.data, &pruned->r);
        faults_print("brute force", (char *)id.data, &brute.r);
        fl_buf_free(&id);
    }
    return same;
}

static struct job *structured(uint64_t seed, int launches)
{
    struct rp_program *p = fl_alloc(sizeof *p);
    struct rp_shape shape = {.seed = seed, .threads = 40, .depth = 1, .functions = 1};
    rp_make(p, &shape);
    struct job *job = faults_job("tiny", 1, 40, p->text);
    for (int i = 1; i < launches; i++)
        machine_param(machine_launch(job, 0, 1, 40), job->buffer[0].addr);
    rp_free(p);
    free(p);
    return job;
}

struct job *flips_structured(uint64_t seed)
{
    return structured(seed, 1);
}

static struct job *mix(uint64_t seed, int launches, int capability)
{
    static const char *const profile[] = {"tiny", NULL,
                                          FAULTLINE_SOURCE_DIR "/tests/data/tiny12.xml"};
    struct random_mix s;
    struct fl_err err = {{0}};
    mix_make(&s, seed, 40, true, capability);
    struct job *job = machine_job(profile[capability], (char *)s.text.data);
    uint8_t konst[MIX_CONST];
    for (size_t i = 0; i < sizeof konst; i++)
        konst[i] = (uint8_t)mix_random(&s, 256);
    machine_const(job, 0, konst, sizeof konst);
    machine_const(job, 1, konst, sizeof konst);
    job->cubin->kernel[0].local_bytes = MIX_LOCAL;
    uint32_t addr = machine_buffer(job, MIX_STRIDE * 96, NULL);
    for (int i = 0; i < launches; i++)
        machine_param(machine_launch(job, 0, 2, 1 + mix_random(&s, 64)), addr);
    job->output = fl_alloc(sizeof *job->output);
    job->output[0] = (struct job_output){.name = fl_strdup("out"), .size = MIX_STRIDE * 96};
    job->noutputs = 1;
    if (job_finish(job, &err) != 0)
        CU_FAIL_FATAL("no job");
    fl_buf_free(&s.text);
    return job;
}

struct job *flips_mix(uint64_t seed)
{
    return mix(seed, 1, ISA_1_0);
}

struct job *flips_above(uint64_t seed)
{
    return mix(seed, 1, ISA_1_2);
}

struct job *flips_locks(uint64_t seed)
{
    (void)seed;
    return faults_job(
        FAULTLINE_SOURCE_DIR "/tests/data/tiny12.xml", 2, 40,
        ".kernel k\n.param ptr OUT\n.regs 5\n.shared sum, 64\nI2I.U32.U16 R0, R0L\nSHL R1, R0, 2\n"
        "IADD R1, s[OUT], R1\nMVI R3, 0x20\nR2A A1, R3\nPBK end\nagain: G2R.U32.LCK.C0 R4, s[A1]\n"
        "IADD R4 (C0.LT), R4, R0\nR2G.U32.U32.UNL s[A1] (C0.LT), R4\nBRK C0.LT\nBRA again\n"
        "end: NOP\nBAR.ARV.WAIT b0, 0xfff\nMOV R4, s[A1]\nGST.U32 global14[R1], R4\nNOP.EXIT\n");
}

struct job *flips_repeat(void)
{
    static const char text[] =
        ".kernel start\n.param ptr out\n"
        "  I2I.U32.U16 R1, R0L\n  SHL R4, R1, 2\n  IADD R4, s[out], R4\n  LOP32I.AND R1, R1, 0x7\n"
        "  IADD32I R1, R1, 0x3\n  GST.U32 global14[R4], R1\n  NOP.EXIT\n"
        ".kernel pass\n.param ptr out\n"
        "  I2I.U32.U16 R1, R0L\n  SHL R4, R1, 2\n  IADD R4, s[out], R4\n  GLD.U32 R2, "
        "global14[R4]\n"
        "  IADD32I R2, R2, 0xffffffff\n  GST.U32 global14[R4], R2\n  NOP.EXIT\n"
        ".kernel finish\n.param ptr out\n"
        "  I2I.U32.U16 R1, R0L\n  SHL R4, R1, 2\n  IADD R4, s[out], R4\n  GLD.U32 R2, "
        "global14[R4]\n"
        "  IADD R2, R2, R1\n  GST.U32 global14[R4], R2\n  NOP.EXIT\n";
    struct fl_err err = {{0}};
    struct job *job = faults_job("tiny", 1, 40, text);
    struct job_launch finish = job->launch[2];
    job->nlaunches = 2;
    if (job_repeat(job, 1, 0, 6, job->buffer[0].addr, 0))
        CU_FAIL_FATAL("no repeat");
    job->launch = fl_grow(job->launch, (size_t)job->nlaunches + 1, sizeof *job->launch);
    job->launch[job->nlaunches++] = finish;
    if (job_finish(job, &err))
        CU_FAIL_FATAL("no job");
    return job;
}

static uint32_t below(uint64_t *seed, uint32_t n)
{
    return machine_random(seed) % n;
}

/* Bytes of a buffer of so many, from `from` on; half of the ranges are whole words. */
static void draw_range(uint64_t *seed, uint32_t bytes, uint32_t from, uint32_t *offset,
                       uint32_t *size)
{
    uint32_t words = below(seed, 2) ? ~3u : ~0u;
    *offset = (from + below(seed, bytes - from - 64)) & words;
    *size = (1 + below(seed, below(seed, 4) ? 40 : 1000)) & words;
    *size = *size ? *size : 4;
    *size = *size > bytes - *offset ? bytes - *offset : *size;
}

static bool overlap(const struct job_step *s)
{
    return s->buffer == s->to && s->at < s->offset + s->size && s->offset < s->at + s->size;
}

/* What is written begins behind `spared` bytes of the first buffer. */
static struct job_step draw_step(struct job *job, uint64_t *seed, uint32_t spared)
{
    struct job_step s = {.kind = (enum job_step_kind)below(seed, 4),
                         .buffer = (int)below(seed, 2),
                         .to = (int)below(seed, 2),
                         .value = machine_random(seed)};
    uint32_t bytes = job->buffer[0].size, rest;
    s.konst = s.kind == STEP_WRITE && job->nconsts && below(seed, 2);
    draw_range(seed, s.konst ? job->konst[0].size : bytes, s.kind >= STEP_COPY ? 0 : spared,
               &s.offset, &s.size);
    do
        draw_range(seed, bytes, spared, &s.at, &rest);
    while (s.kind == STEP_COPY && (s.size > bytes - s.at || overlap(&s)));
    if (s.kind == STEP_WRITE) {
        s.data = fl_alloc(s.size);
        for (uint32_t i = 0; i < s.size; i++)
            s.data[i] = (uint8_t)machine_random(seed);
    } else if (s.kind == STEP_READ) {
        s.output = job->noutputs++;
        job->output = fl_grow(job->output, (size_t)job->noutputs, sizeof *job->output);
        job->output[s.output] = (struct job_output){.name = fl_format("read%d", s.output),
                                                    .taken = true,
                                                    .buffer = s.buffer,
                                                    .offset = s.offset,
                                                    .size = s.size};
    }
    return s;
}

static struct job_steps draw_steps(struct job *job, uint64_t *seed, uint32_t spared)
{
    struct job_steps steps = {job->nsteps, (int)below(seed, 5)};
    job->step = fl_grow(job->step, (size_t)(job->nsteps + steps.count), sizeof *job->step);
    for (int i = 0; i < steps.count; i++) {
        struct job_step s = draw_step(job, seed, spared);
        job->step[job->nsteps++] = s;
    }
    return steps;
}

void flips_add_steps(struct job *job, uint64_t *seed, uint32_t spared)
{
    for (int i = 0; i < job->nlaunches; i++) {
        struct job_launch *l = &job->launch[i];
        l->before = l->back ? l[-l->back].before : draw_steps(job, seed, spared);
    }
    job->after = draw_steps(job, seed, 0);
}

void flips_on_a_chip(struct job *job, uint64_t *seed)
{
    job->profile.sms = 2 + (int)below(seed, 3);
    job->profile.ports = (int)below(seed, 2);
    job->profile.blocks = (int)below(seed, 2);
    job->profile.global_latency = 1 + (int)below(seed, 40);
    if (job->profile.ports == PORTS_CHIP)
        job->profile.partitions = 1 + (int)below(seed, 4);
    for (int i = 0; i < job->nlaunches; i++)
        job->launch[i].grid[0] += below(seed, 6);
}

struct job *flips_hosted(uint64_t seed)
{
    struct fl_err err = {{0}};
    bool loop = seed % 4 == 0;
    struct job *job = loop            ? flips_repeat()
                      : seed % 4 == 1 ? structured(seed, 3)
                                      : mix(seed, 3, ISA_1_0);
    machine_buffer(job, job->buffer[0].size, NULL);
    flips_add_steps(job, &seed, loop ? 4 : 0);
    if (job_finish(job, &err)) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no job");
    }
    return job;
}

/* Every kind of memory and of address, all of it on the way to the output. */
struct job *flips_memories(uint64_t seed)
{
    static const char text[] =
        ".kernel k\n.param u32 OUT\n.regs 8\n.shared tile, 64\n.local 16\n"
        ".const table, u32, 3, 5, 7, 11, 13, 17, 19, 23\n"
        "LOP32I.AND R1, R0, 0x7\n SHL R1, R1, 2\n R2A A1, R1\n R2A A2, R1\n"
        "R2G.U32.U32 s[A1 + tile], R0\n"
        "BAR.ARV.WAIT b0, 0xfff\n"
        "MVC R2, c[0x1][A2+0x0]\n"
        "MVI R3, 0x4\n R2A A3, R3\n"
        "LST.U32 local[A3+0x0], R2\n LST.U32 local[A3+0x8], R0\n"
        "MOV R4, s[A1 + tile]\n"
        "LLD.U32 R5, local[A3+0x0]\n IADD R4, R4, R5\n"
        "LLD.U32 R5, local[0xc]\n IADD R4, R4, R5\n"
        "A2R R5, A1\n IADD R4, R4, R5\n"
        "SHL R1, R0, 2\n IADD R1, s[OUT], R1\n GST.U32 global14[R1], R4\n"
        "GLD.U32 R6, global14[R1]\n IADD.C0 R6, R6, R1\n MOV R7 (C0.NE), R6\n"
        "GST.U32 global14[R1], R7\n"
        "NOP.EXIT\n";
    (void)seed;
    return faults_job("tiny", 3, 40, text);
}

/* What the job can occupy of an axis: nobody reads the rest. */
static uint32_t occupied(const struct bench *l, const struct sm_structure *s, int axis)
{
    uint32_t n = (uint32_t)s->axis[axis].count, most = n;
    if (strcmp(s->name, "rf") == 0)
        most = (uint32_t)l->img->regs_used;
    else if (strcmp(s->name, "shared") == 0)
        most = l->img->shared_used / 4;
    else if (strcmp(s->axis[axis].name, "w") == 0)
        most = (uint32_t)l->img->warps_used;
    return most < n ? most : n;
}

void flips_cell(const struct bench *l, int structure, uint64_t *seed, struct sm_cell *c)
{
    struct sm_structure s;
    sm_structure_get(l->img, structure, &s);
    *c = (struct sm_cell){.structure = structure};
    for (int i = 0; i < s.naxes; i++)
        c->index[i] = (int)(machine_random(seed) % occupied(l, &s, i));
    c->field = (int)(machine_random(seed) % (uint32_t)s.nfields);
    c->bit = (int)(machine_random(seed) % (uint32_t)s.field[c->field].bits);
}

void flips_draw(const struct bench *l, int structure, enum shape shape, uint64_t *seed,
                struct fsim_fault u[FLIPS_CELLS])
{
    memset(u, 0, FLIPS_CELLS * sizeof *u);
    u->kind = FSIM_FLIP;
    u->cells = shape == THREE_FLIPS ? FLIPS_CELLS : 1;
    for (int b = 0; b < u->cells; b++)
        flips_cell(l, structure, seed, &u[b].cell);
    u->from = u->to = machine_random(seed) % l->g->cycles;
    if (shape >= WINDOW) {
        u->kind = FSIM_SA;
        u->value = machine_random(seed) % 2 ? 0 : 1;
        u->to = shape == WINDOW ? u->from + machine_random(seed) % 100 : FSIM_NO_END;
    }
}
