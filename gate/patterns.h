/* patterns.h -- input patterns: read from a file, or drawn from a seed. */
#ifndef GATE_PATTERNS_H
#define GATE_PATTERNS_H

#include "netlist.h"

/* Arrays of a number for each 64 patterns, the first in bit 0: [(count + 63) / 64][...]. */
struct gate_patterns {
    uint32_t count, sources;
    uint64_t *word; /* [][sources] */
    /* Only a file with strobes or a clock has these. */
    uint32_t watched; /* outputs; of patterns that set flip-flops, their pins too, as in sim.h */
    uint64_t *strobe; /* [][watched] what is observed; NULL: all, in every pattern */
    uint64_t *expect; /* [][watched] the value that the file says is there, where it is observed */
    uint64_t *hold;   /* [] no clock edge follows: flip-flops keep their values; NULL: always one */
    uint32_t *line;   /* [count] where the file has it */
};

/* The same patterns for a seed whatever the width of words; the first ones of many are those of
 * fewer. */
struct gate_patterns gate_patterns_random(uint32_t sources, uint32_t count, uint64_t seed);
/* A pattern a line: a 0 or 1 for each source in the order of the netlist, after `12:` or nothing.
 * `#` and `*` begin a remark. `what` is what a source is: "inputs". */
int gate_patterns_read(const char *path, uint32_t sources, const char *what,
                       struct gate_patterns *out, struct fl_err *err);
/* The same of a text in memory. */
int gate_patterns_text(const char *path, const char *text, uint32_t sources, const char *what,
                       struct gate_patterns *out, struct fl_err *err);
/* As a file that can be read so. */
void gate_patterns_print(const struct gate_patterns *p, struct fl_buf *out);
void gate_patterns_free(struct gate_patterns *p);

/* The sources' words of patterns [from, from + 64 * words), as gate_sim_load takes them; behind the
 * last pattern all is 0. `from` is a multiple of 64. */
void gate_patterns_block(const struct gate_patterns *p, uint32_t from, int words, uint64_t *out);
/* The same of the strobes, as gate_sim_strobe takes them; not for patterns without. */
void gate_patterns_strobes(const struct gate_patterns *p, uint32_t from, int words, uint64_t *out);
/* Does a pattern observe something watched? */
static inline bool gate_patterns_observe(const struct gate_patterns *p, uint32_t pattern,
                                         uint32_t watched)
{
    return !p->strobe ||
           p->strobe[(size_t)(pattern / 64) * p->watched + watched] >> pattern % 64 & 1;
}
static inline bool gate_patterns_hold(const struct gate_patterns *p, uint32_t pattern)
{
    return p->hold && p->hold[pattern / 64] >> pattern % 64 & 1;
}

#endif
