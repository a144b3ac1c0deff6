/* lines.c -- see lines.h. The text of an instruction ends in " // FILE:LINE: SOURCE" (result/identity.c), so a store needs
 * nothing more to know the lines. */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "base/table.h"
#include "avf.h"

static int by_line(const void *a, const void *b)
{
    const struct line_row *x = a, *y = b;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return strcmp(x->text, y->text);
}

/* In the order of the source. Empty when no instruction has a line. Caller frees. */
static struct line_row *rows_of(const struct result_job *j, const struct result_part *p,
                                enum site_role role, int *count)
{
    struct line_row *row = NULL;
    int n = 0, room = 0;
    for (int i = 0; i < p->sites.count; i++) {
        const struct site *s = &p->sites.site[i];
        const char *text = strstr(avf_code_text(j, s->kernel, s->pc), " // ");
        if (s->role != role || !text || fsim_outcomes_failed(s->outcome) == 0)
            continue;
        int at = 0;
        text += strlen(" // ");
        while (at < n && (row[at].kernel != s->kernel || strcmp(row[at].text, text)))
            at++;
        if (at == n) {
            const char *number = strchr(text, ':');
            FL_ROOM(row, n, room, 16);
            row[n++] = (struct line_row){
                .text = text, .kernel = s->kernel, .number = number ? atoi(number + 1) : 0};
        }
        row[at].failed += fsim_outcomes_failed(s->outcome);
        for (int o = 0; o < OUT_COUNT; o++)
            row[at].outcome[o] += s->outcome[o];
    }
    if (n)
        qsort(row, (size_t)n, sizeof *row, by_line);
    *count = n;
    return row;
}

void lines_print(const struct result_job *j, const struct result_part *p, bool drawn,
                 const char *what, struct fl_buf *out)
{
    int n;
    struct line_row *row = rows_of(j, p, SITE_READER, &n);
    struct tally all;
    result_tally(j, p, -1, &all);
    struct fl_table t = {0};
    fl_table_title(&t, "%s, %s (%s): %s", j->name, p->target,
                   tally_method_name(drawn ? METHOD_SAMPLE : p->method), what);
    char *head = fl_format("share %%|%g %% interval|<line", 100 * p->confidence);
    fl_table_columns(&t, head);
    free(head);
    for (int i = 0; i < n; i++) {
        struct stats_interval at = stats_wilson(row[i].failed, all.counted, p->confidence);
        fl_table_cell(&t, "%.*f", drawn ? 2 : 4, 100 * (double)row[i].failed / (double)all.counted);
        if (drawn)
            fl_table_cell(&t, "%.2f-%.2f", 100 * at.lo, 100 * at.hi);
        else
            fl_table_cell(&t, "-");
        fl_table_cell(&t, "%s", row[i].text);
    }
    fl_table_print(&t, out);
    free(row);
}
