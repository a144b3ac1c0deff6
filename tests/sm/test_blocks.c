/* test_blocks.c -- barriers, blocks and launches: who runs when, where it starts and what it finds there. */
#include "tests/lib/check.h"
#include "tests/lib/machine.h"

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
    uint64_t late = machine_cycle(&m, 2, 41);
    CU_ASSERT(machine_cycle(&m, 0, 1) < late);
    CU_ASSERT(machine_cycle(&m, 0, 2) > late);
    CU_ASSERT(machine_cycle(&m, 1, 2) > late);
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
    CU_ASSERT(machine_cycle(&m, 0, 2) > machine_cycle(&m, 2, 41));
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
    CU_ASSERT(machine_cycle(&m, 0, 3) < machine_cycle(&m, 1, 21));
    CU_ASSERT_EQUAL(machine_cycle(&m, 1, 22) - machine_cycle(&m, 1, 21), 20);
    machine_end(&m);
}

static void barriers_can_be_used_again(void)
{
    struct machine m = machine_ran(
        "g80", 128,
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
        CU_ASSERT(machine_cycle(&m, 0, 3 + 5 * turn) > machine_cycle(&m, 1, 22 + 25 * turn));
    machine_end(&m);
}

static void a_barrier_ignores_its_predicate(void)
{
    struct machine m = machine_ran("g80", 64, K "BAR.ARV.WAIT C0.EQ, b0, 0xfff\nNOP.EXIT");
    ASSERT_FINISHED(m);
    CU_ASSERT(machine_cycle(&m, 0, 1) > machine_cycle(&m, 1, 0));
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
    CU_ASSERT_EQUAL(machine_cycle(&m, 0, 1) - machine_cycle(&m, 0, 0), 20);
    machine_end(&m);
}

static void warps_that_wait_for_each_other_are_a_deadlock(void)
{
    struct machine m = machine_start("g80", 64,
                                     K "BRA C0.EQ, other\nBAR.ARV.WAIT b0, 0xfff\nNOP.EXIT\n"
                                       "other: BAR.ARV.WAIT b1, 0xfff\nNOP.EXIT");
    machine_flags(&m, 1, 0, ALL);
    machine_run(&m);
    CU_ASSERT(m.gpu->sm->s.deadlock);
    CU_ASSERT(gpu_ended(m.gpu));
    CU_ASSERT_FALSE(m.gpu->grid.done);
    CU_ASSERT_EQUAL(m.gpu->sm->s.trap, TRAP_NONE);
    machine_end(&m);
    m = machine_ran("g80", 32, K "BAR.WAIT b0, 0xfff\nNOP.EXIT"); /* nobody ever arrives */
    CU_ASSERT(m.gpu->sm->s.deadlock);
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
    gpu_run(m.gpu, 500);
    int n = 0;
    for (int i = 0; i < SM_MAX_BLOCKS; i++)
        n += m.gpu->sm->s.block[i].live;
    CU_ASSERT_EQUAL(m.gpu->grid.next_block, (uint32_t)n);
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

/* The largest machine that a profile can describe. */
static struct job *large_job(const char *text)
{
    struct job *job = machine_job("g80", text);
    struct profile *p = &job->profile;
    p->warps = SM_MAX_WARPS;
    p->threads_per_sm = SM_MAX_WARPS * SM_LANES;
    p->threads_per_block = SM_MAX_BLOCK_WARPS * SM_LANES;
    p->blocks_per_sm = SM_MAX_BLOCKS;
    p->regs = SM_MAX_REGS;
    p->shared_bytes = SM_MAX_SHARED;
    p->shared_banks = 32;
    return job;
}

static void the_largest_machine_fills_all_its_warps_registers_and_shared_memory(void)
{
    static const struct {
        uint32_t threads, shared;
        int regs, resident;
    } list[] = {{32, 0, 1, 32},  {1024, 0, 32, 2},  {64, 0, 32, 32},
                {96, 0, 64, 10}, {32, 65520, 1, 1}, {32, 32752, 1, 3}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char *text = fl_format(K ".regs %d\nloop: BRA loop", list[i].regs);
        struct job *job = large_job(text);
        machine_launch(job, 0, 100, list[i].threads)->shared = list[i].shared;
        struct machine m = machine_load(job);
        gpu_run(m.gpu, 1000);
        CU_ASSERT_EQUAL(m.gpu->grid.next_block, (uint32_t)list[i].resident);
        CU_ASSERT_EQUAL(mask_count(m.gpu->sm->s.live),
                        list[i].resident * (((int)list[i].threads + 31) / 32));
        machine_end(&m);
        free(text);
    }
}

/* Each of 2,048 threads stores the number of its block and its own behind a barrier. */
static void a_barrier_joins_the_32_warps_of_a_block_in_any_of_64_slots(void)
{
    struct job *job = large_job(K ".param ptr p\n" TID "I2I.U32.U16 R1, s[0xc].U16\n"
                                  "SHL R2, R1, 10\nIADD R2, R2, R0\nSHL R3, R2, 2\n"
                                  "IADD R3, s[p], R3\nBAR.ARV.WAIT b0, 0xfff\n"
                                  "S2R R4, SR_CLOCK\nGST.EXIT.U32 global14[R3], R4");
    uint32_t addr = machine_buffer(job, 5 * 1024 * 4, NULL);
    machine_param(machine_launch(job, 0, 5, 1024), addr);
    struct machine m = machine_load(job);
    machine_run(&m);
    ASSERT_FINISHED(m);
    uint64_t first[5] = {0}, last[5] = {0};
    for (int i = 0; i < m.nlog; i++) { /* the barrier is instruction 7 of a warp, the clock 8 */
        const struct sm_commit *c = &m.log[i];
        if (c->kind != COMMIT_INSTRUCTION)
            continue;
        if (c->uop->unit == UNIT_BAR)
            last[c->block_x] = c->cycle;
        if (c->uop->unit == UNIT_S2R && !first[c->block_x])
            first[c->block_x] = c->cycle;
    }
    for (int b = 0; b < 5; b++)
        CU_ASSERT(last[b] && first[b] > last[b]);
    for (uint32_t i = 0; i < 5 * 1024; i++)
        CU_ASSERT(machine_word(&m, 0, i) > 0);
    machine_end(&m);
}

/* Their names: docs of structures.def. Up to 32 warps there is one word a barrier, as ever. */
static void arrivals_of_more_than_32_warps_have_a_word_of_their_own(void)
{
    struct job *job = large_job(K "NOP.EXIT");
    machine_launch(job, 0, 1, 32);
    struct machine m = machine_load(job);
    struct sm_structure s;
    sm_structure_get(m.img, SM_S_barrier, &s);
    CU_ASSERT_EQUAL(s.nfields, 2);
    CU_ASSERT_EQUAL(s.field[0].bits + s.field[1].bits, 64);
    gpu_cell_flip(m.gpu, &(struct sm_cell){
                             .structure = SM_S_barrier, .index = {31, 15}, .field = 1, .bit = 31});
    CU_ASSERT(m.gpu->sm->s.block[31].arrived[15] == mask_of(63));
    sm_structure_get(m.img, SM_S_sched, &s);
    CU_ASSERT_EQUAL(s.field[0].bits, 6);
    machine_end(&m);
    m = machine_start("g80", 32, K "NOP.EXIT");
    sm_structure_get(m.img, SM_S_barrier, &s);
    CU_ASSERT_EQUAL(s.nfields, 1);
    CU_ASSERT_EQUAL(s.field[0].bits, 24);
    sm_structure_get(m.img, SM_S_sched, &s);
    CU_ASSERT_EQUAL(s.field[0].bits, 5);
    machine_end(&m);
}

static void resident_threads_are_limited_by_themselves(void)
{
    struct job *job = machine_job("g80", K "loop: BRA loop");
    job->profile.threads_per_sm = 200;
    machine_launch(job, 0, 9, 60);
    struct machine m = machine_load(job);
    gpu_run(m.gpu, 500);
    CU_ASSERT_EQUAL(m.gpu->grid.next_block, 3);
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
        CU_ASSERT_EQUAL(m.gpu->grid.next_block, blocks);
        CU_ASSERT_EQUAL(m.gpu->grid.ended_blocks, blocks);
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
    while (!gpu_ended(m.gpu) && m.gpu->grid.next_block < 9)
        gpu_tick(m.gpu);
    const struct sm_block *b = NULL;
    for (int i = 0; i < SM_MAX_BLOCKS; i++)
        if (m.gpu->sm->s.block[i].live && m.gpu->sm->s.block[i].x == 8)
            b = &m.gpu->sm->s.block[i];
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
        CU_ASSERT_EQUAL(machine_cycle(&m, i, 0), 23 + 4 * (uint64_t)i);
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
    gpu_run(m.gpu, 200);
    const struct sm_block *b = &m.gpu->sm->s.block[4];
    CU_ASSERT_EQUAL(b->x, 1);
    CU_ASSERT_EQUAL(b->y, 1);
    CU_ASSERT_EQUAL(b->shared, 0x30);
    uint16_t header[8], want[8] = {1, 8, 4, 2, 3, 2, 1, 1};
    uint32_t param[2];
    memcpy(header, &m.gpu->sm->s.shared[b->shared0], 16);
    memcpy(param, &m.gpu->sm->s.shared[b->shared0 + 16], 8);
    CU_ASSERT_EQUAL(memcmp(header, want, 16), 0);
    CU_ASSERT_EQUAL(param[0], 0x11223344);
    CU_ASSERT_EQUAL(param[1], 0xaabbccdd);
    machine_end(&m);
}

int main(void)
{
    return CHECK_RUN(
        "blocks", CHECK(a_barrier_holds_until_every_warp_has_arrived),
        CHECK(a_warp_that_ends_counts_as_arrived), CHECK(arriving_does_not_wait),
        CHECK(barriers_can_be_used_again), CHECK(a_barrier_holds_every_time_it_is_used),
        CHECK(a_barrier_ignores_its_predicate), CHECK(barriers_are_per_block),
        CHECK(warps_that_wait_for_each_other_are_a_deadlock),
        CHECK(residency_ends_with_the_scarcest_resource),
        CHECK(the_largest_machine_fills_all_its_warps_registers_and_shared_memory),
        CHECK(a_barrier_joins_the_32_warps_of_a_block_in_any_of_64_slots),
        CHECK(arrivals_of_more_than_32_warps_have_a_word_of_their_own),
        CHECK(resident_threads_are_limited_by_themselves),
        CHECK(a_grid_larger_than_the_machine_runs_all_its_blocks_once_and_in_order),
        CHECK(a_block_starts_in_the_lowest_free_slots), CHECK(one_block_starts_in_a_slot),
        CHECK(launches_run_one_after_the_other_on_one_memory),
        CHECK(registers_flags_and_shared_memory_keep_what_the_last_block_left),
        CHECK(everything_is_zero_at_the_start_of_a_job), CHECK(r0_holds_the_thread),
        CHECK(shared_memory_begins_with_the_launch_and_the_parameters));
}
