/* divergence.c -- where the threads of a warp may part.
 *
 * A register is uniform when all threads that are active together find the same in it. Threads that parted meet again at
 * the postdominator of their branch and nowhere else (joins.c sees to that), so what is written on the way there and read
 * behind it is not uniform. A load from one address by all is.
 */
#include "ir.h"

#include <string.h>

/* The blocks between the ends of b and its postdominator j. */
static void region(const struct cc_fn *f, int b, int j, bool *in)
{
    int *stack = cc_alloc(f->arena, (size_t)f->nblocks * sizeof *stack);
    int top = 0;
    memset(in, 0, (size_t)f->nblocks * sizeof *in);
    stack[top++] = b;
    while (top) {
        const struct cc_block *k = &f->block[stack[--top]];
        for (int s = 0; s < 2; s++)
            if (k->succ[s] >= 0 && k->succ[s] != j && !in[k->succ[s]]) {
                in[k->succ[s]] = true;
                stack[top++] = k->succ[s];
            }
    }
}

static bool varies(const struct cc_insn *i, const bool *div)
{
    int r[8], n = cc_reads(i, r);
    if ((i->op == I_LD && i->space == S_LOCAL) || (i->op == I_CLOCK && strcmp(i->text, "SR_CLOCK")))
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
    bool *div = cc_alloc(f->arena, (size_t)f->nvregs), *in = cc_alloc(f->arena, (size_t)f->nblocks);
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
            region(f, b, j, in);
            for (int c = 0; c < f->nblocks; c++)
                for (int i = 0; in[c] && i < f->block[c].n; i++) {
                    const int out[2] = {f->block[c].insn[i].d, f->block[c].insn[i].dc};
                    for (int o = 0; o < 2; o++)
                        if (out[o] >= 0 && cc_has(live.in + j * live.words, out[o]))
                            div[out[o]] = true;
                }
        }
    }
}
