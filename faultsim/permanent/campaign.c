/* campaign.c -- campaigns of permanent faults: the lists of all jobs, before any of them runs. */
#include <stdlib.h>
#include <string.h>

#include "part.h"
#include "prove.h"

/* ---- one job --------------------------------------------------------------------------------- */

/* The jobs have one machine and one size of each memory: what the first one's patterns name, and what is drawn of that, is
 * the list of all. */
static void copy_list(struct fsim_list *to, const struct fsim_list *first)
{
    size_t faults = (size_t)first->count * sizeof *first->fault,
           population = SM_ALL_STRUCTURES * sizeof *first->population;
    *to = *first;
    to->fault = memcpy(fl_alloc(faults), first->fault, faults);
    if (first->population)
        to->population = memcpy(fl_alloc(population), first->population, population);
}

static int build_list(struct fsim_campaign *c, const struct fsim_wanted *wanted, struct fl_err *err)
{
    for (int i = 0; i < wanted->npatterns; i++)
        if (fsim_list_add(&c->list, c->img, wanted->pattern[i], err) != 0)
            return -1;
    if (wanted->file && fsim_list_read(&c->list, c->img, wanted->file, err) != 0)
        return -1;
    if (c->list.count == 0)
        return fl_fail(err,
                       "the fault list is empty; name faults with --target, --faults or --fault");
    fsim_list_once(&c->list);
    return 0;
}

static bool untestable(const struct sm_image *img, const struct fsim_fault *f)
{
    return prove_untestable(img, f) != NULL;
}

/* The image and the list: what can be said before anything runs. */
static int open_job(struct fsim_campaign *c, const struct job *job, const struct fsim_list *first,
                    const struct fsim_wanted *wanted, const struct fsim_options *opt,
                    struct fl_err *err)
{
    int structure[SM_ALL_STRUCTURES];
    c->job_name = job->name;
    c->detect_timing = opt->detect_timing;
    c->engine = campaign_engine(&opt->run)->name;
    c->program = opt->run.program;
    c->host = opt->host;
    c->list.choice = opt->choice;
    c->list.choice.untestable = untestable;
    c->img = sm_image_with_cells(job, &c->sizes.least, err);
    if (!c->img)
        return -1;
    c->img->beside_traps = c->sizes.traps;
    if (first)
        copy_list(&c->list, first);
    else if (build_list(c, wanted, err) != 0)
        return -1;
    c->result = fl_alloc((size_t)c->list.count * sizeof *c->result);
    c->known = fl_alloc((size_t)c->list.count);
    for (int i = fsim_list_structures(&c->list, structure); i-- > 0;)
        if (engine_has(campaign_engine(&opt->run), c->img, structure[i], err) != 0)
            return -1;
    for (long i = 0; c->host && i < c->list.count; i++)
        if (c->list.fault[i].kind != FSIM_SA && c->list.fault[i].cell.structure == SM_S_const)
            return fl_fail(
                err,
                "%s: the host writes constants between launches, where no fault of that "
                "memory is simulated; leave const out, or take the job of smrun --record",
                job->path);
    return engine_carries(campaign_engine(&opt->run), c->img, &c->list, err);
}

/* Takes the size of a job, by number from 1: `of` is the first of the largest ones. */
static void find_largest(uint32_t own, int job, uint32_t *least, int *of, bool *differ)
{
    *differ |= job > 1 && own != *least;
    if (own > *least || job == 1)
        *of = job;
    *least = own > *least ? own : *least;
}

int fsim_sizes_find(const struct job *const *jobs, int njobs, struct fsim_sizes *out,
                    struct fl_err *err)
{
    bool local = false, constant = false; /* jobs differ */
    *out = (struct fsim_sizes){0};
    for (int i = 0; i < njobs; i++) {
        struct sm_image *img = sm_image_new(jobs[i], err);
        if (!img)
            return -1;
        find_largest(img->cells.local, i + 1, &out->least.local, &out->local_of, &local);
        find_largest(img->cells.konst, i + 1, &out->least.konst, &out->const_of, &constant);
        out->traps |= img->traps != 0;
        sm_image_free(img);
    }
    out->local_of = local ? out->local_of : 0;
    out->const_of = constant ? out->const_of : 0;
    return 0;
}

/* Of all machines of a program that uses several. */
static int find_sizes(const struct job *const *jobs, int n, const struct later *later,
                      struct fsim_sizes *out, struct fl_err *err)
{
    const struct job **all = fl_alloc((size_t)(n + later->jobs) * sizeof *all);
    for (int i = 0; i < n + later->jobs; i++)
        all[i] = i < n ? jobs[i] : later->job[i - n];
    int bad = fsim_sizes_find(all, n + later->jobs, out, err);
    if (later->jobs)
        out->local_of = out->const_of = 0;
    free(all);
    return bad;
}

/* ---- all of them ----------------------------------------------------------------------------- */

int fsim_campaigns_run(const struct job *const *jobs, int n, const struct fsim_wanted *wanted,
                       const struct fsim_options *opt, struct fsim_campaign *c, struct store **out,
                       struct fl_err *err)
{
    struct permanent p = {.jobs = c};
    struct store *store = NULL;
    struct fsim_sizes sizes;
    struct fl_err ignored;
    int status = 0;
    memset(c, 0, (size_t)n * sizeof *c);
    for (int i = 1; i < n && status == 0; i++)
        status = job_check_machine(jobs[i], jobs[0], &jobs[0]->profile, err);
    if (status == 0)
        status = permanent_later_load(&p.later, opt->host, err);
    if (status == 0)
        status = find_sizes(jobs, n, &p.later, &sizes, err);
    for (int i = 0; i < n && status == 0; i++) {
        c[i].sizes = sizes;
        status = open_job(&c[i], jobs[i], i ? &c[0].list : NULL, wanted, opt, err);
    }
    if (status == 0)
        status = campaign_run(&permanent_kind, &p, jobs, n, &opt->run, &store, err);
    permanent_later_free(&p.later);
    for (int i = 0; i < n && status != 0; i++)
        fsim_campaign_free(&c[i]);
    if (out)
        *out = store;
    else if (store)
        store_close(store, &ignored);
    return status;
}

void fsim_campaign_free(struct fsim_campaign *c)
{
    golden_free(c->golden);
    fsim_list_free(&c->list);
    free(c->result);
    free(c->known);
    sm_image_free(c->img);
    *c = (struct fsim_campaign){0};
}
