/* test_memory.c -- faults of memories: what each kind does, and that what is pruned ends as brute force says.
 *
 *     test_memory                     some faults of all memories of a tiny machine, in three kernels
 *     test_memory N                   N in each kernel, all when N is 0: three million
 *     test_memory mixes FIRST COUNT   some faults of so many random programs
 *     test_memory FILE.job.xml N      N random faults of a job
 */
#include "tests/lib/flips.h"

#include <string.h>

/* ---- what the kinds are ------------------------------------------------------------------------------------------ */

static struct fsim_options memory_options(int threads, uint64_t sample)
{
    struct fsim_options opt = {.run.threads = threads};
    opt.choice = (struct fsim_choice){.memory = true, .what = ~0u, .sample = sample, .seed = 1};
    return opt;
}

/* By both ways. */
static struct fsim_result memory_result(const struct job *job, const char *id)
{
    return faults_result_with(job, id, memory_options(1, 0));
}

enum { CELLS = 4, FIRST_WORD = 15, BANKS = 16 };

/* A March test over four words of one bank of shared memory, in one thread. An element is a letter for the order of the
 * addresses, u up or d down, and operations: w0, w1, r0, r1. Every read goes to an output word of its own, so it is detected
 * when it differs. */
static struct job *march(const char *const *element)
{
    struct fl_buf b = {0};
    fl_buf_printf(&b, ".kernel k\n.param ptr out\n.shared key, 236\n  MOV R4, s[out]\n  MVI R1, "
                      "0\n  MVI R2, 0xffffffff\n");
    for (; *element; element++)
        for (int i = 0; i < CELLS; i++)
            for (const char *op = *element + 1; *op; op += 2) {
                int word = FIRST_WORD + BANKS * (**element == 'u' ? i : CELLS - 1 - i);
                fl_buf_printf(&b, "  MVI R5, 0x%x\n  R2A A1, R5\n", 4 * word);
                if (*op == 'w')
                    fl_buf_printf(&b, "  R2G.U32.U32 s[A1], R%d\n", op[1] - '0' + 1);
                else
                    fl_buf_printf(
                        &b, "  MOV R3, s[A1]\n  GST.U32 global14[R4], R3\n  IADD32I R4, R4, 0x4\n");
            }
    fl_buf_printf(&b, "  NOP.EXIT\n");
    struct job *job = faults_job("tiny", 1, 1, (const char *)b.data);
    fl_buf_free(&b);
    return job;
}

static const char *const mats_plus[] = {"uw0", "ur0w1", "dr1w0", NULL};
static const char *const march_x[] = {"uw0", "ur0w1", "dr1w0", "ur0", NULL};
static const char *const march_c[] = {"uw0", "ur0w1", "ur1w0", "dr0w1", "dr1w0", "ur0", NULL};

static const char *const all_kinds[] = {"cfin0",  "cfin1",  "cfid00", "cfid01", "cfid10",
                                        "cfid11", "cfst00", "cfst01", "cfst10", "cfst11",
                                        "af0",    "af1",    "afw",    "afa",    "afo",
                                        "sa0",    "sa1",    "tf01",   "tf10"};
enum { KINDS = sizeof all_kinds / sizeof *all_kinds };

/* Which kinds of faults of word `victim`, with word `other` as aggressor or other address, the test detects; by both ways. */
static void detects(const char *const *test, int victim, int other, bool out[KINDS])
{
    struct job *job = march(test);
    int v = FIRST_WORD + BANKS * victim, a = FIRST_WORD + BANKS * other;
    char *pattern = fl_format(
        "shared/p%d/b5~shared/p%d/b5:cf*,shared/p%d:af0,shared/p%d:af1,shared/p%d~shared/p%d:afw,"
        "shared/p%d~shared/p%d:afa,shared/p%d~shared/p%d:afo,shared/p%d/b5:sa*,shared/p%d/b5:tf*",
        v, a, v, v, v, a, v, a, v, a, v, v);
    struct fsim_options opt = memory_options(1, 0);
    struct fsim_campaign pruned = faults_campaign(job, pattern, opt);
    opt.run.exhaustive = true;
    struct fsim_campaign brute = faults_campaign(job, pattern, opt);
    CU_ASSERT_EQUAL_FATAL(pruned.list.count, KINDS);
    CU_ASSERT_EQUAL(faults_differences(&pruned, &brute), 0);
    for (int k = 0; k < KINDS; k++) {
        char id[FSIM_ID];
        fsim_id(pruned.img, &pruned.list.fault[k], id);
        CU_ASSERT_STRING_EQUAL_FATAL(strchr(id, ':') + 1, all_kinds[k]);
        out[k] = pruned.result[k].outcome == OUT_SDC;
    }
    fsim_campaign_free(&pruned);
    fsim_campaign_free(&brute);
    free(pattern);
    job_free(job);
}

static void march_c_minus_detects_every_fault_that_is_not_linked(void)
{
    for (int v = 0; v < CELLS; v++)
        for (int a = 0; a < CELLS; a++) {
            bool found[KINDS] = {false};
            if (a == v || (SANITIZED && a != v + 1 && v != a + 1))
                continue;
            detects(march_c, v, a, found);
            for (int k = 0; k < KINDS; k++)
                CU_ASSERT(found[k]);
        }
}

/* As the order of its operations says: which of the two stands lower decides. */
static void mats_plus_misses_transitions_to_0_and_half_of_the_couplings(void)
{
    /* of the first six, the aggressor below the victim and above it; then what needs none */
    static const bool below[] = {false, true, false, false, false, true},
                      above[] = {true, true, true, false, true, false};
    bool lower[KINDS], higher[KINDS], x[KINDS];
    detects(mats_plus, 2, 1, lower);
    detects(mats_plus, 1, 2, higher);
    detects(march_x, 1, 2, x);
    for (int k = 0; k < 6; k++) {
        CU_ASSERT_EQUAL(lower[k], below[k]);
        CU_ASSERT_EQUAL(higher[k], above[k]);
    }
    for (int k = 10; k < KINDS; k++) {
        bool to_0 = strcmp(all_kinds[k], "tf10") == 0;
        CU_ASSERT_EQUAL(lower[k], !to_0);
        CU_ASSERT_EQUAL(higher[k], !to_0);
        CU_ASSERT(x[k]);
    }
}

/* Cells of one word are written at once: the aggressor acts behind the write of the victim. */
static void in_a_word_the_coupling_wins_over_the_write(void)
{
    static const char *const test[] = {"uw0", "uw1", "ur1", NULL};
    struct job *job = march(test);
    CU_ASSERT_EQUAL(memory_result(job, "shared/p15/b3~shared/p15/b4:cfid10").outcome, OUT_SDC);
    CU_ASSERT_EQUAL(memory_result(job, "shared/p15/b3~shared/p15/b4:cfin1").outcome, OUT_SDC);
    CU_ASSERT_EQUAL(memory_result(job, "shared/p15/b3~shared/p15/b4:cfid11").outcome, OUT_MASKED);
    CU_ASSERT_EQUAL(memory_result(job, "shared/p15/b3~shared/p15/b4:cfin0").outcome, OUT_MASKED);
    job_free(job);
}

/* The order of operations says what the amplifier of the column has latched when the open cell is read. */
static void stuck_open_shows_what_the_column_returned_last(void)
{
    static const char *const read_behind_write[] = {"uw0", "ur0w1r1", NULL};
    struct job *c_minus = march(march_c), *behind = march(read_behind_write);
    for (int i = 0; i < CELLS; i++) {
        char id[FSIM_ID];
        snprintf(id, sizeof id, "shared/p%d/b5:sof", FIRST_WORD + BANKS * i);
        /* where an element turns round, the cell read before holds the other value */
        CU_ASSERT_EQUAL(memory_result(c_minus, id).outcome,
                        i == 0 || i == CELLS - 1 ? OUT_SDC : OUT_MASKED);
        CU_ASSERT_EQUAL(memory_result(behind, id).outcome, OUT_SDC);
    }
    job_free(c_minus);
    job_free(behind);
}

/* SPC[2:0] are 0 for ever, and no pop takes them. */
static void what_needs_a_bit_that_is_always_0_is_untestable(void)
{
    static const struct {
        const char *id;
        bool untestable;
    } want[] = {{"dstack/le1/spc3~dstack/le1/spc2:cfin1", true},
                {"dstack/le1/spc3~dstack/le1/spc2:cfid01", true},
                {"dstack/le1/spc3~dstack/le1/spc2:cfst10", true},
                {"dstack/le1/spc3~dstack/le1/spc2:cfst00", false},
                {"dstack/le1/spc2~dstack/le1/spc3:cfin1", true},
                {"dstack/le1/spc2:tf10", true},
                {"dstack/le1/spc3:tf10", false},
                {"dstack/le1:af0", false},
                {"rf/p5/b3:tf01", false}};
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        CU_ASSERT_EQUAL(memory_result(job, want[i].id).untestable, want[i].untestable);
    job_free(job);
}

static void trace_says_since_when_the_cell_is_wrong_and_what_comes_of_it(void)
{
    struct job *job = march(march_c);
    struct fsim_campaign c = faults_campaign(job, "shared/p31/b5~shared/p15/b5:cfid11",
                                             memory_options(1, 0));
    record_run(c.golden, &(struct record_wanted){.faults = &c.list});
    struct reference *ref = reference_of(c.golden);
    struct fsim_worker *w = fsim_worker_on(ref);
    struct fault_trace out = {0};
    fsim_explain(w, &c.list.fault[0], false, &out);
    char *since = fl_format(
        "Its cells are wrong from cycle %llu on. First activation: cycle %llu of ",
        (unsigned long long)excitation_of(ref->excitations, &c.list.fault[0]).from,
        (unsigned long long)c.result[0].first_activation);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.text.data, since));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.text.data, "First wrong result in a register: "));
    CU_ASSERT_PTR_NOT_NULL(
        strstr((char *)out.text.data, "First wrong value or address in a store: "));
    CU_ASSERT_PTR_NOT_NULL(
        strstr((char *)out.text.data, "the first output byte that differs is out+0x"));
    free(since);
    fault_trace_free(&out);
    fsim_worker_free(w);
    reference_free(ref);
    fsim_campaign_free(&c);
    job_free(job);
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static long count_of(const struct sm_image *img, const char *pattern, const char *kinds,
                     uint64_t draw)
{
    struct fl_err err;
    struct fsim_list list = {.choice = {.memory = true, .sample = draw, .seed = 7}};
    CU_ASSERT_EQUAL(fsim_choice_kinds(&list.choice, kinds, &err), 0);
    long n = fsim_list_add(&list, img, pattern, &err) == 0 ? list.count : -1;
    for (long i = 0; i < n; i++) { /* what is printed can be read again, and lists are in order */
        struct fsim_list one = {.choice = list.choice};
        char id[FSIM_ID];
        one.choice.sample = 0;
        fsim_id(img, &list.fault[i], id);
        CU_ASSERT_FATAL(fsim_list_add(&one, img, id, &err) == 0 && one.count == 1);
        CU_ASSERT(fsim_compare(&one.fault[0], &list.fault[i]) == 0);
        CU_ASSERT(i == 0 || fsim_compare(&list.fault[i - 1], &list.fault[i]) < 0);
        fsim_list_free(&one);
    }
    fsim_list_free(&list);
    return n;
}

static void patterns_name_neighbours_by_the_layout(void)
{
    static const struct {
        const char *pattern, *kinds;
        uint64_t draw;
        long count;
    } want[] = {
        {"rf/p0/b0", "cfin", 0, 2 * 2},   /* right and below */
        {"rf/p33/b0", "cfin", 0, 4 * 2},  /* and the last bit of the lane to the left */
        {"rf/p31/b31", "cfst", 0, 2 * 4}, /* left and below */
        {"rf/p31/b31~*:cfid*", "all", 0, 2 * 4},
        {"rf/p5/b3", "all", 0, 2 + 2 + 1 + 3 * 10}, /* in row 0 */
        {"rf/p5/b3:tf*", "all", 0, 2},
        {"shared/p0/b5", "cfid", 0, 3 * 4}, /* the next word of the bank is p16 */
        {"shared/p0/b5~shared/p16/b5:cfin1", "all", 0, 1},
        {"dstack/le1/tm31", "cfin", 0, 3 * 2}, /* the id stands beside the mask */
        {"dstack/le1/spc0", "saf", 0, 2},
        {"mask/w0", "af", 0, 2 + 1 + 2}, /* tiny has two warps */
        {"rf", "tf", 100, 100},
        {"rf", "tf,cfin,cfid,cfst,af", 500, 500},
        {"sched", "tf", 0, -1},
        {"rf/p5/b3:af0", "all", 0, -1},
        {"rf/p5/b3:sof0", "all", 0, -1},
        {"rf/p5/b3~rf/p5/b3:cfin1", "all", 0, -1},
        {"rf/p5/b3~shared/p5/b3:cfin1", "all", 0, -1},
        {"rf/p5~rf/p6:afw", "all", 0, -1},                 /* another lane */
        {"shared/p0/b5~shared/p1/b5:cfin1", "all", 0, -1}, /* another bank */
        {"rf/p5/b3~rf/p99999/b3:cfin1", "all", 0, -1},
        {"rf/p5/b3~rf/p5/b4:tf01", "all", 0, -1},
    };
    struct fl_err err;
    struct job *job = march(mats_plus);
    struct sm_image *img = sm_image_new(job, &err);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        long n = count_of(img, want[i].pattern, want[i].kinds, want[i].draw);
        if (n != want[i].count)
            printf("\n    %s: %ld faults", want[i].pattern, n);
        CU_ASSERT_EQUAL(n, want[i].count);
    }
    sm_image_free(img);
    job_free(job);
}

/* ---- against brute force ----------------------------------------------------------------------------------------- */

static const char *kinds_tried = "all";

static void hold(struct job *job, const char *pattern, uint64_t sample, long stride, int threads)
{
    long tried = 0;
    struct fl_err err;
    struct fsim_options opt = memory_options(threads, sample);
    CU_ASSERT_EQUAL_FATAL(fsim_choice_kinds(&opt.choice, kinds_tried, &err), 0);
    struct fsim_campaign c = faults_campaign(job, pattern, opt);
    CU_ASSERT_EQUAL(faults_brute_differences(&c, stride, &tried), 0);
    CU_ASSERT_TRUE(tried > 0);
    printf(" %ld of %ld faults ", tried, c.list.count);
    fsim_campaign_free(&c);
    job_free(job);
}

static uint64_t sample = SANITIZED ? 1000 : 10000;
static long stride = 9;

static void faults_of_every_memory_end_as_brute_force_says(void)
{
    hold(faults_job("tiny", 3, 20, EVERYTHING), "all", sample, stride, 1);
    hold(flips_structured(3), "all", sample, stride, 1);
    hold(flips_mix(5), "all", sample, stride, 1);
}

static uint64_t first_mix, mixes;

static void faults_in_random_programs_end_as_brute_force_says(void)
{
    for (uint64_t i = first_mix; i < first_mix + mixes; i++) {
        kinds_tried = i % 4 < 2 ? "all" : "saf,tf,sof,af"; /* of couplings there are most */
        hold(i % 2 ? flips_mix(i) : flips_structured(i), "all", 20000, 3, 1);
    }
}

static const char *path;
static long count;

static void random_faults_of_a_job_end_as_brute_force_says(void)
{
    hold(faults_load(path), "all", (uint64_t)count, 1, 0);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "mixes") == 0) {
        first_mix = strtoull(argv[2], NULL, 10);
        mixes = strtoull(argv[3], NULL, 10);
        return CHECK_RUN("memory, random programs",
                         CHECK(faults_in_random_programs_end_as_brute_force_says));
    }
    if (argc == 2) {
        stride = 1;
        sample = strtoull(argv[1], NULL, 10);
    }
    if (argc == 3) {
        path = argv[1];
        count = strtol(argv[2], NULL, 10);
        return CHECK_RUN("memory, a job", CHECK(random_faults_of_a_job_end_as_brute_force_says));
    }
    return CHECK_RUN("memory", CHECK(march_c_minus_detects_every_fault_that_is_not_linked),
                     CHECK(mats_plus_misses_transitions_to_0_and_half_of_the_couplings),
                     CHECK(in_a_word_the_coupling_wins_over_the_write),
                     CHECK(stuck_open_shows_what_the_column_returned_last),
                     CHECK(what_needs_a_bit_that_is_always_0_is_untestable),
                     CHECK(trace_says_since_when_the_cell_is_wrong_and_what_comes_of_it),
                     CHECK(patterns_name_neighbours_by_the_layout),
                     CHECK(faults_of_every_memory_end_as_brute_force_says));
}
