/* test_exports.c -- an export of a campaign and of its store are the same bytes, whatever the model, the options and the
 * export: which there are is asked of the tables of commands, options and writers.
 */
#include "faultsim/cli/values.h"
#include "faultsim/faults/layout.h"
#include "faultsim/report/exports.h"
#include "tests/lib/commands.h"
#include "tests/lib/faults.h"

/* ---- all of them --------------------------------------------------------------------------------------------------- */

#define NETLISTS FAULTLINE_BUILD_DIR "/gates"

/* What an option is given: those that decide what is injected, when and how. Of two for one name the first that fits. */
static const struct {
    const char *option, *command, *value;
} values[] = {
    {"target", "stuck-at", "pc,cc/w0,rf/p0-1,dstack/w*/le1"},
    {"target", "memory", "rf/p0-1,shared/p0-1"},
    {"target", NULL, "cc,pc"},
    {"faults", "transient", "flips"},
    {"faults", "intermittent", "held"},
    {"faults", "gate", "gates"},
    {"faults", NULL, "rf/p1/b3"},
    {"kind", NULL, "tf,cfid"},
    {"value", NULL, "random --target dest"},
    {"unit", NULL, "alu_cvt"},
    {"sp", NULL, "1"},
    {"in-sm", NULL, "0"},
    {"launch", NULL, "0"},
    {"cycles", NULL, "20-90"},
    {"hold", NULL, "7"},
    {"bits", NULL, "adjacent:2"},
    {"entries", NULL, "2"},
    {"same-in", NULL, "0"},
    {"blocks", NULL, "1 --target shared"},
    {"with", NULL, "pc"},
    {"budget", NULL, "100"},
    {"sample", NULL, "23"},
    {"margin", NULL, "0.2"},
    {"confidence", NULL, "0.9"},
    {"model", "gate", "transition"},
    {"seed", NULL, "5"},
};
/* These run no campaign, or that of a program (test_closed_loop.c). */
static const char *const other[] = {
    "fault",        "write-faults", "check",         "netlists",    "liberty",      "classes",
    "predict",      "output",       "time-limit",    "no-stdout",   "ignore-lines", "exit",
    "check-output", "skip-rung",    "return-errors", "error-model", "dump"};

static const struct cli_option *row_of(int command, const char *name)
{
    for (const struct cli_option *o = cli_options; o < cli_options + cli_option_count; o++)
        if ((o->commands >> command & 1) && strcmp(o->name, name) == 0)
            return o;
    return NULL;
}

/* The option and its value, or NULL: it is none of a campaign. Caller frees. */
static char *words_of(int command, const struct cli_option *o)
{
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (strcmp(other[i], o->name) == 0)
            return NULL;
    if (!o->argument)
        return fl_format("--%s", o->name);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(values[i].option, o->name) == 0 &&
            (!values[i].command || strcmp(values[i].command, cli_commands[command].name) == 0))
            return fl_format("--%s %s", o->name, values[i].value);
    printf("\n    no value for --%s of %s: give it one in `values`\n", o->name,
           cli_commands[command].name);
    CU_FAIL("an option without a value");
    return NULL;
}

/* What is left out of a line, until faultsim takes it: options may contradict each other. */
enum { SECOND_JOB = 1, SAMPLE = 2, CSV_FAULTS = 4, ATTEMPTS = 8, NOT_TAKEN = 2 };

static const char *schema_of(int command, const struct report_export *e)
{
    struct result_part part = {.model = (char *)cli_commands[command].model};
    struct result r = {.nparts = 1, .part = &part};
    return e->by[report_kind(&(struct avf_report){.result = &r})].schema;
}

/* Runs a campaign into a store, reports that, compares all. Returns what the shell does. */
static int run(int command, const char *words, int without, bool page, struct fl_buf *said)
{
    struct fl_buf a = {0}, b = {0}, check = {0};
    fl_buf_printf(&a, "rm -f s.db; faultsim %s %s --store s.db good.job.xml%s",
                  cli_commands[command].name, words, without & SECOND_JOB ? "" : " second.job.xml");
    bool samples = command != CLI_STUCK_AT || strstr(words, "--seed");
    if (row_of(command, "sample") && samples && !(without & SAMPLE) && !strstr(words, "--sample"))
        fl_buf_printf(&a, " --sample 20");
    if (row_of(command, "netlists"))
        fl_buf_printf(&a, " --netlists " NETLISTS "%s%s",
                      strstr(words, "--unit") ? "" : " --unit alu_cvt",
                      strstr(words, "--sp") ? "" : " --sp 0");
    fl_buf_printf(&b, "faultsim report s.db");
    fl_buf_printf(&check, "cmp a.table b.table");
    for (int i = 0; i < report_export_count; i++) {
        const char *name = report_exports[i].name, *schema = schema_of(command, &report_exports[i]);
        if (!row_of(command, name) || (strcmp(name, "html") == 0 && !page) ||
            ((strcmp(name, "csv-faults") == 0 || strcmp(name, "words") == 0) &&
             (without & CSV_FAULTS)))
            continue;
        fl_buf_printf(&a, " --%s a.%s", name, name);
        fl_buf_printf(&b, " --%s b.%s", name, name);
        fl_buf_printf(&check, " && cmp a.%s b.%s", name, name);
        if (schema)
            fl_buf_printf(&check,
                          " && xmllint --noout --relaxng " FAULTLINE_SOURCE_DIR "/docs/%s "
                          "a.%s 2>&1",
                          schema, name);
    }
    char *line = fl_format("%s >a.table || exit; %s >b.table && %s || exit 9", (char *)a.data,
                           (char *)b.data, (char *)check.data);
    int status = commands_run(line, said, NULL);
    if (status != 0 && status != NOT_TAKEN)
        printf("\n    %s\n    %s", line, commands_text(said));
    free(line);
    fl_buf_free(&a);
    fl_buf_free(&b);
    fl_buf_free(&check);
    return status;
}

/* Frees the words. */
static void look_at(int command, char *words, bool page)
{
    struct fl_buf said = {0};
    int status = NOT_TAKEN;
    for (int without = 0; without < ATTEMPTS && status == NOT_TAKEN; without++)
        status = run(command, words, without, page, &said);
    if (status == NOT_TAKEN)
        printf("\n    faultsim %s %s: takes no campaign", cli_commands[command].name, words);
    CU_ASSERT_EQUAL(status, 0);
    fl_buf_free(&said);
    free(words);
}

static bool can_run(int command)
{
    return row_of(command, "store") && row_of(command, "quiet") &&
           (!row_of(command, "netlists") || access(NETLISTS "/alu_cvt.blif", R_OK) == 0);
}

static void each_model_gives_each_export_the_bytes_that_its_store_gives(void)
{
    int models = 0;
    for (int c = 0; c < CLI_COMMANDS; c++) {
        if (!row_of(c, "store"))
            continue;
        CU_ASSERT_PTR_NOT_NULL(cli_commands[c].model);
        for (int i = 0; i < report_export_count; i++)
            CU_ASSERT(row_of(c, report_exports[i].name) ||
                      strcmp(report_exports[i].name, "table") == 0);
        if (!row_of(c, "netlists"))
            look_at(c, fl_strdup(""), !SANITIZED);
        models++;
    }
    CU_ASSERT(models >= 5);
}

/* Intervals of each, of both together, and of the union of two jobs. */
static void samples_of_several_targets_give_each_export_the_bytes_that_their_store_gives(void)
{
    static const struct {
        int command;
        const char *words;
    } all[] = {{CLI_STUCK_AT, "--target pc,cc/w0,rf/p0-1,dstack/w*/le1 --sample 23"},
               {CLI_MEMORY, "--target rf/p0-1,shared/p0-1 --sample 46"},
               {CLI_GATE, "--unit alu_cvt,alu_int --sp 1 --sample 23"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (can_run(all[i].command))
            look_at(all[i].command, fl_strdup(all[i].words), !SANITIZED || i == 0);
}

static void gates_give_each_export_the_bytes_that_their_store_gives(void)
{
    if (!can_run(CLI_GATE))
        check_skip("no netlist: yosys makes it");
    else
        look_at(CLI_GATE, fl_strdup(""), !SANITIZED);
}

/* The pages have the same sums as the other exports, and take gnuplot: they are left out. */
static void each_option_of_a_campaign_keeps_its_exports_those_of_its_store(void)
{
    int seen = 0;
    for (int c = 0; c < CLI_COMMANDS; c++)
        for (const struct cli_option *o = cli_options; o < cli_options + cli_option_count; o++) {
            if (!can_run(c) || !(o->commands >> c & 1) || o->section > CLI_METHOD)
                continue;
            char *words = words_of(c, o);
            if (words && (!SANITIZED || seen % 25 == 0))
                look_at(c, words, false);
            else
                free(words);
            seen++;
        }
    CU_ASSERT(seen > 40);
}

static void a_quiet_shard_prints_nothing(void)
{
    for (int c = 0; c < CLI_COMMANDS; c++) {
        struct fl_buf out = {0}, err = {0};
        if (!row_of(c, "shard") || !can_run(c))
            continue;
        char *line = fl_format(
            "rm -f s.db; faultsim %s %s %s --quiet --shard 1/2 --store s.db "
            "good.job.xml",
            cli_commands[c].name, c == CLI_INTERMITTENT ? "--sample 20" : "",
            row_of(c, "netlists") ? "--sample 20 --sp 0 --unit alu_cvt --netlists " NETLISTS : "");
        CU_ASSERT_EQUAL(commands_run(line, &out, &err), 0);
        CU_ASSERT_EQUAL(out.size, 0);
        CU_ASSERT_PTR_NULL(strstr(commands_text(&err), "Shard"));
        fl_buf_free(&out);
        fl_buf_free(&err);
        free(line);
    }
}

/* Two structures, a tolerance that a job states, and outcomes of each kind. */
static void tolerated_faults_stand_in_the_exports_of_a_store_too(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        commands_run("sed 's/<output /<output type=\"u32\" tolerance=\"rel:1e9\" /' "
                     "good.job.xml >tolerant.job.xml && rm -f s.db && "
                     "faultsim stuck-at --target rf/p0-15 tolerant.job.xml --store s.db "
                     "--csv a --xml ax --csv-faults af >at && faultsim report s.db "
                     "--csv b --xml bx --csv-faults bf >bt && cmp a b && cmp ax bx && "
                     "cmp af bf && cmp at bt && grep -c tolerable a at ax af",
                     &said, NULL),
        0);
    fl_buf_free(&said);
}

/* ---- the name of what was injected into ---------------------------------------------------------------------------- */

static void holds(const struct store *s, const char *export, const char *what)
{
    struct fl_buf text = faults_export(s, export);
    bool good = strstr((char *)text.data, what) != NULL;
    if (!good)
        printf("\n    %s lacks '%s'", export, what);
    CU_ASSERT_TRUE(good);
    fl_buf_free(&text);
}

/* Whatever the line said: a pattern, several, all. */
static void exports_name_the_structures_that_have_faults(void)
{
    static const struct {
        const char *pattern, *csv, *xml, *table;
    } all[] = {
        {"rf/p5/b3:sa*", "\ntest,rf,stuck-at,c,2,", "target=\"rf\"", "stuck-at faults in rf, "},
        {"dstack/w0/le1/tm0:sa0", "\ntest,dstack,", "target=\"dstack\"",
         "faults in dstack of warp slot 0 of 2, profile tiny: 1 fault, "},
        {"cc/w0,pc,dstack/w1/le1", "\ntest,\"dstack,cc,pc\",stuck-at,c,", "target=\"dstack,cc,pc\"",
         "stuck-at faults in dstack,cc,pc, profile"},
    };
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct store *s = faults_store((const struct job *const *)&job, 1, all[i].pattern,
                                       (struct fsim_options){.run.threads = 1});
        holds(s, "csv", all[i].csv);
        holds(s, "xml", all[i].xml);
        holds(s, "table", all[i].table);
        store_close(s, NULL);
    }
    job_free(job);
}

/* A field of each structure of both lists. */
static void an_id_tells_structure_and_field(void)
{
    struct fl_err err = {{0}};
    struct job *job = faults_job("g80", 1, 32, EVERYTHING);
    struct sm_image *img = sm_image_new(job, &err);
    int asked = 0, structure, field;
    for (int i = 0; i < SM_ALL_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(img, i, &s);
        for (int f = 0; f < s.nfields && sm_structure_bits(&s); f++)
            for (uint8_t kind = 0; kind < (layout_is_memory(i) ? FSIM_KINDS : 1); kind++) {
                struct fsim_fault fault = {.cell = {.structure = i, .field = f}, .kind = kind};
                char id[FSIM_ID];
                fsim_id(img, &fault, id);
                bool good = fsim_id_field(id, &structure, &field) && structure == i &&
                            field == (kind >= FSIM_AF_NONE ? 0 : f);
                if (!good)
                    printf("\n    %s: structure %d, field %d", id, structure, field);
                CU_ASSERT_TRUE(good);
                CU_ASSERT_TRUE(fsim_id_is_one(id));
                asked++;
            }
    }
    CU_ASSERT_TRUE(asked > 100);
    static const char *const ids[] = {
        "gate/alu_int.sp0/n12:sa0",       "gate/flow/n120.1:str", "gate/sfu/o17:stf",
        "gate/flow/n120@345:glitch",      "cc/w0/c1/z3@12-:sa1",  "sm2/l1d/set0/way1/tag7@9-12:sa0",
        "rf/p5/b1@7:flip+rf/p6/b1@7:flip"};
    static const char *const none[] = {"",
                                       "rf/p5/b1",
                                       "rf/p5/x1:sa0",
                                       "rf/q5/b1:sa0",
                                       "rf/p/b1:sa0",
                                       "rf/p5/b1:sa2",
                                       "rf/p5/b1:sa0 ",
                                       "rf/p5/b1@:flip",
                                       "gate/alu/n12:flip",
                                       "gate/alu/x12:sa0",
                                       "rf/p5:sa0",
                                       "rf/p5/b1@7:flip+",
                                       "sm/rf/p5/b1:sa0",
                                       "rf/p*/b1:sa0",
                                       "rf/p1;02/b1:sa0"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        CU_ASSERT_TRUE(fsim_id_is_one(ids[i]));
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CU_ASSERT_FALSE(fsim_id_is_one(none[i]));
    CU_ASSERT_FALSE(fsim_id_field("gate/alu_int.sp0/n12:sa0", &structure, &field));
    CU_ASSERT_FALSE(fsim_id_field("rf/p5/x3:sa0", &structure, &field));
    sm_image_free(img);
    job_free(job);
}

/* rsvg-convert is a script here, that copies. */
static void plots_become_pdfs_where_rsvg_convert_is_there_and_else_it_says_so(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run("mkdir -p with without && printf '#!/bin/sh\\ncp \"$5\" \"$4\"\\n' "
                     ">with/rsvg-convert && chmod +x with/rsvg-convert",
                     NULL, NULL),
        0);
    CU_ASSERT_EQUAL(commands_run("PATH=$PWD/with:$PATH faultsim stuck-at good.job.xml --plots pdfs",
                                 &out, NULL),
                    0);
    CU_ASSERT_PTR_NULL(strstr(commands_text(&out), "rsvg-convert"));
    CU_ASSERT_EQUAL(commands_run("cmp pdfs/01-outcomes.svg pdfs/01-outcomes.pdf", NULL, NULL), 0);
    fl_buf_free(&out);
    CU_ASSERT_EQUAL(commands_run("f=$(command -v faultsim); PATH=$PWD/without \"$f\" stuck-at "
                                 "good.job.xml --plots none",
                                 &out, NULL),
                    0);
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), "there are no PDFs, as rsvg-convert"));
    CU_ASSERT_EQUAL(
        commands_run("test -s none/01-outcomes.svg && ! ls none | grep pdf", NULL, NULL), 0);
    fl_buf_free(&out);
}

static void a_folder_of_plots_holds_those_of_the_last_campaign_alone(void)
{
    static const char *const lines[] = {
        "faultsim transient --sample 20 --quiet good.job.xml --plots used",
        "echo mine >used/notes.txt && echo mine >used/data.csv",
        "faultsim stuck-at --quiet good.job.xml --plots used",
        "faultsim stuck-at --quiet good.job.xml --plots fresh",
        "faultsim stuck-at --quiet good.job.xml --plots -old && diff -r fresh ./-old",
        "test $(cat used/notes.txt) = mine && test $(cat used/data.csv) = mine",
        "rm used/notes.txt used/data.csv && diff -r used fresh && "
        "ls used | grep -v plots.list | diff - <(sed 1d used/plots.list | sort)",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *line = fl_format("bash -c '%s'", lines[i]);
        CU_ASSERT_EQUAL(commands_run(line, NULL, NULL), 0);
        free(line);
    }
}

static void a_folder_with_plots_that_are_not_ours_is_refused_and_stays_as_it_is(void)
{
    static const struct {
        const char *file, *says;
    } cases[] = {
        {"03-mine.csv", "--plots theirs: 03-mine.csv in it has the name of a plot, and plots.list "
                        "names no such file; move it away, or name another folder"},
        {"plots.list", "theirs/plots.list: is no list of files of --plots; remove it, or name "
                       "another folder"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fl_buf said = {0};
        char *line = fl_format("mkdir theirs && echo mine >theirs/%s", cases[i].file);
        CU_ASSERT_EQUAL(commands_run(line, NULL, NULL), 0);
        CU_ASSERT_EQUAL(commands_run("faultsim stuck-at good.job.xml --plots theirs", NULL, &said),
                        1);
        CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&said), cases[i].says));
        CU_ASSERT_EQUAL(commands_run("test $(cat theirs/*) = mine && test $(ls theirs | wc -l) = 1",
                                     NULL, NULL),
                        0);
        CU_ASSERT_EQUAL(commands_run("rm -r theirs", NULL, NULL), 0);
        fl_buf_free(&said);
        free(line);
    }
}

int main(void)
{
    commands_start();
    commands_put("flips", "rf/p1/b1@5:flip\npc/w0/b2@3:flip\n");
    commands_put("held", "rf/p1/b1@5-9:sa1\n");
    commands_put("gates", "gate/alu_cvt/n70:sa0\ngate/alu_cvt/n71:sa1\n");
    commands_run("sed 's/name=\"t\"/name=\"u\"/' launches.job.xml >second.job.xml", NULL, NULL);
    int status = CHECK_RUN(
        "exports", CHECK(each_model_gives_each_export_the_bytes_that_its_store_gives),
        CHECK(samples_of_several_targets_give_each_export_the_bytes_that_their_store_gives),
        CHECK(gates_give_each_export_the_bytes_that_their_store_gives),
        CHECK(each_option_of_a_campaign_keeps_its_exports_those_of_its_store),
        CHECK(a_quiet_shard_prints_nothing),
        CHECK(tolerated_faults_stand_in_the_exports_of_a_store_too),
        CHECK(exports_name_the_structures_that_have_faults), CHECK(an_id_tells_structure_and_field),
        CHECK(a_folder_of_plots_holds_those_of_the_last_campaign_alone),
        CHECK(a_folder_with_plots_that_are_not_ours_is_refused_and_stays_as_it_is),
        CHECK(plots_become_pdfs_where_rsvg_convert_is_there_and_else_it_says_so));
    commands_end();
    return status;
}
