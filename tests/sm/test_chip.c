/* test_chip.c -- several SMs: who runs which block, in which order they touch what they share, and that
 * running ahead changes nothing. */
#include "tests/lib/check.h"
#include "tests/lib/machine.h"
#include "tests/lib/random_mix.h"

/* A job for a chip of `sms` small SMs. */
static struct job *chip_job(const char *text, int sms, enum profile_ports ports,
                            enum profile_blocks blocks)
{
    struct job *job = machine_job("tiny-chip", text);
    job->profile.sms = sms;
    job->profile.ports = (int)ports;
    job->profile.blocks = (int)blocks;
    return job;
}

/* Word b of the buffer becomes S2R of SR_PHYSID or SR_CLOCK in block b. */
#define STORES(value)                                                                              \
    K ".param ptr p\nI2I.U32.U16 R1, s[0xc].U16\nMVI R2, 4\nIMUL.U16.U16 R1, R1L, R2L\n"           \
      "IADD R1, s[0x10], R1\nS2R R2, " value "\nGST.EXIT.U32 global14[R1], R2"

static struct machine stored(const char *text, int sms, enum profile_ports ports,
                             enum profile_blocks blocks, uint32_t count)
{
    struct job *job = chip_job(text, sms, ports, blocks);
    uint32_t addr = machine_buffer(job, 4 * count, NULL);
    machine_param(machine_launch(job, 0, count, 1), addr);
    struct machine m = machine_load(job);
    gpu_run(m.gpu, MACHINE_MAX_CYCLES);
    CU_ASSERT(m.gpu->grid.done);
    return m;
}

static void the_first_blocks_go_round_the_sms(void)
{
    struct machine m = stored(STORES("SR_PHYSID"), 3, PORTS_CHIP, BLOCKS_DYNAMIC, 5);
    for (uint32_t b = 0; b < 5; b++)
        CU_ASSERT_EQUAL(machine_word(&m, 0, b) >> 16, b % 3);
    machine_end(&m);
}

static void later_blocks_go_to_whoever_has_room_first(void)
{
    /* the block that SM 0 begins with takes long; a block needs all registers of an SM */
    static const char text[] = K
        ".regs 16\n.param ptr p\nI2I.U32.U16 R1, s[0xc].U16\nISET.C0 o[0x7f], R1, R124, EQ\n"
        "BRA C0.EQ, on\n.rept 60\nNOP\n.endr\non: MVI R2, 4\nIMUL.U16.U16 R1, R1L, R2L\n"
        "IADD R1, s[0x10], R1\nS2R R2, SR_PHYSID\nGST.EXIT.U32 global14[R1], R2";
    struct machine m = stored(text, 2, PORTS_SM, BLOCKS_DYNAMIC, 6);
    uint32_t on_0 = 0;
    for (uint32_t b = 0; b < 6; b++)
        on_0 += machine_word(&m, 0, b) >> 16 == 0;
    CU_ASSERT(on_0 < 3);
    machine_end(&m);
}

static void fixed_blocks_go_to_their_own_sm(void)
{
    struct machine m = stored(STORES("SR_PHYSID"), 3, PORTS_SM, BLOCKS_FIXED, 20);
    for (uint32_t b = 0; b < 20; b++)
        CU_ASSERT_EQUAL(machine_word(&m, 0, b) >> 16, b % 3);
    machine_end(&m);
}

static void an_sm_alone_on_its_port_takes_the_time_of_a_lone_sm(void)
{
    struct machine one = stored(STORES("SR_CLOCK"), 1, PORTS_CHIP, BLOCKS_DYNAMIC, 1);
    for (int sms = 2; sms <= 4; sms++) {
        struct machine m = stored(STORES("SR_CLOCK"), sms, PORTS_SM, BLOCKS_FIXED, (uint32_t)sms);
        for (uint32_t b = 0; b < (uint32_t)sms; b++)
            CU_ASSERT_EQUAL(machine_word(&m, 0, b), machine_word(&one, 0, 0));
        CU_ASSERT_EQUAL(gpu_cycles(m.gpu), gpu_cycles(one.gpu));
        machine_end(&m);
    }
    machine_end(&one);
}

static void requests_queue_at_the_one_port_in_the_order_of_the_sms(void)
{
    /* loads of four transactions from two SMs in the same cycle */
    static const char text[] = K
        ".param ptr p\n.param ptr q\n.regs 4\nI2I.U32.U16 R0, R0L\nMVI R2, 128\nIMUL.U16.U16 R0, "
        "R0L, R2L\n"
        "IADD R0, s[0x10], R0\nGLD.U32 R0, global14[R0]\nS2R R2, SR_CLOCK\n"
        "I2I.U32.U16 R1, s[0xc].U16\nMVI R3, 4\nIMUL.U16.U16 R1, R1L, R3L\n"
        "IADD R1, s[0x14], R1\nGST.EXIT.U32 global14[R1], R2";
    uint32_t clock[2][2];
    for (int p = 0; p < 2; p++) {
        struct job *job = chip_job(text, 2, (enum profile_ports)p, BLOCKS_FIXED);
        uint32_t from = machine_buffer(job, 4096, NULL), to = machine_buffer(job, 8, NULL);
        struct job_launch *l = machine_launch(job, 0, 2, 4);
        machine_param(l, from);
        machine_param(l, to);
        struct machine m = machine_load(job);
        gpu_run(m.gpu, MACHINE_MAX_CYCLES);
        clock[p][0] = machine_word(&m, 1, 0);
        clock[p][1] = machine_word(&m, 1, 1);
        machine_end(&m);
    }
    CU_ASSERT_EQUAL(clock[PORTS_SM][0], clock[PORTS_SM][1]);
    CU_ASSERT_EQUAL(clock[PORTS_CHIP][0], clock[PORTS_SM][0]);
    CU_ASSERT_EQUAL(clock[PORTS_CHIP][1], clock[PORTS_CHIP][0] + 4 * 4);
}

/* Load i reads a word a thread, from word `from` on, so many words apart; it is that of warp i, or of block i on SM i. */
struct loads {
    uint32_t from, stride;
};

/* Memory of so many partitions, 1,024 bytes each in turn. Word i of buffer 1 becomes the clock behind load i. */
static struct machine loading(int sms, uint32_t warps, int partitions, const struct loads *load)
{
    static const char text[] = K
        ".param ptr p\n.param ptr q\n.param u32 a\n.param u32 b\n.param u32 c\n.param u32 d\n"
        ".regs 8\nI2I.U32.U16 R0, R0L\nMVI R4, 0x1f\nLOP.AND R1, R0, R4\nSHR R2, R0, 0x5\n"
        "I2I.U32.U16 R3, s[0xc].U16\nIADD R2, R2, R3\nSHL R5, R2, 0x2\nR2A A1, R2, 0x3\n"
        "MOV R3, s[A1+0x1c]\nIMUL.U16.U16 R1, R1L, R3L\nMOV R3, s[A1+0x18]\nIADD R1, R3, R1\n"
        "SHL R1, R1, 0x2\nIADD R1, s[0x10], R1\nGLD.U32 R1, global14[R1]\nS2R R2, SR_CLOCK\n"
        "IADD R5, s[0x14], R5\nGST.EXIT.U32 global14[R5], R2";
    struct job *job = chip_job(text, sms, PORTS_CHIP, BLOCKS_FIXED);
    job->profile.partitions = partitions;
    job->profile.interleave = 1024;
    uint32_t from = machine_buffer(job, 16384, NULL), to = machine_buffer(job, 8, NULL);
    struct job_launch *l = machine_launch(job, 0, (uint32_t)sms, 32 * warps);
    machine_param(l, from);
    machine_param(l, to);
    for (int i = 0; i < 2; i++) {
        machine_param(l, load[i].from);
        machine_param(l, load[i].stride);
    }
    return machine_load(job);
}

static uint32_t clock_behind(int sms, uint32_t warps, int partitions, const struct loads *load,
                             uint32_t i)
{
    struct machine m = loading(sms, warps, partitions, load);
    gpu_run(m.gpu, MACHINE_MAX_CYCLES);
    CU_ASSERT(m.gpu->grid.done);
    uint32_t clock = machine_word(&m, 1, i);
    machine_end(&m);
    return clock;
}

static void requests_to_different_partitions_do_not_wait_for_each_other(void)
{
    static const struct loads same[2] = {{0, 1}, {512, 1}}, apart[2] = {{0, 1}, {256, 1}};
    uint32_t first = clock_behind(2, 1, 2, same, 0);
    CU_ASSERT_EQUAL(clock_behind(2, 1, 2, same, 1), first + 2 * 4); /* two transactions */
    CU_ASSERT_EQUAL(clock_behind(2, 1, 2, apart, 0), first);
    CU_ASSERT_EQUAL(clock_behind(2, 1, 2, apart, 1), first);
    CU_ASSERT_EQUAL(clock_behind(2, 1, 1, apart, 0), first);
    CU_ASSERT_EQUAL(clock_behind(2, 1, 1, apart, 1), first + 2 * 4);
}

static void a_request_is_ready_when_the_partition_with_most_of_it_is(void)
{
    /* 32 transactions; 64 bytes apart they lie in two partitions of 1,024 */
    static const struct loads load[2] = {{0, 16}, {0, 16}}, wide[2] = {{0, 32}, {0, 32}};
    uint32_t one = clock_behind(1, 1, 1, load, 0);
    CU_ASSERT_EQUAL(clock_behind(1, 1, 2, load, 0), one - 16 * 4);
    CU_ASSERT_EQUAL(clock_behind(1, 1, 3, load, 0), one - 16 * 4);
    CU_ASSERT_EQUAL(clock_behind(1, 1, 4, wide, 0), one - 24 * 4);
}

static void an_answer_comes_behind_an_earlier_one_of_its_sm(void)
{
    /* 32 transactions of warp 0 in one partition, then two of warp 1 in the other */
    static const struct loads load[2] = {{0, 8}, {256, 1}};
    struct machine m = loading(1, 2, 2, load);
    const struct sm_state *s = &m.gpu->sm->s;
    while (!gpu_ended(m.gpu) && s->nrequests < 2)
        gpu_tick(m.gpu);
    CU_ASSERT_EQUAL(s->request[0].warp, 0);
    CU_ASSERT_EQUAL(s->request[1].ready, s->request[0].ready);
    CU_ASSERT(m.gpu->channel[1].free < m.gpu->channel[0].free);
    CU_ASSERT_EQUAL(m.gpu->channel[0].transactions, 32);
    CU_ASSERT_EQUAL(m.gpu->channel[1].transactions, 2);
    machine_end(&m);
}

/* Each word of local memory is a transaction's, 64 bytes for a half-warp; a chip's SMs lie one behind the other. */
static void local_memory_is_spread_over_partitions_as_its_words_lie(void)
{
    static const char text[] = K ".regs 4\n.local 64\nMVI R1, 0\nLST.U32 local[0x0], R1\n"
                                 "LST.U32 local[0x10], R1\nNOP.EXIT";
    struct job *job = chip_job(text, 2, PORTS_CHIP, BLOCKS_FIXED);
    job->profile.partitions = 4;
    job->profile.interleave = 64;
    machine_launch(job, 0, 2, 32);
    struct machine m = machine_load(job);
    gpu_run(m.gpu, MACHINE_MAX_CYCLES);
    CU_ASSERT(m.gpu->grid.done);
    /* word 0 of SM 0 at 0 and 64, word 4 at 512 and 576; SM 1 is 16 words of 2 warps further: 4,096 */
    CU_ASSERT_EQUAL(m.gpu->channel[0].transactions, 4);
    CU_ASSERT_EQUAL(m.gpu->channel[1].transactions, 4);
    CU_ASSERT_EQUAL(m.gpu->channel[2].transactions, 0);
    CU_ASSERT_EQUAL(m.gpu->channel[3].transactions, 0);
    machine_end(&m);
}

static void stores_of_one_cycle_happen_in_the_order_of_the_sms(void)
{
    static const char text[] = K ".param ptr p\n.regs 4\nMOV R1, s[0x10]\nS2R R2, SR_PHYSID\n"
                                 "GST.EXIT.U32 global14[R1], R2";
    for (int sms = 2; sms <= 5; sms++) {
        struct job *job = chip_job(text, sms, PORTS_SM, BLOCKS_FIXED);
        uint32_t addr = machine_buffer(job, 4, NULL);
        machine_param(machine_launch(job, 0, (uint32_t)sms, 1), addr);
        struct machine m = machine_load(job);
        gpu_run(m.gpu, MACHINE_MAX_CYCLES);
        CU_ASSERT_EQUAL(machine_word(&m, 0, 0) >> 16, (uint32_t)sms - 1);
        machine_end(&m);
    }
}

static void each_sm_has_local_memory_of_its_own(void)
{
    static const char text[] = K
        ".param ptr p\n.regs 4\n.local 16\nS2R R2, SR_PHYSID\nMVI R1, 0\n"
        "R2A A1, R1\nLST.U32 local[A1], R2\n.rept 8\nNOP\n.endr\nLLD.U32 R3, local[A1]\n"
        "I2I.U32.U16 R1, s[0xc].U16\nMVI R0, 4\nIMUL.U16.U16 R1, R1L, R0L\n"
        "IADD R1, s[0x10], R1\nGST.EXIT.U32 global14[R1], R3";
    struct machine m = stored(text, 4, PORTS_SM, BLOCKS_FIXED, 4);
    for (uint32_t b = 0; b < 4; b++)
        CU_ASSERT_EQUAL(machine_word(&m, 0, b) >> 16, b);
    machine_end(&m);
}

static void a_launch_begins_when_the_last_block_of_the_one_before_has_ended_on_any_sm(void)
{
    static const char text[] = K
        ".param ptr p\n.regs 4\nMOV R1, s[0x10]\nI2I.U32.U16 R0, s[0xc].U16\n"
        "ISET.C0 o[0x7f], R0, R124, EQ\nBRA C0.NE, off\n.rept 30\nNOP\n.endr\n"
        "GLD.U32 R2, global14[R1]\nMVI R3, 1\nIADD R2, R2, R3\n"
        "GST.EXIT.U32 global14[R1], R2\noff: NOP.EXIT";
    for (int ports = 0; ports < 2; ports++) {
        struct job *job = chip_job(text, 3, (enum profile_ports)ports, BLOCKS_DYNAMIC);
        uint32_t addr = machine_buffer(job, 4, NULL);
        for (int i = 0; i < 4; i++)
            machine_param(machine_launch(job, 0, 2 + (uint32_t)i, 1), addr);
        struct machine m = machine_load(job);
        gpu_run(m.gpu, MACHINE_MAX_CYCLES);
        CU_ASSERT(m.gpu->grid.done);
        CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 4);
        machine_end(&m);
    }
}

static void a_chip_is_deadlocked_when_no_sm_can_go_on(void)
{
    /* two warps of block 1 wait at different barriers; the others end */
    static const char text[] = K
        "I2I.U32.U16 R0, s[0xc].U16\nMVI R1, 1\nISET.C0 o[0x7f], R0, R1, EQ\n"
        "BRA C0.NE, wait\nNOP.EXIT\nwait: BRA C1.EQ, other\n"
        "BAR.ARV.WAIT b0, 0xfff\nNOP.EXIT\n"
        "other: BAR.ARV.WAIT b1, 0xfff\nNOP.EXIT";
    struct job *job = chip_job(text, 3, PORTS_SM, BLOCKS_FIXED);
    machine_launch(job, 0, 3, 64);
    struct machine m = machine_load(job);
    m.gpu->sm[1].s.warp[1].cc[1].z = ALL;
    gpu_run(m.gpu, MACHINE_MAX_CYCLES);
    CU_ASSERT(gpu_ended(m.gpu));
    CU_ASSERT(gpu_deadlocked(m.gpu));
    CU_ASSERT_EQUAL(gpu_turn(m.gpu), 1);
    machine_end(&m);
}

static void the_first_trap_in_the_order_of_the_sms_ends_the_job(void)
{
    static const char text[] = K ".regs 4\nMVI R1, 8\nGLD.U32 R2, global14[R1]\nNOP.EXIT";
    struct job *job = chip_job(text, 4, PORTS_SM, BLOCKS_FIXED);
    machine_launch(job, 0, 4, 1);
    struct machine m = machine_load(job);
    gpu_run(m.gpu, MACHINE_MAX_CYCLES);
    CU_ASSERT_EQUAL(gpu_trap(m.gpu), TRAP_OUT_OF_BOUNDS_GLOBAL);
    CU_ASSERT_EQUAL(gpu_turn(m.gpu), 0);
    CU_ASSERT_EQUAL(m.gpu->sm[1].s.trap, TRAP_NONE);
    machine_end(&m);
}

static void an_endless_loop_on_one_sm_recurs_while_others_sleep(void)
{
    static const char text[] = K "I2I.U32.U16 R0, s[0xc].U16\nISET.C0 o[0x7f], R0, R124, EQ\n"
                                 "BRA C0.NE, loop\nNOP.EXIT\nloop: BRA loop";
    struct job *job = chip_job(text, 3, PORTS_SM, BLOCKS_FIXED);
    machine_launch(job, 0, 3, 1);
    struct machine m = machine_load(job);
    gpu_run(m.gpu, 2000);
    CU_ASSERT_FALSE(gpu_ended(m.gpu));
    struct gpu *then = gpu_new(m.img);
    gpu_copy(then, m.gpu);
    bool recurs = false;
    for (int i = 0; i < 100 && !recurs; i++) {
        gpu_tick(m.gpu);
        recurs = gpu_recurs(m.gpu, then);
    }
    CU_ASSERT(recurs);
    gpu_free(then);
    machine_end(&m);
}

static void local_memory_of_too_many_sms_is_refused(void)
{
    struct job *job = chip_job(K "NOP.EXIT", SM_MAX_SMS, PORTS_SM, BLOCKS_FIXED);
    struct fl_err err = {{0}};
    job->cubin->kernel[0].local_bytes = 16384;
    job->profile.warps = SM_MAX_WARPS;
    job->profile.threads_per_sm = SM_MAX_WARPS * SM_LANES;
    job->profile.blocks_per_sm = SM_MAX_BLOCKS;
    job->profile.regs = SM_MAX_REGS;
    machine_launch(job, 0, 1000, 64);
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    CU_ASSERT_PTR_NULL(sm_image_new(job, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "take fewer SMs"));
    job_free(job);
}

/* ---- running ahead --------------------------------------------------------------------------- */

static struct machine random_chip(uint64_t seed)
{
    uint8_t constants[MIX_CONST];
    struct random_mix s;
    mix_make(&s, seed, 60, true, ISA_1_0);
    struct job *job = chip_job((char *)s.text.data, 2 + (int)mix_random(&s, 4),
                               (enum profile_ports)mix_random(&s, 2),
                               (enum profile_blocks)mix_random(&s, 2));
    job->profile.regs = 2048;
    job->profile.global_latency = 1 + (int)mix_random(&s, 60);
    if (job->profile.ports == PORTS_CHIP && mix_random(&s, 2)) {
        job->profile.partitions = 2 + (int)mix_random(&s, 6);
        job->profile.interleave = 64 << mix_random(&s, 4);
    }
    uint32_t addr = machine_buffer(job, MIX_STRIDE * 96, NULL);
    for (size_t i = 0; i < sizeof constants; i++)
        constants[i] = (uint8_t)mix_random(&s, 256);
    machine_const(job, 0, constants, sizeof constants);
    machine_const(job, 1, constants, sizeof constants);
    job->cubin->kernel[0].local_bytes = MIX_LOCAL;
    for (uint32_t i = 0, n = 1 + mix_random(&s, 3); i < n; i++)
        machine_param(machine_launch(job, 0, 1 + mix_random(&s, 9), 1 + mix_random(&s, 64)), addr);
    fl_buf_free(&s.text);
    return machine_load(job);
}

/* The same job slot by slot, and by gpu_run in steps of random length. */
static void running_ahead_changes_nothing(void)
{
    int finished = 0;
    for (uint64_t seed = 1; seed <= (SANITIZED ? 60 : 600); seed++) {
        struct machine a = random_chip(seed), b = random_chip(seed);
        uint64_t random = seed, cycle = 0;
        bool same = true;
        while (same && !gpu_ended(a.gpu) && cycle < 200000) {
            cycle += 1 + machine_random(&random) % 300;
            gpu_run(a.gpu, cycle);
            for (int i = 0; i < b.gpu->sms; i++)
                b.gpu->sm[i].stop = cycle;
            while (!gpu_ended(b.gpu) && gpu_cycles(b.gpu) <= cycle)
                gpu_tick(b.gpu);
            same = gpu_ended(a.gpu) == gpu_ended(b.gpu) && gpu_cycles(a.gpu) == gpu_cycles(b.gpu) &&
                   gpu_trap(a.gpu) == gpu_trap(b.gpu) && gpu_turn(a.gpu) == gpu_turn(b.gpu);
            same = same &&
                   (gpu_trap(a.gpu) ? sm_memory_equal(&a.gpu->memory, &b.gpu->memory)
                                    : gpu_same(a.gpu, b.gpu) &&
                                          gpu_instructions(a.gpu) == gpu_instructions(b.gpu));
        }
        if (!same)
            printf("\n    seed %d differs by cycle %d\n", (int)seed, (int)cycle);
        CU_ASSERT(same);
        finished += a.gpu->grid.done == 1;
        machine_end(&a);
        machine_end(&b);
    }
    CU_ASSERT(finished > (SANITIZED ? 20 : 200));
}

static void a_copy_of_a_chip_goes_on_like_the_chip(void)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct machine a = random_chip(seed);
        struct gpu *copy = gpu_new(a.img);
        gpu_run(a.gpu, 300 + 10 * seed);
        gpu_copy(copy, a.gpu);
        CU_ASSERT(gpu_same(copy, a.gpu));
        CU_ASSERT_EQUAL(gpu_hash(copy), gpu_hash(a.gpu));
        gpu_run(a.gpu, 200000);
        gpu_run(copy, 200000);
        CU_ASSERT(gpu_same(copy, a.gpu));
        gpu_free(copy);
        machine_end(&a);
    }
}

/* ---- what it is told as ---------------------------------------------------------------------- */

struct counts {
    int started, ended;
    uint64_t last;
};

static void count_block(void *context, int sm, uint32_t launch, uint32_t block, uint64_t cycle,
                        bool ends)
{
    struct counts *c = context;
    (void)launch;
    CU_ASSERT_EQUAL(block % 3, (uint32_t)sm);
    c->started += !ends;
    c->ended += ends;
    c->last = cycle;
}

static void a_log_is_told_each_block(void)
{
    struct counts c = {0};
    struct gpu_log log = {count_block, &c};
    struct job *job = chip_job(STORES("SR_PHYSID"), 3, PORTS_SM, BLOCKS_FIXED);
    uint32_t addr = machine_buffer(job, 400, NULL);
    machine_param(machine_launch(job, 0, 100, 1), addr);
    struct machine m = machine_load(job);
    m.gpu->log = &log;
    gpu_run(m.gpu, MACHINE_MAX_CYCLES);
    CU_ASSERT_EQUAL(c.started, 100);
    CU_ASSERT_EQUAL(c.ended, 100);
    CU_ASSERT_EQUAL(c.last + 1, gpu_cycles(m.gpu));
    machine_end(&m);
}

static void a_commit_says_on_which_sm(void)
{
    struct job *job = chip_job(STORES("SR_PHYSID"), 2, PORTS_SM, BLOCKS_FIXED);
    uint32_t addr = machine_buffer(job, 8, NULL);
    machine_param(machine_launch(job, 0, 2, 1), addr);
    struct machine m = machine_load(job);
    struct sm_commit c = {0};
    struct fl_buf line = {0};
    m.gpu->sm[0].record = m.gpu->sm[1].record = &c;
    for (int n = 0; n < 4; n += c.kind == COMMIT_INSTRUCTION) {
        int sm = gpu_tick(m.gpu);
        CU_ASSERT_EQUAL(c.sm, sm + 1);
        if (c.kind == COMMIT_INSTRUCTION) {
            line.size = 0;
            sm_commit_print(m.img, &c, &line);
            CU_ASSERT_PTR_NOT_NULL(strstr((char *)line.data, sm ? " sm1 l0 b1,0" : " sm0 l0 b0,0"));
        }
    }
    fl_buf_free(&line);
    machine_end(&m);
}

int main(void)
{
    return CHECK_RUN(
        "chip", CHECK(the_first_blocks_go_round_the_sms),
        CHECK(later_blocks_go_to_whoever_has_room_first), CHECK(fixed_blocks_go_to_their_own_sm),
        CHECK(an_sm_alone_on_its_port_takes_the_time_of_a_lone_sm),
        CHECK(requests_queue_at_the_one_port_in_the_order_of_the_sms),
        CHECK(requests_to_different_partitions_do_not_wait_for_each_other),
        CHECK(a_request_is_ready_when_the_partition_with_most_of_it_is),
        CHECK(an_answer_comes_behind_an_earlier_one_of_its_sm),
        CHECK(local_memory_is_spread_over_partitions_as_its_words_lie),
        CHECK(stores_of_one_cycle_happen_in_the_order_of_the_sms),
        CHECK(each_sm_has_local_memory_of_its_own),
        CHECK(a_launch_begins_when_the_last_block_of_the_one_before_has_ended_on_any_sm),
        CHECK(a_chip_is_deadlocked_when_no_sm_can_go_on),
        CHECK(the_first_trap_in_the_order_of_the_sms_ends_the_job),
        CHECK(an_endless_loop_on_one_sm_recurs_while_others_sleep),
        CHECK(local_memory_of_too_many_sms_is_refused), CHECK(running_ahead_changes_nothing),
        CHECK(a_copy_of_a_chip_goes_on_like_the_chip), CHECK(a_log_is_told_each_block),
        CHECK(a_commit_says_on_which_sm));
}
