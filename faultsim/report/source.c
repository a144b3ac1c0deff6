/* source.c -- see source.h. The text of an instruction ends in " // FILE:LINE: SOURCE" (result/identity.c), so that a store
 * of an earlier format, which lacks the source itself, still knows the lines of which instructions were made.
 */
#include "source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "avf.h"

bool source_place(const char *code, struct source_place *out)
{
    const char *file = strstr(code, " // ");
    out->code_length = (int)(file ? (size_t)(file - code) : strlen(code));
    for (const char *at = file; at && (at = strchr(at, ':')); at++) {
        char *end;
        long number = strtol(at + 1, &end, 10);
        if (!isdigit((unsigned char)at[1]) || end[0] != ':' || end[1] != ' ')
            continue;
        out->file = file + strlen(" // ");
        out->file_length = (int)(at - out->file);
        out->number = (int)number;
        out->text = end + 2;
        return true;
    }
    return false;
}

/* All of its lines, when the job holds it. */
static void add_lines(struct source_file *f, const struct result_job *j)
{
    const char *at = "";
    for (int i = 0; i < j->nsources; i++)
        if (strcmp(j->source[i].name, f->name) == 0)
            at = j->source[i].text;
    for (int room = 0; *at;) {
        int n = (int)strcspn(at, "\n");
        FL_ROOM(f->line, f->nlines, room, 64);
        f->line[f->nlines] = (struct source_line){.number = f->nlines + 1,
                                                  .text = fl_format("%.*s", n, at)};
        f->nlines++;
        at += n + (at[n] == '\n');
    }
}

static struct source_file *file_of(const struct result_job *j, struct source_file **file, int *n,
                                   const char *name, int length)
{
    for (int i = 0; i < *n; i++)
        if (strlen((*file)[i].name) == (size_t)length &&
            memcmp((*file)[i].name, name, (size_t)length) == 0)
            return &(*file)[i];
    *file = fl_grow(*file, (size_t)*n + 1, sizeof **file);
    (*file)[*n] = (struct source_file){.name = fl_format("%.*s", length, name)};
    add_lines(&(*file)[*n], j);
    return &(*file)[(*n)++];
}

/* A line of a file, added where it belongs when it is not there. */
static struct source_line *line_of(struct source_file *f, int number, const char *text)
{
    int at = number < f->nlines ? number : f->nlines;
    while (at && f->line[at - 1].number >= number)
        at--;
    if (at < f->nlines && f->line[at].number == number)
        return &f->line[at];
    f->line = fl_grow(f->line, (size_t)f->nlines + 1, sizeof *f->line);
    memmove(&f->line[at + 1], &f->line[at], (size_t)(f->nlines++ - at) * sizeof *f->line);
    f->line[at] = (struct source_line){.number = number, .text = fl_strdup(text)};
    return &f->line[at];
}

struct source_file *source_heat(const struct result_job *j, const struct result_part *p, int *count)
{
    struct source_file *file = NULL;
    struct source_place at;
    *count = 0;
    for (int i = 0; i < j->ncode; i++)
        if (source_place(j->code[i].text, &at))
            line_of(file_of(j, &file, count, at.file, at.file_length), at.number, at.text)->code =
                true;
    for (int i = 0; i < p->sites.count; i++) {
        const struct site *s = &p->sites.site[i];
        if (!source_place(avf_code_text(j, s->kernel, s->pc), &at))
            continue;
        struct source_file *f = file_of(j, &file, count, at.file, at.file_length);
        line_of(f, at.number, at.text)->failed[s->role] += fsim_outcomes_failed(s->outcome);
        f->failed[s->role] += fsim_outcomes_failed(s->outcome);
    }
    return file;
}

void source_free(struct source_file *file, int count)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < file[i].nlines; k++)
            free(file[i].line[k].text);
        free(file[i].line);
        free(file[i].name);
    }
    free(file);
}
