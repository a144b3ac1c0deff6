/* test_avf.c -- the arithmetic of transient campaigns: counts over code and time, metrics. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tests/lib/check.h"
#include "faultsim/result/metrics.h"
#include "faultsim/result/result.h"
#include "base/stats.h"

/* ---- sites.h ------------------------------------------------------------------------------------------------------- */

static void sites_add_up_by_kernel_pc_and_register(void)
{
    struct sites a = {0}, b = {0};
    for (int round = 0; round < 3; round++)
        for (int k = 0; k < 2; k++)
            for (uint32_t pc = 0; pc < 800; pc += 8)
                for (int reg = -1; reg < 4; reg++)
                    sites_count(round < 2 ? &a : &b, SITE_READER, k, pc, reg, OUT_SDC, pc + 1);
    sites_add(&a, &b);
    sites_sort(&a);
    sites_count(&a, SITE_READER, 1, 16, 3, OUT_HANG, 7); /* sorted sites are still found */
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
    const uint64_t launch[] = {0, 33, 50};
    const int kernel[] = {0, 1, 0}, runs[] = {0, 0, 1, 0, 0};
    timeline_launches(&t, launch, kernel, 3);
    CU_ASSERT_EQUAL(memcmp(t.kernel, runs, sizeof runs), 0);
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

static void a_kernel_launched_several_times_has_a_row_for_each_launch(void)
{
    struct result_kernel kernel[2] = {{.name = "a", .cycles = 15}, {.name = "b", .cycles = 30}};
    struct result_launch launch[3] = {{0, 10}, {1, 30}, {0, 5}};
    struct result_job job = {
        .name = "j", .nkernels = 2, .kernel = kernel, .nlaunches = 3, .launch = launch};
    struct tally tally[3] = {{.bits = 8, .cycles = 10, .counted = 80},
                             {.bits = 8, .cycles = 30, .counted = 240},
                             {.bits = 8, .cycles = 5, .counted = 40}};
    struct result_part part = {.target = "rf", .engine = "c", .tally = tally};
    struct result r = {.njobs = 1, .nparts = 1, .job = &job, .part = &part};
    static const struct {
        const char *kernel;
        int launch;
        uint64_t counted, run;
    } want[] = {{"a", -1, 120, 15},
                {"a", 0, 80, 10},
                {"a", 2, 40, 5},
                {"b", -1, 240, 30},
                {"all", -1, 360, 45}};
    int n;
    struct tally_row *row = result_rows(&r, &n);
    CU_ASSERT_EQUAL_FATAL(n, 5);
    for (int i = 0; i < n; i++) {
        CU_ASSERT_STRING_EQUAL(row[i].kernel, want[i].kernel);
        CU_ASSERT_EQUAL(row[i].launch, want[i].launch);
        CU_ASSERT_EQUAL(row[i].t.counted, want[i].counted);
        CU_ASSERT_EQUAL(row[i].run_cycles, want[i].run);
    }
    free(row);
}

static void the_row_all_sums_the_kernels_up(void)
{
    struct result_kernel kernel[2] = {{.name = "a", .cycles = 10}, {.name = "b", .cycles = 30}};
    struct result_launch launch[2] = {{0, 10}, {1, 30}};
    struct result_job job = {
        .name = "j", .nkernels = 2, .kernel = kernel, .nlaunches = 2, .launch = launch};
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

/* ---- metrics.h ----------------------------------------------------------------------------------------------------- */

static const struct metrics_setting g80_at_28nm = {
    .fit_per_bit = 1.2e-5, .clock_mhz = 1350, .warps = 24};

/* 1,000 bits in 200 cycles, half of them owned; 300 failing flips, 10 of them of unowned bits. */
static struct tally_row exact_row(void)
{
    struct tally_row row = {
        .target = "rf", .engine = "c", .launch = -1, .run_cycles = 200, .method = METHOD_EXACT};
    row.t = (struct tally){.bits = 1000,
                           .cycles = 200,
                           .population = 200000,
                           .owned = 100000,
                           .warp_cycles = 1200,
                           .counted = 200000,
                           .owned_counted = 100000,
                           .owned_failed = 290};
    row.t.outcome[OUT_MASKED] = 199600;
    row.t.outcome[OUT_PERFORMANCE] = 100;
    row.t.outcome[OUT_SDC] = 150;
    row.t.outcome[OUT_CRASH] = 100;
    row.t.outcome[OUT_TIMEOUT] = 40;
    row.t.outcome[OUT_HANG] = 10;
    return row;
}

static void avf_counts_sdc_crash_timeout_and_hang_alone(void)
{
    struct tally_row row = exact_row();
    struct metrics m;
    metrics_of(&row, &g80_at_28nm, &m);
    CU_ASSERT_DOUBLE_EQUAL(m.avf, 300 / 200000.0, 1e-15);
    CU_ASSERT_EQUAL(m.avf_lo, m.avf);
    CU_ASSERT_EQUAL(m.avf_hi, m.avf);
}

static void avf_util_is_over_owned_flips_alone(void)
{
    struct tally_row row = exact_row();
    struct metrics m;
    metrics_of(&row, &g80_at_28nm, &m);
    CU_ASSERT_DOUBLE_EQUAL(m.avf_util, 290 / 100000.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(m.occupancy, 0.5, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(m.warp_occupancy, 1200 / 4800.0, 1e-15);
    row.t.owned_counted = 0; /* not told apart: equation (1) */
    metrics_of(&row, &g80_at_28nm, &m);
    CU_ASSERT_DOUBLE_EQUAL(m.avf_util * m.occupancy, m.avf, 1e-15);
}

static void fit_eit_and_epf_follow_from_avf_rate_and_clock(void)
{
    struct tally_row row = exact_row();
    struct metrics m;
    metrics_of(&row, &g80_at_28nm, &m);
    CU_ASSERT_DOUBLE_EQUAL(m.fit, 0.0015 * 1.2e-5 * 1000, 1e-18);
    CU_ASSERT_DOUBLE_EQUAL(m.eit, 3.6e12 * 1350e6 / 200, 1e6);
    CU_ASSERT_DOUBLE_EQUAL(m.epf * m.fit, m.eit, 1e6);
    CU_ASSERT_EQUAL(metrics_epf(m.eit, 0), INFINITY);
    struct metrics_setting unknown = {.clock_mhz = 1350, .warps = 24};
    metrics_of(&row, &unknown, &m);
    CU_ASSERT(isnan(m.fit) && isnan(m.epf));
}

static void a_window_has_the_eit_of_the_run_and_its_part_of_the_fit(void)
{
    struct tally_row row = exact_row();
    struct metrics whole, window;
    metrics_of(&row, &g80_at_28nm, &whole);
    row.t.cycles /= 4;
    row.t.population /= 4;
    metrics_of(&row, &g80_at_28nm, &window);
    CU_ASSERT_EQUAL(window.eit, whole.eit);
    CU_ASSERT_DOUBLE_EQUAL(window.avf, 4 * whole.avf, 1e-15); /* the same flips, of a quarter */
    CU_ASSERT_DOUBLE_EQUAL(window.fit, whole.fit, 1e-18);     /* nothing fails elsewhere */
    CU_ASSERT_DOUBLE_EQUAL(window.epf, whole.epf, 1e-6 * whole.epf);
}

static void flips_drawn_among_owned_bits_give_no_avf(void)
{
    struct tally_row row = exact_row();
    struct metrics m;
    row.method = METHOD_SAMPLE;
    row.confidence = 0.95;
    row.t.counted = row.t.owned_counted = 1000;
    row.t.owned_failed = 300;
    row.active_only = true;
    metrics_of(&row, &g80_at_28nm, &m);
    CU_ASSERT(isnan(m.avf) && isnan(m.avf_lo) && isnan(m.avf_hi) && isnan(m.fit) && isnan(m.epf));
    CU_ASSERT_DOUBLE_EQUAL(m.avf_util, 0.3, 1e-15);
    CU_ASSERT_EQUAL(m.avf_util_lo, stats_wilson(300, 1000, 0.95).lo);
}

static void a_list_gives_no_avf(void)
{
    struct tally_row row = exact_row();
    struct metrics m;
    row.method = METHOD_LIST;
    row.t.bits = row.t.population = row.t.owned = 0;
    row.t.counted = 1000;
    metrics_of(&row, &g80_at_28nm, &m);
    CU_ASSERT(isnan(m.avf) && isnan(m.avf_lo) && isnan(m.avf_hi) && isnan(m.fit) && isnan(m.epf));
    CU_ASSERT(isnan(m.avf_util) && isnan(m.avf_util_lo));
    CU_ASSERT_DOUBLE_EQUAL(m.eit, 3.6e12 * 1350e6 / 200, 1e6);
}

static void a_sample_has_wilsons_interval(void)
{
    struct tally_row row = exact_row();
    struct metrics m;
    row.method = METHOD_SAMPLE;
    row.confidence = 0.95;
    row.t.counted = 1000;
    row.t.owned_counted = 500;
    row.t.not_run = 750;
    metrics_of(&row, &g80_at_28nm, &m);
    struct stats_interval w = stats_wilson(300, 1000, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(m.avf, 0.3, 1e-15);
    CU_ASSERT_EQUAL(m.avf_lo, w.lo);
    CU_ASSERT_EQUAL(m.avf_hi, w.hi);
    CU_ASSERT_DOUBLE_EQUAL(m.avf_util, 290 / 500.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(m.occupancy, 0.5, 1e-15);           /* known, not sampled */
    CU_ASSERT_DOUBLE_EQUAL(metrics_speedup(&row.t), 2, 1e-15); /* not of all that was not run */
}

static void technologies_have_their_rates_and_sources(void)
{
    int n;
    const struct metrics_technology *all = metrics_technologies(&n);
    CU_ASSERT_EQUAL(n, 3);
    CU_ASSERT_EQUAL(metrics_technology("12nm")->fit_per_bit, 1.8e-6);
    CU_ASSERT_EQUAL(metrics_technology("28nm")->fit_per_bit, 1.2e-5);
    CU_ASSERT_EQUAL(metrics_technology("sifi")->fit_per_bit, 1e-3);
    CU_ASSERT_PTR_NULL(metrics_technology("7nm"));
    for (int i = 0; i < n; i++)
        CU_ASSERT_PTR_NOT_NULL(strstr(all[i].source, "doi"));
}

/* SIFI's example: seven cycles, a register file of 32, work-groups of 12 registers each, two of them at first. */
static const uint64_t sifi_ace[] = {8, 8, 8, 11, 13, 13, 7};

static const uint64_t sifi_used[] = {24, 24, 24, 24, 24, 24, 12};

static uint64_t sum_of(const uint64_t *v, int n)
{
    uint64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum;
}

/* Of n cycles with so many bits that matter, and that are owned, of `bits`. */
static struct metrics lifetimes(const uint64_t *ace, const uint64_t *used, int n, uint64_t bits)
{
    struct tally_row row = {
        .method = METHOD_ACE,
        .t = {.population = bits * (uint64_t)n, .ace = sum_of(ace, n), .owned = sum_of(used, n)}};
    struct metrics_setting set = {.warps = 1};
    struct metrics m;
    metrics_of(&row, &set, &m);
    return m;
}

static double mean_of_ratios(const uint64_t used[7])
{
    uint64_t edge[] = {0, 1, 2, 3, 4, 5, 6, 7};
    struct moment moment[7] = {{.owned = 0}};
    for (int i = 0; i < 7; i++)
        moment[i] = (struct moment){.owned = used[i], .ace = sifi_ace[i]};
    struct result_job job = {.timeline = {.buckets = 7, .edge = edge}};
    struct result_part part = {.method = METHOD_ACE, .moment = moment};
    return metrics_util_mean(&job, &part);
}

static void ace_avf_of_sifis_example_is_0_30(void) /* equation 9 */
{
    CU_ASSERT_DOUBLE_EQUAL(lifetimes(sifi_ace, sifi_used, 7, 32).avf, 0.30, 0.005);
    CU_ASSERT_DOUBLE_EQUAL(lifetimes(sifi_ace, sifi_used, 7, 32).avf, 68 / 224.0, 1e-15);
}

static void ace_avf_util_of_sifis_example_is_0_45(void) /* equation 11 */
{
    CU_ASSERT_DOUBLE_EQUAL(mean_of_ratios(sifi_used), 0.45, 0.005);
}

static void a_mean_of_ratios_is_not_the_ratio_of_the_sums(void)
{
    struct metrics m = lifetimes(sifi_ace, sifi_used, 7, 32);
    double util = mean_of_ratios(sifi_used);
    CU_ASSERT_DOUBLE_EQUAL(util, 0.446, 0.0005);
    CU_ASSERT_DOUBLE_EQUAL(m.occupancy, 0.696, 0.0005);
    CU_ASSERT_DOUBLE_EQUAL(util * m.occupancy, 0.311, 0.0005); /* equation 1 would want 0.304 */
    CU_ASSERT_DOUBLE_EQUAL(m.avf_util * m.occupancy, m.avf, 1e-15);
    uint64_t same[] = {24, 24, 24, 24, 24, 24, 24}; /* ... unless the occupancy is constant */
    CU_ASSERT_DOUBLE_EQUAL(mean_of_ratios(same), 68 / 168.0, 1e-15);
}

static void ace_of_a_work_group_is_the_mean_number_of_ace_registers(void) /* equation 7 */
{
    const uint64_t ace[] = {1, 1, 1, 1, 1, 4, 4, 4, 4, 4};
    CU_ASSERT_DOUBLE_EQUAL(4 * lifetimes(ace, ace, 10, 4).avf, 2.5, 1e-15);
}

static void kernels_weigh_by_size_and_applications_by_cycles(void) /* gpuFI-4, 2 and 3 */
{
    struct result_kernel kernel[2] = {{.cycles = 1}, {.cycles = 3}};
    struct result_launch launch[2] = {{0, 1}, {1, 3}};
    struct result_job job = {
        .nkernels = 2, .kernel = kernel, .nlaunches = 2, .launch = launch, .warps = 1};
    struct tally big[2] = {{.bits = 3000, .cycles = 1, .population = 3000},
                           {.bits = 3000, .cycles = 3, .population = 9000}};
    struct tally small[2] = {{.bits = 1000, .cycles = 1, .population = 1000},
                             {.bits = 1000, .cycles = 3, .population = 3000}};
    for (int k = 0; k < 2; k++) { /* one in ten of the large structure, half of the small one */
        big[k].outcome[OUT_SDC] = big[k].population / 10;
        small[k].outcome[OUT_SDC] = small[k].population / 2;
    }
    struct result_part part[2] = {{.target = (char *)"rf", .engine = (char *)"c", .tally = big},
                                  {.target = (char *)"cc", .engine = (char *)"c", .tally = small}};
    struct result r = {.njobs = 1, .job = &job, .nparts = 2, .part = part};
    struct metrics_chip chip;
    metrics_chip_of(&r, 0, "c", METHOD_EXACT, 0, &chip);
    CU_ASSERT_DOUBLE_EQUAL(chip.avf, (500 + 300) / 4000.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(chip.wavf, (500 + 300) / 4000.0, 1e-15);
    for (int k = 0; k < 2; k++) /* the second kernel has three quarters of the cycles */
        big[k].outcome[OUT_SDC] = small[k].outcome[OUT_SDC] = 0;
    big[1].outcome[OUT_SDC] = 9000;
    metrics_chip_of(&r, 0, "c", METHOD_EXACT, 0, &chip);
    CU_ASSERT_DOUBLE_EQUAL(chip.wavf, 0.75 * 3000 / 4000, 1e-15);
    metrics_chip_of(&r, 0, "c", METHOD_SAMPLE, 0, &chip);
    CU_ASSERT(isnan(chip.avf)); /* of no structure there is none */
}

/* One kernel of 16 registers a thread on 8,192, 512 threads for 100 cycles, then 128 threads for 300. */
static struct result_kernel two_phases = {.name = (char *)"k",
                                          .cycles = 400,
                                          .thread_cycles = 512 * 100 + 128 * 300,
                                          .block_cycles = 4 * 100 + 1 * 300,
                                          .regs_per_thread = 16,
                                          .block_shared = 2048};

static struct metrics_derated derate(uint64_t fails_early, uint64_t fails_late)
{
    uint64_t edge[] = {0, 100, 400};
    struct result_job job = {.regs = 8192,
                             .shared_bytes = 16384,
                             .nkernels = 1,
                             .kernel = &two_phases,
                             .nlaunches = 1,
                             .launch = &(struct result_launch){0, 400},
                             .timeline = {.buckets = 2, .edge = edge, .steady = true}};
    const uint64_t early = 512ull * 16 * 32 * 100, late = 128ull * 16 * 32 * 300;
    struct moment moment[2] = {{.owned = early, .owned_failed = fails_early},
                               {.owned = late, .owned_failed = fails_late}};
    struct tally tally = {
        .bits = 8192 * 32, .cycles = 400, .population = 8192ull * 32 * 400, .owned = early + late};
    tally.outcome[OUT_SDC] = fails_early + fails_late;
    struct result_part part = {
        .target = (char *)"rf", .method = METHOD_EXACT, .tally = &tally, .moment = moment};
    struct metrics_derated d;
    CU_ASSERT_TRUE(metrics_derate(&job, &part, 0, &d));
    struct metrics_derated none;
    char *target = part.target;
    part.target = (char *)"cc"; /* gpuFI-4 has no factor for it */
    CU_ASSERT_FALSE(metrics_derate(&job, &part, 0, &none));
    part.target = target;
    CU_ASSERT_DOUBLE_EQUAL(metrics_df_smem(&job, 0), 2048 * 1.75 / 16384, 1e-15);
    return d;
}

static void derating_agrees_while_the_failure_ratio_is_constant(void)
{
    struct metrics_derated d = derate(512ull * 16 * 32 * 100 / 4, 128ull * 16 * 32 * 300 / 4);
    CU_ASSERT_DOUBLE_EQUAL(d.df, 16 * 224 / 8192.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(d.fr, 0.25, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(d.off, 0, 1e-15);
}

/* All that is owned early fails, nothing late: drawn by cycles that is one flip in four, and 11% of all; in truth 25%. */
static void derating_is_off_when_occupancy_and_failures_change_together(void)
{
    struct metrics_derated d = derate(512ull * 16 * 32 * 100, 0);
    CU_ASSERT_DOUBLE_EQUAL(d.fr, 0.25, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(d.avf, 0.25 * 0.4375, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(d.physical, 0.25, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(d.off, 0.109375 - 0.25, 1e-15);
}

static void the_chip_sums_its_structures_up(void)
{
    struct result_kernel kernel[2] = {{.cycles = 100}, {.cycles = 300}};
    struct result_launch launch[2] = {{0, 100}, {1, 300}};
    struct result_job job = {.nkernels = 2,
                             .kernel = kernel,
                             .nlaunches = 2,
                             .launch = launch,
                             .clock_mhz = 1000,
                             .warps = 2};
    struct tally rf[2] = {{.bits = 30, .cycles = 100, .population = 3000},
                          {.bits = 30, .cycles = 300, .population = 9000}};
    struct tally cc[2] = {{.bits = 10, .cycles = 100, .population = 1000},
                          {.bits = 10, .cycles = 300, .population = 3000}};
    rf[0].outcome[OUT_SDC] = 300;
    cc[1].outcome[OUT_CRASH] = 1500;
    struct result_part part[3] = {
        {.target = (char *)"rf", .engine = (char *)"c", .tally = rf},
        {.target = (char *)"cc", .engine = (char *)"c", .tally = cc},
        {.target = (char *)"cc", .engine = (char *)"c", .tally = rf, .method = METHOD_ACE}};
    struct result r = {.njobs = 1, .job = &job, .nparts = 3, .part = part};
    struct metrics_chip chip;
    metrics_chip_of(&r, 0, "c", METHOD_EXACT, 1e-3, &chip);
    CU_ASSERT_EQUAL(chip.bits, 40);
    CU_ASSERT_DOUBLE_EQUAL(chip.avf, 1800 / 16000.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(chip.wavf, chip.avf, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(chip.fit, 1e-3 * 40 * 1800 / 16000.0, 1e-15);
    CU_ASSERT_DOUBLE_EQUAL(chip.eit, 3.6e12 * 1e9 / 400, 1);
}

int main(void)
{
    return CHECK_RUN(
        "avf", CHECK(sites_add_up_by_kernel_pc_and_register),
        CHECK(a_timeline_has_an_edge_at_every_change_of_occupancy),
        CHECK(a_timeline_with_too_many_changes_is_a_grid_and_says_so),
        CHECK(spreading_over_time_loses_no_cycle), CHECK(the_row_all_sums_the_kernels_up),
        CHECK(a_kernel_launched_several_times_has_a_row_for_each_launch),
        CHECK(avf_counts_sdc_crash_timeout_and_hang_alone),
        CHECK(avf_util_is_over_owned_flips_alone),
        CHECK(fit_eit_and_epf_follow_from_avf_rate_and_clock), CHECK(a_sample_has_wilsons_interval),
        CHECK(a_window_has_the_eit_of_the_run_and_its_part_of_the_fit),
        CHECK(flips_drawn_among_owned_bits_give_no_avf), CHECK(a_list_gives_no_avf),
        CHECK(technologies_have_their_rates_and_sources), CHECK(ace_avf_of_sifis_example_is_0_30),
        CHECK(ace_avf_util_of_sifis_example_is_0_45),
        CHECK(a_mean_of_ratios_is_not_the_ratio_of_the_sums),
        CHECK(ace_of_a_work_group_is_the_mean_number_of_ace_registers),
        CHECK(kernels_weigh_by_size_and_applications_by_cycles),
        CHECK(derating_agrees_while_the_failure_ratio_is_constant),
        CHECK(derating_is_off_when_occupancy_and_failures_change_together),
        CHECK(the_chip_sums_its_structures_up));
}
