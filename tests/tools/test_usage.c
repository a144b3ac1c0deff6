/* test_usage.c -- every bad input named here gives one clear message, the right exit status, and no
 * output file that is not whole.
 */
#include "tests/lib/check.h"
#include <dirent.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/fl.h"
#include "tests/lib/tools.h"
#include "tests/lib/commands.h"

/* ---- wrong usage -------------------------------------------------------------------------------------------------- */

static void wrong_usage_of_sbstgen_is_refused(void)
{
    static const struct commands_refusal list[] = {
        {"sbstgen --method sync-trick --le 0 -o .", 2, "--le 0"},
        {"sbstgen --method sync-trick --le 33 -o .", 2, "--le 33"},
        {"sbstgen --method sync-trick --le 10-1 -o .", 2, "--le 10-1"},
        {"sbstgen --method sync-trick --le x -o .", 2, "--le 'x'"},
        {"sbstgen --method teapot --le 1 -o .", 2, "'teapot'"},
        {"sbstgen --method sync-trick --le 1 -o good.cubin", 1, "good.cubin"},
        {"sbstgen --method sync-trick --le 1 --coverage 99", 2, "--compact"},
        {"sbstgen --compact none.csv", 1, "none.csv"},
        {"sbstgen --compact bad.faults", 1, "bad.faults:2: "},
        {"sbstgen --compact none.csv --le 1", 2, "leave options of new programs out"},
        {"sbstgen --compact none.csv --coverage 101", 2, "--coverage '101'"},
        {"sbstgen --compact none.csv --max-cycles 0", 2, "--max-cycles '0'"},
    };
    CHECK_REFUSED(list);
}

static void a_wrong_name_is_answered_with_the_nearest_right_one(void)
{
    static const struct commands_refusal list[] = {
        {"faultsim stuck-at --target regfile good.job.xml", 2, "(did you mean rf?)"},
        {"faultsim stuck-at --fault dstak/le1/tm1:sa1 good.job.xml", 2, "(did you mean dstack?)"},
        {"faultsim memory --target registers good.job.xml", 2, "(did you mean rf?)"},
        {"faultsim transient --target condition good.job.xml", 2, "(did you mean cc?)"},
        {"faultsim transient --with rff --sample 9 good.job.xml", 2, "(did you mean rf?)"},
        {"faultsim prove --target dstak", 2, "(did you mean dstack?)"},
        {"faultsim prove --profile flexgripp", 1, "(did you mean flexgripplus?)"},
        {"faultsim gate --unit alu-intt a.xml", 2, "(did you mean alu_int?)"},
        {"faultsim gate --unit flw a.xml", 2, "(did you mean flow?)"},
        {"faultsim gate --unit teapot a.xml", 2, "no unit 'teapot'; there are alu_int"},
        {"sbstgen --unit rff -o .", 2, "(did you mean rf?)"},
        {"sbstgen --unit alu_itn -o .", 2, "(did you mean alu_int?)"},
        {"sbstgen --unit rf --march mats -o .", 2, "(did you mean mats+?)"},
        {"sbstgen --metod nesting", 2, "'--metod' (did you mean --method?)"},
        {"sbstgen --method nesting --le 3 --profile g8 -o .", 2, "(did you mean g80?)"},
        {"sasm good.sasm --outpt=x", 2, "'--outpt=x' (did you mean --output?)"},
        {"sasm good.sasm --teapot", 2, "unknown option '--teapot'; see sasm --help"},
    };
    CHECK_REFUSED(list);
}

static void help_lists_the_targets_of_each_command_that_takes_them(void)
{
    static const char *const command[] = {"stuck-at", "memory", "transient", "intermittent"};
    for (size_t i = 0; i < sizeof command / sizeof *command; i++) {
        char *line = fl_format("faultsim %s --help", command[i]);
        struct fl_buf said = {0};
        CU_ASSERT_EQUAL(commands_run(line, &said, NULL), 0);
        CU_ASSERT(said.size && strstr((char *)said.data, "\nTargets:\n  dstack  "));
        fl_buf_free(&said);
        free(line);
    }
}

static void wrong_usage_of_faultsim_is_refused(void)
{
    commands_put("register.txt", "lsu_wait/w1/wait_addr1000@5:flip\n");
    static const struct commands_refusal list[] = {
        {"faultsim", 2, "--model stuck-at"},
        {"faultsim good.job.xml", 2, "--model stuck-at"},
        {"faultsim --model stuck-at", 2, "JOB.xml"},
        {"faultsim --model teapot good.job.xml", 2, "'teapot'"},
        {"faultsim --model stuck-at --target teapot good.job.xml --csv x", 2,
         "there are dstack, dsp"},
        {"faultsim --model stuck-at --faults dstack/le9 good.job.xml", 2, "'le9' does not fit"},
        {"faultsim stuck-at --seed 3 good.job.xml", 2, "--seed draws a sample: add --sample N"},
        {"faultsim memory --seed 3 good.job.xml", 2, "--seed draws a sample: add --sample N"},
        {"faultsim --model stuck-at --faults nofile good.job.xml", 2, "there is no file 'nofile'"},
        {"faultsim --model stuck-at --fault dstack/w0/le9/tm1:sa1 good.job.xml", 2,
         "'le9' does not fit"},
        {"faultsim --model stuck-at --fault dstack/le1 good.job.xml", 2, "names 132 faults"},
        {"faultsim --model stuck-at --fault dstack/le1/tm1:sa1 good.job.xml g80.job.xml", 2,
         "one JOB.xml"},
        {"faultsim --model stuck-at --threads 0 good.job.xml", 2, "--threads '0'"},
        {"faultsim --model stuck-at --threads x good.job.xml", 2, "--threads 'x'"},
        {"faultsim --model stuck-at --max-cycles -1 good.job.xml", 2, "--max-cycles '-1'"},
        {"faultsim --model stuck-at --teapot good.job.xml", 2, "--teapot"},
        {"faultsim --model stuck-at good.job.xml --csv", 2, "--csv"},
        {"faultsim --model transient ", 2, "at least one JOB.xml"},
        {"faultsim --model transient --target teapot good.job.xml", 2, "no target 'teapot'"},
        {"faultsim --model transient --target local good.job.xml", 1, "has local memory"},
        {"faultsim --model transient --target rf,pipe --sample 9 good.job.xml", 2,
         "target pipe is in the RTL only"},
        {"faultsim --model transient --with pipe --sample 9 good.job.xml", 2,
         "target pipe is in the RTL only"},
        {"faultsim --model transient --target pipe --exact good.job.xml", 2, "or take engine rtl"},
        {"faultsim --model transient --fault pipe/x_a_q517@5:flip good.job.xml", 2,
         "target pipe is in the RTL only"},
        {"faultsim --model transient --fault pipe/x_a_q1024@5:flip good.job.xml", 2,
         "an id of pipe reads pipe/REGISTER and bit (cycle_q0)"},
        {"faultsim --model transient --faults register.txt good.job.xml", 2,
         "register.txt:1: target lsu_wait is in the RTL only"},
        {"faultsim --model stuck-at --target pipe good.job.xml", 2,
         "target pipe is in the RTL only"},
        {"faultsim --model stuck-at --fault pipe/x_a_q517:sa0 good.job.xml", 2,
         "target pipe is in the RTL only"},
        {"faultsim --model transient --sample 0 good.job.xml", 2, "--sample '0'"},
        {"faultsim --model transient --sample x good.job.xml", 2, "--sample 'x'"},
        {"faultsim --model transient --margin 2 good.job.xml", 2, "--margin '2'"},
        {"faultsim --model transient --target sched --margin 0.00001 good.job.xml", 1, "needs all"},
        {"faultsim --model transient --hold 5 --sample 9 good.job.xml", 2,
         "--hold is an option of intermittent; transient has --launch and --cycles; see"},
        {"faultsim --model transient --bits adjacent:2 good.job.xml", 2, "are sampled"},
        {"faultsim --model transient --bits some:2 --sample 9 good.job.xml", 2, "--bits 'some:2'"},
        {"faultsim --model transient --sps 8,9 good.job.xml", 2, "--sps '8,9'"},
        {"faultsim --model transient --sps 8,8 good.job.xml", 2, "--sps '8,8'"},
        {"faultsim --model transient --sps 8,16 --fault rf/p1/b1@5:flip good.job.xml", 2,
         "one number of --sps"},
        {"faultsim --model transient --resume good.job.xml", 2,
         "--resume needs the campaign's file: add --store"},
        {"faultsim --model transient --shard 1/2 good.job.xml", 2, "needs --store"},
        {"faultsim --model transient --shard 3/2 --store s good.job.xml", 2,
         "--shard '3/2': shards count from 1"},
        {"faultsim --model transient --progress line:0 good.job.xml", 2, "give auto, bar, line"},
        {"faultsim --model transient --fault rf/p1/b1 good.job.xml", 2, "cycle is missing"},
        {"faultsim --model transient --fault rf/p1/b1@9999999:flip good.job.xml", 2,
         "the job has cycles"},
        {"faultsim --model transient --fault rf/p1/b1@x:flip good.job.xml", 2, "no number"},
        {"faultsim --model transient --fault rf/p1/b1@1-2:flip good.job.xml", 2, "in one cycle"},
        {"faultsim --model transient --fault teapot/b1@1:flip good.job.xml", 2,
         "no such structure"},
        {"faultsim --model transient --fault rf/p1/b40@1:flip good.job.xml", 2,
         "b0..31@CYCLE:flip"},
        {"faultsim --model transient --fault rf/p1/b1:sa1@1 good.job.xml", 2,
         "the kind stands behind the cycle"},
        {"faultsim --model transient --launch 7 good.job.xml", 1, "no launch 7"},
        {"faultsim --model transient --cycles 5-2 good.job.xml", 2, "--cycles '5-2'"},
        {"faultsim --model transient --cycles 99999999-99999999 good.job.xml", 1,
         "is after the last one"},
        {"faultsim --model transient --sps 9 good.job.xml", 2, "--sps '9'"},
        {"faultsim --model transient --technology 3nm good.job.xml", 2, "--technology '3nm'"},
        {"faultsim --model transient --teapot good.job.xml", 2, "unknown"},
        {"faultsim --model transient --faults nofile good.job.xml", 1, "nofile"},
        {"faultsim --model transient --store nodir/s good.job.xml", 1, "nodir/s"},
        {"faultsim --model transient --csv nodir/f --store s good.job.xml", 1, "nodir/f"},
        {"faultsim --model transient --html dir --store s good.job.xml", 1, "dir: cannot write"},
        {"faultsim --model transient --plots good.cubin good.job.xml", 1,
         "--plots good.cubin: cannot write into this folder: Not a directory; name another one"},
        {"faultsim --model transient --csv f --xml f --store s good.job.xml", 1,
         "go into one file"},
        {"faultsim --model intermittent --exact good.job.xml", 2,
         "--exact is an option of transient; intermittent has --sample, --margin,"},
        {"faultsim --model intermittent good.job.xml", 2, "are sampled"},
        {"faultsim --model transient --active-only --sample 9 --technology 28nm good.job.xml", 2,
         "AVF_util of owned bits"},
        {"faultsim --model transient --exact --csv-faults f good.job.xml", 2,
         "--csv-faults has a line"},
        {"faultsim --model transient --stop-early good.job.xml", 2, "--stop-early ends a sample"},
        {"faultsim --model transient --ace --exhaustive good.job.xml", 2, "--exhaustive out"},
        {"faultsim --model transient --shard 1/2 --store s --sample 9 --csv f good.job.xml", 2,
         "--shard writes no exports"},
        {"faultsim --model transient --faults f --target rf good.job.xml", 2, "--target out"},
        {"faultsim --model transient --faults f --launch 0 good.job.xml", 2, "its own cycles"},
        {"faultsim --model transient --faults f good.job.xml g80.job.xml", 2, "one JOB.xml"},
        {"faultsim --model transient --write-faults f --sample 9 good.job.xml g80.job.xml", 2,
         "one JOB.xml"},
        {"faultsim --model transient --write-faults f --sample 9 --csv x good.job.xml", 2,
         "runs nothing"},
        {"faultsim --model transient --fault rf/p1/b1@5:flip --sample 9 good.job.xml", 2,
         "no method"},
        {"faultsim --model transient --fault rf/p1/b1@5:flip --csv x good.job.xml", 2,
         "no export but --html"},
        {"faultsim stuck-at --fault dstack/le1/tm3:sa0 --html x --plots . good.job.xml", 2,
         "all exports but --html"},
        {"faultsim stuck-at --fault dstack/le1/tm3:sa0 --html nodir/x good.job.xml", 1, "nodir/x"},
        {"faultsim --model transient --sample 9 --lanes --target pc good.job.xml", 1, "--lanes"},
        {"faultsim --model transient --sample 9 --blocks 2 --target rf good.job.xml", 1,
         "--blocks is for"},
        {"faultsim --model transient --sample 9 --blocks 3 --target shared good.job.xml", 1,
         "at most 2 are resident"},
        {"faultsim --model transient --sample 9 --entries 2 --target sched good.job.xml", 1,
         "the structure has 1"},
        {"faultsim --model transient --sample 9 --bits random:6 --target sched good.job.xml", 1,
         "have 5 bits"},
        {"faultsim --model transient --sample 9 --lanes --bits adjacent:3 good.job.xml", 1,
         "96 bits at once"},
        {"faultsim --model transient --sample 9 --with local good.job.xml", 1, "--with local"},
        {"faultsim --model transient --target sched,rf --budget 1e-9 good.job.xml", 1,
         "over the budget"},
        {"faultsim --model transient --ace good.job.xml good.job.xml", 1,
         "a second job with the name t"},
        {"faultsim --model transient --ace --launch 1 --cycles 0-9 launches.job.xml", 1,
         "before the first one of launch 1"},
        {"faultsim --model transient --engine rtl good.job.xml", 2,
         "--engine rtl simulates flips one"},
        {"faultsim merge", 2, "merge takes"},
        {"faultsim merge out.db nofile.db", 1, "nofile.db"},
        {"faultsim report", 2, "one STORE.db"},
        {"faultsim report nofile.db", 1, "nofile.db"},
        {"faultsim report nofile.db --target rf", 2, "--target is an option of"},
        {"faultsim --model transient --faults pair.faults good.job.xml", 1,
         "pair.faults:2: 'rf/p1/b2@5:flip' after the id"},
        {"faultsim --model transient --fault rf/p1/b1@5:flip+rf/p1/b1@5:flip good.job.xml", 2,
         "there twice"},
        {"faultsim --model Transient --ace good.job.xml", 2, "'Transient'"},
        {"faultsim --model stuck-at --see end good.job.xml", 2,
         "--see is an option of dictionary;"},
        {"faultsim --model stuck-at --without CAL good.job.xml", 2,
         "--without is an option of prove;"},
        {"faultsim prove --matrix m.csv", 2, "--matrix is an option of stuck-at, memory and gate;"},
        {"faultsim dictionary", 2, "give jobs"},
        {"faultsim dictionary --from x.xml good.job.xml", 2, "give jobs"},
        {"faultsim dictionary --from nofile.xml", 1, "nofile.xml"},
        {"faultsim dictionary --from good.job.xml", 1, "a <dictionary> is needed"},
        {"faultsim dictionary good.job.xml --see all", 2, "place, trap or end"},
        {"faultsim dictionary good.job.xml --lookup TEAPOT", 1, "no trap"},
        {"faultsim dictionary good.job.xml g80.job.xml", 1,
         "a campaign is of one; run the jobs apart"},
        {"faultsim dictionary --target teapot good.job.xml", 2, "no such structure"},
        {"faultsim prove --target rf", 2, "'rf'"},
        {"faultsim prove nofile.job.xml", 1, "nofile.job.xml"},
        {"faultsim prove --without CAL,TEAPOT", 2, "'TEAPOT'"},
        {"faultsim prove --csv-faults x", 2, "JOB.xml"},
        {"faultsim prove --profile teapot", 1, "teapot"},
    };
    CHECK_REFUSED(list);
}

static void a_unit_has_one_name_in_all_tools(void)
{
    static const struct commands_refusal list[] = {
        {"sbstgen --unit alu_cvt", 2, "--unit alu_cvt needs --groups"},
        {"sbstgen --unit alu-cvt", 2, "--unit alu_cvt needs --groups"},
        {"sbstgen --unit cvt", 2, "--unit alu_cvt needs --groups"},
        {"sbstgen --unit alu-int", 2, "--unit alu_int needs --groups"},
        {"faultsim gate --unit alu-int --netlists none good.job.xml", 1, "none/alu_int.blif"},
        {"faultsim gate --unit cvt --netlists none good.job.xml", 1, "none/alu_cvt.blif"},
        {"faultsim gate --unit alu-in --netlists none good.job.xml", 2, "no unit 'alu-in'"},
    };
    CHECK_REFUSED(list);
}

/* What the jobs of a campaign find is put together: a profile is what it says, not its name. */
static void jobs_of_different_machines_share_no_campaign(void)
{
    static const char make[] =
        "sed 's/name=\"t\"/name=\"wide\"/' g80.job.xml >wide.job.xml\n"
        "sed '/<regs>/s/2048/4096/' '" FAULTLINE_SOURCE_DIR "/profiles/tiny.xml' >tiny.xml\n"
        "sed -e 's/name=\"t\"/name=\"more\"/' -e 's/\"tiny\"/\"tiny.xml\"/' good.job.xml "
        ">more.job.xml";
    static const char *const command[] = {"stuck-at",
                                          "memory --target rf/p0",
                                          "dictionary",
                                          "prove --csv-faults none.csv",
                                          "transient --sample 9",
                                          "intermittent --hold 9 --sample 9"};
    CU_ASSERT_EQUAL_FATAL(commands_run(make, NULL, NULL), 0);
    for (size_t c = 0; c < sizeof command / sizeof *command; c++) {
        char *wide = fl_format("faultsim %s good.job.xml wide.job.xml", command[c]);
        char *more = fl_format("faultsim %s more.job.xml good.job.xml", command[c]);
        const struct commands_refusal list[] = {
            {wide, 1, "good.job.xml is for profile tiny, and wide.job.xml for profile g80"},
            {more, 1,
             "more.job.xml is for profile tiny, and good.job.xml for profile tiny: these are "
             "different machines (regs)"}};
        CHECK_REFUSED(list);
        free(wide);
        free(more);
    }
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "faultsim stuck-at --target pc --on tiny good.job.xml wide.job.xml more.job.xml", &out,
            NULL),
        0);
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), "\nunion "));
    CU_ASSERT_EQUAL(commands_run("faultsim transient --target pc --sample 9 --sps 8,16 --quiet "
                                 "good.job.xml",
                                 NULL, NULL),
                    0);
    fl_buf_free(&out);
}

static void sms_that_a_fault_cannot_be_in_are_refused(void)
{
    static const struct commands_refusal list[] = {
#define CHIP "faultsim transient --on tiny-chip-caches good.job.xml "
        {CHIP "--target l1d --sample 9 --same-in 0-2", 1,
         "--same-in: tiny-chip-caches has no SM 2"},
        {CHIP "--target l1d --sample 9 --same-in x", 2, "--same-in 'x': give numbers of SMs"},
        {CHIP "--target l2 --sample 9 --same-in 0-1", 1, "--same-in: l2 belongs to the chip"},
        {CHIP "--target rf --with l2 --sample 9 --same-in 0-1", 1, "l2 belongs to the chip"},
        {CHIP "--fault l1d/set0/way1/tag7@9:flip --same-in 1", 2,
         "the fault is in sm0, which the list"},
        {CHIP "--exact --same-in 0-1", 2, "--same-in is for samples and lists: leave --exact"},
        {CHIP "--same-in 0-1", 2, "--same-in is for samples and lists: add --sample N"},
        {CHIP "--sample 9 --same-in 0-1 --in-sm 0", 2, "leave --in-sm out"},
        {CHIP "--target shared --sample 9 --same-in 0-1 --blocks 2", 1, "leave --same-in or"},
#undef CHIP
    };
    CHECK_REFUSED(list);
}

static void caches_of_gpufi_where_they_cannot_be_are_refused(void)
{
    static const struct commands_refusal list[] = {
#define GPUFI "faultsim transient --cache-model gpufi --on tiny-chip-caches "
        {"faultsim transient --cache-model gpufi --sample 9 good.job.xml", 1, "has no data cache"},
        {"faultsim transient --cache-model other good.job.xml", 2, "give real or gpufi"},
        {"faultsim intermittent --cache-model gpufi --sample 9 good.job.xml", 2, "--cache-model"},
        {GPUFI "--fault l1d/set0/way1/tag7@1-9:sa1 good.job.xml", 2, "has flips alone"},
        {GPUFI "--fault l1d/set0/way1/age0@9:flip good.job.xml", 2, "tag0..31 or high0..26"},
        {"faultsim transient --cache-model gpufi --on tiny-chip-icache --target l1i --sample 9 "
         "good.job.xml",
         1, "gpuFI-4's cache model has no faults in l1i;"},
        {"faultsim transient --cache-model gpufi --on tiny-chip-icache --fault "
         "l1i_data/set0/way0/w0/b1@9:flip "
         "good.job.xml",
         2, "gpuFI-4's cache model has no faults in l1i_data"},
        {"faultsim transient --target l1i --sample 9 good.job.xml", 1, "has no cache with l1i"},
        {GPUFI "--output o -- ./program", 2, "--cache-model is for jobs"},
#undef GPUFI
    };
    CHECK_REFUSED(list);
}

/* In a build without the RTL; in one with it the same commands run. */
static void an_engine_that_was_not_built_is_refused(void)
{
    static const struct commands_refusal list[] = {
        {"faultsim --model stuck-at --engine rtl --faults dstack/w0/le1/tm1:sa1 good.job.xml", 2,
         "engine 'rtl'"},
        {"smrun good.job.xml --engine rtl", 2, "--engine rtl"},
    };
#ifdef FAULTLINE_RTL
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        CU_ASSERT_EQUAL(commands_run(list[i].line, NULL, NULL), 0);
#else
    CHECK_REFUSED(list);
#endif
}

static void wrong_usage_of_the_other_tools_is_refused(void)
{
    static const struct commands_refusal list[] = {
        {"sasm", 2, "sasm: name the source"},
        {"sasm good.sasm", 2, "sasm: name the output: -o OUT.cubin"},
        {"sasm good.sasm bad.sasm -o x.cubin", 2, "bad.sasm"},
        {"sasm good.sasm -o x.cubin --teapot", 2, "--teapot"},
        {"sdis", 2, "sdis: name the file: FILE.cubin"},
        {"sdis good.cubin trap.cubin", 2, "trap.cubin"},
        {"sdis --teapot good.cubin", 2, "--teapot"},
        {"gatesim", 2, "no netlist"},
        {"gatesim x.blif y.blif", 2, "more than one file"},
        {"gatesim x.blif --width 96", 2, "--width 96: write 64, 128, 256 or 512"},
        {"gatesim x.blif --model slow", 2, "--model slow: write stuck-at or transition"},
        {"gatesim atpg x.blif", 2, "atpg needs --fault ID"},
        {"gatesim x.blif --fault n0:sa0", 2, "--fault belongs to atpg"},
        {"gatesim faults x.blif --constrain f", 2, "--constrain belongs to atpg, prove and matrix"},
        {"gatesim x.blif --random 0", 2, "--random 0: nothing to simulate"},
        {"gatesim x.blif --patterns p --random 5", 2, "give one of them"},
        {"gatesim prove x.blif --random 5", 2, "--random belongs to a simulation; prove takes no"},
        {"gatesim matrix x.blif --engine mixed --patterns p --csv c", 2,
         "--engine belongs to a simulation; leave it out with matrix"},
        {"gatesim x.blif --patterns p --period 10ns", 2, "--period and --strobe belong together"},
        {"gatesim x.blif --patterns p --period 10 --strobe 9ns", 2,
         "--period 10: write a time with its unit"},
        {"gatesim x.blif --patterns p --period 10ns --strobe -1ns", 2,
         "--strobe -1ns: write a time"},
        {"gatesim x.blif --scope tb", 2, "--scope belongs to --patterns FILE, a VCD"},
        {"faultsim gate --constraints . --sample 5", 2, "--constraints injects nothing"},
        {"faultsim gate --unit flow a.xml", 2, "run in the RTL: add --engine rtl"},
        {"faultsim gate --unit flow,sfu a.xml", 2, "run one after the other"},
        {"faultsim gate --unit control --sp 0 a.xml", 2, "--sp is for units of a lane"},
        {"faultsim gate --fault gate/flow/n12:sa0 a.xml", 2, "run in the RTL: add --engine rtl"},
        {"faultsim gate --fault gate/alu_int.sp0/n12:sa0 --exhaustive a.xml", 2, "--exhaustive"},
        {"faultsim gate --write-faults f a.xml", 2, "--write-faults is for units of the control"},
        {"faultsim dictionary --unit flow a.xml", 2, "run in the RTL: add --engine rtl"},
        {"faultsim dictionary --unit sfu --target rf a.xml", 2, "leave --target"},
        {"faultsim dictionary --sp 3 a.xml", 2, "are for faults of gates: add --unit"},
        {"faultsim gate --faults f --sample 9 a.xml", 2, "--faults is a list of stuck-at or"},
        {"faultsim gate --unit flow --faults f --model glitch a.xml", 2, "leave --fault, --sample"},
        {"smrun", 2, "no file"},
        {"smrun good.cubin", 2, "--kernel NAME"},
        {"smrun good.job.xml --break here", 2, "--break here: write a cycle"},
        {"smrun good.job.xml --break 0x", 2, "--break 0x: write a cycle"},
        {"smrun good.job.xml --dump-state -1", 2, "--dump-state -1: write a cycle"},
    };
    CHECK_REFUSED(list);
}

static void the_standard_name_of_a_model_means_the_same(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run("printf 'INPUT(a)\nOUTPUT(y)\ny = NOT(a)\n' >n.bench; "
                     "gatesim faults n.bench --model transition >listed && "
                     "gatesim faults n.bench --model transition-delay | cmp - listed && "
                     "grep -q ':str' listed; s=$?; rm n.bench listed; exit $s",
                     &out, NULL),
        0);
    CU_ASSERT_EQUAL(out.size, 0);
    fl_buf_free(&out);
}

static void tools_with_commands_have_a_command_help(void)
{
    static const char *const tool[] = {"faultsim", "gatesim"};
    for (int i = 0; i < 2; i++) {
        char *line = fl_format("%s help >help && %s --help | cmp - help; rm help", tool[i],
                               tool[i]);
        struct fl_buf out = {0};
        CU_ASSERT_EQUAL(commands_run(line, &out, NULL), 0);
        CU_ASSERT_EQUAL(out.size, 0);
        fl_buf_free(&out);
        free(line);
    }
}

/* ---- bad files ---------------------------------------------------------------------------------------------------- */

static void bad_cubins_are_refused_by_all_who_read_them(void)
{
    static const struct commands_refusal list[] = {
        {"sdis none.cubin", 1, "none.cubin: cannot open"},
        {"sdis dir", 1, "dir: is a directory"},
        {"sdis fifo", 1, "fifo: is a pipe, a file is needed"},
        {"sdis /dev/zero", 1, "/dev/zero: is a device, a file is needed"},
        {"sdis truncated.cubin", 1, "truncated.cubin: damaged cubin"},
        {"sdis sm20.cubin", 1, "sm20.cubin: is for sm_20; Faultline runs sm_10"},
        {"sdis good.job.xml", 1, "good.job.xml: not a cubin"},
        {"smrun truncated.cubin --kernel k", 1, "truncated.cubin: damaged cubin"},
        {"smrun sm20.job.xml", 1, "sm20.job.xml:1: cubin=\"sm20.cubin\": "},
        {"faultsim --model stuck-at truncated.job.xml --csv x", 1, "truncated.job.xml:1: "},
        {"faultsim --model stuck-at sm20.job.xml --csv x", 1, "is for sm_20"},
        {"faultsim --model stuck-at nocubin.job.xml --csv x", 1, "none.cubin"},
    };
    CHECK_REFUSED(list);
}

static void bad_jobs_and_lists_are_refused_with_their_line(void)
{
    static const struct commands_refusal list[] = {
        {"faultsim --model stuck-at none.job.xml --csv x", 1, "none.job.xml"},
        {"faultsim --model stuck-at dir/x.job.xml --csv x", 1, "dir/x.job.xml"},
        {"faultsim --model stuck-at schema.job.xml --csv x", 1, "schema.job.xml:5: "},
        {"faultsim --model stuck-at unclosed.job.xml --csv x", 1, "unclosed.job.xml:"},
        {"faultsim --model stuck-at good.job.xml schema.job.xml --csv x", 1, "schema.job.xml:5: "},
        {"faultsim --model stuck-at --profile g80 good.job.xml --csv x", 1,
         "--profile g80 contradicts"},
        {"faultsim --model stuck-at good.job.xml g80.job.xml --csv x", 1,
         "a campaign is of one; run the jobs apart"},
        {"faultsim --model stuck-at --faults bad.faults good.job.xml --csv x", 1, "bad.faults:3: "},
        {"faultsim --model stuck-at --faults none.faults good.job.xml --csv x", 1,
         "fault list is empty"},
        {"faultsim --model stuck-at --faults dir good.job.xml --csv x", 1, "dir: is a directory"},
        {"smrun schema.job.xml", 1, "schema.job.xml:5: "},
    };
    CHECK_REFUSED(list);
}

static void job_that_goes_wrong_without_a_fault_is_refused(void)
{
    static const struct commands_refusal list[] = {
        {"faultsim --model stuck-at trap.job.xml --csv x", 1,
         "trap.job.xml: the fault-free run traps: OUT_OF_BOUNDS_GLOBAL"},
        {"faultsim --model stuck-at endless.job.xml --csv x", 1,
         "endless.job.xml: the fault-free run never ends"},
        {"faultsim --model stuck-at deadlock.job.xml --csv x", 1,
         "deadlock.job.xml: the fault-free run deadlocks"},
        {"faultsim --model stuck-at counter.job.xml --max-cycles 9999 --csv x", 1,
         "raise --max-cycles"},
        {"faultsim --model stuck-at good.job.xml trap.job.xml --csv x", 1, "trap.job.xml: "},
        {"faultsim --model stuck-at --fault dstack/le1/tm0:sa1 trap.job.xml", 1, "trap.job.xml: "},
    };
    CHECK_REFUSED(list);
}

/* ---- outputs that cannot be written --------------------------------------------------------------------------------- */

static void output_that_cannot_be_written_is_an_error_with_its_name(void)
{
    static const struct commands_refusal list[] = {
        {"faultsim --model stuck-at good.job.xml --quiet --csv none/x.csv", 1,
         "none/x.csv: cannot write"},
        {"faultsim --model stuck-at good.job.xml --quiet --csv-faults none/x.csv", 1,
         "none/x.csv: cannot write"},
        {"faultsim --model stuck-at good.job.xml --quiet --xml none/x.xml", 1,
         "none/x.xml: cannot write"},
        {"faultsim --model stuck-at good.job.xml --quiet --csv /dev/full", 1,
         "/dev/full: cannot write"},
        {"faultsim --model stuck-at good.job.xml --quiet --csv-faults /dev/full", 1,
         "/dev/full: cannot write"},
        {"faultsim --model stuck-at good.job.xml --quiet --xml dir", 1, "dir: cannot write"},
        {"faultsim --model stuck-at good.job.xml >/dev/full", 1, "faultsim: cannot write"},
        {"faultsim --model stuck-at --fault dstack/le1/tm0:sa1 good.job.xml >/dev/full", 1,
         "cannot write"},
        {"sasm good.sasm -o none/x.cubin", 1, "none/x.cubin: cannot write"},
        {"sasm good.sasm -o dir", 1, "dir: cannot write"},
        {"sdis good.cubin >/dev/full", 1, "cannot write"},
        {"gatesim none.blif", 1, "none.blif: cannot open"},
        {"echo | gzip >n.v; gatesim n.v --liberty n.v; s=$?; rm n.v; exit $s", 1,
         "n.v: is compressed; unpack it with gunzip"},
        {"echo module >n.verilog; gatesim n.verilog; s=$?; rm n.verilog; exit $s", 1,
         "n.verilog:1: 'module' belongs to no .names; is it BLIF? The name of Verilog ends in .v"},
        {"echo module >n.verilog; gatesim n.verilog --liberty l; s=$?; rm n.verilog; exit $s", 1,
         "--liberty belongs to a Verilog netlist, whose name ends in .v, .vg, .vm, .vo or .sv"},
        {"printf '%s\\n' 'INPUT(a)' 'OUTPUT(y)' 'y = DFF(a)' >n.bench; "
         "echo 'STIL 1.0; Signals { a In; y Out; } Pattern p { V { a=1; } }' >s.stil; "
         "gatesim matrix n.bench --patterns s.stil --csv c; s=$?; rm n.bench s.stil; exit $s",
         1, "so the file does not set flip-flops; give patterns of full scan"},
        {"printf 'INPUT(a)\\nOUTPUT(b)\\nb = NOT(a)\\n' >n.bench; echo '!a' >low; printf "
         "'0\\n1\\n' >p; "
         "gatesim prove n.bench --constrain low --patterns p; s=$?; rm n.bench low p; exit $s",
         1, "p: pattern 1 violates the constraints, so take it out: low:1: !a"},
        {"smrun good.job.xml --dump b=none/x >.out2; s=$?; rm .out2; exit $s", 1,
         "none/x: cannot write"},
        {"sbstgen --method sync-trick --le 1 -o /dev/full/x", 1, "/dev/full/x"},
    };
    CHECK_REFUSED(list);
}

/* A limit on the size of files stands for a full disk. */
static void failed_write_leaves_the_old_file_and_no_part_of_the_new(void)
{
    static const struct commands_refusal list[] = {
        {"cp old keep.csv; trap '' XFSZ; (ulimit -f 8; faultsim --model stuck-at good.job.xml "
         "--quiet --csv-faults keep.csv); "
         "s=$?; cmp old keep.csv && rm keep.csv; exit $s",
         1, "keep.csv: cannot write"},
        {"cp old keep.xml; trap '' XFSZ; (ulimit -f 8; faultsim --model stuck-at good.job.xml "
         "--quiet --xml keep.xml); "
         "s=$?; cmp old keep.xml && rm keep.xml; exit $s",
         1, "keep.xml: cannot write"},
        {"cp old keep.cubin; sasm bad.sasm -o keep.cubin 2>&1 | head -1 >&2; cmp old keep.cubin && "
         "rm keep.cubin; exit 1",
         1, "bad.sasm:2:11: unknown register 'R200'"},
        {"sasm bad.sasm -o x.cubin 2>&1 | head -1 >&2; exit 1", 1, "bad.sasm:2:11: "},
    };
    CHECK_REFUSED(list);
}

static void read_only_folder_is_an_error_with_its_name(void)
{
    static const struct commands_refusal list[] = {
        {"mkdir ro && chmod 555 ro; faultsim --model stuck-at good.job.xml --quiet --csv ro/x.csv; "
         "s=$?; "
         "ls -A ro; rmdir ro; exit $s",
         1, "ro/x.csv: cannot write: Permission denied"},
        {"mkdir ro && chmod 555 ro; sasm good.sasm -o ro/x.cubin; s=$?; ls -A ro; rmdir ro; exit "
         "$s",
         1, "ro/x.cubin: cannot write"},
    };
    if (tools_obey_modes())
        CHECK_REFUSED(list);
}

int main(void)
{
    commands_start();
    int status = CHECK_RUN(
        "usage", CHECK(wrong_usage_of_sbstgen_is_refused),
        CHECK(a_wrong_name_is_answered_with_the_nearest_right_one),
        CHECK(help_lists_the_targets_of_each_command_that_takes_them),
        CHECK(wrong_usage_of_faultsim_is_refused), CHECK(wrong_usage_of_the_other_tools_is_refused),
        CHECK(tools_with_commands_have_a_command_help),
        CHECK(the_standard_name_of_a_model_means_the_same),
        CHECK(caches_of_gpufi_where_they_cannot_be_are_refused),
        CHECK(jobs_of_different_machines_share_no_campaign),
        CHECK(a_unit_has_one_name_in_all_tools), CHECK(sms_that_a_fault_cannot_be_in_are_refused),
        CHECK(an_engine_that_was_not_built_is_refused),
        CHECK(bad_cubins_are_refused_by_all_who_read_them),
        CHECK(bad_jobs_and_lists_are_refused_with_their_line),
        CHECK(job_that_goes_wrong_without_a_fault_is_refused),
        CHECK(output_that_cannot_be_written_is_an_error_with_its_name),
        CHECK(failed_write_leaves_the_old_file_and_no_part_of_the_new),
        CHECK(read_only_folder_is_an_error_with_its_name));
    commands_end();
    return status;
}
