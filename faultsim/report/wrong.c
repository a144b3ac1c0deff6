/* wrong.c -- see wrong.h. */
#include "wrong.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "faultsim/result/csv.h"

static uint64_t count(const struct tally *t, int from, int to)
{
    uint64_t n = 0;
    for (int e = from; e < to; e++)
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

/* Behind "value_", "bits_" or "writers_". */
const char *wrong_title(enum tally_extent e)
{
    return title[e] ? title[e] : strchr(tally_extent_name(e), '_') + 1;
}

/* Rows with an sdc, and columns [from, to) that one of them has. */
static void print(const struct result *r, const char *what, int from, int to, struct fl_buf *out)
{
    struct fl_table t = {0};
    fl_table_title(&t, what);
    fl_table_columns(&t, "*job|*target");
    for (int e = from; e < to; e++)
        fl_table_column(&t, '?', wrong_title((enum tally_extent)e));
    for (int p = 0; p < r->nparts; p++) {
        const struct result_job *j = &r->job[r->part[p].job];
        struct tally all;
        result_tally(j, &r->part[p], -1, &all);
        if (!count(&all, from, to))
            continue;
        fl_table_cell(&t, "%s", j->name);
        fl_table_cell(&t, "%s", r->part[p].target);
        for (int e = from; e < to; e++)
            if (all.extent[e])
                fl_table_cell(&t, "%.2f",
                              100 * (double)all.extent[e] / (double)all.outcome[OUT_SDC]);
            else
                fl_table_cell(&t, "0");
    }
    fl_table_print(&t, out);
}

void wrong_print(const struct result *r, struct fl_buf *out)
{
    print(r,
          "How wrong outputs are (percent of sdc): elements that differ; largest difference, as a "
          "share of the right value",
          0, EXTENT_VALUE, out);
    print(
        r,
        "What most wrong elements of a fault are (percent of sdc): what floats become, or the only "
        "field that differs",
        EXTENT_VALUE, EXTENT_BITS, out);
    print(r, "Bits that differ in most of them (percent of sdc)", EXTENT_BITS, EXTENT_WRITERS, out);
    print(r, "What all of them have in common (percent of sdc): who writes them", EXTENT_WRITERS,
          EXTENT_COUNT, out);
}

static void write(xmlTextWriterPtr w, const char *name, const struct tally *t, int from, int to)
{
    if (!count(t, from, to))
        return;
    xml_out_open(w, name);
    for (int e = from; e < to; e++)
        xml_out_count(w, tally_extent_name((enum tally_extent)e), t->extent[e]);
    xml_out_close(w);
}

void wrong_xml(xmlTextWriterPtr w, const struct tally *t)
{
    write(w, "wrong", t, 0, EXTENT_VALUE);
    write(w, "pattern", t, EXTENT_VALUE, EXTENT_COUNT);
}

/* A difference is told of: some element is not unwritten, and its type is known. */
static bool has_size(const struct store_injection *i)
{
    return i->elements && i->unwritten != i->elements && !isnan(i->by);
}

static void write_share(xmlTextWriterPtr w, const char *name, double v)
{
    if (isinf(v))
        xml_out_text(w, name, "INF"); /* as XML Schema spells it */
    else
        xmlTextWriterWriteFormatAttribute(w, BAD_CAST name, "%.6g", v);
}

static void write_pattern(xmlTextWriterPtr w, const struct anatomy *a)
{
    if (a->writers == WRITERS_UNKNOWN)
        return;
    for (int i = 0; i < ANATOMY_VALUES; i++)
        xml_out_count(w, anatomy_value[i], a->value[i]);
    for (int i = 0; i < ANATOMY_BITS; i++)
        xml_out_count(w, anatomy_bits[i], a->bits[i]);
    xml_out_count(w, "up", a->up);
    xml_out_count(w, "down", a->down);
    if (!isnan(a->median))
        write_share(w, "error_median", a->median);
    xml_out_text(w, "writers", anatomy_writers[a->writers]);
    xml_out_count(w, "period", a->period);
    xmlTextWriterWriteFormatAttribute(w, BAD_CAST "lanes", "%08x", a->lanes);
}

void wrong_attributes(xmlTextWriterPtr w, const struct store_injection *i)
{
    if (i->elements)
        xml_out_count(w, "elements", i->elements);
    if (has_size(i))
        write_share(w, "by", i->by);
    if (i->elements && i->unwritten != STORE_UNKNOWN)
        xml_out_count(w, "unwritten", (uint64_t)i->unwritten);
    write_pattern(w, &i->anatomy);
}

static void csv_pattern(const struct anatomy *a, struct fl_buf *out)
{
    if (a->writers == WRITERS_UNKNOWN) {
        for (const char *c = WRONG_CSV_PATTERN; *c; c++)
            if (*c == ',')
                fl_buf_printf(out, ",");
        return;
    }
    for (int i = 0; i < ANATOMY_VALUES; i++)
        fl_buf_printf(out, ",%u", a->value[i]);
    for (int i = 0; i < ANATOMY_BITS; i++)
        fl_buf_printf(out, ",%u", a->bits[i]);
    fl_buf_printf(out, ",%llu,%llu,", (unsigned long long)a->up, (unsigned long long)a->down);
    if (!isnan(a->median))
        fl_buf_printf(out, "%.6g", a->median);
    fl_buf_printf(out, ",%s,%u,%08x", anatomy_writers[a->writers], a->period, a->lanes);
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
    if (has_size(i))
        fl_buf_printf(out, "%.6g", i->by);
    fl_buf_printf(out, ",");
    if (i->elements && i->unwritten != STORE_UNKNOWN)
        fl_buf_printf(out, "%lld", (long long)i->unwritten);
    csv_pattern(&i->anatomy, out);
    fl_buf_printf(out, "\n");
}
