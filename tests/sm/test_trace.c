/* test_trace.c -- packed traces hold what the printer prints, and damaged ones harm nobody. */
#include "tests/lib/check.h"

#include <stdlib.h>
#include <string.h>

#include "sm/gpu/gpu.h"

static struct job *load(const char *bench)
{
    struct fl_err err;
    struct job *job = NULL;
    char *path = fl_format("%s/bench/%s.job.xml", FAULTLINE_BUILD_DIR, bench);
    if (job_load(path, NULL, &job, &err) != 0)
        CU_FAIL_FATAL("the workload does not load");
    free(path);
    return job;
}

enum { COMMITS = SANITIZED ? 1000 : 3000 };

/* Text and bytes of the first commits of a workload. */
static void record(const char *bench, int commits, struct fl_buf *text, struct fl_buf *bytes)
{
    struct sm_commit c = {0};
    struct job *job = load(bench);
    struct sm_image *img = sm_image_new(job, NULL);
    CU_ASSERT_FATAL(img != NULL);
    struct gpu *m = gpu_new(img);
    m->sm->record = &c;
    for (int i = 0; i < commits && !gpu_ended(m); i++) {
        gpu_step(m);
        sm_commit_print(img, &c, text);
        fl_buf_printf(text, "\n");
        sm_commit_pack(&c, bytes);
    }
    gpu_free(m);
    sm_image_free(img);
    job_free(job);
}

static void packed_records_print_the_same_text(void)
{
    static const char *const bench[] = {"fft", "sort", "edge", "mxm"};
    for (int i = 0; i < 4; i++) {
        struct fl_buf text = {0}, bytes = {0}, again = {0};
        record(bench[i], COMMITS, &text, &bytes);
        size_t at = 0;
        while (at < bytes.size) {
            struct sm_commit c;
            size_t n = sm_commit_unpack(bytes.data + at, bytes.size - at, &c);
            CU_ASSERT_FATAL(n > 0);
            sm_commit_print(NULL, &c, &again);
            fl_buf_printf(&again, "\n");
            at += n;
        }
        CU_ASSERT_EQUAL(text.size, again.size);
        CU_ASSERT(text.size == again.size && memcmp(text.data, again.data, text.size) == 0);
        fl_buf_free(&text);
        fl_buf_free(&bytes);
        fl_buf_free(&again);
    }
}

static void a_cut_record_is_refused(void)
{
    struct fl_buf text = {0}, bytes = {0};
    struct sm_commit c;
    record("sort", 40, &text, &bytes);
    size_t whole = sm_commit_unpack(bytes.data, bytes.size, &c);
    CU_ASSERT(whole > 0 && whole < bytes.size);
    for (size_t n = 0; n < whole; n++) {
        uint8_t *exact = fl_alloc(n); /* so that a read behind the end is seen */
        memcpy(exact, bytes.data, n);
        CU_ASSERT_EQUAL(sm_commit_unpack(exact, n, &c), 0);
        free(exact);
    }
    fl_buf_free(&text);
    fl_buf_free(&bytes);
}

static void damaged_bytes_print_something_or_are_refused(void)
{
    struct fl_buf text = {0}, bytes = {0};
    record("fft", 60, &text, &bytes);
    for (size_t at = 0; at < bytes.size && at < 4000; at++) {
        struct sm_commit c;
        struct fl_buf out = {0};
        uint8_t old = bytes.data[at];
        bytes.data[at] ^= 0xff;
        if (sm_commit_unpack(bytes.data, bytes.size, &c) > 0)
            sm_commit_print(NULL, &c, &out);
        bytes.data[at] = old;
        fl_buf_free(&out);
    }
    fl_buf_free(&text);
    fl_buf_free(&bytes);
}

static void a_store_records_the_bytes_it_wrote(void)
{
    struct sm_commit c = {0};
    struct job *job = load("vecadd");
    struct sm_image *img = sm_image_new(job, NULL);
    struct gpu *m = gpu_new(img);
    int stores = 0;
    m->sm->record = &c;
    while (!gpu_ended(m) && stores < 200) {
        gpu_step(m);
        if (c.kind != COMMIT_INSTRUCTION || !c.store || c.space != ISA_G)
            continue;
        for (int l = 0; l < SM_LANES; l++)
            if (c.exec >> l & 1) {
                uint32_t v;
                gpu_read_global(m, c.addr[l], &v, 4);
                CU_ASSERT_EQUAL(v, c.data[0][l]);
            }
        stores++;
    }
    CU_ASSERT(stores > 0);
    gpu_free(m);
    sm_image_free(img);
    job_free(job);
}

int main(void)
{
    return CHECK_RUN("trace", CHECK(packed_records_print_the_same_text),
                     CHECK(a_cut_record_is_refused),
                     CHECK(damaged_bytes_print_something_or_are_refused),
                     CHECK(a_store_records_the_bytes_it_wrote));
}
