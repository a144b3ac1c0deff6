/* dictionary.c -- responses, groups, and how well they tell faults apart. */
#include "dictionary.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "faultsim/result/identity.h"
#include "made_stuck_at.h"
#include "part.h"

/* ---- what a job shows of a fault ------------------------------------------------------------- */

struct machines {
    struct gpu *golden; /* travels forward through the golden run */
    struct gpu *faulty;
};

/* The faulty machine from the first activation to its end, or to 2G: before, it is the golden one
 * but for a cell that no instruction reads. */
static struct gpu *run_faulty(const struct golden *g, struct machines *m,
                              const struct fsim_fault *f, const struct fsim_result *r)
{
    struct sm_force force = sm_cell_force(g->img, &f->cell, f->value);
    golden_seek(g, m->golden, g->img->traps ? 0 : r->first_activation);
    gpu_copy(m->faulty, m->golden);
    gpu_drop_forces(m->faulty);
    gpu_add_force(m->faulty, &force);
    gpu_run(m->faulty, 2 * g->cycles);
    return m->faulty;
}

bool dict_sees(const struct fsim_result *r, enum dict_view view, uint32_t launch, uint32_t pc,
               struct dict_response *out)
{
    *out = (struct dict_response){.kind = SEES_NO_END};
    switch (r->outcome) {
    case OUT_CRASH:
        if (view == DICT_END)
            return false;
        out->kind = SEES_TRAP;
        snprintf(out->what, sizeof out->what, "%s", r->reason);
        out->launch = launch + 1;
        out->pc = view == DICT_PLACE ? pc : 0;
        return false;
    case OUT_HANG:
    case OUT_TIMEOUT: out->launch = view == DICT_END ? 0 : launch + 1; return false;
    default:
        out->kind = SEES_OUTPUTS;
        if (r->outcome == OUT_SDC)
            snprintf(out->what, sizeof out->what, "%s", r->reason);
        return true;
    }
}

static void look(const struct fsim_campaign *c, struct machines *machines, long i,
                 enum dict_view view, struct dict_response *out)
{
    const struct fsim_result *r = &c->result[i];
    *out = (struct dict_response){.kind = SEES_NOTHING};
    if (!fsim_detected(r, c->detect_timing))
        return;
    const struct gpu *m = run_faulty(c->golden, machines, &c->list.fault[i], r);
    if (!dict_sees(r, view, m->grid.launch, gpu_end_state(m)->trap_pc, out))
        return;
    out->cycles = c->detect_timing ? r->end : 0;
    gpu_outputs_digest(m, out->digest);
}

/* Work of all threads: the faults of one campaign. */
struct looking {
    const struct fsim_campaign *c;
    enum dict_view view;
    struct dict_response *response; /* of fault i: [i * stride] */
    long stride;
    const long *order;
    atomic_long next;
};

enum { CHUNK = 32 };

static void *look_at_some(void *arg)
{
    struct looking *w = arg;
    struct machines m = {gpu_new(w->c->img), gpu_new(w->c->img)};
    for (long from; (from = atomic_fetch_add(&w->next, CHUNK)) < w->c->list.count;)
        for (long k = from; k < from + CHUNK && k < w->c->list.count; k++)
            look(w->c, &m, w->order[k], w->view, &w->response[w->order[k] * w->stride]);
    gpu_free(m.golden);
    gpu_free(m.faulty);
    return NULL;
}

/* In the order of first activation, so that machines mostly walk forward. */
static long *order_by_time(const struct fsim_campaign *c)
{
    struct permanent_key *w = fl_alloc((size_t)c->list.count * sizeof *w);
    long *order = fl_alloc((size_t)c->list.count * sizeof *order);
    for (long i = 0; i < c->list.count; i++)
        w[i] = (struct permanent_key){c->result[i].first_activation, i};
    qsort(w, (size_t)c->list.count, sizeof *w, permanent_by_activation);
    for (long i = 0; i < c->list.count; i++)
        order[i] = w[i].fault;
    free(w);
    return order;
}

static void look_at_all(const struct fsim_campaign *c, enum dict_view view, int threads,
                        struct dict_response *response, long stride)
{
    long *order = order_by_time(c);
    struct looking w = {
        .c = c, .view = view, .response = response, .stride = stride, .order = order};
    fl_threads_run(threads, look_at_some, &w);
    free(order);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static int compare_responses(const struct dict_response *a, const struct dict_response *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    int r = memcmp(a->digest, b->digest, sizeof a->digest);
    r = r ? r : strcmp(a->what, b->what);
    if (r)
        return r;
    if (a->launch != b->launch)
        return a->launch < b->launch ? -1 : 1;
    if (a->pc != b->pc)
        return a->pc < b->pc ? -1 : 1;
    return a->cycles < b->cycles ? -1 : a->cycles > b->cycles;
}

struct member {
    const struct dict_response *response; /* of all jobs */
    int njobs;
    long fault;
};

static int same_responses(const struct member *x, const struct member *y)
{
    for (int k = 0; k < x->njobs; k++) {
        int r = compare_responses(&x->response[k], &y->response[k]);
        if (r)
            return r;
    }
    return 0;
}

static int by_responses(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    int r = same_responses(x, y);
    return r ? r : x->fault < y->fault ? -1 : x->fault > y->fault;
}

static bool shows_nothing(const struct member *m)
{
    for (int k = 0; k < m->njobs; k++)
        if (m->response[k].kind != SEES_NOTHING)
            return false;
    return true;
}

/* Numbers the groups in the order of their first faults, 0 for those that show nothing, and keeps
 * one set of responses for each. */
static void make_groups(struct dict *d, const struct dict_response *response)
{
    struct member *m = fl_alloc((size_t)d->nfaults * sizeof *m);
    long *first = fl_alloc((size_t)d->nfaults * sizeof *first); /* fault -> first of its group */
    for (long i = 0; i < d->nfaults; i++)
        m[i] = (struct member){&response[i * d->njobs], d->njobs, i};
    qsort(m, (size_t)d->nfaults, sizeof *m, by_responses);
    for (long i = 0, start = 0; i < d->nfaults; i++) {
        if (i && same_responses(&m[start], &m[i]) != 0)
            start = i;
        first[m[i].fault] = shows_nothing(&m[i]) ? -1 : m[start].fault;
    }
    d->ngroups = 1;
    for (long i = 0; i < d->nfaults; i++)
        d->fault[i].group = first[i] < 0    ? 0
                            : first[i] == i ? d->ngroups++
                                            : d->fault[first[i]].group;
    d->response = fl_alloc((size_t)d->ngroups * (size_t)d->njobs * sizeof *d->response);
    for (long i = 0; i < d->nfaults; i++)
        if (first[i] == i)
            memcpy(&d->response[d->fault[i].group * d->njobs], &response[i * d->njobs],
                   (size_t)d->njobs * sizeof *d->response);
    free(first);
    free(m);
}

/* ---- resolution ------------------------------------------------------------------------------ */

/* What the members of a group have in common. */
struct common {
    long size, last; /* `last`: the subset that counted it */
    const struct sm_cell *cell;
    bool element, field, bit;
};

static bool same_element(const struct sm_cell *a, const struct sm_cell *b)
{
    return a->structure == b->structure && memcmp(a->index, b->index, sizeof a->index) == 0;
}

static struct common *find_common(const struct dict *d, const struct fsim_list *list)
{
    struct common *g = fl_alloc((size_t)d->ngroups * sizeof *g);
    for (long i = 0; i < d->nfaults; i++) {
        struct common *c = &g[d->fault[i].group];
        const struct sm_cell *cell = &list->fault[i].cell;
        if (c->size++ == 0) {
            c->cell = cell;
            c->element = c->field = c->bit = true;
        }
        bool field = c->cell->structure == cell->structure && c->cell->field == cell->field;
        c->element &= same_element(c->cell, cell);
        c->field &= field;
        c->bit &= field && c->cell->bit == cell->bit;
    }
    return g;
}

/* Which faults: of one structure, field or number of the last axis (each >= 0), or all. */
struct subset {
    int structure, field, axis, number;
};

static void resolve(struct dict *d, const struct fsim_list *list, struct common *g,
                    struct subset of, const char *name)
{
    struct dict_resolution r = {.faults = 0};
    double sum = 0;
    snprintf(r.name, sizeof r.name, "%s", name);
    for (long i = 0; i < d->nfaults; i++) {
        const struct sm_cell *cell = &list->fault[i].cell;
        struct common *c = &g[d->fault[i].group];
        if (d->fault[i].group == 0 || (of.structure >= 0 && cell->structure != of.structure) ||
            (of.field >= 0 && cell->field != of.field) ||
            (of.number >= 0 && cell->index[of.axis] != of.number))
            continue;
        r.faults++;
        r.groups += c->last != d->nresolutions + 1;
        c->last = d->nresolutions + 1;
        r.alone += c->size == 1;
        r.element += c->element;
        r.field += c->field;
        r.bit += c->bit;
        sum += (double)c->size;
    }
    if (r.faults == 0)
        return;
    r.candidates = sum / (double)r.faults;
    d->resolution = fl_grow(d->resolution, (size_t)d->nresolutions + 1, sizeof *d->resolution);
    d->resolution[d->nresolutions++] = r;
}

/* Of one structure its fields and, of a few elements, each; of several a row each. */
static void measure(struct dict *d, const struct sm_image *img, const struct fsim_list *list)
{
    enum { FEW = 64 };
    struct common *g = find_common(d, list);
    struct sm_structure s;
    int structure[SM_ALL_STRUCTURES], n = fsim_list_structures(list, structure);
    sm_structure_get(img, structure[0], &s);
    int axis = s.naxes - 1, elements = n == 1 && axis >= 0 ? s.axis[axis].count : 0;
    resolve(d, list, g, (struct subset){-1, -1, 0, -1}, "all");
    for (int i = 0; i < n && n > 1; i++)
        resolve(d, list, g, (struct subset){structure[i], -1, 0, -1},
                sm_structure_name(structure[i], NULL));
    for (int f = 0; f < s.nfields && n == 1; f++)
        resolve(d, list, g, (struct subset){-1, f, 0, -1}, s.field[f].name);
    for (int k = 0; k < elements && elements <= FEW; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s%d", s.axis[axis].name, s.axis[axis].first + k);
        resolve(d, list, g, (struct subset){-1, -1, axis, k}, name);
    }
    free(g);
}

/* ---- all together ---------------------------------------------------------------------------- */

void dict_add_job(struct dict *d, const char *name, const struct job *job, uint64_t cycles,
                  const uint8_t digest[32])
{
    struct dict_job *out = &d->job[d->njobs++];
    out->name = fl_strdup(name);
    identity_job(job, &out->made);
    out->cycles = cycles;
    memcpy(out->digest, digest, sizeof out->digest);
    out->output = fl_alloc((size_t)job->noutputs * sizeof *out->output);
    for (int i = 0; i < job->noutputs; i++) {
        const struct job_output *o = &job->output[i];
        out->output[out->noutputs++] = (struct dict_output){
            fl_strdup(o->name), fl_strdup(job->buffer[o->buffer].name), o->offset, o->size};
    }
}

int dict_build(const struct fsim_campaign *c, int n, enum dict_view view, int threads,
               struct dict *out, struct fl_err *err)
{
    const struct fsim_list *list = &c[0].list;
    for (int k = 0; k < n; k++)
        for (int other = 0; other < k; other++)
            if (strcmp(c[k].job_name, c[other].job_name) == 0)
                return fl_fail(err,
                               "two jobs have the name '%s'; a dictionary needs different ones",
                               c[k].job_name);
    *out = (struct dict){.profile = fl_strdup(c[0].img->profile.name),
                         .target = fsim_list_targets(list),
                         .model = fsim_list_model(list),
                         .engine = "c",
                         .view = view,
                         .timing = c[0].detect_timing,
                         .nfaults = list->count};
    static const char *const see[] = {" see=place", " see=trap", " see=end"};
    struct made made;
    made_stuck_at(c, n, see[view], &made);
    out->made = fl_strdup(made.line);
    made_free(&made);
    struct dict_response *response = fl_alloc((size_t)list->count * (size_t)n * sizeof *response);
    out->job = fl_alloc((size_t)n * sizeof *out->job);
    out->fault = fl_alloc((size_t)list->count * sizeof *out->fault);
    for (int k = 0; k < n; k++) {
        uint8_t digest[32];
        gpu_outputs_digest(c[k].golden->end, digest);
        dict_add_job(out, c[k].job_name, c[k].img->job, c[k].golden->cycles, digest);
        look_at_all(&c[k], view, threads, &response[k], n);
    }
    for (long i = 0; i < list->count; i++) {
        fsim_id(c[0].img, &list->fault[i], out->fault[i].id);
        out->fault[i].untestable = c[0].result[i].untestable;
    }
    make_groups(out, response);
    measure(out, c[0].img, list);
    free(response);
    return 0;
}

/* ---- faults of gates ------------------------------------------------------------------------- */

/* Of gate/alu_int.sp3/n12.1:sa0 so many characters name the unit and its SP; the cell too; the pin too. */
static size_t unit_part(const char *id)
{
    const char *slash = strrchr(id, '/');
    return slash ? (size_t)(slash - id) : 0;
}

static size_t cell_part(const char *id)
{
    return unit_part(id) + strcspn(id + unit_part(id), ".:");
}

static size_t pin_part(const char *id)
{
    return strcspn(id, ":");
}

static bool alike(const char *a, const char *b, size_t (*part)(const char *))
{
    const size_t n = part(a);
    return part(b) == n && strncmp(a, b, n) == 0;
}

struct shared { /* by the members of a group */
    const char *id;
    long size, last;
    bool unit, cell, pin;
};

/* Of the faults of the unit of `of`, or of all (NULL). */
static void resolve_gates(struct dict *d, struct shared *g, const char *of)
{
    struct dict_resolution r = {.faults = 0};
    double sum = 0;
    const size_t skip = strlen("gate/");
    if (of && unit_part(of) > skip)
        snprintf(r.name, sizeof r.name, "%.*s", (int)(unit_part(of) - skip), of + skip);
    else
        snprintf(r.name, sizeof r.name, "all");
    for (long i = 0; i < d->nfaults; i++) {
        struct shared *c = &g[d->fault[i].group];
        if (d->fault[i].group == 0 || (of && !alike(of, d->fault[i].id, unit_part)))
            continue;
        r.faults++;
        r.groups += c->last != d->nresolutions + 1;
        c->last = d->nresolutions + 1;
        r.alone += c->size == 1;
        r.element += c->unit;
        r.field += c->cell;
        r.bit += c->pin;
        sum += (double)c->size;
    }
    if (r.faults == 0)
        return;
    r.candidates = sum / (double)r.faults;
    d->resolution = fl_grow(d->resolution, (size_t)d->nresolutions + 1, sizeof *d->resolution);
    d->resolution[d->nresolutions++] = r;
}

/* A list has the faults of a unit behind each other. */
static void measure_gates(struct dict *d)
{
    struct shared *g = fl_alloc((size_t)d->ngroups * sizeof *g);
    for (long i = 0; i < d->nfaults; i++) {
        struct shared *c = &g[d->fault[i].group];
        const char *id = d->fault[i].id;
        if (c->size++ == 0)
            *c = (struct shared){.id = id, .size = 1, .unit = true, .cell = true, .pin = true};
        c->unit = c->unit && alike(c->id, id, unit_part);
        c->cell = c->cell && alike(c->id, id, cell_part);
        c->pin = c->pin && alike(c->id, id, pin_part);
    }
    resolve_gates(d, g, NULL);
    for (long i = 0; i < d->nfaults; i++)
        if (i == 0 || !alike(d->fault[i - 1].id, d->fault[i].id, unit_part))
            resolve_gates(d, g, d->fault[i].id);
    free(g);
}

void dict_group_gates(struct dict *d, const struct dict_response *response)
{
    make_groups(d, response);
    measure_gates(d);
}

void dict_free(struct dict *d)
{
    for (int k = 0; k < d->njobs; k++) {
        for (int i = 0; i < d->job[k].noutputs; i++) {
            free(d->job[k].output[i].name);
            free(d->job[k].output[i].buffer);
        }
        free(d->job[k].output);
        result_job_free(&d->job[k].made);
        free(d->job[k].name);
    }
    free(d->job);
    free(d->fault);
    free(d->response);
    free(d->resolution);
    free(d->made);
    free(d->profile);
    free(d->target);
    *d = (struct dict){0};
}
