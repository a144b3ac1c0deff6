/* wrong.h -- how wrong the outputs of silent data corruptions are: how many elements differ, and by how much. */
#ifndef REPORT_WRONG_H
#define REPORT_WRONG_H

#include "base/fl.h"
#include "base/xml_out.h"
#include "faultsim/result/result.h"

/* The table, a row for each part. */
void wrong_print(const struct result *r, struct fl_buf *out);
/* <wrong>, as docs/avf.rng has it; nothing without any. */
void wrong_xml(xmlTextWriterPtr w, const struct tally *t);
/* elements= and by= of a fault; nothing where nothing differs. */
void wrong_attributes(xmlTextWriterPtr w, uint32_t elements, double by);
/* The last two columns of a line for each fault, the comma before them too; empty where nothing differs. */
void wrong_csv(uint32_t elements, double by, struct fl_buf *out);
#define WRONG_CSV ",elements,by"

#endif
