/* random_expr.c -- random expressions, and text with holes for them. */
#include "random_maker.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "base/random.h"

#define PUT(...) fl_buf_printf(m->out, __VA_ARGS__)

uint32_t draw(struct maker *m, uint32_t below)
{
    return (uint32_t)(fl_random(&m->state) >> 33) % below;
}

const char *draw_of(struct maker *m, const char *const *from, size_t n)
{
    return from[draw(m, (uint32_t)n)];
}

static void constant(struct maker *m)
{
    static const uint32_t edges[] = {
        0,      1,       2,          3,          7,          31,         32,         33,
        0xff,   0x8000,  0xffff,     0x10000,    0x7fffffff, 0x80000000, 0x80000001, 0xffffffff,
        0xfffe, 0x10001, 0xfffffffe, 0xffff0000, 10,         1000,       0xffffff,   0x1000000};
    if (draw(m, 4))
        PUT("0x%xu", edges[draw(m, sizeof edges / sizeof edges[0])]);
    else
        PUT("0x%xu", draw(m, 0x7fffffff));
}

static void uint_leaf(struct maker *m)
{
    switch (draw(m, 14)) {
    case 0: put(m, "(u32)@I"); break;
    case 1: put(m, ONE_OF("lid", "lid", "gid", "block")); break;
    case 2: put(m, "in[@d]", draw(m, 64)); break;
    case 3: put(m, "(u32)w0"); break;
    case 4: put(m, "(u32)(@W >> 32)"); break;
    case 5: put(m, ONE_OF("a", "(u32)b")); break;
    case 6: put(m, ONE_OF("(u32)h0", "(u32)c0")); break;
    case 7:
    case 8: constant(m); break;
    default: put(m, "@U");
    }
}

static void uint_expr(struct maker *m, int d)
{
    if (d <= 0) {
        uint_leaf(m);
        return;
    }
    d--;
    switch (draw(m, 19)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        put(m, "(@*u@s@*u)", d, ONE_OF(" + ", " - ", " * ", " & ", " | ", " ^ ", " * ", " + "), d);
        break;
    case 5: put(m, ONE_OF("(@*u << (@*u & 31u))", "(@*u >> (@*u & 31u))"), d, d); break;
    case 6:
    case 7:
        put(m, "@s(@*u, @*u)",
            ONE_OF("udiv", "urem", "umulhi", "umin", "umax", "turn", "udiv16", "uadd_sat"), d, d);
        break;
    case 8: put(m, "(@*c ? +@*u : +@*u)", d, d, d); break;
    case 9: put(m, ONE_OF("(~@*u)", "(0u - @*u)"), d); break;
    case 10: put(m, "in[@*u & @du]", d, KERNEL_IN - 1); break;
    case 11: put(m, "p[@*u & 7u]", d); break;
    case 12: put(m, "table[@*u & 15u]", d); break;
    case 13: put(m, ONE_OF("(u32)(w0 * w1)", "(u32)w1")); break;
    case 14: put(m, "(u32)(@*i)", d); break;
    case 15: put(m, ONE_OF("ones(@*u)", "zeros(@*u)"), d); break;
    case 16: /* exact in float */
        put(m, "(u32)((f32)(@*u & 0xfffu) * (f32)(@*u & 0x7ffu) + (f32)(u32)c0)", d, d);
        break;
    case 17: put(m, ONE_OF("fbits(@*f)", "f2u(@*f)"), d); break;
    default: uint_leaf(m);
    }
}

static void int_expr(struct maker *m, int d)
{
    if (d <= 0) {
        put(m, ONE_OF("b", "(s32)h0", "@I", "@I", "@I"));
        return;
    }
    d--;
    switch (draw(m, 11)) {
    case 0:
    case 1:
        put(m, "@s(@*i, @*i)",
            ONE_OF("idiv", "irem", "imulhi", "imin", "imax", "idiv", "irem16", "isub_sat"), d, d);
        break;
    case 2: put(m, "(@*i >> (@*u & 31u))", d, d); break;
    case 3: put(m, "(s32)(@s)(@*u)", ONE_OF("s16", "s8", "u16", "s16"), d); break;
    case 4: put(m, "(@*c ? +@*i : +@*i)", d, d, d); break;
    case 5: put(m, "(s32)size_of(@*i)", d); break;
    case 6: put(m, "mul16(@*i, @*i)", d, d); break;
    case 7: put(m, "(s32)(f32)((@*i) >> 9)", d); break;
    case 8: put(m, "f2i(@*f)", d); break;
    default: put(m, "(s32)(@*u)", d);
    }
}

static void ulong_expr(struct maker *m, int d)
{
    if (d <= 0) {
        put(m, ONE_OF("@W", "@W", "@W", "(u64)@U"));
        return;
    }
    d--;
    switch (draw(m, 12)) {
    case 9:
    case 10:
        put(m, "@s(@*w, @*w)",
            ONE_OF("uldiv", "ulrem", "sldiv", "slrem", "ulmulhi", "ulmin", "ulmax"), d, d);
        break;
    case 11: /* rounded to float, cut off to an integer */
        put(m, ONE_OF("(u64)((f32)@*w * 0x1.3p-@df)", "(u64)(s64)((f32)(s64)@*w * 0x1.3p-@df)"), d,
            1 + draw(m, 40));
        break;
    case 0:
    case 1:
    case 2: put(m, "(@*w@s@*w)", d, ONE_OF(" + ", " - ", " * ", " & ", " | ", " ^ "), d); break;
    case 3: put(m, ONE_OF("(@*w << (@*u & 63u))", "(@*w >> (@*u & 63u))"), d, d); break;
    case 4: put(m, "(u64)((s64)@*w >> (@*u & 63u))", d, d); break;
    case 5: put(m, "(u64)(s64)(@*i)", d); break;
    case 6: put(m, "(@*c ? +@*w : +@*w)", d, d, d); break;
    case 7: put(m, "((u64)@*u * @*u)", d, d); break;
    default: put(m, ONE_OF("(@*w << @d)", "(@*w >> @d)"), d, draw(m, 64));
    }
}

/* NaN, infinities, denormals and zeros of both signs come from in[1024] to in[2047]. */
static void float_expr(struct maker *m, int d)
{
    if (d <= 0) {
        switch (draw(m, 6)) {
        case 0: put(m, "as_float(in[1024u + (@0u & 1023u)])"); break;
        case 1: put(m, ONE_OF("f", "0.5f", "-1.0f", "3.0f", "0x1p20f", "0.0f", "-0.0f")); break;
        case 2: put(m, "(f32)@I"); break;
        default: put(m, "@F");
        }
        return;
    }
    d--;
    switch (draw(m, 10)) {
    case 0:
    case 1:
    case 2: put(m, "(@*f@s@*f)", d, ONE_OF(" + ", " - ", " * ", " * "), d); break;
    case 3: put(m, "@s(@*f, @*f)", ONE_OF("least", "most"), d, d); break;
    case 4: put(m, ONE_OF("(-(@*f))", "f_abs(@*f)", "(-f_abs(@*f))"), d); break;
    case 5: put(m, "(@*c ? +@*f : +@*f)", d, d, d); break;
    case 6: put(m, "@s(@*f)", ONE_OF("f_floor", "f_ceil", "f_trunc", "f_rint"), d); break;
    case 7:
        put(m, ONE_OF("(f32)(@*u)", "(f32)(s32)(@*u)", "(f32)(u16)(@*u)", "(f32)(s8)(@*u)"), d);
        break;
    case 8: put(m, "(f32)(@*w)", d); break;
    default: put(m, "as_float(in[1024u + (@*u & 1023u)])", d);
    }
}

#define COMPARE ONE_OF(" < ", " <= ", " > ", " >= ", " == ", " != ")

/* Ordered and unordered: clang knows 14 comparisons, C writes some of them with several. */
static void float_condition(struct maker *m, int d)
{
    switch (draw(m, 8)) {
    case 0: put(m, "(@*f@s@*f)", d, COMPARE, d); break;
    case 1: put(m, "(!(@*f@s@*f))", d, COMPARE, d); break;
    case 2: put(m, "(@F@s@F)", COMPARE); break;
    case 3:
        put(m, ONE_OF("(f0 < f1 || f0 > f1)", "(!(f0 < f1 || f0 > f1))", "(f0 == f0 && f1 == f1)",
                      "(f0 != f0 || f1 != f1)"));
        break;
    case 4: put(m, "(f0@sf1 || f0 != f0 || f1 != f1)", COMPARE); break;
    case 5: put(m, "(f0 == f0 && f1 == f1 && f0@sf1)", COMPARE); break;
    case 6:
        put(m, "(@*f@s@s)", d, COMPARE, ONE_OF("0.0f", "-0.0f", "1.0f", "0x1p31f", "-3.5f"));
        break;
    default: put(m, "(@F != @F)"); break;
    }
}

static void condition(struct maker *m, int d)
{
    d--;
    switch (draw(m, 9)) {
    case 0:
    case 1: put(m, "(@*u@s@*u)", d, COMPARE, d); break;
    case 2:
    case 3: put(m, "(@*i@s@*i)", d, COMPARE, d); break;
    case 4: put(m, "(@*w@s@*w)", d, COMPARE, d); break;
    case 5: put(m, "((s64)@*w@s(s64)@*w)", d, COMPARE, d); break;
    case 6:
        if (d > 0)
            put(m, "(@*c@s@*c)", d, ONE_OF(" && ", " || "), d);
        else
            put(m, "(u0 & 1u)");
        break;
    case 7: float_condition(m, d > 1 ? 1 : d); break;
    default: put(m, "((@*u & @du) @s 0u)", d, 1u << draw(m, 6), ONE_OF("==", "!="));
    }
}

static void block_expr(struct maker *m)
{
    put(m, ONE_OF("a", "block", "in[block]", "(in[block & 7u] ^ a)", "(block + (u32)b)", "q.n",
                  "(in[a & 63u] + block)", "(f > 0.0f ? +block : +a)"));
}

static void block_condition(struct maker *m)
{
    put(m, "((@b & @du) @s @du)", 1u << draw(m, 3), ONE_OF("==", "!="), 0);
}

static void warp_expr(struct maker *m, int d)
{
    if (d <= 0) {
        put(m,
            ONE_OF("@R", "@R", "@R", "@k", "tid", "reg3", "in[tid]", "a", "in[(tid ^ a) & 1023u]"));
        return;
    }
    put(m,
        ONE_OF("(@*r + @*r)", "(@*r ^ @*r)", "(@*r * @*r)", "(@*r - @*r)", "umin(@*r, @*r)",
               "(@*r & @*r)"),
        d - 1, d - 1);
}

static void warp_condition(struct maker *m)
{
    switch (draw(m, 4)) {
    case 0: put(m, "((tid & @du) @s 0u)", 1u << draw(m, 5), ONE_OF("==", "!=")); break;
    case 1: put(m, "((tid & 31u) @s @du)", ONE_OF("<", ">=", "==", "!="), draw(m, 32)); break;
    case 2: put(m, "(@*r@s@*r)", 1, COMPARE, 1); break;
    default: put(m, "((@*r & @du) == 0u)", 1, 1u << draw(m, 4));
    }
}

static void fill(struct maker *m, char what, int d, va_list *ap)
{
    switch (what) {
    case 'u': uint_expr(m, d); break;
    case 'i': int_expr(m, d); break;
    case 'w': ulong_expr(m, d); break;
    case 'f': float_expr(m, d); break;
    case 'c': condition(m, d); break;
    case 'C': float_condition(m, d); break;
    case 'b': block_expr(m); break;
    case 'B': block_condition(m); break;
    case 'r': warp_expr(m, d); break;
    case 'q': warp_condition(m); break;
    case 'k': constant(m); break;
    case 'U': PUT("u%u", draw(m, 3)); break;
    case 'I': PUT("i%u", draw(m, 3)); break;
    case 'W': PUT("w%u", draw(m, 2)); break;
    case 'F': PUT("f%u", draw(m, 2)); break;
    case 'R': PUT("reg%u", draw(m, 3)); break;
    case 'd': PUT("%d", va_arg(*ap, int)); break;
    case 's': put(m, va_arg(*ap, const char *)); break;
    }
}

static void put_list(struct maker *m, const char *text, va_list *ap)
{
    for (; *text; text++) {
        size_t plain = strcspn(text, "@");
        fl_buf_add(m->out, text, plain);
        text += plain;
        if (!*text++)
            return;
        int d = isdigit((unsigned char)*text) ? *text++ - '0' : 1;
        if (*text == '*') {
            d = va_arg(*ap, int);
            text++;
        }
        fill(m, *text, d, ap);
    }
}

void put(struct maker *m, const char *text, ...)
{
    va_list ap;
    va_start(ap, text);
    put_list(m, text, &ap);
    va_end(ap);
}

void line(struct maker *m, const char *text, ...)
{
    va_list ap;
    va_start(ap, text);
    PUT("%*s", 4 + 4 * m->depth, "");
    put_list(m, text, &ap);
    PUT("\n");
    va_end(ap);
}
