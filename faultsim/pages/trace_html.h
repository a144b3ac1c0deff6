/* trace_html.h -- the trace of one fault as a page: both machines beside each other. */
#ifndef PAGES_TRACE_HTML_H
#define PAGES_TRACE_HTML_H

#include "faultsim/faults/trace.h"
#include "sm/image.h"

/* `made`: the line of what made it, as exports have it. */
void trace_html(const struct fault_trace *t, const struct sm_image *img, const char *made,
                struct fl_buf *out);

#endif
