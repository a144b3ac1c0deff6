/* avf.c -- AVF as a table and as CSV, and what the other formats share. */
#include "avf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "faultsim/result/made.h"
#include "faultsim/result/csv.h"
#include "wrong.h"

/* ---- shared ---------------------------------------------------------------------------------- */

const char avf_owned_only[] = "Flips were drawn among owned bits: what was measured is AVF_util, "
                              "and the interval is its own; the AVF "
                              "is not known, it is about AVF_util x occupancy.";

void avf_metrics(const struct avf_report *a, int job, const struct tally_row *row,
                 struct metrics *out)
{
    const struct result_job *j = &a->result->job[job];
    struct metrics_setting set = {
        .fit_per_bit = a->fit_per_bit, .clock_mhz = j->clock_mhz, .warps = j->warps};
    metrics_of(row, &set, out);
}

struct tally_row *avf_part_rows(const struct result *r, int p, int *count)
{
    struct result one = {
        .njobs = r->njobs, .job = r->job, .nparts = 1, .part = (struct result_part *)&r->part[p]};
    return result_rows(&one, count);
}

/* Does x stand before y? */
static bool stands_before(enum fsim_outcome x, enum fsim_outcome y)
{
    return fsim_outcome_optional(x) != fsim_outcome_optional(y)
               ? fsim_outcome_optional(y)
               : fsim_outcome_strength(x) > fsim_outcome_strength(y);
}

enum fsim_outcome avf_column(int i)
{
    for (enum fsim_outcome o = 0; o < OUT_COUNT; o++) {
        int before = 0;
        for (enum fsim_outcome x = 0; x < OUT_COUNT; x++)
            before += stands_before(x, o);
        if (before == i)
            return o;
    }
    return OUT_MASKED;
}

bool avf_shows(const struct avf_report *a, enum fsim_outcome o)
{
    return !fsim_outcome_optional(o) || result_has(a->result, o);
}

void avf_all(const struct avf_report *a, int part, struct tally_row *all, struct metrics *m)
{
    int n;
    struct tally_row *row = avf_part_rows(a->result, part, &n);
    *all = row[n - 1];
    avf_metrics(a, a->result->part[part].job, all, m);
    free(row);
}

int avf_ace_beside(const struct result *r, int p)
{
    const struct result_part *a = &r->part[p];
    for (int i = 0; i < r->nparts; i++) {
        const struct result_part *b = &r->part[i];
        if (a->method != METHOD_ACE && b->method == METHOD_ACE && a->job == b->job &&
            strcmp(a->target, b->target) == 0 && strcmp(a->engine, b->engine) == 0)
            return i;
    }
    return -1;
}

static bool same_chip(const struct result_part *a, const struct result_part *b)
{
    return a->job == b->job && a->method == b->method && strcmp(a->engine, b->engine) == 0;
}

void avf_each_chip(const struct avf_report *a, int job,
                   void (*each)(void *context, const struct result_part *part,
                                const struct metrics_chip *chip),
                   void *context)
{
    const struct result *r = a->result;
    for (int p = 0; p < r->nparts; p++) {
        struct metrics_chip chip;
        int first = 0;
        while (!same_chip(&r->part[first], &r->part[p]))
            first++;
        if (r->part[p].job != job || first != p || r->part[p].method == METHOD_LIST)
            continue;
        metrics_chip_of(r, job, r->part[p].engine, r->part[p].method, a->fit_per_bit, &chip);
        each(context, &r->part[p], &chip);
    }
}

struct each_sm {
    const struct avf_report *a;
    int job;
    void (*each)(void *context, const struct result_part *part, int sm,
                 const struct metrics_chip *chip);
    void *context;
    bool any;
};

static void sms_of_chip(void *context, const struct result_part *part,
                        const struct metrics_chip *chip)
{
    struct each_sm *e = context;
    const struct result *r = e->a->result;
    int sms = 0;
    (void)chip;
    for (int p = 0; p < r->nparts; p++)
        if (same_chip(&r->part[p], part) && r->part[p].sms > sms)
            sms = r->part[p].sms;
    for (int i = 0; i < sms; i++) {
        struct metrics_chip one;
        metrics_sm_of(r, e->job, part->engine, part->method, i, e->a->fit_per_bit, &one);
        if (!one.bits)
            continue;
        e->each(e->context, part, i, &one);
        e->any = true;
    }
}

bool avf_each_sm(const struct avf_report *a, int job,
                 void (*each)(void *context, const struct result_part *part, int sm,
                              const struct metrics_chip *chip),
                 void *context)
{
    struct each_sm e = {a, job, each, context, false};
    avf_each_chip(a, job, sms_of_chip, &e);
    return e.any;
}

bool avf_sm_row(const struct result *r, int part, int sm, struct tally_row *out)
{
    const struct result_part *p = &r->part[part];
    const struct result_job *j = &r->job[p->job];
    if (!result_has_sm(j, p, sm))
        return false;
    *out = (struct tally_row){.job = j->name,
                              .kernel = "all",
                              .target = fl_format("sm%d/%s", sm, p->target),
                              .engine = p->engine,
                              .launch = -1,
                              .run_cycles = result_cycles(j),
                              .method = p->method,
                              .active_only = p->active_only,
                              .confidence = p->confidence};
    result_sm_tally(j, p, sm, -1, &out->t);
    return true;
}

size_t avf_program_length(const struct result_job *j)
{
    char *end = fl_format("@%dsp", j->sps);
    size_t all = strlen(j->name), n = strlen(end);
    bool has = all > n && strcmp(j->name + all - n, end) == 0;
    free(end);
    return has ? all - n : 0;
}

static bool same_sweep(const struct result *r, const struct result_part *a,
                       const struct result_part *b)
{
    const struct result_job *x = &r->job[a->job], *y = &r->job[b->job];
    size_t n = avf_program_length(x);
    return n && n == avf_program_length(y) && strncmp(x->name, y->name, n) == 0 &&
           a->method == b->method && strcmp(a->target, b->target) == 0 &&
           strcmp(a->engine, b->engine) == 0;
}

bool avf_each_sps(const struct avf_report *a,
                  void (*each)(void *context, const struct result_job *job,
                               const struct tally_row *row, const struct metrics *m),
                  void *context)
{
    const struct result *r = a->result;
    bool any = false;
    for (int first = 0; first < r->nparts; first++) {
        bool seen = false, more = false;
        for (int p = 0; p < r->nparts; p++) {
            bool same = p != first && same_sweep(r, &r->part[first], &r->part[p]);
            seen |= same && p < first;
            more |= same && p > first;
        }
        for (int p = first; p < r->nparts && more && !seen; p++) {
            struct tally_row all;
            struct metrics m;
            if (!same_sweep(r, &r->part[first], &r->part[p]))
                continue;
            avf_all(a, p, &all, &m);
            each(context, &r->job[r->part[p].job], &all, &m);
            any = true;
        }
    }
    return any;
}

static struct site *add_up(const struct result_part *p, enum site_role role, bool by_register,
                           int *count)
{
    struct sites sum = {0};
    for (int i = 0; i < p->sites.count; i++) {
        const struct site *s = &p->sites.site[i];
        if (s->role != role || fsim_outcomes_failed(s->outcome) == 0 || (by_register && s->reg < 0))
            continue;
        for (int o = 0; o < OUT_COUNT; o++)
            sites_count(&sum, role, s->kernel, by_register ? 0 : s->pc, by_register ? s->reg : -1,
                        (enum fsim_outcome)o, s->outcome[o]);
    }
    sites_sort(&sum);
    free(sum.slot);
    *count = sum.count;
    return sum.site;
}

struct site *avf_by_instruction(const struct result_part *p, enum site_role role, int *count)
{
    return add_up(p, role, false, count);
}

struct site *avf_by_register(const struct result_part *p, enum site_role role, int *count)
{
    return add_up(p, role, true, count);
}

const char *avf_code_text(const struct result_job *j, int kernel, uint32_t pc)
{
    for (int i = 0; i < j->ncode; i++)
        if (j->code[i].kernel == kernel && j->code[i].pc == pc)
            return j->code[i].text;
    return "";
}
