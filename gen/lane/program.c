/* program.c -- groups as a kernel: who does which, operands, signatures.
 *
 * Nothing but the instructions under test and the fold goes through a lane's units: addresses are those of the
 * thread's number, shifted on the way into an address register; the upper half of the buffer's comes by a move (the
 * buffer lies at a multiple of 64 KB); what differs from thread to thread stands in the buffer. So a fault of
 * a unit spoils signatures, and hardly ever an address.
 */
#include "lane.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum {
    BUFFER = 0x100000, /* of the first launch, at a multiple of STRIDE */
    STRIDE = 0x10000,
    FIRST =
        0x20, /* byte of shared memory where operands begin, behind the header and the parameter */
    PARAMETERS = 0x14, /* bytes of shared memory that a launch fills */
    CONTROL = 4,       /* words of a thread before its operands, as many as a load brings */
    ROW = SBST_LANES,  /* words that a warp stores in one instruction */
    OPERANDS = 16,     /* registers from here on hold what was loaded; also where results go */
    ALL_FLAGS = 9,     /* register that holds 15 */
    ZERO = 124,        /* register that no kernel has: 0 */
    CHUNK = 4 * ROW,   /* words of a warp in one load */
    MAX_CHUNKS = 8,
};

/* ---- sharing --------------------------------------------------------------------------------- */

struct share { /* what one warp does */
    int *group, count, price, words;
};

static int words_of(const struct lane_group *g)
{
    return LANE_SETS * g->operands;
}

/* The next group goes to the warp that has least to do; the dearest first, so that all end at one time. */
static void deal(const struct lane_launch *l, struct share *share)
{
    for (int price = 100; price > 0; price--)
        for (int i = 0; i < l->count; i++) {
            const struct lane_group *g = &l->groups->group[l->chosen[i]];
            struct share *to = share;
            for (int w = 1; w < l->warps; w++)
                if (share[w].price < to->price)
                    to = &share[w];
            if (g->price != price)
                continue;
            to->group[to->count++] = l->chosen[i];
            to->price += price;
            to->words += words_of(g);
        }
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Word `at` of a warp's part of shared memory, as the buffer holds it. */
static uint32_t *place(struct lane_launch *l, int warp, int at)
{
    int threads = l->warps * SBST_LANES, chunk = at / CHUNK, k = at / ROW % 4, lane = at % ROW;
    return &l->data[4 * (threads * (chunk + 1) + warp * SBST_LANES + lane) + k];
}

static void write_data(struct lane_launch *l, const struct share *share)
{
    int threads = l->warps * SBST_LANES;
    uint64_t seed = 1;
    l->words = threads * (CONTROL + 4 * l->chunks);
    l->data = fl_alloc((size_t)l->words * sizeof *l->data);
    for (int t = 0; t < threads; t++) {
        int warp = t / SBST_LANES, lane = t % SBST_LANES;
        uint32_t from = (uint32_t)(FIRST + 4 * CHUNK * l->chunks * warp);
        uint32_t *own = &l->data[CONTROL * t];
        own[0] = from + 4 * (uint32_t)lane;
        own[1] = from + 4 * (uint32_t)(lane / (SBST_LANES / LANE_SETS));
        own[2] = (uint32_t)warp;
        own[3] = (uint32_t)(fl_random(&seed) >> 32);
    }
    for (int w = 0; w < l->warps; w++)
        for (int i = 0, at = 0; i < share[w].count; i++) {
            const struct lane_group *g = &l->groups->group[share[w].group[i]];
            for (int o = 0; o < g->operands; o++)
                for (int k = 0; k < LANE_SETS; k++)
                    *place(l, w, at++) = g->operand[o].word[k];
        }
}

/* ---- text ------------------------------------------------------------------------------------ */

struct writer {
    struct fl_buf *out;
    struct lane_launch *l;
    const struct share *share;
    int number; /* of the launch */
    bool exit_ends;
};

static void line(struct writer *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void line(struct writer *w, const char *fmt, ...)
{
    char text[160];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    fl_buf_printf(w->out, "    %s\n", text);
    w->l->instructions++;
}

/* Rotated by one, and added: no two states become one, so what differs once differs until another result
 * differs too. */
static void fold(struct writer *w, int reg)
{
    line(w, "IADD.C1 R7, R7, R7");
    line(w, "IADD.CARRY1 R7, R7, R%d", reg);
}

static void write_group(struct writer *w, const struct lane_group *g)
{
    for (int o = 0; o < g->operands; o++)
        if (strcmp(g->operand[o].to, "memory") != 0)
            line(w, "MOV %s, g[A3+++0x4]", g->operand[o].to);
    if (g->carry >= 0)
        line(w, "R2C C0, R%d", g->carry ? ALL_FLAGS : ZERO);
    line(w, "%s", g->insn);
    fold(w, OPERANDS);
    if (g->flags) {
        line(w, "C2R R%d, C0", OPERANDS + 1);
        fold(w, OPERANDS + 1);
    }
}

/* What one warp does, behind `depth` branches. */
static void write_warp(struct writer *w, int warp, int depth)
{
    int before = w->l->instructions;
    fl_buf_printf(w->out, "\n");
    for (int i = 0; i < w->share[warp].count; i++)
        write_group(w, &w->l->groups->group[w->share[warp].group[i]]);
    if (w->exit_ends)
        line(w, "GST.EXIT.U32 global14[R8], R7");
    else {
        line(w, "GST.U32 global14[R8], R7");
        line(w, "RET");
    }
    w->l->executed += depth + w->l->instructions - before;
}

/* `n` warps from `first` on, told apart by the bits of their numbers in C0. */
static void write_warps(struct writer *w, int first, int n, int bit, int depth)
{
    static const char *const flag[] = {"EQU", "SIGN", "CARRY", "OVERFLOW"};
    if (n == 1) {
        write_warp(w, first, depth);
        return;
    }
    while (n <= 1 << bit)
        bit--;
    int half = 1 << bit;
    line(w, "BRA C0.%s, from%d_%d", flag[bit], w->number, first + half);
    write_warps(w, first, half, bit - 1, depth + 1);
    fl_buf_printf(w->out, "\nfrom%d_%d:\n", w->number, first + half);
    write_warps(w, first + half, n - half, bit - 1, depth + 1);
}

static void write_kernel(struct writer *w)
{
    struct lane_launch *l = w->l;
    int threads = l->warps * SBST_LANES;
    fl_buf_printf(w->out,
                  "\n.kernel test%d // %s\n.param ptr DATA // a signature in the first of the four "
                  "words of each thread, operands behind\n.regs %d\n",
                  w->number, l->groups->unit, OPERANDS + 4 * l->chunks);
    line(w, "R2A A1, R0, 0x4");
    line(w, "A2R R8, A1");
    line(w, "MOV.U16 R8H, g[0x9].U16");
    line(w, "GLD.S128 R4, global14[R8]");
    for (int c = 0; c < l->chunks; c++) {
        line(w, "ADA A1, A1, 0x%x", 16 * threads);
        line(w, "A2R R9, A1");
        line(w, "MOV.U16 R9H, g[0x9].U16");
        line(w, "GLD.S128 R%d, global14[R9]", OPERANDS + 4 * c);
    }
    line(w, "R2A A2, R4");
    line(w, "R2A A3, R5");
    for (int i = 0; i < 4 * l->chunks; i++)
        line(w, "R2G.U32.U32 g[A2+0x%x], R%d", i * ROW, OPERANDS + i);
    line(w, "R2C C0, R6");
    line(w, "R2C C2, R%d", ZERO);
    line(w, "MVI R%d, 0xf", ALL_FLAGS);
    line(w, "R2C C3, R%d", ALL_FLAGS);
    l->executed = l->warps * l->instructions;
    write_warps(w, 0, l->warps, 3, 0);
}

/* ---- programs -------------------------------------------------------------------------------- */

static int make_launch(struct lane_launch *l, const struct lane_groups *g, int warps,
                       const struct sbst_machine *machine, struct writer *w, struct fl_err *err)
{
    struct share share[LANE_MAX_WARPS] = {{0}};
    int most = 0;
    *l = (struct lane_launch){.groups = g, .warps = warps};
    l->chosen = lane_cover(g, &l->count);
    for (int i = 0; i < warps; i++)
        share[i].group = fl_alloc((size_t)l->count * sizeof *share[i].group);
    deal(l, share);
    for (int i = 0; i < warps; i++)
        most = share[i].words > most ? share[i].words : most;
    l->chunks = (most + CHUNK - 1) / CHUNK;
    int bytes = FIRST + 4 * CHUNK * l->chunks * warps, bad = 0;
    if (bytes > machine->shared_bytes || l->chunks > MAX_CHUNKS)
        bad = fl_fail(
            err,
            "%s: its operands take %d bytes of shared memory with %d warps, and profile %s has "
            "%d; choose other --warps",
            g->path, bytes, warps, machine->profile, machine->shared_bytes);
    if (!bad) {
        write_data(l, share);
        w->l = l;
        w->share = share;
        write_kernel(w);
    }
    for (int i = 0; i < warps; i++)
        free(share[i].group);
    return bad;
}

int lane_compose(const struct lane_groups *const *g, int n, const char *unit, int warps,
                 const struct sbst_machine *machine, struct lane_program *out, struct fl_err *err)
{
    struct fl_buf code = {0};
    struct writer w = {.out = &code, .exit_ends = machine->exit_ends};
    int bad = 0;
    *out = (struct lane_program){.machine = machine, .name = fl_format("%s-gates", unit)};
    out->about = fl_format("self-test of the gates of %s%s", strcmp(unit, "lane") ? "unit " : "a ",
                           unit);
    if (machine->sps * LANE_SETS != SBST_LANES)
        bad = fl_fail(err,
                      "profile %s has %d SPs, and groups are made for %d; choose another profile",
                      machine->profile, machine->sps, SBST_LANES / LANE_SETS);
    else if (warps > machine->warps || warps > LANE_MAX_WARPS ||
             warps * SBST_LANES > machine->block_threads)
        bad = fl_fail(err, "--warps %d: a block of profile %s has at most %d; give fewer", warps,
                      machine->profile, machine->block_threads / SBST_LANES);
    struct fl_buf files = {0};
    for (int i = 0; i < n && !bad; i++, out->launches += !bad) {
        w.number = i + 1;
        bad = make_launch(&out->launch[i], g[i], warps, machine, &w, err);
        fl_buf_printf(&files, "%s%s", i ? "," : "", g[i]->path);
    }
    out->command = fl_format("sbstgen --unit %s --groups %.*s --warps %d --profile %s", unit,
                             (int)files.size, (char *)files.data, warps, machine->profile);
    fl_buf_printf(&out->source, "// %s.sasm -- %s.\n// Made by: %s\n", out->name, out->about,
                  out->command);
    fl_buf_add(&out->source, code.data, code.size);
    fl_buf_free(&files);
    fl_buf_free(&code);
    if (bad)
        lane_program_free(out);
    return bad;
}

uint32_t lane_address(int launch)
{
    return BUFFER + STRIDE * (uint32_t)launch;
}

int lane_shared(const struct lane_launch *l)
{
    return FIRST + 4 * CHUNK * l->chunks * l->warps - PARAMETERS;
}

int lane_executed(const struct lane_program *p)
{
    int sum = 0;
    for (int i = 0; i < p->launches; i++)
        sum += p->launch[i].executed;
    return sum;
}

void lane_program_free(struct lane_program *p)
{
    for (int i = 0; i < LANE_MAX_UNITS; i++) {
        free(p->launch[i].chosen);
        free(p->launch[i].data);
    }
    free(p->name);
    free(p->command);
    free(p->about);
    fl_buf_free(&p->source);
    *p = (struct lane_program){.launches = 0};
}
