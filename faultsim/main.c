/* main.c -- the command line of faultsim. Prints and exits; everything else returns errors. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faultsim/permanent/dictionary.h"
#include "base/interrupt.h"
#include "faultsim/permanent/matrix.h"
#include "faultsim/permanent/prove.h"
#include "faultsim/report/stuck_at.h"
#include "faultsim/cli/transient.h"

static const char usage[] =
    "faultsim: injects every fault of a list into a machine that runs a job, and reports the "
    "coverage\n"
    "\n"
    "  faultsim --model stuck-at [--target dstack] JOB.xml...   the 4,224 stuck-at faults of a "
    "divergence stack\n"
    "  faultsim --model stuck-at --fault ID JOB.xml             the story of one fault: "
    "dstack/w0/le3/spc17:sa1\n"
    "  faultsim prove [--target dstack] [--profile NAME]        why some faults cannot be detected "
    "by any program\n"
    "  faultsim prove [--without CAL,PBK] JOB.xml...            the same for each fault that the "
    "jobs leave undetected,\n"
    "                     or that no program without these operations detects; --csv-faults F "
    "names them\n"
    "  faultsim dictionary JOB.xml... [--csv F] [--xml F]       which signature of the jobs means "
    "which faults\n"
    "  faultsim dictionary --from F.xml --lookup WHAT           the faults that show it; WHAT: a "
    "digest, BUFFER=FILE,\n"
    "                     a trap, no-end or good, of one of several jobs: JOB:WHAT;\n"
    "                     good without JOB: all others\n"
    "\n"
    "  faultsim --model transient --help                        transient and intermittent faults: "
    "AVF, FIT\n"
    "\n"
    "  --target NAME      structure whose faults are injected (default dstack: the stack of warp "
    "slot 0), or a pattern\n"
    "  --faults FILE|PATTERN   other faults: a file with an id or pattern a line, or a pattern: "
    "'dstack/w0/le*/tm*:sa*'\n"
    "  --profile NAME     refuse jobs that are for another profile\n"
    "  --engine c|rtl     the C model (default), or the RTL (needs a build with "
    "-DFAULTLINE_RTL=ON)\n"
    "  --exhaustive       simulate every fault from cycle 0 to the end; the same outcomes, much "
    "slower\n"
    "  --detect-timing    a run that only takes other cycles counts as detected, as in the SBST "
    "paper\n"
    "  --threads N        default: one for each processor\n"
    "  --max-cycles N     limit of the fault-free run (default 1000000000)\n"
    "  --see place|trap|end   dictionary: what shows of a job that does not end well (default "
    "place)\n"
    "  --csv F            summary, a line per job        --csv-faults F   a line per fault\n"
    "  --xml F            both, after docs/report.rng    --quiet          no table\n"
    "  --matrix F         which job detects which fault, for sbstgen --compact\n"
    "  F - is standard output (the table then goes to standard error); --faults -, --from -: "
    "standard input\n"
    "\n"
    "Undetected faults are a result: exit 0. Exit 1: a job or a file has a problem. Exit 2: wrong "
    "usage.\n";

enum {
    OPT_MODEL = 256,
    OPT_TARGET,
    OPT_FAULTS,
    OPT_FAULT,
    OPT_PROFILE,
    OPT_ENGINE,
    OPT_EXHAUSTIVE,
    OPT_TIMING,
    OPT_THREADS,
    OPT_MAX_CYCLES,
    OPT_CSV,
    OPT_CSV_FAULTS,
    OPT_XML,
    OPT_QUIET,
    OPT_WITHOUT,
    OPT_FROM,
    OPT_LOOKUP,
    OPT_SEE,
    OPT_MATRIX,
    OPT_HELP
};

static const struct option options[] = {
    {"model", required_argument, NULL, OPT_MODEL},
    {"target", required_argument, NULL, OPT_TARGET},
    {"faults", required_argument, NULL, OPT_FAULTS},
    {"fault", required_argument, NULL, OPT_FAULT},
    {"profile", required_argument, NULL, OPT_PROFILE},
    {"engine", required_argument, NULL, OPT_ENGINE},
    {"exhaustive", no_argument, NULL, OPT_EXHAUSTIVE},
    {"detect-timing", no_argument, NULL, OPT_TIMING},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"max-cycles", required_argument, NULL, OPT_MAX_CYCLES},
    {"csv", required_argument, NULL, OPT_CSV},
    {"csv-faults", required_argument, NULL, OPT_CSV_FAULTS},
    {"xml", required_argument, NULL, OPT_XML},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"without", required_argument, NULL, OPT_WITHOUT},
    {"from", required_argument, NULL, OPT_FROM},
    {"lookup", required_argument, NULL, OPT_LOOKUP},
    {"see", required_argument, NULL, OPT_SEE},
    {"matrix", required_argument, NULL, OPT_MATRIX},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

struct request {
    const char *model, *target, *faults, *fault, *profile, *csv, *csv_faults, *xml, *without, *from,
        *matrix;
    const char **lookup;
    int nlookups;
    enum dict_view view;
    bool quiet;
    FILE *people; /* where text for people goes: standard output, unless an export goes there */
    struct fsim_options opt;
    char **jobs;
    int njobs;
};

static int wrong(const char *fmt, const char *what)
{
    char *msg = fl_format(fmt, what);
    int status = fl_complain(2, "%s; see faultsim --help", msg);
    free(msg);
    return status;
}

static bool read_number(const char *text, unsigned long long min, unsigned long long max,
                        unsigned long long *out)
{
    char *end;
    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == 0 && *out >= min && *out <= max;
}

/* 0 to go on, else the exit status + 1. */
static int read_options(int argc, char **argv, struct request *r)
{
    unsigned long long n;
    int o;
    r->people = stdout;
    r->opt = (struct fsim_options){.progress = true, .max_cycles = 1000000000};
    while ((o = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        switch (o) {
        case OPT_MODEL: /* the others have options of their own: transient_main.c */
            r->model = optarg;
            if (strcmp(r->model, "stuck-at") != 0)
                return 1 + wrong("model '%s' is not there; there are stuck-at, transient and "
                                 "intermittent",
                                 r->model);
            break;
        case OPT_TARGET: r->target = optarg; break;
        case OPT_FAULTS: r->faults = fl_input(optarg); break;
        case OPT_FAULT: r->fault = optarg; break;
        case OPT_PROFILE: r->profile = optarg; break;
        case OPT_ENGINE:
            r->opt.rtl = strcmp(optarg, "rtl") == 0;
            if (!r->opt.rtl && strcmp(optarg, "c") != 0)
                return 1 + wrong("engine '%s' is not there; write c or rtl", optarg);
#ifndef FAULTLINE_RTL
            if (r->opt.rtl)
                return 1 + wrong("engine '%s' is not in this build; configure with "
                                 "-DFAULTLINE_RTL=ON",
                                 optarg);
#endif
            break;
        case OPT_EXHAUSTIVE: r->opt.exhaustive = true; break;
        case OPT_TIMING: r->opt.detect_timing = true; break;
        case OPT_THREADS:
            if (!read_number(optarg, 1, 1024, &n))
                return 1 + wrong("--threads '%s': give a number from 1 to 1024", optarg);
            r->opt.threads = (int)n;
            break;
        case OPT_MAX_CYCLES:
            if (!read_number(optarg, 1, 1ull << 60, &n))
                return 1 + wrong("--max-cycles '%s': give a positive number", optarg);
            r->opt.max_cycles = n;
            break;
        case OPT_CSV: r->csv = optarg; break;
        case OPT_CSV_FAULTS: r->csv_faults = optarg; break;
        case OPT_XML: r->xml = optarg; break;
        case OPT_QUIET: r->quiet = true; break;
        case OPT_WITHOUT: r->without = optarg; break;
        case OPT_FROM: r->from = fl_input(optarg); break;
        case OPT_MATRIX: r->matrix = optarg; break;
        case OPT_LOOKUP:
            r->lookup = fl_grow(r->lookup, (size_t)r->nlookups + 1, sizeof *r->lookup);
            r->lookup[r->nlookups++] = optarg;
            break;
        case OPT_SEE:
            if (strcmp(optarg, "place") != 0 && strcmp(optarg, "trap") != 0 &&
                strcmp(optarg, "end") != 0)
                return 1 + wrong("--see '%s': of a job that does not end well one can see place, "
                                 "trap or end",
                                 optarg);
            r->view = optarg[0] == 'p' ? DICT_PLACE : optarg[0] == 't' ? DICT_TRAP : DICT_END;
            break;
        case OPT_HELP:
        case 'h': fputs(usage, stdout); return 1;
        default: fprintf(stderr, "see faultsim --help\n"); return 1 + 2;
        }
    }
    r->jobs = argv + optind;
    r->njobs = argc - optind;
    return 0;
}

static int fail(const struct fl_err *err)
{
    return fl_complain(1, "%s", err->msg);
}

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

/* The campaigns of all jobs, over one list. */
static int run_campaigns(const struct request *r, struct job **jobs, struct fsim_campaign *c,
                         int *n, struct fl_err *err)
{
    bool is_file = r->faults && access(r->faults, F_OK) == 0;
    const char *pattern = r->faults ? r->faults : r->target ? r->target : "dstack";
    struct fsim_options opt = r->opt;
    struct interrupt interrupt;
    int bad = 0;
    interrupt_start(&interrupt);
    opt.stop = &interrupt.signal;
    for (*n = 0; *n < r->njobs && !bad; *n += !bad)
        bad = fsim_campaign_run(&c[*n], jobs[*n], &pattern, is_file ? 0 : 1,
                                is_file ? r->faults : NULL, &opt, err);
    int by = interrupt_end(&interrupt);
    if (bad && by) {
        fail(err);
        interrupt_raise(by); /* there is nothing to go on from */
    }
    if (bad)
        return -1;
    for (int i = 1; i < *n; i++)
        if (c[i].list.count != c[0].list.count)
            return fl_fail(
                err,
                "%s and %s have different fault lists; give jobs of one profile, or run them apart",
                jobs[0]->path, jobs[i]->path);
    return 0;
}

/* Before the work, not after hours of it: can every export be written, and over nothing that is read? */
static int check_files(struct request *r, struct job **jobs, struct fl_err *err)
{
    struct fl_files files = {0};
    for (int i = 0; i < r->njobs; i++)
        fl_files_join(&files, &jobs[i]->files);
    fl_files_in(&files, "--faults", r->faults);
    fl_files_in(&files, "--from", r->from);
    for (int i = 0; i < r->nlookups; i++) {
        const char *file = strchr(r->lookup[i], '=');
        fl_files_in(&files, "--lookup", file ? file + 1 : NULL);
    }
    fl_files_out(&files, "--csv", r->csv);
    fl_files_out(&files, "--csv-faults", r->csv_faults);
    fl_files_out(&files, "--xml", r->xml);
    fl_files_out(&files, "--matrix", r->matrix);
    r->people = fl_files_people(&files);
    int bad = fl_files_check(&files, err);
    fl_files_free(&files);
    return bad != 0;
}

static int write_or_fail(const char *path, struct fl_buf *b, struct fl_err *err)
{
    int r = fl_write_file(path, b->data, b->size, err);
    fl_buf_free(b);
    return r;
}

/* What the jobs leave undetected, and why. */
static int prove_for_jobs(const struct request *r, struct job **jobs,
                          const struct prove_writers *writers, struct fl_buf *out,
                          struct fl_err *err)
{
    struct fsim_campaign *c = fl_alloc((size_t)r->njobs * sizeof *c);
    int n, bad = run_campaigns(r, jobs, c, &n, err);
    if (!bad) {
        prove_tell(c, n, writers, out);
        if (r->csv_faults) {
            struct fl_buf b = {0};
            prove_csv(c, n, writers, &b);
            bad = write_or_fail(r->csv_faults, &b, err);
        }
    }
    for (int i = 0; i < n; i++)
        fsim_campaign_free(&c[i]);
    free(c);
    return bad;
}

static int prove(struct request *r)
{
    struct fl_err err;
    struct profile p;
    struct fl_buf out = {0};
    struct prove_without without = {0};
    struct prove_writers writers;
    char word[32];
    int n = 0, bad = 0;
    if (r->target && strcmp(r->target, "dstack") != 0)
        return wrong("prove: there is no proof for target '%s'; there is one for dstack",
                     r->target);
    if (r->without && !read_operations(r->without, &without, word))
        return wrong("prove --without: no operation '%s'; docs/isa.md lists them", word);
    if (r->csv_faults && !r->njobs)
        return wrong("%s", "prove --csv-faults names the faults that jobs leave; give a JOB.xml");
    struct job **jobs = fl_alloc((size_t)r->njobs * sizeof *jobs);
    for (; n < r->njobs && !bad; n += !bad)
        bad = job_load(r->jobs[n], r->profile, &jobs[n], &err);
    const char *name = r->profile ? r->profile : "flexgripplus";
    bad = bad || check_files(r, jobs, &err);
    if (!bad && !r->njobs)
        bad = profile_load(name, &p, &err);
    else if (!bad)
        p = jobs[0]->profile;
    struct prove_writers *seen = r->without ? &writers : NULL;
    bad = bad || prove_stack(&p, r->without ? &without : NULL, seen, &out, &err) < 0;
    bad = bad || (r->njobs && prove_for_jobs(r, jobs, seen, &out, &err) != 0);
    if (!bad)
        fl_print(r->people, (char *)out.data);
    fl_buf_free(&out);
    for (int i = 0; i < n; i++)
        job_free(jobs[i]);
    free(jobs);
    return bad ? fail(&err) : 0;
}

/* Bad names are wrong usage, whatever the job: checked on an image before anything runs. */
static int check_list(const struct job *job, const struct request *r, struct fl_err *err)
{
    struct sm_image *img = sm_image_new(job, err);
    struct fsim_list list = {0};
    if (!img)
        return 1;
    int bad = 0;
    bool pattern = r->faults && access(r->faults, F_OK) != 0;
    if ((r->target && fsim_list_add(&list, img, r->target, err) != 0) ||
        (r->fault && fsim_list_add(&list, img, r->fault, err) != 0))
        bad = 2;
    if (!bad && pattern && fsim_list_add(&list, img, r->faults, err) != 0) {
        size_t n = strlen(err->msg);
        snprintf(err->msg + n, sizeof err->msg - n, " (and there is no file '%s')", r->faults);
        bad = 2;
    }
    int stack = sm_structure_find(img, "dstack");
    for (long i = 0; i < list.count && !bad; i++)
        if (list.fault[i].cell.structure != stack)
            bad = 2;
    if (bad && !err->msg[0])
        fl_fail(err,
                "stuck-at faults are those of dstack; any other cell is held with --model "
                "intermittent --fault CELL@0-:sa1, or a list of such lines with --faults FILE");
    fsim_list_free(&list);
    sm_image_free(img);
    return bad;
}

static int explain(const struct job *job, const struct request *r, struct fl_err *err)
{
    struct sm_image *img = sm_image_new(job, err);
    struct fsim_list list = {0};
    struct golden *g = NULL;
    struct fl_buf out = {0};
    int status = 1;
    if (!img || fsim_list_add(&list, img, r->fault, err) != 0)
        goto done;
    if (list.count != 1 || list.fault[0].cell.structure != sm_structure_find(img, "dstack")) {
        fl_fail(
            err,
            "--fault '%s' names %ld faults; it takes one of dstack, as in dstack/w0/le3/spc17:sa1",
            r->fault, list.count);
        status = 2;
        goto done;
    }
    if (!(g = golden_run(img, r->opt.max_cycles, err)))
        goto done;
    struct fsim_worker *w = fsim_worker_new(g);
    const char *proof = prove_untestable(img, &list.fault[0]);
    fsim_explain(w, &list.fault[0], &out);
    fsim_worker_free(w);
    fl_print(r->people, (char *)out.data);
    if (proof)
        fprintf(r->people, "No program can detect it: %s.\n", proof);
    fl_buf_free(&out);
    status = 0;
done:
    golden_free(g);
    fsim_list_free(&list);
    sm_image_free(img);
    return status;
}

static int write_exports(const struct request *r, const struct fsim_campaign *c, int n,
                         const char *target, struct fl_err *err)
{
    struct fl_buf b = {0};
    if (r->csv) {
        report_csv(c, n, target, r->model, &b);
        if (write_or_fail(r->csv, &b, err) != 0)
            return -1;
    }
    if (r->csv_faults) {
        report_csv_faults(c, n, &b);
        if (write_or_fail(r->csv_faults, &b, err) != 0)
            return -1;
    }
    if (r->matrix) {
        matrix_csv(c, n, &b);
        if (write_or_fail(r->matrix, &b, err) != 0)
            return -1;
    }
    if (r->xml &&
        (report_xml(c, n, target, r->model, &b, err) != 0 || write_or_fail(r->xml, &b, err) != 0))
        return -1;
    return 0;
}

static int run_jobs(const struct request *r, struct job **jobs, struct fl_err *err)
{
    struct fsim_campaign *c = fl_alloc((size_t)r->njobs * sizeof *c);
    const char *target = r->target ? r->target : "dstack";
    int n, status = 1;
    if (run_campaigns(r, jobs, c, &n, err) != 0 || write_exports(r, c, n, target, err) != 0)
        goto done;
    if (!r->quiet) {
        struct fl_buf b = {0};
        report_table(c, n, target, r->model, &b);
        fl_print(r->people, (char *)b.data);
        fl_buf_free(&b);
    }
    status = 0;
done:
    for (int i = 0; i < n; i++)
        fsim_campaign_free(&c[i]);
    free(c);
    return status;
}

static int write_dictionary(const struct request *r, const struct dict *d, struct fl_err *err)
{
    struct fl_buf b = {0};
    if (r->csv) {
        dict_csv(d, &b);
        if (write_or_fail(r->csv, &b, err) != 0)
            return -1;
    }
    if (r->xml && (dict_xml(d, &b, err) != 0 || write_or_fail(r->xml, &b, err) != 0))
        return -1;
    return 0;
}

static int build_dictionary(const struct request *r, struct job **jobs, struct dict *d,
                            struct fl_err *err)
{
    struct fsim_campaign *c = fl_alloc((size_t)r->njobs * sizeof *c);
    int n, bad = run_campaigns(r, jobs, c, &n, err);
    bad = bad || dict_build(c, n, r->target ? r->target : "dstack", "stuck-at", r->view,
                            r->opt.threads, d, err) != 0;
    for (int i = 0; i < n; i++)
        fsim_campaign_free(&c[i]);
    free(c);
    return bad;
}

/* What the dictionary is for: its resolution, files, answers. */
static int use_dictionary(const struct request *r, const struct dict *d, struct fl_err *err)
{
    struct fl_buf out = {0};
    int bad = write_dictionary(r, d, err);
    if (!bad && !r->nlookups && !r->quiet)
        dict_report(d, &out);
    if (!bad && r->nlookups) {
        long found = dict_lookup(d, r->lookup, r->nlookups, &out, err);
        bad = found < 0 ? -1
              : found   ? 0
                        : fl_fail(err, "no fault of the dictionary shows that: another kind of "
                                         "fault, several faults, or other jobs");
    }
    if (!bad && out.size)
        fl_print(r->people, (char *)out.data);
    fl_buf_free(&out);
    return bad;
}

static int dictionary(struct request *r)
{
    struct fl_err err = {""};
    struct dict d = {0};
    int n = 0, status = 0;
    if (!r->from == !r->njobs)
        return wrong("%s", "dictionary: give jobs to make one of, or --from F.xml to read one");
    if (r->opt.rtl)
        return wrong("%s", "dictionary: outputs of faulty machines come from engine c");
    struct job **jobs = fl_alloc((size_t)r->njobs * sizeof *jobs);
    for (; n < r->njobs && !status; n += !status)
        status = job_load(r->jobs[n], r->profile, &jobs[n], &err) != 0;
    for (int i = 0; i < n; i++)
        warn_of_outputs(jobs[i]);
    if (!status && n)
        status = check_list(jobs[0], r, &err);
    if (!status)
        status = check_files(r, jobs, &err);
    if (!status)
        status = (r->from ? dict_load(r->from, &d, &err) : build_dictionary(r, jobs, &d, &err)) !=
                 0;
    if (!status)
        status = use_dictionary(r, &d, &err) != 0;
    if (status)
        fail(&err);
    dict_free(&d);
    for (int i = 0; i < n; i++)
        job_free(jobs[i]);
    free(jobs);
    return status;
}

static int simulate(struct request *r)
{
    struct fl_err err = {""};
    if (!r->model)
        return wrong("%s", "name the fault model: --model stuck-at");
    if (r->njobs == 0)
        return wrong("%s", "name at least one JOB.xml");
    if (r->fault && r->njobs > 1)
        return wrong("%s", "--fault tells the story of one fault in one job; give one JOB.xml");
    if (r->fault && r->opt.rtl)
        return wrong("%s", "--fault tells the story on engine c; on the RTL, put the fault into a "
                           "list and see its outcome with --faults FILE --csv-faults OUT");
    struct job **jobs = fl_alloc((size_t)r->njobs * sizeof *jobs);
    int n = 0, status = 1;
    for (; n < r->njobs; n++)
        if (job_load(r->jobs[n], r->profile, &jobs[n], &err) != 0)
            goto done;
    for (int i = 0; i < n; i++)
        warn_of_outputs(jobs[i]);
    status = check_list(jobs[0], r, &err);
    if (status == 0)
        status = check_files(r, jobs, &err);
    if (status == 0)
        status = r->fault ? explain(jobs[0], r, &err) : run_jobs(r, jobs, &err);
done:
    if (status)
        fail(&err);
    for (int i = 0; i < n; i++)
        job_free(jobs[i]);
    free(jobs);
    return status;
}

/* Options of one command that were given to another: 0 when there are none, else the exit status. */
static int misplaced(const struct request *r, bool proving, bool mapping)
{
    if (!mapping && (r->from || r->nlookups || r->view != DICT_PLACE))
        return wrong("%s", "--from, --lookup and --see go with faultsim dictionary");
    if (!proving && r->without)
        return wrong("%s", "--without goes with faultsim prove");
    if ((proving || mapping) && r->matrix)
        return wrong("%s", "--matrix goes with faultsim --model stuck-at");
    if ((proving || mapping) && r->model && strcmp(r->model, "stuck-at") != 0)
        return wrong("model '%s': prove and dictionary are about stuck-at faults", r->model);
    return 0;
}

/* The word in front of the options: prove, dictionary, or none. */
static const char *command(int argc, char **argv)
{
    return argc > 1 && argv[1][0] != '-' && !strchr(argv[1], '.') && !strchr(argv[1], '/') ? argv[1]
                                                                                           : "";
}

/* Transient faults have options of their own. */
static bool transient(int argc, char **argv)
{
    if (argc > 1 && (strcmp(argv[1], "merge") == 0 || strcmp(argv[1], "report") == 0))
        return true;
    for (int i = 1; i < argc; i++) {
        const char *v = strcmp(argv[i], "--model") == 0 && i + 1 < argc ? argv[i + 1]
                        : strncmp(argv[i], "--model=", 8) == 0          ? argv[i] + 8
                                                                        : "";
        if (strcmp(v, "transient") == 0 || strcmp(v, "intermittent") == 0)
            return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    fl_start("faultsim");
    if (transient(argc, argv))
        return fl_end(transient_main(argc, argv));
    struct request r = {0};
    const char *word = command(argc, argv);
    bool proving = strcmp(word, "prove") == 0, mapping = strcmp(word, "dictionary") == 0;
    if (word[0] && !proving && !mapping)
        return wrong("no command '%s'; there are prove, dictionary, merge and report, and without "
                     "a command faults "
                     "are simulated",
                     word);
    int skip = word[0] != 0, stop = read_options(argc - skip, argv + skip, &r);
    int bad = stop ? 0 : misplaced(&r, proving, mapping);
    int status = stop      ? stop - 1
                 : bad     ? bad
                 : proving ? prove(&r)
                 : mapping ? dictionary(&r)
                           : simulate(&r);
    free(r.lookup);
    return fl_end(status);
}
