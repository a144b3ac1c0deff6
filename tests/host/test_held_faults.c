/* test_held_faults.c -- permanent and intermittent faults in programs whose host runs again: in all launches and machines of the process,
 * with the host's reaction.
 */
#include "tests/lib/check.h"

#include "tests/lib/folder.h"

/* A self-test of three launches, which goes on after an error with a device that is reset: status 1, a wrong result; 2, an error; 3, both.
 * It never decides by what it reads what to launch. */
static void build_thrice(void)
{
    put("thrice.cu",
        "#include <stdio.h>\n__global__ void k(int *p)\n{\n    __shared__ int s[32];\n"
        "    s[threadIdx.x] = p[threadIdx.x];\n    __syncthreads();\n    if (threadIdx.x & 1)\n"
        "        p[threadIdx.x] = 3 * s[31 - threadIdx.x] + 1;\n    else\n"
        "        p[threadIdx.x] += 7;\n}\nint main()\n{\n    int h[32], *p, bad = 0;\n"
        "    for (int turn = 0; turn < 3; turn++) {\n"
        "        for (int i = 0; i < 32; i++)\n            h[i] = i + turn;\n"
        "        cudaMalloc(&p, sizeof h);\n"
        "        cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);\n        k<<<1, 32>>>(p);\n"
        "        cudaError_t e = cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);\n"
        "        if (e) {\n            printf(\"turn %d: %s\\n\", turn, cudaGetErrorString(e));\n"
        "            cudaDeviceReset();\n            bad |= 2;\n            continue;\n        }\n"
        "        for (int i = 0; i < 32; i++)\n"
        "            bad |= h[i] != (i & 1 ? 3 * (31 - i + turn) + 1 : i + turn + 7);\n    }\n"
        "    return bad;\n}\n");
    expect("test -x thrice || smcc --exe thrice.cu -o thrice; ls", 0, "thrice.cu");
}

/* All fault-free records, and a run of the program for each fault. `has` is an outcome that some fault must have. */
static void brute_force_agrees(const char *faults, const char *options, const char *has)
{
    char line[800];
    snprintf(line, sizeof line,
             "for x in '' --exhaustive; do faultsim %s $x %s --quiet --csv-faults - -- ./thrice | "
             "grep -v '^#' >f$x.csv || exit; done; cmp f.csv f--exhaustive.csv && grep -c ,%s, "
             "f.csv >n && grep -c masked f.csv && echo alike",
             faults, options, has);
    expect(line, 0, "alike");
}

static void every_held_fault_ends_as_the_program_with_it(void)
{
    build_thrice();
    put("memories",
        "shared/p8-9/b0:*\npc/w0/b3:cfid*\nshared/p9:af0\nshared/p12:afw\nrf/p3/b1:*\n");
    brute_force_agrees("stuck-at --target pc,mask,cc,rf,sched --sample 8", "", "exit");
    brute_force_agrees("stuck-at --target pc,mask --sample 15",
                       "--return-errors --exit 1=detected --exit 2=detected --exit 3=detected",
                       "detected");
    brute_force_agrees("memory --faults memories", "--exit 1=sdc", "sdc");
    brute_force_agrees("intermittent --target pc,shared --active-only --sample 10 --hold 2500", "",
                       "exit");
    brute_force_agrees("stuck-at --profile tiny-chip --target pc,mask --sample 6", "", "exit");
}

/* Its host launches the same whatever it reads, so its recorded job is all that a fault can reach. */
static void a_host_that_does_not_react_ends_as_its_recorded_job(void)
{
    static const char *const faults[] = {
        "stuck-at --target all --sample 4", "memory --faults memories",
        "intermittent --target pc,shared,mask --active-only --sample 15 --hold 2500"};
    build_thrice();
    expect("rm -rf run && smrun --record run -- ./thrice", 0, "3 launches");
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char line[700];
        snprintf(line, sizeof line,
                 "take() { faultsim %s --quiet --csv-faults - \"$@\" | grep -v '^#' | grep -o "
                 "'.*:[a-z0-9]*,[a-z]*'; }; take run/job.xml >recorded && take --exhaustive "
                 "--exit 1=sdc -- ./thrice >live; cmp recorded live && "
                 "grep -c sdc live >n && echo alike",
                 faults[i]);
        expect(line, 0, "alike");
    }
}

static void the_fault_is_in_each_machine_of_the_process(void)
{
    build_thrice();
    expect("export FAULTLINE_FAULT=pc/w0/b20:sa1; ./thrice 2>said; test $? = 2 && grep -c trapped "
           "said",
           0, "3\n");
    expect("FAULTLINE_FAULT=pc/w0/b20@100-200:sa1 ./thrice 2>&1 | grep -c trapped", 0, "1\n");
    expect("FAULTLINE_FAULT=rf/p517/b12 ./thrice 2>&1", 2, "faults; name one");
}

/* Else the run ends there. */
static void errors_of_launches_are_returned_to_the_program_that_wants_them(void)
{
    build_thrice();
    put("traps", "pc/w0/b20:sa1\n");
    expect("faultsim stuck-at --faults traps --quiet --csv-faults - -- ./thrice", 0,
           "thrice,pc/w0/b20:sa1,crash,detected,");
    expect("faultsim stuck-at --faults traps --quiet --csv-faults - --return-errors --exit "
           "2=detected -- ./thrice",
           0, "thrice,pc/w0/b20:sa1,detected,detected,");
    expect("faultsim stuck-at --faults traps --quiet --csv - --return-errors --exit 2=masked -- "
           "./thrice",
           0, " return-errors");
    expect("faultsim transient --target pc --sample 40 --quiet --csv-faults - --return-errors "
           "--exit 2=detected -- ./thrice | grep -c ,detected,",
           0, "");
    expect("FAULTLINE_CYCLES=100 FAULTLINE_RETURN_ERRORS=1 ./thrice 2>&1", 2,
           "never ends: it runs for more than twice the cycles of the whole fault-free run");
}

#define STORED "faultsim stuck-at --target pc,mask --sample 12 --exit 1=sdc --quiet "

static void a_campaign_goes_on_after_it_was_killed_and_is_joined_from_shards(void)
{
    build_thrice();
    expect("rm -f *.db; " STORED "--csv-faults all.csv -- ./thrice; " STORED
           "--store k.db --threads 1 -- ./thrice & p=$!; sleep 0.6; kill -9 $p; wait $p; " STORED
           "--store k.db $(test -e k.db && echo --resume) --csv-faults k.csv -- ./thrice && cmp "
           "all.csv k.csv && echo alike",
           0, "alike");
    expect("for i in 1 2; do " STORED "--store s$i.db --shard $i/2 -- ./thrice || exit; done; "
           "faultsim merge s.db s1.db s2.db && faultsim report --quiet --csv-faults s.csv s.db && "
           "cmp all.csv s.csv && echo alike",
           0, "alike");
    expect(STORED "--store s.db --resume --return-errors -- ./thrice", 1, "s.db");
    expect("faultsim report --quiet --xml s.xml --html s.html s.db && xmllint --noout "
           "--relaxng " FAULTLINE_SOURCE_DIR "/docs/report.rng s.xml 2>&1",
           0, "validates");
}

static void what_no_program_can_have_is_refused(void)
{
    static const char *const lines[][2] = {
        {"gate --unit flow -- ./thrice", "programs on engine c: record the program"},
        {"prove -- ./thrice", "faultsim prove takes no program"},
        {"stuck-at --fault pc/w0/b1:sa1 -- ./thrice", "smrun --record"},
        {"stuck-at --engine rtl -- ./thrice", "programs run on engine c"},
        {"stuck-at job.xml -- ./thrice", "name jobs, or a program after --"},
        {"stuck-at --return-errors job.xml", "are about a program"},
        {"intermittent -- ./thrice", "intermittent faults are sampled"}};
    build_thrice();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[200];
        snprintf(line, sizeof line, "faultsim %s", lines[i][0]);
        expect(line, 2, lines[i][1]);
    }
    expect("faultsim stuck-at ./thrice", 1,
           "is a program, and no job.xml: write -- ./PROGRAM for a");
    expect("faultsim memory --target const --sample 3 -- ./thrice", 1,
           "the host writes constants between launches");
}

int main(void)
{
    dir = tools_folder();
    needs_clang = true;
    int status = CHECK_RUN("held faults", CHECK(every_held_fault_ends_as_the_program_with_it),
                           CHECK(a_host_that_does_not_react_ends_as_its_recorded_job),
                           CHECK(the_fault_is_in_each_machine_of_the_process),
                           CHECK(errors_of_launches_are_returned_to_the_program_that_wants_them),
                           CHECK(a_campaign_goes_on_after_it_was_killed_and_is_joined_from_shards),
                           CHECK(what_no_program_can_have_is_refused));
    tools_remove(dir);
    return status;
}
