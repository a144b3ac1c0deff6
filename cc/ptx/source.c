/* source.c -- see source.h. */
#include "source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Line `number` of a text, without its end; NULL when there is none. */
static const char *line_of(const char *text, int number, int *n)
{
    while (text && --number > 0) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    if (text)
        *n = (int)strcspn(text, "\r\n");
    return text && *n < 400 ? text : NULL;
}

int cc_source_fail(const struct cc_source *s, const struct ptx_module *m, const struct cc_place *at,
                   struct fl_err *err, const char *message)
{
    struct fl_buf text = {0};
    const char *file = at->line ? m->file[at->file].name : NULL;
    int n = 0, line = at->line, column = at->column ? at->column : 1;
    const char *shown = NULL;
    if (file && fl_read_file(file, &text, NULL) == 0)
        shown = line_of((const char *)text.data, line, &n);
    if (!file && s->is_ptx) {
        file = s->name;
        line = at->ptx_line;
        column = 1;
        shown = line_of(s->ptx, line, &n);
    }
    if (!file || line == 0)
        fl_fail(err, "%s: error: %s", s->name, message);
    else if (shown)
        fl_fail(err, "%s:%d:%d: error: %s\n%.*s\n%*s^", file, line, column, message, n, shown,
                column > 1 && column <= n + 1 ? column - 1 : 0, "");
    else
        fl_fail(err, "%s:%d:%d: error: %s", file, line, column, message);
    fl_buf_free(&text);
    return -1;
}

const char *cc_source_shown(const struct cc_source *s, struct cc_arena *arena, const char *folder,
                            const char *file)
{
    const char *shown = file;
    char *path = *file == '/' || !*folder ? fl_strdup(file) : fl_format("%s/%s", folder, file),
         *real = realpath(path, NULL), *source = s->is_ptx ? NULL : realpath(s->name, NULL),
         *here = getcwd(NULL, 0);
    size_t n = here ? strlen(here) : 0;
    if (real && source && strcmp(real, source) == 0)
        shown = s->name;
    else if (n > 1 && strncmp(path, here, n) == 0 && path[n] == '/')
        shown = cc_text(arena, path + n + 1, strlen(path + n + 1));
    free(path);
    free(real);
    free(source);
    free(here);
    return shown;
}

/* 4fibo: the name; `end` behind it. NULL: something else. */
static const char *counted(const char *s, const char **end)
{
    char *name;
    unsigned long n = isdigit((unsigned char)*s) ? strtoul(s, &name, 10) : 0;
    if (!n || n > strlen(name))
        return NULL;
    *end = name + n;
    return name;
}

const char *cc_plain_name(struct cc_arena *arena, const char *name)
{
    const char *plain = NULL, *end = name, *next, *inside = strstr(name, "_$_");
    if (inside) /* function_$_variable, of OpenCL C */
        return inside + 3;
    if (strncmp(name, "_Z", 2))
        return name;
    const char *s = name + 2;
    if (*s == 'Z') /* of a variable in a function: the name behind the last E */
        for (const char *e = strrchr(s, 'E'); e && e > s && !counted(s, &end); e--)
            s = *e == 'E' ? e + 1 : s;
    bool nested = *s == 'N'; /* else what comes behind the name are types */
    s += strspn(s, "NLKVr");
    while ((next = counted(s, &end)) != NULL) {
        plain = next;
        s = end;
        if (!nested)
            break;
    }
    return plain ? cc_text(arena, plain, (size_t)(end - plain)) : name;
}
