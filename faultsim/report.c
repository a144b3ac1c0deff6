/* report.c -- prints campaigns: table, CSV, XML. */
#include "report.h"

#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One row of a summary: a job, or the union of all. */
struct row {
    const char *name;
    const struct fsim_result *result;
};

struct rows {
    int n;
    struct row *row;
    struct fsim_result *together; /* the union's results */
};

static struct rows make_rows(const struct fsim_campaign *c, int n)
{
    struct rows r = {.row = fl_alloc((size_t)(n + 1) * sizeof *r.row)};
    for (int i = 0; i < n; i++)
        r.row[r.n++] = (struct row){c[i].job_name, c[i].result};
    if (n > 1) {
        r.together = fl_alloc((size_t)c[0].list.count * sizeof *r.together);
        fsim_union(c, n, r.together);
        r.row[r.n++] = (struct row){"union", r.together};
    }
    return r;
}

static void free_rows(struct rows *r)
{
    free(r->row);
    free(r->together);
}

static double percent(long part, long whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static struct fsim_counts count(const struct fsim_campaign *c, const struct row *r, int field)
{
    struct fsim_counts k;
    fsim_count(&c[0].list, r->result, c[0].detect_timing, field, &k);
    return k;
}

/* ---- for people ------------------------------------------------------------------------------------------------- */

static void print_fields(const struct fsim_campaign *c, const struct rows *rows, struct fl_buf *out)
{
    struct sm_structure s;
    sm_structure_get(c[0].img, c[0].list.fault[0].cell.structure, &s);
    fl_buf_printf(out, "\nTestable coverage by field, detected of testable faults:\n%-34s", "");
    for (int f = 0; f < s.nfields; f++) {
        char name[16];
        int k = 0;
        for (; s.field[f].name[k] && k < 15; k++)
            name[k] = (char)(s.field[f].name[k] -
                             ('a' <= s.field[f].name[k] && s.field[f].name[k] <= 'z' ? 32 : 0));
        name[k] = 0;
        fl_buf_printf(out, " %22s", name);
    }
    fl_buf_printf(out, "\n");
    for (int i = 0; i < rows->n; i++) {
        fl_buf_printf(out, "%-34.34s", rows->row[i].name);
        for (int f = 0; f < s.nfields; f++) {
            struct fsim_counts k = count(c, &rows->row[i], f);
            long testable = k.faults - k.untestable;
            fl_buf_printf(out, " %5ld of %5ld %6.2f %%", k.detected, testable,
                          percent(k.detected, testable));
        }
        fl_buf_printf(out, "\n");
    }
}

void report_table(const struct fsim_campaign *c, int n, const char *target, const char *model,
                  struct fl_buf *out)
{
    struct rows rows = make_rows(c, n);
    struct fsim_counts first = count(c, &rows.row[0], -1);
    fl_buf_printf(out, "%s faults in %s, profile %s: %ld faults, %ld of them untestable\n\n", model,
                  target, c[0].img->profile.name, first.faults, first.untestable);
    fl_buf_printf(out, "%-34s %6s %6s %6s %6s %6s %6s %7s %9s %9s\n", "job", "sdc", "crash", "hang",
                  "timeo.", "perf.", "masked", "not act", "fault c.", "testable");
    for (int i = 0; i < rows.n; i++) {
        struct fsim_counts k = count(c, &rows.row[i], -1);
        fl_buf_printf(out, "%-34.34s %6ld %6ld %6ld %6ld %6ld %6ld %7ld %7.2f %% %7.2f %%\n",
                      rows.row[i].name, k.by_outcome[OUT_SDC], k.by_outcome[OUT_CRASH],
                      k.by_outcome[OUT_HANG], k.by_outcome[OUT_TIMEOUT],
                      k.by_outcome[OUT_PERFORMANCE], k.by_outcome[OUT_MASKED], k.not_activated,
                      percent(k.detected, k.faults), percent(k.detected, k.faults - k.untestable));
    }
    print_fields(c, &rows, out);
    fl_buf_printf(out, "\n%-34s %12s %12s %10s %12s %12s %9s\n", "how", "cycles", "instr.", "runs",
                  "simulated", "alone", "seconds");
    for (int i = 0; i < n; i++)
        fl_buf_printf(
            out, "%-34.34s %12llu %12llu %10llu %12llu %12llu %9.3f\n", c[i].job_name,
            (unsigned long long)c[i].golden->cycles, (unsigned long long)c[i].golden->instructions,
            (unsigned long long)c[i].stat.runs, (unsigned long long)c[i].stat.instructions,
            (unsigned long long)c[i].stat.evaluated, c[i].golden_seconds + c[i].seconds);
    free_rows(&rows);
}

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

void report_csv_text(const char *s, struct fl_buf *out)
{
    if (!strpbrk(s, ",\"\r\n")) {
        fl_buf_printf(out, "%s", s);
        return;
    }
    fl_buf_printf(out, "\"");
    for (; *s; s++)
        fl_buf_printf(out, *s == '"' ? "\"\"" : "%c", *s);
    fl_buf_printf(out, "\"");
}

void report_csv(const struct fsim_campaign *c, int n, const char *target, const char *model,
                struct fl_buf *out)
{
    struct rows rows = make_rows(c, n);
    fl_buf_printf(out, "job,target,model,engine,faults,untestable,detected,sdc,crash,timeout,hang,"
                       "performance,masked,"
                       "not_activated,fc_pct,testable_fc_pct\n");
    for (int i = 0; i < rows.n; i++) {
        struct fsim_counts k = count(c, &rows.row[i], -1);
        report_csv_text(rows.row[i].name, out);
        fl_buf_printf(out, ",");
        report_csv_text(target, out);
        fl_buf_printf(out, ",%s,%s,%ld,%ld,%ld,%ld,%ld,%ld,%ld,%ld,%ld,%ld,%.2f,%.2f\n", model,
                      c[0].engine, k.faults, k.untestable, k.detected, k.by_outcome[OUT_SDC],
                      k.by_outcome[OUT_CRASH], k.by_outcome[OUT_TIMEOUT], k.by_outcome[OUT_HANG],
                      k.by_outcome[OUT_PERFORMANCE], k.by_outcome[OUT_MASKED], k.not_activated,
                      percent(k.detected, k.faults), percent(k.detected, k.faults - k.untestable));
    }
    free_rows(&rows);
}

static void cycle_text(uint64_t cycle, char out[24])
{
    out[0] = 0;
    if (cycle != FSIM_NEVER)
        snprintf(out, 24, "%llu", (unsigned long long)cycle);
}

void report_csv_faults(const struct fsim_campaign *c, int n, struct fl_buf *out)
{
    fl_buf_printf(out, "job,id,outcome,class,first_activation_cycle,end_cycle,reason\n");
    for (int i = 0; i < n; i++) {
        for (long f = 0; f < c[i].list.count; f++) {
            const struct fsim_result *r = &c[i].result[f];
            char id[FSIM_ID], first[24], end[24];
            fsim_id(c[i].img, &c[i].list.fault[f], id);
            cycle_text(r->first_activation, first);
            cycle_text(r->end, end);
            report_csv_text(c[i].job_name, out);
            fl_buf_printf(out, ",%s,%s,%s,%s,%s,%s\n", id, fsim_outcome_name(r->outcome),
                          fsim_class(r, c[i].detect_timing), first, end, r->reason);
        }
    }
}

/* ---- XML -------------------------------------------------------------------------------------------------------- */

static void attribute_number(xmlTextWriterPtr w, const char *name, long v)
{
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST name, "%ld", v);
}

static void attribute(xmlTextWriterPtr w, const char *name, const char *v)
{
    xmlTextWriterWriteAttribute(w, BAD_CAST name, BAD_CAST v);
}

static void write_counts(xmlTextWriterPtr w, const struct fsim_counts *k)
{
    attribute_number(w, "faults", k->faults);
    attribute_number(w, "untestable", k->untestable);
    attribute_number(w, "detected", k->detected);
    for (int o = OUT_COUNT; o-- > 0;)
        attribute_number(w, fsim_outcome_name((enum fsim_outcome)o), k->by_outcome[o]);
    attribute_number(w, "not_activated", k->not_activated);
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST "fc_pct", "%.2f",
                                      percent(k->detected, k->faults));
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST "testable_fc_pct", "%.2f",
                                      percent(k->detected, k->faults - k->untestable));
}

static void write_faults(xmlTextWriterPtr w, const struct fsim_campaign *c)
{
    for (long f = 0; f < c->list.count; f++) {
        const struct fsim_result *r = &c->result[f];
        char id[FSIM_ID], first[24], end[24];
        fsim_id(c->img, &c->list.fault[f], id);
        cycle_text(r->first_activation, first);
        cycle_text(r->end, end);
        xmlTextWriterStartElement(w, BAD_CAST "fault");
        attribute(w, "id", id);
        attribute(w, "outcome", fsim_outcome_name(r->outcome));
        attribute(w, "class", fsim_class(r, c->detect_timing));
        if (first[0])
            attribute(w, "first_activation_cycle", first);
        if (end[0])
            attribute(w, "end_cycle", end);
        attribute(w, "reason", r->reason);
        xmlTextWriterEndElement(w);
    }
}

static void write_row(xmlTextWriterPtr w, const struct fsim_campaign *c, const struct rows *rows,
                      int i, int n)
{
    struct sm_structure s;
    struct fsim_counts k = count(c, &rows->row[i], -1);
    sm_structure_get(c[0].img, c[0].list.fault[0].cell.structure, &s);
    bool is_job = i < n;
    xmlTextWriterStartElement(w, BAD_CAST(is_job ? "job" : "union"));
    if (is_job) {
        attribute(w, "name", rows->row[i].name);
        attribute_number(w, "cycles", (long)c[i].golden->cycles);
        attribute_number(w, "instructions", (long)c[i].golden->instructions);
    }
    write_counts(w, &k);
    for (int f = 0; f < s.nfields; f++) {
        k = count(c, &rows->row[i], f);
        xmlTextWriterStartElement(w, BAD_CAST "field");
        attribute(w, "name", s.field[f].name);
        write_counts(w, &k);
        xmlTextWriterEndElement(w);
    }
    if (is_job)
        write_faults(w, &c[i]);
    xmlTextWriterEndElement(w);
}

int report_xml(const struct fsim_campaign *c, int n, const char *target, const char *model,
               struct fl_buf *out, struct fl_err *err)
{
    struct rows rows = make_rows(c, n);
    xmlBufferPtr b = xmlBufferCreate();
    xmlTextWriterPtr w = b ? xmlNewTextWriterMemory(b, 0) : NULL;
    if (!w) {
        free_rows(&rows);
        xmlBufferFree(b);
        return fl_fail(err, "libxml2 cannot make a writer");
    }
    xmlTextWriterSetIndent(w, 1);
    xmlTextWriterStartDocument(w, NULL, "UTF-8", NULL);
    xmlTextWriterStartElement(w, BAD_CAST "report");
    attribute(w, "target", target);
    attribute(w, "model", model);
    attribute(w, "engine", c[0].engine);
    attribute(w, "profile", c[0].img->profile.name);
    attribute(w, "detect_timing", c[0].detect_timing ? "true" : "false");
    for (int i = 0; i < rows.n; i++)
        write_row(w, c, &rows, i, n);
    xmlTextWriterEndElement(w);
    xmlTextWriterEndDocument(w);
    xmlFreeTextWriter(w);
    fl_buf_add(out, b->content, b->use);
    xmlBufferFree(b);
    free_rows(&rows);
    return 0;
}
