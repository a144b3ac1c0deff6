/* test_evidence.c -- campaigns as evidence: what counts as detected, safe and residual, and which stores belong together. */
#include "faultsim/evidence/evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "faultsim/report/coverage.h"
#include "faultsim/result/made.h"
#include "tests/lib/commands.h"
#include "tests/lib/faults.h"
#include "tests/lib/made_up.h"

/* ---- stores made by hand ---------------------------------------------------------------------- */

#define NETLIST "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* How each fault ends in each test. */
struct ends {
    const char *id;
    enum fsim_outcome outcome[2];
};
static const char *why = ""; /* the reason of each outcome */

struct hand {
    struct store *store;
    char *made;
    struct evidence_source source;
};

static struct result_job job_of(char test)
{
    struct result_job job = made_up_job(1);
    static char name[26][2];
    name[test - 'a'][0] = test;
    job.name = name[test - 'a'];
    memset(job.digest, test, 64);
    return job;
}

/* A campaign of gates of unit flow: its tests are called a, b and so on. */
static struct hand hand(const char *file, const char *tests, const struct ends *end, int n,
                        const char *more)
{
    struct hand h;
    struct fl_err err = {{0}};
    struct result_job job[2];
    int njobs = (int)strlen(tests);
    char *options = fl_format("faultline %s model=gate netlist=flow:" NETLIST " engine=rtl%s",
                              made_results("gate", "rtl"), more);
    for (int j = 0; j < njobs; j++)
        job[j] = job_of(tests[j]);
    struct store_identity id = {
        .options = options, .size = "", .shard = 1, .shards = 1, .njobs = njobs, .job = job};
    CU_ASSERT_EQUAL_FATAL(store_open(NULL, false, &id, &h.store, &err), 0);
    for (int j = 0; j < njobs; j++) {
        struct tally tally = {.cycles = 1000, .counted = 0};
        struct moment moment[3] = {{0}};
        struct result_part p = {.job = j,
                                .model = (char *)"gate",
                                .target = (char *)"gate/flow",
                                .engine = (char *)"rtl",
                                .method = METHOD_LIST,
                                .confidence = 0.95,
                                .units = 1,
                                .flips = (uint64_t)n,
                                .cut = (uint64_t)n,
                                .tally = &tally,
                                .moment = moment};
        struct store_found f;
        CU_ASSERT_EQUAL_FATAL(store_job(h.store, j, &job[j], &err), 0);
        int part = store_part(h.store, &p, &err);
        CU_ASSERT_TRUE_FATAL(part >= 0);
        store_found_make(&f, h.store, part);
        for (int i = 0; i < n; i++) {
            char *name = fl_format("gate/flow/%s", end[i].id);
            const struct store_injection inj = {.number = (uint64_t)i,
                                                .id = name,
                                                .outcome = end[i].outcome[j],
                                                .reason = why,
                                                .first_activation = 1,
                                                .end = 2,
                                                .by = (double)NAN,
                                                .place = (uint64_t)i + 1};
            store_found_inject(&f, &inj);
            f.tally[0].outcome[end[i].outcome[j]]++;
            f.tally[0].counted++;
            free(name);
        }
        CU_ASSERT_EQUAL_FATAL(store_put(h.store, part, 0, &f, &err), 0);
        store_found_free(&f);
    }
    CU_ASSERT_EQUAL_FATAL(store_finish(h.store, &err), 0);
    h.made = made_exported(options, "1 revision=0");
    h.source = (struct evidence_source){h.store, store_result(h.store), h.made, file};
    free(options);
    return h;
}

static void drop(struct hand *h)
{
    store_close(h->store, NULL);
    free(h->made);
}

static const struct ends six[] = {
    {"n1:sa0", {OUT_SDC, OUT_MASKED}},    {"n1:sa1", {OUT_CRASH, OUT_SDC}},
    {"n2:sa0", {OUT_HANG, OUT_HANG}},     {"n2:sa1", {OUT_TIMEOUT, OUT_CRASH}},
    {"n3:sa0", {OUT_MASKED, OUT_MASKED}}, {"n3:sa1", {OUT_PERFORMANCE, OUT_MASKED}}};

/* Opens it, or checks what the refusal says. */
static int opened(struct evidence_given *g, struct evidence *e, const char *says)
{
    struct fl_err err = {{0}};
    int bad = evidence_open(g, e, &err);
    if (says ? !bad || !strstr(err.msg, says) : bad)
        printf("\n    wanted '%s', got '%s'", says ? says : "", err.msg);
    CU_ASSERT_TRUE(says ? bad && strstr(err.msg, says) : !bad);
    return bad;
}

static void a_fault_counts_once_with_all_means_that_show_it_in_any_test(void)
{
    struct hand h = hand("a.db", "ab", six, 6, "");
    struct evidence_given g = {.source = &h.source, .sources = 1};
    struct evidence e;
    CU_ASSERT_FALSE_FATAL(opened(&g, &e, NULL));
    const struct evidence_part *p = &e.part[0];
    CU_ASSERT_EQUAL(p->faults, 6);
    CU_ASSERT_EQUAL(p->drawn - p->by[0], 4);
    CU_ASSERT_EQUAL(p->by[EVIDENCE_SIGNATURE], 1);
    CU_ASSERT_EQUAL(p->by[EVIDENCE_SIGNATURE | EVIDENCE_TRAP], 1);
    CU_ASSERT_EQUAL(p->by[EVIDENCE_WATCHDOG | EVIDENCE_TRAP], 1);
    CU_ASSERT_EQUAL(p->test[0].detected, 4);
    CU_ASSERT_EQUAL(p->test[1].detected, 3);
    CU_ASSERT_EQUAL(p->test[0].alone, 1);
    CU_ASSERT_EQUAL(p->test[1].alone, 0);
    double sum = 0;
    for (int m = 0; m < EVIDENCE_MEANS; m++)
        sum += evidence_first(&e, p, m);
    CU_ASSERT_DOUBLE_EQUAL(sum, 4.0 / 6, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(evidence_detected(&e, p, EVIDENCE_ANY).share, 4.0 / 6, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(
        evidence_detected(&e, p, EVIDENCE_ANY & ~(unsigned)EVIDENCE_WATCHDOG).share, 3.0 / 6,
        1e-12);
    CU_ASSERT_DOUBLE_EQUAL(evidence_detected(&e, p, EVIDENCE_SIGNATURE).share, 2.0 / 6, 1e-12);
    evidence_close(&e);
    drop(&h);
}

static void two_stores_of_a_part_detect_what_one_store_of_all_tests_detects(void)
{
    struct ends second[6];
    for (int i = 0; i < 6; i++)
        second[i] = (struct ends){six[i].id, {six[i].outcome[1]}};
    struct hand both = hand("ab.db", "ab", six, 6, ""), a = hand("a.db", "a", six, 6, ""),
                b = hand("b.db", "b", second, 6, "");
    struct evidence_source two[] = {a.source, b.source};
    struct evidence_given one = {.source = &both.source, .sources = 1},
                          joined = {.source = two, .sources = 2};
    struct evidence e, f;
    CU_ASSERT_FALSE_FATAL(opened(&one, &e, NULL));
    CU_ASSERT_FALSE_FATAL(opened(&joined, &f, NULL));
    CU_ASSERT_EQUAL(f.parts, 1);
    CU_ASSERT_EQUAL(f.tests, 2);
    CU_ASSERT_EQUAL(memcmp(e.part[0].by, f.part[0].by, sizeof e.part[0].by), 0);
    for (int t = 0; t < 2; t++)
        CU_ASSERT_EQUAL(e.part[0].test[t].alone, f.part[0].test[t].alone);
    evidence_close(&e);
    evidence_close(&f);
    drop(&both);
    drop(&a);
    drop(&b);
}

#define HEAD                                                                                       \
    "# unit flow, profile g80\n# netlist " NETLIST "\n# cycles 100\nunit,fault,verdict,proof\n"

/* What no program shows is safe; what only no program that ends shows is residual, and so is what no campaign has. */
static void only_faults_that_no_program_shows_are_safe(void)
{
    commands_put("flow.verdicts.csv",
                 HEAD "flow,n1:sa0,testable,\nflow,n1:sa1,testable,\nflow,n2:sa0,cycles,p\n"
                      "flow,n2:sa1,undecided,p\nflow,n3:sa0,trap,p\nflow,n3:sa1,unobserved,p\n");
    char *path = commands_path("flow.verdicts.csv");
    struct hand h = hand("a.db", "a", six, 6, "");
    struct evidence_given g = {
        .source = &h.source, .sources = 1, .proof = (const char *const *)&path, .proofs = 1};
    struct evidence e;
    struct fl_buf residual = {0};
    struct evidence_share s;
    CU_ASSERT_FALSE_FATAL(opened(&g, &e, NULL));
    CU_ASSERT_EQUAL(e.part[0].safe, 1);
    CU_ASSERT_EQUAL(e.part[0].if_ends, 1);
    CU_ASSERT_DOUBLE_EQUAL(evidence_detected(&e, &e.part[0], EVIDENCE_ANY).share, 4.0 / 5, 1e-12);
    CU_ASSERT_TRUE(evidence_total(&e, EVIDENCE_GATES, EVIDENCE_ANY, true, &s));
    CU_ASSERT_DOUBLE_EQUAL(s.share, 1, 1e-12);
    evidence_residual_csv(&e, "made", &residual);
    CU_ASSERT_PTR_NOT_NULL(
        strstr((char *)residual.data, "gate/flow,gate,gate/flow/n3:sa0,if_ends\n"));
    CU_ASSERT_PTR_NULL(strstr((char *)residual.data, "n3:sa1"));
    fl_buf_free(&residual);
    evidence_close(&e);
    drop(&h);
    /* of a list the other faults of the netlist are known by its verdicts */
    h = hand("list.db", "a", six, 2, " list=2,abc");
    g.source = &h.source;
    CU_ASSERT_FALSE_FATAL(opened(&g, &e, NULL));
    CU_ASSERT_EQUAL(e.part[0].faults, 6);
    CU_ASSERT_EQUAL(e.part[0].unsimulated, 2);
    CU_ASSERT_DOUBLE_EQUAL(evidence_detected(&e, &e.part[0], EVIDENCE_ANY).share, 2.0 / 5, 1e-12);
    evidence_close(&e);
    drop(&h);
    free(path);
}

static void a_verdict_on_all_transition_delay_faults_of_a_unit_makes_each_safe(void)
{
    static const struct ends two[] = {{"n1:str", {OUT_MASKED}}, {"n1:stf", {OUT_MASKED}}};
    commands_put("rests.csv", "# unit flow, profile g80\n# netlist " NETLIST
                              "\n# cycles 9\n# transition-delay unobserved pipe-rests\n"
                              "unit,fault,verdict,proof\nflow,n1:sa0,testable,\n");
    char *path = commands_path("rests.csv");
    struct hand h = hand("a.db", "a", two, 2, " faults=transition");
    struct evidence_given g = {
        .source = &h.source, .sources = 1, .proof = (const char *const *)&path, .proofs = 1};
    struct evidence e;
    CU_ASSERT_FALSE_FATAL(opened(&g, &e, NULL));
    CU_ASSERT_EQUAL(e.part[0].safe, 2);
    evidence_close(&e);
    drop(&h);
    h = hand("b.db", "a", six, 2, " faults=transition");
    g.source = &h.source;
    opened(&g, &e, "n1:sa0: it is proved that no program shows this fault, and a job detects it");
    drop(&h);
    free(path);
}

/* Then they are testable, detected or not; a wrong output would be one of a program that ends. */
static void a_job_that_must_trap_shows_faults_that_no_program_that_ends_shows(void)
{
    static const struct ends three[] = {
        {"n1:sa0", {OUT_SDC}}, {"n1:sa1", {OUT_MASKED}}, {"n2:sa0", {OUT_CRASH}}};
    why = "status";
    commands_put("traps.csv",
                 HEAD "flow,n1:sa0,trap,p\nflow,n1:sa1,trap,p\nflow,n2:sa0,testable,\n");
    char *path = commands_path("traps.csv");
    struct hand h = hand("a.db", "a", three, 3, "");
    struct evidence_given g = {
        .source = &h.source, .sources = 1, .proof = (const char *const *)&path, .proofs = 1};
    struct evidence e;
    CU_ASSERT_FALSE_FATAL(opened(&g, &e, NULL));
    CU_ASSERT_EQUAL(e.part[0].if_ends, 0);
    CU_ASSERT_EQUAL(e.part[0].by[EVIDENCE_TRAP], 2);
    CU_ASSERT_DOUBLE_EQUAL(evidence_detected(&e, &e.part[0], EVIDENCE_ANY).share, 2.0 / 3, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(evidence_detected(&e, &e.part[0], EVIDENCE_SIGNATURE).share, 0, 1e-12);
    evidence_close(&e);
    drop(&h);
    why = "";
    h = hand("b.db", "a", three, 3, "");
    g.source = &h.source;
    opened(&g, &e,
           "n1:sa0: it is proved that no program that ends shows this fault, and a job detects it");
    drop(&h);
    free(path);
}

static void verdicts_that_are_cut_short_of_another_netlist_or_refuted_are_refused(void)
{
    static const struct {
        const char *text, *says;
    } cases[] = {
        {HEAD "flow,n1:sa0,untestable,p\nflow,n1:sa1,testable,\nflow,n2:sa0,testable,\nflow,n2:sa1,"
              "testable,\n"
              "flow,n3:sa0,testable,\nflow,n3:sa1,testable,\n",
         "gate/flow/n1:sa0: it is proved that no program shows this fault, and a job "
         "detects it"},
        {HEAD "flow,n1:sa0,test", "bad.csv:5: the file ends within this line"},
        {HEAD "flow,n1:sa0,testable,\n", "bad.csv: has verdicts on 1 faults, and gate/flow has 6"},
        {HEAD "flow,n1:sa0,maybe,\n", "bad.csv:5: is no row of verdicts"},
        {HEAD, "bad.csv: has no verdict"},
        {"unit,fault,verdict,proof\n", "bad.csv: does not name its netlist"},
        {"# netlist ab12\nfault,faults,verdict,pattern\nn1:sa0,1,testable,0\n",
         "bad.csv: is about netlist ab12"},
    };
    struct hand h = hand("a.db", "a", six, 6, "");
    char *path = commands_path("bad.csv");
    struct evidence_given g = {
        .source = &h.source, .sources = 1, .proof = (const char *const *)&path, .proofs = 1};
    struct evidence e;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        commands_put("bad.csv", cases[i].text);
        opened(&g, &e, cases[i].says);
    }
    free(path);
    drop(&h);
}

static void rates_give_fit_by_part_and_wrong_ones_are_refused_with_their_line(void)
{
    static const struct {
        const char *text, *says;
    } cases[] = {{"gate/flow 1\n", ":1: give PART FIT Mbit"},
                 {"# x\ngate/flow 1 Mbit\n", ":2: gate/flow has a rate per gate or unit"},
                 {"gate/flow 2 gate\n", ":1: give PART"},
                 {"gate/flow -1 unit\n", ":1: give PART"},
                 {"rf 1 Mbit\n", ":1: no store has stuck-at faults of rf"},
                 {"gate/flow 1 unit\ngate/flow 2 unit\n", ":2: gate/flow has a rate already"},
                 {"# gate/flow 1 unit\n", "rates: has no rate"}};
    struct hand h = hand("a.db", "a", six, 6, "");
    char *path = commands_path("rates");
    struct evidence_given g = {.source = &h.source, .sources = 1, .rates = path};
    struct evidence e;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        commands_put("rates", cases[i].text);
        opened(&g, &e, cases[i].says);
    }
    commands_put("rates", "cells 7 Mbit\ngate/flow 0.5 gate 12\n");
    CU_ASSERT_FALSE_FATAL(opened(&g, &e, NULL));
    CU_ASSERT_DOUBLE_EQUAL(e.part[0].fit, 6, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(evidence_fit_residual(&e, &e.part[0], EVIDENCE_ANY).share, 2, 1e-12);
    evidence_close(&e);
    free(path);
    drop(&h);
}

static void stores_that_do_not_belong_together_are_refused_by_name(void)
{
    struct hand a = hand("a.db", "a", six, 6, ""), same = hand("b.db", "a", six, 6, ""),
                other = hand("c.db", "b",
                             (struct ends[]){{"n1:sa0", {OUT_SDC}}, {"n9:sa0", {OUT_SDC}}}, 2, ""),
                part = hand("d.db", "b", six, 3, "");
    struct evidence_source two[] = {a.source, same.source};
    struct evidence_given g = {.source = two, .sources = 2};
    struct evidence e;
    opened(&g, &e, "a.db and b.db have the same job a with faults of gate/flow");
    two[1] = other.source;
    opened(&g, &e,
           "the stores have different faults of gate/flow, and none of them has all (6 of 7 are in "
           "a.db)");
    two[1] =
        part.source; /* a part of them is no other list: the rest is not detected by its tests */
    CU_ASSERT_FALSE_FATAL(opened(&g, &e, NULL));
    evidence_close(&e);
    char *netlist = fl_strdup(part.made), *version = fl_strdup(part.made);
    memcpy(strstr(netlist, "flow:") + 5, "fedc", 4);
    memcpy(strstr(version, "results=") + 8, "9", 1);
    two[1].made = netlist;
    opened(&g, &e, "d.db has faults of another netlist of gate/flow");
    two[1].made = version;
    opened(&g, &e, "d.db: its results are those of another version");
    struct result_job *job = store_result(part.store)->job;
    two[1].made = part.made;
    job->warps++;
    opened(&g, &e, "d.db is of profile g80 with 8 SPs (b), a.db of profile g80");
    job->warps--;
    free(netlist);
    free(version);
    drop(&a);
    drop(&same);
    drop(&other);
    drop(&part);
}

/* ---- stores of campaigns ----------------------------------------------------------------------- */

/* Sums of a column of parts.csv, and of the same of other exports: a shell line for each, which print one number. */
static void same_number(const char *a, const char *b)
{
    struct fl_buf x = {0}, y = {0};
    CU_ASSERT_EQUAL(commands_run(a, &x, NULL), 0);
    CU_ASSERT_EQUAL(commands_run(b, &y, NULL), 0);
    if (strcmp(commands_text(&x), commands_text(&y)) != 0 || !x.size)
        printf("\n    %s: %s    %s: %s", a, commands_text(&x), b, commands_text(&y));
    CU_ASSERT_TRUE(x.size > 0);
    CU_ASSERT_STRING_EQUAL(commands_text(&x), commands_text(&y));
    fl_buf_free(&x);
    fl_buf_free(&y);
}

#define COLUMN(name)                                                                               \
    "awk -F, '/^#/{next} !h++{for(i=1;i<=NF;i++)at[$i]=i;next} {n+=$at[\"" name                    \
    "\"]} END{print n+0}' ev/parts.csv"
/* Of the union of the report, in which the name of the target has commas. */
#define UNION(column)                                                                              \
    "faultsim report s.db --quiet --csv - | grep -v '^#' | sed 's/\"[^\"]*\"/all/' | awk -F, "     \
    "'!h++{for(i=1;i<=NF;i++)at[$i]=i;next} $1==\"union\" && !seen++{print $at[\"" column "\"]}'"

static void all_structures_have_the_same_faults_and_totals_in_report_matrix_and_evidence(void)
{
    /* all faults of all structures take a sanitizer long */
    static const char *const how[] = {SANITIZED ? "pc,sched,barrier,dstack/w*" : "all",
                                      "all --sample 40"};
    for (int i = 0; i < 2; i++) {
        char *line = fl_format("rm -f s.db; faultsim stuck-at --target %s --quiet --store s.db "
                               "--matrix m.csv good.job.xml second.job.xml && "
                               "faultsim report --evidence ev --quiet s.db",
                               how[i]);
        CU_ASSERT_EQUAL_FATAL(commands_run(line, NULL, NULL), 0);
        free(line);
        const char *all = i ? "population" : "faults",
                   *proved = i ? "population_untestable" : "untestable";
        char *faults = fl_format(UNION("%s"), all), *untestable = fl_format(UNION("%s"), proved);
        same_number(COLUMN("faults"), faults);
        same_number(COLUMN("safe\"]+$at[\"if_ends"), untestable);
        same_number(COLUMN("detected"), UNION("detected"));
        same_number(UNION("faults"), "grep -c '^[a-z].*/.*:sa' m.csv");
        same_number(UNION("detected"), "grep -c '^[a-z].*:sa[01],detected' m.csv");
        same_number("grep -v '^#' ev/parts.csv | tail -n +2 | wc -l",
                    "faultsim report s.db --quiet --csv - | grep -v '^#' | grep -c ^union, | awk "
                    "'{print $1-1}'");
        free(faults);
        free(untestable);
    }
}

/* Whether all of those without a proof are drawn, some of them, or all and some with a proof. */
static void samples_of_memory_faults_have_the_proved_ones_of_their_population(void)
{
    static const int drawn[] = {50, 1400, 2000};
    for (int i = 0; i < 3; i++) {
        char *line = fl_format("rm -f s.db; faultsim memory --target pc --sample %d --quiet "
                               "--store s.db good.job.xml second.job.xml && "
                               "faultsim report --evidence ev --quiet s.db",
                               drawn[i]);
        CU_ASSERT_EQUAL_FATAL(commands_run(line, NULL, NULL), 0);
        free(line);
        same_number(COLUMN("faults"), UNION("population"));
        same_number(COLUMN("safe\"]+$at[\"if_ends"), UNION("population_untestable"));
        same_number(COLUMN("detected"), UNION("detected"));
        same_number(COLUMN("simulated"), UNION("faults\"]-$at[\"untestable"));
    }
}

/* A 1 in SPC[31:24] or in such a bit of a PC leads into a trap: a proof that needs a program without one. Of a whole
 * structure and of a sample, from rows and from the population. */
static void proofs_that_need_an_end_without_a_trap_make_no_fault_safe(void)
{
    static const char *const how[] = {"", "--sample 20"};
    for (int i = 0; i < 2; i++) {
        char *line = fl_format("rm -f s.db; faultsim stuck-at --target dstack,pc %s --quiet "
                               "--store s.db g80.job.xml && "
                               "faultsim report --evidence ev --quiet s.db",
                               how[i]);
        CU_ASSERT_EQUAL_FATAL(commands_run(line, NULL, NULL), 0);
        free(line);
        same_number(
            "grep -v '^#' ev/parts.csv | cut -d, -f1,5-7",
            "printf 'part,faults,safe,if_ends\\ndstack/w0,4224,192,256\\npc,1536,0,240\\n'");
        same_number("grep -c ',if_ends$' ev/residual.csv", "echo 496");
    }
}

static void an_interval_is_that_of_the_report(void)
{
    CU_ASSERT_EQUAL_FATAL(commands_run("rm -f s.db; faultsim stuck-at --target pc --sample 40 "
                                       "--quiet --store s.db good.job.xml && faultsim report "
                                       "--evidence ev --quiet s.db",
                                       NULL, NULL),
                          0);
    same_number(
        "grep -v '^#' ev/parts.csv | awk -F, 'NR==2{printf \"%.2f %.2f %.2f\\n\", $21, $22, $23}'",
        "faultsim report s.db --quiet --csv - | grep -v '^#' | awk -F, 'NR==2{print $16, $21, "
        "$22}'");
}

static void equal_stores_give_equal_bytes_and_each_file_is_there(void)
{
    CU_ASSERT_EQUAL(
        commands_run(
            "rm -f s.db t.db; for s in s t; do faultsim stuck-at --target pc,sched --quiet --store "
            "$s.db good.job.xml second.job.xml; "
            "faultsim report --evidence ev$s --quiet --interval 5 $s.db; done; diff -r evs evt && "
            "ls evs | tr '\\n' ' ' | grep -x 'evidence.html parts.csv proof-pc.txt proof-sched.txt "
            "residual.csv tests.csv '",
            NULL, NULL),
        0);
    CU_ASSERT_EQUAL(
        commands_run("! grep 'http:\\|https:\\|<script\\|<link\\|<img' evs/evidence.html && "
                     "! xmllint --html --noout evs/evidence.html 2>&1 | grep error | "
                     "grep -v 'Tag \\(nav\\|figure\\|figcaption\\|details\\|summary\\) invalid'",
                     NULL, NULL),
        0);
}

static void evidence_that_cannot_be_written_leaves_the_folder_as_it_was(void)
{
    static const struct commands_refusal full = {
        "bash -c 'ulimit -f 6; faultsim report --evidence full t.db'", 1,
        "full/evidence.html: cannot write: File too large"};
    CU_ASSERT_EQUAL_FATAL(
        commands_run("rm -f *.db; for s in pc sched; do faultsim stuck-at --target $s --quiet "
                     "--store ${s#pc}s.db good.job.xml; done; mv scheds.db t.db; faultsim report "
                     "--evidence full --quiet s.db && cp -r full before",
                     NULL, NULL),
        0);
    CU_ASSERT_TRUE(commands_refused(&full));
    CU_ASSERT_EQUAL(commands_run("diff -r before full", NULL, NULL), 0);
    CU_ASSERT_EQUAL(
        commands_run("faultsim report --evidence full --quiet t.db && ls full/*sched*", NULL, NULL),
        0);
}

static void proofs_of_an_earlier_evidence_leave_the_folder_and_other_files_stay(void)
{
    CU_ASSERT_EQUAL(
        commands_run(
            "rm -rf *.db ev; for t in pc sched; do faultsim stuck-at --target $t --quiet "
            "--store $t.db good.job.xml || exit; done; faultsim report --evidence ev "
            "--quiet pc.db && echo mine >ev/proof-mine.txt && faultsim report --evidence "
            "ev --quiet sched.db && ls ev | tr '\\n' ' ' | grep -x 'evidence.html parts.csv "
            "proof-mine.txt proof-sched.txt residual.csv tests.csv '",
            NULL, NULL),
        0);
    CU_ASSERT_EQUAL_FATAL(commands_run("mv sched.db ev/proof-pc.txt", NULL, NULL), 0);
    static const struct commands_refusal both = {
        "faultsim report --evidence ev ev/proof-pc.txt", 1,
        "ev/proof-pc.txt: --evidence would overwrite the store"};
    CU_ASSERT_TRUE(commands_refused(&both));
    CU_ASSERT_EQUAL(commands_run("faultsim report --quiet --csv - ev/proof-pc.txt", NULL, NULL), 0);
}

static void a_sum_says_of_how_many_parts_it_is(void)
{
    CU_ASSERT_EQUAL(
        commands_run("rm -f *.db; faultsim stuck-at --target pc --quiet --store s.db good.job.xml; "
                     "faultsim report --evidence ev s.db | grep '^cells of 1 part: diagnostic "
                     "coverage ' && grep 'cells of 1 part <b>' ev/evidence.html",
                     NULL, NULL),
        0);
}

static void stores_that_are_no_evidence_are_refused_by_name(void)
{
    CU_ASSERT_EQUAL_FATAL(
        commands_run("rm -f *.db; faultsim stuck-at --target sched --quiet --store s.db "
                     "good.job.xml; faultsim transient --target sched --sample 9 "
                     "--quiet --store t.db good.job.xml; faultsim stuck-at --target sched --quiet "
                     "--store g.db g80.job.xml; faultsim stuck-at "
                     "--target sched --quiet --shard 1/2 --store h.db good.job.xml; head -c 9000 "
                     "s.db >cut.db; mkdir -p ev",
                     NULL, NULL),
        0);
    static const struct commands_refusal all[] = {
        {"faultsim report --evidence ev s.db t.db", 1, "t.db: is a campaign of transient faults"},
        {"faultsim report --evidence ev s.db g.db", 1, "g.db is of profile g80"},
        {"faultsim report --evidence ev s.db h.db", 1, "h.db: holds shard 1/2"},
        {"faultsim report --evidence ev cut.db", 1, "cut.db"},
        {"faultsim report --evidence ev s.db s.db", 2, "s.db stands there twice"},
        {"faultsim report --evidence ev s.db --csv x", 2, "leave --csv"},
        {"faultsim report --evidence ev", 2, "one STORE.db or several"},
        {"faultsim report s.db --rates good.job.xml", 2, "go with --evidence DIR"},
        {"faultsim report --evidence good.sasm s.db", 1,
         "--evidence good.sasm: cannot write into this folder"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        CU_ASSERT_TRUE(commands_refused(&all[i]));
}

int main(void)
{
    commands_start();
    commands_run("sed 's/name=\"t\"/name=\"u\"/' launches.job.xml >second.job.xml", NULL, NULL);
    int status = CHECK_RUN(
        "evidence", CHECK(a_fault_counts_once_with_all_means_that_show_it_in_any_test),
        CHECK(two_stores_of_a_part_detect_what_one_store_of_all_tests_detects),
        CHECK(only_faults_that_no_program_shows_are_safe),
        CHECK(a_verdict_on_all_transition_delay_faults_of_a_unit_makes_each_safe),
        CHECK(a_job_that_must_trap_shows_faults_that_no_program_that_ends_shows),
        CHECK(verdicts_that_are_cut_short_of_another_netlist_or_refuted_are_refused),
        CHECK(rates_give_fit_by_part_and_wrong_ones_are_refused_with_their_line),
        CHECK(stores_that_do_not_belong_together_are_refused_by_name),
        CHECK(all_structures_have_the_same_faults_and_totals_in_report_matrix_and_evidence),
        CHECK(samples_of_memory_faults_have_the_proved_ones_of_their_population),
        CHECK(proofs_that_need_an_end_without_a_trap_make_no_fault_safe),
        CHECK(an_interval_is_that_of_the_report),
        CHECK(equal_stores_give_equal_bytes_and_each_file_is_there),
        CHECK(evidence_that_cannot_be_written_leaves_the_folder_as_it_was),
        CHECK(proofs_of_an_earlier_evidence_leave_the_folder_and_other_files_stay),
        CHECK(a_sum_says_of_how_many_parts_it_is),
        CHECK(stores_that_are_no_evidence_are_refused_by_name));
    commands_end();
    return status;
}
