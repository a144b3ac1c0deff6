/* gatesim.c -- the command line of the fault simulator for netlists. */
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/progress.h"
#include "base/table.h"
#include "base/usage.h"
#include "gate/cover.h"
#include "gate/lists/lists.h"
#include "gate/mapped/mapped.h"
#include "gate/prove/matrix.h"
#include "gate/prove/prove.h"
#include "gate/sim.h"
#include "gate/tester/formats.h"
#include "gate/unknown.h"

enum {
    PATTERNS = 1,
    RANDOM,
    SEED,
    PERIOD,
    STROBE,
    SCOPE,
    MODEL,
    ENGINE,
    WIDTH,
    KEEP,
    FAULTS,
    CSV,
    DETECTED,
    WRITE,
    FAULT,
    CONSTRAIN,
    CONFLICTS,
    LIBERTY,
    TOP,
    UNDRIVEN,
    ONE_CLOCK,
    WRITE_FAULTS,
    FORMAT,
    COLLAPSED
};
static const struct usage_row rows[] = {
    {.help = "Netlist of library cells (Verilog)"},
    {"--liberty FILE", "Liberty file of its cells; may be given several times", LIBERTY},
    {"--top MODULE", "the module to simulate (default: the one that no other uses)", TOP},
    {"--undriven 0|1", "the value of nets and pins that nothing drives (default: they are refused)",
     UNDRIVEN},
    {"--one-clock", "take all clocks and edges as one edge a cycle (full scan)", ONE_CLOCK},
    {.help = "Patterns"},
    {"--patterns FILE",
     "STIL, VCD or extended VCD, by the names of ports; or a line of 0 and 1 for each pattern: "
     "inputs in "
     "the order of the netlist",
     PATTERNS},
    {"--period TIME", "of a VCD: the length of a cycle, such as 10ns", PERIOD},
    {"--strobe TIME",
     "of a VCD: when inputs and outputs of the first cycle are sampled, such as 9ns", STROBE},
    {"--scope NAME",
     "of a VCD: the scope of the unit, such as tb.dut (default: that with its ports)", SCOPE},
    {"--random N", "number of random patterns (default: 10240)", RANDOM},
    {"--seed N", "seed of the random patterns (default: 1)", SEED},
    {"--write-patterns FILE",
     "write the patterns to a file: as STIL with the fault-free outputs if its name ends in .stil, "
     "else "
     "as lines",
     WRITE},
    {.help = "Faults"},
    {"--model stuck-at|transition",
     "stuck-at (default), or transition-delay faults (slow-to-rise, slow-to-fall), by pairs of "
     "patterns; also transition-delay",
     MODEL},
    {"--faults FILE",
     "only the faults of a list, as `gatesim faults` prints it or of TetraMAX, FastScan or Z01X",
     FAULTS},
    {"--keep", "keep detected faults in the simulation, and count their detections", KEEP},
    {.help = "Simulation"},
    {"--engine patterns|faults|mixed",
     "patterns: full scan, many patterns at once (each sets and reads inputs and flip-flops); "
     "faults: cycle by cycle from the reset, many faults at once; mixed: the same result as "
     "faults, faster. Default: mixed for netlists with flip-flops, else patterns",
     ENGINE},
    {"--width 64|128|256|512", "bits of a word (default: the widest that suits the processor)",
     WIDTH},
    {.help = "Proofs (atpg, prove)"},
    {"--fault ID", "atpg: the fault to find a test vector for", FAULT},
    {"--constrain FILE",
     "input constraints, one a line: op[3:0] in {0..9}, a -> !b, use OTHER.blif; observed outputs: "
     "watch y when a, into NEXT.blif",
     CONSTRAIN},
    {"--conflicts N", "abort a fault after N conflicts of the solver (default: 100000; 0: never)",
     CONFLICTS},
    {.help = "Results"},
    {"--csv FILE", "a row for each class of faults", CSV},
    {"--detected FILE", "the list of the detected faults", DETECTED},
    {"--write-faults FILE", "a list of the faults with the class of each", WRITE_FAULTS},
    {"--format gatesim|tetramax|fastscan|z01x",
     "of that list (default: gatesim, which has no classes)", FORMAT},
    {"--collapsed", "one fault of each set of equivalent ones in that list", COLLAPSED},
    USAGE_GENERAL,
    {0},
};
static const struct usage usage = {
    "gatesim",
    "simulates the stuck-at and transition faults of a netlist (Verilog with Liberty, BLIF or "
    ".bench)",
    "NETLIST [--liberty FILE] [OPTION]...\natpg NETLIST --fault ID [--constrain FILE]\n"
    "prove NETLIST [--constrain FILE] [--patterns FILE] [--csv FILE] [--write-patterns FILE]\n"
    "matrix NETLIST --patterns FILE [--constrain FILE] --csv FILE\n"
    "faults NETLIST "
    "[--model M]\nmap NETLIST\nhelp",
    rows};

enum { OK, PROBLEM, USAGE };

struct options {
    const char *command, *netlist;
    const char *patterns, *faults, *csv, *detected, *write, *write_faults;
    enum gate_form form;
    bool collapsed;
    uint32_t random;
    uint64_t seed;
    const char *fault, *constrain;
    const char **liberty;
    struct gate_how how;
    const char *period, *strobe, *scope;
    int conflicts;
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

static bool is(const struct options *o, const char *command)
{
    return o->command && strcmp(o->command, command) == 0;
}

static const char *const engine_name[] = {"patterns", "faults", "mixed"};

static int parse(int argc, char **argv, struct options *o)
{
    static const char *const command[] = {"faults", "map", "atpg", "prove", "matrix"};
    enum { COMMANDS = sizeof command / sizeof *command };
    struct fl_err err;
    for (int c; (c = usage_next(&usage, argc, argv)) != USAGE_END;) {
        uint64_t v = 0;
        int i;
        switch (c) {
        case USAGE_ANSWERED: return OK;
        case PATTERNS: o->patterns = optarg; break;
        case WRITE: o->write = optarg; break;
        case FAULTS: o->faults = optarg; break;
        case PERIOD: o->period = optarg; break;
        case STROBE: o->strobe = optarg; break;
        case SCOPE: o->scope = optarg; break;
        case CSV: o->csv = optarg; break;
        case WRITE_FAULTS: o->write_faults = optarg; break;
        case COLLAPSED: o->collapsed = true; break;
        case FORMAT:
            if ((i = choice(optarg, gate_form_name, GATE_FORMS)) < 0)
                return fl_complain(USAGE, "--format %s: write gatesim, tetramax, fastscan or z01x",
                                   optarg);
            o->form = (enum gate_form)i;
            break;
        case DETECTED: o->detected = optarg; break;
        case FAULT: o->fault = optarg; break;
        case CONSTRAIN: o->constrain = optarg; break;
        case CONFLICTS:
            if (number("--conflicts", optarg, INT_MAX, &v))
                return USAGE;
            o->conflicts = (int)v;
            break;
        case KEEP: o->keep = true; break;
        case LIBERTY:
            o->liberty = fl_grow(o->liberty, o->how.liberties + 1, sizeof *o->liberty);
            o->liberty[o->how.liberties++] = optarg;
            break;
        case TOP: o->how.top = optarg; break;
        case UNDRIVEN:
            if (strcmp(optarg, "0") != 0 && strcmp(optarg, "1") != 0)
                return fl_complain(USAGE, "--undriven %s: write 0 or 1", optarg);
            o->how.undriven = *optarg - '0';
            break;
        case ONE_CLOCK: o->how.one_clock = true; break;
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
            if ((i = gate_model_find(optarg)) < 0)
                return fl_complain(USAGE,
                                   "--model %s: write stuck-at or transition (or "
                                   "transition-delay, the same)",
                                   optarg);
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
    if (optind < argc && strcmp(argv[optind], "help") == 0) {
        struct fl_buf help = {0};
        usage_help(&usage, &help);
        fl_print(stdout, (const char *)help.data);
        fl_buf_free(&help);
        return OK;
    }
    if (optind < argc && choice(argv[optind], command, COMMANDS) >= 0)
        o->command = argv[optind++];
    if (optind + 1 != argc)
        return fl_complain(USAGE, optind == argc ? "no netlist given" : "more than one file given");
    if (o->random && o->command)
        return fl_complain(USAGE, "--random belongs to a simulation; %s takes no random patterns%s",
                           o->command,
                           is(o, "prove") ? " but those of --seed, and --patterns FILE" : "");
    if (o->engine >= 0 && o->command)
        return fl_complain(USAGE, "--engine belongs to a simulation; leave it out with %s",
                           o->command);
    if (o->patterns && o->random)
        return fl_complain(USAGE, "--patterns and --random: give one of them");
    uint64_t time;
    if (o->period && (gate_time(o->period, &time) || time == 0))
        return fl_complain(USAGE, "--period %s: write a time with its unit, such as 10ns",
                           o->period);
    if (o->strobe && gate_time(o->strobe, &time))
        return fl_complain(USAGE, "--strobe %s: write a time with its unit, such as 9ns",
                           o->strobe);
    if (!o->period != !o->strobe)
        return fl_complain(USAGE,
                           "--period and --strobe belong together: the length of a cycle, and "
                           "when it is sampled");
    if ((o->period || o->scope) && !o->patterns)
        return fl_complain(USAGE, "%s belongs to --patterns FILE, a VCD",
                           o->period ? "--period" : "--scope");
    bool atpg = is(o, "atpg"), proves = atpg || is(o, "prove");
    if (atpg && !o->fault)
        return fl_complain(USAGE, "atpg needs --fault ID; gatesim faults NETLIST lists them");
    if (o->fault && !atpg)
        return fl_complain(USAGE, "--fault belongs to atpg; a list is given with --faults FILE");
    if (o->constrain && !proves && !is(o, "matrix"))
        return fl_complain(USAGE, "--constrain belongs to atpg, prove and matrix");
    if (is(o, "matrix") && (!o->patterns || !o->csv))
        return fl_complain(USAGE, "matrix needs --patterns FILE and --csv FILE");
    if (o->write_faults && (atpg || is(o, "matrix") || is(o, "map")))
        return fl_complain(USAGE, "--write-faults belongs to a simulation, prove and faults");
    if ((o->form != GATE_FORM_OWN || o->collapsed) && !o->write_faults)
        return fl_complain(USAGE, "--format and --collapsed belong to --write-faults FILE");
    o->netlist = argv[optind];
    return -1; /* go on */
}

static int write_text(const char *path, struct fl_buf *text, struct fl_err *err)
{
    int bad = path ? fl_write_file(fl_output(path), text->data, text->size, err) : 0;
    fl_buf_free(text);
    return bad;
}

static void describe(const struct options *o, const struct gate_netlist *n)
{
    struct fl_buf b = {0};
    fl_buf_printf(&b, "%s: %u inputs, %u outputs, %u flip-flops, %u gates, depth %u\ndigest %s\n",
                  o->netlist, n->inputs, n->outputs, n->flops, n->nets - n->inputs - n->flops,
                  n->depth, n->digest);
    fl_print(o->people, (const char *)b.data);
    fl_buf_free(&b);
}

/* ---- results --------------------------------------------------------------------------------- */

struct run {
    const struct options *o;
    const struct gate_netlist *n;
    const struct gate_faults *f;
    struct gate_patterns p;
    struct gate_strobes strobes;
    struct gate_cover how;
    struct gate_found *found;
    const uint8_t *listed; /* [classes] what a list of --faults says, or NULL */
    uint32_t detected, all, detected_all, possible_all;
};

static void count(struct run *r)
{
    for (uint32_t c = 0; c < r->f->count; c++) {
        bool hit = r->found[c].first != GATE_NEVER;
        r->detected += hit;
        r->all += r->f->members[c];
        r->detected_all += hit ? r->f->members[c] : 0;
        if (!hit && r->found[c].possible != GATE_NEVER)
            r->possible_all += r->f->members[c];
    }
}

static void patterns_text(const struct run *r, struct fl_buf *out)
{
    if (r->o->patterns)
        fl_buf_printf(out, "%u patterns of %s", r->p.count, r->o->patterns);
    else
        fl_buf_printf(out, "%u random patterns, seed %" PRIu64, r->p.count, r->o->seed);
}

/* What a strobe observes: "output y", "flip-flop q". */
static void strobe_text(const struct run *r, uint32_t watched, struct fl_buf *out)
{
    if (watched < r->n->outputs)
        fl_buf_printf(out, "output %s", r->n->output_name[watched]);
    else
        fl_buf_printf(out, "flip-flop %s", r->n->name[r->n->inputs + watched - r->n->outputs]);
}

static void strobes_text(const struct run *r, struct fl_buf *out)
{
    const struct gate_strobes *s = &r->strobes;
    if (!r->p.expect)
        return;
    fl_buf_printf(out, "%" PRIu64 " strobes, %" PRIu64 " differ from the netlist", s->count,
                  s->differ);
    if (s->differ) {
        fl_buf_printf(out, "; the first: pattern %u (%s:%u), ", s->pattern, r->o->patterns,
                      r->p.line[s->pattern]);
        strobe_text(r, s->watched, out);
        fl_buf_printf(out, ": %c in the file", s->expected ? 'H' : 'L');
    }
}

/* The faults with what is known of each, and the coverage of it. */
static int write_list(const struct options *o, const struct gate_netlist *n,
                      const struct gate_faults *f, const uint8_t *status, struct fl_err *err)
{
    struct fl_buf list = {0}, said = {0};
    struct gate_summary s = gate_summary_of(f, status);
    if (n->places || o->form != GATE_FORM_OWN) {
        fl_buf_printf(
            &said,
            "faults: %u detected, %u possibly detected, %u undetectable, %u untestable under "
            "constraints, %u others\n",
            s.detected, s.possible, s.untestable, s.constrained, s.other);
        fl_buf_printf(&said, "test coverage %.2f %%, fault coverage %.2f %%\n", s.test, s.fault);
        fl_print(o->people, (const char *)said.data);
    }
    fl_buf_free(&said);
    if (!o->write_faults)
        return 0;
    gate_lists_write(n, f, o->form, o->collapsed, status, &list);
    return write_text(o->write_faults, &list, err);
}

/* Faults that a list calls undetectable stay so, and those that patterns detect all the same are told. */
static int write_simulated(const struct run *r, struct fl_err *err)
{
    uint8_t *status = fl_alloc(r->f->count), *values = NULL;
    uint32_t wrong = 0, first = 0;
    char id[GATE_ID_ROOM];
    for (uint32_t c = 0; c < r->f->count; c++) {
        uint8_t listed = r->listed ? r->listed[c] : GATE_IS_UNDECIDED;
        bool undetectable = listed == GATE_IS_UNTESTABLE || listed == GATE_IS_TIED ||
                            listed == GATE_IS_UNUSED;
        status[c] = r->found[c].first != GATE_NEVER      ? GATE_IS_DETECTED
                    : undetectable                       ? listed
                    : r->found[c].possible != GATE_NEVER ? GATE_IS_POSSIBLE
                    : listed == GATE_IS_CONSTRAINED      ? listed
                                                         : GATE_IS_UNOBSERVED;
        if (undetectable && status[c] == GATE_IS_DETECTED && !wrong++)
            first = r->f->fault[c];
    }
    if (wrong) {
        struct fl_buf b = {0};
        fl_buf_printf(&b,
                      "%u classes that %s calls undetectable are detected, the first %s: the list "
                      "belongs to another netlist, or was made under constraints\n",
                      wrong, r->o->faults, gate_fault_id(r->n, r->f->model, first, id));
        fl_print(r->o->people, (const char *)b.data);
        fl_buf_free(&b);
    }
    if (r->o->write_faults)
        values = gate_unknown_values(r->n, &r->p);
    gate_lists_refine(r->n, r->f, values, status);
    int bad = write_list(r->o, r->n, r->f, status, err);
    free(values);
    free(status);
    return bad;
}

/* A clock that a scan test would need as well is not proved by its vector. */
static bool is_clock(const struct gate_netlist *n, uint32_t fault)
{
    return n->stops && n->stops[GATE_SITE(fault)];
}

static int write_proved(const struct options *o, const struct gate_netlist *n,
                        const struct gate_faults *f, const uint8_t *verdict, struct fl_err *err)
{
    static const uint8_t of[GATE_VERDICTS] = {[GATE_TESTABLE] = GATE_IS_DETECTED,
                                              [GATE_UNTESTABLE] = GATE_IS_UNTESTABLE,
                                              [GATE_UNREACHABLE] = GATE_IS_CONSTRAINED,
                                              [GATE_UNOBSERVABLE] = GATE_IS_CONSTRAINED,
                                              [GATE_UNDECIDED] = GATE_IS_UNDECIDED};
    uint8_t *status = fl_alloc(f->count);
    for (uint32_t c = 0; c < f->count; c++)
        status[c] = verdict[c] == GATE_TESTABLE && is_clock(n, f->fault[c]) ? GATE_IS_IMPLIED
                                                                            : of[verdict[c]];
    gate_lists_refine(n, f, NULL, status);
    int bad = write_list(o, n, f, status, err);
    free(status);
    return bad;
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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
    if (r->p.expect) {
        fl_buf_printf(&csv, "\n# ");
        strobes_text(r, &csv);
    }
    fl_buf_printf(&csv, "\n# %s, %s\nfault,faults,detected,first_pattern,patterns\n",
                  r->how.engine == GATE_BY_PATTERNS ? "all flip-flops scanned"
                  : r->n->unknown                   ? "from power-up"
                                                    : "from the reset",
                  r->how.drop ? "dropping" : "without dropping");
    fl_buf_printf(&list, "# netlist %s\n# model %s\n", r->n->digest, gate_model_name[r->f->model]);
    for (uint32_t c = 0; c < r->f->count; c++) {
        const struct gate_found *f = &r->found[c];
        gate_fault_id(r->n, r->f->model, r->f->fault[c], id);
        fl_buf_printf(&csv, "%s,%u,%s,", id, r->f->members[c],
                      f->times                    ? "yes"
                      : f->possible != GATE_NEVER ? "possibly"
                                                  : "no");
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

/* What the unknown values of flip-flops at power-up mean for the patterns. */
static void unknowns_text(const struct run *r, struct fl_buf *b)
{
    struct gate_unknowns u = gate_unknowns_of(r->n, &r->p);
    fl_buf_printf(b, "from power-up: %" PRIu64 " of %" PRIu64 " observed outputs unknown",
                  u.unknown, u.all);
    if (u.known_from == GATE_NEVER)
        fl_buf_printf(b, ", some flip-flops to the end");
    else
        fl_buf_printf(b, ", all flip-flops known after %u pattern%s", u.known_from,
                      u.known_from == 1 ? "" : "s");
    fl_buf_printf(b, "; %u faults possibly detected\n", r->possible_all);
}

static void report(const struct run *r, double seconds)
{
    FILE *f = r->o->people;
    struct fl_buf b = {0};
    fl_buf_printf(&b, "%s faults: %u of %u, in %u classes\n", gate_model_name[r->f->model], r->all,
                  r->f->listed, r->f->count);
    if (r->p.expect) {
        strobes_text(r, &b);
        fl_buf_printf(&b, "\n");
    }
    patterns_text(r, &b);
    fl_buf_printf(&b, ": %u classes detected, %.2f %%; %u faults, %.2f %%\n", r->detected,
                  percent(r->detected, r->f->count), r->detected_all,
                  percent(r->detected_all, r->all));
    if (r->n->unknown && r->n->flops && r->how.engine != GATE_BY_PATTERNS)
        unknowns_text(r, &b);
    fl_buf_printf(&b, "%s, %d bits: %.6f s of processor time, %.3g fault-patterns/s\n",
                  engine_name[r->how.engine], r->how.width, seconds,
                  (double)r->f->count * r->p.count / seconds);
    fl_print(f, (const char *)b.data);
    fl_buf_free(&b);
}

/* ---- patterns -------------------------------------------------------------------------------- */

/* Of any format. `scan`: what of gate_reading. */
static int read_patterns(const struct options *o, const struct gate_netlist *n, int scan,
                         struct gate_patterns *p, struct fl_err *err)
{
    const char *path = fl_input(o->patterns);
    struct fl_buf text = {0}, notes = {0};
    struct gate_reading how = {
        .pairs = o->model == GATE_TRANSITION, .scope = o->scope, .sets_flops = o->command != NULL};
    how.scan = scan == GATE_SCAN ? GATE_SCAN : scan == GATE_CYCLES ? GATE_CYCLES : GATE_SCAN_AUTO;
    if (o->period) {
        gate_time(o->period, &how.period);
        gate_time(o->strobe, &how.strobe);
    }
    if (fl_read_text(path, &text, err))
        return -1;
    const char *data = (const char *)text.data;
    enum gate_format format = gate_format_of(data);
    int bad = 0;
    if (format != GATE_VCD && (o->period || o->scope))
        bad = fl_fail(err, "%s: is no VCD, so it has no %s; leave it out", o->patterns,
                      o->period ? "--period" : "--scope");
    else if (format == GATE_STIL)
        bad = gate_stil_read(path, data, n, &how, p, &notes, err);
    else if (format == GATE_VCD)
        bad = gate_vcd_read(path, data, n, &how, p, &notes, err);
    else
        bad = gate_patterns_text(path, data, n->inputs + (scan == GATE_SCAN ? n->flops : 0),
                                 scan == GATE_SCAN && n->flops ? "inputs and flip-flops" : "inputs",
                                 p, err);
    if (!bad && notes.size)
        fl_print(o->people, (const char *)notes.data);
    fl_buf_free(&text);
    fl_buf_free(&notes);
    return bad;
}

/* Into the file of --write-patterns: as STIL, or a pattern a line. */
static int write_patterns(const struct options *o, const struct gate_netlist *n,
                          const struct gate_patterns *p, struct fl_err *err)
{
    struct fl_buf text = {0};
    size_t length = o->write ? strlen(o->write) : 0;
    bool stil = length > 5 && strcmp(o->write + length - 5, ".stil") == 0;
    int bad = 0;
    if (!o->write)
        return 0;
    if (stil && o->model == GATE_TRANSITION && n->flops && p->sources > n->inputs)
        bad = fl_fail(
            err,
            "--write-patterns %s: a pair of two states of the flip-flops has no form in STIL; "
            "choose a name that does not end in .stil",
            o->write);
    else if (!stil && p->hold)
        bad = fl_fail(
            err,
            "--write-patterns %s: lines of 0 and 1 do not tell that a vector has no clock "
            "pulse; choose a name that ends in .stil",
            o->write);
    else if (stil)
        bad = gate_stil_print(n, p, &text, err);
    else
        gate_patterns_print(p, &text);
    if (bad)
        fl_buf_free(&text);
    return bad ? -1 : write_text(o->write, &text, err);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* The patterns, and the engine that suits them. */
static int load_patterns(struct run *r, struct fl_err *err)
{
    const struct options *o = r->o;
    const struct gate_netlist *n = r->n;
    enum { ANY = GATE_SCAN_AUTO };
    int scan = o->engine == GATE_BY_PATTERNS ? GATE_SCAN : o->engine >= 0 ? GATE_CYCLES : ANY;
    if (o->patterns && read_patterns(o, n, n->flops ? scan : GATE_SCAN, &r->p, err))
        return -1;
    bool sets = n->flops == 0 || (o->patterns ? r->p.sources > n->inputs : scan == GATE_SCAN);
    r->how.engine = o->engine >= 0 ? (enum gate_engine)o->engine
                    : sets         ? GATE_BY_PATTERNS
                                   : GATE_MIXED;
    if (!o->patterns)
        r->p = gate_patterns_random(n->inputs + (scan == GATE_SCAN ? n->flops : 0),
                                    o->random ? o->random : 10240, o->seed);
    r->strobes = gate_strobes_check(n, &r->p);
    return 0;
}

static int simulate(const struct options *o, const struct gate_netlist *n,
                    const struct gate_faults *f, const uint8_t *listed, struct fl_err *err)
{
    struct run r = {.o = o, .n = n, .f = f, .listed = listed};
    r.how.width = gate_width(o->width, err);
    r.how.drop = !o->keep;
    describe(o, n);
    int bad = load_patterns(&r, err) || write_patterns(o, n, &r.p, err);
    if (!bad) {
        r.found = fl_alloc(f->count * sizeof *r.found);
        double start = processor_seconds();
        gate_cover(n, f, &r.p, r.how, r.found);
        double end = processor_seconds();
        count(&r);
        report(&r, end - start);
        bad = write_results(&r, err) || write_simulated(&r, err);
    }
    free(r.found);
    gate_patterns_free(&r.p);
    return bad;
}

/* ---- proofs ---------------------------------------------------------------------------------- */

static void print_vector(const struct options *o, const struct gate_netlist *n, const char *what,
                         const uint8_t *source, struct gate_patterns *p)
{
    struct fl_buf b = {0};
    fl_buf_printf(&b, "%s", what);
    for (uint32_t i = 0; i < p->sources; i++) {
        fl_buf_printf(&b, " %s=%d", n->name[i], source[i]);
        p->word[i] |= (uint64_t)source[i] << p->count;
    }
    fl_buf_printf(&b, "\n");
    p->count++;
    fl_print(o->people, (const char *)b.data);
    fl_buf_free(&b);
}

static int atpg(const struct options *o, const struct gate_netlist *n,
                const struct gate_constraints *c, struct fl_err *err)
{
    struct gate_prover *p;
    uint32_t fault, sources;
    if (gate_fault_parse(n, o->model, o->fault, &fault, err))
        return -1;
    if (c && c->join)
        fault = gate_join_fault(c->join, fault);
    n = gate_constraints_of(c, n);
    if (gate_prover_new(n, o->model, c, o->conflicts, &p, err))
        return -1;
    sources = n->inputs + n->flops;
    uint8_t *source = fl_alloc(sources), *before = fl_alloc(sources);
    struct gate_patterns one = {.sources = sources, .word = fl_alloc(sources * sizeof *one.word)};
    enum gate_verdict v = gate_prove(p, fault, source, before);
    fprintf(o->people, "%s: %s\n", o->fault, gate_verdict_name[v]);
    if (v == GATE_TESTABLE && o->model == GATE_TRANSITION)
        print_vector(o, n, "before", before, &one);
    if (v == GATE_TESTABLE)
        print_vector(o, n, "vector", source, &one);
    int bad = write_patterns(o, n, &one, err);
    gate_prover_free(p);
    gate_patterns_free(&one);
    free(source);
    free(before);
    return bad;
}

/* The patterns that go before the solver: each keeps to the constraints. */
static int first_patterns(const struct options *o, const struct gate_netlist *n,
                          const struct gate_constraints *c, struct gate_patterns *p,
                          struct fl_err *err)
{
    uint32_t sources = n->inputs + n->flops;
    int bad = read_patterns(o, n, GATE_SCAN, p, err);
    uint8_t *source = fl_alloc(sources);
    for (uint32_t k = 0; c && !bad && k < p->count; k++) {
        for (uint32_t i = 0; i < sources; i++)
            source[i] = p->word[(size_t)(k / 64) * sources + i] >> k % 64 & 1;
        int line = gate_constraints_broken(c, source);
        if (line >= 0)
            bad = fl_fail(err, "%s: pattern %u violates the constraints, so take it out: %s:%u: %s",
                          o->patterns, k, o->constrain, c->line[line].line, c->line[line].text);
    }
    free(source);
    return bad;
}

static int prove(const struct options *o, const struct gate_netlist *n, const struct gate_faults *f,
                 const struct gate_constraints *c, struct fl_err *err)
{
    struct gate_patterns p, first = {0};
    if (o->patterns && c && (c->uses || (c->inner && c->lines)))
        return fl_fail(
            err, "%s: patterns cannot be checked where the constraints %s%s; leave --patterns out",
            o->patterns, c->uses ? "use " : "name outputs", c->uses ? c->used[0].n->file : "");
    const struct gate_netlist *all = gate_constraints_of(c, n);
    struct gate_faults *joined = c && c->join ? gate_join_faults(c->join, f) : NULL;
    if (o->patterns && first_patterns(o, all, c, &first, err)) {
        gate_patterns_free(&first);
        gate_faults_free(joined);
        return -1;
    }
    struct fl_buf csv = {0}, said = {0};
    struct fl_table table = {0};
    uint8_t *verdict = fl_alloc(f->count);
    uint32_t *vector = fl_alloc(f->count * sizeof *vector), classes[GATE_VERDICTS] = {0},
             faults[GATE_VERDICTS] = {0};
    char id[GATE_ID_ROOM];
    describe(o, n);
    double start = processor_seconds();
    struct progress *progress = progress_start(
        &(struct progress_options){.show = PROGRESS_AUTO, .jobs = 1});
    progress_job(progress, o->netlist);
    progress_expect(progress, 1);
    progress_piece(progress, gate_model_name[f->model], "classes", 0, f->count, 1);
    int bad = gate_prove_all(all, joined ? joined : f, c, o->patterns ? &first : NULL, o->conflicts,
                             o->seed, verdict, vector, &p, progress, err);
    gate_faults_free(joined);
    gate_patterns_free(&first);
    progress_end(progress, bad ? "failed" : "done", bad ? err->msg : NULL);
    if (!bad) {
        fl_buf_printf(&csv,
                      "# netlist %s\n# model %s\n# constraints %s\n# conflicts %d, seed %" PRIu64
                      "\nfault,faults,verdict,pattern\n",
                      n->digest, gate_model_name[f->model], o->constrain ? o->constrain : "none",
                      o->conflicts, o->seed);
        for (uint32_t i = 0; i < f->count; i++) {
            classes[verdict[i]]++;
            faults[verdict[i]] += f->members[i];
            fl_buf_printf(&csv, "%s,%u,%s,", gate_fault_id(n, f->model, f->fault[i], id),
                          f->members[i], gate_verdict_name[verdict[i]]);
            if (vector[i] != GATE_NEVER)
                fl_buf_printf(&csv, "%u", vector[i]);
            fl_buf_printf(&csv, "\n");
        }
        fl_table_columns(&table, "*verdict|classes|faults");
        for (int v = 0; v < GATE_VERDICTS; v++) {
            if ((v == GATE_UNREACHABLE && !c) || (v == GATE_UNOBSERVABLE && !(c && c->watches)))
                continue;
            fl_table_cell(&table, "%s", gate_verdict_name[v]);
            fl_table_cell(&table, "%u", classes[v]);
            fl_table_cell(&table, "%u", faults[v]);
        }
        fl_table_print(&table, &said);
        fl_print(o->people, (char *)said.data);
        fl_buf_free(&said);
        fprintf(o->people, "%u patterns, %.2f s of processor time\n", p.count,
                processor_seconds() - start);
        bad = write_text(o->csv, &csv, err) || write_proved(o, n, f, verdict, err);
        bad |= write_patterns(o, all, &p, err);
        gate_patterns_free(&p);
    }
    free(verdict);
    free(vector);
    return bad;
}

/* ---- which pattern shows which fault --------------------------------------------------------- */

static int matrix(const struct options *o, const struct gate_netlist *n,
                  const struct gate_faults *f, const struct gate_constraints *c, struct fl_err *err)
{
    struct gate_patterns p = {0};
    struct fl_buf csv = {0};
    char id[GATE_ID_ROOM];
    if (c && (c->uses || c->inner || c->join))
        return fl_fail(err,
                       "%s: matrix takes relations of inputs and flip-flops alone; leave out lines "
                       "with other netlists and with outputs",
                       o->constrain);
    if (first_patterns(o, n, c, &p, err)) {
        gate_patterns_free(&p);
        return -1;
    }
    struct gate_ports ports = gate_ports_of(n);
    uint32_t words = (p.count + 63) / 64, shown = 0;
    uint64_t *bits = gate_matrix(n, f, &p, &ports, c);
    fl_buf_printf(
        &csv,
        "# netlist %s\n# model %s\n# constraints %s\n# %u patterns of %s\nfault,port,patterns\n",
        n->digest, gate_model_name[f->model], o->constrain ? o->constrain : "none", p.count,
        o->patterns);
    for (uint32_t i = 0; i < f->count; i++) {
        bool any = false;
        for (uint32_t k = 0; k < ports.count; k++) {
            const uint64_t *row = &bits[((size_t)i * ports.count + k) * words];
            uint64_t some = 0;
            for (uint32_t w = 0; w < words; w++)
                some |= row[w];
            if (!some)
                continue;
            any = true;
            fl_buf_printf(&csv, "%s,%s,", gate_fault_id(n, f->model, f->fault[i], id),
                          ports.name[k]);
            for (uint32_t d = 0; d < (p.count + 3) / 4;
                 d++) /* the first pattern is the lowest bit of the first digit */
                fl_buf_printf(&csv, "%x", (unsigned)(row[d / 16] >> d % 16 * 4 & 15));
            fl_buf_printf(&csv, "\n");
        }
        shown += any;
    }
    fprintf(o->people, "%u patterns show %u of %u classes, at %u ports\n", p.count, shown, f->count,
            ports.count);
    int bad = write_text(o->csv, &csv, err);
    free(bits);
    gate_ports_free(&ports);
    gate_patterns_free(&p);
    return bad;
}

/* `c`, unless NULL: once the constraints are read, the netlists that they use too. */
static int check_files(struct options *o, const struct gate_constraints *c, struct fl_err *err)
{
    struct fl_files files = {0};
    fl_files_in(&files, "the netlist", o->netlist);
    for (uint32_t i = 0; i < o->how.liberties; i++)
        fl_files_in(&files, "--liberty", o->liberty[i]);
    fl_files_in(&files, "--patterns", o->patterns);
    fl_files_in(&files, "--faults", o->faults);
    fl_files_in(&files, "--constrain", o->constrain);
    for (uint32_t i = 0; c && i < c->uses; i++)
        fl_files_in(&files, "a netlist that --constrain uses", c->used[i].n->file);
    for (uint32_t i = 0; c && c->join && i < c->join->parts; i++)
        fl_files_in(&files, "a netlist that --constrain joins", c->join->part[i].n->file);
    fl_files_out(&files, "--csv", o->csv);
    fl_files_out(&files, "--detected", o->detected);
    fl_files_out(&files, "--write-patterns", o->write);
    fl_files_out(&files, "--write-faults", o->write_faults);
    o->people = fl_files_people(&files);
    int bad = fl_files_check(&files, err);
    fl_files_free(&files);
    return bad;
}

/* `gatesim faults`: to standard output, or as another tool's list, none of them simulated. */
static int list(const struct options *o, const struct gate_netlist *n, const struct gate_faults *f,
                struct fl_buf *text, struct fl_err *err)
{
    if (!o->write_faults) {
        gate_faults_print(n, f, text);
        return 0;
    }
    struct fl_buf file = {0};
    uint8_t *status = fl_alloc(f->count);
    memset(status, GATE_IS_UNCONTROLLED, f->count);
    gate_lists_write(n, f, o->form, o->collapsed, status, &file);
    free(status);
    return write_text(o->write_faults, &file, err);
}

static int read_faults(const struct options *o, const struct gate_netlist *n,
                       const struct gate_faults *f, struct gate_listed *part, struct fl_err *err)
{
    struct fl_buf b = {0};
    uint32_t undetectable = 0, constrained = 0;
    if (gate_lists_read(fl_input(o->faults), n, f, part, err))
        return -1;
    if (part->form == GATE_FORM_OWN || is(o, "faults"))
        return 0;
    for (uint32_t c = 0; c < part->faults->count; c++) {
        constrained += part->status[c] == GATE_IS_CONSTRAINED;
        undetectable += part->status[c] != GATE_IS_CONSTRAINED &&
                        part->status[c] != GATE_IS_UNDECIDED;
    }
    fl_buf_printf(&b,
                  "%s: a list of %s, %u classes of faults, %u undetectable, %u untestable "
                  "under constraints\n",
                  o->faults, gate_form_name[part->form], part->faults->count, undetectable,
                  constrained);
    if (part->elsewhere)
        fl_buf_printf(&b,
                      "%s: %u faults left out: they are at no PORT, and gatesim knows faults of "
                      "pins of cells and of ports\n",
                      o->faults, part->elsewhere);
    fl_print(o->people, (const char *)b.data);
    fl_buf_free(&b);
    return 0;
}

static int work(struct options *o)
{
    struct gate_netlist *n = NULL;
    struct gate_faults *f = NULL;
    struct gate_listed listed = {0};
    struct gate_constraints *c = NULL;
    struct fl_buf text = {0};
    struct fl_err err = {""};
    o->how.liberty = o->liberty;
    int bad = check_files(o, NULL, &err) || gate_read_with(fl_input(o->netlist), &o->how, &n, &err);
    if (!bad)
        f = gate_faults_new(n, o->model);
    if (!bad && o->faults)
        bad = read_faults(o, n, f, &listed, &err);
    const struct gate_faults *of = listed.faults ? listed.faults : f;
    if (!bad && o->constrain)
        bad = gate_constraints_read(fl_input(o->constrain), n, &c, &err) || check_files(o, c, &err);
    if (!bad && is(o, "atpg"))
        bad = atpg(o, n, c, &err);
    else if (!bad && is(o, "prove"))
        bad = prove(o, n, of, c, &err);
    else if (!bad && is(o, "matrix"))
        bad = matrix(o, n, of, c, &err);
    else if (!bad && !o->command)
        bad = simulate(o, n, of, listed.status, &err);
    else if (!bad && is(o, "map"))
        gate_map(n, &text);
    else if (!bad)
        bad = list(o, n, of, &text, &err);
    if (!bad && text.size)
        fwrite(text.data, 1, text.size, stdout);
    fl_buf_free(&text);
    gate_constraints_free(c);
    gate_listed_free(&listed);
    gate_faults_free(f);
    gate_netlist_free(n);
    return bad ? fl_complain(PROBLEM, "%s", err.msg) : OK;
}

int main(int argc, char **argv)
{
    struct options o = {
        .seed = 1, .engine = -1, .conflicts = 100000, .people = stdout, .how = {.undriven = -1}};
    fl_start("gatesim");
    int status = parse(argc, argv, &o);
    if (status < 0)
        status = work(&o);
    free(o.liberty);
    return fl_end(status);
}
