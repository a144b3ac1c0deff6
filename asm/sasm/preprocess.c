/* preprocess.c -- the reader: files, macros, repetitions and conditions become one stream of plain
 * lines.
 *
 * A stack of sources, each a range of stored lines with what to substitute in them: a file, a
 * macro's body with its arguments, a .rept body with its counter. The next line always comes from
 * the source on top. Lines given out are kept, so that a message can point at them later.
 */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stored { /* a line of a file, comments blanked */
    char *text;
    int number;
};

struct file {
    char *path;
    struct stored *line;
    int nlines;
};

struct param {
    char *name, *value; /* value: default, or NULL */
};

struct macro {
    char *name;
    int file, first, last; /* body: stored lines first..last-1 */
    struct param *param;
    int nparams;
};

struct source {
    int file, next, last;
    struct macro *macro; /* NULL for a file or a repetition */
    char **arg;          /* of the macro */
    int unique;          /* \@ */
    int used_at;         /* line index + 1 */
    bool repeats;
    uint32_t count, turn; /* of a repetition */
    int first;
    int inherits; /* a repetition inside a macro: the source below, whose names it sees; -1: none */
    int conditions; /* depth of .if when this source began */
};

struct condition {
    bool active, taken, outer, has_else;
};

struct sasm_lines {
    struct file *file;
    int nfiles;
    struct macro **macro;
    int nmacros;
    int *macro_hash; /* index + 1 */
    int hash_size;
    struct source stack[SASM_MAX_DEPTH];
    int depth;
    struct condition cond[SASM_MAX_DEPTH];
    int nconds;
    struct sasm_line *line;
    int nlines, line_room;
    size_t bytes;
    int unique;
    char *rest; /* what stands behind a label when it is a macro's use: the next line, or NULL */
    int rest_number, rest_file, rest_used_at;
    struct fl_files *files; /* that were read; may be NULL */
    sasm_value_fn value;
    void *ctx;
};

const struct sasm_line *sasm_lines_get(const struct sasm_lines *l, int index)
{
    return &l->line[index];
}

const char *sasm_lines_file(const struct sasm_lines *l, int file)
{
    return l->file[file].path;
}

int sasm_lines_fail(const struct sasm_lines *l, int index, const char *at, struct fl_err *err,
                    const char *fmt, ...)
{
    enum { SHOWN = 160 };
    const struct sasm_line *line = &l->line[index];
    char msg[300], caret[SHOWN + 2], where[160] = "";
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    size_t len = strlen(line->text);
    size_t col = at >= line->text && at <= line->text + len ? (size_t)(at - line->text) : 0;
    size_t from = col > SHOWN / 2 && len > SHOWN ? col - SHOWN / 2
                                                 : 0; /* a window of a very long line */
    size_t n = 0;
    for (; n < col - from && n < SHOWN; n++)
        caret[n] = line->text[from + n] == '\t' ? '\t' : ' ';
    caret[n] = '^';
    caret[n + 1] = 0;
    if (line->used_at) {
        const struct sasm_line *outer = &l->line[line->used_at - 1];
        snprintf(where, sizeof where, "\n%.100s:%d: in the expansion of this line",
                 l->file[outer->file].path, outer->number);
    }
    return fl_fail(err, "%.300s:%d:%zu: %s\n%.*s\n%s%s", l->file[line->file].path, line->number,
                   col + 1, msg, SHOWN, line->text + from, caret, where);
}

/* ---- files ---- */

/* Blanks comments, keeping columns; strings stay. */
static void blank_comments(char *s)
{
    enum { CODE, STRING, LINE, BLOCK } in = CODE;
    for (; *s; s++) {
        if (in == CODE && *s == '"')
            in = STRING;
        else if (in == STRING && (*s == '"' || *s == '\n'))
            in = CODE;
        else if (in == CODE && s[0] == '/' && s[1] == '/')
            in = LINE;
        else if (in == CODE && s[0] == '/' && s[1] == '*') {
            in = BLOCK;
            s[0] = s[1] = ' ';
            s++;
            continue;
        } else if (in == LINE && *s == '\n')
            in = CODE;
        else if (in == BLOCK && s[0] == '*' && s[1] == '/') {
            in = CODE;
            s[0] = s[1] = ' ';
            s++;
            continue;
        }
        if ((in == LINE || in == BLOCK) && *s != '\n' && *s != '\t')
            *s = ' ';
    }
}

static int add_file(struct sasm_lines *l, const char *path, const char *text, size_t size)
{
    char *copy = fl_alloc(size + 1);
    for (size_t i = 0; i < size; i++) /* a zero byte inside a file would hide the rest of it */
        copy[i] = text[i] ? text[i] : '?';
    blank_comments(copy);
    l->file = fl_grow(l->file, (size_t)l->nfiles + 1, sizeof *l->file);
    struct file *f = &l->file[l->nfiles++];
    *f = (struct file){.path = fl_strdup(path)};
    int room = 0;
    for (char *s = copy; *s;) {
        size_t n = strcspn(s, "\n");
        FL_ROOM(f->line, f->nlines, room, 64);
        size_t keep = n;
        while (keep && (s[keep - 1] == '\r' || s[keep - 1] == ' ' || s[keep - 1] == '\t'))
            keep--;
        f->line[f->nlines] = (struct stored){fl_format("%.*s", (int)keep, s), f->nlines + 1};
        f->nlines++;
        s += n + (s[n] == '\n');
    }
    free(copy);
    return l->nfiles - 1;
}

static struct source *push(struct sasm_lines *l, struct source s)
{
    s.conditions = l->nconds;
    l->stack[l->depth] = s;
    return &l->stack[l->depth++];
}

static void pop(struct sasm_lines *l)
{
    struct source *s = &l->stack[--l->depth];
    if (s->macro)
        for (int i = 0; i < s->macro->nparams; i++)
            free(s->arg[i]);
    free(s->arg);
}

/* ---- substitution ---- */

static const char *find_arg(const struct sasm_lines *l, const struct source *s, const char *name,
                            size_t *len)
{
    for (; s; s = s->inherits >= 0 ? &l->stack[s->inherits] : NULL) {
        if (!s->macro)
            continue;
        const char *best = NULL;
        size_t best_len = 0;
        for (int i = 0; i < s->macro->nparams; i++) {
            size_t n = strlen(s->macro->param[i].name);
            if (n == sasm_name_len(name) && strncmp(s->macro->param[i].name, name, n) == 0) {
                best = s->arg[i];
                best_len = n;
            }
        }
        *len = best_len;
        return best;
    }
    return NULL;
}

static int unique_of(const struct sasm_lines *l, const struct source *s)
{
    while (!s->macro && s->inherits >= 0)
        s = &l->stack[s->inherits];
    return s->unique;
}

/* The line with \name, \@ and \+ replaced; NULL when it becomes too long. */
static char *substitute(const struct sasm_lines *l, const struct source *src, const char *s)
{
    struct fl_buf b = {0};
    fl_buf_add(&b, "", 0);
    while (*s) {
        size_t n = strcspn(s, "\\"), len;
        fl_buf_add(&b, s, n);
        s += n;
        if (*s != '\\')
            break;
        const char *arg;
        if (s[1] == '@') {
            fl_buf_printf(&b, "%d", unique_of(l, src));
            s += 2;
        } else if (s[1] == '+' && src->repeats) {
            fl_buf_printf(&b, "%u", src->turn);
            s += 2;
        } else if ((arg = find_arg(l, src, s + 1, &len)) != NULL) {
            fl_buf_add(&b, arg, strlen(arg));
            s += 1 + len;
        } else
            fl_buf_add(&b, s++, 1);
        if (b.size > SASM_MAX_LINE) {
            fl_buf_free(&b);
            return NULL;
        }
    }
    return (char *)b.data;
}

static int add_line(struct sasm_lines *l, char *text, int file, int number, int used_at)
{
    FL_ROOM(l->line, l->nlines, l->line_room, 256);
    l->line[l->nlines] = (struct sasm_line){text, file, number, used_at};
    l->bytes += strlen(text);
    return l->nlines++;
}

/* ---- directives of the reader ---- */

static bool is_word(const char *s, const char *word)
{
    s = sasm_skip(s);
    size_t n = strlen(word);
    return strncmp(s, word, n) == 0 && sasm_name_len(s + n) == 0;
}

/* Index of the stored line that ends the block opened before `from`, or -1. */
static int find_end(const struct file *f, int from, int last, const char *open, const char *close)
{
    int depth = 1;
    for (int i = from; i < last; i++) {
        if (is_word(f->line[i].text, open))
            depth++;
        else if (is_word(f->line[i].text, close) && --depth == 0)
            return i;
    }
    return -1;
}

/* Where a macro of that name is in the hash table, or would be. */
static int *macro_slot(const struct sasm_lines *l, const char *name, size_t len)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < len; i++)
        h = (h ^ (uint8_t)name[i]) * 16777619u;
    for (;; h++) {
        int *p = &l->macro_hash[h & (uint32_t)(l->hash_size - 1)];
        const char *have = *p ? l->macro[*p - 1]->name : NULL;
        if (!have || (strncmp(have, name, len) == 0 && have[len] == 0))
            return p;
    }
}

static struct macro *find_macro(const struct sasm_lines *l, const char *name, size_t len)
{
    int i = l->nmacros ? *macro_slot(l, name, len) : 0;
    return i ? l->macro[i - 1] : NULL;
}

static void add_macro(struct sasm_lines *l, struct macro *m)
{
    l->macro = fl_grow(l->macro, (size_t)l->nmacros + 1, sizeof *l->macro);
    l->macro[l->nmacros++] = m;
    if (2 * l->nmacros > l->hash_size) {
        l->hash_size = l->hash_size ? 2 * l->hash_size : 64;
        free(l->macro_hash);
        l->macro_hash = fl_alloc((size_t)l->hash_size * sizeof *l->macro_hash);
        for (int i = 0; i < l->nmacros - 1; i++)
            *macro_slot(l, l->macro[i]->name, strlen(l->macro[i]->name)) = i + 1;
    }
    *macro_slot(l, m->name, strlen(m->name)) = l->nmacros;
}

static char *trimmed(const char *s, size_t n)
{
    while (n && (s[n - 1] == ' ' || s[n - 1] == '\t'))
        n--;
    while (n && (*s == ' ' || *s == '\t')) {
        s++;
        n--;
    }
    return fl_format("%.*s", (int)n, s);
}

/* Length of an argument: up to a comma outside brackets and quotes. */
static size_t arg_len(const char *s)
{
    size_t n = 0;
    int depth = 0;
    bool quoted = false;
    for (; s[n] && (quoted || depth > 0 || s[n] != ','); n++) {
        if (s[n] == '"')
            quoted = !quoted;
        else if (s[n] == '(' || s[n] == '[')
            depth++;
        else if (s[n] == ')' || s[n] == ']')
            depth--;
    }
    return n;
}

static int define_macro(struct sasm_lines *l, int index, const char *s, struct fl_err *err)
{
    struct source *src = &l->stack[l->depth - 1];
    s = sasm_skip(s);
    size_t n = sasm_name_len(s);
    if (!n)
        return sasm_lines_fail(l, index, s, err, "expected the macro's name");
    const struct macro *old = find_macro(l, s, n);
    if (old)
        return sasm_lines_fail(l, index, s, err, "macro '%.*s' exists already, at %s:%d", (int)n, s,
                               l->file[old->file].path, old->first);
    int end = find_end(&l->file[src->file], src->next, src->last, ".macro", ".endm");
    if (end < 0)
        return sasm_lines_fail(l, index, s, err, ".macro '%.*s' has no .endm", (int)n, s);
    struct macro *m = fl_alloc(sizeof *m);
    *m = (struct macro){fl_format("%.*s", (int)n, s), src->file, src->next, end, NULL, 0};
    add_macro(l, m);
    src->next = end + 1;
    for (s = sasm_skip(s + n); *s; s = sasm_skip(s)) {
        if (*s == ',')
            s = sasm_skip(s + 1);
        n = sasm_name_len(s);
        if (!n || m->nparams == 64)
            return sasm_lines_fail(l, index, s, err,
                                   n ? "more than 64 parameters" : "expected a parameter's name");
        m->param = fl_grow(m->param, (size_t)m->nparams + 1, sizeof *m->param);
        struct param *p = &m->param[m->nparams++];
        *p = (struct param){fl_format("%.*s", (int)n, s), NULL};
        s = sasm_skip(s + n);
        if (*s == '=') {
            n = arg_len(++s);
            p->value = trimmed(s, n);
            s += n;
        } else if (*s && *s != ',' && !sasm_name_len(s))
            return sasm_lines_fail(l, index, s, err, "expected ',' or '=' and a default");
    }
    return 0;
}

static int use_macro(struct sasm_lines *l, int index, struct macro *m, const char *s,
                     struct fl_err *err)
{
    const char *name = s - strlen(m->name);
    if (l->depth == SASM_MAX_DEPTH)
        return sasm_lines_fail(l, index, name, err,
                               "macros nested more than %d deep: does '%s' use itself?",
                               SASM_MAX_DEPTH, m->name);
    char **arg = fl_alloc(((size_t)m->nparams + 1) * sizeof *arg);
    int n = 0, bad = 0;
    s = sasm_skip(s);
    while (*s && !bad) {
        size_t len = arg_len(s);
        if (n == m->nparams) {
            bad = sasm_lines_fail(l, index, s, err, "'%s' takes %d argument%s", m->name, m->nparams,
                                  m->nparams == 1 ? "" : "s");
            break;
        }
        arg[n++] = trimmed(s, len);
        s += len;
        if (*s == ',')
            s = sasm_skip(s + 1);
    }
    for (int i = n; i < m->nparams && !bad; i++) {
        if (!m->param[i].value)
            bad = sasm_lines_fail(l, index, name, err, "'%s' needs a value for '%s'", m->name,
                                  m->param[i].name);
        else
            arg[i] = fl_strdup(m->param[i].value);
    }
    if (bad) {
        for (int i = 0; i < m->nparams; i++)
            free(arg[i]);
        free(arg);
        return -1;
    }
    push(l, (struct source){.file = m->file,
                            .next = m->first,
                            .last = m->last,
                            .macro = m,
                            .arg = arg,
                            .unique = l->unique++,
                            .used_at = index + 1,
                            .inherits = -1});
    return 0;
}

static int repeat(struct sasm_lines *l, int index, const char *s, struct fl_err *err)
{
    struct source *src = &l->stack[l->depth - 1];
    struct isa_text_err why = {0};
    uint32_t count;
    const char *at = sasm_skip(s);
    if (l->value(l->ctx, &s, &count, &why))
        return sasm_lines_fail(l, index, why.at, err, "%s", why.msg);
    if (*sasm_skip(s))
        return sasm_lines_fail(l, index, sasm_skip(s), err, "unexpected text after the count");
    int end = find_end(&l->file[src->file], src->next, src->last, ".rept", ".endr");
    if (end < 0)
        return sasm_lines_fail(l, index, at, err, ".rept has no .endr");
    if (count > SASM_MAX_LINES)
        return sasm_lines_fail(l, index, at, err, "%u repetitions are more than %d", count,
                               SASM_MAX_LINES);
    int first = src->next;
    src->next = end + 1;
    if (count == 0 || first == end)
        return 0;
    if (l->depth == SASM_MAX_DEPTH)
        return sasm_lines_fail(l, index, at, err, "nested more than %d deep", SASM_MAX_DEPTH);
    push(l, (struct source){.file = src->file,
                            .next = first,
                            .first = first,
                            .last = end,
                            .repeats = true,
                            .count = count,
                            .used_at = src->used_at,
                            .unique = src->unique,
                            .inherits = l->depth - 1});
    return 0;
}

static int include(struct sasm_lines *l, int index, const char *s, struct fl_err *err)
{
    s = sasm_skip(s);
    size_t n = *s == '"' ? strcspn(s + 1, "\"") : 0;
    if (!n || s[n + 1] != '"' || *sasm_skip(s + n + 2))
        return sasm_lines_fail(l, index, s, err, "expected a file's name in quotes");
    if (l->depth == SASM_MAX_DEPTH)
        return sasm_lines_fail(l, index, s, err,
                               "files included more than %d deep: do they include each other?",
                               SASM_MAX_DEPTH);
    char *name = fl_format("%.*s", (int)n, s + 1);
    char *path = fl_path_beside(l->file[l->line[index].file].path, name);
    struct fl_buf text = {0};
    struct fl_err why;
    int bad = fl_read_file(path, &text, &why);
    if (bad)
        sasm_lines_fail(l, index, s, err, "%.200s", why.msg);
    else if (l->bytes + text.size > SASM_MAX_BYTES)
        bad = sasm_lines_fail(l, index, s, err, "the program is larger than %d bytes",
                              SASM_MAX_BYTES);
    else {
        l->bytes += text.size;
        if (l->files)
            fl_files_in(l->files, "an included file", path);
        int f = add_file(l, path, (const char *)text.data, text.size);
        push(l, (struct source){.file = f, .last = l->file[f].nlines, .inherits = -1});
    }
    fl_buf_free(&text);
    free(name);
    free(path);
    return bad;
}

static bool active(const struct sasm_lines *l)
{
    return l->nconds == 0 || l->cond[l->nconds - 1].active;
}

/* .if .else .endif; 1 when the line was one of them, -1 on error. */
static int condition(struct sasm_lines *l, int index, const char *s, struct fl_err *err)
{
    struct condition *top = l->nconds > l->stack[l->depth - 1].conditions ? &l->cond[l->nconds - 1]
                                                                          : NULL;
    if (is_word(s, ".if")) {
        if (l->nconds == SASM_MAX_DEPTH)
            return sasm_lines_fail(l, index, s, err, ".if nested more than %d deep",
                                   SASM_MAX_DEPTH);
        bool outer = active(l);
        uint32_t v = 0;
        const char *e = s + 3;
        struct isa_text_err why = {0};
        if (outer && l->value(l->ctx, &e, &v, &why))
            return sasm_lines_fail(l, index, why.at, err, "%s", why.msg);
        if (outer && *sasm_skip(e))
            return sasm_lines_fail(l, index, sasm_skip(e), err,
                                   "unexpected text after the condition");
        l->cond[l->nconds++] = (struct condition){outer && v, v != 0, outer, false};
        return 1;
    }
    bool is_else = is_word(s, ".else"), end = is_word(s, ".endif");
    if (!is_else && !end)
        return 0;
    if (!top || (is_else && top->has_else))
        return sasm_lines_fail(l, index, s, err, "%s without .if", is_else ? ".else" : ".endif");
    if (*sasm_skip(s + (is_else ? 5 : 6)))
        return sasm_lines_fail(l, index, sasm_skip(s + (is_else ? 5 : 6)), err, "unexpected text");
    if (end)
        l->nconds--;
    else {
        top->active = top->outer && !top->taken;
        top->has_else = true;
    }
    return 1;
}

/* A line that is the reader's own: 1 handled, 0 not, -1 error. */
static int handle(struct sasm_lines *l, int index, struct fl_err *err)
{
    const char *s = sasm_skip(l->line[index].text);
    int c = condition(l, index, s, err);
    if (c)
        return c;
    struct source *src = &l->stack[l->depth - 1];
    if (!active(l)) { /* blocks that are skipped must still be skipped as a whole */
        if (is_word(s, ".macro") || is_word(s, ".rept")) {
            bool m = is_word(s, ".macro");
            int end = find_end(&l->file[src->file], src->next, src->last, m ? ".macro" : ".rept",
                               m ? ".endm" : ".endr");
            if (end >= 0)
                src->next = end + 1;
        }
        return 1;
    }
    if (is_word(s, ".macro"))
        return define_macro(l, index, s + 6, err) ? -1 : 1;
    if (is_word(s, ".rept"))
        return repeat(l, index, s + 5, err) ? -1 : 1;
    if (is_word(s, ".include"))
        return include(l, index, s + 8, err) ? -1 : 1;
    if (is_word(s, ".endm") || is_word(s, ".endr"))
        return sasm_lines_fail(l, index, s, err, "%.5s without %s", s,
                               s[4] == 'm' ? ".macro" : ".rept");
    size_t n = sasm_name_len(s);
    struct macro *m = n ? find_macro(l, s, n) : NULL;
    if (m && *sasm_skip(s + n) != ':')
        return use_macro(l, index, m, s + n, err) ? -1 : 1;
    return 0;
}

/* "label: MACRO ..." becomes two lines, columns kept. */
static void split_label(struct sasm_lines *l, int index)
{
    struct sasm_line *line = &l->line[index];
    char *s = line->text;
    for (;;) {
        char *name = s + (sasm_skip(s) - s);
        size_t n = sasm_name_len(name);
        char *colon = name + n + (sasm_skip(name + n) - (name + n));
        if (!n || *colon != ':')
            break;
        s = colon + 1;
    }
    const char *word = sasm_skip(s);
    size_t n = sasm_name_len(word);
    if (s == line->text || !((n && find_macro(l, word, n)) || is_word(word, ".rept")))
        return;
    l->rest = fl_format("%*s%s", (int)(s - line->text), "", s);
    l->rest_file = line->file;
    l->rest_number = line->number;
    l->rest_used_at = line->used_at;
    *s = 0;
}

struct sasm_lines *sasm_lines_open(const char *path, const char *text, struct fl_files *files,
                                   sasm_value_fn value, void *ctx, struct fl_err *err)
{
    struct fl_buf b = {0};
    if (!text && fl_read_file(path, &b, err))
        return NULL;
    size_t size = text ? strlen(text) : b.size;
    struct sasm_lines *l = NULL;
    if (size > SASM_MAX_BYTES)
        fl_fail(err, "%s: larger than %d bytes", path, SASM_MAX_BYTES);
    else {
        l = fl_alloc(sizeof *l);
        if (files && !text)
            fl_files_in(files, "the source", path);
        l->files = files;
        l->value = value;
        l->ctx = ctx;
        l->bytes = size;
        int f = add_file(l, path, text ? text : (const char *)b.data, size);
        push(l, (struct source){.file = f, .last = l->file[f].nlines, .inherits = -1});
    }
    fl_buf_free(&b);
    return l;
}

int sasm_lines_next(struct sasm_lines *l, struct fl_err *err)
{
    while (l->depth) {
        struct source *src = &l->stack[l->depth - 1];
        if (l->rest) {
            int i = add_line(l, l->rest, l->rest_file, l->rest_number, l->rest_used_at);
            l->rest = NULL;
            if (handle(l, i, err) < 0)
                return -2;
            continue;
        }
        if (src->next >= src->last) {
            if (src->repeats && src->turn + 1 < src->count) {
                src->turn++;
                src->next = src->first;
                continue;
            }
            if (l->nconds > src->conditions)
                return sasm_lines_fail(l, l->nlines - 1, l->line[l->nlines - 1].text, err,
                                       ".if has no .endif") -
                       1;
            pop(l);
            continue;
        }
        const struct stored *st = &l->file[src->file].line[src->next++];
        const char *s = sasm_skip(st->text);
        if (!*s)
            continue;
        bool plain = !src->macro && !src->repeats;
        char *text = plain ? fl_strdup(st->text) : substitute(l, src, st->text);
        int index = add_line(l, text ? text : fl_strdup(st->text), src->file, st->number,
                             src->used_at);
        if (!text)
            return sasm_lines_fail(l, index, l->line[index].text, err,
                                   "longer than %d bytes after expansion", SASM_MAX_LINE) -
                   1;
        if (l->nlines > SASM_MAX_LINES || l->bytes > SASM_MAX_BYTES)
            return sasm_lines_fail(l, index, l->line[index].text, err,
                                   "more than %d lines or %d bytes after expansion", SASM_MAX_LINES,
                                   SASM_MAX_BYTES) -
                   1;
        int done = handle(l, index, err);
        if (done < 0)
            return -2;
        if (!done) {
            split_label(l, index);
            return index;
        }
    }
    return -1;
}

void sasm_lines_close(struct sasm_lines *l)
{
    if (!l)
        return;
    while (l->depth)
        pop(l);
    for (int i = 0; i < l->nfiles; i++) {
        for (int j = 0; j < l->file[i].nlines; j++)
            free(l->file[i].line[j].text);
        free(l->file[i].line);
        free(l->file[i].path);
    }
    free(l->file);
    for (int i = 0; i < l->nmacros; i++) {
        for (int j = 0; j < l->macro[i]->nparams; j++) {
            free(l->macro[i]->param[j].name);
            free(l->macro[i]->param[j].value);
        }
        free(l->macro[i]->param);
        free(l->macro[i]->name);
        free(l->macro[i]);
    }
    free(l->macro);
    free(l->macro_hash);
    for (int i = 0; i < l->nlines; i++)
        free(l->line[i].text);
    free(l->line);
    free(l->rest);
    free(l);
}
