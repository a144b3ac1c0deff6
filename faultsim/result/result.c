/* result.c -- the data of results: rows for reports, copies. */
#include "result.h"

#include <stdlib.h>
#include <string.h>

#include "base/fl.h"

const char *tally_method_name(enum tally_method m)
{
    static const char *const name[] = {
        [METHOD_EXACT] = "exact",
        [METHOD_SAMPLE] = "sample",
        [METHOD_LIST] = "list",
        [METHOD_ACE] = "ace",
    };
    return name[m];
}

const char *tally_reason_name(enum tally_reason r)
{
    static const char *const name[REASON_COUNT] = {[REASON_IDLE] = "idle",
                                                   [REASON_OVERWRITTEN] = "overwritten",
                                                   [REASON_LOGIC] = "logic",
                                                   [REASON_FAILS] = "fails",
                                                   [REASON_UNTESTABLE] = "untestable"};
    return name[r];
}

const char *tally_extent_name(enum tally_extent e)
{
    static const char *const name[EXTENT_COUNT] = {
        [EXTENT_1] = "elements_1",
        [EXTENT_TO_10] = "elements_to_10",
        [EXTENT_TO_100] = "elements_to_100",
        [EXTENT_ABOVE_100] = "elements_above_100",
        [EXTENT_BY_1E_4] = "by_1e-4",
        [EXTENT_BY_1E_2] = "by_1e-2",
        [EXTENT_BY_1] = "by_1",
        [EXTENT_BY_MORE] = "by_more",
        [EXTENT_BY_UNKNOWN] = "by_unknown",
        [EXTENT_UNWRITTEN] = "unwritten",
        [EXTENT_VALUE + VALUE_NAN] = "value_nan",
        [EXTENT_VALUE + VALUE_INF] = "value_inf",
        [EXTENT_VALUE + VALUE_ZERO] = "value_zero",
        [EXTENT_VALUE + VALUE_SIGN] = "value_sign",
        [EXTENT_VALUE + VALUE_EXPONENT] = "value_exponent",
        [EXTENT_VALUE + VALUE_MANTISSA] = "value_mantissa",
        [EXTENT_VALUE + VALUE_FIELDS] = "value_fields",
        [EXTENT_VALUE + VALUE_OTHER] = "value_other",
        [EXTENT_VALUE_UNWRITTEN] = "value_unwritten",
        [EXTENT_BITS + BITS_1] = "bits_1",
        [EXTENT_BITS + BITS_2_4] = "bits_2_4",
        [EXTENT_BITS + BITS_5_8] = "bits_5_8",
        [EXTENT_BITS + BITS_MORE] = "bits_more",
        [EXTENT_WRITERS + WRITERS_WORD - 1] = "writers_word",
        [EXTENT_WRITERS + WRITERS_THREAD - 1] = "writers_thread",
        [EXTENT_WRITERS + WRITERS_ALL - 1] = "writers_all",
        [EXTENT_WRITERS + WRITERS_LANE - 1] = "writers_lane",
        [EXTENT_WRITERS + WRITERS_SP - 1] = "writers_sp",
        [EXTENT_WRITERS + WRITERS_INSTRUCTION - 1] = "writers_instruction",
        [EXTENT_WRITERS + WRITERS_WARP - 1] = "writers_warp",
        [EXTENT_WRITERS + WRITERS_BLOCK - 1] = "writers_block",
        [EXTENT_WRITERS + WRITERS_MIXED - 1] = "writers_mixed",
    };
    return name[e];
}

void result_sm_tally(const struct result_job *j, const struct result_part *p, int sm, int kernel,
                     struct tally *out)
{
    *out = (struct tally){0};
    for (int l = 0; l < j->nlaunches; l++)
        if (kernel < 0 || j->launch[l].kernel == kernel)
            tally_add(out, &p->tally[(1 + sm) * j->nlaunches + l]);
}

void result_tally(const struct result_job *j, const struct result_part *p, int kernel,
                  struct tally *out)
{
    result_sm_tally(j, p, -1, kernel, out);
}

int result_tallies(const struct result_job *j, const struct result_part *p)
{
    return j->nlaunches * (1 + p->sms);
}

bool result_has_sm(const struct result_job *j, const struct result_part *p, int sm)
{
    struct tally t;
    if (sm >= p->sms)
        return false;
    result_sm_tally(j, p, sm, -1, &t);
    return t.bits;
}

uint64_t result_cycles(const struct result_job *j)
{
    uint64_t n = 0;
    for (int k = 0; k < j->nkernels; k++)
        n += j->kernel[k].cycles;
    return n;
}

bool result_same_machine(const struct result_job *a, const struct result_job *b)
{
    return strcmp(a->profile, b->profile) == 0 && a->warps == b->warps && a->regs == b->regs &&
           a->sps == b->sps && a->shared_bytes == b->shared_bytes && a->clock_mhz == b->clock_mhz;
}

char *result_targets(const struct result *r)
{
    struct fl_buf b = {0};
    fl_buf_printf(&b, "%s", "");
    for (int p = 0; p < r->nparts; p++) {
        int first = 0;
        while (strcmp(r->part[first].target, r->part[p].target) != 0)
            first++;
        if (first == p)
            fl_buf_printf(&b, "%s%s", b.size ? "," : "", r->part[p].target);
    }
    return (char *)b.data;
}

const struct result_model *result_model(const struct result *r)
{
    static const struct result_model model[] = {
        {"stuck-at", "Stuck-at faults", true, "structure", DRAWN_BY_TARGET, true},
        {"memory", "Memory faults", true, "structure", DRAWN_AT_ONCE, true},
        {"gate", "Gate faults", true, "unit", DRAWN_BY_UNIT, false},
        {"glitch", "Single-event transients", false, "unit", DRAWN_BY_TARGET, false},
        {"transient", "Transient faults", false, "structure", DRAWN_BY_TARGET, false},
        {"intermittent", "Intermittent faults", false, "structure", DRAWN_BY_TARGET, false},
        {"", "Faults", false, "structure", DRAWN_BY_TARGET, false}};
    const struct result_model *m = model;
    while (m->name[0] && (!r->nparts || strcmp(m->name, r->part[0].model) != 0))
        m++;
    return m;
}

bool result_has(const struct result *r, enum fsim_outcome o)
{
    uint64_t n = 0;
    for (int p = 0; p < r->nparts; p++)
        for (int l = 0; l < r->job[r->part[p].job].nlaunches; l++)
            n += r->part[p].tally[l].outcome[o];
    return n != 0;
}

static int launches_of(const struct result_job *j, int kernel)
{
    int n = 0;
    for (int l = 0; l < j->nlaunches; l++)
        n += j->launch[l].kernel == kernel && j->launch[l].cycles;
    return n;
}

struct tally_row *result_rows(const struct result *r, int *count)
{
    int n = 0;
    for (int p = 0; p < r->nparts; p++)
        n += r->job[r->part[p].job].nkernels + r->job[r->part[p].job].nlaunches + 1;
    struct tally_row *row = fl_alloc((size_t)n * sizeof *row);
    n = 0;
    for (int p = 0; p < r->nparts; p++) {
        const struct result_part *part = &r->part[p];
        const struct result_job *job = &r->job[part->job];
        struct tally_row all = {.job = job->name,
                                .kernel = "all",
                                .target = part->target,
                                .engine = part->engine,
                                .launch = -1,
                                .method = part->method,
                                .active_only = part->active_only,
                                .confidence = part->confidence};
        for (int k = 0; k < job->nkernels; k++) {
            struct tally_row *sum = &row[n++];
            *sum = all;
            sum->kernel = job->kernel[k].name;
            sum->run_cycles = job->kernel[k].cycles;
            result_tally(job, part, k, &sum->t);
            bool several = launches_of(job, k) > 1;
            for (int l = 0; several && l < job->nlaunches; l++) {
                if (job->launch[l].kernel != k || !job->launch[l].cycles)
                    continue; /* a pass that does not happen has no cycles */
                row[n] = *sum;
                row[n].launch = l;
                row[n].run_cycles = job->launch[l].cycles;
                row[n++].t = part->tally[l];
            }
        }
        all.run_cycles = result_cycles(job);
        result_tally(job, part, -1, &all.t);
        row[n++] = all;
    }
    *count = n;
    return row;
}

void result_sources_copy(struct result_job *to, const struct result_job *from)
{
    to->nsources = from->nsources;
    to->source = fl_alloc((size_t)from->nsources * sizeof *to->source);
    for (int i = 0; i < from->nsources; i++)
        to->source[i] = (struct result_source){fl_strdup(from->source[i].name),
                                               fl_strdup(from->source[i].text)};
}

const char *const result_cache_figure[CACHE_FIGURES] = {"hits", "misses", "write_backs", "live",
                                                        "live_data"};

void result_job_copy(struct result_job *to, const struct result_job *from)
{
    *to = *from;
    to->name = fl_strdup(from->name);
    to->profile = fl_strdup(from->profile);
    to->kernel = fl_alloc((size_t)from->nkernels * sizeof *to->kernel);
    for (int k = 0; k < from->nkernels; k++) {
        to->kernel[k] = from->kernel[k];
        to->kernel[k].name = fl_strdup(from->kernel[k].name);
    }
    to->launch = fl_alloc((size_t)from->nlaunches * sizeof *to->launch);
    for (int l = 0; l < from->nlaunches; l++)
        to->launch[l] = from->launch[l];
    timeline_copy(&to->timeline, &from->timeline);
    to->code = fl_alloc((size_t)from->ncode * sizeof *to->code);
    for (int c = 0; c < from->ncode; c++) {
        to->code[c] = from->code[c];
        to->code[c].text = fl_strdup(from->code[c].text);
    }
    result_sources_copy(to, from);
}

void result_job_free(struct result_job *j)
{
    for (int k = 0; k < j->nkernels; k++)
        free(j->kernel[k].name);
    for (int c = 0; c < j->ncode; c++)
        free(j->code[c].text);
    for (int i = 0; i < j->nsources; i++) {
        free(j->source[i].name);
        free(j->source[i].text);
    }
    free(j->source);
    free(j->kernel);
    free(j->launch);
    free(j->code);
    timeline_free(&j->timeline);
    free(j->name);
    free(j->profile);
    *j = (struct result_job){0};
}

void result_part_free(struct result_part *p)
{
    free(p->model);
    free(p->target);
    free(p->engine);
    free(p->tally);
    free(p->moment);
    sites_free(&p->sites);
    *p = (struct result_part){0};
}

void result_free(struct result *r)
{
    for (int j = 0; j < r->njobs; j++)
        result_job_free(&r->job[j]);
    for (int p = 0; p < r->nparts; p++)
        result_part_free(&r->part[p]);
    for (int i = 0; i < r->npopulations; i++) {
        free(r->population[i].target);
        free(r->population[i].field);
    }
    free(r->population);
    free(r->job);
    free(r->part);
    *r = (struct result){0};
}
