/* test_job.c -- job.xml as it is read: buffers, values, parameters, places in the file. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tests/lib/check.h"
#include "sm/image.h"
#include "sm/job/job.h"
#include "base/xml.h"
#include "tests/lib/tools.h"
#include "tests/lib/jobs.h"

/* ---- scaffolding ---- */

static uint32_t word(const uint8_t *b)
{
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* ---- jobs ---- */

static void a_job_is_read_as_it_is_written(void)
{
    struct job *j = jobs_accepted(jobs_whole());
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
    CU_ASSERT_EQUAL(j->nlaunches, 3); /* a repeat has a launch for each pass */
    CU_ASSERT(j->launch[1].decides && !j->launch[1].last_pass && j->launch[2].last_pass);
    CU_ASSERT_EQUAL(j->launch[2].word, j->buffer[3].addr + 8);
    CU_ASSERT_EQUAL(j->launch[2].until, 5);
    CU_ASSERT_EQUAL(j->launch[1].over, 3);
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

static void names_of_a_module_begin_with_its_own(void)
{
    struct job *j = jobs_accepted(fl_strdup(
        "<job profile='flexgripplus' cubin='k.cubin'><module name='m' cubin='wide.cubin'/>"
        "<module name='n' cubin='last.cubin'/><constant bank='0' offset='0' module='n'><u32>7</u32>"
        "</constant><launch kernel='m.k' grid='1' block='1'/><write bank='0' offset='4' module='m'>"
        "<u32>8</u32></write><launch kernel='k' grid='1' block='1'/></job>"));
    if (!j)
        return;
    struct fl_err err;
    struct sm_image *img = sm_image_new(j, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(img);
    CU_ASSERT_EQUAL(j->cubin->nkernels, 6);
    CU_ASSERT_EQUAL(j->launch[0].kernel_index, 4);
    CU_ASSERT_EQUAL(j->launch[1].kernel_index, 0);
    CU_ASSERT_EQUAL(j->konst[0].module, 2);
    CU_ASSERT_EQUAL(j->step[0].module, 1);
    CU_ASSERT_EQUAL(img->kernel[0].bank[0].size, 0); /* no write of a module reaches it */
    CU_ASSERT_EQUAL(img->kernel[4].bank[0].size, 8);
    CU_ASSERT_EQUAL(img->kernel[5].bank[0].size, 4);
    CU_ASSERT_EQUAL(word(img->initial + img->kernel[5].bank[0].offset), 7);
    sm_image_free(img);
    job_free(j);
}

static void buffers_lie_from_0x10000_aligned_with_a_guard_between(void)
{
    struct job *j = jobs_accepted(jobs_whole());
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
    struct job *j = jobs_accepted(
        jobs_with_line3("<buffer name='b' size='15' fill='0x44332211'><u32>5</u32></buffer>"));
    if (!j)
        return;
    CU_ASSERT_EQUAL(word(j->buffer[1].init), 5);
    CU_ASSERT_EQUAL(word(j->buffer[1].init + 4), 0x44332211);
    CU_ASSERT_EQUAL(j->buffer[1].init[14], 0x33);
    job_free(j);
}

static void a_job_without_a_name_takes_it_from_its_file(void)
{
    struct job *j = jobs_accepted(jobs_with_line3(""));
    if (j)
        CU_ASSERT_STRING_EQUAL(j->name, "t");
    job_free(j);
}

static void lines_of_the_file_stay_with_what_they_describe(void)
{
    struct job *j = jobs_accepted(jobs_whole());
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
    jobs_put("data.bin", "0123456789", 10);
    struct job *j = jobs_accepted(
        jobs_with_line3("<buffer name='b' size='8' fill='0'><file path='data.bin' offset='3' "
                        "size='4'/></buffer><constant bank='1' offset='0'><file path='data.bin' "
                        "offset='8'/></constant>"));
    if (j) {
        CU_ASSERT_EQUAL(memcmp(j->buffer[1].init, "3456\0\0\0\0", 8), 0);
        CU_ASSERT_EQUAL(j->konst[0].size, 2);
        CU_ASSERT_EQUAL(memcmp(j->konst[0].data, "89", 2), 0);
    }
    job_free(j);
    jobs_refused_line3("<buffer name='b' size='11'><file path='data.bin'/></buffer>",
                       "holds 10 bytes from offset 0, 11 are needed");
    jobs_refused_line3("<buffer name='b' size='8'><file path='data.bin' offset='3'/></buffer>",
                       "holds 7 bytes from offset 3, 8 are needed");
    jobs_refused_line3("<buffer name='b' size='8'><file path='data.bin' size='9'/></buffer>",
                       "from 1 to 8");
    jobs_refused_line3("<buffer name='b' size='8'><file path='none.bin'/></buffer>", "cannot open");
    jobs_refused_line3("<buffer name='b' size='8'><file path='/dev/zero'/></buffer>",
                       "not a regular file");
    jobs_refused_line3(
        "<constant bank='1' offset='0'><file path='data.bin' offset='10'/></constant>",
        "holds 0 bytes");
}

static void random_bytes_follow_from_the_seed_alone(void)
{
    struct job *j = jobs_accepted(jobs_with_line3(
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

static void buffers_may_stand_behind_their_use(void)
{
    struct job *j = jobs_accepted(
        jobs_with_line3("<output name='p' buffer='z'/><buffer name='z' size='4'/>"));
    if (j)
        CU_ASSERT_EQUAL(j->output[0].buffer, 1);
    job_free(j);
}

static void a_kernel_that_states_no_parameters_takes_256_bytes(void)
{
    struct fl_err err = {""};
    CU_ASSERT_EQUAL(jobs_finish_with_param(0x10c, 0, &err), 0);
    CU_ASSERT_EQUAL(jobs_finish_with_param(0x110, 0, &err), -1);
    CU_ASSERT_EQUAL(jobs_finish_with_param(0x18, 0x1c, &err), 0);
    CU_ASSERT_EQUAL(jobs_finish_with_param(0x1c, 0x1c, &err), -1);
}

static void a_cubin_is_found_beside_its_job(void)
{
    struct job *j = jobs_accepted(jobs_with_line3("")); /* the test runs in another folder */
    CU_ASSERT_PTR_NOT_NULL(j);
    job_free(j);
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
    char *path = jobs_path("threads.job.xml"), *xml = jobs_whole();
    pthread_t t[4];
    jobs_put("threads.job.xml", xml, strlen(xml));
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

static void a_texture_binds_a_unit_from_the_next_launch_on(void)
{
    struct job *job = jobs_accepted(
        jobs_with_line3("<texture unit='1' buffer='a' width='4' format='u8'/>"
                        "<launch kernel='k' grid='1' block='32'/>"
                        "<texture name='tex' buffer='a' offset='16' width='4' height='3' "
                        "pitch='12' format='unorm8' channels='2' "
                        "address='clamp,wrap' filter='linear' normalized='yes'/>"));
    CU_ASSERT_EQUAL_FATAL(job->ntextures, 2);
    CU_ASSERT(job->launch[0].textures == 1 && job->launch[1].textures == 2);
    const struct texture *t = &job->texture[0].texture;
    CU_ASSERT(job->texture[0].unit == 1 && t->address == job->buffer[0].addr);
    CU_ASSERT(t->width == 4 && t->height == 1 && t->pitch == 4 && t->channels == 1);
    CU_ASSERT(!t->linear && !t->normalized && !t->wrap[0] && !t->wrap[1]);
    t = &job->texture[1].texture;
    CU_ASSERT(job->texture[1].unit == 5 && t->address == job->buffer[0].addr + 16);
    CU_ASSERT(t->format == TEXTURE_UNORM8 && t->channels == 2 && t->height == 3 && t->pitch == 12);
    CU_ASSERT(t->linear && t->normalized && !t->wrap[0] && t->wrap[1]);
    job_free(job);
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

int main(void)
{
    jobs_start();
    int status = CHECK_RUN(
        "job", CHECK(a_job_is_read_as_it_is_written), CHECK(names_of_a_module_begin_with_its_own),
        CHECK(buffers_lie_from_0x10000_aligned_with_a_guard_between),
        CHECK(fill_is_a_word_and_content_lies_over_it),
        CHECK(a_job_without_a_name_takes_it_from_its_file),
        CHECK(lines_of_the_file_stay_with_what_they_describe),
        CHECK(a_file_gives_exactly_the_bytes_that_are_asked_for),
        CHECK(random_bytes_follow_from_the_seed_alone), CHECK(floats_are_read_to_the_nearest_bit),
        CHECK(buffers_may_stand_behind_their_use),
        CHECK(a_kernel_that_states_no_parameters_takes_256_bytes),
        CHECK(a_cubin_is_found_beside_its_job), CHECK(threads_load_jobs_side_by_side),
        CHECK(a_texture_binds_a_unit_from_the_next_launch_on),
        CHECK(sha256_is_taken_over_the_ranges_in_order));
    jobs_end();
    return status;
}
