/* campaigns.c -- stuck-at campaigns of several jobs over one list: for stuck-at, prove and
 * dictionary. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"

const char *cli_target(const struct cli_request *r)
{
    return r->target ? r->target : "dstack";
}

int cli_find_engine(struct cli_request *r, struct fl_err *err)
{
    struct fl_err why;
    r->on = engine_find(r->engine ? r->engine : "c", &why);
    return r->on ? CLI_DONE : cli_wrong(r, err, "%s", why.msg);
}

int cli_check_faults(const struct cli_request *r, const struct job *job, struct fl_err *err)
{
    struct sm_image *img = sm_image_new(job, err);
    struct fsim_list list = {0};
    if (!img)
        return CLI_PROBLEM;
    bool pattern = r->faults && access(r->faults, F_OK) != 0;
    int status = CLI_DONE;
    if ((r->target && fsim_list_add(&list, img, r->target, err) != 0) ||
        (r->fault && fsim_list_add(&list, img, r->fault, err) != 0))
        status = CLI_USAGE;
    if (status == CLI_DONE && pattern && fsim_list_add(&list, img, r->faults, err) != 0) {
        size_t n = strlen(err->msg);
        snprintf(err->msg + n, sizeof err->msg - n, " (and there is no file '%s')", r->faults);
        status = CLI_USAGE;
    }
    for (long i = 0; i < list.count && status == CLI_DONE; i++)
        if (list.fault[i].cell.structure != SM_S_dstack) {
            fl_fail(err,
                    "stuck-at faults are those of dstack; any other cell is held with faultsim "
                    "intermittent --fault CELL@0-:sa1, or a list of such lines with --faults "
                    "FILE");
            status = CLI_USAGE;
        }
    fsim_list_free(&list);
    sm_image_free(img);
    return status;
}

int cli_run_campaigns(struct cli_request *r, const struct cli_jobs *jobs, struct cli_campaigns *c,
                      struct fl_err *err)
{
    bool is_file = r->faults && access(r->faults, F_OK) == 0;
    const char *pattern = r->faults ? r->faults : cli_target(r);
    struct interrupt interrupt;
    struct fsim_options opt = {.threads = r->threads,
                               .exhaustive = r->exhaustive,
                               .engine = r->on,
                               .detect_timing = r->detect_timing,
                               .progress = true,
                               .max_cycles = r->max_cycles,
                               .stop = &interrupt.signal};
    int bad = 0;
    *c = (struct cli_campaigns){fl_alloc((size_t)jobs->count * sizeof *c->of), 0};
    interrupt_start(&interrupt);
    for (int i = 0; i < jobs->count && !bad; i++, c->count += !bad)
        bad = fsim_campaign_run(&c->of[i], jobs->job[i], &pattern, is_file ? 0 : 1,
                                is_file ? r->faults : NULL, &opt, err);
    int by = interrupt_end(&interrupt);
    if (bad)
        r->signal = by;
    for (int i = 1; i < c->count && !bad; i++)
        if (c->of[i].list.count != c->of[0].list.count)
            bad = fl_fail(err,
                          "%s and %s have different fault lists; give jobs of one profile, or run "
                          "them apart",
                          jobs->job[0]->path, jobs->job[i]->path);
    return bad;
}

void cli_campaigns_free(struct cli_campaigns *c)
{
    for (int i = 0; i < c->count; i++)
        fsim_campaign_free(&c->of[i]);
    free(c->of);
    *c = (struct cli_campaigns){0};
}
