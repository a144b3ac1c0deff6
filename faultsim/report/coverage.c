/* coverage.c -- coverage from the sums of a store. See coverage.h. */
#include "coverage.h"

#include <stdlib.h>
#include <string.h>

#include "faultsim/result/made.h"
#include "lines.h"
#include "stuck_at.h"
#include "wrong.h"

bool coverage_is(const char *made)
{
    return made_says(made, "model=stuck-at") || made_says(made, "model=memory") ||
           made_says(made, "model=gate");
}

static void add(const struct result_job *j, const struct result_part *p, bool timing,
                struct fsim_counts *k)
{
    struct tally t = {0};
    result_tally(j, p, -1, &t);
    k->faults += (long)t.counted;
    k->untestable += (long)t.reason[REASON_UNTESTABLE];
    k->not_activated += (long)t.reason[REASON_IDLE];
    for (int o = 0; o < OUT_COUNT; o++)
        if (o == OUT_MASKED)
            k->by_outcome[o] += (long)(t.outcome[o] - t.reason[REASON_UNTESTABLE] -
                                       t.reason[REASON_IDLE]);
        else if (o != OUT_PERFORMANCE || !timing)
            k->by_outcome[o] += (long)t.outcome[o];
    k->detected += (long)(tally_failed(&t) + (timing ? t.outcome[OUT_PERFORMANCE] : 0));
}

struct fsim_counts coverage_counts(const struct avf_report *a, int job, const char *target)
{
    const struct result *r = a->result;
    struct fsim_counts k = {0};
    for (int i = 0; i < r->nparts; i++)
        if ((job < 0 || r->part[i].job == job) &&
            (!target || strcmp(target, r->part[i].target) == 0))
            add(&r->job[r->part[i].job], &r->part[i], made_says(a->made, "detect-timing"), &k);
    return k;
}

static double percent(long part, long whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

void coverage_table(const struct avf_report *a, struct fl_buf *out)
{
    const struct result *r = a->result;
    bool tolerable = result_has(r, OUT_TOLERABLE);
    if (r->nparts == 0)
        return;
    fl_buf_printf(
        out, "%s faults, engine %s\n\n%-16s %-8s %8s %10s %8s %8s %8s %8s %11s %8s %13s %9s%s\n",
        r->part[0].model, r->part[0].engine, "job", "target", "faults", "untestable", "sdc",
        "crash", "hang", "timeout", "performance", "masked", "not activated", "testable",
        tolerable ? " tolerable" : "");
    for (int j = 0; j < r->njobs; j++)
        for (int i = -1; i < r->nparts; i++) {
            if (i >= 0 && r->part[i].job != j)
                continue;
            const char *target = i < 0 ? NULL : r->part[i].target;
            struct fsim_counts k = coverage_counts(a, j, target);
            fl_buf_printf(
                out, "%-16s %-8s %8ld %10ld %8ld %8ld %8ld %8ld %11ld %8ld %13ld %7.2f %%",
                r->job[j].name, target ? target : "all", k.faults, k.untestable,
                k.by_outcome[OUT_SDC], k.by_outcome[OUT_CRASH], k.by_outcome[OUT_HANG],
                k.by_outcome[OUT_TIMEOUT], k.by_outcome[OUT_PERFORMANCE], k.by_outcome[OUT_MASKED],
                k.not_activated, percent(k.detected, k.faults - k.untestable));
            if (tolerable)
                fl_buf_printf(out, " %9ld", k.by_outcome[OUT_TOLERABLE]);
            fl_buf_printf(out, "\n");
        }
    wrong_print(r, out);
    for (int i = 0; i < r->nparts; i++)
        lines_print(&r->job[r->part[i].job], &r->part[i],
                    "faults that fail, by the line of the source that first meets them", out);
}

void coverage_csv(const struct avf_report *a, struct fl_buf *out)
{
    const struct result *r = a->result;
    made_csv(a->made, r->job, r->njobs, out);
    bool tolerable = result_has(r, OUT_TOLERABLE);
    report_csv_head(tolerable, out);
    for (int j = 0; j < r->njobs; j++)
        for (int i = -1; i < r->nparts; i++) {
            if (i >= 0 && r->part[i].job != j)
                continue;
            struct fsim_counts k = coverage_counts(a, j, i < 0 ? NULL : r->part[i].target);
            report_csv_row(r->job[j].name, i < 0 ? "all" : r->part[i].target, r->part[0].model,
                           r->part[0].engine, &k, tolerable, out);
        }
}
