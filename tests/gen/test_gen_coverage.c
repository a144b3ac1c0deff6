/* test_gen_coverage.c -- what faultsim finds with self-test programs: in parts, in all warps, with landing pads. */
#include "tests/lib/check.h"
#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "asm/isa/isa.h"
#include "gen/sbst.h"
#include "sm/gpu/gpu.h"
#include "tests/lib/tools.h"
#include "tests/lib/self_tests.h"

/* What faultsim says of a program for `les` LEs: testable faults of TM, ID and SPC that it detects. A stuck bit can break
 * threads for good, which traps, so only those of the programs without flow-id routines are all silent. */
static void check_coverage(const char *options, int les, int tm, int id, int spc)
{
    struct fl_buf out = {0};
    int status = tools_run(self_tests.dir, &out,
                           "rm -rf cover && sbstgen --le 1-%d %s -o cover && "
                           "faultsim --model stuck-at cover/*.job.xml >cover.txt 2>&1 && "
                           "sed -n '/by field/,/^$/p' cover.txt | grep -Eo '[0-9]+ of [0-9]+' | "
                           "tr '\\n' ' ' | grep -q '^%d of %d %d of %d %d of '",
                           les, options, tm, 64 * les, id, 4 * les, spc);
    if (status != 0) {
        tools_run(self_tests.dir, &out, "cat cover.txt");
        printf("\n    sbstgen %s: not %d, %d, %d\n%s", options, tm, id, spc, (char *)out.data);
    }
    CU_ASSERT_EQUAL(status, 0);
    fl_buf_free(&out);
}

/* Cycles of the program with so many warps. */
static uint64_t cycles_of(int warps, bool pads)
{
    struct sbst_request request = ACC(1, 32, MINIMAL, FLOW);
    request.warps = warps;
    request.landing_pads = pads;
    struct sbst_program p = self_tests_make(&request);
    struct self_tests_running r = self_tests_open(&p);
    struct gpu *m = gpu_new(r.image);
    gpu_run(m, UINT64_MAX);
    uint64_t cycles = gpu_cycles(m);
    gpu_free(m);
    self_tests_close(&r);
    sbst_program_free(&p);
    return cycles;
}

static void all_24_stacks_are_tested_in_at_most_5_5_times_the_cycles_of_one(void)
{
    for (int pads = check_few(); pads < 2; pads++)
        CU_ASSERT_TRUE(2 * cycles_of(24, pads) <= 11 * cycles_of(1, pads));
    struct fl_buf out = {0};
    static const char all[] =
        "dstack/w*/le*/tm*:sa*\\ndstack/w*/le*/id*:sa*\\ndstack/w*/le*/spc3-31:sa*\\n";
    static const char some[] = "dstack/w*/le5/id*:sa*\\ndstack/w7/le*/tm3:sa*\\n";
    CU_ASSERT_EQUAL(
        tools_run(self_tests.dir, &out,
                  "rm -rf cover && printf '%s' >warps.txt && sbstgen --method sync-trick --le 1-32 "
                  "--patterns minimal --pc --flow-id --warps 24 -o cover && "
                  "faultsim --model stuck-at --faults warps.txt --csv cover.csv cover/*.job.xml "
                  "2>&1 && cat cover.csv",
                  check_few() ? some : all),
        0);
    CU_ASSERT_TRUE(tools_says(&out, check_few() ? " 160 faults" : " 96768 faults"));
    CU_ASSERT_TRUE(tools_says(&out, ",100.00,100.00"));
    fl_buf_free(&out);
}

static void with_landing_pads_no_stack_of_24_traps(void)
{
    struct fl_buf out = {0};
    static const char all[] =
        "dstack/w*/le*/id*:sa*\\ndstack/w7/le*/tm*:sa*\\ndstack/w23/le*/spc3-31:sa*\\n";
    CU_ASSERT_EQUAL(
        tools_run(self_tests.dir, &out,
                  "rm -rf cover && printf '%s' >pads.txt && sbstgen --method sync-trick --le 1-32 "
                  "--patterns minimal --pc --flow-id --landing-pads --warps 24 --quiet -o cover && "
                  "faultsim --model stuck-at --faults pads.txt --csv-faults cover.csv --quiet "
                  "cover/*.job.xml && grep -c ,sdc,detected, cover.csv",
                  check_few() ? "dstack/w9/le*/id*:sa*\\n" : all),
        0);
    CU_ASSERT_EQUAL(atoi((char *)out.data), check_few() ? 128 : 24 * 128 + 2048 + 1856);
    fl_buf_free(&out);
}

/* The union of the parts finds what the whole finds, and each keeps the budget that the machine measures. */
static void parts_keep_their_budget_and_find_together_what_the_whole_finds(void)
{
    struct fl_buf out = {0};
    int les = check_few() ? 8 : 32;
    CU_ASSERT_EQUAL(
        tools_run(
            self_tests.dir, &out,
            "rm -rf parts && sbstgen --method sync-trick --le 1-%d --patterns minimal --pc "
            "--flow-id --max-cycles 2000 -o parts && for j in parts/*.job.xml; do smrun $j "
            "--expect | awk '/^cycles/ && $2 > 2000 { bad = 1 } END { exit bad }' || exit 1; "
            "done; test $(ls parts/*.job.xml | wc -l) = $(($(cat parts/*.csv | wc -l) - 1)) && "
            "faultsim --model stuck-at --faults dstack/le1-%d parts/*.job.xml | "
            "grep -Eo '[0-9]+ of [0-9]+ 100'",
            les, les),
        0);
    char *tm = fl_format("%d of %d 100", 64 * les, 64 * les);
    char *id = fl_format("%d of %d 100", 4 * les, 4 * les);
    char *spc = fl_format("%d of %d 100", 58 * les, 58 * les);
    CU_ASSERT_TRUE(tools_says(&out, tm));
    CU_ASSERT_TRUE(tools_says(&out, id));
    CU_ASSERT_TRUE(tools_says(&out, spc));
    free(tm);
    free(id);
    free(spc);
    fl_buf_free(&out);
}

static void nesting_alone_finds_all_but_the_id_bits_it_never_stores(void)
{
    check_coverage("--method nesting --patterns minimal --pc --profile tiny", 4, 256, 12, 232);
    if (check_few())
        return;
    check_coverage("--method nesting --patterns minimal --pc", 32, 2048, 96, 1856);
    check_coverage("--method nesting --pc", 32, 2048, 96, 1856);
}

static void every_testable_fault_is_found_with_pc_and_flow_id(void)
{
    check_coverage("--method sync-trick --patterns minimal --pc --flow-id", 32, 2048, 128, 1856);
    check_coverage("--method nesting --patterns minimal --pc --flow-id --profile tiny", 4, 256, 16,
                   232);
    if (check_few())
        return;
    check_coverage("--method nesting --patterns minimal --pc --flow-id", 32, 2048, 128, 1856);
    check_coverage("--method sync-trick --pc --flow-id", 32, 2048, 128, 1856);
    check_coverage("--method sync-trick --pc --flow-id --profile g80", 32, 2048, 128, 1600);
}

/* A campaign over the programs with landing pads; a line per fault in cover.csv. */
static void run_pads(const char *options, const char *faults)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(tools_run(self_tests.dir, &out,
                              "rm -rf cover && sbstgen --method sync-trick --patterns minimal --pc "
                              "--flow-id --landing-pads %s -o cover && faultsim --model stuck-at "
                              "--quiet --faults '%s' --csv-faults cover.csv cover/*.job.xml 2>&1",
                              options, faults),
                    0);
    fl_buf_free(&out);
}

/* Lines of cover.csv that an extended regular expression fits. */
static int faults_like(const char *expression)
{
    struct fl_buf out = {0};
    tools_run(self_tests.dir, &out, "grep -Ec '%s' cover.csv", expression);
    int count = out.size ? atoi((char *)out.data) : -1;
    fl_buf_free(&out);
    return count;
}

static void with_landing_pads_every_testable_fault_is_a_silent_corruption(void)
{
    run_pads("--le 1-32", check_few() ? "dstack/le5-8" : "dstack");
    CU_ASSERT_EQUAL(faults_like(",sdc,detected,"), check_few() ? 504 : 4032);
    struct fl_buf out = {0};
    tools_run(self_tests.dir, &out, "tail -2 cover/*.lst");
    CU_ASSERT_TRUE(
        tools_says(&out, "113 landing pads: 904 bytes of that code, at 0x15555558 to 0xeaaaaaa7"));
    fl_buf_free(&out);
    CU_ASSERT_EQUAL(faults_like(",undetectable-untestable,"), check_few() ? 24 : 192);
}

static void with_landing_pads_every_range_finds_the_faults_of_its_les(void)
{
    static const struct {
        const char *options, *les;
        int count;
    } range[] = {{"--le 2", "2", 1},         {"--le 1", "1", 1},       {"--le 3", "3", 1},
                 {"--le 1-2", "[12]", 2},    {"--le 1-3", "[1-3]", 3}, {"--le 4-6", "[4-6]", 3},
                 {"--le 30-32", "3[0-2]", 3}};
    for (size_t i = 0; i < sizeof range / sizeof range[0]; i++) {
        char expression[100];
        if (check_few() && i % 5 > 0)
            continue;
        run_pads(range[i].options, "dstack");
        snprintf(expression, sizeof expression, "/le%s/.*,sdc,detected,", range[i].les);
        CU_ASSERT_EQUAL(faults_like(expression), 126 * range[i].count);
    }
}

/* In the order of the schedule: the part that tests an LE comes before those that build on it. */
static void with_landing_pads_no_part_traps_before_another_has_told(void)
{
    struct fl_buf out = {0};
    if (check_few())
        run_pads("--le 1-8 --max-cycles 4200", "dstack/le1-8");
    else
        run_pads("--le 1-32 --max-cycles 4600", "dstack");
    tools_run(self_tests.dir, &out,
              "awk -F, '/^#/ || /^job,id/ { next } !($1 in jobs) { jobs[$1] = 1; parts++ } "
              "$3 != \"masked\" && !($2 in seen) { seen[$2] = 1; if ($3 == \"sdc\") sdc++; else "
              "other++ } "
              "END { print sdc, other + 0, (parts > 1 ? \"parts\" : \"whole\") }' cover.csv");
    CU_ASSERT_TRUE(tools_says(&out, check_few() ? "1008 0 parts" : "4032 0 parts"));
    fl_buf_free(&out);
}

static void with_landing_pads_only_addresses_beyond_24_bits_trap_on_g80(void)
{
    int les = check_few() ? 4 : 32;
    run_pads("--le 1-32 --profile g80", check_few() ? "dstack/le5-8" : "dstack");
    CU_ASSERT_EQUAL(faults_like(",sdc,detected,"), 110 * les);
    CU_ASSERT_EQUAL(faults_like(",crash,detected,"), 8 * les);
    CU_ASSERT_EQUAL(faults_like("/spc(2[4-9]|3[01]):sa1,crash,detected,"), 8 * les);
    CU_ASSERT_EQUAL(faults_like(",masked,"), (6 + 8) * les);
}

int main(void)
{
    if (!self_tests_start())
        return 1;
    int status = CHECK_RUN("gen_coverage",
                           CHECK(with_landing_pads_every_testable_fault_is_a_silent_corruption),
                           CHECK(with_landing_pads_every_range_finds_the_faults_of_its_les),
                           CHECK(with_landing_pads_no_part_traps_before_another_has_told),
                           CHECK(with_landing_pads_only_addresses_beyond_24_bits_trap_on_g80),
                           CHECK(with_landing_pads_no_stack_of_24_traps),
                           CHECK(all_24_stacks_are_tested_in_at_most_5_5_times_the_cycles_of_one),
                           CHECK(parts_keep_their_budget_and_find_together_what_the_whole_finds),
                           CHECK(nesting_alone_finds_all_but_the_id_bits_it_never_stores),
                           CHECK(every_testable_fault_is_found_with_pc_and_flow_id));
    self_tests_end();
    return status;
}
