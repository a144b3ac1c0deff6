/* test_engine.c -- the rules of faultsim/machine/engine.h that every engine keeps, and that what is built on them comes to the
 * same verdicts on all of them.
 */
#include "tests/lib/flips.h"

/* Diverges, stores and loads, and comes back to `again` with all registers as they were. */
static const char busy[] =
    ".kernel k\n.param u32 OUT\n.regs 8\n"
    "I2I.U32.U16 R0, R0L\n SHL R1, R0, 2\n IADD R1, s[OUT], R1\n"
    "MVI R4, 7\n"
    "again: MVI R2, -1\n ISET.S32.C0 o[0x7f], R0, R4, LT\n SSY join\n BRA C0.NE, low\n"
    "MVI R2, 0\n GST.U32 global14[R1], R2\n NOP.S\n"
    "low: GLD.U32 R3, global14[R1]\n NOP.S\n join: MVI R3, 5\n MVI R2, 0\n";

static struct machine start(uint32_t threads, const char *tail)
{
    char *text = fl_format("%s%s", busy, tail);
    struct machine m = machine_start("tiny", threads, text);
    free(text);
    return m;
}

static struct machine looping(void)
{
    return start(40, " BRA again\n");
}

static struct machine ending(void)
{
    return start(40, " NOP.EXIT\n");
}

/* The engines of this build, one after the other. */
static const struct engine *next_engine(int *i)
{
    static const char *const name[] = {"c", "rtl"};
    struct fl_err err;
    const struct engine *e = NULL;
    while (!e && *i < (int)(sizeof name / sizeof *name))
        e = engine_find(name[(*i)++], &err);
    return e;
}

static struct dut *make(const struct engine *e, const struct machine *m)
{
    struct fl_err err;
    struct dut *d = e->make(m->img, &err);
    if (!d)
        printf("\n%s\n", err.msg);
    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    return d;
}

static struct dut *copy_of(const struct engine *e, const struct machine *m, const struct dut *from)
{
    struct dut *d = make(e, m);
    dut_copy(d, from);
    return d;
}

static int value_of(struct dut *d, const struct sm_cell *c)
{
    return dut_read(d, c);
}

/* One cell of each structure that the job has and the engine too; false behind the last. */
static bool next_cell(const struct engine *e, const struct machine *m, int *structure,
                      struct sm_cell *c)
{
    struct fl_err err;
    for (; *structure < SM_STRUCTURES; ++*structure) {
        struct sm_structure s;
        sm_structure_get(m->img, *structure, &s);
        if (sm_structure_bits(&s) == 0 || engine_has(e, m->img, *structure, &err) != 0)
            continue;
        *c = (struct sm_cell){.structure = (*structure)++, .bit = s.field[0].bits - 1};
        return true;
    }
    return false;
}

static void a_copy_goes_its_own_way(void)
{
    const struct engine *e;
    struct machine m = ending();
    for (int i = 0; (e = next_engine(&i));) {
        struct dut *a = make(e, &m);
        dut_run(a, 100);
        struct dut *b = copy_of(e, &m, a), *as_it_was = copy_of(e, &m, a);
        CU_ASSERT(dut_same(a, b, false));
        dut_run(b, UINT64_MAX);
        CU_ASSERT(dut_ended(b));
        CU_ASSERT_FALSE(dut_ended(a));
        CU_ASSERT(dut_same(a, as_it_was, false));
        CU_ASSERT_FALSE(dut_same(a, b, false));
        dut_run(a, UINT64_MAX);
        CU_ASSERT(dut_same(a, b, false));
        dut_free(a);
        dut_free(b);
        dut_free(as_it_was);
    }
    machine_end(&m);
}

static void all_engines_end_alike(void)
{
    const struct engine *e;
    struct machine m = ending();
    gpu_run(m.gpu, UINT64_MAX);
    for (int i = 0; (e = next_engine(&i));) {
        struct dut *a = make(e, &m);
        dut_run(a, UINT64_MAX);
        CU_ASSERT_EQUAL(dut_end(a).how, DUT_DONE);
        CU_ASSERT_EQUAL(dut_cycle(a), gpu_cycles(m.gpu));
        CU_ASSERT_EQUAL(dut_instructions(a), m.gpu->sm->s.instructions);
        CU_ASSERT(gpu_same_outputs(m.img, dut_end(a).memory, &m.gpu->memory));
        dut_free(a);
    }
    machine_end(&m);
}

static void a_run_to_a_cycle_is_so_many_ticks(void)
{
    const struct engine *e;
    struct machine m = looping();
    for (int i = 0; (e = next_engine(&i));) {
        struct dut *ticked = make(e, &m), *ran = make(e, &m), *advanced = make(e, &m);
        for (uint64_t cycle = 1; cycle < 1500; cycle += cycle / 30 + 1) {
            struct sm_commit c = {0};
            uint64_t commits = 0;
            while (dut_cycle(ticked) < cycle) {
                dut_tick(ticked, &c);
                commits += c.kind == COMMIT_INSTRUCTION;
            }
            uint64_t before = dut_instructions(ran);
            dut_run(ran, cycle);
            CU_ASSERT(dut_cycle(ran) >= cycle);
            dut_run(ran, dut_cycle(
                             ticked)); /* a tick may pass several cycles in which nothing happens */
            CU_ASSERT(dut_same(ticked, ran, false));
            CU_ASSERT_EQUAL(dut_instructions(ran), before + commits);
        }
        while (dut_cycle(advanced) < 1500)
            dut_advance(advanced, 1500, false);
        dut_run(ran, dut_cycle(advanced));
        CU_ASSERT(dut_same(advanced, ran, false));
        dut_free(ticked);
        dut_free(ran);
        dut_free(advanced);
    }
    machine_end(&m);
}

static void a_cell_flipped_twice_is_as_it_was(void)
{
    const struct engine *e;
    struct machine m = ending();
    for (int i = 0; (e = next_engine(&i));) {
        struct dut *a = make(e, &m);
        struct sm_cell c;
        int cells = 0;
        dut_run(a, 150);
        struct dut *as_it_was = copy_of(e, &m, a);
        for (int s = 0; next_cell(e, &m, &s, &c); cells++) {
            int value = value_of(a, &c);
            dut_flip(a, &c);
            CU_ASSERT_EQUAL(value_of(a, &c), !value);
            dut_flip(a, &c);
            CU_ASSERT_EQUAL(value_of(a, &c), value);
            CU_ASSERT(dut_same(a, as_it_was, false));
        }
        CU_ASSERT(cells >= 10);
        dut_free(a);
        dut_free(as_it_was);
    }
    machine_end(&m);
}

/* Of $r2 of thread 0, which is 0 and -1 in each round. */
static struct sm_cell restless(const struct machine *m)
{
    return machine_cell(m, "rf", 0, 9, 2 * SM_LANES, 0);
}

static bool changes_within(struct dut *d, const struct sm_cell *c, uint64_t cycles)
{
    bool seen[2] = {false, false};
    for (uint64_t end = dut_cycle(d) + cycles; dut_cycle(d) < end; dut_advance(d, end, false))
        seen[value_of(d, c)] = true;
    return seen[0] && seen[1];
}

static void a_held_cell_keeps_its_value_until_it_is_released(void)
{
    const struct engine *e;
    struct machine m = looping();
    struct sm_cell c = restless(&m);
    for (int i = 0; (e = next_engine(&i));)
        for (int value = 0; value < 2; value++) {
            struct dut *a = make(e, &m), *held;
            dut_run(a, 200);
            CU_ASSERT(changes_within(a, &c, 3000));
            CU_ASSERT_EQUAL(dut_hold(a, &c, value, false), 0);
            CU_ASSERT_EQUAL(value_of(a, &c), value);
            CU_ASSERT_FALSE(changes_within(a, &c, 3000));
            CU_ASSERT_EQUAL(value_of(a, &c), value);
            held = copy_of(e, &m, a); /* what is held too */
            CU_ASSERT_FALSE(changes_within(held, &c, 3000));
            dut_release(a);
            CU_ASSERT_EQUAL(value_of(a, &c), value);
            CU_ASSERT(changes_within(a, &c, 3000));
            dut_copy(held, a);
            CU_ASSERT(changes_within(held, &c, 3000));
            dut_free(a);
            dut_free(held);
        }
    machine_end(&m);
}

struct gates {
    uint64_t wrong;
    uint32_t asked;
};

static void answer(void *context, const uint64_t *in, uint64_t *out)
{
    struct gates *g = context;
    (void)in;
    g->asked++;
    *out ^= g->wrong;
}

static void a_unit_answers_from_outside_until_it_is_given_back(void)
{
    const struct engine *e;
    struct machine m = ending();
    const struct sm_pins other = sm_lane_pins;
    for (int i = 0; (e = next_engine(&i));) {
        struct dut *start = make(e, &m), *healthy = make(e, &m), *a = make(e, &m);
        struct gates g = {0};
        const struct sm_override by = {.answer = answer, .context = &g};
        dut_run(healthy, 3000);
        CU_ASSERT_EQUAL(e->replace_unit(a, &other, 0, &by), -1);
        CU_ASSERT_EQUAL(e->replace_unit(a, &sm_lane_pins, m.img->profile.sps, &by), -1);
        CU_ASSERT_EQUAL(e->replace_unit(a, &sm_lane_pins, 2, &by), 0);
        dut_run(a, 3000);
        CU_ASSERT(g.asked > 0 && dut_same(a, healthy, false));
        g.wrong = 1;
        dut_copy(a, start);
        dut_run(a, 3000);
        CU_ASSERT_FALSE(dut_same(a, healthy, false));
        CU_ASSERT_EQUAL(e->replace_unit(a, &sm_lane_pins, 2, NULL), 0);
        dut_copy(a, start);
        dut_run(a, 3000);
        CU_ASSERT(dut_same(a, healthy, false));
        dut_free(a);
        dut_free(healthy);
        dut_free(start);
    }
    machine_end(&m);
}

static void pins_lie_one_behind_the_other(void)
{
    int next[2] = {0, 0};
    for (int i = 0; i < sm_lane_pins.count; i++) {
        const struct sm_pin *p = &sm_lane_pins.pin[i];
        CU_ASSERT_EQUAL(p->first, next[p->output]);
        next[p->output] += p->width;
    }
    CU_ASSERT_EQUAL(next[0], sm_lane_pins.inputs);
    CU_ASSERT_EQUAL(next[1], sm_lane_pins.outputs);
}

/* Slots until the state at cycle 500 comes back; 0: not soon. */
static int period(const struct engine *e, const struct machine *m, bool relative)
{
    struct dut *a = make(e, m);
    dut_advance(a, 500, true);
    struct dut *saved = copy_of(e, m, a);
    int n = 0;
    do
        dut_tick(a, NULL);
    while (++n < 5000 && !dut_ended(a) && !dut_same(a, saved, relative));
    bool back = dut_same(a, saved, relative);
    dut_free(a);
    dut_free(saved);
    return back ? n : 0;
}

static void a_state_comes_back_in_a_loop_unless_the_clock_is_read(void)
{
    const struct engine *e;
    /* one warp: two drift for long before they meet again */
    struct machine m = start(32, " BRA again\n"), ends = ending(),
                   clock = start(32, " S2R R3, SR_CLOCK\n MVI R3, 0\n BRA again\n");
    for (int i = 0; (e = next_engine(&i));) {
        CU_ASSERT(period(e, &m, true) > 0);
        CU_ASSERT_EQUAL(period(e, &m, false), 0);
        CU_ASSERT_EQUAL(period(e, &clock, true), 0);
        CU_ASSERT_EQUAL(period(e, &ends, true), 0);
    }
    machine_end(&m);
    machine_end(&ends);
    machine_end(&clock);
}

static void an_engine_that_is_not_there_is_refused_by_name(void)
{
    struct fl_err err = {{0}};
    CU_ASSERT_PTR_EQUAL(engine_find("c", &err), &engine_c);
    CU_ASSERT_PTR_NULL(engine_find("vhdl", &err));
    CU_ASSERT_STRING_EQUAL(err.msg, "there is no engine 'vhdl'; write c or rtl");
    if (engine_find("rtl", &err))
        return;
    CU_ASSERT_STRING_EQUAL(err.msg,
                           "engine 'rtl' is not in this build; configure with -DFAULTLINE_RTL=ON");
}

/* ---- verdicts ---------------------------------------------------------------------------------------------------- */

static bool same_result(const char *who, const char *id, const struct fsim_result *a,
                        const struct fsim_result *b)
{
    if (faults_same(a, b))
        return true;
    faults_print("pruned on c", id, a);
    faults_print(who, id, b);
    return false;
}

/* Each engine by a run of its own: engine c, too, without its shortcuts. */
static void stuck_at_faults_end_alike_on_every_engine_and_by_brute_force(void)
{
    char *text = fl_format("%s NOP.EXIT\n", busy);
    struct bench b = bench_open(faults_job("tiny", 1, 40, text), false);
    struct fsim_list list = {0};
    struct fl_err err;
    const struct engine *e;
    static const char *const pattern[] = {"dstack/w0/le1-2/tm*:sa*", "dstack/w0/le1-2/id*:sa*",
                                          "dstack/w0/le1-2/spc*:sa*"};
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL_FATAL(fsim_list_add(&list, b.img, pattern[i], &err), 0);
    for (int i = 0; (e = next_engine(&i));) {
        struct reference *ref = reference_run(e, b.g, &err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(ref);
        CU_ASSERT_PTR_NULL(ref->golden);
        struct fsim_worker *w = fsim_worker_on(ref);
        long wrong = 0, failed = 0;
        for (long f = 0; f < list.count && wrong < 5; f++) {
            struct fsim_result want, quick, brute;
            char id[FSIM_ID];
            fsim_id(b.img, &list.fault[f], id);
            fsim_simulate(b.w, &list.fault[f], &want);
            fsim_simulate(w, &list.fault[f], &quick);
            wrong += !same_result(e->name, id, &want, &quick);
            failed += want.outcome != OUT_MASKED;
            if (f % 8)
                continue;
            fsim_exhaustive(w, &list.fault[f], &brute);
            wrong += !same_result("by brute force", id, &want, &brute);
        }
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT(failed > 10);
        fsim_worker_free(w);
        reference_free(ref);
    }
    fsim_list_free(&list);
    bench_close(&b);
    free(text);
}

static void flips_end_alike_without_shortcuts(void)
{
    struct bench b = bench_open(flips_structured(2), false);
    struct fl_err err;
    struct reference *ref = reference_run(&engine_c, b.g, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(ref);
    struct fsim_worker *w = fsim_worker_on(ref);
    uint64_t seed = 1;
    int wrong = 0, failed = 0;
    for (int n = 0; n < 400; n++) {
        struct sm_structure s;
        int structure = n % SM_STRUCTURES;
        sm_structure_get(b.img, structure, &s);
        if (sm_structure_bits(&s) == 0)
            continue;
        struct fsim_fault u[FLIPS_CELLS];
        flips_draw(&b, structure, (enum shape)(n / 100), &seed, u);
        struct transient_result want, plain;
        struct fl_buf id = {0};
        transient_simulate(b.w, b.t, u, &want);
        transient_simulate(w, b.t, u, &plain);
        fsim_print(b.img, u, &id);
        wrong += !same_result("without shortcuts", (char *)id.data, &want.r, &plain.r);
        failed += want.r.outcome != OUT_MASKED;
        fl_buf_free(&id);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(failed > 10);
    fsim_worker_free(w);
    reference_free(ref);
    bench_close(&b);
}

/* The golden record is of another run than the engine's. */
static void an_engine_that_runs_the_job_otherwise_is_refused(void)
{
    struct bench b = bench_open(flips_structured(1), false);
    const struct engine *e;
    struct fl_err err;
    struct golden other = *b.g;
    other.cycles++;
    for (int i = 0; (e = next_engine(&i));) {
        err.msg[0] = 0;
        CU_ASSERT_PTR_NULL(reference_run(e, &other, &err));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "does not run the job as the C model does"));
    }
    bench_close(&b);
}

int main(void)
{
    return CHECK_RUN("engine", CHECK(a_copy_goes_its_own_way), CHECK(all_engines_end_alike),
                     CHECK(a_run_to_a_cycle_is_so_many_ticks),
                     CHECK(a_cell_flipped_twice_is_as_it_was),
                     CHECK(a_held_cell_keeps_its_value_until_it_is_released),
                     CHECK(a_unit_answers_from_outside_until_it_is_given_back),
                     CHECK(pins_lie_one_behind_the_other),
                     CHECK(a_state_comes_back_in_a_loop_unless_the_clock_is_read),
                     CHECK(an_engine_that_is_not_there_is_refused_by_name),
                     CHECK(stuck_at_faults_end_alike_on_every_engine_and_by_brute_force),
                     CHECK(flips_end_alike_without_shortcuts),
                     CHECK(an_engine_that_runs_the_job_otherwise_is_refused));
}
