/* count.c -- what became of the faults of a campaign, counted. See campaign.h. */
#include "campaign.h"

#include <stdio.h>

struct fsim_result fsim_result_kept(const struct store_injection *i)
{
    struct fsim_result r = {.outcome = i->outcome,
                            .untestable = i->untestable == 1,
                            .first_activation = i->first_activation,
                            .end = i->end,
                            .elements = i->elements,
                            .unwritten = i->unwritten > 0 ? (uint32_t)i->unwritten : 0,
                            .by = i->by,
                            .anatomy = i->anatomy};
    snprintf(r.reason, sizeof r.reason, "%s", i->reason);
    return r;
}

bool fsim_detected(const struct fsim_result *r, bool detect_timing)
{
    return fsim_outcome_detected(r->outcome, detect_timing);
}

const char *fsim_class(const struct fsim_result *r, bool detect_timing)
{
    if (r->untestable)
        return "undetectable-untestable";
    if (fsim_outcome_none(r->outcome))
        return fsim_outcome_name(r->outcome);
    return fsim_detected(r, detect_timing) ? "detected" : "not detected";
}

const char *fsim_list_model(const struct fsim_list *list)
{
    return list->choice.memory ? "memory" : "stuck-at";
}

char *fsim_list_targets(const struct fsim_list *list)
{
    int structure[SM_ALL_STRUCTURES], n = fsim_list_structures(list, structure);
    struct fl_buf b = {0};
    for (int i = 0; i < n; i++)
        fl_buf_printf(&b, "%s%s", i ? "," : "", sm_structure_name(structure[i], NULL));
    return (char *)b.data;
}

int fsim_list_structures(const struct fsim_list *list, int out[SM_ALL_STRUCTURES])
{
    bool has[SM_ALL_STRUCTURES] = {false};
    int n = 0;
    for (long i = 0; i < list->count; i++)
        has[list->fault[i].cell.structure] = true;
    for (int i = 0; i < SM_ALL_STRUCTURES; i++)
        if (has[i])
            out[n++] = i;
    return n;
}

void fsim_counts_add(struct fsim_counts *k, const struct fsim_result *r, bool detect_timing)
{
    k->faults++;
    if (r->untestable) {
        k->untestable++;
    } else if (r->outcome == OUT_MASKED && r->first_activation == FSIM_NEVER) {
        k->not_activated++;
    } else {
        bool fails = fsim_outcome_fails(r->outcome), seen = fsim_detected(r, detect_timing);
        k->by_outcome[r->outcome] += fails || !seen || fsim_outcome_detected(r->outcome, false);
        k->detected += seen;
    }
}

bool fsim_stronger(const struct fsim_result *a, const struct fsim_result *b)
{
    int x = fsim_outcome_strength(a->outcome), y = fsim_outcome_strength(b->outcome);
    return x > y ||
           (x == y && b->first_activation == FSIM_NEVER && a->first_activation != FSIM_NEVER);
}

void fsim_union(const struct fsim_campaign *c, int n, struct fsim_result *result)
{
    for (long i = 0; i < c[0].list.count; i++) {
        result[i] = c[0].result[i];
        for (int k = 1; k < n; k++)
            if (fsim_stronger(&c[k].result[i], &result[i]))
                result[i] = c[k].result[i];
    }
}
