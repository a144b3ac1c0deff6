/* diff.c -- follows a difference that lives only in data through the recorded golden run. See
 * diff.h. */
#include "diff.h"

#include <stdlib.h>
#include <string.h>

#include "sm/arith/lanes.h"
#include "base/search.h"
#include "sm/memory/memory.h"

static const uint32_t zeros[SM_LANES];

/* First event whose effects are not before `cycle`. */
static uint32_t event_from(const struct golden *g, uint64_t cycle)
{
    return FL_FIRST(e, 0, g->nevents, g->event[e].cycle >= cycle);
}

/* First access of a row that is not before event e. */
static uint32_t access_from(const struct fsim_chain *c, uint32_t event)
{
    return FL_FIRST(i, 0, c->count, c->access[i].event >= event);
}

/* Forgets all cursors; they start at `event`. */
static void start_at(struct diff *d, const struct golden *g, uint32_t event)
{
    uint32_t rows = (uint32_t)g->img->regs_used / SM_LANES;
    d->nrows = 0;
    d->nwords = 0;
    d->start = event;
    if (!d->next) {
        d->next = fl_alloc(rows * sizeof *d->next);
        d->known = fl_alloc(rows * sizeof *d->known);
    }
    if (++d->epoch == 0) { /* wrapped around: old marks would look new */
        memset(d->known, 0, rows * sizeof *d->known);
        d->epoch = 1;
    }
}

/* Moves a row's cursor on to event e; events only ever come later. */
static uint32_t advance(struct diff *d, const struct golden *g, uint32_t row, uint32_t event)
{
    const struct fsim_chain *c = &g->chain[row];
    if (d->known[row] != d->epoch) {
        d->known[row] = d->epoch;
        d->next[row] = access_from(c, d->start);
    }
    uint32_t i = d->next[row];
    for (int near = 0; near < 16 && i < c->count && c->access[i].event < event; near++)
        i++;
    if (i < c->count && c->access[i].event < event)
        i = access_from(c, event);
    return d->next[row] = i;
}

/* The golden contents of a row before event e. */
static const uint32_t *golden_row(struct diff *d, const struct golden *g, uint32_t row,
                                  uint32_t event)
{
    const struct fsim_chain *c = &g->chain[row];
    for (uint32_t i = advance(d, g, row, event); i-- > 0;)
        if (c->access[i].write)
            return g->values[c->access[i].value];
    return zeros;
}

static struct diff_row *find_row(struct diff *d, uint32_t row)
{
    for (int i = 0; i < d->nrows; i++)
        if (d->row[i].row == row)
            return &d->row[i];
    return NULL;
}

SM_CLONES static uint32_t lanes_that_differ(const uint32_t *a, const uint32_t *b)
{
    uint32_t mask = 0;
    for (int l = 0; l < SM_LANES; l++)
        mask |= a[l] != b[l] ? lane_bit[l] : 0;
    return mask;
}

static bool add_word(struct diff *d, const struct golden *g, uint32_t word, uint32_t value,
                     uint32_t event)
{
    /* last_load and last_store hold event + 1: only accesses after this event matter */
    if (g->last_load[word] > event + 1 || g->last_store[word] > event + 1)
        return false;
    for (uint32_t i = 0; i < d->nwords; i++)
        if (d->word[i].number == word) {
            d->word[i].value = value;
            return true;
        }
    FL_ROOM(d->word, d->nwords, d->word_room, 64);
    d->word[d->nwords++] = (struct outputs_word){word, value};
    return true;
}

static bool collect_page(struct diff *d, const struct golden *g, const struct gpu *a,
                         const struct gpu *b, uint32_t p, uint32_t event)
{
    uint32_t x[SM_PAGE / 4], y[SM_PAGE / 4];
    if (a->memory.page[p] == b->memory.page[p])
        return true;
    if (p * SM_PAGE >= g->img->global_bytes)
        return memcmp(a->memory.page[p], b->memory.page[p], SM_PAGE) ==
               0; /* local memory: accesses are not recorded */
    memcpy(x, a->memory.page[p], SM_PAGE);
    memcpy(y, b->memory.page[p], SM_PAGE);
    for (uint32_t i = 0; i < SM_PAGE / 4; i++)
        /* event 0 has no predecessor to stand behind; a difference before it cannot be */
        if (x[i] != y[i] && (event == 0 || !add_word(d, g, p * (SM_PAGE / 4) + i, x[i], event - 1)))
            return false;
    return true;
}

bool diff_collect(struct diff *d, const struct golden *g, const struct gpu *faulty,
                  const struct gpu *good, uint64_t cycle)
{
    const struct sm_image *img = g->img;
    uint32_t event = event_from(g, cycle);
    uint32_t rows = (uint32_t)img->regs_used / SM_LANES;
    start_at(d, g, event);
    if (memcmp(faulty->sm->s.shared, good->sm->s.shared, img->shared_used) != 0)
        return false;
    for (int i = 0; i < img->warps_used; i++) {
        size_t from = offsetof(struct sm_warp, cc), size = sizeof(struct sm_warp) - from;
        if (memcmp((const char *)&faulty->sm->s.warp[i] + from,
                   (const char *)&good->sm->s.warp[i] + from, size) != 0)
            return false;
    }
    for (uint32_t row = 0; row < rows; row++) {
        const uint32_t *x = &faulty->sm->s.rf[row * SM_LANES], *y = &good->sm->s.rf[row * SM_LANES];
        if (memcmp(x, y, SM_LANES * sizeof *x) == 0)
            continue;
        if (d->nrows == DIFF_MAX_ROWS || !g->nevents)
            return false;
        struct diff_row *r = &d->row[d->nrows++];
        r->row = row;
        r->mask = lanes_that_differ(x, y);
        memcpy(r->v, x, sizeof r->v);
    }
    for (uint32_t i = 0; i < faulty->memory.ndirty; i++)
        if (!collect_page(d, g, faulty, good, faulty->memory.dirty[i], event))
            return false;
    for (uint32_t i = 0; i < good->memory.ndirty; i++)
        if (!collect_page(d, g, faulty, good, good->memory.dirty[i], event))
            return false;
    return true;
}

bool diff_start(struct diff *d, const struct golden *g, uint64_t commit, uint32_t row, int lane,
                uint32_t flipped)
{
    if (!g->nevents)
        return false;
    uint32_t event = event_from(g, commit);
    start_at(d, g, event);
    struct diff_row *r = &d->row[d->nrows++];
    r->row = row;
    r->mask = 1u << lane;
    memcpy(r->v, golden_row(d, g, row, event), sizeof r->v);
    r->v[lane] ^= flipped;
    return true;
}

/* ---- one event evaluated again --------------------------------------------------------------- */

/* A row of an event's warp as the faulty machine has it, or as the golden one had. */
static const uint32_t *row_before(struct diff *d, const struct golden *g,
                                  const struct fsim_event *e, uint32_t event, uint32_t reg,
                                  bool faulty)
{
    if (reg >= e->regs)
        return zeros;
    const struct diff_row *r = faulty ? find_row(d, e->base / SM_LANES + reg) : NULL;
    return r ? r->v : golden_row(d, g, e->base / SM_LANES + reg, event);
}

/* A source operand, in `room` when it has to be made; NULL for kinds whose golden value is not
 * recorded. */
static const uint32_t *source(struct diff *d, const struct golden *g, const struct fsim_event *e,
                              uint32_t event, int i, bool faulty, uint32_t room[SM_LANES])
{
    const struct isa_operand *o = &e->uop->in.src[i];
    switch ((enum isa_operand_kind)o->kind) {
    case ISA_NONE: return zeros;
    case ISA_R: return row_before(d, g, e, event, o->value, faulty);
    case ISA_RH: {
        const uint32_t *row = row_before(d, g, e, event, o->value >> 1, faulty);
        for (int l = 0; l < SM_LANES; l++)
            room[l] = sm_half(row[l], o->value & 1);
        return room;
    }
    case ISA_I: return e->uop->imm[i];
    case ISA_K: { /* constants never change */
        const struct sm_bank *b = &g->img->kernel[e->kernel].bank[o->bank & 15];
        uint32_t v;
        if (o->areg || o->type != T_B32 || o->value % 4 || (uint64_t)o->value + 4 > b->size)
            return NULL;
        memcpy(&v, g->img->initial + b->offset + o->value, 4);
        for (int l = 0; l < SM_LANES; l++)
            room[l] = v;
        return room;
    }
    default: return NULL;
    }
}

/* After event e, row `row` holds `whole` in the faulty machine: keep what differs from the golden
 * contents. */
static bool set_row(struct diff *d, uint32_t row, const uint32_t whole[SM_LANES],
                    const uint32_t *good)
{
    uint32_t mask = lanes_that_differ(whole, good);
    struct diff_row *r = find_row(d, row);
    if (!r) {
        if (!mask)
            return true;
        if (d->nrows == DIFF_MAX_ROWS)
            return false;
        r = &d->row[d->nrows++];
        r->row = row;
    }
    r->mask = mask;
    memcpy(r->v, whole, sizeof r->v);
    return true;
}

static void drop_equal_rows(struct diff *d)
{
    int n = 0;
    for (int i = 0; i < d->nrows; i++)
        if (d->row[i].mask)
            d->row[n++] = d->row[i];
    d->nrows = n;
}

/* An arithmetic instruction or a move with a differing source. */
static bool evaluate(struct diff *d, const struct golden *g, const struct fsim_event *e,
                     uint32_t event)
{
    const struct sm_uop *u = e->uop;
    uint32_t room[3][SM_LANES], value[SM_LANES], whole[SM_LANES], reg;
    const uint32_t *src[3], *faulty = value;
    uint8_t good_flags[SM_LANES], flags[SM_LANES], none[SM_LANES] = {0};
    bool move = u->unit == UNIT_MOVE, has_flags = u->in.cc_dst >= 0;
    if (u->in.carry || (move && has_flags))
        return false;
    d->evaluated++;
    if (has_flags) {
        for (int i = 0; i < 3; i++)
            if (!(src[i] = source(d, g, e, event, i, false, room[i])))
                return false;
        u->alu(&u->in, src[0], src[1], src[2], none, value, good_flags);
    }
    for (int i = 0; i < 3; i++)
        if (!(src[i] = source(d, g, e, event, i, true, room[i])))
            return false;
    if (move)
        faulty = src[0];
    else
        u->alu(&u->in, src[0], src[1], src[2], none, value, has_flags ? flags : NULL);
    for (int l = 0; has_flags && l < SM_LANES; l++)
        if ((e->exec >> l & 1) && ((good_flags[l] ^ flags[l]) & 15))
            return false; /* a decision may hang on it */
    if (u->in.dst.kind == ISA_OUT)
        return true;
    if (u->in.dst.kind == ISA_R)
        reg = u->in.dst.value;
    else if (u->in.dst.kind == ISA_RH)
        reg = u->in.dst.value >> 1;
    else
        return false;
    if (reg >= e->regs)
        return true;
    bool half = u->in.dst.kind == ISA_RH, upper = half && (u->in.dst.value & 1);
    const uint32_t *old = row_before(d, g, e, event, reg, true);
    for (int l = 0; l < SM_LANES; l++) {
        uint32_t v = faulty[l];
        if (half)
            v = sm_merge_half(old[l], v, upper);
        whole[l] = e->exec & lane_bit[l] ? v : old[l];
    }
    return set_row(d, e->base / SM_LANES + reg, whole, g->values[e->value]);
}

static bool evaluate_store(struct diff *d, const struct golden *g, const struct fsim_event *e,
                           uint32_t event)
{
    const struct isa_operand *o = &e->uop->in.dst, *data = &e->uop->in.src[0];
    uint32_t words = sm_operand_words(o);
    bool narrow = o->type == T_U8 || o->type == T_S8 || o->type == T_U16 || o->type == T_S16;
    if (o->kind != ISA_G || narrow || data->kind != ISA_R)
        return false;
    if (o->value < e->regs && find_row(d, e->base / SM_LANES + o->value))
        return false; /* another address */
    const uint32_t *addr = g->values[e->value];
    for (uint32_t k = 0; k < words; k++) {
        const uint32_t *good = row_before(d, g, e, event, data->value + k, false);
        const uint32_t *faulty = row_before(d, g, e, event, data->value + k, true);
        for (int l = 0; l < SM_LANES; l++) {
            if (!(e->exec >> l & 1) || good[l] == faulty[l])
                continue;
            for (int other = 0; other < SM_LANES; other++)
                if (other != l && (e->exec >> other & 1) && addr[other] == addr[l])
                    return false; /* which lane wins would have to be worked out */
            if (!add_word(d, g, (addr[l] - JOB_BASE) / 4 + k, faulty[l], event))
                return false;
        }
    }
    d->evaluated++;
    return true;
}

/* A load writes golden data (a difference in memory is never loaded); its address must not
 * differ. */
static bool evaluate_load(struct diff *d, const struct golden *g, const struct fsim_event *e,
                          uint32_t event)
{
    const struct isa_operand *o = &e->uop->in.src[0], *dst = &e->uop->in.dst;
    uint32_t words = sm_operand_words(o);
    if (o->kind == ISA_G && o->value < e->regs) {
        const struct diff_row *r = find_row(d, e->base / SM_LANES + o->value);
        if (r && (r->mask & e->exec))
            return false;
    }
    for (uint32_t k = 0; k < words && dst->kind == ISA_R; k++) {
        uint32_t reg = dst->value + k, whole[SM_LANES];
        if (reg >= e->regs)
            continue;
        const uint32_t *old = row_before(d, g, e, event, reg, true),
                       *good = g->values[e->value + k];
        for (int l = 0; l < SM_LANES; l++)
            whole[l] = e->exec >> l & 1 ? good[l] : old[l];
        if (!set_row(d, e->base / SM_LANES + reg, whole, good))
            return false;
    }
    return true;
}

/* The access of event e to a differing row, or NULL. */
static const struct fsim_access *access_at(const struct diff *d, const struct golden *g,
                                           uint32_t row, uint32_t event)
{
    const struct fsim_chain *c = &g->chain[row];
    uint32_t i = d->next[row]; /* advanced by diff_follow */
    return i < c->count && c->access[i].event == event ? &c->access[i] : NULL;
}

/* Lanes in which a source of the event differs. */
static uint32_t reads_difference(const struct diff *d, const struct golden *g,
                                 const struct fsim_event *e, uint32_t event)
{
    uint32_t lanes = 0;
    for (int i = 0; i < d->nrows; i++) {
        const struct fsim_access *a = access_at(d, g, d->row[i].row, event);
        if (a && a->read)
            lanes |= d->row[i].mask;
    }
    return lanes & e->exec;
}

/* A write that reads no difference brings the executing lanes of its rows back to the golden
 * values. */
static void overwrite(struct diff *d, const struct golden *g, const struct fsim_event *e,
                      uint32_t event)
{
    for (int i = 0; i < d->nrows; i++) {
        struct diff_row *r = &d->row[i];
        const struct fsim_access *a = access_at(d, g, r->row, event);
        if (!a || !a->write)
            continue;
        const uint32_t *good = g->values[a->value];
        bool half = e->uop && e->uop->in.dst.kind == ISA_RH;
        uint32_t kept = half ? ~sm_half_mask(e->uop->in.dst.value & 1) : 0;
        for (int l = 0; l < SM_LANES; l++)
            if (e->exec >> l & 1)
                r->v[l] = (r->v[l] & kept) | (good[l] & ~kept);
        r->mask = lanes_that_differ(r->v, good);
    }
}

static bool step_event(struct diff *d, const struct golden *g, uint32_t event)
{
    const struct fsim_event *e = &g->event[event];
    bool ok = true;
    if (!e->uop || !reads_difference(d, g, e, event)) {
        overwrite(d, g, e, event);
    } else {
        switch ((enum sm_unit)e->uop->unit) {
        case UNIT_ALU:
        case UNIT_MOVE: ok = evaluate(d, g, e, event); break;
        case UNIT_STORE: ok = evaluate_store(d, g, e, event); break;
        case UNIT_LOAD: ok = evaluate_load(d, g, e, event); break;
        default: ok = false;
        }
    }
    drop_equal_rows(d);
    return ok;
}

bool diff_follow(struct diff *d, const struct golden *g, uint64_t stop)
{
    uint32_t end = stop == FSIM_NEVER ? g->nevents : event_from(g, stop);
    for (uint32_t event = d->start;;) {
        uint32_t next = end;
        for (int i = 0; i < d->nrows;
             i++) { /* the first event from here that touches a differing row */
            uint32_t at = advance(d, g, d->row[i].row, event);
            const struct fsim_chain *c = &g->chain[d->row[i].row];
            if (at < c->count && c->access[at].event < next)
                next = c->access[at].event;
        }
        if (next >= end)
            return true;
        for (int i = 0; i < d->nrows; i++)
            advance(d, g, d->row[i].row, next);
        if (!step_event(d, g, next))
            return false;
        event = next + 1;
    }
}

void diff_apply(const struct diff *d, struct gpu *m)
{
    for (int i = 0; i < d->nrows; i++)
        memcpy(&m->sm->s.rf[d->row[i].row * SM_LANES], d->row[i].v, sizeof d->row[i].v);
    for (uint32_t i = 0; i < d->nwords; i++)
        memcpy(sm_memory_writable(&m->memory, d->word[i].number * 4), &d->word[i].value, 4);
}

void diff_free(struct diff *d)
{
    free(d->word);
    free(d->next);
    free(d->known);
    d->word = NULL;
    d->next = d->known = NULL;
    d->nwords = d->word_room = 0;
}
