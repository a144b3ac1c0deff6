/* minimal.c -- Sync-Trick with the fewest patterns: in every LE two complementary masks.
 *
 * The warp is parted once, threads 0 to 15 and 16 to 31. Each part fills the LEs with SYNC entries
 * that hold its mask and pops them again, so an LE costs two pushes and two pops, and the join is
 * the signature update. A SYNC with all threads lies below, in LE `base`, the DIVERGE that waits
 * for the upper part above it; what these two LEs lack gets a pattern of its own. Entries further
 * below are never popped by a join: the last exit unwinds them, and nobody comes back. With --pc
 * and --flow-id together the upper part pushes BREAK instead of SYNC, and both point to far blocks.
 * docs/explain/sbst-minimal.md has the argument.
 */
#include <stdio.h>
#include "kernel.h"

enum { HALF = SBST_LANES / 2 };

/* Places of constants inside an LE; below: the lower and the upper part. */
enum { LOWER, UPPER, UNITE, PAIR, FIRST, NEXT, LANDED };

static uint32_t constant(const struct kernel *l, int le, int place)
{
    return kernel_constant(l, le, place, SBST_NEST);
}

static void add_ssy(struct kernel *l, const char *label, const char *target)
{
    const struct sbst_arg args[] = {{"target", 0, target}};
    kernel_add(l, "ssy", label, args, NARGS(args));
}

static void add_low_join(struct kernel *l, const char *label, uint32_t c)
{
    const struct sbst_arg args[] = {{"joined", c, NULL}};
    kernel_add(l, "low_join", label, args, NARGS(args));
}

static void name(char label[32], const char *part, int le, const char *what)
{
    snprintf(label, 32, "%s_le%02d_%s", part, le, what);
}

/* SYNC entries in LEs first to last, and their joins. */
static void add_chain(struct kernel *l, const char *part, int place, int first, int last)
{
    char label[32], target[32];
    for (int le = first; le <= last; le++) {
        name(label, part, le, "ssy");
        name(target, part, le, "join");
        add_ssy(l, label, target);
    }
    for (int le = last; le >= first; le--) {
        name(label, part, le, "join");
        add_low_join(l, label, constant(l, le, place));
    }
}

static void add_part(struct kernel *l, const char *inner)
{
    const struct sbst_arg args[] = {{"lower", HALF, NULL}, {"inner", 0, inner}};
    kernel_add(l, "part", "part", args, NARGS(args));
}

/* The patterns of LEs base + 2 to last, each part by itself. */
static void add_chains(struct kernel *l, int base, int last)
{
    char inner[32];
    name(inner, "lower", base + 2, "ssy");
    add_ssy(l, "unite_ssy", "unite");
    add_part(l, inner);
    add_chain(l, "upper", UPPER, base + 1, last);
    const struct sbst_arg turn[] = {{"sync", 0, "unite"}};
    kernel_add(l, "turn", "turn", turn, NARGS(turn));
    add_chain(l, "lower", LOWER, base + 2, last);
    const struct sbst_arg unite[] = {{"joined", constant(l, base, UNITE), NULL}};
    kernel_add(l, "unite", "unite", unite, NARGS(unite));
}

/* LE 2 when it holds DIVERGE with the lower part (0) or the upper part (1). */
static void add_pair(struct kernel *l, int upper_waits)
{
    const char *half = upper_waits ? "lower" : "upper";
    char routine[32];
    snprintf(routine, sizeof routine, "pair_%s", half);
    const struct sbst_arg args[] = {
        {half, HALF, NULL},
        {"joined", constant(l, 2, PAIR + 16 * upper_waits), NULL},
    };
    kernel_add(l, routine, routine, args, NARGS(args));
}

static void portable(struct kernel *l, int first, int last)
{
    int base = first > 3 ? first - 2 : 1;
    kernel_scaffolding(l, base);
    if (last >= 3)
        add_chains(l, base, last);
    if (first <= 2 && last >= 2)
        add_pair(l, 0);
    if (first <= 2 && last == 2)
        add_pair(l, 1);
}

/* The same with BREAK entries for the upper part and far blocks for both; LE `base` holds BREAK as
 * well. */
static void with_flow(struct kernel *l, int first, int last)
{
    int base = first > 3 ? first - 2 : 1, above = last - base;
    kernel_scaffolding(l, base);
    const struct sbst_arg below[] = {{"target", 0, "low_block"}, {"offset", 16, NULL}};
    kernel_add(l, "pbk", "pbk_all", below, NARGS(below));
    add_part(l, "lower");
    const struct sbst_arg upper[] = {
        {"count", (uint32_t)above, NULL},
        {"landed", constant(l, l->request->le_first, LANDED), NULL},
        {"block", 0, "low_block"},
    };
    kernel_add(l, "break_upper", "upper", upper, NARGS(upper));
    const struct sbst_arg lower[] = {
        {"count", above > 1 ? (uint32_t)above - 1 : 0, NULL},
        {"first", constant(l, l->request->le_first, FIRST), NULL},
        {"next", constant(l, l->request->le_first, NEXT), NULL},
        {"block", 0, "high_block"},
    };
    kernel_add(l, "sync_lower", "lower", lower, NARGS(lower));
    const struct sbst_arg pair[] = {
        {"upper", HALF, NULL},
        {"first", constant(l, l->request->le_first, FIRST), NULL},
        {"next", constant(l, l->request->le_first, NEXT), NULL},
        {"block", 0, "high_block"},
    };
    if (first <= 2)
        kernel_add(l, "far_pair", "far_pair", pair, NARGS(pair));
}

static void add_far_blocks(struct kernel *l)
{
    const char *next = kernel_has_peel(l, 1) ? "shed_lower" : "finish";
    const struct sbst_arg high[] = {
        {"first", constant(l, l->request->le_first, FIRST), NULL},
        {"next", constant(l, l->request->le_first, NEXT), NULL},
        {"back", 0, next},
    };
    sbst_org(l->kernel, kernel_far_address(l, 0) - 8);
    kernel_add(l, "high_block", "high_block", high, NARGS(high));
    const struct sbst_arg low[] = {
        {"landed", constant(l, l->request->le_first, LANDED), NULL},
        {"back", 0, l->request->le_first <= 2 ? "far_pair" : next},
    };
    sbst_org(l->kernel, kernel_far_address(l, 1));
    kernel_add(l, "low_block", "low_block", low, NARGS(low));
}

void minimal_test(struct kernel *l)
{
    const struct sbst_request *r = l->request;
    if (r->landing_pads) {
        landing_test(l);
        return;
    }
    bool merged = r->pc && r->flow_id;
    for (int number = 1; number <= 2; number++) {
        bool patterns = number == 1 && kernel_has_patterns(l);
        if (!patterns && !kernel_has_peel(l, number))
            continue;
        kernel_begin(l, "sync_trick");
        if (patterns && merged)
            with_flow(l, r->le_first, r->le_last);
        else if (patterns)
            portable(l, r->le_first, r->le_last);
        if (patterns && !merged)
            kernel_flow(l);
        if (kernel_has_peel(l, number))
            kernel_peel(l);
        kernel_finish(l);
        if (patterns && merged)
            add_far_blocks(l);
        else if (l->flow)
            kernel_far_blocks(l);
        kernel_close(l);
    }
}
