/* check.c -- whether a store that has been loaded adds up: sums against what they sum up, units
 * against sums, injections against both. The digest (digest.c) finds accidents; this finds a writer
 * that was wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "faultsim/faults/fault.h"
#include "faultsim/result/words.h"
#include "internal.h"

static uint64_t sum(const uint64_t *v, int n)
{
    uint64_t all = 0;
    for (int i = 0; i < n; i++)
        all = v[i] > UINT64_MAX - all ? UINT64_MAX : all + v[i];
    return all;
}

/* Of one launch; no sum of a few counts runs over (load.c), and no product does here. */
static bool tally_adds_up(const struct tally *t, enum tally_method method)
{
    bool sample = method != METHOD_EXACT && method != METHOD_ACE;
    uint64_t failed = tally_failed(t);
    uint64_t wrong = sum(t->extent, EXTENT_BY_1E_4); /* none in what was an earlier format */
    uint64_t counted = sum(t->extent + EXTENT_VALUE, EXTENT_BITS - EXTENT_VALUE);
    return (unsigned __int128)t->bits * t->cycles == t->population && t->owned <= t->population &&
           sum(t->outcome, OUT_COUNT) == t->counted && sum(t->reason, REASON_COUNT) == t->counted &&
           t->reason[REASON_FAILS] == failed && t->owned_counted <= t->counted &&
           t->owned_failed <= t->owned_counted && t->owned_failed <= failed &&
           wrong <= t->outcome[OUT_SDC] &&
           wrong == sum(t->extent + EXTENT_BY_1E_4, EXTENT_VALUE - EXTENT_BY_1E_4) &&
           counted <= wrong &&
           counted == sum(t->extent + EXTENT_WRITERS, EXTENT_COUNT - EXTENT_WRITERS) &&
           counted - t->extent[EXTENT_VALUE_UNWRITTEN] ==
               sum(t->extent + EXTENT_BITS, ANATOMY_BITS) &&
           t->ace <= t->population && (method == METHOD_ACE || t->ace == 0) &&
           (method != METHOD_ACE || t->counted == 0) &&
           (method != METHOD_EXACT || t->counted <= t->population) &&
           (sample ? t->not_run + t->runs == t->counted : t->not_run == 0);
}

static uint64_t capped(uint64_t a, uint64_t b)
{
    return sum((uint64_t[]){a, b}, 2);
}

/* Buckets and instructions against the launches together. A flip in one kernel may be read by
 * another. */
static bool places_add_up(const struct result_job *job, const struct result_part *p,
                          const struct tally *all)
{
    struct moment m = {0};
    uint64_t site[SITE_ROLES][OUT_COUNT] = {{0}};
    for (int b = 0; b < job->timeline.buckets; b++) {
        const uint64_t *v = (const uint64_t *)&p->moment[b];
        uint64_t *to = (uint64_t *)&m; /* all members are uint64_t: sites.h */
        for (size_t i = 0; i < sizeof m / sizeof *to; i++)
            to[i] = capped(to[i], v[i]);
    }
    for (int i = 0; i < p->sites.count; i++) {
        const struct site *at = &p->sites.site[i];
        for (int o = 0; o < OUT_COUNT; o++)
            site[at->role][o] = capped(site[at->role][o], at->outcome[o]);
    }
    bool exact = p->method == METHOD_EXACT, good = m.ace == all->ace && m.owned == all->owned;
    for (int o = 0; o < OUT_COUNT; o++)
        good = good && site[SITE_READER][o] <= all->outcome[o] &&
               site[SITE_WRITER][o] <= all->outcome[o] &&
               (m.outcome[o] == all->outcome[o] || (exact && o == OUT_MASKED && m.outcome[o] == 0));
    return good && m.owned_failed == all->owned_failed &&
           (exact ? m.owned_counted == 0 : m.owned_counted == all->owned_counted);
}

/* Flips of the units that are done. */
static uint64_t flips_done(const struct store *s, int part)
{
    const struct result_part *p = &s->result.part[part];
    bool last = p->units && store_units_has(&s->done[part], p->units - 1);
    return s->done[part].count * p->cut - (last ? p->units * p->cut - p->flips : 0);
}

/* Of all kernels together: a kernel's own has the cycles between its launch's last commit and the
 * next launch's first, a launch's has not (record/accesses.c), so that a short kernel may have less
 * than its launches. */
static uint64_t warp_cycles(const struct result_job *job)
{
    uint64_t all = 0;
    for (int k = 0; k < job->nkernels; k++)
        all = capped(all, job->kernel[k].warp_cycles);
    return all;
}

/* Every fault of a launch was in one of the SMs. */
static bool sms_add_up(const struct result_job *job, const struct result_part *p, int launch)
{
    const struct tally *all = &p->tally[launch];
    struct tally sum = {0};
    for (int i = 0; i < p->sms; i++) {
        const struct tally *t = &p->tally[(1 + i) * job->nlaunches + launch];
        if (!tally_adds_up(t, p->method) || t->cycles != all->cycles)
            return false;
        sum.population = capped(sum.population, t->population);
        sum.owned = capped(sum.owned, t->owned);
        sum.counted = capped(sum.counted, t->counted);
        sum.ace = capped(sum.ace, t->ace);
    }
    return !p->sms || (sum.population == all->population && sum.owned == all->owned &&
                       sum.counted == all->counted && sum.ace == all->ace);
}

static int check_part(const struct store *s, int part, struct fl_err *err)
{
    const struct result_part *p = &s->result.part[part];
    const struct result_job *job = &s->result.job[p->job];
    struct tally all = {0};
    bool good = true, whole = s->done[part].count == p->units;
    for (int i = 0; i < job->nlaunches && good; i++) {
        const struct tally *t = &p->tally[i];
        good = tally_adds_up(t, p->method) && t->cycles <= job->launch[i].cycles &&
               (p->method != METHOD_EXACT || !whole || t->counted == t->population);
        tally_add(&all, t);
        good = good && sms_add_up(job, p, i);
    }
    if (!good || all.warp_cycles > warp_cycles(job) || !places_add_up(job, p, &all))
        return store_damaged(s, err, "the sums of part %d (%s) do not add up", part, p->target);
    /* --active-only gives a flip up when it finds nothing that is owned. */
    bool sample = p->method != METHOD_EXACT && p->method != METHOD_ACE;
    uint64_t flips = sample ? flips_done(s, part) : 0;
    if (sample && (all.counted > flips || (all.counted < flips && !p->active_only)))
        return store_damaged(s, err, "part %d (%s) has counted %llu of the %llu flips it has done",
                             part, p->target, (unsigned long long)all.counted,
                             (unsigned long long)flips);
    return 0;
}

/* ---- injections ------------------------------------------------------------------------------ */

/* Of a part: how many of its rows are untestable, and do not say; the length of its job's list. */
struct listed {
    uint64_t proved, unknown, faults;
};

static const uint64_t MOST_FAULTS = 1ull << INJECTION_PART;

/* NULL, or one of the job's list. */
static bool place_known(const struct listed *l, sqlite3_stmt *q, int at)
{
    uint64_t place = (uint64_t)sqlite3_column_int64(q, at);
    return sqlite3_column_type(q, at) == SQLITE_NULL ||
           (sqlite3_column_type(q, at) == SQLITE_INTEGER && place >= 1 && place <= l->faults);
}

/* Each injection is taken off the sums of its part (left[part][kernel][outcome]); in the end
 * nothing is left. So with those that are untestable. */
static bool take_off(const struct store *s, sqlite3_stmt *q, uint64_t (**left)[OUT_COUNT],
                     struct listed *list)
{
    uint64_t key = (uint64_t)sqlite3_column_int64(q, 0), part = key >> INJECTION_PART;
    uint64_t number = key & INJECTION_NUMBER;
    if (part >= (uint64_t)s->result.nparts)
        return false;
    const struct result_part *p = &s->result.part[part];
    sqlite3_int64 kernel = sqlite3_column_int64(q, 1);
    int outcome = store_kind(&s->outcomes, sqlite3_column_int64(q, 2));
    if (sqlite3_column_type(q, 1) != SQLITE_INTEGER || sqlite3_column_type(q, 2) != SQLITE_INTEGER)
        return false;
    for (int c = 3; c < 5; c++)
        if (sqlite3_column_type(q, c) != SQLITE_NULL && sqlite3_column_int64(q, c) < 0)
            return false;
    if (sqlite3_column_type(q, 5) != SQLITE_INTEGER || sqlite3_column_int64(q, 5) < 0 ||
        sqlite3_column_int64(q, 5) > UINT32_MAX ||
        (sqlite3_column_type(q, 6) != SQLITE_NULL &&
         !(sqlite3_column_type(q, 6) == SQLITE_FLOAT && sqlite3_column_double(q, 6) >= 0)))
        return false;
    if (!fsim_id_is_one(column(q, 9)) || !fl_is_text(column(q, 10)))
        return false;
    if (sqlite3_column_type(q, 11) != SQLITE_NULL &&
        (sqlite3_column_type(q, 11) != SQLITE_INTEGER || sqlite3_column_int64(q, 11) < 0 ||
         sqlite3_column_int64(q, 11) > sqlite3_column_int64(q, 5)))
        return false;
    sqlite3_int64 proved = sqlite3_column_int64(q, 8);
    bool known = sqlite3_column_type(q, 8) != SQLITE_NULL;
    if ((known && (sqlite3_column_type(q, 8) != SQLITE_INTEGER || (proved != 0 && proved != 1))) ||
        !place_known(&list[part], q, 7))
        return false;
    list[part].proved += known && proved;
    list[part].unknown += !known;
    return p->cut && number < p->flips && store_units_has(&s->done[part], number / p->cut) &&
           kernel >= 0 && kernel < s->result.job[p->job].nkernels && outcome >= 0 &&
           left[part][kernel][outcome]-- > 0;
}

/* Kinds of values and of bits are those of the elements that are not unwritten. */
static int check_pattern(struct store *s, struct fl_err *err)
{
    char *odd;
    int more = store_ask(
        s,
        "SELECT 1 FROM pattern p LEFT JOIN injection i USING(injection) WHERE nan + inf + zero + "
        "sign + exponent + mantissa + fields + other IS NOT i.elements - i.unwritten OR bits_1 + "
        "bits_2_4 + bits_5_8 + bits_more IS NOT i.elements - i.unwritten OR min(nan, inf, zero, "
        "sign, exponent, mantissa, fields, other, bits_1, bits_2_4, bits_5_8, bits_more, up, down, "
        "period, lanes) < 0 OR typeof(error_median) NOT IN ('real', 'null') OR writers NOT IN "
        "('word', 'thread', 'all', 'lane', 'sp', 'instruction', 'warp', 'block', 'mixed')",
        NULL, &odd, err);
    free(odd);
    return more > 0 ? store_damaged(s, err, "an injection has another pattern than it counts")
                    : more;
}

/* Rows of words are as many as elements that differ. */
static int check_words(struct store *s, struct fl_err *err)
{
    char *odd, *sql = fl_format("SELECT 1 FROM words w LEFT JOIN injection i USING(injection) "
                                "WHERE typeof(w.rows) <> 'blob' OR length(w.rows) IS NOT "
                                "i.elements * %d",
                                WORDS_KEPT);
    int more = store_ask(s, sql, NULL, &odd, err);
    free(odd);
    free(sql);
    return more > 0 ? store_damaged(s, err, "an injection has other wrong words than it counts")
                    : more;
}

static int check_injections(struct store *s, struct fl_err *err)
{
    const struct result *r = &s->result;
    uint64_t(**left)[OUT_COUNT] = fl_alloc((size_t)r->nparts * sizeof *left);
    struct listed *list = fl_alloc((size_t)r->nparts * sizeof *list);
    for (int p = 0; p < r->nparts; p++) {
        int n = r->job[r->part[p].job].nkernels;
        left[p] = fl_alloc((size_t)n * sizeof *left[p]);
        list[p].faults = s->finished ? 0 : MOST_FAULTS; /* parts may be missing */
        for (int i = 0; i < r->nparts; i++)
            list[p].faults += r->part[i].job == r->part[p].job ? r->part[i].flips : 0;
        for (int k = 0; k < n && store_keeps(&r->part[p]); k++) {
            struct tally t;
            result_tally(&r->job[r->part[p].job], &r->part[p], k, &t);
            memcpy(left[p][k], t.outcome, sizeof left[p][k]);
        }
    }
    sqlite3_stmt *q = store_prepare(s,
                                    "SELECT injection, kernel, outcome, first_activation, end, "
                                    "elements, by, place, untestable, "
                                    "id, reason, unwritten FROM injection",
                                    err);
    int more = q ? 0 : -1, bad = 0;
    while (q && !bad && (more = store_step(s, q, err)) > 0)
        if (!take_off(s, q, left, list))
            bad = store_damaged(s, err, "an injection is none of those that were counted");
    sqlite3_finalize(q);
    for (int p = 0; p < r->nparts; p++) {
        for (int k = 0; k < r->job[r->part[p].job].nkernels && !bad && more == 0; k++)
            for (int o = 0; o < OUT_COUNT && !bad; o++)
                if (left[p][k][o])
                    bad = store_damaged(s, err, "part %d (%s) lacks injections", p,
                                        r->part[p].target);
        struct tally all;
        result_tally(&r->job[r->part[p].job], &r->part[p], -1, &all);
        uint64_t counted = all.reason[REASON_UNTESTABLE], proved = list[p].proved;
        if (!bad && more == 0 && store_keeps(&r->part[p]) &&
            (proved > counted || counted - proved > list[p].unknown))
            bad = store_damaged(s, err, "part %d (%s) has other untestable faults than it counts",
                                p, r->part[p].target);
        free(left[p]);
    }
    free(left);
    free(list);
    return bad || more < 0 || check_pattern(s, err) != 0 || check_words(s, err) != 0 ? -1 : 0;
}

/* A sample is no larger than what it was drawn from. */
static int check_populations(const struct store *s, struct fl_err *err)
{
    const struct result *r = &s->result;
    for (int p = 0; p < r->nparts && r->npopulations; p++) {
        uint64_t faults = 0;
        for (int i = 0; i < r->npopulations; i++)
            if (strcmp(r->population[i].target, r->part[p].target) == 0)
                faults = capped(faults, r->population[i].faults);
        if (r->part[p].flips > faults)
            return store_damaged(s, err, "part %d (%s) has more faults than it was drawn from", p,
                                 r->part[p].target);
    }
    return 0;
}

int store_check(struct store *s, struct fl_err *err)
{
    if (check_populations(s, err) != 0)
        return -1;
    for (int p = 0; p < s->result.nparts; p++)
        if (check_part(s, p, err) != 0)
            return -1;
    return check_injections(s, err);
}
