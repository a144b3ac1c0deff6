/* test_files.c -- what the commands do with files: nothing they read is written over, every error of a file is said, and
 * what was there stays until its successor is complete.
 *
 * All commands run in a folder of this run; the first test makes the job that others use.
 */
#include "tests/lib/check.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/fl.h"
#include "tests/lib/folder.h"

static int files(void)
{
    DIR *d = opendir(dir);
    int n = 0;
    while (d && readdir(d))
        n++;
    if (d)
        closedir(d);
    return n;
}

static char *path_of(const char *name)
{
    return fl_format("%s/%s", dir, name);
}

static bool holds(const char *name, const char *text)
{
    struct fl_buf b = {0};
    char *path = path_of(name);
    bool same = fl_read_file(path, &b, NULL) == 0 && strcmp((char *)b.data, text) == 0;
    free(path);
    fl_buf_free(&b);
    return same;
}

static void run_expect(const char *line, int status, const char *words)
{
    struct fl_buf out = {0};
    int got = tools_run(dir, &out, "( %s\n) 2>&1", line);
    bool good = got == status && (!*words || tools_says(&out, words));
    if (!good)
        printf("\n    %s\n    wanted %d ...%s...\n    got    %d %s\n", line, status, words, got,
               out.data);
    CU_ASSERT(good);
    fl_buf_free(&out);
}

#define JOB(cubin)                                                                                 \
    "<job profile=\"p.xml\" cubin=\"" cubin                                                        \
    "\"><buffer name=\"b\" size=\"256\"><file path=\"in.bin\"/></buffer>\n"                        \
    "<launch kernel=\"k\" grid=\"1\" block=\"32\"><param offset=\"0x10\" buffer=\"b\"/></launch>"  \
    "\n<output name=\"o\" buffer=\"b\"/></job>\n"

static void a_kernel_and_its_job_are_made(void)
{
    put("inc.sasm", "// nothing\n");
    put("faults.txt", "dstack/w0/le1/tm0:sa0\n");
    run_expect("head -c 256 /dev/zero >in.bin; cp '" FAULTLINE_SOURCE_DIR
               "/profiles/tiny.xml' p.xml",
               0, "");
    put("k.sasm", ".include \"inc.sasm\"\n.kernel k\n.param ptr p\n  SSY join\n  BRA C0.NE, "
                  "join\njoin: NOP.S\n"
                  "  I2I.U32.U16 R1, R0L\n  SHL R2, R1, 2\n  IADD R2, s[p], R2\n"
                  "  GST.U32 global14[R2], R1\n  NOP.EXIT\n");
    run_expect("sasm k.sasm -o k.cubin", 0, "");
    put("k.job.xml", JOB("k.cubin"));
}

/* ---- the helpers ---- */

static void a_file_is_the_old_one_until_the_new_one_is_complete(void)
{
    struct fl_out o;
    char *path = path_of("out.txt");
    int before = files();
    for (int keep = 0; keep < 2; keep++) {
        put("out.txt", "old");
        CU_ASSERT_EQUAL_FATAL(fl_out_open(&o, path, NULL), 0);
        fputs("new", o.f);
        fflush(o.f);
        CU_ASSERT_TRUE(holds("out.txt", "old"));
        CU_ASSERT_EQUAL(fl_out_close(&o, keep, NULL), 0);
        CU_ASSERT_TRUE(holds("out.txt", keep ? "new" : "old"));
        CU_ASSERT_EQUAL(files(), before + 1);
    }
    unlink(path);
    free(path);
}

static void a_link_stays_a_link_and_its_file_stays_whole(void)
{
    put("aim.txt", "old");
    char *path = path_of("link.txt");
    CU_ASSERT_EQUAL(symlink("aim.txt", path), 0);
    CU_ASSERT_EQUAL(fl_write_file(path, "new", 3, NULL), 0);
    struct stat st;
    CU_ASSERT_TRUE(lstat(path, &st) == 0 && S_ISLNK(st.st_mode));
    CU_ASSERT_TRUE(holds("aim.txt", "new"));
    unlink(path);
    free(path);
}

static void temporary_files_are_removed_on_a_signal(void)
{
    char *path = path_of("left");
    put("left", "");
    fl_temporary_add(path);
    fl_remove_temporaries();
    CU_ASSERT_NOT_EQUAL(access(path, F_OK), 0);
    put("left", "");
    fl_temporary_done(path);
    fl_remove_temporaries();
    CU_ASSERT_EQUAL(access(path, F_OK), 0);
    unlink(path);
    free(path);
}

static void two_names_of_one_file_are_one_file(void)
{
    static const struct {
        const char *a, *b;
        bool same;
    } pairs[] = {
        {"new.csv", "./new.csv", true},   {"new.csv", "other.csv", false},
        {"k.cubin", "soft.cubin", true},  {"k.cubin", "hard.cubin", true},
        {"k.cubin", "copy.cubin", false}, {"sub/../x.csv", "x.csv", true},
        {"sub/x.csv", "x.csv", false},    {"/dev/null", "/dev/null", false},
        {"-", "/dev/stdout", false},
    };
    run_expect("mkdir sub; ln -s k.cubin soft.cubin; ln k.cubin hard.cubin; "
               "cp k.cubin copy.cubin",
               0, "");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int in = 0; in < 2; in++) {
            struct fl_files f = {0};
            struct fl_err err = {""};
            const char *name[] = {pairs[i].a, pairs[i].b};
            for (int k = 0; k < 2; k++) {
                char *path = name[k][0] == '-' || name[k][0] == '/' ? fl_strdup(name[k])
                                                                    : path_of(name[k]);
                (k || !in ? fl_files_out : fl_files_in)(&f, k ? "--csv" : "the other", path);
                free(path);
            }
            int bad = fl_files_check(&f, &err);
            if ((bad != 0) != pairs[i].same)
                printf("\n    %s, %s: %d %s\n", name[0], name[1], bad, err.msg);
            CU_ASSERT_EQUAL(bad != 0, pairs[i].same);
            CU_ASSERT_TRUE(!bad || (strstr(err.msg, "--csv") && strstr(err.msg, "the other")));
            fl_files_free(&f);
        }
    run_expect("rm -r sub soft.cubin hard.cubin copy.cubin", 0, "");
}

static void control_characters_are_shown_and_utf8_stays(void)
{
    static const char *const pairs[][2] = {
        {"a\033[2Jb\r\n\tc\177", "a\\x1b[2Jb\\x0d\n\tc\\x7f"},
        {"\303\274ber \342\202\254 \360\237\231\202", "\303\274ber \342\202\254 \360\237\231\202"},
        {"\302\233 \233 \303", "\\xc2\\x9b \\x9b \\xc3"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct fl_buf b = {0};
        fl_buf_printable(&b, pairs[i][0]);
        CU_ASSERT_STRING_EQUAL((char *)b.data, pairs[i][1]);
        fl_buf_free(&b);
    }
}

/* ---- every tool ---- */

static const char *const tools[] = {"sasm", "sdis", "smrun", "smtrace", "sbstgen", "faultsim"};
enum { TOOLS = sizeof tools / sizeof *tools };

static void help_that_cannot_be_written_is_an_error(void)
{
    for (int i = 0; i < TOOLS; i++) {
        char *line = fl_format("%s --help >/dev/full", tools[i]);
        char *says = fl_format("%s: cannot write to standard output: No space left on device",
                               tools[i]);
        run_expect(line, 1, says);
        free(says);
        free(line);
    }
    run_expect("faultsim --model transient --help >/dev/full", 1, "faultsim: cannot write");
    run_expect("faultsim merge --help >/dev/full", 1, "faultsim: cannot write");
}

static void without_memory_a_tool_says_so_and_exits_1(void)
{
    put("big.job.xml", "<job profile=\"tiny\" cubin=\"k.cubin\">"
                       "<buffer name=\"b\" size=\"1073741824\"/><launch kernel=\"k\" grid=\"1\" "
                       "block=\"32\"><param offset=\"0x10\" buffer=\"b\"/></launch></job>");
#ifdef __SANITIZE_ADDRESS__ /* its shadow alone is larger than any limit */
#define LITTLE "export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=64; "
#else
#define LITTLE "ulimit -v 400000; "
#endif
    run_expect(LITTLE "smrun big.job.xml", 1, "smrun: out of memory\n");
}

static void a_limit_of_the_file_size_is_a_message_and_keeps_the_old_file(void)
{
    put("keep.csv", "old");
    run_expect("ulimit -f 1; faultsim --model stuck-at k.job.xml --quiet --csv-faults keep.csv", 1,
               "faultsim: keep.csv: cannot write: File too large");
    CU_ASSERT_TRUE(holds("keep.csv", "old"));
}

static void a_killed_trace_leaves_the_old_file_and_nothing_else(void)
{
    static const char *const how[] = {"TERM", "HUP", "KILL"};
    put("loop.sasm", ".kernel k\n.param ptr p\nself: IADD32I R1, R1, 1\n  BRA self\n");
    run_expect("sasm loop.sasm -o loop.cubin", 0, "");
    put("loop.job.xml", JOB("loop.cubin"));
    put("trace", "old");
    int before = files();
    for (size_t i = 0; i < sizeof how / sizeof *how; i += SANITIZED ? 2 : 1) {
        char *line = fl_format("smrun loop.job.xml --max-cycles 99999999 --trace trace & sleep "
                               "0.2; kill -%s $!; wait $!; "
                               "[ $? -gt 128 ]",
                               how[i]);
        run_expect(line, 0, "");
        CU_ASSERT_TRUE(holds("trace", "old"));
        CU_ASSERT_EQUAL(files(), before);
        free(line);
    }
}

/* ---- what is read is not written over ---- */

static const char *const inputs[] = {"k.job.xml", "k.cubin", "in.bin",   "p.xml", "k.sasm",
                                     "inc.sasm",  "q.db",    "dict.xml", "m.csv", "faults.txt"};

static void nothing_that_is_read_is_written_over(void)
{
    static const char *const lines[] = {
        "sasm k.sasm -o k.sasm",
        "sasm k.sasm -o inc.sasm",
        "sasm k.sasm -o link.sasm",
        "smrun k.job.xml --trace k.job.xml",
        "smrun k.job.xml --dump b=k.cubin",
        "smrun k.job.xml --dump b=./in.bin",
        "smrun k.job.xml --trace p.xml",
        "smrun k.cubin --kernel k --buffer b=in.bin --trace in.bin",
        "smrun k.cubin --kernel k --buffer b=256 --const 0:0=in.bin --dump b=in.bin",
        "faultsim --model stuck-at k.job.xml --csv k.job.xml",
        "faultsim --model stuck-at k.job.xml --csv-faults k.cubin",
        "faultsim --model stuck-at k.job.xml --xml in.bin",
        "faultsim --model stuck-at k.job.xml --matrix p.xml",
        "faultsim --model stuck-at k.job.xml --faults faults.txt --csv faults.txt",
        "faultsim prove k.job.xml --csv-faults k.job.xml",
        "faultsim dictionary k.job.xml --xml k.job.xml",
        "faultsim dictionary --from dict.xml --xml dict.xml",
        "faultsim dictionary --from dict.xml --lookup b=in.bin --csv in.bin",
        "faultsim --model transient k.job.xml --html k.cubin",
        "faultsim --model transient k.job.xml --sample 9 --write-faults k.job.xml",
        "faultsim --model transient k.job.xml --ace --store q.db --csv q.db",
        "faultsim report q.db --csv q.db",
        "faultsim report q.db --xml ./q.db",
        "sbstgen --compact m.csv -o .",
        "faultsim --model stuck-at k.job.xml --faults faults.txt --plots plots",
        "faultsim --model stuck-at k.job.xml --plots plots",
        "sbstgen --method sync-trick --le 1 --profile ./p.xml -o gen",
        "sbstgen --unit rf --profile ./p.xml -o gen",
        "sbstgen --unit rf --inside --profile ./p.xml -o gen",
        "sbstgen --unit pc --profile ./p.xml -o gen",
    };
    struct fl_buf old[sizeof inputs / sizeof *inputs] = {0};
    run_expect("ln -s k.sasm link.sasm; faultsim dictionary k.job.xml --xml dict.xml && "
               "faultsim --model transient k.job.xml --ace --store q.db && "
               "faultsim --model stuck-at k.job.xml --matrix m.csv && "
               "ln -s m.csv m.schedule.csv && mkdir gen plots && "
               "for f in sync-trick-acc-le01.lst rf-c-minus.cubin rf-c-minus-inside.sasm "
               "pc.job.xml; do ln p.xml gen/$f; done && ln faults.txt plots/07-faults.csv && "
               "ln k.cubin plots/08-outcomes.svg && printf '%s\n' "
               "'# faultsim --plots: the next campaign of this folder replaces' 07-faults.csv "
               "08-outcomes.svg >plots/plots.list",
               0, "");
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        char *path = path_of(inputs[i]);
        CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &old[i], NULL), 0);
        free(path);
    }
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i += SANITIZED ? 3 : 1)
        run_expect(lines[i], 1, "would overwrite");
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        CU_ASSERT_TRUE(holds(inputs[i], (char *)old[i].data));
        fl_buf_free(&old[i]);
    }
}

static void two_outputs_do_not_go_into_one_file(void)
{
    static const char *const lines[] = {
        "smrun k.job.xml --trace x --dump b=./x",
        "smrun k.job.xml --dump b=x --dump b=x",
        "faultsim --model stuck-at k.job.xml --csv x --csv-faults ./x",
        "faultsim --model transient k.job.xml --csv x --html ./x",
        "faultsim dictionary k.job.xml --csv x --xml ./x",
        "faultsim report q.db --csv x --xml ./x",
        "faultsim report q.db --csv new/01-outcomes.csv --plots new",
        "faultsim report q.db --csv new/plots.list --plots ./new",
    };
    run_expect("mkdir new", 0, "");
    int before = files();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i += SANITIZED ? 3 : 1)
        run_expect(lines[i], 1, "would go into one file");
    CU_ASSERT_EQUAL(files(), before);
}

/* ---- "-" ---- */

static void a_dash_is_standard_output_and_the_summary_goes_to_standard_error(void)
{
    static const struct {
        const char *line, *first, *people;
    } cases[] = {
        {"smrun k.job.xml --trace -", "", "digest "},
        {"smrun k.job.xml --dump b=-", "", "digest "},
        {"faultsim --model stuck-at k.job.xml --csv -", "# faultline", "stuck-at faults in dstack"},
        {"faultsim --model stuck-at k.job.xml --csv /dev/stdout", "# faultline", "stuck-at faults"},
        {"faultsim --model stuck-at k.job.xml --csv-faults -", "# faultline", "stuck-at faults"},
        {"faultsim --model stuck-at k.job.xml --xml -", "<?xml", "stuck-at faults"},
        {"faultsim --model stuck-at k.job.xml --matrix -", "", "stuck-at faults"},
        {"faultsim dictionary k.job.xml --csv -", "", "signatures "},
        {"faultsim --model transient k.job.xml --ace --csv -", "# faultline", "AVF"},
        {"faultsim --model transient k.job.xml --ace --xml -", "<?xml", "AVF"},
        {"faultsim --model transient k.job.xml --ace --html -", "<!DOCTYPE", "AVF"},
        {"faultsim --model transient k.job.xml --sample 9 --write-faults -", "rf/", ""},
        {"faultsim report q.db --csv -", "# faultline", "AVF"},
        {"sasm k.sasm -o -", "\177ELF", ""},
    };
    struct fl_buf out = {0};
    int before = files();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += SANITIZED ? 2 : 1) {
        bool good = tools_run(dir, &out, "%s 2>../err.$$; r=$?; mv ../err.$$ err; exit $r",
                              cases[i].line) == 0 &&
                    out.size > 1 &&
                    strncmp((char *)out.data, cases[i].first, strlen(cases[i].first)) == 0;
        bool page = strstr(cases[i].line, "--html"); /* it has the words of the table too */
        good = good && (page || !*cases[i].people || !tools_says(&out, cases[i].people));
        int err = tools_run(dir, &out, "cat err; rm err");
        good = good && err == 0 && (!*cases[i].people || tools_says(&out, cases[i].people));
        if (!good)
            printf("\n    %s\n    %s\n", cases[i].line, out.data);
        CU_ASSERT(good);
    }
    CU_ASSERT_EQUAL(files(), before);
    run_expect("echo before; faultsim --model stuck-at k.job.xml --quiet --csv -", 0,
               "before\n# faultline");
    fl_buf_free(&out);
}

static void a_dash_is_standard_input(void)
{
    static const char *const lines[] = {
        "sasm - -o x.cubin <k.sasm && cmp x.cubin k.cubin; r=$?; rm x.cubin; exit $r",
        "sdis - <k.cubin | cmp - k.dis",
        "echo 'IADD32I R1, R1, 0x1' | sasm --words - | sdis --words - | grep IADD32I",
        "smrun k.job.xml --binary --trace - 2>k.err | smtrace - | cmp - k.trace; r=$?; rm k.err; "
        "exit $r",
        "faultsim dictionary --from - --lookup good <dict.xml",
        "faultsim --model stuck-at --faults - k.job.xml <faults.txt",
        "smrun --list - <k.cubin",
    };
    run_expect("sasm k.sasm -o k.cubin && sdis k.cubin >k.dis && smrun k.job.xml --trace k.trace",
               0, "");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        run_expect(lines[i], 0, "");
}

static void a_lookup_that_finds_nothing_exits_1(void)
{
    run_expect("faultsim dictionary --from dict.xml --lookup OUT_OF_BOUNDS_LOCAL", 1,
               "faultsim: no fault of the dictionary has these outputs");
}

/* ---- much and slow ---- */

static void the_faults_of_a_sample_are_written_as_they_are_drawn(void)
{
    put("keep.txt", "old");
    /* 2^40 of them: neither memory nor the disk would hold them */
    run_expect("ulimit -f 64; faultsim --model transient k.job.xml --sample 1099511627776 "
               "--write-faults keep.txt",
               1, "keep.txt: cannot write: File too large");
    CU_ASSERT_TRUE(holds("keep.txt", "old"));
}

static void xml_with_very_many_attributes_is_refused_at_once(void)
{
    struct fl_buf b = {0};
    fl_buf_printf(&b, "<!-- a = b %s -->\n<job\n", "= = = = = = = = = =");
    for (int i = 0; i < (SANITIZED ? 60000 : 300000); i++)
        fl_buf_printf(&b, " a%d=\"<\"", i);
    fl_buf_printf(&b, "/>\n");
    tools_put(dir, "wide.xml", b.data, b.size);
    run_expect("timeout 10 smrun wide.xml", 1, "wide.xml:3: more than 100 attributes");
    run_expect("timeout 10 sbstgen --method sync-trick --le 1 --profile ./wide.xml -o new", 2,
               "wide.xml:3: more than 100 attributes");
    fl_buf_free(&b);
}

static void a_zero_byte_in_a_text_is_refused_with_its_line(void)
{
    static const struct {
        const char *file, *line;
        int status;
    } cases[] = {
        {"k.job.xml", "smrun zero.xml", 1},
        {"p.xml", "faultsim prove --profile ./zero.xml", 1},
        {"faults.txt", "faultsim stuck-at k.job.xml --faults zero.xml", 1},
        {"dict.xml", "faultsim dictionary --from zero.xml --lookup good", 1},
        {"m.csv", "sbstgen --compact zero.xml -o .", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fl_buf b = {0};
        char *path = path_of(cases[i].file);
        CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &b, NULL), 0);
        fl_buf_add(&b, "", 1);
        tools_put(dir, "zero.xml", b.data, b.size);
        run_expect(cases[i].line, cases[i].status, "a zero byte in a text file; remove it");
        fl_buf_free(&b);
        free(path);
    }
}

int main(void)
{
    dir = tools_folder();
    int bad = CHECK_RUN(
        "files", CHECK(a_kernel_and_its_job_are_made),
        CHECK(a_file_is_the_old_one_until_the_new_one_is_complete),
        CHECK(a_link_stays_a_link_and_its_file_stays_whole),
        CHECK(temporary_files_are_removed_on_a_signal), CHECK(two_names_of_one_file_are_one_file),
        CHECK(control_characters_are_shown_and_utf8_stays),
        CHECK(help_that_cannot_be_written_is_an_error),
        CHECK(without_memory_a_tool_says_so_and_exits_1),
        CHECK(a_limit_of_the_file_size_is_a_message_and_keeps_the_old_file),
        CHECK(a_killed_trace_leaves_the_old_file_and_nothing_else),
        CHECK(nothing_that_is_read_is_written_over), CHECK(two_outputs_do_not_go_into_one_file),
        CHECK(a_dash_is_standard_output_and_the_summary_goes_to_standard_error),
        CHECK(a_dash_is_standard_input), CHECK(a_lookup_that_finds_nothing_exits_1),
        CHECK(the_faults_of_a_sample_are_written_as_they_are_drawn),
        CHECK(xml_with_very_many_attributes_is_refused_at_once),
        CHECK(a_zero_byte_in_a_text_is_refused_with_its_line));
    tools_remove(dir);
    return bad;
}
