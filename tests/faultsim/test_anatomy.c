/* test_anatomy.c -- what the wrong elements of a run look like: each kind by hand, and the same from the words of a campaign. */
#include <math.h>

#include "faultsim/record/run.h"
#include "tests/lib/faults.h"

/* Block b, thread t leave the float 64 b + t in word 64 b + t. */
#define FLOATS                                                                                     \
    ".kernel k\n.param ptr out\n"                                                                  \
    "  I2I.U32.U16 R1, R0L\n  I2I.U32.U16 R2, g[0x6].U16\n  SHL R2, R2, 6\n  IADD R1, R1, R2\n"    \
    "  SHL R4, R1, 2\n  IADD R4, s[out], R4\n  I2F.F32.U32 R2, R1\n  GST.U32 global14[R4], R2\n"   \
    "  NOP.EXIT\n"
enum { WORDS = 256 };

static struct sm_image *img;
static struct golden *g;
static struct job *job;

static void open_floats(enum job_element element)
{
    struct fl_err err;
    job = faults_job("tiny", 4, 64, FLOATS);
    job->output[0].size = 4 * WORDS;
    job->output[0].typed = true;
    job->output[0].element = element;
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    img = sm_image_new(job, &err);
    g = golden_run(img, 100000, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
}

static void close_floats(void)
{
    golden_free(g);
    sm_image_free(img);
    job_free(job);
}

static uint32_t right(uint32_t word)
{
    uint32_t v;
    memcpy(&v, sm_memory_at(&g->end->memory, sm_output_at(img, 0) + 4 * word), 4);
    return v;
}

/* Words that differ by `mask`. */
static struct anatomy of_words(const uint32_t *word, uint32_t n, uint32_t mask)
{
    struct outputs_word w[WORDS];
    struct outputs_verdict v;
    for (uint32_t i = 0; i < n; i++) /* in any order */
        w[n - 1 - i] = (struct outputs_word){sm_output_at(img, 0) / 4 + word[i],
                                             right(word[i]) ^ mask};
    outputs_judge(g->outputs, w, n, &v);
    CU_ASSERT_EQUAL(v.elements, n);
    return v.anatomy;
}

static struct anatomy of_one(uint32_t word, uint32_t wrong)
{
    return of_words(&word, 1, right(word) ^ wrong);
}

#define OF(...)                                                                                    \
    of_words((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / 4, 1)

static void a_float_counts_as_what_it_becomes_or_by_the_fields_that_differ(void)
{
    open_floats(ELEMENT_F32); /* word 8: 8.0, 0x41000000 */
    CU_ASSERT_EQUAL(of_one(8, 0x7fc00000).value[VALUE_NAN], 1);
    CU_ASSERT_EQUAL(of_one(8, 0xff800000).value[VALUE_INF], 1);
    CU_ASSERT_EQUAL(of_one(8, 0x80000000).value[VALUE_ZERO], 1);
    CU_ASSERT_EQUAL(of_one(8, 0xc1000000).value[VALUE_SIGN], 1);
    CU_ASSERT_EQUAL(of_one(8, 0x41800000).value[VALUE_EXPONENT], 1);
    CU_ASSERT_EQUAL(of_one(8, 0x41000001).value[VALUE_MANTISSA], 1);
    CU_ASSERT_EQUAL(of_one(8, 0xc1000001).value[VALUE_FIELDS], 1);
    CU_ASSERT_EQUAL(of_one(8, 0xc1000001).value[VALUE_OTHER], 0);
    close_floats();
    open_floats(ELEMENT_U32);
    CU_ASSERT_EQUAL(of_one(8, 0x7fc00000).value[VALUE_OTHER], 1);
    close_floats();
}

static void bits_count_by_number_and_direction(void)
{
    open_floats(ELEMENT_F32);
    CU_ASSERT_EQUAL(of_one(8, 0x41000001).bits[BITS_1], 1);
    CU_ASSERT_EQUAL(of_one(8, 0x41000003).bits[BITS_2_4], 1);
    CU_ASSERT_EQUAL(of_one(8, 0x4100000f).bits[BITS_2_4], 1);
    CU_ASSERT_EQUAL(of_one(8, 0x4100001f).bits[BITS_5_8], 1);
    CU_ASSERT_EQUAL(of_one(8, 0x410000ff).bits[BITS_5_8], 1);
    CU_ASSERT_EQUAL(of_one(8, 0x410001ff).bits[BITS_MORE], 1);
    const struct anatomy a = of_one(8, 0x40000007);
    CU_ASSERT(a.up == 3 && a.down == 1);
    close_floats();
}

/* Of 2, 4 and 8 with the lowest bit of the exponent flipped: by twice, half, twice. */
static void the_median_is_of_the_differences_that_are_told(void)
{
    open_floats(ELEMENT_F32);
    CU_ASSERT_EQUAL(of_one(8, 0x41200000).median, 0.25);
    CU_ASSERT(isinf(of_one(8, 0x7fc00000).median));
    CU_ASSERT_EQUAL(of_words((const uint32_t[]){2, 4, 8}, 3, 0x800000).median, 1);
    const struct anatomy unwritten = of_one(8, 0); /* as before the first launch */
    CU_ASSERT(isnan(unwritten.median) && unwritten.writers == WRITERS_WORD);
    CU_ASSERT(anatomy_main_value(&unwritten) == ANATOMY_VALUES &&
              anatomy_main_bits(&unwritten) == ANATOMY_BITS);
    close_floats();
}

/* Of `tiny`: 8 SPs, so lanes 1 and 9 are of one. */
static void writers_are_what_those_of_all_elements_have_in_common(void)
{
    uint32_t all[WORDS];
    open_floats(ELEMENT_F32);
    CU_ASSERT_EQUAL_FATAL(img->profile.sps, 8);
    CU_ASSERT_EQUAL(OF(5).writers, WRITERS_WORD);
    CU_ASSERT_EQUAL(OF(5, 37).writers, WRITERS_LANE);
    CU_ASSERT_EQUAL(OF(5, 64 + 5).writers, WRITERS_LANE);
    CU_ASSERT_EQUAL(OF(1, 9).writers, WRITERS_SP);
    CU_ASSERT_EQUAL(OF(1, 2).writers, WRITERS_INSTRUCTION);
    CU_ASSERT_EQUAL(OF(1, 34).writers, WRITERS_BLOCK);
    CU_ASSERT_EQUAL(OF(1, 66).writers, WRITERS_MIXED);
    for (uint32_t i = 0; i < WORDS; i++)
        all[i] = i;
    CU_ASSERT_EQUAL(of_words(all, WORDS * 95 / 100 + 1, 1).writers, WRITERS_ALL);
    CU_ASSERT_EQUAL(of_words(all, WORDS * 94 / 100, 1).writers, WRITERS_MIXED);
    CU_ASSERT_EQUAL(OF(1, 34).lanes, 6);
    close_floats();
}

static void a_period_divides_all_distances_or_comes_back(void)
{
    open_floats(ELEMENT_F32);
    CU_ASSERT_EQUAL(OF(3, 11, 27).period, 8);
    CU_ASSERT_EQUAL(OF(3, 25, 47).period, 22);
    CU_ASSERT_EQUAL(OF(3, 4, 5).period, 1);
    CU_ASSERT_EQUAL(OF(0, 1, 16, 17, 32, 33, 48).period, 16);
    CU_ASSERT_EQUAL(OF(3, 11).period, 0);
    CU_ASSERT_EQUAL(OF(1, 2, 5, 11).period, 0);
    close_floats();
}

int main(void)
{
    return CHECK_RUN("anatomy",
                     CHECK(a_float_counts_as_what_it_becomes_or_by_the_fields_that_differ),
                     CHECK(bits_count_by_number_and_direction),
                     CHECK(the_median_is_of_the_differences_that_are_told),
                     CHECK(writers_are_what_those_of_all_elements_have_in_common),
                     CHECK(a_period_divides_all_distances_or_comes_back));
}
