/* hosts.c -- see hosts.h. Finds functions by their braces: comments, strings and lines of the preprocessor are passed
 * over, blocks of a namespace, a class or extern "C" are looked into. What is found wrongly does no harm: then clang
 * does not take the rest either, and what it said of the whole file stands.
 */
#include "hosts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct body { /* text[head .. open) is what stands before it, text[open .. close] has the braces */
    size_t head, open, close;
    bool gone;
};

struct bodies {
    struct body *body;
    uint32_t count, room;
};

/* Behind a comment, a string, a character or a line of the preprocessor that begins at `at`; else `at`. */
static size_t pass(const char *s, size_t size, size_t at)
{
    if (s[at] == '/' && at + 1 < size && s[at + 1] == '/')
        while (at < size && s[at] != '\n')
            at++;
    else if (s[at] == '/' && at + 1 < size && s[at + 1] == '*') {
        const char *end = memmem(s + at + 2, size - at - 2, "*/", 2);
        at = end ? (size_t)(end - s) + 2 : size;
    } else if (s[at] == '"' || (s[at] == '\'' && (at == 0 || !isalnum((unsigned char)s[at - 1])))) {
        char quote = s[at++];
        while (at < size && s[at] != quote && s[at] != '\n')
            at += s[at] == '\\' ? 2 : 1;
        at = at < size ? at + 1 : size;
    } else if (s[at] == '#') {
        size_t line = at;
        while (line > 0 && (s[line - 1] == ' ' || s[line - 1] == '\t'))
            line--;
        if (line == 0 || s[line - 1] == '\n')
            while (at < size && !(s[at] == '\n' && s[at - 1] != '\\'))
                at++;
    }
    return at;
}

/* The brace that closes the one at `open`; `size`: none. */
static size_t closing(const char *s, size_t size, size_t open)
{
    int depth = 0;
    for (size_t at = open; at < size;) {
        size_t next = pass(s, size, at);
        if (next > at) {
            at = next;
            continue;
        }
        depth += (s[at] == '{') - (s[at] == '}');
        if (depth == 0)
            return at;
        at++;
    }
    return size;
}

/* What a brace behind this text opens. */
static enum { BODY, BLOCK, VALUES } opens(const char *s, size_t n)
{
    int depth = 0;
    bool call = false;
    for (size_t at = 0; at < n;) {
        size_t next = pass(s, n, at);
        if (next > at) {
            at = next;
            continue;
        }
        depth += (s[at] == '(') - (s[at] == ')');
        call |= s[at] == '(';
        if (s[at] == '=' && depth == 0 && !memmem(s, at, "operator", 8))
            return VALUES;
        at++;
    }
    return call ? BODY : BLOCK;
}

static void find(const char *s, size_t size, struct bodies *out)
{
    for (size_t at = 0, head = 0; at < size;) {
        size_t next = pass(s, size, at);
        if (next > at) {
            at = next;
            continue;
        }
        if (s[at] == '{') {
            int what = opens(s + head, at - head);
            size_t close = what == BLOCK ? at : closing(s, size, at);
            if (what == BODY && close < size) {
                FL_ROOM(out->body, out->count, out->room, 64);
                out->body[out->count++] = (struct body){head, at, close, false};
            }
            at = close;
        }
        if (at < size && (s[at] == ';' || s[at] == '{' || s[at] == '}'))
            head = at + 1;
        at++;
    }
}

/* ---- one error ---- */

static size_t line_start(const char *s, size_t size, long line)
{
    size_t at = 0;
    for (; line > 1 && at < size; at++)
        line -= s[at] == '\n';
    return at;
}

/* What is before the parameters: "main". */
static char *name_of(const char *s, const struct body *b)
{
    size_t end = b->head;
    while (end < b->open && s[end] != '(')
        end++;
    while (end > b->head && isspace((unsigned char)s[end - 1]))
        end--;
    size_t begin = end;
    while (begin > b->head && (isalnum((unsigned char)s[begin - 1]) || strchr("_:~", s[begin - 1])))
        begin--;
    return fl_format("%.*s", (int)(end - begin), s + begin);
}

static void leave_out(char *s, const struct body *b)
{
    s[b->open] = ';';
    for (size_t at = b->open + 1; at <= b->close; at++)
        s[at] = s[at] == '\n' ? '\n' : ' ';
}

/* The body in which the line lies; NULL. */
static struct body *body_at(const struct bodies *all, const char *s, size_t size, long line)
{
    size_t from = line_start(s, size, line), to = from;
    while (to < size && s[to] != '\n')
        to++;
    for (uint32_t i = 0; i < all->count; i++)
        if (from <= all->body[i].close && to >= all->body[i].open)
            return &all->body[i];
    return NULL;
}

static bool of_device(const char *s, const struct body *b)
{
    size_t n = b->open - b->head;
    return memmem(s + b->head, n, "__global__", 10) || memmem(s + b->head, n, "__device__", 10);
}

/* The error in this line of clang's messages; false: it stands elsewhere. */
static bool take(const struct bodies *all, struct fl_buf *source, const char *path,
                 const char *line, size_t n, struct fl_buf *said)
{
    char *s = (char *)source->data;
    size_t length = strlen(path);
    if (n < length + 2 || strncmp(line, path, length) != 0 || line[length] != ':')
        return false;
    struct body *b = body_at(all, s, source->size, strtol(line + length + 1, NULL, 10));
    if (!b || of_device(s, b))
        return false;
    if (b->gone)
        return true;
    const char *why = memmem(line, n, "error: ", 7);
    char *name = name_of(s, b);
    fl_buf_printf(said,
                  "%.*swarning: the body of '%s', a function of the host, is left out: %.*s\n",
                  (int)(why - line), line, name, (int)(n - (size_t)(why - line) - 7), why + 7);
    free(name);
    leave_out(s, b);
    b->gone = true;
    return true;
}

bool cc_hosts_leave_out(struct fl_buf *source, const char *path, const struct fl_buf *errors,
                        struct fl_buf *said)
{
    struct bodies all = {0};
    bool some = false, good = true;
    find((const char *)source->data, source->size, &all);
    for (size_t at = 0, n; good && at < errors->size; at += n + 1) {
        const char *line = (const char *)errors->data + at;
        const char *end = memchr(line, '\n', errors->size - at);
        n = end ? (size_t)(end - line) : errors->size - at;
        if (memmem(line, n, "fatal error: too many errors", 28))
            continue;
        if (memmem(line, n, ": fatal error: ", 15))
            good = false;
        else if (memmem(line, n, ": error: ", 9))
            good = some = take(&all, source, path, line, n, said);
    }
    free(all.body);
    return some && good;
}
