/* pocl_run.c -- runs the random kernels of a file on pocl, the OpenCL that runs on the CPU: the second oracle of test_kernels.
 *
 *     pocl_run K.cl COUNT A B IN WANT
 *
 * Kernels k0 to k<COUNT - 1>; IN: KERNEL_IN words; WANT: KERNEL_ITEMS * KERNEL_WORDS words of each kernel. Each runs in a process
 * of its own: pocl 3.1 does not survive some loops made of goto. Status 1 when one differs.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fl.h"
#include "random_kernel.h"

struct run {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_mem in, out;
};

static int fail(const char *what, cl_int error)
{
    return fl_complain(1, "pocl_run: %s: OpenCL error %d", what, (int)error);
}

/* The first device of the platform that says it is pocl. */
static int find_device(struct run *r)
{
    cl_platform_id platform[16];
    cl_uint n = 0;
    char name[200];
    if (clGetPlatformIDs(16, platform, &n))
        n = 0;
    for (cl_uint i = 0; i < n && i < 16; i++)
        if (clGetPlatformInfo(platform[i], CL_PLATFORM_NAME, sizeof name, name, NULL) == 0 &&
            strstr(name, "Portable Computing Language") &&
            clGetDeviceIDs(platform[i], CL_DEVICE_TYPE_ALL, 1, &r->device, NULL) == 0)
            return 0;
    return fl_complain(1, "pocl_run: no pocl here (package pocl-opencl-icd)");
}

static int prepare(struct run *r, const char *source, const uint32_t *in)
{
    cl_int e;
    enum { OUT = 4 * KERNEL_ITEMS * KERNEL_WORDS };
    r->context = clCreateContext(NULL, 1, &r->device, NULL, NULL, &e);
    if (e)
        return fail("context", e);
    r->queue = clCreateCommandQueue(r->context, r->device, 0, &e);
    if (e)
        return fail("queue", e);
    /* pocl 3.1 takes the least int's abs() for undefined */
    const char *text[] = {"static uint abs_(int x) { return x < 0 ? 0u - (uint)x : (uint)x; }\n"
                          "#define abs abs_\n",
                          source};
    r->program = clCreateProgramWithSource(r->context, 2, text, NULL, &e);
    if (e || (e = clBuildProgram(r->program, 1, &r->device, "-cl-std=CL1.2 -w", NULL, NULL)))
        return fail("build", e);
    r->in = clCreateBuffer(r->context, CL_MEM_COPY_HOST_PTR, 4 * KERNEL_IN, (void *)(uintptr_t)in,
                           &e);
    if (e)
        return fail("buffer", e);
    r->out = clCreateBuffer(r->context, CL_MEM_READ_WRITE, OUT, NULL, &e);
    return e ? fail("buffer", e) : 0;
}

enum { WORDS = KERNEL_ITEMS * KERNEL_WORDS };

static int run(struct run *r, int number, uint32_t a, uint32_t b, uint32_t words[WORDS])
{
    const size_t size = WORDS * sizeof *words;
    const size_t global = KERNEL_ITEMS, local = KERNEL_LOCAL;
    char name[20];
    cl_int e;
    snprintf(name, sizeof name, "k%d", number);
    memset(words, 0, size);
    cl_kernel kernel = clCreateKernel(r->program, name, &e);
    if (e)
        return fail(name, e);
    if ((e = clSetKernelArg(kernel, 0, sizeof r->out, &r->out)) ||
        (e = clSetKernelArg(kernel, 1, sizeof r->in, &r->in)) ||
        (e = clSetKernelArg(kernel, 2, 4, &a)) || (e = clSetKernelArg(kernel, 3, 4, &b)) ||
        (e = clEnqueueWriteBuffer(r->queue, r->out, CL_TRUE, 0, size, words, 0, NULL, NULL)) ||
        (e = clEnqueueNDRangeKernel(r->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL)) ||
        (e = clEnqueueReadBuffer(r->queue, r->out, CL_TRUE, 0, size, words, 0, NULL, NULL)))
        return fail(name, e);
    clReleaseKernel(kernel);
    return 0;
}

enum { SAME, DIFFERS = 10, FAILED };

/* What becomes of one kernel, in a child. */
static int compare(const char *source, const uint32_t *in, int number, uint32_t a, uint32_t b,
                   const uint32_t *want)
{
    struct run r = {0};
    uint32_t words[WORDS];
    pid_t child = fork();
    int status;
    if (child == 0) {
        int bad = find_device(&r) || prepare(&r, source, in) || run(&r, number, a, b, words);
        int at = 0;
        while (!bad && at < WORDS && words[at] == want[at])
            at++;
        if (!bad && at < WORDS)
            fl_complain(0, "k%d differs on pocl: word %d of thread %d is 0x%x, not 0x%x", number,
                        at % KERNEL_WORDS, at / KERNEL_WORDS, words[at], want[at]);
        _exit(bad ? FAILED : at < WORDS ? DIFFERS : SAME);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return FAILED;
    return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
    struct fl_buf source = {0}, in = {0}, want = {0};
    struct fl_err err;
    if (argc != 7)
        return fl_complain(2, "usage: pocl_run K.cl COUNT A B IN WANT");
    int count = atoi(argv[2]), seen[FAILED + 1] = {0};
    uint32_t a = (uint32_t)strtoul(argv[3], NULL, 0), b = (uint32_t)strtoul(argv[4], NULL, 0);
    if (fl_read_file(argv[1], &source, &err) || fl_read_file(argv[5], &in, &err) ||
        fl_read_file(argv[6], &want, &err))
        return fl_complain(1, "%s", err.msg);
    if (count < 1 || in.size != 4 * KERNEL_IN || want.size != 4 * WORDS * (size_t)count)
        return fl_complain(1, "pocl_run: the files have other sizes");
    for (int k = 0; k < count; k++) {
        int now = compare((const char *)source.data, (const uint32_t *)in.data, k, a, b,
                          (const uint32_t *)want.data + k * WORDS);
        seen[now <= FAILED ? now : FAILED]++;
    }
    printf("pocl: %d the same, %d differ, %d it could not run\n", seen[SAME], seen[DIFFERS],
           seen[FAILED]);
    fl_buf_free(&source);
    fl_buf_free(&in);
    fl_buf_free(&want);
    return seen[DIFFERS] || !seen[SAME] ? 1 : 0;
}
