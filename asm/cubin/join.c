/* join.c -- several cubins as one: all that a machine holds. Kernels, variables and constants of the later ones have the name of their
 * module in front, so each name is one thing's; constant memory stays apart, module by module.
 */
#include "cubin.h"

#include <stdlib.h>
#include <string.h>

static char *in_module(const char *module, char *name)
{
    char *joined = name ? fl_format("%s.%s", module, name) : NULL;
    free(name);
    return joined;
}

static bool is_empty(const struct cubin *c)
{
    return c->nkernels == 0 && c->nmodules == 0 && c->nvariables == 0 && c->const0_size == 0;
}

static int check(const struct cubin *into, const struct cubin *c, const char *name,
                 struct fl_err *err)
{
    if (into->nkernels + c->nkernels > CUBIN_MAX_KERNELS)
        return fl_fail(err, "module %s: with its %d kernels there are more than %d", name,
                       c->nkernels, CUBIN_MAX_KERNELS);
    if (c->ntextures)
        return fl_fail(err,
                       "module %s: has texture reference '%.100s', and only the first cubin may "
                       "have some; load it first",
                       name, c->texture[0].name);
    for (int i = 0; i < into->nmodules; i++)
        if (strcmp(into->module[i].name, name) == 0)
            return fl_fail(err, "module %s: a second one of that name; rename one of them", name);
    return 0;
}

static void take_kernels(struct cubin *into, struct cubin *c, const char *name)
{
    into->kernel = fl_grow(into->kernel, (size_t)(into->nkernels + c->nkernels),
                           sizeof *into->kernel);
    for (int i = 0; i < c->nkernels; i++) {
        struct cubin_kernel *k = &into->kernel[into->nkernels++];
        *k = c->kernel[i];
        k->module = into->nmodules + 1;
        k->name = in_module(name, k->name);
        k->mangled = in_module(name, k->mangled);
        for (int l = 0; l < k->nlines; l++)
            k->line[l].source += into->nsources;
    }
    c->nkernels = 0;
}

static void take_names(struct cubin *into, struct cubin *c, const char *name)
{
    into->variable = fl_grow(into->variable, (size_t)(into->nvariables + c->nvariables + 1),
                             sizeof *into->variable);
    for (int i = 0; i < c->nvariables; i++) {
        struct cubin_variable *v = &into->variable[into->nvariables++];
        *v = c->variable[i];
        v->name = in_module(name, v->name);
    }
    into->constant = fl_grow(into->constant, (size_t)(into->nconstants + c->nconstants + 1),
                             sizeof *into->constant);
    for (int i = 0; i < c->nconstants; i++) {
        struct cubin_constant *k = &into->constant[into->nconstants++];
        *k = c->constant[i];
        k->name = in_module(name, k->name);
        k->module = into->nmodules + 1;
    }
    into->source = fl_grow(into->source, (size_t)(into->nsources + c->nsources + 1),
                           sizeof *into->source);
    for (int i = 0; i < c->nsources; i++)
        into->source[into->nsources++] = c->source[i];
    c->nvariables = c->nconstants = c->nsources = 0;
}

int cubin_join(struct cubin *into, struct cubin *c, const char *name, struct fl_err *err)
{
    int bad = is_empty(into) ? 0 : check(into, c, name, err);
    if (!bad && is_empty(into)) {
        struct cubin empty = *into;
        *into = *c;
        *c = empty;
    } else if (!bad) {
        struct cubin_module m = {.name = fl_strdup(name),
                                 .const0 = c->const0,
                                 .const0_size = c->const0_size,
                                 .address = c->address,
                                 .naddresses = c->naddresses};
        for (int i = 0; i < m.naddresses; i++)
            m.address[i].variable += into->nvariables;
        c->const0 = NULL;
        c->address = NULL;
        c->naddresses = 0;
        take_kernels(into, c, name);
        take_names(into, c, name);
        into->wide_code |= c->wide_code;
        into->module = fl_grow(into->module, (size_t)into->nmodules + 1, sizeof *into->module);
        into->module[into->nmodules++] = m;
    }
    cubin_free(c);
    return bad;
}

struct cubin_module cubin_module(const struct cubin *c, int number)
{
    if (number)
        return c->module[number - 1];
    return (struct cubin_module){.const0 = c->const0,
                                 .const0_size = c->const0_size,
                                 .address = c->address,
                                 .naddresses = c->naddresses};
}

int cubin_find_module(const struct cubin *c, const char *name)
{
    for (int i = 0; i < c->nmodules; i++)
        if (strcmp(c->module[i].name, name) == 0)
            return i + 1;
    return -1;
}
