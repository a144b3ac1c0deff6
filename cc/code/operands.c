/* operands.c -- every operand becomes one that the machine has in that place.
 *
 * The first operand of arithmetic may be in shared memory, the second or third in constant memory, one of each. Numbers
 * are immediates where there is such a form (no predicate, no flags, registers below 64), else literals in c1[].
 */
#include "ir.h"

#include <string.h>

enum { MAX_LITERALS = 128, HALF_LITERALS = 64 }; /* as far as the operands reach */

struct pass {
    struct cc_fn *f;
    int block;
};

static bool commutes(const struct cc_insn *i)
{
    return (i->op >= I_ADD && i->op <= I_SET) || (i->op >= I_AND && i->op <= I_FSET);
}

static void swap(struct cc_insn *i)
{
    static const uint8_t turned[] = {
        [P_LT] = P_GT,   [P_EQ] = P_EQ,   [P_LE] = P_GE,   [P_GT] = P_LT,   [P_NE] = P_NE,
        [P_GE] = P_LE,   [P_NUM] = P_NUM, [P_NAN] = P_NAN, [P_LTU] = P_GTU, [P_EQU] = P_EQU,
        [P_LEU] = P_GEU, [P_GTU] = P_LTU, [P_NEU] = P_NEU, [P_GEU] = P_LEU};
    struct cc_operand t = i->a[0];
    i->a[0] = i->a[1];
    i->a[1] = t;
    if (i->op == I_SET || i->op == I_FSET)
        i->cmp = turned[i->cmp];
    if (i->op == I_FMAD && i->a[1].neg) { /* the sign of the product */
        i->a[1].neg = false;
        i->a[0].neg = !i->a[0].neg;
    }
}

static bool takes_shared(const struct cc_insn *i)
{
    return (i->op >= I_ADD && i->op <= I_FSET) || i->op == I_R2A || i->op == I_MOV ||
           (i->op == I_CONV && strncmp(i->text, "I2I.U32.U16", 11) &&
            strncmp(i->text, "I2I.S32.S16", 11));
}

/* ---- operands in shared and constant memory ---- */

static bool float_op(const struct cc_insn *i)
{
    return (i->op >= I_FADD && i->op <= I_FSET) ||
           (i->op == I_CONV && strstr(i->text, ".F32") && strncmp(i->text, "I2F", 3)) ||
           (i->op == I_CONV && !strncmp(i->text, "RRO", 3));
}

/* Puts shared operand `s` in the place of register v of i; false: not possible. */
static bool put_shared(struct cc_insn *i, int v, struct cc_operand s)
{
    int at = -1;
    for (int k = 0; k < 3; k++) {
        if (i->a[k].kind == K_S || (i->a[k].kind == K_C && i->a[k].v >= 0))
            return false; /* one address register */
        if (i->a[k].kind == K_R && i->a[k].v == v) {
            if (at >= 0)
                return false;
            at = k;
        }
    }
    if (at < 0 || at == 2 || !takes_shared(i) || (at == 1 && !commutes(i)))
        return false;
    const struct cc_operand *o = &i->a[at];
    if (o->half) {
        if (s.size == M_32 && s.imm + 2 <= 62) {
            s.imm += o->half == HIGH ? 2 : 0;
            s.size = M_U16;
        } else if (s.size != M_U16 || o->half == HIGH)
            return false;
    } else if (s.size != M_32 && (float_op(i) || i->op == I_MUL16 || i->op == I_MAD16))
        return false;
    if (at == 1 && i->a[0].kind == K_IMM &&
        (i->op == I_FMAD || i->op == I_MAD16 || i->op == I_MAD24) && i->a[2].kind == K_IMM)
        return false;
    if (o->abs && i->op != I_CONV)
        return false;
    s.neg = o->neg;
    s.abs = o->abs;
    s.inv = o->inv;
    i->a[at] = s;
    if (at == 1)
        swap(i);
    return true;
}

static bool fixed(const struct cc_fn *f,
                  const struct cc_operand *o) /* a parameter: the same all the time */
{
    return o->v < 0 && o->imm < f->params_end;
}

static bool writes_shared(const struct cc_insn *i)
{
    return i->op == I_BAR || cc_is_locked(i) || (i->op == I_ST && i->space == S_SHARED);
}

/* Who reads each register: from start[v] to start[v + 1] - 1. A block's condition is not among them. */
struct readers {
    int *start;
    struct reader {
        int block, at;
    } * r;
};

static struct readers find_readers(struct cc_fn *f)
{
    struct readers u = {.start = cc_alloc(f->scratch, ((size_t)f->nvregs + 2) * sizeof *u.start)};
    for (int turn = 0; turn < 2; turn++) {
        for (int b = 0; b < f->nblocks; b++)
            for (int i = 0; i < f->block[b].n; i++) {
                int r[8], n = cc_reads(&f->block[b].insn[i], r);
                for (int k = 0; k < n; k++)
                    if (turn)
                        u.r[u.start[r[k] + 1]++] = (struct reader){b, i};
                    else
                        u.start[r[k] + 2]++;
            }
        for (int v = 0; v < f->nvregs && !turn; v++)
            u.start[v + 2] += u.start[v + 1];
        if (!turn)
            u.r = cc_alloc(f->scratch, ((size_t)u.start[f->nvregs + 1] + 1) * sizeof *u.r);
    }
    return u;
}

/* The place in block b of the only reader of v, -1: it is elsewhere. */
static int only_reader(const struct readers *u, int b, int v)
{
    const struct reader *r = &u->r[u->start[v]];
    return u->start[v + 1] - u->start[v] == 1 && r->block == b ? r->at : -1;
}

/* The load at `at` of block b goes into its only reader. stores[i]: writes to shared memory before place i. */
static void fold_load(struct cc_fn *f, const struct readers *u, int block, int at,
                      const int *stores)
{
    struct cc_block *b = &f->block[block];
    struct cc_insn *load = &b->insn[at];
    if (load->op != I_MOV || load->a[0].kind != K_S || load->guard >= 0 || load->is_volatile ||
        load->d < 0 || f->vreg[load->d].defs != 1 || f->vreg[load->d].uses != 1)
        return;
    int areg = load->a[0].v, to = only_reader(u, block, load->d);
    if (to <= at || stores[to] != stores[at + 1])
        return;
    for (int i = at + 1; i < to && areg >= 0 && f->vreg[areg].defs != 1; i++)
        if (b->insn[i].d == areg)
            return;
    if (b->insn[to].guard != load->d && put_shared(&b->insn[to], load->d, load->a[0]))
        load->d = -1;
}

/* Parameters and launch sizes go into all their readers, or into none. */
static void fold_fixed(struct cc_fn *f, const struct readers *u, struct cc_insn *load)
{
    if (load->op != I_MOV || load->a[0].kind != K_S || !fixed(f, &load->a[0]) || load->guard >= 0 ||
        load->d < 0 || f->vreg[load->d].defs != 1)
        return;
    for (int turn = 0; turn < 2; turn++)
        for (int i = u->start[load->d]; i < u->start[load->d + 1]; i++) {
            struct cc_insn *in = &f->block[u->r[i].block].insn[u->r[i].at], copy = *in;
            if (!put_shared(turn ? in : &copy, load->d, load->a[0]))
                return;
        }
    load->d = -1;
}

static void put_const(struct cc_fn *f, const struct readers *u, int block, int at)
{
    struct cc_block *b = &f->block[block];
    struct cc_insn *load = &b->insn[at];
    struct cc_operand o = load->a[0];
    if (load->op != I_LD || load->space != S_CONST || load->size != M_32 || load->guard >= 0 ||
        load->d < 0 || load->is_volatile || o.v >= 0 || o.imm > 508 || f->vreg[load->d].defs != 1 ||
        f->vreg[load->d].uses != 1)
        return;
    int to = only_reader(u, block, load->d);
    if (to <= at)
        return;
    struct cc_insn *in = &b->insn[to];
    int k = in->a[1].kind == K_R && in->a[1].v == load->d   ? 1
            : in->a[0].kind == K_R && in->a[0].v == load->d ? 0
                                                            : -1;
    bool op = in->op == I_MUL24 || in->op == I_ADD || (in->op >= I_AND && in->op <= I_FMUL) ||
              in->op == I_SET || in->op == I_FMIN || in->op == I_FMAX || in->op == I_FSET ||
              in->op == I_FMAD;
    if (k < 0 || !op || in->a[1 - k].kind != K_R || in->a[1 - k].half || in->a[k].half ||
        in->a[k].abs || in->a[1 - k].v == load->d || in->a[2].kind == K_IMM ||
        in->a[2].kind == K_C || (in->a[2].kind == K_R && in->a[2].v == load->d) ||
        in->guard == load->d)
        return;
    if (k == 0)
        swap(in);
    struct cc_operand c = {
        .kind = K_C, .v = -1, .imm = o.imm, .neg = in->a[1].neg, .inv = in->a[1].inv};
    c.bank = o.bank;
    if (c.neg && in->op == I_FMAD)
        return;
    in->a[1] = c;
    load->d = -1;
}

/* ---- numbers ---- */

/* The place of x in c1[], -1: it is full. */
static int literal(struct cc_fn *f, uint32_t x, int most)
{
    for (int i = 0; i < f->nliterals; i++)
        if (f->literal[i] == x)
            return i < most ? i : -1;
    if (f->nliterals >= most)
        return -1;
    CC_ROOM(f->arena, f->literal, f->nliterals, f->literal_room);
    f->literal[f->nliterals] = x;
    return f->nliterals++;
}

static bool has_immediate(const struct cc_fn *f, const struct cc_insn *i)
{
    if (i->guard >= 0 || i->dc >= 0 || i->cin >= 0 || i->d < 0 || f->wide || i->sat || i->trunc)
        return false;
    if (i->a[0].kind != K_R || i->a[0].half || i->a[0].abs || i->a[1].neg || i->a[1].inv)
        return false;
    return i->op == I_ADD || i->op == I_AND || i->op == I_OR || i->op == I_XOR || i->op == I_FADD ||
           i->op == I_FMUL || (i->op == I_MUL24 && !i->a[0].neg);
}

struct cursor {
    struct cc_fn *f;
    int block;
    struct cc_insn now; /* being made legal; what goes before it is in the block already */
    struct known {
        uint32_t x;
        int reg;
    } known[16]; /* numbers that are in registers already, in this block */
    int nknown;
};

/* Operand k goes through a register. */
static void through_register(struct cursor *c, int k)
{
    struct cc_operand o = c->now.a[k], plain = o;
    int reg = -1;
    plain.neg = plain.abs = plain.inv = false;
    if (o.kind == K_IMM)
        for (int i = 0; i < c->nknown; i++)
            if (c->known[i].x == o.imm)
                reg = c->known[i].reg;
    if (reg < 0) {
        reg = cc_new_vreg(c->f, CC_R);
        struct cc_insn move = cc_insn(I_MOV, reg);
        move.a[0] = plain;
        move.place = c->now.place;
        cc_add(c->f, c->block, &move);
        if (o.kind == K_IMM && c->nknown < 16)
            c->known[c->nknown++] = (struct known){o.imm, reg};
    }
    struct cc_operand *to = &c->now.a[k];
    bool half = c->now.op == I_MUL16 || c->now.op == I_MAD16;
    *to = cc_r(reg);
    to->neg = o.neg;
    to->abs = o.abs;
    to->inv = o.inv;
    if (half && k < 2)
        to->half = LOW;
}

/* Operand k, a number, becomes a literal, or goes through a register. */
static void number(struct cursor *c, int k)
{
    struct cc_insn *i = &c->now;
    bool half = (i->op == I_MUL16 || i->op == I_MAD16) && k < 2;
    int others = 0;
    for (int j = 0; j < 3; j++)
        others += j != k && i->a[j].kind == K_C;
    int n = others ? -1 : literal(c->f, i->a[k].imm, half ? HALF_LITERALS : MAX_LITERALS);
    if (n < 0) {
        through_register(c, k);
        return;
    }
    i->a[k] = (struct cc_operand){.kind = K_C,
                                  .bank = 1,
                                  .v = -1,
                                  .imm = 4 * (uint32_t)n,
                                  .neg = i->a[k].neg,
                                  .inv = i->a[k].inv};
}

static bool reg_only(const struct cc_insn *i, int k)
{
    switch (i->op) {
    case I_SFU:
    case I_CONV: return i->a[k].kind == K_IMM || i->op == I_SFU;
    case I_ST:
    case I_ATOM: return k > 0;
    case I_SHL:
    case I_SHR: return k == 0 && i->a[k].kind == K_IMM;
    case I_R2A: return k == 0 && i->a[k].kind == K_IMM;
    default: return false;
    }
}

static void legalise(struct cursor *c)
{
    struct cc_insn *i = &c->now;
    if (i->op == I_LD && i->size == M_S8 &&
        (i->space == S_SHARED || i->space == S_CONST)) { /* no such operand: extend a byte */
        int t = cc_new_vreg(c->f, CC_R);
        struct cc_insn load = *i;
        load.op = i->space == S_SHARED ? I_MOV : I_LD;
        load.d = t;
        load.size = M_U8;
        load.a[0].size = M_U8;
        cc_add(c->f, c->block, &load);
        i->op = I_CONV;
        i->text = "I2I.S32.S16.BEXT";
        i->a[0] = cc_half(t, LOW);
        return;
    }
    if ((i->op == I_MOV || i->op == I_TEXIN) && i->a[0].kind == K_IMM) {
        if (i->guard >= 0)
            number(c, 0);
        return;
    }
    if (i->op == I_TEXIN || i->op == I_TEX || i->op == I_TEXOUT)
        return;
    if (i->op == I_MOV || i->op == I_LD || i->op == I_ADA || i->op == I_C2R || i->op == I_R2C)
        return;
    for (int k = 0; k < 3; k++)
        if (i->a[k].kind != K_NONE && i->a[k].kind != K_R && reg_only(i, k)) {
            through_register(c, k);
        }
    if (i->op == I_ST || i->op == I_ATOM || i->op == I_SFU || i->op == I_CONV || i->op == I_R2A ||
        i->op == I_BAR || i->op == I_RET || i->op == I_CLOCK || i->op == I_VOTE)
        return;
    if (commutes(i) && i->a[0].kind != K_R && i->a[0].kind != K_S)
        swap(i);
    else if (commutes(i) && i->a[1].kind == K_S && i->a[0].kind == K_R)
        swap(i);
    if (i->a[0].kind == K_IMM || i->a[0].kind == K_C)
        through_register(c, 0);
    for (int k = 1; k < 3; k++)
        if (c->now.a[k].kind == K_S)
            through_register(c, k);
    if ((i->op == I_SHL || i->op == I_SHR) && i->a[1].kind == K_IMM)
        return;
    if (i->a[1].kind == K_IMM && has_immediate(c->f, i))
        return;
    for (int k = 1; k < 3; k++)
        if (c->now.a[k].kind == K_IMM)
            number(c, k);
}

void cc_operands(struct cc_fn *f)
{
    cc_count(f);
    struct readers u = find_readers(f);
    for (int b = 0; b < f->nblocks; b++)
        for (int i = 0; i < f->block[b].n && !f->block[b].gone; i++)
            fold_fixed(f, &u, &f->block[b].insn[i]);
    cc_sweep(f);
    u = find_readers(f);
    for (int b = 0; b < f->nblocks; b++) {
        int n = f->block[b].n, *stores = cc_alloc(f->scratch, ((size_t)n + 1) * sizeof *stores);
        for (int i = 0; i < n; i++)
            stores[i + 1] = stores[i] + writes_shared(&f->block[b].insn[i]);
        for (int i = n - 1; i >= 0; i--) {
            fold_load(f, &u, b, i, stores);
            put_const(f, &u, b, i);
        }
    }
    cc_sweep(f);
    for (int b = 0; b < f->nblocks; b++) {
        struct cursor c = {.f = f, .block = b};
        const struct cc_block old = f->block[b];
        f->block[b].insn = NULL;
        f->block[b].n = f->block[b].room = 0;
        for (int i = 0; i < old.n; i++) {
            c.now = old.insn[i];
            legalise(&c);
            cc_add(f, b, &c.now);
        }
    }
}
