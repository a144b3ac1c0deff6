/* test_smcc_time.c -- what smcc takes for a kernel twice as long: about twice as much. PTX, so that clang is not measured. */
#include "tests/lib/check.h"

#include <sys/resource.h>
#include <unistd.h>
#include "tests/lib/tools.h"

static char *dir;

struct cost {
    double seconds; /* of the CPU */
    long kilobytes;
};

/* The least of three runs in which smcc makes a cubin of `n` pieces. */
static struct cost cost(void (*piece)(struct fl_buf *, int), int n)
{
    struct fl_buf ptx = {0};
    struct cost least = {1e9, 0};
    char *path = fl_format("%s/k.ptx", dir), *to = fl_format("%s/k.cubin", dir);
    fl_buf_printf(&ptx,
                  ".version 3.2\n.target sm_20\n.address_size 32\n.visible .entry k(.param .u32 "
                  "k_param_0)\n{\n.reg .pred %%p;\n.reg .b32 %%r<8>;\n ld.param.u32 %%r0, "
                  "[k_param_0];\n mov.u32 %%r1, %%tid.x;\n shl.b32 %%r5, %%r1, 2;\n add.u32 "
                  "%%r5, %%r0, %%r5;\n ld.global.u32 %%r2, [%%r5];\n");
    for (int i = 0; i < n; i++)
        piece(&ptx, i);
    fl_buf_printf(&ptx, " st.global.u32 [%%r5], %%r2;\n ret;\n}\n");
    tools_put(dir, "k.ptx", ptx.data, ptx.size);
    fl_buf_free(&ptx);
    for (int turn = 0; turn < 3; turn++) {
        struct rusage used = {0};
        int status = -1;
        pid_t child = fork();
        if (child == 0) {
            execl(FAULTLINE_BIN_DIR "/smcc", "smcc", path, "-o", to, (char *)NULL);
            _exit(127);
        }
        CU_ASSERT_EQUAL_FATAL(wait4(child, &status, 0, &used), child);
        CU_ASSERT_EQUAL(status, 0);
        double t = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                   1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
        least.seconds = t < least.seconds ? t : least.seconds;
        least.kilobytes = used.ru_maxrss;
    }
    free(path);
    free(to);
    return least;
}

/* if (x > i) a[i] = x; */
static void short_if(struct fl_buf *b, int i)
{
    fl_buf_printf(b,
                  " setp.le.s32 %%p, %%r2, %d;\n @%%p bra L%d;\n st.global.u32 [%%r0+%d], %%r2;\n"
                  "L%d:\n",
                  i, i, 4 * i, i);
}

/* if (x > i) x = ..., too long for predicates */
static void long_if(struct fl_buf *b, int i)
{
    fl_buf_printf(b, " setp.le.s32 %%p, %%r2, %d;\n @%%p bra L%d;\n", i, i);
    for (int k = 0; k < 4; k++)
        fl_buf_printf(b, " mad.lo.s32 %%r2, %%r2, %d, %%r1;\n", 70001 * (i + k));
    fl_buf_printf(b, " st.global.u32 [%%r0+%d], %%r2;\nL%d:\n", 4 * i, i);
}

/* do ... while: a load and a sum */
static void loop(struct fl_buf *b, int i)
{
    fl_buf_printf(
        b,
        " mov.u32 %%r3, %d;\nL%d:\n ld.global.u32 %%r4, [%%r5+%d];\n add.s32 %%r2, %%r2, "
        "%%r4;\n add.s32 %%r3, %%r3, -1;\n setp.gt.s32 %%p, %%r3, %%r2;\n @%%p bra L%d;\n",
        i, i, 4 * i, i);
}

/* if (x == i) { a[i] = x; return; } */
static void early_end(struct fl_buf *b, int i)
{
    fl_buf_printf(b,
                  " setp.ne.s32 %%p, %%r2, %d;\n @%%p bra L%d;\n st.global.u32 [%%r0+%d], %%r2;\n"
                  " ret;\nL%d:\n add.s32 %%r2, %%r2, %%r1;\n",
                  i, i, 4 * i, i);
}

static void twice_the_kernel_takes_about_twice_the_time_and_memory(void)
{
    static const struct {
        const char *name;
        void (*piece)(struct fl_buf *, int);
    } kind[] = {
        {"short ifs", short_if}, {"long ifs", long_if}, {"loops", loop}, {"ends", early_end}};
    enum { PIECES = 1000 };
    for (int k = 0; k < 4; k++) {
        struct cost one = cost(kind[k].piece, PIECES), two = cost(kind[k].piece, 2 * PIECES);
        double time = two.seconds / one.seconds,
               memory = (double)two.kilobytes / (double)one.kilobytes;
        CU_ASSERT_TRUE(time < 3);
        CU_ASSERT_TRUE(memory < 3);
        if (time >= 3 || memory >= 3)
            printf("\n    %s: %.2f s and %ld KB, then %.2f s and %ld KB\n", kind[k].name,
                   one.seconds, one.kilobytes, two.seconds, two.kilobytes);
    }
}

int main(void)
{
    dir = tools_folder();
    int status = CHECK_RUN("smcc_time",
                           CHECK(twice_the_kernel_takes_about_twice_the_time_and_memory));
    tools_remove(dir);
    return status;
}
