/* test_atomics.c -- atomic operations on global memory, votes and loads from shared memory, on the C model. */
#include "base/random.h"
#include "tests/lib/machine.h"

#define DATA   FAULTLINE_SOURCE_DIR "/tests/data/"
#define TINY12 DATA "tiny12.xml"
#define CHIP12 DATA "chip12.xml"
#define KP     ".kernel k\n.param ptr p\n"
/* R0: the thread; R1: the address of its word of buffer p */
#define OWN_WORD "I2I.U32.U16 R0, R0L\nSHL R1, R0, 2\nMOV R2, s[p]\nIADD R1, R1, R2\n"
/* R1: the address of the first word */
#define ONE_WORD "I2I.U32.U16 R0, R0L\nMOV R1, s[p]\n"

static uint32_t one_of(uint64_t *seed, uint32_t near)
{
    static const uint32_t edge[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 5};
    const uint64_t r = fl_random(seed);
    return r % 4 == 0   ? edge[r / 4 % 6]
           : r % 4 == 1 ? near + (uint32_t)(r / 4 % 3) - 1
                        : (uint32_t)(r >> 32);
}

static uint32_t signed_less(uint32_t a, uint32_t b)
{
    return (int32_t)a < (int32_t)b;
}

/* By the words of docs/reference/isa.md; x is register R4, y is R5. */
static uint32_t expected(const char *op, uint32_t old, uint32_t x, uint32_t y)
{
    if (!strncmp(op, "IADD", 4))
        return old + x;
    if (!strncmp(op, "EXCH", 4))
        return x;
    if (!strncmp(op, "CAS", 3))
        return old == x ? y : old;
    if (!strncmp(op, "INC", 3))
        return old < x ? old + 1 : 0;
    if (!strncmp(op, "DEC", 3))
        return old != 0 && old <= x ? old - 1 : x;
    if (!strcmp(op, "MAX.U32"))
        return old < x ? x : old;
    if (!strcmp(op, "MAX.S32"))
        return signed_less(old, x) ? x : old;
    if (!strcmp(op, "MIN.U32"))
        return old < x ? old : x;
    if (!strcmp(op, "MIN.S32"))
        return signed_less(old, x) ? old : x;
    return !strncmp(op, "AND", 3) ? old & x : !strncmp(op, "OR", 2) ? old | x : old ^ x;
}

static const char *const operations[] = {"IADD.U32", "IADD.S32", "EXCH.U32", "CAS.U32", "INC.U32",
                                         "DEC.U32",  "MAX.U32",  "MAX.S32",  "MIN.U32", "MIN.S32",
                                         "AND.U32",  "OR.U32",   "XOR.S32"};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Words 0 to 31 of p: the old values, then 32 x, then 32 y. The thread's result is R6. */
static struct machine start_operation(const char *op, bool result, const uint32_t *values)
{
    char *atom = result ? fl_format("GATOM.%s R6, global14[R1], R4%s", op,
                                    strncmp(op, "CAS", 3) ? "" : ", R5")
                        : fl_format("GRED.%s global14[R1], R4", op);
    char *text = fl_format(KP OWN_WORD "MVI R3, 128\nIADD R2, R1, R3\nGLD.U32 R4, global14[R2]\n"
                                       "IADD R2, R2, R3\nGLD.U32 R5, global14[R2]\n%s\nNOP.EXIT",
                           atom);
    struct job *job = machine_job(TINY12, text);
    uint32_t at = machine_buffer(job, 4096, values);
    machine_param(machine_launch(job, 0, 1, 32), at);
    free(atom);
    free(text);
    return machine_load(job);
}

static void an_operation_makes_what_the_reference_says_and_gives_the_old_value(void)
{
    uint64_t seed = 1;
    for (int i = 0; i < 2 * OPERATIONS * 4; i++) {
        const char *op = operations[i / 2 % OPERATIONS];
        const bool result = i & 1;
        uint32_t v[1024] = {0};
        if (!result && (!strncmp(op, "EXCH", 4) || !strncmp(op, "CAS", 3)))
            continue;
        for (int l = 0; l < 32; l++) {
            v[l] = one_of(&seed, 7);
            v[32 + l] = one_of(&seed, v[l]);
            v[64 + l] = one_of(&seed, v[l]);
        }
        struct machine m = start_operation(op, result, v);
        machine_run(&m);
        CU_ASSERT_EQUAL(gpu_trap(m.gpu), TRAP_NONE);
        for (uint32_t l = 0; l < 32; l++) {
            CU_ASSERT_EQUAL(machine_word(&m, 0, l), expected(op, v[l], v[32 + l], v[64 + l]));
            if (result)
                CU_ASSERT_EQUAL(machine_reg(&m, 0, (int)l, 6), v[l]);
        }
        machine_end(&m);
    }
}

static void operations_of_64_bits_have_pairs_of_registers_and_carry(void)
{
    static const char *const op[] = {"IADD.U64 R6, global14[R1], R4",
                                     "EXCH.U64 R6, global14[R1], R4",
                                     "CAS.U64 R6, global14[R1], R4, R8"};
    for (int i = 0; i < 3; i++) {
        uint32_t v[1024] = {0xffffffff, 7, 2, 1, 0xffffffff, 7};
        char *text = fl_format(KP ONE_WORD
                               "SHL R0, R0, 3\nIADD R1, R1, R0\nMVI R4, %u\nMVI R5, %u\n"
                               "MVI R8, 77\nMVI R9, 88\nGATOM.%s\nNOP.EXIT",
                               i == 2 ? 0xffffffffu : 3, i == 2 ? 7 : 1, op[i]);
        struct job *job = machine_job(TINY12, text);
        uint32_t at = machine_buffer(job, 4096, v);
        machine_param(machine_launch(job, 0, 1, 3), at);
        struct machine m = machine_load(job);
        machine_run(&m);
        CU_ASSERT_EQUAL(gpu_trap(m.gpu), TRAP_NONE);
        for (uint32_t l = 0; l < 3; l++) {
            const uint64_t old = v[2 * l] | (uint64_t)v[2 * l + 1] << 32;
            const uint64_t now = machine_word(&m, 0, 2 * l) |
                                 (uint64_t)machine_word(&m, 0, 2 * l + 1) << 32;
            const uint64_t x = 3 | UINT64_C(1) << 32, y = 77 | UINT64_C(88) << 32;
            CU_ASSERT_EQUAL(now, i == 0 ? old + x : i == 1 ? x : l == 1 ? old : y);
            CU_ASSERT_EQUAL(machine_reg(&m, 0, (int)l, 6), v[2 * l]);
            CU_ASSERT_EQUAL(machine_reg(&m, 0, (int)l, 7), v[2 * l + 1]);
        }
        machine_end(&m);
        free(text);
    }
}

static void lanes_of_one_operation_come_one_after_the_other_in_ascending_order(void)
{
    struct machine m = machine_start(TINY12, 32,
                                     KP ONE_WORD "GATOM.IADD.U32 R3, global14[R1], R0\nNOP.EXIT");
    machine_run(&m);
    for (int l = 0; l < 32; l++)
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 3), (uint32_t)(l * (l - 1) / 2));
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 496);
    machine_end(&m);
}

static void an_operation_that_traps_has_changed_nothing(void)
{
    static const struct {
        const char *text;
        enum sm_trap trap;
    } bad[] = {
        {"MVI R2, 2\nIADD R1, R1, R2\nGRED.IADD.U32 global14[R1], R1", TRAP_MISALIGNED_GLOBAL},
        {"MVI R2, 4\nIADD R1, R1, R2\nGATOM.IADD.U64 R4, global14[R1], R2", TRAP_MISALIGNED_GLOBAL},
        {"SHL R2, R0, 8\nIADD R1, R1, R2\nGATOM.EXCH.U32 R4, global14[R1], R1",
         TRAP_OUT_OF_BOUNDS_GLOBAL}}; /* lanes from 16 on */
    for (int i = 0; i < 3; i++) {
        char *text = fl_format(KP ONE_WORD "%s\nNOP.EXIT", bad[i].text);
        struct machine m = machine_start(TINY12, 32, text);
        machine_run(&m);
        CU_ASSERT_EQUAL(gpu_trap(m.gpu), bad[i].trap);
        for (uint32_t w = 0; w < 1024; w++)
            CU_ASSERT_EQUAL(machine_word(&m, 0, w), 0);
        machine_end(&m);
        free(text);
    }
}

static uint64_t cycles(const char *text)
{
    struct machine m = machine_start(TINY12, 32, text);
    machine_run(&m);
    CU_ASSERT_EQUAL(gpu_trap(m.gpu), TRAP_NONE);
    uint64_t n = gpu_cycles(m.gpu);
    machine_end(&m);
    return n;
}

static void each_lane_is_one_transaction_whatever_its_address(void)
{
    uint64_t load = cycles(KP OWN_WORD "GLD.U32 R3, global14[R1]\nNOP.EXIT"); /* two */
    CU_ASSERT_EQUAL(cycles(KP OWN_WORD "GRED.IADD.U32 global14[R1], R0\nNOP.EXIT"), load + 30 * 4);
    CU_ASSERT_EQUAL(cycles(KP OWN_WORD "GATOM.IADD.U32 R3, global14[R1], R0\nNOP.EXIT"),
                    load + 30 * 4);
    CU_ASSERT_EQUAL(cycles(KP OWN_WORD "GRED.IADD.U32 global14[R2], R0\nNOP.EXIT"), load + 30 * 4);
}

static void g2r_loads_what_its_type_says_from_a_full_offset(void)
{
    struct machine m = machine_start(
        TINY12, 32,
        KP ".shared s, 192\nMVI R1, 0x8182f3f4\nR2G.U32.U32 g[0x30], R1\nG2R.U32 R2, "
           "g[0x30]\nG2R.U8 R3, g[0xc1]\n"
           "G2R.U16 R4, g[0x61]\nG2R.S16 R5, g[0x61]\nMVI R6, 0x11111111\nMVI R7, 0x11111111\n"
           "G2R.S16 R6L, g[0x60]\nG2R.U8 R7H, g[0xc0]\nG2R.B32 R8H, g[0x30]\nMVI R9, 0x10\n"
           "R2A A1, R9\nG2R.U32.B3 R9, g[A1+0x2c]\nNOP.EXIT");
    static const uint32_t want[] = {0x8182f3f4, 0xf3,       0x8182,     0xffff8182,
                                    0x1111f3f4, 0x00f41111, 0xf3f40000, 0x8182f3f4};
    machine_run(&m);
    CU_ASSERT_EQUAL(gpu_trap(m.gpu), TRAP_NONE);
    for (int r = 2; r < 10; r++)
        CU_ASSERT_EQUAL(machine_reg(&m, 0, 7, r), want[r - 2]);
    machine_end(&m);
}

/* Z of C1 of all lanes after a vote with the predicate C0.EQ, whose lanes are `z`; lanes in `out` have ended. */
static uint32_t vote(const char *what, uint32_t z, uint32_t out)
{
    char *text = fl_format(KP "NOP\nNOP\nBRA C2.EQ, end\nVOTE.%s C1 (C0.EQ)\nend: NOP.EXIT", what);
    struct machine m = machine_start(TINY12, 32, text);
    machine_run_instructions(&m, 1);
    machine_flags(&m, 0, 0, z);
    machine_flags(&m, 0, 1, 0x0f0f0f0f);
    m.gpu->sm->s.warp[0].cc[1].s = ~0u;
    machine_flags(&m, 0, 2, out);
    machine_run(&m);
    const struct sm_cc *c = &m.gpu->sm->s.warp[0].cc[1];
    uint32_t got = c->z;
    CU_ASSERT_EQUAL(c->s, out); /* of lanes that have voted S is 0 */
    machine_end(&m);
    free(text);
    return got;
}

static void a_vote_is_over_the_active_lanes_and_answers_all_of_them(void)
{
    static const uint32_t old = 0x0f0f0f0f;
    CU_ASSERT_EQUAL(vote("ANY", 0, 0), ~0u);
    CU_ASSERT_EQUAL(vote("ANY", 1u << 31, 0), 0);
    CU_ASSERT_EQUAL(vote("ALL", ~0u, 0), 0);
    CU_ASSERT_EQUAL(vote("ALL", ~1u, 0), ~0u);
    CU_ASSERT_EQUAL(vote("ANY", 0xff, 0xff), (old & 0xff) | 0xffffff00);
    CU_ASSERT_EQUAL(vote("ALL", ~0xffu, 0xff), old & 0xff);
    CU_ASSERT_EQUAL(vote("ALL", ~0x1ffu, 0xff), (old & 0xff) | 0xffffff00);
}

#define LOCKED ".shared word, 64\nMVI R5, 0x20\nR2A A1, R5\n"

static void the_lowest_lane_gets_a_lock_and_keeps_it_until_it_unlocks(void)
{
    struct machine m = machine_start(
        TINY12, 32,
        KP LOCKED "I2I.U32.U16 R0, R0L\nMVI R1, 7\nR2G.U32.U32 s[A1], R1\n"
                  "G2R.U32.LCK.C0 R2, s[A1]\nG2R.U32.LCK.C1 R3, s[A1]\n"
                  "R2G.U32.U32.UNL s[A1] (C0.LT), R0\nG2R.U32.LCK.C2 R4, s[A1]\nNOP.EXIT");
    machine_run(&m);
    const struct sm_cc *c = m.gpu->sm->s.warp[0].cc;
    CU_ASSERT_EQUAL(gpu_trap(m.gpu), TRAP_NONE);
    CU_ASSERT(c[0].s == 1 && c[0].z == 0 && c[0].o == 0);
    CU_ASSERT_EQUAL(c[1].s, 0);
    CU_ASSERT_EQUAL(c[2].s, 1);
    for (int l = 0; l < 32; l++) { /* the value comes with or without the lock */
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 3), 7);
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 4), 0);
    }
    machine_end(&m);
}

static void all_threads_add_under_a_lock(void)
{
    struct machine m = machine_start(
        TINY12, 64,
        KP LOCKED "I2I.U32.U16 R0, R0L\nBAR.ARV.WAIT b0, 0xfff\nPBK end\n"
                  "again: G2R.U32.LCK.C0 R2, s[A1]\nIADD R2 (C0.LT), R2, R0\n"
                  "R2G.U32.U32.UNL s[A1] (C0.LT), R2\nBRK C0.LT\nBRA again\nend: NOP\n"
                  "BAR.ARV.WAIT b0, 0xfff\nMOV R3, s[A1]\nMOV R1, s[p]\n"
                  "GST.U32 global14[R1], R3\nNOP.EXIT");
    machine_run(&m);
    CU_ASSERT_EQUAL(gpu_trap(m.gpu), TRAP_NONE);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 64 * 63 / 2);
    machine_end(&m);
}

static void a_block_starts_with_free_locks(void)
{
    struct job *job = machine_job(TINY12,
                                  KP LOCKED "G2R.U32.LCK.C0 R2, s[A1]\nMOV R1, s[p]\n"
                                            "MVI R2, 1\nGRED.IADD.U32 global14[R1] (C0.LT), R2\n"
                                            "NOP.EXIT");
    uint32_t at = machine_buffer(job, 4096, NULL);
    machine_param(machine_launch(job, 0, 3, 32), at);
    struct machine m = machine_load(job);
    machine_run(&m);
    CU_ASSERT_EQUAL(gpu_trap(m.gpu), TRAP_NONE);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 3);
    machine_end(&m);
}

static void a_machine_below_1_2_has_no_locks(void)
{
    const char *const profile[] = {"tiny", "g92", TINY12};
    for (int i = 0; i < 3; i++) {
        struct sm_structure s;
        struct machine m = machine_start(profile[i], 32, KP "NOP.EXIT");
        sm_structure_get(m.img, SM_S_lock, &s);
        CU_ASSERT_EQUAL(sm_structure_bits(&s), i < 2 ? 0 : m.img->profile.shared_bytes / 4);
        machine_end(&m);
    }
}

static const char *const chips[] = {CHIP12, DATA "chip12-caches.xml"};

/* Each thread takes a ticket and counts in the word of that ticket, six blocks of 32 threads. */
static void threads_of_a_chip_draw_different_tickets(void)
{
    for (int i = 0; i < 3; i++) {
        struct job *job = machine_job(
            chips[i > 0], KP
            "MVI R4, 0xffff\nMVI R5, 1\nMVI R6, 4\nMOV R2, s[p]\n"
            "GATOM.INC.U32 R3, global14[R2], R4\nSHL R3, R3, 2\nIADD R3, R3, R2\nIADD R3, R3, R6\n"
            "GRED.IADD.U32 global14[R3], R5\nNOP.EXIT");
        uint32_t at = machine_buffer(job, 4096, NULL);
        job->profile.cache_model = i == 2 ? CACHE_MODEL_GPUFI : CACHE_MODEL_REAL;
        machine_param(machine_launch(job, 0, 6, 32), at);
        struct machine m = machine_load(job);
        machine_run(&m);
        CU_ASSERT_EQUAL(gpu_trap(m.gpu), TRAP_NONE);
        CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 192);
        for (uint32_t t = 0; t < 192; t++)
            CU_ASSERT_EQUAL(machine_word(&m, 0, 1 + t), 1);
        CU_ASSERT_EQUAL(machine_word(&m, 0, 193), 0);
        machine_end(&m);
    }
}

/* The word is in L1, changes where all SMs share it, and is loaded again. */
static void an_operation_drops_the_line_of_the_sm(void)
{
    struct machine m = machine_start(chips[1], 32,
                                     KP ONE_WORD
                                     "GLD.U32 R3, global14[R1]\nGRED.IADD.U32 global14[R1], R0\n"
                                     "GLD.U32 R4, global14[R1]\nNOP.EXIT");
    machine_run(&m);
    CU_ASSERT_EQUAL(gpu_trap(m.gpu), TRAP_NONE);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 3, 3), 0);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 3, 4), 496);
    machine_end(&m);
}

int main(void)
{
    return CHECK_RUN(
        "atomics", CHECK(an_operation_makes_what_the_reference_says_and_gives_the_old_value),
        CHECK(operations_of_64_bits_have_pairs_of_registers_and_carry),
        CHECK(lanes_of_one_operation_come_one_after_the_other_in_ascending_order),
        CHECK(an_operation_that_traps_has_changed_nothing),
        CHECK(each_lane_is_one_transaction_whatever_its_address),
        CHECK(g2r_loads_what_its_type_says_from_a_full_offset),
        CHECK(a_vote_is_over_the_active_lanes_and_answers_all_of_them),
        CHECK(the_lowest_lane_gets_a_lock_and_keeps_it_until_it_unlocks),
        CHECK(all_threads_add_under_a_lock), CHECK(a_block_starts_with_free_locks),
        CHECK(a_machine_below_1_2_has_no_locks), CHECK(threads_of_a_chip_draw_different_tickets),
        CHECK(an_operation_drops_the_line_of_the_sm));
}
