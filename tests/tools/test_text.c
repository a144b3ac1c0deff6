/* test_text.c -- what people read: figures stand under their headings and add up, lines begin where they should. */
#include "faultsim/permanent/dictionary.h"
#include "faultsim/report/avf.h"
#include "gen/sbst.h"
#include "tests/lib/faults.h"
#include "tests/lib/made_up.h"

/* Text behind `what`, up to the next empty line; fails the test when there is none. Caller frees. */
static char *behind(struct fl_buf *b, const char *what)
{
    fl_buf_add(b, "", 1);
    const char *at = strstr((char *)b->data, what);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    at += strlen(what);
    const char *end = strstr(at, "\n\n");
    return strndup(at, end ? (size_t)(end - at) + 1 : strlen(at));
}

/* ---- faultsim ----------------------------------------------------------------------------------------------------- */

/* One entry, pushed and popped. */
static const char one_join[] = ".kernel k\n.param u32 OUT\n.regs 4\n"
                               "I2I.U32.U16 R0, R0L\n SHL R1, R0, 2\n IADD R1, s[OUT], R1\n"
                               "SSY end\n NOP\n NOP\n"
                               "end: NOP.S\n GST.U32 global14[R1], R0\n NOP.EXIT\n";

static void each_outcome_is_counted_under_its_name(void)
{
    static const enum fsim_outcome order[] = {OUT_SDC,     OUT_CRASH,       OUT_HANG,
                                              OUT_TIMEOUT, OUT_PERFORMANCE, OUT_MASKED};
    struct job *job = faults_job("tiny", 1, 32, one_join);
    struct fsim_campaign c = faults_campaign(job, "dstack/le1",
                                             (struct fsim_options){.run.threads = 1});
    struct fsim_counts want;
    struct fl_buf b = {0};
    const char *at;
    faults_count(&c.list, c.result, false, -1, -1, &want);
    struct store *s = faults_store((const struct job *const *)&job, 1, "dstack/le1",
                                   (struct fsim_options){.run.threads = 1});
    b = faults_export(s, "table");
    fl_buf_add(&b, "", 1);
    const char *heads = strstr((char *)b.data, "\njob "),
               *row = heads ? strchr(heads + 1, '\n') : NULL;
    CU_ASSERT_PTR_NOT_NULL_FATAL(row);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const char *name = fsim_outcome_name(order[i]), *head = strstr(heads, name);
        bool shown = head && head < row; /* an outcome of no fault has no column */
        CU_ASSERT_EQUAL(shown, want.by_outcome[order[i]] > 0);
        for (at = row + (shown ? head - heads + (long)strlen(name) : 0); shown && at[-1] != ' ';
             at--)
            ;
        CU_ASSERT_EQUAL(shown ? strtol(at, NULL, 10) : 0, want.by_outcome[order[i]]);
    }
    CU_ASSERT_NOT_EQUAL(want.by_outcome[OUT_PERFORMANCE], want.by_outcome[OUT_MASKED]);
    store_close(s, NULL);
    fl_buf_free(&b);
    fsim_campaign_free(&c);
    job_free(job);
}

static void each_commit_of_a_story_has_a_line(void)
{
    struct job *job = faults_job("tiny", 1, 32, one_join);
    struct fsim_campaign c = faults_campaign(job, "dstack/le1",
                                             (struct fsim_options){.run.threads = 1});
    long seen = 0;
    while (seen < c.list.count && c.result[seen].first_activation == FSIM_NEVER)
        seen++;
    CU_ASSERT_FATAL(seen < c.list.count);
    struct fsim_worker *w = fsim_worker_new(c.golden);
    struct fault_trace trace = {0};
    fsim_explain(w, &c.list.fault[seen], false, &trace);
    char *story = behind(&trace.text, "golden and faulty:\n");
    for (const char *line = story, *end; (end = strchr(line, '\n')); line = end + 1)
        CU_ASSERT(strncmp(line, "  golden ", 9) == 0
                      ? strncmp(end, "\n  faulty ", 10) == 0
                      : !memmem(line, (size_t)(end - line), "golden", 6));
    CU_ASSERT_EQUAL(strncmp(story, "  golden ", 9), 0);
    free(story);
    fault_trace_free(&trace);
    fsim_worker_free(w);
    fsim_campaign_free(&c);
    job_free(job);
}

/* A quarter alone, half with their LE known, the field of all. */
static void shares_of_a_dictionary_are_of_the_faults_that_are_seen(void)
{
    struct dict_resolution r = {.name = "all",
                                .faults = 8,
                                .groups = 4,
                                .alone = 2,
                                .element = 4,
                                .field = 8,
                                .bit = 1,
                                .candidates = 2.5};
    struct dict d = {.model = "stuck-at",
                     .target = (char *)"dstack",
                     .profile = (char *)"tiny",
                     .nfaults = 9,
                     .ngroups = 5,
                     .nresolutions = 1,
                     .resolution = &r};
    struct fl_buf b = {0};
    dict_report(&d, &b);
    char *rows = behind(&b, "field %  bit %\n");
    CU_ASSERT_STRING_EQUAL(rows,
                           "all        8           4      2    25.00        2.50       50.00   "
                           "100.00  12.50\n");
    free(rows);
    fl_buf_free(&b);
}

static struct avf_report avf_of(struct store **s)
{
    struct fl_err err = {{0}};
    *s = made_up_campaign(NULL, false, 1, 1, MADE_UP_UNITS, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(*s);
    return (struct avf_report){.result = store_result(*s), .made = "faultline 0 model=transient"};
}

static void shares_of_outcomes_stand_under_their_names(void)
{
    struct store *s;
    struct avf_report a = avf_of(&s);
    struct fl_buf b = {0};
    avf_report_table(&a, &b, NULL);
    char *table = behind(&b, "Outcomes of the flips (percent):\n");
    size_t width = strcspn(table, "\n");
    for (const char *line = table; *line; line += width + 1)
        CU_ASSERT_EQUAL_FATAL(strcspn(line, "\n"), width);
    free(table);
    fl_buf_free(&b);
    store_close(s, NULL);
}

static void xml_has_no_rate_where_none_is_known(void)
{
    struct store *s;
    struct avf_report a = avf_of(&s);
    struct fl_buf b = {0};
    CU_ASSERT_EQUAL(avf_report_xml(&a, &b, NULL), 0);
    CU_ASSERT_PTR_NULL(memmem(b.data, b.size, "fit_per_bit", 11));
    a.fit_per_bit = 1e-5;
    b.size = 0;
    CU_ASSERT_EQUAL(avf_report_xml(&a, &b, NULL), 0);
    CU_ASSERT_PTR_NOT_NULL(memmem(b.data, b.size, "fit_per_bit=\"1e-05\"", 19));
    fl_buf_free(&b);
    store_close(s, NULL);
}

/* ---- sbstgen ------------------------------------------------------------------------------------------------------ */

static struct sbst_library *library;
static struct sbst_machine machine;

static struct sbst_program program(void)
{
    struct fl_err err = {{0}};
    struct sbst_program p;
    CU_ASSERT_EQUAL_FATAL(sbst_library_load(FAULTLINE_SOURCE_DIR, &library, &err), 0);
    CU_ASSERT_EQUAL_FATAL(sbst_machine_load(FAULTLINE_SOURCE_DIR, "flexgripplus", &machine, &err),
                          0);
    CU_ASSERT_EQUAL_FATAL(
        sbst_compose(library, &machine,
                     &(struct sbst_request){.le_first = 1, .le_last = 3, .minimal = true}, &p,
                     &err),
        0);
    return p;
}

static void program_end(struct sbst_program *p)
{
    sbst_program_free(p);
    sbst_machine_free(&machine);
    sbst_library_free(library);
}

static void the_summary_of_a_listing_adds_up(void)
{
    struct fl_err err = {{0}};
    struct sbst_program p = program();
    struct fl_buf source = {0}, listing = {0};
    struct cubin *cubin = NULL;
    sbst_write_source(&p, &source);
    CU_ASSERT_EQUAL_FATAL(sbst_assemble(&p, &source, &cubin, &err), 0);
    CU_ASSERT_EQUAL_FATAL(sbst_write_listing(&p, cubin, &listing, &err), 0);
    char *rows = behind(&listing, "instructions  bytes  executed\n"), name[32];
    int sum[4] = {0}, n[4], all = 0;
    for (const char *row = rows; row && !all; row = strchr(row, '\n'), row += row != NULL) {
        CU_ASSERT_EQUAL_FATAL(sscanf(row, "%31s %d %d %d %d", name, n, n + 1, n + 2, n + 3), 5);
        all = strcmp(name, "all") == 0;
        for (int i = 0; i < 4; i++)
            sum[i] += all ? -n[i] : n[i];
    }
    CU_ASSERT(all);
    CU_ASSERT_EQUAL(n[0], p.kernel[0].nsteps);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(sum[i], 0);
    free(rows);
    cubin_free(cubin);
    fl_buf_free(&source);
    fl_buf_free(&listing);
    program_end(&p);
}

static void elements_of_a_job_stand_in_lines_of_their_own(void)
{
    struct fl_err err = {{0}};
    struct sbst_program p = program();
    struct fl_buf b = {0};
    CU_ASSERT_EQUAL(sbst_write_job(&p, &b, &err), 0);
    fl_buf_add(&b, "", 1);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)b.data, "\n  <launch "));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)b.data, "\n    <param "));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)b.data, "\n</job>\n"));
    fl_buf_free(&b);
    program_end(&p);
}

/* ---- documents ----------------------------------------------------------------------------------------------------- */

/* The file in the source tree as a string. Caller frees. */
static char *text_of(const char *file)
{
    struct fl_buf b = {0};
    struct fl_err err = {""};
    char *path = fl_format("%s/%s", FAULTLINE_SOURCE_DIR, file);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &b, &err), 0);
    fl_buf_add(&b, "", 1);
    free(path);
    return (char *)b.data;
}

static void the_comparison_with_other_tools_counts_the_structures_there_are(void)
{
    char *text = text_of("docs/explain/sources.md"), *at = strstr(text, "| faults in | ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    CU_ASSERT_EQUAL(atoi(at + strlen("| faults in | ")), SM_STRUCTURES);
    free(text);
}

static void the_folders_that_mutants_changes_are_those_of_its_documentation(void)
{
    char *script = text_of("scripts/mutants"), *text = text_of("scripts/README.md");
    char *room = strstr(script, "\nROOMS = ("), *line = strstr(text, "| `mutants`");
    CU_ASSERT_FATAL(room && line);
    *strchr(room + 1, '\n') = 0;
    *strchr(line, '\n') = 0;
    strtok(room, "\"");
    for (char *name; (name = strtok(NULL, "\"")); strtok(NULL, "\"")) {
        char *word = fl_format("`%s`", name);
        if (!strstr(line, word))
            printf("\nscripts/README.md: mutants changes %s, too\n", word);
        CU_ASSERT_PTR_NOT_NULL(strstr(line, word));
        free(word);
    }
    free(script);
    free(text);
}

int main(void)
{
    return CHECK_RUN("text", CHECK(each_outcome_is_counted_under_its_name),
                     CHECK(each_commit_of_a_story_has_a_line),
                     CHECK(shares_of_a_dictionary_are_of_the_faults_that_are_seen),
                     CHECK(shares_of_outcomes_stand_under_their_names),
                     CHECK(xml_has_no_rate_where_none_is_known),
                     CHECK(the_summary_of_a_listing_adds_up),
                     CHECK(elements_of_a_job_stand_in_lines_of_their_own),
                     CHECK(the_comparison_with_other_tools_counts_the_structures_there_are),
                     CHECK(the_folders_that_mutants_changes_are_those_of_its_documentation));
}
