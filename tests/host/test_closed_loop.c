/* test_closed_loop.c -- faults in programs whose host runs again: what the record of a run decides is what a run of the program with the
 * fault shows, and all the ways in which such a run can end.
 */
#include "tests/lib/check.h"

#include "tests/lib/folder.h"

/* The host launches until nothing is left, as bfs does; `ask` makes it ask how long that took. */
static void build_loop(void)
{
    put("loop.cu",
        "#include <stdio.h>\n__global__ void halve(int *p, bool *more)\n{\n    int i = "
        "16 * blockIdx.x + threadIdx.x;\n"
        "    p[i] /= 2;\n    if (p[i])\n        *more = true;\n}\n"
        "int main(int argc, char **)\n{\n    int h[32], *p, turns = 0;\n    bool more, *d;\n"
        "    cudaEvent_t a, b;\n    float ms = 0;\n    for (int i = 0; i < 32; i++)\n        h[i] "
        "= i;\n"
        "    cudaMalloc(&p, sizeof h);\n    cudaMalloc(&d, 1);\n"
        "    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);\n    cudaEventCreate(&a);\n"
        "    cudaEventCreate(&b);\n    cudaEventRecord(a);\n    do {\n        more = false;\n"
        "        cudaMemcpy(d, &more, 1, cudaMemcpyHostToDevice);\n        halve<<<2, 16>>>(p, "
        "d);\n"
        "        cudaMemcpy(&more, d, 1, cudaMemcpyDeviceToHost);\n        turns++;\n    } while "
        "(more);\n"
        "    cudaEventRecord(b);\n    if (argc > 1)\n        cudaEventElapsedTime(&ms, a, b);\n"
        "    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);\n"
        "    FILE *f = fopen(\"result.txt\", \"w\");\n    fprintf(f, \"%d turns, %.0f cycles\\n\", "
        "turns, "
        "ms * 1350000);\n    fclose(f);\n    printf(\"%d\\n\", h[31]);\n}\n");
    expect("test -x loop || smcc --exe loop.cu -o loop; ls", 0, "loop.cu");
}

/* A host that ends in many ways when the kernel's result is wrong. */
static void build_odd(void)
{
    put("odd.cu",
        "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n"
        "__global__ void k(int *p) { p[threadIdx.x] = 3 * p[threadIdx.x] + 1; }\n"
        "int main(int argc, char **argv)\n{\n    const char *how = argc > 1 ? argv[1] : \"\";\n"
        "    int h[32], *p, bad = 0;\n    for (int i = 0; i < 32; i++)\n        h[i] = i;\n"
        "    cudaMalloc(&p, sizeof h);\n    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);\n"
        "    k<<<1, 32>>>(p);\n    if (!strcmp(how, \"reset\")) {\n        cudaDeviceReset();\n"
        "        cudaMalloc(&p, sizeof h);\n        k<<<1, 32>>>(p);\n    }\n"
        "    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);\n"
        "    for (int i = 0; i < 32; i++)\n        bad += h[i] != 3 * i + 1;\n"
        "    if (!strcmp(how, \"pid\")) printf(\"%d\\n\", getpid());\n"
        "    if (!strcmp(how, \"abort\")) abort();\n"
        "    if (!strcmp(how, \"segv\") && bad) *(volatile int *)8 = 1;\n"
        "    if (!strcmp(how, \"spin\") && bad) for (;;) sleep(1);\n"
        "    if (!strcmp(how, \"spill\") && bad) for (;;) puts(\"spilled for ever and ever\");\n"
        "    if (!strcmp(how, \"child\") && bad && fork() == 0) for (;;) sleep(1);\n"
        "    if (!strcmp(how, \"none\") && bad) return 0;\n"
        "    FILE *f = fopen(\"out.txt\", \"w\");\n    fprintf(f, \"%d wrong\\n\", bad);\n    "
        "fclose(f);\n    return !strcmp(how, \"status\") && bad;\n}\n");
    expect("test -x odd || smcc --exe odd.cu -o odd; ls", 0, "odd.cu");
}

/* A sample, pruned and with a run of the program for every flip. */
static void brute_force_agrees(const char *sample, const char *program)
{
    char line[600];
    snprintf(
        line, sizeof line,
        "for x in '' --exhaustive; do faultsim transient $x %s --quiet --csv-faults - %s | grep -v "
        "'^#' >f$x.csv || exit; done; cmp f.csv f--exhaustive.csv && grep -c sdc f.csv && echo "
        "alike",
        sample, program);
    expect(line, 0, "alike");
}

static void every_flip_ends_as_the_program_with_it(void)
{
    build_loop();
    brute_force_agrees("--target pc,mask,tstate --sample 25", "--output result.txt -- ./loop");
    brute_force_agrees("--target dest --sample 25", "--output result.txt -- ./loop");
}

static void on_a_chip_of_several_sms_too(void)
{
    build_loop();
    brute_force_agrees("--profile tiny-chip --target pc,mask --active-only --sample 12",
                       "--output result.txt -- ./loop");
}

static void a_host_that_asks_the_time_is_run_for_what_the_record_hides(void)
{
    build_loop();
    brute_force_agrees("--target mask,pc --sample 40", "--output result.txt -- ./loop time");
    expect("faultsim transient --target mask --sample 200 --quiet --csv-faults - --output "
           "result.txt -- "
           "./loop time | grep -c performance",
           1, "0");
}

/* The recorded host launches five times, whatever it reads. */
static void what_the_host_reads_decides_what_it_launches(void)
{
    build_loop();
    expect("rm -rf rec && smrun --record rec -- ./loop && "
           "faultsim transient --target mask --sample 300 --quiet --csv-faults open.csv "
           "rec/job.xml && "
           "faultsim transient --target mask --sample 300 --quiet --csv-faults closed.csv --output "
           "result.txt -- ./loop && "
           "grep sdc closed.csv | cut -d, -f3,6 | while IFS=, read id end; do "
           "grep -q \"$id,sdc,.*,$end,\" open.csv || echo otherwise; done",
           0, "otherwise");
    expect("sed -n 's/^loop,mask,\\(.*\\),sdc.*/\\1/p' closed.csv >ids && faultsim transient "
           "--faults ids "
           "--quiet --csv-faults list.csv --output result.txt -- ./loop && cut -d, -f3- list.csv | "
           "grep -c "
           "result.txt+",
           0, "");
}

static void an_exact_campaign_runs_the_program_too(void)
{
    build_loop();
    expect("for x in '' --exhaustive; do faultsim transient $x --target sched --cycles 3000-3010 "
           "--quiet "
           "--csv - --output result.txt -- ./loop | grep -v '^#' | cut -d, -f-9,12-17 >e$x.csv; "
           "done; cmp "
           "e.csv e--exhaustive.csv && echo alike",
           0, "alike");
}

static void a_host_can_end_in_many_ways(void)
{
    static const char *const ways[][2] = {
        {"", "out.txt+0x0,1"},
        {"status", "exit,[0-9,]*exit 1"},
        {"segv", "crash,[0-9,]*SIGSEGV"},
        {"none", "out.txt is missing"},
        {"child", "out.txt+0x0,1"},
        {"spill", "timeout,[0-9]*,,output_limit"},
        {"spin", "timeout,[0-9]*,,time_limit"},
    };
    build_odd();
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char line[400];
        snprintf(
            line, sizeof line,
            "faultsim transient --target dest/ld --sample 4 --quiet --time-limit %s --csv-faults - "
            "--output out.txt -- ./odd %s >way; grep -c '%s' way",
            i == 6 ? "2 --threads 4" : "10", ways[i][0], ways[i][1]);
        expect(line, 0, "");
    }
    expect("faultsim transient --target dest --sample 30 --quiet --csv-faults - --output out.txt "
           "-- ./odd",
           0, "OUT_OF_BOUNDS_GLOBAL");
}

static void what_is_no_judge_is_refused(void)
{
    static const char *const lines[][2] = {
        {"-- ./odd reset", "starts the device 2 times"},
        {"-- ./odd pid",
         "differ in standard output, so no difference would be the fault's; --no-stdout"},
        {"-- ./odd abort", "without a fault it ends by signal 6"},
        {"-- ./nowhere", "./nowhere: it cannot be started: No such file"},
        {"-- odd", "no such program in PATH; did you mean ./odd?"},
        {"-- true", "has launched no kernel; only programs of smcc --exe"},
        {"--output no.txt -- ./odd", "./odd does not write it"},
        {"--output ../x -- ./odd", "name a file in the current folder"},
        {"--output out.txt --output out.txt -- ./odd", "--output out.txt: it is named twice"},
        {"--time-limit 0.001 -- ./odd", "say --time-limit with 5 times as much"},
    };
    build_odd();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[200];
        snprintf(line, sizeof line, "faultsim transient --sample 2 %s", lines[i][0]);
        expect(line, 1, lines[i][1]);
    }
    expect("faultsim transient --sample 2 job.xml -- ./odd", 2, "name jobs, or a program after --");
    expect("faultsim transient --sample 2 --output x job.xml", 2, "are about a program");
    expect("faultsim transient --sample 2 --no-stdout -- ./odd", 2, "leaves nothing to judge");
    expect("faultsim transient --ace -- ./odd", 2, "--ace runs nothing");
    expect("faultsim transient --fault rf/p1/b1@5:flip -- ./odd", 2, "smrun --record");
    expect("faultsim transient --sample 2 --engine rtl -- ./odd", 2, "programs run on engine c");
    expect("faultsim transient --sample 2 --ignore-lines '(' -- ./odd", 1,
           "--ignore-lines '(': Unmatched");
    expect("faultsim transient --sample 3 --quiet --output out.txt --ignore-lines '^[0-9]+$' --csv "
           "- -- ./odd pid",
           0, "rf,c,sample");
    expect("faultsim transient --sample 2 --ignore-lines '' -- ./odd", 1,
           "every line matches that; --no-stdout");
    expect("TMPDIR=/nowhere faultsim transient --sample 2 -- ./odd", 1,
           "TMPDIR names another place");
    expect(
        "faultsim transient --sample 3 --quiet --output out.txt --no-stdout --csv - -- ./odd pid",
        0, "rf,c,sample");
}

static void an_output_through_a_link_out_of_the_folder_is_refused(void)
{
    build_odd();
    expect("mkdir -p mine work && echo kept >mine/out.txt && cp odd work && cd work && ln -sfn "
           "$PWD/../mine res && faultsim transient --sample 2 --output res/out.txt -- ./odd",
           1, "a link leads out of the current folder");
    expect("cat mine/out.txt", 0, "kept");
    expect("cd work && ln -sfn $PWD/../mine/out.txt out.txt && faultsim transient --sample 2 "
           "--quiet --output out.txt --csv - -- ./odd && rm out.txt && cat ../mine/out.txt",
           0, "kept");
}

static void a_campaign_that_is_stopped_for_seconds_ends_as_one_that_is_not(void)
{
    build_odd();
    put("hold",
        "faultsim transient --target dest/ld --sample 12 --seed 3 --time-limit 2 --quiet "
        "--csv-faults held.csv --output out.txt -- ./odd &\np=$!; sleep 0.4; kill -STOP $p; sleep "
        "3; kill -CONT $p; wait $p\n");
    expect("faultsim transient --target dest/ld --sample 12 --seed 3 --time-limit 2 --quiet "
           "--csv-faults free.csv --output out.txt -- ./odd && bash hold && cmp held.csv free.csv "
           "&& echo alike",
           0, "alike");
}

/* A wrong result makes more output, and the program tidies up what does not fit. */
static void what_the_computer_is_short_of_is_no_outcome(void)
{
    struct fl_buf out = {0};
    put("tidy.cu",
        "#include <stdio.h>\n#include <unistd.h>\n__global__ void k(int *p) { p[threadIdx.x] *= 3; "
        "}\nint main()\n{\n    int h[32], *p, bad = 0;\n    for (int i = 0; i < 32; i++)\n        "
        "h[i] = i;\n    cudaMalloc(&p, sizeof h);\n    cudaMemcpy(p, h, sizeof h, "
        "cudaMemcpyHostToDevice);\n    k<<<1, 32>>>(p);\n    cudaMemcpy(h, p, sizeof h, "
        "cudaMemcpyDeviceToHost);\n    for (int i = 0; i < 32; i++)\n        bad += h[i] != 3 * "
        "i;\n"
        "    FILE *f = fopen(\"out.txt\", \"w\");\n    int lost = !f;\n    for (int i = 0; f && i "
        "< "
        "(bad ? 2000000 : 20); i++)\n        lost |= fprintf(f, \"%d\\n\", h[i % 32]) < 0;\n    "
        "lost |= f && fclose(f);\n    if (lost)\n        unlink(\"out.txt\");\n    return "
        "lost;\n}\n");
    expect("mkdir -p narrow files half small && smcc --exe tidy.cu -o small/tidy; ls", 0,
           "tidy.cu");
    bool may = tools_run(dir, &out,
                         "mount -t tmpfs -o size=4m none narrow 2>&1 && mount -t tmpfs -o "
                         "nr_inodes=200 none files 2>&1 && mount -t tmpfs -o size=32m none half "
                         "2>&1 || { umount narrow files; false; }") == 0;
    fl_buf_free(&out);
    if (!may) {
        check_skip("no file system can be mounted here");
        return;
    }
    static const char line[] =
        "cd small && rm -f s.db; TMPDIR=$PWD/../%s faultsim transient --target dest/ld --sample 6 "
        "--threads 1 --quiet --store s.db --output out.txt -- ./tidy; s=$?; faultsim transient "
        "--target dest/ld --sample 6 --quiet --store s.db --resume --output out.txt --csv-faults "
        "- -- ./tidy | grep -c ,sdc, && exit $s";
    for (int i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text, line, i ? "files" : "narrow");
        expect(text, 3, i ? "files was left during a run" : "KiB were left during a run");
    }
    put("judge", "cmp -s $1/out.txt $2/out.txt && exit 0\nhead -c 30M /dev/zero >$2/big\nexit 1\n");
    expect("cd small && TMPDIR=$PWD/../half faultsim transient --target dest/ld --sample 6 "
           "--threads 1 --quiet --output out.txt --check-output 'sh ../judge' -- ./tidy",
           1, "half: ");
    expect("umount narrow files half && echo away", 0, "away");
    expect("cd small && ulimit -f 1024 && faultsim transient --target dest/ld --sample 6 --quiet "
           "--output out.txt -- ./tidy",
           1, "(ulimit -f): raise it");
}

/* A program that can be killed, or take descriptors from its campaign, while a folder is there. */
static void build_lacks(void)
{
    put("lacks.cu", "#include <signal.h>\n"
                    "#include <stdio.h>\n"
                    "#include <string.h>\n"
                    "#include <sys/resource.h>\n"
                    "#include <unistd.h>\n"
                    "__global__ void k(int *p) { p[threadIdx.x] *= 3; }\n"
                    "int main(int argc, char **argv)\n"
                    "{\n"
                    "    int h[32], *p, bad = 0;\n"
                    "    for (int i = 0; i < 32; i++)\n"
                    "        h[i] = i;\n"
                    "    cudaMalloc(&p, sizeof h);\n"
                    "    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);\n"
                    "    k<<<1, 32>>>(p);\n"
                    "    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);\n"
                    "    for (int i = 0; i < 32; i++)\n"
                    "        bad += h[i] != 3 * i;\n"
                    "    FILE *f = fopen(\"out.txt\", \"w\");\n"
                    "    fprintf(f, \"%d\\n\", bad);\n"
                    "    fclose(f);\n"
                    "    bool hit = argc > 2 && bad && access(argv[2], F_OK) == 0;\n"
                    "    if (hit && !strcmp(argv[1], \"killed\"))\n"
                    "        raise(SIGKILL);\n"
                    "    struct rlimit few;\n"
                    "    if (hit && !strcmp(argv[1], \"descriptors\") && getrlimit(RLIMIT_NOFILE, "
                    "&few) == 0) {\n"
                    "        few.rlim_cur = 3;\n"
                    "        prlimit(getppid(), RLIMIT_NOFILE, &few, NULL);\n"
                    "    }\n"
                    "    return 0;\n"
                    "}\n");
    expect("test -x lacks || smcc --exe lacks.cu -o lacks; ls", 0, "lacks.cu");
}

#define LACKS                                                                                      \
    "faultsim transient --target dest/ld --sample 6 --threads 1 --quiet --store l.db --output "    \
    "out.txt "

/* ... and goes on with --resume to the outcomes that it would have had. */
static void a_run_that_is_killed_or_cannot_be_read_stops_the_campaign(void)
{
    static const char *const ways[][2] = {{"killed", "a run was killed (SIGKILL)"},
                                          {"descriptors", "cannot open: Too many open files"}};
    build_lacks();
    for (int i = 0; i < 2; i++) {
        char line[900];
        snprintf(line, sizeof line,
                 "export ASAN_OPTIONS=detect_leaks=0; rm -f l.db; mkdir flag; " LACKS
                 "-- ./lacks %s $PWD/flag; s=$?; rmdir flag; " LACKS
                 "--resume --csv-faults l.csv -- ./lacks %s $PWD/flag && rm l.db && " LACKS
                 "--csv-faults whole.csv -- ./lacks %s $PWD/flag && cmp l.csv whole.csv && grep -q "
                 ",sdc, l.csv && exit $s",
                 ways[i][0], ways[i][0], ways[i][0]);
        expect(line, 3, ways[i][1]);
    }
}

static void a_limit_below_what_a_run_may_need_is_refused(void)
{
    static const char *const limits[] = {"n 100", "t 5", "v 3000000", "d 3000000"};
    build_lacks();
    for (int i = 0; i < (SANITIZED ? 2 : 4); i++) { /* a sanitizer needs addresses itself */
        char line[300], says[60];
        snprintf(line, sizeof line,
                 "ulimit -S -%s && faultsim transient --sample 2 --output out.txt -- ./lacks",
                 limits[i]);
        snprintf(says, sizeof says, "(ulimit -%c): raise it", *limits[i]);
        expect(line, 1, says);
    }
}

static void too_few_processes_stop_the_campaign(void)
{
    static const char nobody[] = "setpriv --reuid=65534 --regid=65534 --clear-groups";
    struct fl_buf out = {0};
    char line[900];
    build_lacks();
    bool may = geteuid() == 0 &&
               tools_run(
                   dir, &out,
                   "chmod 755 . && mkdir -p free && chmod 777 free && cp lacks free && cd free && "
                   "%s faultsim --version 2>&1",
                   nobody) == 0;
    fl_buf_free(&out);
    if (!may) {
        check_skip("another user cannot run commands here");
        return;
    }
    snprintf(line, sizeof line,
             "cd free && %s prlimit --nproc=50 " LACKS "-- ./lacks; s=$?; %s " LACKS
             "--resume --csv-faults - -- ./lacks | grep -c ,sdc, && exit $s",
             nobody, nobody);
    expect(line, 3, "were left to the user during a run, which may start 64");
}

/* What cannot be had here: a quota of the user, and descriptors that are used up when an output is read. */
static void a_quota_or_an_output_that_cannot_be_opened_stops_the_campaign(void)
{
    static const char *const lacks[][2] = {{"quota", ": 100 KiB were left during a run"},
                                           {"descriptors", "/0/out.txt: cannot open: Too many"}};
    build_lacks();
    put("lack.c",
        "#define _GNU_SOURCE\n"
        "#include <dlfcn.h>\n"
        "#include <errno.h>\n"
        "#include <fcntl.h>\n"
        "#include <stdarg.h>\n"
        "#include <stdlib.h>\n"
        "#include <string.h>\n"
        "#include <sys/quota.h>\n"
        "#include <sys/syscall.h>\n"
        "static int lacks(const char *what) { return getenv(\"LACK\") && !strcmp(getenv(\"LACK\"), "
        "what); }\n"
        "long syscall(long number, ...)\n"
        "{\n"
        "    long a[6], (*real)(long, ...) = dlsym(RTLD_NEXT, \"syscall\");\n"
        "    va_list more;\n"
        "    va_start(more, number);\n"
        "    for (int i = 0; i < 6; i++)\n"
        "        a[i] = va_arg(more, long);\n"
        "    va_end(more);\n"
        "    if (number != SYS_quotactl_fd || !lacks(\"quota\"))\n"
        "        return real(number, a[0], a[1], a[2], a[3], a[4], a[5]);\n"
        "    *(struct dqblk *)a[3] = (struct dqblk){.dqb_bhardlimit = 1000, .dqb_curspace = 900 << "
        "10};\n"
        "    return 0;\n"
        "}\n"
        "int open(const char *path, int flags, ...)\n"
        "{\n"
        "    va_list more;\n"
        "    va_start(more, flags);\n"
        "    int mode = flags & O_CREAT ? va_arg(more, int) : 0;\n"
        "    va_end(more);\n"
        "    errno = EMFILE;\n"
        "    int first = strstr(path, \"/0/out.txt\") && !(flags & O_CREAT);\n"
        "    return first && lacks(\"descriptors\") ? -1 : openat(AT_FDCWD, path, flags, mode);\n"
        "}\n"
        "int open64(const char *, int, ...) __attribute__((alias(\"open\")));\n");
    for (int i = 0; i < 2; i++) {
        char line[900];
        snprintf(line, sizeof line,
                 "gcc -w -shared -fPIC lack.c -o lack.so && rm -f l.db; export "
                 "ASAN_OPTIONS=verify_asan_link_order=0; LACK=%s LD_PRELOAD=$PWD/lack.so " LACKS
                 "-- ./lacks; s=$?; " LACKS
                 "--resume --csv-faults - -- ./lacks | grep -c ,sdc, && exit $s",
                 lacks[i][0]);
        expect(line, 3, lacks[i][1]);
    }
}

static void a_store_goes_on_with_the_same_program_alone(void)
{
    build_odd();
    expect("rm -f s.db; faultsim transient --target pc --sample 20 --quiet --store s.db --output "
           "out.txt -- "
           "./odd && faultsim transient --target pc --sample 30 --quiet --store s.db --resume "
           "--output out.txt "
           "--csv a.csv --xml a.xml -- ./odd && faultsim report s.db --csv b.csv --xml b.xml && "
           "cmp a.csv b.csv && cmp a.xml b.xml",
           0, "odd");
    expect("faultsim transient --target pc --sample 30 --store s.db --resume --output out.txt -- "
           "./odd x",
           1, "holds a campaign with other options");
    expect("cp odd old && printf x >>odd; faultsim transient --target pc --sample 30 --store s.db "
           "--resume "
           "--output out.txt -- ./odd; s=$?; mv old odd; exit $s",
           1, "holds a campaign with other options");
}

static void nothing_is_left_even_by_a_kill(void)
{
    build_odd();
    expect("mkdir -p t; export TMPDIR=$PWD/t; for s in TERM KILL; do timeout -s $s 1 faultsim "
           "transient "
           "--target dest/ld --sample 50 --output out.txt -- ./odd spin >/dev/null 2>&1; ls t | "
           "grep -c run; "
           "done; "
           "faultsim transient --target pc --sample 1 --output out.txt --quiet -- ./odd; echo "
           "left "
           "$(ls t)end",
           0, "0\n1\nleft end");
}

/* In a session of its own, as a server has one; by a second child that has ended. `keep` is no child of a run's. */
static void no_process_outlives_its_run(void)
{
    put("leave.cu", "#include <stdio.h>\n"
                    "#include <stdlib.h>\n"
                    "#include <unistd.h>\n"
                    "#include <sys/wait.h>\n"
                    "__global__ void k(int *p) { p[threadIdx.x] *= 3; }\n"
                    "static void put(const char *folder)\n"
                    "{\n"
                    "    char name[500];\n"
                    "    snprintf(name, sizeof name, \"%s/%d\", folder, getpid());\n"
                    "    fclose(fopen(name, \"w\"));\n"
                    "}\n"
                    "static void leave(const char *folder)\n"
                    "{\n"
                    "    int ends[2], told = 0;\n"
                    "    char c = 0;\n"
                    "    setsid();\n"
                    "    if (pipe(ends) || (fork() != 0 && fork() != 0)) {\n"
                    "        while (told < 2)\n"
                    "            told += read(ends[0], &c, 1) == 1;\n"
                    "        _exit(0);\n"
                    "    }\n"
                    "    put(folder);\n"
                    "    if (write(ends[1], &c, 1) == 1)\n"
                    "        sleep(100);\n"
                    "    _exit(0);\n"
                    "}\n"
                    "int main(int, char **argv)\n"
                    "{\n"
                    "    int h[32] = {1}, *p;\n"
                    "    cudaMalloc(&p, sizeof h);\n"
                    "    cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice);\n"
                    "    k<<<1, 32>>>(p);\n"
                    "    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);\n"
                    "    pid_t child = fork();\n"
                    "    if (child == 0)\n"
                    "        leave(argv[1]);\n"
                    "    waitpid(child, 0, 0);\n"
                    "    printf(\"%d\\n\", h[0]);\n"
                    "}\n");
    put("leaves",
        "mkdir -p left\nsleep 100 &\nkeep=$!\nfaultsim transient --target dest/ld --sample 6 "
        "--threads 2 --quiet --csv - -- ./leave $PWD/left\nls left | wc -l >number\nfor p in $(ls "
        "left); do kill -0 $p && echo $p is left; done\nkill $keep && echo kept\n");
    expect("smcc --exe leave.cu -o leave && bash leaves >said 2>&1; grep -c 'is left' said", 1,
           "0");
    expect("tail -1 said; test $(cat number) -ge 12 && echo many", 0, "kept\nmany");
}

static void the_announced_time_of_a_run_has_the_copy_of_the_folder_in_it(void)
{
    build_odd();
    put("price",
        "mkdir -p $1 && cp odd $1 && cd $1 && for i in $(seq $2); do echo $i >$i; done\nfaultsim "
        "transient --target dest/ld --sample 2 --output out.txt -- ./odd 2>&1 | sed -n 's/.*of "
        "about "
        "\\([0-9.e-]*\\) s each.*/\\1/p' | tail -1\n");
    expect(
        "a=$(bash price bare 0); b=$(bash price full 4000); echo $a $b; awk \"BEGIN { exit !($b > "
        "2 * $a) }\" && echo dearer",
        0, "dearer");
}

static void a_fault_can_be_given_to_a_program_by_hand(void)
{
    build_odd();
    expect("for c in 500 600 700 800 900; do FAULTLINE_FAULT=pc/w0/b19@$c:flip ./odd; done", 0,
           "kernel 'k' trapped");
    expect("FAULTLINE_FAULT=rf/p1/b1@999999:flip ./odd", 0, "has ended before cycle 999999");
    expect("FAULTLINE_FAULT=nothing@5:flip ./odd", 0, "no such structure");
    expect("FAULTLINE_REPORT=/nowhere/x ./odd", 0, "/nowhere/x: No such file");
}

int main(void)
{
    dir = tools_folder();
    needs_clang = true;
    int status = CHECK_RUN("closed loop", CHECK(every_flip_ends_as_the_program_with_it),
                           CHECK(on_a_chip_of_several_sms_too),
                           CHECK(a_host_that_asks_the_time_is_run_for_what_the_record_hides),
                           CHECK(what_the_host_reads_decides_what_it_launches),
                           CHECK(an_exact_campaign_runs_the_program_too),
                           CHECK(a_host_can_end_in_many_ways), CHECK(what_is_no_judge_is_refused),
                           CHECK(an_output_through_a_link_out_of_the_folder_is_refused),
                           CHECK(a_campaign_that_is_stopped_for_seconds_ends_as_one_that_is_not),
                           CHECK(what_the_computer_is_short_of_is_no_outcome),
                           CHECK(a_run_that_is_killed_or_cannot_be_read_stops_the_campaign),
                           CHECK(a_limit_below_what_a_run_may_need_is_refused),
                           CHECK(too_few_processes_stop_the_campaign),
                           CHECK(a_quota_or_an_output_that_cannot_be_opened_stops_the_campaign),
                           CHECK(a_store_goes_on_with_the_same_program_alone),
                           CHECK(nothing_is_left_even_by_a_kill),
                           CHECK(no_process_outlives_its_run),
                           CHECK(the_announced_time_of_a_run_has_the_copy_of_the_folder_in_it),
                           CHECK(a_fault_can_be_given_to_a_program_by_hand));
    tools_remove(dir);
    return status;
}
