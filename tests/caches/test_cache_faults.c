/* test_cache_faults.c -- faults in caches: what is pruned ends as brute force ends it. */
#include "cache_kernels.h"
#include "random_caches.h"
#include "tests/lib/campaigns.h"

enum { CELLS = 2 * CACHES }; /* structures of caches */

/* A kernel writes the texels that the next one filters, two lanes in a line and across lines. */
static const char of_texels[] =
    ".texture tex, f32\n.kernel a\n.param ptr OUT\n.regs 8\nI2F.F32.U32 R1, R0\nSHL R2, R0, "
    "2\nIADD R2, s[OUT], R2\n"
    "GST.U32 global14[R2], R1\nNOP.EXIT\n"
    ".kernel b\n.param ptr OUT\n.regs 8\n"
    "I2F.F32.U32 R2, R0\nFMUL32I R1, R2, 1.62f\nTEX R1, t0, s0, n0, m1, x0, y0, z0\n"
    "MOV R2, R0\nTLD R2, t0, s0, n0, m1, x0, y0, z0\nFADD R1, R1, R2\nSHL R5, R0, 2\n"
    "IADD R5, s[OUT], R5\nGST.U32 global14[R5], R1\nNOP.EXIT\n";

static struct job *fetching(uint32_t blocks, uint32_t threads)
{
    struct fl_err err;
    struct job *job = faults_job("tiny-chip-caches", blocks, threads, of_texels);
    job->texture = fl_alloc(sizeof *job->texture);
    job->texture[0].texture = (struct texture){
        .width = 40, .height = 1, .format = TEXTURE_F32, .channels = 1, .linear = true};
    job->ntextures = job->launch[0].textures = job->launch[1].textures = 1;
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    return job;
}

static struct job *random_job(uint64_t seed)
{
    struct job *job = seed % 5 == 4   ? fetching(2, 40)
                      : seed % 4 == 0 ? flips_structured(seed)
                      : seed % 4 == 1 ? flips_mix(seed)
                      : seed % 4 == 2 ? flips_memories(seed)
                                      : flips_hosted(seed);
    uint64_t random = seed;
    memset(job->profile.cache, 0, sizeof job->profile.cache);
    job->profile.sms = 1 + (int)(machine_random(&random) % 3);
    job->profile.ports = (int)(machine_random(&random) % 2);
    job->profile.blocks = (int)(machine_random(&random) % 2);
    job->profile.global_latency = 25 + (int)(machine_random(&random) % 40);
    random_caches(&random, &job->profile);
    for (int i = 0; i < job->nlaunches; i++)
        job->launch[i].grid[0] += machine_random(&random) % 4;
    return job;
}

static bool agree(const struct bench *b, const struct fsim_fault *u, int *failures, int *idle)
{
    struct transient_result pruned;
    bool same = bench_agrees(b, u, &pruned);
    *failures += fsim_outcome_fails(pruned.r.outcome);
    *idle += !pruned.ran;
    return same;
}

static bool apart(const struct fsim_fault *u)
{
    for (int i = 0; i < u->cells; i++)
        for (int k = 0; k < i; k++)
            if (memcmp(&u[i].cell, &u[k].cell, sizeof u->cell) == 0)
                return false;
    return true;
}

static struct profile_cache small_l1i(void)
{
    return (struct profile_cache){
        .bytes = 64, .line = 16, .ways = 2, .spaces = 1u << CACHE_CODE, .next = CACHE_MEMORY};
}

/* A fault of this shape in some SM; several cells of one place are none. */
static bool drawn_one_agrees(struct bench *b, int structure, int places, enum shape shape,
                             uint64_t *random, int *failures, int *idle)
{
    struct fsim_fault u[FLIPS_CELLS];
    flips_draw(b, structure, shape, random, u);
    for (int c = 0; c < u->cells; c++)
        u[c].cell.place = (int)(machine_random(random) % (uint32_t)places);
    return !apart(u) || agree(b, u, failures, idle);
}

static void flips_of_gpufi_caches_end_as_by_brute_force(void)
{
    int wrong = 0, failures = 0, idle = 0;
    for (uint64_t seed = 1; seed <= (SANITIZED ? 40 : 300) && wrong < 5; seed++) {
        struct job *job = random_job(seed);
        job->profile.cache_model = CACHE_MODEL_GPUFI;
        struct bench b = bench_open(job, true);
        uint64_t random = seed;
        for (int i = SM_S_l1d; b.w && i <= SM_S_l2_data; i++) {
            struct sm_structure s;
            sm_structure_get(b.img, i, &s);
            for (int k = 0; sm_structure_bits(&s) && k < 16; k++)
                wrong += !drawn_one_agrees(&b, i, s.places, k % 4 ? ONE_FLIP : THREE_FLIPS, &random,
                                           &failures, &idle);
        }
        bench_close(&b);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 5);
    CU_ASSERT(idle > 20);
}

static void flips_and_held_bits_end_as_by_brute_force(void)
{
    static const int other[] = {SM_S_rf, SM_S_const, SM_S_pc, SM_S_areg, SM_S_sched, SM_S_ir};
    int wrong = 0, failures = 0, idle = 0;
    for (uint64_t seed = 1; seed <= (SANITIZED ? 24 : 300) && wrong < 5; seed++) {
        struct bench b = bench_open(random_job(seed), true);
        uint64_t random = seed;
        for (int i = 0; b.w && i < CELLS + 6; i++) {
            struct sm_structure s;
            int structure = i < CELLS ? SM_CACHE_STRUCTURES + i : other[i - CELLS];
            sm_structure_get(b.img, structure, &s);
            for (int k = 0; sm_structure_bits(&s) && k < (i < CELLS ? 12 : 3); k++) {
                enum shape shape = k % 4 < 2 ? ONE_FLIP : (enum shape)(1 + k % 4 / 3 * (k / 4));
                wrong += !drawn_one_agrees(&b, structure, s.places, shape, &random, &failures,
                                           &idle);
            }
        }
        bench_close(&b);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 20);
    CU_ASSERT(idle > 20);
}

/* Flips of words of a structure where they are read. How many end otherwise than by brute force. */
static int wrong_flips_at_reads(struct bench *b, int structure, uint64_t *random, int *failures,
                                int *idle)
{
    const struct access_structure *s = &b->t->s[structure];
    struct sm_structure of;
    int wrong = 0;
    sm_structure_get(b->img, structure, &of);
    for (int k = 0, tried = 0; sm_structure_bits(&of) && s->units && k < 600 && tried < 24; k++) {
        const uint32_t unit = (uint32_t)(machine_random(random) % s->units);
        const struct access_unit *u = &s->unit[unit];
        if (!u->count)
            continue;
        const struct access *t = &s->access[u->first + machine_random(random) % u->count];
        const int lane = structure == SM_S_rf ? __builtin_ctz(t->mask) : 0;
        struct sm_cell c = sm_unit_cell(b->img, structure, unit, lane, 0);
        c.bit = (int)(machine_random(random) % 32);
        const struct fsim_fault flip = fsim_flip(c, t->cycle);
        if (!t->write) {
            tried++;
            wrong += !agree(b, &flip, failures, idle);
        }
    }
    return wrong;
}

/* Whatever an SM's caches and those of the chip are, and wherever SMs share a word: what differs in data alone is followed. */
static void followed_registers_of_chips_with_caches_end_as_by_brute_force(void)
{
    int wrong = 0, failures = 0, idle = 0;
    struct fsim_statistics st = {0};
    for (uint64_t seed = 1; seed <= (SANITIZED ? 30 : 600) && wrong < 5; seed++) {
        struct job *job = random_job(seed);
        uint64_t random = seed;
        for (int i = 0; i < job->cubin->nkernels; i++)
            job->cubin->kernel[i].local_bytes *= seed % 8 == 0;
        job->profile.cache_model = seed % 3 ? CACHE_MODEL_REAL : CACHE_MODEL_GPUFI;
        struct bench b = bench_open(job, true);
        if (b.w) {
            wrong += wrong_flips_at_reads(&b, SM_S_rf, &random, &failures, &idle);
            fsim_worker_statistics(b.w, &st);
        }
        bench_close(&b);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 20);
    CU_ASSERT(st.copies > 100);
}

/* One SM and an L1 that writes through: flips of what a load finds are followed without a machine. */
static void followed_words_of_an_l1_end_as_by_brute_force(void)
{
    int wrong = 0, failures = 0, idle = 0;
    struct fsim_statistics st = {0};
    for (uint64_t seed = 0; seed < (SANITIZED ? 30 : 400) && wrong < 5; seed++) {
        struct job *job = seed % 3 == 0   ? flips_structured(seed)
                          : seed % 3 == 1 ? flips_mix(seed)
                                          : flips_hosted(seed);
        uint64_t random = seed;
        for (int i = 0; i < job->cubin->nkernels; i++)
            if (seed % 2)
                job->cubin->kernel[i].local_bytes = 0;
        random_caches(&random, &job->profile);
        for (int i = 0; i < CACHES; i++)
            if (i != CACHE_L1D)
                job->profile.cache[i] = (struct profile_cache){0};
        job->profile.cache[CACHE_L1D].write = CACHE_THROUGH;
        job->profile.cache[CACHE_L1D].next = CACHE_MEMORY;
        struct bench b = bench_open(job, true);
        if (b.w) {
            wrong += wrong_flips_at_reads(&b, SM_S_l1d_data, &random, &failures, &idle);
            fsim_worker_statistics(b.w, &st);
        }
        bench_close(&b);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 5);
    CU_ASSERT(st.copies > 20);
}

/* What is loaded again says which line is loaded next, and how long that takes. */
static void a_followed_word_that_is_an_address_ends_as_by_brute_force(void)
{
    static const char text[] =
        ".kernel k\n.param u32 OUT\n.regs 8\nMOV R1, s[OUT]\nGLD.U32 R2, global14[R1]\n"
        "IADD32I R4, R1, 128\nGLD.U32 R5, global14[R4]\nGLD.U32 R2, global14[R1]\n"
        "IADD R4, R1, R2\nGLD.U32 R5, global14[R4]\nIADD32I R4, R1, 32\n"
        "GST.U32 global14[R4], R5\nNOP.EXIT\n";
    int wrong = 0, failures = 0, idle = 0;
    struct job *job = faults_job("tiny-chip-caches", 1, 1, text);
    struct fsim_statistics st = {0};
    job->profile.sms = 1;
    job->profile.cache[CACHE_L2] = (struct profile_cache){0};
    job->profile.cache[CACHE_L1D].next = CACHE_MEMORY;
    job->buffer[0].init[0] = 128;
    struct bench b = bench_open(job, false);
    struct sm_cell c = {.structure = SM_S_l1d_data};
    for (; c.bit < 32; c.bit++)
        for (uint64_t cycle = 0; cycle < b.g->cycles; cycle += 3) {
            struct fsim_fault u = fsim_flip(c, cycle);
            wrong += !agree(&b, &u, &failures, &idle);
        }
    fsim_worker_statistics(b.w, &st);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 0);
    CU_ASSERT(st.copies > 0);
    bench_close(&b);
}

/* Beside those of the profile. */
static void add_caches(struct profile *p, int replacement)
{
    p->cache[CACHE_L1C] = (struct profile_cache){.bytes = 128,
                                                 .line = 32,
                                                 .ways = 2,
                                                 .replacement = replacement,
                                                 .spaces = 1u << CACHE_CONSTANT,
                                                 .latency = 1,
                                                 .next = CACHE_L2};
    p->cache[CACHE_L2].spaces |= 1u << CACHE_CONSTANT;
    p->cache[CACHE_L1T] = p->cache[CACHE_L1C];
    p->cache[CACHE_L1T].spaces = 1u << CACHE_GLOBAL;
    p->cache[CACHE_L1T].latency = 4;
}

/* Another index into constants, or a predicate by which nobody reads them: other lines, at another time. */
static void registers_that_decide_which_constants_are_fetched_end_as_by_brute_force(void)
{
    int wrong = 0, failures = 0, idle = 0;
    struct job *job = faults_job("tiny-chip-caches", 3, 4, cache_constants);
    add_caches(&job->profile, CACHE_LRU);
    struct bench b = bench_open(job, false);
    for (uint32_t unit = 0; unit < b.t->s[SM_S_rf].units; unit++)
        for (int lane = 0; lane < 4; lane++)
            for (int bit = 0; bit < 12; bit++)
                for (uint64_t cycle = (uint64_t)bit % 7; cycle < b.g->cycles; cycle += 7) {
                    const struct fsim_fault u = fsim_flip(
                        sm_unit_cell(b.img, SM_S_rf, unit, lane, bit), cycle);
                    wrong += transient_is_read(b.t, &u) && !agree(&b, &u, &failures, &idle);
                }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 0);
    bench_close(&b);
}

static void permanent_faults_end_as_by_brute_force(void)
{
    static const char *const pattern[] = {"sm*/l1d",
                                          "l2",
                                          "l1d_data/set0",
                                          "l2_data/set0",
                                          "l1c",
                                          "l1c_data/set0",
                                          "l1t",
                                          "l1t_data/set0",
                                          "l1i",
                                          "l1i_data/set0",
                                          "pc"};
    long tried = 0, wrong = 0;
    for (uint64_t seed = 1; seed <= (SANITIZED ? 12 : 120); seed++) {
        struct job *job = random_job(seed);
        struct fl_err err;
        struct fsim_campaign c;
        const char *const p = pattern[seed % 11];
        if (seed % 11 > 7)
            job->profile.cache[CACHE_L1I] = small_l1i();
        struct fsim_options opt = {.run.max_cycles = 10000000};
        opt.choice.memory = seed % 2;
        opt.choice.what = opt.choice.memory ? ~0u : 0;
        opt.choice.sample = 40;
        if (faults_run(&c, job, &p, 1, NULL, &opt, &err) == 0) {
            wrong += faults_brute_differences(&c, 2, &tried);
            fsim_campaign_free(&c);
        }
        job_free(job);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(tried > 60);
}

/* ---- every bit in every cycle ---------------------------------------------------------------- */

/* Seven lines of instructions, three of them in a loop, for two sets of two; short ones too. */
static const char of_instructions[] =
    ".kernel k\n.param u32 OUT\n.regs 4\nMVI R2, 2\nMVI R1, 0\n"
    "again: IADD32I R1, R1, 5\nIADD R1, R1, R0\nIADD32I R2, R2, 0xffffffff\n"
    "ISET.C0 o[0x7f], R2, R124, NE\nBRA C0.NE, again\nSHL R2, R0, 2\nIADD R2, s[OUT], R2\n"
    "GST.U32 global14[R2], R1\nNOP.EXIT\n";

static bool all; /* of the bits and cycles; else every so many-th */

static void try_caches(const char *text, uint32_t blocks, uint32_t threads, int replacement,
                       int model)
{
    bool fetches = text == of_texels;
    struct job *job = fetches ? fetching(blocks, threads)
                              : faults_job(text == of_instructions ? "tiny-chip-icache"
                                                                   : "tiny-chip-caches",
                                           blocks, threads, text);
    job->profile.cache_model = model;
    job->profile.sps = text == cache_one_set || text == cache_constants ||
                               text == of_instructions || fetches
                           ? 32
                           : 8;
    job->profile.cache[CACHE_L1D].replacement = replacement;
    job->profile.cache[CACHE_L2].replacement = replacement;
    if (text == cache_constants || fetches)
        add_caches(&job->profile, replacement);
    job->profile.cache[CACHE_L1I].replacement = replacement;
    for (uint32_t i = 0; i < 64; i++)
        job->buffer[0].init[4 * i] = (uint8_t)(i + 1);
    struct bench b = bench_open(job, false);
    int wrong = 0, failures = 0, idle = 0;
    long tried = 0;
    CU_ASSERT(b.g->cycles < 300);
    for (int i = SM_CACHE_STRUCTURES; i < SM_CACHE_STRUCTURES + CELLS && wrong < 5; i++) {
        struct sm_structure s;
        sm_structure_get(b.img, i, &s);
        uint32_t stride = all ? 1 : (i - SM_CACHE_STRUCTURES) % 2 ? 1009 : 41;
        for (uint32_t unit = 0; unit < sm_all_units(&s); unit++) {
            struct sm_cell c = sm_unit_cell(b.img, i, unit, 0, 0);
            for (c.bit = 0; c.bit < s.field[c.field].bits && wrong < 5; c.bit++)
                for (uint64_t cycle = 0; cycle < b.g->cycles; cycle++)
                    if ((uint32_t)tried++ % stride == 0) {
                        struct fsim_fault u = fsim_flip(c, cycle);
                        wrong += !agree(&b, &u, &failures, &idle);
                    }
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 0 && idle > 0);
    CU_ASSERT(tried > 300000);
    bench_close(&b);
}

static void try_kernel(const char *text, uint32_t blocks, uint32_t threads, int replacement)
{
    try_caches(text, blocks, threads, replacement, CACHE_MODEL_REAL);
}

static void every_flip_of_gpufi_caches(void)
{
    try_caches(cache_sums, 3, 8, CACHE_LRU, CACHE_MODEL_GPUFI);
    try_caches(cache_again, 2, 8, CACHE_PLRU, CACHE_MODEL_GPUFI);
    try_caches(cache_in_local, 2, 16, CACHE_FIFO, CACHE_MODEL_GPUFI);
}

static void every_flip_of_a_kernel_that_adds(void)
{
    try_kernel(cache_sums, 3, 8, CACHE_LRU);
}

static void every_flip_of_a_kernel_that_reads_again(void)
{
    try_kernel(cache_again, 2, 8, CACHE_PLRU);
}

static void every_flip_of_a_kernel_in_one_set(void)
{
    for (int replacement = CACHE_LRU; replacement <= CACHE_FIFO; replacement++)
        try_kernel(cache_one_set, 1, 1, replacement);
}

static void every_flip_of_a_kernel_with_local_memory(void)
{
    try_kernel(cache_in_local, 2, 16, CACHE_FIFO);
}

/* Line A, then B of the same set, whose tags differ in two bits; A is not looked up again. */
static const char two_bits_apart[] =
    ".kernel k\n.param u32 OUT\n.regs 8\nMOV R1, s[OUT]\nIADD32I R2, R1, 192\n"
    "IADD32I R3, R1, 32\nGLD.U32 R4, global14[R1]\nGLD.U32 R5, global14[R2]\n"
    "GST.U32 global14[R3], R5\nNOP.EXIT\n";

static void two_flips_that_make_a_tag_another_one_are_simulated(void)
{
    int wrong = 0, failures = 0, idle = 0;
    struct job *job = faults_job("tiny-chip-caches", 1, 1, two_bits_apart);
    for (uint32_t i = 0; i < 256; i++)
        job->buffer[0].init[i] = (uint8_t)(i + 1);
    struct bench b = bench_open(job, false);
    for (uint64_t cycle = 0; cycle < b.g->cycles; cycle++) {
        struct fsim_fault u[2];
        for (int i = 0; i < 2; i++) /* sm0/l1d/set0/way0/tag0 and tag1 */
            u[i] = fsim_flip((struct sm_cell){.structure = SM_S_l1d, .bit = i}, cycle);
        u->cells = 2;
        wrong += !agree(&b, u, &failures, &idle);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 0);
    bench_close(&b);
}

static void every_flip_of_a_kernel_with_constants(void)
{
    for (int replacement = CACHE_LRU; replacement <= (all ? CACHE_FIFO : CACHE_LRU); replacement++)
        try_kernel(cache_constants, 3, 4, replacement);
}

static void every_flip_of_a_kernel_with_textures(void)
{
    for (int replacement = CACHE_LRU; replacement <= (all ? CACHE_FIFO : CACHE_LRU); replacement++)
        try_kernel(of_texels, 2, 8, replacement);
}

static void every_flip_of_a_kernel_with_instructions(void)
{
    for (int replacement = CACHE_LRU; replacement <= (all ? CACHE_FIFO : CACHE_LRU); replacement++)
        try_kernel(of_instructions, 3, 4, replacement);
}

/* Who asks whether a line is there has looked at a PC, and at whose turn it was. */
static void flips_of_what_is_asked_for_end_as_by_brute_force(void)
{
    static const int target[] = {SM_S_pc, SM_S_sched};
    int wrong = 0, failures = 0, idle = 0;
    long tried = 0;
    struct job *job = faults_job("tiny-chip-icache", 4, 40, of_instructions);
    job->profile.sms = 1;
    job->profile.sps = 32;
    job->profile.warps = 8; /* so that some have to wait for their turn */
    job->profile.threads_per_sm = 256;
    job->profile.blocks_per_sm = 4;
    job->profile.regs = 1024;
    job->profile.shared_bytes = 1024;
    job->profile.cache[CACHE_L1I].bytes = 256;
    struct bench b = bench_open(job, false);
    for (int i = 0; i < 2; i++)
        for (uint32_t unit = 0; unit < b.t->s[target[i]].units; unit++)
            for (int bit = 0; bit < (i ? 1 : 9) && wrong < 5; bit++)
                for (uint64_t cycle = 0; cycle < b.g->cycles; cycle++)
                    if (tried++ % (SANITIZED ? 29 : 3) == 0) {
                        struct sm_cell c = sm_unit_cell(b.img, target[i], unit, bit, 0);
                        struct fsim_fault u = fsim_flip(c, cycle);
                        wrong += !agree(&b, &u, &failures, &idle);
                    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 100);
    bench_close(&b);
}

/* A line is fetched and read in one cycle, once: no flip is ever read, and what is held then is. */
static void what_is_read_as_it_comes_is_seen_by_held_bits_alone(void)
{
    static const char text[] =
        ".kernel k\n.param u32 OUT\n.regs 8\nMOV R1, s[OUT]\nIADD32I R2, R1, 32\n"
        "GLD.U32 R3, global14[R1]\nGST.U32 global14[R2], R3\nNOP.EXIT\n";
    int wrong = 0, failures = 0, idle = 0;
    struct bench b = bench_open(faults_job("tiny-chip-caches", 1, 1, text), false);
    struct sm_cell c = {.structure = SM_S_l1d_data, .bit = 3};
    for (uint64_t cycle = 0; cycle < b.g->cycles; cycle++) {
        struct fsim_fault u = fsim_flip(c, cycle);
        wrong += !agree(&b, &u, &failures, &idle);
    }
    CU_ASSERT_EQUAL(idle, (int)b.g->cycles);
    for (uint64_t cycle = 0; cycle + 3 < b.g->cycles; cycle++) {
        struct fsim_fault u = fsim_held(c, 1, cycle, cycle + 3);
        wrong += !agree(&b, &u, &failures, &idle);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 0);
    bench_close(&b);
}

/* ---- in several SMs at once ------------------------------------------------------------------ */

static int sms_of(const struct fsim_fault *u)
{
    int n = 1;
    for (int i = 1; i < u->cells; i++)
        n += u[i].cell.place != u[i - 1].cell.place;
    return n;
}

static void samples_of_the_same_fault_in_each_sm_end_as_by_brute_force(void)
{
    static const int target[] = {SM_S_l1d, SM_S_l1d_data, SM_S_rf, SM_S_mask};
    int wrong = 0, failures = 0, idle = 0, alone = 0;
    struct job *job = faults_job("tiny-chip-caches", 3, 8, cache_sums);
    job->profile.sms = 3;
    for (uint32_t i = 0; i < 64; i++)
        job->buffer[0].init[4 * i] = (uint8_t)(i + 1);
    struct job_context l = campaigns_context(job);
    struct avf_options opt = campaigns_options();
    CU_ASSERT(fsim_sms_read("0,2", &opt.pattern.same_in));
    struct bench b = bench_open(job, false);
    for (int i = 0; i < 4; i++)
        for (uint64_t k = 0; k < 250; k++) {
            struct fsim_fault u[FSIM_CELLS];
            opt.pattern.adjacent = k % 2 ? 2 : 0;
            opt.pattern.window = k % 3 ? 0 : 20;
            CU_ASSERT_FATAL(sample_draw(&l, target[i], &opt, k, u));
            alone += sms_of(u) != 2 || u->cell.place != 0 || u[u->cells - 1].cell.place != 2;
            wrong += !agree(&b, u, &failures, &idle);
        }
    CU_ASSERT_EQUAL(alone, 0);
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 20 && idle > 20);
    context_close(&l);
    bench_close(&b);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void a_cache_that_a_profile_lacks_is_refused_by_name(void)
{
    struct job *job = faults_job("tiny-chip", 1, 1, cache_sums);
    struct sm_image *img = sm_image_new(job, NULL);
    struct fsim_list list = {0};
    struct fl_err err = {{0}};
    CU_ASSERT_EQUAL(fsim_list_add(&list, img, "sm1/l1d/set0/way0/tag3", &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "profile tiny-chip has no cache with l1d"));
    CU_ASSERT_EQUAL(fsim_list_add(&list, img, "l2", &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "profile tiny-chip has no cache with l2"));
    fsim_list_free(&list);
    sm_image_free(img);
    job_free(job);
}

int main(int argc, char **argv)
{
    /* "all": every bit in every cycle, which takes minutes */
    all = argc > 1 && strcmp(argv[1], "all") == 0;
    return CHECK_RUN(
        "cache_faults", CHECK(every_flip_of_a_kernel_that_adds),
        CHECK(every_flip_of_a_kernel_that_reads_again), CHECK(every_flip_of_a_kernel_in_one_set),
        CHECK(every_flip_of_a_kernel_with_local_memory),
        CHECK(every_flip_of_a_kernel_with_constants), CHECK(every_flip_of_a_kernel_with_textures),
        CHECK(every_flip_of_a_kernel_with_instructions),
        CHECK(flips_of_what_is_asked_for_end_as_by_brute_force), CHECK(every_flip_of_gpufi_caches),
        CHECK(flips_of_gpufi_caches_end_as_by_brute_force),
        CHECK(flips_and_held_bits_end_as_by_brute_force),
        CHECK(two_flips_that_make_a_tag_another_one_are_simulated),
        CHECK(what_is_read_as_it_comes_is_seen_by_held_bits_alone),
        CHECK(followed_registers_of_chips_with_caches_end_as_by_brute_force),
        CHECK(followed_words_of_an_l1_end_as_by_brute_force),
        CHECK(a_followed_word_that_is_an_address_ends_as_by_brute_force),
        CHECK(registers_that_decide_which_constants_are_fetched_end_as_by_brute_force),
        CHECK(permanent_faults_end_as_by_brute_force),
        CHECK(samples_of_the_same_fault_in_each_sm_end_as_by_brute_force),
        CHECK(a_cache_that_a_profile_lacks_is_refused_by_name));
}
