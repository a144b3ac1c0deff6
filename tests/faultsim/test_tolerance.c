/* test_tolerance.c -- outputs that may differ by something: what is wrong, and what is tolerable. */
#include "tests/lib/tools.h"
#include "tests/lib/flips.h"
#include "faultsim/record/run.h"

#include <math.h>
#include <sys/stat.h>

/* Thread l leaves l as a float in word l, and as a number 128 bytes further. */
#define FLOATS                                                                                     \
    ".kernel k\n.param ptr out\n"                                                                  \
    "  I2I.U32.U16 R1, R0L\n  SHL R4, R1, 2\n  IADD R4, s[out], R4\n  I2F.F32.U32 R2, R1\n"        \
    "  GST.U32 global14[R4], R2\n  IADD32I R4, R4, 0x80\n  GST.U32 global14[R4], R1\n  NOP.EXIT\n"

static struct job *floats(enum job_tolerance tolerance, double within, enum job_element element)
{
    struct fl_err err;
    struct job *job = faults_job("tiny", 1, 32, FLOATS);
    struct job_output *o = &job->output[0];
    o->size = 128;
    o->offset = element == ELEMENT_F32 ? 0 : 128;
    o->tolerance = tolerance;
    o->within = within;
    o->typed = true;
    o->element = element;
    if (job_finish(job, &err))
        CU_FAIL_FATAL("no job");
    return job;
}

/* Word `word` of the buffer holds `value`, all others what they should. */
static struct outputs_verdict judged(struct job *job, uint32_t word, uint32_t value)
{
    struct fl_err err;
    struct sm_image *img = sm_image_new(job, &err);
    struct golden *g = golden_run(img, 100000, &err);
    struct outputs_verdict v;
    if (!g) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no golden run");
    }
    outputs_judge(g->outputs, &(struct outputs_word){word, value}, 1, &v);
    golden_free(g);
    sm_image_free(img);
    job_free(job);
    return v;
}

static uint32_t bits(float f)
{
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return b;
}

#define JUDGED(tolerance, within, element, word, value, is_wrong)                                  \
    CU_ASSERT_EQUAL(judged(floats(tolerance, within, element), word, value).wrong, is_wrong)

static void absolute_relative_and_ulp_say_what_is_wrong(void)
{
    JUDGED(TOLERANCE_ABS, 0.5, ELEMENT_F32, 8, bits(8.5f), false);
    JUDGED(TOLERANCE_ABS, 0.5, ELEMENT_F32, 8, bits(8.51f), true);
    JUDGED(TOLERANCE_REL, 0.125, ELEMENT_F32, 8, bits(7), false);
    JUDGED(TOLERANCE_REL, 0.125, ELEMENT_F32, 8, bits(6.9f), true);
    JUDGED(TOLERANCE_REL, 0.125, ELEMENT_F32, 0, bits(1e-30f), true); /* nothing is near 0 */
    JUDGED(TOLERANCE_REL, 0.125, ELEMENT_F32, 0, bits(-0.0f), false);
    JUDGED(TOLERANCE_ULP, 2, ELEMENT_F32, 8, bits(8) + 2, false);
    JUDGED(TOLERANCE_ULP, 2, ELEMENT_F32, 8, bits(8) - 3, true);
    JUDGED(TOLERANCE_ULP, 2, ELEMENT_F32, 0, bits(-0.0f) + 2, false); /* across 0 */
    JUDGED(TOLERANCE_ABS, 1e30, ELEMENT_F32, 8, 0x7fc00000, true);
    JUDGED(TOLERANCE_ABS, 1e30, ELEMENT_F32, 8, 0x7f800000, true);
    JUDGED(TOLERANCE_ABS, 1, ELEMENT_S32, 40, 9, false);
    JUDGED(TOLERANCE_ABS, 1, ELEMENT_S32, 32, ~0u, false);
    JUDGED(TOLERANCE_ABS, 1, ELEMENT_U32, 32, ~0u, true);
    JUDGED(TOLERANCE_ABS, 3, ELEMENT_U8, 40, 0x0300020b, false);
    JUDGED(TOLERANCE_ABS, 3, ELEMENT_U8, 40, 0x0400020b, true);
    JUDGED(TOLERANCE_NOTHING, 0, ELEMENT_F32, 8, bits(8) + 1, true);
    JUDGED(TOLERANCE_ABS, 0, ELEMENT_F32, 100, 77, false); /* outside of the output */
}

static void the_verdict_says_where_how_many_and_by_how_much(void)
{
    struct outputs_verdict v = judged(floats(TOLERANCE_ABS, 3, ELEMENT_U8), 40, 0x0400020b);
    CU_ASSERT(v.differ && v.wrong);
    CU_ASSERT_EQUAL(v.offset, 35); /* the byte that is 4 apart */
    CU_ASSERT_EQUAL(v.elements, 3);
    CU_ASSERT_EQUAL(v.worst, 4);
    CU_ASSERT(isinf(v.by)); /* a byte that should be 0 */
    v = judged(floats(TOLERANCE_REL, 0.5, ELEMENT_F32), 8, bits(10));
    CU_ASSERT(v.differ && !v.wrong);
    CU_ASSERT_EQUAL(v.offset, 34); /* 0x41000000, 0x41200000 */
    CU_ASSERT_EQUAL(v.worst, 0.25);
    CU_ASSERT_EQUAL(v.by, 0.25);
}

/* Whatever the tolerance counts in, `by` is a share of the right value. */
static void by_how_much_is_a_share_of_the_right_value_where_the_type_is_known(void)
{
    struct job *job = floats(TOLERANCE_NOTHING, 0, ELEMENT_F32);
    job->output[0].typed = false;
    struct outputs_verdict v = judged(job, 8, bits(10));
    CU_ASSERT(isnan(v.by) && v.elements == 1);
    CU_ASSERT_EQUAL(judged(floats(TOLERANCE_NOTHING, 0, ELEMENT_F32), 8, bits(10)).by, 0.25);
    CU_ASSERT_EQUAL(judged(floats(TOLERANCE_ULP, 2, ELEMENT_F32), 8, bits(10)).by, 0.25);
    CU_ASSERT(isinf(judged(floats(TOLERANCE_NOTHING, 0, ELEMENT_F32), 0, bits(1)).by));
    CU_ASSERT(isinf(judged(floats(TOLERANCE_NOTHING, 0, ELEMENT_F32), 8, 0x7fc00000).by));
}

/* The run may have stored that value, too: nobody can tell. */
static void elements_as_before_the_first_launch_are_unwritten_and_not_far_off(void)
{
    struct outputs_verdict v = judged(floats(TOLERANCE_NOTHING, 0, ELEMENT_F32), 8, 0);
    CU_ASSERT(v.wrong && v.elements == 1 && v.unwritten == 1 && v.by == 0);
    v = judged(floats(TOLERANCE_NOTHING, 0, ELEMENT_F32), 8, bits(10));
    CU_ASSERT(v.wrong && v.elements == 1 && v.unwritten == 0 && v.by == 0.25);
    v = judged(floats(TOLERANCE_NOTHING, 0, ELEMENT_U8), 40, 0x04000000);
    CU_ASSERT(v.elements == 2 && v.unwritten == 1 && isinf(v.by)); /* 4 where 0 should be */
    struct job *job = floats(TOLERANCE_NOTHING, 0, ELEMENT_F32);
    job->output[0].typed = false;
    v = judged(job, 8, 0);
    CU_ASSERT(v.elements == 1 && v.unwritten == 1 && v.by == 0);
    job = floats(TOLERANCE_NOTHING, 0, ELEMENT_F32); /* the fill is no number, and no difference */
    for (uint32_t i = 0; i < job->buffer[0].size; i += 4)
        memcpy(job->buffer[0].init + i, &(uint32_t){0xffffffff}, 4);
    v = judged(job, 8, 0xffffffff);
    CU_ASSERT(v.elements == 1 && v.unwritten == 1 && v.by == 0);
}

static char *dir;

/* A job whose output a shell script checks. */
static struct job *scripted(const char *script)
{
    struct job *job = floats(TOLERANCE_CHECKER, 0, ELEMENT_F32);
    tools_put(dir, "checker", script, strlen(script));
    job->output[0].checker = fl_format("%s/checker", dir);
    chmod(job->output[0].checker, 0700);
    return job;
}

static void a_checker_decides_and_is_asked_once_for_an_output(void)
{
    static const char script[] = "#!/bin/sh\necho asked >>\"${0%/*}/log\"\n"
                                 "test \"$(cmp -l \"$1\" \"$2\" | wc -l)\" -lt 2\n";
    struct fl_err err;
    struct job *job = scripted(script);
    struct sm_image *img = sm_image_new(job, &err);
    struct golden *g = golden_run(img, 100000, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    struct fl_buf log = {0};
    for (int i = 0; i < 3; i++) {
        struct outputs_verdict one, two;
        outputs_judge(g->outputs, &(struct outputs_word){8, bits(8) ^ 1}, 1, &one);
        outputs_judge(g->outputs, &(struct outputs_word){8, bits(8) ^ 0x101}, 1, &two);
        CU_ASSERT(one.differ && !one.wrong);
        CU_ASSERT(two.wrong);
    }
    CU_ASSERT_EQUAL(tools_run(dir, &log, "wc -l <log"), 0);
    CU_ASSERT_STRING_EQUAL((char *)log.data, "3\n"); /* the right one, these two */
    fl_buf_free(&log);
    golden_free(g);
    sm_image_free(img);
    job_free(job);
}

static void a_checker_that_cannot_run_or_objects_to_the_right_output_is_an_error(void)
{
    static const char *const script[] = {"#!/bin/sh\nexit 1\n", "#!/no/such/shell\n"};
    static const char *const says[] = {"rejects the fault-free output", "cannot be run"};
    for (int i = 0; i < 2; i++) {
        struct fl_err err;
        struct job *job = scripted(script[i]);
        struct sm_image *img = sm_image_new(job, &err);
        CU_ASSERT_PTR_NULL(golden_run(img, 100000, &err));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, says[i]));
        sm_image_free(img);
        job_free(job);
    }
}

/* Faults and flips of a job with a tolerance: the shortcuts judge outputs as the machine does. */
static void tolerable_ends_are_those_of_brute_force(void)
{
    struct job *job = floats(TOLERANCE_REL, 0.25, ELEMENT_F32);
    struct fsim_campaign c = faults_campaign(job, "rf/p*/b*,pc,mask",
                                             (struct fsim_options){.run.threads = 1});
    long tried = 0, tolerable = 0, wrong = 0, kept = 0;
    CU_ASSERT_EQUAL(faults_brute_differences(&c, SANITIZED ? 7 : 1, &tried), 0);
    for (long i = 0; i < c.list.count; i++)
        tolerable += c.result[i].outcome == OUT_TOLERABLE;
    CU_ASSERT(tolerable > 20);
    struct fsim_counts n;
    faults_count(&c.list, c.result, false, -1, -1, &n);
    CU_ASSERT_EQUAL(n.by_outcome[OUT_TOLERABLE], tolerable);
    CU_ASSERT_EQUAL(n.detected, n.by_outcome[OUT_SDC] + n.by_outcome[OUT_CRASH] +
                                    n.by_outcome[OUT_TIMEOUT] + n.by_outcome[OUT_HANG]);
    fsim_campaign_free(&c);
    struct bench b = bench_open(job, false);
    uint64_t seed = 1;
    for (int i = 0; i < 400; i++) {
        struct fsim_fault u[FLIPS_CELLS];
        flips_draw(&b, SM_S_rf, ONE_FLIP, &seed, u);
        struct transient_result r, brute;
        transient_simulate(b.w, b.t, u, &r);
        transient_exhaustive(b.w, b.t, u, &brute);
        wrong += !faults_same(&r.r, &brute.r) || r.why != brute.why || r.r.worst != brute.r.worst;
        kept += r.r.outcome == OUT_TOLERABLE;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(kept > 5);
    bench_close(&b);
}

/* Of the first sdc of a register that the output is made of. */
static void tells(struct job *job, const char *what)
{
    struct fault_trace out = {0};
    struct fsim_campaign c = faults_campaign(job, "rf/p0-128",
                                             (struct fsim_options){.run.threads = 1});
    long i = 0;
    while (i < c.list.count && c.result[i].outcome != OUT_SDC)
        i++;
    CU_ASSERT_FATAL(i < c.list.count);
    record_run(c.golden, &(struct record_wanted){.faults = &c.list});
    struct reference *ref = reference_of(c.golden);
    struct fsim_worker *w = fsim_worker_on(ref);
    fsim_explain(w, &c.list.fault[i], false, &out);
    char *says = fl_format("; the first output %s is %s.\n", what, c.result[i].reason);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.text.data, says));
    free(says);
    fault_trace_free(&out);
    fsim_worker_free(w);
    reference_free(ref);
    fsim_campaign_free(&c);
    job_free(job);
}

static void a_trace_names_the_first_element_beyond_the_tolerance_as_such(void)
{
    tells(floats(TOLERANCE_ABS, 0.5, ELEMENT_F32), "element beyond the tolerance");
    tells(floats(TOLERANCE_NOTHING, 0, ELEMENT_F32), "byte that differs");
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN(
        "tolerance", CHECK(absolute_relative_and_ulp_say_what_is_wrong),
        CHECK(the_verdict_says_where_how_many_and_by_how_much),
        CHECK(by_how_much_is_a_share_of_the_right_value_where_the_type_is_known),
        CHECK(elements_as_before_the_first_launch_are_unwritten_and_not_far_off),
        CHECK(a_checker_decides_and_is_asked_once_for_an_output),
        CHECK(a_checker_that_cannot_run_or_objects_to_the_right_output_is_an_error),
        CHECK(tolerable_ends_are_those_of_brute_force),
        CHECK(a_trace_names_the_first_element_beyond_the_tolerance_as_such));
    tools_remove(dir);
    return status;
}
