/* record.c -- runs a program that smcc --exe has built, or that is linked with libcuda, and leaves its run as a job. The runtime library in the program writes it
 * (host/record.c); it is told where through the environment.
 */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "sm/gpu/gpu.h"
#include "smrun.h"

extern char **environ;

static const char *const beside[] = {"program.cubin", "data.bin"}; /* job.xml */

/* Without its job.xml a folder holds no file of a record. */
static const char *other_file(const char *folder, const char *job)
{
    const char *found = NULL;
    const bool has_job = access(job, F_OK) == 0;
    char *cubin = fl_format("%s/%s", folder, *beside);
    if (has_job && access(cubin, F_OK) != 0)
        found = "job.xml";
    for (size_t i = 0; i < sizeof beside / sizeof *beside && !has_job; i++) {
        char *path = fl_format("%s/%s", folder, beside[i]);
        found = access(path, F_OK) == 0 ? beside[i] : found;
        free(path);
    }
    free(cubin);
    return found;
}

/* Of an earlier record, or of a run that is not recorded: module2.cubin and so on (host/record.c). */
static void remove_modules(const char *folder)
{
    for (int i = 2, gone = 0; !gone; i++) {
        char *path = fl_format("%s/module%d.cubin", folder, i);
        gone = unlink(path) != 0;
        free(path);
    }
}

/* Of a run that is not recorded. */
static void remove_rest(const char *folder, const char *job)
{
    for (size_t i = 0; i < sizeof beside / sizeof *beside && access(job, F_OK) != 0; i++) {
        char *path = fl_format("%s/%s", folder, beside[i]);
        unlink(path);
        free(path);
    }
    if (access(job, F_OK) != 0)
        remove_modules(folder);
}

/* The records of further uses of the device are in folders 2, 3 ... of the record; NULL: there is no such job. Caller frees. */
static char *further(const char *folder, int n)
{
    char *path = fl_format("%s/%d/job.xml", folder, n);
    if (access(path, F_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static void remove_further(const char *folder)
{
    char *job;
    for (int i = 2; (job = further(folder, i)); i++) {
        char *path = fl_format("%s/%d", folder, i);
        unlink(job);
        remove_rest(path, job);
        rmdir(path);
        free(path);
        free(job);
    }
}

/* A folder that is new, or holds an earlier record: that goes away. */
static int clear_folder(const char *folder, const char *job, struct fl_err *err)
{
    const char *other = other_file(folder, job);
    const bool earlier = !other && access(job, F_OK) == 0;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fl_fail(err, "--record %s: cannot make this folder: %s; name another one", folder,
                       strerror(errno));
    if (other)
        return fl_fail(err, "--record %s: holds a %s that is no record; name another folder",
                       folder, other);
    if (unlink(job) != 0 && errno != ENOENT)
        return fl_fail(err,
                       "--record %s: cannot remove the earlier job.xml: %s; name another folder",
                       folder, strerror(errno));
    if (earlier)
        remove_modules(folder);
    if (earlier)
        remove_further(folder);
    return 0;
}

/* Waits for it. A signal that asks us to end is passed on; when the program does not end by it, it is killed at the next one, or after some
 * seconds. The terminal sends its own to both.
 */
static int wait_for(pid_t pid, const sigset_t *asked, int *status)
{
    enum { GRACE = 2 };
    const struct timespec grace = {GRACE, 0};
    int by = 0;
    for (;;) {
        pid_t ended = waitpid(pid, status, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR))
            return by;
        siginfo_t info = {0};
        int signal = by ? sigtimedwait(asked, &info, &grace) : sigwaitinfo(asked, &info);
        if (signal == SIGCHLD || (signal < 0 && errno == EINTR))
            continue;
        if (by)
            kill(pid, SIGKILL);
        else if (info.si_code != SI_KERNEL)
            kill(pid, signal);
        by = by ? by : signal;
    }
}

/* *by: the signal that has asked us to end meanwhile, or 0. */
static int run_program(char **program, int *status, int *by, struct fl_err *err)
{
    static const int signals[] = {SIGCHLD, SIGHUP, SIGINT, SIGTERM};
    pid_t pid;
    sigset_t asked, before;
    struct sigaction act;
    posix_spawnattr_t attributes;
    sigemptyset(&asked);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &act) == 0 && act.sa_handler != SIG_IGN) /* nohup */
            sigaddset(&asked, signals[i]);
    sigprocmask(SIG_BLOCK, &asked, &before);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &before);
    int why = posix_spawnp(&pid, *program, NULL, &attributes, program, environ);
    posix_spawnattr_destroy(&attributes);
    if (!why)
        *by = wait_for(pid, &asked, status);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return why ? fl_fail(err, "%s: %s", *program, strerror(why)) : 0;
}

/* Runs the record: it must leave what the program has read. Else the job is no record of it, and goes away. */
static int prove(const char *path, const struct job *job, struct fl_err *err)
{
    uint8_t digest[32];
    if (!job->has_digest)
        return 0;
    struct sm_image *img = sm_image_new(job, err);
    if (!img)
        return -1;
    struct gpu *m = gpu_new(img);
    gpu_run(m, UINT64_MAX);
    gpu_outputs_digest(m, digest);
    bool same = memcmp(digest, job->digest, sizeof digest) == 0;
    gpu_free(m);
    sm_image_free(img);
    if (same)
        return 0;
    unlink(path);
    return fl_fail(err,
                   "%s: the record leaves other outputs than the program has read, so it is not "
                   "kept; let one process and one thread at a time use the device",
                   path);
}

static void say_what(const char *path, const struct job *job)
{
    int reads = 0;
    uint64_t bytes = 0;
    for (int i = 0; i < job->noutputs; i++, reads++)
        bytes += job->output[i].size;
    fprintf(stderr, "recorded      %s: %d launch%s, %d buffer%s, %d read%s of %llu bytes\n", path,
            job->nlaunches, job->nlaunches == 1 ? "" : "es", job->nbuffers,
            job->nbuffers == 1 ? "" : "s", reads, reads == 1 ? "" : "s", (unsigned long long)bytes);
}

/* A program that cannot be started must not cost the earlier record. */
static int check_program(const char *program, struct fl_err *err)
{
    char *found = fl_find_program(program);
    int why = errno;
    free(found);
    if (found)
        return 0;
    if (!strchr(program, '/') && access(program, X_OK) == 0)
        return fl_fail(err, "%s: no such program in PATH; did you mean ./%s?", program, program);
    return fl_fail(err, "%s: %s", program, strerror(why));
}

/* Of one use of the device. */
static int take(const char *path, struct fl_err *err)
{
    struct job *job = NULL;
    int bad = job_load(path, NULL, &job, err) || prove(path, job, err);
    if (!bad)
        say_what(path, job);
    job_free(job);
    return bad;
}

static int take_all(const char *folder, const char *path, struct fl_err *err)
{
    char *next;
    int bad = take(path, err);
    for (int i = 2; !bad && (next = further(folder, i)); i++) {
        bad = take(next, err);
        free(next);
    }
    return bad;
}

int smrun_record(const struct options *o, char **program, struct fl_err *err)
{
    if (check_program(*program, err) != 0)
        return -1;
    char *path = fl_format("%s/job.xml", o->record);
    int status = 0, by = 0, bad = clear_folder(o->record, path, err);
    char *folder = bad ? NULL : realpath(o->record, NULL); /* it may change its own */
    if (!bad) {
        setenv("FAULTLINE_RECORD", folder ? folder : o->record, 1);
        if (o->machine.profile)
            setenv("FAULTLINE_PROFILE", o->machine.profile, 1);
        if (o->has_engine) /* else as the environment has it */
            setenv("FAULTLINE_ENGINE", o->engine == ENGINE_RTL ? "rtl" : "c", 1);
        bad = run_program(program, &status, &by, err);
        remove_rest(o->record, path);
    }
    if (by && WIFSIGNALED(status)) /* the shell sees what ended both */
        interrupt_raise(by);
    bool done = !bad && access(path, F_OK) == 0;
    if (done)
        bad = take_all(o->record, path, err);
    if ((!done || bad) && folder)
        remove_rest(o->record, path);
    free(folder);
    if (!bad && WIFSIGNALED(status))
        bad = fl_fail(err, "%s: ended by signal %d (%s); its run is not recorded", *program,
                      WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (!bad && !done)
        bad = fl_fail(err,
                      "%s: has left no record; build the program with smcc --exe, or link it with "
                      "libcuda, and let it launch a kernel and end by return or exit()",
                      *program);
    else if (!bad && WEXITSTATUS(status))
        bad = fl_fail(err, "%s: ended with status %d; its run is recorded all the same", *program,
                      WEXITSTATUS(status));
    free(path);
    return bad;
}
