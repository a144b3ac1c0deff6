/* csv.h -- one field of a line of CSV. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include "base/fl.h"

/* Quoted as in RFC 4180 where it must be. */
void report_csv_text(const char *s, struct fl_buf *out);
/* A comma, and the cycle; nothing behind it for one that does not come. */
void report_csv_cycle(uint64_t cycle, struct fl_buf *out);

#endif
