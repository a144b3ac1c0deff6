/* test_smcc_bench.c -- the workloads of bench/ written in OpenCL C: the same words as by hand, in about as many warp
 * instructions. */
#include "tests/lib/check.h"

#include "tests/lib/tools.h"

static char *dir;

static const char *const kernel[] = {"mxm64", "sort", "fft", "edge"};
enum { KERNELS = 4 };

static int executed(const char *command)
{
    struct fl_buf out = {0};
    int n = 0, status = tools_run(dir, &out, "%s 2>&1", command);
    const char *at = strstr((const char *)out.data, "\ninstructions");
    CU_ASSERT_EQUAL(status, 0);
    if (status || !at || sscanf(at, " instructions %d", &n) != 1)
        printf("\n    %s\n%s\n", command, out.data);
    fl_buf_free(&out);
    return n;
}

static void kernels_in_c_give_the_words_of_those_by_hand_at_their_cost(void)
{
    double ratio[KERNELS];
    if (!check_clang())
        return;
    for (int k = 0; k < KERNELS; k++) {
        char command[1000];
        snprintf(command, sizeof command, "smrun %s/bench/%s.job.xml --expect", FAULTLINE_BUILD_DIR,
                 kernel[k]);
        int by_hand = executed(command);
        snprintf(command, sizeof command,
                 "smcc --fmad %s/bench/cl/%s.cl -o %s.cubin && cp %s/bench/%s.job.xml . && smrun "
                 "%s.job.xml --expect",
                 FAULTLINE_SOURCE_DIR, kernel[k], kernel[k], FAULTLINE_BUILD_DIR, kernel[k],
                 kernel[k]);
        ratio[k] = (double)executed(command) / by_hand;
        CU_ASSERT_TRUE(ratio[k] <= 1.1);
        for (int j = k; j && ratio[j] < ratio[j - 1]; j--) {
            double t = ratio[j];
            ratio[j] = ratio[j - 1];
            ratio[j - 1] = t;
        }
    }
    CU_ASSERT_TRUE((ratio[KERNELS / 2 - 1] + ratio[KERNELS / 2]) / 2 <= 1.05);
}

/* Instructions between the barriers of a product of 16 terms: tiles of 16 x 16 in shared memory need eight addresses of one
 * register, and there are four address registers. By hand: a load and a multiply-add, and a step of the address for two terms. */
static void addresses_of_one_register_are_steps_from_each_other(void)
{
    static const char source[] =
        "__kernel void k(__global const float *a, __global const float *b, __global float *c, uint "
        "n)\n{\n"
        "    __local float tile_a[16][16], tile_b[16][16];\n"
        "    uint x = get_local_id(0), y = get_local_id(1), col = get_global_id(0), row = "
        "get_global_id(1);\n"
        "    float sum = 0;\n    for (uint k = 0; k < n; k += 16) {\n"
        "        tile_a[y][x] = a[row * n + k + x];\n        tile_b[y][x] = b[(k + y) * n + col];\n"
        "        barrier(CLK_LOCAL_MEM_FENCE);\n        for (uint i = 0; i < 16; i++)\n"
        "            sum += tile_a[y][i] * tile_b[i][x];\n        barrier(CLK_LOCAL_MEM_FENCE);\n  "
        "  }\n"
        "    c[row * n + col] = sum;\n}\n";
    struct fl_buf out = {0};
    int n = 0;
    if (!check_clang())
        return;
    tools_put(dir, "k.cl", source, strlen(source));
    CU_ASSERT_EQUAL(tools_run(dir, &out,
                              "smcc --fmad k.cl -S -o k.sasm && grep -v '[.]line' k.sasm | "
                              "awk '/BAR/ { inside = !inside; next } inside' | wc -l"),
                    0);
    CU_ASSERT_EQUAL(sscanf((const char *)out.data, "%d", &n), 1);
    CU_ASSERT_TRUE(n <= 3 * 16);
    fl_buf_free(&out);
}

/* A loop that all threads leave together, and end: one branch a turn. */
static void the_end_of_a_loop_is_one_branch_where_no_warp_splits(void)
{
    static const char source[] =
        "__global__ void k(int *a, int n)\n{\n    for (int r = blockIdx.x; r < n; r += gridDim.x)\n"
        "        a[r * 64 + threadIdx.x] += r;\n}\n";
    if (!check_clang())
        return;
    tools_put(dir, "k.cu", source, strlen(source));
    tools_expect(dir, "smcc",
                 "k.cu -S -o k.sasm && grep -A99 '^L[1-9]' k.sasm | grep -c 'RET\\|BRA'", 0, "1");
    tools_expect(dir, "grep", "-c 'MOV R0, R0' k.sasm", 1, "0");
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN("smcc_bench",
                           CHECK(kernels_in_c_give_the_words_of_those_by_hand_at_their_cost),
                           CHECK(addresses_of_one_register_are_steps_from_each_other),
                           CHECK(the_end_of_a_loop_is_one_branch_where_no_warp_splits));
    tools_remove(dir);
    return status;
}
