/* split.c -- a self-test in parts that each fit a slot of the field: so many cycles, so many bytes.
 *
 * A part is a program of its own, over a piece of the range; where LE 1 is too much with both its
 * lives, each peel is a part. From the first LE on a part takes as many LEs as fit. Parts test what
 * they name completely, so together they test what the whole does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "sbst.h"

static bool fits(const struct sbst_program *p, const struct sbst_budget *b)
{
    return (b->cycles == 0 || sbst_cycles(p) <= b->cycles) &&
           (b->bytes == 0 || sbst_bytes(p) <= b->bytes);
}

/* The parts so far, and what is needed to make more. */
struct splitter {
    const struct sbst_library *lib;
    const struct sbst_machine *machine;
    const struct sbst_request *request;
    const struct sbst_budget *budget;
    struct sbst_program *part;
    int count;
    struct fl_err *err;
};

static int compose(const struct splitter *s, int first, int last, enum sbst_share share,
                   struct sbst_program *out)
{
    struct sbst_request r = *s->request;
    r.le_first = first;
    r.le_last = last;
    r.share = share;
    return sbst_compose(s->lib, s->machine, &r, out, s->err);
}

/* 1: LEs first to last fit, 0: they do not, -1: an error. */
static int try(const struct splitter *s, int first, int last, enum sbst_share share)
{
    struct sbst_program p;
    if (compose(s, first, last, share, &p) != 0)
        return -1;
    bool good = fits(&p, s->budget);
    sbst_program_free(&p);
    return good;
}

static int append(struct splitter *s, int first, int last, enum sbst_share share)
{
    s->part = fl_grow(s->part, (size_t)s->count + 1, sizeof *s->part);
    int bad = compose(s, first, last, share, &s->part[s->count]);
    s->count += !bad;
    return bad;
}

/* What the smallest parts with an LE take at most. */
static int least_of(const struct splitter *s, int le, int *cycles, int *bytes)
{
    bool peels = le == 1 && !s->request->landing_pads;
    *cycles = *bytes = 0;
    for (int share = peels ? SBST_PEEL_1 : SBST_WHOLE;
         share <= (peels ? SBST_BUT_PEELS : SBST_WHOLE); share++) {
        struct sbst_program p;
        if (compose(s, le, le, (enum sbst_share)share, &p) != 0)
            return -1;
        *cycles = sbst_cycles(&p) > *cycles ? sbst_cycles(&p) : *cycles;
        *bytes = sbst_bytes(&p) > *bytes ? sbst_bytes(&p) : *bytes;
        sbst_program_free(&p);
    }
    return 0;
}

/* Names the least that all LEs need, not the first of them that has too little. */
static int too_much(const struct splitter *s)
{
    const struct sbst_budget *b = s->budget;
    int cycles = 0, bytes = 0, by_cycles = 0, by_bytes = 0;
    for (int le = s->request->le_first; le <= s->request->le_last; le++) {
        int c, n;
        if (least_of(s, le, &c, &n) != 0)
            return -1;
        by_cycles = c > cycles ? le : by_cycles;
        by_bytes = n > bytes ? le : by_bytes;
        cycles = c > cycles ? c : cycles;
        bytes = n > bytes ? n : bytes;
    }
    bool of_cycles = b->cycles && cycles > b->cycles;
    fl_fail(s->err, "--max-%s %d: line-entry %d alone takes %d; give at least as many",
            of_cycles ? "cycles" : "bytes", of_cycles ? b->cycles : b->bytes,
            of_cycles ? by_cycles : by_bytes, of_cycles ? cycles : bytes);
    return 1;
}

/* Behind a refusal: whether minimal patterns would fit the budget. */
static void advise(const struct splitter *s)
{
    struct sbst_request r = *s->request;
    struct sbst_program *part = NULL;
    struct fl_err err = {0};
    int count = 0;
    if (r.minimal)
        return;
    r.minimal = true;
    r.checkpoint = r.checkpoint && r.nesting;
    if (sbst_split(s->lib, s->machine, &r, s->budget, &part, &count, &err) == 0) {
        size_t used = strlen(s->err->msg);
        snprintf(s->err->msg + used, sizeof s->err->msg - used,
                 ", or choose --patterns minimal%s, which fits in %d part%s",
                 r.checkpoint == s->request->checkpoint ? "" : " without --checkpoint", count,
                 count == 1 ? "" : "s");
    }
    for (int i = 0; i < count; i++)
        sbst_program_free(&part[i]);
    free(part);
}

/* LEs first to *last as parts; *last grows while they fit. */
static int add_parts(struct splitter *s, int first, int *last)
{
    enum sbst_share share = SBST_WHOLE;
    int fit = try(s, first, first, share);
    if (fit == 0 && first == 1 && !s->request->landing_pads) { /* LE 1 in three parts */
        for (share = SBST_PEEL_1; share <= SBST_BUT_PEELS; share++) {
            fit = try(s, 1, 1, share);
            if (fit <= 0)
                return fit < 0 ? -1 : too_much(s);
            if (share != SBST_BUT_PEELS && append(s, 1, 1, share) != 0)
                return -1;
        }
        share = SBST_BUT_PEELS;
    } else if (fit <= 0) {
        return fit < 0 ? -1 : too_much(s);
    }
    *last = first;
    while (fit == 1 && *last < s->request->le_last) {
        fit = try(s, first, *last + 1, share);
        *last += fit == 1;
    }
    return fit < 0 ? -1 : append(s, first, *last, share);
}

int sbst_split(const struct sbst_library *lib, const struct sbst_machine *machine,
               const struct sbst_request *request, const struct sbst_budget *budget,
               struct sbst_program **out, int *count, struct fl_err *err)
{
    struct splitter s = {lib, machine, request, budget, NULL, 0, err};
    int last = request->le_first - 1, bad = 0;
    while (last < request->le_last && bad == 0)
        bad = add_parts(&s, last + 1, &last);
    if (bad > 0 && err)
        advise(&s);
    *out = s.part;
    *count = s.count;
    return bad;
}

void sbst_write_schedule(const struct sbst_program *part, int count, struct fl_buf *out)
{
    fl_buf_printf(out, "part,job,launches,instructions,cycles,bytes,sha256\n");
    for (int i = 0; i < count; i++) {
        uint8_t digest[32];
        int executed = 0;
        char hex[65];
        sbst_digest(&part[i], digest);
        for (int k = 0; k < part[i].nkernels; k++)
            executed += part[i].kernel[k].executed;
        fl_buf_printf(out, "%d,%s.job.xml,%d,%d,%d,%d,", i + 1, part[i].name, part[i].nkernels,
                      executed, sbst_cycles(&part[i]), sbst_bytes(&part[i]));
        fl_hex(digest, sizeof digest, hex);
        fl_buf_printf(out, "%s\n", hex);
    }
}
