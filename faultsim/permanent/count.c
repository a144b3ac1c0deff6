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
    } else if (r->outcome == OUT_PERFORMANCE && detect_timing) {
        k->detected++;
    } else {
        k->by_outcome[r->outcome]++;
        k->detected += fsim_detected(r, false);
    }
}

void fsim_count(const struct fsim_list *list, const struct fsim_result *r, bool detect_timing,
                int structure, int field, struct fsim_counts *out)
{
    *out = (struct fsim_counts){0};
    for (long i = 0; i < list->count; i++) {
        const struct sm_cell *cell = &list->fault[i].cell;
        if ((structure < 0 || cell->structure == structure) && (field < 0 || cell->field == field))
            fsim_counts_add(out, &r[i], detect_timing);
    }
}

static int strength(enum fsim_outcome o)
{
    static const int rank[] = {
        [OUT_MASKED] = 0, [OUT_PERFORMANCE] = 1, [OUT_TOLERABLE] = 2, [OUT_TIMEOUT] = 3,
        [OUT_HANG] = 4,   [OUT_CRASH] = 5,       [OUT_SDC] = 6};
    return rank[o];
}

bool fsim_stronger(const struct fsim_result *a, const struct fsim_result *b)
{
    int x = strength(a->outcome), y = strength(b->outcome);
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
