/* split.c -- the test of a memory in parts that each fit a slot of the field: so many cycles, so many
 * bytes.
 *
 * A part is a program of its own with a digest of its own. It takes as many passes as fit. A pass
 * that is too much by itself goes on in runs of cells: each begins with the last cell of the one
 * before, and the last ends with cell 0, the neighbour of the last cell in the next warp. So any two
 * neighbours are marched over together. The pass that tells addresses apart needs all cells at once.
 */
#include "march.h"

#include <stdlib.h>
#include <string.h>

struct splitter {
    const struct march_library *lib;
    const struct sbst_machine *machine;
    const struct march_request *request;
    const struct sbst_budget *budget;
    int cells; /* of a warp */
    struct march_program **part;
    int *count;
    int parts; /* of this request */
    struct fl_err *err;
};

static bool fits(const struct march_program *p, const struct sbst_budget *b)
{
    return (b->cycles == 0 || march_cycles(p) <= b->cycles) &&
           (b->bytes == 0 || march_bytes(p) <= b->bytes);
}

static int compose(const struct splitter *s, int pass, int passes, int cell, int cells,
                   struct march_program *out)
{
    struct march_request r = *s->request;
    r.part = s->parts + 1;
    r.budget = *s->budget;
    r.first_pass = pass;
    r.passes = passes;
    r.first_cell = cell;
    r.cells = cells;
    return march_compose(s->lib, s->machine, &r, out, s->err);
}

/* 1: appended, when `keep`; 0: does not fit, -1: an error. */
static int try(struct splitter *s, int pass, int passes, int cell, int cells, bool keep)
{
    struct march_program p;
    if (compose(s, pass, passes, cell, cells, &p) != 0)
        return -1;
    if (!keep || !fits(&p, s->budget)) {
        bool good = fits(&p, s->budget);
        march_program_free(&p);
        return good;
    }
    if (s->parts == MARCH_MAX_PARTS) {
        march_program_free(&p);
        return fl_fail(
            s->err, "the budget needs more than %d parts of %s; raise --max-cycles or --max-bytes",
            MARCH_MAX_PARTS, s->request->unit->name);
    }
    *s->part = fl_grow(*s->part, (size_t)*s->count + 1, sizeof **s->part);
    (*s->part)[(*s->count)++] = p;
    s->parts++;
    return 1;
}

/* Does a pass need all cells at once? */
static bool is_whole(const struct march_unit *u, int pass)
{
    return strstr(u->data[u->pass[pass].data].value[0], "{k") != NULL;
}

/* One pass in runs of cells; 1: a part of it fits nowhere. */
static int cut(struct splitter *s, int pass)
{
    if (is_whole(s->request->unit, pass))
        return 1;
    for (int first = 0; first < s->cells;) {
        int n = 1, fit = 1, most = s->cells + 1 - first;
        while (fit == 1 && n < most && n < s->cells) {
            fit = try(s, pass, 1, first, n + 1, false);
            n += fit == 1;
        }
        if (fit < 0 || n == 1)
            return fit < 0 ? -1 : 1;
        if (try(s, pass, 1, first, n, true) < 0)
            return -1;
        first += n - 1;
    }
    return 0;
}

static int cells_of(struct splitter *s)
{
    struct march_program whole;
    if (march_compose(s->lib, s->machine, s->request, &whole, s->err) != 0)
        return -1;
    s->cells = whole.cells;
    march_program_free(&whole);
    return 0;
}

/* Marches that are run alone have no other passes. */
static bool left_out(const struct march_request *r, int pass)
{
    return r->alone && r->unit->pass[pass].march;
}

static void raise_to(struct march_least *least, struct march_least at)
{
    if (at.amount > least->amount)
        *least = at;
}

int march_least(const struct march_library *lib, const struct sbst_machine *machine,
                const struct march_request *request, struct march_least *cycles,
                struct march_least *bytes, struct fl_err *err)
{
    static const struct sbst_budget none;
    struct splitter s = {lib, machine, request, &none, 0, NULL, NULL, 0, err};
    const struct march_unit *u = request->unit;
    if (cells_of(&s) != 0)
        return -1;
    for (int pass = 0; pass < u->npasses; pass++) {
        bool whole = is_whole(u, pass) || s.cells < 2;
        for (int first = 0; first < (whole ? 1 : s.cells) && !left_out(request, pass); first++) {
            struct march_program p;
            if (compose(&s, pass, 1, first, whole ? 0 : 2, &p) != 0)
                return -1;
            struct march_least at = {march_cycles(&p), u->name, u->data[u->pass[pass].data].name,
                                     whole ? s.cells : 2};
            raise_to(cycles, at);
            at.amount = march_bytes(&p);
            raise_to(bytes, at);
            march_program_free(&p);
        }
    }
    return 0;
}

int march_split(const struct march_library *lib, const struct sbst_machine *machine,
                const struct march_request *request, const struct sbst_budget *budget,
                struct march_program **out, int *count, struct fl_err *err)
{
    struct splitter s = {lib, machine, request, budget, 0, out, count, 0, err};
    if (cells_of(&s) != 0)
        return -1;
    int npasses = request->unit->npasses;
    for (int pass = 0, bad = 0; pass < npasses;) {
        int n = 0, fit = 1;
        if (left_out(request, pass)) {
            pass++;
            continue;
        }
        while (fit == 1 && pass + n < npasses) {
            fit = try(&s, pass, n + 1, 0, 0, false);
            n += fit == 1;
        }
        if (fit < 0 || (n && try(&s, pass, n, 0, 0, true) < 0))
            return -1;
        if (!n && (bad = cut(&s, pass)) != 0)
            return bad;
        pass += n ? n : 1;
    }
    return 0;
}
