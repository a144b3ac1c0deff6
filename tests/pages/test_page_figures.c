/* test_page_figures.c -- the figures of pages, read from their HTML: bars say what the tables say, and what was counted has no
 * interval.
 */
#include "tests/lib/campaigns.h"

#include <libxml/HTMLparser.h>
#include <libxml/xpath.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fl.h"
#include "tests/lib/check.h"

/* ---- pages ------------------------------------------------------------------------------------ */

/* Of a finished campaign, which it closes. */
static xmlDoc *page_of(struct store *s)
{
    struct fl_buf html = faults_export(s, "html");
    xmlDoc *doc = htmlReadMemory((char *)html.data, (int)html.size, "page", "UTF-8",
                                 HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING);
    CU_ASSERT_PTR_NOT_NULL_FATAL(doc);
    fl_buf_free(&html);
    store_close(s, NULL);
    return doc;
}

/* Every flip of two structures, or a sample of each. */
static xmlDoc *transient_page(uint64_t sample)
{
    struct job *job = campaigns_small(campaigns_loop);
    struct avf_options opt = campaigns_options();
    opt.target[0] = "pc";
    opt.target[1] = "cc";
    opt.ntargets = 2;
    opt.methods[sample ? METHOD_SAMPLE : METHOD_EXACT] = true;
    opt.count = sample;
    xmlDoc *page = page_of(campaigns_run(job, opt));
    job_free(job);
    return page;
}

/* A sample of 100 has all faults of sched, and some of pc and mask. */
static xmlDoc *stuck_at_page(uint64_t sample)
{
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE);
    xmlDoc *page = page_of(faults_store(
        (const struct job *const *)&job, 1, "pc,mask,sched",
        (struct fsim_options){.run.threads = 1, .choice = {.sample = sample, .seed = 1}}));
    job_free(job);
    return page;
}

static xmlXPathObject *find(xmlDoc *page, const char *path)
{
    xmlXPathContext *context = xmlXPathNewContext(page);
    xmlXPathObject *found = xmlXPathEvalExpression(BAD_CAST path, context);
    xmlXPathFreeContext(context);
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    return found;
}

static double number(xmlDoc *page, const char *path)
{
    xmlXPathObject *found = find(page, path);
    double v = xmlXPathCastToNumber(found);
    xmlXPathFreeObject(found);
    return v;
}

/* Its text; caller frees with xmlFree. */
static char *string(xmlDoc *page, const char *path)
{
    xmlXPathObject *found = find(page, path);
    xmlChar *text = xmlXPathCastToString(found);
    xmlXPathFreeObject(found);
    return (char *)text;
}

/* ---- figures of a row --------------------------------------------------------------------------- */

/* What the table below a heading has for a target in a column; "" where it has no such column. Caller frees with xmlFree. */
static char *in_table(xmlDoc *page, const char *heading, const char *target, const char *column)
{
    char *table = fl_format("//h2[.='%s']/following::table[1]", heading);
    char *path = fl_format(
        "string(%s//tr[td[.='%s']]/td[%s//th[.='%s']]"
        "[count(preceding-sibling::td)=count(%s//th[.='%s']/preceding-sibling::th)])",
        table, target, table, column, table, column);
    char *text = string(page, path);
    free(table);
    free(path);
    return text;
}

/* The row of the first bars: `what` of it. Caller frees. */
static char *of_bar(const char *target, const char *what)
{
    return fl_format("(//div[@class='chart'])[1]/div[div[@class='l']='%s']%s", target, what);
}

/* What a piece of a bar is of the whole scale, in percent of what the axis says. */
static double drawn_share(xmlDoc *page, const char *target, const char *series)
{
    char *what = fl_format("/div[@class='bar']/i[@class='s-%s']/@style", series);
    char *path = of_bar(target, what), *style = string(page, path);
    double most = number(page, "(//div[@class='chart'])[1]//div[@class='ax']/b[3]"), width = 0;
    if (*style)
        CU_ASSERT_EQUAL(sscanf(style, "width:%lf%%", &width), 1);
    xmlFree(style);
    free(path);
    free(what);
    return width * most / 100;
}

/* Within the digits that are shown. */
static bool as_shown(double v, const char *text)
{
    const char *point = strchr(text, '.');
    double last = pow(10, point ? -(double)strspn(point + 1, "0123456789") : 0);
    return fabs(v - atof(text)) <= .51 * last + 1e-3 * v;
}

static bool has_interval(xmlDoc *page, const char *target)
{
    char *mark = of_bar(target, "/div[@class='bar']/u"),
         *words = of_bar(target, "/div[@class='v'][contains(., ' to ')]"),
         *count = fl_format("count(%s)", mark), *count_words = fl_format("count(%s)", words);
    bool drawn = number(page, count) > 0, said = number(page, count_words) > 0;
    CU_ASSERT_EQUAL(drawn, said);
    free(mark);
    free(words);
    free(count);
    free(count_words);
    return drawn;
}

/* ---- rules -------------------------------------------------------------------------------------- */

/* The name of an outcome, if it is a failure. */
static const char *failing(int o)
{
    return fsim_outcome_fails((enum fsim_outcome)o) ? fsim_outcome_name((enum fsim_outcome)o)
                                                    : NULL;
}

static const char *const targets[] = {"pc", "cc"};

static void bars_of_flips_show_the_shares_of_the_tables(void)
{
    for (uint64_t sample = 0; sample <= 600; sample += 600) {
        xmlDoc *page = transient_page(sample);
        for (int t = 0; t < 2; t++) {
            char *path = of_bar(targets[t], "/div[@class='v']/b"), *head = string(page, path),
                 *avf = in_table(page, "Figures", targets[t], "AVF %");
            double sum = 0;
            CU_ASSERT_PTR_NOT_NULL(strstr(head, " %"));
            CU_ASSERT(strlen(avf) > 0 && strncmp(head, avf, strlen(avf)) == 0);
            for (int o = 0; o < OUT_COUNT; o++) {
                if (!failing(o))
                    continue;
                char *column = fl_format("%s %%", failing(o)),
                     *share = in_table(page, "Outcomes of the flips", targets[t], column);
                double drawn = drawn_share(page, targets[t], failing(o));
                CU_ASSERT_TRUE(*share ? as_shown(drawn, share) : drawn == 0);
                sum += drawn;
                free(column);
                xmlFree(share);
            }
            CU_ASSERT(sum > 0 && as_shown(sum, avf));
            xmlFree(head);
            xmlFree(avf);
            free(path);
        }
        xmlFreeDoc(page);
    }
}

static double count_of(xmlDoc *page, const char *target, const char *column)
{
    char *text = in_table(page, "Figures", target, column), digits[32];
    int n = 0;
    for (const char *s = text; *s && n < 31; s++) /* groups of three stand apart */
        if (*s >= '0' && *s <= '9')
            digits[n++] = *s;
    digits[n] = 0;
    xmlFree(text);
    return n ? atof(digits) : 0;
}

static void bars_of_stuck_at_faults_show_the_counts_of_the_table(void)
{
    for (uint64_t sample = 0; sample <= 100; sample += 100) {
        xmlDoc *page = stuck_at_page(sample);
        for (int t = 0; t < 2; t++) {
            const char *target = t ? "mask" : "pc";
            double all = count_of(page, target, "not activated"); /* and more below */
            for (int o = 0; o < OUT_COUNT; o++)
                all += count_of(page, target, fsim_outcome_name((enum fsim_outcome)o));
            CU_ASSERT_FATAL(all > 0 && all <= count_of(page, target, "faults"));
            for (int o = 0; o < OUT_COUNT; o++) {
                const char *name = fsim_outcome_name((enum fsim_outcome)o);
                CU_ASSERT_DOUBLE_EQUAL(drawn_share(page, target, name),
                                       100 * count_of(page, target, name) / all, 1e-2);
            }
            CU_ASSERT_DOUBLE_EQUAL(drawn_share(page, target, "notactivated"),
                                   100 * count_of(page, target, "not activated") / all, 1e-2);
            char *path = of_bar(target, "/div[@class='v']/b"), *head = string(page, path),
                 *share = in_table(page, "Figures", target, "testable %");
            CU_ASSERT(atof(share) > 0 && as_shown(atof(share), head));
            xmlFree(head);
            xmlFree(share);
            free(path);
        }
        xmlFreeDoc(page);
    }
}

static void only_samples_have_intervals(void)
{
    static const struct {
        bool transient;
        uint64_t sample;
        const char *target;
        bool interval;
    } row[] = {{true, 0, "pc", false},   {true, 0, "cc", false},     {true, 600, "pc", true},
               {true, 600, "cc", true},  {false, 0, "pc", false},    {false, 0, "sched", false},
               {false, 100, "pc", true}, {false, 100, "mask", true}, {false, 100, "sched", false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        xmlDoc *page = row[i].transient ? transient_page(row[i].sample)
                                        : stuck_at_page(row[i].sample);
        char *from = in_table(page, "Figures", row[i].target, "from %"),
             *to = in_table(page, "Figures", row[i].target, "to %");
        CU_ASSERT_EQUAL(has_interval(page, row[i].target), row[i].interval);
        CU_ASSERT_EQUAL(strpbrk(from, "0123456789") != NULL, row[i].interval);
        CU_ASSERT_EQUAL(strpbrk(to, "0123456789") != NULL, row[i].interval);
        if (!row[i].sample) {
            CU_ASSERT_EQUAL(number(page, "count(//*[contains(text(), 'Wilson')])"), 0);
            CU_ASSERT_EQUAL(number(page, "count(//*[@class='band'])"), 0);
        }
        xmlFree(from);
        xmlFree(to);
        xmlFreeDoc(page);
    }
}

/* The shares of the ends of a flow add up, and those that fail are the AVF of both structures together. */
static void the_flow_of_flips_ends_at_the_avf(void)
{
    for (uint64_t sample = 0; sample <= 600; sample += 600) {
        xmlDoc *page = transient_page(sample);
        double fail = 0, all = 0;
        char *chip = string(page,
                            "string(//h3[.='All structures together']/following::table[1]//td"
                            "[count(preceding-sibling::td)=count(//h3[.='All structures "
                            "together']/following::table[1]//th[.='AVF %']/preceding-sibling::"
                            "th)])");
        xmlXPathObject *texts = find(page, "(//svg[contains(@class, 'flow')])[last()]/text");
        CU_ASSERT_FATAL(texts->nodesetval && texts->nodesetval->nodeNr > 4);
        for (int i = 4; i < texts->nodesetval->nodeNr; i++) { /* behind the two heads */
            xmlChar *text = xmlNodeGetContent(texts->nodesetval->nodeTab[i]);
            const char *space = strrchr((char *)text, ' ');
            while (space > (char *)text && strchr("0123456789.", space[-1]))
                space--;
            all += atof(space);
            for (int o = 0; o < OUT_COUNT; o++)
                if (failing(o) && strncmp((char *)text, failing(o), strlen(failing(o))) == 0)
                    fail += atof(space);
            xmlFree(text);
        }
        CU_ASSERT_DOUBLE_EQUAL(all, 100, .2);
        CU_ASSERT(fail > 0);
        CU_ASSERT_DOUBLE_EQUAL(fail, atof(chip), .05 + .005 * fail);
        xmlXPathFreeObject(texts);
        xmlFree(chip);
        xmlFreeDoc(page);
    }
}

int main(void)
{
    return CHECK_RUN("page_figures", CHECK(bars_of_flips_show_the_shares_of_the_tables),
                     CHECK(bars_of_stuck_at_faults_show_the_counts_of_the_table),
                     CHECK(only_samples_have_intervals), CHECK(the_flow_of_flips_ends_at_the_avf));
}
