/* test_chip_avf.c -- AVF, wAVF, FIT and EIT of each SM of a chip, beside the chip's. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xml.h"
#include "faultsim/report/avf.h"
#include "tests/lib/campaigns.h"
#include "tests/lib/check.h"

static struct avf_report report_of(const struct store *s)
{
    return (struct avf_report){
        .result = store_result(s), .made = "faultline 0 model=transient", .fit_per_bit = 1e-5};
}

static char *text_of(struct fl_buf *b)
{
    fl_buf_add(b, "", 1);
    return (char *)b->data;
}

static char *written(const struct avf_report *a,
                     int (*write)(const struct avf_report *a, struct fl_buf *out,
                                  struct fl_err *err))
{
    struct fl_buf b = {0};
    struct fl_err err;
    CU_ASSERT_EQUAL_FATAL(write(a, &b, &err), 0);
    return text_of(&b);
}

static int times(const char *text, const char *what)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

static bool is_valid(const char *tree)
{
    char *path = fl_format("%s/chip-report-%d.xml", FAULTLINE_BUILD_DIR, (int)getpid());
    struct xml_file f;
    struct fl_err err;
    CU_ASSERT_EQUAL(fl_write_file(path, tree, strlen(tree), &err), 0);
    bool good = xml_open(path, "avf_report", &f, &err) == 0 &&
                xml_validate(&f, "docs/avf.rng", &err) == 0;
    if (!good)
        printf("\n    %s\n", err.msg);
    xml_close(&f);
    unlink(path);
    free(path);
    return good;
}

static struct job *chip(void)
{
    struct job *job = campaigns_small(campaigns_loop);
    job->profile.sms = 3;
    job->launch[0].grid[0] = 5;
    return job;
}

static struct avf_options on_chip(enum tally_method method, const char *in_sm, const char *store)
{
    struct avf_options opt = campaigns_options();
    opt.methods[method] = true;
    opt.count = 60;
    opt.target[0] = "pc";
    opt.target[1] = "cc";
    opt.ntargets = 2;
    opt.run.store = store;
    CU_ASSERT(fsim_sms_read(in_sm, &opt.window.in_sm));
    return opt;
}

static void each_sm_is_counted_as_by_a_campaign_in_it_alone(void)
{
    static const enum tally_method method[] = {METHOD_EXACT, METHOD_ACE};
    static const char *const name[] = {"0", "1", "2"};
    struct job *job = chip();
    for (int m = 0; m < 2; m++) {
        struct store *all = campaigns_run(job, on_chip(method[m], "all", NULL));
        const struct result *r = store_result(all);
        CU_ASSERT_EQUAL_FATAL(r->part[0].sms, 3);
        for (int sm = 0; sm < 3; sm++) {
            struct store *one = campaigns_run(job, on_chip(method[m], name[sm], NULL));
            const struct result *o = store_result(one);
            for (int p = 0; p < r->nparts; p++) {
                struct tally x, y;
                result_sm_tally(r->job, &r->part[p], sm, -1, &x);
                result_tally(o->job, &o->part[p], -1, &y);
                x.warp_cycles = y.warp_cycles; /* are the chip's */
                CU_ASSERT(y.owned > 0 && (y.counted > 0 || y.ace > 0));
                CU_ASSERT_EQUAL(memcmp(&x, &y, sizeof x), 0);
                CU_ASSERT_TRUE(result_has_sm(o->job, &o->part[p], sm));
                CU_ASSERT_FALSE(result_has_sm(o->job, &o->part[p], (sm + 1) % 3));
            }
            campaigns_close(one);
        }
        campaigns_close(all);
    }
    job_free(job);
}

static void the_avf_of_a_chip_is_the_mean_of_those_of_its_sms(void)
{
    struct job *job = chip();
    struct store *s = campaigns_run(job, on_chip(METHOD_EXACT, "all", NULL));
    struct metrics_chip all, one;
    double avf = 0, fit = 0;
    metrics_chip_of(store_result(s), 0, "c", METHOD_EXACT, 1e-3, &all);
    for (int sm = 0; sm < 3; sm++) {
        metrics_sm_of(store_result(s), 0, "c", METHOD_EXACT, sm, 1e-3, &one);
        CU_ASSERT_EQUAL(one.bits, all.bits / 3);
        CU_ASSERT_DOUBLE_EQUAL(one.eit, all.eit, 1);
        avf += one.avf / 3;
        fit += one.fit;
    }
    CU_ASSERT(all.avf > 0);
    CU_ASSERT_DOUBLE_EQUAL(avf, all.avf, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(fit, all.fit, 1e-9 * all.fit);
    campaigns_close(s);
    job_free(job);
}

static void reports_of_a_chip_have_each_sm_and_so_has_its_store(void)
{
    char *path = fl_format("%s/chip-report-%d.db", FAULTLINE_BUILD_DIR, (int)getpid());
    struct fl_err err;
    struct job *job = chip();
    struct store *s = campaigns_run(job, on_chip(METHOD_SAMPLE, "0,2", path));
    struct avf_report a = report_of(s);
    char *lines = written(&a, avf_report_csv), *tree = written(&a, avf_report_xml),
         *page = written(&a, avf_report_html), *table = written(&a, avf_report_table);
    CU_ASSERT_EQUAL(times(lines, ",sm2/pc,"), 1);
    CU_ASSERT_EQUAL(times(lines, ",sm1/"), 0);
    CU_ASSERT_TRUE(is_valid(tree));
    CU_ASSERT_EQUAL(times(tree, "<sm number="), 2);
    CU_ASSERT_EQUAL(times(page, ">Each SM<"), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "Each SM, all targets"));
    CU_ASSERT_PTR_NOT_NULL(strstr(table, "sm2 "));
    campaigns_close(s);
    CU_ASSERT_EQUAL_FATAL(store_read(path, &s, &err), 0);
    a = report_of(s);
    char *again = written(&a, avf_report_csv);
    CU_ASSERT_STRING_EQUAL(lines, again);
    campaigns_close(s);
    unlink(path);
    free(table);
    free(again);
    free(page);
    free(tree);
    free(lines);
    job_free(job);
    free(path);
}

int main(void)
{
    return CHECK_RUN("chip_avf", CHECK(each_sm_is_counted_as_by_a_campaign_in_it_alone),
                     CHECK(the_avf_of_a_chip_is_the_mean_of_those_of_its_sms),
                     CHECK(reports_of_a_chip_have_each_sm_and_so_has_its_store));
}
