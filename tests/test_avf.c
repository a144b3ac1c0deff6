/* test_avf.c -- the arithmetic of transient campaigns: counts over code and time, sampling, metrics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "result.h"

/* ---- sites.h ------------------------------------------------------------------------------------------------------- */

static void sites_add_up_by_kernel_pc_and_register(void)
{
    struct sites a = {0}, b = {0};
    for (int round = 0; round < 3; round++)
        for (int k = 0; k < 2; k++)
            for (uint32_t pc = 0; pc < 800; pc += 8)
                for (int reg = -1; reg < 4; reg++)
                    sites_count(round < 2 ? &a : &b, k, pc, reg, OUT_SDC, pc + 1);
    sites_add(&a, &b);
    sites_sort(&a);
    sites_count(&a, 1, 16, 3, OUT_HANG, 7); /* sorted sites are still found */
    CU_ASSERT_EQUAL(a.count, 2 * 100 * 5);
    for (int i = 0; i < a.count; i++) {
        const struct site *s = &a.site[i];
        CU_ASSERT_EQUAL(s->kernel, i / 500);
        CU_ASSERT_EQUAL(s->pc, (uint32_t)(i % 500 / 5 * 8));
        CU_ASSERT_EQUAL(s->reg, i % 5 - 1);
        CU_ASSERT_EQUAL(s->outcome[OUT_SDC], 3ull * (s->pc + 1));
        CU_ASSERT_EQUAL(s->outcome[OUT_HANG],
                        s->kernel == 1 && s->pc == 16 && s->reg == 3 ? 7u : 0u);
    }
    sites_clear(&a);
    CU_ASSERT_EQUAL(a.count, 0);
    sites_free(&a);
    sites_free(&b);
}

static void a_timeline_has_an_edge_at_every_change_of_occupancy(void)
{
    const uint64_t change[] = {0, 33, 50, 33, 100, 120};
    struct timeline t;
    timeline_make(100, 4, change, 6, 16, &t);
    const uint64_t want[] = {0, 25, 33, 50, 75, 100};
    CU_ASSERT_TRUE(t.steady);
    CU_ASSERT_EQUAL_FATAL(t.buckets, 5);
    CU_ASSERT_EQUAL(memcmp(t.edge, want, sizeof want), 0);
    timeline_free(&t);
}

static void a_timeline_with_too_many_changes_is_a_grid_and_says_so(void)
{
    uint64_t change[50];
    struct timeline t;
    for (int i = 0; i < 50; i++)
        change[i] = (uint64_t)(2 * i + 1);
    timeline_make(100, 4, change, 50, 16, &t);
    CU_ASSERT_FALSE(t.steady);
    CU_ASSERT_EQUAL(t.buckets, 4);
    CU_ASSERT_EQUAL(t.edge[4], 100);
    timeline_free(&t);
    timeline_make(3, 64, NULL, 0, 512, &t); /* shorter than the grid: a bucket a cycle */
    CU_ASSERT_EQUAL(t.buckets, 3);
    timeline_free(&t);
}

static void spreading_over_time_loses_no_cycle(void)
{
    struct timeline t;
    struct moment m[8] = {{0}};
    timeline_make(1000, 7, NULL, 0, 16, &t);
    CU_ASSERT_EQUAL_FATAL(t.buckets, 7);
    timeline_spread(&t, 3, 997, 32, &m[0].outcome[OUT_CRASH]);
    timeline_spread(&t, 142, 143, 5, &m[0].ace); /* edge 1 is 142 */
    uint64_t sum = 0;
    for (int b = 0; b < 7; b++)
        sum += m[b].outcome[OUT_CRASH];
    CU_ASSERT_EQUAL(sum, 994u * 32);
    CU_ASSERT_EQUAL(m[0].outcome[OUT_CRASH], 139u * 32);
    CU_ASSERT_EQUAL(m[1].ace, 5);
    CU_ASSERT_EQUAL(m[0].ace + m[2].ace, 0);
    CU_ASSERT_EQUAL(timeline_bucket(&t, 141), 0);
    CU_ASSERT_EQUAL(timeline_bucket(&t, 142), 1);
    CU_ASSERT_EQUAL(timeline_bucket(&t, 999), 6);
    timeline_free(&t);
}

/* ---- result.h ------------------------------------------------------------------------------------------------------ */

static void the_row_all_sums_the_kernels_up(void)
{
    struct result_kernel kernel[2] = {{.name = "a", .cycles = 10}, {.name = "b", .cycles = 30}};
    struct result_job job = {.name = "j", .nkernels = 2, .kernel = kernel};
    struct tally tally[2] = {{.bits = 8, .cycles = 10, .population = 80, .counted = 80},
                             {.bits = 8, .cycles = 30, .population = 240, .counted = 240}};
    tally[0].outcome[OUT_SDC] = 4;
    tally[1].outcome[OUT_HANG] = 5;
    struct result_part part = {.target = "rf", .engine = "c", .tally = tally};
    struct result r = {.njobs = 1, .nparts = 1, .job = &job, .part = &part};
    int n;
    struct tally_row *row = result_rows(&r, &n);
    CU_ASSERT_EQUAL_FATAL(n, 3);
    CU_ASSERT_STRING_EQUAL(row[1].kernel, "b");
    CU_ASSERT_STRING_EQUAL(row[2].kernel, "all");
    CU_ASSERT_EQUAL(row[2].t.bits, 8);
    CU_ASSERT_EQUAL(row[2].t.cycles, 40);
    CU_ASSERT_EQUAL(row[2].t.population, 320);
    CU_ASSERT_EQUAL(tally_failed(&row[2].t), 9);
    free(row);
}

int main(void)
{
    return CHECK_RUN("avf", CHECK(sites_add_up_by_kernel_pc_and_register),
                     CHECK(a_timeline_has_an_edge_at_every_change_of_occupancy),
                     CHECK(a_timeline_with_too_many_changes_is_a_grid_and_says_so),
                     CHECK(spreading_over_time_loses_no_cycle),
                     CHECK(the_row_all_sums_the_kernels_up));
}
