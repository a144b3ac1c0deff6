/* test_gen.c -- self-test programs: what the manifest may say, where patterns lie, what the files hold; and on the C
 * model: the outputs that gen computed, and every TM stuck-at fault of the LEs under test seen as a silent corruption.
 */
#include "tests/lib/check.h"

#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "asm/isa/isa.h"
#include "gen/sbst.h"
#include "sm/sm.h"
#include "tests/lib/tools.h"

static char *scratch; /* a folder of this run, removed at the end */

/* Under AddressSanitizer the long loops take a selection of their cases; scripts/test runs all in the release build. */
/* ---- helpers ---- */

static struct fixture {
    struct sbst_library *lib;
    struct sbst_machine machine;
} fixture;

static bool load(void)
{
    struct fl_err err = {0};
    bool good = sbst_library_load(FAULTLINE_SOURCE_DIR, &fixture.lib, &err) == 0 &&
                sbst_machine_load(FAULTLINE_SOURCE_DIR, "flexgripplus", &fixture.machine, &err) ==
                    0;
    if (!good)
        printf("%s\n", err.msg);
    return good;
}

static void unload(void)
{
    sbst_library_free(fixture.lib);
    sbst_machine_free(&fixture.machine);
}

static struct sbst_program make_request(const struct sbst_request *r)
{
    struct fl_err err = {0};
    struct sbst_program p;
    int bad = (r->nesting ? sbst_nesting : sbst_sync_trick)(fixture.lib, &fixture.machine, r, &p,
                                                            &err);
    if (bad)
        printf("\n    %s\n", err.msg);
    CU_ASSERT_EQUAL_FATAL(bad, 0);
    return p;
}

static struct sbst_program make(int first, int last, enum sbst_approach approach, bool checkpoint)
{
    return make_request(&(struct sbst_request){
        .le_first = first, .le_last = last, .approach = approach, .checkpoint = checkpoint});
}

static int files_in(const char *folder)
{
    char *path = fl_format("%s/%s", scratch, folder);
    DIR *d = opendir(path);
    int count = 0;
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    if (d)
        closedir(d);
    free(path);
    return count;
}

/* ---- the library ---- */

/* Loads the library from a copy of the data in which one string of the manifest is replaced; the message in err. */
static bool loads_with(const char *old, const char *new, struct fl_err *err)
{
    struct fl_buf out = {0}, text = {0}, changed = {0};
    char path[4200];
    tools_run(scratch, &out,
              "rm -rf data && mkdir -p data/docs && cp -r %s/sbst data && "
              "cp %s/docs/sbst-manifest.rng data/docs",
              FAULTLINE_SOURCE_DIR, FAULTLINE_SOURCE_DIR);
    snprintf(path, sizeof path, "%s/data/sbst/manifest.xml", scratch);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &text, err), 0);
    const char *at = strstr((const char *)text.data, old);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    size_t before = (size_t)(at - (const char *)text.data);
    fl_buf_printf(&changed, "%.*s%s%s", (int)before, (const char *)text.data, new,
                  at + strlen(old));
    CU_ASSERT_EQUAL_FATAL(fl_write_file(path, changed.data, changed.size, err), 0);
    char root[4200];
    snprintf(root, sizeof root, "%s/data", scratch);
    struct sbst_library *lib = NULL;
    bool good = sbst_library_load(root, &lib, err) == 0;
    sbst_library_free(lib);
    fl_buf_free(&out);
    fl_buf_free(&text);
    fl_buf_free(&changed);
    return good;
}

static void manifest_that_breaks_its_schema_is_refused_with_the_line(void)
{
    struct fl_err err = {0};
    CU_ASSERT_TRUE(
        loads_with("version=\"1\"", "version=\"1\"", &err)); /* the copy itself is fine */
    CU_ASSERT_FALSE(loads_with("holds=\"scratch\"", "", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "manifest.xml:9: "));
    CU_ASSERT_FALSE(loads_with("threads=\"one\"", "threads=\"two\"", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "manifest.xml:"));
    CU_ASSERT_FALSE(loads_with("</sbst>", "", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "manifest.xml:"));
}

static void manifest_that_names_what_is_not_there_is_refused(void)
{
    struct fl_err err = {0};
    CU_ASSERT_FALSE(loads_with("needs=\"TID SIG CHK\"", "needs=\"TID SIG XYZ\"", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "'XYZ'"));
    CU_ASSERT_FALSE(loads_with("<uses routine=\"update\"/>", "<uses routine=\"finish\"/>", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "'finish'"));
    CU_ASSERT_FALSE(loads_with("param=\"taken\"", "param=\"token\"", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "'token'"));
    CU_ASSERT_FALSE(loads_with("file=\"ssy.sasm\"", "file=\"nossy.sasm\"", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "nossy.sasm"));
}

static void manifest_parameters_that_differ_from_the_macro_are_refused(void)
{
    struct fl_err err = {0};
    CU_ASSERT_FALSE(loads_with("<param name=\"target\" type=\"label\"/>",
                               "<param name=\"there\" type=\"label\"/>", &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, ".macro sbst_ssy there"));
}

/* ---- composition ---- */

static void constants_of_different_places_differ(void)
{
    enum { COUNT = 2 * 33 * 35 * 3 };
    uint32_t *all = fl_alloc(COUNT * sizeof *all);
    int n = 0, same = 0;
    for (int life = 1; life <= 2; life++)
        for (int le = 0; le <= 32; le++)
            for (int place = 0; place <= SBST_PLACE_SEED; place++)
                for (int role = SBST_TAKEN; role <= SBST_CHECK; role++)
                    all[n++] = sbst_constant(life, le, place, (enum sbst_role)role);
    CU_ASSERT_EQUAL(n, COUNT);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            same += all[i] == all[j];
    CU_ASSERT_EQUAL(same, 0);
    free(all);
}

/* One that came twice would hide a fault that runs one place for the other. */
static void every_place_of_a_program_has_constants_of_its_own(void)
{
    static const struct sbst_request request[] = {
        {.le_first = 1, .le_last = 3, .checkpoint = true},
        {.le_first = 1, .le_last = 4, .approach = SBST_IND},
        {.le_first = 1, .le_last = 3, .flow_id = true},
    };
    for (size_t r = 0; r < sizeof request / sizeof *request; r++) {
        struct sbst_program p = make_request(&request[r]);
        uint32_t all[2048];
        int n = 0, same = 0;
        for (int i = 0; i < p.nkernels; i++)
            for (int j = 0; j < p.kernel[i].nsteps; j++) {
                const struct sbst_step *s = &p.kernel[i].step[j];
                for (int a = 0; a < s->routine->nparams; a++)
                    if (strstr("taken not_taken check", s->routine->param[a].name) && n < 2048)
                        all[n++] = s->value[a];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                same += all[i] == all[j];
        CU_ASSERT(n > 96 && n < 2048);
        CU_ASSERT_EQUAL(same, 0);
        sbst_program_free(&p);
    }
}

/* The threads of the patterns that lie in LE `le`, and their number. */
static uint32_t pattern_threads(const struct sbst_kernel *k, const char *routine, int le,
                                int *count)
{
    uint32_t threads = 0;
    for (int i = 0; i < k->nsteps; i++)
        if (strcmp(k->step[i].routine->name, routine) == 0 && k->step[i].le == le) {
            threads |= (uint32_t)1 << k->step[i].value[0];
            ++*count;
        }
    return threads;
}

static void patterns_of_every_thread_lie_in_each_le_of_the_range_and_in_no_other(void)
{
    for (int first = 2; first <= 32; first += SANITIZED ? 15 : 5)
        for (int last = first; last <= 32; last += SANITIZED ? 7 : 1) {
            struct sbst_program p = make(first, last, SBST_ACC, last % 2);
            CU_ASSERT_EQUAL(p.nkernels, 1);
            for (int le = 1; le <= 32; le++) {
                int count = 0;
                uint32_t threads = pattern_threads(&p.kernel[0], "divergence", le, &count);
                CU_ASSERT_EQUAL(threads, le >= first && le <= last ? 0xffffffff : 0);
                CU_ASSERT_EQUAL(count, le >= first && le <= last ? 32 : 0);
            }
            sbst_program_free(&p);
        }
}

static void each_life_peels_its_half_of_the_warp_from_le_1(void)
{
    for (int last = 1; last <= 32; last += 31) {
        struct sbst_program p = make(1, last, SBST_ACC, false);
        CU_ASSERT_EQUAL(p.nkernels, 2);
        for (int life = 0; life < 2; life++) {
            int count = 0;
            uint32_t threads = pattern_threads(&p.kernel[life], "peel", 1, &count);
            CU_ASSERT_EQUAL(threads, life == 0 ? 0x0000ffff : 0xffff0000);
            CU_ASSERT_EQUAL(count, 16);
            for (int le = 2; le <= 32; le++)
                CU_ASSERT_EQUAL(pattern_threads(&p.kernel[life], "peel", le, &count), 0);
        }
        sbst_program_free(&p);
    }
}

static void composition_that_the_manifest_forbids_is_refused(void)
{
    struct fl_err err = {0};
    struct sbst_program p = {.lib = fixture.lib, .machine = &fixture.machine, .nkernels = 1};
    struct sbst_kernel *k = &p.kernel[0];
    k->name = fl_strdup("k");
    const struct sbst_arg check[] = {{"check", 1, NULL}}, target[] = {{"target", 0, "x"}};
    const struct sbst_arg seeds[] = {{"sig_seed", 1, NULL}, {"chk_seed", 2, NULL}};
    const struct sbst_arg expect[] = {
        {"expected", 3, NULL}, {"next", 1, NULL}, {"handler", 0, "x"}};
    CU_ASSERT_NOT_EQUAL(sbst_add(&p, k, "finish", "a", NULL, 0, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "needs register SIG"));
    CU_ASSERT_EQUAL(sbst_add(&p, k, "init", "b", seeds, 2, &err), 0);
    CU_ASSERT_NOT_EQUAL(sbst_add(&p, k, "join", "c", check, 1, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "pops 1 entries, there are 0"));
    CU_ASSERT_NOT_EQUAL(sbst_add(&p, k, "join", "d", target, 1, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "'check'"));
    CU_ASSERT_NOT_EQUAL(sbst_add(&p, k, "checkpoint", "e", expect, 3, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "expects 0x00000003"));
    CU_ASSERT_NOT_EQUAL(sbst_add(&p, k, "teapot", "f", NULL, 0, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "no routine 'teapot'"));
    for (int i = 0; i < 32; i++)
        CU_ASSERT_EQUAL(sbst_add(&p, k, "ssy", "g", target, 1, &err), 0);
    CU_ASSERT_NOT_EQUAL(sbst_add(&p, k, "ssy", "h", target, 1, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "needs LE 33"));
    CU_ASSERT_NOT_EQUAL(sbst_close(&p, k, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "32 entries"));
    sbst_program_free(&p);
}

static void one_more_le_costs_about_what_the_paper_says(void) /* 391 instructions */
{
    struct sbst_program nine = make(1, 9, SBST_ACC, true), ten = make(1, 10, SBST_ACC, true);
    int more = ten.kernel[0].instructions - nine.kernel[0].instructions;
    CU_ASSERT_TRUE(more > 391 * 3 / 4 && more < 391 * 5 / 4);
    sbst_program_free(&nine);
    sbst_program_free(&ten);
}

/* ---- on the C model ---- */

struct running {
    struct job *job;
    struct sm_image *image;
};

static struct running open_job(const struct sbst_program *p)
{
    struct fl_err err = {0};
    struct running r = {0};
    char path[4200];
    int bad = sbst_write_files(p, 1, NULL, scratch, &err);
    snprintf(path, sizeof path, "%s/%s.job.xml", scratch, p->name);
    bad = bad || job_load(path, NULL, &r.job, &err) != 0;
    bad = bad || !(r.image = sm_image_new(r.job, &err));
    if (bad)
        printf("\n    %s\n", err.msg);
    CU_ASSERT_EQUAL_FATAL(bad, 0);
    return r;
}

static void close_job(struct running *r)
{
    sm_image_free(r->image);
    job_free(r->job);
}

#define ACC(first, last, ...)                                                                      \
    {                                                                                              \
        .le_first = first, .le_last = last, __VA_ARGS__                                            \
    }
#define IND(le, ...)                                                                               \
    {                                                                                              \
        .le_first = le, .le_last = le, .approach = SBST_IND, __VA_ARGS__                           \
    }
#define CHECKED .checkpoint = true
#define FLOW    .pc = true, .flow_id = true
#define NESTING .nesting = true
#define MINIMAL .minimal = true
#define PADS    MINIMAL, FLOW, .landing_pads = true
static const struct sbst_request ranges[] = {
    IND(1, .pc = false),
    IND(1, CHECKED),
    IND(2, .pc = false),
    IND(3, CHECKED),
    IND(17, CHECKED),
    IND(32, FLOW),
    ACC(1, 2, FLOW, CHECKED),
    ACC(1, 4, CHECKED),
    ACC(2, 3, FLOW),
    ACC(5, 7, CHECKED),
    ACC(31, 32, CHECKED, .pc = true),
    ACC(1, 32, .flow_id = true),
    ACC(1, 32, CHECKED),
    IND(1, MINIMAL),
    IND(3, MINIMAL, FLOW),
    ACC(1, 2, MINIMAL),
    ACC(1, 3, MINIMAL, .pc = true),
    ACC(2, 3, MINIMAL),
    ACC(3, 4, MINIMAL),
    ACC(1, 2, MINIMAL, FLOW),
    ACC(5, 8, MINIMAL, FLOW),
    ACC(1, 32, MINIMAL),
    ACC(1, 32, MINIMAL, FLOW),
    IND(1, PADS),
    IND(3, PADS),
    ACC(1, 2, PADS),
    ACC(2, 4, PADS),
    ACC(4, 7, PADS),
    ACC(1, 32, PADS),
    ACC(1, 3, PADS, .warps = 3),
    ACC(1, 2, FLOW, .warps = 2),
    ACC(1, 1, CHECKED, .warps = 17),
    ACC(1, 32, MINIMAL, FLOW, .warps = 24),
    ACC(1, 3, NESTING, MINIMAL, .warps = 3),
    ACC(1, 1, NESTING, FLOW),
    ACC(1, 2, NESTING, CHECKED),
    ACC(2, 2, NESTING),
    ACC(2, 4, NESTING, CHECKED),
    ACC(7, 9, NESTING, FLOW, CHECKED),
    ACC(31, 32, NESTING),
    ACC(1, 32, NESTING, CHECKED),
    ACC(1, 1, NESTING, MINIMAL),
    ACC(1, 3, NESTING, MINIMAL, CHECKED),
    ACC(30, 32, NESTING, MINIMAL),
    ACC(1, 32, NESTING, MINIMAL, FLOW),
};
enum { RANGES = sizeof ranges / sizeof ranges[0] };

/* The program of ranges[i], its job, and the machine at its end: made once for all tests. */
struct sample {
    struct sbst_program program;
    struct running job;
    struct sm *end;
};
static struct sample samples[RANGES];

static const struct sample *sample(int i)
{
    struct sample *s = &samples[i];
    if (!s->end) {
        s->program = make_request(&ranges[i]);
        s->job = open_job(&s->program);
        s->end = sm_new(s->job.image);
        sm_run(s->end, UINT64_MAX);
    }
    return s;
}

static void free_samples(void)
{
    for (int i = 0; i < RANGES; i++)
        if (samples[i].end) {
            sm_free(samples[i].end);
            close_job(&samples[i].job);
            sbst_program_free(&samples[i].program);
        }
}

/* Programs of many LEs are left to the release build. */
static bool skipped(int i)
{
    return SANITIZED && ranges[i].le_last - ranges[i].le_first > 2;
}

static int executed(const struct sbst_program *p)
{
    int sum = 0;
    for (int life = 0; life < p->nkernels; life++)
        sum += p->kernel[life].executed;
    return sum;
}

static void machine_comes_to_the_outputs_that_gen_computed(void)
{
    for (int i = 0; i < RANGES; i++) {
        if (skipped(i))
            continue;
        const struct sample *s = sample(i);
        const struct sbst_program *p = &s->program;
        CU_ASSERT_EQUAL(s->end->s.trap, TRAP_NONE);
        CU_ASSERT_TRUE(s->end->s.done);
        for (int life = 0; life < p->nkernels; life++) {
            for (int warp = 0; warp < p->warps; warp++) {
                uint32_t out[SBST_SIGNATURES][SBST_LANES];
                int buffer = p->one_buffer ? 0 : life;
                int writer = p->one_buffer ? p->nkernels - 1 : life;
                sm_read_global(s->end,
                               s->job.job->buffer[buffer].addr + (uint32_t)(warp * (int)sizeof out),
                               out, sizeof out);
                CU_ASSERT_EQUAL(memcmp(out, p->kernel[writer].output, sizeof out), 0);
            }
        }
        uint8_t digest[32];
        sm_outputs_digest(s->end, digest);
        CU_ASSERT_EQUAL(memcmp(digest, s->job.job->digest, sizeof digest), 0);
    }
}

static void gen_knows_the_cycles_of_one_warp(void)
{
    for (int i = 0; i < RANGES; i++)
        if (ranges[i].warps <= 1 && !skipped(i))
            CU_ASSERT_EQUAL(sm_cycles(sample(i)->end), (uint64_t)sbst_cycles(&sample(i)->program));
}

static void manifest_states_how_many_instructions_are_executed(void)
{
    for (int i = 0; i < RANGES; i++) {
        if (skipped(i))
            continue;
        const struct sbst_program *p = &sample(i)->program;
        int warps = p->blocks * sbst_block_warps(p);
        CU_ASSERT_EQUAL(sample(i)->end->s.instructions, (uint64_t)(executed(p) * warps));
    }
}

/* Pops of SYNC entries by a join elsewhere than at the address that they hold, or by unwinding with threads left. */
static int pops_that_need_this_machine(const struct running *r)
{
    struct sm *m = sm_new(r->image);
    struct sm_commit c;
    int bad = 0;
    for (m->record = &c; !sm_ended(m);) {
        sm_step(m);
        bool join = c.kind == COMMIT_INSTRUCTION && c.uop && c.uop->in.join;
        for (int i = 0; i < c.nstack; i++)
            if (!c.stack[i].push && c.stack[i].id == LE_SYNC)
                bad += join ? c.pc != c.stack[i].spc : c.active_after != 0;
    }
    sm_free(m);
    return bad;
}

static void programs_without_pc_and_flow_id_join_where_compiled_code_does(void)
{
    for (int i = 0; i < RANGES; i++) {
        bool portable = !ranges[i].pc && !ranges[i].flow_id;
        if ((!portable && !ranges[i].landing_pads) || (skipped(i) && !ranges[i].minimal))
            continue;
        int bad = pops_that_need_this_machine(&sample(i)->job);
        if (ranges[i].landing_pads && ranges[i].le_last > 1)
            CU_ASSERT_TRUE(bad > 0); /* the test can fail */
        if (portable)
            CU_ASSERT_EQUAL(bad, 0);
    }
}

/* Runs the job once for each stuck-at fault of TM in the LEs; the number that ends as anything but a silent corruption. */
static int tm_faults_not_sdc(const struct sm_image *image, const struct sm *golden, int first,
                             int last)
{
    uint64_t limit = 4 * sm_cycles(golden);
    struct sm *start = sm_new(image), *m = sm_new(image);
    int missed = 0;
    for (int fault = 0; fault < (last - first + 1) * 64; fault += SANITIZED ? 3 : 1) {
        int le = first + fault / 64, bit = fault % 64 / 2;
        struct sm_force force = {
            .offset = (uint32_t)(offsetof(struct sm_state, warp[0].tm) + 4 * (size_t)(le - 1)),
            .width = 4,
            .mask = (uint32_t)1 << bit,
            .value = fault % 2 ? (uint32_t)1 << bit : 0,
        };
        sm_copy(m, start);
        m->nforces = 0;
        sm_add_force(m, &force);
        sm_run(m, limit);
        if (!m->s.done || m->s.trap != TRAP_NONE || sm_outputs_equal(m, golden)) {
            printf("\n    dstack/le%d/tm%d:sa%d: done %u, trap %s, outputs %s", le, bit, fault % 2,
                   m->s.done, sm_trap_name((enum sm_trap)m->s.trap),
                   sm_outputs_equal(m, golden) ? "equal" : "differ");
            missed++;
        }
    }
    sm_free(start);
    sm_free(m);
    return missed;
}

static void every_tm_stuck_at_fault_is_a_silent_corruption_in_the_ind_program_of_its_le(void)
{
    for (int le = 1; le <= 32; le += SANITIZED && le > 1 ? 15 : 1) {
        struct sbst_program p = make_request(
            &(struct sbst_request)IND(le, .checkpoint = le % 3 == 0));
        struct running r = open_job(&p);
        struct sm *golden = sm_new(r.image);
        sm_run(golden, UINT64_MAX);
        CU_ASSERT_EQUAL(tm_faults_not_sdc(r.image, golden, le, le), 0);
        sm_free(golden);
        close_job(&r);
        sbst_program_free(&p);
    }
}

static void check_tm_faults(int i)
{
    CU_ASSERT_EQUAL(tm_faults_not_sdc(sample(i)->job.image, sample(i)->end, ranges[i].le_first,
                                      ranges[i].le_last),
                    0);
}

static void every_tm_stuck_at_fault_is_a_silent_corruption_in_acc_programs_of_its_range(void)
{
    for (int i = 0; i < RANGES; i++)
        if (ranges[i].approach == SBST_ACC && !ranges[i].nesting && !ranges[i].flow_id &&
            !(SANITIZED && ranges[i].le_last - ranges[i].le_first > 1))
            check_tm_faults(i);
}

static void every_tm_stuck_at_fault_is_a_silent_corruption_in_nesting_programs_of_its_range(void)
{
    for (int i = 0; i < RANGES; i++)
        if (ranges[i].nesting && !ranges[i].flow_id &&
            !(SANITIZED && ranges[i].le_last - ranges[i].le_first > 1) &&
            !(ranges[i].le_last - ranges[i].le_first > 3 && !ranges[i].minimal)) /* minutes */
            check_tm_faults(i);
}

/* What faultsim says of a program for `les` LEs: testable faults of TM, ID and SPC that it detects. A stuck bit can break
 * threads for good, which traps, so only those of the programs without flow-id routines are all silent. */
static void check_coverage(const char *options, int les, int tm, int id, int spc)
{
    struct fl_buf out = {0};
    int status = tools_run(scratch, &out,
                           "rm -rf cover && sbstgen --le 1-%d %s -o cover && "
                           "faultsim --model stuck-at cover/*.job.xml >cover.txt 2>&1 && "
                           "grep -Eq ' %d of +%d .* %d of +%d .* %d of ' cover.txt",
                           les, options, tm, 64 * les, id, 4 * les, spc);
    if (status != 0) {
        tools_run(scratch, &out, "cat cover.txt");
        printf("\n    sbstgen %s: not %d, %d, %d\n%s", options, tm, id, spc, (char *)out.data);
    }
    CU_ASSERT_EQUAL(status, 0);
    fl_buf_free(&out);
}

/* Cycles of the program with so many warps. */
static uint64_t cycles_of(int warps, bool pads)
{
    struct sbst_request request = ACC(1, 32, MINIMAL, FLOW);
    request.warps = warps;
    request.landing_pads = pads;
    struct sbst_program p = make_request(&request);
    struct running r = open_job(&p);
    struct sm *m = sm_new(r.image);
    sm_run(m, UINT64_MAX);
    uint64_t cycles = sm_cycles(m);
    sm_free(m);
    close_job(&r);
    sbst_program_free(&p);
    return cycles;
}

static void all_24_stacks_are_tested_in_at_most_5_5_times_the_cycles_of_one(void)
{
    for (int pads = SANITIZED; pads < 2; pads++)
        CU_ASSERT_TRUE(2 * cycles_of(24, pads) <= 11 * cycles_of(1, pads));
    struct fl_buf out = {0};
    static const char all[] =
        "dstack/w*/le*/tm*:sa*\\ndstack/w*/le*/id*:sa*\\ndstack/w*/le*/spc3-31:sa*\\n";
    static const char some[] = "dstack/w*/le5/id*:sa*\\ndstack/w7/le*/tm3:sa*\\n";
    CU_ASSERT_EQUAL(
        tools_run(scratch, &out,
                  "rm -rf cover && printf '%s' >warps.txt && sbstgen --method sync-trick --le 1-32 "
                  "--patterns minimal --pc --flow-id --warps 24 -o cover && "
                  "faultsim --model stuck-at --faults warps.txt cover/*.job.xml 2>&1",
                  SANITIZED ? some : all),
        0);
    CU_ASSERT_TRUE(tools_says(&out, SANITIZED ? " 160 faults" : " 96768 faults"));
    CU_ASSERT_TRUE(tools_says(&out, "100.00 %  100.00 %"));
    fl_buf_free(&out);
}

static void with_landing_pads_no_stack_of_24_traps(void)
{
    struct fl_buf out = {0};
    static const char all[] =
        "dstack/w*/le*/id*:sa*\\ndstack/w7/le*/tm*:sa*\\ndstack/w23/le*/spc3-31:sa*\\n";
    CU_ASSERT_EQUAL(
        tools_run(scratch, &out,
                  "rm -rf cover && printf '%s' >pads.txt && sbstgen --method sync-trick --le 1-32 "
                  "--patterns minimal --pc --flow-id --landing-pads --warps 24 --quiet -o cover && "
                  "faultsim --model stuck-at --faults pads.txt --csv-faults cover.csv --quiet "
                  "cover/*.job.xml && grep -c ,sdc,detected, cover.csv",
                  SANITIZED ? "dstack/w9/le*/id*:sa*\\n" : all),
        0);
    CU_ASSERT_EQUAL(atoi((char *)out.data), SANITIZED ? 128 : 24 * 128 + 2048 + 1856);
    fl_buf_free(&out);
}

/* The union of the parts finds what the whole finds, and each keeps the budget that the machine measures. */
static void parts_keep_their_budget_and_find_together_what_the_whole_finds(void)
{
    struct fl_buf out = {0};
    int les = SANITIZED ? 8 : 32;
    CU_ASSERT_EQUAL(
        tools_run(
            scratch, &out,
            "rm -rf parts && sbstgen --method sync-trick --le 1-%d --patterns minimal --pc "
            "--flow-id --max-cycles 2000 -o parts && for j in parts/*.job.xml; do smrun $j "
            "--expect | awk '/^cycles/ && $2 > 2000 { bad = 1 } END { exit bad }' || exit 1; "
            "done; test $(ls parts/*.job.xml | wc -l) = $(($(cat parts/*.csv | wc -l) - 1)) && "
            "faultsim --model stuck-at --faults dstack/le1-%d parts/*.job.xml | "
            "grep -A99 coverage | grep union",
            les, les),
        0);
    char *tm = fl_format("%d of  %4d 100", 64 * les, 64 * les);
    char *id = fl_format("%d of  %4d 100", 4 * les, 4 * les);
    char *spc = fl_format("%d of  %4d 100", 58 * les, 58 * les);
    CU_ASSERT_TRUE(tools_says(&out, tm));
    CU_ASSERT_TRUE(tools_says(&out, id));
    CU_ASSERT_TRUE(tools_says(&out, spc));
    free(tm);
    free(id);
    free(spc);
    fl_buf_free(&out);
}

static void parts_have_different_signatures(void)
{
    struct fl_err err = {0};
    const struct sbst_request request = ACC(1, 32, MINIMAL, FLOW);
    struct sbst_program *part = NULL;
    int count = 0;
    CU_ASSERT_EQUAL(sbst_split(fixture.lib, &fixture.machine, &request,
                               &(struct sbst_budget){.bytes = 480}, &part, &count, &err),
                    0);
    CU_ASSERT_TRUE(count > 3);
    for (int i = 0; i < count; i++) {
        uint8_t one[32], other[32];
        sbst_digest(&part[i], one);
        CU_ASSERT_TRUE(sbst_bytes(&part[i]) <= 480);
        for (int j = 0; j < i; j++) {
            sbst_digest(&part[j], other);
            CU_ASSERT_NOT_EQUAL(memcmp(one, other, sizeof one), 0);
        }
        sbst_program_free(&part[i]);
    }
    free(part);
}

static void nesting_alone_finds_all_but_the_id_bits_it_never_stores(void)
{
    check_coverage("--method nesting --patterns minimal --pc --profile tiny", 4, 256, 12, 232);
    if (SANITIZED)
        return;
    check_coverage("--method nesting --patterns minimal --pc", 32, 2048, 96, 1856);
    check_coverage("--method nesting --pc", 32, 2048, 96, 1856);
}

static void every_testable_fault_is_found_with_pc_and_flow_id(void)
{
    check_coverage("--method sync-trick --patterns minimal --pc --flow-id", 32, 2048, 128, 1856);
    check_coverage("--method nesting --patterns minimal --pc --flow-id --profile tiny", 4, 256, 16,
                   232);
    if (SANITIZED)
        return;
    check_coverage("--method nesting --patterns minimal --pc --flow-id", 32, 2048, 128, 1856);
    check_coverage("--method sync-trick --pc --flow-id", 32, 2048, 128, 1856);
    check_coverage("--method sync-trick --pc --flow-id --profile g80", 32, 2048, 128, 1600);
}

/* A campaign over the programs with landing pads; a line per fault in cover.csv. */
static void run_pads(const char *options, const char *faults)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(tools_run(scratch, &out,
                              "rm -rf cover && sbstgen --method sync-trick --patterns minimal --pc "
                              "--flow-id --landing-pads %s -o cover && faultsim --model stuck-at "
                              "--quiet --faults '%s' --csv-faults cover.csv cover/*.job.xml 2>&1",
                              options, faults),
                    0);
    fl_buf_free(&out);
}

/* Lines of cover.csv that an extended regular expression fits. */
static int faults_like(const char *expression)
{
    struct fl_buf out = {0};
    tools_run(scratch, &out, "grep -Ec '%s' cover.csv", expression);
    int count = out.size ? atoi((char *)out.data) : -1;
    fl_buf_free(&out);
    return count;
}

static void with_landing_pads_every_testable_fault_is_a_silent_corruption(void)
{
    run_pads("--le 1-32", SANITIZED ? "dstack/le5-8" : "dstack");
    CU_ASSERT_EQUAL(faults_like(",sdc,detected,"), SANITIZED ? 504 : 4032);
    struct fl_buf out = {0};
    tools_run(scratch, &out, "tail -2 cover/*.lst");
    CU_ASSERT_TRUE(
        tools_says(&out, "113 landing pads: 904 bytes of that code, at 0x15555558 to 0xeaaaaaa7"));
    fl_buf_free(&out);
    CU_ASSERT_EQUAL(faults_like(",undetectable-untestable,"), SANITIZED ? 24 : 192);
}

static void with_landing_pads_every_range_finds_the_faults_of_its_les(void)
{
    static const struct {
        const char *options, *les;
        int count;
    } range[] = {{"--le 2", "2", 1},         {"--le 1", "1", 1},       {"--le 3", "3", 1},
                 {"--le 1-2", "[12]", 2},    {"--le 1-3", "[1-3]", 3}, {"--le 4-6", "[4-6]", 3},
                 {"--le 30-32", "3[0-2]", 3}};
    for (size_t i = 0; i < sizeof range / sizeof range[0]; i++) {
        char expression[100];
        if (SANITIZED && i % 5 > 0)
            continue;
        run_pads(range[i].options, "dstack");
        snprintf(expression, sizeof expression, "/le%s/.*,sdc,detected,", range[i].les);
        CU_ASSERT_EQUAL(faults_like(expression), 126 * range[i].count);
    }
}

/* In the order of the schedule: the part that tests an LE comes before those that build on it. */
static void with_landing_pads_no_part_traps_before_another_has_told(void)
{
    struct fl_buf out = {0};
    if (SANITIZED)
        run_pads("--le 1-8 --max-cycles 4200", "dstack/le1-8");
    else
        run_pads("--le 1-32 --max-cycles 4600", "dstack");
    tools_run(scratch, &out,
              "awk -F, '/^#/ || /^job,id/ { next } !($1 in jobs) { jobs[$1] = 1; parts++ } "
              "$3 != \"masked\" && !($2 in seen) { seen[$2] = 1; if ($3 == \"sdc\") sdc++; else "
              "other++ } "
              "END { print sdc, other + 0, (parts > 1 ? \"parts\" : \"whole\") }' cover.csv");
    CU_ASSERT_TRUE(tools_says(&out, SANITIZED ? "1008 0 parts" : "4032 0 parts"));
    fl_buf_free(&out);
}

static void with_landing_pads_only_addresses_beyond_24_bits_trap_on_g80(void)
{
    int les = SANITIZED ? 4 : 32;
    run_pads("--le 1-32 --profile g80", SANITIZED ? "dstack/le5-8" : "dstack");
    CU_ASSERT_EQUAL(faults_like(",sdc,detected,"), 110 * les);
    CU_ASSERT_EQUAL(faults_like(",crash,detected,"), 8 * les);
    CU_ASSERT_EQUAL(faults_like("/spc(2[4-9]|3[01]):sa1,crash,detected,"), 8 * les);
    CU_ASSERT_EQUAL(faults_like(",masked,"), (6 + 8) * les);
}

/* Launch 2 alone, on what launch 1 leaves; but thread `wrong` has another check signature, or every one when -1. */
static void run_launch_2(const struct sbst_program *p, int wrong,
                         uint32_t out[SBST_SIGNATURES][SBST_LANES], uint64_t *instructions)
{
    struct fl_err err = {0};
    struct running r = open_job(p);
    sm_image_free(r.image);
    struct job_launch first = r.job->launch[0];
    r.job->launch[0] = r.job->launch[1];
    r.job->launch[1] = first;
    r.job->nlaunches = 1;
    size_t bytes = SBST_SIGNATURES * SBST_LANES * sizeof out[0][0];
    memcpy(out, p->kernel[0].output, bytes);
    for (int t = 0; t < SBST_LANES; t++)
        out[SBST_CHK][t] += wrong < 0 || t == wrong;
    memcpy(r.job->buffer[0].init, out, bytes);
    r.image = sm_image_new(r.job, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.image);
    struct sm *m = sm_new(r.image);
    sm_run(m, UINT64_MAX);
    CU_ASSERT_TRUE(m->s.done && m->s.trap == TRAP_NONE);
    sm_read_global(m, r.job->buffer[0].addr, out, (uint32_t)bytes);
    *instructions = m->s.instructions;
    sm_free(m);
    r.job->nlaunches = 2; /* so that both are freed */
    close_job(&r);
}

static void launch_that_finds_a_wrong_check_signature_stops(void)
{
    struct sbst_program p = make_request(&(struct sbst_request)ACC(1, 32, PADS));
    uint32_t out[SBST_SIGNATURES][SBST_LANES];
    uint64_t instructions;
    for (int wrong = -1; wrong < SBST_LANES; wrong += 11) {
        run_launch_2(&p, wrong, out, &instructions);
        CU_ASSERT_TRUE(wrong >= 0 || instructions < 20);
        for (int t = 0; t < SBST_LANES; t++) {
            bool stops = wrong < 0 || t % 16 == wrong % 16; /* the partner, too */
            CU_ASSERT_EQUAL(out[SBST_SIG][t], stops ? 0xffffffff : p.kernel[1].output[SBST_SIG][t]);
        }
    }
    sbst_program_free(&p);
}

static int pad_bytes(const struct sbst_program *p)
{
    int bytes = 0;
    for (int i = 0; i < p->nkernels; i++)
        for (int j = 0; j < p->kernel[i].nsteps; j++)
            if (strcmp(p->kernel[i].step[j].routine->name, "pad") == 0)
                bytes += p->kernel[i].step[j].cost.bytes;
    return bytes;
}

static void minimal_patterns_keep_their_budgets(void)
{
    struct sbst_program masks = make_request(&(struct sbst_request)ACC(1, 32, MINIMAL));
    CU_ASSERT_TRUE(executed(&masks) <= 200);
    struct sbst_program all = make_request(&(struct sbst_request)ACC(1, 32, MINIMAL, FLOW));
    CU_ASSERT_TRUE(executed(&all) <= 300);
    CU_ASSERT_TRUE(all.kernel[0].bytes + all.kernel[1].bytes <= 3000);
    struct sbst_program pads = make_request(&(struct sbst_request)ACC(1, 32, PADS));
    CU_ASSERT_TRUE(executed(&pads) <= 300); /* 450 would do */
    CU_ASSERT_TRUE(pad_bytes(&pads) > 0 && pad_bytes(&pads) <= 1024);
    CU_ASSERT_TRUE(sbst_bytes(&pads) - pad_bytes(&pads) <= 3000);
    sbst_program_free(&masks);
    sbst_program_free(&all);
    sbst_program_free(&pads);
}

/* Swaps the launches: what each life stores must not change. */
static void second_life_does_not_depend_on_the_first(void)
{
    struct sbst_program p = make(1, 3, SBST_ACC, true);
    struct running r = open_job(&p);
    sm_image_free(r.image);
    struct job_launch first = r.job->launch[0];
    r.job->launch[0] = r.job->launch[1];
    r.job->launch[1] = first;
    struct fl_err err = {0};
    r.image = sm_image_new(r.job, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(r.image);
    struct sm *m = sm_new(r.image);
    sm_run(m, UINT64_MAX);
    uint8_t digest[32];
    sm_outputs_digest(m, digest);
    CU_ASSERT_EQUAL(memcmp(digest, r.job->digest, sizeof digest), 0);
    sm_free(m);
    close_job(&r);
    sbst_program_free(&p);
}

/* Stuck-at-0 of one bit of LE 2, which holds SYNC entries from LE 3 on: the thread comes back at the last join with a
 * check signature that lags behind, and the check-point there stores what it found and what it expected. */
static void mismatch_stores_what_was_found_and_what_was_expected(void)
{
    struct sbst_program p = make(2, 4, SBST_ACC, true);
    struct running r = open_job(&p);
    struct sm *m = sm_new(r.image);
    const struct sm_force force = {
        .offset = (uint32_t)offsetof(struct sm_state, warp[0].tm[1]), .width = 4, .mask = 1 << 9};
    sm_add_force(m, &force);
    sm_run(m, UINT64_MAX);
    CU_ASSERT_EQUAL(m->s.trap, TRAP_NONE);
    uint32_t out[SBST_SIGNATURES][SBST_LANES], expected = 0;
    sm_read_global(m, r.job->buffer[0].addr, out, sizeof out);
    for (int i = 0; i < p.kernel[0].nsteps; i++)
        if (strcmp(p.kernel[0].step[i].label, "check_unwound") == 0)
            expected = p.kernel[0].step[i].value[0];
    CU_ASSERT_NOT_EQUAL(expected, 0);
    CU_ASSERT_EQUAL(out[SBST_CHK][9], expected);
    CU_ASSERT_NOT_EQUAL(out[SBST_SIG][9], expected);
    CU_ASSERT_NOT_EQUAL(out[SBST_SIG][9], 0xffffffff);
    for (int t = 0; t < SBST_LANES; t++) {
        CU_ASSERT_TRUE(t == 9 || out[SBST_CHK][t] == p.kernel[0].output[SBST_CHK][t]);
        CU_ASSERT_TRUE(t == 9 || out[SBST_SIG][t] == p.kernel[0].output[SBST_SIG][t]);
    }
    sm_free(m);
    close_job(&r);
    sbst_program_free(&p);
}

/* ---- files ---- */

static void listing_has_every_instruction_of_the_cubin_once(void)
{
    struct fl_err err = {0};
    struct sbst_program p = make(1, 3, SBST_ACC, true);
    struct fl_buf source = {0}, listing = {0};
    struct cubin *cubin = NULL;
    sbst_write_source(&p, &source);
    CU_ASSERT_EQUAL_FATAL(sbst_assemble(&p, &source, &cubin, &err), 0);
    CU_ASSERT_EQUAL_FATAL(sbst_write_listing(&p, cubin, &listing, &err), 0);
    int lines = 0, stated = p.kernel[0].instructions + p.kernel[1].instructions;
    for (const char *s = (const char *)listing.data; (s = strstr(s, "\n  ")); s++)
        lines += strspn(s + 3, "0123456789abcdef") == 6 && s[9] == ' ';
    CU_ASSERT_EQUAL(lines, stated);
    for (int i = 0; i < 2; i++)
        CU_ASSERT_EQUAL(cubin->kernel[i].code[0].size, (uint32_t)p.kernel[i].bytes);
    cubin_free(cubin);
    fl_buf_free(&source);
    fl_buf_free(&listing);
    sbst_program_free(&p);
}

static void routine_with_another_cost_than_its_row_states_is_refused(void)
{
    struct fl_err err = {0};
    CU_ASSERT_TRUE(loads_with("instructions=\"14\"", "instructions=\"13\"", &err));
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(tools_run(scratch, &out,
                              "mkdir cost && cp -r %s/profiles data && FAULTLINE_DATA=$PWD/data "
                              "sbstgen --method sync-trick --le 2 -o cost 2>&1",
                              FAULTLINE_SOURCE_DIR),
                    1);
    CU_ASSERT_TRUE(tools_says(&out, "routine 'divergence' states 13 instructions"));
    CU_ASSERT_EQUAL(files_in("cost"), 0);
    fl_buf_free(&out);
}

static void same_request_gives_the_same_bytes(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        tools_run(
            scratch, &out,
            "for d in a b; do sbstgen --method sync-trick --le 1-3 --approach ind --checkpoint "
            "-o $d || exit; done; diff -r a b && ls a"),
        0);
    CU_ASSERT_TRUE(tools_says(
        &out, "sync-trick-ind-le01.cubin\nsync-trick-ind-le01.job.xml\nsync-trick-ind-le01.lst\n"
              "sync-trick-ind-le01.sasm\nsync-trick-ind-le02.cubin\n"));
    fl_buf_free(&out);
}

static void wrong_usage_is_one_message_and_exit_2(void)
{
    static const struct {
        const char *args, *message;
    } wrong[] = {
        {"", "--method is missing"},
        {"--method teapot --le 1", "there is no method 'teapot'"},
        {"--method nesting --le 1 --approach ind", "with --method nesting use --approach acc"},
        {"--method sync-trick --le 1 --patterns minimal --checkpoint", "no check signature"},
        {"--method sync-trick --le 1-2 --patterns minimal --pc --flow-id --landing-pads --profile "
         "../two.xml",
         "--landing-pads takes 3 line-entries, profile ../two.xml has 2"},
        {"--method nesting --le 1 --landing-pads", "use --method sync-trick"},
        {"--method sync-trick --le 1 --landing-pads", "needs --patterns minimal, --pc and"},
        {"--method sync-trick --le 1 --patterns minimal --pc --landing-pads", "--flow-id"},
        {"--method sync-trick --le 1-9 --patterns minimal --pc --flow-id --landing-pads "
         "--max-bytes 100",
         "--max-bytes 100: LE 1 alone takes"},
        {"--method sync-trick --le 1 --patterns minimal --pc --flow-id --landing-pads --checkpoint",
         "no check signature"},
        {"--method sync-trick --le 1 --warps 25", "has 24 warp slots"},
        {"--method sync-trick --le 1 --warps 3 --profile tiny", "has 2 warp slots"},
        {"--method sync-trick --le 1 --warps 0", "'0' is not a number from 1"},
        {"--method sync-trick --le 1 --warps 1-2", "'1-2' is not a number from 1"},
        {"--method sync-trick --le 1 --max-cycles 100", "--max-cycles 100: LE 1 alone takes"},
        {"--method sync-trick --le 2-9 --max-bytes 3700",
         "--max-bytes 3700: LE 4 alone takes 3736"},
        {"--method sync-trick --le 1 --max-cycles 0", "'0' is not a number from 1"},
        {"--method sync-trick --le 1 --max-bytes x", "'x' is not a number from 1"},
        {"--method sync-trick --le 1 --max-cycles 9 --approach ind", "leave --approach ind out"},
        {"--method sync-trick --le 1 --max-cycles 9 --warps 2", "leave --warps 2 out"},
        {"--method nesting --le 1-33", "line-entries 1 to 32"},
        {"--method nesting --le 1 --patterns few", "there are no patterns 'few'"},
        {"--method sync-trick", "--le is missing"},
        {"--method sync-trick --le 0", "count from 1"},
        {"--method sync-trick --le 0-3", "count from 1"},
        {"--method sync-trick --le 33", "line-entries 1 to 32"},
        {"--method sync-trick --le 1-33", "line-entries 1 to 32"},
        {"--method sync-trick --le 4-5 --profile tiny", "line-entries 1 to 4"},
        {"--method sync-trick --le 10-1", "runs backwards"},
        {"--method sync-trick --le x", "not a range"},
        {"--method sync-trick --le ''", "not a range"},
        {"--method sync-trick --le -1", "not a range"},
        {"--method sync-trick --le 1-", "not a range"},
        {"--method sync-trick --le 1--2", "not a range"},
        {"--method sync-trick --le 1-2-3", "not a range"},
        {"--method sync-trick --le 99999999999999999999", "not a range"},
        {"--method sync-trick --le 1 --approach both", "there is no approach 'both'"},
        {"--method sync-trick --le 1 --profile teapot", "there is no profile 'teapot'"},
        {"--method sync-trick --le 1 more", "'more' belongs to no option"},
        {"--method sync-trick --le 1 --teapot", "unknown option '--teapot'"},
        {"--method sync-trick --le", "--le needs a value"},
        {"--method sync-trick --le 1 -x", "unknown option '-x'"},
    };
    struct fl_buf out = {0};
    tools_run(scratch, &out,
              "mkdir wrong && sed 's|<stack_entries>32|<stack_entries>2|' "
              "%s/profiles/flexgripplus.xml >two.xml",
              FAULTLINE_SOURCE_DIR);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i += SANITIZED ? 4 : 1) {
        int status = tools_run(scratch, &out, "cd wrong && sbstgen %s 2>&1", wrong[i].args);
        bool good = status == 2 && tools_says(&out, wrong[i].message) &&
                    strncmp((char *)out.data, "sbstgen: ", 9) == 0;
        if (!good)
            printf("\n    sbstgen %s: exit %d, %s", wrong[i].args, status,
                   out.size ? (char *)out.data : "no message");
        CU_ASSERT_TRUE(good);
    }
    CU_ASSERT_EQUAL(files_in("wrong"), 0);
    fl_buf_free(&out);
}

static void code_that_does_not_fit_the_code_space_is_wrong_usage(void)
{
    struct fl_buf out = {0};
    static const char *const options[] = {"--pc", "--patterns paper"};
    static const char *const message[] = {"below the far block at 0x5558 there is room for 21848",
                                          "has a code space of 0x10000 bytes"};
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(
            tools_run(
                scratch, &out,
                "mkdir -p small && sed 's|<code_bits>32|<code_bits>16|' "
                "%s/profiles/flexgripplus.xml >small.xml && "
                "sbstgen --method sync-trick --le 1-32 %s --profile ./small.xml -o small 2>&1",
                FAULTLINE_SOURCE_DIR, options[i]),
            2);
        CU_ASSERT_TRUE(tools_says(&out, message[i]));
    }
    CU_ASSERT_EQUAL(files_in("small"), 0);
    fl_buf_free(&out);
}

static void write_that_fails_leaves_the_files_of_before(void)
{
    struct fl_buf out = {0};
    /* a limit on the size of a file stands for the full disk */
    CU_ASSERT_EQUAL(
        tools_run(scratch, &out,
                  "mkdir full && sbstgen --method sync-trick --le 1-2 --approach ind -o full && "
                  "cp -r full before && trap '' XFSZ && ulimit -f 16 && "
                  "sbstgen --method sync-trick --le 1-2 --approach ind --checkpoint -o full 2>&1; "
                  "test $? = 1 && diff -r full before && ls -A full | wc -l"),
        0);
    CU_ASSERT_TRUE(tools_says(&out, "cannot write: File too large"));
    CU_ASSERT_TRUE(tools_says(&out, "\n8\n"));
    fl_buf_free(&out);
}

static void name_that_is_taken_leaves_no_job_behind(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        tools_run(scratch, &out,
                  "mkdir -p taken/sync-trick-acc-le01.cubin && "
                  "sbstgen --method sync-trick --le 1 -o taken 2>&1; test $? = 1 && ls -A taken"),
        0);
    CU_ASSERT_TRUE(tools_says(&out, "sync-trick-acc-le01.cubin: cannot write: Is a directory"));
    CU_ASSERT_FALSE(tools_says(&out, "job.xml\n"));
    CU_ASSERT_FALSE(tools_says(&out, ".lst\n"));
    CU_ASSERT_EQUAL(
        tools_run(scratch, &out, "sbstgen --method sync-trick --le 1 -o /dev/null/x 2>&1"), 1);
    CU_ASSERT_TRUE(tools_says(&out, "name one that can be written with -o"));
    fl_buf_free(&out);
}

static void name_that_is_taken_leaves_the_files_of_before(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        tools_run(
            scratch, &out,
            "g() { sbstgen --method sync-trick --le 1-2 --approach ind -o older $1 2>&1; } && "
            "g && rm older/*02.lst && mkdir older/sync-trick-ind-le02.lst && cp -r older as-before "
            "&& "
            "g --checkpoint; test $? = 1 && diff -r older as-before && ls -A older | wc -l"),
        0);
    CU_ASSERT_TRUE(tools_says(&out, "le02.lst: cannot write: Is a directory; remove what is in"));
    CU_ASSERT_TRUE(tools_says(&out, "\n8\n"));
    fl_buf_free(&out);
}

static void each_program_is_told_unless_quiet(void)
{
    struct fl_buf out = {0};
    struct sbst_program p = make(1, 3, SBST_ACC, false);
    char *line = fl_format("told/sync-trick-acc-le01-03: .cubin .job.xml .sasm .lst, 2 launches, "
                           "%d instructions, %d bytes, %d executed in %d cycles\n",
                           p.kernel[0].instructions + p.kernel[1].instructions, sbst_bytes(&p),
                           executed(&p), sbst_cycles(&p));
    tools_expect(scratch, "sbstgen", "--method sync-trick --le 1-3 -o told", 0, line);
    CU_ASSERT_EQUAL(
        tools_run(scratch, &out, "sbstgen --method sync-trick --le 1-3 --quiet -o told 2>&1"), 0);
    CU_ASSERT_EQUAL(out.size, 0);
    free(line);
    sbst_program_free(&p);
    fl_buf_free(&out);
}

static void budget_that_minimal_patterns_keep_is_refused_with_that_advice(void)
{
    tools_expect(scratch, "sbstgen", "--method sync-trick --le 3-9 --max-cycles 2500", 2,
                 "allow as many, or choose --patterns minimal, which fits in 1 part\n");
    tools_expect(scratch, "sbstgen", "--method sync-trick --le 3-9 --max-cycles 2500 --checkpoint",
                 2, "--patterns minimal without --checkpoint, which");
    tools_expect(scratch, "sbstgen", "--method sync-trick --le 3-9 --max-cycles 100", 2,
                 "allow as many\n");
}

static void smrun_confirms_the_digest(void)
{
    struct fl_buf out = {0};
    for (int i = 0; i < RANGES; i += SANITIZED ? 14 : 1) {
        if (skipped(i))
            continue;
        char *options = sbst_options(&ranges[i]);
        int status = tools_run(scratch, &out,
                               "rm -rf run && sbstgen --method %s --le %d-%d --approach %s %s "
                               "-o run && smrun run/*.job.xml --expect 2>&1",
                               ranges[i].nesting ? "nesting" : "sync-trick", ranges[i].le_first,
                               ranges[i].le_last, ranges[i].approach == SBST_ACC ? "acc" : "ind",
                               options);
        free(options);
        if (status != 0)
            printf("\n    %s", out.size ? (char *)out.data : "no message");
        CU_ASSERT_EQUAL(status, 0);
    }
    fl_buf_free(&out);
}

static void smrun_refuses_a_digest_that_is_not_the_one_computed(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(tools_run(scratch, &out,
                              "rm -rf run && sbstgen --method sync-trick --le 2 -o run && "
                              "sed -i 's/sha256=\"......../sha256=\"00000000/' run/*.job.xml && "
                              "smrun run/*.job.xml --expect 2>&1"),
                    1);
    fl_buf_free(&out);
}

int main(void)
{
    if (!load())
        return 1;
    scratch = tools_folder();
    int status = CHECK_RUN(
        "gen", CHECK(manifest_that_breaks_its_schema_is_refused_with_the_line),
        CHECK(manifest_that_names_what_is_not_there_is_refused),
        CHECK(manifest_parameters_that_differ_from_the_macro_are_refused),
        CHECK(constants_of_different_places_differ),
        CHECK(every_place_of_a_program_has_constants_of_its_own),
        CHECK(patterns_of_every_thread_lie_in_each_le_of_the_range_and_in_no_other),
        CHECK(each_life_peels_its_half_of_the_warp_from_le_1),
        CHECK(composition_that_the_manifest_forbids_is_refused),
        CHECK(one_more_le_costs_about_what_the_paper_says),
        CHECK(machine_comes_to_the_outputs_that_gen_computed),
        CHECK(gen_knows_the_cycles_of_one_warp),
        CHECK(manifest_states_how_many_instructions_are_executed),
        CHECK(every_tm_stuck_at_fault_is_a_silent_corruption_in_the_ind_program_of_its_le),
        CHECK(every_tm_stuck_at_fault_is_a_silent_corruption_in_acc_programs_of_its_range),
        CHECK(every_tm_stuck_at_fault_is_a_silent_corruption_in_nesting_programs_of_its_range),
        CHECK(programs_without_pc_and_flow_id_join_where_compiled_code_does),
        CHECK(minimal_patterns_keep_their_budgets),
        CHECK(with_landing_pads_every_testable_fault_is_a_silent_corruption),
        CHECK(with_landing_pads_every_range_finds_the_faults_of_its_les),
        CHECK(with_landing_pads_no_part_traps_before_another_has_told),
        CHECK(with_landing_pads_only_addresses_beyond_24_bits_trap_on_g80),
        CHECK(with_landing_pads_no_stack_of_24_traps),
        CHECK(launch_that_finds_a_wrong_check_signature_stops),
        CHECK(all_24_stacks_are_tested_in_at_most_5_5_times_the_cycles_of_one),
        CHECK(parts_keep_their_budget_and_find_together_what_the_whole_finds),
        CHECK(parts_have_different_signatures),
        CHECK(nesting_alone_finds_all_but_the_id_bits_it_never_stores),
        CHECK(every_testable_fault_is_found_with_pc_and_flow_id),
        CHECK(second_life_does_not_depend_on_the_first),
        CHECK(mismatch_stores_what_was_found_and_what_was_expected),
        CHECK(listing_has_every_instruction_of_the_cubin_once),
        CHECK(routine_with_another_cost_than_its_row_states_is_refused),
        CHECK(same_request_gives_the_same_bytes), CHECK(wrong_usage_is_one_message_and_exit_2),
        CHECK(code_that_does_not_fit_the_code_space_is_wrong_usage),
        CHECK(write_that_fails_leaves_the_files_of_before),
        CHECK(name_that_is_taken_leaves_no_job_behind),
        CHECK(name_that_is_taken_leaves_the_files_of_before),
        CHECK(each_program_is_told_unless_quiet),
        CHECK(budget_that_minimal_patterns_keep_is_refused_with_that_advice),
        CHECK(smrun_confirms_the_digest),
        CHECK(smrun_refuses_a_digest_that_is_not_the_one_computed));
    free_samples();
    unload();
    tools_remove(scratch);
    return status;
}
