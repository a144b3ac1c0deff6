/* internal.h -- what the readers of cubin files share. */
#ifndef CUBIN_INT_H
#define CUBIN_INT_H

#include "cubin.h"

enum {
    CUBIN_MAX_BYTES = 1 << 16,     /* of a constant bank, shared or local memory */
    CUBIN_MAX_GLOBAL = 1 << 30,    /* of all __device__ variables together: what a job may have */
    CUBIN_MAX_VARIABLES = 1 << 10, /* more than a job takes */
    CUBIN_MAX_SOURCES = 1 << 10
};

/* The old text form; `text` ends with a zero byte. Adds to an empty cubin. */
int cubin_read_text(const char *path, const char *text, struct cubin *cubin, struct fl_err *err);

/* texture.c; -1: the text is damaged */
int cubin_read_textures(struct cubin *cubin, const char *text, size_t size);
void cubin_write_textures(const struct cubin *cubin, struct fl_buf *out);

/* source.c; -1: the text is damaged */
int cubin_read_lines(struct cubin *cubin, struct cubin_kernel *kernel, const char *text,
                     size_t size);
bool cubin_source_has_lines(const struct cubin *cubin, int source);
void cubin_write_lines(const struct cubin *cubin, const struct cubin_kernel *kernel,
                       struct fl_buf *out);
void cubin_free_sources(struct cubin *cubin);

#endif
