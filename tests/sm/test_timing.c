/* test_timing.c -- how many cycles a warp instruction takes: docs/reference/timing.md is what the machines do.
 *
 *     test_timing             the rules below
 *     test_timing --table     the page, measured now: > docs/reference/timing.md after a change
 *
 * Measured on the C model with 8, 16 and 32 SPs, and where the RTL is in the build, on each model of profile g80 too: both
 * must agree.
 */
#include "tests/lib/check.h"
#include "tests/lib/machine.h"
#ifdef FAULTLINE_RTL
#include "rtl/twin/smrtl.h"
#endif

enum { COPIES = 64, FULL = 8 }; /* eight warps fill the barrel, with some to spare */

static const struct row {
    const char *what, *text;
} row[] = {
    {"integer", "IADD R4, R1, R2"},
    {"integer, to flags", "ISET.S32.C2 o[0x7f], R1, R2, LT"},
    {"multiply, 16 x 16 bits", "IMAD.U16 R4, R1L, R2L, R3"},
    {"shift", "SHL R4, R1, 0x2"},
    {"logic", "LOP.XOR R4, R1, R2"},
    {"move, short form", "MOV32 R4, R1; MOV32 R9, R1"},
    {"address register", "R2A A4, R1"},
    {"flags to a register", "C2R R4, C0"},
    {"float", "FMAD R4, R2, R3, R1"},
    {"conversion", "I2F.F32.U32 R4, R1"},
    {"range reduction", "RRO R4, R2, SINCOS"},
    {"special function", "RCP R4, R2"},
    {"constant, fixed address", "IADD R4, R1, c1[k]"},
    {"constant, indexed, one address", "MVC R4, c[0x1][A3+0x0]"},
    {"constant, indexed, 32 addresses", "MVC R4, c[0x1][A1+0x0]"},
    {"shared, fixed address", "MOV R4, g[room]"},
    {"shared, indexed, a word a lane", "MOV R4, g[A1+room]"},
    {"shared, indexed, stride of 2 words", "MOV R4, g[A2+room]"},
    {"shared, indexed, one word for all", "MOV R4, g[A3+room]"},
    {"shared, store", "R2G.U32.U32 g[A1+room], R2"},
    {"branch, not taken", "BRA C0.NE, again"},
    {"branch, taken", "BRA n\\+; n\\+:"},
    {"push, join", "SSY n\\+; n\\+: NOP.S"},
    {"divergence: push, branch, one path, two joins",
     "SSY n\\+; BRA C1.EQ, n\\+; NOP; n\\+: NOP.S"},
    {"call, return", "CAL f"},
    {"push, break", "PBK n\\+; BRK; n\\+:"},
    {"barrier", "BAR.ARV.WAIT b0, 0xfff"},
    {"global load, coalesced", "GLD.U32 R4, global14[R6]"},
    {"global load, 32 transactions", "GLD.U32 R4, global14[R7]"},
    {"global store, coalesced", "GST.U32 global14[R6], R2"},
    {"local load", "LLD.U32 R4, local[0x0]"},
};
enum { ROWS = sizeof row / sizeof *row };

static struct machine start(const struct row *r, int sps, int warps)
{
    struct fl_buf body = {0};
    for (const char *c = r->text; *c; c++)
        fl_buf_printf(&body, "%c", *c == ';' ? '\n' : *c);
    char *text = fl_format(
        ".kernel k\n.param u32 OUT\n.shared room, 4096\n.const k, u32, 3\n.regs 10\n"
        "I2I.U32.U16 R1, R0L\nMVI R2, 0x1f\nLOP.AND R1, R1, R2\n"
        "R2A A1, R1, 0x2\nR2A A2, R1, 0x3\nMVI R4, 0\nR2A A3, R4\n"
        "MVI R2, 0x3f800000\nMVI R3, 0x40000000\nMOV R5, g[0x4]\n"
        "SHL R6, R1, 0x2\nIADD R6, R5, R6\nSHL R7, R1, 0x6\nIADD R7, R5, R7\n"
        "MVI R8, 0x10\nLOP.AND.C1 o[0x7f], R1, R8\nLOP.AND.C0 o[0x7f], R124, R124\n"
        "again:\n.rept %d\n.align 8\n%s\n.endr\n.align 8\nlast: NOP\nNOP.EXIT\nf: RET\n",
        COPIES, (char *)body.data);
    struct job *job = machine_job("g80", text);
    free(text);
    fl_buf_free(&body);
    job->profile.sps = sps;
    job->cubin->kernel[0].local_bytes = 64;
    uint8_t konst[256] = {0};
    machine_const(job, 1, konst, sizeof konst);
    uint32_t addr = machine_buffer(job, 4096, NULL);
    machine_param(machine_launch(job, 0, 1, 32 * (uint32_t)warps), addr);
    return machine_load(job);
}

static uint32_t label(const struct machine *m, const char *name)
{
    const struct cubin_kernel *k = &m->job->cubin->kernel[0];
    for (int i = 0; i < k->nsymbols; i++)
        if (strcmp(k->symbol[i].name, name) == 0)
            return k->symbol[i].addr;
    CU_FAIL_FATAL("no such label");
    return 0;
}

/* The commits among the copies, in order. */
struct times {
    uint64_t cycle[FULL * COPIES * 8];
    uint8_t warp[FULL * COPIES * 8];
    int n;
};

static void note(struct times *t, const struct machine *m, const struct sm_commit *c)
{
    uint32_t last = label(m, "last");
    if (c->kind != COMMIT_INSTRUCTION || c->pc < label(m, "again") ||
        (c->pc >= last && c->pc < label(m, "f")))
        return;
    t->cycle[t->n] = c->cycle;
    t->warp[t->n++] = (uint8_t)c->warp;
}

/* Cycles of a warp instruction, from the first quarter of warp 0's commits to its last quarter, when all warps are among
 * the copies. */
static double cycles(const struct times *t)
{
    int of_warp = 0, n = 0, from = 0, to = 0;
    for (int i = 0; i < t->n; i++)
        of_warp += t->warp[i] == 0;
    for (int i = 0; i < t->n; i++) {
        if (t->warp[i] != 0)
            continue;
        if (n == of_warp / 4)
            from = i;
        if (n++ == of_warp * 3 / 4)
            to = i;
    }
    return (double)(t->cycle[to] - t->cycle[from]) / (double)(to - from);
}

static double on_c(const struct row *r, int sps, int warps)
{
    struct times *t = fl_alloc(sizeof *t);
    struct machine m = start(r, sps, warps);
    struct sm_commit c;
    memset(&c, 0, sizeof c);
    m.gpu->sm->record = &c;
    while (!gpu_ended(m.gpu)) {
        gpu_step(m.gpu);
        note(t, &m, &c);
    }
    if (!m.gpu->grid.done)
        printf("\n%s: %s\n", r->what, sm_trap_name((enum sm_trap)m.gpu->sm->s.trap));
    double v = m.gpu->grid.done ? cycles(t) : 0; /* 0: never right */
    machine_end(&m);
    free(t);
    return v;
}

#ifdef FAULTLINE_RTL
/* -1: no model of that size was built. */
static double on_rtl(const struct row *r, int sps, int warps)
{
    struct fl_err err;
    struct machine m = start(r, sps, warps);
    struct smrtl *rtl = smrtl_new(m.img, &err);
    struct times *t = fl_alloc(sizeof *t);
    struct sm_commit c;
    memset(&c, 0, sizeof c);
    double v = -1;
    if (rtl) {
        smrtl_record(rtl, &c);
        while (!smrtl_ended(rtl)) {
            smrtl_step(rtl);
            note(t, &m, &c);
        }
        v = cycles(t);
        smrtl_free(rtl);
    }
    machine_end(&m);
    free(t);
    return v;
}

static void both_machines_take_the_same_cycles(void)
{
    for (int sps = 8; sps <= 32; sps *= 2) {
        if (sps > 8 && on_rtl(&row[0], sps, 1) < 0) /* was not built (FAULTLINE_RTL_MODELS) */
            continue;
        for (int i = 0; i < ROWS; i++) {
            CU_ASSERT_EQUAL(on_rtl(&row[i], sps, 1), on_c(&row[i], sps, 1));
            CU_ASSERT_EQUAL(on_rtl(&row[i], sps, FULL), on_c(&row[i], sps, FULL));
        }
    }
}
#endif

/* Eight SPs, nobody waits for memory. */
static void five_warps_fill_the_barrel_four_do_not(void)
{
    for (int i = 0; i < 5; i++) {
        for (int warps = 5; warps <= FULL; warps++) {
            CU_ASSERT_EQUAL(on_c(&row[i], 8, warps), 4.0);
#ifdef FAULTLINE_RTL
            double rtl = on_rtl(&row[i], 8, warps);
            CU_ASSERT(rtl == 4.0 || rtl < 0);
#endif
        }
        CU_ASSERT(on_c(&row[i], 8, 4) > 4.0);
    }
}

/* ---- the page --------------------------------------------------------------------------------------------------- */

static void figure(struct fl_buf *out, double v)
{
    fl_buf_printf(out, v == (int)v ? " %.0f |" : " %.1f |", v);
}

static void page(struct fl_buf *out)
{
    fl_buf_printf(
        out, "# Cycles of a warp instruction\n\n"
             "The table has the cycles of a warp instruction, from one commit to the next in a "
             "long sequence of the same\n"
             "instruction. *Alone*: a single warp runs. *Full*: eight warps fill the pipeline, "
             "and the figure is for all warps\n"
             "together. The C model and the [RTL](../glossary.md#rtl) take the same cycles. "
             "[Timing and caches](../explain/cycles.md) has the rules.\n\n"
             "A warp has one instruction in the five stages at a time. A single warp therefore "
             "takes five slots of 32 / [SPs](../glossary.md#sp)\n"
             "cycles for each instruction. With five or more ready warps every slot commits an "
             "instruction: one in 4 cycles with\n"
             "8 SPs. An instruction that commits once for each path, or pops several entries, "
             "counts with all of these commits\n"
             "and pops.\n\n"
             "Profile `g80`; `test_timing --table` prints this page, and tests compare both "
             "machines with it.\n\n"
             "| class | measured with | 8 SPs: alone | full | 16 SPs: alone | full | 32 "
             "SPs: alone | full |\n"
             "|---|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < ROWS; i++) {
        fl_buf_printf(out, "| %s | `", row[i].what);
        for (const char *c = row[i].text; *c; c++)
            if (c[0] != '\\' && c[0] != '+')
                fl_buf_printf(out, "%c", *c);
            else if (c[0] == '+' && (c == row[i].text || c[-1] != '\\'))
                fl_buf_printf(out, "+");
        fl_buf_printf(out, "` |");
        for (int sps = 8; sps <= 32; sps *= 2) {
            figure(out, on_c(&row[i], sps, 1));
            figure(out, on_c(&row[i], sps, FULL));
        }
        fl_buf_printf(out, "\n");
    }
}

static void the_page_in_docs_is_what_the_machine_does(void)
{
    struct fl_buf now = {0}, text = {0};
    struct fl_err err = {{0}};
    page(&now);
    CU_ASSERT_EQUAL(fl_read_file(FAULTLINE_SOURCE_DIR "/docs/reference/timing.md", &text, &err), 0);
    if (text.size != now.size || memcmp(text.data, now.data, now.size) != 0) {
        printf("\ndocs/reference/timing.md is out of date: test_timing --table > "
               "docs/reference/timing.md\n");
        CU_FAIL("docs/reference/timing.md");
    }
    fl_buf_free(&text);
    fl_buf_free(&now);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--table") == 0) {
        struct fl_buf out = {0};
        page(&out);
        fwrite(out.data, 1, out.size, stdout);
        fl_buf_free(&out);
        return 0;
    }
    return CHECK_RUN("timing",
#ifdef FAULTLINE_RTL
                     CHECK(both_machines_take_the_same_cycles),
#endif
                     CHECK(five_warps_fill_the_barrel_four_do_not),
                     CHECK(the_page_in_docs_is_what_the_machine_does));
}
