/* merge.c -- shards: which one this is, and joining them. */
#include <errno.h>
#include <fcntl.h>
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
    for (int i = 0; i < c.found.nlaunches; i++)
        c.found.tally[i] = p->tally[i];
    memcpy(c.found.moment, p->moment, (size_t)c.found.nbuckets * sizeof *p->moment);
    sites_add(&c.found.sites, &p->sites);
    carry_over(&c, &from->done[part]);
    store_found_free(&c.found);
    return bad;
}

/* The shards 1/N ... N/N, in any order. */
static int check_shards(struct store **s, int n, struct fl_err *err)
{
    const struct store *a = s[0];
    struct store_identity id = {
        .options = a->options, .njobs = a->result.njobs, .job = a->result.job, .shards = a->shards};
    struct fl_err why;
    const char **seen = fl_alloc((size_t)(a->shards + 1) * sizeof *seen);
    int bad = 0;
    for (int i = 0; i < n && !bad; i++) {
        const struct store *b = s[i];
        id.shard = b->shard;
        if (store_same_identity(b, &id, &why) != 0)
            bad = fl_fail(err, "cannot be merged with %s: %s", a->path, why.msg);
        else if (seen[b->shard])
            bad = fl_fail(err, "%s and %s both hold shard %d/%d; give each shard once",
                          seen[b->shard], b->path, b->shard, b->shards);
        else if (b->result.nparts != a->result.nparts || !store_complete(b))
            bad = fl_fail(err, "%s: shard %d/%d is not finished; go on with --resume first",
                          b->path, b->shard, b->shards);
        else if (strcmp(b->size, a->size) != 0)
            bad = fl_fail(err,
                          "%s: its samples have another size (%s) than those of %s (%s); let the "
                          "smaller one grow with --resume",
                          b->path, b->size, a->path, a->size);
        else
            seen[b->shard] = b->path;
        for (int j = 0; j < b->result.njobs && !bad; j++)
            bad = store_same_job(b, &b->result.job[j], &a->result.job[j], err);
        for (int p = 0; p < b->result.nparts && !bad; p++)
            if (!store_same_frame(a, &b->result.part[p], &a->result.part[p]) ||
                b->result.part[p].units != a->result.part[p].units ||
                b->result.part[p].flips != a->result.part[p].flips)
                bad = fl_fail(err, "%s: part %d differs from that of %s", b->path, p, a->path);
    }
    for (int i = 1; i <= a->shards && !bad; i++)
        if (!seen[i])
            bad = fl_fail(err, "shard %d/%d is missing; give all of them", i, a->shards);
    free(seen);
    return bad;
}

/* Joins all into the empty file `path`, which will be called `out`. */
static int merge_into(const char *path, const char *out, struct store **in, int n,
                      struct fl_err *err)
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
        bad = store_job(to, j, &r->job[j], err);
    for (int p = 0; p < r->nparts && !bad; p++)
        bad = store_part(to, &r->part[p], err) < 0;
    for (int i = 0; i < n && !bad; i++)
        for (int p = 0; p < r->nparts && !bad; p++)
            bad = merge_part(to, in[i], p, err);
    double rate = store_get(in[0], "fit_per_bit", 0);
    if (!bad && rate > 0)
        bad = store_set(to, "fit_per_bit", rate, err);
    bad = bad || store_finish(to, err) != 0 || store_check(to, err) != 0;
    if (!bad && !store_complete(to))
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

/* Beside `out`, under a name of its own; what is left of a merge that was killed is in nobody's
 * way. */
static int merge_beside(const char *out, struct store **in, int n, struct fl_err *err)
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
        bad = merge_into(path, out, in, n, err);
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
    if (lstat(out, &a) == 0) /* a link to nothing, too */
        return fl_fail(err, "%s: is there already; the first name is that of a new file", out);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            if (stat(in[i], &a) == 0 && stat(in[k], &b) == 0 && a.st_dev == b.st_dev &&
                a.st_ino == b.st_ino)
                return fl_fail(err, "%s: is named twice; give each shard once", in[i]);
    return 0;
}

int store_merge(const char *out, const char *const *in, int n, struct fl_err *err)
{
    struct store **s = fl_alloc((size_t)n * sizeof *s);
    int opened = 0,
        bad = n < 1 ? fl_fail(err, "name the shards to merge") : named_once(out, in, n, err);
    for (; opened < n && !bad; opened += !bad)
        bad = store_read(in[opened], &s[opened], err);
    if (!bad)
        bad = check_shards(s, n, err);
    if (!bad)
        bad = merge_beside(out, s, n, err);
    for (int i = 0; i < opened; i++)
        store_close(s[i], NULL);
    free(s);
    return bad ? -1 : 0;
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

int store_shard_parse(const char *text, int *shard, int *shards, struct fl_err *err)
{
    long i, n, first = 0, between = 1;
    if (strcmp(text, "auto") == 0) {
        if (!number_of(getenv("SLURM_ARRAY_TASK_ID"), &i) ||
            !number_of(getenv("SLURM_ARRAY_TASK_COUNT"), &n))
            return fl_fail(err,
                           "--shard auto reads SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT, "
                           "which are not there: start it with sbatch --array, or give I/N");
        if (!number_of(getenv("SLURM_ARRAY_TASK_MIN"), &first))
            first = i < n ? 0 : 1; /* old Slurm: arrays start at 0 or 1 */
        number_of(getenv("SLURM_ARRAY_TASK_STEP"), &between);
        if (between < 1 || i < first || (i - first) % between != 0)
            return fl_fail(err,
                           "--shard auto: SLURM_ARRAY_TASK_ID %ld is not in steps of %ld from "
                           "%ld; give I/N",
                           i, between, first);
        i = (i - first) / between + 1;
    } else {
        char *slash;
        i = strtol(text, &slash, 10);
        if (text[0] < '0' || text[0] > '9' || *slash != '/' || !number_of(slash + 1, &n))
            return fl_fail(err, "--shard '%s': write I/N, as in 2/8, or auto", text);
    }
    if (i < 1 || n < 1 || i > n || n > STORE_MAX_SHARDS)
        return fl_fail(err, "--shard %ld/%ld: shards count from 1 to their number", i, n);
    *shard = (int)i;
    *shards = (int)n;
    return 0;
}
