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

static struct opened open_this(struct job *job)
{
    struct fl_err err;
    struct opened o = {.job = job};
    if (context_open(&o.ctx, o.job, &context_all_cycles, 1000000, &err)) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no context");
    }
    o.w = fsim_worker_new(o.ctx.g);
    return o;
}

static struct opened open_job(void)
{
    return open_this(faults_job("tiny", 2, 40, text));
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

/* ---- the trace ------------------------------------------------------------------------------- */

struct trace {
    struct sm_commit *commit;
    uint32_t count, room;
};

/* Of a machine of its own, slot by slot. */
static struct trace trace_of(const struct sm_image *img)
{
    struct trace t = {0};
    struct sm_commit c;
    struct gpu *m = gpu_new(img);
    gpu_record(m, &c);
    while (!gpu_ended(m)) {
        memset(&c, 0, sizeof c);
        gpu_tick(m);
        if (c.kind != COMMIT_INSTRUCTION)
            continue;
        FL_ROOM(t.commit, t.count, t.room, 1024);
        t.commit[t.count++] = c;
    }
    gpu_free(m);
    return t;
}

/* What the commit in the cycle before wrote into the word of the cell, of flags one bit each; NULL: it has not. */
static const struct sm_commit *written(const struct trace *t, const struct fsim_fault *u,
                                       uint32_t *value)
{
    const struct sm_cell *cell = &u->cell;
    const struct sm_commit *c = t->commit, *end = c + t->count;
    int lane = cell->structure == SM_S_rf ? cell->index[0] % SM_LANES : cell->bit;
    int row = cell->index[0] / SM_LANES;
    while (c < end && (c->cycle + 1 != u->from || sm_commit_place(c) != cell->place))
        c++;
    if (c == end)
        return NULL;
    if (cell->structure == SM_S_cc) {
        *value = (c->flags.z >> lane & 1) | (c->flags.s >> lane & 1) << 1 |
                 (c->flags.c >> lane & 1) << 2 | (c->flags.o >> lane & 1) << 3;
        return c->warp == cell->index[0] && c->cc == cell->index[1] ? c : NULL;
    }
    int first = c->reg_row / SM_LANES;
    if (row < first || row >= first + c->nregs || !(c->reg_mask >> lane & 1))
        return NULL;
    *value = c->reg[row - first][lane];
    return c;
}

/* An instruction of halves changes one of them. */
static bool is_or_half_of(uint32_t bits, uint32_t all)
{
    return bits == all || bits == (all & 0xffff) || bits == (all & 0xffff0000);
}

/* How many of those drawn have been compared; all that are drawn must be what the trace says. */
static int compare_with_trace(struct job *job, const char *target)
{
    struct opened o = open_this(job);
    struct trace t = trace_of(o.ctx.img);
    int compared = 0, wrong = 0;
    for (int value = DEST_RANDOM; value <= DEST_ZERO; value++) {
        struct fl_err err = {{0}};
        struct dest *d = dest_new(&o.ctx, target, (enum dest_value)value, &err);
        if (!d)
            printf("\n%s\n", err.msg);
        CU_ASSERT_PTR_NOT_NULL_FATAL(d);
        for (uint64_t i = 0; i < 300; i++) {
            struct fsim_fault u[FSIM_CELLS];
            struct stats_stream random = stats_stream_of(7, i), again = random;
            uint32_t bits = 0, now = 0;
            dest_draw(d, stats_draw(7, i, dest_population(d)), &random, u);
            if (!u->cells)
                continue;
            for (int c = 0; c < u->cells; c++)
                bits |= 1u << (u->cell.structure == SM_S_cc ? u[c].cell.field : u[c].cell.bit);
            const struct sm_commit *by = written(&t, u, &now);
            int words = u->cell.structure == SM_S_cc ? 4 : by ? by->nregs : 0;
            if (value == DEST_RANDOM && words > 1)
                stats_below(&again, (uint64_t)words); /* which of them */
            if (value == DEST_RANDOM)
                now ^= (uint32_t)stats_below(&again, UINT64_C(1) << 32);
            wrong += !by || !is_or_half_of(bits, u->cell.structure == SM_S_cc ? now & 15 : now);
            compared++;
        }
        dest_free(d);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(t.commit);
    close_job(&o);
    return compared;
}

/* Three launches, with steps of the host between them. */
static struct job *hosted_job(uint64_t seed)
{
    struct fl_err err;
    struct job *job = faults_job("tiny", 2, 40, text);
    machine_buffer(job, job->buffer[0].size, NULL);
    for (int i = 0; i < 2; i++)
        machine_param(machine_launch(job, 0, 2, 40), job->buffer[0].addr);
    flips_add_steps(job, &seed, 0);
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    return job;
}

static void what_is_drawn_is_what_the_trace_says_whatever_the_host_does_between_launches(void)
{
    int compared = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        compared += compare_with_trace(hosted_job(seed), seed % 3 ? "dest" : "dest/pr");
        compared += compare_with_trace(flips_hosted(4 * seed), "dest");
        struct job *job = hosted_job(seed);
        uint64_t random = seed;
        flips_on_a_chip(job, &random);
        compared += compare_with_trace(job, "dest");
    }
    CU_ASSERT(compared > 8000);
}

/* Their times are not followed, but their values are what they are. */
static void machines_with_partitions_and_caches_have_values_too(void)
{
    static const char *const profile[] = {"g80-chip", "tiny-chip-caches", "gpufi-titan"};
    for (size_t i = 0; i < sizeof profile / sizeof *profile; i++)
        CU_ASSERT(compare_with_trace(faults_job(profile[i], 4, 40, text), "dest") > 300);
    struct job *job = hosted_job(1);
    job->profile.partitions = 3;
    CU_ASSERT(compare_with_trace(job, "dest") > 300);
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
    return CHECK_RUN(
        "dest", CHECK(groups_are_what_instructions_write), CHECK(a_zeroed_destination_is_zero),
        CHECK(what_is_drawn_is_what_the_trace_says_whatever_the_host_does_between_launches),
        CHECK(machines_with_partitions_and_caches_have_values_too),
        CHECK(destinations_end_as_brute_force_says));
}
