/* random_flow.c -- shapes of control flow, and how kernels end. */
#include "random_maker.h"

void shape_if_else(struct maker *m)
{
    line(m, "if @2c {");
    body(m, 2);
    if (draw(m, 2)) {
        line(m, "} else {");
        body(m, 2);
    }
    line(m, "}");
}

/* Turns: fewer the deeper it stands. */
static int most_turns(const struct maker *m)
{
    return m->loops < 1 ? 31 : m->loops < 2 ? 7 : 3;
}

int loop_head(struct maker *m)
{
    int n = m->names++, most = most_turns(m);
    m->loops++;
    switch (draw(m, 8)) {
    case 0: line(m, "for (u32 k@d = 0; k@d < (@u & @du); k@d++) {", n, n, most, n); break;
    case 1: line(m, "for (u32 k@d = 0; k@d < (lid & @du); k@d++) {", n, n, most, n); break;
    case 2: line(m, "for (u32 k@d = 0; k@d <= ((block + lid) & 3u); k@d++) {", n, n, n); break;
    case 3: line(m, "for (u32 k@d = @d; k@d--;) {", n, 1 + (int)draw(m, (unsigned)most), n); break;
    case 4: line(m, "for (u32 k@d = @b & @du; k@d; k@d >>= 1) {", n, most, n, n); break;
    case 5:
        line(m, "for (u32 k@d = lid & 7u; k@d < (@u & @du); k@d += @d) {", n, n, most, n,
             1 + draw(m, 3));
        break;
    case 6:
        line(m, "for (u32 k@d = (@u & @du) + 1u; k@d > (@b & 1u); k@d--) {", n, most, n, n);
        break;
    default: line(m, "for (u32 k@d = 0; k@d < (@b & 3u) + 1u; k@d++) {", n, n, n);
    }
    return n;
}

void shape_loop(struct maker *m)
{
    int n = loop_head(m);
    body(m, 2);
    m->depth++;
    if (draw(m, 2))
        line(m, ONE_OF("if @c break;", "if @c continue;"));
    line(m, "u0 += k@d;", n);
    m->depth--;
    m->loops--;
    line(m, "}");
}

void shape_switch(struct maker *m)
{
    int step = 1 + (int)draw(m, 3);
    line(m, "switch (@u & 7u) {");
    for (int c = 0; c < 5; c++) {
        line(m, c == 4 ? "default: {" : "case @du: {", c * step % 7);
        body(m, 1);
        line(m, draw(m, 3) ? "} break;" : "}");
    }
    line(m, "}");
}

/* Threads leave when their number says so. */
void shape_do_while(struct maker *m)
{
    int n = m->names++, most = most_turns(m);
    m->loops++;
    line(m, "u32 n@d = 0;", n);
    line(m, "do {");
    body(m, 2);
    line(m, "} while (++n@d < (@u & @du));", n, most);
    m->loops--;
}

/* Jumps forward and back, as long as there is fuel. */
void shape_goto_fuel(struct maker *m)
{
    int n = m->names;
    m->names += 3;
    m->loops++;
    line(m, "{");
    line(m, "u32 n@d = 9;", n);
    for (int j = 0; j < 3; j++) {
        line(m, "l@d: {", n + j);
        body(m, 1);
        line(m, "}");
        line(m, "    if (--n@d == 0u) goto e@d;", n, n);
        line(m, "    if @c goto l@d;", n + (int)draw(m, 3));
    }
    line(m, "e@d:;", n);
    line(m, "}");
    m->loops--;
}

/* Several ways that end in shared tails. C++ jumps over no declaration: they stand in braces. */
void shape_goto_tail(struct maker *m)
{
    int n = m->names++;
    line(m, "if @c {");
    body(m, 1);
    line(m, "    if @c goto t@d;", n);
    line(m, "    u2 ^= @u;");
    line(m, "} else if @c {");
    body(m, 1);
    line(m, "    goto @s@d;", ONE_OF("t", "e"), n);
    line(m, "}");
    line(m, "if @c goto e@d;", n);
    line(m, "{");
    body(m, 1);
    line(m, "}");
    line(m, "t@d: {", n);
    body(m, 1);
    line(m, "}");
    line(m, "e@d:;", n);
}

void shape_several_breaks(struct maker *m)
{
    int n = m->names++, most = m->loops < 1 ? 16 + (int)draw(m, 30) : most_turns(m);
    m->loops++;
    line(m, "{");
    line(m, "u32 n@d = 0;", n);
    line(m, "while (1) {");
    body(m, 1);
    line(m, "    if (++n@d > @d) break;", n, most);
    line(m, "    if @c { @U ^= @u; @s; }", ONE_OF("break", "continue"));
    body(m, 1);
    line(m, "    if @c break;");
    if (draw(m, 2))
        line(m, "    if (n@d & 1u) continue;", n);
    line(m, "    @U += n@d;", n);
    line(m, "}");
    line(m, "@U ^= n@d;", n);
    line(m, "}");
    m->loops--;
}

void shape_many_turns(struct maker *m)
{
    int n = m->names++;
    if (m->loops > 1) {
        shape_assign(m);
        return;
    }
    line(m, "for (u32 n@d = 0; n@d < @du + (@u & 31u); n@d++) {", n, n, 16 + draw(m, 40), n);
    line(m, "    @U = @U * 5u + n@d; @U ^= @U >> 3;", n);
    if (draw(m, 2))
        line(m, "    if (@u % 37u == 5u) break;");
    line(m, "}");
}

/* What stands on the right is done only where the left did not decide. */
void shape_short_circuit(struct maker *m)
{
    line(m, "if (@c && (@c || bump(&u2, @u) & 1u) && @s) {",
         ONE_OF("@c", "(bump(&u1, 3u) & 2u)", "!(bump(&u0, @u) & 1u)"));
    body(m, 1);
    line(m, "}");
    line(m, "@I = (bump(&u0, @u) > @k || @c) && (@c || bump(&u1, 7u) < @k) ? +@i : 1;");
}

void shape_ternaries(struct maker *m)
{
    line(m, "@U = @c ? @c ? +@u : +@U : @c ? +@u : @c ? +@k : +@u;");
    line(m, "@I = (@c ? +@i : 3) @s (@c ? 5 : +@i) ? +@i : -1;", ONE_OF("<", "==", ">="));
    line(m, "@F = @C ? +@F : @c ? +@f : 1.0f;");
}

void shape_call(struct maker *m)
{
    int n = m->names++;
    switch (draw(m, 4)) {
    case 0:
        line(m, "u32 n@d = 0;", n);
        line(m, "@U ^= collatz(@u & 255u, &n@d); @U += n@d;", n, n);
        break;
    case 1: line(m, "@U += find(p, @u & 7u, @u);"); break;
    case 2: line(m, "u32 n@d = bump(&p[@u & 7u], @u); bump(&u1, @u); @U ^= n@d;", n, n); break;
    default: line(m, "swap_if(&u0, @c ? &u1 : &u2, @u);");
    }
}

void shape_float_loop(struct maker *m)
{
    int n = m->names++;
    m->loops++;
    line(m, "{");
    line(m, "f32 x@d = @f;", n);
    line(m, "for (u32 n@d = 0; n@d < @du && @s; n@d++) {", n, n, 3 + draw(m, 15),
         ONE_OF("f0 < 100.0f", "!(f0 >= f1)", "f0 != f1", "!(f0 > 0x1p30f)", "(f1 == f1)"), n);
    line(m, "    f0 = @s;", ONE_OF("f0 * 2.0f", "f0 + 1.5f", "f1 - f0", "f0 * f0", "-f0 * 0.5f"));
    body(m, 1);
    line(m, "    x@d += f0;", n);
    line(m, "}");
    line(m, "@F = x@d;", n);
    line(m, "}");
    m->loops--;
}

/* Each thread has every total-th element. */
void shape_grid_stride(struct maker *m)
{
    int n = m->names++;
    m->loops++;
    line(m, "for (u32 n@d = gid; n@d < total + @b % (3u * total); n@d += total) {", n, n, n);
    body(m, 1);
    line(m, "    @U += in[n@d & 4095u];", n);
    line(m, "    lin[n@d] ^= @U;", n);
    line(m, "}");
    m->loops--;
}

static void results(struct maker *m)
{
    line(m, "RESULTS");
}

void shape_return_in_loop(struct maker *m)
{
    int n = loop_head(m);
    body(m, 1);
    line(m, "    if @c {");
    line(m, "        u1 ^= k@d;", n);
    m->depth += 2;
    results(m);
    line(m, "return;");
    m->depth -= 2;
    line(m, "    }");
    m->loops--;
    line(m, "}");
}

void shape_return_in_if(struct maker *m)
{
    results(m);
    line(m, "if @2c {");
    body(m, 1);
    m->depth++;
    if (draw(m, 2))
        results(m);
    line(m, ONE_OF("return;", "if @c return;"));
    m->depth--;
    line(m, "}");
}

/* ---- ends: nothing stands behind ---- */

void shape_end_plain(struct maker *m)
{
    results(m);
}

static void in_branch(struct maker *m)
{
    body(m, 1);
    m->depth++;
    results(m);
    m->depth--;
}

void shape_end_by_if(struct maker *m)
{
    bool otherwise = draw(m, 2);
    if (!otherwise)
        results(m);
    line(m, "if @2c {");
    in_branch(m);
    if (otherwise) {
        line(m, "} else {");
        in_branch(m);
    }
    line(m, "}");
}

void shape_end_by_switch(struct maker *m)
{
    line(m, "switch (@u & 3u) {");
    for (int c = 0; c < 4; c++) {
        line(m, c == 3 ? "default: {" : "case @du: {", c);
        in_branch(m);
        line(m, draw(m, 3) ? "} break;" : "}");
    }
    line(m, "}");
}

void shape_end_by_grid_loop(struct maker *m)
{
    int n = m->names++;
    results(m);
    line(m, "for (u32 n@d = gid; n@d < total + @b % (3u * total); n@d += total) {", n, n, n);
    m->loops++;
    body(m, 2);
    m->loops--;
    if (draw(m, 2))
        line(m, "    if @c continue;");
    line(m, "    lin[n@d] = @U ^ @u;", n);
    line(m, "}");
}

/* Rows by blocks, with barriers: the ordinary way to write a sum of rows. */
void shape_end_by_block_loop(struct maker *m)
{
    int n = m->names++;
    if (!shared_array(m, "u32", "sh", n, m->threads, 4)) {
        shape_end_by_grid_loop(m);
        return;
    }
    results(m);
    line(m, "for (u32 n@d = block; n@d < blocks + @b % (3u * blocks); n@d += blocks) {", n, n, n);
    m->loops++;
    body(m, 1);
    line(m, "    sh@d[lid] = @u + n@d;", n, n);
    body(m, 1);
    line(m, "    BARRIER;");
    if (draw(m, 2))
        body(m, 1);
    line(m, "    @U ^= sh@d[(lid + @d) % @du];", n, draw(m, m->threads), m->threads);
    line(m, "    lin[n@d * threads + lid] = @U + @u;", n);
    line(m, "    BARRIER;");
    if (draw(m, 2))
        body(m, 1);
    m->loops--;
    line(m, "}");
}

void shape_end_by_while(struct maker *m)
{
    int n = m->names++;
    m->loops++;
    line(m, "u32 n@d = 0;", n);
    results(m);
    line(m, "while (1) {");
    body(m, 1);
    line(m, "    own[n@d & 7u] += @u;", n);
    line(m, "    if @c @s;", ONE_OF("return", "break"));
    if (draw(m, 2))
        line(m, "    if @c { own[0] = n@d; return; }", n);
    line(m, "    if (++n@d > @du) return;", n, 5 + draw(m, 20));
    line(m, "}");
    m->loops--;
}

void shape_end_by_do(struct maker *m)
{
    int n = m->names++;
    m->loops++;
    line(m, "u32 n@d = 0;", n);
    line(m, "do {");
    body(m, 1);
    m->depth++;
    results(m);
    m->depth--;
    line(m, "} while (++n@d < @du && @c);", n, 2 + draw(m, 20));
    m->loops--;
}

void shape_end_by_nest(struct maker *m)
{
    int n = m->names;
    m->names += 2;
    m->loops += 2;
    results(m);
    line(m, "for (u32 n@d = 0; n@d < (@u & 7u); n@d++)", n, n, n);
    line(m, "    for (u32 n@d = lid & 3u; n@d < (@u & 7u); n@d++)", n + 1, n + 1, n + 1);
    line(m, "        if @c {");
    m->depth += 2;
    body(m, 1);
    m->depth -= 2;
    line(m, "            own[(n@d + n@d) & 7u] ^= @u;", n, n + 1);
    line(m, "        }");
    m->loops -= 2;
}
