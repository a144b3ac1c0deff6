/* test_protect.c -- what codes in the words of memories make of flips (--protect): by the number of wrong bits in each word, if
 * they are read.
 */
#include "faultsim/report/protect.h"
#include "tests/lib/campaigns.h"
#include "tests/lib/commands.h"

static void memories_and_codes_are_named(void)
{
    struct protect p;
    CU_ASSERT(protect_parse("rf=secded,shared=parity", &p) == 0 && protect_any(&p));
    CU_ASSERT(p.code[0] == PROTECT_SECDED && p.code[1] == PROTECT_PARITY);
    CU_ASSERT(p.code[2] == PROTECT_NOTHING && p.code[3] == PROTECT_NOTHING);
    static const char *const none[] = {
        "",           "rf",     "rf=", "rf=ecc", "pc=parity", "rf=parity,", "rf=parity,rf=secded",
        "rf=secdedx", "=parity"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        CU_ASSERT_EQUAL(protect_parse(none[i], &p), -1);
}

/* A flip of a word that is read, alone and with others: of its word, of another one, of the program counter. */
static void a_code_sees_the_wrong_bits_of_its_word(void)
{
    static const struct {
        const char *code, *flips, *becomes;
    } all[] = {
        {"secded", "$r/b0@$c:flip", "corrected"},
        {"parity", "$r/b0@$c:flip", "detected due_after"},
        {"secded", "$r/b0@$c:flip+$r/b1@$c:flip", "detected due_after"},
        {"parity", "$r/b0@$c:flip+$r/b1@$c:flip", "sdc_after"},
        {"secded", "$r/b0@$c:flip+$r/b1@$c:flip+$r/b2@$c:flip", "sdc_after"},
        {"parity", "$r/b0@$c:flip+$r/b1@$c:flip+$r/b2@$c:flip", "detected due_after"},
        {"secded", "$r/b0@$c:flip+$q/b0@$c:flip", "corrected"},
        {"secded", "$r/b0@$c:flip+$q/b0@$c:flip+$q/b1@$c:flip", "detected due_after"},
        {"secded", "$r/b0@$c:flip+cc/w1/c3/z0@$c:flip", "sdc_after"},
    };
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL_FATAL(
        commands_run("faultsim transient --target rf --sample 3000 --csv-faults f --quiet "
                     "good.job.xml; for id in $(grep ,sdc, f | cut -d, -f3); do "
                     "r=${id%/*} at=${id#*@}; c=${at%:*}; n=${r#rf/p}; "
                     "printf \"$r/b0@$c:flip\\n$r/b0@$c:flip+$r/b1@$c:flip\\n"
                     "$r/b0@$c:flip+$r/b1@$c:flip+$r/b2@$c:flip\\n\" >l; "
                     "faultsim transient --faults l --csv-faults g --quiet good.job.xml; "
                     "test $(grep -c ,sdc, g) = 3 && break; done; "
                     "echo \"r=$r c=$c q=rf/p$((n + 1))\" >at; test $(grep -c ,sdc, g) = 3",
                     NULL, &said),
        0);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char *line = fl_format(
            ". ./at; echo \"%s\" >l; faultsim transient --faults l --protect rf=%s --xml x --quiet "
            "good.job.xml --store s.db && grep '<share' x | grep 'value=\"1\"' | "
            "sed 's/.*of=\"\\([a-z_]*\\)\".*/\\1/' | grep -v '^sdc$' | tr '\\n' ' '; "
            "faultsim report s.db --protect rf=%s --xml y --quiet && cmp x y && rm s.db",
            all[i].flips, all[i].code, all[i].code);
        char *want = fl_format("%s ", all[i].becomes);
        CU_ASSERT_EQUAL(commands_run(line, &said, NULL), 0);
        if (strcmp(commands_text(&said), want) != 0)
            printf("\n    %s %s: %s\n", all[i].code, all[i].flips, commands_text(&said));
        CU_ASSERT_STRING_EQUAL(commands_text(&said), want);
        free(line);
        free(want);
    }
    fl_buf_free(&said);
}

/* A flip that nobody reads meets no code. */
static void flips_that_are_not_read_stay_masked(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        commands_run("faultsim transient --target rf --sample 900 --csv-faults f --quiet "
                     "good.job.xml; grep -E ',(idle|overwritten),' f | cut -d, -f3 >l && "
                     "faultsim transient --faults l --protect rf=parity --xml x --quiet "
                     "good.job.xml && grep '<share' x | grep -v 'value=\"0\"' | wc -l",
                     &said, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(commands_text(&said), "0\n");
    fl_buf_free(&said);
}

static double share_in(const char *xml, const char *of)
{
    char *what = fl_format("of=\"%s\" value=\"", of);
    const char *at = strstr(xml, what);
    const double v = at ? strtod(at + strlen(what), NULL) : -1;
    free(what);
    return v;
}

static struct fl_buf xml_of(const struct job *job, struct avf_options opt, const char *codes)
{
    struct fl_err err = {""};
    struct fl_buf out = {0};
    struct protect p;
    struct store *s = campaigns_run(job, opt);
    CU_ASSERT_EQUAL_FATAL(protect_parse(codes, &p), 0);
    const struct avf_report a = {
        .result = store_result(s), .made = "", .store = s, .protect = &p, .fit_per_bit = 1};
    CU_ASSERT_EQUAL(protect_check(&a, &err), 0);
    CU_ASSERT_EQUAL(avf_report_xml(&a, &out, &err), 0);
    fl_buf_add(&out, "", 1);
    campaigns_close(s);
    return out;
}

/* All flips that are read, of each bit in each cycle; a sample looks at its flips one by one. */
static void an_exact_campaign_knows_what_a_sample_estimates(void)
{
    struct job *job = campaigns_small(campaigns_loop);
    struct avf_options opt = campaigns_options();
    opt.target[0] = "rf";
    opt.methods[METHOD_EXACT] = true;
    struct fl_buf exact = xml_of(job, opt, "rf=parity");
    opt.methods[METHOD_EXACT] = false;
    opt.methods[METHOD_SAMPLE] = true;
    opt.count = 3000;
    struct fl_buf sample = xml_of(job, opt, "rf=parity");
    const char *x = (char *)exact.data, *y = (char *)sample.data;
    const double all = share_in(x, "detected"), some = share_in(y, "detected");
    CU_ASSERT(all > 0.05 && all < 0.95 && share_in(x, "sdc") > 0);
    CU_ASSERT(some > all - 0.03 && some < all + 0.03);
    CU_ASSERT(share_in(x, "due_after") == all && share_in(x, "sdc_after") == 0);
    CU_ASSERT(share_in(x, "sdc") + share_in(x, "due") <= all);
    CU_ASSERT_PTR_NOT_NULL(strstr(x, "code=\"parity\""));
    fl_buf_free(&exact);
    fl_buf_free(&sample);
    job_free(job);
}

/* Figures of --csv are those of --xml, in the row of all kernels; the page has the table; without --protect there is none. */
static void csv_and_page_have_the_figures_of_the_xml(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "rm -f s.db; faultsim transient --sample 900 --target rf,pc launches.job.xml --quiet "
            "--store s.db "
            "--csv plain --html none && ! grep -q protect_ plain && ! grep -q Protected none && "
            "faultsim report s.db --fit-per-bit 1 --protect rf=secded --quiet --csv c --xml x "
            "--html h && "
            "grep -q 'Protected memories' h && grep -v '^#' c >g && "
            "for k in sdc due corrected detected sdc_after due_after; do "
            "awk -F, -v k=protect_$k 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } "
            "$c[\"kernel\"] == \"all\" && $c[\"target\"] == \"rf\" { printf \"%.6f\\n\", $c[k]; "
            "next } $c[k] != \"\" { exit 1 }' g >a && "
            "sed -n 's/.*<share of=\"'$k'\" value=\"\\([^\"]*\\)\".*/\\1/p' x | "
            "awk '{ printf \"%.6f\\n\", $1 }' >b && test -s a && cmp a b || exit 1; done; "
            "awk -F, 'NR == 1 { n = NF } NF != n { exit 1 }' g",
            &said, &said),
        0);
    if (said.size)
        printf("\n%s", commands_text(&said));
    fl_buf_free(&said);
}

static void codes_that_cannot_be_told_of_are_refused(void)
{
    static const struct commands_refusal all[] = {
        {"faultsim transient --exact good.job.xml --protect rf=ecc", 2, "rf=secded,shared=parity"},
        {"faultsim transient --exact good.job.xml --protect dstack=parity", 2, "--protect"},
        {"faultsim transient --sample 9 --keep sums good.job.xml --protect rf=parity", 2,
         "--keep sums"},
        {"faultsim transient --exact --exhaustive good.job.xml --protect rf=parity", 2,
         "--exhaustive"},
        {"faultsim transient --fault rf/p1/b1@5:flip good.job.xml --protect rf=parity", 2,
         "--fault"},
        {"faultsim stuck-at good.job.xml --protect rf=parity", 2, "--protect"},
    };
    CHECK_REFUSED(all);
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(commands_run("rm -f s.db; faultsim stuck-at --target pc good.job.xml --quiet "
                                 "--store s.db && faultsim report s.db --quiet --protect rf=parity",
                                 NULL, &said),
                    1);
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&said), "is for transient faults"));
    fl_buf_free(&said);
}

int main(void)
{
    commands_start();
    int status = CHECK_RUN("protect", CHECK(memories_and_codes_are_named),
                           CHECK(a_code_sees_the_wrong_bits_of_its_word),
                           CHECK(flips_that_are_not_read_stay_masked),
                           CHECK(an_exact_campaign_knows_what_a_sample_estimates),
                           CHECK(csv_and_page_have_the_figures_of_the_xml),
                           CHECK(codes_that_cannot_be_told_of_are_refused));
    commands_end();
    return status;
}
