/* random_kernel.c -- see random_kernel.h. */
#include "random_kernel.h"

#include "base/random.h"

struct maker {
    struct fl_buf *out;
    uint64_t state;
    int depth, loops, labels;
    bool large;
};

static uint32_t draw(struct maker *m, uint32_t below)
{
    return (uint32_t)(fl_random(&m->state) >> 33) % below;
}

#define PUT(...) fl_buf_printf(m->out, __VA_ARGS__)

static void uint_expr(struct maker *m, int d);
static void int_expr(struct maker *m, int d);
static void ulong_expr(struct maker *m, int d);
static void condition(struct maker *m, int d);

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

static void index_expr(struct maker *m, int d, int mask)
{
    PUT("(");
    uint_expr(m, d);
    PUT(" & %du)", mask);
}

static void uint_leaf(struct maker *m)
{
    switch (draw(m, 12)) {
    case 0: PUT("(uint)i%u", draw(m, 3)); break;
    case 1: PUT("lid"); break;
    case 2: PUT("in[%u]", draw(m, KERNEL_IN)); break;
    case 3: PUT("(uint)U0"); break;
    case 4: PUT("(uint)(U%u >> 32)", draw(m, 2)); break;
    case 5: PUT(draw(m, 2) ? "a" : "(uint)b"); break;
    case 6: PUT(draw(m, 2) ? "(uint)s0" : "(uint)c0"); break;
    case 7:
    case 8: constant(m); break;
    default: PUT("u%u", draw(m, 3));
    }
}

static void two(struct maker *m, const char *before, void (*x)(struct maker *, int), const char *op,
                void (*y)(struct maker *, int), int d, const char *after)
{
    PUT("%s", before);
    x(m, d);
    PUT("%s", op);
    y(m, d);
    PUT("%s", after);
}

static void uint_expr(struct maker *m, int d)
{
    static const char *const ops[] = {" + ", " - ", " * ", " & ", " | ", " ^ ", " * ", " + "};
    static const char *const calls[] = {"udiv(", "urem(",   "mul_hi(", "min(",
                                        "max(",  "rotate(", "udiv16(", "add_sat("};
    if (d <= 0) {
        uint_leaf(m);
        return;
    }
    d--;
    switch (draw(m, 18)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: two(m, "(", uint_expr, ops[draw(m, 8)], uint_expr, d, ")"); break;
    case 5: two(m, "(", uint_expr, draw(m, 2) ? " << (" : " >> (", uint_expr, d, " & 31u))"); break;
    case 6:
    case 7: two(m, calls[draw(m, 8)], uint_expr, ", ", uint_expr, d, ")"); break;
    case 8:
        PUT("(");
        condition(m, d);
        two(m, " ? ", uint_expr, " : ", uint_expr, d, ")");
        break;
    case 9:
        PUT("(%s", draw(m, 2) ? "~" : "0u - ");
        uint_expr(m, d);
        PUT(")");
        break;
    case 10:
        PUT("in[");
        index_expr(m, d, KERNEL_IN - 1);
        PUT("]");
        break;
    case 11:
        PUT("p[");
        index_expr(m, d, 7);
        PUT("]");
        break;
    case 12:
        PUT("table[");
        index_expr(m, d, 15);
        PUT("]");
        break;
    case 13: PUT("(uint)(%s)", draw(m, 2) ? "U0 * U1" : "U1"); break;
    case 14:
        PUT("(uint)(");
        int_expr(m, d);
        PUT(")");
        break;
    case 15:
        PUT("%s(", draw(m, 2) ? "popcount" : "clz");
        uint_expr(m, d);
        PUT(")");
        break;
    case 16: /* exact in float */
        PUT("(uint)((float)(");
        uint_expr(m, d);
        PUT(" & 0xfffu) * (float)(");
        uint_expr(m, d);
        PUT(" & 0x7ffu) + (float)(uint)c0)");
        break;
    default: uint_leaf(m);
    }
}

static void int_expr(struct maker *m, int d)
{
    static const char *const calls[] = {"idiv(", "irem(", "mul_hi(", "min(",
                                        "max(",  "idiv(", "irem16(", "sub_sat("};
    if (d <= 0) {
        switch (draw(m, 5)) {
        case 0: PUT("b"); break;
        case 1: PUT("(int)s0"); break;
        default: PUT("i%u", draw(m, 3));
        }
        return;
    }
    d--;
    switch (draw(m, 10)) {
    case 0:
    case 1: two(m, calls[draw(m, 8)], int_expr, ", ", int_expr, d, ")"); break;
    case 2: two(m, "(", int_expr, " >> (", uint_expr, d, " & 31u))"); break;
    case 3:
        PUT("(int)(%s)(", draw(m, 3) ? draw(m, 2) ? "short" : "char" : "ushort");
        uint_expr(m, d);
        PUT(")");
        break;
    case 4:
        PUT("(");
        condition(m, d);
        two(m, " ? ", int_expr, " : ", int_expr, d, ")");
        break;
    case 5:
        PUT("(int)abs(");
        int_expr(m, d);
        PUT(")");
        break;
    case 6: two(m, "mul16(", int_expr, ", ", int_expr, d, ")"); break;
    case 7:
        PUT("(int)(float)((");
        int_expr(m, d);
        PUT(") >> 9)");
        break;
    default:
        PUT("(int)(");
        uint_expr(m, d);
        PUT(")");
    }
}

static void ulong_expr(struct maker *m, int d)
{
    static const char *const ops[] = {" + ", " - ", " * ", " & ", " | ", " ^ "};
    static const char *const calls[] = {"uldiv(",  "ulrem(", "(ulong)sldiv(", "(ulong)slrem(",
                                        "mul_hi(", "min(",   "max("};
    if (d <= 0) {
        PUT(draw(m, 4) ? "U%u" : "(ulong)u%u", draw(m, 2));
        return;
    }
    d--;
    switch (draw(m, 12)) {
    case 9:
    case 10: two(m, calls[draw(m, 7)], ulong_expr, ", ", ulong_expr, d, ")"); break;
    case 11: /* rounded to float, cut off to an integer */
        PUT(draw(m, 2) ? "(ulong)((float)" : "(ulong)(long)((float)(long)");
        ulong_expr(m, d);
        PUT(" * 0x1.3p-%uf)", 1 + draw(m, 40));
        break;
    case 0:
    case 1:
    case 2: two(m, "(", ulong_expr, ops[draw(m, 6)], ulong_expr, d, ")"); break;
    case 3:
        two(m, "(", ulong_expr, draw(m, 2) ? " << (" : " >> (", uint_expr, d, " & 63u))");
        break;
    case 4: two(m, "(ulong)((long)", ulong_expr, " >> (", uint_expr, d, " & 63u))"); break;
    case 5:
        PUT("(ulong)(long)(");
        int_expr(m, d);
        PUT(")");
        break;
    case 6:
        PUT("(");
        condition(m, d);
        two(m, " ? ", ulong_expr, " : ", ulong_expr, d, ")");
        break;
    case 7: two(m, "((ulong)", uint_expr, " * ", uint_expr, d, ")"); break;
    default:
        PUT("(");
        ulong_expr(m, d);
        PUT(" %s %u)", draw(m, 2) ? "<<" : ">>", draw(m, 64));
    }
}

static void condition(struct maker *m, int d)
{
    static const char *const compare[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    d--;
    switch (draw(m, 8)) {
    case 0:
    case 1: two(m, "(", uint_expr, compare[draw(m, 6)], uint_expr, d, ")"); break;
    case 2:
    case 3: two(m, "(", int_expr, compare[draw(m, 6)], int_expr, d, ")"); break;
    case 4: two(m, "(", ulong_expr, compare[draw(m, 6)], ulong_expr, d, ")"); break;
    case 5: two(m, "((long)", ulong_expr, compare[draw(m, 6)], ulong_expr, d, ")"); break;
    case 6:
        if (d > 0)
            two(m, "(", condition, draw(m, 2) ? " && " : " || ", condition, d, ")");
        else
            PUT("(u0 & 1u)");
        break;
    default:
        PUT("((");
        uint_expr(m, d);
        PUT(" & %uu) %s 0u)", 1u << draw(m, 6), draw(m, 2) ? "==" : "!=");
    }
}

static void indent(struct maker *m)
{
    PUT("%*s", 4 + 4 * m->depth, "");
}

static void assign(struct maker *m)
{
    int d = 1 + (int)draw(m, m->large ? 3 : 2);
    switch (draw(m, 10)) {
    case 0:
        PUT("p[");
        index_expr(m, 1, 7);
        PUT("] = ");
        uint_expr(m, d);
        break;
    case 1:
        PUT("s0 = (short)(");
        uint_expr(m, d);
        PUT(")");
        break;
    case 2:
        PUT("c0 = (uchar)(");
        uint_expr(m, d);
        PUT(")");
        break;
    case 3:
        PUT("U%u = ", draw(m, 2));
        ulong_expr(m, d);
        break;
    case 4:
    case 5:
    case 6:
        PUT("i%u = ", draw(m, 3));
        int_expr(m, d);
        break;
    default: PUT("u%u %s= ", draw(m, 3), draw(m, 2) ? "" : draw(m, 2) ? "^" : "+"); uint_expr(m, d);
    }
    PUT(";\n");
}

static void block(struct maker *m, int statements);

static void statement(struct maker *m)
{
    indent(m);
    if (m->depth >= (m->large ? 3 : 2) || draw(m, 5) < 2) {
        assign(m);
        return;
    }
    int n = m->loops;
    switch (draw(m, 7)) {
    case 0:
    case 1:
        PUT("if ");
        condition(m, 2);
        PUT(" {\n");
        block(m, 2);
        if (draw(m, 2)) {
            indent(m);
            PUT("} else {\n");
            block(m, 2);
        }
        indent(m);
        PUT("}\n");
        break;
    case 2:
        PUT("for (uint k%d = 0; k%d < (", n, n);
        uint_expr(m, 1);
        PUT(" & 7u); k%d++) {\n", n);
        m->loops++;
        block(m, 2);
        m->depth++;
        indent(m);
        if (draw(m, 2)) {
            PUT("if ");
            condition(m, 1);
            PUT(draw(m, 2) ? " break;\n" : " continue;\n");
            indent(m);
        }
        PUT("u0 += k%d;\n", n);
        m->depth--;
        indent(m);
        PUT("}\n");
        break;
    case 3:
        PUT("switch (");
        uint_expr(m, 1);
        PUT(" & 7u) {\n");
        for (uint32_t c = 0; c < 5; c++) {
            indent(m);
            PUT(c == 4 ? "default:\n" : "case %u:\n", c * 2 % 7);
            block(m, 1);
            if (draw(m, 3)) {
                m->depth++;
                indent(m);
                m->depth--;
                PUT("break;\n");
            }
        }
        indent(m);
        PUT("}\n");
        break;
    case 4: /* a loop that threads leave when their number says so */
        PUT("{ uint n%d = 0; do {\n", n);
        m->loops++;
        block(m, 2);
        indent(m);
        PUT("} while (++n%d < (", n);
        uint_expr(m, 1);
        PUT(" & 15u)); }\n");
        break;
    case 5: { /* jumps forward and back, as long as there is fuel */
        int l = m->labels;
        m->labels += 3;
        PUT("{ uint f%d = 9;\n", l);
        for (int j = 0; j < 3; j++) {
            PUT("    l%d:\n", l + j);
            block(m, 1);
            indent(m);
            PUT("    if (--f%d == 0) goto e%d;\n", l, l);
            indent(m);
            PUT("    if ");
            condition(m, 1);
            PUT(" goto l%u;\n", (unsigned)l + draw(m, 3));
        }
        PUT("    e%d:;\n", l);
        indent(m);
        PUT("}\n");
        break;
    }
    default: assign(m);
    }
}

static void block(struct maker *m, int statements)
{
    m->depth++;
    for (int i = 0; i < 1 + (m->large ? (int)draw(m, (uint32_t)statements) : 0); i++)
        statement(m);
    m->depth--;
}

static void exchange(struct maker *m)
{
    indent(m);
    PUT("sh[lid] = ");
    uint_expr(m, 1);
    PUT(";\n");
    indent(m);
    PUT("barrier(CLK_LOCAL_MEM_FENCE);\n");
    indent(m);
    PUT("u%u %s= sh[(lid %s ", draw(m, 3), draw(m, 2) ? "" : "^", draw(m, 2) ? "+" : "^");
    constant(m);
    PUT(") & %du];\n", KERNEL_LOCAL - 1);
    indent(m);
    PUT("barrier(CLK_LOCAL_MEM_FENCE);\n");
}

void random_kernel(uint64_t seed, bool large, const char *name, struct fl_buf *out)
{
    struct maker maker = {.out = out, .state = seed * 0x9e3779b97f4a7c15u + 1, .large = large},
                 *m = &maker;
    bool shared = draw(m, 2);
    PUT("__kernel void %s(__global uint *out, __global const uint *in, uint a, int b)\n{\n", name);
    if (shared)
        PUT("    __local uint sh[%d];\n", KERNEL_LOCAL);
    PUT("    uint lid = get_local_id(0), gid = get_global_id(0), p[8];\n"
        "    uint u0 = in[lid], u1 = in[gid & 31u] ^ gid, u2 = a + lid;\n"
        "    int i0 = (int)in[(lid * 7u) & 63u], i1 = b, i2 = (int)lid - 20;\n"
        "    short s0 = (short)u1;\n    uchar c0 = (uchar)(u0 >> 3);\n"
        "    ulong U0 = (ulong)u0 << 20 ^ u1, U1 = (ulong)(long)i1 * 77u;\n"
        "    for (uint k = 0; k < 8; k++)\n        p[k] = k * u1;\n");
    for (int i = 0; i < (m->large ? 3 : 2); i++) {
        for (int j = 0; j < 1 + (int)draw(m, m->large ? 3 : 1); j++)
            statement(m);
        if (!shared)
            continue;
        if (draw(m, 3) == 0) { /* all threads turn as often */
            PUT("    for (uint t%d = 0; t%d <= (a & 3u); t%d++) {\n", i, i, i);
            m->depth++;
            exchange(m);
            statement(m);
            m->depth--;
            PUT("    }\n");
        } else
            exchange(m);
    }
    if (draw(m, 2)) {
        PUT("    out[gid * 4u] = u0;\n    if ");
        condition(m, 2);
        PUT(" return;\n");
        statement(m);
    }
    PUT("    out[gid * 4u] = u0 ^ p[u1 & 7u];\n    out[gid * 4u + 1u] = u1 + (uint)i0 * 3u;\n"
        "    out[gid * 4u + 2u] = u2 ^ (uint)i1 ^ (uint)i2;\n"
        "    out[gid * 4u + 3u] = (uint)(U0 >> 32) ^ (uint)U1 ^ (uint)s0 ^ (uint)c0 << 7 ^ "
        "p[3];\n}\n\n");
}

void random_kernel_prelude(struct fl_buf *out)
{
    fl_buf_printf(
        out,
        "__constant uint table[16] = {1u, 0xffffffffu, 0x80000000u, 3u, 5u, 0x12345678u, 255u, "
        "0x7fffffffu,\n"
        "    9u, 10u, 65535u, 65536u, 13u, 0xdeadbeefu, 0u, 77u};\n"
        "static uint udiv(uint x, uint y) { return y ? x / y : 5u; }\n"
        "static uint urem(uint x, uint y) { return y ? x %% y : x; }\n"
        "static uint udiv16(uint x, uint y) { return (ushort)x / (ushort)((y & 0xffffu) | 1u); }\n"
        "static int idiv(int x, int y) { return y == 0 || (x == (-0x7fffffff - 1) && y == -1) ? x "
        ": x / y; }\n"
        "static int irem(int x, int y) { return y == 0 || (x == (-0x7fffffff - 1) && y == -1) ? 3 "
        ": x %% y; }\n"
        "static ulong uldiv(ulong x, ulong y) { return y ? x / y : 7u; }\n"
        "static ulong ulrem(ulong x, ulong y) { return y ? x %% y : x; }\n"
        "static long sldiv(ulong x, ulong y) { return y + 1u < 2u ? 9 : (long)x / (long)y; }\n"
        "static long slrem(ulong x, ulong y) { return y + 1u < 2u ? 9 : (long)x %% (long)y; }\n"
        "static int irem16(int x, int y) { return (short)x %% ((short)y == 0 ? 9 : (short)y); }\n"
        "static int mul16(int x, int y) { return (short)x * (short)y; }\n\n");
}

void random_kernel_host_head(struct fl_buf *out)
{
    fl_buf_printf(
        out,
        "#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <ucontext.h>\n"
        "typedef unsigned char uchar; typedef unsigned short ushort; typedef uint32_t uint; "
        "typedef uint64_t ulong;\n"
        "#define long int64_t\n"
        "#define __kernel static\n#define __global\n#define __constant static const\n#define "
        "__local static\n"
        "#define CLK_LOCAL_MEM_FENCE 0\n"
        "enum { N = %d };\n"
        "static ucontext_t item[N], back; static int here; static uint group; static char "
        "done[N];\n"
        "static uint get_local_id(int d) { (void)d; return (uint)here; }\n"
        "static uint get_global_id(int d) { (void)d; return group * N + (uint)here; }\n"
        "static void barrier(int f) { (void)f; swapcontext(&item[here], &back); }\n"
        "#define min(x, y) ({ __auto_type x_ = (x); __typeof__(x_) y_ = (y); x_ < y_ ? x_ : y_; "
        "})\n"
        "#define max(x, y) ({ __auto_type x_ = (x); __typeof__(x_) y_ = (y); x_ > y_ ? x_ : y_; "
        "})\n"
        "static uint rotate(uint x, uint n) { n &= 31; return n ? x << n | x >> (32 - n) : x; }\n"
        "static uint popcount(uint x) { return (uint)__builtin_popcount(x); }\n"
        "static uint clz(uint x) { return x ? (uint)__builtin_clz(x) : 32; }\n"
        "static uint umulhi(uint x, uint y) { return (uint)((ulong)x * y >> 32); }\n"
        "static int imulhi(int x, int y) { return (int)((long)x * y >> 32); }\n"
        "static ulong ulmulhi(ulong x, ulong y) { return (ulong)((unsigned __int128)x * y >> 64); "
        "}\n"
        "#define mul_hi(x, y) _Generic((x), ulong: ulmulhi, uint: umulhi, int: imulhi)(x, y)\n"
        "static uint add_sat(uint x, uint y) { return x + y < x ? 0xffffffffu : x + y; }\n"
        "static int sub_sat(int x, int y) { long d = (long)x - y; return d > 0x7fffffff ? "
        "0x7fffffff : d < -0x7fffffff - 1L ? "
        "-0x7fffffff - 1 : (int)d; }\n"
        "static uint abs_(int x) { return x < 0 ? 0u - (uint)x : (uint)x; }\n#define abs abs_\n",
        KERNEL_LOCAL);
}

void random_kernel_host_main(int count, const uint32_t *in, uint32_t a, uint32_t b,
                             struct fl_buf *out)
{
    fl_buf_printf(out, "static const uint in[%d] = {", KERNEL_IN);
    for (int i = 0; i < KERNEL_IN; i++)
        fl_buf_printf(out, "0x%xu,", in[i]);
    fl_buf_printf(out, "};\ntypedef void (*kernel)(uint *, const uint *, uint, int);\nstatic const "
                       "kernel all[] = {");
    for (int i = 0; i < count; i++)
        fl_buf_printf(out, "k%d,", i);
    fl_buf_printf(out,
                  "};\nstatic uint result[%d];\nstatic kernel now;\n"
                  "static void run(void) { now(result, in, 0x%xu, (int)0x%xu); done[here] = 1; "
                  "swapcontext(&item[here], &back); }\n"
                  "int main(void)\n{\n    FILE *f = fopen(\"host.out\", \"wb\");\n    static char "
                  "stack[N][65536];\n"
                  "    for (int k = 0; k < %d; k++) {\n"
                  "        now = all[k];\n"
                  "        for (int i = 0; i < %d; i++) result[i] = 0;\n"
                  "        for (group = 0; group < %d; group++) {\n"
                  "            for (int i = 0; i < N; i++) {\n"
                  "                getcontext(&item[i]); item[i].uc_stack.ss_sp = stack[i];\n"
                  "                item[i].uc_stack.ss_size = sizeof stack[i]; done[i] = 0; "
                  "makecontext(&item[i], run, 0);\n"
                  "            }\n"
                  "            for (int left = N; left;)\n"
                  "                for (here = 0; here < N; here++)\n"
                  "                    if (!done[here]) { swapcontext(&back, &item[here]); left -= "
                  "done[here]; }\n"
                  "        }\n"
                  "        fwrite(result, sizeof result, 1, f);\n"
                  "    }\n    return fclose(f) != 0;\n}\n",
                  KERNEL_ITEMS * KERNEL_WORDS, a, b, count, KERNEL_ITEMS * KERNEL_WORDS,
                  KERNEL_GROUPS);
}
