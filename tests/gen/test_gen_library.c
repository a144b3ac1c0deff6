/* test_gen_library.c -- self-test programs: what the manifest may say, and what programs are composed of. */
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

/* ---- the library ---- */

/* Loads the library from a copy of the data in which one string of the manifest is replaced; the message in err. */
static bool loads_with(const char *old, const char *new, struct fl_err *err)
{
    struct fl_buf out = {0}, text = {0}, changed = {0};
    char path[4200];
    tools_run(self_tests.dir, &out,
              "rm -rf data && mkdir -p data/docs && cp -r %s/sbst data && "
              "cp %s/docs/sbst-manifest.rng data/docs",
              FAULTLINE_SOURCE_DIR, FAULTLINE_SOURCE_DIR);
    snprintf(path, sizeof path, "%s/data/sbst/manifest.xml", self_tests.dir);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &text, err), 0);
    const char *at = strstr((const char *)text.data, old);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    size_t before = (size_t)(at - (const char *)text.data);
    fl_buf_printf(&changed, "%.*s%s%s", (int)before, (const char *)text.data, new,
                  at + strlen(old));
    CU_ASSERT_EQUAL_FATAL(fl_write_file(path, changed.data, changed.size, err), 0);
    char root[4200];
    snprintf(root, sizeof root, "%s/data", self_tests.dir);
    struct sbst_library *lib = NULL;
    bool good = sbst_library_load(root, &lib, err) == 0;
    sbst_library_free(lib);
    fl_buf_free(&out);
    fl_buf_free(&text);
    fl_buf_free(&changed);
    return good;
}

static void manifest_that_breaks_its_schema_is_refused_with_the_line(void)
{
    struct fl_err err = {0};
    CU_ASSERT_TRUE(
        loads_with("version=\"1\"", "version=\"1\"", &err)); /* the copy itself is fine */
    CU_ASSERT_FALSE(loads_with("holds=\"scratch\"", "", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "manifest.xml:9: "));
    CU_ASSERT_FALSE(loads_with("threads=\"one\"", "threads=\"two\"", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "manifest.xml:"));
    CU_ASSERT_FALSE(loads_with("</sbst>", "", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "manifest.xml:"));
}

static void manifest_that_names_what_is_not_there_is_refused(void)
{
    struct fl_err err = {0};
    CU_ASSERT_FALSE(loads_with("needs=\"TID SIG CHK\"", "needs=\"TID SIG XYZ\"", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "'XYZ'"));
    CU_ASSERT_FALSE(loads_with("<uses routine=\"update\"/>", "<uses routine=\"finish\"/>", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "'finish'"));
    CU_ASSERT_FALSE(loads_with("param=\"taken\"", "param=\"token\"", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "'token'"));
    CU_ASSERT_FALSE(loads_with("file=\"ssy.sasm\"", "file=\"nossy.sasm\"", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "nossy.sasm"));
}

static void manifest_parameters_that_differ_from_the_macro_are_refused(void)
{
    struct fl_err err = {0};
    CU_ASSERT_FALSE(loads_with("<param name=\"target\" type=\"label\"/>",
                               "<param name=\"there\" type=\"label\"/>", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, ".macro sbst_ssy there"));
}

/* ---- composition ---- */

static void constants_of_different_places_differ(void)
{
    enum { COUNT = 2 * 33 * 35 * 3 };
    uint32_t *all = fl_alloc(COUNT * sizeof *all);
    int n = 0, same = 0;
    for (int life = 1; life <= 2; life++)
        for (int le = 0; le <= 32; le++)
            for (int place = 0; place <= SBST_PLACE_SEED; place++)
                for (int role = SBST_TAKEN; role <= SBST_CHECK; role++)
                    all[n++] = sbst_constant(life, le, place, (enum sbst_role)role);
    CU_ASSERT_EQUAL(n, COUNT);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            same += all[i] == all[j];
    CU_ASSERT_EQUAL(same, 0);
    free(all);
}

/* One that came twice would hide a fault that runs one place for the other. */
static void every_place_of_a_program_has_constants_of_its_own(void)
{
    static const struct sbst_request request[] = {
        {.le_first = 1, .le_last = 3, .checkpoint = true},
        {.le_first = 1, .le_last = 4, .approach = SBST_IND},
        {.le_first = 1, .le_last = 3, .flow_id = true},
    };
    for (size_t r = 0; r < sizeof request / sizeof *request; r++) {
        struct sbst_program p = self_tests_make(&request[r]);
        uint32_t all[2048];
        int n = 0, same = 0;
        for (int i = 0; i < p.nkernels; i++)
            for (int j = 0; j < p.kernel[i].nsteps; j++) {
                const struct sbst_step *s = &p.kernel[i].step[j];
                for (int a = 0; a < s->routine->nparams; a++)
                    if (strstr("taken not_taken check", s->routine->param[a].name) && n < 2048)
                        all[n++] = s->value[a];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                same += all[i] == all[j];
        CU_ASSERT(n > 96 && n < 2048);
        CU_ASSERT_EQUAL(same, 0);
        sbst_program_free(&p);
    }
}

/* The threads of the patterns that lie in LE `le`, and their number. */
static uint32_t pattern_threads(const struct sbst_kernel *k, const char *routine, int le,
                                int *count)
{
    uint32_t threads = 0;
    for (int i = 0; i < k->nsteps; i++)
        if (strcmp(k->step[i].routine->name, routine) == 0 && k->step[i].le == le) {
            threads |= (uint32_t)1 << k->step[i].value[0];
            ++*count;
        }
    return threads;
}

static void patterns_of_every_thread_lie_in_each_le_of_the_range_and_in_no_other(void)
{
    for (int first = 2; first <= 32; first += SANITIZED ? 15 : 5)
        for (int last = first; last <= 32; last += SANITIZED ? 7 : 1) {
            struct sbst_program p = self_tests_make_range(first, last, SBST_ACC, last % 2);
            CU_ASSERT_EQUAL(p.nkernels, 1);
            for (int le = 1; le <= 32; le++) {
                int count = 0;
                uint32_t threads = pattern_threads(&p.kernel[0], "divergence", le, &count);
                CU_ASSERT_EQUAL(threads, le >= first && le <= last ? 0xffffffff : 0);
                CU_ASSERT_EQUAL(count, le >= first && le <= last ? 32 : 0);
            }
            sbst_program_free(&p);
        }
}

static void each_life_peels_its_half_of_the_warp_from_le_1(void)
{
    for (int last = 1; last <= 32; last += 31) {
        struct sbst_program p = self_tests_make_range(1, last, SBST_ACC, false);
        CU_ASSERT_EQUAL(p.nkernels, 2);
        for (int life = 0; life < 2; life++) {
            int count = 0;
            uint32_t threads = pattern_threads(&p.kernel[life], "peel", 1, &count);
            CU_ASSERT_EQUAL(threads, life == 0 ? 0x0000ffff : 0xffff0000);
            CU_ASSERT_EQUAL(count, 16);
            for (int le = 2; le <= 32; le++)
                CU_ASSERT_EQUAL(pattern_threads(&p.kernel[life], "peel", le, &count), 0);
        }
        sbst_program_free(&p);
    }
}

static void composition_that_the_manifest_forbids_is_refused(void)
{
    struct fl_err err = {0};
    struct sbst_program p = {.lib = self_tests.lib, .machine = &self_tests.machine, .nkernels = 1};
    struct sbst_kernel *k = &p.kernel[0];
    k->name = fl_strdup("k");
    const struct sbst_arg check[] = {{"check", 1, NULL}}, target[] = {{"target", 0, "x"}};
    const struct sbst_arg seeds[] = {{"sig_seed", 1, NULL}, {"chk_seed", 2, NULL}};
    const struct sbst_arg expect[] = {
        {"expected", 3, NULL}, {"next", 1, NULL}, {"handler", 0, "x"}};
    CU_ASSERT_NOT_EQUAL(sbst_add(&p, k, "finish", "a", NULL, 0, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "needs register SIG"));
    CU_ASSERT_EQUAL(sbst_add(&p, k, "init", "b", seeds, 2, &err), 0);
    CU_ASSERT_NOT_EQUAL(sbst_add(&p, k, "join", "c", check, 1, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "pops 1 entries, there are 0"));
    CU_ASSERT_NOT_EQUAL(sbst_add(&p, k, "join", "d", target, 1, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "'check'"));
    CU_ASSERT_NOT_EQUAL(sbst_add(&p, k, "checkpoint", "e", expect, 3, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "expects 0x00000003"));
    CU_ASSERT_NOT_EQUAL(sbst_add(&p, k, "teapot", "f", NULL, 0, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "no routine 'teapot'"));
    for (int i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(sbst_add(&p, k, "ssy", "g", target, 1, &err), 0);
    CU_ASSERT_NOT_EQUAL(sbst_add(&p, k, "ssy", "h", target, 1, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "needs LE 33"));
    CU_ASSERT_NOT_EQUAL(sbst_close(&p, k, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "32 entries"));
    sbst_program_free(&p);
}

static void one_more_le_costs_about_what_the_paper_says(void) /* 391 instructions */
{
    struct sbst_program nine = self_tests_make_range(1, 9, SBST_ACC, true),
                        ten = self_tests_make_range(1, 10, SBST_ACC, true);
    int more = ten.kernel[0].instructions - nine.kernel[0].instructions;
    CU_ASSERT_TRUE(more > 391 * 3 / 4 && more < 391 * 5 / 4);
    sbst_program_free(&nine);
    sbst_program_free(&ten);
}

/* ---- files ---- */

static void routine_with_another_cost_than_its_row_states_is_refused(void)
{
    struct fl_err err = {0};
    CU_ASSERT_TRUE(loads_with("instructions=\"14\"", "instructions=\"13\"", &err));
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(tools_run(self_tests.dir, &out,
                              "mkdir cost && cp -r %s/profiles data && FAULTLINE_DATA=$PWD/data "
                              "sbstgen --method sync-trick --le 2 -o cost 2>&1",
                              FAULTLINE_SOURCE_DIR),
                    1);
    CU_ASSERT_TRUE(tools_says(&out, "routine 'divergence' states 13 instructions"));
    CU_ASSERT_EQUAL(self_tests_files("cost"), 0);
    fl_buf_free(&out);
}

int main(void)
{
    if (!self_tests_start())
        return 1;
    int status = CHECK_RUN(
        "gen_library", CHECK(manifest_that_breaks_its_schema_is_refused_with_the_line),
        CHECK(manifest_that_names_what_is_not_there_is_refused),
        CHECK(manifest_parameters_that_differ_from_the_macro_are_refused),
        CHECK(constants_of_different_places_differ),
        CHECK(every_place_of_a_program_has_constants_of_its_own),
        CHECK(patterns_of_every_thread_lie_in_each_le_of_the_range_and_in_no_other),
        CHECK(each_life_peels_its_half_of_the_warp_from_le_1),
        CHECK(composition_that_the_manifest_forbids_is_refused),
        CHECK(one_more_le_costs_about_what_the_paper_says),
        CHECK(routine_with_another_cost_than_its_row_states_is_refused));
    self_tests_end();
    return status;
}
