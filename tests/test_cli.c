/* test_cli.c -- the commands as users call them: from assembler text to coverage, and every bad input named here gives one
 * clear message, the right exit status, and no output file that is not whole.
 *
 * All commands run in a folder of this run, made in main(); make_files() says what lies in it. What only one command knows
 * is tested beside it: the files of sbstgen in test_gen, the options of smrun in test_job, sasm's messages in test_sasm.
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

static char *scratch;

/* ---- running commands --------------------------------------------------------------------------------------------- */

/* Runs a shell line in the scratch folder; exit status, or -1 when a signal ended it. Both texts may be NULL. */
static int run(const char *line, struct fl_buf *out, struct fl_buf *err)
{
    struct fl_err why;
    char *command = fl_format("cd '%s' && PATH='%s':$PATH && ( %s\n) >.out 2>.err", scratch,
                              FAULTLINE_BIN_DIR, line);
    int status = system(command);
    struct fl_buf *text[] = {out, err};
    for (int i = 0; i < 2; i++) {
        char *path = fl_format("%s/%s", scratch, i ? ".err" : ".out");
        if (text[i]) {
            fl_buf_free(text[i]);
            CU_ASSERT_EQUAL_FATAL(fl_read_file(path, text[i], &why), 0);
        }
        free(path);
    }
    free(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char *text_of(const struct fl_buf *b)
{
    return b->data ? (const char *)b->data : "";
}

static int lines_in(const char *s)
{
    int n = 0;
    for (; *s; s++)
        n += *s == '\n';
    return n;
}

static int files(void)
{
    DIR *d = opendir(scratch);
    int n = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        n++;
    if (d)
        closedir(d);
    return n;
}

struct refusal {
    const char *line;
    int status;
    const char *says;
};

/* The message is one, stands on stderr, begins with who speaks, and holds what the test wants; a second line may say where
 * help is. No file is made, no output either. */
static bool refused(const struct refusal *r)
{
    struct fl_buf out = {0}, err = {0};
    int before = files(), status = run(r->line, &out, &err);
    const char *message = text_of(&err), *first = strchr(message, '\n');
    bool named = strstr(message, r->says) != NULL;
    bool one = first && lines_in(message) <= 2 && (!first[1] || strstr(first, "--help"));
    bool clean = !strstr(message, "Sanitizer") && !strstr(message, "runtime error") &&
                 out.size == 0 && files() == before;
    bool good = status == r->status && named && one && clean;
    if (!good)
        printf("\n    %s\n    exit %d (wanted %d), %d files more, says:\n%s%s", r->line, status,
               r->status, files() - before, message, text_of(&out));
    fl_buf_free(&out);
    fl_buf_free(&err);
    return good;
}

/* Each costs a process. */
#define CHECK_REFUSED(list)                                                                        \
    for (size_t i = 0, n = sizeof(list) / sizeof *(list); i < n; i += SANITIZED && n > 9 ? 4 : 1)  \
    CU_ASSERT_TRUE(refused(&(list)[i]))

/* ---- the files ---------------------------------------------------------------------------------------------------- */

static void put(const char *name, const char *content)
{
    struct fl_err err;
    char *path = fl_format("%s/%s", scratch, name);
    if (fl_write_file(path, content, strlen(content), &err) != 0) {
        printf("%s\n", err.msg);
        exit(1);
    }
    free(path);
}

#define JOB(profile, cubin, block, more)                                                           \
    "<job name=\"t\" profile=\"" profile "\" cubin=\"" cubin "\">\n"                               \
    "  <buffer name=\"b\" size=\"256\"/>\n"                                                        \
    "  <launch kernel=\"k\" grid=\"1\" block=\"" block "\"><param offset=\"0x10\" buffer=\"b\"/>"  \
    "</launch>\n"                                                                                  \
    "  <output name=\"o\" buffer=\"b\"/>\n" more "</job>\n"

static void make_files(void)
{
    static const char *const kernels[][2] = {
        {"good",
         "  SSY join\n  BRA C0.NE, join\njoin: NOP.S\n  I2I.U32.U16 R1, R0L\n  SHL R2, R1, 2\n"
         "  IADD R2, s[p], R2\n  GST.U32 global14[R2], R1\n  NOP.EXIT\n"},
        {"trap",
         "  MOV R2, s[p]\n  IADD32I R2, R2, 0x1000\n  GST.U32 global14[R2], R1\n  NOP.EXIT\n"},
        {"endless", "self: BRA self\n"},
        {"counter", "self: IADD32I R1, R1, 1\n  BRA self\n"},
        {"deadlock", "  I2I.U32.U16 R1, R0L\n  SHR R1, R1, 5\n  ISET.S32.C0 o[0x7f], R1, R124, NE\n"
                     "  BRA C0.NE, other\n  BAR.ARV.WAIT b0, 0xfff\n  NOP.EXIT\n"
                     "other: BAR.ARV.WAIT b1, 0xfff\n  NOP.EXIT\n"},
    };
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        char *name = fl_format("%s.sasm", kernels[i][0]);
        char *text = fl_format(".kernel k\n.param ptr p\n%s", kernels[i][1]);
        char *line = fl_format("sasm %s.sasm -o %s.cubin", kernels[i][0], kernels[i][0]);
        char *job = fl_format(JOB("tiny", "%s.cubin", "64", ""), kernels[i][0]);
        char *job_name = fl_format("%s.job.xml", kernels[i][0]);
        put(name, text);
        put(job_name, job);
        if (run(line, NULL, NULL) != 0)
            printf("\n%s failed\n", line);
        free(name);
        free(text);
        free(line);
        free(job);
        free(job_name);
    }
    put("g80.job.xml", JOB("g80", "good.cubin", "32", ""));
    put("launches.job.xml",
        JOB("tiny", "good.cubin", "32",
            "<launch kernel=\"k\" grid=\"1\" block=\"32\"><param offset=\"0x10\" "
            "buffer=\"b\"/></launch>"));
    put("schema.job.xml", JOB("tiny", "good.cubin", "32", "  <teapot/>\n"));
    put("unclosed.job.xml", "<job name=\"t\" profile=\"tiny\" cubin=\"good.cubin\">\n");
    put("nocubin.job.xml", JOB("tiny", "none.cubin", "32", ""));
    put("truncated.job.xml", JOB("tiny", "truncated.cubin", "32", ""));
    put("sm20.job.xml", JOB("tiny", "sm20.cubin", "32", ""));
    put("bad.sasm", ".kernel k\n  MOV R1, R200\n");
    put("bad.faults", "# comment\ndstack/w0/le3/tm5:sa1\ndstack/w0/le77\n");
    put("none.faults", "# nothing\n");
    put("pair.faults", "rf/p1/b1@5:flip # first \nrf/p1/b1@5:flip rf/p1/b2@5:flip\n");
    put("old", "old content\n");
    int r = run("head -c 300 good.cubin >truncated.cubin; cp good.cubin sm20.cubin; mkdir dir; "
                "mkfifo fifo; "
                /* e_flags, byte 36 of an ELF file of 32 bits: the number of the architecture */
                "printf '\\024' | dd of=sm20.cubin bs=1 seek=36 conv=notrunc",
                NULL, NULL);
    if (r != 0)
        printf("\nmaking the files failed\n");
}

/* ---- from text to coverage ---------------------------------------------------------------------------------------- */

static void prove_accounts_for_each_fault_that_a_job_leaves(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        run("faultsim prove --without CAL,PBK good.job.xml --csv-faults p.csv", &out, NULL), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), "\n    24 are untestable, as proved above;\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), "\n     4 more are untestable without"));
    CU_ASSERT_EQUAL(
        run("grep -q $(sha256sum <good.cubin | cut -c1-64) p.csv && "
            "grep -q 'faultline [0-9.]* model=' p.csv && "
            "grep -v '^#' p.csv | cut -d, -f2 | sort | uniq -c | tr -s ' ' | head -4; rm p.csv",
            &out, NULL),
        0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), " 24 untestable\n 4 untestable without\n"));
    fl_buf_free(&out);
}

static void signature_leads_back_to_the_fault_without_the_job(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(run("faultsim dictionary good.job.xml --csv d.csv --xml d.xml", &out, NULL), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), "candidates"));
    CU_ASSERT_EQUAL(run("faultsim dictionary --from d.xml --lookup "
                        "$(grep le1/tm5:sa0,.*,outputs d.csv | cut -d, -f6); rm d.csv d.xml",
                        &out, NULL),
                    0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), "dstack/w0/le1/tm5:sa0\n"));
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
    put("stop.sasm", ".kernel k\n.param ptr p\n SSY join\n I2I.U32.U16 R7, R0L\n"
                     " MVI R3, 5\njoin: NOP.S\n NOP.EXIT\n");
    CU_ASSERT_EQUAL(run("sasm stop.sasm -o stop.cubin", NULL, NULL), 0);
    put("stop.job.xml", JOB("tiny", "stop.cubin", "32", ""));
    for (size_t i = 0; i < sizeof list / sizeof *list; i += SANITIZED ? 2 : 1) {
        char *line = fl_format("smrun stop.job.xml %s", list[i].options);
        CU_ASSERT_EQUAL(run(line, &out, NULL), 0);
        if (!strstr(text_of(&out), list[i].says))
            printf("\n    %s: wanted %s, got\n%.1500s", line, list[i].says, text_of(&out));
        CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), list[i].says));
        free(line);
    }
    CU_ASSERT_EQUAL(run("wc -l <t; rm t stop.*", &out, NULL), 0);
    CU_ASSERT_STRING_EQUAL(text_of(&out), "2\n"); /* up to the break */
    fl_buf_free(&out);
}

static void text_becomes_a_cubin_a_run_and_coverage(void)
{
    struct fl_buf out = {0}, err = {0};
    CU_ASSERT_EQUAL(run("sdis good.cubin", &out, NULL), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), "SSY 0x10  // join"));
    CU_ASSERT_EQUAL(
        run("smrun good.job.xml --dump b=b.bin && od -An -tu4 -N8 -j248 b.bin", &out, NULL), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), "cycles        "));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), " 62         63"));
    int status = run(
        "faultsim --model stuck-at good.job.xml --csv g.csv --csv-faults gf.csv --xml g.xml", &out,
        &err);
    CU_ASSERT_EQUAL(status, 0); /* undetected faults are a result */
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), "528 faults, 24 of them untestable"));
    CU_ASSERT_EQUAL(err.size, 0); /* no progress line when stderr is a file */
    CU_ASSERT_EQUAL(run("grep -vc ^# g.csv; grep -vc ^# gf.csv; grep -c '<fault ' g.xml; rm g.csv "
                        "gf.csv g.xml b.bin",
                        &out, NULL),
                    0);
    CU_ASSERT_STRING_EQUAL(text_of(&out), "2\n529\n528\n");
    fl_buf_free(&out);
    fl_buf_free(&err);
}

static void trace_names_launch_and_place_of_every_instruction(void)
{
    struct fl_buf out = {0};
    put("two.sasm", ".kernel a\n  MVI R1, 1\n  NOP.EXIT\n.kernel b\n  NOP.EXIT\n");
    put("two.job.xml", "<job name=\"two\" profile=\"tiny\" cubin=\"two.cubin\">\n"
                       "  <buffer name=\"b\" size=\"4\"/>\n"
                       "  <launch kernel=\"a\" grid=\"1\" block=\"32\"/>\n"
                       "  <launch kernel=\"b\" grid=\"1\" block=\"32\"/>\n</job>\n");
    CU_ASSERT_EQUAL(run("sasm two.sasm -o two.cubin && smrun two.job.xml --trace t >/dev/null; "
                        "cut -d' ' -f1-5 t; rm t two.*",
                        &out, NULL),
                    0);
    /* the second launch starts in the cycle in which the first one ends */
    CU_ASSERT_STRING_EQUAL(text_of(&out), "23 l0 b0,0 w0 000000\n43 l0 b0,0 w0 000008\n"
                                          "63 l1 b0,0 w0 000000\n");
    fl_buf_free(&out);
}

static void generated_self_test_runs_as_expected_and_finds_its_faults(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(run("sbstgen --method sync-trick --le 1-2 --profile tiny -o t && cd t && "
                        "smrun sync-trick-acc-le01-02.job.xml --expect && "
                        "faultsim --model stuck-at --faults 'dstack/w0/le1-2/tm*:sa*' --quiet "
                        "--csv c.csv "
                        "sync-trick-acc-le01-02.job.xml && cat c.csv",
                        &out, NULL),
                    0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), "(as the job states)"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), ",c,128,0,128,128,0,0,0,0,0,0,100.00,100.00\n"));
    run("rm -r t", NULL, NULL);
    fl_buf_free(&out);
}

/* Tables, exports, stories and messages, but for times. */
static void a_subcommand_and_its_model_give_the_same_bytes(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        run("for how in 'stuck-at: good.job.xml --csv F1 --csv-faults F2 --xml F3 --matrix F4' "
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
    CU_ASSERT_STRING_EQUAL(text_of(&out), "      7 1 0\n      1 1 1\n      2 1 2\n");
    fl_buf_free(&out);
}

/* Every export of a campaign leads back to the options, the job and the very cubin. */
static void each_export_says_what_made_it(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        run("faultsim --model stuck-at good.job.xml --quiet --csv a --csv-faults b --matrix c "
            "--xml d && "
            "faultsim dictionary good.job.xml --quiet --csv e --xml f && "
            "t='faultsim --model intermittent --target cc --sample 20 --hold 7 --bits adjacent:2 "
            "--seed 9 "
            "--quiet good.job.xml' && $t --csv h --csv-faults i --xml j --html k --store s.db && "
            "cubin=$(sha256sum <good.cubin | cut -c1-64) && for f in a b c d e f h i j k; do "
            "grep -q $cubin $f && grep -q 'faultline [0-9.]* model=' $f || echo $f lacks it; done; "
            "grep -c 'model=intermittent method=sample target=cc engine=c confidence=0.95 seed=9 "
            "bits=adjacent:2 hold=7 flips=20' h i j k; grep -o '<h1>[^<]*' k; "
            "faultsim report s.db | head -1; rm [a-fh-k] s.db",
            &out, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(text_of(&out), "h:1\ni:1\nj:1\nk:1\n<h1>Intermittent faults\n"
                                          "Intermittent faults\n");
    fl_buf_free(&out);
}

static void a_job_without_output_is_warned_of_and_marked_in_each_export(void)
{
    struct fl_buf out = {0}, err = {0};
    CU_ASSERT_EQUAL(
        run("grep -v '<output' good.job.xml >mute.job.xml; "
            "faultsim --model stuck-at mute.job.xml --quiet --csv a --csv-faults b --matrix c "
            "--xml d && "
            "faultsim dictionary mute.job.xml --quiet --csv e --xml f && "
            "faultsim --model transient --target cc mute.job.xml --csv h --xml j --html k >l && "
            "grep -L 'no .*output.*: sdc cannot happen' a b c d e f h j k l; rm [a-l] mute.job.xml",
            &out, &err),
        0);
    CU_ASSERT_STRING_EQUAL(text_of(&out), "");
    CU_ASSERT_EQUAL(lines_in(text_of(&err)),
                    4); /* three warnings, and what an exact campaign foresees */
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&err), "faultsim: warning: mute.job.xml: no <output>"));
    fl_buf_free(&out);
    fl_buf_free(&err);
}

static void a_dictionary_read_back_gives_the_same_bytes(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        run("sed 's/name=\"t\"/name=\"u\"/' good.job.xml >u.job.xml; "
            "faultsim dictionary good.job.xml u.job.xml --xml a --csv b >c && "
            "faultsim dictionary --from a --xml d --csv e >f && cmp a d && cmp b e && cmp c f && "
            "grep -c '<resolution' a && head -1 f; rm [a-f] u.job.xml",
            &out, NULL),
        0);
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), " of 528 show something, in "));
    CU_ASSERT_PTR_NULL(strstr(text_of(&out), ": 0 of 528"));
    fl_buf_free(&out);
}

static void several_jobs_add_a_union_and_threads_change_no_byte(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        run("sed 's/name=\"t\"/name=\"u\"/' good.job.xml >u.job.xml && for n in 1 2 5; do "
            "faultsim --model stuck-at good.job.xml u.job.xml --quiet --threads $n --csv c$n "
            "--csv-faults f$n --xml x$n || exit; done; "
            "cmp c1 c2 && cmp c1 c5 && cmp f1 f2 && cmp f1 f5 && cmp x1 x2 && cmp x1 x5 && grep -v "
            "'^#' c1 | cut -d, -f1 && "
            "rm [cfx][125] u.job.xml",
            &out, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(text_of(&out), "job\nt\nu\nunion\n");
    fl_buf_free(&out);
}

/* The instructions between the flip and the store differ in nothing. */
static void a_story_names_the_first_store_of_a_wrong_value(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        run("at=$(smrun good.job.xml --trace /dev/stdout | sed -n '/ w0 .*SHL/s/ .*//p') && "
            "faultsim --model transient --fault rf/w0/t5/r1/b3@$((at + 1)):flip good.job.xml | "
            "grep -A2 '^First wrong' | grep -o '^First wrong value\\|GST.U32\\|golden\\|faulty'",
            &out, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(text_of(&out), "First wrong value\ngolden\nGST.U32\nfaulty\nGST.U32\n");
    /* held from before the first block on, and read where the threads join */
    CU_ASSERT_EQUAL(
        run("faultsim --model intermittent --fault dstack/le1/tm3@0-:sa0 good.job.xml | "
            "grep -A1 '^First divergence' | grep -o 'control\\|pop le1\\|block starts'",
            &out, NULL),
        0);
    CU_ASSERT_STRING_EQUAL(text_of(&out), "control\npop le1\n");
    fl_buf_free(&out);
}

static void pruned_and_brute_force_export_the_same_flips(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        run("for how in 'transient' 'intermittent --hold 40' 'intermittent --hold end'; do "
            "f=\"faultsim --model $how --target all --sample 20 --quiet --csv-faults\"; "
            "$f a good.job.xml && $f b --exhaustive good.job.xml && cmp a b && cat a || exit; "
            "done | cut -d, -f7 | sort | uniq -c; rm a b",
            &out, NULL),
        0);
    /* each reason that a masked flip can have is there */
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), " idle\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), " overwritten\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), " logically_masked\n"));
    CU_ASSERT_PTR_NULL(strstr(text_of(&out), "differ"));
    fl_buf_free(&out);
}

/* A list stands for itself: no share of it is an AVF, and a rate per bit says nothing about it. */
static void a_list_has_no_avf_and_no_fit(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(run("echo rf/p1/b1@5:flip >f; "
                        "faultsim --model transient --faults f --technology sifi --quiet --csv c "
                        "good.job.xml && "
                        "tail -1 c | cut -d, -f2,6,18-23,26,28; rm f c",
                        &out, NULL),
                    0);
    CU_ASSERT_STRING_EQUAL(text_of(&out), "all,list,,,,,,,,\n");
    fl_buf_free(&out);
}

/* Rows of a launch are those of a campaign over its cycles alone, and they add up to the row of the kernel. */
static void each_launch_of_a_kernel_has_its_row(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(run("sed '/<launch/p' good.job.xml >twice.job.xml; "
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
    CU_ASSERT_STRING_EQUAL(text_of(&out), "0 0 1\n");
    fl_buf_free(&out);
}

static void a_store_keeps_the_rate_of_a_bit_and_reports_the_same_bytes(void)
{
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(
        run("f='faultsim --model transient --target sched,dsp --sample 300 --ace --quiet'; "
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
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), "s1.db: holds shard 1/2, a part of the flips"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&out), "make room, then merge again"));
    fl_buf_free(&out);
}

static void several_numbers_of_sps_are_jobs_of_one_campaign(void)
{
    struct fl_buf out = {0}, err = {0};
    CU_ASSERT_EQUAL(
        run("f='faultsim --model transient --target sched,dsp good.job.xml'; "
            "$f --sps 8,32 --store s.db --csv a >t && $f --sps 8,32 --store s.db --resume --csv b "
            "--quiet && cmp a b && "
            "for n in 8 32; do $f --sps $n --quiet --csv c && grep -v '^#\\|^job,' c >d && "
            "grep '^[^#]*@'${n}sp a | sed s/@${n}sp// | cmp d - || exit; done; "
            "sed -n '/several numbers of SPs/,/^$/p' t | awk '{ print $1, $2, $4 }'; "
            "! $f --sps 8 --store s.db --resume && rm s.db [abcdt]",
            &out, &err),
        0);
    CU_ASSERT_STRING_EQUAL(text_of(&out),
                           "On several of\njob target SPs\nt sched 8\nt sched 32\nt dsp 8\n"
                           "t dsp 32\n  \n");
    CU_ASSERT_PTR_NOT_NULL(strstr(text_of(&err), "2 jobs, not 1"));
    fl_buf_free(&out);
    fl_buf_free(&err);
}

static void help_is_on_stdout_and_exits_0(void)
{
    static const char *const tool[] = {"sasm", "sdis", "smrun", "sbstgen", "faultsim"};
    for (int i = 0; i < 5; i++) {
        struct fl_buf out = {0}, err = {0};
        char *line = fl_format("%s --help", tool[i]);
        CU_ASSERT_EQUAL(run(line, &out, &err), 0);
        CU_ASSERT_TRUE(err.size == 0 && strstr(text_of(&out), tool[i]) != NULL);
        free(line);
        fl_buf_free(&out);
        fl_buf_free(&err);
    }
}

/* ---- wrong usage -------------------------------------------------------------------------------------------------- */

static void wrong_usage_of_sbstgen_is_refused(void)
{
    static const struct refusal list[] = {
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

static void wrong_usage_of_faultsim_is_refused(void)
{
    static const struct refusal list[] = {
        {"faultsim", 2, "--model stuck-at"},
        {"faultsim good.job.xml", 2, "--model stuck-at"},
        {"faultsim --model stuck-at", 2, "JOB.xml"},
        {"faultsim --model teapot good.job.xml", 2, "'teapot'"},
        {"faultsim --model stuck-at --engine rtl good.job.xml", 2, "engine 'rtl'"},
        {"faultsim --model stuck-at --target teapot good.job.xml --csv x", 2,
         "there are dstack, dsp"},
        {"faultsim --model stuck-at --target rf good.job.xml --csv x", 2,
         "stuck-at faults are those of dstack"},
        {"faultsim --model stuck-at --faults dstack/le9 good.job.xml", 2, "'le9' does not fit"},
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
        {"faultsim --model transient --resume good.job.xml", 2, "--resume needs --store"},
        {"faultsim --model transient --shard 1/2 good.job.xml", 2, "needs --store"},
        {"faultsim --model transient --shard 3/2 --store s good.job.xml", 2, "--shard '3/2'"},
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
         "behind the last"},
        {"faultsim --model transient --sps 9 good.job.xml", 2, "--sps '9'"},
        {"faultsim --model transient --technology 3nm good.job.xml", 2, "--technology '3nm'"},
        {"faultsim --model transient --teapot good.job.xml", 2, "unknown"},
        {"faultsim --model transient --faults nofile good.job.xml", 1, "nofile"},
        {"faultsim --model transient --store nodir/s good.job.xml", 1, "nodir/s"},
        {"faultsim --model transient --csv nodir/f --store s good.job.xml", 1, "nodir/f"},
        {"faultsim --model transient --html dir --store s good.job.xml", 1, "dir: cannot write"},
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
        {"faultsim --model transient --fault rf/p1/b1@5:flip --csv x good.job.xml", 2, "no export"},
        {"faultsim --model transient --sample 9 --lanes --target pc good.job.xml", 1, "--lanes"},
        {"faultsim --model transient --sample 9 --blocks 2 --target rf good.job.xml", 1,
         "--blocks is for"},
        {"faultsim --model transient --sample 9 --blocks 3 --target shared good.job.xml", 1,
         "at most 2 are resident"},
        {"faultsim --model transient --sample 9 --entries 2 --target sched good.job.xml", 1,
         "there are 1"},
        {"faultsim --model transient --sample 9 --bits random:6 --target sched good.job.xml", 1,
         "have 5 bits"},
        {"faultsim --model transient --sample 9 --lanes --bits adjacent:3 good.job.xml", 1,
         "96 bits at once"},
        {"faultsim --model transient --sample 9 --with local good.job.xml", 1, "--with local"},
        {"faultsim --model transient --target sched,rf --budget 1e-9 good.job.xml", 1,
         "over the budget"},
        {"faultsim --model transient --ace good.job.xml good.job.xml", 1, "is there already"},
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
         "pair.faults:2: 'rf/p1/b2@5:flip' behind the id"},
        {"faultsim --model transient --fault rf/p1/b1@5:flip+rf/p1/b1@5:flip good.job.xml", 2,
         "there twice"},
        {"faultsim --model Transient --ace good.job.xml", 2, "'Transient'"},
        {"faultsim --model stuck-at --see end good.job.xml", 2,
         "--see is an option of dictionary;"},
        {"faultsim --model stuck-at --without CAL good.job.xml", 2,
         "--without is an option of prove;"},
        {"faultsim prove --matrix m.csv", 2, "--matrix is an option of stuck-at;"},
        {"faultsim dictionary", 2, "give jobs"},
        {"faultsim dictionary --from x.xml good.job.xml", 2, "give jobs"},
        {"faultsim dictionary --from nofile.xml", 1, "nofile.xml"},
        {"faultsim dictionary --from good.job.xml", 1, "a <dictionary> is needed"},
        {"faultsim dictionary good.job.xml --see all", 2, "place, trap or end"},
        {"faultsim dictionary good.job.xml --lookup TEAPOT", 1, "no trap"},
        {"faultsim dictionary good.job.xml g80.job.xml", 1, "different fault lists"},
        {"faultsim dictionary --target rf good.job.xml", 2, "stuck-at faults are those of dstack"},
        {"faultsim prove --target rf", 2, "'rf'"},
        {"faultsim prove nofile.job.xml", 1, "nofile.job.xml"},
        {"faultsim prove --without CAL,TEAPOT", 2, "'TEAPOT'"},
        {"faultsim prove --csv-faults x", 2, "JOB.xml"},
        {"faultsim prove --profile teapot", 1, "teapot"},
    };
    CHECK_REFUSED(list);
}

static void wrong_usage_of_the_other_tools_is_refused(void)
{
    static const struct refusal list[] = {
        {"sasm", 2, "sasm: name the source"},
        {"sasm good.sasm", 2, "sasm: name the output: -o OUT.cubin"},
        {"sasm good.sasm bad.sasm -o x.cubin", 2, "bad.sasm"},
        {"sasm good.sasm -o x.cubin --teapot", 2, "--teapot"},
        {"sdis", 2, "sdis: name the file: FILE.cubin"},
        {"sdis good.cubin trap.cubin", 2, "trap.cubin"},
        {"sdis --teapot good.cubin", 2, "--teapot"},
        {"smrun", 2, "no file"},
        {"smrun good.job.xml --engine rtl", 2, "--engine rtl"},
        {"smrun good.cubin", 2, "--kernel NAME"},
        {"smrun good.job.xml --break here", 2, "--break here: write a cycle"},
        {"smrun good.job.xml --break 0x", 2, "--break 0x: write a cycle"},
        {"smrun good.job.xml --dump-state -1", 2, "--dump-state -1: write a cycle"},
    };
    CHECK_REFUSED(list);
}

/* ---- bad files ---------------------------------------------------------------------------------------------------- */

static void bad_cubins_are_refused_by_all_who_read_them(void)
{
    static const struct refusal list[] = {
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
    static const struct refusal list[] = {
        {"faultsim --model stuck-at none.job.xml --csv x", 1, "none.job.xml"},
        {"faultsim --model stuck-at dir/x.job.xml --csv x", 1, "dir/x.job.xml"},
        {"faultsim --model stuck-at schema.job.xml --csv x", 1, "schema.job.xml:5: "},
        {"faultsim --model stuck-at unclosed.job.xml --csv x", 1, "unclosed.job.xml:"},
        {"faultsim --model stuck-at good.job.xml schema.job.xml --csv x", 1, "schema.job.xml:5: "},
        {"faultsim --model stuck-at --profile g80 good.job.xml --csv x", 1,
         "--profile g80 contradicts"},
        {"faultsim --model stuck-at good.job.xml g80.job.xml --csv x", 1, "different fault lists"},
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
    static const struct refusal list[] = {
        {"faultsim --model stuck-at trap.job.xml --csv x", 1,
         "trap.job.xml: the fault-free run traps: OUT_OF_BOUNDS_GLOBAL"},
        {"faultsim --model stuck-at endless.job.xml --csv x", 1,
         "endless.job.xml: the fault-free run loops for ever"},
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
    static const struct refusal list[] = {
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
        {"smrun good.job.xml --dump b=none/x >.out2; s=$?; rm .out2; exit $s", 1,
         "none/x: cannot write"},
        {"sbstgen --method sync-trick --le 1 -o /dev/full/x", 1, "/dev/full/x"},
    };
    CHECK_REFUSED(list);
}

/* A limit on the size of files stands for a full disk. */
static void failed_write_leaves_the_old_file_and_no_part_of_the_new(void)
{
    static const struct refusal list[] = {
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
    static const struct refusal list[] = {
        {"mkdir ro && chmod 555 ro; faultsim --model stuck-at good.job.xml --quiet --csv ro/x.csv; "
         "s=$?; "
         "ls -A ro; rmdir ro; exit $s",
         1, "ro/x.csv: cannot write: Permission denied"},
        {"mkdir ro && chmod 555 ro; sasm good.sasm -o ro/x.cubin; s=$?; ls -A ro; rmdir ro; exit "
         "$s",
         1, "ro/x.cubin: cannot write"},
    };
    if (geteuid() == 0) {
        printf("\n    skipped: root may write everywhere ");
        return;
    }
    CHECK_REFUSED(list);
}

int main(void)
{
    scratch = tools_folder();
    make_files();
    int status = CHECK_RUN(
        "cli", CHECK(text_becomes_a_cubin_a_run_and_coverage),
        CHECK(prove_accounts_for_each_fault_that_a_job_leaves),
        CHECK(signature_leads_back_to_the_fault_without_the_job),
        CHECK(trace_names_launch_and_place_of_every_instruction),
        CHECK(smrun_stops_where_it_is_told_and_shows_the_machine),
        CHECK(generated_self_test_runs_as_expected_and_finds_its_faults),
        CHECK(a_subcommand_and_its_model_give_the_same_bytes), CHECK(each_export_says_what_made_it),
        CHECK(a_job_without_output_is_warned_of_and_marked_in_each_export),
        CHECK(a_dictionary_read_back_gives_the_same_bytes),
        CHECK(several_jobs_add_a_union_and_threads_change_no_byte),
        CHECK(a_story_names_the_first_store_of_a_wrong_value),
        CHECK(pruned_and_brute_force_export_the_same_flips), CHECK(a_list_has_no_avf_and_no_fit),
        CHECK(each_launch_of_a_kernel_has_its_row),
        CHECK(a_store_keeps_the_rate_of_a_bit_and_reports_the_same_bytes),
        CHECK(several_numbers_of_sps_are_jobs_of_one_campaign),
        CHECK(help_is_on_stdout_and_exits_0), CHECK(wrong_usage_of_sbstgen_is_refused),
        CHECK(wrong_usage_of_faultsim_is_refused), CHECK(wrong_usage_of_the_other_tools_is_refused),
        CHECK(bad_cubins_are_refused_by_all_who_read_them),
        CHECK(bad_jobs_and_lists_are_refused_with_their_line),
        CHECK(job_that_goes_wrong_without_a_fault_is_refused),
        CHECK(output_that_cannot_be_written_is_an_error_with_its_name),
        CHECK(failed_write_leaves_the_old_file_and_no_part_of_the_new),
        CHECK(read_only_folder_is_an_error_with_its_name));
    tools_remove(scratch);
    return status;
}
