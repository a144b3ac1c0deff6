/* prove_cells.c -- untestable faults outside of the divergence stack.
 *
 *   pc[1:0] stuck-at-0           Code is made of words of 4 bytes. A fetch from another address traps,
 *   and above the code space     and so does one from behind the code space, where no job has code;
 *                                a job that traps is no test. A PC that is not fetched from is
 *                                overwritten by the next pop or block.
 *   dsp, the highest bit         when a stack that loses pushes never holds as many entries.
 *   barrier, both values         of warps that no block has: no warp sets the arrival, and a barrier
 *                                looks at the block's warps alone.
 *
 * Each is checked by running the machine model: a claim that does not hold is disproved there.
 */
#include "prove.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "prove_bench.h"

enum { DRAWS = 512 };

static int most_entries(const struct profile *p)
{
    return p->drops_at ? p->drops_at : p->stack_entries + p->stack_spill;
}

/* Warps of the largest block. */
static int most_warps(const struct profile *p)
{
    return (p->threads_per_block + SM_LANES - 1) / SM_LANES;
}

static uint32_t from_bit(int bit)
{
    return bit >= 32 ? 0 : ~0u << bit;
}

/* What can be claimed of the cells of pc, dsp and barrier: a read never finds a 1 in `zero`; what
 * stands in `ignored` changes nothing. */
static struct prove_claim claim_of(const struct profile *p, int structure)
{
    struct prove_claim c = {0};
    int bits = 0;
    switch (structure) {
    case SM_S_pc: c.zero = 3 | from_bit(p->code_bits); break;
    case SM_S_dsp:
        while (most_entries(p) >> bits)
            bits++;
        c.zero = from_bit(bits);
        break;
    case SM_S_barrier: /* of the first 32 warps; more are not claimed */
        c.ignored = p->warps <= 32 ? from_bit(most_warps(p)) : 0;
        break;
    default: break;
    }
    return c;
}

const char *prove_cell(const struct profile *p, const struct fsim_fault *f)
{
    struct prove_claim c = claim_of(p, f->cell.structure);
    uint32_t bit = 1u << f->cell.bit;
    if ((c.zero & bit) && (f->kind != FSIM_SA || f->value == 0))
        return f->cell.structure == SM_S_pc
                   ? "a fetch from an address with this bit traps (faultsim prove --target pc)"
                   : "the stack never holds so many entries (faultsim prove --target dsp)";
    return c.ignored & bit ? "no block has so many warps (faultsim prove --target barrier)" : NULL;
}

/* Two short instructions, and one that ends the program: an exit, or where that ends nothing a
 * RET. */
static void put_code(const struct profile *p, uint32_t word[PROVE_WORDS])
{
    static const uint32_t move = 0x10008000u,
                          end[2][2] = {{0x30000003u, 0x00000780u}, {0xf0000001u, 0xe0000001u}};
    word[0] = word[1] = move;
    memcpy(&word[2], end[p->exit_ends], sizeof end[0]);
}

/* ---- pc -------------------------------------------------------------------------------------- */

/* Code lies where the PC points, if a job can have code there: a PC with one of the bits finds
 * none. */
static int check_pc(const struct profile *p, uint32_t zero, struct fl_buf *out, struct fl_err *err)
{
    uint64_t seed = 5;
    uint32_t space = ~from_bit(p->code_bits), code[PROVE_WORDS];
    long trapped = 0;
    put_code(p, code);
    for (int i = 0; i < DRAWS; i++) {
        struct prove_bench b;
        uint32_t at = (uint32_t)fl_random(&seed) & space & ~15u, extra = 0;
        at &= ~zero;
        while (!extra) /* one of the bits, or several */
            extra = (uint32_t)fl_random(&seed) & (uint32_t)fl_random(&seed) & zero;
        uint32_t there = (at | extra) & ~15u; /* code too, where a job can have it */
        if (prove_bench_open(&b, p, at, there & ~space ? at : there, 1, code, PROVE_WORDS, err) !=
            0)
            return -1;
        gpu_copy(b.a, b.start);
        b.a->sm->s.warp[0].pc = at | extra;
        gpu_copy(b.b, b.start);
        b.b->sm->s.warp[0].pc = at;
        prove_run_out(b.a);
        prove_run_out(b.b);
        bool traps = b.a->sm->s.trap != TRAP_NONE, ends = b.b->grid.done && !b.b->sm->s.trap;
        prove_bench_close(&b);
        if (!ends)
            return fl_fail(err, "the check is broken: code at 0x%x does not run", at);
        if (!traps)
            return fl_fail(err, "disproved: a job fetches from 0x%x and does not trap", at | extra);
        trapped++;
    }
    fl_buf_printf(out,
                  "  readers: %ld fetches from where code is, with bits 0x%x of the PC drawn: all "
                  "trap, and a job that traps is no test.\n",
                  trapped, zero);
    return 0;
}

/* ---- dsp ------------------------------------------------------------------------------------- */

/* Whatever is executed on a stack that is full or nearly so. */
static int check_dsp(const struct profile *p, uint32_t zero, struct fl_buf *out, struct fl_err *err)
{
    uint64_t seed = 6;
    long full = 0;
    for (int row = 0; row < isa_nrows; row++)
        for (int i = 0; i < 16; i++) {
            struct prove_bench b;
            uint32_t word[2];
            struct isa_insn in;
            if (!prove_draw_word(p, &isa_rows[row], &seed, word, &in))
                continue;
            if (prove_bench_open(&b, p, 0, 0, 1, word, 2, err) != 0)
                return -1;
            struct sm_warp *w = &b.a->sm->s.warp[0];
            gpu_copy(b.a, b.start);
            w->sp = (uint32_t)(most_entries(p) - (i & 1));
            w->active = (uint32_t)fl_random(&seed);
            prove_draw_flags(w, &seed);
            prove_execute(b.a);
            uint32_t entries = w->sp;
            bool good = !(entries & zero) || b.a->sm->s.trap;
            full += entries == (uint32_t)most_entries(p);
            prove_bench_close(&b);
            if (!good)
                return fl_fail(err, "disproved: %s (%08x %08x) counts a stack of %u entries",
                               isa_op_name((enum isa_op)in.op), word[0], word[1], entries);
        }
    fl_buf_printf(out,
                  "  writers: every instruction on a stack of %d entries, or one less: never a bit "
                  "of 0x%x (%ld times the stack was full afterwards).\n",
                  most_entries(p), zero, full);
    return 0;
}

/* ---- barrier --------------------------------------------------------------------------------- */

/* A word of BAR: which barrier, and whether it arrives and waits, drawn. */
static void draw_bar(const struct profile *p, uint64_t *seed, uint32_t word[2])
{
    for (;;) {
        uint64_t bits = fl_random(seed);
        const struct isa_row *r = &isa_rows[fl_random(seed) % (uint64_t)isa_nrows];
        struct isa_insn in;
        word[0] = ((uint32_t)bits & ~r->lo_mask) | r->lo;
        word[1] = ((uint32_t)(bits >> 32) & ~r->hi_mask) | r->hi;
        if (isa_decode(word[0], word[1], p->code_bits == 32, &in) && in.op == OP_BAR)
            return;
    }
}

/* A block in the middle of its barriers: some warps have ended, some have arrived. */
static void draw_arrivals(struct gpu *m, uint64_t *seed)
{
    const struct profile *p = &m->img->profile;
    struct sm_block *b = &m->sm->s.block[0];
    uint32_t all = ~from_bit(b->warps), gone = (uint32_t)fl_random(seed) & all;
    gone &= ~(1u << fl_random(seed) % b->warps); /* one is left */
    m->sm->s.live &= ~(sm_mask)gone;
    b->ended = (uint8_t)__builtin_popcount(gone);
    for (int i = 0; i < p->barriers; i++)
        b->arrived[i] = (uint32_t)fl_random(seed) & (uint32_t)fl_random(seed) & all & ~gone;
}

static int check_barrier(const struct profile *p, uint32_t ignored, struct fl_buf *out,
                         struct fl_err *err)
{
    uint64_t seed = 7;
    long same = 0, hung = 0;
    for (int i = 0; i < DRAWS; i++) {
        struct prove_bench b;
        uint32_t word[PROVE_WORDS];
        put_code(p, word);
        draw_bar(p, &seed, word);
        if (prove_bench_open(&b, p, 0, 0, 1 + (int)(fl_random(&seed) % (uint64_t)most_warps(p)),
                             word, 4, err) != 0)
            return -1;
        draw_arrivals(b.start, &seed);
        gpu_copy(b.a, b.start);
        gpu_copy(b.b, b.start);
        int bar = (int)(fl_random(&seed) % (uint64_t)p->barriers);
        for (int bit = 0; bit < p->warps; bit++) {
            struct sm_cell c = {.structure = SM_S_barrier, .index = {0, bar}, .bit = bit};
            struct sm_force f = sm_cell_force(b.img, &c, (int)(fl_random(&seed) & 1));
            if (ignored >> bit & 1)
                gpu_add_force(b.b, &f);
        }
        prove_run_out(b.a);
        prove_run_out(b.b);
        sm_mask *x = &b.a->sm->s.block[0].arrived[bar], *y = &b.b->sm->s.block[0].arrived[bar];
        *x &= ~(sm_mask)ignored;
        *y &= ~(sm_mask)ignored;
        bool good = gpu_same(b.a, b.b);
        hung += b.a->sm->s.deadlock != 0;
        same += good;
        prove_bench_close(&b);
        if (!good)
            return fl_fail(err,
                           "disproved: held arrivals 0x%x of a barrier change what a block does",
                           ignored);
    }
    fl_buf_printf(
        out,
        "  readers: %ld blocks of 1 to %d warps, some of them ended or at a barrier, with "
        "arrivals 0x%x of one barrier held at drawn values:\n"
        "           the same machine as without (%ld of them wait for ever in both).\n",
        same, most_warps(p), ignored, hung);
    return 0;
}

/* ---- all ------------------------------------------------------------------------------------- */

int prove_check_cells(const struct profile *p, int structure, const struct prove_claim *claim,
                      struct fl_buf *out, struct fl_err *err)
{
    if (structure == SM_S_pc && claim->zero)
        return check_pc(p, claim->zero, out, err);
    if (structure == SM_S_dsp && claim->zero)
        return check_dsp(p, claim->zero, out, err);
    if (structure == SM_S_barrier && claim->ignored)
        return check_barrier(p, claim->ignored, out, err);
    return 0;
}

long prove_cells(const struct profile *p, int structure, struct fl_buf *out, struct fl_err *err)
{
    struct prove_claim claim = claim_of(p, structure);
    struct prove_bench b;
    struct sm_structure s;
    uint32_t code[PROVE_WORDS];
    put_code(p, code);
    if (prove_bench_open(&b, p, 0, 0, 1, code, PROVE_WORDS, err) != 0)
        return -1;
    sm_structure_get(b.img, structure, &s);
    prove_bench_close(&b);
    long words = sm_structure_bits(&s) / s.field[0].bits;
    uint32_t bits = s.field[0].bits == 32 ? ~0u : ~from_bit(s.field[0].bits);
    long all = words * (__builtin_popcount(claim.zero & bits) +
                        2 * __builtin_popcount(claim.ignored & bits));
    fl_buf_printf(out, "%s, profile %s\n", s.name, p->name);
    if (all && prove_check_cells(p, structure, &claim, out, err) != 0)
        return -1;
    fl_buf_printf(out, "%s: %ld of %ld faults untestable; of the others nothing is known\n",
                  all ? "proved" : "no claim", all, 2 * sm_structure_bits(&s));
    return all;
}
