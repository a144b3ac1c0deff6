/* orphans.h -- processes that a run has started and that outlive it, though they left its group (setsid). While there is a struct orphans,
 * the kernel makes them children of this process, and they are ended when their run is over. No other process is touched: a process
 * belongs to a run by a word of its environment.
 */
#ifndef ORPHANS_H
#define ORPHANS_H

#include <spawn.h>
#include <sys/types.h>

struct orphans;

/* `mark`: how that word begins. Each run has another word, and no process of anybody else has one. One struct orphans at a time. */
struct orphans *orphans_new(const char *mark);
/* Ends those that are left. */
void orphans_free(struct orphans *o);

/* posix_spawnp of a run. Any number of threads may call. */
int orphans_spawn(struct orphans *o, pid_t *pid, const posix_spawn_file_actions_t *files,
                  const posix_spawnattr_t *attributes, char *const *argv, char *const *env);
/* The run is over and has been waited for. Ends what is left of it. */
void orphans_end(struct orphans *o, pid_t pid);

#endif
