/* coverage_time.c -- of the page of permanent faults: what the jobs detect together while they run one after the other, in their
 * own order, and with the one first that detects most new faults in a cycle.
 */
#include "faultsim/report/coverage.h"
#include "faultsim/report/page.h"

#include "faultsim/permanent/together.h"

/* Behind a job it counts what the job detects, not before its end. */
static void curve(const struct together *r, const int *order, const char *title, const char *colour,
                  struct steps *s)
{
    const struct result *of = r->result;
    int c = steps_curve(s, title, colour, false);
    uint64_t at = 0, taken = 0;
    for (int k = 0; k <= of->njobs; k++) {
        struct estimate e = together_detect(r, taken);
        uint64_t end = k < of->njobs ? at + result_cycles(&of->job[order[k]]) : s->to;
        double share = 100 * e.share;
        bool drawn = e.drawn && taken;
        steps_add_sampled(s, c, at, end, share, drawn ? 100 * e.at.lo : share,
                          drawn ? 100 * e.at.hi : share);
        at = end;
        taken |= k < of->njobs ? UINT64_C(1) << order[k] : 0;
    }
}

static void caption(struct page *p, const int *order, struct estimate all)
{
    fl_buf_printf(&p->html,
                  "<p class=\"n\">Detected faults in %% of the testable ones, over the cycles of "
                  "the jobs, one after the other; a band is the interval of a sample. "
                  "Most new faults in a cycle first: ");
    for (int k = 0; k < p->a->result->njobs; k++) {
        fl_buf_printf(&p->html, "%s", k ? ", " : "");
        page_escaped(p, p->a->result->job[order[k]].name);
    }
    fl_buf_printf(&p->html, ". After the last job: %.2f&#8239;%%.</p>\n", 100 * all.share);
}

void page_coverage_time(struct page *p)
{
    const struct result *of = p->a->result;
    const struct coverage *c = p->coverage;
    int given[TOGETHER_JOBS], best[TOGETHER_JOBS];
    uint64_t cycles = 0;
    struct together r;
    struct steps s;
    if (c->row[c->rows - 1].job >= 0 || !together_open(p->a->store, c->timing, &r))
        return; /* there is no union */
    for (int j = 0; j < of->njobs; j++) {
        given[j] = j;
        cycles += result_cycles(&of->job[j]);
    }
    together_greedy(&r, best);
    page_heading(p, 2, "Coverage over test time");
    steps_begin(&s, "coverage-time", "all jobs", 0, cycles + cycles / 25 + 1);
    s.axis = "detected in %";
    curve(&r, best, "in the order of new faults per cycle", PAGE_DETECTED, &s);
    curve(&r, given, "in the order given", "#777777", &s);
    page_steps(p, &s);
    caption(p, best, together_detect(&r, ~UINT64_C(0)));
    together_close(&r);
}
