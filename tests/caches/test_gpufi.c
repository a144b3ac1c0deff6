/* test_gpufi.c -- caches as gpuFI-4 has them: what a flip does, rule by rule. That pruned flips end as by brute force:
 * test_cache_faults.c. */
#include "random_caches.h"
#include "tests/lib/campaigns.h"
#include "tests/lib/machine.h"
#include "tests/lib/random_mix.h"

#define BEGIN ".kernel k\n.param u32 OUT\n.regs 8\nMOV R1, s[OUT]\n"

/* One thread on tiny-chip-caches: lines of 32 bytes, l1d 2 sets of 2 ways through, l2 2 sets of 4 back. */
static struct bench gpufi(const char *text, int model)
{
    struct job *job = faults_job("tiny-chip-caches", 1, 1, text);
    job->profile.cache_model = model;
    for (uint32_t i = 0; i < 512; i++)
        job->buffer[0].init[i] = (uint8_t)(i + 1);
    return bench_open(job, false);
}

static int ends(const struct bench *b, const char *id, uint64_t cycle)
{
    struct fsim_fault u[FSIM_CELLS];
    struct fl_err err;
    struct transient_result r;
    char *text = fl_format("%s@%llu:flip", id, (unsigned long long)cycle);
    CU_ASSERT_EQUAL_FATAL(fsim_parse(b->img, text, NULL, NULL, u, &err), 0);
    transient_exhaustive(b->w, b->t, u, &r);
    free(text);
    return r.r.outcome;
}

/* In how many of all cycles a flip ends so. */
static int count(const struct bench *b, const char *id, enum fsim_outcome o)
{
    int n = 0;
    for (uint64_t cycle = 0; cycle < b->g->cycles; cycle++)
        n += ends(b, id, cycle) == (int)o;
    return n;
}

/* Three lines of set 0 are loaded, the first one twice. */
static const char loads_again[] = BEGIN
    "GLD.U32 R2, global14[R1]\nIADD32I R4, R1, 64\nGLD.U32 R3, global14[R1]\nGLD.U32 R5, "
    "global14[R4]\n"
    "IADD R2, R5, R3\nIADD32I R4, R1, 32\nGST.U32 global14[R4], R2\nNOP.EXIT\n";

static void without_a_fault_they_are_like_caches_that_hold_data(void)
{
    for (uint64_t seed = 1; seed <= (SANITIZED ? 10 : 100); seed++) {
        uint64_t cycles[2] = {0};
        struct cache_count counts[2][CACHES];
        uint8_t digest[2][32];
        for (int model = 0; model < 2; model++) {
            uint64_t random = seed;
            struct job *job = flips_memories(seed);
            random_caches(&random, &job->profile);
            job->profile.cache_model = model;
            struct sm_image *img = sm_image_new(job, NULL);
            struct gpu *g = gpu_new(img);
            gpu_run(g, 1000000);
            cycles[model] = gpu_cycles(g);
            memcpy(counts[model], g->counts, sizeof counts[model]);
            gpu_outputs_digest(g, digest[model]);
            gpu_free(g);
            sm_image_free(img);
            job_free(job);
        }
        CU_ASSERT_EQUAL(cycles[0], cycles[1]);
        CU_ASSERT_EQUAL(memcmp(counts[0], counts[1], sizeof counts[0]), 0);
        CU_ASSERT_EQUAL(memcmp(digest[0], digest[1], 32), 0);
    }
}

static void a_flipped_tag_changes_time_alone(void)
{
    struct bench real = gpufi(loads_again, CACHE_MODEL_REAL);
    struct bench b = gpufi(loads_again, CACHE_MODEL_GPUFI);
    CU_ASSERT(count(&real, "l1d/set0/way0/tag0", OUT_SDC) > 0); /* the other line, by its name */
    for (int bit = 0; bit < 59; bit++) {
        char id[64];
        snprintf(id, sizeof id, "l1d/set0/way0/%s%d", bit < 32 ? "tag" : "high", bit % 32);
        CU_ASSERT_EQUAL(count(&b, id, OUT_SDC), 0);
        CU_ASSERT(count(&b, id, OUT_PERFORMANCE) > 0); /* the second load no longer hits */
    }
    bench_close(&b);
    bench_close(&real);
}

static void a_flipped_bit_changes_what_a_hit_loads_and_no_miss(void)
{
    struct bench b = gpufi(loads_again, CACHE_MODEL_GPUFI);
    struct bench real = gpufi(loads_again, CACHE_MODEL_REAL);
    CU_ASSERT(count(&b, "l1d_data/set0/way0/w0/b3", OUT_SDC) > 0);
    CU_ASSERT_EQUAL(count(&b, "l1d_data/set0/way0/w1/b3", OUT_SDC), 0);
    /* The first load is what brings the line: what it loads is never from the line. */
    CU_ASSERT_EQUAL(count(&b, "l1d_data/set0/way1/w0/b3", OUT_SDC), 0);
    /* What l2 holds came into l1d when it was right. */
    CU_ASSERT_EQUAL(count(&b, "l2_data/set0/way0/w0/b3", OUT_SDC), 0);
    CU_ASSERT_EQUAL(count(&real, "l1d_data/set0/way0/w0/b3", OUT_SDC),
                    count(&b, "l1d_data/set0/way0/w0/b3", OUT_SDC));
    bench_close(&real);
    bench_close(&b);
}

/* They come from memory, and a tag is a matter of time. */
static void no_flip_changes_an_instruction(void)
{
    struct job *job = faults_job("tiny-chip-icache", 1, 1, loads_again);
    job->profile.cache_model = CACHE_MODEL_GPUFI;
    job->profile.cache[CACHE_L2].spaces = 1u << CACHE_CODE; /* l1d goes round it */
    job->profile.cache[CACHE_L1D].next = CACHE_MEMORY;
    struct bench b = bench_open(job, false);
    int late = 0, wrong = 0;
    for (int set = 0; set < 2; set++) {
        char id[64];
        for (int bit = 0; bit < 32; bit += 5) {
            snprintf(id, sizeof id, "l2_data/set%d/way0/w%d/b%d", set, bit % 8, bit);
            wrong += count(&b, id, OUT_MASKED) != (int)b.g->cycles;
        }
        snprintf(id, sizeof id, "l2/set%d/way0/tag0", set);
        late += count(&b, id, OUT_PERFORMANCE);
        wrong += count(&b, id, OUT_SDC);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(late > 0);
    bench_close(&b);
}

static void what_lies_dirty_in_l2_is_right_in_the_end(void)
{
    static const char text[] = BEGIN "MVI R2, 0x5\nGST.U32 global14[R1], R2\nNOP\nNOP\nNOP.EXIT\n";
    struct bench b = gpufi(text, CACHE_MODEL_GPUFI), real = gpufi(text, CACHE_MODEL_REAL);
    CU_ASSERT(count(&real, "l2_data/set0/way0/w0/b3", OUT_SDC) > 0);
    CU_ASSERT_EQUAL(count(&b, "l2_data/set0/way0/w0/b3", OUT_SDC), 0);
    bench_close(&b);
    bench_close(&real);
}

/* A store that hits its quarter of the line ends a flip in l1d, of another word of it too; not one in another quarter. */
static void a_store_ends_the_flips_of_a_quarter_of_a_line(void)
{
    static const char text[] = BEGIN
        "GLD.U32 R2, global14[R1]\nMVI R5, 0x7\nGST.U32 global14[R1], R5\n"
        "IADD32I R4, R1, 4\nGLD.U32 R2, global14[R4]\nIADD32I R4, R1, 8\nGLD.U32 R3, global14[R4]\n"
        "IADD R2, R2, R3\nIADD32I R4, R1, 32\nGST.U32 global14[R4], R2\nNOP.EXIT\n";
    struct bench b = gpufi(text, CACHE_MODEL_GPUFI), real = gpufi(text, CACHE_MODEL_REAL);
    int one = count(&b, "l1d_data/set0/way0/w1/b3", OUT_SDC);
    int two = count(&b, "l1d_data/set0/way0/w2/b3", OUT_SDC);
    CU_ASSERT(one > 0);
    CU_ASSERT(two > one + 20); /* from the first load on */
    CU_ASSERT(count(&real, "l1d_data/set0/way0/w1/b3", OUT_SDC) > one + 20);
    bench_close(&b);
    bench_close(&real);
}

/* A line leaves, and with it what a flip would have done. */
static void a_flip_ends_when_its_line_leaves(void)
{
    static const char text[] = BEGIN
        "GLD.U32 R2, global14[R1]\nIADD32I R4, R1, 64\nGLD.U32 R3, global14[R4]\n"
        "IADD32I R4, R1, 128\nGLD.U32 R3, global14[R4]\nGLD.U32 R2, global14[R1]\nNOP\n"
        "IADD32I R4, R1, 32\nGST.U32 global14[R4], R2\nNOP.EXIT\n";
    struct bench b = gpufi(text, CACHE_MODEL_GPUFI);
    CU_ASSERT_EQUAL(count(&b, "l1d_data/set0/way0/w0/b3", OUT_SDC), 0);
    CU_ASSERT_EQUAL(count(&b, "l1d_data/set0/way1/w0/b3", OUT_SDC), 0);
    CU_ASSERT(count(&b, "l2_data/set0/way0/w0/b3", OUT_SDC) > 0); /* hit there, by the last load */
    bench_close(&b);
}

static void of_a_line_of_128_bytes_a_tag_has_57_bits_and_there_is_nothing_else(void)
{
    struct job *job = faults_job("gpufi-titan", 1, 1, loads_again);
    job->profile.cache_model = CACHE_MODEL_GPUFI;
    struct sm_image *img = sm_image_new(job, NULL);
    struct fsim_list list = {0};
    struct sm_structure s;
    struct fl_err err = {{0}};
    sm_structure_get(img, SM_S_l2, &s);
    CU_ASSERT_EQUAL(sm_structure_bits(&s), 12288 * 57);
    CU_ASSERT_EQUAL(fsim_list_add(&list, img, "l2/set0/way0/valid0", &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "tag0..31 or high0..24"));
    fsim_list_free(&list);
    sm_image_free(img);
    job_free(job);
}

int main(void)
{
    return CHECK_RUN("gpufi", CHECK(without_a_fault_they_are_like_caches_that_hold_data),
                     CHECK(a_flipped_tag_changes_time_alone),
                     CHECK(a_flipped_bit_changes_what_a_hit_loads_and_no_miss),
                     CHECK(no_flip_changes_an_instruction),
                     CHECK(what_lies_dirty_in_l2_is_right_in_the_end),
                     CHECK(a_store_ends_the_flips_of_a_quarter_of_a_line),
                     CHECK(a_flip_ends_when_its_line_leaves),
                     CHECK(of_a_line_of_128_bytes_a_tag_has_57_bits_and_there_is_nothing_else));
}
