/* library.c -- sbst/gates.xml, checked against its schema, and the files that its templates name. */
#include "gates.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/xml.h"

uint64_t gates_random(const struct gates_row *row, uint32_t seed)
{
    uint64_t state = seed;
    for (const char *c = row->name; *c; c++)
        state = fl_random_mix(state + (uint8_t)*c);
    return state;
}

static char *read_text(const char *root, const char *name, struct fl_err *err)
{
    char *path = fl_format("%s/sbst/gates/%s", root, name);
    struct fl_buf text = {0};
    int bad = fl_read_text(path, &text, err);
    fl_buf_add(&text, "", 1);
    free(path);
    if (!bad)
        return (char *)text.data;
    fl_buf_free(&text);
    return NULL;
}

static int read_shape(struct gates_row *row, const struct xml_file *f, xmlNode *n,
                      struct fl_err *err)
{
    uint32_t blocks = 1, warps = 0, less = 0, waves = 1, parameters = GATES_MAX_PARAMETERS,
             shared = 0;
    const char *fill = xml_attr(n, "warps");
    if (row->shapes == GATES_MAX_LAUNCHES)
        return xml_fail(f, n, err, "more than %d launches", GATES_MAX_LAUNCHES);
    if (xml_attr_u32(f, n, "blocks", 1, 1024, &blocks, err) != 0 ||
        (strcmp(fill, "all") != 0 && xml_attr_u32(f, n, "warps", 1, 1024, &warps, err) != 0) ||
        xml_attr_u32(f, n, "less", 0, SBST_LANES - 1, &less, err) != 0 ||
        xml_attr_u32(f, n, "waves", 1, 16, &waves, err) != 0 ||
        xml_attr_u32(f, n, "parameters", 0, GATES_MAX_PARAMETERS, &parameters, err) != 0 ||
        xml_attr_u32(f, n, "shared", 16, 1 << 16, &shared, err) != 0)
        return -1;
    row->shape[row->shapes++] = (struct gates_shape){.blocks = (int)blocks,
                                                     .warps = (int)warps,
                                                     .less = (int)less,
                                                     .waves = (int)waves,
                                                     .parameters = (int)parameters,
                                                     .shared = (int)shared};
    return 0;
}

static int read_buffer(struct gates_row *row, const struct xml_file *f, xmlNode *n,
                       struct fl_err *err)
{
    uint32_t address = 0, bytes = 0;
    if (row->buffers == GATES_MAX_BUFFERS)
        return xml_fail(f, n, err, "more than %d buffers", GATES_MAX_BUFFERS);
    if (xml_attr_u32(f, n, "address", 0x10000, 0x60000000, &address, err) != 0 ||
        xml_attr_u32(f, n, "bytes", 4, 1 << 20, &bytes, err) != 0)
        return -1;
    if (address % 256)
        return xml_fail(f, n, err, "address=\"%s\" is not a multiple of 256",
                        xml_attr(n, "address"));
    row->buffer[row->buffers++] = (struct gates_buffer){fl_strdup(xml_attr(n, "name")), address,
                                                        bytes};
    return 0;
}

/* Units with an even or an odd number of ones: one wrong bit names a unit without a texture. */
static uint32_t units_of(const char *kind)
{
    uint32_t units = 0;
    for (unsigned unit = 0; kind && unit < GATES_TEXTURES; unit++)
        units |= (uint32_t)(__builtin_parity(unit) == (strcmp(kind, "odd") == 0)) << unit;
    return units;
}

static int read_template(struct gates_row *row, const char *root, const struct xml_file *f,
                         xmlNode *n, struct fl_err *err)
{
    uint32_t parameters = 0, variants = 1;
    const char *full = xml_attr(n, "full"), *constants = xml_attr(n, "constants");
    int bad = xml_attr_u32(f, n, "parameters", 0, GATES_MAX_PARAMETERS, &parameters, err);
    bad = bad ? bad : xml_attr_u32(f, n, "variants", 1, 32, &variants, err);
    row->parameters = (int)parameters;
    row->variants = (int)variants;
    row->trap = xml_attr(n, "trap") ? fl_strdup(xml_attr(n, "trap")) : NULL;
    row->textures = units_of(xml_attr(n, "textures"));
    row->full = full && strcmp(full, "yes") == 0;
    row->constants = constants && strcmp(constants, "yes") == 0;
    for (xmlNode *c = xml_first(n); c && !bad; c = xml_next(c))
        bad = xml_is(c, "launch") ? read_shape(row, f, c, err) : read_buffer(row, f, c, err);
    if (!bad && row->trap && (row->shapes > 1 || row->buffers))
        bad = xml_fail(f, n, err, "a trap ends the job: one launch, and no buffers");
    row->file = fl_strdup(xml_attr(n, "file"));
    if (!bad && !(row->text = read_text(root, row->file, err)))
        bad = -1;
    return bad;
}

static int read_row(struct gates_library *lib, const char *root, const struct xml_file *f,
                    xmlNode *n, struct fl_err *err)
{
    struct fl_err units;
    const char *name = xml_attr(n, "name");
    uint32_t cycles = 0, flow = 8, mask = gates_units(xml_attr(n, "units"), &units);
    for (int i = 0; i < lib->rows; i++)
        if (strcmp(lib->row[i].name, name) == 0)
            return xml_fail(f, n, err, "a second program '%s'", name);
    if (!mask)
        return xml_fail(f, n, err, "units=\"%s\" names a unit that the control does not have",
                        xml_attr(n, "units"));
    if (xml_attr_u32(f, n, "cycles", 1, 1000000, &cycles, err) != 0 ||
        xml_attr_u32(f, n, "flow", 0, 100, &flow, err) != 0)
        return -1;
    lib->row = fl_grow(lib->row, (size_t)lib->rows + 1, sizeof *lib->row);
    struct gates_row *row = &lib->row[lib->rows++];
    *row = (struct gates_row){.name = fl_strdup(name),
                              .title = fl_strdup(xml_attr(n, "title")),
                              .units = mask,
                              .cycles = (int)cycles,
                              .flow = flow,
                              .witnesses = xml_is(n, "rows")};
    return xml_is(n, "template") ? read_template(row, root, f, n, err) : 0;
}

int gates_library_load(const char *root, struct gates_library **out, struct fl_err *err)
{
    struct gates_library *lib = fl_alloc(sizeof *lib);
    char *path = fl_format("%s/sbst/gates.xml", root);
    struct xml_file f = {0};
    int bad = xml_read(path, "gates", "docs/sbst-gates.rng", &f, err);
    if (!bad) {
        xmlNode *top = xmlDocGetRootElement(f.doc);
        lib->common_file = fl_strdup(xml_attr(top, "common"));
        lib->common = read_text(root, lib->common_file, err);
        bad = lib->common ? 0 : -1;
        for (xmlNode *n = xml_first(top); n && !bad; n = xml_next(n))
            bad = read_row(lib, root, &f, n, err);
        xml_close(&f);
    }
    free(path);
    if (bad) {
        gates_library_free(lib);
        lib = NULL;
    }
    *out = lib;
    return lib ? 0 : -1;
}

static void free_row(struct gates_row *row)
{
    for (int i = 0; i < row->buffers; i++)
        free(row->buffer[i].name);
    free(row->name);
    free(row->title);
    free(row->trap);
    free(row->file);
    free(row->text);
}

void gates_library_free(struct gates_library *lib)
{
    for (int i = 0; lib && i < lib->rows; i++)
        free_row(&lib->row[i]);
    if (lib) {
        free(lib->row);
        free(lib->common_file);
        free(lib->common);
    }
    free(lib);
}
