/* folder.c -- see folder.h. */
#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int no(const char *path, struct fl_err *err)
{
    return fl_fail(err, "%s: %s", path, strerror(errno));
}

/* The kernel copies, or shares, the bytes where it can. */
static bool copy_bytes(int from, int to)
{
    enum { AT_ONCE = 1 << 16 };
    ssize_t n;
    while ((n = copy_file_range(from, NULL, to, NULL, 1 << 30, 0)) > 0)
        ;
    if (n == 0)
        return true;
    char *room = fl_alloc(AT_ONCE);
    while ((n = read(from, room, AT_ONCE)) > 0)
        for (ssize_t done = 0, m; done < n; done += m)
            if ((m = write(to, room + done, (size_t)(n - done))) < 0) {
                free(room);
                return false;
            }
    free(room);
    return n == 0;
}

static int copy_file(const char *from, const char *to, mode_t mode, struct fl_err *err)
{
    int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return no(from, err);
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode | S_IWUSR);
    bool bad = out < 0 || !copy_bytes(in, out);
    int why = errno;
    close(in);
    if (out >= 0 && close(out) != 0 && !bad) {
        bad = true;
        why = errno;
    }
    errno = why;
    return bad ? no(to, err) : 0;
}

static int copy_link(const char *from, const char *to, struct fl_err *err)
{
    char target[4096];
    ssize_t n = readlink(from, target, sizeof target - 1);
    if (n < 0)
        return no(from, err);
    target[n] = 0;
    return symlink(target, to) == 0 ? 0 : no(to, err);
}

static bool is_left_out(const struct folder_copy *c, const struct stat *s)
{
    for (int i = 0; i < c->nwithout; i++)
        if (c->without[i].st_ino == s->st_ino && c->without[i].st_dev == s->st_dev)
            return true;
    return false;
}

static int copy_one(const char *from, const char *to, struct folder_copy *c, struct fl_err *err)
{
    struct stat s;
    if (lstat(from, &s) != 0)
        return no(from, err);
    if (is_left_out(c, &s))
        return 0;
    if (S_ISDIR(s.st_mode))
        return folder_copy(from, to, c, err);
    c->files++;
    c->bytes += S_ISREG(s.st_mode) ? (uint64_t)s.st_size : 0;
    if (c->most_bytes && (c->bytes > c->most_bytes || c->files > c->most_files))
        return fl_fail(
            err,
            "the folder has more than %llu MiB or %ld files, and each run gets a copy of "
            "it: run the program in a folder with what it needs",
            (unsigned long long)(c->most_bytes >> 20), c->most_files);
    return S_ISREG(s.st_mode)   ? copy_file(from, to, s.st_mode & 0777, err)
           : S_ISLNK(s.st_mode) ? copy_link(from, to, err)
                                : 0;
}

int folder_copy(const char *from, const char *to, struct folder_copy *c, struct fl_err *err)
{
    int bad = 0;
    DIR *d = opendir(from);
    if (!d)
        return no(from, err);
    if (mkdir(to, 0700) != 0)
        bad = no(to, err);
    for (struct dirent *e; !bad && (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        char *a = fl_format("%s/%s", from, e->d_name), *b = fl_format("%s/%s", to, e->d_name);
        bad = copy_one(a, b, c, err);
        free(a);
        free(b);
    }
    closedir(d);
    return bad;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    (void)s, (void)at;
    if (kind == FTW_DNR && chmod(path, 0700) == 0) /* the program has locked it */
        folder_remove(path);
    remove(path);
    return 0;
}

void folder_remove(const char *path)
{
    enum { DESCRIPTORS = 16 };
    nftw(path, remove_one, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
}
