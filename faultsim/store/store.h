/* store.h -- a campaign in an SQLite file that survives kill -9, goes on where it stopped, and
 * joins with its shards.
 *
 *     store_open(path, resume, &identity, &s, err)       refuses another job, other options,
 *                                                        another version
 *     store_job(s, j, &job, err)                         after the golden run: kernels, timeline,
 *                                                        disassembly
 *     part = store_part(s, &part, err)                   for each target; says how many units of
 *                                                        work there are
 *     for each unit: if (store_wants(s, part, unit)) { work; store_put(s, part, unit, &found, err);
 *     }
 *     store_finish(s, err)                               all parts are declared, and done
 *     store_result(s)                                    the sums, for reports
 *     store_close(s, err)
 *
 * store_put may be called by any thread. It adds to the sums in memory and returns at once; a
 * thread of the store commits to the file twice a second. So kill -9 loses at most the work of the
 * last second, and a unit counts either fully or not at all. Without a path all is kept in memory:
 * an engine needs only this one way to collect.
 *
 * The file holds a lock while it is open: a second process is refused. Schema and views:
 * docs/reference/stores.md.
 */
#ifndef STORE_H
#define STORE_H

#include "base/fl.h"
#include "base/progress.h"
#include "faultsim/result/result.h"

enum { STORE_FORMAT = 10, STORE_MAX_SHARDS = 1000000 };

/* What must be equal for two runs to add up. */
struct store_identity {
    const char *
        /* all that decides a result, in one fixed text: "model=transient method=exact target=rf
         * ..." */
        options;
    /* How many flips the samples shall have: "flips=3000", "margin=0.01", or "". A campaign may
     * grow: see store_grow. */
    const char *size;
    int shard, shards; /* 1 of 1: everything */
    int njobs;
    const struct result_job *job; /* name and digest are looked at */
    const char *merged_as; /* shards are joined here: the name that the file will have; else NULL */
};

struct store;

/* Path NULL: in memory. An existing file is refused unless `resume`; `resume` without a file starts
 * one, and makes one of an earlier format a store of this one. */
int store_open(const char *path, bool resume, const struct store_identity *id, struct store **out,
               struct fl_err *err);
/* Opens a finished or unfinished campaign for reading: reports, merging. One of an earlier format
 * stays as it is. */
int store_read(const char *path, struct store **out, struct fl_err *err);
/* Commits what is left. An error here is an error of the campaign: the last second is not in the
 * file. */
int store_close(struct store *s, struct fl_err *err);

/* Job number j in full. When the file has it already, it must be the same. */
int store_job(struct store *s, int j, const struct result_job *job, struct fl_err *err);

/* A part, with what is known before any flip: tally[i].bits, cycles, population, owned,
 * warp_cycles, and moment[b].owned; all counts 0. Returns its number, or -1. Parts are declared in
 * the same order in every run of a campaign. An exact part that another version has cut into other
 * units stays as it is when it is done, and else starts again: store_result says its units. */
int store_part(struct store *s, const struct result_part *p, struct fl_err *err);

/* Tells how far a campaign in `path` (or NULL) is, in a file beside it too. Not before the store is
 * open: the file may be that of a process that runs. */
struct progress *store_progress(const struct progress_options *show, const char *path, int shard,
                                int shards, int njobs);

/* "go on with --store s2.db --resume --shard 2/3": what a campaign that was stopped tells. Caller
 * frees. */
char *store_go_on(const char *path, int shard, int shards);

/* In this shard (unit % shards == shard - 1) and not done yet. */
bool store_wants(const struct store *s, int part, uint64_t unit);
bool store_done(const struct store *s, int part, uint64_t unit);
uint64_t store_count_done(const struct store *s, int part);
/* Units of a part that belong to the shard. */
uint64_t store_share(const struct store *s, int part);

/* One injection of a sample or of a fault list. */
struct store_injection {
    uint64_t number; /* in the seeded order, or in the list */
    int kernel;
    const char *id;
    enum fsim_outcome outcome;
    const char *reason;
    uint64_t first_activation, end; /* cycles, or FSIM_NEVER */
    bool ran;                       /* not answered from the trace alone */
    /* outputs that differ: how many elements, by how much at most (NaN: unknown), how many of them
     * unwritten (STORE_UNKNOWN: kept by a format that did not say); outputs.h */
    uint32_t elements;
    double by;
    int64_t unwritten;
    struct anatomy anatomy; /* what they look like, where it is known */
    /* the elements themselves, of a campaign whose options say STORE_WORDS: rows of WORDS_KEPT bytes
     * (faultsim/result/words.h) */
    const uint8_t *words;
    size_t words_size;
    /* permanent faults: where it stands in the list that exports print, from 1, the same in all jobs;
     * else 0 */
    uint64_t place;
    /* 1: no program can tell; STORE_UNKNOWN: it was kept by a format that did not say */
    int untestable;
};
enum { STORE_UNKNOWN = -1 };
#define STORE_WORDS "words=all"

/* What a unit of work found. Make one for each thread, clear it after each put. */
struct store_found {
    /* [result_tallies]: only the counts (counted ... runs) */
    struct tally *tally;
    struct sites sites;
    struct moment *moment; /* [buckets]: `owned` is ignored */
    struct store_kept {    /* by store_found_inject */
        struct store_injection i;
        size_t id, reason, words; /* offsets in text */
    } * injection;
    int ninjections, room;
    char *text;
    size_t text_used, text_room;
    int nlaunches, ntallies, nbuckets;
};
void store_found_make(struct store_found *f, const struct store *s, int part);
/* The tally of an SM in a launch; NULL: SMs have none. */
struct tally *store_found_sm(const struct store_found *f, int sm, int launch);
void store_found_inject(struct store_found *f, const struct store_injection *i); /* copies texts */
void store_found_clear(struct store_found *f);
void store_found_free(struct store_found *f);

/* What the samples of permanent faults were drawn from, in all targets; every run says so. A store of
 * an earlier format gets to know it by that. */
int store_populations(struct store *s, const struct result_population *p, int n,
                      struct fl_err *err);

/* The unit is done. An error of an earlier commit (full disk) is reported here too; what was
 * committed is safe. */
int store_put(struct store *s, int part, uint64_t unit, const struct store_found *found,
              struct fl_err *err);
/* Commits now: call it before a decision that must not be taken back. */
int store_commit(struct store *s, struct fl_err *err);
/* A copy of the sums of a part so far, consistent under threads. */
void store_sum(const struct store *s, int part, struct tally *out);
/* A sample stopped early: units from `units` on are not wanted. None of them may be done. */
int store_stop(struct store *s, int part, uint64_t units, struct fl_err *err);
/* A sample has more flips than the last run wanted. Its last unit was not full and is done: `rest`
 * is what the flips found that make it full (or up to `flips`); else NULL. All in one transaction;
 * the campaign is not finished then. */
int store_grow(struct store *s, int part, uint64_t flips, const struct store_found *rest,
               struct fl_err *err);

/* No further part comes. Without this a campaign that ended between two targets would look like a
 * whole one. */
int store_finish(struct store *s, struct fl_err *err);
/* Every unit of the shard is done, in all parts that there will be. */
bool store_complete(const struct store *s);
/* Valid until store_close, and quiet once no thread puts. */
const struct result *store_result(const struct store *s);
int store_shard(const struct store *s, int *shards);
const char *store_options(const struct store *s);
/* Its file, for messages. */
const char *store_name(const struct store *s);
/* What made the result (made.h): options and size of the samples. Caller frees. */
char *store_made(const struct store *s);
/* Settings that reports use and that are no part of the identity, for the views: "fit_per_bit". */
int store_set(struct store *s, const char *name, double value, struct fl_err *err);
double store_get(const struct store *s, const char *name, double otherwise);
/* Seconds of one run of the tool; kept for people, never exported. */
int store_ran(struct store *s, double seconds, int threads, struct fl_err *err);

/* Calls `each` for the injections of a part in the order of their numbers, until it returns
 * nonzero. */
int store_injections(const struct store *s, int part,
                     int (*each)(void *context, const struct store_injection *i), void *context,
                     struct fl_err *err);

/* All of a job, in the order of the list where they have a place, else part after part. */
int store_list(const struct store *s, int job,
               int (*each)(void *context, int part, const struct store_injection *i), void *context,
               struct fl_err *err);

/* The rows are copies of those of an earlier format: what is completed does not reach the file. */
bool store_is_copy(const struct store *s);

/* What an earlier format did not say of injections of a part that are there: their places, and
 * whether they are untestable; by number. */
struct store_known {
    uint64_t place;
    bool untestable;
};
int store_complete_injections(struct store *s, int part, const struct store_known *known,
                              struct fl_err *err);

/* Joins the shards 1/N ... N/N of one campaign into a new file. All must be there, finished, and
 * each unit once. */
int store_merge(const char *out, const char *const *in, int n, struct fl_err *err);

/* Of which shards there is what. */
struct store_census {
    int shards;
    struct store_shard {
        char *path; /* NULL: it is missing */
        uint64_t done, units;
        bool whole;
    } * shard;
    /* Files that cannot be read: they are damaged, or a process works on them. */
    struct store_unread {
        char *why; /* with the path */
        int shard; /* by the status beside it; 0: that does not say */
    } * unread;
    int nunread;
};
/* Joins what is there of the shards. Unless that is all of them, the new file is a campaign that is
 * not finished, which --resume finishes in one process. Free the census after an error, too. */
int store_merge_partial(const char *out, const char *const *in, int n, struct store_census *census,
                        struct fl_err *err);
void store_census_free(struct store_census *c);

/* "2/8", or "auto": the task of a Slurm array. Messages do not name the option. */
int store_shard_parse(const char *text, int *shard, int *shards, struct fl_err *err);

#endif
