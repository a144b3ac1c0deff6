/* caches.h -- what the caches did in the fault-free run, and what part of them is live: struct result_cache. */
#ifndef REPORT_CACHES_H
#define REPORT_CACHES_H

#include "base/xml_out.h"
#include "page.h"

/* The table; nothing without caches. */
void caches_print(const struct result *r, struct fl_buf *out);
/* <cache>, as docs/avf.rng and docs/report.rng have it. */
void caches_xml(xmlTextWriterPtr w, const struct result_job *j);
/* Heading and table. */
void page_caches(struct page *p);

#endif
