/* patterns.c -- see patterns.h. */
#include "patterns.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

static uint64_t *word_of(const struct gate_patterns *p, uint32_t pattern, uint32_t source)
{
    return &p->word[(size_t)(pattern / 64) * p->sources + source];
}

struct gate_patterns gate_patterns_random(uint32_t sources, uint32_t count, uint64_t seed)
{
    struct gate_patterns p = {.count = count, .sources = sources};
    size_t words = (size_t)((count + 63) / 64) * sources;
    p.word = fl_alloc(words * sizeof *p.word);
    for (size_t i = 0; i < words; i++)
        p.word[i] = fl_random(&seed);
    return p;
}

static int read_line(struct gate_patterns *p, const char *line, const char **end)
{
    const char *digits = line + strspn(line, "0123456789");
    if (*digits == ':')
        line = digits + 1;
    line += strspn(line, " \t\r");
    *end = line;
    if (*line == '#' || *line == '*' || *line == '\n' || !*line)
        return 0;
    size_t n = strspn(line, "01");
    *end = line + n + strspn(line + n, " \t\r");
    if (n != p->sources || !(**end == '\n' || **end == '#' || !**end))
        return -1;
    for (uint32_t i = 0; i < p->sources; i++)
        *word_of(p, p->count, i) |= (uint64_t)(line[i] - '0') << p->count % 64;
    p->count++;
    return 0;
}

int gate_patterns_text(const char *path, const char *text, uint32_t sources, const char *what,
                       struct gate_patterns *out, struct fl_err *err)
{
    struct gate_patterns p = {.sources = sources};
    uint32_t line = 1, room = 0;
    int bad = 0;
    for (const char *at = text; !bad && *at; line++) {
        const char *end;
        if (p.count == room) { /* 64 patterns more, all of them 0 so far */
            p.word = fl_grow(p.word, room / 64 + 1, (size_t)sources * sizeof *p.word);
            room += 64;
            memset(word_of(&p, p.count, 0), 0, sources * sizeof *p.word);
        }
        if (read_line(&p, at, &end))
            bad = fl_fail(err,
                          "%s:%u: a pattern has a 0 or 1 for each of %u %s, and nothing else; this "
                          "one begins with %zu",
                          path, line, sources, what, strspn(end, "01"));
        at = end + strcspn(end, "\n");
        at += *at == '\n';
    }
    if (!bad && p.count == 0)
        bad = fl_fail(err, "%s:1: no pattern; write one a line, a 0 or 1 for each of %u %s", path,
                      sources, what);
    if (bad)
        gate_patterns_free(&p);
    else
        *out = p;
    return bad;
}

int gate_patterns_read(const char *path, uint32_t sources, const char *what,
                       struct gate_patterns *out, struct fl_err *err)
{
    struct fl_buf text = {0};
    int bad = fl_read_text(path, &text, err) ||
              gate_patterns_text(path, (const char *)text.data, sources, what, out, err);
    fl_buf_free(&text);
    return bad ? -1 : 0;
}

void gate_patterns_print(const struct gate_patterns *p, struct fl_buf *out)
{
    for (uint32_t k = 0; k < p->count; k++) {
        for (uint32_t i = 0; i < p->sources; i++)
            fl_buf_add(out, *word_of(p, k, i) >> k % 64 & 1 ? "1" : "0", 1);
        fl_buf_add(out, "\n", 1);
    }
}

void gate_patterns_free(struct gate_patterns *p)
{
    free(p->word);
    free(p->strobe);
    free(p->expect);
    free(p->hold);
    free(p->line);
    *p = (struct gate_patterns){0};
}

/* Blocks of `words` numbers a row, of an array with `rows` of them for each 64 patterns. */
static void block(const struct gate_patterns *p, const uint64_t *array, uint32_t rows,
                  uint32_t from, int words, uint64_t *out)
{
    for (int w = 0; w < words; w++) {
        uint32_t at = from + 64 * (uint32_t)w;
        for (uint32_t i = 0; i < rows; i++)
            out[i * (uint32_t)words + (uint32_t)w] = at < p->count
                                                         ? array[at / 64 * (size_t)rows + i]
                                                         : 0;
    }
}

void gate_patterns_block(const struct gate_patterns *p, uint32_t from, int words, uint64_t *out)
{
    block(p, p->word, p->sources, from, words, out);
}

void gate_patterns_strobes(const struct gate_patterns *p, uint32_t from, int words, uint64_t *out)
{
    block(p, p->strobe, p->watched, from, words, out);
}
