/* test_sample.c -- samples of permanent faults: what is drawn, and what that says of all faults. The truth is one exact
 * campaign; samples are drawn from its outcomes, so that there can be thousands.
 */
#include "tests/lib/tools.h"
#include "tests/lib/flips.h"

#include "faultsim/permanent/prove.h"
#include "faultsim/report/coverage.h"
#include "faultsim/result/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const pattern = "dstack/w*/le1-2,pc,mask,cc/w0/c0";

static struct job *program(void)
{
    return faults_job("tiny", 2, 40, IF_ELSE);
}

static bool untestable(const struct sm_image *img, const struct fsim_fault *f)
{
    return prove_untestable(img, f) != NULL;
}

static struct fsim_choice choice_of(bool memory, uint64_t sample, uint64_t seed)
{
    return (struct fsim_choice){.memory = memory,
                                .what = 0x7f << 2, /* tf to cfid */
                                .sample = sample,
                                .seed = seed,
                                .untestable = untestable};
}

static struct fsim_list list_of(const struct sm_image *img, const char *of,
                                struct fsim_choice choice)
{
    struct fl_err err = {""};
    struct fsim_list list = {.choice = choice};
    CU_ASSERT_EQUAL_FATAL(fsim_list_add(&list, img, of, &err), 0);
    return list;
}

static struct fsim_population population_of(const struct fsim_list *list, int structure)
{
    struct fsim_population all = {0};
    for (int f = 0; f < SM_MAX_FIELDS; f++) {
        all.faults += list->population[structure][f].faults;
        all.untestable += list->population[structure][f].untestable;
    }
    return all;
}

/* ---- what is drawn ------------------------------------------------------------------------------------------------- */

static void of_each_structure_as_many_testable_faults_are_drawn(void)
{
    struct job *job = program();
    struct sm_image *img = sm_image_new(job, NULL);
    struct fsim_list all = list_of(img, pattern, choice_of(false, 0, 1)),
                     some = list_of(img, pattern, choice_of(false, 100, 1));
    struct fsim_counts count;
    int structure[SM_ALL_STRUCTURES], n = fsim_list_structures(&all, structure);
    struct fsim_result *r = fl_alloc((size_t)all.count * sizeof *r);
    CU_ASSERT_PTR_NULL(all.population);
    CU_ASSERT_EQUAL(n, 4);
    for (long i = 0; i < all.count; i++)
        r[i].untestable = untestable(img, &all.fault[i]);
    for (int i = 0; i < n; i++) {
        faults_count(&all, r, false, structure[i], -1, &count);
        struct fsim_population from = population_of(&some, structure[i]);
        CU_ASSERT_EQUAL(from.faults, (uint64_t)count.faults);
        CU_ASSERT_EQUAL(from.untestable, (uint64_t)count.untestable);
    }
    memset(r, 0, (size_t)all.count * sizeof *r);
    for (int i = 0; i < n; i++) {
        faults_count(&some, r, false, structure[i], -1, &count);
        CU_ASSERT_EQUAL(count.faults, 100);
    }
    long next = 0; /* in the order of the list */
    for (long i = 0; i < all.count && next < some.count; i++)
        next += fsim_compare(&some.fault[next], &all.fault[i]) == 0;
    CU_ASSERT_EQUAL(next, some.count);
    for (long i = 0; i < some.count; i++)
        CU_ASSERT_FALSE(untestable(img, &some.fault[i]));
    free(r);
    fsim_list_free(&all);
    fsim_list_free(&some);
    sm_image_free(img);
    job_free(job);
}

/* 1,000 draws of 20 in 124: a fault comes 161 times, give or take 12. */
static void each_fault_is_drawn_as_often_as_another(void)
{
    struct job *job = program();
    struct sm_image *img = sm_image_new(job, NULL);
    struct fsim_list all = list_of(img, "pc", choice_of(false, 0, 1));
    int *count = fl_alloc((size_t)all.count * sizeof *count);
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct fsim_list some = list_of(img, "pc,mask", choice_of(false, 20, seed));
        CU_ASSERT_EQUAL(some.count, 40);
        for (long i = 0, k = 0; k < all.count && i < some.count; k++)
            if (fsim_compare(&some.fault[i], &all.fault[k]) == 0) {
                count[k]++;
                i++;
            }
        fsim_list_free(&some);
    }
    for (long i = 0; i < all.count; i++)
        CU_ASSERT(untestable(img, &all.fault[i]) ? count[i] == 0
                                                 : count[i] > 110 && count[i] < 212);
    free(count);
    fsim_list_free(&all);
    sm_image_free(img);
    job_free(job);
}

/* Two of one size would have their faults at the same places, and their errors would add up. */
static void structures_are_drawn_from_independently(void)
{
    struct job *job = program();
    struct sm_image *img = sm_image_new(job, NULL);
    struct fsim_list some = list_of(img, "mask,cc/w0/c0-1", choice_of(false, 30, 3));
    int same = 0;
    CU_ASSERT_EQUAL(some.count, 60);
    for (int i = 0; i < 30; i++) /* places in the structure */
        for (int k = 30; k < 60; k++) {
            const struct fsim_fault *a = &some.fault[i], *b = &some.fault[k];
            int x = (a->cell.index[1] * 4 + a->cell.bit) * 2 + a->value;
            int y = (b->cell.index[0] * 32 + b->cell.bit) * 2 + b->value;
            same += x == y;
        }
    CU_ASSERT(same < 20);
    fsim_list_free(&some);
    sm_image_free(img);
    job_free(job);
}

/* Else it would have two chances, and the population would be too large. */
static void a_fault_that_two_patterns_name_has_one_chance(void)
{
    struct job *job = program();
    struct sm_image *img = sm_image_new(job, NULL);
    struct fsim_list once = list_of(img, "pc,mask", choice_of(false, 50, 3)),
                     twice = list_of(img, "pc/w0-1,mask,pc,pc/w1", choice_of(false, 50, 3)),
                     memory = list_of(img, "rf/p0,rf/p0-1,rf/p1", choice_of(true, 10, 3));
    CU_ASSERT_EQUAL(once.count, twice.count);
    CU_ASSERT_EQUAL(
        memcmp(once.population, twice.population, SM_ALL_STRUCTURES * sizeof *once.population), 0);
    CU_ASSERT_EQUAL(memcmp(once.fault, twice.fault, (size_t)once.count * sizeof *once.fault), 0);
    struct fsim_list both = list_of(img, "rf/p0-1", choice_of(true, 0, 3));
    CU_ASSERT_EQUAL(population_of(&memory, SM_S_rf).faults, (uint64_t)both.count);
    CU_ASSERT_EQUAL(memory.count, 10);
    fsim_list_free(&both);
    fsim_list_free(&memory);
    fsim_list_free(&once);
    fsim_list_free(&twice);
    sm_image_free(img);
    job_free(job);
}

/* Those of a job are drawn by number; of patterns that name a fault twice all are listed first. */
static void words_of_a_job_are_drawn_as_from_the_list_of_them(void)
{
    static const char *const of[] = {"const", "local/p3-9/b2-20", "sm*/local/p70:sa1",
                                     "sm1/local/p0-63:sa0", "sm0/const/p9/b4"};
    struct job *job = faults_job("tiny-chip", 2, 40, IF_ELSE);
    struct sm_image *img = sm_image_with_cells(job, &(struct sm_image_cells){8192, 256}, NULL);
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        for (uint64_t sample = 1; sample < 1000000; sample *= 37) {
            char *both = fl_format("%s,%s", of[i], of[i]);
            struct fsim_list once = list_of(img, of[i], choice_of(false, sample, i)),
                             twice = list_of(img, both, choice_of(false, sample, i));
            size_t bytes = (size_t)once.count * sizeof *once.fault;
            CU_ASSERT(once.count > 0 && once.count == twice.count &&
                      memcmp(once.fault, twice.fault, bytes) == 0);
            CU_ASSERT_EQUAL(memcmp(once.population, twice.population,
                                   SM_ALL_STRUCTURES * sizeof *once.population),
                            0);
            fsim_list_free(&once);
            fsim_list_free(&twice);
            free(both);
        }
    sm_image_free(img);
    job_free(job);
}

/* ---- what it says of all ------------------------------------------------------------------------------------------- */

/* A result as a store would give it: the populations of a list. */
static void populations_of(const struct fsim_list *list, struct result *r)
{
    int structure[SM_ALL_STRUCTURES], n = fsim_list_structures(list, structure);
    r->population = fl_alloc((size_t)n * sizeof *r->population);
    for (r->npopulations = 0; r->npopulations < n; r->npopulations++) {
        struct fsim_population from = population_of(list, structure[r->npopulations]);
        r->population[r->npopulations] = (struct result_population){
            (char *)sm_structure_name(structure[r->npopulations], NULL), (char *)"", from.faults,
            from.untestable};
    }
}

static struct estimate_found found_of(const struct fsim_list *list, const struct fsim_result *all,
                                      int structure)
{
    struct fsim_counts k;
    faults_count(list, all, false, structure, -1, &k);
    return (struct estimate_found){sm_structure_name(structure, NULL), NULL, (uint64_t)k.detected,
                                   (uint64_t)(k.faults - k.untestable)};
}

static double testable_share(const struct fsim_campaign *c, int structure)
{
    struct fsim_counts k;
    faults_count(&c->list, c->result, false, structure, -1, &k);
    return (double)k.detected / (double)(k.faults - k.untestable);
}

static bool holds(const struct estimate *e, double truth)
{
    return e->at.lo <= truth + 1e-12 && truth <= e->at.hi + 1e-12;
}

/* Draws of the campaign's faults, by many seeds: how often the interval holds what all faults say, in each structure and in
 * all of them (the last). */
static void draw_again(const struct fsim_campaign *c, const char *of, struct fsim_choice choice,
                       int seeds, int inside[SM_ALL_STRUCTURES + 1])
{
    int structure[SM_ALL_STRUCTURES], n = fsim_list_structures(&c->list, structure);
    memset(inside, 0, (SM_ALL_STRUCTURES + 1) * sizeof *inside);
    for (int seed = 0; seed < seeds; seed++) {
        struct result_part part = {.model = choice.memory ? "memory" : "stuck-at",
                                   .confidence = 0.95};
        struct result r = {.nparts = 1, .part = &part};
        struct estimate_found found[SM_ALL_STRUCTURES];
        choice.seed = (uint64_t)seed;
        struct fsim_list some = list_of(c->img, of, choice);
        struct fsim_result *drawn = fl_alloc((size_t)some.count * sizeof *drawn);
        long k = 0;
        for (long i = 0; i < c->list.count && k < some.count; i++)
            if (fsim_compare(&some.fault[k], &c->list.fault[i]) == 0)
                drawn[k++] = c->result[i];
        CU_ASSERT_EQUAL_FATAL(k, some.count);
        populations_of(&some, &r);
        for (int i = 0; i < n; i++) {
            found[i] = found_of(&some, drawn, structure[i]);
            struct estimate e = estimate_of(&r, &found[i]);
            inside[structure[i]] += holds(&e, testable_share(c, structure[i]));
        }
        struct estimate e = estimate_sum(&r, found, n);
        inside[SM_ALL_STRUCTURES] += holds(&e, testable_share(c, -1));
        CU_ASSERT_EQUAL(e.faults, (uint64_t)c->list.count);
        free(r.population);
        free(drawn);
        fsim_list_free(&some);
    }
}

/* How often is known only so well; ends are whole faults, so that where faults are few, or most of them are drawn, it is more
 * often. */
static void about_as_often(const int inside[], const int *structure, int n, int seeds, int sample)
{
    for (int s = 0; s <= n; s++) {
        double share = 100.0 * inside[s < n ? structure[s] : SM_ALL_STRUCTURES] / seeds;
        bool good = share > 93 && (s < n || share < 97.5);
        if (!good)
            printf("\n    %d of %s: %.1f %% of the intervals hold the truth", sample,
                   s < n ? sm_structure_name(structure[s], NULL) : "all", share);
        CU_ASSERT_TRUE(good);
    }
}

static void draw_of(bool memory, const char *of, const uint64_t sample[3])
{
    enum { SEEDS = SANITIZED ? 1000 : 4000 };
    struct job *job = program();
    struct fsim_options opt = {.run.threads = 2, .choice = choice_of(memory, 0, 1)};
    struct fsim_campaign c = faults_campaign(job, of, opt);
    int inside[SM_ALL_STRUCTURES + 1], structure[SM_ALL_STRUCTURES];
    int n = fsim_list_structures(&c.list, structure);
    for (int i = 0; i < 3; i++) {
        draw_again(&c, of, choice_of(memory, sample[i], 0), SEEDS, inside);
        about_as_often(inside, structure, n, SEEDS, (int)sample[i]);
    }
    fsim_campaign_free(&c);
    job_free(job);
}

static void intervals_hold_the_exact_coverage_about_as_often_as_they_say(void)
{
    draw_of(false, pattern, (const uint64_t[]){20, 60, 110});
}

/* One draw over both memories. */
static void intervals_of_memories_hold_it_too(void)
{
    draw_of(true, "rf/p0-1,mask", (const uint64_t[]){60, 120, 400});
}

/* The classes that are drawn are the same in each SP: eight times the same sample is one. */
static void the_sps_of_a_unit_make_its_interval_no_narrower(void)
{
    struct result_part part = {.model = "gate", .confidence = 0.95};
    struct result_population from[] = {
        {"alu.sp0", "", 1000, 0}, {"alu.sp1", "", 1000, 0}, {"sfu.sp0", "", 1000, 0}};
    struct result r = {.nparts = 1, .part = &part, .npopulations = 3, .population = from};
    struct estimate_found found[] = {
        {"alu.sp0", NULL, 30, 100}, {"alu.sp1", NULL, 30, 100}, {"sfu.sp0", NULL, 30, 100}};
    struct estimate one = estimate_of(&r, &found[0]), alike = estimate_sum(&r, found, 2),
                    other = estimate_sum(&r, found + 1, 2);
    struct stats_interval w = stats_wilson_of(30, 100, 1000, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(one.at.lo, w.lo, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(alike.at.lo, w.lo, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(alike.at.hi, w.hi, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(other.at.hi - 0.3, (w.hi - 0.3) * sqrt(0.5), 1e-12);
    CU_ASSERT_EQUAL(alike.faults, 2000);
}

/* ---- exports ------------------------------------------------------------------------------------------------------- */

/* The first columns of each line behind what made it. Caller frees. */
static char *columns(struct fl_buf *csv, int n)
{
    struct fl_buf out = {0};
    for (char *rest = (char *)csv->data, *line; (line = strsep(&rest, "\n"));) {
        int commas = 0;
        bool quoted = false;
        for (char *at = line; *at && line[0] != '#'; at++) {
            quoted ^= *at == '"';
            if (*at == ',' && !quoted && ++commas == n)
                break;
            fl_buf_add(&out, at, 1);
        }
        fl_buf_printf(&out, "\n");
    }
    return (char *)out.data;
}

static void a_sample_of_all_faults_has_the_figures_of_the_exact_campaign(void)
{
    static const struct {
        bool memory;
        const char *of;
    } all[] = {{false, "dstack/w*/le1-2,pc,mask,cc/w0/c0"}, {true, "rf/p0,mask"}};
    struct job *job = program();
    for (int i = 0; i < 2; i++) {
        struct fsim_options opt = {.run.threads = 2, .choice = choice_of(all[i].memory, 0, 1)};
        struct store *one = faults_store((const struct job *const *)&job, 1, all[i].of, opt);
        opt.choice.sample = 1 << 20;
        struct store *two = faults_store((const struct job *const *)&job, 1, all[i].of, opt);
        struct fl_buf a = faults_export(one, "csv"), b = faults_export(two, "csv");
        char *x = columns(&a, 16), *y = columns(&b, 16);
        CU_ASSERT_STRING_EQUAL(x, y);
        CU_ASSERT_PTR_NOT_NULL(strstr(y, "testable_fc_pct"));
        free(x);
        free(y);
        fl_buf_free(&a);
        fl_buf_free(&b);
        a = faults_export(one, "csv-faults");
        b = faults_export(two, "csv-faults");
        x = columns(&a, 9);
        y = columns(&b, 9);
        CU_ASSERT_STRING_EQUAL(x, y);
        free(x);
        free(y);
        fl_buf_free(&a);
        fl_buf_free(&b);
        store_close(one, NULL);
        store_close(two, NULL);
    }
    job_free(job);
}

/* "test,pc,stuck-at,c,40,0,": faults are those drawn; population, its untestable ones, then the intervals. */
static void exports_say_what_a_sample_was_drawn_from(void)
{
    struct job *job = program();
    struct fsim_options opt = {.run.threads = 2, .choice = choice_of(false, 40, 1)};
    struct store *s = faults_store((const struct job *const *)&job, 1, "pc,mask", opt);
    struct fl_buf csv = faults_export(s, "csv"), xml = faults_export(s, "xml"),
                  page = faults_export(s, "html");
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)page.data,
                                  " at 95&#8239;% confidence; 80 faults drawn) of "
                                  "the 252 testable stuck-at faults"));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)page.data, "in % of those drawn"));
    fl_buf_free(&page);
    const char *pc = strstr((char *)csv.data, "\ntest,pc,stuck-at,c,40,0,");
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)csv.data, " sample=40 seed=1 engine=c\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)csv.data,
                                  ",testable_fc_pct,population,population_untestable,fc_pct_lo,"
                                  "fc_pct_hi,testable_fc_pct_lo,testable_fc_pct_hi\n"));
    CU_ASSERT_PTR_NOT_NULL(pc);
    CU_ASSERT(pc && strstr(pc, ",128,4,") && strstr(pc, ",128,4,") < strchr(pc + 1, '\n'));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)xml.data,
                                  "population=\"128\" population_untestable=\"4\" "
                                  "fc_pct_lo=\""));
    fl_buf_free(&csv);
    fl_buf_free(&xml);
    store_close(s, NULL);
    job_free(job);
}

/* How many rows of the table of fields have an interval that is open, and how many one that is closed. */
static void count_intervals(const char *table, int *open, int *closed)
{
    const char *at = strstr(table, "Testable coverage by field");
    *open = *closed = 0;
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    for (at = strchr(at, '\n'); at && at[1] && at[1] != '\n'; at = strchr(at + 1, '\n')) {
        double share, lo, hi;
        const char *percent = strstr(at + 1, " %"), *number = percent;
        while (number && number > at && number[-1] != ' ')
            number--;
        if (!percent || percent > strchr(at + 1, '\n') || sscanf(number, "%lf", &share) != 1 ||
            sscanf(percent, " %% %lf-%lf", &lo, &hi) != 2)
            continue;
        CU_ASSERT(lo <= share && share <= hi);
        *(lo < hi ? open : closed) += 1;
    }
}

static void fields_have_an_interval_where_their_faults_were_drawn_and_only_there(void)
{
    struct job *job = program();
    static const uint64_t sample[] = {0, 60, 1000000};
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
        struct fsim_options opt = {.run.threads = 2, .choice = choice_of(false, sample[i], 1)};
        struct store *s = faults_store((const struct job *const *)&job, 1, "dstack/w0", opt);
        struct fl_buf table = faults_export(s, "table");
        int open, closed;
        fl_buf_add(&table, "", 1);
        count_intervals((char *)table.data, &open, &closed);
        CU_ASSERT_EQUAL(open > 0, sample[i] == 60);
        CU_ASSERT_EQUAL(closed > 0, sample[i] == 1000000);
        CU_ASSERT_EQUAL(strstr((char *)table.data, "interval") != NULL, sample[i] != 0);
        fl_buf_free(&table);
        store_close(s, NULL);
    }
    job_free(job);
}

/* A campaign of gates proves nothing: nothing is said of testable faults. */
static void faults_that_nobody_classified_are_not_called_testable(void)
{
    struct job *job = program();
    for (int sample = 0; sample <= 40; sample += 40) {
        struct fsim_options opt = {.run.threads = 2,
                                   .choice = choice_of(false, (uint64_t)sample, 1)};
        struct store *s = faults_store((const struct job *const *)&job, 1, "pc,mask", opt);
        struct result *r = (struct result *)(uintptr_t)store_result(s);
        for (int i = 0; i < r->nparts; i++) {
            free(r->part[i].model);
            r->part[i].model = fl_strdup("gate");
        }
        struct fl_buf table = faults_export(s, "table"), page = faults_export(s, "html");
        fl_buf_add(&table, "", 1);
        fl_buf_add(&page, "", 1);
        CU_ASSERT_PTR_NOT_NULL(
            strstr((char *)table.data, sample ? ": a sample of 80 of 256 faults, not"
                                              : ": 256 faults, not classified as"));
        CU_ASSERT_PTR_NULL(strstr((char *)table.data, " testable  "));
        CU_ASSERT_PTR_NULL(strstr((char *)table.data, "Testable"));
        CU_ASSERT_PTR_NULL(strstr((char *)table.data, "of them untestable"));
        CU_ASSERT_PTR_NULL(strstr((char *)page.data, "that are testable"));
        CU_ASSERT_PTR_NULL(strstr((char *)page.data, "never activated, or untestable"));
        CU_ASSERT_PTR_NULL(strstr((char *)page.data, "proved untestable"));
        CU_ASSERT_PTR_NOT_NULL(strstr((char *)page.data, "not classified as testable"));
        fl_buf_free(&table);
        fl_buf_free(&page);
        store_close(s, NULL);
    }
    job_free(job);
}

static void jobs_of_different_machines_share_no_sample(void)
{
    struct job *job[2] = {program(), faults_job("g80", 2, 40, IF_ELSE)};
    struct fl_err err = {""};
    struct fsim_campaign c[2];
    const char *of = "rf";
    struct fsim_wanted wanted = {&of, 1, NULL};
    struct fsim_options opt = {
        .run.threads = 1, .run.max_cycles = 10000000, .choice = choice_of(false, 10, 1)};
    CU_ASSERT_EQUAL(
        fsim_campaigns_run((const struct job *const *)job, 2, &wanted, &opt, c, NULL, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "a campaign is of one; run the jobs apart"));
    job_free(job[0]);
    job_free(job[1]);
}

int main(void)
{
    return CHECK_RUN("sample", CHECK(of_each_structure_as_many_testable_faults_are_drawn),
                     CHECK(each_fault_is_drawn_as_often_as_another),
                     CHECK(structures_are_drawn_from_independently),
                     CHECK(a_fault_that_two_patterns_name_has_one_chance),
                     CHECK(words_of_a_job_are_drawn_as_from_the_list_of_them),
                     CHECK(intervals_hold_the_exact_coverage_about_as_often_as_they_say),
                     CHECK(intervals_of_memories_hold_it_too),
                     CHECK(the_sps_of_a_unit_make_its_interval_no_narrower),
                     CHECK(a_sample_of_all_faults_has_the_figures_of_the_exact_campaign),
                     CHECK(exports_say_what_a_sample_was_drawn_from),
                     CHECK(fields_have_an_interval_where_their_faults_were_drawn_and_only_there),
                     CHECK(faults_that_nobody_classified_are_not_called_testable),
                     CHECK(jobs_of_different_machines_share_no_sample));
}
