/* test_lane_gates.c -- faults of the gates of a lane's units end as brute force says.
 *
 *     test_lane_gates                          small jobs and few faults
 *     test_lane_gates DIR UNIT N JOB.xml...    N faults of a unit whose netlist is in DIR
 */
#include "tests/lib/check.h"
#include "tests/lib/faults.h"
#include "tests/gate/lane_gates.h"
#include "tests/lib/tools.h"
#include "tests/lib/flips.h"

#include <string.h>

#include "faultsim/control/control.h"
#include "faultsim/gate/response.h"
#include "faultsim/lane/concurrent.h"
#include "faultsim/lane/serial.h"
#include "faultsim/gate/fault_trace.h"
#include "faultsim/lane/syndrome.h"

static void vectors_are_numbered_as_they_come_and_are_new_again_in_an_empty_set(void)
{
    struct vectors s = {.words = VECTOR_WORDS};
    bool isnew;
    for (uint32_t round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < 1500; i++) {
            struct vector v = {{i / 30, 5, i % 30}};
            CU_ASSERT_EQUAL(vectors_find(&s, v.w), -1);
            CU_ASSERT_EQUAL(vectors_add(&s, v.w, &isnew), i);
            CU_ASSERT_TRUE(isnew);
        }
        for (uint32_t i = 0; i < 1500; i++) {
            struct vector v = {{i / 30, 5, i % 30}};
            CU_ASSERT_EQUAL(vectors_find(&s, v.w), i);
            CU_ASSERT_EQUAL(vectors_add(&s, v.w, &isnew), i);
            CU_ASSERT_FALSE(isnew);
            CU_ASSERT_TRUE(vector_same(vector_at(&s, i), &v));
        }
        vectors_empty(&s);
    }
    vectors_free(&s);
}

static void faults_simulated_concurrently_end_as_each_does_alone(void)
{
    struct unit u = lane_gates_unit(LANE_GATES_NETLISTS "alu_int.blif", VECTOR_INT);
    char *together = lane_gates_both_ways(&u, check_few() ? 200 : 2000);
    CU_ASSERT(lane_gates_count(together, " sdc ") > 5);
    CU_ASSERT(lane_gates_count(together, " masked ") > 5);
    CU_ASSERT(lane_gates_count(together, " crash ") + lane_gates_count(together, " timeout ") > 0);
    free(together);
    unit_close(&u);
}

/* Through replace_unit, a vector at a time, and through the simulator of many faults: the same state. */
static void a_unit_in_place_of_the_own_one_leaves_what_concurrent_simulation_leaves(void)
{
    struct bench b = bench_open(faults_job("tiny", 1, 40, LANE_GATES_BUSY), false);
    struct unit u = lane_gates_unit(LANE_GATES_NETLISTS "alu_int.blif", VECTOR_INT);
    struct trace t = {.unit = &u, .sp = 3};
    struct reference *ref = reference_of(b.g);
    void *concurrent = concurrent_machine.make(&t, ref);
    void *serial = serial_machine.make(&t, ref);
    struct dut *alone = serial_machine.start(serial, GATE_NO_FAULT, 0);
    int wrong = 0;
    dut_run(alone, 2 * b.g->cycles);
    CU_ASSERT(gpu_same(dut_gpu(alone), b.g->end));
    for (uint32_t f = 0; f < u.faults->count; f += u.faults->count / (check_few() ? 20 : 200)) {
        struct dut *among = concurrent_machine.start(concurrent, u.faults->fault[f], 0);
        alone = serial_machine.start(serial, u.faults->fault[f], 0);
        dut_run(among, 2 * b.g->cycles);
        dut_run(alone, 2 * b.g->cycles);
        CU_ASSERT(dut_same(among, alone, false));
        wrong += !gpu_same(dut_gpu(alone), b.g->end);
    }
    CU_ASSERT(wrong > 2);
    concurrent_machine.free(concurrent);
    serial_machine.free(serial);
    reference_free(ref);
    unit_close(&u);
    bench_close(&b);
}

struct patience {
    uint32_t asked, most;
};

static bool lost(void *patience)
{
    struct patience *p = patience;
    return ++p->asked > p->most;
}

/* Wherever machines were left, it starts them anew; none starts behind the question whose answer was to stop. */
static void a_ride_that_was_stopped_can_start_again(void)
{
    enum { GROUPS = 100 };
    struct bench b = bench_open(faults_job("tiny", 1, 40, LANE_GATES_BUSY), false);
    struct unit u = lane_gates_unit(LANE_GATES_NETLISTS "alu_int.blif", VECTOR_INT);
    struct trace t = {.unit = &u, .sp = 3};
    struct fl_err err;
    lane_record(b.g, &t, 1);
    const uint32_t *fault = u.faults->fault, count = u.faults->count;
    struct fsim_result *once = fl_alloc(count * sizeof *once), *again;
    struct response *response = fl_alloc(count * sizeof *response);
    uint32_t *member = fl_alloc(count * sizeof *member), members = 0, n = 0, stopped = 0;
    const struct unit_machine *on = &concurrent_machine;
    struct response kept[GROUPS];
    struct fault_group group[GROUPS];
    CU_ASSERT_EQUAL_FATAL(response_all(&t, 1, response, &err), 0);
    for (uint32_t i = 0; i < count && n < GROUPS; i += 30) {
        struct response r = response[i];
        if (r.first == RESPONSE_NONE)
            continue;
        kept[n] = r;
        struct fault_group *g = &group[n];
        *g = (struct fault_group){&member[members], 0, &kept[n++]};
        for (uint32_t k = i; k < count; k++)
            if (response[k].first == r.first &&
                memcmp(response[k].hash, r.hash, sizeof r.hash) == 0) {
                member[members + g->n++] = fault[k];
                response[k].first = RESPONSE_NONE; /* one group has it */
            }
        members += g->n;
    }
    struct reference *ref = reference_of(b.g);
    void *r = on->make(&t, ref);
    struct concurrent_statistics s = {.splits = 0};
    CU_ASSERT(on->groups(r, group, n, NULL, NULL, once));
    concurrent_statistics(r, &s);
    CU_ASSERT(n > 50 && s.splits > 5);
    for (bool whole = false; !whole; stopped++) {
        struct patience p = {.most = stopped * (check_few() ? 297 : 53)};
        struct concurrent_statistics before = {.splits = 0}, behind = {.splits = 0};
        again = fl_alloc(count * sizeof *again);
        concurrent_statistics(r, &before);
        whole = on->groups(r, group, n, lost, &p, again);
        concurrent_statistics(r, &behind);
        CU_ASSERT(whole || behind.runs.runs - before.runs.runs <= p.most);
        CU_ASSERT(on->groups(r, group, n, NULL, NULL, again));
        for (uint32_t i = 0; i < members; i++)
            CU_ASSERT(faults_same(&once[u.faults->class_of[member[i]]],
                                  &again[u.faults->class_of[member[i]]]));
        free(again);
    }
    CU_ASSERT(stopped > 10);
    on->free(r);
    reference_free(ref);
    free(member);
    free(response);
    free(once);
    trace_free(&t);
    unit_close(&u);
    bench_close(&b);
}

static void results_are_the_same_whatever_the_threads(void)
{
    struct job *job = faults_job("tiny", 1, 40, LANE_GATES_BUSY);
    struct unit u = lane_gates_unit(LANE_GATES_NETLISTS "alu_cvt.blif", VECTOR_CVT);
    struct gates_options opt = {
        .unit = &u, .units = 1, .sp = -1, .run.threads = 1, .sample = check_few() ? 200 : 0};
    const struct job *jobs[] = {job};
    char *one = lane_gates_campaign(jobs, 1, opt);
    opt.run.threads = 4;
    CU_ASSERT(lane_gates_count(one, "gate/alu_cvt.sp7/") >= (check_few() ? 200 : 8000));
    lane_gates_same(one, lane_gates_campaign(jobs, 1, opt));
    unit_close(&u);
    job_free(job);
}

/* What the netlist with one fault answers, a vector at a time. */
static uint64_t naive(const struct unit *u, struct gate_group *g, uint32_t fault,
                      const struct vector *v)
{
    uint64_t inputs[4], diff = 0;
    gate_group_set(g, GATE_STUCK, &fault, 1);
    unit_inputs(u, v->w, inputs);
    gate_group_eval(g, inputs);
    for (uint32_t o = 0; o < u->netlist->outputs; o++) {
        uint64_t w = *gate_group_watched(g, o);
        diff |= ((w ^ w >> 1) & 1) << u->output[o]; /* bit 1 has no fault */
    }
    return diff & vector_care(v);
}

static bool keeps_rule(const struct syndrome *s, uint64_t good, uint64_t diff, uint64_t care)
{
    switch (s->rule) {
    case SYNDROME_SET: return diff == (s->up & ~good & care);
    case SYNDROME_CLEAR: return diff == (s->down & good & care);
    case SYNDROME_FLIP: return diff == 0 || diff == s->mask;
    default: return true;
    }
}

static void a_syndrome_counts_what_each_vector_shows_and_its_rule_holds_for_all(void)
{
    struct job *job = faults_job("tiny", 1, 40, LANE_GATES_BUSY);
    struct fl_err err;
    struct sm_image *img = sm_image_new(job, &err);
    struct golden *g = golden_run(img, 100000, &err);
    struct unit u = lane_gates_unit(LANE_GATES_NETLISTS "alu_int.blif", VECTOR_INT);
    struct trace t = {.unit = &u, .sp = -1};
    struct gate_group *group = gate_group_new(u.netlist, 64);
    uint32_t hits = 0, ruled = 0;
    lane_record(g, &t, 1);
    CU_ASSERT(t.seen.count > 100);
    for (uint32_t i = 0; i < u.faults->count; i += check_few() ? 1511 : 211) {
        uint32_t fault = u.faults->fault[i];
        struct syndrome s[OP_COUNT];
        int n = syndrome_of(&t, fault, s);
        for (int k = 0; k < n; k++) {
            uint64_t wrong = 0, uses = 0, up = 0, down = 0, masked = 0;
            for (uint32_t v = 0; v < t.seen.count; v++) {
                const struct vector *x = lane_seen(&t, v);
                if (vector_op(x) != s[k].op)
                    continue;
                uint64_t diff = naive(&u, group, fault, x);
                wrong += diff ? t.uses[v] : 0;
                masked += diff == s[k].mask ? t.uses[v] : 0;
                uses += vector_care(x) ? t.uses[v] : 0;
                up |= diff & ~t.good[v];
                down |= diff & t.good[v];
                CU_ASSERT(keeps_rule(&s[k], t.good[v], diff, vector_care(x)));
            }
            CU_ASSERT_EQUAL(s[k].wrong_uses, wrong);
            CU_ASSERT_EQUAL(s[k].uses, uses);
            CU_ASSERT_EQUAL(s[k].mask_uses, masked);
            CU_ASSERT(s[k].up == up && s[k].down == down);
            hits++;
            ruled += s[k].rule != SYNDROME_OTHER;
        }
    }
    CU_ASSERT(hits > 5);
    CU_ASSERT(ruled > 0);
    gate_group_free(group);
    trace_free(&t);
    unit_close(&u);
    golden_free(g);
    sm_image_free(img);
    job_free(job);
}

/* The longest name, lsu_transactions, has 16 letters. */
static void an_id_names_each_unit_of_a_lane_and_of_the_control(void)
{
    static const struct unit_kind *const kinds[] = {&lane_kind, &control_kind};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < kinds[k]->count; i++) {
            char *id = fl_format("gate/%s/n120.1:sa0", kinds[k]->name(i));
            struct fl_err err;
            const char *fault = "";
            int which = -1, sp;
            CU_ASSERT_EQUAL(unit_parse(id, kinds[k], &which, &sp, &fault, &err), 0);
            CU_ASSERT_EQUAL(which, i);
            CU_ASSERT_STRING_EQUAL(fault, "n120.1:sa0");
            free(id);
        }
}

static void stories_say_when_a_fault_shows_and_how_it_ends(void)
{
    struct job *job = faults_job("tiny", 1, 40, LANE_GATES_BUSY);
    struct unit u = lane_gates_unit(LANE_GATES_NETLISTS "alu_int.blif", VECTOR_INT);
    struct gates_options opt = {.unit = &u, .units = 1, .sp = 3, .sample = 40, .seed = 9};
    const struct job *jobs[] = {job};
    char *text = lane_gates_campaign(jobs, 1, opt), *rest = text, *line;
    struct job_context ctx;
    struct fl_err err;
    int shown = 0, rows = 0;
    CU_ASSERT_EQUAL_FATAL(context_open(&ctx, job, &context_all_cycles, 100000, &err), 0);
    strsep(&rest, "\n");
    while ((line = strsep(&rest, "\n")) && *line) {
        char id[UNIT_ID], outcome[16], *says;
        const char *fault;
        uint32_t number;
        int which, sp;
        struct fault_trace trace = {0};
        long long first = strtoll(strchr(strchr(strchr(line, ' ') + 1, ' ') + 1, ' '), NULL, 10);
        CU_ASSERT_EQUAL(sscanf(line, "%63s %15s", id, outcome), 2);
        CU_ASSERT_EQUAL(unit_parse(id, &lane_kind, &which, &sp, &fault, &err), 0);
        CU_ASSERT(which == VECTOR_INT && sp == 3);
        CU_ASSERT_EQUAL(gate_fault_parse(u.netlist, GATE_STUCK, fault, &number, &err), 0);
        CU_ASSERT_EQUAL(gate_trace(&ctx, &engine_c, &u, sp, number, &trace, &err), 0);
        says = fl_format("%s: %s (", id, outcome);
        CU_ASSERT_EQUAL(strncmp((char *)trace.text.data, says, strlen(says)), 0);
        free(says);
        if (first >= 0) {
            shown++;
            CU_ASSERT_EQUAL(trace.activated, (uint64_t)first);
            rows += trace.rows > 0;
            for (int i = 1; i < trace.rows; i++) /* no commit is there twice */
                CU_ASSERT(!trace.row[i].of[TRACE_FAULTY].there ||
                          trace.row[i].of[TRACE_FAULTY].commit.cycle >
                              trace.row[i - 1].of[TRACE_FAULTY].commit.cycle);
            says = fl_format("\nFirst wrong answer: cycle %lld of", first);
            CU_ASSERT_PTR_NOT_NULL(strstr((char *)trace.text.data, says));
            CU_ASSERT_PTR_NOT_NULL(strstr((char *)trace.text.data, "at the outputs "));
            CU_ASSERT_PTR_NULL(strstr((char *)trace.text.data, "at the outputs."));
            free(says);
        } else {
            CU_ASSERT_PTR_NOT_NULL(strstr((char *)trace.text.data, "it is never seen"));
        }
        fault_trace_free(&trace);
    }
    CU_ASSERT(shown > 3 && rows > 0);
    context_close(&ctx);
    free(text);
    unit_close(&u);
    job_free(job);
}

static void stores_that_were_killed_or_cut_into_shards_hold_the_bytes_of_one_run(void)
{
    char *folder = tools_folder();
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        tools_run(
            folder, &said,
            "n=%s/gates j=%s/bench/vecadd.job.xml killed=0\n"
            "f='faultsim gate --unit alu_cvt --sp 0 --sample %d --seed 4 --exhaustive --quiet'\n"
            "$f --netlists $n $j --csv a --csv-faults af || exit\n"
            "for s in %s; do\n"
            "$f --netlists $n --store k --resume $j & sleep $s; kill -KILL $!\n"
            "wait $!; [ $? != 137 ] || killed=$((killed + 1)); done\n"
            "[ $killed -gt 0 ] || exit\n"
            "$f --netlists $n --store k --resume $j --csv b --csv-faults bf || exit\n"
            "for i in 3 1 2; do $f --netlists $n --shard $i/3 --store s$i $j || exit; done\n"
            "faultsim merge m s2 s1 s3 &&\n"
            "faultsim report m --quiet --csv c --csv-faults cf || exit\n"
            "cmp a b && cmp af bf && cmp a c && cmp af cf || exit\n"
            "mkdir other && sed '0,/^0- 1$/s//1- 1/' $n/alu_cvt.blif >other/alu_cvt.blif\n"
            "! $f --netlists other --store k --resume $j 2>&1",
            FAULTLINE_BUILD_DIR, FAULTLINE_BUILD_DIR, SANITIZED ? 10 : 40,
            SANITIZED ? "0.4 1.3" : "0.1 0.3 0.6 0.9"),
        0);
    CU_ASSERT_TRUE(tools_says(&said, "k: holds a campaign with other options:\n  there "));
    CU_ASSERT_TRUE(tools_says(&said, "netlist=alu_cvt:"));
    fl_buf_free(&said);
    tools_remove(folder);
}

static const char *dir, *unit, *wanted;
static char **paths;
static int npaths;

static void faults_of_jobs_end_as_each_does_alone(void)
{
    struct fl_err err = {""};
    int which = lane_find(unit, &err);
    CU_ASSERT_FATAL(which >= 0);
    char *path = fl_format("%s/%s.blif", dir, unit);
    struct unit u = lane_gates_unit(path, (enum vector_unit)which);
    for (int i = 0; i < npaths; i++) {
        struct job *job;
        CU_ASSERT_EQUAL_FATAL(job_load(paths[i], NULL, &job, &err), 0);
        struct gates_options opt = {.unit = &u,
                                    .units = 1,
                                    .seed = 1,
                                    .sample = strtoull(wanted, NULL, 10),
                                    .run.max_cycles = 1000000000};
        const struct job *jobs[] = {job};
        char *together = lane_gates_campaign(jobs, 1, opt);
        printf("\n%s: %d of %s faults shown", job->name,
               (int)opt.sample - lane_gates_count(together, "not_activated"), wanted);
        opt.run.exhaustive = true;
        lane_gates_same(together, lane_gates_campaign(jobs, 1, opt));
        job_free(job);
    }
    unit_close(&u);
    free(path);
}

int main(int argc, char **argv)
{
    if (argc > 4) {
        dir = argv[1];
        unit = argv[2];
        wanted = argv[3];
        paths = argv + 4;
        npaths = argc - 4;
        return CHECK_RUN("gates of lanes, jobs", CHECK(faults_of_jobs_end_as_each_does_alone));
    }
    return CHECK_RUN("gates of lanes",
                     CHECK(vectors_are_numbered_as_they_come_and_are_new_again_in_an_empty_set),
                     CHECK(faults_simulated_concurrently_end_as_each_does_alone),
                     CHECK(a_unit_in_place_of_the_own_one_leaves_what_concurrent_simulation_leaves),
                     CHECK(a_ride_that_was_stopped_can_start_again),
                     CHECK(a_syndrome_counts_what_each_vector_shows_and_its_rule_holds_for_all),
                     CHECK(an_id_names_each_unit_of_a_lane_and_of_the_control),
                     CHECK(stories_say_when_a_fault_shows_and_how_it_ends),
                     CHECK(results_are_the_same_whatever_the_threads),
                     CHECK(stores_that_were_killed_or_cut_into_shards_hold_the_bytes_of_one_run));
}
