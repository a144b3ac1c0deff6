/* test_control.c -- self-tests of what controls an SM: programs that come of sbst/control.xml, what faultsim finds with them.
 *
 *     test_control            all faults of a small machine, of g80 those of small structures
 *     test_control exact      of g80 the others: half a minute
 */
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

static char *dir;

static const char units[] = "pc mask exec dsp sched tstate ir barrier dstack dstackmarch";

/* A script that says nothing and ends with 0. */
static void silent(const char *what, const char *script)
{
    struct fl_buf out = {0};
    int status = tools_run(dir, &out, "%s", script);
    if (status != 0 || out.size > 1)
        printf("\n    %s: status %d, %s", what, status, (char *)out.data);
    CU_ASSERT_TRUE(status == 0 && out.size <= 1);
    fl_buf_free(&out);
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static void every_test_leaves_the_digest_that_its_job_states(void)
{
    char *script = fl_format(
        "for p in tiny g80 flexgripplus; do for u in %s; do sbstgen --unit $u --profile $p -o "
        "$p-$u --quiet && smrun $p-$u/$u.job.xml --expect >run.txt || echo $p $u; done; done",
        units);
    silent("digest", script);
    free(script);
}

static void programs_take_no_more_than_what_was_promised(void)
{
    silent(
        "executed",
        "n=0; for u in pc mask exec dsp sched; do n=$((n + $(smrun g80-$u/$u.job.xml | awk '$1 == "
        "\"instructions\" { print $2 }'))); done; [ $n -le 3000 ] || echo $n");
    silent("executed",
           "smrun g80-dstack/dstack.job.xml | awk '$1 == \"instructions\" && $2 > 4632'");
    silent("cycles", "smrun g80-barrier/barrier.job.xml | awk '$1 == \"cycles\" && $2 > 37000'");
}

static void wrong_requests_say_what_there_is(void)
{
    tools_expect(dir, "sbstgen", "--unit pc --march c-", 2, "--unit pc is no march");
    tools_expect(dir, "sbstgen", "--unit pc --le 3", 2, "leave one of them out");
}

/* sbstgen --unit $1 with a copy of the data in which sed has changed a file of sbst/. */
static const char with_changed_data[] =
    "rm -rf data && mkdir data && cp -r " FAULTLINE_SOURCE_DIR "/sbst " FAULTLINE_SOURCE_DIR
    "/profiles data && mkdir data/docs && cp " FAULTLINE_SOURCE_DIR
    "/docs/*.rng data/docs && sed -i '%s' data/sbst/%s && ! cmp -s "
    "data/sbst/%s " FAULTLINE_SOURCE_DIR
    "/sbst/%s && FAULTLINE_DATA=data sbstgen --unit %s --profile tiny -o changed --quiet";

static void damaged(const char *file, const char *sed, const char *words)
{
    char *make = fl_format(with_changed_data, sed, file, file, file, "pc");
    struct fl_buf out = {0};
    int status = tools_run(dir, &out, "%s 2>&1", make);
    bool good = status == 1 && tools_says(&out, words);
    if (!good)
        printf("\n    %s: status %d, %s", sed, status, (char *)out.data);
    CU_ASSERT_TRUE(good);
    fl_buf_free(&out);
    free(make);
}

static void damaged_files_are_refused_with_the_line(void)
{
    damaged("control.xml", "s/version=.1. common/version=\"2\" common/", "control.xml:");
    damaged("control.xml", "s/name=.mask./name=\"pc\"/", "a second unit 'pc'");
    damaged("control.xml", "s/shapes=.slots./shapes=\"all\"/", "control.xml:");
    damaged("control.xml", "s/instead=.dstack./instead=\"later\"/", "no unit before it is called");
    damaged("control.xml", "s/file=.pc.sasm./file=\"none.sasm\"/", "none.sasm");
    damaged("control/pc.sasm", "s/MVI R2/MVJ R2/", "pc.sasm:");
}

/* ---- coverage ---------------------------------------------------------------------------------------------------- */

static void finds_all(const char *profile, const char *unit)
{
    const char *target = strncmp(unit, "dstack", 6) == 0 ? "dstack/w*" : unit;
    char *script = fl_format(
        "faultsim stuck-at --target '%s' %s-%s/%s.job.xml --quiet --csv-faults "
        "f.csv && grep -v '^#' f.csv | "
        "sed 1d | grep -v ',detected,\\|,undetectable-untestable,' | head -3; "
        "[ $(grep -c ',detected,' "
        "f.csv) -gt 0 ]",
        target, profile, unit, unit);
    silent(unit, script);
    free(script);
}

static void all_testable_stuck_at_faults_of_a_small_machine_are_found(void)
{
    char *all = fl_strdup(units), *save = NULL;
    for (char *u = strtok_r(all, " ", &save); u; u = strtok_r(NULL, " ", &save))
        finds_all("tiny", u);
    free(all);
}

static void all_testable_stuck_at_faults_of_g80_are_found(void)
{
    static const char *const some[] = {"pc", "mask", "exec", "sched", "ir", "tstate"};
    for (size_t i = 0; i < sizeof some / sizeof some[0]; i++)
        finds_all("g80", some[i]);
}

static void all_transition_faults_are_found(void)
{
    silent("transition", "for u in pc mask dsp tstate; do faultsim memory --target $u --kind tf "
                         "tiny-$u/$u.job.xml --quiet --csv-faults f.csv; "
                         "grep -v '^#' f.csv | sed 1d | grep -v "
                         "',detected,\\|,undetectable-untestable,' | head -3; done");
}

/* A thread is one too many in one pop, and missing in the next: a plain count of updates forgets it. */
static void stuck_open_and_transition_faults_of_thread_masks_are_found(void)
{
    silent("masks", "faultsim memory --faults 'dstack/w*/le*/tm*:tf*,dstack/w*/le2-4/tm*:sof' "
                    "tiny-dstackmarch/dstackmarch.job.xml --quiet --csv-faults f.csv; grep -v '^#' "
                    "f.csv | sed 1d | "
                    "grep -v ',detected,' | head -3; [ $(grep -c ',detected,' f.csv) = 704 ]");
}

/* All but what needs the address behind the code: two other warps lie beside it, and two other entries. */
static void all_faults_of_a_middle_entry_are_found(void)
{
    silent("entry",
           "for e in w5/le10 w14/le17; do faultsim memory --target dstack/$e "
           "g80-dstackmarch/dstackmarch.job.xml --quiet --csv-faults f.csv; grep -v '^#' "
           "f.csv | sed 1d | grep -v ',detected,\\|,undetectable-untestable,\\|spc24' | head -3; [ "
           "$(grep -c ',detected,' f.csv) -gt 2100 ] || echo none; done");
}

/* Each line holds addresses that differ in all bits of a tag, and is thrown out; a miss too many is time alone. */
static void caches_have_self_tests_where_a_profile_has_them(void)
{
    silent("caches",
           "for u in l1d l2; do sbstgen --unit $u --profile tiny-chip-caches -o $u --quiet && "
           "smrun $u/$u.job.xml --expect >run.txt || echo $u; done");
    silent("data",
           "for u in l1d l2; do faultsim stuck-at --faults \"${u}_data/set*/way*/w0/b0:sa*\" "
           "$u/$u.job.xml --quiet --csv-faults f.csv; grep -v '^#' f.csv | sed 1d | grep "
           "-v ',detected,' | head -3; done");
    silent("tags",
           "for u in l1d l2; do faultsim stuck-at --faults \"$u/set*/way*/tag10-15:sa*\" "
           "--detect-timing $u/$u.job.xml --quiet --csv-faults f.csv; grep -v '^#' f.csv | sed 1d "
           "| grep -v ',detected,' | head -3; [ $(grep -c ',detected,' f.csv) -ge 48 ] || echo $u; "
           "done");
    tools_expect(dir, "sbstgen", "--unit l2 --profile g80", 2,
                 "profile g80 has no cache l2 for global memory");
    tools_expect(dir, "sbstgen", "--unit l1d --profile gpufi-titan", 2,
                 "which a test of local memory fills");
}

/* The others reach all bits of the pointers but the highest, behind the spill area's first entries. */
static void without_the_test_of_pointers_a_bit_of_each_is_lost(void)
{
    silent("dsp", "sbstgen --unit memories --profile g80 -o all --quiet && faultsim stuck-at "
                  "--target dsp --quiet --csv-faults f.csv $(ls all/*.job.xml | grep -v dsp) && "
                  "[ $(grep -v '^#' f.csv | cut -d, -f2,4 | grep ',detected' | sort -u | wc -l) = "
                  "312 ]");
}

/* Without this line of its file a test finds fewer of the faults. */
static void loses(const char *unit, const char *sed)
{
    char *file = fl_format("control/%s.sasm", unit);
    char *make = fl_format(with_changed_data, sed, file, file, file, unit);
    struct fl_buf out = {0};
    int status = tools_run(dir, &out,
                           "%s && sed -i /digest/d changed/%s.job.xml && smrun changed/%s.job.xml "
                           ">run.txt && faultsim stuck-at "
                           "--target %s changed/%s.job.xml --quiet --csv-faults f.csv && grep -q "
                           "',not detected,' f.csv",
                           make, unit, unit, unit, unit);
    if (status != 0)
        printf("\n    %s, %s: nothing is lost, %s", unit, sed, (char *)out.data);
    CU_ASSERT_EQUAL(status, 0);
    fl_buf_free(&out);
    free(make);
    free(file);
}

static void no_part_of_a_test_can_be_taken_away(void)
{
    loses("pc", "/MOV32/d");
    loses("mask", "/BRA C0/d");
    loses("exec", "/IADD R2 (C0.EQ)/d");
    loses("dsp", "s/DEEP - 1/DEEP - 2/");
    loses("tstate", "/CAL.NOINC lower/d");
    loses("tstate", "/broken C0.NE/d");
    loses("dstack", "s/PBK LOW + 16 .* (30/SSY LOW + 16 * (30/");
    loses("dstack", "s/BITS ^ 0xfffffe00/BITS ^ 0x00fffe00/");
    loses("barrier", "s/BRA C2.NE, first_of_two/BRA leave/");
    loses("barrier", "s/BAR.WAIT b..,/NOP \\/\\/ /");
    loses("ir", "s/MVI R63/MVI R2/; s/, R63/, R3/");
}

static void exact(void)
{
    every_test_leaves_the_digest_that_its_job_states();
    finds_all("g80", "dsp");
    finds_all("g80", "barrier");
    finds_all("g80", "dstack");
    finds_all("flexgripplus", "dstack");
    finds_all("g80", "dstackmarch");
    all_faults_of_a_middle_entry_are_found();
    without_the_test_of_pointers_a_bit_of_each_is_lost();
}

int main(int argc, char **argv)
{
    const struct check all[] = {CHECK(exact)};
    const struct check tests[] = {
        CHECK(every_test_leaves_the_digest_that_its_job_states),
        CHECK(programs_take_no_more_than_what_was_promised),
        CHECK(wrong_requests_say_what_there_is),
        CHECK(damaged_files_are_refused_with_the_line),
        CHECK(all_testable_stuck_at_faults_of_a_small_machine_are_found),
        CHECK(all_testable_stuck_at_faults_of_g80_are_found),
        CHECK(all_transition_faults_are_found),
        CHECK(stuck_open_and_transition_faults_of_thread_masks_are_found),
        CHECK(no_part_of_a_test_can_be_taken_away),
        CHECK(caches_have_self_tests_where_a_profile_has_them),
    };
    bool slow = argc > 1 && strcmp(argv[1], "exact") == 0;
    dir = tools_folder();
    int failed = slow ? check_run("control_exact", all, 1)
                      : check_run("control", tests, sizeof tests / sizeof tests[0]);
    tools_remove(dir);
    return failed;
}
