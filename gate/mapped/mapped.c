/* mapped.c -- from files to a netlist. See mapped.h. */
#include "mapped.h"

#include <stdlib.h>
#include <string.h>

#include "flat.h"

bool gate_is_verilog(const char *path)
{
    static const char *const ending[] = {".v", ".vg", ".vm", ".vo", ".sv"};
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        size_t k = strlen(ending[i]);
        if (n > k && strcmp(path + n - k, ending[i]) == 0)
            return true;
    }
    return false;
}

int gate_read_verilog(const char *path, const char *text, const struct gate_how *how,
                      const char *const *liberty, struct gate_netlist **out, struct fl_err *err)
{
    struct gate_build b = {.path = path};
    struct flat f = {.path = path, .how = how, .err = err};
    int bad = 0;
    for (uint32_t i = 0; i < how->liberties && !bad; i++)
        bad = liberty_add(&f.l, how->liberty[i], liberty[i], err);
    if (bad || verilog_read(&f.v, path, text, &f.l, err) || flat_make(&f) || flat_clocks(&f) ||
        flat_to_gates(&f, &b) || gate_build_end(&b, out, err))
        bad = -1;
    flat_free(&f);
    gate_build_free(&b);
    return bad;
}

int gate_read_with(const char *path, const struct gate_how *how, struct gate_netlist **out,
                   struct fl_err *err)
{
    if (!gate_is_verilog(path)) {
        if (how->liberties)
            return fl_fail(err,
                           "%s: --liberty belongs to a Verilog netlist, whose name ends in .v, "
                           ".vg, .vm, .vo or .sv; rename the file, or leave --liberty out",
                           path);
        return gate_read(path, out, err);
    }
    struct fl_buf text = {0}, *library = fl_alloc(how->liberties * sizeof *library);
    const char **liberty = fl_alloc(how->liberties * sizeof *liberty);
    int bad = fl_read_text(path, &text, err);
    for (uint32_t i = 0; i < how->liberties && !bad; i++) {
        bad = fl_read_text(how->liberty[i], &library[i], err);
        liberty[i] = (const char *)library[i].data;
    }
    if (!bad)
        bad = gate_read_verilog(path, (const char *)text.data, how, liberty, out, err);
    for (uint32_t i = 0; i < how->liberties; i++)
        fl_buf_free(&library[i]);
    free(library);
    free(liberty);
    fl_buf_free(&text);
    return bad;
}
