/* wrong.c -- see wrong.h. */
#include "wrong.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "faultsim/result/csv.h"

static uint64_t wrong_of(const struct tally *t)
{
    uint64_t n = 0;
    for (int e = 0; e < EXTENT_BY_1E_4; e++)
        n += t->extent[e];
    return n;
}

/* ---- for people ------------------------------------------------------------------------------ */

static const char *const title[EXTENT_COUNT] = {[EXTENT_1] = "1",
                                                [EXTENT_TO_10] = "2-10",
                                                [EXTENT_TO_100] = "11-100",
                                                [EXTENT_ABOVE_100] = ">100",
                                                [EXTENT_BY_1E_4] = "to 0.0001",
                                                [EXTENT_BY_1E_2] = "to 0.01",
                                                [EXTENT_BY_1] = "to 1",
                                                [EXTENT_BY_MORE] = "above 1",
                                                [EXTENT_BY_UNKNOWN] = "no type",
                                                [EXTENT_UNWRITTEN] = "unwritten"};

/* Rows with an sdc, and columns that one of them has. */
void wrong_print(const struct result *r, struct fl_buf *out)
{
    struct fl_table t = {0};
    fl_table_title(&t, "How wrong outputs are (percent of sdc): elements that differ; largest "
                       "difference, as a share of the right value");
    fl_table_columns(&t, "*job|*target");
    for (int e = 0; e < EXTENT_COUNT; e++)
        fl_table_column(&t, '?', title[e]);
    for (int p = 0; p < r->nparts; p++) {
        const struct result_job *j = &r->job[r->part[p].job];
        struct tally all;
        result_tally(j, &r->part[p], -1, &all);
        if (!wrong_of(&all))
            continue;
        fl_table_cell(&t, "%s", j->name);
        fl_table_cell(&t, "%s", r->part[p].target);
        for (int e = 0; e < EXTENT_COUNT; e++)
            if (all.extent[e])
                fl_table_cell(&t, "%.2f",
                              100 * (double)all.extent[e] / (double)all.outcome[OUT_SDC]);
            else
                fl_table_cell(&t, "0");
    }
    fl_table_print(&t, out);
}

void wrong_xml(xmlTextWriterPtr w, const struct tally *t)
{
    if (!wrong_of(t))
        return;
    xml_out_open(w, "wrong");
    for (int e = 0; e < EXTENT_COUNT; e++)
        xml_out_count(w, tally_extent_name((enum tally_extent)e), t->extent[e]);
    xml_out_close(w);
}

/* A difference is told of: some element is not unwritten, and its type is known. */
static bool tells_by(const struct store_injection *i)
{
    return i->elements && i->unwritten != i->elements && !isnan(i->by);
}

void wrong_attributes(xmlTextWriterPtr w, const struct store_injection *i)
{
    if (i->elements)
        xml_out_count(w, "elements", i->elements);
    if (tells_by(i) && isinf(i->by))
        xml_out_text(w, "by", "INF"); /* as XML Schema spells it */
    else if (tells_by(i))
        xmlTextWriterWriteFormatAttribute(w, BAD_CAST "by", "%.6g", i->by);
    if (i->elements && i->unwritten != STORE_UNKNOWN)
        xml_out_count(w, "unwritten", (uint64_t)i->unwritten);
}

void wrong_csv(const struct store_injection *i, const char *class, struct fl_buf *out)
{
    const bool none = fsim_outcome_none(i->outcome);
    fl_buf_printf(out, "%s,%s%s%s", i->id, none ? "" : fsim_outcome_name(i->outcome),
                  class ? "," : "", class ? class : "");
    csv_cycle(i->first_activation, out);
    csv_cycle(i->end, out);
    fl_buf_printf(out, ",%s,", i->reason);
    if (i->elements)
        fl_buf_printf(out, "%u", i->elements);
    fl_buf_printf(out, ",");
    if (tells_by(i))
        fl_buf_printf(out, "%.6g", i->by);
    fl_buf_printf(out, ",");
    if (i->elements && i->unwritten != STORE_UNKNOWN)
        fl_buf_printf(out, "%lld", (long long)i->unwritten);
    fl_buf_printf(out, "\n");
}
