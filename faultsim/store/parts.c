/* parts.c -- jobs and parts: declared by a run, written once, compared when the file has them
 * already. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "internal.h"

static int write_sources(struct store *s, int j, const struct result_job *job, struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; i < job->nsources && !bad; i++)
        bad = STORE_WRITE(s, err, "INSERT INTO source VALUES(?, ?, ?, ?)", as_int(j), as_int(i),
                          as_text(job->source[i].name), as_text(job->source[i].text));
    return bad;
}

static int write_kernels(struct store *s, int j, const struct result_job *job, struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; i < job->nkernels && !bad; i++) {
        const struct result_kernel *k = &job->kernel[i];
        bad = STORE_WRITE(s, err, "INSERT INTO kernel VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)", as_int(j),
                          as_int(i), as_text(k->name), as_u64(k->cycles), as_u64(k->warp_cycles),
                          as_u64(k->thread_cycles), as_u64(k->block_cycles),
                          as_int(k->regs_per_thread), as_int(k->block_shared));
    }
    for (int i = 0; i < job->nlaunches && !bad; i++)
        bad = STORE_WRITE(s, err, "INSERT INTO launch VALUES(?, ?, ?, ?)", as_int(j), as_int(i),
                          as_int(job->launch[i].kernel), as_u64(job->launch[i].cycles));
    for (int i = 0; i < job->ncode && !bad; i++)
        bad = STORE_WRITE(s, err, "INSERT INTO code VALUES(?, ?, ?, ?)", as_int(j),
                          as_int(job->code[i].kernel), as_int(job->code[i].pc),
                          as_text(job->code[i].text));
    return bad;
}

/* A store that lacks them is of a version before. */
static int write_caches(struct store *s, int j, const struct result_job *job, struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; i < CACHES; i++)
        for (int f = 0; f < CACHE_FIGURES && !bad; f++) {
            double v = job->cache[i].figure[f];
            if (!job->cache[i].there || isnan(v))
                continue;
            char *name = store_cache_setting(j, i, f);
            bad = STORE_WRITE(s, err, "INSERT OR REPLACE INTO setting VALUES(?, ?)", as_text(name),
                              as_real(v));
            free(name);
        }
    return bad;
}

static int write_job(struct store *s, int j, struct fl_err *err)
{
    const struct result_job *job = &s->result.job[j];
    const struct timeline *t = &job->timeline;
    int bad = STORE_WRITE(
        s, err,
        "UPDATE job SET profile = ?, clock_mhz = ?, warps = ?, regs = ?, "
        "shared_bytes = ?, steady = ?, sps = ?, outputs = ?, cubin = ?, netlist = ?, checker = ?, "
        "instructions = ? WHERE job = ?",
        as_text(job->profile), as_real(job->clock_mhz), as_int(job->warps), as_int(job->regs),
        as_int(job->shared_bytes), as_int(t->steady), as_int(job->sps), as_int(job->outputs),
        as_digest(job->cubin), as_digest(job->netlist), as_digest(job->checker),
        as_u64(job->instructions), as_int(j));
    bad = bad || write_kernels(s, j, job, err) != 0;
    for (int b = 0; b < t->buckets && !bad; b++)
        bad = STORE_WRITE(s, err, "INSERT INTO bucket VALUES(?, ?, ?, ?, ?)", as_int(j), as_int(b),
                          as_u64(t->edge[b]), as_u64(t->edge[b + 1] - t->edge[b]),
                          as_int(t->kernel ? t->kernel[b] : 0));
    return bad || write_caches(s, j, job, err) != 0 || write_sources(s, j, job, err) != 0 ? -1 : 0;
}

/* The golden run is a function of the job: a difference means that the model has changed since. */
int store_same_job(const struct store *s, const struct result_job *a, const struct result_job *b,
                   struct fl_err *err)
{
    const struct timeline *x = &a->timeline, *y = &b->timeline;
    bool same = a->nkernels == b->nkernels && a->nlaunches == b->nlaunches &&
                x->buckets == y->buckets;
    for (int k = 0; same && k < a->nkernels; k++)
        same = strcmp(a->kernel[k].name, b->kernel[k].name) == 0 &&
               a->kernel[k].cycles == b->kernel[k].cycles &&
               a->kernel[k].warp_cycles == b->kernel[k].warp_cycles;
    same = same && (x->buckets == 0 ||
                    memcmp(x->edge, y->edge, (size_t)(x->buckets + 1) * sizeof *x->edge) == 0);
    return same ? 0
                : fl_fail(err,
                          "%s: was written by another version of faultsim: its fault-free run of "
                          "%s differs from this one's; start the campaign again in another file",
                          name_of(s), a->name);
}

/* What an earlier format did not say. */
static int complete_job(struct store *s, int j, const struct result_job *job, struct fl_err *err)
{
    struct result_job *known = &s->result.job[j];
    bool instructions = !known->instructions, sources = !known->nsources && job->nsources;
    bool caches = false;
    for (int i = 0; i < CACHES; i++)
        caches |= job->cache[i].there && !known->cache[i].there;
    if (!instructions && !sources && !caches)
        return 0;
    pthread_mutex_lock(&s->file_lock);
    int bad = store_begin(s, err);
    if (!bad) {
        bad = instructions && STORE_WRITE(s, err, "UPDATE job SET instructions = ? WHERE job = ?",
                                          as_u64(job->instructions), as_int(j)) != 0;
        bad = bad || (sources && write_sources(s, j, job, err) != 0) ||
              (caches && write_caches(s, j, job, err) != 0);
        bad = store_end(s, bad ? -1 : 0, err);
    }
    pthread_mutex_lock(&s->lock);
    known->instructions = job->instructions;
    if (caches)
        memcpy(known->cache, job->cache, sizeof known->cache);
    if (sources)
        result_sources_copy(known, job);
    pthread_mutex_unlock(&s->lock);
    pthread_mutex_unlock(&s->file_lock);
    return bad;
}

int store_job(struct store *s, int j, const struct result_job *job, struct fl_err *err)
{
    if (s->job_known[j])
        return store_same_job(s, &s->result.job[j], job, err) != 0 ? -1
                                                                   : complete_job(s, j, job, err);
    pthread_mutex_lock(&s->file_lock);
    pthread_mutex_lock(&s->lock);
    result_job_free(&s->result.job[j]);
    result_job_copy(&s->result.job[j], job);
    s->job_known[j] = true;
    pthread_mutex_unlock(&s->lock);
    int bad = store_begin(s, err);
    if (!bad)
        bad = store_end(s, write_job(s, j, err), err);
    pthread_mutex_unlock(&s->file_lock);
    return bad;
}

static bool same_populations(const struct result *r, const struct result_population *p, int n)
{
    int same = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < r->npopulations; k++)
            same += strcmp(r->population[k].target, p[i].target) == 0 &&
                    strcmp(r->population[k].field, p[i].field) == 0 &&
                    r->population[k].faults == p[i].faults &&
                    r->population[k].untestable == p[i].untestable;
    return same == n && n == r->npopulations;
}

int store_populations(struct store *s, const struct result_population *p, int n, struct fl_err *err)
{
    if (s->result.npopulations)
        return same_populations(&s->result, p, n)
                   ? 0
                   : fl_fail(err,
                             "%s: was written by another version of faultsim, which drew from "
                             "other faults; start the campaign again in another file",
                             name_of(s));
    pthread_mutex_lock(&s->file_lock);
    int bad = store_begin(s, err);
    if (!bad) {
        for (int i = 0; i < n && !bad; i++)
            bad = STORE_WRITE(s, err, "INSERT INTO population VALUES(?, ?, ?, ?)",
                              as_text(p[i].target), as_text(p[i].field), as_u64(p[i].faults),
                              as_u64(p[i].untestable));
        bad = store_end(s, bad, err);
    }
    for (int i = 0; i < n && !bad; i++)
        store_add_population(s, &p[i]);
    pthread_mutex_unlock(&s->file_lock);
    return bad;
}

static int write_part(struct store *s, int number, const struct result_part *p, struct fl_err *err)
{
    const struct result_job *job = &s->result.job[p->job];
    int bad = STORE_WRITE(
        s, err, "INSERT INTO part VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", as_int(number),
        as_int(p->job), as_text(p->model), as_text(p->engine), as_text(p->target),
        as_text(tally_method_name(p->method)), as_real(p->confidence),
        as_real(p->method == METHOD_SAMPLE ? stats_t(p->confidence) : 0), as_u64(p->units),
        as_u64(p->flips), as_u64(p->cut), as_int(p->active_only), as_int(store_keeps(p)));
    for (int l = 0; l < result_tallies(job, p) && !bad; l++) {
        const struct tally *t = &p->tally[l];
        bad = STORE_WRITE(s, err, "INSERT INTO tally VALUES(?, ?, ?, ?, ?, ?, ?, 0, 0, 0, 0, 0, 0)",
                          as_int(number), as_int(l), as_u64(t->bits), as_u64(t->cycles),
                          as_u64(t->population), as_u64(t->owned), as_u64(t->warp_cycles));
    }
    for (int b = 0; b < job->timeline.buckets && !bad; b++)
        bad = STORE_WRITE(s, err, "INSERT INTO moment VALUES(?, ?, ?, 0, 0, 0)", as_int(number),
                          as_int(b), as_u64(p->moment ? p->moment[b].owned : 0));
    return bad;
}

static const char *keeps(const struct result_part *p)
{
    return p->sums_only ? "sums alone" : "each flip";
}

bool store_same_frame(const struct store *s, const struct result_part *a,
                      const struct result_part *b)
{
    bool same = a->job == b->job && a->method == b->method && strcmp(a->target, b->target) == 0 &&
                strcmp(a->engine, b->engine) == 0 && strcmp(a->model, b->model) == 0 &&
                a->confidence == b->confidence && a->active_only == b->active_only &&
                a->sms == b->sms && a->sums_only == b->sums_only &&
                (a->cut == b->cut || a->method == METHOD_EXACT);
    for (int l = 0; same && l < result_tallies(&s->result.job[a->job], a); l++)
        same = a->tally[l].population == b->tally[l].population &&
               a->tally[l].owned == b->tally[l].owned;
    return same;
}

/* Nothing of an exact part is done yet: another version of the program cuts its work otherwise. */
static int start_again(struct store *s, int number, const struct result_part *p, struct fl_err *err)
{
    static const char of_a_part[] = "(part ";
    struct result_part *to = &s->result.part[number];
    const struct result_job *job = &s->result.job[p->job];
    pthread_mutex_lock(&s->file_lock);
    pthread_mutex_lock(&s->lock);
    for (int l = 0; l < result_tallies(job, p); l++)
        to->tally[l] = p->tally[l];
    for (int b = 0; b < job->timeline.buckets; b++)
        to->moment[b] = (struct moment){.owned = p->moment ? p->moment[b].owned : 0};
    sites_free(&to->sites);
    s->done[number].nruns = 0;
    s->done[number].count = 0;
    to->units = p->units;
    to->cut = p->cut;
    pthread_mutex_unlock(&s->lock);
    int bad = store_begin(s, err);
    if (!bad) {
        for (const struct store_object *o = store_tables; o->name && !bad; o++) {
            if (strncmp(o->is, of_a_part, strlen(of_a_part)) != 0)
                continue;
            char *sql = fl_format("DELETE FROM main.%s WHERE part = %d", o->name, number);
            bad = store_sql(s, sql, err);
            free(sql);
        }
        bad = store_end(s, bad ? bad : write_part(s, number, to, err), err);
    }
    pthread_mutex_unlock(&s->file_lock);
    return bad ? -1 : number;
}

int store_part(struct store *s, const struct result_part *p, struct fl_err *err)
{
    int number = s->declared++;
    if (number < s->result.nparts) {
        const struct result_part *there = &s->result.part[number];
        if (there->sums_only != p->sums_only)
            return fl_fail(err, "%s: keeps %s; go on with --keep %s, or give another file",
                           name_of(s), keeps(there), there->sums_only ? "sums" : "flips");
        bool same = store_same_frame(s, there, p);
        if (same && p->method == METHOD_EXACT && there->cut != p->cut)
            return store_count_done(s, number) == store_share(s, number)
                       ? number
                       : start_again(s, number, p, err);
        if (!same || (p->flips == 0 && there->units != p->units))
            return fl_fail(err,
                           "%s: was written by another version of faultsim: its part %d (%s) "
                           "differs; start the campaign again in another file",
                           name_of(s), number, there->target);
        if (there->flips > p->flips)
            return fl_fail(err,
                           "%s: holds a sample of %llu flips of %s, which can grow but not shrink "
                           "to %llu; give --sample %llu or more, or another file",
                           name_of(s), (unsigned long long)there->flips, there->target,
                           (unsigned long long)p->flips, (unsigned long long)there->flips);
        return number; /* flips may be fewer there: store_grow, or a sample that stopped early */
    }
    pthread_mutex_lock(&s->file_lock);
    pthread_mutex_lock(&s->lock);
    struct result_part *to = store_add_part(s, p->job, p->sms);
    const struct result_job *job = &s->result.job[p->job];
    to->model = fl_strdup(p->model);
    to->target = fl_strdup(p->target);
    to->engine = fl_strdup(p->engine);
    to->method = p->method;
    to->confidence = p->confidence;
    to->active_only = p->active_only;
    to->sums_only = p->sums_only;
    to->units = p->units;
    to->flips = p->flips;
    to->cut = p->cut;
    for (int l = 0; l < result_tallies(job, p); l++) {
        const struct tally *t = &p->tally[l];
        to->tally[l] = (struct tally){.bits = t->bits,
                                      .cycles = t->cycles,
                                      .population = t->population,
                                      .owned = t->owned,
                                      .warp_cycles = t->warp_cycles};
    }
    for (int b = 0; b < job->timeline.buckets && p->moment; b++)
        to->moment[b].owned = p->moment[b].owned;
    pthread_mutex_unlock(&s->lock);
    int bad = store_begin(s, err);
    if (!bad)
        bad = store_end(s, write_part(s, number, to, err), err);
    pthread_mutex_unlock(&s->file_lock);
    return bad ? -1 : number;
}
