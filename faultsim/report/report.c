/* report.c -- the table of exports. See report.h. */
#include "report.h"

#include "coverage.h"

enum report_kind report_kind(const struct avf_report *a)
{
    return coverage_is(result_model(a->result)) ? REPORT_COVERAGE : REPORT_AVF;
}

static int avf_table(const struct avf_report *a, struct report_text *to, struct fl_err *err)
{
    (void)err;
    avf_report_table(a, &to->out);
    return 0;
}

static int avf_csv(const struct avf_report *a, struct report_text *to, struct fl_err *err)
{
    (void)err;
    avf_report_csv(a, &to->out);
    return 0;
}

static int avf_csv_faults(const struct avf_report *a, struct report_text *to, struct fl_err *err)
{
    return avf_report_csv_faults(a, &to->out, err);
}

static int avf_xml(const struct avf_report *a, struct report_text *to, struct fl_err *err)
{
    return avf_report_xml(a, &to->out, err);
}

static int avf_page(const struct avf_report *a, struct report_text *to, struct fl_err *err)
{
    return avf_report_html(a, &to->out, to->files, err);
}

static int all_csv(const struct avf_report *a, struct report_text *to, struct fl_err *err)
{
    return coverage_csv(a, &to->out, err);
}

static int all_csv_faults(const struct avf_report *a, struct report_text *to, struct fl_err *err)
{
    return coverage_csv_faults(a, &to->out, err);
}

static int all_table(const struct avf_report *a, struct report_text *to, struct fl_err *err)
{
    return coverage_table(a, &to->out, err);
}

static int all_xml(const struct avf_report *a, struct report_text *to, struct fl_err *err)
{
    return coverage_xml(a, &to->out, err);
}

static int all_page(const struct avf_report *a, struct report_text *to, struct fl_err *err)
{
    return coverage_html(a, &to->out, to->files, err);
}

const struct report_export report_exports[] = {
    {"csv", {{all_csv, NULL}, {avf_csv, NULL}}},
    {"csv-faults", {{all_csv_faults, NULL}, {avf_csv_faults, NULL}}},
    {"xml", {{all_xml, "report.rng"}, {avf_xml, "avf.rng"}}},
    {"html", {{all_page, NULL}, {avf_page, NULL}}},
    {"table", {{all_table, NULL}, {avf_table, NULL}}},
};
const int report_export_count = sizeof report_exports / sizeof *report_exports;
