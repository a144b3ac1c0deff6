/* csv.c -- parts, tests and residual faults as CSV, for an FMEDA. See evidence.h and docs/reference/evidence.md. */
#include "evidence.h"

#include <math.h>

#include "faultsim/result/csv.h"
#include "faultsim/result/made.h"

/* What made all of it: this line, then those of each campaign. */
static void head(const struct evidence *e, const char *made, struct fl_buf *out)
{
    fl_buf_printf(out, "# %s\n", made);
    for (int s = 0; s < e->sources; s++)
        made_csv(e->source[s].made, e->source[s].result->job, e->source[s].result->njobs, out);
    for (int i = 0; i < e->proofs; i++)
        fl_buf_printf(out, "# proof=%s sha256=%s\n", e->proof[i].name, e->proof[i].sha256);
}

static void name_of(const struct evidence_part *p, struct fl_buf *out)
{
    csv_text(p->name, out);
    fl_buf_printf(out, ",%s%s", p->model, p->transition ? " transition" : "");
}

static void count(uint64_t n, struct fl_buf *out)
{
    fl_buf_printf(out, ",%llu", (unsigned long long)n);
}

static void percent(struct evidence_share s, bool interval, struct fl_buf *out)
{
    csv_number(100 * s.share, out);
    if (interval) {
        csv_number(100 * s.lo, out);
        csv_number(100 * s.hi, out);
    }
}

static void part_row(const struct evidence *e, const struct evidence_part *p, struct fl_buf *out)
{
    uint64_t shown = p->drawn - p->by[0];
    name_of(p, out);
    fl_buf_printf(out, ",%s,%s", p->engine,
                  p->listed                ? "list"
                  : p->drawn < p->testable ? "sample"
                                           : "all");
    count(p->faults, out);
    count(p->safe, out);
    count(p->if_ends, out);
    count(p->unsimulated, out);
    count(p->drawn, out);
    count(shown, out);
    percent(evidence_detected(e, p, EVIDENCE_ANY), true, out);
    for (int m = 0; m < EVIDENCE_MEANS; m++)
        csv_number(100 * evidence_first(e, p, m), out);
    percent(evidence_detected(e, p, EVIDENCE_ANY & ~(unsigned)EVIDENCE_WATCHDOG), false, out);
    percent(evidence_detected(e, p, EVIDENCE_ANY & ~(unsigned)EVIDENCE_TRAP), false, out);
    percent(evidence_detected(e, p, EVIDENCE_SIGNATURE), false, out);
    percent(evidence_testable(e, p, EVIDENCE_ANY), true, out);
    bool rated = evidence_in_sum(p, EVIDENCE_RATES);
    struct evidence_share left = rated ? evidence_fit_residual(e, p, EVIDENCE_ANY)
                                       : (struct evidence_share){(double)NAN, (double)NAN,
                                                                 (double)NAN};
    csv_number(p->fit, out);
    csv_number(rated ? evidence_fit_safe(p) : (double)NAN, out);
    csv_number(rated ? p->fit - evidence_fit_safe(p) - left.share : (double)NAN, out);
    csv_number(left.share, out);
    csv_number(left.lo, out);
    csv_number(left.hi, out);
    csv_number(rated && evidence_fit(e) > 0 ? 100 * left.share / evidence_fit(e) : (double)NAN,
               out);
    fl_buf_printf(out, "\n");
}

void evidence_parts_csv(const struct evidence *e, const char *made, struct fl_buf *out)
{
    head(e, made, out);
    fl_buf_printf(out, "part,model,engine,method,faults,safe,if_ends,not_simulated,simulated,"
                       "detected,dc_pct,dc_pct_lo,dc_pct_hi,"
                       "signature_pct,trap_pct,watchdog_pct,time_pct,without_watchdog_pct,without_"
                       "traps_pct,signature_alone_pct,"
                       "testable_pct,testable_pct_lo,testable_pct_hi,fit,fit_safe,fit_detected,fit_"
                       "residual,fit_residual_lo,"
                       "fit_residual_hi,metric_loss_pct\n");
    for (int i = 0; i < e->parts; i++)
        part_row(e, &e->part[i], out);
}

void evidence_tests_csv(const struct evidence *e, const char *made, struct fl_buf *out)
{
    head(e, made, out);
    fl_buf_printf(out, "test,sha256,cycles,ms,part,model,detected,alone\n");
    for (int t = 0; t < e->tests; t++)
        for (int i = 0; i < e->parts; i++) {
            const struct evidence_part *p = &e->part[i];
            const struct result_job *job = e->test[t].job;
            if (!p->test[t].source)
                continue;
            csv_text(job->name, out);
            fl_buf_printf(out, ",%s", job->digest);
            count(e->test[t].cycles, out);
            csv_number(evidence_ms(&e->test[t]), out);
            fl_buf_printf(out, ",");
            name_of(p, out);
            count(p->test[t].detected, out);
            count(p->test[t].alone, out);
            fl_buf_printf(out, "\n");
        }
}

void evidence_residual_csv(const struct evidence *e, const char *made, struct fl_buf *out)
{
    head(e, made, out);
    fl_buf_printf(out, "part,model,fault,reason\n");
    for (int i = 0; i < e->parts; i++) {
        const struct evidence_part *p = &e->part[i];
        for (long k = 0; k < p->count; k++) {
            const struct evidence_fault *f = &p->fault[k];
            const bool another = f->verdict == EVIDENCE_TESTABLE && !f->drawn && !p->listed;
            if (f->verdict == EVIDENCE_SAFE || f->means || another) /* of a sample */
                continue;
            name_of(p, out);
            fl_buf_printf(out, ",");
            csv_text(f->id, out);
            fl_buf_printf(out, ",%s\n",
                          f->verdict == EVIDENCE_IF_ENDS ? "if_ends"
                          : f->drawn                     ? "not_detected"
                                                         : "not_simulated");
        }
    }
}
