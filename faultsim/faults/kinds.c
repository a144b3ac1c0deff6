/* kinds.c -- what can happen to cells: every kind of fault there is has its row here. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

const struct fsim_row fsim_row[] = {
    {"sa0", "saf", FSIM_SA, 0, 0, OF_CELLS | OF_MEMORIES | OF_WINDOWS},
    {"sa1", "saf", FSIM_SA, 0, 1, OF_CELLS | OF_MEMORIES | OF_WINDOWS},
    {"tf01", "tf", FSIM_TF, 0, 0, OF_MEMORIES},
    {"tf10", "tf", FSIM_TF, 0, 1, OF_MEMORIES},
    {"sof", "sof", FSIM_SOF, 0, 0, OF_MEMORIES},
    {"cfin0", "cfin", FSIM_CFIN, 0, 0, OF_MEMORIES | PAIR},
    {"cfin1", "cfin", FSIM_CFIN, 1, 0, OF_MEMORIES | PAIR},
    {"cfid00", "cfid", FSIM_CFID, 0, 0, OF_MEMORIES | PAIR},
    {"cfid01", "cfid", FSIM_CFID, 0, 1, OF_MEMORIES | PAIR},
    {"cfid10", "cfid", FSIM_CFID, 1, 0, OF_MEMORIES | PAIR},
    {"cfid11", "cfid", FSIM_CFID, 1, 1, OF_MEMORIES | PAIR},
    {"cfst00", "cfst", FSIM_CFST, 0, 0, OF_MEMORIES | PAIR},
    {"cfst01", "cfst", FSIM_CFST, 0, 1, OF_MEMORIES | PAIR},
    {"cfst10", "cfst", FSIM_CFST, 1, 0, OF_MEMORIES | PAIR},
    {"cfst11", "cfst", FSIM_CFST, 1, 1, OF_MEMORIES | PAIR},
    {"af0", "af", FSIM_AF_NONE, 0, 0, OF_MEMORIES | ADDRESS},
    {"af1", "af", FSIM_AF_NONE, 0, 1, OF_MEMORIES | ADDRESS},
    {"afw", "af", FSIM_AF_WRONG, 0, 0, OF_MEMORIES | ADDRESS | PAIR},
    {"afa", "af", FSIM_AF_TWO, 0, 0, OF_MEMORIES | ADDRESS | PAIR},
    {"afo", "af", FSIM_AF_TWO, 0, 1, OF_MEMORIES | ADDRESS | PAIR},
    {"flip", NULL, FSIM_FLIP, 0, 0, OF_WINDOWS},
    {0}};

uint32_t fsim_rows_of(unsigned flag)
{
    uint32_t rows = 0;
    for (int i = 0; fsim_row[i].name; i++)
        rows |= (uint32_t)((fsim_row[i].flags & flag) != 0) << i;
    return rows;
}

const struct fsim_row *fsim_row_of(const struct fsim_fault *f)
{
    const struct fsim_row *r = fsim_row;
    while (r->name && (r->kind != f->kind || r->when != f->when || r->value != f->value))
        r++;
    return r;
}

bool fsim_of_decoder(const struct fsim_fault *f)
{
    return (fsim_row_of(f)->flags & ADDRESS) != 0;
}

int fsim_choice_kinds(struct fsim_choice *choice, const char *text, struct fl_err *err)
{
    char *copy = fl_strdup(text), *rest = copy;
    int r = 0;
    choice->what = 0;
    for (char *word; r == 0 && (word = strsep(&rest, ","));) {
        uint32_t of = 0;
        for (int i = 0; fsim_row[i].group; i++)
            if (strcmp(word, fsim_row[i].group) == 0 || strcmp(word, fsim_row[i].name) == 0 ||
                strcmp(word, "all") == 0)
                of |= 1u << i;
        choice->what |= of;
        if (!of)
            r = fl_fail(
                err,
                "'%s' is no kind of memory fault; there are saf, tf, sof, cfin, cfid, cfst, "
                "af, and single ones like tf01",
                word);
    }
    free(copy);
    return r;
}

int fsim_compare(const struct fsim_fault *a, const struct fsim_fault *b)
{
    const int *x = (const int *)&a->cell, *y = (const int *)&b->cell;
    for (size_t i = 0; i < sizeof a->cell / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    const int more[] = {a->kind - b->kind, a->when - b->when, a->value - b->value,
                        a->other - b->other, a->other_bit - b->other_bit};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (more[i])
            return more[i];
    return 0;
}
