/* test_outcomes.c -- the golden run, and the outcomes on programs made for each of them; when a fault is
 * first active.
 */
#include "tests/lib/faults.h"
#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <unistd.h>
#include "faultsim/permanent/prove.h"

/* ---- the golden run ---------------------------------------------------------------------------------------------- */

static void golden_refuses(const char *text, uint32_t threads, uint64_t max_cycles,
                           const char *says)
{
    struct fl_err err = {{0}};
    struct job *job = faults_job("tiny", 1, threads, text);
    struct sm_image *img = sm_image_new(job, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(img);
    struct golden *g = golden_run(img, max_cycles, &err);
    if (g || !strstr(err.msg, says) || !strstr(err.msg, "test.sasm"))
        printf("\n    wanted '%s', got '%s'", says, err.msg);
    CU_ASSERT_PTR_NULL(g);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, says));
    golden_free(g);
    sm_image_free(img);
    job_free(job);
}

static void golden_run_refuses_a_trap_with_its_place(void)
{
    golden_refuses(
        ".kernel k\n NOP\n MVI R1, 0x10\n GLD.U32 R2, global14[R1]\n NOP.EXIT\n", 32, 1000000,
        "OUT_OF_BOUNDS_GLOBAL (global access outside every buffer of the job) at pc 0x10 "
        "of kernel k, warp 0, cycle ");
    golden_refuses(".kernel k\n NOP\n NOP.S\n NOP.EXIT\n", 32, 1000000,
                   "STACK_UNDERFLOW (join on an empty divergence stack) at pc 0x8");
}

static void golden_run_refuses_a_deadlock(void)
{
    /* each of the two warps waits at a barrier of its own */
    golden_refuses(
        ".kernel k\n I2I.U32.U16 R1, R0L\n MVI R2, 0x20\n ISET.S32.C0 o[0x7f], R1, R2, LT\n"
        " BRA C0.NE, other\n BAR.ARV.WAIT b0, 0xfff\n NOP.EXIT\n"
        "other: BAR.ARV.WAIT b1, 0xfff\n NOP.EXIT\n",
        64, 1000000, "deadlocks at cycle");
}

static void golden_run_refuses_an_endless_loop(void)
{
    golden_refuses(".kernel k\n MVI R1, 0x1\nself: IADD R2, R1, R1\n BRA self\n NOP.EXIT\n", 32,
                   1000000000, "never ends in kernel");
    /* memory is state as well, and a slow access has ticks without an instruction */
    golden_refuses(".kernel k\n.param ptr out\n MOV R1, s[out]\nself: GST.U32 global14[R1], R1\n"
                   " BRA self\n NOP.EXIT\n",
                   32, 1000000000, "never ends in kernel");
}

static void golden_run_stops_at_the_limit_of_cycles(void)
{
    const char *count = ".kernel k\nself: IADD32I R2, R2, 0x1\n BRA self\n NOP.EXIT\n";
    const char *clock = ".kernel k\nself: S2R R2, SR_CLOCK\n MVI R2, 0x0\n BRA self\n NOP.EXIT\n";
    golden_refuses(count, 32, 200000, "has not finished after 200000 cycles; raise --max-cycles");
    golden_refuses(clock, 32, 200000, "has not finished after 200000 cycles; raise --max-cycles");
}

/* ---- outcomes ---------------------------------------------------------------------------------------------------- */

static struct fsim_result fault_in(const char *text, const char *id)
{
    struct job *job = faults_job("tiny", 1, 32, text);
    struct fsim_result r = faults_result(job, id);
    job_free(job);
    return r;
}

static uint64_t golden_cycles(const char *text)
{
    struct job *job = faults_job("tiny", 1, 32, text);
    struct fsim_campaign c = faults_campaign(job, "dstack/le1/tm0:sa1",
                                             (struct fsim_options){.run.threads = 1});
    uint64_t cycles = c.golden->cycles;
    fsim_campaign_free(&c);
    job_free(job);
    return cycles;
}

static void fault_that_changes_no_popped_value_is_not_activated(void)
{
    static const char *const ids[] = {"dstack/le1/tm5:sa1",   "dstack/le1/id0:sa0",
                                      "dstack/le2/id0:sa1",   "dstack/le2/tm9:sa1",
                                      "dstack/le2/tm3:sa0",   "dstack/le3/tm0:sa1",
                                      "dstack/le4/spc31:sa1", "dstack/w1/le1/tm0:sa0"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        struct fsim_result r = fault_in(IF_ELSE, ids[i]);
        ASSERT_RESULT(r, OUT_MASKED, "not_activated");
        CU_ASSERT_EQUAL(r.first_activation, FSIM_NEVER);
        CU_ASSERT_EQUAL(r.end, golden_cycles(IF_ELSE));
    }
}

static void activated_fault_without_effect_is_logically_masked(void)
{
    /* half a warp: the stuck lane has no thread */
    struct job *job = faults_job("tiny", 1, 16, IF_ELSE);
    struct fsim_result r = faults_result(job, "dstack/le1/tm20:sa1");
    ASSERT_RESULT(r, OUT_MASKED, "logically_masked");
    CU_ASSERT_NOT_EQUAL(r.first_activation, FSIM_NEVER);
    job_free(job);
    /* threads of the other path run into this one too, but everybody's result is made anew behind the join */
    r = fault_in(".kernel k\n.param ptr out\n I2I.U32.U16 R1, R0L\n SHL R4, R1, 2\n"
                 " IADD R4, s[out], R4\n MVI R2, 0x8\n ISET.S32.C0 o[0x7f], R1, R2, LT\n SSY sync\n"
                 " BRA C0.NE, then\n MVI R3, 0x2\n BRA sync\nthen: MVI R3, 0x1\nsync: NOP.S\n"
                 " MVI R3, 0x7\n GST.U32 global14[R4], R3\n NOP.EXIT\n",
                 "dstack/le2/tm3:sa1");
    ASSERT_RESULT(r, OUT_MASKED, "logically_masked");
}

static void right_outputs_in_other_cycles_are_performance(void)
{
    /* the fall-through path starts one instruction later, at 0x48 in place of 0x40 ... */
    const char *moved = IF_ELSE_BEHIND("  NOP\n");
    struct fsim_result r = fault_in(moved, "dstack/le2/spc3:sa1");
    ASSERT_RESULT(r, OUT_PERFORMANCE, "20 cycles early");
    CU_ASSERT_EQUAL(r.end, golden_cycles(moved) - 20);
    /* ... or earlier, at 0x30 in place of 0x38: with the branch, which none of its threads takes */
    r = fault_in(IF_ELSE, "dstack/le2/spc3:sa0");
    ASSERT_RESULT(r, OUT_PERFORMANCE, "20 cycles late");
    CU_ASSERT_EQUAL(r.end, golden_cycles(IF_ELSE) + 20);
}

static void output_that_differs_is_sdc_with_its_first_byte(void)
{
    uint64_t golden = golden_cycles(IF_ELSE);
    /* thread 3 runs the other path as well: 2 in place of 1 */
    struct fsim_result r = fault_in(IF_ELSE, "dstack/le2/tm3:sa1");
    ASSERT_RESULT(r, OUT_SDC, "out+0xc");
    CU_ASSERT_EQUAL(r.end, golden);
    /* thread 30 never comes back: 0 in place of 2 */
    r = fault_in(IF_ELSE, "dstack/le1/tm30:sa0");
    ASSERT_RESULT(r, OUT_SDC, "out+0x78");
}

static void trap_is_a_crash_with_its_name(void)
{
    struct fsim_result r = fault_in(IF_ELSE, "dstack/le1/spc20:sa1");
    ASSERT_RESULT(r, OUT_CRASH, "FETCH_UNMAPPED");
    CU_ASSERT_TRUE(r.end < 2 * golden_cycles(IF_ELSE));
    r = fault_in(IF_ELSE,
                 "dstack/le1/id0:sa1"); /* DIVERGE: back to the join, with nothing left to pop */
    ASSERT_RESULT(r, OUT_CRASH, "STACK_UNDERFLOW");
    r = fault_in(IF_ELSE, "dstack/le1/id1:sa1");
    ASSERT_RESULT(r, OUT_CRASH, "STACK_MISMATCH");
    r = fault_in(IF_ELSE FAR(" MVI R4, 0x10\n GST.U32 global14[R4], R3\n NOP.EXIT\n"),
                 "dstack/le1/spc12:sa1");
    ASSERT_RESULT(r, OUT_CRASH, "OUT_OF_BOUNDS_GLOBAL");
}

static void state_that_recurs_is_a_hang(void)
{
    struct fsim_result r = fault_in(IF_ELSE FAR("far: MVI R3, 0x1\n BRA far\n"),
                                    "dstack/le1/spc12:sa1");
    ASSERT_RESULT(r, OUT_HANG, "state_recurs");
    CU_ASSERT_EQUAL(r.end, FSIM_NEVER);
    /* memory accesses: between two instructions lie ticks in which none is committed, and 2G falls anywhere */
    static const char *const pad[] = {"", "NOP\n", "NOP\nNOP\n", "NOP\nNOP\nNOP\n"};
    for (int i = 0; i < 4; i++) {
        char text[4096];
        snprintf(text, sizeof text, "%s%s%s", IF_ELSE FAR("  MOV R5, s[out]\n"), pad[i],
                 "far: GLD.U32 R6, global14[R5]\n GST.U32 global14[R5], R6\n BRA far\n");
        r = fault_in(text, "dstack/le1/spc12:sa1");
        ASSERT_RESULT(r, OUT_HANG, "state_recurs");
    }
    /* a counter that comes round again is no progress */
    r = fault_in(
        IF_ELSE FAR(" MVI R6, 0x7\nfar: IADD32I R5, R5, 0x1\n LOP.AND R5, R5, R6\n BRA far\n"),
        "dstack/le1/spc12:sa1");
    ASSERT_RESULT(r, OUT_HANG, "state_recurs");
}

static void endless_loop_with_a_counter_is_a_timeout(void)
{
    struct fsim_result r = fault_in(IF_ELSE FAR("far: IADD32I R5, R5, 0x1\n BRA far\n"),
                                    "dstack/le1/spc12:sa1");
    ASSERT_RESULT(r, OUT_TIMEOUT, "no_recurrence_by_4G");
    CU_ASSERT_EQUAL(r.end, FSIM_NEVER);
}

static void program_that_reads_the_clock_never_recurs(void)
{
    struct fsim_result r = fault_in(IF_ELSE FAR("far: S2R R5, SR_CLOCK\n MVI R5, 0x0\n BRA far\n"),
                                    "dstack/le1/spc12:sa1");
    ASSERT_RESULT(r, OUT_TIMEOUT, "no_recurrence_by_4G");
}

/* Waits `turns` x 60 cycles with a counter, then does something. */
#define LATER(turns, code)                                                                         \
    FAR("  MVI R5, " turns "\nfar: IADD32I R5, R5, -1\n"                                           \
        " ISET.S32.C1 o[0x7f], R5, R124, NE\n BRA C1.NE, far\n" code)

/* The golden run takes 732 cycles and the fault acts at 243: 10 turns are over before 2G, 30 between 2G and 4G. */
static void what_happens_after_2g_no_longer_counts_unless_it_never_ends(void)
{
    static const struct {
        const char *text;
        enum fsim_outcome outcome;
        const char *reason;
    } late[] = {
        {IF_ELSE LATER("10", "NOP.EXIT\n"), OUT_SDC, "out+0x0"},
        {IF_ELSE LATER("30", "NOP.EXIT\n"), OUT_TIMEOUT, "no_recurrence_by_4G"},
        {IF_ELSE LATER("10", "NOP.S\n"), OUT_CRASH, "STACK_UNDERFLOW"},
        {IF_ELSE LATER("30", "NOP.S\n"), OUT_TIMEOUT, "no_recurrence_by_4G"},
        {IF_ELSE LATER("10", "end: BRA end\n"), OUT_HANG, "state_recurs"},
        /* it does not loop yet at 2G, so the state of then never comes back */
        {IF_ELSE LATER("30", "end: BRA end\n"), OUT_TIMEOUT, "no_recurrence_by_4G"},
        {IF_ELSE LATER("100", "end: BRA end\n"), OUT_TIMEOUT, "no_recurrence_by_4G"},
    };
    for (size_t i = 0; i < sizeof late / sizeof *late; i++) {
        uint64_t g = golden_cycles(late[i].text);
        CU_ASSERT_TRUE(g > 700 && g < 760);
        struct fsim_result r = fault_in(late[i].text, "dstack/le1/spc12:sa1");
        if (r.outcome != late[i].outcome || strcmp(r.reason, late[i].reason) != 0) {
            printf("\n    program %zu, G %llu", i, (unsigned long long)g);
            faults_print("got", "", &r);
        }
        CU_ASSERT_EQUAL(r.outcome, late[i].outcome);
        CU_ASSERT_STRING_EQUAL(r.reason, late[i].reason);
    }
}

static struct fsim_result ends_after(const char *before, int nops)
{
    char text[4096];
    snprintf(text, sizeof text, IF_ELSE_BEHIND("%s") FAR(".rept %d\n  NOP\n.endr\n  NOP.EXIT\n"),
             before, nops);
    return fault_in(text, "dstack/le1/spc12:sa1");
}

/* The engine looks at the run every few slots: programs of several lengths let 2G fall between two looks, and on one. */
static void run_whose_last_effect_lies_below_2g_is_in_time(void)
{
    static const char *const before[] = {"", "NOP\n", "NOP\nNOP\n", "NOP\nNOP\nNOP\n"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        char text[4096];
        snprintf(text, sizeof text, IF_ELSE_BEHIND("%s"), before[i]);
        uint64_t limit = 2 * golden_cycles(text);
        struct fsim_result r = ends_after(before[i], 10);
        CU_ASSERT_EQUAL_FATAL((limit - r.end) % 20,
                              0); /* a NOP takes 20 cycles: one number of them hits the limit */
        int nops = 10 + (int)(limit - r.end) / 20;
        r = ends_after(before[i], nops);
        ASSERT_RESULT(r, OUT_SDC, "out+0x0");
        CU_ASSERT_EQUAL(r.end, limit);
        r = ends_after(before[i], nops + 1);
        ASSERT_RESULT(r, OUT_TIMEOUT, "no_recurrence_by_4G");
    }
}

/* Two warps, the fault in the stack of the first: it waits at a barrier that the second does not come to. */
#define TWO_WARPS(wait)                                                                            \
    ".kernel k\n.param ptr out\n"                                                                  \
    "  I2I.U32.U16 R1, R0L\n"                                                                      \
    "  SHL R4, R1, 2\n"                                                                            \
    "  IADD R4, s[out], R4\n"                                                                      \
    "  SSY sync\n"                                                                                 \
    ".rept 8\n  NOP\n.endr\n"                                                                      \
    "sync: NOP.S\n"                                                                                \
    "  BAR.ARV.WAIT b0, 0xfff\n"                                                                   \
    "  GST.U32 global14[R4], R1\n"                                                                 \
    "  NOP.EXIT\n" FAR(wait "  BAR.ARV.WAIT b1, 0xfff\n  NOP.EXIT\n")

static void deadlock_is_a_hang_even_between_2g_and_4g(void)
{
    static const char *const text[] = {
        TWO_WARPS(""),
        TWO_WARPS("  MVI R5, 30\nfar: IADD32I R5, R5, -1\n ISET.S32.C1 o[0x7f], R5, R124, NE\n"
                  "  BRA C1.NE, far\n")};
    for (int i = 0; i < 2; i++) {
        struct job *job = faults_job("tiny", 1, 64, text[i]);
        struct fsim_result r = faults_result(job, "dstack/le1/spc12:sa1");
        ASSERT_RESULT(r, OUT_HANG, "deadlock");
        CU_ASSERT_EQUAL(r.end, FSIM_NEVER);
        job_free(job);
    }
}

/* The fault sends the warp to a copy of two instructions that pushes another target, in the same cycles: then all that
 * differs is other bits of the word with the held bit, and no later golden pop activates the fault (both targets have
 * bit 12). The entry pushed wrongly must still count. */
static void entry_that_differs_beside_the_held_bit_is_a_difference(void)
{
    static const char text[] = ".kernel k\n.param ptr out\n"
                               "  I2I.U32.U16 R1, R0L\n  SHL R4, R1, 2\n  IADD R4, s[out], R4\n"
                               "  SSY first\n  NOP\n"
                               "first: NOP.S\n" /* 0x28; with the fault it goes on at 0x1030 */
                               "  SSY one\n  BRA common\n"
                               "common:\n.rept 60\n  NOP\n.endr\n"
                               "  NOP.S\n"
                               ".org 0x1030\n  SSY two\n  BRA common\n"
                               ".org 0x1100\none: NOP\n"
                               "  MVI R3, 0x1\n  GST.U32 global14[R4], R3\n  NOP.EXIT\n"
                               ".org 0x1200\ntwo: NOP\n"
                               "  MVI R3, 0x2\n  GST.U32 global14[R4], R3\n  NOP.EXIT\n";
    struct fsim_result r = fault_in(text, "dstack/le1/spc12:sa1");
    ASSERT_RESULT(r, OUT_SDC, "out+0x0");
    CU_ASSERT_EQUAL(r.end, golden_cycles(text));
}

/* ---- activation -------------------------------------------------------------------------------------------------- */

static void first_activation_is_the_cycle_of_the_first_pop_that_the_fault_changes(void)
{
    struct machine m = machine_start("tiny", 32, PEEL);
    struct job *job = faults_job("tiny", 1, 32, PEEL);
    struct fsim_campaign c = faults_campaign(job, "dstack",
                                             (struct fsim_options){.run.threads = 1});
    long activated = 0, later = 0;
    machine_run(&m);
    ASSERT_FINISHED(m);
    for (long i = 0; i < c.list.count; i++) {
        const struct fsim_fault *f = &c.list.fault[i];
        uint64_t first = FSIM_NEVER;
        int pops = 0;
        for (int k = 0; k < m.nlog && first == FSIM_NEVER; k++)
            for (int e = 0; m.log[k].kind != COMMIT_NONE && e < m.log[k].nstack; e++) {
                const struct sm_stack_event *s = &m.log[k].stack[e];
                if (s->push || m.log[k].warp != 0 || s->le != f->cell.index[1] + 1)
                    continue;
                uint32_t v = f->cell.field == 0 ? s->tm : f->cell.field == 1 ? s->id : s->spc;
                bool low = f->cell.field == 2 && f->cell.bit < 3;
                if ((int)(v >> f->cell.bit & 1) != f->value && !low) {
                    first = m.log[k].cycle;
                    later += pops > 0;
                    break;
                }
                pops++;
            }
        activated += first != FSIM_NEVER;
        if (c.result[i].first_activation != first)
            faults_print("wrong activation", "", &c.result[i]);
        CU_ASSERT_EQUAL(c.result[i].first_activation, first);
    }
    CU_ASSERT_TRUE(activated > 100 &&
                   later >= 3); /* tm1..tm3 of LE 2 differ from the second pop on only */
    fsim_campaign_free(&c);
    job_free(job);
    machine_end(&m);
}

static void spc_2_0_is_never_activated_and_untestable(void)
{
    struct job *job = faults_job("tiny", 1, 32, PEEL);
    for (int exhaustive = 0; exhaustive < 2; exhaustive++) {
        struct fsim_campaign c = faults_campaign(
            job, "dstack/w0/le*/spc0-2:sa*",
            (struct fsim_options){.run.threads = 1, .run.exhaustive = exhaustive});
        CU_ASSERT_EQUAL(c.list.count, 24);
        for (long i = 0; i < c.list.count; i++) {
            CU_ASSERT_EQUAL(c.result[i].first_activation, FSIM_NEVER);
            CU_ASSERT_TRUE(c.result[i].untestable);
            ASSERT_RESULT(c.result[i], OUT_MASKED, "not_activated");
            CU_ASSERT_STRING_EQUAL(fsim_class(&c.result[i], false), "undetectable-untestable");
        }
        fsim_campaign_free(&c);
    }
    struct fsim_campaign c = faults_campaign(job, "dstack",
                                             (struct fsim_options){.run.threads = 1});
    for (long i = 0; i < c.list.count; i++) {
        const struct sm_cell *cell = &c.list.fault[i].cell;
        CU_ASSERT_EQUAL(c.result[i].untestable, cell->field == 2 && cell->bit < 3);
    }
    fsim_campaign_free(&c);
    job_free(job);
}

/* ---- pruned and brute force -------------------------------------------------------------------------------------- */

static void every_fault_of_small_programs_has_the_same_result_by_brute_force(void)
{
    static const char *const text[] = {IF_ELSE, PEEL, TWO_WARPS("")};
    for (int i = 0; i < 3; i++) {
        struct job *job = faults_job("tiny", 3, i == 2 ? 64 : 32, text[i]);
        const char *pattern = i == 0 ? "dstack/w*" : "dstack";
        struct fsim_campaign a = faults_campaign(job, pattern, (struct fsim_options){0});
        struct fsim_campaign b = faults_campaign(job, pattern,
                                                 (struct fsim_options){.run.exhaustive = true});
        CU_ASSERT_EQUAL(faults_differences(&a, &b), 0);
        CU_ASSERT_TRUE(a.stat.instructions <
                       b.stat.instructions / 2); /* or pruning prunes nothing */
        fsim_campaign_free(&a);
        fsim_campaign_free(&b);
        job_free(job);
    }
}

int main(void)
{
    return CHECK_RUN(
        "outcomes", CHECK(golden_run_refuses_a_trap_with_its_place),
        CHECK(golden_run_refuses_a_deadlock), CHECK(golden_run_refuses_an_endless_loop),
        CHECK(golden_run_stops_at_the_limit_of_cycles),
        CHECK(fault_that_changes_no_popped_value_is_not_activated),
        CHECK(activated_fault_without_effect_is_logically_masked),
        CHECK(right_outputs_in_other_cycles_are_performance),
        CHECK(output_that_differs_is_sdc_with_its_first_byte), CHECK(trap_is_a_crash_with_its_name),
        CHECK(state_that_recurs_is_a_hang), CHECK(endless_loop_with_a_counter_is_a_timeout),
        CHECK(program_that_reads_the_clock_never_recurs),
        CHECK(what_happens_after_2g_no_longer_counts_unless_it_never_ends),
        CHECK(run_whose_last_effect_lies_below_2g_is_in_time),
        CHECK(deadlock_is_a_hang_even_between_2g_and_4g),
        CHECK(entry_that_differs_beside_the_held_bit_is_a_difference),
        CHECK(first_activation_is_the_cycle_of_the_first_pop_that_the_fault_changes),
        CHECK(spc_2_0_is_never_activated_and_untestable),
        CHECK(every_fault_of_small_programs_has_the_same_result_by_brute_force));
}
