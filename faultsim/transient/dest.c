/* dest.c -- see dest.h. */
#include "dest.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/stats.h"

enum { WORDS = 4 }; /* of a destination at most */

enum group { ALL, GP, FP32, INT, LD, PR, OTHER, GROUPS };

static const char *const names[GROUPS] = {"dest",    "dest/gp", "dest/fp32", "dest/int",
                                          "dest/ld", "dest/pr", "dest/other"};

struct place {       /* a warp instruction that writes */
    uint64_t before; /* threads of the places in front of it */
    uint64_t cycle;  /* its flips come in this one */
    uint32_t site, mask;
    uint32_t unit; /* the first row, or the first word of the flags */
    uint8_t words; /* rows one after the other */
    uint8_t part;  /* of each word */
    bool flags;
    uint32_t written; /* in dest.written: a row for each word, or one of flags */
};

struct dest {
    const struct job_context *l;
    enum dest_value value;
    struct place *place;
    uint32_t count, room;
    uint64_t threads;
    uint32_t (*written)
        [SM_LANES]; /* what is there in the cycle of the flip; NULL: a bit flips, whatever it is */
};

static int group_of(const char *target)
{
    int g = 0;
    while (g < GROUPS && strcmp(names[g], target) != 0)
        g++;
    return g;
}

bool dest_is(const char *target)
{
    return strncmp(target, "dest", 4) == 0 && (!target[4] || target[4] == '/');
}

const char *dest_name(const char *target)
{
    int g = group_of(target);
    return g < GROUPS ? names[g] : NULL;
}

int dest_structure(const char *target)
{
    return group_of(target) == PR ? SM_S_cc : SM_S_rf;
}

/* ---- who writes ------------------------------------------------------------------------------ */

static const struct sm_uop *uop_of(const struct job_context *l, const struct access_site *s)
{
    const struct sm_kernel *k = &l->img->kernel[l->img->launch[s->launch].kernel];
    for (int i = 0; i < k->ncode; i++)
        if (s->pc - k->code[i].base < k->code[i].size)
            return &k->code[i].uop[(s->pc - k->code[i].base) / 4];
    return NULL;
}

static bool reads_memory(const struct isa_insn *in)
{
    for (int i = 0; i < 3; i++) {
        uint8_t kind = in->src[i].kind;
        if (kind == ISA_S || kind == ISA_K || kind == ISA_G || kind == ISA_L)
            return true;
    }
    return false;
}

/* An arithmetic instruction with an operand in memory is what its arithmetic is. */
static enum group kind_of(const struct sm_uop *u)
{
    switch (isa_op_class((enum isa_op)u->in.op)) {
    case ISA_FLOAT:
    case ISA_SFU: return FP32;
    case ISA_INT: return INT;
    default: return reads_memory(&u->in) || u->unit == UNIT_TEXTURE ? LD : OTHER;
    }
}

static bool wanted(const struct job_context *l, enum group g, const struct access_site *s,
                   bool flags)
{
    const struct sm_uop *u = uop_of(l, s);
    if (!u || g == ALL)
        return u != NULL;
    if (flags || g == PR || g == GP)
        return flags == (g == PR);
    return kind_of(u) == g;
}

static void add(struct dest *d, const struct access *t, uint32_t unit, bool flags)
{
    FL_ROOM(d->place, d->count, d->room, 1024);
    d->place[d->count++] = (struct place){.cycle = t->cycle + 1,
                                          .site = t->site,
                                          .mask = t->mask,
                                          .unit = unit,
                                          .words = 1,
                                          .part = t->part,
                                          .flags = flags};
}

static int by_site(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->site != y->site)
        return x->site < y->site ? -1 : 1;
    if (x->flags != y->flags)
        return x->flags - y->flags;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

static void find(struct dest *d, enum group g, int structure)
{
    const struct job_context *l = d->l;
    const struct access_structure *s = &l->t->s[structure];
    bool flags = structure == SM_S_cc;
    for (uint32_t u = 0; u < s->units; u++)
        for (uint32_t i = 0; i < s->unit[u].count; i++) {
            const struct access *t = &s->access[s->unit[u].first + i];
            if (t->write && t->site != SITE_NONE && t->mask && t->cycle + 1 >= l->from &&
                t->cycle + 1 < l->to && fsim_sms_has(&l->in_sm, l->t->site[t->site].sm) &&
                wanted(l, g, &l->t->site[t->site], flags))
                add(d, t, u, flags);
        }
}

/* One place an instruction: its rows together, and flags only where it writes no register. */
static void join(struct dest *d)
{
    uint32_t n = 0;
    if (d->count)
        qsort(d->place, d->count, sizeof *d->place, by_site);
    for (uint32_t i = 0; i < d->count; i++) {
        struct place *last = n ? &d->place[n - 1] : NULL, now = d->place[i];
        if (last && last->site == now.site) {
            if (last->flags == now.flags && last->words < WORDS)
                last->words++;
            continue;
        }
        now.before = d->threads;
        d->threads += (uint64_t)__builtin_popcount(now.mask);
        d->place[n++] = now;
    }
    d->count = n;
}

/* ---- what they write ------------------------------------------------------------------------- */

/* Z, S, C and O of each lane, as bits 0 to 3. */
static void read_flags(const struct gpu *m, uint32_t unit, uint32_t flags[SM_LANES])
{
    for (uint32_t i = 0; i < 4; i++) {
        struct sm_cell c = sm_unit_cell(m->img, SM_S_cc, unit + i, 0, 0);
        struct sm_force at = sm_cell_force(m->img, &c, 0);
        uint32_t lanes = gpu_word_read(m, &at);
        for (int lane = 0; lane < SM_LANES; lane++)
            flags[lane] |= (lanes >> lane & 1) << i;
    }
}

static void read_row(const struct gpu *m, uint32_t unit, uint32_t row[SM_LANES])
{
    for (int lane = 0; lane < SM_LANES; lane++) {
        struct sm_cell c = sm_unit_cell(m->img, SM_S_rf, unit, lane, 0);
        struct sm_force at = sm_cell_force(m->img, &c, 0);
        row[lane] = gpu_word_read(m, &at);
    }
}

static uint32_t rows_of(const struct place *p)
{
    return p->flags ? 1 : p->words;
}

/* Of a machine that goes through the fault-free run again: so the values are there on every machine. -1: too many. */
static int read_written(struct dest *d)
{
    const struct golden *g = d->l->g;
    uint32_t rows = 0;
    for (uint32_t i = 0; i < d->count; i++)
        rows += rows_of(&d->place[i]);
    if (rows > CONTEXT_ACCESS_BYTES / sizeof *d->written)
        return -1;
    d->written = fl_alloc((size_t)rows * sizeof *d->written);
    rows = 0;
    struct gpu *m = gpu_new(g->img);
    for (uint32_t i = 0; i < d->count; i++) {
        struct place *p = &d->place[i];
        p->written = rows;
        golden_seek(g, m, p->cycle);
        for (uint32_t w = 0; w < rows_of(p); w++, rows++)
            if (p->flags)
                read_flags(m, p->unit, d->written[rows]);
            else
                read_row(m, p->unit + w, d->written[rows]);
    }
    gpu_free(m);
    return 0;
}

struct dest *dest_new(const struct job_context *l, const char *target, enum dest_value value,
                      struct fl_err *err)
{
    enum group g = (enum group)group_of(target);
    if (!l->recorded) {
        fl_fail(err,
                "%s: %s: the run is too long to record what each instruction writes; take fewer "
                "cycles (--cycles, --launch)",
                l->job->path, target);
        return NULL;
    }
    struct dest *d = fl_alloc(sizeof *d);
    *d = (struct dest){.l = l, .value = value};
    if (g != PR)
        find(d, g, SM_S_rf);
    if (g == PR || g == ALL) {
        if (g == PR) /* who writes registers too is none of these */
            find(d, ALL, SM_S_rf);
        find(d, g, SM_S_cc);
    }
    join(d);
    if (g == PR) {
        uint32_t n = 0;
        d->threads = 0;
        for (uint32_t i = 0; i < d->count; i++)
            if (d->place[i].flags) {
                d->place[n] = d->place[i];
                d->place[n++].before = d->threads;
                d->threads += (uint64_t)__builtin_popcount(d->place[i].mask);
            }
        d->count = n;
    }
    if (!d->count)
        fl_fail(err, "%s: %s: no instruction of this group is executed; leave the target out",
                l->job->path, target);
    else if (value != DEST_BIT && read_written(d) != 0)
        fl_fail(
            err,
            "%s: %s: the values that these %u instructions write need more than %zu MB; take fewer "
            "cycles (--cycles, --launch), or --value bit",
            l->job->path, target, d->count, CONTEXT_ACCESS_BYTES >> 20);
    else
        return d;
    dest_free(d);
    return NULL;
}

void dest_free(struct dest *d)
{
    if (!d)
        return;
    free(d->place);
    free(d->written);
    free(d);
}

/* ---- drawing --------------------------------------------------------------------------------- */

uint64_t dest_population(const struct dest *d)
{
    return d->threads * (d->value == DEST_BIT ? 32 : 1);
}

static int lane_of(uint32_t mask, uint64_t number)
{
    while (number--)
        mask &= mask - 1;
    return __builtin_ctz(mask);
}

/* Z, S, C and O of the lane, one behind the other. */
static void change_flags(const struct dest *d, const struct place *p, int lane, uint32_t bits,
                         struct fsim_fault *out)
{
    for (uint32_t i = 0; i < 4; i++)
        if (bits >> i & 1)
            out[out->cells++].cell = sm_unit_cell(d->l->img, SM_S_cc, p->unit + i, lane, lane);
}

void dest_draw(const struct dest *d, uint64_t drawn, struct stats_stream *random,
               struct fsim_fault *out)
{
    uint64_t thread = d->value == DEST_BIT ? drawn / 32 : drawn;
    uint32_t at = FL_FIRST(i, 1, d->count, d->place[i].before > thread) - 1;
    const struct place *p = &d->place[at];
    int lane = lane_of(p->mask, thread - p->before);
    uint32_t word = p->words > 1 ? (uint32_t)stats_below(random, p->words) : 0, now = 0, bits;
    uint32_t room = p->flags ? 0xf : sm_part_bits(p->part);
    if (p->flags)
        word = 0;
    if (d->value != DEST_BIT)
        now = d->written[p->written + word][lane];
    if (d->value == DEST_BIT) {
        int width = __builtin_popcount(room);
        bits = 1u << (drawn % 32 % (uint64_t)width + (uint64_t)__builtin_ctz(room));
    } else if (d->value == DEST_ZERO) {
        bits = now & room;
    } else {
        bits = ((uint32_t)stats_below(random, 1ull << 32) ^ now) & room;
    }
    *out = fsim_flip((struct sm_cell){0}, p->cycle);
    out->cells = 0;
    if (p->flags)
        change_flags(d, p, lane, bits, out);
    for (; !p->flags && bits; bits &= bits - 1)
        out[out->cells++].cell = sm_unit_cell(d->l->img, SM_S_rf, p->unit + word, lane,
                                              __builtin_ctz(bits));
}
