/* sync_trick.c -- the Sync-Trick method: which routines, in which order, test the thread masks of
 * LEs A to B.
 *
 * LE k >= 2: k - 2 SYNC entries stay below (the scaffolding), then each of 32 divergences pushes
 * its own SYNC into LE k - 1 and its DIVERGE into LE k. Moving on to LE k + 1 is one more SSY. In
 * the end one join for each scaffolding entry empties the stack again.
 *
 * LE 1: a DIVERGE in LE 1 has no SYNC below, so a thread that takes the branch is gone for the rest
 * of the life, and one life cannot store both values in every mask bit where it matters. So two
 * lives peel one half of the warp each. docs/explain/sbst.md has the argument in full.
 */
#include <stdio.h>
#include <stdlib.h>
#include "kernel.h"

/* One pattern in LE `le`, from 2. */
static void add_pattern(struct kernel *l, int le, int thread)
{
    char label[32];
    snprintf(label, sizeof label, "le%02d_t%02d", le, thread);
    const struct sbst_arg args[] = {
        {"thread", (uint32_t)thread, NULL},
        {"taken", kernel_constant(l, le, thread, SBST_TAKEN), NULL},
        {"not_taken", kernel_constant(l, le, thread, SBST_NOT_TAKEN), NULL},
        {"check", kernel_constant(l, le, thread, SBST_CHECK), NULL},
    };
    kernel_add(l, "divergence", label, args, NARGS(args));
}

static void test_deep_les(struct kernel *l, int first, int last)
{
    for (int le = 1; le <= first - 2; le++)
        kernel_ssy(l, le);
    for (int le = first; le <= last; le++) {
        if (le > first)
            kernel_ssy(l, le - 2);
        for (int thread = 0; thread < SBST_LANES; thread++)
            add_pattern(l, le, thread);
        kernel_checkpoint(l, le);
    }
    for (int le = last - 2; le >= 1; le--)
        kernel_join(l, le);
    if (last > 2)
        kernel_checkpoint(l, 0);
}

static void name_program(struct sbst_program *p, const struct sbst_request *r)
{
    const char *approach = r->approach == SBST_ACC ? "acc" : "ind";
    char *range = r->le_first == r->le_last ? fl_format("%02d", r->le_first)
                                            : fl_format("%02d-%02d", r->le_first, r->le_last);
    char *le = r->le_first == r->le_last ? fl_format("%d", r->le_first)
                                         : fl_format("%d-%d", r->le_first, r->le_last);
    char *options = sbst_options(r), *suffix = sbst_suffix(r);
    p->name = fl_format("sync-trick-%s-le%s%s", approach, range, suffix);
    p->command = fl_format("sbstgen --method sync-trick --le %s --approach %s%s --profile %s", le,
                           approach, options, p->machine->profile);
    p->about = fl_format("Sync-Trick self-test of LE %s of the divergence stack, approach %s, %s "
                         "check-points",
                         le, approach, r->checkpoint ? "with" : "without");
    free(options);
    free(suffix);
    free(range);
    free(le);
}

int sbst_sync_trick(const struct sbst_library *lib, const struct sbst_machine *machine,
                    const struct sbst_request *request, struct sbst_program *out,
                    struct fl_err *err)
{
    *out = (struct sbst_program){.lib = lib,
                                 .machine = machine,
                                 .target = request->target,
                                 .launch_folders = request->launch_folders};
    name_program(out, request);
    struct kernel l = {.program = out, .err = err};
    kernel_start(&l, request);
    if (request->minimal) {
        minimal_test(&l);
    } else {
        for (int number = 1; number <= 2; number++) {
            bool patterns = number == 1 && kernel_has_patterns(&l);
            if (!patterns && !kernel_has_peel(&l, number))
                continue;
            kernel_begin(&l, "sync_trick");
            if (patterns && request->le_last >= 2)
                test_deep_les(&l, request->le_first < 2 ? 2 : request->le_first, request->le_last);
            if (patterns)
                kernel_flow(&l);
            if (kernel_has_peel(&l, number))
                kernel_peel(&l);
            kernel_end(&l);
        }
    }
    if (l.failed) {
        sbst_program_free(out);
        return -1;
    }
    return 0;
}
