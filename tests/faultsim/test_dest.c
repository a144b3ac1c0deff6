/* test_dest.c -- flips of what instructions have just written: who writes, what is flipped, how it ends. */
#include "base/stats.h"
#include "faultsim/transient/dest.h"
#include "tests/lib/check.h"
#include "tests/lib/flips.h"

/* Arithmetic of both kinds, a load, flags with and without a register, a move, a half. */
static const char text[] =
    ".kernel k\n.param ptr out\n"
    "  I2I.U32.U16 R1, R0L\n  SHL R4, R1, 2\n  IADD R4, s[out], R4\n  I2F.F32.U32 R2, R1\n"
    "  GLD.U32 R3, global14[R4]\n  FADD R2, R2, R3\n  MVI R7, 0x8\n  ISET.S32.C0 o[0x7f], R1, R7, "
    "LT\n"
    "  IADD.C1 R5, R1, R1\n  MOV R6, R5\n  IADD R6 (C0.NE), R6, R1\n  I2I.U16.U16 R6L, R5H\n"
    "  GST.U32 global14[R4], R2\n  IADD32I R4, R4, 0x100\n  GST.U32 global14[R4], R6\n  NOP.EXIT\n";

struct opened {
    struct job *job;
    struct job_context ctx;
    struct fsim_worker *w;
};

static struct opened open_job(void)
{
    struct fl_err err;
    struct opened o = {.job = faults_job("tiny", 2, 40, text)};
    if (context_open(&o.ctx, o.job, &context_all_cycles, 1000000, &err)) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no context");
    }
    o.w = fsim_worker_new(o.ctx.g);
    return o;
}

static void close_job(struct opened *o)
{
    fsim_worker_free(o->w);
    context_close(&o->ctx);
    job_free(o->job);
}

static uint64_t threads(const struct opened *o, const char *target)
{
    struct fl_err err;
    struct dest *d = dest_new(&o->ctx, target, DEST_RANDOM, &err);
    uint64_t n = d ? dest_population(d) : 0;
    dest_free(d);
    return n;
}

static void groups_are_what_instructions_write(void)
{
    struct opened o = open_job();
    uint64_t each = 2 * 40, then = 0; /* threads; those of the predicated instruction */
    CU_ASSERT_EQUAL(threads(&o, "dest/pr"), each);
    CU_ASSERT_EQUAL(threads(&o, "dest/fp32"), each);
    CU_ASSERT_EQUAL(threads(&o, "dest/ld"), each);
    CU_ASSERT_EQUAL(threads(&o, "dest/other"), 5 * each);
    then = threads(&o, "dest/int") - 4 * each;
    CU_ASSERT(then && then < each);
    CU_ASSERT_EQUAL(threads(&o, "dest/gp"), 11 * each + then);
    CU_ASSERT_EQUAL(threads(&o, "dest"), 12 * each + then);
    close_job(&o);
}

/* The value of the register, or the flags, that the flip is about, before and behind it. */
static uint32_t word_of(const struct gpu *m, const struct sm_cell *c)
{
    uint32_t w = 0;
    if (c->structure == SM_S_rf)
        return m->sm->s.rf[c->index[0]];
    const struct sm_cc *cc = &m->sm->s.warp[c->index[0]].cc[c->index[1]];
    w = (cc->z >> c->bit & 1) | (cc->s >> c->bit & 1) << 1 | (cc->c >> c->bit & 1) << 2 |
        (cc->o >> c->bit & 1) << 3;
    return w;
}

static void a_zeroed_destination_is_zero(void)
{
    struct opened o = open_job();
    struct gpu *m = gpu_new(o.ctx.img);
    static const char *const target[] = {"dest/fp32", "dest/pr", "dest/ld"};
    for (int t = 0; t < 3; t++) {
        struct fl_err err;
        struct dest *d = dest_new(&o.ctx, target[t], DEST_ZERO, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(d);
        for (uint64_t i = 0; i < dest_population(d); i++) {
            struct fsim_fault u[FSIM_CELLS];
            struct stats_stream random = stats_stream_of(1, i);
            dest_draw(d, i, &random, u);
            if (!u->cells)
                continue;
            uint32_t bits = 0;
            golden_seek(o.ctx.g, m, u->from);
            for (int c = 0; c < u->cells; c++)
                bits |= 1u << (t == 1 ? u[c].cell.field : u[c].cell.bit);
            CU_ASSERT_EQUAL(word_of(m, &u->cell), bits);
        }
        dest_free(d);
    }
    gpu_free(m);
    close_job(&o);
}

static void destinations_end_as_brute_force_says(void)
{
    struct opened o = open_job();
    long fail = 0, wrong = 0;
    for (int value = DEST_BIT; value <= DEST_ZERO; value++) {
        struct fl_err err;
        struct dest *d = dest_new(&o.ctx, "dest", (enum dest_value)value, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(d);
        for (uint64_t i = 0; i < 300; i++) {
            struct fsim_fault u[FSIM_CELLS];
            struct transient_result r, brute;
            struct stats_stream random = stats_stream_of(7, i);
            dest_draw(d, stats_draw(7, i, dest_population(d)), &random, u);
            if (!u->cells)
                continue;
            transient_simulate(o.w, o.ctx.t, u, &r);
            transient_exhaustive(o.w, o.ctx.t, u, &brute);
            wrong += !faults_same(&r.r, &brute.r);
            fail += fsim_outcome_fails(r.r.outcome);
        }
        dest_free(d);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(fail > 200);
    close_job(&o);
}

int main(void)
{
    return CHECK_RUN("dest", CHECK(groups_are_what_instructions_write),
                     CHECK(a_zeroed_destination_is_zero),
                     CHECK(destinations_end_as_brute_force_says));
}
