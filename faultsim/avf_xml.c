/* avf_xml.c -- AVF as XML, after docs/avf.rng. */
#include <libxml/xmlwriter.h>
#include <math.h>
#include <stdlib.h>

#include "avf_report.h"

static void text(xmlTextWriterPtr w, const char *name, const char *v)
{
    xmlTextWriterWriteAttribute(w, BAD_CAST name, BAD_CAST v);
}

static void count(xmlTextWriterPtr w, const char *name, uint64_t v)
{
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST name, "%llu", (unsigned long long)v);
}

/* What is not known is left out; XML Schema spells infinity INF. */
static void number(xmlTextWriterPtr w, const char *name, double v)
{
    if (isinf(v))
        text(w, name, "INF");
    else if (!isnan(v))
        xmlTextWriterWriteFormatAttribute(w, BAD_CAST name, "%.9g", v);
}

static void open_element(xmlTextWriterPtr w, const char *name)
{
    xmlTextWriterStartElement(w, BAD_CAST name);
}

static void close_element(xmlTextWriterPtr w)
{
    xmlTextWriterEndElement(w);
}

static void outcomes(xmlTextWriterPtr w, const uint64_t outcome[OUT_COUNT])
{
    for (int o = 0; o < OUT_COUNT; o++)
        count(w, fsim_outcome_name((enum fsim_outcome)o), outcome[o]);
}

static void write_row(xmlTextWriterPtr w, const struct avf_report *a, int job,
                      const struct tally_row *row)
{
    const struct tally *t = &row->t;
    struct metrics m;
    avf_metrics(a, job, row, &m);
    open_element(w, "avf");
    text(w, "kernel", row->kernel);
    count(w, "bits", t->bits);
    count(w, "cycles", t->cycles);
    count(w, "population", t->population);
    count(w, "owned", t->owned);
    if (row->method == METHOD_ACE)
        count(w, "ace", t->ace);
    else {
        count(w, "counted", t->counted);
        count(w, "groups", t->groups);
        count(w, "runs", t->runs);
        outcomes(w, t->outcome);
        for (int r = 0; r < REASON_FAILS; r++)
            count(w, tally_reason_name((enum tally_reason)r), t->reason[r]);
        count(w, "owned_counted", t->owned_counted);
        count(w, "owned_failed", t->owned_failed);
    }
    if (row->method == METHOD_SAMPLE) {
        count(w, "unowned", tally_unowned(t));
        count(w, "not_run", t->not_run);
        number(w, "speedup", metrics_speedup(t));
    }
    number(w, "avf", m.avf);
    number(w, "avf_lo", m.avf_lo);
    number(w, "avf_hi", m.avf_hi);
    number(w, "avf_util", m.avf_util);
    number(w, "occupancy", m.occupancy);
    number(w, "warp_occupancy", m.warp_occupancy);
    number(w, "fit", m.fit);
    number(w, "eit", m.eit);
    number(w, "epf", m.epf);
    close_element(w);
}

static void write_derating(xmlTextWriterPtr w, const struct result_job *j,
                           const struct result_part *p)
{
    for (int k = 0; k < j->nkernels; k++) {
        struct metrics_derated d;
        if (!metrics_derate(j, p, k, &d))
            continue;
        open_element(w, "derating");
        text(w, "kernel", j->kernel[k].name);
        number(w, "fr", d.fr);
        number(w, "df", d.df);
        number(w, "derated", d.avf);
        number(w, "avf", d.physical);
        number(w, "off", d.off);
        close_element(w);
    }
}

static void write_moments(xmlTextWriterPtr w, const struct result_job *j,
                          const struct result_part *p)
{
    for (int b = 0; b < j->timeline.buckets; b++) {
        const struct moment *m = &p->moment[b];
        open_element(w, "time");
        count(w, "from", j->timeline.edge[b]);
        count(w, "cycles", j->timeline.edge[b + 1] - j->timeline.edge[b]);
        count(w, "owned", m->owned);
        if (p->method == METHOD_ACE)
            count(w, "ace", m->ace);
        else
            outcomes(w, m->outcome);
        close_element(w);
    }
}

static void write_sites(xmlTextWriterPtr w, const struct result_job *j, const struct result_part *p)
{
    struct sites sorted = {0};
    sites_add(&sorted, &p->sites);
    sites_sort(&sorted);
    for (int i = 0; i < sorted.count; i++) {
        const struct site *s = &sorted.site[i];
        open_element(w, "site");
        text(w, "kernel", j->kernel[s->kernel].name);
        xmlTextWriterWriteFormatAttribute(w, BAD_CAST "pc", "0x%x", s->pc);
        text(w, "text", avf_code_text(j, s->kernel, s->pc));
        if (s->reg >= 0)
            count(w, "register", (uint64_t)s->reg);
        outcomes(w, s->outcome);
        close_element(w);
    }
    sites_free(&sorted);
}

static void write_part(xmlTextWriterPtr w, const struct avf_report *a, int p)
{
    const struct result_part *part = &a->result->part[p];
    const struct result_job *j = &a->result->job[part->job];
    int n;
    struct tally_row *row = avf_part_rows(a->result, p, &n);
    open_element(w, "target");
    text(w, "name", part->target);
    text(w, "engine", part->engine);
    text(w, "method", tally_method_name(part->method));
    if (part->method == METHOD_SAMPLE)
        number(w, "confidence", part->confidence);
    if (part->method == METHOD_ACE)
        number(w, "mean_util", metrics_util_mean(j, part));
    for (int i = 0; i < n; i++)
        write_row(w, a, part->job, &row[i]);
    write_derating(w, j, part);
    write_moments(w, j, part);
    write_sites(w, j, part);
    close_element(w);
    free(row);
}

static void write_chip(void *context, const struct result_part *part,
                       const struct metrics_chip *chip)
{
    xmlTextWriterPtr w = context;
    open_element(w, "chip");
    text(w, "engine", part->engine);
    text(w, "method", tally_method_name(part->method));
    count(w, "bits", chip->bits);
    number(w, "avf", chip->avf);
    number(w, "avf_lo", chip->avf_lo);
    number(w, "avf_hi", chip->avf_hi);
    number(w, "wavf", chip->wavf);
    number(w, "fit", chip->fit);
    number(w, "eit", chip->eit);
    number(w, "epf", chip->epf);
    close_element(w);
}

static void write_job(xmlTextWriterPtr w, const struct avf_report *a, int job)
{
    const struct result_job *j = &a->result->job[job];
    open_element(w, "job");
    text(w, "name", j->name);
    text(w, "profile", j->profile);
    count(w, "sps", (uint64_t)j->sps);
    number(w, "clock_mhz", j->clock_mhz);
    text(w, "digest", j->digest);
    text(w, "steady", j->timeline.steady ? "true" : "false");
    for (int k = 0; k < j->nkernels; k++) {
        const struct result_kernel *kernel = &j->kernel[k];
        open_element(w, "kernel");
        text(w, "name", kernel->name);
        count(w, "cycles", kernel->cycles);
        count(w, "warp_cycles", kernel->warp_cycles);
        count(w, "thread_cycles", kernel->thread_cycles);
        count(w, "block_cycles", kernel->block_cycles);
        count(w, "registers_per_thread", (uint64_t)kernel->regs_per_thread);
        count(w, "shared_per_block", kernel->block_shared);
        close_element(w);
    }
    for (int p = 0; p < a->result->nparts; p++)
        if (a->result->part[p].job == job)
            write_part(w, a, p);
    avf_each_chip(a, job, write_chip, w);
    close_element(w);
}

int avf_report_xml(const struct avf_report *a, struct fl_buf *out, struct fl_err *err)
{
    xmlBufferPtr b = xmlBufferCreate();
    xmlTextWriterPtr w = b ? xmlNewTextWriterMemory(b, 0) : NULL;
    if (!w) {
        xmlBufferFree(b);
        return fl_fail(err, "libxml2 cannot make a writer");
    }
    xmlTextWriterSetIndent(w, 1);
    xmlTextWriterStartDocument(w, NULL, "UTF-8", NULL);
    open_element(w, "avf_report");
    text(w, "model", "transient");
    if (a->fit_per_bit > 0)
        number(w, "fit_per_bit", a->fit_per_bit);
    if (a->rate)
        text(w, "rate", a->rate);
    for (int j = 0; j < a->result->njobs; j++)
        write_job(w, a, j);
    close_element(w);
    xmlTextWriterEndDocument(w);
    xmlFreeTextWriter(w);
    fl_buf_add(out, b->content, b->use);
    xmlBufferFree(b);
    return 0;
}
