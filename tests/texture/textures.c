/* textures.c -- draws textures. */
#include "textures.h"

struct texture textures_draw(uint64_t *seed)
{
    struct texture t = {.format = (uint8_t)(machine_random(seed) % TEXTURE_FORMATS),
                        .channels = (uint8_t)(1u << machine_random(seed) % 3),
                        .width = 1 + machine_random(seed) % 37,
                        .height = 1 + machine_random(seed) % 37 * (machine_random(seed) % 4 > 0),
                        .normalized = machine_random(seed) % 2,
                        .linear = machine_random(seed) % 2};
    t.wrap[0] = t.normalized && machine_random(seed) % 2;
    t.wrap[1] = t.normalized && machine_random(seed) % 2;
    t.pitch = (t.width + machine_random(seed) % 3) * texture_texel_bytes(&t);
    t.linear = t.linear && texture_is_float((enum texture_format)t.format);
    return t;
}

static uint32_t bits_of(double d)
{
    float f = (float)d;
    uint32_t v;
    memcpy(&v, &f, sizeof v);
    return v;
}

uint32_t textures_coordinate(uint64_t *seed, const struct texture *t, uint32_t n)
{
    uint32_t draw = machine_random(seed);
    double inside = (double)machine_random(seed) / 0x1p32 * 3 - 1;
    double u = inside * (t->normalized ? 1 : n);
    switch (draw % 8) {
    case 0: return machine_random(seed);
    case 1:
        return bits_of((double)(int32_t)(machine_random(seed) % (4 * n)) / 2 /
                       (t->normalized ? n : 1));
    case 2: return bits_of((double)((float)-u * 1e-6f));
    default: return bits_of(u);
    }
}
