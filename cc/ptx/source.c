/* source.c -- see source.h. */
#include "source.h"
#include "base/mangled.h"

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

const char *cc_plain_name(struct cc_arena *arena, const char *name)
{
    const char *inside = strstr(name, "_$_"); /* function_$_variable, of OpenCL C */
    size_t length;
    if (inside)
        return inside + 3;
    const char *plain = fl_source_name(name, &length);
    return plain == name ? name : cc_text(arena, plain, length);
}
