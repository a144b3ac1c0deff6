/* order.c -- which tests a library has, and the order to run them in: that which detects soonest.
 *
 * With a matrix of faultsim, the choice and order of sbstgen --compact. What the matrix does not have comes behind it, the shortest
 * first: nothing is known of what these tests detect, and of equal tests a short one in front costs the others least.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "gen/compact/compact.h"

static int shorter_first(const void *a, const void *b)
{
    const struct library_test *x = a, *y = b;
    if (job_traps(x->job) != job_traps(y->job)) /* behind a trap the device needs a new context */
        return job_traps(x->job) ? 1 : -1;
    return x->total != y->total ? (x->total < y->total ? -1 : 1) : strcmp(x->name, y->name);
}

/* Those that stay, in front; how many. The others keep their order. */
static int put_first(struct library *l)
{
    struct library_test *sorted = fl_alloc((size_t)l->tests * sizeof *sorted);
    int n = 0, stay;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < l->tests; i++)
            if (!l->test[i].left == !pass)
                sorted[n++] = l->test[i];
        stay = pass ? stay : n;
    }
    memcpy(l->test, sorted, (size_t)n * sizeof *sorted);
    free(sorted);
    return stay;
}

static int find(const struct library *l, const char *name)
{
    int i = l->tests;
    while (i-- > 0 && strcmp(l->test[i].name, name) != 0)
        ;
    return i;
}

/* Each part of the matrix is a test of the library. One that is left out already cannot be chosen. */
static int match(const struct library *l, const char *path, struct sbst_matrix *m,
                 struct fl_err *err)
{
    for (int i = 0; i < m->nparts;) {
        int at = find(l, m->part[i].name);
        if (at < 0 || strcmp(l->test[at].sha256, m->part[i].sha256) != 0)
            return fl_fail(err,
                           "%s: its job %s is no test of this library; make the matrix of the jobs "
                           "that sbstgen --library writes with the same options",
                           path, m->part[i].name);
        if (l->test[at].left)
            sbst_matrix_drop(m, i);
        else
            i++;
    }
    return 0;
}

/* Of the tests in front, those of the plan come first, those that it drops are left. */
static void apply(struct library *l, const struct sbst_matrix *m, const struct sbst_plan *plan)
{
    int next = 0;
    for (int i = 0; i < m->nparts; i++)
        l->test[find(l, m->part[i].name)].left = "its faults in the matrix are detected by others";
    for (int i = 0; i < plan->count; i++) {
        int at = find(l, m->part[plan->part[i]].name);
        struct library_test t = l->test[at];
        memmove(&l->test[next + 1], &l->test[next], (size_t)(at - next) * sizeof t);
        t.left = NULL;
        l->test[next++] = t;
    }
}

static int order_by_matrix(struct library *l, const char *path, struct fl_err *err)
{
    struct sbst_matrix m;
    struct sbst_goal goal = {0};
    struct sbst_plan plan = {0};
    if (sbst_matrix_load(path, false, &m, err) != 0)
        return -1;
    int bad = match(l, path, &m, err) != 0 || sbst_compact(&m, &goal, &plan, err) != 0;
    if (!bad)
        apply(l, &m, &plan);
    sbst_plan_free(&plan);
    sbst_matrix_free(&m);
    return bad ? -1 : 0;
}

int library_order(struct library *l, const struct library_options *o, int *count,
                  struct fl_err *err)
{
    uint64_t sum = 0;
    for (int i = 0; i < l->tests; i++)
        if (!l->test[i].left && o->max_cycles && l->test[i].total > o->max_cycles)
            l->test[i].left = "it takes more cycles than --max-cycles";
    *count = put_first(l);
    qsort(l->test, (size_t)*count, sizeof *l->test, shorter_first);
    if (o->matrix && order_by_matrix(l, o->matrix, err) != 0)
        return -1;
    for (int i = 0; i < l->tests; i++) {
        struct library_test *t = &l->test[i];
        if (!t->left && o->test_cycles && sum + t->total > o->test_cycles)
            t->left = "it does not fit --test-cycles";
        sum += t->left ? 0 : t->total;
    }
    *count = put_first(l);
    return *count ? 0 : fl_fail(err, "no test fits; use a larger --test-cycles, or leave it out");
}
