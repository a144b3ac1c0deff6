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

#include "asm/sasm/sasm.h"
#include "faultsim/permanent/campaign.h"
#include "faultsim/record/run.h"
#include "faultsim/verdict/transient.h"
#ifdef FAULTLINE_RTL
#include "rtl/twin/smrtl.h"
#endif

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
    struct gpu *start = gpu_new(img), *m = gpu_new(img);
    double rate[ROUNDS];
    uint64_t instructions = 0, cycles = 0;
    for (int i = 0; i < ROUNDS; i++) {
        double from = cpu_now();
        instructions = cycles = 0;
        while (cpu_now() - from < 0.5) {
            gpu_copy(m, start);
            gpu_run(m, UINT64_MAX - 1);
            instructions += m->sm->s.instructions;
            cycles += gpu_cycles(m);
        }
        rate[i] = (double)instructions / (cpu_now() - from);
    }
    double r = median(rate, ROUNDS);
    printf("model %-28s %7.2f million warp instructions/s, %8.1f million cycles/s, one core\n",
           job->name, r * 1e-6, r * (double)cycles / (double)instructions * 1e-6);
    gpu_free(m);
    gpu_free(start);
    sm_image_free(img);
    return 0;
}

/* An endless supply of one instruction: 64 of them in a loop, on eight warps. */
static struct job *loop_job(const char *instruction, struct fl_err *err)
{
    char *text = fl_format(
        ".kernel loop\n.shared room, 4096\n.const k, u32, 3\n"
        "I2I.U32.U16 R1, R0L\nR2A A1, R1, 0x2\nMVI R9, 200\nMVI R2, 0x3f800000\nMVI R3, "
        "0x40000000\n"
        "again:\n.rept 64\n%s\n.endr\n"
        "IADD32I R9, R9, 0xffffffff\nISET.C1 o[0x7f], R9, R124, NE\nBRA C1.NE, again\nNOP.EXIT\n",
        instruction);
    struct job *job = fl_alloc(sizeof *job);
    job->name = fl_strdup("loop");
    job->path = fl_strdup("loop");
    job->nlaunches = 1;
    job->launch = fl_alloc(sizeof *job->launch);
    job->launch[0] = (struct job_launch){
        .kernel = fl_strdup("loop"), .grid = {1, 1}, .block = {256, 1, 1}};
    bool bad = profile_load("g80", &job->profile, err) != 0 ||
               sasm_assemble("loop.sasm", text, &job->cubin, err) != 0 || job_finish(job, err) != 0;
    free(text);
    if (!bad)
        return job;
    job_free(job);
    return NULL;
}

static int classes(struct fl_err *err)
{
    static const char *const list[][2] = {
        {"integer", "IADD R4, R1, R2"},
        {"integer, flags", "ISET.S32.C0 o[0x7f], R1, R2, LT"},
        {"shift", "SHL R4, R1, 0x2"},
        {"logic", "LOP.XOR R4, R1, R2"},
        {"multiply 16", "IMAD.U16 R4, R1L, R2L, R3"},
        {"float add", "FADD R4, R2, R3"},
        {"float multiply", "FMUL R4, R2, R3"},
        {"float mad", "FMAD R4, R2, R3, R1"},
        {"conversion", "I2F.F32.U32 R4, R1"},
        {"reciprocal", "RCP R4, R2"},
        {"move", "MOV R4, R1"},
        {"shared load", "MOV R4, s[A1+room]"},
        {"shared store", "R2G.U32.U32 s[A1+room], R2"},
        {"constant", "IADD R4, R1, c1[k]"},
        {"branch", "BRA C0.EQ, again"},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        struct job *job = loop_job(list[i][1], err);
        struct sm_image *img = job ? sm_image_new(job, err) : NULL;
        if (!img) {
            job_free(job);
            return -1;
        }
        struct gpu *start = gpu_new(img), *m = gpu_new(img);
        double from = cpu_now();
        uint64_t n = 0;
        while (cpu_now() - from < 0.2) {
            gpu_copy(m, start);
            gpu_run(m, UINT64_MAX - 1);
            n += m->sm->s.instructions;
        }
        printf("class %-28s %7.2f million warp instructions/s   %s\n", list[i][0],
               (double)n / (cpu_now() - from) * 1e-6, list[i][1]);
        gpu_free(m);
        gpu_free(start);
        sm_image_free(img);
        job_free(job);
    }
    return 0;
}

static int campaign(const struct job *job, const struct fsim_options *opt, double *seconds,
                    struct fl_err *err)
{
    struct fsim_campaign c;
    const char *pattern = "dstack";
    double from = now();
    if (fsim_campaigns_run(&job, 1, &(struct fsim_wanted){&pattern, 1, NULL}, opt, &c, NULL, err) !=
        0)
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

#ifdef FAULTLINE_RTL
/* Cycles of the RTL per second of one core, without records, over a second of processor time a round. */
static int rtl_model(const struct job *job, struct fl_err *err)
{
    struct sm_image *img = sm_image_new(job, err);
    struct smrtl *start = img ? smrtl_new(img, err) : NULL, *m = start ? smrtl_new(img, err) : NULL;
    double rate[ROUNDS];
    for (int i = 0; m && i < ROUNDS; i++) {
        double from = cpu_now();
        uint64_t cycles = 0;
        while (cpu_now() - from < 1) {
            smrtl_copy(m, start);
            smrtl_run(m, UINT64_MAX);
            cycles += smrtl_cycles(m);
        }
        rate[i] = (double)cycles / (cpu_now() - from);
    }
    if (m)
        printf("rtl %-30s %8.0f thousand cycles/s, one core\n", job->name,
               median(rate, ROUNDS) * 1e-3);
    smrtl_free(m);
    smrtl_free(start);
    sm_image_free(img);
    return m ? 0 : -1;
}

/* The 4,224-fault campaign on the RTL, once: it takes its time. */
static int rtl_campaign(const struct job *job, struct fl_err *err)
{
    struct fsim_options o = {
        .run.threads = 2, .run.max_cycles = 1000000000, .run.engine = engine_find("rtl", err)};
    double seconds, from = cpu_now();
    if (campaign(job, &o, &seconds, err) != 0)
        return -1;
    printf("rtl campaign %-21s %.1f s on two threads, %.1f s of processor time\n", job->name,
           seconds, cpu_now() - from);
    return 0;
}
#endif

/* ---- transient faults of the register file ----------------------------------------------------------------------- */

struct bench {
    struct sm_image *img;
    struct golden *g;
    struct accesses *t;
    struct fsim_worker *w;
    int rf;
    double prepared; /* seconds */
};

static int bench_open(struct bench *b, const struct job *job, struct fl_err *err)
{
    double from = cpu_now();
    *b = (struct bench){0};
    if (!(b->img = sm_image_new(job, err)) || !(b->g = golden_new(b->img, 1000000000, err)) ||
        !(b->t = record_run(
              b->g, &(struct record_wanted){.flow_bytes = FLOW_BYTES, .access_bytes = 1u << 30})))
        return -1;
    b->w = fsim_worker_new(b->g);
    b->rf = sm_structure_find(b->img, "rf");
    b->prepared = cpu_now() - from;
    return 0;
}

static void bench_close(struct bench *b)
{
    fsim_worker_free(b->w);
    accesses_free(b->t);
    golden_free(b->g);
    sm_image_free(b->img);
}

static uint64_t draw(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Random flips over all bits of the register file and all cycles. */
static int flips(const struct job *job, struct fl_err *err)
{
    enum { FLIPS = 20000 };
    struct bench b;
    struct fl_buf out = {0};
    long count[OUT_COUNT] = {0}, simulated = 0;
    uint64_t seed = 1;
    if (bench_open(&b, job, err) != 0)
        return -1;
    double from = cpu_now(), run = 0;
    for (int i = 0; i < FLIPS; i++) {
        uint32_t reg = (uint32_t)(draw(&seed) % (uint32_t)b.img->profile.regs);
        int bit = (int)(draw(&seed) % 32);
        struct sm_cell cell = {.structure = b.rf, .index = {(int)reg}, .bit = bit};
        struct fsim_fault u = fsim_flip(cell, draw(&seed) % b.g->cycles);
        struct transient_result r;
        double start = cpu_now();
        transient_simulate(b.w, b.t, &u, &r);
        run += r.ran ? cpu_now() - start : 0;
        simulated += r.ran;
        count[r.r.outcome]++;
    }
    double all = cpu_now() - from;
    fl_buf_printf(&out, "flips %-28s %8.0f a second of %d, one core; %ld simulated, %.0f a second;",
                  job->name, FLIPS / all, FLIPS, simulated, (double)simulated / run);
    for (int i = 0; i < OUT_COUNT; i++)
        fl_buf_printf(&out, " %s %ld", fsim_outcome_name((enum fsim_outcome)i), count[i]);
    printf("%.*s; %.2f s to prepare\n", (int)out.size, (char *)out.data, b.prepared);
    fl_buf_free(&out);
    bench_close(&b);
    return 0;
}

int main(int argc, char **argv)
{
    struct fl_err err;
    struct job *job;
    if (argc == 2 && strcmp(argv[1], "classes") == 0)
        return classes(&err) == 0 ? 0 : fail(&err);
    if (argc != 3) {
        fprintf(stderr,
                "usage: speed model|pruning|threads|rtl|rtl-campaign JOB.xml, or speed classes\n");
        return 2;
    }
    if (job_load(argv[2], NULL, &job, &err) != 0)
        return fail(&err);
    struct fsim_options one = {.run.threads = 1, .run.max_cycles = 1000000000}, brute = one,
                        two = brute;
    brute.run.exhaustive = true;
    two.run.threads = 2;
    int r = -1;
    if (strcmp(argv[1], "model") == 0) {
        r = model(job, &err);
    } else if (strcmp(argv[1], "pruning") == 0) {
        r = compare(job, "pruned", &one, "exhaustive", &brute, 3, &err);
    } else if (strcmp(argv[1], "flips") == 0) {
        r = flips(job, &err);
    } else if (strcmp(argv[1], "threads") == 0) {
        two.run.exhaustive = true; /* long enough to measure */
        r = compare(job, "two threads", &two, "one", &brute, 3, &err);
#ifdef FAULTLINE_RTL
    } else if (strcmp(argv[1], "rtl") == 0) {
        r = rtl_model(job, &err);
    } else if (strcmp(argv[1], "rtl-campaign") == 0) {
        r = rtl_campaign(job, &err);
#endif
    } else {
        fl_fail(&err, "'%s' is nothing to measure; there are model, pruning, threads and flips",
                argv[1]);
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
