/* merge.c -- faultsim merge: the shards of a campaign become one store. */
#include "commands.h"

#include <stdlib.h>

#include "base/stats.h"

/* ---- what there is --------------------------------------------------------------------------- */

/* Why the shard cannot be read; NULL: it is not there. */
static const char *why_not(const struct store_census *c, int shard)
{
    for (int i = 0; i < c->nunread; i++)
        if (c->unread[i].shard == shard)
            return c->unread[i].why;
    return NULL;
}

static void print_shards(const struct store_census *c, struct fl_buf *out)
{
    int whole = 0, missing = 0;
    for (int i = 0; i < c->shards; i++) {
        whole += c->shard[i].whole;
        missing += !c->shard[i].path && !why_not(c, i + 1);
    }
    fl_buf_printf(out, "%d of %d shards are whole, %d not finished, %d missing\n", whole, c->shards,
                  c->shards - whole - missing, missing);
    for (int i = 0; i < c->shards; i++) {
        const struct store_shard *s = &c->shard[i];
        if (!s->whole)
            fl_buf_printf(out, "  %d/%d: ", i + 1, c->shards);
        if (s->path && !s->whole)
            fl_buf_printf(out,
                          "%s has %llu of the %llu units so far; go on with --store %s --resume "
                          "--shard %d/%d\n",
                          s->path, (unsigned long long)s->done, (unsigned long long)s->units,
                          s->path, i + 1, c->shards);
        else if (!s->path && why_not(c, i + 1))
            fl_buf_printf(out, "%s\n", why_not(c, i + 1));
        else if (!s->path)
            fl_buf_printf(out, "is missing; run it alone with --shard %d/%d\n", i + 1, c->shards);
    }
    for (int i = 0, n; i < c->nunread; i++)
        if ((n = c->unread[i].shard) < 1 || n > c->shards || c->shard[n - 1].path)
            fl_buf_printf(out, "  left out: %s\n", c->unread[i].why);
}

/* The interval of the flips that are there, and what it will be when all are and fail as often. */
static void print_sample(const struct result_part *p, const struct tally *t, struct fl_buf *out)
{
    uint64_t failed = tally_failed(t);
    if (t->counted == 0) {
        fl_buf_printf(out, "nothing is known yet\n");
        return;
    }
    double share = (double)failed / (double)t->counted;
    struct stats_interval now = stats_wilson(failed, t->counted, p->confidence),
                          all = stats_wilson((uint64_t)(share * (double)p->flips + 0.5), p->flips,
                                             p->confidence);
    fl_buf_printf(out, "%s %.3f %%, %.3f %% to %.3f %%: %.2f times as wide as with all flips\n",
                  p->active_only ? "AVF_util" : "AVF", 100 * share, 100 * now.lo, 100 * now.hi,
                  (now.hi - now.lo) / (all.hi - all.lo));
}

static void print_parts(const struct store *s, struct fl_buf *out)
{
    const struct result *r = store_result(s);
    for (int i = 0; i < r->nparts; i++) {
        const struct result_part *p = &r->part[i];
        struct tally t = {0};
        result_tally(&r->job[p->job], p, -1, &t);
        fl_buf_printf(out, "%s: %s: %s: %.2f %% of the units are done; ", r->job[p->job].name,
                      p->target, tally_method_name(p->method),
                      100.0 * (double)store_count_done(s, i) / (double)p->units);
        if (p->method == METHOD_SAMPLE)
            print_sample(p, &t, out);
        else
            fl_buf_printf(out, "its figures need all of them\n");
    }
}

static int merge_partial(struct cli_request *r, struct fl_err *err)
{
    struct store_census c;
    struct fl_buf out = {0};
    struct store *s = NULL;
    struct fl_err ignored;
    int bad = store_merge_partial(r->file[0], &r->file[1], r->nfiles - 1, &c, err) != 0 ||
              store_read(r->file[0], &s, err) != 0;
    if (!bad) {
        print_shards(&c, &out);
        print_parts(s, &out);
        if (!store_complete(s))
            fl_buf_printf(&out,
                          "%s has what there is; --store %s --resume finishes it in one "
                          "process, without --shard\n",
                          r->file[0], r->file[0]);
        store_close(s, &ignored);
        cli_print(r, &out);
    }
    store_census_free(&c);
    return bad ? CLI_PROBLEM : CLI_DONE;
}

int cli_merge(struct cli_request *r, struct fl_err *err)
{
    if (r->nfiles < 2)
        return cli_wrong(r, err, "merge takes a new file and the shards: merge OUT.db SHARD.db...");
    if (r->partial)
        return merge_partial(r, err);
    return store_merge(r->file[0], &r->file[1], r->nfiles - 1, err) != 0 ? CLI_PROBLEM : CLI_DONE;
}
