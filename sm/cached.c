/* cached.c -- loads, stores, constants, texels and instructions that pass a cache: the lines they touch, the time
 * they take, and the reports of these accesses.
 *
 * The words of an access are taken lane by lane; all that lie in one line go together, as one access
 * of the cache, where the first of them comes.
 */
#include "internal.h"

/* ---- what the caches ask --------------------------------------------------------------------- */

/* Of an address, as cache.h counts them, the bytes that the job has. */
static uint32_t find(const void *image, uint64_t addr, uint32_t size, uint32_t *from, uint32_t *at)
{
    const struct sm_image *img = image;
    uint64_t start, end, base, page = (addr - JOB_BASE) / SM_PAGE;
    if (addr >= cache_base(CACHE_CODE)) {
        start = cache_base(CACHE_CODE);
        end = start + img->code_bytes;
        base = img->code_offset;
    } else if (addr >= cache_base(CACHE_CONSTANT)) {
        start = cache_base(CACHE_CONSTANT);
        end = start + img->local_offset - img->const_offset;
        base = img->const_offset;
    } else if (addr >= cache_base(CACHE_LOCAL)) {
        start = cache_base(CACHE_LOCAL);
        end = start + (uint64_t)img->sms * img->local_bytes;
        base = img->local_offset;
    } else { /* a line lies in one page, and a page has one buffer */
        const struct sm_buffer *b = addr >= JOB_BASE && page < img->global_bytes / SM_PAGE
                                        ? img->page_buffer[page]
                                        : NULL;
        if (!b)
            return 0;
        start = b->addr;
        end = start + b->size;
        base = b->addr - JOB_BASE;
    }
    uint64_t first = addr > start ? addr : start, last = addr + size < end ? addr + size : end;
    if (first >= last)
        return 0;
    *from = (uint32_t)(first - addr);
    *at = (uint32_t)(base + (first - start));
    return (uint32_t)(last - first);
}

static void hold(void *context)
{
    apply_forces(context);
}

/* A unit that is counted over all SMs, though a hook counts from those of its own. */
static void report_unit(struct sm_hook *k, int structure, uint32_t unit, uint32_t mask, bool write)
{
    sm_report_word(k, structure, unit - k->first[structure], k->cycle, write, mask);
}

static void report_cell(void *context, int cache, int sm, enum cache_part part, uint32_t set,
                        uint32_t way, uint32_t word, uint32_t mask, bool write)
{
    struct sm *m = context;
    const struct cache_shape *c = &m->img->caches.cache[cache];
    uint32_t fields = c->wrong ? 2 : c->is.write == CACHE_BACK ? 4 : 3, words = c->is.line / 4;
    uint32_t field = part == CACHE_HIGH ? 1 : (uint32_t)part;
    uint32_t entry = set * c->is.ways + way;
    if (sm_is_left_out(m->img, SM_CACHE_STRUCTURES + 2 * cache))
        return; /* it has no cells */
    if (c->place == CACHE_OF_SM)
        entry += (uint32_t)sm * c->sets * c->is.ways;
    if (part == CACHE_DATA)
        report_unit(m->hook, SM_CACHE_STRUCTURES + 2 * cache + 1, entry * words + word, mask,
                    write);
    else
        report_unit(m->hook, SM_CACHE_STRUCTURES + 2 * cache, entry * fields + field, mask, write);
}

static void report_memory(void *context, uint32_t at, uint32_t size, bool write)
{
    struct sm *m = context;
    const struct sm_image *img = m->img;
    if (at >= img->code_offset)
        return; /* code is in no structure */
    int place = at < img->global_bytes   ? SM_S_global
                : at < img->local_offset ? SM_S_const
                                         : SM_S_local;
    uint32_t start = place == SM_S_local   ? img->local_offset
                     : place == SM_S_const ? img->const_offset
                                           : 0;
    for (uint32_t end = at + size; at < end;) {
        uint32_t in = at % 4, n = 4 - in < end - at ? 4 - in : end - at;
        uint32_t mask = (uint32_t)((UINT64_C(1) << 8 * n) - 1) << 8 * in, unit = (at - start) / 4;
        if (place == SM_S_local) /* an SM may have more cells than the job addresses */
            unit += unit / (img->local_bytes / 4) * ((img->cells.local - img->local_bytes) / 4);
        report_unit(m->hook, place, unit, mask, write);
        at += n;
    }
}

static struct cache_view view_of(struct sm *m, struct cache_hook *hook)
{
    *hook = (struct cache_hook){report_cell, report_memory, m};
    return (struct cache_view){.map = &m->img->caches,
                               .memory = m->port.memory,
                               .sm = m->port.number,
                               .count = m->port.counts,
                               .find = find,
                               .image = m->img,
                               .hook = sm_hooked(m) ? hook : NULL,
                               .hold = m->nforces ? hold : NULL,
                               .context = m};
}

void sm_empty_cache(struct sm *m, int c, int sm)
{
    struct cache_hook hook;
    struct cache_view v = view_of(m, &hook);
    bool instruction = m->hook && m->hook->instruction;
    if (m->hook)
        m->hook->instruction = false;
    v.sm = sm;
    cache_empty(&v, c);
    if (m->hook)
        m->hook->instruction = instruction;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Lanes whose address lies there. */
SM_CLONES static uint32_t lanes_in(const uint64_t addr[SM_LANES], uint64_t from, uint32_t size)
{
    uint32_t in = 0;
    for (int l = 0; l < SM_LANES; l++)
        in |= (uint32_t)(addr[l] - from < size) << l;
    return in;
}

/* Takes the next line; in[k]: the lanes whose word k lies there. False: no word is left. */
static bool next_line(struct cached_words *w, uint32_t line, uint64_t *addr,
                      uint32_t in[CACHED_WORDS])
{
    uint32_t any = 0, k = 0;
    for (uint32_t i = 0; i < w->count; i++)
        any |= w->left[i];
    if (!any)
        return false;
    int lane = __builtin_ctz(any);
    while (!(w->left[k] >> lane & 1))
        k++;
    *addr = w->addr[k][lane] & ~(uint64_t)(line - 1);
    for (uint32_t i = 0; i < w->count; i++) {
        in[i] = w->left[i] ? lanes_in(w->addr[i], *addr, line) & w->left[i] : 0;
        w->left[i] &= ~in[i];
    }
    return true;
}

/* Mostly four bytes: one move then. */
static void copy_word(void *to, const void *from, uint32_t bytes)
{
    if (bytes == 4)
        memcpy(to, from, 4);
    else
        memcpy(to, from, bytes);
}

void cached_words(struct sm *m, int first, struct cached_words *w, uint32_t (*v)[SM_LANES],
                  bool store)
{
    struct cache_hook hook;
    struct cache_view view = view_of(m, &hook);
    uint32_t size = m->img->caches.cache[first].is.line, in[CACHED_WORDS];
    uint64_t line;
    static const uint8_t ones[4] = {1, 1, 1, 1};
    bool masked = store || view.hook || view.map->cache[first].wrong;
    uint8_t data[SM_MAX_LINE], mask[SM_MAX_LINE];
    while (next_line(w, size, &line, in)) {
        memset(data, 0, size);
        if (masked)
            memset(mask, 0, size);
        for (uint32_t k = 0; k < w->count && masked; k++)
            for (uint32_t lanes = in[k]; lanes; lanes &= lanes - 1) { /* the highest lane wins */
                int l = __builtin_ctz(lanes);
                uint32_t at = (uint32_t)(w->addr[k][l] - line);
                copy_word(data + at, &v[k][l], store ? w->bytes : 0);
                copy_word(mask + at, ones, w->bytes);
            }
        cache_access(&view, first, line, size, data, mask, store);
        for (uint32_t k = 0; k < w->count && !store; k++)
            for (uint32_t lanes = in[k]; lanes; lanes &= lanes - 1) {
                int l = __builtin_ctz(lanes);
                v[k][l] = 0;
                copy_word(&v[k][l], data + (w->addr[k][l] - line), w->bytes);
            }
    }
}

uint32_t cached_constant(struct sm *m, uint32_t at, uint32_t bytes)
{
    static const uint8_t ones[4] = {1, 1, 1, 1};
    struct cache_hook hook;
    struct cache_view view = view_of(m, &hook);
    uint8_t v[4] = {0};
    cache_access(&view, cached_first(m, ISA_K),
                 cache_base(CACHE_CONSTANT) + at - m->img->const_offset, bytes, v, ones, false);
    return lanes_word(v);
}

void cached_access(struct sm *m, const struct isa_operand *o, uint32_t exec,
                   const uint32_t at[SM_LANES], uint32_t words, uint32_t bytes,
                   uint32_t (*v)[SM_LANES], bool store)
{
    uint64_t base = o->kind == ISA_L   ? cache_base(CACHE_LOCAL) - m->img->local_offset
                    : o->kind == ISA_K ? cache_base(CACHE_CONSTANT) - m->img->const_offset
                                       : JOB_BASE;
    uint32_t apart = o->kind == ISA_L ? 4 * SM_LANES : 4;
    struct cached_words w;
    if (m->words) {
        m->words(m->words_context, o, exec, at, words, v, store);
        return;
    }
    w.count = words;
    w.bytes = bytes;
    for (uint32_t k = 0; k < words; k++) {
        w.left[k] = exec;
        for (int l = 0; l < SM_LANES; l++)
            w.addr[k][l] = base + at[l] + k * apart;
    }
    cached_words(m, cached_first(m, o->kind), &w, v, store);
}

void cached_atom(struct sm *m, uint32_t at, uint32_t words, int lane, uint32_t (*v)[SM_LANES],
                 bool store)
{
    static const uint8_t ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    struct cache_hook hook;
    struct cache_view view = view_of(m, &hook);
    uint32_t both[2] = {v[0][lane], v[words - 1][lane]};
    cache_access_shared(&view, cached_first(m, ISA_G), JOB_BASE + at, 4 * words, (uint8_t *)both,
                        ones, store);
    for (uint32_t k = 0; k < words; k++)
        v[k][lane] = both[k];
}

uint32_t sm_peek_global(const struct sm *m, uint32_t at)
{
    const struct cache_view view = {.map = &m->img->caches,
                                    .memory = m->port.memory,
                                    .sm = m->port.number,
                                    .find = find,
                                    .image = m->img};
    return cache_peek(&view, cached_first(m, ISA_G), JOB_BASE + at);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Where the bytes of constants begin that an operand counts from 0, as caches count them. */
static uint64_t constants_at(const struct sm *m, const struct isa_operand *o)
{
    return cache_base(CACHE_CONSTANT) + m->kernel->bank[o->bank & 15].offset - m->img->const_offset;
}

/* Addresses that may turn out to lie outside of all memory: they have lines all the same. */
SM_CLONES static void raw_words(const struct sm *m, int wi, const struct isa_operand *o,
                                uint32_t exec, struct cached_words *w)
{
    uint32_t addr[SM_LANES];
    uint64_t row = (uint64_t)wi * (m->kernel->local_bytes / 4);
    uint64_t own = cache_base(CACHE_LOCAL) + (uint64_t)m->port.number * m->img->local_bytes;
    uint64_t start = o->kind == ISA_K ? constants_at(m, o) : 0;
    lsu_addresses(m, &m->s.warp[wi], o, addr);
    w->count = sm_operand_words(o);
    for (uint32_t k = 0; k < w->count; k++) {
        w->left[k] = exec;
        if (o->kind == ISA_L)
            for (uint32_t l = 0; l < SM_LANES; l++)
                w->addr[k][l] = own + ((row + addr[l] / 4 + k) * SM_LANES + l) * 4 + addr[l] % 4;
        else
            for (uint32_t l = 0; l < SM_LANES; l++)
                w->addr[k][l] = start + addr[l] + 4 * k;
    }
}

/* Of what a level answers; whether it stays in the SM. */
static uint32_t latency_of(const struct sm *m, int level, bool *inside)
{
    const struct cache_shape *c = &m->img->caches.cache[level % CACHES];
    *inside = level != CACHE_MEMORY && c->place == CACHE_OF_SM;
    return level == CACHE_MEMORY ? m->port.channel->latency : c->is.latency;
}

/* What leaves the SM by each partition, and the latencies: of what stays, of what leaves. */
struct answers {
    uint32_t leave[SM_MAX_PARTITIONS], near, far;
};

static void add_answer(const struct sm *m, struct answers *a, int level, uint64_t addr)
{
    const struct profile *p = &m->img->profile;
    bool inside;
    uint32_t latency = latency_of(m, level, &inside), *slowest = inside ? &a->near : &a->far;
    a->leave[(uint32_t)addr / (uint32_t)p->interleave % (uint32_t)p->partitions] += !inside;
    *slowest = latency > *slowest ? latency : *slowest;
}

/* The cycle from which on all of them are there. */
static uint64_t all_answered(struct sm *m, const struct answers *a, uint64_t now)
{
    uint64_t ready = now + a->near;
    for (int i = 0; i < m->img->profile.partitions; i++) {
        struct sm_channel *c = &m->port.channel[i];
        uint64_t taken = a->leave[i] ? sm_channel_request(c, a->leave[i], now) - c->latency : 0;
        ready = a->leave[i] && taken + a->far > ready ? taken + a->far : ready;
    }
    return ready;
}

static uint64_t answer(struct sm *m, int first, struct cached_words *w, bool store, uint64_t now)
{
    struct cache_hook hook;
    struct cache_view view = view_of(m, &hook);
    struct answers a = {.near = 0};
    uint32_t in[CACHED_WORDS];
    uint64_t line;
    while (next_line(w, m->img->caches.cache[first].is.line, &line, in))
        add_answer(m, &a, cache_probe(&view, first, line, store), line);
    return all_answered(m, &a, now);
}

/* Of one word for all lanes. */
static uint64_t answer_word(struct sm *m, int first, uint64_t addr, uint64_t now)
{
    struct cache_hook hook;
    struct cache_view view = view_of(m, &hook);
    struct answers a = {.near = 0};
    const uint64_t line = addr & ~(uint64_t)(m->img->caches.cache[first].is.line - 1);
    add_answer(m, &a, cache_probe(&view, first, line, false), line);
    return all_answered(m, &a, now);
}

/* Of an atomic operation: each lane asks the level that all SMs share. */
static uint64_t atom_answer(struct sm *m, int wi, const struct isa_operand *o, uint64_t now)
{
    struct cache_hook hook;
    struct cache_view view = view_of(m, &hook);
    struct answers a = {.near = 0};
    const int level = cache_shared(&m->img->caches, cached_first(m, ISA_G));
    uint32_t addr[SM_LANES];
    lsu_addresses(m, &m->s.warp[wi], o, addr);
    for (uint32_t lanes = m->s.warp[wi].exec; lanes; lanes &= lanes - 1) {
        const uint32_t at = addr[__builtin_ctz(lanes)];
        add_answer(m, &a, cache_probe(&view, level, at, false), at);
    }
    return all_answered(m, &a, now);
}

uint64_t cached_answer(struct sm *m, int wi, const struct sm_uop *u, uint64_t now)
{
    const struct sm_warp *w = &m->s.warp[wi];
    struct cached_words words;
    if (u->unit == UNIT_TEXTURE) {
        fetch_words(m, w, u, w->exec, &words);
        return answer(m, m->img->caches.first[CACHE_TEXELS], &words, false, now);
    }
    if (u->unit == UNIT_ATOM)
        return atom_answer(m, wi, u->memory, now);
    raw_words(m, wi, u->memory, w->exec, &words);
    return answer(m, cached_first(m, u->memory->kind), &words, u->unit == UNIT_STORE, now);
}

uint32_t cached_constants(struct sm *m, int wi, const struct sm_uop *u, uint64_t now)
{
    uint32_t exec = m->s.warp[wi].exec;
    uint64_t ready = now;
    for (int i = 0; exec && i < 3; i++) {
        const struct isa_operand *o = &u->in.src[i];
        if (o->kind != ISA_K)
            continue;
        uint64_t there;
        if (o->areg || sm_operand_words(o) > 1) {
            struct cached_words w;
            raw_words(m, wi, o, o->areg ? exec : exec & -exec, &w);
            there = answer(m, cached_first(m, ISA_K), &w, false, now);
        } else {
            there = answer_word(m, cached_first(m, ISA_K), constants_at(m, o) + o->value, now);
        }
        ready = there > ready ? there : ready;
    }
    return (uint32_t)(ready - now);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* The address of code of the launch at hand, as caches count them; 0: none is mapped there. */
static uint64_t code_address(const struct sm *m, uint32_t pc)
{
    const struct sm_code *c = fetch_code(m->kernel, pc);
    return !c || pc & 3 ? 0 : cache_base(CACHE_CODE) + c->at + (pc - c->base);
}

uint64_t cached_line(struct sm *m, int wi, uint64_t now)
{
    struct cache_hook hook;
    struct cache_view view = view_of(m, &hook);
    const struct profile *p = &m->img->profile;
    uint64_t addr = code_address(m, m->s.warp[wi].pc);
    bool inside;
    if (!addr)
        return now;
    uint32_t latency = latency_of(m, cache_probe(&view, CACHE_L1I, addr, false), &inside);
    uint32_t line = (uint32_t)addr & ~(p->cache[CACHE_L1I].line - 1);
    struct sm_channel *c =
        &m->port.channel[line / (uint32_t)p->interleave % (uint32_t)p->partitions];
    return inside ? now + latency : sm_channel_request(c, 1, now) - c->latency + latency;
}

/* Of what is no instruction at 4 mod 8 nobody looks at the second word: it may lie in another line. */
void cached_instruction(struct sm *m, int wi)
{
    uint32_t pc = m->s.warp[wi].pc, words[2], got[2] = {0};
    uint64_t addr = code_address(m, pc);
    if (!addr)
        return;
    sm_code_words(m->kernel, pc, words);
    uint32_t size = addr % 8 ? 4 : 8, matters = fetch_uop(m->kernel, pc)->in.size;
    uint8_t bytes[8] = {0}, mask[8] = {0};
    struct cache_hook hook;
    struct cache_view view = view_of(m, &hook);
    memset(mask, 1, matters && matters < size ? matters : size);
    cache_access(&view, CACHE_L1I, addr, size, bytes, mask, false);
    memcpy(got, bytes, size);
    for (uint32_t i = 0; i < size / 4 && !m->img->caches.cache[CACHE_L1I].wrong; i++)
        m->s.ir[i] = got[i] ^ words[i];
}
