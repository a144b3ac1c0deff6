/* csv.c -- see csv.h. */
#include "csv.h"

#include <math.h>
#include <string.h>

#include "faultsim/faults/outcome.h"

void csv_text(const char *s, struct fl_buf *out)
{
    if (!strpbrk(s, ",\"\r\n")) {
        fl_buf_printf(out, "%s", s);
        return;
    }
    fl_buf_printf(out, "\"");
    for (; *s; s++)
        fl_buf_printf(out, *s == '"' ? "\"\"" : "%c", *s);
    fl_buf_printf(out, "\"");
}

void csv_cycle(uint64_t cycle, struct fl_buf *out)
{
    fl_buf_printf(out, ",");
    if (cycle != FSIM_NEVER)
        fl_buf_printf(out, "%llu", (unsigned long long)cycle);
}

void csv_number(double v, struct fl_buf *out)
{
    fl_buf_printf(out, ",");
    if (!isnan(v))
        fl_buf_printf(out, "%.9g", v);
}
