/* test_cli.c -- the commands as users call them: from assembler text to coverage, exports and reports.
 *
 * What only one command knows is tested beside it: the files of sbstgen in test_gen_files, the
 * options of smrun in test_smrun, the messages of sasm in test_sasm_mistakes.
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

static void prove_accounts_for_each_fault_that_a_job_leaves(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(commands_run("faultsim prove --without CAL,PBK good.job.xml --csv-faults p.csv",
                                 &out, NULL),
                    0);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(commands_text(&out), "\n    24 are untestable, as proved above;\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), "\n     4 more are untestable without"));
    CU_ASSERT_EQUAL(
        commands_run(
            "grep -q $(sha256sum <good.cubin | cut -c1-64) p.csv && "
            "grep -Eq 'faultline [0-9.]+( revision=[0-9a-f]+([+]changes)?)? results=[0-9.]+ "
            "model=' p.csv && "
            "grep -v '^#' p.csv | cut -d, -f2 | sort | uniq -c | tr -s ' ' | head -4; rm p.csv",
            &out, NULL),
        0);
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), " 24 untestable\n 4 untestable without\n"));
    fl_buf_free(&out);
}

static void signature_leads_back_to_the_fault_without_the_job(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run("faultsim dictionary good.job.xml --csv d.csv --xml d.xml", &out, NULL), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), "candidates"));
    CU_ASSERT_EQUAL(
        commands_run("faultsim dictionary --from d.xml --lookup "
                     "$(grep le1/tm5:sa0,.*,outputs d.csv | cut -d, -f6); rm d.csv d.xml",
                     &out, NULL),
        0);
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), "dstack/w0/le1/tm5:sa0\n"));
    fl_buf_free(&out);
}

static void only_faults_of_cells_for_good_and_of_the_control_take_a_job_that_must_trap(void)
{
    static const char *const list[] = {"transient --ace", "intermittent --sample 9", "prove",
                                       "gate", "gate --predict p.csv"};
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run("sed -e '/<output/d; /<digest/d' -e \"s/<launch /&trap='STACK_OVERFLOW' /\" "
                     "good.job.xml >trap.job.xml",
                     &out, NULL),
        0);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char *line = fl_format("faultsim %s trap.job.xml", list[i]);
        struct fl_buf said = {0};
        CU_ASSERT_NOT_EQUAL(commands_run(line, &out, &said), 0);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(commands_text(&said),
                   "trap.job.xml: its last launch is to end in the trap STACK_OVERFLOW"));
        fl_buf_free(&said);
        free(line);
    }
    CU_ASSERT_EQUAL(commands_run("rm trap.job.xml", &out, NULL), 0);
    fl_buf_free(&out);
}

/* The SSY at 0 pushes in cycle 23; a slot has 4 cycles, a warp alone takes five slots for an instruction. */
static void smrun_stops_where_it_is_told_and_shows_the_machine(void)
{
    static const struct {
        const char *options, *says;
    } list[] = {
        {"--break 23",
         "state after 0 warp instructions, in launch 1: its slot ends with cycle 23\n"},
        {"--break 24",
         "state after 1 warp instructions, in launch 1: its slot ends with cycle 27\n"},
        {"--break 24", "\n  le1   SYNC    tm=ffffffff spc=00000018\n"},
        {"--break 024", "its slot ends with cycle 27\n"}, /* a cycle, though it begins with 0 */
        {"--break 0x10 --trace t", "  pc 000010  MVI R3, 0x5\n  active ffffffff  in Write-back\n"},
        {"--break 0x10 --trace t", "state after 2 warp instructions"},
        {"--break 0x10 --trace t", "  R7   00000000 00000001 00000002"},
        {"--break 0x18", "  R3   00000005 in all lanes\n"},
        {"--dump-state 43 --break 0x18", "state after 1 warp instructions"},
        {"--dump-state 43 --break 0x18", "state after 3 warp instructions"},
        {"--dump-state 43", "\ndigest "}, /* and goes on */
        {"--break 0x44444", "\ndigest "},
    };
    struct fl_buf out = {0};
    commands_put("stop.sasm", ".kernel k\n.param ptr p\n SSY join\n I2I.U32.U16 R7, R0L\n"
                              " MVI R3, 5\njoin: NOP.S\n NOP.EXIT\n");
    CU_ASSERT_EQUAL(commands_run("sasm stop.sasm -o stop.cubin", NULL, NULL), 0);
    commands_put("stop.job.xml", JOB("tiny", "stop.cubin", "32", ""));
    for (size_t i = 0; i < sizeof list / sizeof *list; i += SANITIZED ? 2 : 1) {
        char *line = fl_format("smrun stop.job.xml %s", list[i].options);
        CU_ASSERT_EQUAL(commands_run(line, &out, NULL), 0);
        if (!strstr(commands_text(&out), list[i].says))
            printf("\n    %s: wanted %s, got\n%.1500s", line, list[i].says, commands_text(&out));
        CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), list[i].says));
        free(line);
    }
    CU_ASSERT_EQUAL(commands_run("wc -l <t; rm t stop.*", &out, NULL), 0);
    CU_ASSERT_STRING_EQUAL(commands_text(&out), "2\n"); /* up to the break */
    fl_buf_free(&out);
}

static void text_becomes_a_cubin_a_run_and_coverage(void)
{
    struct fl_buf out = {0}, err = {0};
    CU_ASSERT_EQUAL(commands_run("sdis good.cubin", &out, NULL), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), "SSY 0x10  // join"));
    CU_ASSERT_EQUAL(commands_run("smrun good.job.xml --dump b=b.bin && od -An -tu4 -N8 -j248 b.bin",
                                 &out, NULL),
                    0);
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), "cycles        "));
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), " 62         63"));
    int status = commands_run(
        "faultsim --model stuck-at good.job.xml --csv g.csv --csv-faults gf.csv --xml g.xml", &out,
        &err);
    CU_ASSERT_EQUAL(status, 0); /* undetected faults are a result */
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), "528 faults, 24 of\nthem untestable"));
    CU_ASSERT_EQUAL(err.size, 0); /* no progress line when stderr is a file */
    CU_ASSERT_EQUAL(
        commands_run("grep -vc ^# g.csv; grep -vc ^# gf.csv; grep -c '<fault ' g.xml; rm g.csv "
                     "gf.csv g.xml b.bin",
                     &out, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(commands_text(&out), "2\n529\n528\n");
    fl_buf_free(&out);
    fl_buf_free(&err);
}

static void trace_names_launch_and_place_of_every_instruction(void)
{
    struct fl_buf out = {0};
    commands_put("two.sasm", ".kernel a\n  MVI R1, 1\n  NOP.EXIT\n.kernel b\n  NOP.EXIT\n");
    commands_put("two.job.xml", "<job name=\"two\" profile=\"tiny\" cubin=\"two.cubin\">\n"
                                "  <buffer name=\"b\" size=\"4\"/>\n"
                                "  <launch kernel=\"a\" grid=\"1\" block=\"32\"/>\n"
                                "  <launch kernel=\"b\" grid=\"1\" block=\"32\"/>\n</job>\n");
    CU_ASSERT_EQUAL(
        commands_run("sasm two.sasm -o two.cubin && smrun two.job.xml --trace t >/dev/null; "
                     "cut -d' ' -f1-5 t; rm t two.*",
                     &out, NULL),
        0);
    /* the second launch starts in the cycle in which the first one ends */
    CU_ASSERT_STRING_EQUAL(commands_text(&out), "23 l0 b0,0 w0 000000\n43 l0 b0,0 w0 000008\n"
                                                "63 l1 b0,0 w0 000000\n");
    fl_buf_free(&out);
}

static void generated_self_test_runs_as_expected_and_finds_its_faults(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run("sbstgen --method sync-trick --le 1-2 --profile tiny -o t && cd t && "
                     "smrun sync-trick-acc-le01-02.job.xml --expect && "
                     "faultsim --model stuck-at --faults 'dstack/w0/le1-2/tm*:sa*' --quiet "
                     "--csv c.csv "
                     "sync-trick-acc-le01-02.job.xml && cat c.csv",
                     &out, NULL),
        0);
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), "(as the job states)"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(commands_text(&out), ",c,128,0,128,128,0,0,0,0,0,0,100.00,100.00\n"));
    commands_run("rm -r t", NULL, NULL);
    fl_buf_free(&out);
}

/* Tables, exports, fault traces and messages, but for times. */
static void a_subcommand_and_its_model_give_the_same_bytes(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "for how in 'stuck-at: good.job.xml --csv F1 --csv-faults F2 --xml F3 --matrix F4' "
            "'stuck-at: --fault dstack/le1/tm5:sa0 good.job.xml' "
            "'transient: --target cc,pc --ace --exact good.job.xml --csv F1 --xml F2' "
            "'transient: --sample 9 good.job.xml --csv F1 --csv-faults F2 --xml F3 --html F4' "
            "'transient: --fault rf/p1/b1@50:flip good.job.xml' "
            "'intermittent: --sample 9 --hold 7 good.job.xml --csv F1 --csv-faults F2' "
            "'intermittent: --fault dstack/le1/tm3@0-:sa0 good.job.xml' "
            "'stuck-at: none.job.xml' 'transient: --teapot' 'intermittent: good.job.xml'; do "
            "m=${how%%:*} o=${how#*:}; "
            "n=$(for line in \"$m $o\" \"--model $m $o\" \"$o --model=$m\"; do "
            "rm -f F?; faultsim $line >t 2>&1; echo $? >>t; "
            "sed -i 's/ [0-9.]*$//; s/; about .*//' t; cat t F? 2>/dev/null | sha256sum; "
            "done | sort -u | wc -l); echo $n $(tail -1 t); done | sort | uniq -c; rm -f t F?",
            &out, NULL),
        0);
    /* each line in one way, with its exit status */
    CU_ASSERT_STRING_EQUAL(commands_text(&out), "      7 1 0\n      1 1 1\n      2 1 2\n");
    fl_buf_free(&out);
}

/* Every export of a campaign leads back to the options, the job and the very cubin. */
static void each_export_says_what_made_it(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "faultsim --model stuck-at good.job.xml --quiet --csv a --csv-faults b --matrix c "
            "--xml d && "
            "faultsim dictionary good.job.xml --quiet --csv e --xml f && "
            "t='faultsim --model intermittent --target cc --sample 20 --hold 7 --bits adjacent:2 "
            "--seed 9 "
            "--quiet good.job.xml' && $t --csv h --csv-faults i --xml j --html k --store s.db && "
            "cubin=$(sha256sum <good.cubin | cut -c1-64) && for f in a b c d e f h i j k; do "
            "grep -q $cubin $f && grep -Eq 'faultline [0-9.]+( revision=[0-9a-f]+([+]changes)?)? "
            "results=[0-9.]+ model=' $f || echo $f lacks it; done; "
            "grep -c 'model=intermittent method=sample target=cc engine=c confidence=0.95 seed=9 "
            "draws=2 bits=adjacent:2 hold=7 flips=20' h i j k; grep -o '<h1>[^<]*' k; "
            "faultsim report s.db | head -1; rm [a-fh-k] s.db",
            &out, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(commands_text(&out), "h:1\ni:1\nj:1\nk:1\n<h1>Intermittent faults in t\n"
                                                "Intermittent faults\n");
    fl_buf_free(&out);
}

static void a_job_without_output_is_warned_of_and_marked_in_each_export(void)
{
    struct fl_buf out = {0}, err = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "grep -v '<output' good.job.xml >mute.job.xml; "
            "faultsim --model stuck-at mute.job.xml --quiet --csv a --csv-faults b --matrix c "
            "--xml d && "
            "faultsim dictionary mute.job.xml --quiet --csv e --xml f && "
            "faultsim --model transient --target cc mute.job.xml --csv h --xml j --html k >l && "
            "grep -L 'no .*output.*: sdc cannot happen' a b c d e f h j k l; rm [a-l] mute.job.xml",
            &out, &err),
        0);
    CU_ASSERT_STRING_EQUAL(commands_text(&out), "");
    CU_ASSERT_EQUAL(commands_lines(commands_text(&err)),
                    4); /* three warnings, and what an exact campaign foresees */
    CU_ASSERT_PTR_NOT_NULL(
        strstr(commands_text(&err), "faultsim: warning: mute.job.xml: no <output>"));
    fl_buf_free(&out);
    fl_buf_free(&err);
}

static void a_dictionary_read_back_gives_the_same_bytes(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "sed 's/name=\"t\"/name=\"u\"/' good.job.xml >u.job.xml; "
            "faultsim dictionary good.job.xml u.job.xml --xml a --csv b >c && "
            "faultsim dictionary --from a --xml d --csv e >f && cmp a d && cmp b e && cmp c f && "
            "grep -c '<resolution' a && head -1 f; rm [a-f] u.job.xml",
            &out, NULL),
        0);
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), " of 528 show something, in "));
    CU_ASSERT_PTR_NULL(strstr(commands_text(&out), ": 0 of 528"));
    fl_buf_free(&out);
}

static void several_jobs_add_a_union_and_threads_change_no_byte(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "sed 's/name=\"t\"/name=\"u\"/' good.job.xml >u.job.xml && for n in 1 2 5; do "
            "faultsim --model stuck-at good.job.xml u.job.xml --quiet --threads $n --csv c$n "
            "--csv-faults f$n --xml x$n || exit; done; "
            "cmp c1 c2 && cmp c1 c5 && cmp f1 f2 && cmp f1 f5 && cmp x1 x2 && cmp x1 x5 && grep -v "
            "'^#' c1 | cut -d, -f1 && "
            "rm [cfx][125] u.job.xml",
            &out, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(commands_text(&out), "job\nt\nu\nunion\n");
    fl_buf_free(&out);
}

/* The instructions between the flip and the store differ in nothing. */
static void a_trace_names_the_first_store_of_a_wrong_value(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "at=$(smrun good.job.xml --trace /dev/stdout | sed -n '/ w0 .*SHL/s/ .*//p') && "
            "faultsim --model transient --fault rf/w0/t5/r1/b3@$((at + 1)):flip good.job.xml | "
            "grep -A2 '^First wrong' | grep -o '^First wrong value\\|GST.U32\\|golden\\|faulty'",
            &out, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(commands_text(&out),
                           "First wrong value\ngolden\nGST.U32\nfaulty\nGST.U32\n");
    /* held from before the first block on, and read where the threads join */
    CU_ASSERT_EQUAL(
        commands_run("faultsim --model intermittent --fault dstack/le1/tm3@0-:sa0 good.job.xml | "
                     "grep -A1 '^First divergence' | grep -o 'control\\|pop le1\\|block starts'",
                     &out, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(commands_text(&out), "control\npop le1\n");
    fl_buf_free(&out);
}

/* The page takes nothing away from what is printed; written twice it has the same bytes. */
static void a_trace_is_a_page_too(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "for f in 'stuck-at --fault dstack/le1/tm3:sa0' "
            "'memory --fault rf/p1/b1:tf01' 'transient --fault rf/p1/b1@5:flip' "
            "'intermittent --fault dstack/le1/tm3@0-:sa0'; do "
            "faultsim $f good.job.xml >plain && faultsim $f good.job.xml --html a >text && "
            "cmp plain text && faultsim $f good.job.xml --html - >b 2>text && cmp a b && "
            "cmp plain text && grep -c '<h2 id=\"s1\">Timeline</h2>' a || exit; "
            "done; rm a b text plain",
            &out, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(commands_text(&out), "1\n1\n1\n1\n");
    fl_buf_free(&out);
}

static void pruned_and_brute_force_export_the_same_flips(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "for how in 'transient' 'intermittent --hold 40' 'intermittent --hold end'; do "
            "f=\"faultsim --model $how --target all --sample 20 --quiet --csv-faults\"; "
            "$f a good.job.xml && $f b --exhaustive good.job.xml && cmp a b && cat a || exit; "
            "done | cut -d, -f7 | sort | uniq -c; rm a b",
            &out, NULL),
        0);
    /* each reason that a masked flip can have is there */
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), " idle\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), " overwritten\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), " logically_masked\n"));
    CU_ASSERT_PTR_NULL(strstr(commands_text(&out), "differ"));
    fl_buf_free(&out);
}

static void each_rung_of_the_ladder_can_be_left_out_without_a_change(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run("for how in 'stuck-at --target all' 'memory --target rf,shared' "
                     "'transient --target all' 'intermittent --hold 40 --target all' "
                     "'intermittent --hold end --target all'; do "
                     "f=\"faultsim $how --sample 20 --quiet --csv-faults\"; $f a good.job.xml; "
                     "for rung in record follow sm checkpoint record,follow,sm; do "
                     "$f b --skip-rung $rung good.job.xml && cmp a b && echo $rung || exit; "
                     "done; done | sort | uniq -c; rm a b",
                     &out, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(commands_text(&out),
                           "      5 checkpoint\n      5 follow\n      5 record\n"
                           "      5 record,follow,sm\n      5 sm\n");
    fl_buf_free(&out);
}

/* A list stands for itself: no share of it is an AVF, and a rate per bit says nothing about it. */
static void a_list_has_no_avf_and_no_fit(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run("echo rf/p1/b1@5:flip >f; "
                     "faultsim --model transient --faults f --technology sifi --quiet --csv c "
                     "good.job.xml && "
                     "tail -1 c | cut -d, -f2,6,18-23,26,28; rm f c",
                     &out, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(commands_text(&out), "all,list,,,,,,,,\n");
    fl_buf_free(&out);
}

/* Rows of a launch are those of a campaign over its cycles alone, and they add up to the row of the kernel. */
static void each_launch_of_a_kernel_has_its_row(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run("sed '/<launch/p' good.job.xml >twice.job.xml; "
                     "f='faultsim --model transient --target cc,rf --quiet twice.job.xml'; "
                     "$f --csv all --store s.db && for l in 0 1; do $f --launch $l --csv one && "
                     "grep ^t,k,$l, all | cut -d, -f4-9,12-25 >a && "
                     "grep ^t,k,, one | cut -d, -f4-9,12-25 | cmp a - && "
                     "test $(wc -l <a) = 2 || exit; done; "
                     "awk -F, '/^t,k/ { n[$4 ($3 != \"\")] += $12 + $14 } END { print "
                     "n[\"cc0\"] - n[\"cc1\"], "
                     "n[\"rf0\"] - n[\"rf1\"], (n[\"rf0\"] > 0) }' all; "
                     "rm all one a s.db twice.job.xml",
                     &out, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(commands_text(&out), "0 0 1\n");
    fl_buf_free(&out);
}

static void a_store_keeps_the_rate_of_a_bit_and_reports_the_same_bytes(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "f='faultsim --model transient --target sched,dsp --sample 300 --ace --quiet'; "
            "for rate in '--technology 28nm' '--fit-per-bit 0.5'; do "
            "$f $rate --store s.db --csv a --xml ax good.job.xml && "
            "faultsim report s.db --quiet --csv b --xml bx && cmp a b && cmp ax bx && "
            "faultsim report s.db --quiet --technology sifi --csv b && ! cmp -s a b && "
            "rm s.db a b ax bx || exit; done; "
            "for i in 1 2; do $f --technology 28nm --shard $i/2 --store s$i.db good.job.xml || "
            "exit; "
            "done; ! faultsim report s1.db 2>&1 && "
            "(trap '' XFSZ; ulimit -f 40; ! faultsim merge full.db s2.db s1.db 2>&1) && "
            "! test -e full.db && faultsim merge s.db s2.db s1.db && "
            "faultsim report s.db --quiet --csv a && $f --technology 28nm --csv b good.job.xml && "
            "cmp a b && rm s.db s1.db s2.db a b",
            &out, NULL),
        0);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(commands_text(&out), "s1.db: holds shard 1/2, a part of the flips"));
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&out), "make room, then merge again"));
    fl_buf_free(&out);
}

static void a_store_does_not_mix_models_of_caches(void)
{
    struct fl_buf out = {0}, err = {0};
    CU_ASSERT_EQUAL(
        commands_run("f='faultsim transient --on tiny-chip-caches --target l1d --sample 60 "
                     "--store s.db good.job.xml'; "
                     "$f --cache-model gpufi --csv a >t && grep -q ' cache-model=gpufi ' a && "
                     "grep -q 'Caches are those of gpuFI-4' t && ! $f --resume --quiet && "
                     "$f --resume --quiet --cache-model gpufi --csv b && cmp a b && "
                     "faultsim report s.db --html h --quiet && grep -q 'those of gpuFI-4' h && "
                     "rm s.db [abht]",
                     &out, &err),
        0);
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&err), "s.db"));
    fl_buf_free(&out);
    fl_buf_free(&err);
}

static void several_numbers_of_sps_are_jobs_of_one_campaign(void)
{
    struct fl_buf out = {0}, err = {0};
    CU_ASSERT_EQUAL(
        commands_run(
            "f='faultsim --model transient --target sched,dsp good.job.xml'; "
            "$f --sps 8,32 --store s.db --csv a >t && $f --sps 8,32 --store s.db --resume --csv b "
            "--quiet && cmp a b && "
            "for n in 8 32; do $f --sps $n --quiet --csv c && grep -v '^#\\|^job,' c >d && "
            "grep '^[^#]*@'${n}sp a | sed s/@${n}sp// | cmp d - || exit; done; "
            "sed -n '/several numbers of SPs/,/^$/p' t | awk '{ print $1, $2, $4 }'; "
            "faultsim transient --target dsp --sps 8,32 --sample 20 --active-only good.job.xml >t "
            "&& "
            "grep -q 'numbers of SPs' t && ! grep nan t && "
            "! $f --sps 8 --store s.db --resume && rm s.db [abcdt]",
            &out, &err),
        0);
    CU_ASSERT_STRING_EQUAL(commands_text(&out),
                           "On several of\njob target SPs\nt sched 8\nt sched 32\nt dsp 8\n"
                           "t dsp 32\n  \n");
    CU_ASSERT_PTR_NOT_NULL(strstr(commands_text(&err), "2 jobs, not 1"));
    fl_buf_free(&out);
    fl_buf_free(&err);
}

static void help_is_on_stdout_and_exits_0(void)
{
    static const char *const tool[] = {"sasm", "sdis", "smrun", "sbstgen", "faultsim"};
    for (int i = 0; i < 5; i++) {
        struct fl_buf out = {0}, err = {0};
        char *line = fl_format("%s --help", tool[i]);
        CU_ASSERT_EQUAL(commands_run(line, &out, &err), 0);
        CU_ASSERT_TRUE(err.size == 0 && strstr(commands_text(&out), tool[i]) != NULL);
        free(line);
        fl_buf_free(&out);
        fl_buf_free(&err);
    }
}

int main(void)
{
    commands_start();
    int status = CHECK_RUN(
        "cli", CHECK(text_becomes_a_cubin_a_run_and_coverage),
        CHECK(prove_accounts_for_each_fault_that_a_job_leaves),
        CHECK(signature_leads_back_to_the_fault_without_the_job),
        CHECK(only_faults_of_cells_for_good_and_of_the_control_take_a_job_that_must_trap),
        CHECK(trace_names_launch_and_place_of_every_instruction),
        CHECK(smrun_stops_where_it_is_told_and_shows_the_machine),
        CHECK(generated_self_test_runs_as_expected_and_finds_its_faults),
        CHECK(a_subcommand_and_its_model_give_the_same_bytes), CHECK(each_export_says_what_made_it),
        CHECK(a_job_without_output_is_warned_of_and_marked_in_each_export),
        CHECK(a_dictionary_read_back_gives_the_same_bytes),
        CHECK(several_jobs_add_a_union_and_threads_change_no_byte),
        CHECK(a_trace_names_the_first_store_of_a_wrong_value), CHECK(a_trace_is_a_page_too),
        CHECK(pruned_and_brute_force_export_the_same_flips),
        CHECK(each_rung_of_the_ladder_can_be_left_out_without_a_change),
        CHECK(a_list_has_no_avf_and_no_fit), CHECK(each_launch_of_a_kernel_has_its_row),
        CHECK(a_store_keeps_the_rate_of_a_bit_and_reports_the_same_bytes),
        CHECK(a_store_does_not_mix_models_of_caches),
        CHECK(several_numbers_of_sps_are_jobs_of_one_campaign),
        CHECK(help_is_on_stdout_and_exits_0));
    commands_end();
    return status;
}
