/* random_kernel.c -- the table of shapes, and how a kernel is composed of them. */
#include "random_maker.h"

#include <string.h>
#include "base/random.h"

#define SHAPE(name, place, weight) {#name, place, weight, shape_##name},
const struct random_shape random_shapes[] = {
#include "random_shapes.def"
};
#undef SHAPE
const int random_nshapes = sizeof random_shapes / sizeof random_shapes[0];
_Static_assert(sizeof random_shapes / sizeof random_shapes[0] <= KERNEL_SHAPES, "KERNEL_SHAPES");

enum { SHARED_BYTES = 15000, SMALL_BLOCK = 64 };

static bool may_stand(const struct maker *m, const struct random_shape *s, unsigned places)
{
    if (!(places >> s->where & 1))
        return false;
    if (s->where == NESTING)
        return m->depth < (m->large ? 3 : 2);
    if (s->where == LATE)
        return m->late;
    return s->make != shape_barrier_loop || m->loops == 0;
}

/* The wanted one every second time, and between them what is plain; else one by weight. */
static const struct random_shape *pick(struct maker *m, unsigned places,
                                       void (*plain)(struct maker *))
{
    const struct random_shape *end = random_shapes + random_nshapes, *s;
    uint32_t all = 0;
    if (m->only) {
        if (may_stand(m, m->only, places) && (m->only->where >= TOGETHER || draw(m, 2)))
            return m->only;
        for (s = random_shapes; s->make != plain; s++)
            ;
        return s;
    }
    for (s = random_shapes; s < end; s++)
        all += may_stand(m, s, places) ? s->weight : 0;
    uint32_t at = draw(m, all);
    for (s = random_shapes; !may_stand(m, s, places) || at >= s->weight; s++)
        at -= may_stand(m, s, places) ? s->weight : 0;
    return s;
}

static void make(struct maker *m, const struct random_shape *s)
{
    m->no_room = false;
    s->make(m);
    m->kernel->made[s - random_shapes] += !m->no_room;
}

void statement(struct maker *m)
{
    make(m, pick(m, 1u << ANYWHERE | 1u << NESTING | 1u << LATE, shape_assign));
}

void together(struct maker *m)
{
    make(m, pick(m, 1u << TOGETHER, shape_exchange));
}

void body(struct maker *m, int statements)
{
    m->depth++;
    for (int i = 0; i < 1 + (m->large ? (int)draw(m, (uint32_t)statements) : 0); i++)
        statement(m);
    m->depth--;
}

bool shared_array(struct maker *m, const char *type, const char *name, int n, unsigned count,
                  unsigned bytes)
{
    m->no_room = m->shared_bytes + count * bytes + 16 > SHARED_BYTES;
    if (m->no_room)
        return false;
    m->shared_bytes += count * bytes + 16;
    fl_buf_printf(m->shared, "    %sSHARED %s %s%d[%u];\n", m->kernel->warps ? "volatile " : "",
                  type, name, n, count);
    return true;
}

static void geometry(struct maker *m)
{
    static const unsigned char sizes[][3] = {
        {64, 1, 1}, {64, 1, 1}, {64, 1, 1},  {32, 1, 1},  {128, 1, 1}, {96, 1, 1}, {1, 1, 1},
        {33, 1, 1}, {48, 1, 1}, {100, 1, 1}, {8, 8, 1},   {16, 4, 1},  {5, 7, 1},  {4, 4, 4},
        {7, 5, 2},  {1, 1, 40}, {2, 3, 11},  {16, 16, 1}, {8, 8, 8},   {1, 255, 1}};
    static const unsigned char groups[][2] = {{2, 1}, {2, 1}, {1, 1}, {3, 1}, {2, 2}, {1, 3}};
    struct random_kernel *k = m->kernel;
    const unsigned char *size = sizes[draw(m, sizeof sizes / sizeof sizes[0])];
    const unsigned char *group = groups[draw(m, sizeof groups / sizeof groups[0])];
    for (int i = 0; i < 3; i++)
        k->size[i] = size[i];
    m->threads = k->size[0] * k->size[1] * k->size[2];
    if (m->threads == 255) /* as large as a block can be */
        m->threads = k->size[1] = 512;
    for (int i = 0; i < 2; i++)
        k->groups[i] = m->threads > 128 ? 1 + (i == 0 && draw(m, 2)) : group[i];
}

static void in_lock_step(struct maker *m)
{
    for (uint32_t i = 2 + draw(m, m->large ? 4 : 2); i--;)
        make(m, pick(m, 1u << LOCKSTEP, shape_warp_permute));
    line(m, "WARP_RESULTS");
}

static void of_threads(struct maker *m)
{
    bool shared = m->only ? m->only->where == TOGETHER : draw(m, 2);
    for (int i = 0; i < (m->large ? 3 : 2); i++) {
        for (uint32_t j = 1 + draw(m, m->large ? 3 : 1); j--;)
            statement(m);
        if (shared)
            together(m);
    }
    const struct random_shape *end = pick(m, 1u << LAST, shape_end_plain);
    m->late = end->make != shape_end_by_block_loop;
    if (m->only ? m->only->where == LATE : draw(m, 2))
        statement(m);
    make(m, end);
}

void random_kernel(uint64_t seed, bool large, const struct random_shape *only, const char *name,
                   struct random_kernel *k, struct fl_buf *out)
{
    struct fl_buf statements = {0}, shared = {0};
    struct maker maker = {.out = &statements,
                          .shared = &shared,
                          .state = fl_random_mix(seed),
                          .kernel = k,
                          .only = only,
                          .large = large},
                 *m = &maker;
    memset(k, 0, sizeof *k);
    k->warps = only ? only->where == LOCKSTEP : draw(m, 6) == 0;
    geometry(m);
    if (k->warps)
        in_lock_step(m);
    else
        of_threads(m);
    if (m->threads > SMALL_BLOCK || draw(m, 2))
        fl_buf_printf(out, "KERNEL_OF(%s, %u, %u, %u)", name, k->size[0], k->size[1], k->size[2]);
    else
        fl_buf_printf(out, "KERNEL(%s)", name);
    fl_buf_printf(out, "\n{\n");
    fl_buf_add(out, shared.data, shared.size);
    fl_buf_printf(out, "    %s\n", k->warps ? "WARP_BEGIN" : "BEGIN");
    fl_buf_add(out, statements.data, statements.size);
    fl_buf_printf(out, "}\n\n");
    fl_buf_free(&shared);
    fl_buf_free(&statements);
}
