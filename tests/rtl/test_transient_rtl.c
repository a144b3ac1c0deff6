/* test_transient_rtl.c -- the same flips in the C model and in the RTL: they must end the same, fault by fault.
 *
 *     test_transient_rtl                                    some 40 flips of each target
 *     test_transient_rtl --count N [--seed S] [--held] [--jobs KIND]     N of each target and kind of job, with a table
 */
#include "tests/lib/check.h"
#include "tests/lib/tools.h"
#include "tests/lib/flips.h"
#include "tests/lib/rtl_program.h"

enum { C_MODEL, RTL, ENGINES };

struct row { /* what came of a target */
    long tried, differ, outcome[ENGINES][OUT_COUNT];
};

struct rows {
    const char *name; /* kind of job */
    struct row row[32];
    long jobs, refused; /* refused: no RTL for it, or machines that differ without a fault */
    int late;           /* cycles by which the RTL's faults come late: to see that it is noticed */
};

static const struct engine *the_rtl(void)
{
    struct fl_err err;
    return engine_find("rtl", &err);
}

static bool same_end(const struct fsim_result *a, const struct fsim_result *b)
{
    return a->outcome == b->outcome && a->end == b->end &&
           a->first_activation == b->first_activation && strcmp(a->reason, b->reason) == 0;
}

static void try_one(const struct bench *b, struct fsim_worker *w, const struct fsim_fault *u,
                    int late, struct row *row)
{
    struct transient_result c, rtl;
    struct fsim_fault then[FLIPS_CELLS];
    memcpy(then, u, sizeof then);
    then->from += (uint64_t)late;
    if (then->to != FSIM_NO_END)
        then->to += (uint64_t)late;
    transient_simulate(b->w, b->t, u, &c);
    transient_simulate(w, b->t, then, &rtl);
    row->tried++;
    row->outcome[C_MODEL][c.r.outcome]++;
    row->outcome[RTL][rtl.r.outcome]++;
    if (same_end(&c.r, &rtl.r))
        return;
    struct fl_buf id = {0};
    fsim_print(b->img, u, &id);
    if (row->differ++ < 5 && !late) {
        faults_print("C model", (char *)id.data, &c.r);
        faults_print("RTL", (char *)id.data, &rtl.r);
    }
    fl_buf_free(&id);
}

static int by_cycle(const void *a, const void *b)
{
    const struct fsim_fault *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

/* A cell that somebody reads or writes, some cycles before or after that: where the two machines could disagree about
 * who sees what. */
static void aim(const struct bench *b, int structure, uint64_t *seed, struct fsim_fault *u)
{
    enum { AROUND = 12 };
    const struct access_structure *s = &b->t->s[structure];
    const struct access_unit *last = &s->unit[s->units - 1];
    uint32_t unit = 0, accesses = last->first + last->count;
    if (!accesses)
        return;
    uint32_t number = machine_random(seed) % accesses;
    while (number - s->unit[unit].first >= s->unit[unit].count)
        unit++;
    const struct access *t = &s->access[number];
    uint32_t mask = t->mask;
    for (uint32_t n = machine_random(seed) % (uint32_t)__builtin_popcount(mask); n--;)
        mask &= mask - 1;
    u->cell = sm_unit_cell(b->img, structure, unit, __builtin_ctz(mask), u->cell.bit);
    struct sm_structure st; /* masks are of all that a word could have */
    sm_structure_get(b->img, structure, &st);
    u->cell.bit %= st.field[u->cell.field].bits;
    uint64_t held = u->to - u->from, at = t->cycle + machine_random(seed) % AROUND;
    u->from = at < AROUND / 2 ? 0 : at - AROUND / 2;
    u->from = u->from < b->g->cycles ? u->from : b->g->cycles - 1;
    if (u->to != FSIM_NO_END)
        u->to = u->from + held;
}

/* n flips of each target that both engines have, half of them aimed, in the order of their cycles. A job that has no fault-free run is left
 * out. */
static void try_job(struct job *job, int n, enum shape shape, uint64_t seed, struct rows *rows)
{
    struct fl_err err = {{0}};
    struct bench b = bench_open(job, true);
    struct reference *rtl = b.g ? reference_new(the_rtl(), b.g, &err) : NULL;
    struct fsim_worker *w = rtl ? fsim_worker_on(rtl) : NULL;
    struct fsim_fault(*u)[FLIPS_CELLS] = fl_alloc((size_t)n * sizeof *u);
    rows->jobs += w != NULL;
    if (b.g && !rtl) {
        printf("\n%s\n", err.msg);
        rows->refused++;
    }
    for (int s = 0; w && s < SM_STRUCTURES; s++) {
        struct sm_structure structure;
        sm_structure_get(b.img, s, &structure);
        if (sm_structure_bits(&structure) == 0 || engine_has(the_rtl(), b.img, s, &err) != 0)
            continue;
        for (int i = 0; i < n; i++) {
            flips_draw(&b, s, shape, &seed, u[i]);
            if (i % 2)
                aim(&b, s, &seed, u[i]);
        }
        qsort(u, (size_t)n, sizeof *u, by_cycle);
        for (int i = 0; i < n; i++)
            try_one(&b, w, u[i], rows->late, &rows->row[s]);
    }
    free(u);
    fsim_worker_free(w);
    reference_free(rtl);
    bench_close(&b);
}

static struct job *bench_job(const char *name)
{
    char *path = fl_format(FAULTLINE_BUILD_DIR "/bench/%s.job.xml", name);
    struct job *job = faults_load(path);
    job->has_digest = false;
    free(path);
    return job;
}

static struct job *finished(struct job *job)
{
    struct fl_err err = {{0}};
    if (job_finish(job, &err) != 0) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no job");
    }
    return job;
}

/* The vector addition of bench/ cut down to a tiny machine: two blocks of 40 elements, twice over. */
static struct job *vecadd(uint64_t seed)
{
    (void)seed;
    struct fl_err err = {{0}};
    struct job *job = bench_job("vecadd");
    struct job_launch *l = &job->launch[0];
    if (profile_load("tiny", &job->profile, &err) != 0)
        CU_FAIL_FATAL("no profile");
    l->grid[0] = 2;
    l->block[0] = 40;
    l->param[3].value = 2;
    return finished(job);
}

static struct job *fft(uint64_t seed)
{
    (void)seed;
    return finished(bench_job("fft"));
}

/* `each` flips of every target in each of `jobs` jobs. */
static struct rows try_jobs(const char *name, struct job *(*make)(uint64_t), int jobs, int each,
                            enum shape shape, uint64_t seed)
{
    struct rows rows = {.name = name};
    for (int i = 0; rows.jobs < jobs && i < 4 * jobs; i++)
        try_job(make(seed + (uint64_t)i), each, shape, seed + (uint64_t)i, &rows);
    return rows;
}

static void all_agree(const struct rows *r, int least_failures)
{
    long failures = 0;
    CU_ASSERT_EQUAL(r->refused, 0);
    for (int s = 0; s < SM_STRUCTURES; s++) {
        CU_ASSERT_EQUAL(r->row[s].differ, 0);
        failures += r->row[s].tried - r->row[s].outcome[RTL][OUT_MASKED];
    }
    CU_ASSERT(failures >= least_failures);
}

static void flips_in_structured_programs_end_the_same_in_both_machines(void)
{
    struct rows r = try_jobs("structured", flips_structured, 2, 20, ONE_FLIP, 500);
    all_agree(&r, 20);
}

static void flips_in_all_instructions_end_the_same_in_both_machines(void)
{
    struct rows r = try_jobs("soup", flips_mix, 4, 10, ONE_FLIP, 600);
    all_agree(&r, 20);
}

static void flips_in_atomic_operations_and_votes_end_the_same_in_both_machines(void)
{
    if (!rtl_built("tiny12_gates"))
        return;
    struct rows r = try_jobs("above", flips_above, 3, 10, ONE_FLIP, 610);
    all_agree(&r, 20);
    r = try_jobs("above", flips_above, 1, 10, WINDOW, 710);
    all_agree(&r, 5);
    r = try_jobs("above", flips_above, 1, 10, OPEN_WINDOW, 810);
    all_agree(&r, 5);
}

static void flips_of_locks_end_the_same_in_both_machines(void)
{
    if (!rtl_built("tiny12_gates"))
        return;
    struct rows r = try_jobs("locks", flips_locks, 1, 20, ONE_FLIP, 820);
    all_agree(&r, 20);
    CU_ASSERT(r.row[SM_S_lock].outcome[RTL][OUT_MASKED] < r.row[SM_S_lock].tried);
    r = try_jobs("locks", flips_locks, 1, 8, OPEN_WINDOW, 830);
    all_agree(&r, 5);
    CU_ASSERT(r.row[SM_S_lock].outcome[RTL][OUT_HANG] > 0); /* one that is never free */
}

static void flips_on_the_way_through_memories_end_the_same_in_both_machines(void)
{
    struct rows r = try_jobs("memories", flips_memories, 1, 40, ONE_FLIP, 800);
    all_agree(&r, 20);
}

static void what_the_host_does_between_launches_is_the_same_to_both_machines(void)
{
    struct rows r = try_jobs("hosted", flips_hosted, 4, 10, ONE_FLIP, 900);
    all_agree(&r, 20);
}

static void intermittent_faults_end_the_same_in_both_machines(void)
{
    struct rows r = try_jobs("structured", flips_structured, 1, 20, WINDOW, 700);
    all_agree(&r, 10);
    r = try_jobs("soup", flips_mix, 2, 10, WINDOW, 700);
    all_agree(&r, 10);
    r = try_jobs("memories", flips_memories, 1, 20, WINDOW, 700);
    all_agree(&r, 10);
}

static void cells_held_to_the_end_end_the_same_in_both_machines(void)
{
    struct rows r = try_jobs("structured", flips_structured, 2, 10, OPEN_WINDOW, 800);
    all_agree(&r, 10);
    r = try_jobs("soup", flips_mix, 2, 5, OPEN_WINDOW, 800);
    all_agree(&r, 5);
    r = try_jobs("memories", flips_memories, 1, 10, OPEN_WINDOW, 800);
    all_agree(&r, 5);
}

static void a_flip_that_comes_one_cycle_late_is_noticed(void)
{
    struct rows r = {.name = "structured", .late = 1};
    for (uint64_t seed = 1; seed <= 2; seed++)
        try_job(flips_structured(seed), 40, ONE_FLIP, seed, &r);
    int noticed = 0;
    for (int s = 0; s < SM_STRUCTURES; s++)
        noticed += r.row[s].differ > 0;
    CU_ASSERT(noticed >= 4);
}

static void what_the_rtl_lacks_is_refused_by_name(void)
{
    struct fl_err err = {{0}};
    struct bench b = bench_open(flips_structured(1), false);
    CU_ASSERT_EQUAL(engine_has(the_rtl(), b.img, sm_structure_find(b.img, "exec"), &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "target exec is in the C model only"));
    CU_ASSERT_EQUAL(engine_has(the_rtl(), b.img, sm_structure_find(b.img, "local"), &err), 0);
    bench_close(&b);
}

/* Pruned, by brute force and in the RTL, which knows nothing of who reads what. */
static void all_engines_export_the_same_bytes(void)
{
    char *dir = tools_folder();
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        tools_run(dir, &out,
                  "targets=dstack,dsp,rf,cc,areg,shared,const,pc,mask,tstate,ir,barrier,sched\n"
                  "for how in 'transient' 'intermittent --hold 40' 'intermittent --hold end'; do\n"
                  "f=\"faultsim --model $how --target $targets --sample 12 --quiet --csv-faults\"\n"
                  "job='%s/bench/fft.job.xml'\n"
                  "$f c $job && $f brute --exhaustive $job && $f rtl --engine rtl $job || exit\n"
                  "cmp c brute; cmp c rtl; cat c; done | cut -d, -f4,7 | sort -u",
                  FAULTLINE_BUILD_DIR),
        0);
    CU_ASSERT(tools_says(&out, "masked,idle\n"));
    CU_ASSERT(tools_says(&out, "masked,overwritten\n"));
    CU_ASSERT(tools_says(&out, "masked,logically_masked\n"));
    CU_ASSERT(!tools_says(&out, "differ"));
    tools_remove(dir);
    fl_buf_free(&out);
}

/* ---- many, with a table ------------------------------------------------------------------------------------------ */

static long print_rows(const struct rows *r, const struct sm_image *img)
{
    long differ = r->refused;
    for (int s = 0; s < SM_STRUCTURES; s++) {
        const struct row *row = &r->row[s];
        struct sm_structure st;
        sm_structure_get(img, s, &st);
        for (int e = 0; row->tried && e < ENGINES; e++) {
            printf("%s,%s,%s,%ld,%ld", r->name, st.name, e == RTL ? "rtl" : "c", row->tried,
                   row->differ);
            for (int o = 0; o < OUT_COUNT; o++)
                printf(",%ld", row->outcome[e][o]);
            printf("\n");
        }
        differ += row->differ;
    }
    fflush(stdout);
    return differ;
}

/* A comment line for each target that is left out. */
static void print_lacking(const struct bench *b)
{
    struct fl_err err = {{0}};
    for (int s = 0; s < SM_STRUCTURES; s++)
        if (engine_has(the_rtl(), b->img, s, &err) != 0)
            printf("# %s\n", err.msg);
}

static int many(int argc, char **argv)
{
    int count = 1000;
    uint64_t seed = 1;
    const char *only = NULL;
    enum shape shape = ONE_FLIP;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--count") == 0 && i + 1 < argc)
            count = atoi(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--held") == 0)
            shape = WINDOW;
        else if (strcmp(argv[i], "--jobs") == 0 && i + 1 < argc)
            only = argv[++i];
        else
            return printf(
                       "usage: test_transient_rtl [--count N] [--seed S] [--held] [--jobs KIND]\n"),
                   2;
    }
    static const struct {
        const char *name;
        struct job *(*make)(uint64_t seed);
        int each; /* flips of a target in a job; 0: all in one */
    } kind[] = {{"structured", flips_structured, 50},
                {"soup", flips_mix, 50},
                {"above", flips_above, 50},
                {"locks", flips_locks, 0},
                {"memories", flips_memories, 0},
                {"hosted", flips_hosted, 50},
                {"vecadd", vecadd, 0},
                {"fft", fft, 0}};
    struct bench b = bench_open(flips_structured(1), false);
    long differ = 0;
    print_lacking(&b);
    printf("jobs,target,engine,faults,differ");
    for (int o = 0; o < OUT_COUNT; o++)
        printf(",%s", fsim_outcome_name((enum fsim_outcome)o));
    printf("\n");
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        int each = kind[i].each ? kind[i].each : count;
        if (only && strcmp(only, kind[i].name) != 0)
            continue;
        struct rows r = try_jobs(kind[i].name, kind[i].make, (count + each - 1) / each, each, shape,
                                 seed);
        differ += print_rows(&r, b.img);
    }
    bench_close(&b);
    return differ != 0;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return many(argc, argv);
    return CHECK_RUN(
        "transient_rtl", CHECK(flips_in_structured_programs_end_the_same_in_both_machines),
        CHECK(flips_in_all_instructions_end_the_same_in_both_machines),
        CHECK(flips_in_atomic_operations_and_votes_end_the_same_in_both_machines),
        CHECK(flips_of_locks_end_the_same_in_both_machines),
        CHECK(what_the_host_does_between_launches_is_the_same_to_both_machines),
        CHECK(flips_on_the_way_through_memories_end_the_same_in_both_machines),
        CHECK(intermittent_faults_end_the_same_in_both_machines),
        CHECK(cells_held_to_the_end_end_the_same_in_both_machines),
        CHECK(a_flip_that_comes_one_cycle_late_is_noticed),
        CHECK(all_engines_export_the_same_bytes), CHECK(what_the_rtl_lacks_is_refused_by_name));
}
