/* test_flexgripplus.c -- profile flexgripplus-rtl against the published RTL of FlexGripPlus: what became there of 180 faults
 * (tests/flexgripplus.tsv) becomes of them here, and their outputs are the same bytes.
 */
#include "tests/lib/faults.h"
#include "tests/lib/tools.h"

static char *scratch;

struct verdict {
    const char *options, *update, *fault, *verdict, *digest;
};

struct verdicts {
    struct fl_buf text;
    struct verdict row[200];
    int count;
};

static void read_verdicts(struct verdicts *v)
{
    struct fl_err err;
    *v = (struct verdicts){.count = 0};
    CU_ASSERT_EQUAL_FATAL(
        fl_read_file(FAULTLINE_SOURCE_DIR "/tests/flexgripplus.tsv", &v->text, &err), 0);
    char *rest = (char *)v->text.data;
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (!*line || *line == '#')
            continue;
        CU_ASSERT_FATAL(v->count < 200);
        struct verdict *r = &v->row[v->count++];
        r->options = strsep(&line, "\t");
        r->update = strsep(&line, "\t");
        r->fault = strsep(&line, "\t");
        r->verdict = strsep(&line, "\t");
        r->digest = line;
        CU_ASSERT_PTR_NOT_NULL_FATAL(line);
    }
    CU_ASSERT_EQUAL(v->count, 180);
}

/* Rows of one program stand together: the first one of the next. */
static int next_program(const struct verdicts *v, int i)
{
    int n = i + 1;
    while (n < v->count && strcmp(v->row[n].options, v->row[i].options) == 0 &&
           strcmp(v->row[n].update, v->row[i].update) == 0)
        n++;
    return n;
}

/* The program of a row, for a profile. */
static struct job *job_of(const struct verdict *r, const struct profile *p)
{
    struct fl_buf out = {0};
    struct job *job = NULL;
    CU_ASSERT_EQUAL_FATAL(
        tools_run(scratch, &out,
                  "rm -rf p && sbstgen %s --target flexgripplus -o p --quiet && printf %%s "
                  "$PWD/p/*.job.xml",
                  r->options),
        0);
    job = faults_load((char *)out.data);
    job->profile = *p;
    job->has_digest = false;
    fl_buf_free(&out);
    return job;
}

/* What is seen from outside; cycles are not compared: the timing of FlexGripPlus is not modelled. */
static const char *verdict_of(const struct fsim_result *r)
{
    switch (r->outcome) {
    case OUT_MASKED:
    case OUT_PERFORMANCE: return "silent";
    case OUT_SDC: return "sdc";
    case OUT_CRASH: return "crash";
    default: return "no end";
    }
}

/* Runs the machine with the fault to its end. */
static void digest_of(const struct sm_image *img, const struct fsim_fault *f, uint64_t end,
                      char hex[65])
{
    uint8_t digest[32];
    struct gpu *m = gpu_new(img);
    struct sm_force held = sm_cell_force(img, &f->cell, f->value);
    gpu_add_force(m, &held);
    gpu_run(m, end);
    CU_ASSERT(m->grid.done);
    gpu_outputs_digest(m, digest);
    for (int i = 0; i < 32; i++)
        snprintf(hex + 2 * i, 3, "%02x", digest[i]);
    gpu_free(m);
}

/* Faults of one program that end otherwise than the table says; `tell` which. */
static int differences(const struct verdicts *v, int first, int end, const struct profile *p,
                       bool tell)
{
    struct job *job = job_of(&v->row[first], p);
    struct fl_err err = {{0}};
    struct fsim_campaign c;
    struct fsim_options opt = {.run.threads = 1, .run.max_cycles = 1000000};
    const char *id[200];
    int wrong = 0;
    for (int i = first; i < end; i++)
        id[i - first] = v->row[i].fault;
    if (faults_run(&c, job, id, end - first, NULL, &opt, &err) != 0) {
        if (tell)
            printf("\n%s\n", err.msg);
        job_free(job);
        return end - first;
    }
    CU_ASSERT_EQUAL_FATAL(c.list.count, end - first);
    for (int i = first; i < end; i++) {
        const struct verdict *r = &v->row[i];
        const struct fsim_result *found = &c.result[i - first];
        char hex[65] = "-";
        bool same = strcmp(verdict_of(found), r->verdict) == 0;
        if (same && strcmp(r->digest, "-") != 0) {
            digest_of(c.img, &c.list.fault[i - first], found->end, hex);
            same = strcmp(hex, r->digest) == 0;
        }
        wrong += !same;
        if (!same && tell)
            printf("\n    %s %s: %s %s, wanted %s %s", r->options, r->fault, verdict_of(found), hex,
                   r->verdict, r->digest);
    }
    fsim_campaign_free(&c);
    job_free(job);
    return wrong;
}

static struct profile the_profile(void)
{
    struct profile p;
    struct fl_err err = {{0}};
    CU_ASSERT_EQUAL_FATAL(profile_load("flexgripplus-rtl", &p, &err), 0);
    return p;
}

static void faults_end_as_in_the_published_rtl_with_the_same_outputs(void)
{
    struct verdicts v;
    struct profile p = the_profile();
    read_verdicts(&v);
    for (int i = 0, end; i < v.count; i = end) {
        end = next_program(&v, i);
        CU_ASSERT_EQUAL(differences(&v, i, end, &p, true), 0);
    }
    fl_buf_free(&v.text);
}

/* Of the rules, all but the one for a full stack: no program of the table fills it. */
static void without_any_of_its_rules_a_fault_ends_otherwise(void)
{
    struct verdicts v;
    struct profile g80, p = the_profile();
    struct fl_err err = {{0}};
    CU_ASSERT_EQUAL_FATAL(profile_load("g80", &g80, &err), 0);
    read_verdicts(&v);
    for (int rule = 0; rule < 7; rule += SANITIZED ? 2 : 1) {
        struct profile q = p;
        int wrong = 0;
        switch (rule) {
        case 0: q.code_bits = g80.code_bits; break;
        case 1: q.empty_restores = g80.empty_restores; break;
        case 2: q.join_pops = g80.join_pops; break;
        case 3: q.join_jumps = g80.join_jumps; break;
        case 4: q.last_jumps = g80.last_jumps; break;
        case 5: q.ret_pops = g80.ret_pops; break;
        default: q.exit_ends = g80.exit_ends; break;
        }
        for (int i = 0, end; i < v.count && !wrong; i = end) {
            end = next_program(&v, i);
            if (strstr(v.row[i].options, "--approach ind --le 1") ||
                strstr(v.row[i].options, "--approach ind --le 2"))
                wrong = differences(&v, i, end, &q, false);
        }
        if (!wrong)
            printf("\n    rule %d", rule);
        CU_ASSERT(wrong > 0);
    }
    fl_buf_free(&v.text);
}

#ifdef FAULTLINE_RTL
/* Our RTL with the same rules; of the many mask faults, some. */
static void faults_end_the_same_in_both_engines(void)
{
    struct verdicts v;
    struct profile p = the_profile();
    read_verdicts(&v);
    for (int i = 0, end; i < v.count; i = end) {
        end = next_program(&v, i);
        struct job *job = job_of(&v.row[i], &p);
        struct fl_err err = {{0}};
        struct fsim_options opt = {.run.threads = 1, .run.max_cycles = 1000000}, rtl = opt;
        struct fsim_campaign a, b;
        const char *id[200];
        int n = 0;
        for (int k = i; k < end; k++)
            if (!strstr(v.row[k].fault, "/tm") || (k - i) % 16 == 0)
                id[n++] = v.row[k].fault;
        rtl.run.engine = engine_find("rtl", &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rtl.run.engine);
        CU_ASSERT_EQUAL_FATAL(faults_run(&a, job, id, n, NULL, &opt, &err), 0);
        if (faults_run(&b, job, id, n, NULL, &rtl, &err) != 0) {
            printf("\n%s\n", err.msg);
            CU_FAIL_FATAL("no campaign");
        }
        CU_ASSERT_EQUAL(faults_differences(&a, &b), 0);
        fsim_campaign_free(&a);
        fsim_campaign_free(&b);
        job_free(job);
    }
    fl_buf_free(&v.text);
}
#endif

int main(void)
{
    scratch = tools_folder();
    int status = CHECK_RUN("flexgripplus",
#ifdef FAULTLINE_RTL
                           CHECK(faults_end_the_same_in_both_engines),
#endif
                           CHECK(faults_end_as_in_the_published_rtl_with_the_same_outputs),
                           CHECK(without_any_of_its_rules_a_fault_ends_otherwise));
    tools_remove(scratch);
    return status;
}
