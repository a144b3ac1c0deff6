/* assembled.h -- a few lines of sasm as a cubin: its words and its text. */
#ifndef ASSEMBLED_H
#define ASSEMBLED_H

#include "asm/cubin/cubin.h"

struct cubin *assembled(const char *text);

uint32_t assembled_word(const struct cubin *c, int kernel, uint32_t addr);

/* The text of the instruction at addr. */
const char *assembled_text(const struct cubin *c, int kernel, uint32_t addr, char *buffer,
                           size_t size);

#define TEXT(c, k, addr) assembled_text(c, k, addr, (char[256]){0}, 256)

/* Assembles to the one instruction `want`. */
void assembled_gives(const char *body, const char *want);

#endif
