/* live.c -- which registers hold at the ends of blocks what somebody will read. Most live within one block and have no place
 * in the sets. */
#include "ir.h"

#include <string.h>

struct pass {
    struct cc_fn *f;
    struct cc_live *l;
    uint64_t *use, *def;
    int *written, stamp; /* written[v] == stamp: in this block */
};

static uint64_t *row(const struct pass *p, uint64_t *sets, int b)
{
    return sets + (size_t)b * (size_t)p->l->words;
}

/* Block b reads v: the first time round, a register that it has not written gets a place; then it gets into the sets. */
static void reads(struct pass *p, int b, int v, bool places)
{
    if (p->written[v] == p->stamp)
        return;
    if (!places)
        cc_put(row(p, p->use, b), p->l->slot[v]);
    else if (p->l->slot[v] < 0) {
        p->l->slot[v] = p->l->n;
        p->l->reg[p->l->n++] = v;
    }
}

static void scan(struct pass *p, int b, bool places)
{
    const struct cc_block *k = &p->f->block[b];
    p->stamp++;
    for (int i = 0; i < k->n && !k->gone; i++) {
        const struct cc_insn *in = &k->insn[i];
        int r[8], n = cc_reads(in, r);
        for (int j = 0; j < n; j++)
            reads(p, b, r[j], places);
        const int out[2] = {in->d, in->dc};
        for (int j = 0; j < 2; j++)
            if (out[j] >= 0 && (in->guard < 0 || in->fresh)) {
                p->written[out[j]] = p->stamp;
                if (!places && p->l->slot[out[j]] >= 0)
                    cc_put(row(p, p->def, b), p->l->slot[out[j]]);
            }
    }
    if (k->guard >= 0 && !k->gone)
        reads(p, b, k->guard, places);
}

struct cc_live cc_liveness(struct cc_fn *f, const struct cc_flow *g)
{
    size_t regs = (size_t)f->nvregs * sizeof(int);
    struct cc_live l = {.slot = cc_alloc(f->scratch, regs), .reg = cc_alloc(f->scratch, regs)};
    struct pass p = {.f = f, .l = &l, .written = cc_alloc(f->scratch, regs)};
    memset(l.slot, 0xff, regs);
    for (int b = 0; b < f->nblocks; b++)
        scan(&p, b, true);
    l.words = (l.n + 63) / 64;
    size_t size = ((size_t)f->nblocks * (size_t)l.words + 1) * sizeof *l.in;
    l.in = cc_alloc(f->scratch, size);
    l.out = cc_alloc(f->scratch, size);
    p.use = cc_alloc(f->scratch, size);
    p.def = cc_alloc(f->scratch, size);
    for (int b = 0; b < f->nblocks; b++)
        scan(&p, b, false);
    for (bool again = true; again;) {
        again = false;
        for (int i = g->norder - 1; i >= 0; i--) {
            int b = g->order[i];
            uint64_t *in = row(&p, l.in, b), *out = row(&p, l.out, b);
            const uint64_t *use = row(&p, p.use, b), *def = row(&p, p.def, b), *from[2];
            int n = 0;
            for (int s = 0; s < 2; s++)
                if (f->block[b].succ[s] >= 0)
                    from[n++] = row(&p, l.in, f->block[b].succ[s]);
            for (int w = 0; w < l.words; w++) {
                out[w] = (n > 0 ? from[0][w] : 0) | (n > 1 ? from[1][w] : 0);
                uint64_t now = use[w] | (out[w] & ~def[w]);
                again |= now != in[w];
                in[w] = now;
            }
        }
    }
    return l;
}
