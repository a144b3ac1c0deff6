/* load.c -- reads the file of a campaign into memory, and believes nothing: each row is where it
 * belongs and its numbers are in range, or the store is damaged. Whether they add up: check.c.
 */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* No campaign counts so far, and a few such numbers can be added. */
static const uint64_t MOST = 1ull << 60;

/* Where the rows of a table have come to. */
struct loading {
    struct store *s;
    struct fl_err *err;
    int part, row;                 /* the next tally or moment is row `row` of part `part` */
    const struct counted *counted; /* whose rows these are */
};

/* Each row goes to `add`, which fails on a row that cannot be. */
static int each_row(struct loading *l, const char *sql,
                    int (*add)(struct loading *l, sqlite3_stmt *q))
{
    sqlite3_stmt *q = store_prepare(l->s, sql, l->err);
    int more = q ? 0 : -1;
    while (q && (more = store_step(l->s, q, l->err)) > 0)
        if (add(l, q) != 0) {
            more = -1;
            break;
        }
    sqlite3_finalize(q);
    return more;
}

/* n columns are whole numbers from 0 to MOST. */
static bool counts_at(sqlite3_stmt *q, int from, uint64_t *v, int n)
{
    for (int i = 0; i < n; i++) {
        v[i] = (uint64_t)sqlite3_column_int64(q, from + i);
        if (sqlite3_column_type(q, from + i) != SQLITE_INTEGER || v[i] > MOST)
            return false;
    }
    return true;
}

/* A column is a whole number in [min, max]. */
static bool int_at(sqlite3_stmt *q, int at, int min, int max, int *out)
{
    int64_t v = sqlite3_column_int64(q, at);
    *out = (int)v;
    return sqlite3_column_type(q, at) == SQLITE_INTEGER && v >= min && v <= max;
}

static bool u32_at(sqlite3_stmt *q, int at, uint32_t *out)
{
    uint64_t v;
    bool good = counts_at(q, at, &v, 1) && v <= UINT32_MAX;
    *out = (uint32_t)v;
    return good;
}

static void digest_at(sqlite3_stmt *q, int at, char out[65])
{
    strncpy(out, column(q, at), 64);
}

/* What exports print as it is. */
static bool is_name(const char *text)
{
    return text[0] && fl_is_text(text);
}

/* A SHA-256 in hex, or none. */
static bool is_digest(const char *hex)
{
    return !hex[0] || (strlen(hex) == 64 && strspn(hex, "0123456789abcdef") == 64);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int add_job(struct loading *l, sqlite3_stmt *q)
{
    struct result *r = &l->s->result;
    int n = r->njobs, number, steady;
    r->job = fl_grow(r->job, (size_t)n + 1, sizeof *r->job);
    struct result_job *j = &r->job[r->njobs++];
    *j = (struct result_job){.name = fl_strdup(column(q, 1)),
                             .profile = fl_strdup(column(q, 3)),
                             .clock_mhz = sqlite3_column_double(q, 4)};
    digest_at(q, 2, j->digest);
    digest_at(q, 11, j->cubin);
    digest_at(q, 12, j->netlist);
    digest_at(q, 13, j->checker);
    if (!int_at(q, 0, n, n, &number) || !is_name(j->name) || !fl_is_text(j->profile) ||
        !j->digest[0] || !is_digest(j->digest) || !is_digest(j->cubin) || !is_digest(j->netlist) ||
        !is_digest(j->checker) || !int_at(q, 10, 0, INT32_MAX, &j->outputs) ||
        !isfinite(j->clock_mhz) || j->clock_mhz < 0 || !int_at(q, 5, 0, INT32_MAX, &j->warps) ||
        !int_at(q, 6, 0, INT32_MAX, &j->regs) || !u32_at(q, 7, &j->shared_bytes) ||
        !int_at(q, 8, 0, 1, &steady) || !int_at(q, 9, 0, INT32_MAX, &j->sps) ||
        !counts_at(q, 14, &j->instructions, 1))
        return store_damaged(l->s, l->err, "job %d makes no sense", n);
    j->timeline.steady = steady;
    return 0;
}

static int kernels_of(const struct result_job *j)
{
    return j->nkernels;
}

static int launches_of(const struct result_job *j)
{
    return j->nlaunches;
}

static int buckets_of(const struct result_job *j)
{
    return j->timeline.buckets;
}

/* The job that column 0 names, when column 1 numbers the next of its rows; else NULL. */
static struct result_job *next_of_job(struct loading *l, sqlite3_stmt *q,
                                      int (*rows)(const struct result_job *j))
{
    int job, row;
    if (!int_at(q, 0, 0, l->s->result.njobs - 1, &job))
        return NULL;
    struct result_job *j = &l->s->result.job[job];
    return int_at(q, 1, rows(j), rows(j), &row) ? j : NULL;
}

static int add_kernel(struct loading *l, sqlite3_stmt *q)
{
    struct result_job *j = next_of_job(l, q, kernels_of);
    struct result_kernel k = {0};
    uint64_t v[4];
    if (!j || !is_name(column(q, 2)) || !counts_at(q, 3, v, 4) ||
        !int_at(q, 7, 0, INT32_MAX, &k.regs_per_thread) || !u32_at(q, 8, &k.block_shared))
        return store_damaged(l->s, l->err, "a kernel makes no sense");
    k.name = fl_strdup(column(q, 2));
    k.cycles = v[0];
    k.warp_cycles = v[1];
    k.thread_cycles = v[2];
    k.block_cycles = v[3];
    j->kernel = fl_grow(j->kernel, (size_t)j->nkernels + 1, sizeof *j->kernel);
    j->kernel[j->nkernels++] = k;
    return 0;
}

static int add_launch(struct loading *l, sqlite3_stmt *q)
{
    struct result_job *j = next_of_job(l, q, launches_of);
    struct result_launch launch;
    if (!j || !int_at(q, 2, 0, j->nkernels - 1, &launch.kernel) ||
        !counts_at(q, 3, &launch.cycles, 1))
        return store_damaged(l->s, l->err, "a launch makes no sense");
    j->launch = fl_grow(j->launch, (size_t)j->nlaunches + 1, sizeof *j->launch);
    j->launch[j->nlaunches++] = launch;
    return 0;
}

static int add_bucket(struct loading *l, sqlite3_stmt *q)
{
    struct result_job *j = next_of_job(l, q, buckets_of);
    struct timeline *t = j ? &j->timeline : NULL;
    uint64_t v[2];
    int kernel;
    if (!t || !counts_at(q, 2, v, 2) || v[1] == 0 || !int_at(q, 4, 0, j->nkernels - 1, &kernel) ||
        (t->buckets && v[0] != t->edge[t->buckets]))
        return store_damaged(l->s, l->err, "a piece of time makes no sense");
    t->edge = fl_grow(t->edge, (size_t)t->buckets + 2, sizeof *t->edge);
    t->kernel = fl_grow(t->kernel, (size_t)t->buckets + 1, sizeof *t->kernel);
    t->kernel[t->buckets] = kernel;
    t->edge[t->buckets++] = v[0];
    t->edge[t->buckets] = v[0] + v[1];
    return 0;
}

static int add_code(struct loading *l, sqlite3_stmt *q)
{
    struct result_code c;
    int job;
    if (!int_at(q, 0, 0, l->s->result.njobs - 1, &job) ||
        !int_at(q, 1, 0, l->s->result.job[job].nkernels - 1, &c.kernel) || !u32_at(q, 2, &c.pc) ||
        !is_name(column(q, 3)))
        return store_damaged(l->s, l->err, "an instruction makes no sense");
    struct result_job *j = &l->s->result.job[job];
    c.text = fl_strdup(column(q, 3));
    j->code = fl_grow(j->code, (size_t)j->ncode + 1, sizeof *j->code);
    j->code[j->ncode++] = c;
    return 0;
}

static int sources_of(const struct result_job *j)
{
    return j->nsources;
}

static int add_source(struct loading *l, sqlite3_stmt *q)
{
    struct result_job *j = next_of_job(l, q, sources_of);
    if (!j || !is_name(column(q, 2)))
        return store_damaged(l->s, l->err, "a source makes no sense");
    j->source = fl_grow(j->source, (size_t)j->nsources + 1, sizeof *j->source);
    j->source[j->nsources++] = (struct result_source){fl_strdup(column(q, 2)),
                                                      fl_strdup(column(q, 3))};
    return 0;
}

static int load_cache(struct loading *l, int job, int cache)
{
    struct result_cache *c = &l->s->result.job[job].cache[cache];
    for (int f = 0; f < CACHE_FIGURES; f++) {
        char *name = store_cache_setting(job, cache, f);
        double v = store_get(l->s, name, NAN), most = f < CACHE_LIVE ? (double)MOST : 1;
        free(name);
        if (!isnan(v) && !(v >= 0 && v <= most))
            return store_damaged(l->s, l->err, "the counts of a cache make no sense");
        c->figure[f] = v;
    }
    c->there = !isnan(c->figure[CACHE_HITS]);
    return 0;
}

static int load_jobs(struct loading *l)
{
    struct result *r = &l->s->result;
    if (each_row(l,
                 "SELECT job, name, digest, profile, clock_mhz, warps, regs, shared_bytes, steady, "
                 "sps, outputs, cubin, netlist, checker, ifnull(instructions, 0) FROM job ORDER BY "
                 "job",
                 add_job) != 0 ||
        each_row(l,
                 "SELECT job, kernel, name, cycles, warp_cycles, thread_cycles, block_cycles, "
                 "regs_per_thread, block_shared FROM kernel ORDER BY job, kernel",
                 add_kernel) != 0 ||
        each_row(l, "SELECT job, launch, kernel, cycles FROM launch ORDER BY job, launch",
                 add_launch) != 0 ||
        each_row(l,
                 "SELECT job, bucket, first_cycle, cycles, kernel FROM bucket ORDER BY job, bucket",
                 add_bucket) != 0 ||
        each_row(l, "SELECT job, kernel, pc, text FROM code ORDER BY job, kernel, pc", add_code) ||
        each_row(l, "SELECT job, source, name, text FROM source ORDER BY job, source", add_source))
        return -1;
    for (int i = 0; i < r->njobs * CACHES; i++)
        if (load_cache(l, i / CACHES, i % CACHES) != 0)
            return -1;
    l->s->job_known = fl_alloc((size_t)r->njobs * sizeof *l->s->job_known);
    for (int j = 0; j < r->njobs; j++) {
        l->s->job_known[j] = r->job[j].nkernels > 0;
        uint64_t cycles = 0;
        for (int k = 0; k < r->job[j].nkernels; k++)
            cycles += r->job[j].kernel[k].cycles;
        for (int i = 0; i < r->job[j].nlaunches; i++)
            cycles -= r->job[j].launch[i].cycles;
        if (cycles || l->s->job_known[j] != (r->job[j].timeline.buckets > 0) ||
            l->s->job_known[j] != (r->job[j].nlaunches > 0) ||
            (l->s->finished && !l->s->job_known[j]))
            return store_damaged(l->s, l->err,
                                 "job %d lacks its kernels, launches or pieces of time", j);
    }
    return r->njobs ? 0 : store_damaged(l->s, l->err, "it has no job");
}

/* ---- parts ----------------------------------------------------------------------------------- */

enum { MAX_SMS = 1024 }; /* what no machine has more of */

static int method_of(const char *name)
{
    for (int m = 0; m < METHOD_COUNT; m++)
        if (strcmp(tally_method_name((enum tally_method)m), name) == 0)
            return m;
    return -1;
}

static int add_part(struct loading *l, sqlite3_stmt *q)
{
    struct store *s = l->s;
    int n = s->result.nparts, number, job, active_only, kept, tallies, sms;
    int method = method_of(column(q, 4));
    bool one_by_one = method == METHOD_SAMPLE || method == METHOD_LIST;
    uint64_t v[2], cut = (uint64_t)sqlite3_column_int64(q, 8); /* exact: a hash, any number */
    double confidence = sqlite3_column_double(q, 5);
    if (!int_at(q, 0, n, n, &number) || !int_at(q, 1, 0, s->result.njobs - 1, &job) ||
        !s->job_known[job] || method < 0 || !(confidence > 0 && confidence < 1) ||
        !counts_at(q, 6, v, 2) || v[0] == 0 ||
        (v[1] && (cut == 0 || cut > MOST || v[0] != (v[1] + cut - 1) / cut)) ||
        (v[1] > 0) != one_by_one || !int_at(q, 9, 0, method == METHOD_SAMPLE, &active_only) ||
        !int_at(q, 10, 0, one_by_one, &kept) || !is_name(column(q, 11)) || !is_name(column(q, 2)) ||
        !is_name(column(q, 3)))
        return store_damaged(s, l->err, "part %d makes no sense", n);
    int launches = launches_of(&s->result.job[job]);
    if (!int_at(q, 12, launches, INT32_MAX, &tallies) || tallies % launches ||
        (sms = tallies / launches - 1) > MAX_SMS)
        return store_damaged(s, l->err, "part %d lacks sums of its launches", n);
    struct result_part *p = store_add_part(s, job, sms);
    p->model = fl_strdup(column(q, 11));
    p->target = fl_strdup(column(q, 2));
    p->engine = fl_strdup(column(q, 3));
    p->method = (enum tally_method)method;
    p->confidence = confidence;
    p->active_only = active_only;
    p->sums_only = one_by_one && !kept;
    p->units = v[0];
    p->flips = v[1];
    p->cut = cut;
    return 0;
}

static int moments_of(const struct result_job *j, const struct result_part *p)
{
    (void)p;
    return buckets_of(j);
}

/* The part that column 0 names and, in *row, the number in column 1, when this is the next row;
 * NULL when it is not. */
static struct result_part *
next_of_part(struct loading *l, sqlite3_stmt *q,
             int (*rows)(const struct result_job *j, const struct result_part *p), int *row)
{
    struct result *r = &l->s->result;
    int part;
    if (l->part >= r->nparts || !int_at(q, 0, l->part, l->part, &part) ||
        !int_at(q, 1, l->row, l->row, row))
        return NULL;
    if (++l->row == rows(&r->job[r->part[part].job], &r->part[part])) {
        l->part++;
        l->row = 0;
    }
    return &r->part[part];
}

static int add_tally(struct loading *l, sqlite3_stmt *q)
{
    int n;
    uint64_t v[11];
    struct result_part *p = next_of_part(l, q, result_tallies, &n);
    if (!p || !counts_at(q, 2, v, 11))
        return store_damaged(l->s, l->err, "sums of a launch are missing or make no sense");
    p->tally[n] = (struct tally){.bits = v[0],
                                 .cycles = v[1],
                                 .population = v[2],
                                 .owned = v[3],
                                 .warp_cycles = v[4],
                                 .owned_counted = v[5],
                                 .owned_failed = v[6],
                                 .not_run = v[7],
                                 .ace = v[8],
                                 .groups = v[9],
                                 .runs = v[10]};
    return 0;
}

static int add_moment(struct loading *l, sqlite3_stmt *q)
{
    int b;
    uint64_t v[4];
    struct result_part *p = next_of_part(l, q, moments_of, &b);
    if (!p || !counts_at(q, 2, v, 4))
        return store_damaged(l->s, l->err, "sums of a piece of time are missing or make no sense");
    p->moment[b] = (struct moment){
        .owned = v[0], .owned_counted = v[1], .owned_failed = v[2], .ace = v[3]};
    return 0;
}

/* Counts of one kind or another, in a row of their own each. */
static const struct counted {
    const char *sql; /* part, number of a launch or bucket, of a kind, a count */
    int (*rows)(const struct result_job *j, const struct result_part *p);
    size_t kinds; /* in struct store */
    bool in_moments;
    size_t at; /* in struct tally, or struct moment */
} counted[] = {{"SELECT part, launch, outcome, n FROM tally_outcome", result_tallies,
                offsetof(struct store, outcomes), false, offsetof(struct tally, outcome)},
               {"SELECT part, launch, reason, n FROM tally_reason", result_tallies,
                offsetof(struct store, reasons), false, offsetof(struct tally, reason)},
               {"SELECT part, launch, extent, n FROM tally_extent", result_tallies,
                offsetof(struct store, extents), false, offsetof(struct tally, extent)},
               {"SELECT part, bucket, outcome, n FROM moment_outcome", moments_of,
                offsetof(struct store, outcomes), true, offsetof(struct moment, outcome)}};

static int add_count(struct loading *l, sqlite3_stmt *q)
{
    const struct counted *c = l->counted;
    const struct kinds *kinds = (const struct kinds *)((const char *)l->s + c->kinds);
    struct result *r = &l->s->result;
    int part, row, number, kind;
    uint64_t n;
    if (!int_at(q, 0, 0, r->nparts - 1, &part) ||
        !int_at(q, 1, 0, c->rows(&r->job[r->part[part].job], &r->part[part]) - 1, &row) ||
        !int_at(q, 2, 0, INT32_MAX, &number) || (kind = store_kind(kinds, number)) < 0 ||
        !counts_at(q, 3, &n, 1))
        return store_damaged(l->s, l->err, "a count makes no sense");
    struct result_part *p = &r->part[part];
    char *to = c->in_moments ? (char *)&p->moment[row] : (char *)&p->tally[row];
    ((uint64_t *)(to + c->at))[kind] = n;
    return 0;
}

static int add_site(struct loading *l, sqlite3_stmt *q)
{
    const struct result *r = &l->s->result;
    int part, role, kernel, reg, number, outcome = -1;
    uint32_t pc;
    uint64_t n;
    if (!int_at(q, 0, 0, r->nparts - 1, &part) || !int_at(q, 1, 0, SITE_ROLES - 1, &role) ||
        !int_at(q, 2, 0, r->job[r->part[part].job].nkernels - 1, &kernel) || !u32_at(q, 3, &pc) ||
        !int_at(q, 4, -1, UINT16_MAX, &reg) || !int_at(q, 5, 0, INT32_MAX, &number) ||
        (outcome = store_kind(&l->s->outcomes, number)) < 0 || !counts_at(q, 6, &n, 1))
        return store_damaged(l->s, l->err, "sums of an instruction make no sense");
    sites_count(&r->part[part].sites, (enum site_role)role, kernel, pc, reg,
                (enum fsim_outcome)outcome, n);
    return 0;
}

static int add_done(struct loading *l, sqlite3_stmt *q)
{
    struct store *s = l->s;
    int part;
    uint64_t v[2], shard = (uint64_t)s->shard - 1, shards = (uint64_t)s->shards;
    if (!int_at(q, 0, 0, s->result.nparts - 1, &part) || !counts_at(q, 1, v, 2) || v[1] < v[0] ||
        v[1] >= s->result.part[part].units)
        return store_damaged(s, l->err, "units are done that nobody asked for");
    if (store_units_has(&s->done[part], v[0])) /* rows come in order */
        return store_damaged(s, l->err, "units are done twice");
    if (shards > 1 && (v[0] != v[1] || v[0] % shards != shard))
        return store_damaged(s, l->err, "units of another shard are done");
    store_units_add(&s->done[part], v[0], v[1]);
    return 0;
}

static int add_population(struct loading *l, sqlite3_stmt *q)
{
    uint64_t v[2];
    if (!is_name(column(q, 0)) || !fl_is_text(column(q, 1)) || !counts_at(q, 2, v, 2) ||
        v[1] > v[0])
        return store_damaged(l->s, l->err, "what its sample was drawn from makes no sense");
    store_add_population(
        l->s, &(struct result_population){(char *)column(q, 0), (char *)column(q, 1), v[0], v[1]});
    return 0;
}

static int load_parts(struct loading *l)
{
    struct store *s = l->s;
    if (each_row(l,
                 "SELECT part, job, target, engine, method, confidence, units, flips, cut, "
                 "active_only, kept, model, (SELECT count(*) FROM tally t WHERE t.part = "
                 "part.part) FROM part ORDER BY part",
                 add_part) != 0 ||
        each_row(l,
                 "SELECT part, launch, bits, cycles, population, owned, warp_cycles, "
                 "owned_counted, owned_failed, not_run, ace, groups, runs FROM tally ORDER BY "
                 "part, launch",
                 add_tally) != 0)
        return -1;
    if (l->part != s->result.nparts)
        return store_damaged(s, l->err, "part %d lacks sums of its launches", l->part);
    l->part = 0;
    if (each_row(l,
                 "SELECT part, bucket, owned, owned_counted, owned_failed, ace FROM moment ORDER "
                 "BY part, bucket",
                 add_moment) != 0)
        return -1;
    if (l->part != s->result.nparts)
        return store_damaged(s, l->err, "part %d lacks sums of its pieces of time", l->part);
    for (l->counted = counted; l->counted < counted + sizeof counted / sizeof *counted;
         l->counted++)
        if (each_row(l, l->counted->sql, add_count) != 0)
            return -1;
    for (int p = 0; p < s->result.nparts; p++)
        for (int i = 0;
             i < result_tallies(&s->result.job[s->result.part[p].job], &s->result.part[p]); i++) {
            struct tally *t = &s->result.part[p].tally[i];
            t->counted = fsim_outcomes_counted(t->outcome);
        }
    return each_row(l, "SELECT part, role, kernel, pc, reg, outcome, n FROM site", add_site) != 0 ||
                   each_row(l, "SELECT part, first, last FROM done ORDER BY part, first",
                            add_done) != 0 ||
                   each_row(l, "SELECT target, field, faults, untestable FROM population",
                            add_population) != 0
               ? -1
               : 0;
}

/* ---- the campaign ---------------------------------------------------------------------------- */

static char *campaign_value(struct store *s, const char *name, struct fl_err *err)
{
    char *value;
    if (store_ask(s, "SELECT value FROM campaign WHERE name = ?", name, &value, err) == 0)
        store_damaged(s, err, "it does not say its %s", name);
    return value;
}

static int campaign_number(struct store *s, const char *name, long min, long max, int *out,
                           struct fl_err *err)
{
    char *text = campaign_value(s, name, err), *rest;
    if (!text)
        return -1;
    long v = strtol(text, &rest, 10);
    bool good = *text && !*rest && v >= min && v <= max;
    *out = (int)v;
    free(text);
    return good ? 0 : store_damaged(s, err, "its %s makes no sense", name);
}

static int load_campaign(struct store *s, struct fl_err *err)
{
    int finished;
    if (!(s->options = campaign_value(s, "options", err)) ||
        !(s->size = campaign_value(s, "size", err)) ||
        campaign_number(s, "shards", 1, STORE_MAX_SHARDS, &s->shards, err) != 0 ||
        campaign_number(s, "shard", 1, s->shards, &s->shard, err) != 0 ||
        campaign_number(s, "finished", 0, 1, &finished, err) != 0)
        return -1;
    s->finished = finished;
    return is_name(s->options) && fl_is_text(s->size)
               ? 0
               : store_damaged(s, err, "its options make no sense");
}

int store_pragma(struct store *s, const char *name)
{
    char *sql = fl_format("PRAGMA %s", name), *value;
    int v = store_ask(s, sql, NULL, &value, NULL) > 0 ? atoi(value) : 0;
    free(value);
    free(sql);
    return v;
}

int store_load(struct store *s, struct fl_err *err)
{
    struct loading l = {.s = s, .err = err};
    if (store_pragma(s, "application_id") != STORE_APPLICATION)
        return fl_fail(err, "%s: is no campaign store", name_of(s));
    int format = store_pragma(s, "user_version");
    int bad = format == STORE_FORMAT ? store_digest_check(s, err) : store_migrate(s, format, err);
    return bad || load_campaign(s, err) != 0 || store_kinds_load(s, err) != 0 ||
                   (!s->migrated && store_check_views(s, err) != 0) || load_jobs(&l) != 0 ||
                   load_parts(&l) != 0
               ? -1
               : store_check(s, err);
}
