/* sample.c -- flips drawn by seed and number: the same flips in any order, on any number of
 * threads, in any shard. */
#include <stdlib.h>
#include <string.h>

#include "plan.h"
#include "base/stats.h"

static bool has(const struct fsim_fault *u, const struct sm_cell *c)
{
    for (int i = 0; i < u->cells; i++)
        if (memcmp(&u[i].cell, c, sizeof *c) == 0)
            return true;
    return false;
}

static void add(struct fsim_fault *u, const struct sm_cell *c)
{
    if (u->cells < FSIM_CELLS && !has(u, c))
        u[u->cells++].cell = *c;
}

/* Further bits of the word of the first cell. */
static void add_bits(struct fsim_fault *u, const struct sm_structure *s,
                     const struct avf_pattern *p, struct stats_stream *random)
{
    struct sm_cell c = u->cell;
    int bits = s->field[c.field].bits;
    if (p->adjacent > 1) {
        int n = p->adjacent < bits ? p->adjacent : bits;
        int first = (int)stats_below(random, (uint64_t)(bits - n + 1));
        u->cells = 0;
        for (c.bit = first; c.bit < first + n; c.bit++)
            add(u, &c);
    }
    while (u->cells < p->random && u->cells < bits) {
        c.bit = (int)stats_below(random, (uint64_t)bits);
        add(u, &c);
    }
}

/* The same bits in other elements. */
static void add_elements(struct fsim_fault *u, const struct sm_structure *s,
                         const struct avf_pattern *p, struct stats_stream *random)
{
    int n = u->cells, last = s->naxes - 1;
    for (int lane = 0; p->warp && lane < SM_LANES; lane++)
        for (int b = 0; b < n; b++) {
            struct sm_cell c = u[b].cell;
            if (s->lanes == LANES_BITS)
                c.bit = lane < s->field[c.field].bits ? lane : c.bit;
            else
                c.index[last] = c.index[last] / SM_LANES * SM_LANES + lane;
            add(u, &c);
        }
    uint64_t elements = 1;
    for (int i = 0; i < s->naxes; i++)
        elements *= (uint64_t)s->axis[i].count;
    for (int have = 1; have < p->entries && (uint64_t)have < elements;) {
        struct sm_cell c = u->cell;
        for (int i = 0; i < s->naxes; i++)
            c.index[i] = (int)stats_below(random, (uint64_t)s->axis[i].count);
        if (has(u, &c))
            continue;
        for (int b = 0; b < n; b++) {
            c.field = u[b].cell.field;
            c.bit = u[b].cell.bit;
            add(u, &c);
        }
        have++;
    }
}

/* The same words of other resident blocks. */
static void add_blocks(const struct job_context *l, struct fsim_fault *u, int blocks)
{
    const struct residence *r = l->g->residence;
    const struct run_block *home = NULL;
    uint32_t at = 4 * (uint32_t)u->cell.index[0];
    int n = u->cells, have = 1;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t b = 0; b < r->nblocks && r->block[b].from <= u->from; b++) {
            const struct run_block *o = &r->block[b];
            if (u->from >= o->to)
                continue;
            if (pass == 0 && o->sm == u->cell.place && at - o->shared0 < o->shared)
                home = o;
            if (pass == 0 || !home || o == home || have >= blocks)
                continue;
            for (int k = 0; k < n; k++) {
                struct sm_cell c = u[k].cell;
                c.place = o->sm;
                c.index[0] = (int)((o->shared0 + (at - home->shared0)) / 4);
                add(u, &c);
            }
            have++;
        }
}

static int no_lanes(const struct sm_image *img, struct fl_err *err)
{
    struct fl_buf have = {0};
    for (int i = 0; i < SM_STRUCTURES; i++) {
        struct sm_structure s;
        sm_structure_get(img, i, &s);
        if (s.lanes != LANES_NONE)
            fl_buf_printf(&have, " %s", s.name);
    }
    fl_fail(err, "--lanes: the structure has no cell for each lane of a warp; these have:%.*s",
            (int)have.size, (char *)have.data);
    fl_buf_free(&have);
    return -1;
}

static long at_least_1(long n)
{
    return n > 1 ? n : 1;
}

/* Each SM of --same-in has the structure; how many they are, 1 without it. */
static int same_in_fits(const struct sm_image *img, int structure, const struct avf_pattern *p,
                        struct fl_err *err)
{
    int in[SM_MAX_SMS];
    struct sm_structure s;
    if (!fsim_sms_said(&p->same_in))
        return 1;
    if (fsim_sms_check(&p->same_in, "same-in", img, err) != 0)
        return -1;
    for (int i = 0, t = structure; i < 2 && t >= 0; i++, t = p->with)
        if (sm_is_of_chip(t))
            return fl_fail(err,
                           "--same-in: %s belongs to the chip, not to an SM; leave --same-in out",
                           sm_structure_name(t, NULL));
    if (p->blocks)
        return fl_fail(err, "--blocks draws blocks of any SM: leave --same-in or --blocks out");
    sm_structure_get(img, structure, &s);
    return fsim_sms_list(&p->same_in, &s, in);
}

int sample_fits(const struct sm_image *img, int structure, const struct avf_options *opt,
                struct fl_err *err)
{
    const struct avf_pattern *p = &opt->pattern;
    struct sm_structure s, other;
    int widest = 0;
    sm_structure_get(img, structure, &s);
    for (int f = 0; f < s.nfields; f++)
        widest = s.field[f].bits > widest ? s.field[f].bits : widest;
    long elements = 1, word = at_least_1(p->adjacent > p->random ? p->adjacent : p->random);
    for (int i = 0; i < s.naxes; i++)
        elements *= s.axis[i].count;
    if (word > widest)
        return fl_fail(err, "--bits %ld: words of the structure have %d bits; give fewer", word,
                       widest);
    if (p->entries > elements)
        return fl_fail(err, "--entries %d: the structure has %ld; give fewer", p->entries,
                       elements);
    if (p->warp && s.lanes == LANES_NONE)
        return no_lanes(img, err);
    if (p->blocks && structure != SM_S_shared)
        return fl_fail(err, "--blocks is for --target shared");
    if (p->blocks > img->profile.blocks_per_sm)
        return fl_fail(err, "--blocks %d: at most %d are resident at once", p->blocks,
                       img->profile.blocks_per_sm);
    long bits = word * ((p->warp ? SM_LANES : 1) + at_least_1(p->entries) - 1);
    int sms = same_in_fits(img, structure, p, err);
    if (sms < 0)
        return -1;
    bits = (bits * at_least_1(p->blocks) + (p->with >= 0)) * sms;
    if (bits > FSIM_CELLS)
        return fl_fail(err,
                       "%ld bits at once are too many: a fault has at most %d; ask for "
                       "fewer --bits, --entries, --lanes, --blocks or --same-in",
                       bits, FSIM_CELLS);
    if (p->with < 0)
        return 0;
    sm_structure_get(img, p->with, &other);
    return sm_structure_bits(&other) > 0
               ? 0
               : fl_fail(err, "--with %s: the job, or its profile, has no such memory", other.name);
}

bool sample_draw(const struct job_context *l, int structure, const struct avf_options *opt,
                 uint64_t number, struct fsim_fault *out)
{
    struct stats_stream random = stats_stream_of(opt->seed, number);
    struct sm_structure s;
    if (opt->list) {
        memcpy(out, opt->list[number], opt->list[number]->cells * sizeof *out);
        return true;
    }
    if (opt->dest) {
        dest_draw(opt->dest, stats_below(&random, dest_population(opt->dest)), &random, out);
        return true;
    }
    sm_structure_get(l->img, structure, &s);
    uint64_t bits = context_bits(l, structure), cycles = l->to - l->from;
    uint64_t drawn = stats_below(&random, bits * cycles); /* what follows hangs on it in no way */
    *out = fsim_flip((struct sm_cell){0}, 0);
    for (int tries = 0;; tries++) {
        out->cell = context_cell(l, structure, drawn / cycles);
        out->from = out->to = l->from + drawn % cycles;
        if (!opt->active_only || residence_owned(l->g->residence, &out->cell, out->from, out->from))
            break;
        if (tries == 1000000)
            return false;
        drawn = stats_below(&random, bits * cycles);
    }
    add_bits(out, &s, &opt->pattern, &random);
    add_elements(out, &s, &opt->pattern, &random);
    if (opt->pattern.blocks > 1)
        add_blocks(l, out, opt->pattern.blocks);
    if (opt->pattern.with >= 0) {
        uint64_t other = stats_below(&random, context_bits(l, opt->pattern.with));
        struct sm_cell c = context_cell(l, opt->pattern.with, other);
        add(out, &c);
    }
    if (fsim_sms_said(&opt->pattern.same_in)) {
        struct fl_err no;
        for (int i = 0; i < out->cells; i++)
            out[i].cell.place = fsim_sms_first(&opt->pattern.same_in);
        fsim_same_in(l->img, &opt->pattern.same_in, out, &no); /* sample_fits has said yes */
    }
    if (opt->pattern.window) {
        out->kind = FSIM_SA;
        out->value = (uint8_t)stats_below(&random, 2);
        out->to = out->from + opt->pattern.window - 1;
        if (opt->pattern.window == FSIM_NO_END)
            out->to = FSIM_NO_END;
        else if (out->to >= l->g->cycles)
            out->to = l->g->cycles - 1;
    }
    return true;
}

struct drawn {
    uint64_t number;
    struct fsim_fault u[FSIM_CELLS];
    struct transient_result r;
};

static int by_cycle(const void *a, const void *b)
{
    const struct drawn *x = a, *y = b;
    if (x->u->from != y->u->from)
        return x->u->from < y->u->from ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_number(const void *a, const void *b)
{
    const struct drawn *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* An owner can read one of its bits: in the cycle of the flip, or while they are held. */
static bool has_owner(const struct job_context *l, const struct fsim_fault *u)
{
    for (int i = 0; i < u->cells; i++)
        if (residence_owned(l->g->residence, &u[i].cell, u->from, u->to))
            return true;
    return false;
}

static void count(struct avf_task *k, const struct drawn *d)
{
    const struct job_context *l = k->ctx;
    struct fl_buf id = {0};
    if (d->u->cells)
        fsim_print(l->img, d->u, &id);
    else
        fl_buf_printf(&id, "-");
    campaign_count(l, k->found,
                   &(struct campaign_injection){.id = k->opt->sums_only ? NULL : (char *)id.data,
                                                .number = d->number,
                                                .cycle = d->u->from,
                                                .result = &d->r.r,
                                                .why = d->r.why,
                                                .owned = has_owner(l, d->u),
                                                .ran = d->r.ran,
                                                .reader = d->r.site,
                                                .writer = d->r.writer,
                                                .at = &d->u->cell});
    fl_buf_free(&id);
}

uint64_t sample_unit_size(const struct job_context *l)
{
    static const uint64_t size[] = {SAMPLE_UNIT, 20, 10, 5, 2}; /* batches have whole units */
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        if (size[i] * l->g->instructions <= 2 * PLAN_UNIT_COST)
            return size[i];
    return 1;
}

bool sample_flips(struct avf_task *k, uint64_t from, uint64_t to)
{
    struct drawn *d = fl_alloc((size_t)(to - from) * sizeof *d);
    size_t n = 0;
    for (uint64_t i = from; i < to; i++) {
        d[n].number = i;
        n += sample_draw(k->ctx, k->structure, k->opt, i, d[n].u);
    }
    qsort(d, n, sizeof *d, by_cycle); /* machines travel forward */
    bool stopped = false;
    for (size_t i = 0; i < n && !stopped; i++) {
        if (d[i].u->cells == 0) /* the destination has that value */
            d[i].r = (struct transient_result){
                .r = {.first_activation = FSIM_NEVER, .end = k->ctx->g->cycles, .reason = "idle"},
                .why = REASON_IDLE,
                .site = SITE_NONE,
                .writer = SITE_NONE};
        else if (k->opt->run.exhaustive)
            transient_exhaustive(k->worker, k->ctx->t, d[i].u, &d[i].r);
        else
            transient_simulate(k->worker, k->ctx->t, d[i].u, &d[i].r);
        if (d[i].u->cells)
            stopped = !avf_ask_program(k, d[i].u, &d[i].r);
        stopped |= campaign_asked_to_stop(&k->opt->run);
    }
    qsort(d, n, sizeof *d, by_number);
    for (size_t i = 0; i < n && !stopped; i++)
        count(k, &d[i]);
    free(d);
    return !stopped;
}
