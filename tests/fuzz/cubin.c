/* cubin.c -- fuzz target: bytes as a cubin file, ELF or the old text form.
 *
 * What is read keeps every promise of cubin.h, survives writing and reading, and runs: a wild kernel traps at worst.
 */
#include <string.h>

#include "fuzz.h"
#include "sm/gpu/gpu.h"

enum { MAX_SIZE = 1 << 16, MAX_CYCLES = 4000, MAX_GLOBAL = 1 << 20 };

static struct profile *profile(void)
{
    static struct profile p;
    if (!p.warps) {
        struct fl_err err;
        FUZZ_CHECK(profile_load("flexgripplus", &p, &err) == 0, "%s", err.msg);
    }
    return &p;
}

/* A gigabyte of variables is allowed; here it would only cost time. */
static bool too_large(const struct cubin *cubin)
{
    uint64_t bytes = 0;
    for (int i = 0; i < cubin->nvariables; i++)
        bytes += cubin->variable[i].size;
    return bytes > MAX_GLOBAL;
}

/* Takes the cubin over. */
static void run_kernels(struct cubin *cubin)
{
    struct fl_err err = {{0}};
    struct job *job = fl_alloc(sizeof *job);
    job->name = fl_strdup("fuzz");
    job->path = fl_strdup("fuzz.cubin");
    job->profile = *profile();
    job->cubin = cubin;
    job->nlaunches = cubin->nkernels < 8 ? cubin->nkernels : 8;
    job->launch = fl_alloc((size_t)job->nlaunches * sizeof *job->launch);
    for (int i = 0; i < job->nlaunches; i++)
        job->launch[i] = (struct job_launch){
            .kernel = fl_strdup(cubin->kernel[i].name), .grid = {1, 1}, .block = {33, 1, 1}};
    struct sm_image *img = NULL;
    if (job_finish(job, &err) == 0 && (img = sm_image_new(job, &err)) != NULL) {
        struct gpu *m = gpu_new(img);
        gpu_run(m, MAX_CYCLES);
        gpu_free(m);
    } else {
        FUZZ_CHECK(err.msg[0], "refused without a message");
    }
    sm_image_free(img);
    job_free(job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fl_err err = {{0}};
    struct cubin *cubin = NULL;
    if (size > MAX_SIZE)
        return 0;
    if (cubin_read_memory("fuzz.cubin", data, size, &cubin, &err)) {
        FUZZ_CHECK(strncmp(err.msg, "fuzz.cubin:", 11) == 0, "message '%s'", err.msg);
        return 0;
    }
    fuzz_check_cubin(cubin);
    fuzz_check_cubin_file(cubin);
    if (too_large(cubin))
        cubin_free(cubin);
    else
        run_kernels(cubin);
    return 0;
}
