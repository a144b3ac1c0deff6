/* transient.c -- the part of the command line that is about transient and intermittent faults. */
#include "transient.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faultsim/transient/campaign.h"
#include "faultsim/report/avf.h"
#include "base/interrupt.h"
#include "faultsim/result/made.h"
#include "faultsim/verdict/transient_rtl.h"

static const char usage[] =
    "faultsim --model transient|intermittent [--target T,...] METHOD [options] JOB.xml...\n"
    "faultsim --model transient --fault ID JOB.xml     the story of one fault: "
    "rf/p517/b12@1834:flip,\n"
    "        rf/p517/b12@1800-1900:sa1 held at 1 in these cycles, rf/p517/b12@0-:sa1 for good\n"
    "faultsim merge OUT.db SHARD.db...                 joins the shards of a campaign\n"
    "faultsim report STORE.db [exports]                the reports of a finished campaign\n"
    "\n"
    "Methods, one or several side by side:\n"
    "  --exact            every bit in every cycle, by groups of equal flips (default)\n"
    "  --sample N         N flips drawn at random\n"
    "  --margin E         as many as a margin of E needs (0.01) at --confidence C (0.95)\n"
    "  --ace              lifetimes alone, from the fault-free run\n"
    "  --faults FILE      the faults of a list, an id a line\n"
    "\n"
    "  --launch N, --cycles A-B   only flips in these cycles; launches count from 0\n"
    "  --budget MIN       exact: refuse targets predicted to take longer\n"
    "  --exhaustive       by brute force: every flip simulated from cycle 0 to the end\n"
    "  --seed N           of a sample (default 1)\n"
    "  --stop-early       end a sample when the interval is as narrow as --margin\n"
    "  --active-only      draw bits that a block owns\n"
    "  --bits adjacent:K|random:K   K bits of a word at once\n"
    "  --entries N        the same bits in N entries     --lanes   in all lanes of a warp\n"
    "  --blocks N         shared: in N resident blocks   --with T  and a bit of another structure\n"
    "  --hold N|end       intermittent: the bits are held for N cycles (default 100), or to the "
    "end\n"
    "  --write-faults F   the ids of the flips of a sample; nothing runs\n"
    "  --engine c|rtl     the C model (default), or the RTL, for samples, lists and --fault\n"
    "\n"
    "  --store F          keep everything in an SQLite file; --resume goes on with it\n"
    "  --shard I/N        part I of N (auto: from Slurm's job array); needs --store\n"
    "  --threads N, --max-cycles N, --profile NAME\n"
    "  --sps 8,16,32      the machine with so many SPs, one after the other\n"
    "  --fit-per-bit X, --technology 12nm|28nm|sifi    failures of a bit in 1e9 hours\n"
    "  --csv F  --csv-faults F  --xml F  --html F  --quiet\n"
    "  F - is standard output (the table then goes to standard error); --faults -: standard input\n"
    "\n"
    "Exit 0: done. Exit 1: a job, a store or a file has a problem. Exit 2: wrong usage.\n"
    "Exit 3: stopped by a signal (Ctrl-C); --store F --resume goes on.\n";

enum {
    OPT_MODEL = 256,
    OPT_TARGET,
    OPT_EXACT,
    OPT_SAMPLE,
    OPT_MARGIN,
    OPT_CONFIDENCE,
    OPT_ACE,
    OPT_FAULTS,
    OPT_FAULT,
    OPT_LAUNCH,
    OPT_CYCLES,
    OPT_BUDGET,
    OPT_EXHAUSTIVE,
    OPT_SEED,
    OPT_STOP_EARLY,
    OPT_ACTIVE_ONLY,
    OPT_BITS,
    OPT_ENTRIES,
    OPT_LANES,
    OPT_BLOCKS,
    OPT_WITH,
    OPT_HOLD,
    OPT_WRITE_FAULTS,
    OPT_STORE,
    OPT_RESUME,
    OPT_SHARD,
    OPT_THREADS,
    OPT_MAX_CYCLES,
    OPT_PROFILE,
    OPT_SPS,
    OPT_FIT,
    OPT_TECHNOLOGY,
    OPT_ENGINE,
    OPT_CSV,
    OPT_CSV_FAULTS,
    OPT_XML,
    OPT_HTML,
    OPT_QUIET,
    OPT_HELP
};

static const struct option options[] = {
    {"model", required_argument, NULL, OPT_MODEL},
    {"target", required_argument, NULL, OPT_TARGET},
    {"exact", no_argument, NULL, OPT_EXACT},
    {"sample", required_argument, NULL, OPT_SAMPLE},
    {"margin", required_argument, NULL, OPT_MARGIN},
    {"confidence", required_argument, NULL, OPT_CONFIDENCE},
    {"ace", no_argument, NULL, OPT_ACE},
    {"faults", required_argument, NULL, OPT_FAULTS},
    {"fault", required_argument, NULL, OPT_FAULT},
    {"launch", required_argument, NULL, OPT_LAUNCH},
    {"cycles", required_argument, NULL, OPT_CYCLES},
    {"budget", required_argument, NULL, OPT_BUDGET},
    {"exhaustive", no_argument, NULL, OPT_EXHAUSTIVE},
    {"seed", required_argument, NULL, OPT_SEED},
    {"stop-early", no_argument, NULL, OPT_STOP_EARLY},
    {"active-only", no_argument, NULL, OPT_ACTIVE_ONLY},
    {"bits", required_argument, NULL, OPT_BITS},
    {"entries", required_argument, NULL, OPT_ENTRIES},
    {"lanes", no_argument, NULL, OPT_LANES},
    {"blocks", required_argument, NULL, OPT_BLOCKS},
    {"with", required_argument, NULL, OPT_WITH},
    {"hold", required_argument, NULL, OPT_HOLD},
    {"write-faults", required_argument, NULL, OPT_WRITE_FAULTS},
    {"store", required_argument, NULL, OPT_STORE},
    {"resume", no_argument, NULL, OPT_RESUME},
    {"shard", required_argument, NULL, OPT_SHARD},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"max-cycles", required_argument, NULL, OPT_MAX_CYCLES},
    {"profile", required_argument, NULL, OPT_PROFILE},
    {"sps", required_argument, NULL, OPT_SPS},
    {"fit-per-bit", required_argument, NULL, OPT_FIT},
    {"technology", required_argument, NULL, OPT_TECHNOLOGY},
    {"engine", required_argument, NULL, OPT_ENGINE},
    {"csv", required_argument, NULL, OPT_CSV},
    {"csv-faults", required_argument, NULL, OPT_CSV_FAULTS},
    {"xml", required_argument, NULL, OPT_XML},
    {"html", required_argument, NULL, OPT_HTML},
    {"quiet", no_argument, NULL, OPT_QUIET},
    {"help", no_argument, NULL, OPT_HELP},
    {NULL, 0, NULL, 0},
};

enum { STOPPED = 3 }; /* exit status: by a signal, and --resume goes on */

struct request {
    struct avf_options opt;
    const char *model, *fault, *faults, *write_faults, *profile, *with, *csv, *csv_faults, *xml,
        *html;
    double fit;
    const char *rate;
    int sps[3], nsps;
    bool quiet, held;
    FILE *people;  /* where text for people goes: standard output, unless an export goes there */
    char *targets; /* the text that opt.target points into */
    char **jobs;
    int njobs;
};

static void print_usage(void)
{
    printf("%s\nTargets (--target T,T..., default rf; all: those that the job has):\n", usage);
    for (int i = 0; i < sm_structure_count(); i++) {
        const char *text, *name = sm_structure_name(i, &text);
        printf("  %-10s %s\n", name, text);
    }
}

static int wrong(const char *fmt, const char *what)
{
    char *msg = fl_format(fmt, what);
    int status = fl_complain(2, "%s; see faultsim --model transient --help", msg);
    free(msg);
    return status;
}

static int fail(const struct fl_err *err)
{
    return fl_complain(1, "%s", err->msg);
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static bool read_count(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    char *end;
    *out = strtoull(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && strlen(text) < 20 && *end == 0 && *out >= min &&
           *out <= max;
}

static bool read_small(const char *text, int min, int max, int *out)
{
    uint64_t n;
    bool ok = read_count(text, (uint64_t)min, (uint64_t)max, &n);
    *out = ok ? (int)n : 0;
    return ok;
}

static bool read_share(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == 0 && *out > 0 && *out < 1;
}

static bool read_positive(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == 0 && *out > 0 && *out < 1e30;
}

static bool read_range(const char *text, uint64_t *from, uint64_t *to)
{
    char *copy = fl_strdup(text), *dash = strchr(copy, '-');
    if (dash)
        *dash++ = 0;
    bool ok = dash && read_count(copy, 0, UINT64_MAX - 1, from) &&
              read_count(dash, *from, UINT64_MAX - 1, to);
    free(copy);
    return ok;
}

static bool read_targets(struct request *r, const char *text)
{
    free(r->targets);
    r->targets = fl_strdup(text);
    r->opt.ntargets = 0;
    char *rest = r->targets;
    for (char *t; (t = strsep(&rest, ","));) {
        if (!*t || r->opt.ntargets == AVF_MAX_TARGETS)
            return false;
        r->opt.target[r->opt.ntargets++] = t;
    }
    return true;
}

static bool read_bits(struct avf_pattern *p, const char *text)
{
    if (strncmp(text, "adjacent:", 9) == 0)
        return read_small(text + 9, 1, 32, &p->adjacent);
    return strncmp(text, "random:", 7) == 0 && read_small(text + 7, 1, 32, &p->random);
}

/* 8, 16 and 32, each at most once. */
static bool read_sps(struct request *r, const char *text)
{
    char *copy = fl_strdup(text), *rest = copy;
    bool ok = true;
    r->nsps = 0;
    for (char *t; ok && (t = strsep(&rest, ","));) {
        int n;
        ok = r->nsps < 3 && read_small(t, 8, 32, &n) && (n == 8 || n == 16 || n == 32);
        for (int i = 0; ok && i < r->nsps; i++)
            ok = r->sps[i] != n;
        if (ok)
            r->sps[r->nsps++] = n;
    }
    free(copy);
    return ok;
}

/* What an option takes, for those who gave it something else. */
static const char *takes(int option)
{
    switch (option) {
    case OPT_TARGET: return "give names of structures with commas between, or all";
    case OPT_MARGIN: return "give a share between 0 and 1: 0.01 for 1%";
    case OPT_CONFIDENCE: return "give a share between 0 and 1: 0.95 for 95%";
    case OPT_LAUNCH: return "give its number, counted from 0";
    case OPT_CYCLES: return "give the first and the last: 100-200";
    case OPT_BUDGET: return "give minutes";
    case OPT_BITS: return "give adjacent:K or random:K, K from 1 to 32";
    case OPT_ENTRIES: return "give a number from 1 to 64";
    case OPT_BLOCKS: return "give a number from 1 to 8";
    case OPT_SHARD:
        return "give I/N, I from 1 to N; auto needs Slurm's SLURM_ARRAY_TASK_ID and _COUNT";
    case OPT_SPS: return "give 8, 16, 32, or several of them with commas between";
    case OPT_FIT: return "give failures in 1e9 hours: 1.2e-5";
    case OPT_TECHNOLOGY: return "give 12nm, 28nm or sifi, or a rate of your own: --fit-per-bit X";
    case OPT_ENGINE: return "give c or rtl";
    case OPT_SEED: return "give a whole number";
    case OPT_HOLD: return "give a number of cycles, or end";
    default: return "give a whole number from 1";
    }
}

/* False when the value makes no sense. */
static bool take_value(struct request *r, int o, const char *value)
{
    struct avf_options *opt = &r->opt;
    struct fl_err err;
    const struct metrics_technology *technology;
    switch (o) {
    case OPT_TARGET: return read_targets(r, value);
    case OPT_SAMPLE:
        opt->methods[METHOD_SAMPLE] = true;
        return read_count(value, 1, 1ull << 40, &opt->count);
    case OPT_MARGIN: opt->methods[METHOD_SAMPLE] = true; return read_share(value, &opt->margin);
    case OPT_CONFIDENCE: return read_share(value, &opt->confidence);
    case OPT_LAUNCH: return read_small(value, 0, JOB_MAX_LAUNCHES, &opt->window.launch);
    case OPT_CYCLES: return read_range(value, &opt->window.from, &opt->window.to);
    case OPT_BUDGET: return read_positive(value, &opt->budget);
    case OPT_SEED: return read_count(value, 0, UINT64_MAX, &opt->seed);
    case OPT_BITS: return read_bits(&opt->pattern, value);
    case OPT_ENTRIES: return read_small(value, 1, UPSET_MAX_CELLS, &opt->pattern.entries);
    case OPT_BLOCKS: return read_small(value, 1, SM_MAX_BLOCKS, &opt->pattern.blocks);
    case OPT_HOLD:
        r->held = true;
        opt->pattern.window = UPSET_NO_END;
        return strcmp(value, "end") == 0 || read_count(value, 1, 1ull << 40, &opt->pattern.window);
    case OPT_SHARD: return store_shard_parse(value, &opt->shard, &opt->shards, &err) == 0;
    case OPT_THREADS: return read_small(value, 1, 1024, &opt->threads);
    case OPT_MAX_CYCLES: return read_count(value, 1, 1ull << 60, &opt->max_cycles);
    case OPT_SPS: return read_sps(r, value);
    case OPT_FIT: r->rate = "--fit-per-bit"; return read_positive(value, &r->fit);
    case OPT_TECHNOLOGY:
        technology = metrics_technology(value);
        r->fit = technology ? technology->fit_per_bit : 0;
        r->rate = technology ? technology->source : NULL;
        return technology != NULL;
    case OPT_ENGINE:
        opt->rtl = strcmp(value, "rtl") == 0;
        return opt->rtl || strcmp(value, "c") == 0;
    default: return true;
    }
}

/* 0 to go on, else the exit status + 1. */
static int read_options(int argc, char **argv, struct request *r)
{
    struct avf_options *opt = &r->opt;
    int o, at;
    opterr = 1;
    while ((o = getopt_long(argc, argv, "h", options, &at)) != -1) {
        switch (o) {
        case OPT_MODEL: r->model = optarg; break;
        case OPT_EXACT: opt->methods[METHOD_EXACT] = true; break;
        case OPT_ACE: opt->methods[METHOD_ACE] = true; break;
        case OPT_FAULTS: r->faults = fl_input(optarg); break;
        case OPT_FAULT: r->fault = optarg; break;
        case OPT_EXHAUSTIVE: opt->exhaustive = true; break;
        case OPT_STOP_EARLY: opt->stop_early = true; break;
        case OPT_ACTIVE_ONLY: opt->active_only = true; break;
        case OPT_LANES: opt->pattern.warp = true; break;
        case OPT_WITH: r->with = optarg; break;
        case OPT_WRITE_FAULTS: r->write_faults = optarg; break;
        case OPT_STORE: opt->store = optarg; break;
        case OPT_RESUME: opt->resume = true; break;
        case OPT_PROFILE: r->profile = optarg; break;
        case OPT_CSV: r->csv = optarg; break;
        case OPT_CSV_FAULTS: r->csv_faults = optarg; break;
        case OPT_XML: r->xml = optarg; break;
        case OPT_HTML: r->html = optarg; break;
        case OPT_QUIET: r->quiet = true; break;
        case 'h':
        case OPT_HELP: print_usage(); return 1;
        case '?': return 1 + wrong("%s", "an option is unknown or lacks its value");
        default:
            if (!take_value(r, o, optarg)) {
                char *what = fl_format("--%s '%s' makes no sense: %s", options[at].name, optarg,
                                       takes(o));
                int status = 1 + wrong("%s", what);
                free(what);
                return status;
            }
        }
    }
    r->jobs = argv + optind;
    r->njobs = argc - optind;
    return 0;
}

static bool exports(const struct request *r)
{
    return r->csv || r->csv_faults || r->xml || r->html;
}

/* Before the work, not after hours of it: can every export be written, and over nothing that is read? */
static int check_files(struct request *r, struct job **jobs, int njobs, struct fl_err *err)
{
    struct fl_files files = {0};
    for (int i = 0; i < njobs; i++)
        fl_files_join(&files, &jobs[i]->files);
    fl_files_in(&files, "--faults", r->faults);
    fl_files_in(&files, "the store", njobs ? r->opt.store : r->jobs[0]);
    fl_files_out(&files, "--csv", r->csv);
    fl_files_out(&files, "--csv-faults", r->csv_faults);
    fl_files_out(&files, "--xml", r->xml);
    fl_files_out(&files, "--html", r->html);
    fl_files_out(&files, "--write-faults", r->write_faults);
    r->people = fl_files_people(&files);
    int bad = fl_files_check(&files, err);
    fl_files_free(&files);
    return bad;
}

static const char owned_only[] =
    "--active-only finds the AVF_util of owned bits, and FIT is that of all bits: leave "
    "--technology and --fit-per-bit out";

static bool drew_owned(const struct store *s)
{
    return made_says(store_options(s), "active-only");
}

/* Options that contradict each other: what to say, or NULL. */
static const char *contradiction(const struct request *r)
{
    bool one_by_one = r->fault || r->faults;
    const struct avf_options *o = &r->opt;
    bool held = strcmp(r->model, "intermittent") == 0, sample = o->methods[METHOD_SAMPLE];
    bool shapes = o->pattern.adjacent || o->pattern.random || o->pattern.entries ||
                  o->pattern.warp || o->pattern.blocks || r->with || o->active_only;
    if (!r->njobs)
        return "name at least one JOB.xml";
    if (r->held && !held)
        return "--hold is for --model intermittent";
    if (held &&
        (o->methods[METHOD_EXACT] || o->methods[METHOD_ACE] || !(sample || r->faults || r->fault)))
        return "intermittent faults are sampled: --sample N or --margin E";
    if (shapes && !sample)
        return "patterns of several bits and --active-only are sampled: add --sample N or --margin "
               "E";
    if (o->active_only && r->fit > 0)
        return owned_only;
    if (o->stop_early && !sample)
        return "--stop-early ends a sample: add --sample N or --margin E";
    if (o->exhaustive && o->methods[METHOD_ACE])
        return "--ace simulates no flips: leave --exhaustive out";
    if (r->csv_faults && !(sample || r->faults || r->fault))
        return "--csv-faults has a line for each flip of a sample or list: add --sample N, "
               "--margin E or --faults FILE";
    if (o->pattern.adjacent && o->pattern.random)
        return "--bits is adjacent or random, not both";
    if (o->resume && !o->store)
        return "--resume needs --store";
    if (o->shards > 1 && !o->store)
        return "--shard needs --store, so that the shards can be merged";
    if (o->shards > 1 && exports(r))
        return "--shard writes no exports: faultsim merge joins the shards, faultsim report "
               "exports";
    if (o->shards > 1 && o->stop_early)
        return "--stop-early looks at all flips so far: it cannot go with --shard";
    if (r->faults && (sample || o->methods[METHOD_EXACT] || o->methods[METHOD_ACE] || r->targets))
        return "--faults is a list of its own: leave method and --target out";
    if (one_by_one && (o->window.launch >= 0 || o->window.from || o->window.to != UINT64_MAX))
        return "a fault names its own cycles: leave --launch and --cycles out";
    if (o->rtl &&
        (o->methods[METHOD_EXACT] || o->methods[METHOD_ACE] || !(sample || r->faults || r->fault)))
        return "--engine rtl simulates flips one by one: give --sample N, --margin E, --faults "
               "FILE "
               "or --fault ID; exact campaigns and ACE are for engine c";
    if (o->rtl && o->exhaustive)
        return "--exhaustive is for engine c; engine rtl prunes nothing but ends";
    if (r->write_faults && !sample)
        return "--write-faults writes the flips of a sample: add --sample N or --margin E";
    if (r->nsps > 1 && (r->fault || r->faults || r->write_faults))
        return "a fault has a cycle of one machine: give --fault, --faults and --write-faults one "
               "number of --sps";
    if (r->fault && (r->njobs > 1 || r->faults || sample || o->methods[METHOD_EXACT] ||
                     o->methods[METHOD_ACE] || o->store || exports(r)))
        return "--fault tells the story of one fault in one job: give one JOB.xml, no method, no "
               "--store and no export";
    if (r->njobs > 1 && (r->faults || r->write_faults))
        return "a fault has a cycle of one job: give --faults and --write-faults one JOB.xml";
    if (r->write_faults && (o->store || exports(r)))
        return "--write-faults runs nothing: leave --store and the exports out";
    return NULL;
}

/* ---- what it does ------------------------------------------------------------------------------------------------ */

static int write_or_fail(const char *path, struct fl_buf *b, struct fl_err *err)
{
    int r = fl_write_file(path, b->data, b->size, err);
    fl_buf_free(b);
    return r;
}

struct lines {
    struct fl_buf *out;
    const char *job, *target;
};

static int injection_line(void *context, const struct store_injection *i)
{
    struct lines *l = context;
    fl_buf_printf(l->out, "%s,%s,%s,%s,", l->job, l->target, i->id, fsim_outcome_name(i->outcome));
    if (i->first_activation != FSIM_NEVER)
        fl_buf_printf(l->out, "%llu", (unsigned long long)i->first_activation);
    fl_buf_printf(l->out, ",");
    if (i->end != FSIM_NEVER)
        fl_buf_printf(l->out, "%llu", (unsigned long long)i->end);
    fl_buf_printf(l->out, ",%s\n", i->reason);
    return 0;
}

/* Pruned or by brute force, each flip ends the same: what made these lines does not say which. */
static int write_injections(const struct request *r, const struct store *s, const char *made,
                            struct fl_err *err)
{
    const struct result *found = store_result(s);
    struct fl_buf b = {0};
    char *flips = fl_strdup(made), *brute = strstr(flips, " exhaustive");
    if (brute)
        memmove(brute, brute + 11, strlen(brute + 11) + 1);
    made_csv(flips, found->job, found->njobs, &b);
    free(flips);
    fl_buf_printf(&b, "job,target,id,outcome,first_activation_cycle,end_cycle,reason\n");
    for (int p = 0; p < found->nparts; p++) {
        struct lines l = {&b, found->job[found->part[p].job].name, found->part[p].target};
        if (found->part[p].method != METHOD_EXACT && found->part[p].method != METHOD_ACE &&
            store_injections(s, p, injection_line, &l, err) != 0) {
            fl_buf_free(&b);
            return -1;
        }
    }
    return write_or_fail(r->csv_faults, &b, err);
}

/* The rate asked for, else the one that the campaign was given. */
static struct avf_report report_of(const struct request *r, const struct store *s, const char *made)
{
    struct avf_report a = {store_result(s), made, r->fit, r->rate};
    int n;
    const struct metrics_technology *t = metrics_technologies(&n);
    if (a.fit_per_bit > 0)
        return a;
    a.fit_per_bit = store_get(s, "fit_per_bit", 0);
    a.rate = a.fit_per_bit > 0 ? "--fit-per-bit" : NULL;
    for (int i = 0; i < n; i++)
        if (t[i].fit_per_bit == a.fit_per_bit)
            a.rate = t[i].source;
    return a;
}

static int report_made(const struct request *r, const struct store *s, const char *made,
                       struct fl_err *err)
{
    struct avf_report a = report_of(r, s, made);
    struct fl_buf b = {0};
    struct fl_err missing = {""};
    if (r->csv) {
        avf_report_csv(&a, &b);
        if (write_or_fail(r->csv, &b, err) != 0)
            return -1;
    }
    if (r->csv_faults && write_injections(r, s, made, err) != 0)
        return -1;
    if (r->xml && (avf_report_xml(&a, &b, err) != 0 || write_or_fail(r->xml, &b, err) != 0))
        return -1;
    if (r->html) {
        if (avf_report_html(&a, &b, &missing, err) != 0 || write_or_fail(r->html, &b, err) != 0)
            return -1;
        if (missing.msg[0])
            fl_complain(0, "%s", missing.msg);
    }
    if (!r->quiet) {
        avf_report_table(&a, &b);
        fl_print(r->people, (char *)b.data);
        fl_buf_free(&b);
    }
    return 0;
}

/* The last one that an id names. */
static uint64_t last_cycle(const struct upset *u)
{
    return u->to == UPSET_NO_END ? u->from : u->to;
}

static int report(const struct request *r, const struct store *s, struct fl_err *err)
{
    char *made = store_made(s);
    int bad = report_made(r, s, made, err);
    free(made);
    return bad;
}

/* The faults of a file, an id a line; # starts a comment. */
static int read_list(const struct request *r, struct lab *l, struct upset **out, uint64_t *count,
                     struct fl_err *err)
{
    struct fl_buf b = {0};
    *out = NULL;
    *count = 0;
    if (fl_read_file(r->faults, &b, err) != 0)
        return -1;
    int line = 0, status = 0;
    for (char *next = (char *)b.data, *text; status == 0 && (text = strsep(&next, "\n"));) {
        line++;
        text[strcspn(text, "#\r")] = 0;
        text += strspn(text, " \t");
        char *end = text + strcspn(text, " \t"), *more = end + strspn(end, " \t");
        struct fl_err why;
        if (!*text)
            continue;
        if (*more)
            status = fl_fail(&why, "'%.100s' behind the id: write one id a line", more);
        *end = 0;
        if ((*count & (*count - 1)) == 0)
            *out = fl_grow(*out, *count ? 2 * *count : 1, sizeof **out);
        if (status == 0)
            status = upset_parse(l->img, text, lab_owner, l, &(*out)[*count], &why);
        if (status == 0 && last_cycle(&(*out)[*count]) >= l->g->cycles)
            status = fl_fail(&why, "cycle %llu is behind the end of the job, %llu",
                             (unsigned long long)last_cycle(&(*out)[*count]),
                             (unsigned long long)l->g->cycles - 1);
        if (status != 0)
            fl_fail(err, "%s:%d: %s", r->faults, line, why.msg);
        ++*count;
    }
    fl_buf_free(&b);
    if (status == 0 && *count == 0)
        status = fl_fail(err, "%s: no fault in it; write an id a line", r->faults);
    return status;
}

static int explain_rtl(const struct lab *l, const struct upset *u, struct fl_buf *out,
                       struct fl_err *err)
{
    struct fsim_rtl *rtl = fsim_rtl_new(l->g, err);
    int status = rtl ? 0 : 1;
    for (int i = 0; i < u->ncells && status == 0; i++)
        status = transient_rtl_has(rtl, u->cell[i].structure, err) ? 2 : 0;
    if (status == 0) {
        struct fsim_rtl_worker *w = fsim_rtl_worker_new(rtl);
        transient_rtl_explain(w, l->t, u, out);
        fsim_rtl_worker_free(w);
    }
    fsim_rtl_free(rtl);
    return status;
}

static int explain(const struct request *r, struct lab *l, struct fl_err *err)
{
    int status = 0;
    struct upset u;
    struct fl_buf out = {0};
    if (upset_parse(l->img, r->fault, lab_owner, l, &u, err) != 0)
        return 2;
    if (last_cycle(&u) >= l->g->cycles) {
        fl_fail(err, "--fault '%s': the job has cycles 0 to %llu", r->fault,
                (unsigned long long)l->g->cycles - 1);
        return 2;
    }
    struct lab_watches watches = {0};
    if (!l->recorded) {
        lab_watch(l, &watches, &u);
        if (lab_record(l, &watches, err) != 0)
            return 1;
    }
    if (r->opt.rtl) {
        status = explain_rtl(l, &u, &out, err);
    } else {
        struct fsim_worker *w = fsim_worker_new(l->g);
        fsim_worker_follow(w, l->f);
        transient_explain(w, l->t, &u, &out);
        fsim_worker_free(w);
    }
    if (status == 0)
        fl_print(r->people, (char *)out.data);
    fl_buf_free(&out);
    return status;
}

/* The ids of a sample, as they are drawn: there may be more than memory holds. */
static int write_faults(const struct request *r, struct lab *l, struct fl_err *err)
{
    struct fl_buf id = {0};
    struct fl_out o;
    int bad = 0;
    if (avf_check(l->img, l->job->path, &r->opt, err) != 0 ||
        fl_out_open(&o, r->write_faults, err) != 0)
        return 1;
    for (int i = 0; i < r->opt.ntargets && !bad; i++) {
        uint64_t n;
        int structure = sm_structure_find(l->img, r->opt.target[i]);
        bad = avf_sample_size(l, structure, &r->opt, &n, err) != 0;
        for (uint64_t k = 0; k < n && !bad && !ferror(o.f); k++) {
            struct upset u;
            if (!sample_draw(l, structure, &r->opt, k, &u))
                continue;
            id.size = 0;
            upset_print(l->img, &u, &id);
            fprintf(o.f, "%s\n", (char *)id.data);
        }
    }
    fl_buf_free(&id);
    return fl_out_close(&o, !bad, err) != 0 || bad;
}

static int with_lab(struct request *r, const struct job *job, struct fl_err *err)
{
    struct lab l;
    struct upset *list = NULL;
    if (lab_open(&l, job, &r->opt.window, r->opt.max_cycles, err) != 0)
        return 1;
    int status = 0;
    if (r->fault)
        status = explain(r, &l, err);
    else if (r->write_faults)
        status = write_faults(r, &l, err);
    else
        status = read_list(r, &l, &list, &r->opt.nlist, err) != 0;
    r->opt.list = list;
    lab_close(&l);
    return status;
}

/* Stopped by a signal with a store to go on from: STOPPED; without one, *signal is that signal. */
static int campaign(struct request *r, struct job **jobs, int njobs, int *signal,
                    struct fl_err *err)
{
    struct store *s = NULL;
    struct interrupt interrupt;
    interrupt_start(&interrupt);
    r->opt.stop = &interrupt.signal;
    int bad = avf_run((const struct job *const *)jobs, njobs, &r->opt, &s, err);
    int by = interrupt_end(&interrupt);
    r->opt.stop = NULL;
    if (bad && by && !r->opt.store)
        *signal = by;
    if (bad)
        return by ? STOPPED : 1;
    struct fl_err ignored;
    int status = r->fit > 0 && store_set(s, "fit_per_bit", r->fit, err) != 0;
    if (status == 0 && r->opt.shards > 1)
        printf("Shard %d of %d is in %s; join them with faultsim merge.\n", r->opt.shard,
               r->opt.shards, r->opt.store);
    else if (status == 0)
        status = report(r, s, err) != 0;
    if (store_close(s, status ? &ignored : err) != 0)
        status = 1;
    return status;
}

static int simulate(struct request *r)
{
    struct fl_err err = {""};
    struct avf_options *opt = &r->opt;
    const char *no = contradiction(r);
    if (no)
        return wrong("%s", no);
    if (strcmp(r->model, "intermittent") == 0 && !opt->pattern.window)
        opt->pattern.window = 100;
    if (r->faults)
        opt->methods[METHOD_LIST] = true;
    opt->progress = !r->quiet;
    if (!opt->methods[METHOD_SAMPLE] && !opt->methods[METHOD_LIST] && !opt->methods[METHOD_ACE])
        opt->methods[METHOD_EXACT] = true;
    int each = r->nsps ? r->nsps : 1, n = 0, status = 1, signal = 0;
    struct job **jobs = fl_alloc((size_t)(r->njobs * each) * sizeof *jobs);
    struct sm_image **img = fl_alloc((size_t)(r->njobs * each) * sizeof *img);
    for (; n < r->njobs * each; n++) {
        if (job_load(r->jobs[n / each], r->profile, &jobs[n], &err) != 0)
            goto done;
        if (n % each == 0)
            warn_of_outputs(jobs[n]);
        if (r->nsps)
            jobs[n]->profile.sps = r->sps[n % each];
        if (r->nsps > 1) {
            char *name = fl_format("%s@%dsp", jobs[n]->name, r->sps[n % each]);
            free(jobs[n]->name);
            jobs[n]->name = name;
        }
        if (!(img[n] = sm_image_new(jobs[n], &err)))
            goto done;
    }
    if (check_files(r, jobs, n, &err) != 0)
        goto done;
    status = 2;
    if (avf_targets(img, n, opt, &err) != 0)
        goto done;
    opt->pattern.with = r->with ? sm_structure_find(img[0], r->with) : -1;
    if (r->with && opt->pattern.with < 0) {
        fl_fail(&err, "--with: there is no structure '%s'", r->with);
        goto done;
    }
    status = 0;
    if (r->faults) {
        opt->target[0] = "list";
        opt->ntargets = 1;
    }
    if (r->fault || r->faults || r->write_faults)
        status = with_lab(r, jobs[0], &err);
    if (status == 0 && !r->fault && !r->write_faults)
        status = campaign(r, jobs, n, &signal, &err);
    free((void *)(uintptr_t)opt->list);
done:
    if (status)
        fail(&err);
    for (int i = 0; i < r->njobs * each; i++) {
        sm_image_free(img[i]);
        job_free(jobs[i]);
    }
    free(img);
    free(jobs);
    if (signal)
        interrupt_raise(signal);
    return status;
}

static int merge(int argc, char **argv)
{
    struct fl_err err;
    if (argc > 2 && (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0)) {
        print_usage();
        return 0;
    }
    if (argc < 4)
        return wrong("%s", "merge takes a new file and the shards: merge OUT.db SHARD.db...");
    return store_merge(argv[2], (const char *const *)&argv[3], argc - 3, &err) ? fail(&err) : 0;
}

/* The campaign is over: of its options, only those that look at the result mean something. */
static bool only_reports(const struct request *r)
{
    const struct avf_options *o = &r->opt;
    bool method = o->methods[METHOD_EXACT] || o->methods[METHOD_SAMPLE] || o->methods[METHOD_ACE];
    return !(method || r->targets || r->fault || r->faults || r->write_faults || r->nsps ||
             o->store || o->resume || o->shards > 1 || o->window.launch >= 0 || o->window.from ||
             o->window.to != UINT64_MAX);
}

static int report_store(struct request *r)
{
    struct fl_err err;
    struct store *s;
    if (r->njobs != 1)
        return wrong("%s", "report takes one STORE.db");
    if (!only_reports(r))
        return wrong("%s", "report shows a whole campaign: it takes exports, --quiet and a rate "
                           "per bit only");
    if (check_files(r, NULL, 0, &err) != 0 || store_read(r->jobs[0], &s, &err) != 0)
        return fail(&err);
    int status = 0, shards, shard = store_shard(s, &shards);
    if (shards > 1)
        status = fl_fail(&err,
                         "%s: holds shard %d/%d, a part of the flips; join all shards with "
                         "faultsim merge, and report that file",
                         r->jobs[0], shard, shards);
    else if (r->fit > 0 && drew_owned(s))
        status = fl_fail(&err, "%s: %s", r->jobs[0], owned_only);
    else if (!store_complete(s))
        status = fl_fail(&err, "%s: the campaign is not finished; go on with --store %s --resume",
                         r->jobs[0], r->jobs[0]);
    if (status == 0)
        status = report(r, s, &err);
    if (status)
        fail(&err);
    struct fl_err ignored;
    store_close(s, &ignored);
    return status ? 1 : 0;
}

int transient_main(int argc, char **argv)
{
    struct request r = {.opt = {.target = {"rf"},
                                .ntargets = 1,
                                .margin = 0.01,
                                .confidence = 0.95,
                                .seed = 1,
                                .pattern = {.with = -1},
                                .window = {.launch = -1, .to = UINT64_MAX},
                                .progress = true,
                                .shard = 1,
                                .shards = 1,
                                .max_cycles = 1000000000},
                        .model = "transient",
                        .people = stdout};
    if (argc > 1 && strcmp(argv[1], "merge") == 0)
        return merge(argc, argv);
    bool reporting = argc > 1 && strcmp(argv[1], "report") == 0;
    int stop = read_options(argc - reporting, argv + reporting, &r);
    int status = stop ? stop - 1 : reporting ? report_store(&r) : simulate(&r);
    free(r.targets);
    return status;
}
