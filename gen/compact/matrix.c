/* matrix.c -- reads a detection matrix.
 *
 * Version 1 had no draws: each row stands for itself, and a sample of stuck-at faults is refused,
 * because it does not say what it was drawn from.
 */
#include "compact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 4096, VERSION = 2 };

/* Where the reader is. */
struct reader {
    const char *path;
    char *at; /* the text, cut into fields as it is read */
    int line;
    bool sampled; /* what made it draws faults */
    int first;    /* field of the first job: 2; with draws 4 */
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
        if (r->nfields == MAX_PARTS + 4) { /* the caller finds the number of fields wrong */
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
    while (r->at[0] == '#') { /* what made it */
        next_line(r);
        for (int i = 0; i < r->nfields; i++)
            r->sampled |= strstr(r->field[i], " sample=") != NULL;
    }
    bool head = next_line(r) && r->nfields >= 3 && strcmp(r->field[0], "fault") == 0;
    bool draws = head && strcmp(r->field[2], "draw") == 0 && r->nfields > 3 &&
                 strcmp(r->field[3], "drawn_of") == 0;
    r->first = draws ? 4 : 2;
    if (!head || r->nfields <= r->first)
        return bad_line(r,
                        "the first line must be fault,class,draw,drawn_of and the names of jobs");
    if (r->sampled && !draws)
        return fl_fail(
            r->err,
            "%s: an earlier version of faultsim drew these faults and did not keep what "
            "from, so no coverage can be estimated; write the matrix again with faultsim "
            "--matrix (with --store F --resume nothing runs twice)",
            r->path);
    m->nparts = r->nfields - r->first;
    m->part = fl_alloc((size_t)m->nparts * sizeof *m->part);
    for (int i = 0; i < m->nparts; i++)
        m->part[i] = (struct sbst_part){.name = fl_strdup(r->field[i + r->first]), .cycles = -1};
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
    if (strcmp(name, "@matrix") == 0) {
        long version = 0;
        if (!number(r->field[1], &version) || version < 1)
            return bad_line(r, "a version is needed here");
        if (version > VERSION)
            return fl_fail(
                r->err,
                "%s: version %ld of the matrix, and this sbstgen knows 1 to %d; take the "
                "sbstgen of the faultsim that wrote it",
                r->path, version, VERSION);
    }
    for (int i = 0; i < m->nparts; i++) {
        struct sbst_part *p = &m->part[i];
        const char *text = r->field[i + r->first];
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

/* The draw of a row; -1: it is none. */
static int find_draw(struct reader *r, struct sbst_matrix *m)
{
    const char *name = r->field[2];
    long of;
    int i = 0;
    if (!number(r->field[3], &of) || of < 1)
        return bad_line(r, "behind a draw the testable faults that it was drawn from are needed");
    while (i < m->ndraws && strcmp(m->draw[i].name, name) != 0)
        i++;
    if (i == m->ndraws) {
        m->draw = fl_grow(m->draw, (size_t)i + 1, sizeof *m->draw);
        m->draw[m->ndraws++] = (struct sbst_draw){.name = fl_strdup(name), .of = of};
    }
    if (m->draw[i].of != of)
        return bad_line(r, "the draw had another number of faults before");
    m->draw[i].rows++;
    return i;
}

/* Rows are of draws, or none is. */
static int read_draw(struct reader *r, struct sbst_matrix *m, long row)
{
    bool drawn = r->first > 2 && r->field[2][0];
    if (row && drawn != (m->ndraws > 0))
        return bad_line(r, "some rows are of a sample, and others not");
    int draw = drawn ? find_draw(r, m) : 0;
    if (draw < 0)
        return -1;
    if (drawn && (row & (row - 1)) == 0)
        m->draw_of = fl_grow(m->draw_of, row ? 2 * (size_t)row : 1, sizeof *m->draw_of);
    if (drawn)
        m->draw_of[row] = draw;
    return 0;
}

static int set_weights(const struct reader *r, struct sbst_matrix *m)
{
    for (int i = 0; i < m->ndraws; i++)
        if (m->draw[i].rows > m->draw[i].of)
            return fl_fail(r->err, "%s: more faults of %s than the %ld that they were drawn from",
                           r->path, m->draw[i].name, m->draw[i].of);
    m->weight = fl_alloc((size_t)m->rows * sizeof *m->weight);
    for (long i = 0; i < m->rows; i++) {
        const struct sbst_draw *d = m->ndraws ? &m->draw[m->draw_of[i]] : NULL;
        m->weight[i] = d ? (double)d->of / (double)d->rows : 1;
    }
    m->faults = m->ndraws ? 0 : (double)m->rows;
    for (int i = 0; i < m->ndraws; i++)
        m->faults += (double)m->draw[i].of;
    return 0;
}

static int read_fault(struct reader *r, struct sbst_matrix *m, bool sdc_only)
{
    if (strcmp(r->field[1], "undetectable-untestable") == 0)
        return 0;
    long row = m->rows++;
    bool any = false;
    if (read_draw(r, m, row) != 0)
        return -1;
    for (int i = 0; i < m->nparts; i++) {
        struct sbst_part *p = &m->part[i];
        const char *cell = r->field[i + r->first];
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
        if (r->nfields != m->nparts + r->first)
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
        return fl_fail(
            r->err,
            "%s: the matrix has no testable fault; write one of a campaign with testable faults",
            r->path);
    return set_weights(r, m);
}

int sbst_matrix_load(const char *path, bool sdc_only, struct sbst_matrix *out, struct fl_err *err)
{
    struct fl_buf text = {0};
    *out = (struct sbst_matrix){0};
    if (fl_read_text(path, &text, err) != 0)
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

static void free_part(struct sbst_part *p)
{
    free(p->name);
    free(p->file);
    free(p->sha256);
    free(p->detects);
}

void sbst_matrix_drop(struct sbst_matrix *m, int part)
{
    free_part(&m->part[part]);
    m->nparts--;
    memmove(&m->part[part], &m->part[part + 1], (size_t)(m->nparts - part) * sizeof *m->part);
}

void sbst_matrix_free(struct sbst_matrix *m)
{
    for (int i = 0; i < m->nparts; i++)
        free_part(&m->part[i]);
    for (int i = 0; i < m->ndraws; i++)
        free(m->draw[i].name);
    free(m->draw);
    free(m->draw_of);
    free(m->weight);
    free(m->part);
    *m = (struct sbst_matrix){0};
}
