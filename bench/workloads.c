/* workloads.c -- makes the jobs of the workloads, and the table of what they are like.
 *
 *     workloads jobs FOLDER      NAME.job.xml and NAME-paper.job.xml of every workload, beside the cubins
 *     workloads table FOLDER     runs them all; the tables of bench/README.md
 */
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "run.h"

static int write_jobs(const char *folder, struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; !bad && i < 2 * workload_count; i++) {
        const struct workload *w = &workload_list[i / 2];
        struct host *h = host_new(w, i % 2);
        struct fl_buf job = {0};
        char *cubin = fl_format("%s.cubin", w->name);
        char *path = fl_format("%s/%s%s.job.xml", folder, w->name, i % 2 ? "-paper" : "");
        host_job(h, cubin, &job);
        bad = fl_write_file(path, job.data, job.size, err);
        fl_buf_free(&job);
        free(path);
        free(cubin);
        host_free(h);
    }
    return bad;
}

/* Small sizes, then those of the papers. */
static int write_table(const char *folder, struct fl_err *err)
{
    struct fl_buf out = {0};
    int bad = 0;
    for (int size = 0; size < 2; size++) {
        fl_buf_printf(&out,
                      "%s| %s | launches | threads | instructions | cycles | entries | registers | "
                      "shared | occupancy |\n|---|---|---|---|---|---|---|---|---|\n",
                      size ? "\n" : "", size ? "paper" : "small");
        for (int i = 0; !bad && i < workload_count; i++)
            bad = bench_run_row(folder, workload_list[i].name, size, &out, err);
    }
    if (!bad)
        fwrite(out.data, 1, out.size, stdout);
    fl_buf_free(&out);
    return bad;
}

int main(int argc, char **argv)
{
    struct fl_err err;
    fl_start("workloads");
    bool jobs = argc == 3 && strcmp(argv[1], "jobs") == 0;
    if (!jobs && (argc != 3 || strcmp(argv[1], "table") != 0))
        return fl_end(fl_complain(2,
                                  "workloads jobs FOLDER writes jobs, workloads table FOLDER the "
                                  "tables of bench/README.md"));
    if (jobs ? write_jobs(argv[2], &err) : write_table(argv[2], &err))
        return fl_end(fl_complain(1, "%s", err.msg));
    return fl_end(0);
}
