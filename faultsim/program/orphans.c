/* orphans.c -- see orphans.h. Children are found in /proc/self/task/<thread>/children. One that this process has not started is an orphan.
 * One that has ended is waited for, whoever had started it: else a campaign of many runs would use up the numbers of processes.
 */
#include "orphans.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "base/fl.h"

struct run {
    pid_t pid;
    char *word;
};

struct orphans {
    pthread_mutex_t mutex; /* no child is started while they are looked at */
    char *mark;
    struct run *run; /* those that go on, or are not waited for yet */
    int runs;
    int before; /* orphans came to this process before, too */
};

struct orphans *orphans_new(const char *mark)
{
    struct orphans *o = fl_alloc(sizeof *o);
    *o = (struct orphans){.mark = fl_strdup(mark)};
    pthread_mutex_init(&o->mutex, NULL);
    prctl(PR_GET_CHILD_SUBREAPER, &o->before, 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    return o;
}

int orphans_spawn(struct orphans *o, pid_t *pid, const posix_spawn_file_actions_t *files,
                  const posix_spawnattr_t *attributes, char *const *argv, char *const *env)
{
    const char *word = "";
    for (char *const *e = env; *e; e++)
        if (strncmp(*e, o->mark, strlen(o->mark)) == 0)
            word = *e;
    pthread_mutex_lock(&o->mutex);
    int why = posix_spawnp(pid, *argv, files, attributes, argv, env);
    if (why == 0) {
        o->run = fl_grow(o->run, (size_t)o->runs + 1, sizeof *o->run);
        o->run[o->runs++] = (struct run){*pid, fl_strdup(word)};
    }
    pthread_mutex_unlock(&o->mutex);
    return why;
}

static bool is_run(const struct orphans *o, pid_t pid)
{
    for (int i = 0; i < o->runs; i++)
        if (o->run[i].pid == pid)
            return true;
    return false;
}

static bool goes_on(const struct orphans *o, const char *word)
{
    for (int i = 0; i < o->runs; i++)
        if (strcmp(o->run[i].word, word) == 0)
            return true;
    return false;
}

/* Its environment says that it belongs to a run, and that run is over. */
static bool is_left(const struct orphans *o, pid_t pid)
{
    char *path = fl_format("/proc/%d/environ", (int)pid), *word = NULL;
    size_t room = 0;
    bool left = false;
    FILE *f = fopen(path, "re");
    while (f && !left && getdelim(&word, &room, 0, f) > 0)
        left = strncmp(word, o->mark, strlen(o->mark)) == 0 && !goes_on(o, word);
    if (f)
        fclose(f);
    free(word);
    free(path);
    return left;
}

/* The orphans among the children of a thread; how many of them were killed. */
static int look_at(const struct orphans *o, const char *thread)
{
    char *path = fl_format("/proc/self/task/%s/children", thread);
    FILE *f = fopen(path, "re");
    int killed = 0;
    for (int pid; f && fscanf(f, "%d", &pid) == 1;)
        if (!is_run(o, pid) && waitpid(pid, NULL, WNOHANG) == 0 && is_left(o, pid))
            killed += kill(pid, SIGKILL) == 0;
    if (f)
        fclose(f);
    free(path);
    return killed;
}

static int look(struct orphans *o)
{
    int killed = 0;
    pthread_mutex_lock(&o->mutex);
    DIR *d = opendir("/proc/self/task");
    for (struct dirent *e; d && (e = readdir(d));)
        if (*e->d_name != '.')
            killed += look_at(o, e->d_name);
    if (d)
        closedir(d);
    pthread_mutex_unlock(&o->mutex);
    return killed;
}

/* What a killed one has started in turn is an orphan next. */
static void end_left(struct orphans *o)
{
    enum { LOOKS = 1000 }; /* 1 ms apart */
    for (int i = 0; i < LOOKS && look(o); i++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
}

void orphans_end(struct orphans *o, pid_t pid)
{
    pthread_mutex_lock(&o->mutex);
    for (int i = 0; i < o->runs; i++)
        if (o->run[i].pid == pid) {
            free(o->run[i].word);
            o->run[i] = o->run[--o->runs];
            break;
        }
    pthread_mutex_unlock(&o->mutex);
    end_left(o);
}

void orphans_free(struct orphans *o)
{
    if (!o)
        return;
    end_left(o);
    prctl(PR_SET_CHILD_SUBREAPER, o->before, 0, 0, 0);
    pthread_mutex_destroy(&o->mutex);
    free(o->run);
    free(o->mark);
    free(o);
}
