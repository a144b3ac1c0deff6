/* test_machine_sizes.c -- the sizes of a machine are those of its profile: threads of a block and shared memory; and of a warp. */
#include "tests/lib/check.h"

#include "tests/lib/folder.h"

static void a_block_has_the_shared_memory_and_the_threads_of_the_profile(void)
{
    put("sizes.cu", "#include <cstdio>\n"
                    "__global__ void k(int *o, int n)\n"
                    "{\n"
                    "    __shared__ int s[8192];\n"
                    "    for (int i = threadIdx.x; i < 8192; i += blockDim.x)\n"
                    "        s[i] = i * n;\n"
                    "    __syncthreads();\n"
                    "    int sum = 0;\n"
                    "    for (int i = threadIdx.x; i < 8192; i += blockDim.x)\n"
                    "        sum += s[8191 - i];\n"
                    "    o[threadIdx.x] = sum;\n"
                    "}\n"
                    "int main()\n"
                    "{\n"
                    "    int *d, h[1024], sum = 0;\n"
                    "    cudaMalloc(&d, sizeof h);\n"
                    "    k<<<1, 1024>>>(d, 3);\n"
                    "    cudaError_t e = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
                    "    for (int i = 0; i < 1024; i++)\n"
                    "        sum += h[i];\n"
                    "    printf(\"%d %d\\n\", e, sum);\n"
                    "}\n");
    expect("smcc --exe sizes.cu -o sizes", 1,
           "kernel 'k' needs more than the 16384 bytes of shared memory that a block of the "
           "profile can have");
    expect("smcc --exe --profile gpufi-gv100 sizes.cu -o sizes && FAULTLINE_PROFILE=gpufi-gv100 "
           "./sizes",
           0, "0 100651008");
    expect("./sizes 2>&1", 0, "1024 threads, profile g80 allows 512 per block");
}

static void threads_of_a_warp_meet_without_a_barrier(void)
{
    put("warp.cu",
        "#include <cstdio>\n__global__ void k(int *p)\n{\n    __shared__ int s[64];\n    int i = "
        "threadIdx.x;\n"
        "    s[i] = i;\n    for (int d = 1; d < 32; d *= 2) {\n        int x = s[i ^ d];\n        "
        "__syncwarp();\n"
        "        s[i] += x;\n        __syncwarp(~0u);\n    }\n    p[i] = s[i];\n}\n"
        "int main()\n{\n    int *d, h[64];\n    cudaMalloc(&d, sizeof h);\n    k<<<1, 64>>>(d);\n"
        "    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);\n    printf(\"%d %d\\n\", h[7], "
        "h[40]);\n}\n");
    expect("smcc --exe warp.cu -o warp && ./warp ; smcc warp.cu -S | grep -c BAR", 1, "496 1520");
}

static void the_block_that_fills_an_SM_is_found(void)
{
    put("fills.cu",
        "#include <cstdio>\n__global__ void k(int *p) { p[threadIdx.x] = 1; }\n"
        "static void CUDART_CB said(cudaStream_t, cudaError_t e, void *p) { printf(\"%d %s\\n\", "
        "e, (char *)p); }\n"
        "int main()\n{\n    int grid, block, n;\n    float *f = NULL;\n    "
        "cudaOccupancyMaxPotentialBlockSize(&grid, &block, k);\n    "
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 64, 4000);\n    printf(\"%d %d "
        "%d\\n\", grid, block, n);\n    cudaStreamAddCallback(0, said, (void *)\"done\", 0);\n    "
        "return cudaHostGetDevicePointer(&f, &n, 0) != cudaErrorNotSupported;\n}\n");
    expect("smcc --exe fills.cu -o fills && ./fills 2>/dev/null", 0, "2 384 4\n0 done");
}

int main(void)
{
    dir = tools_folder();
    needs_clang = true;
    int status = CHECK_RUN("machine_sizes",
                           CHECK(a_block_has_the_shared_memory_and_the_threads_of_the_profile),
                           CHECK(threads_of_a_warp_meet_without_a_barrier),
                           CHECK(the_block_that_fills_an_SM_is_found));
    tools_remove(dir);
    return status;
}
