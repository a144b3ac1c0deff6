/* test_transient_campaign.c -- transient campaigns of kernels that are small enough to try everything. */
#include "tests/lib/campaigns.h"
#include "tests/lib/check.h"
#include "faultsim/result/metrics.h"
#include "base/stats.h"
#include "tests/lib/flips.h"

enum { CAMPAIGNS = SANITIZED ? 30 : 200 };

/* Control flow, data and memory: three kernels that touch every structure of the machine between them. */
static const char straight[] = ".kernel k\n.param u32 OUT\n.regs 4\n"
                               "SHL R1, R0, 2\n"
                               "IADD R1, s[OUT], R1\n"
                               "MVI R3, 0x7\n LOP.AND.C0 R2, R0, R3\n"
                               "MOV R2 (C0.EQ), R1\n"
                               "GST.U32 global14[R1], R2\n"
                               "NOP.EXIT\n";

static const char split[] = ".kernel k\n.param u32 OUT\n.regs 4\n"
                            "MVI R3, 0x5\n LOP.AND.C0 R2, R0, R3\n"
                            "SSY end\n BRA C0.EQ, a\n MVI R2, 1\n BRA end\n"
                            "a: CAL f\n end: NOP.S\n"
                            "SHL R1, R0, 2\n IADD R1, s[OUT], R1\n GST.U32 global14[R1], R2\n"
                            "NOP.EXIT\n"
                            "f: PBK out\n BRK\n out: RET\n";

static const char memory[] =
    ".kernel k\n.param u32 OUT\n.regs 4\n.const seven, u32, 7\n.shared tile, 64\n.local 8\n"
    "LOP32I.AND R1, R0, 0x7\n SHL R1, R1, 2\n R2A A1, R1\n"
    "R2G.U32.U32 s[A1 + tile], R0\n"
    "BAR.ARV.WAIT b0, 0xfff\n"
    "MVC R2, c[0x1][0x0]\n"
    "LST.U32 local[0x4], R2\n LLD.U32 R3, local[0x4]\n"
    "MOV R2, s[A1 + tile]\n IADD R2, R2, R3\n"
    "SHL R1, R0, 2\n IADD R1, s[OUT], R1\n GST.U32 global14[R1], R2\n"
    "NOP.EXIT\n";

static void same_tally(const struct tally *a, const struct tally *b, const char *target)
{
    bool same = a->population == b->population && a->counted == b->counted &&
                memcmp(a->outcome, b->outcome, sizeof a->outcome) == 0 &&
                memcmp(a->reason, b->reason, sizeof a->reason) == 0 &&
                memcmp(a->extent, b->extent, sizeof a->extent) == 0 &&
                a->owned_counted == b->owned_counted && a->owned_failed == b->owned_failed;
    if (!same)
        for (int o = 0; o < OUT_COUNT; o++)
            printf("\n    %s %s: exact %llu, every flip %llu", target,
                   fsim_outcome_name((enum fsim_outcome)o), (unsigned long long)a->outcome[o],
                   (unsigned long long)b->outcome[o]);
    CU_ASSERT(same);
}

/* All targets, by groups and flip by flip; takes the job over. */
static void try_job(struct job *job)
{
    struct avf_options opt = campaigns_options();
    opt.methods[METHOD_EXACT] = true;
    struct store *exact = campaigns_run(job, opt);
    opt.run.exhaustive = true;
    struct store *brute = campaigns_run(job, opt);
    const struct result *a = store_result(exact), *b = store_result(brute);
    CU_ASSERT_EQUAL_FATAL(a->nparts, b->nparts);
    for (int p = 0; p < a->nparts; p++) {
        CU_ASSERT_EQUAL(a->part[p].tally[0].counted, a->part[p].tally[0].population);
        same_tally(&a->part[p].tally[0], &b->part[p].tally[0], a->part[p].target);
    }
    campaigns_close(exact);
    campaigns_close(brute);
    job_free(job);
}

static void try_everything(const char *text)
{
    try_job(campaigns_small(text));
}

/* Three blocks on two SMs. */
static void try_chip(const char *text, enum profile_ports ports, enum profile_blocks blocks)
{
    struct job *job = campaigns_small(text);
    job->profile.sms = 2;
    job->profile.ports = (int)ports;
    job->profile.blocks = (int)blocks;
    job->launch[0].grid[0] = 3;
    try_job(job);
}

static double avf_of(const struct tally *t)
{
    return (double)tally_failed(t) / (double)t->counted;
}

static void samples_hold_the_exact_avf_as_often_as_they_say(void)
{
    static const char *const target[] = {"pc", "mask", "exec"};
    struct job *job = campaigns_small(split);
    for (size_t i = 0; i < sizeof target / sizeof *target; i++) {
        struct avf_options opt = campaigns_options();
        opt.methods[METHOD_EXACT] = true;
        struct tally exact = campaigns_of_target(job, target[i], opt);
        CU_ASSERT(avf_of(&exact) > 0.05 && avf_of(&exact) < 0.95);
        struct bench b = bench_open(campaigns_small(split), false);
        struct job_context l;
        struct fl_err err;
        CU_ASSERT_EQUAL_FATAL(context_open(&l, job, &context_all_cycles, 1000000, &err), 0);
        int inside = 0;
        for (opt.seed = 0; opt.seed < CAMPAIGNS; opt.seed++) {
            uint64_t failed = 0, n = 100;
            for (uint64_t k = 0; k < n; k++) {
                struct fsim_fault u[FSIM_CELLS];
                struct transient_result r;
                CU_ASSERT_FATAL(sample_draw(&l, sm_structure_find(l.img, target[i]), &opt, k, u));
                transient_simulate(b.w, b.t, u, &r);
                failed += r.why == REASON_FAILS;
            }
            struct stats_interval w = stats_wilson(failed, n, 0.95);
            inside += w.lo <= avf_of(&exact) && avf_of(&exact) <= w.hi;
        }
        if (inside < CAMPAIGNS * 9 / 10 || inside > CAMPAIGNS * 99 / 100)
            printf("\n    %s: %d of %d", target[i], inside, CAMPAIGNS);
        CU_ASSERT(inside >= CAMPAIGNS * 9 / 10);
        CU_ASSERT(inside <= CAMPAIGNS * 99 / 100 || CAMPAIGNS < 200);
        context_close(&l);
        bench_close(&b);
    }
    job_free(job);
}

/* With active_only: every cycle in which a block owns what is drawn. */
static void a_sample_draws_every_bit_and_every_cycle_and_no_other(void)
{
    static const struct context_window window[] = {{.launch = -1, .to = UINT64_MAX},
                                                   {.launch = -1, .from = 31, .to = 33}};
    struct job *job = campaigns_small(straight);
    for (int i = 0; i < 4; i++) {
        struct avf_options opt = campaigns_options();
        struct job_context l;
        struct fl_err err;
        opt.active_only = i >= 2;
        CU_ASSERT_EQUAL_FATAL(context_open(&l, job, &window[i % 2], 1000000, &err), 0);
        CU_ASSERT_EQUAL(l.to, i % 2 ? 34 : l.g->cycles);
        struct sm_cell cell = {.structure = sm_structure_find(l.img, i < 2 ? "sched" : "pc")};
        struct sm_structure s;
        sm_structure_get(l.img, cell.structure, &s);
        uint64_t cycles = l.to - l.from, bits = 0;
        long *seen = fl_alloc(l.g->cycles * sizeof *seen), wrong = 0;
        for (uint64_t k = 0; k < 30 * cycles + 1000; k++) {
            struct fsim_fault u[FSIM_CELLS];
            CU_ASSERT_FATAL(sample_draw(&l, cell.structure, &opt, k, u));
            CU_ASSERT_FATAL(u->from >= l.from && u->from < l.to && u->to == u->from);
            seen[u->from]++;
            bits |= (uint64_t)1 << u->cell.bit;
        }
        for (uint64_t c = l.from; c < l.to; c++)
            wrong += !seen[c] == (!opt.active_only || residence_owned(l.g->residence, &cell, c, c));
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT_EQUAL(bits, ((uint64_t)1 << s.field[0].bits) - 1);
        free(seen);
        context_close(&l);
    }
    job_free(job);
}

static void a_sample_is_the_same_on_any_number_of_threads(void)
{
    struct job *job = campaigns_small(split);
    struct tally t[2];
    for (int i = 0; i < 2; i++) {
        struct avf_options opt = campaigns_options();
        opt.methods[METHOD_SAMPLE] = true;
        opt.count = 300;
        opt.run.threads = i ? 3 : 1;
        t[i] = campaigns_of_target(job, "pc", opt);
        CU_ASSERT_EQUAL(t[i].counted, 300);
        CU_ASSERT_EQUAL(t[i].not_run + t[i].runs, 300);
    }
    CU_ASSERT_EQUAL(memcmp(&t[0], &t[1], sizeof t[0]), 0);
    job_free(job);
}

static void two_windows_of_cycles_add_up_to_the_whole(void)
{
    struct job *job = campaigns_small(straight);
    struct avf_options opt = campaigns_options();
    opt.methods[METHOD_EXACT] = true;
    struct tally whole = campaigns_of_target(job, "cc", opt), part[2];
    for (int i = 0; i < 2; i++) {
        opt.window.from = i ? 77 : 0;
        opt.window.to = i ? UINT64_MAX : 76;
        part[i] = campaigns_of_target(job, "cc", opt);
    }
    CU_ASSERT(tally_failed(&whole) > 0);
    CU_ASSERT_EQUAL(whole.population, part[0].population + part[1].population);
    for (int o = 0; o < OUT_COUNT; o++)
        CU_ASSERT_EQUAL(whole.outcome[o], part[0].outcome[o] + part[1].outcome[o]);
    job_free(job);
}

static void blocks_own_no_more_than_there_is(void)
{
    struct job *job = faults_job("tiny", 5, 40, straight);
    struct avf_options opt = campaigns_options();
    opt.methods[METHOD_ACE] = true;
    static const char *const target[] = {"rf", "shared", "pc", "barrier"};
    for (size_t i = 0; i < sizeof target / sizeof *target; i++) {
        struct tally t = campaigns_of_target(job, target[i], opt);
        CU_ASSERT(t.owned > 0 && t.owned <= t.population);
        CU_ASSERT(t.ace <= t.owned);
    }
    job_free(job);
}

static void what_belongs_to_no_block_belongs_to_the_machine_at_all_times(void)
{
    struct job *job = faults_job("tiny", 5, 40, straight);
    struct avf_options opt = campaigns_options();
    opt.methods[METHOD_ACE] = true;
    static const char *const target[] = {"ir", "sched"};
    for (size_t i = 0; i < sizeof target / sizeof *target; i++) {
        struct tally t = campaigns_of_target(job, target[i], opt);
        CU_ASSERT_EQUAL(t.owned, t.population);
        CU_ASSERT(t.ace > 0 && t.ace <= t.owned);
    }
    job_free(job);
}

static void ace_is_no_less_than_what_fails(void)
{
    static const char *const text[] = {straight, split, memory};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        struct job *job = campaigns_small(text[i]);
        struct avf_options opt = campaigns_options();
        opt.target[0] = "rf";
        opt.methods[METHOD_EXACT] = opt.methods[METHOD_ACE] = true;
        struct store *s = campaigns_run(job, opt);
        const struct result *r = store_result(s);
        CU_ASSERT_EQUAL(r->nparts, 2);
        CU_ASSERT(r->part[1].tally[0].ace >= tally_failed(&r->part[0].tally[0]));
        CU_ASSERT(r->part[1].tally[0].ace <= r->part[1].tally[0].owned);
        campaigns_close(s);
        job_free(job);
    }
}

static void exact_is_every_flip_in_straight_code(void)
{
    try_everything(straight);
}

static void exact_is_every_flip_in_code_that_splits(void)
{
    try_everything(split);
}

static void exact_is_every_flip_in_memory(void)
{
    try_everything(memory);
}

static void exact_is_every_flip_of_a_chip_whose_sms_share_a_port(void)
{
    try_chip(split, PORTS_CHIP, BLOCKS_DYNAMIC);
}

static void exact_is_every_flip_of_a_chip_whose_sms_are_apart(void)
{
    try_chip(straight, PORTS_SM, BLOCKS_FIXED);
}

int main(int argc, char **argv)
{
    /* "all": every flip of the kernels, which takes minutes */
    if (argc > 1 && strcmp(argv[1], "all") == 0)
        return CHECK_RUN("transient_campaign", CHECK(exact_is_every_flip_in_straight_code),
                         CHECK(exact_is_every_flip_in_code_that_splits),
                         CHECK(exact_is_every_flip_in_memory),
                         CHECK(exact_is_every_flip_of_a_chip_whose_sms_share_a_port),
                         CHECK(exact_is_every_flip_of_a_chip_whose_sms_are_apart));
    return CHECK_RUN("transient_campaign", CHECK(samples_hold_the_exact_avf_as_often_as_they_say),
                     CHECK(a_sample_draws_every_bit_and_every_cycle_and_no_other),
                     CHECK(a_sample_is_the_same_on_any_number_of_threads),
                     CHECK(two_windows_of_cycles_add_up_to_the_whole),
                     CHECK(blocks_own_no_more_than_there_is),
                     CHECK(what_belongs_to_no_block_belongs_to_the_machine_at_all_times),
                     CHECK(ace_is_no_less_than_what_fails));
}
