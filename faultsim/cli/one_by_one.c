/* one_by_one.c -- faults that are named one by one: the trace of one; of transient and intermittent ones
 * the list of a file, the ids of a sample. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "faultsim/pages/trace_html.h"
#include "faultsim/result/made.h"

/* The last one that an id names. */
static uint64_t last_cycle(const struct fsim_fault *u)
{
    return u->to == FSIM_NO_END ? u->from : u->to;
}

/* The engine has all its cells. */
static int check_engine(const struct cli_request *r, const struct job_context *l,
                        const struct fsim_fault *u, struct fl_err *err)
{
    for (int i = 0; i < u->cells; i++)
        if (engine_has(r->on, l->img, u[i].cell.structure, err) != 0)
            return CLI_USAGE;
    return CLI_DONE;
}

/* In the SMs of --same-in too. */
static int parse(const struct cli_request *r, struct job_context *l, const char *text,
                 struct fsim_fault u[FSIM_CELLS], struct fl_err *err)
{
    const struct fsim_sms *in = &r->pattern.same_in;
    if (fsim_parse(l->img, text, context_owner, l, u, err) != 0)
        return -1;
    for (int i = 0; r->cache_model == CACHE_MODEL_GPUFI && i < u->cells; i++)
        if (u->kind != FSIM_FLIP && sm_is_cache(u[i].cell.structure))
            return fl_fail(err,
                           "'%.100s' is an intermittent fault, and gpuFI-4's cache model has flips "
                           "alone; write :flip, or leave --cache-model out",
                           text);
    return fsim_sms_said(in) ? fsim_same_in(l->img, in, u, err) : 0;
}

/* The fault of a line. */
static int read_fault(const struct cli_request *r, struct job_context *l, const char *text,
                      struct fsim_fault **out, struct fl_err *err)
{
    struct fsim_fault u[FSIM_CELLS];
    if (parse(r, l, text, u, err) != 0)
        return CLI_PROBLEM;
    if (last_cycle(u) >= l->g->cycles) {
        fl_fail(err, "cycle %llu is after the last one of the job, %llu; give a smaller one",
                (unsigned long long)last_cycle(u), (unsigned long long)l->g->cycles - 1);
        return CLI_PROBLEM;
    }
    *out = fl_alloc(u->cells * sizeof *u);
    memcpy(*out, u, u->cells * sizeof *u);
    return check_engine(r, l, u, err);
}

/* The faults of a file, an id a line; # starts a comment. */
int cli_read_faults(const struct cli_request *r, struct job_context *l, struct fsim_fault ***out,
                    uint64_t *count, struct fl_err *err)
{
    struct fl_buf b = {0};
    *out = NULL;
    *count = 0;
    if (fl_read_text(r->faults, &b, err) != 0)
        return CLI_PROBLEM;
    int line = 0, status = CLI_DONE;
    for (char *rest = (char *)b.data, *text;
         status == CLI_DONE && (text = fsim_list_line(&rest, &line));) {
        char *end = text + strcspn(text, " \t\r");
        struct fl_err why;
        if (*end) {
            fl_fail(&why, "'%.100s' after the id: write one id a line", end + strspn(end, " \t\r"));
            status = CLI_PROBLEM;
        }
        *end = 0;
        if ((*count & (*count - 1)) == 0)
            *out = fl_grow(*out, *count ? 2 * *count : 1, sizeof **out);
        (*out)[*count] = NULL;
        if (status == CLI_DONE)
            status = read_fault(r, l, text, &(*out)[*count], &why);
        if (status != CLI_DONE)
            fl_fail(err, "%s:%d: %s", r->faults, line, why.msg);
        ++*count;
    }
    fl_buf_free(&b);
    if (status == CLI_DONE && *count == 0) {
        fl_fail(err, "%s: no fault in it; write an id a line", r->faults);
        status = CLI_PROBLEM;
    }
    return status;
}

int cli_explain(const struct cli_request *r, struct job_context *l, struct fl_err *err)
{
    struct fsim_fault u[FSIM_CELLS];
    struct fault_trace trace = {0};
    if (parse(r, l, r->fault, u, err) != 0)
        return CLI_USAGE;
    if (check_engine(r, l, u, err) != CLI_DONE)
        return CLI_USAGE;
    if (last_cycle(u) >= l->g->cycles) {
        fl_fail(err, "--fault '%s': the job has cycles 0 to %llu", r->fault,
                (unsigned long long)l->g->cycles - 1);
        return CLI_USAGE;
    }
    if (cli_dumps(r, l->job, l->g->outputs, err) != 0)
        return CLI_USAGE;
    struct context_watches watches = {0};
    if (!l->recorded) {
        context_watch(l, &watches, u);
        if (context_record(l, &watches, err) != 0)
            return CLI_PROBLEM;
    }
    struct reference *ref = reference_new(r->on, l->g, err);
    if (!ref)
        return CLI_PROBLEM;
    struct fsim_worker *w = fsim_worker_on(ref);
    transient_explain(w, l->t, u, r->exhaustive, &trace);
    int status = cli_trace(r, l->img, l->g->outputs, &trace, err);
    fsim_worker_free(w);
    reference_free(ref);
    fault_trace_free(&trace);
    return status;
}

/* The output that a --dump names, and its file; -1: there is none, or two files are for one. */
static int dump_at(const struct cli_request *r, int i, const struct job *job, const char **file,
                   struct fl_err *err)
{
    const char *text = r->dumps.word[i], *sign = strchr(text, '=');
    if (!sign || !sign[1])
        return fl_fail(err, "--dump '%.100s': give an output and a file, as in out=FILE", text);
    *file = sign + 1;
    for (int o = 0; o < job->noutputs; o++)
        if (strlen(job->output[o].name) == (size_t)(sign - text) &&
            strncmp(job->output[o].name, text, (size_t)(sign - text)) == 0)
            return o;
    struct fl_buf names = {0};
    for (int o = 0; o < job->noutputs; o++)
        fl_buf_printf(&names, "%s%s", o ? ", " : "", job->output[o].name);
    fl_fail(err, "--dump '%.100s': %s has no such output; it has %.500s", text, job->path,
            names.size ? (char *)names.data : "none");
    fl_buf_free(&names);
    return -1;
}

int cli_dumps(const struct cli_request *r, const struct job *job, struct outputs *outputs,
              struct fl_err *err)
{
    const char *file;
    for (int i = 0; i < r->dumps.count; i++)
        if (dump_at(r, i, job, &file, err) < 0)
            return -1;
    if (r->dumps.count)
        outputs_keep(outputs, UINT64_MAX);
    return 0;
}

/* A run that ends of itself leaves outputs. */
static int write_dumps(const struct cli_request *r, const struct job *job, struct outputs *outputs,
                       const struct fault_trace *t, struct fl_err *err)
{
    const bool ends = t->outcome == OUT_SDC || t->outcome == OUT_TOLERABLE ||
                      !fsim_outcome_fails(t->outcome);
    int bad = 0;
    if (r->dumps.count && !ends)
        return fl_fail(err,
                       "--dump: the run with the fault ends as %s and leaves no outputs; no "
                       "file was written",
                       fsim_outcome_name(t->outcome));
    for (int i = 0; i < r->dumps.count && !bad; i++) {
        const char *file;
        const int output = dump_at(r, i, job, &file, err);
        uint8_t *bytes = outputs_left(outputs, t->kept, output);
        bad = fl_write_file(fl_output(file), bytes, job->output[output].size, err);
        free(bytes);
    }
    return bad;
}

int cli_trace(const struct cli_request *r, const struct sm_image *img, struct outputs *outputs,
              struct fault_trace *t, struct fl_err *err)
{
    struct fl_buf page = {0}, made = {0};
    if (r->html) {
        made_begin(&made, cli_commands[r->command].name, r->on->name);
        fl_buf_printf(&made, " fault=%s%c", t->id, 0);
        char *line = made_exported((char *)made.data, usage_program());
        trace_html(t, img, line, &page);
        free(line);
        fl_buf_free(&made);
        if (cli_write(r->html, &page, err) != 0)
            return CLI_PROBLEM;
    }
    cli_print(r, &t->text);
    return write_dumps(r, img->job, outputs, t, err) == 0 ? CLI_DONE : CLI_PROBLEM;
}

/* The ids of a sample, as they are drawn: there may be more than memory holds. */
int cli_write_faults(const struct cli_request *r, const struct avf_options *opt,
                     const struct job_context *l, struct fl_err *err)
{
    struct fl_buf id = {0};
    struct fl_out o;
    int bad = 0;
    if (avf_check(l->img, l->job->path, opt, err) != 0 ||
        fl_out_open(&o, r->write_faults, err) != 0)
        return CLI_PROBLEM;
    for (int i = 0; i < opt->ntargets && !bad; i++) {
        uint64_t n;
        int structure = avf_structure(l->img, opt->target[i]);
        struct avf_options now = *opt;
        struct dest *dest = NULL;
        if (dest_is(opt->target[i]) && !(dest = dest_new(l, opt->target[i], opt->value, err))) {
            bad = -1;
            break;
        }
        now.dest = dest;
        bad = avf_sample_size(l, structure, &now, &n, err) != 0;
        for (uint64_t k = 0; k < n && !bad && !ferror(o.f); k++) {
            struct fsim_fault u[FSIM_CELLS];
            if (!sample_draw(l, structure, &now, k, u) || !u->cells)
                continue;
            id.size = 0;
            fsim_print(l->img, u, &id);
            fprintf(o.f, "%s\n", (char *)id.data);
        }
        dest_free(dest);
    }
    fl_buf_free(&id);
    return fl_out_close(&o, !bad, err) != 0 || bad ? CLI_PROBLEM : CLI_DONE;
}
