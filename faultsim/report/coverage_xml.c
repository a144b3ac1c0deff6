/* coverage_xml.c -- coverage as XML, after docs/report.rng. */
#include "coverage.h"

#include "base/xml_out.h"
#include "faultsim/result/made.h"
#include "caches.h"
#include "wrong.h"

static void write_counts(xmlTextWriterPtr w, const struct coverage *c,
                         const struct coverage_row *row, int slice)
{
    const struct fsim_counts *k = &row->of[slice];
    const struct coverage_share *share = &row->share[slice];
    xml_out_count(w, "faults", (uint64_t)k->faults);
    xml_out_count(w, "untestable", (uint64_t)k->untestable);
    xml_out_count(w, "detected", (uint64_t)k->detected);
    for (int o = OUT_COUNT; o-- > 0;)
        if (!fsim_outcome_optional((enum fsim_outcome)o) ||
            (k->by_outcome[o] && !coverage_counts((enum fsim_outcome)o)))
            xml_out_count(w, fsim_outcome_name((enum fsim_outcome)o), (uint64_t)k->by_outcome[o]);
    xml_out_count(w, "not_activated", (uint64_t)k->not_activated);
    xml_out_hundredths(w, "fc_pct", share->fc);
    xml_out_hundredths(w, "testable_fc_pct", share->testable);
    if (!c->sampled)
        return;
    xml_out_count(w, "population", share->population);
    xml_out_count(w, "population_untestable", share->untestable);
    xml_out_hundredths(w, "fc_pct_lo", share->fc_lo);
    xml_out_hundredths(w, "fc_pct_hi", share->fc_hi);
    xml_out_hundredths(w, "testable_fc_pct_lo", share->lo);
    xml_out_hundredths(w, "testable_fc_pct_hi", share->hi);
}

struct faults {
    xmlTextWriterPtr w;
    bool timing;
};

static void cycle(xmlTextWriterPtr w, const char *name, uint64_t n)
{
    if (n != FSIM_NEVER)
        xml_out_count(w, name, n);
}

static int write_fault(void *context, int part, const struct store_injection *i)
{
    const struct faults *f = context;
    struct fsim_result r = fsim_result_kept(i);
    (void)part;
    xml_out_open(f->w, "fault");
    xml_out_text(f->w, "id", i->id);
    if (!fsim_outcome_none(i->outcome))
        xml_out_text(f->w, "outcome", fsim_outcome_name(i->outcome));
    xml_out_text(f->w, "class", fsim_class(&r, f->timing));
    cycle(f->w, "first_activation_cycle", i->first_activation);
    cycle(f->w, "end_cycle", i->end);
    xml_out_text(f->w, "reason", i->reason);
    wrong_attributes(f->w, i);
    xml_out_close(f->w);
    return 0;
}

/* The fields of the only structure, or the structures with theirs. */
static void write_slices(xmlTextWriterPtr w, const struct coverage *c,
                         const struct coverage_row *row)
{
    for (int s = 1; s < c->slices; s++) {
        bool target = c->slice[s].field < 0, last = s + 1 == c->slices || c->slice[s + 1].field < 0;
        if (!target || c->targets > 1) {
            xml_out_open(w, target ? "structure" : "field");
            xml_out_text(w, "name", c->slice[s].name);
            write_counts(w, c, row, s);
        }
        if (!target)
            xml_out_close(w);
        if (last && c->targets > 1)
            xml_out_close(w);
    }
}

static int write_row(xmlTextWriterPtr w, const struct coverage *c, const struct coverage_row *row,
                     struct fl_err *err)
{
    const struct result_job *j = row->job < 0 ? NULL : &c->a->result->job[row->job];
    struct faults faults = {w, c->timing};
    xml_out_open(w, j ? "job" : "union");
    if (j) {
        xml_out_text(w, "name", j->name);
        made_xml_job(w, j);
        xml_out_count(w, "cycles", result_cycles(j));
        if (j->instructions)
            xml_out_count(w, "instructions", j->instructions);
    }
    write_counts(w, c, row, 0);
    if (j)
        caches_xml(w, j);
    write_slices(w, c, row);
    int bad = j ? store_list(c->a->store, row->job, write_fault, &faults, err) : 0;
    xml_out_close(w);
    return bad;
}

int coverage_xml(const struct avf_report *a, struct fl_buf *out, struct fl_err *err)
{
    struct coverage c;
    struct xml_out x;
    int bad = 0;
    if (coverage_open(a, &c, err) != 0)
        return -1;
    if (xml_out_begin(&x, "report", err) != 0) {
        coverage_close(&c);
        return -1;
    }
    xml_out_text(x.w, "made", a->made);
    xml_out_text(x.w, "target", c.target);
    xml_out_text(x.w, "model", result_model(a->result)->name);
    xml_out_text(x.w, "engine", a->result->part[0].engine);
    xml_out_text(x.w, "profile", a->result->job[0].profile);
    xml_out_text(x.w, "detect_timing", c.timing ? "true" : "false");
    for (int i = 0; i < c.rows && !bad; i++)
        bad = write_row(x.w, &c, &c.row[i], err);
    xml_out_end(&x, out);
    coverage_close(&c);
    return bad;
}
