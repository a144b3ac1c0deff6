/* test_pipeline.c -- what an instruction takes: the stages of the pipeline, shared and
 * constant operands, global and local memory.
 *
 * Cycle numbers come from docs/explain/cycles.md, "Timing".
 */
#include "base/stats.h"
#include "sm/arith/lanes.h"
#include "tests/lib/check.h"
#include "tests/lib/machine.h"

/* Cycles between instruction n of warp 0 and the one before it. */
static uint64_t took(const struct machine *m, int n)
{
    return machine_cycle(m, 0, n) - machine_cycle(m, 0, n - 1);
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
            CU_ASSERT_EQUAL(machine_cycle(&m, 0, i), 6 * slot - 1 + 5 * slot * (uint64_t)i);
        CU_ASSERT_EQUAL(gpu_cycles(m.gpu), 31 * slot);
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
    gpu_run(m.gpu, 23);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 3, 1), 0);
    gpu_run(m.gpu, 24);
    CU_ASSERT_EQUAL(machine_reg(&m, 0, 3, 1), 7);
    CU_ASSERT_EQUAL(m.gpu->sm->s.warp[0].pc, 8);
    gpu_run(m.gpu, 43);
    CU_ASSERT_FALSE(m.gpu->grid.done);
    gpu_run(m.gpu, 44);
    CU_ASSERT(m.gpu->grid.done);
    CU_ASSERT_EQUAL(gpu_cycles(m.gpu), 44);
    machine_end(&m);
}

static void sm_step_stops_at_each_commit(void)
{
    struct machine m = machine_start("g80", 32, K "NOP\nNOP.EXIT");
    struct sm_commit r;
    memset(&r, 0, sizeof r);
    m.gpu->sm->record = &r;
    gpu_step(m.gpu);
    CU_ASSERT_EQUAL(r.started, 0);
    gpu_step(m.gpu);
    CU_ASSERT_EQUAL(r.kind, COMMIT_INSTRUCTION);
    CU_ASSERT_EQUAL(r.cycle, 23);
    gpu_step(m.gpu);
    CU_ASSERT_EQUAL(r.cycle, 43);
    CU_ASSERT(r.ended);
    CU_ASSERT(gpu_ended(m.gpu));
    machine_end(&m);
}

static void special_functions_take_their_own_time_in_execute(void)
{
    struct machine m = machine_ran("g80", 32,
                                   K "NOP\nRCP R1, R0\nNOP\nRRO R1, R0, SINCOS\nNOP.EXIT");
    CU_ASSERT_EQUAL(took(&m, 1), 20 + 16 - 4);
    CU_ASSERT_EQUAL(took(&m, 2), 20);
    CU_ASSERT_EQUAL(took(&m, 3), 20);
    machine_end(&m);
}

static void an_instruction_that_is_longer_in_execute_holds_all_others(void)
{
    /* Two warps: warp 0 is in Write-back while warp 1 spends its 16 cycles in Execute, and waits
     * for it. */
    struct machine m = machine_ran("g80", 64, K "NOP\nRCP R1, R0\nNOP\nNOP.EXIT");
    CU_ASSERT_EQUAL(machine_cycle(&m, 1, 0) - machine_cycle(&m, 0, 0), 4);
    CU_ASSERT_EQUAL(machine_cycle(&m, 0, 1) - machine_cycle(&m, 0, 0), 20 + 12 + 12);
    CU_ASSERT_EQUAL(machine_cycle(&m, 1, 1) - machine_cycle(&m, 0, 1), 4);
    CU_ASSERT_EQUAL(machine_cycle(&m, 0, 2) - machine_cycle(&m, 0, 1), 20);
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
        m.gpu->sm->s.rf[2 * 32 + l] = stride;
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

/* By definition: the different words of each bank, one after the other. */
static uint32_t passes_by_hand(const uint16_t at[16], uint32_t banks)
{
    uint32_t most = 0;
    for (uint32_t b = 0; b < banks; b++) {
        uint32_t n = 0;
        for (int l = 0; l < 16; l++) {
            bool first = at[l] / 4 % banks == b;
            for (int k = 0; k < l; k++)
                first &= at[k] / 4 != at[l] / 4;
            n += first;
        }
        most = n > most ? n : most;
    }
    return most;
}

static void conflicts_in_vectors_are_those_counted_word_by_word(void)
{
    for (uint64_t i = 0; i < 20000; i++) {
        struct stats_stream random = stats_stream_of(1, i);
        uint16_t at[16];
        uint32_t banks = 1u << stats_below(&random, 6);
        uint64_t range = UINT64_C(4) << stats_below(&random, 15);
        for (int l = 0; l < 16; l++)
            at[l] = (uint16_t)stats_below(&random, range);
        CU_ASSERT_EQUAL(lanes_passes(at, banks), passes_by_hand(at, banks));
    }
}

static void an_operand_without_address_register_costs_nothing(void)
{
    struct machine m = machine_ran(
        "g80", 32, K ".const C, u32, 1\nNOP\nIADD R1, s[0x4], R1\nMVC R2, c1[C]\nNOP.EXIT");
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
    gpu_tick(m.gpu);
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t k = swap && l < 2 ? 1 - l : l;
        m.gpu->sm->s.rf[32 + l] = m.job->buffer[0].addr + plus + stride * k;
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
    struct machine m = machine_ran(
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
    struct machine m = machine_ran(
        "g80", 128, K ".param ptr p\nMOV R1, s[p]\nGLD.U32 R2, global14[R1]\nNOP.EXIT");
    for (int w = 1; w < 4; w++)
        CU_ASSERT_EQUAL(machine_cycle(&m, w, 1) - machine_cycle(&m, w - 1, 1), 128);
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

/* A warp has one request at most; here the queue is filled from outside, for another warp. */
static void a_full_memory_queue_refuses_and_execute_waits_for_room(void)
{
    struct machine m = machine_start(
        "g80", 32, K ".param ptr p\nMOV R1, s[p]\nGLD.U32 R2, global14[R1]\nNOP.EXIT");
    struct sm_state *s = &m.gpu->sm->s;
    machine_run_instructions(&m, 1);
    while (s->stage[STAGE_X] != 0)
        gpu_tick(m.gpu);
    uint64_t first = s->next + 4 * 3; /* that slot starts with the first answer */
    for (int i = 0; i < 32; i++)
        s->request[s->nrequests++] = (struct sm_request){.warp = 1, .ready = first + (uint64_t)i};
    while (s->next < first) {
        gpu_tick(m.gpu);
        CU_ASSERT_EQUAL(s->stage[STAGE_X], 0);
        CU_ASSERT_EQUAL(s->stage[STAGE_W], NO_WARP);
        CU_ASSERT_EQUAL(s->nrequests, 32);
    }
    gpu_tick(m.gpu);
    CU_ASSERT_EQUAL(s->stage[STAGE_X], NO_WARP);
    CU_ASSERT_EQUAL(s->stage[STAGE_W], 1);
    CU_ASSERT_EQUAL(s->nrequests, 32);
    CU_ASSERT_EQUAL(s->request[31].warp, 0);
    CU_ASSERT_EQUAL(s->request[31].ready, first + 4 * 32 + 400); /* a transaction for each lane */
    machine_end(&m);
}

int main(void)
{
    return CHECK_RUN(
        "pipeline", CHECK(a_lone_warp_commits_one_instruction_in_five_slots),
        CHECK(five_warps_commit_one_instruction_in_every_slot), CHECK(warps_take_turns),
        CHECK(effects_happen_in_the_write_back_cycle), CHECK(sm_step_stops_at_each_commit),
        CHECK(special_functions_take_their_own_time_in_execute),
        CHECK(an_instruction_that_is_longer_in_execute_holds_all_others),
        CHECK(bank_conflicts_of_a_half_warp_serialise),
        CHECK(bank_conflicts_count_for_stores_and_arithmetic_too),
        CHECK(lanes_that_share_a_word_are_served_together), CHECK(only_executing_lanes_conflict),
        CHECK(conflicts_in_vectors_are_those_counted_word_by_word),
        CHECK(an_operand_without_address_register_costs_nothing),
        CHECK(distinct_constant_addresses_serialise),
        CHECK(coalesced_words_take_one_transaction_a_half_warp),
        CHECK(anything_else_takes_one_transaction_a_lane),
        CHECK(each_half_warp_is_counted_over_its_executing_lanes),
        CHECK(an_access_that_no_lane_executes_is_an_instruction_like_others),
        CHECK(equal_local_offsets_are_coalesced),
        CHECK(the_memory_port_takes_one_request_after_the_other),
        CHECK(an_answer_goes_first_and_execute_waits_one_beat),
        CHECK(a_full_memory_queue_refuses_and_execute_waits_for_room));
}
