/* test_program_outcomes.c -- outcomes of programs whose host runs again: exit statuses, which the user explains, and commands that judge
 * outputs.
 */
#include "tests/lib/check.h"

#include "tests/lib/folder.h"

/* Writes its results, and ends with status 3 where its host finds one wrong; `says` the first argument: where it writes them. */
static void build_twice(void)
{
    put("twice.cu",
        "#include <stdio.h>\n#include <string.h>\n"
        "__global__ void k(int *p) { p[threadIdx.x] = 2 * p[threadIdx.x]; }\n"
        "int main(int argc, char **argv)\n{\n    int h[32], *p, bad = 0;\n"
        "    for (int i = 0; i < 32; i++)\n        h[i] = i;\n    cudaMalloc(&p, sizeof h);\n"
        "    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);\n    k<<<1, 32>>>(p);\n"
        "    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);\n"
        "    FILE *f = fopen(\"sums\", \"w\");\n    for (int i = 0; i < 32; i++) {\n"
        "        bad |= h[i] != 2 * i;\n        fprintf(f, \"%d\\n\", h[i]);\n    }\n"
        "    fclose(f);\n    if (argc > 1 && !strcmp(argv[1], \"says\")) puts(bad ? \"wrong\" : "
        "\"right\");\n    return argc > 2 || bad ? 3 : 0;\n}\n");
    expect("test -x twice || smcc --exe twice.cu -o twice; ls", 0, "twice.cu");
}

/* Flips of a loaded value, most of which make a sum wrong. */
#define CAMPAIGN "faultsim transient --target dest/ld --sample 12 --quiet "

static void the_program_of_the_readme_ends_the_same_by_its_record_and_with_its_host(void)
{
    expect("cp " FAULTLINE_SOURCE_DIR
           "/bench/vadd.cu . && smcc --exe vadd.cu -o vadd && smrun --record run -- "
           "./vadd && for x in '--exit 1=sdc -- ./vadd' run/job.xml; do faultsim transient "
           "--target rf --sample 400 --quiet --csv-faults - $x | grep -v '^#' | cut -d, -f1-4; "
           "done >both && head -401 both >host && tail -401 both >record && cmp host record && "
           "grep -c ,sdc host",
           0, "29");
}

static void an_exit_status_that_nobody_explained_is_an_outcome_of_its_own_and_fails(void)
{
    build_twice();
    expect(CAMPAIGN "--csv-faults - -- ./twice", 0, ",exit,");
    expect(CAMPAIGN "--csv-faults - -- ./twice", 0, ",exit 3");
    expect(CAMPAIGN "--csv - -- ./twice | awk -F, '/^job/ { for (i = 1; i <= NF; i++) c[$i] = i } "
                    "/,all,/ { print ($c[\"exit\"] / 12 == $c[\"avf\"] && $c[\"sdc\"] == 0) ? "
                    "\"failures\" : $0 }'",
           0, "failures");
    expect("faultsim transient --target dest/ld --sample 12 -- ./twice", 0,
           "ended with another exit status than without a fault (3): outcome exit, a DUE; --exit");
}

static void an_explained_exit_status_is_what_was_said_of_it(void)
{
    build_twice();
    expect(CAMPAIGN "--csv-faults - --exit 3=sdc -- ./twice", 0, ",sdc,");
    expect(CAMPAIGN "--csv-faults - --exit 3=detected -- ./twice", 0, ",detected,");
    expect(CAMPAIGN "--csv-faults - --exit 3=masked -- ./twice | grep -c ',exit\\|,sdc'", 1, "0");
    expect(CAMPAIGN "--csv-faults - --exit 3=masked --output sums -- ./twice", 0, ",sums+0x");
    expect(CAMPAIGN "--csv-faults - --exit 2=sdc --exit 4=masked -- ./twice", 0, ",exit 3");
}

/* A program that notices an error fails as little as one that has none. */
static void what_the_program_detected_is_no_failure(void)
{
    build_twice();
    expect(CAMPAIGN "--csv - --exit 3=detected -- ./twice | awk -F, '/^job/ { for (i = 1; i <= "
                    "NF; i++) c[$i] = i } /,all,/ { print ($c[\"avf\"] == 0 && $c[\"detected\"] "
                    "== 12) ? \"noticed\" : $0 }'",
           0, "noticed");
}

static void what_explains_no_status_is_refused(void)
{
    static const char *const options[] = {"1=crash", "1",      "256=sdc",
                                          "x=sdc",   "-1=sdc", "1=sdc --exit 1=masked"};
    build_twice();
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        char line[200];
        snprintf(line, sizeof line, CAMPAIGN "--exit %s -- ./twice", options[i]);
        expect(line, 2,
               "give a status from 0 to 255, each once, and sdc, detected or masked, as in "
               "1=detected");
    }
    expect(CAMPAIGN "--exit 0=sdc -- ./twice", 1, "--exit 0: ./twice ends with that status");
    expect(CAMPAIGN "--exit 3=sdc -- ./twice quiet 3", 1, "--exit 3: ./twice ends with that");
    expect(CAMPAIGN "--exit 3=sdc job.xml", 2, "are about a program");
}

static void a_command_judges_outputs_that_nobody_named(void)
{
    build_twice();
    expect(CAMPAIGN "--csv-faults - --exit 3=masked --check-output 'diff -r' -- ./twice", 0,
           ",check 1");
    put("sums_are", "cmp -s $1/sums $2/sums\n");
    expect(CAMPAIGN "--csv-faults - --exit 3=masked --check-output 'sh ./sums_are' -- ./twice "
                    "| grep -c 'sdc,.*check 1'",
           0, "");
    put("says_right", "grep -q right $1.out && grep -q right $2.out\n");
    expect(CAMPAIGN "--csv-faults - --exit 3=masked --check-output 'sh ./says_right' -- ./twice "
                    "says | grep -c 'sdc,.*stdout+0x0'",
           0, "");
}

static void no_table_tells_how_wrong_outputs_are_where_no_word_differs(void)
{
    build_twice();
    expect("faultsim transient --target dest/ld --sample 12 --exit 3=masked --check-output 'diff "
           "-r' -- ./twice >table && grep -c 'check\\|How wrong' table",
           1, "0");
    expect("faultsim transient --target dest/ld --sample 12 --exit 3=sdc -- ./twice | grep -c 'How "
           "wrong'",
           1, "0");
}

static void what_the_command_accepts_is_tolerable(void)
{
    build_twice();
    expect(CAMPAIGN "--csv-faults - --exit 3=masked --output sums --check-output true -- ./twice",
           0, ",tolerable,");
    expect(CAMPAIGN "--csv-faults - --exit 3=masked --check-output true -- ./twice | grep -c "
                    "'sdc\\|tolerable'",
           1, "0");
}

static void a_command_that_cannot_judge_ends_the_campaign(void)
{
    static const char *const commands[][2] = {
        {"false", "it calls the outputs of a run without a fault wrong (status 1)"},
        {"./nowhere", "it ends with status 127"},
        {"kill -11 $$ #", "it ends by signal 11"},
        {"sleep 5 #", "it takes longer than --time-limit"},
    };
    build_twice();
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[300];
        snprintf(line, sizeof line,
                 CAMPAIGN "--time-limit 2 --check-output '%s' -- ./twice 2>&1; test $? = 1",
                 commands[i][0]);
        expect(line, 0, commands[i][1]);
    }
    put("once", "cmp -s $1/sums $2/sums || kill -11 $$\n");
    expect(CAMPAIGN "--exit 3=masked --check-output 'sh ./once' -- ./twice", 1, "status 139");
}

static void the_user_reads_what_the_command_says(void)
{
    build_twice();
    expect(CAMPAIGN "--check-output 'echo no such sum >&2; exit 3 #' -- ./twice", 1,
           "wrong (status 3); it says: no such sum");
    expect(CAMPAIGN "--check-output 'echo sums differ; exit 1 #' -- ./twice", 1,
           "wrong (status 1); it says: sums differ");
}

static void a_command_without_a_word_is_refused(void)
{
    build_twice();
    expect(CAMPAIGN "--check-output '' -- ./twice", 2, "--check-output is empty");
    expect(CAMPAIGN "--check-output ' ' -- ./twice", 2, "--check-output is empty");
}

/* It may sort or remove what it compares, in several threads. */
static void a_command_may_write_into_both_folders(void)
{
    build_twice();
    put("alone", "test -e $1/seen -o -e $2/seen && exit 9\n"
                 "touch $1/seen $2/seen\n"
                 "cmp -s $1/sums $2/sums\nsame=$?\nrm $1/sums $1.out\nexit $same\n");
    expect(CAMPAIGN "--csv-faults - --exit 3=masked --check-output 'sh ./alone' -- ./twice | "
                    "grep -c 'check 1,'",
           0, "12");
}

static void no_process_of_the_command_outlives_its_judgement(void)
{
    build_twice();
    put("stays", "setsid sleep 100 &\necho $! >>pids\nsleep .1\n");
    expect("rm -f pids; " CAMPAIGN
           "--exit 3=masked --check-output 'sh ./stays' -- ./twice; left=0; "
           "for p in $(cat pids); do kill $p && left=$((left + 1)); done 2>/dev/null; echo $(wc "
           "-l <pids) judged, $left left",
           0, "13 judged, 0 left");
}

static void the_folder_of_runs_may_have_a_relative_name(void)
{
    build_twice();
    expect("mkdir -p t; TMPDIR=t " CAMPAIGN "--csv-faults - --exit 3=masked --check-output 'diff "
           "-r' -- ./twice | grep -c 'check 1,'; ls t | wc -l",
           0, "12\n0\n");
}

/* By hand: each of 12 faults fails in one of them alone, so p is 2 / 2^12. */
static void a_comparison_counts_what_the_program_detected_as_no_failure(void)
{
    build_twice();
    expect("rm -f a.db b.db; " CAMPAIGN "--store a.db -- ./twice && " CAMPAIGN
           "--store b.db --exit 3=detected -- ./twice && faultsim compare --quiet --csv - a.db "
           "b.db | awk -F, '/^job_a/ { for (i = 1; i <= NF; i++) c[$i] = i } /McNemar/ { print "
           "$c[\"a_alone\"], $c[\"b_alone\"], $c[\"p\"] * 2048 }'",
           0, "12 0 1\n");
}

static void an_export_states_the_options_that_decided_outcomes(void)
{
    build_twice();
    expect(CAMPAIGN "--csv - --exit 3=detected --exit 4=sdc --no-stdout --ignore-lines '^a b' "
                    "--check-output 'cmp -s $1/sums $2/sums;:' --time-limit 7 -- ./twice",
           0,
           " exit=3=detected,4=sdc check-output=cmp%20-s%20$1/sums%20$2/sums;: no-stdout "
           "ignore-lines=^a%20b time-limit=7");
    expect(CAMPAIGN "--csv - --output sums -- ./twice", 0, " output=sums");
    expect(CAMPAIGN "--csv-faults - --no-stdout --exit 3=sdc -- ./twice", 0, ",sdc,");
}

static void a_store_takes_each_name_of_a_program_and_each_command(void)
{
    build_twice();
    expect("n=$(printf 'tw\\377 ce'); cp twice \"$n\"; rm -f o.db; " CAMPAIGN
           "--store o.db --check-output \"$(printf 'true a,\\377')\" -- \"./$n\" && faultsim "
           "report --quiet --csv - --xml o.xml o.db | grep -o 'check-output=[^ ]*\\|^tw.*,all' && "
           "xmllint --noout o.xml",
           0, "check-output=true%20a%2C%FF\ntw__ce,all\n");
}

static void a_store_goes_on_with_the_same_meaning_of_statuses_and_outputs_alone(void)
{
    build_twice();
    put("judge", "exit 0\n");
    expect("rm -f s.db; " CAMPAIGN "--store s.db --exit 3=detected --check-output 'sh judge' -- "
           "./twice && " CAMPAIGN "--store s.db --resume --exit 3=detected --check-output 'sh "
           "judge' --csv-faults - -- ./twice",
           0, ",detected,");
    expect(CAMPAIGN "--store s.db --resume --exit 3=sdc --check-output 'sh judge' -- ./twice", 1,
           "s.db");
    put("judge", "exit 0 # another one\n");
    expect(CAMPAIGN "--store s.db --resume --exit 3=detected --check-output 'sh judge' -- ./twice",
           1, "s.db");
    put("judge", "exit 0\n");
    expect("mkdir -p in; cp twice in; cd in; rm -f s.db; " CAMPAIGN
           "--store s.db --exit 3=masked --check-output \"sh '../judge'\" -- ./twice && echo '# "
           "another one' >>../judge && " CAMPAIGN "--store s.db --resume --exit 3=masked "
           "--check-output \"sh '../judge'\" -- ./twice",
           1, "holds a campaign with other options");
    expect("faultsim report --csv - s.db | grep -o detected", 0, "detected");
    expect("faultsim report --xml d.xml --html d.html s.db && xmllint --noout "
           "--relaxng " FAULTLINE_SOURCE_DIR "/docs/avf.rng d.xml && grep -c detected d.html",
           0, "");
}

int main(void)
{
    dir = tools_folder();
    needs_clang = true;
    int status = CHECK_RUN(
        "program outcomes",
        CHECK(the_program_of_the_readme_ends_the_same_by_its_record_and_with_its_host),
        CHECK(an_exit_status_that_nobody_explained_is_an_outcome_of_its_own_and_fails),
        CHECK(an_explained_exit_status_is_what_was_said_of_it),
        CHECK(what_the_program_detected_is_no_failure), CHECK(what_explains_no_status_is_refused),
        CHECK(a_command_judges_outputs_that_nobody_named),
        CHECK(no_table_tells_how_wrong_outputs_are_where_no_word_differs),
        CHECK(what_the_command_accepts_is_tolerable),
        CHECK(a_command_that_cannot_judge_ends_the_campaign),
        CHECK(an_export_states_the_options_that_decided_outcomes),
        CHECK(the_user_reads_what_the_command_says), CHECK(a_command_without_a_word_is_refused),
        CHECK(a_command_may_write_into_both_folders),
        CHECK(no_process_of_the_command_outlives_its_judgement),
        CHECK(the_folder_of_runs_may_have_a_relative_name),
        CHECK(a_comparison_counts_what_the_program_detected_as_no_failure),
        CHECK(a_store_takes_each_name_of_a_program_and_each_command),
        CHECK(a_store_goes_on_with_the_same_meaning_of_statuses_and_outputs_alone));
    tools_remove(dir);
    return status;
}
