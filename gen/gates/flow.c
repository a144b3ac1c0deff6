/* flow.c -- control flow of a stream, its begin and its end. */
#include "internal.h"

/* ---- control flow ------------------------------------------------------------------------------------------------ */

/* A register whose change, by another one or a constant, is seen. */
int mix_changed(struct mix *x, const struct stream *s, int but)
{
    for (;;) {
        int r = (int)mix_below(x, (uint32_t)x->regs);
        if (r != but && (r < s->kept || r >= s->kept + GATES_KEPT))
            return r;
    }
}

static void change(struct mix *x, struct stream *s)
{
    int a = mix_changed(x, s, -1), b = mix_changed(x, s, a);
    mix_line(s, "IADD R%d, R%d, R%d", a, a, b);
    s->used[a] = true;
}

/* "C2.LT, ", or nothing: a predicate that SSY, PBK and CAL have and do not obey. */
static const char *ignored(struct mix *x, char text[24])
{
    text[0] = 0;
    if (mix_below(x, 2))
        snprintf(text, 24, "C%u.%s, ", mix_below(x, FLAGS), isa_cond_name(1 + mix_below(x, 14)));
    return text;
}

/* A random condition; `fresh`: often of new flags. */
static const char *condition(struct mix *x, struct stream *s, bool fresh, char text[24])
{
    unsigned code, flags = mix_below(x, FLAGS);
    int a = mix_changed(x, s, -1), b = mix_changed(x, s, a);
    do
        code = 1 + mix_below(x, 31);
    while (code == PRED_ALWAYS || !isa_cond_name(code));
    if (fresh && mix_below(x, 2) && mix_save_flag(x, s, (int)flags)) {
        mix_line(s, "IADD.C%u o[0x7f], R%d, R%d", flags, a, b);
        s->flag[flags] = true;
    }
    snprintf(text, 24, "C%u.%s", flags, isa_cond_name(code));
    return text;
}

/* Some threads leave a break or a call that is open, out of all that is inside of it: they stay away from its joins. */
static void write_leave(struct mix *x, struct stream *s)
{
    char cond[24];
    bool breaks = x->breaks && (!x->calls || !x->m->exit_ends || mix_below(x, 2));
    if (!breaks && !(x->calls && x->m->exit_ends))
        return;
    condition(x, s, true, cond);
    mix_line(s, "%s %s", breaks ? "BRK" : "RET", cond);
}

static void write_body(struct mix *x, struct stream *s)
{
    change(x, s);
    if (mix_below(x, 2))
        write_leave(x, s);
    if (x->nest < x->levels && mix_below(x, 100) < x->flow) {
        x->nest++;
        mix_flow(x, s);
        x->nest--;
    } else
        mix_instruction(x, s, true);
}

static void write_if(struct mix *x, struct stream *s, int n)
{
    char cond[24], none[24];
    condition(x, s, true, cond);
    mix_line(s, "SSY %se%d", ignored(x, none), n);
    mix_line(s, "BRA %s, t%d", cond, n);
    write_body(x, s);
    mix_line(s, "BRA e%d", n);
    mix_label(s, 't', n);
    write_body(x, s);
    mix_label(s, 'e', n);
    mix_line(s, "NOP.S");
    s->cost.executed++; /* on both ways */
}

/* Some threads break first, the others later; all meet behind. */
static void write_break(struct mix *x, struct stream *s, int n)
{
    char cond[24], none[24];
    condition(x, s, true, cond);
    mix_line(s, "PBK %sb%d", ignored(x, none), n);
    mix_line(s, "BRK %s", cond);
    x->breaks++;
    write_body(x, s);
    x->breaks--;
    mix_line(s, "BRK");
    mix_label(s, 'b', n);
    change(x, s);
}

/* Where an exit ends a thread, some threads return earlier than others. */
static void write_call(struct mix *x, struct stream *s, int n)
{
    char cond[24], none[24];
    condition(x, s, true, cond);
    mix_line(s, "CAL%s %sf%d", mix_below(x, 2) ? ".NOINC" : "", ignored(x, none), n);
    mix_line(s, "BRA g%d", n);
    mix_label(s, 'f', n);
    if (x->m->exit_ends)
        mix_line(s, "RET %s", cond);
    x->calls++;
    write_body(x, s);
    x->calls--;
    mix_line(s, "RET");
    mix_label(s, 'g', n);
    change(x, s);
}

static void write_jumps(struct mix *x, struct stream *s, int n)
{
    mix_line(s, "BRA x%d", n);
    mix_label(s, 'y', n);
    change(x, s);
    mix_line(s, "BRA z%d", n);
    mix_label(s, 'x', n);
    mix_line(s, "BRA y%d", n);
    mix_label(s, 'z', n);
    change(x, s);
}

void mix_flow(struct mix *x, struct stream *s)
{
    static void (*const forms[])(struct mix *, struct stream *, int) = {write_if, write_break,
                                                                        write_call, write_jumps};
    forms[mix_below(x, 4)](x, s, x->labels++);
    s->cost.extra += 2 * x->beat +
                     2 * NESTED; /* entries that the last thread pops when it leaves */
}

/* ---- begin and end ----------------------------------------------------------------------------------------------- */

/* Registers get values that differ from lane to lane, each from those before it. */
static void scramble(struct mix *x, struct stream *s)
{
    int last = mix_reg(s, LINEAR), before = last;
    for (int r = 0; r < x->regs; r++) {
        if (r >= s->kept && r < s->kept + GATES_KEPT)
            continue;
        switch (mix_below(x, 8)) {
        case 0:
            mix_line(s, "MVI R%d, 0x%x", r,
                     mix_below(x, 2) ? mix_word(x) : 0x3f000000 + mix_below(x, 1 << 25));
            break;
        case 1:
        case 2:
            mix_line(s, "LOP.XOR R%d, R%d, R%d", r, last,
                     mix_reg(s, (int)mix_below(x, 2) ? RESULT : SIGNATURE));
            break;
        case 3:
            mix_line(s, "SHL R%d, R%d, 0x%x", r, mix_reg(s, SIGNATURE), 1 + mix_below(x, 20));
            break;
        default: mix_line(s, "IMAD.U24 R%d, R%d, R%d, R%d", r, last, mix_reg(s, SIGNATURE), before);
        }
        before = last;
        last = r;
    }
}

void mix_begin(struct mix *x, struct stream *s)
{
    int shift = (int)mix_below(x, 5), t = mix_reg(s, TEMPORARY);
    if (s->number)
        mix_label(s, 's', s->number);
    mix_line(s, "LOP32I.AND R1, R0, 0x3ff");
    mix_line(s, "LOP32I.AND R2, R0, 0x1f");
    mix_line(s, "SHL R3, R2, 0x2");
    mix_line(s, "MVI R4, 0x%x", s->window);
    if (x->room) { /* R7: the warp */
        mix_line(s, "SHR R7, R1, 0x5");
        mix_line(s, "MVI R5, 0x%x", x->room);
        mix_line(s, "IMAD.U24 R4, R7, R5, R4");
    }
    mix_line(s, "IADD R5, R3, R4");
    mix_line(s, "SHL R6, R2, 0x4");
    mix_line(s, "LOP32I.AND R6, R6, 0x70");
    mix_line(s, "IADD R4, R6, R4");
    mix_line(s, "SHR R6, R2, 0x%x", shift); /* 4: the same in 16 lanes */
    mix_line(s, "LOP32I.AND R6, R6, 0x3");
    mix_line(s, "SHL R6, R6, 0x4");
    mix_line(s, "LOP32I.AND R2, R2, 0x3");
    mix_line(s, "SHL R2, R2, 0x2");
    mix_line(s, "MOV R%d, R5", mix_reg(s, LINEAR));
    mix_line(s, "MOV R%d, R%d", mix_reg(s, FOLDED), x->room ? 7 : 4);
    mix_line(s, "MOV R%d, R2", mix_reg(s, FEW));
    mix_line(s, "MOV R%d, R6", mix_reg(s, LOCAL));
    mix_line(s, "SHL R4, R1, 0x2");
    mix_line(s, "IADD R%d, g[0x4], R4", mix_reg(s, RESULT));
    mix_line(s, "SHL R4, R1, 0x4");
    mix_line(s, "IADD R%d, g[0x5], R4", mix_reg(s, SCRATCH));
    mix_line(s, "MVI R4, 0x%x", mix_word(x) | 1);
    mix_line(s, "MVI R2, 0x%x", mix_word(x));
    mix_line(s, "IMAD.U24 R%d, R1, R4, R2", mix_reg(s, SIGNATURE));
    if (x->readable) { /* all streams store the same there */
        mix_line(s, "R2A A1, R3");
        mix_line(s, "R2G.U32.U32 g[A1+0x%x], R3", PARAMETERS / 4);
    }
    mix_line(s, "R2A A1, R%d", mix_reg(s, LINEAR));
    for (uint32_t at = 0; at < x->size; at += GATES_SLOT) {
        uint32_t to = at + GATES_SLOT <= x->size ? at : x->size - GATES_SLOT;
        mix_line(s, "IMAD.U24 R%d, R%d, R%d, R%d", t, mix_reg(s, SIGNATURE), mix_reg(s, LINEAR),
                 mix_reg(s, SIGNATURE));
        mix_line(s, "R2G.U32.U32 g[A1+0x%x], R%d", to / 4, t);
        mix_fold(s, t);
    }
    scramble(x, s);
    for (int i = 0; i < FLAGS; i++) {
        int a = mix_changed(x, s, -1);
        mix_line(s, "IADD.C%d o[0x7f], R%d, R%d", i, a, mix_changed(x, s, a));
    }
    for (int i = 1; i <= ADDRESSES; i++)
        mix_line(s, "R2A A%d, R%d, 0x%x", i, mix_changed(x, s, -1), mix_below(x, 16));
}

/* The threads end in two groups, where an exit ends them. */
void mix_end(struct mix *x, struct stream *s)
{
    char cond[24];
    int n = x->labels++;
    if (x->m->exit_ends) {
        mix_line(s, "BRA %s, q%d", condition(x, s, false, cond), n); /* its cost is known before */
        mix_line(s, "IADD.EXIT o[0x7f], R%d, R%d", mix_reg(s, SIGNATURE), mix_reg(s, LINEAR));
        mix_label(s, 'q', n);
    }
    mix_line(s, x->m->exit_ends ? "NOP.EXIT" : "RET");
    s->cost.extra += 2 * x->beat;
}
