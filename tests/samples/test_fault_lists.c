/* test_fault_lists.c -- a list of faults belongs to a machine: another job in the campaign changes neither the list nor what
 * becomes of a fault in the jobs that are there.
 */
#include "tests/lib/faults.h"
#include "faultsim/report/coverage.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { JOBS = 3 };
static struct job *job[JOBS];

/* Without local or constant memory; with a little local memory; with more of it, and with constants. */
static void make_jobs(const char *profile)
{
    static const char *const text[JOBS] = {
        ".kernel k\n.param ptr OUT\nI2I.U32.U16 R1, R0L\nSHL R2, R1, 2\nIADD R2, s[OUT], R2\n"
        "GST.U32 global14[R2], R1\nNOP.EXIT\n",
        ".kernel k\n.param ptr OUT\n.local 8\nI2I.U32.U16 R1, R0L\nMVI R2, 0\nR2A A1, R2\n"
        "LST.U32 local[A1], R1\nLST.U32 local[A1+4], R1\nSHL R2, R1, 2\nIADD R2, s[OUT], R2\n"
        "LLD.U32 R3, local[A1]\nLLD.U32 R1, local[A1+4]\nIADD R3, R3, R1\n"
        "GST.U32 global14[R2], R3\nNOP.EXIT\n",
        ".kernel k\n.param ptr OUT\n.local 256\n.const table, u32, 3, 5, 7\n"
        "I2I.U32.U16 R1, R0L\nMVI R2, 124\nR2A A1, R2\nLST.U32 local[A1], R1\n"
        "SHL R2, R1, 2\nIADD R2, s[OUT], R2\nLLD.U32 R3, local[A1]\nIADD R3, R3, c1[4]\n"
        "GST.U32 global14[R2], R3\nNOP.EXIT\n"};
    static const char *const name[JOBS] = {"none", "little", "more"};
    for (int i = 0; i < JOBS; i++) {
        job[i] = faults_job(profile, 2, 32, text[i]);
        free(job[i]->name);
        job[i]->name = fl_strdup(name[i]);
    }
}

static void free_jobs(void)
{
    for (int i = 0; i < JOBS; i++)
        job_free(job[i]);
}

/* The jobs whose bits are set, the first one last where `turned`. */
static int run_jobs(unsigned which, bool turned, const char *pattern, struct fsim_choice choice,
                    struct fsim_campaign c[JOBS], struct fl_err *err)
{
    const struct job *of[JOBS];
    int n = 0;
    for (int i = 0; i < JOBS; i++)
        if (which >> (turned ? JOBS - 1 - i : i) & 1)
            of[n++] = job[turned ? JOBS - 1 - i : i];
    const struct fsim_wanted wanted = {&pattern, 1, NULL};
    const struct fsim_options opt = {.run.threads = 2, .run.max_cycles = 1000000, .choice = choice};
    return fsim_campaigns_run(of, n, &wanted, &opt, c, NULL, err) == 0 ? n : -1;
}

/* The ids of the faults that `own` says are, or are not, of local or constant memory, a line each. */
static char *ids(const struct fsim_campaign *c, bool own)
{
    struct fl_buf b = {0};
    for (long i = 0; i < c->list.count; i++) {
        int s = c->list.fault[i].cell.structure;
        char id[FSIM_ID];
        fsim_id(c->img, &c->list.fault[i], id);
        if ((s == SM_S_local || s == SM_S_const) == own)
            fl_buf_printf(&b, "%s\n", id);
    }
    fl_buf_add(&b, "", 1);
    return (char *)b.data;
}

static void free_campaigns(struct fsim_campaign *c, int n)
{
    for (int i = 0; i < n; i++)
        fsim_campaign_free(&c[i]);
}

static void another_job_changes_no_list_of_the_machine(void)
{
    const struct fsim_choice choice = {.sample = SANITIZED ? 10 : 60, .seed = 5};
    struct fl_err err = {""};
    struct fsim_campaign first[JOBS], c[JOBS];
    make_jobs("tiny");
    int n = run_jobs(7, false, "all", choice, first, &err);
    CU_ASSERT_EQUAL_FATAL(n, JOBS);
    char *machine = ids(first, false), *memories = ids(first, true);
    CU_ASSERT_PTR_NOT_NULL(strstr(machine, "rf/p"));
    CU_ASSERT_PTR_NOT_NULL(strstr(memories, "local/p"));
    CU_ASSERT_PTR_NOT_NULL(strstr(memories, "const/p"));
    for (unsigned which = 1; which < 8; which++)
        for (int turned = 0; turned < 2; turned++) {
            n = run_jobs(which, turned, "all", choice, c, &err);
            CU_ASSERT_FATAL(n > 0);
            for (int i = 0; i < n; i++) {
                char *of_machine = ids(&c[i], false), *of_memories = ids(&c[i], true);
                CU_ASSERT_STRING_EQUAL(of_machine, machine);
                if (which & 4) /* the largest job sets the size */
                    CU_ASSERT_STRING_EQUAL(of_memories, memories);
                free(of_machine);
                free(of_memories);
            }
            free_campaigns(c, n);
        }
    free(machine);
    free(memories);
    free_campaigns(first, JOBS);
    free_jobs();
}

/* It gives its text once. */
static void a_pipe_with_a_list_is_read_once_for_all_jobs(void)
{
    char text[] = "pc/w0/b3\n";
    int end[2];
    CU_ASSERT_EQUAL_FATAL(pipe(end), 0);
    CU_ASSERT_EQUAL(write(end[1], text, strlen(text)), (ssize_t)strlen(text));
    close(end[1]);
    CU_ASSERT_EQUAL(dup2(end[0], 0), 0);
    struct fsim_campaign c[JOBS];
    struct fl_err err = {""};
    make_jobs("tiny");
    const struct fsim_wanted wanted = {.file = "/dev/stdin"};
    const struct fsim_options opt = {.run.threads = 1, .run.max_cycles = 1000000};
    int status = fsim_campaigns_run((const struct job *const *)job, JOBS, &wanted, &opt, c, NULL,
                                    &err);
    CU_ASSERT_STRING_EQUAL(err.msg, "");
    CU_ASSERT_EQUAL_FATAL(status, 0);
    for (int i = 0; i < JOBS; i++)
        CU_ASSERT_EQUAL(c[i].list.count, 2);
    free_campaigns(c, JOBS);
    free_jobs();
    close(end[0]);
}

/* Bits 5 of all words that the job has, alone and with a larger job, and of some of the rest. */
static void check_outcomes(const char *profile, const char *own, const char *rest)
{
    struct fl_err err = {""};
    struct fsim_campaign alone[JOBS], c[JOBS];
    const struct fsim_choice all = {0};
    long tried = 0, acts = 0;
    make_jobs(profile);
    int n = run_jobs(2, false, own, all, alone, &err), many = run_jobs(7, false, own, all, c, &err);
    CU_ASSERT_FATAL(n == 1 && many == JOBS);
    CU_ASSERT_EQUAL(faults_differences(alone, &c[1]), 0);
    CU_ASSERT_EQUAL(faults_brute_differences(&c[1], SANITIZED ? 29 : 7, &tried), 0);
    for (long i = 0; i < c[1].list.count; i++)
        acts += c[1].result[i].outcome == OUT_SDC;
    CU_ASSERT(acts > 0);
    free_campaigns(alone, 1);
    free_campaigns(c, JOBS);
    CU_ASSERT_EQUAL_FATAL(run_jobs(7, false, rest, all, c, &err), JOBS);
    for (int i = 0; i < JOBS; i++) {
        CU_ASSERT_EQUAL(faults_brute_differences(&c[i], SANITIZED ? 59 : 17, &tried), 0);
        for (long f = 0; f < c[i].list.count && i < 2; f++)
            CU_ASSERT_EQUAL(c[i].result[f].first_activation, FSIM_NEVER);
    }
    free_campaigns(c, JOBS);
    free_jobs();
}

static void a_larger_job_changes_no_outcome_of_a_smaller_one(void)
{
    check_outcomes("tiny", "local/p0-1023/b2", "local/p1024-4095/b2");
}

static void so_with_several_sms_and_caches(void)
{
    check_outcomes("tiny-chip-caches", "sm*/local/p0-511/b2",
                   "sm*/local/p2048-2559/b2,const/p*/b1");
}

/* Couplings and decoders join words that the job has with others. */
static void faults_of_memories_reach_over_the_end_of_a_job(void)
{
    struct fl_err err = {""};
    struct fsim_campaign c[JOBS];
    struct fsim_choice choice = {.memory = true, .what = ~0u};
    long tried = 0;
    make_jobs("tiny");
    int n = run_jobs(6, false, "local/p992-1055/b2", choice, c, &err);
    CU_ASSERT_EQUAL_FATAL(n, 2);
    for (int i = 0; i < n; i++)
        CU_ASSERT_EQUAL(faults_brute_differences(&c[i], SANITIZED ? 5 : 1, &tried), 0);
    CU_ASSERT(tried > 100);
    free_campaigns(c, n);
    free_jobs();
}

static void a_structure_that_no_job_has_is_refused_by_the_job(void)
{
    struct fl_err err = {""};
    struct fsim_campaign c[JOBS];
    make_jobs("tiny");
    CU_ASSERT_EQUAL(run_jobs(1, false, "local", (struct fsim_choice){0}, c, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, " has no local memory"));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, job[0]->path));
    free_jobs();
}

static void reports_say_which_job_set_the_size(void)
{
    static const char *const says =
        "Local memory of an SM has the 16384 bytes of more, the largest";
    make_jobs("tiny");
    struct fsim_options opt = {.run.threads = 2, .choice = {.sample = 10, .seed = 1}};
    struct store *s = faults_store((const struct job *const *)job, JOBS, "local,const", opt);
    struct fl_buf table = faults_export(s, "table"), page = faults_export(s, "html"),
                  csv = faults_export(s, "csv");
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)table.data, says));
    CU_ASSERT_PTR_NOT_NULL(
        strstr((char *)table.data, "Constant memory has the 4096 bytes of more"));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)page.data, says));
    CU_ASSERT_PTR_NOT_NULL(
        strstr((char *)csv.data, " local-bytes=16384 local-job=3 const-bytes=4096 const-job=3 "));
    fl_buf_free(&table);
    fl_buf_free(&page);
    fl_buf_free(&csv);
    store_close(s, NULL);
    s = faults_store((const struct job *const *)job, 1, "pc", opt);
    table = faults_export(s, "csv");
    CU_ASSERT_PTR_NULL(strstr((char *)table.data, "-job="));
    fl_buf_free(&table);
    store_close(s, NULL);
    free_jobs();
}

/* Earlier versions made stores of jobs of several machines. */
static void a_store_of_two_machines_is_reported_without_a_union(void)
{
    make_jobs("tiny");
    struct fsim_options opt = {.run.threads = 2};
    struct store *s = faults_store((const struct job *const *)job, 2, "pc", opt);
    struct fl_buf before = faults_export(s, "csv");
    struct result *r = (struct result *)(uintptr_t)store_result(s);
    free(r->job[1].profile);
    r->job[1].profile = fl_strdup("g80");
    struct fl_buf after = faults_export(s, "csv");
    fl_buf_add(&before, "", 1);
    fl_buf_add(&after, "", 1);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)before.data, "\nunion,"));
    CU_ASSERT_PTR_NULL(strstr((char *)after.data, "\nunion,"));
    fl_buf_free(&before);
    fl_buf_free(&after);
    store_close(s, NULL);
    free_jobs();
}

int main(void)
{
    return CHECK_RUN("fault_lists", CHECK(another_job_changes_no_list_of_the_machine),
                     CHECK(a_pipe_with_a_list_is_read_once_for_all_jobs),
                     CHECK(a_larger_job_changes_no_outcome_of_a_smaller_one),
                     CHECK(so_with_several_sms_and_caches),
                     CHECK(faults_of_memories_reach_over_the_end_of_a_job),
                     CHECK(a_structure_that_no_job_has_is_refused_by_the_job),
                     CHECK(reports_say_which_job_set_the_size),
                     CHECK(a_store_of_two_machines_is_reported_without_a_union));
}
