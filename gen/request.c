/* request.c -- which requests make a self-test; the others are refused with what to choose
 * instead. */
#include "sbst.h"

#include <stdio.h>

static int refuse(struct fl_err *err, const char *msg)
{
    return fl_fail(err, "%s", msg);
}

static int check_target(const struct sbst_request *r, const char *range, struct fl_err *err)
{
    const struct sbst_target *t = r->target;
    if (r->le_last > t->stack_entries)
        return fl_fail(err,
                       "--le %s: the stack of %s loses a push above line-entry %d; use --le with "
                       "line-entries 1 to %d",
                       range, t->name, t->stack_entries, t->stack_entries);
    if (r->landing_pads)
        return fl_fail(err,
                       "--landing-pads: a join of %s takes no address from a SYNC entry, and its "
                       "code space of %d bits has no room for pads; use --flow-id alone, or leave "
                       "--target out",
                       t->name, t->code_bits);
    if (r->pc)
        return fl_fail(err,
                       "--pc: a join of %s takes no address from a SYNC entry, so it never reaches "
                       "a far block; use --flow-id alone, or leave --target out",
                       t->name);
    return 0;
}

int sbst_request_check(const struct sbst_request *r, const struct sbst_machine *m,
                       struct fl_err *err)
{
    char range[32];
    int used = snprintf(range, sizeof range, "%d", r->le_first);
    if (r->le_last != r->le_first)
        snprintf(range + used, sizeof range - (size_t)used, "-%d", r->le_last);
    if (r->le_first < 1)
        return fl_fail(err, "--le %s: line-entries count from 1", range);
    if (r->le_last > m->stack_entries)
        return fl_fail(err, "--le %s: profile %s has line-entries 1 to %d; name some of these",
                       range, m->profile, m->stack_entries);
    if (r->target && check_target(r, range, err) != 0)
        return -1;
    if (r->approach == SBST_IND && r->nesting)
        return refuse(err, "--approach ind: a nest fills a range of line-entries at once; with "
                           "--method nesting use --approach acc");
    if (r->minimal && !r->nesting && r->checkpoint)
        return refuse(err, "--checkpoint: --patterns minimal of sync-trick keeps no check "
                           "signature to compare; leave one of them out");
    if (r->landing_pads && r->nesting)
        return refuse(err, "--landing-pads: a nest holds an address of its own in every "
                           "line-entry, more than pads can cover; use --method sync-trick");
    if (r->landing_pads && !(r->minimal && r->pc && r->flow_id))
        return refuse(err, "--landing-pads needs --patterns minimal, --pc and --flow-id; say all "
                           "three");
    if (r->landing_pads && m->stack_entries < SBST_PAD_LES)
        return fl_fail(err,
                       "--landing-pads takes %d line-entries, profile %s has %d; choose a larger "
                       "profile, or leave it out",
                       SBST_PAD_LES, m->profile, m->stack_entries);
    if (r->warps > m->warps)
        return fl_fail(err, "--warps %d: profile %s has %d warp slots; give at most as many",
                       r->warps, m->profile, m->warps);
    return 0;
}
