/* test_texture.c -- textures: the sampler against a plain reference with random coordinates; what the
 * instructions that ask one do, and how long they take. */
#include "tests/lib/check.h"
#include "textures.h"

#include <math.h>

/* ---- the sampler, in doubles ----------------------------------------------------------------- */

static float float_of(uint32_t v)
{
    float f;
    memcpy(&f, &v, sizeof f);
    return f;
}

static uint32_t bits_of(float f)
{
    uint32_t v;
    memcpy(&v, &f, sizeof v);
    return v;
}

/* u, rounded down to a multiple of 1/65536: docs/reference/textures.md. */
static double reference_u(uint32_t x, double n, bool wrap)
{
    double u = (double)float_of(x) * n;
    if ((x >> 23 & 255) == 0 || isnan(u))
        return 0;
    if (isinf(u))
        return wrap ? 0 : copysign(0x1p30, u);
    if (wrap) { /* in two steps: what is rounded down may lie a whole turn below */
        u = floor(fmod(u, n) * 65536) / 65536;
        return u < 0 ? u + n : u;
    }
    return fmax(fmin(floor(u * 65536) / 65536, 0x1p30), -0x1p30);
}

static uint32_t reference_texel(double i, uint32_t n, bool wrap)
{
    if (wrap)
        return (uint32_t)(i - n * floor(i / n));
    return (uint32_t)fmax(0, fmin(i, n - 1.0));
}

static float reference_flush(double v)
{
    float f = (float)v;
    if (isnan(f))
        return float_of(0x7fffffff);
    return (float)fabs(v * 0x1p40) < 0x1p-86f ? copysignf(0, f) : f; /* rounded without a limit */
}

/* What a component stands for: a number, or its bits. */
static uint32_t reference_raw(const struct texture *t, const uint8_t *p)
{
    switch ((enum texture_format)t->format) {
    case TEXTURE_U8:
    case TEXTURE_UNORM8: return *p;
    case TEXTURE_S8:
    case TEXTURE_SNORM8: return (uint32_t)(int32_t)(int8_t)*p;
    case TEXTURE_U16:
    case TEXTURE_UNORM16: return (uint32_t)(p[0] | p[1] << 8);
    case TEXTURE_S16:
    case TEXTURE_SNORM16: return (uint32_t)(int32_t)(int16_t)(p[0] | p[1] << 8);
    default: return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    }
}

static uint32_t reference(const struct texture *t, const uint8_t *memory, int component, uint32_t x,
                          uint32_t y)
{
    uint32_t w = t->width, h = t->height,
             each = texture_component_bytes((enum texture_format)t->format);
    uint32_t at[2] = {x, y}, n[2] = {w, h}, texel[2][2] = {{0}};
    double weight[2][2] = {{1, 0}, {1, 0}};
    bool normalized = t->format >= TEXTURE_UNORM8;
    for (int a = 0; a < (h > 1 ? 2 : 1); a++) {
        double u = reference_u(at[a], t->normalized ? n[a] : 1, t->wrap[a]);
        double v = t->linear ? u - 0.5 : u, i = floor(v), part = 0;
        if (t->linear)
            part = floor((v - i) * 256 + 0.5);
        if (part == 256) {
            i++;
            part = 0;
        }
        weight[a][0] = (256 - part) / 256;
        weight[a][1] = part / 256;
        texel[a][0] = reference_texel(i, n[a], t->wrap[a]);
        texel[a][1] = reference_texel(i + 1, n[a], t->wrap[a]);
    }
    if (component >= t->channels)
        return component < 3 ? 0 : normalized || t->format == TEXTURE_F32 ? bits_of(1) : 1;
    double one = t->format == TEXTURE_UNORM8    ? 255
                 : t->format == TEXTURE_SNORM8  ? 127
                 : t->format == TEXTURE_UNORM16 ? 65535
                                                : 32767;
    long double sum = 0;
    float floats = 0;
    bool first = true;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            double both = weight[0][i] * weight[1][j];
            if (both == 0)
                continue;
            uint32_t v = reference_raw(t, memory + texel[1][j] * t->pitch +
                                              texel[0][i] * t->channels * each +
                                              (uint32_t)component * each);
            if (!normalized && !t->linear)
                return v;
            if (normalized) {
                sum += both * fmax((int32_t)v, -one);
            } else {
                float p = reference_flush(both * reference_flush(float_of(v)));
                floats = first ? p : reference_flush((double)floats + p);
                first = false;
            }
        }
    return normalized ? bits_of((float)(sum / one)) : bits_of(reference_flush(floats));
}

static void the_sampler_agrees_with_a_plain_reference(void)
{
    enum { BYTES = 64 * 1024, TEXTURES = 2000, FETCHES = 50 };
    static uint8_t memory[BYTES];
    uint64_t seed = 28;
    int wrong = 0, tried = 0;
    for (int i = 0; i < BYTES; i++)
        memory[i] = (uint8_t)machine_random(&seed);
    for (int k = 0; k < TEXTURES; k++) {
        struct texture t = textures_draw(&seed);
        CU_ASSERT_PTR_NULL_FATAL(texture_wrong(&t));
        for (int f = 0; f < FETCHES; f++, tried++) {
            uint32_t x = textures_coordinate(&seed, &t, t.width),
                     y = textures_coordinate(&seed, &t, t.height);
            struct texture_texels texels;
            uint32_t word[TEXTURE_TEXELS][4], out[4];
            texture_find(&t, x, &y, &texels);
            for (int i = 0; i < texels.n; i++)
                memcpy(word[i], memory + (texels.at[i] & ~3u), sizeof word[i]);
            texture_filter(&t, &texels, word, 15, out);
            for (int c = 0; c < 4; c++) {
                uint32_t want = reference(&t, memory, c, x, y);
                if (out[c] != want && !wrong++)
                    printf("\n    %s x%u, %ux%u, %s%s wrap %d%d at %a %a [%d]: %08x, not %08x\n",
                           texture_format_name((enum texture_format)t.format), t.channels, t.width,
                           t.height, t.linear ? "linear" : "nearest",
                           t.normalized ? " normalized" : "", t.wrap[0], t.wrap[1],
                           (double)float_of(x), (double)float_of(y), c, out[c], want);
            }
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(tried, TEXTURES * FETCHES);
}

static void the_weights_of_a_fetch_sum_up_to_one(void)
{
    uint64_t seed = 29;
    struct texture t = {.width = 100,
                        .height = 50,
                        .pitch = 400,
                        .format = TEXTURE_F32,
                        .channels = 1,
                        .linear = true};
    for (int i = 0; i < 10000; i++) {
        struct texture_texels x;
        uint32_t sum = 0, y = machine_random(&seed);
        texture_find(&t, machine_random(&seed), &y, &x);
        for (int k = 0; k < x.n; k++) {
            CU_ASSERT(x.weight[k] != 0);
            CU_ASSERT(x.at[k] < 50 * 400);
            sum += x.weight[k];
        }
        CU_ASSERT_EQUAL(sum, TEXTURE_ONE);
    }
}

static void an_integer_coordinate_is_clamped(void)
{
    struct texture t = {
        .width = 10, .height = 1, .format = TEXTURE_U16, .channels = 2, .address = 64};
    static const int32_t at[][2] = {{0, 0},         {3, 3},  {9, 9},        {10, 9},
                                    {INT32_MAX, 9}, {-1, 0}, {INT32_MIN, 0}};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        struct texture_texels x;
        texture_find_integer(&t, (uint32_t)at[i][0], &x);
        CU_ASSERT_EQUAL(x.n, 1);
        CU_ASSERT_EQUAL(x.at[0], 64 + 4 * (uint32_t)at[i][1]);
    }
}

static void the_common_case_finds_what_the_general_one_does(void)
{
    uint64_t seed = 31;
    static const uint32_t odd[] = {0,          0x80000000, 1,          0x80000001,
                                   0x7fc00000, 0xffc00000, 0x7f800000, 0xff800000,
                                   0x4b800000, 0x4d000000, 0x4e800000, 0xbf800000};
    for (int k = 0; k < 500; k++) {
        struct texture t = {.format = (uint8_t)(machine_random(&seed) % TEXTURE_FORMATS),
                            .channels = (uint8_t)(1u << machine_random(&seed) % 3),
                            .width = 1 + machine_random(&seed) % (k % 5   ? 50
                                                                  : k % 2 ? 1u << 24
                                                                          : 1u << 27),
                            .height = 1,
                            .address = 256};
        if (t.width <= 50)
            t.height = 1 + machine_random(&seed) % 20;
        t.pitch = t.width * texture_texel_bytes(&t);
        uint32_t x[32], y[32], at[32], integer[32];
        for (int l = 0; l < 32; l++) {
            x[l] = l < 12 ? odd[l] : textures_coordinate(&seed, &t, t.width);
            y[l] = l < 24 && l >= 12 ? odd[l - 12] : textures_coordinate(&seed, &t, t.height);
        }
        texture_find_plain(&t, x, y, at);
        texture_find_integers(&t, x, integer);
        for (int l = 0; l < 32; l++) {
            struct texture_texels one;
            texture_find(&t, x[l], &y[l], &one);
            CU_ASSERT(!texture_is_plain(&t) || (one.n == 1 && one.at[0] == at[l]));
            texture_find_integer(&t, x[l], &one);
            CU_ASSERT(one.n == 1 && one.at[0] == integer[l]);
        }
    }
}

static void one_coordinate_reads_the_first_row(void)
{
    struct texture t = {.width = 4,
                        .height = 4,
                        .pitch = 16,
                        .format = TEXTURE_F32,
                        .channels = 1,
                        .linear = true,
                        .normalized = true,
                        .wrap = {true, true}};
    struct texture_texels x;
    texture_find(&t, bits_of(0.5f), NULL, &x);
    CU_ASSERT_EQUAL(x.n, 2);
    for (int i = 0; i < x.n; i++)
        CU_ASSERT(x.at[i] < t.pitch);
}

static void an_integer_coordinate_is_not_filtered(void)
{
    struct texture t = {
        .width = 2, .height = 1, .pitch = 8, .format = TEXTURE_F32, .channels = 1, .linear = true};
    struct texture_texels x;
    uint32_t word[TEXTURE_TEXELS][4] = {{0xffc00001}},
             out[4]; /* filtered, it would be the one NaN */
    texture_find_integer(&t, 0, &x);
    texture_filter(&t, &x, word, 15, out);
    CU_ASSERT_EQUAL(out[0], 0xffc00001);
}

static void a_product_is_rounded_before_it_is_flushed(void)
{
    /* half of the largest float below 2^-125 has 24 bits and is below 2^-126; the host would round it up */
    struct texture t = {
        .width = 2, .height = 1, .pitch = 8, .format = TEXTURE_F32, .channels = 1, .linear = true};
    struct texture_texels x;
    uint32_t word[TEXTURE_TEXELS][4] = {{0x80ffffff}, {0}}, out[4];
    texture_find(&t, bits_of(1), NULL, &x);
    CU_ASSERT_EQUAL(x.weight[0], TEXTURE_ONE / 2);
    texture_filter(&t, &x, word, 15, out);
    CU_ASSERT_EQUAL(out[0], 0);
    word[0][0] = 0x81000000;
    texture_filter(&t, &x, word, 15, out);
    CU_ASSERT_EQUAL(out[0], 0x80800000);
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* 8 x 4 texels of `channels` words, each its number times 16 and the channel. */
enum { WIDTH = 8, HEIGHT = 4 };

static struct job *textured(const char *text, uint32_t channels, uint32_t threads)
{
    uint32_t texels[WIDTH * HEIGHT * 4];
    for (uint32_t i = 0; i < WIDTH * HEIGHT * channels; i++)
        texels[i] = i / channels * 16 + i % channels;
    struct job *job = machine_job("tiny", text);
    machine_buffer(job, WIDTH * HEIGHT * channels * 4, texels);
    job->texture = fl_alloc(sizeof *job->texture);
    job->ntextures = 1;
    job->texture[0] = (struct job_texture){.texture = {.width = WIDTH,
                                                       .height = HEIGHT,
                                                       .pitch = WIDTH * channels * 4,
                                                       .format = TEXTURE_U32,
                                                       .channels = (uint8_t)channels}};
    machine_launch(job, 0, 1, threads)->textures = 1;
    return job;
}

static struct machine textured_ran(const char *text, uint32_t channels, uint32_t threads)
{
    struct machine m = machine_load(textured(text, channels, threads));
    machine_run(&m);
    return m;
}

#define XY                                                                                         \
    ".texture tex, u32\n" K TID                                                                    \
    "LOP.AND R1, R0, c1[SEVEN]\nSHR R2, R0, 3\nI2F.F32.U32 R1, R1\nI2F.F32.U32 R2, R2\n"           \
    ".const SEVEN, u32, 7\n"

static void tex_gives_the_texel_under_two_coordinates(void)
{
    struct machine m = textured_ran(XY "TEX R1, t(tex), s(tex), n1, m1, x0, y0, z0\nNOP.EXIT", 1,
                                    32);
    ASSERT_FINISHED(m);
    for (int l = 0; l < 32; l++)
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 1), (uint32_t)l * 16);
    machine_end(&m);
}

static void results_are_packed_as_the_mask_says(void)
{
    struct machine m = textured_ran(
        XY "MVI R3, 7\nTEX R1, t0, s0, n1, m13, x0, y0, z0\nMVI R4, 9\nNOP.EXIT", 4, 32);
    ASSERT_FINISHED(m);
    for (int l = 0; l < 32; l++) { /* x, z, w */
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 1), (uint32_t)l * 16);
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 2), (uint32_t)l * 16 + 2);
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 3), (uint32_t)l * 16 + 3);
    }
    machine_end(&m);
}

static void a_short_form_gives_all_four(void)
{
    struct machine m = textured_ran(XY "TEX32 R1, t0, s0, n1\nMOV32 R0, R0\nNOP.EXIT", 2, 32);
    ASSERT_FINISHED(m);
    for (int l = 0; l < 32; l++) {
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 1), (uint32_t)l * 16);
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 2), (uint32_t)l * 16 + 1);
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 3), 0);
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 4), 1);
    }
    machine_end(&m);
}

static void only_executing_lanes_fetch(void)
{
    struct machine m = machine_load(textured(
        ".texture tex, u32\n" K "TLD R0 (C0.NE), t0, s0, n0, m1, x0, y0, z0\nNOP.EXIT", 1, 32));
    machine_flags(&m, 0, 0, 0xff);
    machine_run(&m);
    ASSERT_FINISHED(m);
    for (int l = 0; l < 32; l++) /* of the first row, clamped */
        CU_ASSERT_EQUAL(machine_reg(&m, 0, l, 0), l < 8 ? (uint32_t)l : 7 * 16);
    machine_end(&m);
}

static void a_fetch_takes_the_time_of_a_load_of_its_segments(void)
{
    /* texels 0 to 31 of a line of words: two segments of 64 bytes, as a coalesced load */
    static const struct {
        const char *to;
        uint32_t transactions;
    } row[] = {{"", 2},                /* texel l: a segment for each half-warp */
               {"MVI R0, 3\n", 2},     /* all on one */
               {"SHL R0, R0, 4\n", 2}, /* clamped behind the first row */
               {"LOP.AND R0, R0, c1[SEVEN]\n", 2}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 ".texture tex, u32\n" K
                 ".const SEVEN, u32, 7\n%sTLD R0, t0, s0, n0, m1, x0, y0, z0\nNOP.EXIT",
                 row[i].to);
        struct machine m = textured_ran(text, 1, 32);
        ASSERT_FINISHED(m);
        int n = *row[i].to ? 1 : 0;
        uint64_t before = n ? machine_cycle(&m, 0, 0) : 3;
        const struct profile *p = &m.img->profile;
        /* one instruction takes 5 slots of 4 cycles; see docs/explain/cycles.md, one coalesced load */
        CU_ASSERT_EQUAL(machine_cycle(&m, 0, n) - before,
                        20 + (uint64_t)p->global_latency +
                            row[i].transactions * (uint64_t)p->global_transaction);
        machine_end(&m);
    }
}

static void rows_far_apart_cost_a_transaction_each(void)
{
    struct machine m = textured_ran(XY "TEX R1, t0, s0, n1, m1, x0, y0, z0\nNOP.EXIT", 4, 32);
    ASSERT_FINISHED(m);
    const struct profile *p = &m.img->profile;
    /* a row of 8 texels of 16 bytes is 128 bytes: each half-warp reads two rows, in four segments */
    CU_ASSERT_EQUAL(machine_cycle(&m, 0, 5) - machine_cycle(&m, 0, 4),
                    20 + (uint64_t)p->global_latency + 8 * (uint64_t)p->global_transaction);
    machine_end(&m);
}

static void a_unit_that_nobody_binds_traps(void)
{
    struct machine m = machine_ran("tiny", 32, K "TEX R1, t3, s3, n1, m1, x0, y0, z0\nNOP.EXIT");
    ASSERT_TRAP(m, UNSUPPORTED_INSTRUCTION);
    machine_end(&m);
}

static void not_built(const char *instruction, const char *words)
{
    char text[256];
    struct fl_err err;
    snprintf(text, sizeof text, ".texture tex, u32\n" K "%s\nNOP.EXIT", instruction);
    struct job *job = textured(text, 1, 32);
    CU_ASSERT_EQUAL(job_finish(job, &err), 0);
    struct sm_image *img = sm_image_new(job, &err);
    CU_ASSERT_PTR_NULL(img);
    if (!img && !strstr(err.msg, words))
        printf("\n    %s\n", err.msg);
    CU_ASSERT(!img && strstr(err.msg, words));
    sm_image_free(img);
    job_free(job);
}

static void what_is_not_built_is_refused_by_name(void)
{
    not_built("TEX R0, t0, s0, n2, m1, x0, y0, z0",
              "texture 'tex' at 0x0 by TEX: textures of 3 dimensions");
    not_built("TEX.CUBE R0, t0, s0, n2, m1", "cube textures are not built");
    not_built("TLD R0, t0, s0, n1, m1, x0, y0, z0", "TLD runs with one coordinate");
    not_built("TXL R0, t0, s0, n2, m1, x0, y0, z0", "TEX and TLD run");
    not_built("TEX R0, t0, s1, n1, m1, x0, y0, z0", "texture and sampler have one number");
    not_built("TEX R0, t0, s0, n1, m1, x1, y0, z0", "offsets of coordinates");
}

static void a_reference_without_a_binding_is_refused(void)
{
    struct fl_err err;
    struct job *job = textured(
        ".texture tex, u32\n" K "TLD R0, t0, s0, n0, m1, x0, y0, z0\nNOP.EXIT", 1, 32);
    job->launch[0].textures = 0;
    CU_ASSERT_EQUAL(job_finish(job, &err), 0);
    CU_ASSERT_PTR_NULL(sm_image_new(job, &err));
    CU_ASSERT(strstr(err.msg, "reads texture 'tex', and nothing is bound to it") != NULL);
    job_free(job);
}

static void each_launch_finds_what_is_bound_in_front_of_it(void)
{
    struct job *job = textured(".texture tex, u32\n" K
                               ".param ptr out\nI2I.U32.U16 R0, R0L\nSHL R1, R0, 2\n"
                               "IADD R1, s[out], R1\nTLD R0, t0, s0, n0, m1, x0, y0, z0\n"
                               "GST.U32 global14[R1], R0\nNOP.EXIT",
                               1, 8);
    uint32_t other[8] = {100, 101, 102, 103, 104, 105, 106, 107};
    uint32_t first = machine_buffer(job, 32, NULL), second = machine_buffer(job, 32, NULL);
    machine_buffer(job, sizeof other, other);
    job->texture = fl_grow(job->texture, 2, sizeof *job->texture);
    job->ntextures = 2;
    job->texture[1] = job->texture[0];
    job->texture[1].buffer = 3;
    job->texture[1].texture.height = 1;
    machine_param(&job->launch[0], first);
    struct job_launch *l = machine_launch(job, 0, 1, 8);
    l->textures = 2;
    machine_param(l, second);
    struct machine m = machine_load(job);
    machine_run(&m);
    ASSERT_FINISHED(m);
    for (uint32_t i = 0; i < 8; i++) {
        CU_ASSERT_EQUAL(machine_word(&m, 1, i), 16 * i);
        CU_ASSERT_EQUAL(machine_word(&m, 2, i), 100 + i);
    }
    machine_end(&m);
}

int main(void)
{
    return CHECK_RUN(
        "texture", CHECK(the_sampler_agrees_with_a_plain_reference),
        CHECK(the_weights_of_a_fetch_sum_up_to_one), CHECK(an_integer_coordinate_is_clamped),
        CHECK(the_common_case_finds_what_the_general_one_does),
        CHECK(one_coordinate_reads_the_first_row), CHECK(an_integer_coordinate_is_not_filtered),
        CHECK(a_product_is_rounded_before_it_is_flushed),
        CHECK(tex_gives_the_texel_under_two_coordinates),
        CHECK(results_are_packed_as_the_mask_says), CHECK(a_short_form_gives_all_four),
        CHECK(only_executing_lanes_fetch), CHECK(a_fetch_takes_the_time_of_a_load_of_its_segments),
        CHECK(rows_far_apart_cost_a_transaction_each), CHECK(a_unit_that_nobody_binds_traps),
        CHECK(what_is_not_built_is_refused_by_name),
        CHECK(a_reference_without_a_binding_is_refused),
        CHECK(each_launch_finds_what_is_bound_in_front_of_it));
}
