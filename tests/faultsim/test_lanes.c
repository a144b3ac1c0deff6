/* test_lanes.c -- the flips of all bits of a register at once: what follow.h answers is what brute force finds.
 */
#include "tests/lib/check.h"
#include "sm/arith/lanes.h"
#include "faultsim/verdict/ladder.h"
#include "tests/lib/flips.h"

/* Sanitized, the two workloads of long runs are left to the release build (scripts/test). */
enum { FIRST_BENCH = SANITIZED ? 2 : 0 };

struct counts {
    long asked, answered, wrong, outcome[OUT_COUNT];
};

/* One lane of a row, read first in cycle `to`: the bits in `check` against brute force. */
static void compare(struct bench *l, struct follower *lanes, uint32_t row, int lane,
                    const struct access_class *g, uint32_t bits, uint32_t check, struct counts *c)
{
    struct fsim_result out[32];
    uint32_t known = follow_flips(lanes, row, lane, l->t->site[g->site].event, bits, out);
    CU_ASSERT_EQUAL(known & ~bits, 0);
    c->asked += __builtin_popcount(bits);
    c->answered += __builtin_popcount(known);
    for (int b = 0; b < 32; b++) {
        if (!(known & check & lane_bit[b]))
            continue;
        struct sm_cell cell = {
            .structure = SM_S_rf, .index = {(int)row * SM_LANES + lane}, .bit = b};
        struct fsim_fault u = fsim_flip(cell, g->to);
        struct transient_result brute;
        transient_exhaustive(l->w, l->t, &u, &brute);
        c->outcome[brute.r.outcome]++;
        if (brute.r.outcome == out[b].outcome && brute.r.end == out[b].end &&
            strcmp(brute.r.reason, out[b].reason) == 0)
            continue;
        if (c->wrong++ < 5) {
            struct fl_buf id = {0};
            fsim_print(l->img, &u, &id);
            fl_buf_add(&id, "", 1);
            faults_print("lanes", (char *)id.data, &out[b]);
            faults_print("brute force", (char *)id.data, &brute.r);
            fl_buf_free(&id);
        }
    }
}

/* Groups of the register file at random, `bits` of each against brute force. */
static void sample(struct job *job, int groups, int bits, uint64_t seed, struct counts *c)
{
    struct bench l = bench_open(job, true);
    if (!l.t) { /* random programs trap now and then */
        bench_close(&l);
        return;
    }
    struct follower *lanes = l.w->follower;
    int rf = sm_structure_find(l.img, "rf");
    uint32_t rows = (uint32_t)l.img->regs_used / SM_LANES;
    for (int i = 0; i < groups && c->wrong < 5; i++) {
        uint32_t reg = machine_random(&seed) % (rows * SM_LANES), check = 0;
        uint64_t cycle = machine_random(&seed) % l.g->cycles;
        struct sm_cell cell = {.structure = rf, .index = {(int)reg}, .bit = 0};
        struct access_class low = access_class_at(l.t, &cell, cycle);
        cell.bit = 16;
        struct access_class high = access_class_at(l.t, &cell, cycle);
        for (int b = 0; b < bits; b++)
            check |= lane_bit[machine_random(&seed) % 32];
        for (int half = 0; half < 2; half++) {
            const struct access_class *g = half ? &high : &low;
            bool both = low.end == CLASS_READ && high.end == CLASS_READ && low.site == high.site;
            if (g->end == CLASS_READ && g->site != SITE_NONE && !(half && both))
                compare(&l, lanes, reg / SM_LANES, (int)(reg % SM_LANES), g,
                        both   ? ~0u
                        : half ? 0xffff0000
                               : 0xffff,
                        check, c);
        }
    }
    bench_close(&l);
}

static int deep(void)
{
    const char *n = getenv("LANES_COUNT");
    return n ? atoi(n) : 1;
}

static void show(const char *what, const struct counts *c)
{
    if (!getenv("LANES_SHOW"))
        return;
    printf("\n%s: asked %ld, answered %ld, wrong %ld;", what, c->asked, c->answered, c->wrong);
    for (int i = 0; i < OUT_COUNT; i++)
        printf(" %s %ld", fsim_outcome_name((enum fsim_outcome)i), c->outcome[i]);
    printf("\n");
}

static void answers_are_those_of_brute_force_in_structured_programs(void)
{
    struct counts c = {0};
    for (uint64_t i = 0; i < 12 * (uint64_t)deep(); i++)
        sample(flips_structured(500 + i), 200, 4, 1 + i, &c);
    show("structured", &c);
    CU_ASSERT_EQUAL(c.wrong, 0);
    CU_ASSERT(c.answered > c.asked / 3);
    CU_ASSERT(c.outcome[OUT_SDC] > 20);
}

static void answers_are_those_of_brute_force_in_all_instructions(void)
{
    struct counts c = {0};
    for (uint64_t i = 0; i < 10 * (uint64_t)deep(); i += SANITIZED ? 2 : 1)
        sample(flips_mix(600 + i), 60, 4, 1 + i, &c);
    show("soup", &c);
    CU_ASSERT_EQUAL(c.wrong, 0);
    CU_ASSERT(c.answered > c.asked / 3);
    CU_ASSERT(c.outcome[OUT_SDC] > 10 && c.outcome[OUT_CRASH] > 10);
}

/* Bytes and halves of words, between neighbours that are all ones. */
static void narrow_stores_leave_their_neighbours_alone(void)
{
    static const char text[] =
        ".kernel k\n.param u32 OUT\n.regs 8\n.shared x, 128\n.local 8\n"
        "I2I.U32.U16 R0, R0L\n SHL R1, R0, 2\n R2A A1, R1\n IADD R5, s[OUT], R1\n MVI R3, -1\n"
        "IADD32I R2, R0, 0x1234\n IADD32I R6, R0, 0x77\n MOV R7, R6\n"
        "R2G.U32.U32 s[A1+x], R3\n R2G.U32.U8 s[A1+x+1], R2\n R2G.U32.U16 s[A1+x+2], R6\n"
        "MOV R4, s[A1+x]\n GST.U32 global14[R5], R4\n"
        "LST.U32 local[0], R3\n LST.U32 local[4], R3\n LST.U8 local[1], R2\n LST.U16 local[4], R7\n"
        "LLD.U32 R4, local[0]\n IADD32I R5, R5, 0x100\n GST.U32 global14[R5], R4\n"
        "LLD.U32 R4, local[4]\n IADD32I R5, R5, 0x100\n GST.U32 global14[R5], R4\n"
        "IADD32I R5, R5, 0x100\n GST.U32 global14[R5], R3\n GST.U8 global14[R5], R2\n"
        "IADD32I R5, R5, 0x2\n GST.U16 global14[R5], R7\n NOP.EXIT\n";
    struct counts c = {0};
    sample(faults_job("tiny", 1, 32, text), 400, 4, 1, &c);
    show("narrow", &c);
    CU_ASSERT_EQUAL(c.wrong, 0);
    CU_ASSERT(c.answered > c.asked / 2);
    CU_ASSERT(c.outcome[OUT_SDC] > 20 && c.outcome[OUT_MASKED] > 20);
}

/* A wrong address makes loads of the first warp later, and the second of them reads what the second warp stores about then. */
static void a_load_of_a_wrong_word_sees_the_store_that_is_before_it(void)
{
    static const char text[] = ".kernel k\n.param u32 OUT\n.regs 6\n"
                               "I2I.U32.U16 R0, R0L\n SHL R1, R0, 2\n IADD R1, s[OUT], R1\n"
                               "IADD32I R2, R1, 0x400\n MVI R4, 0x77\n"
                               "MVI R3, 0x20\n LOP.AND.C0 R3, R0, R3\n BRA C0.NE, second\n"
                               "GLD.U32 R4, global14[R1]\n GLD.U32 R4, global14[R1]\n"
                               "GST.U32 global14[R2], R4\n NOP.EXIT\n"
                               "second:\n .rept %d\n NOP\n.endr\n"
                               "GST.U32 global14[R1], R4\n NOP.EXIT\n";
    for (int nops = 18; nops < 28; nops++) {
        char program[2048];
        snprintf(program, sizeof program, text, nops);
        struct bench l = bench_open(faults_job("tiny", 1, 64, program), false);
        struct follower *lanes = l.w->follower;
        struct counts c = {0};
        int rf = sm_structure_find(l.img, "rf");
        for (uint64_t cycle = 0; cycle < l.g->cycles; cycle += 20)
            for (uint32_t row = 0; row < (uint32_t)l.img->regs_used / SM_LANES; row++) {
                struct sm_cell cell = {.structure = rf, .index = {(int)row * SM_LANES + 3}};
                struct access_class g = access_class_at(l.t, &cell, cycle);
                if (g.end == CLASS_READ && g.site != SITE_NONE)
                    compare(&l, lanes, row, 3, &g, 0x80, 0x80, &c);
            }
        show("order", &c);
        CU_ASSERT_EQUAL(c.wrong, 0);
        bench_close(&l);
    }
}

/* Whoever reads what an earlier warp left depends on where the warps lie. */
static void reads_of_what_others_left_are_known(void)
{
    static const struct {
        const char *code;
        int kind;
        bool stale;
    } list[] = {
        {"MVI R1, 1\n IADD R2, R1, R0\n", STALE_ROW, false},
        {"IADD R2, R1, R0\n", STALE_ROW, true},
        {"IADD.U16 R1L, R0L, R0L\n IADD.U16 R2L, R1L, R0L\n", STALE_ROW, false},
        {"IADD.U16 R1L, R0L, R0L\n IADD.U16 R2L, R1H, R0L\n", STALE_ROW, true},
        {"IADD.U16 R1H, R0L, R0L\n IADD.U16 R2L, R1H, R0L\n", STALE_ROW, false},
        {"IADD.U16 R1H, R0L, R0L\n IADD.U16 R2L, R1L, R0L\n", STALE_ROW, true},
        {"IADD.U16 R1L, R0L, R0L\n IADD R2, R1, R0\n", STALE_ROW, true},
        {"IADD.U16 R1L, R0L, R0L\n IADD.U16 R1H, R0L, R0L\n IADD R2, R1, R0\n", STALE_ROW, false},
        {"MOV R2 (C0.NE), R0\n", STALE_CC, true},
        {"ISET.C0 o[0x7f], R0, R0, EQ\n MOV R2 (C0.NE), R0\n", STALE_CC, false},
        {"ISET.C1 o[0x7f], R0, R0, EQ\n MOV R2 (C0.NE), R0\n", STALE_CC, true},
        {"MOV R2, s[A1+0x10]\n", STALE_A, true},
        {"MVI R1, 0\n R2A A1, R1\n MOV R2, s[A1+0x10]\n", STALE_A, false},
        {"MVI R1, 0\n R2A A2, R1\n MOV R2, s[A1+0x10]\n", STALE_A, true},
        {"MOV R2, s[x]\n", STALE_SHARED, true},
        {"R2G.U32.U32 s[x], R0\n MOV R2, s[x]\n", STALE_SHARED, false},
        {"R2G.U32.U32 s[x+4], R0\n MOV R2, s[x]\n", STALE_SHARED, true},
        {"LLD.U32 R2, local[4]\n", STALE_LOCAL, true},
        {"LST.U32 local[4], R0\n LLD.U32 R2, local[4]\n", STALE_LOCAL, false},
        {"LST.U32 local[0], R0\n LLD.U32 R2, local[4]\n", STALE_LOCAL, true},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 ".kernel before\n.regs 4\n.shared x, 64\n.local 8\n"
                 "MVI R1, 0\n MVI R2, 0\n ISET.C0 o[0x7f], R0, R0, EQ\n R2A A1, R1\n"
                 "R2G.U32.U32 s[x], R1\n LST.U32 local[4], R1\n NOP.EXIT\n"
                 ".kernel k\n.regs 4\n.shared x, 64\n.local 8\n%sNOP.EXIT\n",
                 list[i].code);
        struct bench l = bench_open(faults_job("tiny", 1, 32, text), false);
        bool known = !l.g->flow->stale[list[i].kind] == !list[i].stale;
        if (!known)
            printf("\n    %s", list[i].code);
        CU_ASSERT(known);
        bench_close(&l);
    }
}

/* Loads of blocks that come and go, each a little later where an address is wrong: the machine runs again only until it
 * does as in the golden run. */
static void a_delay_is_followed_until_it_makes_no_difference(void)
{
    static const char text[] =
        ".kernel k\n.param u32 OUT\n.regs 6\n"
        "I2I.U32.U16 R0, R0L\n SHL R1, R0, 2\n IADD R1, s[OUT], R1\n MVI R4, 12\n"
        "again: GLD.U32 R2, global14[R1]\n IADD32I R4, R4, -1\n"
        "ISET.S32.C0 o[0x7f], R4, R124, NE\n BRA C0.NE, again\n"
        "GST.U32 global14[R1], R0\n NOP.EXIT\n";
    struct bench l = bench_open(faults_job("tiny", 24, 32, text), false);
    struct follower *lanes = l.w->follower;
    struct follow_statistics stat = {0};
    struct counts c = {0};
    int rf = sm_structure_find(l.img, "rf");
    for (uint64_t cycle = 0; cycle < l.g->cycles; cycle += SANITIZED ? 1103 : 701)
        for (uint32_t row = 0; row < (uint32_t)l.img->regs_used / SM_LANES; row++) {
            struct sm_cell cell = {.structure = rf, .index = {(int)row * SM_LANES + 5}};
            struct access_class g = access_class_at(l.t, &cell, cycle);
            if (g.end == CLASS_READ && g.site != SITE_NONE)
                compare(&l, lanes, row, 5, &g, 0x1c0, 0x80, &c);
        }
    follow_statistics(lanes, &stat);
    show("late", &c);
    CU_ASSERT_EQUAL(c.wrong, 0);
    CU_ASSERT(c.answered > c.asked * 9 / 10);
    CU_ASSERT(c.outcome[OUT_PERFORMANCE] > 50 && stat.replays > 50);
    CU_ASSERT(stat.replayed < stat.replays * l.g->flow->nevents * 3 / 10);
    bench_close(&l);
}

/* Groups of a register of lane 31, which stores last; two bits of each against brute force. */
static void sample_row(struct job *job, uint32_t row, struct counts *c)
{
    struct bench l = bench_open(job, false);
    struct follower *lanes = l.w->follower;
    struct sm_cell cell = {.structure = SM_S_rf, .index = {(int)row * SM_LANES + 31}};
    struct access_class g = {.to = UINT64_MAX};
    for (uint64_t cycle = 0; cycle < l.g->cycles; cycle = g.to + 1) {
        g = access_class_at(l.t, &cell, cycle);
        if (g.end == CLASS_READ && g.site != SITE_NONE)
            compare(&l, lanes, row, 31, &g, 0xff, 0x90, c);
    }
    bench_close(&l);
}

/* The second warp has a difference in a register that it only stores, much later. */
static void a_branch_is_followed_while_another_warp_differs(void)
{
    static const char text[] =
        ".kernel k\n.param u32 OUT\n.regs 6\n.shared x, 128\n"
        "I2I.U32.U16 R0, R0L\n SHL R1, R0, 2\n R2A A1, R1\n IADD R1, s[OUT], R1\n MVI R3, 5\n"
        "MVI R2, 0x20\n LOP.AND.C0 R2, R0, R2\n BRA C0.NE, second\n"
        "R2G.U32.U32 s[A1+x], R3\n .rept 20\n NOP\n.endr\n"
        "MVI R2, 0x10\n ISET.S32.C0 o[0x7f], R3, R2, GT\n BRA C0.NE, far\n"
        "GST.U32 global14[R1], R0\n NOP.EXIT\n"
        "far: GST.U32 global14[R1], R3\n NOP.EXIT\n"
        "second: IADD32I R4, R0, -32\n SHL R4, R4, 2\n R2A A1, R4\n .rept 6\n NOP\n.endr\n"
        "MOV R4, s[A1+x]\n .rept 40\n NOP\n.endr\n"
        "GST.U32 global14[R1], R4\n NOP.EXIT\n";
    struct counts c = {0};
    sample_row(faults_job("tiny", 1, 64, text), 3, &c);
    CU_ASSERT_EQUAL(c.wrong, 0);
    CU_ASSERT(c.asked > 0 && c.answered == c.asked);
}

/* The flow counts the first word of the second block's shared memory right behind the local memory of the first block. */
static void the_first_word_of_shared_memory_goes_along_into_a_branch(void)
{
    static const char text[] =
        ".kernel k\n.param u32 OUT\n.regs 6\n.local 4\n"
        "I2I.U32.U16 R0, R0L\n I2I.U32.U16 R2, s[0xc].U16\n SHL R1, R2, 7\n SHL R3, R0, 2\n"
        "IADD R1, R1, R3\n IADD R1, s[OUT], R1\n MVI R3, 5\n LST.U32 local[0], R0\n"
        "R2G.U32.U32 s[0x0], R3\n"
        "MVI R4, 0x10\n ISET.S32.C0 o[0x7f], R3, R4, GT\n BRA C0.NE, far\n"
        "far: MOV R4, s[0x0]\n GST.U32 global14[R1], R4\n NOP.EXIT\n";
    struct counts c = {0};
    sample_row(faults_job("tiny", 2, 32, text), 6 + 3, &c);
    CU_ASSERT_EQUAL(c.wrong, 0);
    CU_ASSERT(c.asked > 0 && c.answered == c.asked);
}

static void a_later_block_finds_what_a_flip_has_left_in_its_registers(void)
{
    struct counts c = {0};
    sample_row(faults_job("tiny", 4, 32, LEFTOVERS), 3, &c);
    CU_ASSERT_EQUAL(c.wrong, 0);
    CU_ASSERT(c.asked > 0 && c.answered < c.asked);
}

static void answers_are_those_of_brute_force_in_benchmarks(void)
{
    static const char *const name[] = {"vecadd", "mxm64", "mxm", "sort", "fft", "edge"};
    for (size_t i = FIRST_BENCH; i < sizeof name / sizeof *name; i++) {
        struct fl_err err = {{0}};
        struct counts c = {0};
        struct job *job;
        char *path = fl_format("%s/bench/%s.job.xml", FAULTLINE_BUILD_DIR, name[i]);
        CU_ASSERT_EQUAL_FATAL(job_load(path, NULL, &job, &err), 0);
        free(path);
        sample(job, (SANITIZED ? 20 : 40) * deep(), 1, 1 + i, &c);
        show(name[i], &c);
        CU_ASSERT_EQUAL(c.wrong, 0);
        CU_ASSERT(c.answered > c.asked / 2);
    }
}

int main(void)
{
    return CHECK_RUN("lanes", CHECK(answers_are_those_of_brute_force_in_structured_programs),
                     CHECK(answers_are_those_of_brute_force_in_all_instructions),
                     CHECK(narrow_stores_leave_their_neighbours_alone),
                     CHECK(a_load_of_a_wrong_word_sees_the_store_that_is_before_it),
                     CHECK(reads_of_what_others_left_are_known),
                     CHECK(a_delay_is_followed_until_it_makes_no_difference),
                     CHECK(a_branch_is_followed_while_another_warp_differs),
                     CHECK(a_later_block_finds_what_a_flip_has_left_in_its_registers),
                     CHECK(the_first_word_of_shared_memory_goes_along_into_a_branch),
                     CHECK(answers_are_those_of_brute_force_in_benchmarks));
}
