/* test_slow_gates.c -- slow gates of a lane's units in the running machine: the runs of a machine that is too simple to be
 * wrong, whatever is simulated together, stored or cut.
 */
#include "tests/lib/check.h"
#include "tests/lib/faults.h"
#include "tests/gate/lane_gates.h"
#include "tests/gate/netlists.h"
#include "tests/lib/tools.h"
#include "tests/lib/flips.h"

#include <string.h>

#include "faultsim/lane/concurrent.h"
#include "faultsim/gate/fault_trace.h"

#define CVT LANE_GATES_NETLISTS "alu_cvt.blif"

/* A unit that is evaluated net by net at each of its uses, a beat after the other. */
struct simple {
    const struct unit *u;
    struct naive gates;
    uint8_t *input;
    uint32_t lanes;
    int wrong;
};

static void answer(void *simple, const struct isa_insn *in, uint32_t exec, const uint32_t *a,
                   const uint32_t *b, const uint32_t *c, const uint8_t *cc, uint32_t *d,
                   uint8_t *flags)
{
    struct simple *s = simple;
    for (int l = 0; l < SM_LANES; l++) {
        if (!(exec & s->lanes) || !(exec >> l & 1) || !(s->lanes >> l & 1))
            continue;
        struct vector v = vector_with_operands(vector_of(in, lane_which(s->u)), a[l], b[l], c[l],
                                               cc[l] & SM_CC_C);
        uint64_t good = d[l] | (uint64_t)(flags ? flags[l] & 15 : 0) << VECTOR_D_BITS, says = 0;
        for (uint32_t i = 0; i < s->u->netlist->inputs; i++)
            s->input[i] = vector_bit(&v, s->u->place[i]);
        naive_eval(&s->gates, s->input);
        for (uint32_t o = 0; o < s->u->netlist->outputs; o++)
            says |= (uint64_t)s->gates.watched[o] << s->u->output[o];
        naive_clock(&s->gates);
        if (!vector_bit(&v, VECTOR_en))
            says |= good;
        s->wrong += ((says ^ good) & vector_written(in)) != 0;
        d[l] = (uint32_t)says;
        if (flags)
            flags[l] = (uint8_t)((flags[l] & ~15u) | says >> VECTOR_D_BITS);
    }
}

static void slow_gates_end_as_in_a_machine_that_is_evaluated_net_by_net(void)
{
    struct bench b = bench_open(faults_job("tiny", 1, 40, LANE_GATES_BUSY), false);
    struct unit u = lane_gates_slow(CVT, VECTOR_CVT);
    struct trace t = {.unit = &u, .sp = 3};
    struct reference *ref = reference_of(b.g);
    void *concurrent = concurrent_machine.make(&t, ref);
    int wrong = 0, differ = 0;
    for (uint32_t f = 11; f < u.faults->count; f += u.faults->count / (check_few() ? 12 : 400)) {
        struct simple s = {.u = &u,
                           .gates = naive_new(u.netlist, GATE_TRANSITION, u.faults->fault[f]),
                           .input = fl_alloc(u.netlist->inputs),
                           .lanes = lane_mask(b.img, t.sp)};
        struct sm_lane_hook hook = {answer, &s};
        struct gpu *m = gpu_new(b.img);
        struct dut *other = concurrent_machine.start(concurrent, u.faults->fault[f], 0);
        m->sm->lanes = &hook;
        gpu_run(m, 2 * b.g->cycles);
        dut_run(other, 2 * b.g->cycles);
        CU_ASSERT(gpu_same(m, dut_gpu(other)));
        wrong += s.wrong > 0;
        differ += !gpu_same(m, b.g->end);
        gpu_free(m);
        naive_free(&s.gates);
        free(s.input);
    }
    CU_ASSERT(wrong > 0 && differ > 0);
    concurrent_machine.free(concurrent);
    reference_free(ref);
    unit_close(&u);
    bench_close(&b);
}

/* The integer unit computes the loop's end, too. */
static void slow_gates_simulated_concurrently_end_as_each_does_alone(void)
{
    struct unit u = lane_gates_slow(LANE_GATES_NETLISTS "alu_int.blif", VECTOR_INT);
    char *together = lane_gates_both_ways(&u, check_few() ? 200 : 2000);
    CU_ASSERT(lane_gates_count(together, ":str sdc ") > 5);
    CU_ASSERT(lane_gates_count(together, ":stf sdc ") > 5);
    CU_ASSERT(lane_gates_count(together, " masked ") > 5);
    CU_ASSERT(lane_gates_count(together, " crash ") + lane_gates_count(together, " timeout ") +
                  lane_gates_count(together, " hang ") >
              0);
    free(together);
    unit_close(&u);
}

/* ---- what a fault remembers ------------------------------------------------------------------ */

/* The counter of the loop stands still. */
static void stand_still(void *context, const struct isa_insn *in, uint32_t exec, const uint32_t *a,
                        const uint32_t *b, const uint32_t *c, const uint8_t *cc, uint32_t *d,
                        uint8_t *flags)
{
    (void)context, (void)exec, (void)b, (void)c, (void)cc, (void)flags;
    for (int l = 0; l < SM_LANES && in->op == OP_IADD; l++)
        d[l] = a[l];
}

static void keep_nothing(void *of)
{
    (void)of;
}

static bool is_never_the_same(const void *of)
{
    (void)of;
    return false;
}

static void a_state_recurs_only_with_what_the_fault_remembers(void)
{
    struct bench b = bench_open(
        faults_job("tiny", 1, 8,
                   ".kernel k\n.param ptr p\nMOV R1, s[p]\nMVI R3, 0\nMVI R5, 12\n"
                   "loop: IADD32I R3, R3, 3\n"
                   "ISET.S32.C0 o[0x7f], R3, R5, LT\n"
                   "BRA C0.NE, loop\nGST.EXIT.U32 global14[R1], R3\n"),
        false);
    const struct runner_memory memory = {.keep = keep_nothing, .same = is_never_the_same};
    const struct sm_lane_hook hook = {stand_still, NULL};
    struct reference *ref = reference_of(b.g);
    for (int remembers = 0; remembers < 2; remembers++)
        for (unsigned how = 0; how <= LOOK_EARLY; how += LOOK_EARLY) {
            struct runner r;
            runner_open(&r, ref);
            dut_copy(r.bad, ref->checkpoint[0]);
            dut_gpu(r.bad)->sm->lanes = &hook;
            r.memory = remembers ? &memory : NULL;
            CU_ASSERT_EQUAL(run_on(&r, how), remembers ? RUN_TOO_LONG : RUN_RECURS);
            runner_close(&r);
        }
    reference_free(ref);
    bench_close(&b);
}

static void the_first_use_of_a_unit_moves_no_gate_and_each_other_comes_behind_the_last(void)
{
    struct unit u = lane_gates_slow(CVT, VECTOR_CVT);
    struct unit_past past = {.any = false};
    struct vector v = {{1, 2, 3}}, w = {{4, 5, 6}};
    struct use first = lane_next(&u, &past, vector_with_care(v, 5)),
               second = lane_next(&u, &past, w);
    CU_ASSERT(vector_same(&first.before, &v));
    CU_ASSERT(vector_same(&second.before, &v));
    CU_ASSERT(vector_same(&second.now, &w) && vector_same(&past.inputs, &w));
    unit_choose(&u, GATE_STUCK);
    second = lane_next(&u, &past, v);
    CU_ASSERT(vector_same(&second.before, &(struct vector){{0}}));
    unit_close(&u);
}

static void uses_differ_in_either_half(void)
{
    struct unit u = lane_gates_slow(CVT, VECTOR_CVT);
    struct vectors s = lane_uses(&u);
    bool isnew;
    for (uint64_t i = 0; i < 600; i++) {
        struct use use = {{{i / 30}}, {{i % 30}}};
        CU_ASSERT_EQUAL(use_find(&s, &use), -1);
        CU_ASSERT_EQUAL(use_add(&s, &use, &isnew), i);
        CU_ASSERT_EQUAL(use_add(&s, &use, &isnew), i);
        CU_ASSERT_FALSE(isnew);
    }
    for (uint64_t i = 0; i < 600; i += 7)
        CU_ASSERT_EQUAL(use_find(&s, &(struct use){{{i / 30}}, {{i % 30}}}), i);
    vectors_free(&s);
    unit_close(&u);
}

/* ---- fault traces, stores ------------------------------------------------------------------------- */

static void stories_of_slow_gates_say_what_was_before(void)
{
    struct job *job = faults_job("tiny", 1, 40, LANE_GATES_BUSY);
    struct unit u = lane_gates_slow(CVT, VECTOR_CVT);
    struct gates_options opt = {.unit = &u, .units = 1, .sp = 3, .sample = 60, .seed = 2};
    const struct job *jobs[] = {job};
    char *text = lane_gates_campaign(jobs, 1, opt), *rest = text, *line;
    struct job_context ctx;
    struct fl_err err;
    int shown = 0;
    CU_ASSERT_EQUAL_FATAL(context_open(&ctx, job, &context_all_cycles, 100000, &err), 0);
    strsep(&rest, "\n");
    while ((line = strsep(&rest, "\n")) && *line && shown < 4) {
        char id[UNIT_ID], outcome[16];
        const char *fault;
        uint32_t number;
        long long first;
        int which, sp;
        struct fault_trace trace = {0};
        CU_ASSERT_EQUAL(sscanf(line, "%63s %15s %*s %lld", id, outcome, &first), 3);
        CU_ASSERT_EQUAL(unit_parse(id, &lane_kind, &which, &sp, &fault, &err), 0);
        CU_ASSERT_EQUAL(gate_fault_parse(u.netlist, GATE_TRANSITION, fault, &number, &err), 0);
        if (first >= 0) {
            char *says = fl_format("%s: %s (", id, outcome);
            CU_ASSERT_EQUAL(gate_trace(&ctx, &engine_c, &u, sp, number, &trace, &err), 0);
            CU_ASSERT_EQUAL(strncmp((char *)trace.text.data, says, strlen(says)), 0);
            free(says);
            says = fl_format("\nFirst wrong answer: cycle %lld of", first);
            CU_ASSERT_PTR_NOT_NULL(strstr((char *)trace.text.data, says));
            CU_ASSERT_PTR_NOT_NULL(strstr((char *)trace.text.data, strstr(id, ":str")
                                                                       ? " is slow to rise"
                                                                       : " is slow to fall"));
            CU_ASSERT_PTR_NULL(strstr((char *)trace.text.data, "at the outputs."));
            free(says);
            shown++;
        }
        fault_trace_free(&trace);
    }
    CU_ASSERT(shown > 1);
    context_close(&ctx);
    free(text);
    unit_close(&u);
    job_free(job);
}

static void shards_of_slow_gates_join_and_no_store_takes_both_models(void)
{
    char *folder = tools_folder();
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        tools_run(
            folder, &said,
            "n=%s/gates j=%s/bench/vecadd.job.xml\n"
            "g='faultsim gate --unit alu_cvt --sp 0 --sample 200 --seed 4 --quiet'\n"
            "f=\"$g --model transition\"\n"
            "$f --netlists $n $j --csv a --csv-faults af || exit\n"
            "for i in 2 1; do $f --netlists $n --shard $i/2 --store s$i $j || exit; done\n"
            "faultsim merge m s2 s1 && $f --netlists $n --store m --resume $j --csv b || exit\n"
            "faultsim report m --quiet --csv c --csv-faults cf || exit\n"
            "cmp a b && cmp a c && cmp af cf && grep -q ':stf,' af || exit\n"
            "! $g --netlists $n --store m --resume $j 2>&1",
            FAULTLINE_BUILD_DIR, FAULTLINE_BUILD_DIR),
        0);
    CU_ASSERT_TRUE(tools_says(&said, "m: holds a campaign with other options:\n  there "));
    CU_ASSERT_TRUE(tools_says(&said, " faults=transition "));
    fl_buf_free(&said);
    tools_expect_line(folder, "faultsim gate --model slow x.job.xml 2>&1", 2,
                      "--model: give stuck-at, transition or glitch (or set, the same)");
    tools_expect_line(folder, "faultsim gate --model transition --groups . 2>&1", 2,
                      "are of stuck-at faults");
    tools_expect_line(folder, "faultsim gate --model glitch x.job.xml 2>&1", 2,
                      "needs units of the control: add --unit control");
    tools_expect_line(folder, "faultsim gate --model glitch --unit flow x.job.xml 2>&1", 2,
                      "run in the RTL: add --engine rtl");
    tools_remove(folder);
}

int main(void)
{
    return CHECK_RUN(
        "slow gates", CHECK(slow_gates_end_as_in_a_machine_that_is_evaluated_net_by_net),
        CHECK(slow_gates_simulated_concurrently_end_as_each_does_alone),
        CHECK(a_state_recurs_only_with_what_the_fault_remembers),
        CHECK(the_first_use_of_a_unit_moves_no_gate_and_each_other_comes_behind_the_last),
        CHECK(uses_differ_in_either_half), CHECK(stories_of_slow_gates_say_what_was_before),
        CHECK(shards_of_slow_gates_join_and_no_store_takes_both_models));
}
