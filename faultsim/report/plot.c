/* plot.c -- runs gnuplot. The script goes in by a file in memory, since gnuplot starts to answer
 * before it has read all of it: two pipes could wait for each other.
 */
#include "plot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char no_gnuplot[] =
    "gnuplot is not installed, so the page lacks its plots over time; the Debian package is "
    "gnuplot-nox (scripts/setup installs it)";

/* The same numbers whatever the user's locale; nothing of the user's own settings
 * (--default-settings). */
static char **environment(void)
{
    int n = 0, kept = 0;
    while (environ[n])
        n++;
    char **env = fl_alloc((size_t)(n + 2) * sizeof *env);
    for (int i = 0; i < n; i++)
        if (strncmp(environ[i], "LC_ALL=", 7) != 0)
            env[kept++] = environ[i];
    env[kept] = (char *)"LC_ALL=C.UTF-8";
    return env;
}

static int start(FILE *script, FILE *complaints, int to[2], pid_t *child)
{
    posix_spawn_file_actions_t io;
    char *const argv[] = {(char *)"gnuplot", (char *)"--default-settings", (char *)"-", NULL};
    char **env = environment();
    posix_spawn_file_actions_init(&io);
    posix_spawn_file_actions_adddup2(&io, fileno(script), 0);
    posix_spawn_file_actions_adddup2(&io, to[1], 1);
    posix_spawn_file_actions_adddup2(&io, fileno(complaints), 2);
    posix_spawn_file_actions_addclose(&io, to[0]);
    posix_spawn_file_actions_addclose(&io, to[1]);
    int r = posix_spawnp(child, "gnuplot", &io, NULL, argv, env);
    posix_spawn_file_actions_destroy(&io);
    free(env);
    return r;
}

/* How long gnuplot may keep silent. Its plots take less than a second each. */
static int patience(void)
{
    const char *text = getenv("FAULTLINE_GNUPLOT_SECONDS");
    int seconds = text ? atoi(text) : 0;
    return seconds > 0 && seconds < 100000 ? seconds : 60;
}

/* False when nothing comes any more and nothing ends either. */
static bool read_all(int fd, int seconds, struct fl_buf *out)
{
    char piece[65536];
    struct pollfd p = {.fd = fd, .events = POLLIN};
    for (;;) {
        int ready = poll(&p, 1, seconds * 1000);
        ssize_t n = ready > 0 ? read(fd, piece, sizeof piece) : -1;
        if (ready == 0)
            return false;
        if (n > 0)
            fl_buf_add(out, piece, (size_t)n);
        else if (n == 0 || errno != EINTR)
            return true;
    }
}

static int run(const struct fl_buf *script, struct fl_buf *drawn, struct fl_err *err)
{
    FILE *in = fl_memory_file(), *complaints = fl_memory_file();
    int to[2] = {-1, -1}, status = 0, result = -1;
    pid_t child;
    if (!in || !complaints || pipe2(to, O_CLOEXEC) != 0 ||
        fwrite(script->data, 1, script->size, in) != script->size || fflush(in) != 0) {
        fl_fail(err, "cannot hand the plots to gnuplot: %s", strerror(errno));
        goto done;
    }
    rewind(in);
    int r = start(in, complaints, to, &child);
    if (r == ENOENT || r == EACCES) {
        fl_fail(err, "%s", no_gnuplot);
        result = 1;
        goto done;
    }
    if (r != 0) {
        fl_fail(err, "cannot start gnuplot: %s", strerror(r));
        goto done;
    }
    close(to[1]);
    to[1] = -1;
    bool silent = !read_all(to[0], patience(), drawn);
    if (silent)
        kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (silent) {
        fl_fail(err,
                "gnuplot says nothing for %d s, so the page lacks its plots over time; run it by "
                "hand, or give it longer with FAULTLINE_GNUPLOT_SECONDS=600",
                patience());
        result = 1;
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        result = (fl_fail(err, "%s", no_gnuplot), 1);
    else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        char said[400] = "";
        rewind(complaints);
        said[fread(said, 1, sizeof said - 1, complaints)] = 0;
        fl_fail(err, "gnuplot failed: %s", said);
    } else
        result = 0;
done:
    if (in)
        fclose(in);
    if (complaints)
        fclose(complaints);
    if (to[0] >= 0)
        close(to[0]);
    if (to[1] >= 0)
        close(to[1]);
    return result;
}

/* Copies an SVG; ids and the references to them get a prefix. */
static void copy_svg(const char *from, const char *end, int number, struct fl_buf *out)
{
    static const char *const before[] = {" id=\"", " id='", "href='#", "href=\"#", "url(#"};
    while (from < end) {
        size_t n = 0;
        for (size_t i = 0; i < sizeof before / sizeof *before; i++)
            if (strncmp(from, before[i], strlen(before[i])) == 0)
                n = strlen(before[i]);
        fl_buf_add(out, from, n ? n : 1);
        if (n)
            fl_buf_printf(out, "f%d-", number);
        from += n ? n : 1;
    }
}

int avf_plot(const struct fl_buf *script, struct fl_buf *plot, int n, struct fl_err *err)
{
    struct fl_buf drawn = {0};
    int result = n ? run(script, &drawn, err) : 0;
    fl_buf_add(&drawn, "", 1);
    const char *at = (const char *)drawn.data;
    for (int i = 0; i < n && result == 0; i++) {
        const char *begin = strstr(at, "<svg"), *end = begin ? strstr(begin, "</svg>") : NULL;
        plot[i] = (struct fl_buf){0};
        if (!end)
            result = fl_fail(err, "gnuplot drew %d of %d plots", i, n);
        else {
            at = end + strlen("</svg>");
            copy_svg(begin, at, i + 1, &plot[i]);
        }
        if (result != 0)
            while (i-- > 0)
                fl_buf_free(&plot[i]);
    }
    fl_buf_free(&drawn);
    return result;
}
