/* test_avf_report.c -- AVF as table, CSV, XML and page: what they hold, that they are the same bytes for the same result.
 */
#include <libxml/parser.h>
#include <libxml/relaxng.h>

#include "faultsim/report/avf.h"
#include "faultsim/report/page.h"
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
    avf_report_csv(a, &b, NULL);
    return text_of(&b);
}

static char *xml(const struct avf_report *a)
{
    struct fl_buf b = {0};
    CU_ASSERT_EQUAL(avf_report_xml(a, &b, NULL), 0);
    return text_of(&b);
}

static char *html(const struct avf_report *a)
{
    struct fl_buf b = {0};
    struct fl_err err = {""};
    if (avf_report_html(a, &b, &err) != 0) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no page");
    }
    return text_of(&b);
}

/* The page of the campaign, made once. */
static const char *whole_page(void)
{
    static char *page;
    if (!page) {
        struct store *s = campaign();
        struct avf_report a = report_of(s);
        page = html(&a);
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
    struct result_part p = {
        .model = (char *)"transient", .target = (char *)"cc", .engine = (char *)"c", .tally = &t};
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

/* Of the AVF of all parts, ACE, occupancy; of wrong outputs: elements, values, bits, writers; over time 3, a structure each; two kernels of parts 0 and 3 and one of part 4 by
 * instruction and by register: part 1 is a sample of the bits of part 0. */
enum { TIMES = 3, KERNELS = 2 + 2 + 1, WRONG = 4, CHARTS = 3 + WRONG + KERNELS };

static void the_page_has_every_picture(void)
{
    const char *text = whole_page();
    CU_ASSERT_EQUAL(times(text, "<div class=\"chart\""), CHARTS);
    CU_ASSERT_EQUAL(times(text, "<figure class=\"time\">"), TIMES);
    CU_ASSERT_EQUAL(times(text, "<table class=\"code a\">"), KERNELS);
    CU_ASSERT_EQUAL(times(text, "</svg>"), times(text, "<svg"));
    CU_ASSERT_EQUAL(times(text, "<details"), times(text, "</details>"));
}

static void pictures_stand_before_tables(void)
{
    const char *text = whole_page(), *table = strstr(text, "<table id=");
    CU_ASSERT_PTR_NOT_NULL_FATAL(table);
    CU_ASSERT(strstr(text, "<div class=\"chart\"") < table);
    CU_ASSERT(strstr(text, "<figure class=\"time\"") < table);
}

static void each_bar_of_the_page_has_its_value(void)
{
    const char *text = whole_page();
    int bars = 0;
    for (const char *at = text; (at = strstr(at, "<div class=\"bar\">")); at++, bars++) {
        const char *value = strstr(at, "<div class=\"v\"><b>");
        CU_ASSERT_PTR_NOT_NULL_FATAL(value);
        CU_ASSERT(value < strstr(at + 1, "class=\"l\"") || !strstr(at + 1, "class=\"l\""));
        CU_ASSERT(value[18] >= '0' && value[18] <= '9');
    }
    CU_ASSERT(bars > 30);
}

/* The cells of a table's first row whose text begins so; "" where there is none. */
static void row_of(const char *page, const char *text, char cell[12][40])
{
    char *first = fl_format("<tr><td class=\"t\">%s", text);
    const char *at = strstr(page, first);
    free(first);
    memset(cell, 0, 12 * sizeof *cell);
    for (int i = 0; at && i < 12 && strncmp(at, "</tr>", 5) != 0; i++) {
        at = strchr(strstr(at, "<td"), '>') + 1;
        snprintf(cell[i], sizeof cell[i], "%.*s", (int)(strstr(at, "</td>") - at), at);
        at = strstr(at, "</td>") + 5;
    }
}

/* Column `number` of a line of the CSV, in percent. */
static double csv_percent(const char *text, const char *line, int number)
{
    const char *at = strstr(text, line);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    for (; number > 0; number--)
        at = strchr(at, ',') + 1;
    return 100 * atof(at);
}

enum { CSV_AVF = 17, CSV_LO, CSV_HI, CSV_UTIL };

static void each_avf_of_the_page_is_that_of_the_csv(void)
{
    static const struct {
        const char *cells, *line; /* job, kernel, target, method */
    } row[] = {
        {"first</td><td class=\"t\">vecadd</td><td class=\"t\">rf</td><td class=\"t\">exact",
         "\nfirst,vecadd,,rf,c,exact,"},
        {"first</td><td class=\"t\">all</td><td class=\"t\">rf</td><td class=\"t\">exact",
         "\nfirst,all,,rf,c,exact,"},
        {"first</td><td class=\"t\">reduce</td><td class=\"t\">shared</td><td class=\"t\">exact",
         "\nfirst,reduce,,shared,c,exact,"},
        {"second</td><td class=\"t\">all</td><td class=\"t\">rf</td><td class=\"t\">exact",
         "\nsecond,all,,rf,c,exact,"},
        {"first</td><td class=\"t\">all</td><td class=\"t\">rf</td><td class=\"t\">sample",
         "\nfirst,all,,rf,c,sample,"},
        {"first</td><td class=\"t\">all</td><td class=\"t\">rf</td><td class=\"t\">ace",
         "\nfirst,all,,rf,c,ace,"},
    };
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    char *lines = csv(&a), cell[12][40], want[40];
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        bool sampled = strstr(row[i].line, "sample");
        row_of(whole_page(), row[i].cells, cell);
        snprintf(want, sizeof want, "%.*f", sampled ? 1 : 4,
                 csv_percent(lines, row[i].line, CSV_AVF));
        CU_ASSERT_STRING_EQUAL(cell[4], want);
        snprintf(want, sizeof want, "%.*f", sampled ? 1 : 4,
                 csv_percent(lines, row[i].line, CSV_UTIL));
        CU_ASSERT_STRING_EQUAL(cell[7], want);
    }
    free(lines);
    store_close(s, NULL);
}

/* 20.00 % of 2,400 flips, 18.45 to 21.65: half of that has two digits. */
static void a_sampled_figure_has_as_many_digits_as_its_interval_allows(void)
{
    char cell[12][40];
    row_of(whole_page(),
           "first</td><td class=\"t\">all</td><td class=\"t\">rf</td><td class=\"t\">sample", cell);
    CU_ASSERT_STRING_EQUAL(cell[4], "20.0");
    CU_ASSERT_STRING_EQUAL(cell[5], "18.4");
    CU_ASSERT_STRING_EQUAL(cell[6], "21.6");
    CU_ASSERT_PTR_NOT_NULL(strstr(whole_page(), "<b>20.0 % (18.4 to 21.6)</b>"));
}

/* All but the sample know no interval, and all have the same model of time. */
static void a_column_that_says_nothing_is_left_out(void)
{
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    struct result only = *a.result;
    only.nparts = 1; /* exact */
    a.result = &only;
    char *page = html(&a);
    CU_ASSERT_PTR_NOT_NULL(strstr(whole_page(), "<th>from %</th><th>to %</th>"));
    CU_ASSERT_PTR_NULL(strstr(page, "<th>from %</th>"));
    CU_ASSERT_PTR_NULL(strstr(page, "<th class=\"t\">method</th>"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(page, "<caption>job <b>first</b> &middot; target <b>rf</b> &middot; method "
                     "<b>exact</b>"));
    CU_ASSERT_PTR_NULL(strstr(page, "<td>-</td>"));
    free(page);
    store_close(s, NULL);
}

/* ---- source -------------------------------------------------------------------------------------------------------- */

/* The page of the first kernel's instructions as if they were made of two lines of a source. */
static char *page_with_lines(void)
{
    static struct result_code code[] = {
        {0, 0x0, (char *)"MOV R1, R0 // a.cl:3: int i = f(a<b);"},
        {0, 0x8, (char *)"IADD R2, R1, R0 // a.cl:3: int i = f(a<b);"},
        {0, 0x10, (char *)"GST.U32 global14[R4], R3 // dir:1/b.cl:17: c[i] = i;"},
        {1, 0x0, (char *)"NOP.EXIT"}};
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    struct result_job *job = &a.result->job[0];
    struct result_code *was = job->code;
    job->code = code;
    char *page = html(&a);
    job->code = was;
    store_close(s, NULL);
    return page;
}

/* What fails at an instruction of a part that reads, of all that was counted, in percent. */
static double reads_percent(const struct result_part *p, uint32_t from, uint32_t to)
{
    uint64_t failed = 0, all = 0;
    for (int i = 0; i < p->sites.count; i++) {
        const struct site *s = &p->sites.site[i];
        if (s->role == SITE_READER && s->kernel == 0 && s->pc >= from && s->pc < to)
            failed += fsim_outcomes_failed(s->outcome);
    }
    for (int l = 0; l < 3; l++)
        all += p->tally[l].counted;
    return 100 * (double)failed / (double)all;
}

static void each_line_of_the_source_has_what_its_instructions_read(void)
{
    char *page = page_with_lines();
    struct store *s = campaign();
    const struct result_part *exact = &store_result(s)->part[0];
    char *three = fl_format("<td>3<td class=c>    int i = f(a&lt;b);<td>%.4f<td>",
                            reads_percent(exact, 0, 0x10));
    char *seventeen = fl_format("<td>17<td class=c>c[i] = i;<td>%.4f<td>",
                                reads_percent(exact, 0x10, 0x18));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, three));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, seventeen));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<th class=c>dir:1/b.cl"));
    free(three);
    free(seventeen);
    free(page);
    store_close(s, NULL);
}

static void a_line_is_as_hot_as_much_fails_in_it(void)
{
    char *page = page_with_lines();
    struct store *s = campaign();
    const struct result_part *exact = &store_result(s)->part[0];
    double three = reads_percent(exact, 0, 0x10), seventeen = reads_percent(exact, 0x10, 0x18);
    double most = fmax(three, seventeen);
    char *rows = fl_format("<tr class=h%d><td>3<", (int)ceil(9 * three / most));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, rows));
    free(rows);
    rows = fl_format("<tr class=h%d><td>17<", (int)ceil(9 * seventeen / most));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, rows));
    free(rows);
    free(page);
    store_close(s, NULL);
}

/* Of a.cl the store has the text, of dir:1/b.cl the line alone that an instruction was made of. */
static void the_source_is_whole_where_the_store_has_it(void)
{
    char *page = page_with_lines();
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<tr><td>1<td class=c>kernel void vecadd()<td><td>\n"
                                        "<tr><td>2<td class=c>{<td><td>\n<tr class=h"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<td>3<td class=c>    int i = f(a&lt;b);<td>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<tr><td>4<td class=c>}<td><td>\n</table>"));
    CU_ASSERT_PTR_NULL(strstr(page, "<td>16<td class=c>"));
    free(page);
}

/* Two lines beside one that instructions were made of are left. */
static void what_no_code_was_made_of_is_folded_in_a_long_source(void)
{
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    struct fl_buf text = {0};
    for (int i = 1; i <= 60; i++)
        fl_buf_printf(&text, "line %d\n", i);
    struct result_source source = {(char *)"a.cl", text_of(&text)};
    struct result_code code[] = {{0, 0x0, (char *)"NOP // a.cl:3: x"},
                                 {0, 0x8, (char *)"NOP // a.cl:40: x"}};
    struct result_job *job = &a.result->job[0], was = *job;
    job->nsources = 1;
    job->source = &source;
    job->ncode = 2;
    job->code = code;
    char *page = html(&a);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, ">line 5<"));
    CU_ASSERT_PTR_NULL(strstr(page, ">line 6<"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "&#8943; 32 more"));
    CU_ASSERT_PTR_NULL(strstr(page, ">line 37<"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, ">line 38<"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "&#8943; 18 more"));
    *job = was;
    free(page);
    fl_buf_free(&text);
    store_close(s, NULL);
}

static void a_source_of_no_line_has_no_heading(void)
{
    CU_ASSERT_PTR_NULL(strstr(whole_page(), ">Source</h2>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(whole_page(), ">Instructions and registers</h2>"));
}

/* ---- the rest of it ------------------------------------------------------------------------------------------------ */

static void the_title_names_what_was_injected(void)
{
    static const char *const model[][2] = {{"transient", "Transient faults in first and second"},
                                           {"intermittent", "Intermittent faults in first"},
                                           {"stuck-at", "Stuck-at faults in first"},
                                           {"memory", "Memory faults in first"},
                                           {"gate", "Gate faults in first"},
                                           {"glitch", "Single-event transients in first"}};
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    for (size_t i = 0; i < sizeof model / sizeof *model; i++) {
        struct fl_buf b = {0};
        struct fl_err err;
        a.made = fl_format("faultline 0 model=%s", model[i][0]);
        for (int p = 0; p < a.result->nparts; p++) {
            free(a.result->part[p].model);
            a.result->part[p].model = fl_strdup(model[i][0]);
        }
        CU_ASSERT_EQUAL(avf_report_html(&a, &b, &err), 0); /* all pages begin alike */
        char *title = fl_format("<title>%s", model[i][1]),
             *heading = fl_format("<h1>%s", model[i][1]);
        CU_ASSERT_EQUAL(times(text_of(&b), title), 1);
        CU_ASSERT_EQUAL(times((char *)b.data, heading), 1);
        free((char *)a.made);
        free(title);
        free(heading);
        fl_buf_free(&b);
    }
    store_close(s, NULL);
}

static void the_page_begins_with_a_sentence(void)
{
    const char *sentence = strstr(whole_page(), "</h1>\n<p>AVF of <b>first</b>: ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(sentence);
    CU_ASSERT(strstr(sentence, "&#8239;%</b>") < strstr(sentence, "<h2"));
}

/* Of each plot the picture and its figures, of each table the figures. */
static void each_outcome_but_masked_has_a_colour(void)
{
    bool shown[OUT_COUNT] = {false};
    for (int o = 0; o < PAGE_OUTCOMES; o++) {
        shown[page_outcome_at(o)->outcome] = true;
        CU_ASSERT_PTR_NOT_NULL(page_outcome_at(o)->colour);
    }
    for (int o = 0; o < OUT_COUNT; o++)
        CU_ASSERT_EQUAL(shown[o], o != OUT_MASKED);
}

static void plots_and_tables_are_files_too(void)
{
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    struct page_files files = {0};
    struct fl_buf page = {0};
    struct fl_err err;
    int svg = 0, csv_files = 0, dat = 0;
    a.files = &files;
    CU_ASSERT_EQUAL_FATAL(avf_report_html(&a, &page, &err), 0);
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
    CU_ASSERT_EQUAL(svg, CHARTS + TIMES);
    CU_ASSERT_EQUAL(csv_files, times(text_of(&page), "<table ") + CHARTS);
    CU_ASSERT_EQUAL(dat, TIMES);
    CU_ASSERT_STRING_EQUAL(files.file[0].name, "01-avf.svg");
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&files.file[1].text), "label,sdc,crash,timeout,hang,"));
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
    CU_ASSERT_EQUAL(times(text, "<th>reads<th>wrote"), KERNELS);
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
    a.result->job[0].timeline.edge[0] = 7;
    char *window = html(&a);
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

/* Of a job with thousands of launches: a row for each would be megabytes. */
static void a_table_of_a_page_has_so_many_rows_at_most(void)
{
    enum { LAUNCHES = 5000 };
    struct store *s = campaign();
    struct avf_report a = report_of(s);
    struct result only = *a.result;
    struct result_job *job = &a.result->job[1], was = *job;
    struct result_part part = a.result->part[MADE_UP_PARTS - 1];
    job->nlaunches = LAUNCHES;
    job->launch = fl_alloc(LAUNCHES * sizeof *job->launch);
    part.tally = fl_alloc(LAUNCHES * sizeof *part.tally);
    for (int l = 0; l < LAUNCHES; l++) {
        job->launch[l] = (struct result_launch){.kernel = 0, .cycles = 1};
        part.tally[l] = a.result->part[MADE_UP_PARTS - 1].tally[0];
    }
    only.nparts = 1;
    only.part = &part;
    a.result = &only;
    char *page = html(&a);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, ">vecadd, launch 0<"));
    CU_ASSERT_EQUAL(times(page, ", launch "), 2 * PAGE_ROWS);
    CU_ASSERT_EQUAL(times(page, "<p class=\"n\">4&#8239;800 more rows: --plots writes all"), 2);
    free(job->launch);
    *job = was;
    free(part.tally);
    free(page);
    store_close(s, NULL);
}

static void look_at_page(const struct avf_report *a)
{
    char *text = html(a);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "&infin;"));
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
    struct fl_err err = {""};
    struct store *s = made_up_campaign(NULL, false, 1, 1, 0, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    struct avf_report a = report_of(s);
    struct result only = *a.result;
    struct fl_buf table = {0};
    only.part++; /* the sample alone */
    only.nparts = 1;
    a.result = &only;
    char *page = html(&a), *tree = xml(&a), *lines = csv(&a);
    avf_report_table(&a, &table, NULL);
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
    struct fl_err err = {""};
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
    char *one[] = {csv(&a), xml(&a), html(&a)};
    char *two[] = {csv(&b), xml(&b), html(&b)};
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
    avf_report_table(&a, &b, NULL);
    char *text = text_of(&b);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "1920         5      840\n")); /* 2,400 / 480 */
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "18.44820-21.64768"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "Fault injection beside ACE"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "  18.31055  1.61630  2.94238  -1.32608\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "GST.U32 global14[R4], R3"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "28nm"));
    free(text);
    store_close(s, NULL);
}

static void look_at_table(const struct avf_report *a)
{
    struct fl_buf b = {0};
    avf_report_table(a, &b, NULL);
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
        CHECK(the_page_needs_nothing_beside_it), CHECK(the_page_has_every_picture),
        CHECK(the_page_has_launches_and_writers), CHECK(the_page_links_to_its_headings),
        CHECK(the_page_tells_what_a_sample_did_not_run),
        CHECK(the_page_says_that_only_some_cycles_were_hit), CHECK(the_page_escapes_what_it_quotes),
        CHECK(each_bar_of_the_page_has_its_value), CHECK(pictures_stand_before_tables),
        CHECK(each_avf_of_the_page_is_that_of_the_csv),
        CHECK(a_sampled_figure_has_as_many_digits_as_its_interval_allows),
        CHECK(a_column_that_says_nothing_is_left_out),
        CHECK(each_line_of_the_source_has_what_its_instructions_read),
        CHECK(a_line_is_as_hot_as_much_fails_in_it),
        CHECK(the_source_is_whole_where_the_store_has_it),
        CHECK(what_no_code_was_made_of_is_folded_in_a_long_source),
        CHECK(a_source_of_no_line_has_no_heading),
        CHECK(a_table_of_a_page_has_so_many_rows_at_most), CHECK(the_title_names_what_was_injected),
        CHECK(the_page_begins_with_a_sentence), CHECK(each_outcome_but_masked_has_a_colour),
        CHECK(plots_and_tables_are_files_too), CHECK(the_same_result_gives_the_same_bytes),
        CHECK(the_table_tells_speedup_ace_and_derating),
        CHECK(a_kernel_that_is_all_there_is_has_no_row_of_its_own));
}
