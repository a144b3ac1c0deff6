/* test_sfu.c -- the special function unit against sampled and complete input/output pairs. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "tests/lib/check.h"
#include "sm/arith/sfu.h"

typedef uint32_t (*function)(uint32_t);

struct pair {
    function f;
    uint32_t in, out;
};

static const struct pair samples[] = {
    {sm_sfu_rcp, 0x359bea2b, 0x49522a8a},    {sm_sfu_rcp, 0x3f8c5d00, 0x3f69738d},
    {sm_sfu_rcp, 0x3fa03fee, 0x3f4c7b19},    {sm_sfu_rcp, 0x3fbadb3a, 0x3f2f5d5a},
    {sm_sfu_rcp, 0x3fdb80a7, 0x3f154873},    {sm_sfu_rcp, 0x3ff54169, 0x3f059b8c},
    {sm_sfu_rsqrt, 0x3fdea738, 0x3f421a2b},  {sm_sfu_rsqrt, 0x3ff3b307, 0x3f398814},
    {sm_sfu_rsqrt, 0x400014aa, 0x3f34f658},  {sm_sfu_rsqrt, 0x405a3c89, 0x3f0aa205},
    {sm_sfu_rsqrt, 0x4067d355, 0x3f068225},  {sm_sfu_rsqrt, 0x407d33bc, 0x3f00b48c},
    {sm_sfu_lg2, 0x3f587696, 0xbe77d491},    {sm_sfu_lg2, 0x3fbedab6, 0x3f138a3e},
    {sm_sfu_lg2, 0x3fd1df25, 0x3f369eff},    {sm_sfu_lg2, 0x3fe377bd, 0x3f545b4c},
    {sm_sfu_lg2, 0x3ff8ef52, 0x3f75a9f2},    {sm_sfu_lg2, 0x4083f4d2, 0x4002cf88},
    {sm_sfu_ex2, 0x00039892, 0x3f828458},    {sm_sfu_ex2, 0x00242060, 0x3f9ba882},
    {sm_sfu_ex2, 0x00373c22, 0x3faca0c5},    {sm_sfu_ex2, 0x005cea1e, 0x3fd3b3d9},
    {sm_sfu_ex2, 0x007ca686, 0x3ffb6600},    {sm_sfu_ex2, 0x8046a894, 0x3f2e9bc9},
    {sm_sfu_sin, 0x000f3500, 0x3e3dfd62},    {sm_sfu_sin, 0x0014ff3c, 0x3e827919},
    {sm_sfu_sin, 0x001f689b, 0x3ec07eee},    {sm_sfu_sin, 0x004e3581, 0x3f51adda},
    {sm_sfu_sin, 0x0093d9cc, 0x3f787104},    {sm_sfu_sin, 0x01f56c50, 0xbe048a52},
    {sm_sfu_cos, 0x00844adc, 0xbd57a92f},    {sm_sfu_cos, 0x00be4f39, 0xbf3139a8},
    {sm_sfu_cos, 0x00c1eba4, 0xbf393c21},    {sm_sfu_cos, 0x00d1a4d6, 0xbf57ae92},
    {sm_sfu_cos, 0x00e82620, 0xbf751cb5},    {sm_sfu_cos, 0x01c47862, 0x3f3eac25},
    {sm_sfu_presin, 0x3d6d5241, 0x0004b8aa}, {sm_sfu_presin, 0x3ef3b165, 0x0026c8f1},
    {sm_sfu_presin, 0x3f5f3606, 0x00470cde}, {sm_sfu_presin, 0x3f82cfdd, 0x00534708},
    {sm_sfu_presin, 0x406513ff, 0x0123abda}, {sm_sfu_presin, 0x40b1faac, 0x01c53862},
    {sm_sfu_preex2, 0x3fd4020e, 0x00d4020e}, {sm_sfu_preex2, 0x3ffc9c00, 0x00fc9c00},
    {sm_sfu_preex2, 0x40aae4ff, 0x02ab93fc}, {sm_sfu_preex2, 0x40e3ef8e, 0x038fbe38},
    {sm_sfu_preex2, 0x4175b7af, 0x07adbd78}, {sm_sfu_preex2, 0xe6b50d4d, 0xc0800000},
};

static void sampled_pairs_come_out_bit_for_bit(void)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        CU_ASSERT_EQUAL(samples[i].f(samples[i].in), samples[i].out);
}

/* Sections of the file: u32 function, u32 count, inputs, outputs. */
static const struct {
    const char *name;
    function f;
} functions[] = {
    {"rcp", sm_sfu_rcp},       {"rsqrt", sm_sfu_rsqrt},   {"lg2", sm_sfu_lg2},
    {"ex2", sm_sfu_ex2},       {"sin", sm_sfu_sin},       {"cos", sm_sfu_cos},
    {"presin", sm_sfu_presin}, {"preex2", sm_sfu_preex2},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static bool check_section(FILE *f, uint32_t number, uint32_t count)
{
    uint32_t *words = calloc(count, 2 * sizeof *words);
    bool whole = words && fread(words, 2 * sizeof *words, count, f) == count;
    uint32_t wrong = 0;
    for (uint32_t i = 0; whole && i < count; i++) {
        uint32_t got = functions[number].f(words[i]);
        if (got != words[count + i] && wrong++ < 5)
            printf("\n    %s(%08x) gives %08x, expected %08x", functions[number].name, words[i],
                   got, words[count + i]);
    }
    printf("\n    %-8s %7u pairs, %u wrong ", functions[number].name, count, wrong);
    free(words);
    CU_ASSERT_EQUAL(wrong, 0);
    return whole;
}

static void every_pair_comes_out_bit_for_bit(void)
{
    if (!check_shared("sm10/sfu-vectors.bin.xz"))
        return;
    FILE *f = popen("xz -dc '" FAULTLINE_SHARED_DIR "/sm10/sfu-vectors.bin.xz'", "r");
    if (!f) {
        CU_FAIL("cannot start xz: install xz-utils");
        return;
    }
    uint32_t head[2];
    uint32_t sections = 0;
    bool whole = true;
    while (whole && fread(head, sizeof head, 1, f) == 1) {
        whole = head[0] < FUNCTIONS && head[1] < 10000000 && check_section(f, head[0], head[1]);
        sections++;
    }
    CU_ASSERT(whole);
    CU_ASSERT_EQUAL(sections, FUNCTIONS);
    CU_ASSERT_EQUAL(pclose(f), 0);
}

/* In the development build this is what shows shifts and overflows that the standard does not
 * define. */
static void every_function_is_defined_everywhere(void)
{
    for (int k = 0; k < FUNCTIONS; k++) {
        for (uint64_t x = 0; x < 1ull << 32; x += 104729) {
            uint32_t r = functions[k].f((uint32_t)x);
            if (k >= 6)
                continue;
            bool nan = (r & 0x7fffffff) > 0x7f800000;
            bool denormal = (r & 0x7f800000) == 0 && (r & 0x7fffff) != 0;
            CU_ASSERT(!denormal && (!nan || r == 0x7fffffff));
        }
    }
}

static void special_values_are_those_of_the_chip(void)
{
    CU_ASSERT_EQUAL(sm_sfu_rcp(0), 0x7f800000);
    CU_ASSERT_EQUAL(sm_sfu_rcp(0x80000001), 0xff800000); /* a denormal is a zero */
    CU_ASSERT_EQUAL(sm_sfu_rcp(0xff800000), 0x80000000);
    CU_ASSERT_EQUAL(sm_sfu_rcp(0x7f800001), 0x7fffffff);
    CU_ASSERT_EQUAL(sm_sfu_rsqrt(0x80000000), 0xff800000);
    CU_ASSERT_EQUAL(sm_sfu_rsqrt(0xbf800000), 0x7fffffff);
    CU_ASSERT_EQUAL(sm_sfu_rsqrt(0x40800000), 0x3f000000); /* powers of four are exact */
    CU_ASSERT_EQUAL(sm_sfu_lg2(0x3f800000), 0);
    CU_ASSERT_EQUAL(sm_sfu_lg2(0xbf800000), 0x7fffffff);
    CU_ASSERT_EQUAL(sm_sfu_ex2(0), 0x3f800000);
    CU_ASSERT_EQUAL(sm_sfu_ex2(0xc0800000), 0); /* 2 to the power of minus infinity */
    CU_ASSERT_EQUAL(sm_sfu_sin(0x40800000), 0x7fffffff);
    CU_ASSERT_EQUAL(sm_sfu_preex2(0x43000000), 0x40800000); /* 128 and more saturate */
}

static void cosine_is_sine_a_quarter_turn_on(void)
{
    for (uint32_t x = 0; x < 0x2000000; x += 4099)
        CU_ASSERT_EQUAL(sm_sfu_cos(x), sm_sfu_sin((x + 0x800000) & 0x1ffffff));
}

static void reciprocal_and_sine_are_odd_and_cosine_is_even(void)
{
    for (uint32_t x = 0x00800000; x < 0x7f800000; x += 30011) {
        CU_ASSERT_EQUAL(sm_sfu_rcp(x ^ 0x80000000), sm_sfu_rcp(x) ^ 0x80000000);
        uint32_t turn = x & 0x3fffffff;
        CU_ASSERT_EQUAL(sm_sfu_sin(turn ^ 0x80000000), sm_sfu_sin(turn) ^ 0x80000000);
        CU_ASSERT_EQUAL(sm_sfu_cos(turn ^ 0x80000000), sm_sfu_cos(turn));
    }
}

int main(void)
{
    return CHECK_RUN(
        "sfu", CHECK(sampled_pairs_come_out_bit_for_bit), CHECK(every_pair_comes_out_bit_for_bit),
        CHECK(every_function_is_defined_everywhere), CHECK(special_values_are_those_of_the_chip),
        CHECK(cosine_is_sine_a_quarter_turn_on),
        CHECK(reciprocal_and_sine_are_odd_and_cosine_is_even));
}
