/* textures.h -- random textures and coordinates. */
#ifndef TEXTURES_H
#define TEXTURES_H

#include "sm/texture/texture.h"
#include "tests/lib/machine.h"

/* Of any format and mode; without an address. */
enum { TEXTURES_BYTES = 24 * 1024 }; /* at most */
struct texture textures_draw(uint64_t *seed);

/* Near the texture and its edges, and some that are anything; n: its width or height. */
uint32_t textures_coordinate(uint64_t *seed, const struct texture *t, uint32_t n);

#endif
