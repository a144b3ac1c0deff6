/* plots.c -- the folder of --plots: the plots and tables of one campaign, and a list of them.
 *
 * The names begin with a number, so that another campaign writes other ones. A file that the list of an earlier campaign
 * names is replaced, or removed when the present campaign has no such file. A file that no list names is the user's: it is
 * neither removed nor written over.
 */
#include "commands.h"

#include <dirent.h>
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faultsim/report/avf.h"

static const char list_name[] = "plots.list",
                  list_head[] = "# faultsim --plots: the next campaign of this folder replaces\n";

struct names {
    char **name;
    int count;
};

static void add_name(struct names *n, const char *name, int length)
{
    n->name = fl_grow(n->name, (size_t)n->count + 1, sizeof *n->name);
    n->name[n->count++] = fl_format("%.*s", length, name);
}

static bool has_name(const struct names *n, const char *name)
{
    for (int i = 0; i < n->count; i++)
        if (strcmp(n->name[i], name) == 0)
            return true;
    return false;
}

static void free_names(struct names *n)
{
    while (n->count)
        free(n->name[--n->count]);
    free(n->name);
    *n = (struct names){0};
}

/* "01-outcomes.svg": the form that page_file gives all names. */
static bool is_plot(const char *name)
{
    static const char *const ending[] = {".svg", ".csv", ".dat", ".pdf"};
    const char *dot = strrchr(name, '.');
    size_t digits = strspn(name, "0123456789");
    bool good = false;
    for (size_t i = 0; dot && i < sizeof ending / sizeof *ending; i++)
        good |= strcmp(dot, ending[i]) == 0;
    return good && digits >= 2 && name[digits] == '-' && !strchr(name, '/');
}

/* The list of the folder; none where there is no file of it. */
static int read_list(const char *folder, struct names *out, struct fl_err *err)
{
    char *path = fl_format("%s/%s", folder, list_name);
    struct fl_buf text = {0};
    int bad = 0;
    *out = (struct names){0};
    if (access(path, F_OK) == 0)
        bad = fl_read_text(path, &text, err);
    const char *at = (const char *)text.data;
    bool ours = !text.size || strncmp(at, list_head, sizeof list_head - 1) == 0;
    for (at += ours && text.size ? sizeof list_head - 1 : 0; !bad && text.size && *at && ours;) {
        int length = (int)strcspn(at, "\n");
        add_name(out, at, length);
        ours = is_plot(out->name[out->count - 1]);
        at += length + (at[length] == '\n');
    }
    if (!ours)
        bad = fl_fail(err, "%s: is no list of files of --plots; remove it, or name another folder",
                      path);
    if (bad)
        free_names(out);
    fl_buf_free(&text);
    free(path);
    return bad ? -1 : 0;
}

static int write_list(const char *folder, const struct names *a, const struct names *b,
                      struct fl_err *err)
{
    char *path = fl_format("%s/%s", folder, list_name);
    struct fl_buf text = {0};
    fl_buf_printf(&text, "%s", list_head);
    for (int i = 0; i < a->count; i++)
        fl_buf_printf(&text, "%s\n", a->name[i]);
    for (int i = 0; b && i < b->count; i++)
        if (!has_name(a, b->name[i]))
            fl_buf_printf(&text, "%s\n", b->name[i]);
    int bad = fl_write_file(path, text.data, text.size, err);
    fl_buf_free(&text);
    free(path);
    return bad;
}

/* ---- before the campaign ---- */

/* Which outputs of the line, still to be made, have the name of a plot: that in the folder is taken. */
static void add_new(const char *folder, struct fl_files *files)
{
    for (int i = 0, n = files->count; i < n; i++) {
        const char *path = files->file[i].path, *slash = strrchr(path, '/'),
                   *name = slash ? slash + 1 : path;
        char *inside = fl_format("%s/%s", folder, name);
        if (files->file[i].out && is_plot(name) && access(inside, F_OK) != 0)
            fl_files_out_folder(files, "--plots", folder, name);
        free(inside);
    }
}

int cli_plots_check(const char *folder, struct fl_files *files, struct fl_err *err)
{
    struct names list;
    DIR *d = opendir(folder);
    int bad = read_list(folder, &list, err);
    if (d && !bad) {
        add_new(folder, files);
        fl_files_out_folder(files, "--plots", folder, list_name);
    }
    for (struct dirent *e; d && !bad && (e = readdir(d));) {
        if (!is_plot(e->d_name))
            continue;
        if (!has_name(&list, e->d_name))
            bad = fl_fail(err,
                          "--plots %s: %s in it has the name of a plot, and %s names no such file; "
                          "move it away, or name another folder",
                          folder, e->d_name, list_name);
        fl_files_out_folder(files, "--plots", folder, e->d_name);
    }
    if (d)
        closedir(d);
    free_names(&list);
    return bad;
}

int cli_folder(const char *option, const char *folder, struct fl_err *err)
{
    char *inside = fl_format("%s/.", folder);
    bool made = mkdir(folder, 0777) == 0 || errno == EEXIST;
    int bad = made && access(inside, W_OK) == 0
                  ? 0
                  : fl_fail(err, "--%s %s: cannot write into this folder: %s; name another one",
                            option, folder, strerror(errno));
    free(inside);
    return bad;
}

/* ---- after it ---- */

static char *pdf_of(const char *svg)
{
    return fl_format("%.*spdf", (int)strlen(svg) - 3, svg);
}

/* A picture as PDF beside its file, by rsvg-convert, which gets no date to write into it. What a shell would say of it: 127 where
 * it is not there. */
static int make_pdf(const char *svg)
{
    extern char **environ;
    char *pdf = pdf_of(svg);
    char *argv[] = {
        "env", "SOURCE_DATE_EPOCH=0", "rsvg-convert", "-f", "pdf", "-o", pdf, (char *)svg, NULL};
    int status = -1;
    pid_t pid;
    if (posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ) == 0)
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
            ;
    free(pdf);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int write_one(const char *folder, const struct page_file *f, bool pdf, struct fl_err *err)
{
    char *path = fl_format("%s%s/%s", *folder == '-' ? "./" : "", folder, f->name); /* no option */
    int bad = fl_write_file(path, f->text.data, f->text.size, err);
    if (!bad && pdf && strstr(f->name, ".svg") && make_pdf(path) != 0)
        bad = fl_fail(err, "%s: rsvg-convert cannot make a PDF of it; run it by hand to see why",
                      path);
    free(path);
    return bad;
}

/* What an earlier campaign has left, and this one has not written. */
static int remove_old(const char *folder, const struct names *old, const struct names *now,
                      struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; i < old->count && !bad; i++) {
        char *path = fl_format("%s/%s", folder, old->name[i]);
        if (!has_name(now, old->name[i]) && unlink(path) != 0 && errno != ENOENT)
            bad = fl_fail(err, "%s: cannot remove this plot of an earlier campaign: %s", path,
                          strerror(errno));
        free(path);
    }
    return bad;
}

int cli_plots_write(const struct cli_request *r, const struct page_files *files, struct fl_err *err)
{
    char *program = fl_find_program("rsvg-convert");
    struct names old, now = {0};
    bool pdf = program != NULL;
    free(program);
    int bad = read_list(r->plots, &old, err);
    for (int i = 0; i < files->count; i++) {
        const char *name = files->file[i].name;
        char *as_pdf = pdf && strstr(name, ".svg") ? pdf_of(name) : NULL;
        add_name(&now, name, (int)strlen(name));
        if (as_pdf)
            add_name(&now, as_pdf, (int)strlen(as_pdf));
        free(as_pdf);
    }
    bad = bad || write_list(r->plots, &now, &old, err); /* a kill leaves no file without its line */
    for (int i = 0; i < files->count && !bad; i++)
        bad = write_one(r->plots, &files->file[i], pdf, err);
    bad = bad || remove_old(r->plots, &old, &now, err) || write_list(r->plots, &now, NULL, err);
    if (!bad && files->count && !pdf && !r->quiet)
        fprintf(r->people, "--plots: there are no PDFs, as rsvg-convert is not installed (Debian: "
                           "librsvg2-bin).\n");
    free_names(&old);
    free_names(&now);
    return bad ? -1 : 0;
}
