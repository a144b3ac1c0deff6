/* speed.c -- measures the model and the campaigns, for scripts/bench. Prints figures; judges nothing.
 *
 * These figures move with the machine's mood, so what is compared is measured in turn in one run: A B A B ..., and the
 * medians and their ratio are printed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "../faultsim/campaign.h"

enum { ROUNDS = 5 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, by_value);
    return v[n / 2];
}

static int fail(const struct fl_err *err)
{
    fprintf(stderr, "speed: %s\n", err->msg);
    return 1;
}

/* Warp instructions per second of one core, over half a second of processor time a round. */
static int model(const struct job *job, struct fl_err *err)
{
    struct sm_image *img = sm_image_new(job, err);
    if (!img)
        return -1;
    struct sm *start = sm_new(img), *m = sm_new(img);
    double rate[ROUNDS];
    uint64_t instructions = 0, cycles = 0;
    for (int i = 0; i < ROUNDS; i++) {
        double from = cpu_now();
        instructions = cycles = 0;
        while (cpu_now() - from < 0.5) {
            sm_copy(m, start);
            while (!sm_ended(m))
                sm_tick(m);
            instructions += m->s.instructions;
            cycles += sm_cycles(m);
        }
        rate[i] = (double)instructions / (cpu_now() - from);
    }
    double r = median(rate, ROUNDS);
    printf("model %-28s %7.2f million warp instructions/s, %8.1f million cycles/s, one core\n",
           job->name, r * 1e-6, r * (double)cycles / (double)instructions * 1e-6);
    sm_free(m);
    sm_free(start);
    sm_image_free(img);
    return 0;
}

static int campaign(const struct job *job, const struct fsim_options *opt, double *seconds,
                    struct fl_err *err)
{
    struct fsim_campaign c;
    const char *pattern = "dstack";
    double from = now();
    if (fsim_campaign_run(&c, job, &pattern, 1, NULL, opt, err) != 0)
        return -1;
    *seconds = now() - from;
    fsim_campaign_free(&c);
    return 0;
}

/* Two ways to run the 4,224-fault campaign, in turn. */
static int compare(const struct job *job, const char *a_name, const struct fsim_options *a,
                   const char *b_name, const struct fsim_options *b, int rounds, struct fl_err *err)
{
    double ta[ROUNDS], tb[ROUNDS], ratio[ROUNDS];
    for (int i = 0; i < rounds; i++) {
        if (campaign(job, a, &ta[i], err) != 0 || campaign(job, b, &tb[i], err) != 0)
            return -1;
        ratio[i] = tb[i] / ta[i];
    }
    printf("campaign %-25s %s %.3f s, %s %.3f s: ratio %.2f (medians of %d pairs)\n", job->name,
           a_name, median(ta, rounds), b_name, median(tb, rounds), median(ratio, rounds), rounds);
    return 0;
}

int main(int argc, char **argv)
{
    struct fl_err err;
    struct job *job;
    if (argc != 3) {
        fprintf(stderr, "usage: speed model|pruning|threads JOB.xml\n");
        return 2;
    }
    if (job_load(argv[2], NULL, &job, &err) != 0)
        return fail(&err);
    struct fsim_options one = {.threads = 1, .max_cycles = 1000000000}, brute = one, two = brute;
    brute.exhaustive = true;
    two.threads = 2;
    int r = -1;
    if (strcmp(argv[1], "model") == 0) {
        r = model(job, &err);
    } else if (strcmp(argv[1], "pruning") == 0) {
        r = compare(job, "pruned", &one, "exhaustive", &brute, 3, &err);
    } else if (strcmp(argv[1], "threads") == 0) {
        two.exhaustive = true; /* long enough to measure */
        r = compare(job, "two threads", &two, "one", &brute, 3, &err);
    } else {
        fl_fail(&err, "'%s' is nothing to measure; there are model, pruning and threads", argv[1]);
    }
    job_free(job);
    if (r != 0)
        return fail(&err);
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    if (strcmp(argv[1], "model") != 0)
        printf("%34s peak memory %ld MB\n", "", u.ru_maxrss / 1024);
    return 0;
}
