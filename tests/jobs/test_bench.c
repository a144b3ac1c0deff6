/* test_bench.c -- the workloads compute what their references say, and diverge as deep as their
 * README says.
 *
 * A reference is worth something only when it also says no: every output bit is flipped somewhere
 * below.
 */
#include "tests/lib/check.h"

#include "bench/bench.h"
#include "bench/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check(const struct bench *b, const struct bench_run *r, struct fl_err *err)
{
    return b->check(r->job, (const uint8_t *const *)r->after, err);
}

/* Runs workload `b`; false and a failed assertion when it does not get to its end. */
static int completed(const struct bench *b, struct bench_run *r)
{
    struct fl_err err = {""};
    char *path = fl_format("%s/bench/%s.job.xml", FAULTLINE_BUILD_DIR, b->name);
    int bad = bench_run_job(path, r, &err);
    free(path);
    if (bad)
        printf("\n    %s\n", err.msg);
    CU_ASSERT_EQUAL(bad, 0);
    return !bad;
}

static void results_are_what_the_reference_says(void)
{
    for (int i = 0; i < bench_count; i++) {
        struct bench_run r;
        struct fl_err err = {""};
        if (completed(&bench_list[i], &r) && check(&bench_list[i], &r, &err) != 0) {
            printf("\n    %s\n", err.msg);
            CU_FAIL("a result differs from the reference");
        }
        bench_run_drop(&r);
    }
}

static void results_have_the_digest_of_the_job(void)
{
    for (int i = 0; i < bench_count; i++) {
        struct bench_run r;
        if (completed(&bench_list[i], &r)) {
            uint8_t digest[32];
            gpu_outputs_digest(r.machine, digest);
            CU_ASSERT_TRUE(r.job->has_digest);
            CU_ASSERT_EQUAL(memcmp(digest, r.job->digest, sizeof digest), 0);
        }
        bench_run_drop(&r);
    }
}

/* One bit in each of some bytes of an output, another one each time: all of them would take minutes. Sanitized, a few. */
enum { FLIPPED_BYTES = SANITIZED ? 13 : 61 };

static void references_notice_a_flipped_output_bit(void)
{
    for (int i = 0; i < bench_count; i++) {
        struct bench_run r;
        int accepted = 0, flips = 0;
        if (completed(&bench_list[i], &r)) {
            for (int o = 0; o < r.job->noutputs; o++) {
                const struct job_output *out = &r.job->output[o];
                uint8_t *bytes = r.after[out->buffer] + out->offset;
                size_t stride = out->size / FLIPPED_BYTES | 1;
                for (size_t at = 0; at < out->size; at += stride, flips++) {
                    uint8_t bit = (uint8_t)(1u << flips % 8);
                    bytes[at] ^= bit;
                    struct fl_err err;
                    if (check(&bench_list[i], &r, &err) == 0)
                        accepted++;
                    bytes[at] ^= bit;
                }
            }
            CU_ASSERT_TRUE(flips > 0);
            CU_ASSERT_EQUAL(accepted, 0);
        }
        bench_run_drop(&r);
    }
}

/* The highest line-entry in use. An open level takes two: one for the SSY, one for the path that
 * waits; the `if` inside edge's second path opens when the first path's entry is free again. */
static void divergence_is_as_deep_as_the_readme_says(void)
{
    static const struct {
        const char *name;
        int entries;
    } depth[] = {{"mxm", 2},   {"sort", 2},   {"fft", 4}, {"edge", 3},
                 {"mxm64", 0}, {"vecadd", 0}, {"vadd", 0}};
    for (size_t i = 0; i < sizeof depth / sizeof depth[0]; i++) {
        for (int b = 0; b < bench_count; b++) {
            struct bench_run r;
            if (strcmp(bench_list[b].name, depth[i].name) != 0)
                continue;
            if (completed(&bench_list[b], &r))
                CU_ASSERT_EQUAL(r.deepest, depth[i].entries);
            bench_run_drop(&r);
        }
    }
}

static void coverage_workloads_are_of_a_size_for_fault_simulation(void)
{
    static const char *const coverage[] = {"mxm", "sort", "fft", "edge"};
    for (size_t i = 0; i < sizeof coverage / sizeof coverage[0]; i++) {
        for (int b = 0; b < bench_count; b++) {
            struct bench_run r;
            if (strcmp(bench_list[b].name, coverage[i]) != 0)
                continue;
            if (completed(&bench_list[b], &r)) {
                uint64_t n = r.machine->sm->s.instructions;
                CU_ASSERT_TRUE(n >= 2000);
                CU_ASSERT_TRUE(n <= 20000);
            }
            bench_run_drop(&r);
        }
    }
}

static uint32_t number(const char *hex)
{
    return (uint32_t)strtoul(hex, NULL, 16);
}

static float as_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

/* Rows of the register forms of FADD, FMUL and FMAD without modifiers, finite operands. */
static void reference_arithmetic_agrees_with_the_vectors(void)
{
    if (!check_shared("sm10/alu-vectors.tsv"))
        return;
    FILE *f = fopen(FAULTLINE_SHARED_DIR "/sm10/alu-vectors.tsv", "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    char line[256], op1[16], op2[16], a[16], b[16], c[16], cc[16], result[16]; /* the columns */
    int rows = 0, wrong = 0;
    while (fgets(line, sizeof line, f)) {
        if (sscanf(line, "%15s %15s %15s %15s %15s %15s %15s", op1, op2, a, b, c, cc, result) != 7)
            continue;
        float x = as_float(number(a)), y = as_float(number(b)), z = as_float(number(c)), r;
        if (strcmp(op1, "b0000201") == 0 && strcmp(op2, "0000c7c0") == 0)
            r = bench_fadd(x, z);
        else if (strcmp(op1, "c0020201") == 0 && strcmp(op2, "000007c0") == 0)
            r = bench_fmul(x, y);
        else if (strcmp(op1, "e0020201") == 0 && strcmp(op2, "0000c7c0") == 0)
            r = bench_fmad(x, y, z);
        else
            continue;
        if (!isfinite(r) || !isfinite(x))
            continue;
        rows++;
        uint32_t bits;
        memcpy(&bits, &r, sizeof bits);
        wrong += bits != number(result);
    }
    fclose(f);
    CU_ASSERT_TRUE(rows > 100);
    CU_ASSERT_EQUAL(wrong, 0);
}

int main(void)
{
    return CHECK_RUN("bench", CHECK(results_are_what_the_reference_says),
                     CHECK(results_have_the_digest_of_the_job),
                     CHECK(references_notice_a_flipped_output_bit),
                     CHECK(divergence_is_as_deep_as_the_readme_says),
                     CHECK(coverage_workloads_are_of_a_size_for_fault_simulation),
                     CHECK(reference_arithmetic_agrees_with_the_vectors));
}
