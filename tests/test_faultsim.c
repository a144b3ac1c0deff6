/* test_faultsim.c -- fault ids and lists, the golden run, the six outcomes on programs made for each of them, counts,
 * unions, exports, and the proof of untestable faults.
 */
#include "tests/lib/faults.h"

#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <unistd.h>

#include "faultsim/permanent/prove.h"
#include "faultsim/report/stuck_at.h"

/* ---- programs ---------------------------------------------------------------------------------------------------- */

/* An if/else of 32 threads, 0 to 7 branch: LE 1 holds SYNC, LE 2 DIVERGE with TM ffffff00. The fall-through path starts
 * at 0x38 with an instruction without effect, the join lies at 0x60. */
#define IF_ELSE_BEHIND(before)                                                                     \
    ".kernel k\n.param ptr out\n" before "  I2I.U32.U16 R1, R0L\n"                                 \
    "  SHL R4, R1, 2\n"                                                                            \
    "  IADD R4, s[out], R4\n"                                                                      \
    "  MVI R2, 0x8\n"                                                                              \
    "  ISET.S32.C0 o[0x7f], R1, R2, LT\n"                                                          \
    "  SSY sync\n"                                                                                 \
    "  BRA C0.NE, then\n"                                                                          \
    "  NOP\n"                                                                                      \
    "  MVI R3, 0x2\n"                                                                              \
    "  BRA sync\n"                                                                                 \
    "then:\n"                                                                                      \
    "  MVI R3, 0x1\n"                                                                              \
    "  NOP\n"                                                                                      \
    "sync: NOP.S\n"                                                                                \
    "  GST.U32 global14[R4], R3\n"                                                                 \
    "  NOP.EXIT\n"
#define IF_ELSE IF_ELSE_BEHIND("")

/* What the threads find behind 0x1060, when bit 12 of SPC in LE 1 is stuck at 1. */
#define FAR(code) ".org 0x1060\n  NOP\n" code

static struct sm_image *image(const char *profile, struct job **job)
{
    struct fl_err err = {{0}};
    *job = faults_job(profile, 1, 32, IF_ELSE);
    struct sm_image *img = sm_image_new(*job, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(img);
    return img;
}

/* ---- ids and lists ----------------------------------------------------------------------------------------------- */

static long count_of(const struct sm_image *img, const char *pattern)
{
    struct fsim_list list = {0};
    struct fl_err err = {{0}};
    long n = fsim_list_add(&list, img, pattern, &err) == 0 ? list.count : -1;
    fsim_list_free(&list);
    return n;
}

static void patterns_name_as_many_faults_as_they_say(void)
{
    static const struct {
        const char *pattern;
        long count;
    } full[] = {
        {"dstack", 4224},
        {"dstack/w0", 4224},
        {"dstack/w23", 4224},
        {"dstack:sa1", 2112},
        {"dstack/w*", 24 * 4224},
        {"dstack/w0/le*/tm*:sa*", 2048},
        {"dstack/w0/le1-4/tm*:sa*", 256},
        {"dstack/w0/le*/id*:sa*", 128},
        {"dstack/w0/le*/spc*", 2048},
        {"dstack/le*/spc0-2", 192},
        {"dstack/le3", 132},
        {"dstack/w3-5/le31-32/spc3-7:sa0", 3 * 2 * 5},
        {"dstack/w0/le3/spc17", 2},
        {"dstack/w0/le3/spc17:sa1", 1},
        {"dsp/w0-23/b0-5", 24 * 6 * 2}, /* g80 has a seventh bit */
        {"rf/p517/b12", 2},
        {"rf/p0-31/b*:sa0", 1024},
        {"cc/w2/c0/z5:sa0", 1},
        {"areg/w0/a1/t5/b3:sa1", 1},
        {"barrier/blk0/bar0-1/w1:sa1", 2},
        {"sched", 10},
    };
    static const char *const profiles[] = {"g80", "flexgripplus"};
    for (int p = 0; p < 2; p++) {
        struct job *job;
        struct sm_image *img = image(profiles[p], &job);
        for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
            long n = count_of(img, full[i].pattern);
            if (n != full[i].count)
                printf("\n    %s: %ld faults", full[i].pattern, n);
            CU_ASSERT_EQUAL(n, full[i].count);
        }
        sm_image_free(img);
        job_free(job);
    }
    struct job *job;
    struct sm_image *img = image("tiny", &job);
    CU_ASSERT_EQUAL(count_of(img, "dstack"), 66 * 4 * 2);
    CU_ASSERT_EQUAL(count_of(img, "dstack/w*/le*/tm*:sa*"), 2 * 4 * 64);
    sm_image_free(img);
    job_free(job);
}

static void ids_survive_printing_and_parsing(void)
{
    static const char *const patterns[] = {"dstack/w*/le1-3",
                                           "dsp",
                                           "rf/p0-3",
                                           "cc",
                                           "areg/w0-1",
                                           "shared/p60-63",
                                           "pc",
                                           "mask",
                                           "tstate",
                                           "ir",
                                           "exec/w1",
                                           "barrier/blk0/bar*/w*",
                                           "sched"};
    struct job *job;
    struct sm_image *img = image("tiny", &job);
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        struct fsim_list all = {0};
        struct fl_err err = {{0}};
        CU_ASSERT_EQUAL_FATAL(fsim_list_add(&all, img, patterns[p], &err), 0);
        CU_ASSERT_TRUE(all.count > 0);
        for (long i = 0; i < all.count; i++) {
            struct fsim_list one = {0};
            char id[FSIM_ID];
            fsim_id(img, &all.fault[i], id);
            bool same = fsim_list_add(&one, img, id, &err) == 0 && one.count == 1 &&
                        memcmp(&one.fault[0], &all.fault[i], sizeof one.fault[0]) == 0;
            if (!same)
                printf("\n    %s", id);
            CU_ASSERT_TRUE(same);
            fsim_list_free(&one);
        }
        fsim_list_free(&all);
    }
    sm_image_free(img);
    job_free(job);
}

/* Warp, LE, field, bit, value: each turns faster than the one before. */
static void lists_are_ordered_as_ids_are_written(void)
{
    static const char *const want[] = {"dstack/w0/le1/tm0:sa0", "dstack/w0/le1/tm0:sa1",
                                       "dstack/w0/le1/tm1:sa0"};
    struct job *job;
    struct sm_image *img = image("tiny", &job);
    struct fsim_list list = {0};
    char id[FSIM_ID];
    CU_ASSERT_EQUAL_FATAL(fsim_list_add(&list, img, "dstack/w*", NULL), 0);
    for (int i = 0; i < 3; i++) {
        fsim_id(img, &list.fault[i], id);
        CU_ASSERT_STRING_EQUAL(id, want[i]);
    }
    static const struct {
        long at;
        const char *id;
    } later[] = {{64, "dstack/w0/le1/id0:sa0"},
                 {68, "dstack/w0/le1/spc0:sa0"},
                 {132, "dstack/w0/le2/tm0:sa0"},
                 {527, "dstack/w0/le4/spc31:sa1"},
                 {528, "dstack/w1/le1/tm0:sa0"}};
    for (int i = 0; i < 5; i++) {
        fsim_id(img, &list.fault[later[i].at], id);
        CU_ASSERT_STRING_EQUAL(id, later[i].id);
    }
    fsim_list_free(&list);
    sm_image_free(img);
    job_free(job);
}

static void cells_of_a_pattern_are_those_of_its_faults(void)
{
    static const char *const patterns[] = {"dstack",     "dstack/w*/le2-3", "dsp",
                                           "areg/w1/a2", "cc/w0-1/c3/s5-9", "rf/p7/b31"};
    struct job *job;
    struct sm_image *img = image("tiny", &job);
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        struct fsim_list list = {0};
        struct sm_cell cell[2048];
        CU_ASSERT_EQUAL_FATAL(fsim_list_add(&list, img, patterns[p], NULL), 0);
        long n = fsim_cells(img, patterns[p], patterns[p], cell, 2048, NULL);
        CU_ASSERT_EQUAL_FATAL(2 * n, list.count);
        for (long i = 0; i < list.count; i++)
            CU_ASSERT_EQUAL(memcmp(&cell[i / 2], &list.fault[i].cell, sizeof *cell), 0);
        cell[1].bit = -1;
        CU_ASSERT_EQUAL(fsim_cells(img, patterns[p], patterns[p], cell, 1, NULL), n);
        CU_ASSERT_EQUAL(cell[1].bit, -1);
        fsim_list_free(&list);
    }
    sm_image_free(img);
    job_free(job);
}

static void bad_ids_are_refused_with_what_there_is(void)
{
    static const struct {
        const char *pattern, *says;
    } bad[] = {
        {"dsack", "there are dstack, dsp, rf"},
        {"", "no such structure"},
        {"/", "no such structure"},
        {"dstack/w24", "dstack/w0..23/le1..32/tm0..31 or id0..1 or spc0..31:sa0|sa1"},
        {"dstack/le0", "'le0' does not fit"},
        {"dstack/le33", "'le33' does not fit"},
        {"dstack/le4-2", "'le4-2' does not fit"},
        {"dstack/le1-33", "le1..32"},
        {"dstack/le1-", "'le1-' does not fit"},
        {"dstack/le-1", "'le-1' does not fit"},
        {"dstack/le+1", "'le+1' does not fit"},
        {"dstack/le 1", "'le 1' does not fit"},
        {"dstack/le1x", "'le1x' does not fit"},
        {"dstack/le4294967297", "'le4294967297' does not fit"},
        {"dstack/le1-4294967298", "does not fit"},
        {"dstack/le3/w0", "'w0' does not fit"},
        {"dstack/w0/le3/", "'' does not fit"},
        {"dstack//le3", "'' does not fit"},
        {"dstack/w0/le3/tm", "'tm' does not fit"},
        {"dstack/w0/le3/tm32", "'tm32' does not fit"},
        {"dstack/w0/le3/id2", "'id2' does not fit"},
        {"dstack/w0/le3/pc3", "'pc3' does not fit"},
        {"dstack/w0/le3/tm1/tm2", "does not fit"},
        {"dstack/w0/le3/tm1/tm2/tm3", "too many parts"},
        {"dstack/w0/le3/tm1:sa2", "write :sa0, :sa1 or :sa*"},
        {"dstack/w0/le3/tm1:", "write :sa0, :sa1 or :sa*"},
        {"dstack/w0/le3/tm1@12:sa1", "'tm1@12' does not fit"},
        {"dstack/w0/le3/tm1:flip", "'flip' is no fault of this model"},
        {"dsp/w0/le3", "dsp/w0..23/b0..5"},
        {"rf/p8192/b0", "rf/p0..8191/b0..31"},
    };
    struct job *job;
    struct sm_image *img = image("flexgripplus", &job);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fsim_list list = {0};
        struct fl_err err = {{0}};
        bool good = fsim_list_add(&list, img, bad[i].pattern, &err) == -1 && list.count == 0 &&
                    strstr(err.msg, bad[i].says) && strstr(err.msg, bad[i].pattern);
        if (!good)
            printf("\n    %s: %s", bad[i].pattern, err.msg);
        CU_ASSERT_TRUE(good);
        fsim_list_free(&list);
    }
    char longest[300];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    CU_ASSERT_EQUAL(count_of(img, longest), -1);
    sm_image_free(img);
    job_free(job);
}

static int read_list(const struct sm_image *img, const char *text, long *count, struct fl_err *err)
{
    const char *path = FAULTLINE_BUILD_DIR "/test_faultsim.faults";
    struct fsim_list list = {0};
    CU_ASSERT_EQUAL_FATAL(fl_write_file(path, text, strlen(text), err), 0);
    int r = fsim_list_read(&list, img, path, err);
    *count = list.count;
    fsim_list_free(&list);
    unlink(path);
    return r;
}

static void list_files_have_one_pattern_a_line_and_comments(void)
{
    struct job *job;
    struct sm_image *img = image("flexgripplus", &job);
    struct fl_err err = {{0}};
    long n;
    CU_ASSERT_EQUAL(read_list(img,
                              "# two\n\ndstack/w0/le3/spc17:sa1\r\n  dstack/le1/tm0:sa0 \t# x\n"
                              "dstack/le2-3/id*",
                              &n, &err),
                    0);
    CU_ASSERT_EQUAL(n, 2 + 8);
    CU_ASSERT_EQUAL(read_list(img, "", &n, &err), 0);
    CU_ASSERT_EQUAL(n, 0);
    CU_ASSERT_NOT_EQUAL(read_list(img, "dstack/le1\n\ndstack/le77\n", &n, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "test_faultsim.faults:3: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "'le77'"));
    CU_ASSERT_NOT_EQUAL(read_list(img, "dstack/le1 dstack/le2\n", &n, &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, ".faults:1: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "one id or pattern a line"));
    struct fsim_list list = {0};
    CU_ASSERT_NOT_EQUAL(fsim_list_read(&list, img, "/no/such/file", &err), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "/no/such/file"));
    sm_image_free(img);
    job_free(job);
}

static void overlapping_patterns_count_each_fault_once(void)
{
    static const char *const patterns[] = {"dstack/le2/tm3:sa1", "dstack/le1-2/tm*", "dstack/le2"};
    struct fsim_options opt = {.threads = 1, .max_cycles = 100000};
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE);
    struct fsim_campaign c;
    struct fl_err err = {{0}};
    char id[FSIM_ID];
    CU_ASSERT_EQUAL_FATAL(fsim_campaign_run(&c, job, patterns, 3, NULL, &opt, &err), 0);
    CU_ASSERT_EQUAL(c.list.count, 64 + 132);
    fsim_id(c.img, &c.list.fault[0], id);
    CU_ASSERT_STRING_EQUAL(id, "dstack/w0/le2/tm3:sa1"); /* where it was named first */
    fsim_id(c.img, &c.list.fault[1], id);
    CU_ASSERT_STRING_EQUAL(id, "dstack/w0/le1/tm0:sa0");
    fsim_campaign_free(&c);
    job_free(job);
}

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
                   1000000000, "loops for ever");
    /* memory is state as well, and a slow access has ticks without an instruction */
    golden_refuses(".kernel k\n.param ptr out\n MOV R1, s[out]\nself: GST.U32 global14[R1], R1\n"
                   " BRA self\n NOP.EXIT\n",
                   32, 1000000000, "loops for ever");
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
                                             (struct fsim_options){.threads = 1});
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

/* Peels off threads 0 to 3 one by one: LE 2 is pushed and popped with another TM each time. */
#define PEEL                                                                                       \
    ".kernel k\n.param ptr out\n"                                                                  \
    "  I2I.U32.U16 R1, R0L\n  SHL R4, R1, 2\n  IADD R4, s[out], R4\n"                              \
    ".rept 4\n"                                                                                    \
    "  MVI R2, \\+\n  SSY join\\+\n  ISET.S32.C0 o[0x7f], R1, R2, EQ\n  BRA C0.NE, alone\\+\n"     \
    "  IADD32I R3, R3, 0x10\n  BRA join\\+\n"                                                      \
    "alone\\+: IADD32I R3, R3, 0x1\n"                                                              \
    "join\\+: NOP.S\n"                                                                             \
    ".endr\n"                                                                                      \
    "  GST.U32 global14[R4], R3\n  NOP.EXIT\n"

static void first_activation_is_the_cycle_of_the_first_pop_that_the_fault_changes(void)
{
    struct machine m = machine_start("tiny", 32, PEEL);
    struct job *job = faults_job("tiny", 1, 32, PEEL);
    struct fsim_campaign c = faults_campaign(job, "dstack", (struct fsim_options){.threads = 1});
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
            (struct fsim_options){.threads = 1, .exhaustive = exhaustive});
        CU_ASSERT_EQUAL(c.list.count, 24);
        for (long i = 0; i < c.list.count; i++) {
            CU_ASSERT_EQUAL(c.result[i].first_activation, FSIM_NEVER);
            CU_ASSERT_TRUE(c.result[i].untestable);
            ASSERT_RESULT(c.result[i], OUT_MASKED, "not_activated");
            CU_ASSERT_STRING_EQUAL(fsim_class(&c.result[i], false), "undetectable-untestable");
        }
        fsim_campaign_free(&c);
    }
    struct fsim_campaign c = faults_campaign(job, "dstack", (struct fsim_options){.threads = 1});
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
                                                 (struct fsim_options){.exhaustive = true});
        CU_ASSERT_EQUAL(faults_differences(&a, &b), 0);
        CU_ASSERT_TRUE(a.stat.instructions <
                       b.stat.instructions / 2); /* or pruning prunes nothing */
        fsim_campaign_free(&a);
        fsim_campaign_free(&b);
        job_free(job);
    }
}

/* ---- counts, unions ---------------------------------------------------------------------------------------------- */

static void check_counts(const struct fsim_campaign *c, int field, long faults)
{
    struct fsim_counts k;
    fsim_count(&c->list, c->result, c->detect_timing, field, &k);
    const long *o = k.by_outcome;
    CU_ASSERT_EQUAL(k.faults, faults);
    CU_ASSERT_EQUAL(
        k.untestable + k.detected + o[OUT_PERFORMANCE] + o[OUT_MASKED] + k.not_activated, k.faults);
    long strong = o[OUT_SDC] + o[OUT_CRASH] + o[OUT_TIMEOUT] + o[OUT_HANG];
    CU_ASSERT_TRUE(c->detect_timing ? k.detected >= strong && o[OUT_PERFORMANCE] == 0
                                    : k.detected == strong);
}

static void counts_add_up_in_all_and_by_field(void)
{
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE FAR("far: BRA far\n"));
    struct fsim_counts plain, timing;
    for (int detect_timing = 0; detect_timing < 2; detect_timing++) {
        struct fsim_campaign c = faults_campaign(
            job, "dstack", (struct fsim_options){.threads = 1, .detect_timing = detect_timing});
        check_counts(&c, -1, 528);
        check_counts(&c, 0, 256);
        check_counts(&c, 1, 16);
        check_counts(&c, 2, 256);
        fsim_count(&c.list, c.result, detect_timing, -1, detect_timing ? &timing : &plain);
        fsim_campaign_free(&c);
    }
    CU_ASSERT_EQUAL(plain.untestable, 24);
    CU_ASSERT_TRUE(plain.by_outcome[OUT_PERFORMANCE] > 0);
    CU_ASSERT_EQUAL(timing.detected, plain.detected + plain.by_outcome[OUT_PERFORMANCE]);
    CU_ASSERT_EQUAL(timing.by_outcome[OUT_MASKED], plain.by_outcome[OUT_MASKED]);
    job_free(job);
}

static void detect_timing_makes_performance_detected(void)
{
    for (int o = 0; o < OUT_COUNT; o++) {
        struct fsim_result r = {.outcome = (enum fsim_outcome)o};
        bool strong = o == OUT_SDC || o == OUT_CRASH || o == OUT_TIMEOUT || o == OUT_HANG;
        CU_ASSERT_EQUAL(fsim_detected(&r, false), strong);
        CU_ASSERT_EQUAL(fsim_detected(&r, true), strong || o == OUT_PERFORMANCE);
        CU_ASSERT_STRING_EQUAL(fsim_class(&r, false), strong ? "detected" : "not detected");
    }
}

static void union_takes_the_strongest_outcome(void)
{
    static const enum fsim_outcome weakest_first[] = {OUT_MASKED, OUT_PERFORMANCE, OUT_TIMEOUT,
                                                      OUT_HANG,   OUT_CRASH,       OUT_SDC};
    struct fsim_fault fault[36] = {0};
    struct fsim_result a[36], b[36], both[36];
    for (int i = 0; i < 36; i++) {
        a[i] = (struct fsim_result){.outcome = weakest_first[i / 6], .end = 1};
        b[i] = (struct fsim_result){.outcome = weakest_first[i % 6], .end = 2};
    }
    struct fsim_campaign c[2] = {{.list = {fault, 36}, .result = a},
                                 {.list = {fault, 36}, .result = b}};
    fsim_union(c, 2, both);
    for (int i = 0; i < 36; i++) {
        int strongest = i / 6 > i % 6 ? i / 6 : i % 6;
        CU_ASSERT_EQUAL(both[i].outcome, weakest_first[strongest]);
        CU_ASSERT_EQUAL(both[i].end, i / 6 >= i % 6 ? 1u : 2u); /* of equals the first job's */
    }
    /* masked in one job, not activated in another: some job activated it */
    a[0] = (struct fsim_result){.outcome = OUT_MASKED, .first_activation = FSIM_NEVER};
    b[0] = (struct fsim_result){.outcome = OUT_MASKED, .first_activation = 7};
    fsim_union(c, 2, both);
    CU_ASSERT_EQUAL(both[0].first_activation, 7);
    fsim_union(c, 1, both);
    CU_ASSERT_EQUAL(both[0].first_activation, FSIM_NEVER);
}

/* ---- exports ----------------------------------------------------------------------------------------------------- */

struct exports {
    struct fl_buf csv, faults, xml;
};

static struct exports export_all(const struct fsim_campaign *c, int n)
{
    struct exports e = {{0}, {0}, {0}};
    struct fl_err err;
    report_csv(c, n, "dstack", "stuck-at", &e.csv);
    report_csv_faults(c, n, &e.faults);
    CU_ASSERT_EQUAL(report_xml(c, n, "dstack", "stuck-at", &e.xml, &err), 0);
    return e;
}

static void free_exports(struct exports *e)
{
    fl_buf_free(&e->csv);
    fl_buf_free(&e->faults);
    fl_buf_free(&e->xml);
}

static bool same_bytes(const struct fl_buf *a, const struct fl_buf *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static void exports_are_the_same_bytes_for_any_number_of_threads(void)
{
    static const int threads[] = {1, 2, 5, 0};
    struct job *job = faults_job("tiny", 3, 32, PEEL);
    struct exports one = {{0}, {0}, {0}};
    for (int i = 0; i < 4; i++) {
        struct fsim_campaign c = faults_campaign(job, "dstack/w*",
                                                 (struct fsim_options){.threads = threads[i]});
        struct exports e = export_all(&c, 1);
        if (i == 0) {
            one = e;
        } else {
            CU_ASSERT_TRUE(same_bytes(&one.csv, &e.csv));
            CU_ASSERT_TRUE(same_bytes(&one.faults, &e.faults));
            CU_ASSERT_TRUE(same_bytes(&one.xml, &e.xml));
            free_exports(&e);
        }
        fsim_campaign_free(&c);
    }
    free_exports(&one);
    job_free(job);
}

static void csv_has_the_documented_columns(void)
{
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE);
    struct fsim_campaign c[2];
    for (int i = 0; i < 2; i++)
        c[i] = faults_campaign(job, i ? "dstack/w1" : "dstack",
                               (struct fsim_options){.threads = 1});
    c[1].job_name = "a,\"b\"";
    struct exports e = export_all(c, 2);
    const char *csv = (const char *)e.csv.data, *faults = (const char *)e.faults.data;
    static const char head[] =
        "\njob,target,model,engine,faults,untestable,detected,sdc,crash,timeout,hang,"
        "performance,masked,not_activated,fc_pct,testable_fc_pct\n";
    static const char fault_head[] =
        "\njob,id,outcome,class,first_activation_cycle,end_cycle,reason\n";
    CU_ASSERT_PTR_NOT_NULL(strstr(csv, head));
    CU_ASSERT_PTR_NOT_NULL(strstr(faults, fault_head));
    CU_ASSERT_PTR_NOT_NULL(strstr(csv, "\ntest,dstack,stuck-at,c,528,24,"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(csv, "\n\"a,\"\"b\"\"\",dstack,stuck-at,c,528,24,0,0,0,0,0,0,0,504,0.00,0.00\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(csv, "\nunion,dstack,stuck-at,c,528,24,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(faults, "\ntest,dstack/w0/le2/tm3:sa1,sdc,detected,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(faults, ",out+0xc\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(faults, "\ntest,dstack/w0/le1/spc0:sa0,masked,undetectable-untestable,,"));
    int lines = 0;
    for (const char *s = faults; (s = strchr(s, '\n')); s++)
        lines++;
    CU_ASSERT_EQUAL(lines, 3 + 1 + 2 * 528); /* what made it, head, faults */
    free_exports(&e);
    fsim_campaign_free(&c[0]);
    fsim_campaign_free(&c[1]);
    job_free(job);
}

static void quiet(void *data, const xmlError *e)
{
    (void)data, (void)e;
}

static bool schema_accepts(const char *xml, size_t size)
{
    xmlRelaxNGParserCtxtPtr p = xmlRelaxNGNewParserCtxt(FAULTLINE_SOURCE_DIR "/docs/report.rng");
    xmlRelaxNGPtr schema = xmlRelaxNGParse(p);
    CU_ASSERT_PTR_NOT_NULL_FATAL(schema);
    xmlRelaxNGValidCtxtPtr v = xmlRelaxNGNewValidCtxt(schema);
    xmlRelaxNGSetValidStructuredErrors(v, (xmlStructuredErrorFunc)quiet, NULL);
    xmlDocPtr doc = xmlReadMemory(xml, (int)size, "report", NULL, XML_PARSE_NOERROR);
    bool good = doc && xmlRelaxNGValidateDoc(v, doc) == 0;
    xmlFreeDoc(doc);
    xmlRelaxNGFreeValidCtxt(v);
    xmlRelaxNGFree(schema);
    xmlRelaxNGFreeParserCtxt(p);
    return good;
}

static void xml_follows_its_schema(void)
{
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE FAR("far: BRA far\n"));
    struct fsim_campaign c[2];
    for (int timing = 0; timing < 2; timing++) {
        for (int i = 0; i < 2; i++)
            c[i] = faults_campaign(job, "dstack/le1-2",
                                   (struct fsim_options){.threads = 1, .detect_timing = timing});
        c[1].job_name = "<&\">";
        for (int n = 1; n <= 2; n++) {
            struct exports e = export_all(c, n);
            CU_ASSERT_TRUE(schema_accepts((char *)e.xml.data, e.xml.size));
            CU_ASSERT_EQUAL(strstr((char *)e.xml.data, "<union") != NULL, n == 2);
            /* the check itself can fail */
            char *outcome = strstr((char *)e.xml.data, "outcome=\"sdc\"");
            CU_ASSERT_PTR_NOT_NULL_FATAL(outcome);
            outcome[9] = 'x';
            CU_ASSERT_FALSE(schema_accepts((char *)e.xml.data, e.xml.size));
            free_exports(&e);
        }
        fsim_campaign_free(&c[0]);
        fsim_campaign_free(&c[1]);
    }
    job_free(job);
}

/* ---- the story of a fault ---------------------------------------------------------------------------------------- */

static void story_names_activation_divergence_and_end(void)
{
    static const struct {
        const char *id, *says;
    } stories[] = {
        {"dstack/le2/tm3:sa1", "first output byte that differs is out+0xc"},
        {"dstack/le2/spc3:sa0", "All outputs are right; it finishes 20 cycles late"},
        {"dstack/le1/spc20:sa1", "It ends in a trap: FETCH_UNMAPPED"},
        {"dstack/le1/spc12:sa1", "It never ends: state_recurs"},
        {"dstack/le4/tm0:sa1", "it is never activated"},
    };
    struct fl_err err = {{0}};
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE FAR("far: BRA far\n"));
    struct sm_image *img = sm_image_new(job, &err);
    struct golden *g = golden_run(img, 100000, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(g);
    struct fsim_worker *w = fsim_worker_new(g);
    for (size_t i = 0; i < sizeof stories / sizeof *stories; i++) {
        struct fsim_list list = {0};
        struct fl_buf out = {0};
        CU_ASSERT_EQUAL_FATAL(fsim_list_add(&list, img, stories[i].id, &err), 0);
        fsim_explain(w, &list.fault[0], &out);
        bool good = strstr((char *)out.data, stories[i].says) != NULL;
        if (!good)
            printf("\n    %s", (char *)out.data);
        CU_ASSERT_TRUE(good);
        CU_ASSERT_EQUAL(strstr((char *)out.data, "First activation: cycle ") != NULL, i < 4);
        fl_buf_free(&out);
        fsim_list_free(&list);
    }
    fsim_worker_free(w);
    golden_free(g);
    sm_image_free(img);
    job_free(job);
}

/* ---- the proof --------------------------------------------------------------------------------------------------- */

static void faults_are_proved_untestable_under_every_profile(void)
{
    static const struct {
        const char *profile;
        int faults;
    } all[] = {{"g80", 448},
               /* LE 32 and SPC[31:18], [2:0] of all others */
               {"flexgripplus-rtl", 132 + 31 * 2 * 17},
               {"tiny", 24},
               {"flexgripplus", 192}};
    for (int i = 0; i < (SANITIZED ? 1 : 4); i++) {
        struct profile p;
        struct fl_buf out = {0};
        struct fl_err err = {{0}};
        struct prove_writers writers;
        CU_ASSERT_EQUAL_FATAL(profile_load(all[i].profile, &p, &err), 0);
        CU_ASSERT_EQUAL(prove_stack(&p, NULL, &writers, &out, &err), all[i].faults);
        CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.data, "BRA CAL PBK SSY."));
        CU_ASSERT_EQUAL(writers.behind > 0, i == 0); /* the exception is no theory */
        CU_ASSERT_PTR_NULL(strstr((char *)out.data, " in 0 "));
        CU_ASSERT_EQUAL(writers.ids[OP_SSY] | writers.ids[OP_BRA], 3);
        CU_ASSERT_EQUAL(writers.ids[OP_CAL] | writers.ids[OP_PBK], 12);
        fl_buf_free(&out);
    }
}

static void without_cal_and_pbk_one_bit_of_the_flow_id_stays_0(void)
{
    struct profile p;
    struct fl_buf out = {0};
    struct fl_err err = {{0}};
    struct prove_without without = {0};
    struct prove_writers writers;
    struct fsim_list list = {0};
    struct job *job = faults_job("tiny", 1, 32, ".kernel k\n NOP.EXIT");
    struct sm_image *img = sm_image_new(job, &err);
    without.op[OP_CAL] = without.op[OP_PBK] = true;
    CU_ASSERT_EQUAL_FATAL(profile_load("tiny", &p, &err), 0);
    CU_ASSERT_EQUAL(prove_stack(&p, &without, &writers, &out, &err), 24 + 4);
    CU_ASSERT_EQUAL_FATAL(fsim_list_add(&list, img, "dstack/le2/id*:sa*", &err), 0);
    for (long i = 0; i < list.count; i++) { /* id0:sa0, id0:sa1, id1:sa0, id1:sa1 */
        CU_ASSERT_EQUAL(prove_unwritten(&writers, &list.fault[i]) != NULL, i == 2);
        CU_ASSERT_PTR_NULL(prove_untestable(img, &list.fault[i]));
    }
    fl_buf_free(&out);
    fsim_list_free(&list);
    sm_image_free(img);
    job_free(job);
}

/* The last word of a 24-bit code space calls, and its entry holds 2^24. */
static const char at_the_end[] = ".kernel k\n"
                                 " .param ptr p\n"
                                 "     BRA last\n"
                                 "there:\n"
                                 "     %s\n"
                                 " .org 0xfffff8\n"
                                 "last: CAL there\n";

static struct job *job_at_the_end(const char *instruction)
{
    char text[256];
    snprintf(text, sizeof text, at_the_end, instruction);
    return faults_job("g80", 1, 32, text);
}

static void job_that_goes_on_behind_the_code_space_is_no_test(void)
{
    struct job *job = job_at_the_end("RET");
    struct fl_err err = {{0}};
    struct sm_image *img = sm_image_new(job, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(img);
    CU_ASSERT_PTR_NULL(golden_run(img, 100000, &err));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "FETCH_UNMAPPED"));
    sm_image_free(img);
    job_free(job);
}

static void address_behind_the_code_space_is_popped_without_effect(void)
{
    struct job *job = job_at_the_end("NOP.EXIT");
    struct fsim_result r = faults_result(job, "dstack/le1/spc24:sa0");
    ASSERT_RESULT(r, OUT_MASKED, "logically_masked"); /* activated: the cell did hold a 1 */
    CU_ASSERT_TRUE(r.untestable);
    r = faults_result(job, "dstack/le1/spc24:sa1");
    CU_ASSERT_FALSE(r.untestable);
    job_free(job);
}

static void false_claims_are_disproved(void)
{
    static const struct {
        const char *profile;
        struct prove_claim claim;
        bool holds;
    } claims[] = {
        {"tiny", {0x7, 0x7}, true},
        {"tiny", {0xf, 0}, false},
        {"tiny", {0, 0xf}, false},
        {"tiny", {0x80000007, 0}, false},
        {"tiny", {0, 0x80000003}, false},
        {"g80", {0xff800007, 0}, false},
        {"flexgripplus", {0xff000007, 0}, false},
        {"flexgripplus-rtl", {0, 0xfffc0007}, true},
        {"flexgripplus-rtl", {0, 0xfffe0000}, false},
    };
    for (size_t i = SANITIZED; i < sizeof claims / sizeof *claims; i += SANITIZED ? 3 : 1) {
        struct profile p;
        struct fl_buf out = {0};
        struct fl_err err = {{0}};
        CU_ASSERT_EQUAL_FATAL(profile_load(claims[i].profile, &p, &err), 0);
        bool holds = prove_check(&p, &claims[i].claim, &out, &err) == 0;
        CU_ASSERT_EQUAL(holds, claims[i].holds);
        CU_ASSERT_EQUAL(strncmp(err.msg, "disproved: ", 11) == 0, !claims[i].holds);
        fl_buf_free(&out);
    }
}

int main(void)
{
    return CHECK_RUN(
        "faultsim", CHECK(patterns_name_as_many_faults_as_they_say),
        CHECK(ids_survive_printing_and_parsing), CHECK(lists_are_ordered_as_ids_are_written),
        CHECK(cells_of_a_pattern_are_those_of_its_faults),
        CHECK(bad_ids_are_refused_with_what_there_is),
        CHECK(list_files_have_one_pattern_a_line_and_comments),
        CHECK(overlapping_patterns_count_each_fault_once),
        CHECK(golden_run_refuses_a_trap_with_its_place), CHECK(golden_run_refuses_a_deadlock),
        CHECK(golden_run_refuses_an_endless_loop), CHECK(golden_run_stops_at_the_limit_of_cycles),
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
        CHECK(every_fault_of_small_programs_has_the_same_result_by_brute_force),
        CHECK(counts_add_up_in_all_and_by_field), CHECK(detect_timing_makes_performance_detected),
        CHECK(union_takes_the_strongest_outcome),
        CHECK(exports_are_the_same_bytes_for_any_number_of_threads),
        CHECK(csv_has_the_documented_columns), CHECK(xml_follows_its_schema),
        CHECK(story_names_activation_divergence_and_end),
        CHECK(faults_are_proved_untestable_under_every_profile),
        CHECK(without_cal_and_pbk_one_bit_of_the_flow_id_stays_0),
        CHECK(job_that_goes_on_behind_the_code_space_is_no_test),
        CHECK(address_behind_the_code_space_is_popped_without_effect),
        CHECK(false_claims_are_disproved));
}
