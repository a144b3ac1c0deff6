/* complete.c -- see complete.h. */
#include "complete.h"

#include <stdlib.h>
#include <string.h>

#include "prove.h"

struct completing {
    const struct sm_image *img;
    bool memory;
    struct store_known *known;              /* [flips] */
    uint64_t complete, untestable, unknown; /* rows */
};

static bool untestable(const struct completing *k, const char *id)
{
    struct fl_err ignored;
    struct fsim_list one = {.choice = {.memory = k->memory}};
    bool proved = fsim_list_add(&one, k->img, id, &ignored) == 0 && one.count == 1 &&
                  prove_untestable(k->img, &one.fault[0]);
    fsim_list_free(&one);
    return proved;
}

static int prove_row(void *context, const struct store_injection *i)
{
    struct completing *k = context;
    struct store_known *known = &k->known[i->number];
    bool unknown = i->untestable == STORE_UNKNOWN;
    *known = (struct store_known){i->place, unknown ? untestable(k, i->id) : i->untestable};
    k->unknown += unknown;
    k->untestable += known->untestable;
    k->complete += i->place > 0;
    return 0;
}

static int complete_part(struct store *s, int number, struct fl_err *err)
{
    const struct result *r = store_result(s);
    const struct result_part *p = &r->part[number];
    const struct result_job *job = &r->job[p->job];
    /* Local and constant memory are the job's; no proof is about them. */
    struct sm_image img = {.sms = 1};
    struct completing k = {.img = &img, .memory = strcmp(p->model, "memory") == 0};
    struct fl_err ignored;
    struct tally all;
    result_tally(job, p, -1, &all);
    if (!all.reason[REASON_UNTESTABLE] || profile_load(job->profile, &img.profile, &ignored) != 0)
        return 0;
    k.known = fl_alloc(p->flips * sizeof *k.known);
    int bad = store_injections(s, number, prove_row, &k, err);
    if (!bad && k.unknown && k.complete == p->flips &&
        k.untestable == all.reason[REASON_UNTESTABLE])
        bad = store_complete_injections(s, number, k.known, err);
    free(k.known);
    return bad;
}

int complete_read(struct store *s, struct fl_err *err)
{
    const struct result *r = store_result(s);
    int bad = 0;
    for (int p = 0; p < r->nparts && store_is_copy(s) && !bad; p++)
        if (strcmp(r->part[p].model, "stuck-at") == 0 || strcmp(r->part[p].model, "memory") == 0)
            bad = complete_part(s, p, err);
    return bad;
}
