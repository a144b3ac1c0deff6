/* test_registers.c -- every flip-flop of rtl/ is a fault site of engine rtl, and a fault in any of them ends in an outcome.
 *
 *     test_registers                    a sample of the bits
 *     test_registers --all [SHARE OF]   every bit that the C model does not have: a flip, both values held, a window; a part of them
 *     test_registers --paths            the RTL paths of all rows, one a line, and those of no row: to be held against a
 *                                       synthesis of the RTL (tests/registers_synthesised)
 */
#include "tests/lib/check.h"
#include "rtl/twin/smrtl.h"
#include "tests/lib/rtl_program.h"
#include "tests/lib/tools.h"
#include "tests/lib/flips.h"

/* ---- the list ---------------------------------------------------------------------------------------------------- */

/* Registers that are no fault sites, and why. */
static const char *const no_site[] = {
    /* the fault port holds cells of a line-entry from outside: no part of the SM, and absent without FaultPort */
    "dmu.g_fault.fault_warp_q",
    "dmu.g_fault.fault_le_q",
    "dmu.g_fault.fault_mask_q",
    "dmu.g_fault.fault_value_q",
};

/* A profile without a spill area: Verilog has no array of no rows, so one is left that nothing reads or writes. */
static const char *const no_spill[] = {"dmu.spill_tm", "dmu.spill_id", "dmu.spill_spc"};

static bool is_one_of(const char *path, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(path, list[i]) == 0)
            return true;
    return false;
}

static bool excepted(const struct sm_image *img, const char *path)
{
    return is_one_of(path, no_site, sizeof no_site / sizeof *no_site) ||
           (img->profile.stack_spill == 0 &&
            is_one_of(path, no_spill, sizeof no_spill / sizeof *no_spill));
}

/* Structures that name the path; *bits: of all their elements. */
static int rows_of(const struct sm_image *img, const char *path, long *bits)
{
    int rows = 0;
    *bits = 0;
    for (int i = 0; i < SM_ALL_STRUCTURES; i++) {
        struct sm_structure s;
        bool named = false;
        sm_structure_get(img, i, &s);
        for (int f = 0; f < s.nfields; f++) {
            if (!s.field[f].rtl || strcmp(s.field[f].rtl, path) != 0)
                continue;
            struct sm_structure one = s;
            one.nfields = 1;
            one.field[0] = s.field[f];
            *bits += sm_structure_bits(&one);
            named |= sm_structure_bits(&one) > 0;
        }
        rows += named;
    }
    return rows;
}

static struct machine start(const char *profile)
{
    return machine_start(profile, 48, ".kernel k\nNOP.EXIT\n");
}

static const char *const profiles[] = {"tiny", "g80", "flexgripplus", "flexgripplus-rtl",
                                       FAULTLINE_SOURCE_DIR "/tests/data/wide.xml"};
static const char *const models[] = {"tiny", "g80", "flexgripplus", "flexgripplus_rtl", "wide"};

static void every_register_of_the_rtl_is_one_row_with_all_its_bits(void)
{
    for (size_t p = 0; p < sizeof profiles / sizeof *profiles; p++) {
        struct fl_err err;
        long bits, listed, sites = 0;
        bool large = strcmp(models[p], "wide") == 0; /* preset rtl-all alone builds it */
        if (large ? !rtl_has("wide") : !rtl_built(models[p]))
            continue;
        struct machine m = start(profiles[p]);
        struct smrtl *rtl = smrtl_new(m.img, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(rtl);
        const char *path;
        for (int i = 0; (path = smrtl_register(rtl, i, &bits)); i++) {
            int rows = rows_of(m.img, path, &listed);
            bool right = excepted(m.img, path) ? rows == 0 : rows == 1 && listed == bits;
            if (!right)
                printf("\n%s: %s has %ld bits; %d rows, %ld bits", profiles[p], path, bits, rows,
                       listed);
            CU_ASSERT(right);
            sites += listed;
        }
        CU_ASSERT(sites > 80000); /* the table was there */
        smrtl_free(rtl);
        machine_end(&m);
    }
}

static int print_paths(void)
{
    struct machine m = start("tiny");
    for (int i = 0; i < SM_ALL_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(m.img, i, &s);
        for (int f = 0; f < s.nfields; f++)
            if (s.field[f].rtl)
                printf("%s\n", s.field[f].rtl);
    }
    for (size_t i = 0; i < sizeof no_site / sizeof *no_site; i++)
        printf("%s\n", no_site[i]);
    machine_end(&m);
    return 0;
}

/* ---- each cell --------------------------------------------------------------------------------------------------- */

/* The next cell of the registers that the RTL alone has, or of all it has; false behind the last. Make *c all zeros, with
 * its first structure, before the first. */
static bool next_cell(const struct sm_image *img, struct sm_cell *c, bool *begun)
{
    struct sm_structure s;
    if (!*begun)
        c->bit = -1;
    *begun = true;
    for (; c->structure < SM_ALL_STRUCTURES;
         *c = (struct sm_cell){.structure = c->structure + 1, .bit = -1}) {
        sm_structure_get(img, c->structure, &s);
        if (sm_structure_bits(&s) == 0)
            continue;
        if (++c->bit < s.field[c->field].bits)
            return true;
        c->bit = 0;
        if (++c->field < s.nfields)
            return true;
        c->field = 0;
        for (int a = s.naxes; a-- > 0; c->index[a] = 0)
            if (++c->index[a] < s.axis[a].count)
                return true;
    }
    return false;
}

static int value_of(const struct smrtl *rtl, const struct sm_cell *c)
{
    return (int)(smrtl_read(rtl, c) >> c->bit % 32 & 1);
}

static void print_cell(const struct sm_image *img, const struct sm_cell *c)
{
    char id[FSIM_ID];
    fsim_id(img, &(struct fsim_fault){.cell = *c}, id);
    printf("\n    %.*s ", (int)(strchr(id, ':') - id), id);
}

/* Whether nothing but the cell differs: a flip of it makes the machines equal again, byte by byte of the table. */
static long bits_that_differ(const struct sm_image *img, const struct smrtl *a,
                             const struct smrtl *b, const struct sm_cell *near)
{
    struct sm_structure s;
    long n = 0;
    sm_structure_get(img, near->structure, &s);
    struct sm_cell c = *near;
    for (c.field = 0; c.field < s.nfields; c.field++)
        for (c.bit = 0; c.bit < s.field[c.field].bits; c.bit += 32)
            n += __builtin_popcount(smrtl_read(a, &c) ^ smrtl_read(b, &c));
    return n;
}

static void every_register_is_read_flipped_and_held(void)
{
    enum { EACH = 5 }; /* one bit in so many */
    struct fl_err err;
    struct bench b = bench_open(flips_structured(1), false);
    struct smrtl *at = smrtl_new(b.img, &err), *m = smrtl_new(b.img, &err);
    CU_ASSERT_FATAL(at && m);
    smrtl_run(at, b.g->cycles / 2);
    smrtl_copy(m, at);
    struct sm_cell c = {.structure = SM_STRUCTURES};
    bool begun = false;
    long wrong = 0, cells = 0;
    for (long n = 0; next_cell(b.img, &c, &begun) && wrong < 10; n++) {
        if (n % EACH)
            continue;
        cells++;
        int was = value_of(m, &c);
        smrtl_flip(m, &c);
        bool right = value_of(m, &c) == !was && bits_that_differ(b.img, m, at, &c) == 1;
        smrtl_copy(m, at);
        right &= value_of(m, &c) == was;
        for (int value = 0; value < 2; value++) {
            CU_ASSERT_EQUAL(smrtl_hold(m, &c, value), 0);
            for (int t = 0; t < 8; t++) {
                right &= value_of(m, &c) == value;
                smrtl_tick(m);
            }
            right &= value_of(m, &c) == value;
            smrtl_release(m);
            smrtl_copy(m, at);
        }
        if (!right)
            print_cell(b.img, &c);
        wrong += !right;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(cells > 15000 / EACH);
    smrtl_free(at);
    smrtl_free(m);
    bench_close(&b);
}

/* What same states may differ in: places of the queue that nobody waits in. */
static bool may_differ(const struct sm_cell *c)
{
    return c->structure == SM_S_lsu_queue || c->structure == SM_S_lsu_wait ||
           c->structure == SM_S_lsu;
}

static void machines_that_differ_in_a_register_are_not_the_same(void)
{
    struct fl_err err;
    struct bench b = bench_open(flips_structured(1), false);
    struct smrtl *at = smrtl_new(b.img, &err), *m = smrtl_new(b.img, &err);
    CU_ASSERT_FATAL(at && m);
    smrtl_run(at, b.g->cycles / 2);
    smrtl_copy(m, at);
    struct sm_cell c = {.structure = 0};
    bool begun = false;
    long wrong = 0;
    for (long n = 0; next_cell(b.img, &c, &begun) && wrong < 10; n++) {
        if (n % 13 || engine_has(engine_find("rtl", &err), b.img, c.structure, &err) != 0)
            continue;
        smrtl_flip(m, &c);
        bool same = smrtl_same(m, at, false) && !may_differ(&c);
        if (same)
            print_cell(b.img, &c);
        wrong += same;
        smrtl_flip(m, &c);
        if (smrtl_ended(m)) /* for good */
            smrtl_copy(m, at);
        CU_ASSERT(smrtl_same(m, at, false));
    }
    CU_ASSERT_EQUAL(wrong, 0);
    smrtl_free(at);
    smrtl_free(m);
    bench_close(&b);
}

/* ---- what becomes of a fault ------------------------------------------------------------------------------------- */

enum { JOBS = 3 };

static struct job *job_of(int n)
{
    static struct job *(*const make[JOBS])(uint64_t seed) = {flips_memories, flips_structured,
                                                             flips_mix};
    return make[n]((uint64_t)n);
}

struct part {
    long share, of; /* cells with number % of == share */
};

/* Every cell of the part of a job: a flip, both values held, a window; how they end. */
static bool try_all(int job, const struct part *part, long outcome[OUT_COUNT])
{
    struct fl_err err = {{0}};
    struct bench b = bench_open(job_of(job), true);
    struct reference *ref = b.g ? reference_new(engine_find("rtl", &err), b.g, &err) : NULL;
    struct fsim_worker *w = ref ? fsim_worker_on(ref) : NULL;
    struct sm_cell c = {.structure = SM_STRUCTURES};
    bool begun = false;
    uint64_t seed = (uint64_t)job;
    for (long n = 0; w && next_cell(b.img, &c, &begun); n++) {
        if (n % part->of != part->share || engine_has(ref->engine, b.img, c.structure, &err) != 0)
            continue;
        uint64_t at = machine_random(&seed) % b.g->cycles;
        const struct fsim_fault u[] = {fsim_flip(c, at), fsim_held(c, 0, 0, FSIM_NO_END),
                                       fsim_held(c, 1, 0, FSIM_NO_END),
                                       fsim_held(c, at % 2 == 0, at, at + 20)};
        for (size_t i = 0; i < sizeof u / sizeof *u; i++) {
            struct transient_result r;
            transient_simulate(w, NULL, &u[i], &r);
            outcome[r.r.outcome]++;
        }
    }
    bool ran = w;
    fsim_worker_free(w);
    reference_free(ref);
    bench_close(&b);
    return ran;
}

static int all(int argc, char **argv)
{
    struct part part = {0, 1};
    long outcome[OUT_COUNT] = {0};
    bool ran = true;
    if (argc == 4)
        part = (struct part){atol(argv[2]), atol(argv[3])};
    for (int job = 0; job < JOBS; job++)
        ran &= try_all(job, &part, outcome);
    for (int o = 0; o < OUT_COUNT; o++)
        printf("%s %ld\n", fsim_outcome_name((enum fsim_outcome)o), outcome[o]);
    return !ran;
}

/* From a checkpoint and cut short where the end is known, and from cycle 0 to the end. */
static bool ends_as_by_brute_force(const struct bench *b, struct fsim_worker *w,
                                   const struct fsim_fault *u, long outcome[OUT_COUNT])
{
    struct transient_result quick, brute;
    transient_simulate(w, NULL, u, &quick);
    transient_exhaustive(w, NULL, u, &brute);
    outcome[quick.r.outcome]++;
    if (faults_same(&quick.r, &brute.r))
        return true;
    struct fl_buf id = {0};
    fsim_print(b->img, u, &id);
    faults_print("quick", (char *)id.data, &quick.r);
    faults_print("brute force", (char *)id.data, &brute.r);
    fl_buf_free(&id);
    return false;
}

static void a_fault_in_a_register_ends_as_by_brute_force(void)
{
    enum { EACH = 5 };
    static const enum shape shape[] = {ONE_FLIP, WINDOW, OPEN_WINDOW};
    long outcome[OUT_COUNT] = {0}, wrong = 0;
    uint64_t seed = 1;
    for (int job = 0; job < JOBS; job++) {
        struct fl_err err = {{0}};
        struct bench b = bench_open(job_of(job), false);
        struct reference *ref = reference_new(engine_find("rtl", &err), b.g, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(ref);
        struct fsim_worker *w = fsim_worker_on(ref);
        for (int s = SM_STRUCTURES; s < SM_ALL_STRUCTURES; s++) {
            struct sm_structure st;
            sm_structure_get(b.img, s, &st);
            int n = s == SM_S_pipe ? 10 * EACH : sm_structure_bits(&st) > 0 ? EACH : 0;
            for (int i = 0; i < n; i++) {
                struct fsim_fault u[FLIPS_CELLS];
                flips_draw(&b, s, shape[i % 3], &seed, u);
                wrong += !ends_as_by_brute_force(&b, w, u, outcome);
            }
        }
        fsim_worker_free(w);
        reference_free(ref);
        bench_close(&b);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(outcome[OUT_MASKED] > 10);
    CU_ASSERT(outcome[OUT_SDC] > 0);
    CU_ASSERT(outcome[OUT_CRASH] > 5);
    CU_ASSERT(outcome[OUT_HANG] > 5);
}

/* The verdict on one flip, written as an id, in a job of its own. */
static struct fsim_result verdict(const struct bench *b, const char *id)
{
    struct fl_err err = {{0}};
    struct fsim_fault u[FSIM_CELLS];
    struct transient_result r;
    struct reference *ref = reference_new(engine_find("rtl", &err), b->g, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(ref);
    CU_ASSERT_EQUAL_FATAL(fsim_parse(b->img, id, NULL, NULL, u, &err), 0);
    struct fsim_worker *w = fsim_worker_on(ref);
    transient_simulate(w, NULL, u, &r);
    fsim_worker_free(w);
    reference_free(ref);
    return r.r;
}

static void a_counter_of_cycles_that_goes_wrong_stops_no_simulation(void)
{
    struct bench b = bench_open(flips_structured(1), false);
    static const char *const id[] = {"pipe/cycle_q5@0-:sa0",   "pipe/cycle_q0@0-:sa1",
                                     "pipe/cycle_q63@20:flip", "pipe/elapsed_q31@20:flip",
                                     "pipe/elapsed_q0@0-:sa0", "pipe/length_q2@0-:sa1"};
    for (size_t i = 0; i < sizeof id / sizeof *id; i++) {
        struct fsim_result r = verdict(&b, id[i]);
        CU_ASSERT(r.end == FSIM_NEVER || r.end <= 4 * b.g->cycles);
    }
    /* nothing hangs on the number of the cycle where no program reads it and no memory waits for it */
    struct fsim_result r = verdict(&b, "pipe/cycle_q63@20:flip");
    CU_ASSERT_EQUAL(r.outcome, OUT_MASKED);
    bench_close(&b);
}

static void a_machine_that_says_it_has_ended_has_ended(void)
{
    struct bench b = bench_open(flips_structured(1), false);
    struct fsim_result r = verdict(&b, "pipe/done_q0@20:flip");
    CU_ASSERT(r.outcome == OUT_SDC || r.outcome == OUT_PERFORMANCE);
    CU_ASSERT_EQUAL(r.end, 20);
    r = verdict(&b, "pipe/deadlock_q0@20:flip");
    CU_ASSERT_EQUAL(r.outcome, OUT_HANG);
    r = verdict(&b, "pipe/trap_q0@20:flip");
    CU_ASSERT_EQUAL(r.outcome, OUT_CRASH);
    CU_ASSERT_EQUAL(r.end, 20);
    r = verdict(&b, "pipe/trap_q4@20:flip"); /* no trap has this number */
    CU_ASSERT_EQUAL(r.outcome, OUT_CRASH);
    r = verdict(&b, "pipe/done_q0@0-:sa0");
    CU_ASSERT_EQUAL(r.outcome, OUT_HANG);
    bench_close(&b);
}

static void a_launch_number_that_changes_brings_another_launch(void)
{
    struct bench b = bench_open(flips_structured(1), false);
    struct fl_err err;
    struct smrtl *m = smrtl_new(b.img, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    struct fsim_fault u[FSIM_CELLS];
    CU_ASSERT_EQUAL_FATAL(fsim_parse(b.img, "block/launch_q31@0-:sa1", NULL, NULL, u, &err), 0);
    CU_ASSERT_EQUAL(smrtl_hold(m, &u->cell, 1), 0);
    smrtl_run(m, 2 * b.g->cycles); /* of no launch there are no blocks */
    CU_ASSERT_EQUAL(smrtl_instructions(m), 0);
    smrtl_free(m);
    bench_close(&b);
}

/* ---- campaigns --------------------------------------------------------------------------------------------------- */

static void campaigns_take_the_registers_of_the_rtl(void)
{
    char *dir = tools_folder();
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        tools_run(
            dir, &out,
            "job='%s/bench/fft.job.xml'\n"
            "f='faultsim --engine rtl --quiet'\n"
            "$f --model transient --target pipe,lsu_wait,block --sample 8 --csv-faults t $job &&\n"
            "$f --model intermittent --target pipe --hold 40 --sample 8 --csv-faults i $job &&\n"
            "cut -d, -f3 t | grep -v '^#' | grep / >list && $f --model transient --faults list "
            "--csv-faults again $job &&\n"
            "cut -d, -f3- t | grep / >x; cut -d, -f3- again | grep / >y; cmp x y; wc -l <x; cat i",
            FAULTLINE_BUILD_DIR),
        0);
    CU_ASSERT(tools_says(&out, "24\n"));
    CU_ASSERT(tools_says(&out, "pipe/"));
    CU_ASSERT(!tools_says(&out, "differ"));
    tools_remove(dir);
    fl_buf_free(&out);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--paths") == 0)
        return print_paths();
    if (argc > 1 && strcmp(argv[1], "--all") == 0)
        return all(argc, argv);
    if (argc > 1)
        return fputs("usage: test_registers [--paths | --all [SHARE OF]]\n", stderr), 2;
    return CHECK_RUN("registers", CHECK(every_register_of_the_rtl_is_one_row_with_all_its_bits),
                     CHECK(every_register_is_read_flipped_and_held),
                     CHECK(machines_that_differ_in_a_register_are_not_the_same),
                     CHECK(a_fault_in_a_register_ends_as_by_brute_force),
                     CHECK(a_counter_of_cycles_that_goes_wrong_stops_no_simulation),
                     CHECK(a_machine_that_says_it_has_ended_has_ended),
                     CHECK(a_launch_number_that_changes_brings_another_launch),
                     CHECK(campaigns_take_the_registers_of_the_rtl));
}
