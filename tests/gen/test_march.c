/* test_march.c -- self-tests of memories: marches as data, the programs that come of them, what faultsim finds with them.
 *
 *     test_march            all faults of small machines, samples of g80
 *     test_march exact      all faults of g80 but couplings: minutes
 */
#include "gen/march/march.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

static char *dir;

/* ---- march.xml and units.xml ------------------------------------------------------------------------------------- */

static void refuses(const char *text, const char *words)
{
    struct march m = {0};
    struct fl_err err = {0};
    CU_ASSERT_EQUAL(march_parse(text, &m, &err), -1);
    if (!strstr(err.msg, words))
        printf("\n    '%s': %s\n", text, err.msg);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, words));
}

static void a_march_that_makes_no_sense_is_refused(void)
{
    refuses("", "without elements");
    refuses("any()", "without operations");
    refuses("any(w0) left(r0)", "no element");
    refuses("any(w0) up(r0 w2)", "'w2)' is no operation");
    refuses("any(w0) up(r0", "is no operation");
    refuses("up(r0 w1)", "must be a write");
    refuses("any(i)", "must be a write");
    refuses("any(w0) up(r1)", "r1 finds 0");
    refuses("any(w0) up(i) up(r0)", "r0 finds 1");
}

static void a_march_is_printed_as_it_was_written(void)
{
    struct march m = {0};
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL_FATAL(march_parse("\n any( w0 ) up(r0 w1)\tdown(i)", &m, NULL), 0);
    for (int i = 0; i < m.nelements; i++)
        march_element_text(&m.element[i], &out);
    fl_buf_add(&out, "", 1);
    CU_ASSERT_STRING_EQUAL((char *)out.data, "any(w0)up(r0 w1)down(i)");
    fl_buf_free(&out);
}

/* sbstgen with a copy of the data in which sed has changed a file of sbst/. */
static void damaged(const char *file, const char *sed, const char *words)
{
    struct fl_buf out = {0};
    int status = tools_run(
        dir, &out,
        "rm -rf data && mkdir data && cp -r %s/sbst %s/profiles data && mkdir data/docs && cp "
        "%s/docs/*.rng data/docs && sed -i '%s' data/sbst/%s && ! cmp -s data/sbst/%s "
        "%s/sbst/%s && FAULTLINE_DATA=data sbstgen --unit rf -o none 2>&1",
        FAULTLINE_SOURCE_DIR, FAULTLINE_SOURCE_DIR, FAULTLINE_SOURCE_DIR, sed, file, file,
        FAULTLINE_SOURCE_DIR, file);
    bool good = status == 1 && tools_says(&out, words);
    if (!good)
        printf("\n    %s: status %d, %s", sed, status, (char *)out.data);
    CU_ASSERT_TRUE(good);
    fl_buf_free(&out);
}

static void damaged_files_are_refused_with_the_line(void)
{
    damaged("march.xml", "s/marches version=.1./marches version=\"2\"/", "march.xml:");
    damaged("march.xml", "s/title=.March X./title=\"X\" by=\"me\"/", "march.xml:7: ");
    damaged("march.xml", "s/up(r0 w1) down(r1 w0)</up(r1)</",
            "march.xml:6: march 'mats+': r1 finds 0");
    damaged("march.xml", "s/name=.x./name=\"c-\"/", "a second march 'c-'");
    damaged("units.xml", "s/fills=.registers./fills=\"all\"/", "units.xml:");
    damaged("units.xml", "s/march=.words./march=\"nothing\"/", "march.xml has no march 'nothing'");
    damaged("units.xml", "s/<pass data=.plain.\\/>/<pass data=\"none\"\\/>/",
            "no <data> is called 'none'");
    damaged("units.xml", "s/<pass data=.plain.\\/>/<pass data=\"columns\"\\/>/",
            "runs on plain data");
    damaged("units.xml", "s/ one=.c1.A2[^ ]* / /", "have no one=");
    damaged("units.xml", "s/<write>LOP.PASS_B R{k}/<write>LOP.PASS_B S{k}/", "rf-c-minus.sasm:");
    damaged("units.xml", "s/<\\/units>//", "units.xml:");
}

static void wrong_requests_say_what_there_is(void)
{
    tools_expect(dir, "sbstgen", "--unit rg", 2,
                 "there is no unit 'rg' (did you mean rf?); use one of rf, shared");
    tools_expect(dir, "sbstgen", "--unit rf --march d", 2, "no march 'd'; use one of mats+, x, c-");
    tools_expect(dir, "sbstgen", "--unit rf --march words", 2, "no march 'words'");
    tools_expect(dir, "sbstgen", "--unit rf --le 3", 2, "leave one of them out");
    tools_expect(dir, "sbstgen", "--march c-", 2, "go with --unit");
}

/* ---- programs ---------------------------------------------------------------------------------------------------- */

static void every_march_on_every_unit_leaves_the_digest_that_the_job_states(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        tools_run(
            dir, &out,
            "for u in rf shared cc areg local; do for m in mats+ x c- ss lr inverting; do for p in "
            "tiny; do for a in ''; do rm -rf r && sbstgen --unit $u --march $m "
            "--profile $p $a -o r --quiet && smrun r/*.job.xml --expect >r.txt || { echo $u $m $p "
            "$a; exit 1; }; done; done; done; done"),
        0);
    fl_buf_free(&out);
}

static void a_program_takes_no_more_than_what_was_promised(void)
{
    static const struct {
        const char *unit;
        int executed, cycles;
    } most[] = {
        {"rf", 3344, 14040}, {"shared", 3120, 13144}, {"cc", 3672, 15208}, {"areg", 3456, 14344}};
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        struct fl_buf out = {0};
        CU_ASSERT_EQUAL(
            tools_run(dir, &out,
                      "rm -rf r && sbstgen --unit %s --profile g80 -o r && smrun r/*.job.xml | awk "
                      "'$1 == \"cycles\" { c = $2 } $1 == \"instructions\" { i = $2 } END { exit "
                      "!(c <= %d "
                      "&& i <= %d) }'",
                      most[i].unit, most[i].cycles, most[i].executed),
            0);
        fl_buf_free(&out);
    }
}

/* ---- coverage ---------------------------------------------------------------------------------------------------- */

/* faultsim detects all these faults with March C- of the unit. */
static void finds_all(const char *unit, const char *profile, const char *options)
{
    struct fl_buf out = {0};
    int status = tools_run(
        dir, &out,
        "rm -rf r && sbstgen --unit %s --profile %s -o r --quiet && faultsim memory %s "
        "r/*.job.xml --quiet --csv-faults r.csv && sed 1,3d r.csv | grep -v ',detected,' "
        "| head -3; [ $(sed 1,3d r.csv | wc -l) -gt 0 ]",
        unit, profile, options);
    if (status != 0 || out.size > 1)
        printf("\n    %s, %s, %s: %s", unit, profile, options, (char *)out.data);
    CU_ASSERT_TRUE(status == 0 && out.size <= 1);
    fl_buf_free(&out);
}

static void all_faults_of_small_memories_are_found(void)
{
    finds_all("shared", "tiny", "--target shared --sample 500");
    finds_all("cc", "tiny", "--target cc --sample 500");
    finds_all("areg", "tiny", "--target areg --sample 500");
    finds_all("rf", "tiny", "--target rf --sample 500");
    finds_all("cc", "tiny", "--target cc --kind sof");
    finds_all("shared", "tiny", "--target shared --kind af");
    finds_all("local", "tiny",
              "--faults 'local/p0-63/b*:sa*,local/p0-63/b*:tf*'"); /* of the 256 that the job has */
}

static void all_faults_of_a_sample_of_g80_are_found(void)
{
    static const char *const units[] = {"rf", "shared", "cc", "areg", "local"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        char *options = fl_format("--target %s --sample 200", units[i]);
        finds_all(units[i], "g80", options);
        free(options);
    }
}

/* How many of these faults of a shared memory of 64 words the march alone detects, "10 of 64". */
static void detects(const char *march, const char *faults, int found, int of)
{
    struct fl_buf out = {0};
    int status = tools_run(
        dir, &out,
        "rm -rf r && sbstgen --unit shared --march %s --alone --profile tiny -o r --quiet && "
        "faultsim memory --faults '%s' r/*.job.xml --quiet --csv-faults r.csv && sed 1,3d r.csv "
        "| awk -F, '{ n++; d += $4 == \"detected\" } END { print d \" of \" n; exit !(d == %d && n "
        "== %d) }'",
        march, faults, found, of);
    if (status != 0)
        printf("\n    %s, %s, not %d of %d: %s", march, faults, found, of, (char *)out.data);
    CU_ASSERT_EQUAL(status, 0);
    fl_buf_free(&out);
}

/* One bit in each of two words, one above the other in a bank, and the same the other way round; the tables of van de Goor's
 * book, as test_memory has them of programs written by hand. */
static void marches_find_what_the_textbook_says(void)
{
    static const char *const all[] = {"c-", "lr", "inverting"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        detects(all[i], "shared/p20/b5:sa*", 2, 2);
        detects(all[i], "shared/p20/b5:tf*", 2, 2);
        detects(all[i], "shared/p20/b5~shared/p36/b5:cfin*,shared/p36/b5~shared/p20/b5:cfin*", 4,
                4);
    }
    detects("mats+", "shared/p20/b5:sa*", 2, 2);
    detects("mats+", "shared/p20/b5:tf01", 1, 1);
    detects("mats+", "shared/p20/b5:tf10", 0, 1); /* nobody reads behind the last write */
    static const char *const coupled[] = {"c-", "ss"};
    for (size_t i = 0; i < sizeof coupled / sizeof coupled[0]; i++) {
        detects(coupled[i], "shared/p20/b5~shared/p36/b5:cfid*,shared/p36/b5~shared/p20/b5:cfid*",
                8, 8);
        detects(coupled[i], "shared/p20/b5~shared/p36/b5:cfst*,shared/p36/b5~shared/p20/b5:cfst*",
                8, 8);
    }
    detects("x", "shared/p20/b5~shared/p36/b5:cfid*,shared/p36/b5~shared/p20/b5:cfid*", 4, 8);
}

static void passes_each_find_what_nothing_else_does(void)
{
    static const struct {
        const char *pass, *faults;
    } left[] = {{"words", "shared/p20/b5~shared/p20/b6:cfid*"}, {"addresses", "shared/p*~*:af*"}};
    for (size_t i = 0; i < 2; i++) {
        struct fl_buf out = {0};
        int status = tools_run(
            dir, &out,
            "rm -rf r && sbstgen --unit shared --march c- --alone --profile tiny -o r --quiet && "
            "faultsim memory --faults '%s' r/*.job.xml --quiet --csv-faults r.csv; grep -q ',not "
            "detected,' r.csv",
            left[i].faults);
        if (status != 0)
            printf("\n    without the pass '%s' nothing is lost", left[i].pass);
        CU_ASSERT_EQUAL(status, 0);
        fl_buf_free(&out);
    }
    finds_all("shared", "tiny", "--faults 'shared/p20/b5~shared/p20/b6:cfid*,shared/p*~*:af*'");
}

static void exact(void)
{
    static const char *const units[] = {"rf", "shared", "cc", "areg", "local"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        char *options = fl_format("--target %s --kind saf,tf,sof,af", units[i]);
        finds_all(units[i], "g80", options);
        free(options);
    }
}

int main(int argc, char **argv)
{
    const struct check tests[] = {
        CHECK(a_march_that_makes_no_sense_is_refused),
        CHECK(a_march_is_printed_as_it_was_written),
        CHECK(damaged_files_are_refused_with_the_line),
        CHECK(wrong_requests_say_what_there_is),
        CHECK(every_march_on_every_unit_leaves_the_digest_that_the_job_states),
        CHECK(a_program_takes_no_more_than_what_was_promised),
        CHECK(all_faults_of_small_memories_are_found),
        CHECK(all_faults_of_a_sample_of_g80_are_found),
        CHECK(marches_find_what_the_textbook_says),
        CHECK(passes_each_find_what_nothing_else_does),
    };
    const struct check all[] = {CHECK(exact)};
    bool slow = argc > 1 && strcmp(argv[1], "exact") == 0;
    dir = tools_folder();
    int failed = slow ? check_run("march_exact", all, 1)
                      : check_run("march", tests, sizeof tests / sizeof tests[0]);
    tools_remove(dir);
    return failed;
}
