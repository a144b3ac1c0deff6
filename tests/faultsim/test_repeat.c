/* test_repeat.c -- a job whose host reads a word and decides whether its launches run again. */
#include "tests/lib/check.h"
#include "tests/lib/flips.h"

static void the_host_repeats_until_the_word_is_there(void)
{
    struct bench b = bench_open(flips_repeat(), false);
    CU_ASSERT_EQUAL(b.g->end->grid.launch, 7); /* start, three of six passes, finish */
    uint32_t word[2];
    gpu_read_global(b.g->end, JOB_BASE, word, sizeof word);
    CU_ASSERT_EQUAL(word[0], 0);
    CU_ASSERT_EQUAL(word[1], 2); /* 4 - 3 passes + its number */
    for (int l = 0; l < 8; l++)
        CU_ASSERT_EQUAL(b.g->residence->launch[l].to > b.g->residence->launch[l].from,
                        l < 4 || l == 7);
    bench_close(&b);
}

static void a_host_that_reaches_the_limit_gives_up(void)
{
    struct fl_err err;
    struct job *job = flips_repeat();
    struct sm_image *img;
    for (int i = 0; i < job->nlaunches; i++)
        job->launch[i].until = 77;
    img = sm_image_new(job, &err);
    CU_ASSERT_PTR_NULL(golden_run(img, 1000000, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "reaches the limit of a <repeat>"));
    sm_image_free(img);
    job_free(job);
    job = flips_repeat();
    struct fsim_result r = faults_result(job, "rf/p64/b1:sa1"); /* word 0 is never 0 */
    ASSERT_RESULT(r, OUT_TIMEOUT, "host_gives_up");
    job_free(job);
}

/* Faults change how many passes there are: what follows differences must not follow them past the host. */
static void faults_of_a_repeated_job_end_as_brute_force_says(void)
{
    struct job *job = flips_repeat();
    struct fsim_campaign c = faults_campaign(job, "all", (struct fsim_options){.run.threads = 1});
    long tried = 0, gives_up = 0;
    CU_ASSERT_EQUAL(faults_brute_differences(&c, SANITIZED ? 7 : 1, &tried), 0);
    for (long i = 0; i < c.list.count; i++)
        gives_up += strcmp(c.result[i].reason, "host_gives_up") == 0;
    CU_ASSERT(tried > 100);
    CU_ASSERT(gives_up > 10);
    fsim_campaign_free(&c);
    struct bench b = bench_open(job, false);
    uint64_t seed = 1;
    long wrong = 0, fail = 0;
    for (int s = 0; s < SM_STRUCTURES; s++) {
        struct sm_structure geometry;
        sm_structure_get(b.img, s, &geometry);
        for (int i = 0; sm_structure_bits(&geometry) && i < (s == SM_S_rf ? 400 : 40); i++) {
            struct fsim_fault u[FLIPS_CELLS];
            flips_draw(&b, s, ONE_FLIP, &seed, u);
            struct transient_result r, brute;
            transient_simulate(b.w, b.t, u, &r);
            transient_exhaustive(b.w, b.t, u, &brute);
            wrong += !faults_same(&r.r, &brute.r);
            fail += r.r.outcome != OUT_MASKED;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(fail > 50);
    bench_close(&b);
}

int main(void)
{
    return CHECK_RUN("repeat", CHECK(the_host_repeats_until_the_word_is_there),
                     CHECK(a_host_that_reaches_the_limit_gives_up),
                     CHECK(faults_of_a_repeated_job_end_as_brute_force_says));
}
