/* texture.c -- texture references of a cubin.
 *
 * The text form has a block sampler for each, ELF files of nvcc a record in .nv.info with the symbol and
 * the unit. What sasm and smcc write is a section of ours, .faultline.textures: a line for each, "unit
 * type name", with - for a type that is not known.
 *
 * The type of an image of OpenCL C is what its reads and its sampler say: image_KIND_any, for a sampler that is an argument,
 * or image_KIND_ADDRESS_FILTER_COORDINATES, KIND being float, int or uint, ADDRESS clamp or wrap, FILTER nearest or linear,
 * COORDINATES texels or normalized.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

int cubin_add_texture(struct cubin *c, const char *name, uint32_t unit, const char *type)
{
    if (unit >= CUBIN_TEXTURES || !*name || strpbrk(name, " \t\r\n"))
        return -1;
    for (int i = 0; i < c->ntextures; i++)
        if (c->texture[i].unit == unit || strcmp(c->texture[i].name, name) == 0)
            return c->texture[i].unit == unit && strcmp(c->texture[i].name, name) == 0 ? 0 : -1;
    c->texture = fl_grow(c->texture, (size_t)c->ntextures + 1, sizeof *c->texture);
    struct cubin_texture *t = &c->texture[c->ntextures++];
    *t = (struct cubin_texture){.name = fl_strdup(name), .unit = unit};
    snprintf(t->type, sizeof t->type, "%s", type);
    return 0;
}

int cubin_find_texture(const struct cubin *c, const char *name)
{
    for (int i = 0; i < c->ntextures; i++)
        if (strcmp(c->texture[i].name, name) == 0)
            return i;
    return -1;
}

static bool says(const char *type, const char *word)
{
    char whole[24];
    size_t n = (size_t)snprintf(whole, sizeof whole, "_%s", word);
    const char *at = strstr(type, whole);
    return at && (at[n] == '_' || !at[n]);
}

bool cubin_image(const struct cubin_texture *t, struct cubin_image *out)
{
    *out = (struct cubin_image){.kind = says(t->type, "float")  ? CUBIN_FLOATS
                                        : says(t->type, "uint") ? CUBIN_UNSIGNED
                                                                : CUBIN_SIGNED,
                                .any = says(t->type, "any"),
                                .wrap = says(t->type, "wrap"),
                                .linear = says(t->type, "linear"),
                                .normalized = says(t->type, "normalized")};
    return strncmp(t->type, "image_", 6) == 0;
}

const struct cubin_texture *cubin_size_of(const struct cubin *c, const char *param, bool *height)
{
    struct cubin_image image;
    for (int i = 0; param && i < c->ntextures; i++) {
        size_t n = strlen(c->texture[i].name);
        if (strncmp(param, c->texture[i].name, n) != 0 || !cubin_image(&c->texture[i], &image))
            continue;
        *height = strcmp(param + n, "_height") == 0;
        if (*height || strcmp(param + n, "_width") == 0)
            return &c->texture[i];
    }
    return NULL;
}

void cubin_write_textures(const struct cubin *c, struct fl_buf *out)
{
    for (int i = 0; i < c->ntextures; i++)
        fl_buf_printf(out, "%u %s %s\n", c->texture[i].unit,
                      c->texture[i].type[0] ? c->texture[i].type : "-", c->texture[i].name);
}

int cubin_read_textures(struct cubin *c, const char *text, size_t size)
{
    char *copy = fl_format("%.*s", (int)size, text), *rest = copy;
    int bad = 0;
    for (char *line; !bad && (line = strsep(&rest, "\n"));) {
        unsigned unit;
        char type[sizeof c->texture->type];
        int at = 0;
        if (!*line)
            continue;
        bad = sscanf(line, "%u %47s %n", &unit, type, &at) != 2 || !at ||
              cubin_add_texture(c, line + at, unit, strcmp(type, "-") ? type : "");
    }
    free(copy);
    return bad;
}
