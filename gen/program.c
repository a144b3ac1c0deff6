/* program.c -- programs as lists of steps, and the walk of 32 threads along them.
 *
 * The walk knows nothing of instructions: it applies what the manifest says that a routine does to
 * the signatures of the threads it names. smrun on the assembled code must come to the same
 * outputs, which the tests check; that makes the manifest and the macros two statements of one
 * thing.
 */
#include "sbst.h"

#include <stdlib.h>
#include <string.h>

static int find_arg(const struct sbst_arg *arg, int nargs, const char *name)
{
    for (int i = 0; i < nargs; i++)
        if (strcmp(arg[i].name, name) == 0)
            return i;
    return -1;
}

static int bind_args(struct sbst_step *s, const struct sbst_arg *arg, int nargs, struct fl_err *err)
{
    const struct sbst_routine *r = s->routine;
    if (nargs != r->nparams)
        return fl_fail(err, "sbst/manifest.xml: routine '%s' takes %d arguments, %s passes %d",
                       r->name, r->nparams, s->label, nargs);
    for (int i = 0; i < r->nparams; i++) {
        int a = find_arg(arg, nargs, r->param[i].name);
        bool label = r->param[i].type == SBST_LABEL;
        if (a < 0 || label != (arg[a].label != NULL))
            return fl_fail(err,
                           "sbst/manifest.xml: routine '%s' has a %s '%s' that %s does not pass",
                           r->name, label ? "label" : "number", r->param[i].name, s->label);
        s->value[i] = arg[a].value;
        if (label)
            s->target[i] = fl_strdup(arg[a].label);
    }
    return 0;
}

static uint32_t
named_threads(const struct sbst_step *s) /* as bits, 0 when the routine names none */
{
    for (int i = 0; i < s->routine->nparams; i++) {
        uint32_t bit = (uint32_t)1 << (s->value[i] & (SBST_LANES - 1));
        switch (s->routine->param[i].type) {
        case SBST_THREAD: return bit;
        case SBST_LOWER: return bit - 1;
        case SBST_UPPER: return ~(bit - 1);
        default: break;
        }
    }
    return 0;
}

static uint32_t who_of(const struct sbst_kernel *k, const struct sbst_step *s,
                       const struct sbst_effect *e)
{
    uint32_t one = named_threads(s);
    return e->threads == SBST_ONE      ? k->active & one
           : e->threads == SBST_OTHERS ? k->active & ~one
                                       : k->active;
}

/* Signatures stored or loaded: neighbouring words, so each half-warp with a thread in it is one
 * transaction. */
static int memory_cycles(const struct sbst_machine *m, const struct sbst_effect *e, uint32_t who)
{
    if (e->kind != SBST_STORE && e->kind != SBST_LOAD)
        return 0;
    int halves = ((who & 0xffff) != 0) + ((who >> 16) != 0);
    int words = e->signature == SBST_SIGNATURES ? SBST_SIGNATURES : 1;
    return words * (m->global_latency + halves * m->global_transaction);
}

/* Who goes on and who waits, at the innermost split. */
static int split(struct sbst_kernel *k, const struct sbst_step *s, enum sbst_effect_kind kind,
                 uint32_t who, struct fl_err *err)
{
    if (kind == SBST_SPLIT) {
        if (k->nwaiting == SBST_MAX_SPLITS)
            return fl_fail(err, "%s is the split number %d", s->label, SBST_MAX_SPLITS + 1);
        k->waiting[k->nwaiting++] = k->active & ~who;
        k->active = who;
        return 0;
    }
    if (k->nwaiting == 0)
        return fl_fail(err, "%s has no split before it", s->label);
    uint32_t *waiting = &k->waiting[k->nwaiting - 1], active = k->active;
    k->active = (kind == SBST_MERGE ? active | *waiting : *waiting) & k->alive;
    if (kind == SBST_MERGE)
        k->nwaiting--;
    else
        *waiting = active;
    return 0;
}

static uint32_t updated(const struct sbst_target *target, uint32_t signature, enum sbst_form form,
                        uint32_t value)
{
    int low = target ? target->factor_bits : 24;
    switch (form) {
    case SBST_LOW: return 5 * (signature & (((uint32_t)1 << low) - 1)) + value;
    case SBST_ADD: return signature + value;
    default: return 5 * signature + value;
    }
}

static int apply(const struct sbst_program *p, struct sbst_kernel *k, const struct sbst_step *s,
                 const struct sbst_effect *e, struct fl_err *err)
{
    uint32_t who = who_of(k, s, e);
    uint32_t times = e->times >= 0 ? s->value[e->times] : 1;
    if (e->kind == SBST_SPLIT || e->kind == SBST_SWAP || e->kind == SBST_MERGE)
        return split(k, s, e->kind, who, err);
    uint32_t value = e->param >= 0 ? s->value[e->param] : 0;
    for (uint32_t t = 0; t < SBST_LANES; t++) {
        if (!(who >> t & 1))
            continue;
        uint32_t *sig = &k->signature[e->signature == SBST_CHK ? SBST_CHK : SBST_SIG][t];
        switch (e->kind) {
        case SBST_SEED: *sig = value + (e->plus_thread ? t : 0); break;
        case SBST_UPDATE:
            for (uint32_t i = 0; i < times; i++)
                *sig = updated(p->target, *sig, e->form, value);
            break;
        case SBST_EXPECT:
            if (*sig != value)
                return fl_fail(err, "%s expects 0x%08x, thread %u has 0x%08x there", s->label,
                               value, t, *sig);
            break;
        case SBST_STORE:
            for (int i = 0; i < SBST_SIGNATURES; i++) {
                if (e->signature != SBST_SIGNATURES && (int)e->signature != i)
                    continue;
                k->output[i][t] = k->signature[i][t];
                k->stored[i] = true;
            }
            break;
        case SBST_LOAD: *sig = k->output[e->signature][t]; break;
        case SBST_LEAVE:
            k->alive &= ~((uint32_t)1 << t);
            k->active &= ~((uint32_t)1 << t);
            break;
        case SBST_SPLIT:
        case SBST_SWAP:
        case SBST_MERGE: break; /* not here */
        }
    }
    return 0;
}

static int walk(const struct sbst_program *p, struct sbst_kernel *k, struct sbst_step *s,
                struct fl_err *err)
{
    const struct sbst_routine *r = s->routine;
    for (int i = 0; i < p->lib->nregs; i++)
        if (r->needs >> i & 1 && !(k->written >> i & 1))
            return fl_fail(err, "%s needs register %s, which nothing before it writes", s->label,
                           p->lib->reg[i].name);
    k->written |= r->writes;
    const struct sbst_cost *c = &s->cost;
    if (k->depth + c->depth > p->machine->stack_entries)
        return fl_fail(err, "%s needs LE %d, profile %s has %d", s->label, k->depth + c->depth,
                       p->machine->profile, p->machine->stack_entries);
    if (k->depth + c->pushes < c->pops)
        return fl_fail(err, "%s pops %d entries, there are %d", s->label, c->pops,
                       k->depth + c->pushes);
    s->le = c->depth ? k->depth + c->depth : c->pops ? k->depth : 0;
    k->depth += c->pushes - c->pops;
    int memory = 0;
    for (int i = 0; i < r->neffects; i++) {
        memory += memory_cycles(p->machine, &r->effect[i], who_of(k, s, &r->effect[i]));
        if (apply(p, k, s, &r->effect[i], err) != 0)
            return -1;
    }
    k->waits += memory;
    if (k->alive == 0 && k->depth > 0) { /* the last exit unwinds what is left */
        if (p->target) {                 /* the last RET pops one, which leads here again */
            k->executed += k->depth * c->executed;
            k->waits += k->depth * memory;
        } else {
            k->waits += k->depth - 1; /* a cycle for each pop but one */
        }
        k->depth = 0;
    }
    k->instructions += c->instructions;
    k->bytes += c->bytes;
    k->executed += c->executed;
    k->waits += c->waits;
    return 0;
}

static void start(const struct sbst_program *p, struct sbst_kernel *k)
{
    k->alive = k->active = 0xffffffff;
    if (p->one_buffer && k > p->kernel)
        memcpy(k->output, k[-1].output, sizeof k->output);
    else
        memset(k->output, 0xff, sizeof k->output);
}

static struct sbst_cost cost_of(const struct sbst_step *s)
{
    struct sbst_cost c = s->routine->once;
    const struct sbst_cost *each = &s->routine->each;
    int n = s->routine->count >= 0 ? (int)s->value[s->routine->count] : 0;
    c.pushes += n * each->pushes;
    c.pops += n * each->pops;
    c.depth += n * each->depth;
    c.instructions += n * each->instructions;
    c.bytes += n * each->bytes;
    c.executed += n * each->executed;
    c.waits += n * each->waits;
    return c;
}

void sbst_org(struct sbst_kernel *k, uint32_t address)
{
    k->org = address;
}

int sbst_add(struct sbst_program *p, struct sbst_kernel *k, const char *routine, const char *label,
             const struct sbst_arg *arg, int nargs, struct fl_err *err)
{
    int index = sbst_routine_find(p->lib, routine, p->target ? p->target->name : NULL);
    if (index < 0)
        return fl_fail(err, "sbst/manifest.xml: has no routine '%s', which %s needs", routine,
                       label);
    if (k->nsteps == 0)
        start(p, k);
    k->step = fl_grow(k->step, (size_t)k->nsteps + 1, sizeof *k->step);
    struct sbst_step *s = &k->step[k->nsteps++];
    *s = (struct sbst_step){.routine = &p->lib->routine[index], .label = fl_strdup(label)};
    s->org = k->org;
    k->org = 0;
    if (bind_args(s, arg, nargs, err) != 0)
        return -1;
    s->cost = cost_of(s);
    return walk(p, k, s, err);
}

/* A mismatch stores the expected check signature: that must not be what a thread stores when all is
 * well. What a step loads itself it expects in memory and does not store. */
static bool stores_like_mismatch(const struct sbst_kernel *k, const struct sbst_step *s)
{
    for (int i = 0; i < s->routine->neffects; i++)
        if (s->routine->effect[i].kind == SBST_LOAD)
            return false;
    for (int i = 0; i < s->routine->neffects; i++) {
        const struct sbst_effect *e = &s->routine->effect[i];
        for (int t = 0; e->kind == SBST_EXPECT && t < SBST_LANES; t++)
            if (s->value[e->param] == k->output[SBST_CHK][t])
                return true;
    }
    return false;
}

int sbst_close(const struct sbst_program *p, const struct sbst_kernel *k, struct fl_err *err)
{
    if (k->depth != 0)
        return fl_fail(err, "%s: ends with %d entries on the stack", k->name, k->depth);
    if (k->nwaiting != 0)
        return fl_fail(err, "%s: ends with %d splits that nothing merges", k->name, k->nwaiting);
    if (k->alive != 0)
        return fl_fail(err, "%s: ends without a finish for threads 0x%08x", k->name, k->alive);
    for (int i = 0; i < SBST_SIGNATURES; i++)
        for (int t = 0; t < SBST_LANES; t++)
            if (k->output[i][t] == 0xffffffff && (k->stored[i] || !p->one_buffer))
                return fl_fail(err,
                               "%s: thread %d stores what a lost thread leaves; change a constant",
                               k->name, t);
    for (int i = 0; i < k->nsteps; i++)
        if (stores_like_mismatch(k, &k->step[i]))
            return fl_fail(
                err,
                "%s: what a mismatch at %s stores is a good output elsewhere; change a constant",
                k->name, k->step[i].label);
    return 0;
}

int sbst_cycles(const struct sbst_program *p)
{
    enum { STAGES = 5 };
    int slot = SBST_LANES / p->machine->sps, cycles = slot;
    for (int i = 0; i < p->nkernels; i++)
        cycles += p->kernel[i].executed * STAGES * slot + p->kernel[i].waits;
    return cycles;
}

int sbst_bytes(const struct sbst_program *p)
{
    int bytes = 0;
    for (int i = 0; i < p->nkernels; i++)
        bytes += p->kernel[i].bytes;
    return bytes;
}

int sbst_check_space(const struct sbst_program *p, struct fl_err *err)
{
    for (int i = 0; i < p->nkernels; i++) {
        const struct sbst_kernel *k = &p->kernel[i];
        int bits = p->machine->code_bits;
        if (p->target && p->target->code_bits < bits)
            bits = p->target->code_bits;
        uint64_t room = (uint64_t)1 << bits, end = 0;
        for (int j = 0; j < k->nsteps; j++) {
            const struct sbst_step *s = &k->step[j];
            if (s->org && end > s->org)
                return fl_fail(err,
                               "%s: %llu bytes of code, below the far block at 0x%x there is room "
                               "for %u; test fewer line-entries or choose --patterns minimal",
                               p->name, (unsigned long long)end, s->org, s->org);
            end = (s->org ? s->org : end) + (uint64_t)s->cost.bytes;
        }
        if (end > room)
            return fl_fail(err,
                           "%s: its code ends at 0x%llx, profile %s has a code space of 0x%llx "
                           "bytes; test fewer line-entries or choose --patterns minimal",
                           p->name, (unsigned long long)end, p->machine->profile,
                           (unsigned long long)room);
    }
    return 0;
}

int sbst_block_warps(const struct sbst_program *p)
{
    return (p->warps + p->blocks - 1) / p->blocks;
}

char *sbst_options(const struct sbst_request *r)
{
    char *warps = r->warps > 1 ? fl_format(" --warps %d", r->warps) : fl_strdup("");
    char *options = fl_format("%s%s%s%s%s%s%s%s", r->checkpoint ? " --checkpoint" : "",
                              r->minimal ? " --patterns minimal" : "", r->pc ? " --pc" : "",
                              r->flow_id ? " --flow-id" : "",
                              r->landing_pads ? " --landing-pads" : "", warps,
                              r->target ? " --target " : "", r->target ? r->target->name : "");
    free(warps);
    return options;
}

char *sbst_suffix(const struct sbst_request *r)
{
    char *warps = r->warps > 1 ? fl_format("-warps%02d", r->warps) : fl_strdup("");
    static const char *const share[] = {"", "-peel1", "-peel2", "-patterns"};
    char *suffix = fl_format("%s%s%s%s%s%s%s%s", r->minimal ? "-minimal" : "", r->pc ? "-pc" : "",
                             r->flow_id ? "-flow-id" : "", r->landing_pads ? "-pads" : "", warps,
                             share[r->share], r->target ? "-" : "",
                             r->target ? r->target->name : "");
    free(warps);
    return suffix;
}

static void free_kernel(struct sbst_kernel *k)
{
    for (int j = 0; j < k->nsteps; j++) {
        free(k->step[j].label);
        for (int a = 0; a < SBST_MAX_PARAMS; a++)
            free(k->step[j].target[a]);
    }
    free(k->step);
    free(k->name);
}

int sbst_compose(const struct sbst_library *lib, const struct sbst_machine *machine,
                 const struct sbst_request *request, struct sbst_program *out, struct fl_err *err)
{
    return (request->nesting ? sbst_nesting : sbst_sync_trick)(lib, machine, request, out, err);
}

void sbst_program_free(struct sbst_program *p)
{
    for (int i = 0; i < p->nkernels; i++)
        free_kernel(&p->kernel[i]);
    free(p->name);
    free(p->command);
    free(p->about);
    *p = (struct sbst_program){0};
}
