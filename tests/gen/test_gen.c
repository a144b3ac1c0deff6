/* test_gen.c -- self-test programs on the C model: the outputs that gen computed, and every TM stuck-at fault
 * of the LEs under test seen as a silent corruption.
 */
#include "tests/lib/check.h"
#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "asm/isa/isa.h"
#include "gen/sbst.h"
#include "sm/gpu/gpu.h"
#include "tests/lib/tools.h"
#include "tests/lib/self_tests.h"

/* ---- on the C model ---- */

static const struct sbst_request ranges[] = {
    IND(1, .pc = false),
    IND(1, CHECKED),
    IND(2, .pc = false),
    IND(3, CHECKED),
    IND(17, CHECKED),
    IND(32, FLOW),
    ACC(1, 2, FLOW, CHECKED),
    ACC(1, 4, CHECKED),
    ACC(2, 3, FLOW),
    ACC(5, 7, CHECKED),
    ACC(31, 32, CHECKED, .pc = true),
    ACC(1, 32, .flow_id = true),
    ACC(1, 32, CHECKED),
    IND(1, MINIMAL),
    IND(3, MINIMAL, FLOW),
    ACC(1, 2, MINIMAL),
    ACC(1, 3, MINIMAL, .pc = true),
    ACC(2, 3, MINIMAL),
    ACC(3, 4, MINIMAL),
    ACC(1, 2, MINIMAL, FLOW),
    ACC(5, 8, MINIMAL, FLOW),
    ACC(1, 32, MINIMAL),
    ACC(1, 32, MINIMAL, FLOW),
    IND(1, PADS),
    IND(3, PADS),
    ACC(1, 2, PADS),
    ACC(2, 4, PADS),
    ACC(4, 7, PADS),
    ACC(1, 32, PADS),
    ACC(1, 3, PADS, .warps = 3),
    ACC(1, 2, FLOW, .warps = 2),
    ACC(1, 1, CHECKED, .warps = 17),
    ACC(1, 32, MINIMAL, FLOW, .warps = 24),
    ACC(1, 3, NESTING, MINIMAL, .warps = 3),
    ACC(1, 1, NESTING, FLOW),
    ACC(1, 2, NESTING, CHECKED),
    ACC(2, 2, NESTING),
    ACC(2, 4, NESTING, CHECKED),
    ACC(7, 9, NESTING, FLOW, CHECKED),
    ACC(31, 32, NESTING),
    ACC(1, 32, NESTING, CHECKED),
    ACC(1, 1, NESTING, MINIMAL),
    ACC(1, 3, NESTING, MINIMAL, CHECKED),
    ACC(30, 32, NESTING, MINIMAL),
    ACC(1, 32, NESTING, MINIMAL, FLOW),
};

enum { RANGES = sizeof ranges / sizeof ranges[0] };

/* The program of ranges[i], its job, and the machine at its end: made once for all tests. */
struct sample {
    struct sbst_program program;
    struct self_tests_running job;
    struct gpu *end;
};

static struct sample samples[RANGES];

static const struct sample *sample(int i)
{
    struct sample *s = &samples[i];
    if (!s->end) {
        s->program = self_tests_make(&ranges[i]);
        s->job = self_tests_open(&s->program);
        s->end = gpu_new(s->job.image);
        gpu_run(s->end, UINT64_MAX);
    }
    return s;
}

static void free_samples(void)
{
    for (int i = 0; i < RANGES; i++)
        if (samples[i].end) {
            gpu_free(samples[i].end);
            self_tests_close(&samples[i].job);
            sbst_program_free(&samples[i].program);
        }
}

/* Programs of many LEs are left to the release build. */
static bool skipped(int i)
{
    return SANITIZED && ranges[i].le_last - ranges[i].le_first > 2;
}

static void machine_comes_to_the_outputs_that_gen_computed(void)
{
    for (int i = 0; i < RANGES; i++) {
        if (skipped(i))
            continue;
        const struct sample *s = sample(i);
        const struct sbst_program *p = &s->program;
        CU_ASSERT_EQUAL(s->end->sm->s.trap, TRAP_NONE);
        CU_ASSERT_TRUE(s->end->grid.done);
        for (int life = 0; life < p->nkernels; life++) {
            for (int warp = 0; warp < p->warps; warp++) {
                uint32_t out[SBST_SIGNATURES][SBST_LANES];
                int buffer = p->one_buffer ? 0 : life;
                int writer = p->one_buffer ? p->nkernels - 1 : life;
                gpu_read_global(
                    s->end, s->job.job->buffer[buffer].addr + (uint32_t)(warp * (int)sizeof out),
                    out, sizeof out);
                CU_ASSERT_EQUAL(memcmp(out, p->kernel[writer].output, sizeof out), 0);
            }
        }
        uint8_t digest[32];
        gpu_outputs_digest(s->end, digest);
        CU_ASSERT_EQUAL(memcmp(digest, s->job.job->digest, sizeof digest), 0);
    }
}

static void gen_knows_the_cycles_of_one_warp(void)
{
    for (int i = 0; i < RANGES; i++)
        if (ranges[i].warps <= 1 && !skipped(i))
            CU_ASSERT_EQUAL(gpu_cycles(sample(i)->end), (uint64_t)sbst_cycles(&sample(i)->program));
}

static void manifest_states_how_many_instructions_are_executed(void)
{
    for (int i = 0; i < RANGES; i++) {
        if (skipped(i))
            continue;
        const struct sbst_program *p = &sample(i)->program;
        int warps = p->blocks * sbst_block_warps(p);
        CU_ASSERT_EQUAL(sample(i)->end->sm->s.instructions,
                        (uint64_t)(self_tests_executed(p) * warps));
    }
}

/* Pops of SYNC entries by a join elsewhere than at the address that they hold, or by unwinding with threads left. */
static int pops_that_need_this_machine(const struct self_tests_running *r)
{
    struct gpu *m = gpu_new(r->image);
    struct sm_commit c;
    int bad = 0;
    for (m->sm->record = &c; !gpu_ended(m);) {
        gpu_step(m);
        bool join = c.kind == COMMIT_INSTRUCTION && c.uop && c.uop->in.join;
        for (int i = 0; i < c.nstack; i++)
            if (!c.stack[i].push && c.stack[i].id == LE_SYNC)
                bad += join ? c.pc != c.stack[i].spc : c.active_after != 0;
    }
    gpu_free(m);
    return bad;
}

static void programs_without_pc_and_flow_id_join_where_compiled_code_does(void)
{
    for (int i = 0; i < RANGES; i++) {
        bool portable = !ranges[i].pc && !ranges[i].flow_id;
        if ((!portable && !ranges[i].landing_pads) || (skipped(i) && !ranges[i].minimal))
            continue;
        int bad = pops_that_need_this_machine(&sample(i)->job);
        if (ranges[i].landing_pads && ranges[i].le_last > 1)
            CU_ASSERT_TRUE(bad > 0); /* the test can fail */
        if (portable)
            CU_ASSERT_EQUAL(bad, 0);
    }
}

/* Runs the job once for each stuck-at fault of TM in the LEs; the number that ends as anything but a silent corruption. */
static int tm_faults_not_sdc(const struct sm_image *image, const struct gpu *golden, int first,
                             int last)
{
    uint64_t limit = 4 * gpu_cycles(golden);
    struct gpu *start = gpu_new(image), *m = gpu_new(image);
    int missed = 0;
    for (int fault = 0; fault < (last - first + 1) * 64; fault += SANITIZED ? 3 : 1) {
        int le = first + fault / 64, bit = fault % 64 / 2;
        struct sm_force force = {
            .offset = (uint32_t)(offsetof(struct sm_state, warp[0].tm) + 4 * (size_t)(le - 1)),
            .width = 4,
            .mask = (uint32_t)1 << bit,
            .value = fault % 2 ? (uint32_t)1 << bit : 0,
        };
        gpu_copy(m, start);
        m->sm->nforces = 0;
        gpu_add_force(m, &force);
        gpu_run(m, limit);
        if (!m->grid.done || m->sm->s.trap != TRAP_NONE || gpu_outputs_equal(m, golden)) {
            printf("\n    dstack/le%d/tm%d:sa%d: done %u, trap %s, outputs %s", le, bit, fault % 2,
                   m->grid.done, sm_trap_name((enum sm_trap)m->sm->s.trap),
                   gpu_outputs_equal(m, golden) ? "equal" : "differ");
            missed++;
        }
    }
    gpu_free(start);
    gpu_free(m);
    return missed;
}

static void every_tm_stuck_at_fault_is_a_silent_corruption_in_the_ind_program_of_its_le(void)
{
    for (int le = 1; le <= 32; le += SANITIZED && le > 1 ? 15 : 1) {
        struct sbst_program p = self_tests_make(
            &(struct sbst_request)IND(le, .checkpoint = le % 3 == 0));
        struct self_tests_running r = self_tests_open(&p);
        struct gpu *golden = gpu_new(r.image);
        gpu_run(golden, UINT64_MAX);
        CU_ASSERT_EQUAL(tm_faults_not_sdc(r.image, golden, le, le), 0);
        gpu_free(golden);
        self_tests_close(&r);
        sbst_program_free(&p);
    }
}

static void check_tm_faults(int i)
{
    CU_ASSERT_EQUAL(tm_faults_not_sdc(sample(i)->job.image, sample(i)->end, ranges[i].le_first,
                                      ranges[i].le_last),
                    0);
}

static void every_tm_stuck_at_fault_is_a_silent_corruption_in_acc_programs_of_its_range(void)
{
    for (int i = 0; i < RANGES; i++)
        if (ranges[i].approach == SBST_ACC && !ranges[i].nesting && !ranges[i].flow_id &&
            !(SANITIZED && ranges[i].le_last - ranges[i].le_first > 1))
            check_tm_faults(i);
}

static void every_tm_stuck_at_fault_is_a_silent_corruption_in_nesting_programs_of_its_range(void)
{
    for (int i = 0; i < RANGES; i++)
        if (ranges[i].nesting && !ranges[i].flow_id &&
            !(SANITIZED && ranges[i].le_last - ranges[i].le_first > 1) &&
            !(ranges[i].le_last - ranges[i].le_first > 3 && !ranges[i].minimal)) /* minutes */
            check_tm_faults(i);
}

static void parts_have_different_signatures(void)
{
    struct fl_err err = {0};
    const struct sbst_request request = ACC(1, 32, MINIMAL, FLOW);
    struct sbst_program *part = NULL;
    int count = 0;
    CU_ASSERT_EQUAL(sbst_split(self_tests.lib, &self_tests.machine, &request,
                               &(struct sbst_budget){.bytes = 480}, &part, &count, &err),
                    0);
    CU_ASSERT_TRUE(count > 3);
    for (int i = 0; i < count; i++) {
        uint8_t one[32], other[32];
        sbst_digest(&part[i], one);
        CU_ASSERT_TRUE(sbst_bytes(&part[i]) <= 480);
        for (int j = 0; j < i; j++) {
            sbst_digest(&part[j], other);
            CU_ASSERT_NOT_EQUAL(memcmp(one, other, sizeof one), 0);
        }
        sbst_program_free(&part[i]);
    }
    free(part);
}

/* Launch 2 alone, on what launch 1 leaves; but thread `wrong` has another check signature, or every one when -1. */
static void run_launch_2(const struct sbst_program *p, int wrong,
                         uint32_t out[SBST_SIGNATURES][SBST_LANES], uint64_t *instructions)
{
    struct fl_err err = {0};
    struct self_tests_running r = self_tests_open(p);
    sm_image_free(r.image);
    struct job_launch first = r.job->launch[0];
    r.job->launch[0] = r.job->launch[1];
    r.job->launch[1] = first;
    r.job->nlaunches = 1;
    size_t bytes = SBST_SIGNATURES * SBST_LANES * sizeof out[0][0];
    memcpy(out, p->kernel[0].output, bytes);
    for (int t = 0; t < SBST_LANES; t++)
        out[SBST_CHK][t] += wrong < 0 || t == wrong;
    memcpy(r.job->buffer[0].init, out, bytes);
    r.image = sm_image_new(r.job, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.image);
    struct gpu *m = gpu_new(r.image);
    gpu_run(m, UINT64_MAX);
    CU_ASSERT_TRUE(m->grid.done && m->sm->s.trap == TRAP_NONE);
    gpu_read_global(m, r.job->buffer[0].addr, out, (uint32_t)bytes);
    *instructions = m->sm->s.instructions;
    gpu_free(m);
    r.job->nlaunches = 2; /* so that both are freed */
    self_tests_close(&r);
}

static void launch_that_finds_a_wrong_check_signature_stops(void)
{
    struct sbst_program p = self_tests_make(&(struct sbst_request)ACC(1, 32, PADS));
    uint32_t out[SBST_SIGNATURES][SBST_LANES];
    uint64_t instructions;
    for (int wrong = -1; wrong < SBST_LANES; wrong += 11) {
        run_launch_2(&p, wrong, out, &instructions);
        CU_ASSERT_TRUE(wrong >= 0 || instructions < 20);
        for (int t = 0; t < SBST_LANES; t++) {
            bool stops = wrong < 0 || t % 16 == wrong % 16; /* the partner, too */
            CU_ASSERT_EQUAL(out[SBST_SIG][t], stops ? 0xffffffff : p.kernel[1].output[SBST_SIG][t]);
        }
    }
    sbst_program_free(&p);
}

static int pad_bytes(const struct sbst_program *p)
{
    int bytes = 0;
    for (int i = 0; i < p->nkernels; i++)
        for (int j = 0; j < p->kernel[i].nsteps; j++)
            if (strcmp(p->kernel[i].step[j].routine->name, "pad") == 0)
                bytes += p->kernel[i].step[j].cost.bytes;
    return bytes;
}

static void minimal_patterns_keep_their_budgets(void)
{
    struct sbst_program masks = self_tests_make(&(struct sbst_request)ACC(1, 32, MINIMAL));
    CU_ASSERT_TRUE(self_tests_executed(&masks) <= 200);
    struct sbst_program all = self_tests_make(&(struct sbst_request)ACC(1, 32, MINIMAL, FLOW));
    CU_ASSERT_TRUE(self_tests_executed(&all) <= 300);
    CU_ASSERT_TRUE(all.kernel[0].bytes + all.kernel[1].bytes <= 3000);
    struct sbst_program pads = self_tests_make(&(struct sbst_request)ACC(1, 32, PADS));
    CU_ASSERT_TRUE(self_tests_executed(&pads) <= 300); /* 450 would do */
    CU_ASSERT_TRUE(pad_bytes(&pads) > 0 && pad_bytes(&pads) <= 1024);
    CU_ASSERT_TRUE(sbst_bytes(&pads) - pad_bytes(&pads) <= 3000);
    sbst_program_free(&masks);
    sbst_program_free(&all);
    sbst_program_free(&pads);
}

/* Swaps the launches: what each life stores must not change. */
static void second_life_does_not_depend_on_the_first(void)
{
    struct sbst_program p = self_tests_make_range(1, 3, SBST_ACC, true);
    struct self_tests_running r = self_tests_open(&p);
    sm_image_free(r.image);
    struct job_launch first = r.job->launch[0];
    r.job->launch[0] = r.job->launch[1];
    r.job->launch[1] = first;
    struct fl_err err = {0};
    r.image = sm_image_new(r.job, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.image);
    struct gpu *m = gpu_new(r.image);
    gpu_run(m, UINT64_MAX);
    uint8_t digest[32];
    gpu_outputs_digest(m, digest);
    CU_ASSERT_EQUAL(memcmp(digest, r.job->digest, sizeof digest), 0);
    gpu_free(m);
    self_tests_close(&r);
    sbst_program_free(&p);
}

/* Stuck-at-0 of one bit of LE 2, which holds SYNC entries from LE 3 on: the thread comes back at the last join with a
 * check signature that lags behind, and the check-point there stores what it found and what it expected. */
static void mismatch_stores_what_was_found_and_what_was_expected(void)
{
    struct sbst_program p = self_tests_make_range(2, 4, SBST_ACC, true);
    struct self_tests_running r = self_tests_open(&p);
    struct gpu *m = gpu_new(r.image);
    const struct sm_force force = {
        .offset = (uint32_t)offsetof(struct sm_state, warp[0].tm[1]), .width = 4, .mask = 1 << 9};
    gpu_add_force(m, &force);
    gpu_run(m, UINT64_MAX);
    CU_ASSERT_EQUAL(m->sm->s.trap, TRAP_NONE);
    uint32_t out[SBST_SIGNATURES][SBST_LANES], expected = 0;
    gpu_read_global(m, r.job->buffer[0].addr, out, sizeof out);
    for (int i = 0; i < p.kernel[0].nsteps; i++)
        if (strcmp(p.kernel[0].step[i].label, "check_unwound") == 0)
            expected = p.kernel[0].step[i].value[0];
    CU_ASSERT_NOT_EQUAL(expected, 0);
    CU_ASSERT_EQUAL(out[SBST_CHK][9], expected);
    CU_ASSERT_NOT_EQUAL(out[SBST_SIG][9], expected);
    CU_ASSERT_NOT_EQUAL(out[SBST_SIG][9], 0xffffffff);
    for (int t = 0; t < SBST_LANES; t++) {
        CU_ASSERT_TRUE(t == 9 || out[SBST_CHK][t] == p.kernel[0].output[SBST_CHK][t]);
        CU_ASSERT_TRUE(t == 9 || out[SBST_SIG][t] == p.kernel[0].output[SBST_SIG][t]);
    }
    gpu_free(m);
    self_tests_close(&r);
    sbst_program_free(&p);
}

/* ---- files ---- */

static void smrun_confirms_the_digest(void)
{
    struct fl_buf out = {0};
    for (int i = 0; i < RANGES; i += SANITIZED ? 14 : 1) {
        if (skipped(i))
            continue;
        char *options = sbst_options(&ranges[i]);
        int status = tools_run(self_tests.dir, &out,
                               "rm -rf run && sbstgen --method %s --le %d-%d --approach %s %s "
                               "-o run && smrun run/*.job.xml --expect 2>&1",
                               ranges[i].nesting ? "nesting" : "sync-trick", ranges[i].le_first,
                               ranges[i].le_last, ranges[i].approach == SBST_ACC ? "acc" : "ind",
                               options);
        free(options);
        if (status != 0)
            printf("\n    %s", out.size ? (char *)out.data : "no message");
        CU_ASSERT_EQUAL(status, 0);
    }
    fl_buf_free(&out);
}

static void smrun_refuses_a_digest_that_is_not_the_one_computed(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(tools_run(self_tests.dir, &out,
                              "rm -rf run && sbstgen --method sync-trick --le 2 -o run && "
                              "sed -i 's/sha256=\"......../sha256=\"00000000/' run/*.job.xml && "
                              "smrun run/*.job.xml --expect 2>&1"),
                    1);
    fl_buf_free(&out);
}

int main(void)
{
    if (!self_tests_start())
        return 1;
    int status = CHECK_RUN(
        "gen", CHECK(machine_comes_to_the_outputs_that_gen_computed),
        CHECK(gen_knows_the_cycles_of_one_warp),
        CHECK(manifest_states_how_many_instructions_are_executed),
        CHECK(every_tm_stuck_at_fault_is_a_silent_corruption_in_the_ind_program_of_its_le),
        CHECK(every_tm_stuck_at_fault_is_a_silent_corruption_in_acc_programs_of_its_range),
        CHECK(every_tm_stuck_at_fault_is_a_silent_corruption_in_nesting_programs_of_its_range),
        CHECK(programs_without_pc_and_flow_id_join_where_compiled_code_does),
        CHECK(minimal_patterns_keep_their_budgets),
        CHECK(launch_that_finds_a_wrong_check_signature_stops),
        CHECK(parts_have_different_signatures), CHECK(second_life_does_not_depend_on_the_first),
        CHECK(mismatch_stores_what_was_found_and_what_was_expected),
        CHECK(smrun_confirms_the_digest),
        CHECK(smrun_refuses_a_digest_that_is_not_the_one_computed));
    free_samples();
    self_tests_end();
    return status;
}
