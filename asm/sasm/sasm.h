/* sasm.h -- libsasm: assembles the sasm dialect into cubins. The dialect is described in README.md.
 *
 * Any input is safe: what cannot be assembled gives errors, each with file:line:column, the line
 * and a caret.
 */
#ifndef SASM_H
#define SASM_H

#include "asm/cubin/cubin.h"
#include "base/fl.h"
#include "asm/isa/encode.h"

/* The mistakes of a program, in the order of its lines. One with the same message at the same place
 * (a macro used twice) is there once. */
enum { SASM_MAX_ERRORS = 20 };
struct sasm_errors {
    char *text[SASM_MAX_ERRORS];
    int count;
    bool more; /* there may be more than fit here */
};
void sasm_errors_free(struct sasm_errors *errors);

/* Assembles `text`, or the file at `path` when text is NULL; path also names the text in
 * messages and is where .include looks. The caller frees *out. `err` gets the first mistake. */
int sasm_assemble(const char *path, const char *text, struct cubin **out, struct fl_err *err);

/* The same with names defined beforehand: "NAME=VALUE", VALUE an expression; they win over .equ
 * of the same name. `files`, unless NULL, gets the files that were read. The caller frees
 * *errors. */
int sasm_assemble_with(const char *path, const char *text, const char *const *define, int ndefines,
                       struct fl_files *files, struct cubin **out, struct sasm_errors *errors);

/* One instruction without names, numbers only: what sasm --words reads. */
int sasm_words(const char *text, struct isa_words *out, struct isa_text_err *err);

#endif
