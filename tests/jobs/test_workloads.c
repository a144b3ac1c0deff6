/* test_workloads.c -- the workloads in C compute what their references say, and bench/README.md tells what they are like.
 *
 *     test_workloads            on the C model
 *     test_workloads fresh      the code that is kept is what smcc makes of the source
 *     test_workloads rtl        in lock step on the RTL
 */
#include "asm/isa/table.h"
#include "bench/host.h"
#include "bench/run.h"
#include "tests/lib/tools.h"
#ifdef FAULTLINE_RTL
#include "rtl/twin/smrtl.h"
#endif

static char *job_path(const struct workload *w)
{
    return fl_format("%s/bench/%s.job.xml", FAULTLINE_BUILD_DIR, w->name);
}

static const uint8_t *after(void *who, const char *buffer)
{
    const struct bench_run *r = who;
    int i = job_find_buffer(r->job, buffer);
    CU_ASSERT_FATAL(i >= 0);
    return r->after[i];
}

static void results_are_what_the_reference_says(void)
{
    for (int i = 0; i < workload_count; i++) {
        struct bench_run r;
        struct fl_err err = {""};
        uint8_t digest[32];
        struct host *h = host_new(&workload_list[i], false);
        char *path = job_path(&workload_list[i]);
        int bad = bench_run_job(path, &r, &err);
        if (!bad) {
            bad = host_check(h, after, &r, &err);
            gpu_outputs_digest(r.machine, digest);
            CU_ASSERT_TRUE(r.job->has_digest);
            CU_ASSERT_EQUAL(memcmp(digest, r.job->digest, sizeof digest) != 0, bad != 0);
        }
        if (bad)
            printf("\n    %s\n", err.msg);
        CU_ASSERT_EQUAL(bad, 0);
        bench_run_drop(&r);
        host_free(h);
        free(path);
    }
    CU_ASSERT_TRUE(workload_count > 0);
}

static void a_wrong_word_is_found(void)
{
    struct bench_run r;
    struct fl_err err = {""};
    struct host *h = host_new(&workload_list[0], false);
    char *path = job_path(&workload_list[0]);
    CU_ASSERT_EQUAL_FATAL(bench_run_job(path, &r, &err), 0);
    for (int o = 0; o < r.job->noutputs; o++) {
        const struct job_output *out = &r.job->output[o];
        uint8_t *last = r.after[out->buffer] + out->size - 1;
        *last ^= 0x80;
        CU_ASSERT_EQUAL(host_check(h, after, &r, &err), -1);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, r.job->buffer[out->buffer].name));
        *last ^= 0x80;
    }
    bench_run_drop(&r);
    host_free(h);
    free(path);
}

static void every_operation_of_the_machine_is_in_allops(void)
{
    struct bench_run r;
    struct fl_err err = {""};
    CU_ASSERT_EQUAL_FATAL(bench_run_job(FAULTLINE_BUILD_DIR "/bench/allops.job.xml", &r, &err), 0);
    for (int op = 0; op < OP_COUNT; op++) {
        bool has = isa_op_class(op) != ISA_OTHER && op < isa_ops_of(r.job->profile.capability) &&
                   op != OP_TRAP; /* textures and their kin: none */
        if (r.executed[op] != has)
            printf("\n    %s\n", isa_op_name(op));
        CU_ASSERT_EQUAL(r.executed[op], has);
    }
    bench_run_drop(&r);
}

static void the_readme_tells_what_they_are_like(void)
{
    struct fl_buf readme = {0};
    struct fl_err err = {""};
    CU_ASSERT_EQUAL_FATAL(fl_read_file(FAULTLINE_SOURCE_DIR "/bench/README.md", &readme, &err), 0);
    for (int i = 0; i < workload_count; i++) {
        struct fl_buf row = {0};
        int bad = bench_run_row(FAULTLINE_BUILD_DIR "/bench", workload_list[i].name, false, &row,
                                &err);
        fl_buf_add(&row, "", 1);
        bool there = !bad && strstr((const char *)readme.data, (const char *)row.data);
        if (!there)
            printf("\n    not in bench/README.md (scripts/workloads makes it): %s\n",
                   bad ? err.msg : (const char *)row.data);
        CU_ASSERT_TRUE(there);
        fl_buf_free(&row);
    }
    fl_buf_free(&readme);
}

static void kept_code_is_what_smcc_makes(void)
{
    if (!check_command("clang-14", "scripts/setup --cc")) /* another clang makes other code */
        return;
    char *dir = tools_folder();
    struct fl_buf out = {0};
    for (int i = 0; i < workload_count; i += check_few() ? 8 : 1) {
        const char *name = workload_list[i].name;
        int status = tools_run(
            dir, &out,
            "cd %s/bench/%s || exit; source=$(ls %s.c[lu] 2>/dev/null) || exit 0; "
            "profile=$(sed -n 's/.*host_machine(h, \"\\(.*\\)\");/\\1/p' %s.c); "
            "sed 1d %s.sasm >%s/kept; smcc --profile ${profile:-g80} $source -S >%s/made; "
            "cmp %s/kept %s/made 2>&1",
            FAULTLINE_SOURCE_DIR, name, name, name, name, dir, dir, dir, dir);
        if (status)
            printf("\n    bench/%s/%s.sasm is not what smcc makes of its source: scripts/workloads "
                   "%s\n",
                   name, name, name);
        CU_ASSERT_EQUAL(status, 0);
    }
    fl_buf_free(&out);
    tools_remove(dir);
}

#ifdef FAULTLINE_RTL
static void the_rtl_computes_the_same_in_the_same_cycles(void)
{
    for (int i = 0; i < workload_count; i++) {
        struct fl_err err = {""};
        struct job *job = NULL;
        struct sm_image *img = NULL;
        struct smrtl *rtl = NULL;
        char *path = job_path(&workload_list[i]);
        uint8_t digest[32];
        if (job_load(path, NULL, &job, &err) == 0 && job->profile.sms > 1) {
            /* chips: tests/rtl/test_chip_rtl.c */
        } else if (job && (img = sm_image_new(job, &err)) && (rtl = smrtl_new(img, &err))) {
            struct smrtl_lockstep stats;
            struct fl_buf account = {0};
            struct gpu *gpu = gpu_new(img);
            int differ = smrtl_compare(img, gpu, rtl, UINT64_MAX, &stats, &account);
            if (differ)
                printf("\n    %s: %.*s\n", job->name, (int)account.size, (char *)account.data);
            CU_ASSERT_EQUAL(differ, 0);
            CU_ASSERT_TRUE(smrtl_ended(rtl));
            gpu_outputs_digest(smrtl_state(rtl), digest);
            CU_ASSERT_EQUAL(memcmp(digest, job->digest, sizeof digest), 0);
            gpu_free(gpu);
            fl_buf_free(&account);
        } else {
            printf("\n    %s\n", err.msg);
            CU_FAIL("a workload cannot be started");
        }
        if (rtl)
            smrtl_free(rtl);
        if (img)
            sm_image_free(img);
        if (job)
            job_free(job);
        free(path);
    }
}
#endif

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "fresh") == 0)
        return CHECK_RUN("workloads_fresh", CHECK(kept_code_is_what_smcc_makes));
#ifdef FAULTLINE_RTL
    if (argc > 1 && strcmp(argv[1], "rtl") == 0)
        return CHECK_RUN("workloads_rtl", CHECK(the_rtl_computes_the_same_in_the_same_cycles));
#endif
    return CHECK_RUN("workloads", CHECK(results_are_what_the_reference_says),
                     CHECK(a_wrong_word_is_found),
                     CHECK(every_operation_of_the_machine_is_in_allops),
                     CHECK(the_readme_tells_what_they_are_like));
}
