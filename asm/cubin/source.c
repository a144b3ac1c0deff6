/* source.c -- lines of the source that a cubin was compiled from.
 *
 * Two sections of ours, both text: .faultline.lines.<kernel> has a line for each range of code, "address line file" with the
 * address in hexadecimal; .faultline.source.<file> is the file itself, so that a report can show it wherever the cubin went.
 */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cubin_find_source(const struct cubin *c, const char *name)
{
    for (int i = 0; i < c->nsources; i++)
        if (strcmp(c->source[i].name, name) == 0)
            return i;
    return -1;
}

int cubin_source(struct cubin *c, const char *name)
{
    int found = cubin_find_source(c, name);
    if (found >= 0)
        return found;
    c->source = fl_grow(c->source, (size_t)c->nsources + 1, sizeof *c->source);
    c->source[c->nsources] = (struct cubin_source){.name = fl_strdup(name)};
    return c->nsources++;
}

void cubin_take_sources(struct cubin *c, const char *beside, struct fl_files *files)
{
    for (int i = 0; i < c->nsources; i++) {
        struct cubin_source *s = &c->source[i];
        char *path = beside ? fl_path_beside(beside, s->name) : fl_strdup(s->name);
        struct fl_buf text = {0};
        if (!s->text && fl_read_file(path, &text, NULL) == 0) {
            s->text = fl_strdup((const char *)text.data);
            if (files)
                fl_files_in(files, "the source of .line", path);
        }
        fl_buf_free(&text);
        free(path);
    }
}

const struct cubin_line *cubin_line_at(const struct cubin_kernel *k, uint32_t addr)
{
    const struct cubin_line *found = NULL;
    for (int low = 0, high = k->nlines; low < high;) {
        int middle = (low + high) / 2;
        if (k->line[middle].addr <= addr) {
            found = &k->line[middle];
            low = middle + 1;
        } else
            high = middle;
    }
    return found && found->line ? found : NULL;
}

const char *cubin_source_line(const struct cubin_source *source, int number, int *length)
{
    const char *s = source->text;
    while (s && --number > 0) {
        s = strchr(s, '\n');
        s = s ? s + 1 : NULL;
    }
    if (!s || !*s)
        return NULL;
    *length = (int)strcspn(s, "\r\n");
    return s;
}

static int by_address(const void *a, const void *b)
{
    const struct cubin_line *x = a, *y = b;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

int cubin_read_lines(struct cubin *c, struct cubin_kernel *k, const char *text, size_t size)
{
    char *copy = fl_format("%.*s", (int)size, text), *rest = copy;
    int bad = 0, room = k->nlines;
    for (char *line; !bad && (line = strsep(&rest, "\n"));) {
        unsigned address, number;
        int at = 0;
        if (!*line)
            continue;
        if (sscanf(line, "%x %u %n", &address, &number, &at) != 2 || !at || !line[at] ||
            number > 1u << 30 || c->nsources > CUBIN_MAX_SOURCES) {
            bad = -1;
            break;
        }
        FL_ROOM(k->line, k->nlines, room, 64);
        k->line[k->nlines++] = (struct cubin_line){address, cubin_source(c, line + at),
                                                   (int)number};
    }
    if (k->nlines)
        qsort(k->line, (size_t)k->nlines, sizeof *k->line, by_address);
    free(copy);
    return bad;
}

bool cubin_source_has_lines(const struct cubin *c, int source)
{
    for (int i = 0; i < c->nkernels; i++)
        for (int k = 0; k < c->kernel[i].nlines; k++)
            if (c->kernel[i].line[k].source == source)
                return true;
    return false;
}

void cubin_write_lines(const struct cubin *c, const struct cubin_kernel *k, struct fl_buf *out)
{
    for (int i = 0; i < k->nlines; i++)
        fl_buf_printf(out, "%x %d %s\n", k->line[i].addr, k->line[i].line,
                      c->source[k->line[i].source].name);
}

void cubin_free_sources(struct cubin *c)
{
    for (int i = 0; i < c->nsources; i++) {
        free(c->source[i].name);
        free(c->source[i].text);
    }
    free(c->source);
}
