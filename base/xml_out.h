/* xml_out.h -- XML files as libxml2 writes them, with the few calls that reports need. */
#ifndef FAULTSIM_XML_OUT_H
#define FAULTSIM_XML_OUT_H

#include <libxml/xmlwriter.h>
#include <stdint.h>

#include "fl.h"

struct xml_out {
    xmlBufferPtr buffer;
    xmlTextWriterPtr w;
};

/* Starts a document with its root element; -1: no memory. */
int xml_out_begin(struct xml_out *x, const char *root, struct fl_err *err);
/* Ends all elements and appends the text to `out`. */
void xml_out_end(struct xml_out *x, struct fl_buf *out);

static inline void xml_out_open(xmlTextWriterPtr w, const char *name)
{
    xmlTextWriterStartElement(w, BAD_CAST name);
}

static inline void xml_out_close(xmlTextWriterPtr w)
{
    xmlTextWriterEndElement(w);
}

static inline void xml_out_text(xmlTextWriterPtr w, const char *name, const char *v)
{
    xmlTextWriterWriteAttribute(w, BAD_CAST name, BAD_CAST v);
}

static inline void xml_out_count(xmlTextWriterPtr w, const char *name, uint64_t v)
{
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST name, "%llu", (unsigned long long)v);
}

/* Two decimals: percentages, means. */
static inline void xml_out_hundredths(xmlTextWriterPtr w, const char *name, double v)
{
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST name, "%.2f", v);
}

#endif
