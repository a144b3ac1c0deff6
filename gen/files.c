/* files.c -- the four files of each program, all or none.
 *
 * Everything is written into a fresh directory inside the target directory first; only when the last file of the last
 * program is complete do they move to their names. A job.xml is what makes a set of files usable, so it goes away first
 * and comes last: whatever interrupts the moving, no job.xml stands beside files that are not its own.
 */
#include "sbst.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SOURCE, LISTING, CUBIN, JOB, KINDS };
static const char *const ending[KINDS] = {"sasm", "lst", "cubin", "job.xml"};

static char *file_name(const char *dir, const struct sbst_program *p, int kind)
{
    return fl_format("%s/%s.%s", dir, p->name, ending[kind]);
}

static int write_text(const char *stage, const struct sbst_program *p, int kind,
                      const struct fl_buf *text, struct fl_err *err)
{
    char *path = file_name(stage, p, kind);
    int bad = fl_write_file(path, text->data, text->size, err);
    free(path);
    return bad;
}

static int write_stage(const struct sbst_program *p, const char *stage, struct fl_err *err)
{
    struct fl_buf source = {0}, listing = {0}, job = {0};
    struct cubin *cubin = NULL;
    sbst_write_source(p, &source);
    int bad = write_text(stage, p, SOURCE, &source, err);
    bad = bad || sbst_assemble(p, &source, &cubin, err) != 0;
    bad = bad || sbst_write_listing(p, cubin, &listing, err) != 0;
    bad = bad || write_text(stage, p, LISTING, &listing, err) != 0;
    bad = bad || sbst_write_job(p, &job, err) != 0;
    bad = bad || write_text(stage, p, JOB, &job, err) != 0;
    if (!bad) {
        char *path = file_name(stage, p, CUBIN);
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

static void remove_set(const struct sbst_program *p, const char *dir)
{
    for (int kind = KINDS - 1; kind >= 0; kind--) {
        char *path = file_name(dir, p, kind);
        unlink(path);
        free(path);
    }
}

static int move_set(const struct sbst_program *p, const char *stage, const char *dir,
                    struct fl_err *err)
{
    char *job = file_name(dir, p, JOB);
    unlink(job); /* what stands in the way otherwise, rename will say */
    free(job);
    for (int kind = 0; kind < KINDS; kind++) {
        char *from = file_name(stage, p, kind), *to = file_name(dir, p, kind);
        int bad = rename(from, to);
        if (bad)
            fl_fail(err, "%s: cannot write: %s; remove what is in the way", to, strerror(errno));
        free(from);
        free(to);
        if (bad) {
            remove_set(p, dir);
            return -1;
        }
    }
    return 0;
}

/* The schedule in `dir` or, while it is made, in the stage. */
static int write_schedule(const struct sbst_program *p, int count, const char *name,
                          const char *stage, struct fl_err *err)
{
    struct fl_buf text = {0};
    sbst_write_schedule(p, count, &text);
    char *path = fl_format("%s/%s", stage, name);
    int bad = fl_write_file(path, text.data, text.size, err);
    free(path);
    fl_buf_free(&text);
    return bad;
}

static int move_schedule(const char *name, const char *stage, const char *dir, struct fl_err *err)
{
    char *from = fl_format("%s/%s", stage, name), *to = fl_format("%s/%s", dir, name);
    int bad = rename(from, to);
    if (bad)
        fl_fail(err, "%s: cannot write: %s; remove what is in the way", to, strerror(errno));
    unlink(from);
    free(from);
    free(to);
    return bad;
}

int sbst_write_files(const struct sbst_program *p, int count, const char *schedule, const char *dir,
                     struct fl_err *err)
{
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return fl_fail(err,
                       "%s: cannot make this directory: %s; name one that can be written with -o",
                       dir, strerror(errno));
    char *stage = fl_format("%s/.sbstgen-XXXXXX", dir);
    int bad = 0;
    if (!mkdtemp(stage)) {
        bad = fl_fail(err, "%s: cannot write there: %s; name another directory with -o", dir,
                      strerror(errno));
    } else {
        for (int i = 0; i < count && !bad; i++)
            bad = write_stage(&p[i], stage, err);
        if (schedule && !bad)
            bad = write_schedule(p, count, schedule, stage, err);
        for (int i = 0; i < count && !bad; i++)
            bad = move_set(&p[i], stage, dir, err);
        if (schedule && !bad)
            bad = move_schedule(schedule, stage, dir, err);
        for (int i = 0; i < count; i++)
            remove_set(&p[i], stage); /* after an error: what did not move */
        if (schedule && bad) {
            char *left = fl_format("%s/%s", stage, schedule);
            unlink(left);
            free(left);
        }
        rmdir(stage);
    }
    free(stage);
    return bad;
}
