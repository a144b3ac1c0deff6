/* test_library.c -- self-test libraries: what sbstgen --library writes, and the host program that runs it. */
#include "tests/lib/check.h"
#include "tests/lib/folder.h"

#define COMPILE                                                                                    \
    "cc -std=c99 -Wall -Wextra -Werror -I " FAULTLINE_BUILD_DIR "/include/faultline runner.c "     \
    "library.c -o selftest -L " FAULTLINE_BUILD_DIR                                                \
    "/lib/faultline -Wl,-rpath," FAULTLINE_BUILD_DIR "/lib/faultline -lcuda && "

static void the_tests_are_right_on_their_machine_alone(void)
{
    expect("sbstgen --library lib --profile tiny", 0, "lib: 49 tests, ");
    expect("cd lib && " COMPILE "./selftest", 0, "0 of 49 tests failed on Faultline tiny");
    expect(
        "cd lib && FAULTLINE_PROFILE=g80 ./selftest 2>&1", 3,
        "not the machine of the library: this is Faultline g80, and the library is for Faultline "
        "tiny");
}

/* The small library is for the tests below that run its host for many faults. */
static void a_budget_limits_the_tests(void)
{
    expect("cp -r lib small && mkdir -p small/.sbstgen-killed/rf/.sbstgen-too && sbstgen --library "
           "small --profile tiny --test-cycles 20000 "
           "--max-cycles 11000 | head -1 | "
           "grep -o ' [0-9]* cycles' | awk '{ print $1 <= 20000 ? \"fits\" : \"no\" }'",
           0, "fits");
    expect("cd small && " COMPILE "./selftest", 0, "0 of 13 tests failed");
}

static void a_library_of_another_compute_capability_says_which(void)
{
    expect("sbstgen --library g92 --profile g92 --test-cycles 5000 --quiet && cd g92 && " COMPILE
           "grep -o 'capability=\"1.1\"' library.xml && FAULTLINE_PROFILE=g92 ./selftest | tail -1",
           0, "capability=\"1.1\"\n0 of ");
    expect("cd g92 && FAULTLINE_PROFILE=gt215 ./selftest 2>&1", 3,
           "not the machine of the library");
}

static void a_campaign_judges_the_tests_of_the_library(void)
{
    expect("cd lib && for f in *.job.xml; do smrun $f --expect >said || cat said; done && "
           "grep -c library.cubin pc.job.xml",
           0, "1");
    expect("faultsim stuck-at --target pc --sample 20 --quiet --csv - lib/pc.job.xml", 0, ",pc,");
}

static void the_same_options_give_the_same_bytes(void)
{
    expect("sbstgen --library again --profile tiny --quiet && rm -f lib/selftest lib/said && "
           "diff -r lib again && echo same",
           0, "same");
    expect("xmllint --noout --relaxng " FAULTLINE_SOURCE_DIR
           "/docs/library.rng lib/library.xml 2>&1",
           0, "validates");
}

static void what_was_changed_or_cut_short_is_refused_by_name(void)
{
    expect("sbstgen verify small/library.xml", 0, "as sbstgen wrote it, 13 tests");
    expect("cp -r small bad && sed -i '0,/limit=\"[0-9]*/s//&0/' bad/library.xml && "
           "sbstgen verify bad/library.xml 2>&1",
           1, "bad/library.xml: has been changed since sbstgen wrote it");
    expect("head -c 5000 small/library.xml >bad/library.xml && sbstgen verify bad/library.xml 2>&1",
           1, "bad/library.xml:");
    expect("cp small/library.xml bad && truncate -s -4 bad/library.cubin && "
           "sbstgen verify bad/library.xml 2>&1",
           1, "bad/library.cubin: is not the file that bad/library.xml names");
    expect("cp small/library.cubin bad && echo >>bad/pc.job.xml && "
           "sbstgen verify bad/library.xml 2>&1",
           1, "bad/pc.job.xml: is not the file");
    for (int i = 0; i < 3; i++) {
        static const char *const name[] = {"library.c", "library.h", "runner.c"};
        char line[200], says[100];
        snprintf(
            line, sizeof line,
            "rm -rf bad && cp -r small bad && echo >>bad/%s && sbstgen verify bad/library.xml 2>&1",
            name[i]);
        snprintf(says, sizeof says, "bad/%s: is not the file that bad/library.xml names", name[i]);
        expect(line, 1, says);
    }
    expect("rm bad/runner.c && sbstgen verify bad/library.xml 2>&1", 1, "bad/runner.c: ");
    expect("sbstgen verify none/library.xml 2>&1", 1, "none/library.xml: ");
}

/* With the digest made again: only what the manifest says is wrong. */
static void another_machine_or_version_is_refused_by_name(void)
{
    expect("rm -rf bad && cp -r small bad && cat >seal <<'E'\n"
           "s=$(sed 's/ sha256=\"[0-9a-f]*\"/ sha256=\"" /* 64 zeros */
           "0000000000000000000000000000000000000000000000000000000000000000\"/' bad/library.xml "
           "| tee zeros | sha256sum | cut -c1-64)\n"
           "sed \"0,/ sha256=\\\"0*/s// sha256=\\\"$s/\" zeros >bad/library.xml\nE\n"
           "sed -i 's/sps=\"8\"/sps=\"16\"/' bad/library.xml && sh seal && "
           "sbstgen verify bad/library.xml 2>&1",
           1, "with sps=\"16\", and profile tiny has 8: another machine");
    expect(
        "cp small/library.xml bad && sed -i 's/results=\"[^\"]*/results=\"0.0/' bad/library.xml && "
        "sh seal && sbstgen verify bad/library.xml 2>&1",
        1, "the library is of results 0.0");
    expect("cp small/library.xml bad && sed -i 's/profile=\"tiny\"/profile=\"none\"/' "
           "bad/library.xml && "
           "sh seal && sbstgen verify bad/library.xml 2>&1",
           1, "bad/library.xml:3: ");
}

static void a_wrong_word_is_reported_with_test_SM_and_part(void)
{
    expect("rm -rf bad && cp -r small bad && cd bad && "
           "sed -i '/\"out1\", 0, 0, [0-9]*, 0, 0x11, 0/s/0x11/0x12/' library.c && " COMPILE
           "./selftest",
           1, "tstate                   FAILED, SM 0, part tstate: ");
    expect("cd bad && ./selftest --test tstate", 1, "out1[0]: 00000011, expected 00000012");
    expect("cd bad && ./selftest", 1, "1 of 13 tests failed");
    expect("cd bad && ./selftest --test mask", 0, "0 of 1 tests failed");
    expect("cd bad && sed -i 's/^    127,69,/    127,68,/' library.c && " COMPILE "./selftest 2>&1",
           4, "the cubin of the library is damaged");
}

static void after_a_trap_the_next_test_has_a_new_context(void)
{
    expect("cd small && FAULTLINE_FAULT=pc/w0/b20@100:flip ./selftest 2>&1 | tee said", 0,
           "FAILED, SM 0, part");
    expect("grep tests small/said", 0, "1 of 13 tests failed");
}

static void the_host_program_reports_the_faults_that_the_campaign_detects(void)
{
    expect("cd lib && " COMPILE
           "take() { faultsim stuck-at --target pc,mask --sample 10 --quiet --csv-faults - \"$@\" "
           "| grep -v '^#' | cut -d, -f2,4; }; take pc.job.xml >recorded && "
           "take --time-limit 100 --return-errors --exit 1=detected -- ./selftest --test pc "
           ">reported && cmp "
           "recorded reported && grep -c ,detected reported",
           0, "16\n");
}

/* A test is one context, so a window of cycles is that of its job. */
static void the_host_program_reports_memory_and_intermittent_faults_that_the_campaign_detects(void)
{
    expect("cat >held <<'E'\n"
           "take() { faultsim $1 --quiet --csv-faults - \"${@:2}\" | grep -v '^#' | awk -F, "
           "'{ at = $2 ~ /:/ ? 2 : 3; o = $(at + 1) } NR > 1 { print $at, o == \"masked\" || o == "
           "\"performance\" ? \"masked\" : \"detected\" }'; }\n"
           "for how in 'memory --faults memories' 'intermittent --target pc --active-only --sample "
           "16 --seed 5 --hold 300'; do\n"
           "take \"$how\" lib/sched.job.xml >recorded && take \"$how\" --time-limit 100 "
           "--return-errors --exit 1=detected -- lib/selftest --test sched >reported && diff "
           "recorded reported && grep -q detected reported && grep -q masked reported || exit 1\n"
           "done; echo same\nE\n"
           "printf 'pc/w0/b3:cfid*\\nshared/p9:af0\\nrf/p3/b1:*\\n' >memories && bash held",
           0, "same");
}

/* Textures, c0[] and addresses that the host chooses: machine and job are the same machine. Memory up to such an address costs
 * a sanitizer seconds, so there the caches alone have it. */
static void tests_with_textures_constants_and_placed_buffers_are_their_jobs_under_faults(void)
{
    expect("cat >same <<'E'\n"
           "take() { faultsim stuck-at --target $2 --sample 3 --seed 3 --quiet --csv-faults - "
           "\"${@:3}\" | grep -v '^#' | cut -d, -f2,4 | sort; }\n"
           "cd $1 && shift && for t in $2; do take . $1 $t.job.xml >recorded && take . $1 "
           "--time-limit 100 --return-errors --exit 1=detected -- ./selftest --test $t >reported "
           "|| exit 1\n"
           "cmp recorded reported && grep -q ,detected reported && grep -q ,not reported || exit "
           "1; done; echo same\nE\n"
           "echo written",
           0, "written");
    expect(SANITIZED ? "bash same lib pc,rf,areg 'gates-coordinates-s1 gates-constants-s1'"
                     : "bash same lib pc,rf,areg 'gates-coordinates-s1 gates-constants-s1 "
                       "gates-addresses-s1'",
           0, "same");
    expect("sbstgen --library caches --profile tiny-chip-caches && cd caches && " COMPILE
           "FAULTLINE_PROFILE=tiny-chip-caches ./selftest | grep -E 'l1d|l2|tests'",
           0,
           "l1d                      right\nl2                       right\n0 of 15 tests failed");
    expect("FAULTLINE_PROFILE=tiny-chip-caches bash same caches l1d,l1d_data,l2,l2_data l1d", 0,
           "same");
}

/* Faults by structure: of the campaign, its report, its matrix and the evidence. Of a sample they are those it is drawn from. */
static void all_exports_of_a_campaign_have_one_universe(void)
{
    static const char *const methods[] = {"--target machine --sample 2",
                                          "--target sched,shared --sample 2",
                                          "--target pc,mask,sched,dsp"};
    expect("cat >universe <<'E'\n"
           "rm -f u.db && faultsim stuck-at $* --quiet --store u.db --csv u.csv --matrix u.matrix "
           "lib/pc.job.xml lib/mask.job.xml && faultsim report --quiet --csv again.csv u.db && "
           "cmp u.csv again.csv && faultsim report --evidence u --quiet u.db || exit 1\n"
           "sed 's/\"[^\"]*\"/all/' u.csv | awk -F, '/^union,/ && $2 != \"all\" "
           "{ print $2, $17 ? $17 - $18 : $5 - $6 }' | sort >campaign\n"
           "awk -F, '/^#/ || /^@/ || /^fault,/ || $2 ~ /^undetectable/ { next } { s = $1; "
           "sub(/[/].*/, \"\", s); s = s == \"dstack\" ? \"dstack/w*\" : s; n[s] = $4 ? $4 : "
           "n[s] + 1 } END { for (s in n) print s, n[s] }' u.matrix | sort >matrix\n"
           "awk -F, '!/^#/ && $2 == \"stuck-at\" { print $1, $5 - $6 - $7 }' u/parts.csv | sort "
           ">evidence\n"
           "cmp campaign matrix && cmp campaign evidence && wc -l <campaign\nE\n"
           "echo written",
           0, "written");
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        char line[100];
        snprintf(line, sizeof line, "sh universe %s", methods[i]);
        expect(line, 0, "");
    }
    expect("sh universe --target machine --sample 2; grep -cE '^(local|const) ' campaign", 1, "0");
}

/* All tests at once: the union of what the campaign says of their jobs. */
static void the_host_program_of_all_tests_reports_what_any_job_detects(void)
{
    expect(
        "cd small && detected() { faultsim stuck-at --target pc,mask,rf,tstate,dsp,sched --sample "
        "4 --seed 7 --quiet --csv-faults - \"$@\" | grep ',detected,' | cut -d, -f2 | sort -u; }; "
        "detected *.job.xml >recorded && detected --time-limit 100 --return-errors --exit "
        "1=detected -- "
        "./selftest >reported && cmp recorded reported && wc -l <reported",
        0, "2");
}

static void evidence_of_the_host_program_has_the_cycles_of_all_its_contexts(void)
{
    expect("cd small && faultsim stuck-at --target sched --sample 4 --quiet --time-limit 100 "
           "--return-errors --exit 1=detected --store ../p.db -- ./selftest && faultsim report "
           "--evidence ../pe --quiet ../p.db && grep '<test ' library.xml | sed 's/.* "
           "cycles=\"//; s/\".*//' | awk '{ n += $1 } END { print n }' >../sum && grep -v '^#' "
           "../pe/tests.csv | tail -1 | cut -d, -f3 | cmp - ../sum && echo equal",
           0, "equal");
}

static void a_dictionary_names_the_faults_that_explain_a_failure(void)
{
    expect(
        "faultsim dictionary --target pc --see end --quiet --csv dictionary.csv lib/pc.job.xml && "
        "cd lib && FAULTLINE_FAULT=pc/w0/b20@100:flip ./selftest --test pc --dictionary "
        "../dictionary.csv 2>&1",
        1, "explained by pc/w0/b");
    expect("sed 's/ cubin=[0-9a-f]/ cubin=x/' dictionary.csv >other.csv && cd lib && "
           "FAULTLINE_FAULT=pc/w0/b20@100:flip ./selftest --test pc --dictionary ../other.csv 2>&1",
           2, "../other.csv: is a dictionary of another library");
    expect("head -n -1 dictionary.csv >cut.csv && cd lib && FAULTLINE_FAULT=pc/w0/b20@100:flip "
           "./selftest --test pc --dictionary ../cut.csv 2>&1",
           2, "../cut.csv: is cut short; make it again");
    expect("truncate -s -1 dictionary.csv && cd lib && FAULTLINE_FAULT=pc/w0/b20@100:flip "
           "./selftest --test pc --dictionary ../dictionary.csv 2>&1",
           2, "../dictionary.csv: is cut short");
    expect("cd lib && FAULTLINE_FAULT=pc/w0/b20@100:flip ./selftest --test pc --dictionary "
           "library.xml 2>&1",
           2, "library.xml: is no dictionary");
}

/* Each fault alone: the host's verdict, and the outcome of the job with the same fault. */
static void the_runner_reports_what_a_campaign_says_of_the_job(void)
{
    expect(
        "faultsim transient --target pc,mask,rf --sample 20 --seed 3 --active-only --quiet "
        "--csv-faults flips.csv lib/sched.job.xml && grep -c '^sched,.*,sdc,' flips.csv >many && "
        "grep -c '^sched,.*,crash,' flips.csv >>many && wc -l <many",
        0, "2");
    expect(
        "cd lib && grep '^sched,' ../flips.csv | while IFS=, read -r job target id outcome rest; "
        "do FAULTLINE_FAULT=$id FAULTLINE_CYCLES=2256 ./selftest --test sched >out 2>said; "
        "case $outcome.$? in crash.1|sdc.1|hang.1|timeout.1|masked.0|performance.0) ;; "
        "*) echo $id $outcome ;; esac; done >wrong; test ! -s wrong && "
        "echo none wrong",
        0, "none wrong");
}

static void cycles_are_said_on_request(void)
{
    expect("cd lib && ./selftest --test pc", 0, "pc                       right\n");
    expect(
        "cd lib && grep -o 'test name=\"pc\".* cycles=\"[0-9]*' library.xml | sed 's/.*\"//' "
        ">cycles && ./selftest --test pc --show-cycles | grep -c \"right, $(cat cycles) cycles\"",
        0, "1\n");
}

static void slots_have_the_tests_that_fit_in_order(void)
{
    expect("cd small && ./selftest --slot 1 --cycles 5000", 0, "tests failed");
    expect("cd small && for k in 1 2 3 4 5 6; do ./selftest --slot $k --cycles 5000 2>error; "
           "done | grep -c right",
           0, "13");
    expect("cd lib && ./selftest --slot 1 --cycles 10 2>&1", 2, "a slot is shorter than test ");
    expect("cd lib && ./selftest --test none 2>&1", 2, "no test of that name: none");
}

static void the_SM_of_a_chip_with_the_fault_is_named(void)
{
    expect(
        "sed 's/<blocks>dynamic/<blocks>fixed/; s/<sms>2</<sms>3</' " FAULTLINE_SOURCE_DIR
        "/profiles/tiny-chip.xml >chip.xml && sbstgen --library chip --profile ./chip.xml --quiet "
        "&& cd chip && " COMPILE "FAULTLINE_PROFILE=../chip.xml ./selftest",
        0, "0 of 13 tests failed on Faultline tiny-chip");
    expect("cd chip && FAULTLINE_PROFILE=../chip.xml FAULTLINE_FAULT=sm1/rf/p5/b3@800:flip "
           "./selftest --test rf-c-minus-compare",
           1, "FAILED, SM 1, part rf: wrong words: 1, the first is sm1[5]: ");
}

static void a_memory_that_no_warps_fill_is_left_out_by_name(void)
{
    expect("sbstgen --library titan --profile gpufi-titan-nocache", 0,
           "left out: shared (no number of warps of this machine fills it)");
    expect("grep -c '<left name=\"shared\" part=\"shared\">no number' titan/library.xml && "
           "cd titan && " COMPILE "FAULTLINE_PROFILE=gpufi-titan-nocache ./selftest | tail -1",
           0, "1\n0 of 12 tests failed on Faultline gpufi-titan-nocache");
}

static void random_programs_of_a_library_fetch_from_textures(void)
{
    expect("sdis lib/library.cubin | sed -n '/^.kernel gates_mix_hosted/,/^.kernel local/p' >mix; "
           "grep -q TEX mix && grep -q TLD mix && "
           "grep -c '<texture ' lib/gates-mix-hosted-s1.job.xml",
           0, "32");
}

/* Of each template that must trap one program: a sanitizer takes a minute for all. */
static void tests_that_must_trap_are_judged_by_the_error_of_the_driver(void)
{
    expect("mkdir data && cp -r " FAULTLINE_SOURCE_DIR "/sbst data && ln -s " FAULTLINE_SOURCE_DIR
           "/docs " FAULTLINE_SOURCE_DIR "/profiles data && "
           "sed -i 's/ variants=\"[0-9]*\"//' data/sbst/gates.xml && "
           "FAULTLINE_DATA=$PWD/data sbstgen --library traps --profile tiny --traps",
           0, "left out: gates-unfetched-s1 (the host has no texture reference for its fetches)");
    expect("xmllint --noout --relaxng " FAULTLINE_SOURCE_DIR
           "/docs/library.rng traps/library.xml 2>&1",
           0, "validates");
    expect("grep -o ' error=\"[0-9]*' traps/library.xml | sort -u | wc -l", 0, "6\n");
    expect("cd traps && " COMPILE "./selftest 2>said", 0, "0 of 75 tests failed");
    expect(
        "cd traps && sed -i '/gates_beyond_s1_test/s/718}/716}/; /\"dsp_test1\"/s/, 0},/, 715},/' "
        "library.c && " COMPILE "./selftest --test dsp; ./selftest --test gates-beyond-s1 2>said",
        1,
        "FAILED, SM 0, part dsp: no trap, expected CUDA_ERROR_ILLEGAL_INSTRUCTION\n1 of 1 tests "
        "failed on Faultline tiny\ngates-beyond-s1          FAILED, SM 0, part traps: "
        "trap, CUDA_ERROR_INVALID_PC, expected CUDA_ERROR_MISALIGNED_ADDRESS");
}

static void faults_in_tests_that_must_trap_are_what_their_jobs_say(void)
{
    expect("sbstgen verify traps/library.xml 2>&1", 1, "traps/library.c: is not the file");
    expect("cd traps && sed -i '/gates_beyond_s1_test/s/716}/718}/' library.c && " COMPILE
           "cd .. && bash same traps pc,dsp,mask gates-beyond-s1",
           0, "same");
    expect("cd traps && take() { faultsim stuck-at --target pc,ir,dsp,mask,rf --sample 8 --quiet "
           "--csv-faults - $* gates-[bmt][ei][ysr][ogm]*-s1.job.xml | grep -v '^#'; "
           "} && take >fast && take --exhaustive >slow && cmp fast slow && "
           "grep -c ,sdc,detected, fast >n && grep -c ,masked, fast",
           0, "");
    expect("cd traps && faultsim dictionary --target pc --see end --quiet --csv d.csv "
           "gates-beyond-s1.job.xml && FAULTLINE_FAULT=pc/w0/b24:sa0 FAULTLINE_CYCLES=500 "
           "FAULTLINE_RETURN_ERRORS=1 ./selftest --test gates-beyond-s1 --dictionary d.csv 2>&1",
           1, "explained by pc/w0/b24:sa0");
}

static void an_earlier_library_in_the_folder_leaves_no_test(void)
{
    expect("ls -d small/.sbstgen-*", 2, "");
    expect("ls small/*.job.xml | wc -l >files && grep -c '<test ' small/library.xml | diff - files "
           "&& echo as many",
           0, "as many");
}

/* What a killed run has left stays there: it may be one that is at work. */
static void a_file_system_without_locks_takes_a_library_and_the_runs_of_its_host(void)
{
    expect("echo '#include <errno.h>\nint flock(int f, int o) { (void)f, (void)o; errno = ENOLCK; "
           "return -1; }' >noflock.c && cc -shared -fPIC noflock.c -o noflock.so && cat >without "
           "<<'E'\nASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 "
           "LD_PRELOAD=$PWD/noflock.so timeout 300 \"$@\"\nE\n"
           "mkdir -p plain/.sbstgen-other && sh without sbstgen --library plain --profile "
           "tiny-chip --quiet && sbstgen verify plain/library.xml && ls -d plain/.sbst*",
           0, "as sbstgen wrote it, 13 tests\nplain/.sbstgen-other\n");
    expect("sh without faultsim stuck-at --target mask --sample 2 --quiet --csv - --return-errors "
           "--exit 1=detected --time-limit 100 -- lib/selftest --test mask",
           0, ",mask,");
}

static void an_earlier_library_stays_when_there_is_no_room_for_the_new_one(void)
{
    expect("cp -r plain earlier && rmdir earlier/.sbstgen-other && bash -c 'ulimit -f 40; sbstgen "
           "--library plain --profile tiny-chip-caches' 2>&1",
           1, "library.c: cannot write: File too large");
    expect("diff -r earlier plain && echo as before", 0, "as before");
}

static void a_matrix_decides_the_tests_and_their_order(void)
{
    expect("faultsim stuck-at --target pc,mask --matrix m.csv --quiet lib/pc.job.xml "
           "lib/mask.job.xml lib/sched.job.xml && "
           "sbstgen --library best --profile tiny --matrix m.csv --quiet && "
           "grep -o '<test name=\"[a-z]*' best/library.xml | head -2; "
           "grep 'name=\"sched\"' best/library.xml",
           0, "its faults in the matrix are detected by others");
    expect("sbstgen --library none --profile tiny-chip-caches --matrix m.csv 2>&1", 1,
           "m.csv: its job pc is no test of this library");
}

/* gates-lanes-s1 detects all that mask does, and more. */
static void a_matrix_chooses_no_test_that_takes_longer_than_the_budget(void)
{
    expect("faultsim stuck-at --target pc,mask --matrix m.csv --quiet lib/mask.job.xml "
           "lib/gates-lanes-s1.job.xml && sbstgen --library best --profile tiny --matrix m.csv",
           0, "left out: mask (its faults in the matrix are detected by others)");
    expect("sbstgen --library best --profile tiny --matrix m.csv --max-cycles 20000 && "
           "grep -c '<test name=\"mask\"' best/library.xml",
           0, "left out: gates-lanes-s1 (it takes more cycles than --max-cycles)");
}

#ifdef FAULTLINE_RTL
static void the_tests_are_right_on_the_RTL(void)
{
    expect("cd lib && for t in ir mask pc tstate sched gates-carries-s1; do FAULTLINE_ENGINE=rtl "
           "./selftest --test $t --show-cycles || exit 1; done",
           0, "gates-carries-s1         right, ");
    expect("cd lib && FAULTLINE_ENGINE=rtl FAULTLINE_FAULT=pc/w0/b3:sa1 ./selftest --test pc 2>&1",
           5, "FAULTLINE_ENGINE is rtl, and faults in programs need engine c; unset it");
}
#endif

int main(void)
{
    dir = tools_folder();
    setenv("FAULTLINE_PROFILE", "tiny", 1);
    int status = CHECK_RUN(
        "library", CHECK(the_tests_are_right_on_their_machine_alone),
        CHECK(a_budget_limits_the_tests), CHECK(a_library_of_another_compute_capability_says_which),
        CHECK(a_campaign_judges_the_tests_of_the_library),
        CHECK(the_same_options_give_the_same_bytes),
        CHECK(what_was_changed_or_cut_short_is_refused_by_name),
        CHECK(another_machine_or_version_is_refused_by_name),
        CHECK(a_wrong_word_is_reported_with_test_SM_and_part),
        CHECK(after_a_trap_the_next_test_has_a_new_context),
        CHECK(the_host_program_reports_the_faults_that_the_campaign_detects),
        CHECK(the_host_program_reports_memory_and_intermittent_faults_that_the_campaign_detects),
        CHECK(tests_with_textures_constants_and_placed_buffers_are_their_jobs_under_faults),
        CHECK(all_exports_of_a_campaign_have_one_universe),
        CHECK(the_host_program_of_all_tests_reports_what_any_job_detects),
        CHECK(evidence_of_the_host_program_has_the_cycles_of_all_its_contexts),
        CHECK(a_dictionary_names_the_faults_that_explain_a_failure),
        CHECK(the_runner_reports_what_a_campaign_says_of_the_job),
        CHECK(the_SM_of_a_chip_with_the_fault_is_named),
        CHECK(random_programs_of_a_library_fetch_from_textures),
        CHECK(a_memory_that_no_warps_fill_is_left_out_by_name),
        CHECK(tests_that_must_trap_are_judged_by_the_error_of_the_driver),
        CHECK(faults_in_tests_that_must_trap_are_what_their_jobs_say),
        CHECK(an_earlier_library_in_the_folder_leaves_no_test), CHECK(cycles_are_said_on_request),
        CHECK(slots_have_the_tests_that_fit_in_order),
#ifdef FAULTLINE_RTL
        CHECK(the_tests_are_right_on_the_RTL),
#endif
        CHECK(a_file_system_without_locks_takes_a_library_and_the_runs_of_its_host),
        CHECK(an_earlier_library_stays_when_there_is_no_room_for_the_new_one),
        CHECK(a_matrix_chooses_no_test_that_takes_longer_than_the_budget),
        CHECK(a_matrix_decides_the_tests_and_their_order));
    tools_remove(dir);
    return status;
}
