/* words.h -- wrong elements of outputs, as --words has them: rows of a structured array of NumPy, and the file around them
 * (docs/reference/words.md).
 *
 *     header, a multiple of 64 bytes    the type of a row, how many, the bytes of the provenance
 *     rows                              WORDS_ROW bytes each
 *     provenance                        the lines that begin with "# " of every CSV
 */
#ifndef RESULT_WORDS_H
#define RESULT_WORDS_H

#include "base/fl.h"

enum {
    WORDS_FORMAT = 1,
    WORDS_ROW = 30,
    WORDS_FAULT = 4, /* bytes of the first member: stores keep rows without it */
    WORDS_KEPT = WORDS_ROW - WORDS_FAULT
};
enum { WORDS_MOST = (1 << 30) / WORDS_ROW /* rows of a file */ };

struct words_row { /* an element that differs, and who wrote it in the fault-free run */
    uint16_t output;
    uint32_t index, right, wrong;
    uint16_t launch; /* 65535, and all ones in what follows: no instruction */
    uint32_t block;
    uint8_t warp, lane;
    uint32_t pc;
};

/* WORDS_KEPT bytes. */
void words_put(const struct words_row *r, uint8_t out[WORDS_KEPT]);
/* Begins a file of so many rows, with so many bytes of provenance. */
void words_head(uint64_t rows, size_t provenance, struct fl_buf *out);
/* There are more than WORDS_MOST. */
int words_too_many(struct fl_err *err);

#endif
