/* patterns.h -- input patterns: read from a file, or drawn from a seed. */
#ifndef GATE_PATTERNS_H
#define GATE_PATTERNS_H

#include "netlist.h"

struct gate_patterns {
    uint32_t count, sources;
    uint64_t *word; /* [(count + 63) / 64][sources]: 64 patterns each, the first in bit 0 */
};

/* The same patterns for a seed whatever the width of words; the first ones of many are those of
 * fewer. */
struct gate_patterns gate_patterns_random(uint32_t sources, uint32_t count, uint64_t seed);
/* A pattern a line: a 0 or 1 for each source in the order of the netlist, after `12:` or nothing.
 * `#` and `*` begin a remark. `what` is what a source is: "inputs". */
int gate_patterns_read(const char *path, uint32_t sources, const char *what,
                       struct gate_patterns *out, struct fl_err *err);
/* As a file that can be read so. */
void gate_patterns_print(const struct gate_patterns *p, struct fl_buf *out);
void gate_patterns_free(struct gate_patterns *p);

/* The sources' words of patterns [from, from + 64 * words), as gate_sim_load takes them; behind the
 * last pattern all is 0. `from` is a multiple of 64. */
void gate_patterns_block(const struct gate_patterns *p, uint32_t from, int words, uint64_t *out);

#endif
