/* profile_caches.c -- the caches of a profile: read, and checked against each other. */
#include <string.h>

#include "base/xml.h"
#include "profile.h"

enum { MAX_BYTES = 1 << 24, MAX_LATENCY = 1000000, MIN_LINE = 16 };

#define SPACE(s) (UINT32_C(1) << CACHE_##s)

static const struct {
    const char *name, *kind;
    enum cache_place place;
    uint32_t spaces; /* that it may have; has, where it is only read */
    bool read_only;
} known[CACHES] = {[CACHE_L1D] = {"l1d", "data", CACHE_OF_SM, SPACE(GLOBAL) | SPACE(LOCAL), false},
                   [CACHE_L1C] = {"l1c", "constant", CACHE_OF_SM, SPACE(CONSTANT), true},
                   [CACHE_L1T] = {"l1t", "texture", CACHE_OF_SM, SPACE(GLOBAL), true},
                   [CACHE_L1I] = {"l1i", "instruction", CACHE_OF_SM, SPACE(CODE), true},
                   [CACHE_L2] = {"l2", "data", CACHE_OF_CHIP,
                                 SPACE(GLOBAL) | SPACE(LOCAL) | SPACE(CONSTANT) | SPACE(CODE),
                                 false}};

static const char *const places[] = {"sm", "chip", NULL};
static const char *const replacements[] = {"lru", "plru", "fifo", NULL};
static const char *const writes[] = {"through", "back", NULL};
static const char *const allocates[] = {"read", "both", NULL};
static const char *const on_stores[] = {"update", "evict", NULL};
static const char *const spaces[CACHE_SPACES] = {"global", "local", "constant", "code"};

const char *profile_cache_name(int cache)
{
    return known[cache].name;
}

enum cache_place profile_cache_place(int cache)
{
    return known[cache].place;
}

static int word_of(const struct xml_file *f, const xmlNode *n, const char *attr,
                   const char *const *words, int *out, struct fl_err *err)
{
    const char *text = xml_attr(n, attr);
    struct fl_buf list = {0};
    for (*out = 0; words[*out]; ++*out)
        if (!strcmp(text, words[*out]))
            return 0;
    for (int i = 0; words[i]; i++)
        fl_buf_printf(&list, "%s%s", !i ? "" : words[i + 1] ? ", " : " or ", words[i]);
    xml_fail(f, n, err, "%s=\"%.40s\": write %s", attr, text, (char *)list.data);
    fl_buf_free(&list);
    return -1;
}

/* One space or several, each once. */
static int spaces_of(const struct xml_file *f, const xmlNode *n, int cache, uint32_t *out,
                     struct fl_err *err)
{
    const char *text = xml_attr(n, "spaces"), *at = text;
    bool good = true;
    *out = 0;
    while (good && *at) {
        size_t length = strcspn(at, " ");
        uint32_t bit = 0;
        for (int i = 0; i < CACHE_SPACES; i++)
            if (strlen(spaces[i]) == length && !strncmp(at, spaces[i], length))
                bit = UINT32_C(1) << i;
        good = bit & known[cache].spaces & ~*out;
        *out |= bit;
        at += length + (at[length] == ' ');
    }
    if (good && *out)
        return 0;
    return xml_fail(f, n, err, "spaces=\"%.40s\": write global, local%s or some of them", text,
                    known[cache].spaces & SPACE(CONSTANT) ? ", constant, code" : "");
}

static int number_of(const char *name)
{
    int i = 0;
    while (i < CACHES && strcmp(name, known[i].name) != 0)
        i++;
    return i;
}

static int check_shape(const struct xml_file *f, const xmlNode *n, const struct profile_cache *c,
                       struct fl_err *err)
{
    if (c->line & (c->line - 1))
        return xml_fail(f, n, err, "line=\"%u\": write a power of two", c->line);
    if (c->bytes % (c->line * c->ways))
        return xml_fail(f, n, err,
                        "bytes=\"%u\": a set takes %u bytes, %u lines of %u; write a multiple",
                        c->bytes, c->line * c->ways, c->ways, c->line);
    if (c->on_store == CACHE_EVICT && c->write == CACHE_BACK)
        return xml_fail(f, n, err,
                        "on-store=\"evict\" contradicts write=\"back\": the store would be lost");
    if (c->on_store == CACHE_EVICT && c->allocate == CACHE_BOTH)
        return xml_fail(f, n, err,
                        "on-store=\"evict\" contradicts allocate=\"both\": a store that misses "
                        "would bring the line that one that hits throws out");
    return 0;
}

int profile_read_cache(const struct xml_file *f, const xmlNode *n, struct profile *p,
                       struct fl_err *err)
{
    int place;
    if (xml_attrs(f, n, "name kind place bytes line ways replacement latency next",
                  "write allocate on-store spaces", err) ||
        xml_no_text(f, n, true, err))
        return -1;
    const char *name = xml_attr(n, "name"), *kind = xml_attr(n, "kind");
    const char *next = xml_attr(n, "next");
    int number = number_of(name);
    if (number == CACHES)
        return xml_fail(f, n, err, "name=\"%.40s\": write l1d, l1c, l1t, l1i or l2", name);
    struct profile_cache *c = &p->cache[number];
    if (c->bytes)
        return xml_fail(f, n, err, "cache %s is given twice; keep one", name);
    if (strcmp(kind, known[number].kind) != 0)
        return xml_fail(f, n, err, "kind=\"%.40s\": cache %s has kind=\"%s\"", kind, name,
                        known[number].kind);
    if (!known[number].read_only &&
        xml_attrs(f, n,
                  "name kind place bytes line ways replacement latency next write allocate "
                  "on-store spaces",
                  "", err))
        return -1;
    if (known[number].read_only &&
        xml_attrs(f, n, "name kind place bytes line ways replacement latency next", "", err))
        return -1;
    if (word_of(f, n, "place", places, &place, err))
        return -1;
    if (place != (int)known[number].place)
        return xml_fail(f, n, err, "place=\"%s\": cache %s is one of %s; write place=\"%s\"",
                        places[place], name,
                        known[number].place == CACHE_OF_SM ? "each SM" : "the chip",
                        places[known[number].place]);
    if (xml_attr_u32(f, n, "line", MIN_LINE, SM_MAX_LINE, &c->line, err) ||
        xml_attr_u32(f, n, "ways", 2, SM_MAX_WAYS, &c->ways, err) ||
        xml_attr_u32(f, n, "latency", number == CACHE_L1C || number == CACHE_L1I ? 0 : 1,
                     MAX_LATENCY, &c->latency, err) ||
        xml_attr_u32(f, n, "bytes", MIN_LINE, MAX_BYTES, &c->bytes, err) ||
        word_of(f, n, "replacement", replacements, &c->replacement, err))
        return -1;
    c->spaces = known[number].spaces; /* the rest of what is only read is 0 */
    if (!known[number].read_only && (word_of(f, n, "write", writes, &c->write, err) ||
                                     word_of(f, n, "allocate", allocates, &c->allocate, err) ||
                                     word_of(f, n, "on-store", on_stores, &c->on_store, err) ||
                                     spaces_of(f, n, number, &c->spaces, err)))
        return -1;
    c->next = strcmp(next, "memory") ? number_of(next) : CACHE_MEMORY;
    if (strcmp(next, "memory") != 0 &&
        (c->next == CACHES || c->next == number || known[c->next].place != CACHE_OF_CHIP))
        return xml_fail(f, n, err,
                        "next=\"%.40s\": behind %s comes %smemory; a cache is not behind itself",
                        next, name, known[number].place == CACHE_OF_SM ? "l2 or " : "");
    return check_shape(f, n, c, err);
}

int profile_check_caches(const struct xml_file *f, const xmlNode *root, const struct profile *p,
                         struct fl_err *err)
{
    if (profile_lines_collide(p))
        return xml_fail(f, root, err,
                        "cache l1d: write=\"back\" of global memory with %d SMs: a line that goes "
                        "back takes back what other SMs have written in it; write \"through\", or "
                        "spaces=\"local\"",
                        p->sms);
    if (p->cache[CACHE_L2].spaces & SPACE(CODE) && !p->cache[CACHE_L1I].bytes)
        return xml_fail(f, root, err,
                        "cache l2: spaces has code, which only a cache l1i asks for; add one, or "
                        "leave code out");
    for (int i = 0; i < CACHES; i++) {
        const struct profile_cache *c = &p->cache[i], *next = &p->cache[c->next % CACHES];
        const char *name = known[i].name;
        if (!c->bytes)
            continue;
        if (c->latency > (uint32_t)p->global_latency)
            return xml_fail(f, root, err,
                            "cache %s: latency=\"%u\" is more than <global_latency> %d: a hit "
                            "would take longer than a miss",
                            name, c->latency, p->global_latency);
        if (c->next == CACHE_MEMORY && i != CACHE_L2 && p->cache[CACHE_L2].spaces & c->spaces)
            return xml_fail(f, root, err,
                            "cache %s: next=\"memory\" goes round l2, which holds the same "
                            "space; write next=\"l2\"",
                            name);
        if (c->next == CACHE_MEMORY)
            continue;
        if (!next->bytes)
            return xml_fail(f, root, err, "cache %s: next=\"%s\": the profile has no such cache",
                            name, known[c->next].name);
        if (c->line > next->line)
            return xml_fail(f, root, err,
                            "cache %s: line=\"%u\" is longer than the %u bytes of a line of %s",
                            name, c->line, next->line, known[c->next].name);
        if (c->spaces & ~next->spaces)
            return xml_fail(f, root, err,
                            "cache %s: %s, which comes next, must hold its spaces too", name,
                            known[c->next].name);
        if (c->latency > next->latency)
            return xml_fail(f, root, err,
                            "cache %s: latency=\"%u\" is more than that of %s, %u: a hit would "
                            "take longer than a miss",
                            name, c->latency, known[c->next].name, next->latency);
    }
    return 0;
}
