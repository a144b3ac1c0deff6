/* cache.c -- what caches do. See cache.h for the rules. */
#include "cache.h"

#include <stddef.h>
#include <string.h>

#include "sm/arith/lanes.h"

/* ---- where they stand ------------------------------------------------------------------------ */

static uint32_t bits_of(uint64_t most) /* that hold 0..most */
{
    uint32_t bits = 0;
    while (most >> bits)
        bits++;
    return bits;
}

static uint32_t round_up(uint32_t n, uint32_t to)
{
    return (n + to - 1) / to * to;
}

static void shape(struct cache_shape *s, const struct profile *p, int cache, enum cache_place place,
                  uint32_t at)
{
    const struct profile_cache *is = &p->cache[cache];
    int first = 0, last = CACHE_SPACES - 1;
    while (!(is->spaces >> first & 1))
        first++;
    while (!(is->spaces >> last & 1))
        last--;
    uint64_t end = cache_base((enum cache_space)last) + (UINT64_C(1) << 32);
    *s = (struct cache_shape){.is = *is, .place = place, .sets = profile_cache_sets(is), .at = at};
    for (s->stride = 1; s->stride < is->ways;)
        s->stride *= 2; /* so that a set never lies across two pages */
    s->lines = round_up(s->sets * s->stride * (uint32_t)sizeof(struct cache_entry), SM_MAX_LINE);
    s->each = round_up(s->lines + is->bytes, SM_PAGE);
    s->base = first >= CACHE_CONSTANT ? cache_base((enum cache_space)first) : 0;
    s->tag_bits = bits_of(((end - s->base) / is->line - 1) / s->sets);
    s->age_bits = is->replacement == CACHE_PLRU ? 1 : bits_of(is->ways - 1);
    if (p->cache_model != CACHE_MODEL_GPUFI)
        return;
    s->wrong = s->each; /* from a page on, so that those of a set never lie across two */
    s->wrong_bits = 64 - (bits_of(is->line) - 1);
    s->each = round_up(s->wrong + s->sets * s->stride * (uint32_t)sizeof(struct cache_wrong),
                       SM_PAGE);
}

uint32_t cache_lay_out(struct cache_map *map, const struct profile *p, uint32_t at)
{
    *map = (struct cache_map){.any = profile_has_caches(p)};
    for (int i = 0; i < CACHES; i++) {
        enum cache_place place = profile_cache_place(i);
        if (!p->cache[i].bytes)
            continue;
        shape(&map->cache[i], p, i, place, at);
        map->chip |= place == CACHE_OF_CHIP;
        at += map->cache[i].each * (place == CACHE_OF_SM ? (uint32_t)p->sms : 1);
    }
    map->instructions = p->cache[CACHE_L1I].bytes > 0;
    for (int i = 0; i < CACHE_ASKERS; i++)
        map->first[i] = profile_first_cache(p, i);
    return at;
}

void cache_reset(const struct cache_map *map, int sms, uint8_t *pages)
{
    for (int i = 0; i < CACHES; i++) {
        const struct cache_shape *c = &map->cache[i];
        bool ages = c->is.replacement != CACHE_PLRU;
        for (int sm = 0; sm < (c->place == CACHE_OF_SM ? sms : 1); sm++)
            for (uint32_t line = 0; line < c->sets * c->is.ways; line++) {
                uint32_t way = line % c->is.ways;
                struct cache_entry e = {.age = (uint16_t)(ages ? way : 0)};
                memcpy(pages + cache_entry_at(c, sm, line / c->is.ways, way), &e, sizeof e);
            }
    }
}

/* ---- one set --------------------------------------------------------------------------------- */

static uint64_t ones(uint32_t bits)
{
    return bits < 64 ? (UINT64_C(1) << bits) - 1 : ~UINT64_C(0);
}

/* The set that an address leads to, and the tag that its line has there. */
struct spot {
    const struct cache_view *v;
    const struct cache_shape *s;
    int cache;
    uint32_t set, tag;
    uint64_t line; /* its number among all lines */
};

enum { NO_WAY = -1 };

static struct spot spot_of(const struct cache_view *v, int c, uint64_t addr)
{
    const struct cache_shape *s = &v->map->cache[c];
    uint64_t line = (addr - s->base) / s->is.line;
    return (struct spot){
        v, s, c, (uint32_t)(line % s->sets), (uint32_t)(line / s->sets & ones(s->tag_bits)), line};
}

/* Real caches do; gpuFI-4's do not. */
static bool holds_data(const struct spot *p)
{
    return !p->s->wrong;
}

static uint64_t address_of(const struct spot *p, uint32_t tag)
{
    return p->s->base + ((uint64_t)tag * p->s->sets + p->set) * p->s->is.line;
}

static const struct cache_entry *entries(const struct spot *p)
{
    return (const void *)sm_memory_at(p->v->memory, cache_entry_at(p->s, p->v->sm, p->set, 0));
}

static struct cache_entry *writable(const struct spot *p)
{
    return (void *)sm_memory_writable(p->v->memory, cache_entry_at(p->s, p->v->sm, p->set, 0));
}

static void report(const struct spot *p, enum cache_part part, uint32_t way, uint32_t word,
                   uint32_t mask, bool write)
{
    const struct cache_hook *hook = p->v->hook;
    bool there = holds_data(p) || part == CACHE_TAG || part == CACHE_HIGH || part == CACHE_DATA;
    if (mask && there)
        hook->cell(hook->context, p->cache, p->v->sm, part, p->set, way, word, mask, write);
}

static void changed(const struct spot *p)
{
    if (p->v->hold)
        p->v->hold(p->v->context);
}

static void report_tag(const struct spot *p, uint32_t way, uint64_t mask, bool write)
{
    report(p, CACHE_TAG, way, 0, (uint32_t)mask, write);
    report(p, CACHE_HIGH, way, 0, (uint32_t)(mask >> 32), write);
}

static uint64_t tag_mask(const struct spot *p)
{
    return ones(holds_data(p) ? p->s->tag_bits : p->s->wrong_bits);
}

/* The bits of a way's tag that keep it from matching. */
static uint64_t difference(const struct spot *p, uint32_t way)
{
    uint32_t tag = entries(p)[way].tag;
    struct cache_wrong w;
    if (holds_data(p))
        return tag ^ p->tag;
    memcpy(&w, sm_memory_at(p->v->memory, cache_wrong_at(p->s, p->v->sm, p->set, way)), sizeof w);
    return ((uint64_t)tag * p->s->sets + p->set) ^ ((uint64_t)w.high << 32 | w.low) ^ p->line;
}

/* A way that does not match matters where one bit keeps it from matching, and no lower way does. */
static void report_look_up(const struct spot *p)
{
    const struct cache_entry *e = entries(p);
    for (uint32_t w = 0; w < p->s->is.ways; w++) {
        uint64_t differs = difference(p, w);
        if (!e[w].valid) {
            report(p, CACHE_VALID, w, 0, !differs, false);
            continue;
        }
        report_tag(p, w, !differs ? tag_mask(p) : differs & (differs - 1) ? 0 : differs, false);
        if (!differs) {
            report(p, CACHE_VALID, w, 0, 1, false);
            return;
        }
    }
}

/* Entries as numbers, so that the compiler makes vectors of loops over ways. */
typedef uint64_t __attribute__((may_alias)) entry_bits;
enum {
    TAG_AT = 8 * offsetof(struct cache_entry, tag),
    AGE_AT = 8 * offsetof(struct cache_entry, age),
    VALID_AT = 8 * offsetof(struct cache_entry, valid),
    MANY_WAYS = 16 /* so many that it pays to ask first whether any matches */
};
_Static_assert(sizeof(struct cache_entry) == sizeof(entry_bits), "an entry is a number");

/* One of the ways matches. */
SM_CLONES static bool any_matches(const entry_bits *e, uint32_t ways, uint32_t tag)
{
    const uint64_t of = UINT64_C(0xffffffff) << TAG_AT | UINT64_C(0xff) << VALID_AT;
    const uint64_t is = (uint64_t)tag << TAG_AT | UINT64_C(1) << VALID_AT;
    uint64_t any = 0;
    for (uint32_t w = 0; w < ways; w++)
        any |= (e[w] & of) == is;
    return any;
}

SM_CLONES static bool any_valid(const entry_bits *e, uint32_t ways)
{
    uint64_t any = 0;
    for (uint32_t w = 0; w < ways; w++)
        any |= e[w];
    return any & UINT64_C(0xff) << VALID_AT;
}

static int find_way(const struct spot *p)
{
    const struct cache_entry *e = entries(p);
    bool real = holds_data(p);
    if (real && p->s->is.ways >= MANY_WAYS &&
        !any_matches((const entry_bits *)e, p->s->is.ways, p->tag))
        return NO_WAY;
    for (uint32_t w = 0; w < p->s->is.ways; w++)
        if (e[w].valid && (real ? e[w].tag == p->tag : !difference(p, w)))
            return (int)w;
    return NO_WAY;
}

static int look_up(const struct spot *p)
{
    if (p->v->hook)
        report_look_up(p);
    return find_way(p);
}

/* ---- replacement ----------------------------------------------------------------------------- */

/* Among valid ways. `way`'s age is taken to be `age`. */
static uint32_t by_age(const struct spot *p, uint32_t way, uint32_t age)
{
    const struct cache_entry *e = entries(p);
    uint32_t victim = 0, most = 0;
    bool plru = p->s->is.replacement == CACHE_PLRU;
    for (uint32_t w = 0; w < p->s->is.ways; w++) {
        uint32_t a = w == way ? age : e[w].age;
        if (plru && !(a & 1))
            return w;
        if (!plru && a > most) {
            most = a;
            victim = w;
        }
    }
    return victim;
}

static uint32_t choose(const struct spot *p)
{
    const struct cache_entry *e = entries(p);
    uint32_t w = 0, ways = p->s->is.ways;
    while (w < ways && e[w].valid)
        w++;
    uint32_t victim = w < ways ? w : by_age(p, ways, 0);
    if (!p->v->hook)
        return victim;
    for (uint32_t i = 0; i < (w < ways ? w + 1 : ways); i++)
        report(p, CACHE_VALID, i, 0, 1, false);
    for (uint32_t i = 0; i < (w < ways ? 0 : ways); i++) {
        uint32_t matter = 0;
        for (uint32_t b = 0; b < p->s->age_bits; b++)
            matter |= by_age(p, i, e[i].age ^ UINT32_C(1) << b) != victim ? UINT32_C(1) << b : 0;
        report(p, CACHE_AGE, i, 0, matter, false);
    }
    return victim;
}

static uint32_t older(uint32_t age, uint32_t than)
{
    return age + (age < than);
}

/* A bit of another way's age stays as wrong as it was, or is put right, or leads to wrong ages. */
static void report_ages(const struct spot *p, uint32_t way)
{
    const struct cache_entry *e = entries(p);
    uint32_t old = e[way].age;
    for (uint32_t w = 0; w < p->s->is.ways; w++) {
        uint32_t reads = 0, writes = 0;
        for (uint32_t b = 0; b < p->s->age_bits && w != way; b++) {
            uint32_t bit = UINT32_C(1) << b;
            uint32_t differs = older(e[w].age, old) ^ older(e[w].age ^ bit, old);
            reads |= differs && differs != bit ? bit : 0;
            writes |= differs ? 0 : bit;
        }
        report(p, CACHE_AGE, w, 0, reads, false);
        report(p, CACHE_AGE, w, 0, writes, true);
    }
    report(p, CACHE_AGE, way, 0, (uint32_t)ones(p->s->age_bits), false);
    report(p, CACHE_AGE, way, 0, (uint32_t)ones(p->s->age_bits), true);
}

/* An age that is below another can grow without a carry. */
SM_CLONES static void make_older(entry_bits *e, uint32_t ways, uint32_t than)
{
    for (uint32_t w = 0; w < ways; w++)
        e[w] += (uint64_t)((int64_t)(e[w] >> AGE_AT & 0xffff) < (int64_t)than) << AGE_AT;
}

static void use_by_age(const struct spot *p, uint32_t way)
{
    struct cache_entry *e;
    uint32_t old = entries(p)[way].age;
    if (p->v->hook)
        report_ages(p, way);
    if (!old)
        return; /* the youngest already */
    e = writable(p);
    make_older((entry_bits *)e, p->s->is.ways, old);
    e[way].age = 0;
    changed(p);
}

static void use_by_bit(const struct spot *p, uint32_t way)
{
    const struct cache_entry *e = entries(p);
    struct cache_entry *to;
    uint32_t zeros = 0;
    for (uint32_t w = 0; w < p->s->is.ways; w++)
        zeros += w != way && !(e[w].age & 1);
    if (p->v->hook) {
        for (uint32_t w = 0; w < p->s->is.ways; w++)
            if (w != way && (!zeros || (zeros == 1 && !(e[w].age & 1))))
                report(p, CACHE_AGE, w, 0, 1, false);
        report(p, CACHE_AGE, way, 0, 1, true);
    }
    if (zeros && e[way].age & 1)
        return;
    to = writable(p);
    for (uint32_t w = 0; w < p->s->is.ways && !zeros; w++)
        to[w].age = 0;
    to[way].age = 1;
    changed(p);
}

static void use(const struct spot *p, uint32_t way, bool fill)
{
    if (p->s->is.replacement == CACHE_PLRU)
        use_by_bit(p, way);
    else if (fill || p->s->is.replacement == CACHE_LRU)
        use_by_age(p, way);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Those bytes of a line whose mask is not 0. */
static void report_line(const struct spot *p, uint32_t way, uint32_t from, uint32_t size,
                        const uint8_t *mask, bool write)
{
    for (uint32_t at = from & ~3u; at < from + size; at += 4) {
        uint32_t bits = 0;
        for (uint32_t b = 0; b < 4; b++)
            if (at + b >= from && at + b < from + size && mask[at + b - from])
                bits |= UINT32_C(0xff) << 8 * b;
        report(p, CACHE_DATA, way, at / 4, bits, write);
    }
}

static void read_line(const struct spot *p, uint32_t way, uint32_t from, uint32_t size,
                      uint8_t *out, const uint8_t *mask)
{
    const uint8_t *line = sm_memory_at(p->v->memory,
                                       cache_line_at(p->s, p->v->sm, p->set, way) + from);
    if (p->v->hook)
        report_line(p, way, from, size, mask, false);
    if (holds_data(p))
        memcpy(out, line, size);
    else /* what is in memory is there already */
        for (uint32_t i = 0; i < size; i++)
            out[i] ^= mask[i] ? line[i] : 0;
}

static void write_line(const struct spot *p, uint32_t way, uint32_t from, uint32_t size,
                       const uint8_t *bytes, const uint8_t *mask)
{
    uint8_t *to = sm_memory_writable(p->v->memory,
                                     cache_line_at(p->s, p->v->sm, p->set, way) + from);
    uint32_t i = 0;
    if (p->v->hook)
        report_line(p, way, from, size, mask, true);
    for (uint64_t is, new, of; i + 8 <= size; i += 8) { /* eight at once: a mask has ones */
        memcpy(&is, to + i, 8);
        memcpy(&new, bytes + i, 8);
        memcpy(&of, mask + i, 8);
        is ^= (is ^ new) & of * 0xff;
        memcpy(to + i, &is, 8);
    }
    for (; i < size; i++)
        if (mask[i])
            to[i] = bytes[i];
    changed(p);
}

/* Of gpuFI-4's: nothing differs any more in these bytes of a line; in its tag. */
static void put_right(const struct spot *p, uint32_t at, uint32_t size)
{
    const uint8_t *is = sm_memory_at(p->v->memory, at);
    for (uint32_t i = 0; i < size; i++)
        if (is[i]) {
            memset(sm_memory_writable(p->v->memory, at), 0, size);
            return;
        }
}

static void put_bytes_right(const struct spot *p, uint32_t way, uint32_t from, uint32_t size)
{
    uint8_t all[SM_MAX_LINE];
    memset(all, 1, size);
    if (p->v->hook)
        report_line(p, way, from, size, all, true);
    put_right(p, cache_line_at(p->s, p->v->sm, p->set, way) + from, size);
}

static void put_line_right(const struct spot *p, uint32_t way)
{
    if (holds_data(p))
        return;
    put_bytes_right(p, way, 0, p->s->is.line);
    put_right(p, cache_wrong_at(p->s, p->v->sm, p->set, way), sizeof(struct cache_wrong));
    if (p->v->hook)
        report_tag(p, way, tag_mask(p), true);
}

/* A store of gpuFI-4's, which goes to memory: see cache.h for which flips it ends. */
static void store_ends_flips(const struct cache_view *v, int c, uint64_t addr, uint32_t size,
                             const uint8_t *mask)
{
    struct spot p = spot_of(v, c, addr);
    uint32_t quarter = p.s->is.line / 4, from = (uint32_t)(addr % p.s->is.line);
    int way = p.s->place == CACHE_OF_SM ? find_way(&p) : NO_WAY;
    if (way == NO_WAY)
        return;
    for (uint32_t i = 0, next; i < size; i = next) {
        uint32_t start = (from + i) / quarter * quarter;
        next = start + quarter - from;
        if (memchr(mask + i, 1, (next < size ? next : size) - i))
            put_bytes_right(&p, (uint32_t)way, start, quarter);
    }
    if (p.s->is.next == CACHE_MEMORY)
        return;
    p = spot_of(v, p.s->is.next, addr);
    way = find_way(&p);
    if (way != NO_WAY)
        put_bytes_right(&p, (uint32_t)way, 0, p.s->is.line);
}

static void memory_access(const struct cache_view *v, uint64_t addr, uint32_t size, uint8_t *bytes,
                          const uint8_t *mask, bool store)
{
    uint32_t from = 0, at = 0, n = v->find(v->image, addr, size, &from, &at);
    if (!store) {
        memset(bytes, 0, size);
        sm_memory_read(v->memory, at, bytes + from, n);
    }
    for (uint32_t i = 0, run; i < n && (store || v->hook); i += run ? run : 1) {
        for (run = 0; i + run < n && mask[from + i + run]; run++)
            ;
        if (!run)
            continue;
        if (store)
            sm_memory_write(v->memory, at + i, bytes + from + i, run);
        if (v->hook)
            v->hook->memory(v->hook->context, at + i, run, store);
    }
}

static void level_access(const struct cache_view *v, int c, uint64_t addr, uint32_t size,
                         uint8_t *bytes, const uint8_t *mask, bool store);

/* The level behind a cache, which may be memory. */
static void access_next(const struct spot *p, uint64_t addr, uint32_t size, uint8_t *bytes,
                        const uint8_t *mask, bool store)
{
    if (p->s->is.next != CACHE_MEMORY)
        level_access(p->v, p->s->is.next, addr, size, bytes, mask, store);
    else if (holds_data(p))
        memory_access(p->v, addr, size, bytes, mask, store);
}

/* A line that is both goes back to the next level. Of one that is not valid nobody asks more. */
static void write_back(const struct spot *p, uint32_t way)
{
    struct cache_entry e = entries(p)[way];
    uint8_t line[SM_MAX_LINE], all[SM_MAX_LINE];
    if (p->s->is.write != CACHE_BACK)
        return;
    if (p->v->hook) {
        report(p, CACHE_VALID, way, 0, e.dirty, false);
        report(p, CACHE_DIRTY, way, 0, e.valid, false);
        if (holds_data(p) && e.valid && e.dirty)
            report_tag(p, way, tag_mask(p), false);
    }
    if (!e.valid || !e.dirty)
        return;
    p->v->count[p->cache].write_backs++;
    memset(all, 1, p->s->is.line);
    if (holds_data(p))
        read_line(p, way, 0, p->s->is.line, line, all);
    access_next(p, address_of(p, e.tag), p->s->is.line, line, all, true);
}

/* gpuFI-4's: the bytes of the request get what differs in the next level, and the line nothing. */
static uint32_t fill(const struct spot *p, uint64_t addr, uint32_t asked, uint8_t *bytes,
                     const uint8_t *mask)
{
    uint8_t line[SM_MAX_LINE], all[SM_MAX_LINE];
    uint32_t way = choose(p), size = p->s->is.line;
    write_back(p, way);
    if (holds_data(p)) {
        memset(all, 1, size);
        access_next(p, address_of(p, p->tag), size, line, all, false);
        if (p->v->hook)
            report_line(p, way, 0, size, all, true);
        memcpy(sm_memory_writable(p->v->memory, cache_line_at(p->s, p->v->sm, p->set, way)), line,
               size);
        changed(p);
    } else {
        access_next(p, addr, asked, bytes, mask, false);
        put_line_right(p, way);
    }
    struct cache_entry *e = writable(p) + way;
    e->tag = p->tag;
    e->valid = 1;
    e->dirty = 0;
    changed(p);
    if (p->v->hook) {
        report_tag(p, way, tag_mask(p), true);
        report(p, CACHE_VALID, way, 0, 1, true);
        report(p, CACHE_DIRTY, way, 0, p->s->is.write == CACHE_BACK, true);
    }
    use(p, way, true);
    return way;
}

/* ---- from outside ---------------------------------------------------------------------------- */

int cache_probe(const struct cache_view *v, int c, uint64_t addr, bool store)
{
    while (c != CACHE_MEMORY) {
        struct spot p = spot_of(v, c, addr);
        bool hit = look_up(&p) != NO_WAY;
        if (hit && !(store && p.s->is.write == CACHE_THROUGH))
            return c;
        c = p.s->is.next;
    }
    return CACHE_MEMORY;
}

static void store_in(const struct spot *p, int way, uint64_t addr, uint32_t size, uint8_t *bytes,
                     const uint8_t *mask)
{
    uint32_t from = (uint32_t)(addr % p->s->is.line);
    bool back = p->s->is.write == CACHE_BACK;
    static const uint8_t nothing[SM_MAX_LINE];
    if (way == NO_WAY && p->s->is.allocate == CACHE_BOTH)
        way = (int)fill(p, addr, size, bytes, holds_data(p) ? mask : nothing);
    else if (way != NO_WAY && p->s->is.on_store == CACHE_UPDATE)
        use(p, (uint32_t)way, false);
    if (way != NO_WAY && p->s->is.on_store == CACHE_EVICT) {
        writable(p)[way].valid = 0;
        if (p->v->hook)
            report(p, CACHE_VALID, (uint32_t)way, 0, 1, true);
        put_line_right(p, (uint32_t)way);
        changed(p);
    } else if (way != NO_WAY && holds_data(p)) {
        write_line(p, (uint32_t)way, from, size, bytes, mask);
    }
    if (way == NO_WAY || !back) {
        access_next(p, addr, size, bytes, mask, true);
        return;
    }
    if (p->v->hook)
        report(p, CACHE_DIRTY, (uint32_t)way, 0, 1, true);
    if (!entries(p)[way].dirty)
        writable(p)[way].dirty = 1;
    changed(p);
}

static void level_access(const struct cache_view *v, int c, uint64_t addr, uint32_t size,
                         uint8_t *bytes, const uint8_t *mask, bool store)
{
    struct spot p = spot_of(v, c, addr);
    int way = look_up(&p);
    if (way == NO_WAY)
        v->count[c].misses++;
    else
        v->count[c].hits++;
    if (store) {
        store_in(&p, way, addr, size, bytes, mask);
        return;
    }
    bool hit = way != NO_WAY;
    if (hit)
        use(&p, (uint32_t)way, false);
    else
        way = (int)fill(&p, addr, size, bytes, mask);
    if (hit || holds_data(&p))
        read_line(&p, (uint32_t)way, (uint32_t)(addr % p.s->is.line), size, bytes, mask);
}

void cache_access(const struct cache_view *v, int c, uint64_t addr, uint32_t size, uint8_t *bytes,
                  const uint8_t *mask, bool store)
{
    bool gpufi = v->map->cache[c].wrong;
    if (gpufi && store)
        store_ends_flips(v, c, addr, size, mask);
    if (gpufi)
        memory_access(v, addr, size, bytes, mask, store);
    level_access(v, c, addr, size, bytes, mask, store);
}

static void leave(const struct spot *p, uint32_t way)
{
    write_back(p, way);
    if (p->v->hook)
        report(p, CACHE_VALID, way, 0, 1, true);
    if (entries(p)[way].valid) {
        writable(p)[way].valid = 0;
        put_line_right(p, way);
    }
    changed(p);
}

void cache_access_shared(const struct cache_view *v, int c, uint64_t addr, uint32_t size,
                         uint8_t *bytes, const uint8_t *mask, bool store)
{
    const int shared = cache_shared(v->map, c);
    for (; c != shared; c = v->map->cache[c].is.next) {
        struct spot p = spot_of(v, c, addr);
        int way = look_up(&p);
        if (way != NO_WAY)
            leave(&p, (uint32_t)way);
    }
    if (shared == CACHE_MEMORY)
        memory_access(v, addr, size, bytes, mask, store);
    else
        cache_access(v, shared, addr, size, bytes, mask, store);
}

uint32_t cache_peek(const struct cache_view *v, int c, uint64_t addr)
{
    uint32_t word = 0, from = 0, at = 0;
    for (; c != CACHE_MEMORY; c = v->map->cache[c].is.next) {
        const struct spot p = spot_of(v, c, addr);
        const int way = holds_data(&p) ? find_way(&p) : NO_WAY;
        if (way == NO_WAY)
            continue;
        at = cache_line_at(p.s, v->sm, p.set, (uint32_t)way) + (uint32_t)(addr % p.s->is.line);
        memcpy(&word, sm_memory_at(v->memory, at), sizeof word);
        return word;
    }
    const uint32_t n = v->find(v->image, addr, sizeof word, &from, &at);
    sm_memory_read(v->memory, at, (uint8_t *)&word + from, n);
    return word;
}

/* Nothing of its page has been written since the start of the job: no way of the set is valid. */
static bool is_untouched(const struct spot *p)
{
    const uint32_t page = cache_entry_at(p->s, p->v->sm, p->set, 0) / SM_PAGE;
    return p->v->memory->page[page] != p->v->memory->own + (size_t)page * SM_PAGE;
}

void cache_empty(const struct cache_view *v, int c)
{
    const struct cache_shape *s = &v->map->cache[c];
    const bool watched = v->hook || v->hold;
    for (uint32_t set = 0; set < s->sets; set++) {
        struct spot p = {v, s, c, set, 0, 0};
        const struct cache_entry *e = entries(&p);
        if (!watched && is_untouched(&p)) { /* nor are those of the page's other sets */
            const uint32_t in_page = SM_PAGE / (s->stride * (uint32_t)sizeof *e);
            set |= in_page - 1;
            continue;
        }
        if (!watched && !any_valid((const entry_bits *)e, s->is.ways))
            continue;
        for (uint32_t w = 0; w < s->is.ways; w++, e = entries(&p)) {
            while (!watched && w < s->is.ways && !e[w].valid)
                w++; /* such a way stays as it is */
            if (w == s->is.ways)
                break;
            leave(&p, w);
        }
    }
}
