/* prove_cells.c -- untestable faults outside of the divergence stack.
 *
 *   pc[1:0] stuck-at-0           Code is made of words of 4 bytes. A fetch from another address traps,
 *   and above the code space     and so does one from behind the code space, where no job has code;
 *                                a job that traps is no test. A PC that is not fetched from is
 *                                overwritten by the next pop or block.
 *   dsp, the highest bit         when a stack that loses pushes never holds as many entries.
 *   barrier, both values         of warps that no block in that slot has: no warp sets the arrival, and a
 *                                barrier looks at the block's warps alone. Blocks of a launch are alike and
 *                                take the lowest free slot, and no launch begins before the last one has
 *                                ended; so while slot b is taken there are b + 1 blocks of as many warps.
 *                                The arrival of a block's only warp opens the barrier at once, and a wait
 *                                without it would never end.
 *   sched, bits stuck-at-0       that no number of a warp has.
 *   ir, second word, stuck-at-0  a bit that no instruction has: with it the word is none, and traps. The
 *                                second word of a short instruction is not looked at.
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

static int bits_of(uint32_t number)
{
    return number ? 32 - __builtin_clz(number) : 0;
}

int prove_slot_warps(const struct profile *p, int slot)
{
    int warps = p->warps / (slot + 1), of_block = most_warps(p);
    int threads = p->threads_per_sm / (slot + 1); /* of a block, if so many are resident */
    int of_sm = (threads + SM_LANES - 1) / SM_LANES;
    warps = warps < of_block ? warps : of_block;
    return warps < of_sm ? warps : of_sm;
}

/* Bits of the second word that are 0 in all instructions. */
static uint32_t bits_of_no_instruction(const struct profile *p)
{
    uint32_t zero = ~0u;
    for (int row = 0; row < isa_rows_of(p->capability); row++)
        if (isa_rows[row].form != ISA_SHORT && isa_rows[row].form != ISA_CTRL_SHORT)
            zero &= isa_rows[row].hi_mask & ~isa_rows[row].hi;
    return zero;
}

/* Arrivals that nothing looks at. More than 32 warps are not claimed. */
static uint32_t unseen_arrivals(const struct profile *p, int slot)
{
    int warps = prove_slot_warps(p, slot);
    return p->warps > 32 ? 0 : from_bit(warps > 1 ? warps : 0);
}

/* What can be claimed of cells: a read never finds a 1 in `zero`; what stands in `ignored` changes nothing. */
static struct prove_claim claim_of(const struct profile *p, const struct sm_cell *cell)
{
    struct prove_claim c = {0};
    switch (cell->structure) {
    case SM_S_pc: c.zero = 3 | from_bit(p->code_bits); break;
    case SM_S_dsp: c.zero = from_bit(bits_of((uint32_t)most_entries(p))); break;
    case SM_S_sched: c.zero = from_bit(bits_of((uint32_t)p->warps - 1)); break;
    case SM_S_ir: c.zero = cell->field == SM_FIELD(ir, hi) ? bits_of_no_instruction(p) : 0; break;
    case SM_S_barrier: c.ignored = cell->field ? 0 : unseen_arrivals(p, cell->index[0]); break;
    default: break;
    }
    return c;
}

bool prove_never_one(const struct profile *p, const struct sm_cell *cell)
{
    uint32_t zero = claim_of(p, cell).zero;
    if (cell->structure ==
        SM_S_pc) /* behind the last word of the code space it is 2^code_bits, until a block starts */
        zero &= 3 | from_bit(p->code_bits + 1);
    return cell->structure != SM_S_ir && (zero >> cell->bit & 1);
}

const char *prove_cell(const struct profile *p, const struct fsim_fault *f)
{
    struct prove_claim c = claim_of(p, &f->cell);
    uint32_t bit = 1u << f->cell.bit;
    if ((c.zero & bit) && (f->kind != FSIM_SA || f->value == 0))
        switch (f->cell.structure) {
        case SM_S_pc:
            return "a fetch from an address with this bit traps (faultsim prove --target pc)";
        case SM_S_dsp: return "the stack never holds so many entries (faultsim prove --target dsp)";
        case SM_S_sched: return "no warp has such a number (faultsim prove --target sched)";
        default: return "no instruction has this bit (faultsim prove --target ir)";
        }
    return c.ignored & bit ? "no block in this slot has so many warps, or its only one opens the "
                             "barrier (faultsim prove --target barrier)"
                           : NULL;
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
    for (int row = 0; row < isa_rows_of(p->capability); row++)
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
        const struct isa_row *r = &isa_rows[fl_random(seed) % (uint64_t)isa_rows_of(p->capability)];
        struct isa_insn in;
        word[0] = ((uint32_t)bits & ~r->lo_mask) | r->lo;
        word[1] = ((uint32_t)(bits >> 32) & ~r->hi_mask) | r->hi;
        if (isa_decode(word[0], word[1], p->code_bits == 32, p->capability, &in) && in.op == OP_BAR)
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

/* Blocks of at most `most` warps. */
static int check_barrier(const struct profile *p, uint32_t ignored, int most, int draws,
                         struct fl_buf *out, struct fl_err *err)
{
    uint64_t seed = 7;
    long same = 0, hung = 0;
    for (int i = 0; i < draws; i++) {
        struct prove_bench b;
        uint32_t word[PROVE_WORDS];
        put_code(p, word);
        draw_bar(p, &seed, word);
        if (prove_bench_open(&b, p, 0, 0, 1 + (int)(fl_random(&seed) % (uint64_t)most), word, 4,
                             err) != 0)
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
        same, most, ignored, hung);
    return 0;
}

/* Launches of blocks of all sizes, warps of which end early or late: which warps a slot has. */
int prove_check_slots(const struct profile *p, const int *most, struct fl_buf *out,
                      struct fl_err *err)
{
    uint64_t seed = 8;
    long seen = 0, full = 0;
    uint32_t word[PROVE_WORDS];
    put_code(p, word);
    for (int warps = 1; warps <= most_warps(p); warps++) {
        struct prove_bench b;
        if (prove_bench_grid(&b, p, warps, 3 * p->blocks_per_sm, word, PROVE_WORDS, err) != 0)
            return -1;
        const struct sm_state *s = &b.start->sm->s;
        int slot = -1;
        while (slot < 0 && !gpu_ended(b.start)) {
            struct sm_warp *w = &b.start->sm->s.warp[fl_random(&seed) % (uint64_t)p->warps];
            if (fl_random(&seed) % 4 == 0 && w->pc == 4)
                w->pc = 0; /* it runs for longer */
            gpu_tick(b.start);
            for (int i = 0; i < p->blocks_per_sm && slot < 0; i++) {
                seen += s->block[i].live;
                full += s->block[i].live && s->block[i].warps == most[i];
                slot = s->block[i].live && s->block[i].warps > most[i] ? i : -1;
            }
        }
        prove_bench_close(&b);
        if (slot >= 0)
            return fl_fail(err, "disproved: block slot %d holds a block of %d warps", slot, warps);
    }
    fl_buf_printf(out,
                  "  writers: launches of %d blocks of 1 to %d warps each, that end early or late: "
                  "%ld times a "
                  "block in a slot, never more warps than",
                  3 * p->blocks_per_sm, most_warps(p), seen);
    for (int i = 0; i < p->blocks_per_sm; i++)
        fl_buf_printf(out, " %d", most[i]);
    fl_buf_printf(out, " in the slots from 0 on (%ld times as many).\n", full);
    return 0;
}

/* A block's only warp, and a barrier of it with the arrival held at either value. */
static int check_only_warp(const struct profile *p, struct fl_buf *out, struct fl_err *err)
{
    uint64_t seed = 9;
    long same = 0, hung = 0;
    for (int i = 0; i < DRAWS; i++) {
        struct prove_bench b;
        uint32_t word[PROVE_WORDS];
        put_code(p, word);
        draw_bar(p, &seed, word);
        if (prove_bench_open(&b, p, 0, 0, 1, word, PROVE_WORDS, err) != 0)
            return -1;
        gpu_copy(b.a, b.start);
        gpu_copy(b.b, b.start);
        for (int bar = 0; bar < p->barriers; bar++) {
            struct sm_cell c = {.structure = SM_S_barrier, .index = {0, bar}};
            struct sm_force f = sm_cell_force(b.img, &c, i & 1);
            gpu_add_force(b.b, &f);
        }
        prove_run_out(b.a);
        prove_run_out(b.b);
        for (int bar = 0; bar < p->barriers; bar++)
            b.a->sm->s.block[0].arrived[bar] = b.b->sm->s.block[0].arrived[bar];
        bool no_test = b.a->sm->s.deadlock, good = no_test || gpu_same(b.a, b.b);
        hung += no_test;
        same += good && !no_test;
        prove_bench_close(&b);
        if (!good)
            return fl_fail(err,
                           "disproved: the arrival of a block's only warp changes what it does");
    }
    fl_buf_printf(out,
                  "  readers: %ld blocks of one warp, its arrivals held: the same machine as "
                  "without (%ld others wait "
                  "for ever without the fault, and are no test).\n",
                  same, hung);
    return 0;
}

static int check_all_slots(const struct profile *p, struct fl_buf *out, struct fl_err *err)
{
    int most[SM_MAX_BLOCKS];
    for (int i = 0; i < p->blocks_per_sm; i++)
        most[i] = prove_slot_warps(p, i);
    if (prove_check_slots(p, most, out, err) != 0)
        return -1;
    for (int i = 0; i < p->blocks_per_sm; i++) {
        uint32_t unseen = from_bit(most[i]);
        bool again = i && most[i] == most[i - 1];
        if (most[i] < 1 || again)
            continue;
        if (unseen && p->warps > most[i] &&
            check_barrier(p, unseen, most[i], i ? DRAWS / 8 : DRAWS, out, err) != 0)
            return -1;
        if (most[i] == 1 && check_only_warp(p, out, err) != 0)
            return -1;
    }
    return 0;
}

/* ---- sched ----------------------------------------------------------------------------------- */

static int check_sched(const struct profile *p, uint32_t zero, struct fl_buf *out,
                       struct fl_err *err)
{
    long picks = 0;
    uint32_t word[PROVE_WORDS];
    put_code(p, word);
    for (int warps = 1; warps <= most_warps(p); warps++) {
        struct prove_bench b;
        bool good = true;
        if (prove_bench_grid(&b, p, warps, p->warps, word, PROVE_WORDS, err) != 0)
            return -1;
        while (good && !gpu_ended(b.start)) {
            gpu_tick(b.start);
            good = !((uint32_t)b.start->sm->s.last_warp & zero);
            picks++;
        }
        prove_bench_close(&b);
        if (!good)
            return fl_fail(err, "disproved: the scheduler picks a warp with a bit of 0x%x", zero);
    }
    fl_buf_printf(out,
                  "  writers: %ld slots with blocks of 1 to %d warps: none picks a warp with a bit "
                  "of 0x%x.\n",
                  picks, most_warps(p), zero);
    return 0;
}

/* ---- ir -------------------------------------------------------------------------------------- */

/* Instructions with one of the bits: none runs. Short ones, with the second word held at 0 there: the same machine. */
static int check_ir(const struct profile *p, uint32_t zero, struct fl_buf *out, struct fl_err *err)
{
    uint64_t seed = 10;
    long trapped = 0, same = 0;
    for (int row = 0; row < isa_rows_of(p->capability); row++)
        for (int i = 0; i < 32; i++) {
            const struct isa_row *r = &isa_rows[row];
            struct prove_bench b;
            uint64_t bits = fl_random(&seed), more = fl_random(&seed);
            bool is_short = r->form == ISA_SHORT || r->form == ISA_CTRL_SHORT;
            uint32_t extra = 0, word[2] = {((uint32_t)bits & ~r->lo_mask) | r->lo,
                                           ((uint32_t)(bits >> 32) & ~r->hi_mask) | r->hi};
            while (!extra)
                extra = (uint32_t)more & zero, more = fl_random(&seed);
            word[1] = is_short ? ((uint32_t)(bits >> 32) & ~3u) | extra : word[1] | extra;
            if (prove_bench_open(&b, p, 0, 0, 1, word, 2, err) != 0)
                return -1;
            gpu_copy(b.a, b.start);
            gpu_copy(b.b, b.start);
            for (int bit = 0; bit < 32; bit++) {
                struct sm_cell c = {.structure = SM_S_ir, .field = SM_FIELD(ir, hi), .bit = bit};
                struct sm_force f = sm_cell_force(b.img, &c, 0);
                if (zero >> bit & 1)
                    gpu_add_force(b.b, &f);
            }
            prove_run_out(b.a); /* behind both there is no code */
            prove_run_out(b.b);
            bool traps = b.a->sm->s.trap == TRAP_ILLEGAL_INSTRUCTION,
                 as_before = gpu_same(b.a, b.b);
            prove_bench_close(&b);
            if (is_short ? !as_before : !traps)
                return fl_fail(err, "disproved: %08x %08x runs and has a bit of 0x%x", word[0],
                               word[1], extra);
            trapped += !is_short;
            same += is_short;
        }
    fl_buf_printf(out,
                  "  writers: %ld words drawn from the ISA table, with a bit of 0x%x in the "
                  "second: all trap.\n"
                  "  readers: %ld short instructions with these bits of the word behind them held "
                  "at 0: the same machine.\n",
                  trapped, zero, same);
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
    if (structure == SM_S_sched && claim->zero)
        return check_sched(p, claim->zero, out, err);
    if (structure == SM_S_ir && claim->zero)
        return check_ir(p, claim->zero, out, err);
    if (structure == SM_S_barrier && claim->ignored)
        return check_barrier(p, claim->ignored, most_warps(p), DRAWS, out, err);
    return 0;
}

/* Stuck-at faults of the structure that are claimed to be untestable. */
static long count_untestable(const struct profile *p, const struct sm_structure *s, int structure)
{
    long count = 0;
    int n[SM_MAX_AXES];
    for (int i = 0; i < SM_MAX_AXES; i++)
        n[i] = i < s->naxes ? s->axis[i].count : 1;
    struct fsim_fault f = {.kind = FSIM_SA, .cell = {.structure = structure}};
    struct sm_cell *c = &f.cell;
    for (c->index[0] = 0; c->index[0] < n[0]; c->index[0]++)
        for (c->index[1] = 0; c->index[1] < n[1]; c->index[1]++)
            for (c->field = 0; c->field < s->nfields; c->field++)
                for (c->bit = 0; c->bit < s->field[c->field].bits; c->bit++)
                    for (int value = 0; value < 2; value++) {
                        f.value = (uint8_t)value;
                        count += prove_cell(p, &f) != NULL;
                    }
    return count;
}

long prove_cells(const struct profile *p, int structure, struct fl_buf *out, struct fl_err *err)
{
    struct sm_cell cell = {.structure = structure,
                           .field = structure == SM_S_ir ? SM_FIELD(ir, hi) : 0};
    struct prove_claim claim = claim_of(p, &cell);
    struct prove_bench b;
    struct sm_structure s;
    uint32_t code[PROVE_WORDS];
    put_code(p, code);
    if (prove_bench_open(&b, p, 0, 0, 1, code, PROVE_WORDS, err) != 0)
        return -1;
    sm_structure_get(b.img, structure, &s);
    prove_bench_close(&b);
    long all = count_untestable(p, &s, structure);
    fl_buf_printf(out, "%s, profile %s\n", s.name, p->name);
    if (all && (structure == SM_S_barrier ? check_all_slots(p, out, err)
                                          : prove_check_cells(p, structure, &claim, out, err)) != 0)
        return -1;
    fl_buf_printf(out, "%s: %ld of %ld faults untestable; of the others nothing is known\n",
                  all ? "proved" : "no claim", all, 2 * sm_structure_bits(&s));
    return all;
}
