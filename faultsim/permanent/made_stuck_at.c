/* made_stuck_at.c -- the line of a stuck-at campaign. */
#include "made_stuck_at.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "faultsim/result/identity.h"

/* How many faults, and a hash of them (FNV-1a): however they were named. */
static void add_faults(const struct fsim_campaign *c, struct fl_buf *out)
{
    uint64_t h = FL_HASH_START;
    for (long i = 0; i < c->list.count; i++) {
        char id[FSIM_ID];
        fsim_id(c->img, &c->list.fault[i], id);
        h = fl_hash_bytes(h, id, strlen(id));
    }
    fl_buf_printf(out, " faults=%ld,%016llx", c->list.count, (unsigned long long)h);
}

/* Whose memory sets the size of a structure, where jobs differ in it. */
static void add_size(const struct fsim_campaign *c, int structure, const char *name, uint32_t bytes,
                     int job, struct fl_buf *out)
{
    bool has = false;
    for (long i = 0; i < c->list.count && !has; i++)
        has = c->list.fault[i].cell.structure == structure;
    if (has && job)
        fl_buf_printf(out, " %s-bytes=%lu %s-job=%d", name, (unsigned long)bytes, name, job);
}

void made_options_stuck_at(const struct fsim_campaign *c, const char *more, struct fl_buf *out)
{
    char *targets = fsim_list_targets(&c->list);
    made_begin(out, fsim_list_model(&c->list), c->engine);
    fl_buf_printf(out, " target=%s", targets);
    free(targets);
    add_faults(c, out);
    add_size(c, SM_S_local, "local", c->sizes.least.local, c->sizes.local_of, out);
    add_size(c, SM_S_const, "const", c->sizes.least.konst, c->sizes.const_of, out);
    /* Of memories the faults alone say it, as ever: stores go on. */
    if (c->list.choice.sample && !c->list.choice.memory)
        fl_buf_printf(out, " sample=%llu seed=%llu", (unsigned long long)c->list.choice.sample,
                      (unsigned long long)c->list.choice.seed);
    fl_buf_printf(out, " engine=%s%s%s", c->engine, c->detect_timing ? " detect-timing" : "", more);
    if (c->host)
        program_options_text(c->host, out);
}

void made_stuck_at(const struct fsim_campaign *c, int n, const char *more, struct made *out)
{
    struct fl_buf b = {0};
    made_options_stuck_at(c, more, &b);
    *out = (struct made){made_exported((char *)b.data, c->program),
                         fl_alloc((size_t)n * sizeof *out->job), n};
    fl_buf_free(&b);
    for (int i = 0; i < n; i++) {
        identity_job(c[i].img->job, &out->job[i]);
        free(out->job[i].name);
        out->job[i].name = fl_strdup(c[i].job_name);
    }
}

void made_free(struct made *m)
{
    for (int i = 0; i < m->njobs; i++)
        result_job_free(&m->job[i]);
    free(m->job);
    free(m->line);
}

void made_csv_stuck_at(const struct fsim_campaign *c, int n, struct fl_buf *out)
{
    struct made m;
    made_stuck_at(c, n, "", &m);
    made_csv(m.line, m.job, n, out);
    made_free(&m);
}
