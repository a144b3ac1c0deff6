/* matrix.c -- prints the detection matrix. */
#include "matrix.h"

#include "made_stuck_at.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "faultsim/result/csv.h"
#include "faultsim/result/made.h"

static long code_bytes(const struct job *job)
{
    long n = 0;
    for (int k = 0; k < job->cubin->nkernels; k++)
        for (int i = 0; i < job->cubin->kernel[k].ncode; i++)
            n += job->cubin->kernel[k].code[i].size;
    return n;
}

/* What a job is and costs: the lines that begin with @. */
static const char *const facts[] = {"@file",   "@launches", "@instructions",
                                    "@cycles", "@bytes",    "@sha256"};

static void print_fact(const struct matrix_job *j, size_t fact, struct fl_buf *out)
{
    const struct job *job = j->job;
    const char *slash = strrchr(job->path, '/');
    char hex[65];
    switch (fact) {
    case 0: csv_text(slash ? slash + 1 : job->path, out); break;
    case 1: fl_buf_printf(out, "%d", job->nlaunches); break;
    case 2: fl_buf_printf(out, "%llu", (unsigned long long)j->instructions); break;
    case 3: fl_buf_printf(out, "%llu", (unsigned long long)j->cycles); break;
    case 4: fl_buf_printf(out, "%ld", code_bytes(job)); break;
    default: fl_hex(j->digest, sizeof j->digest, hex); fl_buf_printf(out, "%s", hex);
    }
}

/* All lines above those of faults. */
static void print_jobs(const struct matrix_job *job, int n, struct fl_buf *out)
{
    fl_buf_printf(out, "fault,class,draw,drawn_of");
    for (int k = 0; k < n; k++) {
        fl_buf_printf(out, ",");
        csv_text(job[k].name, out);
    }
    fl_buf_printf(out, "\n@matrix,%d,,", MATRIX_VERSION);
    for (int k = 0; k < n; k++)
        fl_buf_printf(out, ",");
    fl_buf_printf(out, "\n");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        fl_buf_printf(out, "%s,,,", facts[i]);
        for (int k = 0; k < n; k++) {
            fl_buf_printf(out, ",");
            print_fact(&job[k], i, out);
        }
        fl_buf_printf(out, "\n");
    }
}

/* Testable faults of what a fault was drawn with, by the draws of estimate.h. */
static uint64_t drawn_of(const struct fsim_list *list, int structure)
{
    uint64_t n = 0;
    for (int s = 0; s < SM_ALL_STRUCTURES; s++)
        for (int f = 0; f < SM_MAX_FIELDS && (list->choice.memory || s == structure); f++)
            n += list->population[s][f].faults - list->population[s][f].untestable;
    return n;
}

static void print_draw(const struct fsim_list *list, const struct fsim_fault *f, struct fl_buf *out)
{
    int structure = f->cell.structure;
    if (!list->population)
        fl_buf_printf(out, ",,");
    else
        fl_buf_printf(out, ",%s,%llu",
                      list->choice.memory ? "all" : sm_structure_name(structure, NULL),
                      (unsigned long long)drawn_of(list, structure));
}

void matrix_csv(const struct fsim_campaign *c, int n, struct fl_buf *out)
{
    struct fsim_result *all = fl_alloc((size_t)c[0].list.count * sizeof *all);
    fsim_union(c, n, all);
    struct matrix_job *job = fl_alloc((size_t)n * sizeof *job);
    for (int k = 0; k < n; k++) {
        job[k] = (struct matrix_job){
            c[k].job_name, c[k].img->job, c[k].golden->instructions, c[k].golden->cycles, {0}};
        gpu_outputs_digest(c[k].golden->end, job[k].digest);
    }
    made_csv_stuck_at(c, n, out);
    print_jobs(job, n, out);
    free(job);
    for (long i = 0; i < c[0].list.count; i++) {
        char id[FSIM_ID];
        fsim_id(c[0].img, &c[0].list.fault[i], id);
        fl_buf_printf(out, "%s,%s", id, fsim_class(&all[i], c[0].detect_timing));
        print_draw(&c[0].list, &c[0].list.fault[i], out);
        for (int k = 0; k < n; k++) {
            const struct fsim_result *r = &c[k].result[i];
            bool hit = !r->untestable && fsim_detected(r, c[k].detect_timing);
            fl_buf_printf(out, ",%s", hit ? fsim_outcome_name(r->outcome) : "");
        }
        fl_buf_printf(out, "\n");
    }
    free(all);
}

/* ---- from a store ---------------------------------------------------------------------------- */

/* A line, while jobs are read one after the other. */
struct line {
    char *id;
    int part;        /* of the first job */
    uint8_t *detect; /* [jobs] the outcome, where the job detects the fault, + 1 */
};

struct lines {
    struct line *line;
    uint64_t n, room, at;
    int job, jobs;
};

static int add_outcome(void *context, int part, const struct store_injection *i)
{
    struct lines *l = context;
    if (l->job == 0) {
        FL_ROOM(l->line, l->n, l->room, 1024);
        l->line[l->n++] = (struct line){fl_strdup(i->id), part, fl_alloc((size_t)l->jobs)};
    }
    if (l->at == l->n || strcmp(l->line[l->at].id, i->id) != 0)
        return 1;
    if (fsim_outcome_detected(i->outcome, false))
        l->line[l->at].detect[l->job] = (uint8_t)(i->outcome + 1);
    l->at++;
    return 0;
}

static uint64_t population_of(const struct result *r, const char *target)
{
    for (int i = 0; i < r->npopulations; i++)
        if (strcmp(r->population[i].target, target) == 0)
            return r->population[i].faults - r->population[i].untestable;
    return 0;
}

static void print_line(const struct line *l, const struct result *r, struct fl_buf *out)
{
    const char *target = r->part[l->part].target;
    bool any = false;
    for (int k = 0; k < r->njobs; k++)
        any |= l->detect[k] > 0;
    fl_buf_printf(out, "%s,%s,", l->id, any ? "detected" : "not detected");
    if (r->npopulations)
        fl_buf_printf(out, "%s,%llu", target, (unsigned long long)population_of(r, target));
    else
        fl_buf_printf(out, ",");
    for (int k = 0; k < r->njobs; k++)
        fl_buf_printf(out, ",%s",
                      l->detect[k] ? fsim_outcome_name((enum fsim_outcome)(l->detect[k] - 1)) : "");
    fl_buf_printf(out, "\n");
}

int matrix_of_store(const struct store *s, const struct matrix_job *job, const char *made,
                    struct fl_buf *out, struct fl_err *err)
{
    const struct result *r = store_result(s);
    struct lines l = {.jobs = r->njobs};
    int bad = 0;
    for (l.job = 0; l.job < l.jobs && !bad; l.job++) {
        l.at = 0;
        bad = store_list(s, l.job, add_outcome, &l, err);
        if (!bad && l.at != l.n)
            bad = fl_fail(err,
                          "%s: the jobs have different lists of faults; start the campaign "
                          "again in another file",
                          store_name(s));
    }
    made_csv(made, r->job, r->njobs, out);
    print_jobs(job, r->njobs, out);
    for (uint64_t i = 0; i < l.n; i++) {
        if (!bad)
            print_line(&l.line[i], r, out);
        free(l.line[i].id);
        free(l.line[i].detect);
    }
    free(l.line);
    return bad ? -1 : 0;
}
