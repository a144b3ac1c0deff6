/* sbstgen.c -- the command: reads the request, makes the programs, writes their files. */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <libxml/parser.h>
#include "base/nearest.h"
#include "base/usage.h"
#include "base/xml.h"
#include "gen/compact/compact.h"
#include "gen/control/control.h"
#include "gen/gates/gates.h"
#include "gen/lane/lane.h"
#include "gen/library/library.h"
#include "gen/march/march.h"
#include "gen/launch.h"
#include "gen/sbst.h"

enum {
    UNIT = 1,
    MARCH,
    ALONE,
    INSIDE,
    COMPARE_SMS,
    METHOD,
    LE,
    APPROACH,
    PATTERNS,
    CHECKPOINT,
    PC,
    FLOW_ID,
    LANDING_PADS,
    WARPS,
    MAX_CYCLES,
    MAX_BYTES,
    TARGET,
    FORMAT,
    PROFILE,
    COMPACT,
    COVERAGE,
    SDC_ONLY,
    GROUPS,
    LEFT,
    ENOUGH,
    GATES,
    ROWS,
    SEED,
    LIBRARY,
    HOSTED,
    TRAPS,
    TEST_CYCLES,
    MATRIX,
    QUIET
};
static const struct usage_row rows[] = {
    {.help = "A self-test: .cubin, .job.xml (run it with smrun), .sasm, .lst"},
    {"--method sync-trick|nesting",
     "a SYNC entry for each level and one divergence for each thread, or divergences inside "
     "divergences",
     METHOD},
    {"--le A|A-B", "line-entries under test, from 1", LE},
    {"--approach acc|ind", "one program over the range (default acc), or one for each LE",
     APPROACH},
    {"--patterns paper|minimal",
     "patterns of every line-entry: one for each thread (paper, the default), or two complementary "
     "ones (minimal)",
     PATTERNS},
    {"--pc",
     "test the stored addresses too: two complementary ones in every line-entry, by far code "
     "blocks",
     PC},
    {"--flow-id", "CALL and BREAK entries in every line-entry", FLOW_ID},
    {"--landing-pads",
     "under every single fault the test terminates without a trap; the signature reports it",
     LANDING_PADS},
    {"--warps N", "the stacks of N warp slots in one job (default 1)", WARPS},
    {"--max-cycles N",
     "split into parts of at most N cycles each (test budget), and write a schedule file",
     MAX_CYCLES},
    {"--max-bytes N", "split into parts of at most N bytes of code", MAX_BYTES},
    {"--checkpoint",
     "check the check signature after each LE; a mismatch stores the error and ends the test",
     CHECKPOINT},
    {"--target flexgripplus", "a program that also runs on the published RTL of FlexGripPlus",
     TARGET},
    {"--format flexgripplus", "adds a folder for each launch, with the files that this RTL reads",
     FORMAT},
    {"--profile NAME", "g80, a path, or flexgripplus (default; with --target: flexgripplus-rtl)",
     PROFILE},
    {"-o, --output DIR", "folder of the files (default: the current one)", 'o'},
    {"--quiet", "do not list the files", QUIET},
    {.help = "A self-test of a memory, or of control state of the SM: the same files"},
    {"--unit UNIT",
     "rf, shared, cc, areg or local: a memory of sbst/units.xml; sharedbits, localbits: report the "
     "failing bit and word; memories: all of them, with a "
     "schedule file; dstack, dstackmarch, dsp, pc, mask, exec, sched, tstate, ir or barrier: a "
     "test of "
     "sbst/control.xml; l1d or l2: a data cache that the profile has for global memory",
     UNIT},
    {"--march NAME", "mats+, x, c- (default), ss, lr or inverting: a march of sbst/march.xml",
     MARCH},
    {"--alone", "only the march, without the passes for bits of a word and for addresses", ALONE},
    {"--inside", "macros for use inside a kernel, which restore all state that they overwrite",
     INSIDE},
    {"--compare-sms",
     "of a memory: run it on every SM of a chip with fixed blocks and compare the outputs of the "
     "SMs: the faulty SM is named",
     COMPARE_SMS},
    {"--max-cycles N",
     "split into parts of at most N cycles each (test budget), and write a schedule file",
     MAX_CYCLES},
    {"--max-bytes N", "split into parts of at most N bytes of code", MAX_BYTES},
    {.help =
         "A self-test of the gates of a lane: the same files; smrun --sign then adds the digest"},
    {"--unit alu_int|alu_fp|alu_cvt|sfu|lane", "a unit of a lane, or all of them, a launch each",
     UNIT},
    {"--groups FILE,...",
     "candidate instructions and operands, from faultsim gate --groups: one file for each unit",
     GROUPS},
    {"--left FILE",
     "faults that faultsim gate --csv-faults has left undetected: each in a group more", LEFT},
    {"--enough N",
     "transition-delay faults of --left to cover in each unit, the cheapest (default: all)",
     ENOUGH},
    {"--warps N", "number of warps that share the work (default 6)", WARPS},
    {.help =
         "A self-test of the gates of an SM's control, for faultsim gate: the same files; smrun "
         "--sign then adds the digest"},
    {"--gates UNIT,...",
     "the programs of sbst/gates.xml for sched, decode, uop, flow (together: control), ccrf, arf, "
     "warp_state, dmu, smem (ports), slot, pipe (pipeline), rf, execute_select, execute_result, "
     "writeback (operands), lsu_addr, lsu_check, lsu_transactions, lsu_passes, lsu_data, lsu_queue "
     "(lsu), block_barrier, block_place, block_next (blocks), or all",
     GATES},
    {"--rows FILE", "witnesses of a solver: instructions and operands, each in one of the programs",
     ROWS},
    {"--traps",
     "only programs that must trap, a launch each: for faults that no program that ends can show; "
     "with --rows, of its words that trap",
     TRAPS},
    {"--seed N", "draws other programs (default 1)", SEED},
    {"--hosted",
     "random programs without banks of constants, which a host of the driver API cannot write",
     HOSTED},
    {"--max-cycles N", "test budget of each program (default: as sbst/gates.xml states)",
     MAX_CYCLES},
    {.help = "A self-test library: tests of all parts of an SM in one cubin, for a host program"},
    {"--library DIR",
     "one cubin, a manifest, a table in C, a host program, and a job for each test; of memories, "
     "control structures, gates of the control, and of a lane with --groups; --rows and --seed "
     "as above; --traps: also programs that must trap",
     LIBRARY},
    {"--test-cycles N", "budget of all tests together, in cycles", TEST_CYCLES},
    {"--max-cycles N", "budget of each test: those of memories are split, longer ones left out",
     MAX_CYCLES},
    {"--matrix FILE.csv",
     "choice and order of --compact, from faultsim --matrix of the jobs of the library (default: "
     "the shortest first)",
     MATRIX},
    {"verify DIR/library.xml",
     "whether a library is as it was written, for this version and its machine", 0},
    {.help = "Compaction: the cheapest parts with the same coverage, in order of early detection"},
    {"--compact MATRIX.csv", "a schedule of the parts of a matrix from faultsim --matrix", COMPACT},
    {"--coverage P%",
     "coverage goal: P percent of the testable faults, in place of the coverage of all parts",
     COVERAGE},
    {"--max-cycles N", "test budget: as few parts as possible, each of at most N cycles",
     MAX_CYCLES},
    {"--sdc-only", "only faults that change the outputs count as detected", SDC_ONLY},
    {.help = "verify: compares outputs of FlexGripPlus with those that --format wrote; status 1: "
             "they differ"},
    {"verify --dump FILE...", "gpgpu_rdata.log of its simulation, one for each launch, in order",
     0},
    {"verify --dictionary FILE",
     "name the faults that give these outputs, from faultsim dictionary --xml", 0},
    USAGE_GENERAL,
    {0},
};
static const struct usage usage = {
    "sbstgen", "writes self-tests of the divergence stack and of memories, and schedules them",
    "--method sync-trick|nesting --le A|A-B [OPTION]...\n"
    "--unit UNIT [--march NAME] [--alone] [--inside] [--max-cycles N] [--profile NAME] [-o DIR]\n"
    "--unit UNIT --groups FILE,... [--left FILE [--enough N]] [--warps N] [--profile NAME] [-o "
    "DIR]\n"
    "--gates UNIT,... [--rows FILE] [--traps] [--seed N] [--hosted] [--max-cycles N] [--profile "
    "NAME] [-o "
    "DIR]\n"
    "--library DIR [--groups FILE,...] [--traps] [--test-cycles N] [--max-cycles N] [--matrix "
    "FILE.csv] [--profile NAME]\n"
    "--compact MATRIX.csv [--coverage P%] [--max-cycles N] [--sdc-only] [-o DIR]\n"
    "verify JOB.xml --dump FILE... [--dictionary FILE.xml]\n"
    "verify DIR/library.xml",
    rows};

struct options {
    const char *unit, *march, *method, *le, *approach, *patterns, *warps, *max_cycles, *max_bytes,
        *profile, *dir, *compact, *coverage, *target, *format, *groups, *left, *enough, *gates,
        *seed, *rows, *library, *test_cycles, *matrix;
    bool alone, inside, compare_sms, checkpoint, pc, flow_id, landing_pads, answered, sdc_only,
        quiet, hosted, traps;
    struct fl_files read; /* which no file of -o goes over */
};

/* The library of self-tests, the profile, and the files that the line names. */
static void add_inputs(struct options *o)
{
    char *root = xml_data_folder(), *library = fl_format("%s/sbst", root),
         *profile = o->profile ? sbst_profile_path(root, o->profile) : NULL,
         *groups = fl_strdup(o->groups ? o->groups : ""), *rest = groups;
    fl_files_in_folder(&o->read, "the library of self-tests", library, ".sasm", 1);
    fl_files_in_folder(&o->read, "the library of self-tests", library, ".xml", 0);
    fl_files_in(&o->read, "--profile", profile);
    fl_files_in(&o->read, "--compact", o->compact);
    fl_files_in(&o->read, "--left", o->left);
    fl_files_in(&o->read, "--rows", o->rows);
    fl_files_in(&o->read, "--matrix", o->matrix);
    for (char *file; o->groups && (file = strsep(&rest, ","));)
        fl_files_in(&o->read, "--groups", file);
    free(root);
    free(library);
    free(profile);
    free(groups);
}

static int wrong(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static int wrong(const char *fmt, ...)
{
    struct fl_err err;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(err.msg, sizeof err.msg, fmt, ap);
    va_end(ap);
    return fl_complain(2, "%s", err.msg);
}

static int parse_options(int argc, char **argv, struct options *o)
{
    for (int c; (c = usage_next(&usage, argc, argv)) != USAGE_END;) {
        switch (c) {
        case UNIT: o->unit = optarg; break;
        case MARCH: o->march = optarg; break;
        case ALONE: o->alone = true; break;
        case INSIDE: o->inside = true; break;
        case COMPARE_SMS: o->compare_sms = true; break;
        case METHOD: o->method = optarg; break;
        case LE: o->le = optarg; break;
        case APPROACH: o->approach = optarg; break;
        case CHECKPOINT: o->checkpoint = true; break;
        case PATTERNS: o->patterns = optarg; break;
        case PC: o->pc = true; break;
        case FLOW_ID: o->flow_id = true; break;
        case LANDING_PADS: o->landing_pads = true; break;
        case WARPS: o->warps = optarg; break;
        case MAX_CYCLES: o->max_cycles = optarg; break;
        case MAX_BYTES: o->max_bytes = optarg; break;
        case TARGET: o->target = optarg; break;
        case FORMAT: o->format = optarg; break;
        case PROFILE: o->profile = optarg; break;
        case COMPACT: o->compact = optarg; break;
        case COVERAGE: o->coverage = optarg; break;
        case GROUPS: o->groups = optarg; break;
        case LEFT: o->left = optarg; break;
        case ENOUGH: o->enough = optarg; break;
        case GATES: o->gates = optarg; break;
        case ROWS: o->rows = optarg; break;
        case SEED: o->seed = optarg; break;
        case HOSTED: o->hosted = true; break;
        case TRAPS: o->traps = true; break;
        case LIBRARY: o->library = optarg; break;
        case TEST_CYCLES: o->test_cycles = optarg; break;
        case MATRIX: o->matrix = optarg; break;
        case SDC_ONLY: o->sdc_only = true; break;
        case QUIET: o->quiet = true; break;
        case 'o': o->dir = optarg; break;
        case USAGE_ANSWERED: o->answered = true; return 0;
        default: return 2;
        }
    }
    if (optind < argc)
        return wrong("'%s' belongs to no option; see sbstgen --help", argv[optind]);
    return 0;
}

/* "7" or "1-10", nothing else. */
static bool parse_range(const char *s, int *first, int *last)
{
    int used = 0;
    if (strspn(s, "0123456789-") != strlen(s) || strlen(s) > 9)
        return false;
    if (sscanf(s, "%d%n", first, &used) != 1 || *first < 0)
        return false;
    *last = *first;
    if (s[used] == '\0')
        return true;
    int more = 0;
    return s[used] == '-' && s[used + 1] != '-' && sscanf(s + used + 1, "%d%n", last, &more) == 1 &&
           s[used + 1 + more] == '\0';
}

/* A number from 1, nothing else. */
static bool parse_number(const char *s, int *value)
{
    int last;
    return !strchr(s, '-') && parse_range(s, value, &last) && *value >= 1;
}

static int read_request(const struct options *o, struct sbst_request *r)
{
    if (!o->method)
        return wrong("--method is missing; say --method sync-trick or --method nesting");
    r->nesting = strcmp(o->method, "nesting") == 0;
    if (!r->nesting && strcmp(o->method, "sync-trick") != 0)
        return wrong("there is no method '%s'; use --method sync-trick or --method nesting",
                     o->method);
    if (!o->le)
        return wrong("--le is missing; say which line-entries to test, as in --le 3 or --le 1-10");
    if (!parse_range(o->le, &r->le_first, &r->le_last))
        return wrong("--le '%s' is not a range of line-entries; write --le 3 or --le 1-10", o->le);
    if (r->le_first > r->le_last)
        return wrong("--le %s runs backwards; write the smaller number first", o->le);
    r->approach = SBST_ACC;
    if (o->approach && strcmp(o->approach, "ind") == 0)
        r->approach = SBST_IND;
    else if (o->approach && strcmp(o->approach, "acc") != 0)
        return wrong("there is no approach '%s'; use --approach acc or --approach ind",
                     o->approach);
    if (o->patterns && strcmp(o->patterns, "minimal") == 0)
        r->minimal = true;
    else if (o->patterns && strcmp(o->patterns, "paper") != 0)
        return wrong("there are no patterns '%s'; use --patterns paper or --patterns minimal",
                     o->patterns);
    if (o->target && !(r->target = sbst_target_find(o->target)))
        return wrong("there is no target '%s'; use --target flexgripplus, or leave it out",
                     o->target);
    if (o->format && !sbst_target_find(o->format))
        return wrong("there is no format '%s'; use --format flexgripplus, or leave it out",
                     o->format);
    if (o->format && (!o->target || strcmp(o->format, o->target) != 0))
        return wrong("--format %s is for programs that run there; say --target %s as well",
                     o->format, o->format);
    r->launch_folders = o->format;
    r->checkpoint = o->checkpoint;
    r->warps = 1;
    if (o->warps && !parse_number(o->warps, &r->warps))
        return wrong("--warps '%s' is not a number from 1; write --warps 24", o->warps);
    r->pc = o->pc;
    r->flow_id = o->flow_id;
    r->landing_pads = o->landing_pads;
    return 0;
}

static int check_budget(const struct options *o, const struct sbst_request *r,
                        struct sbst_budget *b)
{
    if (!o->max_cycles && !o->max_bytes)
        return 0;
    if (o->max_cycles && !parse_number(o->max_cycles, &b->cycles))
        return wrong("--max-cycles '%s' is not a number from 1; write --max-cycles 10000",
                     o->max_cycles);
    if (o->max_bytes && !parse_number(o->max_bytes, &b->bytes))
        return wrong("--max-bytes '%s' is not a number from 1; write --max-bytes 4096",
                     o->max_bytes);
    const char *option = o->max_cycles ? "--max-cycles" : "--max-bytes";
    if (r->approach == SBST_IND)
        return wrong("%s splits the range by itself; leave --approach ind out", option);
    if (r->warps > 1)
        return wrong("%s is for one warp; leave --warps %d out", option, r->warps);
    return 0;
}

static char *schedule_name(const struct sbst_request *r)
{
    char *suffix = sbst_suffix(r);
    char *name = r->le_first == r->le_last
                     ? fl_format("%s-le%02d%s.schedule.csv",
                                 r->nesting ? "nesting" : "sync-trick-acc", r->le_first, suffix)
                     : fl_format("%s-le%02d-%02d%s.schedule.csv",
                                 r->nesting ? "nesting" : "sync-trick-acc", r->le_first, r->le_last,
                                 suffix);
    free(suffix);
    return name;
}

/* What was written, a line each program. */
static void print(const struct sbst_program *p, const char *dir)
{
    int instructions = 0, executed = 0;
    for (int i = 0; i < p->nkernels; i++) {
        instructions += p->kernel[i].instructions;
        executed += p->kernel[i].executed * p->blocks * sbst_block_warps(p);
    }
    fl_print(stdout, dir);
    printf("/%s: .cubin .job.xml .sasm .lst%s, %d launch%s, %d instructions, %d bytes, %d executed",
           p->name, p->launch_folders ? " .launchN/" : "", p->nkernels,
           p->nkernels == 1 ? "" : "es", instructions, sbst_bytes(p), executed);
    if (p->warps == 1) /* with more, only a run can tell */
        printf(" in %d cycles", sbst_cycles(p));
    printf("\n");
}

/* The status to exit with. */
static int generate(const struct sbst_library *lib, const struct sbst_machine *machine,
                    const struct sbst_request *r, const struct sbst_budget *budget,
                    const struct options *o, struct fl_err *err)
{
    bool split = budget->cycles || budget->bytes;
    int programs = 0, bad = 0;
    struct sbst_program *p = NULL;
    if (split) {
        bad = sbst_split(lib, machine, r, budget, &p, &programs, err);
    } else {
        int wanted = r->approach == SBST_IND ? r->le_last - r->le_first + 1 : 1;
        p = fl_alloc((size_t)wanted * sizeof *p);
        for (int i = 0; i < wanted && !bad; i++) {
            struct sbst_request one = *r;
            if (r->approach == SBST_IND)
                one.le_first = one.le_last = r->le_first + i;
            bad = sbst_compose(lib, machine, &one, &p[i], err);
            programs += !bad;
        }
    }
    for (int i = 0; i < programs && !bad; i++)
        bad = sbst_check_space(&p[i], err) != 0; /* wrong usage: 1, not -1 */
    char *schedule = split ? schedule_name(r) : NULL;
    int status = bad > 0 ? 2
                         : bad < 0 ||
                               sbst_write_files(p, programs, schedule, o->dir, &o->read, err) != 0;
    for (int i = 0; i < programs && !status && !o->quiet; i++)
        print(&p[i], o->dir);
    if (schedule && !status && !o->quiet)
        printf("the parts in order: %s\n", schedule);
    free(schedule);
    for (int i = 0; i < programs; i++)
        sbst_program_free(&p[i]);
    free(p);
    return status;
}

/* ---- memories -------------------------------------------------------------------------------- */

#define MEMORIES "memories" /* instead of a unit: all of them */

static int check_memory(const struct options *o, struct sbst_budget *b)
{
    if (o->method || o->le || o->approach || o->patterns || o->warps || o->checkpoint || o->pc ||
        o->flow_id || o->landing_pads || o->target || o->format)
        return wrong("--unit is for a memory, --method and its options are for the divergence "
                     "stack; leave one of them out");
    if (o->max_cycles && !parse_number(o->max_cycles, &b->cycles))
        return wrong("--max-cycles '%s' is not a number from 1; write --max-cycles 10000",
                     o->max_cycles);
    if (o->max_bytes && !parse_number(o->max_bytes, &b->bytes))
        return wrong("--max-bytes '%s' is not a number from 1; write --max-bytes 4096",
                     o->max_bytes);
    return 0;
}

static void print_memory(const struct march_program *p, const char *dir)
{
    fl_print(stdout, dir);
    printf("/%s: %s, %d instructions, %d bytes, %d executed in at most %d cycles\n", p->name,
           p->request.inside ? ".sasm" : ".cubin .job.xml .sasm .lst, 1 launch",
           march_instructions(p), march_bytes(p), march_executed(p), march_cycles(p));
}

/* The names of all units, or marches, for a message. */
static char *names_of(const struct march_library *lib, bool marches)
{
    struct fl_buf text = {0};
    for (int i = 0; i < (marches ? lib->nmarches : lib->nunits); i++)
        if (!marches || !lib->march[i].pass)
            fl_buf_printf(&text, "%s%s", text.size ? ", " : "",
                          marches ? lib->march[i].name : lib->unit[i].name);
    fl_buf_add(&text, "", 1);
    return (char *)text.data;
}

/* The request; its unit is NULL for all of them. */
static int find_request(const struct march_library *lib, const struct control_library *controls,
                        const struct options *o, struct march_request *r)
{
    *r = (struct march_request){.unit = march_unit_find(lib, o->unit),
                                .march = march_find(lib, o->march ? o->march : "c-"),
                                .alone = o->alone,
                                .inside = o->inside,
                                .compare = o->compare_sms};
    bool good_unit = r->unit || strcmp(o->unit, MEMORIES) == 0;
    if (good_unit && r->march && !r->march->pass)
        return 0;
    char *names = names_of(lib, good_unit);
    struct fl_nearest meant = {.typed = good_unit ? o->march : o->unit};
    for (int i = 0; i < (good_unit ? lib->nmarches : lib->nunits); i++)
        if (!good_unit || !lib->march[i].pass)
            fl_nearest_try(&meant, good_unit ? lib->march[i].name : lib->unit[i].name, NULL);
    for (int i = 0; i < controls->nunits && !good_unit; i++)
        fl_nearest_try(&meant, controls->unit[i].name, NULL);
    for (int i = 0; i < LANE_MAX_UNITS && !good_unit; i++)
        fl_nearest_try(&meant, lane_unit_name(i), NULL);
    int status = good_unit
                     ? wrong("there is no march '%s'%s; use one of %s", o->march, meant.hint, names)
                     : wrong("there is no unit '%s'%s; use one of %s, or " MEMORIES
                             " for all of them; sbst/control.xml has others, and alu_int, "
                             "alu_fp, alu_cvt, sfu and lane are logic of a lane",
                             o->unit, meant.hint, names);
    free(names);
    return status;
}

/* The programs of one unit, behind those that are there. */
static int add_programs(const struct march_library *lib, const struct sbst_machine *machine,
                        const struct march_request *r, const struct sbst_budget *budget,
                        struct march_program **p, int *count, struct fl_err *err)
{
    if (budget->cycles || budget->bytes)
        return march_split(lib, machine, r, budget, p, count, err);
    *p = fl_grow(*p, (size_t)*count + 1, sizeof **p);
    int bad = march_compose(lib, machine, r, &(*p)[*count], err);
    *count += !bad;
    return bad;
}

/* Tests of memories, and behind them those of control. */
struct programs {
    struct march_program *march;
    struct control_program *control;
    int marches, controls;
};

static int write_programs(const struct programs *p, const char *schedule, const struct options *o,
                          struct fl_err *err)
{
    struct sbst_set *set = fl_alloc((size_t)(p->marches + p->controls) * sizeof *set);
    struct fl_buf text = {0};
    int bad = 0;
    march_write_schedule(p->march, p->marches, &text);
    for (int i = 0; i < p->marches; i++)
        set[i] = march_set(&p->march[i]);
    for (int i = 0; i < p->controls && !bad; i++) {
        set[p->marches + i] = control_set(&p->control[i]);
        bad = control_write_part(&p->control[i], p->marches + i + 1, &text, err);
    }
    bad = bad ||
          sbst_write_sets(set, p->marches + p->controls, schedule, &text, o->dir, &o->read, err);
    fl_buf_free(&text);
    free(set);
    return bad ? -1 : 0;
}

static void print_control(const struct control_program *p, const char *dir)
{
    fl_print(stdout, dir);
    printf("/%s: .cubin .job.xml .sasm .lst, %d launch%s\n", p->name, p->nlaunches,
           p->nlaunches == 1 ? "" : "es");
}

static int add_controls(const struct control_library *lib, const struct sbst_machine *machine,
                        struct programs *p, struct fl_err *err)
{
    p->control = fl_alloc((size_t)lib->nunits * sizeof *p->control);
    for (int i = 0; i < lib->nunits; i++) {
        if (lib->unit[i].instead || lib->unit[i].cache)
            continue;
        if (control_compose(lib, &lib->unit[i], machine, &p->control[p->controls], err) != 0)
            return -1;
        p->controls++;
    }
    return 0;
}

static bool is_asked(const struct march_library *lib, const struct march_request *r, int unit)
{
    return r->unit ? r->unit == &lib->unit[unit] : !lib->unit[unit].follows;
}

/* One message for all units that are asked for: the least budget that each part of each fits. */
static void refuse_budget(const struct march_library *lib, const struct sbst_machine *machine,
                          const struct march_request *r, const struct sbst_budget *budget,
                          struct fl_err *err)
{
    struct march_least cycles = {0}, bytes = {0};
    for (int i = 0; i < lib->nunits; i++) {
        struct march_request one = *r;
        one.unit = &lib->unit[i];
        if (is_asked(lib, r, i) && march_least(lib, machine, &one, &cycles, &bytes, err) != 0)
            return;
    }
    bool more_cycles = budget->cycles && cycles.amount > budget->cycles,
         more_bytes = budget->bytes && bytes.amount > budget->bytes;
    struct fl_buf use = {0};
    if (more_cycles)
        fl_buf_printf(&use, "--max-cycles %d", cycles.amount);
    if (more_bytes)
        fl_buf_printf(&use, "%s--max-bytes %d", more_cycles ? " and " : "", bytes.amount);
    const struct march_least *l = more_cycles ? &cycles : &bytes;
    fl_fail(err, "cannot split %s below %d %s (%d cells, pass '%s'); use %s or more", l->unit,
            l->amount, more_cycles ? "cycles" : "bytes", l->cells, l->pass, (char *)use.data);
    fl_buf_free(&use);
}

static void print_schedule(const char *name, const struct programs *p, const char *dir)
{
    printf("the parts in order: %s\n", name);
    if (!p->controls)
        return;
    printf("instructions and cycles of %d of them: smrun --measure ", p->controls);
    fl_print(stdout, dir);
    printf("/%s\n", name);
}

static int generate_memories(const struct march_library *lib, const struct control_library *more,
                             const struct sbst_machine *machine, const struct march_request *r,
                             const struct sbst_budget *budget, const struct options *o,
                             struct fl_err *err)
{
    struct programs p = {0};
    bool cut = budget->cycles || budget->bytes;
    int status = 0;
    for (int i = 0; i < lib->nunits && !status; i++) {
        struct march_request one = *r;
        if (!is_asked(lib, r, i))
            continue;
        one.unit = &lib->unit[i];
        int bad = add_programs(lib, machine, &one, budget, &p.march, &p.marches, err);
        if (bad == 1)
            refuse_budget(lib, machine, r, budget, err);
        status = bad ? 2 : 0;
    }
    if (!status && !r->unit && !r->inside && !cut && machine->exit_ends)
        status = add_controls(more, machine, &p, err) ? 2 : 0;
    char *schedule = !r->inside && (!r->unit || cut)
                         ? fl_format("%s-%s%s.schedule.csv", o->unit, r->march->file,
                                     r->alone ? "-alone" : "")
                         : NULL;
    if (!status && (r->inside ? march_write_macros(p.march, p.marches, o->dir, &o->read, err)
                              : write_programs(&p, schedule, o, err)) != 0)
        status = 1;
    for (int i = 0; i < p.marches && !status && !o->quiet; i++)
        print_memory(&p.march[i], o->dir);
    for (int i = 0; i < p.controls && !status && !o->quiet; i++)
        print_control(&p.control[i], o->dir);
    if (schedule && !status && !o->quiet)
        print_schedule(schedule, &p, o->dir);
    for (int i = 0; i < p.marches; i++)
        march_program_free(&p.march[i]);
    for (int i = 0; i < p.controls; i++)
        control_program_free(&p.control[i]);
    free(p.march);
    free(p.control);
    free(schedule);
    return status;
}

/* The status to exit with. */
static int write_control(const struct options *o, const char *root,
                         const struct control_library *lib, const struct control_unit *unit)
{
    struct fl_err err = {0};
    struct sbst_machine machine = {0};
    struct control_program p = {0};
    int status = 0;
    if (o->march || o->alone || o->inside || o->compare_sms || o->max_cycles || o->max_bytes)
        status = wrong("--unit %s is no march and has no parts; of options it takes --profile, -o "
                       "and --quiet",
                       unit->name);
    else if (sbst_machine_load(root, o->profile ? o->profile : "flexgripplus", &machine, &err) !=
                 0 ||
             control_compose(lib, unit, &machine, &p, &err) != 0)
        status = fl_complain(2, "%s", err.msg);
    else if (control_write_files(&p, o->dir, &o->read, &err) != 0)
        status = fl_complain(1, "%s", err.msg);
    else if (!o->quiet)
        print_control(&p, o->dir);
    control_program_free(&p);
    sbst_machine_free(&machine);
    return status;
}

/* The status to exit with; -1 when the unit is none of control. */
static int control(const struct options *o)
{
    char *root = xml_data_folder();
    struct fl_err err = {0};
    struct control_library *lib = NULL;
    int status = -1;
    if (control_library_load(root, &lib, &err) != 0) {
        status = fl_complain(1, "%s", err.msg);
    } else {
        const struct control_unit *unit = control_unit_find(lib, o->unit);
        struct sbst_budget none = {0};
        status = unit ? check_memory(o, &none) : -1;
        if (status == 0)
            status = write_control(o, root, lib, unit);
    }
    control_library_free(lib);
    free(root);
    return status;
}

/* Three SMs name the odd one; of two the digest has to say which is wrong, and is there. */
static int check_sms(const struct march_request *r, const struct sbst_machine *m,
                     struct fl_err *err)
{
    if (!r->compare)
        return 0;
    if (!r->unit)
        return fl_fail(err, "--compare-sms is for one memory at a time; name it with --unit");
    if (r->inside)
        return fl_fail(err,
                       "--compare-sms is for whole tests, --inside for parts of a kernel; leave "
                       "one of them out");
    if (m->sms < 2 || m->sms > 128)
        return fl_fail(err, "--compare-sms: profile %s has %d SM%s; take a chip of 2 to 128",
                       m->profile, m->sms, m->sms == 1 ? "" : "s");
    if (!m->fixed)
        return fl_fail(
            err,
            "--compare-sms: profile %s gives a block to whichever SM has room; each SM has "
            "to run its own: take one whose <blocks> are fixed",
            m->profile);
    return 0;
}

/* The status to exit with. */
static int memory(const struct options *o)
{
    struct sbst_budget budget = {0};
    int status = check_memory(o, &budget);
    if (status)
        return status;
    char *root = xml_data_folder();
    struct fl_err err = {0};
    struct sbst_machine machine = {0};
    struct march_library *lib = NULL;
    struct control_library *more = NULL;
    struct march_request request;
    if (march_library_load(root, &lib, &err) != 0 || control_library_load(root, &more, &err) != 0)
        status = fl_complain(1, "%s", err.msg);
    else if ((status = find_request(lib, more, o, &request)) == 0) {
        status = sbst_machine_load(root, o->profile ? o->profile : "flexgripplus", &machine, &err)
                     ? 2
                 : check_sms(&request, &machine, &err)
                     ? 2
                     : generate_memories(lib, more, &machine, &request, &budget, o, &err);
        if (status)
            fl_complain(status, "%s", err.msg);
    }
    march_library_free(lib);
    control_library_free(more);
    sbst_machine_free(&machine);
    free(root);
    xmlCleanupParser();
    return status;
}

/* What was told of a self-test, or the error; the status to exit with. */
static int end(const struct options *o, int status, struct fl_buf *report, const struct fl_err *err)
{
    if (status)
        fl_complain(status, "%s", err->msg);
    else if (!o->quiet)
        fl_print(stdout, (char *)report->data);
    fl_buf_free(report);
    xmlCleanupParser();
    return status;
}

/* ---- gates of a lane ------------------------------------------------------------------------- */

/* The status to exit with. */
static int lane(const struct options *o)
{
    struct lane_options what = {o->unit, o->groups, o->left, o->profile, o->dir, 0, 6, &o->read};
    int enough = 0;
    struct fl_buf report = {0};
    struct fl_err err = {0};
    if (o->method || o->le || o->march || o->alone || o->inside || o->compare_sms ||
        o->max_cycles || o->max_bytes || o->target || o->format || o->compact)
        return wrong(
            "--unit %s takes --groups, --left, --enough, --warps, --profile, -o and --quiet",
            o->unit);
    if (!o->groups)
        return wrong("--unit %s needs --groups FILE: faultsim gate --groups DIR writes it",
                     o->unit);
    if (o->warps && !parse_number(o->warps, &what.warps))
        return wrong("--warps '%s' is not a number from 1; write --warps 6", o->warps);
    if (o->enough && (!o->left || !parse_number(o->enough, &enough)))
        return wrong("--enough '%s': it goes with --left, and is a number from 1", o->enough);
    what.enough = enough;
    int status = lane_make(&what, &report, &err);
    return end(o, status, &report, &err);
}

/* ---- gates of the control -------------------------------------------------------------------- */

/* The status to exit with. */
static int gates(const struct options *o)
{
    struct gates_options what = {o->gates, o->rows,   o->seed,  o->max_cycles, o->profile,
                                 o->dir,   o->hosted, o->traps, &o->read};
    struct fl_buf report = {0};
    struct fl_err err = {0};
    if (o->unit || o->method || o->le || o->approach || o->patterns || o->warps || o->max_bytes ||
        o->checkpoint || o->pc || o->flow_id || o->landing_pads || o->target || o->format ||
        o->march || o->alone || o->inside || o->compare_sms || o->compact || o->coverage ||
        o->sdc_only || o->groups || o->left || o->enough)
        return wrong("--gates takes --rows, --traps, --seed, --hosted, --max-cycles, --profile, -o "
                     "and --quiet; leave other options out");
    if (o->traps && (o->hosted || o->max_cycles))
        return wrong(
            "--traps: programs that trap are short, and none is random; leave --hosted and "
            "--max-cycles out");
    int status = gates_make(&what, &report, &err);
    return end(o, status, &report, &err);
}

/* ---- parts that exist ------------------------------------------------------------------------ */

/* "99" or "99.5%": more than 0, at most 100. */
static bool parse_percent(const char *s, double *value)
{
    char *end;
    if (s[0] < '0' || s[0] > '9' || strspn(s, "0123456789.%") != strlen(s))
        return false;
    *value = strtod(s, &end);
    return (!*end || strcmp(end, "%") == 0) && *value > 0 && *value <= 100;
}

static int check_compact(const struct options *o, struct sbst_goal *goal)
{
    int slot = 0;
    if (o->method || o->le || o->approach || o->patterns || o->warps || o->max_bytes ||
        o->checkpoint || o->pc || o->flow_id || o->landing_pads || o->target || o->format)
        return wrong("--compact chooses among parts that exist; leave options of new programs out");
    if (o->coverage && !parse_percent(o->coverage, &goal->coverage))
        return wrong("--coverage '%s' is not a percentage; write --coverage 99%%", o->coverage);
    if (o->max_cycles && !parse_number(o->max_cycles, &slot))
        return wrong("--max-cycles '%s' is not a number from 1; write --max-cycles 10000",
                     o->max_cycles);
    goal->slot = slot;
    return 0;
}

/* out/ind.csv: ind.schedule.csv */
static char *schedule_name_of(const char *matrix)
{
    const char *slash = strrchr(matrix, '/'), *base = slash ? slash + 1 : matrix;
    size_t n = strlen(base);
    if (n > 4 && strcmp(base + n - 4, ".csv") == 0)
        n -= 4;
    return fl_format("%.*s.schedule.csv", (int)n, base);
}

/* The status to exit with. */
static int compact(const struct options *o)
{
    struct sbst_goal goal = {0};
    struct sbst_matrix m;
    struct sbst_plan plan = {0};
    struct fl_buf schedule = {0}, report = {0};
    struct fl_err err = {0};
    int status = check_compact(o, &goal);
    if (status)
        return status;
    if (sbst_matrix_load(o->compact, o->sdc_only, &m, &err) != 0)
        return fl_complain(1, "%s", err.msg);
    int bad = sbst_compact(&m, &goal, &plan, &err);
    if (!bad) {
        char *name = schedule_name_of(o->compact), *path = fl_format("%s/%s", o->dir, name);
        sbst_plan_print(&m, &plan, &report);
        bad = sbst_plan_schedule(&m, &plan, &schedule, &err) != 0 ||
              sbst_make_folder(o->dir, &err) != 0 ||
              sbst_check_outputs(o->dir, &name, 1, &o->read, &err) != 0 ||
              fl_write_file(path, schedule.data, schedule.size, &err) != 0;
        bad = -bad;
        free(name);
        free(path);
    }
    if (bad)
        fl_complain(1, "%s", err.msg);
    else if (!o->quiet)
        fl_print(stdout, (char *)report.data);
    fl_buf_free(&schedule);
    fl_buf_free(&report);
    sbst_plan_free(&plan);
    sbst_matrix_free(&m);
    return bad > 0 ? 2 : bad < 0;
}

/* ---- dumps of a simulation ------------------------------------------------------------------- */

static bool is_manifest(const char *path)
{
    size_t n = strlen(path);
    return n >= 11 && strcmp(path + n - 11, "library.xml") == 0;
}

/* The status to exit with. */
static int verify_library(const char *manifest)
{
    struct fl_buf report = {0};
    struct fl_err err = {0};
    int bad = library_check(manifest, &report, &err);
    return end(&(struct options){0}, bad ? 1 : 0, &report, &err);
}

/* sbstgen verify; the status to exit with. */
static int verify(int argc, char **argv)
{
    const char *job = NULL, *dictionary = NULL, **dump = fl_alloc((size_t)argc * sizeof *dump);
    int ndumps = 0, status = 0;
    bool dumps = false, help = false;
    for (int i = 2; i < argc && !status; i++) {
        if (strcmp(argv[i], "--help") == 0)
            help = true;
        else if (strcmp(argv[i], "--dump") == 0)
            dumps = true;
        else if (strcmp(argv[i], "--dictionary") == 0 && i + 1 < argc)
            dictionary = argv[++i];
        else if (argv[i][0] == '-')
            status = wrong("verify: %s '%s'; see sbstgen --help",
                           strcmp(argv[i], "--dictionary") ? "unknown option" : "no file after",
                           argv[i]);
        else if (dumps && job)
            dump[ndumps++] = argv[i];
        else if (!job)
            job = argv[i];
        else
            status = wrong("verify: '%s' is a second job; name dumps after --dump", argv[i]);
    }
    if (help) {
        struct fl_buf text = {0};
        usage_help(&usage, &text);
        fwrite(text.data, 1, text.size, stdout);
        fl_buf_free(&text);
    } else if (!status && job && !ndumps && !dictionary && is_manifest(job)) {
        status = verify_library(job);
    } else if (!status && (!job || !ndumps))
        status = wrong("verify needs a job and a dump for each of its launches: sbstgen verify "
                       "JOB.xml --dump FILE...");
    if (!status && !help && ndumps) {
        struct fl_buf report = {0};
        struct fl_err err = {0};
        status = launch_verify(job, dump, ndumps, dictionary, &report, &err);
        if (report.size)
            fl_print(stdout, (char *)report.data);
        if (status < 0)
            status = fl_complain(1, "%s", err.msg);
        fl_buf_free(&report);
        xmlCleanupParser();
    }
    free(dump);
    return status;
}

/* ---- a library ------------------------------------------------------------------------------- */

static int run(struct options *o);

/* The tests of one part, made as by a call of their own. */
static int add_part(struct library *l, const struct options *o, const char *name,
                    struct options part, struct fl_err *err)
{
    char *dir = library_stage(l, name);
    part.profile = o->profile;
    part.dir = dir;
    part.quiet = true;
    int status = run(&part);
    if (!status && library_add(l, name, err) != 0)
        status = fl_complain(1, "%s", err->msg);
    free(dir);
    return status;
}

static int add_memories(struct library *l, const struct options *o, const struct sbst_machine *m,
                        const struct march_library *lib, struct fl_err *err)
{
    int status = 0;
    for (int i = 0; i < lib->nunits && !status; i++)
        if (!lib->unit[i].follows && !march_fills(&lib->unit[i], m))
            library_leave(l, lib->unit[i].name, "no number of warps of this machine fills it");
        else if (!lib->unit[i].follows)
            status = add_part(l, o, lib->unit[i].name,
                              (struct options){.unit = lib->unit[i].name,
                                               .max_cycles = o->max_cycles,
                                               .compare_sms = m->sms > 1 && m->fixed},
                              err);
    return status;
}

static int add_control(struct library *l, const struct options *o, const struct sbst_machine *m,
                       const struct control_library *lib, struct fl_err *err)
{
    int status = 0;
    for (int i = 0; i < lib->nunits && !status && m->exit_ends; i++) {
        const struct control_unit *u = &lib->unit[i];
        const struct sbst_cache *cache = !u->cache                      ? NULL
                                         : strcmp(u->cache, "l1d") == 0 ? &m->l1d
                                                                        : &m->l2;
        if (!u->instead && (!cache || (cache->bytes && cache->global)))
            status = add_part(l, o, u->name, (struct options){.unit = u->name}, err);
    }
    return status;
}

static int add_gates(struct library *l, const struct options *o, const struct sbst_machine *m,
                     struct fl_err *err)
{
    int status = 0;
    if (o->groups)
        status = add_part(l, o, "lane",
                          (struct options){.unit = "lane", .groups = o->groups, .warps = o->warps},
                          err);
    if (!status && m->sms == 1 && !m->l1d.bytes && !m->l2.bytes)
        status = add_part(
            l, o, "gates",
            (struct options){.gates = "all", .hosted = true, .rows = o->rows, .seed = o->seed},
            err);
    if (!status && o->traps)
        status = add_part(
            l, o, "traps",
            (struct options){.gates = "all", .traps = true, .rows = o->rows, .seed = o->seed}, err);
    return status;
}

static int add_parts(struct library *l, const struct options *o, const char *root,
                     struct fl_err *err)
{
    struct march_library *memories = NULL;
    struct control_library *controls = NULL;
    struct sbst_machine m = {0};
    int status = sbst_machine_load(root, o->profile, &m, err) != 0 ? 2
                 : march_library_load(root, &memories, err) != 0 ||
                         control_library_load(root, &controls, err) != 0
                     ? 1
                     : 0;
    if (status)
        fl_complain(status, "%s", err->msg);
    else if ((status = add_memories(l, o, &m, memories, err)) == 0 &&
             (status = add_control(l, o, &m, controls, err)) == 0)
        status = add_gates(l, o, &m, err);
    march_library_free(memories);
    control_library_free(controls);
    sbst_machine_free(&m);
    return status;
}

static char *library_command(const struct options *o)
{
    const char *const option[][2] = {{"--profile", o->profile},
                                     {"--seed", o->seed},
                                     {"--groups", o->groups},
                                     {"--warps", o->warps},
                                     {"--rows", o->rows},
                                     {"--matrix", o->matrix},
                                     {"--max-cycles", o->max_cycles},
                                     {"--test-cycles", o->test_cycles}};
    struct fl_buf text = {0};
    fl_buf_printf(&text, "sbstgen --library DIR");
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (option[i][1])
            fl_buf_printf(&text, " %s %s", option[i][0], option[i][1]);
    fl_buf_printf(&text, "%s", o->traps ? " --traps" : "");
    fl_buf_add(&text, "", 1);
    return (char *)text.data;
}

/* The status to exit with. */
static int library(struct options *o)
{
    int test_cycles = 0, max_cycles = 0, seed = 1;
    if (o->unit || o->gates || o->method || o->le || o->approach || o->patterns || o->max_bytes ||
        o->checkpoint || o->pc || o->flow_id || o->landing_pads || o->target || o->format ||
        o->march || o->alone || o->inside || o->compare_sms || o->compact || o->coverage ||
        o->sdc_only || o->left || o->enough || o->hosted || strcmp(o->dir, ".") != 0)
        return wrong(
            "--library takes --groups, --warps, --rows, --traps, --seed, --matrix, --test-cycles, "
            "--max-cycles, --profile and --quiet; leave other options out");
    if (o->test_cycles && !parse_number(o->test_cycles, &test_cycles))
        return wrong("--test-cycles '%s' is not a number from 1; write --test-cycles 1000000",
                     o->test_cycles);
    if (o->max_cycles && !parse_number(o->max_cycles, &max_cycles))
        return wrong("--max-cycles '%s' is not a number from 1; write --max-cycles 50000",
                     o->max_cycles);
    if (o->seed && !parse_number(o->seed, &seed))
        return wrong("--seed '%s' is not a number from 1; write --seed 2", o->seed);
    o->profile = o->profile ? o->profile : "g80";
    char *root = xml_data_folder(), *command = library_command(o);
    struct library l;
    struct fl_buf report = {0};
    struct fl_err err = {0};
    int status = library_open(&l, o->library, &err) != 0 ? fl_complain(1, "%s", err.msg)
                                                         : add_parts(&l, o, root, &err);
    const struct library_options what = {
        o->library,           o->profile,     command,
        usage_program(),      o->matrix,      (uint64_t)test_cycles,
        (uint64_t)max_cycles, (uint32_t)seed, &o->read};
    if (!status)
        status = end(o, library_write(&l, &what, &report, &err) != 0, &report, &err);
    library_close(&l);
    free(command);
    free(root);
    return status;
}

/* The status to exit with. */
static int run(struct options *o)
{
    struct sbst_request request = {0};
    struct sbst_budget budget = {0};
    if (o->library)
        return library(o);
    if (o->test_cycles || o->matrix)
        return wrong("--test-cycles and --matrix go with --library DIR");
    if (o->gates)
        return gates(o);
    if (o->seed || o->rows || o->hosted || o->traps)
        return wrong("%s goes with --gates UNIT,...", o->seed     ? "--seed"
                                                      : o->rows   ? "--rows"
                                                      : o->hosted ? "--hosted"
                                                                  : "--traps");
    if (o->unit && lane_unit(o->unit)) {
        o->unit = lane_unit(o->unit);
        return lane(o);
    }
    if (o->groups || o->left || o->enough)
        return wrong(
            "--groups, --left and --enough go with --unit alu_int, alu_fp, alu_cvt, sfu or lane");
    if (o->unit) {
        int status = control(o);
        return status < 0 ? memory(o) : status;
    }
    if (o->march || o->alone || o->inside || o->compare_sms)
        return wrong("--march, --alone, --inside and --compare-sms go with --unit UNIT");
    if (o->compact)
        return compact(o);
    if (o->coverage || o->sdc_only)
        return wrong("--coverage and --sdc-only go with --compact MATRIX.csv");
    int status = read_request(o, &request);
    if (status == 0)
        status = check_budget(o, &request, &budget);
    if (status != 0)
        return status;
    if (!o->profile)
        o->profile = request.target ? request.target->profile : "flexgripplus";

    char *root = xml_data_folder();
    struct fl_err err = {0};
    struct sbst_machine machine = {0};
    struct sbst_library *lib = NULL;
    if (sbst_machine_load(root, o->profile, &machine, &err) != 0 ||
        sbst_request_check(&request, &machine, &err) != 0)
        status = 2;
    else if (sbst_library_load(root, &lib, &err) != 0)
        status = 1;
    else
        status = generate(lib, &machine, &request, &budget, o, &err);
    if (status != 0)
        fl_complain(status, "%s", err.msg);
    sbst_library_free(lib);
    sbst_machine_free(&machine);
    free(root);
    xmlCleanupParser();
    return status;
}

int main(int argc, char **argv)
{
    struct options o = {.dir = "."};
    fl_start("sbstgen");
    if (argc > 1 && strcmp(argv[1], "verify") == 0)
        return fl_end(verify(argc, argv));
    int status = parse_options(argc, argv, &o);
    if (status == 0 && !o.answered) {
        add_inputs(&o);
        status = run(&o);
    }
    fl_files_free(&o.read);
    return fl_end(status);
}
