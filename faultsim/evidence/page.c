/* page.c -- the evidence as one page, to be read and printed by an assessor. See evidence.h. */
#include "evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "faultsim/control/control.h"
#include "faultsim/lane/lane.h"
#include "faultsim/report/page.h"
#include "faultsim/result/made.h"
#include "sm/structures.h"

enum { NO_WATCHDOG = EVIDENCE_ANY & ~EVIDENCE_WATCHDOG, NO_TRAPS = EVIDENCE_ANY & ~EVIDENCE_TRAP };

static const double TWO_DIGITS =
    0.005; /* behind the point of a percentage, as if it were in doubt there */

static double half_of(struct evidence_share s)
{
    return s.hi > s.lo ? (s.hi - s.lo) / 2 : 0;
}

/* "99.20 % (98.8 to 99.6)". */
static void percent(struct fl_buf *out, struct evidence_share s)
{
    double half = 100 * half_of(s);
    figure_percent(out, 100 * s.share, half);
    fl_buf_printf(out, "&#8239;%%");
    if (half > 0) {
        fl_buf_printf(out, " (");
        figure_percent(out, 100 * s.lo, half);
        fl_buf_printf(out, " to ");
        figure_percent(out, 100 * s.hi, half);
        fl_buf_printf(out, ")");
    }
}

static void cell(struct page *p, struct evidence_share s)
{
    page_cell_share(p, s.share, half_of(s));
}

static char *name_of(const struct evidence_part *p)
{
    return strcmp(p->model, "stuck-at") == 0 || (p->gates && !p->transition)
               ? fl_strdup(p->name)
               : fl_format("%s, %s", p->name, p->transition ? "transition-delay" : p->model);
}

static void part_name(struct page *p, const struct evidence_part *part)
{
    char *name = name_of(part);
    page_cell_text(p, name);
    free(name);
}

static double total_ms(const struct evidence *e)
{
    double ms = 0;
    for (int t = 0; t < e->tests; t++)
        ms += evidence_ms(&e->test[t]);
    return ms;
}

/* ---- what stands first ------------------------------------------------------------------------- */

static void summary(struct page *p, const struct evidence *e)
{
    fl_buf_printf(&p->html, "<p>%d test%s on machine ", e->tests, e->tests == 1 ? "" : "s");
    page_escaped(p, e->source[0].result->job[0].profile);
    fl_buf_printf(&p->html, ". Diagnostic coverage of permanent faults:");
    bool any = false;
    for (enum evidence_sum sum = 0; sum < EVIDENCE_SUMS; sum++) {
        struct evidence_share s;
        if (!evidence_total(e, sum, EVIDENCE_ANY, false, &s))
            continue;
        char *name = evidence_sum_name(e, sum);
        fl_buf_printf(&p->html, "%s %s <b>", any ? ";" : "", name);
        free(name);
        percent(&p->html, s);
        fl_buf_printf(&p->html, "</b>");
        any = true;
    }
    fl_buf_printf(&p->html, "%s.</p>\n", any ? "" : " see the table, in %");
    page_say(
        p, "Intervals are those of 95&#8239;% confidence; a figure without one is of all faults. "
           "Diagnostic coverage: detected "
           "faults in % of all but the safe ones. Sums by faults give each fault the same weight; "
           "they are of the parts in the table alone, and the list below it names what has no "
           "campaign.");
}

static void picture(struct page *p, const struct evidence *e)
{
    static const char *const colour[EVIDENCE_MEANS] = {"#d55e00", "#0072b2", "#777777", "#56b4e9"};
    struct chart c;
    chart_begin(&c, "coverage",
                "Diagnostic coverage of each part, by the first of these means that shows a fault: "
                "the comparison of "
                "outputs, a trap, the watchdog, the number of cycles.",
                "faults that are not safe in %", true);
    for (int m = 0; m < EVIDENCE_MEANS; m++)
        chart_series(&c, evidence_means_name[m], colour[m]);
    for (int i = 0; i < e->parts; i++) {
        const struct evidence_part *part = &e->part[i];
        struct evidence_share s = evidence_detected(e, part, EVIDENCE_ANY);
        if (isnan(s.share))
            continue;
        char *name = name_of(part);
        struct chart_row *row = chart_row(&c, name);
        free(name);
        double half = 100 * half_of(s);
        for (int m = 0; m < EVIDENCE_MEANS; m++) {
            row->value[m] = 100 * evidence_first(e, part, m);
            row->half[m] = half > 0 ? half : 0.5;
        }
        row->head = 100 * s.share;
        if (half > 0) {
            row->low = 100 * s.lo;
            row->high = 100 * s.hi;
        }
    }
    page_chart(p, &c);
}

/* ---- parts ------------------------------------------------------------------------------------- */

static void sum_rows(struct page *p, const struct evidence *e,
                     void (*cells)(struct page *, const struct evidence *, enum evidence_sum))
{
    struct evidence_share s;
    for (enum evidence_sum sum = 0; sum < EVIDENCE_RATES; sum++)
        if (evidence_total(e, sum, EVIDENCE_ANY, false, &s)) {
            char *name = evidence_sum_name(e, sum);
            page_cell_text(p, name);
            free(name);
            cells(p, e, sum);
            page_end_row(p);
        }
}

static void count_cells(struct page *p, const struct evidence *e, enum evidence_sum sum)
{
    uint64_t n[6] = {0};
    for (int i = 0; i < e->parts; i++) {
        const struct evidence_part *part = &e->part[i];
        const uint64_t of[] = {part->faults,      part->safe,  part->if_ends,
                               part->unsimulated, part->drawn, part->drawn - part->by[0]};
        for (int k = 0; k < 6 && evidence_in_sum(part, sum); k++)
            n[k] += of[k];
    }
    page_cell_text(p, "");
    for (int k = 0; k < 6; k++)
        page_cell_count(p, n[k]);
    struct evidence_share s;
    evidence_total(e, sum, EVIDENCE_ANY, false, &s);
    cell(p, s);
    bool drawn = half_of(s) > 0;
    page_cell_share(p, drawn ? s.lo : (double)NAN, half_of(s));
    page_cell_share(p, drawn ? s.hi : (double)NAN, half_of(s));
}

/* "alu_int.sp0: 1 of 8 SPs": behind the first part of such a unit. */
static void say_sps(struct page *p, const struct evidence *e, int part)
{
    const struct evidence_part *of = &e->part[part];
    size_t n = strcspn(of->target, ".");
    int sps = e->source[0].result->job[0].sps, there = 0;
    for (int i = 0; i < e->parts; i++) {
        const struct evidence_part *other = &e->part[i];
        bool same = other->gates && other->transition == of->transition &&
                    strncmp(other->target, of->target, n + 1) == 0;
        if (same && i < part)
            return;
        there += same;
    }
    if (!of->gates || !of->target[n] || there == sps)
        return;
    fl_buf_printf(&p->html,
                  "<p><b>%.*s</b>: %d of the %d SPs, each of which has such a unit; the figures "
                  "are of %s alone.</p>\n",
                  (int)n, of->target, there, sps, there == 1 ? "this one" : "these");
}

static void parts(struct page *p, const struct evidence *e)
{
    page_heading(p, 2, "Parts of the SM");
    page_head(p, "*part|*engine|faults|safe|if it ends|not simulated|simulated|detected|coverage "
                 "%|from %|to %");
    for (int i = 0; i < e->parts; i++) {
        const struct evidence_part *part = &e->part[i];
        struct evidence_share s = evidence_detected(e, part, EVIDENCE_ANY);
        part_name(p, part);
        page_cell_text(p, part->engine);
        page_cell_count(p, part->faults);
        page_cell_count(p, part->safe);
        page_cell_count(p, part->if_ends);
        page_cell_count(p, part->unsimulated);
        page_cell_count(p, part->drawn);
        page_cell_count(p, part->drawn - part->by[0]);
        cell(p, s);
        page_cell_share(p, half_of(s) > 0 ? s.lo : (double)NAN, half_of(s));
        page_cell_share(p, half_of(s) > 0 ? s.hi : (double)NAN, half_of(s));
        page_end_row(p);
    }
    sum_rows(p, e, count_cells);
    page_end_table(p);
    page_say(p, "<b>Safe</b>: no program shows the fault, proved (section Proofs). <b>If it "
                "ends</b>: it is proved only that no program "
                "shows the fault that ends without a trap on a machine without fault; such faults "
                "count as residual, since they may, for "
                "example, keep a program from its trap. <b>Not simulated</b>: faults of the "
                "netlist in no campaign; they count as not "
                "detected. <b>Simulated</b>, <b>detected</b>: of the others. <b>Coverage</b>: "
                "detected in % of all faults but the safe "
                "ones; of a sample an estimate, with its interval. residual.csv names each "
                "residual fault that is known.");
    for (int i = 0; i < e->parts; i++) {
        const struct evidence_part *part = &e->part[i];
        say_sps(p, e, i);
        if (part->faults < part->structure) {
            fl_buf_printf(&p->html, "<p><b>");
            page_escaped(p, part->name);
            fl_buf_printf(&p->html, "</b>: the campaign has ");
            figure_of(&p->html, part->faults, "fault");
            fl_buf_printf(&p->html, " of the ");
            figure_count(&p->html, part->structure);
            fl_buf_printf(&p->html, " of this structure; the figures are of these alone.</p>\n");
        }
        if (part->gates && part->listed && !part->unsimulated && !part->safe) {
            fl_buf_printf(&p->html, "<p><b>");
            page_escaped(p, part->name);
            fl_buf_printf(&p->html, "</b>: a list of chosen faults; of the other faults of this "
                                    "unit nothing is known here.</p>\n");
        }
    }
}

static bool has_structure(const struct evidence *e, const char *name)
{
    for (int i = 0; i < e->parts; i++)
        if (!e->part[i].gates && strcmp(e->part[i].target, name) == 0)
            return true;
    return false;
}

/* In any SP; a lane has all units of its kind. */
static bool has_unit(const struct evidence *e, const struct unit_kind *kind, const char *name)
{
    for (int i = 0; i < e->parts; i++) {
        const char *unit = evidence_unit(e->part[i].target);
        size_t n = strcspn(unit, ".");
        if (e->part[i].gates && ((strlen(name) == n && strncmp(unit, name, n) == 0) ||
                                 (kind->of_sp && n == 4 && strncmp(unit, "lane", n) == 0)))
            return true;
    }
    return false;
}

/* Structures and units of gates without a campaign are no part of any sum. */
static void missing(struct page *p, const struct evidence *e)
{
    static const struct unit_kind *const kind[] = {&lane_kind, &control_kind};
    struct fl_err ignored;
    struct sm_image img = {.sms = 1};
    const char *before = "<p>Not in this evidence: the structures ";
    bool known = profile_load(e->source[0].result->job[0].profile, &img.profile, &ignored) == 0;
    for (int s = 0; s < SM_STRUCTURES && known; s++) {
        struct sm_structure of;
        sm_structure_get(&img, s, &of);
        /* jobs say how large these are */
        bool there = s == SM_S_local || s == SM_S_const || sm_structure_bits(&of) > 0;
        if (!there || has_structure(e, of.name))
            continue;
        fl_buf_printf(&p->html, "%s%s", before, of.name);
        before = ", ";
    }
    before = *before == ',' ? "; the gates of " : "<p>Not in this evidence: the gates of ";
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        for (int u = 0; u < kind[k]->count; u++) {
            const char *name = kind[k]->name(u);
            if (strcmp(name, "lane") == 0 || has_unit(e, kind[k], name))
                continue;
            fl_buf_printf(&p->html, "%s%s", before, name);
            before = ", ";
        }
    fl_buf_printf(&p->html, "%s what the model does not have (section The model).</p>\n",
                  *before == ','   ? "; and"
                  : *before == ';' ? ";"
                                   : "<p>Not in this evidence:");
}

/* ---- means and assumptions --------------------------------------------------------------------- */

static void means_cells(struct page *p, const struct evidence *e, enum evidence_sum sum)
{
    static const unsigned set[] = {NO_WATCHDOG, NO_TRAPS, EVIDENCE_SIGNATURE};
    struct evidence_share s, less;
    evidence_total(e, sum, EVIDENCE_ANY, false, &s);
    cell(p, s);
    for (unsigned m = 0; m < EVIDENCE_MEANS; m++) {
        evidence_total(e, sum, (2u << m) - 1, false, &s);
        evidence_total(e, sum, (1u << m) - 1, false, &less);
        page_cell_share(p, s.share - less.share, half_of(s));
    }
    for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
        evidence_total(e, sum, set[i], false, &s);
        cell(p, s);
    }
}

static void means(struct page *p, const struct evidence *e)
{
    page_heading(p, 2, "Means");
    page_head(p, "*part|coverage %|signature %|trap %|watchdog %|time %|without watchdog %|without "
                 "traps %|signature alone %");
    for (int i = 0; i < e->parts; i++) {
        const struct evidence_part *part = &e->part[i];
        struct evidence_share s = evidence_detected(e, part, EVIDENCE_ANY);
        part_name(p, part);
        cell(p, s);
        for (int m = 0; m < EVIDENCE_MEANS; m++)
            page_cell_share(p, evidence_first(e, part, m), half_of(s));
        cell(p, evidence_detected(e, part, NO_WATCHDOG));
        cell(p, evidence_detected(e, part, NO_TRAPS));
        cell(p, evidence_detected(e, part, EVIDENCE_SIGNATURE));
        page_end_row(p);
    }
    sum_rows(p, e, means_cells);
    page_end_table(p);
    page_say(
        p,
        "Columns 2 to 5 split the coverage: a fault counts with the first of the means that shows "
        "it in any test. The last columns "
        "are the coverage where a means is missing. <b>Signature</b>: outputs differ (sdc). "
        "<b>Trap</b>: crash. <b>Watchdog</b>: "
        "hang, timeout. <b>Time</b>: right outputs in another number of cycles (--detect-timing).");
    bool dropped = false;
    for (int i = 0; i < e->parts; i++)
        dropped |= e->part[i].dropped;
    if (dropped)
        page_say(p, "Some campaigns did not simulate a fault again that an earlier test had "
                    "detected (--drop): there, columns without a "
                    "means are lower bounds.");
}

static void points(struct page *p, const struct evidence *e, const char *assumption,
                   unsigned without, const char *what)
{
    page_cell_text(p, assumption);
    for (enum evidence_sum sum = 0; sum < EVIDENCE_SUMS; sum++) {
        struct evidence_share all, less;
        bool any = evidence_total(e, sum, EVIDENCE_ANY, false, &all) &&
                   evidence_total(e, sum, EVIDENCE_ANY & ~without, false, &less);
        page_cell_share(p, any ? all.share - less.share : (double)NAN, TWO_DIGITS);
    }
    page_cell_text(p, what);
    page_end_row(p);
}

static void assumptions(struct page *p, const struct evidence *e)
{
    page_heading(p, 2, "Assumptions of use");
    page_head(
        p,
        "*assumption|cells: points of coverage|gates: points|by rate: points|*if it does not hold");
    points(p, e, "The host compares every output word of every test with the expected one",
           EVIDENCE_SIGNATURE, "these faults stay undetected");
    points(p, e, "A trap is reported as a failure of the test, and the SM is reset after it",
           EVIDENCE_TRAP, "column 'without traps'; later tests may not start");
    points(p, e,
           "A watchdog ends a launch at a limit above the fault-free cycles of the test and of at "
           "most twice them",
           EVIDENCE_WATCHDOG, "column 'without watchdog'; the test may never end");
    points(p, e, "The host compares the number of cycles", EVIDENCE_TIME,
           "these faults stay undetected");
    points(p, e,
           "A test has the SM for itself, and nothing writes its code, inputs and outputs before "
           "the host has read them",
           EVIDENCE_ANY, "no figure of this page holds");
    points(p, e, "All tests run once in each diagnostic interval", EVIDENCE_ANY,
           "tests.csv says what each one detects alone");
    page_cell_text(p, "Programs of the application end without a trap on a machine without fault");
    for (enum evidence_sum sum = 0; sum < EVIDENCE_SUMS; sum++) {
        struct evidence_share all, more;
        bool any = evidence_total(e, sum, EVIDENCE_ANY, false, &all) &&
                   evidence_total(e, sum, EVIDENCE_ANY, true, &more);
        page_cell_share(p, any ? more.share - all.share : (double)NAN, TWO_DIGITS);
    }
    page_cell_text(
        p, "not assumed: where it holds, faults 'if it ends' are safe, and these points are added");
    page_end_row(p);
    page_end_table(p);
    page_say(p,
             "Points: what the coverage loses without the assumption, in percentage points. A run "
             "is a hang or a timeout if it has not ended after twice the fault-free cycles. "
             "Further assumptions: a fault is permanent "
             "and alone; each fault of a part has the same rate; expected words come from the "
             "machine model.");
}

/* ---- tests and time ---------------------------------------------------------------------------- */

static void tests(struct page *p, const struct evidence *e)
{
    page_heading(p, 2, "Tests and time");
    page_head(p, "*test|cycles|ms|detected|detected alone|*sha256");
    for (int t = 0; t < e->tests; t++) {
        uint64_t found = 0, alone = 0;
        char digest[17];
        for (int i = 0; i < e->parts; i++) {
            found += e->part[i].test[t].detected;
            alone += e->part[i].test[t].alone;
        }
        page_cell_text(p, e->test[t].job->name);
        page_cell_count(p, e->test[t].cycles);
        page_cell_number(p, evidence_ms(&e->test[t]), 0);
        page_cell_count(p, found);
        page_cell_count(p, alone);
        snprintf(digest, sizeof digest, "%.16s", e->test[t].job->digest);
        page_cell_text(p, digest);
        page_end_row(p);
    }
    page_end_table(p);
    page_say(p, "Simulated faults of all parts that the test detects, and that no other test "
                "detects; tests.csv has them by part. Cycles "
                "are those of the fault-free run, without loading, starting and comparing.");
    double ms = total_ms(e), mhz = e->source[0].result->job[0].clock_mhz;
    fl_buf_printf(&p->html, "<p>All tests together: <b>%.4g ms</b> at %g MHz", ms, mhz);
    if (e->interval_ms > 0) {
        fl_buf_printf(&p->html, ", %.3g&#8239;%% of the diagnostic interval of %g ms",
                      100 * ms / e->interval_ms, e->interval_ms);
        if (ms > e->interval_ms)
            fl_buf_printf(&p->html, ". <b>They do not fit into it</b>: no figure of this page "
                                    "holds with that interval");
        else
            fl_buf_printf(&p->html,
                          ". A fault is detected at most %.4g ms after it occurs (interval and "
                          "tests). With the time of the "
                          "reaction, this must fit into the fault tolerant time interval (FTTI) "
                          "where the tests are the "
                          "mechanism against single-point faults",
                          e->interval_ms + ms);
    } else {
        fl_buf_printf(&p->html, "; no diagnostic interval was given (--interval)");
    }
    fl_buf_printf(&p->html, ".</p>\n");
}

/* ---- rates ------------------------------------------------------------------------------------- */

static void rates(struct page *p, const struct evidence *e)
{
    struct evidence_share all;
    page_heading(p, 2, "Failure rates");
    if (!evidence_total(e, EVIDENCE_RATES, EVIDENCE_ANY, false, &all)) {
        page_say(p, "No base rates were given (--rates), so there are no FIT and no contributions "
                    "to SPFM and LFM.");
        return;
    }
    double fit = evidence_fit(e), lost = 0, lo = 0, hi = 0;
    page_head(p, "*part|FIT|safe|detected|residual|from|to|% of all FIT");
    for (int i = 0; i < e->parts; i++) {
        const struct evidence_part *part = &e->part[i];
        if (!evidence_in_sum(part, EVIDENCE_RATES))
            continue;
        struct evidence_share left = evidence_fit_residual(e, part, EVIDENCE_ANY);
        double safe = evidence_fit_safe(part);
        lost += left.share;
        part_name(p, part);
        page_cell_number(p, part->fit, 0);
        page_cell_number(p, safe, 0);
        page_cell_number(p, part->fit - safe - left.share, half_of(left));
        page_cell_number(p, left.share, half_of(left));
        page_cell_number(p, half_of(left) > 0 ? left.lo : (double)NAN, half_of(left));
        page_cell_number(p, half_of(left) > 0 ? left.hi : (double)NAN, half_of(left));
        page_cell_share(p, fit > 0 ? left.share / fit : (double)NAN,
                        fit > 0 ? half_of(left) / fit : 0);
        page_end_row(p);
    }
    page_end_table(p);
    double dangerous = all.share < 1 ? lost / (1 - all.share) : 0;
    lo = dangerous * (1 - all.hi);
    hi = dangerous * (1 - all.lo);
    fl_buf_printf(&p->html, "<p>Of %.4g FIT of these parts, <b>%.4g FIT</b> are residual", fit,
                  lost);
    if (hi > lo)
        fl_buf_printf(&p->html, " (%.4g to %.4g)", lo, hi);
    if (fit > 0)
        fl_buf_printf(&p->html,
                      ", <b>%.4g&#8239;%%</b>: of these parts alone, 1 - SPFM where the tests run "
                      "within the FTTI as the mechanism "
                      "against single-point faults; 1 - LFM where they run against latent faults "
                      "and another mechanism covers "
                      "all single-point faults",
                      100 * lost / fit);
    fl_buf_printf(&p->html, ". Metrics of an item are sums over all of its hardware.</p>\n");
    fl_buf_printf(&p->html,
                  "<p class=\"n\">Base rates: the file of --rates, SHA-256 %s. Parts without a "
                  "rate are in no sum of FIT.</p>\n",
                  e->rates_sha256);
}

/* ---- proofs, model, provenance ----------------------------------------------------------------- */

static void proofs(struct page *p, const struct evidence *e)
{
    page_heading(p, 2, "Proofs");
    page_head(p, "*file|*about|*command|*sha256");
    for (int i = 0; i < e->proofs; i++) {
        const struct evidence_proof *of = &e->proof[i];
        char *about = of->text.size ? fl_strdup(of->of) : fl_format("netlist %.16s", of->of);
        page_cell_text(p, of->name);
        page_cell_text(p, about);
        page_cell_text(p, of->command);
        page_cell_text(p, of->sha256);
        page_end_row(p);
        free(about);
    }
    if (!page_end_table(p))
        page_say(p, "No fault of these parts is claimed to be safe.");
    else
        page_say(p, "Proofs of cells (proof-*.txt) were run again for this page and lie beside it. "
                    "Verdicts on gates are read from the "
                    "files of --proofs; each is bound to its netlist by a digest.");
}

static void model(struct page *p)
{
    page_heading(p, 2, "The model");
    page_say(p, "The machine is a model of a G80 streaming multiprocessor. Its structures follow "
                "public documents; its logic and the "
                "netlists of its units are Faultline's own. So the shares on this page do not "
                "transfer to another chip: another chip has "
                "other structures, another netlist, and other shares of safe and residual faults. "
                "The method and the tests of "
                "architectural cells may transfer; the figures have to be made again there.");
    page_say(p, "Covered: permanent faults of storage cells and of gates (classes of equivalent "
                "faults, each counted once), one at a time, from the "
                "first cycle on. Not covered: wires, "
                "clock, supply, analogue parts, dependent failures, faults outside the SM, "
                "transient and intermittent faults.");
    page_say(p, "The page is no safety assessment and the tool is not qualified; "
                "docs/explain/safety.md and docs/explain/qualification.md "
                "say what can be cited.");
}

/* "sched,flow" of " netlist=sched:4bb6...,flow:dc4b... engine=rtl". Caller frees. */
static char *units_of(const char *made)
{
    struct fl_buf out = {0};
    const char *at = strstr(made, " netlist=");
    for (at = at ? at + strlen(" netlist=") : ""; *at && *at != ' '; at += strcspn(at, ", ")) {
        at += *at == ',';
        fl_buf_printf(&out, "%s%.*s", out.size ? "," : "", (int)strcspn(at, ":"), at);
    }
    fl_buf_add(&out, "", 1);
    return (char *)out.data;
}

static void command(struct page *p, const struct evidence_source *s, int number)
{
    static const char *const same[] = {"detect", "drop",
                                       "detect-timing"}; /* words of the line and options */
    const struct result *r = s->result;
    const char *model = r->part[0].model;
    bool gates = strcmp(model, "gate") == 0;
    uint64_t sample = made_number(s->made, "sample"), seed = made_number(s->made, "seed");
    char *targets = gates ? units_of(s->made) : result_targets(r);
    struct fl_buf line = {0}, lines = {0};
    fl_buf_printf(&line, "faultsim %s --%s %s", model, gates ? "unit" : "target", targets);
    if (gates && strchr(r->part[0].target, '.') && strstr(s->made, " sp="))
        fl_buf_printf(&line, " --sp %llu", (unsigned long long)made_number(s->made, "sp"));
    if (made_says(s->made, "faults=transition"))
        fl_buf_printf(&line, " --model transition");
    if (strcmp(r->part[0].engine, "c") != 0)
        fl_buf_printf(&line, " --engine %s", r->part[0].engine);
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (made_says(s->made, same[i]))
            fl_buf_printf(&line, " --%s", same[i]);
    if (made_number(s->made, "list"))
        fl_buf_printf(&line, " --faults LIST");
    if (sample)
        fl_buf_printf(&line, " --sample %llu --seed %llu", (unsigned long long)sample,
                      (unsigned long long)seed);
    fl_buf_printf(&line, " --store campaign%d.db", number);
    for (int j = 0; j < r->njobs; j++)
        fl_buf_printf(&line, " %s.job.xml", r->job[j].name);
    fl_buf_add(&line, "", 1);
    made_csv(s->made, r->job, r->njobs, &lines);
    fl_buf_add(&lines, "", 1);
    fl_buf_printf(&p->html, "<pre>");
    page_escaped(p, (char *)line.data);
    fl_buf_printf(&p->html, "\n");
    page_escaped(p, (char *)lines.data);
    fl_buf_printf(&p->html, "</pre>\n");
    free(targets);
    fl_buf_free(&line);
    fl_buf_free(&lines);
}

static void campaigns(struct page *p, const struct evidence *e)
{
    page_heading(p, 2, "Campaigns");
    page_say(p, "Each campaign as a command, and below it what identifies it: version, revision, "
                "options, number and hash of its faults, "
                "digests of machine, code, inputs and outputs. Where the target was a pattern or a "
                "list, give that one; number and hash "
                "must be the same.");
    for (int s = 0; s < e->sources; s++)
        command(p, &e->source[s], s + 1);
    fl_buf_printf(&p->html, "<p class=\"n\">Then: faultsim report --evidence DIR");
    for (int s = 0; s < e->sources; s++)
        fl_buf_printf(&p->html, " campaign%d.db", s + 1);
    for (int i = 0; i < e->proofs; i++)
        if (!e->proof[i].text.size) {
            fl_buf_printf(&p->html, " --proofs ");
            page_escaped(p, e->proof[i].name);
        }
    if (e->interval_ms > 0)
        fl_buf_printf(&p->html, " --interval %g", e->interval_ms);
    fl_buf_printf(&p->html, "%s</p>\n", *e->rates_sha256 ? " --rates FILE" : "");
}

void evidence_html(const struct evidence *e, const char *made, struct fl_buf *out)
{
    struct page p;
    char *title = fl_format("Evidence for the self-tests of an SM, machine %s",
                            e->source[0].result->job[0].profile);
    page_open_titled(&p, title, made);
    page_begin(&p);
    summary(&p, e);
    page_contents(&p);
    picture(&p, e);
    parts(&p, e);
    missing(&p, e);
    means(&p, e);
    assumptions(&p, e);
    tests(&p, e);
    rates(&p, e);
    proofs(&p, e);
    model(&p);
    campaigns(&p, e);
    page_end(&p, out);
    free(title);
}
