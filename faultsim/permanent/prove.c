/* prove.c -- untestable faults of the divergence stack.
 *
 * The claims, each in two halves that are checked by running the machine model:
 *
 *   SPC[2:0]           no fault of these cells can be tested.
 *     writers  Whatever instruction is executed, it leaves 0 in SPC[2:0] of every entry. The
 *              instructions come from isa.def: one word for every row, its free bits drawn many
 *              times, executed alone on a fresh machine from every kind of active mask. So
 *              stuck-at-0 there changes nothing that is stored.
 *     readers  The only reader is a pop. For every id and every value of SPC[2:0], a pop leaves the
 *              same machine. So stuck-at-1 changes nothing that is consumed.
 *   SPC[31:24] stuck-at-0, in a code space of 24 bits.
 *     writers  As above, with one exception: BRA or CAL in the last word of the code space pushes
 *              the address behind it, 2^24, so bit 24 of a DIVERGE or CALL entry can be 1.
 *     readers  Whoever pops that entry and has a thread active goes on at 2^24, where there is
 *              never code: the fault-free machine traps, and a job that traps is no test. With no
 *              thread active the next pop or block overwrites the PC: the machine is the same
 *              whatever the bit was.
 *
 *   SPC[31:18], in a code space of 18 bits: no fault of these cells can be tested, since no pop
 *   takes them. Readers as for
 *   SPC[2:0], with values drawn.
 *   Line-entries that a stack which loses pushes never fills: a push on it, when full, leaves
 *   pointer and entries as they
 *   are. So no pop ever finds the pointer there.
 *
 *   An entry that is coupled to one below it, of the same stack, by a change (cfin, cfid).
 *     order    A push writes the entry above those that are there and no other, and a pop writes none. So an
 *              entry below is written only when this one is off the stack, and this one is pushed again before
 *              a pop can find what the coupling did to it.
 *
 * Programs without some operations (prove_unwritten) leave bits of the flow id at one value: an
 * operation's entries all have one id.
 */
#include "prove.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "prove_bench.h"
#include "faultsim/faults/layout.h"

enum { DRAWS = 64 };

static const uint32_t low_bits = 0x7;

/* Bits of SPC outside a 24-bit code space, and the one value they can hold. */
static const uint32_t high_bits = 0xff000000, beyond = 0x01000000;

static bool short_space(const struct profile *p)
{
    return p->code_bits == 24;
}

/* Bits above those that a pop takes; 0 where it takes them all. */
static uint32_t unfetched(const struct profile *p)
{
    return ~profile_spc_bits(p) & ~low_bits;
}

/* Entries that can be filled. */
static int usable(const struct profile *p)
{
    return p->drops_at ? p->drops_at : p->stack_entries;
}

static uint32_t last_word(const struct profile *p)
{
    return (uint32_t)((uint64_t)1 << p->code_bits) - 8;
}

/* It changes the cell to 0 and to nothing else. */
static bool becomes_zero(const struct fsim_fault *f)
{
    return !f->value && (f->kind == FSIM_SA || f->kind == FSIM_TF || f->kind == FSIM_CFID ||
                         f->kind == FSIM_CFST);
}

/* A cell of the stack that holds 0 for ever, as the writers of line-entries show. */
static bool never_set(const struct profile *p, const struct sm_cell *cell)
{
    uint32_t zero = low_bits | (short_space(p) ? high_bits & ~beyond : 0);
    return cell->index[1] >= usable(p) ||
           (cell->field == SM_FIELD(dstack, spc) && (zero >> cell->bit & 1));
}

/* It waits for a change, or a 1, that never comes. */
static bool never_excited(const struct sm_image *img, const struct fsim_fault *f)
{
    if (f->kind == FSIM_SA) /* the most by far */
        return false;
    struct layout l = layout_of(img, f->cell.structure);
    struct sm_cell other = layout_cell(&l, 0, f->other, f->other_bit);
    bool (*zero)(const struct profile *, const struct sm_cell *) = f->cell.structure == SM_S_dstack
                                                                       ? never_set
                                                                       : prove_never_one;
    switch ((enum fsim_kind)f->kind) {
    case FSIM_TF: return f->value == 1 && zero(&img->profile, &f->cell);
    case FSIM_CFIN:
    case FSIM_CFID: return zero(&img->profile, &other);
    case FSIM_CFST: return f->when == 1 && zero(&img->profile, &other);
    case FSIM_SOF: return zero(&img->profile, &f->cell); /* and so are all of its column */
    default: return false;
    }
}

/* A change of the aggressor comes before a push of the victim, and that before its pop. */
static bool pushed_again(const struct sm_image *img, const struct fsim_fault *f)
{
    struct layout l = layout_of(img, SM_S_dstack);
    if (f->kind != FSIM_CFIN && f->kind != FSIM_CFID)
        return false;
    struct sm_cell other = layout_cell(&l, 0, f->other, f->other_bit);
    return other.index[0] == f->cell.index[0] && other.index[1] < f->cell.index[1];
}

/* It comes with a 1 in SPC[24] of the entry that it changes, in which 2^24 stands then. */
static bool comes_with_beyond(const struct sm_image *img, const struct fsim_fault *f)
{
    struct layout l = layout_of(img, SM_S_dstack);
    if ((f->kind != FSIM_CFIN && f->kind != FSIM_CFID && f->kind != FSIM_CFST) || f->when != 1 ||
        !short_space(&img->profile))
        return false;
    struct sm_cell other = layout_cell(&l, 0, f->other, f->other_bit);
    return other.index[0] == f->cell.index[0] && other.index[1] == f->cell.index[1] &&
           f->cell.field == SM_FIELD(dstack, spc) && other.field == SM_FIELD(dstack, spc) &&
           1u << other.bit == beyond;
}

/* Outside of the stack. */
static const char *prove_other(const struct sm_image *img, const struct fsim_fault *f)
{
    const char *why = f->kind == FSIM_SA || becomes_zero(f) ? prove_cell(&img->profile, f) : NULL;
    if (!why && layout_is_memory(f->cell.structure) && never_excited(img, f))
        why = "the bit that must change is always 0 (faultsim prove)";
    return why;
}

static const char *argument(const struct sm_image *img, const struct fsim_fault *f)
{
    if (fsim_of_decoder(f))
        return NULL;
    if (f->cell.structure != SM_S_dstack)
        return prove_other(img, f);
    if (never_excited(img, f))
        return "every push writes 0 to the bit that must change (faultsim prove --target dstack)";
    if (pushed_again(img, f))
        return "the entry is pushed again before a pop finds what one below it did (faultsim prove "
               "--target dstack)";
    if (comes_with_beyond(img, f))
        return "the entry holds 2^24 then, where no job can go on (faultsim prove --target dstack "
               "--profile g80)";
    if (f->cell.index[1] >= usable(&img->profile))
        return "a push that would fill this entry is lost (faultsim prove --target dstack)";
    if (f->cell.field != SM_FIELD(dstack, spc))
        return NULL;
    uint32_t bit = (uint32_t)1 << f->cell.bit;
    if (bit & low_bits)
        return "every push writes 0 to SPC[2:0] and a pop ignores it (faultsim prove --target "
               "dstack)";
    if (bit & unfetched(&img->profile))
        return "a pop takes no more bits than fetch sees (faultsim prove --target dstack)";
    if (bit & high_bits && becomes_zero(f) && short_space(&img->profile))
        return "every push writes 0 to SPC[31:24], or 2^24, where no job can go on (faultsim prove "
               "--target dstack --profile g80)";
    return NULL;
}

bool prove_needs_end(const struct profile *p, const struct fsim_fault *f)
{
    switch (f->cell.structure) {
    case SM_S_pc:
    case SM_S_ir: return true;
    case SM_S_dstack: /* a 1 in SPC[31:24] leads out of the code space, and so may one of an aggressor */
        return short_space(p) &&
               (f->kind != FSIM_SA || (f->cell.field == SM_FIELD(dstack, spc) &&
                                       ((uint32_t)1 << f->cell.bit & high_bits & ~unfetched(p)))) &&
               f->cell.index[1] < usable(p);
    default: return false;
    }
}

const char *prove_untestable(const struct sm_image *img, const struct fsim_fault *f)
{
    const char *why = argument(img, f);
    return why && img->beside_traps && prove_needs_end(&img->profile, f) ? NULL : why;
}

const char *prove_unwritten(const struct prove_writers *writers, const struct fsim_fault *f)
{
    if (f->cell.structure != SM_S_dstack || f->cell.field != SM_FIELD(dstack, id))
        return NULL;
    for (int op = 0; op < OP_COUNT; op++)
        for (int id = 0; id < 4; id++)
            if ((writers->ids[op] >> id & 1) && (id >> f->cell.bit & 1) != f->value)
                return NULL;
    return f->value ? "without those operations every push writes 1 to this bit"
                    : "without those operations every push writes 0 to this bit";
}

/* 0 in the bits of `zero`, in every entry; but for 2^24 behind the last word of a 24-bit code
 * space. */
static bool entries_hold_zero(const struct gpu *m, uint32_t zero, uint32_t pc, long *exceptions)
{
    const struct profile *p = &m->img->profile;
    const struct sm_warp *w = &m->sm->s.warp[0];
    for (int le = 0; le < p->stack_entries; le++) {
        bool behind = short_space(p) && pc == beyond - 8 && w->spc[le] == beyond &&
                      (w->id[le] == LE_DIVERGE || w->id[le] == LE_CALL);
        if ((w->spc[le] & zero) && !behind)
            return false;
        *exceptions += behind;
    }
    return true;
}

/* One warp, and one instruction at `pc`. */
static int open_alone(struct prove_bench *b, const struct profile *p, uint32_t pc,
                      const uint32_t word[2], struct fl_err *err)
{
    return prove_bench_open(b, p, pc, pc, 1, word, 2, err);
}

/* Executes one instruction under several masks. Returns the flow ids it pushed, a bit each, or -1
 * when it left a 1 where zeros are claimed. */
static int try_instruction(const struct profile *p, uint32_t zero, uint32_t pc,
                           const uint32_t word[2], uint64_t *seed, long *exceptions)
{
    struct prove_bench b;
    if (open_alone(&b, p, pc, word, NULL) != 0)
        return 0;
    struct gpu *m = b.a;
    int pushed = 0;
    for (int i = 0; i < 4 && pushed >= 0; i++) {
        struct sm_warp *w = &m->sm->s.warp[0];
        gpu_copy(m, b.start);
        w->pc = pc;
        w->active = (uint32_t)fl_random(seed) | 1u << i;
        w->ts[0] = w->ts[1] = 0;
        prove_draw_flags(w, seed);
        prove_execute(m);
        if (w->sp > 0)
            pushed |= 1 << (w->id[0] & 3);
        if (!entries_hold_zero(m, zero, pc, exceptions))
            pushed = -1;
    }
    prove_bench_close(&b);
    return pushed;
}

/* Where an instruction is tried: mostly anywhere, every fourth time in the last word of the code
 * space. */
static uint32_t draw_pc(const struct profile *p, int i, uint64_t *seed)
{
    uint32_t last = last_word(p), pc = (uint32_t)fl_random(seed) & last;
    return i % 4 == 3 ? last : pc;
}

static int check_writers(const struct profile *p, uint32_t zero,
                         const struct prove_without *without, struct prove_writers *writers,
                         struct fl_buf *out, struct fl_err *err)
{
    long words = 0, writing = 0;
    uint64_t seed = 1;
    memset(writers, 0, sizeof *writers);
    for (int row = 0; row < isa_rows_of(p->capability); row++)
        for (int i = 0; i < DRAWS; i++) {
            uint32_t word[2];
            struct isa_insn in;
            if (!prove_draw_word(p, &isa_rows[row], &seed, word, &in) ||
                (without && without->op[in.op]))
                continue;
            uint32_t pc = draw_pc(p, i, &seed);
            int pushed = try_instruction(p, zero, pc, word, &seed, &writers->behind);
            if (pushed < 0)
                return fl_fail(err,
                               "disproved: %s (%08x %08x) at 0x%x leaves a 1 in bits 0x%x of SPC",
                               isa_op_name((enum isa_op)in.op), word[0], word[1], pc, zero);
            words++;
            writing += pushed > 0;
            writers->ids[in.op] |= (uint8_t)pushed;
        }
    fl_buf_printf(out,
                  "  writers: %ld instructions drawn from all %d rows of the ISA table; %ld of "
                  "them pushed an entry.\n"
                  "           Operations that write a line-entry:",
                  words, isa_rows_of(p->capability), writing);
    for (int op = 0; op < OP_COUNT; op++)
        if (writers->ids[op])
            fl_buf_printf(out, " %s", isa_op_name((enum isa_op)op));
    fl_buf_printf(out, ".\n");
    return 0;
}

/* Value number i of the bits in `mask`, the others 0. */
static uint32_t spread(uint32_t i, uint32_t mask)
{
    uint32_t v = 0;
    for (; mask; mask &= mask - 1, i >>= 1)
        v |= i & 1 ? mask & -mask : 0;
    return v;
}

/* The instructions that pop: an exit leaves no thread active, so entries are unwound; a join pops
 * one; a RET, where the profile says so. */
static const uint32_t popping[3][2] = {
    {0xf0000001u, 0xe0000001u}, {0xf0000001u, 0xe0000002u}, {0x30000003u, 0x00000780u}};

static int npopping(const struct profile *p)
{
    return p->ret_pops ? 3 : 2;
}

/* Entry number i on top, with random contents, over random entries and thread states. */
static void draw_stack(struct gpu *m, int i, uint64_t *seed)
{
    const struct profile *p = &m->img->profile;
    struct sm_warp *w = &m->sm->s.warp[0];
    int top = i % usable(p);
    w->sp = (uint32_t)top + 1;
    for (int le = 0; le <= top; le++) {
        w->tm[le] = (uint32_t)fl_random(seed);
        w->id[le] = (uint8_t)(fl_random(seed) & 3);
        w->spc[le] = (uint32_t)fl_random(seed) & last_word(p);
    }
    w->id[top] = (uint8_t)(i / usable(p) & 3);
    w->ts[0] = (uint32_t)fl_random(seed);
    w->ts[1] = (uint32_t)fl_random(seed);
    if (i & 1) { /* half of the time no thread comes back, and no broken one is left behind */
        w->ts[0] &= w->ts[1];
        for (int le = 0; le <= top; le++)
            w->tm[le] &= w->ts[0];
    }
    w->active = ~(w->ts[0] | w->ts[1]) & (uint32_t)fl_random(seed);
}

/* Both machines with `value` in the claimed bits of the entry popped first: the cell is not what is
 * compared. */
static bool same_but_for(struct gpu *a, struct gpu *b, int le)
{
    a->sm->s.warp[0].spc[le] = b->sm->s.warp[0].spc[le];
    return gpu_same(a, b);
}

static int check_ignored(const struct profile *p, uint32_t ignored, struct fl_buf *out,
                         struct fl_err *err)
{
    uint64_t seed = 2;
    long pops = 0;
    int bits = __builtin_popcount(ignored);
    uint32_t values = bits <= 8 ? 1u << bits : 17; /* all; of many bits 16 that are drawn */
    for (int word = 0; word < npopping(p); word++) {
        struct prove_bench r;
        bool same = true;
        if (open_alone(&r, p, 0, popping[word], err) != 0)
            return -1;
        for (int i = 0; i < 4096 && same; i++) {
            int le = i % usable(p);
            draw_stack(r.start, i, &seed);
            r.start->sm->s.warp[0].spc[le] &= ~ignored;
            gpu_copy(r.a, r.start);
            prove_run_out(r.a);
            pops++;
            for (uint32_t k = 1; k < values && same; k++) {
                gpu_copy(r.b, r.start);
                r.b->sm->s.warp[0].spc[le] |= bits <= 8 ? spread(k, ignored)
                                                        : (uint32_t)fl_random(&seed) & ignored;
                prove_run_out(r.b);
                same = same_but_for(r.b, r.a, le);
                pops++;
            }
        }
        prove_bench_close(&r);
        if (!same)
            return fl_fail(
                err, "disproved: a pop gives different machines for different bits 0x%x of SPC",
                ignored);
    }
    fl_buf_printf(
        out,
        "  readers: %ld pops over all LEs, ids and%s values of SPC bits 0x%x, random TM, SPC "
        "and thread states:\n"
        "           the same machine whatever these bits are.\n",
        pops, bits <= 8 ? "" : " drawn", ignored);
    return 0;
}

/* The machine has so many entries on its stack, and nothing above them. */
static void set_full(struct gpu *m, int entries, uint64_t *seed)
{
    struct sm_warp *w = &m->sm->s.warp[0];
    w->sp = (uint32_t)entries;
    w->active = (uint32_t)fl_random(seed);
    prove_draw_flags(w, seed);
}

/* Instructions on a stack that is full, or has room for one entry: none is ever counted or written
 * above. */
static int check_lost(const struct profile *p, struct fl_buf *out, struct fl_err *err)
{
    uint64_t seed = 4;
    long lost = 0, kept = 0;
    for (int row = 0; row < isa_rows_of(p->capability); row++)
        for (int i = 0; i < DRAWS; i++) {
            uint32_t word[2];
            struct isa_insn in;
            struct prove_bench one;
            if (!prove_draw_word(p, &isa_rows[row], &seed, word, &in))
                continue;
            if (open_alone(&one, p, 0, word, err) != 0)
                return -1;
            const struct sm_warp *w = &one.a->sm->s.warp[0];
            bool good = true;
            for (int k = 0; k < 4 && good; k++) {
                int entries = p->drops_at - (k & 1);
                gpu_copy(one.a, one.start);
                set_full(one.a, entries, &seed);
                prove_execute(one.a);
                for (int le = p->drops_at; le < p->stack_entries; le++)
                    good &= !(w->tm[le] | w->spc[le] | w->id[le]);
                good &= w->sp <= (uint32_t)p->drops_at && one.a->sm->s.trap != TRAP_STACK_OVERFLOW;
                kept += w->sp > (uint32_t)entries;
                lost += entries == p->drops_at;
            }
            prove_bench_close(&one);
            if (!good)
                return fl_fail(err, "disproved: %s (%08x %08x) fills more than %d entries",
                               isa_op_name((enum isa_op)in.op), word[0], word[1], p->drops_at);
        }
    fl_buf_printf(out,
                  "  writers: %ld times an instruction on a stack of %d entries: none holds more "
                  "afterwards (of one entry less: %ld times one more).\n",
                  lost, p->drops_at, kept);
    return 0;
}

/* Instructions on stacks of all heights: which entries change. */
static int check_order(const struct profile *p, struct fl_buf *out, struct fl_err *err)
{
    uint64_t seed = 11;
    long pushed = 0, others = 0;
    for (int row = 0; row < isa_rows_of(p->capability); row++)
        for (int i = 0; i < (isa_rows[row].form == ISA_CTRL ? 4 * DRAWS : 4); i++) {
            uint64_t bits = fl_random(&seed);
            const struct isa_row *r = &isa_rows[row];
            struct isa_insn in;
            struct prove_bench one;
            uint32_t word[2] = {((uint32_t)bits & ~r->lo_mask) | r->lo,
                                ((uint32_t)(bits >> 32) & ~r->hi_mask) | r->hi};
            if (!isa_decode(word[0], word[1], p->code_bits == 32, p->capability, &in))
                continue;
            if (open_alone(&one, p, 0, word, err) != 0)
                return -1;
            const struct sm_warp *w = &one.a->sm->s.warp[0], *old = &one.start->sm->s.warp[0];
            draw_stack(one.start, (int)(fl_random(&seed) >> 40), &seed);
            prove_draw_flags(&one.start->sm->s.warp[0], &seed);
            gpu_copy(one.a, one.start);
            prove_execute(one.a);
            uint32_t height = old->sp;
            bool good = w->sp <= height + 1;
            for (uint32_t le = 0; le < (uint32_t)p->stack_entries; le++) {
                bool same = w->tm[le] == old->tm[le] && w->spc[le] == old->spc[le] &&
                            w->id[le] == old->id[le];
                good &= same || le == height;
            }
            pushed += w->sp > height;
            others += w->sp <= height;
            prove_bench_close(&one);
            if (!good)
                return fl_fail(err,
                               "disproved: %s (%08x %08x) writes an entry that is not the next one",
                               isa_op_name((enum isa_op)in.op), word[0], word[1]);
        }
    fl_buf_printf(out,
                  "Couplings: %ld instructions on stacks of any height pushed an entry, each the "
                  "next one and no other; "
                  "%ld wrote none.\n"
                  "           So no change of an entry below (cfin, cfid) is found in one above, "
                  "which is pushed again first.\n",
                  pushed, others);
    return 0;
}

/* An entry that holds 2^24, against the one that a cell stuck at 0 makes of it, or a coupling. */
static int check_beyond(const struct profile *p, struct fl_buf *out, struct fl_err *err)
{
    uint64_t seed = 3;
    long trapped = 0, same = 0;
    for (int word = 0; word < 2; word++) {
        struct prove_bench r;
        bool good = true;
        if (open_alone(&r, p, 0, popping[word], err) != 0)
            return -1;
        for (int i = 0; i < 8192 && good; i++) {
            int le = i % p->stack_entries;
            draw_stack(r.start, i, &seed);
            struct sm_warp *w = &r.start->sm->s.warp[0];
            w->id[le] = i / p->stack_entries & 2 ? LE_CALL : LE_DIVERGE; /* who can hold 2^24 */
            w->spc[le] = beyond;
            gpu_copy(r.a, r.start);
            w->spc[le] = i & 4096 ? (uint32_t)fl_random(&seed) : 0;
            gpu_copy(r.b, r.start);
            prove_run_out(r.a);
            if (r.a->sm->s.trap) {
                trapped++;
                continue;
            }
            prove_run_out(r.b);
            r.b->sm->s.warp[0].pc =
                r.a->sm->s.warp[0].pc; /* of a warp that has ended: no fetch reads it */
            good = r.b->grid.done && same_but_for(r.b, r.a, le);
            same++;
        }
        prove_bench_close(&r);
        if (!good)
            return fl_fail(err, "disproved: a job can pop an entry that holds 2^24, end well, and "
                                "end otherwise with 0 in its place");
    }
    fl_buf_printf(
        out,
        "  readers: %ld pops of an entry that holds 2^24: in %ld the fault-free job traps, "
        "as there is never code;\n"
        "           in %ld no thread is active and the machine is the same with 0 there, or any "
        "other address.\n",
        trapped + same, trapped, same);
    return 0;
}

int prove_check(const struct profile *p, const struct prove_claim *claim, struct fl_buf *out,
                struct fl_err *err)
{
    struct prove_writers writers;
    if ((claim->zero && check_writers(p, claim->zero, NULL, &writers, out, err) != 0) ||
        (claim->ignored && check_ignored(p, claim->ignored, out, err) != 0))
        return -1;
    bool outside = short_space(p) && (claim->zero & high_bits);
    return outside ? check_beyond(p, out, err) : 0;
}

/* Faults of flow ids that programs without some operations cannot show; says which. */
static int list_unwritten(const struct profile *p, const struct prove_writers *writers,
                          struct fl_buf *out)
{
    unsigned ids = 0;
    int faults = 0;
    for (int op = 0; op < OP_COUNT; op++)
        ids |= writers->ids[op];
    for (int bit = 0; bit < 2; bit++) {
        unsigned ones = bit ? 0xc : 0xa;
        for (int value = 0; value < 2; value++) {
            if (ids & (value ? ~ones & 15 : ones))
                continue;
            fl_buf_printf(out,
                          "Without those operations every push writes %d to ID[%d]: stuck-at-%d "
                          "is untestable, %d faults.\n",
                          value, bit, value, p->stack_entries);
            faults += p->stack_entries;
        }
    }
    return faults;
}

int prove_stack(const struct profile *p, const struct prove_without *without,
                struct prove_writers *writers, struct fl_buf *out, struct fl_err *err)
{
    struct prove_writers seen;
    uint32_t zero = low_bits | (short_space(p) ? high_bits : 0);
    int low = 3 * 2 * p->stack_entries, high = short_space(p) ? 8 * p->stack_entries : 0;
    int far = __builtin_popcount(unfetched(p)) * 2 * p->stack_entries, lost = 0;
    if (!writers)
        writers = &seen;
    fl_buf_printf(out, "dstack, profile %s\n", p->name);
    if (check_writers(p, zero, without, writers, out, err) != 0)
        return -1;
    fl_buf_printf(out,
                  "SPC[2:0]: every one left 0 there, so stuck-at-0 stores nothing else than the "
                  "fault-free cell.\n");
    if (check_ignored(p, low_bits, out, err) != 0)
        return -1;
    fl_buf_printf(
        out,
        "           So stuck-at-1 changes nothing that is consumed: untestable, 3 bits x %d "
        "LEs x 2 = %d faults.\n",
        p->stack_entries, low);
    if (high) {
        fl_buf_printf(out,
                      "SPC[31:24]: every one left 0 there, but for BRA and CAL in the last word of "
                      "the code space, which push 2^24 (%ld entries).\n",
                      writers->behind);
        if (check_beyond(p, out, err) != 0)
            return -1;
        fl_buf_printf(out, "           So stuck-at-0 is untestable, 8 bits x %d LEs = %d faults.\n",
                      p->stack_entries, high);
    }
    if (far) {
        fl_buf_printf(out, "SPC[31:%d]:\n", p->code_bits);
        if (check_ignored(p, unfetched(p), out, err) != 0)
            return -1;
        fl_buf_printf(out, "           So both are untestable, %d bits x %d LEs x 2 = %d faults.\n",
                      32 - p->code_bits, p->stack_entries, far);
    }
    if (usable(p) < p->stack_entries) {
        lost = (p->stack_entries - usable(p)) * 2 * (66 - 3 - __builtin_popcount(unfetched(p)));
        fl_buf_printf(out, "LEs above %d:\n", usable(p));
        if (check_lost(p, out, err) != 0)
            return -1;
        fl_buf_printf(out,
                      "           So no pop finds an entry there: untestable, %d faults beside "
                      "those above.\n",
                      lost);
    }
    if (check_order(p, out, err) != 0)
        return -1;
    int id = without ? list_unwritten(p, writers, out) : 0, all = low + high + far + lost + id;
    fl_buf_printf(out, "proved: %d of %d faults untestable, %d testable\n", all,
                  66 * 2 * p->stack_entries, 66 * 2 * p->stack_entries - all);
    return all;
}
