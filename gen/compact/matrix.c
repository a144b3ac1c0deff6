/* matrix.c -- reads a detection matrix. */
#include "compact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 4096 };

/* Where the reader is. */
struct reader {
    const char *path;
    char *at; /* the text, cut into fields as it is read */
    int line;
    char **field;
    int nfields;
    struct fl_err *err;
};

static int bad_line(const struct reader *r, const char *what)
{
    return fl_fail(r->err, "%s:%d: %s; this is no matrix of faultsim --matrix", r->path, r->line,
                   what);
}

/* A field in place, without its quotes; *after is the character behind it. */
static char *cut_field(struct reader *r, char *after)
{
    char *start = r->at, *to = r->at, *from = r->at;
    bool quotes = *from == '"';
    from += quotes;
    for (; *from && (quotes || (*from != ',' && *from != '\n')); from++) {
        if (quotes && *from == '"' && *++from != '"')
            break;
        *to++ = *from;
    }
    *after = *from;
    r->at = *from ? from + 1 : from;
    *to = 0;
    return start;
}

/* The next line, cut at its commas; false at the end of the text. */
static bool next_line(struct reader *r)
{
    char after = ',';
    if (!*r->at)
        return false;
    r->line++;
    r->nfields = 0;
    while (after == ',') {
        if (r->nfields == MAX_PARTS + 2) { /* the caller finds the number of fields wrong */
            r->at += strcspn(r->at, "\n");
            break;
        }
        r->field = fl_grow(r->field, (size_t)r->nfields + 1, sizeof *r->field);
        r->field[r->nfields++] = cut_field(r, &after);
    }
    return true;
}

static int read_head(struct reader *r, struct sbst_matrix *m)
{
    while (r->at[0] == '#') /* what made it */
        next_line(r);
    if (!next_line(r) || r->nfields < 3 || strcmp(r->field[0], "fault") != 0)
        return bad_line(r, "the first line must be fault,class and the names of jobs");
    m->nparts = r->nfields - 2;
    m->part = fl_alloc((size_t)m->nparts * sizeof *m->part);
    for (int i = 0; i < m->nparts; i++)
        m->part[i] = (struct sbst_part){.name = fl_strdup(r->field[i + 2]), .cycles = -1};
    return 0;
}

static bool number(const char *text, long *out)
{
    char *end;
    *out = strtol(text, &end, 10);
    return text[0] >= '0' && text[0] <= '9' && *end == 0 && strlen(text) <= 10;
}

/* A line that begins with @: one fact of each part. Unknown facts are left for later readers. */
static int read_fact(struct reader *r, struct sbst_matrix *m)
{
    const char *name = r->field[0];
    for (int i = 0; i < m->nparts; i++) {
        struct sbst_part *p = &m->part[i];
        const char *text = r->field[i + 2];
        char **words = strcmp(name, "@file") == 0     ? &p->file
                       : strcmp(name, "@sha256") == 0 ? &p->sha256
                                                      : NULL;
        long *count = strcmp(name, "@launches") == 0       ? &p->launches
                      : strcmp(name, "@instructions") == 0 ? &p->instructions
                      : strcmp(name, "@cycles") == 0       ? &p->cycles
                      : strcmp(name, "@bytes") == 0        ? &p->bytes
                                                           : NULL;
        if (words && *words)
            return bad_line(r, "the same fact twice");
        if (words)
            *words = fl_strdup(text);
        if (count && !number(text, count))
            return bad_line(r, "a number is needed here");
    }
    return 0;
}

static int read_fault(struct reader *r, struct sbst_matrix *m, bool sdc_only)
{
    if (strcmp(r->field[1], "undetectable-untestable") == 0)
        return 0;
    long row = m->rows++;
    bool any = false;
    for (int i = 0; i < m->nparts; i++) {
        struct sbst_part *p = &m->part[i];
        const char *cell = r->field[i + 2];
        if (row % 64 == 0) {
            p->detects = fl_grow(p->detects, (size_t)row / 64 + 1, sizeof *p->detects);
            p->detects[row / 64] = 0;
        }
        if (!cell[0] || (sdc_only && strcmp(cell, "sdc") != 0))
            continue;
        p->detects[row / 64] |= (uint64_t)1 << row % 64;
        any = true;
    }
    m->detected += any;
    return 0;
}

static int read_all(struct reader *r, struct sbst_matrix *m, bool sdc_only)
{
    if (read_head(r, m) != 0)
        return -1;
    while (next_line(r)) {
        if (r->nfields != m->nparts + 2)
            return bad_line(r, "not as many fields as the first line has");
        if ((r->field[0][0] == '@' ? read_fact(r, m) : read_fault(r, m, sdc_only)) != 0)
            return -1;
    }
    for (int i = 0; i < m->nparts; i++)
        if (!m->part[i].file || !m->part[i].sha256 || m->part[i].cycles < 0)
            return fl_fail(r->err,
                           "%s: the lines @file, @sha256 and @cycles are needed; this is no "
                           "matrix of faultsim --matrix",
                           r->path);
    if (m->rows == 0)
        return fl_fail(r->err, "%s: no testable fault", r->path);
    return 0;
}

int sbst_matrix_load(const char *path, bool sdc_only, struct sbst_matrix *out, struct fl_err *err)
{
    struct fl_buf text = {0};
    *out = (struct sbst_matrix){0};
    if (fl_read_file(path, &text, err) != 0)
        return -1;
    struct reader r = {.path = path, .at = (char *)text.data, .err = err};
    int bad = text.size == 0 || memchr(text.data, 0, text.size) ? bad_line(&r, "no text")
                                                                : read_all(&r, out, sdc_only);
    free(r.field);
    fl_buf_free(&text);
    if (bad)
        sbst_matrix_free(out);
    return bad ? -1 : 0;
}

void sbst_matrix_free(struct sbst_matrix *m)
{
    for (int i = 0; i < m->nparts; i++) {
        free(m->part[i].name);
        free(m->part[i].file);
        free(m->part[i].sha256);
        free(m->part[i].detects);
    }
    free(m->part);
    *m = (struct sbst_matrix){0};
}
