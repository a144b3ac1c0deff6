/* test_capability.c -- what machines of compute capability 1.1 and 1.2 have beyond those of 1.0. */
#include "tests/lib/machine.h"

#define TINY12 FAULTLINE_SOURCE_DIR "/tests/data/tiny12.xml"
#define K      ".kernel k\n"

/* Why a job with a launch of the second kernel is refused; "" when it is not. */
static void refusal(const char *profile, int sm, const char *text, struct fl_err *err)
{
    struct job *job = machine_job(profile, text);
    for (int i = 0; i < job->cubin->nkernels; i++)
        job->cubin->kernel[i].sm = sm > job->cubin->kernel[i].sm ? sm : job->cubin->kernel[i].sm;
    machine_launch(job, 1, 1, 32);
    err->msg[0] = 0;
    CU_ASSERT_EQUAL_FATAL(job_finish(job, err), 0);
    sm_image_free(sm_image_new(job, err));
    job_free(job);
}

static void a_launch_of_a_kernel_above_the_machine_s_capability_is_refused_by_name(void)
{
    static const char vote[] =
        ".kernel good\nNOP.EXIT\n.kernel bad\nNOP\nVOTE.ANY C0 (C1.NE)\nNOP.EXIT";
    struct fl_err err;
    refusal("tiny", 10, vote, &err);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg,
                                  "kernel 'bad' has VOTE.ANY C0 (C1.NE) at 0x8, which "
                                  "needs compute capability 1.2, and profile tiny has 1.0"));
    refusal(TINY12, 10, vote, &err);
    CU_ASSERT_STRING_EQUAL(err.msg, "");
}

static void a_kernel_of_sm_13_without_its_instructions_is_launched(void)
{
    struct fl_err err;
    refusal("tiny", 13, ".kernel bad\nVOTE.ANY C0\nNOP.EXIT\n.kernel good\nNOP.EXIT", &err);
    CU_ASSERT_STRING_EQUAL(err.msg, "");
}

static void an_instruction_of_sm_13_is_refused_by_its_words(void)
{
    struct fl_err err;
    struct job *job = machine_job(TINY12, K "NOP\nNOP.EXIT");
    const uint32_t dadd[2] = {0xe0000001, 0x60000780};
    memcpy(job->cubin->kernel[0].code[0].bytes, dadd, sizeof dadd);
    job->cubin->kernel[0].sm = 13;
    machine_launch(job, 0, 1, 32);
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    CU_ASSERT_PTR_NULL(sm_image_new(job, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "kernel 'k' has e0000001 60000780 at 0x0"));
    job_free(job);
}

/* Cycles of a load of the type by 32 threads, whose addresses are (thread xor `change`) times `stride`. */
static uint64_t load_cycles(const char *profile, const char *type, int change, int stride)
{
    char *text = fl_format(K ".param ptr p\nI2I.U32.U16 R0, R0L\nMVI R1, %d\nLOP.XOR R0, R0, R1\n"
                             "MVI R1, %d\nIMUL.U16.U16 R0, R0L, R1L\nMOV R1, s[p]\n"
                             "IADD R0, R0, R1\nGLD.%s R2, global14[R0]\nNOP.EXIT",
                           change, stride, type);
    struct machine m = machine_start(profile, 32, text);
    machine_run(&m);
    CU_ASSERT_EQUAL(gpu_trap(m.gpu), TRAP_NONE);
    uint64_t cycles = gpu_cycles(m.gpu);
    machine_end(&m);
    free(text);
    return cycles;
}

static void a_half_warp_of_1_2_takes_a_transaction_for_each_segment(void)
{
    static const struct {
        const char *type;
        int change, stride, transactions[2]; /* of 1.0, of 1.2 */
    } access[] = {{"U32", 0, 4, {2, 2}},   {"U32", 5, 4, {32, 2}},    {"U32", 0, 8, {32, 2}},
                  {"U32", 0, 16, {32, 4}}, {"U32", 0, 128, {32, 32}}, {"U8", 0, 1, {32, 2}},
                  {"U8", 0, 4, {32, 4}},   {"U16", 3, 2, {32, 2}},    {"U16", 0, 8, {32, 4}},
                  {"S64", 1, 8, {32, 2}},  {"S128", 0, 16, {4, 4}}};
    static const char *const profile[] = {"tiny", TINY12};
    for (int p = 0; p < 2; p++) {
        uint64_t none = load_cycles(profile[p], "U32", 0, 4) - 2 * 4;
        for (size_t i = 0; i < sizeof access / sizeof *access; i++) {
            uint64_t got = load_cycles(profile[p], access[i].type, access[i].change,
                                       access[i].stride);
            if (got != none + 4 * (uint64_t)access[i].transactions[p])
                printf("\n    %s xor %d times %d: %d cycles\n", access[i].type, access[i].change,
                       access[i].stride, (int)(got - none));
            CU_ASSERT_EQUAL(got, none + 4 * (uint64_t)access[i].transactions[p]);
        }
    }
}

int main(void)
{
    return CHECK_RUN("capability",
                     CHECK(a_launch_of_a_kernel_above_the_machine_s_capability_is_refused_by_name),
                     CHECK(a_kernel_of_sm_13_without_its_instructions_is_launched),
                     CHECK(a_half_warp_of_1_2_takes_a_transaction_for_each_segment),
                     CHECK(an_instruction_of_sm_13_is_refused_by_its_words));
}
