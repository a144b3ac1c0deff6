/* test_sm.c -- the machine around the divergence stack: pipeline and memory timing, blocks and
 * barriers, memories, traps, and what is done with whole machines (copy, compare, hash, force).
 *
 * Cycle numbers come from docs/machine.md, "Timing".
 */
#include "tests/lib/check.h"

#include "tests/lib/machine.h"

#define K   ".kernel k\n"
#define TID "I2I.U32.U16 R0, R0L\n" /* R0 = tid.x */
#define ALL 0xffffffffu

static struct machine run(const char *profile, uint32_t threads, const char *text)
{
    struct machine m = machine_start(profile, threads, text);
    machine_run(&m);
    return m;
}

/* Commit cycle of instruction n of a warp. */
static uint64_t cycle_of(const struct machine *m, int warp, int n)
{
    const struct sm_commit *c = machine_commit(m, warp, COMMIT_INSTRUCTION, n);
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    return c->cycle;
}

/* Cycles between instruction n of warp 0 and the one before it. */
static uint64_t took(const struct machine *m, int n)
{
    return cycle_of(m, 0, n) - cycle_of(m, 0, n - 1);
}

/* ---- pipeline ---- */

static struct machine start_with_sps(int sps, uint32_t threads, const char *text)
{
    struct job *job = machine_job("g80", text);
    job->profile.sps = sps;
    machine_launch(job, 0, 1, threads);
    return machine_load(job);
}

static const char six_nops[] = K "NOP\nNOP\nNOP\nNOP\nNOP\nNOP.EXIT";

static void a_lone_warp_commits_one_instruction_in_five_slots(void)
{
    for (int sps = 8; sps <= 32; sps *= 2) {
        struct machine m = start_with_sps(sps, 32, six_nops);
        uint64_t slot = 32 / (uint64_t)sps;
        machine_run(&m);
        for (int i = 0; i < 6; i++)
            CU_ASSERT_EQUAL(cycle_of(&m, 0, i), 6 * slot - 1 + 5 * slot * (uint64_t)i);
        CU_ASSERT_EQUAL(sm_cycles(m.sm), 31 * slot);
        machine_end(&m);
    }
}

static void five_warps_commit_one_instruction_in_every_slot(void)
{
    for (int sps = 8; sps <= 32; sps *= 2) {
        struct machine m = start_with_sps(sps, 5 * 32, six_nops);
        uint64_t slot = 32 / (uint64_t)sps;
        machine_run(&m);
        for (int i = 0; i < 30; i++) {
            const struct sm_commit *c = machine_commit(&m, -1, COMMIT_INSTRUCTION, i);
            CU_ASSERT_PTR_NOT_NULL_FATAL(c);
            CU_ASSERT_EQUAL(c->cycle, (6 + (uint64_t)i) * slot - 1);
            CU_ASSERT_EQUAL(c->warp, i % 5);
        }
        machine_end(&m);
    }
}

static void warps_take_turns(void)
{
    struct machine m = start_with_sps(8, 7 * 32, six_nops);
    machine_run(&m);
    for (int i = 0; i < 42; i++) {
        const struct sm_commit *c = machine_commit(&m, -1, COMMIT_INSTRUCTION, i);
        CU_ASSERT_PTR_NOT_NULL_FATAL(c);
        CU_ASSERT_EQUAL(c->warp, i % 7);
    }
    machine_end(&m);
}

static void effects_happen_in_the_write_back_cycle(void)
{
    struct machine m = machine_start("g80", 32, K "MVI R1, 7\nNOP.EXIT");
    sm_run(m.sm, 23);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 3, 1), 0);
    sm_run(m.sm, 24);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 3, 1), 7);
    CU_ASSERT_EQUAL(m.sm->s.warp[0].pc, 8);
    sm_run(m.sm, 43);
    CU_ASSERT_FALSE(m.sm->s.done);
    sm_run(m.sm, 44);
    CU_ASSERT(m.sm->s.done);
    CU_ASSERT_EQUAL(sm_cycles(m.sm), 44);
    machine_end(&m);
}

static void sm_step_stops_at_each_commit(void)
{
    struct machine m = machine_start("g80", 32, K "NOP\nNOP.EXIT");
    struct sm_commit r;
    memset(&r, 0, sizeof r);
    m.sm->record = &r;
    sm_step(m.sm);
    CU_ASSERT_EQUAL(r.started, 0);
    sm_step(m.sm);
    CU_ASSERT_EQUAL(r.kind, COMMIT_INSTRUCTION);
    CU_ASSERT_EQUAL(r.cycle, 23);
    sm_step(m.sm);
    CU_ASSERT_EQUAL(r.cycle, 43);
    CU_ASSERT(r.ended);
    CU_ASSERT(sm_ended(m.sm));
    machine_end(&m);
}

static void special_functions_take_their_own_time_in_execute(void)
{
    struct machine m = run("g80", 32, K "NOP\nRCP R1, R0\nNOP\nRRO R1, R0, SINCOS\nNOP.EXIT");
    CU_ASSERT_EQUAL(took(&m, 1), 20 + 16 - 4);
    CU_ASSERT_EQUAL(took(&m, 2), 20);
    CU_ASSERT_EQUAL(took(&m, 3), 20);
    machine_end(&m);
}

static void an_instruction_that_is_longer_in_execute_holds_all_others(void)
{
    /* Two warps: warp 0 is in Write-back while warp 1 spends its 16 cycles in Execute, and waits
     * for it. */
    struct machine m = run("g80", 64, K "NOP\nRCP R1, R0\nNOP\nNOP.EXIT");
    CU_ASSERT_EQUAL(cycle_of(&m, 1, 0) - cycle_of(&m, 0, 0), 4);
    CU_ASSERT_EQUAL(cycle_of(&m, 0, 1) - cycle_of(&m, 0, 0), 20 + 12 + 12);
    CU_ASSERT_EQUAL(cycle_of(&m, 1, 1) - cycle_of(&m, 0, 1), 4);
    CU_ASSERT_EQUAL(cycle_of(&m, 0, 2) - cycle_of(&m, 0, 1), 20);
    machine_end(&m);
}

/* ---- time of shared and constant operands ---- */

/* Extra cycles of `MOV R2, s[A1]` when lane l addresses byte `stride * l`. */
static uint64_t shared_extra(uint32_t stride, const char *access)
{
    char *text = fl_format(K ".regs 4\n.shared a, 8192\n" TID "IMUL.U16.U16 R1, R0L, R2L\n"
                             "R2A A1, R1\nNOP\n%s\nNOP.EXIT",
                           access);
    struct machine m = machine_start("g80", 32, text);
    for (int l = 0; l < 32; l++)
        m.sm->s.rf[2 * 32 + l] = stride;
    machine_run(&m);
    ASSERT_FINISHED(m);
    uint64_t extra = took(&m, 4) - 20;
    machine_end(&m);
    free(text);
    return extra;
}

static void bank_conflicts_of_a_half_warp_serialise(void)
{
    static const struct {
        uint32_t stride;
        uint64_t extra;
    } want[] = {{0, 0}, {4, 0}, {8, 4}, {12, 0}, {16, 12}, {32, 28}, {64, 60}, {68, 0}, {128, 60}};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        CU_ASSERT_EQUAL(shared_extra(want[i].stride, "MOV R3, s[A1]"), want[i].extra);
}

static void bank_conflicts_count_for_stores_and_arithmetic_too(void)
{
    CU_ASSERT_EQUAL(shared_extra(64, "R2G.U32.U32 s[A1], R3"), 60);
    CU_ASSERT_EQUAL(shared_extra(64, "IADD R3, s[A1], R3"), 60);
}

static void lanes_that_share_a_word_are_served_together(void)
{
    CU_ASSERT_EQUAL(shared_extra(1, "R2G.U32.U8 s[A1], R3"), 0);
    CU_ASSERT_EQUAL(shared_extra(2, "R2G.U32.U16 s[A1], R3"), 0);
}

static void only_executing_lanes_conflict(void)
{
    struct machine m = machine_start("g80", 32,
                                     K ".shared a, 4096\n" TID "SHL R1, R0, 6\nR2A A1, R1\nNOP\n"
                                       "MOV R2 (C0.EQ), s[A1]\nMOV R2 (C1.EQ), s[A1]\nNOP.EXIT");
    machine_flags(&m, 0, 0, 0x00070003); /* two lanes in one half, three in the other */
    machine_flags(&m, 0, 1, 0);
    machine_run(&m);
    CU_ASSERT_EQUAL(took(&m, 4) - 20, 2 * 1 + 2 * 2);
    CU_ASSERT_EQUAL(took(&m, 5) - 20, 0);
    machine_end(&m);
}

static void an_operand_without_address_register_costs_nothing(void)
{
    struct machine m = run("g80", 32,
                           K ".const C, u32, 1\nNOP\nIADD R1, s[0x4], R1\nMVC R2, c1[C]\nNOP.EXIT");
    CU_ASSERT_EQUAL(took(&m, 1), 20);
    CU_ASSERT_EQUAL(took(&m, 2), 20);
    machine_end(&m);
}

static void distinct_constant_addresses_serialise(void)
{
    static const uint32_t mask[] = {0, 4, 0xc, 0x7c, 0x3c}; /* of the byte address of lane l: 4 l */
    for (size_t i = 0; i < sizeof mask / sizeof *mask; i++) {
        char *text = fl_format(K ".const C, u32, 0\n" TID "SHL R1, R0, 2\nMVI R2, 0x%x\n"
                                 "LOP.AND R1, R1, R2\nR2A A1, R1\nNOP\nMVC R3, c1[A1]\nNOP.EXIT",
                               mask[i]);
        struct job *job = machine_job("g80", text);
        uint32_t table[32];
        for (uint32_t k = 0; k < 32; k++)
            table[k] = 100 + k;
        machine_const(job, 1, table, sizeof table);
        machine_launch(job, 0, 1, 32);
        struct machine m = machine_load(job);
        machine_run(&m);
        uint64_t distinct = 1u << __builtin_popcount(mask[i]);
        CU_ASSERT_EQUAL(took(&m, 6) - 20, (distinct - 1) * 4);
        for (uint32_t l = 0; l < 32; l++)
            CU_ASSERT_EQUAL(machine_reg(&m, 0, (int)l, 3), 100 + (l & mask[i] / 4));
        machine_end(&m);
        free(text);
    }
}

/* ---- time of global and local memory ---- */

/* Cycles that one access takes beyond the 20 of an addition; R1 = buffer + plus + stride * lane,
 * swapped lanes 0, 1. */
static uint64_t global_extra(uint32_t plus, uint32_t stride, bool swap, uint32_t lanes,
                             const char *access)
{
    char *text = fl_format(K ".regs 12\n.param ptr p\nNOP\n%s\nNOP.EXIT", access);
    struct machine m = machine_start("g80", 32, text);
    sm_tick(m.sm);
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t k = swap && l < 2 ? 1 - l : l;
        m.sm->s.rf[32 + l] = m.job->buffer[0].addr + plus + stride * k;
    }
    machine_flags(&m, 0, 0, lanes);
    machine_run(&m);
    ASSERT_FINISHED(m);
    uint64_t extra = took(&m, 1) - 20;
    machine_end(&m);
    free(text);
    return extra;
}

static uint64_t transactions(uint32_t n)
{
    return 400 + 4 * (uint64_t)n;
}

static void coalesced_words_take_one_transaction_a_half_warp(void)
{
    CU_ASSERT_EQUAL(global_extra(0, 4, false, ALL, "GLD.U32 R4, global14[R1]"), transactions(2));
    CU_ASSERT_EQUAL(global_extra(256, 4, false, ALL, "GST.U32 global14[R1], R4"), transactions(2));
    CU_ASSERT_EQUAL(global_extra(64, 4, false, ALL, "GLD.U32 R4, global14[R1]"), transactions(2));
    CU_ASSERT_EQUAL(global_extra(0, 8, false, ALL, "GLD.S64 R4, global14[R1]"), transactions(2));
    CU_ASSERT_EQUAL(global_extra(0, 16, false, ALL, "GLD.S128 R4, global14[R1]"), transactions(4));
}

static void anything_else_takes_one_transaction_a_lane(void)
{
    CU_ASSERT_EQUAL(global_extra(4, 4, false, ALL, "GLD.U32 R4, global14[R1]"), transactions(32));
    CU_ASSERT_EQUAL(global_extra(0, 8, false, ALL, "GLD.U32 R4, global14[R1]"), transactions(32));
    CU_ASSERT_EQUAL(global_extra(0, 0, false, ALL, "GLD.U32 R4, global14[R1]"), transactions(32));
    CU_ASSERT_EQUAL(global_extra(64, 8, false, ALL, "GLD.S64 R4, global14[R1]"), transactions(32));
    CU_ASSERT_EQUAL(global_extra(0, 1, false, ALL, "GLD.U8 R4, global14[R1]"), transactions(32));
    CU_ASSERT_EQUAL(global_extra(0, 2, false, ALL, "GST.U16 global14[R1], R4"), transactions(32));
    CU_ASSERT_EQUAL(global_extra(0, 4, true, ALL, "GLD.U32 R4, global14[R1]"), transactions(17));
}

static void each_half_warp_is_counted_over_its_executing_lanes(void)
{
    const char *load = "GLD.U32 R4 (C0.EQ), global14[R1]";
    CU_ASSERT_EQUAL(global_extra(0, 4, false, 0x0000aaaa, load), transactions(1));
    CU_ASSERT_EQUAL(global_extra(0, 4, false, 0x80000001, load), transactions(2));
    CU_ASSERT_EQUAL(global_extra(0, 4, true, 0xffff0007, load), transactions(3 + 1));
    CU_ASSERT_EQUAL(global_extra(0, 8, false, 0x00070000, load), transactions(3));
}

static void an_access_that_no_lane_executes_is_an_instruction_like_others(void)
{
    CU_ASSERT_EQUAL(global_extra(0, 4, false, 0, "GLD.U32 R4 (C0.EQ), global14[R1]"), 0);
}

static void equal_local_offsets_are_coalesced(void)
{
    struct machine m = run(
        "g80", 32,
        K ".local 256\n" TID "SHL R1, R0, 2\nR2A A1, R1\nNOP\nLST.U32 local[8], R1\n"
          "LST.U32 local[A1], R1\nLLD.S64 R2, local[8]\nLLD.S128 R4, local[0x10]\n"
          "NOP.EXIT");
    CU_ASSERT_EQUAL(took(&m, 4) - 20, transactions(2));
    CU_ASSERT_EQUAL(took(&m, 5) - 20, transactions(32));
    CU_ASSERT_EQUAL(took(&m, 6) - 20, transactions(2));
    CU_ASSERT_EQUAL(took(&m, 7) - 20, transactions(4));
    machine_end(&m);
}

static void the_memory_port_takes_one_request_after_the_other(void)
{
    /* four warps, each with 32 transactions: answers 128 cycles apart, in order */
    struct machine m = run("g80", 128,
                           K ".param ptr p\nMOV R1, s[p]\nGLD.U32 R2, global14[R1]\nNOP.EXIT");
    for (int w = 1; w < 4; w++)
        CU_ASSERT_EQUAL(cycle_of(&m, w, 1) - cycle_of(&m, w - 1, 1), 128);
    machine_end(&m);
}

static void an_answer_goes_first_and_execute_waits_one_beat(void)
{
    /* Warp 0 loads; five warps keep Write-back busy in every slot, before, while and after the
     * answer comes. */
    struct fl_buf b = {0};
    fl_buf_printf(&b,
                  K ".param ptr p\nMOV R1, s[p]\nMOV R2, R0L\nBRA C0.NE, busy\n"
                    "GLD.U32 R2, global14[R1]\nNOP.EXIT\nbusy: .rept 200\nNOP\n.endr\nNOP.EXIT");
    fl_buf_add(&b, "", 1);
    char *text = (char *)b.data;
    char *at = strstr(text, "MOV R2, R0L");
    memcpy(at, "NOP        ", 11);
    struct machine m = machine_start("g80", 6 * 32, text);
    machine_flags(&m, 0, 0, ALL); /* warp 0 alone does not branch */
    machine_run(&m);
    ASSERT_FINISHED(m);
    const struct sm_commit *load = machine_commit(&m, 0, COMMIT_INSTRUCTION, 3);
    CU_ASSERT_PTR_NOT_NULL_FATAL(load);
    CU_ASSERT_EQUAL(load->nregs, 1);
    int at_load = (int)(load - m.log);
    CU_ASSERT_EQUAL(m.log[at_load].cycle - m.log[at_load - 1].cycle, 4);
    CU_ASSERT_EQUAL(m.log[at_load + 1].cycle - m.log[at_load].cycle, 4);
    /* the five take turns with the answer between two of them */
    CU_ASSERT_EQUAL(m.log[at_load + 1].warp, m.log[at_load - 1].warp % 5 + 1);
    machine_end(&m);
    fl_buf_free(&b);
}

/* ---- barriers ---- */

static void a_barrier_holds_until_every_warp_has_arrived(void)
{
    struct machine m = machine_start("g80", 96,
                                     K "BRA C0.EQ, go\n.rept 40\nNOP\n.endr\n"
                                       "go: BAR.ARV.WAIT b0, 0xfff\nNOP.EXIT");
    machine_flags(&m, 0, 0, ALL);
    machine_flags(&m, 1, 0, ALL); /* warp 2 comes late */
    machine_run(&m);
    ASSERT_FINISHED(m);
    uint64_t late = cycle_of(&m, 2, 41);
    CU_ASSERT(cycle_of(&m, 0, 1) < late);
    CU_ASSERT(cycle_of(&m, 0, 2) > late);
    CU_ASSERT(cycle_of(&m, 1, 2) > late);
    machine_end(&m);
}

static void a_warp_that_ends_counts_as_arrived(void)
{
    struct machine m = machine_start("g80", 96,
                                     K "BRA C0.EQ, go\n.rept 40\nNOP\n.endr\nNOP.EXIT\n"
                                       "go: BAR.ARV.WAIT b3, 0xfff\nNOP.EXIT");
    machine_flags(&m, 0, 0, ALL);
    machine_flags(&m, 1, 0, ALL); /* warp 2 ends while the others wait */
    machine_run(&m);
    ASSERT_FINISHED(m);
    CU_ASSERT(cycle_of(&m, 0, 2) > cycle_of(&m, 2, 41));
    machine_end(&m);
    /* and when it has ended before they come */
    m = machine_start("g80", 96,
                      K "BRA C0.EQ, go\nNOP.EXIT\ngo: .rept 40\nNOP\n.endr\n"
                        "BAR.ARV.WAIT b3, 0xfff\nNOP.EXIT");
    machine_flags(&m, 0, 0, ALL);
    machine_flags(&m, 1, 0, ALL);
    machine_run(&m);
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void arriving_does_not_wait(void)
{
    struct machine m = machine_start("g80", 64,
                                     K "BRA C0.EQ, w\nBAR.ARV b1, 0xfff\nNOP\nNOP.EXIT\n"
                                       "w: .rept 20\nNOP\n.endr\nBAR.ARV.WAIT b1, 0xfff\nNOP.EXIT");
    machine_flags(&m, 1, 0, ALL);
    machine_run(&m);
    ASSERT_FINISHED(m);
    CU_ASSERT(cycle_of(&m, 0, 3) < cycle_of(&m, 1, 21));
    CU_ASSERT_EQUAL(cycle_of(&m, 1, 22) - cycle_of(&m, 1, 21), 20);
    machine_end(&m);
}

static void barriers_can_be_used_again(void)
{
    struct machine m = run("g80", 128,
                           K "MVI R2, 9\nloop: BAR.ARV.WAIT b0, 0xfff\nBAR.ARV.WAIT b15, 0xfff\n"
                             "IADD32I R1, R1, 1\nISET.C0 o[0x7f], R1, R2, NE\nBRA C0.NE, loop\n"
                             "NOP.EXIT");
    ASSERT_FINISHED(m);
    for (int w = 0; w < 4; w++)
        CU_ASSERT_EQUAL(machine_reg(&m, w, 31, 1), 9);
    machine_end(&m);
}

static void a_barrier_holds_every_time_it_is_used(void)
{
    /* warp 1 comes late each time; warp 0 passes behind it each time */
    struct machine m = machine_start("g80", 64,
                                     K "MVI R2, 3\nloop: BRA C1.EQ, go\n.rept 20\nNOP\n.endr\n"
                                       "go: BAR.ARV.WAIT b0, 0xfff\nIADD32I R1, R1, 1\n"
                                       "ISET.C0 o[0x7f], R1, R2, NE\nBRA C0.NE, loop\nNOP.EXIT");
    machine_flags(&m, 0, 1, ALL);
    machine_run(&m);
    ASSERT_FINISHED(m);
    for (int turn = 0; turn < 3; turn++)
        CU_ASSERT(cycle_of(&m, 0, 3 + 5 * turn) > cycle_of(&m, 1, 22 + 25 * turn));
    machine_end(&m);
}

static void a_barrier_ignores_its_predicate(void)
{
    struct machine m = run("g80", 64, K "BAR.ARV.WAIT C0.EQ, b0, 0xfff\nNOP.EXIT");
    ASSERT_FINISHED(m);
    CU_ASSERT(cycle_of(&m, 0, 1) > cycle_of(&m, 1, 0));
    machine_end(&m);
}

static void barriers_are_per_block(void)
{
    /* two blocks of one warp each: neither waits for the other */
    struct job *job = machine_job("tiny", K "BAR.ARV.WAIT b0, 0xfff\nNOP.EXIT");
    machine_launch(job, 0, 2, 32);
    struct machine m = machine_load(job);
    machine_run(&m);
    ASSERT_FINISHED(m);
    CU_ASSERT_EQUAL(cycle_of(&m, 0, 1) - cycle_of(&m, 0, 0), 20);
    machine_end(&m);
}

static void warps_that_wait_for_each_other_are_a_deadlock(void)
{
    struct machine m = machine_start("g80", 64,
                                     K "BRA C0.EQ, other\nBAR.ARV.WAIT b0, 0xfff\nNOP.EXIT\n"
                                       "other: BAR.ARV.WAIT b1, 0xfff\nNOP.EXIT");
    machine_flags(&m, 1, 0, ALL);
    machine_run(&m);
    CU_ASSERT(m.sm->s.deadlock);
    CU_ASSERT(sm_ended(m.sm));
    CU_ASSERT_FALSE(m.sm->s.done);
    CU_ASSERT_EQUAL(m.sm->s.trap, TRAP_NONE);
    machine_end(&m);
    m = run("g80", 32, K "BAR.WAIT b0, 0xfff\nNOP.EXIT"); /* nobody ever arrives */
    CU_ASSERT(m.sm->s.deadlock);
    machine_end(&m);
}

/* ---- blocks and launches ---- */

/* A kernel of `threads` that never ends; how many blocks of it are resident. */
static int resident(const char *profile, uint32_t threads, int regs, uint32_t shared)
{
    char *text = fl_format(K ".regs %d\nloop: BRA loop", regs);
    struct job *job = machine_job(profile, text);
    machine_launch(job, 0, 100, threads)->shared = shared;
    struct machine m = machine_load(job);
    sm_run(m.sm, 500);
    int n = 0;
    for (int i = 0; i < SM_MAX_BLOCKS; i++)
        n += m.sm->s.block[i].live;
    CU_ASSERT_EQUAL(m.sm->s.next_block, (uint32_t)n);
    machine_end(&m);
    free(text);
    return n;
}

static void residency_ends_with_the_scarcest_resource(void)
{
    CU_ASSERT_EQUAL(resident("g80", 32, 1, 0), 8);  /* blocks */
    CU_ASSERT_EQUAL(resident("g80", 256, 1, 0), 3); /* threads and warps */
    CU_ASSERT_EQUAL(resident("g80", 97, 1, 0), 6);  /* warps: four each */
    CU_ASSERT_EQUAL(resident("g80", 64, 32, 0), 4); /* registers */
    CU_ASSERT_EQUAL(resident("g80", 64, 33, 0), 3); /* registers */
    CU_ASSERT_EQUAL(resident("g80", 32, 1, 4096),
                    3); /* shared memory: a header more than a quarter */
    CU_ASSERT_EQUAL(resident("g80", 32, 1, 4080), 4);
    CU_ASSERT_EQUAL(resident("tiny", 64, 1, 0), 1);
    CU_ASSERT_EQUAL(resident("tiny", 32, 1, 0), 2);
}

static void resident_threads_are_limited_by_themselves(void)
{
    struct job *job = machine_job("g80", K "loop: BRA loop");
    job->profile.threads_per_sm = 200;
    machine_launch(job, 0, 9, 60);
    struct machine m = machine_load(job);
    sm_run(m.sm, 500);
    CU_ASSERT_EQUAL(m.sm->s.next_block, 3);
    machine_end(&m);
}

/* Every block writes its number + 1 to word `block` of the buffer; blocks with an odd number
 * take longer. */
static const char numbered[] = K ".param ptr p\n" TID "I2I.U32.U16 R1, s[0xc].U16\n"
                                 "I2I.U32.U16 R4, s[0xe].U16\nI2I.U32.U16 R5, s[8].U16\n"
                                 "IMUL.U16.U16 R4, R4L, R5L\nIADD R1, R1, R4\n"
                                 "SHL R2, R1, 2\nIADD R2, s[p], R2\nIADD32I R1, R1, 1\n"
                                 "MVI R3, 1\nLOP.AND.C0 o[0x7f], R1, R3\nBRA C0.NE, quick\n"
                                 ".rept 60\nNOP\n.endr\n"
                                 "quick: GST.EXIT.U32 global14[R2], R1";

static struct machine load_grid(const char *profile, const char *text, uint32_t x, uint32_t y,
                                uint32_t threads)
{
    struct job *job = machine_job(profile, text);
    uint32_t addr = machine_buffer(job, 4096, NULL);
    struct job_launch *l = machine_launch(job, 0, x, threads);
    l->grid[1] = y;
    machine_param(l, addr);
    return machine_load(job);
}

static void a_grid_larger_than_the_machine_runs_all_its_blocks_once_and_in_order(void)
{
    static const struct {
        const char *profile;
        uint32_t x, y, threads;
    } grid[] = {{"tiny", 9, 1, 64}, {"tiny", 5, 3, 32}, {"g80", 40, 2, 96}, {"g80", 1, 50, 512}};
    for (size_t i = 0; i < sizeof grid / sizeof *grid; i++) {
        struct machine m = load_grid(grid[i].profile, numbered, grid[i].x, grid[i].y,
                                     grid[i].threads);
        machine_run(&m);
        ASSERT_FINISHED(m);
        uint32_t blocks = grid[i].x * grid[i].y;
        for (uint32_t b = 0; b < blocks; b++)
            CU_ASSERT_EQUAL(machine_word(&m, 0, b), b + 1);
        CU_ASSERT_EQUAL(machine_word(&m, 0, blocks), 0);
        CU_ASSERT_EQUAL(m.sm->s.next_block, blocks);
        CU_ASSERT_EQUAL(m.sm->s.ended_blocks, blocks);
        machine_end(&m);
    }
}

static void a_block_starts_in_the_lowest_free_slots(void)
{
    /* blocks 0..7 of one warp; block 3 alone is quick: block 8 starts in its place */
    struct job *job = machine_job("g80", K ".regs 4\nI2I.U32.U16 R1, s[0xc].U16\nMVI R2, 3\n"
                                           "ISET.C0 o[0x7f], R1, R2, NE\nBRA C0.EQ, quick\n"
                                           ".rept 50\nNOP\n.endr\nquick: NOP.EXIT");
    machine_launch(job, 0, 9, 32);
    struct machine m = machine_load(job);
    while (!sm_ended(m.sm) && m.sm->s.next_block < 9)
        sm_tick(m.sm);
    const struct sm_block *b = NULL;
    for (int i = 0; i < SM_MAX_BLOCKS; i++)
        if (m.sm->s.block[i].live && m.sm->s.block[i].x == 8)
            b = &m.sm->s.block[i];
    CU_ASSERT_PTR_NOT_NULL_FATAL(b);
    CU_ASSERT_EQUAL(b->warp0, 3);
    CU_ASSERT_EQUAL(b->reg0, 3 * 32 * 4);
    CU_ASSERT_EQUAL(b->shared0, 3 * 16);
    machine_end(&m);
}

static void one_block_starts_in_a_slot(void)
{
    struct job *job = machine_job("g80", K "NOP\nNOP.EXIT");
    machine_launch(job, 0, 4, 32);
    struct machine m = machine_load(job);
    machine_run(&m);
    for (int i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(m.log[i].started, i);
        CU_ASSERT_EQUAL(m.log[i].cycle, 3 + 4 * (uint64_t)i);
        CU_ASSERT_EQUAL(cycle_of(&m, i, 0), 23 + 4 * (uint64_t)i);
    }
    machine_end(&m);
}

static void launches_run_one_after_the_other_on_one_memory(void)
{
    struct job *job = machine_job("tiny", ".kernel add\n.param ptr p\nMOV R1, s[p]\n"
                                          "GLD.U32 R2, global14[R1]\nIADD32I R2, R2, 5\n"
                                          "GST.EXIT.U32 global14[R1], R2\n"
                                          ".kernel double\n.param ptr p\nMOV R1, s[p]\n"
                                          "GLD.U32 R2, global14[R1]\nSHL R2, R2, 1\n"
                                          "GST.EXIT.U32 global14[R1], R2");
    uint32_t addr = machine_buffer(job, 64, NULL);
    for (int i = 0; i < 4; i++)
        machine_param(machine_launch(job, i & 1, 1, 32), addr);
    struct machine m = machine_load(job);
    machine_run(&m);
    ASSERT_FINISHED(m);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), ((0 + 5) * 2 + 5) * 2);
    /* the block of a launch starts in the cycle in which the one before ends */
    for (int i = 1; i < m.nlog; i++)
        if (m.log[i].started >= 0)
            CU_ASSERT(m.log[i].kind == COMMIT_INSTRUCTION && m.log[i].ended);
    machine_end(&m);
}

static void registers_flags_and_shared_memory_keep_what_the_last_block_left(void)
{
    struct job *job = machine_job("tiny", ".kernel a\n.regs 4\n.shared x, 64\nMVI R3, 0x77\n"
                                          "R2G.U32.U32 s[0x40], R3\nR2A A2, R3\n"
                                          "ISET.C1 o[0x7f], R3, R3, EQ\nNOP.EXIT\n"
                                          ".kernel b\n.regs 4\n.shared x, 64\nMOV R2, s[0x40]\n"
                                          "MOV R1 (C1.NE), R3\nA2R R0, A2\nNOP.EXIT");
    machine_launch(job, 0, 1, 32);
    machine_launch(job, 1, 1, 32);
    struct machine m = machine_load(job);
    machine_run(&m);
    ASSERT_FINISHED(m);
    for (int r = 0; r < 4; r++)
        CU_ASSERT_EQUAL(machine_reg(&m, 0, 31, r), 0x77);
    machine_end(&m);
}

static void everything_is_zero_at_the_start_of_a_job(void)
{
    struct machine m = machine_start("g80", 32,
                                     K ".regs 8\n.shared x, 32\nMOV R2, s[0x28]\n"
                                       "A2R R3, A1\nC2R R4, C3\nNOP.EXIT");
    for (int r = 1; r < 8; r++)
        CU_ASSERT_EQUAL(machine_reg(&m, 0, 5, r), 0);
    machine_run(&m);
    for (int r = 1; r < 8; r++)
        CU_ASSERT_EQUAL(machine_reg(&m, 0, 5, r), 0);
    machine_end(&m);
}

static void r0_holds_the_thread(void)
{
    struct job *job = machine_job("g80", K ".regs 1\nNOP.EXIT");
    struct job_launch *l = machine_launch(job, 0, 1, 6);
    l->block[1] = 5;
    l->block[2] = 3; /* 90 threads: three warps */
    struct machine m = machine_load(job);
    machine_run(&m);
    for (uint32_t t = 0; t < 96; t++) {
        uint32_t want = t < 90 ? t % 6 | t / 6 % 5 << 16 | t / 30 << 26 : 0;
        CU_ASSERT_EQUAL(machine_reg(&m, (int)t / 32, (int)t % 32, 0), want);
    }
    machine_end(&m);
}

static void shared_memory_begins_with_the_launch_and_the_parameters(void)
{
    struct job *job = machine_job("g80", ".kernel a\nNOP.EXIT\n"
                                         ".kernel k\n.param u32 x\n.param u32 y\n.shared z, 16\n"
                                         "loop: BRA loop");
    machine_launch(job, 0, 1, 32);
    struct job_launch *l = machine_launch(job, 1, 3, 8);
    l->grid[1] = 2;
    l->block[1] = 4;
    l->block[2] = 2;
    machine_param(l, 0x11223344);
    machine_param(l, 0xaabbccdd);
    struct machine m = machine_load(job);
    sm_run(m.sm, 200);
    const struct sm_block *b = &m.sm->s.block[4];
    CU_ASSERT_EQUAL(b->x, 1);
    CU_ASSERT_EQUAL(b->y, 1);
    CU_ASSERT_EQUAL(b->shared, 0x30);
    uint16_t header[8], want[8] = {1, 8, 4, 2, 3, 2, 1, 1};
    uint32_t param[2];
    memcpy(header, &m.sm->s.shared[b->shared0], 16);
    memcpy(param, &m.sm->s.shared[b->shared0 + 16], 8);
    CU_ASSERT_EQUAL(memcmp(header, want, 16), 0);
    CU_ASSERT_EQUAL(param[0], 0x11223344);
    CU_ASSERT_EQUAL(param[1], 0xaabbccdd);
    machine_end(&m);
}

/* ---- registers ---- */

static void registers_beyond_the_allocation_read_0_and_ignore_writes(void)
{
    struct machine m = run("tiny", 64,
                           K ".regs 3\nMVI R1, 5\nMVI R3, 9\nMVI R124, 9\nIADD R2, R3, R124\n"
                             "MOV.U16 R3L, R1L\nNOP.EXIT");
    ASSERT_FINISHED(m);
    for (int w = 0; w < 2; w++)
        for (int l = 0; l < 32; l++) {
            CU_ASSERT_EQUAL(machine_reg(&m, w, l, 0), (uint32_t)(32 * w + l));
            CU_ASSERT_EQUAL(machine_reg(&m, w, l, 1), 5);
            CU_ASSERT_EQUAL(machine_reg(&m, w, l, 2), 0);
        }
    CU_ASSERT_EQUAL(m.sm->s.rf[6 * 32], 0);
    machine_end(&m);
}

static void a_half_write_keeps_the_other_half(void)
{
    struct machine m = run("tiny", 32,
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
    struct machine m = run("tiny", 32, K "MVI R1, 7\nMOV.L02 R2, R1\nMOV.LNONE R3, R1\nNOP.EXIT");
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
        CU_ASSERT_EQUAL(m.sm->s.trap, named ? TRAP_NONE : TRAP_ILLEGAL_INSTRUCTION);
        for (uint32_t f = 0; named && f < 16; f++) {
            CU_ASSERT_EQUAL(machine_reg(&m, 0, (int)f, 3), f);
            CU_ASSERT_EQUAL(machine_reg(&m, 0, (int)f, 1), (uint32_t)holds[code] >> f & 1);
        }
        machine_end(&m);
    }
}

static void address_registers_have_16_bits_and_post_increment_afterwards(void)
{
    struct machine m = run("tiny", 32,
                           K ".shared x, 64\nMVI R1, 0xffff0020\nR2A A1, R1\nMVI R2, 0x1234\n"
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
    struct machine m = run("tiny", 32,
                           K ".shared x, 64\nMVI R1, 0xffe0\nR2A A1, R1\nMVI R2, 7\n"
                             "R2G.U32.U32 s[0x20], R2\nMOV R3, s[A1+0x40]\nNOP.EXIT");
    ASSERT_FINISHED(m);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 0, 3), 7);
    machine_end(&m);
}

static void s2r_reads_the_clock_of_its_write_back_and_lane_and_warp_slot(void)
{
    struct machine m = run("g80", 64,
                           K "S2R R1, SR_CLOCK\nS2R R2, SR_PHYSID\nS2R R3, SR_PM0\nNOP.EXIT");
    for (int w = 0; w < 2; w++) {
        CU_ASSERT_EQUAL(machine_reg(&m, w, 0, 1), (uint32_t)cycle_of(&m, w, 0));
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
    struct machine m = run("tiny", 32,
                           K ".shared x, 16, 16\nMVI R1, 0x12345678\nR2G.U16.U32 s[x], R1L\n"
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
    enum sm_trap trap = (enum sm_trap)m.sm->s.trap;
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
        m.sm->s.rf[32 + l] = (l % 2 ? a : b) + 4 * l;
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
    sm_tick(m.sm);
    for (uint32_t l = 0; l < 32; l++) /* lane 31 alone is wrong */
        m.sm->s.rf[32 + l] = l < 31 ? m.job->buffer[0].addr + 4 * l : 0x44;
    m.sm->s.rf[0] = 0x99;
    machine_run(&m);
    ASSERT_TRAP(m, OUT_OF_BOUNDS_GLOBAL);
    for (uint32_t i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(machine_word(&m, 0, i), 0);
    CU_ASSERT_EQUAL(m.sm->s.trap_pc, 8);
    machine_end(&m);
}

static void every_thread_has_its_own_local_memory(void)
{
    struct machine m = run("tiny", 64,
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
        struct machine m = run("tiny", 32, want[i].text);
        if (m.sm->s.trap != want[i].trap)
            printf("\n    %s: %s\n", want[i].text, sm_trap_name((enum sm_trap)m.sm->s.trap));
        CU_ASSERT_EQUAL(m.sm->s.trap, want[i].trap);
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
    CU_ASSERT_EQUAL(m.sm->s.trap_pc, 8);
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
    CU_ASSERT_EQUAL(m.sm->s.launch, 0);
    CU_ASSERT_EQUAL(sm_cycles(m.sm), m.log[m.nlog - 1].cycle + 1);
    uint64_t next = m.sm->s.next;
    sm_tick(m.sm);
    sm_run(m.sm, next + 100);
    CU_ASSERT_EQUAL(m.sm->s.next, next);
    machine_end(&m);
}

static void trap_names_are_complete(void)
{
    for (int t = 0; t < TRAP_COUNT; t++) {
        CU_ASSERT(strlen(sm_trap_name((enum sm_trap)t)) > 3);
        CU_ASSERT(strlen(sm_trap_text((enum sm_trap)t)) > 5);
    }
}

/* ---- whole machines ---- */

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
    sm_free(n.sm);
    n.sm = sm_new(m.img); /* copies are between machines of one image */
    struct sm *end = sm_new(m.img);
    sm_copy(end, m.sm);
    while (!sm_ended(end))
        sm_tick(end);
    CU_ASSERT(end->s.done);
    uint64_t cycles = sm_cycles(end);
    int copies = 0;
    for (uint64_t c = 0; c < cycles; c += SANITIZED ? 149 : 61, copies++) {
        sm_run(m.sm, c);
        sm_copy(n.sm, m.sm); /* over whatever the last round left there */
        CU_ASSERT(sm_same(n.sm, m.sm));
        CU_ASSERT_EQUAL(sm_hash(n.sm), sm_hash(m.sm));
        while (!sm_ended(n.sm))
            sm_tick(n.sm);
        CU_ASSERT(sm_same(n.sm, end));
        CU_ASSERT_EQUAL(sm_hash(n.sm), sm_hash(end));
        CU_ASSERT_EQUAL(n.sm->s.instructions, end->s.instructions);
        CU_ASSERT(sm_outputs_equal(n.sm, end));
    }
    CU_ASSERT(copies > 12);
    while (!sm_ended(m.sm)) /* the source went on undisturbed */
        sm_tick(m.sm);
    CU_ASSERT(sm_same(m.sm, end));
    sm_free(end);
    sm_free(n.sm);
    n.sm = sm_new(n.img);
    machine_end(&n);
    machine_end(&m);
}

static void a_run_is_the_same_with_and_without_a_record_and_in_any_steps(void)
{
    struct machine m = load_busy("g80"), n = load_busy("g80");
    struct sm_commit commit;
    uint64_t seed = 1;
    machine_run(&m);
    CU_ASSERT(m.sm->s.done);
    uint64_t cycles = sm_cycles(m.sm);
    machine_end(&m);
    m = load_busy("g80");
    for (uint64_t c = 0; !sm_ended(n.sm); c += 1 + machine_random(&seed) % 50) {
        sm_run(n.sm, c);
        m.sm->record = machine_random(&seed) % 2 ? &commit : NULL;
        sm_run(m.sm, c);
        CU_ASSERT(sm_same(m.sm, n.sm));
        CU_ASSERT_EQUAL(m.sm->s.instructions, n.sm->s.instructions);
    }
    CU_ASSERT_EQUAL(sm_cycles(n.sm), cycles);
    CU_ASSERT(sm_outputs_equal(m.sm, n.sm));
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
        struct sm *start = sm_new(m.img), *n = sm_new(m.img);
        sm_tick(start); /* the block starts */
        for (int k = 0; k < MASKS * SHAPES; k++) {
            int shape = k % SHAPES;
            sm_copy(m.sm, start);
            struct sm_warp *w = &m.sm->s.warp[0];
            for (uint32_t l = 0; l < 20 * 32; l++)
                m.sm->s.rf[w->reg_base + l] = machine_random(&seed);
            for (uint32_t l = 0; l < 600; l++)
                m.sm->s.shared[l * 4] = (uint8_t)machine_random(&seed);
            for (uint32_t l = 0; l < 32; l++) {
                m.sm->s.rf[w->reg_base + 32 + l] = shaped_address(shape, addr, l);
                w->a[1][l] = (uint16_t)shaped_address(shape, 16, l);
            }
            machine_flags(&m, 0, 1, machine_random(&seed));
            w->active = mask[k / SHAPES];
            sm_copy(n, m.sm);
            machine_run(&m); /* with a record: no shortcut */
            sm_run(n, MACHINE_MAX_CYCLES);
            traps += m.sm->s.trap != TRAP_NONE;
            if (!sm_same(m.sm, n))
                printf("\n    %s, lanes %08x, addresses %d", line, mask[k / SHAPES], shape);
            CU_ASSERT(sm_same(m.sm, n));
        }
        sm_free(start);
        sm_free(n);
        machine_end(&m);
    }
    CU_ASSERT(traps > 50);
}

static void sm_run_stops_before_the_effects_of_its_cycle(void)
{
    struct machine m = load_busy("g80");
    for (uint64_t c = 0; !sm_ended(m.sm); c += 3) {
        sm_run(m.sm, c);
        CU_ASSERT(sm_ended(m.sm) || m.sm->s.next > c);
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
    sm_run(m.sm, cycle);
    struct sm_cell c = machine_cell(&m, "areg", 0, 6, 0, 0); /* $a1 of lane 1: 0x40 */
    c.index[2] = 1;
    machine_flip(&m, c);
    machine_run(&m);
    *time = sm_cycles(m.sm);
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
    struct sm *n = sm_new(m.img);
    sm_run(m.sm, 300);
    for (int i = 0; i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(m.img, i, &s);
        for (int f = 0; sm_structure_bits(&s) && f < s.nfields; f++) {
            struct sm_cell cell = {.structure = i, .field = f, .bit = s.field[f].bits - 1};
            sm_copy(n, m.sm);
            struct machine other = {.img = m.img, .sm = n};
            machine_flip(&other, cell);
            CU_ASSERT_NOT_EQUAL(sm_cell_read(n, &cell), sm_cell_read(m.sm, &cell));
            CU_ASSERT_FALSE(sm_same(n, m.sm));
            CU_ASSERT_FALSE(sm_recurs(n, m.sm));
            CU_ASSERT_NOT_EQUAL(sm_hash(n), sm_hash(m.sm));
            machine_flip(&other, cell);
            CU_ASSERT(sm_same(n, m.sm));
        }
    }
    sm_free(n);
    machine_end(&m);
}

static void sm_same_sees_global_memory(void)
{
    struct machine m = machine_start("tiny", 32,
                                     K ".param ptr p\nMOV R1, s[p]\n"
                                       "GST.U32 global14[R1], R2\nNOP\nNOP.EXIT");
    struct sm *n = sm_new(m.img);
    machine_run_instructions(&m, 1);
    sm_copy(n, m.sm);
    n->s.rf[2 * 32 + 31] = 5;
    while (m.sm->s.instructions < 2)
        sm_tick(m.sm);
    while (n->s.instructions < 2)
        sm_tick(n);
    n->s.rf[2 * 32 + 31] = 0;
    CU_ASSERT_FALSE(sm_same(m.sm, n));
    CU_ASSERT(sm_same_control(m.sm, n));
    CU_ASSERT_NOT_EQUAL(sm_hash(m.sm), sm_hash(n));
    sm_free(n);
    machine_end(&m);
}

static void same_control_ignores_data_but_not_masks(void)
{
    struct machine m = load_busy("tiny");
    struct sm *n = sm_new(m.img);
    sm_run(m.sm, 300);
    sm_copy(n, m.sm);
    n->s.rf[40] ^= 1;
    n->s.shared[40] ^= 1;
    n->s.warp[0].cc[0].z ^= 1;
    n->s.warp[0].a[1][0] ^= 1;
    CU_ASSERT(sm_same_control(n, m.sm));
    n->s.warp[0].active ^= 1;
    CU_ASSERT_FALSE(sm_same_control(n, m.sm));
    sm_free(n);
    machine_end(&m);
}

static void a_held_cell_may_differ_but_not_the_bits_beside_it(void)
{
    struct machine m = load_busy("tiny");
    struct sm *n = sm_new(m.img);
    struct sm_cell c = machine_cell(&m, "dstack", SM_FIELD(dstack, spc), 9, 0, 1);
    struct sm_force held = sm_cell_force(m.img, &c, 1);
    sm_run(m.sm, 300);
    sm_copy(n, m.sm);
    CU_ASSERT(sm_same_control_but(n, m.sm, &held));
    n->s.warp[0].spc[1] ^= 1u << 9;
    CU_ASSERT(sm_same_control_but(n, m.sm, &held));
    CU_ASSERT_FALSE(sm_same_control(n, m.sm));
    n->s.warp[0].spc[1] ^= 1u << 8;
    CU_ASSERT_FALSE(sm_same_control_but(n, m.sm, &held));
    n->s.warp[0].spc[1] ^= 1u << 8;
    n->s.warp[0].spc[0] ^= 1;
    CU_ASSERT_FALSE(sm_same_control_but(n, m.sm, &held));
    n->s.warp[0].spc[0] ^= 1;
    n->s.warp[0].spc[2] ^= 1;
    CU_ASSERT_FALSE(sm_same_control_but(n, m.sm, &held));
    sm_free(n);
    machine_end(&m);
}

/* Does the state after some warp instruction come back within 200 further ones? */
static bool recurs(const char *text)
{
    struct machine m = machine_start("tiny", 32, text);
    struct sm *saved = sm_new(m.img);
    machine_run_instructions(&m, 20);
    sm_copy(saved, m.sm);
    bool again = false;
    for (uint64_t n = 21; n < 220 && !again && !sm_ended(m.sm); n++) {
        machine_run_instructions(&m, n);
        again = sm_recurs(m.sm, saved);
    }
    CU_ASSERT_FALSE(sm_ended(m.sm));
    sm_free(saved);
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
                struct sm *n = sm_new(m.img);
                struct sm_cell cell = {.structure = i, .field = f};
                struct sm_force force = sm_cell_force(m.img, &cell, value);
                sm_add_force(n, &force);
                for (int t = 0; t < 200; t++) {
                    CU_ASSERT_EQUAL(sm_cell_read(n, &cell), value);
                    sm_tick(n);
                }
                sm_free(n);
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
        size_t bytes = sizeof m.sm->s + m.img->mem_bytes;
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

int main(void)
{
    return CHECK_RUN(
        "sm", CHECK(a_lone_warp_commits_one_instruction_in_five_slots),
        CHECK(five_warps_commit_one_instruction_in_every_slot), CHECK(warps_take_turns),
        CHECK(effects_happen_in_the_write_back_cycle), CHECK(sm_step_stops_at_each_commit),
        CHECK(special_functions_take_their_own_time_in_execute),
        CHECK(an_instruction_that_is_longer_in_execute_holds_all_others),
        CHECK(bank_conflicts_of_a_half_warp_serialise),
        CHECK(bank_conflicts_count_for_stores_and_arithmetic_too),
        CHECK(lanes_that_share_a_word_are_served_together), CHECK(only_executing_lanes_conflict),
        CHECK(an_operand_without_address_register_costs_nothing),
        CHECK(distinct_constant_addresses_serialise),
        CHECK(coalesced_words_take_one_transaction_a_half_warp),
        CHECK(anything_else_takes_one_transaction_a_lane),
        CHECK(each_half_warp_is_counted_over_its_executing_lanes),
        CHECK(an_access_that_no_lane_executes_is_an_instruction_like_others),
        CHECK(equal_local_offsets_are_coalesced),
        CHECK(the_memory_port_takes_one_request_after_the_other),
        CHECK(an_answer_goes_first_and_execute_waits_one_beat),
        CHECK(a_barrier_holds_until_every_warp_has_arrived),
        CHECK(a_warp_that_ends_counts_as_arrived), CHECK(arriving_does_not_wait),
        CHECK(barriers_can_be_used_again), CHECK(a_barrier_holds_every_time_it_is_used),
        CHECK(a_barrier_ignores_its_predicate), CHECK(barriers_are_per_block),
        CHECK(warps_that_wait_for_each_other_are_a_deadlock),
        CHECK(residency_ends_with_the_scarcest_resource),
        CHECK(resident_threads_are_limited_by_themselves),
        CHECK(a_grid_larger_than_the_machine_runs_all_its_blocks_once_and_in_order),
        CHECK(a_block_starts_in_the_lowest_free_slots), CHECK(one_block_starts_in_a_slot),
        CHECK(launches_run_one_after_the_other_on_one_memory),
        CHECK(registers_flags_and_shared_memory_keep_what_the_last_block_left),
        CHECK(everything_is_zero_at_the_start_of_a_job), CHECK(r0_holds_the_thread),
        CHECK(shared_memory_begins_with_the_launch_and_the_parameters),
        CHECK(registers_beyond_the_allocation_read_0_and_ignore_writes),
        CHECK(a_half_write_keeps_the_other_half), CHECK(only_executing_lanes_write),
        CHECK(a_move_with_a_lane_mask_moves_those_lanes_of_each_quad),
        CHECK(every_predicate_is_its_function_of_the_flags),
        CHECK(address_registers_have_16_bits_and_post_increment_afterwards),
        CHECK(addresses_through_address_registers_wrap_at_16_bits),
        CHECK(s2r_reads_the_clock_of_its_write_back_and_lane_and_warp_slot),
        CHECK(the_highest_lane_wins), CHECK(loads_extend_and_stores_cut),
        CHECK(a_half_register_is_stored_zero_extended), CHECK(an_access_outside_every_buffer_traps),
        CHECK(lanes_of_one_access_may_lie_in_different_buffers),
        CHECK(an_access_that_traps_has_changed_nothing),
        CHECK(every_thread_has_its_own_local_memory),
        CHECK(every_trap_has_a_program_that_ends_with_it),
        CHECK(a_word_that_is_no_instruction_traps), CHECK(a_trap_ends_the_job_at_once),
        CHECK(trap_names_are_complete), CHECK(a_copy_is_a_checkpoint),
        CHECK(a_run_is_the_same_with_and_without_a_record_and_in_any_steps),
        CHECK(shortcuts_do_what_the_long_way_does),
        CHECK(sm_run_stops_before_the_effects_of_its_cycle),
        CHECK(a_flip_acts_before_the_reads_of_its_cycle),
        CHECK(machines_that_differ_in_one_cell_are_not_the_same), CHECK(sm_same_sees_global_memory),
        CHECK(same_control_ignores_data_but_not_masks),
        CHECK(a_held_cell_may_differ_but_not_the_bits_beside_it),
        CHECK(an_endless_loop_recurs_when_and_only_when_nothing_changes),
        CHECK(a_force_holds_its_cell_whatever_is_written), CHECK(a_force_reaches_every_structure),
        CHECK(cells_of_a_structure_are_all_different_bits),
        CHECK(the_commit_record_says_what_an_instruction_did));
}
