/* files.c -- the four files of each program, and the folders of its launches, all or none.
 *
 * Everything is written into a fresh directory inside the target directory first; only when the
 * last file of the last program is complete do they move to their names, and the older files into
 * that directory. A job.xml is what makes a set of files usable, so it goes away first and comes
 * last: whatever interrupts the moving, no job.xml stands beside files that are not its own, and
 * the older files are in the directory .sbstgen-*, as NAME.old.
 */
#include "launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asm/isa/isa.h"
#include "asm/sasm/sasm.h"

enum { SOURCE, LISTING, CUBIN, JOB, KINDS };
static const char *const ending[KINDS] = {"sasm", "lst", "cubin", "job.xml"};

static char *file_name(const char *dir, const char *name, int kind)
{
    return fl_format("%s/%s.%s", dir, name, ending[kind]);
}

static int write_text(const char *stage, const char *name, int kind, const struct fl_buf *text,
                      struct fl_err *err)
{
    char *path = file_name(stage, name, kind);
    int bad = fl_write_file(path, text->data, text->size, err);
    free(path);
    return bad;
}

static char *folder_name(const char *program, int launch)
{
    return fl_format("%s.launch%d", program, launch);
}

/* The folders of a program's launches, made in `dir` (or removed, where they are empty). */
static int each_folder(const struct sbst_set *set, const char *dir, bool make, struct fl_err *err)
{
    int bad = 0;
    for (int i = 1; i <= set->launches && !bad; i++) {
        char *name = folder_name(set->name, i), *path = fl_format("%s/%s", dir, name);
        if (make)
            bad = sbst_make_folder(path, err);
        else
            rmdir(path);
        free(path);
        free(name);
    }
    return bad;
}

static int write_launches(const struct sbst_program *p, const struct cubin *cubin,
                          const char *stage, struct fl_err *err)
{
    int bad = 0;
    for (int i = 1; i <= (p->launch_folders ? p->nkernels : 0); i++)
        for (int kind = 0; kind < LAUNCH_FILES && !bad; kind++) {
            struct fl_buf text = {0};
            char *folder = folder_name(p->name, i);
            char *path = fl_format("%s/%s/%s", stage, folder, launch_file[kind]);
            bad = launch_write(p, cubin, i, kind, &text, err) != 0 ||
                  fl_write_file(path, text.data, text.size, err) != 0;
            fl_buf_free(&text);
            free(path);
            free(folder);
        }
    return bad ? -1 : 0;
}

static int write_stage(const void *program, const char *stage, struct fl_err *err)
{
    const struct sbst_program *p = program;
    struct fl_buf source = {0}, listing = {0}, job = {0};
    struct cubin *cubin = NULL;
    sbst_write_source(p, &source);
    int bad = write_text(stage, p->name, SOURCE, &source, err);
    bad = bad || sbst_assemble(p, &source, &cubin, err) != 0;
    bad = bad || sbst_write_listing(p, cubin, &listing, err) != 0;
    bad = bad || write_launches(p, cubin, stage, err) != 0;
    bad = bad || write_text(stage, p->name, LISTING, &listing, err) != 0;
    bad = bad || sbst_write_job(p, &job, err) != 0;
    bad = bad || write_text(stage, p->name, JOB, &job, err) != 0;
    if (!bad) {
        char *path = file_name(stage, p->name, CUBIN);
        bad = cubin_write(path, cubin, err) != 0;
        free(path);
    }
    if (cubin)
        cubin_free(cubin);
    fl_buf_free(&source);
    fl_buf_free(&listing);
    fl_buf_free(&job);
    return bad ? -1 : 0;
}

void sbst_write_code(const struct cubin_code *c, struct fl_buf *out)
{
    for (uint32_t at = 0; at < c->size;) {
        uint32_t word[2] = {0}; /* all machines that run this are little endian */
        char text[160];
        memcpy(word, c->bytes + at, c->size - at < sizeof word ? 4 : sizeof word);
        int size = word[0] & 1 ? 8 : 4;
        if (isa_print(word[0], word[1], text, sizeof text) < 0)
            *text = 0;
        fl_buf_printf(out, "  %06x  %08x ", c->base + at, word[0]);
        if (size == 8)
            fl_buf_printf(out, "%08x  %s\n", word[1], text);
        else
            fl_buf_printf(out, "%8s  %s\n", "", text);
        at += (uint32_t)size;
    }
}

int sbst_write_texts(const struct sbst_texts *t, const char *stage, struct fl_err *err)
{
    struct fl_buf listing = {0}, job = {0};
    struct cubin *cubin = NULL;
    char *path = file_name(stage, t->name, CUBIN), *source = fl_format("%s.sasm", t->name),
         *text = fl_format("%.*s", (int)t->source->size, (char *)t->source->data);
    int bad = write_text(stage, t->name, SOURCE, t->source, err) != 0 ||
              sasm_assemble(source, text, &cubin, err) != 0 ||
              t->listing(t->program, cubin, &listing, err) != 0 ||
              write_text(stage, t->name, LISTING, &listing, err) != 0 ||
              t->job(t->program, &job, err) != 0 ||
              write_text(stage, t->name, JOB, &job, err) != 0 || cubin_write(path, cubin, err) != 0;
    if (cubin)
        cubin_free(cubin);
    free(path);
    free(source);
    free(text);
    fl_buf_free(&listing);
    fl_buf_free(&job);
    return bad ? -1 : 0;
}

/* ---- moving them to their names ---- */

/* All files of a call, by name: a set each program, its job.xml last, then the schedule. */
struct names {
    char **name;
    int count;
};

static struct names list_names(const struct sbst_set *set, int count, const char *schedule)
{
    enum { MOST = KINDS + SBST_MAX_KERNELS * LAUNCH_FILES };
    struct names n = {fl_alloc(((size_t)count * MOST + 1) * sizeof *n.name), 0};
    for (int i = 0; i < count; i++) {
        for (int launch = 1; launch <= set[i].launches; launch++)
            for (int kind = 0; kind < LAUNCH_FILES; kind++) {
                char *folder = folder_name(set[i].name, launch);
                n.name[n.count++] = fl_format("%s/%s", folder, launch_file[kind]);
                free(folder);
            }
        for (int kind = 0; kind < KINDS; kind++)
            n.name[n.count++] = fl_format("%s.%s", set[i].name, ending[kind]);
    }
    if (schedule)
        n.name[n.count++] = fl_strdup(schedule);
    return n;
}

static void free_names(struct names *n)
{
    for (int i = 0; i < n->count; i++)
        free(n->name[i]);
    free(n->name);
}

/* 0: moved, 1: there is no `from`, -1: cannot. Nothing but a file is moved or replaced. */
static int move(const char *from_dir, const char *to_dir, const char *name, const char *to_name,
                struct fl_err *err)
{
    char *from = fl_format("%s/%s", from_dir, name), *to = fl_format("%s/%s", to_dir, to_name);
    struct stat st;
    int bad = lstat(from, &st) != 0 && errno == ENOENT ? 1 : 0;
    if (!bad && S_ISDIR(st.st_mode))
        bad = fl_fail(err, "%s: cannot write: %s; remove what is in the way", from,
                      strerror(EISDIR));
    else if (!bad && rename(from, to) != 0)
        bad = fl_fail(err, "%s: cannot write: %s", to, strerror(errno));
    free(from);
    free(to);
    return bad;
}

static int move_old(const char *from, const char *to, const char *name, bool back,
                    struct fl_err *err)
{
    char *old = fl_format("%s.old", name);
    int bad = move(from, to, back ? old : name, back ? name : old, err);
    free(old);
    return bad;
}

/* From the last name to the first, so that a job.xml goes before its cubin. */
int sbst_replace_files(char *const *name, int count, const char *stage, const char *dir,
                       struct fl_err *err)
{
    int aside = count, moved = 0, bad = 0;
    while (aside > 0 && bad >= 0)
        bad = move_old(dir, stage, name[--aside], false, err);
    for (; moved < count && bad >= 0; moved++)
        bad = move(stage, dir, name[moved], name[moved], err);
    if (bad >= 0)
        return 0;
    while (moved-- > 0)
        move(dir, stage, name[moved], name[moved], NULL);
    for (int i = aside; i < count; i++)
        move_old(stage, dir, name[i], true, NULL);
    return -1;
}

static void remove_stage(const struct names *n, const struct sbst_set *set, int count,
                         const char *stage)
{
    for (int i = 0; i < n->count; i++)
        for (int old = 0; old < 2; old++) {
            char *path = fl_format("%s/%s%s", stage, n->name[i], old ? ".old" : "");
            unlink(path);
            free(path);
        }
    for (int i = 0; i < count; i++)
        each_folder(&set[i], stage, false, NULL);
    rmdir(stage);
}

static int write_schedule(const char *name, const struct fl_buf *text, const char *stage,
                          struct fl_err *err)
{
    char *path = fl_format("%s/%s", stage, name);
    int bad = fl_write_file(path, text->data, text->size, err);
    free(path);
    return bad;
}

int sbst_make_folder(const char *dir, struct fl_err *err)
{
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return fl_fail(err,
                       "%s: cannot make this directory: %s; name one that can be written with -o",
                       dir, strerror(errno));
    return 0;
}

int sbst_check_outputs(const char *dir, char *const *name, int count, const struct fl_files *read,
                       struct fl_err *err)
{
    struct fl_files files = {0};
    if (read)
        fl_files_join(&files, read);
    for (int i = 0; i < count; i++) {
        char *path = fl_format("%s/%s", dir, name[i]);
        struct stat st;
        if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) /* else it goes over nothing */
            fl_files_out_folder(&files, "a file of -o", dir, name[i]);
        free(path);
    }
    int bad = fl_files_check(&files, err);
    fl_files_free(&files);
    return bad;
}

int sbst_write_sets(const struct sbst_set *set, int count, const char *schedule,
                    const struct fl_buf *text, const char *dir, const struct fl_files *read,
                    struct fl_err *err)
{
    struct names names = list_names(set, count, schedule);
    char *stage = fl_format("%s/.sbstgen-XXXXXX", dir);
    int bad = sbst_make_folder(dir, err) != 0 ||
              sbst_check_outputs(dir, names.name, names.count, read, err) != 0;
    if (bad) {
        bad = -1;
    } else if (!mkdtemp(stage)) {
        bad = fl_fail(err, "%s: cannot write there: %s; name another directory with -o", dir,
                      strerror(errno));
    } else {
        for (int i = 0; i < count && !bad; i++)
            bad = each_folder(&set[i], stage, true, err) != 0 ||
                  set[i].write(set[i].program, stage, err) != 0;
        if (schedule && !bad)
            bad = write_schedule(schedule, text, stage, err);
        for (int i = 0; i < count && !bad; i++)
            bad = each_folder(&set[i], dir, true, err);
        if (!bad)
            bad = sbst_replace_files(names.name, names.count, stage, dir, err);
        for (int i = 0; i < count && bad; i++)
            each_folder(&set[i], dir, false, NULL);
        remove_stage(&names, set, count, stage);
    }
    free_names(&names);
    free(stage);
    return bad;
}

int sbst_write_files(const struct sbst_program *p, int count, const char *schedule, const char *dir,
                     const struct fl_files *read, struct fl_err *err)
{
    struct sbst_set *set = fl_alloc((size_t)count * sizeof *set);
    struct fl_buf text = {0};
    for (int i = 0; i < count; i++)
        set[i] = (struct sbst_set){p[i].name, p[i].launch_folders ? p[i].nkernels : 0, &p[i],
                                   write_stage};
    if (schedule)
        sbst_write_schedule(p, count, &text);
    int bad = sbst_write_sets(set, count, schedule, &text, dir, read, err);
    fl_buf_free(&text);
    free(set);
    return bad;
}
