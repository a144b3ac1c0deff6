/* test_transient.c -- transient faults: what the record of accesses and the followed differences say is what brute force
 * finds.
 */
#include "tests/lib/campaigns.h"
#include "tests/lib/check.h"
#include "faultsim/result/metrics.h"
#include "base/stats.h"
#include "tests/lib/flips.h"

enum { EFFORT = SANITIZED ? 1 : 3, FLIPS = SANITIZED ? 16 : 40 };

static void bench_flip(const struct bench *l, const char *id, struct fsim_fault u[FSIM_CELLS])
{
    struct fl_err err;
    if (fsim_parse(l->img, id, NULL, NULL, u, &err) != 0) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("bad id");
    }
}

/* Pruned and by brute force; true when they agree. */
static bool agree(const struct bench *l, const struct fsim_fault *u, struct transient_result *out)
{
    struct transient_result brute;
    transient_simulate(l->w, l->t, u, out);
    transient_exhaustive(l->w, l->t, u, &brute);
    bool same = faults_same(&out->r, &brute.r) && out->why == brute.why && out->site == brute.site;
    if (!same) {
        struct fl_buf id = {0};
        fsim_print(l->img, u, &id);
        faults_print("pruned", (char *)id.data, &out->r);
        faults_print("brute force", (char *)id.data, &brute.r);
        fl_buf_free(&id);
    }
    return same;
}

/* n random flips in every structure; how many disagree. */
static int disagreements(struct job *job, int n, enum shape shape, uint64_t seed, int *failures)
{
    struct bench l = bench_open(job, true);
    int wrong = 0;
    for (int i = 0; l.w && i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(l.img, i, &s);
        for (int k = 0; sm_structure_bits(&s) && k < n && wrong < 5; k++) {
            struct fsim_fault u[FLIPS_CELLS];
            flips_draw(&l, i, shape, &seed, u);
            struct transient_result r;
            if (u->cells > 1 && memcmp(&u->cell, &u[1].cell, sizeof u->cell) == 0)
                continue;
            wrong += !agree(&l, u, &r);
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
        CU_ASSERT_EQUAL(disagreements(flips_structured(100 + i), 40, ONE_FLIP, 1 + i, &failures),
                        0);
    CU_ASSERT(failures > 50);
}

static void pruned_flips_are_those_of_brute_force_in_all_instructions(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 6 * (uint64_t)deep(); i += SANITIZED ? 3 : 1)
        CU_ASSERT_EQUAL(disagreements(flips_mix(200 + i), FLIPS, ONE_FLIP, 1 + i, &failures), 0);
    CU_ASSERT(failures > 50);
}

/* A kernel writes the texels that the next one filters; a second texture is asked under a predicate. */
static struct job *textured(void)
{
    static const char text[] =
        ".texture made, f32\n.texture given, unorm8x2\n"
        ".kernel a\n.param ptr OUT\n"
        "I2I.U32.U16 R0, R0L\n I2F.F32.U32 R1, R0\n SHL R2, R0, 2\n IADD R2, s[OUT], R2\n"
        "GST.U32 global14[R2], R1\n NOP.EXIT\n"
        ".kernel b\n.param ptr OUT\n.const TWENTY, u32, 20\n"
        "I2I.U32.U16 R0, R0L\n I2F.F32.U32 R2, R0\n FMUL32I R1, R2, 0.37f\n"
        "FMUL32I R2, R2, 0.11f\n TEX.LIVE R1, t0, s0, n1, m1, x0, y0, z0\n"
        "MVI R3, 3\n MVI R4, 1.0f\n ISET.C0 o[0x7f], R0, c1[TWENTY], LT\n"
        "TLD R3 (C0.NE), t1, s1, n0, m3, x0, y0, z0\n FADD R1, R1, R4\n"
        "SHL R5, R0, 2\n IADD R5, s[OUT], R5\n IADD32I R5, R5, 0x800\n"
        "GST.U32 global14[R5], R1\n NOP.EXIT\n";
    static const struct texture made = {
        .width = 8, .height = 4, .pitch = 32, .format = TEXTURE_F32, .channels = 1, .linear = true};
    static const struct texture given = {
        .width = 16, .height = 1, .format = TEXTURE_UNORM8, .channels = 2};
    uint8_t bytes[32];
    struct fl_err err;
    struct job *job = faults_job("tiny", 2, 40, text);
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(i * 37);
    machine_buffer(job, sizeof bytes, bytes);
    job->texture = fl_alloc(2 * sizeof *job->texture);
    job->texture[0] = (struct job_texture){.unit = 0, .buffer = 0, .texture = made};
    job->texture[1] = (struct job_texture){.unit = 1, .buffer = 1, .texture = given};
    job->ntextures = job->launch[0].textures = job->launch[1].textures = 2;
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    return job;
}

static void pruned_flips_are_those_of_brute_force_where_textures_are_read(void)
{
    int failures = 0;
    CU_ASSERT_EQUAL(disagreements(textured(), 5 * FLIPS, ONE_FLIP, 28, &failures), 0);
    CU_ASSERT_EQUAL(disagreements(textured(), FLIPS, WINDOW, 29, &failures), 0);
    CU_ASSERT_EQUAL(disagreements(textured(), FLIPS, OPEN_WINDOW, 30, &failures), 0);
    CU_ASSERT(failures > 50);
}

static void several_bits_at_once_are_those_of_brute_force(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 3 * (uint64_t)deep(); i += SANITIZED ? 2 : 1) {
        CU_ASSERT_EQUAL(disagreements(flips_structured(300 + i), 15, THREE_FLIPS, 1 + i, &failures),
                        0);
        CU_ASSERT_EQUAL(disagreements(flips_mix(300 + i), 15, THREE_FLIPS, 1 + i, &failures), 0);
    }
    CU_ASSERT(failures > 20);
}

static void intermittent_faults_are_those_of_brute_force(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 3 * (uint64_t)deep(); i += SANITIZED ? 2 : 1) {
        CU_ASSERT_EQUAL(disagreements(flips_structured(400 + i), 15, WINDOW, 1 + i, &failures), 0);
        CU_ASSERT_EQUAL(disagreements(flips_mix(400 + i), 15, WINDOW, 1 + i, &failures), 0);
    }
    CU_ASSERT(failures > 20);
}

static void cells_held_to_the_end_are_those_of_brute_force(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 2 * (uint64_t)deep(); i++) {
        CU_ASSERT_EQUAL(disagreements(flips_structured(500 + i), 15, OPEN_WINDOW, 1 + i, &failures),
                        0);
        CU_ASSERT_EQUAL(disagreements(flips_mix(500 + i), 15, OPEN_WINDOW, 1 + i, &failures), 0);
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
        struct sm_cell cell = {.structure = SM_S_rf, .bit = 7};
        for (int row = 0; row < l.img->regs_used / SM_LANES; row++)
            for (uint64_t cycle = 0; cycle < l.g->cycles; cycle += 50) {
                struct transient_result r;
                cell.index[0] = row * SM_LANES + 3;
                struct fsim_fault u = fsim_flip(cell, cycle);
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
        struct gpu *m = gpu_new(l.img);
        struct sm_commit r;
        long failures = 0, masked = 0;
        for (m->sm->record = &r; !gpu_ended(m); gpu_tick(m)) {
            if (r.started < 0 || r.cycle < 40)
                continue;
            for (size_t i = 0; i < sizeof id / sizeof *id; i++) {
                struct fsim_fault u[FSIM_CELLS];
                bench_flip(&l, id[i], u);
                for (u->from = r.cycle - 30; u->from < r.cycle + 4; u->from++) {
                    struct transient_result result;
                    u->to = u->from;
                    CU_ASSERT(agree(&l, u, &result));
                    failures += result.r.outcome != OUT_MASKED;
                    masked += result.r.outcome == OUT_MASKED;
                }
            }
        }
        CU_ASSERT(failures > 20 && masked > 20);
        gpu_free(m);
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
        struct bench l = bench_open(flips_structured(600 + i), true);
        int rf = sm_structure_find(l.img, "rf"), pc = sm_structure_find(l.img, "pc");
        for (int k = 0; l.w && k < 200; k++, faults++) {
            struct fsim_fault held[FLIPS_CELLS];
            flips_draw(&l, pc, OPEN_WINDOW, &seed, held);
            struct fsim_fault flip[FLIPS_CELLS];
            flips_draw(&l, rf, ONE_FLIP, &seed, flip);
            struct transient_result r;
            transient_simulate(l.w, l.t, held, &r);
            CU_ASSERT(agree(&l, flip, &r));
        }
        bench_close(&l);
    }
    CU_ASSERT(faults >= 400);
}

/* The held stack pointer makes warp 0 pop for ever, in cycles in which an instruction of warp 1 has taken the register. */
static void a_register_does_not_wait_behind_a_warp_that_pops_for_ever(void)
{
    struct bench b = bench_open(faults_job("tiny", 1, 64, IF_ELSE), false);
    int wrong = 0, hangs = 0;
    for (uint64_t cycle = 0; cycle < b.g->cycles; cycle++)
        for (int bit = 0; bit < 3; bit++) {
            struct fsim_fault u[2] = {fsim_held((struct sm_cell){.structure = SM_S_dsp, .bit = bit},
                                                1, cycle, FSIM_NO_END)};
            struct transient_result pruned, brute;
            u->cells = 2;
            for (int reg = 0; reg < 5; reg++) {
                int rows = b.img->kernel[0].regs;
                u[1].cell = sm_unit_cell(b.img, SM_S_rf, (uint32_t)(rows + reg), 1, 0);
                transient_simulate(b.w, b.t, u, &pruned);
                transient_exhaustive(b.w, b.t, u, &brute);
                wrong += !faults_same(&pruned.r, &brute.r);
                hangs += pruned.r.outcome == OUT_HANG;
            }
        }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(hangs > 0);
    bench_close(&b);
}

/* Nobody reads the cell: only brute force runs anything. */
static void the_outcome_of_a_trace_is_by_brute_force_where_that_is_asked_for(void)
{
    struct bench b = bench_open(flips_structured(1), false);
    struct fsim_fault flip = fsim_flip(
        sm_unit_cell(b.img, SM_S_rf, (uint32_t)b.job->profile.regs / SM_LANES - 1, 0, 0), 10);
    /* of the highest line-entry, which is never pushed */
    struct fsim_fault stuck = fsim_held((struct sm_cell){.structure = SM_S_dstack, .index = {1, 3}},
                                        1, 0, FSIM_NO_END);
    for (int exhaustive = 0; exhaustive < 2; exhaustive++) {
        struct fsim_statistics before = {0}, flipped = {0}, held = {0};
        struct fault_trace of_flip = {0}, of_stuck = {0};
        fsim_worker_statistics(b.w, &before);
        transient_explain(b.w, b.t, &flip, exhaustive, &of_flip);
        fsim_worker_statistics(b.w, &flipped);
        fsim_explain(b.w, &stuck, exhaustive, &of_stuck);
        fsim_worker_statistics(b.w, &held);
        CU_ASSERT_EQUAL(flipped.runs - before.runs, exhaustive);
        CU_ASSERT_EQUAL(held.runs - flipped.runs, exhaustive);
        fault_trace_free(&of_flip);
        fault_trace_free(&of_stuck);
    }
    bench_close(&b);
}

static void an_id_reads_back_as_it_was_printed(void)
{
    static const char *const id[] = {
        "rf/p517/b12@34:flip",      "rf/p1/b1@7:flip+shared/p3/b9@7:flip", "pc/w1/b5@10-20:sa1",
        "dstack/w0/le2/tm7@3:flip", "dstack/w0/le2/spc9@0-:sa0",           "cc/w0/c1/z3@12-:sa1",
        "sched/b4@0-0:sa0"};
    struct bench l = bench_open(flips_structured(1), false);
    for (size_t i = 0; i < sizeof id / sizeof *id; i++) {
        struct fsim_fault u[FSIM_CELLS];
        bench_flip(&l, id[i], u);
        struct fl_buf out = {0};
        fsim_print(l.img, u, &out);
        CU_ASSERT_STRING_EQUAL((char *)out.data, id[i]);
        fl_buf_free(&out);
    }
    bench_close(&l);
}

static const char each_once[] =
    ".kernel k\n.param u32 OUT\n.regs 4\n.const seven, u32, 7\n.shared tile, 128\n"
    "MVI R3, 0x7\n LOP.AND.C0 R2, R0, R3\n SHL R1, R0, 2\n R2A A1, R1\n"
    "R2G.U32.U32 s[A1 + tile], R0\n MOV R2 (C0.NE), s[A1 + tile]\n IADD32I R2, R2, 0x12\n"
    "RCP R3, R3\n FADD R2, R2, R3\n MVC R3, c[0x1][0x0]\n BAR.ARV.WAIT b0, 0xfff\n"
    "IADD R1, s[OUT], R1\n GST.U32 global14[R1], R2\n GLD.U32 R2, global14[R1]\n"
    "NOP.EXIT\n";

/* Runs to the end, or for a while; how often the instruction at `pc` was committed. */
static int run_and_count(struct gpu *m, uint32_t pc)
{
    struct sm_commit r;
    int n = 0;
    m->sm->record = &r;
    while (!gpu_ended(m) && gpu_cycles(m) < 20000) {
        gpu_tick(m);
        n += r.kind == COMMIT_INSTRUCTION && r.pc == pc;
    }
    m->sm->record = NULL;
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
    struct gpu *start = gpu_new(img), *m = gpu_new(img);
    int tried = 0, changed = 0;
    while (!gpu_ended(start)) {
        int w = start->sm->s.stage[STAGE_D];
        uint32_t pc = w == NO_WARP ? UINT32_MAX : start->sm->s.warp[w].fetched;
        for (int bit = 0; w != NO_WARP && bit < 64; bit++) {
            bytes[pc + (uint32_t)bit / 8] ^= (uint8_t)(1 << bit % 8);
            struct sm_image *other = sm_image_new(job, &err);
            struct gpu *program = gpu_new(other);
            bool once = run_and_count(program, pc) <= 1;
            gpu_copy(m, start);
            cell.field = bit / 32;
            cell.bit = bit % 32;
            gpu_cell_flip(m, &cell);
            CU_ASSERT(gpu_cell_read(m, &cell) != gpu_cell_read(start, &cell));
            run_and_count(m, pc);
            tried += once;
            changed += once && m->sm->s.trap;
            CU_ASSERT(!once || (gpu_same(m, program) && m->sm->s.trap == program->sm->s.trap));
            gpu_free(program);
            sm_image_free(other);
            bytes[pc + (uint32_t)bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        start->sm->stop = 0; /* slot by slot */
        gpu_tick(start);
    }
    CU_ASSERT(tried > 800 && changed > 100);
    gpu_free(m);
    gpu_free(start);
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
        struct fsim_fault u[FSIM_CELLS];
        bench_flip(&b, id[i], u);
        struct gpu *run = gpu_new(b.img), *slots = gpu_new(b.img), *good = gpu_new(b.img);
        struct dut *dut = dut_of_gpu(run);
        dut_inject(dut, u);
        dut_free(dut);
        gpu_run(run, 20000);
        while (slots->sm->s.next <= u->from)
            gpu_tick(slots);
        for (struct sm_force f = sm_cell_force(b.img, &u->cell, u->value);
             slots->sm->s.next <= u->to && !gpu_ended(slots); slots->sm->stop = 0) {
            if (!slots->sm->nforces)
                gpu_add_force(slots, &f);
            gpu_tick(slots);
        }
        slots->sm->nforces = 0;
        run_and_count(slots, 0);
        gpu_run(good, 20000);
        CU_ASSERT(gpu_same(run, slots));
        if (gpu_same(run, good))
            printf("\n    %s", id[i]);
        CU_ASSERT(!gpu_same(run, good));
        gpu_free(run);
        gpu_free(slots);
        gpu_free(good);
        bench_close(&b);
    }
}

int main(void)
{
    return CHECK_RUN("transient", CHECK(a_register_does_not_wait_behind_a_warp_that_pops_for_ever),
                     CHECK(the_outcome_of_a_trace_is_by_brute_force_where_that_is_asked_for),
                     CHECK(an_id_reads_back_as_it_was_printed),
                     CHECK(pruned_flips_are_those_of_brute_force_in_structured_programs),
                     CHECK(pruned_flips_are_those_of_brute_force_where_textures_are_read),
                     CHECK(pruned_flips_are_those_of_brute_force_in_all_instructions),
                     CHECK(several_bits_at_once_are_those_of_brute_force),
                     CHECK(intermittent_faults_are_those_of_brute_force),
                     CHECK(cells_held_to_the_end_are_those_of_brute_force),
                     CHECK(a_delay_that_turns_round_two_stores_is_that_of_brute_force),
                     CHECK(flips_around_the_start_of_a_block_are_those_of_brute_force),
                     CHECK(faults_under_other_stack_rules_are_those_of_brute_force),
                     CHECK(a_fault_leaves_nothing_to_the_next_one),
                     CHECK(a_flip_in_decode_is_the_program_with_that_bit_flipped),
                     CHECK(what_is_held_in_the_pipeline_counts_in_every_slot));
}
