/* compact.c -- chooses and orders the parts of a self-test.
 *
 * Choosing is a set cover with costs (partial, when a coverage is asked for): a greedy choice
 * first, then branch and bound, which proves the minimum when it comes to its end within NODES
 * steps. Faults that the same parts detect are one *class* with a weight, so a matrix of thousands
 * of faults is mostly a problem of a few hundred.
 *
 * Ordering: each fault waits until the first part that detects it has ended; the sum of these times
 * is to be small. For up to EXACT parts all subsets are gone through, else the part with the most
 * new faults per cycle goes next.
 *
 * Whatever is chosen is checked against the matrix itself, fault by fault, before it is handed out.
 */
#include "compact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 20000, EXACT = 14 };

/* ---- classes --------------------------------------------------------------------------------- */

struct cover {
    int nparts;
    long nclasses, words;
    uint64_t **has; /* [part]: a bit per class */
    double *weight; /* [class]: faults */
};

struct column { /* which parts detect one fault */
    const struct sbst_matrix *m;
    long row;
};

static bool detects(const struct sbst_part *p, long row)
{
    return p->detects[row / 64] >> row % 64 & 1;
}

static int compare_columns(const void *a, const void *b)
{
    const struct column *x = a, *y = b;
    for (int i = 0; i < x->m->nparts; i++) {
        int d = detects(&x->m->part[i], x->row) - detects(&x->m->part[i], y->row);
        if (d)
            return d;
    }
    return 0;
}

static void make_cover(const struct sbst_matrix *m, struct cover *c)
{
    struct column *col = fl_alloc((size_t)m->rows * sizeof *col);
    for (long r = 0; r < m->rows; r++)
        col[r] = (struct column){m, r};
    qsort(col, (size_t)m->rows, sizeof *col, compare_columns);
    *c = (struct cover){.nparts = m->nparts, .words = (m->rows + 63) / 64};
    c->weight = fl_alloc((size_t)m->rows * sizeof *c->weight);
    c->has = fl_alloc((size_t)m->nparts * sizeof *c->has);
    for (int i = 0; i < m->nparts; i++)
        c->has[i] = fl_alloc((size_t)c->words * sizeof **c->has);
    for (long r = 0; r < m->rows; r++) {
        if (r == 0 || compare_columns(&col[r - 1], &col[r]) != 0) {
            for (int i = 0; i < m->nparts; i++)
                c->has[i][c->nclasses / 64] |= (uint64_t)detects(&m->part[i], col[r].row)
                                               << c->nclasses % 64;
            c->nclasses++;
        }
        c->weight[c->nclasses - 1] += m->weight[col[r].row];
    }
    c->words = (c->nclasses + 63) / 64;
    free(col);
}

static void free_cover(struct cover *c)
{
    for (int i = 0; i < c->nparts; i++)
        free(c->has[i]);
    free(c->has);
    free(c->weight);
}

/* Faults of the part that are not covered yet. */
static double gain(const struct cover *c, int part, const uint64_t *covered)
{
    double sum = 0;
    for (long w = 0; w < c->words; w++)
        for (uint64_t b = c->has[part][w] & ~covered[w]; b; b &= b - 1)
            sum += c->weight[w * 64 + __builtin_ctzll(b)];
    return sum;
}

static void add_part(const struct cover *c, int part, uint64_t *covered)
{
    for (long w = 0; w < c->words; w++)
        covered[w] |= c->has[part][w];
}

/* ---- choosing -------------------------------------------------------------------------------- */

struct solver {
    const struct cover *c;
    double *cost;
    bool *usable, *open, *chosen, *best; /* by part */
    double best_cost, target,
        slack; /* weights are sums of shares: `slack` is less than one fault */
    long nodes;
    uint64_t *room; /* a covered set for each depth, and one more to try with */
};

static uint64_t *room_at(struct solver *s, int depth)
{
    return s->room + (long)depth * (s->c->words + 1);
}

/* What all parts that may still be taken can bring. */
static double reach(struct solver *s, const uint64_t *covered)
{
    uint64_t *all = room_at(s, s->c->nparts + 1);
    double sum = 0;
    memcpy(all, covered, (size_t)s->c->words * sizeof *all);
    for (int i = 0; i < s->c->nparts; i++)
        if (s->open[i])
            add_part(s->c, i, all);
    for (long w = 0; w < s->c->words; w++)
        for (uint64_t b = all[w] & ~covered[w]; b; b &= b - 1)
            sum += s->c->weight[w * 64 + __builtin_ctzll(b)];
    return sum;
}

struct offer {
    int part;
    double gain, price; /* of a fault */
};

static int by_price(const void *a, const void *b)
{
    const struct offer *x = a, *y = b;
    return x->price != y->price ? (x->price < y->price ? -1 : 1) : x->part - y->part;
}

static int make_offers(const struct solver *s, const uint64_t *covered, struct offer *o)
{
    int n = 0;
    for (int i = 0; i < s->c->nparts; i++) {
        double g = s->open[i] ? gain(s->c, i, covered) : 0;
        if (g > 0)
            o[n++] = (struct offer){i, g, s->cost[i] / g};
    }
    qsort(o, (size_t)n, sizeof *o, by_price);
    return n;
}

/* No choice from here costs less: each part brings at most its gain now, so take the cheapest
 * faults, the last part in part. */
static double least_cost(const struct solver *s, const struct offer *o, int n, double missing)
{
    double cost = 0;
    for (int i = 0; i < n && missing > s->slack; i++) {
        double share = o[i].gain > missing ? missing / o[i].gain : 1;
        cost += share * s->cost[o[i].part];
        missing -= o[i].gain;
    }
    return cost * (1 - 1e-12);
}

static void keep_if_cheaper(struct solver *s, double cost)
{
    if (cost >= s->best_cost)
        return;
    s->best_cost = cost;
    memcpy(s->best, s->chosen, (size_t)s->c->nparts * sizeof *s->best);
}

static void search(struct solver *s, int depth, double cost, double missing)
{
    const uint64_t *covered = room_at(s, depth);
    if (missing <= s->slack) {
        keep_if_cheaper(s, cost);
        return;
    }
    if (++s->nodes > NODES || reach(s, covered) < missing - s->slack)
        return;
    struct offer *o = fl_alloc((size_t)s->c->nparts * sizeof *o);
    int n = make_offers(s, covered, o);
    if (cost + least_cost(s, o, n, missing) < s->best_cost) {
        int part = o[0].part;
        uint64_t *next = room_at(s, depth + 1);
        memcpy(next, covered, (size_t)s->c->words * sizeof *next);
        add_part(s->c, part, next);
        s->open[part] = false;
        s->chosen[part] = true;
        search(s, depth + 1, cost + s->cost[part], missing - o[0].gain);
        s->chosen[part] = false;
        memcpy(next, covered, (size_t)s->c->words * sizeof *next);
        search(s, depth + 1, cost, missing);
        s->open[part] = true;
    }
    free(o);
}

/* The cheapest offer again and again, then without what has become superfluous. */
static void choose_greedily(struct solver *s)
{
    struct offer *o = fl_alloc((size_t)s->c->nparts * sizeof *o);
    uint64_t *covered = room_at(s, 0);
    double missing = s->target;
    while (missing > s->slack) {
        make_offers(s, covered, o); /* there is one: the goal can be reached */
        add_part(s->c, o[0].part, covered);
        s->open[o[0].part] = false;
        s->chosen[o[0].part] = true;
        missing -= o[0].gain;
    }
    free(o);
    for (int i = 0; i < s->c->nparts; i++) {
        if (!s->chosen[i])
            continue;
        double have = 0;
        memset(covered, 0, (size_t)s->c->words * sizeof *covered);
        for (int k = 0; k < s->c->nparts; k++)
            if (s->chosen[k] && k != i) {
                have += gain(s->c, k, covered);
                add_part(s->c, k, covered);
            }
        s->chosen[i] = have < s->target - s->slack;
    }
    double cost = 0;
    for (int i = 0; i < s->c->nparts; i++)
        cost += s->chosen[i] ? s->cost[i] : 0;
    keep_if_cheaper(s, cost);
    memset(covered, 0, (size_t)s->c->words * sizeof *covered);
    memset(s->chosen, 0, (size_t)s->c->nparts * sizeof *s->chosen);
    memcpy(s->open, s->usable, (size_t)s->c->nparts * sizeof *s->open);
}

/* ---- ordering -------------------------------------------------------------------------------- */

/* Time that all faults wait together, for an order of the parts. */
static double waiting(const struct cover *c, const struct sbst_matrix *m, const int *part, int n)
{
    uint64_t *covered = fl_alloc((size_t)(c->words + 1) * sizeof *covered);
    double now = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        now += (double)m->part[part[i]].cycles;
        sum += now * gain(c, part[i], covered);
        add_part(c, part[i], covered);
    }
    free(covered);
    return sum;
}

static void order_greedily(const struct cover *c, const struct sbst_matrix *m, int *part, int n)
{
    uint64_t *covered = fl_alloc((size_t)(c->words + 1) * sizeof *covered);
    for (int i = 0; i < n; i++) {
        int best = i;
        double rate = -1;
        for (int k = i; k < n; k++) {
            double r = gain(c, part[k], covered) / ((double)m->part[part[k]].cycles + 1);
            if (r > rate) {
                rate = r;
                best = k;
            }
        }
        int taken = part[best];
        memmove(&part[i + 1], &part[i], (size_t)(best - i) * sizeof *part);
        part[i] = taken;
        add_part(c, taken, covered);
    }
    free(covered);
}

/* Over all subsets, smallest first: the cheapest way to have run just these. A part that runs last
 * makes all faults wait that the others have not found. */
static void order_exactly(const struct cover *c, const struct sbst_matrix *m, int *part, int n)
{
    size_t sets = (size_t)1 << n, words = (size_t)c->words + 1;
    uint64_t *covered = fl_alloc(sets * words * sizeof *covered);
    double *best = fl_alloc(sets * sizeof *best), *left = fl_alloc(sets * sizeof *left);
    uint8_t *last = fl_alloc(sets);
    uint64_t *none = fl_alloc(words * sizeof *none);
    for (int i = 0; i < n; i++) {
        left[0] += gain(c, part[i], none);
        add_part(c, part[i], none);
    }
    for (size_t set = 1; set < sets; set++) {
        int low = __builtin_ctzll(set);
        const uint64_t *before = &covered[(set & (set - 1)) * words];
        left[set] = left[set & (set - 1)] - gain(c, part[low], before);
        memcpy(&covered[set * words], before, words * sizeof *covered);
        add_part(c, part[low], &covered[set * words]);
        best[set] = INFINITY;
        for (int k = 0; k < n; k++) {
            size_t others = set & ~((size_t)1 << k);
            double sum = best[others] + (double)m->part[part[k]].cycles * left[others];
            if (others != set && sum < best[set]) {
                best[set] = sum;
                last[set] = (uint8_t)k;
            }
        }
    }
    int *order = fl_alloc((size_t)n * sizeof *order);
    for (size_t set = sets - 1, i = (size_t)n; i-- > 0; set &= ~((size_t)1 << last[set]))
        order[i] = part[last[set]];
    memcpy(part, order, (size_t)n * sizeof *part);
    free(order);
    free(none);
    free(last);
    free(left);
    free(best);
    free(covered);
}

/* ---- all together ---------------------------------------------------------------------------- */

/* What some parts detect, from the matrix itself. */
struct found {
    double faults;
    struct stats_interval share;
};

static bool is_found(const struct sbst_matrix *m, const int *part, int n, long row)
{
    for (int i = 0; i < n; i++)
        if (detects(&m->part[part[i]], row))
            return true;
    return false;
}

/* Each draw has an interval; those of several draws are joined as faultsim joins them. */
static struct stats_interval share_of(const struct sbst_matrix *m, const long *hits)
{
    const double confidence = 0.95;
    struct stats_share *share = fl_alloc((size_t)m->ndraws * sizeof *share);
    for (int i = 0; i < m->ndraws; i++) {
        const struct sbst_draw *d = &m->draw[i];
        share[i] = (struct stats_share){
            (double)d->of / m->faults, (double)hits[i] / (double)d->rows,
            stats_wilson_of((uint64_t)hits[i], (uint64_t)d->rows, (uint64_t)d->of, confidence)};
    }
    struct stats_interval at = stats_sum(share, m->ndraws);
    free(share);
    return at;
}

static struct found count_found(const struct sbst_matrix *m, const int *part, int n)
{
    struct found f = {.faults = 0};
    long *hits = fl_alloc((size_t)(m->ndraws + 1) * sizeof *hits);
    for (long r = 0; r < m->rows; r++)
        if (is_found(m, part, n, r)) {
            f.faults += m->weight[r];
            hits[m->ndraws ? m->draw_of[r] : 0]++;
        }
    f.share.lo = f.share.hi = f.faults / m->faults;
    if (m->ndraws)
        f.share = share_of(m, hits);
    free(hits);
    return f;
}

/* Faults to detect; -1 when the goal is out of reach. */
static double find_target(const struct sbst_matrix *m, const struct sbst_goal *goal,
                          const struct solver *s, struct fl_err *err)
{
    int *part = fl_alloc((size_t)m->nparts * sizeof *part), n = 0, all = 0;
    for (int i = 0; i < m->nparts; i++)
        if (s->usable[i])
            part[n++] = i;
    double can = count_found(m, part, n).faults, wanted = goal->coverage / 100 * m->faults;
    for (all = 0; all < m->nparts; all++)
        part[all] = all;
    double target = goal->coverage > 0 ? wanted : count_found(m, part, all).faults;
    const char *about = m->ndraws ? "an estimated " : "";
    free(part);
    if (can >= target - s->slack)
        return target;
    if (goal->slot)
        fl_fail(
            err,
            "--max-cycles %ld: the parts that fit detect %s%.0f of %.0f testable faults (%.2f %%), "
            "%.0f are needed; cut the self-test into smaller parts",
            goal->slot, about, can, m->faults, 100.0 * can / m->faults, ceil(target - s->slack));
    else
        fl_fail(err,
                "--coverage %g: all parts together detect %s%.0f of %.0f testable faults (%.2f "
                "%%); ask for less",
                goal->coverage, about, can, m->faults, 100.0 * can / m->faults);
    return -1;
}

static void choose(struct solver *s, const struct sbst_matrix *m, struct sbst_plan *out)
{
    choose_greedily(s);
    search(s, 0, 0, s->target);
    out->minimal = s->nodes <= NODES;
    out->part = fl_alloc((size_t)(m->nparts + 1) * sizeof *out->part);
    for (int i = 0; i < m->nparts; i++)
        if (s->best[i])
            out->part[out->count++] = i;
}

static void order(const struct cover *c, const struct sbst_matrix *m, struct sbst_plan *out)
{
    int n = out->count;
    out->best_order = n <= EXACT;
    if (out->best_order)
        order_exactly(c, m, out->part, n);
    else
        order_greedily(c, m, out->part, n);
    out->found = fl_alloc((size_t)(n + 1) * sizeof *out->found);
    out->share = fl_alloc((size_t)(n + 1) * sizeof *out->share);
    for (int i = 0; i < n; i++) {
        struct found f = count_found(m, out->part, i + 1);
        out->cycles += m->part[out->part[i]].cycles;
        out->found[i] = f.faults;
        out->share[i] = f.share;
    }
    out->mean = n ? waiting(c, m, out->part, n) / out->found[n - 1] : 0;
}

int sbst_compact(const struct sbst_matrix *m, const struct sbst_goal *goal, struct sbst_plan *out,
                 struct fl_err *err)
{
    struct cover c;
    size_t n = (size_t)m->nparts;
    double cycles = 1;
    *out = (struct sbst_plan){0};
    for (int i = 0; i < m->nparts; i++)
        cycles += (double)m->part[i].cycles;
    make_cover(m, &c);
    struct solver s = {.c = &c, .best_cost = INFINITY, .slack = 1e-10 * m->faults};
    s.cost = fl_alloc(n * sizeof *s.cost);
    s.usable = fl_alloc(n);
    s.open = fl_alloc(n);
    s.chosen = fl_alloc(n);
    s.best = fl_alloc(n);
    s.room = fl_alloc((n + 2) * (size_t)(c.words + 1) * sizeof *s.room);
    for (int i = 0; i < m->nparts; i++) { /* with slots a part less is worth any number of cycles */
        s.cost[i] = (double)m->part[i].cycles + (goal->slot ? cycles : 0);
        s.usable[i] = s.open[i] = !goal->slot || m->part[i].cycles <= goal->slot;
    }
    s.target = find_target(m, goal, &s, err);
    int status = s.target < 0;
    if (!status) {
        choose(&s, m, out);
        order(&c, m, out);
        double found = out->count ? out->found[out->count - 1] : 0;
        if (found < s.target - s.slack) { /* ours to answer for, not the user's */
            status = fl_fail(err, "internal: the kept parts detect %.0f faults, not %.0f", found,
                             s.target);
            sbst_plan_free(out);
        }
    }
    free(s.cost);
    free(s.usable);
    free(s.open);
    free(s.chosen);
    free(s.best);
    free(s.room);
    free_cover(&c);
    return status;
}

void sbst_plan_free(struct sbst_plan *p)
{
    free(p->part);
    free(p->found);
    free(p->share);
    *p = (struct sbst_plan){0};
}

/* ---- what is written ------------------------------------------------------------------------- */

int sbst_plan_schedule(const struct sbst_matrix *m, const struct sbst_plan *p, struct fl_buf *out,
                       struct fl_err *err)
{
    fl_buf_printf(out,
                  "part,job,launches,instructions,cycles,bytes,sha256,new_faults,detected,"
                  "testable_fc_pct%s\n",
                  m->ndraws ? ",testable_fc_pct_lo,testable_fc_pct_hi" : "");
    for (int i = 0; i < p->count; i++) {
        const struct sbst_part *part = &m->part[p->part[i]];
        if (strpbrk(part->file, ",\"\r\n"))
            return fl_fail(err,
                           "%s: a schedule takes no comma, quotation mark or end of a line in the "
                           "name of a job's file; rename it and write the matrix again",
                           part->file);
        fl_buf_printf(out, "%d,%s,%ld,%ld,%ld,%ld,%s,%.0f,%.0f,%.2f", i + 1, part->file,
                      part->launches, part->instructions, part->cycles, part->bytes, part->sha256,
                      p->found[i] - (i ? p->found[i - 1] : 0), p->found[i],
                      100.0 * p->found[i] / m->faults);
        if (m->ndraws)
            fl_buf_printf(out, ",%.2f,%.2f", 100 * p->share[i].lo, 100 * p->share[i].hi);
        fl_buf_printf(out, "\n");
    }
    return 0;
}

void sbst_plan_print(const struct sbst_matrix *m, const struct sbst_plan *p, struct fl_buf *out)
{
    long cycles = 0;
    double found = p->count ? p->found[p->count - 1] : 0;
    for (int i = 0; i < m->nparts; i++)
        cycles += m->part[i].cycles;
    fl_buf_printf(out,
                  "kept %d of %d parts, %ld of %ld cycles: %s%.0f of %.0f testable faults (%.2f %%",
                  p->count, m->nparts, p->cycles, cycles, m->ndraws ? "an estimated " : "", found,
                  m->faults, 100.0 * found / m->faults);
    if (m->ndraws && p->count)
        fl_buf_printf(out, ", %.2f to %.2f at 95 %%, by a sample of %ld",
                      100 * p->share[p->count - 1].lo, 100 * p->share[p->count - 1].hi, m->rows);
    fl_buf_printf(
        out, ")\nchoice: %s%s; order: %s%s, a fault is detected after %.0f cycles on average\n",
        p->minimal ? "proved minimal" : "the best that was found, not proved minimal",
        m->ndraws ? " for the faults drawn" : "", p->best_order ? "proved best" : "greedy",
        m->ndraws ? " by the estimates" : "", p->mean);
    int dropped = 0;
    for (int i = 0; i < m->nparts; i++) {
        int k = 0;
        while (k < p->count && p->part[k] != i)
            k++;
        if (k == p->count && dropped++ < 8)
            fl_buf_printf(out, "%s%s", dropped == 1 ? "dropped: " : " ", m->part[i].name);
    }
    if (dropped > 8)
        fl_buf_printf(out, " and %d more", dropped - 8);
    if (dropped)
        fl_buf_printf(out, "\n");
}
