/* test_gen_files.c -- sbstgen: what its files hold, and what it refuses, with nothing left behind. */
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

static void listing_has_every_instruction_of_the_cubin_once(void)
{
    struct fl_err err = {0};
    struct sbst_program p = self_tests_make_range(1, 3, SBST_ACC, true);
    struct fl_buf source = {0}, listing = {0};
    struct cubin *cubin = NULL;
    sbst_write_source(&p, &source);
    CU_ASSERT_EQUAL_FATAL(sbst_assemble(&p, &source, &cubin, &err), 0);
    CU_ASSERT_EQUAL_FATAL(sbst_write_listing(&p, cubin, &listing, &err), 0);
    int lines = 0, stated = p.kernel[0].instructions + p.kernel[1].instructions;
    for (const char *s = (const char *)listing.data; (s = strstr(s, "\n  ")); s++)
        lines += strspn(s + 3, "0123456789abcdef") == 6 && s[9] == ' ';
    CU_ASSERT_EQUAL(lines, stated);
    for (int i = 0; i < 2; i++)
        CU_ASSERT_EQUAL(cubin->kernel[i].code[0].size, (uint32_t)p.kernel[i].bytes);
    cubin_free(cubin);
    fl_buf_free(&source);
    fl_buf_free(&listing);
    sbst_program_free(&p);
}

static void same_request_gives_the_same_bytes(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        tools_run(
            self_tests.dir, &out,
            "for d in a b; do sbstgen --method sync-trick --le 1-3 --approach ind --checkpoint "
            "-o $d || exit; done; diff -r a b && ls a"),
        0);
    CU_ASSERT_TRUE(tools_says(
        &out, "sync-trick-ind-le01.cubin\nsync-trick-ind-le01.job.xml\nsync-trick-ind-le01.lst\n"
              "sync-trick-ind-le01.sasm\nsync-trick-ind-le02.cubin\n"));
    fl_buf_free(&out);
}

static void wrong_usage_is_one_message_and_exit_2(void)
{
    static const struct {
        const char *args, *message;
    } wrong[] = {
        {"", "--method is missing"},
        {"--method teapot --le 1", "there is no method 'teapot'"},
        {"--method nesting --le 1 --approach ind", "with --method nesting use --approach acc"},
        {"--method sync-trick --le 1 --patterns minimal --checkpoint", "no check signature"},
        {"--method sync-trick --le 1-2 --patterns minimal --pc --flow-id --landing-pads --profile "
         "../two.xml",
         "--landing-pads takes 3 line-entries, profile ../two.xml has 2"},
        {"--method nesting --le 1 --landing-pads", "use --method sync-trick"},
        {"--method sync-trick --le 1 --landing-pads", "needs --patterns minimal, --pc and"},
        {"--method sync-trick --le 1 --patterns minimal --pc --landing-pads", "--flow-id"},
        {"--method sync-trick --le 1-9 --patterns minimal --pc --flow-id --landing-pads "
         "--max-bytes 100",
         "--max-bytes 100: line-entry 2 alone takes"},
        {"--method sync-trick --le 1 --patterns minimal --pc --flow-id --landing-pads --checkpoint",
         "no check signature"},
        {"--method sync-trick --le 1 --warps 25", "has 24 warp slots"},
        {"--method sync-trick --le 1 --warps 3 --profile tiny", "has 2 warp slots"},
        {"--method sync-trick --le 1 --warps 0", "'0' is not a number from 1"},
        {"--method sync-trick --le 1 --warps 1-2", "'1-2' is not a number from 1"},
        {"--method sync-trick --le 1 --max-cycles 100",
         "--max-cycles 100: line-entry 1 alone takes"},
        {"--method sync-trick --le 2-9 --max-bytes 3700",
         "--max-bytes 3700: line-entry 9 alone takes 3936"},
        {"--method sync-trick --le 1 --max-cycles 0", "'0' is not a number from 1"},
        {"--method sync-trick --le 1 --max-bytes x", "'x' is not a number from 1"},
        {"--method sync-trick --le 1 --max-cycles 9 --approach ind", "leave --approach ind out"},
        {"--method sync-trick --le 1 --max-cycles 9 --warps 2", "leave --warps 2 out"},
        {"--method nesting --le 1-33", "line-entries 1 to 32"},
        {"--method nesting --le 1 --patterns few", "there are no patterns 'few'"},
        {"--method sync-trick", "--le is missing"},
        {"--method sync-trick --le 0", "count from 1"},
        {"--method sync-trick --le 0-3", "count from 1"},
        {"--method sync-trick --le 33", "line-entries 1 to 32"},
        {"--method sync-trick --le 1-33", "line-entries 1 to 32"},
        {"--method sync-trick --le 4-5 --profile tiny", "line-entries 1 to 4"},
        {"--method sync-trick --le 10-1", "runs backwards"},
        {"--method sync-trick --le x", "not a range"},
        {"--method sync-trick --le ''", "not a range"},
        {"--method sync-trick --le -1", "not a range"},
        {"--method sync-trick --le 1-", "not a range"},
        {"--method sync-trick --le 1--2", "not a range"},
        {"--method sync-trick --le 1-2-3", "not a range"},
        {"--method sync-trick --le 99999999999999999999", "not a range"},
        {"--method sync-trick --le 1 --approach both", "there is no approach 'both'"},
        {"--method sync-trick --le 1 --profile teapot", "there is no profile 'teapot'"},
        {"--method sync-trick --le 1 more", "'more' belongs to no option"},
        {"--method sync-trick --le 1 --teapot", "unknown option '--teapot'"},
        {"--method sync-trick --le", "--le needs a value"},
        {"--method sync-trick --le 1 -x", "unknown option '-x'"},
        {"--method sync-trick --le 1 -xq", "unknown option '-xq'"},
    };
    struct fl_buf out = {0};
    tools_run(self_tests.dir, &out,
              "mkdir wrong && sed 's|<stack_entries>32|<stack_entries>2|' "
              "%s/profiles/flexgripplus.xml >two.xml",
              FAULTLINE_SOURCE_DIR);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i += SANITIZED ? 4 : 1) {
        int status = tools_run(self_tests.dir, &out, "cd wrong && sbstgen %s 2>&1", wrong[i].args);
        bool good = status == 2 && tools_says(&out, wrong[i].message) &&
                    strncmp((char *)out.data, "sbstgen: ", 9) == 0;
        if (!good)
            printf("\n    sbstgen %s: exit %d, %s", wrong[i].args, status,
                   out.size ? (char *)out.data : "no message");
        CU_ASSERT_TRUE(good);
    }
    CU_ASSERT_EQUAL(self_tests_files("wrong"), 0);
    fl_buf_free(&out);
}

static void code_that_does_not_fit_the_code_space_is_wrong_usage(void)
{
    struct fl_buf out = {0};
    static const char *const options[] = {"--pc", "--patterns paper"};
    static const char *const message[] = {"below the far block at 0x5558 there is room for 21848",
                                          "has a code space of 0x10000 bytes"};
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(
            tools_run(
                self_tests.dir, &out,
                "mkdir -p small && sed 's|<code_bits>32|<code_bits>16|' "
                "%s/profiles/flexgripplus.xml >small.xml && "
                "sbstgen --method sync-trick --le 1-32 %s --profile ./small.xml -o small 2>&1",
                FAULTLINE_SOURCE_DIR, options[i]),
            2);
        CU_ASSERT_TRUE(tools_says(&out, message[i]));
    }
    CU_ASSERT_EQUAL(self_tests_files("small"), 0);
    fl_buf_free(&out);
}

static void write_that_fails_leaves_the_files_of_before(void)
{
    struct fl_buf out = {0};
    /* a limit on the size of a file stands for the full disk */
    CU_ASSERT_EQUAL(
        tools_run(self_tests.dir, &out,
                  "mkdir full && sbstgen --method sync-trick --le 1-2 --approach ind -o full && "
                  "cp -r full before && trap '' XFSZ && ulimit -f 16 && "
                  "sbstgen --method sync-trick --le 1-2 --approach ind --checkpoint -o full 2>&1; "
                  "test $? = 1 && diff -r full before && ls -A full | wc -l"),
        0);
    CU_ASSERT_TRUE(tools_says(&out, "cannot write: File too large"));
    CU_ASSERT_TRUE(tools_says(&out, "\n8\n"));
    fl_buf_free(&out);
}

static void name_that_is_taken_leaves_no_job_behind(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        tools_run(self_tests.dir, &out,
                  "mkdir -p taken/sync-trick-acc-le01.cubin && "
                  "sbstgen --method sync-trick --le 1 -o taken 2>&1; test $? = 1 && ls -A taken"),
        0);
    CU_ASSERT_TRUE(tools_says(&out, "sync-trick-acc-le01.cubin: cannot write: Is a directory"));
    CU_ASSERT_FALSE(tools_says(&out, "job.xml\n"));
    CU_ASSERT_FALSE(tools_says(&out, ".lst\n"));
    CU_ASSERT_EQUAL(
        tools_run(self_tests.dir, &out, "sbstgen --method sync-trick --le 1 -o /dev/null/x 2>&1"),
        1);
    CU_ASSERT_TRUE(tools_says(&out, "name one that can be written with -o"));
    fl_buf_free(&out);
}

static void name_that_is_taken_leaves_the_files_of_before(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        tools_run(
            self_tests.dir, &out,
            "g() { sbstgen --method sync-trick --le 1-2 --approach ind -o older $1 2>&1; } && "
            "g && rm older/*02.lst && mkdir older/sync-trick-ind-le02.lst && cp -r older as-before "
            "&& "
            "g --checkpoint; test $? = 1 && diff -r older as-before && ls -A older | wc -l"),
        0);
    CU_ASSERT_TRUE(tools_says(&out, "le02.lst: cannot write: Is a directory; remove what is in"));
    CU_ASSERT_TRUE(tools_says(&out, "\n8\n"));
    fl_buf_free(&out);
}

static void each_program_is_told_unless_quiet(void)
{
    struct fl_buf out = {0};
    struct sbst_program p = self_tests_make_range(1, 3, SBST_ACC, false);
    char *line = fl_format("told/sync-trick-acc-le01-03: .cubin .job.xml .sasm .lst, 2 launches, "
                           "%d instructions, %d bytes, %d executed in %d cycles\n",
                           p.kernel[0].instructions + p.kernel[1].instructions, sbst_bytes(&p),
                           self_tests_executed(&p), sbst_cycles(&p));
    tools_expect(self_tests.dir, "sbstgen", "--method sync-trick --le 1-3 -o told", 0, line);
    CU_ASSERT_EQUAL(tools_run(self_tests.dir, &out,
                              "sbstgen --method sync-trick --le 1-3 --quiet -o told 2>&1"),
                    0);
    CU_ASSERT_EQUAL(out.size, 0);
    free(line);
    sbst_program_free(&p);
    fl_buf_free(&out);
}

static void budget_that_minimal_patterns_keep_is_refused_with_that_advice(void)
{
    tools_expect(self_tests.dir, "sbstgen", "--method sync-trick --le 3-9 --max-cycles 2500", 2,
                 "give at least as many, or choose --patterns minimal, which fits in 1 part\n");
    tools_expect(self_tests.dir, "sbstgen",
                 "--method sync-trick --le 3-9 --max-cycles 2500 --checkpoint", 2,
                 "--patterns minimal without --checkpoint, which");
    tools_expect(self_tests.dir, "sbstgen", "--method sync-trick --le 3-9 --max-cycles 100", 2,
                 "give at least as many\n");
}

int main(void)
{
    if (!self_tests_start())
        return 1;
    int status = CHECK_RUN("gen_files", CHECK(listing_has_every_instruction_of_the_cubin_once),
                           CHECK(same_request_gives_the_same_bytes),
                           CHECK(wrong_usage_is_one_message_and_exit_2),
                           CHECK(code_that_does_not_fit_the_code_space_is_wrong_usage),
                           CHECK(write_that_fails_leaves_the_files_of_before),
                           CHECK(name_that_is_taken_leaves_no_job_behind),
                           CHECK(name_that_is_taken_leaves_the_files_of_before),
                           CHECK(each_program_is_told_unless_quiet),
                           CHECK(budget_that_minimal_patterns_keep_is_refused_with_that_advice));
    self_tests_end();
    return status;
}
