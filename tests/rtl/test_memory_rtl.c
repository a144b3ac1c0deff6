/* test_memory_rtl.c -- the same faults of memories in the C model and in the RTL: they must end the same, fault by fault.
 *
 *     test_memory_rtl                  some faults of each kind and memory, in a few random programs
 *     test_memory_rtl FIRST COUNT N    N of each kind and memory in so many random programs
 */
#include "tests/caches/cache_kernels.h"
#include "tests/lib/flips.h"

#include <string.h>

static uint64_t first = 1, programs = 2, sample = 6;

/* What the RTL can carry. */
static const char *const kinds[] = {"saf", "tf", "cfin", "cfid", "cfst", "af0,af1,afw"};

static struct fsim_campaign run(const struct job *job, char *const *id, int ids, const char *engine)
{
    struct fl_err err;
    struct fsim_campaign c;
    struct fsim_options opt = {.run.threads = 1, .run.max_cycles = 1000000, .choice.memory = true};
    opt.run.engine = engine_find(engine, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(opt.run.engine);
    if (faults_run(&c, job, (const char *const *)id, ids, NULL, &opt, &err) != 0) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no campaign");
    }
    return c;
}

/* Rows of an SM; of the caches of tiny-chip-caches. */
static const char *const memories[] = {"dstack/w*", "dsp", "rf",   "cc",     "areg",
                                       "shared",    "pc",  "mask", "tstate", NULL};
static const char *const caches[] = {"sm*/l1d", "sm*/l1d_data", "l2", "l2_data", NULL};

/* Ids of faults, most of which some instruction reads, of many that are drawn in a memory. */
static int choose(const char *of, const struct job *job, const char *memory, char **id)
{
    enum { DRAWN = 100 };
    struct fl_err err;
    struct fsim_options opt = {.run.threads = 1};
    opt.choice = (struct fsim_choice){.memory = true, .sample = DRAWN * sample, .seed = first};
    CU_ASSERT_EQUAL_FATAL(fsim_choice_kinds(&opt.choice, of, &err), 0);
    struct fsim_campaign c = faults_campaign(job, memory, opt);
    uint64_t n = 0, idle = 0;
    for (long i = 0; i < c.list.count && n < sample; i++) {
        bool acts = c.result[i].first_activation != FSIM_NEVER;
        if (acts ? i % 3 == 0 : idle++ % (10 * DRAWN))
            continue;
        id[n] = fl_alloc(FSIM_ID);
        fsim_id(c.img, &c.list.fault[i], id[n++]);
    }
    fsim_campaign_free(&c);
    return (int)n;
}

/* Faults of so many rows, which end with NULL. */
static void hold(const char *of, struct job *job, const char *const *row, long *tried, long *acting)
{
    enum { MOST = 9 };
    char **id = fl_alloc(MOST * sample * sizeof *id);
    int n = 0;
    for (int i = 0; row[i]; i++)
        n += choose(of, job, row[i], id + n);
    struct fsim_campaign c = run(job, id, n, "c"), rtl = run(job, id, n, "rtl");
    CU_ASSERT_EQUAL(faults_differences(&c, &rtl), 0);
    *tried += c.list.count;
    for (long i = 0; i < c.list.count; i++)
        *acting += c.result[i].first_activation != FSIM_NEVER;
    fsim_campaign_free(&c);
    fsim_campaign_free(&rtl);
    while (n-- > 0)
        free(id[n]);
    free(id);
    job_free(job);
}

static void faults_of_memories_end_the_same_in_both_machines(void)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        long tried = 0, acting = 0;
        for (uint64_t i = first; i < first + programs; i++)
            hold(kinds[k], i % 2 ? flips_mix(i) : flips_structured(i), memories, &tried, &acting);
        printf("\n    %-12s %6ld faults, %5ld of them read ", kinds[k], tried, acting);
        CU_ASSERT_TRUE(acting > 0);
    }
}

static void faults_of_caches_end_the_same_in_both_machines(void)
{
    static const struct {
        const char *text;
        uint32_t blocks, threads;
    } kernel[] = {
        {cache_sums, 3, 8}, {cache_again, 2, 8}, {cache_one_set, 1, 1}, {cache_in_local, 2, 16}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        long tried = 0, acting = 0;
        for (size_t i = 0; i < sizeof kernel / sizeof *kernel; i++) {
            struct job *job = faults_job("tiny-chip-caches", kernel[i].blocks, kernel[i].threads,
                                         kernel[i].text);
            for (uint32_t word = 0; word < 64; word++)
                job->buffer[0].init[4 * word] = (uint8_t)(word + 1);
            hold(kinds[k], job, caches, &tried, &acting);
        }
        printf("\n    %-12s %6ld faults of caches, %5ld of them read ", kinds[k], tried, acting);
        CU_ASSERT_TRUE(acting > 0);
    }
}

static void what_the_rtl_cannot_show_is_refused(void)
{
    static const char *const ids[] = {"rf/p5/b3:sof", "rf/p5~rf/p37:afa",
                                      "shared/p0~shared/p16:afo"};
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE);
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct fl_err err;
        struct fsim_campaign c;
        struct fsim_options opt = {.run.max_cycles = 100000,
                                   .run.engine = engine_find("rtl", &err)};
        opt.choice.memory = true;
        CU_ASSERT(faults_run(&c, job, &ids[i], 1, NULL, &opt, &err) != 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, ids[i]));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "take engine c"));
    }
    job_free(job);
}

int main(int argc, char **argv)
{
    if (argc == 4) {
        first = strtoull(argv[1], NULL, 10);
        programs = strtoull(argv[2], NULL, 10);
        sample = strtoull(argv[3], NULL, 10);
    }
    return CHECK_RUN("memory, both engines",
                     CHECK(faults_of_memories_end_the_same_in_both_machines),
                     CHECK(faults_of_caches_end_the_same_in_both_machines),
                     CHECK(what_the_rtl_cannot_show_is_refused));
}
