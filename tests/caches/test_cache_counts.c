/* test_cache_counts.c -- what campaigns say of caches: hits, misses, write-backs, and what part of them is live. */
#include "cache_kernels.h"
#include "tests/lib/campaigns.h"
#include "tests/lib/tools.h"

/* The same lines are loaded twice and stored, in two blocks. */
static const char kernel[] =
    ".kernel k\n.param ptr OUT\n.regs 8\nSHL R1, R0, 2\nIADD R1, s[OUT], R1\n"
    "GLD.U32 R2, global14[R1]\nGLD.U32 R3, global14[R1]\nIADD R2, R2, R3\nIADD32I R4, R1, 256\n"
    "GLD.U32 R3, global14[R4]\nIADD R2, R2, R3\nGST.U32 global14[R1], R2\nNOP.EXIT\n";

static struct job *job_of(const char *profile)
{
    return faults_job(profile, 2, 32, kernel);
}

static struct avf_options methods(bool exact)
{
    struct avf_options opt = campaigns_options();
    opt.methods[exact ? METHOD_EXACT : METHOD_ACE] = true;
    return opt;
}

static const enum tally_reason dead[] = {REASON_IDLE, REASON_OVERWRITTEN};

static void a_campaign_counts_what_a_run_counts(void)
{
    struct job *job = job_of("tiny-chip-caches");
    struct store *s = campaigns_run(job, methods(false));
    struct sm_image *img = sm_image_new(job, NULL);
    struct gpu *g = gpu_new(img);
    gpu_run(g, 1000000);
    for (int i = 0; i < CACHES; i++) {
        const struct result_cache *c = &store_result(s)->job[0].cache[i];
        const struct cache_count *n = &g->counts[i];
        CU_ASSERT_EQUAL(c->there, img->caches.cache[i].is.bytes > 0);
        CU_ASSERT_EQUAL(c->figure[CACHE_HITS], (double)n->hits);
        CU_ASSERT_EQUAL(c->figure[CACHE_MISSES], (double)n->misses);
        CU_ASSERT_EQUAL(c->figure[CACHE_WRITE_BACKS], (double)n->write_backs);
    }
    CU_ASSERT(g->counts[CACHE_L1D].hits > 0 && g->counts[CACHE_L1D].misses > 0);
    CU_ASSERT(g->counts[CACHE_L2].write_backs > 0);
    gpu_free(g);
    sm_image_free(img);
    campaigns_close(s);
    job_free(job);
}

/* An exact campaign prunes all other flips as dead. */
static void live_is_what_an_exact_campaign_does_not_find_dead(void)
{
    struct job *job = job_of("tiny-chip-caches");
    static const char *const row[] = {"l1d", "l1d_data", "l2", "l2_data"};
    static const int cache[] = {CACHE_L1D, CACHE_L1D, CACHE_L2, CACHE_L2};
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < 4; i++) {
            struct avf_options opt = methods(true);
            opt.target[0] = row[i];
            if (part) {
                opt.window.from = 40;
                opt.window.to = 160;
            }
            struct store *s = campaigns_run(job, opt);
            const struct result *r = store_result(s);
            struct tally t = r->part[0].tally[0];
            double live = r->job[0].cache[cache[i]].figure[CACHE_LIVE + i % 2];
            uint64_t left = t.population;
            for (int k = 0; k < 2; k++)
                left -= t.reason[dead[k]];
            CU_ASSERT(left < t.population && (left > 0 || part));
            CU_ASSERT_DOUBLE_EQUAL(live * (double)t.population, (double)left, 0.01);
            campaigns_close(s);
        }
    job_free(job);
}

static char *dir;

/* As CSV, XML that the schema allows, page and table. */
static void says_the_same(struct store *s, const char *path, const char *schema)
{
    static const char *const name[] = {"csv", "xml", "html", "table"};
    static const char *const says[] = {"# cache=l1d job=", "<cache name=\"l1d\" hits=", ">Caches<",
                                       "\nCaches in the fault-free run"};
    struct fl_buf run[4], out = {0};
    struct fl_err err;
    for (int i = 0; i < 4; i++)
        run[i] = faults_export(s, name[i]);
    tools_put(dir, "x.xml", run[1].data, run[1].size);
    CU_ASSERT_EQUAL(tools_run(dir, &out, "xmllint --noout --relaxng %s/docs/%s.rng x.xml 2>&1",
                              FAULTLINE_SOURCE_DIR, schema),
                    0);
    campaigns_close(s);
    CU_ASSERT_EQUAL_FATAL(store_read(path, &s, &err), 0);
    for (int i = 0; i < 4; i++) {
        struct fl_buf read = faults_export(s, name[i]);
        CU_ASSERT(read.size == run[i].size && memcmp(read.data, run[i].data, read.size) == 0);
        fl_buf_add(&read, "", 1);
        CU_ASSERT(tools_says(&read, says[i]));
        fl_buf_free(&read);
        fl_buf_free(&run[i]);
    }
    campaigns_close(s);
    fl_buf_free(&out);
}

static void a_report_of_a_store_says_what_the_campaign_said(void)
{
    struct job *job = job_of("tiny-chip-caches");
    char *path = fl_format("%s/flips.db", dir);
    struct avf_options opt = methods(false);
    opt.target[0] = "l1d";
    opt.run.store = path;
    says_the_same(campaigns_run(job, opt), path, "avf");
    free(path);
    job_free(job);
}

/* Whichever faults a campaign has. */
static void a_report_of_permanent_faults_says_it_too(void)
{
    struct job *job = job_of("tiny-chip-caches");
    const struct job *const jobs[] = {job};
    char *path = fl_format("%s/stuck.db", dir);
    struct fsim_options opt = {.run.max_cycles = 1000000, .run.store = path};
    says_the_same(faults_store(jobs, 1, "sm0/l1d/set0", opt), path, "report");
    free(path);
    job_free(job);
}

static void of_a_profile_without_caches_nothing_is_said(void)
{
    struct job *job = job_of("tiny-chip");
    struct avf_options opt = methods(false);
    opt.target[0] = "rf";
    struct store *s = campaigns_run(job, opt);
    struct fl_buf out = faults_export(s, "csv");
    CU_ASSERT_FALSE(tools_says(&out, "cache="));
    fl_buf_free(&out);
    campaigns_close(s);
    job_free(job);
}

static void counts_that_make_no_sense_are_refused(void)
{
    struct job *job = job_of("tiny-chip-caches");
    struct fl_err err = {""};
    struct store *s = NULL;
    char *path = fl_format("%s/bad.db", dir);
    struct avf_options opt = methods(false);
    opt.target[0] = "l1d";
    opt.run.store = path;
    s = campaigns_run(job, opt);
    CU_ASSERT_EQUAL(store_set(s, "job0/l1d/live", 1.5, &err), 0);
    campaigns_close(s);
    CU_ASSERT_EQUAL(store_read(path, &s, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "the counts of a cache make no sense"));
    free(path);
    job_free(job);
}

int main(void)
{
    dir = tools_folder();
    int failed = CHECK_RUN("cache_counts", CHECK(a_campaign_counts_what_a_run_counts),
                           CHECK(live_is_what_an_exact_campaign_does_not_find_dead),
                           CHECK(a_report_of_a_store_says_what_the_campaign_said),
                           CHECK(a_report_of_permanent_faults_says_it_too),
                           CHECK(of_a_profile_without_caches_nothing_is_said),
                           CHECK(counts_that_make_no_sense_are_refused));
    tools_remove(dir);
    return failed;
}
