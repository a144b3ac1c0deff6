/* figures.c -- diagnostic coverage, sums and failure rates. See evidence.h. */
#include "evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "faultsim/faults/fault.h"
#include "faultsim/result/estimate.h"
#include "sm/job/job.h"

char *evidence_sum_name(const struct evidence *e, enum evidence_sum sum)
{
    static const char *const of[EVIDENCE_SUMS] = {"cells of ", "gates of ", ""};
    int parts = 0;
    for (int i = 0; i < e->parts; i++)
        parts += evidence_in_sum(&e->part[i], sum);
    return fl_format("%s%d part%s%s", of[sum], parts, parts == 1 ? "" : "s",
                     sum == EVIDENCE_RATES ? " by rate" : "");
}

/* ---- a part ------------------------------------------------------------------------------------ */

static uint64_t shown_by(const struct evidence_part *p, unsigned means)
{
    uint64_t n = 0;
    for (unsigned set = 0; set <= EVIDENCE_ANY; set++)
        n += set & means ? p->by[set] : 0;
    return n;
}

struct evidence_share evidence_testable(const struct evidence *e, const struct evidence_part *p,
                                        unsigned means)
{
    const struct result *r = e->source[p->source].result;
    if (!p->testable)
        return (struct evidence_share){(double)NAN, (double)NAN, (double)NAN};
    if (!p->drawn) /* all drawn ones are proved: nothing is known of the others */
        return (struct evidence_share){0, 0, means ? 1 : 0};
    uint64_t n = shown_by(p, means);
    double share = (double)n / (double)p->drawn;
    struct stats_interval at = {share, share};
    if (p->testable > p->drawn)
        at = stats_wilson_of(n, p->drawn, p->testable, r->part[0].confidence);
    return (struct evidence_share){share, at.lo, at.hi};
}

static uint64_t dangerous(const struct evidence_part *p, bool if_end)
{
    return p->testable + p->unsimulated + (if_end ? 0 : p->if_ends);
}

static struct evidence_share scaled(struct evidence_share s, double by)
{
    return (struct evidence_share){s.share * by, s.lo * by, s.hi * by};
}

static struct evidence_share detected(const struct evidence *e, const struct evidence_part *p,
                                      unsigned means, bool if_end)
{
    uint64_t of = dangerous(p, if_end);
    if (of && !p->testable)
        return (struct evidence_share){0, 0, 0};
    return scaled(evidence_testable(e, p, means),
                  of ? (double)p->testable / (double)of : (double)NAN);
}

struct evidence_share evidence_detected(const struct evidence *e, const struct evidence_part *p,
                                        unsigned means)
{
    return detected(e, p, means, false);
}

double evidence_first(const struct evidence *e, const struct evidence_part *p, int means)
{
    unsigned before = (1u << means) - 1;
    return evidence_detected(e, p, before | 1u << means).share -
           evidence_detected(e, p, before).share;
}

/* ---- sums -------------------------------------------------------------------------------------- */

bool evidence_in_sum(const struct evidence_part *p, enum evidence_sum sum)
{
    if (strcmp(p->model, "memory") == 0 || p->transition)
        return false;
    return sum == EVIDENCE_RATES ? !isnan(p->fit) : p->gates == (sum == EVIDENCE_GATES);
}

static bool drawn_together(const struct evidence *e, const struct evidence_part *a,
                           const struct evidence_part *b)
{
    const struct result *r = e->source[a->source].result;
    size_t n = estimate_draw(r, a->target);
    return a->source == b->source && n == estimate_draw(r, b->target) &&
           strncmp(a->target, b->target, n) == 0;
}

static double weight_of(const struct evidence_part *p, enum evidence_sum sum, bool if_end)
{
    double n = (double)dangerous(p, if_end);
    return sum == EVIDENCE_RATES && p->faults ? p->fit * n / (double)p->faults : n;
}

/* Parts of one draw add up end by end, as they may have their errors in common; draws are independent. */
bool evidence_total(const struct evidence *e, enum evidence_sum sum, unsigned means, bool if_end,
                    struct evidence_share *out)
{
    struct stats_share *draw = fl_alloc((size_t)e->parts * sizeof *draw);
    int draws = 0, *of = fl_alloc((size_t)e->parts * sizeof *of);
    double all = 0, share = 0;
    for (int i = 0; i < e->parts; i++) {
        const struct evidence_part *p = &e->part[i];
        double w = evidence_in_sum(p, sum) ? weight_of(p, sum, if_end) : 0;
        of[i] = -1;
        if (w <= 0)
            continue;
        struct evidence_share s = detected(e, p, means, if_end);
        for (int k = 0; k < i && of[i] < 0; k++)
            of[i] = of[k] >= 0 && drawn_together(e, p, &e->part[k]) ? of[k] : -1;
        if (of[i] < 0)
            draw[of[i] = draws++] = (struct stats_share){1, 0, {0, 0}};
        struct stats_share *to = &draw[of[i]];
        to->share += w * s.share;
        to->at.lo += w * s.lo;
        to->at.hi += w * s.hi;
        all += w;
        share += w * s.share;
    }
    struct stats_interval at = stats_sum(draw, draws);
    *out = (struct evidence_share){share / all, at.lo / all, at.hi / all};
    free(draw);
    free(of);
    return draws > 0;
}

/* ---- rates ------------------------------------------------------------------------------------- */

struct rate {
    char part[64], per[16];
    double fit;
    uint64_t count;
    bool used;
};

static int read_rate(char *line, const char *path, int number, struct rate *out, struct fl_err *err)
{
    char fit[32], count[24], more[2], *end, *tail;
    int n = sscanf(line, "%63s %31s %15s %23s %1s", out->part, fit, out->per, count, more);
    out->fit = n >= 3 ? strtod(fit, &end) : -1;
    out->count = n == 4 ? strtoull(count, &tail, 10) : 0;
    bool good = n >= 3 && n <= 4 && *end == 0 && out->fit >= 0 && isfinite(out->fit) &&
                (n == 3 || (*tail == 0 && out->count > 0));
    if (good && strcmp(out->per, "gate") == 0)
        good = n == 4;
    else if (good)
        good = n == 3 && (strcmp(out->per, "Mbit") == 0 || strcmp(out->per, "unit") == 0);
    return good ? 0
                : fl_fail_at(err, path, (uint32_t)number,
                             "give PART FIT Mbit, PART FIT unit, or PART FIT gate GATES, as in "
                             "'cells 50 Mbit'");
}

/* A line for a part itself, or for all cells or gates without one. */
static int use_rate(struct evidence *e, struct rate *r, const char *path, int number,
                    struct fl_err *err)
{
    bool cells = strcmp(r->part, "cells") == 0;
    if (cells && strcmp(r->per, "Mbit") != 0)
        return fl_fail_at(err, path, (uint32_t)number, "cells have a rate per Mbit");
    for (int i = 0; i < e->parts; i++) {
        struct evidence_part *p = &e->part[i];
        if (p->transition || strcmp(p->model, "memory") == 0 ||
            (cells ? p->gates || !isnan(p->fit) : strcmp(p->name, r->part) != 0))
            continue;
        if (p->gates != (strcmp(r->per, "gate") == 0) && strcmp(r->per, "unit") != 0)
            return fl_fail_at(err, path, (uint32_t)number, "%s has a rate per %s or unit", p->name,
                              p->gates ? "gate" : "Mbit");
        if (!isnan(p->fit))
            return fl_fail_at(err, path, (uint32_t)number, "%s has a rate already", p->name);
        p->fit = strcmp(r->per, "Mbit") == 0   ? r->fit * (double)p->faults / 2 / (1 << 20)
                 : strcmp(r->per, "gate") == 0 ? r->fit * (double)r->count
                                               : r->fit;
        r->used = true;
    }
    return r->used || cells ? 0
                            : fl_fail_at(err, path, (uint32_t)number,
                                         "no store has stuck-at faults of %s", r->part);
}

int evidence_rates(struct evidence *e, const char *path, struct fl_err *err)
{
    struct fl_buf text = {0};
    uint8_t digest[32];
    int rates = 0, bad = fl_read_text(path, &text, err);
    if (!bad) {
        job_sha256(&(struct job_range){text.data, text.size}, 1, digest);
        fl_hex(digest, sizeof digest, e->rates_sha256);
    }
    for (int pass = 0; pass < 2 && !bad; pass++) { /* of cells last: what has no rate of its own */
        char *copy = fl_format("%s", (char *)text.data), *rest = copy, *line;
        for (int number = 0; !bad && (line = fsim_list_line(&rest, &number));) {
            struct rate r = {.count = 0};
            bad = read_rate(line, path, number, &r, err);
            if (!bad && (strcmp(r.part, "cells") == 0) == (pass == 1))
                bad = use_rate(e, &r, path, number, err);
            rates++;
        }
        free(copy);
    }
    if (!bad && !rates)
        bad = fl_fail(err, "%s: has no rate; give lines as 'cells 50 Mbit', or leave --rates out",
                      path);
    fl_buf_free(&text);
    return bad;
}

double evidence_fit_safe(const struct evidence_part *p)
{
    return p->fit * (double)p->safe / (double)p->faults;
}

struct evidence_share evidence_fit_residual(const struct evidence *e, const struct evidence_part *p,
                                            unsigned means)
{
    double of = weight_of(p, EVIDENCE_RATES, false);
    struct evidence_share s = detected(e, p, means, false);
    return of > 0 ? (struct evidence_share){of * (1 - s.share), of * (1 - s.hi), of * (1 - s.lo)}
                  : (struct evidence_share){p->fit * 0, p->fit * 0, p->fit * 0};
}

double evidence_fit(const struct evidence *e)
{
    double sum = 0;
    for (int i = 0; i < e->parts; i++)
        sum += evidence_in_sum(&e->part[i], EVIDENCE_RATES) ? e->part[i].fit : 0;
    return sum;
}

double evidence_ms(const struct evidence_test *t)
{
    return (double)t->cycles / (t->job->clock_mhz * 1e3);
}
