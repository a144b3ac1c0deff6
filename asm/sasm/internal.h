/* internal.h -- what the files of libsasm share: lines, names, expressions. */
#ifndef SASM_INT_H
#define SASM_INT_H

#include "sasm.h"

/* Limits that stop a hostile or mistaken program early; far above anything sensible. */
enum {
    SASM_MAX_DEPTH = 64,      /* files and macros inside each other */
    SASM_MAX_LINES = 150000,  /* lines after expansion */
    SASM_MAX_LINE = 16384,    /* bytes of a line after expansion */
    SASM_MAX_BYTES = 1 << 26, /* all lines after expansion */
    SASM_MAX_NESTING = 100,   /* parentheses, names that stand for names */
    SASM_MAX_STEPS = 1000,    /* names looked up through other names in one expression */
};

/* ---- preprocess.c: files, macros, repetitions, conditions; gives plain lines ---- */

struct sasm_line {
    char *text; /* without comments; after substitution */
    int file, number;
    int used_at; /* index + 1 of the line that used the macro which holds this one, 0: none */
};

struct sasm_lines;
/* Asked by .if and .rept: the value of an expression, which must be known by now. */
typedef int (*sasm_value_fn)(void *ctx, const char **s, uint32_t *value, struct isa_text_err *err);

/* `files`, unless NULL, gets the files that are read. */
struct sasm_lines *sasm_lines_open(const char *path, const char *text, struct fl_files *files,
                                   sasm_value_fn value, void *ctx, struct fl_err *err);
/* Index of the next line that is not the reader's own business; -1 at the end, -2 on error. */
int sasm_lines_next(struct sasm_lines *l, struct fl_err *err);
const struct sasm_line *sasm_lines_get(const struct sasm_lines *l, int index);
const char *sasm_lines_file(const struct sasm_lines *l, int file);
/* Fills err with "file:line:column: message", the line and a caret at `at`, which lies in the
 * line's text. */
int sasm_lines_fail(const struct sasm_lines *l, int index, const char *at, struct fl_err *err,
                    const char *fmt, ...) __attribute__((format(printf, 5, 6)));
void sasm_lines_close(struct sasm_lines *l);

/* ---- expr.c ---- */

/* Gives a name's value; -1 with err->msg filled in. */
typedef int (*sasm_name_fn)(void *ctx, const char *name, size_t len, uint32_t *value, bool *known,
                            struct isa_text_err *err);
/* Evaluates the expression at *s with C's operators on 32 bits (/ % < > signed, >> fills with
 * zeros). */
int sasm_expr(const char **s, sasm_name_fn name, void *ctx, uint32_t *value, bool *known,
              struct isa_text_err *err);

const char *sasm_skip(const char *s);
size_t sasm_name_len(const char *s); /* of the name that starts at s, 0 when none does */

#endif
