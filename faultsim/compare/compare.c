/* compare.c -- see compare.h. */
#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faultsim/result/csv.h"
#include "faultsim/result/made.h"
#include "base/stats.h"
#include "base/table.h"

const char *const compare_test_name[] = {"exact",       "list",       "McNemar",
                                         "proportions", "stratified", "models"};

static const struct result *result_of(const struct compare *c, int side)
{
    return c->side[side]->result;
}

/* ---- may they be compared? -------------------------------------------------------------------- */

static int same_machine(const struct result_job *a, const struct result_job *b,
                        const char *const file[], struct fl_err *err)
{
    if (result_same_machine(a, b))
        return 0;
    return fl_fail(err,
                   "%s is of profile %s with %d SPs (%s), %s of profile %s with %d SPs (%s): "
                   "campaigns of different machines cannot be compared; run both on one (--on)",
                   file[COMPARE_A], a->profile, a->sps, a->name, file[COMPARE_B], b->profile,
                   b->sps, b->name);
}

static int job_of_name(const struct result *r, const char *name)
{
    for (int j = 0; j < r->njobs; j++)
        if (strcmp(r->job[j].name, name) == 0)
            return j;
    return -1;
}

/* The job of B that belongs to one of A: of the same name, where all have one, else of the same number. */
static int partner(const struct compare *c, int job)
{
    const struct result *a = result_of(c, COMPARE_A), *b = result_of(c, COMPARE_B);
    for (int j = 0; j < a->njobs; j++)
        if (job_of_name(b, a->job[j].name) < 0)
            return job;
    return job_of_name(b, a->job[job].name);
}

/* A part of a target that has outcomes, or -1. */
static int part_of(const struct result *r, int job, const char *target)
{
    for (int p = 0; p < r->nparts; p++)
        if (r->part[p].job == job && r->part[p].method != METHOD_ACE &&
            strcmp(r->part[p].target, target) == 0)
            return p;
    return -1;
}

static int same_targets(const struct compare *c, int from, const char *const file[],
                        struct fl_err *err)
{
    const struct result *r = result_of(c, from);
    int shared = 0;
    for (int p = 0; p < r->nparts; p++) {
        const struct result_part *part = &r->part[p];
        bool there = false;
        for (int j = 0; j < r->njobs; j++)
            there |= part_of(result_of(c, !from), j, part->target) >= 0;
        shared += there;
        if (!there && part->method != METHOD_ACE && !c->models)
            return fl_fail(err,
                           "%s has faults in %s, %s has none: different lists of faults cannot be "
                           "compared; run both with one --target",
                           file[from], part->target, file[!from]);
    }
    if (!shared)
        return fl_fail(err,
                       "%s and %s have no structure in common: give campaigns of the same "
                       "structures (--target)",
                       file[from], file[!from]);
    return 0;
}

static int may_compare(const struct compare *c, const char *const file[], struct fl_err *err)
{
    const struct result *a = result_of(c, COMPARE_A), *b = result_of(c, COMPARE_B);
    for (int side = 0; side < COMPARE_SIDES; side++)
        if (made_says(c->side[side]->made, "drop"))
            return fl_fail(err,
                           "%s was run with --drop: its jobs did not simulate the faults that an "
                           "earlier one detects, so they cannot be compared; run it without",
                           file[side]);
    if (a->njobs != b->njobs)
        return fl_fail(err, "%s has %d job%s, %s has %d: give campaigns of as many jobs",
                       file[COMPARE_A], a->njobs, a->njobs == 1 ? "" : "s", file[COMPARE_B],
                       b->njobs);
    for (int j = 0; j < a->njobs; j++)
        if (same_machine(&a->job[j], &b->job[partner(c, j)], file, err) != 0)
            return -1;
    return same_targets(c, COMPARE_A, file, err) != 0 || same_targets(c, COMPARE_B, file, err) != 0
               ? -1
               : 0;
}

/* ---- fault by fault ---------------------------------------------------------------------------- */

struct listed {
    char *id;
    bool fails, untestable;
};

struct listing {
    bool permanent, timing;
    struct listed *fault;
    int n, room;
};

static int list_fault(void *context, const struct store_injection *i)
{
    struct listing *l = context;
    bool fails = l->permanent ? fsim_outcome_detected(i->outcome, l->timing)
                              : fsim_outcome_fails(i->outcome);
    FL_ROOM(l->fault, l->n, l->room, 256);
    l->fault[l->n++] = (struct listed){fl_strdup(i->id), fails, i->untestable == 1};
    return 0;
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct listed *)a)->id, ((const struct listed *)b)->id);
}

/* Of a union: a fault that fails in any job fails. */
static void join_jobs(struct listing *l)
{
    int n = 0;
    for (int i = 0; i < l->n; i++)
        if (n && strcmp(l->fault[n - 1].id, l->fault[i].id) == 0) {
            l->fault[n - 1].fails |= l->fault[i].fails;
            free(l->fault[i].id);
        } else {
            l->fault[n++] = l->fault[i];
        }
    l->n = n;
}

/* All faults of a row that the store keeps, by their ids. */
static int list_of(const struct compare *c, int side, const struct compare_row *row,
                   struct listing *l, struct fl_err *err)
{
    const struct result *r = result_of(c, side);
    *l = (struct listing){.permanent = c->permanent[side],
                          .timing = c->permanent[side] && c->coverage[side].timing};
    for (int p = 0; p < r->nparts; p++) {
        const struct result_part *part = &r->part[p];
        if ((row->job[side] >= 0 && part->job != row->job[side]) || part->method == METHOD_ACE ||
            (row->target && strcmp(part->target, row->target) != 0))
            continue;
        if (store_injections(c->side[side]->store, p, list_fault, l, err) != 0)
            return -1;
    }
    qsort(l->fault, (size_t)l->n, sizeof *l->fault, by_id);
    if (row->job[side] < 0)
        join_jobs(l);
    return 0;
}

static void free_list(struct listing *l)
{
    for (int i = 0; i < l->n; i++)
        free(l->fault[i].id);
    free(l->fault);
}

/* The first fault that is in one list alone, or NULL. */
static const char *other_fault(const struct listing *a, const struct listing *b)
{
    for (int i = 0; i < a->n && i < b->n; i++) {
        int order = strcmp(a->fault[i].id, b->fault[i].id);
        if (order)
            return order < 0 ? a->fault[i].id : b->fault[i].id;
    }
    return a->n == b->n ? NULL : a->n > b->n ? a->fault[b->n].id : b->fault[a->n].id;
}

static void count_pairs(struct compare_row *row, const struct listing *l)
{
    row->paired = true;
    for (int i = 0; i < l[COMPARE_A].n; i++) {
        const struct listed *a = &l[COMPARE_A].fault[i], *b = &l[COMPARE_B].fault[i];
        row->alone[COMPARE_A] += a->fails && !b->fails;
        row->alone[COMPARE_B] += b->fails && !a->fails;
    }
}

/* ---- a row ------------------------------------------------------------------------------------- */

static void permanent_side(const struct compare *c, int side, struct compare_row *row)
{
    const struct coverage *v = &c->coverage[side];
    const struct coverage_row *from = &v->row[row->job[side] < 0 ? v->rows - 1 : row->job[side]];
    int slice = coverage_slice(v, row->target);
    const struct fsim_counts *k = &from->of[slice];
    const struct coverage_share *share = &from->share[slice];
    struct compare_side *to = &row->of[side];
    *to = (struct compare_side){.n = (uint64_t)(k->faults - k->untestable),
                                .share = share->testable,
                                .lo = share->lo,
                                .hi = share->hi};
    for (int o = 0; o < OUT_COUNT; o++)
        to->outcome[o] = (uint64_t)k->by_outcome[o];
    to->outcome[OUT_MASKED] += (uint64_t)k->not_activated;
}

static void transient_side(const struct compare *c, int side, struct compare_row *row)
{
    struct tally_row all;
    struct metrics m;
    struct compare_side *to = &row->of[side];
    avf_all(c->side[side], part_of(result_of(c, side), row->job[side], row->target), &all, &m);
    double failed = 100 * (double)tally_failed(&all.t) / (double)all.t.counted;
    bool owned = all.active_only;
    *to = (struct compare_side){.n = all.t.counted, .share = failed, .lo = failed, .hi = failed};
    if (all.method == METHOD_SAMPLE) {
        to->lo = 100 * (owned ? m.avf_util_lo : m.avf_lo);
        to->hi = 100 * (owned ? m.avf_util_hi : m.avf_hi);
    }
    memcpy(to->outcome, all.t.outcome, sizeof to->outcome);
}

/* Of n = a + b faults that fail in one campaign alone, as few or fewer in one of them: twice the tail of a fair coin. */
static double mcnemar(uint64_t a, uint64_t b)
{
    double n = (double)(a + b), p = 0;
    for (uint64_t i = 0; i <= (a < b ? a : b); i++)
        p += exp(lgamma(n + 1) - lgamma((double)i + 1) - lgamma(n - (double)i + 1) - n * log(2));
    return fmin(1, 2 * p);
}

static void test_pairs(const struct compare *c, struct compare_row *row)
{
    uint64_t a = row->alone[COMPARE_A], b = row->alone[COMPARE_B];
    double n = (double)row->of[COMPARE_A].n + 2, d = ((double)b - (double)a) / n;
    double half = stats_t(c->confidence) * sqrt(fmax((double)(a + b) + 1 - n * d * d, 0)) / n;
    row->p = mcnemar(a, b);
    row->lo = 100 * fmax(d - half, -1);
    row->hi = 100 * fmin(d + half, 1);
}

static void test_proportions(struct compare_row *row)
{
    const struct compare_side *a = &row->of[COMPARE_A], *b = &row->of[COMPARE_B];
    const struct stats_share share[] = {{1, b->share, {b->lo, b->hi}},
                                        {1, -a->share, {-a->hi, -a->lo}}};
    struct stats_interval at = stats_sum(share, 2);
    row->lo = at.lo;
    row->hi = at.hi;
    double na = (double)a->n, nb = (double)b->n;
    double pooled = (na * a->share + nb * b->share) / (na + nb) / 100;
    double error = sqrt(pooled * (1 - pooled) * (1 / na + 1 / nb));
    row->p = error > 0 ? erfc(fabs(row->difference) / 100 / error / sqrt(2)) : 1;
}

static enum compare_test test_of(const struct compare *c, int side, const struct compare_row *row)
{
    const struct result *r = result_of(c, side);
    if (c->models)
        return COMPARE_MODELS;
    if (c->permanent[side])
        return c->coverage[side].sampled ? COMPARE_MCNEMAR : COMPARE_EXACT;
    switch (r->part[part_of(r, row->job[side], row->target)].method) {
    case METHOD_SAMPLE: return COMPARE_MCNEMAR;
    case METHOD_LIST: return COMPARE_LIST;
    default: return COMPARE_EXACT;
    }
}

static bool same_population(const struct compare *c, const struct compare_row *row)
{
    uint64_t n[COMPARE_SIDES];
    for (int s = 0; s < COMPARE_SIDES; s++) {
        const struct result *r = result_of(c, s);
        if (c->permanent[s]) {
            const struct coverage *v = &c->coverage[s];
            n[s] = v->row[0].share[coverage_slice(v, row->target)].population;
        } else {
            struct tally_row all;
            struct metrics m;
            avf_all(c->side[s], part_of(r, row->job[s], row->target), &all, &m);
            n[s] = all.t.bits;
        }
    }
    return n[COMPARE_A] == n[COMPARE_B];
}

static const char *name_of(const struct compare_row *row)
{
    return row->target ? row->target : "all structures";
}

/* Lists that differ are no lists to compare, unless both were drawn of the same faults. */
static int read_pairs(const struct compare *c, struct compare_row *row, const char *const file[],
                      struct fl_err *err)
{
    struct listing l[COMPARE_SIDES] = {{0}, {0}};
    int bad = list_of(c, COMPARE_A, row, &l[COMPARE_A], err) != 0 ||
              list_of(c, COMPARE_B, row, &l[COMPARE_B], err) != 0;
    const char *other = bad ? NULL : other_fault(&l[COMPARE_A], &l[COMPARE_B]);
    bool drawn = row->test == COMPARE_MCNEMAR;
    if (!bad && !other && l[COMPARE_A].n)
        count_pairs(row, l);
    else if (!bad && other && !drawn)
        bad = fl_fail(err,
                      "%s and %s have different lists of faults: %s is in one of them alone; run "
                      "both with the same faults",
                      file[COMPARE_A], file[COMPARE_B], other);
    free_list(&l[COMPARE_A]);
    free_list(&l[COMPARE_B]);
    if (drawn && !row->paired)
        row->test = COMPARE_PROPORTIONS;
    return bad ? -1 : 0;
}

static int add_row(struct compare *c, int job, const char *target, const char *const file[],
                   struct fl_err *err)
{
    c->row = fl_grow(c->row, (size_t)c->rows + 1, sizeof *c->row);
    struct compare_row *row = &c->row[c->rows++];
    *row = (struct compare_row){.job = {job, job < 0 ? job : partner(c, job)},
                                .target = target,
                                .difference = (double)NAN,
                                .lo = (double)NAN,
                                .hi = (double)NAN,
                                .p = (double)NAN,
                                .holm = (double)NAN};
    row->test = test_of(c, COMPARE_A, row);
    if (row->test != test_of(c, COMPARE_B, row))
        return fl_fail(err,
                       "%s and %s have %s by different methods: compare samples with samples, "
                       "exact campaigns with exact ones",
                       file[COMPARE_A], file[COMPARE_B], name_of(row));
    if (!c->models && !same_population(c, row))
        return fl_fail(err,
                       "%s and %s have different numbers of faults in %s: different lists of "
                       "faults cannot be compared; run both with the same faults",
                       file[COMPARE_A], file[COMPARE_B], name_of(row));
    for (int s = 0; s < COMPARE_SIDES; s++)
        (c->permanent[s] ? permanent_side : transient_side)(c, s, row);
    if (c->models)
        return 0;
    row->difference = row->of[COMPARE_B].share - row->of[COMPARE_A].share;
    if (read_pairs(c, row, file, err) != 0)
        return -1;
    if (row->test == COMPARE_MCNEMAR)
        test_pairs(c, row);
    else if (row->test == COMPARE_PROPORTIONS)
        test_proportions(row);
    return 0;
}

/* All structures, of which each has a draw of its own: the differences of each, weighted with the faults that they stand for.
 * `row` is followed by those of the structures. Units of gates share a draw among their SPs: of all of them no test is known. */
static void stratify(const struct compare *c, struct compare_row *row, int targets)
{
    const struct coverage *v = &c->coverage[COMPARE_A];
    struct stats_share *share = fl_alloc((size_t)targets * sizeof *share);
    double all = 0;
    for (int t = 0; t < targets; t++) {
        const struct compare_row *of = &row[1 + t];
        const struct coverage_share *k = &v->row[0].share[coverage_slice(v, of->target)];
        share[t] = (struct stats_share){
            (double)(k->population - k->untestable), of->difference, {of->lo, of->hi}};
        all += share[t].weight;
    }
    struct stats_interval at = stats_sum(share, targets);
    bool by_target = result_model(result_of(c, COMPARE_A))->drawn == DRAWN_BY_TARGET;
    double error = (at.hi - at.lo) / 2 / stats_t(c->confidence);
    row->test = COMPARE_STRATIFIED;
    row->lo = by_target ? at.lo / all : (double)NAN;
    row->hi = by_target ? at.hi / all : (double)NAN;
    row->p = by_target ? erfc(fabs(row->difference * all) / error / sqrt(2)) : (double)NAN;
    free(share);
}

/* ---- all rows ---------------------------------------------------------------------------------- */

static int add_job(struct compare *c, int job, const char *const file[], struct fl_err *err)
{
    const struct result *r = result_of(c, COMPARE_A);
    int bad = 0, targets = 0;
    for (int p = 0; p < r->nparts; p++)
        targets += r->part[p].job == (job < 0 ? 0 : job) && r->part[p].method != METHOD_ACE;
    int first = c->rows;
    if (c->permanent[COMPARE_A] && c->permanent[COMPARE_B] && targets > 1)
        bad = add_row(c, job, NULL, file, err);
    for (int p = 0; p < r->nparts && !bad; p++)
        if (r->part[p].job == (job < 0 ? 0 : job) && r->part[p].method != METHOD_ACE) {
            const int other = job < 0 ? 0 : partner(c, job);
            if (part_of(result_of(c, COMPARE_B), other, r->part[p].target) >= 0)
                bad = add_row(c, job, r->part[p].target, file, err);
        }
    if (!bad && !c->models && !c->row[first].target && c->row[first].test != COMPARE_EXACT &&
        result_model(r)->drawn != DRAWN_AT_ONCE)
        stratify(c, &c->row[first], c->rows - first - 1);
    return bad;
}

/* Holm: the least of m values of p counts m times, the next one m - 1 times; none is less than one before it. */
static void adjust(struct compare *c)
{
    int m = 0;
    for (int i = 0; i < c->rows; i++)
        m += !isnan(c->row[i].p);
    double before = 0;
    for (int rank = 0; rank < m; rank++) {
        struct compare_row *least = NULL;
        for (int i = 0; i < c->rows; i++)
            if (!isnan(c->row[i].p) && isnan(c->row[i].holm) && (!least || c->row[i].p < least->p))
                least = &c->row[i];
        before = fmax(before, fmin(1, (m - rank) * least->p));
        least->holm = before;
    }
}

static bool has_union(const struct coverage *c)
{
    return c->row[c->rows - 1].job < 0;
}

static int read_all(struct compare *c, const char *const file[], struct fl_err *err)
{
    const struct result *r = result_of(c, COMPARE_A);
    int bad = may_compare(c, file, err);
    bool both = c->permanent[COMPARE_A] && c->permanent[COMPARE_B];
    for (int s = 0; s < COMPARE_SIDES && !bad; s++)
        bad = c->permanent[s] ? coverage_open(c->side[s], &c->coverage[s], err) : 0;
    if (!bad && both && has_union(&c->coverage[COMPARE_A]) && has_union(&c->coverage[COMPARE_B]))
        bad = add_job(c, -1, file, err);
    for (int j = 0; j < r->njobs && !bad; j++)
        bad = add_job(c, j, file, err);
    return bad;
}

int compare_open(const struct avf_report *a, const struct avf_report *b,
                 const char *const file[COMPARE_SIDES], struct compare *c, struct fl_err *err)
{
    *c = (struct compare){
        .side = {a, b},
        .permanent = {result_model(a->result)->permanent, result_model(b->result)->permanent},
        .models = strcmp(result_model(a->result)->name, result_model(b->result)->name) != 0,
        .confidence = 0.95};
    if (!a->result->nparts || !b->result->nparts)
        return fl_fail(err, "%s holds no faults; name the store of a campaign that has some",
                       file[a->result->nparts ? COMPARE_B : COMPARE_A]);
    if (a->result->part[0].confidence > 0)
        c->confidence = a->result->part[0].confidence;
    if (read_all(c, file, err) != 0) {
        compare_close(c);
        return -1;
    }
    adjust(c);
    return 0;
}

void compare_close(struct compare *c)
{
    for (int s = 0; s < COMPARE_SIDES; s++)
        if (c->coverage[s].row)
            coverage_close(&c->coverage[s]);
    free(c->row);
    *c = (struct compare){0};
}

char *compare_job_name(const struct compare *c, const struct compare_row *row)
{
    if (row->job[COMPARE_A] < 0)
        return fl_strdup("union");
    const char *a = result_of(c, COMPARE_A)->job[row->job[COMPARE_A]].name;
    const char *b = result_of(c, COMPARE_B)->job[row->job[COMPARE_B]].name;
    return strcmp(a, b) == 0 ? fl_strdup(a) : fl_format("A %s, B %s", a, b);
}

bool compare_significant(const struct compare *c, const struct compare_row *row)
{
    return row->holm < 1 - c->confidence;
}

char *compare_measure(const struct compare *c, int side)
{
    return fl_format(c->permanent[side] ? "detected of testable %s faults" : "AVF of %s faults",
                     result_model(result_of(c, side))->name);
}

/* ---- the table --------------------------------------------------------------------------------- */

static void row_name(const struct compare *c, const struct compare_row *row, struct fl_table *t)
{
    char *name = compare_job_name(c, row);
    fl_table_cell(t, "%s", name);
    fl_table_cell(t, "%s", row->target ? row->target : "all");
    free(name);
}

static void both_shares(const struct compare *c, struct fl_buf *out)
{
    struct fl_table t = {0};
    fl_buf_printf(out, "Two fault models side by side, in %%\n");
    for (int s = 0; s < COMPARE_SIDES; s++) {
        char *measure = compare_measure(c, s);
        fl_buf_printf(out, "  %c: %s\n", 'A' + s, measure);
        free(measure);
    }
    fl_table_columns(&t, "*job|*target|A %|interval of A|B %|interval of B");
    for (int i = 0; i < c->rows; i++) {
        row_name(c, &c->row[i], &t);
        for (int s = 0; s < COMPARE_SIDES; s++) {
            const struct compare_side *of = &c->row[i].of[s];
            fl_table_cell(&t, "%.3f", of->share);
            if (of->hi > of->lo)
                fl_table_cell(&t, "%.3f to %.3f", of->lo, of->hi);
            else
                fl_table_cell(&t, "-");
        }
    }
    fl_table_print(&t, out);
}

static void differences(const struct compare *c, struct fl_buf *out)
{
    struct fl_table t = {0};
    fl_wrap(out, "%s, B compared with A: %s in %%", result_model(result_of(c, COMPARE_A))->title,
            c->permanent[COMPARE_A] ? "detected of testable faults" : "AVF");
    fl_table_columns(&t, "*job|*target|A %|B %|B - A|interval of B - A|p|<test");
    for (int i = 0; i < c->rows; i++) {
        const struct compare_row *row = &c->row[i];
        row_name(c, row, &t);
        for (int s = 0; s < COMPARE_SIDES; s++)
            fl_table_cell(&t, "%.3f", row->of[s].share);
        fl_table_cell(&t, "%+.3f", row->difference);
        if (isnan(row->lo))
            fl_table_cell(&t, "-");
        else
            fl_table_cell(&t, "%+.3f to %+.3f", row->lo, row->hi);
        if (isnan(row->p))
            fl_table_cell(&t, "-");
        else
            fl_table_cell(&t, "%.2g%s", row->p, compare_significant(c, row) ? " *" : "");
        fl_table_cell(&t, "%s", compare_test_name[row->test]);
    }
    fl_table_print(&t, out);
    fl_wrap(out,
            "\n* significant at %g %%, after Holm for all tests of this table. Tests: exact, all "
            "faults, and list, chosen faults: none is needed. McNemar: the same faults in both, "
            "exact; proportions: different samples; stratified: samples of several structures.",
            100 * (1 - c->confidence));
}

void compare_table(const struct compare *c, struct fl_buf *out)
{
    struct fl_table t = {0};
    (c->models ? both_shares : differences)(c, out);
    fl_table_columns(&t, "*job|*target|*outcome|?A|?B|?A %|?B %");
    for (int i = 0; i < c->rows * OUT_COUNT; i++) {
        const struct compare_row *row = &c->row[i / OUT_COUNT];
        enum fsim_outcome o = avf_column(i % OUT_COUNT);
        row_name(c, row, &t);
        fl_table_cell(&t, "%s", fsim_outcome_name(o));
        for (int s = 0; s < COMPARE_SIDES; s++)
            fl_table_cell(&t, "%llu", (unsigned long long)row->of[s].outcome[o]);
        for (int s = 0; s < COMPARE_SIDES; s++)
            if (row->of[s].outcome[o])
                fl_table_cell(&t, "%.3f",
                              100 * (double)row->of[s].outcome[o] / (double)row->of[s].n);
            else
                fl_table_cell(&t, "0");
    }
    fl_table_print(&t, out);
}

/* ---- CSV --------------------------------------------------------------------------------------- */

static void csv_row(const struct compare *c, const struct compare_row *row, struct fl_buf *out)
{
    for (int s = 0; s < COMPARE_SIDES; s++) {
        csv_text(row->job[s] < 0 ? "union" : result_of(c, s)->job[row->job[s]].name, out);
        fl_buf_printf(out, ",");
    }
    csv_text(row->target ? row->target : "all", out);
    fl_buf_printf(out, ",%s", compare_test_name[row->test]);
    for (int s = 0; s < COMPARE_SIDES; s++) {
        fl_buf_printf(out, ",%llu", (unsigned long long)row->of[s].n);
        csv_number(row->of[s].share, out);
        csv_number(row->of[s].lo, out);
        csv_number(row->of[s].hi, out);
    }
    csv_number(row->difference, out);
    csv_number(row->lo, out);
    csv_number(row->hi, out);
    for (int s = 0; s < COMPARE_SIDES; s++)
        csv_number(row->paired ? (double)row->alone[s] : (double)NAN, out);
    csv_number(row->p, out);
    csv_number(row->holm, out);
    for (int i = 0; i < OUT_COUNT; i++)
        for (int s = 0; s < COMPARE_SIDES; s++)
            fl_buf_printf(out, ",%llu", (unsigned long long)row->of[s].outcome[avf_column(i)]);
    fl_buf_printf(out, "\n");
}

void compare_csv(const struct compare *c, struct fl_buf *out)
{
    for (int s = 0; s < COMPARE_SIDES; s++)
        made_csv(c->side[s]->made, result_of(c, s)->job, result_of(c, s)->njobs, out);
    fl_buf_printf(out, "job_a,job_b,target,test,n_a,pct_a,pct_a_lo,pct_a_hi,n_b,pct_b,pct_b_lo,"
                       "pct_b_hi,difference,difference_lo,difference_hi,a_alone,b_alone,p,p_holm");
    for (int i = 0; i < OUT_COUNT; i++)
        fl_buf_printf(out, ",%s_a,%s_b", fsim_outcome_name(avf_column(i)),
                      fsim_outcome_name(avf_column(i)));
    fl_buf_printf(out, "\n");
    for (int i = 0; i < c->rows; i++)
        csv_row(c, &c->row[i], out);
}
