/* emit.c -- a kernel as text of the assembler. */
#include "ir.h"

#include <stdarg.h>
#include <string.h>

struct emitter {
    struct cc_fn *f;
    struct fl_buf *out;
    struct cc_joins j;
    int *next; /* the block that follows each in the code */
    struct cc_place shown;
    bool can_exit; /* the last instruction may carry the exit flag; its mnemonic ends at `flag` */
    size_t flag;
    int nlocks;
};

static const char *const cond_name[N_CONDS] = {"NE", "EQ",  "LT",    "LE",       "GT",
                                               "GE", "LTU", "CARRY", "NOT_CARRY"};
static const char *const compare_name[] = {"FALSE", "LT",  "EQ",  "LE",  "GT",  "NE",  "GE", "NUM",
                                           "NAN",   "LTU", "EQU", "LEU", "GTU", "NEU", "GEU"};
static const char *const size_name[] = {"U32", "U8", "S8", "U16", "S16"};

static int color(const struct emitter *e, int v)
{
    return e->f->vreg[v].color;
}

static void put(struct emitter *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(struct emitter *e, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    fl_buf_vprintf(e->out, fmt, args);
    va_end(args);
}

/* ---- mnemonics ---- */

/* Of operations whose mnemonic is always the same, or another one with an immediate; what follows .EXIT and .S, of signed
 * operations too. */
static const struct {
    const char *name, *immediate, *types, *signed_types;
} mnemonics[I_OPS] = {
    [I_ADD] = {"IADD", "IADD32I"},
    [I_MUL16] = {"IMUL", NULL, ".U16.U16", ".S16.S16"},
    [I_MAD16] = {"IMAD", NULL, ".U16", ".S16"},
    [I_MUL24] = {"IMUL", "IMUL32I", ".U24.U24", ".S24.S24"},
    [I_MAD24] = {"IMAD", NULL, ".U24", ".S24"},
    [I_MIN] = {"IMIN", NULL, NULL, ".S32"},
    [I_MAX] = {"IMAX", NULL, NULL, ".S32"},
    [I_SET] = {"ISET", NULL, NULL, ".S32"},
    [I_SHL] = {"SHL"},
    [I_SHR] = {"SHR", NULL, NULL, ".S32"},
    [I_AND] = {"LOP", "LOP32I", ".AND"},
    [I_OR] = {"LOP", "LOP32I", ".OR"},
    [I_XOR] = {"LOP", "LOP32I", ".XOR"},
    [I_FADD] = {"FADD", "FADD32I"},
    [I_FMUL] = {"FMUL", "FMUL32I"},
    [I_FMAD] = {"FMAD"},
    [I_FMIN] = {"FMIN"},
    [I_FMAX] = {"FMAX"},
    [I_FSET] = {"FSET"},
    [I_R2A] = {"R2A"},
    [I_ADA] = {"ADA"},
    [I_C2R] = {"C2R"},
    [I_R2C] = {"R2C"},
    [I_VOTE] = {"VOTE"},
    [I_CLOCK] = {"S2R"},
    [I_TEXOUT] = {"MOV"},
    [I_BAR] = {"BAR", NULL, ".ARV.WAIT"},
    [I_RET] = {"RET"},
};

static bool is_range_reduction(const struct cc_insn *i)
{
    return i->op == I_CONV && strncmp(i->text, "RRO", 3) == 0;
}

static void put_mnemonic(struct emitter *e, const struct cc_insn *i)
{
    static const char *const load[] = {"GLD", "MVC", "LLD", "MVC"}, /* by cc_space */
        *const store[] = {"GST", "R2G", "LST"};
    switch (i->op) {
    case I_MOV:
    case I_TEXIN:
        put(e, "%s", i->a[0].kind == K_IMM ? "MVI" : i->a[0].kind == K_C ? "MVC" : "MOV");
        break;
    case I_CONV: put(e, "%.3s", i->text); break;
    case I_SFU:
    case I_TEX: put(e, "%s", i->text); break;
    case I_LD: put(e, "%s", load[i->space]); break;
    case I_ST: put(e, "%s", store[i->space]); break;
    case I_ATOM: put(e, "%s", i->d < 0 && i->row < 2 ? "GRED" : "GATOM"); break;
    default:
        put(e, "%s",
            mnemonics[i->op].immediate && i->a[1].kind == K_IMM ? mnemonics[i->op].immediate
                                                                : mnemonics[i->op].name);
    }
}

static void put_types(struct emitter *e, const struct cc_insn *i)
{
    switch (i->op) {
    case I_CONV: put(e, "%s", is_range_reduction(i) ? "" : i->text + 3); break;
    case I_LD:
        if (i->space != S_CONST || i->size != M_32)
            put(e, ".%s", size_name[i->size]);
        break;
    case I_ST:
        if (i->space != S_SHARED)
            put(e, ".%s", size_name[i->size]);
        else /* stores to shared memory have no signed types */
            put(e, ".U32.U%s", size_name[i->size] + 1);
        break;
    case I_ATOM:
    case I_VOTE: put(e, ".%s", i->text); break;
    case I_TEX: put(e, ".LIVE"); break;
    default: {
        const char *types = i->sign ? mnemonics[i->op].signed_types : NULL;
        types = types ? types : mnemonics[i->op].types;
        put(e, "%s", types ? types : "");
    }
    }
    put(e, "%s%s", i->trunc ? ".TRUNC" : "", i->sat ? ".SAT" : "");
}

/* Has the encoding the bits of .EXIT and .S? Control instructions and those with a long immediate have not. */
static bool has_flags(const struct cc_insn *i)
{
    if (i->op == I_BAR || i->op == I_RET)
        return false;
    if ((i->op == I_MOV || i->op == I_TEXIN) && i->a[0].kind == K_IMM)
        return false;
    return i->a[1].kind != K_IMM || i->op == I_SHL || i->op == I_SHR || i->op == I_R2A ||
           i->op == I_ADA;
}

/* ---- operands ---- */

static void put_address(struct emitter *e, const struct cc_operand *o)
{
    if (o->v >= 0)
        put(e, "A%d+", color(e, o->v) + 1);
    put(e, "0x%x", o->imm);
}

/* `space`: of K_S, where it is not shared memory. */
static void put_operand_in(struct emitter *e, const struct cc_operand *o, enum cc_space space)
{
    static const char *const half[] = {[WHOLE] = "", [LOW] = "L", [HIGH] = "H"};
    put(e, "%s%s%s", o->neg ? "-" : "", o->inv ? "~" : "", o->abs ? "|" : "");
    if (o->kind == K_R)
        put(e, "R%d%s", color(e, o->v), half[o->half]);
    else if (o->kind == K_IMM)
        put(e, "0x%x", o->imm);
    else {
        if (o->kind == K_C || space == S_CONST)
            put(e, "c%d[", o->kind == K_C ? o->bank : 0);
        else
            put(e, space == S_LOCAL ? "local[" : "s[");
        put_address(e, o);
        put(e, "]");
        if (o->kind == K_S && space == S_SHARED && o->size != M_32)
            put(e, ".%s", size_name[o->size]);
    }
    if (o->abs)
        put(e, "|");
}

static void put_operand(struct emitter *e, const struct cc_operand *o)
{
    put_operand_in(e, o, S_SHARED);
}

/* ", " and an operand, for each that is there. */
static void put_operands(struct emitter *e, const struct cc_insn *i, int from)
{
    for (int k = from; k < 3 && i->a[k].kind != K_NONE; k++) {
        put(e, ", ");
        put_operand(e, &i->a[k]);
    }
}

/* What a load, store or atomic operation accesses. */
static void put_memory(struct emitter *e, const struct cc_insn *i)
{
    struct cc_operand o = i->a[0];
    o.size = M_32; /* the mnemonic has it */
    if (i->space != S_GLOBAL) {
        put_operand_in(e, &o, i->space);
        return;
    }
    put(e, "global14[");
    put_operand(e, &o);
    put(e, "]");
}

static void put_guard(struct emitter *e, const struct cc_insn *i)
{
    if (i->guard >= 0)
        put(e, "(C%d.%s)", color(e, i->guard), cond_name[i->cond]);
}

static void put_target(struct emitter *e, const struct cc_insn *i)
{
    if (i->d < 0)
        put(e, "o[0x7f]");
    else
        put(e, "%c%d", "RCA"[e->f->vreg[i->d].class],
            color(e, i->d) + (e->f->vreg[i->d].class == CC_A));
    put_guard(e, i);
}

/* ---- instructions ---- */

static void put_place(struct emitter *e, const struct cc_place *at)
{
    if (at->line == e->shown.line && at->file == e->shown.file)
        return;
    e->shown = *at;
    if (at->line && e->f->module->file[at->file].name)
        put(e, "    .line \"%s\", %d\n", e->f->module->file[at->file].name, at->line);
}

/* Target, address and operands of an atomic operation on global memory; those of 64 bits are in the row after the kernel's
 * registers. */
static void put_atomic(struct emitter *e, const struct cc_insn *i)
{
    bool result = i->d >= 0 || i->row == 2;
    int row = e->f->regs;
    if (result) {
        put(e, "R%d", i->row ? row : color(e, i->d));
        put_guard(e, i);
        put(e, ", ");
    }
    put_memory(e, i);
    if (!result)
        put_guard(e, i);
    if (i->row)
        put(e, strncmp(i->text, "CAS", 3) ? ", R%d" : ", R%d, R%d", row, row + 2);
    put_operands(e, i, 1);
}

/* An atomic operation on shared memory. Lanes take the lock of their word, and the lane that has it leaves the loop with the work done: PBK and
 * BRK, which use one entry of the stack however many turns there are. What it makes of row[0], lanes that have no lock make in vain. */
static void put_locked(struct emitter *e, const struct cc_insn *i)
{
    static const struct {
        const char *op, *code; /* $0, $1, $2: the row; $3, $4: a1, a2 */
    } make[] = {{"IADD", "IADD $1, $0, $3"},
                {"EXCH", "MOV $1, $3"},
                {"CAS", "ISET $1, $0, $3, EQ\n    LOP.XOR $2, $0, $4\n"
                        "    LOP.AND $1, $1, $2\n    LOP.XOR $1, $1, $0"},
                {"INC", "IADD $1, $0, $4\n    ISET $2, $0, $3, LT\n"
                        "    LOP.AND $1, $1, $2"},
                {"DEC", "IADD $1, $0, $4\n    IMIN $1, $1, $3"},
                {"MIN.S32", "IMIN.S32 $1, $0, $3"},
                {"MIN", "IMIN $1, $0, $3"},
                {"MAX.S32", "IMAX.S32 $1, $0, $3"},
                {"MAX", "IMAX $1, $0, $3"},
                {"AND", "LOP.AND $1, $0, $3"},
                {"OR", "LOP.OR $1, $0, $3"},
                {"XOR", "LOP.XOR $1, $0, $3"}};
    size_t k = 0;
    while (strncmp(i->text, make[k].op, strlen(make[k].op)) != 0)
        k++;
    const int row = e->f->regs, c = color(e, i->dc), n = e->nlocks++;
    const int reg[] = {row, row + 1, row + 2, color(e, i->a[1].v),
                       i->a[2].kind == K_R ? color(e, i->a[2].v) : 0};
    put_place(e, &i->place);
    put(e, "    PBK E%d\nK%d:\n    G2R.U32.LCK.C%d R%d, ", n, n, c, row);
    put_memory(e, i);
    put(e, "\n    ");
    for (const char *p = make[k].code; *p; p++)
        if (*p == '$')
            put(e, "R%d", reg[*++p - '0']);
        else
            fl_buf_add(e->out, p, 1);
    put(e, "\n    R2G.U32.U32.UNL ");
    put_memory(e, i);
    put(e, "(C%d.LT), R%d\n    BRK C%d.LT\n    BRA K%d\nE%d:\n    NOP\n", c, row + 1, c, n, n);
    e->can_exit = false;
}

/* What follows the mnemonic; the predicate of RET has no brackets. */
static void put_rest(struct emitter *e, const struct cc_insn *i)
{
    const unsigned row = (unsigned)e->f->regs;
    switch (i->op) {
    case I_RET:
        if (i->guard >= 0)
            put(e, " C%d.%s", color(e, i->guard), cond_name[i->cond]);
        return;
    case I_BAR: put(e, " b%u, 0xfff", i->a[0].imm); return;
    case I_TEXIN:
        put(e, " R%u", row + i->off);
        put_guard(e, i);
        put_operands(e, i, 0);
        return;
    case I_TEX:
        put(e, " R%u", row);
        put_guard(e, i);
        put(e, ", t%u, s%u, n%d, m%d, x0, y0, z0", i->off, i->off, i->size - 1, i->cmp);
        return;
    case I_ST:
        put(e, " ");
        put_memory(e, i);
        put_guard(e, i);
        put_operands(e, i, 1);
        return;
    case I_ATOM:
        put(e, " ");
        put_atomic(e, i);
        return;
    default: break;
    }
    put(e, " ");
    put_target(e, i);
    switch (i->op) {
    case I_TEXOUT: put(e, ", R%u", row + i->off); break;
    case I_CLOCK: put(e, ", %s", i->text); break;
    case I_LD:
        put(e, ", ");
        put_memory(e, i);
        break;
    case I_ADA:
        put(e, ", A%d, 0x%x", i->a[0].kind == K_IMM ? 0 : color(e, i->a[0].v) + 1, i->a[1].imm);
        break;
    case I_C2R: put(e, ", C%d", color(e, i->a[0].v)); break;
    case I_R2A:
        put(e, ", ");
        put_operand(e, &i->a[0]);
        if (i->a[1].imm)
            put(e, ", 0x%x", i->a[1].imm);
        break;
    case I_SET:
    case I_FSET:
        put_operands(e, i, 0);
        put(e, ", %s", compare_name[i->cmp]);
        break;
    case I_CONV:
        put_operands(e, i, 0);
        if (is_range_reduction(i))
            put(e, ", %s", i->text + 4);
        break;
    default: put_operands(e, i, 0);
    }
}

/* `flag`: ".S" where the instruction joins, else "". */
static void put_insn(struct emitter *e, const struct cc_insn *i, const char *flag)
{
    if (cc_is_locked(i)) {
        put_locked(e, i);
        return;
    }
    put_place(e, &i->place);
    put(e, "    ");
    put_mnemonic(e, i);
    e->flag = e->out->size;
    e->can_exit = has_flags(i) && !*flag;
    put(e, "%s", flag);
    if (i->cin >= 0)
        put(e, ".CARRY%d", color(e, i->cin));
    put_types(e, i);
    if (i->dc >= 0)
        put(e, ".C%d", color(e, i->dc));
    put_rest(e, i);
    put(e, "\n");
}

/* ---- branches ---- */

/* An edge: that from block b to its successor s. */
static bool goes_through_join(const struct emitter *e, int b, int s)
{
    return e->j.through[2 * b + s];
}

/* The places where joins are pushed (SSY). */
static int before_branch(int b)
{
    return 3 * b;
}
static int on_edge(int b, int s)
{
    return 3 * b + 1 + s;
}

static void put_pushes(struct emitter *e, int place)
{
    for (int i = 0; i < e->j.npush[place]; i++)
        put(e, "    SSY J%d\n", e->j.push[place][i]);
    if (e->j.npush[place])
        e->can_exit = false;
}

/* A block has two labels: J before its join, L after it. */
static void put_label_of(struct emitter *e, int b, int s)
{
    put(e, "%c%d\n", goes_through_join(e, b, s) ? 'J' : 'L', e->f->block[b].succ[s]);
}

/* Does the edge lead to the next instruction in the code? */
static bool falls_through(const struct emitter *e, int b, int s)
{
    int to = e->f->block[b].succ[s];
    return to == e->next[b] && (goes_through_join(e, b, s) || !e->j.join[to]);
}

static void put_jump(struct emitter *e, int b, int s)
{
    put(e, "    BRA ");
    put_label_of(e, b, s);
}

/* An edge that every thread here takes. */
static void put_edge(struct emitter *e, int b, int s)
{
    put_pushes(e, on_edge(b, s));
    if (!falls_through(e, b, s))
        put_jump(e, b, s);
}

static const char *opposite(uint8_t cond)
{
    static const uint8_t to[N_CONDS] = {
        [N_NE] = N_EQ,  [N_EQ] = N_NE,           [N_LT] = N_GE,
        [N_GE] = N_LTU, [N_LE] = N_GT,           [N_GT] = N_LE,
        [N_LTU] = N_GE, [N_CARRY] = N_NOT_CARRY, [N_NOT_CARRY] = N_CARRY};
    return cond_name[to[cond]];
}

/* The successor to which the branch instruction jumps. A warp that diverges runs that side first: the one that leaves a loop, or goes
 * to the join at once, so that its entry is popped at once. */
static int jump_side(const struct emitter *e, const struct cc_flow *g, int b)
{
    const struct cc_block *k = &e->f->block[b];
    const int *to = k->succ, shorter = falls_through(e, b, 0) ? 1 : 0;
    if (!k->diverges)
        return shorter;
    if (g->depth[to[0]] != g->depth[to[1]])
        return (g->depth[to[0]] < g->depth[to[1]]) == !e->f->nvcc_loops ? 0 : 1;
    if (e->f->nvcc_loops) /* backwards first */
        return g->rank[to[0]] <= g->rank[b] ? 0 : g->rank[to[1]] <= g->rank[b] ? 1 : shorter;
    if (goes_through_join(e, b, 0) != goes_through_join(e, b, 1))
        return goes_through_join(e, b, 0) ? 0 : 1;
    return shorter;
}

/* The threads end: with the flag of the last instruction, if it has one. */
static void put_exit(struct emitter *e)
{
    static const char flag[] = ".EXIT";
    const size_t n = sizeof flag - 1, rest = e->out->size - e->flag;
    if (!e->can_exit) {
        put(e, "    NOP%s\n", flag);
        return;
    }
    put(e, "%s", flag);
    uint8_t *at = e->out->data + e->flag;
    memmove(at + n, at, rest);
    memcpy(at, flag, n);
}

/* Joins that the jump pushes are pushed in a stub after the branch, labelled X. */
static void put_branch(struct emitter *e, const struct cc_flow *g, int b)
{
    const struct cc_block *k = &e->f->block[b];
    const int jump = jump_side(e, g, b), other = 1 - jump;
    const bool stub = e->j.npush[on_edge(b, jump)] > 0;
    put(e, "    BRA C%d.%s, ", color(e, k->guard),
        jump == 0 ? cond_name[k->cond] : opposite(k->cond));
    if (stub)
        put(e, "X%d\n", b);
    else
        put_label_of(e, b, jump);
    put_pushes(e, on_edge(b, other));
    if (stub || !falls_through(e, b, other))
        put_jump(e, b, other);
    if (stub) {
        put(e, "X%d:\n", b);
        put_edge(e, b, jump);
    }
}

static void put_end(struct emitter *e, const struct cc_flow *g, int b)
{
    const struct cc_block *k = &e->f->block[b];
    put_place(e, &k->place);
    put_pushes(e, before_branch(b));
    if (k->succ[0] < 0)
        put_exit(e);
    else if (k->guard < 0)
        put_edge(e, b, 0);
    else
        put_branch(e, g, b);
}

/* ---- blocks ---- */

/* Does the result depend on the order of threads? With operands that no thread writes, and a thread's own, it does not. */
static bool sees_order(const struct cc_fn *f, const struct cc_insn *i)
{
    if (i->op == I_ATOM || i->op == I_VOTE)
        return true;
    if (i->op == I_LD || i->op == I_ST)
        return i->space == S_GLOBAL || i->space == S_SHARED;
    for (int k = 0; k < 3; k++)
        if (i->a[k].kind == K_S && (i->a[k].v >= 0 || i->a[k].imm >= f->params_end))
            return true;
    return false;
}

/* Every edge into the block goes through its join. */
static bool only_through_join(const struct emitter *e, const struct cc_flow *g, int b)
{
    if (b == 0)
        return false;
    for (int p = 0; p < g->npred[b]; p++)
        for (int s = 0; s < 2; s++)
            if (e->f->block[g->pred[b][p]].succ[s] == b && !goes_through_join(e, g->pred[b][p], s))
                return false;
    return true;
}

/* The flag .S joins after its instruction: each part of the warp executes that by itself. */
static bool first_can_join(const struct emitter *e, const struct cc_flow *g, int b)
{
    const struct cc_block *k = &e->f->block[b];
    return k->n && has_flags(&k->insn[0]) && !sees_order(e->f, &k->insn[0]) &&
           only_through_join(e, g, b);
}

static void put_block(struct emitter *e, const struct cc_flow *g, int b)
{
    const struct cc_block *k = &e->f->block[b];
    int first = 0;
    e->can_exit = false;
    if (e->j.join[b]) {
        put(e, "J%d:\n", b);
        if (first_can_join(e, g, b))
            put_insn(e, &k->insn[first++], ".S");
        else
            put(e, "    NOP.S\n");
    }
    put(e, "L%d:\n", b);
    for (int i = first; i < k->n; i++)
        put_insn(e, &k->insn[i], "");
    put_end(e, g, b);
}

int cc_print_kernel(struct cc_fn *f, struct fl_buf *out)
{
    struct emitter e = {.f = f, .out = out};
    struct cc_flow g = cc_flow(f);
    e.j = cc_joins(f);
    e.next = cc_alloc(f->scratch, (size_t)f->nblocks * sizeof *e.next);
    for (int b = f->nblocks - 1, next = f->nblocks; b >= 0; b--) {
        e.next[b] = next;
        next = f->block[b].gone ? next : b;
    }
    for (int b = 0; b < f->nblocks; b++)
        if (!f->block[b].gone)
            put_block(&e, &g, b);
    return 0;
}
