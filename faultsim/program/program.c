/* program.c -- see program.h. All that is made lies in one folder below TMPDIR, which is locked for as long as somebody uses it: what a
 * killed campaign has left is removed by the next one.
 *
 *     base/         the folder of the program, as it was
 *     record/       job.xml of the first fault-free run: of its first machine; 2/job.xml of the second, and so on
 *     good/run/     the copy that this run was in, where a command judges outputs; beside it run.out
 *     7/            the copy that run 7 is in; beside it 7.out, 7.said, 7.live
 *     right-8/      a copy of good/ for the command that judges a run
 */
#include "program.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/threads.h"
#include "faultsim/machine/live.h"
#include "folder.h"
#include "judge.h"

extern char **environ;

static const char prefix[] = "faultline-run-";

struct program {
    struct program_options o;
    char **argv; /* the program by a name that holds in a copy */
    char *folder, *base, **job, *identity;
    int jobs; /* a job for each machine of the fault-free run */
    struct orphans *orphans;
    int lock;
    regex_t ignore; /* compiled when o.ignore is there */
    bool ignores;
    struct leaves good;
    double seconds;
    double each;        /* s: a fault-free run with the copy of the folder, and its removal */
    bool reads_between; /* the host reads before the last launch has ended */
    struct stat *without;
    int nwithout;
    atomic_ullong next, runs, unexplained[PROGRAM_STATUSES];
    pthread_mutex_t mutex; /* of `failed` and `why` */
    bool failed, trouble;
    struct fl_err why;
};

/* ---- the folder ------------------------------------------------------------------------------ */

static const char *temporary(void)
{
    const char *dir = getenv("TMPDIR");
    return dir && *dir ? dir : "/tmp";
}

/* A folder of ours that nobody holds. */
static void remove_left(const char *path)
{
    struct stat s;
    char *name = fl_format("%s/lock", path);
    int fd = lstat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid()
                 ? open(name, O_RDONLY | O_CLOEXEC)
                 : -1;
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        folder_remove(path);
    if (fd >= 0)
        close(fd);
    free(name);
}

static void remove_all_left(void)
{
    DIR *d = opendir(temporary());
    for (struct dirent *e; d && (e = readdir(d));)
        if (strncmp(e->d_name, prefix, strlen(prefix)) == 0) {
            char *path = fl_format("%s/%s", temporary(), e->d_name);
            remove_left(path);
            free(path);
        }
    if (d)
        closedir(d);
}

/* Locked before anybody may take it for one that was left: on a file system without locks nobody does. */
static int make_folder(struct program *p, struct fl_err *err)
{
    for (;;) {
        p->folder = fl_format("%s/%sXXXXXX", temporary(), prefix);
        char *real = mkdtemp(p->folder) ? realpath(p->folder, NULL) : NULL; /* runs are elsewhere */
        if (!real)
            return fl_fail(err, "no folder for runs below %s: %s; TMPDIR names another place",
                           temporary(), strerror(errno));
        free(p->folder);
        p->folder = real;
        char *name = fl_format("%s/lock", p->folder);
        p->lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        bool held = p->lock >= 0 && (flock(p->lock, LOCK_EX) == 0 || errno != EINTR),
             mine = held && access(name, F_OK) == 0;
        free(name);
        if (mine)
            return 0;
        if (p->lock < 0)
            return fl_fail(err, "%s: %s", p->folder, strerror(errno));
        close(p->lock);
        free(p->folder);
    }
}

/* The folder of an output may be a link that leads out of the copy, to where a run would write the user's own file. A link in the place
 * of the file itself is removed with what an earlier run has left.
 */
static int check_inside(const struct program *p, const char *at, struct fl_err *err)
{
    int bad = 0;
    char *root = realpath(at, NULL);
    for (int i = 0; root && i < p->o.outputs && !bad; i++) {
        char *path = fl_format("%s/%s", at, p->o.output[i]);
        *strrchr(path, '/') = 0;
        char *real = realpath(path, NULL);
        size_t n = strlen(root);
        if (real && (strncmp(real, root, n) != 0 || (real[n] && real[n] != '/')))
            bad = fl_fail(
                err,
                "--output %s: a link leads out of the current folder, to %s, and each run "
                "has a copy of the folder alone; name a file inside it",
                p->o.output[i], real);
        free(real);
        free(path);
    }
    free(root);
    return bad;
}

static int copy_base(struct program *p, struct fl_err *err)
{
    struct folder_copy c = {.without = p->without,
                            .nwithout = p->nwithout,
                            .most_bytes = UINT64_C(256) << 20,
                            .most_files = 10000};
    p->base = fl_format("%s/base", p->folder);
    if (folder_copy(".", p->base, &c, err))
        return -1;
    if (check_inside(p, p->base, err))
        return -1;
    for (int i = 0; i < p->o.outputs; i++) { /* an earlier one is no output of a run */
        char *path = fl_format("%s/%s", p->base, p->o.output[i]);
        unlink(path);
        free(path);
    }
    return 0;
}

static void find_without(struct program *p)
{
    p->without = fl_alloc((size_t)(p->o.nwithout + 1) * sizeof *p->without);
    for (int i = 0; i < p->o.nwithout; i++)
        p->nwithout += stat(p->o.without[i], &p->without[p->nwithout]) == 0;
    p->nwithout += stat(p->folder, &p->without[p->nwithout]) == 0;
}

/* ---- one run --------------------------------------------------------------------------------- */

static bool is_ours(const char *word)
{
    static const char *const names[] = {LIVE_FAULT,        LIVE_REPORT,   LIVE_CYCLES,
                                        LIVE_ERRORS,       LIVE_NETLISTS, "FAULTLINE_RECORD",
                                        "FAULTLINE_ENGINE"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(word, names[i], strlen(names[i])) == 0 && word[strlen(names[i])] == '=')
            return true;
    return false;
}

/* The environment without what is ours, and with these words; NULL ones are none. */
enum { WORDS = 5 };
static char **environment(const struct program *p, const char *live, char *const add[WORDS])
{
    int n = 0;
    char **env;
    while (environ[n])
        n++;
    env = fl_alloc((size_t)(n + WORDS + 2) * sizeof *env);
    n = 0;
    for (char **e = environ; *e; e++)
        if (!is_ours(*e) && !(p->o.profile && strncmp(*e, "FAULTLINE_PROFILE=", 18) == 0))
            env[n++] = *e;
    env[n++] = (char *)live;
    for (int i = 0; i < WORDS; i++)
        if (add[i])
            env[n++] = add[i];
    return env;
}

static int read_live(const char *path, struct live *live, struct fl_err *err)
{
    struct fl_buf b = {0};
    int bad = fl_read_file(path, &b, err);
    *live = (struct live){0};
    if (!bad && b.size == sizeof *live)
        memcpy(live, b.data, sizeof *live);
    fl_buf_free(&b);
    return bad;
}

static void leaves_free(struct leaves *l, int outputs)
{
    for (int i = 0; l->output && i < outputs; i++)
        fl_buf_free(&l->output[i]);
    free(l->output);
    fl_buf_free(&l->out);
}

/* Takes out the lines that do not count. */
static void drop_lines(const struct program *p, struct fl_buf *text)
{
    struct fl_buf kept = {0};
    for (size_t at = 0, n; p->ignores && at < text->size; at += n) {
        const char *line = (const char *)text->data + at,
                   *end = memchr(line, '\n', text->size - at);
        n = end ? (size_t)(end - line) + 1 : text->size - at;
        char *copy = fl_format("%.*s", (int)(end ? n - 1 : n), line);
        if (regexec(&p->ignore, copy, 0, NULL, 0) != 0)
            fl_buf_add(&kept, line, n);
        free(copy);
    }
    if (!p->ignores)
        return;
    fl_buf_free(text);
    *text = kept;
}

static int compile_ignore(struct program *p, struct fl_err *err)
{
    char why[100];
    if (!p->o.ignore)
        return 0;
    if (!*p->o.ignore)
        return fl_fail(err,
                       "--ignore-lines '': every line matches that; --no-stdout leaves standard "
                       "output out");
    int status = regcomp(&p->ignore, p->o.ignore, REG_EXTENDED | REG_NOSUB);
    p->ignores = status == 0;
    if (status == 0)
        return 0;
    regerror(status, &p->ignore, why, sizeof why);
    return fl_fail(err, "--ignore-lines '%.200s': %s", p->o.ignore, why);
}

static int take_leaves(const struct program *p, const char *at, struct leaves *out,
                       struct fl_err *err)
{
    struct fl_err why;
    char *live = fl_format("%s.live", at), *said = fl_format("%s.out", at);
    int bad = read_live(live, &out->live, err) || fl_read_file(said, &out->out, err);
    drop_lines(p, &out->out);
    out->output = fl_alloc((size_t)(p->o.outputs + 1) * sizeof *out->output);
    out->missing = -1;
    for (int i = p->o.outputs; i-- > 0;) {
        char *path = fl_format("%s/%s", at, p->o.output[i]);
        errno = 0;
        if (fl_read_file(path, &out->output[i], &why)) {
            out->missing = i;
            if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == EIO)
                bad = fl_fail(err, "%s", why.msg); /* it may well be there */
        }
        free(path);
    }
    free(live);
    free(said);
    return bad;
}

static int make_report(const char *path, struct fl_err *err)
{
    static const struct live none;
    FILE *f = fopen(path, "wx");
    bool bad = !f || fwrite(&none, sizeof none, 1, f) != 1;
    int why = errno;
    if (f && fclose(f) != 0 && !bad) {
        bad = true;
        why = errno;
    }
    return bad ? fl_fail(err, "%s: %s", path, strerror(why)) : 0;
}

/* The largest file that a run may write. */
static uint64_t most_bytes(const struct program *p)
{
    enum { ROOM = 16 << 20 };
    uint64_t largest = p->good.out.size;
    if (!p->good.output)
        return 1 << 30;
    for (int i = 0; i < p->o.outputs; i++)
        if (p->good.output[i].size > largest)
            largest = p->good.output[i].size;
    return 4 * largest + ROOM;
}

/* Runs the program in a copy at `at`. */
static int start(const struct program *p, const char *at, char *const words[WORDS], double seconds,
                 struct process_end *end, struct fl_err *err)
{
    struct folder_copy c = {0};
    char *report = fl_format("%s.live", at), *out = fl_format("%s.out", at),
         *said = fl_format("%s.said", at), *live = fl_format(LIVE_REPORT "=%s", report);
    char **env = environment(p, live, words);
    struct process run = {.argv = p->argv,
                          .env = env,
                          .folder = at,
                          .out = out,
                          .said = said,
                          .seconds = seconds,
                          .bytes = most_bytes(p),
                          .stop = p->o.stop,
                          .orphans = p->orphans};
    int bad = folder_copy(p->base, at, &c, err) || make_report(report, err) ||
              process_run(&run, end, err);
    free(env);
    free(report);
    free(out);
    free(said);
    free(live);
    return bad;
}

/* The end of what was said on standard error: a file. */
static void add_said(const char *path, struct fl_err *err)
{
    enum { LAST = 300 };
    struct fl_buf b = {0};
    struct fl_err ignored;
    size_t n = strlen(err->msg);
    if (fl_read_file(path, &b, &ignored) == 0 && b.size) {
        while (b.size && b.data[b.size - 1] == '\n')
            b.data[--b.size] = 0;
        snprintf(err->msg + n, sizeof err->msg - n, "; it says: %s",
                 (char *)b.data + (b.size > LAST ? b.size - LAST : 0));
    }
    fl_buf_free(&b);
}

/* The user can mend it, and go on with --resume. */
static int trouble(struct program *p)
{
    pthread_mutex_lock(&p->mutex);
    p->trouble = true;
    pthread_mutex_unlock(&p->mutex);
    return -1;
}

/* What a command of the user's says. */
static void add_said_by_check(const char *at, struct fl_err *err)
{
    static const char *const files[] = {"objection", "check"};
    const size_t n = strlen(err->msg);
    for (size_t i = 0; i < sizeof files / sizeof *files && !err->msg[n]; i++) {
        char *path = fl_format("%s.%s", at, files[i]);
        add_said(path, err);
        free(path);
    }
}

/* What `command` says of the run at `at`. A status above 125 is one of the shell, which could not run it. It may write into both folders:
 * the fault-free one is a copy. What it leaves behind has the word of its run, whose report has been read.
 */
static int ask(struct program *p, const char *at, struct process_end *end, struct fl_err *err)
{
    enum { LAST = 125 };
    struct folder_copy c = {0};
    char *good = fl_format("%s/good", p->folder),
         *copy = fl_format("%s/right-%llu", p->folder, atomic_fetch_add(&p->next, 1)),
         *right = fl_format("%s/run", copy), *line = fl_format("%s \"$@\"", p->o.check),
         *run = fl_strdup(at), *out = fl_format("%s.check", at),
         *said = fl_format("%s.objection", at), *live = fl_format(LIVE_REPORT "=%s.live", at);
    char *const argv[] = {"/bin/sh", "-c", line, "sh", right, run, NULL};
    char **env = environment(p, live, (char *const[WORDS]){0});
    const struct process check = {.argv = argv,
                                  .env = env,
                                  .folder = ".",
                                  .writes = p->folder,
                                  .out = out,
                                  .said = said,
                                  .seconds = p->seconds,
                                  .bytes = most_bytes(p),
                                  .stop = p->o.stop,
                                  .orphans = p->orphans};
    int bad = folder_copy(good, copy, &c, err) || process_run(&check, end, err) ? trouble(p) : 0;
    folder_remove(copy);
    if (!bad && end->how == PROCESS_STOPPED)
        bad = fl_fail(err, "stopped");
    if (!bad && (end->how != PROCESS_EXITED || end->code > LAST)) {
        bad = fl_fail(err,
                      "--check-output '%.200s': it %s%.0d, where 0 says that the outputs are right "
                      "and 1 to 125 that they are wrong",
                      p->o.check,
                      end->how == PROCESS_TOO_LONG    ? "takes longer than --time-limit"
                      : end->how == PROCESS_BY_SIGNAL ? "ends by signal "
                                                      : "ends with status ",
                      end->how == PROCESS_TOO_LONG ? 0 : end->code);
        add_said_by_check(at, err);
    }
    free(good);
    free(copy);
    free(right);
    free(line);
    free(run);
    free(out);
    free(said);
    free(live);
    free(env);
    return bad;
}

static void remove_run(const char *at)
{
    static const char *const names[] = {"live", "out", "said", "check", "objection"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = fl_format("%s.%s", at, names[i]);
        unlink(path);
        free(path);
    }
    folder_remove(at);
}

/* ---- the fault-free runs --------------------------------------------------------------------- */

static int check_good(const struct program *p, const struct leaves *l, struct fl_err *err)
{
    const char *name = *p->o.argv;
    if (l->end.how == PROCESS_STOPPED)
        return fl_fail(err, "stopped");
    if (l->end.how == PROCESS_BY_SIGNAL)
        return fl_fail(err, "%s: without a fault it ends by signal %d (%s)", name, l->end.code,
                       strsignal(l->end.code));
    if (l->end.how == PROCESS_TOO_LONG || l->end.seconds * PROGRAM_MANY_TIMES > p->seconds)
        return fl_fail(
            err,
            "%s: without a fault it takes %.1f s, and a run may take %g: say --time-limit "
            "with %d times as much",
            name, l->end.seconds, p->seconds, PROGRAM_MANY_TIMES);
    if (l->live.devices == 0 || l->live.launches == 0)
        return fl_fail(err,
                       "%s: it ends with status %d, and has launched no kernel; only programs of "
                       "smcc --exe, or linked with libcuda, can be given faults",
                       name, l->end.code);
    if (l->live.devices > 1 && p->o.one_machine)
        return fl_fail(
            err,
            "%s: it starts the device %u times (cudaDeviceReset, several contexts, or several "
            "processes), and the cycle of a fault is one of a single use of it; let it use one "
            "context",
            name, l->live.devices);
    if (l->live.how != LIVE_GOES_ON)
        return fl_fail(
            err,
            "%s: a kernel traps, or ends never, without a fault; where the program expects "
            "that, give --return-errors",
            name);
    if (p->o.exit_means[l->end.code])
        return fl_fail(err, "--exit %d: %s ends with that status without a fault", l->end.code,
                       name);
    if (l->missing >= 0)
        return fl_fail(err,
                       "--output %s: %s does not write it; the path is one in the current folder",
                       p->o.output[l->missing], name);
    return 0;
}

static int check_good_outputs(struct program *p, const char *at, struct fl_err *err)
{
    struct process_end end = {.code = 0};
    double began = fl_seconds();
    if (ask(p, at, &end, err))
        return -1;
    p->each += fl_seconds() - began;
    if (end.code == 0)
        return 0;
    fl_fail(err,
            "--check-output '%.200s': it calls the outputs of a run without a fault wrong (status "
            "%d)",
            p->o.check, end.code);
    add_said_by_check(at, err);
    return -1;
}

/* A fault-free run at `at`, recorded in `record`. */
static int run_good(struct program *p, const char *record, const char *at, struct leaves *out,
                    struct fl_err *err)
{
    char *folder = fl_format("%s/%s", p->folder, record), *said = fl_format("%s.said", at);
    char *word = fl_format("FAULTLINE_RECORD=%s", folder);
    char *profile = p->o.profile ? fl_format("FAULTLINE_PROFILE=%s", p->o.profile) : NULL;
    enum { MANY = 20 };
    mkdir(folder, 0700);
    double began = fl_seconds();
    char *errors = p->o.return_errors ? fl_strdup(LIVE_ERRORS "=1") : NULL;
    int bad = start(p, at, (char *const[WORDS]){word, profile, errors}, MANY * p->seconds,
                    &out->end, err);
    if (!bad)
        bad = take_leaves(p, at, out, err) || check_good(p, out, err);
    if (bad)
        add_said(said, err);
    double took = fl_seconds() - began;
    if (p->each <= 0 || took < p->each)
        p->each = took;
    free(folder);
    free(said);
    free(word);
    free(profile);
    free(errors);
    return bad ? -1 : 0;
}

static bool same(const struct fl_buf *a, const struct fl_buf *b)
{
    return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

/* Machine n's, from 0. */
static char *in_record(const struct program *p, const char *record, int n, const char *file)
{
    return n ? fl_format("%s/%s/%d/%s", p->folder, record, n + 1, file)
             : fl_format("%s/%s/%s", p->folder, record, file);
}

static bool same_files(const struct program *p, int n, const char *name)
{
    struct fl_buf a = {0}, b = {0};
    struct fl_err ignored;
    char *x = in_record(p, "record", n, name), *y = in_record(p, "again", n, name);
    bool alike = fl_read_file(x, &a, &ignored) == 0 && fl_read_file(y, &b, &ignored) == 0 &&
                 same(&a, &b);
    fl_buf_free(&a);
    fl_buf_free(&b);
    free(x);
    free(y);
    return alike;
}

static int differs(const struct program *p, const char *in, const char *hint, struct fl_err *err)
{
    return fl_fail(err,
                   "%s: two runs without a fault differ in %s, so no difference would be the "
                   "fault's%s",
                   *p->o.argv, in, hint);
}

static int compare(const struct program *p, const struct leaves *a, const struct leaves *b,
                   struct fl_err *err)
{
    if (!p->o.no_stdout && !same(&a->out, &b->out))
        return differs(p, "standard output",
                       "; --no-stdout leaves it out, --ignore-lines lines of it", err);
    for (int i = 0; i < p->o.outputs; i++)
        if (!same(&a->output[i], &b->output[i]))
            return differs(p, p->o.output[i], "", err);
    if (a->end.code != b->end.code)
        return differs(p, "exit status", "", err);
    for (int i = 0; i < p->jobs; i++)
        if (!same_files(p, i, "job.xml") || !same_files(p, i, "data.bin"))
            return differs(p, "what they launch and copy", "", err);
    return 0;
}

/* A job for each machine: another process of the program would have none. */
static int find_jobs(struct program *p, const struct leaves *l, struct fl_err *err)
{
    const int machines = (int)l->live.devices;
    p->job = fl_alloc((size_t)machines * sizeof *p->job);
    for (int i = 0; i < machines; i++) {
        p->job[p->jobs++] = in_record(p, "record", i, "job.xml");
        if (access(p->job[i], F_OK) != 0)
            return fl_fail(err,
                           "%s: it starts the device %d times, and leaves %d records; let one "
                           "process use the device",
                           *p->o.argv, machines, i);
    }
    return 0;
}

/* Where a command judges outputs, those of the first run stay. */
static int run_twice(struct program *p, struct fl_err *err)
{
    struct leaves first = {0}, again = {0};
    char *kept = fl_format("%s/good", p->folder), *good = fl_format("%s/run", kept),
         *second = fl_format("%s/second", p->folder), *left = fl_format("%s/again", p->folder);
    mkdir(kept, 0700);
    int bad = run_good(p, "record", good, &first, err) || find_jobs(p, &first, err);
    bad = bad || run_good(p, "again", second, &again, err) || compare(p, &first, &again, err);
    p->good = first;
    bad = bad || (p->o.check && check_good_outputs(p, second, err));
    if (!p->o.check)
        folder_remove(kept);
    remove_run(second);
    folder_remove(left);
    leaves_free(&again, p->o.outputs);
    free(kept);
    free(good);
    free(second);
    free(left);
    return bad;
}

/* ---- who it is ------------------------------------------------------------------------------- */

static bool is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

/* A program of the folder runs from the copy; another one from where it is. */
static char *name_in_copy(const struct program *p)
{
    const char *name = *p->o.argv;
    char *copied = fl_format("%s/%s", p->base, name), *real = NULL;
    if (strchr(name, '/') && *name != '/' && !is_file(copied))
        real = realpath(name, NULL);
    free(copied);
    return real ? real : fl_strdup(name);
}

static void add_part(struct fl_buf *to, const struct fl_buf *part)
{
    fl_buf_printf(to, "%zu:", part->size);
    if (part->size)
        fl_buf_add(to, part->data, part->size);
}

/* A word, and the file that it names in this folder. */
static void add_word(struct fl_buf *to, const char *folder, const char *word)
{
    struct fl_buf file = {0};
    struct fl_err ignored;
    char *path = *word == '/' ? fl_strdup(word) : fl_format("%s/%s", folder, word);
    fl_buf_add(to, word, strlen(word) + 1);
    if (is_file(path) && fl_read_file(path, &file, &ignored) == 0)
        add_part(to, &file);
    fl_buf_free(&file);
    free(path);
}

char *program_check_word(char **rest)
{
    char *word;
    while ((word = strsep(rest, " \t\n'\"`;|&<>()=")) && !*word)
        ;
    return word;
}

/* The command, and the files that its words name: it runs in the current folder. */
static void add_check(struct fl_buf *to, const struct program *p)
{
    char *words = fl_strdup(p->o.check), *rest = words;
    fl_buf_add(to, words, strlen(words) + 1);
    for (char *word; (word = program_check_word(&rest));)
        add_word(to, ".", word);
    free(words);
}

/* Of further machines; a campaign knows the job of the first. */
static void add_jobs(struct fl_buf *to, const struct program *p)
{
    for (int i = 1; i < p->jobs; i++) {
        char *folder = in_record(p, "record", i, "");
        add_word(to, folder, "job.xml");
        add_word(to, folder, "data.bin");
        add_word(to, folder, "program.cubin");
        for (int k = 2, there = 1; there; k++) {
            char *module = fl_format("%s/module%d.cubin", folder, k);
            if ((there = is_file(module)))
                add_word(to, folder, strrchr(module, '/') + 1);
            free(module);
        }
        free(folder);
    }
}

static void identify(struct program *p)
{
    struct fl_buf b = {0};
    uint8_t digest[32];
    char hex[65];
    char *command = strchr(*p->argv, '/') ? NULL
                                          : fl_find_program(*p->argv); /* where PATH has it */
    for (int i = 0; p->argv[i]; i++)
        add_word(&b, p->base, i || !command ? p->argv[i] : command);
    free(command);
    if (p->o.ignore)
        fl_buf_add(&b, p->o.ignore, strlen(p->o.ignore) + 1);
    for (int i = 0; i < PROGRAM_STATUSES; i++)
        if (p->o.exit_means[i])
            fl_buf_printf(&b, "exit %d %d ", i, p->o.exit_means[i]);
    if (p->o.check)
        add_check(&b, p);
    if (p->o.return_errors)
        fl_buf_printf(&b, "return errors ");
    fl_buf_printf(&b, "limit %g status %d stdout %d ", p->seconds, p->good.end.code,
                  !p->o.no_stdout);
    if (!p->o.no_stdout)
        add_part(&b, &p->good.out);
    for (int i = 0; i < p->o.outputs; i++) {
        fl_buf_add(&b, p->o.output[i], strlen(p->o.output[i]) + 1);
        add_part(&b, &p->good.output[i]);
    }
    add_jobs(&b, p);
    job_sha256(&(struct job_range){b.data, b.size}, 1, digest);
    fl_hex(digest, sizeof digest, hex);
    p->identity = fl_format("%.16s", hex);
    fl_buf_free(&b);
}

static int check_outputs(const struct program_options *o, struct fl_err *err)
{
    for (int i = 0; i < o->outputs; i++) {
        char *slashes = fl_format("/%s/", o->output[i]);
        bool out = *o->output[i] == '/' || !*o->output[i] || strstr(slashes, "/../");
        free(slashes);
        if (out)
            return fl_fail(err, "--output %s: name a file in the current folder, from there",
                           o->output[i]);
        for (int k = 0; k < i; k++) /* its words would count twice */
            if (strcmp(o->output[k], o->output[i]) == 0)
                return fl_fail(err, "--output %s: it is named twice; name each file once",
                               o->output[i]);
    }
    return 0;
}

struct program *program_open(const struct program_options *o, struct fl_err *err)
{
    int n = 0;
    struct program *p = fl_alloc(sizeof *p);
    *p = (struct program){.o = *o, .seconds = o->seconds > 0 ? o->seconds : PROGRAM_SECONDS};
    pthread_mutex_init(&p->mutex, NULL);
    p->lock = -1;
    while (o->argv[n])
        n++;
    p->argv = fl_alloc((size_t)(n + 1) * sizeof *p->argv);
    remove_all_left();
    int bad = check_outputs(o, err) || compile_ignore(p, err) || make_folder(p, err);
    if (!bad) {
        char *mark = fl_format(LIVE_REPORT "=%s/", p->folder);
        p->orphans = orphans_new(mark);
        free(mark);
        find_without(p);
    }
    bad = bad || copy_base(p, err);
    for (int i = 0; !bad && i < n; i++)
        p->argv[i] = i ? fl_strdup(o->argv[i]) : name_in_copy(p);
    bad = bad || run_twice(p, err);
    if (!bad)
        identify(p);
    if (!bad)
        return p;
    program_close(p);
    return NULL;
}

void program_close(struct program *p)
{
    if (!p)
        return;
    orphans_free(p->orphans);
    if (p->lock >= 0)
        folder_remove(p->folder);
    if (p->lock >= 0)
        close(p->lock);
    leaves_free(&p->good, p->o.outputs);
    for (int i = 0; p->argv[i]; i++)
        free(p->argv[i]);
    pthread_mutex_destroy(&p->mutex);
    if (p->ignores)
        regfree(&p->ignore);
    free(p->argv);
    free(p->folder);
    free(p->base);
    for (int i = 0; i < p->jobs; i++)
        free(p->job[i]);
    free(p->job);
    free(p->identity);
    free(p->without);
    free(p);
}

void program_stop_by(struct program *p, const atomic_int *stop)
{
    p->o.stop = stop;
}

const char *program_job(const struct program *p, int n)
{
    return n < p->jobs ? p->job[n] : NULL;
}

static void add_value(struct fl_buf *out, const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c <= ' ' || (unsigned char)*c >= 0x7f || *c == '%' || *c == ',')
            fl_buf_printf(out, "%%%02X", (unsigned char)*c);
        else
            fl_buf_add(out, c, 1);
}

void program_options_text(const struct program *p, struct fl_buf *out)
{
    const struct program_options *o = &p->o;
    enum fsim_outcome means;
    const char *before = " exit=";
    fl_buf_printf(out, " program=%s", p->identity);
    if (p->good.live.devices > 1) /* a store has the launches of the first one */
        fl_buf_printf(out, " devices=%u run-cycles=%llu", p->good.live.devices,
                      (unsigned long long)p->good.live.cycles);
    for (int i = 0; i < o->outputs; i++) {
        fl_buf_printf(out, "%s", i ? "," : " output=");
        add_value(out, o->output[i]);
    }
    for (int i = 0; i < PROGRAM_STATUSES; i++)
        if (program_exit_means(o, i, &means)) {
            fl_buf_printf(out, "%s%d=%s", before, i, fsim_outcome_name(means));
            before = ",";
        }
    if (o->check) {
        fl_buf_printf(out, " check-output=");
        add_value(out, o->check);
    }
    if (o->no_stdout)
        fl_buf_printf(out, " no-stdout");
    if (o->return_errors)
        fl_buf_printf(out, " return-errors");
    if (o->ignore) {
        fl_buf_printf(out, " ignore-lines=");
        add_value(out, o->ignore);
    }
    if (p->seconds < PROGRAM_SECONDS || p->seconds > PROGRAM_SECONDS)
        fl_buf_printf(out, " time-limit=%g", p->seconds);
}

double program_seconds(const struct program *p)
{
    return p->each;
}

unsigned long long program_runs(const struct program *p)
{
    return atomic_load(&p->runs);
}

unsigned long long program_unexplained(const struct program *p, int status)
{
    return atomic_load(&p->unexplained[status]);
}

bool program_exit_means(const struct program_options *o, int status, enum fsim_outcome *means)
{
    bool known = status >= 0 && status < PROGRAM_STATUSES && o->exit_means[status];
    if (known)
        *means = (enum fsim_outcome)(o->exit_means[status] - 1);
    return known;
}

void program_look_at(struct program *p, const struct job *job)
{
    for (int i = 0; i < job->nlaunches; i++)
        for (int k = 0; k < job->launch[i].before.count; k++)
            p->reads_between |= job->step[job->launch[i].before.first + k].kind == STEP_READ;
}

/* ---- faults ---------------------------------------------------------------------------------- */

bool program_knows(const struct program *p, enum fsim_outcome by_record, bool idle)
{
    bool asks = p->good.live.asks_time;
    switch (by_record) {
    case OUT_MASKED: return !asks || idle;
    case OUT_PERFORMANCE: return !asks;
    case OUT_CRASH:
    case OUT_HANG:
    case OUT_TIMEOUT: return !asks && !p->reads_between && !p->o.return_errors;
    default: return false;
    }
}

static bool fail(struct program *p, const struct fl_err *err)
{
    pthread_mutex_lock(&p->mutex);
    if (!p->failed)
        p->why = *err;
    p->failed = true;
    pthread_mutex_unlock(&p->mutex);
    return false;
}

bool program_had_trouble(const struct program *p)
{
    return p->trouble;
}

bool program_failed(const struct program *p, struct fl_err *err)
{
    if (p->failed)
        *err = p->why;
    return p->failed;
}

/* A process that may have lacked what the computer is short of says nothing of the fault, though it has tidied up: while it went on, there
 * must have been as much as a run may need. Nor does one that was killed, as the kernel does when memory is short.
 */
static int check_trouble(struct program *p, const struct process_end *end, struct fl_err *err)
{
    enum { FILES = 1000, PROCESSES = 64 };
    static const char no[] = "so its outcome does not count";
    static const char mend[] =
        "make room, or name another place by TMPDIR, and go on with --resume";
    const struct room *least = &end->least;
    const unsigned long long most = most_bytes(p);
    if (end->how == PROCESS_BY_SIGNAL && end->code == SIGKILL) {
        fl_fail(err,
                "%s: a run was killed (SIGKILL), as the kernel does when memory is short; the "
                "campaign goes on with --resume",
                *p->o.argv);
        return trouble(p);
    }
    if (least->files < FILES) {
        fl_fail(err, "%s: room for %llu files was left during a run, which may make %d, %s; %s",
                temporary(), (unsigned long long)least->files, FILES, no, mend);
        return trouble(p);
    }
    if (least->bytes < most) {
        fl_fail(err, "%s: %llu KiB were left during a run, which may write files of %llu, %s; %s",
                temporary(), (unsigned long long)least->bytes >> 10, most >> 10, no, mend);
        return trouble(p);
    }
    if (least->processes < PROCESSES) {
        fl_fail(
            err,
            "%s: %llu processes and threads were left to the user during a run, which may start "
            "%d, %s; raise the limit (ulimit -u), and go on with --resume",
            *p->o.argv, (unsigned long long)least->processes, PROCESSES, no);
        return trouble(p);
    }
    return 0;
}

static int run_with(struct program *p, const char *at, const char *fault, struct fsim_result *out,
                    struct fl_err *err)
{
    struct leaves l = {0};
    struct process_end checked = {.least = room_any};
    char *said = fl_format("%s.said", at);
    char *words[WORDS] = {fl_format(LIVE_FAULT "=%s", fault),
                          fl_format(LIVE_CYCLES "=%llu", (unsigned long long)p->good.live.longest),
                          p->o.profile ? fl_format("FAULTLINE_PROFILE=%s", p->o.profile) : NULL,
                          p->o.return_errors ? fl_strdup(LIVE_ERRORS "=1") : NULL,
                          p->o.netlists ? fl_format(LIVE_NETLISTS "=%s", p->o.netlists) : NULL};
    int bad = start(p, at, words, p->seconds, &l.end, err) || take_leaves(p, at, &l, err)
                  ? trouble(p)
                  : 0;
    if (!bad && l.end.how == PROCESS_STOPPED)
        bad = fl_fail(err, "stopped");
    if (!bad && !l.live.brought) {
        bad = fl_fail(err,
                      "%s with fault %s: it ends before the fault happens; it does not do the same "
                      "each time, or --time-limit is too short",
                      *p->o.argv, fault);
        add_said(said, err);
    }
    if (!bad && judge(&p->o, &p->good, &l, out) && p->o.check) {
        bad = ask(p, at, &checked, err);
        judge_checked(checked.code, out);
        if (bad) /* perhaps by what the computer is short of */
            check_trouble(p, &checked, err);
    }
    if (!bad && out->outcome != OUT_MASKED)
        bad = check_trouble(p, &l.end, err) || (p->o.check && check_trouble(p, &checked, err));
    if (!bad && out->outcome == OUT_EXIT)
        atomic_fetch_add(&p->unexplained[l.end.code], 1);
    leaves_free(&l, p->o.outputs);
    for (int i = 0; i < WORDS; i++)
        free(words[i]);
    free(said);
    return bad;
}

bool program_run(struct program *p, const char *fault, struct fsim_result *out)
{
    struct fl_err err;
    char *at = fl_format("%s/%llu", p->folder, atomic_fetch_add(&p->next, 1));
    int bad = p->o.stop && atomic_load(p->o.stop) ? fl_fail(&err, "stopped")
                                                  : run_with(p, at, fault, out, &err);
    remove_run(at);
    free(at);
    atomic_fetch_add(&p->runs, 1);
    return bad ? fail(p, &err) : true;
}
