/* emit.c -- a kernel as text of the assembler. */
#include "ir.h"

#include <stdio.h>
#include <string.h>

struct emitter {
    struct cc_fn *f;
    struct fl_buf *out;
    struct cc_joins j;
    int *next; /* the block that stands behind each */
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

static void operand(struct emitter *e, const struct cc_operand *o, enum cc_space space)
{
    static const char *const type[] = {
        [M_32] = "", [M_U8] = ".U8", [M_S8] = ".S8", [M_U16] = ".U16", [M_S16] = ".S16"};
    char address[40] = "";
    if (o->kind == K_S || o->kind == K_C) {
        if (o->v >= 0)
            snprintf(address, sizeof address, "A%d+0x%x", color(e, o->v) + 1, o->imm);
        else
            snprintf(address, sizeof address, "0x%x", o->imm);
    }
    fl_buf_printf(e->out, "%s%s%s", o->neg ? "-" : "", o->inv ? "~" : "", o->abs ? "|" : "");
    if (o->kind == K_R)
        fl_buf_printf(e->out, "R%d%s", color(e, o->v),
                      o->half == LOW    ? "L"
                      : o->half == HIGH ? "H"
                                        : "");
    else if (o->kind == K_IMM)
        fl_buf_printf(e->out, "0x%x", o->imm);
    else if (space == S_LOCAL)
        fl_buf_printf(e->out, "local[%s]", address);
    else if (o->kind == K_C || space == S_CONST)
        fl_buf_printf(e->out, "c%d[%s]", o->kind == K_C ? o->bank : 0, address);
    else
        fl_buf_printf(e->out, "s[%s]%s", address, space == S_GLOBAL ? type[o->size] : "");
    if (o->abs)
        fl_buf_printf(e->out, "|");
}

/* The mnemonic up to where .EXIT and .S go, and what follows them. */
static void mnemonic(const struct cc_insn *i, char *name, char *rest)
{
    static const char *const lop[] = {[I_AND] = ".AND", [I_OR] = ".OR", [I_XOR] = ".XOR"};
    bool imm = i->a[1].kind == K_IMM;
    *rest = 0;
    switch (i->op) {
    case I_MOV:
    case I_TEXIN:
        strcpy(name, i->a[0].kind == K_IMM ? "MVI" : i->a[0].kind == K_C ? "MVC" : "MOV");
        break;
    case I_ADD: strcpy(name, imm ? "IADD32I" : "IADD"); break;
    case I_MUL16: strcpy(name, "IMUL"), strcpy(rest, i->sign ? ".S16.S16" : ".U16.U16"); break;
    case I_MAD16: strcpy(name, "IMAD"), strcpy(rest, i->sign ? ".S16" : ".U16"); break;
    case I_MUL24:
        strcpy(name, imm ? "IMUL32I" : "IMUL"), strcpy(rest, i->sign ? ".S24.S24" : ".U24.U24");
        break;
    case I_MAD24: strcpy(name, "IMAD"), strcpy(rest, i->sign ? ".S24" : ".U24"); break;
    case I_MIN: strcpy(name, "IMIN"), strcpy(rest, i->sign ? ".S32" : ""); break;
    case I_MAX: strcpy(name, "IMAX"), strcpy(rest, i->sign ? ".S32" : ""); break;
    case I_SET: strcpy(name, "ISET"), strcpy(rest, i->sign ? ".S32" : ""); break;
    case I_SHL: strcpy(name, "SHL"); break;
    case I_SHR: strcpy(name, "SHR"), strcpy(rest, i->sign ? ".S32" : ""); break;
    case I_AND:
    case I_OR:
    case I_XOR: strcpy(name, imm ? "LOP32I" : "LOP"), strcpy(rest, lop[i->op]); break;
    case I_FADD: strcpy(name, imm ? "FADD32I" : "FADD"); break;
    case I_FMUL: strcpy(name, imm ? "FMUL32I" : "FMUL"); break;
    case I_FMAD: strcpy(name, "FMAD"); break;
    case I_FMIN: strcpy(name, "FMIN"); break;
    case I_FMAX: strcpy(name, "FMAX"); break;
    case I_FSET: strcpy(name, "FSET"); break;
    case I_CONV:
        strcpy(name, i->text);
        if (strncmp(name, "RRO", 3) == 0)
            name[3] = 0;
        else {
            strcpy(rest, name + 3);
            name[3] = 0;
        }
        break;
    case I_SFU: strcpy(name, i->text); break;
    case I_LD:
        strcpy(name, i->space == S_GLOBAL ? "GLD" : i->space == S_LOCAL ? "LLD" : "MVC");
        if (i->space != S_CONST || i->size != M_32)
            sprintf(rest, ".%s", size_name[i->size]);
        break;
    case I_ST:
        strcpy(name, i->space == S_GLOBAL ? "GST" : i->space == S_LOCAL ? "LST" : "R2G");
        if (i->space == S_SHARED)
            sprintf(rest, ".U32.%s",
                    i->size == M_32                      ? "U32"
                    : i->size == M_U8 || i->size == M_S8 ? "U8"
                                                         : "U16");
        else
            sprintf(rest, ".%s", size_name[i->size]);
        break;
    case I_ATOM:
        strcpy(name, i->d < 0 && i->row < 2 ? "GRED" : "GATOM");
        sprintf(rest, ".%s", i->text);
        break;
    case I_R2A: strcpy(name, "R2A"); break;
    case I_ADA: strcpy(name, "ADA"); break;
    case I_C2R: strcpy(name, "C2R"); break;
    case I_R2C: strcpy(name, "R2C"); break;
    case I_VOTE: strcpy(name, "VOTE"), sprintf(rest, ".%s", i->text); break;
    case I_CLOCK: strcpy(name, "S2R"); break;
    case I_TEX: strcpy(name, i->text), strcpy(rest, ".LIVE"); break;
    case I_TEXOUT: strcpy(name, "MOV"); break;
    case I_BAR: strcpy(name, "BAR"), strcpy(rest, ".ARV.WAIT"); break;
    default: strcpy(name, "RET"); break;
    }
    if (i->trunc)
        strcat(rest, ".TRUNC");
    if (i->sat)
        strcat(rest, ".SAT");
}

static bool is_control(const struct cc_insn *i)
{
    return i->op == I_BAR || i->op == I_RET;
}

/* Has it the two bits that end or join? */
static bool has_flags(const struct cc_insn *i)
{
    return !is_control(i) && (i->op == I_MOV || i->op == I_TEXIN ? i->a[0].kind != K_IMM : true) &&
           (i->a[1].kind != K_IMM || i->op == I_SHL || i->op == I_SHR || i->op == I_R2A ||
            i->op == I_ADA);
}

static void guard(struct emitter *e, const struct cc_insn *i)
{
    if (i->guard >= 0)
        fl_buf_printf(e->out, "(C%d.%s)", color(e, i->guard), cond_name[i->cond]);
}

static void target(struct emitter *e, const struct cc_insn *i)
{
    const struct cc_fn *f = e->f;
    if (i->d < 0)
        fl_buf_printf(e->out, "o[0x7f]");
    else
        fl_buf_printf(e->out, "%c%d", "RCA"[f->vreg[i->d].class],
                      color(e, i->d) + (f->vreg[i->d].class == CC_A));
    guard(e, i);
}

static void show_place(struct emitter *e, const struct cc_place *at)
{
    if (at->line == e->shown.line && at->file == e->shown.file)
        return;
    e->shown = *at;
    if (at->line && e->f->module->file[at->file].name)
        fl_buf_printf(e->out, "    .line \"%s\", %d\n", e->f->module->file[at->file].name,
                      at->line);
}

/* Target, address and operands; those of 64 bits stand in the row behind the kernel's registers. */
static void atomic(struct emitter *e, const struct cc_insn *i)
{
    bool result = i->d >= 0 || i->row == 2;
    int row = e->f->regs;
    if (result) {
        fl_buf_printf(e->out, "R%d", i->row ? row : color(e, i->d));
        guard(e, i);
        fl_buf_printf(e->out, ", ");
    }
    fl_buf_printf(e->out, "global14[");
    operand(e, &i->a[0], S_GLOBAL);
    fl_buf_printf(e->out, "]");
    if (!result)
        guard(e, i);
    if (i->row)
        fl_buf_printf(e->out, strncmp(i->text, "CAS", 3) ? ", R%d" : ", R%d, R%d", row, row + 2);
    for (int k = 1; k < 3 && i->a[k].kind != K_NONE; k++) {
        fl_buf_printf(e->out, ", ");
        operand(e, &i->a[k], S_GLOBAL);
    }
}

/* Lanes take the lock of their word, and the lane that has it leaves the loop with the work done: PBK and BRK, which use one entry of the
 * stack however many turns there are. What it makes of row[0], lanes that have no lock make in vain. */
static void locked(struct emitter *e, const struct cc_insn *i)
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
    show_place(e, &i->place);
    fl_buf_printf(e->out, "    PBK E%d\nK%d:\n    G2R.U32.LCK.C%d R%d, ", n, n, c, row);
    operand(e, &i->a[0], S_SHARED);
    fl_buf_printf(e->out, "\n    ");
    for (const char *p = make[k].code; *p; p++)
        if (*p == '$')
            fl_buf_printf(e->out, "R%d", reg[*++p - '0']);
        else
            fl_buf_add(e->out, p, 1);
    fl_buf_printf(e->out, "\n    R2G.U32.U32.UNL ");
    operand(e, &i->a[0], S_SHARED);
    fl_buf_printf(e->out, "(C%d.LT), R%d\n    BRK C%d.LT\n    BRA K%d\nE%d:\n    NOP\n", c, row + 1,
                  c, n, n);
    e->can_exit = false;
}

static void insn(struct emitter *e, const struct cc_insn *i, const char *flag)
{
    if (cc_is_locked(i)) {
        locked(e, i);
        return;
    }
    char name[40], rest[40];
    mnemonic(i, name, rest);
    show_place(e, &i->place);
    fl_buf_printf(e->out, "    %s", name);
    e->flag = e->out->size;
    e->can_exit = has_flags(i) && !*flag;
    fl_buf_printf(e->out, "%s", flag);
    if (i->cin >= 0)
        fl_buf_printf(e->out, ".CARRY%d", color(e, i->cin));
    fl_buf_printf(e->out, "%s", rest);
    if (i->dc >= 0)
        fl_buf_printf(e->out, ".C%d", color(e, i->dc));
    fl_buf_printf(e->out, " ");
    enum cc_space plain = S_GLOBAL; /* of operands that are not memory's */
    switch (i->op) {
    case I_BAR: fl_buf_printf(e->out, "b%u, 0xfff", i->a[0].imm); break;
    case I_RET:
        e->out->size--; /* the predicate of control instructions stands without brackets */
        if (i->guard >= 0)
            fl_buf_printf(e->out, " C%d.%s", color(e, i->guard), cond_name[i->cond]);
        break;
    case I_TEXIN:
        fl_buf_printf(e->out, "R%u", (unsigned)e->f->regs + i->off);
        guard(e, i);
        fl_buf_printf(e->out, ", ");
        operand(e, &i->a[0], plain);
        break;
    case I_TEX:
        fl_buf_printf(e->out, "R%d", e->f->regs);
        guard(e, i);
        fl_buf_printf(e->out, ", t%u, s%u, n%d, m%d, x0, y0, z0", i->off, i->off, i->size - 1,
                      i->cmp);
        break;
    case I_TEXOUT:
        target(e, i);
        fl_buf_printf(e->out, ", R%u", (unsigned)e->f->regs + i->off);
        break;
    case I_CLOCK:
        target(e, i);
        fl_buf_printf(e->out, ", %s", i->text);
        break;
    case I_ST:
        if (i->space == S_GLOBAL) {
            fl_buf_printf(e->out, "global14[");
            operand(e, &i->a[0], plain);
            fl_buf_printf(e->out, "]");
        } else {
            struct cc_operand a = i->a[0];
            a.size = M_32;
            operand(e, &a, i->space);
        }
        guard(e, i);
        fl_buf_printf(e->out, ", ");
        operand(e, &i->a[1], plain);
        break;
    case I_ATOM: atomic(e, i); break;
    case I_LD:
        target(e, i);
        fl_buf_printf(e->out, ", ");
        if (i->space == S_GLOBAL)
            fl_buf_printf(e->out, "global14[");
        operand(e, &i->a[0], i->space == S_GLOBAL ? plain : i->space);
        if (i->space == S_GLOBAL)
            fl_buf_printf(e->out, "]");
        break;
    case I_ADA:
        target(e, i);
        if (i->a[0].kind == K_IMM)
            fl_buf_printf(e->out, ", A0, 0x%x", i->a[1].imm);
        else
            fl_buf_printf(e->out, ", A%d, 0x%x", color(e, i->a[0].v) + 1, i->a[1].imm);
        break;
    case I_C2R:
        target(e, i);
        fl_buf_printf(e->out, ", C%d", color(e, i->a[0].v));
        break;
    default:
        target(e, i);
        for (int k = 0; k < 3 && i->a[k].kind != K_NONE; k++) {
            if (i->op == I_R2A && k == 1 && i->a[1].imm == 0)
                break;
            fl_buf_printf(e->out, ", ");
            operand(e, &i->a[k], plain);
        }
        if (i->op == I_SET || i->op == I_FSET)
            fl_buf_printf(e->out, ", %s", compare_name[i->cmp]);
        if (i->op == I_CONV && strncmp(i->text, "RRO", 3) == 0)
            fl_buf_printf(e->out, ", %s", i->text + 4);
    }
    fl_buf_printf(e->out, "\n");
}

/* ---- branches ---- */

static void pushes(struct emitter *e, int at)
{
    for (int i = 0; i < e->j.npush[at]; i++)
        fl_buf_printf(e->out, "    SSY J%d\n", e->j.push[at][i]);
    if (e->j.npush[at])
        e->can_exit = false;
}

static char label_kind(const struct emitter *e, int b, int s)
{
    return e->j.through[2 * b + s] ? 'J' : 'L';
}

/* Does the edge lead to what stands next in the code? */
static bool falls(const struct emitter *e, int b, int s)
{
    int to = e->f->block[b].succ[s];
    return to == e->next[b] && (e->j.through[2 * b + s] || !e->j.join[to]);
}

static void go(struct emitter *e, int b, int s)
{
    pushes(e, 3 * b + 1 + s);
    if (!falls(e, b, s))
        fl_buf_printf(e->out, "    BRA %c%d\n", label_kind(e, b, s), e->f->block[b].succ[s]);
}

static const char *opposite(uint8_t cond)
{
    static const uint8_t to[N_CONDS] = {
        [N_NE] = N_EQ,  [N_EQ] = N_NE,           [N_LT] = N_GE,
        [N_GE] = N_LTU, [N_LE] = N_GT,           [N_GT] = N_LE,
        [N_LTU] = N_GE, [N_CARRY] = N_NOT_CARRY, [N_NOT_CARRY] = N_CARRY};
    return cond_name[to[cond]];
}

/* Which side a branch takes. A warp that splits runs that side first: the one that leaves a loop, or goes to the join at
 * once, so that its entry is popped at once. */
static int taken_side(const struct emitter *e, const struct cc_flow *g, int b)
{
    const struct cc_block *k = &e->f->block[b];
    int fall = falls(e, b, 0) ? 0 : 1;
    if (!k->diverges)
        return 1 - fall;
    int d0 = g->depth[k->succ[0]], d1 = g->depth[k->succ[1]];
    if (d0 != d1)
        return (d0 < d1) == !e->f->nvcc_loops ? 0 : 1;
    if (e->f->nvcc_loops) /* backwards first */
        return g->rank[k->succ[0]] <= g->rank[b]   ? 0
               : g->rank[k->succ[1]] <= g->rank[b] ? 1
                                                   : 1 - fall;
    if (e->j.through[2 * b] != e->j.through[2 * b + 1])
        return e->j.through[2 * b] ? 0 : 1;
    return 1 - fall;
}

static void branch(struct emitter *e, const struct cc_flow *g, int b)
{
    const struct cc_block *k = &e->f->block[b];
    show_place(e, &k->place);
    pushes(e, 3 * b);
    if (k->succ[0] < 0) {
        if (e->can_exit) {
            static const char exit_flag[] = ".EXIT";
            size_t n = sizeof exit_flag - 1, tail = e->out->size - e->flag;
            fl_buf_add(e->out, exit_flag, n);
            memmove(e->out->data + e->flag + n, e->out->data + e->flag, tail);
            memcpy(e->out->data + e->flag, exit_flag, n);
        } else
            fl_buf_printf(e->out, "    NOP.EXIT\n");
        return;
    }
    if (k->guard < 0) {
        go(e, b, 0);
        return;
    }
    int t = taken_side(e, g, b);
    bool stub = e->j.npush[3 * b + 1 + t] > 0;
    fl_buf_printf(e->out, "    BRA C%d.%s, ", color(e, k->guard),
                  t == 0 ? cond_name[k->cond] : opposite(k->cond));
    if (stub)
        fl_buf_printf(e->out, "X%d\n", b);
    else
        fl_buf_printf(e->out, "%c%d\n", label_kind(e, b, t), k->succ[t]);
    pushes(e, 3 * b + 1 + (1 - t));
    if (stub || !falls(e, b, 1 - t))
        fl_buf_printf(e->out, "    BRA %c%d\n", label_kind(e, b, 1 - t), k->succ[1 - t]);
    if (stub) {
        fl_buf_printf(e->out, "X%d:\n", b);
        go(e, b, t);
    }
}

/* Does the order of threads show in it? Of what no thread writes, and of a thread's own, it does not. */
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

/* Every way into the block goes through its join. */
static bool only_through(const struct emitter *e, const struct cc_flow *g, int b)
{
    if (b == 0)
        return false;
    for (int p = 0; p < g->npred[b]; p++)
        for (int s = 0; s < 2; s++)
            if (e->f->block[g->pred[b][p]].succ[s] == b && !e->j.through[2 * g->pred[b][p] + s])
                return false;
    return true;
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
    for (int b = 0; b < f->nblocks; b++) {
        const struct cc_block *k = &f->block[b];
        if (k->gone)
            continue;
        int from = 0;
        e.can_exit = false;
        if (e.j.join[b]) {
            /* The flag joins behind its instruction: each part of the warp executes that by itself. */
            bool merged = k->n && has_flags(&k->insn[0]) && !sees_order(f, &k->insn[0]) &&
                          only_through(&e, &g, b);
            fl_buf_printf(out, "J%d:\n", b);
            if (merged) {
                insn(&e, &k->insn[0], ".S");
                from = 1;
            } else
                fl_buf_printf(out, "    NOP.S\n");
        }
        fl_buf_printf(out, "L%d:\n", b);
        for (int i = from; i < k->n; i++)
            insn(&e, &k->insn[i], "");
        branch(&e, &g, b);
    }
    return 0;
}
