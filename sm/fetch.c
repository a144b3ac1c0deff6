/* fetch.c -- what an instruction that asks a texture does, and how long that takes: docs/reference/textures.md.
 *
 * To the pipeline it is a load from global memory: it waits for the port, and all its effects come
 * in Write-back.
 */
#include "internal.h"

/* The texture of an instruction in the launch at hand; NULL: none is bound. */
static const struct texture *texture_of(const struct sm *m, const struct sm_uop *u)
{
    const struct sm_image *img = m->img;
    const struct texture *t =
        &img->texture[img->launch[m->s.launch].textures + u->in.tex.unit % TEXTURE_UNITS];
    return t->width ? t : NULL;
}

static void find_texels(const struct sm *m, const struct sm_warp *w, const struct sm_uop *u,
                        const struct texture *t, int lane, struct texture_texels *out)
{
    uint32_t x = register_row(m, w, u->in.dst.value)[lane];
    if (u->in.op == OP_TLD)
        texture_find_integer(t, x, out);
    else
        texture_find(t, x,
                     u->in.tex.coords > 1 ? &register_row(m, w, u->in.dst.value + 1)[lane] : NULL,
                     out);
}

/* Where all lanes read a texel each, if that is all they do. */
static bool find_plain(const struct sm *m, const struct sm_warp *w, const struct sm_uop *u,
                       const struct texture *t, uint32_t at[SM_LANES])
{
    const uint32_t *x = register_row(m, w, u->in.dst.value);
    if (u->in.op == OP_TLD) {
        texture_find_integers(t, x, at);
        return true;
    }
    if (!texture_is_plain(t))
        return false;
    texture_find_plain(t, x, u->in.tex.coords > 1 ? register_row(m, w, u->in.dst.value + 1) : NULL,
                       at);
    return true;
}

/* A transaction carries an aligned segment to a half-warp. */
enum { SEGMENT = 64 };

/* Of one texel each, where no lane lies before the one in front of it: a row, or a column, or one texel. 0: not so. */
static uint32_t segments_in_order(const uint32_t at[SM_LANES])
{
    uint32_t back = 0, steps = 0;
    for (int l = 1; l < SM_LANES; l++) {
        uint32_t a = at[l - 1] / SEGMENT, b = at[l] / SEGMENT;
        back |= l != SM_LANES / 2 && b < a;
        steps += l != SM_LANES / 2 && b != a;
    }
    return back ? 0 : 2 + steps;
}

uint32_t fetch_transactions(const struct sm *m, const struct sm_warp *w, const struct sm_uop *u,
                            uint32_t *at)
{
    const struct texture *t = texture_of(m, u);
    uint32_t n = 0, plain[SM_LANES];
    bool is_plain = t && find_plain(m, w, u, t, plain);
    if (is_plain && w->exec == ~0u && !at && (n = segments_in_order(plain)) != 0)
        return n;
    for (int half = 0; t && half < 2; half++) {
        uint32_t seen[SM_LANES / 2 * TEXTURE_TEXELS], segments = 0;
        for (uint32_t lanes = w->exec & 0xffffu << 16 * half; lanes; lanes &= lanes - 1) {
            struct texture_texels texels;
            if (is_plain) {
                texels.n = 1;
                texels.at[0] = plain[__builtin_ctz(lanes)];
            } else {
                find_texels(m, w, u, t, __builtin_ctz(lanes), &texels);
            }
            for (int i = 0; i < texels.n; i++) {
                uint32_t k = segments;
                while (k && seen[k - 1] != texels.at[i] / SEGMENT)
                    k--;
                if (!k)
                    seen[segments++] = texels.at[i] / SEGMENT;
            }
        }
        for (uint32_t i = 0; at && i < segments; i++)
            at[n + i] = seen[i] * SEGMENT;
        n += segments;
    }
    return n;
}

void fetch_words(const struct sm *m, const struct sm_warp *w, const struct sm_uop *u, uint32_t exec,
                 struct cached_words *out)
{
    const struct texture *t = texture_of(m, u);
    uint32_t bytes = texture_texel_bytes(t), n = sm_words(bytes);
    out->count = TEXTURE_TEXELS * n;
    out->bytes = bytes < 4 ? bytes : 4;
    memset(out->left, 0, out->count * sizeof *out->left);
    for (; exec; exec &= exec - 1) {
        int lane = __builtin_ctz(exec);
        struct texture_texels texels;
        find_texels(m, w, u, t, lane, &texels);
        for (uint32_t i = 0; i < (uint32_t)texels.n * n; i++) {
            out->addr[i][lane] = (uint64_t)texels.at[i / n] + i % n * 4;
            out->left[i] |= 1u << lane;
        }
    }
}

static void report_fetch(struct sm *m, const struct texture *t, const struct texture_texels *texels)
{
    for (int i = 0; i < texels->n; i++)
        sm_report_bytes(m->hook, SM_S_global, texels->at[i] - JOB_BASE, texture_texel_bytes(t),
                        m->hook->cycle, false);
}

/* The words that a fetch reads, to who watches the SM in global memory. */
static void report_global(struct sm *m, const struct texture *t,
                          const struct texture_texels *texels)
{
    for (int i = 0; m->global && i < texels->n; i++)
        for (uint32_t k = 0; k < sm_words(texture_texel_bytes(t)); k++)
            m->global(m->global_context, (texels->at[i] - JOB_BASE) / 4 + k, false);
}

void fetch_texture(struct sm *m, struct sm_warp *w, const struct sm_uop *u, uint32_t exec)
{
    const struct isa_texture *in = &u->in.tex;
    const struct texture *t = texture_of(m, u);
    uint32_t d[4][SM_LANES];
    if (!t) {
        set_trap(m, (int)(w - m->s.warp), TRAP_UNSUPPORTED_INSTRUCTION);
        return;
    }
    if (sm_hooked(m))
        for (uint32_t i = 0; i < in->coords; i++)
            sm_report_row(m, w, u->in.dst.value + i, sm_read_cycle(m, w), false, exec,
                          ACCESS_WHOLE);
    bool cached = fetch_is_cached(m);
    uint32_t v[CACHED_WORDS][SM_LANES], size = texture_texel_bytes(t);
    if (cached) {
        struct cached_words all;
        fetch_words(m, w, u, exec, &all);
        cached_words(m, m->img->caches.first[CACHE_TEXELS], &all, v, false);
    }
    uint32_t plain[SM_LANES], results = in->mask & ((1u << t->channels) - 1);
    bool words = texture_component_bytes((enum texture_format)t->format) == 4 &&
                 results == in->mask && !sm_hooked(m) && !m->global && !cached &&
                 find_plain(m, w, u, t, plain);
    if (words && t->channels == 1) { /* no fetch leaves its texture, those of other lanes neither */
        for (int l = 0; l < SM_LANES; l++)
            memcpy(&d[0][l], sm_memory_at(m->port.memory, plain[l] - JOB_BASE), 4);
        if (in->mask)
            sm_write_register(m, w, u->in.dst.value, d[0], exec);
        return;
    }
    memset(d, 0, sizeof d);
    for (uint32_t lanes = words ? exec : 0; lanes; lanes &= lanes - 1) { /* as they are */
        int lane = __builtin_ctz(lanes);
        const uint8_t *texel = sm_memory_at(m->port.memory, plain[lane] - JOB_BASE);
        uint32_t k = 0;
        for (uint32_t c = 0; c < t->channels; c++)
            if (in->mask >> c & 1)
                memcpy(&d[k++][lane], texel + 4 * c, 4);
    }
    for (uint32_t lanes = words ? 0 : exec; lanes; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        struct texture_texels texels;
        uint32_t word[TEXTURE_TEXELS][4], out[4], k = 0;
        find_texels(m, w, u, t, lane, &texels);
        report_global(m, t, &texels);
        for (int i = 0; !cached && i < texels.n; i++) /* a texel is aligned to its size */
            memcpy(word[i], sm_memory_at(m->port.memory, (texels.at[i] & ~3u) - JOB_BASE),
                   4 * sm_words(size));
        for (uint32_t i = 0; cached && i < (uint32_t)texels.n; i++)
            for (uint32_t c = 0, n = sm_words(size); c < n; c++)
                word[i][c] = v[i * n + c][lane] << 8 * (texels.at[i] % 4);
        texture_filter(t, &texels, word, in->mask, out);
        for (int c = 0; c < 4; c++)
            if (in->mask >> c & 1)
                d[k++][lane] = out[c];
        if (sm_hooked(m) && !cached)
            report_fetch(m, t, &texels);
    }
    for (uint32_t k = 0; k < (uint32_t)__builtin_popcount(in->mask); k++)
        sm_write_register(m, w, u->in.dst.value + k, d[k], exec);
}
