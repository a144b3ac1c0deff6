/* cache_reference.c -- see cache_reference.h. */
#include "cache_reference.h"

#include <stdlib.h>

struct way {
    bool valid, dirty, bit;
    uint64_t line; /* address of its first byte */
    uint64_t used;
    uint8_t byte[SM_MAX_LINE];
};

struct cache_reference {
    const struct sm_image *img;
    uint8_t *memory; /* as the memory pages, without caches */
    uint64_t now;
    struct way *way[CACHES][SM_MAX_SMS];
    struct cache_count count[CACHES];
};

static const struct profile_cache *cache_of(const struct cache_reference *r, int c)
{
    return &r->img->profile.cache[c];
}

struct cache_reference *cache_reference_new(const struct sm_image *img)
{
    struct cache_reference *r = fl_alloc(sizeof *r);
    r->img = img;
    r->memory = fl_alloc(img->mem_bytes);
    memcpy(r->memory, img->initial, img->mem_bytes);
    for (int c = 0; c < CACHES; c++)
        for (int sm = 0; sm < img->sms && cache_of(r, c)->bytes; sm++)
            r->way[c][sm] = fl_alloc(cache_of(r, c)->bytes / cache_of(r, c)->line *
                                     sizeof(struct way));
    return r;
}

void cache_reference_free(struct cache_reference *r)
{
    for (int c = 0; c < CACHES; c++)
        for (int sm = 0; sm < r->img->sms; sm++)
            free(r->way[c][sm]);
    free(r->memory);
    free(r);
}

/* A byte of memory, or NULL where there is none. */
static uint8_t *byte_at(struct cache_reference *r, uint64_t addr)
{
    const struct sm_image *img = r->img;
    if (addr >= UINT64_C(3) << 32)
        return addr - (UINT64_C(3) << 32) < img->code_bytes
                   ? r->memory + img->code_offset + (addr - (UINT64_C(3) << 32))
                   : NULL;
    if (addr >= UINT64_C(2) << 32) {
        addr -= UINT64_C(2) << 32;
        return addr < img->local_offset - img->const_offset ? r->memory + img->const_offset + addr
                                                            : NULL;
    }
    if (addr >= UINT64_C(1) << 32)
        return addr - (UINT64_C(1) << 32) < (uint64_t)img->sms * img->local_bytes
                   ? r->memory + img->local_offset + (addr - (UINT64_C(1) << 32))
                   : NULL;
    for (int i = 0; i < img->nbuffers; i++)
        if (addr - img->buffer[i].addr < img->buffer[i].size)
            return r->memory + addr - JOB_BASE;
    return NULL;
}

static void reach(struct cache_reference *r, int c, int sm, uint64_t addr, uint32_t size,
                  uint8_t *bytes, const bool *wanted, bool store);

static void write_back(struct cache_reference *r, int c, int sm, struct way *w)
{
    bool all[SM_MAX_LINE];
    memset(all, 1, sizeof all);
    if (w->valid && w->dirty) {
        r->count[c].write_backs++;
        reach(r, cache_of(r, c)->next, sm, w->line, cache_of(r, c)->line, w->byte, all, true);
    }
    w->valid = w->dirty = false;
}

static void used(struct cache_reference *r, int c, struct way *set, struct way *w, bool fill)
{
    uint32_t bits = 0;
    if (fill || cache_of(r, c)->replacement != CACHE_FIFO)
        w->used = ++r->now;
    w->bit = true;
    for (uint32_t i = 0; i < cache_of(r, c)->ways; i++)
        bits += set[i].bit;
    for (uint32_t i = 0; i < cache_of(r, c)->ways && bits == cache_of(r, c)->ways; i++)
        set[i].bit = &set[i] == w;
}

static struct way *bring(struct cache_reference *r, int c, int sm, struct way *set, uint64_t line)
{
    const struct profile_cache *p = cache_of(r, c);
    struct way *w = NULL;
    bool all[SM_MAX_LINE];
    memset(all, 1, sizeof all);
    for (uint32_t i = 0; i < p->ways && !w; i++)
        w = set[i].valid ? NULL : &set[i];
    for (uint32_t i = 0; i < p->ways && !w && p->replacement == CACHE_PLRU; i++)
        w = set[i].bit ? NULL : &set[i];
    if (!w) {
        w = set;
        for (uint32_t i = 1; i < p->ways; i++)
            w = set[i].used < w->used ? &set[i] : w;
    }
    write_back(r, c, sm, w);
    reach(r, p->next, sm, line, p->line, w->byte, all, false);
    w->valid = true;
    w->line = line;
    used(r, c, set, w, true);
    return w;
}

static void reach_memory(struct cache_reference *r, uint64_t addr, uint32_t size, uint8_t *bytes,
                         const bool *wanted, bool store)
{
    for (uint32_t i = 0; i < size; i++) {
        uint8_t *b = byte_at(r, addr + i);
        if (store && b && wanted[i])
            *b = bytes[i];
        if (!store)
            bytes[i] = b ? *b : 0;
    }
}

static void reach(struct cache_reference *r, int c, int sm, uint64_t addr, uint32_t size,
                  uint8_t *bytes, const bool *wanted, bool store)
{
    if (c == CACHE_MEMORY) {
        reach_memory(r, addr, size, bytes, wanted, store);
        return;
    }
    const struct profile_cache *p = cache_of(r, c);
    uint64_t line = addr / p->line * p->line;
    uint32_t sets = p->bytes / p->line / p->ways;
    struct way *set = &r->way[c][c == CACHE_L2 ? 0 : sm][addr / p->line % sets * p->ways];
    struct way *w = NULL;
    for (uint32_t i = 0; i < p->ways; i++)
        if (set[i].valid && set[i].line == line)
            w = &set[i];
    r->count[c].hits += w != NULL;
    r->count[c].misses += !w;
    if (w && store && p->on_store == CACHE_EVICT) {
        w->valid = false;
        w = NULL;
    } else if (w) {
        used(r, c, set, w, false);
    } else if (!store || p->allocate == CACHE_BOTH) {
        w = bring(r, c, sm, set, line);
    }
    for (uint32_t i = 0; i < size && w; i++) {
        if (store && wanted[i])
            w->byte[addr - line + i] = bytes[i];
        if (!store)
            bytes[i] = w->byte[addr - line + i];
    }
    if (store && (!w || p->write == CACHE_THROUGH))
        reach(r, p->next, sm, addr, size, bytes, wanted, true);
    else if (store)
        w->dirty = true;
}

/* What the lanes of an instruction ask for: words of up to 4 bytes. */
struct asked {
    int asker;
    uint32_t exec, n, bytes; /* words of a lane */
    uint64_t at[32][16];
    uint32_t lanes[16]; /* fetches: who has this word */
    bool store, loads;  /* into registers that the commit tells of */
};

/* The cache that is first asked, or CACHE_MEMORY: of each space its own, then l2. */
static int first_of(const struct cache_reference *r, int asker)
{
    static const int own[CACHE_ASKERS] = {CACHE_L1D, CACHE_L1D, CACHE_L1C, CACHE_L1I, CACHE_L1T};
    uint32_t bit = 1u << (asker == CACHE_TEXELS ? CACHE_GLOBAL : asker);
    return cache_of(r, own[asker])->spaces & bit ? own[asker]
           : cache_of(r, CACHE_L2)->spaces & bit ? CACHE_L2
                                                 : CACHE_MEMORY;
}

static bool asks(const struct asked *q, uint32_t lane, uint32_t k)
{
    return q->exec >> lane & 1 && (q->asker != CACHE_TEXELS || q->lanes[k] >> lane & 1);
}

static bool ask(struct cache_reference *r, const struct sm_commit *c, int sm, const struct asked *q)
{
    bool done[32][16] = {0}, good = true;
    int first = first_of(r, q->asker);
    uint32_t n = q->n, size = first == CACHE_MEMORY ? 4 : cache_of(r, first)->line;
    for (uint32_t i = 0; i < 32 * n; i++) {
        uint8_t bytes[SM_MAX_LINE] = {0};
        bool wanted[SM_MAX_LINE] = {0};
        uint64_t line = q->at[i / n][i % n] / size * size;
        if (!asks(q, i / n, i % n) || done[i / n][i % n])
            continue;
        for (int turn = 0; turn < 2; turn++) { /* what it asks for; what it gets */
            for (uint32_t l = 0; l < 32; l++)
                for (uint32_t k = 0; k < n; k++) {
                    uint64_t at = q->at[l][k] - line;
                    uint32_t got = 0;
                    if (!asks(q, l, k) || at >= size)
                        continue;
                    done[l][k] = true;
                    memset(wanted + at, 1, q->bytes);
                    if (q->store && !turn)
                        memcpy(bytes + at, &c->data[k][l], q->bytes);
                    memcpy(&got, bytes + at, q->bytes);
                    if (turn && q->loads && k < (uint32_t)c->nregs && (c->reg_mask >> l & 1))
                        good &= !((got ^ c->reg[k][l]) &
                                  (q->bytes < 4 ? (1u << 8 * q->bytes) - 1 : ~0u));
                }
            if (!turn)
                reach(r, first, sm, line, size, bytes, wanted, q->store);
        }
    }
    return good;
}

/* The address of word k of a lane. */
static uint64_t address(const struct cache_reference *r, const struct sm_commit *c, int sm,
                        uint32_t lane, uint32_t k)
{
    const struct sm_launch *l = &r->img->launch[c->launch];
    uint32_t words = r->img->kernel[l->kernel].local_bytes / 4, at = c->addr[lane] / 4 + k;
    if (c->space == ISA_G)
        return (uint64_t)c->addr[lane] + 4 * k;
    return (UINT64_C(1) << 32) + (uint64_t)sm * r->img->local_bytes +
           (((uint64_t)c->warp * words + at) * 32 + lane) * 4 + c->addr[lane] % 4;
}

/* A constant, `a` being the address registers of the warp. */
static bool ask_constant(struct cache_reference *r, const struct sm_commit *c, int sm,
                         const struct isa_operand *o, const uint16_t a[5][SM_LANES])
{
    const struct sm_image *img = r->img;
    const struct sm_bank *b = &img->kernel[img->launch[c->launch].kernel].bank[o->bank & 15];
    uint32_t whole = isa_type_bytes(o->type);
    bool loads = c->uop->unit == UNIT_LOAD, moves = c->uop->unit == UNIT_MOVE;
    struct asked q = {.asker = CACHE_CONSTANT,
                      .exec = o->areg ? c->exec : c->exec & -c->exec,
                      .n = loads && whole > 4 ? whole / 4 : 1,
                      .bytes = whole > 4 ? 4 : whole,
                      .loads = c->uop->in.dst.kind == ISA_R && (loads || moves)};
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t k = 0; k < q.n; k++) {
            uint32_t at = !o->areg ? o->value
                                   : (uint16_t)(a[o->areg < 5 ? o->areg : 0][l] +
                                                (o->postinc ? 0 : o->value));
            q.at[l][k] = (UINT64_C(2) << 32) + b->offset - img->const_offset + at + 4 * k;
        }
    return ask(r, c, sm, &q);
}

/* The texels of a fetch. */
static void ask_texels(struct cache_reference *r, const struct sm_commit *c, int sm,
                       const struct cache_before *before)
{
    const struct isa_texture *in = &c->uop->in.tex;
    const struct texture *t =
        &r->img->texture[r->img->launch[c->launch].textures + in->unit % TEXTURE_UNITS];
    uint32_t bytes = texture_texel_bytes(t), n = bytes > 4 ? bytes / 4 : 1;
    const uint32_t *x = &before->rf[c->reg_base + c->uop->in.dst.value * 32];
    struct asked q = {
        .asker = CACHE_TEXELS, .exec = c->exec, .n = 4 * n, .bytes = bytes > 4 ? 4 : bytes};
    for (uint32_t l = 0; l < 32; l++) {
        struct texture_texels texels = {0};
        if (!(c->exec >> l & 1))
            continue;
        if (c->uop->in.op == OP_TLD)
            texture_find_integer(t, x[l], &texels);
        else
            texture_find(t, x[l], in->coords > 1 ? &x[32 + l] : NULL, &texels);
        for (uint32_t k = 0; k < (uint32_t)texels.n * n; k++) {
            q.at[l][k] = (uint64_t)texels.at[k / n] + k % n * 4;
            q.lanes[k] |= 1u << l;
        }
    }
    ask(r, c, sm, &q);
}

bool cache_reference_commit(struct cache_reference *r, const struct sm_commit *c, int sm,
                            const struct cache_before *before)
{
    bool good = true;
    if (c->kind != COMMIT_INSTRUCTION || c->trap || !c->exec)
        return true;
    for (int i = 0; i < 3; i++)
        if (c->uop->in.src[i].kind == ISA_K && first_of(r, CACHE_CONSTANT) != CACHE_MEMORY)
            good &= ask_constant(r, c, sm, &c->uop->in.src[i], before->warp[c->warp].a);
    if (c->uop->unit == UNIT_TEXTURE && first_of(r, CACHE_TEXELS) != CACHE_MEMORY)
        ask_texels(r, c, sm, before);
    if (c->space != ISA_G && c->space != ISA_L)
        return good;
    struct asked q = {.asker = c->space == ISA_L ? CACHE_LOCAL : CACHE_GLOBAL,
                      .exec = c->exec,
                      .n = c->bytes > 4 ? c->bytes / 4 : 1,
                      .bytes = c->bytes > 4 ? 4 : c->bytes,
                      .store = c->store,
                      .loads = !c->store};
    for (uint32_t l = 0; l < 32; l++)
        for (uint32_t k = 0; k < q.n; k++)
            q.at[l][k] = address(r, c, sm, l, k);
    return ask(r, c, sm, &q) && good;
}

static bool of_sm(int c)
{
    return profile_cache_place(c) == CACHE_OF_SM;
}

bool cache_reference_fetch(struct cache_reference *r, const struct sm_kernel *k, int sm,
                           uint32_t pc)
{
    uint8_t bytes[8] = {0};
    bool wanted[8] = {0};
    uint32_t word[2];
    for (int i = 0; i < k->ncode && cache_of(r, CACHE_L1I)->bytes; i++) {
        const struct sm_code *c = &k->code[i];
        if (pc % 4 || pc < c->base || pc - c->base >= c->size)
            continue;
        const struct sm_uop *u = &c->uop[(pc - c->base) / 4];
        reach(r, CACHE_L1I, sm, (UINT64_C(3) << 32) + c->at + (pc - c->base), pc % 8 ? 4 : 8, bytes,
              wanted, false);
        memcpy(word, bytes, sizeof word);
        return word[0] == u->lo && (u->in.size != 8 || pc % 8 || word[1] == u->hi);
    }
    return true;
}

void cache_reference_launch(struct cache_reference *r, bool host)
{
    for (int c = 0; c < CACHES; c++)
        for (int sm = 0; sm < (of_sm(c) ? r->img->sms : 1); sm++)
            for (uint32_t i = 0;
                 cache_of(r, c)->bytes && i < cache_of(r, c)->bytes / cache_of(r, c)->line; i++)
                if (of_sm(c) || host)
                    write_back(r, c, sm, &r->way[c][sm][i]);
}

bool cache_reference_agrees(const struct cache_reference *r, const struct gpu *g)
{
    const struct sm_image *img = r->img;
    uint32_t local = (uint32_t)img->sms * img->local_bytes;
    uint8_t *of = fl_alloc(img->mem_bytes);
    sm_memory_read(&g->memory, 0, of, img->mem_bytes);
    bool same = memcmp(of, r->memory, img->global_bytes) == 0 &&
                memcmp(of + img->local_offset, r->memory + img->local_offset, local) == 0;
    free(of);
    for (int c = 0; c < CACHES; c++)
        same &= r->count[c].hits == g->counts[c].hits &&
                r->count[c].misses == g->counts[c].misses &&
                r->count[c].write_backs == g->counts[c].write_backs;
    return same;
}
