/* test_pages.c -- what pages show first, and pictures as pieces of a page and as files. What a browser makes of them:
 * tests/tools/page.
 */
#include "tests/lib/faults.h"

#include <libxml/parser.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fl.h"
#include "faultsim/chart/chart.h"
#include "faultsim/chart/dots.h"
#include "faultsim/chart/faultmap.h"
#include "faultsim/chart/floor.h"
#include "faultsim/chart/ribbons.h"
#include "faultsim/chart/heatmap.h"
#include "faultsim/chart/picture.h"
#include "faultsim/chart/steps.h"
#include "faultsim/chart/svg.h"
#include "tests/lib/check.h"

static int times(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text += strlen(what))
        n++;
    return n;
}

static char *text_of(struct fl_buf *b)
{
    fl_buf_add(b, "", 1);
    return (char *)b->data;
}

static bool well_formed(const char *text)
{
    xmlDoc *doc = xmlReadMemory(text, (int)strlen(text), "picture", NULL, XML_PARSE_NOERROR);
    bool good = doc != NULL;
    xmlFreeDoc(doc);
    return good;
}

/* ---- pages of permanent faults ---------------------------------------------------------------- */

enum { JOBS = 2 };

/* Of two jobs, or of one. Caller frees. */
static char *coverage_page(int njobs)
{
    struct job *job[JOBS] = {0};
    for (int j = 0; j < njobs; j++) {
        job[j] = faults_job("tiny", 1, 32, j ? PEEL : IF_ELSE);
        free(job[j]->name);
        job[j]->name = fl_strdup(j ? "peel" : "branch");
    }
    struct store *s = faults_store((const struct job *const *)job, njobs, "dstack/w0/le1-2,pc/w0",
                                   (struct fsim_options){.run.threads = 1});
    struct fl_buf page = faults_export(s, "html");
    store_close(s, NULL);
    for (int j = 0; j < njobs; j++)
        job_free(job[j]);
    return (char *)page.data;
}

static void a_page_of_several_jobs_begins_with_their_union(void)
{
    char *page = coverage_page(2),
         *sentence = strstr(page, "</h1>\n<p>The 2 jobs together detect <b>");
    CU_ASSERT_PTR_NOT_NULL_FATAL(sentence);
    CU_ASSERT(sentence < strstr(page, "<h2"));
    /* the union is the first row of the map, of the bars and of the table */
    const char *map = strstr(page, "class=\"pic det\""), *bars = strstr(page, "class=\"chart\"");
    CU_ASSERT_PTR_NOT_NULL_FATAL(map);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bars);
    CU_ASSERT(strstr(map, ">union<") < strstr(map, ">branch<"));
    CU_ASSERT(strstr(bars, ">union<") < strstr(bars, ">branch<"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<td class=\"t\">union</td>"));
    free(page);
}

/* The last figure over time is the union's, as the sentence has it. */
static void coverage_over_time_ends_at_the_union(void)
{
    char *page = coverage_page(2), *one = coverage_page(1);
    const char *sentence = strstr(page, "together detect <b>"),
               *last = strstr(page, "After the last job: ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(sentence);
    CU_ASSERT_PTR_NOT_NULL_FATAL(last);
    double found = atof(sentence + strlen("together detect <b>"));
    CU_ASSERT(found > 0);
    CU_ASSERT_DOUBLE_EQUAL(found, atof(last + strlen("After the last job: ")), 1e-9);
    CU_ASSERT(strstr(page, "in a cycle first: branch, peel.") ||
              strstr(page, "in a cycle first: peel, branch."));
    CU_ASSERT_PTR_NULL(strstr(one, "Coverage over test time"));
    free(page);
    free(one);
}

static void a_page_of_one_job_has_no_map_of_jobs(void)
{
    char *page = coverage_page(1);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "</h1>\n<p><b>branch</b> detects <b>"));
    CU_ASSERT_PTR_NULL(strstr(page, ">union<"));
    CU_ASSERT_PTR_NULL(strstr(page, "aria-label=\"coverage\""));
    free(page);
}

/* Detection in the colour of SDC would say that what a self-test is for is bad. */
static void detection_has_a_colour_of_no_outcome(void)
{
    struct fl_buf style = {0};
    svg_style(&style, true);
    text_of(&style);
    char *scale = strstr((char *)style.data, ".det .q8{fill:");
    CU_ASSERT_PTR_NOT_NULL_FATAL(scale);
    CU_ASSERT_PTR_NULL(strstr((char *)style.data, "#d55e00"));
    fl_buf_free(&style);
}

/* ---- heat maps -------------------------------------------------------------------------------- */

static struct heatmap map_of(int columns, const char *row)
{
    struct heatmap h;
    heatmap_begin(&h, "coverage", "det");
    for (int c = 0; c < columns; c++) {
        char *name = fl_format("l%d_data", c);
        heatmap_column(&h, name, 1234567);
        free(name);
    }
    heatmap_row(&h, row, false);
    for (int c = 0; c < columns; c++)
        heatmap_set(&h, 0, c, 99.97, 99.9, 99.99);
    return h;
}

static char *drawn(const struct heatmap *h, int width)
{
    struct fl_buf b = {0};
    heatmap_picture.svg(h, width, &b);
    return text_of(&b);
}

static double attribute(const char *at, const char *name)
{
    const char *found = strstr(at, name);
    return found ? atof(found + strlen(name)) : (double)NAN;
}

static void a_heat_map_stays_in_the_width_that_it_is_given(void)
{
    static const int width[] = {340, 640, 980};
    for (int w = 0; w < 3; w++)
        for (int columns = 1; columns < 30; columns += 7) {
            struct heatmap h = map_of(
                columns, "a-self-test-of-the-divergence-stack-le-1-32-minimal-pc-flow-id-landing");
            char *svg = drawn(&h, width[w]);
            CU_ASSERT_TRUE(well_formed(svg));
            int cells = 0;
            for (const char *at = svg; (at = strstr(at, "<rect x=\"")); at++, cells++)
                CU_ASSERT(attribute(at, "x=\"") + attribute(at, "width=\"") <= width[w]);
            CU_ASSERT_EQUAL(cells, columns + SVG_SHADES + 1);
            free(svg);
            heatmap_free(&h);
        }
}

static void a_cell_says_its_figure_and_never_100_for_less(void)
{
    struct heatmap h = map_of(5, "test");
    heatmap_set(&h, 0, 0, 100, 100, 100);
    heatmap_set(&h, 0, 1, 0, 0, 0);
    heatmap_set(&h, 0, 2, 0.0001, 0, 0);
    heatmap_set(&h, 0, 3, (double)NAN, (double)NAN, (double)NAN);
    char *svg = drawn(&h, 980);
    CU_ASSERT_EQUAL(times(svg, ">100<title>test, l0_data: 100 %<"), 1);
    CU_ASSERT_EQUAL(times(svg, ">0<title>test, l1_data: 0 %<"), 1);
    CU_ASSERT_EQUAL(times(svg, ">&lt;0.01<title>"), 1);
    CU_ASSERT_EQUAL(times(svg, ">-<title>test, l3_data: none<"), 1);
    CU_ASSERT_EQUAL(times(svg, ">99.9<title>test, l4_data: 99.97 % (99.9 to 99.99)<"), 1);
    free(svg);
    heatmap_free(&h);
}

static void the_label_of_the_darkest_shade_is_right_of_it(void)
{
    struct heatmap h = map_of(1, "test");
    char *svg = drawn(&h, 980);
    const char *at = svg, *shade = NULL;
    for (; (at = strstr(at, "height=\"12\"")) != NULL; at++)
        shade = at;
    CU_ASSERT_PTR_NOT_NULL_FATAL(shade);
    while (strncmp(shade, "<rect", 5) != 0)
        shade--;
    const char *label = strstr(svg, ">100 %</text>");
    CU_ASSERT_PTR_NOT_NULL_FATAL(label);
    while (strncmp(label, "<text", 5) != 0)
        label--;
    CU_ASSERT(attribute(label, "x=\"") >= attribute(shade, "x=\"") + attribute(shade, "width=\""));
    free(svg);
    heatmap_free(&h);
}

static void a_heat_map_is_a_file_with_its_colours_and_figures(void)
{
    struct heatmap h = map_of(3, "<a> & \"b\"");
    struct picture p = {.name = "m", .caption = "c", .of = &h, .kind = &heatmap_picture};
    struct fl_buf svg = {0}, csv = {0}, page = {0};
    picture_svg(&p, &svg);
    heatmap_picture.csv(&h, &csv);
    picture_html(&p, &page);
    CU_ASSERT_TRUE(well_formed(text_of(&svg)));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)svg.data, ".det .q8{fill:"));
    CU_ASSERT_PTR_NULL(strstr((char *)svg.data, "var(--")); /* a page has them, a file has not */
    CU_ASSERT_EQUAL(times(text_of(&csv), "\n"), 4);
    CU_ASSERT_EQUAL(times(text_of(&page), "<svg"), 1); /* three of 9 characters fit a telephone */
    fl_buf_free(&svg);
    fl_buf_free(&csv);
    fl_buf_free(&page);
    heatmap_free(&h);
}

/* ---- fault maps ------------------------------------------------------------------------------- */

static void a_map_has_a_stroke_for_what_is_alike_and_counts_each_half(void)
{
    struct faultmap m;
    struct fl_buf svg = {0}, csv = {0};
    faultmap_begin(&m, "map-pc");
    int sdc = faultmap_class(&m, "sdc", "#d55e00", 1),
        masked = faultmap_class(&m, "masked", "#999", 1);
    for (int c = 0; c < 4; c++) {
        char *name = fl_format("b%d", 3 - c);
        faultmap_column(&m, name, c == 0);
        free(name);
    }
    faultmap_row(&m, "w0");
    faultmap_row(&m, "w1");
    for (int half = 0; half < 6; half++)
        faultmap_set(&m, 0, half / 2, half % 2, sdc);
    faultmap_set(&m, 0, 3, 1, masked);
    faultmap_set(&m, 0, 3, 1, sdc); /* what is set again counts once */
    faultmap_set(&m, 1, 0, 0, masked);
    faultmap_picture.svg(&m, 340, &svg);
    faultmap_picture.csv(&m, &csv);
    CU_ASSERT_TRUE(well_formed(text_of(&svg)));
    CU_ASSERT_EQUAL(times((char *)svg.data, ">sdc 7<"), 1);
    CU_ASSERT_EQUAL(times((char *)svg.data, ">masked 1<"), 1);
    const char *path = strstr((char *)svg.data,
                              "stroke=\"#d55e00\" stroke-opacity=\"1\" stroke-width=\"4\"");
    CU_ASSERT_PTR_NOT_NULL_FATAL(path);
    char *strokes = fl_format("%.*s", (int)strcspn(path, ">"), path);
    CU_ASSERT_EQUAL(times(strokes, "M"), 2); /* six halves, and one */
    free(strokes);
    CU_ASSERT_EQUAL(times(text_of(&csv), "\n"), 1 + 8);
    CU_ASSERT_EQUAL(times((char *)csv.data, "\nw0,b0,1,sdc\n"), 1); /* columns by their names */
    CU_ASSERT_EQUAL(times((char *)csv.data, "\nw1,b3,0,masked\n"), 1);
    CU_ASSERT_EQUAL(times((char *)svg.data, ">b3<"), 1);
    CU_ASSERT_EQUAL(times((char *)svg.data, ">b2<"), 0);
    fl_buf_free(&svg);
    fl_buf_free(&csv);
    faultmap_free(&m);
}

/* The dashes behind each stroke of a text that has `mark`, one after the other. */
static int different_dashes(const char *svg, const char *mark)
{
    enum { MOST = 8 };
    char *seen[MOST];
    int n = 0;
    for (; n < MOST && (svg = strstr(svg, mark)); svg++) {
        const char *end = strchr(svg, '>'), *dash = strstr(svg, "stroke-dasharray=\"");
        char *of = dash && dash < end ? fl_format("%.*s", (int)strcspn(dash + 18, "\""), dash + 18)
                                      : fl_strdup("none");
        bool again = false;
        for (int i = 0; i < n; i++)
            again |= strcmp(seen[i], of) == 0;
        if (again)
            free(of);
        else
            seen[n++] = of;
    }
    for (int i = 0; i < n; i++)
        free(seen[i]);
    return n;
}

static void curves_of_the_upper_frame_have_a_scale_of_their_own(void)
{
    struct steps s;
    struct fl_buf html = {0};
    steps_begin(&s, "time", "rf", 0, 1000);
    steps_add(&s, steps_curve(&s, "AVF", "#777", false), 0, 1000, 3);
    steps_add(&s, steps_curve(&s, "occupancy", "#777", true), 0, 1000, 3);
    steps_html(&s, &html);
    const char *upper = strstr(text_of(&html), "<div class=\"y\"><b>5&#8239;%</b><b>2.5</b>"),
               *lower = strstr((char *)html.data, "<div class=\"y\"><b>100&#8239;%</b><b>50</b>");
    CU_ASSERT(upper && lower > upper);
    steps_free(&s);
    fl_buf_free(&html);
}

static void classes_and_curves_differ_without_colours(void)
{
    static const char *const name[] = {"tolerable", "performance", "hang",
                                       "timeout",   "crash",       "sdc"};
    enum { CLASSES = sizeof name / sizeof *name, CURVES = 3 };
    struct faultmap m;
    struct steps s;
    struct fl_buf svg = {0};
    faultmap_begin(&m, "map-pc");
    faultmap_column(&m, "b0", true);
    for (int c = 0; c < CLASSES; c++) {
        int class = faultmap_class(&m, name[c], "#777", 1);
        faultmap_row(&m, name[c]);
        faultmap_set(&m, c, 0, 0, class);
    }
    faultmap_picture.svg(&m, 340, &svg);
    CU_ASSERT_EQUAL(different_dashes(text_of(&svg), "stroke-width=\"4\""), CLASSES);
    CU_ASSERT_EQUAL(different_dashes((char *)svg.data, "stroke-width=\"11\""), CLASSES);
    svg.size = 0;
    faultmap_free(&m);
    for (int lower = 0; lower < 2; lower++) {
        steps_begin(&s, "time", "rf", 0, 1000);
        for (int i = 0; i < CURVES; i++)
            steps_add(&s, steps_curve(&s, "AVF", "#777", lower), 0, 1000, 20);
        steps_svg(&s, &svg);
        CU_ASSERT_EQUAL(different_dashes(text_of(&svg), "stroke-width=\"3\""), CURVES);
        CU_ASSERT_EQUAL(different_dashes((char *)svg.data, "<path stroke=\"#777\""), CURVES);
        svg.size = 0;
        steps_free(&s);
    }
    fl_buf_free(&svg);
}

static void a_page_maps_the_bits_of_each_structure(void)
{
    char *page = coverage_page(2);
    const char *maps = strstr(page, ">Fault maps</h2>");
    CU_ASSERT_PTR_NOT_NULL_FATAL(maps);
    CU_ASSERT_PTR_NOT_NULL(strstr(maps, "<b>dstack</b>, divergence stack"));
    CU_ASSERT_PTR_NOT_NULL(strstr(maps, ">w0/le1<")); /* the first row, its label */
    CU_ASSERT_PTR_NOT_NULL(strstr(maps, ">tm31<"));
    CU_ASSERT_PTR_NOT_NULL(strstr(maps, ">b31<")); /* of pc */
    free(page);
}

/* ---- flows ------------------------------------------------------------------------------------- */

static void a_flow_has_each_end_with_its_share(void)
{
    struct ribbons f;
    struct fl_buf svg = {0};
    ribbons_begin(&f, "flow", "testable", "activated");
    ribbons_add(&f, "sdc", "#d55e00", 10, true);
    ribbons_add(&f, "crash", "#0072b2", 0, true);
    ribbons_add(&f, "masked", "#b0b0b0", 15, true);
    ribbons_add(&f, "not activated", "#d9d9d9", 75, false);
    ribbons_picture.svg(&f, 340, &svg);
    CU_ASSERT_TRUE(well_formed(text_of(&svg)));
    CU_ASSERT_EQUAL(times((char *)svg.data, ">25 %<"), 1); /* are activated */
    CU_ASSERT_EQUAL(times((char *)svg.data, ">sdc 10 %<"), 1);
    CU_ASSERT_EQUAL(times((char *)svg.data, ">not activated 75 %<"), 1);
    CU_ASSERT_PTR_NULL(strstr((char *)svg.data, "crash"));
    fl_buf_free(&svg);
    ribbons_free(&f);
}

static void a_floor_plan_has_each_structure_once_and_caches_where_there_are_some(void)
{
    for (int caches = 0; caches < 2; caches++) {
        struct floor_plan f;
        struct fl_buf svg = {0};
        floor_begin(&f, "floor", "det", 100);
        CU_ASSERT_TRUE(floor_set(&f, "rf", 99.5));
        CU_ASSERT_TRUE(floor_set(&f, "pc", 0));
        CU_ASSERT_FALSE(floor_set(&f, "alu_int.sp0", 50));
        CU_ASSERT_FALSE(floor_set(&f, "cc", (double)NAN));
        if (caches)
            floor_set(&f, "l1d", 12);
        CU_ASSERT_EQUAL(f.known, 2 + caches);
        floor_picture.svg(&f, 340, &svg);
        CU_ASSERT_TRUE(well_formed(text_of(&svg)));
        CU_ASSERT_EQUAL(times((char *)svg.data, ">rf<"), 1);
        CU_ASSERT_EQUAL(times((char *)svg.data, ">99.5 %<"), 1);
        CU_ASSERT_EQUAL(times((char *)svg.data, ">0 %<"), 1);
        CU_ASSERT_EQUAL(times((char *)svg.data, ">l1d<"), caches);
        fl_buf_free(&svg);
        floor_free(&f);
    }
}

/* ---- bars -------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    double share;
} bar_parts[] = {{"sdc", 12.3456},   {"crash", 3.4567},         {"timeout", 2.1111},
                 {"hang", 1.2222},   {"performance", .5555},    {"tolerable", 4.4444},
                 {"masked", 6.6666}, {"not activated", 69.1979}};
enum { BAR_PARTS = sizeof bar_parts / sizeof *bar_parts };

/* A name takes all the room that names have. Caller frees. */
static struct chart bars(void)
{
    struct chart c;
    chart_begin(&c, "outcomes", "How faults end.", "testable faults in %", true);
    for (int s = 0; s < BAR_PARTS; s++)
        chart_series(&c, bar_parts[s].name, "#777777");
    struct chart_row *row = chart_row(
        &c, "a-job-with-a-long-name-of-a-library-for-the-divergence-stack-of-a-small-machine");
    for (int s = 0; s < BAR_PARTS; s++)
        row->value[s] = bar_parts[s].share;
    return c;
}

/* Where texts of a file begin, end and stand is not beyond its edges. */
static void a_file_of_bars_cuts_no_text(void)
{
    struct chart c = bars();
    struct fl_buf svg = {0};
    int texts = 0, width, height;
    chart_svg(&c, &svg);
    CU_ASSERT_TRUE(well_formed(text_of(&svg)));
    CU_ASSERT_EQUAL_FATAL(
        sscanf(strstr((char *)svg.data, "viewBox"), "viewBox=\"0 0 %d %d\"", &width, &height), 2);
    for (const char *at = (char *)svg.data; (at = strstr(at, "<text x=\"")); at++, texts++) {
        double x = atof(at + 9), y = atof(strstr(at, "y=\"") + 3);
        const char *tag = strchr(at, '>') + 1, *anchor = strstr(at, "text-anchor=\"");
        char *text = fl_format("%.*s", (int)strcspn(tag, "<"), tag);
        double wide = svg_text_width(text);
        double from = !anchor || anchor > tag ? 0 : strncmp(anchor + 13, "end", 3) == 0 ? 1 : .5;
        CU_ASSERT(x - from * wide >= 0 && x + (1 - from) * wide <= width);
        CU_ASSERT(y > 10 && y < height);
        free(text);
    }
    for (int s = 0; s < BAR_PARTS; s++) {
        char *figure = fl_format("%s %.4f", bar_parts[s].name, bar_parts[s].share);
        CU_ASSERT_EQUAL(times((char *)svg.data, figure), 1);
        free(figure);
    }
    CU_ASSERT(texts > BAR_PARTS);
    fl_buf_free(&svg);
    chart_free(&c);
}

static void bars_have_an_axis_with_its_unit(void)
{
    struct chart c = bars();
    struct fl_buf svg = {0}, html = {0}, style = {0};
    chart_svg(&c, &svg);
    chart_html(&c, &html, &style);
    CU_ASSERT_EQUAL(times(text_of(&svg), ">testable faults in %<"), 1);
    CU_ASSERT_EQUAL(times(text_of(&html), ">testable faults in %<"), 1);
    CU_ASSERT_EQUAL(times((char *)svg.data, ">75<"), 1);
    CU_ASSERT_EQUAL(times((char *)html.data, "<b>0</b><b>50</b><b>100</b>"), 1);
    fl_buf_free(&svg);
    fl_buf_free(&html);
    fl_buf_free(&style);
    chart_free(&c);
}

/* ---- axes and curves -------------------------------------------------------------------------- */

static void small_shares_stand_on_an_axis_that_shows_them(void)
{
    struct dots d;
    for (int small = 0; small < 2; small++) {
        dots_begin(&d, "avf", "AVF in %");
        dots_series(&d, "AVF");
        dots_row(&d, "rf");
        dots_set(&d, 0, 40, 38, 42);
        dots_row(&d, "sched");
        dots_set(&d, 0, small ? 0.17 : 17, small ? 0.1 : 15, small ? 0.3 : 19);
        struct fl_buf svg = {0};
        dots_picture.svg(&d, 640, &svg);
        CU_ASSERT_EQUAL(dots_logarithmic(&d), small);
        CU_ASSERT_TRUE(well_formed(text_of(&svg)));
        CU_ASSERT_EQUAL(times((char *)svg.data, ">AVF in %, logarithmic<"), small);
        CU_ASSERT_EQUAL(times((char *)svg.data, ">0.1<"), small); /* a decade of the axis */
        CU_ASSERT_EQUAL(times((char *)svg.data, ">0.17 (0.10 to 0.30)<"), small);
        CU_ASSERT_PTR_NULL(strstr((char *)svg.data, "\u2264"));
        fl_buf_free(&svg);
        dots_free(&d);
    }
}

/* 0 has no place on a logarithmic axis. */
static void what_is_below_an_axis_stands_at_its_end_which_says_so(void)
{
    struct dots d;
    struct fl_buf svg = {0};
    dots_begin(&d, "avf", "AVF in %");
    dots_series(&d, "AVF");
    dots_row(&d, "rf");
    dots_set(&d, 0, 40, 38, 42);
    dots_row(&d, "sched");
    dots_set(&d, 0, 0.17, 0.1, 0.3);
    dots_row(&d, "dsp");
    dots_set(&d, 0, 0, 0, 0.3);
    dots_picture.svg(&d, 640, &svg);
    CU_ASSERT_TRUE(well_formed(text_of(&svg)));
    CU_ASSERT_EQUAL(times((char *)svg.data, ">\u22640.1<"), 1);
    CU_ASSERT_EQUAL(times((char *)svg.data, "\u2264"), 1);
    fl_buf_free(&svg);
    dots_free(&d);
}

static void a_sampled_curve_has_its_band_and_files_have_labelled_axes(void)
{
    struct steps s;
    struct fl_buf html = {0}, svg = {0}, dat = {0};
    steps_begin(&s, "time", "rf", 0, 1000);
    int exact = steps_curve(&s, "exact", "#d55e00", false),
        sample = steps_curve(&s, "sample, n = 400", "#0072b2", false);
    steps_add(&s, exact, 0, 1000, 20);
    steps_add_sampled(&s, sample, 0, 1000, 25, 21, 30);
    steps_html(&s, &html);
    steps_svg(&s, &svg);
    steps_dat(&s, &dat);
    CU_ASSERT_EQUAL(times(text_of(&html), "class=\"band\""), 1);
    CU_ASSERT_EQUAL(times(text_of(&svg), "class=\"band\""), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)svg.data, ">AVF in %<"));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)svg.data, ">cycle<"));
    CU_ASSERT_TRUE(well_formed((char *)svg.data));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&dat), "\n0 1000 25 21 30\n"));
    fl_buf_free(&html);
    fl_buf_free(&svg);
    fl_buf_free(&dat);
    steps_free(&s);
}

/* Long titles stand beside each other where they fit, and else below each other. */
static void names_of_curves_do_not_touch(void)
{
    struct steps s;
    struct fl_buf svg = {0};
    double end = 0, line = 0;
    int names = 0;
    steps_begin(&s, "time", "rf", 0, 1000);
    for (int i = 0; i < STEPS_CURVES; i++)
        steps_add(&s,
                  steps_curve(&s, "AVF of a sample, n = 1500, with its 95 % interval", "#777", i),
                  0, 1000, 20);
    steps_svg(&s, &svg);
    CU_ASSERT_TRUE(well_formed(text_of(&svg)));
    for (const char *at = (char *)svg.data; (at = strstr(at, "<text x=\"")); at++) {
        const char *text = strchr(at, '>') + 1;
        if (strncmp(text, "AVF of", 6) != 0)
            continue;
        double x = atof(at + 9), y = atof(strstr(at, "y=\"") + 3);
        CU_ASSERT(y > line || x > end);
        CU_ASSERT(x + svg_text_width(s.curve[0].title) <= 1000);
        line = y;
        end = x + svg_text_width(s.curve[0].title);
        names++;
    }
    CU_ASSERT_EQUAL(names, STEPS_CURVES);
    fl_buf_free(&svg);
    steps_free(&s);
}

static void a_page_spells_out_what_structures_are(void)
{
    char *page = coverage_page(2);
    CU_ASSERT_EQUAL(times(page, "<b>pc</b>: program counters"), 1);
    free(page);
}

int main(void)
{
    return CHECK_RUN(
        "pages", CHECK(a_page_of_several_jobs_begins_with_their_union),
        CHECK(a_page_of_one_job_has_no_map_of_jobs), CHECK(coverage_over_time_ends_at_the_union),
        CHECK(detection_has_a_colour_of_no_outcome),
        CHECK(a_heat_map_stays_in_the_width_that_it_is_given),
        CHECK(a_cell_says_its_figure_and_never_100_for_less),
        CHECK(the_label_of_the_darkest_shade_is_right_of_it),
        CHECK(a_heat_map_is_a_file_with_its_colours_and_figures),
        CHECK(a_map_has_a_stroke_for_what_is_alike_and_counts_each_half),
        CHECK(curves_of_the_upper_frame_have_a_scale_of_their_own),
        CHECK(classes_and_curves_differ_without_colours),
        CHECK(a_page_maps_the_bits_of_each_structure), CHECK(a_flow_has_each_end_with_its_share),
        CHECK(a_floor_plan_has_each_structure_once_and_caches_where_there_are_some),
        CHECK(a_file_of_bars_cuts_no_text), CHECK(bars_have_an_axis_with_its_unit),
        CHECK(small_shares_stand_on_an_axis_that_shows_them),
        CHECK(what_is_below_an_axis_stands_at_its_end_which_says_so),
        CHECK(names_of_curves_do_not_touch),
        CHECK(a_sampled_curve_has_its_band_and_files_have_labelled_axes),
        CHECK(a_page_spells_out_what_structures_are));
}
