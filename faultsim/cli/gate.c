/* gate.c -- faultsim gate: faults of the gates of a lane's units, and of those of an SM's control. */
#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/nearest.h"
#include "faultsim/control/control.h"
#include "faultsim/control/glitch.h"
#include "faultsim/control/glitches.h"
#include "faultsim/control/set_trace.h"
#include "faultsim/gate/campaign.h"
#include "faultsim/gate/fault_trace.h"
#include "faultsim/lane/check.h"
#include "faultsim/lane/constraints.h"
#include "faultsim/lane/error_model.h"
#include "faultsim/lane/groups.h"
#include "faultsim/lane/syndrome.h"
#include "faultsim/permanent/matrix.h"
#include "faultsim/record/run.h"
#include "faultsim/result/identity.h"
#include "faultsim/result/made.h"
#include "gate/mapped/mapped.h"

enum { MOST_UNITS = SM_CONTROLS };

struct units {
    const struct unit_kind *kind;
    int which[MOST_UNITS], named; /* by --unit */
    struct unit unit[MOST_UNITS];
    int count; /* that are open */
};

static void close_units(struct units *u)
{
    for (int i = 0; i < u->count; i++) {
        error_model_free(u->unit[i].errors);
        unit_close(&u->unit[i]);
    }
    u->count = 0;
}

/* The same option chooses the subcommand: --model gate is that of the stuck gates. */
static enum gate_model model_of(const struct cli_request *r)
{
    return r->model && gate_model_find(r->model) == GATE_TRANSITION ? GATE_TRANSITION : GATE_STUCK;
}

/* Single-event transients (SET), of the control only; each has a cycle, so it is no fault of a netlist's list. */
static bool of_glitches(const struct cli_request *r)
{
    return r->model && (strcmp(r->model, "glitch") == 0 || strcmp(r->model, "set") == 0);
}

/* The folder of a unit of the control is that of the profile, whose sizes its gates have. NULL: see err. */
const char *cli_netlists(const struct cli_request *r)
{
    return r->netlists ? r->netlists : r->installed ? r->installed : "build/gates";
}

static char *netlist_path(const struct cli_request *r, const char *profile, const char *unit,
                          struct fl_err *err)
{
    const char *dir = cli_netlists(r);
    const char *ending = r->liberty.count ? "v" : "blif";
    char *path = profile ? fl_format("%s/%s/%s.%s", dir, profile, unit, ending)
                         : fl_format("%s/%s.%s", dir, unit, ending);
    if (access(path, R_OK) == 0)
        return path;
    if (r->liberty.count) {
        fl_fail(err,
                "%s: there is no such netlist; with --liberty, --netlists names the folder of "
                "Verilog netlists of library cells",
                path);
        free(path);
        return NULL;
    }
    char *cells = fl_format("%.*sv", (int)strlen(path) - 4, path);
    bool verilog = access(cells, R_OK) == 0;
    if (verilog)
        fl_fail(err, "%s: is a Verilog netlist; name the Liberty file of its cells with --liberty",
                cells);
    free(cells);
    if (verilog) {
        free(path);
        return NULL;
    }
    fl_fail(err,
            "%s: there is no such netlist; scripts/gates%s%s %s makes it (with yosys), and "
            "--netlists names its folder",
            path, profile ? " --profile " : "", profile ? profile : "", unit);
    free(path);
    return NULL;
}

/* `job`: whose profile counts; NULL: none. */
static int open_unit(const struct cli_request *r, int which, const struct job *job, struct units *u,
                     struct fl_err *err)
{
    char *path = netlist_path(r, job && !u->kind->of_sp ? job->profile.name : NULL,
                              u->kind->name(which), err);
    const struct gate_how how = {
        .liberty = r->liberty.word, .liberties = (uint32_t)r->liberty.count, .undriven = -1};
    int bad = path ? unit_open_cells(path, &how, u->kind, which, &u->unit[u->count], err) : -1;
    if (!bad)
        unit_choose(&u->unit[u->count++], model_of(r));
    free(path);
    return bad;
}

static int open_units(const struct cli_request *r, const struct job *job, struct units *u,
                      struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; i < u->named && !bad; i++)
        bad = open_unit(r, u->which[i], job, u, err);
    return bad;
}

static int no_unit(const struct cli_request *r, const char *name, struct fl_err *err)
{
    static const struct unit_kind *const kinds[] = {&lane_kind, &control_kind};
    struct fl_nearest meant = {.typed = name};
    struct fl_buf names = {0};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < kinds[k]->count; i++) {
            fl_buf_printf(&names, "%s%s", names.size ? ", " : "", kinds[k]->name(i));
            fl_nearest_try(&meant, kinds[k]->name(i), NULL);
        }
    cli_wrong(r, err,
              "--unit: there is no unit '%s'%s; there are %s; all is every unit of a lane, and "
              "control, ports, pipeline, operands, lsu and blocks are groups",
              name, meant.hint, (char *)names.data);
    fl_buf_free(&names);
    return CLI_USAGE;
}

/* The units of --unit, in its order. */
static int find_units(const struct cli_request *r, struct units *u, struct fl_err *err)
{
    char *copy = fl_strdup(r->unit ? r->unit : "alu_int"), *rest = copy;
    int status = CLI_DONE;
    for (char *name; status == CLI_DONE && (name = strsep(&rest, ","));) {
        const int before = u->named;
        for (int i = 0; status == CLI_DONE && i < u->kind->count; i++) {
            if (!u->kind->is(i, name))
                continue;
            for (int k = 0; k < u->named && status == CLI_DONE; k++)
                if (u->which[k] == i)
                    status = cli_wrong(r, err, "--unit names %s twice", u->kind->name(i));
            if (status == CLI_DONE)
                u->which[u->named++] = i;
        }
        if (status == CLI_DONE && u->named == before)
            status = no_unit(r, name, err);
    }
    free(copy);
    return status;
}

/* gate/flow/n12:sa0 */
static bool names_control_fault(const struct cli_request *r)
{
    int which, sp;
    const char *rest;
    struct fl_err ignored;
    return r->fault && unit_parse(r->fault, &control_kind, &which, &sp, &rest, &ignored) == 0;
}

/* Does --unit name units of the control? -1: and others too. */
static int names_controls(const struct cli_request *r)
{
    char *copy = fl_strdup(r->unit ? r->unit : ""), *rest = copy;
    int controls = 0, names = 0;
    for (char *name; (name = strsep(&rest, ",")); names++) {
        bool is = false;
        for (int i = 0; i < SM_CONTROLS; i++)
            is |= control_is(i, name);
        controls += is;
    }
    free(copy);
    return controls == 0 ? 0 : controls == names ? 1 : -1;
}

bool cli_takes_traps(const struct cli_request *r)
{
    if (r->command != CLI_GATE)
        return r->command == CLI_STUCK_AT || r->command == CLI_MEMORY ||
               (r->command == CLI_DICTIONARY && !r->unit);
    return !r->classes && (r->fault ? names_control_fault(r) : names_controls(r) > 0);
}

/* What the request asks for, a bit each. */
enum {
    CHECK = 1 << 0,
    SYNDROMES = 1 << 1,
    CONSTRAINTS = 1 << 2,
    GROUPS = 1 << 3,
    CLASSES = 1 << 4,
    PREDICT = 1 << 5,
    WRITE_FAULTS = 1 << 6,
    FAULT = 1 << 7,
    FAULTS = 1 << 8,
    SAMPLE = 1 << 9,
    EXHAUSTIVE = 1 << 10,
    DROP = 1 << 11,
    DETECT = 1 << 12,
    MATRIX = 1 << 13,
    SKIP_RUNG = 1 << 14,
    ERROR_MODEL = 1 << 15,
    MODEL = 1 << 16,
    ODD_MODEL = 1 << 17,
    GLITCH = 1 << 18,
    TRANSITION = 1 << 19,
    OF_LANE = 1 << 20, /* no unit or fault of the control */
    UNIT = 1 << 21,
    LIBERTY = 1 << 22,
    RTL = 1 << 23,
    PROGRAM = 1 << 24,
    JOBS = 1 << 25,
    NOT_ONE_JOB = 1 << 26,
    STORE = 1 << 27,
    PARTS = 1 << 28, /* --resume, --shard */
    EXPORTS = 1 << 29,
    EXPORTS_BUT_HTML = 1 << 30
};
/* Options that simulate no fault of a list or a campaign. */
#define OTHERS (CHECK | SYNDROMES | CONSTRAINTS | GROUPS | CLASSES | PREDICT | WRITE_FAULTS)

static uint32_t asked(const struct cli_request *r)
{
    const bool set = of_glitches(r), traced = names_control_fault(r);
    return (r->check ? CHECK : 0u) | (r->syndromes ? SYNDROMES : 0u) |
           (r->constraints ? CONSTRAINTS : 0u) | (r->groups ? GROUPS : 0u) |
           (r->classes ? CLASSES : 0u) | (r->predict ? PREDICT : 0u) |
           (r->write_faults ? WRITE_FAULTS : 0u) | (r->fault ? FAULT : 0u) |
           (r->faults ? FAULTS : 0u) | (r->sample ? SAMPLE : 0u) |
           (r->exhaustive ? EXHAUSTIVE : 0u) | (r->drop ? DROP : 0u) | (r->detect ? DETECT : 0u) |
           (r->matrix ? MATRIX | EXPORTS : 0u) | (r->skip_rungs ? SKIP_RUNG : 0u) |
           (r->error_model ? ERROR_MODEL : 0u) | (r->model ? MODEL : 0u) |
           (r->model && strcmp(r->model, "gate") != 0 && !set && gate_model_find(r->model) < 0
                ? ODD_MODEL
                : 0u) |
           (set ? GLITCH : 0u) | (model_of(r) == GATE_TRANSITION ? TRANSITION : 0u) |
           (names_controls(r) <= 0 && !traced ? OF_LANE : 0u) | (r->unit ? UNIT : 0u) |
           (r->liberty.count ? LIBERTY : 0u) | (r->on != &engine_c ? RTL : 0u) |
           (r->program ? PROGRAM : 0u) | (r->nfiles ? JOBS : 0u) |
           (r->nfiles != 1 ? NOT_ONE_JOB : 0u) | (r->store ? STORE : 0u) |
           (r->resume || r->shard.of ? PARTS : 0u) | (cli_exports(r) ? EXPORTS : 0u) |
           (cli_exports_besides(r, "html") ? EXPORTS_BUT_HTML : 0u);
}

static const char lane_on_rtl[] =
    "--fault, --check, --syndromes, --constraints and --groups need engine c; on the RTL, each "
    "fault of --unit runs alone";

/* A request with a bit of `asks`, all bits of `of` and a bit of `not` is refused. `last`: the rows behind do not count for one
 * with `asks`. */
static const struct {
    uint32_t asks, of, not ;
    bool last;
    const char *why;
} rule[] = {
    {TRANSITION, OF_LANE, RTL | CHECK | SYNDROMES | CONSTRAINTS | GROUPS, false,
     "--model transition simulates jobs on engine c; --check, --syndromes, --constraints and "
     "--groups are of stuck-at faults"},
    {FAULT, 0, NOT_ONE_JOB | UNIT | STORE | EXPORTS_BUT_HTML | SYNDROMES | EXHAUSTIVE, false,
     "--fault prints the trace of one fault in one job, in its own run: give one JOB.xml, and "
     "leave --unit, --exhaustive, --store and all exports but --html out"},
    {DROP | DETECT, 0, GLITCH | FAULT | OTHERS, false,
     "--drop and --detect are for campaigns of stuck-at or transition-delay faults: leave "
     "--fault, --model glitch and the options that simulate no such fault out"},
    {MATRIX, 0, DROP | GLITCH | FAULT | CLASSES | WRITE_FAULTS, false,
     "--matrix says of each job which stuck-at or transition-delay faults it detects: leave "
     "--drop, --fault, --model glitch, --classes and --write-faults out"},
    {FAULTS, 0, GLITCH | FAULT | SAMPLE | OTHERS, false,
     "--faults is a list of stuck-at or transition-delay faults to simulate: leave --fault, "
     "--sample, --model glitch and the options that simulate no such fault out"},
    {SKIP_RUNG, 0, STORE | EXHAUSTIVE | FAULT | PROGRAM | OTHERS | ERROR_MODEL, false, cli_skips},
    {ERROR_MODEL, 0, FAULT | OTHERS | MATRIX | DROP | RTL | MODEL, false,
     "--error-model is for campaigns of stuck-at faults of a lane on engine c: leave --fault, "
     "--model, --drop, --matrix, --engine and the options that simulate no such fault out"},
    {CHECK, 0, JOBS | STORE | EXPORTS, true,
     "--check runs no job: leave jobs, --store and exports out"},
    {RTL, OF_LANE, FAULT, false, lane_on_rtl},
    {RTL, 0, SYNDROMES | CONSTRAINTS | GROUPS, false, lane_on_rtl},
    {SYNDROMES, 0, STORE | EXPORTS | EXHAUSTIVE | SAMPLE, false,
     "--syndromes are those of the fault-free runs: leave --store, the method and other exports "
     "out"},
    {GROUPS, 0, JOBS | STORE | EXPORTS | SYNDROMES | CONSTRAINTS | EXHAUSTIVE | SAMPLE, true,
     "--groups runs no job: leave jobs, --store, the method and exports out"},
    {PREDICT, 0, UNIT | STORE | EXPORTS | EXHAUSTIVE | CLASSES | RTL, false,
     "--predict injects into instructions, in the C model: leave --unit, --engine, --store, "
     "--classes, --exhaustive and the exports out"},
    {CONSTRAINTS, 0, STORE | EXPORTS | SYNDROMES | EXHAUSTIVE | SAMPLE, true,
     "--constraints injects nothing: leave --store, the method and exports out"},
    {PROGRAM, 0,
     GLITCH | TRANSITION | DROP | DETECT | MATRIX | ERROR_MODEL | LIBERTY | CLASSES | WRITE_FAULTS,
     false,
     "a program is judged with stuck-at faults of a lane: leave --model, --drop, --detect, "
     "--matrix, --error-model, --liberty, --classes and --write-faults out, or take the job that "
     "smrun --record leaves of the program"},
};

static const char *contradiction(const struct cli_request *r)
{
    const uint32_t is = asked(r);
    const char *no = cli_words_contradiction(r);
    if (no)
        return no;
    if (is & GLITCH && !r->sample && (r->words || r->keep == CLI_KEEP_WORDS))
        return "--words has the words of each glitch of a sample: add --sample N";
    if (is & ODD_MODEL)
        return "--model: give stuck-at, transition or glitch (or set, the same)";
    if (is & GLITCH && is & OF_LANE && !r->fault)
        return "--model glitch needs units of the control: add --unit control";
    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
        if (!(is & rule[i].asks))
            continue;
        if ((is & rule[i].of) == rule[i].of && is & rule[i].not )
            return rule[i].why;
        if (rule[i].last)
            return NULL;
    }
    if (!(is & (JOBS | PROGRAM)))
        return "name at least one JOB.xml";
    if (is & PARTS && !r->store)
        return "--resume and --shard need the campaign's file: add --store F";
    if (r->shard.of > 1 && is & EXPORTS)
        return "a shard is a part of the campaign: join all of them with faultsim merge, and "
               "export then with faultsim report";
    return NULL;
}

/* A row a netlist, as Markdown: what scripts/gates puts into its table. */
static int check(const struct cli_request *r, const struct units *units, struct fl_err *err)
{
    struct fl_buf out = {0};
    fl_buf_printf(
        &out, "| unit | gates | flip-flops | collapsed stuck-at faults | of all | depth | "
              "random vectors as in the C model | equal to the RTL | digest |\n|---|---|---|---|---"
              "|---|---|---|---|\n");
    for (const struct unit *u = units->unit; u < units->unit + units->count; u++) {
        const struct gate_netlist *n = u->netlist;
        if (check_unit(u, r->check, r->seed.number, err) != 0) {
            fl_buf_free(&out);
            return CLI_PROBLEM;
        }
        uint32_t gates = 0;
        for (uint32_t i = 0; i < n->nets; i++)
            gates += n->cell[i].kind > GATE_CONST;
        fl_buf_printf(&out, "| %s | %u | %u | %u | %u | %u | %llu | %s | %s |\n", u->name, gates,
                      n->flops, u->faults->count, u->faults->listed, n->depth,
                      (unsigned long long)r->check, u->doubt ? u->doubt : "proved", n->digest);
    }
    cli_print(r, &out);
    return CLI_DONE;
}

/* Random vectors on which a netlist must be the C model before it is used: a tenth of a second. */
enum { VECTORS = 100000 };

/* A warning for each netlist that is not known to be the RTL. */
static void warn(const struct units *units)
{
    for (const struct unit *u = units->unit; u < units->unit + units->count; u++)
        if (u->doubt && u->netlist->places)
            fl_complain(
                0,
                "%s: not proved equal to the RTL (%s), only compared with the %s: the faults "
                "are those of this netlist for words that the decoder makes",
                u->netlist->file, u->doubt,
                u->kind->of_sp ? "C model on 100000 random vectors"
                               : "RTL on the inputs of this run");
        else if (u->doubt && u->kind->of_sp)
            fl_complain(0,
                        "%s: not proved equal to the RTL (%s), only compared with the C model on "
                        "%d random vectors; make it with scripts/gates, which proves it",
                        u->netlist->file, u->doubt, VECTORS);
        else if (u->doubt)
            fl_complain(0,
                        "%s: not proved equal to the RTL (%s), only compared with it on the inputs "
                        "of this run; make it with scripts/gates, which proves it",
                        u->netlist->file, u->doubt);
}

/* Where no campaign does it. How it is known that they are the RTL; -1. */
static int vet(const struct units *units, struct fl_err *err)
{
    warn(units);
    return units->kind->vet(units->unit, units->count, VECTORS, err);
}

/* Adds what the units see in a job. */
static int record(const struct cli_request *r, const struct job *job, struct trace *t, int n,
                  struct fl_err *err)
{
    struct sm_image *img = sm_image_new(job, err);
    struct golden *g = img ? golden_run(img, r->max_cycles, err) : NULL;
    if (g && r->sp >= img->profile.sps)
        fl_fail(err, "%s: the machine has SPs 0 to %d, and no SP %d", job->path,
                img->profile.sps - 1, r->sp);
    bool ok = g && r->sp < img->profile.sps;
    if (ok)
        lane_record(g, t, n);
    golden_free(g);
    sm_image_free(img);
    return ok ? 0 : -1;
}

/* What each unit sees in all jobs. Free the traces, whatever it returns. */
static int record_all(const struct cli_request *r, const struct cli_jobs *jobs,
                      const struct units *u, struct trace t[VECTOR_UNITS], struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; i < u->count; i++)
        t[i] = (struct trace){.unit = &u->unit[i], .sp = r->sp};
    for (int i = 0; i < jobs->count && !bad; i++)
        bad = record(r, jobs->job[i], t, u->count, err);
    return bad;
}

static int write_beside(const char *dir, const struct unit *u, const char *ending,
                        const struct fl_buf *text, struct fl_err *err)
{
    char *path = fl_format("%s/%s.%s", dir, u->name, ending);
    int bad = fl_write_file(path, text->data, text->size, err);
    free(path);
    return bad;
}

/* Of one unit; `t`: what it saw in the jobs. */
static int constrain(const struct cli_request *r, const struct trace *t, struct fl_err *err)
{
    enum { PATTERNS = 1 << 16 };
    struct fl_buf text = {0}, patterns = {0}, line = {0};
    struct vectors set = {0};
    struct gate_constraints *c = NULL;
    uint32_t words = constraints_print(t->unit, &text);
    int bad = gate_constraints_text(t->unit->name, (const char *)text.data, t->unit->netlist, &c,
                                    err) != 0 ||
              constraints_hold(t->unit, c, PATTERNS, r->seed.number, &set, err) != 0 ||
              constraints_hold_in(t, c, err) != 0;
    constraints_patterns(t->unit, &set, &patterns);
    bad = bad || write_beside(r->constraints, t->unit, "constraints", &text, err) != 0 ||
          write_beside(r->constraints, t->unit, "patterns", &patterns, err) != 0;
    fl_buf_printf(&line,
                  "%s: %u control words in %u lines; kept by %u random inputs and %u of runs\n",
                  t->unit->name, words, c ? c->lines : 0, set.count, t->seen.count);
    if (!bad && !r->quiet)
        cli_print(r, &line);
    gate_constraints_free(c);
    vectors_free(&set);
    fl_buf_free(&line);
    fl_buf_free(&text);
    fl_buf_free(&patterns);
    return bad ? -1 : 0;
}

static int constraints(struct cli_request *r, const struct cli_jobs *jobs, const struct units *u,
                       struct fl_err *err)
{
    struct trace t[VECTOR_UNITS] = {{0}};
    int bad = vet(u, err) < 0 || record_all(r, jobs, u, t, err) != 0;
    for (int i = 0; i < u->count && !bad; i++)
        bad = constrain(r, &t[i], err);
    for (int i = 0; i < u->count; i++)
        trace_free(&t[i]);
    return bad ? CLI_PROBLEM : CLI_DONE;
}

/* Vectors of each form that are drawn; groups that show a fault, where there are so many. */
enum { DRAWN = 48, OFTEN = 3 };

static int group(const struct cli_request *r, const struct unit *u, struct fl_err *err)
{
    char *vectors = fl_format("%s/%s.vectors", r->groups, u->name);
    struct gate_patterns p = {.count = 0};
    struct fl_buf text = {0}, line = {0};
    int bad = 0;
    if (access(vectors, R_OK) != 0)
        bad = fl_fail(err,
                      "%s: there are no vectors; make them: gatesim prove %s --constrain "
                      "%s/%s.constraints --write-patterns %s",
                      vectors, u->netlist->file, r->groups, u->name, vectors);
    if (!bad)
        bad = gate_patterns_read(vectors, u->netlist->inputs, "inputs", &p, err);
    if (!bad) {
        struct groups_facts f = groups_print(u, &p, DRAWN, OFTEN, r->seed.number, &text);
        bad = write_beside(r->groups, u, "groups", &text, err);
        fl_buf_printf(
            &line,
            "%s: %u groups of %u forms show %u of %u faults; %u vectors given, %u of them "
            "without a form; %u groups more, and in all %u of %u transition-delay faults\n",
            u->name, f.plain, f.forms, f.shown, f.faults, f.vectors + f.formless, f.formless,
            f.groups - f.plain, f.slow_shown, f.slow);
        if (!bad && !r->quiet)
            cli_print(r, &line);
    }
    gate_patterns_free(&p);
    fl_buf_free(&text);
    fl_buf_free(&line);
    free(vectors);
    return bad ? -1 : 0;
}

static int groups(const struct cli_request *r, const struct units *u, struct fl_err *err)
{
    int bad = vet(u, err) < 0;
    for (int i = 0; i < u->count && !bad; i++)
        bad = group(r, &u->unit[i], err);
    return bad ? CLI_PROBLEM : CLI_DONE;
}

/* What made them: made.h. */
static void syndromes_made(const struct cli_request *r, const struct cli_jobs *jobs,
                           const struct units *u, int known, struct fl_buf *out)
{
    struct result_job *facts = fl_alloc((size_t)jobs->count * sizeof *facts);
    struct gates_options opt = {.unit = u->unit, .units = u->count, .sp = r->sp};
    char *options = gates_made(&opt), *line = fl_format("%s%s", options, made_checked[known]);
    char *made = made_exported(line, usage_program());
    for (int i = 0; i < jobs->count; i++)
        identity_job(jobs->job[i], &facts[i]);
    made_csv(made, facts, jobs->count, out);
    for (int i = 0; i < jobs->count; i++)
        result_job_free(&facts[i]);
    free(facts);
    free(options);
    free(line);
    free(made);
}

static int syndromes(struct cli_request *r, const struct cli_jobs *jobs, const struct units *u,
                     struct fl_err *err)
{
    struct fl_buf csv = {0}, table = {0};
    struct trace t[VECTOR_UNITS] = {{0}};
    int known = vet(u, err), bad = known < 0 || record_all(r, jobs, u, t, err) != 0;
    if (!bad)
        syndromes_made(r, jobs, u, known, &csv);
    for (int i = 0; i < u->count; i++)
        fl_buf_printf(&csv, "# population unit=%s faults=%u\n", u->unit[i].name,
                      u->unit[i].faults->count);
    fl_buf_printf(&csv, SYNDROME_HEAD);
    for (int i = 0; i < u->count && !bad; i++) {
        fl_buf_printf(&table, "%s%s: %u distinct inputs, %u faults\n", i ? "\n" : "",
                      t[i].unit->name, t[i].seen.count, t[i].unit->faults->count);
        syndrome_report(&t[i], r->threads, &csv, &table);
    }
    for (int i = 0; i < u->count; i++)
        trace_free(&t[i]);
    error_model_end(&csv);
    if (!bad)
        bad = fl_write_file(r->syndromes, csv.data, csv.size, err);
    if (!bad && !r->quiet)
        cli_print(r, &table);
    fl_buf_free(&table);
    fl_buf_free(&csv);
    return bad ? CLI_PROBLEM : CLI_DONE;
}

/* A fault, or a glitch, of a unit that is open. */
static int print_trace(struct cli_request *r, const struct unit *u, int sp, const char *id,
                       const struct job *job, struct fl_err *err)
{
    const bool glitch = !u->kind->of_sp && strchr(id, '@');
    struct job_context ctx;
    struct fl_err why;
    uint32_t fault;
    uint64_t cycle;
    if ((glitch ? glitch_parse(u, id, &fault, &cycle, &why) : unit_fault(u, id, &fault, &why)) != 0)
        return cli_wrong(r, err, "--fault: %s", why.msg);
    if (context_open(&ctx, job, &context_all_cycles, r->max_cycles, err) != 0)
        return CLI_PROBLEM;
    struct fault_trace trace = {0};
    if (cli_dumps(r, job, ctx.g->outputs, err) != 0) {
        context_close(&ctx);
        return CLI_USAGE;
    }
    int bad = glitch ? glitch_trace(&ctx, r->on, u, fault, cycle, &trace, err)
                     : gate_trace(&ctx, r->on, u, sp, fault, &trace, err);
    int status = bad ? CLI_PROBLEM : cli_trace(r, ctx.img, ctx.g->outputs, &trace, err);
    fault_trace_free(&trace);
    context_close(&ctx);
    return status;
}

static const char needs_rtl[] = "faulty gates of the control run in the RTL: add --engine rtl";

static int explain(struct cli_request *r, struct units *u, struct fl_err *err)
{
    struct cli_jobs jobs = {0};
    struct fl_err why;
    const char *id;
    int which, sp, status = CLI_PROBLEM;
    if (!u->kind->of_sp && r->on == &engine_c)
        return cli_wrong(r, err, needs_rtl);
    if (unit_parse(r->fault, u->kind, &which, &sp, &id, &why) != 0)
        return cli_wrong(r, err, "--fault: %s", why.msg);
    if (cli_jobs_load(r, &jobs, err) == 0 && cli_check_files(r, &jobs, err) == 0 &&
        open_unit(r, which, jobs.job[0], u, err) == 0 && vet(u, err) >= 0)
        status = print_trace(r, &u->unit[0], sp, id, jobs.job[0], err);
    cli_jobs_free(&jobs);
    close_units(u);
    return status;
}

/* Which job detects which fault. */
static int write_matrix(const struct cli_request *r, const struct cli_jobs *jobs,
                        const struct gates_right *right, const struct store *s, struct fl_err *err)
{
    struct matrix_job *job = fl_alloc((size_t)jobs->count * sizeof *job);
    struct fl_buf out = {0};
    char *line = store_made(s), *made = made_exported(line, usage_program());
    for (int i = 0; i < jobs->count; i++) {
        job[i] = (struct matrix_job){
            jobs->job[i]->name, jobs->job[i], right[i].instructions, right[i].cycles, {0}};
        memcpy(job[i].digest, right[i].digest, sizeof right[i].digest);
    }
    int bad = matrix_of_store(s, job, made, &out, err);
    bad = bad ? bad : cli_write(r->matrix, &out, err);
    fl_buf_free(&out);
    free(job);
    free(made);
    free(line);
    return bad;
}

/* What the faults of each unit do, by --error-model; it is of one profile. */
static int read_errors(const struct cli_request *r, const struct cli_jobs *jobs, struct units *u,
                       struct fl_err *err)
{
    for (int i = 0; i < u->count; i++)
        for (int j = 0; j < jobs->count; j++) {
            error_model_free(u->unit[i].errors);
            u->unit[i].errors = error_model_read(r->error_model, &u->unit[i],
                                                 jobs->job[j]->profile.name, err);
            if (!u->unit[i].errors)
                return -1;
        }
    return 0;
}

static int run(struct cli_request *r, const struct cli_jobs *jobs, struct units *u,
               struct fl_err *err)
{
    struct fault_list *list = NULL;
    struct store *s = NULL;
    struct interrupt interrupt = {0};
    struct gates_options opt = {.run = cli_run(r, &interrupt.signal),
                                .unit = u->unit,
                                .units = u->count,
                                .sp = r->sp,
                                .sample = r->sample,
                                .seed = r->seed.number,
                                .drop = r->drop,
                                .detect = r->detect,
                                .host = r->host,
                                .check = VECTORS};
    if (r->error_model && read_errors(r, jobs, u, err) != 0)
        return CLI_PROBLEM;
    if (r->error_model)
        opt.errors = error_model_digest(u->unit[0].errors);
    if (r->faults && !(opt.list = list = fault_list_read(
                           r->faults, u->unit, u->count,
                           u->kind->of_sp ? jobs->job[0]->profile.sps : 1, r->sp, err)))
        return CLI_PROBLEM;
    if (r->matrix)
        opt.right = fl_alloc((size_t)jobs->count * sizeof *opt.right);
    warn(u);
    interrupt_start(&interrupt);
    if (r->host)
        program_stop_by(r->host, opt.run.stop);
    int bad = (of_glitches(r) ? glitches_run : gates_run)((const struct job *const *)jobs->job,
                                                          jobs->count, &opt, &s, err);
    const int by = interrupt_end(&interrupt);
    int status = r->host ? cli_program_status(r, bad, by, err) : cli_campaign_status(r, bad, by);
    fault_list_free(list);
    if (status == CLI_DONE && r->matrix && write_matrix(r, jobs, opt.right, s, err) != 0) {
        struct fl_err ignored;
        store_close(s, &ignored);
        status = CLI_PROBLEM;
    }
    free(opt.right);
    return status == CLI_DONE ? cli_report_and_close(r, s, err) : status;
}

/* ---- units of the control -------------------------------------------------------------------- */

static const char *control_contradiction(const struct cli_request *r)
{
    if (names_controls(r) < 0)
        return "--unit names units of a lane and of the control: run one after the other";
    if (r->check || r->groups || r->syndromes || r->constraints || r->error_model)
        return "--check, --groups, --syndromes, --constraints and --error-model are for units of a "
               "lane: "
               "leave them out, or name such a --unit";
    if (r->sp >= 0)
        return "--sp is for units of a lane, and an SM has one of each unit of its control: leave "
               "it out";
    if (r->program)
        return "gates of the control run in the RTL, and programs on engine c: record the program, "
               "smrun --record run -- ./PROGRAM, and name run/job.xml with --engine rtl";
    if (r->on == &engine_c)
        return needs_rtl;
    if (r->classes && (of_glitches(r) || model_of(r) == GATE_TRANSITION))
        return "--classes is for stuck-at faults: leave --model out";
    if (r->classes && (r->store || r->exhaustive || cli_exports(r)))
        return "--classes runs nothing to its end: leave --store, --exhaustive and the exports out";
    if (r->write_faults &&
        (of_glitches(r) || r->sample || r->classes || r->store || r->exhaustive || cli_exports(r)))
        return "--write-faults injects nothing: leave the method, --store and other exports out";
    return NULL;
}

static int one_profile(const struct cli_jobs *jobs, struct fl_err *err)
{
    for (int i = 1; i < jobs->count; i++)
        if (strcmp(jobs->job[i]->profile.name, jobs->job[0]->profile.name) != 0)
            return fl_fail(err,
                           "%s is for %s, %s for %s, and netlists of the control hold for one "
                           "profile: choose one with --on",
                           jobs->job[0]->path, jobs->job[0]->profile.name, jobs->job[i]->path,
                           jobs->job[i]->profile.name);
    return 0;
}

/* Those that a campaign of the unit has: the netlist has more, inside of registers. */
static int write_faults(struct cli_request *r, const struct units *u, struct fl_err *err)
{
    if (u->count != 1)
        return cli_wrong(r, err, "--write-faults writes the list of one netlist; name one --unit");
    struct fl_buf out = {0};
    gate_faults_print(u->unit[0].netlist, u->unit[0].faults, &out);
    int bad = fl_write_file(r->write_faults, out.data, out.size, err);
    fl_buf_free(&out);
    return bad ? CLI_PROBLEM : CLI_DONE;
}

/* ---- a dictionary --------------------------------------------------------------------------- */

struct seen {
    struct dict_response *response; /* [(place - 1) * jobs + job] */
    uint64_t jobs;
    enum dict_view view;
};

static void note_shown(void *of, int job, uint64_t place, const struct fsim_result *result,
                       const struct sm_image *img, const struct dut_end *end)
{
    const struct seen *s = of;
    struct dict_response *to = &s->response[(place - 1) * s->jobs + (uint64_t)job];
    if (dict_sees(result, s->view, end->launch, end->trap_pc, to))
        outputs_digest(img, end->memory, to->digest);
}

static int add_id(void *dict, int part, const struct store_injection *i)
{
    struct dict *d = dict;
    (void)part;
    snprintf(d->fault[d->nfaults++].id, sizeof d->fault->id, "%s", i->id);
    return 0;
}

/* All but what jobs show. */
static int describe(const struct cli_request *r, const struct cli_jobs *jobs,
                    const struct gates_right *right, const struct store *s, uint64_t room,
                    struct dict *d, struct fl_err *err)
{
    static const char *const see[] = {"place", "trap", "end"};
    char *line = store_made(s), *seen = fl_format("%s see=%s", line, see[r->view]);
    *d = (struct dict){.made = made_exported(seen, usage_program()),
                       .profile = fl_strdup(jobs->job[0]->profile.name),
                       .target = result_targets(store_result(s)),
                       .model = "gate",
                       .engine = r->on->name,
                       .view = r->view,
                       .job = fl_alloc((size_t)jobs->count * sizeof *d->job),
                       .fault = fl_alloc(room * sizeof *d->fault)};
    free(seen);
    free(line);
    for (int i = 0; i < jobs->count; i++)
        dict_add_job(d, jobs->job[i]->name, jobs->job[i], right[i].cycles, right[i].digest);
    return store_list(s, 0, add_id, d, err);
}

static int look_up(struct cli_request *r, const struct cli_jobs *jobs, const struct units *u,
                   struct dict *d, struct fl_err *err)
{
    const int sps = u->kind->of_sp ? jobs->job[0]->profile.sps : 1;
    uint64_t room = 0;
    for (int i = 0; i < u->count; i++)
        room += u->unit[i].faults->count * (uint64_t)sps;
    struct fault_list *list = NULL;
    if (r->faults && !(list = fault_list_read(r->faults, u->unit, u->count, sps, r->sp, err)))
        return CLI_PROBLEM;
    struct seen seen = {.jobs = (uint64_t)jobs->count, .view = r->view};
    seen.response = fl_alloc(room * seen.jobs * sizeof *seen.response);
    struct interrupt interrupt = {0};
    struct gates_options opt = {.run = cli_run(r, &interrupt.signal),
                                .unit = u->unit,
                                .units = u->count,
                                .sp = r->sp,
                                .list = list,
                                .shown = note_shown,
                                .of = &seen,
                                .check = VECTORS};
    opt.right = fl_alloc(seen.jobs * sizeof *opt.right);
    struct store *s = NULL;
    struct fl_err ignored;
    warn(u);
    interrupt_start(&interrupt);
    int bad = gates_run((const struct job *const *)jobs->job, jobs->count, &opt, &s, err);
    int status = cli_campaign_status(r, bad, interrupt_end(&interrupt));
    if (status == CLI_DONE && describe(r, jobs, opt.right, s, room, d, err) != 0)
        status = CLI_PROBLEM;
    if (status == CLI_DONE)
        dict_group_gates(d, seen.response);
    if (s)
        store_close(s, &ignored);
    free(opt.right);
    free(seen.response);
    fault_list_free(list);
    return status;
}

int cli_gate_dictionary_allowed(struct cli_request *r, struct fl_err *err)
{
    int status = cli_find_engine(r, err);
    if (status != CLI_DONE || names_controls(r) == 0)
        return status;
    const char *no = control_contradiction(r);
    if (no)
        return cli_wrong(r, err, "%s", no);
    r->on = engine_gates(r->on);
    return CLI_DONE;
}

int cli_gate_dictionary(struct cli_request *r, const struct cli_jobs *jobs, struct dict *d,
                        struct fl_err *err)
{
    const bool of_control = names_controls(r) != 0;
    struct units u = {.kind = of_control ? &control_kind : &lane_kind};
    int status = find_units(r, &u, err);
    if (status == CLI_DONE)
        status = (!of_control || one_profile(jobs, err) == 0) &&
                         open_units(r, jobs->job[0], &u, err) == 0
                     ? look_up(r, jobs, &u, d, err)
                     : CLI_PROBLEM;
    close_units(&u);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int work(struct cli_request *r, const struct cli_jobs *jobs, struct units *u,
                struct fl_err *err)
{
    return r->check          ? check(r, u, err)
           : r->groups       ? groups(r, u, err)
           : r->syndromes    ? syndromes(r, jobs, u, err)
           : r->constraints  ? constraints(r, jobs, u, err)
           : r->write_faults ? write_faults(r, u, err)
           : r->classes      ? cli_classes(r, jobs, u->unit, u->count, err)
                             : run(r, jobs, u, err);
}

static int run_jobs(struct cli_request *r, struct program *program, struct fl_err *err)
{
    const bool of_control = names_controls(r) != 0;
    struct units u = {.kind = of_control ? &control_kind : &lane_kind};
    struct cli_jobs jobs = {0};
    int status = find_units(r, &u, err);
    if (status != CLI_DONE)
        return status;
    bool loaded = cli_jobs_load(r, &jobs, err) == 0;
    if (loaded && program)
        cli_program_job(r, program, jobs.job[0]);
    status = loaded && cli_check_files(r, &jobs, err) == 0 &&
                     (!of_control || one_profile(&jobs, err) == 0) &&
                     open_units(r, jobs.count ? jobs.job[0] : NULL, &u, err) == 0
                 ? work(r, &jobs, &u, err)
                 : CLI_PROBLEM;
    cli_jobs_free(&jobs);
    close_units(&u);
    return status;
}

int cli_gate(struct cli_request *r, struct fl_err *err)
{
    int status = cli_find_engine(r, err);
    if (status != CLI_DONE)
        return status;
    const bool of_control = r->fault ? names_control_fault(r) : names_controls(r) != 0;
    struct units u = {.kind = of_control ? &control_kind : &lane_kind};
    const char *no = contradiction(r);
    if (!no && of_control && !r->fault)
        no = control_contradiction(r);
    if (!no)
        no = cli_program_contradiction(r);
    if (no)
        return cli_wrong(r, err, "%s", no);
    if (of_control)
        r->on = engine_gates(r->on);
    if (r->fault)
        return explain(r, &u, err);
    if (!of_control && r->predict)
        return cli_predict(r, err);
    if (!of_control && (r->classes || r->write_faults))
        return cli_wrong(r, err, "%s is for units of the control; add --unit %s",
                         r->classes ? "--classes" : "--write-faults",
                         r->classes ? "control" : "flow");
    return r->program ? cli_program(r, run_jobs, err) : run_jobs(r, NULL, err);
}
