/* test_managed.c -- memory that host and device share: each sees what the other has written, when the host has waited. */
#include "tests/lib/check.h"

#include "tests/lib/folder.h"

static const char list[] =
    "#include <cstdio>\nstruct node {\n    int value;\n    node *next;\n};\n"
    "__global__ void chain(node *n, int *sum)\n{\n    for (; n; n = n->next) {\n        *sum += "
    "n->value;\n"
    "        n->value *= 2;\n    }\n}\n"
    "int main(int argc, char **)\n{\n    node *n;\n    int *sum;\n"
    "    if (cudaMallocManaged(&n, 3 * sizeof *n) || cudaMallocManaged(&sum, sizeof *sum))\n       "
    " return 1;\n"
    "    for (int i = 0; i < 3; i++) {\n        n[i].value = i + 1;\n        n[i].next = i < 2 ? n "
    "+ i + 1 : 0;\n    }\n"
    "    chain<<<1, 1>>>(n, sum);\n    if (argc > 1)\n        printf(\"%d\\n\", *sum);\n"
    "    cudaDeviceSynchronize();\n    printf(\"%d %d %d\\n\", *sum, n[0].value, n[2].value);\n"
    "    *sum = 100;\n    chain<<<1, 1>>>(n, sum);\n    cudaDeviceSynchronize();\n"
    "    printf(\"%d %d\\n\", *sum, n[2].value);\n    return 0;\n}\n";

static void host_and_device_see_what_the_other_has_written(void)
{
    put("list.cu", list);
    expect("smcc --exe list.cu -o list && ./list", 0, "6 2 6\n112 12\n");
}

static void a_host_that_does_not_wait_is_told(void)
{
    put("list.cu", list);
    expect("smcc --exe list.cu -o list && (./list early)", 139,
           "which is managed memory that a kernel may be using: call cudaDeviceSynchronize first");
}

/* What the host may read is an output: whole buffers, after each call that waits. */
static void a_record_reads_the_buffers_when_the_host_waits(void)
{
    put("list.cu", list);
    expect("smcc --exe list.cu -o list && smrun --record r -- ./list 2>&1", 0,
           "2 launches, 2 buffers, 4 reads of 104 bytes");
    expect("smrun r/job.xml", 0, "(as the job states)");
    expect("faultsim transient --target rf --sample 20 --active-only --csv f.csv -- ./list 2>&1", 0,
           "./list: ");
}

static void copies_and_fills_go_between_managed_and_other_memory(void)
{
    put("copies.cu",
        "#include <cstdio>\n__global__ void twice(int *p) { p[threadIdx.x] *= 2; }\n"
        "int main()\n{\n    int *m, *d, h[2000], wrong = 0;\n    size_t size = sizeof h;\n"
        "    cudaMallocManaged(&m, size);\n    cudaMalloc(&d, size);\n"
        "    for (int i = 0; i < 2000; i++)\n        m[i] = h[i] = i;\n"
        "    cudaMemcpy(d, m, size, cudaMemcpyHostToDevice);\n    twice<<<1, 32>>>(m);\n"
        "    cudaMemcpy(h, m, size, cudaMemcpyDefault);\n"
        "    for (int i = 0; i < 2000; i++)\n        wrong += h[i] != (i < 32 ? 2 * i : i) || m[i] "
        "!= h[i];\n"
        "    cudaMemset(m, 255, size);\n    cudaDeviceSynchronize();\n    wrong += m[1999] != -1;\n"
        "    cudaMemcpy(m + 1000, d + 1000, size / 2, cudaMemcpyDeviceToDevice);\n"
        "    wrong += m[1999] != 1999 || m[999] != -1;\n"
        "    printf(\"%d %d\\n\", wrong, cudaMemPrefetchAsync(m, size, 0));\n"
        "    int first = cudaFree(m), second = cudaFree(m);\n    printf(\"%d %d\\n\", first, "
        "second);\n"
        "    int bad[] = {cudaMallocManaged(&m, 0), cudaMallocManaged(&m, 4, 9), "
        "cudaMallocManaged((int **)0, 4),\n"
        "                 cudaMallocManaged(&m, 1u << 30)};\n"
        "    printf(\"%d %d %d %d\\n\", bad[0], bad[1], bad[2], bad[3]);\n}\n");
    expect("smcc --exe copies.cu -o copies && ./copies 2>/dev/null", 0, "0 0\n0 17\n11 11 11 2\n");
}

static void a_managed_variable_is_one_on_both_sides(void)
{
    put("variable.cu", "#include <cstdio>\n__managed__ int x = 5;\n__device__ __managed__ float "
                       "y[3000];\nstatic __managed__ int own = 1;\n"
                       "__device__ int apart = 3;\n"
                       "__global__ void k() { x += own + apart; y[2999] = x; }\nvoid other();\n"
                       "int main()\n{\n    printf(\"%d %d\\n\", x, own);\n    k<<<1, 1>>>();\n    "
                       "cudaDeviceSynchronize();\n"
                       "    printf(\"%d %g\\n\", x, y[2999]);\n    x = 100;\n    k<<<1, 1>>>();\n  "
                       "  cudaDeviceSynchronize();\n"
                       "    printf(\"%d\\n\", x);\n    other();\n    cudaDeviceReset();\n    "
                       "k<<<1, 1>>>();\n    cudaDeviceSynchronize();\n"
                       "    printf(\"%d\\n\", x);\n}\n");
    put("other.cu",
        "#include <cstdio>\nstatic __managed__ int own = 7;\n__global__ void raise() { own++; }\n"
        "void other()\n{\n    raise<<<1, 1>>>();\n    cudaDeviceSynchronize();\n    "
        "printf(\"%d\\n\", own);\n}\n");
    expect("smcc --exe variable.cu other.cu -o variable && ./variable", 0,
           "5 1\n9 9\n104\n8\n108\n");
}

int main(void)
{
    dir = tools_folder();
    needs_clang = true;
    int status = CHECK_RUN("managed", CHECK(host_and_device_see_what_the_other_has_written),
                           CHECK(a_host_that_does_not_wait_is_told),
                           CHECK(a_record_reads_the_buffers_when_the_host_waits),
                           CHECK(copies_and_fills_go_between_managed_and_other_memory),
                           CHECK(a_managed_variable_is_one_on_both_sides));
    tools_remove(dir);
    return status;
}
