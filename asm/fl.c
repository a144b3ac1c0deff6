/* fl.c -- error messages, whole files in and out, growing buffers. See fl.h for the rules of use. */
#include "fl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int fl_fail(struct fl_err *err, const char *fmt, ...)
{
    if (err) {
        va_list ap;
        va_start(ap, fmt);
        vsnprintf(err->msg, sizeof err->msg, fmt, ap);
        va_end(ap);
    }
    return -1;
}

static void *must(void *p)
{
    if (!p) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return p;
}

void *fl_alloc(size_t n)
{
    return must(calloc(1, n ? n : 1));
}

void *fl_grow(void *p, size_t count, size_t n)
{
    return must(reallocarray(p, count ? count : 1, n));
}

char *fl_strdup(const char *s)
{
    return must(strdup(s));
}

char *fl_format(const char *fmt, ...)
{
    va_list ap;
    char *s;
    va_start(ap, fmt);
    int n = vasprintf(&s, fmt, ap);
    va_end(ap);
    return must(n < 0 ? NULL : s);
}

static void reserve(struct fl_buf *b, size_t more)
{
    size_t need = b->size + more + 1; /* + 1: the zero byte behind the end */
    if (need <= b->room)
        return;
    size_t room = b->room ? b->room : 256;
    while (room < need)
        room *= 2;
    b->data = fl_grow(b->data, room, 1);
    b->room = room;
}

void fl_buf_add(struct fl_buf *b, const void *bytes, size_t n)
{
    reserve(b, n);
    if (n)
        memcpy(b->data + b->size, bytes, n);
    b->size += n;
    b->data[b->size] = 0;
}

void fl_buf_printf(struct fl_buf *b, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n > 0) {
        reserve(b, (size_t)n);
        vsnprintf((char *)b->data + b->size, (size_t)n + 1, fmt, again);
        b->size += (size_t)n;
    }
    va_end(again);
}

void fl_buf_free(struct fl_buf *b)
{
    free(b->data);
    *b = (struct fl_buf){0};
}

static const char *kind_of_file(mode_t mode)
{
    return S_ISDIR(mode)                    ? "a directory"
           : S_ISFIFO(mode)                 ? "a pipe"
           : S_ISCHR(mode) || S_ISBLK(mode) ? "a device"
           : S_ISSOCK(mode)                 ? "a socket"
                                            : "no regular file";
}

int fl_read_file(const char *path, struct fl_buf *out, struct fl_err *err)
{
    bool standard = strcmp(path, "/dev/stdin") == 0; /* whoever names it means a pipe, often */
    /* O_NONBLOCK: a FIFO that nobody writes to is to be refused, not waited for */
    int fd = standard ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return fl_fail(err, "%s: cannot open: %s", path, strerror(errno));
    struct stat st;
    if (fstat(fd, &st) != 0)
        st.st_mode = 0;
    if (S_ISDIR(st.st_mode) || (!S_ISREG(st.st_mode) && !standard)) {
        close(fd);
        return fl_fail(err, "%s: is %s, a file is needed", path, kind_of_file(st.st_mode));
    }
    char chunk[65536];
    ssize_t n;
    while (((n = read(fd, chunk, sizeof chunk)) > 0 || (n < 0 && errno == EINTR)) &&
           out->size <= (size_t)1 << 30)
        fl_buf_add(out, chunk, n > 0 ? (size_t)n : 0);
    int bad = n < 0 ? errno : 0;
    close(fd);
    if (bad || out->size > (size_t)1 << 30) {
        fl_buf_free(out);
        return fl_fail(err, "%s: cannot read: %s", path, bad ? strerror(bad) : "larger than 1 GiB");
    }
    fl_buf_add(out, "", 0); /* an empty file has a buffer too */
    return 0;
}

static int write_all(int fd, const uint8_t *data, size_t size)
{
    while (size) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        data += n;
        size -= (size_t)n;
    }
    return 0;
}

/* The open descriptor that a path names, or -1. */
static int descriptor(const char *path)
{
    int n, used = 0;
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    return sscanf(path, "/dev/fd/%d%n", &n, &used) == 1 && path[used] == 0 ? n : -1;
}

static int cannot_write(const char *path, int why, struct fl_err *err)
{
    return fl_fail(err, "%s: cannot write: %s", path, strerror(why));
}

/* /dev/full, a pipe, any link: a rename would replace the name itself, so it is written in place */
static bool in_place(const char *path, struct stat *st)
{
    struct stat link;
    return stat(path, st) == 0 &&
           (!S_ISREG(st->st_mode) || (lstat(path, &link) == 0 && S_ISLNK(link.st_mode)));
}

int fl_can_write(const char *path, struct fl_err *err)
{
    struct stat st;
    if (descriptor(path) >= 0)
        return 0;
    if (in_place(path, &st)) {
        bool good = !S_ISDIR(st.st_mode) && access(path, W_OK) == 0;
        return good ? 0 : cannot_write(path, S_ISDIR(st.st_mode) ? EISDIR : errno, err);
    }
    char *tmp = fl_format("%s.XXXXXX", path);
    int fd = mkstemp(tmp), why = errno;
    if (fd >= 0) {
        close(fd);
        unlink(tmp);
    }
    free(tmp);
    return fd >= 0 ? 0 : cannot_write(path, why, err);
}

int fl_write_file(const char *path, const void *data, size_t size, struct fl_err *err)
{
    struct stat st;
    if (descriptor(path) >= 0) { /* opened anew, a file behind it would be written from its start */
        fflush(stdout);
        return write_all(descriptor(path), data, size) == 0 ? 0 : cannot_write(path, errno, err);
    }
    if (in_place(path, &st)) {
        int fd = open(path, S_ISREG(st.st_mode) ? O_WRONLY | O_TRUNC : O_WRONLY);
        if (fd >= 0 && write_all(fd, data, size) == 0 && close(fd) == 0)
            return 0;
        return cannot_write(path, errno, err);
    }
    char *tmp = fl_format("%s.XXXXXX", path);
    int fd = mkstemp(tmp);
    if (fd < 0) {
        cannot_write(path, errno, err);
        free(tmp);
        return -1;
    }
    mode_t mask = umask(0);
    umask(mask);
    int bad = write_all(fd, data, size) != 0 || fchmod(fd, 0666 & ~mask) != 0 || fsync(fd) != 0;
    int why = errno;
    if (close(fd) != 0 && !bad) {
        bad = 1;
        why = errno;
    }
    if (!bad && rename(tmp, path) != 0) {
        bad = 1;
        why = errno;
    }
    if (bad) {
        unlink(tmp);
        cannot_write(path, why, err);
    }
    free(tmp);
    return bad ? -1 : 0;
}

char *fl_path_beside(const char *a, const char *b)
{
    const char *slash = strrchr(a, '/');
    if (b[0] == '/' || !slash)
        return fl_strdup(b);
    return fl_format("%.*s/%s", (int)(slash - a), a, b);
}
