/* library.c -- sbst/control.xml, checked against its schema, and the files it names. */
#include "control.h"

#include <stdlib.h>
#include <string.h>

#include "base/xml.h"

static char *read_text(const char *root, const char *name, struct fl_err *err)
{
    char *path = fl_format("%s/sbst/control/%s", root, name);
    struct fl_buf text = {0};
    int bad = fl_read_text(path, &text, err);
    fl_buf_add(&text, "", 1);
    free(path);
    if (!bad && memchr(text.data, 0, text.size) == text.data + text.size - 1)
        return (char *)text.data;
    if (!bad)
        fl_fail(err, "sbst/control/%s: holds a zero byte, so it is no text", name);
    fl_buf_free(&text);
    return NULL;
}

const struct control_unit *control_unit_find(const struct control_library *lib, const char *name)
{
    for (int i = 0; i < lib->nunits; i++)
        if (fl_same_name(lib->unit[i].name, name))
            return &lib->unit[i];
    return NULL;
}

static int read_unit(struct control_library *lib, const char *root, const struct xml_file *f,
                     xmlNode *n, struct fl_err *err)
{
    static const char *const names[] = {"fewest", "slots", "one"};
    const char *name = xml_attr(n, "name"), *shapes = xml_attr(n, "shapes");
    const char *instead = xml_attr(n, "instead"), *cache = xml_attr(n, "cache");
    uint32_t lives = 1, expect = 0;
    if (control_unit_find(lib, name))
        return xml_fail(f, n, err, "a second unit '%s'", name);
    if (instead && !control_unit_find(lib, instead))
        return xml_fail(f, n, err, "no unit before it is called '%s'", instead);
    if (xml_attr_u32(f, n, "lives", 1, CONTROL_MAX_LAUNCHES, &lives, err) != 0 ||
        xml_attr_u32(f, n, "expect", 0, UINT32_MAX - 1, &expect, err) != 0)
        return -1;
    lib->unit = fl_grow(lib->unit, (size_t)lib->nunits + 1, sizeof *lib->unit);
    struct control_unit *u = &lib->unit[lib->nunits++];
    *u = (struct control_unit){.name = fl_strdup(name),
                               .title = fl_strdup(xml_attr(n, "title")),
                               .lives = (int)lives,
                               .expect = expect,
                               .instead = instead ? fl_strdup(instead) : NULL,
                               .cache = cache ? fl_strdup(cache) : NULL};
    for (int i = 0; shapes && i < 3; i++)
        if (strcmp(shapes, names[i]) == 0)
            u->shapes = (enum control_shapes)i;
    struct fl_buf saves = {0};
    int bad = xml_text(f, n, &saves, err);
    fl_buf_add(&saves, "", 1);
    u->saves = (char *)saves.data;
    u->text = bad ? NULL : read_text(root, xml_attr(n, "file"), err);
    return u->text ? 0 : -1;
}

int control_library_load(const char *root, struct control_library **out, struct fl_err *err)
{
    struct control_library *lib = fl_alloc(sizeof *lib);
    char *path = fl_format("%s/sbst/control.xml", root);
    struct xml_file f = {0};
    int bad = xml_read(path, "control", "docs/sbst-control.rng", &f, err);
    if (!bad) {
        xmlNode *top = xmlDocGetRootElement(f.doc);
        lib->common = read_text(root, xml_attr(top, "common"), err);
        bad = !lib->common;
        for (xmlNode *n = xml_first(top); n && !bad; n = xml_next(n))
            bad = read_unit(lib, root, &f, n, err);
        xml_close(&f);
    }
    free(path);
    if (bad) {
        control_library_free(lib);
        lib = NULL;
    }
    *out = lib;
    return lib ? 0 : -1;
}

void control_library_free(struct control_library *lib)
{
    for (int i = 0; lib && i < lib->nunits; i++) {
        free(lib->unit[i].name);
        free(lib->unit[i].title);
        free(lib->unit[i].saves);
        free(lib->unit[i].instead);
        free(lib->unit[i].cache);
        free(lib->unit[i].text);
    }
    if (lib) {
        free(lib->unit);
        free(lib->common);
    }
    free(lib);
}
