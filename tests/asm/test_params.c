/* test_params.c -- names of parameters, from .param in the source to job.xml and back, and jobs made of a command line. */
#include "tests/lib/check.h"

#include "asm/cubin/cubin.h"
#include "asm/sasm/sasm.h"
#include "tests/lib/folder.h"

#define JOB(params)                                                                                \
    "<job profile=\"g80\" cubin=\"scale.cubin\"><buffer name=\"out\" size=\"256\"/>\n"             \
    "<launch kernel=\"scale\" grid=\"1\" block=\"64\">\n" params                                   \
    "</launch><output name=\"out\" buffer=\"out\"/></job>\n"

static void a_kernel_with_parameters_is_made(void)
{
    put("scale.sasm", ".kernel scale\n.param ptr out\n.param f32 factor\n.param s32 add\n"
                      "  I2I.U32.U16 R1, R0L\n  MOV R3, s[factor]\n  IADD R1, R1, R3\n"
                      "  MOV R3, s[add]\n"
                      "  IADD R1, R1, R3\n  I2I.U32.U16 R2, R0L\n"
                      "  SHL R2, R2, 2\n  IADD R2, s[out], R2\n  GST.U32 global14[R2], R1\n"
                      "  NOP.EXIT\n");
    tools_expect(dir, "sasm", "scale.sasm -o scale.cubin && echo made", 0, "made");
}

static void a_cubin_keeps_names_and_types_of_parameters(void)
{
    struct cubin *c;
    struct fl_err err;
    char *path = fl_format("%s/scale.cubin", dir), *copy = fl_format("%s/copy.cubin", dir);
    CU_ASSERT_EQUAL_FATAL(cubin_read(path, &c, &err), 0);
    CU_ASSERT_EQUAL(cubin_write(copy, c, &err), 0);
    cubin_free(c);
    CU_ASSERT_EQUAL_FATAL(cubin_read(copy, &c, &err), 0);
    static const char *const want[][2] = {{"ptr", "out"}, {"f32", "factor"}, {"s32", "add"}};
    CU_ASSERT_EQUAL_FATAL(c->kernel[0].nparams, 3);
    for (int i = 0; i < 3; i++) {
        CU_ASSERT_STRING_EQUAL(c->kernel[0].param[i].type, want[i][0]);
        CU_ASSERT_STRING_EQUAL(c->kernel[0].param[i].name, want[i][1]);
        CU_ASSERT_EQUAL(c->kernel[0].param[i].offset, 4 * i);
    }
    cubin_free(c);
    free(path);
    free(copy);
    tools_expect(dir, "smrun", "--list scale.cubin", 0,
                 "ptr out=0x10(4) f32 factor=0x14(4) s32 add=0x18(4)");
}

/* Every byte of the section of names becomes another one, and the reader stays calm. */
static void damaged_names_are_refused_or_read_calmly(void)
{
    struct fl_buf b = {0};
    char *path = fl_format("%s/scale.cubin", dir);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &b, NULL), 0);
    uint8_t *at = memmem(b.data, b.size, "0 ptr out", 9);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    int refused = 0;
    for (int i = 0; i < 30; i++)
        for (int v = 0; v < 256; v += 5) {
            struct cubin *c;
            uint8_t old = at[i];
            at[i] = (uint8_t)v;
            if (cubin_read_memory("t", b.data, b.size, &c, NULL) == 0)
                cubin_free(c);
            else
                refused++;
            at[i] = old;
        }
    CU_ASSERT_TRUE(refused > 0);
    fl_buf_free(&b);
    free(path);
}

/* As other versions have written it, or nobody: the text of the section, of the length that `in` has in the cubin. */
static int read_with(const char *in, const char *out, struct cubin **c, struct fl_err *err)
{
    struct fl_buf b = {0};
    char *path = fl_format("%s/elements.cubin", dir);
    CU_ASSERT_EQUAL_FATAL(fl_read_file(path, &b, NULL), 0);
    uint8_t *at = memmem(b.data, b.size, in, strlen(in));
    CU_ASSERT_FATAL(at && strlen(in) == strlen(out));
    memcpy(at, out, strlen(out));
    int bad = cubin_read_memory("t", b.data, b.size, c, err);
    fl_buf_free(&b);
    free(path);
    return bad;
}

static void a_cubin_keeps_what_a_pointer_points_to(void)
{
    struct cubin *c = NULL;
    struct fl_err err = {""};
    put("elements.sasm", ".kernel k\n.param ptr a, f32\n.param ptr b, u8, 4, 8\n.param ptr d\n"
                         ".param u32 n\nNOP.EXIT\n");
    tools_expect(dir, "sasm", "elements.sasm -o elements.cubin && echo made", 0, "made");
    CU_ASSERT_EQUAL_FATAL(read_with("0 ptr a f32\n", "0 ptr a f32\n", &c, &err), 0);
    CU_ASSERT_STRING_EQUAL(c->kernel[0].param[0].name, "a");
    CU_ASSERT_STRING_EQUAL(c->kernel[0].param[0].element, "f32");
    CU_ASSERT_STRING_EQUAL(c->kernel[0].param[1].element, "u8");
    CU_ASSERT_STRING_EQUAL(c->kernel[0].param[2].element, "");
    cubin_free(c);
    CU_ASSERT_EQUAL_FATAL(read_with("0 ptr a f32\n", "0 ptr abcde\n", &c, &err), 0);
    CU_ASSERT_STRING_EQUAL(c->kernel[0].param[0].name, "abcde");
    CU_ASSERT_STRING_EQUAL(c->kernel[0].param[0].element, "");
    cubin_free(c);
}

static void elements_that_are_none_are_refused(void)
{
    static const char *const odd[] = {"0 ptr a f33\n",  "0 ptr a f3 \n", "0 ptr a f3\n\n",
                                      "0 ptr abc \n\n", "0 ptr a  u8\n", "0 u32 a f32\n",
                                      "0 ptr a u88\n"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct cubin *c = NULL;
        struct fl_err err = {""};
        CU_ASSERT_NOT_EQUAL_FATAL(read_with("0 ptr a f32\n", odd[i], &c, &err), 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "no type of elements"));
    }
    put("odd.sasm", ".kernel k\n.param u32 n, f32\nNOP.EXIT\n");
    tools_expect(dir, "sasm", "odd.sasm -o odd.cubin", 1, "only a ptr points to elements");
    put("odd.sasm", ".kernel k\n.param ptr p, f64\nNOP.EXIT\n");
    tools_expect(dir, "sasm", "odd.sasm -o odd.cubin", 1, "odd.sasm:2:");
}

static void a_job_names_its_parameters(void)
{
    struct fl_buf by_name = {0}, by_offset = {0};
    put("name.job.xml", JOB("<param name=\"out\" buffer=\"out\"/><param name=\"factor\" f32=\"2\"/>"
                            "<param name=\"add\" s32=\"-1\"/>"));
    put("offset.job.xml",
        JOB("<param offset=\"0x10\" buffer=\"out\"/>"
            "<param offset=\"0x14\" f32=\"2\"/><param offset=\"0x18\" s32=\"-1\"/>"));
    CU_ASSERT_EQUAL(tools_run(dir, &by_name, "smrun name.job.xml | grep digest"), 0);
    CU_ASSERT_EQUAL(tools_run(dir, &by_offset, "smrun offset.job.xml | grep digest"), 0);
    CU_ASSERT_STRING_EQUAL((char *)by_name.data, (char *)by_offset.data);
    fl_buf_free(&by_name);
    fl_buf_free(&by_offset);
}

static void a_wrong_name_of_a_parameter_is_refused_with_those_there_are(void)
{
    static const char *const cases[][2] = {
        {"<param name=\"ouch\" u32=\"1\"/>",
         "t.job.xml:3: kernel 'scale' has no parameter 'ouch'; it has: out, factor, add"},
        {"<param u32=\"1\"/>", "t.job.xml:3: <param> needs its name="},
        {"<param name=\"add\" offset=\"0x18\" u32=\"1\"/>", "<param> needs its name="},
        {"<param name=\"add\" u32=\"1\"/><param offset=\"0x18\" u32=\"1\"/>",
         "a second parameter 'add' at 0x18"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *job = fl_format(JOB("%s"), cases[i][0]);
        put("t.job.xml", job);
        tools_expect(dir, "smrun", "t.job.xml", 1, cases[i][1]);
        free(job);
    }
    tools_expect(dir, "smrun", "scale.cubin --kernel scale --param ouch:u32:1", 2,
                 "no parameter 'ouch'");
}

#define KERNEL                                                                                     \
    "scale.cubin --kernel scale --block 64 --buffer out=256 --buffer in=in.bin "                   \
    "--param out:buf:out+0 --param 0x14:f32:2.5 --param add:s32:-7 --const 2:16=in.bin "

static void a_written_job_runs_as_its_command_line_did(void)
{
    struct fl_buf line = {0}, job = {0};
    put("in.bin", "0123");
    CU_ASSERT_EQUAL(tools_run(dir, &line, "smrun " KERNEL "| grep digest"), 0);
    tools_expect(dir, "smrun", KERNEL "--write-job new.job.xml; cat new.job.xml", 0,
                 "<param name=\"factor\" f32=\"2.5\"/>");
    CU_ASSERT_EQUAL(tools_run(dir, &job, "smrun new.job.xml | grep digest"), 0);
    CU_ASSERT_STRING_EQUAL((char *)job.data, (char *)line.data);
    /* another folder: the files are found from there */
    CU_ASSERT_EQUAL(tools_run(dir, &job,
                              "mkdir d && smrun " KERNEL "--write-job d/new.job.xml && "
                              "smrun d/new.job.xml | grep digest"),
                    0);
    CU_ASSERT_STRING_EQUAL((char *)job.data, (char *)line.data);
    fl_buf_free(&line);
    fl_buf_free(&job);
}

static void a_written_job_replaces_nothing_that_is_read(void)
{
    tools_expect(dir, "smrun", KERNEL "--write-job in.bin", 1, "--write-job would overwrite");
    tools_expect(dir, "smrun", KERNEL "--write-job ./scale.cubin", 1, "would overwrite the cubin");
    tools_expect(dir, "smrun", "new.job.xml --write-job x", 2, "--write-job");
    tools_expect(dir, "smrun", KERNEL "--write-job -", 0, "<launch kernel=\"scale\"");
}

/* What reports show of a line, and what nobody may write over. */
static void a_cubin_takes_the_source_of_its_lines_along(void)
{
    struct cubin *cubin = NULL;
    struct fl_err err = {""};
    char *path = fl_format("%s/lines.cubin", dir);
    int length = 0;
    put("k.cl", "first\nsecond\n");
    put("lines.sasm", ".kernel k\n.line \"k.cl\", 2\nNOP.EXIT\n.line \"gone.cl\", 1\nNOP.EXIT\n");
    tools_expect(dir, "sasm", "lines.sasm -o k.cl", 1, "would overwrite the source");
    struct fl_buf out = {0};
    CU_ASSERT_EQUAL(tools_run(dir, &out, "sasm lines.sasm -o lines.cubin"), 0);
    fl_buf_free(&out);
    CU_ASSERT_EQUAL_FATAL(cubin_read(path, &cubin, &err), 0);
    CU_ASSERT_EQUAL_FATAL(cubin->nsources, 2);
    const char *line = cubin_source_line(&cubin->source[cubin_source(cubin, "k.cl")], 2, &length);
    CU_ASSERT_FATAL(line && length == 6);
    CU_ASSERT_EQUAL(memcmp(line, "second", 6), 0);
    CU_ASSERT_PTR_NULL(cubin->source[cubin_source(cubin, "gone.cl")].text);
    cubin_free(cubin);
    free(path);
}

int main(void)
{
    dir = tools_folder();
    int bad = CHECK_RUN(
        "params", CHECK(a_kernel_with_parameters_is_made),
        CHECK(a_cubin_keeps_names_and_types_of_parameters),
        CHECK(damaged_names_are_refused_or_read_calmly),
        CHECK(a_cubin_keeps_what_a_pointer_points_to), CHECK(elements_that_are_none_are_refused),
        CHECK(a_job_names_its_parameters), CHECK(a_cubin_takes_the_source_of_its_lines_along),
        CHECK(a_wrong_name_of_a_parameter_is_refused_with_those_there_are),
        CHECK(a_written_job_runs_as_its_command_line_did),
        CHECK(a_written_job_replaces_nothing_that_is_read));
    tools_remove(dir);
    return bad;
}
