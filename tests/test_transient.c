/* test_transient.c -- transient faults: what the record of touches and the followed differences say is what brute force
 * finds.
 */
#include "check.h"
#include "faultsim_util.h"
#include "random_program.h"
#include "rtl_soup.h"
#include "transient.h"

struct lab { /* a job with all that injections need */
    struct job *job;
    struct sm_image *img;
    struct golden *g;
    struct touches *t;
    struct fsim_worker *w;
};

/* Fails the test when the job has no fault-free run, unless `may_fail`: random programs trap now and then. */
static struct lab lab_open(struct job *job, bool may_fail)
{
    struct fl_err err = {{0}};
    struct lab l = {.job = job};
    if (!(l.img = sm_image_new(job, &err)) || !(l.g = golden_run(l.img, 10000000, &err)) ||
        !(l.t = touches_record(l.g, 1u << 30, &err))) {
        if (may_fail)
            return l;
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no golden run");
    }
    l.w = fsim_worker_new(l.g);
    return l;
}

static void lab_close(struct lab *l)
{
    fsim_worker_free(l->w);
    touches_free(l->t);
    golden_free(l->g);
    sm_image_free(l->img);
    job_free(l->job);
}

static struct upset lab_upset(const struct lab *l, const char *id)
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
static bool agree(const struct lab *l, const struct upset *u, struct transient_result *out)
{
    struct transient_result brute;
    transient_simulate(l->w, l->t, u, out);
    transient_exhaustive(l->w, u, &brute);
    bool same = out->r.outcome == brute.r.outcome && out->r.end == brute.r.end &&
                (out->r.outcome == OUT_MASKED || strcmp(out->r.reason, brute.r.reason) == 0);
    if (!same) {
        struct fl_buf id = {0};
        upset_print(l->img, u, &id);
        util_print_result("pruned", (char *)id.data, &out->r);
        util_print_result("brute force", (char *)id.data, &brute.r);
        fl_buf_free(&id);
    }
    return same;
}

/* What the job can occupy of an axis: nobody reads the rest. */
static uint32_t occupied(const struct lab *l, const struct sm_structure *s, int axis)
{
    uint32_t n = (uint32_t)s->axis[axis].count, most = n;
    if (strcmp(s->name, "rf") == 0)
        most = (uint32_t)l->img->regs_used;
    else if (strcmp(s->name, "shared") == 0)
        most = l->img->shared_used / 4;
    else if (strcmp(s->axis[axis].name, "w") == 0)
        most = (uint32_t)l->img->warps_used;
    return most < n ? most : n;
}

static void random_cell(const struct lab *l, int structure, uint64_t *seed, struct sm_cell *c)
{
    struct sm_structure s;
    sm_structure_get(l->img, structure, &s);
    *c = (struct sm_cell){.structure = structure};
    for (int i = 0; i < s.naxes; i++)
        c->index[i] = (int)(machine_random(seed) % occupied(l, &s, i));
    c->field = (int)(machine_random(seed) % (uint32_t)s.nfields);
    c->bit = (int)(machine_random(seed) % (uint32_t)s.field[c->field].bits);
}

enum shape { ONE_FLIP, THREE_FLIPS, WINDOW };

/* n random upsets in every structure; how many disagree. */
static int disagreements(struct job *job, int n, enum shape shape, uint64_t seed, int *failures)
{
    struct lab l = lab_open(job, true);
    int wrong = 0;
    for (int i = 0; l.w && i < sm_structure_count(); i++) {
        struct sm_structure s;
        sm_structure_get(l.img, i, &s);
        for (int k = 0; sm_structure_bits(&s) && k < n && wrong < 5; k++) {
            struct upset u = {.kind = UPSET_FLIP, .ncells = shape == THREE_FLIPS ? 3 : 1};
            struct transient_result r;
            for (int b = 0; b < u.ncells; b++)
                random_cell(&l, i, &seed, &u.cell[b]);
            u.from = u.to = machine_random(&seed) % l.g->cycles;
            if (shape == WINDOW) {
                u.kind = machine_random(&seed) % 2 ? UPSET_SA0 : UPSET_SA1;
                u.to = u.from + machine_random(&seed) % 100;
            }
            if (u.ncells > 1 && memcmp(&u.cell[0], &u.cell[1], sizeof u.cell[0]) == 0)
                continue;
            wrong += !agree(&l, &u, &r);
            *failures += r.r.outcome != OUT_MASKED;
        }
    }
    lab_close(&l);
    return wrong;
}

static struct job *structured(uint64_t seed)
{
    struct rp_program *p = fl_alloc(sizeof *p);
    struct rp_shape shape = {.seed = seed, .threads = 40, .depth = 1, .functions = 1};
    rp_make(p, &shape);
    struct job *job = util_job("tiny", 1, 40, p->text);
    rp_free(p);
    free(p);
    return job;
}

static struct job *soup(uint64_t seed)
{
    struct soup s;
    struct fl_err err = {{0}};
    soup_make(&s, seed, 40, true);
    struct job *job = machine_job("tiny", (char *)s.text.data);
    uint8_t konst[SOUP_CONST];
    for (size_t i = 0; i < sizeof konst; i++)
        konst[i] = (uint8_t)soup_random(&s, 256);
    machine_const(job, 0, konst, sizeof konst);
    machine_const(job, 1, konst, sizeof konst);
    job->cubin->kernel[0].local_bytes = SOUP_LOCAL;
    uint32_t addr = machine_buffer(job, SOUP_STRIDE * 96, NULL);
    machine_param(machine_launch(job, 0, 2, 1 + soup_random(&s, 64)), addr);
    job->output = fl_alloc(sizeof *job->output);
    job->output[0] = (struct job_output){.name = fl_strdup("out"), .size = SOUP_STRIDE * 96};
    job->noutputs = 1;
    CU_ASSERT_EQUAL_FATAL(job_finish(job, &err), 0);
    fl_buf_free(&s.text);
    return job;
}

static int deep(void)
{
    const char *n = getenv("TRANSIENT_COUNT");
    return n ? atoi(n) : 1;
}

static void pruned_flips_are_those_of_brute_force_in_structured_programs(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 4 * (uint64_t)deep(); i++)
        CU_ASSERT_EQUAL(disagreements(structured(100 + i), 40, ONE_FLIP, 1 + i, &failures), 0);
    CU_ASSERT(failures > 50);
}

static void pruned_flips_are_those_of_brute_force_in_all_instructions(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 6 * (uint64_t)deep(); i++)
        CU_ASSERT_EQUAL(disagreements(soup(200 + i), 40, ONE_FLIP, 1 + i, &failures), 0);
    CU_ASSERT(failures > 50);
}

static void several_bits_at_once_are_those_of_brute_force(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 3 * (uint64_t)deep(); i++) {
        CU_ASSERT_EQUAL(disagreements(structured(300 + i), 15, THREE_FLIPS, 1 + i, &failures), 0);
        CU_ASSERT_EQUAL(disagreements(soup(300 + i), 15, THREE_FLIPS, 1 + i, &failures), 0);
    }
    CU_ASSERT(failures > 20);
}

static void intermittent_faults_are_those_of_brute_force(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 3 * (uint64_t)deep(); i++) {
        CU_ASSERT_EQUAL(disagreements(structured(400 + i), 15, WINDOW, 1 + i, &failures), 0);
        CU_ASSERT_EQUAL(disagreements(soup(400 + i), 15, WINDOW, 1 + i, &failures), 0);
    }
    CU_ASSERT(failures > 20);
}

static void an_id_reads_back_as_it_was_printed(void)
{
    static const char *const id[] = {"rf/p517/b12@34:flip", "rf/p1/b1@7:flip+shared/p3/b9@7:flip",
                                     "pc/w1/b5@10-20:sa1", "dstack/w0/le2/tm7@3:flip",
                                     "sched/b4@0-0:sa0"};
    struct lab l = lab_open(structured(1), false);
    for (size_t i = 0; i < sizeof id / sizeof *id; i++) {
        struct upset u = lab_upset(&l, id[i]);
        struct fl_buf out = {0};
        upset_print(l.img, &u, &out);
        CU_ASSERT_STRING_EQUAL((char *)out.data, id[i]);
        fl_buf_free(&out);
    }
    lab_close(&l);
}

int main(void)
{
    return CHECK_RUN("transient", CHECK(an_id_reads_back_as_it_was_printed),
                     CHECK(pruned_flips_are_those_of_brute_force_in_structured_programs),
                     CHECK(pruned_flips_are_those_of_brute_force_in_all_instructions),
                     CHECK(several_bits_at_once_are_those_of_brute_force),
                     CHECK(intermittent_faults_are_those_of_brute_force));
}
