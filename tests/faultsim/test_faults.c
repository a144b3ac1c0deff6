/* test_faults.c -- fault ids, patterns and lists. */
#include "tests/lib/faults.h"
#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <unistd.h>
#include "faultsim/permanent/prove.h"

/* ---- programs ---------------------------------------------------------------------------------------------------- */

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
        {"sm0/rf/p517/b12", 2},
        {"sm0/dstack/le3", 132},
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
                                           "sched",
                                           "pipe",
                                           "lsu",
                                           "lsu_queue/q30-31",
                                           "lsu_wait/w1",
                                           "block",
                                           "block_slot/blk1",
                                           "block_warp",
                                           "warp",
                                           "execute",
                                           "execute_beat/beat2"};
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
            /* no shell reads anything into it */
            bool same = strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_/:") == strlen(id) &&
                        fsim_list_add(&one, img, id, &err) == 0 && one.count == 1 &&
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
    static const char *const patterns[] = {"dstack/le2-3/id*", "dsp",       "areg/w1/a2/t5-7",
                                           "cc/w0-1/c3/s5-9",  "rf/p7/b31", "sm0/rf/p7/b31"};
    struct job *job;
    struct sm_image *img = image("tiny", &job);
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        struct fsim_list list = {0};
        struct fsim_fault held[FSIM_CELLS];
        char *id = fl_format("%s@7-9:sa1", patterns[p]);
        CU_ASSERT_EQUAL_FATAL(fsim_list_add(&list, img, patterns[p], NULL), 0);
        CU_ASSERT_EQUAL_FATAL(fsim_parse(img, id, NULL, NULL, held, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(2 * held->cells, list.count);
        for (long i = 0; i < list.count; i++)
            CU_ASSERT_EQUAL(memcmp(&held[i / 2].cell, &list.fault[i].cell, sizeof held->cell), 0);
        CU_ASSERT(held->kind == FSIM_SA && held->value == 1 && held->from == 7 && held->to == 9);
        fsim_list_free(&list);
        free(id);
    }
    sm_image_free(img);
    job_free(job);
}

static void more_cells_than_a_fault_can_have_are_refused(void)
{
    struct job *job;
    struct sm_image *img = image("tiny", &job);
    struct fsim_fault u[FSIM_CELLS];
    struct fl_err err;
    CU_ASSERT_EQUAL(fsim_parse(img, "rf/p3-4@5:flip", NULL, NULL, u, &err), 0);
    CU_ASSERT_EQUAL(u->cells, FSIM_CELLS);
    CU_ASSERT_EQUAL(fsim_parse(img, "rf/p3-4@5:flip+pc/w0/b2@5:flip", NULL, NULL, u, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "a fault has at most 64 bits"));
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
        {"sm0", "no such structure"},
        {"sm1/rf/p5", "the chip has no such SM; it has sm0 to sm0"},
        {"sm/rf/p5", "there are dstack, dsp, rf"},
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
        {"dstack/w0/le3/tm1:sa2", "is no fault of this model; there are :sa0 :sa1, and *"},
        {"dstack/w0/le3/tm1:", "is no fault of this model; there are :sa0 :sa1, and *"},
        {"dstack/w0/le3/tm1@12:sa1", "a permanent fault has no cycles; leave out '@12'"},
        {"dstack/w0/le3/tm1:flip", "'flip' is no fault of this model"},
        {"dsp/w0/le3", "dsp/w0..23/b0..5"},
        {"rf/p8192/b0", "rf/p0..8191/b0..31"},
        {"pipe/x_a_q1024", "pipe/REGISTER and bit (cycle_q0):sa0|sa1, numbers also as 1-4 or *; "
                           "registers: cycle_q elapsed_q"},
        {"pipe/w0", "'w0' does not fit"},
        {"lsu_queue/q32", "lsu_queue/q0..31/queue_warp0..4 or queue_ready0..63"},
        {"spill", " has no spill memory"},
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
    struct fsim_options opt = {.run.threads = 1, .run.max_cycles = 100000};
    struct job *job = faults_job("tiny", 1, 32, IF_ELSE);
    struct fsim_campaign c;
    struct fl_err err = {{0}};
    char id[FSIM_ID];
    CU_ASSERT_EQUAL_FATAL(faults_run(&c, job, patterns, 3, NULL, &opt, &err), 0);
    CU_ASSERT_EQUAL(c.list.count, 64 + 132);
    fsim_id(c.img, &c.list.fault[0], id);
    CU_ASSERT_STRING_EQUAL(id, "dstack/w0/le2/tm3:sa1"); /* where it was named first */
    fsim_id(c.img, &c.list.fault[1], id);
    CU_ASSERT_STRING_EQUAL(id, "dstack/w0/le1/tm0:sa0");
    fsim_campaign_free(&c);
    job_free(job);
}

int main(void)
{
    return CHECK_RUN("faults", CHECK(patterns_name_as_many_faults_as_they_say),
                     CHECK(ids_survive_printing_and_parsing),
                     CHECK(lists_are_ordered_as_ids_are_written),
                     CHECK(cells_of_a_pattern_are_those_of_its_faults),
                     CHECK(more_cells_than_a_fault_can_have_are_refused),
                     CHECK(bad_ids_are_refused_with_what_there_is),
                     CHECK(list_files_have_one_pattern_a_line_and_comments),
                     CHECK(overlapping_patterns_count_each_fault_once));
}
