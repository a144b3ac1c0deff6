/* test_avf_report.c -- AVF as table, CSV, XML and page: what they hold, that they are the same bytes for the same result,
 * and what happens without gnuplot.
 */
#include <libxml/parser.h>
#include <libxml/relaxng.h>

#include "faultsim/report/avf.h"
#include "tests/lib/made_up.h"
#include "tests/lib/tools.h"

static struct store *campaign(void)
{
    struct fl_err err = {""};
    struct store *s = made_up_campaign(NULL, false, 1, 1, MADE_UP_UNITS, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    return s;
}

static struct avf_report report_of(const struct store *s)
{
    return (struct avf_report){.result = store_result(s),
                               .made = "faultline 0 model=transient",
                               .fit_per_bit = 1.2e-5,
                               .rate = "28nm: from <a paper> & \"doi\""};
}

static char *text_of(struct fl_buf *b)
{
    fl_buf_add(b, "", 1);
    return (char *)b->data;
}

static char *csv(const struct avf_report *a)
{
    struct fl_buf b = {0};
    avf_report_csv(a, &b);
    return text_of(&b);
}

static char *xml(const struct avf_report *a)
{
    struct fl_buf b = {0};
    CU_ASSERT_EQUAL(avf_report_xml(a, &b, NULL), 0);
    return text_of(&b);
}

static char *html(const struct avf_report *a, struct fl_err *missing)
{
    struct fl_buf b = {0};
    struct fl_err err = {""};
    if (avf_report_html(a, &b, NULL, missing, &err) != 0) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no page");
    }
    return text_of(&b);
}

/* The page of the campaign, made once: gnuplot draws three plots for it, twice. */
static const char *whole_page(void)
{
    static char *page;
    if (!page) {
        struct store *s = campaign();
        struct avf_report a = report_of(s);
        struct fl_err missing;
        page = html(&a, &missing);
        CU_ASSERT_STRING_EQUAL(missing.msg, "");
        store_close(s, NULL);
    }
    return page;
}

static int times(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text += strlen(what))
        n++;
    return n;
}

/* ---- CSV ----------------------------------------------------------------------------------------------------------- */

static void csv_has_a_line_for_each_job_kernel_and_target(void)
{
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    char *text = csv(&a);
    static const char head[] =
        "\njob,kernel,launch,target,engine,method,bits,cycles,population,groups,runs,masked,"
        "performance,sdc,crash,timeout,hang,avf,avf_lo,avf_hi,avf_util,avf_util_lo,avf_util_hi,"
        "occupancy,warp_occupancy,fit,eit,epf\n";
    CU_ASSERT_PTR_NOT_NULL(strstr(text, head));
    CU_ASSERT_EQUAL(times(text, "\n# "), 3);
    CU_ASSERT_EQUAL(times(text, "\n"), 1 + 3 + 1 + 4 * 5 + 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nfirst,vecadd,0,rf,c,exact,262144,900,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nfirst,vecadd,2,rf,c,exact,262144,100,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nfirst,reduce,,shared,c,exact,131072,600,78643200,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nfirst,all,,rf,c,sample,262144,1600,419430400,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\nsecond,all,,rf,c,exact,262144,1000,262144000,"));
    free(text);
    store_close(s, NULL);
}

static void csv_leaves_empty_what_is_not_known(void)
{
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    a.fit_per_bit = 0;
    char *text = csv(&a);
    char *ace = strstr(text, "\nfirst,vecadd,,rf,c,ace,"),
         *end = ace ? strchr(ace + 1, '\n') : NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    *end = 0;
    CU_ASSERT_PTR_NOT_NULL(strstr(ace, "1830,870,,,,,,,0.1999")); /* lifetimes have no outcomes */
    CU_ASSERT_PTR_NOT_NULL(strstr(ace, ",0.375,,4.86e+18,"));     /* no rate, no FIT and EPF */
    CU_ASSERT_EQUAL(end[-1], ',');
    free(text);
    store_close(s, NULL);
}

/* One job without a failure, with an odd name; calls `look` with a report on it. */
static void with_nothing_that_fails(void (*look)(const struct avf_report *a))
{
    struct result_kernel k = {.name = (char *)"k", .cycles = 10};
    struct result_job j = {.name = (char *)"odd,\"name\"",
                           .profile = (char *)"tiny",
                           .nkernels = 1,
                           .kernel = &k,
                           .nlaunches = 1,
                           .launch = &(struct result_launch){0, 10},
                           .clock_mhz = 1,
                           .warps = 1,
                           .sps = 8};
    memset(j.digest, '0', 64);
    struct tally t = {.bits = 8, .cycles = 10, .population = 80, .counted = 80};
    t.outcome[OUT_MASKED] = 80;
    struct result_part p = {.target = (char *)"cc", .engine = (char *)"c", .tally = &t};
    struct result r = {.njobs = 1, .job = &j, .nparts = 1, .part = &p};
    look(&(struct avf_report){.result = &r, .made = "faultline 0", .fit_per_bit = 1});
}

static void look_at_csv(const struct avf_report *a)
{
    char *text = csv(a);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\n\"odd,\"\"name\"\"\",k,,cc,c,exact,8,10,80,0,0,80,0,0,0,"
                                        "0,0,0,0,0,,,,0,0,0,3.6e+17,inf\n"));
    free(text);
}

static void what_never_fails_has_an_infinite_epf(void)
{
    with_nothing_that_fails(look_at_csv);
}

/* ---- XML ----------------------------------------------------------------------------------------------------------- */

static void be_quiet(void *context, const char *format, ...)
{
    (void)context;
    (void)format;
}

static bool valid(const char *text)
{
    xmlRelaxNGParserCtxtPtr parser = xmlRelaxNGNewParserCtxt(FAULTLINE_SOURCE_DIR "/docs/avf.rng");
    xmlRelaxNGPtr schema = xmlRelaxNGParse(parser);
    xmlRelaxNGFreeParserCtxt(parser);
    CU_ASSERT_PTR_NOT_NULL_FATAL(schema);
    xmlDocPtr doc = xmlReadMemory(text, (int)strlen(text), "avf.xml", NULL, XML_PARSE_NOERROR);
    xmlRelaxNGValidCtxtPtr ctxt = xmlRelaxNGNewValidCtxt(schema);
    xmlRelaxNGSetValidErrors(ctxt, be_quiet, be_quiet, NULL);
    bool ok = doc && xmlRelaxNGValidateDoc(ctxt, doc) == 0;
    xmlRelaxNGFreeValidCtxt(ctxt);
    xmlRelaxNGFree(schema);
    xmlFreeDoc(doc);
    return ok;
}

static void xml_follows_its_schema(void)
{
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    char *text = xml(&a);
    CU_ASSERT_TRUE(valid(text));
    CU_ASSERT_EQUAL(times(text, "<target "), MADE_UP_PARTS);
    CU_ASSERT_EQUAL(times(text, "<time "), 4 * 5 + 3);
    CU_ASSERT_EQUAL(times(text, "<derating "), 7);
    static const struct {
        const char *name;
        int times; /* ACE alone has no interval; what nothing was counted of has no figure at all */
    } figure[] = {
        {" avf=", 33},         {" avf_lo=", 26},      {" avf_hi=", 26},    {" avf_util=", 22},
        {" avf_util_lo=", 22}, {" avf_util_hi=", 22}, {" occupancy=", 22}, {" warp_occupancy=", 22},
        {" fit=", 26},         {" eit=", 26},         {" epf=", 26}};
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
        CU_ASSERT_EQUAL(times(text, figure[i].name), figure[i].times);
    static const char *const wrong[][2] = {
        {"method=\"exact", "method=\"guess"}, {" avf=\"", " awf=\""}, {" eit=\"", " eit=\"x"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *at = strstr(text, wrong[i][0]), was[16];
        size_t size = strlen(wrong[i][1]);
        CU_ASSERT_PTR_NOT_NULL_FATAL(at);
        memcpy(was, at, size);
        memcpy(at, wrong[i][1], size);
        CU_ASSERT_FALSE(valid(text));
        memcpy(at, was, size);
    }
    CU_ASSERT_TRUE(valid(text));
    free(text);
    a.fit_per_bit = 0;
    a.rate = NULL;
    text = xml(&a);
    CU_ASSERT_TRUE(valid(text));
    CU_ASSERT_PTR_NULL(strstr(text, "fit="));
    free(text);
    store_close(s, NULL);
}

static void look_at_xml(const struct avf_report *a)
{
    char *text = xml(a);
    CU_ASSERT_TRUE(valid(text));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "epf=\"INF\""));
    free(text);
}

static void an_infinite_epf_follows_the_schema(void)
{
    with_nothing_that_fails(look_at_xml);
}

/* ---- page ---------------------------------------------------------------------------------------------------------- */

static void the_page_needs_nothing_beside_it(void)
{
    static const char *const outside[] = {"src=",  "<link",   "@import",       "<script",
                                          "http:", "https:",  "href=\"/",      "url(h",
                                          "file:", "<iframe", "xlink:href='h", "url('"};
    char *text = strdup(whole_page()), *at = text;
    while (
        (at = strstr(at, "http://www.w3.org/"))) /* names of XML namespaces: nobody fetches them */
        memset(at, '-', strlen("http://www.w3.org/"));
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        CU_ASSERT_PTR_NULL(strstr(text, outside[i]));
    free(text);
}

static void the_page_has_every_plot(void)
{
    const char *text = whole_page();
    /* intervals, outcomes, ACE, occupancy; over time 3, a structure each; over code: two kernels of parts 0, 1, 3 and one of part 4, by
     * instruction and by register */
    CU_ASSERT_EQUAL(times(text, "class=\"chart\""), 4 + 2 * (3 * 2 + 1));
    CU_ASSERT_EQUAL(times(text, "<svg"), 3 * 2); /* for wide and for narrow windows */
    CU_ASSERT_EQUAL(times(text, "<figure>"), 4 + 3 + 2 * (3 * 2 + 1));
    CU_ASSERT_EQUAL(times(text, "</svg>"), times(text, "<svg"));
    CU_ASSERT_EQUAL(times(text, " id=\"f1-gnuplot_canvas\""), 1);
    CU_ASSERT_EQUAL(times(text, " id=\"f2-gnuplot_canvas\""), 1);
    CU_ASSERT_EQUAL(times(text, " id=\"gnuplot_canvas\""), 0);
}

static void each_bar_of_the_page_has_its_value_and_each_instruction_its_text(void)
{
    const char *text = whole_page();
    int bars = 0;
    for (const char *at = text; (at = strstr(at, "<div class=\"bar\">")); at++, bars++) {
        const char *value = strstr(at, "<div class=\"v\">");
        CU_ASSERT_PTR_NOT_NULL_FATAL(value);
        CU_ASSERT(value < strstr(at + 1, "class=\"l\"") || !strstr(at + 1, "class=\"l\""));
        CU_ASSERT(value[15] >= '0' && value[15] <= '9');
    }
    CU_ASSERT(bars > 40);
    CU_ASSERT_PTR_NOT_NULL(strstr(
        text, "<code>IADD R2, R1, &lt;R0&gt; &amp; &quot;s&quot;</code></div><div class=\"bar"));
}

static void the_page_begins_with_a_sentence(void)
{
    const char *sentence = strstr(whole_page(),
                                  "</h1>\n<p>Of the bits flipped in a cycle of <b>first");
    CU_ASSERT_PTR_NOT_NULL_FATAL(sentence);
    CU_ASSERT(strstr(sentence, " of those in ") < strstr(sentence, "<h2"));
}

/* Of each plot the picture and its figures, of each table the figures. */
static void plots_and_tables_are_files_too(void)
{
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    struct page_files files = {0};
    struct fl_buf page = {0};
    struct fl_err missing, err;
    int svg = 0, csv_files = 0, dat = 0;
    CU_ASSERT_EQUAL_FATAL(avf_report_html(&a, &page, &files, &missing, &err), 0);
    CU_ASSERT_EQUAL(strcmp(whole_page(), text_of(&page)), 0); /* the same page */
    for (int i = 0; i < files.count; i++) {
        const struct page_file *f = &files.file[i];
        for (int k = 0; k < i; k++)
            CU_ASSERT(strcmp(f->name, files.file[k].name) != 0);
        CU_ASSERT(f->text.size > 0);
        if (strstr(f->name, ".svg")) {
            xmlDoc *doc = xmlReadMemory((char *)f->text.data, (int)f->text.size, f->name, NULL,
                                        XML_PARSE_NOERROR);
            CU_ASSERT_PTR_NOT_NULL(doc);
            xmlFreeDoc(doc);
            svg++;
        }
        csv_files += strstr(f->name, ".csv") != NULL;
        dat += strstr(f->name, ".dat") != NULL;
    }
    CU_ASSERT_EQUAL(svg, 4 + 3 + 2 * (3 * 2 + 1));
    CU_ASSERT_EQUAL(csv_files, times(text_of(&page), "<table ") + svg - dat);
    CU_ASSERT_EQUAL(dat, 3);
    CU_ASSERT_STRING_EQUAL(files.file[0].name, "01-table-AVF.csv");
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text_of(&files.file[0].text), "job,kernel,target,method,AVF %,from %,"));
    page_files_free(&files);
    fl_buf_free(&page);
    store_close(s, NULL);
}

static void the_page_has_launches_and_writers(void)
{
    const char *text = whole_page();
    /* AVF of four parts of the job with a kernel launched twice, outcomes of three: ACE has none */
    CU_ASSERT_EQUAL(times(text, ">vecadd, launch 0<"), 4 + 3);
    CU_ASSERT_EQUAL(times(text, ">vecadd, launch 2<"), 4 + 3);
    CU_ASSERT_EQUAL(times(text, "<summary>launch by launch<"), 2);
    CU_ASSERT_EQUAL(times(text, "<summary>the instructions that read them<"), 3 * 2 + 1);
    CU_ASSERT_EQUAL(times(text, "<summary>the instructions that had written them<"), 3 * 2 + 1);
}

static void the_page_links_to_its_headings(void)
{
    const char *text = whole_page();
    int links = times(text, "<a href=\"#s");
    CU_ASSERT(links >= 7);
    CU_ASSERT_EQUAL(times(text, "<h2 id=\"s"), links);
    for (int i = 1; i <= links; i++) {
        char *link = fl_format("href=\"#s%d\"", i), *id = fl_format("id=\"s%d\"", i);
        CU_ASSERT_EQUAL(times(text, link), 1);
        CU_ASSERT_EQUAL(times(text, id), 1);
        free(link);
        free(id);
    }
}

static void the_page_tells_what_a_sample_did_not_run(void)
{
    CU_ASSERT_PTR_NOT_NULL(
        strstr(whole_page(), "<td>2&#8239;400</td><td>1&#8239;920</td><td>5</td><td>840</td>"));
}

static void the_page_says_that_only_some_cycles_were_hit(void)
{
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    struct fl_err missing;
    a.result->job[0].timeline.edge[0] = 7;
    char *window = html(&a, &missing);
    CU_ASSERT_PTR_NULL(strstr(whole_page(), "only; all shares"));
    CU_ASSERT_PTR_NOT_NULL(strstr(window, "<p>first: flips in cycles 7 to 1599 only"));
    free(window);
    store_close(s, NULL);
}

static void the_page_escapes_what_it_quotes(void)
{
    CU_ASSERT_PTR_NOT_NULL(strstr(whole_page(), "IADD R2, R1, &lt;R0&gt; &amp; &quot;s&quot;"));
    CU_ASSERT_PTR_NOT_NULL(strstr(whole_page(), "&lt;a paper&gt;"));
    CU_ASSERT_PTR_NULL(strstr(whole_page(), "<R0>"));
}

static void without_gnuplot_the_page_has_its_tables_and_bars_and_says_what_is_missing(void)
{
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    struct fl_err missing;
    char *path = strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    char *text = html(&a, &missing);
    setenv("PATH", path, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(missing.msg, "gnuplot-nox"));
    CU_ASSERT_EQUAL(times(text, "<svg"), 0);
    CU_ASSERT(times(text, "<table ") >= 10);
    CU_ASSERT(times(text, "class=\"chart\"") >= 10);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "</html>"));
    free(path);
    free(text);
    store_close(s, NULL);
}

static void look_at_page(const struct avf_report *a)
{
    struct fl_err missing;
    char *text = html(a, &missing);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "<td>&infin;</td>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "odd,&quot;name&quot;"));
    free(text);
}

static void a_page_without_a_failure_is_a_page(void)
{
    with_nothing_that_fails(look_at_page);
}

/* A campaign that was stopped at once: every figure but the occupancies is unknown. */
static void a_page_without_an_injection_is_a_page(void)
{
    struct fl_err err = {""}, missing;
    struct store *s = made_up_campaign(NULL, false, 1, 1, 0, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    struct avf_report a = report_of(s);
    struct result only = *a.result;
    struct fl_buf table = {0};
    only.part++; /* the sample alone */
    only.nparts = 1;
    a.result = &only;
    char *page = html(&a, &missing), *tree = xml(&a), *lines = csv(&a);
    avf_report_table(&a, &table);
    CU_ASSERT_EQUAL(times(page, "class=\"chart\""), 1); /* occupancy */
    CU_ASSERT_TRUE(valid(tree));
    CU_ASSERT_PTR_NOT_NULL(strstr(lines, "first,all,,rf,c,sample,262144,1600,419430400,0,0,0,0,0,0,"
                                         "0,0,,0,1,,0,1,0.245833333,0.265625,,3.0375e+18,\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&table), "0.00000-100.00000"));
    free(page);
    free(tree);
    free(lines);
    fl_buf_free(&table);
    store_close(s, NULL);
}

/* ---- all of them --------------------------------------------------------------------------------------------------- */

static void the_same_result_gives_the_same_bytes(void)
{
    char *dir = tools_folder(), path[5][64];
    struct fl_err err = {""}, missing;
    for (int i = 0; i < 5; i++)
        snprintf(path[i], sizeof path[i], "%s/%d", dir, i);
    for (int i = 1; i <= 3; i++) { /* shard 2 in two pieces */
        if (i == 2)
            store_close(made_up_campaign(path[i], true, i, 3, 17, &err), NULL);
        struct store *shard = made_up_campaign(path[i], true, i, 3, MADE_UP_UNITS, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(shard);
        CU_ASSERT_EQUAL(store_ran(shard, 12.5 * i, i, &err), 0); /* times stay in the store */
        store_close(shard, NULL);
    }
    const char *in[] = {path[3], path[1], path[2]};
    CU_ASSERT_EQUAL(store_merge(path[4], in, 3, &err), 0);
    struct store *merged, *whole = campaign();
    CU_ASSERT_EQUAL_FATAL(store_read(path[4], &merged, &err), 0);
    struct avf_report a = report_of(whole), b = report_of(merged);
    char *one[] = {csv(&a), xml(&a), html(&a, &missing)};
    char *two[] = {csv(&b), xml(&b), html(&b, &missing)};
    for (int i = 0; i < 3; i++) {
        CU_ASSERT(strlen(one[i]) > 1000);
        CU_ASSERT_STRING_EQUAL(one[i], two[i]);
        free(one[i]);
        free(two[i]);
    }
    store_close(whole, NULL);
    store_close(merged, NULL);
    tools_remove(dir);
}

static void the_table_tells_speedup_ace_and_derating(void)
{
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    struct fl_buf b = {0};
    avf_report_table(&a, &b);
    char *text = text_of(&b);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "1920         5          840\n")); /* 2,400 / 480 */
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "18.44820-21.64768"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "Fault injection beside ACE"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "  18.31055   1.61630   2.94238  -1.32608\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "GST.U32 global14[R4], R3"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "28nm"));
    free(text);
    store_close(s, NULL);
}

static void look_at_table(const struct avf_report *a)
{
    struct fl_buf b = {0};
    avf_report_table(a, &b);
    char *text = text_of(&b);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "all "));
    CU_ASSERT_PTR_NULL(strstr(text, "k    "));
    free(text);
}

static void a_kernel_that_is_all_there_is_has_no_row_of_its_own(void)
{
    with_nothing_that_fails(look_at_table);
}

int main(void)
{
    return CHECK_RUN(
        "avf_report", CHECK(csv_has_a_line_for_each_job_kernel_and_target),
        CHECK(csv_leaves_empty_what_is_not_known), CHECK(what_never_fails_has_an_infinite_epf),
        CHECK(xml_follows_its_schema), CHECK(an_infinite_epf_follows_the_schema),
        CHECK(a_page_without_a_failure_is_a_page), CHECK(a_page_without_an_injection_is_a_page),
        CHECK(the_page_needs_nothing_beside_it), CHECK(the_page_has_every_plot),
        CHECK(the_page_has_launches_and_writers), CHECK(the_page_links_to_its_headings),
        CHECK(the_page_tells_what_a_sample_did_not_run),
        CHECK(the_page_says_that_only_some_cycles_were_hit), CHECK(the_page_escapes_what_it_quotes),
        CHECK(without_gnuplot_the_page_has_its_tables_and_bars_and_says_what_is_missing),
        CHECK(each_bar_of_the_page_has_its_value_and_each_instruction_its_text),
        CHECK(the_page_begins_with_a_sentence), CHECK(plots_and_tables_are_files_too),
        CHECK(the_same_result_gives_the_same_bytes),
        CHECK(the_table_tells_speedup_ace_and_derating),
        CHECK(a_kernel_that_is_all_there_is_has_no_row_of_its_own));
}
