/* test_atomic_faults.c -- faults in jobs with atomic operations: what is pruned or followed as data ends as brute force
 * ends it. tests/chips/test_random_chips.c has random jobs; here is each shape that could go wrong on its own. */
#include "tests/lib/flips.h"

#define DATA   FAULTLINE_SOURCE_DIR "/tests/data/"
#define TINY12 DATA "tiny12.xml"
#define CHIP12 DATA "chip12.xml"
/* R0: thread of the launch; R1: the address of its word, R2: that of the first one */
#define START                                                                                      \
    ".kernel k\n.param ptr OUT\n.regs 8\nI2I.U32.U16 R1, R0L\nMOV.U16 R0H, s[0x2].U16\n"           \
    "IMAD.U16 R0, s[0xc].U16, R0H, R1\nMOV R2, s[OUT]\nSHL R1, R0, 2\nIADD R1, R1, R2\n"           \
    "MVI R7, 0x400\nIADD R7, R7, R2\n"

static const char histogram[] = START
    "LOP32I.AND R3, R0, 0x3\nSHL R3, R3, 2\nIADD R3, R3, R7\nMVI R4, 1\n"
    "GRED.IADD.U32 global14[R3], R4\nGRED.MAX.U32 global14[R7], R0\nNOP.EXIT\n";
static const char ticket_as_address[] = START
    "MVI R3, 0xff\nGATOM.INC.U32 R4, global14[R7], R3\nSHL R4, R4, 2\nIADD R4, R4, R2\n"
    "GST.U32 global14[R4], R0\nNOP.EXIT\n";
static const char last_one_sums[] = START
    "GST.U32 global14[R1], R0\nMVI R3, 1\nGATOM.IADD.U32 R4, global14[R7], R3\n"
    "MVI R5, 0x4f\nISET.C0 o[0x7f], R4, R5, NE\nSSY join\nBRA C0.NE, join\n"
    "MVI R6, 0\nMVI R3, 80\nmore: GLD.U32 R4, global14[R2]\nIADD R6, R6, R4\nIADD32I R2, R2, 4\n"
    "IADD32I R3, R3, -1\nISET.C0 o[0x7f], R3, R124, NE\nBRA C0.NE, more\n"
    "IADD32I R7, R7, 4\nGST.U32 global14[R7], R6\njoin: NOP.S\nNOP.EXIT\n";
static const char votes[] = START
    "LOP32I.AND R3, R0, 0x40\nISET.C0 o[0x7f], R3, R124, NE\nVOTE.ANY C1 (C0.NE)\n"
    "VOTE.ALL C2 (C0.NE)\nMVI R4, 3\nIADD R4 (C1.NE), R4, R0\nIADD R4 (C2.NE), R4, R4\n"
    "GATOM.EXCH.U32 R5, global14[R1], R4\nIADD R5, R5, R4\nGST.U32 global14[R1], R5\nNOP.EXIT\n";
static const char lock[] = START /* each thread adds under a lock: what others wait for */
    "SSY join\nMVI R3, 1\nMVI R6, 0\nagain: GATOM.CAS.U32 R4, global14[R7], R6, R3\n"
    "ISET.C0 o[0x7f], R4, R124, NE\nBRA C0.NE, again\nGLD.U32 R5, global14[R2]\nIADD R5, R5, R0\n"
    "GST.U32 global14[R2], R5\nGATOM.EXCH.U32 R4, global14[R7], R6\njoin: NOP.S\nNOP.EXIT\n";
static const char pairs[] = START
    "MOV R4, R0\nMVI R5, 1\nGRED.IADD.U64 global14[R7], R4\nSHL R3, R0, 3\nIADD R3, R3, R2\n"
    "GATOM.EXCH.U64 R4, global14[R3], R4\nIADD R5, R5, R4\nGST.U32 global14[R3], R5\nNOP.EXIT\n";

static const char shared_lock[] = START
    ".shared sum, 64\nMVI R3, 0x20\nR2A A1, R3\nPBK end\nagain: G2R.U32.LCK.C0 R4, s[A1]\n"
    "IADD R4 (C0.LT), R4, R0\nR2G.U32.U32.UNL s[A1] (C0.LT), R4\nBRK C0.LT\nBRA again\nend: NOP\n"
    "BAR.ARV.WAIT b0, 0xfff\nMOV R4, s[A1]\nGST.U32 global14[R1], R4\nNOP.EXIT\n";

static const struct {
    const char *name, *text;
    uint32_t blocks, threads;
} shape[] = {{"histogram", histogram, 2, 40},
             {"ticket as address", ticket_as_address, 2, 40},
             {"last one sums", last_one_sums, 2, 40},
             {"votes", votes, 2, 40},
             {"lock", lock, 2, 1},
             {"pairs", pairs, 2, 40},
             {"shared lock", shared_lock, 2, 40}};
enum { SHAPES = sizeof shape / sizeof *shape };

static bool agree(const struct bench *b, const struct fsim_fault *u, long *followed)
{
    struct transient_result pruned;
    struct fsim_statistics before = {0}, after = {0};
    fsim_worker_statistics(b->w, &before);
    bool same = bench_agrees(b, u, &pruned);
    fsim_worker_statistics(b->w, &after);
    *followed += pruned.ran && after.runs == before.runs + 1; /* brute force is one run */
    return same;
}

/* Flips of the registers that threads have, with one SM and with two. */
static void flips_of_registers_end_as_by_brute_force(void)
{
    for (int i = 0; i < 2 * SHAPES; i++) {
        const char *profile = i % 2 ? CHIP12 : TINY12;
        struct bench b = bench_open(
            faults_job(profile, shape[i / 2].blocks, shape[i / 2].threads, shape[i / 2].text),
            false);
        uint64_t seed = (uint64_t)i + 1;
        long wrong = 0, followed = 0;
        for (int k = 0; k < (SANITIZED ? 600 : 3000) && wrong < 5; k++) {
            struct sm_cell c = sm_unit_cell(b.img, SM_S_rf, machine_random(&seed) % 16,
                                            (int)(machine_random(&seed) % 32),
                                            (int)(machine_random(&seed) % 32));
            struct sm_structure s;
            sm_structure_get(b.img, SM_S_rf, &s);
            if (c.bit > 9 && machine_random(&seed) % 4)
                c.bit %= 10;
            c.place = (int)(machine_random(&seed) % (uint32_t)s.places);
            struct fsim_fault u = fsim_flip(c, machine_random(&seed) % b.g->cycles);
            wrong += !agree(&b, &u, &followed);
        }
        if (wrong || !followed)
            printf("\n    %s on %s: %ld followed", shape[i / 2].name, b.img->profile.name,
                   followed);
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT(followed > 0 || shape[i / 2].text == lock || shape[i / 2].text == shared_lock);
        bench_close(&b);
    }
}

/* Lines that an operation reads and writes where all SMs share them, and lines that it drops; gpuFI-4's caches too. */
static void flips_of_caches_end_as_by_brute_force(void)
{
    for (int i = 0; i < 4; i++) {
        struct job *job = faults_job(DATA "chip12-caches.xml", 2, 40, shape[i / 2].text);
        job->profile.cache_model = i % 2 ? CACHE_MODEL_GPUFI : CACHE_MODEL_REAL;
        struct bench b = bench_open(job, false);
        uint64_t seed = (uint64_t)i + 1;
        long wrong = 0, followed = 0, read = 0;
        for (int k = 0; k < (SANITIZED ? 800 : 4000) && wrong < 5; k++) {
            int structure = SM_CACHE_STRUCTURES + (int)(machine_random(&seed) % (2 * CACHES));
            if (machine_random(&seed) % 2)
                structure = machine_random(&seed) % 2 ? SM_S_l2 : SM_S_l2_data;
            struct sm_structure s;
            struct sm_cell c;
            sm_structure_get(b.img, structure, &s);
            if (!sm_structure_bits(&s))
                continue;
            flips_cell(&b, structure, &seed, &c);
            c.place = (int)(machine_random(&seed) % (uint32_t)s.places);
            struct fsim_fault u = fsim_flip(c, machine_random(&seed) % b.g->cycles);
            read += transient_is_read(b.t, &u);
            wrong += !agree(&b, &u, &followed);
        }
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT(read > 5);
        bench_close(&b);
    }
}

static void permanent_faults_end_as_by_brute_force(void)
{
    static const char *const pattern[] = {"sm*/rf/p0-300", "sm*/cc",      "sm*/lock",
                                          "sm*/mask",      "sm0/exec/w0", "sm*/pc"};
    long tried = 0, wrong = 0;
    for (int i = 0; i < SHAPES; i++)
        for (size_t k = 0; k < (SANITIZED ? 2 : sizeof pattern / sizeof *pattern); k++) {
            struct job *job = faults_job(CHIP12, shape[i].blocks, shape[i].threads, shape[i].text);
            struct fsim_options opt = {.run.max_cycles = 10000000};
            struct fsim_campaign c;
            struct fl_err err = {""};
            opt.choice.sample = 60;
            CU_ASSERT_EQUAL_FATAL(faults_run(&c, job, &pattern[k], 1, NULL, &opt, &err), 0);
            wrong += faults_brute_differences(&c, 2, &tried);
            fsim_campaign_free(&c);
            job_free(job);
        }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(tried > 100);
}

static void faults_of_locks_end_as_by_brute_force(void)
{
    struct job *job = faults_job(CHIP12, 2, 40, shared_lock);
    struct bench b = bench_open(faults_job(CHIP12, 2, 40, shared_lock), false);
    uint64_t seed = 3;
    long wrong = 0, followed = 0;
    for (int k = 0; k < (SANITIZED ? 200 : 2000); k++) {
        struct sm_cell c = sm_unit_cell(b.img, SM_S_lock, machine_random(&seed) % 2 ? 12 : 8, 0, 0);
        struct fsim_fault u = fsim_flip(c, machine_random(&seed) % b.g->cycles);
        wrong += !agree(&b, &u, &followed);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    bench_close(&b);
    struct fsim_result stuck = faults_result(job, "sm0/lock/p8/b0:sa1"); /* never free */
    CU_ASSERT_EQUAL(stuck.outcome, OUT_HANG);
    CU_ASSERT_STRING_EQUAL(stuck.reason, "livelock");
    CU_ASSERT_STRING_EQUAL(faults_result(job, "sm0/pc/w0/b3:sa0").reason,
                           "state_recurs"); /* the lock is free */
    CU_ASSERT_EQUAL(faults_result(job, "sm0/lock/p9/b0:sa1").outcome, OUT_MASKED);
    CU_ASSERT_NOT_EQUAL(faults_result(job, "sm0/lock/p8/b0:sa0").outcome, OUT_HANG);
    job_free(job);
}

/* A counter that all add to: a flip of a summand changes the sum and nothing else, which needs no machine. */
static void a_sum_of_all_threads_is_followed_without_a_machine(void)
{
    struct bench b = bench_open(
        faults_job(CHIP12, 4, 40, START "GRED.IADD.U32 global14[R7], R0\nNOP.EXIT\n"), false);
    long followed = 0, tried = 0;
    for (uint64_t cycle = 0; cycle < b.g->cycles; cycle += 3) {
        struct sm_cell c = sm_unit_cell(b.img, SM_S_rf, 0, 5, 7); /* R0 of a thread */
        struct fsim_fault u = fsim_flip(c, cycle);
        struct transient_result r;
        if (!transient_is_read(b.t, &u))
            continue;
        CU_ASSERT(agree(&b, &u, &followed));
        transient_simulate(b.w, b.t, &u, &r);
        tried += r.r.outcome == OUT_SDC;
    }
    CU_ASSERT(tried > 3 && followed >= tried);
    bench_close(&b);
}

int main(void)
{
    return CHECK_RUN("atomic_faults", CHECK(flips_of_registers_end_as_by_brute_force),
                     CHECK(flips_of_caches_end_as_by_brute_force),
                     CHECK(permanent_faults_end_as_by_brute_force),
                     CHECK(faults_of_locks_end_as_by_brute_force),
                     CHECK(a_sum_of_all_threads_is_followed_without_a_machine));
}
