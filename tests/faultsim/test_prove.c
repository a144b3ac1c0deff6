/* test_prove.c -- the proof of untestable faults. */
#include "tests/lib/faults.h"
#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <unistd.h>
#include "faultsim/permanent/prove.h"

static void faults_are_proved_untestable_under_every_profile(void)
{
    static const struct {
        const char *profile;
        int faults;
    } all[] = {{"g80", 448},
               /* LE 32 and SPC[31:18], [2:0] of all others */
               {"flexgripplus-rtl", 132 + 31 * 2 * 17},
               {"tiny", 24},
               {"flexgripplus", 192}};
    for (int i = 0; i < (check_few() ? 1 : 4); i++) {
        struct profile p;
        struct fl_buf out = {0};
        struct fl_err err = {{0}};
        struct prove_writers writers;
        CU_ASSERT_EQUAL_FATAL(profile_load(all[i].profile, &p, &err), 0);
        CU_ASSERT_EQUAL(prove_stack(&p, NULL, &writers, &out, &err), all[i].faults);
        CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.data, "BRA CAL PBK SSY."));
        CU_ASSERT_EQUAL(writers.behind > 0, i == 0); /* the exception is no theory */
        CU_ASSERT_PTR_NULL(strstr((char *)out.data, " in 0 "));
        CU_ASSERT_EQUAL(writers.ids[OP_SSY] | writers.ids[OP_BRA], 3);
        CU_ASSERT_EQUAL(writers.ids[OP_CAL] | writers.ids[OP_PBK], 12);
        fl_buf_free(&out);
    }
}

static void without_cal_and_pbk_one_bit_of_the_flow_id_stays_0(void)
{
    struct profile p;
    struct fl_buf out = {0};
    struct fl_err err = {{0}};
    struct prove_without without = {0};
    struct prove_writers writers;
    struct fsim_list list = {0};
    struct job *job = faults_job("tiny", 1, 32, ".kernel k\n NOP.EXIT");
    struct sm_image *img = sm_image_new(job, &err);
    without.op[OP_CAL] = without.op[OP_PBK] = true;
    CU_ASSERT_EQUAL_FATAL(profile_load("tiny", &p, &err), 0);
    CU_ASSERT_EQUAL(prove_stack(&p, &without, &writers, &out, &err), 24 + 4);
    CU_ASSERT_EQUAL_FATAL(fsim_list_add(&list, img, "dstack/le2/id*:sa*", &err), 0);
    for (long i = 0; i < list.count; i++) { /* id0:sa0, id0:sa1, id1:sa0, id1:sa1 */
        CU_ASSERT_EQUAL(prove_unwritten(&writers, &list.fault[i]) != NULL, i == 2);
        CU_ASSERT_PTR_NULL(prove_untestable(img, &list.fault[i]));
    }
    fl_buf_free(&out);
    fsim_list_free(&list);
    sm_image_free(img);
    job_free(job);
}

/* The last word of a 24-bit code space calls, and its entry holds 2^24. */
static const char at_the_end[] = ".kernel k\n"
                                 " .param ptr p\n"
                                 "     BRA last\n"
                                 "there:\n"
                                 "     %s\n"
                                 " .org 0xfffff8\n"
                                 "last: CAL there\n";

static struct job *job_at_the_end(const char *instruction)
{
    char text[256];
    snprintf(text, sizeof text, at_the_end, instruction);
    return faults_job("g80", 1, 32, text);
}

static void job_that_goes_on_behind_the_code_space_is_no_test(void)
{
    struct job *job = job_at_the_end("RET");
    struct fl_err err = {{0}};
    struct sm_image *img = sm_image_new(job, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(img);
    CU_ASSERT_PTR_NULL(golden_run(img, 100000, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "FETCH_UNMAPPED"));
    sm_image_free(img);
    job_free(job);
}

static void address_behind_the_code_space_is_popped_without_effect(void)
{
    struct job *job = job_at_the_end("NOP.EXIT");
    struct fsim_result r = faults_result(job, "dstack/le1/spc24:sa0");
    ASSERT_RESULT(r, OUT_MASKED, "logically_masked"); /* activated: the cell did hold a 1 */
    CU_ASSERT_TRUE(r.untestable);
    r = faults_result(job, "dstack/le1/spc24:sa1");
    CU_ASSERT_FALSE(r.untestable);
    job_free(job);
}

static void false_claims_are_disproved(void)
{
    static const struct {
        const char *profile;
        struct prove_claim claim;
        bool holds;
    } claims[] = {
        {"tiny", {0x7, 0x7}, true},
        {"tiny", {0xf, 0}, false},
        {"tiny", {0, 0xf}, false},
        {"tiny", {0x80000007, 0}, false},
        {"tiny", {0, 0x80000003}, false},
        {"g80", {0xff800007, 0}, false},
        {"flexgripplus", {0xff000007, 0}, false},
        {"flexgripplus-rtl", {0, 0xfffc0007}, true},
        {"flexgripplus-rtl", {0, 0xfffe0000}, false},
    };
    for (size_t i = check_few(); i < sizeof claims / sizeof *claims; i += check_few() ? 3 : 1) {
        struct profile p;
        struct fl_buf out = {0};
        struct fl_err err = {{0}};
        CU_ASSERT_EQUAL_FATAL(profile_load(claims[i].profile, &p, &err), 0);
        bool holds = prove_check(&p, &claims[i].claim, &out, &err) == 0;
        CU_ASSERT_EQUAL(holds, claims[i].holds);
        CU_ASSERT_EQUAL(strncmp(err.msg, "disproved: ", 11) == 0, !claims[i].holds);
        fl_buf_free(&out);
    }
}

static void cells_of_other_structures_are_proved_untestable(void)
{
    static const struct {
        const char *profile;
        int structure;
        long faults;
    } all[] = {{"g80", SM_S_pc, 24 * (2 + 8)},
               {"flexgripplus", SM_S_pc, 24 * 2},
               /* slots have at most 16, 12, 8, 6, 4, 4, 3 and 3 warps */
               {"g80", SM_S_barrier, (8 * 24 - 56) * 16 * 2},
               {"tiny", SM_S_barrier, 2 * 16 * 2},
               {"g80", SM_S_sched, 0},
               {"tiny", SM_S_sched, 4},
               {"g80", SM_S_ir, 1},
               {"g80", SM_S_dsp, 0},
               {"flexgripplus-rtl", SM_S_dsp, 24}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct profile p;
        struct fl_buf out = {0};
        struct fl_err err = {{0}};
        CU_ASSERT_EQUAL_FATAL(profile_load(all[i].profile, &p, &err), 0);
        CU_ASSERT_EQUAL(prove_cells(&p, all[i].structure, &out, &err), all[i].faults);
        fl_buf_free(&out);
    }
}

static void false_claims_of_other_structures_are_disproved(void)
{
    static const struct {
        int structure;
        struct prove_claim claim;
    } claims[] = {{SM_S_pc, {4, 0}},     {SM_S_pc, {0x00800000, 0}}, {SM_S_dsp, {16, 0}},
                  {SM_S_sched, {16, 0}}, {SM_S_ir, {0x08000000, 0}}, {SM_S_barrier, {0, 0xff8000}}};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        struct profile p;
        struct fl_buf out = {0};
        struct fl_err err = {{0}};
        CU_ASSERT_EQUAL_FATAL(profile_load("g80", &p, &err), 0);
        CU_ASSERT_EQUAL(prove_check_cells(&p, claims[i].structure, &claims[i].claim, &out, &err),
                        -1);
        CU_ASSERT_EQUAL(strncmp(err.msg, "disproved: ", 11), 0);
        fl_buf_free(&out);
    }
}

static void a_slot_that_holds_more_warps_than_claimed_is_seen(void)
{
    for (int slot = 0; slot < 8; slot++) {
        struct profile p;
        struct fl_buf out = {0};
        struct fl_err err = {{0}};
        int most[8];
        CU_ASSERT_EQUAL_FATAL(profile_load("g80", &p, &err), 0);
        for (int i = 0; i < 8; i++)
            most[i] = prove_slot_warps(&p, i) - (i == slot);
        CU_ASSERT_EQUAL(prove_check_slots(&p, most, &out, &err), -1);
        CU_ASSERT_EQUAL(strncmp(err.msg, "disproved: block slot", 21), 0);
        fl_buf_free(&out);
    }
}

static void what_nothing_excites_is_untestable(void)
{
    static const struct {
        const char *pattern;
        bool untestable;
    } all[] = {/* an entry is pushed again before it is popped */
               {"dstack/w0/le3/tm5~dstack/w0/le2/tm5:cfid10", true},
               {"dstack/w0/le3/tm5~dstack/w0/le2/tm5:cfin1", true},
               {"dstack/w0/le3/tm5~dstack/w0/le2/tm5:cfst10", false},
               {"dstack/w0/le2/tm5~dstack/w0/le3/tm5:cfid10", false},
               {"dstack/w1/le1/tm5~dstack/w0/le32/tm5:cfid10", false},
               /* reads of its column never find a 1 */
               {"dstack/w0/le3/spc25:sof", true},
               {"dstack/w0/le3/spc24:sof", false},
               {"pc/w0/b1:sof", true},
               {"pc/w0/b2:sof", false},
               /* with 2^24 in an entry nobody goes on there */
               {"dstack/w0/le3/spc25~dstack/w0/le3/spc24:cfin1", true},
               {"dstack/w0/le3/spc23~dstack/w0/le3/spc24:cfst10", true},
               {"dstack/w0/le3/spc25~dstack/w0/le3/spc24:cfin0", false},
               {"dstack/w0/le2/spc24~dstack/w0/le3/spc24:cfin1", false},
               {"pc/w0/b1:tf10", true},
               {"pc/w0/b2:tf10", false},
               {"pc/w0/b24:tf10", false}, /* an exit in the last word leaves 2^24 */
               {"pc/w0/b25:tf10", true},
               {"pc/w0/b2~pc/w0/b1:cfid10", true},
               {"pc/w0/b2~pc/w0/b1:cfst01", false}};
    struct fl_err err = {{0}};
    struct job *job = faults_job("g80", 1, 32, ".kernel k\n NOP.EXIT");
    struct sm_image *img = sm_image_new(job, &err);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct fsim_list list = {.choice = {.memory = true}};
        CU_ASSERT_EQUAL_FATAL(fsim_list_add(&list, img, all[i].pattern, &err), 0);
        CU_ASSERT_EQUAL(list.count, 1);
        CU_ASSERT_EQUAL(prove_untestable(img, &list.fault[0]) != NULL, all[i].untestable);
        fsim_list_free(&list);
    }
    sm_image_free(img);
    job_free(job);
}

int main(void)
{
    return CHECK_RUN("prove", CHECK(faults_are_proved_untestable_under_every_profile),
                     CHECK(without_cal_and_pbk_one_bit_of_the_flow_id_stays_0),
                     CHECK(job_that_goes_on_behind_the_code_space_is_no_test),
                     CHECK(address_behind_the_code_space_is_popped_without_effect),
                     CHECK(false_claims_are_disproved),
                     CHECK(cells_of_other_structures_are_proved_untestable),
                     CHECK(false_claims_of_other_structures_are_disproved),
                     CHECK(a_slot_that_holds_more_warps_than_claimed_is_seen),
                     CHECK(what_nothing_excites_is_untestable));
}
