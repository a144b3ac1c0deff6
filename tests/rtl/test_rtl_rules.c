/* test_rtl_rules.c -- rules that the RTL and the C model keep alike: traps, spilled stacks, special registers;
 * and the way into registers of the RTL.
 *
 *     test_rtl_rules --corners              rules that take a machine or two: for scripts/rtl-coverage, where each is dear
 *
 * Tests of models that were not built (FAULTLINE_RTL_MODELS) are skipped.
 */
#include "tests/lib/check.h"
#include <unistd.h>
#include "tests/lib/machine.h"
#include "tests/lib/random_program.h"
#include "tests/lib/rtl_program.h"
#include "tests/lib/random_mix.h"
#include "rtl/twin/smrtl.h"

/* ---- rules ------------------------------------------------------------------------------------------------------ */

static const char nested[] = ".kernel k\n"
                             "SSY end\n BRA C0.EQ, a\n SSY b\n BRA C1.EQ, c\n MVI R1, 1\n"
                             "c: BRA b\n b: NOP.S\n BRA end\n"
                             "a: MVI R1, 2\n end: NOP.S\n CAL f\n NOP.EXIT\n"
                             "f: PBK out\n BRK C2.NE\n MVI R2, 3\n BRK\n out: RET C3.NE\n RET\n";

/* Lanes come apart by thread number, so that no state has to be put into both machines. */
static struct machine start(const char *profile, const char *text)
{
    char *whole = fl_format(
        ".kernel k\n.param u32 OUT\n.regs 8\n"
        "MVI R3, 0x5\n LOP.AND.C0 R4, R0, R3\n SHR.C1 R4, R0, 0x2\n LOP32I.AND R5, R0, 0x3\n"
        "IADD.C2 R5, R5, R124\n MVI R6, 0x8\n LOP.AND.C3 R6, R0, R6\n%s",
        strchr(text, '\n') + 1);
    struct machine m = machine_start(profile, 48, whole);
    free(whole);
    return m;
}

/* What random programs seldom come to: a full stack, and a join on an empty one with threads gone. */
static void other_stack_rules_agree(void)
{
    struct fl_buf full = {0};
    fl_buf_printf(&full, ".kernel k\n");
    for (int i = 0; i < 33; i++)
        fl_buf_printf(&full, "SSY end\n");
    for (int i = 0; i < 33; i++)
        fl_buf_printf(&full, "NOP.S\n");
    fl_buf_printf(&full, "end: NOP.EXIT\n");
    const char *const text[] = {(char *)full.data, nested,
                                ".kernel k\nRET C1.EQ\nMVI R1, 1\nNOP.S\nMVI R2, 1\nNOP.EXIT\n"};
    for (size_t i = 0; rtl_built("flexgripplus_rtl") && i < sizeof text / sizeof *text; i++) {
        struct machine m = start("flexgripplus-rtl", text[i]);
        CU_ASSERT(rtl_agree(&m, NULL));
        CU_ASSERT(gpu_ended(m.gpu));
        machine_end(&m);
    }
    fl_buf_free(&full);
}

static void every_trap_agrees(void)
{
    static const struct {
        const char *text;
        enum sm_trap trap;
    } program[] = {
        {".kernel k\nBRA 0x100000\n", TRAP_FETCH_UNMAPPED},
        {".kernel k\nTRAP\n", TRAP_TRAP_INSTRUCTION},
        {".kernel k\nNOP.S\nNOP.EXIT\n", TRAP_STACK_UNDERFLOW},
        {".kernel k\nCAL f\nNOP.EXIT\nf: NOP.S\n", TRAP_STACK_MISMATCH},
        {".kernel k\nBRK\n", TRAP_STACK_MISMATCH},
        {".kernel k\nf: CAL f\n", TRAP_STACK_OVERFLOW},
        {".kernel k\nf: SSY f\nBRA f\n", TRAP_STACK_OVERFLOW},
        {".kernel k\nMVI R1, 0x2\nGLD.U32 R2, global14[R1]\n", TRAP_MISALIGNED_GLOBAL},
        {".kernel k\nMVI R1, 0x4\nGLD.U32 R2, global14[R1]\n", TRAP_OUT_OF_BOUNDS_GLOBAL},
        {".kernel k\nMVI R1, 0x400\nR2A A1, R1\nMOV R1, g[A1+0x0]\n", TRAP_OUT_OF_BOUNDS_SHARED},
        {".kernel k\nMVI R1, 0x1\nR2A A1, R1\nMOV R1, g[A1+0x0]\n", TRAP_MISALIGNED_SHARED},
        {".kernel k\nMVC R1, c[0x5][0x1]\n", TRAP_OUT_OF_BOUNDS_CONST},
        {".kernel k\nLLD.U32 R1, local[0x0]\n", TRAP_OUT_OF_BOUNDS_LOCAL},
        {".kernel k\nMVI R1, 0x1\nR2A A2, R1\nLST.U32 local[A2+0x0], R1\n", TRAP_MISALIGNED_LOCAL},
        {".kernel k\nPMTRIG e0\n", TRAP_UNSUPPORTED_INSTRUCTION},
    };
    for (size_t i = 0; i < sizeof program / sizeof *program; i++) {
        struct machine m = start("tiny", program[i].text);
        CU_ASSERT(rtl_agree(&m, NULL));
        if (m.gpu->sm->s.trap != (uint32_t)program[i].trap)
            printf("\n%s: %s\n", program[i].text, sm_trap_name((enum sm_trap)m.gpu->sm->s.trap));
        CU_ASSERT_EQUAL(m.gpu->sm->s.trap, program[i].trap);
        machine_end(&m);
    }
}

/* 40 entries on a stack of 32 line-entries, and back; then more than the spill area holds. */
static void a_stack_that_spills_agrees(void)
{
    struct fl_buf text = {0};
    if (!rtl_built("g80"))
        return;
    fl_buf_printf(&text, ".kernel k\n");
    for (int i = 40; i-- > 0;)
        fl_buf_printf(&text, "SSY j%d\n", i);
    for (int i = 0; i < 40; i++)
        fl_buf_printf(&text, "j%d: NOP.S\n", i);
    fl_buf_printf(&text, "f: CAL f\n");
    struct machine m = start("g80", (char *)text.data);
    CU_ASSERT(rtl_agree(&m, NULL));
    CU_ASSERT_EQUAL(m.gpu->sm->s.trap, TRAP_STACK_OVERFLOW);
    CU_ASSERT_EQUAL(m.gpu->sm->s.warp[m.gpu->sm->s.trap_warp].sp, 96);
    machine_end(&m);
    fl_buf_free(&text);
}

static void special_registers_agree(void)
{
    struct fl_buf text = {0};
    fl_buf_printf(&text, ".kernel k\n");
    for (int i = 0; i < 16; i++) /* clock, lane, warp, processor and those that read 0 */
        fl_buf_printf(&text, "S2R R%d, SR_%d\nGST.U32 global14[R7], R%d\n", i % 3, i, i % 3);
    fl_buf_printf(&text, "NOP.EXIT\n");
    char *whole = fl_format(".kernel k\n.param u32 OUT\n.regs 8\nSHL R7, R0, 0x2\n"
                            "IADD R7, g[0x4], R7\n%s",
                            strchr((char *)text.data, '\n') + 1);
    struct machine m = machine_start("tiny", 48, whole);
    CU_ASSERT(rtl_agree(&m, NULL));
    CU_ASSERT(m.gpu->grid.done);
    machine_end(&m);
    free(whole);
    fl_buf_free(&text);
}

static void a_deadlock_ends_in_the_same_cycle(void)
{
    struct machine m = start("tiny", ".kernel k\nBAR.WAIT b1, 0xfff\nNOP.EXIT\n");
    CU_ASSERT(rtl_agree(&m, NULL));
    CU_ASSERT(m.gpu->sm->s.deadlock);
    machine_end(&m);
}

static void a_cache_for_instructions_is_refused_by_name(void)
{
    struct fl_err err = {{0}};
    struct machine m = start("tiny-chip-icache", ".kernel k\nNOP.EXIT\n");
    CU_ASSERT_PTR_NULL(smrtl_new_model(m.img, "tiny_chip_caches", &err));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(err.msg, "profile tiny-chip-icache has a cache for instructions"));
    machine_end(&m);
}

static void a_broken_rtl_is_caught(void)
{
    if (!rtl_built("tiny_broken"))
        return;
    struct fl_err err;
    struct fl_buf account = {0};
    struct smrtl_lockstep stats;
    struct machine m = start("tiny", nested);
    struct smrtl *rtl = smrtl_new_model(m.img, "tiny_broken", &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rtl);
    CU_ASSERT_EQUAL(smrtl_compare(m.img, m.gpu, rtl, MACHINE_MAX_CYCLES, &stats, &account), -1);
    CU_ASSERT_PTR_NOT_NULL(account.data);
    CU_ASSERT(account.data && strstr((char *)account.data, "pc afterwards"));
    smrtl_free(rtl);
    machine_end(&m);
    fl_buf_free(&account);
}

/* The cell of stack 0 that number `n` stands for: 66 bits an LE. */
static struct smrtl_le bit_of(int n)
{
    struct smrtl_le v = {0};
    int bit = n % 66;
    if (bit < 32)
        v.tm = 1u << bit;
    else if (bit < 34)
        v.id = (uint8_t)(1u << (bit - 32));
    else
        v.spc = 1u << (bit - 34);
    return v;
}

/* Through the fault port of the RTL, and by the way that holds any cell. */
static void stuck_cells_of_the_stack_agree(void)
{
    int differs = 0;
    struct machine good = start("tiny", nested);
    gpu_run(good.gpu, MACHINE_MAX_CYCLES);
    for (int n = 0; n < 4 * 66; n += 3) {
        for (int value = 0; value < 2; value++) {
            struct fl_err err;
            struct machine m = start("tiny", nested);
            struct smrtl *rtl = smrtl_new(m.img, &err);
            CU_ASSERT_PTR_NOT_NULL_FATAL(rtl);
            int le = n / 66, bit = n % 66, field = bit < 32 ? 0 : bit < 34 ? 1 : 2;
            struct sm_cell cell = machine_cell(&m, "dstack", field,
                                               field == 0   ? bit
                                               : field == 1 ? bit - 32
                                                            : bit - 34,
                                               0, le);
            machine_stick(&m, cell, value);
            struct smrtl_le mask = bit_of(n);
            if (n & 1)
                smrtl_force_le(rtl, 0, 0, le, mask, value ? mask : (struct smrtl_le){0});
            else
                smrtl_hold(rtl, &cell, value);
            bool same = rtl_agree(&m, rtl);
            if (!same)
                printf("le%d bit %d stuck at %d\n", le + 1, bit, value);
            CU_ASSERT(same);
            differs += m.gpu->sm->s.trap || m.gpu->sm->s.next != good.gpu->sm->s.next;
            smrtl_free(rtl);
            machine_end(&m);
        }
    }
    CU_ASSERT(differs > 10); /* the faults do something */
    machine_end(&good);
}

/* ---- the way into registers ------------------------------------------------------------------------------------- */

/* Calls `f` for every word of every structure, in a fixed order. */
static void each_word(const struct machine *m, struct smrtl *rtl,
                      void (*f)(const struct machine *m, struct smrtl *rtl,
                                const struct sm_cell *cell, uint32_t word))
{
    uint64_t seed = 1;
    for (int i = 0; i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(m->img, i, &s);
        int n[SM_MAX_AXES];
        for (int a = 0; a < SM_MAX_AXES; a++)
            n[a] = a < s.naxes ? s.axis[a].count : 1;
        struct sm_cell c = {.structure = i};
        for (c.field = 0; c.field < s.nfields; c.field++)
            for (c.index[0] = 0; c.index[0] < n[0]; c.index[0]++)
                for (c.index[1] = 0; c.index[1] < n[1]; c.index[1]++)
                    for (c.index[2] = 0; c.index[2] < n[2]; c.index[2]++)
                        if (smrtl_has(rtl, &c))
                            f(m, rtl, &c,
                              (uint32_t)machine_random(&seed) &
                                  (uint32_t)((1ull << s.field[c.field].bits) - 1));
    }
}

static void write_word(const struct machine *m, struct smrtl *rtl, const struct sm_cell *cell,
                       uint32_t word)
{
    (void)m;
    smrtl_write(rtl, cell, word);
}

static void word_is_there(const struct machine *m, struct smrtl *rtl, const struct sm_cell *cell,
                          uint32_t word)
{
    struct sm_cell bit = *cell;
    uint32_t in_state = 0;
    struct sm_structure s;
    sm_structure_get(m->img, cell->structure, &s);
    for (bit.bit = 0; bit.bit < s.field[bit.field].bits; bit.bit++)
        in_state |= (uint32_t)gpu_cell_read(m->gpu, &bit) << bit.bit;
    if (smrtl_read(rtl, cell) != word || in_state != word)
        CU_FAIL("a word is not what was written");
}

static void every_element_of_every_structure_is_written_and_read(void)
{
    struct fl_err err;
    struct machine m = start("tiny", nested);
    struct smrtl *rtl = smrtl_new(m.img, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rtl);
    each_word(&m, rtl, write_word);
    struct machine seen = m;
    seen.gpu = (struct gpu *)(uintptr_t)smrtl_state(
        rtl); /* the same words as the C model's state */
    each_word(&seen, rtl, word_is_there);
    smrtl_free(rtl);
    machine_end(&m);
}

static void a_path_that_is_not_in_the_rtl_is_an_error_that_names_it(void)
{
    struct fl_err err = {{0}};
    struct machine m = start("tiny", nested);
    struct smrtl *rtl = smrtl_new(m.img, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rtl);
    struct sm_structure s;
    sm_structure_get(m.img, sm_structure_find(m.img, "dstack"), &s);
    CU_ASSERT_EQUAL(smrtl_check(rtl, &s, &err), 0);
    s.field[1].rtl = "dmu.idea";
    CU_ASSERT_EQUAL(smrtl_check(rtl, &s, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "dstack.id: the RTL has no register 'dmu.idea'"));
    s.field[1].rtl = "warp.pc";
    CU_ASSERT_EQUAL(smrtl_check(rtl, &s, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "'warp.pc' of the RTL is 2 x 32 bits, not 8 x 2"));
    s.field[1].rtl = NULL; /* in the C model only */
    CU_ASSERT_EQUAL(smrtl_check(rtl, &s, &err), 0);
    smrtl_free(rtl);
    machine_end(&m);
}

/* What both machines read in Write-back. */
static void a_flip_in_any_cycle_has_the_same_effects_in_both_machines(void)
{
    static const char *const structure[] = {"dstack", "dsp", "tstate", "sched", "barrier"};
    int differs = 0;
    uint64_t seed = 1;
    struct machine good = start("tiny", nested);
    gpu_run(good.gpu, MACHINE_MAX_CYCLES);
    for (int n = 0; n < 400; n++) {
        struct fl_err err;
        struct machine m = start("tiny", nested);
        struct smrtl *rtl = smrtl_new(m.img, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rtl);
        struct sm_structure s;
        struct sm_cell c = {.structure = sm_structure_find(m.img, structure[n % 5])};
        sm_structure_get(m.img, c.structure, &s);
        c.field = (int)(machine_random(&seed) % (uint32_t)s.nfields);
        c.bit = (int)(machine_random(&seed) % (uint32_t)s.field[c.field].bits);
        for (int a = 0; a < s.naxes; a++)
            c.index[a] = (int)(machine_random(&seed) % (uint32_t)s.axis[a].count);
        uint64_t cycle = machine_random(&seed) % good.gpu->sm->s.next;
        gpu_run(m.gpu, cycle);
        smrtl_run(rtl, cycle);
        struct sm_force f = sm_cell_force(m.img, &c, 1);
        uint32_t word = 0;
        memcpy(&word, (char *)&m.gpu->sm->s + f.offset, f.width);
        word ^= f.mask;
        memcpy((char *)&m.gpu->sm->s + f.offset, &word, f.width);
        smrtl_flip(rtl, &c);
        bool same = rtl_agree(&m, rtl);
        if (!same)
            printf("%s, bit %d, in cycle %llu\n", s.name, c.bit, (unsigned long long)cycle);
        CU_ASSERT(same);
        differs += m.gpu->sm->s.trap || m.gpu->sm->s.next != good.gpu->sm->s.next;
        smrtl_free(rtl);
        machine_end(&m);
    }
    CU_ASSERT(differs > 10);
    machine_end(&good);
}

static void a_held_cell_keeps_its_value_whatever_is_written(void)
{
    struct fl_err err;
    struct machine m = start("tiny", nested);
    struct smrtl *rtl = smrtl_new(m.img, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rtl);
    struct sm_cell c = machine_cell(&m, "rf", 0, 1, 5 * 32 + 2, 0); /* R5 = 2 in lane 2 */
    CU_ASSERT_EQUAL(smrtl_hold(rtl, &c, 0), 0);
    while (!smrtl_ended(rtl)) {
        smrtl_tick(rtl);
        CU_ASSERT_EQUAL(smrtl_read(rtl, &c) & 2, 0);
    }
    CU_ASSERT_EQUAL(smrtl_state(rtl)->sm->s.rf[5 * 32 + 2], 0);
    gpu_run(m.gpu, MACHINE_MAX_CYCLES);
    CU_ASSERT_EQUAL(m.gpu->sm->s.rf[5 * 32 + 2], 2);
    smrtl_free(rtl);
    machine_end(&m);
}

/* After how many instructions the state comes back that was there behind instruction `from`; 0: not within 10,000. */
static uint64_t period_of_c(struct machine *m, uint64_t from)
{
    struct gpu *saved = gpu_new(m->img);
    uint64_t n = 0;
    while (m->gpu->sm->s.instructions < from)
        gpu_tick(m->gpu);
    gpu_copy(saved, m->gpu);
    do {
        uint64_t before = m->gpu->sm->s.instructions;
        gpu_tick(m->gpu);
        n += m->gpu->sm->s.instructions - before;
    } while (n < 10000 && !(n && gpu_recurs(m->gpu, saved)));
    gpu_free(saved);
    return n < 10000 ? n : 0;
}

static uint64_t period_of_rtl(struct machine *m, uint64_t from)
{
    struct fl_err err;
    struct smrtl *rtl = smrtl_new(m->img, &err), *saved = smrtl_new(m->img, &err);
    struct sm_commit c;
    uint64_t n = 0;
    memset(&c, 0, sizeof c);
    smrtl_record(rtl, &c);
    while (n < from) {
        smrtl_tick(rtl);
        n += c.kind == COMMIT_INSTRUCTION;
    }
    smrtl_copy(saved, rtl);
    n = 0;
    do {
        smrtl_tick(rtl);
        n += c.kind == COMMIT_INSTRUCTION;
    } while (n < 10000 && !(n && c.kind == COMMIT_INSTRUCTION && smrtl_same(rtl, saved, true)));
    smrtl_free(rtl);
    smrtl_free(saved);
    return n < 10000 ? n : 0;
}

static void a_state_comes_back_after_as_many_instructions_in_both_machines(void)
{
    static const char *const loop[] = {
        "a: NOP\n BRA a\n",
        "a: IADD R2, R2, R124\n BRA a\n",
        /* accesses a round: how far the ring of the memory queue turns is no state */
        "MOV R1, g[0x4]\n a: GLD.U32 R2, global14[R1]\n BRA a\n",
        "MOV R1, g[0x4]\n a: GLD.U32 R2, global14[R1]\n GLD.U32 R3, global14[R1]\n"
        "GST.U32 global14[R1], R2\n SIN R4, R3\n BRA a\n",
    };
    for (size_t i = 0; i < sizeof loop / sizeof *loop; i++) {
        char *text = fl_format(".kernel k\n.param u32 OUT\n.regs 8\n%s", loop[i]);
        struct job *job = machine_job("tiny", text);
        uint32_t addr = machine_buffer(job, 64, NULL);
        machine_param(machine_launch(job, 0, 1, 40), addr);
        struct machine m = machine_load(job);
        uint64_t c = period_of_c(&m, 100), rtl = period_of_rtl(&m, 100);
        if (!c || c != rtl)
            printf("\n%s: %llu and %llu\n", loop[i], (unsigned long long)c,
                   (unsigned long long)rtl);
        CU_ASSERT(c != 0);
        CU_ASSERT_EQUAL(c, rtl);
        machine_end(&m);
        free(text);
    }
}

static void an_image_of_another_profile_is_refused(void)
{
    struct fl_err err = {{0}};
    struct machine m = start("tiny", nested);
    m.img->profile.global_latency++;
    CU_ASSERT_PTR_NULL(smrtl_new(m.img, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "FAULTLINE_RTL_MODELS"));
    machine_end(&m);
}

/* Blocks that wait for room, barriers, parameters, two launches of two kernels. */
static void launches_of_many_blocks_agree(void)
{
    struct job *job = machine_job(
        "tiny", ".kernel a\n.param u32 OUT\n.shared BUF, 128\n.regs 6\n"
                "LOP32I.AND R1, R0, 0xffff\n SHL R2, R1, 0x2\n IADD R3, g[0x4], R2\n"
                "MOV.U16 R4L, g[0x6].U16\n MOV.U16 R4H, g[0x7].U16\n"
                "R2A A1, R2\n R2G.U32.U32 g[A1+0x8], R4\n BAR.ARV.WAIT b0, 0xfff\n"
                "IADD R5, g[A1+0x8], R3\n GST.U32 global14[R3], R5\n NOP.EXIT\n"
                ".kernel b\n.param u32 OUT\n.param u32 V\n.regs 4\n"
                "MOV R1, g[0x5]\n SHR R2, R0, 0x10\n IADD R1, R1, R2\n MOV R3, g[0x4]\n"
                "GST.U32 global14[R3], R1\n NOP.EXIT\n");
    uint32_t addr = machine_buffer(job, 4096, NULL);
    struct job_launch *l = machine_launch(job, 0, 5, 24);
    l->grid[1] = 2;
    machine_param(l, addr);
    l = machine_launch(job, 1, 3, 8);
    l->block[1] = 3;
    machine_param(l, addr);
    machine_param(l, 77);
    struct machine m = machine_load(job);
    CU_ASSERT(rtl_agree(&m, NULL));
    CU_ASSERT(m.gpu->grid.done);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 79);
    machine_end(&m);
}

/* 32 blocks of 3 KB of shared memory, 64 warps with all registers, and as many requests in the queue. */
static void the_largest_machine_agrees(void)
{
    struct job *job = machine_job(
        FAULTLINE_SOURCE_DIR "/tests/data/wide.xml",
        ".kernel small\n.param u32 OUT\n.shared BUF, 3040\n.regs 8\n"
        "LOP32I.AND R1, R0, 0xffff\n SHL R2, R1, 0x2\n IADD R3, g[0x4], R2\n"
        "MOV.U16 R4L, g[0x6].U16\n MOV.U16 R4H, g[0x7].U16\n SHL R5, R4, 0xc\n"
        "IADD R3, R3, R5\n GLD.U32 R6, global14[R3]\n IADD R6, R6, R4\n"
        "IADD32I R2, R2, 0xaf0\n R2A A1, R2\n R2G.U32.U32 g[A1+0x4], R6\n"
        "BAR.ARV.WAIT b15, 0xfff\n IADD R5, g[A1+0x0], R3\n GST.U32 global14[R3], R5\n NOP.EXIT\n"
        ".kernel large\n.param u32 OUT\n.regs 32\n"
        "LOP32I.AND R1, R0, 0xffff\n SHL R31, R1, 0x2\n IADD R30, g[0x4], R31\n"
        "GLD.U32 R29, global14[R30]\n BAR.ARV.WAIT b0, 0xfff\n S2R R28, SR_0\n"
        "IADD R29, R29, R28\n GST.U32 global14[R30], R29\n NOP.EXIT\n");
    uint32_t addr = machine_buffer(job, 40 * 4096, NULL);
    machine_param(machine_launch(job, 0, 40, 64), addr);
    machine_param(machine_launch(job, 1, 3, 1024), addr);
    struct machine m = machine_load(job);
    CU_ASSERT_EQUAL(m.img->warps_used, 64);
    CU_ASSERT_EQUAL(m.img->blocks_used, 32);
    CU_ASSERT_EQUAL(m.img->regs_used, 65536);
    CU_ASSERT_EQUAL(m.img->shared_used, 98304);
    CU_ASSERT(rtl_agree(&m, NULL));
    ASSERT_FINISHED(m);
    machine_end(&m);
}

/* Arrivals of 64 warps are two words in the C model and one in the RTL. */
static void fields_of_one_path_stand_side_by_side(void)
{
    struct fl_err err;
    struct machine m = machine_start(FAULTLINE_SOURCE_DIR "/tests/data/wide.xml", 32, K "NOP.EXIT");
    struct smrtl *rtl = smrtl_new(m.img, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rtl);
    struct sm_cell w = machine_cell(&m, "barrier", 0, 3, 31, 15);
    struct sm_cell x = machine_cell(&m, "barrier", 1, 5, 31, 15);
    smrtl_write(rtl, &w, 0x12345678);
    smrtl_write(rtl, &x, 0x9abcdef0);
    CU_ASSERT_EQUAL(smrtl_read(rtl, &w), 0x12345678);
    CU_ASSERT_EQUAL(smrtl_state(rtl)->sm->s.block[31].arrived[15], 0x9abcdef012345678);
    smrtl_free(rtl);
    machine_end(&m);
}

/* 32 requests of warp 1, with answers from a cycle on. */
static void fill_queue(struct machine *m, struct smrtl *rtl, uint64_t first)
{
    struct sm_state *s = &m->gpu->sm->s;
    struct sm_cell count = machine_cell(m, "lsu", 2, 0, 0, 0);
    for (int i = 0; i < 32; i++) {
        struct sm_cell warp = machine_cell(m, "lsu_queue", 0, 0, i, 0);
        struct sm_cell low = machine_cell(m, "lsu_queue", 1, 0, i, 0), high = low;
        uint64_t ready = first + (uint64_t)i;
        high.bit = 32;
        s->request[i] = (struct sm_request){.warp = 1, .ready = ready};
        smrtl_write(rtl, &warp, 1);
        smrtl_write(rtl, &low, (uint32_t)ready);
        smrtl_write(rtl, &high, (uint32_t)(ready >> 32));
    }
    s->nrequests = 32;
    smrtl_write(rtl, &count, 32);
}

/* A warp has one request at most, so the queue is filled from outside. */
static void a_full_memory_queue_refuses_until_the_same_cycle_in_both_machines(void)
{
    struct fl_err err;
    struct machine m = machine_start(
        "tiny", 32, K ".param u32 OUT\nMOV R1, g[0x4]\nGLD.U32 R1, global14[R1]\nNOP.EXIT");
    struct sm_state *s = &m.gpu->sm->s;
    struct smrtl *rtl = smrtl_new(m.img, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rtl);
    struct sm_cell head = machine_cell(&m, "lsu", 1, 0, 0, 0);
    struct sm_cell ready = machine_cell(&m, "lsu_queue", 1, 0, 0, 0);
    machine_run_instructions(&m, 1);
    while (s->stage[STAGE_X] != 0)
        gpu_tick(m.gpu);
    smrtl_run(rtl, s->next - s->slot);
    uint64_t first = s->next + 50, entered;
    fill_queue(&m, rtl, first);
    do {
        entered = s->next;
        gpu_tick(m.gpu);
    } while (s->request[31].warp != 0);
    while (smrtl_read(rtl, &head) == 0)
        smrtl_tick(rtl);
    CU_ASSERT(entered >= first);
    CU_ASSERT_EQUAL(smrtl_cycles(rtl), entered);
    CU_ASSERT_EQUAL(smrtl_read(rtl, &ready), s->request[31].ready); /* in the place that is free */
    smrtl_free(rtl);
    machine_end(&m);
}

/* A warp that is never busy is picked in each slot, until its first load has been answered. */
static void requests_of_a_faulty_scheduler_fill_the_queue_and_no_more(void)
{
    struct fl_err err;
    uint32_t most = 0;
    struct machine m = machine_start("tiny", 32, K ".local 64\nLLD.U32 R1, local[0x0]\nNOP.EXIT");
    struct smrtl *rtl = smrtl_new(m.img, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rtl);
    struct sm_cell busy = machine_cell(&m, "warp", 1, 0, 0, 0);
    struct sm_cell count = machine_cell(&m, "lsu", 2, 0, 0, 0);
    struct sm_cell port_free = machine_cell(&m, "lsu", 0, 0, 0, 0);
    CU_ASSERT_EQUAL(smrtl_hold(rtl, &busy, 0), 0);
    while (smrtl_cycles(rtl) < 420) {
        smrtl_tick(rtl);
        most = smrtl_read(rtl, &count) > most ? smrtl_read(rtl, &count) : most;
    }
    CU_ASSERT_EQUAL(most, 32);
    /* each has two transactions; the first comes in cycle 20 */
    CU_ASSERT_EQUAL(smrtl_read(rtl, &port_free), 20 + 32 * 2 * 4);
    smrtl_free(rtl);
    machine_end(&m);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--corners") == 0)
        return CHECK_RUN("rtl_corners", CHECK(launches_of_many_blocks_agree),
                         CHECK(every_trap_agrees), CHECK(a_stack_that_spills_agrees),
                         CHECK(special_registers_agree), CHECK(a_deadlock_ends_in_the_same_cycle),
                         CHECK(a_held_cell_keeps_its_value_whatever_is_written));
    if (argc == 2 && strcmp(argv[1], "--wide") == 0)
        return CHECK_RUN("rtl_wide", CHECK(the_largest_machine_agrees),
                         CHECK(fields_of_one_path_stand_side_by_side));
    return CHECK_RUN("rtl_rules", CHECK(launches_of_many_blocks_agree), CHECK(every_trap_agrees),
                     CHECK(a_stack_that_spills_agrees), CHECK(special_registers_agree),
                     CHECK(a_deadlock_ends_in_the_same_cycle),
                     CHECK(a_held_cell_keeps_its_value_whatever_is_written),
                     CHECK(other_stack_rules_agree),
                     CHECK(a_cache_for_instructions_is_refused_by_name),
                     CHECK(a_broken_rtl_is_caught), CHECK(stuck_cells_of_the_stack_agree),
                     CHECK(every_element_of_every_structure_is_written_and_read),
                     CHECK(a_path_that_is_not_in_the_rtl_is_an_error_that_names_it),
                     CHECK(a_flip_in_any_cycle_has_the_same_effects_in_both_machines),
                     CHECK(a_state_comes_back_after_as_many_instructions_in_both_machines),
                     CHECK(a_full_memory_queue_refuses_until_the_same_cycle_in_both_machines),
                     CHECK(requests_of_a_faulty_scheduler_fill_the_queue_and_no_more),
                     CHECK(an_image_of_another_profile_is_refused));
}
