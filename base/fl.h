/* fl.h -- what every tool of Faultline needs: error messages, growing buffers, files in and out,
 * and how a main() starts and ends.
 *
 * Rules of use: a function that can fail takes a `struct fl_err *` last and returns -1 (or NULL)
 * with the message filled in; it never prints and never exits. Only a main() prints the message.
 * The message is a whole sentence that says what to do, without a trailing newline, and starts with
 * the file it is about where there is one.
 */
#ifndef FL_H
#define FL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct fl_err {
    char msg[1024]; /* may hold several lines (message, source line, caret) */
};

/* Fills in the message, returns -1, so that `return fl_fail(err, ...)` reads well. err may be
 * NULL. */
int fl_fail(struct fl_err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same of a place in a file: "FILE:LINE: message". */
int fl_fail_at(struct fl_err *err, const char *file, uint32_t line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* A growing byte buffer. Zero-initialise it; free with fl_buf_free. */
struct fl_buf {
    uint8_t *data;
    size_t size; /* bytes in use */
    size_t room; /* bytes allocated */
};
void fl_buf_add(struct fl_buf *b, const void *bytes, size_t n);
void fl_buf_printf(struct fl_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void fl_buf_vprintf(struct fl_buf *b, const char *fmt, va_list ap)
    __attribute__((format(printf, 2, 0)));
/* Text as fl_print shows it. */
void fl_buf_printable(struct fl_buf *b, const char *text);
void fl_buf_free(struct fl_buf *b);

/* malloc/realloc/strdup that never return NULL: without memory the tool ends with "tool: out of
 * memory", exit 1. */
void fl_give_up(const char *why) /* ends the tool so, where no caller can help */
    __attribute__((noreturn));
void *fl_alloc(size_t n);                       /* zeroed; n may be 0 */
void *fl_alloc_line(size_t n);                  /* the same, at a multiple of 64 bytes */
void *fl_grow(void *p, size_t count, size_t n); /* like reallocarray */
/* Room for element number `count` of a growing array `p` that has `room`: the first time for
 * `first`, then twice as many. */
#define FL_ROOM(p, count, room, first)                                                             \
    do {                                                                                           \
        if ((count) >= (room)) {                                                                   \
            (room) = (room) ? 2 * (room) : (first);                                                \
            (p) = fl_grow((p), (size_t)(room), sizeof *(p));                                       \
        }                                                                                          \
    } while (0)
/* Of units: a hyphen and an underscore mean the same. */
bool fl_same_name(const char *a, const char *b);
char *fl_strdup(const char *s);
char *fl_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- main() ---------------------------------------------------------------------------------- */

/* First in main(). `tool` stands before messages. Signals that end the tool remove its temporary
 * files first; a limit of the file size (ulimit -f) is an error of the write, like a full disk, and
 * no longer a signal. */
void fl_start(const char *tool);
/* Last in main(): `return fl_end(status);` writes out standard output. When that fails (full disk,
 * closed pipe), says why and returns 1. */
int fl_end(int status);
/* Prints "tool: message" on standard error, behind what standard output holds; returns `status`. */
int fl_complain(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Text for a person's terminal: names in it come from files, and a control character of theirs is
 * shown as \x1b. Lines and tabs stay, and so does UTF-8. */
void fl_print(FILE *f, const char *text);
/* Does it show all of the text as it is: UTF-8 without control characters? */
bool fl_is_text(const char *text);

/* ---- files ----------------------------------------------------------------------------------- */

/* Reads a whole regular file (at most 1 GiB), or /dev/stdin; other pipes and devices are refused.
 * The buffer gets a zero byte behind its end that size does not count. */
int fl_read_file(const char *path, struct fl_buf *out, struct fl_err *err);
/* The same of a text: a zero byte, which would hide what follows it, is refused with its line. */
int fl_read_text(const char *path, struct fl_buf *out, struct fl_err *err);

/* libxml2 compares each attribute of an element with all others: a file of a few megabytes would
 * take minutes. Refuses elements with more attributes than anything of ours has, and files larger
 * than FL_XML_BYTES. `text` is that of a file. */
enum { FL_XML_BYTES = 16 << 20, FL_XML_ATTRIBUTES = 100 };
int fl_xml_limits(const char *path, const struct fl_buf *text, struct fl_err *err);

/* What a path of a command line means: "-" is standard input or standard output. */
const char *fl_input(const char *path);
const char *fl_output(const char *path);

/* A file that is written. Its bytes go into a file without a name (O_TMPFILE; where there is none,
 * one beside `path` called PATH.unfinished-...) that takes the place of `path` in fl_out_close:
 * readers see the old file or the new one, never a part, and a kill leaves the old one. Pipes and
 * devices are written as they are. */
struct fl_out {
    FILE *f;
    const char *path;
    char *target;    /* where the file goes, links followed; NULL: a pipe or a device */
    char *temporary; /* its name until then; NULL: none */
};
int fl_out_open(struct fl_out *o, const char *path, struct fl_err *err);
/* Call it after an error too, then with keep = false: what was written goes away. */
int fl_out_close(struct fl_out *o, bool keep, struct fl_err *err);

/* The file that a command line means by the name of a program: the first one in PATH that can be executed, or `name` itself
 * when it holds a slash. NULL with errno: there is none. The caller frees it. */
char *fl_find_program(const char *name);

/* Writes a whole file that way. On any error (full disk included) `path` stays as it was. */
int fl_write_file(const char *path, const void *data, size_t size, struct fl_err *err);

/* A file in memory that goes away with fclose; NULL with errno. Needs no folder for temporary
 * files. */
FILE *fl_memory_file(void);

/* Files that a signal shall remove: whoever makes one by hand names it here, and takes it out again
 * once it has its final name. The last one is safe in a signal handler. */
void fl_temporary_add(const char *path);
void fl_temporary_done(const char *path);
void fl_remove_temporaries(void);

/* What a command reads and writes, so that nothing it reads is written over, and no two outputs go
 * into one file. `what` is how messages call the file: "--csv", "the job". A NULL path is none.
 * Zero-initialise it. */
struct fl_files {
    struct fl_file {
        char *what, *path;
        bool out, inside; /* inside: of a folder that the command line names */
    } * file;
    int count;
};
void fl_files_in(struct fl_files *files, const char *what, const char *path);
void fl_files_out(struct fl_files *files, const char *what, const char *path);
/* Inputs: all files of a folder whose names end so, and of `deep` levels of folders in it. */
void fl_files_in_folder(struct fl_files *files, const char *what, const char *folder,
                        const char *ending, int deep);
/* An output that the command itself names, in a folder of the command line. */
void fl_files_out_folder(struct fl_files *files, const char *what, const char *folder,
                         const char *name);
/* Adds all of `more`. */
void fl_files_join(struct fl_files *files, const struct fl_files *more);
/* Before the work, not after hours of it: can every output be written, and is it a file of its own?
 * The same file under another name (link, ./x) counts; pipes and devices may meet. */
int fl_files_check(const struct fl_files *files, struct fl_err *err);
/* Does an output go to standard output? Then text for people goes to standard error. */
FILE *fl_files_people(const struct fl_files *files);
void fl_files_free(struct fl_files *files);

/* dir(a) + "/" + b unless b is absolute: how a file named inside another file is found. Standard
 * input lies in the current folder. Caller frees. */
char *fl_path_beside(const char *a, const char *b);

#endif
