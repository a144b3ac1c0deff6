/* faults.c -- makes the jobs, runs the faults. */
#include "faults.h"

#include <math.h>

#include "faultsim/record/run.h"
#include "faultsim/report/exports.h"

struct job *faults_job(const char *profile, uint32_t blocks, uint32_t threads, const char *text)
{
    struct fl_err err = {{0}};
    struct job *job = machine_job(profile, text);
    uint32_t addr = machine_buffer(job, 4096, NULL);
    for (int k = 0; k < job->cubin->nkernels; k++) {
        struct job_launch *l = machine_launch(job, k, blocks, threads);
        for (int i = 0; i < job->cubin->kernel[k].nparams; i++)
            machine_param(l, addr);
    }
    job->output = fl_alloc(sizeof *job->output);
    job->output[0] = (struct job_output){.name = fl_strdup("out"), .size = 4096};
    job->noutputs = 1;
    if (job_finish(job, &err)) {
        printf("\n%s\n", err.msg);
        job_free(job);
        CU_FAIL_FATAL("no job");
    }
    return job;
}

struct job *faults_load(const char *path)
{
    struct fl_err err = {{0}};
    struct job *job = NULL;
    if (job_load(path, NULL, &job, &err)) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no job");
    }
    return job;
}

int faults_run(struct fsim_campaign *c, const struct job *job, const char *const *patterns,
               int npatterns, const char *faults_file, const struct fsim_options *opt,
               struct fl_err *err)
{
    struct fsim_wanted wanted = {patterns, npatterns, faults_file};
    return fsim_campaigns_run(&job, 1, &wanted, opt, c, NULL, err);
}

void faults_count(const struct fsim_list *list, const struct fsim_result *r, bool detect_timing,
                  int structure, int field, struct fsim_counts *out)
{
    *out = (struct fsim_counts){0};
    for (long i = 0; i < list->count; i++) {
        const struct sm_cell *cell = &list->fault[i].cell;
        if ((structure < 0 || cell->structure == structure) && (field < 0 || cell->field == field))
            fsim_counts_add(out, &r[i], detect_timing);
    }
}

struct fsim_campaign faults_campaign(const struct job *job, const char *pattern,
                                     struct fsim_options opt)
{
    struct fsim_campaign c;
    struct fl_err err = {{0}};
    if (!opt.run.max_cycles)
        opt.run.max_cycles = 10000000;
    if (faults_run(&c, job, &pattern, 1, NULL, &opt, &err)) {
        printf("\n%s: %s\n", pattern, err.msg);
        CU_FAIL_FATAL("no campaign");
    }
    return c;
}

struct store *faults_store(const struct job *const *jobs, int n, const char *pattern,
                           struct fsim_options opt)
{
    struct fsim_campaign *c = fl_alloc((size_t)n * sizeof *c);
    struct fsim_wanted wanted = {&pattern, 1, NULL};
    struct store *s = NULL;
    struct fl_err err = {{0}};
    if (!opt.run.max_cycles)
        opt.run.max_cycles = 10000000;
    if (fsim_campaigns_run(jobs, n, &wanted, &opt, c, &s, &err)) {
        printf("\n%s: %s\n", pattern, err.msg);
        CU_FAIL_FATAL("no campaign");
    }
    for (int i = 0; i < n; i++)
        fsim_campaign_free(&c[i]);
    free(c);
    return s;
}

struct fl_buf faults_export(const struct store *s, const char *name)
{
    char *made = store_made(s);
    struct avf_report a = {.result = store_result(s), .made = made, .store = s};
    struct fl_buf out = {0};
    struct fl_err err = {{0}};
    bool found = false;
    for (int i = 0; i < report_export_count; i++) {
        if (strcmp(report_exports[i].name, name) != 0)
            continue;
        found = report_exports[i].by[report_kind(&a)].write(&a, &out, &err) == 0;
    }
    if (!found)
        printf("\n%s: %s\n", name, err.msg);
    CU_ASSERT_TRUE(found);
    free(made);
    return out;
}

static bool same_anatomy(const struct anatomy *a, const struct anatomy *b)
{
    return memcmp(a->value, b->value, sizeof a->value) == 0 &&
           memcmp(a->bits, b->bits, sizeof a->bits) == 0 && a->up == b->up && a->down == b->down &&
           (a->median == b->median || (isnan(a->median) && isnan(b->median))) &&
           a->writers == b->writers && a->period == b->period && a->lanes == b->lanes;
}

bool faults_same(const struct fsim_result *a, const struct fsim_result *b)
{
    bool by = a->by == b->by || (isnan(a->by) && isnan(b->by));
    return a->outcome == b->outcome && a->untestable == b->untestable &&
           a->first_activation == b->first_activation && a->end == b->end &&
           a->elements == b->elements && by && same_anatomy(&a->anatomy, &b->anatomy) &&
           strcmp(a->reason, b->reason) == 0;
}

void faults_print(const char *who, const char *id, const struct fsim_result *r)
{
    printf("\n    %s %s: %s, %s, first %lld, end %lld, %u elements by %g", who, id,
           fsim_outcome_name(r->outcome), r->reason, (long long)r->first_activation,
           (long long)r->end, r->elements, r->by);
}

long faults_differences(const struct fsim_campaign *a, const struct fsim_campaign *b)
{
    long n = 0;
    for (long i = 0; i < a->list.count; i++) {
        if (faults_same(&a->result[i], &b->result[i]) || n++ >= 5)
            continue;
        char id[FSIM_ID];
        fsim_id(a->img, &a->list.fault[i], id);
        faults_print("pruned", id, &a->result[i]);
        faults_print("exhaustive", id, &b->result[i]);
    }
    return n;
}

long faults_brute_differences(const struct fsim_campaign *c, long stride, long *tried)
{
    record_run(c->golden, &(struct record_wanted){.faults = &c->list});
    struct reference *ref = reference_of(c->golden);
    struct fsim_worker *w = fsim_worker_on(ref);
    long different = 0, seen[2] = {0, 0};
    for (long i = 0; i < c->list.count; i++) {
        const struct fsim_result *r = &c->result[i];
        bool acts = r->first_activation != FSIM_NEVER;
        if (seen[acts]++ % (acts ? stride : 4 * stride))
            continue;
        struct fsim_result brute;
        fsim_exhaustive(w, &c->list.fault[i], &brute);
        brute.untestable = r->untestable;
        ++*tried;
        if (faults_same(&brute, r) && !(r->untestable && fsim_detected(&brute, true)))
            continue;
        if (different++ < 5) {
            char id[FSIM_ID];
            fsim_id(c->img, &c->list.fault[i], id);
            faults_print("pruned", id, r);
            faults_print("by brute force", id, &brute);
        }
    }
    fsim_worker_free(w);
    reference_free(ref);
    golden_forget(c->golden);
    return different;
}

struct fsim_result faults_result(const struct job *job, const char *id)
{
    return faults_result_with(job, id, (struct fsim_options){.run.threads = 1});
}

struct fsim_result faults_result_with(const struct job *job, const char *id,
                                      struct fsim_options pruned)
{
    struct fsim_options brute = pruned;
    brute.run.exhaustive = true;
    struct fsim_campaign a = faults_campaign(job, id, pruned), b = faults_campaign(job, id, brute);
    CU_ASSERT_EQUAL(a.list.count, 1);
    CU_ASSERT_EQUAL(faults_differences(&a, &b), 0);
    struct fsim_result r = a.result[0];
    fsim_campaign_free(&a);
    fsim_campaign_free(&b);
    return r;
}
