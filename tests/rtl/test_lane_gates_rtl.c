/* test_lane_gates_rtl.c -- gates in place of a unit of the RTL's lanes: they get what they get in the C model, change
 * nothing without a fault, and with one end as there.
 *
 *     test_lane_gates_rtl                          small jobs and few faults
 *     test_lane_gates_rtl DIR UNIT N JOB.xml...    N faults of a unit whose netlist is in DIR
 */
#include "tests/lib/check.h"
#include "tests/lib/faults.h"
#include "tests/gate/lane_gates.h"
#include "tests/lib/machine.h"
#include "tests/lib/rtl_program.h"
#include "tests/lib/random_mix.h"
#include "faultsim/lane/serial.h"
#include "faultsim/lane/concurrent.h"

/* As LANE_GATES_BUSY, of the other two units. */
static const char floats[] =
    ".kernel k\n.param ptr p\n"
    "I2I.U32.U16 R0, R0L\nSHL R1, R0, 2\nIADD R1, s[p], R1\nI2F.F32.U32 R2, R0\nMVI R3, "
    "0x3fa00000\n"
    "MVI R5, 6\nSSY out\nloop: FMUL R4, R2, R3\nFADD R2, R4, R3\nFMAD R2, R2, R3, R4\nRCP R4, R2\n"
    "RRO R6, R4, SINCOS\nSIN R6, R6\nFADD R2, R2, R6\nRSQ R4, R2\nFMAX R2, R2, R4\nIADD32I R5, R5, "
    "-1\n"
    "ISET.S32.C0 o[0x7f], R5, R124, GT\nFSET.C1 o[0x7f], R2, R6, LT\nBRA C0.NE, loop\nout: NOP.S\n"
    "GST.EXIT.U32 global14[R1], R2\n";

static const struct {
    enum vector_unit unit;
    const char *text;
} units[] = {{VECTOR_INT, LANE_GATES_BUSY},
             {VECTOR_CVT, LANE_GATES_BUSY},
             {VECTOR_FP, floats},
             {VECTOR_SFU, floats}};
enum { UNITS = sizeof units / sizeof *units };

static struct unit open_unit(enum vector_unit which)
{
    char *path = fl_format(LANE_GATES_NETLISTS "%s.blif", lane_name(which));
    struct unit u = lane_gates_unit(path, which);
    free(path);
    return u;
}

/* ---- what stands at the ports ---------------------------------------------------------------------------------- */

struct seen {
    struct vector v;
    uint64_t own;
};

struct record {
    struct seen *at; /* [cycle] */
    uint32_t cycles, room;
    int sp;
    const struct gpu *c;
    uint32_t compared, wrong;
};

static void note(void *context, const uint64_t *in, uint64_t *out)
{
    struct record *r = context;
    struct vector v = {{in[0], in[1], in[2]}};
    FL_ROOM(r->at, r->cycles, r->room, 1024);
    r->at[r->cycles++] = (struct seen){vector_in_lane(v, VECTOR_LANE), *out};
}

static void hold_against(void *context, const struct isa_insn *in, uint32_t exec, const uint32_t *a,
                         const uint32_t *b, const uint32_t *c, const uint8_t *cc, uint32_t *d,
                         uint8_t *flags)
{
    struct record *r = context;
    const int sps = r->c->img->profile.sps;
    uint64_t slot = r->c->sm->s.next -
                    r->c->sm->s.slot; /* its first cycle: a beat a cycle from there */
    for (int l = r->sp; l < SM_LANES; l += sps) {
        const struct seen *rtl = &r->at[slot + (uint64_t)(l / sps)];
        struct vector v = vector_with_operands(vector_of(in, VECTOR_LANE), a[l], b[l], c[l],
                                               cc[l] & SM_CC_C);
        if (!(exec >> l & 1))
            continue;
        bool same = vector_same(&v, &rtl->v) &&
                    !((lane_answer(d, flags, l) ^ rtl->own) & vector_written(in));
        if (!same && r->wrong++ < 3)
            printf("\n%s in cycle %llu, lane %d: %016llx %016llx %016llx in the C model, %016llx "
                   "%016llx "
                   "%016llx in the RTL\n",
                   isa_op_name((enum isa_op)in->op), (unsigned long long)slot, l,
                   (unsigned long long)v.w[0], (unsigned long long)v.w[1],
                   (unsigned long long)v.w[2], (unsigned long long)rtl->v.w[0],
                   (unsigned long long)rtl->v.w[1], (unsigned long long)rtl->v.w[2]);
        r->compared++;
    }
}

static struct machine mix_machine(uint64_t seed, int sps)
{
    struct random_mix s;
    uint8_t konst[MIX_CONST];
    mix_make(&s, seed, 60, true, ISA_1_0);
    struct job *job = machine_job("tiny", (char *)s.text.data);
    uint32_t threads = 1 + mix_random(&s, 64);
    for (size_t i = 0; i < sizeof konst; i++)
        konst[i] = (uint8_t)mix_random(&s, 256);
    job->profile.sps = sps;
    job->cubin->kernel[0].local_bytes = MIX_LOCAL;
    machine_const(job, 0, konst, sizeof konst);
    machine_const(job, 1, konst, sizeof konst);
    uint32_t addr = machine_buffer(job, MIX_STRIDE * ((threads + 31) / 32 * 32 + 32), NULL);
    machine_param(machine_launch(job, 0, 2, threads), addr);
    fl_buf_free(&s.text);
    return machine_load(job);
}

static void lanes_get_what_they_get_in_the_c_model(void)
{
    static const struct {
        const char *name;
        int sps;
    } model[] = {{"tiny", 8}, {"tiny_16", 16}, {"tiny_32", 32}};
    struct fl_err err;
    for (int i = 0; i < 3; i++) {
        uint32_t compared = 0;
        for (uint64_t seed = 1; seed <= 60 && rtl_has(model[i].name); seed++) {
            struct machine m = mix_machine(seed, model[i].sps);
            struct smrtl *rtl = smrtl_new(m.img, &err);
            struct record r = {.sp = (int)seed % model[i].sps, .c = m.gpu};
            struct sm_override by = {.answer = note, .context = &r};
            CU_ASSERT_EQUAL(smrtl_replace_unit(rtl, &sm_lane_pins, r.sp, &by), 0);
            smrtl_run(rtl, MACHINE_MAX_CYCLES);
            m.gpu->sm->lanes = &(struct sm_lane_hook){hold_against, &r};
            gpu_run(m.gpu, smrtl_cycles(rtl));
            CU_ASSERT_EQUAL(gpu_cycles(m.gpu), smrtl_cycles(rtl));
            CU_ASSERT_EQUAL(r.wrong, 0);
            compared += r.compared;
            free(r.at);
            smrtl_free(rtl);
            machine_end(&m);
        }
        CU_ASSERT(compared > 300 || (i > 0 && !rtl_has(model[i].name)));
    }
}

/* ---- gates ----------------------------------------------------------------------------------------------------- */

struct bench {
    struct job *job;
    struct sm_image *img;
    struct golden *g;
    struct reference *ref[2]; /* engine c, rtl */
};

static struct bench open_bench(const char *text)
{
    struct bench b = {.job = faults_job("tiny", 1, 40, text)};
    struct fl_err err = {""};
    const struct engine *rtl = engine_find("rtl", &err);
    b.img = sm_image_new(b.job, &err);
    b.g = golden_run(b.img, 1000000, &err);
    if (b.g) {
        b.ref[0] = reference_of(b.g);
        b.ref[1] = reference_new(rtl, b.g, &err);
    }
    if (!b.ref[1]) {
        printf("\n%s\n", err.msg);
        CU_FAIL_FATAL("no bench");
    }
    return b;
}

static void close_bench(struct bench *b)
{
    reference_free(b->ref[0]);
    reference_free(b->ref[1]);
    golden_free(b->g);
    sm_image_free(b->img);
    job_free(b->job);
}

static void gates_without_a_fault_change_nothing(void)
{
    if (!rtl_built("tiny"))
        return;
    for (int i = 0; i < UNITS; i++) {
        struct bench b = open_bench(units[i].text);
        struct unit u = open_unit(units[i].unit);
        void *a = serial_machine.make(&(struct trace){.unit = &u, .sp = 2}, b.ref[1]);
        struct dut *m = serial_machine.start(a, GATE_NO_FAULT, 0), *healthy = b.ref[1]->ended;
        while (!dut_ended(m) && dut_cycle(m) <= b.g->cycles)
            dut_tick(m, NULL);
        CU_ASSERT(dut_same(m, healthy, false));
        CU_ASSERT_EQUAL(dut_instructions(m), dut_instructions(healthy));
        serial_machine.free(a);
        unit_close(&u);
        close_bench(&b);
    }
}

/* Outcome, reason and cycles, whichever way. */
static void hold_ways(const struct job *job, const struct unit *u, int sp, uint64_t sample)
{
    struct fl_err err = {""};
    struct gates_options opt = {
        .unit = u, .units = 1, .sp = sp, .seed = 1, .sample = sample, .run.max_cycles = 1000000000};
    char *pruned = lane_gates_campaign(&job, 1, opt);
    opt.run.exhaustive = true;
    char *c = lane_gates_campaign(&job, 1, opt);
    opt.run.engine = engine_find("rtl", &err);
    char *rtl = lane_gates_campaign(&job, 1, opt);
    CU_ASSERT(lane_gates_count(rtl, " sdc ") + lane_gates_count(rtl, " crash ") > 0);
    CU_ASSERT_STRING_EQUAL(pruned, c);
    free(pruned);
    lane_gates_same(c, rtl);
}

static void faults_end_as_in_the_c_model(void)
{
    if (!rtl_built("tiny"))
        return;
    for (int i = 0; i < UNITS; i++) {
        struct job *job = faults_job("tiny", 1, 40, units[i].text);
        struct unit u = open_unit(units[i].unit);
        hold_ways(job, &u, i, 150);
        unit_close(&u);
        job_free(job);
    }
}

/* Those that are cut off, too: the same state of everything that both machines have. */
static void faulty_runs_leave_the_same_outputs_after_as_many_instructions(void)
{
    int wrong = 0;
    if (!rtl_built("tiny"))
        return;
    for (int i = 0; i < UNITS; i++) {
        struct bench b = open_bench(units[i].text);
        struct unit u = open_unit(units[i].unit);
        struct trace t = {.unit = &u, .sp = i};
        void *concurrent = concurrent_machine.make(&t, b.ref[0]);
        void *serial = serial_machine.make(&t, b.ref[1]);
        for (uint32_t f = 0; f < u.faults->count; f += u.faults->count / 60) {
            struct dut *c = concurrent_machine.start(concurrent, u.faults->fault[f], 0);
            struct dut *rtl = serial_machine.start(serial, u.faults->fault[f], 0);
            dut_run(c, 2 * b.g->cycles);
            dut_run(rtl, 2 * b.g->cycles);
            CU_ASSERT_EQUAL(dut_ended(c), dut_ended(rtl));
            CU_ASSERT_EQUAL(dut_instructions(c), dut_instructions(rtl));
            const struct sm_memory *left = dut_end(rtl).memory;
            CU_ASSERT(gpu_same_outputs(b.g->img, dut_end(c).memory, left));
            CU_ASSERT(!dut_ended(c) || dut_cycle(c) == dut_cycle(rtl));
            wrong += !gpu_same_outputs(b.g->img, left, &b.g->end->memory);
        }
        concurrent_machine.free(concurrent);
        serial_machine.free(serial);
        unit_close(&u);
        close_bench(&b);
    }
    CU_ASSERT(wrong > 10);
}

static char **arguments;
static int narguments;

static void faults_of_jobs_end_as_in_the_c_model(void)
{
    struct fl_err err = {""};
    int which = lane_find(arguments[1], &err);
    CU_ASSERT_FATAL(which >= 0);
    char *path = fl_format("%s/%s.blif", arguments[0], arguments[1]);
    struct unit u = lane_gates_unit(path, (enum vector_unit)which);
    for (int i = 3; i < narguments; i++) {
        struct job *job = faults_load(arguments[i]);
        if (rtl_built(job->profile.name))
            hold_ways(job, &u, 0, strtoull(arguments[2], NULL, 10));
        job_free(job);
    }
    unit_close(&u);
    free(path);
}

int main(int argc, char **argv)
{
    if (argc > 4) {
        arguments = argv + 1;
        narguments = argc - 1;
        return CHECK_RUN("gates of lanes in the RTL, jobs",
                         CHECK(faults_of_jobs_end_as_in_the_c_model));
    }
    return CHECK_RUN("gates of lanes in the RTL", CHECK(lanes_get_what_they_get_in_the_c_model),
                     CHECK(gates_without_a_fault_change_nothing),
                     CHECK(faults_end_as_in_the_c_model),
                     CHECK(faulty_runs_leave_the_same_outputs_after_as_many_instructions));
}
