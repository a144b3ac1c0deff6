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
        CU_ASSERT_TRUE(ratio[k] <= 1.5);
        for (int j = k; j && ratio[j] < ratio[j - 1]; j--) {
            double t = ratio[j];
            ratio[j] = ratio[j - 1];
            ratio[j - 1] = t;
        }
    }
    CU_ASSERT_TRUE((ratio[KERNELS / 2 - 1] + ratio[KERNELS / 2]) / 2 <= 1.25);
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN("smcc_bench",
                           CHECK(kernels_in_c_give_the_words_of_those_by_hand_at_their_cost));
    tools_remove(dir);
    return status;
}
