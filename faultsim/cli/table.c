/* table.c -- the subcommands and options of faultsim: see options.h. */
#include "values.h"

#define STUCK_AT     (1u << CLI_STUCK_AT)
#define MEMORY       (1u << CLI_MEMORY)
#define TRANSIENT    (1u << CLI_TRANSIENT)
#define INTERMITTENT (1u << CLI_INTERMITTENT)
#define GATE         (1u << CLI_GATE)
#define PROVE        (1u << CLI_PROVE)
#define DICTIONARY   (1u << CLI_DICTIONARY)
#define MERGE        (1u << CLI_MERGE)
#define REPORT       (1u << CLI_REPORT)
#define COMPARE      (1u << CLI_COMPARE)
#define HELP         (1u << CLI_HELP)
/* Permanent faults; faults that have a cycle. */
#define PERMANENT (STUCK_AT | MEMORY | PROVE | DICTIONARY)
#define TIMED     (TRANSIENT | INTERMITTENT)
#define PROGRAMS                                                                                   \
    (STUCK_AT | MEMORY | TIMED | GATE) /* whose faults programs with their hosts can have */
#define INJECT  (STUCK_AT | MEMORY | TIMED | GATE)
#define RUNS    (PERMANENT | TIMED | GATE)
#define AVF     (TIMED | REPORT)
#define ALL     (RUNS | MERGE | REPORT | COMPARE | HELP)
#define EXPORTS (STUCK_AT | MEMORY | DICTIONARY | AVF | GATE)

const struct cli_command_row cli_commands[CLI_COMMANDS] = {
    [CLI_STUCK_AT] = {.name = "stuck-at",
                      .operands = "JOB.xml... | -- PROGRAM [ARGUMENT...]",
                      .model = "stuck-at",
                      .summary =
                          "stuck-at faults of any storage element, and their detection by jobs",
                      .example = {{"stuck-at sort.job.xml selftest.job.xml --csv coverage.csv",
                                   "the coverage of each job, and of both together"},
                                  {"stuck-at --faults 'dstack/w0/le1-4/tm*:sa*' selftest.job.xml",
                                   "only the faults of the thread masks of line-entries 1 to 4"},
                                  {"stuck-at --fault dstack/w0/le3/spc17:sa1 selftest.job.xml",
                                   "the trace of one fault"},
                                  {"stuck-at --target rf --sample 1000 --return-errors --exit "
                                   "1=detected -- ./selftest",
                                   "a program, which runs again with each fault that changes what "
                                   "it reads"}}},
    [CLI_MEMORY] =
        {.name = "memory",
         .operands = "JOB.xml... | -- PROGRAM [ARGUMENT...]",
         .model = "memory",
         .summary = "faults of memories: transition, stuck-open, coupling, address decoder",
         .example =
             {{"memory --target rf --kind tf,cfid --sample 10000 fft.job.xml",
               "a random sample of 10,000 such faults of the register file"},
              {"memory --faults 'shared/p0-63/b*~*:cfst*' fft.job.xml --csv-faults faults.csv",
               "state couplings of 64 words with all their neighbours"},
              {"memory --fault rf/p5~rf/p37:afw fft.job.xml",
               "the trace of two addresses that reach one register"}}},
    [CLI_TRANSIENT] =
        {.name = "transient",
         .operands = "JOB.xml... | -- PROGRAM [ARGUMENT...]",
         .model = "transient",
         .summary = "flipped bits in every storage element: AVF and FIT",
         .example =
             {{"transient --target shared --exact fft.job.xml",
               "every bit of shared memory in every cycle"},
              {"transient --target rf,cc --sample 2000 --technology 28nm fft.job.xml "
               "--html avf.html",
               "2,000 flips drawn in each of two structures; a page with plots"},
              {"transient --fault rf/p517/b12@1834:flip fft.job.xml", "the trace of one flip"},
              {"transient --target rf --sample 1000 --output result.txt -- ./bfs graph.txt",
               "a program, whose host runs again for each flip that changes what it reads"}}},
    [CLI_INTERMITTENT] =
        {.name = "intermittent",
         .operands = "JOB.xml... | -- PROGRAM [ARGUMENT...]",
         .model = "intermittent",
         .summary = "intermittent faults: bits forced to 0 or 1 for some cycles, or permanently",
         .example = {{"intermittent --target rf --sample 1000 --hold 50 sort.job.xml",
                      "1,000 bits of registers, each forced for 50 cycles"},
                     {"intermittent --fault cc/w0/c1/z7@0-:sa1 sort.job.xml",
                      "the trace of a bit that is stuck at 1 from the start to the end"}}},
    [CLI_GATE] =
        {.name = "gate",
         .operands = "JOB.xml... | -- PROGRAM [ARGUMENT...]",
         .model = "gate",
         .summary =
             "gate-level faults in the running program: stuck-at and transition-delay faults "
             "of a lane and of the control, single-event transients of the control",
         .example = {{"gate --unit alu_int --sp 0 sort.job.xml",
                      "the integer unit of SP 0: the outcome of each of its faults"},
                     {"gate --unit all --sp 0 fft.job.xml --csv-faults faults.csv",
                      "the four units of a lane; a line for each fault"},
                     {"gate --unit control --engine rtl fft.job.xml",
                      "scheduler, decoder, micro-operation, control flow of the SM"},
                     {"gate --unit flow --engine rtl --model glitch --sample 1000 fft.job.xml",
                      "1,000 of its gates, each wrong for one cycle"},
                     {"gate --unit sfu --sample 500 --exhaustive fft.job.xml",
                      "500 faults, each in its own run from cycle 0"}}},
    [CLI_PROVE] =
        {.name = "prove",
         .operands = "[JOB.xml...]",
         .model = "stuck-at",
         .summary = "functionally untestable stuck-at faults, with their proofs",
         .example = {{"prove --profile g80", "the proof for a machine, without any job"},
                     {"prove --without CAL,PBK nesting.job.xml --csv-faults left.csv",
                      "the undetected faults of the job, and the faults that become untestable "
                      "without CAL and PBK"}}},
    [CLI_DICTIONARY] =
        {.name = "dictionary",
         .operands = "JOB.xml... | --from F.xml",
         .model = "stuck-at",
         .summary = "fault dictionary: the stuck-at faults for each signature of the jobs",
         .example = {{"dictionary part1.job.xml part2.job.xml --xml dictionary.xml",
                      "makes a dictionary of two jobs"},
                     {"dictionary --from dictionary.xml --lookup good --lookup part2:7de9ceeeddc1",
                      "the faults that give part2 outputs of this digest and leave all other jobs "
                      "correct"}}},
    [CLI_MERGE] = {.name = "merge",
                   .operands = "OUT.db SHARD.db...",
                   .summary = "joins the stores of the shards of a campaign",
                   .example = {{"merge all.db shard1.db shard2.db shard3.db",
                                "writes all.db, the input of faultsim report"},
                               {"merge all.db shards/*.db", "all shards of a folder"}}},
    [CLI_REPORT] =
        {.name = "report",
         .operands = "STORE.db...",
         .summary = "the table and the exports of a finished campaign, from its store; "
                    "of several stores, evidence for a safety case",
         .example = {{"report all.db --html page.html", "prints the table, writes a page"},
                     {"report all.db --quiet --technology 28nm --csv avf.csv",
                      "FIT at another rate of upsets than that of the campaign"},
                     {"report --evidence evidence --proofs flow.verdicts.csv memories.db flow.db",
                      "a page and CSV files: coverage, residual faults and assumptions of both"}}},
    [CLI_COMPARE] =
        {.name = "compare",
         .operands = "A.db B.db",
         .summary = "two campaigns of one machine: of one list of faults, their differences and "
                    "significance; of two fault models, AVF and coverage side by side",
         .example = {{"compare plain.db hardened.db",
                      "changes from the first campaign to the second"},
                     {"compare plain.db hardened.db --csv differences.csv --html differences.html",
                      "the same as CSV and as a page"},
                     {"compare transient.db stuck-at.db --plots figures",
                      "AVF and detected stuck-at faults of each structure in one figure"}}},
    [CLI_HELP] = {.name = "help",
                  .operands = "[COMMAND]",
                  .summary = "options and examples of a command; COMMAND --help is the same",
                  .example = {{"help transient", "also: faultsim transient --help"}}},
};

const char *const cli_sections[CLI_SECTIONS] = {
    [CLI_FAULTS] = "Faults",
    [CLI_TIME] = "Time of the fault",
    [CLI_SEVERAL_BITS] = "Multiple-bit faults",
    [CLI_METHOD] = "Method",
    [CLI_RUN] = "Machine and run",
    [CLI_STORE] = "Stores and shards",
    [CLI_RESULTS] = "Results",
    [CLI_GENERAL] = "General",
};

#define TO(member) .offset = offsetof(struct cli_request, member)
#define FROM_1     .min = 1, .give = "give a whole number from 1"

const struct cli_option cli_options[] = {
    {"target", "T,...", PERMANENT & ~PROVE, CLI_FAULTS,
     "structures or patterns of faults, separated by commas, or all structures that the job "
     "has, or those of the machine, without local and constant memory (default dstack: the stack "
     "of warp slot 0; dstack/w*: those of all warps)",
     cli_patterns, TO(target)},
    {"target", "NAME", PROVE, CLI_FAULTS,
     "structure: dstack (default), pc, dsp, barrier, sched or ir", cli_text, TO(target)},
    {"target", "T,...", TIMED, CLI_FAULTS,
     "structures of the flipped bits, separated by commas, or all that the job has (default rf); "
     "or "
     "destinations of instructions, right after they are written: dest, or by instruction dest/gp, "
     "dest/fp32, dest/int, dest/ld, dest/pr, dest/other",
     cli_targets, TO(target), .give = "give names of structures separated by commas, or all"},
    {"value", "bit|random|zero", TRANSIENT, CLI_FAULTS,
     "for targets dest: flip one bit of the destination (bit, the default), or replace it by a "
     "random value or by zero",
     cli_one_of, TO(value), .give = "give bit, random or zero"},
    {"unit", "U,...", GATE | DICTIONARY, CLI_FAULTS,
     "units of the faulty gates, separated by commas: alu_int, alu_fp, alu_cvt, sfu, lane (all "
     "of them together, as one netlist), or all: the first four (default alu_int); or of the "
     "control sched, decode, uop, flow, or control: these four; array periphery: ccrf "
     "(flags), arf (address registers), warp_state, dmu (stacks), smem (shared memory), or ports: "
     "these five; slot (issue and stall control), pipe (logic before the pipeline registers), or "
     "pipeline: these two; rf (ports of the register file), execute_select and execute_result "
     "(operands and results of the lanes), writeback (logic between units), or operands: these "
     "four; lsu_addr, lsu_check, lsu_transactions, lsu_passes, lsu_data, lsu_queue, or lsu: these "
     "six; block_barrier, block_place, block_next, or blocks: these three. All but the first five "
     "need --engine rtl",
     cli_text, TO(unit)},
    {"model", "M", GATE, CLI_FAULTS,
     "stuck-at (default); transition: transition-delay faults (slow-to-rise, slow-to-fall), from "
     "one use of the unit by the SP to its next, or from one cycle of the control to the next; "
     "also "
     "transition-delay; glitch or set: single-event transients of the control, a gate wrong for "
     "one cycle",
     cli_text, TO(model)},
    {"sp", "N", GATE | DICTIONARY, CLI_FAULTS, "faults of this SP only (default: of every SP)",
     cli_small, TO(sp), .max = 31, .give = "give a number from 0"},
    {"fault", "ID", GATE, CLI_FAULTS,
     "the trace of one fault: gate/alu_int.sp3/n120.1:sa0; ids hold for one netlist", cli_text,
     TO(fault)},
    {"netlists", "DIR", GATE | DICTIONARY, CLI_FAULTS,
     "folder of the netlists of scripts/gates (default build/gates, else those of the package "
     "faultline-rtl)",
     cli_text, TO(netlists)},
    {"liberty", "FILE", GATE, CLI_FAULTS,
     "Liberty file: the netlists are UNIT.v, of its cells, and faults have the names of their "
     "pins; may be given several times",
     cli_word, TO(liberty)},
    {"check", "N", GATE, CLI_METHOD,
     "compare each netlist with the C model on N random vectors, and list the netlists; no job is "
     "needed",
     cli_count, TO(check), FROM_1, .max = 1ull << 40},
    {"faults", "FILE|PATTERN", PERMANENT, CLI_FAULTS,
     "a list of faults: a file with one id or pattern a line, or a pattern like "
     "'dstack/w0/le*/tm*:sa*'; - is standard input",
     cli_input, TO(faults)},
    {"faults", "FILE", TIMED | GATE, CLI_FAULTS,
     "a list of faults, one id a line; - is standard input", cli_input, TO(faults)},
    {"fault", "ID", STUCK_AT, CLI_FAULTS, "the trace of one fault: dstack/w0/le3/spc17:sa1",
     cli_text, TO(fault)},
    {"fault", "ID", MEMORY, CLI_FAULTS,
     "the trace of one fault: rf/p517/b12:tf01, rf/p517/b12~rf/p517/b13:cfid10", cli_text,
     TO(fault)},
    {"kind", "K,...", MEMORY, CLI_FAULTS,
     "kinds, separated by commas: saf (stuck-at), tf (transition), sof (stuck-open), cfin, cfid, "
     "cfst (coupling: inversion, idempotent, state), af (address decoder), or all (the default)",
     cli_kinds, TO(choice), .give = "give saf, tf, sof, cfin, cfid, cfst, af, or all"},
    {"fault", "ID", TIMED, CLI_FAULTS,
     "the trace of one fault: rf/p517/b12@1834:flip; forced to 1 in some cycles: "
     "rf/p517/b12@1800-1900:sa1; permanently: rf/p517/b12@0-:sa1",
     cli_text, TO(fault)},
    {"without", "OP,...", PROVE, CLI_FAULTS,
     "also what no program without these operations detects (docs/reference/isa.md lists them)",
     cli_text, TO(without)},
    {"in-sm", "LIST|all", STUCK_AT | MEMORY | DICTIONARY, CLI_FAULTS,
     "SMs of the faults that name no SM, as in 0,3,5-7 (default 0)", cli_sms, TO(in_sm),
     .give = "give numbers of SMs, each once, as in 0,3,5-7, or all"},
    {"in-sm", "LIST|all", TIMED, CLI_FAULTS,
     "only in these SMs of the chip, as in 0,3,5-7 (default all)", cli_sms, TO(in_sm),
     .give = "give numbers of SMs, each once, as in 0,3,5-7, or all"},
    {"launch", "N", TIMED, CLI_TIME, "only in the cycles of this launch; launches count from 0",
     cli_small, TO(window.launch), .max = JOB_MAX_LAUNCHES,
     .give = "give its number, counted from 0"},
    {"cycles", "A-B", TIMED, CLI_TIME, "only in these cycles", cli_cycles, TO(window),
     .give = "give the first and the last: 100-200"},
    {"hold", "N|end", INTERMITTENT, CLI_TIME,
     "the bits are forced for N cycles, or to the end of the run (default 100)", cli_hold,
     TO(pattern.window), .give = "give a number of cycles, or end"},

    {"bits", "adjacent:K|random:K", TIMED, CLI_SEVERAL_BITS, "K bits of a word", cli_bits,
     TO(pattern), .give = "give adjacent:K or random:K, K from 1 to 32"},
    {"entries", "N", TIMED, CLI_SEVERAL_BITS, "the same bits in N entries", cli_small,
     TO(pattern.entries), .min = 1, .max = FSIM_CELLS, .give = "give a number from 1 to 64"},
    {"lanes", NULL, TIMED, CLI_SEVERAL_BITS, "the same bits in all lanes of a warp", cli_flag,
     TO(pattern.warp)},
    {"blocks", "N", TIMED, CLI_SEVERAL_BITS, "shared: the same bits in N resident blocks",
     cli_small, TO(pattern.blocks), .min = 1, .max = SM_MAX_BLOCKS,
     .give = "give a number from 1 to 32"},
    {"same-in", "LIST|all", TIMED, CLI_SEVERAL_BITS,
     "the same fault in each of these SMs of the chip at once, as in 0,3,5-7; also of --fault and "
     "--faults",
     cli_sms, TO(pattern.same_in), .give = "give numbers of SMs, each once, as in 0,3,5-7, or all"},
    {"with", "T", TIMED, CLI_SEVERAL_BITS, "each fault also flips a bit of this structure",
     cli_text, TO(with)},

    {"exact", NULL, TRANSIENT, CLI_METHOD,
     "every bit in every cycle, by def/use equivalence classes (the default)", cli_flag, TO(exact)},
    {"budget", "MIN", TRANSIENT, CLI_METHOD,
     "refuse targets whose exact campaign is predicted to take more minutes", cli_positive,
     TO(budget), .give = "give minutes"},
    {"sample", "N", INJECT, CLI_METHOD,
     "N faults drawn at random, of each target (memory: of all together)", cli_count, TO(sample),
     FROM_1, .max = 1ull << 40},
    {"margin", "E", TIMED, CLI_METHOD, "sample size for a margin of error of E (0.01 is 1 %)",
     cli_share, TO(margin), .give = "give a share between 0 and 1: 0.01 for 1%"},
    {"confidence", "C", TIMED, CLI_METHOD, "confidence of margin and intervals (default 0.95)",
     cli_share, TO(confidence), .give = "give a share between 0 and 1: 0.95 for 95%"},
    {"seed", "N", INJECT, CLI_METHOD, "seed of a sample (default 1)", cli_seed, TO(seed),
     .max = UINT64_MAX, .give = "give a whole number"},
    {"stop-early", NULL, TIMED, CLI_METHOD,
     "end a sample when the interval is as narrow as --margin", cli_flag, TO(stop_early)},
    {"active-only", NULL, TIMED, CLI_METHOD, "draw only bits that are allocated to a block",
     cli_flag, TO(active_only)},
    {"write-faults", "F", TIMED, CLI_METHOD,
     "write the ids of a sample, a line each; nothing is simulated", cli_output, TO(write_faults)},
    {"write-faults", "F", GATE, CLI_METHOD,
     "write the faults of a unit of the control, for --faults and gatesim; nothing is injected",
     cli_output, TO(write_faults)},
    {"detect", NULL, GATE, CLI_METHOD,
     "only whether each fault is detected, and by what: a run ends at the first output that is "
     "wrong for good, at a trap, or at twice the fault-free time",
     cli_flag, TO(detect)},
    {"drop", NULL, GATE, CLI_METHOD,
     "of several jobs: do not simulate a fault again that an earlier job has detected; it is "
     "counted "
     "as dropped",
     cli_flag, TO(drop)},
    {"ace", NULL, TRANSIENT, CLI_METHOD, "lifetimes only, from the fault-free run", cli_flag,
     TO(ace)},
    {"output", "FILE", PROGRAMS, CLI_METHOD,
     "for a program of smcc --exe, or linked with libcuda, after --, whose host runs again for "
     "each fault that changes its "
     "input: a file of the current folder that it writes and that is compared, beside standard "
     "output and exit status; once for each file",
     cli_word, TO(outputs)},
    {"no-stdout", NULL, PROGRAMS, CLI_METHOD, "of a program: its standard output is not compared",
     cli_flag, TO(no_stdout)},
    {"ignore-lines", "REGEX", PROGRAMS, CLI_METHOD,
     "of a program: lines of its standard output that match this extended regular expression may "
     "differ",
     cli_text, TO(ignore_lines)},
    {"exit", "N=sdc|detected|masked", PROGRAMS, CLI_METHOD,
     "of a program: exit status N means that its outputs are wrong, that it noticed an error, or "
     "nothing, so that its outputs decide; once for each status; other statuses than the "
     "fault-free one end as exit, a DUE",
     cli_exit, TO(exits),
     .give =
         "give a status from 0 to 255, each once, and sdc, detected or masked, as in 1=detected"},
    {"check-output", "COMMAND", PROGRAMS, CLI_METHOD,
     "of a program: the shell runs COMMAND RIGHT RUN, the folders of the fault-free run and of "
     "this one, whose standard output is in RIGHT.out and RUN.out; status 0: the outputs are "
     "right, 1 to 125: they are wrong",
     cli_text, TO(check_output)},
    {"return-errors", NULL, PROGRAMS, CLI_METHOD,
     "of a program: a launch that traps or never ends returns its error to the program, which "
     "decides; without it the run ends there as crash, hang or timeout",
     cli_flag, TO(return_errors)},
    {"time-limit", "S", PROGRAMS, CLI_METHOD,
     "of a program: a run that takes more seconds ends as timeout (default 10)", cli_positive,
     TO(time_limit), .give = "give seconds"},
    {"exhaustive", NULL, RUNS, CLI_METHOD,
     "simulate every fault from cycle 0 to the end; the same outcomes, much slower", cli_flag,
     TO(exhaustive)},
    {"skip-rung", "RUNG,...", STUCK_AT | MEMORY | TIMED | GATE, CLI_METHOD,
     "decide no fault by these steps, of record, follow, sm and checkpoint: the same outcomes, "
     "slower; what each is worth",
     cli_rungs, TO(skip_rungs),
     .give = "give some of record, follow, sm and checkpoint, as in follow,sm"},
    {"detect-timing", NULL, PERMANENT, CLI_METHOD,
     "count outcome performance (only the number of cycles differs) as detected", cli_flag,
     TO(detect_timing)},

    {"engine", "c|rtl", STUCK_AT | MEMORY | PROVE, CLI_RUN,
     "the C model (default c), or the RTL (in builds with -DFAULTLINE_RTL=ON)", cli_text,
     TO(engine)},
    {"engine", "c|rtl", TIMED, CLI_RUN,
     "the C model (default c), or the RTL (in builds with -DFAULTLINE_RTL=ON): for --sample, "
     "--faults and --fault",
     cli_text, TO(engine)},
    {"engine", "c|rtl", GATE | DICTIONARY, CLI_RUN,
     "the C model (default c), or the RTL (in builds with -DFAULTLINE_RTL=ON), where each fault is "
     "in its own run from cycle 0, as with --exhaustive",
     cli_text, TO(engine)},
    {"profile", "NAME", RUNS & ~PROVE, CLI_RUN, "refuse jobs for other machines", cli_text,
     TO(machine.profile)},
    {"on", "NAME", RUNS & ~PROVE, CLI_RUN, "run the jobs on this machine in place of theirs",
     cli_text, TO(machine.on)},
    {"sms", "N", RUNS & ~PROVE, CLI_RUN, "number of SMs, in place of the profile's", cli_small,
     TO(machine.sms), .min = 1, .max = SM_MAX_SMS, .give = "give a number from 1 to 128"},
    {"cache-model", "real|gpufi", TRANSIENT, CLI_RUN,
     "contents of data caches: lines (real, the default), or the model of gpuFI-4: no data, tags "
     "of 64-bit addresses, nothing else to flip (docs/explain/avf.md)",
     cli_one_of, TO(cache_model), .give = "give real or gpufi"},
    {"profile", "NAME", PROVE, CLI_RUN,
     "the machine (default flexgripplus); jobs for another one are refused", cli_text,
     TO(machine.profile)},
    {"sps", "N,...", TIMED, CLI_RUN,
     "number of SPs: 8, 16 or 32; several: run the jobs on one such machine after the other",
     cli_sps, TO(sps), .give = "give 8, 16, 32, or several of them with commas between"},
    {"threads", "N", RUNS, CLI_RUN, "number of worker threads (default: one for each processor)",
     cli_small, TO(threads), .min = 1, .max = 1024, .give = "give a number from 1 to 1024"},
    {"progress", "auto|bar|line[:S]|none", RUNS, CLI_RUN,
     "progress on standard error: a bar, or a line every S seconds (default auto: a bar on a "
     "terminal, else a line every 30 seconds)",
     cli_progress, TO(progress), .give = "give auto, bar, line, line:60 or none"},
    {"max-cycles", "N", RUNS, CLI_RUN, "limit of the fault-free run (default 1000000000)",
     cli_count, TO(max_cycles), FROM_1, .max = 1ull << 60},
    {"max-memory", "MB", PROGRAMS, CLI_RUN,
     "memory for the records of the fault-free run, about (default: half of the computer's)",
     cli_count, TO(max_memory), FROM_1, .max = 1ull << 40},

    {"store", "F", INJECT, CLI_STORE, "keep the campaign's results in an SQLite file", cli_text,
     TO(store)},
    {"resume", NULL, INJECT, CLI_STORE,
     "continue the campaign of that store, after a signal or a crash", cli_flag, TO(resume)},
    {"keep", "flips|words|sums", TIMED, CLI_STORE,
     "of a sample or list: each flip (flips, the default), its wrong words too (words, as for "
     "--words), or only counts (sums): a small store, from which every export except --csv-faults "
     "and --words can be made",
     cli_one_of, TO(keep), .give = "give flips, words or sums"},
    {"keep", "flips|words", INJECT & ~TIMED, CLI_STORE,
     "of each fault its outcome (flips, the default), or its wrong words too (words, as for "
     "--words)",
     cli_one_of, TO(keep), .give = "give flips or words"},
    {"shard", "I/N", INJECT, CLI_STORE,
     "part I of N (auto: as a task of a whole Slurm array), into a store of its own: faultsim "
     "merge",
     cli_shard, TO(shard), .why = offsetof(struct cli_request, shard.why)},
    {"partial", NULL, MERGE, CLI_STORE,
     "join the existing shards, and report the missing ones and how much wider the intervals "
     "are; --resume finishes such a store in one process",
     cli_flag, TO(partial)},

    {"from", "F.xml", DICTIONARY, CLI_RESULTS,
     "read a dictionary that --xml wrote; - is standard input", cli_input, TO(from)},
    {"lookup", "[JOB:]WHAT", DICTIONARY, CLI_RESULTS,
     "the faults that explain it, once for each observed job; WHAT: a digest of the outputs (12 "
     "digits or more), BUFFER=FILE, a trap, no-end, good; good without JOB: all other jobs",
     cli_word, TO(lookup)},
    {"see", "place|trap|end", DICTIONARY, CLI_RESULTS,
     "the observable end of a failed job: trap and address (place), trap, or only that it failed",
     cli_one_of, TO(view), .give = "give place, trap or end"},
    {"fit-per-bit", "X", AVF, CLI_RESULTS,
     "raw failure rate of a bit, in failures in 1e9 hours, for FIT", cli_fit, TO(rate),
     .give = "give failures in 1e9 hours: 1.2e-5"},
    {"technology", "NAME", AVF, CLI_RESULTS, "published raw failure rate of 12nm, 28nm or sifi",
     cli_technology, TO(rate),
     .give = "give 12nm, 28nm or sifi, or a rate of your own: --fit-per-bit X"},
    {"protect", "MEMORY=CODE,...", TRANSIENT | REPORT, CLI_RESULTS,
     "what a code in the 32-bit words of rf, shared, local or const would make of the flips: "
     "parity "
     "or secded, as in rf=secded,shared=parity; AVF and FIT before and after, bits it costs, in "
     "the "
     "table and in --xml",
     cli_protect, TO(protect),
     .give = "give memories with their codes, as in rf=secded,shared=parity"},
    {"csv", "F", EXPORTS & ~DICTIONARY, CLI_RESULTS,
     "the table as CSV; - is standard output, here and below", cli_output, TO(csv)},
    {"csv", "F", DICTIONARY, CLI_RESULTS,
     "a line for each fault and job that detects it; - is standard output, here and below",
     cli_output, TO(csv)},
    {"csv", "F", COMPARE, CLI_RESULTS,
     "the differences as CSV; - is standard output, here and below", cli_output, TO(csv)},
    {"csv-faults", "F", STUCK_AT | MEMORY | GATE, CLI_RESULTS, "a line for each fault", cli_output,
     TO(csv_faults)},
    {"csv-faults", "F", AVF, CLI_RESULTS, "a line for each fault of a sample or list", cli_output,
     TO(csv_faults)},
    {"words", "F", INJECT | REPORT, CLI_RESULTS,
     "every wrong word of the outputs with who wrote it, as an array for numpy.load "
     "(docs/reference/words.md); of a sample, a list or permanent faults; a report's store has "
     "kept "
     "them",
     cli_output, TO(words)},
    {"dump", "NAME=FILE", INJECT, CLI_RESULTS,
     "of --fault: the output NAME that the fault leaves, as bytes; once for each output", cli_word,
     TO(dumps)},
    {"csv-faults", "F", PROVE, CLI_RESULTS,
     "a line for each undetected fault; - is standard output", cli_output, TO(csv_faults)},
    {"error-model", "F", GATE, CLI_METHOD,
     "faults change results by the rules of F, an export of --syndromes, in place of the gates: to "
     "compare "
     "its outcomes with those of the gates",
     cli_input, TO(error_model)},
    {"syndromes", "F", GATE, CLI_RESULTS,
     "the effect of each fault on the results of each operation in the fault-free runs, as CSV, "
     "and a table; nothing is injected",
     cli_output, TO(syndromes)},
    {"constraints", "DIR", GATE, CLI_RESULTS,
     "input constraints of each unit, into DIR/UNIT.constraints, and random inputs that satisfy "
     "them, into DIR/UNIT.patterns: for gatesim prove; compared with the fault-free runs of the "
     "jobs, if given",
     cli_text, TO(constraints)},
    {"groups", "DIR", GATE, CLI_RESULTS,
     "groups for a self-test of each unit, for sbstgen --unit: instructions with four operand "
     "sets each, into DIR/UNIT.groups; from the vectors in DIR/UNIT.vectors (gatesim prove "
     "--write-patterns) and random ones",
     cli_text, TO(groups)},
    {"classes", "F", GATE, CLI_RESULTS,
     "units of the control: the error class of each fault, by the first commit that differs, as "
     "CSV, and a table; no run is completed",
     cli_output, TO(classes)},
    {"predict", "F", GATE, CLI_RESULTS,
     "without --unit: the outcomes of instruction-level errors of each class in the C model, "
     "--sample of each or all, as CSV, and a table",
     cli_output, TO(predict)},
    {"xml", "F", EXPORTS, CLI_RESULTS, "all results as XML (docs/reference/exports.md)", cli_output,
     TO(xml)},
    {"html", "F", INJECT, CLI_RESULTS,
     "a page with plots; of --fault its trace, both machines side by side", cli_output, TO(html)},
    {"html", "F", REPORT | COMPARE, CLI_RESULTS, "a page with plots", cli_output, TO(html)},
    {"plots", "DIR", STUCK_AT | MEMORY | AVF | GATE | COMPARE, CLI_RESULTS,
     "the page's plots and tables as SVG and CSV files in a folder, in place of those of an "
     "earlier "
     "campaign; with rsvg-convert (librsvg2-bin), plots as PDF too",
     cli_text, TO(plots)},
    {"matrix", "F", STUCK_AT | MEMORY | GATE, CLI_RESULTS,
     "detection matrix: faults and the jobs that detect them, for sbstgen --compact", cli_output,
     TO(matrix)},
    {"evidence", "DIR", REPORT, CLI_RESULTS,
     "evidence for a safety case from one or several stores of permanent faults: a page and CSV "
     "files in a folder "
     "(docs/reference/evidence.md)",
     cli_text, TO(evidence)},
    {"proofs", "FILE", REPORT, CLI_RESULTS,
     "for --evidence: verdicts on the gates of a unit, from scripts/prove-control or gatesim prove "
     "--csv; once for each file",
     cli_word, TO(proofs)},
    {"rates", "FILE", REPORT, CLI_RESULTS,
     "for --evidence: base failure rates, lines like 'cells 50 Mbit' (FIT); there is no default",
     cli_input, TO(rates)},
    {"interval", "MS", REPORT, CLI_RESULTS,
     "for --evidence: the diagnostic interval in milliseconds, in which all tests run once",
     cli_positive, TO(interval), .give = "give milliseconds"},
    {"quiet", NULL, EXPORTS | COMPARE, CLI_RESULTS,
     "print no table, and no progress without --progress", cli_flag, TO(quiet)},

    {"model", "M", RUNS & ~GATE, CLI_GENERAL,
     "faultsim --model M is the same as faultsim M, for each fault model", cli_text, TO(model)},
    {"version", NULL, ALL, CLI_GENERAL, USAGE_VERSION_TEXT, cli_flag, TO(version)},
    {"generate", "man|completion", ALL, CLI_GENERAL, USAGE_GENERATE_TEXT, cli_page, TO(generate),
     .give = "give man or completion"},
    {"help", NULL, ALL, CLI_GENERAL, "this text", cli_flag, TO(help)},
};
const int cli_option_count = sizeof cli_options / sizeof *cli_options;
