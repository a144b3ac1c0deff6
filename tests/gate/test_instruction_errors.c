/* test_instruction_errors.c -- errors of each class at the level of instructions: each does to the program what its class says. */
#include "tests/lib/check.h"
#include "tests/lib/faults.h"
#include "faultsim/control/classes.h"
#include "faultsim/control/error.h"

static const char program[] =
    ".kernel k\n.param ptr p\n"
    "I2I.U32.U16 R0, R0L\nSHL R1, R0, 2\nIADD R1, s[p], R1\nMVI R3, 5\nSSY join\n"
    "ISET.S32.C0 o[0x7f], R0, R124, EQ\nBRA C0.NE, join\nIADD32I R3, R3, 1\njoin: NOP.S\n"
    "GST.U32 global14[R1], R3\nGLD.U32 R2, global14[R1]\nIADD R3, R2, R3\n"
    "GST.EXIT.U32 global14[R1], R3\n";

static struct job_context open_job(struct job *job)
{
    struct job_context ctx;
    struct fl_err err = {""};
    CU_ASSERT_EQUAL_FATAL(context_open(&ctx, job, &context_all_cycles, 1000000, &err), 0);
    return ctx;
}

static struct fsim_result result_of(const struct job_context *ctx, const struct control_error *e)
{
    struct fsim_result r = {0};
    struct fl_err err = {""};
    CU_ASSERT_EQUAL_FATAL(control_error_run(ctx, e, &r, &err), 0);
    return r;
}

static void a_program_has_errors_of_each_class_that_code_and_lanes_can_have(void)
{
    struct job *job = faults_job("tiny", 1, 64, program);
    struct job_context ctx = open_job(job);
    uint32_t count, of[CONTROL_CLASS_COUNT] = {0};
    struct control_error *e = control_errors(&ctx, 1, &count);
    for (uint32_t i = 0; i < count; i++)
        of[e[i].class]++;
    for (int c = 0; c < CLASS_ORDER; c++)
        CU_ASSERT_EQUAL(of[c] > 0, c != CLASS_IPP && c != CLASS_IAC);
    free(e);
    context_close(&ctx);
    job_free(job);
}

/* The immediate of MVI is every thread's; that of IADD32I is added by all but thread 0. */
static void a_stuck_bit_of_a_form_acts_where_that_form_executes(void)
{
    struct job *job = faults_job("tiny", 1, 64, program);
    struct job_context ctx = open_job(job);
    uint32_t count, all = 0, but_one = 0;
    struct control_error *e = control_errors(&ctx, 1, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (e[i].class != CLASS_IIO)
            continue;
        struct fsim_result r = result_of(&ctx, &e[i]);
        all += r.elements == 64 && strcmp(r.reason, "out+0x0") == 0;
        but_one += r.elements == 63 && strcmp(r.reason, "out+0x4") == 0;
    }
    CU_ASSERT(all > 0);
    CU_ASSERT(but_one > 0);
    free(e);
    context_close(&ctx);
    job_free(job);
}

static void a_form_that_is_no_operation_crashes_the_program(void)
{
    struct job *job = faults_job("tiny", 1, 64, program);
    struct job_context ctx = open_job(job);
    uint32_t count, tried = 0;
    struct control_error *e = control_errors(&ctx, 1, &count);
    for (uint32_t i = 0; i < count; i++)
        if (e[i].class == CLASS_IVOC && e[i].in_code) {
            struct fsim_result r = result_of(&ctx, &e[i]);
            CU_ASSERT_EQUAL(r.outcome, OUT_CRASH);
            tried += strcmp(r.reason, "ILLEGAL_INSTRUCTION") == 0; /* or a fetch in its middle */
        }
    CU_ASSERT(tried > 10);
    free(e);
    context_close(&ctx);
    job_free(job);
}

static void a_lane_or_warp_that_never_executes_leaves_its_outputs(void)
{
    struct job *job = faults_job("tiny", 1, 64, program);
    struct job_context ctx = open_job(job);
    const struct control_error lane = {.class = CLASS_IAT, .first = 3, .step = 32, .warps = 2},
                               warp = {.class = CLASS_IAW, .step = 1, .warp = 1, .warps = 1},
                               none = {.class = CLASS_IOC, .in_code = true, .row = UINT16_MAX};
    CU_ASSERT_EQUAL(result_of(&ctx, &lane).elements, 2);
    CU_ASSERT_EQUAL(result_of(&ctx, &warp).elements, 32);
    CU_ASSERT_EQUAL(result_of(&ctx, &none).outcome, OUT_MASKED);
    context_close(&ctx);
    job_free(job);
}

int main(void)
{
    return CHECK_RUN("errors at the level of instructions",
                     CHECK(a_program_has_errors_of_each_class_that_code_and_lanes_can_have),
                     CHECK(a_stuck_bit_of_a_form_acts_where_that_form_executes),
                     CHECK(a_form_that_is_no_operation_crashes_the_program),
                     CHECK(a_lane_or_warp_that_never_executes_leaves_its_outputs));
}
