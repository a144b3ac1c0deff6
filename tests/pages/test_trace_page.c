/* test_trace_page.c -- the trace of one fault as data and as a page: both machines around the first difference. */
#include "tests/lib/faults.h"

#include <stdlib.h>
#include <string.h>

#include "faultsim/chart/marks.h"
#include "faultsim/chart/svg.h"
#include "faultsim/pages/trace_html.h"
#include "faultsim/verdict/verdict.h"
#include "tests/lib/check.h"

/* A traced fault of IF_ELSE, and its page. */
struct traced {
    struct job *job;
    struct sm_image *img;
    struct golden *g;
    struct fault_trace trace;
    struct fl_buf page;
};

static struct traced traced(const char *id)
{
    struct fl_err err = {{0}};
    struct traced t = {.job = faults_job("tiny", 1, 32, IF_ELSE)};
    t.img = sm_image_new(t.job, &err);
    t.g = golden_run(t.img, 100000, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(t.g);
    struct fsim_list list = {0};
    CU_ASSERT_EQUAL_FATAL(fsim_list_add(&list, t.img, id, &err), 0);
    struct fsim_worker *w = fsim_worker_new(t.g);
    fsim_explain(w, &list.fault[0], false, &t.trace);
    fsim_worker_free(w);
    fsim_list_free(&list);
    trace_html(&t.trace, t.img, "faultline 0 model=stuck-at", &t.page);
    fl_buf_add(&t.page, "", 1);
    return t;
}

static void done(struct traced *t)
{
    fl_buf_free(&t->page);
    fault_trace_free(&t->trace);
    golden_free(t->g);
    sm_image_free(t->img);
    job_free(t->job);
}

static int times(const char *text, const char *what)
{
    int n = 0;
    for (; (text = strstr(text, what)); text += strlen(what))
        n++;
    return n;
}

/* The first row of an event; fails without one. */
static int event_of(const struct fault_trace *t, enum trace_event event)
{
    for (int i = 0; i < t->rows; i++)
        if (t->row[i].event == event)
            return i;
    CU_FAIL_FATAL("no such event");
    return -1;
}

static bool same_commit(const struct trace_row *row)
{
    struct fl_buf line[TRACE_MACHINES] = {{0}};
    for (int m = 0; m < TRACE_MACHINES; m++)
        sm_commit_print_lanes(&row->of[m].commit, ~0u, &line[m]);
    bool same = line[0].size == line[1].size &&
                memcmp(line[0].data, line[1].data, line[0].size) == 0;
    fl_buf_free(&line[0]);
    fl_buf_free(&line[1]);
    return same;
}

static void rows_before_the_first_difference_are_the_same_in_both_machines(void)
{
    struct traced t = traced("dstack/le2/tm3:sa1");
    int at = event_of(&t.trace, TRACE_POP);
    CU_ASSERT_EQUAL(at, 4);
    for (int i = 0; i < at; i++) {
        CU_ASSERT_TRUE(same_commit(&t.trace.row[i]));
        CU_ASSERT(t.trace.row[i].of[TRACE_GOLDEN].commit.cycle <
                  t.trace.row[i + 1].of[TRACE_GOLDEN].commit.cycle);
    }
    CU_ASSERT_FALSE(same_commit(&t.trace.row[at]));
    CU_ASSERT_EQUAL(t.trace.row[at].of[TRACE_FAULTY].commit.cycle, t.trace.activated);
    done(&t);
}

/* Bit 3 of the mask of LE 2 is what the fault changes, and nothing else in the stack. */
static void the_stack_before_the_pop_differs_in_the_stuck_bit_alone(void)
{
    struct traced t = traced("dstack/le2/tm3:sa1");
    const struct trace_row *row = &t.trace.row[event_of(&t.trace, TRACE_POP)];
    struct trace_stack before[TRACE_MACHINES];
    for (int m = 0; m < TRACE_MACHINES; m++) {
        CU_ASSERT_TRUE_FATAL(row->of[m].has_stack);
        CU_ASSERT_EQUAL(row->of[m].stack.depth, 1);
        before[m] = trace_stack_before(&row->of[m].stack, &row->of[m].commit);
        CU_ASSERT_EQUAL(before[m].depth, 2);
    }
    CU_ASSERT_EQUAL(before[0].le[1].tm ^ before[1].le[1].tm, 1u << 3);
    CU_ASSERT_EQUAL(before[0].le[1].tm, 0xffffff00);
    CU_ASSERT_EQUAL(before[0].le[1].spc, before[1].le[1].spc);
    CU_ASSERT_EQUAL(before[0].le[1].id, LE_DIVERGE);
    CU_ASSERT_EQUAL(before[0].le[0].tm, before[1].le[0].tm);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)t.page.data, "<b class=\"d\">tm=ffffff00</b>"));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)t.page.data, "<b class=\"d\">tm=ffffff08</b>"));
    done(&t);
}

/* Behind a push the entry was not there; a spilled entry is none of the stack's. */
static void a_stack_is_what_it_was_before_pushes_and_pops(void)
{
    struct trace_stack behind = {.depth = 2, .le = {{1, 2, 3}, {2, 4, 5}}};
    struct sm_commit c = {.nstack = 2, .stack = {{0, 2, 1, 0xf0, 8}, {1, 2, 2, 4, 5}}};
    struct trace_stack before = trace_stack_before(&behind, &c);
    CU_ASSERT_EQUAL(before.depth, 2);
    CU_ASSERT_EQUAL(before.le[1].tm, 0xf0);
    CU_ASSERT_EQUAL(before.le[0].tm, 2);
    c = (struct sm_commit){.nstack = 1, .stack = {{1, 2, 2, 4, 5}}};
    CU_ASSERT_EQUAL(trace_stack_before(&behind, &c).depth, 1);
    c = (struct sm_commit){.nstack = 1, .stack = {{1, SM_MAX_LE + 1, 2, 4, 5}}};
    CU_ASSERT_EQUAL(trace_stack_before(&behind, &c).depth, 2);
}

/* On the far path the machines execute other instructions: each row has what each does next. */
static void behind_a_divergence_each_machine_goes_its_own_way(void)
{
    struct traced t = traced("dstack/le2/spc3:sa0");
    int at = event_of(&t.trace, TRACE_POP), apart = 0;
    CU_ASSERT(t.trace.rows > at + 1);
    for (int i = at + 1; i < t.trace.rows; i++)
        for (int m = 0; m < TRACE_MACHINES; m++) {
            const struct trace_side *now = &t.trace.row[i].of[m], *last = &t.trace.row[i - 1].of[m];
            CU_ASSERT(!now->there || (last->there && now->commit.cycle > last->commit.cycle &&
                                      now->commit.warp == last->commit.warp));
            apart += now->there && now->commit.pc != t.trace.row[i].of[!m].commit.pc;
        }
    CU_ASSERT(apart > 0);
    done(&t);
}

/* Words are marked in pairs; rows that are the same have no mark, and are hidden once on a telephone. */
static void a_page_marks_what_differs_and_nothing_else(void)
{
    struct traced t = traced("dstack/le2/tm3:sa1"), again = traced("dstack/le2/tm3:sa1");
    char *page = (char *)t.page.data;
    int differ = 0;
    CU_ASSERT_STRING_EQUAL(page, (char *)again.page.data);
    for (int i = 0; i < t.trace.rows; i++)
        differ += !t.trace.row[i].of[0].there || !t.trace.row[i].of[1].there ||
                  !same_commit(&t.trace.row[i]);
    char *rows = strstr(page, ">Both machines side by side</h2>"),
         *stack = strstr(page, ">Divergence stack</h2>");
    CU_ASSERT_PTR_NOT_NULL_FATAL(rows);
    CU_ASSERT_PTR_NOT_NULL_FATAL(stack);
    *stack = 0;
    CU_ASSERT_EQUAL(times(rows, "class=\"df\""), 2 * differ);
    CU_ASSERT_EQUAL(times(rows, "class=\"eq\""), t.trace.rows - differ);
    CU_ASSERT(differ > 0 && differ < t.trace.rows);
    for (const char *cell = rows; (cell = strstr(cell, "data-of=\"both\"")); cell++) {
        char *text = fl_format("%.*s", (int)(strstr(cell, "</div>") - cell), cell);
        CU_ASSERT_EQUAL(times(text, "class=\"d\"") + times(text, "class=\"dif\""), 0);
        free(text);
    }
    done(&t);
    done(&again);
}

static void a_page_says_the_outcome_first_and_all_sentences_of_the_trace(void)
{
    struct traced t = traced("dstack/le2/tm3:sa1"), never = traced("dstack/le4/tm0:sa1");
    char *page = (char *)t.page.data;
    CU_ASSERT_PTR_NOT_NULL(
        strstr(page, "<b>dstack/w0/le2/tm3:sa1</b> ends as <b>sdc</b> (out+0xc)"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "the first output byte that differs is out+0xc.</p>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, ">activated, cycle "));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "model=stuck-at"));
    page = (char *)never.page.data;
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "It is never activated."));
    CU_ASSERT_PTR_NULL(strstr(page, "side by side"));
    CU_ASSERT_PTR_NULL(strstr(page, ">activated, cycle "));
    done(&t);
    done(&never);
}

static void marks_stand_in_lines_of_their_own_inside_of_the_picture(void)
{
    static const uint64_t at[] = {0, 1, 499, 501, 1000};
    struct marks m;
    struct fl_buf svg = {0};
    double line = 0;
    int names = 0;
    marks_begin(&m, "timeline", 1000);
    for (int i = 0; i < 5; i++)
        marks_add(&m, "control differs", at[i]);
    marks_picture.svg(&m, 340, &svg);
    fl_buf_add(&svg, "", 1);
    for (const char *s = (char *)svg.data; (s = strstr(s, "<text x=\"")); s++) {
        const char *text = strchr(s, '>') + 1;
        if (strncmp(text, "control", 7) != 0)
            continue;
        char *label = fl_format("%.*s", (int)strcspn(text, "<"), text);
        double x = atof(s + 9), y = atof(strstr(s, "y=\"") + 3), wide = svg_text_width(label);
        bool right = memmem(s, (size_t)(text - s), "\"end\"", 5) != NULL;
        CU_ASSERT(y > line);
        CU_ASSERT(right ? x - wide >= 0 : x + wide <= 340);
        line = y;
        names++;
        free(label);
    }
    CU_ASSERT_EQUAL(names, 5);
    fl_buf_free(&svg);
    marks_free(&m);
}

int main(void)
{
    return CHECK_RUN("trace_page",
                     CHECK(rows_before_the_first_difference_are_the_same_in_both_machines),
                     CHECK(the_stack_before_the_pop_differs_in_the_stuck_bit_alone),
                     CHECK(a_stack_is_what_it_was_before_pushes_and_pops),
                     CHECK(behind_a_divergence_each_machine_goes_its_own_way),
                     CHECK(a_page_marks_what_differs_and_nothing_else),
                     CHECK(a_page_says_the_outcome_first_and_all_sentences_of_the_trace),
                     CHECK(marks_stand_in_lines_of_their_own_inside_of_the_picture));
}
