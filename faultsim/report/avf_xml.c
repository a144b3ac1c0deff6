/* avf_xml.c -- AVF as XML, after docs/avf.rng. */
#include <math.h>
#include <stdlib.h>

#include "avf.h"
#include "faultsim/result/made.h"
#include "base/xml_out.h"
#include "caches.h"
#include "protect.h"
#include "wrong.h"

/* What is not known is left out; XML Schema spells infinity INF. */
static void number(xmlTextWriterPtr w, const char *name, double v)
{
    if (isinf(v))
        xml_out_text(w, name, "INF");
    else if (!isnan(v))
        xmlTextWriterWriteFormatAttribute(w, BAD_CAST name, "%.9g", v);
}

static void outcomes(xmlTextWriterPtr w, const uint64_t outcome[OUT_COUNT])
{
    for (int o = 0; o < OUT_COUNT; o++)
        if (!fsim_outcome_optional((enum fsim_outcome)o) || outcome[o])
            xml_out_count(w, fsim_outcome_name((enum fsim_outcome)o), outcome[o]);
}

static void write_row(xmlTextWriterPtr w, const struct avf_report *a, int job,
                      const struct tally_row *row)
{
    const struct tally *t = &row->t;
    struct metrics m;
    avf_metrics(a, job, row, &m);
    xml_out_open(w, "avf");
    xml_out_text(w, "kernel", row->kernel);
    if (row->launch >= 0)
        xml_out_count(w, "launch", (uint64_t)row->launch);
    xml_out_count(w, "bits", t->bits);
    xml_out_count(w, "cycles", t->cycles);
    xml_out_count(w, "population", t->population);
    xml_out_count(w, "owned", t->owned);
    if (row->method == METHOD_ACE)
        xml_out_count(w, "ace", t->ace);
    else {
        xml_out_count(w, "counted", t->counted);
        xml_out_count(w, "groups", t->groups);
        xml_out_count(w, "runs", t->runs);
        outcomes(w, t->outcome);
        for (int r = 0; r < REASON_FAILS; r++)
            xml_out_count(w, tally_reason_name((enum tally_reason)r), t->reason[r]);
        xml_out_count(w, "owned_counted", t->owned_counted);
        xml_out_count(w, "owned_failed", t->owned_failed);
    }
    if (row->method == METHOD_SAMPLE || row->method == METHOD_LIST) {
        xml_out_count(w, "unowned", tally_unowned(t));
        xml_out_count(w, "not_run", t->not_run);
        number(w, "speedup", metrics_speedup(t));
    }
    for (int i = 0; i < METRICS_FIGURES; i++)
        number(w, metrics_figure[i].name, metrics_get(&m, i));
    xml_out_close(w);
}

static void write_derating(xmlTextWriterPtr w, const struct result_job *j,
                           const struct result_part *p)
{
    for (int k = 0; k < j->nkernels; k++) {
        struct metrics_derated d;
        if (!metrics_derate(j, p, k, &d))
            continue;
        xml_out_open(w, "derating");
        xml_out_text(w, "kernel", j->kernel[k].name);
        number(w, "fr", d.fr);
        number(w, "df", d.df);
        number(w, "derated", d.avf);
        number(w, "avf", d.physical);
        number(w, "off", d.off);
        xml_out_close(w);
    }
}

static void write_moments(xmlTextWriterPtr w, const struct result_job *j,
                          const struct result_part *p)
{
    for (int b = 0; b < j->timeline.buckets; b++) {
        const struct moment *m = &p->moment[b];
        xml_out_open(w, "time");
        xml_out_count(w, "from", j->timeline.edge[b]);
        xml_out_count(w, "cycles", j->timeline.edge[b + 1] - j->timeline.edge[b]);
        xml_out_count(w, "owned", m->owned);
        if (p->method == METHOD_ACE)
            xml_out_count(w, "ace", m->ace);
        else
            outcomes(w, m->outcome);
        xml_out_close(w);
    }
}

static void write_sites(xmlTextWriterPtr w, const struct result_job *j, const struct result_part *p)
{
    struct sites sorted = {0};
    sites_add(&sorted, &p->sites);
    sites_sort(&sorted);
    for (int i = 0; i < sorted.count; i++) {
        const struct site *s = &sorted.site[i];
        xml_out_open(w, "site");
        xml_out_text(w, "role", sites_role_name(s->role));
        xml_out_text(w, "kernel", j->kernel[s->kernel].name);
        xmlTextWriterWriteFormatAttribute(w, BAD_CAST "pc", "0x%x", s->pc);
        xml_out_text(w, "text", avf_code_text(j, s->kernel, s->pc));
        if (s->reg >= 0)
            xml_out_count(w, "register", (uint64_t)s->reg);
        outcomes(w, s->outcome);
        xml_out_close(w);
    }
    sites_free(&sorted);
}

static int write_part(xmlTextWriterPtr w, const struct avf_report *a, int p, struct fl_err *err)
{
    int bad = 0;
    const struct result_part *part = &a->result->part[p];
    const struct result_job *j = &a->result->job[part->job];
    int n;
    struct tally_row *row = avf_part_rows(a->result, p, &n);
    xml_out_open(w, "target");
    xml_out_text(w, "name", part->target);
    xml_out_text(w, "engine", part->engine);
    xml_out_text(w, "method", tally_method_name(part->method));
    if (part->active_only)
        xml_out_text(w, "drawn", "owned");
    if (part->method == METHOD_SAMPLE)
        number(w, "confidence", part->confidence);
    if (part->method == METHOD_ACE)
        number(w, "mean_util", metrics_util_mean(j, part));
    for (int i = 0; i < n; i++)
        write_row(w, a, part->job, &row[i]);
    wrong_xml(w, &row[n - 1].t);
    if (a->protect)
        bad = protect_xml(w, a, p, err);
    write_derating(w, j, part);
    write_moments(w, j, part);
    write_sites(w, j, part);
    xml_out_close(w);
    free(row);
    return bad;
}

static void write_chip_as(xmlTextWriterPtr w, const struct result_part *part, int sm,
                          const struct metrics_chip *chip)
{
    xml_out_open(w, sm < 0 ? "chip" : "sm");
    if (sm >= 0)
        xml_out_count(w, "number", (uint64_t)sm);
    xml_out_text(w, "engine", part->engine);
    xml_out_text(w, "method", tally_method_name(part->method));
    xml_out_count(w, "bits", chip->bits);
    number(w, "avf", chip->avf);
    number(w, "avf_lo", chip->avf_lo);
    number(w, "avf_hi", chip->avf_hi);
    number(w, "wavf", chip->wavf);
    number(w, "fit", chip->fit);
    number(w, "eit", chip->eit);
    number(w, "epf", chip->epf);
    xml_out_close(w);
}

static void write_chip(void *context, const struct result_part *part,
                       const struct metrics_chip *chip)
{
    write_chip_as(context, part, -1, chip);
}

static void write_sm(void *context, const struct result_part *part, int sm,
                     const struct metrics_chip *chip)
{
    write_chip_as(context, part, sm, chip);
}

static int write_job(xmlTextWriterPtr w, const struct avf_report *a, int job, struct fl_err *err)
{
    int bad = 0;
    const struct result_job *j = &a->result->job[job];
    xml_out_open(w, "job");
    xml_out_text(w, "name", j->name);
    made_xml_job(w, j);
    number(w, "clock_mhz", j->clock_mhz);
    xml_out_text(w, "steady", j->timeline.steady ? "true" : "false");
    for (int k = 0; k < j->nkernels; k++) {
        const struct result_kernel *kernel = &j->kernel[k];
        xml_out_open(w, "kernel");
        xml_out_text(w, "name", kernel->name);
        xml_out_count(w, "cycles", kernel->cycles);
        xml_out_count(w, "warp_cycles", kernel->warp_cycles);
        xml_out_count(w, "thread_cycles", kernel->thread_cycles);
        xml_out_count(w, "block_cycles", kernel->block_cycles);
        xml_out_count(w, "registers_per_thread", (uint64_t)kernel->regs_per_thread);
        xml_out_count(w, "shared_per_block", kernel->block_shared);
        xml_out_close(w);
    }
    caches_xml(w, j);
    for (int p = 0; p < a->result->nparts && !bad; p++)
        if (a->result->part[p].job == job)
            bad = write_part(w, a, p, err);
    avf_each_chip(a, job, write_chip, w);
    avf_each_sm(a, job, write_sm, w);
    xml_out_close(w);
    return bad;
}

int avf_report_xml(const struct avf_report *a, struct fl_buf *out, struct fl_err *err)
{
    struct xml_out x;
    if (xml_out_begin(&x, "avf_report", err) != 0)
        return -1;
    xml_out_text(x.w, "model", result_model(a->result)->name);
    xml_out_text(x.w, "made", a->made);
    if (a->fit_per_bit > 0)
        number(x.w, "fit_per_bit", a->fit_per_bit);
    if (a->rate)
        xml_out_text(x.w, "rate", a->rate);
    int bad = 0;
    for (int j = 0; j < a->result->njobs && !bad; j++)
        bad = write_job(x.w, a, j, err);
    xml_out_end(&x, out);
    return bad;
}
