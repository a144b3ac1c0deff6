/* test_avf.c -- the arithmetic of transient campaigns: counts over code and time, sampling, metrics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "result.h"
#include "stats.h"

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

/* ---- stats.h ------------------------------------------------------------------------------------------------------- */

static uint64_t size_of(uint64_t population, double margin, double confidence)
{
    struct fl_err err;
    uint64_t n = 0;
    return stats_sample_size(population, margin, confidence, 0.5, &n, &err) == 0 ? n : 0;
}

static void quantiles_are_those_of_the_tables(void)
{
    CU_ASSERT_DOUBLE_EQUAL(stats_t(0.90), 1.6448536, 1e-7);
    CU_ASSERT_DOUBLE_EQUAL(stats_t(0.95), 1.9599640, 1e-7);
    CU_ASSERT_DOUBLE_EQUAL(stats_t(0.99), 2.5758293, 1e-7);
    CU_ASSERT_DOUBLE_EQUAL(stats_t(0.998), 3.0902323, 1e-7);
    CU_ASSERT_DOUBLE_EQUAL(stats_quantile(0.5), 0, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(stats_quantile(1e-15), -7.9413453, 1e-6);
    for (double p = 0.01; p < 1; p += 0.01)
        CU_ASSERT_DOUBLE_EQUAL(0.5 * erfc(-stats_quantile(p) / sqrt(2)), p, 1e-14);
}

static void a_margin_of_one_percent_at_95_takes_9604_flips(void)
{
    CU_ASSERT_EQUAL(size_of(1000000000000, 0.01, 0.95), 9604);
}

static void a_margin_of_two_percent_at_99_takes_4147_flips(void)
{
    CU_ASSERT_EQUAL(size_of(1000000000000, 0.02, 0.99), 4147);
}

static void three_thousand_flips_at_99_have_a_margin_of_2_35_percent(void)
{
    CU_ASSERT_DOUBLE_EQUAL(stats_margin(3000, 1000000000000, 0.99, 0.5), 0.0235, 0.00005);
    CU_ASSERT_DOUBLE_EQUAL(stats_margin(9604, 1000000000000, 0.95, 0.5), 0.01, 1e-6);
}

static void a_small_population_takes_fewer_flips(void)
{
    CU_ASSERT_EQUAL(size_of(10000, 0.05, 0.95), 370); /* the textbook's 385, corrected */
    CU_ASSERT_EQUAL(size_of(100000000, 0.05, 0.95), 385);
    CU_ASSERT_EQUAL(stats_margin(100, 100, 0.95, 0.5), 0);
    CU_ASSERT_EQUAL(stats_margin(0, 100, 0.95, 0.5), 1);
}

static void a_margin_that_needs_all_flips_is_refused(void)
{
    struct fl_err err;
    uint64_t n;
    CU_ASSERT_EQUAL(stats_sample_size(1000, 0.0001, 0.95, 0.5, &n, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "all of the 1000 flips"));
    CU_ASSERT_EQUAL(stats_sample_size(1000, 0, 0.95, 0.5, &n, &err), -1);
    CU_ASSERT_EQUAL(stats_sample_size(1000, 0.1, 1, 0.5, &n, &err), -1);
    CU_ASSERT_EQUAL(stats_sample_size(1000, 0.1, 0.95, 0, &n, &err), -1);
    CU_ASSERT_EQUAL(stats_sample_size(1000, (double)NAN, 0.95, 0.5, &n, &err), -1);
}

/* Figures after Wilson's formula worked out with 50 digits. */
static void wilson_intervals_are_those_of_his_formula(void)
{
    struct stats_interval i = stats_wilson(10, 100, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(i.lo, 0.0552291371, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(i.hi, 0.1743656615, 1e-9);
    i = stats_wilson(0, 50, 0.95);
    CU_ASSERT_EQUAL(i.lo, 0);
    CU_ASSERT_DOUBLE_EQUAL(i.hi, 0.0713475991, 1e-9);
    i = stats_wilson(50, 50, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(i.lo, 1 - 0.0713475991, 1e-9);
    CU_ASSERT_EQUAL(i.hi, 1);
    i = stats_wilson(0, 0, 0.95);
    CU_ASSERT_EQUAL(i.lo, 0);
    CU_ASSERT_EQUAL(i.hi, 1);
}

/* 2,000 campaigns of 300 draws each for every p: by the sum over the binomial distribution the true coverage of Wilson's
 * interval lies between 94.3% and 95.5% there; 2,000 campaigns leave a deviation of 0.5%. */
static void wilson_intervals_hold_the_truth_about_as_often_as_they_say(void)
{
    for (int percent = 5; percent <= 95; percent += 15) {
        int inside = 0;
        for (uint64_t seed = 0; seed < 2000; seed++) {
            uint64_t k = 0;
            for (uint64_t i = 0; i < 300; i++)
                k += stats_draw(seed, i, 100) < (uint64_t)percent;
            struct stats_interval w = stats_wilson(k, 300, 0.95);
            inside += w.lo <= percent / 100.0 && percent / 100.0 <= w.hi;
        }
        CU_ASSERT(inside >= 1840 && inside <= 1960);
    }
}

static void a_population_beyond_63_bits_is_refused(void)
{
    struct fl_err err;
    uint64_t n;
    CU_ASSERT_EQUAL(stats_population(1ull << 31, 1ull << 31, &n, &err), 0);
    CU_ASSERT_EQUAL(n, 1ull << 62);
    CU_ASSERT_EQUAL(stats_population(1ull << 32, 1ull << 31, &n, &err), -1);
    CU_ASSERT_EQUAL(stats_population(UINT64_MAX, UINT64_MAX, &n, &err), -1);
}

/* The numbers are part of the format: a seed names the same flips on every machine and in every version. */
static void draws_are_the_same_everywhere(void)
{
    CU_ASSERT_EQUAL(stats_draw(0u, 0u, 1000000u), 338052u);
    CU_ASSERT_EQUAL(stats_draw(1u, 0u, 1000000u), 432744u);
    CU_ASSERT_EQUAL(stats_draw(1u, 1u, 1000000u), 738640u);
    CU_ASSERT_EQUAL(stats_draw(4207849484u, 123456789u, 262144000000u), 99112534436u);
    CU_ASSERT_EQUAL(stats_draw(18446744073709551615u, 18446744073709551615u, 13835058055282163712u),
                    442247665074260500u);
}

static void draws_are_uniform(void)
{
    enum { CELLS = 97, DRAWN = 97000 };
    int count[CELLS] = {0};
    double chi = 0;
    for (uint64_t i = 0; i < DRAWN; i++) {
        uint64_t d = stats_draw(42, i, CELLS);
        CU_ASSERT_FATAL(d < CELLS);
        count[d]++;
    }
    for (int c = 0; c < CELLS; c++)
        chi += (count[c] - 1000.0) * (count[c] - 1000.0) / 1000.0;
    CU_ASSERT(chi > 55 &&
              chi < 146); /* chi-squared of 96 degrees of freedom, 0.1% off at each end */
}

/* 3/4 of 2^64: without the rejection the lower third would come twice as often. */
static void draws_are_unbiased_for_huge_populations(void)
{
    const uint64_t population = 3ull << 62;
    int third[3] = {0};
    for (uint64_t i = 0; i < 30000; i++) {
        uint64_t d = stats_draw(7, i, population);
        CU_ASSERT_FATAL(d < population);
        third[d >> 62]++;
    }
    for (int t = 0; t < 3; t++)
        CU_ASSERT(third[t] > 9700 && third[t] < 10300);
}

int main(void)
{
    return CHECK_RUN(
        "avf", CHECK(sites_add_up_by_kernel_pc_and_register),
        CHECK(a_timeline_has_an_edge_at_every_change_of_occupancy),
        CHECK(a_timeline_with_too_many_changes_is_a_grid_and_says_so),
        CHECK(spreading_over_time_loses_no_cycle), CHECK(the_row_all_sums_the_kernels_up),
        CHECK(quantiles_are_those_of_the_tables),
        CHECK(a_margin_of_one_percent_at_95_takes_9604_flips),
        CHECK(a_margin_of_two_percent_at_99_takes_4147_flips),
        CHECK(three_thousand_flips_at_99_have_a_margin_of_2_35_percent),
        CHECK(a_small_population_takes_fewer_flips),
        CHECK(a_margin_that_needs_all_flips_is_refused),
        CHECK(wilson_intervals_are_those_of_his_formula),
        CHECK(wilson_intervals_hold_the_truth_about_as_often_as_they_say),
        CHECK(a_population_beyond_63_bits_is_refused), CHECK(draws_are_the_same_everywhere),
        CHECK(draws_are_uniform), CHECK(draws_are_unbiased_for_huge_populations));
}
