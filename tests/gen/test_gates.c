/* test_gates.c -- self-tests of the gates of the control: random mixes and templates, on both machines where the build has
 * them. */
#include "asm/isa/table.h"
#include "base/xml.h"
#include "faultsim/control/control.h"
#include "faultsim/gate/kind.h"
#include "gen/gates/gates.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

static char *dir;

static const char *const profiles[] = {"g80", "flexgripplus-rtl", "tiny"};
enum { PROFILES = 3 };

static int seeds(void)
{
    return SANITIZED || check_few() ? 2 : 3;
}

/* With the RTL both machines run in lock step. */
#ifdef FAULTLINE_RTL
#define ENGINE "--engine both"
#else
#define ENGINE "--engine c"
#endif

static struct fl_buf run(int status, const char *line)
{
    struct fl_buf out = {0};
    int got = tools_run(dir, &out, "%s", line);
    if (got != status)
        printf("\n    %s: status %d, %s", line, got, (char *)out.data);
    CU_ASSERT_EQUAL_FATAL(got, status);
    return out;
}

static void good(const char *line)
{
    struct fl_buf out = run(0, line);
    fl_buf_free(&out);
}

/* The number after `word`. */
static long number_after(const struct fl_buf *text, const char *word)
{
    const char *at = strstr((const char *)text->data, word);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    return strtol(at + strlen(word), NULL, 10);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static void units_have_the_names_and_groups_of_faultsim_gate(void)
{
    CU_ASSERT_EQUAL(GATES_UNITS, control_kind.count);
    for (int i = 0; i < GATES_UNITS; i++) {
        CU_ASSERT_STRING_EQUAL(gates_unit_name(i), control_kind.name(i));
        CU_ASSERT_TRUE(control_kind.is(i, gates_unit_group(i)));
    }
}

static void a_list_of_units_is_read_or_refused_with_the_nearest(void)
{
    struct fl_err err = {0};
    CU_ASSERT_EQUAL(gates_units("all", &err), (1u << GATES_UNITS) - 1);
    CU_ASSERT_EQUAL(gates_units("control,slot", &err), 0x20f);
    CU_ASSERT_EQUAL(gates_units("warp-state", &err), gates_units("warp_state", &err));
    CU_ASSERT_EQUAL(gates_units("decode,,flow", &err), 0);
    CU_ASSERT_EQUAL(gates_units("decod", &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "no unit 'decod' (did you mean decode?)"));
    tools_expect(dir, "sbstgen", "--gates alu_int", 2, "the control has no unit 'alu_int'");
}

static void other_options_are_refused(void)
{
    tools_expect(dir, "sbstgen", "--gates all --unit pc", 2, "--gates takes --rows");
    tools_expect(dir, "sbstgen", "--gates all --march c-", 2, "--gates takes --rows");
    tools_expect(dir, "sbstgen", "--seed 2 --unit pc", 2, "--seed goes with --gates");
    tools_expect(dir, "sbstgen", "--gates all --seed -1", 2, "--seed '-1' is not a number");
    tools_expect(dir, "sbstgen", "--gates all --seed 4294967296", 2, "from 0 to 4294967295");
    tools_expect(dir, "sbstgen", "--gates all --max-cycles 0", 2, "--max-cycles '0' is not");
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static void mixes_run_without_a_trap_within_their_cycles(void)
{
    for (int p = 0; p < PROFILES; p++)
        for (int seed = 0; seed < seeds(); seed++) {
            char *make = fl_format("sbstgen --gates all --seed %d --profile %s -o %s", seed,
                                   profiles[p], profiles[p]);
            char *job = fl_format("smrun " ENGINE " --sign %s/gates-mix-s%d.job.xml", profiles[p],
                                  seed);
            struct fl_buf made = run(0, make), ran = run(0, job);
            long most = number_after(&made, "at most "), took = number_after(&ran, "\ncycles ");
            if (took > most || took < most / 2 || most > 20000)
                printf("\n    %s seed %d: %ld of %ld cycles", profiles[p], seed, took, most);
            CU_ASSERT_TRUE(took <= most && took >= most / 2 && most <= 20000);
            fl_buf_free(&made);
            fl_buf_free(&ran);
            free(make);
            free(job);
        }
}

/* Lock step where the build has the RTL: the machines agree in each cycle. */
static void templates_run_without_a_trap_on_both_machines(void)
{
    for (int p = 0; p < PROFILES; p++)
        for (int seed = 0; seed < seeds(); seed++) {
            char *line = fl_format(
                "sbstgen --gates all --seed %d --profile %s -o t-%s --quiet && "
                "n=0; for j in t-%s/*-s%d.job.xml; do case $j in *mix*) ;; *) "
                "smrun " ENGINE " --sign $j >run.txt || exit 1; n=$((n + 1));; "
                "esac; done; [ $n = $(($(grep -E '<(mix|template) ' " FAULTLINE_SOURCE_DIR
                "/sbst/gates.xml | grep -vc ' trap=') - 1)) ]",
                seed, profiles[p], profiles[p], profiles[p], seed);
            good(line);
            free(line);
        }
}

/* Those of a few units, which have a program of each trap. */
static void programs_that_must_trap_do_so_on_both_machines(void)
{
    const char *const units = SANITIZED ? "uop,dmu" : "uop,dmu,flow,writeback";
    for (int p = 0; p < PROFILES; p += 2) {
        char *line = fl_format(
            "sbstgen --gates %s --traps --profile %s -o traps-%s --quiet && for j in "
            "traps-%s/*.job.xml; do smrun " ENGINE " --sign $j >run.txt || exit 1; done; "
            "! grep -L ' trap=' traps-%s/*.job.xml | grep . && ! ls traps-%s | grep mix",
            units, profiles[p], profiles[p], profiles[p], profiles[p], profiles[p]);
        good(line);
        free(line);
    }
    good("[ $(grep -ho ' trap=.[A-Z_]*' traps-tiny/*.job.xml | sort -u | wc -l) -ge 8 ]");
    tools_expect(dir, "sbstgen", "--gates all --traps --profile flexgripplus-rtl", 2,
                 "an exit ends no thread");
    tools_expect(dir, "sbstgen", "--gates sched --traps", 2, "no program of these units must trap");
    tools_expect(dir, "sbstgen", "--gates all --traps --hosted", 2, "leave --hosted and");
    tools_expect(dir, "sbstgen", "--unit pc --traps", 2, "--traps goes with --gates");
}

static void signed_programs_leave_what_their_jobs_state(void)
{
    good("smrun --expect g80/gates-mix-s1.job.xml && for j in t-tiny/*-s1.job.xml; do case $j in "
         "*mix*) ;; *) smrun --expect $j >run.txt || exit 1;; esac; done");
}

static void templates_reach_what_they_are_for(void)
{
    good("smrun --trace trace.txt t-g80/gates-deep-s1.job.xml && grep -q 'push le33' trace.txt && "
         "smrun --trace trace.txt t-g80/gates-spill-s1.job.xml && grep -q 'push le66' trace.txt && "
         "smrun --trace trace.txt t-flexgripplus-rtl/gates-deep-s1.job.xml && grep -q 'push le29' "
         "trace.txt");
    good(
        "for k in 000400 000800 400000 800000; do grep -q \"^  $k\" t-g80/gates-far-s1.lst || exit "
        "1; done");
    good("[ $(grep -c '<param name=.P' t-g80/gates-parameters-s1.job.xml) = 126 ]");
    good("[ $(grep -oh 'TLD .*, t0x[0-9a-f]*' t-g80/gates-fetches*-s1.lst | sort -u | wc -l) = 32 "
         "]");
}

/* Also where a launch has fewer warps than there are rows of places. */
static void warps_share_the_places_at_powers_of_two_and_reach_all_of_them(void)
{
    good("for t in far carries; do for p in 'g80 23' 'tiny 31'; do set -- $p; "
         "smrun --trace trace.txt t-$1/gates-$t-s1.job.xml || exit 1; for k in $(seq 10 $2); do "
         "at=$(printf ' %06x ' $((1 << k))); grep -q \"$at\" trace.txt || exit 1; "
         "done; done; done");
}

static void launches_have_the_parameters_and_the_shared_memory_that_a_template_gives_them(void)
{
    good("[ \"$(awk '/<launch/ { n++ } /<param name=.P/ { p[n]++ } END { for (i = 1; i <= n; i++) "
         "printf \"%d \", p[i] }' t-g80/gates-places-s1.job.xml)\" = '63 33 62 19 58 8 ' ]");
    good(
        "[ \"$(sed -n 's/.*<launch.* shared=.\\([0-9]*\\).*/\\1/p' t-g80/gates-places-s1.job.xml | "
        "paste -sd' ')\" = \"$((2032 - 272)) $((2032 - 272)) $((976 - 272)) $((976 - 272)) "
        "$((1168 - 272)) $((1168 - 272))\" ]");
    good("! grep '<launch' t-tiny/gates-places-s1.job.xml | grep -v \"shared=.$((128 - 112))\\>\"");
}

static void each_word_of_the_parameters_is_in_a_signature(void)
{
    good("for k in 1 31 63; do sed \"s/\\(name=.P$k. u32=.\\)[^ ]*\\(\\\"\\)/\\11\\2/\" "
         "t-g80/gates-parameters-s1.job.xml > t-g80/word.job.xml; ! smrun --expect "
         "t-g80/word.job.xml >run.txt 2>&1 && grep -q DIFFERS run.txt || exit 1; done");
}

static void a_wrong_time_behind_the_line_entries_is_a_wrong_output(void)
{
    good("sed 's/<spill_latency>100</<spill_latency>104</' " FAULTLINE_SOURCE_DIR
         "/profiles/g80.xml > late.xml && for t in deep spill stalls; do smrun --expect "
         "t-g80/gates-$t-s1.job.xml >run.txt && ! smrun --on ./late.xml --expect "
         "t-g80/gates-$t-s1.job.xml >run.txt 2>&1 && grep -q DIFFERS run.txt || exit 1; done");
}

/* Then a RET returns there if it finds the stack not empty. */
static void a_call_stays_in_the_cells_when_threads_end_by_ret(void)
{
    good("smrun --trace trace.txt t-g80/gates-deep-s1.job.xml && tail -n 1 trace.txt | grep -q "
         "' RET .* ends' && grep 'le1 ' trace.txt | tail -n 1 | grep -q ' RET .* pop le1 CALL '");
}

static void every_seed_makes_jobs_that_load(void)
{
    good("sbstgen --gates pipe --seed 4294967295 -o last --quiet && for j in last/*.job.xml; do "
         "smrun "
         "$j >run.txt || exit 1; done");
}

static void a_seed_makes_the_same_bytes_and_another_seed_other_ones(void)
{
    good("sbstgen --gates all --seed 7 -o one --quiet && sbstgen --gates all --seed 7 -o two "
         "--quiet "
         "&& diff -r one two && sbstgen --gates all --seed 8 -o two --quiet && ! cmp -s "
         "one/gates-mix-s7.cubin two/gates-mix-s8.cubin && ! cmp -s one/gates-deep-s7.cubin "
         "two/gates-deep-s8.cubin");
}

static void each_program_and_each_seed_draw_other_numbers(void)
{
    struct fl_err err = {0};
    struct gates_library *lib = NULL;
    uint64_t seen[256];
    int n = 0;
    CU_ASSERT_EQUAL_FATAL(gates_library_load(FAULTLINE_SOURCE_DIR, &lib, &err), 0);
    for (int i = 0; i < lib->rows; i++)
        for (uint32_t seed = 0; seed < 4; seed++, n++) {
            CU_ASSERT_FATAL(n < 256);
            seen[n] = gates_random(&lib->row[i], seed);
            for (int k = 0; k < n; k++)
                CU_ASSERT_NOT_EQUAL(seen[k], seen[n]);
        }
    gates_library_free(lib);
}

/* It stores where no thread does. */
static void a_lane_that_a_block_lacks_has_a_place_of_its_own(void)
{
    good(
        "sbstgen --gates warp_state -o lacks --quiet && j=lacks/gates-partial-s1.job.xml && grep "
        "-q "
        "'block=.33.' $j && smrun $j --dump out3=lacks/out3 && [ $(od -An -v -tx4 -w4 lacks/out3 | "
        "wc -l) = 512 ] && [ $(od -An -v -tx4 -w4 lacks/out3 | grep -c ffffffff) = 248 ]");
}

static void count_rows(const struct cubin *cubin, int *rows)
{
    const struct cubin_kernel *k = &cubin->kernel[0];
    for (int c = 0; c < k->ncode; c++)
        for (uint32_t at = 0; at < k->code[c].size;) {
            uint32_t word[2] = {0};
            memcpy(word, k->code[c].bytes + at, k->code[c].size - at < 8 ? 4 : 8);
            const struct isa_row *row = isa_find(word[0], word[1], ISA_1_0);
            CU_ASSERT_PTR_NOT_NULL_FATAL(row);
            rows[row - isa_rows]++;
            at += word[0] & 1 ? 8 : 4;
        }
}

/* Those that trap: docs/reference/isa.md has them as not supported, or TRAP itself. */
static bool traps(const struct isa_row *row)
{
    static const char *const names[] = {"TRAP",   "TXB",     "TXL",    "TXQ",        "QUADOP",
                                        "QUADON", "QUADPOP", "PMTRIG", "TEX{x}.CUBE"};
    bool is = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        is |= strncmp(row->text, names[i], strlen(names[i])) == 0;
    return is;
}

static void every_row_that_does_not_trap_is_in_a_mix(void)
{
    for (int p = 0; p < PROFILES; p++) {
        struct fl_err err = {0};
        struct cubin *cubin = NULL;
        int *rows = fl_alloc((size_t)isa_nrows * sizeof *rows);
        char *make = fl_format("sbstgen --gates all --seed 9 --max-cycles %d --profile %s -o rows "
                               "--quiet",
                               strcmp(profiles[p], "tiny") == 0 ? 70000 : 40000, profiles[p]);
        char *path = fl_format("%s/rows/gates-mix-s9.cubin", dir);
        good(make);
        CU_ASSERT_EQUAL_FATAL(cubin_read(path, &cubin, &err), 0);
        count_rows(cubin, rows);
        for (int i = 0; i < isa_rows_of(ISA_1_0); i++) {
            if (traps(&isa_rows[i]) != !rows[i])
                printf("\n    %s: %d of %s", profiles[p], rows[i], isa_rows[i].text);
            CU_ASSERT_EQUAL(traps(&isa_rows[i]), !rows[i]);
        }
        cubin_free(cubin);
        free(rows);
        free(make);
        free(path);
    }
}

static void a_budget_is_refused_with_the_least_that_works(void)
{
    for (int p = 0; p < PROFILES; p++) {
        char *line = fl_format(
            "sbstgen --gates all --seed 3 --profile %s -o least --max-cycles 100 "
            "2>&1",
            profiles[p]);
        struct fl_buf out = run(2, line);
        long least = number_after(&out, "use --max-cycles ");
        fl_buf_free(&out);
        free(line);
        line = fl_format(
            "sbstgen --gates all --seed 3 --profile %s -o least --max-cycles %ld "
            "--quiet && ! sbstgen --gates all --seed 3 --profile %s -o least "
            "--max-cycles %ld 2>least.txt && grep -q 'use --max-cycles %ld ' least.txt "
            "&& smrun least/gates-mix-s3.job.xml",
            profiles[p], least, profiles[p], least - 1, least);
        good(line);
        free(line);
    }
}

/* Flips of registers, flags and address registers right after they are written: after the beginning, which only fills
 * registers, each is in the signature. */
static void a_wrong_value_stays_in_the_signature(void)
{
    good("faultsim transient --target dest --sample 150 --seed 1 g80/gates-mix-s1.job.xml --quiet "
         "--csv-faults flips.csv && [ $(grep -c ',sdc,' flips.csv) -ge 100 ] && ! awk -F, '$4 == "
         "\"masked\" { sub(/.*@/, \"\", $3); if ($3 + 0 > 3000) print }' flips.csv | grep .");
}

/* ---- witnesses --------------------------------------------------------------------------------------------------- */

/* A file with rows; `rows` are words of sasm --words with the operands of some of them. */
static void witnesses(const char *name, const char *profile, const char *rows)
{
    char *path = fl_format("%s/%s", dir, name);
    FILE *f = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    fprintf(f, "<rows version=\"1\" profile=\"%s\" netlist=\"", profile);
    for (int i = 0; i < 64; i++)
        fprintf(f, "%x", i % 16);
    fprintf(f, "\">\n%s", rows);
    fclose(f);
    free(path);
}

static const char *const some_rows =
    "  <row lo=\"0x20000205\" hi=\"0x4008780\" a=\"0xdeadbeef\"/>\n" /* IADD R1, R1, R2 */
    "  <row lo=\"0xd00e0e11\" hi=\"0x80c00780\"/>\n"                 /* GLD.U32 R4, global14[R7] */
    "  <row lo=\"0x4740f000\" hi=\"0x0\"/>\n" /* a multiplication with g[A1++-0x8] */
    "  <row lo=\"0x20000205\" hi=\"0x4008280\" b=\"0x5\" flags=\"5\"/>\n" /* the same with C0.NE */
    "  <row lo=\"0x10001003\" hi=\"0x780\"/>\n"                           /* BRA */
    "  <row lo=\"0xffffffff\" hi=\"0xffffffff\"/>\n"                      /* none */
    "</rows>\n";

static void witnesses_are_executed_with_their_operands(void)
{
    witnesses("some.xml", "g80", some_rows);
    struct fl_buf out = run(0, "sbstgen --gates decode --rows some.xml -o rows && smrun " ENGINE
                               " rows/gates-rows1-s1.job.xml");
    CU_ASSERT_TRUE(tools_says(&out, "2 of 6 witnesses are left out"));
    fl_buf_free(&out);
    good("for w in '20000205 04008780' 'd00e0e11 80c00780' '4740f000 ' '20000205 04008280'; do "
         "grep -q "
         "\"  $w\" rows/gates-rows1-s1.lst || exit 1; done; grep -A1 'MVI R1, 0xdeadbeef' "
         "rows/gates-rows1-s1.sasm | grep -q 'IADD R1, R1, R2' && grep -q 'R2C C0, ' "
         "rows/gates-rows1-s1.sasm");
}

/* Results of each kind that other rows overwrite. */
static void many_witnesses(void)
{
    struct fl_buf rows = {0};
    for (int i = 0; i < 60; i++)
        fl_buf_printf(&rows,
                      "  <row lo=\"0x20000205\" hi=\"0x4008780\" a=\"0x%x\"/>\n"
                      "  <row lo=\"0x200002%02x\" hi=\"0x4008780\" a=\"0xffff\"/>\n"
                      "  <row lo=\"0x4740f000\" hi=\"0x0\"/>\n",
                      i / 2, 1 + 4 * (i % 12));
    fl_buf_printf(&rows, "</rows>\n%c", 0);
    witnesses("many.xml", "g80", (const char *)rows.data);
    fl_buf_free(&rows);
}

/* Five warps share them, and the signature takes a result only when something overwrites its place. */
static void a_wrong_result_of_a_witness_stays_in_the_signature(void)
{
    many_witnesses();
    good("rm -rf rows && sbstgen --gates decode --rows many.xml -o rows --quiet && smrun " ENGINE
         " --sign rows/gates-rows1-s1.job.xml && grep -q '^s4:' rows/gates-rows1-s1.sasm");
    good(
        "faultsim transient --target dest --sample 150 --seed 1 rows/gates-rows1-s1.job.xml "
        "--quiet --csv-faults flips.csv && [ $(grep -c ',sdc,' flips.csv) -ge 90 ] && ! awk -F, "
        "'$4 == \"masked\" { sub(/.*@/, \"\", $3); if ($3 + 0 > 2400) print }' flips.csv | grep .");
}

static void witnesses_that_trap_are_programs_of_their_own(void)
{
    witnesses("some.xml", "g80",
              "  <row lo=\"0xffffffff\" hi=\"0xffffffff\"/>\n"
              "  <row lo=\"0x20000205\" hi=\"0x4008780\" a=\"0xdeadbeef\"/>\n"
              "  <row lo=\"0x90000002\" hi=\"0x0\"/>\n</rows>\n"); /* TRAP32 */
    struct fl_buf out = run(
        0, "rm -rf rows && sbstgen --gates decode --traps --rows some.xml -o rows");
    CU_ASSERT_TRUE(tools_says(&out, "1 of 3 witnesses are left out: they need not trap"));
    fl_buf_free(&out);
    good("grep -q 'trap=.ILLEGAL_INSTRUCTION' rows/gates-rows-1-s1.job.xml && grep -q "
         "'trap=.TRAP_INSTRUCTION' rows/gates-rows-3-s1.job.xml && for j in "
         "rows/gates-rows-*.job.xml; do smrun " ENGINE " $j >run.txt || exit 1; done");
}

static void witnesses_run_on_each_profile(void)
{
    for (int p = 0; p < PROFILES; p++) {
        witnesses("some.xml", profiles[p], some_rows);
        char *line = fl_format(
            "rm -rf rows && sbstgen --gates decode --rows some.xml --profile %s -o "
            "rows --quiet && smrun " ENGINE " rows/gates-rows1-s1.job.xml",
            profiles[p]);
        good(line);
        free(line);
    }
}

static void witnesses_beyond_a_budget_are_in_further_programs(void)
{
    many_witnesses();
    struct fl_buf out = run(2,
                            "sbstgen --gates decode --rows many.xml --max-cycles 20 -o rows 2>&1");
    long least = number_after(&out, "use --max-cycles ");
    char *line = fl_format(
        "rm -rf rows && sbstgen --gates decode --rows many.xml --max-cycles %ld -o rows "
        "--quiet && [ $(ls rows/gates-rows?-s1.job.xml | wc -l) -ge 2 ] && for j in "
        "rows/gates-rows[12]-s1.job.xml; do smrun $j >run.txt || exit 1; done",
        least);
    good(line);
    free(line);
    fl_buf_free(&out);
}

static void witnesses_of_another_profile_or_cut_short_are_refused(void)
{
    witnesses("other.xml", "tiny", some_rows);
    witnesses("cut.xml", "g80", "  <row lo=\"0x20000205\" hi=\"0x400");
    witnesses("wrong.xml", "g80", "  <row lo=\"0x123456789\" hi=\"0x0\"/>\n</rows>\n");
    tools_expect(dir, "sbstgen", "--gates decode --rows other.xml", 2,
                 "these rows are for profile tiny, and the programs are for g80");
    tools_expect(dir, "sbstgen", "--gates decode --rows cut.xml", 2, "cut.xml:");
    tools_expect(dir, "sbstgen", "--gates decode --rows wrong.xml", 2, "wrong.xml:");
    tools_expect(dir, "sbstgen", "--gates decode --rows none.xml", 2, "none.xml:");
    tools_expect(dir, "sbstgen", "--rows some.xml --unit pc", 2, "--rows goes with --gates");
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static void the_manifest_names_each_program_and_its_units(void)
{
    struct fl_err err = {0};
    struct xml_file f = {0};
    char *path = fl_format("%s/g80/gates-s1.programs.xml", dir);
    int bad = xml_read(path, "programs", "docs/sbst-programs.rng", &f, &err);
    if (bad)
        printf("\n    %s", err.msg);
    CU_ASSERT_EQUAL_FATAL(bad, 0);
    xmlNode *top = xmlDocGetRootElement(f.doc), *first = xml_first(top);
    CU_ASSERT_STRING_EQUAL(xml_attr(top, "seed"), "1");
    CU_ASSERT_STRING_EQUAL(xml_attr(first, "job"), "gates-mix-s1.job.xml");
    CU_ASSERT_PTR_NOT_NULL(strstr(xml_attr(first, "units"), "decode"));
    xml_close(&f);
    free(path);
}

/* sbstgen with a copy of the data in which sed has changed a file of sbst/. */
static void damaged(const char *file, const char *sed, int status, const char *words)
{
    char *line = fl_format(
        "rm -rf data && mkdir data && cp -r " FAULTLINE_SOURCE_DIR "/sbst " FAULTLINE_SOURCE_DIR
        "/profiles data && mkdir data/docs && cp " FAULTLINE_SOURCE_DIR "/docs/*.rng data/docs && "
        "sed -i '%s' data/sbst/%s && ! cmp -s data/sbst/%s " FAULTLINE_SOURCE_DIR
        "/sbst/%s && FAULTLINE_DATA=data sbstgen --gates all -o changed --quiet",
        sed, file, file, file);
    tools_expect_line(dir, line, status, words);
    free(line);
}

static void a_damaged_list_of_programs_is_refused_with_the_line(void)
{
    damaged("gates.xml", "s/cycles=.20000./cycles=\"0\"/", 1, "gates.xml:");
    damaged("gates.xml", "s/units=.all./units=\"all,alu_int\"/", 1,
            "names a unit that the control does not have");
    damaged("gates.xml", "s/name=.lanes./name=\"clock\"/", 1, "a second program 'clock'");
    damaged("gates.xml", "s/less=.31./less=\"32\"/", 1, "gates.xml:");
    damaged("gates.xml", "s/0x2aaaa800/0x2aaaa810/", 1, "is not a multiple of 256");
    damaged("gates.xml", "s/file=.far.sasm./file=\"none.sasm\"/", 1, "none.sasm");
    damaged("gates.xml", "$d", 1, "gates.xml:");
}

static void a_damaged_template_is_refused_with_its_file_and_line(void)
{
    damaged("gates/clock.sasm", "s/RCP R2/RCQ R2/", 2, "sbst/gates/clock.sasm:24:");
    damaged("gates/common.sasm", "s/MVI R1, 0x1/MVI R1/", 2, "sbst/gates/common.sasm:");
}

static void a_kernel_with_too_many_registers_for_all_warps_is_refused(void)
{
    damaged("gates/clock.sasm", "s/RSQ R2, R2/RSQ R13, R2/", 2,
            "template clock has 14 registers a thread, so profile g80 runs 18 of its 24 warps at "
            "once; use 10 registers or fewer");
}

static void a_profile_too_small_is_refused(void)
{
    good("sed 's/<regs>2048</<regs>992</' " FAULTLINE_SOURCE_DIR "/profiles/tiny.xml > few.xml");
    tools_expect(dir, "sbstgen", "--gates all --profile ./few.xml", 2,
                 "profile ./few.xml has 992 registers");
}

static void chips_and_caches_are_refused(void)
{
    tools_expect(dir, "sbstgen", "--gates all --profile g80-chip", 2,
                 "profile g80-chip has 16 SMs");
    good("sed 's/<sms>2</<sms>1</' " FAULTLINE_SOURCE_DIR
         "/profiles/tiny-chip-caches.xml > cached.xml");
    tools_expect(dir, "sbstgen", "--gates all --profile ./cached.xml", 2, "has caches");
}

static void a_budget_names_the_templates_that_it_leaves_out(void)
{
    struct fl_buf out = run(0,
                            "sbstgen --gates slot --max-cycles 20000 -o left && ! ls left | grep "
                            "clock");
    CU_ASSERT_TRUE(tools_says(&out, "left out, since only a run gives their cycles: clock"));
    fl_buf_free(&out);
}

int main(void)
{
    dir = tools_folder();
    int failed = CHECK_RUN(
        "gates", CHECK(units_have_the_names_and_groups_of_faultsim_gate),
        CHECK(a_list_of_units_is_read_or_refused_with_the_nearest),
        CHECK(other_options_are_refused), CHECK(mixes_run_without_a_trap_within_their_cycles),
        CHECK(templates_run_without_a_trap_on_both_machines),
        CHECK(programs_that_must_trap_do_so_on_both_machines),
        CHECK(signed_programs_leave_what_their_jobs_state),
        CHECK(templates_reach_what_they_are_for),
        CHECK(warps_share_the_places_at_powers_of_two_and_reach_all_of_them),
        CHECK(launches_have_the_parameters_and_the_shared_memory_that_a_template_gives_them),
        CHECK(each_word_of_the_parameters_is_in_a_signature),
        CHECK(a_wrong_time_behind_the_line_entries_is_a_wrong_output),
        CHECK(a_call_stays_in_the_cells_when_threads_end_by_ret),
        CHECK(a_wrong_value_stays_in_the_signature),
        CHECK(the_manifest_names_each_program_and_its_units),
        CHECK(witnesses_are_executed_with_their_operands),
        CHECK(a_wrong_result_of_a_witness_stays_in_the_signature),
        CHECK(witnesses_run_on_each_profile), CHECK(witnesses_that_trap_are_programs_of_their_own),
        CHECK(witnesses_beyond_a_budget_are_in_further_programs),
        CHECK(witnesses_of_another_profile_or_cut_short_are_refused),
        CHECK(every_seed_makes_jobs_that_load),
        CHECK(a_seed_makes_the_same_bytes_and_another_seed_other_ones),
        CHECK(each_program_and_each_seed_draw_other_numbers),
        CHECK(a_lane_that_a_block_lacks_has_a_place_of_its_own),
        CHECK(every_row_that_does_not_trap_is_in_a_mix),
        CHECK(a_budget_is_refused_with_the_least_that_works),
        CHECK(a_damaged_list_of_programs_is_refused_with_the_line),
        CHECK(a_damaged_template_is_refused_with_its_file_and_line),
        CHECK(a_kernel_with_too_many_registers_for_all_warps_is_refused),
        CHECK(a_profile_too_small_is_refused), CHECK(chips_and_caches_are_refused),
        CHECK(a_budget_names_the_templates_that_it_leaves_out));
    tools_remove(dir);
    return failed;
}
