/* test_gate_campaigns.c -- which faults of gates a campaign injects, and what it says of them. */
#include "tests/gate/lane_gates.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

#include "base/xml.h"

static char *dir;

/* With $f, a campaign of a small unit, and $j, $n, a job and the netlists. */
static int run(struct fl_buf *said, const char *lines)
{
    char *all = fl_format("n=%s/gates j=%s/bench/vecadd.job.xml sort=%s/bench/sort.job.xml\n"
                          "jobs=\"$sort %s/bench/fft.job.xml %s/bench/edge.job.xml\"\n"
                          "f=\"faultsim gate --unit alu_cvt --netlists $n --quiet\"\n%s",
                          FAULTLINE_BUILD_DIR, FAULTLINE_BUILD_DIR, FAULTLINE_BUILD_DIR,
                          FAULTLINE_BUILD_DIR, FAULTLINE_BUILD_DIR, lines);
    int status = tools_run(dir, said, "%s", all);
    free(all);
    return status;
}

/* ---- error models --------------------------------------------------------------------------------------------------- */

/* Rules that set or clear bits hold in every use, and faults without a line are never wrong. */
static void faults_with_exact_rules_end_as_the_gates_do(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        run(&said,
            "$f --syndromes m $sort && $f --sp 1 --sample 500 $sort --csv-faults gates &&\n"
            "$f --sp 1 --sample 500 $sort --error-model m --csv-faults model || exit\n"
            "grep -v '^#' m | awk -F, '$15 != \"set\" && $15 != \"clear\" { sub(/.*\\//, \"/\", "
            "$1); "
            "print $1 \",\" }' | sort -u >inexact\n"
            "for k in gates model; do grep -v '^#' $k | grep -vFf inexact >$k.exact; done\n"
            "cmp gates.exact model.exact && [ $(wc -l <gates.exact) -gt 400 ] &&\n"
            "[ $(grep -c detected,[0-9] gates.exact) -gt 10 ] && head -n 1 model; tail -n 1 m"),
        0);
    /* the provenance names the model by the digest at its end */
    const char *digest = strstr((char *)said.data, "\n# sha256=");
    CU_ASSERT_PTR_NOT_NULL_FATAL(digest);
    char *name = fl_format(" errors=%.64s", digest + strlen("\n# sha256="));
    CU_ASSERT_TRUE(tools_says(&said, name));
    free(name);
    fl_buf_free(&said);
}

static void the_table_of_an_error_model_counts_faults_that_change_one_bit(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        run(&said,
            "${f%% --quiet} --syndromes m $sort | awk '$9 ~ /^[0-9]+$/ { print $1, $9 }' | sort "
            ">table\n"
            "awk -F, 'function one(x) { return x ~ /^0*[1248]0*$/ } function none(x) { return x ~ "
            "/^0*$/ }\n"
            "    $3 ~ /^[0-9]+$/ { up = $9 $7; down = $10 $8\n"
            "        n[$2] += one(up) && (none(down) || up == down) || none(up) && one(down) }\n"
            "    END { for (o in n) print o, n[o] }' m | sort | cmp - table && wc -l <table"),
        0);
    CU_ASSERT_TRUE(tools_says(&said, "6\n"));
    fl_buf_free(&said);
}

static void error_models_of_another_origin_or_cut_short_are_refused(void)
{
    static const struct {
        const char *change, *says;
    } bad[] = {
        {"head -c 5000 m", "m2: the last line is no '# sha256=...': the file is cut short"},
        {"head -c 0 m", "m2: the last line is no '# sha256=...'"},
        {"head -n 9 m", "m2: the last line is no '# sha256=...'"},
        {"sed 's/,I2I,/,SHL,/' m", "m2: has been changed"},
        {"sed 's/alu_cvt:[0-9a-f]*/alu_cvt:00/' m | seal",
         "m2: is of the netlists alu_cvt:00, and"},
        {"sed 's/profile=flexgripplus/profile=tiny/' m | seal",
         "m2: is of the profile tiny, and the job is for flexgripplus"},
        {"sed 's/results=[^ ]*/results=0.0/' m | seal",
         "m2: is of results 0.0, and this faultsim has"},
        {"sed 's/,I2I,/,ODD,/' m | seal", "m2: is no line of --syndromes: gate/alu_cvt/"},
        {"sed 's/^id,/no,/' m | seal", "m2: has no line 'id,operation,...'"},
        {"(echo results=0.0; cat m) | seal", "m2: is of results "},
        {"sed 's/^gate/\\x00gate/' m | seal", "m2: a line has no end"},
    };
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(run(&said, "$f --syndromes m $sort"), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        fl_buf_free(&said);
        char *lines = fl_format("seal() { sed '$d' >sealed; cat sealed; echo \"# "
                                "sha256=$(sha256sum <sealed | cut -c1-64)\"; }\n"
                                "%s >m2; ! $f --sp 0 --sample 9 --error-model m2 $sort 2>&1",
                                bad[i].change);
        CU_ASSERT_EQUAL(run(&said, lines), 0);
        if (!tools_says(&said, bad[i].says))
            printf("\n%s: %s", bad[i].change, (char *)said.data);
        CU_ASSERT_TRUE(tools_says(&said, bad[i].says));
        free(lines);
    }
    CU_ASSERT_EQUAL(run(&said, "! $f --error-model m --model transition $j 2>&1"), 0);
    CU_ASSERT_TRUE(tools_says(&said, "--error-model is for campaigns of stuck-at faults"));
    fl_buf_free(&said);
}

/* ---- lists ----------------------------------------------------------------------------------------------------------- */

static void a_list_of_all_faults_is_the_campaign_of_all(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(run(&said, "gatesim faults $n/alu_cvt.blif >all.list &&\n"
                               "$f --sp 0 $j --csv-faults a && "
                               "$f --sp 0 $j --faults all.list --csv-faults b || exit\n"
                               "grep -v '^#' a >a1; grep -v '^#' b | cmp - a1 || exit\n"
                               "head -n 1 b; wc -l <b"),
                    0);
    CU_ASSERT_TRUE(tools_says(&said, " list=8804,"));
    CU_ASSERT_TRUE(tools_says(&said, "\n8807\n"));
    fl_buf_free(&said);
}

static void a_fault_stands_for_its_class_and_without_an_sp_for_those_of_all_sps(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        run(&said,
            "class=$(gatesim faults $n/alu_cvt.blif | grep -v '#' | grep -m 1 ' ')\n"
            "set -- $class\n"
            "printf 'gate/alu_cvt.sp2/%s # remark\\n\\n' $2 | $f $j --faults - --csv-faults one\n"
            "grep -c \"^vecadd,gate/alu_cvt.sp2/$1,\" one && wc -l <one || exit\n"
            "printf 'gate/alu_cvt/%s\\ngate/alu_cvt.sp5/%s\\n' $1 $2 >some\n"
            "$f $j --faults some --csv-faults many && grep -c \"/$1,\" many && wc -l <many"),
        0);
    CU_ASSERT_TRUE(tools_says(&said, "1\n4\n8\n11\n"));
    fl_buf_free(&said);
}

static void faults_of_a_netlist_have_no_table_of_fields(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(run(&said, "faultsim gate --unit alu_cvt --netlists $n --sp 0 --sample 9 $j"),
                    0);
    CU_ASSERT_TRUE(tools_says(&said, "a sample of 9 of"));
    CU_ASSERT_FALSE(tools_says(&said, "by field"));
    fl_buf_free(&said);
}

static void lists_with_faults_that_are_not_there_are_refused_by_line(void)
{
    static const struct {
        const char *list, *says;
    } bad[] = {
        {"# x\\ngate/alu_cvt.sp9/n70:sa0\\n",
         "in:2: 'gate/alu_cvt.sp9/n70:sa0': the machine has SPs 0"},
        {"gate/alu_int/n7:sa0\\n",
         "in:1: 'gate/alu_int/n7:sa0' is a fault of alu_int, and --unit names"},
        {"gate/flow/n7:sa0\\n", "in:1: 'gate/flow/n7:sa0' is a fault of flow, and --unit names"},
        {"gate/alu_cvt/n99999:sa0\\n", "in:1: 'n99999:sa0': the netlist has nets n0 to"},
        {"gate/alu_cvt/n70:str\\n", "in:1: 'n70:str' is no fault"},
        {"gate/alu_cvt/n70:sa0 gate/alu_cvt/n71:sa0\\n",
         "in:1: 'gate/alu_cvt/n71:sa0' is not of the"},
        {"n70:sa0\\n", "in:1: 'n70:sa0' does not say of which unit it is"},
        {"# netlist 12ab\\nn70:sa0\\n", "in:1: the list is of the netlist 12ab..., and"},
        {"# model transition\\n", "in:1: the list is of transition faults"},
        {"gate/alu_cvt/n70:sa0\\ngate/alu_cvt/n7", "in:2: 'n7' is no fault"},
        {"gate/alu_cvt/n70:sa0\\ngate/alu_cvt/n71:sa0", "in:2: the last line has no end"},
        {"# classes 3\\ngate/alu_cvt/n70:sa0\\ngate/alu_cvt/n71:sa0\\n",
         "in:3: the list ends with 2 of the 3 faults"},
        {"# nothing\\n", "in: no fault in it"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct fl_buf said = {0};
        char *lines = fl_format("printf '%s' >in; ! $f --faults in $j 2>&1", bad[i].list);
        CU_ASSERT_EQUAL(run(&said, lines), 0);
        if (!tools_says(&said, bad[i].says))
            printf("\n%s: %s", bad[i].list, (char *)said.data);
        CU_ASSERT_TRUE(tools_says(&said, bad[i].says));
        free(lines);
        fl_buf_free(&said);
    }
}

static void a_list_of_one_sp_needs_no_other_and_refuses_others(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(run(&said, "printf 'gate/alu_cvt/n70:sa0\\n' >in\n"
                               "$f --sp 3 --faults in $j --csv-faults - | grep -c sp3/ || exit\n"
                               "printf 'gate/alu_cvt.sp2/n70:sa0\\n' >in\n"
                               "$f --sp 3 --faults in $j 2>&1; "
                               "$f --sp 31 --faults in $j 2>&1; true"),
                    0);
    CU_ASSERT_TRUE(tools_says(&said,
                              "1\nfaultsim: in:1: 'gate/alu_cvt.sp2/n70:sa0' is a fault of SP "
                              "2, and --sp names SP 3"));
    CU_ASSERT_TRUE(tools_says(&said, "--sp 31: the machine has SPs 0 to"));
    fl_buf_free(&said);
}

static void a_store_goes_on_with_its_list_however_it_is_written_and_with_no_other(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(run(&said, "printf 'gate/alu_cvt/%s\\n' n70:sa0 n71:sa0 >one\n"
                               "printf 'gate/alu_cvt/%s\\n' n71:sa0 n70:sa0 n71:sa0 >same\n"
                               "printf 'gate/alu_cvt/%s\\n' n72:sa0 n70:sa0 >other\n"
                               "$f --faults one --store s $j --csv-faults a &&\n"
                               "$f --faults same --store s --resume $j --csv-faults b &&\n"
                               "cmp a b && ! $f --faults other --store s --resume $j 2>&1"),
                    0);
    CU_ASSERT_TRUE(tools_says(&said, "s: holds a campaign with other options:"));
    fl_buf_free(&said);
}

/* ---- dropped faults -------------------------------------------------------------------------------------------------- */

/* Two jobs, sorted lines of what they detect: job,id; $few is a sample of faults that both see. */
#define TWO                                                                                        \
    "few='--sp 1 --sample 150 --seed 3'\n"                                                         \
    "det() { grep -v '^#' $1 | awk -F, '$4==\"detected\"{print $2}' | sort -u; }\n"

/* A file of the folder is what the schema of reports says. */
static void check_xml(const char *name)
{
    struct xml_file xml;
    struct fl_err err = {""};
    char *path = fl_format("%s/%s", dir, name);
    CU_ASSERT_EQUAL(xml_open(path, "report", &xml, &err), 0);
    CU_ASSERT_EQUAL(xml_validate(&xml, "docs/report.rng", &err), 0);
    xml_close(&xml);
    free(path);
}

static void dropping_detects_the_same_faults_in_all(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(run(&said, TWO
                        "$f $few $jobs --csv a --csv-faults af || exit\n"
                        "$f $few --drop $jobs --csv b --csv-faults bf --xml bx || exit\n"
                        "det af >x; det bf | cmp - x || exit\n"
                        "cut -d, -f1,7 a | tail -n 1; cut -d, -f1,7 b | tail -n 1\n"
                        "awk -F, '$4==\"dropped\"{n++} $4==\"dropped\"&&($3!=\"\"||$5$6!=\"\"||"
                        "$7!~/^detected_by_job_[12]$/){bad=1} END{print (n>30), bad+0}' bf\n"
                        /* a job simulates the rest as ever */
                        "grep -v '^#\\|dropped' bf >rest; grep -v '^#' af | grep -Fxc -f rest >n\n"
                        "wc -l <rest | cmp - n && echo the same\n"
                        "grep -v '^#' b | head -n 1 | grep -c ',dropped,'"),
                    0);
    CU_ASSERT_TRUE(tools_says(&said, "\n1 0\nthe same\n1\n"));
    check_xml("bx");
    const char *rows = (const char *)said.data, *second = strchr(rows, '\n') + 1;
    CU_ASSERT_EQUAL(strncmp(rows, "union,", 6), 0);
    CU_ASSERT_EQUAL(strncmp(rows, second, (size_t)(second - rows)), 0);
    fl_buf_free(&said);
}

/* The rows of jobs add up to the union. */
static void the_shares_of_jobs_that_drop_add_up_to_the_union(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(run(&said, TWO "$f $few --drop $jobs --csv b || exit\n"
                                   "grep -v '^#' b | awk -F, 'NR>1&&$1!=\"union\"{n+=$7} "
                                   "$1==\"union\"{print n==$7, $5}'\n"
                                   "faultsim gate --unit alu_cvt --netlists $n $few --drop $jobs"),
                    0);
    CU_ASSERT_TRUE(tools_says(&said, "1 150\n"));
    CU_ASSERT_TRUE(tools_says(&said, "dropped"));
    CU_ASSERT_TRUE(tools_says(&said, "that it is the first to"));
    fl_buf_free(&said);
}

static void threads_shards_and_kills_change_nothing_of_what_is_dropped(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        run(&said,
            TWO "g=\"$f --sp 1 --sample 700 --seed 3 --drop\"\n"
                "$g --threads 1 $jobs --csv a --csv-faults af || exit\n"
                "$g --threads 5 $jobs --csv b --csv-faults bf || exit\n"
                "cmp a b && cmp af bf || exit\n"
                "for s in 0.3 0.6 0.9; do $g --store k --resume $jobs & "
                "sleep $s; kill -KILL $! 2>/dev/null; wait $!; done\n"
                "$g --store k --resume $jobs --csv b --csv-faults bf || exit\n"
                "cmp a b && cmp af bf || exit\n"
                "for i in 2 3 1; do $g --store s$i --shard $i/3 $jobs || exit; done\n"
                "faultsim merge m s1 s2 s3 && faultsim report m --quiet --csv b --csv-faults bf\n"
                "cmp a b && cmp af bf || exit\n"
                "faultsim merge --partial p s1 s3 || exit\n"
                "$g --store p --resume $jobs --csv b --csv-faults bf || exit\n"
                "cmp a b && cmp af bf || exit\n"
                "$f --sp 1 --sample 700 --seed 3 --store k --resume $jobs 2>&1; "
                "cp k l; faultsim compare k l 2>&1; true"),
        0);
    CU_ASSERT_TRUE(tools_says(&said, "k: holds a campaign with other options:"));
    CU_ASSERT_TRUE(tools_says(&said, "k was run with --drop"));
    fl_buf_free(&said);
}

/* ---- detection alone ------------------------------------------------------------------------------------------------- */

/* What a full run says, as detection alone would. */
#define WAYS                                                                                       \
                                                                                                   \
    "f=\"faultsim gate --netlists $n --quiet\"\n" TWO                                              \
    "is() { grep -v '^#' $1 | awk -F, 'NR>1{print $1, $2, $4, $5}'; }\n"

static void detection_alone_detects_what_full_runs_detect(void)
{
    struct fl_buf said = {0};
    lane_gates_put_reads(dir, LANE_GATES_BUSY, 40);
    CU_ASSERT_EQUAL(
        run(&said, WAYS
            "for u in alu_cvt alu_int; do for j in reads.job.xml \"$jobs\"; do\n"
            "c=\"$f --unit $u --sp 1 --sample 200 $j\"\n"
            "$c --csv-faults full && $c --detect --csv-faults quick --xml quick.xml || exit\n"
            "is full >a; is quick | cmp - a || exit\n"
            "cat quick >>all; done; done\n"
            "grep -v '^#' all | cut -d, -f3 | grep -c 'sdc\\|crash\\|hang\\|timeout'\n"
            "for by in output:r0 output:edges trap:; do cut -d, -f7 all | grep -q ^$by || exit; "
            "done; echo all ways"),
        0);
    CU_ASSERT_TRUE(tools_says(&said, "0\nall ways\n"));
    fl_buf_free(&said);
    check_xml("quick.xml");
}

static void each_rung_of_the_ladder_can_be_left_out_without_a_change(void)
{
    struct fl_buf said = {0};
    lane_gates_put_reads(dir, LANE_GATES_BUSY, 40);
    CU_ASSERT_EQUAL(run(&said, "c=\"$f --sp 1 --sample 40 reads.job.xml --csv-faults\"\n"
                               "$c a || exit\n"
                               "for rung in record follow,sm checkpoint record,checkpoint; do\n"
                               "$c b --skip-rung $rung && cmp a b && echo $rung; done"),
                    0);
    CU_ASSERT_STRING_EQUAL((const char *)said.data,
                           "record\nfollow,sm\ncheckpoint\nrecord,checkpoint\n");
    fl_buf_free(&said);
}

static void detection_alone_is_the_same_by_brute_force_and_with_drop(void)
{
    struct fl_buf said = {0};
    lane_gates_put_reads(dir, LANE_GATES_BUSY, 40);
    CU_ASSERT_EQUAL(run(&said,
                        WAYS "c=\"$f --unit alu_cvt --sp 1 --sample 60 --detect\"\n"
                             "$c reads.job.xml --csv-faults a || exit\n"
                             "$c reads.job.xml --exhaustive --csv-faults b && cmp a b || exit\n"
                             "$c $jobs --csv-faults a && $c $jobs --drop --csv-faults b || exit\n"
                             "det a >x; det b | cmp - x && grep -c dropped b"),
                    0);
    CU_ASSERT(atoi((const char *)said.data) > 3);
    fl_buf_free(&said);
}

/* ---- the matrix ------------------------------------------------------------------------------------------------------ */

static void a_matrix_has_what_each_job_detects_and_weighs_by_the_draw(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(run(&said,
                        TWO "$f $few $jobs --csv-faults af --matrix m || exit\n"
                            "for j in sort fft edge; do grep \"^$j,\" af | awk -F, "
                            "'$4==\"detected\"{print $2, $3}' "
                            ">$j.a; done\n"
                            "k=4; for j in sort fft edge; do k=$((k + 1)); awk -F, -v k=$k "
                            "'/^gate/&&$k{print $1, $k}' "
                            "m | cmp - $j.a || exit; done\n"
                            "grep -v '^#' m | head -n 2; grep -c '^gate/.*,alu_cvt.sp1,8804,' m\n"
                            "grep -c ',detected,' m >x; det af | wc -l | cmp - x || exit\n"
                            "for j in $jobs; do cp $j ${j%.job.xml}.cubin .; done\n"
                            "sbstgen --compact m -o . >told 2>&1 && grep -i 'of "
                            "8804\\|8,804\\|8804' told | head -n 1\n"
                            "$f $few $jobs --drop --matrix n 2>&1; true"),
                    0);
    CU_ASSERT_TRUE(
        tools_says(&said, "fault,class,draw,drawn_of,sort,fft,edge\n@matrix,2,,,,,\n150\n"));
    CU_ASSERT_TRUE(tools_says(&said, "8804"));
    CU_ASSERT_TRUE(tools_says(&said, "leave --drop"));
    fl_buf_free(&said);
}

static void the_matrix_of_shards_that_are_joined_is_that_of_one_run(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        run(&said, "gatesim faults $n/alu_cvt.blif | grep -v '#' | head -n 300 | cut -d' ' -f1 "
                   "| sed 's,^,gate/alu_cvt.sp1/,' >list\n"
                   "c=\"$f --faults list $jobs\"\n"
                   "$c --matrix a && $c --shard 1/2 --store t1 && $c --shard 2/2 --store t2 && "
                   "faultsim merge t t1 t2 && $c --store t --resume --matrix b && cmp a b &&\n"
                   "grep -c '^gate/[^,]*,[^,]*,,,' a"),
        0);
    CU_ASSERT_TRUE(tools_says(&said, "300\n"));
    fl_buf_free(&said);
}

/* ---- the dictionary -------------------------------------------------------------------------------------------------- */

static void a_dictionary_names_the_gates_that_leave_what_a_job_left(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        run(&said,
            "for u in alu_cvt alu_int; do gatesim faults $n/$u.blif | grep -v '#' | cut -d' ' -f1 "
            "| "
            "awk -v u=$u 'NR%300==1{print \"gate/\" u \".sp2/\" $1}'; done >list\n"
            "c=\"faultsim dictionary --unit alu_cvt,alu_int --netlists $n --faults list\"\n"
            "$c $jobs --csv d --xml d.xml >told || exit\n"
            "faultsim gate --unit alu_cvt,alu_int --netlists $n --faults list $jobs --quiet "
            "--csv-faults a || exit\n"
            /* what is detected is there, and nothing else */
            "grep -v '^#' a | awk -F, '$4==\"detected\"{print $1, $2}' | sort >x\n"
            "grep -v '^#' d | awk -F, 'NR>1&&$4{print $4, $3}' | sort | cmp - x || exit\n"
            "grep -v '^#' a | awk -F, '$3==\"crash\"{print $1, $2, $7}' | sort >x\n"
            "grep -v '^#' d | awk -F, '$5==\"trap\"{print $4, $3, $7}' | sort | cmp - x || exit\n"
            /* it reads itself, and finds a fault by what the job left */
            "faultsim dictionary --from d.xml --csv e --quiet && cmp d e || exit\n"
            "set -- $(grep -v '^#' d | awk -F, '$5==\"outputs\"{print $3, $4, $6; exit}')\n"
            "faultsim dictionary --from d.xml --quiet --lookup $2:$(echo $3 | cut -c1-14) "
            "| grep -c $1\n"
            "grep -c 'known' told; grep -c '<resolution of=\"alu_int.sp2\"' d.xml"),
        0);
    CU_ASSERT_TRUE(tools_says(&said, "1\n1\n1\n"));
    fl_buf_free(&said);
}

/* ---- programs with their hosts ------------------------------------------------------------------------------------- */

#define SELFTEST                                                                                   \
    "sbstgen --library lib --profile tiny --test-cycles 4000 --quiet && cd lib && cc "             \
    "-I " FAULTLINE_BUILD_DIR                                                                      \
    "/include/faultline runner.c library.c -o selftest -L " FAULTLINE_BUILD_DIR                    \
    "/lib/faultline -Wl,-rpath," FAULTLINE_BUILD_DIR                                               \
    "/lib/faultline -lcuda && export FAULTLINE_PROFILE=tiny\n"                                     \
    "draw() { faultsim gate --unit alu_int,alu_cvt --netlists $n --sp 3 --seed 2 --quiet "         \
    "--csv-faults - \"$@\" | grep -v '^#'; }\n"                                                    \
    "host='--time-limit 100 --return-errors --exit 1=detected'\n"

/* By its job, by its host program, and by a run of that for every fault. */
static void a_host_program_reports_the_gates_that_a_campaign_of_its_job_detects(void)
{
    struct fl_buf said = {0};
    CU_ASSERT_EQUAL(
        run(&said, SELFTEST
            "draw --sample 20 mask.job.xml | cut -d, -f2,4 >job &&\n"
            "draw --sample 20 $host -- ./selftest --test mask >fast &&\n"
            "draw --sample 20 $host --exhaustive -- ./selftest --test mask >slow &&\n"
            "cut -d, -f2,4 fast | cmp - job && cmp fast slow && grep -c ,detected, fast >n\n"
            "draw --sample 3 *.job.xml | grep ,detected, | cut -d, -f2 | sort -u >any\n"
            "draw --sample 3 $host -- ./selftest | grep ,detected, | cut -d, -f2 | "
            "sort | cmp - any && grep -c gate/ any >n && echo alike"),
        0);
    CU_ASSERT_TRUE(tools_says(&said, "alike"));
    fl_buf_free(&said);
}

static void programs_take_stuck_at_faults_of_a_lane_alone(void)
{
    struct fl_buf said = {0};
    run(&said, "faultsim gate --unit flow --netlists $n -- ./p 2>&1; faultsim gate --unit alu_int "
               "--drop --netlists $n -- ./p 2>&1");
    CU_ASSERT_TRUE(tools_says(&said, "gates of the control run in the RTL, and programs on engine "
                                     "c: record the program"));
    CU_ASSERT_TRUE(tools_says(&said, "a program is judged with stuck-at faults of a lane"));
    fl_buf_free(&said);
    run(&said, SELFTEST "p=\"./selftest --test mask\"\n"
                        "FAULTLINE_FAULT=gate/alu_int.sp3/n120:sa0 $p 2>&1\n"
                        "export FAULTLINE_NETLISTS=$n\n"
                        "FAULTLINE_FAULT=gate/alu_int.sp9/n120:sa0 $p 2>&1\n"
                        "FAULTLINE_FAULT=gate/alu_int.sp1/none:sa0 $p 2>&1\n"
                        "FAULTLINE_FAULT=gate/flow/n1:sa0 $p 2>&1");
    CU_ASSERT_TRUE(tools_says(&said, "needs the netlist of the unit: set FAULTLINE_NETLISTS"));
    CU_ASSERT_TRUE(tools_says(&said, "the machine has SPs 0 to 7"));
    CU_ASSERT_TRUE(tools_says(&said, "none"));
    CU_ASSERT_TRUE(tools_says(&said, "flow"));
    fl_buf_free(&said);
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN(
        "campaigns of gates", CHECK(faults_with_exact_rules_end_as_the_gates_do),
        CHECK(the_table_of_an_error_model_counts_faults_that_change_one_bit),
        CHECK(error_models_of_another_origin_or_cut_short_are_refused),
        CHECK(a_list_of_all_faults_is_the_campaign_of_all),
        CHECK(a_fault_stands_for_its_class_and_without_an_sp_for_those_of_all_sps),
        CHECK(faults_of_a_netlist_have_no_table_of_fields),
        CHECK(lists_with_faults_that_are_not_there_are_refused_by_line),
        CHECK(a_list_of_one_sp_needs_no_other_and_refuses_others),
        CHECK(a_store_goes_on_with_its_list_however_it_is_written_and_with_no_other),
        CHECK(dropping_detects_the_same_faults_in_all),
        CHECK(the_shares_of_jobs_that_drop_add_up_to_the_union),
        CHECK(threads_shards_and_kills_change_nothing_of_what_is_dropped),
        CHECK(detection_alone_detects_what_full_runs_detect),
        CHECK(each_rung_of_the_ladder_can_be_left_out_without_a_change),
        CHECK(detection_alone_is_the_same_by_brute_force_and_with_drop),
        CHECK(a_matrix_has_what_each_job_detects_and_weighs_by_the_draw),
        CHECK(the_matrix_of_shards_that_are_joined_is_that_of_one_run),
        CHECK(a_dictionary_names_the_gates_that_leave_what_a_job_left),
        CHECK(a_host_program_reports_the_gates_that_a_campaign_of_its_job_detects),
        CHECK(programs_take_stuck_at_faults_of_a_lane_alone));
    tools_remove(dir);
    return status;
}
