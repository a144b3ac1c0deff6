/* sync_trick.c -- the Sync-Trick method: which routines, in which order, test the thread masks of LEs A to B.
 *
 * LE k >= 2: k - 2 SYNC entries stay below (the scaffolding), then each of 32 divergences pushes its own SYNC into LE
 * k - 1 and its DIVERGE into LE k. Moving on to LE k + 1 is one more SSY. In the end one join for each scaffolding entry
 * empties the stack again.
 *
 * LE 1: a DIVERGE in LE 1 has no SYNC below, so a thread that takes the branch is gone for the rest of the life, and one
 * life cannot store both values in every mask bit where it matters. So two lives peel one half of the warp each.
 * docs/sbst.md has the argument in full.
 */
#include "sbst.h"

#include <stdio.h>
#include <stdlib.h>

uint32_t sbst_constant(int life, int le, int place, enum sbst_role role)
{
    uint32_t n = (uint32_t)(((life * 64 + le) * 64 + place) * 4 + (int)role + 1);
    return n * 0x9e3779b1u; /* odd: different n, different constants */
}

/* What a life under construction needs at hand. The first error stays in err; later steps do nothing. */
struct life {
    struct sbst_program *program;
    struct sbst_kernel *kernel;
    int number; /* from 1 */
    bool checkpoint;
    bool failed;
    struct fl_err *err;
};

static uint32_t constant(const struct life *l, int le, int place, enum sbst_role role)
{
    return sbst_constant(l->number, le, place, role);
}

#define NARGS(list) ((int)(sizeof(list) / sizeof(list)[0]))

static void add(struct life *l, const char *routine, const char *label, const struct sbst_arg *arg,
                int nargs)
{
    if (!l->failed && sbst_add(l->program, l->kernel, routine, label, arg, nargs, l->err) != 0)
        l->failed = true;
}

static void add_init(struct life *l)
{
    const struct sbst_arg args[] = {
        {"sig_seed", constant(l, 0, SBST_PLACE_SEED, SBST_TAKEN), NULL},
        {"chk_seed", constant(l, 0, SBST_PLACE_SEED, SBST_CHECK), NULL},
    };
    add(l, "init", "init", args, NARGS(args));
}

/* Pushes the scaffolding entry of LE `le`; add_join(le) pops it. */
static void add_ssy(struct life *l, int le)
{
    char label[32], target[32];
    snprintf(label, sizeof label, "ssy_le%02d", le);
    snprintf(target, sizeof target, "join_le%02d", le);
    const struct sbst_arg args[] = {{"target", 0, target}};
    add(l, "ssy", label, args, NARGS(args));
}

static void add_join(struct life *l, int le)
{
    char label[32];
    snprintf(label, sizeof label, "join_le%02d", le);
    const struct sbst_arg args[] = {{"check", constant(l, le, SBST_PLACE_JOIN, SBST_CHECK), NULL}};
    add(l, "join", label, args, NARGS(args));
}

/* One pattern in LE `le`: a `divergence`, or for LE 1 a `peel`. */
static void add_pattern(struct life *l, int le, int thread)
{
    char label[32];
    snprintf(label, sizeof label, "le%02d_t%02d", le, thread);
    const struct sbst_arg args[] = {
        {"thread", (uint32_t)thread, NULL},
        {"taken", constant(l, le, thread, SBST_TAKEN), NULL},
        {"not_taken", constant(l, le, thread, SBST_NOT_TAKEN), NULL},
        {"check", constant(l, le, thread, SBST_CHECK), NULL},
    };
    add(l, le == 1 ? "peel" : "divergence", label, args, NARGS(args));
}

/* After the patterns of LE `le`; le 0: after the scaffolding is gone. */
static void add_checkpoint(struct life *l, int le)
{
    if (!l->checkpoint || l->failed || l->kernel->alive == 0)
        return;
    char label[32];
    if (le > 0)
        snprintf(label, sizeof label, "check_le%02d", le);
    else
        snprintf(label, sizeof label, "check_unwound");
    int thread = 0; /* any that is still there: all have had the same updates */
    while (!(l->kernel->alive >> thread & 1))
        thread++;
    const struct sbst_arg args[] = {
        {"expected", l->kernel->signature[SBST_CHK][thread], NULL},
        {"next", constant(l, le, SBST_PLACE_CHECKPOINT, SBST_CHECK), NULL},
        {"handler", 0, "mismatch"},
    };
    add(l, "checkpoint", label, args, NARGS(args));
}

static void test_deep_les(struct life *l, int first, int last)
{
    for (int le = 1; le <= first - 2; le++)
        add_ssy(l, le);
    for (int le = first; le <= last; le++) {
        if (le > first)
            add_ssy(l, le - 2);
        for (int thread = 0; thread < SBST_LANES; thread++)
            add_pattern(l, le, thread);
        add_checkpoint(l, le);
    }
    for (int le = last - 2; le >= 1; le--)
        add_join(l, le);
    if (last > 2)
        add_checkpoint(l, 0);
}

/* Life 1 peels threads 0 to 15, life 2 threads 16 to 31. Peeling on to the last two would trap instead of telling:
 * when a fault has lost one of them, the other takes the branch alone, pushes nothing and joins on an empty stack. */
static void test_le1(struct life *l)
{
    for (int i = 0; i < SBST_LANES / 2; i++)
        add_pattern(l, 1, (l->number - 1) * SBST_LANES / 2 + i);
    add_checkpoint(l, 1);
}

static void begin(struct life *l)
{
    l->number = ++l->program->nkernels;
    l->kernel = &l->program->kernel[l->number - 1];
    l->kernel->name = fl_format("sync_trick_%d", l->number);
    add_init(l);
}

static void end(struct life *l)
{
    add(l, "finish", "finish", NULL, 0);
    if (l->checkpoint)
        add(l, "mismatch", "mismatch", NULL, 0);
    if (!l->failed && sbst_close(l->kernel, l->err) != 0)
        l->failed = true;
}

static void name_program(struct sbst_program *p, const struct sbst_request *r)
{
    const char *approach = r->approach == SBST_ACC ? "acc" : "ind";
    char *range = r->le_first == r->le_last ? fl_format("%02d", r->le_first)
                                            : fl_format("%02d-%02d", r->le_first, r->le_last);
    char *le = r->le_first == r->le_last ? fl_format("%d", r->le_first)
                                         : fl_format("%d-%d", r->le_first, r->le_last);
    p->name = fl_format("sync-trick-%s-le%s", approach, range);
    p->command = fl_format("sbstgen --method sync-trick --le %s --approach %s%s --profile %s", le,
                           approach, r->checkpoint ? " --checkpoint" : "", p->machine->profile);
    p->about = fl_format("Sync-Trick self-test of the thread masks of LE %s of the divergence "
                         "stack, approach %s, %s "
                         "check-points",
                         le, approach, r->checkpoint ? "with" : "without");
    free(range);
    free(le);
}

int sbst_sync_trick(const struct sbst_library *lib, const struct sbst_machine *machine,
                    const struct sbst_request *request, struct sbst_program *out,
                    struct fl_err *err)
{
    *out = (struct sbst_program){.lib = lib, .machine = machine};
    name_program(out, request);
    struct life l = {.program = out, .checkpoint = request->checkpoint, .err = err};
    begin(&l);
    if (request->le_last >= 2)
        test_deep_les(&l, request->le_first < 2 ? 2 : request->le_first, request->le_last);
    if (request->le_first == 1)
        test_le1(&l);
    end(&l);
    if (request->le_first == 1) {
        begin(&l);
        test_le1(&l);
        end(&l);
    }
    if (l.failed) {
        sbst_program_free(out);
        return -1;
    }
    return 0;
}
