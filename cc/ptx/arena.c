/* arena.c -- see arena.h. */
#include "arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/fl.h"

struct cc_chunk {
    struct cc_chunk *before;
    size_t used, size;
    max_align_t bytes[];
};

void *cc_alloc(struct cc_arena *a, size_t n)
{
    enum { CHUNK = 1 << 16 };
    n = (n + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (!a->last || a->last->used + n > a->last->size) {
        size_t size = n > CHUNK ? n : CHUNK;
        struct cc_chunk *c = fl_alloc(sizeof *c + size);
        c->before = a->last;
        c->size = size;
        a->last = c;
    }
    void *p = (char *)a->last->bytes + a->last->used;
    a->last->used += n;
    return p;
}

char *cc_text(struct cc_arena *a, const char *s, size_t n)
{
    char *p = cc_alloc(a, n + 1);
    memcpy(p, s, n);
    return p;
}

char *cc_format(struct cc_arena *a, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, fmt, args);
    char *p = cc_alloc(a, (size_t)n + 1);
    vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(args);
    return p;
}

void *cc_more(struct cc_arena *a, void *p, int count, int *room, size_t size)
{
    if (count < *room)
        return p;
    int more = *room ? 2 * *room : 8;
    void *q = cc_alloc(a, (size_t)more * size);
    if (count)
        memcpy(q, p, (size_t)count * size);
    *room = more;
    return q;
}

void cc_arena_free(struct cc_arena *a)
{
    for (struct cc_chunk *c = a->last; c;) {
        struct cc_chunk *before = c->before;
        free(c);
        c = before;
    }
    a->last = NULL;
}
