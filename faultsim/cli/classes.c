/* classes.c -- faultsim gate --classes and --predict: which class of error a fault of the control is, and what errors of a
 * class come to when they are injected at the level of instructions. */
#include "commands.h"

#include <stdlib.h>

#include "base/interrupt.h"
#include "base/table.h"
#include "faultsim/control/classes.h"

/* The list into its file, and the table. */
static int write_both(struct cli_request *r, const char *path, struct fl_buf *csv,
                      struct fl_table *table, int status, struct fl_err *err)
{
    struct fl_buf text = {0};
    fl_table_print(table, &text);
    if (status == CLI_DONE && cli_write(path, csv, err) != 0)
        status = CLI_PROBLEM;
    if (status == CLI_DONE)
        cli_print(r, &text);
    fl_buf_free(csv);
    fl_buf_free(&text);
    return status;
}

static int classes_of_job(struct cli_request *r, const struct job *job, const struct unit *unit,
                          int units, struct interrupt *i, struct fl_buf *csv,
                          struct fl_table *table, struct fl_err *err)
{
    struct job_context ctx;
    int bad = context_open(&ctx, job, &context_all_cycles, r->max_cycles, err);
    if (bad)
        return bad;
    for (int k = 0; k < units && !bad; k++) {
        uint64_t count[CONTROL_CLASS_COUNT] = {0};
        bad = control_classes(&ctx, r->on, &unit[k], r->sample, r->seed.number, &i->signal, csv,
                              count, err);
        for (int c = 0; c < CONTROL_CLASS_COUNT; c++) {
            fl_table_cell(table, "%s", job->name);
            fl_table_cell(table, "%s", unit[k].name);
            fl_table_cell(table, "%s", control_class_name((enum control_class)c));
            fl_table_cell(table, "%llu", (unsigned long long)count[c]);
            fl_table_cell(table, "%s", count[c] ? control_class_text((enum control_class)c) : "");
        }
    }
    context_close(&ctx);
    return bad;
}

int cli_classes(struct cli_request *r, const struct cli_jobs *jobs, const struct unit *unit,
                int units, struct fl_err *err)
{
    struct interrupt interrupt = {0};
    struct fl_buf csv = {0};
    struct fl_table table = {0};
    int bad = 0;
    fl_buf_printf(&csv, "%s", control_classes_head);
    fl_table_columns(&table, "*job|*unit|*class|?faults|<meaning");
    interrupt_start(&interrupt);
    for (int j = 0; j < jobs->count && !bad; j++)
        bad = classes_of_job(r, jobs->job[j], unit, units, &interrupt, &csv, &table, err);
    int status = cli_campaign_status(r, bad < 0, interrupt_end(&interrupt));
    return write_both(r, r->classes, &csv, &table, status, err);
}

static int predict_job(struct cli_request *r, const struct job *job, struct interrupt *i,
                       struct fl_buf *csv, struct fl_table *table, struct fl_err *err)
{
    uint64_t count[CONTROL_CLASS_COUNT][OUT_COUNT] = {0};
    struct job_context ctx;
    int bad = context_open(&ctx, job, &context_all_cycles, r->max_cycles, err);
    if (bad)
        return bad;
    bad = control_predict(&ctx, r->sample ? r->sample : UINT64_MAX, r->seed.number, &i->signal, csv,
                          count, err);
    for (int c = 0; c < CONTROL_CLASS_COUNT; c++) {
        uint64_t errors = 0;
        for (int o = 0; o < OUT_COUNT; o++)
            errors += count[c][o];
        if (!errors)
            continue;
        fl_table_cell(table, "%s", job->name);
        fl_table_cell(table, "%s", control_class_name((enum control_class)c));
        fl_table_cell(table, "%llu", (unsigned long long)errors);
        for (int o = 0; o < OUT_COUNT; o++)
            if (count[c][o])
                fl_table_cell(table, "%.2f", 100 * (double)count[c][o] / (double)errors);
            else
                fl_table_cell(table, "0");
    }
    context_close(&ctx);
    return bad;
}

int cli_predict(struct cli_request *r, struct fl_err *err)
{
    struct interrupt interrupt = {0};
    struct fl_buf csv = {0};
    struct fl_table table = {0};
    struct cli_jobs jobs = {0};
    int bad = cli_jobs_load(r, &jobs, err) == 0 && cli_check_files(r, &jobs, err) == 0 ? 0 : -1;
    fl_buf_printf(&csv, "%s", control_predict_head);
    fl_table_title(&table, "Outcomes of the errors (percent):");
    fl_table_columns(&table, "*job|*class|errors");
    for (int o = 0; o < OUT_COUNT; o++)
        fl_table_column(&table, '?', fsim_outcome_name((enum fsim_outcome)o));
    interrupt_start(&interrupt);
    for (int j = 0; j < jobs.count && !bad; j++)
        bad = predict_job(r, jobs.job[j], &interrupt, &csv, &table, err);
    int status = cli_campaign_status(r, bad < 0, interrupt_end(&interrupt));
    status = write_both(r, r->predict, &csv, &table, status, err);
    cli_jobs_free(&jobs);
    return status;
}
