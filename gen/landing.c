/* landing.c -- Sync-Trick with landing pads: every stuck-at fault of the stack ends in the
 * signature, and none in a trap.
 *
 * Two launches share the outputs. The first tests what the second relies on: LEs 1 and 2, and that
 * no SYNC entry is taken for CALL, which a join would trap on; it stores the check signature. The
 * second goes on where that is right, and fills the deeper LEs, one half of the warp after the
 * other. Entries that a fault-free machine comes back to hold one of two complementary addresses,
 * so that one pad for each bit and address catches what a wrong bit does in any LE. docs/explain/sbst-minimal.md,
 * "Landing pads", has the argument.
 */
#include <stdio.h>
#include <stdlib.h>
#include "kernel.h"

enum { HALF = SBST_LANES / 2, HALF_BYTES = 4 * HALF, LOW_LES = 2 };

/* Places of constants; docs/explain/sbst.md, "Signatures". */
enum { FIRST, NEXT, LANDED, LEFT, CAUGHT };

static uint32_t constant(const struct kernel *l, int place)
{
    return kernel_constant(l, l->request->le_first, place, SBST_NEST);
}

/* ---- code at addresses of its own ---- */

enum { MAX_PLACED = 80 };

/* The blocks and pads of a kernel, which go there in the order of their addresses. */
struct placed {
    uint32_t address;
    const char *routine, *label;
    struct sbst_arg arg[2];
    int nargs;
    char name[32]; /* of a pad */
};

struct places {
    struct placed place[MAX_PLACED];
    int count;
};

static void add_block(struct places *p, uint32_t address, const char *routine, const char *label,
                      const struct sbst_arg *arg, int nargs)
{
    struct placed *at = &p->place[p->count++];
    *at = (struct placed){.address = address, .routine = routine, .label = label, .nargs = nargs};
    for (int i = 0; i < nargs; i++)
        at->arg[i] = arg[i];
}

/* A pad for each bit from `bit` on of entries that hold `address`, `behind` bytes behind what the
 * bit makes of it. */
static void add_pads(struct places *p, const struct kernel *l, const char *entry, uint32_t address,
                     int bit, uint32_t behind)
{
    for (; bit < l->program->machine->code_bits; bit++) {
        /* the slide begins with a place for those whom no pad sends, then bit 3 */
        const struct sbst_arg pad[] = {{"caught", 0, "caught"},
                                       {"offset", 8 * ((uint32_t)bit - 2), NULL}};
        add_block(p, (address ^ (uint32_t)1 << bit) + behind, "pad", NULL, pad, NARGS(pad));
        struct placed *at = &p->place[p->count - 1];
        snprintf(at->name, sizeof at->name, "pad_%s_b%02d", entry, bit);
    }
}

static int by_address(const void *a, const void *b)
{
    uint32_t x = ((const struct placed *)a)->address, y = ((const struct placed *)b)->address;
    return (x > y) - (x < y);
}

static void add_placed(struct kernel *l, struct places *p)
{
    qsort(p->place, (size_t)p->count, sizeof p->place[0], by_address);
    for (int i = 0; i < p->count; i++) {
        const struct placed *at = &p->place[i];
        sbst_org(l->kernel, at->address);
        kernel_add(l, at->routine, at->label ? at->label : at->name, at->arg, at->nargs);
    }
}

/* ---- launch 1 ---- */

static void add_caught(struct kernel *l, const char *routine)
{
    const struct sbst_arg caught[] = {{"slide", (uint32_t)l->program->machine->code_bits - 2, NULL},
                                      {"caught", constant(l, CAUGHT), NULL}};
    kernel_add(l, routine, "caught", caught, NARGS(caught));
}

static void add_low_blocks(struct kernel *l)
{
    uint32_t up = kernel_far_address(l, 0), down = kernel_far_address(l, 1);
    const struct sbst_arg call_down[] = {{"callee", 0, "unwind_break"}, {"next", 0, "call_up"}};
    const struct sbst_arg call_up[] = {{"callee", 0, "unwind_sync"}, {"next", 0, "low_again"}};
    struct places p = {.count = 0};
    add_block(&p, down - 8, "call_down", "call_down", call_down, NARGS(call_down));
    add_pads(&p, l, "down", down, 3, 0);
    add_block(&p, up - 8, "call_up", "call_up", call_up, NARGS(call_up));
    add_pads(&p, l, "up", up, 4, 0); /* bit 3 leads to the CAL: unwind_sync */
    add_placed(l, &p);
}

/* The LEs that every life uses: LE 1 and 2 hold both addresses, and what launch 2 needs to know of
 * flow ids. */
static void add_low_les(struct kernel *l)
{
    int last = l->request->le_last > LOW_LES ? l->request->le_last : LOW_LES + 1;
    const struct sbst_arg go[] = {{"block", 0, "call_down"}};
    const struct sbst_arg caught[] = {{"caught", 0, "caught"}};
    const struct sbst_arg sync[] = {{"count", (uint32_t)last - 1, NULL},
                                    {"step", 0 - kernel_check_seed(l) / 2, NULL},
                                    {"caught", 0, "caught"}};
    kernel_add(l, "low_go", "low_go", go, NARGS(go));
    kernel_add(l, "unwind_break", "unwind_break", caught, NARGS(caught));
    kernel_add(l, "unwind_sync", "unwind_sync", sync, NARGS(sync));
    kernel_add(l, "low_again", "low_again", go, NARGS(go));
    const struct sbst_arg leave[] = {{"upper", HALF, NULL},
                                     {"left", constant(l, LEFT), NULL},
                                     {"back", 0, "back"},
                                     {"caught", 0, "caught"}};
    kernel_add(l, "leave_upper", "leave", leave, NARGS(leave));
    kernel_add(l, "back", "back", NULL, 0);
    add_caught(l, "caught_chk");
    add_low_blocks(l);
}

static void launch_1(struct kernel *l)
{
    kernel_begin(l, "sync_trick");
    if (l->request->le_first <= LOW_LES) {
        add_low_les(l);
    } else {
        const struct sbst_arg all[] = {{"count", (uint32_t)l->request->le_last, NULL},
                                       {"caught", 0, "caught"}};
        kernel_add(l, "unwind_all", "unwind_all", all, NARGS(all));
        add_caught(l, "caught_chk");
    }
    kernel_close(l);
}

/* ---- launch 2 ---- */

static void add_chain_blocks(struct kernel *l)
{
    uint32_t high = kernel_far_address(l, 0), low = kernel_far_address(l, 1);
    const struct sbst_arg joins[] = {{"first", constant(l, FIRST), NULL},
                                     {"next", constant(l, NEXT), NULL}};
    const struct sbst_arg landing[] = {{"landed", constant(l, LANDED), NULL}};
    struct places p = {.count = 0};
    add_block(&p, high, "joins", "joins", joins, NARGS(joins));
    add_block(&p, low, "landing", "landing", landing, NARGS(landing));
    add_pads(&p, l, "joins", high, 4, 8); /* a pop of SYNC goes on 8 bytes further */
    add_pads(&p, l, "landing", low, 4, 0);
    add_placed(l, &p);
}

/* The calls of both chains; how many entries each has. */
static int add_chain_calls(struct kernel *l)
{
    const struct sbst_request *r = l->request;
    int count = r->le_last - (r->le_first > LOW_LES ? r->le_first - 1 : LOW_LES);
    if (count == 0) /* LE 2 is the last: one entry above it, so that the upper part has an update */
        count = 1;
    kernel_scaffolding(l, r->le_first - LOW_LES);
    const struct sbst_arg halves[] = {{"upper", HALF, NULL}};
    const struct sbst_arg lower[] = {{"lower", HALF, NULL},
                                     {"count", (uint32_t)count, NULL},
                                     {"first", constant(l, FIRST), NULL},
                                     {"next", constant(l, NEXT), NULL},
                                     {"chain", 0, "chain_lower"}};
    const struct sbst_arg upper[] = {{"upper", HALF, NULL},
                                     {"count", (uint32_t)count, NULL},
                                     {"landed", constant(l, LANDED), NULL},
                                     {"chain", 0, "chain_upper"}};
    kernel_add(l, "halves", "halves", halves, NARGS(halves));
    kernel_add(l, "call_lower", "call_lower", lower, NARGS(lower));
    kernel_add(l, "call_upper", "call_upper", upper, NARGS(upper));
    return count;
}

static void add_chains(struct kernel *l, int count)
{
    struct sbst_arg chain[] = {{"count", (uint32_t)count, NULL},
                               {"alone", 0, "alone"},
                               {"back", 0, "back"},
                               {"block", 0, "joins"}};
    kernel_add(l, "chain_lower", "chain_lower", chain, NARGS(chain));
    kernel_add(l, "alone", "alone", NULL, 0);
    chain[3].label = "landing";
    kernel_add(l, "chain_upper", "chain_upper", chain, NARGS(chain));
    add_chain_blocks(l);
}

static void launch_2(struct kernel *l, uint32_t expected)
{
    const struct sbst_request *r = l->request;
    kernel_begin(l, "sync_trick");
    const struct sbst_arg gate[] = {{"half", HALF_BYTES, NULL}, {"expected", expected, NULL}};
    kernel_add(l, "gate", "gate", gate, NARGS(gate));
    int count = r->le_last >= LOW_LES ? add_chain_calls(l) : -1;
    const struct sbst_arg leave[] = {{"lower", HALF, NULL},
                                     {"left", constant(l, LEFT), NULL},
                                     {"back", 0, "back"},
                                     {"caught", 0, "caught"}};
    if (r->le_first == 1)
        kernel_add(l, "leave_lower", "leave", leave, NARGS(leave));
    else
        kernel_finish(l);
    kernel_add(l, "back", "back", NULL, 0);
    add_caught(l, "caught_sig");
    if (count >= 0)
        add_chains(l, count);
    kernel_close(l);
}

void landing_test(struct kernel *l)
{
    l->program->one_buffer = true;
    launch_1(l);
    if (!l->failed)
        launch_2(l, l->kernel->output[SBST_CHK][0]);
}
