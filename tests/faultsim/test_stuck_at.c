/* test_stuck_at.c -- stuck-at faults of every structure: what is pruned ends as brute force says.
 *
 *     test_stuck_at                     cells of all structures of a tiny machine, both values, in three kernels
 *     test_stuck_at all                 every cell
 *     test_stuck_at soups FIRST COUNT   the same of so many random programs
 *     test_stuck_at FILE.job.xml N      N random faults of a job
 */
#include "tests/lib/upsets.h"

#include <string.h>

/* Under sanitizers some of each structure. */
static const char *const cells = SANITIZED
                                     ? "dstack/w*/le1/tm3,dsp,rf/p*/b5,cc/c0/z7,areg/a1/b3,shared/"
                                       "p*/b9,pc/b3,mask/t4,ir/lo*,exec/t2,tstate/lo3,"
                                       "barrier/bar0/w0,sched"
                                     : "all";

static void hold_everything(struct job *job, long stride)
{
    long tried = 0;
    struct fsim_campaign c = faults_campaign(job, cells, (struct fsim_options){.threads = 1});
    CU_ASSERT_EQUAL(faults_brute_differences(&c, stride, &tried), 0);
    CU_ASSERT_TRUE(tried > 100);
    fsim_campaign_free(&c);
    job_free(job);
}

static long stride = SANITIZED ? 3 : 9;

static void every_cell_held_at_either_value_ends_as_brute_force_says(void)
{
    hold_everything(faults_job("tiny", 3, 20, EVERYTHING), stride);
    hold_everything(upsets_structured(3), stride);
    hold_everything(upsets_soup(5), stride);
}

static uint64_t first_soup, soups;

static void cells_held_in_random_programs_end_as_brute_force_says(void)
{
    for (uint64_t i = first_soup; i < first_soup + soups; i++)
        hold_everything(i % 2 ? upsets_soup(i) : upsets_structured(i), 1);
}

static const char *path;
static long count;

static void random_faults_of_a_job_end_as_brute_force_says(void)
{
    struct job *job = faults_load(path);
    struct fsim_campaign c = faults_campaign(job, "all", (struct fsim_options){.threads = 0});
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
    if (argc == 4 && strcmp(argv[1], "soups") == 0) {
        first_soup = strtoull(argv[2], NULL, 10);
        soups = strtoull(argv[3], NULL, 10);
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
    return CHECK_RUN("stuck-at", CHECK(every_cell_held_at_either_value_ends_as_brute_force_says));
}
