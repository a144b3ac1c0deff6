/* library.c -- the routines: sbst/manifest.xml, checked against its schema, and the macro files
 * beside it.
 *
 * The schema says what a row looks like; what it cannot say is checked here: names that refer to
 * something, one macro of the right name with the right parameters in each file. The costs are
 * checked later, against assembled code.
 */
#include "sbst.h"

#include <errno.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/xml.h"

static bool is(const xmlNode *n, const char *name)
{
    return n->type == XML_ELEMENT_NODE && strcmp((const char *)n->name, name) == 0;
}

static char *text_of(xmlNode *n, const char *attribute)
{
    xmlChar *s = xmlGetProp(n, (const xmlChar *)attribute);
    char *copy = s ? fl_strdup((const char *)s) : NULL;
    xmlFree(s);
    return copy;
}

static int number_of(xmlNode *n, const char *attribute) /* the schema has seen that it is one */
{
    char *s = text_of(n, attribute);
    int value = s ? atoi(s) : 0;
    free(s);
    return value;
}

/* The index of the attribute's value in names[], or -1. */
static int choice_of(xmlNode *n, const char *attribute, const char *const *names, int count)
{
    static const char blanks[] = " \t\r\n"; /* around the word the schema does not mind them */
    char *s = text_of(n, attribute), *word = s ? s + strspn(s, blanks) : NULL;
    int found = -1;
    if (word)
        word[strcspn(word, blanks)] = 0;
    for (int i = 0; word && i < count; i++)
        if (strcmp(word, names[i]) == 0)
            found = i;
    free(s);
    return found;
}

int sbst_routine_find(const struct sbst_library *lib, const char *name, const char *target)
{
    int plain = -1;
    for (int i = 0; i < lib->nroutines; i++) {
        const struct sbst_routine *r = &lib->routine[i];
        if (strcmp(r->name, name) != 0)
            continue;
        if (!r->target)
            plain = i;
        else if (target && strcmp(r->target, target) == 0)
            return i;
    }
    return plain;
}

static int param_find(const struct sbst_routine *r, const char *name)
{
    for (int i = 0; i < r->nparams; i++)
        if (strcmp(r->param[i].name, name) == 0)
            return i;
    return -1;
}

/* A list of register names as a set of bits. */
static int read_registers(const struct sbst_library *lib, xmlNode *n, const char *attribute,
                          const char *path, uint64_t *set, struct fl_err *err)
{
    char *list = text_of(n, attribute), *state = NULL;
    int bad = 0;
    for (char *word = list ? strtok_r(list, " \t\r\n", &state) : NULL; word && !bad;
         word = strtok_r(NULL, " \t\r\n", &state)) {
        int found = -1;
        for (int i = 0; i < lib->nregs; i++)
            if (strcmp(lib->reg[i].name, word) == 0)
                found = i;
        if (found < 0)
            bad = fl_fail(
                err, "%s:%ld: no <register> is called '%s'; declare it at the top of the manifest",
                path, xmlGetLineNo(n), word);
        else
            *set |= (uint64_t)1 << found;
    }
    free(list);
    return bad;
}

static bool names_threads(enum sbst_type type)
{
    return type == SBST_THREAD || type == SBST_LOWER || type == SBST_UPPER;
}

static int read_effect(struct sbst_routine *r, xmlNode *n, const char *path, struct fl_err *err)
{
    static const char *const kinds[] = {"seed",  "update", "expect", "store", "leave",
                                        "split", "swap",   "merge",  "load"};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    static const char *const forms[] = {"low", "add"};
    static const char *const signatures[] = {"sig", "chk"};
    static const char *const threads[] = {"all", "one", "others"};
    if (r->neffects == SBST_MAX_EFFECTS)
        return fl_fail(err, "%s:%ld: routine '%s' has more than %d effects; split it in two", path,
                       xmlGetLineNo(n), r->name, SBST_MAX_EFFECTS);
    struct sbst_effect *e = &r->effect[r->neffects++];
    for (int i = 0; i < KINDS; i++)
        if (is(n, kinds[i]))
            e->kind = (enum sbst_effect_kind)i;
    e->param = -1;
    e->times = -1;
    int signature = choice_of(n, "signature", signatures, 2);
    e->form = (enum sbst_form)(choice_of(n, "form", forms, 2) + 1);
    e->signature = signature < 0 ? SBST_SIGNATURES : (enum sbst_signature)signature;
    if (e->kind == SBST_STORE || e->kind == SBST_LEAVE || e->kind == SBST_UPDATE ||
        e->kind == SBST_SPLIT)
        e->threads = (enum sbst_threads)choice_of(n, "threads", threads, 3);
    if (e->kind == SBST_SEED || e->kind == SBST_UPDATE || e->kind == SBST_EXPECT) {
        char *name = text_of(n, "param");
        e->param = param_find(r, name);
        bool good = e->param >= 0 &&
                    (r->param[e->param].type == SBST_U32 || r->param[e->param].type == SBST_CONST);
        if (!good)
            fl_fail(err, "%s:%ld: routine '%s' has no u32 parameter '%s'; declare it with <param>",
                    path, xmlGetLineNo(n), r->name, name);
        free(name);
        if (!good)
            return -1;
    }
    char *times = text_of(n, "times");
    if (times) {
        e->times = param_find(r, times);
        bool good = e->times >= 0 && r->param[e->times].type == SBST_COUNT;
        if (!good)
            fl_fail(err, "%s:%ld: routine '%s' has no count '%s'; declare it with <param>", path,
                    xmlGetLineNo(n), r->name, times);
        free(times);
        if (!good)
            return -1;
    }
    char *plus = text_of(n, "plus");
    e->plus_thread = plus != NULL;
    free(plus);
    if (e->threads != SBST_ALL) {
        int threads_named = 0;
        for (int i = 0; i < r->nparams; i++)
            threads_named += names_threads(r->param[i].type);
        if (threads_named != 1)
            return fl_fail(err,
                           "%s:%ld: threads='%s' in routine '%s' needs exactly one parameter of "
                           "type thread, lower or upper, there "
                           "are %d",
                           path, xmlGetLineNo(n), threads[e->threads], r->name, threads_named);
    }
    return 0;
}

/* The .macro line must be the one that the manifest describes: arguments are passed by position. */
static int check_macro(const struct sbst_routine *r, const char *path, struct fl_err *err)
{
    struct fl_buf want = {0};
    fl_buf_printf(&want, ".macro sbst_%s", r->name);
    for (int i = 0; i < r->nparams; i++)
        fl_buf_printf(&want, "%s%s", i ? ", " : " ", r->param[i].name);
    const char *line = r->text;
    bool found = false;
    while (line && !found) {
        found = strncmp(line, (char *)want.data, want.size) == 0 &&
                (line[want.size] == '\n' || !line[want.size]);
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (!found)
        fl_fail(err,
                "%s: has no line '%s', which is what the manifest promises; make the two agree",
                path, (char *)want.data);
    fl_buf_free(&want);
    return found ? 0 : -1;
}

static void read_stack(struct sbst_cost *cost, xmlNode *n)
{
    cost->pushes = number_of(n, "pushes");
    cost->pops = number_of(n, "pops");
    cost->depth = number_of(n, "depth");
}

static void read_cost(struct sbst_cost *cost, xmlNode *n)
{
    cost->instructions = number_of(n, "instructions");
    cost->bytes = number_of(n, "bytes");
    cost->executed = number_of(n, "executed");
    cost->waits = number_of(n, "waits");
}

static int read_routine(struct sbst_library *lib, xmlNode *n, const char *path, struct fl_err *err)
{
    static const char *const types[] = {"u32",   "thread", "label", "register",
                                        "count", "lower",  "upper", "const"};
    char *name = text_of(n, "name"), *target = text_of(n, "target");
    int other = sbst_routine_find(lib, name, target);
    bool twice = other >= 0 && !lib->routine[other].target == !target;
    lib->routine = fl_grow(lib->routine, (size_t)lib->nroutines + 1, sizeof *lib->routine);
    struct sbst_routine *r = &lib->routine[lib->nroutines++];
    *r = (struct sbst_routine){.name = name,
                               .target = target,
                               .title = text_of(n, "title"),
                               .file = text_of(n, "file"),
                               .count = -1};
    if (twice)
        return fl_fail(err, "%s:%ld: a second routine '%s'; give it another name", path,
                       xmlGetLineNo(n), name);

    for (xmlNode *c = n->children; c; c = c->next) {
        if (c->type != XML_ELEMENT_NODE)
            continue;
        if (is(c, "uses")) {
            char *used = text_of(c, "routine");
            int index = sbst_routine_find(lib, used, NULL);
            bool good = index >= 0 && index < lib->nroutines - 1 && r->nuses < SBST_MAX_USES;
            if (good)
                r->uses[r->nuses++] = index;
            else
                fl_fail(err,
                        "%s:%ld: routine '%s' uses '%s', which must be described above it (at most "
                        "%d uses)",
                        path, xmlGetLineNo(c), name, used, SBST_MAX_USES);
            free(used);
            if (!good)
                return -1;
        } else if (is(c, "param")) {
            if (r->nparams == SBST_MAX_PARAMS)
                return fl_fail(err,
                               "%s:%ld: routine '%s' has more than %d parameters; split it in two",
                               path, xmlGetLineNo(c), name, SBST_MAX_PARAMS);
            r->param[r->nparams++] = (struct sbst_param){
                text_of(c, "name"), (enum sbst_type)choice_of(c, "type", types, 8)};
            if (r->param[r->nparams - 1].type == SBST_COUNT)
                r->count = r->nparams - 1;
        } else if (is(c, "registers")) {
            if (read_registers(lib, c, "needs", path, &r->needs, err) != 0 ||
                read_registers(lib, c, "writes", path, &r->writes, err) != 0)
                return -1;
        } else if (is(c, "stack")) {
            read_stack(&r->once, c);
        } else if (is(c, "cost")) {
            read_cost(&r->once, c);
        } else if (is(c, "each")) {
            if (r->count < 0)
                return fl_fail(err,
                               "%s:%ld: <each> in routine '%s' needs a parameter of type count",
                               path, xmlGetLineNo(c), name);
            read_stack(&r->each, c);
            read_cost(&r->each, c);
        } else if (read_effect(r, c, path, err) != 0) {
            return -1;
        }
    }

    char *file = fl_path_beside(path, r->file);
    struct fl_buf text = {0};
    int bad = fl_read_text(file, &text, err);
    if (!bad) {
        r->text = (char *)text.data; /* fl_read_file ends it with a zero byte */
        bad = check_macro(r, file, err);
    }
    free(file);
    return bad;
}

static int read_library(struct sbst_library *lib, xmlDoc *doc, const char *path, struct fl_err *err)
{
    for (xmlNode *n = xmlDocGetRootElement(doc)->children; n; n = n->next) {
        if (is(n, "register")) {
            if (lib->nregs == 64)
                return fl_fail(err, "%s:%ld: more than 64 registers", path, xmlGetLineNo(n));
            lib->reg = fl_grow(lib->reg, (size_t)lib->nregs + 1, sizeof *lib->reg);
            lib->reg[lib->nregs++] = (struct sbst_register){text_of(n, "name"), text_of(n, "holds"),
                                                            number_of(n, "number")};
        } else if (is(n, "routine") && read_routine(lib, n, path, err) != 0) {
            return -1;
        }
    }
    return 0;
}

int sbst_library_load(const char *root, struct sbst_library **out, struct fl_err *err)
{
    char *path = fl_format("%s/sbst/manifest.xml", root);
    struct sbst_library *lib = fl_alloc(sizeof *lib);
    struct xml_file f = {0};
    int bad = -1;
    if (access(path, R_OK) != 0)
        fl_fail(err,
                "%s: cannot read the self-test routines: %s; FAULTLINE_DATA names the folder that "
                "holds sbst/",
                path, strerror(errno));
    else if (xml_read(path, "sbst", "docs/sbst-manifest.rng", &f, err) == 0)
        bad = read_library(lib, f.doc, path, err);
    xml_close(&f);
    free(path);
    if (bad) {
        sbst_library_free(lib);
        return -1;
    }
    *out = lib;
    return 0;
}

void sbst_library_free(struct sbst_library *lib)
{
    if (!lib)
        return;
    for (int i = 0; i < lib->nregs; i++) {
        free(lib->reg[i].name);
        free(lib->reg[i].holds);
    }
    for (int i = 0; i < lib->nroutines; i++) {
        struct sbst_routine *r = &lib->routine[i];
        for (int j = 0; j < r->nparams; j++)
            free(r->param[j].name);
        free(r->name);
        free(r->target);
        free(r->title);
        free(r->file);
        free(r->text);
    }
    free(lib->reg);
    free(lib->routine);
    free(lib);
}
