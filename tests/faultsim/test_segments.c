/* test_segments.c -- flips of registers that are followed through segments of the data flow end as brute force says.
 *
 *     test_segments        some flips of random programs, in segments of a few events each
 *     test_segments all    many
 */
#include "tests/lib/check.h"
#include "tests/lib/flips.h"
#include "tests/lib/machine.h"
#include "faultsim/machine/engine.h"
#include "faultsim/verdict/ladder.h"
#include "faultsim/follow/segments.h"

static int effort = SANITIZED ? 1 : 2;

struct counts {
    int read, known, failed, segments;
};

/* n random flips of registers, of whose data flow so many bytes are kept at a time. */
static void compare(struct job *job, size_t bytes, uint64_t seed, struct counts *c)
{
    enum { FLIPS = 60 };
    struct bench b = bench_open(job, true);
    struct fsim_fault u[FLIPS][FLIPS_CELLS];
    int n = 0;
    if (b.w && b.img->sms == 1 && b.g->flow) {
        struct reference *ref = reference_of(b.g);
        struct segments *s = segments_new();
        for (int tries = 0; tries < 50 * FLIPS && n < FLIPS; tries++) {
            struct follow_passage p;
            flips_draw(&b, SM_S_rf, ONE_FLIP, &seed, u[n]);
            if (!transient_passage(b.t, u[n], &p))
                continue;
            segments_add(s, &p);
            n++;
        }
        CU_ASSERT(segments_follow(s, ref, bytes, 1 + (int)(seed & 1), NULL));
        ref->followed = s;
        struct fsim_worker *w = fsim_worker_on(ref);
        for (int i = 0; i < n; i++) {
            struct transient_result x, y;
            struct follow_passage p;
            struct fsim_result r;
            transient_passage(b.t, u[i], &p);
            transient_simulate(w, b.t, u[i], &x);
            transient_exhaustive(w, b.t, u[i], &y);
            bool same = faults_same(&x.r, &y.r);
            if (!same) {
                faults_print("segments", "", &x.r);
                faults_print("brute force", "", &y.r);
            }
            CU_ASSERT(same);
            c->read++;
            c->known += segments_know(s, p.row, p.lane, p.bit, p.event, &r);
            c->failed += y.r.outcome != OUT_MASKED;
        }
        c->segments += (int)segments_count(s);
        fsim_worker_free(w);
        segments_free(s);
        reference_free(ref);
    }
    bench_close(&b);
}

/* In how few bytes; the smallest is a segment for nearly every event. */
static void try_all(struct job *(*make)(uint64_t seed), int jobs, struct counts *c)
{
    static const size_t bytes[] = {2000, 300, 10000, 60000};
    for (uint64_t i = 0; i < (uint64_t)(jobs * effort); i++)
        compare(make(700 + i), bytes[i % 4], 1 + i, c);
}

static void flips_are_those_of_brute_force_in_structured_programs(void)
{
    struct counts c = {0};
    try_all(flips_structured, 4, &c);
    CU_ASSERT(c.read > 100 && c.failed > 20 && c.segments > 50);
    CU_ASSERT(2 * c.known > c.read);
}

static void flips_are_those_of_brute_force_in_all_instructions(void)
{
    struct counts c = {0};
    try_all(flips_mix, 6, &c);
    CU_ASSERT(c.read > 100 && c.failed > 20 && c.segments > 50 && c.known > c.read / 4);
}

static void flips_are_those_of_brute_force_where_addresses_and_memories_decide(void)
{
    struct counts c = {0};
    try_all(flips_memories, 4, &c);
    CU_ASSERT(c.read > 100 && c.failed > 20 && c.segments > 50 && c.known > c.read / 4);
}

static void flips_are_those_of_brute_force_where_the_host_has_steps_between_launches(void)
{
    struct counts c = {0};
    try_all(flips_hosted, 4, &c);
    CU_ASSERT(c.read > 50 && c.failed > 10 && c.segments > 20);
}

/* Twenty blocks of which few are resident; each warp adds up words of shared memory at addresses of its own. */
static struct job *many_blocks(uint64_t seed)
{
    struct job *job = faults_job("tiny", 20, 40,
                                 ".kernel k\n.param u32 OUT\n.regs 6\n.shared tile, 128\n"
                                 "SHL R1, R0, 2\n IADD R1, s[OUT], R1\n"
                                 "LOP32I.AND R2, R0, 0xf\n SHL R2, R2, 3\n R2A A1, R2\n"
                                 "R2G.U32.U32 s[A1 + tile], R0\n"
                                 "MVI R2, 0\n MVI R3, 6\n"
                                 "again: MOV R4, s[A1 + tile]\n IADD R2, R2, R4\n"
                                 "LOP32I.AND R5, R4, 0x3c\n R2A A2, R5\n MOV R4, s[A2 + tile]\n"
                                 "R2G.U32.U32 s[A1 + tile], R4\n"
                                 "IADD32I R3, R3, -1\n ISET.C0 o[0x7f], R3, R124, NE\n"
                                 "BRA C0.NE, again\n"
                                 "GST.U32 global14[R1], R2\n"
                                 "NOP.EXIT\n");
    job->profile.shared_banks = seed % 2 ? 4 : 16;
    return job;
}

static void flips_are_those_of_brute_force_where_blocks_follow_each_other(void)
{
    struct counts c = {0};
    try_all(many_blocks, 4, &c);
    CU_ASSERT(c.read > 100 && c.failed > 20 && c.segments > 50);
    CU_ASSERT(4 * c.known > c.read);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "all") == 0)
        effort = 100;
    return CHECK_RUN(
        "segments", CHECK(flips_are_those_of_brute_force_in_structured_programs),
        CHECK(flips_are_those_of_brute_force_in_all_instructions),
        CHECK(flips_are_those_of_brute_force_where_addresses_and_memories_decide),
        CHECK(flips_are_those_of_brute_force_where_the_host_has_steps_between_launches),
        CHECK(flips_are_those_of_brute_force_where_blocks_follow_each_other));
}
