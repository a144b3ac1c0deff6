/* anatomy.c -- see anatomy.h. */
#include "anatomy.h"

const char *const anatomy_value[ANATOMY_VALUES] = {
    [VALUE_NAN] = "nan",       [VALUE_INF] = "inf",           [VALUE_ZERO] = "zero",
    [VALUE_SIGN] = "sign",     [VALUE_EXPONENT] = "exponent", [VALUE_MANTISSA] = "mantissa",
    [VALUE_FIELDS] = "fields", [VALUE_OTHER] = "other"};
const char *const anatomy_bits[ANATOMY_BITS] = {[BITS_1] = "bits_1",
                                                [BITS_2_4] = "bits_2_4",
                                                [BITS_5_8] = "bits_5_8",
                                                [BITS_MORE] = "bits_more"};
const char *const anatomy_writers[ANATOMY_WRITERS] = {[WRITERS_UNKNOWN] = "",
                                                      [WRITERS_WORD] = "word",
                                                      [WRITERS_THREAD] = "thread",
                                                      [WRITERS_ALL] = "all",
                                                      [WRITERS_LANE] = "lane",
                                                      [WRITERS_SP] = "sp",
                                                      [WRITERS_INSTRUCTION] = "instruction",
                                                      [WRITERS_WARP] = "warp",
                                                      [WRITERS_BLOCK] = "block",
                                                      [WRITERS_MIXED] = "mixed"};

static int most(const uint32_t *count, int n)
{
    int best = n;
    for (int i = 0; i < n; i++)
        if (count[i] > (best < n ? count[best] : 0))
            best = i;
    return best;
}

enum anatomy_value anatomy_main_value(const struct anatomy *a)
{
    return (enum anatomy_value)most(a->value, ANATOMY_VALUES);
}

enum anatomy_bits anatomy_main_bits(const struct anatomy *a)
{
    return (enum anatomy_bits)most(a->bits, ANATOMY_BITS);
}
