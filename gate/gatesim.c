/* gatesim.c -- the command line of the fault simulator for netlists. */
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/threads.h"
#include "base/usage.h"
#include "cover.h"
#include "sim.h"

enum { PATTERNS = 1, RANDOM, SEED, MODEL, ENGINE, WIDTH, KEEP, FAULTS, CSV, DETECTED, WRITE };
static const struct usage_row rows[] = {
    {.help = "Patterns"},
    {"--patterns FILE", "a line of 0 and 1 for each pattern: inputs in the order of the netlist",
     PATTERNS},
    {"--random N", "as many random ones (default: 10240)", RANDOM},
    {"--seed N", "of the random ones (default: 1)", SEED},
    {"--write-patterns FILE", "writes them down", WRITE},
    {.help = "Faults"},
    {"--model stuck-at|transition", "transition: slow to rise or to fall, by pairs of patterns",
     MODEL},
    {"--faults FILE", "those of a list as `gatesim faults` prints it, not all", FAULTS},
    {"--keep", "goes on with faults that have been detected, and counts how often they are", KEEP},
    {.help = "Simulation"},
    {"--engine patterns|faults|mixed",
     "patterns: each sets inputs and flip-flops and sees both (full scan), so many at once; "
     "faults: "
     "from the reset cycle by cycle, so many faults at once; mixed: the same result, sooner. "
     "Default: mixed where there are flip-flops, else patterns",
     ENGINE},
    {"--width 64|128|256|512", "bits of a word (default: the widest that suits the processor)",
     WIDTH},
    {.help = "Results"},
    {"--csv FILE", "a row for each class of faults", CSV},
    {"--detected FILE", "the list of the detected faults", DETECTED},
    USAGE_GENERAL,
    {0},
};
static const struct usage usage = {
    "gatesim", "simulates the stuck-at and transition faults of a netlist (BLIF or .bench)",
    "NETLIST [OPTION]...\nfaults NETLIST [--model M]\nmap NETLIST", rows};

enum { OK, PROBLEM, USAGE };

struct options {
    const char *command, *netlist;
    const char *patterns, *faults, *csv, *detected, *write;
    uint32_t random;
    uint64_t seed;
    enum gate_model model;
    int engine; /* -1: what suits the netlist */
    int width;
    bool keep;
    FILE *people;
};

static int choice(const char *text, const char *const *word, int words)
{
    for (int i = 0; i < words; i++)
        if (strcmp(text, word[i]) == 0)
            return i;
    return -1;
}

static int number(const char *option, const char *text, uint64_t most, uint64_t *out)
{
    char *end;
    *out = strtoull(text, &end, 10);
    if (*end || *text < '0' || *text > '9' || *out > most)
        return fl_complain(USAGE, "%s %s: write a number up to %" PRIu64, option, text, most);
    return OK;
}

static const char *const engine_name[] = {"patterns", "faults", "mixed"};

static int parse(int argc, char **argv, struct options *o)
{
    static const char *const command[] = {"faults", "map"};
    struct fl_err err;
    for (int c; (c = usage_next(&usage, argc, argv)) != USAGE_END;) {
        uint64_t v = 0;
        int i;
        switch (c) {
        case USAGE_ANSWERED: return OK;
        case PATTERNS: o->patterns = optarg; break;
        case WRITE: o->write = optarg; break;
        case FAULTS: o->faults = optarg; break;
        case CSV: o->csv = optarg; break;
        case DETECTED: o->detected = optarg; break;
        case KEEP: o->keep = true; break;
        case RANDOM:
            if (number("--random", optarg, 1u << 30, &v))
                return USAGE;
            if (v == 0)
                return fl_complain(USAGE, "--random 0: nothing to simulate; give at least 1");
            o->random = (uint32_t)v;
            break;
        case SEED:
            if (number("--seed", optarg, UINT64_MAX, &o->seed))
                return USAGE;
            break;
        case MODEL:
            if ((i = choice(optarg, gate_model_name, 2)) < 0)
                return fl_complain(USAGE, "--model %s: write stuck-at or transition", optarg);
            o->model = (enum gate_model)i;
            break;
        case ENGINE:
            if ((o->engine = choice(optarg, engine_name, 3)) < 0)
                return fl_complain(USAGE, "--engine %s: write patterns, faults or mixed", optarg);
            break;
        case WIDTH:
            if (number("--width", optarg, 512, &v))
                return USAGE;
            if (v == 0 || gate_width((int)v, &err) < 0)
                return fl_complain(USAGE, "--width %s: write 64, 128, 256 or 512", optarg);
            o->width = (int)v;
            break;
        default: return USAGE;
        }
    }
    if (optind < argc && choice(argv[optind], command, 2) >= 0)
        o->command = argv[optind++];
    if (optind + 1 != argc)
        return fl_complain(USAGE, optind == argc ? "no netlist given" : "more than one file given");
    if (o->patterns && o->random)
        return fl_complain(USAGE, "--patterns and --random: give one of them");
    o->netlist = argv[optind];
    return -1; /* go on */
}

static int write_text(const char *path, struct fl_buf *text, struct fl_err *err)
{
    int bad = path ? fl_write_file(fl_output(path), text->data, text->size, err) : 0;
    fl_buf_free(text);
    return bad;
}

/* ---- results --------------------------------------------------------------------------------- */

struct run {
    const struct options *o;
    const struct gate_netlist *n;
    const struct gate_faults *f;
    struct gate_patterns p;
    struct gate_cover how;
    struct gate_found *found;
    uint32_t *members; /* faults in each class */
    uint32_t detected, all, detected_all;
};

static void count(struct run *r)
{
    r->members = fl_alloc(r->f->count * sizeof *r->members);
    for (uint32_t i = 0; i < r->f->all; i++)
        if (r->f->class_of[i] != UINT32_MAX)
            r->members[r->f->class_of[i]]++;
    for (uint32_t c = 0; c < r->f->count; c++) {
        bool hit = r->found[c].first != GATE_NEVER;
        r->detected += hit;
        r->all += r->members[c];
        r->detected_all += hit ? r->members[c] : 0;
    }
}

static void patterns_text(const struct run *r, struct fl_buf *out)
{
    if (r->o->patterns)
        fl_buf_printf(out, "%u patterns of %s", r->p.count, r->o->patterns);
    else
        fl_buf_printf(out, "%u random patterns, seed %" PRIu64, r->p.count, r->o->seed);
}

static double percent(uint32_t part, uint32_t whole)
{
    return whole ? 100.0 * part / whole : 0;
}

static int write_results(const struct run *r, struct fl_err *err)
{
    struct fl_buf csv = {0}, list = {0};
    char id[GATE_ID_ROOM];
    fl_buf_printf(&csv, "# netlist %s\n# model %s\n# ", r->n->digest, gate_model_name[r->f->model]);
    patterns_text(r, &csv);
    fl_buf_printf(&csv, "\n# %s, %s\nfault,faults,detected,first_pattern,patterns\n",
                  r->how.engine == GATE_BY_PATTERNS ? "all flip-flops scanned" : "from the reset",
                  r->how.drop ? "dropping" : "without dropping");
    fl_buf_printf(&list, "# netlist %s\n# model %s\n", r->n->digest, gate_model_name[r->f->model]);
    for (uint32_t c = 0; c < r->f->count; c++) {
        const struct gate_found *f = &r->found[c];
        gate_fault_id(r->n, r->f->model, r->f->fault[c], id);
        fl_buf_printf(&csv, "%s,%u,%s,", id, r->members[c], f->times ? "yes" : "no");
        if (f->times)
            fl_buf_printf(&csv, "%u,%u", f->first, f->times);
        else
            fl_buf_printf(&csv, ",0");
        fl_buf_printf(&csv, "\n");
        if (f->times)
            fl_buf_printf(&list, "%s\n", id);
    }
    int bad = write_text(r->o->csv, &csv, err), other = write_text(r->o->detected, &list, err);
    return bad || other;
}

static void report(const struct run *r, double seconds)
{
    FILE *f = r->o->people;
    struct fl_buf b = {0};
    fl_buf_printf(&b, "%s faults: %u of %u, in %u classes\n", gate_model_name[r->f->model], r->all,
                  r->f->all, r->f->count);
    patterns_text(r, &b);
    fl_buf_printf(&b, ": %u classes detected, %.2f %%; %u faults, %.2f %%\n", r->detected,
                  percent(r->detected, r->f->count), r->detected_all,
                  percent(r->detected_all, r->all));
    fl_buf_printf(&b, "%s, %d bits: %.6f s, %.3g fault-patterns/s\n", engine_name[r->how.engine],
                  r->how.width, seconds, (double)r->f->count * r->p.count / seconds);
    fl_print(f, (const char *)b.data);
    fl_buf_free(&b);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void describe(const struct options *o, const struct gate_netlist *n)
{
    struct fl_buf b = {0};
    fl_buf_printf(&b, "%s: %u inputs, %u outputs, %u flip-flops, %u gates, depth %u\ndigest %s\n",
                  o->netlist, n->inputs, n->outputs, n->flops, n->nets - n->inputs - n->flops,
                  n->depth, n->digest);
    fl_print(o->people, (const char *)b.data);
    fl_buf_free(&b);
}

static int load_patterns(struct run *r, struct fl_err *err)
{
    const struct options *o = r->o;
    bool scan = r->how.engine == GATE_BY_PATTERNS;
    uint32_t sources = r->n->inputs + (scan ? r->n->flops : 0);
    if (o->patterns)
        return gate_patterns_read(fl_input(o->patterns), sources,
                                  scan && r->n->flops ? "inputs and flip-flops" : "inputs", &r->p,
                                  err);
    r->p = gate_patterns_random(sources, o->random ? o->random : 10240, o->seed);
    return 0;
}

static int simulate(const struct options *o, const struct gate_netlist *n,
                    const struct gate_faults *f, struct fl_err *err)
{
    struct run r = {.o = o, .n = n, .f = f};
    r.how.engine = o->engine >= 0 ? (enum gate_engine)o->engine
                   : n->flops     ? GATE_MIXED
                                  : GATE_BY_PATTERNS;
    r.how.width = gate_width(o->width, err);
    r.how.drop = !o->keep;
    int bad = load_patterns(&r, err);
    if (!bad && o->write) {
        struct fl_buf text = {0};
        gate_patterns_print(&r.p, &text);
        bad = write_text(o->write, &text, err);
    }
    if (!bad) {
        describe(o, n);
        r.found = fl_alloc(f->count * sizeof *r.found);
        double start = fl_seconds();
        gate_cover(n, f, &r.p, r.how, r.found);
        double end = fl_seconds();
        count(&r);
        report(&r, end - start);
        bad = write_results(&r, err);
    }
    free(r.found);
    free(r.members);
    gate_patterns_free(&r.p);
    return bad;
}

static int check_files(struct options *o, struct fl_err *err)
{
    struct fl_files files = {0};
    fl_files_in(&files, "the netlist", o->netlist);
    fl_files_in(&files, "--patterns", o->patterns);
    fl_files_in(&files, "--faults", o->faults);
    fl_files_out(&files, "--csv", o->csv);
    fl_files_out(&files, "--detected", o->detected);
    fl_files_out(&files, "--write-patterns", o->write);
    o->people = fl_files_people(&files);
    int bad = fl_files_check(&files, err);
    fl_files_free(&files);
    return bad;
}

static int work(struct options *o)
{
    struct gate_netlist *n = NULL;
    struct gate_faults *f = NULL, *part = NULL;
    struct fl_buf text = {0};
    struct fl_err err = {""};
    int bad = check_files(o, &err) || gate_read(fl_input(o->netlist), &n, &err);
    if (!bad)
        f = gate_faults_new(n, o->model);
    if (!bad && o->faults)
        bad = gate_faults_read(fl_input(o->faults), n, f, &part, &err);
    if (!bad && !o->command)
        bad = simulate(o, n, part ? part : f, &err);
    else if (!bad && strcmp(o->command, "map") == 0)
        gate_map(n, &text);
    else if (!bad)
        gate_faults_print(n, part ? part : f, &text);
    if (!bad && text.size)
        fwrite(text.data, 1, text.size, stdout);
    fl_buf_free(&text);
    gate_faults_free(part);
    gate_faults_free(f);
    gate_netlist_free(n);
    return bad ? fl_complain(PROBLEM, "%s", err.msg) : OK;
}

int main(int argc, char **argv)
{
    struct options o = {.seed = 1, .engine = -1, .people = stdout};
    fl_start("gatesim");
    int status = parse(argc, argv, &o);
    if (status < 0)
        status = work(&o);
    return fl_end(status);
}
