/* test_pruning.c -- the rule that must not break: for every fault, the pruned engine says what brute force says, to the
 * last field; a cell that is held from cycle 0 on without an end ends as that fault; and what the self-tests are for: all
 * TM faults are seen as silent corruptions.
 *
 *     test_pruning              the coverage workloads and the self-tests of LE 1 to 4
 *     test_pruning selftests    the self-tests of all LEs
 *
 * Brute force takes minutes under AddressSanitizer. Unless all cases are asked for (CHECK_ALL) it is done for a sample, of some
 * bits of every LE.
 */
#include "tests/lib/tools.h"
#include "tests/lib/flips.h"

#include <glob.h>
#include <unistd.h>

static char *scratch; /* a directory of this run, removed at the end */

/* Runs sbstgen into a directory of its own below scratch. */
static void generate(const char *dir, const char *args)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL_FATAL(
        tools_run(scratch, &out, "sbstgen --profile flexgripplus %s -o '%s'", args, dir), 0);
    fl_buf_free(&out);
}

/* The ids that brute force tries: all, or of those that are activated 24, and 6 of the others. */
static char **choose(const struct fsim_campaign *c, int *count)
{
    char **id = fl_alloc((size_t)c->list.count * sizeof *id);
    long active = 0, seen[2] = {0, 0};
    for (long i = 0; i < c->list.count; i++)
        active += c->result[i].first_activation != FSIM_NEVER;
    *count = 0;
    for (long i = 0; i < c->list.count; i++) {
        int on = c->result[i].first_activation != FSIM_NEVER;
        long of = on ? active : c->list.count - active, want = on ? 24 : 6, k = seen[on]++;
        if (check_few() && k * want / of == (k + 1) * want / of)
            continue;
        id[*count] = fl_alloc(FSIM_ID);
        fsim_id(c->img, &c->list.fault[i], id[(*count)++]);
    }
    return id;
}

static bool ends_as(const struct transient_result *held, const struct fsim_result *stuck)
{
    return held->r.outcome == stuck->outcome && held->r.end == stuck->end &&
           (stuck->outcome == OUT_MASKED || strcmp(held->r.reason, stuck->reason) == 0);
}

/* Faults of the campaign that end otherwise as cells held for good, pruned or (some) by brute force. */
static long held_otherwise(const char *path, const struct fsim_campaign *c)
{
    struct bench b = bench_open(faults_load(path), false);
    struct transient_result held;
    long n = 0;
    for (long i = 0; i < c->list.count; i++) {
        const struct fsim_fault *f = &c->list.fault[i];
        transient_simulate(b.w, b.t, f, &held);
        bool same = ends_as(&held, &c->result[i]);
        if (same && i % 9 == 0) {
            transient_exhaustive(b.w, b.t, f, &held);
            same = ends_as(&held, &c->result[i]);
        }
        if (same || n++ >= 5)
            continue;
        char id[FSIM_ID];
        fsim_id(c->img, f, id);
        faults_print("stuck-at", id, &c->result[i]);
        faults_print("held", id, &held.r);
    }
    bench_close(&b);
    return n;
}

static long differences(const char *path, const struct job *job)
{
    static const char *const whole[] = {"dstack"}, *const some[] = {"dstack/le*/tm9:sa*",
                                                                    "dstack/le*/id*:sa*",
                                                                    "dstack/le*/spc3-6:sa*"};
    struct fsim_options pruned = {.run.max_cycles = 100000000}, brute = pruned;
    struct fsim_campaign all, a, b;
    struct fl_err err = {{0}};
    int n;
    CU_ASSERT_EQUAL_FATAL(
        faults_run(&all, job, check_few() ? some : whole, check_few() ? 3 : 1, NULL, &pruned, &err),
        0);
    char **id = choose(&all, &n);
    CU_ASSERT_EQUAL(all.list.count, check_few() ? 448 : 4224);
    fsim_campaign_free(&all);
    brute.run.exhaustive = true;
    CU_ASSERT_EQUAL_FATAL(faults_run(&a, job, (const char *const *)id, n, NULL, &pruned, &err), 0);
    CU_ASSERT_EQUAL_FATAL(faults_run(&b, job, (const char *const *)id, n, NULL, &brute, &err), 0);
    CU_ASSERT_EQUAL(b.list.count, n);
    CU_ASSERT_TRUE(n == 4224 || (check_few() && n >= 12 + 6)); /* of some, 12 faults act */
    long different = faults_differences(&a, &b) + held_otherwise(path, &b);
    for (int i = 0; i < n; i++)
        free(id[i]);
    free(id);
    fsim_campaign_free(&a);
    fsim_campaign_free(&b);
    return different;
}

static void check_job(const char *path)
{
    struct job *job = faults_load(path);
    long n = differences(path, job);
    if (n)
        printf("\n    %s: %ld faults with another result", path, n);
    CU_ASSERT_EQUAL(n, 0);
    job_free(job);
}

/* All jobs that sbstgen wrote into a directory below scratch. */
static void check_generated(const char *dir, size_t jobs)
{
    char *pattern = fl_format("%s/%s/*.job.xml", scratch, dir);
    glob_t found;
    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
    CU_ASSERT_EQUAL(found.gl_pathc, jobs);
    for (size_t i = 0; i < found.gl_pathc; i++)
        check_job(found.gl_pathv[i]);
    globfree(&found);
    free(pattern);
}

static void workloads_have_the_same_results_by_brute_force(void)
{
    static const char *const name[] = {"mxm", "sort", "fft", "edge"};
    for (int i = 0; i < 4; i += check_few() ? 2 : 1) {
        char *path = fl_format("%s/bench/%s.job.xml", FAULTLINE_BUILD_DIR, name[i]);
        check_job(path);
        free(path);
    }
}

static void self_tests_of_four_les_have_the_same_results_by_brute_force(void)
{
    if (!check_few()) {
        generate("four", "--method sync-trick --le 1-4");
        check_generated("four", 1);
    }
    generate("checked", "--method sync-trick --le 1-4 --checkpoint");
    generate("nesting", "--method nesting --le 1-4 --pc --flow-id --checkpoint");
    check_generated("checked", 1);
    check_generated("nesting", 1);
}

static void self_test_of_all_les_has_the_same_results_by_brute_force(void)
{
    generate("acc", "--method sync-trick --le 1-32 --checkpoint");
    check_generated("acc", 1);
}

static void self_tests_of_each_le_have_the_same_results_by_brute_force(void)
{
    generate("ind", "--method sync-trick --le 1-32 --approach ind");
    check_generated("ind", 32);
}

static long sdc(const struct fsim_result *r, long n)
{
    long count = 0;
    for (long i = 0; i < n; i++)
        count += r[i].outcome == OUT_SDC;
    return count;
}

static void acc_1_32_sees_all_tm_faults_as_silent_corruptions(void)
{
    static const char *const args[] = {"--method sync-trick --le 1-32",
                                       "--method sync-trick --le 1-32 --checkpoint"};
    for (int i = 0; i < 2; i++) {
        generate("tm", args[i]);
        char *path = fl_format("%s/tm/sync-trick-acc-le01-32.job.xml", scratch);
        struct job *job = faults_load(path);
        struct fsim_campaign c = faults_campaign(job, "dstack/w0/le*/tm*:sa*",
                                                 (struct fsim_options){0});
        CU_ASSERT_EQUAL(c.list.count, 2048);
        CU_ASSERT_EQUAL(sdc(c.result, c.list.count), 2048);
        fsim_campaign_free(&c);
        job_free(job);
        free(path);
    }
}

static void union_of_the_ind_jobs_sees_all_tm_faults_as_silent_corruptions(void)
{
    struct fsim_campaign c[32];
    struct job *job[32];
    struct fsim_result *together = fl_alloc(2048 * sizeof *together);
    generate("tm", "--method sync-trick --le 1-32 --approach ind");
    for (int le = 1; le <= 32; le++) {
        char *path = fl_format("%s/tm/sync-trick-ind-le%02d.job.xml", scratch, le);
        job[le - 1] = faults_load(path);
        c[le - 1] = faults_campaign(job[le - 1], "dstack/w0/le*/tm*:sa*", (struct fsim_options){0});
        CU_ASSERT_EQUAL(c[le - 1].list.count, 2048);
        /* each one alone sees those of its LE */
        CU_ASSERT_EQUAL(sdc(&c[le - 1].result[64 * (le - 1)], 64), 64);
        free(path);
    }
    fsim_union(c, 32, together);
    CU_ASSERT_EQUAL(sdc(together, 2048), 2048);
    for (int i = 0; i < 32; i++) {
        fsim_campaign_free(&c[i]);
        job_free(job[i]);
    }
    free(together);
}

int main(int argc, char **argv)
{
    bool selftests = false;
    for (int i = 1; i < argc; i++) {
        selftests |= strcmp(argv[i], "selftests") == 0;
    }
    scratch = tools_folder();
    int status =
        selftests ? CHECK_RUN("pruning, self-tests",
                              CHECK(acc_1_32_sees_all_tm_faults_as_silent_corruptions),
                              CHECK(union_of_the_ind_jobs_sees_all_tm_faults_as_silent_corruptions),
                              CHECK(self_test_of_all_les_has_the_same_results_by_brute_force),
                              CHECK(self_tests_of_each_le_have_the_same_results_by_brute_force))
                  : CHECK_RUN("pruning", CHECK(workloads_have_the_same_results_by_brute_force),
                              CHECK(self_tests_of_four_les_have_the_same_results_by_brute_force));
    tools_remove(scratch);
    return status;
}
