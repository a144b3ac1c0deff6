/* test_chip_faults.c -- faults in a chip of several SMs: what is pruned ends as brute force ends it, and where faults are
 * drawn is where they were asked for. */
#include "tests/lib/flips.h"

static struct job *random_job(uint64_t seed)
{
    struct job *job = seed % 3 == 0   ? flips_structured(seed)
                      : seed % 3 == 1 ? flips_mix(seed)
                                      : flips_hosted(seed);
    uint64_t random = seed;
    flips_on_a_chip(job, &random);
    return job;
}

static void put_anywhere(const struct bench *b, uint64_t *seed, struct sm_cell *c)
{
    struct sm_structure s;
    sm_structure_get(b->img, c->structure, &s);
    c->place = (int)(machine_random(seed) % (uint32_t)s.places);
}

static bool agree(const struct bench *b, const struct fsim_fault *u, int *failures, int *idle)
{
    struct transient_result pruned;
    bool same = bench_agrees(b, u, &pruned);
    *failures += fsim_outcome_fails(pruned.r.outcome);
    *idle += !pruned.ran;
    return same;
}

static void flips_and_held_bits_in_any_sm_end_as_by_brute_force(void)
{
    int wrong = 0, failures = 0, idle = 0;
    for (uint64_t seed = 1; seed <= (SANITIZED ? 18 : 240) && wrong < 5; seed++) {
        struct bench b = bench_open(random_job(seed), true);
        uint64_t random = seed;
        for (int i = 0; b.w && i < SM_STRUCTURES; i++) {
            struct sm_structure s;
            sm_structure_get(b.img, i, &s);
            for (int k = 0; sm_structure_bits(&s) && k < 4; k++) {
                struct fsim_fault u[FLIPS_CELLS];
                flips_draw(&b, i, k < 2 ? ONE_FLIP : (enum shape)(k - 1), &random, u);
                for (int c = 0; c < u->cells; c++)
                    put_anywhere(&b, &random, &u[c].cell);
                if (u->cells == 1 || (memcmp(&u->cell, &u[1].cell, sizeof u->cell) != 0 &&
                                      memcmp(&u->cell, &u[2].cell, sizeof u->cell) != 0 &&
                                      memcmp(&u[1].cell, &u[2].cell, sizeof u->cell) != 0))
                    wrong += !agree(&b, u, &failures, &idle);
            }
        }
        bench_close(&b);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 20);
    CU_ASSERT(idle > 20);
}

/* Blocks that have words of their own, in as many launches: an SM runs alone, and meets words of others only when a
 * fault sends it there. Some read back as texels what they have stored. */
static struct job *apart_job(uint64_t seed)
{
    uint32_t most = 40 * (3 + (uint32_t)(seed % 5 > seed % 4 ? seed % 5 : seed % 4));
    struct texture linear = {/* addresses beyond it are those of the last word */
                             .width = most,
                             .height = 1,
                             .format = TEXTURE_F32,
                             .channels = 1};
    bool fetches = seed % 4 == 3;
    struct fl_buf text = {0};
    fl_buf_printf(
        &text,
        "%s.kernel k\n.param ptr OUT\n.regs 7\n.shared tile, 64\n"
        "I2I.U32.U16 R1, R0L\n MOV.U16 R0H, s[0x2].U16\n IMAD.U16 R0, s[0xc].U16, R0H, R1\n"
        "SHL R1, R0, 2\n IADD R1, s[OUT], R1\n LOP32I.AND R2, R0, 0xf\n SHL R2, R2, 2\n"
        "R2A A1, R2\n R2G.U32.U32 s[A1 + tile], R0\n GLD.U32 R2, global14[R1]\n MVI R3, 4\n"
        "again: MOV R4, s[A1 + tile]\n IADD R2, R2, R4\n GST.U32 global14[R1], R2\n"
        "IADD32I R3, R3, -1\n ISET.C0 o[0x7f], R3, R124, NE\n BRA C0.NE, again\n%s"
        "GST.U32 global14[R1], R2\n NOP.EXIT\n",
        fetches ? ".texture own, f32\n" : "",
        fetches ? "TLD R0, t0, s0, n0, m1, x0, y0, z0\n IADD R2, R2, R0\n" : "");
    struct job *job = faults_job("tiny", 3 + (uint32_t)seed % 5, 40, (char *)text.data);
    struct fl_err err;
    fl_buf_free(&text);
    for (uint64_t i = 0; i < seed % 3; i++)
        machine_param(machine_launch(job, 0, 3 + (uint32_t)seed % 4, 40), job->buffer[0].addr);
    if (fetches) {
        job->texture = fl_alloc(sizeof *job->texture);
        job->texture[0] = (struct job_texture){.texture = linear};
        job->ntextures = 1;
        for (int i = 0; i < job->nlaunches; i++)
            job->launch[i].textures = 1;
    }
    job->profile.sms = 3;
    job->profile.ports = PORTS_SM;
    job->profile.blocks = seed % 2 ? BLOCKS_FIXED : BLOCKS_DYNAMIC;
    job->profile.global_latency = 20;
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    return job;
}

static void count_reads(void *context, uint32_t word, bool write)
{
    ((uint32_t *)context)[word] += !write;
}

/* Each thread of the job with textures loads its word, and fetches it. */
static void who_watches_global_memory_is_told_of_loads_and_of_texels(void)
{
    struct job *job = apart_job(3);
    struct sm_image *img = sm_image_new(job, NULL);
    struct gpu *g = gpu_new(img);
    uint32_t reads[1024] = {0}, threads = job->launch[0].grid[0] * 40, wrong = 0;
    for (int i = 0; i < g->sms; i++) {
        g->sm[i].global = count_reads;
        g->sm[i].global_context = reads;
    }
    gpu_run(g, 1000000);
    for (uint32_t i = 0; i < 1024; i++)
        wrong += reads[i] != (i < threads ? 2 : 0);
    CU_ASSERT(gpu_ended(g));
    CU_ASSERT_EQUAL(wrong, 0);
    gpu_free(g);
    sm_image_free(img);
    job_free(job);
}

static void an_sm_that_runs_alone_ends_as_its_chip_does(void)
{
    int wrong = 0, failures = 0, idle = 0;
    struct fsim_statistics stat = {0};
    for (uint64_t seed = 1; seed <= (SANITIZED ? 12 : 120) && wrong < 5; seed++) {
        struct bench b = bench_open(apart_job(seed), false);
        uint64_t random = seed;
        for (int i = 0; i < SM_STRUCTURES; i++) {
            struct sm_structure s;
            sm_structure_get(b.img, i, &s);
            for (int k = 0; sm_structure_bits(&s) && k < (i == SM_S_rf ? 40 : 8); k++) {
                struct fsim_fault u[FLIPS_CELLS];
                flips_draw(&b, i, k % 4 < 2 || k > 7 ? ONE_FLIP : OPEN_WINDOW, &random, u);
                put_anywhere(&b, &random, &u->cell);
                if (u->cells == 1)
                    wrong += !agree(&b, u, &failures, &idle);
            }
        }
        fsim_worker_statistics(b.w, &stat);
        bench_close(&b);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 20);
    CU_ASSERT(stat.single_sm > stat.runs / 8);
    CU_ASSERT(stat.single_sm < stat.runs); /* some needed the others */
}

/* Blocks that each have words of their own, one after the other; SMs that have a port each. */
static struct job *on_two_sms(const char *text, uint32_t blocks)
{
    struct fl_err err;
    struct job *job = faults_job("tiny", blocks, 32, text);
    job->profile.sms = 2;
    job->profile.ports = PORTS_SM;
    job->profile.blocks = BLOCKS_FIXED;
    job->profile.global_latency = 20;
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    return job;
}

/* SM 1 ends its blocks before SM 0, in both launches. */
static void a_window_that_reaches_into_the_next_launch_goes_on_there(void)
{
    static const char text[] =
        ".kernel k\n.param ptr OUT\n.regs 4\n"
        "I2I.U32.U16 R1, R0L\n MOV.U16 R0H, s[0x2].U16\n IMAD.U16 R0, s[0xc].U16, R0H, R1\n"
        "SHL R1, R0, 2\n IADD R1, s[OUT], R1\n GLD.U32 R2, global14[R1]\n IADD32I R2, R2, 0x1\n"
        "GST.U32 global14[R1], R2\n NOP.EXIT\n";
    static const int of[] = {SM_S_mask, SM_S_cc,    SM_S_tstate, SM_S_pc,
                             SM_S_rf,   SM_S_sched, SM_S_dsp};
    struct job *job = on_two_sms(text, 5);
    struct fl_err err;
    int wrong = 0, failures = 0, idle = 0;
    uint64_t random = 1;
    machine_param(machine_launch(job, 0, 5, 32), job->buffer[0].addr);
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    struct bench b = bench_open(job, false);
    uint64_t next = b.g->residence->launch[1].from, second = b.g->cycles - next;
    for (int i = 0; i < 700 && wrong < 5; i++) {
        struct fsim_fault u[FLIPS_CELLS];
        flips_draw(&b, of[i % 7], WINDOW, &random, u);
        u->cell.place = 1;
        u->from %= next;
        u->to = next + machine_random(&random) % second;
        wrong += !agree(&b, u, &failures, &idle);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 50);
    bench_close(&b);
}

/* Block 1 stores word 64 + t of A, once; then block 0 loads word t. The held bit makes it load word 64 + t. */
static void an_sm_alone_leaves_to_its_chip_what_others_have_stored_since_its_checkpoint(void)
{
    static const char text[] =
        ".kernel k\n.param ptr A\n.regs 8\n"
        "SHL R1, R0, 2\n IADD R1, s[A], R1\n MOV R2, g[0x6].U16\n"
        "ISET.S32.C0 o[0x7f], R2, R124, EQ\n BRA C0.NE, zero\n MVI R3, 60\n"
        "wait1: IADD32I R3, R3, -1\n ISET.S32.C0 o[0x7f], R3, R124, NE\n BRA C0.NE, wait1\n"
        "MVI R4, 7\n IADD32I R5, R1, 256\n GST.U32 global14[R5], R4\n NOP.EXIT\n"
        "zero: IADD32I R5, R1, 128\n MVI R3, 80\n"
        "wait0: IADD32I R3, R3, -1\n ISET.S32.C0 o[0x7f], R3, R124, NE\n BRA C0.NE, wait0\n"
        "GLD.U32 R4, global14[R1]\n GST.U32 global14[R5], R4\n MVI R3, 400\n"
        "last: IADD32I R3, R3, -1\n ISET.S32.C0 o[0x7f], R3, R124, NE\n BRA C0.NE, last\n"
        "NOP.EXIT\n";
    struct bench b = bench_open(on_two_sms(text, 2), false);
    struct sm_cell address = sm_unit_cell(b.img, SM_S_rf, 1, 5, 8),
                   idle_flag = {.structure = SM_S_cc, .bit = 9};
    int wrong = 0, failures = 0, idle = 0;
    for (uint64_t cycle = 3000; cycle < 6000 && wrong < 5; cycle += 25) {
        struct fsim_fault held = fsim_held(address, 1, cycle, cycle),
                          two[2] = {fsim_flip(address, cycle)};
        two[0].cells = 2;
        two[1].cell = idle_flag;
        wrong += !agree(&b, &held, &failures, &idle);
        wrong += !agree(&b, two, &failures, &idle);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 20);
    bench_close(&b);
}

/* Each SM takes a constant some cycles before its instruction acts, and another one in another cycle. */
static void a_flipped_constant_is_seen_by_each_sm_in_its_own_cycle(void)
{
    static const char text[] = ".kernel k\n.param u32 OUT\n.regs 4\n.const seven, u32, 7\n"
                               "MVC R2, c[0x1][0x0]\n SHL R1, R0, 2\n IADD R1, s[OUT], R1\n"
                               "GST.U32 global14[R1], R2\n NOP.EXIT\n";
    struct job *job = faults_job("tiny-chip", 5, 32, text);
    job->profile.sms = 3;
    struct bench b = bench_open(job, false);
    int wrong = 0, failures = 0, idle = 0;
    for (uint64_t cycle = 0; cycle < b.g->cycles; cycle++) {
        struct fsim_fault u = fsim_flip((struct sm_cell){.structure = SM_S_const}, cycle);
        wrong += !agree(&b, &u, &failures, &idle);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 0 && idle > 0);
    bench_close(&b);
}

/* A flipped address takes other partitions than the right one: so it takes other times. */
static void a_flipped_address_costs_what_its_partitions_take(void)
{
    static const char text[] = ".kernel k\n.param u32 OUT\n.regs 4\n"
                               "SHL R1, R0, 2\n IADD R1, s[OUT], R1\n GLD.U32 R2, global14[R1]\n"
                               "GST.U32 global14[R1], R2\n NOP.EXIT\n";
    struct job *job = faults_job("tiny", 1, 32, text);
    job->profile.partitions = 3;
    job->profile.interleave = 64;
    struct bench b = bench_open(job, false);
    int wrong = 0, failures = 0, idle = 0;
    for (uint64_t cycle = 40; cycle < b.g->cycles; cycle += 60)
        for (int bit = 2; bit < 16 && wrong < 5; bit++) {
            struct sm_cell c = sm_unit_cell(b.img, SM_S_rf, 1, 7, bit);
            struct fsim_fault u = fsim_flip(c, cycle);
            wrong += !agree(&b, &u, &failures, &idle);
        }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failures > 0 && idle > 0);
    bench_close(&b);
}

static void permanent_faults_in_any_sm_end_as_by_brute_force(void)
{
    static const char *const pattern[] = {
        "sm*/dstack/w*", "sm*/rf/p0-70",   "sm1/cc",     "shared/p0-7", "sm*/mask",  "sm1/pc",
        "sm*/areg/w0",   "sm1/local/p0-3", "const/p0-3", "sm*/tstate",  "sm*/sched", "sm1/ir"};
    long tried = 0, wrong = 0;
    for (uint64_t seed = 1; seed <= (SANITIZED ? 12 : 120); seed++) {
        struct job *job = seed % 3 ? random_job(seed) : apart_job(seed);
        struct fl_err err;
        struct fsim_campaign c;
        const char *const p = pattern[seed % (sizeof pattern / sizeof *pattern)];
        struct fsim_options opt = {.run.max_cycles = 10000000};
        opt.choice.memory = seed % 2 && strcmp(p, "sm*/sched") && strcmp(p, "sm1/ir");
        opt.choice.what = opt.choice.memory ? ~0u : 0;
        opt.choice.sample = 60;
        if (faults_run(&c, job, &p, 1, NULL, &opt, &err) == 0) {
            wrong += faults_brute_differences(&c, 2, &tried);
            fsim_campaign_free(&c);
        }
        job_free(job);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(tried > 60);
}

/* ---- where ----------------------------------------------------------------------------------- */

static long count_in(const char *pattern, const char *in_sm, int sm)
{
    struct job *job = flips_mix(1);
    job->profile.sms = 3;
    struct sm_image *img = sm_image_new(job, NULL);
    struct fsim_list list = {0};
    struct fl_err err = {{0}};
    long n = 0;
    if (in_sm)
        CU_ASSERT(fsim_sms_read(in_sm, &list.choice.in_sm));
    if (fsim_list_add(&list, img, pattern, &err) != 0)
        n = -1;
    for (long i = 0; i < list.count; i++)
        n += list.fault[i].cell.place == sm;
    fsim_list_free(&list);
    sm_image_free(img);
    job_free(job);
    return n;
}

static void a_pattern_without_an_sm_means_sm_0_or_those_asked_for(void)
{
    CU_ASSERT_EQUAL(count_in("sched", NULL, 0), 10);
    CU_ASSERT_EQUAL(count_in("sched", NULL, 1), 0);
    CU_ASSERT_EQUAL(count_in("sched", "1-2", 0), 0);
    CU_ASSERT_EQUAL(count_in("sched", "1-2", 2), 10);
    CU_ASSERT_EQUAL(count_in("sched", "all", 1), 10);
    CU_ASSERT_EQUAL(count_in("sm2/sched", "1", 2), 10);
    CU_ASSERT_EQUAL(count_in("sm*/sched", NULL, 2), 10);
    CU_ASSERT_EQUAL(count_in("sched", "3", 0), -1);
    CU_ASSERT_EQUAL(count_in("sm3/sched", NULL, 0), -1);
    CU_ASSERT_EQUAL(count_in("const/p0/b0", "all", 0), 2); /* the chip's */
    CU_ASSERT_EQUAL(count_in("sm1/const/p0/b0", NULL, 1), -1);
}

/* The id of the fault in all of these SMs; NULL: refused, and `err` says why. Caller frees. */
static char *same_in(const char *text, const char *sms, int of, struct fl_err *err)
{
    struct job *job = flips_mix(1);
    job->profile.sms = of;
    struct sm_image *img = sm_image_new(job, NULL);
    struct fsim_fault u[FSIM_CELLS];
    struct fsim_sms in;
    struct fl_buf id = {0};
    CU_ASSERT(fsim_sms_read(sms, &in));
    CU_ASSERT_EQUAL(fsim_parse(img, text, NULL, NULL, u, err), 0);
    if (fsim_same_in(img, &in, u, err) == 0)
        fsim_print(img, u, &id);
    sm_image_free(img);
    job_free(job);
    return (char *)id.data;
}

static void an_sm_is_named_once(void)
{
    static const char *const twice[] = {"0,0", "0-2,1", "1,0-1", "2,0,2"};
    struct fsim_sms sms;
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++)
        CU_ASSERT_FALSE(fsim_sms_read(twice[i], &sms));
    CU_ASSERT(fsim_sms_read("2,0-1", &sms));
}

static void a_fault_in_several_sms_is_the_same_in_each(void)
{
    static const char *const all[][3] = {
        {"sched/b0@17:flip", "0,2", "sched/b0@17:flip+sm2/sched/b0@17:flip"},
        {"sm1/sched/b0@17:flip+sm1/cc/w0/c1/z5@17:flip", "1-2",
         "sm1/sched/b0@17:flip+sm1/cc/w0/c1/z5@17:flip+sm2/sched/b0@17:flip+"
         "sm2/cc/w0/c1/z5@17:flip"},
        {"sm1/sched/b0@17-19:sa1+sm2/sched/b0@17-19:sa1", "1-2",
         "sm1/sched/b0@17-19:sa1+sm2/sched/b0@17-19:sa1"},
        {"sm2/sched/b0@17-:sa0", "all",
         "sched/b0@17-:sa0+sm1/sched/b0@17-:sa0+sm2/sched/b0@17-:sa0"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct fl_err err;
        char *id = same_in(all[i][0], all[i][1], 3, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(id);
        CU_ASSERT_STRING_EQUAL(id, all[i][2]);
        free(id);
    }
}

static void a_fault_of_the_chip_or_of_another_sm_is_in_no_list_of_sms(void)
{
    struct fl_err err;
    CU_ASSERT_PTR_NULL(same_in("const/p0/b0@17:flip", "0-1", 3, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "const belongs to the chip"));
    CU_ASSERT_PTR_NULL(same_in("const/p0/b0@17:flip", "0", 1, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "const belongs to the chip"));
    CU_ASSERT_PTR_NULL(same_in("sm2/sched/b0@17:flip", "0-1", 3, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "the fault is in sm2, which the list leaves out"));
    CU_ASSERT_PTR_NULL(same_in("sched/b0@17:flip", "all", 80, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "a fault has at most 64 bits"));
}

static void an_id_with_an_sm_is_read_as_it_is_printed(void)
{
    struct job *job = flips_mix(1);
    job->profile.sms = 3;
    struct sm_image *img = sm_image_new(job, NULL);
    struct fsim_fault u[FSIM_CELLS];
    struct fl_err err;
    struct fl_buf id = {0};
    static const char text[] = "sm2/rf/p5/b3@17:flip+sched/b0@17:flip+sm1/cc/w0/c1/z5@17:flip";
    CU_ASSERT_EQUAL(fsim_parse(img, text, NULL, NULL, u, &err), 0);
    fsim_print(img, u, &id);
    CU_ASSERT_STRING_EQUAL((char *)id.data, text);
    int structure, field;
    CU_ASSERT(fsim_id_field("sm2/cc/w0/c1/s5:sa1", &structure, &field));
    CU_ASSERT_EQUAL(structure, SM_S_cc);
    CU_ASSERT_EQUAL(field, 1);
    struct fsim_list list = {.choice.memory = true, .choice.what = ~0u};
    CU_ASSERT_EQUAL(fsim_list_add(&list, img, "sm1/rf/p5/b3~sm1/rf/p5/b4:cfin1", &err), 0);
    CU_ASSERT_EQUAL(fsim_list_add(&list, img, "sm1/rf/p5/b3~rf/p5/b4:cfin1", &err), -1);
    char printed[FSIM_ID];
    fsim_id(img, &list.fault[0], printed);
    CU_ASSERT_STRING_EQUAL(printed, "sm1/rf/p5/b3~sm1/rf/p5/b4:cfin1");
    fsim_list_free(&list);
    fl_buf_free(&id);
    sm_image_free(img);
    job_free(job);
}

int main(void)
{
    return CHECK_RUN(
        "chip_faults", CHECK(flips_and_held_bits_in_any_sm_end_as_by_brute_force),
        CHECK(who_watches_global_memory_is_told_of_loads_and_of_texels),
        CHECK(an_sm_that_runs_alone_ends_as_its_chip_does),
        CHECK(a_window_that_reaches_into_the_next_launch_goes_on_there),
        CHECK(an_sm_alone_leaves_to_its_chip_what_others_have_stored_since_its_checkpoint),
        CHECK(a_flipped_constant_is_seen_by_each_sm_in_its_own_cycle),
        CHECK(a_flipped_address_costs_what_its_partitions_take),
        CHECK(permanent_faults_in_any_sm_end_as_by_brute_force),
        CHECK(a_pattern_without_an_sm_means_sm_0_or_those_asked_for),
        CHECK(a_fault_in_several_sms_is_the_same_in_each), CHECK(an_sm_is_named_once),
        CHECK(a_fault_of_the_chip_or_of_another_sm_is_in_no_list_of_sms),
        CHECK(an_id_with_an_sm_is_read_as_it_is_printed));
}
