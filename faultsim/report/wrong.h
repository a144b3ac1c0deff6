/* wrong.h -- how wrong the outputs of silent data corruptions are: how many elements differ, by how much, and what they look
 * like. */
#ifndef REPORT_WRONG_H
#define REPORT_WRONG_H

#include "base/fl.h"
#include "base/xml_out.h"
#include "faultsim/store/store.h"

/* The tables, a row for each part. */
void wrong_print(const struct result *r, struct fl_buf *out);
/* A column of them: "2-10", "nan". */
const char *wrong_title(enum tally_extent e);
/* <wrong> and <pattern>, as docs/avf.rng has it; nothing without any. */
void wrong_xml(xmlTextWriterPtr w, const struct tally *t);
/* elements=, by=, unwritten= and the pattern of a fault; nothing where nothing differs. */
void wrong_attributes(xmlTextWriterPtr w, const struct store_injection *i);
/* A fault in a list as CSV: its id and how it ended, to the end of the line; `class`, unless NULL, stands
 * behind the outcome. */
void wrong_csv(const struct store_injection *i, const char *class, struct fl_buf *out);
#define WRONG_CSV(class)                                                                           \
    "id,outcome," class "first_activation_cycle,end_cycle,reason,elements,by,"                     \
                        "unwritten" WRONG_CSV_PATTERN "\n"
#define WRONG_CSV_PATTERN                                                                          \
    ",nan,inf,zero,sign,exponent,mantissa,fields,other,bits_1,bits_2_4,bits_5_8,bits_more,up,"     \
    "down,error_median,writers,period,lanes"

#endif
