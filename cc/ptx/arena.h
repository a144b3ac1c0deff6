/* arena.h -- memory that goes away all at once: what the compiler makes for one source file lives as long as the compilation. */
#ifndef CC_ARENA_H
#define CC_ARENA_H

#include <stddef.h>

struct cc_arena {
    struct cc_chunk *last;
};

/* Zeroed. */
void *cc_alloc(struct cc_arena *a, size_t n);
char *cc_text(struct cc_arena *a, const char *s, size_t n);
char *cc_format(struct cc_arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void *cc_more(struct cc_arena *a, void *p, int count, int *room, size_t size);
void cc_arena_free(struct cc_arena *a);

/* Room for one more element behind `count` of them. */
#define CC_ROOM(a, p, count, room) ((p) = cc_more(a, p, count, &(room), sizeof *(p)))

#endif
