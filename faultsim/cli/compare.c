/* compare.c -- faultsim compare: two campaigns side by side. */
#include "commands.h"

#include <stdlib.h>

#include "faultsim/compare/compare.h"
#include "faultsim/result/made.h"

static int write_all(const struct cli_request *r, const struct compare *c,
                     const struct page_files *files, struct fl_err *err)
{
    struct fl_buf table = {0}, csv = {0}, html = {0};
    int bad = 0;
    if (r->html || r->plots)
        bad = compare_html(c, &html, err);
    if (!bad && r->html)
        bad = cli_write(r->html, &html, err);
    if (!bad && r->plots)
        bad = cli_plots_write(r, files, err);
    if (!bad && r->csv) {
        compare_csv(c, &csv);
        bad = cli_write(r->csv, &csv, err);
    }
    if (!bad && !r->quiet) {
        compare_table(c, &table);
        cli_print(r, &table);
    }
    fl_buf_free(&html);
    return bad ? CLI_PROBLEM : CLI_DONE;
}

int cli_compare(struct cli_request *r, struct fl_err *err)
{
    const struct cli_jobs none = {0};
    struct store *store[COMPARE_SIDES] = {NULL};
    char *made[COMPARE_SIDES] = {NULL};
    struct avf_report side[COMPARE_SIDES];
    struct page_files files = {0};
    struct compare c;
    if (r->nfiles != COMPARE_SIDES)
        return cli_wrong(r, err, "compare takes A.db and B.db");
    int status = CLI_DONE;
    if (cli_check_files(r, &none, err) != 0)
        return CLI_PROBLEM;
    for (int s = 0; s < COMPARE_SIDES && status == CLI_DONE; s++) {
        if (cli_open_whole(r->file[s], &store[s], err) != 0)
            status = CLI_PROBLEM;
        else {
            char *line = store_made(store[s]);
            made[s] = made_exported(line, usage_program());
            free(line);
            side[s] = (struct avf_report){.result = store_result(store[s]),
                                          .made = made[s],
                                          .store = store[s],
                                          .files = r->plots ? &files : NULL};
        }
    }
    if (status == CLI_DONE && compare_open(&side[0], &side[1], r->file, &c, err) != 0)
        status = CLI_PROBLEM;
    else if (status == CLI_DONE) {
        status = write_all(r, &c, &files, err);
        compare_close(&c);
    }
    page_files_free(&files);
    for (int s = 0; s < COMPARE_SIDES; s++) {
        struct fl_err ignored;
        free(made[s]);
        if (store[s])
            store_close(store[s], &ignored);
    }
    return status;
}
