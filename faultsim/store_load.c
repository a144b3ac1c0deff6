/* store_load.c -- reads the file of a campaign into memory. */
#include <stdlib.h>
#include <string.h>

#include "store_int.h"
#include "store_schema.h"

static int load_jobs(struct store *s, struct fl_err *err)
{
    struct result *r = &s->result;
    sqlite3_stmt *q = store_prepare(s,
                                    "SELECT name, digest, profile, clock_mhz, warps, regs, "
                                    "shared_bytes, steady, sps FROM job ORDER BY job",
                                    err);
    int more = q ? 0 : -1;
    while (q && (more = store_step(s, q, err)) > 0) {
        r->job = fl_grow(r->job, (size_t)r->njobs + 1, sizeof *r->job);
        struct result_job *j = &r->job[r->njobs++];
        *j = (struct result_job){.name = fl_strdup(column(q, 0)),
                                 .profile = fl_strdup(column(q, 2)),
                                 .clock_mhz = sqlite3_column_double(q, 3),
                                 .warps = sqlite3_column_int(q, 4),
                                 .regs = sqlite3_column_int(q, 5),
                                 .shared_bytes = (uint32_t)sqlite3_column_int64(q, 6),
                                 .sps = sqlite3_column_int(q, 8)};
        strncpy(j->digest, column(q, 1), 64);
        j->timeline.steady = sqlite3_column_int(q, 7);
    }
    sqlite3_finalize(q);
    return more;
}

/* Gives each row to the job that its first column numbers. */
static int each_of_a_job(struct store *s, const char *sql,
                         void (*add)(struct result_job *j, sqlite3_stmt *q), struct fl_err *err)
{
    sqlite3_stmt *q = store_prepare(s, sql, err);
    int more = q ? 0 : -1;
    while (q && (more = store_step(s, q, err)) > 0) {
        int job = sqlite3_column_int(q, 0);
        if (job >= 0 && job < s->result.njobs)
            add(&s->result.job[job], q);
    }
    sqlite3_finalize(q);
    return more;
}

static void add_kernel(struct result_job *j, sqlite3_stmt *q)
{
    uint64_t v[4];
    read_u64s(q, 2, v, 4);
    j->kernel = fl_grow(j->kernel, (size_t)j->nkernels + 1, sizeof *j->kernel);
    j->kernel[j->nkernels++] = (struct result_kernel){
        .name = fl_strdup(column(q, 1)),
        .cycles = v[0],
        .warp_cycles = v[1],
        .thread_cycles = v[2],
        .block_cycles = v[3],
        .regs_per_thread = sqlite3_column_int(q, 6),
        .block_shared = (uint32_t)sqlite3_column_int64(q, 7)};
}

static int load_kernels(struct store *s, struct fl_err *err)
{
    return each_of_a_job(s,
                         "SELECT job, name, cycles, warp_cycles, thread_cycles, block_cycles, "
                         "regs_per_thread, block_shared FROM kernel ORDER BY job, kernel",
                         add_kernel, err);
}

static void add_code(struct result_job *j, sqlite3_stmt *q)
{
    j->code = fl_grow(j->code, (size_t)j->ncode + 1, sizeof *j->code);
    j->code[j->ncode++] = (struct result_code){.kernel = sqlite3_column_int(q, 1),
                                               .pc = (uint32_t)sqlite3_column_int64(q, 2),
                                               .text = fl_strdup(column(q, 3))};
}

static int load_code(struct store *s, struct fl_err *err)
{
    return each_of_a_job(s, "SELECT job, kernel, pc, text FROM code ORDER BY job, kernel, pc",
                         add_code, err);
}

static void add_bucket(struct result_job *j, sqlite3_stmt *q)
{
    struct timeline *t = &j->timeline;
    t->edge = fl_grow(t->edge, (size_t)t->buckets + 2, sizeof *t->edge);
    t->kernel = fl_grow(t->kernel, (size_t)t->buckets + 1, sizeof *t->kernel);
    t->kernel[t->buckets] = sqlite3_column_int(q, 3);
    t->edge[t->buckets++] = (uint64_t)sqlite3_column_int64(q, 1);
    t->edge[t->buckets] = t->edge[t->buckets - 1] + (uint64_t)sqlite3_column_int64(q, 2);
}

static int load_timelines(struct store *s, struct fl_err *err)
{
    return each_of_a_job(s,
                         "SELECT job, first_cycle, cycles, kernel FROM bucket ORDER BY job, bucket",
                         add_bucket, err);
}

static enum tally_method method_of(const char *name)
{
    for (int m = METHOD_EXACT; m <= METHOD_ACE; m++)
        if (strcmp(tally_method_name((enum tally_method)m), name) == 0)
            return (enum tally_method)m;
    return METHOD_EXACT;
}

static int load_parts(struct store *s, struct fl_err *err)
{
    sqlite3_stmt *q = store_prepare(
        s, "SELECT job, target, engine, method, confidence, units, cut FROM part ORDER BY part",
        err);
    int more = q ? 0 : -1;
    while (q && (more = store_step(s, q, err)) > 0) {
        int job = sqlite3_column_int(q, 0);
        if (job < 0 || job >= s->result.njobs) {
            more = fl_fail(err, "%s: is damaged: a part without a job", name_of(s));
            break;
        }
        struct result_part *p = store_add_part(s, job);
        p->target = fl_strdup(column(q, 1));
        p->engine = fl_strdup(column(q, 2));
        p->method = method_of(column(q, 3));
        p->confidence = sqlite3_column_double(q, 4);
        p->units = (uint64_t)sqlite3_column_int64(q, 5);
        p->cut = (uint64_t)sqlite3_column_int64(q, 6);
    }
    sqlite3_finalize(q);
    return more;
}

static struct result_part *part_of_row(struct store *s, sqlite3_stmt *q)
{
    int part = sqlite3_column_int(q, 0);
    return part >= 0 && part < s->result.nparts ? &s->result.part[part] : NULL;
}

static int load_counts(struct store *s, struct fl_err *err)
{
    struct result_part *p;
    sqlite3_stmt *q = store_prepare(s,
                                    "SELECT part, kernel, bits, cycles, population, owned, "
                                    "warp_cycles, " COUNTS " FROM tally",
                                    err);
    int more = q ? 0 : -1;
    while (q && (more = store_step(s, q, err)) > 0) {
        int k = sqlite3_column_int(q, 1);
        uint64_t v[5 + NCOUNTS];
        if (!(p = part_of_row(s, q)) || k < 0 || k >= s->result.job[p->job].nkernels)
            continue;
        read_u64s(q, 2, v, 5 + NCOUNTS);
        p->tally[k] = (struct tally){
            .bits = v[0], .cycles = v[1], .population = v[2], .owned = v[3], .warp_cycles = v[4]};
        store_set_counts(&p->tally[k], v + 5);
    }
    sqlite3_finalize(q);
    if (more < 0 || !(q = store_prepare(s, "SELECT * FROM site", err)))
        return -1;
    while ((more = store_step(s, q, err)) > 0) {
        uint64_t v[OUT_COUNT];
        if (!(p = part_of_row(s, q)))
            continue;
        read_u64s(q, 4, v, OUT_COUNT);
        for (int o = 0; o < OUT_COUNT; o++)
            sites_count(&p->sites, sqlite3_column_int(q, 1), (uint32_t)sqlite3_column_int64(q, 2),
                        sqlite3_column_int(q, 3), (enum fsim_outcome)o, v[o]);
    }
    sqlite3_finalize(q);
    if (more < 0 || !(q = store_prepare(s, "SELECT * FROM moment", err)))
        return -1;
    while ((more = store_step(s, q, err)) > 0) {
        int b = sqlite3_column_int(q, 1);
        if (!(p = part_of_row(s, q)) || b < 0 || b >= s->result.job[p->job].timeline.buckets)
            continue;
        struct moment *m = &p->moment[b];
        read_u64s(q, 2, &m->owned, 1);
        read_u64s(q, 3, m->outcome, OUT_COUNT);
        read_u64s(q, 3 + OUT_COUNT, &m->owned_counted, 1);
        read_u64s(q, 4 + OUT_COUNT, &m->owned_failed, 1);
        read_u64s(q, 5 + OUT_COUNT, &m->ace, 1);
    }
    sqlite3_finalize(q);
    return more;
}

static int load_done(struct store *s, struct fl_err *err)
{
    sqlite3_stmt *q = store_prepare(s, "SELECT part, first, last FROM done", err);
    int more = q ? 0 : -1;
    while (q && (more = store_step(s, q, err)) > 0) {
        uint64_t v[2];
        struct result_part *p = part_of_row(s, q);
        read_u64s(q, 1, v, 2);
        if (!p || v[1] >= p->units) {
            more = fl_fail(err, "%s: is damaged: units are done that nobody asked for", name_of(s));
            break;
        }
        for (uint64_t u = v[0]; u <= v[1]; u++)
            bits_add(&s->done[p - s->result.part], u);
    }
    sqlite3_finalize(q);
    return more;
}

static char *campaign_value(struct store *s, const char *name, struct fl_err *err)
{
    char *value = NULL;
    sqlite3_stmt *q = store_prepare(s, "SELECT value FROM campaign WHERE name = ?", err);
    if (!q)
        return NULL;
    bind_text(q, 1, name);
    int more = store_step(s, q, err);
    if (more > 0)
        value = fl_strdup(column(q, 0));
    else if (more == 0)
        fl_fail(err, "%s: is damaged: it does not say its %s", name_of(s), name);
    sqlite3_finalize(q);
    return value;
}

int store_pragma(struct store *s, const char *name)
{
    char *sql = fl_format("PRAGMA %s", name);
    sqlite3_stmt *q = store_prepare(s, sql, NULL);
    int v = q && sqlite3_step(q) == SQLITE_ROW ? sqlite3_column_int(q, 0) : 0;
    sqlite3_finalize(q);
    free(sql);
    return v;
}

int store_load(struct store *s, struct fl_err *err)
{
    if (store_pragma(s, "application_id") != STORE_APPLICATION)
        return fl_fail(err, "%s: is no campaign store", name_of(s));
    int format = store_pragma(s, "user_version");
    if (format != STORE_FORMAT)
        return fl_fail(err,
                       "%s: was written by another version of faultsim (store format %d, this one "
                       "has %d); use that version, or start the campaign again in another file",
                       name_of(s), format, STORE_FORMAT);
    char *shard = campaign_value(s, "shard", err);
    char *shards = shard ? campaign_value(s, "shards", err) : NULL;
    s->options = shards ? campaign_value(s, "options", err) : NULL;
    char *finished = s->options ? campaign_value(s, "finished", err) : NULL;
    if (finished) {
        s->finished = strcmp(finished, "1") == 0;
        s->shard = atoi(shard);
        s->shards = atoi(shards);
    }
    free(shard);
    free(shards);
    bool identified = finished != NULL;
    free(finished);
    if (!identified || load_jobs(s, err) < 0 || load_kernels(s, err) < 0 || load_code(s, err) < 0 ||
        load_timelines(s, err) < 0)
        return -1;
    s->job_known = fl_alloc((size_t)s->result.njobs * sizeof *s->job_known);
    for (int j = 0; j < s->result.njobs; j++)
        s->job_known[j] = s->result.job[j].nkernels > 0;
    return load_parts(s, err) < 0 || load_counts(s, err) < 0 || load_done(s, err) < 0 ? -1 : 0;
}
