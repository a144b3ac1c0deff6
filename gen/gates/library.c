/* library.c -- sbst/gates.xml, checked against its schema. */
#include "gates.h"

#include <stdlib.h>
#include <string.h>

#include "base/xml.h"

static int read_row(struct gates_library *lib, const struct xml_file *f, xmlNode *n,
                    struct fl_err *err)
{
    struct fl_err units;
    const char *name = xml_attr(n, "name");
    uint32_t cycles = 0, mask = gates_units(xml_attr(n, "units"), &units);
    for (int i = 0; i < lib->rows; i++)
        if (strcmp(lib->row[i].name, name) == 0)
            return xml_fail(f, n, err, "a second program '%s'", name);
    if (!mask)
        return xml_fail(f, n, err, "units=\"%s\" names a unit that the control does not have",
                        xml_attr(n, "units"));
    if (xml_attr_u32(f, n, "cycles", 1, 1000000, &cycles, err) != 0)
        return -1;
    lib->row = fl_grow(lib->row, (size_t)lib->rows + 1, sizeof *lib->row);
    lib->row[lib->rows++] = (struct gates_row){.name = fl_strdup(name),
                                               .title = fl_strdup(xml_attr(n, "title")),
                                               .units = mask,
                                               .cycles = (int)cycles};
    return 0;
}

int gates_library_load(const char *root, struct gates_library **out, struct fl_err *err)
{
    struct gates_library *lib = fl_alloc(sizeof *lib);
    char *path = fl_format("%s/sbst/gates.xml", root);
    struct xml_file f = {0};
    int bad = xml_read(path, "gates", "docs/sbst-gates.rng", &f, err);
    if (!bad) {
        for (xmlNode *n = xml_first(xmlDocGetRootElement(f.doc)); n && !bad; n = xml_next(n))
            bad = read_row(lib, &f, n, err);
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

void gates_library_free(struct gates_library *lib)
{
    for (int i = 0; lib && i < lib->rows; i++) {
        free(lib->row[i].name);
        free(lib->row[i].title);
    }
    if (lib)
        free(lib->row);
    free(lib);
}
