/* nesting.c -- the Nesting method: divergences inside divergences, with SSY, BRA and join only.
 *
 * A level pushes two entries: SYNC with the threads that have come so deep, DIVERGE with the one
 * thread that stays behind. The others open the next level. A nest fills the range from LE b; nests
 * from b and from b + 1 put both kinds into every LE, and nests that begin with different threads
 * put both values into every mask bit. LE 1 holds a DIVERGE only without a SYNC below it, so it is
 * peeled as in Sync-Trick, in two lives. docs/explain/sbst.md has the argument.
 */
#include <stdio.h>
#include <stdlib.h>
#include "kernel.h"

/* One nest: which one, from which LE, and which thread stays behind in its first level. */
struct nest {
    int base, last, thread;
    int half; /* 0: the first of the two bases, 1: the second */
};

static void name_step(const struct nest *n, int le, const char *what, char label[48])
{
    snprintf(label, 48, "nest%d_t%02d_le%02d_%s", n->half + 1, n->thread, le, what);
}

static void open_level(struct kernel *l, const struct nest *n, int le, int thread)
{
    char label[48], sync[48];
    name_step(n, le, "open", label);
    name_step(n, le, "sync", sync);
    const struct sbst_arg args[] = {
        {"thread", (uint32_t)thread, NULL},
        {"not_taken", kernel_constant(l, le, thread, SBST_NOT_TAKEN), NULL},
        {"sync", 0, sync},
    };
    kernel_add(l, "nest_open", label, args, NARGS(args));
}

static void close_level(struct kernel *l, const struct nest *n, int le, int thread)
{
    char label[48];
    name_step(n, le, "sync", label);
    const struct sbst_arg args[] = {{"joined", kernel_constant(l, le, thread, SBST_TAKEN), NULL}};
    kernel_add(l, "nest_close", label, args, NARGS(args));
}

/* The last LE when a whole level no longer fits: a SYNC entry alone. */
static void add_lone(struct kernel *l, const struct nest *n)
{
    char label[48], target[48];
    name_step(n, n->last, "ssy", label);
    name_step(n, n->last, "join", target);
    const struct sbst_arg ssy[] = {{"target", 0, target}};
    kernel_add(l, "ssy", label, ssy, NARGS(ssy));
    const struct sbst_arg join[] = {
        {"joined", kernel_constant(l, n->last + 32 * n->half, n->thread, SBST_NEST), NULL}};
    kernel_add(l, "nest_join", target, join, NARGS(join));
}

static void add_nest(struct kernel *l, const struct nest *n)
{
    int levels = (n->last - n->base + 1) / 2;
    for (int i = 0; i < levels; i++)
        open_level(l, n, n->base + 2 * i + 1, (n->thread + i) % SBST_LANES);
    if ((n->last - n->base + 1) % 2)
        add_lone(l, n);
    for (int i = levels - 1; i >= 0; i--)
        close_level(l, n, n->base + 2 * i + 1, (n->thread + i) % SBST_LANES);
    char label[48];
    name_step(n, n->base, "done", label);
    const struct sbst_arg args[] = {
        {"check", kernel_constant(l, n->base + 32 * n->half, n->thread, SBST_CHECK), NULL}};
    kernel_add(l, "mark", label, args, NARGS(args));
}

/* The nests that begin with threads `from`, `from` + `step` and so on, below `to`. */
static void add_nests(struct kernel *l, int from, int to, int step)
{
    int first = l->request->le_first, last = l->request->le_last;
    int base = first > 1 ? first - 1 : 1;
    for (int le = 1; le < base; le++)
        kernel_ssy(l, le);
    for (int half = 0; half < 2 && base <= last; half++) {
        if (half)
            kernel_ssy(l, base++);
        if (base > last)
            break;
        for (int t = from; t < to && (t == from || base < last); t += step) /* lone entries: once */
            add_nest(l, &(struct nest){base, last, t, half});
    }
    for (int le = base - 1; le >= 1; le--)
        kernel_join(l, le);
    kernel_checkpoint(l, 0);
}

static void name_program(struct sbst_program *p, const struct sbst_request *r)
{
    char *range = r->le_first == r->le_last ? fl_format("%02d", r->le_first)
                                            : fl_format("%02d-%02d", r->le_first, r->le_last);
    char *le = r->le_first == r->le_last ? fl_format("%d", r->le_first)
                                         : fl_format("%d-%d", r->le_first, r->le_last);
    char *options = sbst_options(r), *suffix = sbst_suffix(r);
    p->name = fl_format("nesting-le%s%s", range, suffix);
    p->command = fl_format("sbstgen --method nesting --le %s%s --profile %s", le, options,
                           p->machine->profile);
    p->about = fl_format("Nesting self-test of LE %s of the divergence stack", le);
    free(range);
    free(le);
    free(options);
    free(suffix);
}

int sbst_nesting(const struct sbst_library *lib, const struct sbst_machine *machine,
                 const struct sbst_request *request, struct sbst_program *out, struct fl_err *err)
{
    *out = (struct sbst_program){.lib = lib,
                                 .machine = machine,
                                 .target = request->target,
                                 .launch_folders = request->launch_folders};
    name_program(out, request);
    struct kernel l = {.program = out, .err = err};
    kernel_start(&l, request);
    /* patterns minimal: what begins with thread 16 leaves behind whom the other nest keeps */
    int step = request->minimal ? SBST_LANES / 2 : 1;
    bool whole = request->share == SBST_WHOLE && request->le_first == 1; /* a half in each life */
    for (int number = 1; number <= 2; number++) {
        bool patterns = kernel_has_patterns(&l) && (whole || number == 1);
        if (!patterns && !kernel_has_peel(&l, number))
            continue;
        int from = whole && number == 2 ? SBST_LANES / 2 : 0;
        kernel_begin(&l, "nesting");
        if (patterns)
            add_nests(&l, from, whole ? from + SBST_LANES / 2 : SBST_LANES, step);
        if (patterns && number == 1)
            kernel_flow(&l);
        if (kernel_has_peel(&l, number))
            kernel_peel(&l);
        kernel_end(&l);
    }
    if (l.failed) {
        sbst_program_free(out);
        return -1;
    }
    return 0;
}
