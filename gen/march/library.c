/* library.c -- sbst/march.xml and sbst/units.xml, checked against their schemas, and what a schema
 * cannot say: names that refer to something. */
#include "march.h"

#include <stdlib.h>
#include <string.h>

#include "base/xml.h"

static char *text_of(const xmlNode *n, const char *attribute)
{
    const char *s = xml_attr(n, attribute);
    return s ? fl_strdup(s) : NULL;
}

const struct march *march_find(const struct march_library *lib, const char *name)
{
    for (int i = 0; i < lib->nmarches; i++)
        if (strcmp(lib->march[i].name, name) == 0)
            return &lib->march[i];
    return NULL;
}

const struct march_unit *march_unit_find(const struct march_library *lib, const char *name)
{
    for (int i = 0; i < lib->nunits; i++)
        if (fl_same_name(lib->unit[i].name, name))
            return &lib->unit[i];
    return NULL;
}

static int read_marches(struct march_library *lib, const struct xml_file *f, struct fl_err *err)
{
    for (xmlNode *n = xml_first(xmlDocGetRootElement(f->doc)); n; n = xml_next(n)) {
        struct fl_buf text = {0};
        struct fl_err why = {0};
        if (march_find(lib, xml_attr(n, "name")))
            return xml_fail(f, n, err, "a second march '%s'", xml_attr(n, "name"));
        lib->march = fl_grow(lib->march, (size_t)lib->nmarches + 1, sizeof *lib->march);
        struct march *m = &lib->march[lib->nmarches++];
        *m = (struct march){.name = text_of(n, "name"),
                            .file = text_of(n, "file"),
                            .title = text_of(n, "title"),
                            .pass = !xml_attr(n, "file")};
        int bad = xml_text(f, n, &text, err);
        if (!bad) {
            fl_buf_add(&text, "", 1);
            bad = march_parse((char *)text.data, m, &why);
            if (bad)
                xml_fail(f, n, err, "march '%s': %s", m->name, why.msg);
        }
        fl_buf_free(&text);
        if (bad)
            return -1;
    }
    return 0;
}

static int data_find(const struct march_unit *u, const char *name)
{
    for (int i = 0; i < u->ndata; i++)
        if (strcmp(u->data[i].name, name) == 0)
            return i;
    return -1;
}

static int read_data(struct march_unit *u, const struct xml_file *f, xmlNode *n, char *text,
                     struct fl_err *err)
{
    uint32_t flag = 0;
    if (u->ndata == MARCH_MAX_DATA || data_find(u, xml_attr(n, "name")) >= 0)
        return xml_fail(f, n, err, "data '%s' are there already, or %d others", xml_attr(n, "name"),
                        MARCH_MAX_DATA);
    xml_attr_u32(f, n, "flag", 0, 3, &flag, err); /* the schema has seen that it is one */
    u->data[u->ndata++] = (struct march_data){.name = text_of(n, "name"),
                                              .value = {text_of(n, "zero"), text_of(n, "one")},
                                              .setup = text ? fl_strdup(text) : NULL,
                                              .flag = (int)flag,
                                              .plain = xml_attr(n, "plain")};
    return 0;
}

static bool has_value(const struct march_data *d, int value)
{
    return value < 0 || d->value[value];
}

static int read_pass(const struct march_library *lib, struct march_unit *u,
                     const struct xml_file *f, xmlNode *n, struct fl_err *err)
{
    const char *name = xml_attr(n, "march");
    const struct march *m = name ? march_find(lib, name) : NULL;
    int data = data_find(u, xml_attr(n, "data"));
    if (u->npasses == MARCH_MAX_PASSES)
        return xml_fail(f, n, err, "more than %d passes", MARCH_MAX_PASSES);
    if (data < 0)
        return xml_fail(f, n, err, "no <data> is called '%s'", xml_attr(n, "data"));
    if (name && !m)
        return xml_fail(f, n, err, "march.xml has no march '%s'", name);
    bool both = !m;
    for (int i = 0; m && i < m->nelements; i++)
        for (int j = 0; j < m->element[i].nsteps; j++)
            both |= m->element[i].step[j].kind == MARCH_INVERT || m->element[i].step[j].value;
    if (both && !has_value(&u->data[data], 1))
        return xml_fail(f, n, err, "data '%s' have no one=, which this march writes",
                        u->data[data].name);
    if (!m && !u->data[data].plain)
        return xml_fail(f, n, err, "the march that is asked for runs on plain data; say march=");
    u->pass[u->npasses++] = (struct march_pass){name ? fl_strdup(name) : NULL, data};
    return 0;
}

static int read_part(const struct march_library *lib, struct march_unit *u,
                     const struct xml_file *f, xmlNode *n, char *text, struct fl_err *err)
{
    const struct {
        const char *name;
        char **to;
    } parts[] = {{"constants", &u->constants}, {"begin", &u->begin},   {"end", &u->end},
                 {"write", &u->write},         {"read", &u->read},     {"invert", &u->invert},
                 {"turn0", &u->turn[0]},       {"turn1", &u->turn[1]}, {"saves", &u->saves},
                 {"fetch", &u->fetch}};
    if (xml_is(n, "data"))
        return read_data(u, f, n, text, err);
    if (xml_is(n, "pass"))
        return read_pass(lib, u, f, n, err);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (xml_is(n, parts[i].name)) {
            if (*parts[i].to)
                return xml_fail(f, n, err, "a second <%s>", parts[i].name);
            *parts[i].to = fl_strdup(text);
            if (parts[i].to == &u->fetch)
                u->through = text_of(n, "through");
        }
    return 0;
}

static int read_unit(struct march_library *lib, const struct xml_file *f, xmlNode *n,
                     struct fl_err *err)
{
    static const char *const fills[] = {"registers", "shared", "warps"};
    if (march_unit_find(lib, xml_attr(n, "name")))
        return xml_fail(f, n, err, "a second unit '%s'", xml_attr(n, "name"));
    lib->unit = fl_grow(lib->unit, (size_t)lib->nunits + 1, sizeof *lib->unit);
    struct march_unit *u = &lib->unit[lib->nunits++];
    *u = (struct march_unit){
        .name = text_of(n, "name"), .title = text_of(n, "title"), .follows = text_of(n, "follows")};
    if (u->follows && march_unit_find(lib, u->follows) == NULL)
        return xml_fail(f, n, err, "no unit before it is called '%s'", u->follows);
    for (int i = 0; i < 3; i++)
        if (strcmp(xml_attr(n, "fills"), fills[i]) == 0)
            u->fills = (enum march_fills)i;
    uint32_t cells = 0, least = 1, most = 123, regs = 0;
    if (xml_attr_u32(f, n, "cells", 0, 512, &cells, err) != 0 ||
        xml_attr_u32(f, n, "least", 1, 512, &least, err) != 0 ||
        xml_attr_u32(f, n, "most", least, 512, &most, err) != 0 ||
        xml_attr_u32(f, n, "regs", 0, 124, &regs, err) != 0 ||
        xml_attr_u32(f, n, "expect", 0, UINT32_MAX, &u->expect, err) != 0)
        return -1;
    u->cells = (int)cells;
    u->least = (int)least;
    u->most = (int)most;
    u->regs = (int)regs;
    for (xmlNode *part = xml_first(n); part; part = xml_next(part)) {
        struct fl_buf text = {0};
        int bad = xml_text(f, part, &text, err);
        fl_buf_add(&text, "", 1);
        char *s = (char *)text.data;
        bad = bad || read_part(lib, u, f, part, s[strspn(s, " \t\r\n")] ? s : NULL, err) != 0;
        fl_buf_free(&text);
        if (bad)
            return -1;
    }
    return 0;
}

static int read_units(struct march_library *lib, const struct xml_file *f, struct fl_err *err)
{
    for (xmlNode *n = xml_first(xmlDocGetRootElement(f->doc)); n; n = xml_next(n))
        if (read_unit(lib, f, n, err) != 0)
            return -1;
    return 0;
}

static int read_file(struct march_library *lib, const char *root, const char *name,
                     const char *element, const char *schema,
                     int (*read)(struct march_library *, const struct xml_file *, struct fl_err *),
                     struct fl_err *err)
{
    char *path = fl_format("%s/sbst/%s", root, name);
    struct xml_file f = {0};
    int bad = xml_read(path, element, schema, &f, err);
    if (!bad) {
        bad = read(lib, &f, err);
        xml_close(&f);
    }
    free(path);
    return bad;
}

int march_library_load(const char *root, struct march_library **out, struct fl_err *err)
{
    *out = fl_alloc(sizeof **out);
    if (read_file(*out, root, "march.xml", "marches", "docs/sbst-march.rng", read_marches, err) ||
        read_file(*out, root, "units.xml", "units", "docs/sbst-units.rng", read_units, err)) {
        march_library_free(*out);
        *out = NULL;
        return -1;
    }
    return 0;
}

static void free_unit(struct march_unit *u)
{
    char *text[] = {u->follows, u->name, u->title,  u->saves,   u->constants, u->begin, u->end,
                    u->write,   u->read, u->invert, u->turn[0], u->turn[1],   u->fetch, u->through};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        free(text[i]);
    for (int i = 0; i < u->ndata; i++) {
        free(u->data[i].name);
        free(u->data[i].value[0]);
        free(u->data[i].value[1]);
        free(u->data[i].setup);
    }
    for (int i = 0; i < u->npasses; i++)
        free(u->pass[i].march);
}

void march_library_free(struct march_library *lib)
{
    if (!lib)
        return;
    for (int i = 0; i < lib->nmarches; i++) {
        free(lib->march[i].name);
        free(lib->march[i].file);
        free(lib->march[i].title);
    }
    for (int i = 0; i < lib->nunits; i++)
        free_unit(&lib->unit[i]);
    free(lib->march);
    free(lib->unit);
    free(lib);
}
