/* test_opencl_programs.c -- host programs of OpenCL over the loader: run, compared with pocl, recorded, and given faults. */
#include "tests/lib/check.h"
#include "tests/lib/folder.h"

#define OURS "OCL_ICD_VENDORS=" FAULTLINE_BUILD_DIR "/lib/faultline/libfaultline-opencl.so "
#define POCL "/etc/OpenCL/vendors/pocl.icd"

/* Two programs with kernels of one name, a mapped buffer in place, local memory, an image, a build that fails. What it prints depends on
 * results alone. */
static const char host[] =
    "#define CL_TARGET_OPENCL_VERSION 120\n#define CL_USE_DEPRECATED_OPENCL_1_1_APIS\n"
    "#include <CL/cl.h>\n#include <stdio.h>\n#include <string.h>\n"
    "static const char *first =\n"
    "    \"__constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | \"\n"
    "    \"CLK_FILTER_NEAREST;\\n\"\n"
    "    \"__kernel void run(__global int *p, uint4 by)\\n{ p[get_global_id(0)] += by.z; }\\n\"\n"
    "    \"__kernel void sum(__global int *p, __local int *t)\\n{\\n    int i = "
    "get_local_id(0);\\n\"\n"
    "    \"    t[i] = p[get_global_id(0)];\\n    barrier(CLK_LOCAL_MEM_FENCE);\\n\"\n"
    "    \"    for (int k = get_local_size(0) / 2; k; k /= 2) {\\n        if (i < k)\\n\"\n"
    "    \"            t[i] += t[i + k];\\n        barrier(CLK_LOCAL_MEM_FENCE);\\n    }\\n\"\n"
    "    \"    if (i == 0)\\n        p[get_global_id(0)] = t[0];\\n}\\n\"\n"
    "    \"__kernel void look(read_only image2d_t im, __global int *p)\\n\"\n"
    "    \"{ int i = get_global_id(0); p[i] = read_imageui(im, s, (int2)(i % 8, i / 8)).x; "
    "}\\n\",\n"
    "    *second = \"__kernel void run(__global int *p) { p[get_global_id(0)] *= FACTOR; }\\n\",\n"
    "    *wrong = \"__kernel void run(__global int *p) { p[0] = unknown; }\\n\";\n"
    "static int h[64];\n"
    "int main(int argc, char **argv)\n{\n"
    "    cl_platform_id platform; cl_device_id device; cl_int e; char log[4096]; cl_uint n;\n"
    "    const cl_image_format f = {CL_R, CL_UNSIGNED_INT8}; unsigned char texels[64];\n"
    "    size_t items = 64, group = 32; const cl_uint by[4] = {1, 2, 3, 4};\n"
    "    (void)argv;\n    e = clGetPlatformIDs(1, &platform, &n);\n"
    "    e |= clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);\n"
    "    cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);\n"
    "    cl_command_queue q = clCreateCommandQueue(c, device, CL_QUEUE_PROFILING_ENABLE, NULL);\n"
    "    cl_program a = clCreateProgramWithSource(c, 1, &first, NULL, NULL),\n"
    "               b = clCreateProgramWithSource(c, 1, &second, NULL, NULL),\n"
    "               w = clCreateProgramWithSource(c, 1, &wrong, NULL, NULL);\n"
    "    e |= clBuildProgram(a, 1, &device, \"\", NULL, NULL);\n"
    "    e |= clBuildProgram(b, 1, &device, \"-DFACTOR=5\", NULL, NULL);\n"
    "    printf(\"errors: %d\\n\", e);\n"
    "    e = clBuildProgram(w, 1, &device, NULL, NULL, NULL);\n"
    "    clGetProgramBuildInfo(w, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);\n"
    "    printf(\"build: %d, log: %s\\n\", e, strstr(log, \"unknown\") ? \"names it\" : log);\n"
    "    cl_kernel run = clCreateKernel(a, \"run\", NULL), times = clCreateKernel(b, \"run\", "
    "NULL),\n"
    "              sum = clCreateKernel(a, \"sum\", NULL), look = clCreateKernel(a, \"look\", "
    "NULL);\n"
    "    for (int i = 0; i < 64; i++)\n        h[i] = i, texels[i] = (unsigned char)(3 * i);\n"
    "    cl_mem m = clCreateBuffer(c, CL_MEM_USE_HOST_PTR, sizeof h, h, NULL),\n"
    "           im = clCreateImage2D(c, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &f, 8, 8, 0, "
    "texels, NULL);\n"
    "    clSetKernelArg(run, 0, sizeof m, &m);\n    clSetKernelArg(run, 1, sizeof by, by);\n"
    "    clSetKernelArg(times, 0, sizeof m, &m);\n    clSetKernelArg(sum, 0, sizeof m, &m);\n"
    "    clSetKernelArg(sum, 1, 128, NULL);\n    clSetKernelArg(look, 0, sizeof im, &im);\n"
    "    clSetKernelArg(look, 1, sizeof m, &m);\n"
    "    e = clEnqueueNDRangeKernel(q, run, 1, NULL, &items, &group, 0, NULL, NULL);\n"
    "    e |= clEnqueueNDRangeKernel(q, times, 1, NULL, &items, NULL, 0, NULL, NULL);\n"
    "    int *p = clEnqueueMapBuffer(q, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, sizeof h, 0, "
    "NULL, NULL, NULL);\n"
    "    printf(\"mapped in place: %d; %d %d\\n\", p == h, p[0], p[63]);\n    p[1] = 1000;\n"
    "    e |= clEnqueueUnmapMemObject(q, m, p, 0, NULL, NULL);\n"
    "    e |= clEnqueueNDRangeKernel(q, sum, 1, NULL, &items, &group, 0, NULL, NULL);\n"
    "    int sums[64] = {0};\n"
    "    e |= clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL);\n"
    "    printf(\"sums: %d %d\\n\", sums[0], sums[32]);\n"
    "    e |= clEnqueueNDRangeKernel(q, look, 1, NULL, &items, &group, 0, NULL, NULL);\n"
    "    e |= clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof sums, sums, 0, NULL, NULL);\n"
    "    printf(\"image: %d %d, errors: %d\\n\", sums[9], sums[63], e);\n"
    "    if (argc == 1)\n        clReleaseContext(c);\n    return e != 0;\n}\n";

/* Host and loader. */
static bool build(void)
{
    struct fl_buf out = {0};
    tools_put(dir, "host.c", host, sizeof host - 1);
    int status = tools_run(dir, &out, "cc -Wall host.c -o host -lOpenCL 2>said");
    fl_buf_free(&out);
    if (status == 0)
        return true;
    check_skip("no libOpenCL (scripts/setup --pocl)");
    return false;
}

static void a_host_prints_what_it_prints_on_pocl(void)
{
    if (!build())
        return;
    expect(OURS "./host 2>/dev/null", 0,
           "errors: 0\nbuild: -11, log: names it\nmapped in place: 1; 15 330\nsums: 3940 8080\n"
           "image: 27 189, errors: 0\n");
    if (access(POCL, R_OK) != 0)
        check_skip("no pocl (scripts/setup --pocl)");
    else
        expect(OURS "./host 2>/dev/null >ours; OCL_ICD_VENDORS=" POCL
                    " POCL_CACHE_DIR=$PWD/cache ./host 2>/dev/null >theirs; cmp ours theirs && "
                    "echo equal",
               0, "equal");
}

/* Text of kernels stands between that of the host; pocl prints it when a launch ends, too. */
static void kernels_print_what_they_print_on_pocl(void)
{
    static const char text[] =
        "#define CL_TARGET_OPENCL_VERSION 110\n#include <CL/cl.h>\n#include <stdio.h>\n"
        "int main(void)\n{\n    cl_platform_id p; cl_device_id d; size_t items = 2;\n"
        "    const char *s = \"__kernel void k(float4 v, int n)\\n{\\n\"\n"
        "        \"if (get_global_id(0)) return;\\nprintf(\\\"none\\\\n\\\");\\n\"\n"
        "        \"printf(\\\"%d %5u|%s|%c%%|%ld|%x\\\\n\\\", n, n, \\\"text\\\", 'a' + n, (long)n "
        "<< 40, -n);\\n\"\n"
        "        \"printf(\\\"%5.2v4hlf|%v4hhd|%v2hlx|%v3hd\\\\n\\\", v, (char4)(1, -2, 3, n), "
        "(uint2)(n, 255), \"\n"
        "        \"(short3)(-1, 0, 1));\\n\"\n"
        "        \"printf(\\\"%g %e %f %a\\\\n\\\", v.x, v.y, v.z, v.w);\\n}\";\n"
        "    float v[4] = {1.5f, -2.25f, 1e6f, 0.0f};\n    int n = 7;\n"
        "    clGetPlatformIDs(1, &p, NULL);\n    clGetDeviceIDs(p, CL_DEVICE_TYPE_DEFAULT, 1, &d, "
        "NULL);\n"
        "    cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);\n"
        "    cl_command_queue q = clCreateCommandQueue(c, d, 0, NULL);\n"
        "    cl_program m = clCreateProgramWithSource(c, 1, &s, NULL, NULL);\n"
        "    clBuildProgram(m, 1, &d, \"\", NULL, NULL);\n    cl_kernel k = clCreateKernel(m, "
        "\"k\", NULL);\n"
        "    clSetKernelArg(k, 0, 16, v);\n    clSetKernelArg(k, 1, 4, &n);\n    "
        "printf(\"before\\n\");\n"
        "    fflush(stdout);\n    clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, "
        "NULL);\n    clFinish(q);\n"
        "    printf(\"after\\n\");\n    return 0;\n}\n";
    if (!build())
        return;
    tools_put(dir, "prints.c", text, sizeof text - 1);
    expect("cc prints.c -o prints -lOpenCL && " OURS "./prints", 0,
           "before\nnone\n7     7|text|h%|7696581394432|fffffff9\n"
           " 1.50,-2.25,1000000.00, 0.00|1,-2,3,7|7,ff|-1,0,1\n1.5 -2.250000e+00 1000000.000000 "
           "0x0p+0\nafter\n");
    if (access(POCL, R_OK) != 0)
        check_skip("no pocl (scripts/setup --pocl)");
    else
        expect(OURS "./prints >ours; OCL_ICD_VENDORS=" POCL
                    " POCL_CACHE_DIR=$PWD/cache ./prints >theirs; cmp ours theirs && echo equal",
               0, "equal");
}

/* With objects that are released, and with those that the end of the program releases. */
static void a_recorded_host_is_a_job_with_its_outputs_and_cycles(void)
{
    if (!build())
        return;
    expect(OURS "smrun --record run -- ./host kept 2>&1", 0,
           "recorded      run/job.xml: 4 launches, 2 buffers, 3 reads of 768 bytes");
    expect("grep -cE 'module2|<texture |<write ' run/job.xml", 0, "4");
    expect("smrun run/job.xml >first && " OURS "smrun --record run -- ./host 2>&1 && smrun "
           "run/job.xml | cmp - first && echo same",
           0, "same");
}

static void a_closed_loop_has_the_outcomes_of_the_host(void)
{
    if (!build())
        return;
    expect(OURS "faultsim transient --target rf --sample 6 --active-only --time-limit 300 --csv "
                "flips.csv -- "
                "./host 2>&1",
           0, "./host: ");
    expect(OURS "FAULTLINE_FAULT=rf/p5/b30@400:flip ./host >flipped 2>&1; grep -c sums flipped", 0,
           "1");
}

static void a_later_program_with_images_is_refused_with_the_reason(void)
{
    static const char two[] =
        "#define CL_TARGET_OPENCL_VERSION 110\n#include <CL/cl.h>\n#include <stdio.h>\n"
        "int main(void)\n{\n    cl_platform_id p; cl_device_id d; char log[999];\n"
        "    const char *s[] = {\"__kernel void a(__global int *p) { p[0] = 1; }\",\n"
        "        \"__kernel void b(read_only image2d_t i, __global int *p)\\n\"\n"
        "        \"{ p[0] = read_imagei(i, (int2)(0, 0)).x; }\"};\n"
        "    clGetPlatformIDs(1, &p, NULL);\n"
        "    clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL);\n"
        "    cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);\n"
        "    for (int i = 0; i < 2; i++) {\n"
        "        cl_program g = clCreateProgramWithSource(c, 1, s + i, NULL, NULL);\n"
        "        int e = clBuildProgram(g, 0, NULL, NULL, NULL, NULL);\n"
        "        clGetProgramBuildInfo(g, d, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);\n"
        "        printf(\"%d %s\\n\", e, log);\n    }\n    return 0;\n}\n";
    if (!build())
        return;
    tools_put(dir, "two.c", two, sizeof two - 1);
    expect("cc two.c -o two -lOpenCL && " OURS "./two 2>/dev/null", 0,
           "-11 module module2: has texture reference 'i', and only the first cubin may have some");
}

static void a_program_with_atomics_runs_on_a_device_that_claims_them(void)
{
    static const char counts[] =
        "#define CL_TARGET_OPENCL_VERSION 110\n#include <CL/cl.h>\n#include <stdio.h>\n"
        "#include <string.h>\nint main(void)\n{\n"
        "    cl_platform_id p; cl_device_id d; char text[999]; cl_int n[2] = {0, 0};\n"
        "    const char *s = \"__kernel void count(__global int *n)\\n{ atomic_inc(n); \"\n"
        "        \"atom_max(n + 1, (int)get_global_id(0)); }\";\n"
        "    clGetPlatformIDs(1, &p, NULL);\n"
        "    clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL);\n"
        "    clGetDeviceInfo(d, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL);\n"
        "    printf(\"%d%d%d \", !!strstr(text, \"global_int32_base_atomics\"),\n"
        "           !!strstr(text, \"global_int32_extended_atomics\"), !!strstr(text, "
        "\"int64_base\"));\n"
        "    cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);\n"
        "    cl_command_queue q = clCreateCommandQueue(c, d, 0, NULL);\n"
        "    cl_program g = clCreateProgramWithSource(c, 1, &s, NULL, NULL);\n"
        "    printf(\"%d \", clBuildProgram(g, 0, NULL, NULL, NULL, NULL));\n"
        "    clGetProgramBuildInfo(g, d, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL);\n"
        "    cl_kernel k = clCreateKernel(g, \"count\", NULL);\n    size_t items = 1000;\n"
        "    cl_mem m = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, sizeof n, n, NULL);\n"
        "    if (k && !clSetKernelArg(k, 0, sizeof m, &m) &&\n"
        "        !clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, NULL))\n"
        "        clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof n, n, 0, NULL, NULL);\n"
        "    printf(\"%d %d %s\\n\", n[0], n[1], text);\n    return 0;\n}\n";
    if (!build())
        return;
    tools_put(dir, "counts.c", counts, sizeof counts - 1);
    expect("cc counts.c -o counts -lOpenCL && FAULTLINE_PROFILE=g92 " OURS "./counts 2>&1", 0,
           "110 0 1000 999 ");
    expect("FAULTLINE_PROFILE=gt215 " OURS "./counts 2>&1", 0, "111 0 1000 999 ");
    expect(OURS "./counts 2>/dev/null", 0, "000 -11 0 0 ");
    expect(OURS "./counts 2>/dev/null", 0,
           "'atomic_inc' is unavailable: the machine (compute capability 1.0)");
}

/* With the argument `fork`: a child that has no device. `threads`: four that use one context; `turns`: one after the other.
 * Otherwise the name of a kernel: it runs, then another one, then both objects and context are made again. */
static const char uses[] =
    "#define CL_TARGET_OPENCL_VERSION 110\n#include <CL/cl.h>\n#include <pthread.h>\n"
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#include <sys/wait.h>\n#include <unistd.h>\nstatic const char *source =\n"
    "    \"__kernel void add(__global int *p, int by) { p[get_global_id(0)] += by; }\\n\"\n"
    "    \"__kernel void wild(__global int *p) { p[1 << 28] = 1; }\\n\";\n"
    "static cl_device_id device;\nstatic cl_context c;\nstatic cl_command_queue q;\n"
    "static cl_program g;\nstatic void start(void)\n{\n    cl_platform_id p;\n"
    "    clGetPlatformIDs(1, &p, NULL);\n"
    "    clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &device, NULL);\n"
    "    c = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);\n"
    "    q = clCreateCommandQueue(c, device, 0, NULL);\n"
    "    g = clCreateProgramWithSource(c, 1, &source, NULL, NULL);\n"
    "    clBuildProgram(g, 0, NULL, NULL, NULL, NULL);\n}\nstatic void end(void)\n{\n"
    "    clReleaseProgram(g);\n    clReleaseCommandQueue(q);\n    clReleaseContext(c);\n"
    "}\nstatic int run(int times, const char *name)\n{\n"
    "    int h[64] = {0}, wrong = 0, by = 3;\n    size_t items = 64, group = 32;\n"
    "    cl_int e = 0;\n    cl_kernel k = clCreateKernel(g, name, &e);\n"
    "    cl_mem m = clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, sizeof h, h, NULL);\n"
    "    e |= clSetKernelArg(k, 0, sizeof m, &m);\n    if (!strcmp(name, \"add\"))\n"
    "        e |= clSetKernelArg(k, 1, sizeof by, &by);\n"
    "    for (int i = 0; i < times; i++)\n"
    "        e |= clEnqueueNDRangeKernel(q, k, 1, NULL, &items, &group, 0, NULL, NULL);\n"
    "    e |= clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof h, h, 0, NULL, NULL);\n"
    "    for (int i = 0; i < 64; i++)\n        wrong += h[i] != 3 * times;\n"
    "    clReleaseMemObject(m);\n    clReleaseKernel(k);\n    return e ? -1 : wrong;\n}\n"
    "static void *thread(void *result)\n{\n    *(int *)result = run(5, \"add\");\n"
    "    return NULL;\n}\nint main(int argc, char **argv)\n{\n"
    "    int status = 0, results[4] = {9, 9, 9, 9}, bad = 9;\n    pthread_t t[4];\n"
    "    start();\n    if (argc > 1 && !strcmp(argv[1], \"fork\")) {\n"
    "        if (fork() == 0)\n            exit(run(1, \"add\") == -1 ? 0 : 7);\n"
    "        wait(&status);\n        bad = run(2, \"add\") + WEXITSTATUS(status);\n"
    "    } else if (argc > 1 && argv[1][0] == 't') {\n"
    "        int turns = !strcmp(argv[1], \"turns\");\n"
    "        for (int i = 0; i < 4; i++) {\n"
    "            pthread_create(t + i, NULL, thread, results + i);\n"
    "            if (turns)\n                pthread_join(t[i], NULL);\n        }\n"
    "        for (int i = 0; i < 4 && !turns; i++)\n"
    "            pthread_join(t[i], NULL);\n"
    "        bad = results[0] + results[1] + results[2] + results[3];\n"
    "    } else if (argc > 1) {\n        bad = run(1, argv[1]);\n"
    "        printf(\"first %d, then %d\\n\", bad, run(1, \"add\"));\n        end();\n"
    "        start();\n        bad = run(2, \"add\");\n    }\n"
    "    printf(\"wrong %d\\n\", bad);\n    end();\n    return bad != 0;\n}\n";

static bool build_uses(void)
{
    if (!build())
        return false;
    tools_put(dir, "uses.c", uses, sizeof uses - 1);
    expect("cc uses.c -o uses -lOpenCL -lpthread && echo built", 0, "built");
    return true;
}

/* Faults take a program whose runs are alike, so threads that use the device in turns. */
static void a_host_with_a_child_or_threads_is_recorded_and_given_faults(void)
{
    if (!build_uses())
        return;
    expect(OURS "smrun --record forks -- ./uses fork 2>&1 && smrun forks/job.xml", 0,
           "a child of fork has no device");
    expect("grep -c '<launch ' forks/job.xml", 0, "2");
    expect(OURS "smrun --record threads -- ./uses threads 2>&1", 0,
           "recorded      threads/job.xml: 20 launches, ");
    expect("smrun threads/job.xml >/dev/null && echo right", 0, "right");
    expect(OURS "faultsim transient --target rf --sample 4 --seed 3 --active-only --exit 1=sdc "
                "--time-limit 300 -- ./uses fork 2>&1",
           0, "./uses: ");
    expect(OURS "faultsim transient --target rf --sample 4 --seed 3 --active-only --exit 1=sdc "
                "--time-limit 300 -- ./uses turns 2>&1",
           0, "./uses: ");
}

/* A fault has a cycle of one context, so a host with two of them is recorded only. */
static void a_host_that_makes_its_context_again_is_recorded_in_parts(void)
{
    if (!build_uses())
        return;
    expect(OURS "smrun --record again -- ./uses add 2>&1", 0, "first 0, then 0\nwrong 0\n");
    expect("grep -c '<launch ' again/job.xml again/2/job.xml", 0,
           "again/job.xml:2\nagain/2/job.xml:2\n");
    expect(OURS "smrun --record traps -- ./uses wild 2>/dev/null", 0,
           "first -1, then -1\nwrong 0\n");
    expect("smrun traps/job.xml", 0, "OUT_OF_BOUNDS_GLOBAL");
    expect("smrun traps/2/job.xml >/dev/null && echo right", 0, "right");
    expect(OURS "faultsim transient --target rf --sample 4 --time-limit 300 -- ./uses add 2>&1", 1,
           "./uses: it starts the device 2 times");
}

int main(void)
{
    if (!check_clang())
        return CHECK_RUN("opencl_programs");
    dir = tools_folder();
    int status = CHECK_RUN("opencl_programs", CHECK(a_host_prints_what_it_prints_on_pocl),
                           CHECK(kernels_print_what_they_print_on_pocl),
                           CHECK(a_recorded_host_is_a_job_with_its_outputs_and_cycles),
                           CHECK(a_closed_loop_has_the_outcomes_of_the_host),
                           CHECK(a_later_program_with_images_is_refused_with_the_reason),
                           CHECK(a_program_with_atomics_runs_on_a_device_that_claims_them),
                           CHECK(a_host_with_a_child_or_threads_is_recorded_and_given_faults),
                           CHECK(a_host_that_makes_its_context_again_is_recorded_in_parts));
    tools_remove(dir);
    return status;
}
