/* csv.h -- one field of a line of CSV. */
#ifndef RESULT_CSV_H
#define RESULT_CSV_H

#include "base/fl.h"

/* Quoted as in RFC 4180 where it must be. */
void csv_text(const char *s, struct fl_buf *out);
/* A comma, and the cycle; nothing behind it for one that does not come. */
void csv_cycle(uint64_t cycle, struct fl_buf *out);

/* A comma, and the figure; nothing behind it for one that is not known. */
void csv_number(double v, struct fl_buf *out);

#endif
