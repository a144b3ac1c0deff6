/* test_effects.c -- what instructions read and write: registers, flags, memories; and what they trap on. */
#include "tests/lib/check.h"
#include "tests/lib/machine.h"

/* ---- registers ---- */

static void registers_beyond_the_allocation_read_0_and_ignore_writes(void)
{
    struct machine m = machine_ran("tiny", 64,
                                   K
                                   ".regs 3\nMVI R1, 5\nMVI R3, 9\nMVI R124, 9\nIADD R2, R3, R124\n"
                                   "MOV.U16 R3L, R1L\nNOP.EXIT");
    ASSERT_FINISHED(m);
    for (int w = 0; w < 2; w++)
        for (int l = 0; l < 32; l++) {
            CU_ASSERT_EQUAL(machine_reg(&m, w, l, 0), (uint32_t)(32 * w + l));
            CU_ASSERT_EQUAL(machine_reg(&m, w, l, 1), 5);
            CU_ASSERT_EQUAL(machine_reg(&m, w, l, 2), 0);
        }
    CU_ASSERT_EQUAL(m.gpu->sm->s.rf[6 * 32], 0);
    machine_end(&m);
}

static void a_half_write_keeps_the_other_half(void)
{
    struct machine m = machine_ran("tiny", 32,
                                   K "MVI R1, 0x12345678\nMVI R2, 0x9abcdef0\nMOV.U16 R1H, R2L\n"
                                     "MOV.U16 R2L, R1L\nNOP.EXIT");
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 3, 1), 0xdef05678);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 3, 2), 0x9abc5678);
    machine_end(&m);
}

static void only_executing_lanes_write(void)
{
    struct machine m = machine_start(
        "tiny", 20, K "MOV R1 (C0.NE), R0\nMVI R2, 3\nIADD.C2 R3, R2, R2\nNOP.EXIT");
    machine_flags(&m, 0, 0, 0xff);
    machine_run(&m);
    for (uint32_t l = 0; l < 32; l++) {
        CU_ASSERT_EQUAL(machine_reg(&m, 0, (int)l, 1), l >= 8 && l < 20 ? l : 0);
        CU_ASSERT_EQUAL(machine_reg(&m, 0, (int)l, 2), l < 20 ? 3 : 0);
    }
    machine_end(&m);
}

static void a_move_with_a_lane_mask_moves_those_lanes_of_each_quad(void)
{
    struct machine m = machine_ran("tiny", 32,
                                   K "MVI R1, 7\nMOV.L02 R2, R1\nMOV.LNONE R3, R1\nNOP.EXIT");
    for (int l = 0; l < 32; l++) {
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 2), l % 2 == 0 ? 7 : 0);
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 3), 0);
    }
    machine_end(&m);
}

static void every_predicate_is_its_function_of_the_flags(void)
{
    /* bit f: the predicate holds for flags f (Z = bit 0, S = 1, C = 2, O = 3); from the table of
     * sm_10 predicates. Codes 14 to 1b have no name: no instruction. */
    static const uint16_t holds[32] = {
        0x0000, 0xbb44, 0x2222, 0x3366, 0x4411, 0x5555, 0xcc33, 0x7777, 0x8888, 0x33cc, 0xaaaa,
        0xbbee, 0xcc99, 0xdddd, 0x44bb, 0xffff, 0xff00, 0xf0f0, 0x5050, 0xcccc, 0xffff, 0xffff,
        0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0x3333, 0xafaf, 0x0f0f, 0x00ff};
    for (uint32_t code = 0; code < 32; code++) {
        struct job *job = machine_job("tiny",
                                      K "R2C C0, R0\nMVI R2, 1\nMOV R1, R2\nC2R R3, C0\nNOP.EXIT");
        uint8_t *mov = job->cubin->kernel[0].code[0].bytes + 0x10;
        uint32_t hi;
        memcpy(&hi, mov + 4, 4);
        hi = (hi & ~0xf80u) | code << 7;
        memcpy(mov + 4, &hi, 4);
        machine_launch(job, 0, 1, 16);
        struct machine m = machine_load(job);
        machine_run(&m);
        bool named = code < 0x14 || code > 0x1b;
        CU_ASSERT_EQUAL(m.gpu->sm->s.trap, named ? TRAP_NONE : TRAP_ILLEGAL_INSTRUCTION);
        for (uint32_t f = 0; named && f < 16; f++) {
            CU_ASSERT_EQUAL(machine_reg(&m, 0, (int)f, 3), f);
            CU_ASSERT_EQUAL(machine_reg(&m, 0, (int)f, 1), (uint32_t)holds[code] >> f & 1);
        }
        machine_end(&m);
    }
}

static void address_registers_have_16_bits_and_post_increment_afterwards(void)
{
    struct machine m = machine_ran("tiny", 32,
                                   K
                                   ".shared x, 64\nMVI R1, 0xffff0020\nR2A A1, R1\nMVI R2, 0x1234\n"
                                   "R2G.U32.U32 s[A1+++4], R2\nR2G.U32.U32 s[A1++-8], R1\n"
                                   "MOV R3, s[0x20]\nMOV R4, s[0x24]\nA2R R5, A1\nNOP.EXIT");
    ASSERT_FINISHED(m);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 1, 3), 0x1234);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 1, 4), 0xffff0020);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 1, 5), 0x1c);
    machine_end(&m);
}

static void addresses_through_address_registers_wrap_at_16_bits(void)
{
    struct machine m = machine_ran("tiny", 32,
                                   K ".shared x, 64\nMVI R1, 0xffe0\nR2A A1, R1\nMVI R2, 7\n"
                                     "R2G.U32.U32 s[0x20], R2\nMOV R3, s[A1+0x40]\nNOP.EXIT");
    ASSERT_FINISHED(m);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 3), 7);
    machine_end(&m);
}

static void s2r_reads_the_clock_of_its_write_back_and_lane_and_warp_slot(void)
{
    struct machine m = machine_ran(
        "g80", 64, K "S2R R1, SR_CLOCK\nS2R R2, SR_PHYSID\nS2R R3, SR_PM0\nNOP.EXIT");
    for (int w = 0; w < 2; w++) {
        CU_ASSERT_EQUAL(machine_reg(&m, w, 0, 1), (uint32_t)machine_cycle(&m, w, 0));
        CU_ASSERT_EQUAL(machine_reg(&m, w, 9, 2), (uint32_t)w << 8 | 9);
        CU_ASSERT_EQUAL(machine_reg(&m, w, 9, 3), 0);
    }
    machine_end(&m);
}

/* ---- memory ---- */

static void the_highest_lane_wins(void)
{
    struct machine m = machine_start("tiny", 32,
                                     K
                                     ".param ptr p\n.shared x, 16\nMOV R1, s[p]\n"
                                     "GST.U32 global14[R1], R0\nR2G.U32.U32 s[x], R0\n"
                                     "MVI R2, 4\nIADD R1, R1, R2\nGST.U8 global14[R1] (C0.EQ), R0\n"
                                     "MOV R3, s[x]\nNOP.EXIT");
    machine_flags(&m, 0, 0, 0x00120000);
    machine_run(&m);
    ASSERT_FINISHED(m);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 31);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 1), 20);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 3), 31);
    machine_end(&m);
}

static void loads_extend_and_stores_cut(void)
{
    struct job *job = machine_job("tiny", K ".param ptr p\nMOV R1, s[p]\nGLD.U8 R2, global14[R1]\n"
                                            "GLD.S8 R3, global14[R1]\nGLD.U16 R4, global14[R1]\n"
                                            "GLD.S16 R5, global14[R1]\nGLD.S64 R6, global14[R1]\n"
                                            "GLD.S128 R8, global14[R1]\nIADD32I R1, R1, 0x10\n"
                                            "GST.S128 global14[R1], R8\nIADD32I R1, R1, 0x10\n"
                                            "GST.U8 global14[R1], R8\nIADD32I R1, R1, 6\n"
                                            "GST.U16 global14[R1], R8\nIADD32I R1, R1, 2\n"
                                            "GST.S64 global14[R1], R10\nNOP.EXIT");
    static const uint32_t init[4] = {0x8765fe80, 1, 2, 3};
    uint8_t bytes[64] = {0};
    memcpy(bytes, init, 16);
    uint32_t addr = machine_buffer(job, 64, bytes);
    machine_param(machine_launch(job, 0, 1, 32), addr);
    struct machine m = machine_load(job);
    machine_run(&m);
    ASSERT_FINISHED(m);
    static const uint32_t want[] = {0x80, 0xffffff80, 0xfe80, 0xfffffe80, 0x8765fe80,
                                    1,    0x8765fe80, 1,      2,          3};
    for (int r = 0; r < 10; r++)
        CU_ASSERT_EQUAL(machine_reg(&m, 0, 17, 2 + r), want[r]);
    static const uint32_t after[] = {0x8765fe80, 1, 2,    3,          0x8765fe80, 1,
                                     2,          3, 0x80, 0xfe800000, 2,          3};
    for (uint32_t i = 0; i < 12; i++)
        CU_ASSERT_EQUAL(machine_word(&m, 0, i), after[i]);
    machine_end(&m);
}

static void a_half_register_is_stored_zero_extended(void)
{
    struct machine m = machine_ran("tiny", 32,
                                   K
                                   ".shared x, 16, 16\nMVI R1, 0x12345678\nR2G.U16.U32 s[x], R1L\n"
                                   "R2G.U16.U32 s[x+4], R1H\nR2G.U16.U16 s[x+8], R1H\n"
                                   "R2G.U16.U8 s[x+12], R1L\nMOV R2, s[x]\nMOV R3, s[x+4]\n"
                                   "MOV R4, s[x+8]\nMOV R5, s[x+12]\nNOP.EXIT");
    ASSERT_FINISHED(m);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 2), 0x5678);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 3), 0x1234);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 4), 0x1234);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 5), 0x78);
    machine_end(&m);
}

/* Loads `type` at `addr`; the trap it ends with. Two buffers of 0x100 and 0x30 bytes. */
static enum sm_trap load_at(const char *type, uint32_t addr)
{
    char *text = fl_format(K ".regs 8\nMVI R1, 0x%x\nGLD.%s R4, global14[R1]\nNOP.EXIT", addr,
                           type);
    struct job *job = machine_job("tiny", text);
    machine_buffer(job, 0x100, NULL);
    machine_buffer(job, 0x30, NULL);
    machine_launch(job, 0, 1, 32);
    struct machine m = machine_load(job);
    machine_run(&m);
    enum sm_trap trap = (enum sm_trap)m.gpu->sm->s.trap;
    machine_end(&m);
    free(text);
    return trap;
}

static void an_access_outside_every_buffer_traps(void)
{
    struct job *job = machine_job("tiny", K "NOP.EXIT");
    uint32_t a = machine_buffer(job, 0x100, NULL), b = machine_buffer(job, 0x30, NULL);
    job_free(job);
    CU_ASSERT_EQUAL(a, JOB_BASE);
    CU_ASSERT(b >= a + 0x100 + JOB_GUARD);
    static const uint32_t inside[] = {0, 0xfc};
    for (int i = 0; i < 2; i++)
        CU_ASSERT_EQUAL(load_at("U32", a + inside[i]), TRAP_NONE);
    CU_ASSERT_EQUAL(load_at("U32", b + 0x2c), TRAP_NONE);
    CU_ASSERT_EQUAL(load_at("U8", a - 1), TRAP_OUT_OF_BOUNDS_GLOBAL);
    CU_ASSERT_EQUAL(load_at("U8", a + 0x100), TRAP_OUT_OF_BOUNDS_GLOBAL);
    CU_ASSERT_EQUAL(load_at("U8", b - 1), TRAP_OUT_OF_BOUNDS_GLOBAL);
    CU_ASSERT_EQUAL(load_at("U8", b + 0x30), TRAP_OUT_OF_BOUNDS_GLOBAL);
    CU_ASSERT_EQUAL(load_at("S64", b + 0x28), TRAP_NONE);
    CU_ASSERT_EQUAL(load_at("S128", b + 0x20), TRAP_NONE);
    CU_ASSERT_EQUAL(load_at("S128", b + 0x30), TRAP_OUT_OF_BOUNDS_GLOBAL);
    CU_ASSERT_EQUAL(load_at("U32", 0), TRAP_OUT_OF_BOUNDS_GLOBAL);
    CU_ASSERT_EQUAL(load_at("U32", 0xfffffffc), TRAP_OUT_OF_BOUNDS_GLOBAL);
    CU_ASSERT_EQUAL(load_at("S128", 0xfffffff0), TRAP_OUT_OF_BOUNDS_GLOBAL);
}

static void lanes_of_one_access_may_lie_in_different_buffers(void)
{
    struct job *job = machine_job("tiny", K "IADD32I R2, R0, 0x100\nGST.U32 global14[R1], R2\n"
                                            "GLD.U32 R3, global14[R1]\nNOP.EXIT");
    uint32_t a = machine_buffer(job, 0x100, NULL), b = machine_buffer(job, 0x100, NULL);
    machine_launch(job, 0, 1, 32);
    struct machine m = machine_load(job);
    for (uint32_t l = 0; l < 32; l++)
        m.gpu->sm->s.rf[32 + l] = (l % 2 ? a : b) + 4 * l;
    machine_run(&m);
    ASSERT_FINISHED(m);
    for (uint32_t l = 0; l < 32; l++) {
        CU_ASSERT_EQUAL(machine_word(&m, l % 2 ? 0 : 1, l), 0x100 + l);
        CU_ASSERT_EQUAL(machine_reg(&m, 0, (int)l, 3), 0x100 + l);
    }
    machine_end(&m);
}

static void an_access_that_traps_has_changed_nothing(void)
{
    struct machine m = machine_start("tiny", 32,
                                     K ".param ptr p\nNOP\nGST.U32 global14[R1], R0\nNOP.EXIT");
    gpu_tick(m.gpu);
    for (uint32_t l = 0; l < 32; l++) /* lane 31 alone is wrong */
        m.gpu->sm->s.rf[32 + l] = l < 31 ? m.job->buffer[0].addr + 4 * l : 0x44;
    m.gpu->sm->s.rf[0] = 0x99;
    machine_run(&m);
    ASSERT_TRAP(m, OUT_OF_BOUNDS_GLOBAL);
    for (uint32_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(machine_word(&m, 0, i), 0);
    CU_ASSERT_EQUAL(m.gpu->sm->s.trap_pc, 8);
    machine_end(&m);
}

static void every_thread_has_its_own_local_memory(void)
{
    struct machine m = machine_ran(
        "tiny", 64,
        K ".local 32\n.param ptr p\n" TID "IADD32I R2, R0, 0x100\n"
          "IADD32I R3, R0, 0x200\nIADD32I R4, R0, 0x300\nIADD32I R5, R0, 0x400\n"
          "LST.S128 local[0x10], R2\nLST.U32 local[4], R0\nLST.U8 local[5], R2\n"
          "BAR.ARV.WAIT b0, 0xfff\n"
          "LLD.U32 R6, local[0x14]\nLLD.S64 R8, local[0x18]\n"
          "LLD.U32 R7, local[4]\nNOP.EXIT");
    ASSERT_FINISHED(m);
    for (int w = 0; w < 2; w++)
        for (int l = 0; l < 32; l++) {
            uint32_t t = (uint32_t)(32 * w + l);
            CU_ASSERT_EQUAL(machine_reg(&m, w, l, 6), t + 0x200);
            CU_ASSERT_EQUAL(machine_reg(&m, w, l, 8), t + 0x300);
            CU_ASSERT_EQUAL(machine_reg(&m, w, l, 9), t + 0x400);
            CU_ASSERT_EQUAL(machine_reg(&m, w, l, 7), t | (t & 0xff) << 8);
        }
    machine_end(&m);
}

/* ---- traps ---- */

static void every_trap_has_a_program_that_ends_with_it(void)
{
    static const struct {
        enum sm_trap trap;
        const char *text;
    } want[] = {
        {TRAP_FETCH_UNMAPPED, K "NOP"},
        {TRAP_FETCH_UNMAPPED, K "BRA 0x1000\nNOP.EXIT"},
        {TRAP_TRAP_INSTRUCTION, K "TRAP\nNOP.EXIT"},
        {TRAP_UNSUPPORTED_INSTRUCTION, K "QUADON\nNOP.EXIT"},
        {TRAP_MISALIGNED_GLOBAL, K ".param ptr p\nMOV R1, s[p]\nIADD32I R1, R1, 2\n"
                                   "GLD.U32 R2, global14[R1]\nNOP.EXIT"},
        {TRAP_MISALIGNED_GLOBAL, K ".param ptr p\nMOV R1, s[p]\nIADD32I R1, R1, 8\n"
                                   "GLD.S128 R4, global14[R1]\nNOP.EXIT"},
        {TRAP_MISALIGNED_SHARED, K "MVI R1, 2\nR2A A1, R1\nMOV R2, s[A1]\nNOP.EXIT"},
        {TRAP_MISALIGNED_SHARED, K "MVI R1, 2\nR2A A1, R1\nR2G.U32.U32 s[A1], R1\nNOP.EXIT"},
        {TRAP_MISALIGNED_LOCAL, K ".local 16\nLLD.U32 R1, local[2]\nNOP.EXIT"},
        {TRAP_MISALIGNED_CONST,
         K ".const X, u32, 1, 2\nMVI R1, 2\nR2A A1, R1\nMVC R2, c1[A1]\nNOP.EXIT"},
        {TRAP_OUT_OF_BOUNDS_GLOBAL, K "MVI R1, 0x44\nGST.U32 global14[R1], R1\nNOP.EXIT"},
        {TRAP_OUT_OF_BOUNDS_SHARED, K "MOV R1, s[0x10]\nNOP.EXIT"},
        {TRAP_OUT_OF_BOUNDS_SHARED, K "MVI R1, 0xfffc\nR2A A1, R1\nMOV R2, s[A1]\nNOP.EXIT"},
        {TRAP_OUT_OF_BOUNDS_LOCAL, K ".local 16\nLST.U32 local[0x10], R1\nNOP.EXIT"},
        {TRAP_OUT_OF_BOUNDS_LOCAL, K "LLD.U32 R1, local[0]\nNOP.EXIT"},
        {TRAP_OUT_OF_BOUNDS_CONST, K ".const X, u32, 1\nIADD R1, R1, c1[4]\nNOP.EXIT"},
        {TRAP_OUT_OF_BOUNDS_CONST, K "MVC R1, c7[0]\nNOP.EXIT"},
        {TRAP_STACK_OVERFLOW, K ".rept 5\nSSY 0x20\n.endr\nNOP.EXIT"},
        {TRAP_STACK_UNDERFLOW, K "NOP.S\nNOP.EXIT"},
        {TRAP_STACK_MISMATCH, K "BRK\nNOP.EXIT"},
    };
    uint32_t seen = 0;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct machine m = machine_ran("tiny", 32, want[i].text);
        if (m.gpu->sm->s.trap != want[i].trap)
            printf("\n    %s: %s\n", want[i].text, sm_trap_name((enum sm_trap)m.gpu->sm->s.trap));
        CU_ASSERT_EQUAL(m.gpu->sm->s.trap, want[i].trap);
        CU_ASSERT(m.nlog > 0 && m.log[m.nlog - 1].trap == want[i].trap);
        seen |= 1u << want[i].trap;
        machine_end(&m);
    }
    /* the two that need words no assembler writes: see below, and test_stack.c */
    seen |= 1u << TRAP_NONE | 1u << TRAP_ILLEGAL_INSTRUCTION | 1u << TRAP_FETCH_MISALIGNED;
    CU_ASSERT_EQUAL(seen, (1u << TRAP_COUNT) - 1);
}

static void a_word_that_is_no_instruction_traps(void)
{
    struct job *job = machine_job("tiny", K "NOP\nNOP.EXIT");
    static const uint32_t word[2] = {0xb0000003, 0};
    memcpy(job->cubin->kernel[0].code[0].bytes + 8, word, 8);
    machine_launch(job, 0, 1, 32);
    struct machine m = machine_load(job);
    machine_run(&m);
    ASSERT_TRAP(m, ILLEGAL_INSTRUCTION);
    CU_ASSERT_EQUAL(m.gpu->sm->s.trap_pc, 8);
    machine_end(&m);
}

static void a_trap_ends_the_job_at_once(void)
{
    struct job *job = machine_job("tiny", K ".param ptr p\nMOV R1, s[p]\nTRAP\nNOP.EXIT\n"
                                            ".kernel l\nNOP.EXIT");
    uint32_t addr = machine_buffer(job, 16, NULL);
    machine_param(machine_launch(job, 0, 1, 64), addr);
    machine_launch(job, 1, 1, 32);
    struct machine m = machine_load(job);
    machine_run(&m);
    ASSERT_TRAP(m, TRAP_INSTRUCTION);
    CU_ASSERT_EQUAL(m.gpu->grid.launch, 0);
    CU_ASSERT_EQUAL(gpu_cycles(m.gpu), m.log[m.nlog - 1].cycle + 1);
    uint64_t next = m.gpu->sm->s.next;
    gpu_tick(m.gpu);
    gpu_run(m.gpu, next + 100);
    CU_ASSERT_EQUAL(m.gpu->sm->s.next, next);
    machine_end(&m);
}

/* The table of the page: "| `CUDA_ERROR_...` | 700 | `OUT_OF_BOUNDS_GLOBAL`, ... |". */
static void the_error_of_each_trap_is_the_one_that_the_page_names(void)
{
    struct fl_buf page = {0};
    struct fl_err err;
    CU_ASSERT_FATAL(fl_read_text(FAULTLINE_SOURCE_DIR "/docs/reference/library.md", &page, &err) ==
                    0);
    CU_ASSERT_EQUAL(sm_trap_error(TRAP_NONE), SM_ERROR_NONE);
    for (int t = 1; t < TRAP_COUNT; t++) {
        char *name = fl_format("`%s`", sm_trap_name((enum sm_trap)t));
        char *number = fl_format("` | %d |", (int)sm_trap_error((enum sm_trap)t));
        const char *row = strstr((char *)page.data, number);
        const char *at = row ? strstr(row, name) : NULL;
        if (!at || strchr(row, '\n') < at)
            printf("\n    %s is not in the row of %s\n", name, number);
        CU_ASSERT(at && strchr(row, '\n') > at);
        free(name);
        free(number);
    }
    fl_buf_free(&page);
}

static void trap_names_are_complete(void)
{
    for (int t = 0; t < TRAP_COUNT; t++) {
        CU_ASSERT(strlen(sm_trap_name((enum sm_trap)t)) > 3);
        CU_ASSERT(strlen(sm_trap_text((enum sm_trap)t)) > 5);
    }
}

int main(void)
{
    return CHECK_RUN("effects", CHECK(registers_beyond_the_allocation_read_0_and_ignore_writes),
                     CHECK(a_half_write_keeps_the_other_half), CHECK(only_executing_lanes_write),
                     CHECK(a_move_with_a_lane_mask_moves_those_lanes_of_each_quad),
                     CHECK(every_predicate_is_its_function_of_the_flags),
                     CHECK(address_registers_have_16_bits_and_post_increment_afterwards),
                     CHECK(addresses_through_address_registers_wrap_at_16_bits),
                     CHECK(s2r_reads_the_clock_of_its_write_back_and_lane_and_warp_slot),
                     CHECK(the_highest_lane_wins), CHECK(loads_extend_and_stores_cut),
                     CHECK(a_half_register_is_stored_zero_extended),
                     CHECK(an_access_outside_every_buffer_traps),
                     CHECK(lanes_of_one_access_may_lie_in_different_buffers),
                     CHECK(an_access_that_traps_has_changed_nothing),
                     CHECK(every_thread_has_its_own_local_memory),
                     CHECK(every_trap_has_a_program_that_ends_with_it),
                     CHECK(a_word_that_is_no_instruction_traps), CHECK(a_trap_ends_the_job_at_once),
                     CHECK(the_error_of_each_trap_is_the_one_that_the_page_names),
                     CHECK(trap_names_are_complete));
}
