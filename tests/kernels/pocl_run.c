/* pocl_run.c -- runs the random kernels of a file on pocl, the OpenCL that runs on the CPU: the second oracle of test_kernels.
 *
 *     pocl_run K.cl ROWS ARGUMENTS SOURCES
 *
 * in the folder with in.bin, mem.bin, and with host.out and host.mem, which it shall come to. ROWS has a line for each kernel k0,
 * k1 ...: threads of a block, blocks, and 1 where warps run in lock step, which pocl does not do. ARGUMENTS are the words behind
 * the buffers, with commas; SOURCES is where kernel_opencl.h is. Each runs in a process of its own: pocl 3.1 does not survive some
 * loops made of goto. In a block of 1 by Y by Z threads it runs twice, for the first of them, what stands before a barrier that
 * a loop or an if may pass by: such a block runs as one of Y * Z, whose threads have the same numbers. Status 1 when one differs.
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
    cl_mem in, out, mem;
};

struct row {
    struct random_kernel kernel;
    size_t before; /* threads of the kernels before it */
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

static int buffer(struct run *r, cl_mem *to, size_t size, const void *from)
{
    cl_int e;
    *to = clCreateBuffer(r->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size,
                         (void *)(uintptr_t)from, &e);
    return e ? fail("buffer", e) : 0;
}

static int prepare(struct run *r, const char *source, const char *sources)
{
    char options[500];
    cl_int e;
    r->context = clCreateContext(NULL, 1, &r->device, NULL, NULL, &e);
    if (e)
        return fail("context", e);
    r->queue = clCreateCommandQueue(r->context, r->device, 0, &e);
    if (e)
        return fail("queue", e);
    snprintf(options, sizeof options, "-cl-std=CL1.2 -cl-denorms-are-zero -w -D POCL -I . -I %s",
             sources);
    r->program = clCreateProgramWithSource(r->context, 1, &source, NULL, &e);
    if (e || (e = clBuildProgram(r->program, 1, &r->device, options, NULL, NULL)))
        return fail("build", e);
    return 0;
}

static int run(struct run *r, int number, const struct random_kernel *k, const uint32_t arg[9],
               struct fl_buf *out, struct fl_buf *mem)
{
    size_t global[3], local[3] = {k->size[0], k->size[1], k->size[2]};
    char name[20];
    cl_int e;
    if (k->size[0] == 1) {
        local[0] = (size_t)k->size[1] * k->size[2];
        local[1] = local[2] = 1;
    }
    for (int i = 0; i < 3; i++) {
        global[i] = local[i] * (i < 2 ? k->groups[i] : 1);
    }
    snprintf(name, sizeof name, "k%d", number);
    cl_kernel kernel = clCreateKernel(r->program, name, &e);
    if (e)
        return fail(name, e);
    if ((e = clSetKernelArg(kernel, 0, sizeof r->out, &r->out)) ||
        (e = clSetKernelArg(kernel, 1, sizeof r->in, &r->in)) ||
        (e = clSetKernelArg(kernel, 2, sizeof r->mem, &r->mem)) ||
        (e = clSetKernelArg(kernel, 3, 4, &arg[0])) ||
        (e = clSetKernelArg(kernel, 4, 4, &arg[1])) ||
        (e = clSetKernelArg(kernel, 5, 4, &arg[2])) ||
        (e = clSetKernelArg(kernel, 6, 24, &arg[3])) ||
        (e = clEnqueueNDRangeKernel(r->queue, kernel, 3, NULL, global, local, 0, NULL, NULL)) ||
        (e = clEnqueueReadBuffer(r->queue, r->out, CL_TRUE, 0, out->size, out->data, 0, NULL,
                                 NULL)) ||
        (e = clEnqueueReadBuffer(r->queue, r->mem, CL_TRUE, 0, mem->size, mem->data, 0, NULL,
                                 NULL)))
        return fail(name, e);
    clReleaseKernel(kernel);
    return 0;
}

enum { SAME, DIFFERS = 10, FAILED, LOCK_STEP };
enum { IN, MEM, HOST_OUT, HOST_MEM, FILES };

static bool equal(int number, const char *what, const struct fl_buf *ours, const uint8_t *theirs)
{
    size_t at = 0;
    uint32_t x, y;
    while (at < ours->size && memcmp(ours->data + at, theirs + at, 4) == 0)
        at += 4;
    if (at == ours->size)
        return true;
    memcpy(&x, ours->data + at, 4);
    memcpy(&y, theirs + at, 4);
    fl_complain(0, "k%d differs on pocl: word %zu of %s is 0x%x, not 0x%x", number, at / 4, what, x,
                y);
    return false;
}

/* What becomes of one kernel, in a child. */
static int compare(const char *source, const char *sources, struct fl_buf file[FILES], int number,
                   const struct row *row, const uint32_t arg[9])
{
    const size_t threads = random_kernel_threads(&row->kernel);
    const size_t out_size = threads * 4 * KERNEL_OUT_WORDS,
                 mem_size = threads * 4 * KERNEL_MEM_WORDS;
    const size_t out_at = row->before * 4 * KERNEL_OUT_WORDS,
                 mem_at = row->before * 4 * KERNEL_MEM_WORDS;
    int status;
    if (row->kernel.warps)
        return LOCK_STEP;
    pid_t child = fork();
    if (child == 0) {
        struct run r = {0};
        struct fl_buf out = {.data = calloc(out_size, 1), .size = out_size},
                      mem = {.data = malloc(mem_size), .size = mem_size};
        bool bad = find_device(&r) || prepare(&r, source, sources) ||
                   buffer(&r, &r.in, file[IN].size, file[IN].data) ||
                   buffer(&r, &r.mem, mem_size, file[MEM].data + mem_at) ||
                   buffer(&r, &r.out, out_size, out.data) ||
                   run(&r, number, &row->kernel, arg, &out, &mem);
        bool same = !bad && equal(number, "out", &out, file[HOST_OUT].data + out_at) &&
                    equal(number, "mem", &mem, file[HOST_MEM].data + mem_at);
        _exit(bad ? FAILED : same ? SAME : DIFFERS);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return FAILED;
    return WEXITSTATUS(status);
}

static bool next_row(FILE *rows, struct row *row)
{
    struct random_kernel *k = &row->kernel;
    unsigned warps;
    row->before += random_kernel_threads(k);
    bool good = fscanf(rows, "%u %u %u %u %u %u", &k->size[0], &k->size[1], &k->size[2],
                       &k->groups[0], &k->groups[1], &warps) == 6;
    k->warps = good && warps;
    return good;
}

int main(int argc, char **argv)
{
    static const char *const names[FILES] = {"in.bin", "mem.bin", "host.out", "host.mem"};
    struct fl_buf source = {0}, file[FILES] = {{0}};
    struct fl_err err;
    struct row row = {0};
    uint32_t arg[9];
    if (argc != 5)
        return fl_complain(2, "usage: pocl_run K.cl ROWS ARGUMENTS SOURCES");
    FILE *rows = fopen(argv[2], "r");
    int seen[LOCK_STEP + 1] = {0};
    char *rest = argv[3];
    for (int i = 0; i < 9; i++, rest += *rest == ',')
        arg[i] = (uint32_t)strtoul(rest, &rest, 0);
    bool good = rows && fl_read_file(argv[1], &source, &err) == 0;
    for (int i = 0; i < FILES && good; i++)
        good = fl_read_file(names[i], &file[i], &err) == 0;
    if (!good)
        return fl_complain(1, "%s", rows ? err.msg : argv[2]);
    fl_buf_add(&source, "", 1);
    for (int k = 0; next_row(rows, &row); k++) {
        int now = compare((const char *)source.data, argv[4], file, k, &row, arg);
        seen[now <= LOCK_STEP ? now : FAILED]++;
    }
    printf("pocl: %d the same, %d differ, %d it could not run, %d in lock step\n", seen[SAME],
           seen[DIFFERS], seen[FAILED], seen[LOCK_STEP]);
    fclose(rows);
    fl_buf_free(&source);
    for (int i = 0; i < FILES; i++)
        fl_buf_free(&file[i]);
    return seen[DIFFERS] || !seen[SAME] ? 1 : 0;
}
