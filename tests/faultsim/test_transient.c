/* test_transient.c -- transient faults: what the record of touches and the followed differences say is what brute force
 * finds.
 */
#include "tests/lib/campaigns.h"
#include "tests/lib/check.h"
#include "faultsim/result/metrics.h"
#include "faultsim/result/stats.h"
#include "tests/lib/upsets.h"

enum { CAMPAIGNS = SANITIZED ? 30 : 200, EFFORT = SANITIZED ? 1 : 3, FLIPS = SANITIZED ? 16 : 40 };

static struct upset bench_upset(const struct bench *l, const char *id)
{
    struct fl_err err = {{0}};
    struct upset u;
    if (upset_parse(l->img, id, NULL, NULL, &u, &err) != 0) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("bad id");
    }
    return u;
}

/* Pruned and by brute force; true when they agree. */
static bool agree(const struct bench *l, const struct upset *u, struct transient_result *out)
{
    struct transient_result brute;
    transient_simulate(l->w, l->t, u, out);
    transient_exhaustive(l->w, l->t, u, &brute);
    bool same = faults_same(&out->r, &brute.r) && out->why == brute.why && out->site == brute.site;
    if (!same) {
        struct fl_buf id = {0};
        upset_print(l->img, u, &id);
        faults_print("pruned", (char *)id.data, &out->r);
        faults_print("brute force", (char *)id.data, &brute.r);
        fl_buf_free(&id);
    }
    return same;
}

/* n random upsets in every structure; how many disagree. */
static int disagreements(struct job *job, int n, enum shape shape, uint64_t seed, int *failures)
{
    struct bench l = bench_open(job, true);
    int wrong = 0;
    for (int i = 0; l.w && i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(l.img, i, &s);
        for (int k = 0; sm_structure_bits(&s) && k < n && wrong < 5; k++) {
            struct upset u = upsets_draw(&l, i, shape, &seed);
            struct transient_result r;
            if (u.ncells > 1 && memcmp(&u.cell[0], &u.cell[1], sizeof u.cell[0]) == 0)
                continue;
            wrong += !agree(&l, &u, &r);
            *failures += r.r.outcome != OUT_MASKED;
        }
    }
    bench_close(&l);
    return wrong;
}

static int deep(void)
{
    const char *n = getenv("TRANSIENT_COUNT");
    return n ? atoi(n) : EFFORT;
}

static void pruned_flips_are_those_of_brute_force_in_structured_programs(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 4 * (uint64_t)deep(); i++)
        CU_ASSERT_EQUAL(disagreements(upsets_structured(100 + i), 40, ONE_FLIP, 1 + i, &failures),
                        0);
    CU_ASSERT(failures > 50);
}

static void pruned_flips_are_those_of_brute_force_in_all_instructions(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 6 * (uint64_t)deep(); i += SANITIZED ? 3 : 1)
        CU_ASSERT_EQUAL(disagreements(upsets_soup(200 + i), FLIPS, ONE_FLIP, 1 + i, &failures), 0);
    CU_ASSERT(failures > 50);
}

static void several_bits_at_once_are_those_of_brute_force(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 3 * (uint64_t)deep(); i += SANITIZED ? 2 : 1) {
        CU_ASSERT_EQUAL(
            disagreements(upsets_structured(300 + i), 15, THREE_FLIPS, 1 + i, &failures), 0);
        CU_ASSERT_EQUAL(disagreements(upsets_soup(300 + i), 15, THREE_FLIPS, 1 + i, &failures), 0);
    }
    CU_ASSERT(failures > 20);
}

static void intermittent_faults_are_those_of_brute_force(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 3 * (uint64_t)deep(); i += SANITIZED ? 2 : 1) {
        CU_ASSERT_EQUAL(disagreements(upsets_structured(400 + i), 15, WINDOW, 1 + i, &failures), 0);
        CU_ASSERT_EQUAL(disagreements(upsets_soup(400 + i), 15, WINDOW, 1 + i, &failures), 0);
    }
    CU_ASSERT(failures > 20);
}

static void cells_held_to_the_end_are_those_of_brute_force(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 2 * (uint64_t)deep(); i++) {
        CU_ASSERT_EQUAL(
            disagreements(upsets_structured(500 + i), 15, OPEN_WINDOW, 1 + i, &failures), 0);
        CU_ASSERT_EQUAL(disagreements(upsets_soup(500 + i), 15, OPEN_WINDOW, 1 + i, &failures), 0);
    }
    CU_ASSERT(failures > 50);
}

/* The first of two warps loads, then both store to the same words. A flip in an address makes the load slower (its
 * half-warp is no longer coalesced), though it loads zeros as before: then the second warp is not the last to store. */
static void a_delay_that_turns_round_two_stores_is_that_of_brute_force(void)
{
    static const char racy[] = ".kernel k\n.param u32 OUT\n.regs 6\n"
                               "I2I.U32.U16 R0, R0L\n SHL R1, R0, 2\n IADD R1, s[OUT], R1\n"
                               "MVI R2, 0x1f\n LOP.AND R2, R0, R2\n SHL R2, R2, 2\n"
                               "IADD32I R2, R2, 0x800\n IADD R2, s[OUT], R2\n"
                               "MVI R3, 0x20\n LOP.AND.C0 R3, R0, R3\n BRA C0.NE, second\n"
                               "GLD.U32 R4, global14[R1]\n BRA store\n"
                               "second:\n .rept %d\n NOP\n.endr\n"
                               "store: GST.U32 global14[R2], R0\n NOP.EXIT\n";
    int turned = 0;
    for (int nops = 20; nops < 26; nops++) {
        char text[2048];
        snprintf(text, sizeof text, racy, nops);
        struct bench l = bench_open(faults_job("tiny", 1, 64, text), false);
        struct upset u = {
            .kind = UPSET_FLIP,
            .ncells = 1,
            .cell[0] = {.structure = sm_structure_find(l.img, "rf"), .bit = 7},
        };
        for (int row = 0; row < l.img->regs_used / SM_LANES; row++)
            for (u.from = 0; u.from < l.g->cycles; u.from += 50) {
                struct transient_result r;
                u.to = u.from;
                u.cell[0].index[0] = row * SM_LANES + 3;
                CU_ASSERT(agree(&l, &u, &r));
                turned += r.r.outcome == OUT_SDC && strcmp(r.r.reason, "out+0x800") == 0;
            }
        bench_close(&l);
    }
    CU_ASSERT(turned > 5);
}

/* Blocks come and go: a start writes $r0 of its threads and the head of shared memory behind the flips of its cycle, and
 * behind the last instruction of the block that was there. */
static void flips_around_the_start_of_a_block_are_those_of_brute_force(void)
{
    static const char *const last[] = {"NOP.EXIT", "IADD.EXIT R2, s[OUT], R1"};
    static const char *const id[] = {"rf/p3/b3@0:flip", "rf/p131/b2@0:flip", "shared/p4/b7@0:flip",
                                     "shared/p3/b1@0:flip"};
    for (size_t k = 0; k < sizeof last / sizeof *last; k++) {
        char text[512];
        snprintf(text, sizeof text,
                 ".kernel k\n.param u32 OUT\n.regs 4\nSHL R1, R0, 2\n IADD R1, s[OUT], R1\n"
                 "GST.U32 global14[R1], R0\n %s\n",
                 last[k]);
        struct bench l = bench_open(faults_job("tiny", 5, 40, text), false);
        struct sm *m = sm_new(l.img);
        struct sm_commit r;
        long failures = 0, masked = 0;
        for (m->record = &r; !sm_ended(m); sm_tick(m)) {
            if (r.started < 0 || r.cycle < 40)
                continue;
            for (size_t i = 0; i < sizeof id / sizeof *id; i++) {
                struct upset u = bench_upset(&l, id[i]);
                for (u.from = r.cycle - 30; u.from < r.cycle + 4; u.from++) {
                    struct transient_result result;
                    u.to = u.from;
                    CU_ASSERT(agree(&l, &u, &result));
                    failures += result.r.outcome != OUT_MASKED;
                    masked += result.r.outcome == OUT_MASKED;
                }
            }
        }
        CU_ASSERT(failures > 20 && masked > 20);
        sm_free(m);
        bench_close(&l);
    }
}

/* A program with a RET behind each exit, on a tiny machine with the stack rules of flexgripplus-rtl. */
static struct job *with_other_rules(uint64_t seed)
{
    struct rp_program *p = fl_alloc(sizeof *p);
    struct rp_shape shape = {.seed = seed, .threads = 40, .depth = 2, .functions = 1};
    rp_make(p, &shape);
    char *text = machine_with_ret(p->text);
    struct job *job = faults_job("tiny", 1, 40, text);
    struct profile *q = &job->profile;
    q->code_bits = 18;
    q->drops_at = 3;
    q->empty_restores = q->ret_pops = 1;
    q->join_pops = 15;
    q->join_jumps = 14;
    q->last_jumps = q->exit_ends = 0;
    free(text);
    rp_free(p);
    free(p);
    return job;
}

static void faults_under_other_stack_rules_are_those_of_brute_force(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 6 * (uint64_t)deep(); i += SANITIZED ? 3 : 1) {
        CU_ASSERT_EQUAL(disagreements(with_other_rules(700 + i), 30, ONE_FLIP, i, &failures), 0);
        CU_ASSERT_EQUAL(disagreements(with_other_rules(700 + i), 10, OPEN_WINDOW, i, &failures), 0);
    }
    CU_ASSERT(failures > 50);
}

/* A cell that is held to the end is let go before the next fault. */
static void a_fault_leaves_nothing_to_the_next_one(void)
{
    uint64_t seed = 1;
    long faults = 0;
    for (uint64_t i = 0; i < 4; i++) {
        struct bench l = bench_open(upsets_structured(600 + i), true);
        int rf = sm_structure_find(l.img, "rf"), pc = sm_structure_find(l.img, "pc");
        for (int k = 0; l.w && k < 200; k++, faults++) {
            struct upset held = upsets_draw(&l, pc, OPEN_WINDOW, &seed);
            struct upset flip = upsets_draw(&l, rf, ONE_FLIP, &seed);
            struct transient_result r;
            transient_simulate(l.w, l.t, &held, &r);
            CU_ASSERT(agree(&l, &flip, &r));
        }
        bench_close(&l);
    }
    CU_ASSERT(faults >= 400);
}

static void an_id_reads_back_as_it_was_printed(void)
{
    static const char *const id[] = {
        "rf/p517/b12@34:flip",      "rf/p1/b1@7:flip+shared/p3/b9@7:flip", "pc/w1/b5@10-20:sa1",
        "dstack/w0/le2/tm7@3:flip", "dstack/w0/le2/spc9@0-:sa0",           "cc/w0/c1/z3@12-:sa1",
        "sched/b4@0-0:sa0"};
    struct bench l = bench_open(upsets_structured(1), false);
    for (size_t i = 0; i < sizeof id / sizeof *id; i++) {
        struct upset u = bench_upset(&l, id[i]);
        struct fl_buf out = {0};
        upset_print(l.img, &u, &out);
        CU_ASSERT_STRING_EQUAL((char *)out.data, id[i]);
        fl_buf_free(&out);
    }
    bench_close(&l);
}

/* ---- pipeline registers ------------------------------------------------------------------------------------------- */

static const char each_once[] =
    ".kernel k\n.param u32 OUT\n.regs 4\n.const seven, u32, 7\n.shared tile, 128\n"
    "MVI R3, 0x7\n LOP.AND.C0 R2, R0, R3\n SHL R1, R0, 2\n R2A A1, R1\n"
    "R2G.U32.U32 s[A1 + tile], R0\n MOV R2 (C0.NE), s[A1 + tile]\n IADD32I R2, R2, 0x12\n"
    "RCP R3, R3\n FADD R2, R2, R3\n MVC R3, c[0x1][0x0]\n BAR.ARV.WAIT b0, 0xfff\n"
    "IADD R1, s[OUT], R1\n GST.U32 global14[R1], R2\n GLD.U32 R2, global14[R1]\n"
    "NOP.EXIT\n";

/* Runs to the end, or for a while; how often the instruction at `pc` was committed. */
static int run_and_count(struct sm *m, uint32_t pc)
{
    struct sm_commit r;
    int n = 0;
    m->record = &r;
    while (!sm_ended(m) && sm_cycles(m) < 20000) {
        sm_tick(m);
        n += r.kind == COMMIT_INSTRUCTION && r.pc == pc;
    }
    m->record = NULL;
    return n;
}

/* One warp, each instruction once: then a flip in Decode is the program with that bit flipped. */
static void a_flip_in_decode_is_the_program_with_that_bit_flipped(void)
{
    struct fl_err err;
    struct job *job = faults_job("tiny", 1, 20, each_once);
    struct sm_image *img = sm_image_new(job, &err);
    uint8_t *bytes = job->cubin->kernel[0].code[0].bytes;
    struct sm_cell cell = {.structure = sm_structure_find(img, "ir")};
    struct sm *start = sm_new(img), *m = sm_new(img);
    int tried = 0, changed = 0;
    while (!sm_ended(start)) {
        int w = start->s.stage[STAGE_D];
        uint32_t pc = w == NO_WARP ? UINT32_MAX : start->s.warp[w].fetched;
        for (int bit = 0; w != NO_WARP && bit < 64; bit++) {
            bytes[pc + (uint32_t)bit / 8] ^= (uint8_t)(1 << bit % 8);
            struct sm_image *other = sm_image_new(job, &err);
            struct sm *program = sm_new(other);
            bool once = run_and_count(program, pc) <= 1;
            sm_copy(m, start);
            cell.field = bit / 32;
            cell.bit = bit % 32;
            sm_cell_flip(m, &cell);
            CU_ASSERT(sm_cell_read(m, &cell) != sm_cell_read(start, &cell));
            run_and_count(m, pc);
            tried += once;
            changed += once && m->s.trap;
            CU_ASSERT(!once || (sm_same(m, program) && m->s.trap == program->s.trap));
            sm_free(program);
            sm_image_free(other);
            bytes[pc + (uint32_t)bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        start->stop = 0; /* slot by slot */
        sm_tick(start);
    }
    CU_ASSERT(tried > 800 && changed > 100);
    sm_free(m);
    sm_free(start);
    sm_image_free(img);
    job_free(job);
}

/* A machine alone in its pipeline passes several slots at once; what is held there counts all the same. */
static void what_is_held_in_the_pipeline_counts_in_every_slot(void)
{
    static const char *const id[] = {"ir/lo9@0-400:sa1", "ir/lo28@60-300:sa0", "ir/hi3@0-500:sa1",
                                     "exec/w0/t3@0-900:sa0", "exec/w0/t25@0-900:sa1"};
    for (size_t i = 0; i < sizeof id / sizeof *id; i++) {
        struct bench b = bench_open(faults_job("tiny", 1, 20, each_once), false);
        struct upset u = bench_upset(&b, id[i]);
        struct sm *run = sm_new(b.img), *slots = sm_new(b.img), *good = sm_new(b.img);
        upset_bring(run, &u);
        sm_run(run, 20000);
        while (slots->s.next <= u.from)
            sm_tick(slots);
        for (struct sm_force f = sm_cell_force(b.img, &u.cell[0], u.kind == UPSET_SA1);
             slots->s.next <= u.to && !sm_ended(slots); slots->stop = 0) {
            if (!slots->nforces)
                sm_add_force(slots, &f);
            sm_tick(slots);
        }
        slots->nforces = 0;
        run_and_count(slots, 0);
        sm_run(good, 20000);
        CU_ASSERT(sm_same(run, slots));
        if (sm_same(run, good))
            printf("\n    %s", id[i]);
        CU_ASSERT(!sm_same(run, good));
        sm_free(run);
        sm_free(slots);
        sm_free(good);
        bench_close(&b);
    }
}

/* ---- campaigns --------------------------------------------------------------------------------------------------- */

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
                a->owned_counted == b->owned_counted && a->owned_failed == b->owned_failed;
    if (!same)
        for (int o = 0; o < OUT_COUNT; o++)
            printf("\n    %s %s: exact %llu, every flip %llu", target,
                   fsim_outcome_name((enum fsim_outcome)o), (unsigned long long)a->outcome[o],
                   (unsigned long long)b->outcome[o]);
    CU_ASSERT(same);
}

/* All targets, by groups and flip by flip. */
static void try_everything(const char *text)
{
    struct job *job = campaigns_small(text);
    struct avf_options opt = campaigns_options();
    opt.methods[METHOD_EXACT] = true;
    struct store *exact = campaigns_run(job, opt);
    opt.exhaustive = true;
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
        struct avf_window all = {.launch = -1, .to = UINT64_MAX};
        struct lab l;
        struct fl_err err;
        CU_ASSERT_EQUAL_FATAL(lab_open(&l, job, &all, 1000000, &err), 0);
        int inside = 0;
        for (opt.seed = 0; opt.seed < CAMPAIGNS; opt.seed++) {
            uint64_t failed = 0, n = 100;
            for (uint64_t k = 0; k < n; k++) {
                struct upset u;
                struct transient_result r;
                CU_ASSERT_FATAL(sample_draw(&l, sm_structure_find(l.img, target[i]), &opt, k, &u));
                transient_simulate(b.w, b.t, &u, &r);
                failed += r.why == REASON_FAILS;
            }
            struct stats_interval w = stats_wilson(failed, n, 0.95);
            inside += w.lo <= avf_of(&exact) && avf_of(&exact) <= w.hi;
        }
        if (inside < CAMPAIGNS * 9 / 10 || inside > CAMPAIGNS * 99 / 100)
            printf("\n    %s: %d of %d", target[i], inside, CAMPAIGNS);
        CU_ASSERT(inside >= CAMPAIGNS * 9 / 10);
        CU_ASSERT(inside <= CAMPAIGNS * 99 / 100 || CAMPAIGNS < 200);
        lab_close(&l);
        bench_close(&b);
    }
    job_free(job);
}

/* With active_only: every cycle in which a block owns what is drawn. */
static void a_sample_draws_every_bit_and_every_cycle_and_no_other(void)
{
    static const struct avf_window window[] = {{-1, 0, UINT64_MAX}, {-1, 31, 33}};
    struct job *job = campaigns_small(straight);
    for (int i = 0; i < 4; i++) {
        struct avf_options opt = campaigns_options();
        struct lab l;
        struct fl_err err;
        opt.active_only = i >= 2;
        CU_ASSERT_EQUAL_FATAL(lab_open(&l, job, &window[i % 2], 1000000, &err), 0);
        CU_ASSERT_EQUAL(l.to, i % 2 ? 34 : l.g->cycles);
        struct sm_cell cell = {.structure = sm_structure_find(l.img, i < 2 ? "sched" : "pc")};
        struct sm_structure s;
        sm_structure_get(l.img, cell.structure, &s);
        uint64_t cycles = l.to - l.from, bits = 0;
        long *seen = fl_alloc(l.g->cycles * sizeof *seen), wrong = 0;
        for (uint64_t k = 0; k < 30 * cycles + 1000; k++) {
            struct upset u;
            CU_ASSERT_FATAL(sample_draw(&l, cell.structure, &opt, k, &u));
            CU_ASSERT_FATAL(u.from >= l.from && u.from < l.to && u.to == u.from);
            seen[u.from]++;
            bits |= (uint64_t)1 << u.cell[0].bit;
        }
        for (uint64_t c = l.from; c < l.to; c++)
            wrong += !seen[c] == (!opt.active_only || touch_owned(l.t, &cell, c, c));
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT_EQUAL(bits, ((uint64_t)1 << s.field[0].bits) - 1);
        free(seen);
        lab_close(&l);
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
        opt.threads = i ? 3 : 1;
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

int main(int argc, char **argv)
{
    /* "all": every flip of the three kernels, which takes minutes */
    if (argc > 1 && strcmp(argv[1], "all") == 0)
        return CHECK_RUN("transient", CHECK(exact_is_every_flip_in_straight_code),
                         CHECK(exact_is_every_flip_in_code_that_splits),
                         CHECK(exact_is_every_flip_in_memory));
    return CHECK_RUN("transient", CHECK(an_id_reads_back_as_it_was_printed),
                     CHECK(pruned_flips_are_those_of_brute_force_in_structured_programs),
                     CHECK(pruned_flips_are_those_of_brute_force_in_all_instructions),
                     CHECK(several_bits_at_once_are_those_of_brute_force),
                     CHECK(intermittent_faults_are_those_of_brute_force),
                     CHECK(cells_held_to_the_end_are_those_of_brute_force),
                     CHECK(a_delay_that_turns_round_two_stores_is_that_of_brute_force),
                     CHECK(flips_around_the_start_of_a_block_are_those_of_brute_force),
                     CHECK(faults_under_other_stack_rules_are_those_of_brute_force),
                     CHECK(a_fault_leaves_nothing_to_the_next_one),
                     CHECK(a_flip_in_decode_is_the_program_with_that_bit_flipped),
                     CHECK(what_is_held_in_the_pipeline_counts_in_every_slot),
                     CHECK(samples_hold_the_exact_avf_as_often_as_they_say),
                     CHECK(a_sample_draws_every_bit_and_every_cycle_and_no_other),
                     CHECK(a_sample_is_the_same_on_any_number_of_threads),
                     CHECK(two_windows_of_cycles_add_up_to_the_whole),
                     CHECK(blocks_own_no_more_than_there_is),
                     CHECK(what_belongs_to_no_block_belongs_to_the_machine_at_all_times),
                     CHECK(ace_is_no_less_than_what_fails));
}
