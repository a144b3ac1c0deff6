/* class.c -- see class.h. */
#include "class.h"

#include <stdlib.h>
#include <string.h>

#include "base/fl.h"
#include "sm/commit.h"
#include "asm/isa/isa.h"
#include "sm/structures.h"

static const struct {
    const char *group, *name, *text;
} class_words[CONTROL_CLASS_COUNT] = {
#define X(group, name, text) [CLASS_##name] = {#group, #name, text},
    CONTROL_CLASSES
#undef X
};

const char *control_class_name(enum control_class c)
{
    return class_words[c].name;
}

const char *control_class_group(enum control_class c)
{
    return class_words[c].group;
}

const char *control_class_text(enum control_class c)
{
    return class_words[c].text;
}

/* ---- the fault-free run ---------------------------------------------------------------------- */

/* The commits of one warp of one block, wherever it lay. */
struct warp_run {
    uint32_t launch, block_x, block_y, index;
    uint32_t *commit, count, room; /* numbers in order of time */
};

struct slot { /* which of them a warp slot holds */
    bool known;
    uint32_t launch, block_x, block_y;
    int run; /* -1: none that the fault-free run has */
};

struct control_commits {
    const struct reference *ref;
    struct sm_commit *commit;
    uint32_t count, room;
    struct warp_run *run;
    uint32_t runs, runs_room;
    struct slot *slot; /* [warps] */
    uint32_t *next;    /* [runs] of the faulty machine: its next commit */
    struct dut *golden;
};

static uint32_t register_of(struct dut *m, const struct sm_image *img, int structure, int field,
                            int index, int bits)
{
    uint32_t v = 0;
    struct sm_cell cell = {.structure = structure, .index = {index}, .field = field};
    for (cell.bit = 0; cell.bit < bits; cell.bit++)
        if (m->engine->has(img, &cell))
            v |= (uint32_t)m->engine->read(m, &cell) << cell.bit;
    return v;
}

static int field_of(const struct sm_structure *s, const char *name)
{
    for (int f = 0; f < s->nfields; f++)
        if (strcmp(s->field[f].name, name) == 0)
            return f;
    return -1;
}

/* The warp's place in its block: the slot of the block that holds it says where that begins. */
static uint32_t index_in_block(struct dut *m, const struct sm_image *img, int warp)
{
    struct sm_structure of, slot;
    sm_structure_get(img, SM_S_block_warp, &of);
    sm_structure_get(img, SM_S_block_slot, &slot);
    const int f = field_of(&of, "of_q"), w0 = field_of(&slot, "warp0_q");
    uint32_t block = register_of(m, img, SM_S_block_warp, f, warp, of.field[f].bits);
    return (uint32_t)warp -
           register_of(m, img, SM_S_block_slot, w0, (int)block, slot.field[w0].bits);
}

static int run_find(const struct control_commits *g, const struct warp_run *key)
{
    for (uint32_t i = 0; i < g->runs; i++) {
        const struct warp_run *r = &g->run[i];
        if (r->launch == key->launch && r->block_x == key->block_x && r->block_y == key->block_y &&
            r->index == key->index)
            return (int)i;
    }
    return -1;
}

/* `add`: one that is not there begins. -1: there is none. */
static int run_of(struct control_commits *g, struct dut *m, const struct sm_commit *c, bool add)
{
    if (c->warp < 0 || c->warp >= g->ref->img->profile.warps)
        return -1;
    struct slot *s = &g->slot[c->warp];
    if (s->known && s->launch == c->launch && s->block_x == c->block_x && s->block_y == c->block_y)
        return s->run;
    const struct warp_run key = {.launch = c->launch,
                                 .block_x = c->block_x,
                                 .block_y = c->block_y,
                                 .index = index_in_block(m, g->ref->img, c->warp)};
    int run = run_find(g, &key);
    if (run < 0 && add) {
        FL_ROOM(g->run, g->runs, g->runs_room, 64);
        g->run[g->runs] = key;
        run = (int)g->runs++;
    }
    *s = (struct slot){true, c->launch, c->block_x, c->block_y, run};
    return run;
}

static void forget_slots(struct control_commits *g)
{
    memset(g->slot, 0, (size_t)g->ref->img->profile.warps * sizeof *g->slot);
}

struct control_commits *control_commits_record(const struct reference *ref, struct fl_err *err)
{
    if (ref->img->sms > 1) {
        fl_fail(err,
                "classes of control faults are for one SM, and the profile has %d; give --sms 1",
                ref->img->sms);
        return NULL;
    }
    struct control_commits *g = fl_alloc(sizeof *g);
    struct sm_commit c = {.started = -1};
    g->ref = ref;
    g->slot = fl_alloc((size_t)ref->img->profile.warps * sizeof *g->slot);
    g->golden = ref->engine->make(ref->img, err);
    if (!g->golden) {
        control_commits_free(g);
        return NULL;
    }
    reference_seek(ref, g->golden, 0);
    while (!dut_ended(g->golden)) {
        c.kind = COMMIT_NONE;
        dut_tick(g->golden, &c);
        if (c.kind == COMMIT_NONE)
            continue;
        FL_ROOM(g->commit, g->count, g->room, 4096);
        int run = run_of(g, g->golden, &c, true);
        struct warp_run *r = &g->run[run];
        FL_ROOM(r->commit, r->count, r->room, 256);
        r->commit[r->count++] = g->count;
        g->commit[g->count++] = c;
    }
    g->next = fl_alloc(g->runs * sizeof *g->next);
    return g;
}

void control_commits_free(struct control_commits *g)
{
    if (!g)
        return;
    for (uint32_t i = 0; i < g->runs; i++)
        free(g->run[i].commit);
    dut_free(g->golden);
    free(g->run);
    free(g->commit);
    free(g->slot);
    free(g->next);
    free(g);
}

/* ---- two commits ----------------------------------------------------------------------------- */

static bool lanes_differ(const uint32_t *a, const uint32_t *b, uint32_t mask)
{
    for (; mask; mask &= mask - 1)
        if (a[__builtin_ctz(mask)] != b[__builtin_ctz(mask)])
            return true;
    return false;
}

/* What an instruction wrote, or NULL; *c: of what class that is where its micro-operation is the right one. */
static const char *effects_differ(const struct sm_commit *a, const struct sm_commit *b,
                                  enum control_class *c)
{
    *c = CLASS_IAT;
    if (a->exec != b->exec)
        return "executing threads";
    if ((a->space && !b->space) || (a->nregs && !b->nregs))
        return "threads that execute"; /* none does */
    *c = CLASS_IAL;
    if (a->reg_mask != b->reg_mask)
        return "written lanes";
    *c = b->reg_row - b->reg_base >= (int)b->regs * SM_LANES ? CLASS_IVRA : CLASS_IRA;
    if (a->nregs != b->nregs || (a->nregs && a->reg_row - a->reg_base != b->reg_row - b->reg_base))
        return "written register";
    if (a->cc != b->cc)
        return "written flags";
    if (a->areg != b->areg)
        return "written address register";
    *c = a->space && a->store ? CLASS_IMD : CLASS_IMS;
    if (a->space != b->space || (a->space && (a->bytes != b->bytes || a->store != b->store)))
        return "access";
    if (a->space && lanes_differ(a->addr, b->addr, a->exec))
        return "address";
    *c = CLASS_ORDER;
    for (int k = 0; a->space && a->store && k < (a->bytes > 4 ? a->bytes / 4 : 1); k++)
        if (lanes_differ(a->data[k], b->data[k], a->exec))
            return "stored data";
    for (int k = 0; k < a->nregs; k++)
        if (lanes_differ(a->reg[k], b->reg[k], a->reg_mask))
            return "result";
    if (a->cc >= 0 && (((a->flags.z ^ b->flags.z) | (a->flags.s ^ b->flags.s) |
                        (a->flags.c ^ b->flags.c) | (a->flags.o ^ b->flags.o)) &
                       a->exec))
        return "flags";
    for (int l = 0; a->areg >= 0 && l < SM_LANES; l++)
        if ((a->exec >> l & 1) && a->a[l] != b->a[l])
            return "address register";
    return NULL;
}

static bool stacks_differ(const struct sm_commit *a, const struct sm_commit *b)
{
    if (a->nstack != b->nstack)
        return true;
    for (int i = 0; i < a->nstack; i++)
        if (a->stack[i].push != b->stack[i].push || a->stack[i].le != b->stack[i].le ||
            a->stack[i].id != b->stack[i].id || a->stack[i].tm != b->stack[i].tm ||
            a->stack[i].spc != b->stack[i].spc)
            return true;
    return false;
}

/* The first thing in which two commits of a warp differ, in the order in which it comes to be; NULL: nothing. */
static const char *commits_differ(const struct sm_commit *a, const struct sm_commit *b,
                                  enum control_class *c)
{
    *c = CLASS_WV;
    if (a->kind != b->kind)
        return "unwinding";
    if (a->pc != b->pc)
        return "pc";
    *c = CLASS_IPP;
    if (a->regs != b->regs)
        return "registers of a thread";
    *c = CLASS_IAT;
    if (a->active != b->active)
        return "active threads";
    *c = CLASS_IAW; /* what it fetched before it was its turn */
    if (a->kind == COMMIT_INSTRUCTION && (a->lo != b->lo || a->hi != b->hi))
        return "issued again";
    *c = b->trap == TRAP_ILLEGAL_INSTRUCTION || b->trap == TRAP_UNSUPPORTED_INSTRUCTION ? CLASS_IVOC
                                                                                        : CLASS_WV;
    if (a->trap != b->trap)
        return "trap";
    const char *what = a->kind == COMMIT_INSTRUCTION ? effects_differ(a, b, c) : NULL;
    if (what)
        return what;
    *c = CLASS_WV;
    if (stacks_differ(a, b))
        return "divergence stack";
    if (a->pc_after != b->pc_after)
        return "pc afterwards";
    *c = CLASS_IAW;
    if (a->ended != b->ended)
        return "end of the warp";
    *c = CLASS_IAT;
    return a->active_after != b->active_after ? "active threads afterwards" : NULL;
}

/* ---- two micro-operations -------------------------------------------------------------------- */

/* The fields of sm_isa_pkg::insn_t and sm_uop_pkg::uop_t, lowest first: name, bits, what a wrong one is. */
enum meaning {
    OPERATION,
    VALID,
    UNIT,
    FLOW,
    GUARD,
    REGISTER,
    ROW,
    IMMEDIATE,
    SOURCE,
    DESTINATION,
    ACCESS,
    OPERAND
};
struct field {
    const char *name;
    int bits;
    enum meaning is;
};
#define OPERAND_FIELDS(n, place)                                                                   \
    {n ".kind", 4, OPERAND}, {n ".type", 4, OPERATION}, {n ".as", 4, OPERATION},                   \
        {n ".areg", 3, place}, {n ".bank", 4, place}, {n ".neg", 1, OPERATION},                    \
        {n ".abs", 1, OPERATION}, {n ".inv", 1, OPERATION}, {n ".postinc", 1, place},              \
    {                                                                                              \
        n ".value", 32, OPERAND                                                                    \
    }
static const struct field insn_fields[] = {{"valid", 1, VALID},
                                           {"op", 6, OPERATION},
                                           {"class", 3, OPERATION},
                                           {"size", 4, FLOW},
                                           {"exit", 1, FLOW},
                                           {"join", 1, FLOW},
                                           {"predicate", 5, GUARD},
                                           {"cc_src", 2, GUARD},
                                           {"cc_we", 1, OPERATION},
                                           {"cc_dst", 2, REGISTER},
                                           {"type", 4, OPERATION},
                                           {"stype", 4, OPERATION},
                                           {"cmp", 4, OPERATION},
                                           {"subop", 3, OPERATION},
                                           {"lanes", 4, OPERATION},
                                           {"rnd", 2, OPERATION},
                                           {"rint", 1, OPERATION},
                                           {"sat", 1, OPERATION},
                                           {"high", 1, OPERATION},
                                           {"carry", 1, OPERATION},
                                           {"target", 32, FLOW},
                                           OPERAND_FIELDS("dst", DESTINATION),
                                           OPERAND_FIELDS("src0", SOURCE),
                                           OPERAND_FIELDS("src1", SOURCE),
                                           OPERAND_FIELDS("src2", SOURCE)};
static const struct field uop_fields[] = {
    {"unit", 5, UNIT},           {"two_words", 1, FLOW},      {"exits", 1, FLOW},
    {"joins", 1, FLOW},          {"sfu", 1, OPERATION},       {"cc_write", 1, OPERATION},
    {"postinc", 1, ACCESS},      {"mem_indexed", 1, ACCESS},  {"k_indexed", 1, SOURCE},
    {"k_read", 1, SOURCE},       {"pred", 5, GUARD},          {"cc_src", 2, GUARD},
    {"cc_dst", 2, REGISTER},     {"lanes", 4, OPERATION},     {"subop", 3, OPERATION},
    {"target", 32, FLOW},        {"imm", 32, IMMEDIATE},      {"dst", 2, REGISTER},
    {"dst_reg", 8, ROW},         {"src_a_kind", 3, REGISTER}, {"src_b_kind", 3, REGISTER},
    {"src_c_kind", 3, REGISTER}, {"reg_a", 8, ROW},           {"reg_b", 8, ROW},
    {"reg_c", 8, ROW},           {"mem", 2, ACCESS},          {"mem_width", 4, ACCESS},
    {"mem_offset", 16, ACCESS},  {"k_width", 4, SOURCE},      {"k_offset", 16, SOURCE},
    {"k_bank", 4, SOURCE},       {"areg", 3, ACCESS}};

struct word { /* a register of the pipeline, field by field */
    const struct field *field;
    int fields;
    uint32_t value[80];
};

static void word_read(struct dut *m, const struct sm_image *img, const char *rtl,
                      const struct field *field, int fields, struct word *w)
{
    struct sm_structure pipe;
    sm_structure_get(img, SM_S_pipe, &pipe);
    struct sm_cell cell = {.structure = SM_S_pipe, .field = field_of(&pipe, rtl)};
    *w = (struct word){.field = field, .fields = fields};
    for (int f = 0; f < fields; f++)
        for (int b = 0; b < field[f].bits; b++, cell.bit++)
            w->value[f] |= (uint32_t)m->engine->read(m, &cell) << b;
}

static bool is_memory(uint32_t kind)
{
    return kind == ISA_S || kind == ISA_K || kind == ISA_G || kind == ISA_L;
}

/* Of a field that differs; `f`: its number, good and bad the whole words. */
static enum control_class class_of_operand(const struct word *good, const struct word *bad, int f,
                                           int regs)
{
    const bool dst = strncmp(good->field[f].name, "dst", 3) == 0, value = good->field[f].bits == 32;
    const int at = value ? f - 9 : f; /* of its kind */
    const uint32_t a = good->value[at], b = bad->value[at];
    const enum control_class memory = dst ? CLASS_IMD : CLASS_IMS;
    if (!value || a != b)
        return is_memory(a) || is_memory(b) ? memory : CLASS_IRA;
    if (a == ISA_I)
        return CLASS_IIO;
    if (a == ISA_SREG)
        return CLASS_IPP;
    if (is_memory(a) && a != ISA_G)
        return memory;
    const uint32_t reg = a == ISA_RH ? bad->value[f] >> 1 : bad->value[f];
    return a != ISA_A && a != ISA_CC && reg >= (uint32_t)regs ? CLASS_IVRA : CLASS_IRA;
}

static enum control_class class_of_field(const struct word *good, const struct word *bad, int f,
                                         int regs)
{
    const uint32_t unit = good->value[0]; /* of a micro-operation */
    const bool store = unit == UNIT_STORE;
    switch (good->field[f].is) {
    case VALID: return bad->value[f] ? CLASS_IOC : CLASS_IVOC;
    case UNIT: /* the RTL has no numbers above: votes, atomic operations and locks are marks in other fields */
        return bad->value[f] == UNIT_NONE || bad->value[f] == UNIT_UNSUPPORTED ||
                       bad->value[f] > UNIT_TEXTURE
                   ? CLASS_IVOC
                   : CLASS_IOC;
    case FLOW: return CLASS_WV;
    case GUARD: return CLASS_IAT;
    case REGISTER: return CLASS_IRA;
    case ROW: return bad->value[f] >= (uint32_t)regs ? CLASS_IVRA : CLASS_IRA;
    case IMMEDIATE: return unit == UNIT_S2R ? CLASS_IPP : CLASS_IIO;
    case SOURCE: return CLASS_IMS;
    case DESTINATION: return CLASS_IMD;
    case ACCESS: return store ? CLASS_IMD : CLASS_IMS;
    case OPERAND: return class_of_operand(good, bad, f, regs);
    default: return CLASS_IOC;
    }
}

/* A wrong operation takes its operands with it: the first of these that is there. */
static const enum control_class rank[] = {CLASS_IVOC, CLASS_IOC, CLASS_IRA, CLASS_IVRA, CLASS_IMS,
                                          CLASS_IMD,  CLASS_IIO, CLASS_IPP, CLASS_IAT,  CLASS_WV};

enum control_class control_class_first(enum control_class a, enum control_class b)
{
    size_t i = 0;
    while (i < sizeof rank / sizeof *rank && rank[i] != a && rank[i] != b)
        i++;
    return i < sizeof rank / sizeof *rank && rank[i] == b ? b : a;
}

static const char *words_differ(const struct word *good, const struct word *bad, int regs,
                                enum control_class *c)
{
    const char *name[CONTROL_CLASS_COUNT] = {NULL};
    for (int f = 0; f < good->fields; f++)
        if (good->value[f] != bad->value[f]) {
            enum control_class is = class_of_field(good, bad, f, regs);
            name[is] = name[is] ? name[is] : good->field[f].name;
        }
    for (size_t i = 0; i < sizeof rank / sizeof *rank; i++)
        if (name[rank[i]]) {
            *c = rank[i];
            return name[rank[i]];
        }
    return NULL;
}

static void word_of_operand(const struct isa_operand *o, uint32_t v[10])
{
    const uint32_t value[10] = {o->kind, o->type, o->as,  o->areg,    o->bank,
                                o->neg,  o->abs,  o->inv, o->postinc, o->value};
    memcpy(v, value, sizeof value);
}

/* As insn_fields has it. */
static void word_of(const struct isa_insn *in, struct word *w)
{
    const uint32_t head[] = {1,
                             in->op,
                             isa_op_class((enum isa_op)in->op),
                             in->size,
                             in->exit,
                             in->join,
                             in->pred,
                             in->cc_src,
                             in->cc_dst >= 0,
                             in->cc_dst >= 0 ? (uint32_t)in->cc_dst : 0,
                             in->type,
                             in->stype,
                             in->cmp,
                             in->subop,
                             in->lanes,
                             in->rnd,
                             in->rint,
                             in->sat,
                             in->high,
                             in->carry,
                             in->target};
    enum { HEAD = sizeof head / sizeof *head };
    *w = (struct word){.field = insn_fields, .fields = sizeof insn_fields / sizeof *insn_fields};
    memcpy(w->value, head, sizeof head);
    word_of_operand(&in->dst, &w->value[HEAD]);
    for (int i = 0; i < 3; i++)
        word_of_operand(&in->src[i], &w->value[HEAD + 10 * (i + 1)]);
}

bool control_class_of_change(const struct isa_insn *good, const struct isa_insn *bad, int regs,
                             enum control_class *out)
{
    struct word a, b;
    *out = CLASS_IVOC;
    if (!bad)
        return true;
    word_of(good, &a);
    word_of(bad, &b);
    return words_differ(&a, &b, regs, out) != NULL;
}

/* The words in Write-back, of both machines at the start of the cycles in which they commit. */
static const char *operations_differ(struct dut *good, struct dut *bad, const struct sm_image *img,
                                     int regs, enum control_class *c)
{
    struct word a, b;
    word_read(good, img, "w_insn_q", insn_fields, sizeof insn_fields / sizeof *insn_fields, &a);
    word_read(bad, img, "w_insn_q", insn_fields, sizeof insn_fields / sizeof *insn_fields, &b);
    const char *what = words_differ(&a, &b, regs, c);
    if (what)
        return what;
    word_read(good, img, "w_uop_q", uop_fields, sizeof uop_fields / sizeof *uop_fields, &a);
    word_read(bad, img, "w_uop_q", uop_fields, sizeof uop_fields / sizeof *uop_fields, &b);
    return words_differ(&a, &b, regs, c);
}

/* ---- a fault --------------------------------------------------------------------------------- */

/* The cycle of the first commit that differs; `*want`: the commit that should have been, or NULL. */
static bool first_commit(struct control_commits *g, struct dut *m, uint64_t first,
                         struct sm_commit *bad, const struct sm_commit **want)
{
    const uint64_t limit = 4 * g->ref->cycles; /* of a hang: docs/explain/faults.md */
    uint32_t left = 0;
    enum control_class c;
    forget_slots(g);
    for (uint32_t i = 0; i < g->runs; i++) {
        const struct warp_run *r = &g->run[i];
        for (g->next[i] = 0;
             g->next[i] < r->count && g->commit[r->commit[g->next[i]]].cycle < first;)
            g->next[i]++;
        left += r->count - g->next[i];
    }
    *want = NULL;
    while (!dut_ended(m) && dut_cycle(m) < limit) {
        bad->kind = COMMIT_NONE;
        dut_tick(m, bad);
        if (bad->kind == COMMIT_NONE)
            continue;
        int run = run_of(g, m, bad, false);
        const struct warp_run *r = run >= 0 ? &g->run[run] : NULL;
        *want = r && g->next[run] < r->count ? &g->commit[r->commit[g->next[run]++]] : NULL;
        if (!*want || commits_differ(*want, bad, &c))
            return true;
        left--;
    }
    *want = NULL;
    bad->kind = COMMIT_NONE;
    return left > 0;
}

struct control_difference control_first_difference(struct control_commits *g, void *machine,
                                                   uint32_t fault, uint64_t first)
{
    struct control_difference d = {
        .class = CLASS_NONE, .cycle = FSIM_NEVER, .warp = -1, .field = ""};
    struct sm_commit bad = {.started = -1};
    const struct sm_commit *want;
    if (!first_commit(g, control_machine.start(machine, fault, first), first, &bad, &want))
        return d;
    if (bad.kind == COMMIT_NONE) { /* a warp that should go on never does */
        d.class = CLASS_IAW;
        d.field = "no further commit";
        return d;
    }
    d.cycle = bad.cycle;
    d.warp = bad.warp;
    d.pc = bad.pc;
    if (!want) {
        d.class = CLASS_IAW;
        d.field = "warp without a commit to make";
        return d;
    }
    d.field = commits_differ(want, &bad, &d.class);
    if (want->pc != bad.pc || want->kind != bad.kind || want->kind != COMMIT_INSTRUCTION ||
        want->lo != bad.lo || want->hi != bad.hi)
        return d;
    struct dut *m = control_machine.start(machine, fault, first);
    dut_run(m, bad.cycle);
    reference_seek(g->ref, g->golden, want->cycle);
    enum control_class c;
    const char *what = operations_differ(g->golden, m, g->ref->img, want->regs, &c);
    if (what) {
        d.class = c;
        d.field = what;
    }
    return d;
}
