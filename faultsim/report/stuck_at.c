/* stuck_at.c -- prints campaigns: table, CSV, XML. */
#include "stuck_at.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faultsim/permanent/made_stuck_at.h"
#include "wrong.h"

enum { FEW_FIELDS = 10 };

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

/* What rows are split by: the fields of the only structure, or the structures. */
struct slice {
    int structure, field;
    char name[24];
};
struct slices {
    int n;
    struct slice slice[SM_MAX_FIELDS]; /* there are fewer structures */
};

/* dstack without a warp is the stack of warp slot 0 alone. */
static bool first_stack(const struct fsim_campaign *c)
{
    for (long i = 0; i < c->list.count; i++)
        if (c->list.fault[i].cell.structure == SM_S_dstack && c->list.fault[i].cell.index[0])
            return false;
    return true;
}

static struct slices fields_of(const struct fsim_campaign *c, int structure)
{
    struct slices k = {0};
    struct sm_structure s;
    sm_structure_get(c->img, structure, &s);
    for (; k.n < s.nfields; k.n++) {
        k.slice[k.n] = (struct slice){.structure = structure, .field = k.n};
        snprintf(k.slice[k.n].name, sizeof k.slice[k.n].name, "%s", s.field[k.n].name);
    }
    return k;
}

static struct slices structures_of(const struct fsim_campaign *c)
{
    struct slices k = {0};
    int structure[SM_ALL_STRUCTURES];
    k.n = fsim_list_structures(&c->list, structure);
    for (int i = 0; i < k.n; i++) {
        bool stack = structure[i] == SM_S_dstack;
        k.slice[i] = (struct slice){.structure = structure[i], .field = -1};
        snprintf(k.slice[i].name, sizeof k.slice[i].name, "%s%s",
                 sm_structure_name(structure[i], NULL),
                 !stack           ? ""
                 : first_stack(c) ? "/w0"
                                  : "/w*");
    }
    return k;
}

static const struct slice everything = {-1, -1, "all"};

static struct fsim_counts count(const struct fsim_campaign *c, const struct row *r,
                                const struct slice *s)
{
    struct fsim_counts k;
    fsim_count(&c[0].list, r->result, c[0].detect_timing, s->structure, s->field, &k);
    return k;
}

/* ---- for people ------------------------------------------------------------------------------ */

/* Of the longest name; two jobs never look alike. */
static int name_width(const struct rows *rows)
{
    size_t n = strlen("union");
    for (int i = 0; i < rows->n; i++)
        n = strlen(rows->row[i].name) > n ? strlen(rows->row[i].name) : n;
    return (int)n;
}

static void print_which(const struct fsim_campaign *c, const char *target, struct fl_buf *out)
{
    if (strcmp(target, "dstack") == 0 && first_stack(c))
        fl_buf_printf(out, " of warp slot 0 of %d", c->img->profile.warps);
}

static bool some_tolerable(const struct fsim_campaign *c, int n)
{
    for (int i = 0; i < n; i++)
        for (long f = 0; f < c[i].list.count; f++)
            if (c[i].result[f].outcome == OUT_TOLERABLE)
                return true;
    return false;
}

/* A column for each field. */
static void print_fields(const struct fsim_campaign *c, const struct rows *rows, struct slices k,
                         struct fl_buf *out)
{
    int width = name_width(rows);
    fl_buf_printf(out, "\nTestable coverage by field, detected of testable faults:\n%-*s", width,
                  "");
    for (int f = 0; f < k.n; f++) {
        for (char *p = k.slice[f].name; *p; p++)
            *p = (char)(*p - ('a' <= *p && *p <= 'z' ? 32 : 0));
        fl_buf_printf(out, " %22s", k.slice[f].name);
    }
    fl_buf_printf(out, "\n");
    for (int i = 0; i < rows->n; i++) {
        fl_buf_printf(out, "%-*s", width, rows->row[i].name);
        for (int f = 0; f < k.n; f++) {
            struct fsim_counts n = count(c, &rows->row[i], &k.slice[f]);
            long testable = n.faults - n.untestable;
            fl_buf_printf(out, " %5ld of %5ld %6.2f %%", n.detected, testable,
                          percent(n.detected, testable));
        }
        fl_buf_printf(out, "\n");
    }
}

/* A row for each structure or field, a column for each job. */
static void print_slices(const struct fsim_campaign *c, const struct rows *rows,
                         const struct slices *k, const char *what, struct fl_buf *out)
{
    int first = 10;
    for (int s = 0; s < k->n; s++)
        first = (int)strlen(k->slice[s].name) > first ? (int)strlen(k->slice[s].name) : first;
    fl_buf_printf(out, "\nTestable coverage by %s:\n%-*s %8s %10s", what, first, what, "faults",
                  "untestable");
    for (int i = 0; i < rows->n; i++)
        fl_buf_printf(out, " %10s", rows->row[i].name);
    fl_buf_printf(out, "\n");
    for (int s = 0; s < k->n; s++) {
        for (int i = 0; i < rows->n; i++) {
            struct fsim_counts n = count(c, &rows->row[i], &k->slice[s]);
            int width = (int)strlen(rows->row[i].name) > 10 ? (int)strlen(rows->row[i].name) : 10;
            if (i == 0)
                fl_buf_printf(out, "%-*s %8ld %10ld", first, k->slice[s].name, n.faults,
                              n.untestable);
            fl_buf_printf(out, " %*.2f %%", width - 2,
                          percent(n.detected, n.faults - n.untestable));
        }
        fl_buf_printf(out, "\n");
    }
}

static void print_wrong(const struct fsim_campaign *c, int n, const char *target,
                        struct fl_buf *out)
{
    bool head = false;
    for (int i = 0; i < n; i++) {
        struct tally t = {0};
        for (long f = 0; f < c[i].list.count; f++)
            if (c[i].result[f].outcome == OUT_SDC)
                tally_wrong(&t, c[i].result[f].elements, c[i].result[f].by, 1);
        wrong_row(c[i].job_name, target, &t, &head, out);
    }
}

void report_table(const struct fsim_campaign *c, int n, const char *target, const char *model,
                  struct fl_buf *out)
{
    struct rows rows = make_rows(c, n);
    struct fsim_counts first = count(c, &rows.row[0], &everything);
    int width = name_width(&rows);
    bool tolerable = some_tolerable(c, n);
    fl_buf_printf(out, "%s faults in %s", model, target);
    print_which(&c[0], target, out);
    fl_buf_printf(out, ", profile %s: %ld faults, %ld of them untestable\n\n",
                  c[0].img->profile.name, first.faults, first.untestable);
    fl_buf_printf(out, "%-*s %6s %6s %6s %7s %11s %6s %13s %9s %9s%s\n", width, "job", "sdc",
                  "crash", "hang", "timeout", "performance", "masked", "not activated", "coverage",
                  "testable", tolerable ? " tolerable" : "");
    for (int i = 0; i < rows.n; i++) {
        struct fsim_counts k = count(c, &rows.row[i], &everything);
        fl_buf_printf(out, "%-*s %6ld %6ld %6ld %7ld %11ld %6ld %13ld %7.2f %% %7.2f %%", width,
                      rows.row[i].name, k.by_outcome[OUT_SDC], k.by_outcome[OUT_CRASH],
                      k.by_outcome[OUT_HANG], k.by_outcome[OUT_TIMEOUT],
                      k.by_outcome[OUT_PERFORMANCE], k.by_outcome[OUT_MASKED], k.not_activated,
                      percent(k.detected, k.faults), percent(k.detected, k.faults - k.untestable));
        if (tolerable)
            fl_buf_printf(out, " %9ld", k.by_outcome[OUT_TOLERABLE]);
        fl_buf_printf(out, "\n");
    }
    struct slices parts = structures_of(c), fields = fields_of(c, parts.slice[0].structure);
    if (parts.n > 1)
        print_slices(c, &rows, &parts, "structure", out);
    else if (fields.n > FEW_FIELDS)
        print_slices(c, &rows, &fields, "register", out);
    else
        print_fields(c, &rows, fields, out);
    print_wrong(c, n, target, out);
    fl_buf_printf(out, "\n%-*s %12s %12s %10s %12s %12s %9s\n", width, "how", "cycles",
                  "instructions", "runs", "simulated", "alone", "seconds");
    for (int i = 0; i < n; i++)
        fl_buf_printf(
            out, "%-*s %12llu %12llu %10llu %12llu %12llu %9.3f\n", width, c[i].job_name,
            (unsigned long long)c[i].golden->cycles, (unsigned long long)c[i].golden->instructions,
            (unsigned long long)c[i].stat.runs, (unsigned long long)c[i].stat.instructions,
            (unsigned long long)(c[i].stat.evaluated + c[i].stat.variants),
            c[i].golden_seconds + c[i].seconds);
    for (int i = 0; i < n; i++)
        if (made_note(c[i].img->job->noutputs))
            fl_buf_printf(out, "\n%s: %s.\n", c[i].job_name, made_note(c[i].img->job->noutputs));
    free_rows(&rows);
}

/* ---- CSV ------------------------------------------------------------------------------------- */

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

void report_csv_head(bool tolerable, struct fl_buf *out)
{
    fl_buf_printf(out,
                  "job,target,model,engine,faults,untestable,detected,sdc,crash,timeout,hang,"
                  "performance,masked,not_activated,fc_pct,testable_fc_pct%s\n",
                  tolerable ? ",tolerable" : "");
}

void report_csv_row(const char *job, const char *target, const char *model, const char *engine,
                    const struct fsim_counts *k, bool tolerable, struct fl_buf *out)
{
    report_csv_text(job, out);
    fl_buf_printf(out, ",");
    report_csv_text(target, out);
    fl_buf_printf(out, ",%s,%s,%ld,%ld,%ld,%ld,%ld,%ld,%ld,%ld,%ld,%ld,%.2f,%.2f", model, engine,
                  k->faults, k->untestable, k->detected, k->by_outcome[OUT_SDC],
                  k->by_outcome[OUT_CRASH], k->by_outcome[OUT_TIMEOUT], k->by_outcome[OUT_HANG],
                  k->by_outcome[OUT_PERFORMANCE], k->by_outcome[OUT_MASKED], k->not_activated,
                  percent(k->detected, k->faults), percent(k->detected, k->faults - k->untestable));
    if (tolerable)
        fl_buf_printf(out, ",%ld", k->by_outcome[OUT_TOLERABLE]);
    fl_buf_printf(out, "\n");
}

static void csv_row(const struct fsim_campaign *c, const struct row *row, const struct slice *of,
                    const char *target, const char *model, bool tolerable, struct fl_buf *out)
{
    struct fsim_counts k = count(c, row, of);
    report_csv_row(row->name, target, model, c[0].engine, &k, tolerable, out);
}

void report_csv(const struct fsim_campaign *c, int n, const char *target, const char *model,
                struct fl_buf *out)
{
    struct rows rows = make_rows(c, n);
    struct slices parts = structures_of(c);
    made_csv_stuck_at(c, n, out);
    bool tolerable = some_tolerable(c, n);
    report_csv_head(tolerable, out);
    for (int i = 0; i < rows.n; i++) {
        csv_row(c, &rows.row[i], &everything, target, model, tolerable, out);
        for (int k = 0; k < parts.n && parts.n > 1; k++)
            csv_row(c, &rows.row[i], &parts.slice[k], parts.slice[k].name, model, tolerable, out);
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
    made_csv_stuck_at(c, n, out);
    fl_buf_printf(out,
                  "job,id,outcome,class,first_activation_cycle,end_cycle,reason" WRONG_CSV "\n");
    for (int i = 0; i < n; i++) {
        for (long f = 0; f < c[i].list.count; f++) {
            const struct fsim_result *r = &c[i].result[f];
            char id[FSIM_ID], first[24], end[24];
            fsim_id(c[i].img, &c[i].list.fault[f], id);
            cycle_text(r->first_activation, first);
            cycle_text(r->end, end);
            report_csv_text(c[i].job_name, out);
            fl_buf_printf(out, ",%s,%s,%s,%s,%s,%s", id, fsim_outcome_name(r->outcome),
                          fsim_class(r, c[i].detect_timing), first, end, r->reason);
            wrong_csv(r->elements, r->by, out);
            fl_buf_printf(out, "\n");
        }
    }
}

/* ---- XML ------------------------------------------------------------------------------------- */

static void write_counts(xmlTextWriterPtr w, const struct fsim_counts *k)
{
    xml_out_count(w, "faults", (uint64_t)k->faults);
    xml_out_count(w, "untestable", (uint64_t)k->untestable);
    xml_out_count(w, "detected", (uint64_t)k->detected);
    for (int o = OUT_COUNT; o-- > 0;)
        if (o != OUT_TOLERABLE || k->by_outcome[o]) /* of jobs that state a tolerance */
            xml_out_count(w, fsim_outcome_name((enum fsim_outcome)o), (uint64_t)k->by_outcome[o]);
    xml_out_count(w, "not_activated", (uint64_t)k->not_activated);
    xml_out_hundredths(w, "fc_pct", percent(k->detected, k->faults));
    xml_out_hundredths(w, "testable_fc_pct", percent(k->detected, k->faults - k->untestable));
}

static void write_faults(xmlTextWriterPtr w, const struct fsim_campaign *c)
{
    for (long f = 0; f < c->list.count; f++) {
        const struct fsim_result *r = &c->result[f];
        char id[FSIM_ID], first[24], end[24];
        fsim_id(c->img, &c->list.fault[f], id);
        cycle_text(r->first_activation, first);
        cycle_text(r->end, end);
        xml_out_open(w, "fault");
        xml_out_text(w, "id", id);
        xml_out_text(w, "outcome", fsim_outcome_name(r->outcome));
        xml_out_text(w, "class", fsim_class(r, c->detect_timing));
        if (first[0])
            xml_out_text(w, "first_activation_cycle", first);
        if (end[0])
            xml_out_text(w, "end_cycle", end);
        xml_out_text(w, "reason", r->reason);
        wrong_attributes(w, r->elements, r->by);
        xml_out_close(w);
    }
}

static void write_slices(xmlTextWriterPtr w, const struct fsim_campaign *c, const struct row *row,
                         const struct slices *of, const char *element)
{
    for (int i = 0; i < of->n; i++) {
        struct fsim_counts k = count(c, row, &of->slice[i]);
        xml_out_open(w, element);
        xml_out_text(w, "name", of->slice[i].name);
        write_counts(w, &k);
        if (of->slice[i].field < 0) {
            struct slices fields = fields_of(c, of->slice[i].structure);
            write_slices(w, c, row, &fields, "field");
        }
        xml_out_close(w);
    }
}

static void write_row(xmlTextWriterPtr w, const struct fsim_campaign *c, const struct made *made,
                      const struct rows *rows, int i, int n)
{
    struct fsim_counts k = count(c, &rows->row[i], &everything);
    struct slices parts = structures_of(c);
    bool is_job = i < n, one = parts.n == 1;
    xml_out_open(w, is_job ? "job" : "union");
    if (is_job) {
        xml_out_text(w, "name", rows->row[i].name);
        made_xml_job(w, &made->job[i]);
        xml_out_count(w, "cycles", c[i].golden->cycles);
        xml_out_count(w, "instructions", c[i].golden->instructions);
    }
    write_counts(w, &k);
    if (one)
        parts = fields_of(c, parts.slice[0].structure);
    write_slices(w, c, &rows->row[i], &parts, one ? "field" : "structure");
    if (is_job)
        write_faults(w, &c[i]);
    xml_out_close(w);
}

int report_xml(const struct fsim_campaign *c, int n, const char *target, const char *model,
               struct fl_buf *out, struct fl_err *err)
{
    struct xml_out x;
    if (xml_out_begin(&x, "report", err) != 0)
        return -1;
    struct rows rows = make_rows(c, n);
    struct made made;
    made_stuck_at(c, n, "", &made);
    xml_out_text(x.w, "made", made.line);
    xml_out_text(x.w, "target", target);
    xml_out_text(x.w, "model", model);
    xml_out_text(x.w, "engine", c[0].engine);
    xml_out_text(x.w, "profile", c[0].img->profile.name);
    xml_out_text(x.w, "detect_timing", c[0].detect_timing ? "true" : "false");
    for (int i = 0; i < rows.n; i++)
        write_row(x.w, c, &made, &rows, i, n);
    xml_out_end(&x, out);
    made_free(&made);
    free_rows(&rows);
    return 0;
}
