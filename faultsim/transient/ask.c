/* ask.c -- flips that a program judges: which need a run of it, and what becomes of them there. */
#include <stdlib.h>

#include "base/threads.h"
#include "plan.h"

bool avf_ask_program(const struct avf_task *k, const struct fsim_fault *u,
                     struct transient_result *r)
{
    const struct campaign_options *run = &k->opt->run;
    struct fl_buf id = {0};
    bool all = run->exhaustive;
    if (!k->opt->program)
        return true;
    bool idle = r->why == REASON_IDLE || r->why == REASON_OVERWRITTEN;
    if (!all && program_knows(k->opt->program, r->r.outcome, idle))
        return !campaign_asked_to_stop(run);
    fsim_print(k->ctx->img, u, &id);
    bool ran = program_run(k->opt->program, (const char *)id.data, &r->r);
    fl_buf_free(&id);
    if (r->why == REASON_FAILS) /* of the record */
        r->why = REASON_LOGIC;
    r->ran = true;
    transient_judge(r);
    return ran && !campaign_asked_to_stop(run);
}

/* Flips of a sample or list that somebody may read: no more than so many are runs. */
static uint64_t count_read(const struct campaign *c, int structure, const struct avf_options *opt,
                           uint64_t flips)
{
    uint64_t n = 0;
    struct fsim_fault u[FSIM_CELLS];
    for (uint64_t i = 0; i < flips; i++)
        n += sample_draw(c->ctx, structure, opt, i, u) && u->cells &&
             (!c->ctx->recorded || transient_is_read(c->ctx->t, u));
    return n;
}

void avf_print_price(const struct campaign *c, int structure, const struct avf_options *opt,
                     const char *target, uint64_t flips, uint64_t bits)
{
    bool exact = opt->method == METHOD_EXACT;
    double each = program_seconds(opt->program);
    uint64_t most = exact                 ? bits
                    : opt->run.exhaustive ? flips
                                          : count_read(c, structure, opt, flips);
    char *all = progress_duration(each * (double)most / fl_threads(opt->run.threads));
    progress_say(c->progress,
                 "%s: %s: at most %llu runs of the program, of about %.2g s each, %s in all",
                 c->ctx->facts.name, target, (unsigned long long)most, each, all);
    free(all);
}
