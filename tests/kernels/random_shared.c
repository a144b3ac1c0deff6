/* random_shared.c -- shapes of what the threads of a block do together.
 *
 * Between two barriers a cell has one writer, or only readers. Kernels in lock step have no barriers inside a warp: one
 * thread reads what another has written an instruction before.
 */
#include "random_maker.h"

/* Where all threads of a block have written a cell of their own, and wait. */
static bool everyone_writes(struct maker *m, int n)
{
    if (!shared_array(m, "u32", "sh", n, m->threads, 4))
        return false;
    line(m, "sh@d[lid] = @u;", n);
    line(m, "BARRIER;");
    return true;
}

void shape_exchange(struct maker *m)
{
    int n = m->names++;
    if (!everyone_writes(m, n))
        return;
    line(m, ONE_OF("@U @s= sh@d[(lid + @d) % @du];", "@U @s= sh@d[(lid ^ @d) % @du];"),
         ONE_OF("", "^"), n, draw(m, 512), m->threads);
    line(m, "BARRIER;");
}

void shape_one_writer(struct maker *m)
{
    int n = m->names++;
    if (!shared_array(m, "u32", "one", n, 2, 4))
        return;
    line(m, "if (lid == (@b & @du) % @du) {", draw(m, 64), m->threads);
    body(m, 1);
    line(m, "    one@d[0] = @u; one@d[1] = @2u;", n, n);
    line(m, "}");
    line(m, "BARRIER;");
    line(m, "@U += one@d[0]; @U ^= one@d[@u & 1u];", n, n);
    body(m, 1);
    line(m, "BARRIER;");
}

/* The same cell again, behind barriers between which somebody else has changed it. */
void shape_read_twice(struct maker *m)
{
    int n = m->names++;
    unsigned cell = draw(m, m->threads);
    if (!everyone_writes(m, n))
        return;
    line(m, "u32 x@d = sh@d[@d];", n, n, cell);
    line(m, "BARRIER;");
    line(m, "if (lid == @du) sh@d[@d] = @u + 100u;", draw(m, m->threads), n, cell);
    if (draw(m, 2))
        body(m, 1);
    line(m, "BARRIER;");
    line(m, "@U ^= x@d * 1000u + sh@d[@d];", n, n, cell);
    line(m, "BARRIER;");
}

void shape_reduction(struct maker *m)
{
    int n = m->names++;
    unsigned half = 1;
    while (2 * half < m->threads)
        half *= 2;
    if (!everyone_writes(m, n))
        return;
    line(m, "for (u32 n@d = @du; n@d > 0u; n@d >>= 1) {", n, half, n, n);
    line(m, "    if (lid < n@d && lid + n@d < @du)", n, n, m->threads);
    line(m, "        sh@d[lid] @s= sh@d[lid + n@d];", n, ONE_OF("+", "^", "+"), n, n);
    line(m, "    BARRIER;");
    line(m, "}");
    line(m, "@U ^= sh@d[0];", n);
    if (draw(m, 2))
        line(m, "if (lid == 0u) own[0] = sh@d[0];", n);
    line(m, "BARRIER;");
}

void shape_scan(struct maker *m)
{
    int n = m->names++;
    if (!everyone_writes(m, n))
        return;
    line(m, "for (u32 n@d = 1; n@d < @du; n@d <<= 1) {", n, n, m->threads, n);
    line(m, "    u32 x@d = lid >= n@d ? sh@d[lid - n@d] : 0u;", n, n, n, n);
    line(m, "    BARRIER;");
    line(m, "    sh@d[lid] += x@d;", n, n);
    line(m, "    BARRIER;");
    line(m, "}");
    line(m, "@U += sh@d[(lid + 1u) % @du];", n, m->threads);
    line(m, "BARRIER;");
}

void shape_shared_sizes(struct maker *m)
{
    static const struct {
        const char *type;
        unsigned bytes;
        const char *write, *read;
    } of[] = {{"u8", 1, "(u8)@u", "@U += @s;"},
              {"s8", 1, "(s8)@u", "@I = @s;"},
              {"u16", 2, "(u16)@u", "@U ^= @s;"},
              {"s16", 2, "(s16)@i", "@I = @s;"},
              {"u64", 8, "@w", "@W = @s;"},
              {"f32", 4, "as_float(fbits(@f))", "@F = @s;"},
              {"u32x4", 16, "MAKE_U4(@u, @U, lid, @k)", "@U ^= @s.y + sh@d[@d].z;"}};
    int n = m->names++, t = (int)draw(m, 7);
    if (!shared_array(m, of[t].type, "sh", n, m->threads, of[t].bytes))
        return;
    line(m, "sh@d[lid] = @s;", n, of[t].write);
    if (draw(m, 2))
        line(m, "if @c sh@d[lid] = @s;", n, of[t].write);
    line(m, "BARRIER;");
    char cell[60];
    snprintf(cell, sizeof cell, "sh%d[(lid + %uu) %% %uu]", n, draw(m, m->threads), m->threads);
    line(m, of[t].read, cell, n, draw(m, m->threads));
    line(m, "BARRIER;");
}

void shape_shared_struct(struct maker *m)
{
    int n = m->names++;
    if (!shared_array(m, "struct rec", "st", n, m->threads, 16))
        return;
    line(m, "st@d[lid] = recs[@u & 3u]; st@d[lid].n = @u;", n, n);
    line(m, "st@d[lid].in[@u & 1u].h += (s16)@u; st@d[lid].in[1].c[@u & 1u] = (u8)@u;", n, n);
    line(m, "BARRIER;");
    line(m, "@U ^= folded(st@d[(lid + @d) % @du]);", n, draw(m, m->threads), m->threads);
    line(m, "BARRIER;");
}

/* Cells behind what the offset of an instruction reaches. */
void shape_far_shared(struct maker *m)
{
    int n = m->names++;
    unsigned before = (m->threads > 300 ? m->threads : 300) + draw(m, 1700);
    if (!shared_array(m, "u32", "far", n, before + m->threads, 4))
        return;
    line(m, "far@d[lid + @du] = @u;", n, before);
    line(m, "far@d[@du - lid] = @u;", n, before - 1);
    line(m, "BARRIER;");
    line(m, "@U += far@d[@d + (lid + @du) % @du]; @U ^= far@d[@d];", n, before, draw(m, m->threads),
         m->threads, n, before);
    line(m, "BARRIER;");
}

/* Threads that write on different ways, and meet at the barrier. */
void shape_split_writers(struct maker *m)
{
    int n = m->names++, t = (int)m->threads;
    if (!shared_array(m, "u32", "sh", n, 2 * m->threads, 4))
        return;
    line(m, "sh@d[lid] = a; sh@d[@du - lid] = lid;", n, n, 2 * t - 1);
    line(m, "if @c {");
    body(m, 1);
    line(m, "    sh@d[lid] = @u;", n);
    line(m, "} else {");
    line(m, "    sh@d[@du - lid] = @u;", n, 2 * t - 1);
    line(m, "}");
    line(m, "BARRIER;");
    line(m, "@U ^= sh@d[(lid + @d) % @du];", n, draw(m, m->threads), 2 * t);
    line(m, "BARRIER;");
}

void shape_through_global(struct maker *m)
{
    line(m, "own[@d] = @u;", draw(m, 8));
    line(m, "BARRIER;");
    line(m, "@U += mem[(block * threads + (lid + @du) % @du) * 32u + @d];", draw(m, m->threads),
         m->threads, draw(m, 8));
    line(m, "BARRIER;");
}

/* The whole block ends, or none of its threads. */
void shape_return_of_block(struct maker *m)
{
    line(m, "if @B {");
    body(m, 1);
    line(m, "    RESULTS");
    line(m, "    return;");
    line(m, "}");
    shape_exchange(m);
}

/* Barriers in a loop that all threads of a block turn as often. */
void shape_barrier_loop(struct maker *m)
{
    int n = m->names++;
    line(m, "for (u32 n@d = @s; n@d @s; n@d++) {", n, ONE_OF("0", "0", "@b & 1u"), n,
         ONE_OF("<= (@b & 3u)", "< 3u"), n);
    m->depth++;
    m->loops++;
    together(m);
    statement(m);
    if (draw(m, 2))
        line(m, "if @B @s;", ONE_OF("break", "continue"));
    if (draw(m, 2))
        together(m);
    m->loops--;
    m->depth--;
    line(m, "}");
}

/* ---- warps in lock step ---- */

/* A cell for each thread and for those that its warp would have; another thread's of the same warp is cell(...). */
static bool warp_cells(struct maker *m, int n)
{
    unsigned all = (m->threads + 31) / 32 * 32;
    if (!shared_array(m, "u32", "vs", n, all, 4))
        return false;
    if (all != m->threads)
        line(m, "for (u32 k = 0; k < 32u; k++) SET(vs@d[PEER(tid + k)], k)", n);
    line(m, "SET(vs@d[tid], @2r)", n);
    return true;
}

void shape_warp_reduction(struct maker *m)
{
    int n = m->names++, whole = (int)draw(m, 2);
    if (!warp_cells(m, n))
        return;
    line(m, draw(m, 2) ? "IF(tid < 32u)" : "IF(tid >= 0u)");
    line(m, "for (u32 k = 16u; k > 0u; k >>= 1) {");
    if (whole)
        line(m, "    SET(vs@d[tid], vs@d[tid] + vs@d[PEER(tid + k)])", n, n, n);
    else
        line(m, "    IF((tid & 31u) < k) SET(vs@d[tid], vs@d[tid] @s vs@d[tid + k]) ENDIF", n, n,
             ONE_OF("+", "^"), n);
    line(m, "}");
    line(m, "ENDIF");
    line(m, "EACH(@R ^= vs@d[tid & ~31u])", n);
}

void shape_warp_scan(struct maker *m)
{
    int n = m->names++;
    if (!warp_cells(m, n))
        return;
    for (unsigned k = 1; k < 32; k *= 2)
        line(m, "IF((tid & 31u) >= @du) SET(vs@d[tid], vs@d[tid] + vs@d[tid - @du]) ENDIF", k, n, n,
             n, k);
    line(m, "EACH(@R += vs@d[tid])", n);
}

/* Who skips an if reads what the others write in it. */
void shape_warp_skip(struct maker *m)
{
    int n = m->names++;
    if (!warp_cells(m, n))
        return;
    for (unsigned i = 1 + draw(m, 3); i--;) {
        line(m, "IF(@q)");
        if (draw(m, 2))
            line(m, "    EACH(@R = @2r)");
        line(m, "    SET(vs@d[PEER(tid + @d)], @r)", n, draw(m, 32));
        if (draw(m, 2))
            line(m, "    IF(@q) SET(vs@d[PEER(tid ^ @du)], vs@d[tid] + @r) ENDIF", n, draw(m, 32),
                 n);
        line(m, "ENDIF");
        if (draw(m, 2)) /* nothing is computed before this is read */
            line(m, "EACH(@R = vs@d[tid])", n);
        line(m, "EACH(@R ^= vs@d[PEER(tid * @du + @du)])", n, 2 * draw(m, 16) + 1, draw(m, 32));
    }
}

/* Two ways with cells of their own, and both read behind them. */
void shape_warp_split(struct maker *m)
{
    int n = m->names++, k = m->names++;
    if (!warp_cells(m, n) || !warp_cells(m, k))
        return;
    line(m, "IF(@q)");
    line(m, "    SET(vs@d[PEER(tid + @d)], @r)", n, draw(m, 32));
    line(m, "    EACH(@R = vs@d[PEER(tid + @d)])", n, draw(m, 32));
    line(m, "ELSE");
    line(m, "    SET(vs@d[PEER(tid ^ @d)], @2r)", k, draw(m, 32));
    line(m, "    EACH(@R += vs@d[PEER(tid ^ @d)])", k, draw(m, 32));
    line(m, "ENDIF");
    line(m, "EACH(@R ^= vs@d[PEER(tid + @d)] * 3u + vs@d[PEER(tid ^ @d)])", n, draw(m, 32), k,
         draw(m, 32));
}

/* Threads leave one by one; who has left waits for the last. */
void shape_warp_loop(struct maker *m)
{
    int n = m->names++;
    if (!warp_cells(m, n))
        return;
    line(m, "EACH(reg3 = @r & @du)", draw(m, 2) ? 7 : 20);
    line(m, "WHILE(reg3 != 0u)");
    line(m, "    SET(vs@d[PEER(tid + @d)], vs@d[tid] + reg3)", n, draw(m, 32), n);
    if (draw(m, 2))
        line(m, "    IF(@q) SET(vs@d[tid], @r) ENDIF", n);
    line(m, "    EACH(@R ^= vs@d[PEER(tid + reg3)])", n);
    line(m, "    EACH(reg3 -= 1u)");
    if (draw(m, 2))
        line(m, "    BREAK_IF(@q)");
    line(m, "ENDWHILE");
    line(m, "EACH(@R += vs@d[PEER(tid ^ @d)])", n, draw(m, 32));
}

void shape_warp_permute(struct maker *m)
{
    int n = m->names++;
    if (!warp_cells(m, n))
        return;
    for (int i = 0; i < 3; i++) {
        line(m, "SET(vs@d[PEER(tid * @du + @du)], @2r)", n, 2 * draw(m, 16) + 1, draw(m, 32));
        line(m, "EACH(@R ^= vs@d[tid] + vs@d[PEER(tid + @d)])", n, n, draw(m, 32));
    }
    line(m, "MEET");
    line(m, "EACH(@R += vs@d[(tid + @du) % @du])", n, 32, m->threads);
    line(m, "MEET");
}
