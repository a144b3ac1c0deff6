/* test_stack_reference.c -- random structured programs on the C model give every thread what it
 * computes when it runs alone.
 *
 * The reference (random_program.h) has no masks and no stack of a warp; what agrees here is
 * right whatever the order in which the model ran the paths.
 */
#include "tests/lib/check.h"

#include "tests/lib/machine.h"
#include "tests/lib/random_program.h"

enum { PROGRAMS = SANITIZED ? 24 : 80 };

static struct machine load(const struct rp_program *p, const char *profile)
{
    struct job *job = machine_job(profile, p->text);
    uint32_t addr = machine_buffer(job, 4 * (uint32_t)p->shape.threads, NULL);
    machine_param(machine_launch(job, 0, 1, (uint32_t)p->shape.threads), addr);
    return machine_load(job);
}

/* Threads whose registers or memory word differ from the reference; all of them when the model
 * does not finish. */
static int wrong_threads(const struct rp_program *p, struct machine *m)
{
    int wrong = 0;
    gpu_run(m->gpu, MACHINE_MAX_CYCLES);
    for (int t = 0; t < p->shape.threads; t++) {
        struct rp_result want;
        rp_thread(p, t, &want);
        CU_ASSERT_FALSE(want.endless);
        want.reg[RP_ADDRESS] += m->job->buffer[0].addr;
        bool same = m->gpu->grid.done && machine_word(m, 0, (uint32_t)t) == want.word;
        for (int r = 0; r < RP_REGS && same; r++)
            same = machine_reg(m, t / 32, t % 32, r) == want.reg[r];
        wrong += !same;
    }
    return wrong;
}

struct tally {
    int programs, wrong;
    uint64_t instructions;
    int pushes[4], deepest;
};

/* Which entries the programs use: a test that never pushes proves little. */
static void count_pushes(const struct rp_program *p, const char *profile, struct tally *t)
{
    struct machine m = load(p, profile);
    machine_run(&m);
    for (int i = 0; i < machine_events(&m); i++) {
        struct sm_stack_event e = machine_event(&m, i);
        t->pushes[e.id] += e.push;
        t->deepest = e.le > t->deepest ? e.le : t->deepest;
    }
    machine_end(&m);
}

static struct tally compare(const char *profile, struct rp_shape shape, int programs)
{
    struct tally t = {0};
    struct rp_program *p = fl_alloc(sizeof *p);
    for (int i = 0; i < programs; i++) {
        shape.seed++;
        rp_make(p, &shape);
        struct machine m = load(p, profile);
        int wrong = wrong_threads(p, &m);
        if (wrong) {
            printf("\n    seed %llu: %d threads differ, trap %s\n", (unsigned long long)shape.seed,
                   wrong, sm_trap_name((enum sm_trap)m.gpu->sm->s.trap));
            t.wrong++;
        }
        t.instructions += m.gpu->sm->s.instructions;
        t.programs++;
        machine_end(&m);
        if (i < 20)
            count_pushes(p, profile, &t);
        rp_free(p);
    }
    free(p);
    CU_ASSERT_EQUAL(t.wrong, 0);
    return t;
}

static void programs_with_everything_agree_in_g80(void)
{
    struct tally t = compare(
        "g80", (struct rp_shape){.seed = 1000, .threads = 64, .depth = 4, .functions = 3},
        PROGRAMS);
    for (int id = 0; id < 4; id++)
        CU_ASSERT(t.pushes[id] > 10);
    CU_ASSERT(t.deepest > 8);
    CU_ASSERT(t.instructions > 10000);
}

static void programs_with_everything_agree_in_flexgripplus(void)
{
    compare("flexgripplus",
            (struct rp_shape){.seed = 2000, .threads = 45, .depth = 3, .functions = 2}, PROGRAMS);
}

static void programs_of_few_threads_agree(void)
{
    compare("flexgripplus", (struct rp_shape){.seed = 3000, .threads = 3, .depth = 4}, 20);
}

static void flat_programs_agree_in_tiny(void)
{
    compare("tiny", (struct rp_shape){.seed = 4000, .threads = 40, .depth = 2, .no_loops = true},
            40);
}

static void a_faulty_stack_disagrees(void)
{
    /* the comparison has teeth: one stuck bit of LE 1 shows in some of these programs */
    int seen = 0;
    struct rp_program *p = fl_alloc(sizeof *p);
    for (uint64_t seed = 1001; seed < 1011; seed++) {
        rp_make(p, &(struct rp_shape){.seed = seed, .threads = 64, .depth = 3, .functions = 3});
        struct machine m = load(p, "g80");
        machine_stick(&m, machine_cell(&m, "dstack", 0, 9, 0, 0), 0);
        gpu_run(m.gpu, MACHINE_MAX_CYCLES);
        struct rp_result want;
        rp_thread(p, 9, &want);
        want.reg[RP_ADDRESS] += m.job->buffer[0].addr;
        for (int r = 0; r < RP_REGS; r++)
            if (machine_reg(&m, 0, 9, r) != want.reg[r]) {
                seen++;
                break;
            }
        machine_end(&m);
        rp_free(p);
    }
    free(p);
    CU_ASSERT(seen >= 3);
}

static void the_same_seed_makes_the_same_program(void)
{
    struct rp_program *p = fl_alloc(sizeof *p), *q = fl_alloc(sizeof *q);
    struct rp_shape shape = {.seed = 5, .threads = 64, .depth = 3, .functions = 3};
    rp_make(p, &shape);
    rp_make(q, &shape);
    CU_ASSERT_STRING_EQUAL(p->text, q->text);
    rp_free(q);
    shape.seed++;
    rp_make(q, &shape);
    CU_ASSERT_STRING_NOT_EQUAL(p->text, q->text);
    rp_free(p);
    rp_free(q);
    free(p);
    free(q);
}

int main(void)
{
    return CHECK_RUN("stack_reference", CHECK(programs_with_everything_agree_in_g80),
                     CHECK(programs_with_everything_agree_in_flexgripplus),
                     CHECK(programs_of_few_threads_agree), CHECK(flat_programs_agree_in_tiny),
                     CHECK(a_faulty_stack_disagrees), CHECK(the_same_seed_makes_the_same_program));
}
