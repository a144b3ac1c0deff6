/* test_stuck_at_rtl.c -- the same stuck-at faults in the C model and in the RTL: outcome, reason and every cycle are the same.
 *
 *     test_stuck_at_rtl                      some of each structure, in small programs
 *     test_stuck_at_rtl N [FILE.job.xml]     N of each structure, in these or in a job
 */
#include "tests/lib/flips.h"

static long count = 12;
static const char *path;

/* Random ids of a structure, where the job can occupy it. */
static long draw(const struct bench *b, int structure, uint64_t *seed, char **id)
{
    for (long i = 0; i < count; i++) {
        struct fsim_fault f = {.value = (int)(machine_random(seed) & 1)};
        flips_cell(b, structure, seed, &f.cell);
        id[i] = fl_alloc(FSIM_ID);
        fsim_id(b->img, &f, id[i]);
    }
    return count;
}

static void both_engines(struct job *job, uint64_t seed)
{
    struct fl_err err = {{0}};
    const struct engine *rtl = engine_find("rtl", &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rtl);
    struct bench b = bench_open(job, false);
    char **id = fl_alloc((size_t)count * SM_STRUCTURES * sizeof *id);
    long n = 0;
    for (int i = 0; i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(b.img, i, &s);
        if (sm_structure_bits(&s) > 0 && engine_has(rtl, b.img, i, &err) == 0 &&
            engine_has(&engine_c, b.img, i, &err) == 0)
            n += draw(&b, i, &seed, id + n);
    }
    struct fsim_options on_c = {.run.max_cycles = 10000000},
                        on_rtl = {.run.max_cycles = 10000000, .run.engine = rtl};
    struct fsim_campaign x, y;
    CU_ASSERT_EQUAL_FATAL(faults_run(&x, job, (const char *const *)id, (int)n, NULL, &on_c, &err),
                          0);
    CU_ASSERT_EQUAL_FATAL(faults_run(&y, job, (const char *const *)id, (int)n, NULL, &on_rtl, &err),
                          0);
    CU_ASSERT_EQUAL(faults_differences(&x, &y), 0);
    long fail = 0;
    for (long i = 0; i < x.list.count; i++)
        fail += fsim_outcome_fails(x.result[i].outcome);
    printf(" %ld faults, %ld fail ", x.list.count, fail);
    CU_ASSERT_TRUE(fail > 0);
    fsim_campaign_free(&x);
    fsim_campaign_free(&y);
    for (long i = 0; i < n; i++)
        free(id[i]);
    free(id);
    bench_close(&b);
}

static void held_cells_end_alike_in_the_c_model_and_in_the_rtl(void)
{
    if (!path) {
        both_engines(flips_structured(3), 1);
        both_engines(flips_structured(9), 2);
        both_engines(flips_repeat(), 4);
        return;
    }
    both_engines(faults_load(path), 3);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        count = strtol(argv[1], NULL, 10);
    if (argc > 2)
        path = argv[2];
    return CHECK_RUN("stuck-at, both engines",
                     CHECK(held_cells_end_alike_in_the_c_model_and_in_the_rtl));
}
