/* cover.c -- all faults through all patterns, with and without dropping. See cover.h. */
#include "cover.h"

#include <stdlib.h>
#include <string.h>

#include "sim.h"
#include "unknown.h"

/* Faults that are still looked for: by class, since results are. */
struct live {
    uint32_t *fault, *class; /* side by side */
    uint32_t count;
};

static struct live live_new(const struct gate_netlist *n, const struct gate_faults *f)
{
    struct live l = {fl_alloc(f->count * sizeof *l.fault), fl_alloc(f->count * sizeof *l.class),
                     f->count};
    struct gate_sim *s = gate_sim_new(n, 64);
    memcpy(l.fault, f->fault, f->count * sizeof *l.fault);
    gate_sim_order(s, l.fault, l.count);
    gate_sim_free(s);
    for (uint32_t i = 0; i < l.count; i++)
        l.class[i] = f->class_of[l.fault[i]];
    return l;
}

static void live_free(struct live *l)
{
    free(l->fault);
    free(l->class);
}

static void note(struct gate_found *f, uint32_t pattern, uint32_t times)
{
    if (f->first == GATE_NEVER)
        f->first = pattern;
    f->times += times;
}

/* The patterns [from, ...) without a clock's edge, for the next load. */
static void hold(struct gate_sim *s, const struct gate_patterns *p, uint32_t from)
{
    uint64_t words[8] = {0};
    for (int w = 0; w < gate_sim_words(s) && p->hold; w++)
        words[w] = from + 64 * (uint32_t)w < p->count ? p->hold[from / 64 + (uint32_t)w] : 0;
    gate_sim_hold(s, p->hold ? words : NULL);
}

/* ---- by patterns ----------------------------------------------------------------------------- */

/* Patterns [from, from + count) into the simulator, with those before them for pairs. */
static void load(struct gate_sim *s, const struct gate_patterns *p, enum gate_model model,
                 uint32_t from, int count, uint64_t *source)
{
    int words = gate_sim_words(s);
    gate_patterns_block(p, from, words, source);
    if (model == GATE_TRANSITION) {
        uint64_t *before = fl_alloc(p->sources * (size_t)words * sizeof *before), last;
        for (uint32_t i = 0; i < p->sources; i++) {
            last = from ? p->word[(size_t)(from / 64 - 1) * p->sources + i] >> 63
                        : source[i * (uint32_t)words] & 1;
            for (int w = 0; w < words; w++) {
                uint64_t v = source[i * (uint32_t)words + (uint32_t)w];
                before[i * (uint32_t)words + (uint32_t)w] = v << 1 | last;
                last = v >> 63;
            }
        }
        gate_sim_load(s, before, count);
        gate_sim_load_second(s, source, count);
        free(before);
    } else {
        gate_sim_load(s, source, count);
    }
}

static void by_patterns(const struct gate_netlist *n, const struct gate_faults *f,
                        const struct gate_patterns *p, const struct gate_cover *how,
                        struct gate_found *found)
{
    struct live l = live_new(n, f);
    struct gate_hit *hit = fl_alloc(f->count * sizeof *hit);
    struct gate_sim *narrow = gate_sim_new(n, 64), *wide = gate_sim_new(n, how->width);
    uint64_t *source = fl_alloc_line(p->sources * (size_t)how->width / 8),
             *strobe = fl_alloc_line(p->watched * (size_t)how->width / 8);
    for (uint32_t from = 0; from < p->count && l.count;) {
        /* the first patterns detect most: in words that cost less than those that follow */
        struct gate_sim *s = how->drop && from < 64 ? narrow : wide;
        uint32_t room = 64 * (uint32_t)gate_sim_words(s), kept = 0;
        uint32_t count = p->count - from < room ? p->count - from : room;
        hold(s, p, from);
        load(s, p, f->model, from, (int)count, source);
        if (p->strobe) {
            gate_patterns_strobes(p, from, gate_sim_words(s), strobe);
            gate_sim_strobe(s, strobe);
        }
        gate_sim_detect(s, f->model, l.fault, l.count, hit);
        for (uint32_t i = 0; i < l.count; i++) {
            if (hit[i].times)
                note(&found[l.class[i]], from + (uint32_t)hit[i].first,
                     how->drop ? 1 : (uint32_t)hit[i].times);
            if (!hit[i].times || !how->drop) {
                l.fault[kept] = l.fault[i];
                l.class[kept++] = l.class[i];
            }
        }
        l.count = kept;
        from += count;
    }
    free(source);
    free(strobe);
    free(hit);
    gate_sim_free(narrow);
    gate_sim_free(wide);
    live_free(&l);
}

/* ---- by faults ------------------------------------------------------------------------------- */

/* Cycle c of the patterns: a bit an input. */
static void input_of(const struct gate_patterns *p, uint32_t c, uint64_t *input)
{
    memset(input, 0, ((size_t)p->sources + 63) / 64 * sizeof *input);
    for (uint32_t i = 0; i < p->sources; i++)
        input[i / 64] |= (p->word[(size_t)(c / 64) * p->sources + i] >> c % 64 & 1) << i % 64;
}

/* Where observed outputs are not those of the last machine of the group, which has no fault. */
static void outputs_differ(const struct gate_netlist *n, const struct gate_group *g,
                           const struct gate_patterns *p, uint32_t c, uint64_t differs[8])
{
    int words = gate_group_words(g);
    memset(differs, 0, (size_t)words * sizeof *differs);
    for (uint32_t o = 0; o < n->outputs; o++) {
        if (!gate_patterns_observe(p, c, o))
            continue;
        const uint64_t *w = gate_group_watched(g, o);
        uint64_t good = -(w[words - 1] >> 63);
        for (int k = 0; k < words; k++)
            differs[k] |= w[k] ^ good;
    }
}

/* One group after the other from the reset; the last bit of each is a machine without a fault. */
static void by_faults(const struct gate_netlist *n, const struct gate_faults *f,
                      const struct gate_patterns *p, const struct gate_cover *how,
                      struct gate_found *found)
{
    struct live l = live_new(n, f);
    struct gate_group *g = gate_group_new(n, how->width);
    int words = gate_group_words(g);
    uint32_t most = (uint32_t)how->width - 1;
    uint64_t *input = fl_alloc(((size_t)n->inputs + 63) / 64 * sizeof *input);
    for (uint32_t from = 0; from < l.count; from += most) {
        uint32_t count = l.count - from < most ? l.count - from : most, left = count;
        uint64_t seen[8] = {0};
        gate_group_set(g, f->model, l.fault + from, count);
        for (uint32_t c = 0; c < p->count && left; c++) {
            uint64_t differs[8];
            input_of(p, c, input);
            gate_group_hold(g, gate_patterns_hold(p, c));
            gate_group_eval(g, input);
            outputs_differ(n, g, p, c, differs);
            for (int k = 0; k < words; k++)
                for (uint64_t v = how->drop ? differs[k] & ~seen[k] : differs[k]; v; v &= v - 1) {
                    note(&found[l.class[from + 64 * (uint32_t)k + (uint32_t)__builtin_ctzll(v)]], c,
                         1);
                    left -= how->drop;
                }
            for (int k = 0; k < words; k++)
                seen[k] |= differs[k];
            gate_group_clock(g);
        }
    }
    free(input);
    gate_group_free(g);
    live_free(&l);
}

/* ---- mixed ----------------------------------------------------------------------------------- */

/* Cycles in chunks. The good machine runs through a chunk; then its cycles are patterns, each with
 * the state that it began with. A fault that changes no flip-flop in any of them still has the good
 * machine's state at the end; one that does runs on as a machine from there, in a group with others
 * that left the good state at about the same time. */
enum {
    MOST_CYCLES = 128
}; /* a machine runs to the end of a chunk, in the good state again or not */
struct mixed {
    const struct gate_netlist *n;
    const struct gate_patterns *p;
    const struct gate_cover *how;
    struct gate_found *found;
    struct gate_group *good, *group;
    struct gate_sim *sim;
    uint32_t from, count; /* the chunk; from is a multiple of 64 */
    uint32_t skip;        /* its cycles before the first one that runs */
    uint64_t *source;     /* of the patterns of the chunk */
    uint64_t *strobe;     /* and their strobes */
    uint64_t *input;
    /* a machine a class that is still looked for */
    struct machine {
        uint32_t fault, class, start; /* the cycle of the chunk in which it leaves the good state */
        bool left, done;
        uint64_t *state; /* flip-flops that differ at the chunk's start; NULL: none */
    } * machine;
    uint32_t machines, flop_words;
};

static uint64_t *source_of(const struct mixed *m, uint32_t source, uint32_t cycle)
{
    return &m->source[source * (uint32_t)gate_sim_words(m->sim) + cycle / 64];
}

static void run_good(struct mixed *m)
{
    const struct gate_netlist *n = m->n;
    gate_patterns_block(m->p, m->from, gate_sim_words(m->sim), m->source);
    for (uint32_t f = 0; f < n->flops; f++)
        memset(source_of(m, n->inputs + f, 0), 0, (size_t)gate_sim_words(m->sim) * 8);
    for (uint32_t c = m->skip; c < m->count; c++) {
        for (uint32_t f = 0; f < n->flops; f++)
            *source_of(m, n->inputs + f, c) |= (*gate_group_flop(m->good, f) & 1) << c % 64;
        input_of(m->p, m->from + c, m->input);
        gate_group_hold(m->good, gate_patterns_hold(m->p, m->from + c));
        gate_group_eval(m->good, m->input);
        gate_group_clock(m->good);
    }
    if (m->p->strobe)
        gate_patterns_strobes(m->p, m->from, gate_sim_words(m->sim), m->strobe);
    hold(m->sim, m->p, m->from);
}

/* What the fault does as long as the machine has the good state. */
static void as_patterns(struct mixed *m, struct machine *x)
{
    const struct gate_diff *diff;
    int words = gate_sim_words(m->sim), diffs = gate_sim_fault(m->sim, GATE_STUCK, x->fault, &diff);
    uint64_t out[8] = {0}, flop[8] = {0};
    for (int d = 0; d < diffs; d++)
        for (int k = 0; k < words; k++) {
            bool output = diff[d].watched < m->n->outputs;
            uint64_t seen = output && m->p->strobe
                                ? m->strobe[diff[d].watched * (uint32_t)words + (uint32_t)k]
                                : UINT64_MAX;
            (output ? out : flop)[k] |= diff[d].mask[k] & seen;
        }
    for (uint32_t c = m->skip; c < m->count && !x->done && !x->left; c++) {
        bool moves = m->n->clocks || !gate_patterns_hold(m->p, m->from + c),
             changes = moves && flop[c / 64] >> c % 64 & 1, shows = out[c / 64] >> c % 64 & 1;
        if (shows && (!changes || m->how->drop)) { /* else its run as a machine notes it */
            note(&m->found[x->class], m->from + c, 1);
            x->done = m->how->drop;
        }
        x->left = changes;
        x->start = c;
    }
}

static void set_state(struct mixed *m, struct machine *const *x, uint32_t count, uint32_t start)
{
    int words = gate_group_words(m->group);
    for (uint32_t f = 0; f < m->n->flops; f++) {
        uint64_t v = *source_of(m, m->n->inputs + f, start) >> start % 64 & 1;
        memset(gate_group_flop(m->group, f), v ? 0xff : 0, (size_t)words * 8);
    }
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; x[i]->state && k < m->flop_words; k++)
            for (uint64_t v = x[i]->state[k]; v; v &= v - 1)
                gate_group_flop(m->group,
                                64 * k + (uint32_t)__builtin_ctzll(v))[i / 64] ^= (uint64_t)1
                                                                                  << i % 64;
}

static void keep_state(struct mixed *m, struct machine *const *x, uint32_t count)
{
    int words = gate_group_words(m->group);
    for (uint32_t i = 0; i < count; i++) {
        x[i]->left = false; /* unless a flip-flop differs */
        if (x[i]->state)
            memset(x[i]->state, 0, m->flop_words * sizeof *x[i]->state);
    }
    for (uint32_t f = 0; f < m->n->flops; f++) {
        const uint64_t *w = gate_group_flop(m->group, f);
        uint64_t good = -(w[words - 1] >> 63);
        for (int k = 0; k < words; k++)
            for (uint64_t v = w[k] ^ good; v; v &= v - 1) {
                uint32_t i = 64 * (uint32_t)k + (uint32_t)__builtin_ctzll(v);
                if (i >= count || x[i]->done)
                    continue;
                if (!x[i]->state)
                    x[i]->state = fl_alloc(m->flop_words * sizeof *x[i]->state);
                x[i]->state[f / 64] |= (uint64_t)1 << f % 64;
                x[i]->left = true;
                x[i]->start = 0;
            }
    }
    for (uint32_t i = 0; i < count; i++)
        if (!x[i]->left) {
            free(x[i]->state);
            x[i]->state = NULL;
        }
}

/* Machines that have left the good state, from where the first of them does. */
static void as_machines(struct mixed *m, struct machine *const *x, uint32_t count)
{
    uint32_t *fault = fl_alloc(count * sizeof *fault), left = count, c;
    for (uint32_t i = 0; i < count; i++)
        fault[i] = x[i]->fault;
    gate_group_set(m->group, GATE_STUCK, fault, count);
    set_state(m, x, count, x[0]->start);
    for (c = x[0]->start; c < m->count && left; c++) {
        uint64_t differs[8];
        input_of(m->p, m->from + c, m->input);
        gate_group_hold(m->group, gate_patterns_hold(m->p, m->from + c));
        gate_group_eval(m->group, m->input);
        outputs_differ(m->n, m->group, m->p, m->from + c, differs);
        for (int k = 0; k < gate_group_words(m->group); k++)
            for (uint64_t v = differs[k]; v; v &= v - 1) {
                struct machine *y = x[64 * (uint32_t)k + (uint32_t)__builtin_ctzll(v)];
                if (y->done || c < y->start)
                    continue;
                note(&m->found[y->class], m->from + c, 1);
                y->done = m->how->drop;
                left -= y->done;
            }
        gate_group_clock(m->group);
    }
    if (left)
        keep_state(m, x, count);
    free(fault);
}

static int by_start(const void *a, const void *b)
{
    const struct machine *x = *(struct machine *const *)a, *y = *(struct machine *const *)b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start) : (x > y) - (x < y);
}

static void chunk(struct mixed *m)
{
    struct machine **x = fl_alloc(m->machines * sizeof *x);
    uint32_t running = 0, most = (uint32_t)m->how->width - 1, kept = 0;
    run_good(m);
    gate_sim_load(m->sim, m->source, (int)m->count);
    for (uint32_t i = 0; i < m->machines; i++) {
        if (!m->machine[i].left)
            as_patterns(m, &m->machine[i]);
        if (m->machine[i].left && !m->machine[i].done)
            x[running++] = &m->machine[i];
    }
    qsort(x, running, sizeof *x, by_start);
    for (uint32_t i = 0; i < running; i += most)
        as_machines(m, x + i, running - i < most ? running - i : most);
    for (uint32_t i = 0; i < m->machines; i++) {
        if (m->machine[i].done)
            free(m->machine[i].state);
        else
            m->machine[kept++] = m->machine[i];
    }
    m->machines = kept;
    free(x);
}

/* Machines of m from cycle m->from on, at which flip-flop i of the good one holds good[i]; NULL: from the reset. */
static void mixed(struct mixed *m, const uint8_t *good)
{
    const struct gate_netlist *n = m->n;
    const struct gate_patterns *p = m->p;
    int chunk_width = m->how->width < MOST_CYCLES ? m->how->width : MOST_CYCLES;
    m->good = gate_group_new(n, 64);
    m->group = gate_group_new(n, m->how->width);
    m->sim = gate_sim_new(n, chunk_width);
    m->source = fl_alloc_line((size_t)(n->inputs + n->flops) * (size_t)chunk_width / 8);
    m->strobe = fl_alloc(p->watched * (size_t)chunk_width / 8);
    m->input = fl_alloc(((size_t)n->inputs + 63) / 64 * sizeof *m->input);
    for (uint32_t i = 0; good && i < n->flops; i++)
        *gate_group_flop(m->good, i) = good[i] ? UINT64_MAX : 0;
    m->skip = m->from % 64;
    m->from -= m->skip;
    for (; m->from < p->count && m->machines; m->from += m->count, m->skip = 0) {
        uint32_t room = m->from < 64 ? 64 : (uint32_t)chunk_width; /* most are found early */
        m->count = p->count - m->from < room ? p->count - m->from : room;
        chunk(m);
    }
    for (uint32_t i = 0; i < m->machines; i++)
        free(m->machine[i].state);
    gate_group_free(m->good);
    gate_group_free(m->group);
    gate_sim_free(m->sim);
    free(m->source);
    free(m->strobe);
    free(m->input);
    free(m->machine);
}

static void from_reset(const struct gate_netlist *n, const struct gate_faults *f,
                       const struct gate_patterns *p, const struct gate_cover *how,
                       struct gate_found *found)
{
    struct live l = live_new(n, f);
    struct mixed m = {.n = n,
                      .p = p,
                      .how = how,
                      .found = found,
                      .machine = fl_alloc(l.count * sizeof *m.machine),
                      .machines = l.count,
                      .flop_words = (n->flops + 63) / 64};
    for (uint32_t i = 0; i < l.count; i++)
        m.machine[i] = (struct machine){.fault = l.fault[i], .class = l.class[i]};
    live_free(&l);
    mixed(&m, NULL);
}

/* ---- from power-up --------------------------------------------------------------------------- */

/* Faults that run with three values, in stages: after each those that are left meet in fewer groups. Where all flip-flops of the
 * good machine and of a faulty one are known, that one goes on with two values. */
struct stage {
    const struct gate_netlist *n;
    const struct gate_patterns *p;
    const struct gate_cover *how;
    struct gate_found *found;
    struct gate_unknown *u;
    struct waiting {
        uint32_t fault, class;
        uint8_t *state; /* [flops + 1], or NULL: that of the good machine */
    } * waiting;
    uint32_t count, from, to;
    uint8_t *good, *next; /* [flops] of the good machine, at `from` and at `to` */
    bool slow, known;     /* transition faults; all of `next` is known */
    struct mixed mixed;
};

static uint8_t *copy_state(const struct stage *s, uint32_t i)
{
    uint8_t *state = fl_alloc(s->n->flops + 1);
    for (uint32_t k = 0; k < s->n->flops + s->slow; k++)
        state[k] = (uint8_t)gate_unknown_flop(s->u, k, i);
    return state;
}

/* Goes on with two values, unless something in it is unknown. */
static bool hand_over(struct stage *s, const struct waiting *w)
{
    struct mixed *m = &s->mixed;
    bool known = s->known && !s->slow && s->how->engine == GATE_MIXED;
    for (uint32_t k = 0; k < s->n->flops && known && w->state; k++)
        known = w->state[k] != 3;
    if (!known)
        return false;
    struct machine *x = &m->machine[m->machines++];
    *x = (struct machine){
        .fault = w->fault, .class = w->class, .start = s->to % 64, .left = w->state != NULL};
    if (w->state)
        x->state = fl_alloc(m->flop_words * sizeof *x->state);
    for (uint32_t k = 0; k < s->n->flops && w->state; k++)
        x->state[k / 64] |= (uint64_t)(w->state[k] != s->next[k]) << k % 64;
    free(w->state);
    return true;
}

static void run_group(struct stage *s, uint32_t from, uint32_t count)
{
    uint32_t fault[GATE_UNKNOWN_MOST], class[GATE_UNKNOWN_MOST], flops = s->n->flops;
    uint64_t differs[8];
    bool runs = false;
    for (uint32_t i = 0; i < count; i++) {
        fault[i] = s->waiting[from + i].fault;
        class[i] = s->waiting[from + i].class;
    }
    gate_unknown_begin(s->u, fault, count);
    for (uint32_t i = 0; i <= GATE_UNKNOWN_MOST && s->from; i++) {
        const uint8_t *state = i < count ? s->waiting[from + i].state : NULL;
        for (uint32_t k = 0; k < flops + (state && s->slow); k++)
            gate_unknown_set(s->u, k, i, state ? state[k] : s->good[k]);
    }
    gate_unknown_run(s->u, s->p, s->from, s->to, s->how->drop, class, s->found);
    gate_unknown_differ(s->u, differs);
    for (uint32_t i = 0; i < count; i++) {
        struct waiting *w = &s->waiting[from + i];
        free(w->state);
        w->state = NULL;
        if (s->how->drop && s->found[w->class].times)
            continue;
        runs = true;
        if (s->to < s->p->count && (s->slow || differs[i / 64] >> i % 64 & 1))
            w->state = copy_state(s, i);
    }
    for (uint32_t k = 0; runs && k < flops; k++) /* it has run to the end */
        s->next[k] = (uint8_t)gate_unknown_flop(s->u, k, GATE_UNKNOWN_MOST);
}

static void run_stage(struct stage *s)
{
    uint32_t kept = 0, most = GATE_UNKNOWN_MOST;
    for (uint32_t from = 0; from < s->count; from += most)
        run_group(s, from, s->count - from < most ? s->count - from : most);
    s->known = true;
    for (uint32_t k = 0; k < s->n->flops; k++)
        s->known &= s->next[k] != 3;
    s->mixed = (struct mixed){.n = s->n,
                              .p = s->p,
                              .how = s->how,
                              .found = s->found,
                              .from = s->to,
                              .machine = fl_alloc(s->count * sizeof *s->mixed.machine),
                              .flop_words = (s->n->flops + 63) / 64};
    for (uint32_t i = 0; i < s->count; i++) {
        struct waiting *w = &s->waiting[i];
        if (s->how->drop && s->found[w->class].times)
            free(w->state);
        else if (s->to == s->p->count || !hand_over(s, w))
            s->waiting[kept++] = *w;
    }
    s->count = kept;
    uint8_t *good = fl_alloc(s->n->flops);
    for (uint32_t k = 0; k < s->n->flops; k++)
        good[k] = s->next[k] == 2;
    mixed(&s->mixed, good);
    free(good);
}

static void from_power_up(const struct gate_netlist *n, const struct gate_faults *f,
                          const struct gate_patterns *p, const struct gate_cover *how,
                          struct gate_found *found)
{
    struct live l = live_new(n, f);
    struct stage s = {.n = n, .p = p, .how = how, .found = found, .count = l.count};
    s.slow = f->model == GATE_TRANSITION;
    s.u = gate_unknown_new(n, f->model);
    s.waiting = fl_alloc(l.count * sizeof *s.waiting);
    s.good = fl_alloc(n->flops);
    s.next = fl_alloc(n->flops);
    for (uint32_t i = 0; i < l.count; i++)
        s.waiting[i] = (struct waiting){l.fault[i], l.class[i], NULL};
    /* the first stage ends where the good machine is known: with a reset, after a cycle or two */
    uint32_t reset = gate_unknown_patterns(n, p, 64);
    for (; s.from < p->count && s.count; s.from = s.to) {
        uint8_t *old = s.good;
        s.to = s.from == 0 ? (reset ? reset : 1) : s.from < 64 ? 64 : 2 * s.from;
        s.to = s.to < p->count && how->engine == GATE_MIXED ? s.to : p->count;
        run_stage(&s);
        s.good = s.next;
        s.next = old;
    }
    for (uint32_t i = 0; i < s.count; i++)
        free(s.waiting[i].state);
    gate_unknown_free(s.u);
    free(s.waiting);
    free(s.good);
    free(s.next);
    live_free(&l);
}

void gate_cover(const struct gate_netlist *n, const struct gate_faults *f,
                const struct gate_patterns *p, struct gate_cover how, struct gate_found *found)
{
    for (uint32_t i = 0; i < f->count; i++)
        found[i] = (struct gate_found){GATE_NEVER, 0, GATE_NEVER};
    if (how.engine == GATE_BY_PATTERNS)
        by_patterns(n, f, p, &how, found);
    else if (n->unknown && n->flops)
        from_power_up(n, f, p, &how, found);
    else if (how.engine == GATE_MIXED && f->model == GATE_STUCK)
        from_reset(n, f, p, &how, found);
    else
        by_faults(n, f, p, &how, found);
}
