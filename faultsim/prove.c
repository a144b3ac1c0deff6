/* prove.c -- untestable faults of the divergence stack.
 *
 * The claim: SPC[2:0] of no line-entry can be tested. Two halves, both checked by running the machine model:
 *
 *   writers  Whatever instruction is executed, it leaves 0 in SPC[2:0] of every entry. The instructions come from isa.def:
 *            one word for every row, its free bits drawn many times, executed alone on a fresh machine from every kind of
 *            active mask. So stuck-at-0 there changes nothing that is stored.
 *   readers  The only reader is a pop. For every id and every value of SPC[2:0], a pop leaves the same machine. So stuck-at-1
 *            changes nothing that is consumed.
 */
#include "prove.h"

#include <stdlib.h>
#include <string.h>

#include "../asm/isa_table.h"

enum { LOW_BITS = 3, DRAWS = 64, FIELD_SPC = 2 };

const char *prove_untestable(const struct sm_image *img, const struct fsim_fault *f)
{
    struct sm_structure s;
    sm_structure_get(img, f->cell.structure, &s);
    if (strcmp(s.name, "dstack") == 0 && f->cell.field == FIELD_SPC && f->cell.bit < LOW_BITS)
        return "every push writes 0 to SPC[2:0] and a pop ignores it (faultsim prove --target "
               "dstack)";
    return NULL;
}

static uint64_t draw(uint64_t *state) /* splitmix64 */
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* A machine with one warp and a code section of one instruction at `base`. */
struct bench {
    struct cubin_code code;
    struct cubin_kernel kernel;
    struct cubin cubin;
    struct job_launch launch;
    struct job job;
    uint8_t bytes[8];
};

static void set_up(struct bench *b, const struct profile *p, uint32_t base, uint32_t lo,
                   uint32_t hi)
{
    memset(b, 0, sizeof *b);
    memcpy(b->bytes, &lo, 4);
    memcpy(b->bytes + 4, &hi, 4);
    b->code = (struct cubin_code){.base = base, .size = 8, .bytes = b->bytes};
    b->kernel = (struct cubin_kernel){.name = "k", .regs = 1, .code = &b->code, .ncode = 1};
    b->cubin = (struct cubin){.kernel = &b->kernel, .nkernels = 1};
    b->launch = (struct job_launch){.kernel = "k", .grid = {1, 1}, .block = {32, 1, 1}};
    b->job = (struct job){.name = "prove",
                          .path = "prove",
                          .profile = *p,
                          .cubin = &b->cubin,
                          .launch = &b->launch,
                          .nlaunches = 1};
}

static bool bits_are_zero(const struct sm *m, uint32_t zero)
{
    for (int le = 0; le < m->img->profile.stack_entries; le++)
        if (m->s.warp[0].spc[le] & zero)
            return false;
    return true;
}

/* Lets the pipeline carry one instruction to its end. */
static void execute(struct sm *m)
{
    uint64_t before = m->s.instructions;
    while (m->s.instructions == before && !sm_ended(m))
        sm_tick(m);
}

/* Executes one instruction under several masks; 1 when it can write an entry, 0 when not, -1 when it leaves a 1 behind. */
static int try_instruction(const struct profile *p, uint32_t zero, uint32_t pc, uint32_t lo,
                           uint32_t hi, uint64_t *seed)
{
    struct bench b;
    set_up(&b, p, pc, lo, hi);
    struct sm_image *img = sm_image_new(&b.job, NULL);
    if (!img)
        return 0;
    struct sm *m = sm_new(img), *start = sm_new(img);
    int writes = 0;
    sm_run(start, start->s.next); /* the block has started */
    for (int i = 0; i < 4 && writes >= 0; i++) {
        struct sm_warp *w = &m->s.warp[0];
        sm_copy(m, start);
        w->pc = pc;
        w->active = (uint32_t)draw(seed) | 1u << i;
        w->ts[0] = w->ts[1] = 0;
        for (int c = 0; c < 4; c++)
            w->cc[c] = (struct sm_cc){(uint32_t)draw(seed), (uint32_t)draw(seed),
                                      (uint32_t)draw(seed), (uint32_t)draw(seed)};
        execute(m);
        writes |= w->sp > 0;
        if (!bits_are_zero(m, zero))
            writes = -1;
    }
    sm_free(start);
    sm_free(m);
    sm_image_free(img);
    return writes;
}

static int check_writers(const struct profile *p, uint32_t zero, struct fl_buf *out,
                         struct fl_err *err)
{
    bool writer[OP_COUNT] = {false};
    long words = 0, writing = 0;
    uint64_t seed = 1;
    for (int row = 0; row < isa_nrows; row++) {
        const struct isa_row *r = &isa_rows[row];
        for (int i = 0; i < DRAWS; i++) {
            uint64_t bits = draw(&seed);
            uint32_t lo = ((uint32_t)bits & ~r->lo_mask) | r->lo,
                     hi = ((uint32_t)(bits >> 32) & ~r->hi_mask) | r->hi;
            struct isa_insn in;
            if (!isa_decode(lo, hi, p->code_bits == 32, &in))
                continue;
            uint32_t pc = (uint32_t)draw(&seed) & (p->code_bits == 32 ? 0xfffffff8u : 0x00fffff8u);
            int w = try_instruction(p, zero, pc, lo, hi, &seed);
            if (w < 0)
                return fl_fail(err,
                               "disproved: %s (%08x %08x) at 0x%x leaves a 1 in bits 0x%x of SPC",
                               isa_op_name((enum isa_op)in.op), lo, hi, pc, zero);
            words++;
            writing += w;
            writer[in.op] |= w > 0;
        }
    }
    fl_buf_printf(out,
                  "  writers: %ld instructions drawn from all %d rows of the ISA table; %ld of "
                  "them pushed an entry.\n"
                  "           Operations that write a line-entry:",
                  words, isa_nrows, writing);
    for (int op = 0; op < OP_COUNT; op++)
        if (writer[op])
            fl_buf_printf(out, " %s", isa_op_name((enum isa_op)op));
    fl_buf_printf(out, ".\n           Every one left SPC[2:0] = 0: stuck-at-0 stores nothing else "
                       "than the fault-free cell.\n");
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

static int check_readers(const struct profile *p, uint32_t ignored, struct fl_buf *out,
                         struct fl_err *err)
{
    struct bench b;
    set_up(&b, p, 0, 0xf0000001u,
           0xe0000001u); /* NOP.EXIT: leaves no thread active, so entries are popped */
    struct sm_image *img = sm_image_new(&b.job, err);
    if (!img)
        return -1;
    struct sm *m = sm_new(img), *reference = sm_new(img), *start = sm_new(img);
    uint64_t seed = 2;
    long pops = 0;
    bool same = true;
    sm_run(start, start->s.next);
    for (int i = 0; i < 4096 && same; i++) {
        struct sm_warp *w = &start->s.warp[0];
        int le = i % p->stack_entries;
        w->sp = (uint32_t)le + 1;
        w->tm[le] = (uint32_t)draw(&seed);
        w->id[le] = (uint8_t)(i / p->stack_entries & 3);
        w->spc[le] = (uint32_t)draw(&seed) & ~ignored;
        w->ts[0] = (uint32_t)draw(&seed);
        w->ts[1] = (uint32_t)draw(&seed);
        w->active = ~(w->ts[0] | w->ts[1]) & (uint32_t)draw(&seed);
        for (uint32_t k = 0; k < 1u << __builtin_popcount(ignored) && same; k++) {
            sm_copy(m, start);
            m->s.warp[0].spc[le] |= spread(k, ignored);
            while (!sm_ended(m)) /* where the pop leads there is no code: the trap tells the PC */
                sm_tick(m);
            m->s.warp[0].spc[le] &= ~ignored;
            if (k == 0)
                sm_copy(reference, m);
            same = sm_same(m, reference);
            pops++;
        }
    }
    sm_free(m);
    sm_free(reference);
    sm_free(start);
    sm_image_free(img);
    if (!same)
        return fl_fail(err,
                       "disproved: a pop gives different machines for different bits 0x%x of SPC",
                       ignored);
    fl_buf_printf(
        out,
        "  readers: %ld pops over all LEs, ids and values of SPC[2:0], random TM, SPC and thread "
        "states.\n"
        "           SPC[2:0] made no difference: stuck-at-1 changes nothing that is consumed.\n",
        pops);
    return 0;
}

int prove_check(const struct profile *p, const struct prove_claim *claim, struct fl_buf *out,
                struct fl_err *err)
{
    return check_writers(p, claim->zero, out, err) != 0 ||
                   check_readers(p, claim->ignored, out, err) != 0
               ? -1
               : 0;
}

int prove_stack(const struct profile *p, struct fl_buf *out, struct fl_err *err)
{
    const uint32_t low = (1u << LOW_BITS) - 1;
    int faults = LOW_BITS * 2 * p->stack_entries;
    fl_buf_printf(
        out, "dstack, profile %s: SPC[2:0] of every line-entry is untestable, %d faults a stack.\n",
        p->name, faults);
    if (prove_check(p, &(struct prove_claim){.zero = low, .ignored = low}, out, err) != 0)
        return -1;
    fl_buf_printf(out, "proved: 3 bits x %d LEs x 2 = %d of %d faults untestable, %d testable\n",
                  p->stack_entries, faults, 66 * 2 * p->stack_entries,
                  66 * 2 * p->stack_entries - faults);
    return faults;
}
