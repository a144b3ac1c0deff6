/* smtrace.c -- reads binary traces (smrun --trace FILE --binary): prints one, or compares two.
 *
 * Two machines that are twins write the same bytes. Where they do not, the first difference is
 * shown with the commits of that warp that led there.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/usage.h"
#include "sm/gpu/gpu.h"

enum { OK, PROBLEM, USAGE };

static const struct usage_row rows[] = {
    {.help = "Commands"},
    {"smtrace FILE", "prints the trace, a line for each commit; - is standard input", 0},
    {"smtrace A B",
     "compares two traces: exit status 0 if they are equal, else 1, and the first difference is "
     "printed",
     0},
    USAGE_GENERAL,
    {0},
};
static const struct usage usage = {"smtrace", "reads traces that smrun --trace FILE --binary wrote",
                                   "FILE\nA B", rows};

struct reader {
    const char *path;
    struct fl_buf file;
    size_t at;
    long count;
};

static int open_reader(struct reader *r, const char *path, struct fl_err *err)
{
    size_t magic = strlen(SM_TRACE_MAGIC);
    *r = (struct reader){.path = path, .at = magic};
    if (fl_read_file(path, &r->file, err) != 0)
        return -1;
    if (r->file.size < magic || memcmp(r->file.data, SM_TRACE_MAGIC, magic) != 0)
        return fl_fail(
            err, "%s: not a binary trace; make one with smrun JOB.xml --trace FILE --binary", path);
    return 0;
}

/* 1: a record; 0: the end; -1: damaged. */
static int next(struct reader *r, struct sm_commit *c, struct fl_err *err)
{
    if (r->at == r->file.size)
        return 0;
    size_t n = sm_commit_unpack(r->file.data + r->at, r->file.size - r->at, c);
    if (n == 0)
        return fl_fail(err, "%s: damaged after record %ld, byte %zu; make the trace again", r->path,
                       r->count, r->at);
    r->at += n;
    r->count++;
    return 1;
}

static void show(const char *who, const struct sm_commit *c)
{
    struct fl_buf line = {0};
    sm_commit_print(NULL, c, &line);
    fputs(who, stdout);
    fl_print(stdout, (char *)line.data);
    putchar('\n');
    fl_buf_free(&line);
}

static int print(struct reader *r, struct fl_err *err)
{
    struct sm_commit c;
    int more;
    while ((more = next(r, &c, err)) > 0)
        show("", &c);
    return more;
}

/* The last records of one warp before a difference. */
enum { HISTORY = 6 };

static int compare(struct reader *a, struct reader *b, struct fl_err *err)
{
    static struct sm_commit x, y, history[SM_MAX_WARPS][HISTORY];
    long seen[SM_MAX_WARPS] = {0};
    for (;;) {
        size_t from_a = a->at, from_b = b->at;
        int more_a = next(a, &x, err), more_b = more_a < 0 ? -1 : next(b, &y, err);
        if (more_a < 0 || more_b < 0)
            return -1;
        if (!more_a && !more_b) {
            printf("the same: %ld commits\n", a->count);
            return 0;
        }
        bool same = more_a && more_b && a->at - from_a == b->at - from_b &&
                    memcmp(a->file.data + from_a, b->file.data + from_b, a->at - from_a) == 0;
        int warp = more_a ? x.warp : y.warp;
        bool known = warp >= 0 && warp < SM_MAX_WARPS;
        if (same) {
            if (known)
                history[warp][seen[warp]++ % HISTORY] = x;
            continue;
        }
        printf("they differ at commit %ld; what warp %d did before:\n",
               more_a ? a->count : b->count, warp);
        for (long i = known && seen[warp] > HISTORY ? seen[warp] - HISTORY : 0;
             known && i < seen[warp]; i++)
            show("  ", &history[warp][i % HISTORY]);
        if (more_a)
            show("< ", &x);
        if (more_b)
            show("> ", &y);
        if (!more_a || !more_b)
            printf("%s ends here\n", more_a ? b->path : a->path);
        return 1;
    }
}

int main(int argc, char **argv)
{
    struct reader a = {0}, b = {0};
    struct fl_err err;
    fl_start("smtrace");
    int option = usage_next(&usage, argc, argv);
    if (option != USAGE_END)
        return fl_end(option == USAGE_ANSWERED ? OK : USAGE);
    argc -= optind - 1;
    argv += optind - 1;
    if (argc < 2 || argc > 3)
        return fl_complain(USAGE, "name one trace to print, or two to compare; see smtrace --help");
    int r = open_reader(&a, fl_input(argv[1]), &err);
    if (r == 0 && argc == 3)
        r = open_reader(&b, fl_input(argv[2]), &err);
    if (r == 0)
        r = argc == 2 ? print(&a, &err) : compare(&a, &b, &err);
    if (r < 0)
        fl_complain(PROBLEM, "%s", err.msg);
    fl_buf_free(&a.file);
    fl_buf_free(&b.file);
    return fl_end(r == 0 ? OK : PROBLEM);
}
