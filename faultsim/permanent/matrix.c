/* matrix.c -- prints the detection matrix. */
#include "matrix.h"

#include "made_stuck_at.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "faultsim/result/csv.h"

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

static void print_fact(const struct fsim_campaign *c, size_t fact, struct fl_buf *out)
{
    const struct job *job = c->img->job;
    const char *slash = strrchr(job->path, '/');
    uint8_t digest[32];
    char hex[65];
    switch (fact) {
    case 0: csv_text(slash ? slash + 1 : job->path, out); break;
    case 1: fl_buf_printf(out, "%d", job->nlaunches); break;
    case 2: fl_buf_printf(out, "%llu", (unsigned long long)c->golden->instructions); break;
    case 3: fl_buf_printf(out, "%llu", (unsigned long long)c->golden->cycles); break;
    case 4: fl_buf_printf(out, "%ld", code_bytes(job)); break;
    default:
        gpu_outputs_digest(c->golden->end, digest);
        fl_hex(digest, sizeof digest, hex);
        fl_buf_printf(out, "%s", hex);
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
    made_csv_stuck_at(c, n, out);
    fl_buf_printf(out, "fault,class,draw,drawn_of");
    for (int k = 0; k < n; k++) {
        fl_buf_printf(out, ",");
        csv_text(c[k].job_name, out);
    }
    fl_buf_printf(out, "\n@matrix,%d,,", MATRIX_VERSION);
    for (int k = 0; k < n; k++)
        fl_buf_printf(out, ",");
    fl_buf_printf(out, "\n");
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        fl_buf_printf(out, "%s,,,", facts[i]);
        for (int k = 0; k < n; k++) {
            fl_buf_printf(out, ",");
            print_fact(&c[k], i, out);
        }
        fl_buf_printf(out, "\n");
    }
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
