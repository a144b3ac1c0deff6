/* merge.c -- shards: which one this is, and joining them. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

/* ---- merging --------------------------------------------------------------------------------- */

struct carry {
    struct store *to;
    struct store_found found;
    int part;
};

/* `done`: the units that all of it belongs to. */
static void carry_over(struct carry *c, const struct units *done)
{
    pthread_mutex_lock(&c->to->lock);
    store_wait_for_room(c->to);
    store_absorb(c->to, c->part, &c->found);
    for (size_t i = 0; i < done->nruns; i++)
        store_finish_units(c->to, c->part, done->run[i].first, done->run[i].last);
    pthread_mutex_unlock(&c->to->lock);
    store_found_clear(&c->found);
}

static int carry_injection(void *context, const struct store_injection *i)
{
    struct carry *c = context;
    store_found_inject(&c->found, i);
    if (c->found.ninjections >= 10000)
        carry_over(c, &(struct units){0});
    return 0;
}

static int merge_part(struct store *to, const struct store *from, int part, struct fl_err *err)
{
    const struct result_part *p = &from->result.part[part];
    struct carry c = {.to = to, .part = part};
    store_found_make(&c.found, to, part);
    int bad = store_injections(from, part, carry_injection, &c, err);
    for (int i = 0; i < c.found.ntallies; i++)
        c.found.tally[i] = p->tally[i];
    memcpy(c.found.moment, p->moment, (size_t)c.found.nbuckets * sizeof *p->moment);
    sites_add(&c.found.sites, &p->sites);
    carry_over(&c, &from->done[part]);
    store_found_free(&c.found);
    return bad;
}

/* How many parts two stores both have. */
static int common_parts(const struct store *a, const struct store *b)
{
    return a->result.nparts < b->result.nparts ? a->result.nparts : b->result.nparts;
}

static int same_parts(const struct store *a, const struct store *b, struct fl_err *err)
{
    for (int p = 0; p < common_parts(a, b); p++) {
        const struct result_part *x = &a->result.part[p], *y = &b->result.part[p];
        if (x->sums_only != y->sums_only)
            return fl_fail(err,
                           "%s and %s: one keeps sums alone, the other each flip; run one of them "
                           "again with the --keep of the other",
                           a->path, b->path);
        if (!store_same_frame(a, y, x) || x->cut != y->cut || x->units != y->units ||
            x->flips != y->flips)
            return fl_fail(err, "%s: part %d differs from that of %s", b->path, p, a->path);
    }
    return 0;
}

static struct store_shard shard_of(const struct store *s)
{
    struct store_shard one = {.path = fl_strdup(s->path), .whole = store_complete(s)};
    for (int p = 0; p < s->result.nparts; p++) {
        one.done += store_count_done(s, p);
        one.units += store_share(s, p);
    }
    return one;
}

/* Can be added to those in the census; with `partial`, as far as it goes. */
static int check_shard(const struct store *a, const struct store *b,
                       const struct store_census *seen, bool partial, struct fl_err *err)
{
    struct store_identity id = {.options = a->options,
                                .njobs = a->result.njobs,
                                .job = a->result.job,
                                .shard = b->shard,
                                .shards = a->shards};
    struct fl_err why;
    if (store_same_identity(b, &id, &why) != 0)
        return fl_fail(err, "cannot be merged with %s: %s", a->path, why.msg);
    if (seen->shard[b->shard - 1].path)
        return fl_fail(err, "%s and %s both hold shard %d/%d; give each shard once",
                       seen->shard[b->shard - 1].path, b->path, b->shard, b->shards);
    if (!partial && (b->result.nparts != a->result.nparts || !store_complete(b)))
        return fl_fail(err,
                       "%s: shard %d/%d is not finished; go on with --resume first, or see with "
                       "merge --partial what there is",
                       b->path, b->shard, b->shards);
    if (strcmp(b->size, a->size) != 0)
        return fl_fail(err,
                       "%s: its samples have another size (%s) than those of %s (%s); let the "
                       "smaller one grow with --resume",
                       b->path, b->size, a->path, a->size);
    for (int j = 0; j < b->result.njobs; j++)
        if (a->job_known[j] && b->job_known[j] &&
            store_same_job(b, &b->result.job[j], &a->result.job[j], err) != 0)
            return -1;
    return same_parts(a, b, err);
}

/* The shards 1/N ... N/N, in any order; the first has as many parts as any. */
static int check_shards(struct store **s, int n, bool partial, struct store_census *census,
                        struct fl_err *err)
{
    census->shards = s[0]->shards;
    census->shard = fl_alloc((size_t)census->shards * sizeof *census->shard);
    for (int i = 0; i < n; i++) {
        if (check_shard(s[0], s[i], census, partial, err) != 0)
            return -1;
        census->shard[s[i]->shard - 1] = shard_of(s[i]);
    }
    for (int i = 0; i < census->shards && !partial; i++)
        if (!census->shard[i].path)
            return fl_fail(err,
                           "shard %d/%d is missing; give all of them, or see with merge --partial "
                           "what there is",
                           i + 1, census->shards);
    return 0;
}

static bool whole(const struct store_census *c)
{
    for (int i = 0; i < c->shards; i++)
        if (!c->shard[i].whole)
            return false;
    return true;
}

/* The largest that any of n stores has. */
static int keep_setting(const char *name, struct store *to, struct store **in, int n,
                        struct fl_err *err)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, store_get(in[i], name, 0));
    return most > 0 ? store_set(to, name, most, err) : 0;
}

/* Joins all into the empty file `path`, which will be called `out`. */
static int merge_into(const char *path, const char *out, struct store **in, int n,
                      const struct store_census *census, struct fl_err *err)
{
    const struct result *r = &in[0]->result;
    struct store_identity id = {.options = in[0]->options,
                                .size = in[0]->size,
                                .shard = 1,
                                .shards = 1,
                                .njobs = r->njobs,
                                .job = r->job,
                                .merged_as = out};
    struct store *to;
    if (store_open(path, true, &id, &to, err) != 0)
        return -1;
    int bad = 0;
    for (int j = 0; j < r->njobs && !bad; j++)
        bad = in[0]->job_known[j] ? store_job(to, j, &r->job[j], err) : 0;
    for (int p = 0; p < r->nparts && !bad; p++)
        bad = store_part(to, &r->part[p], err) < 0;
    bad = bad || store_populations(to, r->population, r->npopulations, err) != 0;
    for (int i = 0; i < n && !bad; i++)
        for (int p = 0; p < in[i]->result.nparts && !bad; p++)
            bad = merge_part(to, in[i], p, err);
    bad = bad || keep_setting("fit_per_bit", to, in, 1, err) != 0 ||
          keep_setting("checked", to, in, n, err) != 0;
    bool all = whole(census);
    bad = bad || (all ? store_finish(to, err) : store_commit(to, err)) != 0 ||
          store_check(to, err) != 0;
    if (!bad && all && !store_complete(to))
        bad = fl_fail(err, "%s: units are missing after the merge", out);
    struct fl_err closing;
    if (store_close(to, &closing) != 0 && !bad)
        bad = fl_fail(err, "%s", closing.msg);
    return bad ? -1 : 0;
}

static int to_disk(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    int bad = fd < 0 || fsync(fd) != 0;
    return (fd >= 0 && close(fd) != 0) || bad ? -1 : 0;
}

/* The name comes last and never takes the place of another file. Some file systems have only one of
 * the two calls. */
static int give_name(const char *path, const char *out)
{
    if (renameat2(AT_FDCWD, path, AT_FDCWD, out, RENAME_NOREPLACE) == 0)
        return 0;
    if ((errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) || link(path, out) != 0)
        return -1;
    return unlink(path);
}

/* Beside `out`, under a name of its own; what is left of a merge that was killed does no
 * harm. */
static int merge_beside(const char *out, struct store **in, int n,
                        const struct store_census *census, struct fl_err *err)
{
    char *path = fl_format("%s.merge-XXXXXX", out);
    int fd = mkstemp(path);
    mode_t mask = umask(0);
    umask(mask);
    if (fd >= 0)
        fl_temporary_add(path);
    int bad = fd < 0 || fchmod(fd, 0666 & ~mask) != 0 || close(fd) != 0;
    if (bad)
        fl_fail(err, "%s: cannot be written: %s", out, strerror(errno));
    else
        bad = merge_into(path, out, in, n, census, err);
    if (!bad && (to_disk(path) != 0 || give_name(path, out) != 0))
        bad = errno == EEXIST
                  ? fl_fail(err, "%s: another process has made it meanwhile; it was left as it is",
                            out)
                  : fl_fail(err, "%s: cannot be written: %s", out, strerror(errno));
    if (bad && fd >= 0)
        unlink(path);
    if (fd >= 0)
        fl_temporary_done(path);
    free(path);
    return bad;
}

/* A store that is open already would answer that another process has it. */
static int named_once(const char *out, const char *const *in, int n, struct fl_err *err)
{
    struct stat a, b;
    if (store_check_name(out, err) != 0)
        return -1;
    if (lstat(out, &a) == 0) /* a link to nothing, too */
        return fl_fail(err, "%s: is there already; the first name must be that of a new file", out);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (stat(in[i], &a) == 0 && stat(in[k], &b) == 0 && a.st_dev == b.st_dev &&
                a.st_ino == b.st_ino)
                return fl_fail(err, "%s: is named twice; give each shard once", in[i]);
    return 0;
}

/* Which shard a store is that cannot be asked; 0 when the status beside it does not say. */
static int shard_by_status(const char *path)
{
    char *status = fl_format("%s.status", path), line[64];
    int shard = 0;
    FILE *f = fopen(status, "r");
    while (f && !shard && fgets(line, sizeof line, f))
        if (sscanf(line, "shard %d/", &shard) != 1)
            shard = 0;
    if (f)
        fclose(f);
    free(status);
    return shard;
}

static int read_shards(const char *const *in, int n, bool partial, struct store **s, int *opened,
                       struct store_census *census, struct fl_err *err)
{
    struct fl_err why;
    census->unread = fl_alloc((size_t)n * sizeof *census->unread);
    for (int i = 0; i < n; i++)
        if (store_read(in[i], &s[*opened], &why) == 0)
            (*opened)++;
        else if (partial)
            census->unread[census->nunread++] = (struct store_unread){fl_strdup(why.msg),
                                                                      shard_by_status(in[i])};
        else
            return fl_fail(err, "%s", why.msg);
    if (*opened == 0)
        return fl_fail(err, "there is nothing to merge: %s", why.msg);
    for (int i = 1; i < *opened; i++)
        if (s[i]->result.nparts > s[0]->result.nparts) {
            struct store *first = s[0];
            s[0] = s[i];
            s[i] = first;
        }
    return 0;
}

static int merge(const char *out, const char *const *in, int n, bool partial,
                 struct store_census *census, struct fl_err *err)
{
    struct store **s = fl_alloc((size_t)n * sizeof *s);
    int opened = 0,
        bad = n < 1 ? fl_fail(err, "name the shards to merge") : named_once(out, in, n, err);
    *census = (struct store_census){0};
    bad = bad || read_shards(in, n, partial, s, &opened, census, err) != 0 ||
          check_shards(s, opened, partial, census, err) != 0 ||
          merge_beside(out, s, opened, census, err) != 0;
    for (int i = 0; i < opened; i++)
        store_close(s[i], NULL);
    free(s);
    return bad ? -1 : 0;
}

int store_merge(const char *out, const char *const *in, int n, struct fl_err *err)
{
    struct store_census census;
    int bad = merge(out, in, n, false, &census, err);
    store_census_free(&census);
    return bad;
}

int store_merge_partial(const char *out, const char *const *in, int n, struct store_census *census,
                        struct fl_err *err)
{
    return merge(out, in, n, true, census, err);
}

void store_census_free(struct store_census *c)
{
    for (int i = 0; i < c->nunread; i++)
        free(c->unread[i].why);
    for (int i = 0; i < c->shards; i++)
        free(c->shard[i].path);
    free(c->unread);
    free(c->shard);
    *c = (struct store_census){0};
}

/* ---- which shard ----------------------------------------------------------------------------- */

static bool number_of(const char *text, long *out)
{
    char *rest;
    if (!text || text[0] < '0' || text[0] > '9')
        return false;
    *out = strtol(text, &rest, 10);
    return *rest == 0;
}

/* Slurm's word on this task. */
static bool slurm(const char *name, long *out)
{
    char variable[32];
    snprintf(variable, sizeof variable, "SLURM_ARRAY_TASK_%s", name);
    return number_of(getenv(variable), out) && *out <= INT32_MAX;
}

/* What Slurm sets for 0-15, 1-4, 1-7:2 and 0-15%4 tells which of how many this is. What it sets for
 * 2, for 3-5 or for 1,3,4 is that of lost tasks which run again: how many there were in all is not
 * in it. */
static int shard_of_array(long *i, long *n, struct fl_err *err)
{
    static const char by_hand[] =
        "of how many shards it is one cannot be told; give I/N, as in --shard "
        "$SLURM_ARRAY_TASK_ID/16 in an array 1-16 or a part of it";
    long first, last, between, id;
    if (!slurm("ID", &id) || !slurm("COUNT", n) || !slurm("MIN", &first) || !slurm("MAX", &last) ||
        !slurm("STEP", &between) || between < 1)
        return fl_fail(err, "auto reads SLURM_ARRAY_TASK_ID, _COUNT, _MIN, _MAX and _STEP, and not "
                            "all of them are there: start it with sbatch --array, or give I/N");
    if (*n == 1)
        return fl_fail(err, "the array has one task, number %ld: %s", id, by_hand);
    if (first > 1)
        return fl_fail(err, "the array begins with task %ld, not with 0 or 1: %s", first, by_hand);
    if (last - first != (*n - 1) * between || id < first || id > last ||
        (id - first) % between != 0)
        return fl_fail(err, "the array is a list of tasks, %ld of those from %ld to %ld: %s", *n,
                       first, last, by_hand);
    *i = (id - first) / between + 1;
    return 0;
}

int store_shard_parse(const char *text, int *shard, int *shards, struct fl_err *err)
{
    long i = 0, n = 0;
    if (strcmp(text, "auto") == 0) {
        if (shard_of_array(&i, &n, err) != 0)
            return -1;
    } else {
        char *slash;
        i = strtol(text, &slash, 10);
        if (text[0] < '0' || text[0] > '9' || *slash != '/' || !number_of(slash + 1, &n))
            return fl_fail(err, "give I/N, as in 2/8, or auto");
    }
    if (i < 1 || n < 1 || i > n || n > STORE_MAX_SHARDS)
        return fl_fail(err, "shards count from 1 to their number");
    *shard = (int)i;
    *shards = (int)n;
    return 0;
}
