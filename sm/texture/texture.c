/* texture.c -- coordinates to texels, texels to components. See texture.h and docs/reference/textures.md. */
#include "texture.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    uint8_t bytes;
    bool is_signed, is_float;
} formats[TEXTURE_FORMATS] = {
    [TEXTURE_U8] = {"u8", 1, false, false},         [TEXTURE_S8] = {"s8", 1, true, false},
    [TEXTURE_U16] = {"u16", 2, false, false},       [TEXTURE_S16] = {"s16", 2, true, false},
    [TEXTURE_U32] = {"u32", 4, false, false},       [TEXTURE_S32] = {"s32", 4, true, false},
    [TEXTURE_F32] = {"f32", 4, true, true},         [TEXTURE_UNORM8] = {"unorm8", 1, false, true},
    [TEXTURE_SNORM8] = {"snorm8", 1, true, true},   [TEXTURE_UNORM16] = {"unorm16", 2, false, true},
    [TEXTURE_SNORM16] = {"snorm16", 2, true, true},
};

const char *texture_format_name(enum texture_format format)
{
    return formats[format].name;
}

int texture_format_find(const char *name)
{
    for (int i = 0; i < TEXTURE_FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0)
            return i;
    return -1;
}

bool texture_is_float(enum texture_format format)
{
    return formats[format].is_float;
}

uint32_t texture_component_bytes(enum texture_format format)
{
    return formats[format].bytes;
}

const char *texture_wrong(const struct texture *t)
{
    uint32_t texel = texture_texel_bytes(t);
    if (t->channels != 1 && t->channels != 2 && t->channels != 4)
        return "a texel has 1, 2 or 4 channels";
    if (!t->width || !t->height || t->height > TEXTURE_MAX ||
        t->width > (t->height > 1 ? (uint32_t)TEXTURE_MAX : (uint32_t)TEXTURE_LINE))
        return "a texture has 1 to 65536 texels each way, or one row of 134217728";
    if (t->address % texel || t->pitch % texel)
        return "offset and pitch are multiples of the bytes of a texel";
    if (t->height > 1 && t->pitch < (uint64_t)t->width * texel)
        return "the pitch is at least the bytes of a row";
    if (t->linear && !texture_is_float((enum texture_format)t->format))
        return "integers cannot be filtered: take a format unorm8, snorm8, unorm16, snorm16 or "
               "f32, "
               "or the filter nearest";
    if (t->normalized && t->width > TEXTURE_MAX)
        return "normalized coordinates reach 65536 texels each way";
    if ((t->wrap[0] || t->wrap[1]) && !t->normalized)
        return "only normalized coordinates can wrap";
    return NULL;
}

/* ---- coordinates ----------------------------------------------------------------------------- */

enum { FRACTION = 16, UNIT = 1 << FRACTION }; /* bits of a coordinate behind its point */

static int64_t floor_shift(int64_t v, int right)
{
    return right > 62 ? (v < 0 ? -1 : 0) : v >> right;
}

/* A float times `scale`, rounded down to a multiple of 1 / UNIT; with `wrap` modulo `scale`. Beyond
 * 2^30 it is 2^30: nobody sees the difference behind a clamp. A NaN is 0. */
static int64_t fixed(uint32_t x, uint32_t scale, bool wrap)
{
    const int64_t most = (int64_t)1 << (30 + FRACTION), whole = (int64_t)scale << FRACTION;
    int exponent = (int)(x >> 23 & 255);
    int64_t mantissa = (int64_t)(x & 0x7fffff) | 0x800000, v;
    if (!exponent || (exponent == 255 && x << 9))
        return 0; /* denormals count as zero */
    v = mantissa * scale;
    if (x >> 31)
        v = -v;
    int shift = exponent - 127 - 23 + FRACTION; /* of v, to the left */
    if (wrap && exponent >= 127 + 23)
        return 0; /* an integer, however large */
    if (shift > 16)
        v = v < 0 ? -most : most;
    else
        v = shift < 0 ? floor_shift(v, -shift) : v * ((int64_t)1 << shift);
    if (wrap)
        return (v % whole + whole) % whole;
    return v > most ? most : v < -most ? -most : v;
}

/* The one or two texels of an axis, and the weight of the second, of 256. */
struct axis {
    uint32_t at[2], second;
};

static uint32_t inside(int64_t i, uint32_t n, bool wrap)
{
    if (wrap)
        return (uint32_t)((i % n + n) % n);
    return i < 0 ? 0 : i >= n ? n - 1 : (uint32_t)i;
}

static struct axis find_axis(const struct texture *t, int axis, uint32_t x)
{
    uint32_t n = axis ? t->height : t->width;
    bool wrap = t->wrap[axis];
    int64_t u = fixed(x, t->normalized ? n : 1, wrap);
    if (!t->linear)
        return (struct axis){.at = {inside(floor_shift(u, FRACTION), n, wrap)}};
    /* the middle of texel i is at i + 1/2; the fraction is rounded to 8 bits, halves up */
    u = floor_shift(u - UNIT / 2 + UNIT / 512, FRACTION - 8);
    int64_t i = floor_shift(u, 8);
    return (struct axis){.at = {inside(i, n, wrap), inside(i + 1, n, wrap)},
                         .second = (uint32_t)(u & 255)};
}

void texture_find(const struct texture *t, uint32_t x, const uint32_t *y,
                  struct texture_texels *out)
{
    struct axis h = find_axis(t, 0, x), v = {.second = 0};
    if (y && t->height > 1)
        v = find_axis(t, 1, *y);
    out->filtered = t->linear;
    out->n = 0;
    uint32_t texel = texture_texel_bytes(t);
    for (int j = 0; j < (v.second ? 2 : 1); j++) {
        uint32_t row = t->address + v.at[j] * t->pitch, b = j ? v.second : 256 - v.second;
        out->at[out->n] = row + h.at[0] * texel;
        out->weight[out->n++] = (256 - h.second) * b;
        if (!h.second)
            continue;
        out->at[out->n] = row + h.at[1] * texel;
        out->weight[out->n++] = h.second * b;
    }
}

void texture_find_integer(const struct texture *t, uint32_t x, struct texture_texels *out)
{
    out->filtered = false;
    out->n = 1;
    out->at[0] = t->address + inside((int32_t)x, t->width, false) * texture_texel_bytes(t);
    out->weight[0] = TEXTURE_ONE;
}

/* A NaN is 0, and so is all that is below; what is left needs no floor. */
static inline uint32_t plain_index(uint32_t bits, uint32_t n)
{
    const float most = (float)(n - 1);
    float x;
    memcpy(&x, &bits, sizeof x);
    x = x > 0 ? x : 0;
    x = x < most ? x : most;
    return (uint32_t)(int32_t)x;
}

void texture_find_plain(const struct texture *t, const uint32_t *x, const uint32_t *y,
                        uint32_t at[TEXTURE_LANES])
{
    uint32_t texel = texture_texel_bytes(t), width = t->width, height = t->height;
    for (int l = 0; l < TEXTURE_LANES; l++)
        at[l] = t->address + plain_index(x[l], width) * texel;
    for (int l = 0; y && height > 1 && l < TEXTURE_LANES; l++)
        at[l] += plain_index(y[l], height) * t->pitch;
}

void texture_find_integers(const struct texture *t, const uint32_t *x, uint32_t at[TEXTURE_LANES])
{
    uint32_t texel = texture_texel_bytes(t);
    int32_t last = (int32_t)t->width - 1;
    for (int l = 0; l < TEXTURE_LANES; l++) {
        int32_t i = (int32_t)x[l];
        i = i < 0 ? 0 : i;
        at[l] = t->address + (uint32_t)(i < last ? i : last) * texel;
    }
}

/* ---- components ------------------------------------------------------------------------------ */

static uint32_t bits_of(float f)
{
    uint32_t v;
    memcpy(&v, &f, sizeof v);
    return v;
}

/* As the arithmetic of the machine has it: denormals count as zero, there is one NaN. */
static float flushed(uint32_t v)
{
    float f;
    if (!(v & 0x7f800000))
        v &= 0x80000000;
    memcpy(&f, &v, sizeof f);
    return f;
}

static uint32_t canonical(float f)
{
    return f != f ? 0x7fffffff : bits_of(flushed(bits_of(f)));
}

/* Component `c` of a texel, extended to a word. */
static uint32_t component(const struct texture *t, uint32_t at, const uint32_t word[4], int c)
{
    uint32_t bytes = formats[t->format].bytes;
    uint32_t byte = at % 4 + (uint32_t)c * bytes, v = word[byte / 4] >> 8 * (byte % 4);
    bool sign = formats[t->format].is_signed;
    switch (bytes) {
    case 1: return sign ? (uint32_t)(int8_t)v : (uint8_t)v;
    case 2: return sign ? (uint32_t)(int16_t)v : (uint16_t)v;
    default: return v;
    }
}

/* The number that 1 is of an integer that stands for a float. */
static int32_t one_of(uint8_t format)
{
    switch ((enum texture_format)format) {
    case TEXTURE_UNORM8: return 255;
    case TEXTURE_SNORM8: return 127;
    case TEXTURE_UNORM16: return 65535;
    default: return 32767;
    }
}

/* The sum of weighted integers is exact, and rounded once. */
static uint32_t filter_integers(const struct texture *t, const struct texture_texels *texels,
                                const uint32_t v[TEXTURE_TEXELS])
{
    int32_t one = one_of(t->format);
    int64_t sum = 0;
    for (int i = 0; i < texels->n; i++) {
        int32_t x = (int32_t)v[i];
        sum += (int64_t)texels->weight[i] * (x < -one ? -one : x);
    }
    /* a quotient of numbers this small is never so near to the middle of two floats that rounding it
     * twice would matter */
    return bits_of((float)((double)sum / ((double)one * TEXTURE_ONE)));
}

/* Whether it is flushed is decided after rounding to 24 bits without a lower limit of the exponent: the
 * host would round what is just below 2^-126 up to it. */
static float product_of(uint32_t v, uint32_t weight)
{
    if ((v >> 23 & 255) >= 32) /* far from it */
        return flushed(canonical(flushed(v) * ((float)weight / TEXTURE_ONE)));
    double exact = (double)flushed(v) * weight / TEXTURE_ONE; /* has 41 bits */
    float large = (float)(exact * 0x1p40);
    if (large < 0x1p-86f && large > -0x1p-86f)
        return flushed(v & 0x80000000);
    return flushed(canonical((float)exact));
}

/* Each product is rounded, then each sum, in the order of the texels. */
static uint32_t filter_floats(const struct texture_texels *texels, const uint32_t v[TEXTURE_TEXELS])
{
    float sum = 0;
    for (int i = 0; i < texels->n; i++) {
        float product = product_of(v[i], texels->weight[i]);
        sum = i ? flushed(canonical(sum + product)) : product;
    }
    return canonical(sum);
}

void texture_filter(const struct texture *t, const struct texture_texels *texels,
                    uint32_t word[TEXTURE_TEXELS][4], uint32_t mask, uint32_t out[4])
{
    bool is_float = formats[t->format].is_float;
    for (int c = 0; c < 4; c++) {
        uint32_t v[TEXTURE_TEXELS];
        if (!(mask >> c & 1))
            continue;
        if (c >= t->channels) { /* what is not there is 0, alpha 1 */
            out[c] = c < 3 ? 0 : is_float ? 0x3f800000 : 1;
            continue;
        }
        for (int i = 0; i < texels->n; i++)
            v[i] = component(t, texels->at[i], word[i], c);
        out[c] = !is_float || (t->format == TEXTURE_F32 && !texels->filtered) ? v[0]
                 : t->format == TEXTURE_F32 ? filter_floats(texels, v)
                                            : filter_integers(t, texels, v);
    }
}
