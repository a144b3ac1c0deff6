/* kernel.c -- what every method adds to a life: initialization, scaffolding, check-points, LE 1, far
 * blocks, the end. */
#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t sbst_constant(int kernel, int le, int place, enum sbst_role role)
{
    uint32_t n = (uint32_t)(((kernel * 64 + le) * 64 + place) * 4 + (int)role + 1);
    return n * 0x9e3779b1u; /* odd: different n, different constants */
}

uint32_t kernel_constant(const struct kernel *l, int le, int place, enum sbst_role role)
{
    return sbst_constant(l->number, le, place, role);
}

/* With landing pads launch 1 counts it down in two steps, and looks at the sign. */
uint32_t kernel_check_seed(const struct kernel *l)
{
    uint32_t seed = kernel_constant(l, 0, SBST_PLACE_SEED, SBST_CHECK);
    return l->request->landing_pads && l->number == 1 ? (seed >> 3 | 1) << 1 : seed;
}

void kernel_add(struct kernel *l, const char *routine, const char *label,
                const struct sbst_arg *arg, int nargs)
{
    if (!l->failed && sbst_add(l->program, l->kernel, routine, label, arg, nargs, l->err) != 0)
        l->failed = true;
}

void kernel_start(struct kernel *l, const struct sbst_request *request)
{
    struct sbst_program *p = l->program;
    l->request = request;
    p->warps = request->warps ? request->warps : 1;
    p->blocks = 1;
    while (sbst_block_warps(p) * SBST_LANES > p->machine->block_threads)
        p->blocks++;
}

bool kernel_has_patterns(const struct kernel *l)
{
    return l->request->share == SBST_WHOLE || l->request->share == SBST_BUT_PEELS;
}

bool kernel_has_peel(const struct kernel *l, int number)
{
    enum sbst_share share = l->request->share;
    return l->request->le_first == 1 && (share == SBST_WHOLE || (int)share == number);
}

void kernel_begin(struct kernel *l, const char *prefix)
{
    l->kernel = &l->program->kernel[l->program->nkernels++];
    l->number = l->request->share == SBST_PEEL_2 ? 2 : l->program->nkernels;
    l->flow = false;
    l->kernel->name = fl_format("%s_%d", prefix, l->number);
    const struct sbst_arg args[] = {
        {"sig_seed", kernel_constant(l, 0, SBST_PLACE_SEED, SBST_TAKEN), NULL},
        {"chk_seed", kernel_check_seed(l), NULL},
    };
    const struct sbst_arg warps[] = {
        args[0],
        args[1],
        {"block_threads", (uint32_t)(SBST_LANES * sbst_block_warps(l->program)), NULL},
    };
    if (l->program->warps == 1)
        kernel_add(l, "init", "init", args, NARGS(args));
    else
        kernel_add(l, "init_warps", "init", warps, NARGS(warps));
    if (l->request->minimal)
        kernel_add(l, "five", "five", NULL, 0);
}

void kernel_ssy(struct kernel *l, int le)
{
    char label[32], target[32];
    snprintf(label, sizeof label, "ssy_le%02d", le);
    snprintf(target, sizeof target, "join_le%02d", le);
    const struct sbst_arg args[] = {{"target", 0, target}};
    kernel_add(l, "ssy", label, args, NARGS(args));
}

void kernel_join(struct kernel *l, int le)
{
    char label[32];
    snprintf(label, sizeof label, "join_le%02d", le);
    const struct sbst_arg args[] = {
        {"check", kernel_constant(l, le, SBST_PLACE_JOIN, SBST_CHECK), NULL}};
    kernel_add(l, "join", label, args, NARGS(args));
}

void kernel_scaffolding(struct kernel *l, int base)
{
    const struct sbst_arg args[] = {{"target", 0, "finish"}};
    for (int le = 1; le < base; le++) {
        char label[32];
        snprintf(label, sizeof label, "below_le%02d_ssy", le);
        kernel_add(l, "ssy", label, args, NARGS(args));
    }
}

static void checkpoint(struct kernel *l, int le, const char *label)
{
    if (!l->request->checkpoint || l->failed || l->kernel->alive == 0)
        return;
    int thread = 0; /* any that is still there: all have had the same updates */
    while (!(l->kernel->alive >> thread & 1))
        thread++;
    const struct sbst_arg args[] = {
        {"expected", l->kernel->signature[SBST_CHK][thread], NULL},
        {"next", kernel_constant(l, le, SBST_PLACE_CHECKPOINT, SBST_CHECK), NULL},
        {"handler", 0, "mismatch"},
    };
    kernel_add(l, "checkpoint", label, args, NARGS(args));
}

void kernel_checkpoint(struct kernel *l, int le)
{
    char label[32];
    if (le > 0)
        snprintf(label, sizeof label, "check_le%02d", le);
    else
        snprintf(label, sizeof label, "check_unwound");
    checkpoint(l, le, label);
}

/* The same with one pattern: the lower half leaves in life 1, the upper half in life 2. */
static void shed(struct kernel *l)
{
    const char *half = l->number == 1 ? "lower" : "upper";
    char routine[32];
    snprintf(routine, sizeof routine, "shed_%s", half);
    const struct sbst_arg args[] = {
        {half, SBST_LANES / 2, NULL},
        {"taken", kernel_constant(l, 1, 0, SBST_TAKEN), NULL},
        {"not_taken", kernel_constant(l, 1, 0, SBST_NOT_TAKEN), NULL},
    };
    kernel_add(l, routine, routine, args, NARGS(args));
}

/* Life 1 peels threads 0 to 15, life 2 threads 16 to 31. Peeling on to the last two would trap
 * instead of telling: when a fault has lost one of them, the other takes the branch alone, pushes
 * nothing and joins on an empty stack. */
void kernel_peel(struct kernel *l)
{
    if (l->request->minimal) {
        shed(l);
        return;
    }
    for (int i = 0; i < SBST_LANES / 2; i++) {
        int thread = (l->number - 1) * SBST_LANES / 2 + i;
        char label[32];
        snprintf(label, sizeof label, "le01_t%02d", thread);
        const struct sbst_arg args[] = {
            {"thread", (uint32_t)thread, NULL},
            {"taken", kernel_constant(l, 1, thread, SBST_TAKEN), NULL},
            {"not_taken", kernel_constant(l, 1, thread, SBST_NOT_TAKEN), NULL},
            {"check", kernel_constant(l, 1, thread, SBST_CHECK), NULL},
        };
        kernel_add(l, "peel", label, args, NARGS(args));
    }
    kernel_checkpoint(l, 1);
}

uint32_t kernel_far_address(const struct kernel *l, int which)
{
    uint32_t space = l->program->machine->code_bits >= 32
                         ? 0xfffffff8
                         : ((uint32_t)1 << l->program->machine->code_bits) - 8;
    uint32_t address = 0x55555558 & space;
    return which == 0 ? address : ~address & space;
}

/* Fills LEs le_first to le_last with the address of far block `which` and pops them there one by
 * one. */
static void add_far_pops(struct kernel *l, int which)
{
    int first = l->request->le_first, last = l->request->le_last;
    char block[32], label[48];
    snprintf(block, sizeof block, "far_%d", which + 1);
    for (int le = first; le <= last; le++) {
        snprintf(label, sizeof label, "%s_ssy_le%02d", block, le);
        const struct sbst_arg target[] = {{"target", 0, block}};
        kernel_add(l, "ssy", label, target, NARGS(target));
    }
    const struct sbst_arg args[] = {
        {"count", (uint32_t)(last - first + 1), NULL},
        {"check", kernel_constant(l, 0, which, SBST_NEST), NULL},
        {"block", 0, block},
    };
    snprintf(label, sizeof label, "%s_go", block);
    kernel_add(l, "far_go", label, args, NARGS(args));
    /* a target: the block comes back here */
    snprintf(label, sizeof label, "%s_back", block);
    const struct sbst_arg update[] = {{"check", kernel_constant(l, 0, 2 + which, SBST_NEST), NULL}};
    kernel_add(l, "mark", label, update, NARGS(update));
}

static void add_flow_id(struct kernel *l, const char *routine, int place)
{
    const struct sbst_arg args[] = {
        {"count", (uint32_t)(l->request->le_last - l->request->le_first + 1), NULL},
        {"check", kernel_constant(l, 0, place, SBST_NEST), NULL},
    };
    kernel_add(l, routine, routine, args, NARGS(args));
}

void kernel_flow(struct kernel *l)
{
    const struct sbst_request *r = l->request;
    if (!r->pc && !r->flow_id)
        return;
    /* Minimal patterns leave entries below the range, which the last exit unwinds. */
    int found = l->kernel->depth;
    char label[32], target[32];
    for (int le = found + 1; le < r->le_first; le++) {
        snprintf(label, sizeof label, "flow_ssy_le%02d", le);
        snprintf(target, sizeof target, "flow_join_le%02d", le);
        const struct sbst_arg args[] = {{"target", 0, target}};
        kernel_add(l, "ssy", label, args, NARGS(args));
    }
    l->flow = r->pc;
    for (int which = 0; which < 2 && r->pc; which++)
        add_far_pops(l, which);
    int sps = l->program->machine->sps;
    if (r->flow_id && (!r->target || sps <= r->target->call_sps))
        add_flow_id(l, "calls", 4);
    if (r->flow_id && (!r->target || sps >= r->target->break_sps))
        add_flow_id(l, "breaks", 5);
    for (int le = r->le_first - 1; le > found; le--) {
        snprintf(label, sizeof label, "flow_join_le%02d", le);
        const struct sbst_arg args[] = {{"check", kernel_constant(l, le, 33, SBST_NEST), NULL}};
        kernel_add(l, "join", label, args, NARGS(args));
    }
    checkpoint(l, 34, "check_flow");
}

void kernel_far_blocks(struct kernel *l)
{
    for (int which = 0; which < 2; which++) {
        char block[32], back[32];
        snprintf(block, sizeof block, "far_%d", which + 1);
        snprintf(back, sizeof back, "far_%d_back", which + 1);
        const struct sbst_arg args[] = {
            {"check", kernel_constant(l, 0, which, SBST_NEST), NULL},
            {"back", 0, back},
        };
        sbst_org(l->kernel, kernel_far_address(l, which));
        kernel_add(l, "far_block", block, args, NARGS(args));
    }
}

void kernel_finish(struct kernel *l)
{
    kernel_add(l, "finish", "finish", NULL, 0);
    if (l->request->checkpoint)
        kernel_add(l, "mismatch", "mismatch", NULL, 0);
}

void kernel_close(struct kernel *l)
{
    if (!l->failed && sbst_close(l->program, l->kernel, l->err) != 0)
        l->failed = true;
}

void kernel_end(struct kernel *l)
{
    kernel_finish(l);
    if (l->flow)
        kernel_far_blocks(l);
    kernel_close(l);
}
