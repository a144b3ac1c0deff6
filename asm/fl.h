/* fl.h -- what every tool of Faultline needs: error messages, whole files in and out, growing buffers.
 *
 * Rules of use: a function that can fail takes a `struct fl_err *` last and returns -1 (or NULL) with the message
 * filled in; it never prints and never exits. Only a main() prints the message. The message is a whole sentence that
 * says what to do, without a trailing newline, and starts with the file it is about where there is one.
 */
#ifndef FL_H
#define FL_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

struct fl_err {
    char msg[1024]; /* may hold several lines (message, source line, caret) */
};

/* Fills in the message, returns -1, so that `return fl_fail(err, ...)` reads well. err may be NULL. */
int fl_fail(struct fl_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A growing byte buffer. Zero-initialise it; free with fl_buf_free. Memory exhaustion aborts the process. */
struct fl_buf {
    uint8_t *data;
    size_t size; /* bytes in use */
    size_t room; /* bytes allocated */
};
void fl_buf_add(struct fl_buf *b, const void *bytes, size_t n);
void fl_buf_printf(struct fl_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void fl_buf_free(struct fl_buf *b);

/* malloc/realloc/strdup that never return NULL: exhaustion of a few megabytes is not an event a user can act on. */
void *fl_alloc(size_t n);                       /* zeroed; n may be 0 */
void *fl_grow(void *p, size_t count, size_t n); /* like reallocarray */
char *fl_strdup(const char *s);
char *fl_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Reads a whole regular file (at most 1 GiB), or /dev/stdin; other pipes and devices are refused. The buffer gets a zero
 * byte behind its end that size does not count. */
int fl_read_file(const char *path, struct fl_buf *out, struct fl_err *err);

/* Writes a whole file under a temporary name beside `path` and renames it: readers see the old file or the new one,
 * never a part. On any error (full disk included) the temporary file is removed and `path` stays as it was. */
int fl_write_file(const char *path, const void *data, size_t size, struct fl_err *err);

/* Could fl_write_file write there now? For asking before the work, not after it. */
int fl_can_write(const char *path, struct fl_err *err);

/* dir(a) + "/" + b unless b is absolute: how a file named inside another file is found. Caller frees. */
char *fl_path_beside(const char *a, const char *b);

#endif
