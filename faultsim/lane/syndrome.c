/* syndrome.c -- what faults make of results. See syndrome.h. */
#include "syndrome.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "base/threads.h"

static const char *const rule_name[] = {"set", "clear", "flip", "other"};

/* ---- one fault ------------------------------------------------------------------------------- */

struct wrong { /* an operation's difference, and in how many uses */
    enum isa_op op;
    uint64_t mask, uses;
};

static int by_mask(const void *a, const void *b)
{
    const struct wrong *x = a, *y = b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    return x->mask < y->mask ? -1 : x->mask > y->mask;
}

static void count_masks(struct syndrome *s, const struct wrong *w, uint32_t n)
{
    for (uint32_t i = 0, end; i < n; i = end) {
        uint64_t uses = 0;
        for (end = i; end < n && w[end].mask == w[i].mask; end++)
            uses += w[end].uses;
        s->masks++;
        if (uses > s->mask_uses) {
            s->mask = w[i].mask;
            s->mask_uses = uses;
        }
    }
}

/* Sets or clears the same bits in all vectors of the operation: where they are so already, nothing
 * is wrong. */
static bool forces(const struct trace *t, const uint64_t *answer, enum isa_op op, uint64_t bits,
                   bool up)
{
    for (uint32_t i = 0; i < t->seen.count; i++) {
        const struct vector *v = lane_seen(t, i);
        uint64_t would = bits & (up ? ~t->good[i] : t->good[i]) & vector_care(v);
        if (vector_op(v) == op && answer[i] != would)
            return false;
    }
    return true;
}

/* The operations that the fault hits, of those that `all` has counted. */
static int find_syndromes(const struct trace *t, const struct syndrome *all, const uint64_t *answer,
                          struct wrong *room, struct syndrome *out)
{
    uint32_t n = 0;
    int found = 0;
    uint64_t up[OP_COUNT] = {0}, down[OP_COUNT] = {0};
    for (uint32_t i = 0; i < t->seen.count; i++)
        if (answer[i]) {
            enum isa_op op = vector_op(lane_seen(t, i));
            room[n++] = (struct wrong){op, answer[i], t->uses[i]};
            up[op] |= answer[i] & ~t->good[i];
            down[op] |= answer[i] & t->good[i];
        }
    qsort(room, n, sizeof *room, by_mask);
    for (uint32_t i = 0, end; i < n; i = end) {
        struct syndrome *s = &out[found++];
        *s = all[room[i].op];
        s->up = up[s->op];
        s->down = down[s->op];
        for (end = i; end < n && room[end].op == s->op; end++) {
            s->wrong_vectors++;
            s->wrong_uses += room[end].uses;
        }
        count_masks(s, &room[i], end - i);
        s->rule = !s->down && forces(t, answer, s->op, s->up, true)    ? SYNDROME_SET
                  : !s->up && forces(t, answer, s->op, s->down, false) ? SYNDROME_CLEAR
                  : s->masks == 1                                      ? SYNDROME_FLIP
                                                                       : SYNDROME_OTHER;
    }
    return found;
}

/* What there is to hit: vectors and uses of each operation. */
static void count_operations(const struct trace *t, struct syndrome all[OP_COUNT])
{
    memset(all, 0, OP_COUNT * sizeof *all);
    for (uint32_t i = 0; i < t->seen.count; i++) {
        const struct vector *v = lane_seen(t, i);
        struct syndrome *s = &all[vector_op(v)];
        s->op = vector_op(v);
        if (vector_care(v)) {
            s->vectors++;
            s->uses += t->uses[i];
        }
    }
}

int syndrome_of(const struct trace *t, uint32_t fault, struct syndrome *out)
{
    struct syndrome all[OP_COUNT];
    struct responder *r = responder_new(t);
    uint64_t *answer = fl_alloc(t->seen.count * sizeof *answer);
    struct wrong *room = fl_alloc(t->seen.count * sizeof *room);
    count_operations(t, all);
    responder_answers(r, &fault, 1, answer);
    int n = find_syndromes(t, all, answer, room, out);
    free(room);
    free(answer);
    responder_free(r);
    return n;
}

/* ---- all of them ----------------------------------------------------------------------------- */

enum { BATCH = 64 };

struct found { /* of one fault */
    struct syndrome *syndrome;
    int count;
};

struct all {
    const struct trace *t;
    struct syndrome operation[OP_COUNT];
    struct found *found; /* [faults->count] */
    atomic_uint next;
};

static void *work(void *context)
{
    struct all *a = context;
    const struct trace *t = a->t;
    const struct gate_faults *f = t->unit->faults;
    uint32_t vectors = t->seen.count;
    struct responder *r = responder_new(t);
    uint64_t *answer = fl_alloc((size_t)BATCH * vectors * sizeof *answer);
    struct wrong *room = fl_alloc(vectors * sizeof *room);
    for (uint32_t from; (from = atomic_fetch_add(&a->next, BATCH)) < f->count;) {
        uint32_t n = f->count - from < BATCH ? f->count - from : BATCH;
        responder_answers(r, &f->fault[from], n, answer);
        for (uint32_t i = 0; i < n; i++) {
            struct syndrome s[OP_COUNT];
            struct found *to = &a->found[from + i];
            to->count = find_syndromes(t, a->operation, answer + (size_t)i * vectors, room, s);
            to->syndrome = fl_alloc((size_t)to->count * sizeof *s);
            memcpy(to->syndrome, s, (size_t)to->count * sizeof *s);
        }
    }
    free(room);
    free(answer);
    responder_free(r);
    return NULL;
}

static unsigned flags_of(uint64_t bits)
{
    return (unsigned)(bits >> VECTOR_D_BITS);
}

static void print_fault(const struct trace *t, uint32_t class, const struct found *f,
                        struct fl_buf *out)
{
    char id[UNIT_ID];
    unit_fault_id(t->unit, t->sp, t->unit->faults->fault[class], id);
    for (const struct syndrome *s = f->syndrome; s < f->syndrome + f->count; s++)
        fl_buf_printf(out, "%s,%s,%llu,%llu,%llu,%llu,%08x,%08x,%x,%x,%u,%08x,%x,%llu,%s\n", id,
                      isa_op_name(s->op), (unsigned long long)s->vectors,
                      (unsigned long long)s->uses, (unsigned long long)s->wrong_vectors,
                      (unsigned long long)s->wrong_uses, (uint32_t)s->up, (uint32_t)s->down,
                      flags_of(s->up), flags_of(s->down), s->masks, (uint32_t)s->mask,
                      flags_of(s->mask), (unsigned long long)s->mask_uses, rule_name[s->rule]);
}

/* Of the faults that hit an operation. */
struct row {
    uint64_t faults, rule[4], one_bit;
    double share; /* sum of wrong uses / uses */
};

static void add(struct row *r, const struct syndrome *s)
{
    uint64_t bits = s->up | s->down;
    r->faults++;
    r->rule[s->rule]++;
    r->one_bit += !(bits & (bits - 1));
    r->share += (double)s->wrong_uses / (double)s->uses;
}

static void print_table(const struct all *a, struct fl_buf *out)
{
    struct row row[OP_COUNT] = {{0}};
    for (uint32_t i = 0; i < a->t->unit->faults->count; i++)
        for (int k = 0; k < a->found[i].count; k++)
            add(&row[a->found[i].syndrome[k].op], &a->found[i].syndrome[k]);
    struct fl_table t = {0};
    fl_table_columns(&t, "*operation|vectors|uses|?faults|?set|?clear|?flip|?other|?one bit|"
                         "wrong uses %");
    for (int op = 0; op < OP_COUNT; op++) {
        const struct row *r = &row[op];
        const struct syndrome *o = &a->operation[op];
        const uint64_t count[] = {o->vectors,
                                  o->uses,
                                  r->faults,
                                  r->rule[SYNDROME_SET],
                                  r->rule[SYNDROME_CLEAR],
                                  r->rule[SYNDROME_FLIP],
                                  r->rule[SYNDROME_OTHER],
                                  r->one_bit};
        if (!o->vectors)
            continue;
        fl_table_cell(&t, "%s", isa_op_name((enum isa_op)op));
        for (size_t i = 0; i < sizeof count / sizeof *count; i++)
            fl_table_cell(&t, "%llu", (unsigned long long)count[i]);
        fl_table_cell(&t, "%.1f", r->faults ? 100 * r->share / (double)r->faults : 0.0);
    }
    fl_table_print(&t, out);
}

void syndrome_report(const struct trace *t, int threads, struct fl_buf *csv, struct fl_buf *table)
{
    struct all a = {.t = t};
    uint32_t n = t->unit->faults->count;
    a.found = fl_alloc(n * sizeof *a.found);
    count_operations(t, a.operation);
    fl_threads_run(threads, work, &a);
    for (uint32_t i = 0; i < n; i++)
        print_fault(t, i, &a.found[i], csv);
    print_table(&a, table);
    for (uint32_t i = 0; i < n; i++)
        free(a.found[i].syndrome);
    free(a.found);
}
