/* wrong.c -- see wrong.h. */
#include "wrong.h"

#include <math.h>

#include "faultsim/result/csv.h"

static uint64_t wrong_of(const struct tally *t)
{
    uint64_t n = 0;
    for (int e = 0; e < EXTENT_BY_1E_4; e++)
        n += t->extent[e];
    return n;
}

/* A row of a table of its own, with the head unless that is there; nothing without an sdc. */
static void add_row(const char *job, const char *target, const struct tally *t, bool *head,
                    struct fl_buf *out)
{
    uint64_t n = wrong_of(t);
    if (!n)
        return;
    if (!*head)
        fl_buf_printf(out,
                      "\nHow wrong outputs are (percent of sdc): elements that differ; largest "
                      "difference, as a share of the right value\n%-24s %-12s %9s %9s %9s %9s "
                      "%9s %9s %9s %9s %9s %9s\n",
                      "job", "target", "1", "2-10", "11-100", "more", "to 0.0001", "to 0.01",
                      "to 1", "more", "no type", "unwritten");
    *head = true;
    fl_buf_printf(out, "%-24s %-12s", job, target);
    for (int e = 0; e < EXTENT_COUNT; e++)
        fl_buf_printf(out, " %9.2f", 100 * (double)t->extent[e] / (double)n);
    fl_buf_printf(out, "\n");
}

void wrong_print(const struct result *r, struct fl_buf *out)
{
    bool head = false;
    for (int p = 0; p < r->nparts; p++) {
        const struct result_job *j = &r->job[r->part[p].job];
        struct tally t;
        result_tally(j, &r->part[p], -1, &t);
        add_row(j->name, r->part[p].target, &t, &head, out);
    }
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
    fl_buf_printf(out, "%s,%s%s%s", i->id, fsim_outcome_name(i->outcome), class ? "," : "",
                  class ? class : "");
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
