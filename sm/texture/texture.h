/* texture.h -- what a texture is, and what a fetch from it gives: docs/reference/textures.md.
 *
 * A fetch goes in two steps, so that whoever asks for time, for the words that are read or for the
 * result asks alike: texture_find says which texels a lane reads and with which weights,
 * texture_filter makes the components of what stands there.
 */
#ifndef SM_TEXTURE_H
#define SM_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TEXTURE_UNITS = 32,     /* as many as an instruction has samplers */
    TEXTURE_MAX = 65536,    /* texels each way, of a texture that is asked with float coordinates */
    TEXTURE_LINE = 1 << 27, /* of one that is asked with integers, which has one row */
    TEXTURE_TEXELS = 4,     /* that a lane reads, at most */
    TEXTURE_ONE = 65536     /* the weights of a lane's texels sum up to it */
};

/* What a component is, and what a register gets of it. */
enum texture_format {
    TEXTURE_U8, /* an integer, extended */
    TEXTURE_S8,
    TEXTURE_U16,
    TEXTURE_S16,
    TEXTURE_U32,
    TEXTURE_S32,
    TEXTURE_F32,
    TEXTURE_UNORM8, /* an integer as a float of 0 to 1, or -1 to 1 */
    TEXTURE_SNORM8,
    TEXTURE_UNORM16,
    TEXTURE_SNORM16,
    TEXTURE_FORMATS
};

struct texture {
    uint32_t address;              /* of texel (0, 0), in g14[]; rows are `pitch` bytes apart */
    uint32_t width, height, pitch; /* width 0: no texture at all; height 1: one row */
    uint8_t format;                /* enum texture_format */
    uint8_t channels;              /* 1, 2 or 4 */
    bool wrap[2];                  /* in x, y; else coordinates are clamped */
    bool linear, normalized;
};

/* Names of formats as in job.xml; -1: there is none of that name. */
const char *texture_format_name(enum texture_format format);
int texture_format_find(const char *name);
bool texture_is_float(enum texture_format format); /* can be filtered */
uint32_t texture_component_bytes(enum texture_format format);
static inline uint32_t texture_texel_bytes(const struct texture *t)
{
    return t->channels * texture_component_bytes((enum texture_format)t->format);
}
/* NULL, or why there can be no such texture. */
const char *texture_wrong(const struct texture *t);

struct texture_texels {
    bool filtered; /* else there is one, and a float's bits are not touched */
    int n;
    uint32_t at[TEXTURE_TEXELS];     /* addresses */
    uint32_t weight[TEXTURE_TEXELS]; /* of TEXTURE_ONE; none is 0 */
};

/* The texels of a lane with these coordinates: floats (`y` NULL: the first row), or an integer. */
void texture_find(const struct texture *t, uint32_t x, const uint32_t *y,
                  struct texture_texels *out);
void texture_find_integer(const struct texture *t, uint32_t x, struct texture_texels *out);

/* The common case at once, without weights: the texels of 32 lanes, of which each reads one, where coordinates are not
 * normalized and clamped. `y` as above. */
static inline bool texture_is_plain(const struct texture *t)
{
    /* so nothing wraps, and a float has the number of each texel */
    return !t->linear && !t->normalized && t->width <= 1 << 24;
}
enum { TEXTURE_LANES = 32 };
void texture_find_plain(const struct texture *t, const uint32_t *x, const uint32_t *y,
                        uint32_t at[TEXTURE_LANES]);
void texture_find_integers(const struct texture *t, const uint32_t *x, uint32_t at[TEXTURE_LANES]);

/* The components of what the texels hold, those of `mask`, bit 0 the first: words from the one on in which texel i begins stand in
 * word[i], as many as a texel has. */
void texture_filter(const struct texture *t, const struct texture_texels *texels,
                    uint32_t word[TEXTURE_TEXELS][4], uint32_t mask, uint32_t out[4]);

#endif
