/* made_up.c -- what its jobs are and its units find. */
#include "faultsim/result/words.h"
#include "made_up.h"

static struct result_kernel kernels[] = {{.name = (char *)"vecadd",
                                          .cycles = 1000,
                                          .warp_cycles = 9000,
                                          .thread_cycles = 250000,
                                          .block_cycles = 2000,
                                          .regs_per_thread = 6,
                                          .block_shared = 32},
                                         {.name = (char *)"reduce",
                                          .cycles = 600,
                                          .warp_cycles = 1200,
                                          .thread_cycles = 38400,
                                          .block_cycles = 600,
                                          .regs_per_thread = 4,
                                          .block_shared = 1024}};
static struct result_launch several[] = {{0, 900}, {1, 600}, {0, 100}}, once[] = {{0, 1000}};
static uint64_t edges[] = {0, 250, 500, 1000, 1300, 1600};
static int runs[] = {0, 0, 0, 1, 1};
static struct result_code code[] = {{0, 0x0, (char *)"MOV R1, R0"},
                                    {0, 0x8, (char *)"IADD R2, R1, <R0> & \"s\""},
                                    {0, 0x10, (char *)"GST.U32 global14[R4], R3"},
                                    {1, 0x0, (char *)"NOP.EXIT"}};

static struct result_source source[] = {
    {(char *)"a.cl", (char *)"kernel void vecadd()\n{\n    int i = f(a<b);\n}\n"},
    {(char *)"b.cl", (char *)""}};

struct result_job made_up_job(int j)
{
    struct result_job job = {
        .name = (char *)(j ? "second" : "first"),
        .profile = (char *)"g80",
        .clock_mhz = 1350,
        .warps = 24,
        .regs = 8192,
        .sps = 8,
        .shared_bytes = 16384,
        .nkernels = j ? 1 : 2,
        .kernel = kernels,
        .nlaunches = j ? 1 : 3,
        .launch = j ? once : several,
        .outputs = 1,
        .timeline = {.buckets = j ? 3 : 5, .edge = edges, .kernel = runs, .steady = true},
        .ncode = j ? 3 : 4,
        .code = code,
        .nsources = j ? 0 : 2,
        .source = source};
    memset(job.digest, 'a' + j, 64);
    memset(job.cubin, 'c' + j, 64);
    return job;
}

struct store_identity made_up_identity(int shard, int shards, const struct result_job job[2])
{
    return (struct store_identity){.options = "faultline 0 model=transient target=rf,shared seed=1",
                                   .size = "flips=2400",
                                   .shard = shard,
                                   .shards = shards,
                                   .njobs = 2,
                                   .job = job};
}

static int declare(struct store *s, int number, bool sums_only, struct fl_err *err)
{
    struct tally tally[3] = {{0}};
    struct moment moment[5] = {{0}};
    int j = number == 4, launches = j ? 1 : 3;
    bool shared = number == 3;
    struct result_part p = {.job = j,
                            .model = (char *)"transient",
                            .target = (char *)(shared ? "shared" : "rf"),
                            .engine = (char *)"c",
                            .method = number == 1   ? METHOD_SAMPLE
                                      : number == 2 ? METHOD_ACE
                                                    : METHOD_EXACT,
                            .confidence = 0.95,
                            .units = MADE_UP_UNITS,
                            .flips = number == 1 ? MADE_UP_UNITS * MADE_UP_CUT : 0,
                            .sums_only = number == 1 && sums_only,
                            .cut = MADE_UP_CUT,
                            .tally = tally,
                            .moment = moment};
    for (int l = 0; l < launches; l++) {
        const struct result_launch *launch = j ? once : &several[l];
        const struct result_kernel *kernel = &kernels[launch->kernel];
        tally[l].bits = shared ? 131072 : 262144;
        tally[l].cycles = launch->cycles;
        tally[l].population = tally[l].bits * tally[l].cycles;
        tally[l].owned = tally[l].population / (launch->kernel ? 10 : 3);
        tally[l].warp_cycles = kernel->warp_cycles * launch->cycles / kernel->cycles;
    }
    for (int b = 0; b < (j ? 3 : 5); b++) {
        int k = runs[b];
        uint64_t start = k ? kernels[0].cycles : 0, owned = tally[k].owned;
        moment[b].owned = owned * (edges[b + 1] - start) / tally[k].cycles -
                          owned * (edges[b] - start) / tally[k].cycles;
    }
    return store_part(s, &p, err);
}

int made_up_declare(struct store *s, int number, struct fl_err *err)
{
    return declare(s, number, false, err);
}

/* The share of unit `unit` in `all`, so that the units together have all of it. */
static uint64_t share(uint64_t all, uint64_t unit)
{
    return all * (unit + 1) / MADE_UP_UNITS - all * unit / MADE_UP_UNITS;
}

void made_up_work(struct store_found *f, int part, uint64_t unit)
{
    bool sample = part == 1, ace = part == 2;
    uint64_t number = MADE_UP_CUT * unit;
    for (int k = 0; k < f->nlaunches && k < 2; k++) { /* the first launch of each kernel */
        struct tally *t = &f->tally[k];
        struct moment *m = &f->moment[k ? 3 : (int)(unit % 3)];
        uint64_t bits = part == 3 ? 131072 : 262144;
        uint64_t each = share(kernels[k].cycles * bits, unit);
        uint64_t all = sample ? MADE_UP_CUT / 2 : ace ? 0 : each;
        t->outcome[OUT_MASKED] = all;
        for (int o = 1; o <= OUT_HANG && !ace; o++) { /* of jobs without a tolerance */
            uint64_t n = sample ? (unit + (uint64_t)o) % 3 : each / (unit + 7) / (uint64_t)(o + 2);
            t->outcome[o] = n;
            t->outcome[OUT_MASKED] -= n;
            for (int role = 0; role < SITE_ROLES; role++)
                sites_count(&f->sites, (enum site_role)role, k,
                            (uint32_t)(8 * ((unit + (uint64_t)role) % 3)), (int)(unit % 4),
                            (enum fsim_outcome)o, n);
            m->outcome[o] += n;
        }
        m->outcome[OUT_MASKED] += sample ? t->outcome[OUT_MASKED] : 0;
        struct anatomy a = {.writers = (enum anatomy_writers)(1 + unit % (ANATOMY_WRITERS - 1))};
        a.value[unit % ANATOMY_VALUES] = a.bits[unit % ANATOMY_BITS] = 1;
        tally_wrong(t, (uint32_t)unit % 200, 0, unit % 5 ? (double)(unit % 5) / 3 : (double)NAN, &a,
                    t->outcome[OUT_SDC]);
        t->counted = all;
        t->reason[REASON_OVERWRITTEN] = t->outcome[OUT_MASKED] / 4;
        t->reason[REASON_IDLE] = t->outcome[OUT_MASKED] - t->outcome[OUT_MASKED] / 4;
        t->reason[REASON_LOGIC] = t->outcome[OUT_PERFORMANCE];
        t->reason[REASON_FAILS] = tally_failed(t);
        t->owned_counted = all / (k ? 10 : 3);
        t->owned_failed = tally_failed(t) < t->owned_counted ? tally_failed(t) : t->owned_counted;
        m->owned_counted += sample ? t->owned_counted : 0;
        m->owned_failed += t->owned_failed;
        t->ace = ace ? each / 5 : 0;
        m->ace += t->ace;
        t->groups = unit + 1;
        t->not_run = sample ? 7 : 0;
        t->runs = sample ? all - 7 : unit / 2;
        for (int o = 0; o < OUT_COUNT && sample; o++)
            for (uint64_t i = 0; i < t->outcome[o]; i++, number++) {
                char id[40];
                snprintf(id, sizeof id, "rf/p%d/b%d@%d:flip", (int)unit, (int)i, k);
                struct anatomy looks = {.writers = unit ? WRITERS_MIXED : WRITERS_UNKNOWN};
                looks.value[VALUE_OTHER] = looks.bits[BITS_MORE] = (uint32_t)unit;
                const uint8_t words[MADE_UP_UNITS * WORDS_KEPT] = {(uint8_t)unit};
                store_found_inject(f, &(struct store_injection){.number = number,
                                                                .kernel = k,
                                                                .id = id,
                                                                .outcome = (enum fsim_outcome)o,
                                                                .reason = "out+0x4",
                                                                .first_activation = unit,
                                                                .end = unit % 2 ? FSIM_NEVER : 1600,
                                                                .ran = true,
                                                                .elements = (uint32_t)unit,
                                                                .anatomy = looks,
                                                                .words = words,
                                                                .words_size = unit * WORDS_KEPT,
                                                                .by = (double)unit / 7});
            }
    }
    if (f->nlaunches == 3 &&
        !ace) { /* a tenth of the flips of the first kernel is in its second launch */
        struct tally *t = f->tally;
        uint64_t n = sample ? 2 : share(several[2].cycles * (part == 3 ? 131072 : 262144), unit);
        t[2].counted = t[2].outcome[OUT_MASKED] = t[2].reason[REASON_IDLE] = n;
        t[2].runs = sample ? n : 0;
        t[0].runs -= t[2].runs;
        t[0].counted -= n;
        t[0].outcome[OUT_MASKED] -= n;
        t[0].reason[REASON_IDLE] -= n;
    }
}

/* Of a table that campaigns of permanent faults alone have. */
static const struct result_population drawn_from = {
    .target = (char *)"rf", .field = (char *)"", .faults = 524288, .untestable = 64};

static struct store *campaign(const char *path, bool resume, int shard, int shards, uint64_t upto,
                              bool sums_only, struct fl_err *err)
{
    struct result_job job[2] = {made_up_job(0), made_up_job(1)};
    struct store_identity id = made_up_identity(shard, shards, job);
    struct store *s;
    if (store_open(path, resume, &id, &s, err) != 0)
        return NULL;
    for (int j = 0; j < 2; j++)
        if (store_job(s, j, &job[j], err) != 0)
            goto failed;
    if (store_populations(s, &drawn_from, 1, err) != 0)
        goto failed;
    for (int p = 0; p < MADE_UP_PARTS; p++) {
        struct store_found f;
        if (declare(s, p, sums_only, err) != p)
            goto failed;
        store_found_make(&f, s, p);
        for (uint64_t u = 0; u < upto; u++) {
            if (store_wants(s, p, u)) {
                made_up_work(&f, p, u);
                int bad = store_put(s, p, u, &f, err);
                store_found_clear(&f);
                if (bad) {
                    store_found_free(&f);
                    goto failed;
                }
            }
        }
        store_found_free(&f);
    }
    if (upto >= MADE_UP_UNITS && store_finish(s, err) != 0)
        goto failed;
    return s;
failed:
    store_close(s, NULL);
    return NULL;
}

struct store *made_up_campaign(const char *path, bool resume, int shard, int shards, uint64_t upto,
                               struct fl_err *err)
{
    return campaign(path, resume, shard, shards, upto, false, err);
}

struct store *made_up_campaign_of_sums(const char *path, int shard, int shards, struct fl_err *err)
{
    return campaign(path, false, shard, shards, MADE_UP_UNITS, true, err);
}

int made_up_print_injection(void *context, const struct store_injection *i)
{
    fl_buf_printf(context, "%d %d %s %d %s %lld %lld %d %u %.17g %s %u %zu\n", (int)i->number,
                  i->kernel, i->id, (int)i->outcome, i->reason, (long long)i->first_activation,
                  (long long)i->end, i->ran, i->elements, i->by,
                  anatomy_writers[i->anatomy.writers], i->anatomy.bits[BITS_MORE], i->words_size);
    return 0;
}

char *made_up_dump(struct store *s)
{
    struct fl_buf b = {0};
    struct fl_err err;
    const struct result *r = store_result(s);
    int n;
    struct tally_row *row = result_rows(r, &n);
    for (int i = 0; i < n; i++) {
        fl_buf_printf(&b, "%s %s %d %s %d:", row[i].job, row[i].kernel, row[i].launch,
                      row[i].target, (int)row[i].method);
        const uint64_t *v = (const uint64_t *)&row[i].t;
        for (size_t k = 0; k < sizeof row[i].t / sizeof *v; k++)
            fl_buf_printf(&b, " %llu", (unsigned long long)v[k]);
        fl_buf_printf(&b, "\n");
    }
    free(row);
    for (int j = 0; j < r->njobs; j++)
        for (int i = 0; i < r->job[j].nsources; i++)
            fl_buf_printf(&b, "%s\n%s\n", r->job[j].source[i].name, r->job[j].source[i].text);
    for (int p = 0; p < r->nparts; p++) {
        struct sites sites = {0};
        sites_add(&sites, &r->part[p].sites);
        sites_sort(&sites);
        for (int i = 0; i < sites.count; i++) {
            fl_buf_printf(&b, "%d %d %x %d", sites.site[i].role, sites.site[i].kernel,
                          sites.site[i].pc, sites.site[i].reg);
            for (int o = 0; o < OUT_COUNT; o++)
                fl_buf_printf(&b, " %llu", (unsigned long long)sites.site[i].outcome[o]);
            fl_buf_printf(&b, "\n");
        }
        sites_free(&sites);
        const uint64_t *m = (const uint64_t *)r->part[p].moment;
        size_t words = (size_t)r->job[r->part[p].job].timeline.buckets * sizeof(struct moment) / 8;
        for (size_t i = 0; i < words; i++)
            fl_buf_printf(&b, " %llu", (unsigned long long)m[i]);
        fl_buf_printf(&b, "\n");
        CU_ASSERT_EQUAL(store_injections(s, p, made_up_print_injection, &b, &err), 0);
    }
    return (char *)b.data;
}
