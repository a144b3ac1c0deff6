/* Which parts of a self-test are kept, and in which order: against going through everything. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/check.h"
#include "gen/compact/compact.h"
#include "tests/lib/tools.h"

static uint32_t draw(uint32_t *state, uint32_t below) /* xorshift */
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state % below;
}

static int load(const char *text, bool sdc_only, struct sbst_matrix *m, struct fl_err *err)
{
    char path[] = "/tmp/matrix-XXXXXX";
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    int bad = sbst_matrix_load(path, sdc_only, m, err);
    unlink(path);
    return bad;
}

/* A matrix as faultsim writes it; every fault is detected by each part with the given chance in percent. Drawn: every
 * third row is of few faults, the others are of many. */
static void random_matrix(uint32_t *seed, int parts, int rows, uint32_t chance, bool drawn,
                          struct sbst_matrix *m)
{
    struct fl_buf text = {0};
    struct fl_err err = {{0}};
    fl_buf_printf(&text, "fault,class,draw,drawn_of");
    for (int i = 0; i < parts; i++)
        fl_buf_printf(&text, ",p%d", i);
    fl_buf_printf(&text, "\n@file,,,");
    for (int i = 0; i < parts; i++)
        fl_buf_printf(&text, ",p%d.job.xml", i);
    fl_buf_printf(&text, "\n@sha256,,,");
    for (int i = 0; i < parts; i++)
        fl_buf_printf(&text, ",%064d", i);
    fl_buf_printf(&text, "\n@cycles,,,");
    for (int i = 0; i < parts; i++)
        fl_buf_printf(&text, ",%u", 1 + draw(seed, 20));
    for (int r = 0; r < rows; r++) {
        fl_buf_printf(&text, "\nf%d,x,%s,%s", r,
                      !drawn  ? ""
                      : r % 3 ? "rf"
                              : "pc",
                      !drawn  ? ""
                      : r % 3 ? "5003"
                              : "61");
        for (int i = 0; i < parts; i++)
            fl_buf_printf(&text, ",%s", draw(seed, 100) < chance ? "sdc" : "");
    }
    fl_buf_printf(&text, "\n");
    CU_ASSERT_EQUAL_FATAL(load((char *)text.data, false, m, &err), 0);
    fl_buf_free(&text);
}

static bool detects(const struct sbst_matrix *m, int part, long row)
{
    return m->part[part].detects[row / 64] >> row % 64 & 1;
}

static double found_by(const struct sbst_matrix *m, unsigned set)
{
    double n = 0;
    for (long r = 0; r < m->rows; r++) {
        bool hit = false;
        for (int i = 0; i < m->nparts; i++)
            hit |= (set >> i & 1) && detects(m, i, r);
        n += hit ? m->weight[r] : 0;
    }
    return n;
}

/* Cycles of the cheapest of all subsets that reach the goal: fewest slots first when there are slots. -1: none does. */
static long cheapest(const struct sbst_matrix *m, const struct sbst_goal *goal, int *parts)
{
    long best = -1;
    for (unsigned set = 0; set < 1u << m->nparts; set++) {
        long cycles = 0;
        double found = found_by(m, set);
        int n = __builtin_popcount(set);
        bool fits = true;
        for (int i = 0; i < m->nparts; i++)
            if (set >> i & 1) {
                cycles += m->part[i].cycles;
                fits &= !goal->slot || m->part[i].cycles <= goal->slot;
            }
        bool enough = goal->coverage > 0 ? found * 100 >= goal->coverage * m->faults - 1e-4
                                         : found >= found_by(m, (1u << m->nparts) - 1) - 1e-4;
        if (!fits || !enough)
            continue;
        bool better = best < 0 || (goal->slot && n != *parts ? n < *parts : cycles < best);
        if (better) {
            best = cycles;
            *parts = n;
        }
    }
    return best;
}

static void no_choice_is_cheaper(void)
{
    uint32_t seed = 1;
    int reached = 0, refused = 0;
    for (int round = 0; round < 400; round++) {
        struct sbst_matrix m;
        struct sbst_plan p;
        struct fl_err err = {{0}};
        random_matrix(&seed, 1 + (int)draw(&seed, 8), 1 + (int)draw(&seed, 40), 5 + draw(&seed, 60),
                      round % 4 > 1, &m);
        struct sbst_goal goal = {.coverage = round % 2 ? 20 + draw(&seed, 80) : 0,
                                 .slot = round % 3 ? 0 : 5 + draw(&seed, 20)};
        int parts = 0, status = sbst_compact(&m, &goal, &p, &err);
        long want = cheapest(&m, &goal, &parts);
        CU_ASSERT_EQUAL(status, want < 0);
        if (status == 0) {
            CU_ASSERT_EQUAL(p.cycles, want);
            CU_ASSERT_TRUE(!goal.slot || p.count == parts);
            CU_ASSERT_TRUE(p.minimal);
        }
        reached += status == 0;
        refused += status == 1;
        sbst_plan_free(&p);
        sbst_matrix_free(&m);
    }
    CU_ASSERT_TRUE(reached > 100 && refused > 20); /* or the rounds prove little */
}

/* Mean time until a detected fault is found. */
static double mean_time(const struct sbst_matrix *m, const int *part, int n)
{
    double sum = 0, found = 0;
    for (long r = 0; r < m->rows; r++) {
        double now = 0;
        for (int i = 0; i < n; i++) {
            now += (double)m->part[part[i]].cycles;
            if (detects(m, part[i], r)) {
                sum += now * m->weight[r];
                found += m->weight[r];
                break;
            }
        }
    }
    return found > 0 ? sum / found : 0;
}

static double best_mean(const struct sbst_matrix *m, int *part, int n, int from)
{
    double best = from == n ? mean_time(m, part, n) : INFINITY;
    for (int i = from; i < n; i++) {
        int keep = part[from];
        part[from] = part[i];
        part[i] = keep;
        double t = best_mean(m, part, n, from + 1);
        best = t < best ? t : best;
        part[i] = part[from];
        part[from] = keep;
    }
    return best;
}

static void no_order_finds_faults_sooner(void)
{
    uint32_t seed = 7;
    int orders = 0;
    for (int round = 0; round < 60; round++) {
        struct sbst_matrix m;
        struct sbst_plan p;
        struct fl_err err = {{0}};
        random_matrix(&seed, 6, 60, 20, round % 2, &m);
        CU_ASSERT_EQUAL_FATAL(sbst_compact(&m, &(struct sbst_goal){0}, &p, &err), 0);
        CU_ASSERT_DOUBLE_EQUAL(p.mean, mean_time(&m, p.part, p.count), 1e-6);
        CU_ASSERT_DOUBLE_EQUAL(p.mean, best_mean(&m, p.part, p.count, 0), 1e-6);
        CU_ASSERT_TRUE(p.best_order);
        orders += p.count > 3;
        sbst_plan_free(&p);
        sbst_matrix_free(&m);
    }
    CU_ASSERT_TRUE(orders > 20);
}

/* Too many parts to go through: nothing is lost, and nothing is claimed. */
static void many_parts_keep_the_coverage_of_all(void)
{
    uint32_t seed = 3;
    for (int round = 0; round < 3; round++) {
        struct sbst_matrix m;
        struct sbst_plan p;
        struct fl_err err = {{0}};
        random_matrix(&seed, 60, 1500, 6, false, &m);
        CU_ASSERT_EQUAL_FATAL(sbst_compact(&m, &(struct sbst_goal){0}, &p, &err), 0);
        long found = 0;
        for (long r = 0; r < m.rows; r++) {
            bool hit = false;
            for (int i = 0; i < p.count; i++)
                hit |= detects(&m, p.part[i], r);
            found += hit;
        }
        CU_ASSERT_EQUAL(found, m.detected);
        CU_ASSERT_DOUBLE_EQUAL(p.found[p.count - 1], (double)m.detected, 1e-6);
        CU_ASSERT_TRUE(p.count < m.nparts || !p.minimal);
        CU_ASSERT_FALSE(p.best_order);
        sbst_plan_free(&p);
        sbst_matrix_free(&m);
    }
}

/* Part a has the cheapest faults and goes first, but what b and c have alone needs both, and they have all of a. The other
 * parts are too many to go through. */
static void what_has_become_superfluous_goes_again(void)
{
    enum { PARTS = 43, SHARED = 100, ROWS = 300 };
    uint32_t seed = 11;
    struct sbst_matrix m = {0};
    struct sbst_plan p;
    struct fl_err err = {{0}};
    struct fl_buf text = {0};
    static const char *const heads[] = {"fault,class", "@file,", "@sha256,", "@cycles,"};
    for (int h = 0; h < 4; h++) {
        fl_buf_printf(&text, "%s", heads[h]);
        for (int i = 0; i < PARTS; i++)
            fl_buf_printf(&text, h == 3 ? ",%u" : ",p%u",
                          h < 3    ? (unsigned)i
                          : i == 0 ? 4 * SHARED
                          : i < 3  ? 8 * SHARED
                                   : 100 + draw(&seed, 60));
        fl_buf_printf(&text, "\n");
    }
    for (int r = 0; r < ROWS; r++) {
        bool own = r == SHARED || r == SHARED + 1;
        fl_buf_printf(&text, "f%d,x", r);
        for (int i = 0; i < PARTS; i++) {
            bool first = r < SHARED && (i == 0 || i == 1 + r % 2);
            bool rest = r > SHARED + 1 && i >= 3 && draw(&seed, 100) < 10;
            fl_buf_printf(&text, first || rest || (own && i == 1 + r - SHARED) ? ",sdc" : ",");
        }
        fl_buf_printf(&text, "\n");
    }
    CU_ASSERT_EQUAL_FATAL(load((char *)text.data, false, &m, &err), 0);
    CU_ASSERT_EQUAL_FATAL(sbst_compact(&m, &(struct sbst_goal){0}, &p, &err), 0);
    CU_ASSERT_FALSE(p.minimal);
    for (int i = 0; i < p.count; i++)
        CU_ASSERT_NOT_EQUAL(p.part[i], 0);
    sbst_plan_free(&p);
    sbst_matrix_free(&m);
    fl_buf_free(&text);
}

/* 300 of 524,288 faults of registers, and all 288 of the program counters. Part `few` detects the latter, `many` 24 of
 * the others in four times as long: counted by rows `few` is the better beginning, and 49 % of all. */
static void a_drawn_fault_counts_as_many_as_it_stands_for(void)
{
    struct fl_buf text = {0};
    struct fl_err err = {{0}};
    struct sbst_matrix m;
    struct sbst_plan p;
    fl_buf_printf(&text,
                  "# faultline 0.3 model=stuck-at target=rf,pc faults=588,0 sample=300 seed=1\n"
                  "fault,class,draw,drawn_of,few,many\n@matrix,2,,,,\n"
                  "@file,,,,few.job.xml,many.job.xml\n@sha256,,,,00,11\n@cycles,,,,100,400\n");
    for (int i = 0; i < 300; i++)
        fl_buf_printf(&text, "rf/p%d/b0:sa0,detected,rf,524288,,%s\n", i, i < 24 ? "sdc" : "");
    for (int i = 0; i < 288; i++)
        fl_buf_printf(&text, "pc/w%d/b%d:sa0,detected,pc,288,sdc,\n", i / 32, i % 32);
    CU_ASSERT_EQUAL_FATAL(load((char *)text.data, false, &m, &err), 0);
    CU_ASSERT_EQUAL_FATAL(sbst_compact(&m, &(struct sbst_goal){0}, &p, &err), 0);
    CU_ASSERT_EQUAL_FATAL(p.count, 2);
    CU_ASSERT_EQUAL(p.part[0], 1); /* many */
    CU_ASSERT_DOUBLE_EQUAL(p.found[0], 24 * 524288 / 300.0, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(p.found[1], 24 * 524288 / 300.0 + 288, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(
        p.mean, (400.0 * 24 * 524288 / 300 + 500 * 288) / (24 * 524288 / 300.0 + 288), 1e-6);
    struct stats_interval rf = stats_wilson_of(24, 300, 524288, 0.95);
    CU_ASSERT_DOUBLE_EQUAL(p.share[0].lo, rf.lo * 524288 / 524576, 1e-12);
    CU_ASSERT_DOUBLE_EQUAL(p.share[1].hi, (rf.hi * 524288 + 288) / 524576, 1e-12);
    struct fl_buf schedule = {0}, told = {0};
    CU_ASSERT_EQUAL(sbst_plan_schedule(&m, &p, &schedule, &err), 0);
    sbst_plan_print(&m, &p, &told);
    CU_ASSERT_TRUE(
        tools_says(&schedule, "testable_fc_pct,testable_fc_pct_lo,testable_fc_pct_hi\n"));
    CU_ASSERT_TRUE(tools_says(&schedule, ",41943,41943,8.00,5.4"));
    CU_ASSERT_TRUE(tools_says(&schedule, ",288,42231,8.05,5.4"));
    CU_ASSERT_TRUE(tools_says(&told, "an estimated 42231 of 524576 testable faults (8.05 %, 5.4"));
    CU_ASSERT_TRUE(tools_says(&told, "at 95 %, by a sample of 588)"));
    fl_buf_free(&schedule);
    fl_buf_free(&told);
    fl_buf_free(&text);
    sbst_plan_free(&p);
    sbst_matrix_free(&m);
}

#define HEAD                                                                                       \
    "fault,class,a,b\n@file,,a.job.xml,\"b,\"\"c.job.xml\"\n@sha256,,00,11\n@cycles,,10,20\n"

static void untestable_faults_count_nowhere_and_sdc_only_leaves_the_rest_out(void)
{
    static const char text[] = HEAD "@launches,,1,2\n"
                                    "f1,detected,sdc,\nf2,detected,crash,hang\nf3,not detected,,\n"
                                    "f4,undetectable-untestable,,\n";
    struct sbst_matrix m;
    struct fl_err err = {{0}};
    CU_ASSERT_EQUAL_FATAL(load(text, false, &m, &err), 0);
    CU_ASSERT(m.nparts == 2 && m.rows == 3 && m.detected == 2);
    CU_ASSERT_STRING_EQUAL(m.part[1].file, "b,\"c.job.xml");
    CU_ASSERT(m.part[1].launches == 2 && m.part[1].cycles == 20);
    CU_ASSERT(detects(&m, 0, 0) && detects(&m, 0, 1) && !detects(&m, 1, 0) && detects(&m, 1, 1));
    sbst_matrix_free(&m);
    CU_ASSERT_EQUAL_FATAL(load(text, true, &m, &err), 0);
    CU_ASSERT(m.rows == 3 && m.detected == 1 && !detects(&m, 1, 1));
    sbst_matrix_free(&m);
}

static void damaged_matrices_are_refused_with_their_line(void)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", ":0: no text"},
        {"job,target\n", ":1: the first line"},
        {"fault,class\n", ":1: the first line"},
        {HEAD "f1,detected,sdc\n", ":5: not as many fields"},
        {HEAD "f1,detected,sdc,,\n", ":5: not as many fields"},
        {HEAD "f1,detected,\"sdc\"x,\n", ":5: not as many fields"},
        {HEAD "@bytes,,1,x\nf1,detected,sdc,\n", ":5: a number"},
        {HEAD "@cycles,,1,99999999999\nf1,detected,sdc,\n", ":5: a number"},
        {HEAD "@file,,a,b\nf1,detected,sdc,\n", ":5: the same fact twice"},
#define DRAWS "fault,class,draw,drawn_of,a\n@file,,,,a\n@sha256,,,,0\n@cycles,,,,9\n"
        {DRAWS "@matrix,3,,,\n", "version 3 of the matrix, and this sbstgen knows 1 to 2"},
        {DRAWS "@matrix,x,,,\n", ":5: a version is needed"},
        {DRAWS "f1,x,rf,,sdc\n", ":5: behind a draw"},
        {DRAWS "f1,x,rf,0,sdc\n", ":5: behind a draw"},
        {DRAWS "f1,x,rf,9,sdc\nf2,x,rf,8,sdc\n", ":6: the draw had another number"},
        {DRAWS "f1,x,rf,9,sdc\nf2,x,,,sdc\n", ":6: some rows are of a sample"},
        {DRAWS "f1,x,,,sdc\nf2,x,rf,9,sdc\n", ":6: some rows are of a sample"},
        {DRAWS "f1,x,rf,1,sdc\nf2,x,rf,1,sdc\n", "more faults of rf than the 1"},
        {"fault,class,draw,drawn_of\n", ":1: the first line"},
        {"# faultline 0.2.0 model=stuck-at target=rf,pc faults=9,0 sample=9 seed=1\n" HEAD,
         "did not keep what from"},
        {HEAD, "no testable fault"},
        {"fault,class,a\nf1,detected,sdc\n", "the lines @file, @sha256 and @cycles"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sbst_matrix m;
        struct fl_err err = {{0}};
        CU_ASSERT_EQUAL(load(bad[i].text, false, &m, &err), -1);
        if (!strstr(err.msg, bad[i].says))
            printf("\n    %s", err.msg);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, bad[i].says));
    }
}

/* ---- with the tools ---------------------------------------------------------------------------------------------- */

/* A whole and its parts: with slots the parts are kept, as the schedule of the split has them; without, the whole. */
static void split_self_test_is_scheduled_again_from_its_matrix(void)
{
    struct fl_buf out = {0};
    char *dir = tools_folder();
    static const char command[] =
        "M='--method sync-trick --le 1-8 --patterns minimal --pc --flow-id' &&"
        "sbstgen $M --max-cycles 2000 && sbstgen $M &&"
        "faultsim --model stuck-at --quiet --faults 'dstack/le1-8' --matrix m.csv *.job.xml &&"
        "sbstgen --compact m.csv --max-cycles 2000 >told && cut -d, -f2-7 m.schedule.csv | sort >a;"
        "cut -d, -f2-7 sync-*.schedule.csv | sort >b; cmp a b && wc -l <a &&"
        "sbstgen --compact m.csv && tail -1 m.schedule.csv";
    CU_ASSERT_EQUAL(tools_run(dir, &out, "%s", command), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.data, "kept 1 of "));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.data, "1,sync-trick-acc-le01-08-minimal-pc-flow-id"));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)out.data, ",1008,1008,100.00\n"));
    tools_expect(dir, "sbstgen", "--compact m.csv -o new && ls new", 0, "m.schedule.csv");
    tools_expect(dir, "sbstgen", "--compact m.csv --coverage 99% --max-cycles 1000", 2,
                 "--max-cycles 1000: the parts that fit detect 0");
    tools_remove(dir);
    fl_buf_free(&out);
}

/* The schedule of all jobs has the coverage of their union, with its interval. */
static void a_schedule_has_the_coverage_of_the_union_of_its_sample(void)
{
    struct fl_buf out = {0};
    char *dir = tools_folder();
    static const char command[] =
        "sbstgen --unit pc && sbstgen --unit mask && sbstgen --unit cc &&"
        "for m in 'stuck-at --target pc,mask,cc' 'memory --target mask,cc'; do\n"
        "faultsim $m --sample 60 --seed 3 --quiet --csv u.csv --matrix m.csv *.job.xml || exit\n"
        "sbstgen --compact m.csv --quiet || exit\n"
        "tail -n 1 m.schedule.csv | cut -d, -f10- >a\n"
        "grep -m 1 ^union u.csv | awk -F, '{ print $(NF - 6) \",\" $(NF - 1) \",\" $NF }' >b\n"
        "cat a b && cmp a b || exit\ndone";
    CU_ASSERT_EQUAL(tools_run(dir, &out, command), 0);
    tools_remove(dir);
    fl_buf_free(&out);
}

static void a_schedule_of_a_file_that_it_cannot_name_is_refused(void)
{
    char *dir = tools_folder();
    tools_expect_line(dir,
                      "sbstgen --unit pc --quiet && mv pc.job.xml a,b.job.xml && faultsim stuck-at "
                      "--target pc --quiet --matrix m.csv a,b.job.xml && sbstgen --compact m.csv",
                      1, "a,b.job.xml: a schedule takes no comma");
    tools_expect_line(dir, "ls m.schedule.csv", 2, "");
    tools_remove(dir);
}

int main(void)
{
    return CHECK_RUN("compact", CHECK(no_choice_is_cheaper), CHECK(no_order_finds_faults_sooner),
                     CHECK(many_parts_keep_the_coverage_of_all),
                     CHECK(what_has_become_superfluous_goes_again),
                     CHECK(untestable_faults_count_nowhere_and_sdc_only_leaves_the_rest_out),
                     CHECK(damaged_matrices_are_refused_with_their_line),
                     CHECK(a_schedule_of_a_file_that_it_cannot_name_is_refused),
                     CHECK(a_drawn_fault_counts_as_many_as_it_stands_for),
                     CHECK(a_schedule_has_the_coverage_of_the_union_of_its_sample),
                     CHECK(split_self_test_is_scheduled_again_from_its_matrix));
}
