/* test_opencl.c -- OpenCL's API as a program calls it: what each call does, and which of the specification's errors it ends with. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/opencl/internal.h"
#include "tests/lib/check.h"
#include "tests/lib/tools.h"

static const char kernels[] =
    "typedef struct { int a; char b; } pair;\n"
    "__constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
    "CLK_FILTER_NEAREST;\n"
    "__kernel void add(__global int *p, int by) { p[get_global_id(0)] += by; }\n"
    "__kernel void values(__global float *out, char c, float4 v, pair s, ulong u, float3 w)\n"
    "{ out[0] = c; out[1] = v.x; out[2] = v.w; out[3] = s.a; out[4] = s.b; out[5] = u; out[6] = "
    "w.z; }\n"
    "__kernel void sum(__global const int *in, __global int *out, __local int *t, __local int *u)\n"
    "{\n    __local int own[64];\n    int i = get_local_id(0), n = get_local_size(0);\n"
    "    own[i] = 1;\n    u[i] = 2;\n    t[i] = in[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n    for (int k = n / 2; k; k /= 2) {\n"
    "        if (i < k)\n            t[i] += t[i + k];\n        barrier(CLK_LOCAL_MEM_FENCE);\n    "
    "}\n"
    "    if (i == 0)\n        out[get_group_id(0)] = t[0] + 1000 * own[n - 1] + 10000 * u[n - 1];\n"
    "}\n"
    "__kernel void look(read_only image2d_t image, __global float *out)\n"
    "{ int i = get_global_id(0); float4 x = read_imagef(image, plain, (int2)(i % 4, i / 4));\n"
    "  out[i] = x.x + 10 * x.y + 100 * get_image_width(image) + 1000 * get_image_height(image); }\n"
    "__kernel void filter(read_only image2d_t image, sampler_t s, float x, __global float *out)\n"
    "{ out[0] = read_imagef(image, s, (float2)(x, 0.5f)).x; }\n"
    "__kernel void live(__global const int *a, __global int *out)\n"
    "{\n    int v[24], t = get_global_id(0), s = 0;\n    for (int i = 0; i < 24; i++)\n        "
    "v[i] = a[i + t];\n    for (int r = a[0]; r < 3; r++)\n#pragma unroll\n        for (int i = 0; "
    "i < 23; i++)\n            v[i] = v[i + 1] * 5 + v[i * 7 % 24];\n    for (int i = 0; i < 24; "
    "i++)\n        s = s * 3 + v[i];\n    out[t] = s;\n}\n"
    "__kernel void wild(__global int *p) { p[1 << 28] = 1; }\n"
    "__kernel void place(__global int *p)\n"
    "{ p[get_global_id(2) * get_global_size(1) * get_global_size(0) + get_global_id(1) * "
    "get_global_size(0) + get_global_id(0)] = get_local_size(0); }\n";

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static struct fl_buf binary;
static cl_int error;

#define IS(call, wanted) CU_ASSERT_EQUAL(call, wanted)
#define OK(call)         IS(call, CL_SUCCESS)
/* A call that makes an object. */
#define FAILS(call, wanted)                                                                        \
    do {                                                                                           \
        error = CL_SUCCESS;                                                                        \
        CU_ASSERT_PTR_NULL(call);                                                                  \
        CU_ASSERT_EQUAL(error, wanted);                                                            \
    } while (0)

static char *log_of(cl_program p)
{
    static char text[4096];
    OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL));
    return text;
}

static cl_program source(const char *text)
{
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    OK(error);
    return p;
}

/* A context, a queue and the program: compiled once, then from its binary. */
static void start(void)
{
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    OK(error);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    OK(error);
    if (binary.size) {
        const unsigned char *bytes = binary.data;
        program = clCreateProgramWithBinary(context, 1, &device, &binary.size, &bytes, NULL,
                                            &error);
        OK(error);
        OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
        return;
    }
    program = source(kernels);
    OK(clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    size_t size = 0;
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *bytes = fl_alloc(size);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
    fl_buf_add(&binary, bytes, size);
    free(bytes);
}

static void end(void)
{
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    IS(clRetainContext(context), CL_INVALID_CONTEXT); /* nothing holds it any more */
}

static cl_kernel kernel(const char *name)
{
    cl_kernel k = clCreateKernel(program, name, &error);
    OK(error);
    return k;
}

static cl_mem buffer(size_t size, void *bytes)
{
    cl_mem m = clCreateBuffer(context, bytes ? CL_MEM_COPY_HOST_PTR : 0, size, bytes, &error);
    OK(error);
    return m;
}

static cl_int run(cl_kernel k, size_t global, size_t local)
{
    return clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, local ? &local : NULL, 0, NULL, NULL);
}

static int word(cl_mem m, size_t i)
{
    int w = -1;
    OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 4 * i, 4, &w, 0, NULL, NULL));
    return w;
}

static float number(cl_mem m, size_t i)
{
    int w = word(m, i);
    float f;
    memcpy(&f, &w, 4);
    return f;
}

static cl_mem zeros(void)
{
    static int zero[64];
    return buffer(sizeof zero, zero);
}

static void add(cl_program from, cl_mem m, int by)
{
    cl_kernel k = clCreateKernel(from, "add", &error);
    OK(error);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, sizeof by, &by));
    OK(run(k, 64, 32));
    OK(clReleaseKernel(k));
}

/* ---- programs ---- */

static void a_program_runs_from_source_and_from_its_binary(void)
{
    for (int i = 0; i < 2; i++) {
        start();
        cl_mem m = zeros();
        add(program, m, 5);
        add(program, m, 6);
        CU_ASSERT_EQUAL(word(m, 0), 11);
        CU_ASSERT_EQUAL(word(m, 63), 11);
        OK(clReleaseMemObject(m));
        end();
    }
}

static void a_context_holds_several_programs_with_kernels_of_one_name(void)
{
    start();
    cl_mem m = zeros();
    cl_program other = source("#include \"factor.h\"\n__constant int more = 3;\n__kernel void "
                              "add(__global int *p, int by) { p[get_global_id(0)] += FACTOR * by + "
                              "more; }\n");
    char *dir = tools_folder(), *options = fl_format("-I \"%s\" -D TWO=2", dir);
    tools_put(dir, "factor.h", "#define FACTOR (5 * TWO)\n", 25);
    OK(clBuildProgram(other, 1, &device, options, NULL, NULL));
    for (int i = 0; i < 2; i++) {
        add(program, m, 1);
        add(other, m, 2);
    }
    CU_ASSERT_EQUAL(word(m, 40), 2 * (1 + 23));
    cl_kernel k = NULL;
    cl_uint n = 0;
    char name[8];
    OK(clCreateKernelsInProgram(other, 1, &k, &n));
    CU_ASSERT_EQUAL(n, 1);
    OK(clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    CU_ASSERT_STRING_EQUAL(name, "add");
    OK(clReleaseKernel(k));
    OK(clReleaseProgram(other));
    OK(ocl_dispatch.clUnloadPlatformCompiler(platform)); /* programs in C++ end with it */
    OK(clReleaseMemObject(m));
    end();
    free(options);
    tools_remove(dir);
}

static void a_source_that_does_not_compile_has_a_log_with_the_line(void)
{
    cl_build_status status;
    start();
    cl_program p = source("__kernel void k(__global int *p)\n{\n    p[0] = nothing;\n}\n");
    tools_listen();
    IS(clBuildProgram(p, 1, &device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    tools_said(".cl:3:12: error: use of undeclared identifier 'nothing'");
    CU_ASSERT_PTR_NOT_NULL(strstr(log_of(p), ".cl:3:12: error:"));
    OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    CU_ASSERT_EQUAL(status, CL_BUILD_ERROR);
    tools_listen();
    FAILS(clCreateKernel(p, "k", &error), CL_INVALID_PROGRAM_EXECUTABLE);
    IS(clBuildProgram(p, 1, &device, "-no-such-option", NULL, NULL), CL_INVALID_BUILD_OPTIONS);
    tools_said("no-such-option");
    OK(clReleaseProgram(p));
    end();
}

static void a_missing_compiler_is_said_in_the_log(void)
{
    start();
    cl_program p = source("__kernel void k(__global int *p) { p[0] = 1; }\n");
    char *path = fl_strdup(getenv("PATH"));
    setenv("PATH", "/nowhere", 1);
    tools_listen();
    IS(clBuildProgram(p, 1, &device, "", NULL, NULL), CL_COMPILER_NOT_AVAILABLE);
    tools_said("smcc: No such file or directory");
    CU_ASSERT_PTR_NOT_NULL(strstr(log_of(p), "in a folder of PATH"));
    setenv("PATH", path, 1);
    free(path);
    OK(clReleaseProgram(p));
    end();
}

/* ---- arguments ---- */

static void values_of_every_size_reach_the_kernel(void)
{
    start();
    cl_mem m = zeros();
    cl_kernel k = kernel("values");
    const cl_char c = -3;
    const cl_float v[4] = {1, 2, 3, 4}, w[4] = {5, 6, 7, 0};
    const struct {
        cl_int a;
        cl_char b;
    } s = {8, 9};
    const cl_ulong u = 10;
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, sizeof c, &c));
    OK(clSetKernelArg(k, 2, sizeof v, v));
    OK(clSetKernelArg(k, 3, sizeof s, &s));
    OK(clSetKernelArg(k, 4, sizeof u, &u));
    OK(clSetKernelArg(k, 5, sizeof w, w));
    OK(clEnqueueTask(queue, k, 0, NULL, NULL));
    static const float wanted[] = {-3, 1, 4, 8, 9, 10, 7};
    for (size_t i = 0; i < 7; i++)
        CU_ASSERT_EQUAL(number(m, i), wanted[i]);
    tools_listen();
    IS(clSetKernelArg(k, 1, 4, v), CL_INVALID_ARG_SIZE);
    IS(clSetKernelArg(k, 2, 16, NULL), CL_INVALID_ARG_VALUE);
    IS(clSetKernelArg(k, 6, 4, v), CL_INVALID_ARG_INDEX);
    tools_said("argument 6: kernel 'values' has 6");
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(m));
    end();
}

static void local_arguments_lie_behind_the_kernels_own_local_memory(void)
{
    int in[64];
    start();
    for (int i = 0; i < 64; i++)
        in[i] = i;
    cl_mem a = buffer(sizeof in, in), b = zeros();
    cl_kernel k = kernel("sum");
    cl_ulong bytes = 0;
    OK(clSetKernelArg(k, 0, sizeof a, &a));
    OK(clSetKernelArg(k, 1, sizeof b, &b));
    OK(clSetKernelArg(k, 2, 32 * 4, NULL));
    OK(clSetKernelArg(k, 3, 32 * 4, NULL));
    OK(run(k, 64, 32));
    CU_ASSERT_EQUAL(word(b, 0), 31 * 16 + 21000);
    CU_ASSERT_EQUAL(word(b, 1), 31 * 16 + 32 * 32 + 21000);
    OK(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL));
    CU_ASSERT(bytes >= 256 && bytes < 512);
    tools_listen();
    IS(clSetKernelArg(k, 2, 4, &in), CL_INVALID_ARG_VALUE);
    IS(clSetKernelArg(k, 2, 0, NULL), CL_INVALID_ARG_SIZE);
    OK(clSetKernelArg(k, 2, 16384, NULL));
    IS(run(k, 64, 32), CL_OUT_OF_RESOURCES);
    tools_said("and profile g80 has 16384");
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    end();
}

static void images_are_read_with_the_sampler_of_the_kernel_or_the_argument(void)
{
    const cl_image_format two = {CL_RG, CL_FLOAT}, one = {CL_R, CL_UNORM_INT8};
    float texels[3][5][2], back[2][2]; /* rows of 5, of which the image has 4 */
    const cl_uchar bytes[2] = {0, 255};
    const size_t at[3] = {1, 2, 0}, region[3] = {1, 1, 1};
    start();
    for (int i = 0; i < 30; i++)
        texels[i / 10][i / 2 % 5][i % 2] = (float)i;
    cl_mem out = zeros(), a = clCreateImage2D(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                              &two, 4, 3, sizeof texels[0], texels, &error);
    OK(error);
    cl_mem b = clCreateImage2D(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &one, 2, 1, 0,
                               (void *)(uintptr_t)bytes, &error);
    OK(error);
    cl_kernel k = kernel("look");
    OK(clSetKernelArg(k, 0, sizeof a, &a));
    OK(clSetKernelArg(k, 1, sizeof out, &out));
    OK(run(k, 12, 4));
    for (int i = 0; i < 12; i++) {
        const float *t = texels[i / 4][i % 4];
        CU_ASSERT_EQUAL(number(out, (size_t)i), t[0] + 10 * t[1] + 3400);
    }
    OK(clEnqueueReadImage(queue, a, CL_TRUE, at, region, 0, 0, back, 0, NULL, NULL));
    CU_ASSERT_EQUAL(back[0][1], texels[2][1][1]);
    OK(clReleaseKernel(k));
    k = kernel("filter");
    cl_float x = 1;
    cl_sampler s = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR,
                                   &error);
    OK(error);
    OK(clSetKernelArg(k, 0, sizeof b, &b));
    OK(clSetKernelArg(k, 1, sizeof s, &s));
    OK(clSetKernelArg(k, 2, sizeof x, &x));
    OK(clSetKernelArg(k, 3, sizeof out, &out));
    OK(clEnqueueTask(queue, k, 0, NULL, NULL));
    CU_ASSERT_EQUAL(number(out, 0), 0.5f);
    OK(clReleaseSampler(s));
    s = clCreateSampler(context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &error);
    x = 3.75f;
    OK(clSetKernelArg(k, 1, sizeof s, &s));
    OK(clSetKernelArg(k, 2, sizeof x, &x));
    OK(clEnqueueTask(queue, k, 0, NULL, NULL));
    CU_ASSERT_EQUAL(number(out, 0), 1);
    OK(clReleaseSampler(s));
    tools_listen();
    s = clCreateSampler(context, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &error);
    OK(clSetKernelArg(k, 1, sizeof s, &s));
    IS(clEnqueueTask(queue, k, 0, NULL, NULL), CL_INVALID_SAMPLER);
    IS(clSetKernelArg(k, 0, sizeof out, &out), CL_INVALID_MEM_OBJECT);
    tools_said("texture units have no colour of a border");
    OK(clReleaseSampler(s));
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseMemObject(out));
    end();
}

static void an_image_can_be_copied_and_mapped(void)
{
    const cl_image_format f = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_uint texels[4][4], flat[4];
    const size_t at[3] = {1, 1, 0}, region[3] = {2, 2, 1}, zero[3] = {0, 0, 0};
    size_t pitch = 0;
    start();
    for (cl_uint i = 0; i < 16; i++)
        texels[i / 4][i % 4] = i;
    cl_mem a = clCreateImage2D(context, CL_MEM_USE_HOST_PTR, &f, 4, 4, 0, texels, &error);
    OK(error);
    cl_mem b = clCreateImage2D(context, 0, &f, 2, 2, 0, NULL, &error), c = buffer(16, flat);
    OK(clEnqueueCopyImage(queue, a, b, at, zero, region, 0, NULL, NULL));
    OK(clEnqueueCopyImageToBuffer(queue, b, c, zero, region, 0, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, c, CL_TRUE, 0, 16, flat, 0, NULL, NULL));
    CU_ASSERT(flat[0] == 5 && flat[1] == 6 && flat[2] == 9 && flat[3] == 10);
    flat[3] = 77;
    OK(clEnqueueWriteBuffer(queue, c, CL_TRUE, 0, 16, flat, 0, NULL, NULL));
    OK(clEnqueueCopyBufferToImage(queue, c, a, 0, at, region, 0, NULL, NULL));
    cl_uint *p = clEnqueueMapImage(queue, a, CL_TRUE, CL_MAP_READ, at, region, &pitch, NULL, 0,
                                   NULL, NULL, &error);
    OK(error);
    CU_ASSERT_PTR_EQUAL(p, &texels[1][1]);
    CU_ASSERT_EQUAL(pitch, 16);
    CU_ASSERT_EQUAL(texels[2][2], 77);
    OK(clEnqueueUnmapMemObject(queue, a, p, 0, NULL, NULL));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
    OK(clReleaseMemObject(c));
    end();
}

/* ---- memory ---- */

static void memory_of_the_host_is_mapped_in_place(void)
{
    int here[64] = {0};
    start();
    cl_mem m = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof here, here, &error);
    OK(error);
    add(program, m, 7);
    int *p = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 16, 64, 0, NULL,
                                NULL, &error);
    OK(error);
    CU_ASSERT_PTR_EQUAL(p, here + 4);
    CU_ASSERT(here[4] == 7 && here[19] == 7 && here[20] == 0);
    here[5] = 100;
    OK(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
    add(program, m, 1);
    CU_ASSERT_EQUAL(word(m, 5), 101);
    CU_ASSERT_EQUAL(word(m, 4), 8);
    OK(clReleaseMemObject(m));
    m = zeros();
    add(program, m, 7);
    p = clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_WRITE, 4, 8, 0, NULL, NULL, &error);
    OK(error);
    CU_ASSERT_EQUAL(p[1], 7);
    p[0] = 3;
    OK(clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL));
    CU_ASSERT(word(m, 0) == 7 && word(m, 1) == 3 && word(m, 2) == 7);
    tools_listen();
    IS(clEnqueueUnmapMemObject(queue, m, here, 0, NULL, NULL), CL_INVALID_VALUE);
    tools_said("is not where the memory object is mapped");
    OK(clReleaseMemObject(m));
    end();
}

static void parts_copies_fills_and_rectangles_reach_their_bytes(void)
{
    int grid[4][4], back[2][2] = {{0}};
    const cl_buffer_region part = {256, 128};
    const size_t at[3] = {4, 1, 0}, zero[3] = {0, 0, 0}, region[3] = {8, 2, 1};
    const int three = 3;
    start();
    cl_mem m = buffer(512, NULL), g = buffer(sizeof grid, NULL);
    OK(clEnqueueFillBuffer(queue, m, &three, 4, 0, 512, 0, NULL, NULL));
    cl_mem p = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error);
    OK(error);
    cl_kernel k = kernel("add");
    OK(clSetKernelArg(k, 0, sizeof p, &p));
    OK(clSetKernelArg(k, 1, 4, &three));
    OK(run(k, 32, 0));
    CU_ASSERT(word(m, 63) == 3 && word(m, 64) == 6 && word(m, 95) == 6 && word(m, 96) == 3);
    OK(clEnqueueCopyBuffer(queue, m, m, 252, 0, 8, 0, NULL, NULL));
    CU_ASSERT(word(m, 0) == 3 && word(m, 1) == 6);
    for (int i = 0; i < 16; i++)
        grid[i / 4][i % 4] = i;
    OK(clEnqueueWriteBuffer(queue, g, CL_FALSE, 0, sizeof grid, grid, 0, NULL, NULL));
    OK(clEnqueueReadBufferRect(queue, g, CL_TRUE, at, zero, region, 16, 0, 8, 0, back, 0, NULL,
                               NULL));
    CU_ASSERT(back[0][0] == 5 && back[0][1] == 6 && back[1][0] == 9 && back[1][1] == 10);
    OK(clEnqueueCopyBufferRect(queue, g, m, at, zero, region, 16, 0, 8, 0, 0, NULL, NULL));
    CU_ASSERT(word(m, 0) == 5 && word(m, 3) == 10);
    back[1][1] = 55;
    OK(clEnqueueWriteBufferRect(queue, g, CL_TRUE, zero, zero, region, 16, 0, 8, 0, back, 0, NULL,
                                NULL));
    CU_ASSERT(word(g, 5) == 55 && word(g, 6) == 6);
    tools_listen();
    IS(clEnqueueCopyBuffer(queue, m, m, 0, 4, 8, 0, NULL, NULL), CL_MEM_COPY_OVERLAP);
    FAILS(clCreateSubBuffer(p, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &error),
          CL_INVALID_MEM_OBJECT);
    tools_said("a part of a part");
    OK(clReleaseMemObject(m)); /* its part holds it */
    CU_ASSERT_EQUAL(word(p, 0), 6);
    OK(clReleaseMemObject(p));
    OK(clReleaseMemObject(g));
    OK(clReleaseKernel(k));
    end();
}

/* ---- launches, events ---- */

static void work_items_of_three_dimensions_fill_a_block_in_the_third(void)
{
    const size_t global[3] = {6, 2, 3}, local[3] = {3, 1, 1};
    start();
    cl_mem m = zeros();
    cl_kernel k = kernel("place");
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clEnqueueNDRangeKernel(queue, k, 3, NULL, global, NULL, 0, NULL, NULL));
    CU_ASSERT(word(m, 0) == 6 && word(m, 35) == 6 && word(m, 36) == 0);
    tools_listen();
    IS(clEnqueueNDRangeKernel(queue, k, 3, NULL, global, local, 0, NULL, NULL),
       CL_INVALID_GLOBAL_WORK_SIZE);
    tools_said("a grid of compute capability 1.x has 1");
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(m));
    end();
}

static void a_group_that_lacks_registers_runs_a_version_with_fewer(void)
{
    enum { ITEMS = 512 };
    int a[ITEMS + 24], wrong = 0;
    cl_kernel all[16];
    cl_uint n = 0;
    size_t most = 0;
    start();
    for (int i = 0; i < ITEMS + 24; i++)
        a[i] = i * 7;
    cl_mem in = buffer(sizeof a, a), out = buffer(sizeof a, a);
    cl_kernel k = kernel("live");
    OK(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    CU_ASSERT_EQUAL(most, ITEMS);
    OK(clSetKernelArg(k, 0, sizeof in, &in));
    OK(clSetKernelArg(k, 1, sizeof out, &out));
    tools_listen();
    OK(run(k, ITEMS, 0));
    OK(run(k, ITEMS, ITEMS));
    tools_said("too many for a block of 512 threads");
    for (int t = 0; t < ITEMS; t++) {
        unsigned v[24], s = 0;
        for (int i = 0; i < 24; i++)
            v[i] = (unsigned)a[i + t];
        for (int r = 0; r < 3; r++)
            for (int i = 0; i < 23; i++)
                v[i] = v[i + 1] * 5 + v[i * 7 % 24];
        for (int i = 0; i < 24; i++)
            s = s * 3 + v[i];
        wrong += word(out, (size_t)t) != (int)s;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    OK(clCreateKernelsInProgram(program, 16, all, &n));
    CU_ASSERT_EQUAL(n, 8);
    while (n)
        OK(clReleaseKernel(all[--n]));
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(in));
    OK(clReleaseMemObject(out));
    end();
}

static void events_have_the_cycles_of_the_machine(void)
{
    cl_event e[2];
    cl_ulong t[4];
    start();
    cl_mem m = zeros();
    cl_kernel k = kernel("add");
    const int by = 1;
    const size_t global = 64;
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, sizeof by, &by));
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, NULL, 0, NULL, &e[0]));
    OK(clEnqueueMarker(queue, &e[1]));
    OK(clWaitForEvents(2, e));
    uint64_t cycles = machine_cycles(&context->d.machine);
    for (int i = 0; i < 4; i++)
        OK(clGetEventProfilingInfo(e[i / 2],
                                   i % 2 ? CL_PROFILING_COMMAND_END : CL_PROFILING_COMMAND_START,
                                   sizeof *t, &t[i], NULL));
    CU_ASSERT_EQUAL(t[0], 0);
    CU_ASSERT(cycles > 100 && t[1] == (cl_ulong)((double)cycles * 1000 / 1350));
    CU_ASSERT(t[2] == t[1] && t[3] == t[1]);
    for (int i = 0; i < 2; i++)
        OK(clReleaseEvent(e[i]));
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(m));
    end();
}

static void a_trap_ends_the_context_and_another_one_works(void)
{
    start();
    cl_mem m = zeros();
    cl_kernel k = kernel("wild");
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    tools_listen();
    IS(run(k, 32, 32), CL_OUT_OF_RESOURCES);
    tools_said("kernel 'wild' trapped at ");
    IS(clFinish(queue), CL_OUT_OF_RESOURCES);
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(m));
    end();
    start();
    m = zeros();
    add(program, m, 2);
    CU_ASSERT_EQUAL(word(m, 1), 2);
    OK(clReleaseMemObject(m));
    end();
}

/* ---- errors that the specification documents ---- */

static void contexts_and_queues_refuse_what_the_specification_says(void)
{
    const cl_context_properties no_platform[] = {CL_CONTEXT_PLATFORM, 8, 0},
                                no_property[] = {1, 1, 0};
    cl_uint n = 9;
    size_t size;
    char small[2];
    start();
    tools_listen();
    IS(clGetPlatformIDs(0, NULL, NULL), CL_INVALID_VALUE);
    IS(clGetPlatformInfo(platform, 1, 0, NULL, &size), CL_INVALID_VALUE);
    IS(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof small, small, NULL), CL_INVALID_VALUE);
    IS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 0, NULL, &n), CL_DEVICE_NOT_FOUND);
    CU_ASSERT_EQUAL(n, 0);
    IS(clGetDeviceIDs(platform, 0, 0, NULL, &n), CL_INVALID_DEVICE_TYPE);
    IS(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, NULL), CL_INVALID_VALUE);
    IS(clGetDeviceInfo(device, 1, 0, NULL, &size), CL_INVALID_VALUE);
    IS(clGetDeviceInfo((cl_device_id)&n, CL_DEVICE_TYPE, 0, NULL, &size), CL_INVALID_DEVICE);
    FAILS(clCreateContext(NULL, 0, NULL, NULL, NULL, &error), CL_INVALID_VALUE);
    FAILS(clCreateContext(no_platform, 1, &device, NULL, NULL, &error), CL_INVALID_PLATFORM);
    FAILS(clCreateContext(no_property, 1, &device, NULL, NULL, &error), CL_INVALID_PROPERTY);
    FAILS(clCreateContext(NULL, 1, &device, NULL, &n, &error), CL_INVALID_VALUE);
    FAILS(clCreateContextFromType(NULL, CL_DEVICE_TYPE_CPU, NULL, NULL, &error),
          CL_DEVICE_NOT_FOUND);
    FAILS(clCreateCommandQueue((cl_context)queue, device, 0, &error), CL_INVALID_CONTEXT);
    FAILS(clCreateCommandQueue(context, (cl_device_id)queue, 0, &error), CL_INVALID_DEVICE);
    FAILS(clCreateCommandQueue(context, device, 1 << 20, &error), CL_INVALID_VALUE);
    IS(clRetainCommandQueue((cl_command_queue)context), CL_INVALID_COMMAND_QUEUE);
    IS(clFinish((cl_command_queue)context), CL_INVALID_COMMAND_QUEUE);
    tools_said("is no command queue, or none any more");
    end();
}

static void memory_refuses_what_the_specification_says(void)
{
    const cl_image_format half = {CL_RGBA, CL_HALF_FLOAT}, f = {CL_R, CL_FLOAT};
    const cl_mem_flags both = CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR;
    int here[4] = {0};
    start();
    cl_mem m = buffer(16, here);
    tools_listen();
    FAILS(clCreateBuffer(context, 0, 0, NULL, &error), CL_INVALID_BUFFER_SIZE);
    FAILS(clCreateBuffer(context, 0, (size_t)1 << 40, NULL, &error), CL_INVALID_BUFFER_SIZE);
    FAILS(clCreateBuffer(context, 0, HOST_DEVICE_BYTES, NULL, &error),
          CL_MEM_OBJECT_ALLOCATION_FAILURE);
    FAILS(clCreateBuffer(context, both, 16, here, &error), CL_INVALID_VALUE);
    FAILS(clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 16, NULL, &error),
          CL_INVALID_VALUE);
    FAILS(clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 16, NULL, &error), CL_INVALID_HOST_PTR);
    FAILS(clCreateBuffer(context, 0, 16, here, &error), CL_INVALID_HOST_PTR);
    FAILS(clCreateBuffer((cl_context)m, 0, 16, NULL, &error), CL_INVALID_CONTEXT);
    IS(clEnqueueReadBuffer(queue, m, CL_TRUE, 8, 16, here, 0, NULL, NULL), CL_INVALID_VALUE);
    IS(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 16, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
    IS(clEnqueueWriteBuffer(queue, (cl_mem)queue, CL_TRUE, 0, 16, here, 0, NULL, NULL),
       CL_INVALID_MEM_OBJECT);
    IS(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, 16, here, 1, NULL, NULL),
       CL_INVALID_EVENT_WAIT_LIST);
    FAILS(clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, 0, 17, 0, NULL, NULL, &error),
          CL_INVALID_VALUE);
    FAILS(clCreateImage2D(context, 0, &half, 2, 2, 0, NULL, &error), CL_IMAGE_FORMAT_NOT_SUPPORTED);
    FAILS(clCreateImage2D(context, 0, NULL, 2, 2, 0, NULL, &error),
          CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    FAILS(clCreateImage2D(context, 0, &f, 0, 2, 0, NULL, &error), CL_INVALID_IMAGE_SIZE);
    FAILS(clCreateImage2D(context, CL_MEM_COPY_HOST_PTR, &f, 4, 1, 6, here, &error),
          CL_INVALID_IMAGE_SIZE);
    FAILS(clCreateImage3D(context, 0, &f, 2, 2, 2, 0, 0, NULL, &error), CL_INVALID_OPERATION);
    FAILS(clCreateSampler(context, 2, CL_ADDRESS_NONE, CL_FILTER_LINEAR, &error), CL_INVALID_VALUE);
    IS(clGetImageInfo(m, CL_IMAGE_WIDTH, 0, NULL, NULL), CL_INVALID_MEM_OBJECT);
    IS(clGetMemObjectInfo(m, 1, 0, NULL, NULL), CL_INVALID_VALUE);
    OK(clReleaseMemObject(m));
    IS(clReleaseMemObject(m), CL_INVALID_MEM_OBJECT);
    tools_said("is no memory object, or none any more");
    end();
}

static void programs_and_launches_refuse_what_the_specification_says(void)
{
    const char *nothing = NULL;
    const unsigned char bytes[] = "no cubin at all", *at = bytes;
    const size_t length = sizeof bytes, global = 64, local = 48, many = 1024, none = 0;
    cl_int status = 0, by = 1;
    start();
    cl_mem m = zeros();
    cl_kernel k = kernel("add");
    cl_event e;
    cl_command_queue untimed = clCreateCommandQueue(context, device, 0, &error);
    OK(clEnqueueMarker(untimed, &e));
    tools_listen();
    FAILS(clCreateProgramWithSource(context, 0, NULL, NULL, &error), CL_INVALID_VALUE);
    FAILS(clCreateProgramWithSource(context, 1, &nothing, NULL, &error), CL_INVALID_VALUE);
    FAILS(clCreateProgramWithBinary(context, 1, &device, &length, &at, &status, &error),
          CL_INVALID_BINARY);
    CU_ASSERT_EQUAL(status, CL_INVALID_BINARY);
    IS(clBuildProgram(program, 1, NULL, NULL, NULL, NULL), CL_INVALID_VALUE);
    IS(clBuildProgram(program, 0, NULL, NULL, NULL, NULL), CL_INVALID_OPERATION); /* has a kernel */
    IS(ocl_dispatch.clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
       CL_INVALID_OPERATION);
    FAILS(ocl_dispatch.clLinkProgram(context, 0, NULL, NULL, 1, &program, NULL, NULL, &error),
          CL_INVALID_OPERATION);
    FAILS(clCreateKernel(program, "none", &error), CL_INVALID_KERNEL_NAME);
    FAILS(clCreateKernel(program, NULL, &error), CL_INVALID_VALUE);
    FAILS(clCreateKernel((cl_program)context, "add", &error), CL_INVALID_PROGRAM);
    IS(clSetKernelArg(k, 0, sizeof queue, &queue), CL_INVALID_MEM_OBJECT);
    IS(clSetKernelArg((cl_kernel)m, 0, sizeof m, &m), CL_INVALID_KERNEL);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    IS(run(k, 64, 32), CL_INVALID_KERNEL_ARGS);
    OK(clSetKernelArg(k, 1, sizeof by, &by));
    IS(clEnqueueNDRangeKernel(queue, k, 0, NULL, &global, NULL, 0, NULL, NULL),
       CL_INVALID_WORK_DIMENSION);
    IS(clEnqueueNDRangeKernel(queue, k, 4, NULL, &global, NULL, 0, NULL, NULL),
       CL_INVALID_WORK_DIMENSION);
    IS(clEnqueueNDRangeKernel(queue, k, 1, NULL, &none, NULL, 0, NULL, NULL),
       CL_INVALID_GLOBAL_WORK_SIZE);
    IS(clEnqueueNDRangeKernel(queue, k, 1, &global, &global, NULL, 0, NULL, NULL),
       CL_INVALID_GLOBAL_OFFSET);
    IS(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL),
       CL_INVALID_WORK_GROUP_SIZE);
    IS(clEnqueueNDRangeKernel(queue, k, 1, NULL, &many, &many, 0, NULL, NULL),
       CL_INVALID_WORK_ITEM_SIZE);
    IS(clWaitForEvents(0, NULL), CL_INVALID_VALUE);
    IS(clWaitForEvents(1, (cl_event[]){(cl_event)m}), CL_INVALID_EVENT);
    IS(clGetEventProfilingInfo(e, CL_PROFILING_COMMAND_END, 0, NULL, NULL),
       CL_PROFILING_INFO_NOT_AVAILABLE);
    IS(clGetEventInfo(e, 1, 0, NULL, NULL), CL_INVALID_VALUE);
    IS(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, NULL, 1, (cl_event[]){(cl_event)m}, NULL),
       CL_INVALID_EVENT_WAIT_LIST);
    cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    cl_mem theirs = clCreateBuffer(other, 0, 256, NULL, &error);
    OK(clSetKernelArg(k, 0, sizeof theirs, &theirs));
    IS(run(k, 64, 32), CL_INVALID_CONTEXT);
    OK(clReleaseMemObject(theirs));
    IS(run(k, 64, 32), CL_INVALID_MEM_OBJECT);
    tools_said("the memory object is of another context");
    OK(clReleaseContext(other));
    OK(clReleaseEvent(e));
    OK(clReleaseCommandQueue(untimed));
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(m));
    end();
}

int main(void)
{
    if (!check_clang())
        return CHECK_RUN("opencl");
    char *path = fl_format(FAULTLINE_BUILD_DIR "/bin:%s", getenv("PATH"));
    setenv("PATH", path, 1);
    free(path);
    int status = CHECK_RUN(
        "opencl", CHECK(a_program_runs_from_source_and_from_its_binary),
        CHECK(a_context_holds_several_programs_with_kernels_of_one_name),
        CHECK(a_source_that_does_not_compile_has_a_log_with_the_line),
        CHECK(a_missing_compiler_is_said_in_the_log), CHECK(values_of_every_size_reach_the_kernel),
        CHECK(local_arguments_lie_behind_the_kernels_own_local_memory),
        CHECK(images_are_read_with_the_sampler_of_the_kernel_or_the_argument),
        CHECK(an_image_can_be_copied_and_mapped), CHECK(memory_of_the_host_is_mapped_in_place),
        CHECK(parts_copies_fills_and_rectangles_reach_their_bytes),
        CHECK(work_items_of_three_dimensions_fill_a_block_in_the_third),
        CHECK(a_group_that_lacks_registers_runs_a_version_with_fewer),
        CHECK(events_have_the_cycles_of_the_machine),
        CHECK(a_trap_ends_the_context_and_another_one_works),
        CHECK(contexts_and_queues_refuse_what_the_specification_says),
        CHECK(memory_refuses_what_the_specification_says),
        CHECK(programs_and_launches_refuse_what_the_specification_says));
    fl_buf_free(&binary);
    return status;
}
