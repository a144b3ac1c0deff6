/* count.c -- what became of the faults of a campaign, counted. See campaign.h. */
#include "campaign.h"

bool fsim_detected(const struct fsim_result *r, bool detect_timing)
{
    switch (r->outcome) {
    case OUT_SDC:
    case OUT_CRASH:
    case OUT_TIMEOUT:
    case OUT_HANG: return true;
    case OUT_PERFORMANCE: return detect_timing;
    default: return false;
    }
}

const char *fsim_class(const struct fsim_result *r, bool detect_timing)
{
    if (r->untestable)
        return "undetectable-untestable";
    return fsim_detected(r, detect_timing) ? "detected" : "not detected";
}

const char *fsim_list_model(const struct fsim_list *list)
{
    return list->choice.memory ? "memory" : "stuck-at";
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

void fsim_count(const struct fsim_list *list, const struct fsim_result *r, bool detect_timing,
                int structure, int field, struct fsim_counts *out)
{
    *out = (struct fsim_counts){0};
    for (long i = 0; i < list->count; i++) {
        const struct sm_cell *cell = &list->fault[i].cell;
        if ((structure >= 0 && cell->structure != structure) ||
            (field >= 0 && cell->field != field))
            continue;
        out->faults++;
        if (r[i].untestable) {
            out->untestable++;
        } else if (r[i].outcome == OUT_MASKED && r[i].first_activation == FSIM_NEVER) {
            out->not_activated++;
        } else if (r[i].outcome == OUT_PERFORMANCE && detect_timing) {
            out->detected++;
        } else {
            out->by_outcome[r[i].outcome]++;
            out->detected += fsim_detected(&r[i], false);
        }
    }
}

static int strength(enum fsim_outcome o)
{
    static const int rank[] = {
        [OUT_MASKED] = 0, [OUT_PERFORMANCE] = 1, [OUT_TOLERABLE] = 2, [OUT_TIMEOUT] = 3,
        [OUT_HANG] = 4,   [OUT_CRASH] = 5,       [OUT_SDC] = 6};
    return rank[o];
}

void fsim_union(const struct fsim_campaign *c, int n, struct fsim_result *result)
{
    for (long i = 0; i < c[0].list.count; i++) {
        result[i] = c[0].result[i];
        for (int k = 1; k < n; k++) {
            const struct fsim_result *r = &c[k].result[i];
            int a = strength(r->outcome), b = strength(result[i].outcome);
            /* a masked fault that some job activated is masked, not "not activated" */
            if (a > b || (a == b && result[i].first_activation == FSIM_NEVER &&
                          r->first_activation != FSIM_NEVER))
                result[i] = *r;
        }
    }
}
