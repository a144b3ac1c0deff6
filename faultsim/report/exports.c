/* exports.c -- the table of exports. See exports.h. */
#include "exports.h"

#include "coverage.h"
#include "words.h"

enum report_kind report_kind(const struct avf_report *a)
{
    return result_model(a->result)->permanent ? REPORT_COVERAGE : REPORT_AVF;
}

const struct report_export report_exports[] = {
    {"csv", {{coverage_csv, NULL}, {avf_report_csv, NULL}}},
    {"csv-faults", {{coverage_csv_faults, NULL}, {avf_report_csv_faults, NULL}}},
    {"words", {{words_npy, NULL}, {words_npy, NULL}}},
    {"xml", {{coverage_xml, "report.rng"}, {avf_report_xml, "avf.rng"}}},
    {"html", {{coverage_html, NULL}, {avf_report_html, NULL}}},
    {"table", {{coverage_table, NULL}, {avf_report_table, NULL}}},
};
const int report_export_count = sizeof report_exports / sizeof *report_exports;
