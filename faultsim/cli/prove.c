/* prove.c -- faultsim prove: why faults cannot be detected, and what jobs leave undetected beside
 * them. */
#include "commands.h"

#include <string.h>

#include "base/nearest.h"
#include "faultsim/permanent/leftover.h"

/* "CAL,PBK" as a set; false with the first word that is no operation. */
static bool read_operations(const char *text, struct prove_without *out, char word[32])
{
    while (*text) {
        size_t n = strcspn(text, ",");
        int op = 0;
        snprintf(word, 32, "%.*s", (int)(n < 31 ? n : 31), text);
        while (op < OP_COUNT && strcmp(isa_op_name((enum isa_op)op), word) != 0)
            op++;
        if (op == OP_COUNT)
            return false;
        out->op[op] = true;
        text += n + (text[n] == ',');
    }
    return true;
}

/* What the jobs leave undetected, and why. */
static int prove_for_jobs(struct cli_request *r, const struct cli_jobs *jobs,
                          const struct prove_writers *writers, struct fl_buf *out,
                          struct fl_err *err)
{
    struct cli_campaigns c;
    int bad = cli_run_campaigns(r, jobs, &c, err) != CLI_DONE;
    if (!bad)
        prove_print(c.of, c.count, writers, out);
    if (!bad && r->csv_faults) {
        struct fl_buf b = {0};
        prove_csv(c.of, c.count, writers, &b);
        bad = cli_write(r->csv_faults, &b, err);
    }
    return cli_campaigns_end(&c, bad ? CLI_PROBLEM : CLI_DONE, err) != CLI_DONE;
}

static const int provable[] = {SM_S_dstack, SM_S_pc, SM_S_dsp, SM_S_barrier, SM_S_sched, SM_S_ir};

int cli_prove(struct cli_request *r, struct fl_err *err)
{
    struct profile p;
    struct fl_buf out = {0};
    struct prove_without without = {0};
    struct prove_writers writers;
    struct cli_jobs jobs;
    char word[32];
    int status = cli_find_engine(r, err);
    if (status != CLI_DONE)
        return status;
    int cells = -1;
    struct fl_nearest meant = {.typed = cli_target(r)};
    for (size_t i = 0; i < sizeof provable / sizeof *provable; i++) {
        const char *text, *name = sm_structure_name(provable[i], &text);
        fl_nearest_try(&meant, name, text);
        if (strcmp(meant.typed, name) == 0)
            cells = provable[i];
    }
    if (cells < 0)
        return cli_wrong(r, err,
                         "prove: there is no proof for target '%s'%s; there is one for dstack, "
                         "pc, dsp, barrier, sched and ir",
                         r->target, meant.hint);
    if (r->without && cells != SM_S_dstack)
        return cli_wrong(r, err, "prove --without is for --target dstack");
    if (r->without && !read_operations(r->without, &without, word))
        return cli_wrong(
            r, err, "prove --without: no operation '%s'; docs/reference/isa.md lists them", word);
    if (r->csv_faults && !r->nfiles)
        return cli_wrong(r, err,
                         "prove --csv-faults names the faults that jobs leave; give a JOB.xml");
    int bad = cli_jobs_load(r, &jobs, err) != 0 || cli_check_files(r, &jobs, err) != 0;
    if (!bad && jobs.count)
        p = jobs.job[0]->profile;
    else if (!bad)
        bad = profile_load(r->machine.profile ? r->machine.profile : "flexgripplus", &p, err);
    struct prove_writers *seen = r->without ? &writers : NULL;
    bad = bad ||
          (cells == SM_S_dstack ? prove_stack(&p, r->without ? &without : NULL, seen, &out, err)
                                : prove_cells(&p, cells, &out, err)) < 0 ||
          (jobs.count && prove_for_jobs(r, &jobs, seen, &out, err) != 0);
    if (!bad)
        cli_print(r, &out);
    fl_buf_free(&out);
    cli_jobs_free(&jobs);
    return bad ? CLI_PROBLEM : CLI_DONE;
}
