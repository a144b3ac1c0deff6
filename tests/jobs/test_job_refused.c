/* test_job_refused.c -- job.xml that is refused: with the line, and what is wrong there. */
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

static void random_that_cannot_be_meant_is_refused(void)
{
    jobs_refused_line3("<buffer name='b' size='4'><random type='u16' seed='1'/></buffer>",
                       "write u32, f32 or u8");
    jobs_refused_line3("<buffer name='b' size='4'><random type='u32'/></buffer>",
                       "needs the attribute seed");
    jobs_refused_line3(
        "<buffer name='b' size='4'><random type='u32' seed='1' min='5' max='4'/></buffer>",
        "min is above max");
    jobs_refused_line3("<buffer name='b' size='4'><random type='u8' seed='1' max='256'/></buffer>",
                       "from 0 to 255");
    jobs_refused_line3("<buffer name='b' size='4'><random type='f32' seed='1' max='inf'/></buffer>",
                       "finite");
    jobs_refused_line3("<buffer name='b' size='6'><random type='u32' seed='1'/></buffer>",
                       "multiple of 4");
    jobs_refused_line3("<buffer name='b' size='3'><random type='u32' seed='1'/></buffer>",
                       "not one value fits");
    jobs_refused_line3("<constant bank='0' offset='0'><random type='u32' seed='1'/></constant>",
                       "needs count");
}

static void what_a_job_does_not_know_is_refused(void)
{
    jobs_refused_line3("<bufer name='b' size='4'/>", "cannot hold <bufer>");
    jobs_refused_line3("<buffer xmlns='urn:x' name='b' size='4'/>", "cannot hold <buffer>");
    jobs_refused_line3("<buffer name='b' size='4' color='red'/>", "has no attribute 'color'");
    jobs_refused_line3("<buffer name='b' size='4' xml:id='x'/>", "has no attribute 'id'");
    jobs_refused_line3("<buffer name='b' size='4'><u64>1</u64></buffer>", "cannot hold <u64>");
    jobs_refused_line3("<buffer name='b' size='4'><u32>1</u32><u32>1</u32></buffer>",
                       "one content");
    jobs_refused_line3("<buffer name='b' size='4'>hello</buffer>", "holds no text");
    jobs_refused_line3("<buffer name='b' size='4'><u32><b/></u32></buffer>", "holds text alone");
    jobs_refused_line3("<output name='p' buffer='a'><x/></output>", "holds no elements");
    jobs_refused_line3("<launch kernel='k' grid='1' block='1'><arg/></launch>",
                       "holds <param>s only");
    jobs_refused(jobs_with_line3("stray text"), 1, "holds no text");
}

static void what_is_missing_is_named(void)
{
    jobs_refused_line3("<buffer name='b'/>", "needs the attribute size");
    jobs_refused_line3("<buffer size='4'/>", "needs the attribute name");
    jobs_refused_line3("<constant bank='0' offset='0'/>", "is empty");
    jobs_refused_line3("<launch kernel='k' grid='1'/>", "needs the attribute block");
    jobs_refused_line3("<launch kernel='k' grid='?' block='?'/>",
                       "<launch> grid=\"?\": put in the value; 1 more wait for theirs");
    jobs_refused_line3("<output name='p'/>", "needs the attribute buffer");
    jobs_refused(fl_strdup("<job cubin='k.cubin'/>"), 1, "needs the attribute profile");
    jobs_refused(fl_strdup("<job profile='g80'/>"), 1, "needs the attribute cubin");
    jobs_refused(fl_strdup("<job profile='g80' cubin='k.cubin'><buffer name='a' size='4'/></job>"),
                 1, "0 launches");
    jobs_refused(fl_strdup("<job profile='g80' cubin='k.cubin'/>"), 1, "");
}

static void numbers_are_checked(void)
{
    static const char *const sizes[] = {
        "",     "0",   "-4",         "1.5",        "0x",
        "4 ",   "4k",  "0x40000001", "4294967296", "99999999999999999999",
        "0x 4", "1e3", "+4"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *line = fl_format("<buffer name='b' size='%s'/>", sizes[i]);
        jobs_refused_line3(line, "write a number from 1 to");
        free(line);
    }
    jobs_refused_line3("<buffer name='b' size='4'><u32>-1</u32></buffer>", "value 1, '-1'");
    jobs_refused_line3("<buffer name='b' size='8'><u32>1 2z</u32></buffer>", "value 2, '2z'");
    jobs_refused_line3("<buffer name='b' size='4'><s32>2147483648</s32></buffer>", "'2147483648'");
    jobs_refused_line3("<buffer name='b' size='4'><f32>1e99</f32></buffer>", "'1e99'");
    jobs_refused_line3("<buffer name='b' size='4'><f32>nan</f32></buffer>", "'nan'");
    jobs_refused_line3("<buffer name='b' size='4'><f32>0x1p3</f32></buffer>", "'0x1p3'");
    jobs_refused_line3("<buffer name='b' size='4'><u32>1 2</u32></buffer>",
                       "more than the 1 values");
    jobs_refused_line3("<buffer name='b' size='3'><u32>1</u32></buffer>", "more than the 0 values");
    jobs_refused_line3("<constant bank='16' offset='0'><u32>1</u32></constant>", "from 0 to 15");
    jobs_refused_line3("<constant bank='0' offset='65536'><u32>1</u32></constant>",
                       "from 0 to 65535");
    jobs_refused_line3("<constant bank='0' offset='65532'><u32>1 2</u32></constant>",
                       "more than the 1");
}

static void names_are_short_plain_and_unique(void)
{
    jobs_refused_line3("<buffer name='a' size='4'/>", "a second buffer 'a'");
    jobs_refused_line3("<buffer name='' size='4'/>", "1 to 63 letters");
    jobs_refused_line3("<buffer name='a/b' size='4'/>", "1 to 63 letters");
    jobs_refused_line3("<output name='../o' buffer='a'/>", "1 to 63 letters");
    jobs_refused_line3(
        "<buffer name='"
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' size='4'/>",
        "1 to 63 letters");
    jobs_refused(jobs_with_line3("<output name='o' buffer='a'/>"), 5, "a second output 'o'");
}

static void all_buffers_together_hold_at_most_1_gib(void)
{
    jobs_refused_line3("<buffer name='b' size='0x40000000'/>", "more than 1 GiB");
    struct fl_buf many = {0};
    for (int i = 0; i < SM_MAX_JOB_BUFFERS; i++)
        fl_buf_printf(&many, "<buffer name='b%d' size='4'/>", i);
    jobs_refused_line3((const char *)many.data, "more than 4096 buffers");
    fl_buf_free(&many);
}

static void what_the_host_does_between_launches_stays_within_buffers(void)
{
    static const struct {
        const char *step, *why;
    } list[] = {
        {"<write><u32>1</u32></write>", "needs a buffer="},
        {"<write buffer='a' bank='0'><u32>1</u32></write>", "needs a buffer="},
        {"<write buffer='b'><u32>1</u32></write>", "no buffer 'b'"},
        {"<write buffer='a'/>", "<write> is empty"},
        {"<write bank='16'><u32>1</u32></write>", "bank"},
        {"<fill buffer='a' offset='0x1000000' value='0'/>", "offset"},
        {"<copy buffer='a' size='8' to='a' at='4'/>", "onto itself"},
        {"<copy buffer='a' size='8' to='b'/>", "no buffer 'b'"},
        {"<buffer name='b' size='4' address='0x10001'/>", "a multiple of 256"},
        {"<buffer name='b' size='4' address='0x10000'/><buffer name='c' size='4' "
         "address='0x10100'/>",
         "less than 4096 bytes behind buffer 'b'"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        jobs_refused_line3(list[i].step, list[i].why);
}

/* Line 4 has the launch that traps. */
static char *trapping(const char *behind)
{
    return fl_format(
        "<job profile='tiny' cubin='k.cubin'>\n<buffer name='a' size='64'/>\n"
        "<read name='r' buffer='a'/>\n"
        "<launch kernel='falls' grid='1' block='1' trap='FETCH_UNMAPPED'/>\n%s\n</job>\n",
        behind);
}

static void a_trap_is_stated_of_the_last_launch_and_leaves_no_memory(void)
{
    static const char launch[] = "<launch kernel='k' grid='1' block='1'/>";
    job_free(jobs_accepted(trapping("")));
    jobs_refused(trapping(launch), 4, "only its last launch can state one");
    jobs_refused(trapping("<output name='o' buffer='a'/>"), 5, "take it with a <read> before");
    jobs_refused(trapping("<read name='o' buffer='a'/>"), 5, "put it before the launch");
    jobs_refused_line3("<repeat until='1' buffer='a' limit='1'>"
                       "<launch kernel='falls' grid='1' block='1' trap='FETCH_UNMAPPED'/></repeat>",
                       "only its last launch can state one");
}

static void references_must_resolve(void)
{
    jobs_refused_line3("<output name='p' buffer='b'/>", "no buffer 'b'");
    jobs_refused_line3(
        "<launch kernel='k' grid='1' block='1'><param offset='0x10' buffer='b'/></launch>",
        "no buffer 'b'");
    jobs_refused_line3("<launch kernel='k' grid='1' block='1'><param offset='0x10' buffer='a' "
                       "plus='65'/></launch>",
                       "from 0 to 64");
    jobs_refused_line3("<launch kernel='none' grid='1' block='1'/>",
                       "no kernel 'none'; it holds: ");
    jobs_refused_line3("<launch kernel='' grid='1' block='1'/>", "no kernel ''");
}

static void outputs_lie_inside_their_buffer(void)
{
    jobs_refused_line3("<output name='p' buffer='a' offset='64'/>", "from 0 to 63");
    jobs_refused_line3("<output name='p' buffer='a' offset='60' size='8'/>", "from 1 to 4");
    jobs_refused_line3("<output name='p' buffer='a' size='0'/>", "from 1 to 64");
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
        jobs_refused_line3(line, cases[i].words);
        free(line);
    }
    jobs_refused_line3(
        "<launch kernel='big' grid='1' block='1'><param offset='0x40' u32='1'/></launch>",
        "end at 0x40");
}

#define REPEAT(attributes, body) "<repeat " attributes ">" body "</repeat>"
#define ONCE                     "<launch kernel='k' grid='1' block='1'/>"

static void a_repeat_has_launches_a_word_and_a_limit(void)
{
    jobs_refused_line3(REPEAT("until='0' buffer='a'", ONCE), "needs the attribute limit");
    jobs_refused_line3(REPEAT("until='0' buffer='b' limit='2'", ONCE), "no buffer 'b'");
    jobs_refused_line3(REPEAT("until='0' buffer='a' limit='0'", ONCE), "limit");
    jobs_refused_line3(REPEAT("until='0' buffer='a' offset='2' limit='2'", ONCE),
                       "a multiple of 4");
    jobs_refused_line3(REPEAT("until='0' buffer='a' limit='2'", ""), "add a <launch>");
    jobs_refused_line3(REPEAT("until='0' buffer='a' limit='2'", "<output name='o' buffer='a'/>"),
                       "<repeat> holds launch, write, fill, copy and read");
    jobs_refused_line3(
        REPEAT("until='0' buffer='a' limit='2'", ONCE "<fill buffer='a' value='0'/>"),
        "ends with its last <launch>");
    jobs_refused_line3(REPEAT("until='0' buffer='a' limit='65536'", ONCE ONCE), "lower the limit");
    job_free(jobs_accepted(jobs_with_line3(REPEAT("until='0' buffer='a' limit='2'", ONCE ONCE))));
}

static void a_launch_fits_the_profile(void)
{
    jobs_refused_line3("<launch kernel='k' grid='0' block='1'/>", "grid 0,1");
    jobs_refused_line3("<launch kernel='k' grid='65536' block='1'/>", "grid 65536,1");
    jobs_refused_line3("<launch kernel='k' grid='1,2,3' block='1'/>", "up to 2 numbers");
    jobs_refused_line3("<launch kernel='k' grid='1,' block='1'/>", "up to 2 numbers");
    jobs_refused_line3("<launch kernel='k' grid='1' block='1,1,0'/>", "block 1,1,0");
    jobs_refused_line3("<launch kernel='k' grid='1' block='1,1,65'/>", "block 1,1,65");
    jobs_refused_line3("<launch kernel='k' grid='1' block='65'/>",
                       "65 threads, profile tiny allows 64");
    jobs_refused_line3("<launch kernel='big' grid='1' block='33'/>",
                       "40 registers for each of 64 threads");
    jobs_refused_line3("<launch kernel='k' grid='1' block='1' shared='193'/>",
                       "needs 272 bytes of shared memory");
    struct job *j = jobs_accepted(
        jobs_with_line3("<launch kernel='k' grid='1' block='64' shared='192'/>"));
    job_free(j);
}

static void a_job_without_a_file_is_refused_under_the_name_of_its_cubin(void)
{
    struct fl_err err = {""};
    CU_ASSERT_EQUAL(jobs_finish_with_param(0xc, 0, &err), -1);
    CU_ASSERT_EQUAL(strncmp(err.msg, "x.cubin: parameter at 0xc", 25), 0);
}

static void wide_code_needs_a_wide_profile(void)
{
    static const char form[] = "<job profile='%s' cubin='wide.cubin'>\n"
                               "<launch kernel='k' grid='1' block='1'/>\n</job>";
    jobs_refused(fl_format(form, "g80"), 1, "use profile flexgripplus");
    struct job *j = jobs_accepted(fl_format(form, "flexgripplus"));
    job_free(j);
}

static void code_behind_a_24_bit_code_space_needs_a_wide_profile(void)
{
    static const char form[] = "<job profile='%s' cubin='%s'>\n"
                               "<launch kernel='k' grid='1' block='1'/>\n</job>";
    jobs_refused(fl_format(form, "g80", "behind.cubin"), 1, "code space of 0x1000000 bytes");
    job_free(jobs_accepted(fl_format(form, "flexgripplus", "behind.cubin")));
    job_free(jobs_accepted(fl_format(form, "g80", "last.cubin")));
}

static void a_digest_is_64_hex_digits_once(void)
{
    static const char zeros[] = "0000000000000000000000000000000000000000000000000000000000000000";
    jobs_refused_line3("<digest/>", "needs the attribute sha256");
    jobs_refused_line3("<digest sha256='12'/>", "64 hex digits");
    char *line = fl_format("<digest sha256='%.63sg'/>", zeros);
    jobs_refused_line3(line, "64 hex digits");
    free(line);
    line = fl_format("<digest sha256='%s'/><digest sha256='%s'/>", zeros, zeros);
    jobs_refused_line3(line, "a second <digest>");
    free(line);
    jobs_refused(fl_format("<job profile='g80' cubin='k.cubin'>\n<launch kernel='k' grid='1' "
                           "block='1'/>\n<digest sha256='%s'/></job>",
                           zeros),
                 1, "a digest without an output");
}

static void a_module_that_does_not_fit_is_refused(void)
{
    static const char form[] = "<job profile='flexgripplus' cubin='k.cubin'>\n%s\n"
                               "<launch kernel='k' grid='1' block='1'/></job>";
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"<module name='m'/>", "needs the attribute cubin"},
        {"<module name='a/b' cubin='last.cubin'/>", "write 1 to 63 letters"},
        {"<module name='m' cubin='none.cubin'/>", "none.cubin"},
        {"<module name='m' cubin='k.cubin'/>", "only the first cubin may have some"},
        {"<module name='m' cubin='last.cubin'/><module name='m' cubin='wide.cubin'/>",
         "a second one of that name"},
        {"<module name='m' cubin='last.cubin'>k</module>", ""},
        {"<constant bank='0' offset='0' module='m'><u32>1</u32></constant>", "no module 'm'"},
        {"<buffer name='b' size='4'/><write buffer='b' module='m'><u32>1</u32></write>",
         "is of no module"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        jobs_refused(fl_format(form, wrong[i].text), 2, wrong[i].words);
    jobs_refused(fl_strdup("<job profile='g80' cubin='last.cubin'><module name='m' "
                           "cubin='wide.cubin'/><launch kernel='k' grid='1' block='1'/></job>"),
                 1, "branch targets of 32 bits");
}

static void a_missing_or_damaged_cubin_is_refused(void)
{
    static const char form[] = "<job profile='g80'\ncubin='%s'>\n<launch kernel='k' grid='1' "
                               "block='1'/></job>";
    jobs_put("junk.cubin", "\177ELF junk", 9);
    jobs_refused(fl_format(form, "none.cubin"), 2, "none.cubin");
    jobs_refused(fl_format(form, "junk.cubin"), 2, "junk.cubin");
    jobs_refused(fl_format(form, "/dev/null"), 2, "not a regular file");
    jobs_refused(fl_format(form, ""), 2, "");
}

static void an_unknown_profile_is_refused(void)
{
    jobs_refused(fl_strdup("<job profile='g81' cubin='k.cubin'><launch kernel='k' grid='1' "
                           "block='1'/></job>"),
                 1, "shipped are g80, flexgripplus, flexgripplus-rtl and tiny");
}

static void another_profile_than_the_jobs_is_refused(void)
{
    struct job *j = NULL;
    struct fl_err err = {""};
    char *xml = jobs_with_line3("");
    CU_ASSERT_EQUAL(jobs_load(xml, "g80", &j, &err), -1);
    jobs_says(&err, 1, "--profile g80 contradicts profile \"tiny\"");
    CU_ASSERT_EQUAL(jobs_load(xml, "tiny", &j, &err), 0);
    job_free(j);
    char *path = xml_data_file("profiles/tiny.xml");
    CU_ASSERT_EQUAL(jobs_load(xml, path, &j, &err), 0);
    job_free(j);
    free(path);
    free(xml);
}

static void broken_xml_is_refused_where_it_breaks(void)
{
    jobs_refused(fl_strdup("<job>\n<buffer>\n</job>\n"), 3, "not well-formed");
    jobs_refused(fl_strdup("<job\na='1'\na='2'/>\n"), 3, "not well-formed");
    jobs_refused(fl_strdup(""), 1, "the file is empty");
    jobs_refused(fl_strdup("<!-- -->"), 1, "");
    jobs_refused(fl_strdup("<jobs/>"), 1, "holds a <jobs>, a <job> is needed");
    jobs_refused(fl_strdup("<job profile='&lt;&wrong;'/>"), 1, "not well-formed");
    jobs_refused(fl_strdup("<job profile='\xff\xfe'/>"), 1, "not well-formed");
    jobs_refused(fl_strdup("<?xml version='1.0' encoding='nonsense'?><job/>"), 1, "");
}

static void a_cubin_in_place_of_a_job_is_called_one(void)
{
    static const char *const code[] = {"\177ELF\1\1\1", "architecture {sm_10}\n"};
    for (int i = 0; i < 2; i++) {
        struct fl_err err = {""};
        struct job *j;
        jobs_put("given.cubin", code[i], strlen(code[i]));
        char *path = jobs_path("given.cubin");
        CU_ASSERT_EQUAL(job_load(path, NULL, &j, &err), -1);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "given.cubin: is a cubin"));
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "smcc --job"));
        free(path);
    }
}

static void a_program_in_place_of_a_job_is_called_one(void)
{
    struct fl_err err = {""};
    struct job *j;
    CU_ASSERT_EQUAL(job_load(FAULTLINE_BIN_DIR "/smrun", NULL, &j, &err), -1);
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "/smrun: is a program"));
    CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "smrun --record"));
}

static void document_types_and_entities_are_refused(void)
{
    jobs_refused(fl_strdup("<?xml version='1.0'?>\n<!DOCTYPE job [\n<!ENTITY a 'x'>\n<!ENTITY b "
                           "'&a;&a;&a;'>\n]>\n<job profile='&b;'/>"),
                 2, "document type declarations are not accepted");
    jobs_refused(fl_strdup("<!DOCTYPE job SYSTEM 'http://127.0.0.1/job.dtd'>\n<job/>"), 1,
                 "document type declarations are not accepted");
    jobs_refused(
        fl_strdup("<!DOCTYPE job SYSTEM '/etc/passwd' [ <!ENTITY % e SYSTEM '/etc/passwd'> %e; "
                  "]>\n<job/>"),
        1, "document type declarations are not accepted");
}

static void a_file_larger_than_16_mib_is_refused(void)
{
    size_t n = FL_XML_BYTES + 1;
    char *big = fl_alloc(n + 1);
    memset(big, ' ', n);
    jobs_refused(big, 1, "put the data into files of their own");
}

static void the_schema_has_the_last_word(void)
{
    jobs_put("t.job.xml", "<job profile='g80'\n><launch/></job>", 35);
    char *path = jobs_path("t.job.xml");
    struct xml_file f;
    struct fl_err err = {""};
    CU_ASSERT_EQUAL(xml_open(path, "job", &f, &err), 0);
    CU_ASSERT_EQUAL(xml_validate(&f, "docs/job.rng", &err), -1);
    jobs_says(&err, 2, "docs/reference/formats.md");
    xml_close(&f);
    free(path);
}

static void a_missing_schema_is_an_error_that_names_it(void)
{
    jobs_put("t.job.xml", "<job/>", 6);
    char *path = jobs_path("t.job.xml");
    struct xml_file f;
    struct fl_err err = {""};
    CU_ASSERT_EQUAL(xml_open(path, "job", &f, &err), 0);
    CU_ASSERT_EQUAL(xml_validate(&f, "docs/none.rng", &err), -1);
    jobs_says(&err, 1, "docs/none.rng");
    xml_close(&f);
    free(path);
}

static void a_job_cut_off_anywhere_is_refused_calmly(void)
{
    char *whole = jobs_whole();
    size_t n = strlen(whole);
    for (size_t i = 0; i + 1 < n; i++) { /* but for the newline at the end */
        struct job *j = NULL;
        struct fl_err err = {""};
        jobs_put("t.job.xml", whole, i);
        char *path = jobs_path("t.job.xml");
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
    char *whole = jobs_whole();
    size_t n = strlen(whole);
    uint32_t seed = 1;
    char *path = jobs_path("t.job.xml");
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
        jobs_put("t.job.xml", text, n);
        int result = job_load(path, NULL, &j, &err);
        CU_ASSERT(result == 0 ? j && !err.msg[0] : !j && !strncmp(err.msg, path, strlen(path)));
        job_free(j);
        free(text);
    }
    free(path);
    free(whole);
}

#define TEXTURE(attributes) "<texture unit='0' buffer='a' " attributes "/>"

static void a_texture_fits_its_buffer_and_its_format(void)
{
    jobs_refused_line3("<texture buffer='a' width='4' format='u8'/>", "name=\"...\", or a unit");
    jobs_refused_line3("<texture name='no' buffer='a' width='4' format='u8'/>",
                       "no texture reference 'no'; it has: tex");
    jobs_refused_line3("<texture unit='32' buffer='a' width='4' format='u8'/>", "unit");
    jobs_refused_line3(TEXTURE("width='4' format='u9'"), "write u8, s8");
    jobs_refused_line3(TEXTURE("width='65' format='u8'"),
                       "has 65 bytes from 0 on, buffer 'a' has 64");
    jobs_refused_line3(TEXTURE("width='4' height='5' pitch='16' format='f32'"), "has 80 bytes");
    jobs_refused_line3(TEXTURE("offset='60' width='2' format='f32'"), "has 8 bytes from 60 on");
    jobs_refused_line3(TEXTURE("width='4' height='2' pitch='12' format='f32'"),
                       "at least the bytes of a row");
    jobs_refused_line3(TEXTURE("offset='2' width='4' format='f32'"), "multiples of the bytes");
    jobs_refused_line3(TEXTURE("width='4' format='u8' channels='3'"), "1, 2 or 4 channels");
    jobs_refused_line3(TEXTURE("width='4' format='u8' filter='linear'"),
                       "integers cannot be filtered");
    jobs_refused_line3(TEXTURE("width='4' format='u8' address='wrap'"),
                       "only normalized coordinates");
    jobs_refused_line3(TEXTURE("width='4' format='u8' address='mirror'"), "write clamp, wrap");
    jobs_refused_line3(TEXTURE("width='4' format='u8' filter='best'"), "write nearest or linear");
    jobs_refused_line3(
        "<repeat until='0' buffer='a' limit='2'>" TEXTURE("width='4' format='u8'") "</repeat>",
        "<repeat> holds");
}

int main(void)
{
    jobs_start();
    int status = CHECK_RUN(
        "job_refused", CHECK(random_that_cannot_be_meant_is_refused),
        CHECK(what_a_job_does_not_know_is_refused), CHECK(what_is_missing_is_named),
        CHECK(numbers_are_checked), CHECK(names_are_short_plain_and_unique),
        CHECK(all_buffers_together_hold_at_most_1_gib),
        CHECK(what_the_host_does_between_launches_stays_within_buffers),
        CHECK(a_trap_is_stated_of_the_last_launch_and_leaves_no_memory),
        CHECK(references_must_resolve), CHECK(outputs_lie_inside_their_buffer),
        CHECK(a_param_has_one_value_and_one_place), CHECK(a_texture_fits_its_buffer_and_its_format),
        CHECK(a_launch_fits_the_profile), CHECK(a_repeat_has_launches_a_word_and_a_limit),
        CHECK(a_job_without_a_file_is_refused_under_the_name_of_its_cubin),
        CHECK(wide_code_needs_a_wide_profile),
        CHECK(code_behind_a_24_bit_code_space_needs_a_wide_profile),
        CHECK(a_digest_is_64_hex_digits_once), CHECK(a_module_that_does_not_fit_is_refused),
        CHECK(a_missing_or_damaged_cubin_is_refused), CHECK(an_unknown_profile_is_refused),
        CHECK(another_profile_than_the_jobs_is_refused),
        CHECK(broken_xml_is_refused_where_it_breaks),
        CHECK(a_cubin_in_place_of_a_job_is_called_one),
        CHECK(a_program_in_place_of_a_job_is_called_one),
        CHECK(document_types_and_entities_are_refused), CHECK(a_file_larger_than_16_mib_is_refused),
        CHECK(the_schema_has_the_last_word), CHECK(a_missing_schema_is_an_error_that_names_it),
        CHECK(a_job_cut_off_anywhere_is_refused_calmly),
        CHECK(a_mangled_job_is_read_or_refused_calmly));
    jobs_end();
    return status;
}
