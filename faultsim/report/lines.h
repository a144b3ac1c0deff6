/* lines.h -- failures by the line of the source, for programs whose cubin says which instruction was made of which line. */
#ifndef REPORT_LINES_H
#define REPORT_LINES_H

#include "base/fl.h"
#include "faultsim/result/result.h"

struct line_row {
    const char *text; /* "vadd.cl:6: c[i] = a[i] + b[i];" */
    int kernel, number;
    uint64_t failed;
    uint64_t outcome[OUT_COUNT];
};

/* Text: what each line of the source adds, in percent of all that was counted; `what` says of what. Of faults that
 * were `drawn` with Wilson's interval. Nothing without lines. */
void lines_print(const struct result_job *j, const struct result_part *p, bool drawn,
                 const char *what, struct fl_buf *out);

#endif
