/* random_data.c -- shapes that compute and move data.
 *
 * A thread's 32 words of `mem`, from `own` on: 8 words, two struct rec, a vector and 4 words of 64 bits, halves, bytes, floats. Each
 * part is always accessed as what it is.
 */
#include "random_maker.h"

void shape_assign(struct maker *m)
{
    int d = 1 + (int)draw(m, m->large ? 3 : 2);
    switch (draw(m, 12)) {
    case 0: line(m, "p[@u & 7u] = @*u;", d); break;
    case 1: line(m, "h0 = (s16)(@*u);", d); break;
    case 2: line(m, "c0 = (u8)(@*u);", d); break;
    case 3: line(m, "@W = @*w;", d); break;
    case 4:
    case 5:
    case 6: line(m, "@I = @*i;", d); break;
    case 7: line(m, "@F = @*f;", d); break;
    default: line(m, "@U @s= @*u;", ONE_OF("", "", "^", "+"), d);
    }
}

/* Signed and unsigned, 8 and 16 bits: what is promoted, cut off and extended. */
void shape_narrow(struct maker *m)
{
    int n = m->names++;
    line(m, "s8 x@d = (s8)@u;", n);
    line(m, "u8 y@d = (u8)@u;", n);
    line(m, "s16 z@d = (s16)(x@d * @d);", n, n, (int)draw(m, 255) - 127);
    switch (draw(m, 4)) {
    case 0: line(m, "x@d = (s8)(x@d + y@d); y@d = (u8)(y@d - 200);", n, n, n, n, n); break;
    case 1:
        line(m, "x@d = (s8)(x@d >> @d); y@d = (u8)(y@d << @d);", n, n, draw(m, 8), n, n,
             draw(m, 8));
        break;
    case 2:
        line(m, "z@d = (s16)(z@d / (x@d | 1)); y@d = (u8)(y@d % (u8)(@d));", n, n, n, n, n,
             1 + draw(m, 255));
        break;
    default: line(m, "z@d = (s16)(x@d * y@d - z@d); x@d = (s8)-x@d;", n, n, n, n, n, n);
    }
    line(m, "if (x@d @s (s8)@u) @U += (u32)x@d;", n, ONE_OF("<", ">=", "=="), n);
    line(m, "@U ^= (u32)(u16)z@d << 8 | y@d; @I = z@d;", n, n, n);
}

void shape_wide_shift(struct maker *m)
{
    int n = m->names++;
    line(m, "u32 k@d = @u & 63u;", n);
    line(m,
         ONE_OF("w0 = w0 << k@d | w1 >> (63u - k@d);", "w1 = (u64)((s64)w0 >> k@d) ^ w1 << k@d;",
                "w0 ^= ((u64)1 << k@d) - (u64)k@d;", "w1 = (w1 >> k@d & 0xffffu) << (k@d & 31u);"),
         n, n);
    line(m, "@U ^= (u32)(@W >> (@u & 63u));");
    if (draw(m, 2))
        line(m, "if ((s64)@W @s (s64)@w) w1 = @2w;", ONE_OF("<", "<=", ">"));
}

void shape_float_math(struct maker *m)
{
    line(m, "f0 = @2f;");
    line(m, ONE_OF("f1 = f0 * @f + @f;", "f1 = f1 * 0.5f - f0 * @f;", "f1 += f0 * f0;",
                   "f1 = most(least(@f, @f), f0);", "f1 = f0 - f_floor(f0);",
                   "f1 = (f32)f2i(@2f) * 0x1p-3f;"));
    line(m, "@U ^= fbits(@F);");
}

void shape_float_compare(struct maker *m)
{
    line(m, "if @C @U += @k; else @F = @f;");
    line(m, "@U = @U << 1 | (u32)@C;");
    line(m, "@I = @C ? +@i : +@i;");
    line(m, "@U ^= @C && @C ? +@u : +@k;");
}

/* In CUDA C a double, demoted; elsewhere float. Its numbers are not constants, with which clang would compute in double. */
void shape_double(struct maker *m)
{
    int n = m->names++;
    line(m, "f64 d@d = (f64)f0, e@d = (f64)@f;", n, n);
    line(m,
         ONE_OF("d@d = d@d * e@d + (f64)f1;", "d@d -= e@d * (f64)f1;",
                "d@d += (f64)f1 - e@d * d@d;"),
         n, n, n);
    switch (draw(m, 3)) {
    case 0: line(m, "if (d@d < e@d) @U += @k; else d@d = e@d;", n, n, n, n); break;
    case 1: line(m, "put_f64(own + 20, d@d); if @c own[21] ^= 0x80000000u;", n); break;
    default:
        line(m, "e@d = get_f64(own + @d); d@d = e@d * (f64)f0;", n, 20 + 2 * (int)draw(m, 4), n, n);
    }
    line(m, "@F = (f32)d@d; @U ^= fbits((f32)e@d);", n, n);
    line(m, "put_f64(own + 22, e@d); @F = (f32)get_f64(own + @d);", n, 20 + 2 * (int)draw(m, 2));
}

void shape_vector(struct maker *m)
{
    int n = m->names++;
    line(m, "u32x4 v@d = MAKE_U4(@u, @u, u0, u1);", n);
    line(m, "v@d = ADD_U4(v@d, XOR_U4(v@d, MAKE_U4(@U, @U, @k, @U)));", n, n, n);
    line(m, "v@d.@s ^= v@d.@s;", n, ONE_OF("x", "y", "z", "w"), n, ONE_OF("x", "y", "z", "w"));
    if (draw(m, 2))
        line(m, "if @c v@d = MAKE_U4(v@d.w, v@d.x, v@d.y, v@d.z);", n, n, n, n, n);
    line(m, "u8x4 b@d = MAKE_C4(v@d.x, v@d.y >> 3, @U, 255u);", n, n, n);
    line(m, "u16x2 hv@d = MAKE_H2(v@d.z, b@d.y * 300u);", n, n, n);
    line(m,
         "@U += v@d.x ^ v@d.w; @U ^= (u32)b@d.x << 24 ^ (u32)(b@d.z - b@d.w) ^ (u32)hv@d.x * 3u ^ "
         "hv@d.y;",
         n, n, n, n, n, n, n);
}

void shape_vector_memory(struct maker *m)
{
    int n = m->names++;
    line(m, "GLOBAL u32x4 *v@d = (GLOBAL u32x4 *)(own + 16);", n);
    line(m, "if @c v@d[0] = ADD_U4(v@d[0], ((GLOBAL const u32x4 *)in)[@u & 1023u]);", n, n);
    line(m, "GLOBAL f32x4 *x@d = (GLOBAL f32x4 *)(own + 28);", n);
    line(m, "f32x4 y@d = MUL_F4(x@d[0], MAKE_F4(@F, 0.5f, @F, -1.0f));", n, n);
    line(m,
         "x@d[0] = MAKE_F4(as_float(fbits(y@d.w)), as_float(fbits(y@d.x)), as_float(fbits(y@d.y)), "
         "as_float(fbits(y@d.z)));",
         n, n, n, n, n);
    line(m, "@U ^= v@d[0].@s; @F = x@d[0].@s;", n, ONE_OF("x", "y", "z", "w"), n,
         ONE_OF("x", "y", "z", "w"));
}

void shape_struct_private(struct maker *m)
{
    int n = m->names++;
    line(m, "struct rec r@d[3];", n);
    line(m, "for (u32 k = 0; k < 3u; k++) {");
    line(m,
         "    r@d[k].n = u1 * k; r@d[k].x = (f32)(s32)k; r@d[k].in[0] = recs[k].in[1]; "
         "r@d[k].in[1].h = (s16)(u0 >> k);",
         n, n, n, n);
    line(m, "    r@d[k].in[1].c[0] = c0; r@d[k].in[1].c[1] = (u8)k;", n, n);
    line(m, "}");
    line(m, "r@d[@u % 3u].in[@u & 1u].c[@u & 1u] = (u8)@u;", n);
    line(m, "r@d[@u % 3u].in[@u & 1u].h += (s16)@i;", n);
    if (draw(m, 2))
        line(m, "if @c r@d[0] = mixed(r@d[@u % 3u], @u);", n, n);
    line(m, "@U ^= folded(r@d[@u % 3u]) + r@d[2].n;", n, n);
}

void shape_struct_memory(struct maker *m)
{
    int n = m->names++;
    line(m, "GLOBAL struct rec *g@d = (GLOBAL struct rec *)(own + 8);", n);
    line(m, "g@d[@u & 1u].in[@u & 1u].h @s (s16)@u;", n, ONE_OF("=", "+=", "^="));
    line(m, "g@d[@u & 1u].in[1].c[@u & 1u] = (u8)@u;", n);
    switch (draw(m, 3)) {
    case 0: line(m, "if @c g@d[0] = mixed(g@d[1], @u);", n, n); break;
    case 1: line(m, "g@d[1] = recs[@u & 3u];", n); break;
    default: line(m, "(g@d + (@U & 1u))->n += g@d->n;", n, n);
    }
    line(m, "@U += folded(g@d[@u & 1u]);", n);
}

void shape_struct_argument(struct maker *m)
{
    line(m, ONE_OF("@U ^= q.arr[@u % 3u];", "@I = q.h * (s32)q.d;", "@U += q.n + q.c;",
                   "@F = q.x * @f;"));
    line(m, "if @c { q.arr[@u % 3u] = @u; q.h = (s16)(q.h + 1); }");
    line(m, "@U ^= folded_pack(q);");
}

void shape_private_array(struct maker *m)
{
    static const char *const types[] = {"u8", "s8", "u16", "s16", "u32", "u64"};
    int n = m->names++, size = 4 << draw(m, 3);
    const char *t = types[draw(m, 6)];
    line(m, "@s t@d[@d];", t, n, size);
    line(m, "for (u32 k = 0; k < @du; k++) t@d[k] = (@s)(u0 * k + (u32)w0);", size, n, t);
    line(m, "t@d[@u & @du] = (@s)@u;", n, size - 1, t);
    line(m, "t@d[@u & @du] @s (@s)@u;", n, size - 1, ONE_OF("+=", "^=", "="), t);
    if (draw(m, 2))
        line(m,
             "for (u32 k = 1; k < @du; k++) if (t@d[k] > t@d[k - 1u]) { @s x = t@d[k]; t@d[k] = "
             "t@d[k - 1u]; t@d[k - 1u] = x; }",
             size, n, n, t, n, n, n, n);
    line(m, "@U ^= (u32)t@d[@u & @du];", n, size - 1);
    if (draw(m, 2))
        line(m, "swap_if(&p[@u & 7u], &p[@u & 7u], @u);");
}

void shape_constant_memory(struct maker *m)
{
    line(m, "@I = bytes[@u & 7u] * (s32)halves[@u & 7u];");
    line(m, "@U ^= recs[@u & 3u].n + (u32)recs[@u & 3u].in[@u & 1u].h + recs[lid & 3u].in[1].c[@u "
            "& 1u];");
    line(m, "@F = recs[@u & 3u].x * @F;");
    line(m, "@U += table[(lid + block) & 15u] - table[@d];", draw(m, 16));
}

/* Stores on some ways only, read back behind them. */
void shape_store_and_read(struct maker *m)
{
    line(m, "if @c {");
    m->depth++;
    line(m, "own[@u & 7u] = @2u;");
    if (draw(m, 2))
        line(m, "@U ^= own[@u & 7u];");
    m->depth--;
    body(m, 1);
    if (draw(m, 2)) {
        line(m, "} else {");
        line(m, "    own[@d] += @u; own[@u & 7u] ^= own[@d];", draw(m, 8), draw(m, 8));
    }
    line(m, "}");
    line(m, "@U += own[@u & 7u];");
}

void shape_memory_sizes(struct maker *m)
{
    int n = m->names++;
    switch (draw(m, 4)) {
    case 0:
        line(m, "GLOBAL u8 *m@d = (GLOBAL u8 *)(own + 26);", n);
        line(m, "m@d[@u & 7u] = (u8)@u; m@d[@d] @s (u8)@u; @U ^= (u32)m@d[@u & 7u] << @d;", n, n,
             draw(m, 8), ONE_OF("=", "+=", "|="), n, draw(m, 24));
        line(m, "@I = ((GLOBAL s8 *)m@d)[@u & 7u];", n);
        break;
    case 1:
        line(m, "GLOBAL s16 *m@d = (GLOBAL s16 *)(own + 24);", n);
        line(m, "m@d[@u & 3u] = (s16)@u; m@d[@d] @s (s16)@u; @I = m@d[@u & 3u];", n, n, draw(m, 4),
             ONE_OF("=", "+=", "|="), n);
        line(m, "@U += ((GLOBAL u16 *)m@d)[@u & 3u];", n);
        break;
    case 2:
        line(m, "GLOBAL u64 *m@d = (GLOBAL u64 *)(own + 20);", n);
        line(m, "m@d[@u & 1u] += @w; if @c m@d[0] = m@d[1] - @w; @W = m@d[@u & 1u];", n, n, n, n);
        break;
    default:
        line(m, "GLOBAL f32 *m@d = (GLOBAL f32 *)(own + 28);", n);
        line(m,
             "m@d[@u & 3u] = as_float(fbits(@2f)); if @C m@d[0] = m@d[@u & 3u]; @F = m@d[@u & 3u];",
             n, n, n, n);
    }
}

void shape_walking_pointer(struct maker *m)
{
    int n = m->names++;
    switch (draw(m, 4)) {
    case 0:
        line(m, "GLOBAL u32 *g@d = own;", n);
        line(m, "for (u32 k = @u & 7u; k; k--) *g@d++ ^= @u + k;", n);
        line(m, "@U += (u32)(g@d - own);", n);
        break;
    case 1:
        line(m, "GLOBAL u32 *g@d = own + 8;", n);
        line(m, "while (g@d > own) { g@d -= @d; @U ^= *g@d; if @c break; *g@d = @U; }", n, n,
             1 << draw(m, 3), n, n);
        break;
    case 2:
        line(m, "@U ^= walk(own + @d, @d, @u & 3u);", 4 + draw(m, 2), draw(m, 2) ? -1 : 1);
        break;
    default:
        line(m, "GLOBAL const u32 *g@d = in + (@u & 1023u);", n);
        line(m,
             "for (u32 k = 0; k < (@u & 15u); k++, g@d += @d) { if (*g@d == @k) continue; @U = @U "
             "* 3u + *g@d; }",
             n, 1 + draw(m, 60), n, n);
        line(m, "@U -= g@d[@d];", n, 900 + draw(m, 1000));
    }
}

void shape_far_offsets(struct maker *m)
{
    int n = m->names++;
    line(m, "GLOBAL const u32 *g@d = in + @d;", n, 1500 + draw(m, 1000));
    line(m, "s32 j@d = (s32)(@u & 1023u) - 512;", n);
    line(m, "@U ^= g@d[j@d] + g@d[j@d - @d] * g@d[@d];", n, n, n, n, draw(m, 900), n,
         (int)draw(m, 2000) - 1000);
    line(m, "GLOBAL u32 *o@d = own + 31;", n);
    line(m, "o@d[-@d] = @u; @U += o@d[(s32)(@u & 7u) - 31];", n, 24 + draw(m, 8), n);
}

void shape_volatile_memory(struct maker *m)
{
    int n = m->names++;
    line(m, "volatile GLOBAL u32 *v@d = own;", n);
    line(m, "v@d[@d] = @u; if @c v@d[@u & 7u] = v@d[@d]; @U ^= v@d[@d] + v@d[@d];", n, draw(m, 8),
         n, n, draw(m, 8), n, draw(m, 8), n, draw(m, 8));
}
