/* test_stuck_at.c -- stuck-at faults of every structure: what is pruned ends as brute force says.
 *
 *     test_stuck_at                     cells of all structures of a tiny machine, both values, in three kernels
 *     test_stuck_at all                 every cell
 *     test_stuck_at mixes FIRST COUNT   the same of so many random programs
 *     test_stuck_at FILE.job.xml N      N random faults of a job
 */
#include "tests/lib/flips.h"

/* Under sanitizers some of each structure. */
static const char *const cells = SANITIZED
                                     ? "dstack/w*/le1/tm3,dsp,rf/p*/b5,cc/c0/z7,areg/a1/b3,shared/"
                                       "p*/b9,pc/b3,mask/t4,ir/lo*,exec/t2,tstate/lo3,"
                                       "barrier/bar0/w0,sched"
                                     : "all";

static void hold_everything(struct job *job, const char *pattern, long stride)
{
    long tried = 0;
    struct fsim_campaign c = faults_campaign(job, pattern, (struct fsim_options){.run.threads = 1});
    CU_ASSERT_EQUAL(faults_brute_differences(&c, stride, &tried), 0);
    CU_ASSERT_TRUE(tried > 100);
    fsim_campaign_free(&c);
    job_free(job);
}

static long stride = SANITIZED ? 3 : 9;

static void every_cell_held_at_either_value_ends_as_brute_force_says(void)
{
    hold_everything(faults_job("tiny", 3, 20, EVERYTHING), cells, stride);
    hold_everything(flips_structured(3), cells, stride);
    hold_everything(flips_mix(5), cells, stride);
}

/* Each thread adds up what the clock says behind each of 20 barriers. */
#define CLOCK(name, plus)                                                                          \
    ".kernel " name "\n.param ptr out\n"                                                           \
    "  I2I.U32.U16 R1, R0L\n  I2I.U32.U16 R7, s[0xc]\n  SHL R7, R7, 8\n  IADD R1, R1, R7\n"        \
    "  SHL R4, R1, 2\n  IADD R4, s[out], R4\n  IADD32I R4, R4, " plus "\n"                         \
    "  MVI R3, 0\n  MVI R5, 0\n  MVI R6, 20\n"                                                     \
    "loop" name ": ISET.S32.C0 o[0x7f], R5, R6, LT\n  BAR.ARV.WAIT b0, 0xfff\n"                    \
    "  S2R R2, SR_CLOCK\n  SHL R7, R3, 1\n  IADD R3, R3, R7\n  IADD R3, R3, R2\n"                  \
    "  IADD32I R5, R5, 1\n  BRA C0.NE, loop" name "\n  GST.U32 global14[R4], R3\n  NOP.EXIT\n"

/* In 8 warps, then in 24: bits 3 and 4 matter with more than 8. */
static void a_clock_in_the_outputs_shows_every_fault_of_the_scheduler(void)
{
    struct fl_err err;
    struct fsim_counts k;
    struct job *job = faults_job("flexgripplus", 3, 256, CLOCK("k", "0x0") CLOCK("l", "0x400"));
    job->launch[0].grid[0] = 1;
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    struct fsim_campaign c = faults_campaign(job, "sched", (struct fsim_options){.run.threads = 1});
    faults_count(&c.list, c.result, false, -1, -1, &k);
    CU_ASSERT_EQUAL(k.faults, 10);
    CU_ASSERT_EQUAL(k.by_outcome[OUT_SDC], 10);
    fsim_campaign_free(&c);
    job_free(job);
}

static void a_later_block_finds_what_a_held_register_has_left_in_another(void)
{
    hold_everything(faults_job("tiny", 2, 32, HELD_LEFTOVERS), "rf/p64-95", 1);
}

static uint64_t first_mix, mixes;

static void cells_held_in_random_programs_end_as_brute_force_says(void)
{
    for (uint64_t i = first_mix; i < first_mix + mixes; i++)
        hold_everything(i % 2 ? flips_mix(i) : flips_structured(i), cells, 1);
}

static const char *path;
static long count;

static void random_faults_of_a_job_end_as_brute_force_says(void)
{
    struct job *job = faults_load(path);
    struct fsim_campaign c = faults_campaign(job, "all", (struct fsim_options){.run.threads = 0});
    long tried = 0, acting = 0;
    for (long i = 0; i < c.list.count; i++)
        acting += c.result[i].first_activation != FSIM_NEVER;
    CU_ASSERT_EQUAL(faults_brute_differences(&c, acting / count + 1, &tried), 0);
    printf(" %ld faults ", tried);
    fsim_campaign_free(&c);
    job_free(job);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "mixes") == 0) {
        first_mix = strtoull(argv[2], NULL, 10);
        mixes = strtoull(argv[3], NULL, 10);
        return CHECK_RUN("stuck-at, random programs",
                         CHECK(cells_held_in_random_programs_end_as_brute_force_says));
    }
    if (argc == 2 && strcmp(argv[1], "all") == 0)
        stride = 1;
    if (argc == 3) {
        path = argv[1];
        count = strtol(argv[2], NULL, 10);
        return CHECK_RUN("stuck-at, a job", CHECK(random_faults_of_a_job_end_as_brute_force_says));
    }
    return CHECK_RUN("stuck-at", CHECK(every_cell_held_at_either_value_ends_as_brute_force_says),
                     CHECK(a_later_block_finds_what_a_held_register_has_left_in_another),
                     CHECK(a_clock_in_the_outputs_shows_every_fault_of_the_scheduler));
}
