/* fault.c -- from the text of an id or pattern to cells, and back. */
#include "fault.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = SM_MAX_AXES + 2 };

struct span {
    int lo, hi;
};

/* A number of at most nine digits; where it ends, or NULL. */
static const char *read_number(const char *text, int *out)
{
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > 9)
        return NULL;
    *out = (int)strtol(text, NULL, 10);
    return text + digits;
}

/* Reads `*`, `7` or `1-4` behind the letters of a name, within first .. first + count - 1. */
static int read_span(const char *text, int first, int count, struct span *out)
{
    if (strcmp(text, "*") == 0) {
        *out = (struct span){first, first + count - 1};
        return 0;
    }
    *out = (struct span){0, 0};
    text = read_number(text, &out->lo);
    out->hi = out->lo;
    if (text && *text == '-')
        text = read_number(text + 1, &out->hi);
    return text && !*text && out->lo >= first && out->hi < first + count && out->lo <= out->hi ? 0
                                                                                               : -1;
}

/* If `part` is `name` followed by a number, range or star: where that starts. */
static const char *after_name(const char *part, const char *name)
{
    size_t n = strlen(name);
    bool ok = strncmp(part, name, n) == 0 && (isdigit((unsigned char)part[n]) || part[n] == '*');
    return ok ? part + n : NULL;
}

static void add(struct fsim_list *list, const struct fsim_fault *f)
{
    if ((list->count & (list->count - 1)) == 0)
        list->fault = fl_grow(list->fault, (size_t)(list->count ? 2 * list->count : 1),
                              sizeof *list->fault);
    list->fault[list->count++] = *f;
}

static int bad_part(const struct sm_structure *s, const char *pattern, const char *part,
                    struct fl_err *err)
{
    struct fl_buf b = {0};
    fl_buf_printf(&b, "fault '%s': '%s' does not fit; an id of %s reads %s", pattern, part, s->name,
                  s->name);
    for (int i = 0; i < s->naxes; i++)
        fl_buf_printf(&b, "/%s%d..%d", s->axis[i].name, s->axis[i].first,
                      s->axis[i].first + s->axis[i].count - 1);
    for (int i = 0; i < s->nfields; i++)
        fl_buf_printf(&b, "%s%s0..%d", i ? " or " : "/", s->field[i].name, s->field[i].bits - 1);
    fl_buf_printf(&b, "%s, numbers also as 1-4 or *",
                  strchr(pattern, '@') ? "@CYCLE:flip" : ":sa0|sa1");
    fl_fail(err, "%s", (char *)b.data);
    fl_buf_free(&b);
    return -1;
}

static int unknown_structure(const struct sm_image *img, const char *pattern, struct fl_err *err)
{
    struct fl_buf b = {0};
    for (int i = 0; i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(img, i, &s);
        fl_buf_printf(&b, "%s%s", i ? ", " : "", s.name);
    }
    fl_fail(err, "fault '%s': no such structure; there are %s", pattern, (char *)b.data);
    fl_buf_free(&b);
    return -1;
}

/* What a pattern names; axes count from 0. */
struct pattern {
    int structure;
    struct sm_structure s;
    struct span axis[SM_MAX_AXES], fields, bits;
};

static struct sm_cell first_cell(const struct pattern *p)
{
    struct sm_cell c = {.structure = p->structure, .field = p->fields.lo, .bit = p->bits.lo};
    for (int i = 0; i < p->s.naxes; i++)
        c.index[i] = p->axis[i].lo;
    return c;
}

/* Element by element, so that the list of a stack reads LE by LE. False behind the last cell. */
static bool next_cell(const struct pattern *p, struct sm_cell *c)
{
    if (c->bit < p->bits.hi && c->bit + 1 < p->s.field[c->field].bits) {
        c->bit++;
        return true;
    }
    c->bit = p->bits.lo;
    if (c->field++ < p->fields.hi)
        return true;
    c->field = p->fields.lo;
    for (int i = p->s.naxes - 1; i >= 0; i--) {
        if (c->index[i]++ < p->axis[i].hi)
            return true;
        c->index[i] = p->axis[i].lo;
    }
    return false;
}

/* `text` is the part of the pattern before what happens to the cells; it is cut up. */
static int parse_cells(const struct sm_image *img, const char *pattern, char *text,
                       struct pattern *out, struct fl_err *err)
{
    struct sm_structure *s = &out->s;
    char *part[MAX_PARTS] = {0};
    int nparts = 0, at = 1;
    for (char *p; (p = strsep(&text, "/"));) {
        if (nparts == MAX_PARTS)
            return fl_fail(err, "fault '%s': too many parts between slashes", pattern);
        part[nparts++] = p;
    }
    out->structure = nparts ? sm_structure_find(img, part[0]) : -1;
    if (out->structure < 0)
        return unknown_structure(img, pattern, err);
    sm_structure_get(img, out->structure, s);
    if (sm_structure_bits(s) == 0)
        return fl_fail(err, "fault '%s': this job has no %s memory", pattern, s->name);
    for (int i = 0; i < s->naxes; i++) {
        const struct sm_axis *a = &s->axis[i];
        const char *number = at < nparts ? after_name(part[at], a->name) : NULL;
        /* what is left out means all, but warp slot 0 for the stack: a self-test's usual target */
        bool first_warp = out->structure == SM_S_dstack && i == 0;
        out->axis[i] = (struct span){0, first_warp ? 0 : a->count - 1};
        if (!number)
            continue;
        if (read_span(number, a->first, a->count, &out->axis[i]) != 0)
            return bad_part(s, pattern, part[at], err);
        out->axis[i].lo -= a->first;
        out->axis[i].hi -= a->first;
        at++;
    }
    out->fields = (struct span){0, s->nfields - 1};
    out->bits = (struct span){0, 31};
    if (at == nparts)
        return 0;
    for (int f = 0; f < s->nfields && at + 1 == nparts; f++) {
        const char *number = after_name(part[at], s->field[f].name);
        if (!number)
            continue;
        out->fields = (struct span){f, f};
        if (read_span(number, 0, s->field[f].bits, &out->bits) == 0)
            return 0;
        break;
    }
    return bad_part(s, pattern, part[at], err);
}

static int parse(struct fsim_list *list, const struct sm_image *img, const char *pattern,
                 char *text, struct fl_err *err)
{
    struct span values = {0, 1};
    struct pattern p;
    char *colon = strchr(text, ':');
    if (colon) {
        *colon++ = 0;
        if (strcmp(colon, "sa0") == 0 || strcmp(colon, "sa1") == 0)
            values.lo = values.hi = colon[2] - '0';
        else if (strcmp(colon, "sa*") != 0)
            return fl_fail(err,
                           "fault '%s': '%s' is no fault of this model; write :sa0, :sa1 or :sa*",
                           pattern, colon);
    }
    if (parse_cells(img, pattern, text, &p, err) != 0)
        return -1;
    struct fsim_fault f = {.cell = first_cell(&p)};
    do
        for (f.value = values.lo; f.value <= values.hi; f.value++)
            add(list, &f);
    while (next_cell(&p, &f.cell));
    return 0;
}

int fsim_list_add(struct fsim_list *list, const struct sm_image *img, const char *pattern,
                  struct fl_err *err)
{
    if (strlen(pattern) > 200)
        return fl_fail(err, "fault '%.40s...': an id is shorter than that", pattern);
    char *text = fl_strdup(pattern);
    int r = parse(list, img, pattern, text, err);
    free(text);
    return r;
}

long fsim_cells(const struct sm_image *img, const char *pattern, const char *shown,
                struct sm_cell *out, long room, struct fl_err *err)
{
    struct pattern p;
    char *text = fl_strdup(pattern);
    int bad = parse_cells(img, shown, text, &p, err);
    free(text);
    if (bad)
        return -1;
    long n = 0;
    struct sm_cell c = first_cell(&p);
    do {
        if (n < room)
            out[n] = c;
        n++;
    } while (next_cell(&p, &c));
    return n;
}

int fsim_list_read(struct fsim_list *list, const struct sm_image *img, const char *path,
                   struct fl_err *err)
{
    struct fl_buf b = {0};
    if (fl_read_file(path, &b, err) != 0)
        return -1;
    int line = 0, r = 0;
    char *next = (char *)b.data;
    while (next && r == 0) {
        char *text = next;
        next = strchr(text, '\n');
        if (next)
            *next++ = 0;
        line++;
        text[strcspn(text, "#")] = 0;
        text += strspn(text, " \t\r");
        char *end = text + strcspn(text, " \t\r");
        struct fl_err why;
        if (end[strspn(end, " \t\r")])
            r = fl_fail(err, "%s:%d: '%.100s': write one id or pattern a line", path, line, text);
        *end = 0;
        if (r == 0 && text[0] && fsim_list_add(list, img, text, &why) != 0)
            r = fl_fail(err, "%s:%d: %s", path, line, why.msg);
    }
    fl_buf_free(&b);
    return r;
}

struct place { /* of a fault in a list */
    struct fsim_fault fault;
    long number;
};

static int by_cell(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int d = memcmp(&x->fault, &y->fault, sizeof x->fault); /* all int, no padding */
    return d ? d : (x->number > y->number) - (x->number < y->number);
}

static int by_number(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

void fsim_list_once(struct fsim_list *list)
{
    struct place *p = fl_alloc((size_t)list->count * sizeof *p);
    long n = 0;
    for (long i = 0; i < list->count; i++)
        p[i] = (struct place){list->fault[i], i};
    qsort(p, (size_t)list->count, sizeof *p, by_cell);
    for (long i = 0; i < list->count; i++)
        if (i == 0 || memcmp(&p[i].fault, &p[n - 1].fault, sizeof p->fault) != 0)
            p[n++] = p[i];
    qsort(p, (size_t)n, sizeof *p, by_number);
    for (long i = 0; i < n; i++)
        list->fault[i] = p[i].fault;
    list->count = n;
    free(p);
}

void fsim_list_free(struct fsim_list *list)
{
    free(list->fault);
    *list = (struct fsim_list){0};
}

void fsim_id(const struct sm_image *img, const struct fsim_fault *fault, char out[FSIM_ID])
{
    struct sm_structure s;
    sm_structure_get(img, fault->cell.structure, &s);
    int n = snprintf(out, FSIM_ID, "%s", s.name);
    for (int i = 0; i < s.naxes; i++)
        n += snprintf(out + n, (size_t)(FSIM_ID - n), "/%s%d", s.axis[i].name,
                      fault->cell.index[i] + s.axis[i].first);
    snprintf(out + n, (size_t)(FSIM_ID - n), "/%s%d:sa%d", s.field[fault->cell.field].name,
             fault->cell.bit, fault->value);
}
