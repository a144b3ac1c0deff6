/* test_host.c -- jobs whose host writes, fills, copies and reads between launches: what happens, and what becomes of
 * faults.
 */
#include "tests/lib/check.h"
#include "tests/lib/flips.h"

static uint32_t page_of(const struct job *job, int buffer, uint32_t offset)
{
    return job->buffer[buffer].addr + offset - JOB_BASE;
}

/* The steps by hand, on a machine of a job that has none; what is read into `taken`. */
static void by_hand(const struct job *job, struct gpu *g, struct job_steps steps, uint8_t **taken)
{
    for (int i = steps.first; i < steps.first + steps.count; i++) {
        const struct job_step *s = &job->step[i];
        uint8_t *bytes = fl_alloc(s->size);
        for (uint32_t k = 0; k < s->size; k++)
            bytes[k] = (uint8_t)(s->value >> 8 * (k % 4));
        if (s->data)
            memcpy(bytes, s->data, s->size);
        if (s->kind == STEP_COPY || s->kind == STEP_READ)
            sm_memory_read(&g->memory, page_of(job, s->buffer, s->offset), bytes, s->size);
        if (s->konst)
            sm_memory_write(&g->memory, g->img->kernel[0].bank[s->bank].offset + s->offset, bytes,
                            s->size);
        else if (s->kind == STEP_READ)
            memcpy(taken[s->output], bytes, s->size);
        else
            sm_memory_write(&g->memory,
                            s->kind == STEP_COPY ? page_of(job, s->to, s->at)
                                                 : page_of(job, s->buffer, s->offset),
                            bytes, s->size);
        free(bytes);
    }
}

static void steps_are_what_a_host_does_by_hand_at_the_end_of_launches(void)
{
    int finished = 0;
    for (uint64_t seed = 1; seed < 40; seed++) {
        struct machine m = machine_load(flips_hosted(seed));
        struct job *bare = flips_hosted(seed);
        for (int i = 0; i < bare->nlaunches; i++)
            bare->launch[i].before.count = 0;
        bare->after.count = 0;
        struct machine hand = machine_load(bare);
        uint8_t **taken = fl_alloc((size_t)bare->noutputs * sizeof *taken);
        for (int i = 0; i < bare->noutputs; i++)
            taken[i] = fl_alloc(bare->output[i].size);
        by_hand(bare, hand.gpu, m.job->launch[0].before, taken);
        for (uint32_t launch = 0; !gpu_ended(hand.gpu); launch = hand.gpu->grid.launch) {
            gpu_tick(hand.gpu);
            if (hand.gpu->grid.done)
                by_hand(bare, hand.gpu, m.job->after, taken);
            else if (hand.gpu->grid.launch != launch)
                by_hand(bare, hand.gpu, m.job->launch[hand.gpu->grid.launch].before, taken);
        }
        gpu_run(m.gpu, UINT64_MAX);
        CU_ASSERT_EQUAL(gpu_cycles(m.gpu), gpu_cycles(hand.gpu));
        CU_ASSERT_EQUAL(m.gpu->sm->s.trap, hand.gpu->sm->s.trap);
        for (uint32_t at = 0; at < m.img->mem_bytes; at += SM_PAGE)
            if (at < m.img->global_bytes || at >= m.img->const_offset)
                CU_ASSERT_EQUAL(memcmp(sm_memory_at(&m.gpu->memory, at),
                                       sm_memory_at(&hand.gpu->memory, at), SM_PAGE),
                                0);
        for (int i = 0; i < bare->noutputs; i++) {
            if (bare->output[i].taken)
                sm_memory_read(&m.gpu->memory, sm_output_at(m.img, i), bare->buffer[0].init,
                               bare->output[i].size);
            CU_ASSERT(!bare->output[i].taken ||
                      !memcmp(bare->buffer[0].init, taken[i], bare->output[i].size));
            free(taken[i]);
        }
        free(taken);
        finished += m.gpu->grid.done == 1;
        machine_end(&hand);
        machine_end(&m);
    }
    CU_ASSERT(finished > 20);
}

struct counts {
    long tried, wrong, outcome[OUT_COUNT];
};

static void compare(struct bench *b, const struct fsim_fault *u, struct counts *c)
{
    struct transient_result r, brute;
    transient_simulate(b->w, b->t, u, &r);
    transient_exhaustive(b->w, b->t, u, &brute);
    c->tried++;
    c->outcome[brute.r.outcome]++;
    if (faults_same(&r.r, &brute.r) || c->wrong++ > 4)
        return;
    struct fl_buf id = {0};
    fsim_print(b->img, u, &id);
    fl_buf_add(&id, "", 1);
    faults_print("pruned", (char *)id.data, &r.r);
    faults_print("brute force", (char *)id.data, &brute.r);
    fl_buf_free(&id);
}

static void flips_and_windows_end_as_brute_force_says(void)
{
    const char *deep = getenv("HOST_COUNT");
    struct counts c = {0};
    for (uint64_t seed = 1; seed <= (deep ? strtoull(deep, NULL, 10) : 20); seed++) {
        struct bench b = bench_open(flips_hosted(seed), true);
        uint64_t draw = seed;
        for (int s = 0; b.t && s < SM_STRUCTURES; s++) {
            struct sm_structure geometry;
            sm_structure_get(b.img, s, &geometry);
            int n = s == SM_S_rf ? 60 : s == SM_S_const || s == SM_S_shared ? 20 : 6;
            for (int i = 0; sm_structure_bits(&geometry) && i < n; i++) {
                struct fsim_fault u[FLIPS_CELLS];
                flips_draw(&b, s, i % 5 ? ONE_FLIP : WINDOW, &draw, u);
                compare(&b, u, &c);
            }
        }
        bench_close(&b);
    }
    if (deep)
        printf("\n%ld tried, %ld wrong; masked %ld, sdc %ld, crash %ld\n", c.tried, c.wrong,
               c.outcome[OUT_MASKED], c.outcome[OUT_SDC], c.outcome[OUT_CRASH]);
    CU_ASSERT_EQUAL(c.wrong, 0);
    CU_ASSERT(c.outcome[OUT_SDC] > 40);
}

static void stuck_at_faults_end_as_brute_force_says(void)
{
    for (uint64_t seed = 4; seed < 12; seed += SANITIZED ? 2 : 1) {
        struct bench b = bench_open(flips_hosted(seed), true);
        if (b.t) {
            static const char *const target[] = {"const/p*/b1", "dstack/w0", "rf/p*/b3"};
            for (int i = b.img->const_offset < b.img->local_offset ? 0 : 1; i < 3; i++) {
                struct fsim_campaign c = faults_campaign(b.job, target[i],
                                                         (struct fsim_options){.run.threads = 1});
                long tried = 0;
                CU_ASSERT_EQUAL(faults_brute_differences(&c, SANITIZED ? 29 : 7, &tried), 0);
                CU_ASSERT(tried > 3);
                fsim_campaign_free(&c);
            }
        }
        bench_close(&b);
    }
}

/* k adds its number to each word; the host reads in between, and overwrites. */
static struct job *three_launches(void)
{
    static const char text[] =
        ".kernel k\n.param ptr out\n.regs 6\n.const add, u32, 1\n"
        "  I2I.U32.U16 R1, R0L\n SHL R2, R1, 2\n IADD R2, s[out], R2\n"
        "  GLD.U32 R3, global14[R2]\n MVC R4, c[0x1][add]\n IADD R3, R4, R3\n"
        "  GST.U32 global14[R2], R3\n NOP.EXIT\n";
    struct job *job = faults_job("tiny", 1, 32, text);
    for (int i = 0; i < 2; i++)
        machine_param(machine_launch(job, 0, 1, 32), job->buffer[0].addr);
    return job;
}

static void add_step(struct job *job, int launch, struct job_step s)
{
    struct job_steps *of = launch < job->nlaunches ? &job->launch[launch].before : &job->after;
    job->step = fl_grow(job->step, (size_t)job->nsteps + 1, sizeof *job->step);
    if (!of->count++)
        of->first = job->nsteps;
    if (s.kind == STEP_READ) {
        s.output = job->noutputs++;
        job->output = fl_grow(job->output, (size_t)job->noutputs, sizeof *job->output);
        job->output[s.output] = (struct job_output){
            .name = fl_strdup("then"), .taken = true, .offset = s.offset, .size = s.size};
    }
    job->step[job->nsteps++] = s;
}

/* Bit 3 of R3 of thread 0, flipped where the first launch stores it. */
static struct transient_result flip_first_sum(struct bench *b)
{
    struct sm_cell cell = {.structure = SM_S_rf, .index = {3 * SM_LANES}, .bit = 3};
    struct transient_result r, brute;
    struct access_class g = {.to = 0};
    uint32_t end = 0;
    for (uint64_t at = 0; at < b->g->residence->launch[0].to; at = g.to + 1) {
        g = access_class_at(b->t, &cell, at);
        end = g.end == CLASS_READ ? (uint32_t)g.to : end; /* the store is the last who reads it */
    }
    struct fsim_fault u = fsim_flip(cell, end);
    transient_simulate(b->w, b->t, &u, &r);
    transient_exhaustive(b->w, b->t, &u, &brute);
    CU_ASSERT(faults_same(&r.r, &brute.r));
    return r;
}

static void what_the_host_overwrites_is_masked_and_what_it_reads_before_is_sdc(void)
{
    struct fl_err err;
    for (int reads = 0; reads < 2; reads++) {
        struct job *job = three_launches();
        if (reads)
            add_step(job, 1, (struct job_step){.kind = STEP_READ, .size = 64});
        add_step(job, 1, (struct job_step){.kind = STEP_FILL, .size = 256, .value = 7});
        CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
        struct bench b = bench_open(job, false);
        struct transient_result r = flip_first_sum(&b);
        CU_ASSERT_EQUAL(r.r.outcome, reads ? OUT_SDC : OUT_MASKED);
        CU_ASSERT(!reads || strstr(r.r.reason, "then"));
        uint32_t word;
        gpu_read_global(b.g->end, JOB_BASE, &word, 4);
        CU_ASSERT_EQUAL(word, 9);
        bench_close(&b);
    }
}

static void a_flip_in_constants_that_the_host_overwrites_is_masked(void)
{
    struct fl_err err;
    struct job *job = three_launches();
    uint8_t *two = fl_alloc(4);
    two[0] = 2;
    add_step(
        job, 2,
        (struct job_step){.kind = STEP_WRITE, .konst = true, .bank = 1, .size = 4, .data = two});
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    struct bench b = bench_open(job, false);
    uint32_t word;
    gpu_read_global(b.g->end, JOB_BASE, &word, 4);
    CU_ASSERT_EQUAL(word, 4);
    long sdc[3] = {0}, n[3] = {0};
    for (uint64_t at = 0; at < b.g->cycles; at += 3) {
        struct transient_result r, brute;
        int l = at < b.g->residence->launch[1].from   ? 0
                : at < b.g->residence->launch[2].from ? 1
                                                      : 2;
        struct sm_cell cell = sm_unit_cell(
            b.img, SM_S_const, (b.img->kernel[0].bank[1].offset - b.img->const_offset) / 4, 5, 5);
        struct fsim_fault u = fsim_flip(cell, at);
        transient_simulate(b.w, b.t, &u, &r);
        transient_exhaustive(b.w, b.t, &u, &brute);
        CU_ASSERT(faults_same(&r.r, &brute.r));
        sdc[l] += r.r.outcome == OUT_SDC;
        n[l]++;
    }
    CU_ASSERT(sdc[0] > 0 && sdc[1] > 0 && sdc[2] > 0); /* until it is read */
    CU_ASSERT(sdc[1] < n[1] && sdc[2] < n[2]);
    bench_close(&b);
}

int main(void)
{
    return CHECK_RUN("host", CHECK(steps_are_what_a_host_does_by_hand_at_the_end_of_launches),
                     CHECK(flips_and_windows_end_as_brute_force_says),
                     CHECK(stuck_at_faults_end_as_brute_force_says),
                     CHECK(what_the_host_overwrites_is_masked_and_what_it_reads_before_is_sdc),
                     CHECK(a_flip_in_constants_that_the_host_overwrites_is_masked));
}
