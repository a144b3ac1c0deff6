/* test_machine.c -- what is done with whole machines: copied, compared, run in any steps, flipped and held. */
#include "tests/lib/check.h"
#include "sm/gpu/access.h"
#include "tests/lib/machine.h"

/* Everything at once: divergence, a loop, a barrier, all memories, two warps, three blocks, two
 * launches. */
static const char busy[] = K
    ".param ptr p\n.shared x, 128\n.local 16\n.const N, u32, 5, 6, 7, 8\n" TID
    "SHL R1, R0, 2\nIADD R1, s[p], R1\nGLD.U32 R2, global14[R1]\nR2A A1, R0, 1\nMVI R3, 0\n"
    "MVI R7, 3\nLOP.AND R7, R0, R7\nSHL R7, R7, 2\nR2A A2, R7\n"
    "SSY out\n"
    "loop: IADD R2, R2, R3\nR2G.U32.U16 s[A1+x], R2\nLST.U32 local[4], R2\n"
    "MVC R4, c1[A2]\nRCP R5, R4\nIADD32I R3, R3, 1\nISET.C0 o[0x7f], R3, R4, LT\n"
    "BRA C0.NE, loop\n"
    "out: NOP.S\nBAR.ARV.WAIT b0, 0xfff\nLLD.U32 R4, local[4]\nMOV R6, s[x]\n"
    "IADD R4, R4, R6\nCAL.NOINC f\nGST.EXIT.U32 global14[R1], R4\n"
    "f: LOP.XOR R4, R4, R5\nRET";

static struct machine load_busy(const char *profile)
{
    struct job *job = machine_job(profile, busy);
    uint32_t addr = machine_buffer(job, 8192, NULL);
    machine_param(machine_launch(job, 0, 3, 50), addr);
    machine_param(machine_launch(job, 0, 2, 20), addr + 0x100);
    job->output = fl_alloc(sizeof *job->output);
    job->output[job->noutputs++] = (struct job_output){.name = fl_strdup("o"), .size = 4096};
    return machine_load(job);
}

static void a_copy_is_a_checkpoint(void)
{
    struct machine m = load_busy("tiny"), n = load_busy("tiny");
    gpu_free(n.gpu);
    n.gpu = gpu_new(m.img); /* copies are between machines of one image */
    struct gpu *end = gpu_new(m.img);
    gpu_copy(end, m.gpu);
    while (!gpu_ended(end))
        gpu_tick(end);
    CU_ASSERT(end->grid.done);
    uint64_t cycles = gpu_cycles(end);
    int copies = 0;
    for (uint64_t c = 0; c < cycles; c += SANITIZED ? 149 : 61, copies++) {
        gpu_run(m.gpu, c);
        gpu_copy(n.gpu, m.gpu); /* over whatever the last round left there */
        CU_ASSERT(gpu_same(n.gpu, m.gpu));
        CU_ASSERT_EQUAL(gpu_hash(n.gpu), gpu_hash(m.gpu));
        while (!gpu_ended(n.gpu))
            gpu_tick(n.gpu);
        CU_ASSERT(gpu_same(n.gpu, end));
        CU_ASSERT_EQUAL(gpu_hash(n.gpu), gpu_hash(end));
        CU_ASSERT_EQUAL(n.gpu->sm->s.instructions, end->sm->s.instructions);
        CU_ASSERT(gpu_outputs_equal(n.gpu, end));
    }
    CU_ASSERT(copies > 12);
    while (!gpu_ended(m.gpu)) /* the source went on undisturbed */
        gpu_tick(m.gpu);
    CU_ASSERT(gpu_same(m.gpu, end));
    gpu_free(end);
    gpu_free(n.gpu);
    n.gpu = gpu_new(n.img);
    machine_end(&n);
    machine_end(&m);
}

static void a_run_is_the_same_with_and_without_a_record_and_in_any_steps(void)
{
    struct machine m = load_busy("g80"), n = load_busy("g80");
    struct sm_commit commit;
    uint64_t seed = 1;
    machine_run(&m);
    CU_ASSERT(m.gpu->grid.done);
    uint64_t cycles = gpu_cycles(m.gpu);
    machine_end(&m);
    m = load_busy("g80");
    for (uint64_t c = 0; !gpu_ended(n.gpu); c += 1 + machine_random(&seed) % 50) {
        gpu_run(n.gpu, c);
        m.gpu->sm->record = machine_random(&seed) % 2 ? &commit : NULL;
        gpu_run(m.gpu, c);
        CU_ASSERT(gpu_same(m.gpu, n.gpu));
        CU_ASSERT_EQUAL(m.gpu->sm->s.instructions, n.gpu->sm->s.instructions);
    }
    CU_ASSERT_EQUAL(gpu_cycles(n.gpu), cycles);
    CU_ASSERT(gpu_outputs_equal(m.gpu, n.gpu));
    machine_end(&m);
    machine_end(&n);
}

/* Addresses of a warp, of every kind that a shortcut tells apart, `shape` from 0. */
static uint32_t shaped_address(int shape, uint32_t base, uint32_t l)
{
    switch (shape) {
    case 0: return base + 4 * l;                           /* a line */
    case 1: return base + 4 * (l % 16) + (l < 16) * 1024;  /* a line for each half-warp */
    case 2: return base + 4 * (l % 16) + (l >= 16) * 32;   /* two that overlap */
    case 3: return base + (l / 16) * 32;                   /* a word for each */
    case 4: return base + 68 * (l % 16);                   /* both half-warps the same */
    case 5: return base + 4 * (l * 7 % 32) / 2 * 2;        /* any order */
    case 6: return base + 4 * (l / 3);                     /* lanes that share words */
    case 7: return base + 4 * l + 2;                       /* misaligned: traps */
    case 8: return base + 4 * l + (l == 20) * 0x10000000u; /* one lane far outside: traps */
    default: return base + 4096 - 64 + 4 * l;              /* over the end of a page */
    }
}

static void shortcuts_do_what_the_long_way_does(void)
{
    static const char *const insn[] = {
        "FMAD R4, R2, R3, R5",
        "IADD R4, R4, R4",
        "IADD32I R3, R2, 0x1234",
        "IADD R70, R2, R3", /* a register beyond the kernel's */
        "IADD R4, R70, R3",
        "ISET.S32.C1 o[0x7f], R2, R3, LT",
        "FSET.C3 R4, R2, R3, GE",
        "IADD.C1 R4, R2, R3",
        "ISET.S32.C2 R4, R2, R3, LT",
        "FMAD R4, s[A1+0x4], R3, R4",
        "FADD R4, s[A1+0x20], R4",
        "IADD R4, s[0x14], R3",
        "MOV R4, s[0x7c]", /* outside */
        "IADD R4, R3, c1[k]",
        "IMAD.U16 R4, R4L, R3H, R4",
        "I2I.U32.U16 R4, R4H",
        "MOV R4, s[0x14]",
        "MOV R4, R2",
        "MVI R4, 0x77",
        "MOV R4, s[A1+0x20]",
        "R2G.U32.U32 s[A1+0x20], R4",
        "GLD.U32 R4, global14[R1]",
        "GLD.U32 R1, global14[R1]",
        "GST.U32 global14[R1], R4",
        "GST.U32 global14[R1], R70",
        "IADD R4 (C1.EQ), R2, R3",
    };
    static const uint32_t mask[] = {ALL, 0xffff, 0x7fffffff, 0x80000001, 0};
    enum { INSNS = sizeof insn / sizeof *insn, MASKS = sizeof mask / sizeof *mask, SHAPES = 10 };
    uint64_t seed = 1;
    int traps = 0;
    for (int i = 0; i < INSNS; i++) {
        char text[200];
        const char *line = insn[i];
        snprintf(text, sizeof text,
                 K ".regs 20\n.const k, u32, 3, 4\n.shared x, %d\n%s\nNOP\nNOP.EXIT",
                 strstr(line, "0x7c") ? 16 : 2400, line);
        struct job *job = machine_job("g80", text);
        uint32_t addr = machine_buffer(job, 8192, NULL);
        machine_launch(job, 0, 1, 32);
        struct machine m = machine_load(job);
        struct gpu *start = gpu_new(m.img), *n = gpu_new(m.img);
        gpu_tick(start); /* the block starts */
        for (int k = 0; k < MASKS * SHAPES; k++) {
            int shape = k % SHAPES;
            gpu_copy(m.gpu, start);
            struct sm_warp *w = &m.gpu->sm->s.warp[0];
            for (uint32_t l = 0; l < 20 * 32; l++)
                m.gpu->sm->s.rf[w->reg_base + l] = machine_random(&seed);
            for (uint32_t l = 0; l < 600; l++)
                m.gpu->sm->s.shared[l * 4] = (uint8_t)machine_random(&seed);
            for (uint32_t l = 0; l < 32; l++) {
                m.gpu->sm->s.rf[w->reg_base + 32 + l] = shaped_address(shape, addr, l);
                w->a[1][l] = (uint16_t)shaped_address(shape, 16, l);
            }
            machine_flags(&m, 0, 1, machine_random(&seed));
            w->active = mask[k / SHAPES];
            gpu_copy(n, m.gpu);
            machine_run(&m); /* with a record: no shortcut */
            gpu_run(n, MACHINE_MAX_CYCLES);
            traps += m.gpu->sm->s.trap != TRAP_NONE;
            if (!gpu_same(m.gpu, n))
                printf("\n    %s, lanes %08x, addresses %d", line, mask[k / SHAPES], shape);
            CU_ASSERT(gpu_same(m.gpu, n));
        }
        gpu_free(start);
        gpu_free(n);
        machine_end(&m);
    }
    CU_ASSERT(traps > 50);
}

/* Eight warps, so that every stage is full: one machine has a record and takes no shortcut, the other all of them. */
static void a_held_register_is_held_in_shortcuts(void)
{
    static const char code[] =
        ".kernel k\n.param ptr p\n.regs 6\n.shared x, 1024\n" TID
        "SHL R1, R0, 2\nR2A A1, R0, 2\nIADD R1, s[p], R1\nMVI R3, 0\nMVI R4, 12\nMOV R2, R0\n"
        "SSY out\nloop: IADD R2, R2, R0\nR2G.U32.U32 s[A1+x], R2\nIADD R5, s[A1+x], R3\n"
        "IADD32I R3, R3, 1\nISET.S32.C0 o[0x7f], R3, R4, LT\nBRA C0.NE, loop\n"
        "out: NOP.S\nGST.U32 global14[R1], R5\nNOP.EXIT";
    struct job *job = machine_job("g80", code);
    machine_param(machine_launch(job, 0, 1, 256), machine_buffer(job, 1024, NULL));
    job->output = fl_alloc(sizeof *job->output);
    job->output[job->noutputs++] = (struct job_output){.name = fl_strdup("o"), .size = 1024};
    struct machine m = machine_load(job);
    struct gpu *start = gpu_new(m.img), *n = gpu_new(m.img);
    int others = 0;
    for (uint32_t i = 0; i < 6 * 8; i++) {
        const struct sm_cell c = sm_unit_cell(m.img, SM_S_rf, i, (int)(i * 5 % 32),
                                              (int)(i * 7 % 9));
        const struct sm_force f = sm_cell_force(m.img, &c, (int)(i & 1));
        gpu_copy(m.gpu, start);
        gpu_drop_forces(m.gpu);
        gpu_add_force(m.gpu, &f);
        gpu_copy(n, start);
        gpu_drop_forces(n);
        gpu_add_force(n, &f);
        machine_run(&m);
        gpu_run(n, MACHINE_MAX_CYCLES);
        CU_ASSERT(gpu_same(m.gpu, n));
        CU_ASSERT_EQUAL(m.gpu->sm->s.instructions, n->sm->s.instructions);
        gpu_drop_forces(n);
        gpu_copy(n, start);
        gpu_run(n, MACHINE_MAX_CYCLES);
        others += !gpu_outputs_equal(m.gpu, n) || gpu_cycles(m.gpu) != gpu_cycles(n);
    }
    CU_ASSERT(others > 20);
    gpu_free(start);
    gpu_free(n);
    machine_end(&m);
}

static void sm_run_stops_before_the_effects_of_its_cycle(void)
{
    struct machine m = load_busy("g80");
    for (uint64_t c = 0; !gpu_ended(m.gpu); c += 3) {
        gpu_run(m.gpu, c);
        CU_ASSERT(gpu_ended(m.gpu) || m.gpu->sm->s.next > c);
    }
    machine_end(&m);
}

/* A lone warp's MOV is in Fetch from cycle 64 and in Execute from 76; lane 1's address changes
 * at `cycle`. */
static void flip_address(uint64_t cycle, uint64_t *time, uint32_t *value)
{
    struct machine m = machine_start("g80", 32,
                                     K ".shared a, 256\nMVI R1, 7\nR2G.U32.U32 s[0x40], R1\nNOP\n"
                                       "MOV R2, s[A1]\nNOP.EXIT");
    gpu_run(m.gpu, cycle);
    struct sm_cell c = machine_cell(&m, "areg", 0, 6, 0, 0); /* $a1 of lane 1: 0x40 */
    c.index[2] = 1;
    machine_flip(&m, c);
    machine_run(&m);
    *time = gpu_cycles(m.gpu);
    *value = machine_reg(&m, 0, 1, 2);
    machine_end(&m);
}

static void a_flip_acts_before_the_reads_of_its_cycle(void)
{
    /* Execute reads the addresses for the bank conflict in cycle 75, Write-back those for the
     * data in its last */
    for (uint64_t cycle = 60; cycle < 90; cycle++) {
        uint64_t time;
        uint32_t value;
        flip_address(cycle, &time, &value);
        CU_ASSERT_EQUAL(time, cycle <= 75 ? 106 : 104);
        CU_ASSERT_EQUAL(value, cycle <= 83 ? 7 : 32 << 16);
    }
}

static void machines_that_differ_in_one_cell_are_not_the_same(void)
{
    struct machine m = load_busy("tiny");
    struct gpu *n = gpu_new(m.img);
    gpu_run(m.gpu, 300);
    for (int i = 0; i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(m.img, i, &s);
        for (int f = 0; sm_structure_bits(&s) && f < s.nfields; f++) {
            struct sm_cell cell = {.structure = i, .field = f, .bit = s.field[f].bits - 1};
            gpu_copy(n, m.gpu);
            struct machine other = {.img = m.img, .gpu = n};
            machine_flip(&other, cell);
            CU_ASSERT_NOT_EQUAL(gpu_cell_read(n, &cell), gpu_cell_read(m.gpu, &cell));
            CU_ASSERT_FALSE(gpu_same(n, m.gpu));
            CU_ASSERT_FALSE(gpu_recurs(n, m.gpu));
            CU_ASSERT_NOT_EQUAL(gpu_hash(n), gpu_hash(m.gpu));
            machine_flip(&other, cell);
            CU_ASSERT(gpu_same(n, m.gpu));
        }
    }
    gpu_free(n);
    machine_end(&m);
}

static void sm_same_sees_global_memory(void)
{
    struct machine m = machine_start("tiny", 32,
                                     K ".param ptr p\nMOV R1, s[p]\n"
                                       "GST.U32 global14[R1], R2\nNOP\nNOP.EXIT");
    struct gpu *n = gpu_new(m.img);
    machine_run_instructions(&m, 1);
    gpu_copy(n, m.gpu);
    n->sm->s.rf[2 * 32 + 31] = 5;
    while (m.gpu->sm->s.instructions < 2)
        gpu_tick(m.gpu);
    while (n->sm->s.instructions < 2)
        gpu_tick(n);
    n->sm->s.rf[2 * 32 + 31] = 0;
    CU_ASSERT_FALSE(gpu_same(m.gpu, n));
    CU_ASSERT_NOT_EQUAL(gpu_hash(m.gpu), gpu_hash(n));
    gpu_free(n);
    machine_end(&m);
}

/* Does the state after some warp instruction come back within 200 further ones? */
static bool recurs(const char *text)
{
    struct machine m = machine_start("tiny", 32, text);
    struct gpu *saved = gpu_new(m.img);
    machine_run_instructions(&m, 20);
    gpu_copy(saved, m.gpu);
    bool again = false;
    for (uint64_t n = 21; n < 220 && !again && !gpu_ended(m.gpu); n++) {
        machine_run_instructions(&m, n);
        again = gpu_recurs(m.gpu, saved);
    }
    CU_ASSERT_FALSE(gpu_ended(m.gpu));
    gpu_free(saved);
    machine_end(&m);
    return again;
}

static void an_endless_loop_recurs_when_and_only_when_nothing_changes(void)
{
    CU_ASSERT(recurs(K "loop: NOP\nNOP\nBRA loop"));
    CU_ASSERT_FALSE(recurs(K "loop: IADD32I R1, R1, 1\nBRA loop"));
    CU_ASSERT(recurs(K "loop: LOP.XOR R1, R1, R2\nBRA loop"));
    CU_ASSERT(recurs(K ".param ptr p\nMOV R1, s[p]\nloop: GLD.U32 R2, global14[R1]\nBRA loop"));
    CU_ASSERT(recurs(K ".param ptr p\nMOV R1, s[p]\nloop: GST.U32 global14[R1], R2\nBRA loop"));
    CU_ASSERT_FALSE(recurs(K ".param ptr p\nMOV R1, s[p]\nloop: GLD.U32 R2, global14[R1]\n"
                             "IADD32I R2, R2, 1\nGST.U32 global14[R1], R2\nMVI R2, 0\nBRA loop"));
    CU_ASSERT_FALSE(recurs(K "loop: S2R R1, SR_CLOCK\nMVI R1, 0\nBRA loop"));
}

static void a_force_holds_its_cell_whatever_is_written(void)
{
    struct machine m = machine_start("tiny", 32,
                                     K "MVI R1, 0xff\nMVI R1, 0\nMVI R1, 0xff00\nNOP.EXIT");
    machine_stick(&m, machine_cell(&m, "rf", 0, 4, 32 + 7, 0), 0);
    machine_stick(&m, machine_cell(&m, "rf", 0, 3, 32 + 7, 0), 1);
    for (uint64_t n = 1; n <= 3; n++) {
        static const uint32_t want[] = {0xff & ~0x10u, 8, 0xff08};
        machine_run_instructions(&m, n);
        CU_ASSERT_EQUAL(machine_reg(&m, 0, 7, 1), want[n - 1]);
        CU_ASSERT_EQUAL(machine_reg(&m, 0, 8, 1), want[n - 1] == 0xef ? 0xff : want[n - 1] & ~8u);
    }
    machine_end(&m);
}

static void a_force_reaches_every_structure(void)
{
    for (int value = 0; value < 2; value++) {
        struct machine m = load_busy("tiny");
        for (int i = 0; i < SM_STRUCTURES; i++) {
            struct sm_structure s;
            sm_structure_get(m.img, i, &s);
            for (int f = 0; sm_structure_bits(&s) && f < s.nfields; f++) {
                struct gpu *n = gpu_new(m.img);
                struct sm_cell cell = {.structure = i, .field = f};
                struct sm_force force = sm_cell_force(m.img, &cell, value);
                gpu_add_force(n, &force);
                for (int t = 0; t < 200; t++) {
                    CU_ASSERT_EQUAL(gpu_cell_read(n, &cell), value);
                    gpu_tick(n);
                }
                gpu_free(n);
            }
        }
        machine_end(&m);
    }
}

static void cells_of_a_structure_are_all_different_bits(void)
{
    struct machine m = machine_start("tiny", 32, K "NOP.EXIT");
    for (int i = 0; i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(m.img, i, &s);
        size_t bytes = sizeof m.gpu->sm->s + m.img->mem_bytes;
        uint8_t *seen = fl_alloc(bytes * 8);
        long cells = 0;
        struct sm_cell c = {.structure = i};
        int count[3] = {1, 1, 1};
        for (int a = 0; a < s.naxes; a++)
            count[a] = s.axis[a].count;
        for (c.field = 0; c.field < s.nfields; c.field++)
            for (c.index[0] = 0; c.index[0] < count[0]; c.index[0]++)
                for (c.index[1] = 0; c.index[1] < count[1]; c.index[1]++)
                    for (c.index[2] = 0; c.index[2] < count[2]; c.index[2]++) {
                        c.bit = 0;
                        struct sm_force f = sm_cell_force(m.img, &c, 1);
                        CU_ASSERT_FATAL(f.offset + f.width <= bytes);
                        for (int bit = 0; bit < s.field[c.field].bits; bit++, cells++) {
                            uint8_t *at = &seen[f.offset * 8 + (size_t)bit];
                            CU_ASSERT_FATAL(!*at && bit < 8 * f.width);
                            *at = 1;
                        }
                    }
        CU_ASSERT_EQUAL(cells, sm_structure_bits(&s));
        free(seen);
    }
    machine_end(&m);
}

static void the_commit_record_says_what_an_instruction_did(void)
{
    struct machine m = machine_start("tiny", 32,
                                     K ".param ptr p\nMOV R1, s[p]\nIADD.C2 R2 (C0.EQ), "
                                       "R0, R0\nGST.U32 global14[R1], R2\nNOP.EXIT");
    machine_flags(&m, 0, 0, 0xf0);
    machine_run(&m);
    const struct sm_commit *c = machine_insn(&m, 1);
    CU_ASSERT_EQUAL(c->pc, 8);
    CU_ASSERT_EQUAL(c->active, ALL);
    CU_ASSERT_EQUAL(c->exec, 0xf0);
    CU_ASSERT_EQUAL(c->nregs, 1);
    CU_ASSERT_EQUAL(c->reg_row, 64);
    CU_ASSERT_EQUAL(c->reg_mask, 0xf0);
    CU_ASSERT_EQUAL(c->reg[0][5], 10);
    CU_ASSERT_EQUAL(c->cc, 2);
    CU_ASSERT_EQUAL(c->pc_after, 0x10);
    c = machine_insn(&m, 2);
    CU_ASSERT_EQUAL(c->space, ISA_G);
    CU_ASSERT_EQUAL(c->bytes, 4);
    CU_ASSERT(c->store);
    CU_ASSERT_EQUAL(c->addr[9], m.job->buffer[0].addr);
    struct fl_buf text = {0};
    sm_commit_print(m.img, c, &text);
    fl_buf_add(&text, "", 1);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)text.data, "GST.U32 global14[R1], R2"));
    fl_buf_free(&text);
    machine_end(&m);
}

/* Sees every arithmetic instruction; adds 1 to the results of its lanes. */
struct seen {
    uint32_t lanes, count, ops[OP_COUNT];
};

static void add_one(void *context, const struct isa_insn *in, uint32_t exec, const uint32_t *a,
                    const uint32_t *b, const uint32_t *c, const uint8_t *cc, uint32_t *d,
                    uint8_t *flags)
{
    struct seen *s = context;
    s->count++;
    s->ops[in->op]++;
    CU_ASSERT(a && b && c && cc && exec);
    CU_ASSERT_EQUAL(flags != NULL, in->cc_dst >= 0);
    for (uint32_t l = 0; l < SM_LANES; l++)
        d[l] += exec >> l & s->lanes >> l & 1;
}

static void a_hook_on_lanes_decides_what_arithmetic_writes_there_and_nowhere_else(void)
{
    struct machine m = machine_start("tiny", 32, K TID "IADD R1, R0, R0\nMOV R2, R1\nNOP.EXIT");
    struct seen s = {.lanes = 0x10};
    struct sm_lane_hook hook = {add_one, &s};
    m.gpu->sm->lanes = &hook;
    gpu_run(m.gpu, 10000); /* nobody watches: without the hook this is the quick way */
    CU_ASSERT_EQUAL(s.count, 2);
    CU_ASSERT(s.ops[OP_I2I] == 1 && s.ops[OP_IADD] == 1);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 3, 2), 6);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 4, 0), 5);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 4, 2), 11); /* not 12: a move is no arithmetic */
    machine_end(&m);
}

static void a_wild_operand_traps_also_where_nobody_watches(void)
{
    struct machine m = machine_start("tiny", 32, K "MVI R1, -4\nR2A A1, R1\nIADD.C0 R2, s[A1], R1");
    gpu_run(m.gpu, 10000);
    CU_ASSERT_EQUAL(m.gpu->sm->s.trap, TRAP_OUT_OF_BOUNDS_SHARED);
    machine_end(&m);
}

static void a_hook_that_changes_nothing_changes_nothing(void)
{
    struct machine m = load_busy("g80"), n = load_busy("g80");
    struct seen s = {.lanes = 0};
    struct sm_lane_hook hook = {add_one, &s};
    m.gpu->sm->lanes = &hook;
    machine_run(&m);
    machine_run(&n);
    CU_ASSERT(s.count > 100);
    CU_ASSERT_EQUAL(gpu_cycles(m.gpu), gpu_cycles(n.gpu));
    CU_ASSERT_EQUAL(gpu_hash(m.gpu), gpu_hash(n.gpu));
    machine_end(&m);
    machine_end(&n);
}

int main(void)
{
    return CHECK_RUN(
        "machine", CHECK(a_copy_is_a_checkpoint),
        CHECK(a_run_is_the_same_with_and_without_a_record_and_in_any_steps),
        CHECK(shortcuts_do_what_the_long_way_does), CHECK(a_held_register_is_held_in_shortcuts),
        CHECK(sm_run_stops_before_the_effects_of_its_cycle),
        CHECK(a_flip_acts_before_the_reads_of_its_cycle),
        CHECK(machines_that_differ_in_one_cell_are_not_the_same), CHECK(sm_same_sees_global_memory),
        CHECK(an_endless_loop_recurs_when_and_only_when_nothing_changes),
        CHECK(a_force_holds_its_cell_whatever_is_written), CHECK(a_force_reaches_every_structure),
        CHECK(cells_of_a_structure_are_all_different_bits),
        CHECK(the_commit_record_says_what_an_instruction_did),
        CHECK(a_hook_on_lanes_decides_what_arithmetic_writes_there_and_nowhere_else),
        CHECK(a_wild_operand_traps_also_where_nobody_watches),
        CHECK(a_hook_that_changes_nothing_changes_nothing));
}
