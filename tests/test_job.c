/* test_job.c -- job.xml, profile.xml and the command line of smrun: what is read, and what is refused how.
 *
 * The tests work in a folder of their own with two small cubins: k.cubin (kernels `k`, `big`, `falls`, `loops`) and
 * wide.cubin (32-bit branch targets).
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/lib/check.h"
#include "sm/job/job.h"
#include "base/xml.h"
#include "tests/lib/tools.h"

static char *dir;

/* ---- scaffolding ---- */

static char *in_dir(const char *name)
{
    return fl_format("%s/%s", dir, name);
}

static void put(const char *name, const void *bytes, size_t size)
{
    tools_put(dir, name, bytes, size);
}

static void put_cubin(const char *name, struct cubin c)
{
    char *path = in_dir(name);
    struct fl_err err;
    if (cubin_write(path, &c, &err))
        printf("%s\n", err.msg);
    free(path);
}

static void make_cubins(void)
{
    static uint8_t nop_exit[8] = {0x01, 0x00, 0x00, 0xf0, 0x01, 0x00, 0x00, 0xe0};
    static uint8_t nop[8] = {0x01, 0x00, 0x00, 0xf0, 0x00, 0x00, 0x00, 0xe0};
    static uint8_t branch_to_0[8] = {0x03, 0x00, 0x00, 0x10, 0x80, 0x07, 0x00, 0x00};
    struct cubin_code ends = {.size = 8, .bytes = nop_exit};
    struct cubin_code falls = {.size = 8, .bytes = nop};
    struct cubin_code loops = {.size = 8, .bytes = branch_to_0};
    struct cubin_param params[] = {{.offset = 0, .size = 4}, {.offset = 4, .size = 4}};
    struct cubin_kernel k[] = {
        {.name = "k",
         .regs = 8,
         .shared_bytes = 0x40,
         .param = params,
         .nparams = 2,
         .code = &ends,
         .ncode = 1},
        {.name = "big", .regs = 40, .shared_bytes = 0x40, .code = &ends, .ncode = 1},
        {.name = "falls", .regs = 2, .shared_bytes = 0x10, .code = &falls, .ncode = 1},
        {.name = "loops", .regs = 2, .shared_bytes = 0x10, .code = &loops, .ncode = 1},
    };
    put_cubin("k.cubin", (struct cubin){.kernel = k, .nkernels = 4});
    put_cubin("wide.cubin", (struct cubin){.kernel = k, .nkernels = 1, .wide_code = true});
    struct cubin_code far[2] = {ends, {.base = 0xfffff8, .size = 8, .bytes = nop}};
    struct cubin_kernel kf = {.name = "k", .regs = 1, .code = far, .ncode = 2};
    put_cubin("last.cubin", (struct cubin){.kernel = &kf, .nkernels = 1});
    far[1].base = 0x1000000;
    put_cubin("behind.cubin", (struct cubin){.kernel = &kf, .nkernels = 1});
}

static int load_text(const char *xml, const char *profile, struct job **job, struct fl_err *err)
{
    put("t.job.xml", xml, strlen(xml));
    char *path = in_dir("t.job.xml");
    int result = job_load(path, profile, job, err);
    free(path);
    return result;
}

/* A job that is good but for what stands in its third line. */
static char *with_line3(const char *line)
{
    return fl_format("<job profile='tiny' cubin='k.cubin'>\n"
                     "<buffer name='a' size='64'/>\n"
                     "%s\n"
                     "<launch kernel='k' grid='1' block='32'/>\n"
                     "<output name='o' buffer='a'/>\n"
                     "</job>\n",
                     line);
}

static struct job *accepted(char *xml)
{
    struct job *job = NULL;
    struct fl_err err = {""};
    if (load_text(xml, NULL, &job, &err))
        printf("\n    refused: %s\n", err.msg);
    CU_ASSERT_PTR_NOT_NULL(job);
    free(xml);
    return job;
}

/* The message must start with the file and the line, and hold `words`. */
static void says(const struct fl_err *err, int line, const char *words)
{
    char *start = fl_format("%s/t.job.xml:%d: ", dir, line);
    bool good = !strncmp(err->msg, start, strlen(start)) && strstr(err->msg, words);
    if (!good)
        printf("\n    wanted %s...%s...\n    got    %s\n", start, words, err->msg);
    CU_ASSERT(good);
    free(start);
}

static void refused(char *xml, int line, const char *words)
{
    struct job *job = NULL;
    struct fl_err err = {""};
    CU_ASSERT_EQUAL(load_text(xml, NULL, &job, &err), -1);
    CU_ASSERT_PTR_NULL(job);
    says(&err, line, words);
    job_free(job);
    free(xml);
}

static void refused_line3(const char *line, const char *words)
{
    refused(with_line3(line), 3, words);
}

static char *whole_job(void)
{
    return fl_strdup(
        "<?xml version='1.0'?>\n"
        "<!-- everything a job can hold -->\n"
        "<job name='all' profile='g80' cubin='k.cubin'>\n"
        "  <buffer name='in' size='0x10'><u32>1 2 0x3 <!-- here --> 4294967295</u32></buffer>\n"
        "  <buffer name='f' size='8'><f32>1.5 -2</f32></buffer>\n"
        "  <buffer name='r' size='300'><random type='u8' seed='3'/></buffer>\n"
        "  <buffer name='out' size='0x1000' fill='0xffffffff'/>\n"
        "  <constant bank='0' offset='16'><s32>-1 7</s32></constant>\n"
        "  <launch kernel='k' grid='4,2' block='8,8,2' shared='64'>\n"
        "    <param offset='0x10' buffer='in'/>\n"
        "    <param offset='0x14' buffer='out' plus='0x40'/>\n"
        "  </launch>\n"
        "  <launch kernel='big' grid='1' block='32'>\n"
        "    <param offset='0x10' s32='-5'/>\n"
        "    <param offset='0x18' f32='-0.5'/>\n"
        "    <param offset='0x20' u32='7'/>\n"
        "  </launch>\n"
        "  <output name='all' buffer='out'/>\n"
        "  <output name='tail' buffer='out' offset='0xf00' size='16'/>\n"
        "  <digest sha256='000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1F'/>\n"
        "</job>\n");
}

static uint32_t word(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* ---- jobs ---- */

static void a_job_is_read_as_it_is_written(void)
{
    struct job *j = accepted(whole_job());
    if (!j)
        return;
    CU_ASSERT_STRING_EQUAL(j->name, "all");
    CU_ASSERT_STRING_EQUAL(j->profile.name, "g80");
    CU_ASSERT_EQUAL(j->nbuffers, 4);
    CU_ASSERT_EQUAL(word(j->buffer[0].init + 8), 3);
    CU_ASSERT_EQUAL(word(j->buffer[0].init + 12), 0xffffffff);
    CU_ASSERT_EQUAL(word(j->buffer[1].init), 0x3fc00000);
    CU_ASSERT_EQUAL(word(j->buffer[1].init + 4), 0xc0000000);
    CU_ASSERT_EQUAL(j->konst[0].bank, 0);
    CU_ASSERT_EQUAL(j->konst[0].offset, 16);
    CU_ASSERT_EQUAL(j->konst[0].size, 8);
    CU_ASSERT_EQUAL(word(j->konst[0].data), 0xffffffff);
    CU_ASSERT_EQUAL(j->nlaunches, 2);
    CU_ASSERT_EQUAL(j->launch[0].grid[1], 2);
    CU_ASSERT_EQUAL(j->launch[0].block[2], 2);
    CU_ASSERT_EQUAL(j->launch[0].shared, 64);
    CU_ASSERT_EQUAL(j->launch[1].kernel_index, cubin_find(j->cubin, "big"));
    CU_ASSERT_EQUAL(j->launch[1].param[0].value, 0xfffffffb);
    CU_ASSERT_EQUAL(j->launch[1].param[1].value, 0xbf000000);
    CU_ASSERT_EQUAL(j->launch[1].param[2].offset, 0x20);
    CU_ASSERT_EQUAL(j->output[0].size, 0x1000);
    CU_ASSERT_EQUAL(j->output[1].offset, 0xf00);
    CU_ASSERT_EQUAL(j->output[1].size, 16);
    CU_ASSERT(j->has_digest && j->digest[1] == 1 && j->digest[31] == 0x1f);
    job_free(j);
}

static void buffers_lie_from_0x10000_aligned_with_a_guard_between(void)
{
    struct job *j = accepted(whole_job());
    if (!j)
        return;
    CU_ASSERT_EQUAL(j->buffer[0].addr, 0x10000);
    for (int i = 0; i < j->nbuffers; i++)
        CU_ASSERT_EQUAL(j->buffer[i].addr % 256, 0);
    CU_ASSERT_EQUAL(j->buffer[1].addr, 0x11100);
    for (int i = 1; i < j->nbuffers; i++)
        CU_ASSERT(j->buffer[i].addr >= j->buffer[i - 1].addr + j->buffer[i - 1].size + JOB_GUARD);
    CU_ASSERT_EQUAL(j->launch[0].param[0].value, j->buffer[0].addr);
    CU_ASSERT_EQUAL(j->launch[0].param[1].value, j->buffer[3].addr + 0x40);
    job_free(j);
}

static void fill_is_a_word_and_content_lies_over_it(void)
{
    struct job *j = accepted(
        with_line3("<buffer name='b' size='15' fill='0x44332211'><u32>5</u32></buffer>"));
    if (!j)
        return;
    CU_ASSERT_EQUAL(word(j->buffer[1].init), 5);
    CU_ASSERT_EQUAL(word(j->buffer[1].init + 4), 0x44332211);
    CU_ASSERT_EQUAL(j->buffer[1].init[14], 0x33);
    job_free(j);
}

static void a_job_without_a_name_takes_it_from_its_file(void)
{
    struct job *j = accepted(with_line3(""));
    if (j)
        CU_ASSERT_STRING_EQUAL(j->name, "t");
    job_free(j);
}

static void lines_of_the_file_stay_with_what_they_describe(void)
{
    struct job *j = accepted(whole_job());
    if (!j)
        return;
    CU_ASSERT_EQUAL(j->line, 3);
    CU_ASSERT_EQUAL(j->buffer[1].line, 5);
    CU_ASSERT_EQUAL(j->launch[0].line, 9);
    CU_ASSERT_EQUAL(j->launch[0].param[1].line, 11);
    CU_ASSERT_EQUAL(j->output[1].line, 19);
    job_free(j);
}

static void a_file_gives_exactly_the_bytes_that_are_asked_for(void)
{
    put("data.bin", "0123456789", 10);
    struct job *j = accepted(
        with_line3("<buffer name='b' size='8' fill='0'><file path='data.bin' offset='3' "
                   "size='4'/></buffer><constant bank='1' offset='0'><file path='data.bin' "
                   "offset='8'/></constant>"));
    if (j) {
        CU_ASSERT_EQUAL(memcmp(j->buffer[1].init, "3456\0\0\0\0", 8), 0);
        CU_ASSERT_EQUAL(j->konst[0].size, 2);
        CU_ASSERT_EQUAL(memcmp(j->konst[0].data, "89", 2), 0);
    }
    job_free(j);
    refused_line3("<buffer name='b' size='11'><file path='data.bin'/></buffer>",
                  "holds 10 bytes from offset 0, 11 are needed");
    refused_line3("<buffer name='b' size='8'><file path='data.bin' offset='3'/></buffer>",
                  "holds 7 bytes from offset 3, 8 are needed");
    refused_line3("<buffer name='b' size='8'><file path='data.bin' size='9'/></buffer>",
                  "from 1 to 8");
    refused_line3("<buffer name='b' size='8'><file path='none.bin'/></buffer>", "cannot open");
    refused_line3("<buffer name='b' size='8'><file path='/dev/zero'/></buffer>",
                  "not a regular file");
    refused_line3("<constant bank='1' offset='0'><file path='data.bin' offset='10'/></constant>",
                  "holds 0 bytes");
}

static void random_bytes_follow_from_the_seed_alone(void)
{
    struct job *j = accepted(with_line3(
        "<buffer name='u' size='16'><random type='u32' seed='7'/></buffer>"
        "<buffer name='v' size='32'><random type='u32' seed='7' min='10' max='20'/></buffer>"
        "<buffer name='b' size='9'><random type='u8' seed='3' count='8'/></buffer>"
        "<buffer name='f' size='16'><random type='f32' seed='5' min='-2' max='2'/></buffer>"));
    if (!j)
        return;
    static const uint32_t u[] = {0x63cbe1e4, 0x044c3cd7, 0xe6984080, 0x953aeb70};
    static const uint32_t v[] = {14, 10, 19, 16, 14, 12, 15, 13};
    static const uint8_t b[] = {29, 179, 156, 18, 55, 162, 34, 227, 0};
    static const uint32_t f[] = {0xbee7e628, 0x3f812e62, 0xbf88da5a, 0xbfcd2364};
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(word(j->buffer[1].init + 4 * i), u[i]);
    for (int i = 0; i < 8; i++)
        CU_ASSERT_EQUAL(word(j->buffer[2].init + 4 * i), v[i]);
    CU_ASSERT_EQUAL(memcmp(j->buffer[3].init, b, sizeof b), 0);
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(word(j->buffer[4].init + 4 * i), f[i]);
    job_free(j);
}

static void random_that_cannot_be_meant_is_refused(void)
{
    refused_line3("<buffer name='b' size='4'><random type='u16' seed='1'/></buffer>",
                  "write u32, f32 or u8");
    refused_line3("<buffer name='b' size='4'><random type='u32'/></buffer>",
                  "needs the attribute seed");
    refused_line3(
        "<buffer name='b' size='4'><random type='u32' seed='1' min='5' max='4'/></buffer>",
        "min is above max");
    refused_line3("<buffer name='b' size='4'><random type='u8' seed='1' max='256'/></buffer>",
                  "from 0 to 255");
    refused_line3("<buffer name='b' size='4'><random type='f32' seed='1' max='inf'/></buffer>",
                  "finite");
    refused_line3("<buffer name='b' size='6'><random type='u32' seed='1'/></buffer>",
                  "multiple of 4");
    refused_line3("<buffer name='b' size='3'><random type='u32' seed='1'/></buffer>",
                  "not one value fits");
    refused_line3("<constant bank='0' offset='0'><random type='u32' seed='1'/></constant>",
                  "needs count");
}

static void what_a_job_does_not_know_is_refused(void)
{
    refused_line3("<bufer name='b' size='4'/>", "cannot hold <bufer>");
    refused_line3("<buffer xmlns='urn:x' name='b' size='4'/>", "cannot hold <buffer>");
    refused_line3("<buffer name='b' size='4' color='red'/>", "has no attribute 'color'");
    refused_line3("<buffer name='b' size='4' xml:id='x'/>", "has no attribute 'id'");
    refused_line3("<buffer name='b' size='4'><u64>1</u64></buffer>", "cannot hold <u64>");
    refused_line3("<buffer name='b' size='4'><u32>1</u32><u32>1</u32></buffer>", "one content");
    refused_line3("<buffer name='b' size='4'>hello</buffer>", "holds no text");
    refused_line3("<buffer name='b' size='4'><u32><b/></u32></buffer>", "holds text alone");
    refused_line3("<output name='p' buffer='a'><x/></output>", "holds no elements");
    refused_line3("<launch kernel='k' grid='1' block='1'><arg/></launch>", "holds <param>s only");
    refused(with_line3("stray text"), 1, "holds no text");
}

static void what_is_missing_is_named(void)
{
    refused_line3("<buffer name='b'/>", "needs the attribute size");
    refused_line3("<buffer size='4'/>", "needs the attribute name");
    refused_line3("<constant bank='0' offset='0'/>", "is empty");
    refused_line3("<launch kernel='k' grid='1'/>", "needs the attribute block");
    refused_line3("<output name='p'/>", "needs the attribute buffer");
    refused(fl_strdup("<job cubin='k.cubin'/>"), 1, "needs the attribute profile");
    refused(fl_strdup("<job profile='g80'/>"), 1, "needs the attribute cubin");
    refused(fl_strdup("<job profile='g80' cubin='k.cubin'><buffer name='a' size='4'/></job>"), 1,
            "0 launches");
    refused(fl_strdup("<job profile='g80' cubin='k.cubin'/>"), 1, "");
}

static void numbers_are_checked(void)
{
    static const char *const sizes[] = {
        "",     "0",   "-4",         "1.5",        "0x",
        "4 ",   "4k",  "0x40000001", "4294967296", "99999999999999999999",
        "0x 4", "1e3", "+4"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *line = fl_format("<buffer name='b' size='%s'/>", sizes[i]);
        refused_line3(line, "write a number from 1 to");
        free(line);
    }
    refused_line3("<buffer name='b' size='4'><u32>-1</u32></buffer>", "value 1, '-1'");
    refused_line3("<buffer name='b' size='8'><u32>1 2z</u32></buffer>", "value 2, '2z'");
    refused_line3("<buffer name='b' size='4'><s32>2147483648</s32></buffer>", "'2147483648'");
    refused_line3("<buffer name='b' size='4'><f32>1e99</f32></buffer>", "'1e99'");
    refused_line3("<buffer name='b' size='4'><f32>nan</f32></buffer>", "'nan'");
    refused_line3("<buffer name='b' size='4'><f32>0x1p3</f32></buffer>", "'0x1p3'");
    refused_line3("<buffer name='b' size='4'><u32>1 2</u32></buffer>", "more than the 1 values");
    refused_line3("<buffer name='b' size='3'><u32>1</u32></buffer>", "more than the 0 values");
    refused_line3("<constant bank='16' offset='0'><u32>1</u32></constant>", "from 0 to 15");
    refused_line3("<constant bank='0' offset='65536'><u32>1</u32></constant>", "from 0 to 65535");
    refused_line3("<constant bank='0' offset='65532'><u32>1 2</u32></constant>", "more than the 1");
}

static void floats_are_read_to_the_nearest_bit(void)
{
    static const struct {
        const char *text;
        uint32_t bits;
    } good[] = {{"0", 0},
                {"-0", 0x80000000},
                {"1", 0x3f800000},
                {"0.1", 0x3dcccccd},
                {".5", 0x3f000000},
                {"5.", 0x40a00000},
                {"+2", 0x40000000},
                {"1e-45", 1},
                {"inf", 0x7f800000},
                {"-inf", 0xff800000},
                {"16777217", 0x4b800000}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint32_t bits = ~good[i].bits;
        CU_ASSERT(xml_f32(good[i].text, &bits));
        CU_ASSERT_EQUAL(bits, good[i].bits);
    }
    static const char *const wrong[] = {"",         "-",   "e1",  "1e",  "1 ", " 1",
                                        "infinity", "1,5", "--1", "1e+", ".",  "nan",
                                        "3.5e38",   "-e5", "+-1", "1-1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint32_t bits;
        CU_ASSERT_FALSE(xml_f32(wrong[i], &bits));
    }
}

static void names_are_short_plain_and_unique(void)
{
    refused_line3("<buffer name='a' size='4'/>", "a second buffer 'a'");
    refused_line3("<buffer name='' size='4'/>", "1 to 63 letters");
    refused_line3("<buffer name='a/b' size='4'/>", "1 to 63 letters");
    refused_line3("<output name='../o' buffer='a'/>", "1 to 63 letters");
    refused_line3("<buffer name='"
                  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' size='4'/>",
                  "1 to 63 letters");
    refused(with_line3("<output name='o' buffer='a'/>"), 5, "a second output 'o'");
}

static void all_buffers_together_hold_at_most_1_gib(void)
{
    refused_line3("<buffer name='b' size='0x40000000'/>", "more than 1 GiB");
    struct fl_buf many = {0};
    for (int i = 0; i < SM_MAX_JOB_BUFFERS; i++)
        fl_buf_printf(&many, "<buffer name='b%d' size='4'/>", i);
    refused_line3((const char *)many.data, "more than 64 buffers");
    fl_buf_free(&many);
}

static void references_must_resolve(void)
{
    refused_line3("<output name='p' buffer='b'/>", "no buffer 'b'");
    refused_line3(
        "<launch kernel='k' grid='1' block='1'><param offset='0x10' buffer='b'/></launch>",
        "no buffer 'b'");
    refused_line3("<launch kernel='k' grid='1' block='1'><param offset='0x10' buffer='a' "
                  "plus='65'/></launch>",
                  "from 0 to 64");
    refused_line3("<launch kernel='none' grid='1' block='1'/>", "no kernel 'none'; it holds: ");
    refused_line3("<launch kernel='' grid='1' block='1'/>", "no kernel ''");
}

static void buffers_may_stand_behind_their_use(void)
{
    struct job *j = accepted(
        with_line3("<output name='p' buffer='z'/><buffer name='z' size='4'/>"));
    if (j)
        CU_ASSERT_EQUAL(j->output[0].buffer, 1);
    job_free(j);
}

static void outputs_lie_inside_their_buffer(void)
{
    refused_line3("<output name='p' buffer='a' offset='64'/>", "from 0 to 63");
    refused_line3("<output name='p' buffer='a' offset='60' size='8'/>", "from 1 to 4");
    refused_line3("<output name='p' buffer='a' size='0'/>", "from 1 to 64");
}

static void a_param_has_one_value_and_one_place(void)
{
    static const struct {
        const char *param, *words;
    } cases[] = {
        {"offset='0x10'", "needs one value"},
        {"offset='0x10' u32='1' f32='2'", "needs one value"},
        {"offset='0x10' u32='1' plus='2'", "plus= belongs to buffer="},
        {"offset='0x10' u32='-1'", "u32=\"-1\" is not a number"},
        {"offset='0x10' f32='x'", "f32=\"x\" is not a number"},
        {"offset='0x0c' u32='1'", "from 16 to"},
        {"offset='0x12' u32='1'", "multiple of 4"},
        {"offset='0x18' u32='1'", "the parameters of kernel 'k' end at 0x18"},
        {"offset='0x10' u32='1'/><param offset='16' u32='1'", "a second parameter at 0x10"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *line = fl_format("<launch kernel='k' grid='1' block='1'><param %s/></launch>",
                               cases[i].param);
        refused_line3(line, cases[i].words);
        free(line);
    }
    refused_line3("<launch kernel='big' grid='1' block='1'><param offset='0x40' u32='1'/></launch>",
                  "end at 0x40");
}

static void a_launch_fits_the_profile(void)
{
    refused_line3("<launch kernel='k' grid='0' block='1'/>", "grid 0,1");
    refused_line3("<launch kernel='k' grid='65536' block='1'/>", "grid 65536,1");
    refused_line3("<launch kernel='k' grid='1,2,3' block='1'/>", "up to 2 numbers");
    refused_line3("<launch kernel='k' grid='1,' block='1'/>", "up to 2 numbers");
    refused_line3("<launch kernel='k' grid='1' block='1,1,0'/>", "block 1,1,0");
    refused_line3("<launch kernel='k' grid='1' block='1,1,65'/>", "block 1,1,65");
    refused_line3("<launch kernel='k' grid='1' block='65'/>", "65 threads, profile tiny allows 64");
    refused_line3("<launch kernel='big' grid='1' block='33'/>",
                  "40 registers for each of 64 threads");
    refused_line3("<launch kernel='k' grid='1' block='1' shared='193'/>",
                  "needs 272 bytes of shared memory");
    struct job *j = accepted(with_line3("<launch kernel='k' grid='1' block='64' shared='192'/>"));
    job_free(j);
}

/* A job built in memory; what job_finish says about one parameter at `offset`. */
static int finish_with_param(uint32_t offset, uint32_t shared_bytes, struct fl_err *err)
{
    struct cubin_kernel bare = {.name = "bare", .regs = 2, .shared_bytes = shared_bytes};
    struct cubin cubin = {.kernel = &bare, .nkernels = 1};
    struct job_param p = {.offset = offset};
    struct job_launch l = {
        .kernel = "bare", .grid = {1, 1}, .block = {1, 1, 1}, .param = &p, .nparams = 1};
    struct job job = {.path = "x.cubin", .cubin = &cubin, .launch = &l, .nlaunches = 1};
    CU_ASSERT_EQUAL_FATAL(profile_load("g80", &job.profile, err), 0);
    return job_finish(&job, err);
}

static void a_kernel_that_states_no_parameters_takes_256_bytes(void)
{
    struct fl_err err = {""};
    CU_ASSERT_EQUAL(finish_with_param(0x10c, 0, &err), 0);
    CU_ASSERT_EQUAL(finish_with_param(0x110, 0, &err), -1);
    CU_ASSERT_EQUAL(finish_with_param(0x18, 0x1c, &err), 0);
    CU_ASSERT_EQUAL(finish_with_param(0x1c, 0x1c, &err), -1);
}

static void a_job_without_a_file_is_refused_under_the_name_of_its_cubin(void)
{
    struct fl_err err = {""};
    CU_ASSERT_EQUAL(finish_with_param(0xc, 0, &err), -1);
    CU_ASSERT_EQUAL(strncmp(err.msg, "x.cubin: parameter at 0xc", 25), 0);
}

static void wide_code_needs_a_wide_profile(void)
{
    static const char form[] = "<job profile='%s' cubin='wide.cubin'>\n"
                               "<launch kernel='k' grid='1' block='1'/>\n</job>";
    refused(fl_format(form, "g80"), 1, "use profile flexgripplus");
    struct job *j = accepted(fl_format(form, "flexgripplus"));
    job_free(j);
}

static void code_behind_a_24_bit_code_space_needs_a_wide_profile(void)
{
    static const char form[] = "<job profile='%s' cubin='%s'>\n"
                               "<launch kernel='k' grid='1' block='1'/>\n</job>";
    refused(fl_format(form, "g80", "behind.cubin"), 1, "code space of 0x1000000 bytes");
    job_free(accepted(fl_format(form, "flexgripplus", "behind.cubin")));
    job_free(accepted(fl_format(form, "g80", "last.cubin")));
}

static void a_digest_is_64_hex_digits_once(void)
{
    static const char zeros[] = "0000000000000000000000000000000000000000000000000000000000000000";
    refused_line3("<digest/>", "needs the attribute sha256");
    refused_line3("<digest sha256='12'/>", "64 hex digits");
    char *line = fl_format("<digest sha256='%.63sg'/>", zeros);
    refused_line3(line, "64 hex digits");
    free(line);
    line = fl_format("<digest sha256='%s'/><digest sha256='%s'/>", zeros, zeros);
    refused_line3(line, "a second <digest>");
    free(line);
    refused(fl_format("<job profile='g80' cubin='k.cubin'>\n<launch kernel='k' grid='1' "
                      "block='1'/>\n<digest sha256='%s'/></job>",
                      zeros),
            1, "a digest without an output");
}

static void a_missing_or_damaged_cubin_is_refused(void)
{
    static const char form[] = "<job profile='g80'\ncubin='%s'>\n<launch kernel='k' grid='1' "
                               "block='1'/></job>";
    put("junk.cubin", "\177ELF junk", 9);
    refused(fl_format(form, "none.cubin"), 2, "none.cubin");
    refused(fl_format(form, "junk.cubin"), 2, "junk.cubin");
    refused(fl_format(form, "/dev/null"), 2, "not a regular file");
    refused(fl_format(form, ""), 2, "");
}

static void a_cubin_is_found_beside_its_job(void)
{
    struct job *j = accepted(with_line3("")); /* the test runs in another folder */
    CU_ASSERT_PTR_NOT_NULL(j);
    job_free(j);
}

static void an_unknown_profile_is_refused(void)
{
    refused(fl_strdup("<job profile='g81' cubin='k.cubin'><launch kernel='k' grid='1' "
                      "block='1'/></job>"),
            1, "g80, flexgripplus, flexgripplus-rtl and tiny are shipped");
}

static void another_profile_than_the_jobs_is_refused(void)
{
    struct job *j = NULL;
    struct fl_err err = {""};
    char *xml = with_line3("");
    CU_ASSERT_EQUAL(load_text(xml, "g80", &j, &err), -1);
    says(&err, 1, "--profile g80 contradicts profile \"tiny\"");
    CU_ASSERT_EQUAL(load_text(xml, "tiny", &j, &err), 0);
    job_free(j);
    char *path = xml_data_file("profiles/tiny.xml");
    CU_ASSERT_EQUAL(load_text(xml, path, &j, &err), 0);
    job_free(j);
    free(path);
    free(xml);
}

static void broken_xml_is_refused_where_it_breaks(void)
{
    refused(fl_strdup("<job>\n<buffer>\n</job>\n"), 3, "not well-formed");
    refused(fl_strdup("<job\na='1'\na='2'/>\n"), 3, "not well-formed");
    refused(fl_strdup(""), 1, "the file is empty");
    refused(fl_strdup("<!-- -->"), 1, "");
    refused(fl_strdup("<jobs/>"), 1, "holds a <jobs>, a <job> is needed");
    refused(fl_strdup("<job profile='&lt;&wrong;'/>"), 1, "not well-formed");
    refused(fl_strdup("<job profile='\xff\xfe'/>"), 1, "not well-formed");
    refused(fl_strdup("<?xml version='1.0' encoding='nonsense'?><job/>"), 1, "");
}

static void document_types_and_entities_are_refused(void)
{
    refused(fl_strdup("<?xml version='1.0'?>\n<!DOCTYPE job [\n<!ENTITY a 'x'>\n<!ENTITY b "
                      "'&a;&a;&a;'>\n]>\n<job profile='&b;'/>"),
            2, "document type declarations are not accepted");
    refused(fl_strdup("<!DOCTYPE job SYSTEM 'http://127.0.0.1/job.dtd'>\n<job/>"), 1,
            "document type declarations are not accepted");
    refused(fl_strdup("<!DOCTYPE job SYSTEM '/etc/passwd' [ <!ENTITY % e SYSTEM '/etc/passwd'> %e; "
                      "]>\n<job/>"),
            1, "document type declarations are not accepted");
}

static void a_file_larger_than_16_mib_is_refused(void)
{
    size_t n = FL_XML_BYTES + 1;
    char *big = fl_alloc(n + 1);
    memset(big, ' ', n);
    refused(big, 1, "put the data into files of their own");
}

static void the_schema_has_the_last_word(void)
{
    put("t.job.xml", "<job profile='g80'\n><launch/></job>", 36);
    char *path = in_dir("t.job.xml");
    struct xml_file f;
    struct fl_err err = {""};
    CU_ASSERT_EQUAL(xml_open(path, "job", &f, &err), 0);
    CU_ASSERT_EQUAL(xml_validate(&f, "docs/job.rng", &err), -1);
    says(&err, 2, "docs/formats.md");
    xml_close(&f);
    free(path);
}

static void a_missing_schema_is_an_error_that_names_it(void)
{
    put("t.job.xml", "<job/>", 6);
    char *path = in_dir("t.job.xml");
    struct xml_file f;
    struct fl_err err = {""};
    CU_ASSERT_EQUAL(xml_open(path, "job", &f, &err), 0);
    CU_ASSERT_EQUAL(xml_validate(&f, "docs/none.rng", &err), -1);
    says(&err, 1, "docs/none.rng");
    xml_close(&f);
    free(path);
}

static void a_job_cut_off_anywhere_is_refused_calmly(void)
{
    char *whole = whole_job();
    size_t n = strlen(whole);
    for (size_t i = 0; i + 1 < n; i++) { /* but for the newline at the end */
        struct job *j = NULL;
        struct fl_err err = {""};
        put("t.job.xml", whole, i);
        char *path = in_dir("t.job.xml");
        CU_ASSERT_EQUAL(job_load(path, NULL, &j, &err), -1);
        CU_ASSERT_EQUAL(strncmp(err.msg, path, strlen(path)), 0);
        job_free(j);
        free(path);
    }
    free(whole);
}

/* Flips, copies and drops bytes: whatever comes out, loading ends with a job or a message. */
static void a_mangled_job_is_read_or_refused_calmly(void)
{
    char *whole = whole_job();
    size_t n = strlen(whole);
    uint32_t seed = 1;
    char *path = in_dir("t.job.xml");
    for (int round = 0; round < (SANITIZED ? 500 : 1500); round++) {
        char *text = fl_alloc(n + 1);
        memcpy(text, whole, n);
        for (int hits = 0; hits < 1 + round % 4; hits++) {
            seed = seed * 1664525u + 1013904223u;
            size_t at = (seed >> 8) % n, from = (seed >> 4) % n;
            if (seed >> 31)
                text[at] = (char)(text[at] ^ (1 << (seed >> 28 & 7)));
            else
                text[at] = whole[from];
        }
        struct job *j = NULL;
        struct fl_err err = {""};
        put("t.job.xml", text, n);
        int result = job_load(path, NULL, &j, &err);
        CU_ASSERT(result == 0 ? j && !err.msg[0] : !j && !strncmp(err.msg, path, strlen(path)));
        job_free(j);
        free(text);
    }
    free(path);
    free(whole);
}

static void *load_often(void *path)
{
    for (int i = 0; i < (SANITIZED ? 8 : 20); i++) {
        struct job *j = NULL;
        struct fl_err err;
        if (job_load(path, NULL, &j, &err))
            return path;
        job_free(j);
    }
    return NULL;
}

static void threads_load_jobs_side_by_side(void)
{
    char *path = in_dir("threads.job.xml"), *xml = whole_job();
    pthread_t t[4];
    put("threads.job.xml", xml, strlen(xml));
    for (int i = 0; i < 4; i++)
        CU_ASSERT_EQUAL(pthread_create(&t[i], NULL, load_often, path), 0);
    for (int i = 0; i < 4; i++) {
        void *failed = path;
        pthread_join(t[i], &failed);
        CU_ASSERT_PTR_NULL(failed);
    }
    free(path);
    free(xml);
}

static void sha256_is_taken_over_the_ranges_in_order(void)
{
    static const uint8_t abc[32] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea,
                                    0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
                                    0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c,
                                    0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
    const struct job_range r[] = {{(const uint8_t *)"a", 1}, {NULL, 0}, {(const uint8_t *)"bc", 2}};
    uint8_t digest[32];
    job_sha256(r, 3, digest); /* FIPS 180-2, appendix B.1 */
    CU_ASSERT_EQUAL(memcmp(digest, abc, sizeof abc), 0);
}

/* ---- profiles ---- */

static void the_shipped_profiles_have_the_stated_sizes(void)
{
    static const struct {
        const char *name;
        int warps, regs, shared, entries, spill, bits;
    } want[] = {{"g80", 24, 8192, 16384, 32, 64, 24},
                {"flexgripplus", 24, 8192, 16384, 32, 0, 32},
                {"tiny", 2, 2048, 256, 4, 0, 32}};
    for (int i = 0; i < 3; i++) {
        struct profile p;
        struct fl_err err;
        CU_ASSERT_EQUAL(profile_load(want[i].name, &p, &err), 0);
        CU_ASSERT_STRING_EQUAL(p.name, want[i].name);
        CU_ASSERT(p.warps == want[i].warps && p.regs == want[i].regs);
        CU_ASSERT(p.shared_bytes == want[i].shared && p.stack_entries == want[i].entries);
        CU_ASSERT(p.stack_spill == want[i].spill && p.code_bits == want[i].bits);
        CU_ASSERT(p.sps == 8 && p.sfu_cycles == 16 && p.clock_mhz == 1350);
    }
}

/* tiny.xml with one text replaced by another. */
static void profile_refused(const char *from, const char *to, const char *words)
{
    struct fl_buf text = {0};
    struct fl_err err = {""};
    struct profile p;
    char *tiny = xml_data_file("profiles/tiny.xml"), *path = in_dir("p.xml");
    CU_ASSERT_EQUAL_FATAL(fl_read_file(tiny, &text, &err), 0);
    char *at = strstr((char *)text.data, from);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    char *xml = fl_format("%.*s%s%s", (int)(at - (char *)text.data), text.data, to,
                          at + strlen(from));
    put("p.xml", xml, strlen(xml));
    CU_ASSERT_EQUAL(profile_load(path, &p, &err), -1);
    bool good = !strncmp(err.msg, path, strlen(path)) && err.msg[strlen(path)] == ':' &&
                strstr(err.msg, words);
    if (!good)
        printf("\n    wanted ...%s...\n    got    %s\n", words, err.msg);
    CU_ASSERT(good);
    free(xml);
    free(path);
    free(tiny);
    fl_buf_free(&text);
}

static void a_profile_that_contradicts_itself_is_refused(void)
{
    profile_refused("<threads_per_sm>64<", "<threads_per_sm>65<", "2 warps hold 64 threads");
    profile_refused("<threads_per_block>64<", "<threads_per_block>65<",
                    "contradicts <threads_per_sm>");
    profile_refused("<blocks_per_sm>2<", "<blocks_per_sm>3<", "contradicts <warps>");
    profile_refused("<regs>2048<", "<regs>2050<", "multiple of 32");
    profile_refused("<shared_bytes>256<", "<shared_bytes>250<", "multiple of 16");
    profile_refused("<shared_banks>16<", "<shared_banks>12<", "power of two");
    profile_refused("<sps>8<", "<sps>12<", "8, 16 or 32");
    profile_refused("<code_bits>32<", "<code_bits>28<", "18, 24 or 32 bits");
}

static void a_profile_says_everything_once_and_in_range(void)
{
    profile_refused("<sps>8</sps>", "", "<sps> is missing");
    profile_refused("<clock_mhz>1350</clock_mhz>", "", "<clock_mhz> is missing");
    profile_refused("<sps>8</sps>", "<sps>8</sps><sps>8</sps>", "given twice");
    profile_refused("<sps>8</sps>", "<spx>8</spx>", "a profile has no <spx>");
    profile_refused("<warps>2<", "<warps>25<", "from 1 to 24");
    profile_refused("<warps>2<", "<warps>two<", "from 1 to 24");
    profile_refused("<warps>2<", "<warps><b/><", "holds text alone");
    profile_refused("<clock_mhz>1350<", "<clock_mhz>0<", "from 0.001");
    profile_refused("<clock_mhz>1350<", "<clock_mhz>-inf<", "from 0.001");
    profile_refused("name=\"tiny\"", "name=\"a b\"", "letters");
    profile_refused("name=\"tiny\"", "", "needs the attribute name");
}

static void a_profile_is_found_in_the_folder_that_the_environment_names(void)
{
    struct profile p;
    struct fl_err err = {""};
    setenv("FAULTLINE_DATA", dir, 1);
    CU_ASSERT_EQUAL(profile_load("tiny", &p, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, dir));
    setenv("FAULTLINE_DATA", FAULTLINE_SOURCE_DIR, 1);
    CU_ASSERT_EQUAL(profile_load("tiny", &p, &err), 0);
    unsetenv("FAULTLINE_DATA");
}

/* ---- smrun ---- */

static void smrun_says(const char *arguments, int status, const char *words)
{
    tools_expect(dir, "smrun", arguments, status, words);
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
    smrun_says("k.cubin --kernel k --profile none", 1, "are shipped");
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
    put("in.bin", "abcd", 4);
    smrun_says("k.cubin --kernel k --grid 2 --block 32 --buffer a=in.bin --buffer b=8 --param "
               "0x10:buf:a --param 0x14:f32:1.5 --dump a=out.bin",
               0, "instructions  2 of a warp");
    struct fl_buf out = {0};
    char *path = in_dir("out.bin");
    CU_ASSERT_EQUAL(fl_read_file(path, &out, NULL), 0);
    CU_ASSERT(out.size == 4 && !memcmp(out.data, "abcd", 4));
    fl_buf_free(&out);
    free(path);
}

static void expect_compares_the_digest(void)
{
    /* SHA-256 of 64 zero bytes, which is what `a` holds after a kernel that does nothing */
    static const char zeros[] = "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b";
    char *line = fl_format("<digest sha256='%s'/>", zeros), *xml = with_line3(line);
    put("good.job.xml", xml, strlen(xml));
    free(xml);
    line[16] = '0'; /* the first digit */
    xml = with_line3(line);
    put("wrong.job.xml", xml, strlen(xml));
    free(xml);
    free(line);
    xml = with_line3("");
    put("plain.job.xml", xml, strlen(xml));
    free(xml);
    smrun_says("good.job.xml --expect", 0, "as the job states");
    smrun_says("wrong.job.xml --expect", 1, "differ from the digest it states");
    smrun_says("wrong.job.xml", 0, "DIFFERS");
    smrun_says("plain.job.xml --expect", 1, "states no digest");
    smrun_says("plain.job.xml", 0, zeros);
}

static void a_trace_has_a_line_for_each_warp_instruction(void)
{
    char *xml = with_line3(""), *path = in_dir("t.trace");
    struct fl_buf trace = {0};
    put("t.job.xml", xml, strlen(xml));
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

static void a_trap_is_named_with_its_place_and_exits_1(void)
{
    smrun_says("k.cubin --kernel falls", 1, "trap FETCH_UNMAPPED in kernel 'falls' at pc 0x000008");
    smrun_says("k.cubin --kernel falls --profile tiny", 1, "end every path with .EXIT");
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
    dir = tools_folder();
    make_cubins();
    int status = CHECK_RUN(
        "job", CHECK(a_job_is_read_as_it_is_written),
        CHECK(buffers_lie_from_0x10000_aligned_with_a_guard_between),
        CHECK(fill_is_a_word_and_content_lies_over_it),
        CHECK(a_job_without_a_name_takes_it_from_its_file),
        CHECK(lines_of_the_file_stay_with_what_they_describe),
        CHECK(a_file_gives_exactly_the_bytes_that_are_asked_for),
        CHECK(random_bytes_follow_from_the_seed_alone),
        CHECK(random_that_cannot_be_meant_is_refused), CHECK(what_a_job_does_not_know_is_refused),
        CHECK(what_is_missing_is_named), CHECK(numbers_are_checked),
        CHECK(floats_are_read_to_the_nearest_bit), CHECK(names_are_short_plain_and_unique),
        CHECK(all_buffers_together_hold_at_most_1_gib), CHECK(references_must_resolve),
        CHECK(buffers_may_stand_behind_their_use), CHECK(outputs_lie_inside_their_buffer),
        CHECK(a_param_has_one_value_and_one_place), CHECK(a_launch_fits_the_profile),
        CHECK(a_kernel_that_states_no_parameters_takes_256_bytes),
        CHECK(a_job_without_a_file_is_refused_under_the_name_of_its_cubin),
        CHECK(wide_code_needs_a_wide_profile),
        CHECK(code_behind_a_24_bit_code_space_needs_a_wide_profile),
        CHECK(a_digest_is_64_hex_digits_once), CHECK(a_missing_or_damaged_cubin_is_refused),
        CHECK(a_cubin_is_found_beside_its_job), CHECK(an_unknown_profile_is_refused),
        CHECK(another_profile_than_the_jobs_is_refused),
        CHECK(broken_xml_is_refused_where_it_breaks),
        CHECK(document_types_and_entities_are_refused), CHECK(a_file_larger_than_16_mib_is_refused),
        CHECK(the_schema_has_the_last_word), CHECK(a_missing_schema_is_an_error_that_names_it),
        CHECK(a_job_cut_off_anywhere_is_refused_calmly),
        CHECK(a_mangled_job_is_read_or_refused_calmly), CHECK(threads_load_jobs_side_by_side),
        CHECK(sha256_is_taken_over_the_ranges_in_order),
        CHECK(the_shipped_profiles_have_the_stated_sizes),
        CHECK(a_profile_that_contradicts_itself_is_refused),
        CHECK(a_profile_says_everything_once_and_in_range),
        CHECK(a_profile_is_found_in_the_folder_that_the_environment_names),
        CHECK(wrong_usage_of_smrun_exits_2), CHECK(what_smrun_cannot_use_exits_1_with_a_message),
        CHECK(smrun_lists_the_kernels_of_a_cubin), CHECK(smrun_runs_a_kernel_and_dumps_its_buffers),
        CHECK(expect_compares_the_digest), CHECK(a_trace_has_a_line_for_each_warp_instruction),
        CHECK(a_trap_is_named_with_its_place_and_exits_1),
        CHECK(a_program_that_does_not_end_is_stopped_at_max_cycles),
        CHECK(a_run_whose_state_recurs_is_ended_and_said));
    tools_remove(dir);
    return status;
}
