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
    char class[4];              /* of the last fault that was no equivalent one */
    bool *wanted;
    uint8_t *status;   /* [classes], as struct gate_listed has it */
    uint32_t *said_in; /* [classes] the line that says detected or undetectable */
    bool *detected;    /* [classes] which of the two */
    struct said {      /* [rows] the class of each, and its line */
        uint32_t line;
        char class[3];
    } * said;
    uint32_t elsewhere;
    struct fl_err *err;
};

#define fail(r, ...) fl_fail_at((r)->err, (r)->path, (r)->line, __VA_ARGS__)

/* ---- names ----------------------------------------------------------------------------------- */

/* A row is 2 * place + value or, where no place has a name, a fault. */
static bool find(const struct reader *r, const char *name, int value, uint32_t *row)
{
    static const char *const word[2][2] = {{"sa0", "sa1"}, {"str", "stf"}};
    struct fl_err none;
    if (r->n->places) {
        uint32_t place = gate_find_place(r->n, name);
        *row = 2 * place + (uint32_t)value;
        return place != GATE_NO_PLACE;
    }
    char *id = fl_format("%s:%s", name, word[r->f->model][value]);
    int bad = gate_fault_parse(r->n, r->f->model, id, row, &none);
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

static bool find_path(const struct reader *r, char *name, int value, uint32_t *row)
{
    if (!r->dotted)
        return find(r, name, value, row);
    const struct dotted *d = bsearch(&(struct dotted){.name = name}, r->dotted, r->n->places,
                                     sizeof *r->dotted, by_name);
    if (d)
        *row = 2 * d->place + (uint32_t)value;
    return d != NULL;
}

/* What classes mean to a simulation: those of faults that no test detects, and of detected ones. */
static const struct {
    enum gate_status status;
    const char *class[GATE_FORMS];
} meaning[] = {
    {GATE_IS_UNTESTABLE,
     {[GATE_FORM_TETRAMAX] = "UD UB UR UO",
      [GATE_FORM_FASTSCAN] = "UT BL RE",
      [GATE_FORM_Z01X] = "UB UR"}},
    {GATE_IS_TIED,
     {[GATE_FORM_TETRAMAX] = "UT", [GATE_FORM_FASTSCAN] = "TI", [GATE_FORM_Z01X] = "UT"}},
    {GATE_IS_UNUSED,
     {[GATE_FORM_TETRAMAX] = "UU", [GATE_FORM_FASTSCAN] = "UU", [GATE_FORM_Z01X] = "UU"}},
    {GATE_IS_CONSTRAINED,
     {[GATE_FORM_TETRAMAX] = "AU AN AX",
      [GATE_FORM_FASTSCAN] = "AU UI HU OU",
      [GATE_FORM_Z01X] = ""}},
    {GATE_IS_DETECTED,
     {[GATE_FORM_TETRAMAX] = "DT DS DI DR",
      [GATE_FORM_FASTSCAN] = "DT DS DI DR DF",
      [GATE_FORM_Z01X] = "OD ON OP"}}};

static enum gate_status status_of(const struct reader *r)
{
    for (size_t i = 0; i < sizeof meaning / sizeof *meaning; i++)
        if (strstr(meaning[i].class[r->form], r -> class))
            return meaning[i].status;
    return GATE_IS_UNDECIDED;
}

/* Notes the class of the line for a fault. */
static int note(struct reader *r, uint32_t row)
{
    uint32_t c = r->f->class_of[r->n->places ? r->n->place[row / 2].fault[row % 2] : row];
    struct said *s = &r->said[row];
    enum gate_status status = status_of(r);
    bool detected = status == GATE_IS_DETECTED;
    if (c == UINT32_MAX)
        return 0;
    r->wanted[c] = true;
    if (s->line && strcmp(s->class, r->class) != 0)
        return fail(r, "the fault is %s here and %s in line %u; keep one of the lines", r->class,
                    s->class, s->line);
    *s = (struct said){r->line, {r->class[0], r -> class[1]}};
    if (status == GATE_IS_UNDECIDED || status == GATE_IS_CONSTRAINED) {
        if (status == GATE_IS_CONSTRAINED && r->status[c] == GATE_IS_UNDECIDED)
            r->status[c] = GATE_IS_CONSTRAINED;
        return 0;
    }
    if (r->said_in[c] && r->detected[c] != detected)
        return fail(r,
                    "the fault is %s (%s), and an equivalent one in line %u is %s; correct one of "
                    "the lines",
                    detected ? "detected" : "undetectable", r->class, r->said_in[c],
                    detected ? "undetectable" : "detected");
    r->said_in[c] = r->line;
    r->detected[c] = detected;
    if (!detected)
        r->status[c] = (uint8_t)status;
    return 0;
}

/* A name, with the path of the netlist before it, which the first name of the list shows. */
static int take(struct reader *r, const char *text, size_t length, int value)
{
    char *name = fl_format("%.*s", (int)length, text);
    uint32_t row = 0;
    bool found = false;
    if (r->prefix) {
        size_t n = strlen(r->prefix);
        found = strncmp(name, r->prefix, n) == 0 && find_path(r, name + n, value, &row);
    } else {
        const char *at = name + (*name == '/');
        for (int level = 0; at && !found && level < 20; level++) {
            char *rest = fl_strdup(at);
            found = find_path(r, rest, value, &row);
            free(rest);
            if (found)
                r->prefix = fl_format("%.*s", (int)(at - name), name);
            at = strpbrk(at, r->form == GATE_FORM_Z01X ? "." : "/");
            at = at ? at + 1 : NULL;
        }
    }
    int bad = 0;
    if (!found)
        bad = fail(r, "'%.300s' is no place of %s%s%.100s%s; it is no list of this netlist", name,
                   r->n->file, r->prefix && *r->prefix ? " behind the path '" : "",
                   r->prefix ? r->prefix : "", r->prefix && *r->prefix ? "'" : "");
    else
        bad = note(r, row);
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
static const char *const known[GATE_FORMS] = {
    [GATE_FORM_TETRAMAX] = "DT DR DS DI D2 TP PT AP NP P0 P1 UD UU UO UT UB UR AU AN AX ND NC NO",
    [GATE_FORM_FASTSCAN] =
        "DT DS DI DR DF PD PT PU OS OT OU HY HT HU UD UC UO UI AU UT UU TI BL RE"};

/* The class of a line; an equivalent fault has that of the line above. */
static int take_class(struct reader *r, const char *at, size_t length)
{
    const char *dot = r->form == GATE_FORM_FASTSCAN ? memchr(at, '.', length) : NULL;
    char code[4] = "";
    size_t n = dot ? (size_t)(dot - at) : length;
    if (n == 2)
        memcpy(code, at, 2);
    if (strcmp(code, "--") == 0 || (r->form == GATE_FORM_FASTSCAN && strcmp(code, "EQ") == 0))
        return r->class[0] ? 0
                           : fail(r,
                                  "an equivalent fault (%s) stands below the one it is "
                                  "equivalent to, and there is none above",
                                  code);
    if (n != 2 || strchr(code, ' ') || (known[r->form] && !strstr(known[r->form], code)))
        return fail(r, "'%.*s' is no class of %s; %s%s", length < 40 ? (int)length : 40, at,
                    gate_form_name[r->form], known[r->form] ? "those are " : "write two letters",
                    known[r->form] ? known[r->form] : "");
    memcpy(r->class, code, sizeof code);
    return 0;
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
    return take_class(r, class, word_length(class)) ? -1 : take(r, name, word_length(name), value);
}

/* `<  1> ON 0 (7ns) {PORT "a.b.ZN"}(* ... *)` and `-- 1 {PORT "..."}`; other lines (FaultList, groups, braces) say nothing. */
static int read_z01x(struct reader *r, const char *line)
{
    static const char *const place[] = {"PORT", "FLOP", "ARRY", "WIRE", "PRIM", "VARI"};
    enum { PLACES = sizeof place / sizeof *place };
    const char *at = blanks(line), *brace = strchr(line, '{'), *word, *type, *quote, *end;
    bool text = false;
    int k = 0;
    for (const char *c = line; *c; c++) {
        text ^= *c == '"';
        r->open += !text && *c == '{';
        r->open -= !text && *c == '}' && r->open;
    }
    word = brace ? blanks(brace + 1) : "";
    while (k < PLACES && (strncmp(word, place[k], 4) != 0 || isalnum((unsigned char)word[4])))
        k++;
    if (k == PLACES)
        return 0;
    quote = strchr(word, '"');
    end = quote ? strchr(quote + 1, '"') : NULL;
    if (*at == '<')
        at = strchr(at, '>') ? blanks(strchr(at, '>') + 1) : brace;
    type = blanks(at + word_length(at));
    if (!end || type >= brace)
        return fail(r, "a fault is written as ON 0 {PORT \"top.U1.A\"}");
    if (k > 0) { /* no port: a netlist of cells has no such place */
        r->elsewhere++;
        return 0;
    }
    const char *more = strchr(end, '}');
    if (more && *blanks(more + 1) == '+')
        return fail(r, "the line has several places (+); faults here have one: leave it out");
    size_t n = strcspn(type, " \t({");
    if (n == 1 && *type == '~')
        return fail(r, "bit flips (~) are no faults of a netlist; leave them out");
    int value = value_of(r, type, n);
    if (value < 0)
        return fail(r, "'%.*s' is no %s fault; write 0 or 1, for transition faults R or F",
                    (int)n < 40 ? (int)n : 40, type, gate_model_name[r->f->model]);
    return take_class(r, at, word_length(at))
               ? -1
               : take(r, quote + 1, (size_t)(end - quote - 1), value);
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

void gate_listed_free(struct gate_listed *l)
{
    gate_faults_free(l->faults);
    free(l->status);
    *l = (struct gate_listed){0};
}

int gate_lists_read(const char *path, const struct gate_netlist *n, const struct gate_faults *f,
                    struct gate_listed *out, struct fl_err *err)
{
    struct fl_buf text = {0};
    *out = (struct gate_listed){0};
    if (fl_read_text(path, &text, err))
        return -1;
    /* what no other tool writes is ours, with our messages */
    if (find_form((const char *)text.data, &out->form) != 0 || out->form == GATE_FORM_OWN) {
        out->form = GATE_FORM_OWN;
        fl_buf_free(&text);
        return gate_faults_read(path, n, f, &out->faults, err);
    }
    struct reader r = {.path = path, .n = n, .f = f, .form = out->form, .err = err};
    r.wanted = fl_alloc(f->count * sizeof *r.wanted);
    r.status = fl_alloc(f->count);
    r.said_in = fl_alloc(f->count * sizeof *r.said_in);
    r.detected = fl_alloc(f->count * sizeof *r.detected);
    r.said = fl_alloc((n->places ? 2 * n->places : f->all) * sizeof *r.said);
    memset(r.status, GATE_IS_UNDECIDED, f->count);
    int bad = 0;
    if (r.form == GATE_FORM_Z01X && n->places)
        dot_names(&r);
    for (char *at = (char *)text.data, *end; *at && !bad; at = end) {
        end = at + strcspn(at, "\n");
        if (*end)
            *end++ = 0;
        r.line++;
        bad = r.form == GATE_FORM_Z01X ? read_z01x(&r, at) : read_columns(&r, at);
    }
    if (!bad && r.open)
        bad = fail(&r, "a } is missing: the list is cut short");
    if (!bad && !r.names)
        bad = fl_fail(err, "%s: the list names no fault%s", path,
                      r.elsewhere
                          ? " of a PORT; gatesim knows faults of pins of cells and of ports alone"
                          : "");
    if (!bad) {
        out->elsewhere = r.elsewhere;
        out->faults = gate_faults_part(f, r.wanted);
        out->status = fl_alloc(out->faults->count);
        for (uint32_t c = 0, at = 0; c < f->count; c++)
            if (r.wanted[c])
                out->status[at++] = r.status[c];
    }
    for (uint32_t k = 0; r.dotted && k < n->places; k++)
        free(r.dotted[k].name);
    free(r.dotted);
    free(r.wanted);
    free(r.status);
    free(r.said_in);
    free(r.detected);
    free(r.said);
    free(r.prefix);
    fl_buf_free(&text);
    return bad;
}
