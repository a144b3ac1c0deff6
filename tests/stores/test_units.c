/* test_units.c -- into which units a campaign cuts its work; and runs too long to be recorded.
 */
#include "tests/lib/campaigns.h"
#include "tests/lib/check.h"
#include "faultsim/result/identity.h"
#include "faultsim/result/metrics.h"
#include "faultsim/transient/plan.h"
#include "base/stats.h"

enum {
    CUT_PASSES = SANITIZED ? 2 : 4,
    LONG_PASSES = SANITIZED ? 6 : 40,
    LONG_BLOCKS = SANITIZED ? 2 : 4,
    LONG_THREADS = SANITIZED ? 34 : 60
};

/* The campaigns_loop, with another number of passes. */
static char *passes_of_loop(int n)
{
    const char *passes = strstr(campaigns_loop, "R3, 4") + 4;
    return fl_format("%.*s%d%s", (int)(passes - campaigns_loop), campaigns_loop, n, passes + 1);
}

/* ---- units of work ----------------------------------------------------------------------------------------------- */

static const char *const cut_targets[] = {"rf", "cc", "areg", "shared", "pc", "mask", "tstate"};

enum { CUT_TARGETS = sizeof cut_targets / sizeof *cut_targets };

/* All units of the plan, one after the other, as text. */
static char *work_through(const struct job_context *l, int structure, const struct plan *plan,
                          bool with_writers)
{
    struct avf_options opt = campaigns_options();
    struct tally tally = {0};
    struct store_found found = {.tally = &tally, .nlaunches = 1};
    struct fl_buf out = {0};
    found.nbuckets = l->facts.timeline.buckets;
    found.moment = fl_alloc((size_t)found.nbuckets * sizeof *found.moment);
    opt.method = METHOD_EXACT;
    struct avf_task k = {.ctx = l,
                         .opt = &opt,
                         .structure = structure,
                         .worker = fsim_worker_new(l->g),
                         .found = &found,
                         .plan = plan};
    for (uint64_t u = 0; u < plan->units; u++)
        exact_unit(&k, u);
    struct sm_structure st;
    sm_structure_get(l->img, structure, &st);
    CU_ASSERT_EQUAL(tally.counted, (uint64_t)sm_structure_bits(&st) * (l->to - l->from));
    ace_unit(&k);
    fl_buf_printf(&out, "%s", tally_failed(&tally) ? "fails " : "");
    const uint64_t *v = (const uint64_t *)&tally;
    for (size_t i = 0; i < sizeof tally / sizeof *v; i++)
        fl_buf_printf(&out, "%llu ", (unsigned long long)v[i]);
    sites_sort(&found.sites);
    for (int i = 0; i < found.sites.count; i++)
        for (int o = 0; o < OUT_COUNT && (with_writers || found.sites.site[i].role == SITE_READER);
             o++)
            fl_buf_printf(&out, "%x:%d:%llu ", found.sites.site[i].pc, found.sites.site[i].reg,
                          (unsigned long long)found.sites.site[i].outcome[o]);
    v = (const uint64_t *)found.moment;
    for (size_t i = 0; i < (size_t)found.nbuckets * sizeof *found.moment / sizeof *v; i++)
        fl_buf_printf(&out, "%llu ", (unsigned long long)v[i]);
    fsim_worker_free(k.worker);
    sites_free(&found.sites);
    free(found.moment);
    return (char *)out.data;
}

static int by_place(const void *a, const void *b)
{
    return plan_compare(a, b);
}

/* Cut anywhere, also in the middle of a word's bits. */
static struct plan cut_at_random(const struct job_context *l, int structure, uint64_t units)
{
    struct plan p = {.units = units};
    struct stats_stream random = stats_stream_of(7, (uint64_t)structure);
    uint32_t words = l->t->s[structure].units;
    p.cut = fl_alloc((units + 1) * sizeof *p.cut);
    for (uint64_t i = 1; i < units; i++) {
        p.cut[i].unit = (uint32_t)stats_below(&random, words);
        p.cut[i].cycle = stats_below(&random, l->g->cycles);
        p.cut[i].index = (uint8_t)stats_below(&random, 32);
        p.cut[i].bit = (uint8_t)(l->t->s[structure].rows ? stats_below(&random, 32) : 0);
        /* where there is something to cut: most words are never accessed */
        const struct access_unit *u = &l->t->s[structure].unit[p.cut[i].unit];
        if (u->count)
            p.cut[i].cycle =
                l->t->s[structure].access[u->first + stats_below(&random, u->count)].cycle;
    }
    p.cut[units].unit = words;
    qsort(p.cut, units, sizeof *p.cut, by_place);
    return p;
}

static void where_work_is_cut_changes_nothing(void)
{
    char *text = passes_of_loop(CUT_PASSES);
    struct job *job = campaigns_small(text);
    struct job_context l = campaigns_context(job);
    for (int i = 0; i < CUT_TARGETS; i += SANITIZED ? 3 : 1) {
        int structure = sm_structure_find(l.img, cut_targets[i]);
        struct plan whole = cut_at_random(&l, structure, 1),
                    pieces = cut_at_random(&l, structure, 90);
        char *a = work_through(&l, structure, &whole, true),
             *b = work_through(&l, structure, &pieces, true);
        CU_ASSERT_STRING_EQUAL(a, b);
        CU_ASSERT_PTR_NOT_NULL(strstr(a, "fails"));
        free(a);
        free(b);
        plan_free(&whole);
        plan_free(&pieces);
    }
    context_close(&l);
    job_free(job);
    free(text);
}

static void no_unit_is_predicted_to_cost_more_than_its_share(void)
{
    struct job *job = faults_job("tiny", 2, 60, campaigns_loop);
    struct job_context l = campaigns_context(job);
    for (int i = 0; i < CUT_TARGETS; i++) {
        struct plan p;
        uint64_t sum = 0, most = 0;
        plan_make(&l, sm_structure_find(l.img, cut_targets[i]), false, &p);
        for (uint64_t u = 0; u < p.units; u++) {
            sum += p.cost[u];
            most = p.cost[u] > most ? p.cost[u] : most;
            CU_ASSERT(plan_compare(&p.cut[u], &p.cut[u + 1]) < 0);
        }
        CU_ASSERT_EQUAL(sum, p.total);
        /* whole bits: one may reach over the end */
        CU_ASSERT(most <= PLAN_UNIT_COST + 20 * l.g->instructions);
        CU_ASSERT(p.units < 100 || most < 2 * p.total / p.units);
        plan_free(&p);
    }
    context_close(&l);
    job_free(job);
}

static void a_job_is_cut_alike_every_time(void)
{
    struct job *job = faults_job("tiny", 2, 60, campaigns_loop);
    for (int i = 0; i < CUT_TARGETS; i++) {
        struct job_context l = campaigns_context(job), again = campaigns_context(job);
        struct plan p, q;
        plan_make(&l, sm_structure_find(l.img, cut_targets[i]), false, &p);
        plan_make(&again, sm_structure_find(l.img, cut_targets[i]), false, &q);
        CU_ASSERT_EQUAL(p.units, q.units);
        CU_ASSERT_EQUAL(plan_digest(&p), plan_digest(&q));
        p.cut[p.units - 1].cycle++;
        CU_ASSERT_NOT_EQUAL(plan_digest(&p), plan_digest(&q));
        plan_free(&p);
        plan_free(&q);
        context_close(&l);
        context_close(&again);
    }
    job_free(job);
}

static void shards_share_the_predicted_cost(void)
{
    struct job *job = faults_job("tiny", 8, 60, campaigns_loop);
    struct job_context l = campaigns_context(job);
    struct plan p;
    plan_make(&l, sm_structure_find(l.img, "rf"), false, &p);
    CU_ASSERT(p.units >= 300);
    for (uint64_t shards = 2; shards <= 16; shards++) {
        uint64_t cost[16] = {0}, most = 0;
        for (uint64_t u = 0; u < p.units; u++) /* store_wants */
            cost[u % shards] += p.cost[u];
        for (uint64_t i = 0; i < shards; i++)
            most = cost[i] > most ? cost[i] : most;
        CU_ASSERT((double)most <= 1.1 * (double)p.total / (double)shards);
    }
    plan_free(&p);
    context_close(&l);
    job_free(job);
}

/* ---- runs too long to be recorded -------------------------------------------------------------------------------- */

static bool same_site(const struct job_context *a, uint32_t x, const struct job_context *b,
                      uint32_t y)
{
    if (x == SITE_NONE || y == SITE_NONE)
        return x == y;
    const struct access_site *p = &a->t->site[x], *q = &b->t->site[y];
    return p->pc == q->pc && p->cycle == q->cycle && p->warp == q->warp && p->launch == q->launch &&
           p->reg_base == q->reg_base;
}

/* `n` flips of every structure, with the whole record and with what decides them alone; how many are read. */
static int compare_watched(const struct job *job, const struct avf_options *opt, uint64_t n)
{
    struct job_context l = campaigns_context(job), w;
    struct fl_err err;
    int read = 0;
    CU_ASSERT_EQUAL_FATAL(context_open_in(&w, job, NULL, &context_all_cycles, NULL, 1000000,
                                          (struct context_room){1, FLOW_BYTES}, &err),
                          0);
    CU_ASSERT(l.recorded && !w.recorded && w.t->nsites == 0);
    struct fsim_worker *a = fsim_worker_new(l.g), *b = fsim_worker_new(w.g);
    for (int s = 0; s < SM_STRUCTURES; s++) {
        struct sm_structure st;
        struct context_watches watches = {0};
        struct fsim_fault u[FSIM_CELLS];
        sm_structure_get(l.img, s, &st);
        if (!sm_structure_bits(&st))
            continue;
        for (uint64_t i = 0; i < n; i++)
            if (sample_draw(&w, s, opt, i, u))
                context_watch(&w, &watches, u);
        CU_ASSERT_EQUAL_FATAL(context_record(&w, &watches, &err), 0);
        for (uint64_t i = 0; i < n && sample_draw(&l, s, opt, i, u); i++) {
            struct transient_result x, y;
            transient_simulate(a, l.t, u, &x);
            transient_simulate(b, w.t, u, &y);
            bool same = x.ran == y.ran && x.why == y.why && same_site(&l, x.site, &w, y.site) &&
                        faults_same(&x.r, &y.r);
            if (!same)
                printf("\n    %s, flip %d", st.name, (int)i);
            CU_ASSERT(same);
            read += x.ran;
        }
    }
    fsim_worker_free(a);
    fsim_worker_free(b);
    context_close(&l);
    context_close(&w);
    return read;
}

static void flips_of_a_run_that_is_not_recorded_end_the_same(void)
{
    struct avf_options opt = campaigns_options();
    struct job *job = faults_job("tiny", 3, 60, campaigns_loop);
    opt.active_only = true; /* more of them are read */
    CU_ASSERT(compare_watched(job, &opt, 30) > 50);
    job_free(job);
    job = flips_mix(17);
    CU_ASSERT(compare_watched(job, &opt, 20) > 50);
    job_free(job);
}

static void several_bits_of_a_run_that_is_not_recorded_end_the_same(void)
{
    struct avf_options opt = campaigns_options();
    struct job *job = faults_job("tiny", 3, 60, campaigns_loop);
    opt.active_only = true;
    opt.pattern.random = 2;
    opt.pattern.entries = 2;
    CU_ASSERT(compare_watched(job, &opt, 15) > 20);
    job_free(job);
}

static void held_bits_of_a_run_that_is_not_recorded_end_the_same(void)
{
    struct avf_options opt = campaigns_options();
    struct job *job = faults_job("tiny", 3, 60, campaigns_loop);
    opt.active_only = true;
    opt.pattern.window = 70;
    CU_ASSERT(compare_watched(job, &opt, 25) > 40);
    job_free(job);
}

static void a_sample_needs_no_record(void)
{
    struct job *job = faults_job("tiny", 3, 60, campaigns_loop);
    struct avf_options opt = campaigns_options();
    opt.methods[METHOD_SAMPLE] = true;
    opt.count = 170;
    struct tally whole = campaigns_of_target(job, "pc", opt);
    opt.access_bytes = 1;
    struct tally watched = campaigns_of_target(job, "pc", opt);
    CU_ASSERT(whole.runs > 0 && tally_failed(&whole) > 0);
    CU_ASSERT_EQUAL(memcmp(&whole, &watched, sizeof whole), 0);
    job_free(job);
}

/* The data flow is too large, so flips are followed through segments of it; and so are the accesses. */
static void a_sample_in_little_memory_is_that_in_much(void)
{
    static const size_t memory[] = {1, 20000, 60000};
    struct job *job = faults_job("tiny", 3, 60, campaigns_loop);
    struct avf_options opt = campaigns_options();
    opt.methods[METHOD_SAMPLE] = true;
    opt.active_only = true;
    opt.count = 200;
    struct tally much = campaigns_of_target(job, "rf", opt);
    CU_ASSERT(much.runs > 50 && tally_failed(&much) > 20);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        opt.run.max_memory = memory[i];
        opt.run.threads = 1 + (int)i;
        struct tally little = campaigns_of_target(job, "rf", opt);
        CU_ASSERT_EQUAL(memcmp(&much, &little, sizeof much), 0);
    }
    job_free(job);
}

/* The record of a window forgets what comes behind the first access after it; a cell that is held longer needs that. */
static void a_hold_beyond_the_window_is_what_it_is_in_a_recorded_run(void)
{
    char *text = passes_of_loop(LONG_PASSES);
    struct job *job = faults_job("tiny", LONG_BLOCKS, LONG_THREADS, text);
    struct job_context l = campaigns_context(job);
    struct avf_options opt = campaigns_options();
    opt.methods[METHOD_SAMPLE] = true;
    opt.count = 150;
    opt.pattern.window = FSIM_NO_END;
    opt.window = (struct context_window){.launch = -1, .from = l.g->cycles / 3};
    opt.window.to = opt.window.from + 40;
    context_close(&l);
    struct tally whole = campaigns_of_target(job, "cc", opt);
    for (opt.access_bytes = 1 << 12;; opt.access_bytes *= 2, context_close(&l)) {
        struct fl_err err;
        CU_ASSERT_EQUAL_FATAL(context_open_in(&l, job, NULL, &opt.window, NULL, 1000000,
                                              (struct context_room){opt.access_bytes, FLOW_BYTES},
                                              &err),
                              0);
        if (l.recorded)
            break;
    }
    CU_ASSERT(!l.whole);
    context_close(&l);
    struct tally windowed = campaigns_of_target(job, "cc", opt);
    CU_ASSERT(tally_failed(&whole) > 0);
    CU_ASSERT_EQUAL(memcmp(whole.outcome, windowed.outcome, sizeof whole.outcome), 0);
    CU_ASSERT_EQUAL(memcmp(whole.reason, windowed.reason, sizeof whole.reason), 0);
    free(text);
    job_free(job);
}

static void all_flips_of_a_run_that_is_not_recorded_are_refused(void)
{
    struct job *job = faults_job("tiny", 3, 60, campaigns_loop);
    for (int m = 0; m < 2; m++) {
        struct avf_options opt = campaigns_options();
        struct fl_err err = {""};
        struct store *s = NULL;
        opt.target[0] = "cc";
        opt.methods[m ? METHOD_ACE : METHOD_EXACT] = true;
        opt.access_bytes = 1;
        CU_ASSERT_EQUAL(avf_run((const struct job *const *)&job, 1, &opt, &s, &err), -1);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "--sample"));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "--cycles"));
    }
    job_free(job);
}

/* All groups that reach into the window, and lifetimes, though of the rest of the run only traces are kept: not who wrote
 * before the window. */
static void a_window_of_a_run_that_is_not_recorded_is_exact(void)
{
    char *text = passes_of_loop(LONG_PASSES); /* much to forget */
    struct job *job = faults_job("tiny", LONG_BLOCKS, LONG_THREADS, text);
    struct job_context whole = campaigns_context(job), a, b;
    struct fl_err err;
    uint64_t third = whole.g->cycles / 3;
    struct context_window window = {.launch = -1, .from = third, .to = third + 40};
    CU_ASSERT_EQUAL_FATAL(context_open(&a, job, &window, 1000000, &err), 0);
    for (size_t room = 1 << 12;; room *= 2, context_close(&b)) {
        CU_ASSERT_EQUAL_FATAL(context_open_in(&b, job, NULL, &window, NULL, 1000000,
                                              (struct context_room){room, FLOW_BYTES}, &err),
                              0);
        if (b.recorded)
            break;
    }
    CU_ASSERT(a.whole && !b.whole && b.recorded);
    CU_ASSERT(b.t->nsites * 10 < a.t->nsites);
    static const char *const target[] = {"rf", "cc", "shared", "ir", "mask"};
    for (size_t i = 0; i < sizeof target / sizeof *target; i++) {
        int s = sm_structure_find(a.img, target[i]);
        struct plan all = cut_at_random(&a, s, 1);
        char *x = work_through(&a, s, &all, false), *y = work_through(&b, s, &all, false);
        CU_ASSERT_STRING_EQUAL(x, y);
        free(x);
        free(y);
        plan_free(&all);
    }
    context_close(&whole);
    context_close(&a);
    context_close(&b);
    free(text);
    job_free(job);
}

int main(void)
{
    return CHECK_RUN("units", CHECK(where_work_is_cut_changes_nothing),
                     CHECK(no_unit_is_predicted_to_cost_more_than_its_share),
                     CHECK(a_job_is_cut_alike_every_time), CHECK(shards_share_the_predicted_cost),
                     CHECK(flips_of_a_run_that_is_not_recorded_end_the_same),
                     CHECK(several_bits_of_a_run_that_is_not_recorded_end_the_same),
                     CHECK(held_bits_of_a_run_that_is_not_recorded_end_the_same),
                     CHECK(a_sample_needs_no_record),
                     CHECK(a_sample_in_little_memory_is_that_in_much),
                     CHECK(a_hold_beyond_the_window_is_what_it_is_in_a_recorded_run),
                     CHECK(all_flips_of_a_run_that_is_not_recorded_are_refused),
                     CHECK(a_window_of_a_run_that_is_not_recorded_is_exact));
}
