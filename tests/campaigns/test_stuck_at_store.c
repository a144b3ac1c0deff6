/* test_stuck_at_store.c -- a campaign of permanent faults in a store: stopped, gone on with, in shards, merged, it says what
 * one run says.
 */
#include "tests/lib/tools.h"
#include "tests/lib/flips.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static const char *const pattern =
    "dstack/w*/le1/tm*,cc/w0/c0,pc,ir,rf/p0-31/b0-7,barrier/bar0,sched";
static char *folder;

static char *in_folder(const char *name)
{
    return fl_format("%s/%s", folder, name);
}

static struct job *program(void)
{
    return faults_job("tiny", 2, 40, IF_ELSE);
}

static int run(const struct job *job, struct fsim_options opt, struct fsim_campaign *c,
               struct store **s, struct fl_err *err)
{
    struct fsim_wanted wanted = {&pattern, 1, NULL};
    opt.run.max_cycles = 10000000;
    return fsim_campaigns_run(&job, 1, &wanted, &opt, c, s, err);
}

static const struct fsim_choice all, drawn = {.sample = 100, .seed = 3};

static void same_as_alone(const struct job *job, const struct fsim_campaign *c)
{
    struct fsim_options opt = {.run.threads = 1, .choice = c->list.choice};
    struct fsim_campaign alone = faults_campaign(job, pattern, opt);
    CU_ASSERT_TRUE(!memchr(c->known, 0, (size_t)c->list.count));
    CU_ASSERT_EQUAL(c->list.count, alone.list.count);
    CU_ASSERT_EQUAL(faults_differences(c, &alone), 0);
    fsim_campaign_free(&alone);
}

/* The table of a store, intervals and all, is that of one run. */
static void same_table(const struct job *job, const struct store *s, struct fsim_choice choice)
{
    struct store *alone = faults_store((const struct job *const *)&job, 1, pattern,
                                       (struct fsim_options){.run.threads = 1, .choice = choice});
    struct fl_buf a = faults_export(s, "csv"), b = faults_export(alone, "csv");
    CU_ASSERT_STRING_EQUAL((char *)a.data, (char *)b.data);
    CU_ASSERT(strstr((char *)a.data, "population") ? choice.sample > 0 : choice.sample == 0);
    fl_buf_free(&a);
    fl_buf_free(&b);
    store_close(alone, NULL);
}

static void merge_shards(struct fsim_choice choice)
{
    struct job *job = program();
    struct fl_err err = {{0}};
    struct fsim_campaign c;
    struct store *s;
    char *path[4];
    for (int i = 0; i < 4; i++)
        path[i] = fl_format("%s/%d-%d.store", folder, i, (int)choice.sample);
    for (int i = 1; i < 4; i++) {
        struct fsim_options opt = {.run.threads = 2,
                                   .run.store = path[i],
                                   .run.shard = i,
                                   .run.shards = 3,
                                   .choice = choice};
        CU_ASSERT_EQUAL_FATAL(run(job, opt, &c, &s, &err), 0);
        CU_ASSERT_PTR_NOT_NULL(memchr(c.known, 0, (size_t)c.list.count));
        CU_ASSERT_EQUAL(store_close(s, &err), 0);
        fsim_campaign_free(&c);
    }
    CU_ASSERT_EQUAL_FATAL(store_merge(path[0], (const char *const *)path + 1, 3, &err), 0);
    struct fsim_options opt = {
        .run.threads = 1, .run.store = path[0], .run.resume = true, .choice = choice};
    CU_ASSERT_EQUAL_FATAL(run(job, opt, &c, &s, &err), 0);
    CU_ASSERT_EQUAL(c.stat.runs, 0);
    same_as_alone(job, &c);
    same_table(job, s, choice);
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    fsim_campaign_free(&c);
    job_free(job);
    for (int i = 0; i < 4; i++)
        free(path[i]);
}

static void merged_shards_of_stuck_at_faults_say_what_one_run_says(void)
{
    merge_shards(all);
}

static void merged_shards_of_a_sample_say_what_one_run_says(void)
{
    merge_shards(drawn);
}

struct soon {
    atomic_int stop;
    useconds_t nap;
};

static void *stop_soon(void *context)
{
    struct soon *soon = context;
    usleep(soon->nap);
    atomic_store(&soon->stop, SIGTERM);
    return NULL;
}

static void stop_and_go_on(struct fsim_choice choice)
{
    struct job *job = program();
    struct fl_err err = {{0}};
    struct fsim_campaign c;
    struct store *s;
    char *path = in_folder(choice.sample ? "stopped-sample.store" : "stopped.store");
    int runs = 0, bad = -1;
    while (bad && runs++ < 200) {
        struct soon soon = {.nap = 30000 + 3000 * (useconds_t)runs}; /* longer on a busy machine */
        pthread_t thread;
        struct fsim_options opt = {.run.threads = 1,
                                   .run.store = path,
                                   .run.resume = true,
                                   .run.stop = &soon.stop,
                                   .choice = choice};
        pthread_create(&thread, NULL, stop_soon, &soon);
        bad = run(job, opt, &c, &s, &err);
        pthread_join(thread, NULL);
        if (bad)
            CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "stopped by SIGTERM"));
    }
    CU_ASSERT_EQUAL_FATAL(bad, 0);
    same_as_alone(job, &c);
    same_table(job, s, choice);
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    fsim_campaign_free(&c);
    job_free(job);
    free(path);
}

static void a_campaign_that_was_stopped_goes_on_where_it_was(void)
{
    stop_and_go_on(all);
}

static void a_sample_that_was_stopped_goes_on_where_it_was(void)
{
    stop_and_go_on(drawn);
}

/* An earlier format did not say: who goes on with it adds it, once. */
static void what_a_sample_was_drawn_from_is_said_once_and_is_the_same_ever_after(void)
{
    static const struct result_population from[] = {{"pc", "pc", 128, 4}, {"pc", "pc", 128, 5}};
    struct job *job = program();
    struct fl_err err = {{0}};
    struct fsim_campaign c;
    struct store *s;
    char *path = in_folder("known.store");
    CU_ASSERT_EQUAL_FATAL(
        run(job, (struct fsim_options){.run.threads = 1, .run.store = path}, &c, &s, &err), 0);
    fsim_campaign_free(&c);
    CU_ASSERT_EQUAL(store_result(s)->npopulations, 0);
    CU_ASSERT_EQUAL(store_populations(s, from, 1, &err), 0);
    CU_ASSERT_EQUAL(store_populations(s, from, 1, &err), 0);
    CU_ASSERT_EQUAL(store_result(s)->npopulations, 1);
    CU_ASSERT_EQUAL(store_populations(s, from + 1, 1, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "drew from other faults"));
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    /* a part has more faults than it was drawn from */
    CU_ASSERT_EQUAL(store_read(path, &s, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "has more faults than it was drawn from"));
    job_free(job);
    free(path);
}

static void a_store_of_other_faults_is_refused(void)
{
    struct job *job = program();
    struct fl_err err = {{0}};
    struct fsim_campaign c;
    struct store *s;
    char *path = in_folder("other.store");
    const char *other = "pc/w1";
    struct fsim_wanted wanted = {&other, 1, NULL};
    struct fsim_options opt = {
        .run.threads = 1, .run.store = path, .run.resume = true, .run.max_cycles = 10000000};
    CU_ASSERT_EQUAL_FATAL(run(job, opt, &c, &s, &err), 0);
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    fsim_campaign_free(&c);
    CU_ASSERT_EQUAL(
        fsim_campaigns_run((const struct job *const *)&job, 1, &wanted, &opt, &c, &s, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "other.store"));
    job_free(job);
    free(path);
}

int main(void)
{
    folder = tools_folder();
    int status = CHECK_RUN(
        "stuck-at, store", CHECK(merged_shards_of_stuck_at_faults_say_what_one_run_says),
        CHECK(merged_shards_of_a_sample_say_what_one_run_says),
        CHECK(a_campaign_that_was_stopped_goes_on_where_it_was),
        CHECK(a_sample_that_was_stopped_goes_on_where_it_was),
        CHECK(what_a_sample_was_drawn_from_is_said_once_and_is_the_same_ever_after),
        CHECK(a_store_of_other_faults_is_refused));
    tools_remove(folder);
    return status;
}
