/* test_sweep.c -- what docs/explain/sbst.md promises of a range of line-entries, held against every request that sbstgen takes.
 *
 *     test_sweep            a sample of the requests
 *     test_sweep minimal    every request with --patterns minimal: three minutes in the release build
 *     test_sweep all        every method, option and range, two profiles and a target: an hour of one processor
 *     test_sweep all 2/4    the second quarter of that
 *
 * A request is refused with what to choose instead, or its program uses no line-entry behind its range, and finds the
 * faults of the range that it promises. Only those are injected. Many requests lead to one program: it is judged once.
 */
#include "faultsim/permanent/campaign.h"
#include "sm/job/job.h"
#include "gen/sbst.h"
#include "tests/lib/faults.h"
#include "tests/lib/tools.h"

static bool all, minimal;
static int slice = 1, slices = 1;
static char *scratch; /* a folder of this run, removed at the end */
static struct sbst_library *lib;
static struct sbst_machine machine; /* profile flexgripplus */

static struct {
    long requests, refused, programs, distinct, faults, failures;
} count;

/* ---- programs seen ---- */

enum { SEEN = 1 << 16 }; /* more than twice the programs */
static uint64_t seen[SEEN];

/* Whether a program with this code was judged for this request before. The first lines name the command: they differ. */
static bool seen_before(const struct sbst_program *p, const struct sbst_request *r)
{
    struct fl_buf source = {0};
    sbst_write_source(p, &source);
    char *promise = fl_format("%d-%d %d%d%d%d%d", r->le_first, r->le_last, r->nesting, r->minimal,
                              r->pc, r->flow_id, r->landing_pads);
    const uint8_t *code = (const uint8_t *)strstr((const char *)source.data, "\n\n");
    const struct job_range range[] = {{code, source.size - (size_t)(code - source.data)},
                                      {(const uint8_t *)promise, strlen(promise)}};
    uint8_t digest[32];
    uint64_t key;
    job_sha256(range, 2, digest);
    memcpy(&key, digest, sizeof key);
    size_t at = key % SEEN;
    while (seen[at] && seen[at] != key)
        at = (at + 1) % SEEN;
    bool known = seen[at] == key;
    seen[at] = key;
    free(promise);
    fl_buf_free(&source);
    return known;
}

/* ---- one program ---- */

static void fail(const struct sbst_request *r, const struct sbst_machine *m, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void fail(const struct sbst_request *r, const struct sbst_machine *m, const char *fmt, ...)
{
    char *options = sbst_options(r);
    va_list ap;
    va_start(ap, fmt);
    if (count.failures++ < 20) {
        printf("\n    --method %s --le %d-%d%s --profile %s: ",
               r->nesting ? "nesting" : "sync-trick", r->le_first, r->le_last, options, m->profile);
        vprintf(fmt, ap);
    }
    va_end(ap);
    free(options);
}

/* The deepest LE that the listing names. */
static int deepest(const struct sbst_program *p)
{
    int le = 0;
    for (int i = 0; i < p->nkernels; i++)
        for (int j = 0; j < p->kernel[i].nsteps; j++)
            le = p->kernel[i].step[j].le > le ? p->kernel[i].step[j].le : le;
    return le;
}

/* The faults of the range that its tests promise to find, as patterns for faultsim. */
static int promised(const struct sbst_request *r, char pattern[4][64])
{
    int n = 0, first = r->le_first, last = r->le_last;
    snprintf(pattern[n++], 64, "dstack/le%d-%d/tm*:sa*", first, last);
    if (r->target)
        return n;
    if (r->pc)
        snprintf(pattern[n++], 64, "dstack/le%d-%d/spc*:sa*", first, last);
    if (r->flow_id) {
        snprintf(pattern[n++], 64, "dstack/le%d-%d/id*:sa*", first, last);
    } else if (r->nesting) {
        snprintf(pattern[n++], 64, "dstack/le%d-%d/id0:sa*", first, last);
        snprintf(pattern[n++], 64, "dstack/le%d-%d/id1:sa1", first, last);
    }
    return n;
}

/* Whether the fault must be seen as a silent corruption, with no trap, hang or timeout. */
static bool silent(const struct sbst_request *r, const struct sbst_machine *m, const char *id)
{
    int bit = 0;
    const char *spc = strstr(id, "/spc");
    if (r->landing_pads)
        return !spc || sscanf(spc, "/spc%d", &bit) != 1 || bit < m->code_bits;
    return !r->flow_id && strstr(id, "/tm");
}

/* The deepest LE that the fault-free machine pops. */
static int popped(const struct fsim_campaign *c)
{
    const struct activations *a = c->golden->activations;
    struct sm_cell cell = {.structure = SM_S_dstack,
                           .index = {0, c->img->profile.stack_entries - 1}};
    while (cell.index[1] >= 0 && activation_of(a, &cell, 0, 0) == FSIM_NEVER &&
           activation_of(a, &cell, 1, 0) == FSIM_NEVER)
        cell.index[1]--;
    return cell.index[1] + 1;
}

/* Runs a program and injects the promised faults; `job` must live as long as the campaign. */
static int run(const struct sbst_program *p, const struct sbst_request *r, struct job **job,
               struct fsim_campaign *c, struct fl_err *err)
{
    char pattern[4][64];
    const char *list[] = {pattern[0], pattern[1], pattern[2], pattern[3]};
    const struct fsim_options opt = {.run.threads = 1, .run.max_cycles = 10000000};
    uint8_t digest[32];
    char *path = fl_format("%s/%s.job.xml", scratch, p->name);
    int bad = sbst_check_space(p, err) != 0 ||
              sbst_write_files(p, 1, NULL, scratch, NULL, err) != 0 ||
              job_load(path, NULL, job, err) != 0;
    bad = bad || faults_run(c, *job, list, promised(r, pattern), NULL, &opt, err) != 0;
    free(path);
    if (bad)
        return -1;
    gpu_outputs_digest(c->golden->end, digest);
    if (memcmp(digest, (*job)->digest, sizeof digest) != 0)
        return fl_fail(err, "%s: other outputs than computed", p->name);
    if (popped(c) != deepest(p))
        return fl_fail(err, "%s: pops LE %d, its listing names LE %d", p->name, popped(c),
                       deepest(p));
    return 0;
}

static void check_results(const struct fsim_campaign *c, int n, const struct sbst_request *r,
                          const struct sbst_machine *m)
{
    const struct fsim_list *list = &c[0].list;
    struct fsim_result *result = fl_alloc((size_t)list->count * sizeof *result);
    char id[FSIM_ID], first[FSIM_ID];
    long missed = 0;
    fsim_union(c, n, result);
    for (long i = 0; i < list->count; i++) {
        fsim_id(c[0].img, &list->fault[i], id);
        bool good = result[i].untestable || (silent(r, m, id) ? result[i].outcome == OUT_SDC
                                                              : fsim_detected(&result[i], false));
        if (!good && missed++ == 0)
            memcpy(first, id, sizeof first);
    }
    count.faults += list->count;
    if (missed)
        fail(r, m, "%ld of %ld faults are not seen as promised, first %s", missed, list->count,
             first);
    free(result);
}

/* The programs together find what the request promises. */
static void judge(const struct sbst_program *p, int n, const struct sbst_request *r,
                  const struct sbst_machine *m)
{
    struct fsim_campaign *c = fl_alloc((size_t)n * sizeof *c);
    struct job **job = fl_alloc((size_t)n * sizeof *job);
    struct fl_err err = {{0}};
    int bad = 0;
    for (int i = 0; i < n && !bad; i++)
        bad = run(&p[i], r, &job[i], &c[i], &err);
    if (bad)
        fail(r, m, "%s", err.msg);
    else
        check_results(c, n, r, m);
    for (int i = 0; i < n; i++) {
        if (c[i].img)
            fsim_campaign_free(&c[i]);
        job_free(job[i]);
    }
    free(job);
    free(c);
}

/* The last LE that a program of the range uses: merged routines test LE 1 with the help of LE 2, pads up to LE 3. */
static int last_used(const struct sbst_request *r)
{
    bool merged = r->minimal && !r->nesting && r->pc && r->flow_id;
    int least = r->landing_pads ? SBST_PAD_LES : merged ? 2 : 1;
    return r->le_last < least ? least : r->le_last;
}

static void check_program(const struct sbst_request *r, const struct sbst_machine *m)
{
    struct sbst_program p;
    struct fl_err err = {{0}};
    count.programs++;
    if (sbst_compose(lib, m, r, &p, &err) != 0) {
        fail(r, m, "%s", err.msg);
        return;
    }
    if (!seen_before(&p, r)) {
        count.distinct++;
        if (deepest(&p) != last_used(r))
            fail(r, m, "its listing names LE %d", deepest(&p));
        judge(&p, 1, r, m);
    }
    sbst_program_free(&p);
}

/* Programs, once, in which a stack entry that should hold 2^n was read as 0 and started the program again. */
static void wrong_address_that_starts_the_program_again_is_seen(void)
{
    static const struct sbst_request r[] = {
        {.le_first = 7, .le_last = 9, .pc = true},
        {.le_first = 14, .le_last = 18, .pc = true},
    };
    for (int i = 0; i < (all ? 2 : 1); i++)
        check_program(&r[i], &machine);
    CU_ASSERT_EQUAL(count.failures, 0);
}

static void parts_of_a_range_find_what_one_program_finds(void)
{
    static const struct sbst_request r[] = {
        {.le_first = 1, .le_last = 14, .minimal = true, .pc = true},
        {.le_first = 5, .le_last = 24, .minimal = true, .flow_id = true},
        {.le_first = 1, .le_last = 32, .minimal = true, .pc = true},
        {.le_first = 1, .le_last = 32, .minimal = true, .flow_id = true},
        {.le_first = 1, .le_last = 32, .minimal = true, .pc = true, .flow_id = true},
        {.le_first = 1, .le_last = 3, .nesting = true, .minimal = true, .pc = true},
    };
    const struct sbst_budget budget = {.cycles = 4000};
    for (size_t i = 0; i < (all ? sizeof r / sizeof r[0] : SANITIZED ? 1 : 2); i++) {
        struct sbst_program *part = NULL;
        struct fl_err err = {{0}};
        int n = 0;
        if (sbst_split(lib, &machine, &r[i], &budget, &part, &n, &err) != 0)
            fail(&r[i], &machine, "%s", err.msg);
        else
            judge(part, n, &r[i], &machine);
        CU_ASSERT_TRUE(n > 1);
        for (int j = 0; j < n; j++)
            sbst_program_free(&part[j]);
        free(part);
    }
    CU_ASSERT_EQUAL(count.failures, 0);
}

/* ---- all requests ---- */

static void check_request(const struct sbst_request *r, const struct sbst_machine *m)
{
    struct fl_err err = {{0}};
    count.requests++;
    if (sbst_request_check(r, m, &err) != 0) {
        count.refused++;
        if (!strstr(err.msg, "; use --") && !strstr(err.msg, "; say "))
            fail(r, m, "refused without what to choose instead: %s", err.msg);
        return;
    }
    struct sbst_request one = *r;
    for (int le = r->le_first; r->approach == SBST_IND && le <= r->le_last; le++) {
        one.le_first = one.le_last = le;
        check_program(&one, m);
    }
    if (r->approach == SBST_ACC)
        check_program(r, m);
}

/* Of the sample: ranges at both ends, one LE and three, and in the middle. */
static bool in_sample(const struct sbst_request *r)
{
    int first = r->le_first, les = r->le_last - first + 1;
    bool few = (first <= 4 || first == 30) && (les == 1 || les == 3);
    return r->minimal &&
           (minimal || (few && (first + les + r->pc + r->flow_id) % (SANITIZED ? 9 : 3) == 0));
}

static void sweep(const struct sbst_machine *m, const struct sbst_target *target)
{
    int number = 0;
    for (int options = 0; options < 48; options++)
        for (int first = 1; first <= m->stack_entries; first++)
            for (int last = first; last <= m->stack_entries; last++) {
                struct sbst_request r = {
                    .le_first = first, .le_last = last, .warps = 1, .target = target};
                r.pc = options & 1;
                r.flow_id = options & 2;
                r.landing_pads = options & 4;
                r.minimal = options & 8;
                r.nesting = options / 16 == 2;
                r.approach = options / 16 == 1 ? SBST_IND : SBST_ACC;
                if ((all || in_sample(&r)) && number++ % slices == slice - 1)
                    check_request(&r, m);
            }
}

static void every_request_is_refused_or_finds_the_faults_of_its_range(void)
{
    struct sbst_machine g80, foreign;
    struct fl_err err = {{0}};
    sweep(&machine, NULL);
    CU_ASSERT_EQUAL_FATAL(sbst_machine_load(FAULTLINE_SOURCE_DIR, "g80", &g80, &err), 0);
    sweep(&g80, NULL);
    sbst_machine_free(&g80);
    const struct sbst_target *target = sbst_target_find("flexgripplus");
    CU_ASSERT_EQUAL_FATAL(sbst_machine_load(FAULTLINE_SOURCE_DIR, target->profile, &foreign, &err),
                          0);
    sweep(&foreign, target);
    sbst_machine_free(&foreign);
    printf("\n    %ld requests, %ld refused; %ld programs, %ld distinct; %ld faults injected; %ld "
           "failures ",
           count.requests, count.refused, count.programs, count.distinct, count.faults,
           count.failures);
    CU_ASSERT_EQUAL(count.failures, 0);
    CU_ASSERT_TRUE(count.refused > 0 && count.distinct > 0);
}

int main(int argc, char **argv)
{
    struct fl_err err = {{0}};
    all = argc > 1 && strcmp(argv[1], "all") == 0;
    minimal = argc > 1 && strcmp(argv[1], "minimal") == 0;
    if (argc > 2 && (sscanf(argv[2], "%d/%d", &slice, &slices) != 2 || slice < 1 || slice > slices))
        return 2;
    if (sbst_library_load(FAULTLINE_SOURCE_DIR, &lib, &err) != 0 ||
        sbst_machine_load(FAULTLINE_SOURCE_DIR, "flexgripplus", &machine, &err) != 0) {
        printf("%s\n", err.msg);
        return 1;
    }
    scratch = tools_folder();
    int status = CHECK_RUN("sweep",
                           CHECK(every_request_is_refused_or_finds_the_faults_of_its_range),
                           CHECK(wrong_address_that_starts_the_program_again_is_seen),
                           CHECK(parts_of_a_range_find_what_one_program_finds));
    tools_remove(scratch);
    sbst_machine_free(&machine);
    sbst_library_free(lib);
    return status;
}
