/* fl.c -- error messages, growing buffers, how a main() starts and ends. See fl.h for the rules of
 * use. */
#include "fl.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Set once, in fl_start: a message about memory or a signal comes from where no main() can be
 * asked. */
static const char *name = "faultline";

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

int fl_fail_at(struct fl_err *err, const char *file, uint32_t line, const char *fmt, ...)
{
    char text[sizeof err->msg]; /* what is said may be in err */
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return fl_fail(err, "%s:%u: %s", file, line, text);
}

void fl_give_up(const char *why)
{
    const char *const words[] = {name, ": ", why, "\n"};
    for (int i = 0; i < 4; i++) /* nothing that might want memory: no printf, no exit */
        (void)!write(STDERR_FILENO, words[i], strlen(words[i]));
    fl_remove_temporaries();
    _exit(1);
}

static void *must(void *p)
{
    if (!p)
        fl_give_up("out of memory");
    return p;
}

void *fl_alloc(size_t n)
{
    return must(calloc(1, n ? n : 1));
}

void *fl_alloc_line(size_t n)
{
    n = (n + 63) / 64 * 64 + (n == 0 ? 64 : 0);
    return memset(must(aligned_alloc(64, n)), 0, n);
}

void *fl_grow(void *p, size_t count, size_t n)
{
    return must(reallocarray(p, count ? count : 1, n));
}

bool fl_same_name(const char *a, const char *b)
{
    while (*a && (*a == *b || (strchr("-_", *a) && *b && strchr("-_", *b)))) {
        a++;
        b++;
    }
    return !*a && !*b;
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

void fl_buf_vprintf(struct fl_buf *b, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n > 0) {
        reserve(b, (size_t)n);
        vsnprintf((char *)b->data + b->size, (size_t)n + 1, fmt, again);
        b->size += (size_t)n;
    }
    va_end(again);
}

void fl_buf_printf(struct fl_buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fl_buf_vprintf(b, fmt, ap);
    va_end(ap);
}

void fl_buf_free(struct fl_buf *b)
{
    free(b->data);
    *b = (struct fl_buf){0};
}

/* Bytes of the printable character at s, or 0: a control character, or no UTF-8. */
static size_t printable(const unsigned char *s)
{
    if (s[0] < 0x80)
        return (s[0] >= 0x20 && s[0] != 0x7f) || s[0] == '\n' || s[0] == '\t';
    size_t n = s[0] >= 0xc2 && s[0] < 0xe0   ? 2
               : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
               : s[0] < 0xf5                 ? 4
                                             : 0;
    if (s[0] < 0xc2 || (s[0] == 0xc2 && s[1] < 0xa0)) /* U+0080 to U+009f are controls as well */
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

void fl_buf_printable(struct fl_buf *b, const char *text)
{
    while (*text) {
        size_t n = printable((const unsigned char *)text);
        if (n)
            fl_buf_add(b, text, n);
        else
            fl_buf_printf(b, "\\x%02x", (unsigned char)*text);
        text += n ? n : 1;
    }
}

bool fl_is_text(const char *text)
{
    size_t n = 1;
    for (; *text && n; text += n)
        n = printable((const unsigned char *)text);
    return n > 0;
}

void fl_print(FILE *f, const char *text)
{
    struct fl_buf b = {0};
    fl_buf_printable(&b, text);
    fwrite(b.data ? b.data : (const uint8_t *)"", 1, b.size, f);
    fl_buf_free(&b);
}

/* ---- main() ---- */

static void end_by(int signal)
{
    fl_remove_temporaries();
    raise(signal); /* SA_RESETHAND: it ends the process now */
}

void fl_start(const char *tool)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU};
    struct sigaction act = {.sa_handler = end_by, .sa_flags = (int)SA_RESETHAND}, old;
    name = tool;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) /* nohup ignores */
            sigaction(ends[i], &act, NULL);
    signal(SIGXFSZ, SIG_IGN);
}

int fl_complain(int status, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *msg;
    int n = vasprintf(&msg, fmt, ap);
    va_end(ap);
    must(n < 0 ? NULL : msg);
    fflush(stdout);
    fprintf(stderr, "%s: ", name);
    fl_print(stderr, msg);
    fputc('\n', stderr);
    free(msg);
    return status;
}

int fl_end(int status)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (errno == 0) { /* an earlier write has failed; a further one says why */
        clearerr(stdout);
        putchar('\n');
        fflush(stdout);
    }
    return fl_complain(1, "cannot write to standard output: %s", strerror(errno ? errno : EIO));
}
