/* test_stats.c -- the statistics of samples: sizes, intervals, draws. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/lib/check.h"
#include "faultsim/result/metrics.h"
#include "faultsim/result/result.h"
#include "base/stats.h"

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
    CU_ASSERT_EQUAL(size_of(20, 0.2, 0.95), 12); /* 20 / (1 + 0.04 x 19 / 0.9604) = 11.2 */
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

/* The first by hand, with 50 digits: 10 of 100 are worth 11.1 of 111. */
static void intervals_without_replacement_are_narrower_by_what_is_left(void)
{
    struct stats_interval i = stats_wilson_of(10, 100, 1000, 0.95), w = stats_wilson(10, 100, 0.95);
    CU_ASSERT(i.lo > w.lo && i.hi < w.hi);
    CU_ASSERT_DOUBLE_EQUAL(i.lo, 0.056, 1e-12); /* 0.0569 and 0.1699, rounded outwards */
    CU_ASSERT_DOUBLE_EQUAL(i.hi, 0.170, 1e-12);
    i = stats_wilson_of(10, 100, 1ull << 50, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(i.lo, w.lo, 1e-12);
    i = stats_wilson_of(3, 7, 7, 0.95);
    CU_ASSERT(i.lo == i.hi && i.lo == 3.0 / 7);
    i = stats_wilson_of(19, 20, 21, 0.95); /* one is not known */
    CU_ASSERT(i.lo >= 19 / 21.0 && i.hi <= 20 / 21.0 + 1e-15);
    i = stats_wilson_of(0, 0, 21, 0.95);
    CU_ASSERT(i.lo == 0 && i.hi == 1);
    i = stats_wilson_of(0, 20, 210, 0.95);
    CU_ASSERT(i.lo == 0 && i.hi > 0);
}

/* By the sum over the hypergeometric distribution, of every population of that size: exactly how often the truth is held. */
static double held(int population, int failing, int n)
{
    double all = 0, most = lgamma(population + 1) - lgamma(n + 1) - lgamma(population - n + 1);
    for (int k = 0; k <= n; k++) {
        int rest = n - k;
        struct stats_interval i = stats_wilson_of((uint64_t)k, (uint64_t)n, (uint64_t)population,
                                                  0.95);
        double truth = (double)failing / population;
        if (k > failing || rest > population - failing || truth < i.lo - 1e-12 ||
            truth > i.hi + 1e-12)
            continue;
        all += exp(lgamma(failing + 1) - lgamma(k + 1) - lgamma(failing - k + 1) +
                   lgamma(population - failing + 1) - lgamma(rest + 1) -
                   lgamma(population - failing - rest + 1) - most);
    }
    return all;
}

static void intervals_without_replacement_hold_the_truth_about_as_often_as_they_say(void)
{
    static const int size[][2] = {{124, 20}, {124, 60}, {124, 110}, {500, 50}, {500, 400}};
    for (int i = 0; i < 5; i++) {
        int population = size[i][0], n = size[i][1];
        double mean = 0, worst = 1;
        for (int failing = 0; failing <= population; failing++) {
            double one = held(population, failing, n);
            mean += one / (population + 1);
            worst = one < worst ? one : worst;
        }
        if (!(mean > 0.95 && mean < 0.992 && worst > 0.93))
            printf("\n    %d of %d: %.4f, at worst %.4f", n, population, mean, worst);
        CU_ASSERT(mean > 0.95 && mean < 0.992 && worst > 0.93);
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

/* 3/4 of 2^64: without the rejection every third number would come twice as often, or the lower third. */
static void draws_are_unbiased_for_huge_populations(void)
{
    const uint64_t population = 3ull << 62;
    int third[3] = {0}, residue[3] = {0};
    for (uint64_t i = 0; i < 30000; i++) {
        uint64_t d = stats_draw(7, i, population);
        CU_ASSERT_FATAL(d < population);
        third[d >> 62]++;
        residue[d % 3]++;
    }
    for (int t = 0; t < 3; t++)
        CU_ASSERT(third[t] > 9700 && third[t] < 10300 && residue[t] > 9700 && residue[t] < 10300);
}

/* Three structures of very different sizes and shares, 40 flips of each: a thousand campaigns. Adding the bounds up would hold the
 * truth in all but two or three of them. */
static void intervals_of_sums_hold_the_truth_about_as_often_as_they_say(void)
{
    enum { CAMPAIGNS = 1000, FLIPS = 40 };
    static const double weight[] = {262144, 131072, 98304}, truth[] = {0.05, 0.3, 0.6};
    struct stats_stream random = stats_stream_of(1, 0);
    double sum = 0;
    int inside = 0;
    for (int i = 0; i < 3; i++)
        sum += weight[i] * truth[i];
    for (int c = 0; c < CAMPAIGNS; c++) {
        struct stats_share share[3];
        for (int i = 0; i < 3; i++) {
            uint64_t k = 0;
            for (int f = 0; f < FLIPS; f++)
                k += stats_below(&random, 1000) < (uint64_t)(1000 * truth[i] + 0.5);
            share[i] = (struct stats_share){weight[i], (double)k / FLIPS,
                                            stats_wilson(k, FLIPS, 0.95)};
        }
        struct stats_interval at = stats_sum(share, 3);
        inside += at.lo <= sum && sum <= at.hi;
    }
    if (inside < 930 || inside > 970)
        printf("\n    %d of %d", inside, CAMPAIGNS);
    CU_ASSERT(inside >= 930 && inside <= 970);
}

int main(void)
{
    return CHECK_RUN("stats", CHECK(quantiles_are_those_of_the_tables),
                     CHECK(a_margin_of_one_percent_at_95_takes_9604_flips),
                     CHECK(a_margin_of_two_percent_at_99_takes_4147_flips),
                     CHECK(three_thousand_flips_at_99_have_a_margin_of_2_35_percent),
                     CHECK(a_small_population_takes_fewer_flips),
                     CHECK(a_margin_that_needs_all_flips_is_refused),
                     CHECK(wilson_intervals_are_those_of_his_formula),
                     CHECK(wilson_intervals_hold_the_truth_about_as_often_as_they_say),
                     CHECK(intervals_without_replacement_are_narrower_by_what_is_left),
                     CHECK(intervals_without_replacement_hold_the_truth_about_as_often_as_they_say),
                     CHECK(intervals_of_sums_hold_the_truth_about_as_often_as_they_say),
                     CHECK(a_population_beyond_63_bits_is_refused),
                     CHECK(draws_are_the_same_everywhere), CHECK(draws_are_uniform),
                     CHECK(draws_are_unbiased_for_huge_populations));
}
