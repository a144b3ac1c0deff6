/* test_rtl.c -- the RTL and the C model commit the same instructions in the same cycles: workloads, self-tests,
 * random programs, faults.
 *
 *     test_rtl                              in a minute or two
 *     test_rtl --count N [--seed S] [--model NAME]    N random programs of each kind per model, or
 *                                           on one: scripts/cosim
 *     test_rtl --models                     all workloads and self-tests on all models
 *
 * Tests of models that were not built (FAULTLINE_RTL_MODELS) are skipped.
 */
#include "tests/lib/check.h"
#include <unistd.h>
#include "tests/lib/machine.h"
#include "tests/lib/random_program.h"
#include "tests/lib/rtl_program.h"
#include "tests/lib/random_mix.h"
#include "rtl/twin/smrtl.h"

/* A model's profile, number of SPs and of SMs by its name: "tiny_16" is tiny with 16 SPs, "g80_chip_2sm" g80-chip with
 * 2 SMs. A hyphen of a profile's name has become '_', too. A profile that is not shipped lies in tests/data. */
static struct rtl_program program_of_model(const char *model, char *room, size_t size)
{
    const char *mark = strrchr(model, '_');
    char *end;
    struct rtl_program p = {.model = model, .profile = room, .blocks = 1};
    long number = mark ? strtol(mark + 1, &end, 10) : 0;
    if (number && strcmp(end, "sm") == 0)
        p.sms = (int)number;
    else if (number)
        p.sps = (int)number;
    else if (mark && strcmp(mark, "_broken") != 0 && strcmp(mark, "_gates") != 0)
        mark = NULL;
    snprintf(room, size, "%.*s", (int)(mark ? (size_t)(mark - model) : strlen(model)), model);
    for (char *hyphen = room; (hyphen = strchr(hyphen, '_'));)
        *hyphen = '-';
    if (strcmp(room, "wide") == 0 || strcmp(room, "tiny12") == 0 || strncmp(room, "chip", 4) == 0) {
        char *name = fl_strdup(room);
        snprintf(room, size, FAULTLINE_SOURCE_DIR "/tests/data/%s.xml", name);
        free(name);
    }
    return p;
}

/* What only these models are too small for. */
static bool is_small_chip(const char *model)
{
    return strncmp(model, "tiny_chip", 9) == 0 || strncmp(model, "chip", 4) == 0;
}

/* Runs a job on the profile it names, or on that of a model ("g80_16": g80 with 16 SPs). */
static bool job_agrees(const char *path, const char *model)
{
    struct fl_err err = {{0}};
    struct machine m = {0};
    char room[4096];
    if (job_load(path, NULL, &m.job, &err))
        goto no_job;
    if (model) {
        struct rtl_program p = program_of_model(model, room, sizeof room);
        if (profile_load(p.profile, &m.job->profile, &err))
            goto no_job;
        m.job->profile.sps = p.sps ? p.sps : m.job->profile.sps;
        if (p.sms)
            profile_set_sms(&m.job->profile, p.sms);
    }
    if (!(m.img = sm_image_new(m.job, &err)))
        goto no_job;
    if (!model && !rtl_built(m.img->profile.name)) {
        sm_image_free(m.img);
        job_free(m.job);
        return true;
    }
    m.gpu = gpu_new(m.img);
    bool same = rtl_agree(&m, NULL);
    same = same && gpu_ended(m.gpu);
    if (!same)
        printf("%s%s%s\n", path, model ? " on " : "", model ? model : "");
    machine_end(&m);
    return same;
no_job:
    printf("\n%s: %s\n", path, err.msg);
    CU_FAIL_FATAL("no job");
    return false;
}

static void the_trace_of_a_fault_is_not_told_on_the_rtl(void)
{
    char *command = fl_format("%s/faultsim --model stuck-at --engine rtl --fault "
                              "dstack/w0/le1/tm0:sa1 %s/bench/mxm.job.xml 2>&1 | "
                              "grep -q -- '--fault prints the trace on engine c'",
                              FAULTLINE_BIN_DIR, FAULTLINE_BUILD_DIR);
    CU_ASSERT_EQUAL(system(command), 0);
    free(command);
}

static void workloads_agree(void)
{
    static const char *const name[] = {"mxm", "sort", "fft", "edge", "vecadd"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        char *path = fl_format("%s/bench/%s.job.xml", FAULTLINE_BUILD_DIR, name[i]);
        CU_ASSERT(job_agrees(path, NULL));
        free(path);
    }
}

/* Makes self-tests and runs them; returns how many. */
static int self_tests(const char *options, const char *profile, const char *model)
{
    /* suites run side by side: a folder for each */
    char *dir = fl_format("%s/rtl-selftests-%d", FAULTLINE_BUILD_DIR, (int)getpid());
    char *command = fl_format(
        "rm -rf %s && mkdir %s && %s/sbstgen --method %s --profile %s -o %s >/dev/null "
        "&& ls %s/*.job.xml",
        dir, dir, FAULTLINE_BIN_DIR, options, profile, dir, dir);
    FILE *list = popen(command, "r");
    char line[4096];
    int jobs = 0;
    while (list && fgets(line, sizeof line, list)) {
        line[strcspn(line, "\n")] = 0;
        CU_ASSERT(job_agrees(line, model));
        jobs++;
    }
    CU_ASSERT(list && pclose(list) == 0);
    CU_ASSERT(jobs > 0);
    char *clean = fl_format("rm -rf %s", dir);
    CU_ASSERT_EQUAL(system(clean), 0);
    free(clean);
    free(command);
    free(dir);
    return jobs;
}

static void self_tests_agree(void)
{
    self_tests("sync-trick --le 1-4", "flexgripplus", NULL);
    self_tests("sync-trick --le 1-2 --approach ind --checkpoint", "g80", NULL);
    self_tests("sync-trick --le 30-32 --checkpoint", "flexgripplus", NULL);
    self_tests("sync-trick --le 1-32 --patterns minimal --pc --flow-id", "flexgripplus", NULL);
    self_tests("sync-trick --le 1-32 --patterns minimal --pc --flow-id --landing-pads", "g80",
               NULL);
    self_tests("nesting --le 1-4", "flexgripplus", NULL);
    if (!rtl_built("flexgripplus_rtl"))
        return;
    self_tests("sync-trick --le 1-4 --patterns minimal", "flexgripplus", "flexgripplus_rtl");
    self_tests("sync-trick --le 1-31 --patterns minimal --flow-id --target flexgripplus",
               "flexgripplus-rtl", "flexgripplus_rtl");
    self_tests("nesting --le 1-4 --checkpoint --target flexgripplus", "flexgripplus-rtl",
               "flexgripplus_rtl");
}

/* All workloads, and self-tests of every kind, on every model: test_rtl --models. */
static void all_jobs_agree_on_every_model(void)
{
    static const char *const options[] = {
        "sync-trick --le 1-32",
        "sync-trick --le 1-32 --checkpoint",
        "sync-trick --le 1-32 --approach ind",
        "sync-trick --le 1-32 --patterns minimal --pc --flow-id",
        "sync-trick --le 1-32 --patterns minimal --pc --flow-id --landing-pads",
        "sync-trick --le 1-32 --pc --flow-id --checkpoint",
        "sync-trick --le 1-4 --warps 16",
        "nesting --le 1-32",
        NULL,
    };
    static const char *const published[] = {
        "sync-trick --le 1-31 --checkpoint --target flexgripplus",
        "sync-trick --le 1-31 --approach ind --target flexgripplus",
        "sync-trick --le 1-31 --patterns minimal --flow-id --target flexgripplus",
        "sync-trick --le 1-4 --warps 16 --target flexgripplus",
        "nesting --le 1-31 --flow-id --target flexgripplus",
        NULL,
    };
    static const char *const bench[] = {"mxm", "mxm64", "sort", "fft", "edge", "vecadd"};
    for (int i = 0; smrtl_model_name(i); i++) {
        const char *model = smrtl_model_name(i);
        char room[4096];
        struct rtl_program p = program_of_model(model, room, sizeof room);
        if (strncmp(model, "tiny", 4) == 0 || is_small_chip(model))
            continue; /* too small for them */
        int jobs = 0;
        bool other = strcmp(p.profile, "flexgripplus-rtl") == 0; /* no far blocks, 31 LEs */
        for (const char *const *o = other ? published : options; *o; o++)
            jobs += self_tests(*o, p.profile, model);
        for (size_t k = 0; k < sizeof bench / sizeof *bench; k++) {
            char *path = fl_format("%s/bench/%s.job.xml", FAULTLINE_BUILD_DIR, bench[k]);
            CU_ASSERT(job_agrees(path, model));
            free(path);
            jobs++;
        }
        printf("%s: %d jobs\n", model, jobs);
    }
}

/* The fault lists cover every field, an LE that the program does not reach, crashes and silent data corruption. */
static void faults_have_the_same_outcomes_in_both_engines(void)
{
    char *command = fl_format(
        "d=%s/rtl-faults; rm -rf $d && mkdir $d && cd $d && "
        "%s/sbstgen --method sync-trick --le 1 >/dev/null && "
        "printf 'dstack/w0/le1/tm0-1:sa*\ndstack/w0/le1/id*:sa*\n"
        "dstack/w0/le1/spc2-9:sa*\ndstack/w0/le3/tm*:sa*\n' >list && "
        "for e in c rtl; do %s/faultsim --model stuck-at *.job.xml --faults list --engine $e "
        "--quiet --csv-faults $e.csv || exit 1; done; sed -i '/^#/d' c.csv rtl.csv && cmp c.csv "
        "rtl.csv && "
        "grep -q ,crash, c.csv && grep -q ,sdc, c.csv",
        FAULTLINE_BUILD_DIR, FAULTLINE_BIN_DIR, FAULTLINE_BIN_DIR);
    if (rtl_built("flexgripplus"))
        CU_ASSERT_EQUAL(system(command), 0);
    free(command);
}

/* One fault whose state comes back in other cycles than it first did (a hang), of two workloads. */
static void hangs_of_workloads_are_hangs_in_both_engines(void)
{
    char *command = fl_format(
        "d=%s/rtl-hangs; rm -rf $d && mkdir $d && cd $d && "
        "for j in sort/1 edge/2; do echo dstack/w0/le${j#*/}/spc8:sa0 >list; "
        "for e in c rtl; do %s/faultsim --model stuck-at %s/bench/${j%%/*}.job.xml --faults list "
        "--engine $e --quiet --csv-faults $e.csv || exit 1; done; sed -i '/^#/d' c.csv rtl.csv && "
        "cmp c.csv rtl.csv && "
        "grep -q ,hang, c.csv || exit 1; done",
        FAULTLINE_BUILD_DIR, FAULTLINE_BIN_DIR, FAULTLINE_BUILD_DIR);
    if (rtl_built("flexgripplus"))
        CU_ASSERT_EQUAL(system(command), 0);
    free(command);
}

/* ---- random programs -------------------------------------------------------------------------------------------- */

/* Prints what differs, shrinks the program and prints what is left of it. */
static void report(struct rtl_program *p, struct fl_buf *account)
{
    struct smrtl_lockstep stats;
    printf("\n%.*s", (int)account->size, (const char *)account->data);
    int runs = rtl_shrink(p);
    account->size = 0;
    rtl_run(p, MACHINE_MAX_CYCLES, &stats, account);
    printf("\nin %d runs shrunk to %d instructions, %u blocks of %u threads:\n%s\n%.*s\n", runs,
           rtl_instructions(p->text), p->blocks, p->threads, p->text, (int)account->size,
           (const char *)account->data);
}

static bool program_agrees(struct rtl_program *p, const char *kind, uint64_t seed)
{
    struct fl_buf account = {0};
    struct smrtl_lockstep stats;
    enum rtl_verdict v = rtl_run(p, MACHINE_MAX_CYCLES, &stats, &account);
    if (v != RTL_AGREE) {
        printf("\n%s program of seed %llu on %s, %u blocks of %u threads:", kind,
               (unsigned long long)seed, p->model, p->blocks, p->threads);
        report(p, &account);
        fflush(stdout);
    }
    fl_buf_free(&account);
    free(p->text);
    return v == RTL_AGREE;
}

static struct rtl_program structured_program(const char *model, uint64_t seed, char *room,
                                             size_t size)
{
    struct rtl_program out = program_of_model(model, room, size);
    struct rp_program *p = fl_alloc(sizeof *p);
    bool small = strncmp(model, "tiny", 4) == 0;
    out.threads = small ? 40 : 1 + (uint32_t)(seed * 37 % 128);
    out.buffer = 4 * out.threads;
    rp_make(p, &(struct rp_shape){.seed = seed,
                                  .threads = (int)out.threads,
                                  .depth = small ? 2 : 3,
                                  .functions = small ? 0 : 3,
                                  .no_loops = small});
    out.text = fl_strdup(p->text);
    rp_free(p);
    free(p);
    return out;
}

static struct rtl_program mix_program(const char *model, uint64_t seed, char *room, size_t size)
{
    struct rtl_program out = program_of_model(model, room, size);
    struct random_mix s;
    bool above = strcmp(model, "tiny12_gates") == 0,
         small = above || strcmp(out.profile, "tiny") == 0;
    mix_make(&s, seed, 60, small, above ? ISA_1_2 : ISA_1_0);
    out.threads = 1 + mix_random(&s, small ? 64 : 200);
    out.blocks = 1 + mix_random(&s, 3);
    out.local = MIX_LOCAL;
    out.buffer = MIX_STRIDE * ((out.threads + 31) / 32 * 32 + 32);
    for (size_t i = 0; i < sizeof out.konst; i++)
        out.konst[i] = (uint8_t)mix_random(&s, 256);
    out.text = fl_strdup((char *)s.text.data);
    fl_buf_free(&s.text);
    return out;
}

/* How many of `count` programs of each kind differ; stops at three. */
static int random_programs_on(const char *model, uint64_t seed, int count)
{
    int wrong = 0;
    char room[4096];
    for (int n = 0; n < count && wrong < 3; n++) {
        uint64_t at = seed + (uint64_t)n;
        struct rtl_program p = structured_program(model, at, room, sizeof room);
        wrong += !program_agrees(&p, "structured", at);
        p = mix_program(model, at, room, sizeof room);
        wrong += !program_agrees(&p, "soup", at);
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "\r%s: %d of %d ", model, n + 1, count);
    }
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    printf("%s: %d random programs of each kind, seeds %llu to %llu: ", model, count,
           (unsigned long long)seed, (unsigned long long)seed + (unsigned)count - 1);
    printf(wrong ? "%d differ\n" : "all agree\n", wrong);
    fflush(stdout); /* thousands take long: what is known stays known */
    return wrong;
}

static int random_programs(uint64_t seed, int count)
{
    int wrong = 0;
    for (int i = 0; smrtl_model_name(i); i++)
        if (!strstr(smrtl_model_name(i), "broken") && !is_small_chip(smrtl_model_name(i)))
            wrong += random_programs_on(smrtl_model_name(i), seed, count);
    return wrong;
}

/* The defect of tiny_broken shows at every join of a SYNC entry: SSY and a join are enough. */
static void a_program_that_differs_is_shrunk(void)
{
    char room[4096];
    struct smrtl_lockstep stats;
    if (!rtl_built("tiny_broken"))
        return;
    int shrunk[2] = {0};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct rtl_program p = seed & 1 ? structured_program("tiny_broken", seed, room, sizeof room)
                                        : mix_program("tiny_broken", seed, room, sizeof room);
        int before = rtl_instructions(p.text);
        if (rtl_run(&p, MACHINE_MAX_CYCLES, &stats, NULL) == RTL_DIFFER) {
            CU_ASSERT(rtl_shrink(&p) > 0);
            CU_ASSERT_EQUAL(rtl_run(&p, MACHINE_MAX_CYCLES, &stats, NULL), RTL_DIFFER);
            CU_ASSERT(before > 20);
            CU_ASSERT(rtl_instructions(p.text) <= 3);
            CU_ASSERT(p.blocks == 1 && p.threads == 1);
            shrunk[seed & 1]++;
        }
        free(p.text);
    }
    CU_ASSERT(shrunk[0] > 3);
    CU_ASSERT(shrunk[1] > 3);
}

static void random_programs_agree(void)
{
    CU_ASSERT_EQUAL(random_programs(1, 35), 0);
}

/* ---- the way into registers ------------------------------------------------------------------------------------- */

static int cosim(int argc, char **argv)
{
    uint64_t seed = 1;
    int count = 0;
    const char *model = NULL;
    for (int i = 1; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--count") == 0)
            count = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 0);
        else if (strcmp(argv[i], "--model") == 0)
            model = argv[i + 1];
        else
            count = -1;
    }
    if (count < 1 || argc % 2 == 0) {
        fputs("usage: test_rtl [--count N [--seed S] [--model NAME]]\n", stderr);
        return 2;
    }
    if (model && !rtl_has(model)) {
        fprintf(stderr, "model %s was not built (FAULTLINE_RTL_MODELS)\n", model);
        return 2;
    }
    return (model ? random_programs_on(model, seed, count) : random_programs(seed, count)) ? 1 : 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--models") == 0)
        return CHECK_RUN("rtl_models", CHECK(all_jobs_agree_on_every_model));
    if (argc > 1)
        return cosim(argc, argv);
    return CHECK_RUN("rtl", CHECK(self_tests_agree),
                     CHECK(faults_have_the_same_outcomes_in_both_engines),
                     CHECK(hangs_of_workloads_are_hangs_in_both_engines),
                     CHECK(the_trace_of_a_fault_is_not_told_on_the_rtl), CHECK(workloads_agree),
                     CHECK(a_program_that_differs_is_shrunk), CHECK(random_programs_agree));
}
