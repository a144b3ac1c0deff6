/* divergence.c -- where the threads of a warp may part.
 *
 * A register is uniform when all threads that are active together find the same in it. Threads that parted meet again at
 * the postdominator of their branch and nowhere else (joins.c sees to that), so what is written on the way there and read
 * behind it is not uniform. A load from one address by all is.
 */
#include "ir.h"

#include <string.h>

/* The blocks between the end of b and where threads meet, j, in `list`, but for those that have been listed for j: they have
 * j + 1 in `in`. */
static int region(const struct cc_fn *f, int b, int j, int *in, int *list)
{
    int n = 0;
    for (int from = b, i = 0;; from = list[i++]) {
        for (int s = 0; s < 2; s++) {
            int to = f->block[from].succ[s];
            if (to >= 0 && to != j && in[to] != j + 1) {
                in[to] = j + 1;
                list[n++] = to;
            }
        }
        if (i == n)
            return n;
    }
}

static bool varies(const struct cc_insn *i, const bool *div)
{
    int r[8], n = cc_reads(i, r);
    if (i->op == I_TEXOUT || i->op == I_ATOM || (i->op == I_LD && i->space == S_LOCAL) ||
        (i->op == I_CLOCK && strcmp(i->text, "SR_CLOCK")))
        return true;
    for (int k = 0; k < n; k++)
        if (div[r[k]])
            return true;
    return false;
}

void cc_find_divergence(struct cc_fn *f)
{
    struct cc_flow g = cc_flow(f);
    struct cc_live live = cc_liveness(f, &g);
    bool *div = cc_alloc(f->scratch, (size_t)f->nvregs);
    int *in = cc_alloc(f->scratch, (size_t)f->nblocks * sizeof *in),
        *list = cc_alloc(f->scratch, (size_t)f->nblocks * sizeof *list);
    div[0] = true; /* R0: the thread's place */
    for (int b = 0; b < f->nblocks; b++)
        f->block[b].diverges = false;
    for (bool again = true; again;) {
        again = false;
        for (int b = 0; b < f->nblocks; b++) {
            struct cc_block *k = &f->block[b];
            for (int i = 0; i < k->n && !k->gone; i++) {
                const int out[2] = {k->insn[i].d, k->insn[i].dc};
                for (int j = 0; j < 2; j++)
                    if (out[j] >= 0 && !div[out[j]] && varies(&k->insn[i], div))
                        div[out[j]] = again = true;
            }
            if (k->gone || k->guard < 0 || !div[k->guard] || k->diverges)
                continue;
            k->diverges = again = true;
            int j = cc_meeting(&g, b);
            if (j < 0)
                continue;
            for (int n = region(f, b, j, in, list); n-- > 0;)
                for (int i = 0; i < f->block[list[n]].n; i++) {
                    const struct cc_insn *in_it = &f->block[list[n]].insn[i];
                    const int out[2] = {in_it->d, in_it->dc};
                    for (int o = 0; o < 2; o++)
                        if (out[o] >= 0 && cc_lives_into(&live, j, out[o]))
                            div[out[o]] = true;
                }
        }
    }
}
