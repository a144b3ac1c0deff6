/* test_icache.c -- caches for instructions: when a warp waits, for how long, and what broken lines and tags
 * do. What they hold and count beside a simulator of their own: test_caches.c. That pruned faults end as by brute
 * force: test_cache_faults.c. */
#include "tests/lib/check.h"
#include "tests/lib/machine.h"

enum { TAG, VALID, AGE };
enum {
    FIRST = 4 + 20,
    ALONE = 20
}; /* a transaction and the latency of memory; a lone instruction */

/* Two sets of two lines of 16 bytes, two long instructions each, in front of memory or of an L2. */
static struct job *with_l1i(const char *text, bool has_l2)
{
    struct job *job = machine_job("tiny-chip", text);
    struct profile_cache c = {
        .bytes = 64, .line = 16, .ways = 2, .spaces = 1u << CACHE_CODE, .next = CACHE_MEMORY};
    job->profile.sms = 1;
    job->profile.cache[CACHE_L1I] = c;
    if (!has_l2)
        return job;
    job->profile.cache[CACHE_L1I].next = CACHE_L2;
    job->profile.cache[CACHE_L2] = c;
    job->profile.cache[CACHE_L2].line = 64;
    job->profile.cache[CACHE_L2].bytes = 256;
    job->profile.cache[CACHE_L2].latency = 12;
    return job;
}

static struct machine started(const char *text, bool has_l2, uint32_t threads)
{
    struct job *job = with_l1i(text, has_l2);
    uint32_t addr = machine_buffer(job, 4096, NULL);
    struct job_launch *l = machine_launch(job, 0, 1, threads);
    if (strstr(text, ".param"))
        machine_param(l, addr);
    return machine_load(job);
}

/* Six long instructions, then two short ones in one line. */
static const char straight[] = K ".param ptr p\nMVI R1, 1\nMVI R2, 2\nMVI R3, 3\nMVI R4, 4\n"
                                 "MVI R5, 5\nIADD32I R6, R5, 6\nMOV R1, s[p]\n"
                                 "GST.U32 global14[R1], R6\nNOP.EXIT";

static uint64_t waited(const struct machine *m, int n)
{
    return machine_cycle(m, 0, n) - machine_cycle(m, 0, n - 1) - ALONE;
}

static void a_warp_whose_fetch_misses_waits_for_the_line(void)
{
    struct machine m = started(straight, false, 1);
    machine_run(&m);
    ASSERT_FINISHED(m);
    CU_ASSERT_EQUAL(waited(&m, 1), 0);
    CU_ASSERT_EQUAL(waited(&m, 2), FIRST);
    CU_ASSERT_EQUAL(waited(&m, 3), 0);
    CU_ASSERT_EQUAL(waited(&m, 4), FIRST);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 11);
    CU_ASSERT_EQUAL(m.gpu->counts[CACHE_L1I].hits + m.gpu->counts[CACHE_L1I].misses, 9);
    machine_end(&m);
}

static void a_line_that_an_l2_has_comes_in_its_latency(void)
{
    struct machine m = started(straight, true, 1);
    machine_run(&m);
    ASSERT_FINISHED(m);
    CU_ASSERT_EQUAL(waited(&m, 2), 4 + 12); /* the L2's line has four of L1's */
    CU_ASSERT_EQUAL(waited(&m, 4), 4 + 12);
    CU_ASSERT_EQUAL(m.gpu->counts[CACHE_L2].misses, 2);
    machine_end(&m);
}

static void a_hit_waits_as_long_as_the_cache_says(void)
{
    struct job *job = with_l1i(straight, false);
    job->profile.cache[CACHE_L1I].latency = 8;
    uint32_t addr = machine_buffer(job, 64, NULL);
    machine_param(machine_launch(job, 0, 1, 1), addr);
    struct machine m = machine_load(job);
    machine_run(&m);
    CU_ASSERT_EQUAL(waited(&m, 1), 8);
    CU_ASSERT_EQUAL(waited(&m, 2), FIRST);
    machine_end(&m);
}

/* Two warps leave a barrier in one slot. Warp 0 comes first, and its next line is not there; that of warp 1 is. */
static void a_warp_that_misses_leaves_the_slot_to_the_next(void)
{
    struct machine m = started(
        K "BRA C0.EQ, other\nMVI R1, 1\nMVI R1, 2\nBAR.ARV.WAIT b0, 0xfff\nMVI R1, 3\nNOP.EXIT\n"
          ".org 0x40\nother: MVI R1, 4\nMVI R1, 5\nMVI R1, 6\nMVI R1, 7\n"
          "BAR.ARV.WAIT b0, 0xfff\nMVI R1, 8\nNOP.EXIT",
        false, 64);
    machine_flags(&m, 1, 0, ALL);
    machine_run(&m);
    ASSERT_FINISHED(m);
    CU_ASSERT_EQUAL(machine_cycle(&m, 1, 6) - machine_cycle(&m, 1, 5), ALONE);
    CU_ASSERT(machine_cycle(&m, 0, 4) > machine_cycle(&m, 1, 6));
    machine_end(&m);
}

/* Runs `straight` up to `n` instructions, flips a cell of set 0, runs on. */
static struct machine flipped(uint64_t n, const char *structure, int field, int way, int word,
                              int bit)
{
    struct machine m = started(straight, false, 1);
    machine_run_instructions(&m, n);
    struct sm_cell c = machine_cell(&m, structure, field, bit, 0, way);
    c.index[2] = word;
    machine_flip(&m, c);
    machine_run(&m);
    return m;
}

/* The sixth instruction, at 0x28, is the second of its line, which lies in way 1 of set 0 when the fifth has
 * committed; in way 0 the first two instructions. */
static void a_flipped_bit_of_a_line_is_the_instruction_that_is_executed(void)
{
    struct machine m = flipped(5, "l1i_data", 0, 1, 2, 16 + 3); /* bit 3 of the immediate */
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 5 + (6 ^ 8));
    ASSERT_FINISHED(m);
    machine_end(&m);
}

static void a_flipped_bit_that_no_instruction_has_traps(void)
{
    struct machine m = flipped(5, "l1i_data", 0, 1, 2, 31);
    ASSERT_TRAP(m, ILLEGAL_INSTRUCTION);
    machine_end(&m);
}

static void a_flip_behind_the_last_fetch_from_a_line_does_nothing(void)
{
    struct machine m = flipped(6, "l1i_data", 0, 1, 2, 16 + 3);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 11);
    machine_end(&m);
}

static void a_wrong_tag_gives_the_instructions_of_another_line(void)
{
    struct machine m = flipped(4, "l1i", TAG, 0, 0, 0);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 0);          /* who adds has been replaced */
    CU_ASSERT_EQUAL(m.gpu->counts[CACHE_L1I].misses, 4); /* of five lines */
    machine_end(&m);
}

static void a_line_that_is_no_longer_valid_is_fetched_again(void)
{
    struct machine m = flipped(5, "l1i", VALID, 1, 0, 0);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 11);
    CU_ASSERT_EQUAL(m.gpu->counts[CACHE_L1I].misses, 6);
    machine_end(&m);
}

static void an_l1i_is_empty_behind_each_launch(void)
{
    struct job *job = with_l1i(K "NOP\nNOP.EXIT", false);
    for (int i = 0; i < 3; i++)
        machine_launch(job, 0, 1, 1);
    struct machine m = machine_load(job);
    machine_run(&m);
    CU_ASSERT_EQUAL(m.gpu->counts[CACHE_L1I].misses, 3);
    machine_end(&m);
}

/* A jump to where no code is asks no cache. */
static void a_fetch_of_no_code_traps_as_without_a_cache(void)
{
    struct machine m = started(K "BRA 0x4000\nNOP.EXIT", false, 1);
    machine_run(&m);
    ASSERT_TRAP(m, FETCH_UNMAPPED);
    CU_ASSERT_EQUAL(m.gpu->counts[CACHE_L1I].misses, 1);
    machine_end(&m);
}

static void machines_that_wait_for_lines_alike_recur(void)
{
    struct machine a = started(straight, false, 1), b = started(straight, false, 1);
    machine_run_instructions(&a, 2);
    machine_run_instructions(&b, 2);
    CU_ASSERT(mask_has(a.gpu->sm->s.fetching, 0));
    a.gpu->sm->s.line_ready[0] += 16; /* time has passed up to the line */
    b.gpu->sm->s.line_ready[0] += 16;
    a.gpu->sm->s.next += 8;
    a.gpu->channel->free += 8;
    CU_ASSERT_FALSE(gpu_recurs(a.gpu, b.gpu)); /* it waits less long */
    a.gpu->sm->s.line_ready[0] += 8;
    CU_ASSERT(gpu_recurs(a.gpu, b.gpu));
    CU_ASSERT_FALSE(gpu_same(a.gpu, b.gpu));
    machine_end(&a);
    machine_end(&b);
}

int main(void)
{
    return CHECK_RUN("icache", CHECK(a_warp_whose_fetch_misses_waits_for_the_line),
                     CHECK(a_line_that_an_l2_has_comes_in_its_latency),
                     CHECK(a_hit_waits_as_long_as_the_cache_says),
                     CHECK(a_warp_that_misses_leaves_the_slot_to_the_next),
                     CHECK(a_flipped_bit_of_a_line_is_the_instruction_that_is_executed),
                     CHECK(a_flipped_bit_that_no_instruction_has_traps),
                     CHECK(a_flip_behind_the_last_fetch_from_a_line_does_nothing),
                     CHECK(a_wrong_tag_gives_the_instructions_of_another_line),
                     CHECK(a_line_that_is_no_longer_valid_is_fetched_again),
                     CHECK(an_l1i_is_empty_behind_each_launch),
                     CHECK(a_fetch_of_no_code_traps_as_without_a_cache),
                     CHECK(machines_that_wait_for_lines_alike_recur));
}
