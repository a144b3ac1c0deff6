/* read.c -- fault lists of other tools. See lists.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lists.h"

struct reader {
    const char *path;
    const struct gate_netlist *n;
    const struct gate_faults *f;
    enum gate_form form;
    uint32_t line, names, open; /* open: braces of Z01X */
    struct dotted *dotted;      /* of Z01X, sorted */
    char *prefix;               /* of all names, once the first has been found */
    bool *wanted;
    struct fl_err *err;
};

#define fail(r, ...) fl_fail_at((r)->err, (r)->path, (r)->line, __VA_ARGS__)

/* ---- names ----------------------------------------------------------------------------------- */

static bool find(const struct reader *r, const char *name, int value, uint32_t *fault)
{
    static const char *const word[2][2] = {{"sa0", "sa1"}, {"str", "stf"}};
    struct fl_err none;
    if (r->n->places) {
        uint32_t place = gate_find_place(r->n, name);
        if (place != GATE_NO_PLACE)
            *fault = r->n->place[place].fault[value];
        return place != GATE_NO_PLACE;
    }
    char *id = fl_format("%s:%s", name, word[r->f->model][value]);
    int bad = gate_fault_parse(r->n, r->f->model, id, fault, &none);
    free(id);
    return bad == 0;
}

/* A name as Z01X has it: levels have dots between them. */
struct dotted {
    char *name;
    uint32_t place;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct dotted *)a)->name, ((const struct dotted *)b)->name);
}

static void dot_names(struct reader *r)
{
    r->dotted = fl_alloc(r->n->places * sizeof *r->dotted);
    for (uint32_t k = 0; k < r->n->places; k++) {
        r->dotted[k] = (struct dotted){fl_strdup(r->n->place[k].name), k};
        for (char *c = r->dotted[k].name; *c; c++)
            *c = *c == '/' ? '.' : *c;
    }
    qsort(r->dotted, r->n->places, sizeof *r->dotted, by_name);
}

static bool find_path(const struct reader *r, char *name, int value, uint32_t *fault)
{
    if (!r->dotted)
        return find(r, name, value, fault);
    const struct dotted *d = bsearch(&(struct dotted){.name = name}, r->dotted, r->n->places,
                                     sizeof *r->dotted, by_name);
    if (d)
        *fault = r->n->place[d->place].fault[value];
    return d != NULL;
}

/* A name, with the path of the netlist before it, which the first name of the list shows. */
static int take(struct reader *r, const char *text, size_t length, int value)
{
    char *name = fl_format("%.*s", (int)length, text);
    uint32_t fault = 0;
    bool known = false;
    if (r->prefix) {
        size_t n = strlen(r->prefix);
        known = strncmp(name, r->prefix, n) == 0 && find_path(r, name + n, value, &fault);
    } else {
        const char *at = name + (*name == '/');
        for (int level = 0; at && !known && level < 20; level++) {
            char *rest = fl_strdup(at);
            known = find_path(r, rest, value, &fault);
            free(rest);
            if (known)
                r->prefix = fl_format("%.*s", (int)(at - name), name);
            at = strpbrk(at, r->form == GATE_FORM_Z01X ? "." : "/");
            at = at ? at + 1 : NULL;
        }
    }
    int bad = 0;
    if (!known)
        bad = fail(r, "'%.300s' is no place of %s%s%.100s%s; it is no list of this netlist", name,
                   r->n->file, r->prefix && *r->prefix ? " behind the path '" : "",
                   r->prefix ? r->prefix : "", r->prefix && *r->prefix ? "'" : "");
    else if (r->f->class_of[fault] != UINT32_MAX)
        r->wanted[r->f->class_of[fault]] = true;
    r->names++;
    free(name);
    return bad;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static const char *blanks(const char *at)
{
    return at + strspn(at, " \t\r");
}

static size_t word_length(const char *at)
{
    return strcspn(at, " \t\r\n");
}

/* What a word says of a fault of this model: 0, 1, or -1. */
static int value_of(const struct reader *r, const char *at, size_t length)
{
    static const char *const word[2][6] = {{"sa0", "sa1", "0", "1", "0", "1"},
                                           {"str", "stf", "0", "1", "R", "F"}};
    int from = r->form == GATE_FORM_TETRAMAX ? 0 : r->form == GATE_FORM_FASTSCAN ? 2 : 4;
    for (int v = 0; v < 2; v++)
        if (strlen(word[r->f->model][from + v]) == length &&
            strncmp(at, word[r->f->model][from + v], length) == 0)
            return v;
    return -1;
}

/* The classes of the two tools that have fixed ones; Tessent's may have a subclass behind a dot. */
static bool is_class(const struct reader *r, const char *at, size_t length)
{
    static const char *const known[GATE_FORMS] = {
        [GATE_FORM_TETRAMAX] = "-- DT DR DS DI D2 TP PT AP NP P0 P1 UD UU UO UT UB UR AU AN AX ND "
                               "NC NO ",
        [GATE_FORM_FASTSCAN] = "-- EQ DT DS DI DR DF PD PT PU OS OT OU HY HT HU UD UC UO AU UT UU "
                               "TI BL RE "};
    const char *dot = r->form == GATE_FORM_FASTSCAN ? memchr(at, '.', length) : NULL;
    char code[4] = "";
    if ((dot ? (size_t)(dot - at) : length) != 2)
        return false;
    snprintf(code, sizeof code, "%.2s ", at);
    return strstr(known[r->form], code) != NULL;
}

/* ` sa0   DS   U1/A`, `  0    DS    /U1/A`; more may follow. Heads of tables are passed over. */
static int read_columns(struct reader *r, const char *line)
{
    const char *type = blanks(line), *class, *name;
    size_t n = word_length(type);
    if (!n || *type == '-' || strncmp(type, "//", 2) == 0 || (n == 4 && !strncmp(type, "type", 4)))
        return 0;
    int value = value_of(r, type, n);
    class = blanks(type + n);
    name = blanks(class + word_length(class));
    if (value < 0)
        return fail(r, "'%.*s' is no %s fault of %s", n < 40 ? (int)n : 40, type,
                    gate_model_name[r->f->model], gate_form_name[r->form]);
    if (!word_length(class) || !word_length(name))
        return fail(r, "a line has a type, a class and a name");
    if (!is_class(r, class, word_length(class)))
        return fail(
            r, "'%.*s' is no class of %s; correct it (each known one will do: it is not used)",
            word_length(class) < 40 ? (int)word_length(class) : 40, class, gate_form_name[r->form]);
    return take(r, name, word_length(name), value);
}

/* `<  1> ON 0 {PORT "a.b.ZN"}(* ... *)` and `-- 1 {PORT "..."}`; other lines (FaultList, groups, braces) say nothing. */
static int read_z01x(struct reader *r, const char *line)
{
    const char *at = blanks(line), *port = strstr(line, "PORT"), *quote;
    bool text = false;
    for (const char *c = line; *c; c++) {
        text ^= *c == '"';
        r->open += !text && *c == '{';
        r->open -= !text && *c == '}' && r->open;
    }
    if (!port)
        return 0;
    quote = strchr(port, '"');
    const char *end = quote ? strchr(quote + 1, '"') : NULL, *brace = strchr(at, '{');
    if (!end || !brace || brace > port)
        return fail(r, "a fault is written as ON 0 {PORT \"top.U1.A\"}");
    const char *stop = brace;
    while (stop > at && strchr(" \t", stop[-1]))
        stop--;
    const char *type = stop;
    while (type > at && !strchr(" \t", type[-1]))
        type--;
    if (stop - type == 1 && *type == '~')
        return fail(r, "bit flips (~) are no faults of a netlist; leave them out");
    int value = value_of(r, type, (size_t)(stop - type));
    if (value < 0)
        return fail(r, "'%.*s' is no %s fault; write 0 or 1, for transition faults R or F",
                    (int)(stop - type) < 40 ? (int)(stop - type) : 40, type,
                    gate_model_name[r->f->model]);
    return take(r, quote + 1, (size_t)(end - quote - 1), value);
}

/* The form of a list by its first line that has a fault. */
static int find_form(const char *text, enum gate_form *form)
{
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *w = blanks(at);
        size_t n = word_length(w);
        if (strncmp(w, "# netlist", 9) == 0) {
            *form = GATE_FORM_OWN;
        } else if (n == 3 && (!strncmp(w, "sa", 2) || !strncmp(w, "st", 2))) {
            *form = GATE_FORM_TETRAMAX;
        } else if (n == 1 && strchr("01", *w) && isalpha((unsigned char)*blanks(w + 1))) {
            *form = GATE_FORM_FASTSCAN;
        } else if (memchr(at, '{', strcspn(at, "\n")) &&
                   (strncmp(w, "Fault", 5) == 0 || strstr(at, "PORT"))) {
            *form = GATE_FORM_Z01X;
        } else {
            continue;
        }
        return 0;
    }
    return -1;
}

int gate_lists_read(const char *path, const struct gate_netlist *n, const struct gate_faults *f,
                    enum gate_form *form, struct gate_faults **out, struct fl_err *err)
{
    struct fl_buf text = {0};
    if (fl_read_text(path, &text, err))
        return -1;
    /* what no other tool writes is ours, with our messages */
    if (find_form((const char *)text.data, form) != 0 || *form == GATE_FORM_OWN) {
        *form = GATE_FORM_OWN;
        fl_buf_free(&text);
        return gate_faults_read(path, n, f, out, err);
    }
    struct reader r = {.path = path, .n = n, .f = f, .form = *form, .err = err};
    r.wanted = fl_alloc(f->count * sizeof *r.wanted);
    int bad = 0;
    if (*form == GATE_FORM_Z01X && n->places)
        dot_names(&r);
    for (char *at = (char *)text.data, *end; *at && !bad; at = end) {
        end = at + strcspn(at, "\n");
        if (*end)
            *end++ = 0;
        r.line++;
        bad = *form == GATE_FORM_Z01X ? read_z01x(&r, at) : read_columns(&r, at);
    }
    if (!bad && r.open)
        bad = fail(&r, "a } is missing: the list is cut short");
    if (!bad && !r.names)
        bad = fl_fail(err, "%s: the list names no fault", path);
    if (!bad)
        *out = gate_faults_part(f, r.wanted);
    for (uint32_t k = 0; r.dotted && k < n->places; k++)
        free(r.dotted[k].name);
    free(r.dotted);
    free(r.wanted);
    free(r.prefix);
    fl_buf_free(&text);
    return bad;
}
