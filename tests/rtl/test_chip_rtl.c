/* test_chip_rtl.c -- a chip of several SMs in lock step with the C model: who runs which block, in which order the SMs access
 * what they share, how the job ends; and faults in any SM end the same.
 *
 *     test_chip_rtl                            on model tiny_chip
 *     test_chip_rtl --caches                   on model tiny_chip_caches
 *     test_chip_rtl --constants                on model tiny_chip_constants
 *     test_chip_rtl --atomics                  on model chip12_caches: instructions of compute capability 1.2
 *     test_chip_rtl --all [COUNT [SEED]]       on all chips that were built; COUNT flips of each target (1,000)
 */
#include "tests/lib/flips.h"
#include "tests/caches/cache_kernels.h"
#include "tests/lib/rtl_program.h"
#include "bench/host.h"

/* The chips of which there may be a model. */
static const struct chip {
    const char *model, *profile;
    int sms;      /* 0: the profile's own */
    int programs; /* of the random ones, that fit at least */
    bool above;   /* has instructions of 1.2 */
} chips[] = {{"tiny_chip", "tiny-chip", 0, 4},
             {"chip_fixed", FAULTLINE_SOURCE_DIR "/tests/data/chip-fixed.xml", 0, 30},
             {"g80_chip_2sm", "g80-chip", 2, 30},
             {"tiny_chip_caches", "tiny-chip-caches", 0, 4},
             {"tiny_chip_constants", "tiny-chip-constants", 0, 4},
             {"chip_back", FAULTLINE_SOURCE_DIR "/tests/data/chip-back.xml", 0, 30},
             {"chip_evict", FAULTLINE_SOURCE_DIR "/tests/data/chip-evict.xml", 0, 30},
             {"chip_apart", FAULTLINE_SOURCE_DIR "/tests/data/chip-apart.xml", 0, 30},
             {"chip12_caches", FAULTLINE_SOURCE_DIR "/tests/data/chip12-caches.xml", 0, 30, true},
             {"chip12", FAULTLINE_SOURCE_DIR "/tests/data/chip12.xml", 0, 30, true},
             {"chip12_back", FAULTLINE_SOURCE_DIR "/tests/data/chip12-back.xml", 0, 30, true}};
enum { WITH_CACHES = 3, WITH_CONSTANTS, WITH_ATOMICS = 8 };
static const struct chip *chip = chips;

static void put_on(struct job *job)
{
    struct fl_err err;
    if (profile_load(chip->profile, &job->profile, &err) != 0)
        CU_FAIL_FATAL("no profile");
    if (chip->sms)
        profile_set_sms(&job->profile, chip->sms);
}

/* A machine of the job on the chip; false: it does not fit. */
static bool load(struct job *job, struct machine *m)
{
    struct fl_err err;
    put_on(job);
    *m = (struct machine){.job = job, .img = sm_image_new(job, &err)};
    if (m->img)
        m->gpu = gpu_new(m->img);
    else
        job_free(job);
    return m->img;
}

/* How many SMs have committed something. */
static int busy_sms(const struct gpu *g)
{
    int n = 0;
    for (int i = 0; i < g->sms; i++)
        n += g->sm[i].s.instructions > 0;
    return n;
}

static void workloads_agree(void)
{
    int fit = 0, shared = 0, sms = 1;
    for (int i = 0; i < workload_count; i++) {
        char *path = fl_format("%s/bench/%s.job.xml", FAULTLINE_BUILD_DIR, workload_list[i].name);
        struct machine m;
        struct fl_err err;
        struct job *job = NULL;
        if (job_load(path, NULL, &job, &err) == 0 && load(job, &m)) {
            bool same = rtl_agree(&m, NULL);
            if (!same)
                printf("%s on %s\n", workload_list[i].name, chip->model);
            CU_ASSERT(same);
            fit++;
            shared += busy_sms(m.gpu) > 1;
            sms = m.gpu->sms;
            machine_end(&m);
        }
        free(path);
    }
    printf("%d workloads, %d on several SMs ", fit, shared);
    CU_ASSERT(fit >= 8);
    CU_ASSERT(shared >= (sms > 1 ? 4 : 0));
}

/* Some blocks more, of threads that the registers of the chip are enough for. */
static struct job *resized(struct job *job, uint64_t *seed)
{
    for (int i = 0; i < job->nlaunches; i++) {
        struct job_launch *l = &job->launch[i];
        l->block[0] = l->block[0] < 32 ? l->block[0] : 32;
        l->grid[0] += machine_random(seed) % 6;
    }
    return job;
}

static struct job *random_job(uint64_t seed)
{
    uint64_t random = seed;
    return resized(seed % 3 == 0   ? flips_structured(seed)
                   : seed % 3 == 1 ? (chip->above ? flips_above(seed) : flips_mix(seed))
                                   : flips_hosted(seed),
                   &random);
}

static void random_programs_agree(void)
{
    int ran = 0, trapped = 0, launches = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct machine m;
        if (!load(random_job(seed), &m))
            continue;
        bool same = rtl_agree(&m, NULL);
        if (!same)
            printf("seed %d on %s\n", (int)seed, chip->model);
        CU_ASSERT(same);
        ran++;
        trapped += gpu_trap(m.gpu) != TRAP_NONE;
        launches += m.img->nlaunches > 1;
        machine_end(&m);
    }
    printf("%d programs, %d trapped, %d of several launches ", ran, trapped, launches);
    CU_ASSERT(ran >= chip->programs);
    CU_ASSERT(launches >= chip->programs / 4);
}

/* Of all widths, by address registers too. */
static void random_programs_with_constants_agree(void)
{
    uint64_t hits = 0, misses = 0;
    int ran = 0;
    for (uint64_t seed = 100; seed < 160; seed++) {
        struct machine m;
        uint64_t random = seed;
        if (!load(resized(flips_mix(seed), &random), &m))
            continue;
        bool same = rtl_agree(&m, NULL);
        if (!same)
            printf("soup %d on %s\n", (int)seed, chip->model);
        CU_ASSERT(same);
        ran++;
        hits += m.gpu->counts[CACHE_L1C].hits;
        misses += m.gpu->counts[CACHE_L1C].misses;
        machine_end(&m);
    }
    printf("%d programs, %d constants there, %d not ", ran, (int)hits, (int)misses);
    CU_ASSERT(ran == 60 && hits > 100 && misses > 100);
}

#define K ".kernel k\n"

/* A program on `blocks` blocks of a chip, on both machines; true when they agree. Leaves the C model behind. */
static struct machine both(const char *text, uint32_t blocks, uint32_t threads)
{
    struct job *job = machine_job("tiny-chip", text);
    uint32_t addr = machine_buffer(job, 1024, NULL);
    put_on(job);
    machine_param(machine_launch(job, 0, blocks, threads), addr);
    struct machine m = machine_load(job);
    CU_ASSERT(rtl_agree(&m, NULL));
    return m;
}

static void the_first_trap_in_the_order_of_the_sms_ends_the_job(void)
{
    struct machine m = both(
        K ".regs 4\n.param ptr p\nMVI R1, 8\nGLD.U32 R2, global14[R1]\nNOP.EXIT", 4, 1);
    CU_ASSERT_EQUAL(gpu_trap(m.gpu), TRAP_OUT_OF_BOUNDS_GLOBAL);
    machine_end(&m);
}

static void a_trap_of_the_other_sm_stops_the_first(void)
{
    /* block 0 goes on for long; block 1 traps meanwhile */
    struct machine m = both(K ".regs 4\n.param ptr p\nI2I.U32.U16 R1, s[0xc].U16\n"
                              "ISET.C0 o[0x7f], R1, R124, EQ\nBRA C0.EQ, on\n"
                              ".rept 60\nNOP\n.endr\nNOP.EXIT\n"
                              "on: MVI R1, 8\nGLD.U32 R2, global14[R1]\nNOP.EXIT",
                            2, 1);
    CU_ASSERT_EQUAL(gpu_trap(m.gpu), TRAP_OUT_OF_BOUNDS_GLOBAL);
    machine_end(&m);
}

static void a_chip_whose_sms_all_sleep_is_a_deadlock(void)
{
    struct machine m = both(K ".param ptr p\nBAR.ARV b0, 0xfff\nBAR.WAIT b1, 0xfff\nNOP.EXIT", 2,
                            32);
    CU_ASSERT(gpu_ended(m.gpu));
    machine_end(&m);
}

static void each_sm_has_its_number_and_its_own_local_memory(void)
{
    struct machine m = both(K ".regs 4\n.local 8\n.param ptr p\nS2R R2, SR_PHYSID\n"
                              "LST.U32 local[0x0], R2\nI2I.U32.U16 R1, s[0xc].U16\nSHL R1, R1, 2\n"
                              "IADD R1, s[0x10], R1\nLLD.U32 R3, local[0x0]\n"
                              "GST.EXIT.U32 global14[R1], R3",
                            6, 1);
    bool number[SM_MAX_SMS] = {false};
    for (uint32_t b = 0; b < 6; b++)
        number[machine_word(&m, 0, b) >> 16 & (SM_MAX_SMS - 1)] = true;
    for (int i = 0; i < m.gpu->sms; i++)
        CU_ASSERT(number[i]);
    machine_end(&m);
}

/* Hundreds of blocks that end and start in any order. */
static void blocks_go_to_the_same_sms(void)
{
    struct machine m = both(
        K ".regs 8\n.param ptr p\nI2I.U32.U16 R1, s[0xc].U16\n"
          "LOP32I.AND R2, R1, 0x3\nIADD32I R2, R2, 0x1\nagain: IADD32I R2, R2, 0xffffffff\n"
          "ISET.C0 o[0x7f], R2, R124, NE\nBRA C0.NE, again\n"
          "SHL R1, R1, 2\nIADD R1, s[0x10], R1\nS2R R2, SR_PHYSID\n"
          "GST.EXIT.U32 global14[R1], R2",
        200, 32);
    CU_ASSERT(m.gpu->grid.done);
    CU_ASSERT_EQUAL(busy_sms(m.gpu), m.gpu->sms);
    machine_end(&m);
}

static void an_sm_of_a_chip_that_was_not_built_is_named(void)
{
    struct fl_err err;
    struct job *job = machine_job("tiny-chip", K "NOP.EXIT");
    profile_set_sms(&job->profile, 7);
    machine_launch(job, 0, 1, 1);
    struct machine m = machine_load(job);
    CU_ASSERT_PTR_NULL(smrtl_new(m.img, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "profile tiny-chip with 7 SMs"));
    machine_end(&m);
}

/* ---- faults ------------------------------------------------------------------------------------------------------ */

static long flips = 24; /* of each target */

static struct job *fault_job(uint64_t seed)
{
    uint64_t random = seed;
    struct job *job = seed % 2 ? random_job(seed) : resized(flips_memories(seed), &random);
    put_on(job);
    return job;
}

static void put_anywhere(const struct bench *b, uint64_t *seed, struct sm_cell *c)
{
    struct sm_structure s;
    sm_structure_get(b->img, c->structure, &s);
    c->place = (int)(machine_random(seed) % (uint32_t)s.places);
}

static bool same_end(const struct fsim_result *a, const struct fsim_result *b)
{
    return a->outcome == b->outcome && a->end == b->end &&
           a->first_activation == b->first_activation && strcmp(a->reason, b->reason) == 0;
}

/* Whether a fault ends the same in both; *fails: as a failure. */
static bool agree(const struct bench *b, struct fsim_worker *rtl, const struct fsim_fault *u,
                  bool *fails)
{
    struct transient_result c, r;
    transient_simulate(b->w, b->t, u, &c);
    transient_simulate(rtl, b->t, u, &r);
    *fails = fsim_outcome_fails(r.r.outcome);
    if (same_end(&c.r, &r.r))
        return true;
    struct fl_buf id = {0};
    fsim_print(b->img, u, &id);
    faults_print("C model", (char *)id.data, &c.r);
    faults_print("RTL", (char *)id.data, &r.r);
    fl_buf_free(&id);
    return false;
}

static void faults_of_a_shape(enum shape shape, long of_each, uint64_t seed)
{
    enum { IN_A_JOB = 12 };
    struct fl_err err = {{0}};
    const struct engine *e = engine_find("rtl", &err);
    long wrong = 0, failures = 0, tried = 0, jobs = (of_each + IN_A_JOB - 1) / IN_A_JOB, ran = 0;
    for (uint64_t n = seed; ran < jobs && n < seed + 8 * (uint64_t)jobs && wrong < 5; n++) {
        struct bench b = bench_open(fault_job(n), true);
        struct reference *ref = b.g ? reference_new(e, b.g, &err) : NULL;
        struct fsim_worker *w = ref ? fsim_worker_on(ref) : NULL;
        uint64_t random = n;
        if (b.g && !ref)
            printf("\n%s\n", err.msg);
        CU_ASSERT(!b.g || ref);
        ran += w != NULL;
        for (int s = 0; w && s < SM_STRUCTURES; s++) {
            struct sm_structure structure;
            sm_structure_get(b.img, s, &structure);
            for (int k = 0; k < IN_A_JOB && sm_structure_bits(&structure) &&
                            engine_has(e, b.img, s, &err) == 0;
                 k++) {
                struct fsim_fault u[FLIPS_CELLS];
                bool fails;
                flips_draw(&b, s, shape, &random, u);
                put_anywhere(&b, &random, &u->cell);
                wrong += !agree(&b, w, u, &fails);
                failures += fails;
                tried++;
            }
        }
        fsim_worker_free(w);
        reference_free(ref);
        bench_close(&b);
    }
    printf("%ld faults in %ld jobs, %ld fail ", tried, ran, failures);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(ran, jobs);
    CU_ASSERT(failures > tried / 100);
}

static uint64_t first_seed = 1;

/* A loop over shared memory, and branches that part; on both SMs. */
static const char *const short_kernel[] = {
    ".param ptr OUT\n.regs 6\n.shared tile, 64\nSHL R1, R0, 2\nIADD R1, s[OUT], R1\n"
    "LOP32I.AND R2, R0, 0xf\nSHL R2, R2, 2\nR2A A1, R2\nR2G.U32.U32 s[A1 + tile], R0\n"
    "MVI R2, 0\nMVI R3, 3\nagain: MOV R4, s[A1 + tile]\nIADD R2, R2, R4\n"
    "IADD32I R3, R3, -1\nISET.C0 o[0x7f], R3, R124, NE\nBRA C0.NE, again\n"
    "GST.U32 global14[R1], R2\nNOP.EXIT",
    ".param ptr OUT\n.regs 5\n.local 8\nSHL R1, R0, 2\nIADD R1, s[OUT], R1\nMVI R2, 5\n"
    "LOP32I.AND R3, R0, 0x3\nSSY join\nISET.C0 o[0x7f], R3, R124, NE\nBRA C0.NE, odd\n"
    "IADD32I R2, R2, 7\nBRA join\nodd: LST.U32 local[0x0], R3\nLLD.U32 R2, local[0x0]\n"
    "join: NOP.S\nGLD.U32 R3, global14[R1]\nIADD R2, R2, R3\nGST.U32 global14[R1], R2\n"
    "NOP.EXIT"};

static bool every_bit; /* of a structure; else every so many-th */

struct counted {
    long tried, wrong, failures;
};

/* Flips of a bit in the first cycle of each group that ends with a read. */
static void groups_agree(const struct bench *b, struct fsim_worker *rtl, const struct sm_cell *c,
                         struct counted *n)
{
    for (uint64_t cycle = 0; cycle < b->g->cycles && n->wrong < 5;) {
        struct access_class group = access_class_at(b->t, c, cycle);
        struct fsim_fault u = fsim_flip(*c, cycle);
        bool fails = false;
        if (group.end == CLASS_READ) {
            n->wrong += !agree(b, rtl, &u, &fails);
            n->tried++;
            n->failures += fails;
        }
        cycle = group.to + 1;
    }
}

static void structure_agrees(const struct bench *b, struct fsim_worker *rtl, int structure,
                             struct counted *n)
{
    struct sm_structure s;
    sm_structure_get(b->img, structure, &s);
    bool rows = s.lanes == LANES_ROWS;
    long stride = every_bit ? 1 : 97, at = 0;
    for (uint32_t unit = 0; unit < sm_all_units(&s); unit++) {
        int bits = s.field[rows ? 0 : unit % (uint32_t)s.nfields].bits;
        for (int i = 0; i < (rows ? SM_LANES : 1) * bits; i++) {
            struct sm_cell c = rows ? sm_unit_cell(b->img, structure, unit, i / bits, i % bits)
                                    : sm_unit_cell(b->img, structure, unit, i, 0);
            if (at++ % stride == 0)
                groups_agree(b, rtl, &c, n);
        }
    }
}

/* The first cycle of each group of each cell of some structures, and flips that are drawn from them. */
static void groups_of(struct job *job, int first, int last, long drawn, struct counted *n)
{
    struct fl_err err;
    put_on(job);
    struct bench b = bench_open(job, false);
    const struct engine *e = engine_find("rtl", &err);
    struct reference *ref = reference_new(e, b.g, &err);
    struct fsim_worker *w = fsim_worker_on(ref);
    uint64_t random = first_seed;
    CU_ASSERT(b.g->cycles < 1000);
    for (int s = first; s <= last; s++)
        if (engine_has(e, b.img, s, &err) == 0)
            structure_agrees(&b, w, s, n);
    for (; drawn > 0 && n->wrong < 5; drawn--) {
        struct sm_structure s;
        struct fsim_fault u[FLIPS_CELLS];
        bool fails;
        int structure = first + (int)(machine_random(&random) % (uint32_t)(last - first + 1));
        sm_structure_get(b.img, structure, &s);
        if (!sm_structure_bits(&s) || engine_has(e, b.img, structure, &err) != 0)
            continue;
        flips_draw(&b, structure, ONE_FLIP, &random, u);
        put_anywhere(&b, &random, &u->cell);
        n->wrong += !agree(&b, w, u, &fails);
        n->tried++;
        n->failures += fails;
    }
    fsim_worker_free(w);
    reference_free(ref);
    bench_close(&b);
}

/* All cells that the C model has too, all cycles, of two kernels; and 10,000 flips that are drawn. */
static void a_flip_of_each_group_ends_the_same_in_both_machines(void)
{
    struct counted n = {0};
    for (int k = 0; k < 2; k++) {
        char *text = fl_format(K "%s", short_kernel[k]);
        groups_of(faults_job("tiny-chip", 3, 32, text), 0, SM_STRUCTURES - 1, 5000, &n);
        free(text);
    }
    printf("%ld flips, %ld fail ", n.tried, n.failures);
    CU_ASSERT_EQUAL(n.wrong, 0);
    CU_ASSERT(n.tried > 10000);
    CU_ASSERT(n.failures > n.tried / 100);
}

/* Of each cache, in kernels that fill it: rows of tags and state, rows of lines. */
static void a_flip_of_each_group_of_a_cache_ends_the_same_in_both_machines(void)
{
    static const struct {
        const char *text;
        uint32_t blocks, threads;
        bool constants; /* alone, of what the SM has a cache for */
    } kernel[] = {{cache_sums, 3, 8, false},
                  {cache_again, 2, 8, false},
                  {cache_one_set, 1, 1, false},
                  {cache_in_local, 2, 16, false},
                  {cache_constants, 3, 8, true}};
    for (int s = SM_S_l1d; s <= SM_S_l2_data; s++) {
        struct counted n = {0};
        bool constants = chip == &chips[WITH_CONSTANTS];
        bool of_them = s == SM_S_l1c || s == SM_S_l1c_data, of_data = s <= SM_S_l1d_data;
        if ((s >= SM_S_l1t && s < SM_S_l2) || (of_them && !constants))
            continue; /* these the RTL has not, or this chip */
        for (size_t k = 0; k < sizeof kernel / sizeof *kernel; k++) {
            if (kernel[k].constants ? !constants || of_data : of_them)
                continue;
            struct job *job = faults_job("tiny-chip-caches", kernel[k].blocks, kernel[k].threads,
                                         kernel[k].text);
            for (uint32_t i = 0; i < 64; i++)
                job->buffer[0].init[4 * i] = (uint8_t)(i + 1);
            groups_of(job, s, s, (every_bit ? 2500 : 12) * (of_them ? 4 : 1), &n);
        }
        printf("%s: %ld flips, %ld fail ", sm_structure_name(s, NULL), n.tried, n.failures);
        CU_ASSERT_EQUAL(n.wrong, 0);
        CU_ASSERT(n.tried > (every_bit ? 10000 : 50));
        CU_ASSERT(n.failures > 0); /* tags of a cache that writes through cost time alone */
    }
}

static void flips_in_any_sm_end_the_same_in_both_machines(void)
{
    faults_of_a_shape(ONE_FLIP, flips, first_seed);
}

static void held_bits_of_any_sm_end_the_same_in_both_machines(void)
{
    faults_of_a_shape(WINDOW, flips / 2, first_seed + 10000);
    faults_of_a_shape(OPEN_WINDOW, flips / 2, first_seed + 20000);
}

/* Registers that the RTL alone has, of the SMs and of what they share. */
static void every_register_of_a_chip_is_one_row_with_all_its_bits(void)
{
    struct fl_err err;
    struct machine m = both(K ".param ptr p\nNOP.EXIT", 1, 1);
    struct smrtl *rtl = smrtl_new(m.img, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rtl);
    long bits, chips_own = 0;
    const char *path;
    for (int i = 0; (path = smrtl_register(rtl, i, &bits)); i++) {
        long listed = 0;
        for (int k = 0; k < SM_ALL_STRUCTURES; k++) {
            struct sm_structure s;
            sm_structure_get(m.img, k, &s);
            for (int f = 0; f < s.nfields; f++) {
                struct sm_structure one = s;
                one.nfields = 1;
                one.field[0] = s.field[f];
                if (s.field[f].rtl && strcmp(s.field[f].rtl, path) == 0) {
                    listed += sm_structure_bits(&one);
                    chips_own += k == SM_S_chip;
                }
            }
        }
        bool port = strncmp(path, "dmu.g_fault.", 12) == 0,
             no_spill = m.img->profile.stack_spill == 0 && strncmp(path, "dmu.spill", 9) == 0;
        if (!port && !no_spill && listed != bits)
            printf("\n%s: %ld bits, %ld in rows", path, bits, listed);
        CU_ASSERT(port || no_spill || listed == bits);
    }
    CU_ASSERT_EQUAL(chips_own, 6);
    smrtl_free(rtl);
    machine_end(&m);
}

/* On one chip; `caches`: their rules too. */
static int on_chip(const struct chip *c, bool caches)
{
    chip = c;
    int failed = CHECK_RUN(c->model, CHECK(workloads_agree), CHECK(random_programs_agree),
                           CHECK(the_first_trap_in_the_order_of_the_sms_ends_the_job),
                           CHECK(a_trap_of_the_other_sm_stops_the_first),
                           CHECK(a_chip_whose_sms_all_sleep_is_a_deadlock),
                           CHECK(each_sm_has_its_number_and_its_own_local_memory),
                           CHECK(blocks_go_to_the_same_sms),
                           CHECK(every_register_of_a_chip_is_one_row_with_all_its_bits),
                           CHECK(flips_in_any_sm_end_the_same_in_both_machines),
                           CHECK(held_bits_of_any_sm_end_the_same_in_both_machines));
    if (c == &chips[WITH_CONSTANTS])
        failed |= CHECK_RUN("constants", CHECK(random_programs_with_constants_agree));
    if (caches)
        failed |= CHECK_RUN("caches",
                            CHECK(a_flip_of_each_group_of_a_cache_ends_the_same_in_both_machines));
    return failed;
}

static int all(int argc, char **argv)
{
    int failed = 0;
    every_bit = true;
    flips = argc > 2 ? strtol(argv[2], NULL, 10) : 1000;
    first_seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    if (rtl_has(chip->model))
        failed |= CHECK_RUN("groups", CHECK(a_flip_of_each_group_ends_the_same_in_both_machines));
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++) {
        if (!rtl_has(chips[i].model))
            continue;
        printf("model %s\n", chips[i].model);
        failed |= on_chip(&chips[i], i >= WITH_CACHES);
    }
    return failed;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--all") == 0)
        return all(argc, argv);
    bool constants = argc > 1 && strcmp(argv[1], "--constants") == 0;
    bool caches = constants || (argc > 1 && strcmp(argv[1], "--caches") == 0);
    bool atomics = argc > 1 && strcmp(argv[1], "--atomics") == 0;
    const struct chip *c = &chips[constants ? WITH_CONSTANTS
                                  : caches  ? WITH_CACHES
                                  : atomics ? WITH_ATOMICS
                                            : 0];
    int failed = CHECK_RUN("chip_rtl", CHECK(an_sm_of_a_chip_that_was_not_built_is_named));
    return rtl_has(c->model) ? failed | on_chip(c, caches) : failed;
}
