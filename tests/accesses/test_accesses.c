/* test_accesses.c -- what a machine tells of its reads and writes is what a second opinion works out of
 * what it did.
 */
#include "tests/lib/check.h"

#include <stdlib.h>
#include <string.h>

#include "reconstruction.h"
#include "tests/lib/machine.h"
#include "tests/lib/random_mix.h"

static bool same_access(const struct sm_access *a, const struct sm_access *b)
{
    return a->cycle == b->cycle && a->unit == b->unit && a->mask == b->mask &&
           a->structure == b->structure && a->write == b->write && a->part == b->part &&
           a->instruction == b->instruction;
}

/* The order of a unit's accesses counts, that of units does not. */
static bool is_behind(const struct sm_access *a, const struct sm_access *b)
{
    return a->structure != b->structure ? a->structure > b->structure : a->unit > b->unit;
}

static void sort(struct sm_accesses *l)
{
    for (uint32_t i = 1; i < l->count; i++) {
        struct sm_access x = l->access[i];
        uint32_t at = i;
        for (; at && is_behind(&l->access[at - 1], &x); at--)
            l->access[at] = l->access[at - 1];
        l->access[at] = x;
    }
}

/* Once what is told twice in a row. */
static void once(struct sm_accesses *l)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->count; i++)
        if (n == 0 || !same_access(&l->access[n - 1], &l->access[i]))
            l->access[n++] = l->access[i];
    l->count = n;
}

/* The instruction wrote the register that its address is made of: the second opinion no longer knows
 * the address, and lists all that it can have been. */
static bool lost_address(const struct sm_commit *c)
{
    bool lost = false;
    for (int i = 0; c->kind == COMMIT_INSTRUCTION && c->uop && c->areg > 0 && i < 3; i++)
        lost |= c->uop->in.src[i].areg == c->areg && !c->uop->in.src[i].postinc;
    return lost;
}

static void leave_out(struct sm_accesses *l, int structure)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->count; i++)
        if (l->access[i].structure != structure)
            l->access[n++] = l->access[i];
    l->count = n;
}

static void print(const char *who, const struct sm_accesses *l)
{
    for (uint32_t i = 0; i < l->count && i < 40; i++) {
        const struct sm_access *a = &l->access[i];
        printf("  %s: place %d unit %u %s mask %08x part %d cycle %llu%s\n", who, a->structure,
               a->unit, a->write ? "write" : "read", a->mask, a->part, (unsigned long long)a->cycle,
               a->instruction ? "" : ", by the machine");
    }
}

/* Runs `m` to the end, or `ticks` at most; how many ticks differ. */
static int differences(struct gpu *m, bool timed, long ticks)
{
    const uint64_t all = (UINT64_C(1) << SM_PLACES) - 1;
    struct reconstruction second = {.g = m, .places = all, .timed = timed};
    struct sm_accesses told = {0}, out = {0};
    struct sm_watch w;
    int differ = 0;
    sm_watch_start(&w, m, all, timed);
    for (long i = 0; i < ticks && !gpu_ended(m) && differ < 3; i++) {
        reconstruct_tick(&second, &w, &told, &out);
        if (lost_address(&w.c)) {
            leave_out(&told, SM_S_shared), leave_out(&out, SM_S_shared);
            leave_out(&told, SM_S_const), leave_out(&out, SM_S_const);
        }
        sort(&told), sort(&out);
        once(&told), once(&out);
        bool same = told.count == out.count;
        for (uint32_t k = 0; same && k < told.count; k++)
            same = same_access(&told.access[k], &out.access[k]);
        if (!same && differ++ == 0) {
            struct fl_buf text = {0};
            sm_commit_print(m->img, &w.c, &text);
            printf("\n%s\n", (char *)text.data);
            fl_buf_free(&text);
            print("told", &told);
            print("second opinion", &out);
        }
    }
    sm_watch_end(&w);
    free(told.access);
    free(out.access);
    return differ;
}

static int job_differences(struct job *job, bool timed, long ticks)
{
    struct sm_image *img = sm_image_new(job, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(img);
    struct gpu *m = gpu_new(img);
    int n = differences(m, timed, ticks);
    gpu_free(m);
    sm_image_free(img);
    return n;
}

static void workloads_tell_what_they_do(void)
{
    static const char *const bench[] = {"fft", "sort",       "edge",      "mxm",   "deepdivergence",
                                        "bfs", "hotspot",    "histogram", "srad1", "allops",
                                        "cnn", "nestedcalls"};
    for (size_t i = 0; i < sizeof bench / sizeof *bench; i++)
        for (int timed = 0; timed < 2; timed++) {
            struct fl_err err;
            struct job *job = NULL;
            char *path = fl_format("%s/bench/%s.job.xml", FAULTLINE_BUILD_DIR, bench[i]);
            CU_ASSERT_EQUAL_FATAL(job_load(path, NULL, &job, &err), 0);
            CU_ASSERT_EQUAL(job_differences(job, timed, SANITIZED ? 2000 : 20000), 0);
            job_free(job);
            free(path);
        }
}

/* All instructions that compute or access memory, some of which trap, in random flows. */
static void random_instructions_tell_what_they_do(void)
{
    static const char *const profiles[] = {"g80", "tiny", "flexgripplus", "flexgripplus-rtl"};
    for (uint64_t seed = 1; seed <= (SANITIZED ? 40 : 400); seed++) {
        const char *profile = profiles[seed % 4];
        bool small = strcmp(profile, "tiny") == 0;
        uint8_t constants[MIX_CONST];
        struct random_mix s;
        mix_make(&s, seed, 60, small, ISA_1_0);
        struct job *job = machine_job(profile, (char *)s.text.data);
        uint32_t threads = 1 + mix_random(&s, small ? 64 : 200);
        uint32_t addr = machine_buffer(job, MIX_STRIDE * ((threads + 31) / 32 * 32 + 32), NULL);
        for (size_t i = 0; i < sizeof constants; i++)
            constants[i] = (uint8_t)mix_random(&s, 256);
        machine_const(job, 0, constants, sizeof constants);
        machine_const(job, 1, constants, sizeof constants);
        job->cubin->kernel[0].local_bytes = MIX_LOCAL;
        machine_param(machine_launch(job, 0, 1 + mix_random(&s, 3), threads), addr);
        struct machine m = machine_load(job);
        CU_ASSERT_EQUAL(differences(m.gpu, seed % 2, 100000), 0);
        machine_end(&m);
        fl_buf_free(&s.text);
    }
}

static void an_instruction_that_traps_tells_nothing(void)
{
    struct machine m = machine_start("g80", 32,
                                     K "MVI R1, 3\nMVI R2, 3\nGLD.U32 R3, global14[R1]\nNOP.EXIT");
    struct sm_accesses told = {0};
    struct sm_watch w;
    uint32_t last = 0;
    sm_watch_start(&w, m.gpu, (UINT64_C(1) << SM_PLACES) - 1, true);
    while (!gpu_ended(m.gpu)) {
        sm_watch_tick(&w, &told);
        last = told.count;
    }
    CU_ASSERT_EQUAL(m.gpu->sm->s.trap, TRAP_MISALIGNED_GLOBAL);
    CU_ASSERT_EQUAL(last, 0);
    sm_watch_end(&w);
    free(told.access);
    machine_end(&m);
}

int main(void)
{
    return CHECK_RUN("accesses", CHECK(workloads_tell_what_they_do),
                     CHECK(random_instructions_tell_what_they_do),
                     CHECK(an_instruction_that_traps_tells_nothing));
}
