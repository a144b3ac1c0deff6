/* coverage.c -- what became of permanent faults, counted from the list that a store keeps; as a table
 * and as CSV. See coverage.h. */
#include "coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "faultsim/result/csv.h"
#include "faultsim/result/made.h"
#include "lines.h"
#include "page.h"
#include "caches.h"
#include "wrong.h"

enum { EVERYTHING = 0 };

static double percent(long part, long whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

static struct estimate_found found(const char *target, const char *field,
                                   const struct fsim_counts *k)
{
    return (struct estimate_found){target, field, (uint64_t)k->detected,
                                   (uint64_t)(k->faults - k->untestable)};
}

/* The same figures, to the last digit, whether all of them were drawn or there was no draw. */
static struct coverage_share share_of(const struct fsim_counts *k, const struct estimate *e)
{
    double fc = percent(k->detected, k->faults),
           testable = percent(k->detected, k->faults - k->untestable);
    if (!e->drawn || e->faults == (uint64_t)k->faults)
        return (struct coverage_share){
            (uint64_t)k->faults, (uint64_t)k->untestable, fc, fc, fc, testable, testable, testable};
    double all = 100 * estimate_of_all(e, 1);
    return (struct coverage_share){e->faults,      e->untestable,  all * e->share, all * e->at.lo,
                                   all * e->at.hi, 100 * e->share, 100 * e->at.lo, 100 * e->at.hi};
}

/* The strongest that is known of a fault over all jobs so far. */
struct strongest {
    uint8_t outcome;
    bool seen, untestable, acts;
    int slice;
};

struct counting {
    struct coverage *c;
    struct coverage_row *row;
    int *slice_of;          /* [parts]: its target's */
    struct strongest *best; /* [places], or NULL: there is no union */
    uint64_t places;
    const char *wrong; /* what the store lacks */
};

static int first_with(const struct result *r, int part)
{
    int first = 0;
    while (strcmp(r->part[first].target, r->part[part].target) != 0)
        first++;
    return first;
}

static void add_slice(struct coverage *c, const char *name, int part, int field)
{
    c->slice = fl_grow(c->slice, (size_t)c->slices + 1, sizeof *c->slice);
    c->slice[c->slices++] = (struct coverage_slice){fl_strdup(name), part, field};
}

/* Targets in the order of the parts; their fields in that of the structure. */
static void make_slices(struct coverage *c, int *slice_of)
{
    const struct result *r = c->a->result;
    add_slice(c, "all", -1, -1);
    for (int p = 0; p < r->nparts; p++) {
        const char *field[SM_MAX_FIELDS];
        int first = first_with(r, p), structure = sm_structure_find(NULL, r->part[p].target);
        slice_of[p] = first < p ? slice_of[first] : c->slices;
        if (first < p)
            continue;
        add_slice(c, r->part[p].target, p, -1);
        c->targets++;
        int n = structure < 0 ? 0 : sm_structure_letters(structure, false, field);
        for (int f = 0; f < n; f++)
            add_slice(c, field[f], p, f);
    }
}

int coverage_slice(const struct coverage *c, const char *target)
{
    int s = 0;
    while (target && (c->slice[s].part < 0 || c->slice[s].field >= 0 ||
                      strcmp(c->a->result->part[c->slice[s].part].target, target) != 0))
        s++;
    return s;
}

static int count_fault(void *context, int part, const struct store_injection *i)
{
    struct counting *k = context;
    struct coverage *c = k->c;
    struct fsim_result r = fsim_result_kept(i);
    int structure, field, slice = k->slice_of[part];
    if (i->untestable == STORE_UNKNOWN) {
        k->wrong = "which of its faults are untestable";
        return 1;
    }
    fsim_counts_add(&k->row->of[EVERYTHING], &r, c->timing);
    fsim_counts_add(&k->row->of[slice], &r, c->timing);
    if (fsim_id_field(i->id, &structure, &field)) {
        slice += 1 + field;
        if (slice < c->slices && c->slice[slice].field == field)
            fsim_counts_add(&k->row->of[slice], &r, c->timing);
        if (structure == SM_S_dstack && strncmp(i->id, "dstack/w0/", 10) != 0)
            c->first_stack = false;
    }
    if (!k->best)
        return 0;
    if (i->place < 1 || i->place > k->places) {
        k->wrong = "which of its faults are the same in several jobs";
        return 1;
    }
    struct strongest *b = &k->best[i->place - 1];
    struct fsim_result there = {.outcome = (enum fsim_outcome)b->outcome,
                                .first_activation = b->acts ? 0 : FSIM_NEVER};
    if (!b->seen || fsim_stronger(&r, &there))
        *b = (struct strongest){(uint8_t)r.outcome, true, r.untestable,
                                r.first_activation != FSIM_NEVER, slice};
    return 0;
}

static uint64_t faults_of(const struct result *r, int job)
{
    uint64_t n = 0;
    for (int p = 0; p < r->nparts; p++)
        n += r->part[p].job == job ? r->part[p].flips : 0;
    return n;
}

static bool one_list(const struct result *r)
{
    for (int j = 1; j < r->njobs; j++)
        /* earlier versions joined jobs of different machines */
        if (faults_of(r, j) != faults_of(r, 0) || !result_same_machine(&r->job[j], &r->job[0]))
            return false;
    return r->njobs > 1;
}

static struct coverage_row *add_row(struct coverage *c, const char *name, int job)
{
    c->row[c->rows] = (struct coverage_row){
        name, job, fl_alloc((size_t)c->slices * sizeof(struct fsim_counts)),
        fl_alloc((size_t)c->slices * sizeof(struct coverage_share))};
    return &c->row[c->rows++];
}

static void count_union(struct counting *k)
{
    struct coverage *c = k->c;
    struct coverage_row *row = add_row(c, "union", -1);
    for (uint64_t i = 0; i < k->places; i++) {
        const struct strongest *b = &k->best[i];
        struct fsim_result r = {.outcome = (enum fsim_outcome)b->outcome,
                                .untestable = b->untestable,
                                .first_activation = b->acts ? 0 : FSIM_NEVER};
        int target = b->slice;
        while (target > 0 && c->slice[target].field >= 0)
            target--;
        fsim_counts_add(&row->of[EVERYTHING], &r, c->timing);
        fsim_counts_add(&row->of[target], &r, c->timing);
        if (b->slice != target)
            fsim_counts_add(&row->of[b->slice], &r, c->timing);
    }
}

/* From what was counted to all that it was drawn from. */
static void estimate_row(const struct coverage *c, struct coverage_row *row)
{
    const struct result *r = c->a->result;
    struct estimate_found *target = fl_alloc((size_t)c->slices * sizeof *target);
    int n = 0;
    for (int s = 1; s < c->slices; s++) {
        const struct coverage_slice *of = &c->slice[s];
        struct estimate_found f = found(r->part[of->part].target, of->field < 0 ? NULL : of->name,
                                        &row->of[s]);
        struct estimate e = estimate_of(r, &f);
        row->share[s] = share_of(&row->of[s], &e);
        if (of->field < 0 && row->of[s].faults)
            target[n++] = f;
    }
    struct estimate sum = estimate_sum(r, target, n);
    row->share[EVERYTHING] = share_of(&row->of[EVERYTHING], &sum);
    free(target);
}

static int count_all(struct counting *k, struct fl_err *err)
{
    struct coverage *c = k->c;
    const struct result *r = c->a->result;
    for (int j = 0; j < r->njobs; j++) {
        k->row = add_row(c, r->job[j].name, j);
        if (store_list(c->a->store, j, count_fault, k, err) != 0)
            return -1;
        if (k->wrong)
            return fl_fail(
                err,
                "%s: was kept by an earlier version of faultsim, which did not say %s; resume the "
                "campaign with its jobs, --store %s and --resume, which adds it without a new run",
                store_name(c->a->store), k->wrong, store_name(c->a->store));
        if ((uint64_t)k->row->of[EVERYTHING].faults != faults_of(r, j))
            return fl_fail(
                err, "%s: does not keep each fault of %s; start the campaign again in another file",
                store_name(c->a->store), r->job[j].name);
    }
    if (k->best)
        count_union(k);
    for (int i = 0; i < c->rows; i++)
        estimate_row(c, &c->row[i]);
    return 0;
}

/* dstack without a warp is the stack of warp slot 0 alone. */
static void name_stacks(struct coverage *c)
{
    for (int i = 0; i < c->slices; i++)
        if (c->slice[i].field < 0 && strcmp(c->slice[i].name, "dstack") == 0) {
            free(c->slice[i].name);
            c->slice[i].name = fl_strdup(c->first_stack ? "dstack/w0" : "dstack/w*");
        }
}

int coverage_open(const struct avf_report *a, struct coverage *c, struct fl_err *err)
{
    const struct result *r = a->result;
    *c = (struct coverage){.a = a,
                           .target = result_targets(r),
                           .timing = made_says(a->made, "detect-timing"),
                           .sampled = r->npopulations > 0,
                           .classified = result_model(r)->classified,
                           .first_stack = true,
                           .row = fl_alloc((size_t)(r->njobs + 1) * sizeof *c->row)};
    struct counting k = {.c = c, .slice_of = fl_alloc((size_t)r->nparts * sizeof(int))};
    if (one_list(r)) {
        k.places = faults_of(r, 0);
        k.best = fl_alloc(k.places * sizeof *k.best);
    }
    make_slices(c, k.slice_of);
    int bad = count_all(&k, err);
    name_stacks(c);
    free(k.slice_of);
    free(k.best);
    if (bad)
        coverage_close(c);
    return bad;
}

void coverage_close(struct coverage *c)
{
    for (int i = 0; i < c->slices; i++)
        free(c->slice[i].name);
    for (int i = 0; i < c->rows; i++) {
        free(c->row[i].of);
        free(c->row[i].share);
    }
    free(c->slice);
    free(c->row);
    free(c->target);
    *c = (struct coverage){0};
}

char *coverage_size(const struct coverage *c, int n)
{
    static const struct {
        const char *bytes, *job, *what;
    } memory[] = {{"local-bytes", "local-job", "Local memory of an SM"},
                  {"const-bytes", "const-job", "Constant memory"}};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        uint64_t job = made_number(c->a->made, memory[i].job);
        if (job < 1 || job > (uint64_t)c->a->result->njobs || n-- > 0)
            continue;
        return fl_format(
            "%s has the %llu bytes of %s, the largest; other jobs detect no fault of what "
            "they do not have",
            memory[i].what, (unsigned long long)made_number(c->a->made, memory[i].bytes),
            c->a->result->job[job - 1].name);
    }
    return NULL;
}

/* ---- for people ------------------------------------------------------------------------------ */

static void print_head(const struct coverage *c, struct fl_buf *out)
{
    const struct result *r = c->a->result;
    const struct fsim_counts *k = &c->row[0].of[EVERYTHING];
    const struct coverage_share *all = &c->row[0].share[EVERYTHING];
    struct fl_buf said = {0};
    fl_buf_printf(&said, "%s faults in %s", result_model(r)->name, c->target);
    if (strcmp(c->target, "dstack") == 0 && c->first_stack)
        fl_buf_printf(&said, " of warp slot 0 of %d", r->job[0].warps);
    fl_buf_printf(&said, ", profile %s: ", r->job[0].profile);
    if (c->sampled)
        fl_buf_printf(&said, "a sample of %ld of %llu faults", k->faults,
                      (unsigned long long)all->population);
    else
        fl_buf_printf(&said, "%ld fault%s", k->faults, k->faults == 1 ? "" : "s");
    if (!c->classified)
        fl_buf_printf(&said, ", not classified as testable or untestable");
    else if (c->sampled)
        fl_buf_printf(&said, "; %llu of the %llu are untestable",
                      (unsigned long long)all->untestable, (unsigned long long)all->population);
    else
        fl_buf_printf(&said, ", %ld of them untestable", k->untestable);
    fl_wrap(out, "%s", (char *)said.data);
    fl_buf_free(&said);
}

/* "85.40-89.03", of testable faults; "" where no faults were drawn. */
static void interval(const struct coverage *c, const struct coverage_share *s, char text[32])
{
    snprintf(text, 32, "%s", "");
    if (c->sampled)
        snprintf(text, 32, "%.2f-%.2f", s->lo, s->hi);
}

/* Of a row, or the heads where that is NULL. */
static void outcome_columns(const struct coverage *c, const struct fsim_counts *k, bool optional,
                            struct fl_table *t)
{
    for (int i = 0; i < OUT_COUNT; i++) {
        enum fsim_outcome o = avf_column(i);
        if (fsim_outcome_optional(o) != optional || !avf_shows(c->a, o))
            continue;
        if (k)
            fl_table_cell(t, "%ld", k->by_outcome[o]);
        else
            fl_table_column(t, '?', fsim_outcome_name(o));
    }
}

static void print_outcomes(const struct coverage *c, struct fl_buf *out)
{
    struct fl_table t = {0};
    fl_table_columns(&t, "*job");
    outcome_columns(c, NULL, false, &t);
    fl_table_columns(&t, "?not activated|coverage %|testable %|interval");
    outcome_columns(c, NULL, true, &t);
    for (int i = 0; i < c->rows; i++) {
        const struct fsim_counts *k = &c->row[i].of[EVERYTHING];
        const struct coverage_share *share = &c->row[i].share[EVERYTHING];
        char at[32];
        fl_table_cell(&t, "%s", c->row[i].name);
        outcome_columns(c, k, false, &t);
        fl_table_cell(&t, "%ld", k->not_activated);
        fl_table_cell(&t, "%.2f", share->fc);
        if (c->classified)
            fl_table_cell(&t, "%.2f", share->testable);
        else
            fl_table_cell(&t, "-");
        interval(c, share, at);
        fl_table_cell(&t, "%s", at);
        outcome_columns(c, k, true, &t);
    }
    fl_table_print(&t, out);
}

/* A netlist has none. */
static bool has_fields(const struct coverage *c)
{
    for (int s = 0; s < c->slices; s++)
        if (c->slice[s].field >= 0)
            return true;
    return false;
}

/* A column for each field of the only target, whose names are shown in capitals. */
static void print_fields(const struct coverage *c, const char *what, struct fl_buf *out)
{
    struct fl_table t = {0};
    fl_table_title(&t, "%s by field, detected of %sfaults%s:", what,
                   c->classified ? "testable " : "", c->sampled ? ", with its interval" : "");
    fl_table_columns(&t, "*job");
    for (int s = 0; s < c->slices; s++) {
        char *name = fl_strdup(c->slice[s].name);
        for (char *at = name; *at; at++)
            *at = (char)(*at - ('a' <= *at && *at <= 'z' ? 32 : 0));
        if (c->slice[s].field >= 0)
            fl_table_column(&t, ' ', name);
        free(name);
    }
    for (int i = 0; i < c->rows; i++) {
        fl_table_cell(&t, "%s", c->row[i].name);
        for (int s = 0; s < c->slices; s++) {
            const struct fsim_counts *k = &c->row[i].of[s];
            char at[32];
            interval(c, &c->row[i].share[s], at);
            if (c->slice[s].field >= 0 && !k->faults)
                fl_table_cell(&t, "-");
            else if (c->slice[s].field >= 0)
                fl_table_cell(&t, "%ld of %ld %6.2f %%%*s", k->detected, k->faults - k->untestable,
                              c->row[i].share[s].testable, c->sampled ? 13 : 0, at);
        }
    }
    fl_table_print(&t, out);
}

/* A row for each target, a column for each job. */
static void print_targets(const struct coverage *c, const char *what, struct fl_buf *out)
{
    struct fl_table t = {0};
    fl_table_title(&t, "%s by %s (percent%s):", what, result_model(c->a->result)->of,
                   c->sampled ? ", with its interval" : "");
    fl_table_column(&t, '*', result_model(c->a->result)->of);
    fl_table_columns(&t, "faults|drawn of|?untestable");
    for (int i = 0; i < c->rows; i++)
        fl_table_column(&t, ' ', c->row[i].name);
    for (int s = 0; s < c->slices; s++) {
        const struct coverage_share *first = &c->row[0].share[s];
        if (s == EVERYTHING || c->slice[s].field >= 0 || !c->row[0].of[s].faults)
            continue;
        fl_table_cell(&t, "%s", c->slice[s].name);
        fl_table_cell(&t, "%ld", c->row[0].of[s].faults);
        if (c->sampled)
            fl_table_cell(&t, "%llu", (unsigned long long)first->population);
        else
            fl_table_cell(&t, "-");
        fl_table_cell(&t, "%llu", c->classified ? (unsigned long long)first->untestable : 0);
        for (int i = 0; i < c->rows; i++) {
            char at[32];
            interval(c, &c->row[i].share[s], at);
            fl_table_cell(&t, "%.2f%*s", c->row[i].share[s].testable, c->sampled ? 13 : 0, at);
        }
    }
    fl_table_print(&t, out);
}

/* What the figures of jobs are of, where they did not simulate all faults. */
static void print_dropped(const struct coverage *c, struct fl_buf *out)
{
    if (made_says(c->a->made, "drop"))
        fl_wrap(out, "\nA job does not simulate dropped faults: an earlier one has detected them. "
                     "The coverage of a job is the share of all faults that it is the first to "
                     "detect; that of the union counts all.");
}

static void print_sizes(const struct coverage *c, struct fl_buf *out)
{
    char *text;
    for (int n = 0; (text = coverage_size(c, n)); n++) {
        fl_wrap(out, "%s%s.", n ? "" : "\n", text);
        free(text);
    }
}

static void print_runs(const struct result *r, struct fl_buf *out)
{
    struct fl_table t = {0};
    fl_table_columns(&t, "*fault-free|cycles|?instructions");
    for (int j = 0; j < r->njobs; j++) {
        fl_table_cell(&t, "%s", r->job[j].name);
        fl_table_cell(&t, "%llu", (unsigned long long)result_cycles(&r->job[j]));
        fl_table_cell(&t, "%llu", (unsigned long long)r->job[j].instructions);
    }
    fl_table_print(&t, out);
    avf_notes(r, out);
}

int coverage_table(const struct avf_report *a, struct fl_buf *out, struct fl_err *err)
{
    const struct result *r = a->result;
    struct coverage c;
    if (coverage_open(a, &c, err) != 0)
        return -1;
    const char *what = c.classified ? "Testable coverage" : "Coverage";
    print_head(&c, out);
    print_outcomes(&c, out);
    print_dropped(&c, out);
    print_sizes(&c, out);
    if (c.targets > 1)
        print_targets(&c, what, out);
    else if (has_fields(&c))
        print_fields(&c, what, out);
    wrong_print(r, out);
    caches_print(r, out);
    for (int i = 0; i < r->nparts; i++)
        lines_print(&r->job[r->part[i].job], &r->part[i], c.sampled,
                    "faults that fail, by the line of the source that first meets them", out);
    print_runs(r, out);
    coverage_close(&c);
    return 0;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* Columns of outcomes, or their names where `k` is NULL. */
static void csv_outcomes(const struct coverage *c, const struct fsim_counts *k, bool optional,
                         struct fl_buf *out)
{
    for (int i = 0; i < PAGE_OUTCOMES; i++) {
        enum fsim_outcome o = page_outcome_at(i)->outcome;
        if (fsim_outcome_optional(o) != optional || !avf_shows(c->a, o) || coverage_counts(o))
            continue;
        if (k)
            fl_buf_printf(out, ",%ld", k->by_outcome[o]);
        else
            fl_buf_printf(out, ",%s", fsim_outcome_name(o));
    }
}

static void csv_row(const struct coverage *c, const struct coverage_row *row, int slice,
                    struct fl_buf *out)
{
    const struct fsim_counts *k = &row->of[slice];
    const struct coverage_share *share = &row->share[slice];
    csv_text(row->name, out);
    fl_buf_printf(out, ",");
    csv_text(slice == EVERYTHING ? c->target : c->slice[slice].name, out);
    fl_buf_printf(out, ",%s,%s,%ld,%ld,%ld", result_model(c->a->result)->name,
                  c->a->result->part[0].engine, k->faults, k->untestable, k->detected);
    csv_outcomes(c, k, false, out);
    fl_buf_printf(out, ",%ld,%ld,%.2f,%.2f", k->by_outcome[OUT_MASKED], k->not_activated, share->fc,
                  share->testable);
    csv_outcomes(c, k, true, out);
    if (c->sampled)
        fl_buf_printf(out, ",%llu,%llu,%.2f,%.2f,%.2f,%.2f", (unsigned long long)share->population,
                      (unsigned long long)share->untestable, share->fc_lo, share->fc_hi, share->lo,
                      share->hi);
    fl_buf_printf(out, "\n");
}

int coverage_csv(const struct avf_report *a, struct fl_buf *out, struct fl_err *err)
{
    struct coverage c;
    if (coverage_open(a, &c, err) != 0)
        return -1;
    made_csv(a->made, a->result->job, a->result->njobs, out);
    fl_buf_printf(out, "job,target,model,engine,faults,untestable,detected");
    csv_outcomes(&c, NULL, false, out);
    fl_buf_printf(out, ",masked,not_activated,fc_pct,testable_fc_pct");
    csv_outcomes(&c, NULL, true, out);
    fl_buf_printf(out, "%s\n",
                  c.sampled ? ",population,population_untestable,fc_pct_lo,fc_pct_hi,"
                              "testable_fc_pct_lo,testable_fc_pct_hi"
                            : "");
    for (int i = 0; i < c.rows; i++) {
        csv_row(&c, &c.row[i], EVERYTHING, out);
        for (int s = 1; s < c.slices && c.targets > 1; s++)
            if (c.slice[s].field < 0)
                csv_row(&c, &c.row[i], s, out);
    }
    coverage_close(&c);
    return 0;
}

struct lines {
    const struct coverage *c;
    const char *job;
    struct fl_buf *out;
};

static int csv_fault(void *context, int part, const struct store_injection *i)
{
    struct lines *l = context;
    struct fsim_result r = fsim_result_kept(i);
    (void)part;
    csv_text(l->job, l->out);
    fl_buf_printf(l->out, ",");
    wrong_csv(i, fsim_class(&r, l->c->timing), l->out);
    return 0;
}

int coverage_csv_faults(const struct avf_report *a, struct fl_buf *out, struct fl_err *err)
{
    const struct result *r = a->result;
    struct coverage c; /* also: is all known that a line says? */
    int bad = 0;
    if (coverage_open(a, &c, err) != 0)
        return -1;
    char *made = made_without(a->made, "exhaustive");
    made_csv(made, r->job, r->njobs, out);
    free(made);
    fl_buf_printf(out, "job," WRONG_CSV("class,"));
    for (int j = 0; j < r->njobs && !bad; j++) {
        struct lines l = {&c, r->job[j].name, out};
        bad = store_list(a->store, j, csv_fault, &l, err);
    }
    coverage_close(&c);
    return bad;
}
