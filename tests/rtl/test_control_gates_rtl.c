/* test_control_gates_rtl.c -- gates in place of units of the RTL's control: without a fault they change nothing, and
 * faults that are grouped, started late and ended early end as each alone from cycle 0.
 *
 *     test_control_gates_rtl                    a small job and few faults
 *     test_control_gates_rtl DIR N JOB.xml...   N faults of each unit whose netlist is in DIR
 *     test_control_gates_rtl --above N          N faults of each unit of a machine of compute capability 1.2
 */
#include "tests/lib/check.h"
#include "tests/lib/faults.h"
#include "tests/lib/machine.h"
#include "tests/lib/rtl_program.h"
#include "tests/lib/tools.h"
#include "tests/gate/lane_gates.h"
#include "base/hash.h"
#include "faultsim/control/classes.h"
#include "faultsim/control/glitch.h"
#include "faultsim/control/glitches.h"
#include "faultsim/control/group.h"
#include "faultsim/control/set_trace.h"
#include "faultsim/gate/fault_trace.h"
#include "gate/patterns.h"
#include "gate/prove/prove.h"

#include <unistd.h>

/* Two warps that diverge, call, break, meet at a barrier, and wait for memory, shared memory by way of address
 * registers too. */
static const char busy[] =
    ".kernel k\n.param ptr p\n.shared tile, 64\n"
    "I2I.U32.U16 R0, R0L\nSHL R1, R0, 2\nLOP32I.AND R4, R0, 0xf\nSHL R4, R4, 2\nR2A A1, "
    "R4\nR2G.U32.U32 s[A1 + tile], R0\n"
    "IADD R1, s[p], R1\nMVI R3, 0\nMVI R5, 3\n"
    "LOP32I.AND R4, R0, 3\nPBK done\nloop: SSY join\nISET.S32.C0 o[0x7f], R4, R3, LT\n"
    "BRA C0.NE, odd\nIADD32I R3, R3, 1\nBRA join\nodd: IADD32I R3, R3, 2\njoin: NOP.S\n"
    "CAL sub\nIADD32I R5, R5, -1\nISET.S32.C0 o[0x7f], R5, R124, EQ\nBRK C0.NE\nBRA loop\n"
    "done: BAR.ARV.WAIT b0, 0xfff\nGST.U32 global14[R1], R3\nGLD.U32 R6, global14[R1]\n"
    "IADD R6, s[A1 + tile], R6\n"
    "GST.EXIT.U32 global14[R1], R6\nsub: IADD R3, R3, R4\nRET\n";

/* The decoder takes yosys most of a minute, and so do some units of operands and lsu: they are tried with jobs. */
static const enum sm_control tried[] = {
    SM_CONTROL_SCHED,       SM_CONTROL_UOP,       SM_CONTROL_FLOW,
    SM_CONTROL_CCRF,        SM_CONTROL_ARF,       SM_CONTROL_WARP_STATE,
    SM_CONTROL_DMU,         SM_CONTROL_SMEM,      SM_CONTROL_SLOT,
    SM_CONTROL_PIPE,        SM_CONTROL_RF,        SM_CONTROL_EXECUTE_RESULT,
    SM_CONTROL_LSU_ADDR,    SM_CONTROL_LSU_QUEUE, SM_CONTROL_BLOCK_BARRIER,
    SM_CONTROL_BLOCK_PLACE, SM_CONTROL_BLOCK_NEXT};
enum { CONTROL_UNITS_TRIED = sizeof tried / sizeof *tried };

/* On a machine of compute capability 1.2: atomic operations of 32 and 64 bits; votes, and a sum under a lock. */
#define TINY12 FAULTLINE_SOURCE_DIR "/tests/data/tiny12.xml"
static const struct above {
    uint32_t threads;
    const char *text;
} above[] = {{20, ".kernel k\n.param ptr p\nI2I.U32.U16 R0, R0L\nMOV R1, s[p]\nSHL R2, R0, 2\n"
                  "IADD R2, R1, R2\nMVI R4, 0\nGATOM.INC.U32 R5, global14[R1], R0\n"
                  "GATOM.CAS.U32 R6, global14[R2], R4, R0\nIADD R5, R5, R6\n"
                  "GRED.IADD.U32 global14[R2], R5\nGATOM.IADD.U64 R6, global14[R1], R4\n"
                  "IADD32I R2, R2, 512\nGST.U32 global14[R2], R7\nNOP.EXIT\n"},
             {5, ".kernel k\n.param ptr p\n.shared sum, 64\nI2I.U32.U16 R0, R0L\nSHL R1, R0, 2\n"
                 "IADD R1, s[p], R1\nMVI R3, 0x20\nR2A A1, R3\nISET.S32.C1 o[0x7f], R0, R3, LT\n"
                 "VOTE.ALL C2 (C1.NE)\nMVI R5, 1\nIADD R5 (C2.NE), R5, R3\nPBK end\n"
                 "again: G2R.U32.LCK.C0 R4, s[A1]\nIADD R4 (C0.LT), R4, R5\n"
                 "R2G.U32.U32.UNL s[A1] (C0.LT), R4\nBRK C0.LT\nBRA again\nend: NOP\n"
                 "BAR.ARV.WAIT b0, 0xfff\nMOV R4, s[A1]\nGST.U32 global14[R1], R4\nNOP.EXIT\n"}};

/* Those that see data take a while, the widest of them most of it: jobs try more. */
static uint64_t some(const struct unit *u, uint64_t of_control)
{
    return u->which > SM_CONTROL_PIPE    ? of_control / 300
           : u->which >= SM_CONTROL_SMEM ? of_control / 80
           : u->sees_data                ? of_control / 20
                                         : of_control;
}

static struct unit open_unit(const char *dir, enum sm_control which)
{
    struct unit u;
    struct fl_err err = {""};
    char *path = fl_format("%s/%s.blif", dir, control_name(which));
    if (access(path, R_OK) != 0 || unit_open(path, &control_kind, which, &u, &err) != 0) {
        printf("\n%s: %s\n", path, err.msg);
        CU_FAIL_FATAL("no netlist");
    }
    free(path);
    return u;
}

static const struct engine *gates_engine(void)
{
    struct fl_err err;
    return engine_gates(engine_find("rtl", &err));
}

static bool gates_built(const struct job *job)
{
    char *model = fl_format("%s_gates", job->profile.name);
    const bool built = rtl_built(model);
    free(model);
    return built;
}

static char **arguments;
static int narguments;

typedef int campaign_of(const struct job *const *jobs, int njobs, const struct gates_options *opt,
                        struct store **out, struct fl_err *err);

static struct store *run_of(campaign_of *of, const struct job *job, const struct unit *u,
                            uint64_t sample, uint32_t skip, struct fl_err *err)
{
    struct store *s = NULL;
    struct gates_options opt = {.unit = u,
                                .units = 1,
                                .seed = 1,
                                .sample = sample,
                                .run = {.engine = gates_engine(),
                                        .exhaustive = skip == ALL_BUT_BRUTE_FORCE,
                                        .skip_rungs = skip,
                                        .max_cycles = 1000000000}};
    return of(&job, 1, &opt, &s, err) == 0 ? s : NULL;
}

static struct store *run(const struct job *job, const struct unit *u, uint64_t sample,
                         uint32_t skip, struct fl_err *err)
{
    return run_of(gates_run, job, u, sample, skip, err);
}

static const struct unit_machine *const on = &control_machine;

/* Outcome, reason and cycles, whichever way: with all rungs of the ladder and by brute force; of few faults without each rung too.
 * Returns how many end as crash or sdc. */
static int hold_ways(campaign_of *of, const struct job *job, const struct unit *u, uint64_t sample,
                     bool used)
{
    struct fl_err err = {""};
    struct store *pruned = run_of(of, job, u, sample, 0, &err);
    static const uint32_t skip[] = {1 << RUNG_RECORD, 1 << RUNG_CHECKPOINT, ALL_BUT_BRUTE_FORCE};
    CU_ASSERT_FATAL(pruned != NULL);
    char *text = lane_gates_text(pruned);
    const int wrong = lane_gates_count(text, " crash ") + lane_gates_count(text, " sdc ");
    CU_ASSERT(!used || wrong > 0);
    CU_ASSERT(lane_gates_count(text, " masked ") > 0);
    for (int i = sample > 60 ? 2 : 0; i < 3; i++) {
        struct store *other = run_of(of, job, u, sample, skip[i], &err);
        CU_ASSERT_FATAL(other != NULL);
        lane_gates_same(fl_strdup(text), lane_gates_text(other));
    }
    free(text);
    return wrong;
}

/* The busy program in the RTL, without a fault. */
struct busy_run {
    struct job *job;
    struct sm_image *img;
    struct golden *g;
    struct reference *ref;
};

static struct busy_run run_busy(void)
{
    struct fl_err err = {""};
    struct busy_run b = {.job = faults_job("tiny", 1, 64, busy)};
    b.img = sm_image_new(b.job, &err);
    b.g = golden_run(b.img, 1000000, &err);
    b.ref = b.g ? reference_new(gates_engine(), b.g, &err) : NULL;
    CU_ASSERT_FATAL(b.ref != NULL);
    return b;
}

static void busy_run_free(struct busy_run *b)
{
    reference_free(b->ref);
    golden_free(b->g);
    sm_image_free(b->img);
    job_free(b->job);
}

static void gates_without_a_fault_change_nothing(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct busy_run b = run_busy();
    const struct reference *ref = b.ref;
    for (int i = 0; i < CONTROL_UNITS_TRIED; i++) {
        struct unit u = open_unit(CONTROL_NETLISTS, tried[i]);
        void *r = on->make(&(struct trace){.unit = &u}, ref);
        struct dut *m = on->start(r, GATE_NO_FAULT, 0);
        dut_run(m, 2 * ref->cycles);
        CU_ASSERT(dut_same(m, ref->ended, false));
        CU_ASSERT_EQUAL(dut_instructions(m), dut_instructions(ref->ended));
        on->free(r);
        unit_close(&u);
    }
    busy_run_free(&b);
}

static void unchanged(void *context, const uint64_t *in, uint64_t *out)
{
    (void)context, (void)in, (void)out;
}

static void add_seen(void *context, const uint64_t *in, const uint64_t *own)
{
    enum { ANSWER = 4096 / 8 }; /* bytes of a load; the unit sees more */
    uint64_t *hash = context;
    (void)own;
    *hash = fl_hash_bytes(*hash, in, ANSWER);
}

/* Of what lsu_data sees up to the cycle. */
static uint64_t hash_of_seen(const struct engine *e, struct dut *m, uint64_t cycle)
{
    uint64_t hash = FL_HASH_START;
    const struct sm_override by = {.answer = unchanged, .edge = add_seen, .context = &hash};
    CU_ASSERT_EQUAL_FATAL(e->replace_unit(m, &sm_control_pins[SM_CONTROL_LSU_DATA], 0, &by), 0);
    dut_run(m, cycle);
    return hash;
}

/* What memory has answered last, too: a faulty unit may read it at any time. */
static void a_unit_of_a_copied_machine_sees_what_that_of_the_other_sees(void)
{
    struct fl_err err;
    if (!rtl_built("tiny_gates"))
        return;
    struct busy_run b = run_busy();
    const struct engine *e = gates_engine();
    struct dut *used = e->make(b.img, &err), *fresh = e->make(b.img, &err);
    dut_run(used, b.ref->cycles);
    dut_copy(used, b.ref->checkpoint[0]);
    CU_ASSERT(dut_same(used, fresh, false));
    CU_ASSERT_EQUAL(hash_of_seen(e, used, b.ref->cycles), hash_of_seen(e, fresh, b.ref->cycles));
    dut_free(used);
    dut_free(fresh);
    busy_run_free(&b);
}

/* What synthesis leaves of a name that nobody reads is no place for a fault. */
static void each_gate_of_a_netlist_is_read(void)
{
    for (int i = 0; i < CONTROL_UNITS_TRIED; i++) {
        struct unit u = open_unit(CONTROL_NETLISTS, tried[i]);
        const struct gate_netlist *n = u.netlist;
        bool *read = fl_alloc(n->nets * sizeof *read);
        for (uint32_t k = 0; k < n->pins; k++)
            read[GATE_NET(n->literal[k])] = true;
        for (uint32_t k = 0; k < n->outputs; k++)
            read[n->output[k]] = true;
        uint32_t unread = 0;
        for (uint32_t k = n->inputs; k < n->nets; k++)
            unread += !read[k];
        CU_ASSERT_EQUAL(unread, 0);
        free(read);
        unit_close(&u);
    }
}

static void faults_in_groups_end_as_each_alone_from_cycle_0(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct job *job = faults_job("tiny", 1, 64, busy);
    for (int i = 0; i < CONTROL_UNITS_TRIED; i++) {
        struct unit u = open_unit(CONTROL_NETLISTS, tried[i]);
        hold_ways(gates_run, job, &u, some(&u, 1500), u.which < SM_CONTROL_SMEM);
        unit_close(&u);
    }
    job_free(job);
}

/* Lanes that write bytes of one word, or all of it, and read what came of that. */
static void stores_of_all_widths_end_as_each_alone_from_cycle_0(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct job *job = faults_job(
        "tiny", 1, 64,
        ".kernel k\n.param ptr p\n.shared tile, 128\nI2I.U32.U16 R0, R0L\nSHL R1, R0, 2\n"
        "IADD R1, s[p], R1\nLOP32I.AND R4, R0, 0x1f\nSHL R5, R4, 1\nLOP32I.AND R6, R5, 0x3c\n"
        "R2A A2, R4\nR2A A3, R5\nR2A A4, R6\nR2G.U32.U8 g[A2 + tile], R0\n"
        "R2G.U32.U16 g[A3 + tile], R1\nR2G.U32.U32 g[A4 + tile], R1\n"
        "R2G.U32.U8 g[A2 + tile], R5\nR2G.U32.U16 g[A3 + tile], R5\nMOV R7, s[A2 + tile].U8\n"
        "I2I.U32.U16 R8, s[A3 + tile].U16\nI2I.S32.S16 R9, s[A3 + tile].S16\n"
        "MOV R10, s[A4 + tile]\nIADD R7, R7, R8\nIADD R7, R7, R9\nIADD R7, R7, R10\n"
        "GST.EXIT.U32 global14[R1], R7\n");
    struct unit u = open_unit(CONTROL_NETLISTS, SM_CONTROL_SMEM);
    hold_ways(gates_run, job, &u, 30, true);
    hold_ways(glitches_run, job, &u, 60, false);
    unit_close(&u);
    job_free(job);
}

/* A fault starts blocks in the second warp, which no launch uses: its local memory would lie far behind the image. */
static void local_memory_of_a_warp_that_no_launch_uses_is_not_there(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct job *job = faults_job(
        "tiny", 1, 32,
        ".kernel k\n.param ptr p\n.local 0x10000\nI2I.U32.U16 R0, R0L\nSHL R1, R0, 2\n"
        "IADD R1, s[p], R1\nLST.U32 local[0xfffc], R1\nLLD.U32 R2, local[0xfffc]\n"
        "GST.EXIT.U32 global14[R1], R2\n");
    struct unit u = open_unit(CONTROL_NETLISTS, SM_CONTROL_BLOCK_NEXT);
    hold_ways(gates_run, job, &u, 400, true);
    unit_close(&u);
    job_free(job);
}

/* Returns how many fail. */
static int hold_above(enum sm_control which, uint64_t sample)
{
    int wrong = 0;
    struct unit u = open_unit(CONTROL_NETLISTS "12", which);
    CU_ASSERT_PTR_NULL(u.doubt);
    for (size_t i = 0; i < sizeof above / sizeof *above; i++) {
        struct job *job = faults_job(TINY12, 2, above[i].threads, above[i].text);
        unit_choose(&u, GATE_STUCK);
        wrong += hold_ways(gates_run, job, &u, sample, false);
        hold_ways(glitches_run, job, &u, sample, false);
        unit_choose(&u, GATE_TRANSITION);
        wrong += hold_ways(gates_run, job, &u, sample / 2, false);
        job_free(job);
    }
    unit_close(&u);
    return wrong;
}

static void units_of_a_machine_of_1_2_end_as_each_alone_from_cycle_0(void)
{
    if (!rtl_built("tiny12_gates"))
        return;
    CU_ASSERT(hold_above(SM_CONTROL_UOP, 60) > 0);
    CU_ASSERT(hold_above(SM_CONTROL_CCRF, 60) > 0);
    hold_above(SM_CONTROL_LSU_TRANSACTIONS, 8);
}

static void all_units_of_a_machine_of_1_2_end_as_each_alone_from_cycle_0(void)
{
    for (int k = 0; k < SM_CONTROLS; k++)
        hold_above((enum sm_control)k, strtoull(arguments[1], NULL, 10));
}

static void glitches_end_as_each_alone_from_cycle_0(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct job *job = faults_job("tiny", 1, 64, busy);
    for (int i = 0; i < CONTROL_UNITS_TRIED; i++) {
        struct unit u = open_unit(CONTROL_NETLISTS, tried[i]);
        hold_ways(glitches_run, job, &u, some(&u, 1600), !u.sees_data);
        unit_close(&u);
    }
    job_free(job);
}

static void slow_gates_in_groups_end_as_each_alone_from_cycle_0(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct job *job = faults_job("tiny", 1, 64, busy);
    for (int i = 0; i < CONTROL_UNITS_TRIED; i++) {
        struct unit u = open_unit(CONTROL_NETLISTS, tried[i]);
        unit_choose(&u, GATE_TRANSITION);
        hold_ways(gates_run, job, &u, some(&u, 800), u.which == SM_CONTROL_FLOW);
        unit_close(&u);
    }
    job_free(job);
}

/* Where a bit of the PC rises, the answer is wrong for the first time, and again when it rises last. */
static void a_slow_gate_keeps_what_it_had_in_the_cycle_before(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct fl_err err = {""};
    struct busy_run b = run_busy();
    const struct reference *ref = b.ref;
    struct unit u = open_unit(CONTROL_NETLISTS, SM_CONTROL_FLOW);
    unit_choose(&u, GATE_TRANSITION);
    uint32_t output = 0;
    while (strcmp(u.netlist->output_name[output], "flow_pc_o[4]") != 0)
        output++;
    const uint32_t rise = u.faults->class_of[GATE_FAULT(u.netlist->output[output], 0)];
    struct response *r = fl_alloc(u.faults->count * sizeof *r);
    struct trace t = {.unit = &u, .sp = -1};
    CU_ASSERT_EQUAL_FATAL(control_record(ref, &t, &err), 0);
    CU_ASSERT_EQUAL_FATAL(response_all(&t, 1, r, &err), 0);
    uint64_t cycle = 1;
    const uint64_t *own = t.good;
#define IS(c) (own[(size_t)t.at[c] * u.out_words + output / 64] >> output % 64 & 1)
    while (!IS(cycle) || IS(cycle - 1))
        cycle++;
    CU_ASSERT_EQUAL(t.first[r[rise].first], cycle);
    for (cycle = ref->cycles - 1; !IS(cycle) || IS(cycle - 1);)
        cycle--;
    CU_ASSERT(r[rise].last >= cycle);
#undef IS
    free(r);
    trace_free(&t);
    unit_close(&u);
    busy_run_free(&b);
}

/* All is right before the first wrong answer, and there it is that of the stuck gate, within the cycle and in what is
 * written at its edge. */
static void a_slow_gate_is_a_stuck_one_in_the_cycle_in_which_it_should_move(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct fl_err err = {""};
    struct busy_run b = run_busy();
    struct dut *healthy = b.ref->engine->make(b.img, &err);
    for (int i = 0; i < CONTROL_UNITS_TRIED; i++) {
        struct unit stuck = open_unit(CONTROL_NETLISTS, tried[i]),
                    u = open_unit(CONTROL_NETLISTS, tried[i]);
        unit_choose(&u, GATE_TRANSITION);
        const uint32_t count = u.faults->count;
        struct response *r = fl_alloc(count * sizeof *r);
        struct trace t = {.unit = &u, .sp = -1};
        CU_ASSERT_EQUAL_FATAL(control_record(b.ref, &t, &err), 0);
        CU_ASSERT_EQUAL_FATAL(response_all(&t, 1, r, &err), 0);
        void *slow = on->make(&t, b.ref), *as = on->make(&(struct trace){.unit = &stuck}, b.ref);
        uint32_t differ = 0;
        const uint32_t step = 7 + count / (tried[i] > SM_CONTROL_PIPE ? 20 : 200);
        for (uint32_t k = 0; k < count; k += step) {
            if (r[k].first == RESPONSE_NONE)
                continue;
            const uint64_t first = t.first[r[k].first];
            reference_seek(b.ref, healthy, first);
            struct dut *m = on->start(slow, u.faults->fault[k], 0),
                       *is = on->start(as, u.faults->fault[k], first);
            dut_run(m, first);
            CU_ASSERT(dut_same(m, healthy, false));
            dut_run(m, first + 1);
            dut_run(is, first + 1);
            dut_run(healthy, first + 1);
            CU_ASSERT(dut_same(m, is, false));
            differ += !dut_same(m, healthy, false);
            m = on->start(slow, u.faults->fault[k], first);
            dut_run(m, first + 1);
            CU_ASSERT(dut_same(m, is, false));
        }
        /* what these make is used in the last cycle of a slot alone */
        CU_ASSERT(differ > 0 || tried[i] == SM_CONTROL_UOP || tried[i] > SM_CONTROL_PIPE);
        on->free(slow);
        on->free(as);
        trace_free(&t);
        unit_close(&stuck);
        unit_close(&u);
        free(r);
    }
    dut_free(healthy);
    busy_run_free(&b);
}

/* A short kernel, so that each of them can run alone. */
static void all_glitches_by_groups_are_all_glitches_one_by_one(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct fl_err err = {""};
    struct job *job = faults_job("tiny", 1, 32,
                                 ".kernel k\nMVI R0, 3\nloop: IADD32I R0, R0, -1\nISET.S32.C0 "
                                 "o[0x7f], R0, R124, NE\nBRA C0.NE, loop\nNOP.EXIT\n");
    struct unit u = open_unit(CONTROL_NETLISTS, SM_CONTROL_SCHED);
    struct store *pruned = run_of(glitches_run, job, &u, 0, 0, &err),
                 *brute = run_of(glitches_run, job, &u, 0, ALL_BUT_BRUTE_FORCE, &err);
    CU_ASSERT_FATAL(pruned && brute);
    const struct result *a = store_result(pruned), *b = store_result(brute);
    struct tally x, y;
    result_tally(&a->job[0], &a->part[0], -1, &x);
    result_tally(&b->job[0], &b->part[0], -1, &y);
    CU_ASSERT_EQUAL(x.counted, x.population);
    for (int i = 0; i < OUT_COUNT; i++)
        CU_ASSERT_EQUAL(x.outcome[i], y.outcome[i]);
    for (int i = 0; i < REASON_COUNT; i++)
        CU_ASSERT_EQUAL(x.reason[i], y.reason[i]);
    CU_ASSERT(x.outcome[OUT_MASKED] > 0 && x.outcome[OUT_MASKED] < x.counted);
    store_close(pruned, &err);
    store_close(brute, &err);
    unit_close(&u);
    job_free(job);
}

/* In its cycle, and in what is written at the edge behind that, the gate is stuck at one of both values: at the other,
 * nothing is wrong. Behind it the machine goes on as one does in which nothing stands in for the unit. */
static void a_glitch_lasts_one_cycle(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct fl_err err = {""};
    struct busy_run b = run_busy();
    const struct reference *ref = b.ref;
    struct dut *healthy = ref->engine->make(b.img, &err), *plain = ref->engine->make(b.img, &err);
    for (int k = 0; k < CONTROL_UNITS_TRIED; k++) {
        struct unit u = open_unit(CONTROL_NETLISTS, tried[k]);
        struct trace t = {.unit = &u, .sp = -1};
        CU_ASSERT_EQUAL_FATAL(control_record(ref, &t, &err), 0);
        struct glitch_runner *r = glitch_runner_new(&t, ref);
        void *stuck = on->make(&(struct trace){.unit = &u}, ref);
        uint32_t gates, differ = 0, *gate = glitch_gates(&u, &gates);
        const uint32_t step = u.which > SM_CONTROL_PIPE    ? gates / 20 + 1
                              : u.which >= SM_CONTROL_SMEM ? gates / 150
                              : gates < 1000               ? 5
                                                           : 17;
        for (uint32_t i = 0; i < gates; i += step) {
            const uint64_t cycle = 7 * i % (ref->cycles - 20);
            struct dut *m = glitch_start(r, gate[i], cycle);
            dut_run(m, cycle + 1);
            reference_seek(ref, healthy, cycle + 1);
            bool right = dut_same(m, healthy, false), as_stuck[2], is_right[2];
            for (int value = 0; value < 2; value++) {
                struct dut *is = on->start(stuck, GATE_FAULT(gate[i], value), cycle);
                dut_run(is, cycle + 1);
                as_stuck[value] = dut_same(m, is, false);
                is_right[value] = dut_same(healthy, is, false);
            }
            CU_ASSERT((as_stuck[0] && is_right[1]) || (as_stuck[1] && is_right[0]));
            differ += !right;
            dut_copy(plain, m);
            dut_run(m, cycle + 400);
            dut_run(plain, cycle + 400);
            CU_ASSERT(dut_same(m, plain, false));
        }
        CU_ASSERT(differ > 0 ||
                  u.which >=
                      SM_CONTROL_SMEM); /* most of their glitches hit data that nobody takes */
        free(gate);
        glitch_runner_free(r);
        on->free(stuck);
        trace_free(&t);
        unit_close(&u);
    }
    dut_free(healthy);
    dut_free(plain);
    busy_run_free(&b);
}

static void a_netlist_of_another_profile_is_refused(void)
{
    if (!rtl_built("tiny_gates") || !rtl_built("g80_gates"))
        return;
    struct fl_err err = {""};
    struct job *job = faults_job("g80", 1, 128, busy);
    struct unit u = open_unit(CONTROL_NETLISTS, SM_CONTROL_SCHED);
    CU_ASSERT(run(job, &u, 0, false, &err) == NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "for another profile: make it again"));
    unit_close(&u);
    job_free(job);
}

static void a_trace_names_the_first_wrong_answer_and_where_control_parts(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct fl_err err = {""};
    struct fault_trace out = {0};
    struct job_context ctx;
    struct job *job = faults_job("tiny", 1, 64, busy);
    struct unit u = open_unit(CONTROL_NETLISTS, SM_CONTROL_FLOW);
    uint32_t output = 0, fault;
    char id[32];
    while (strcmp(u.netlist->output_name[output], "flow_pc_o[4]") != 0)
        output++;
    snprintf(id, sizeof id, "n%u:sa1", u.netlist->output[output]);
    CU_ASSERT_EQUAL_FATAL(gate_fault_parse(u.netlist, GATE_STUCK, id, &fault, &err), 0);
    CU_ASSERT_EQUAL_FATAL(context_open(&ctx, job, &context_all_cycles, 1000000, &err), 0);
    CU_ASSERT_EQUAL(gate_trace(&ctx, gates_engine(), &u, -1, fault, &out, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.text.data, "flow_pc_o[4] is 1"));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.text.data, "First divergence of control"));
    CU_ASSERT(out.rows > 0);
    fault_trace_free(&out);
    CU_ASSERT_EQUAL(glitch_trace(&ctx, gates_engine(), &u, u.netlist->output[output], ctx.g->cycles,
                                 &out, &err),
                    -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "so there is no cycle"));
    CU_ASSERT_EQUAL(
        glitch_trace(&ctx, gates_engine(), &u, u.netlist->output[output], 30, &out, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.text.data, "is inverted in cycle 30"));
    fault_trace_free(&out);
    context_close(&ctx);
    unit_close(&u);
    job_free(job);
}

/* What a job puts at the inputs of a unit keeps to its constraints, and no fault that is proved to be shown by no
 * program answers any of it wrongly. `relations`: a file, or NULL. Returns how many faults are proved. */
static uint32_t hold_proofs(const struct job *job, const struct unit *u, const char *relations)
{
    struct fl_err err = {""};
    const uint32_t count = u->faults->count;
    struct sm_image *img = sm_image_new(job, &err);
    struct golden *g = golden_run(img, 1000000000, &err);
    struct reference *ref = reference_new(gates_engine(), g, &err);
    struct response *r = fl_alloc(count * sizeof *r);
    uint32_t *vector = fl_alloc(count * sizeof *vector), proved = 0, broken = 0, wrong = 0;
    uint8_t *verdict = fl_alloc(count), source[SM_CONTROL_BITS];
    struct gate_constraints *c = NULL;
    struct gate_patterns p;
    struct trace t = {.unit = u, .sp = -1};
    CU_ASSERT_EQUAL_FATAL(control_record(ref, &t, &err), 0);
    CU_ASSERT_EQUAL_FATAL(response_all(&t, 1, r, &err), 0);
    if (relations && gate_constraints_read(relations, u->netlist, &c, &err) != 0)
        CU_FAIL_FATAL("no constraints");
    for (uint32_t v = 0; c && v < t.seen.count; v++) {
        for (uint32_t i = 0; i < u->netlist->inputs; i++)
            source[i] = vectors_bit(vectors_at(&t.seen, v), i);
        broken += gate_constraints_broken(c, source) >= 0;
    }
    CU_ASSERT_EQUAL_FATAL(
        gate_prove_all(u->netlist, u->faults, c, NULL, 0, 1, verdict, vector, &p, NULL, &err), 0);
    for (uint32_t i = 0; i < count; i++) {
        proved += verdict[i] != GATE_TESTABLE;
        wrong += verdict[i] != GATE_TESTABLE && r[i].first != RESPONSE_NONE;
    }
    CU_ASSERT_EQUAL(broken, 0);
    CU_ASSERT_EQUAL(wrong, 0);
    gate_patterns_free(&p);
    gate_constraints_free(c);
    trace_free(&t);
    reference_free(ref);
    golden_free(g);
    sm_image_free(img);
    free(r);
    free(vector);
    free(verdict);
    return proved;
}

static void a_fault_that_is_proved_untestable_is_never_seen(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct job *job = faults_job("tiny", 1, 64, busy);
    for (int i = 0; tried[i] < SM_CONTROL_SMEM; i++) { /* of the others a solver takes a minute */
        struct unit u = open_unit(CONTROL_NETLISTS, tried[i]);
        CU_ASSERT(hold_proofs(job, &u, NULL) > 0);
        unit_close(&u);
    }
    job_free(job);
}

/* What a solver is asked for is what campaigns have: of a netlist with registers, not all faults. */
static void a_list_of_faults_is_read_back_as_those_of_the_campaign(void)
{
    struct fl_err err = {""};
    struct fl_buf out = {0};
    struct gate_faults *read = NULL;
    struct unit u = open_unit(CONTROL_NETLISTS, SM_CONTROL_PIPE);
    struct gate_faults *all = gate_faults_new(u.netlist, GATE_STUCK);
    char path[] = "/tmp/faultline-list-XXXXXX";
    close(mkstemp(path));
    gate_faults_print(u.netlist, u.faults, &out);
    CU_ASSERT_EQUAL_FATAL(fl_write_file(path, out.data, out.size, &err), 0);
    CU_ASSERT_EQUAL_FATAL(gate_faults_read(path, u.netlist, all, &read, &err), 0);
    CU_ASSERT_EQUAL_FATAL(read->count, u.faults->count);
    CU_ASSERT(read->count < all->count);
    for (uint32_t i = 0; i < read->count; i++)
        CU_ASSERT_EQUAL_FATAL(read->fault[i], u.faults->fault[i]);
    unlink(path);
    fl_buf_free(&out);
    gate_faults_free(read);
    gate_faults_free(all);
    unit_close(&u);
}

static void faults_of_a_list_end_as_among_all(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct job *job = faults_job("tiny", 1, 64, busy);
    struct fl_err err = {""};
    struct fl_buf lines = {0};
    struct unit units[] = {open_unit(CONTROL_NETLISTS, SM_CONTROL_UOP),
                           open_unit(CONTROL_NETLISTS, SM_CONTROL_SCHED)};
    const struct gate_faults *f = units[1].faults;
    struct store *all = run(job, &units[1], 0, false, &err), *some = NULL;
    char path[] = "/tmp/faultline-list-XXXXXX", id[UNIT_ID];
    CU_ASSERT_FATAL(all != NULL);
    close(mkstemp(path));
    for (uint32_t i = 0; i < f->count; i += 3) {
        unit_fault_id(&units[1], -1, f->fault[i], id);
        fl_buf_printf(&lines, "%s\n", id);
    }
    CU_ASSERT_EQUAL_FATAL(fl_write_file(path, lines.data, lines.size, &err), 0);
    struct fault_list *list = fault_list_read(path, units, 2, 1, -1, &err);
    CU_ASSERT_FATAL(list != NULL);
    struct gates_options opt = {.unit = units,
                                .units = 2,
                                .sp = -1,
                                .list = list,
                                .run = {.engine = gates_engine(), .max_cycles = 1000000000}};
    CU_ASSERT_EQUAL_FATAL(gates_run((const struct job *const *)&job, 1, &opt, &some, &err), 0);
    CU_ASSERT_EQUAL(store_result(some)->nparts, 1);
    char *listed = lane_gates_text(some), *among = lane_gates_text(all), *rest = listed, *line;
    int n = -1; /* the first one has sums */
    while ((line = strsep(&rest, "\n")) && *line)
        CU_ASSERT(++n == 0 || strstr(among, line));
    CU_ASSERT_EQUAL(n, (int)(f->count + 2) / 3);
    unlink(path);
    free(listed);
    free(among);
    fault_list_free(list);
    fl_buf_free(&lines);
    for (int i = 0; i < 2; i++)
        unit_close(&units[i]);
    job_free(job);
}

static char *detected(const struct job *job, const struct unit *u, uint64_t sample, bool detect,
                      bool exhaustive)
{
    struct gates_options opt = {
        .unit = u,
        .units = 1,
        .sp = -1,
        .seed = 1,
        .sample = sample,
        .detect = detect,
        .run = {.engine = gates_engine(), .exhaustive = exhaustive, .max_cycles = 1000000000}};
    return lane_gates_campaign(&job, 1, opt);
}

/* Of lines of one list: those of failures in a full run, and no others, are detected by itself. Returns how many. */
static int hold_detections(const struct job *job, const struct unit *u, uint64_t sample)
{
    char *full = detected(job, u, sample, false, false);
    char *quick = detected(job, u, sample, true, false);
    char *x = full, *y = quick, *a, *b;
    int failures = 0;
    for (int n = 0; (a = strsep(&x, "\n")) && (b = strsep(&y, "\n")) && *a; n++) {
        const bool fails = strstr(a, " sdc ") || strstr(a, " crash ") || strstr(a, " hang ") ||
                           strstr(a, " timeout ");
        failures += n > 0 && fails;
        if (n > 0 && fails != (strstr(b, " detected ") != NULL)) {
            printf("\n%s\n%s\n", a, b);
            CU_FAIL("not as the full run");
        }
        if (n > 0 && !fails)
            CU_ASSERT_STRING_EQUAL(a, b);
    }
    free(full);
    free(quick);
    if (!u->sees_data)
        lane_gates_same(detected(job, u, sample / 8 + 1, true, false),
                        detected(job, u, sample / 8 + 1, true, true));
    return failures;
}

static void detection_alone_detects_what_full_runs_detect(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct job *one = faults_job("tiny", 1, 64, busy), *several;
    struct fl_err err = {""};
    char *dir = tools_folder(), *path = fl_format("%s/reads.job.xml", dir);
    lane_gates_put_reads(dir, busy, 64);
    CU_ASSERT_EQUAL_FATAL(job_load(path, NULL, &several, &err), 0);
    for (int i = 0; i < CONTROL_UNITS_TRIED; i++) {
        struct unit u = open_unit(CONTROL_NETLISTS, tried[i]);
        CU_ASSERT(hold_detections(several, &u, some(&u, 400)) > 0 || u.sees_data);
        if (tried[i] == SM_CONTROL_FLOW)
            CU_ASSERT(hold_detections(one, &u, 400) > 0);
        unit_choose(&u, GATE_TRANSITION);
        if (tried[i] ==
            SM_CONTROL_UOP) /* a slot lasts longer than one cycle, so hardly any fails */
            hold_detections(several, &u, 200);
        unit_close(&u);
    }
    job_free(one);
    job_free(several);
    free(path);
    tools_remove(dir);
}

/* Two warps, of which the second executes words that are none, where the first is in a branch; or a stack that overflows. */
static void faults_of_a_job_that_traps_end_as_each_alone_from_cycle_0(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    static const struct {
        const char *trap, *code;
    } of[] = {{"ILLEGAL_INSTRUCTION",
               "SHR.S32.C1 o[0x7f], R0, 5\nISET.S32.C0 o[0x7f], R0, R124, NE\n"
               "SSY join\nBRA C0.EQ, join\nMVI R1, 3\njoin: NOP.S\n"
               ".words 0xffffffff, 0xffffffff\nNOP.EXIT\n"},
              {"STACK_OVERFLOW",
               "MVI R1, 0\nloop: SSY out\nIADD32I R1, R1, 1\nBRA loop\nout: NOP.EXIT\n"}};
    static const enum sm_control unit[] = {SM_CONTROL_SCHED, SM_CONTROL_UOP, SM_CONTROL_FLOW,
                                           SM_CONTROL_SLOT, SM_CONTROL_PIPE};
    for (int k = 0; k < 2; k++) {
        int wrong = 0;
        char *text = fl_format(".kernel k\n%s", of[k].code);
        struct job *job = faults_job("tiny", 1, 64, text);
        free(job->output->name);
        job->noutputs = 0;
        job->launch->trap = fl_strdup(of[k].trap);
        for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
            struct unit u = open_unit(CONTROL_NETLISTS, unit[i]);
            wrong += hold_ways(gates_run, job, &u, some(&u, 200), false);
            hold_detections(job, &u, some(&u, 200));
            unit_close(&u);
        }
        CU_ASSERT(wrong > 0);
        free(text);
        job_free(job);
    }
}

/* The stuck output of a unit, by its name. */
static uint32_t stuck_output(const struct unit *u, const char *name, int value)
{
    char id[32];
    uint32_t output = 0, fault;
    struct fl_err err;
    while (strcmp(u->netlist->output_name[output], name) != 0)
        output++;
    snprintf(id, sizeof id, "n%u:sa%d", u->netlist->output[output], value);
    CU_ASSERT_EQUAL_FATAL(gate_fault_parse(u->netlist, GATE_STUCK, id, &fault, &err), 0);
    return fault;
}

static void the_first_commit_that_differs_tells_the_class(void)
{
    static const struct {
        enum sm_control unit;
        const char *output;
        int value;
        enum control_class class;
        const char *field;
    } is[] = {{SM_CONTROL_FLOW, "flow_pc_o[3]", 1, CLASS_WV, "pc afterwards"},
              {SM_CONTROL_FLOW, "flow_active_o[5]", 0, CLASS_IAT, "active threads afterwards"},
              {SM_CONTROL_FLOW, "flow_ended_o", 1, CLASS_IAW, "end of the warp"},
              /* of sm_uop_pkg::uop_t: unit, imm, dst_reg */
              {SM_CONTROL_UOP, "uop_o[1]", 0, CLASS_IVOC, "unit"},
              {SM_CONTROL_UOP, "uop_o[63]", 1, CLASS_IIO, "imm"},
              {SM_CONTROL_UOP, "uop_o[97]", 1, CLASS_IRA, "dst_reg"},
              {SM_CONTROL_UOP, "uop_o[102]", 1, CLASS_IVRA, "dst_reg"}};
    if (!rtl_built("tiny_gates"))
        return;
    struct fl_err err = {""};
    struct busy_run b = run_busy();
    const struct reference *ref = b.ref;
    struct control_commits *commits = control_commits_record(ref, &err);
    for (size_t i = 0; i < sizeof is / sizeof *is; i++) {
        struct unit u = open_unit(CONTROL_NETLISTS, is[i].unit);
        void *r = on->make(&(struct trace){.unit = &u}, ref);
        struct control_difference d = control_first_difference(
            commits, r, stuck_output(&u, is[i].output, is[i].value), 0);
        if (d.class != is[i].class || strcmp(d.field, is[i].field) != 0)
            printf("\n%s: %s, %s\n", is[i].output, control_class_name(d.class), d.field);
        CU_ASSERT_EQUAL(d.class, is[i].class);
        CU_ASSERT_STRING_EQUAL(d.field, is[i].field);
        on->free(r);
        unit_close(&u);
    }
    control_commits_free(commits);
    busy_run_free(&b);
}

/* By id, as the fault of a line of --csv-faults. */
static const char *outcome_in(const char *text, const char *id)
{
    static char out[32];
    const char *at = strstr(text, id);
    CU_ASSERT_FATAL(at && sscanf(at + strlen(id), " %31s", out) == 1);
    return out;
}

static void faults_without_a_differing_commit_never_fail(void)
{
    if (!rtl_built("tiny_gates"))
        return;
    struct fl_err err = {""};
    struct fl_buf csv = {0};
    struct job_context ctx;
    uint64_t count[CONTROL_CLASS_COUNT] = {0};
    struct job *job = faults_job("tiny", 1, 64, busy);
    struct unit u = open_unit(CONTROL_NETLISTS, SM_CONTROL_SCHED);
    struct store *s = run(job, &u, 0, false, &err);
    CU_ASSERT_FATAL(s != NULL);
    char *text = lane_gates_text(s);
    CU_ASSERT_EQUAL_FATAL(context_open(&ctx, job, &context_all_cycles, 1000000, &err), 0);
    CU_ASSERT_EQUAL(control_classes(&ctx, gates_engine(), &u, 0, 0, NULL, &csv, count, &err), 0);
    uint64_t none = 0, some = 0;
    char *at = (char *)csv.data;
    for (char *line; (line = strsep(&at, "\n")) && *line;) {
        char id[64], class[16];
        CU_ASSERT_EQUAL_FATAL(sscanf(line, "%*[^,],%63[^,],%15[^,]", id, class), 2);
        const char *outcome = outcome_in(text, id);
        const bool same = strcmp(class, "NONE") == 0;
        if (same && strcmp(outcome, "masked") != 0 && strcmp(outcome, "performance") != 0) {
            printf("\n%s: %s, %s\n", id, class, outcome);
            CU_FAIL("no commit differs, and the program fails");
        }
        none += same;
        some += !same;
    }
    CU_ASSERT(none > 20 && some > 10);
    CU_ASSERT_EQUAL(count[CLASS_NONE], none);
    free(text);
    fl_buf_free(&csv);
    context_close(&ctx);
    unit_close(&u);
    job_free(job);
}

static void faults_of_jobs_end_as_each_alone_from_cycle_0(void)
{
    for (int i = 2; i < narguments; i++) {
        struct job *job = faults_load(arguments[i]);
        for (int k = 0; k < SM_CONTROLS && gates_built(job); k++) {
            struct unit u = open_unit(arguments[0], (enum sm_control)k);
            const uint64_t sample = strtoull(arguments[1], NULL, 10) /
                                    (u.which > SM_CONTROL_PIPE ? 10 : 1);
            hold_ways(gates_run, job, &u, sample, !u.sees_data);
            hold_ways(glitches_run, job, &u, sample, !u.sees_data);
            unit_choose(&u, GATE_TRANSITION);
            hold_ways(gates_run, job, &u,
                      sample / (u.which == SM_CONTROL_SMEM ? 50
                                : u.sees_data              ? 5
                                                           : 1),
                      u.which == SM_CONTROL_FLOW);
            unit_close(&u);
        }
        job_free(job);
    }
}

static void no_job_shows_what_no_program_shows(void)
{
    for (int i = 2; i < narguments; i++) {
        struct job *job = faults_load(arguments[i]);
        for (int k = 0; k <= SM_CONTROL_PIPE && gates_built(job); k++) {
            struct unit u = open_unit(arguments[0], (enum sm_control)k);
            char *path = fl_format("%s/%s.constraints", arguments[0], control_name(u.which));
            const bool all_shown = u.which == SM_CONTROL_CCRF || u.which == SM_CONTROL_ARF;
            CU_ASSERT_EQUAL(hold_proofs(job, &u, path) == 0, all_shown);
            unit_close(&u);
            free(path);
        }
        job_free(job);
    }
}

int main(int argc, char **argv)
{
    arguments = argv + 1;
    narguments = argc - 1;
    if (argc == 3)
        return CHECK_RUN("gates of the control in the RTL above compute capability 1.0",
                         CHECK(all_units_of_a_machine_of_1_2_end_as_each_alone_from_cycle_0));
    if (argc > 3)
        return CHECK_RUN("gates of the control in the RTL, jobs",
                         CHECK(no_job_shows_what_no_program_shows),
                         CHECK(faults_of_jobs_end_as_each_alone_from_cycle_0));
    return CHECK_RUN("gates of the control in the RTL", CHECK(each_gate_of_a_netlist_is_read),
                     CHECK(gates_without_a_fault_change_nothing),
                     CHECK(a_unit_of_a_copied_machine_sees_what_that_of_the_other_sees),
                     CHECK(faults_in_groups_end_as_each_alone_from_cycle_0),
                     CHECK(slow_gates_in_groups_end_as_each_alone_from_cycle_0),
                     CHECK(a_slow_gate_keeps_what_it_had_in_the_cycle_before),
                     CHECK(a_slow_gate_is_a_stuck_one_in_the_cycle_in_which_it_should_move),
                     CHECK(stores_of_all_widths_end_as_each_alone_from_cycle_0),
                     CHECK(local_memory_of_a_warp_that_no_launch_uses_is_not_there),
                     CHECK(units_of_a_machine_of_1_2_end_as_each_alone_from_cycle_0),
                     CHECK(glitches_end_as_each_alone_from_cycle_0),
                     CHECK(all_glitches_by_groups_are_all_glitches_one_by_one),
                     CHECK(a_glitch_lasts_one_cycle),
                     CHECK(a_fault_that_is_proved_untestable_is_never_seen),
                     CHECK(a_list_of_faults_is_read_back_as_those_of_the_campaign),
                     CHECK(faults_of_a_list_end_as_among_all),
                     CHECK(detection_alone_detects_what_full_runs_detect),
                     CHECK(faults_of_a_job_that_traps_end_as_each_alone_from_cycle_0),
                     CHECK(a_netlist_of_another_profile_is_refused),
                     CHECK(a_trace_names_the_first_wrong_answer_and_where_control_parts),
                     CHECK(the_first_commit_that_differs_tells_the_class),
                     CHECK(faults_without_a_differing_commit_never_fail));
}
