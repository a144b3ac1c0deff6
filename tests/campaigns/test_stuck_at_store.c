/* test_stuck_at_store.c -- a campaign of permanent faults in a store: stopped, gone on with, in shards, merged, it says what
 * one run says.
 */
#include "tests/lib/tools.h"
#include "tests/lib/upsets.h"

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

static void same_as_alone(const struct job *job, const struct fsim_campaign *c)
{
    struct fsim_campaign alone = faults_campaign(job, pattern,
                                                 (struct fsim_options){.run.threads = 1});
    CU_ASSERT_TRUE(fsim_campaign_whole(c));
    CU_ASSERT_EQUAL(c->list.count, alone.list.count);
    CU_ASSERT_EQUAL(faults_differences(c, &alone), 0);
    fsim_campaign_free(&alone);
}

static void merged_shards_of_stuck_at_faults_say_what_one_run_says(void)
{
    struct job *job = program();
    struct fl_err err = {{0}};
    struct fsim_campaign c;
    struct store *s;
    char *path[4];
    for (int i = 0; i < 4; i++)
        path[i] = fl_format("%s/%d.store", folder, i);
    for (int i = 1; i < 4; i++) {
        struct fsim_options opt = {
            .run.threads = 2, .run.store = path[i], .run.shard = i, .run.shards = 3};
        CU_ASSERT_EQUAL_FATAL(run(job, opt, &c, &s, &err), 0);
        CU_ASSERT_FALSE(fsim_campaign_whole(&c));
        CU_ASSERT_EQUAL(store_close(s, &err), 0);
        fsim_campaign_free(&c);
    }
    CU_ASSERT_EQUAL_FATAL(store_merge(path[0], (const char *const *)path + 1, 3, &err), 0);
    CU_ASSERT_EQUAL_FATAL(
        run(job, (struct fsim_options){.run.threads = 1, .run.store = path[0], .run.resume = true},
            &c, &s, &err),
        0);
    CU_ASSERT_EQUAL(c.stat.runs, 0);
    same_as_alone(job, &c);
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    fsim_campaign_free(&c);
    job_free(job);
    for (int i = 0; i < 4; i++)
        free(path[i]);
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

static void a_campaign_that_was_stopped_goes_on_where_it_was(void)
{
    struct job *job = program();
    struct fl_err err = {{0}};
    struct fsim_campaign c;
    struct store *s;
    char *path = in_folder("stopped.store");
    int runs = 0, bad = -1;
    while (bad && runs++ < 200) {
        struct soon soon = {.nap = 30000 + 3000 * (useconds_t)runs}; /* longer on a busy machine */
        pthread_t thread;
        struct fsim_options opt = {
            .run.threads = 1, .run.store = path, .run.resume = true, .run.stop = &soon.stop};
        pthread_create(&thread, NULL, stop_soon, &soon);
        bad = run(job, opt, &c, &s, &err);
        pthread_join(thread, NULL);
        if (bad)
            CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "stopped by SIGTERM"));
    }
    CU_ASSERT_EQUAL_FATAL(bad, 0);
    same_as_alone(job, &c);
    CU_ASSERT_EQUAL(store_close(s, &err), 0);
    fsim_campaign_free(&c);
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
    int status = CHECK_RUN("stuck-at, store",
                           CHECK(merged_shards_of_stuck_at_faults_say_what_one_run_says),
                           CHECK(a_campaign_that_was_stopped_goes_on_where_it_was),
                           CHECK(a_store_of_other_faults_is_refused));
    tools_remove(folder);
    return status;
}
