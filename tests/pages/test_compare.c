/* test_compare.c -- two campaigns side by side: what may be compared, and which difference is none of chance. */
#include "tests/lib/campaigns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fl.h"
#include "faultsim/compare/compare.h"
#include "tests/lib/check.h"

static const char *const file[] = {"A.db", "B.db"};

struct wanted {
    const char *profile, *text, *pattern;
    uint64_t sample, seed;
};

static struct store *campaign(struct wanted w)
{
    struct job *job = faults_job(w.profile, 1, 32, w.text);
    struct store *s = faults_store(
        (const struct job *const *)&job, 1, w.pattern,
        (struct fsim_options){.run.threads = 1, .choice.sample = w.sample, .choice.seed = w.seed});
    job_free(job);
    return s;
}

static struct avf_report report_of(const struct store *s)
{
    return (struct avf_report){
        .result = store_result(s), .made = "faultline 0 model=stuck-at", .store = s};
}

struct pair {
    struct store *store[2];
    struct avf_report report[2];
    struct compare c;
    struct fl_err err;
    int bad;
};

static void compared(struct pair *p, struct wanted a, struct wanted b)
{
    *p = (struct pair){.store = {campaign(a), campaign(b)}};
    for (int s = 0; s < 2; s++)
        p->report[s] = report_of(p->store[s]);
    p->bad = compare_open(&p->report[0], &p->report[1], file, &p->c, &p->err);
}

static void done(struct pair *p)
{
    if (!p->bad)
        compare_close(&p->c);
    for (int s = 0; s < 2; s++)
        store_close(p->store[s], NULL);
}

static void refused(struct wanted a, struct wanted b, const char *says)
{
    struct pair p;
    compared(&p, a, b);
    CU_ASSERT_EQUAL(p.bad, -1);
    if (!strstr(p.err.msg, says))
        printf("\n    wanted '%s', got '%s'", says, p.err.msg);
    CU_ASSERT_PTR_NOT_NULL(strstr(p.err.msg, says));
    done(&p);
}

static const struct wanted plain = {"tiny", IF_ELSE, "pc/w0,mask/w0", 0, 0};

static void campaigns_of_different_machines_or_lists_are_refused_by_name(void)
{
    struct wanted other = plain;
    other.profile = "tiny-chip";
    refused(plain, other, "A.db is of profile tiny with");
    other = plain;
    other.pattern = "pc/w0";
    refused(plain, other, "A.db has faults in mask, B.db has none");
    other.pattern = "pc/w0,mask/w0/t0-3";
    refused(plain, other, "A.db and B.db have different");
    other.pattern = "pc/w0,mask/w1"; /* as many */
    refused(plain, other, "A.db and B.db have different lists of faults: mask/w");
    other = plain;
    other.sample = 20;
    refused(plain, other, "different");
}

static void a_campaign_does_not_differ_from_itself(void)
{
    struct pair p;
    compared(&p, plain, plain);
    CU_ASSERT_EQUAL_FATAL(p.bad, 0);
    CU_ASSERT_EQUAL(p.c.rows, 3); /* both structures together, then each */
    for (int i = 0; i < p.c.rows; i++) {
        CU_ASSERT_EQUAL(p.c.row[i].test, COMPARE_EXACT);
        CU_ASSERT_TRUE(p.c.row[i].paired);
        CU_ASSERT_EQUAL(p.c.row[i].difference, 0);
        CU_ASSERT_EQUAL(p.c.row[i].alone[0] + p.c.row[i].alone[1], 0);
    }
    done(&p);
}

/* What all faults say is no estimate: the difference is that of the faults which fail in one alone. */
static void the_difference_of_exact_campaigns_is_counted_and_has_no_test(void)
{
    struct wanted other = plain;
    other.text = PEEL;
    struct pair p;
    compared(&p, plain, other);
    CU_ASSERT_EQUAL_FATAL(p.bad, 0);
    for (int i = 0; i < p.c.rows; i++) {
        const struct compare_row *r = &p.c.row[i];
        double moved = (double)r->alone[1] - (double)r->alone[0];
        CU_ASSERT_DOUBLE_EQUAL(r->difference, 100 * moved / (double)r->of[0].n, 1e-9);
        CU_ASSERT_TRUE(isnan(r->p));
        CU_ASSERT_TRUE(isnan(r->lo));
        for (int s = 0; s < 2; s++) {
            uint64_t sum = 0;
            for (int o = 0; o < OUT_COUNT; o++)
                sum += r->of[s].outcome[o];
            CU_ASSERT_EQUAL(sum, r->of[s].n);
        }
    }
    done(&p);
}

/* By hand: of n faults that fail in one campaign alone, all in the same: p = 2 / 2^n. */
static void samples_of_the_same_faults_are_tested_pair_by_pair(void)
{
    struct wanted a = {"tiny", IF_ELSE, "dstack/w0", 200, 1}, b = a;
    b.text = PEEL;
    struct pair p;
    compared(&p, a, b);
    CU_ASSERT_EQUAL_FATAL(p.bad, 0);
    const struct compare_row *r = &p.c.row[0];
    CU_ASSERT_EQUAL(r->test, COMPARE_MCNEMAR);
    CU_ASSERT_TRUE(r->lo <= r->difference && r->difference <= r->hi);
    uint64_t less = r->alone[0] < r->alone[1] ? r->alone[0] : r->alone[1];
    double n = (double)(r->alone[0] + r->alone[1]), tail = 0, ways = 1;
    for (uint64_t k = 0; k <= less; k++) {
        tail += ways;
        ways *= (n - (double)k) / ((double)k + 1);
    }
    CU_ASSERT_TRUE(n > 3);
    CU_ASSERT_DOUBLE_EQUAL(r->p, fmin(1, 2 * tail / pow(2, n)), 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(r->holm, r->p, 1e-12); /* it is the only test */
    done(&p);
}

static void samples_of_different_faults_are_tested_as_proportions(void)
{
    struct wanted a = {"tiny", IF_ELSE, "rf", 200, 1}, b = a;
    b.seed = 2;
    struct pair p;
    compared(&p, a, b);
    CU_ASSERT_EQUAL_FATAL(p.bad, 0);
    const struct compare_row *r = &p.c.row[0];
    CU_ASSERT_EQUAL(r->test, COMPARE_PROPORTIONS);
    CU_ASSERT_TRUE(r->p > 0 && r->p <= 1);
    CU_ASSERT_TRUE(r->lo < 0 && r->hi > 0); /* the same job */
    CU_ASSERT_FALSE(compare_significant(&p.c, r));
    done(&p);
}

/* Of structures that stand for different numbers of faults, the difference of all is no mean of what was drawn. */
static void several_samples_are_weighted_with_what_they_stand_for(void)
{
    struct wanted a = {"tiny", IF_ELSE, "rf,pc", 60, 1}, b = a;
    b.text = PEEL;
    struct pair p;
    compared(&p, a, b);
    CU_ASSERT_EQUAL_FATAL(p.bad, 0);
    const struct compare_row *r = p.c.row;
    CU_ASSERT_EQUAL(r[0].test, COMPARE_STRATIFIED);
    CU_ASSERT_TRUE(r[0].lo <= r[0].difference && r[0].difference <= r[0].hi);
    /* rf has many times the faults of pc */
    CU_ASSERT(fabs(r[0].difference - r[1].difference) < fabs(r[0].difference - r[2].difference));
    for (int i = 0; i < 3; i++)
        CU_ASSERT_TRUE(r[i].holm >= r[i].p);
    done(&p);
}

/* ---- fault models -------------------------------------------------------------------------------- */

/* Flips, all or a sample, of the targets. */
static struct store *flips(const char *const *targets, int n, uint64_t sample)
{
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE);
    struct avf_options opt = campaigns_options();
    for (int i = 0; i < n; i++)
        opt.target[i] = targets[i];
    opt.ntargets = n;
    opt.methods[sample ? METHOD_SAMPLE : METHOD_EXACT] = true;
    opt.count = sample;
    struct store *s = campaigns_run(job, opt);
    job_free(job);
    return s;
}

/* Of the structures that both have: the AVF of one campaign, the coverage of the other. */
static void different_models_stand_side_by_side_without_a_difference(void)
{
    static const char *const targets[] = {"mask", "dsp", "pc"};
    for (uint64_t sample = 0; sample <= 300; sample += 300) {
        struct pair p = {.store = {flips(targets, 3, sample), campaign(plain)}};
        struct tally_row all;
        struct metrics m;
        struct coverage coverage;
        for (int s = 0; s < 2; s++)
            p.report[s] = report_of(p.store[s]);
        p.bad = compare_open(&p.report[0], &p.report[1], file, &p.c, &p.err);
        CU_ASSERT_EQUAL_FATAL(p.bad, 0);
        CU_ASSERT_EQUAL_FATAL(p.c.rows, 2);
        CU_ASSERT_EQUAL_FATAL(coverage_open(&p.report[1], &coverage, &p.err), 0);
        for (int i = 0; i < 2; i++) {
            const struct compare_row *row = &p.c.row[i];
            const char *target = targets[2 * i];
            CU_ASSERT_STRING_EQUAL(row->target, target);
            CU_ASSERT_EQUAL(row->test, COMPARE_MODELS);
            CU_ASSERT_TRUE(isnan(row->difference) && isnan(row->p) && isnan(row->holm));
            avf_all(&p.report[0], 2 * i, &all, &m);
            CU_ASSERT_DOUBLE_EQUAL(row->of[0].share, 100 * m.avf, 1e-9);
            CU_ASSERT_DOUBLE_EQUAL(row->of[0].lo, 100 * m.avf_lo, 1e-9);
            CU_ASSERT_EQUAL(row->of[0].hi > row->of[0].lo, sample > 0);
            const struct coverage_share *share =
                &coverage.row[0].share[coverage_slice(&coverage, target)];
            CU_ASSERT_DOUBLE_EQUAL(row->of[1].share, share->testable, 1e-9);
            CU_ASSERT(row->of[1].share > 0);
        }
        coverage_close(&coverage);
        struct fl_buf text = {0};
        compare_table(&p.c, &text);
        fl_buf_add(&text, "", 1);
        CU_ASSERT_PTR_NOT_NULL(strstr((char *)text.data, "A: AVF of transient faults\n"));
        CU_ASSERT_PTR_NOT_NULL(
            strstr((char *)text.data, "B: detected of testable stuck-at faults\n"));
        CU_ASSERT_PTR_NULL(strstr((char *)text.data, "B - A"));
        for (const char *line = (char *)text.data; *line; line += strcspn(line, "\n") + 1)
            CU_ASSERT(strcspn(line, "\n") <= 80);
        text.size = 0;
        CU_ASSERT_EQUAL(compare_html(&p.c, &text, &p.err), 0);
        fl_buf_add(&text, "", 1);
        CU_ASSERT_PTR_NOT_NULL(strstr((char *)text.data, " (A) beside stuck-at faults in "));
        CU_ASSERT_PTR_NULL(strstr((char *)text.data, ">Differences<"));
        fl_buf_free(&text);
        done(&p);
    }
}

static void models_without_a_common_structure_are_refused(void)
{
    static const char *const target[] = {"dsp"};
    struct pair p = {.store = {flips(target, 1, 0), campaign(plain)}};
    for (int s = 0; s < 2; s++)
        p.report[s] = report_of(p.store[s]);
    p.bad = compare_open(&p.report[0], &p.report[1], file, &p.c, &p.err);
    CU_ASSERT_EQUAL(p.bad, -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(p.err.msg, "A.db and B.db have no structure in common"));
    done(&p);
}

static void its_exports_are_well_formed_and_the_same_each_time(void)
{
    struct wanted b = plain;
    b.text = PEEL;
    struct fl_buf first = {0};
    for (int i = 0; i < 2; i++) {
        struct pair p;
        compared(&p, plain, b);
        CU_ASSERT_EQUAL_FATAL(p.bad, 0);
        struct fl_buf all = {0};
        compare_table(&p.c, &all);
        const char *line = (char *)all.data;
        for (size_t k = 0, at = 0; k < all.size; at = line[k] == '\n' ? 0 : at + 1, k++)
            CU_ASSERT(at <= 80);
        compare_csv(&p.c, &all);
        CU_ASSERT_EQUAL(compare_html(&p.c, &all, &p.err), 0);
        if (i) {
            CU_ASSERT_EQUAL_FATAL(all.size, first.size);
            CU_ASSERT_EQUAL(memcmp(all.data, first.data, all.size), 0);
        } else
            fl_buf_add(&first, all.data, all.size);
        fl_buf_free(&all);
        done(&p);
    }
    fl_buf_add(&first, "", 1);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)first.data, "job_a,job_b,target,test,"));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)first.data, "class=\"pic dots\""));
    fl_buf_free(&first);
}

int main(void)
{
    return CHECK_RUN("compare", CHECK(campaigns_of_different_machines_or_lists_are_refused_by_name),
                     CHECK(a_campaign_does_not_differ_from_itself),
                     CHECK(the_difference_of_exact_campaigns_is_counted_and_has_no_test),
                     CHECK(samples_of_the_same_faults_are_tested_pair_by_pair),
                     CHECK(samples_of_different_faults_are_tested_as_proportions),
                     CHECK(several_samples_are_weighted_with_what_they_stand_for),
                     CHECK(different_models_stand_side_by_side_without_a_difference),
                     CHECK(models_without_a_common_structure_are_refused),
                     CHECK(its_exports_are_well_formed_and_the_same_each_time));
}
