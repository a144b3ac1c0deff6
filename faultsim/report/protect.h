/* protect.h -- --protect: what a code in the words of a memory would make of the flips that a campaign has classified, and
 * what it costs (docs/explain/avf.md, "Protected memories").
 *
 * Each flip that is read meets the code of its word: parity detects an odd number of wrong bits, SECDED corrects one and
 * detects two; otherwise the outcome stands. So exact campaigns stay exact: their flips are of one bit, and they count those
 * that are read.
 */
#ifndef REPORT_PROTECT_H
#define REPORT_PROTECT_H

#include "avf.h"
#include "base/xml_out.h"
#include "page.h"

enum protect_code { PROTECT_NOTHING, PROTECT_PARITY, PROTECT_SECDED };
enum { PROTECT_MEMORIES = 4 };
extern const char *const protect_memory[PROTECT_MEMORIES]; /* of words of 32 bits: "rf" ... */

struct protect { /* nothing in any: none is asked for */
    enum protect_code code[PROTECT_MEMORIES];
};
/* "rf=secded,shared=parity"; -1: it is no such text. */
int protect_parse(const char *text, struct protect *out);
bool protect_any(const struct protect *p);
/* -1: of such a campaign it cannot be told. */
int protect_check(const struct avf_report *a, struct fl_err *err);

/* A table, a row for each part with protected flips. */
int protect_print(const struct avf_report *a, struct fl_buf *out, struct fl_err *err);
/* Columns at the end of a line of --csv: their names, without a row; of a row that is not all of its part, nothing. Nothing at all
 * where it is not asked for. */
int protect_csv(const struct avf_report *a, int part, const struct tally_row *row,
                struct fl_buf *out, struct fl_err *err);
/* The table of a page. */
void protect_page(struct page *p);
/* <protected> of a part, as docs/avf.rng has it; nothing without such flips. */
int protect_xml(xmlTextWriterPtr w, const struct avf_report *a, int part, struct fl_err *err);

#endif
