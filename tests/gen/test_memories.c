/* test_memories.c -- the test of all memories: its parts, their schedule, what they find together.
 */
#include "gen/march/march.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

static char *dir;

/* A script of the shell ends well; what it says otherwise is shown. */
static void passes(const char *script)
{
    struct fl_buf out = {0};
    int status = tools_run(dir, &out, "%s", script);
    if (status != 0)
        printf("\n    status %d: %s", status, out.data ? (char *)out.data : "");
    CU_ASSERT_EQUAL(status, 0);
    fl_buf_free(&out);
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* Of each part of a memory in the schedule (control is held to its digests by suite control): at most N cycles are promised, at most so many are taken, and three tenths less at the least; the
 * instructions are those promised. local lets warps wait for memory, who of them for whom nobody computes. */
#define HOLD_SCHEDULE                                                                              \
    "sed 1d r/*.schedule.csv | while IFS=, read n job launches i c bytes sha; do "                 \
    "[ -n \"$i\" ] || continue; smrun r/$job --expect >r.txt || exit 1; "                          \
    "awk -v n=$N -v i=$i -v c=$c '$1 == \"cycles\" { t = $2 } $1 == \"instructions\" { e = $2 } "  \
    "END { exit !(e == i && c <= n && t <= c && t >= 0.7 * c) }' r.txt || "                        \
    "{ echo $job takes; cat r.txt; exit 1; }; done"

static void parts_take_no_more_than_their_budget(void)
{
    passes("N=4000; for u in rf cc areg; do rm -rf r && sbstgen --unit $u --max-cycles $N "
           "--profile tiny -o r --quiet && " HOLD_SCHEDULE " || exit 1; done");
    passes("N=10500; rm -rf r && sbstgen --unit local --max-cycles $N --profile tiny -o r --quiet "
           "&& " HOLD_SCHEDULE);
    passes("N=17000; rm -rf r && sbstgen --unit memories --max-cycles $N --profile g80 -o r "
           "--quiet && " HOLD_SCHEDULE);
    passes("rm -rf r && sbstgen --unit rf --max-bytes 1000 --profile tiny -o r --quiet && [ $(ls "
           "r/*.job.xml | wc -l) -gt 2 ] && sed 1d r/*.schedule.csv | awk -F, '$6 > 1000 { exit 1 "
           "}'");
}

static void each_part_has_a_digest_of_its_own(void)
{
    passes("rm -rf r && sbstgen --unit memories --max-cycles 10500 --profile tiny -o r --quiet && "
           "[ $(cut -d, -f7 r/*.csv | wc -l) -gt 8 ] && [ -z \"$(cut -d, -f7 r/*.csv | sort | uniq "
           "-d)\" ] && for j in r/*.job.xml; do grep -q $(sed -n 's/.*sha256=.\\([0-9a-f]*\\).*/"
           "\\1/p' $j) r/*.csv || exit 1; done");
}

static void a_budget_that_is_too_small_is_refused_with_what_it_takes(void)
{
    tools_expect(dir, "sbstgen", "--unit rf --profile g80 --max-cycles 4000", 2,
                 "cannot split rf below 4248 cycles (16 cells, pass 'addresses'); use --max-cycles "
                 "4248 or more");
    tools_expect(dir, "sbstgen", "--unit cc --max-cycles 10 --max-bytes 10", 2,
                 "cannot split cc below 5832 cycles (2 cells, pass 'plain'); use --max-cycles 5832 "
                 "and --max-bytes 416 or more");
    tools_expect(dir, "sbstgen", "--unit rf --max-cycles 0", 2, "is not a number from 1");
}

static void the_budget_that_a_refusal_names_is_the_least_for_all_units(void)
{
    static const struct {
        const char *request;
        int least;
    } list[] = {{"--unit memories --profile g80 --max-cycles", 14872},
                {"--unit memories --max-bytes", 464},
                {"--unit rf --profile g80 --max-cycles", 4248}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char *says = fl_format("use --max-%s %d or more", i == 1 ? "bytes" : "cycles",
                               list[i].least);
        for (int less = 2; less >= 0; less--) {
            char *line = fl_format("%s %d -o least", list[i].request,
                                   less == 2 ? 100 : list[i].least - less);
            tools_expect(dir, "sbstgen", line, less ? 2 : 0, less ? says : "the parts in order: ");
            free(line);
        }
        free(says);
    }
}

/* All faults of a sample, by some part. */
static void parts_find(const char *options, const char *faults)
{
    char *script = fl_format(
        "rm -rf r && sbstgen --profile tiny -o r --quiet %s && [ $(ls r/*.job.xml | wc -l) -gt 1 ] "
        "&& faultsim memory %s r/*.job.xml --quiet --csv r.csv && awk -F, '/^union/ { n++; if ($5 "
        "!= $7 && $6 == 0) exit 1 } END { exit !n }' OFS=, r.csv || { grep union r.csv; exit 1; }",
        options, faults);
    passes(script);
    free(script);
}

static void parts_together_find_what_the_whole_does(void)
{
    parts_find("--unit rf --max-cycles 4000", "--target rf --sample 300");
    parts_find("--unit rf --max-cycles 4000", "--faults 'rf/p992/b*~*:cf*,rf/p1024/b*~*:cf*'");
    parts_find("--unit cc --max-cycles 1700", "--target cc --sample 300");
    parts_find("--unit areg --max-cycles 1700", "--target areg --sample 300");
    parts_find("--unit shared --max-cycles 1400", "--target shared --sample 300");
}

static void one_schedule_has_all_units(void)
{
    passes(
        "rm -rf r && sbstgen --unit memories --profile tiny -o r --quiet && for u in $(sed -n "
        "'/instead=/d; /follows=/d; s/.*<unit name=\"\\([a-z]*\\)\".*/\\1/p' '" FAULTLINE_SOURCE_DIR
        "'/sbst/units.xml '" FAULTLINE_SOURCE_DIR
        "'/sbst/control.xml); do grep -q \"^[0-9]*,$u[-.].*job.xml\" r/*.schedule.csv || { echo no "
        "$u; exit 1; }; done");
    tools_expect(dir, "sbstgen", "--unit pc --profile flexgripplus-rtl", 2,
                 "an exit ends no thread");
}

/* The generator leaves the costs of programs with loops open; all other cells are its own. */
static void a_run_fills_all_costs_of_a_schedule(void)
{
    passes("rm -rf r && sbstgen --unit memories --profile tiny -o r --quiet && cp r/*.schedule.csv "
           "before && grep -q ',,' before && smrun --measure r/*.schedule.csv && "
           "! grep -n ',,\\|,$' r/*.schedule.csv && [ $(wc -l <before) -gt 12 ] && "
           "cut -d, -f1-3,6- before >a && cut -d, -f1-3,6- r/*.schedule.csv | cmp - a && "
           "sed 1d r/*.schedule.csv | while IFS=, read n job launches i c bytes sha; do "
           "smrun r/$job --expect | awk -v i=$i -v c=$c '$1 == \"cycles\" { t = $2 } "
           "$1 == \"instructions\" { e = $2 } END { exit !(i > 0 && e == i && t == c) }' || "
           "{ echo $job: $i instructions, $c cycles; exit 1; }; done");
    passes(
        "sed 1d r/*.schedule.csv | while IFS=, read n job launches i c bytes sha; do "
        "[ \"$(sed -n 's/.* \\([0-9]*\\) bytes of code.*/\\1/p' r/${job%.job.xml}.lst)\" = $bytes "
        "] || { echo $job: $bytes bytes; exit 1; }; done");
}

static void a_schedule_that_cannot_be_measured_stays_as_it_was(void)
{
    static const char *const wrong[][2] = {
        {"rm r/dsp.job.xml", ".csv:9: r/dsp.job.xml: cannot open"},
        {"sed -i s/tiny/g80/ r/dsp.job.xml",
         ".csv:9: r/rf-c-minus.job.xml is for profile tiny, and r/dsp.job.xml for profile g80: "
         "these are different machines (warps)"},
        {"sed -i '9s/,[0-9a-f]*$/,00/' r/*.schedule.csv",
         ".csv:9: the outputs of r/dsp.job.xml have another digest"},
        {"sed -i 9s/,// r/*.schedule.csv", ".csv:9: 6 cells, and the first line names 7 columns"},
        {"sed -i 1s/cycles/time/ r/*.schedule.csv", ".csv:1: no column 'cycles'"},
        {"sed -i 2,99d r/*.schedule.csv", ".csv: no part"},
        {"set -- --max-cycles 9000", "(--max-cycles is too low)"},
        {"set -- --profile g80", "--profile g80 contradicts"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *script = fl_format(
            "rm -rf r && sbstgen --unit memories --profile tiny -o r --quiet && %s && cp "
            "r/*.schedule.csv before || exit 9; smrun --measure r/*.schedule.csv \"$@\" >told "
            "2>&1; "
            "[ $? = 1 ] && cmp before r/*.schedule.csv && grep -qFe \"%s\" told || "
            "{ cat told; exit 1; }",
            wrong[i][0], wrong[i][1]);
        passes(script);
        free(script);
    }
    tools_expect(dir, "smrun", "--measure r/dsp.job.xml --expect", 2,
                 "leave out all other options");
}

/* Each unit alone finds some fault: of a few of each unit, who finds those that one program finds? */
static void no_unit_can_be_taken_away(void)
{
    passes("rm -rf r && sbstgen --unit memories --profile tiny -o r --quiet && cat >stuck <<'END'\n"
           "rf/p1700/b*:sa*\nshared/p9/b*:sa*\ncc/w1/c3/o*:sa*\nareg/w1/a2/t3/b*:sa*\n"
           "dstack/w1/le2/tm*:sa*\npc/w1/b*:sa*\ntstate/w1/hi*:sa*\nsched/b*:sa*\nir/lo*:sa*\n"
           "barrier/blk0/bar3/w*:sa*\nEND\n"
           "cat >others <<'END'\ndsp/w1/b*:*\nmask/w1/t3~*:cf*\nEND\n"
           "faultsim stuck-at --faults stuck r/*.job.xml --quiet --csv-faults 1.csv && "
           "faultsim memory --faults others r/*.job.xml --quiet --csv-faults 2.csv && "
           "cat 1.csv 2.csv | awk -F, '$4 == \"detected\" { sub(/-c-minus/, \"\", $1); n[$2]++; "
           "by[$2] = $1 } END { for (f in n) { split(f, part, \"/\"); if (n[f] == 1 && by[f] == "
           "part[1]) print part[1] } }' | sort -u >alone && ls r/*.job.xml | sed "
           "'s/^r.//; s/-c-minus//; s/.job.xml//; /local/d' | sort | diff - alone");
}

static void a_unit_left_out_is_tested_by_the_one_instead(void)
{
    passes("rm -rf r && sbstgen --unit memories --profile tiny -o r --quiet && [ ! -e "
           "r/exec.job.xml ] && [ ! -e r/dstackmarch.job.xml ] && faultsim stuck-at --target exec "
           "--quiet --csv r.csv r/dstack.job.xml && awk -F, '$1 == \"dstack\" && $5 == $7 { n++ } "
           "END { exit !n }' r.csv");
}

/* A signature is that of a bit at 0 and at 1, and of nothing else. */
static void a_follow_up_names_every_bit(void)
{
    passes("rm -rf r && mkdir r && for u in shared local; do sbstgen --unit ${u}bits --profile "
           "tiny -o r/$u "
           "--quiet && printf '%s/p7/b*:sa*\\n%s/p39/b*:sa*\\n' $u $u >ids && faultsim dictionary "
           "--faults ids r/$u/*.job.xml --quiet --csv r.csv && grep -v '^#' r.csv | sed '1d; "
           "s/:sa.*//' >rows && [ $(wc -l <rows) = 128 ] && [ $(cut -d, -f1,3 rows | sort -u | wc "
           "-l) = 64 ] && [ $(cut -d, -f2 rows | sort -u) = 2 ] || exit 1; done");
}

static void inside_writes_macros_that_say_what_they_give_back(void)
{
    passes(
        "rm -rf r && sbstgen --unit shared --inside --profile g80 -o r --quiet && [ \"$(ls r)\" "
        "= shared-c-minus-inside.sasm ] && grep -q 'Saved and given back: R0 to R15, flags C0 to "
        "C3, $a1 to $a4, shared memory' r/* && grep -q '^.equ sbst_shared_block, 512' r/*");
    tools_expect(dir, "sbstgen", "--inside --method nesting", 2, "go with --unit");
}

/* ---- other machines ---------------------------------------------------------------------------------------------- */

/* Of the large ones a sample of faults as well when all cases are asked for. */
static void every_profile_has_a_test_of_all_memories(void)
{
    static const char *const profiles[] = {"tiny", "tiny-chip", "g80", "flexgripplus",
                                           "flexgripplus-rtl"};
    for (size_t i = 0; i < (check_few() ? 1 : sizeof profiles / sizeof profiles[0]); i++) {
        char *script = fl_format(
            "rm -rf r && sbstgen --unit memories --profile %s -o r --quiet && faultsim memory "
            "--target rf,shared,cc,areg --sample 100 r/*-c-minus.job.xml --quiet --csv r.csv && "
            "awk -F, '/^union/ && $5 + 0 { n++; if ($5 != $7) exit 1 } END { exit !n }' r.csv",
            profiles[i]);
        passes(script);
        free(script);
    }
    for (size_t i = 0; i < sizeof profiles / sizeof profiles[0]; i++) {
        char *script = fl_format("N=200000; rm -rf r && sbstgen --unit memories --profile %s -o r "
                                 "--quiet && " HOLD_SCHEDULE,
                                 profiles[i]);
        passes(script);
        free(script);
    }
}

/* A few faults of each unit in the last SM, and the outputs of all. */
static void on_a_chip_each_sm_is_tested(void)
{
    passes(
        "rm -rf r && sbstgen --unit memories --profile tiny-chip -o r --quiet && for j in "
        "r/*.job.xml; do smrun $j --expect >r.txt || exit 1; done; cat >ids <<'END'\n"
        "sm1/rf/p400/b*:sa*\nsm1/shared/p9/b*:sa*\nsm1/cc/w1/c3/o*:sa*\n"
        "sm1/areg/w1/a2/t3/b*:sa*\nsm1/dstack/w1/le2/tm*:sa*\nsm1/dsp/w*/b*:sa*\n"
        "sm1/mask/w1/t*:sa*\nsm1/tstate/w1/hi*:sa*\nsm1/pc/w1/b5:sa*\nsm1/sched/b3:sa*\n"
        "sm1/ir/hi10:sa*\nsm1/barrier/blk0/bar3/w*:sa*\nEND\n"
        "faultsim stuck-at --faults ids r/*.job.xml --quiet --csv r.csv && awk -F, '/^union/ { n "
        "= $5 == $6 + $7 } END { exit !n }' r.csv || { cat r.csv; exit 1; }");
}

static void a_machine_that_a_test_cannot_fill_is_refused(void)
{
    passes("sed 's/<shared_bytes>256/<shared_bytes>64/' \"" FAULTLINE_SOURCE_DIR
           "/profiles/tiny.xml\" >small.xml");
    tools_expect(dir, "sbstgen", "--unit shared --profile ./small.xml", 2,
                 "--unit shared: no number of warps of profile ./small.xml fills it with 2 to 8 "
                 "cells each; choose another profile");
    tools_expect(dir, "sbstgen", "--unit memories --profile ./small.xml", 2, "--unit shared: no");
    tools_expect(dir, "sbstgen", "--unit rf --profile g81", 2, "there is no profile 'g81'");
}

int main(void)
{
    const struct check tests[] = {
        CHECK(parts_take_no_more_than_their_budget),
        CHECK(each_part_has_a_digest_of_its_own),
        CHECK(a_budget_that_is_too_small_is_refused_with_what_it_takes),
        CHECK(the_budget_that_a_refusal_names_is_the_least_for_all_units),
        CHECK(parts_together_find_what_the_whole_does),
        CHECK(one_schedule_has_all_units),
        CHECK(a_run_fills_all_costs_of_a_schedule),
        CHECK(a_schedule_that_cannot_be_measured_stays_as_it_was),
        CHECK(no_unit_can_be_taken_away),
        CHECK(a_unit_left_out_is_tested_by_the_one_instead),
        CHECK(a_follow_up_names_every_bit),
        CHECK(inside_writes_macros_that_say_what_they_give_back),
        CHECK(every_profile_has_a_test_of_all_memories),
        CHECK(on_a_chip_each_sm_is_tested),
        CHECK(a_machine_that_a_test_cannot_fill_is_refused),
    };
    dir = tools_folder();
    int failed = check_run("memories", tests, sizeof tests / sizeof tests[0]);
    tools_remove(dir);
    return failed;
}
