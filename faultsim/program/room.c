/* room.c -- see room.h. */
#include "room.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/quota.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fl.h"

static void lower(uint64_t *least, uint64_t now)
{
    *least = now < *least ? now : *least;
}

static uint64_t left(uint64_t limit, uint64_t used)
{
    return limit > used ? limit - used : 0;
}

/* Where the file system does not tell, as network file systems do not, there is none. */
static void look_at_quota(const char *folder, struct room *least)
{
    const struct {
        unsigned kind;
        uint32_t id;
    } who[] = {{USRQUOTA, geteuid()}, {GRPQUOTA, getegid()}};
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; fd >= 0 && i < sizeof who / sizeof *who; i++) {
        struct dqblk q = {0};
        unsigned command = (unsigned)Q_GETQUOTA << SUBCMDSHIFT |
                           who[i].kind; /* QCMD shifts an int */
        if (syscall(SYS_quotactl_fd, fd, command, who[i].id, &q) != 0)
            continue;
        if (q.dqb_bhardlimit) /* in KiB */
            lower(&least->bytes, left(q.dqb_bhardlimit << 10, q.dqb_curspace));
        if (q.dqb_ihardlimit)
            lower(&least->files, left(q.dqb_ihardlimit, q.dqb_curinodes));
    }
    if (fd >= 0)
        close(fd);
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
    look_at_quota(folder, least);
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
    lower(&least->processes, left(r.rlim_cur, threads_of(getuid())));
}
