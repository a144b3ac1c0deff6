/* test_smcc_joins.c -- what parts in a kernel meets again: loops that end it, threads that end early, code of one warp that
 * counts on lock step. Kernels in CUDA C on the model against the same in C. */
#include "tests/lib/check.h"

#include "tests/lib/tools.h"

enum { THREADS = 64, BLOCKS = 2, ROWS = 7, WORDS = THREADS * ROWS };

static char *dir;
static uint32_t in[WORDS], want[WORDS];
static int instructions; /* of the last run */

/* How many of out[] differ from want[] when `k(unsigned *out, const unsigned *in, int n)` has run. */
static int wrong(const char *cuda, const char *flags, int n)
{
    struct fl_buf out = {0};
    int differ = WORDS;
    tools_put(dir, "k.cu", cuda, strlen(cuda));
    tools_put(dir, "in", in, sizeof in);
    int status = tools_run(
        dir, &out,
        "smcc k.cu %s -o k.cubin 2>&1 && timeout 60 smrun k.cubin --kernel k --grid %d "
        "--block %d --buffer o=%d --buffer i=./in --param out:buf:o --param in:buf:i "
        "--param n:s32:%d --dump o=o 2>&1",
        flags, BLOCKS, THREADS, (int)sizeof want, n);
    const char *at = strstr((const char *)out.data, "\ninstructions");
    if (status || !at || sscanf(at, " instructions %d", &instructions) != 1)
        printf("\n    %s: status %d\n%s\n", flags, status, out.data);
    else {
        char *path = fl_format("%s/o", dir);
        out.size = 0;
        if (fl_read_file(path, &out, NULL) == 0 && out.size == sizeof want) {
            differ = 0;
            for (int i = 0; i < WORDS; i++)
                differ += memcmp(out.data + 4 * i, &want[i], 4) != 0;
        }
        free(path);
    }
    fl_buf_free(&out);
    return differ;
}

/* With all registers, with few, and with threads that stay in a loop first. */
static void expect_right(const char *cuda, int n)
{
    static const char *const flags[] = {"", "--maxrregcount 6", "--nvcc-loops"};
    for (int f = 0; f < 3; f++)
        CU_ASSERT_EQUAL(wrong(cuda, flags[f], n), 0);
}

#define HEAD                                                                                       \
    "typedef unsigned u;\n"                                                                        \
    "__device__ u mixed(u x)\n{\n    if (x % 3 == 0)\n        for (u k = 0; k < 7; k++)\n"         \
    "            x = x * 5 + k;\n    else if (x & 1)\n        for (u k = x % 7; k > 0; k--)\n"     \
    "            x ^= x << k;\n    return x;\n}\n"                                                 \
    "__global__ void k(u *out, const u *in, int n)\n{\n    __shared__ volatile u s[64];\n"         \
    "    u t = threadIdx.x, x = in[t];\n    volatile u *o = out + 64 * blockIdx.x;\n"

static uint32_t mixed(uint32_t x)
{
    if (x % 3 == 0)
        for (uint32_t k = 0; k < 7; k++)
            x = x * 5 + k;
    else if (x & 1)
        for (uint32_t k = x % 7; k > 0; k--)
            x ^= x << k;
    return x;
}

static void a_loop_that_ends_a_kernel_joins_what_parts_in_it(void)
{
    static const char source[] = HEAD
        "    for (int r = blockIdx.x; r < n; r += gridDim.x) {\n"
        "        s[t] = mixed(in[64 * r + t]);\n        __syncthreads();\n"
        "        out[64 * r + t] = s[63 - t] - s[t];\n        __syncthreads();\n    }\n";
    struct fl_buf kernel[2] = {{0}, {0}};
    int took[2];
    if (!check_clang())
        return;
    memset(want, 0, sizeof want);
    for (int i = 0; i < WORDS; i++)
        want[i] = mixed(in[i - i % 64 + 63 - i % 64]) - mixed(in[i]);
    fl_buf_printf(&kernel[0], "%s}\n", source);
    fl_buf_printf(&kernel[1], "%s    if (n < 0)\n        out[t] = 1;\n}\n", source);
    expect_right((const char *)kernel[0].data, ROWS);
    for (int k = 0; k < 2; k++) {
        CU_ASSERT_EQUAL(wrong((const char *)kernel[k].data, "", ROWS), 0);
        took[k] = instructions;
        fl_buf_free(&kernel[k]);
    }
    CU_ASSERT_TRUE(took[0] <= took[1]);
}

/* Threads end one by one, in an if that others skip, before a barrier. */
static void who_ends_in_a_loop_is_not_waited_for(void)
{
    static const char source[] = HEAD
        "    s[t] = 0;\n    for (int i = 0; i < n; i++) {\n"
        "        if (x & 1) {\n            x += i * t;\n            if (x % 8 == 5) {\n"
        "                o[t] = x + i;\n                return;\n            }\n"
        "            x = mixed(x);\n        } else\n            x = x / 2 + t;\n"
        "        s[t] = x;\n        __syncthreads();\n        x += s[(t + 7) & 63];\n"
        "        __syncthreads();\n    }\n    o[t] = x;\n}\n";
    uint32_t *x = want, s[64] = {0};
    bool ended[64] = {false};
    if (!check_clang())
        return;
    memset(want, 0, sizeof want);
    memcpy(x, in, 64 * sizeof *x);
    for (uint32_t i = 0; i < 20; i++) {
        for (uint32_t t = 0; t < 64; t++) {
            if (ended[t])
                continue;
            if (x[t] & 1) {
                x[t] += i * t;
                ended[t] = x[t] % 8 == 5;
                x[t] = ended[t] ? x[t] + i : mixed(x[t]);
            } else
                x[t] = x[t] / 2 + t;
            if (!ended[t])
                s[t] = x[t];
        }
        for (int t = 0; t < 64; t++)
            if (!ended[t])
                x[t] += s[(t + 7) & 63];
    }
    memcpy(want + 64, x, 64 * sizeof *x);
    expect_right(source, 20);
}

/* `continue` past the rest of a turn, `return` out of two loops at once. */
static void a_loop_with_no_way_out_but_return_joins_in_each_turn(void)
{
    static const char source[] = HEAD
        "    for (u i = 0;; i++) {\n        s[t] = x;\n        __syncthreads();\n"
        "        u y = s[(t + i) & 63];\n        __syncthreads();\n"
        "        if (y & 1) {\n            x += y;\n            continue;\n        }\n"
        "        for (u j = 0; j < (y & 7); j++) {\n            x ^= mixed(x) + j;\n"
        "            if (i + j > n + 6) {\n                o[t] = x;\n"
        "                return;\n            }\n        }\n"
        "        if (i > 3 * n) {\n            o[t] = x - i;\n            return;\n        }\n"
        "        x = mixed(x);\n    }\n}\n";
    uint32_t *x = want, y[64], s[64];
    bool ended[64] = {false};
    if (!check_clang())
        return;
    memset(want, 0, sizeof want);
    memcpy(x, in, 64 * sizeof *x);
    for (uint32_t i = 0, left = 64; left && i < 1000; i++) {
        for (int t = 0; t < 64; t++)
            if (!ended[t])
                s[t] = x[t];
        for (uint32_t t = 0; t < 64; t++)
            y[t] = s[(t + i) & 63];
        for (int t = 0; t < 64; t++) {
            if (ended[t])
                continue;
            if (y[t] & 1) {
                x[t] += y[t];
                continue;
            }
            for (uint32_t j = 0; j < (y[t] & 7) && !ended[t]; j++) {
                x[t] ^= mixed(x[t]) + j;
                ended[t] = i + j > 16;
            }
            if (!ended[t] && i > 30) {
                x[t] -= i;
                ended[t] = true;
            }
            if (!ended[t])
                x[t] = mixed(x[t]);
            left -= ended[t];
        }
    }
    memcpy(want + 64, x, 64 * sizeof *x);
    expect_right(source, 10);
}

/* As the reductions of the time: one warp makes the last steps, without barriers. */
static void one_warp_reduces_in_lock_step(void)
{
    static const char source[] = HEAD
        "    s[t] = x;\n    __syncthreads();\n    if (t < 32) {\n"
        "        s[t] += s[t + 32];\n        s[t] += s[t + 16];\n        s[t] += s[t + 8];\n"
        "        s[t] += s[t + 4];\n        s[t] += s[t + 2];\n        s[t] += s[t + 1];\n"
        "    }\n    if (t == 0)\n        o[0] = s[0];\n}\n";
    if (!check_clang())
        return;
    memset(want, 0, sizeof want);
    for (int i = 0; i < 64; i++)
        want[0] += in[i];
    want[64] = want[0];
    expect_right(source, 0);
}

/* What some store in an if, too long for predicates, their neighbours in the warp read at once behind it. The addresses are
 * there already: the loads are the first instructions behind the joins. */
static void all_have_stored_before_one_loads_behind_the_join(void)
{
    static const char source[] = HEAD
        "    volatile u *mine = s + t, *other = s + (t ^ 1), *far = o + (t ^ 3);\n"
        "    o[t] = t;\n    *mine = x;\n    u y = *far - (t ^ 3) + *other, z = mixed(x);\n"
        "    if (x & 1) {\n        for (u i = 0; i < t; i++)\n            z = z * 3 + i;\n"
        "        *mine = z;\n        o[t] = z;\n    }\n    y = y * 3 + *other;\n"
        "    if (x & 2) {\n        for (u i = 0; i < t; i++)\n            z = z * 5 + i;\n"
        "        o[t] = z;\n    }\n    y = y * 3 + *far;\n    o[t] = y;\n}\n";
    uint32_t s[64], o[64], z[64];
    if (!check_clang())
        return;
    memset(want, 0, sizeof want);
    for (uint32_t t = 0; t < 64; t++) {
        s[t] = in[t];
        o[t] = t;
        z[t] = mixed(in[t]);
        for (uint32_t i = 0; i < t && in[t] & 1; i++)
            z[t] = z[t] * 3 + i;
        if (in[t] & 1)
            s[t] = o[t] = z[t];
        for (uint32_t i = 0; i < t && in[t] & 2; i++)
            z[t] = z[t] * 5 + i;
        if (in[t] & 2)
            o[t] = z[t];
    }
    for (int t = 0; t < 64; t++)
        want[t] = want[t + 64] = (in[t ^ 1] * 3 + s[t ^ 1]) * 3 + o[t ^ 3];
    expect_right(source, 0);
}

/* The end that they share is short, and there is a barrier before it. */
static void who_has_passed_the_last_barrier_ends_in_lock_step(void)
{
    static const char source[] = HEAD
        "    volatile u *mine = s + t, *other = s + (t ^ 1);\n    u z = x;\n"
        "    if (x & 1)\n        z = mixed(x);\n    *mine = z;\n    u y = *other;\n"
        "    __syncthreads();\n    if (x & 2) {\n        for (u i = 0; i < t; i++)\n"
        "            z = z * 5 + i;\n        *mine = z;\n    }\n    o[t] = y + *other;\n}\n";
    uint32_t s[64], z[64];
    if (!check_clang())
        return;
    memset(want, 0, sizeof want);
    for (uint32_t t = 0; t < 64; t++) {
        s[t] = z[t] = in[t] & 1 ? mixed(in[t]) : in[t];
        for (uint32_t i = 0; i < t && in[t] & 2; i++)
            z[t] = z[t] * 5 + i;
    }
    for (int t = 0; t < 64; t++)
        want[t] = want[t + 64] = s[t ^ 1] + z[t ^ 1];
    expect_right(source, 0);
}

/* clang writes down where to go on behind the scope of z, and has a third way there, to the end, which nobody goes. */
static void who_leaves_a_scope_by_goto_is_waited_for_before_the_barrier(void)
{
    static const char source[] =
        "__global__ void k(unsigned *out, const unsigned *in, int n)\n{\n"
        "    __shared__ unsigned s[64];\n    unsigned t = threadIdx.x, x = in[t], y = x;\n"
        "    for (unsigned r = 0; r < 1; r++) {\n        if (x & 4) {\n"
        "            unsigned z = x * 3;\n            if (z & 8)\n                goto out;\n"
        "            y ^= 100 / z;\n        }\n    out:;\n        s[t] = y;\n"
        "        __syncthreads();\n        for (unsigned h = 32; h > 0; h >>= 1) {\n"
        "            if (t < h)\n                s[t] += s[t + h];\n            __syncthreads();\n"
        "        }\n        y += s[0];\n    }\n    if (n)\n        y = y * 3 + in[y & 63];\n"
        "    out[t + 64 * blockIdx.x] = y;\n}\n";
    uint32_t y[64], sum = 0;
    if (!check_clang())
        return;
    memset(want, 0, sizeof want);
    for (int t = 0; t < 64; t++) {
        y[t] = in[t] & 4 && !(in[t] * 3 & 8) ? in[t] ^ 100 / (in[t] * 3) : in[t];
        sum += y[t];
    }
    for (int t = 0; t < 64; t++)
        want[t] = want[t + 64] = (y[t] + sum) * 3 + in[(y[t] + sum) & 63];
    expect_right(source, 1);
}

/* A condition and the same as a number, written by one instruction in a short if; few registers, and the number lies in
 * memory. */
static void who_skips_an_if_keeps_the_flag_whose_number_is_spilled(void)
{
    static const char source[] =
        "__global__ void k(unsigned *out, const unsigned *in, int n)\n"
        "{\n"
        "    unsigned t = threadIdx.x, x = in[t], y = in[t ^ 1], z = in[t ^ 2], w = in[t ^ 3], v = "
        "x * y;\n"
        "    float f = (float)n * -1.0f;\n"
        "    if (x & 1)\n"
        "        w ^= y * z;\n"
        "    else if (y & 2)\n"
        "        v = in[(z + n) & 63];\n"
        "    x += __umulhi(in[42], z * n);\n"
        "    y = w != 77 ? (x & 4) != 0 ? z : x : (w & 2) != 0 ? v ^ 99 : x;\n"
        "    int i = 3 >= ((x & 1) ? 5 : __float2int_rz(f)) ? (int)t * 3 : -1;\n"
        "    out[t + 64 * blockIdx.x] = x + y * 3 + z * 5 + w * 7 + v * 11 + i * 13;\n"
        "}\n";
    if (!check_clang())
        return;
    memset(want, 0, sizeof want);
    for (uint32_t t = 0; t < 64; t++) {
        uint32_t x = in[t], y = in[t ^ 1], z = in[t ^ 2], w = in[t ^ 3], v = x * y;
        if (x & 1)
            w ^= y * z;
        else if (y & 2)
            v = in[(z + 1) & 63];
        x += (uint32_t)((uint64_t)in[42] * z >> 32);
        y = w != 77 ? (x & 4 ? z : x) : w & 2 ? v ^ 99 : x;
        uint32_t i = x & 1 ? 0xffffffff : t * 3;
        want[t] = want[t + 64] = x + y * 3 + z * 5 + w * 7 + v * 11 + i * 13;
    }
    expect_right(source, 1);
}

int main(void)
{
    dir = tools_folder();
    for (uint32_t i = 0; i < WORDS; i++)
        in[i] = i * 37 % 101;
    int status = CHECK_RUN("smcc_joins", CHECK(a_loop_that_ends_a_kernel_joins_what_parts_in_it),
                           CHECK(who_ends_in_a_loop_is_not_waited_for),
                           CHECK(a_loop_with_no_way_out_but_return_joins_in_each_turn),
                           CHECK(one_warp_reduces_in_lock_step),
                           CHECK(all_have_stored_before_one_loads_behind_the_join),
                           CHECK(who_has_passed_the_last_barrier_ends_in_lock_step),
                           CHECK(who_leaves_a_scope_by_goto_is_waited_for_before_the_barrier),
                           CHECK(who_skips_an_if_keeps_the_flag_whose_number_is_spilled));
    tools_remove(dir);
    return status;
}
