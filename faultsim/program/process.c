/* process.c -- see process.h. The program gets a group of its own, which is killed when it has ended or its time is over; so is what
 * has left the group (orphans.h).
 */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/threads.h"

/* Signals as a shell has them: ours are left to one thread, and writing too much is an error of the write. */
static void set_attributes(posix_spawnattr_t *a)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_init(a);
    posix_spawnattr_setflags(a, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                    POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(a, 0);
    posix_spawnattr_setsigmask(a, &none);
    posix_spawnattr_setsigdefault(a, &all);
}

static int start(const struct process *p, pid_t *pid, struct fl_err *err)
{
    /* a child of another thread may, until it is a program, hold the file that this thread has just copied */
    enum { WRITE = O_WRONLY | O_CREAT | O_TRUNC, TRIES = 2000 };
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    set_attributes(&attributes);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, p->out, WRITE, 0600);
    posix_spawn_file_actions_addopen(&files, 2, p->said, WRITE, 0600);
    posix_spawn_file_actions_addchdir_np(&files, p->folder);
    int why = ETXTBSY;
    for (int i = 0; i < TRIES && why == ETXTBSY; i++) {
        if (i)
            nanosleep(&(struct timespec){0, 1000000}, NULL);
        why = orphans_spawn(p->orphans, pid, &files, &attributes, p->argv, p->env);
    }
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    if (why == ENOENT && !strchr(*p->argv, '/') && access(*p->argv, X_OK) == 0)
        return fl_fail(err, "%s: no such program in PATH; did you mean ./%s?", *p->argv, *p->argv);
    return why ? fl_fail(err, "%s: it cannot be started: %s", *p->argv, strerror(why)) : 0;
}

static void limit(pid_t pid, uint64_t bytes)
{
    const struct rlimit none = {0, 0}, file = {bytes, bytes};
    prlimit(pid, RLIMIT_CORE, &none, NULL);
    prlimit(pid, RLIMIT_FSIZE, &file, NULL);
}

/* A lower limit of the user's would end runs as the fault does. That of files is raised as far as it goes (`limit`). */
static int check_limits(const struct process *p, struct fl_err *err)
{
    enum { DESCRIPTORS = 256 };
    static const uint64_t addresses = UINT64_C(4) << 30;
    const struct {
        int resource, shift;
        uint64_t least;
        const char *what, *flag;
    } limits[] = {
        {RLIMIT_FSIZE, 10, p->bytes, "KiB in a file", "f"},
        {RLIMIT_NOFILE, 0, DESCRIPTORS, "open files", "n"},
        {RLIMIT_AS, 10, addresses, "KiB of addresses", "v"},
        {RLIMIT_DATA, 10, addresses, "KiB of data", "d"},
        {RLIMIT_CPU, 0, (uint64_t)ceil(p->seconds), "s of processor time", "t"},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit now;
        if (getrlimit((__rlimit_resource_t)limits[i].resource, &now) != 0)
            continue;
        uint64_t most = limits[i].resource == RLIMIT_FSIZE ? now.rlim_max : now.rlim_cur;
        if (most != RLIM_INFINITY && most < limits[i].least)
            return fl_fail(err,
                           "a run may need %llu %s, and the limit is %llu (ulimit -%s): raise it",
                           (unsigned long long)limits[i].least >> limits[i].shift, limits[i].what,
                           (unsigned long long)most >> limits[i].shift, limits[i].flag);
    }
    return 0;
}

/* It has ended, and is not waited for yet: its group's number is still its own. */
static bool has_ended(pid_t pid)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

static void look(const struct process *p, struct room *least)
{
    room_look(p->folder, least);
    if (p->writes)
        room_look(p->writes, least);
}

int process_run(const struct process *p, struct process_end *end, struct fl_err *err)
{
    enum { LONGEST = 4000000 }; /* ns between looks */
    enum { GAP = 1 };           /* s between two looks: the machine, or we, stood still */
    struct timespec nap = {0, 100000};
    double used = 0, last = fl_seconds();
    bool stopped = false, late = false, ended = false;
    int status = 0;
    pid_t pid;
    struct room least = room_any;
    if (check_limits(p, err))
        return -1;
    look(p, &least);
    room_look_at_processes(&least);
    if (start(p, &pid, err))
        return -1;
    limit(pid, p->bytes);
    while (!(ended = has_ended(pid)) && !stopped && !late) {
        nanosleep(&nap, NULL);
        look(p, &least);
        if (nap.tv_nsec < LONGEST)
            nap.tv_nsec += nap.tv_nsec / 4;
        stopped = p->stop && atomic_load(p->stop);
        double now = fl_seconds();
        used += now - last < GAP ? now - last : 0;
        last = now;
        late = used > p->seconds;
    }
    kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    orphans_end(p->orphans, pid);
    *end = (struct process_end){.how = PROCESS_EXITED, .code = WEXITSTATUS(status), .least = least};
    look(p, &end->least);
    room_look_at_processes(&end->least);
    end->seconds = used + (fl_seconds() - last < GAP ? fl_seconds() - last : 0);
    if (WIFSIGNALED(status)) {
        end->how = PROCESS_BY_SIGNAL;
        end->code = WTERMSIG(status);
    }
    if (!ended)
        end->how = stopped ? PROCESS_STOPPED : PROCESS_TOO_LONG;
    return 0;
}
