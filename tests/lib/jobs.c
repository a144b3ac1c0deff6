/* jobs.c -- writes the files, reads the jobs. */

#include "jobs.h"

char *jobs_dir;

char *jobs_path(const char *name)
{
    return fl_format("%s/%s", jobs_dir, name);
}

void jobs_put(const char *name, const void *bytes, size_t size)
{
    tools_put(jobs_dir, name, bytes, size);
}

static void put_cubin(const char *name, struct cubin c)
{
    char *path = jobs_path(name);
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
    struct cubin_texture reference = {.name = "tex", .unit = 5};
    put_cubin("k.cubin",
              (struct cubin){.kernel = k, .nkernels = 4, .texture = &reference, .ntextures = 1});
    put_cubin("wide.cubin", (struct cubin){.kernel = k, .nkernels = 1, .wide_code = true});
    struct cubin_code far[2] = {ends, {.base = 0xfffff8, .size = 8, .bytes = nop}};
    struct cubin_kernel kf = {.name = "k", .regs = 1, .code = far, .ncode = 2};
    put_cubin("last.cubin", (struct cubin){.kernel = &kf, .nkernels = 1});
    far[1].base = 0x1000000;
    put_cubin("behind.cubin", (struct cubin){.kernel = &kf, .nkernels = 1});
}

int jobs_load(const char *xml, const char *profile, struct job **job, struct fl_err *err)
{
    jobs_put("t.job.xml", xml, strlen(xml));
    char *path = jobs_path("t.job.xml");
    int result = job_load(path, &(struct job_machine){.profile = profile}, job, err);
    free(path);
    return result;
}

char *jobs_with_line3(const char *line)
{
    return fl_format("<job profile='tiny' cubin='k.cubin'>\n"
                     "<buffer name='a' size='64'/>\n"
                     "%s\n"
                     "<launch kernel='k' grid='1' block='32'/>\n"
                     "<output name='o' buffer='a'/>\n"
                     "</job>\n",
                     line);
}

struct job *jobs_accepted(char *xml)
{
    struct job *job = NULL;
    struct fl_err err = {""};
    if (jobs_load(xml, NULL, &job, &err))
        printf("\n    refused: %s\n", err.msg);
    CU_ASSERT_PTR_NOT_NULL(job);
    free(xml);
    return job;
}

void jobs_says(const struct fl_err *err, int line, const char *words)
{
    char *start = fl_format("%s/t.job.xml:%d: ", jobs_dir, line);
    bool good = !strncmp(err->msg, start, strlen(start)) && strstr(err->msg, words);
    if (!good)
        printf("\n    wanted %s...%s...\n    got    %s\n", start, words, err->msg);
    CU_ASSERT(good);
    free(start);
}

void jobs_refused(char *xml, int line, const char *words)
{
    struct job *job = NULL;
    struct fl_err err = {""};
    CU_ASSERT_EQUAL(jobs_load(xml, NULL, &job, &err), -1);
    CU_ASSERT_PTR_NULL(job);
    jobs_says(&err, line, words);
    job_free(job);
    free(xml);
}

void jobs_refused_line3(const char *line, const char *words)
{
    jobs_refused(jobs_with_line3(line), 3, words);
}

char *jobs_whole(void)
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
        "  <repeat until='5' buffer='out' offset='8' limit='2'><launch kernel='big' grid='1' "
        "block='32'>\n"
        "    <param offset='0x10' s32='-5'/>\n"
        "    <param offset='0x18' f32='-0.5'/>\n"
        "    <param offset='0x20' u32='7'/>\n"
        "  </launch></repeat>\n"
        "  <output name='all' buffer='out'/>\n"
        "  <output name='tail' buffer='out' offset='0xf00' size='16'/>\n"
        "  <digest sha256='000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1F'/>\n"
        "</job>\n");
}

int jobs_finish_with_param(uint32_t offset, uint32_t shared_bytes, struct fl_err *err)
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

void jobs_start(void)
{
    jobs_dir = tools_folder();
    make_cubins();
}

void jobs_end(void)
{
    tools_remove(jobs_dir);
}
