/* evidence.c -- joins the parts of several stores. See evidence.h. */
#include "evidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "faultsim/report/coverage.h"
#include "faultsim/result/made.h"

const char *const evidence_means_name[EVIDENCE_MEANS] = {"signature", "trap", "watchdog", "time"};

/* ---- faults of a part, by id ------------------------------------------------------------------ */

static uint32_t *slot_of(const struct evidence_part *p, const char *id)
{
    uint32_t at = (uint32_t)fl_hash_bytes(FL_HASH_START, id, strlen(id)) & (p->slots - 1);
    while (p->slot[at] && strcmp(p->fault[p->slot[at] - 1].id, id) != 0)
        at = (at + 1) & (p->slots - 1);
    return &p->slot[at];
}

static void more_slots(struct evidence_part *p)
{
    free(p->slot);
    p->slots = p->slots ? 2 * p->slots : 1024;
    p->slot = fl_alloc(p->slots * sizeof *p->slot);
    for (long i = 0; i < p->count; i++)
        *slot_of(p, p->fault[i].id) = (uint32_t)i + 1;
}

struct evidence_fault *evidence_find(const struct evidence_part *p, const char *id)
{
    uint32_t at = p->slots ? *slot_of(p, id) : 0;
    return at ? &p->fault[at - 1] : NULL;
}

struct evidence_fault *evidence_add(struct evidence_part *p, const char *id)
{
    struct evidence_fault *there = evidence_find(p, id);
    if (there)
        return there;
    if (2 * (uint32_t)p->count >= p->slots)
        more_slots(p);
    FL_ROOM(p->fault, p->count, p->room, 1024);
    p->fault[p->count] = (struct evidence_fault){.id = fl_strdup(id), .first = -1, .store = -1};
    *slot_of(p, id) = (uint32_t)p->count + 1;
    return &p->fault[p->count++];
}

/* ---- stores that belong together -------------------------------------------------------------- */

static const char *engine_of(const struct result *r)
{
    return r->nparts ? r->part[0].engine : "c";
}

static int check_store(const struct evidence_source *s, const struct evidence_source *first,
                       struct fl_err *err)
{
    const struct result *r = s->result;
    const struct result_model *model = result_model(r);
    if (!model->permanent)
        return fl_fail(err,
                       "%s: is a campaign of %s faults, and evidence is made of permanent faults "
                       "(stuck-at, memory, gate)",
                       s->file, model->name ? model->name : "no");
    char *ours = fl_format("results=%s", made_results(r->part[0].model, engine_of(r)));
    bool same = made_says(s->made, ours);
    free(ours);
    if (!same)
        return fl_fail(err,
                       "%s: its results are those of another version of faultsim; run the campaign "
                       "again with this one",
                       s->file);
    for (int j = 0; j < r->njobs; j++)
        if (!result_same_machine(&r->job[j], &first->result->job[0]))
            return fl_fail(err,
                           "%s is of profile %s with %d SPs (%s), %s of profile %s with %d SPs: "
                           "evidence is made of one machine",
                           s->file, r->job[j].profile, r->job[j].sps, r->job[j].name, first->file,
                           first->result->job[0].profile, first->result->job[0].sps);
    return 0;
}

/* What stands between "gate/" and the fault in an id, as "flow" and "alu_int.sp0". */
const char *evidence_unit(const char *target)
{
    return strncmp(target, "gate/", 5) == 0 ? target + 5 : target;
}

/* " netlist=flow:76e2...,slot:81ab...": the digest of a unit, which may have its SP behind it. Caller frees. */
static char *netlist_of(const char *made, const char *unit)
{
    const char *at = strstr(made, " netlist=");
    size_t n = strcspn(unit, ".");
    for (at = at ? at + strlen(" netlist=") : ""; *at && *at != ' ';) {
        size_t length = strcspn(at, ", ");
        if (strncmp(at, unit, n) == 0 && at[n] == ':')
            return fl_format("%.*s", (int)(length - n - 1), at + n + 1);
        at += length + (at[length] == ',');
    }
    return NULL;
}

/* What an earlier store has of the same part must be of the same netlist and engine. */
static int check_part(const struct evidence_part *there, const struct evidence_part *p,
                      const char *file, struct fl_err *err)
{
    if (strcmp(there->engine, p->engine) != 0)
        return fl_fail(err,
                       "%s has %s on engine %s, an earlier store on engine %s: give one of them",
                       file, p->name, p->engine, there->engine);
    if (p->netlist && there->netlist && strcmp(there->netlist, p->netlist) != 0)
        return fl_fail(err,
                       "%s has faults of another netlist of %s than an earlier store; run both "
                       "with one --netlists",
                       file, p->name);
    return 0;
}

/* The part of a target of a store, a new one where there is none; -1: see err. */
static int part_of(struct evidence *e, const struct evidence_source *s, const struct coverage *c,
                   const struct coverage_slice *slice, struct fl_err *err)
{
    const struct result_part *of = &s->result->part[slice->part];
    struct evidence_part p = {.name = fl_strdup(slice->name),
                              .target = fl_strdup(of->target),
                              .model = of->model,
                              .engine = of->engine,
                              .gates = strcmp(of->model, "gate") == 0,
                              .transition = made_says(s->made, "faults=transition"),
                              .timing = c->timing,
                              .netlist = netlist_of(s->made, evidence_unit(of->target)),
                              .source = -1,
                              .fit = (double)NAN};
    for (int i = 0; i < e->parts; i++) {
        struct evidence_part *there = &e->part[i];
        if (strcmp(there->name, p.name) != 0 || strcmp(there->model, p.model) != 0 ||
            there->transition != p.transition)
            continue;
        int bad = check_part(there, &p, s->file, err);
        there->timing |= p.timing;
        free(p.name);
        free(p.target);
        free(p.netlist);
        return bad ? -1 : i;
    }
    e->part = fl_grow(e->part, (size_t)e->parts + 1, sizeof *e->part);
    e->part[e->parts] = p;
    return e->parts++;
}

/* ---- reading ---------------------------------------------------------------------------------- */

struct reading {
    struct evidence *e;
    int source, test;
    bool timing;
    int *part_of;      /* [parts of the store] */
    long *faults;      /* [parts] different ones of this store */
    const char *twice; /* a part that the test was tried on in an earlier store */
    int twice_in;
};

static unsigned means_of(const struct store_injection *i, bool timing)
{
    switch (i->outcome) {
    case OUT_SDC: /* of a job that must trap, and did not: its host sees traps */
        return strcmp(i->reason, "status") == 0 ? EVIDENCE_TRAP : EVIDENCE_SIGNATURE;
    case OUT_CRASH:
    case OUT_EXIT: return EVIDENCE_TRAP;
    case OUT_HANG:
    case OUT_TIMEOUT: return EVIDENCE_WATCHDOG;
    case OUT_DETECTED: /* by what comes first: docs/reference/exports-permanent.md */
        return strcmp(i->reason, "output:status") == 0 || strncmp(i->reason, "trap", 4) == 0
                   ? EVIDENCE_TRAP
               : strncmp(i->reason, "output", 6) == 0 ? EVIDENCE_SIGNATURE
                                                      : EVIDENCE_WATCHDOG;
    case OUT_PERFORMANCE: return timing ? EVIDENCE_TIME : 0;
    default: return 0;
    }
}

static struct evidence_of_test *of_test(struct evidence_part *p, int test)
{
    for (; p->tests <= test; p->tests++) {
        p->test = fl_grow(p->test, (size_t)p->tests + 1, sizeof *p->test);
        p->test[p->tests] = (struct evidence_of_test){0};
    }
    return &p->test[test];
}

static int read_fault(void *context, int part, const struct store_injection *i)
{
    struct reading *r = context;
    struct evidence_part *p = &r->e->part[r->part_of[part]];
    struct evidence_fault *f = evidence_add(p, i->id);
    struct evidence_of_test *t = of_test(p, r->test);
    if (t->source && t->source != r->source + 1) {
        r->twice = p->name;
        r->twice_in = t->source - 1;
        return 1;
    }
    t->source = r->source + 1;
    if (f->store != r->source) {
        f->store = r->source;
        r->faults[r->part_of[part]]++;
    }
    unsigned means = means_of(i, r->timing);
    f->drawn = true;
    p->dropped |= i->outcome == OUT_DROPPED;
    if (i->untestable == 1)
        f->verdict = EVIDENCE_SAFE;
    if (!means)
        return 0;
    f->means |= (uint8_t)means;
    f->first = f->tests++ ? f->first : r->test;
    t->detected++;
    return 0;
}

/* The same job in two stores is one test. Programs may begin alike. */
static int test_of(struct evidence *e, const struct evidence_source *s,
                   const struct result_job *job)
{
    uint64_t all = made_number(s->made, "run-cycles"), cycles = all ? all : result_cycles(job);
    for (int t = 0; t < e->tests; t++)
        if (strcmp(e->test[t].job->digest, job->digest) == 0 && e->test[t].cycles == cycles)
            return t;
    e->test = fl_grow(e->test, (size_t)e->tests + 1, sizeof *e->test);
    e->test[e->tests] = (struct evidence_test){job, cycles};
    return e->tests++;
}

/* [parts of the store] their parts, as other reports name them. */
static int find_parts(struct evidence *e, const struct evidence_source *s, struct reading *r,
                      struct fl_err *err)
{
    struct avf_report a = {.result = s->result, .made = s->made, .store = s->store};
    struct coverage c;
    if (coverage_open(&a, &c, err) != 0) /* also: is all known of each fault? */
        return -1;
    int bad = 0;
    for (int i = 0; i < c.slices && !bad; i++) {
        if (c.slice[i].part < 0 || c.slice[i].field >= 0)
            continue;
        int at = part_of(e, s, &c, &c.slice[i], err);
        bad = at < 0;
        for (int p = 0; p < s->result->nparts; p++)
            if (strcmp(s->result->part[p].target, s->result->part[c.slice[i].part].target) == 0)
                r->part_of[p] = at;
    }
    r->timing = c.timing;
    coverage_close(&c);
    return bad;
}

static int read_source(struct evidence *e, int source, struct fl_err *err)
{
    struct evidence_source *s = &e->source[source];
    struct reading r = {
        .e = e, .source = source, .part_of = fl_alloc((size_t)s->result->nparts * sizeof(int))};
    int bad = find_parts(e, s, &r, err);
    r.faults = fl_alloc((size_t)e->parts * sizeof *r.faults);
    for (int j = 0; j < s->result->njobs && !bad; j++) {
        r.test = test_of(e, s, &s->result->job[j]);
        bad = store_list(s->store, j, read_fault, &r, err) != 0;
        if (!bad && r.twice)
            bad = fl_fail(err, "%s and %s have the same job %s with faults of %s: give one of them",
                          e->source[r.twice_in].file, s->file, s->result->job[j].name, r.twice);
    }
    for (int p = 0; p < e->parts; p++)
        if (r.faults[p] > e->part[p].most) {
            e->part[p].most = r.faults[p];
            e->part[p].source = source;
            e->part[p].listed = e->part[p].gates && made_number(s->made, "list") > 0;
        }
    free(r.part_of);
    free(r.faults);
    return bad ? -1 : 0;
}

/* One store has all faults of a part; what its tests detect alone is known then. */
static int close_part(struct evidence *e, struct evidence_part *p, struct fl_err *err)
{
    if (p->count != p->most)
        return fl_fail(err,
                       "the stores have different faults of %s, and none of them has all (%ld of "
                       "%ld are in %s); run all jobs over one "
                       "list of faults (the same --target, --sample and --seed)",
                       p->name, p->most, p->count, e->source[p->source].file);
    of_test(p, e->tests - 1);
    for (long i = 0; i < p->count; i++)
        if (p->fault[i].tests == 1)
            p->test[p->fault[i].first].alone++;
    return evidence_prove(e, p, err);
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct evidence_fault *)a)->id, ((const struct evidence_fault *)b)->id);
}

int evidence_open(const struct evidence_given *given, struct evidence *e, struct fl_err *err)
{
    *e = (struct evidence){
        .source = given->source, .sources = given->sources, .interval_ms = given->interval_ms};
    int bad = evidence_read_proofs(e, given, err);
    for (int s = 0; s < e->sources && !bad; s++)
        bad = check_store(&e->source[s], &e->source[0], err) || read_source(e, s, err);
    for (int p = 0; p < e->parts && !bad; p++)
        bad = close_part(e, &e->part[p], err);
    bad = bad || evidence_proofs_used(e, err) ||
          (given->rates && evidence_rates(e, given->rates, err));
    for (int p = 0; p < e->parts && !bad; p++) {
        qsort(e->part[p].fault, (size_t)e->part[p].count, sizeof *e->part[p].fault, by_id);
        e->part[p].slots = 0; /* it is not looked for any more */
    }
    if (bad)
        evidence_close(e);
    return bad ? -1 : 0;
}

void evidence_close(struct evidence *e)
{
    for (int i = 0; i < e->parts; i++) {
        struct evidence_part *p = &e->part[i];
        for (long f = 0; f < p->count; f++)
            free(p->fault[f].id);
        free(p->fault);
        free(p->slot);
        free(p->test);
        free(p->name);
        free(p->target);
        free(p->netlist);
    }
    for (int i = 0; i < e->proofs; i++) {
        struct evidence_proof *p = &e->proof[i];
        for (int r = 0; r < p->rows; r++)
            free(p->row[r].fault);
        free(p->row);
        free(p->name);
        free(p->command);
        free(p->of);
        fl_buf_free(&p->text);
    }
    free(e->part);
    free(e->test);
    free(e->proof);
    *e = (struct evidence){0};
}
