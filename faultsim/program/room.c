/* room.c -- see room.h. */
#include "room.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/fl.h"

static void lower(uint64_t *least, uint64_t now)
{
    *least = now < *least ? now : *least;
}

void room_look(const char *folder, struct room *least)
{
    struct statvfs s;
    if (statvfs(folder, &s) != 0)
        return;
    if (s.f_blocks)
        lower(&least->bytes, (uint64_t)s.f_bavail * s.f_frsize);
    if (s.f_files)
        lower(&least->files, s.f_favail);
}

/* The folder of a process has a link for each of its threads, `.` and `..`. */
static uint64_t threads_of(uid_t user)
{
    uint64_t n = 0;
    DIR *d = opendir("/proc");
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat s;
        char *path = fl_format("/proc/%s/task", e->d_name);
        if (strspn(e->d_name, "0123456789") == strlen(e->d_name) && stat(path, &s) == 0 &&
            s.st_uid == user)
            n += s.st_nlink - 2;
        free(path);
    }
    if (d)
        closedir(d);
    return n;
}

void room_look_at_processes(struct room *least)
{
    struct rlimit r;
    if (getuid() == 0 || getrlimit(RLIMIT_NPROC, &r) != 0 || r.rlim_cur == RLIM_INFINITY)
        return; /* root may start any */
    uint64_t there = threads_of(getuid());
    lower(&least->processes, r.rlim_cur > there ? r.rlim_cur - there : 0);
}

bool room_takes(const char *path, uint64_t bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool fits = fd >= 0 && (fallocate(fd, 0, 0, (off_t)bytes) == 0 || errno == EOPNOTSUPP);
    int why = errno;
    if (fd >= 0)
        close(fd);
    unlink(path);
    errno = why;
    return fits;
}
