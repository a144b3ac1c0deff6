/* kinds.c -- kinds of outcome, of reason and of extent are rows of the file. A faultsim that knows more of
 * them adds them to a store when it goes on with it; one that knows fewer refuses the store.
 */
#include "internal.h"

_Static_assert((int)OUT_COUNT <= MAX_KINDS && (int)REASON_COUNT <= MAX_KINDS &&
                   (int)EXTENT_COUNT <= MAX_KINDS,
               "room for all kinds");

static const char *outcome_name(int o)
{
    return fsim_outcome_name((enum fsim_outcome)o);
}

static const char *reason_name(int r)
{
    return tally_reason_name((enum tally_reason)r);
}

static const char *extent_name(int e)
{
    return tally_extent_name((enum tally_extent)e);
}

void store_kinds_none(struct store *s)
{
    s->outcomes.count = OUT_COUNT;
    s->reasons.count = REASON_COUNT;
    s->extents.count = EXTENT_COUNT;
    for (int i = 0; i < MAX_KINDS; i++)
        s->outcomes.number[i] = s->reasons.number[i] = s->extents.number[i] = -1;
}

int store_kind(const struct kinds *k, sqlite3_int64 number)
{
    int i = k->count - 1;
    while (i >= 0 && (k->number[i] < 0 || k->number[i] != number))
        i--;
    return i;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int load(struct store *s, const char *sql, const char *what, struct kinds *k,
                const char *(*name)(int), struct fl_err *err)
{
    sqlite3_stmt *q = store_prepare(s, sql, err);
    int more = q ? 0 : -1, bad = 0;
    while (q && !bad && (more = store_step(s, q, err)) > 0) {
        sqlite3_int64 number = sqlite3_column_int64(q, 0);
        int i = 0;
        while (i < k->count && strcmp(name(i), column(q, 1)) != 0)
            i++;
        if (i == k->count)
            bad = fl_fail(err,
                          "%s: was written by a later version of faultsim: it knows the %s '%s', "
                          "this one does not; use that version",
                          name_of(s), what, column(q, 1));
        else if (number < 0 || number > INT32_MAX || k->number[i] >= 0 ||
                 sqlite3_column_int(q, 2) !=
                     (k == &s->outcomes && fsim_outcome_fails((enum fsim_outcome)i)))
            bad = store_damaged(s, err, "its %s '%s' makes no sense", what, name(i));
        else
            k->number[i] = (int)number;
    }
    sqlite3_finalize(q);
    return bad || more < 0 ? -1 : 0;
}

int store_kinds_load(struct store *s, struct fl_err *err)
{
    return load(s, "SELECT outcome, name, failure FROM outcome", "outcome", &s->outcomes,
                outcome_name, err) != 0 ||
                   load(s, "SELECT reason, name, 0 FROM reason", "reason", &s->reasons, reason_name,
                        err) != 0 ||
                   load(s, "SELECT extent, name, 0 FROM extent", "extent", &s->extents, extent_name,
                        err) != 0
               ? -1
               : 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool lacks(const struct kinds *k)
{
    bool lack = false;
    for (int i = 0; i < k->count; i++)
        lack |= k->number[i] < 0;
    return lack;
}

bool store_kinds_lack(const struct store *s)
{
    return lacks(&s->outcomes) || lacks(&s->reasons) || lacks(&s->extents);
}

/* All of them get numbers, and rows again: with a new one, the order of others may change. */
static void number_all(struct kinds *k)
{
    int next = 0;
    for (int i = 0; i < k->count; i++)
        next = k->number[i] >= next ? k->number[i] + 1 : next;
    for (int i = 0; i < k->count; i++)
        if (k->number[i] < 0)
            k->number[i] = next++;
}

int store_kinds_write(struct store *s, struct fl_err *err)
{
    int bad = 0;
    number_all(&s->outcomes);
    number_all(&s->reasons);
    number_all(&s->extents);
    for (int i = 0; i < OUT_COUNT && !bad; i++)
        bad = STORE_WRITE(s, err, "INSERT OR REPLACE INTO outcome VALUES(?, ?, ?, ?)",
                          as_int(s->outcomes.number[i]), as_text(outcome_name(i)),
                          as_int(fsim_outcome_fails((enum fsim_outcome)i)), as_int(i));
    for (int i = 0; i < REASON_COUNT && !bad; i++)
        bad = STORE_WRITE(s, err, "INSERT OR REPLACE INTO reason VALUES(?, ?)",
                          as_int(s->reasons.number[i]), as_text(reason_name(i)));
    for (int i = 0; i < EXTENT_COUNT && !bad; i++)
        bad = STORE_WRITE(s, err, "INSERT OR REPLACE INTO extent VALUES(?, ?)",
                          as_int(s->extents.number[i]), as_text(extent_name(i)));
    return bad || store_make_views(s, err) != 0 ? -1 : 0;
}
