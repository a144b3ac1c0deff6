/* test_caches.c -- caches: what they hold, count and cost, beside a simulator of their own; and what
 * broken tags and state do. */
#include "cache_reference.h"
#include "random_caches.h"
#include "tests/lib/check.h"
#include "tests/lib/machine.h"
#include "tests/lib/random_mix.h"

static struct profile_cache l1d(enum cache_write write, int next)
{
    return (struct profile_cache){.bytes = 128,
                                  .line = 32,
                                  .ways = 2,
                                  .write = (int)write,
                                  .spaces = 3,
                                  .latency = 8,
                                  .next = next};
}

/* ---- beside the reference -------------------------------------------------------------------- */

/* A random program on one SM or some, with random caches. */
static struct machine random_machine(uint64_t seed)
{
    uint8_t constants[MIX_CONST];
    struct random_mix s;
    mix_make(&s, seed, 60, true, ISA_1_0);
    struct job *job = machine_job("tiny-chip", (char *)s.text.data);
    job->profile.sms = 1 + (int)mix_random(&s, 4);
    job->profile.ports = (int)mix_random(&s, 2);
    job->profile.blocks = (int)mix_random(&s, 2);
    job->profile.regs = 2048;
    random_caches(&s.seed, &job->profile);
    uint32_t addr = machine_buffer(job, MIX_STRIDE * 96 - 4 * mix_random(&s, 2), NULL);
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

/* Runs slot by slot; whether every load got what it should, and all is as it should be in the end. */
static bool agrees(struct machine *m)
{
    struct cache_reference *r = cache_reference_new(m->img);
    struct sm_commit c = {0};
    bool good = true;
    gpu_record(m->gpu, &c);
    while (!gpu_ended(m->gpu) && gpu_cycles(m->gpu) < 200000) {
        uint32_t launch = m->gpu->grid.launch;
        struct cache_before before;
        const struct sm_state *s = &m->gpu->sm[gpu_turn(m->gpu)].s;
        memcpy(before.warp, s->warp, sizeof before.warp);
        memcpy(before.rf, s->rf, sizeof before.rf);
        int fetched = s->stage[STAGE_F], sm = gpu_tick(m->gpu);
        good &= cache_reference_commit(r, &c, sm, &before);
        if (m->gpu->grid.launch != launch || m->gpu->grid.done)
            cache_reference_launch(r, m->gpu->grid.done);
        if (fetched != NO_WARP && s->stage[STAGE_D] == fetched)
            good &= cache_reference_fetch(r, m->gpu->sm[sm].kernel, sm, s->warp[fetched].fetched);
    }
    gpu_record(m->gpu, NULL);
    good &= gpu_trap(m->gpu) != TRAP_NONE || cache_reference_agrees(r, m->gpu);
    cache_reference_free(r);
    return good;
}

static void caches_do_what_a_simple_simulator_of_them_does(void)
{
    int finished = 0;
    uint64_t hits = 0, constants = 0, instructions = 0, write_backs = 0;
    for (uint64_t seed = 1; seed <= (SANITIZED ? 40 : 400); seed++) {
        struct machine m = random_machine(seed);
        bool same = agrees(&m);
        if (!same)
            printf("\n    seed %d differs\n", (int)seed);
        CU_ASSERT(same);
        finished += m.gpu->grid.done == 1;
        hits += m.gpu->counts[CACHE_L1D].hits;
        constants += m.gpu->counts[CACHE_L1C].hits;
        instructions += m.gpu->counts[CACHE_L1I].hits;
        write_backs += m.gpu->counts[CACHE_L2].write_backs;
        machine_end(&m);
    }
    CU_ASSERT(finished > (SANITIZED ? 15 : 150));
    CU_ASSERT(hits > 1000);
    CU_ASSERT(constants > (SANITIZED ? 300 : 3000));
    CU_ASSERT(instructions > (SANITIZED ? 1000 : 10000));
    CU_ASSERT(write_backs > 100);
}

/* Launch by launch a kernel writes the texels that the next one asks for, and writes where none are. */
static struct machine fetching(uint64_t seed)
{
    static const char text[] =
        ".texture tex, f32\n.kernel a\n.param ptr OUT\n"
        "I2I.U32.U16 R0, R0L\nI2F.F32.U32 R1, R0\nSHL R2, R0, 2\nIADD R2, s[OUT], R2\n"
        "GST.U32 global14[R2], R1\nNOP.EXIT\n"
        ".kernel b\n.param ptr OUT\n.const AGAIN, f32, 0.37\n"
        "I2I.U32.U16 R0, R0L\nI2F.F32.U32 R2, R0\nFMUL R1, R2, c1[AGAIN]\nFMUL32I R2, R2, 0.11f\n"
        "TEX R1, t0, s0, n1, m15, x0, y0, z0\nMOV R6, R1\nSHR R1, R0, 1\n"
        "TLD R1, t0, s0, n0, m15, x0, y0, z0\nFADD R1, R1, R6\nSHL R5, R0, 2\n"
        "IADD R5, s[OUT], R5\nIADD32I R5, R5, 0x800\nGST.U32 global14[R5], R1\nNOP.EXIT\n";
    uint32_t channels = 1u << machine_random(&seed) % 3;
    struct job *job = machine_job("tiny-chip", text);
    job->profile.sms = 1 + (int)(machine_random(&seed) % 4);
    job->profile.ports = (int)(machine_random(&seed) % 2);
    job->profile.regs = 2048;
    random_caches(&seed, &job->profile);
    uint32_t addr = machine_buffer(job, 4096, NULL);
    job->texture = fl_alloc(sizeof *job->texture);
    job->texture[0].texture = (struct texture){
        .width = 2 + machine_random(&seed) % 8,
        .height = 1 + machine_random(&seed) % 4,
        .pitch = 16 * channels + 16 * (machine_random(&seed) % 4) + 64 * channels,
        .format = machine_random(&seed) % 2 ? TEXTURE_F32 : TEXTURE_UNORM8,
        .channels = (uint8_t)channels,
        .linear = machine_random(&seed) % 2};
    job->ntextures = 1;
    for (int i = 0; i < 4; i++) {
        struct job_launch *l = machine_launch(job, i % 2, 1 + machine_random(&seed) % 5,
                                              1 + machine_random(&seed) % 64);
        l->textures = 1;
        machine_param(l, addr);
    }
    return machine_load(job);
}

static void texture_caches_do_what_a_simple_simulator_of_them_does(void)
{
    uint64_t hits = 0, behind = 0;
    for (uint64_t seed = 1; seed <= (SANITIZED ? 60 : 600); seed++) {
        struct machine m = fetching(seed);
        bool same = agrees(&m);
        if (!same)
            printf("\n    seed %d differs\n", (int)seed);
        CU_ASSERT(same);
        CU_ASSERT_EQUAL(m.gpu->grid.done, 1);
        hits += m.gpu->counts[CACHE_L1T].hits;
        behind += m.img->caches.first[CACHE_TEXELS] == CACHE_L2;
        machine_end(&m);
    }
    CU_ASSERT(hits > (SANITIZED ? 300 : 3000));
    CU_ASSERT(behind > 3);
}

/* Whatever caches there are, a fetch finds what launches before have written. */
static void caches_change_nothing_that_a_fetch_gives(void)
{
    for (uint64_t seed = 1; seed <= (SANITIZED ? 40 : 400); seed++) {
        struct machine a = fetching(seed), b = fetching(seed);
        struct job *job = b.job;
        sm_image_free(b.img);
        gpu_free(b.gpu);
        memset(job->profile.cache, 0, sizeof job->profile.cache);
        b.img = sm_image_new(job, NULL);
        b.gpu = gpu_new(b.img);
        gpu_run(a.gpu, 200000);
        gpu_run(b.gpu, 200000);
        uint8_t of_a[4096], of_b[4096];
        gpu_read_global(a.gpu, a.img->buffer[0].addr, of_a, sizeof of_a);
        gpu_read_global(b.gpu, b.img->buffer[0].addr, of_b, sizeof of_b);
        CU_ASSERT_EQUAL(memcmp(of_a, of_b, sizeof of_a), 0);
        machine_end(&a);
        machine_end(&b);
    }
}

static void running_ahead_changes_nothing_with_caches(void)
{
    for (uint64_t seed = 1; seed <= (SANITIZED ? 40 : 400); seed++) {
        struct machine (*make)(uint64_t) = seed % 4 ? random_machine : fetching;
        struct machine a = make(seed), b = make(seed);
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
                   (gpu_trap(a.gpu) || gpu_same(a.gpu, b.gpu));
        }
        if (!same)
            printf("\n    seed %d differs by cycle %d\n", (int)seed, (int)cycle);
        CU_ASSERT(same);
        machine_end(&a);
        machine_end(&b);
    }
}

static void a_copy_has_the_caches_too(void)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct machine a = random_machine(seed);
        struct gpu *copy = gpu_new(a.img);
        gpu_run(a.gpu, 300 + 10 * seed);
        gpu_copy(copy, a.gpu);
        CU_ASSERT(gpu_same(copy, a.gpu));
        gpu_run(a.gpu, 200000);
        gpu_run(copy, 200000);
        CU_ASSERT(gpu_same(copy, a.gpu));
        gpu_free(copy);
        machine_end(&a);
    }
}

/* ---- time ------------------------------------------------------------------------------------ */

/* A thread that loads a word of a buffer twice, R2 and R3, then stores R3 behind it. */
static const char twice[] = K ".param ptr p\nMOV R1, s[p]\nGLD.U32 R2, global14[R1]\n"
                              "GLD.U32 R3, global14[R1]\nIADD32I R1, R1, 4\n"
                              "GST.U32 global14[R1], R3\nNOP.EXIT";

static struct machine two_loads(enum cache_write write, bool has_l2)
{
    uint32_t words[64] = {7};
    struct job *job = machine_job("tiny-chip", twice);
    job->profile.sms = 1;
    job->profile.cache[CACHE_L1D] = l1d(write, has_l2 ? CACHE_L2 : CACHE_MEMORY);
    if (has_l2) {
        job->profile.cache[CACHE_L2] = l1d(CACHE_BACK, CACHE_MEMORY);
        job->profile.cache[CACHE_L2].latency = 12;
    }
    uint32_t addr = machine_buffer(job, sizeof words, words);
    machine_param(machine_launch(job, 0, 1, 1), addr);
    return machine_load(job);
}

/* Cycles from one commit of the warp to its next, less what a lone instruction takes. */
static uint64_t waited(const struct machine *m, int n)
{
    return machine_cycle(m, 0, n) - machine_cycle(m, 0, n - 1) - 20;
}

static void a_hit_takes_the_latency_of_its_cache_and_a_miss_that_of_memory(void)
{
    struct machine m = two_loads(CACHE_THROUGH, false);
    machine_run(&m);
    CU_ASSERT_EQUAL(waited(&m, 1), 4 + 20); /* a transaction, the latency of memory */
    CU_ASSERT_EQUAL(waited(&m, 2), 8);
    CU_ASSERT_EQUAL(waited(&m, 4), 4 + 20); /* a store goes through */
    machine_end(&m);
}

static void a_store_that_hits_a_cache_that_writes_back_stays_there(void)
{
    struct machine m = two_loads(CACHE_BACK, false);
    machine_run(&m);
    CU_ASSERT_EQUAL(waited(&m, 4), 8);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 1), 7); /* at the end of the launch it has gone back */
    CU_ASSERT_EQUAL(m.gpu->counts[CACHE_L1D].write_backs, 1);
    machine_end(&m);
}

static void what_leaves_an_sm_and_hits_behind_takes_a_transaction_and_that_latency(void)
{
    struct machine m = two_loads(CACHE_THROUGH, true);
    machine_run(&m);
    CU_ASSERT_EQUAL(waited(&m, 1), 4 + 20);
    CU_ASSERT_EQUAL(waited(&m, 4), 4 + 12);
    machine_end(&m);
}

/* A thread that takes a constant twice, then one of the next line; cycles of each as it takes them. */
static struct machine two_constants(bool has_l2)
{
    static const char text[] = K
        ".param ptr p\nMOV R1, s[p]\nIADD R2, R8, c0[4]\nIADD R2, R8, c0[8]\n"
        "IADD R3, R8, c0[36]\nIADD R3, R8, c0[68]\nGST.U32 global14[R1], R2\n"
        "IADD32I R1, R1, 4\nGST.U32 global14[R1], R3\nNOP.EXIT";
    uint32_t constants[32] = {1, 2, 3, 4, [9] = 9, [17] = 17};
    struct job *job = machine_job("tiny-chip", text);
    job->profile.sms = 1;
    job->profile.cache[CACHE_L1C] = l1d(CACHE_THROUGH, has_l2 ? CACHE_L2 : CACHE_MEMORY);
    job->profile.cache[CACHE_L1C].spaces = 1u << CACHE_CONSTANT;
    job->profile.cache[CACHE_L1C].latency = 1;
    if (has_l2) {
        job->profile.cache[CACHE_L2] = l1d(CACHE_BACK, CACHE_MEMORY);
        job->profile.cache[CACHE_L2].line = 64;
        job->profile.cache[CACHE_L2].latency = 12;
        job->profile.cache[CACHE_L2].spaces |= 1u << CACHE_CONSTANT;
    }
    machine_const(job, 0, constants, sizeof constants);
    uint32_t addr = machine_buffer(job, 64, NULL);
    machine_param(machine_launch(job, 0, 1, 1), addr);
    return machine_load(job);
}

static void a_constant_that_misses_lengthens_execute(void)
{
    struct machine m = two_constants(false);
    machine_run(&m);
    CU_ASSERT_EQUAL(waited(&m, 1), 4 + 20); /* a transaction, the latency of memory */
    CU_ASSERT_EQUAL(waited(&m, 2), 1);
    CU_ASSERT_EQUAL(waited(&m, 3), 4 + 20);
    machine_end(&m);
    m = two_constants(true);
    machine_run(&m);
    CU_ASSERT_EQUAL(waited(&m, 1), 4 + 20);
    CU_ASSERT_EQUAL(waited(&m, 2), 1);
    CU_ASSERT_EQUAL(waited(&m, 3), 4 + 12);
    machine_end(&m);
}

/* ---- broken state ---------------------------------------------------------------------------- */

enum { TAG, VALID, AGE, DIRTY };

/* Just before the second of the two loads enters: its line is in set 0, way 0. */
static struct machine before_second(enum cache_write write)
{
    struct machine m = two_loads(write, false);
    machine_run_instructions(&m, 2);
    CU_ASSERT_EQUAL(m.gpu->counts[CACHE_L1D].misses, 1);
    return m;
}

static uint32_t second_load(struct machine *m)
{
    machine_run(m);
    return machine_word(m, 0, 1);
}

static void a_flipped_word_is_loaded_by_a_hit(void)
{
    struct machine m = before_second(CACHE_THROUGH);
    struct sm_cell c = machine_cell(&m, "l1d_data", 0, 3, 0, 0);
    machine_flip(&m, c);
    CU_ASSERT_EQUAL(second_load(&m), 7 ^ 8);
    machine_end(&m);
}

/* A thread that asks for texels 1, 2 and 9, and stores what it got of the last two; the texels at 0 and 64 have one set. */
static struct machine three_texels(bool has_l2)
{
    static const char text[] =
        ".texture tex, u32\n" K
        ".param ptr p\nMOV R5, s[p]\nMVI R1, 1\nTLD R1, t0, s0, n0, m1, x0, y0, z0\n"
        "MVI R2, 2\nTLD R2, t0, s0, n0, m1, x0, y0, z0\nMVI R3, 17\nTLD R3, t0, s0, n0, m1, x0, "
        "y0, z0\n"
        "GST.U32 global14[R5], R2\nIADD32I R5, R5, 4\nGST.U32 global14[R5], R3\nNOP.EXIT";
    uint32_t texels[32] = {0, 1, 2, [17] = 17};
    struct job *job = machine_job("tiny-chip", text);
    job->profile.sms = 1;
    job->profile.cache[CACHE_L1T] = l1d(CACHE_THROUGH, has_l2 ? CACHE_L2 : CACHE_MEMORY);
    job->profile.cache[CACHE_L1T].spaces = 1u << CACHE_GLOBAL;
    if (has_l2) {
        job->profile.cache[CACHE_L2] = l1d(CACHE_BACK, CACHE_MEMORY);
        job->profile.cache[CACHE_L2].line = 128;
        job->profile.cache[CACHE_L2].bytes = 256;
        job->profile.cache[CACHE_L2].latency = 12;
    }
    uint32_t out = machine_buffer(job, 64, NULL);
    machine_buffer(job, sizeof texels, texels);
    job->texture = fl_alloc(sizeof *job->texture);
    job->ntextures = 1;
    job->texture[0] = (struct job_texture){
        .buffer = 1, .texture = {.width = 32, .height = 1, .format = TEXTURE_U32, .channels = 1}};
    struct job_launch *l = machine_launch(job, 0, 1, 1);
    l->textures = 1;
    machine_param(l, out);
    return machine_load(job);
}

static void a_fetch_takes_the_latency_of_the_cache_that_has_its_texels(void)
{
    struct machine m = three_texels(false);
    machine_run(&m);
    CU_ASSERT_EQUAL(waited(&m, 2), 4 + 20);
    CU_ASSERT_EQUAL(waited(&m, 4), 8);
    CU_ASSERT_EQUAL(waited(&m, 6), 4 + 20);
    machine_end(&m);
    m = three_texels(true);
    machine_run(&m);
    CU_ASSERT_EQUAL(waited(&m, 4), 8);
    CU_ASSERT_EQUAL(waited(&m, 6), 4 + 12);
    machine_end(&m);
}

static void a_flipped_word_of_a_line_is_the_texel(void)
{
    struct machine m = three_texels(false);
    machine_run_instructions(&m, 4);
    struct sm_cell c = machine_cell(&m, "l1t_data", 0, 5, 0, 0);
    c.index[2] = 2;
    machine_flip(&m, c);
    machine_run(&m);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 2 ^ 32);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 1), 17);
    machine_end(&m);
}

/* The line at 0 takes the tag of that at 64: texel 17 is what stands where texel 1 does. */
static void a_wrong_tag_gives_a_wrong_texel(void)
{
    struct machine m = three_texels(false);
    machine_run_instructions(&m, 6);
    machine_flip(&m, machine_cell(&m, "l1t", TAG, 0, 0, 0));
    machine_run(&m);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 2);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 1), 1);
    machine_end(&m);
}

static void a_flipped_word_of_a_line_is_the_constant(void)
{
    struct machine m = two_constants(false);
    machine_run_instructions(&m, 2);
    struct sm_cell c = machine_cell(&m, "l1c_data", 0, 5, 0, 0);
    c.index[2] = 2;
    machine_flip(&m, c);
    machine_run(&m);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 3 ^ 32);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 1), 17);
    machine_end(&m);
}

/* The line at 0 takes the tag of that at 64, in the same set: what is asked for at 68 is what stands at 4. */
static void a_wrong_tag_gives_a_wrong_constant(void)
{
    struct machine m = two_constants(false);
    machine_run_instructions(&m, 3);
    machine_flip(&m, machine_cell(&m, "l1c", TAG, 0, 0, 0));
    machine_run(&m);
    CU_ASSERT_EQUAL(m.gpu->counts[CACHE_L1C].misses, 2);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 0), 3);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 1), 2);
    machine_end(&m);
}

static void a_line_with_a_wrong_tag_is_fetched_again(void)
{
    struct machine m = before_second(CACHE_THROUGH);
    machine_flip(&m, machine_cell(&m, "l1d_data", 0, 3, 0, 0));
    machine_flip(&m, machine_cell(&m, "l1d", TAG, 5, 0, 0));
    CU_ASSERT_EQUAL(second_load(&m), 7);
    CU_ASSERT_EQUAL(m.gpu->counts[CACHE_L1D].misses, 2);
    machine_end(&m);
}

static void a_wrong_tag_that_is_looked_up_gives_a_false_hit(void)
{
    /* way 1 of set 0 holds nothing; with this tag it holds the line that follows in the set */
    struct machine m = before_second(CACHE_THROUGH);
    struct sm_cell valid = machine_cell(&m, "l1d", VALID, 0, 0, 1);
    struct sm_cell first = machine_cell(&m, "l1d", VALID, 0, 0, 0);
    struct sm_force tag = sm_cell_force(m.img, &(struct sm_cell){.structure = first.structure}, 0);
    uint32_t of = gpu_word_read(m.gpu, &tag);
    for (int b = 0; b < 32; b++)
        if (of >> b & 1)
            machine_flip(&m, machine_cell(&m, "l1d", TAG, b, 0, 1));
    machine_flip(&m, valid);
    machine_flip(&m, machine_cell(&m, "l1d_data", 0, 0, 0, 1));
    machine_flip(&m, first);
    CU_ASSERT_EQUAL(second_load(&m), 1);
    machine_end(&m);
}

static void of_two_ways_that_match_the_lowest_counts(void)
{
    struct machine m = before_second(CACHE_THROUGH);
    struct sm_force tag = sm_cell_force(
        m.img, &(struct sm_cell){.structure = machine_cell(&m, "l1d", TAG, 0, 0, 0).structure}, 0);
    uint32_t of = gpu_word_read(m.gpu, &tag);
    for (int b = 0; b < 32; b++)
        if (of >> b & 1)
            machine_flip(&m, machine_cell(&m, "l1d", TAG, b, 0, 1));
    machine_flip(&m, machine_cell(&m, "l1d", VALID, 0, 0, 1));
    CU_ASSERT_EQUAL(second_load(&m), 7);
    machine_end(&m);
}

static void a_dirty_line_of_an_address_that_nobody_has_is_dropped(void)
{
    struct machine m = two_loads(CACHE_BACK, false);
    machine_run_instructions(&m, 5); /* the store has happened */
    machine_flip(&m, machine_cell(&m, "l1d", TAG, 20, 0, 0));
    machine_run(&m);
    ASSERT_FINISHED(m);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 1), 0);
    machine_end(&m);
}

static void a_line_that_lost_its_dirty_bit_does_not_go_back(void)
{
    struct machine m = two_loads(CACHE_BACK, false);
    machine_run_instructions(&m, 5);
    machine_flip(&m, machine_cell(&m, "l1d", DIRTY, 0, 0, 0));
    machine_run(&m);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 1), 0);
    machine_end(&m);
}

static void a_held_valid_bit_keeps_a_way_empty(void)
{
    struct machine m = two_loads(CACHE_THROUGH, false);
    machine_stick(&m, machine_cell(&m, "l1d", VALID, 0, 0, 0), 0);
    machine_run(&m);
    CU_ASSERT_EQUAL(m.gpu->counts[CACHE_L1D].hits, 0);
    CU_ASSERT_EQUAL(machine_word(&m, 0, 1), 7);
    machine_end(&m);
}

/* Each SM writes L2: what is held there is held for all. */
static void a_cell_of_the_chip_is_held_whoever_writes_it(void)
{
    struct machine m = random_machine(3);
    for (uint64_t seed = 4; m.img->sms < 2 || !m.img->caches.chip; seed++) {
        machine_end(&m);
        m = random_machine(seed);
    }
    struct sm_cell c = machine_cell(&m, "l2", VALID, 0, 0, 0);
    machine_stick(&m, c, 0);
    while (!gpu_ended(m.gpu) && gpu_cycles(m.gpu) < 200000) {
        gpu_tick(m.gpu);
        CU_ASSERT_EQUAL(gpu_cell_read(m.gpu, &c), 0);
    }
    machine_end(&m);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void lines_of_several_sms_that_go_back_are_refused(void)
{
    struct job *job = machine_job("tiny-chip", K "NOP.EXIT");
    struct fl_err err = {{0}};
    job->profile.cache[CACHE_L1D] = l1d(CACHE_BACK, CACHE_MEMORY);
    machine_launch(job, 0, 1, 1);
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    CU_ASSERT_PTR_NULL(sm_image_new(job, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "--sms 1"));
    job_free(job);
}

int main(void)
{
    return CHECK_RUN(
        "caches", CHECK(caches_do_what_a_simple_simulator_of_them_does),
        CHECK(texture_caches_do_what_a_simple_simulator_of_them_does),
        CHECK(caches_change_nothing_that_a_fetch_gives),
        CHECK(running_ahead_changes_nothing_with_caches), CHECK(a_copy_has_the_caches_too),
        CHECK(a_hit_takes_the_latency_of_its_cache_and_a_miss_that_of_memory),
        CHECK(a_store_that_hits_a_cache_that_writes_back_stays_there),
        CHECK(what_leaves_an_sm_and_hits_behind_takes_a_transaction_and_that_latency),
        CHECK(a_constant_that_misses_lengthens_execute),
        CHECK(a_fetch_takes_the_latency_of_the_cache_that_has_its_texels),
        CHECK(a_flipped_word_of_a_line_is_the_texel), CHECK(a_wrong_tag_gives_a_wrong_texel),
        CHECK(a_flipped_word_of_a_line_is_the_constant), CHECK(a_wrong_tag_gives_a_wrong_constant),
        CHECK(a_flipped_word_is_loaded_by_a_hit), CHECK(a_line_with_a_wrong_tag_is_fetched_again),
        CHECK(a_wrong_tag_that_is_looked_up_gives_a_false_hit),
        CHECK(of_two_ways_that_match_the_lowest_counts),
        CHECK(a_dirty_line_of_an_address_that_nobody_has_is_dropped),
        CHECK(a_line_that_lost_its_dirty_bit_does_not_go_back),
        CHECK(a_held_valid_bit_keeps_a_way_empty),
        CHECK(a_cell_of_the_chip_is_held_whoever_writes_it),
        CHECK(lines_of_several_sms_that_go_back_are_refused));
}
