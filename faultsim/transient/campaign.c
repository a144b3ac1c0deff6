/* campaign.c -- what a transient campaign plugs into the driver: a part for each method and target,
 * and who decides its flips. */
#include "plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/nearest.h"
#include "base/threads.h"
#include "faultsim/result/made.h"
#include "faultsim/follow/segments.h"
#include "base/stats.h"

/* ---- the engine ------------------------------------------------------------------------------ */

static const struct engine *engine_of(const struct avf_options *opt)
{
    return campaign_engine(&opt->run);
}

/* The structures that a campaign changes are there. */
static int all_in_engine(const struct job_context *l, const struct avf_options *opt,
                         struct fl_err *err)
{
    const struct engine *e = engine_of(opt);
    if (opt->pattern.with >= 0 && engine_has(e, l->img, opt->pattern.with, err) != 0)
        return -1;
    for (uint64_t i = 0; i < opt->nlist; i++)
        for (int k = 0; k < opt->list[i]->cells; k++)
            if (engine_has(e, l->img, opt->list[i][k].cell.structure, err) != 0)
                return -1;
    for (int i = 0; !opt->list && i < opt->ntargets; i++)
        if (engine_has(e, l->img, avf_structure(l->img, opt->target[i]), err) != 0)
            return -1;
    return 0;
}

/* ---- one target ------------------------------------------------------------------------------ */

/* A campaign, with the part that runs. */
struct transient {
    const struct avf_options *opt; /* `now`, of that part */
    struct avf_options now;
    struct job_context ctx;
    struct transient_part {
        enum tally_method method;
        int target;
    } part[METHOD_COUNT * AVF_MAX_TARGETS];
    int structure;
    struct dest *dest;
    struct plan plan; /* method exact */
};

static bool one_by_one(const struct avf_options *opt)
{
    return opt->method == METHOD_SAMPLE || opt->method == METHOD_LIST;
}

static void *task_new(struct campaign *c)
{
    struct transient *t = c->own;
    struct avf_task *k = fl_alloc(sizeof *k);
    *k = (struct avf_task){.campaign = c,
                           .ctx = c->ctx,
                           .opt = t->opt,
                           .structure = t->structure,
                           .worker = fsim_worker_on(c->ref),
                           .plan = &t->plan};
    return k;
}

static void task_free(void *task)
{
    fsim_worker_free(((struct avf_task *)task)->worker);
    free(task);
}

static bool work_on(void *task, uint64_t unit, struct store_found *found)
{
    struct avf_task *k = task;
    k->found = found;
    if (one_by_one(k->opt))
        return sample_flips(k, unit * k->campaign->cut, campaign_unit_end(k->campaign, unit));
    if (k->opt->method == METHOD_EXACT)
        return exact_unit(k, unit);
    ace_unit(k);
    return true;
}

/* Without a record, what decides flips is recorded before they are simulated. The record of a
 * window of cycles is none for cells that are held beyond it. */
static bool needs_watches(const struct campaign *c)
{
    const struct transient *t = c->own;
    return t->opt->pattern.window ? !c->ctx->whole : !c->ctx->recorded;
}

static void watch_flips(const struct campaign *c, uint64_t from, uint64_t to,
                        struct context_watches *w)
{
    const struct transient *t = c->own;
    struct fsim_fault u[FSIM_CELLS];
    for (uint64_t i = from; i < to; i++)
        if (sample_draw(c->ctx, t->structure, t->opt, i, u))
            context_watch(c->ctx, w, u);
}

/* The data flow takes more memory than it may: flips of registers are followed through segments of it. */
static bool needs_segments(const struct campaign *c)
{
    const struct transient *t = c->own;
    const struct sm_image *img = c->ctx->img;
    return !c->ctx->g->flow && c->ref->golden && !t->opt->run.exhaustive &&
           !(c->ref->skip >> RUNG_FOLLOW & 1) && img->sms == 1 && !img->caches.any &&
           flow_is_possible(img);
}

/* Before the units of work run: the flips of registers in them. */
static int follow_in_segments(struct campaign *c, uint64_t from, uint64_t to, struct segments *s)
{
    const struct transient *t = c->own;
    struct fsim_fault u[FSIM_CELLS];
    struct follow_passage p;
    uint64_t n = 0;
    for (uint64_t unit = from; unit < to; unit++)
        for (uint64_t i = unit * c->cut; i < campaign_unit_end(c, unit); i++)
            if (store_wants(c->store, c->stored, unit) &&
                sample_draw(c->ctx, t->structure, t->opt, i, u) &&
                transient_passage(c->ctx->t, u, &p)) {
                segments_add(s, &p);
                n++;
            }
    c->ref->followed = s;
    if (!n)
        return 0;
    if (!segments_follow(s, c->ref, c->ctx->room.flow / 2, fl_threads(c->opt->threads),
                         c->opt->stop))
        return fl_fail(c->err, "stopped");
    progress_say(c->progress,
                 "%s: the data flow of %llu warp instructions is too large for --max-memory: %llu "
                 "flips were followed through %u segments of it",
                 c->ctx->facts.name, (unsigned long long)c->ctx->g->instructions,
                 (unsigned long long)n, segments_count(s));
    return 0;
}

/* The same of a sample; watches, so many at a time as fit. */
static int run_flips(struct campaign *c, uint64_t from, uint64_t to)
{
    const bool watches = needs_watches(c), segments = needs_segments(c);
    int bad = 0;
    if (!watches && !segments)
        return campaign_units(c, from, to);
    while (from < to && !bad) {
        struct context_watches w = {0};
        struct segments *s = segments ? segments_new() : NULL;
        uint64_t end = from;
        for (; end < to && w.count < CONTEXT_WATCHES && (end - from) * c->cut < CONTEXT_WATCHES;
             end++)
            if (watches && store_wants(c->store, c->stored, end))
                watch_flips(c, end * c->cut, campaign_unit_end(c, end), &w);
        bad = (w.count && context_record(c->ctx, &w, c->err) != 0) ||
              (s && follow_in_segments(c, from, end, s) != 0) || campaign_units(c, from, end) != 0;
        c->ref->followed = NULL;
        segments_free(s);
        from = end;
    }
    return bad ? -1 : 0;
}

/* The interval of the flips so far is as narrow as asked for. */
static bool narrow(const struct campaign *c, const struct avf_options *opt)
{
    struct tally t;
    store_sum(c->store, c->stored, &t);
    struct stats_interval i = stats_wilson(tally_failed(&t), t.counted, opt->confidence);
    return t.counted && (i.hi - i.lo) / 2 <= opt->margin;
}

/* The store has a sample of fewer flips. When its last unit was not full and is done, the rest of
 * that unit is simulated first. A sample that stopped early grows too, and stops again where it
 * did: nothing is asked that was not asked then. */
static int grow(struct campaign *c)
{
    const struct result_part *there = &store_result(c->store)->part[c->stored];
    uint64_t from = there->flips, to = campaign_unit_end(c, there->units - 1);
    struct store_found rest;
    struct context_watches w = {0};
    if (from == c->flips)
        return 0;
    if (from == to || !store_done(c->store, c->stored, there->units - 1))
        return store_grow(c->store, c->stored, c->flips, NULL, c->err);
    if (needs_watches(c)) {
        watch_flips(c, from, to, &w);
        if (context_record(c->ctx, &w, c->err) != 0)
            return -1;
    }
    struct avf_task *k = task_new(c);
    store_found_make(&rest, c->store, c->stored);
    k->found = &rest;
    int bad = sample_flips(k, from, to) ? store_grow(c->store, c->stored, c->flips, &rest, c->err)
                                        : fl_fail(c->err, "stopped");
    task_free(k);
    store_found_free(&rest);
    return bad;
}

/* Flips in batches of the seeded order: whether to stop is asked between batches only, and never
 * with flips of a later batch in the sums (a resumed campaign has them), so that the answer depends
 * neither on threads nor on kills. */
static int run(struct campaign *c)
{
    const struct transient *t = c->own;
    if (!one_by_one(t->opt))
        return campaign_units(c, 0, c->units);
    uint64_t batch = SAMPLE_BATCH / c->cut;
    if (grow(c) != 0)
        return -1;
    if (!t->opt->stop_early)
        return run_flips(c, 0, c->units);
    for (uint64_t at = 0; at < c->units;) {
        uint64_t to = at + batch < c->units ? at + batch : c->units;
        if (run_flips(c, at, to) != 0)
            return -1;
        at = to;
        if (at < c->units && store_count_done(c->store, c->stored) == at && narrow(c, t->opt))
            return store_stop(c->store, c->stored, at, c->err);
    }
    return 0;
}

/* ---- declaring it ---------------------------------------------------------------------------- */

static const char *model_of(const struct avf_options *o)
{
    return o->pattern.window ? "intermittent" : "transient";
}

/* Each SM of a chip has tallies of its own; of one without faults all is 0. */
static void describe_sms(const struct job_context *l, int structure, struct result_part *part)
{
    struct sm_structure s;
    sm_structure_get(l->img, structure, &s);
    if (s.places == 1)
        return;
    int launches = l->facts.nlaunches;
    part->sms = s.places;
    part->tally = fl_grow(part->tally, (size_t)result_tallies(&l->facts, part),
                          sizeof *part->tally);
    for (int i = launches; i < result_tallies(&l->facts, part); i++) {
        struct tally *t = &part->tally[i];
        *t = (struct tally){.cycles = part->tally[i % launches].cycles};
        if (fsim_sms_has(&l->in_sm, i / launches - 1))
            t->bits = (uint64_t)sm_structure_bits(&s);
        t->population = t->bits * t->cycles;
    }
}

/* Bits, cycles and owners, known before any flip. */
static void describe(const struct transient *t, const struct job_context *l, const char *target,
                     struct result_part *part)
{
    const struct timeline *time = &l->facts.timeline;
    const struct avf_options *opt = t->opt;
    struct context_piece piece;
    uint64_t bits = opt->list || opt->dest ? 0 : context_bits(l, t->structure);
    part->model = fl_strdup(model_of(opt));
    part->target = fl_strdup(target);
    part->method = opt->method;
    part->confidence = opt->confidence;
    part->active_only = opt->method == METHOD_SAMPLE && opt->active_only;
    part->sums_only = one_by_one(opt) && opt->sums_only;
    for (int i = 0; i < l->facts.nlaunches; i++) {
        part->tally[i].bits = bits;
        part->tally[i].population = bits * part->tally[i].cycles;
    }
    if (bits)
        describe_sms(l, t->structure, part);
    const struct residence *r = l->g->residence;
    bool owners = residence_has_owners(r, t->structure) && bits;
    if (!owners) {
        for (int i = 0; i < result_tallies(&l->facts, part); i++)
            part->tally[i].owned = part->tally[i].population;
        timeline_spread(time, l->from, l->to, bits, &part->moment[0].owned);
    }
    for (uint32_t b = 0; owners && b < r->nblocks; b++) {
        const struct run_block *o = &r->block[b];
        if (!fsim_sms_has(&l->in_sm, o->sm))
            continue;
        uint64_t own = residence_span(r, t->structure, o).bits;
        for (uint64_t from = o->from;
             o->to > o->from && context_piece(l, &from, o->to - 1, &piece);) {
            part->tally[piece.launch].owned += own * (piece.to - piece.from);
            if (part->sms)
                part->tally[(1 + o->sm) * l->facts.nlaunches + piece.launch].owned += own *
                                                                                      (piece.to -
                                                                                       piece.from);
            timeline_spread(time, piece.from, piece.to, own, &part->moment[0].owned);
        }
    }
}

static int population_of(const struct job_context *l, int structure, uint64_t *population,
                         struct fl_err *err)
{
    return stats_population(context_bits(l, structure), l->to - l->from, population, err);
}

int avf_sample_size(const struct job_context *l, int structure, const struct avf_options *opt,
                    uint64_t *n, struct fl_err *err)
{
    uint64_t population;
    if (opt->dest)
        population = dest_population(opt->dest);
    else if (population_of(l, structure, &population, err) != 0)
        return -1;
    *n = opt->count;
    return *n ? 0 : stats_sample_size(population, opt->margin, opt->confidence, 0.5, n, err);
}

static int count_units(struct campaign *c, struct transient *t, struct result_part *out)
{
    const struct avf_options *opt = t->opt;
    switch (opt->method) {
    case METHOD_EXACT:
        plan_make(c->ctx, t->structure, opt->run.exhaustive, &t->plan);
        out->units = t->plan.units;
        out->cut = plan_digest(&t->plan);
        break;
    case METHOD_ACE: out->units = out->cut = 1; break;
    case METHOD_COUNT: break;
    case METHOD_SAMPLE:
    case METHOD_LIST:
        out->flips = opt->nlist;
        if (!opt->list && avf_sample_size(c->ctx, t->structure, opt, &out->flips, c->err) != 0)
            return -1;
        out->cut = sample_unit_size(c->ctx);
        out->units = (out->flips + out->cut - 1) / out->cut;
    }
    return 0;
}

/* ---- how long it will take ------------------------------------------------------------------- */

/* Says what an exact campaign of one target will be, and refuses one over the budget. */
static int predict(const struct campaign *c, const struct transient *t, const char *target)
{
    const struct campaign_options *run = c->opt;
    int shards = run->shards ? run->shards : 1;
    const struct program *program = t->opt->program;
    double runs = program ? program_seconds(program) * (double)t->plan.reads : 0;
    double minutes = (t->plan.seconds + runs) / fl_threads(run->threads) / shards / 60;
    unsigned long long groups = t->plan.groups, reads = t->plan.reads;
    if (t->opt->budget > 0 && minutes > t->opt->budget)
        return fl_fail(
            c->err,
            "%s: %s: an exact campaign of %llu groups, %llu of them read, would take about %.3g "
            "minutes, over the budget of %g; draw flips instead (--sample 10000, or --margin "
            "0.01), raise --budget, or take fewer cycles (--launch, --cycles)",
            c->job->path, target, groups, reads, minutes, t->opt->budget);
    char *about = progress_duration(60 * minutes);
    progress_say(c->progress, "%s: %s: %llu groups, %llu of them read; about %s",
                 c->ctx->facts.name, target, groups, reads, about);
    free(about);
    return 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool in_a_job(struct sm_image *const *img, int njobs, int structure, const struct engine *e)
{
    for (int j = 0; j < njobs; j++) {
        struct sm_structure s;
        struct fl_err ignored;
        sm_structure_get(img[j], structure, &s);
        if (sm_structure_bits(&s) > 0 && engine_has(e, img[j], structure, &ignored) == 0)
            return true;
    }
    return false;
}

int avf_targets(struct sm_image *const *img, int njobs, struct avf_options *opt, struct fl_err *err)
{
    const char *asked[AVF_MAX_TARGETS];
    int n = opt->ntargets;
    memcpy(asked, opt->target, sizeof asked);
    opt->ntargets = 0;
    for (int i = 0; i < n; i++) {
        bool all = strcmp(asked[i], "all") == 0, found = false;
        struct fl_buf names = {0};
        struct fl_nearest meant = {.typed = asked[i]};
        if (dest_is(asked[i])) {
            if (!dest_name(asked[i]))
                return fl_fail(err,
                               "there is no target '%s'; there are dest, dest/gp, dest/fp32, "
                               "dest/int, dest/ld, dest/pr and dest/other",
                               asked[i]);
            opt->target[opt->ntargets++] = dest_name(asked[i]);
            continue;
        }
        opt->all |= all;
        for (int s = 0; s < SM_ALL_STRUCTURES; s++) {
            struct sm_structure st;
            sm_structure_get(img[0], s, &st);
            const char *text;
            sm_structure_name(s, &text);
            fl_buf_printf(&names, "%s%s", s ? ", " : "", st.name);
            fl_nearest_try(&meant, st.name, text);
            if (!all && strcmp(st.name, asked[i]) != 0)
                continue;
            found = true;
            if (all && !in_a_job(img, njobs, s, engine_of(opt)))
                continue;
            bool twice = false;
            for (int k = 0; k < opt->ntargets; k++)
                twice |= strcmp(opt->target[k], st.name) == 0;
            if (!twice && opt->ntargets < AVF_MAX_TARGETS)
                opt->target[opt->ntargets++] = st.name;
        }
        if (!found)
            fl_fail(err, "there is no target '%s'%s; there are all, dest, %s", asked[i], meant.hint,
                    (char *)names.data);
        fl_buf_free(&names);
        if (!found)
            return -1;
    }
    return 0;
}

int avf_structure(const struct sm_image *img, const char *target)
{
    return dest_is(target) ? dest_structure(target) : sm_structure_find(img, target);
}

static int check_dest(const struct avf_options *opt, const char *path, struct fl_err *err)
{
    const struct avf_pattern *p = &opt->pattern;
    if (opt->methods[METHOD_EXACT] || opt->methods[METHOD_ACE])
        return fl_fail(err,
                       "%s: faults of destination registers are drawn; give --sample N in place of "
                       "--exact or --ace",
                       path);
    if (p->adjacent || p->random || p->entries || p->warp || p->blocks || p->with >= 0 ||
        p->window || opt->active_only || fsim_sms_said(&p->same_in))
        return fl_fail(err,
                       "%s: --value alone sets the bits of a destination register; leave --bits "
                       "and other patterns of several bits, --hold and --active-only out",
                       path);
    return 0;
}

int avf_check(const struct sm_image *img, const char *path, const struct avf_options *opt,
              struct fl_err *err)
{
    for (int i = 0; i < opt->ntargets && !opt->list; i++) {
        struct sm_structure s;
        struct fl_err why;
        int structure = avf_structure(img, opt->target[i]);
        sm_structure_get(img, structure, &s);
        if (dest_is(opt->target[i])) {
            if (check_dest(opt, path, err) != 0)
                return -1;
            continue;
        }
        bool there = sm_structure_bits(&s) > 0;
        if (!opt->all && sm_is_left_out(img, structure))
            return fl_fail(err,
                           "%s: gpuFI-4's cache model has no faults in %s; leave the target %s out",
                           path, s.name, s.name);
        if (!there && !opt->all && sm_is_cache(structure))
            return fl_fail(err, "%s: profile %s has no cache with %s; leave the target %s out",
                           path, img->profile.name, s.name, s.name);
        if (!there && !opt->all)
            return fl_fail(err, "%s: no kernel of this job has %s memory; leave the target %s out",
                           path, s.name, s.name);
        bool needs_accesses = opt->methods[METHOD_EXACT] || opt->methods[METHOD_ACE];
        if (there && needs_accesses && !sm_access_known(structure))
            return fl_fail(err,
                           "%s: accesses to %s are not recorded, so --exact and --ace are not "
                           "possible; sample it (--sample N)",
                           path, s.name);
        if (there && opt->methods[METHOD_SAMPLE] && sample_fits(img, structure, opt, &why) != 0)
            return fl_fail(err, "%s: %s: %s", path, s.name, why.msg);
    }
    return 0;
}

/* How many faults, and a hash of them (FNV-1a, a word at a time, as in plan.c). */
static void list_text(const struct avf_options *o, struct fl_buf *out)
{
    uint64_t h = FL_HASH_START;
    for (uint64_t i = 0; i < o->nlist; i++) {
        const struct fsim_fault *u = o->list[i];
        for (int k = 0; k < u->cells; k++) {
            const struct sm_cell *c = &u[k].cell;
            const uint64_t v[] = {i,
                                  u->kind == FSIM_FLIP ? 0 : 1 + (uint64_t)u->value,
                                  u->from,
                                  u->to,
                                  (uint64_t)c->place << 48 | (uint64_t)c->structure << 32 |
                                      (uint64_t)c->field << 16 | (uint64_t)c->bit,
                                  (uint64_t)c->index[0],
                                  (uint64_t)c->index[1] << 32 | (uint64_t)c->index[2]};
            for (size_t w = 0; w < sizeof v / sizeof *v; w++)
                h = fl_hash(h, v[w]);
        }
    }
    fl_buf_printf(out, " list=%llu,%016llx", (unsigned long long)o->nlist, (unsigned long long)h);
}

static void pattern_text(const struct avf_pattern *p, struct fl_buf *out)
{
    /* Before 0.2 what is drawn besides the place hung on the place: such a store must not go on. Flips of one bit
     * are the same as then. */
    if (p->adjacent || p->random || p->entries || p->blocks || p->with >= 0 || p->window)
        fl_buf_printf(out, " draws=2");
    if (p->adjacent || p->random)
        fl_buf_printf(out, " bits=%s:%d", p->adjacent ? "adjacent" : "random",
                      p->adjacent ? p->adjacent : p->random);
    if (p->entries)
        fl_buf_printf(out, " entries=%d", p->entries);
    if (p->warp)
        fl_buf_printf(out, " lanes");
    if (p->blocks)
        fl_buf_printf(out, " blocks=%d", p->blocks);
    if (fsim_sms_said(&p->same_in))
        fl_buf_printf(out, " same-in=%llx,%llx", (unsigned long long)p->same_in.bits[1],
                      (unsigned long long)p->same_in.bits[0]);
    if (p->with >= 0)
        fl_buf_printf(out, " with=%s", sm_structure_name(p->with, NULL));
    if (p->window == FSIM_NO_END)
        fl_buf_printf(out, " hold=end");
    else if (p->window)
        fl_buf_printf(out, " hold=%llu", (unsigned long long)p->window);
}

/* Everything that decides a result, as a text that two runs must share: made.h. */
static void options_text(const struct avf_options *o, struct fl_buf *out)
{
    const char *comma = "";
    made_begin(out, model_of(o), engine_of(o)->name);
    fl_buf_printf(out, " method=");
    for (int m = 0; m < METHOD_COUNT; m++)
        if (o->methods[m]) {
            fl_buf_printf(out, "%s%s", comma, tally_method_name((enum tally_method)m));
            comma = ",";
        }
    for (int i = 0; i < o->ntargets && !o->list; i++)
        fl_buf_printf(out, "%s%s", i ? "," : " target=", o->target[i]);
    fl_buf_printf(out, " engine=%s", engine_of(o)->name);
    if (o->window.launch >= 0)
        fl_buf_printf(out, " launch=%d", o->window.launch);
    if (o->window.from || o->window.to != UINT64_MAX)
        fl_buf_printf(out, " cycles=%llu-%llu", (unsigned long long)o->window.from,
                      (unsigned long long)o->window.to);
    if (fsim_sms_said(&o->window.in_sm))
        fl_buf_printf(out, " in-sm=%llx,%llx", (unsigned long long)o->window.in_sm.bits[1],
                      (unsigned long long)o->window.in_sm.bits[0]);
    if (o->cache_model == CACHE_MODEL_GPUFI)
        fl_buf_printf(out, " %s", made_gpufi);
    if (o->list)
        list_text(o, out);
    if (o->methods[METHOD_SAMPLE]) {
        fl_buf_printf(out, " confidence=%g seed=%llu", o->confidence, (unsigned long long)o->seed);
        if (o->stop_early)
            fl_buf_printf(out, " stop-early=%g", o->margin);
        if (o->active_only)
            fl_buf_printf(out, " active-only");
        if (o->value != DEST_BIT)
            fl_buf_printf(out, " value=%s", o->value == DEST_ZERO ? "zero" : "random");
        pattern_text(&o->pattern, out);
    }
    if (o->program)
        program_options_text(o->program, out);
    if (o->run.exhaustive)
        fl_buf_printf(out, " exhaustive");
}

/* What may grow. */
static void size_text(const struct avf_options *o, struct fl_buf *out)
{
    if (!o->methods[METHOD_SAMPLE])
        fl_buf_add(out, "", 1);
    else if (o->count)
        fl_buf_printf(out, "flips=%llu", (unsigned long long)o->count);
    else
        fl_buf_printf(out, "margin=%g", o->margin);
}

static void identity(void *own, struct fl_buf *options, struct fl_buf *size)
{
    const struct transient *t = own;
    options_text(&t->now, options);
    size_text(&t->now, size);
}

/* ---- a job and its parts ---------------------------------------------------------------------- */

/* Every flip, and lifetimes, take all accesses of the cycles. */
static int needs_record(const struct campaign *c, const struct avf_options *opt)
{
    const struct job_context *l = c->ctx;
    if (l->recorded || one_by_one(opt) || opt->run.exhaustive)
        return 0;
    return fl_fail(c->err,
                   "%s: the record of cycles %llu-%llu takes more than %zu MB; draw flips instead "
                   "(--sample 10000, or --margin 0.01), raise --max-memory where it is less than "
                   "2400, or take fewer cycles (--cycles, --launch): about %llu fit",
                   l->job->path, (unsigned long long)l->from, (unsigned long long)l->to - 1,
                   l->room.accesses >> 20, (unsigned long long)l->fits);
}

static void leave(struct campaign *c)
{
    struct transient *t = c->own;
    plan_free(&t->plan);
    dest_free(t->dest);
    t->now.dest = t->dest = NULL;
}

/* What is known before any flip: `out` gets its units; a campaign that cannot be is refused here.
 * Returns the target. */
static const char *prepare(struct campaign *c, int part, struct result_part *out)
{
    struct transient *t = c->own;
    struct avf_options *now = &t->now;
    const char *target = now->target[t->part[part].target];
    now->method = t->part[part].method;
    t->structure = now->list ? 0 : avf_structure(c->ctx->img, target);
    if (!now->list && dest_is(target) &&
        !(now->dest = t->dest = dest_new(c->ctx, target, now->value, c->err)))
        return NULL;
    return needs_record(c, now) != 0 || count_units(c, t, out) != 0 ? NULL : target;
}

/* In the unit of plan.h. Most flips of a sample are pruned, or run over a small part of the job. */
static double weight_of(const struct transient *t, const struct job_context *l, uint64_t flips)
{
    enum { FLIPS_OF_A_RUN = 50 };
    double run = (double)l->g->instructions;
    return t->opt->method == METHOD_EXACT ? (double)t->plan.total
           : one_by_one(t->opt)           ? (double)flips * run / FLIPS_OF_A_RUN
                                          : run;
}

static int foresee(struct campaign *c, int part, double *weight)
{
    struct transient *t = c->own;
    struct result_part sizes = {.job = c->number};
    const char *target = prepare(c, part, &sizes);
    int status = target ? 0 : -1;
    if (status == 0 && t->opt->method == METHOD_EXACT && !t->opt->run.exhaustive)
        status = predict(c, t, target);
    if (status == 0 && t->opt->program)
        avf_print_price(c, t->structure, t->opt, target, sizes.flips, t->plan.reads);
    *weight = status == 0 ? weight_of(t, c->ctx, sizes.flips) : 0;
    leave(c);
    return status;
}

static int declare(struct campaign *c, int part, struct result_part *out)
{
    const char *target = prepare(c, part, out);
    if (target)
        describe(c->own, c->ctx, target, out);
    return target ? 0 : -1;
}

/* Of `all`, a job has what it has. */
static bool has_target(const struct job_context *l, const struct avf_options *opt, int i)
{
    struct sm_structure s;
    if (opt->list)
        return true;
    sm_structure_get(l->img, avf_structure(l->img, opt->target[i]), &s);
    return sm_structure_bits(&s) > 0;
}

static int open_job(struct campaign *c)
{
    struct transient *t = c->own;
    const struct avf_options *opt = t->opt;
    struct context_room room = context_room_of(opt->run.max_memory);
    if (opt->access_bytes)
        room.accesses = opt->access_bytes;
    if (!opt->ctx && context_open_in(&t->ctx, c->job, NULL, &opt->window, NULL, opt->run.max_cycles,
                                     room, c->err) != 0)
        return -1;
    c->ctx = opt->ctx ? opt->ctx : &t->ctx;
    if (all_in_engine(c->ctx, opt, c->err) != 0)
        return -1;
    c->parts = 0;
    for (int m = 0; m < METHOD_COUNT; m++)
        for (int i = 0; opt->methods[m] && i < opt->ntargets; i++)
            if (has_target(c->ctx, opt, i))
                t->part[c->parts++] = (struct transient_part){(enum tally_method)m, i};
    if (!(c->ref = reference_new(engine_of(opt), c->ctx->g, c->err)))
        return -1;
    c->ref->skip = opt->run.skip_rungs;
    if (!needs_segments(c) || opt->methods[METHOD_EXACT])
        campaign_print_dropped(c);
    return 0;
}

static void close_job(struct campaign *c)
{
    struct transient *t = c->own;
    reference_free(c->ref);
    if (c->ctx == &t->ctx)
        context_close(c->ctx);
}

static const struct campaign_kind kind = {.identity = identity,
                                          .open = open_job,
                                          .close = close_job,
                                          .foresee = foresee,
                                          .part = declare,
                                          .run = run,
                                          .leave = leave,
                                          .task_new = task_new,
                                          .unit = work_on,
                                          .task_free = task_free};

static int check_jobs(const struct job *const *jobs, int njobs, const struct avf_options *opt,
                      struct fl_err *err)
{
    int bad = 0;
    for (int i = 0; i < njobs && !bad; i++) {
        struct sm_image *img = sm_image_new(jobs[i], err);
        bad = !img || avf_check(img, jobs[i]->path, opt, err) != 0;
        sm_image_free(img);
    }
    return bad ? -1 : 0;
}

int avf_run(const struct job *const *jobs, int njobs, const struct avf_options *opt,
            struct store **out, struct fl_err *err)
{
    struct transient t = {.now = *opt};
    t.opt = &t.now;
    return check_jobs(jobs, njobs, opt, err) != 0
               ? -1
               : campaign_run(&kind, &t, jobs, njobs, &opt->run, out, err);
}
