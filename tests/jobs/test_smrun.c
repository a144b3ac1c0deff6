/* test_smrun.c -- the command line of smrun: what runs, what is printed, what is refused how. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/lib/check.h"
#include "sm/job/job.h"
#include "base/xml.h"
#include "tests/lib/tools.h"
#include "tests/lib/jobs.h"

static void smrun_says(const char *arguments, int status, const char *words)
{
    tools_expect(jobs_dir, "smrun", arguments, status, words);
}

static void wrong_usage_of_smrun_exits_2(void)
{
    smrun_says("", 2, "no file given");
    smrun_says("a.cubin b.cubin --kernel k", 2, "more than one file");
    smrun_says("--wrong k.cubin", 2, "smrun --help");
    smrun_says("k.cubin", 2, "needs --kernel NAME");
    smrun_says("t.job.xml --kernel k", 2, "states its launches itself");
    smrun_says("k.cubin --kernel k --expect", 2, "--expect needs a job.xml");
    smrun_says("k.cubin --kernel k --engine warp", 2, "--engine warp");
    smrun_says("k.cubin --kernel k --grid 1,2,3", 2, "--grid 1,2,3: write X,Y");
    smrun_says("k.cubin --kernel k --block 1,,3", 2, "--block 1,,3: write X,Y,Z");
    smrun_says("k.cubin --kernel k --shared much", 2, "--shared much");
    smrun_says("k.cubin --kernel k --param 0x10:u32", 2, "--param 0x10:u32");
    smrun_says("k.cubin --kernel k --param 0x10:u64:1", 2, "WHERE:u32:VALUE");
    smrun_says("k.cubin --kernel k --param 0x10:buf:b", 2, "the name of a --buffer");
    smrun_says("k.cubin --kernel k --buffer b=8 --param 0x10:buf:b+9", 2, "inside the buffer");
    smrun_says("k.cubin --kernel k --buffer b", 2, "NAME=FILE or NAME=SIZE");
    smrun_says("k.cubin --kernel k --const 1=f", 2, "BANK:OFFSET=FILE");
    smrun_says("k.cubin --kernel k --dump b=x", 2, "the name of a buffer");
    smrun_says("k.cubin --kernel k --max-cycles -1", 2, "--max-cycles -1");
}

static void what_smrun_cannot_use_exits_1_with_a_message(void)
{
    smrun_says("none.cubin --kernel k", 1, "none.cubin");
    smrun_says("none.xml", 1, "none.xml: cannot open");
    smrun_says("k.cubin --kernel other", 1, "it holds: ");
    smrun_says("k.cubin --kernel k --profile none", 1, "shipped are g80");
    smrun_says("k.cubin --kernel k --buffer a=8 --buffer a=8", 2, "a second buffer 'a'");
    smrun_says("k.cubin --kernel k --param 0x20:u32:1", 1, "end at 0x18");
}

static void smrun_lists_the_kernels_of_a_cubin(void)
{
    smrun_says("--list k.cubin", 0, "0x10(4)");
    smrun_says("--list wide.cubin", 0, "needs profile flexgripplus");
    smrun_says("--list none.cubin", 1, "none.cubin");
}

static void smrun_runs_a_kernel_and_dumps_its_buffers(void)
{
    jobs_put("in.bin", "abcd", 4);
    smrun_says("k.cubin --kernel k --grid 2 --block 32 --buffer a=in.bin --buffer b=8 --param "
               "0x10:buf:a --param 0x14:f32:1.5 --dump a=out.bin",
               0, "instructions  2 of a warp");
    struct fl_buf out = {0};
    char *path = jobs_path("out.bin");
    CU_ASSERT_EQUAL(fl_read_file(path, &out, NULL), 0);
    CU_ASSERT(out.size == 4 && !memcmp(out.data, "abcd", 4));
    fl_buf_free(&out);
    free(path);
}

static void expect_compares_the_digest(void)
{
    /* SHA-256 of 64 zero bytes, which is what `a` holds after a kernel that does nothing */
    static const char zeros[] = "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b";
    char *line = fl_format("<digest sha256='%s'/>", zeros), *xml = jobs_with_line3(line);
    jobs_put("good.job.xml", xml, strlen(xml));
    free(xml);
    line[16] = '0'; /* the first digit */
    xml = jobs_with_line3(line);
    jobs_put("wrong.job.xml", xml, strlen(xml));
    free(xml);
    free(line);
    xml = jobs_with_line3("");
    jobs_put("plain.job.xml", xml, strlen(xml));
    free(xml);
    smrun_says("good.job.xml --expect", 0, "as the job states");
    smrun_says("wrong.job.xml --expect", 1, "differ from the digest it states");
    smrun_says("wrong.job.xml", 0, "DIFFERS");
    smrun_says("plain.job.xml --expect", 1, "states no digest");
    smrun_says("plain.job.xml", 0, zeros);
}

static void a_trace_has_a_line_for_each_warp_instruction(void)
{
    char *xml = jobs_with_line3(""), *path = jobs_path("t.trace");
    struct fl_buf trace = {0};
    jobs_put("t.job.xml", xml, strlen(xml));
    smrun_says("t.job.xml --trace t.trace", 0, "instructions  1 of a warp");
    CU_ASSERT_EQUAL(fl_read_file(path, &trace, NULL), 0);
    CU_ASSERT(trace.size > 1 && trace.data[trace.size - 1] == '\n');
    smrun_says("t.job.xml --trace /dev/stdout | cat", 0, (const char *)trace.data);
    smrun_says("t.job.xml --trace no/such/folder", 1, "cannot write");
    smrun_says("t.job.xml --trace /dev/full", 1, "cannot write");
    fl_buf_free(&trace);
    free(path);
    free(xml);
}

static void a_job_runs_on_another_machine_when_asked(void)
{
    char *xml = jobs_with_line3("");
    jobs_put("t.job.xml", xml, strlen(xml));
    smrun_says("t.job.xml --on g80-chip", 0, "profile       g80-chip");
    smrun_says("t.job.xml --profile g80", 1, "contradicts");
    smrun_says("t.job.xml --on g80-chip --sms 2", 0,
               "\nsm1       0             0     0.0          0.0\n");
    smrun_says("t.job.xml --sms 129", 2, "write a number from 1 to 128");
    smrun_says("t.job.xml --on nowhere", 1, "no such profile");
    smrun_says("t.job.xml --on tiny-chip-caches", 0, "cache l1d     ");
    smrun_says("t.job.xml --on tiny-chip-caches", 0, "cache l2      ");
    smrun_says("t.job.xml --on gpufi-titan", 0, "cache l1c     ");
    smrun_says("t.job.xml --on gpufi-titan", 0, "cache l1t     ");
    smrun_says("t.job.xml --on tiny-chip-icache", 0, "cache l1i     ");
    free(xml);
}

static void the_summary_has_a_line_for_each_partition_of_the_memory(void)
{
    char *xml = jobs_with_line3(""), *tiny = xml_data_file("profiles/tiny.xml");
    struct fl_buf text = {0};
    CU_ASSERT_EQUAL_FATAL(fl_read_file(tiny, &text, NULL), 0);
    char *end = strstr((char *)text.data, "</profile>");
    char *parts = fl_format("%.*s<partitions>6</partitions></profile>",
                            (int)(end - (char *)text.data), text.data);
    jobs_put("t.job.xml", xml, strlen(xml));
    jobs_put("parts.xml", parts, strlen(parts));
    smrun_says("t.job.xml --on ./parts.xml", 0, "partition  transactions  busy %\n0 ");
    smrun_says("t.job.xml --on ./parts.xml", 0, "\n5                     0     0.0\n");
    free(parts);
    fl_buf_free(&text);
    free(tiny);
    free(xml);
}

static void a_timeline_shows_each_block_on_its_sm(void)
{
    char *xml = jobs_with_line3(""), *path = jobs_path("t.svg");
    struct fl_buf svg = {0};
    jobs_put("t.job.xml", xml, strlen(xml));
    smrun_says("t.job.xml --on tiny-chip --timeline t.svg", 0, "sm1");
    CU_ASSERT_EQUAL(fl_read_file(path, &svg, NULL), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)svg.data, ">sm0</text>"));
    CU_ASSERT_PTR_NOT_NULL(strstr((char *)svg.data, "<title>launch 1, block 0: cycles 3 to"));
    smrun_says("t.job.xml --timeline /dev/full", 1, "cannot write");
    smrun_says("t.job.xml --timeline t.job.xml", 1, "t.job.xml");
    fl_buf_free(&svg);
    free(path);
    free(xml);
}

static void a_trap_is_named_with_its_place_and_exits_1(void)
{
    smrun_says("k.cubin --kernel falls", 1, "trap FETCH_UNMAPPED in kernel 'falls' at pc 0x000008");
    smrun_says("k.cubin --kernel falls --profile tiny", 1, "end every path with .EXIT");
}

static void a_stated_trap_is_what_a_job_leaves(void)
{
    static const struct {
        const char *kernel, *trap, *says;
        int status;
    } row[] = {
        {"falls", "FETCH_UNMAPPED", "(as the job states)", 0},
        {"falls", "STACK_OVERFLOW", "trap FETCH_UNMAPPED in launch 1; its last launch states STACK",
         1},
        {"falls", "STACK_OVERFLOW FETCH_UNMAPPED", "(as the job states)", 0},
        {"falls", "STACK_OVERFLOW FETCH", "trap=\"FETCH\": there is no such trap", 1},
        {"k", "FETCH_UNMAPPED", "the run ends, and its last launch states trap=\"FETCH_UNMAPPED\"",
         1},
        {"loops", "FETCH_UNMAPPED", "launch 1 runs for ever", 1},
        {"falls", "FETCH_UNMAPED",
         "t.job.xml:2: trap=\"FETCH_UNMAPED\": there is no such trap (did you "
         "mean FETCH_UNMAPPED?)",
         1},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char *xml = fl_format("<job profile='tiny' cubin='k.cubin'>\n<launch kernel='%s' grid='1' "
                              "block='32' trap='%s'/>\n</job>\n",
                              row[i].kernel, row[i].trap);
        jobs_put("t.job.xml", xml, strlen(xml));
        smrun_says("t.job.xml", row[i].status, row[i].says);
        smrun_says("t.job.xml --expect", row[i].status, row[i].says);
        free(xml);
    }
}

static void a_program_that_does_not_end_is_stopped_at_max_cycles(void)
{
    smrun_says("k.cubin --kernel loops --max-cycles 5000", 1, "not finished after 500");
}

static void a_run_whose_state_recurs_is_ended_and_said(void)
{
    smrun_says("k.cubin --kernel loops", 1, "launch 1 runs for ever: the machine is in cycle 10");
    smrun_says("k.cubin --kernel loops --trace /dev/null", 1, "runs for ever");
}

int main(void)
{
    jobs_start();
    int status = CHECK_RUN(
        "smrun", CHECK(wrong_usage_of_smrun_exits_2),
        CHECK(what_smrun_cannot_use_exits_1_with_a_message),
        CHECK(smrun_lists_the_kernels_of_a_cubin), CHECK(smrun_runs_a_kernel_and_dumps_its_buffers),
        CHECK(expect_compares_the_digest), CHECK(a_trace_has_a_line_for_each_warp_instruction),
        CHECK(a_job_runs_on_another_machine_when_asked),
        CHECK(the_summary_has_a_line_for_each_partition_of_the_memory),
        CHECK(a_timeline_shows_each_block_on_its_sm),
        CHECK(a_trap_is_named_with_its_place_and_exits_1),
        CHECK(a_stated_trap_is_what_a_job_leaves),
        CHECK(a_program_that_does_not_end_is_stopped_at_max_cycles),
        CHECK(a_run_whose_state_recurs_is_ended_and_said));
    jobs_end();
    return status;
}
