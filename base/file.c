/* file.c -- whole files in and out, temporary files, and what a command reads and writes. See
 * fl.h. */
#include "fl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- temporary files that a signal removes ---- */

/* A table of the process, since a signal handler can ask nobody. A name is written before `used` is
 * set and stays until the slot is taken again, so that the handler never reads memory that another
 * thread frees. More files at once than slots, or longer names: those are not removed. */
enum { SLOTS = 32 };
static struct slot {
    atomic_bool taken, used;
    char path[PATH_MAX];
} slots[SLOTS];

void fl_temporary_add(const char *path)
{
    for (int i = 0; strlen(path) < PATH_MAX && i < SLOTS; i++)
        if (!atomic_exchange(&slots[i].taken, true)) {
            strcpy(slots[i].path, path);
            atomic_store(&slots[i].used, true);
            return;
        }
}

void fl_temporary_done(const char *path)
{
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&slots[i].used) && strcmp(slots[i].path, path) == 0) {
            atomic_store(&slots[i].used, false);
            atomic_store(&slots[i].taken, false);
            return;
        }
}

void fl_remove_temporaries(void)
{
    for (int i = 0; i < SLOTS; i++)
        if (atomic_load(&slots[i].used))
            unlink(slots[i].path);
}

/* ---- names ---- */

const char *fl_input(const char *path)
{
    return strcmp(path, "-") == 0 ? "/dev/stdin" : path;
}

const char *fl_output(const char *path)
{
    return strcmp(path, "-") == 0 ? "/dev/stdout" : path;
}

/* The open descriptor that a path names, or -1. */
static int descriptor(const char *path)
{
    int n, used = 0;
    if (strcmp(path, "/dev/stdin") == 0)
        return STDIN_FILENO;
    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    return sscanf(path, "/dev/fd/%d%n", &n, &used) == 1 && path[used] == 0 ? n : -1;
}

char *fl_path_beside(const char *a, const char *b)
{
    const char *slash = strrchr(a, '/');
    if (b[0] == '/' || !slash || strcmp(a, "/dev/stdin") == 0)
        return fl_strdup(b);
    return fl_format("%.*s/%s", (int)(slash - a), a, b);
}

/* ---- reading ---- */

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

int fl_read_text(const char *path, struct fl_buf *out, struct fl_err *err)
{
    if (fl_read_file(path, out, err) != 0)
        return -1;
    if (out->size > 1 && out->data[0] == 0x1f && out->data[1] == 0x8b) {
        fl_buf_free(out);
        return fl_fail(err, "%s: is compressed; unpack it with gunzip", path);
    }
    const uint8_t *zero = out->size ? memchr(out->data, 0, out->size) : NULL;
    if (!zero)
        return 0;
    int line = 1;
    for (const uint8_t *s = out->data; s < zero; s++)
        line += *s == '\n';
    fl_buf_free(out);
    return fl_fail(err, "%s:%d: a zero byte in a text file; remove it", path, line);
}

/* Behind the end of what begins at `s` and ends with `end`. */
static const char *skip(const char *s, const char *end, int *line)
{
    const char *stop = strstr(s, end);
    stop = stop ? stop + strlen(end) : s + strlen(s);
    for (; s < stop; s++)
        *line += *s == '\n';
    return stop;
}

int fl_xml_limits(const char *path, const struct fl_buf *text, struct fl_err *err)
{
    int line = 1, attributes = 0;
    bool tag = false;
    if (text->size > FL_XML_BYTES)
        return fl_fail(err, "%s:1: larger than %d bytes; put the data into files of their own",
                       path, FL_XML_BYTES);
    for (const char *s = (const char *)text->data; *s;) {
        if (tag && (*s == '"' || *s == '\''))
            s = skip(s + 1, (char[]){*s, 0}, &line);
        else if (!tag && strncmp(s, "<!--", 4) == 0)
            s = skip(s, "-->", &line);
        else if (!tag && strncmp(s, "<![CDATA[", 9) == 0)
            s = skip(s, "]]>", &line);
        else {
            attributes = *s == '<' ? 0 : attributes + (tag && *s == '=');
            tag = *s == '<' || (tag && *s != '>');
            line += *s++ == '\n';
            if (attributes > FL_XML_ATTRIBUTES)
                return fl_fail(err, "%s:%d: more than %d attributes in one element; remove some",
                               path, line, FL_XML_ATTRIBUTES);
        }
    }
    return 0;
}

/* ---- writing ---- */

static int cannot_write(const char *path, int why, struct fl_err *err)
{
    return fl_fail(err, "%s: cannot write: %s", path, strerror(why ? why : EIO));
}

/* A new file beside `target` with a name that says what it is. */
static int open_named(const char *target, char **temporary)
{
    const char *slash = strrchr(target, '/');
    int dir = slash ? (int)(slash - target) + 1 : 0, fd = -1;
    *temporary = NULL;
    for (int i = 0; fd < 0 && i < 1000; i++) {
        free(*temporary);
        /* the first 200 bytes: a name has room for 255 */
        *temporary = fl_format("%.*s%.200s.unfinished-%d-%d", dir, target, target + dir,
                               (int)getpid(), i);
        fd = open(*temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd >= 0) {
        fl_temporary_add(*temporary);
    } else {
        free(*temporary);
        *temporary = NULL;
    }
    return fd;
}

static int open_temporary(const char *target, char **temporary)
{
    *temporary = NULL;
    char *dir = fl_path_beside(target, ".");
    /* a file without a name gets one by way of /proc */
    int fd = access("/proc/self/fd", X_OK) == 0 ? open(dir, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666)
                                                : -1;
    free(dir);
    return fd >= 0 ? fd : open_named(target, temporary);
}

/* Where a file that is written under `path` goes, or NULL with errno 0: a pipe, a device; errno is
 * set when it cannot be written. A link stays one: the file that it leads to is replaced. */
static char *target_of(const char *path)
{
    struct stat st;
    errno = 0;
    if (stat(path, &st) != 0) {
        errno = 0;
        return fl_strdup(path);
    }
    if (S_ISREG(st.st_mode)) {
        char resolved[PATH_MAX];
        return realpath(path, resolved) ? fl_strdup(resolved) : NULL;
    }
    errno = S_ISDIR(st.st_mode) ? EISDIR : access(path, W_OK) != 0 ? errno : 0;
    return NULL;
}

/* Could fl_write_file write there now? For asking before the work, not after it. */
static int can_write(const char *path, struct fl_err *err)
{
    if (descriptor(fl_output(path)) >= 0)
        return 0;
    char *target = target_of(path), *temporary = NULL;
    int fd = target ? open_temporary(target, &temporary) : -1, why = errno;
    bool good = fd >= 0 || (!target && why == 0);
    if (fd >= 0)
        close(fd);
    if (temporary) {
        unlink(temporary);
        fl_temporary_done(temporary);
    }
    free(temporary);
    free(target);
    return good ? 0 : cannot_write(path, why, err);
}

int fl_out_open(struct fl_out *o, const char *path, struct fl_err *err)
{
    path = fl_output(path);
    *o = (struct fl_out){.path = path};
    int fd = descriptor(path);
    if (fd >= 0) { /* opened anew, a file behind it would be written from its start */
        fflush(stdout);
        fd = dup(fd);
    } else if ((o->target = target_of(path))) {
        fd = open_temporary(o->target, &o->temporary);
    } else if (errno == 0) {
        fd = open(path, O_WRONLY | O_CLOEXEC);
    }
    o->f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (o->f)
        return 0;
    free(o->target);
    *o = (struct fl_out){0};
    return cannot_write(path, errno, err);
}

/* Gives the finished file its place: 0, or -1 with errno. */
static int put_in_place(struct fl_out *o)
{
    if (!o->temporary) {
        char *self = fl_format("/proc/self/fd/%d", fileno(o->f));
        /* where nothing stands a link is enough; over an older file only a rename is one step, and
         * it needs a name */
        int r = linkat(AT_FDCWD, self, AT_FDCWD, o->target, AT_SYMLINK_FOLLOW);
        if (r != 0 && errno == EEXIST) {
            int fd = open_named(o->target, &o->temporary);
            if (fd >= 0) {
                close(fd);
                r = unlink(o->temporary);
                if (r == 0)
                    r = linkat(AT_FDCWD, self, AT_FDCWD, o->temporary, AT_SYMLINK_FOLLOW);
            }
        }
        free(self);
        if (r != 0 || !o->temporary)
            return r;
    }
    return rename(o->temporary, o->target);
}

int fl_out_close(struct fl_out *o, bool keep, struct fl_err *err)
{
    int why = 0;
    if (!o->f)
        return 0;
    if (keep && (fflush(o->f) != 0 || ferror(o->f))) {
        errno = 0;
        (void)!write(fileno(o->f), "", 1); /* the write that failed is long over: asks again why */
        why = errno ? errno : EIO;
    } else if (keep && o->target && (fsync(fileno(o->f)) != 0 || put_in_place(o) != 0)) {
        why = errno;
    }
    if (fclose(o->f) != 0 && keep && !why && !o->target)
        why = errno;
    if (o->temporary) {
        if (!keep || why)
            unlink(o->temporary);
        fl_temporary_done(o->temporary);
    }
    int result = why ? cannot_write(o->path, why, err) : 0;
    free(o->temporary);
    free(o->target);
    *o = (struct fl_out){0};
    return result;
}

char *fl_find_program(const char *name)
{
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 ? fl_strdup(name) : NULL;
    char *copy = fl_strdup(getenv("PATH") ? getenv("PATH") : ""), *rest = copy, *found = NULL;
    for (char *dir; !found && (dir = strsep(&rest, ":"));) {
        char *path = fl_format("%s/%s", *dir ? dir : ".", name);
        if (access(path, X_OK) == 0)
            found = path;
        else
            free(path);
    }
    free(copy);
    errno = found ? errno : ENOENT;
    return found;
}

int fl_write_file(const char *path, const void *data, size_t size, struct fl_err *err)
{
    struct fl_out o;
    if (fl_out_open(&o, path, err) != 0)
        return -1;
    if (size)
        fwrite(data, 1, size, o.f);
    return fl_out_close(&o, true, err);
}

FILE *fl_memory_file(void)
{
    int fd = memfd_create("faultline", MFD_CLOEXEC);
    return fd >= 0 ? fdopen(fd, "w+") : NULL;
}

/* ---- what a command reads and writes ---- */

static void add(struct fl_files *files, const char *what, const char *path, bool out, bool inside)
{
    if (!path)
        return;
    files->file = fl_grow(files->file, (size_t)files->count + 1, sizeof *files->file);
    files->file[files->count++] = (struct fl_file){fl_strdup(what), fl_strdup(path), out, inside};
}

void fl_files_in(struct fl_files *files, const char *what, const char *path)
{
    add(files, what, path, false, false);
}

void fl_files_out(struct fl_files *files, const char *what, const char *path)
{
    add(files, what, path ? fl_output(path) : NULL, true, false);
}

void fl_files_in_folder(struct fl_files *files, const char *what, const char *folder,
                        const char *ending, int deep)
{
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        size_t n = strlen(e->d_name), m = strlen(ending);
        char *path = fl_format("%s/%s", folder, e->d_name);
        if (n >= m && strcmp(e->d_name + n - m, ending) == 0)
            fl_files_in(files, what, path);
        else if (deep && e->d_name[0] != '.')
            fl_files_in_folder(files, what, path, ending, deep - 1);
        free(path);
    }
    if (d)
        closedir(d);
}

void fl_files_out_folder(struct fl_files *files, const char *what, const char *folder,
                         const char *name)
{
    char *path = fl_format("%s/%s", folder, name);
    add(files, what, path, true, true);
    free(path);
}

void fl_files_join(struct fl_files *files, const struct fl_files *more)
{
    for (int i = 0; i < more->count; i++)
        add(files, more->file[i].what, more->file[i].path, more->file[i].out, more->file[i].inside);
}

void fl_files_free(struct fl_files *files)
{
    for (int i = 0; i < files->count; i++) {
        free(files->file[i].what);
        free(files->file[i].path);
    }
    free(files->file);
    *files = (struct fl_files){0};
}

FILE *fl_files_people(const struct fl_files *files)
{
    for (int i = 0; i < files->count; i++)
        if (files->file[i].out && descriptor(files->file[i].path) == STDOUT_FILENO)
            return stderr;
    return stdout;
}

/* What tells one file from all others: where it is, or, while there is none, its folder and the
 * name in it. */
struct identity {
    enum { NOTHING, A_FILE, NO_FILE_YET } kind;
    dev_t device;
    ino_t inode;
    const char *name;
};

static struct identity identity_of(const char *path)
{
    struct stat st;
    int fd = descriptor(path);
    if ((fd >= 0 ? fstat(fd, &st) : stat(path, &st)) == 0)
        return (struct identity){S_ISREG(st.st_mode) ? A_FILE : NOTHING, st.st_dev, st.st_ino, ""};
    const char *slash = strrchr(path, '/');
    char *dir = fl_path_beside(path, ".");
    int found = stat(dir, &st);
    free(dir);
    return (struct identity){found == 0 ? NO_FILE_YET : NOTHING, st.st_dev, st.st_ino,
                             slash ? slash + 1 : path};
}

static bool same_file(const struct identity *a, const struct identity *b)
{
    return a->kind != NOTHING && a->kind == b->kind && a->device == b->device &&
           a->inode == b->inode && strcmp(a->name, b->name) == 0;
}

static int clash(const struct fl_file *in, const struct fl_file *out, struct fl_err *err)
{
    const char *also = strcmp(in->path, out->path) ? in->path : "";
    if (in->out)
        return fl_fail(err, "%s: %s and %s%s%s would go into one file; give each a file of its own",
                       out->path, in->what, out->what, *also ? " " : "", also);
    return fl_fail(err, "%s: %s would overwrite %s%s%s, which is read; name another %s", out->path,
                   out->what, in->what, *also ? " " : "", also, out->inside ? "folder" : "file");
}

int fl_files_check(const struct fl_files *files, struct fl_err *err)
{
    struct identity *id = fl_alloc((size_t)files->count * sizeof *id);
    int bad = 0;
    for (int i = 0; i < files->count; i++)
        id[i] = identity_of(files->file[i].path);
    for (int i = 0; i < files->count && !bad; i++) {
        const struct fl_file *f = &files->file[i];
        for (int k = 0; f->out && k < files->count && !bad; k++)
            if ((k < i || !files->file[k].out) && same_file(&id[i], &id[k]) &&
                (descriptor(f->path) < 0 || descriptor(files->file[k].path) < 0))
                bad = clash(&files->file[k], f, err);
        if (f->out && !bad)
            bad = can_write(f->path, err);
    }
    free(id);
    return bad;
}
