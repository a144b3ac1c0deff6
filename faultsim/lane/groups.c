/* groups.c -- vectors to groups. See groups.h.
 *
 * First stage: which vector shows which fault, in the result and in the flags; a bit each. Second stage, over and
 * over: of each form the four vectors that together show most of the faults still wanted; the form that
 * shows most for its price becomes a group. What a form can bring only falls as faults are covered, so an old figure is
 * a bound, and only the forms that look best are worked out anew.
 *
 * The four sets of a group follow each other through the unit, so a set launches what the next captures: a slow gate is shown
 * where the first has its site at the value that it keeps, and the second shows the gate stuck there. Third stage: each group
 * gets the order of its sets that shows most slow gates, at no price; then more groups, for those that none shows yet.
 */
#include "groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "forms.h"

/* Instructions that fold a word into the signature, and that bring the flags to a register. */
enum { FOLD = 2, FLAGS = 1 + FOLD };

struct seen { /* a vector and what it shows: a bit a fault */
    uint32_t a, b, c;
    bool carry, used[2]; /* in a group, by its flags */
    uint64_t *by[2];     /* in d; in d or the flags */
    /* of slow gates, a bit each: those that it shows when they have been launched, as `by`; those that it launches */
    uint64_t *capture[2], *launch;
};

struct bag { /* all vectors of a form with one value of the carry: bag 2 * form + carry */
    struct seen *seen;
    uint32_t count, room;
};

struct made { /* a group */
    uint32_t bag, set[GROUP_SETS];
    bool flags;
    uint64_t *shows; /* a bit a fault, slow gates behind the others */
};

struct maker {
    const struct unit *u;
    struct gate_faults *slow;
    struct made *made;
    uint32_t groups, room;
    /* slow gates at hand, and words of a bit for each */
    uint32_t *site, sites, site_words;
    struct forms forms;
    struct bag *bag; /* [bags] two a form */
    uint32_t bags;
    uint32_t faults, words;
    uint32_t *order;
    uint64_t *want, *shown;
    uint8_t *times;
    double *bound; /* [4 * forms] 2 * bag + 1 with flags: faults for an instruction, at most */
};

/* ---- vectors --------------------------------------------------------------------------------- */

static bool fits(const struct form *f, const uint32_t x[3])
{
    for (int s = 0; s < 3; s++)
        if ((f->operand[s] == FORM_NONE && x[s]) || (f->operand[s] == FORM_HALF && x[s] >> 16) ||
            (f->operand[s] == FORM_FIXED && x[s] != f->value))
            return false;
    return true;
}

static void put(struct bag *b, const uint32_t x[3], bool carry)
{
    for (uint32_t i = 0; i < b->count; i++)
        if (b->seen[i].a == x[0] && b->seen[i].b == x[1] && b->seen[i].c == x[2] &&
            b->seen[i].carry == carry)
            return;
    FL_ROOM(b->seen, b->count, b->room, 64);
    b->seen[b->count++] = (struct seen){.a = x[0], .b = x[1], .c = x[2], .carry = carry};
}

/* A bag for each form and carry, where forms have come. */
static void make_room(struct maker *m)
{
    uint32_t n = 2 * m->forms.count;
    m->bag = fl_grow(m->bag, n + 1, sizeof *m->bag);
    if (n > m->bags)
        memset(m->bag + m->bags, 0, (n - m->bags) * sizeof *m->bag);
    m->bags = n;
}

/* The vectors of the file; one without a form is counted. */
static void take_patterns(struct maker *m, const struct gate_patterns *p,
                          struct groups_facts *facts)
{
    const struct gate_netlist *n = m->u->netlist;
    for (uint32_t k = 0; p && k < p->count; k++) {
        struct vector v = {{0}};
        for (uint32_t i = 0; i < n->inputs; i++)
            v.w[m->u->place[i] / 64] |= (p->word[(size_t)(k / 64) * p->sources + i] >> k % 64 & 1)
                                        << m->u->place[i] % 64;
        int64_t at = forms_find(&m->forms, m->u, &v);
        uint32_t x[3] = {(uint32_t)v.w[0], (uint32_t)(v.w[0] >> 32), (uint32_t)v.w[1]};
        bool carry = vector_bit(&v, VECTOR_cc_c);
        if (at >= 0 && !fits(&m->forms.form[at], x))
            at = forms_immediate(&m->forms, m->u, &v);
        make_room(m);
        if (at >= 0 && fits(&m->forms.form[at], x)) {
            put(&m->bag[2 * at + carry], x, carry);
            facts->vectors++;
        } else {
            facts->formless++;
        }
    }
}

static void draw(struct maker *m, uint32_t random, uint64_t seed)
{
    struct check_source s = {.seed = seed};
    for (uint32_t f = 0; f < m->forms.count; f++)
        for (uint32_t k = 0; k < random; k++) {
            const struct form *form = &m->forms.form[f];
            uint32_t x[3];
            for (int i = 0; i < 3; i++)
                x[i] = form->operand[i] == FORM_FIXED
                           ? form->value
                           : check_operand(&s) & (form->operand[i] == FORM_WORD   ? 0xffffffff
                                                  : form->operand[i] == FORM_HALF ? 0xffff
                                                                                  : 0);
            put(&m->bag[2 * f + (k & 1)], x, k & 1);
        }
}

/* What the C model makes of a vector: d, flags behind it. */
static uint64_t good_of(const struct form *f, const struct seen *v)
{
    uint32_t a[SM_LANES] = {v->a}, b[SM_LANES] = {v->b}, c[SM_LANES] = {v->c}, d[SM_LANES] = {0};
    uint8_t cc[SM_LANES] = {v->carry ? SM_CC_C : 0}, flags[SM_LANES] = {0};
    sm_alu_select (&f->in)(&f->in, a, b, c, cc, d, flags);
    return d[0] | (uint64_t)(flags[0] & 15) << VECTOR_D_BITS;
}

/* ---- which vector shows which fault ---------------------------------------------------------- */

struct block {
    struct vector *vector; /* with care */
    struct seen **seen;
    uint32_t count;
    struct unit_sim sim;
};

static struct block block_new(const struct maker *m)
{
    struct block b = {.sim = unit_sim_new(m->u, gate_width(0, NULL))};
    b.vector = fl_alloc(b.sim.room * sizeof *b.vector);
    b.seen = fl_alloc(b.sim.room * sizeof *b.seen);
    return b;
}

static void block_free(struct block *b)
{
    unit_sim_free(&b->sim);
    free(b->vector);
    free(b->seen);
}

/* A vector of a form, with what counts of its result. */
static void put_in_block(const struct maker *m, struct block *b, const struct form *form,
                         struct seen *v)
{
    struct vector x = vector_with_operands(vector_of(&form->in, lane_which(m->u)), v->a, v->b, v->c,
                                           v->carry);
    b->seen[b->count] = v;
    b->vector[b->count++] = lane_vector(m->u, x, form->written, good_of(form, v));
}

/* The patterns that show a stuck gate: in d; in d or the flags. */
static void find_hits(const struct maker *m, const struct block *b, uint32_t fault,
                      uint64_t hit[2][8])
{
    const struct gate_diff *d;
    int diffs = gate_sim_fault(b->sim.sim, GATE_STUCK, fault, &d);
    memset(hit, 0, 2 * sizeof *hit);
    for (int k = 0; k < diffs; k++)
        for (uint32_t w = 0; w < b->sim.words; w++) {
            uint64_t wrong = unit_sim_wrong(&b->sim, &d[k], w);
            hit[1][w] |= wrong;
            if (m->u->output[d[k].watched] < VECTOR_D_BITS)
                hit[0][w] |= wrong;
        }
}

static void simulate(struct maker *m, struct block *b)
{
    uint32_t words = b->sim.words;
    lane_load(&b->sim, b->vector, b->count);
    for (uint32_t i = 0; i < m->faults; i++) {
        uint64_t hit[2][8];
        find_hits(m, b, m->order[i], hit);
        uint32_t class = m->u->faults->class_of[m->order[i]];
        for (int by = 0; by < 2; by++)
            for (uint32_t w = 0; w < words; w++)
                for (uint64_t left = hit[by][w]; left; left &= left - 1)
                    b->seen[64 * w + (uint32_t)__builtin_ctzll(left)]->by[by][class / 64] |=
                        1ull << class % 64;
    }
    b->count = 0;
}

static void look(struct maker *m)
{
    struct block b = block_new(m);
    m->order = fl_alloc(m->faults * sizeof *m->order);
    memcpy(m->order, m->u->faults->fault, m->faults * sizeof *m->order);
    gate_sim_order(b.sim.sim, m->order, m->faults);
    for (uint32_t f = 0; f < 2 * m->forms.count; f++)
        for (uint32_t k = 0; k < m->bag[f].count; k++) {
            struct seen *v = &m->bag[f].seen[k];
            for (int by = 0; by < 2; by++)
                v->by[by] = fl_alloc(m->words * sizeof **v->by);
            put_in_block(m, &b, &m->forms.form[f / 2], v);
            if (b.count == b.sim.room)
                simulate(m, &b);
        }
    simulate(m, &b);
    block_free(&b);
}

/* Which of the slow gates at hand the vectors of a block capture and launch. */
static void simulate_slow(struct maker *m, struct block *b)
{
    uint32_t words = b->sim.words;
    lane_load(&b->sim, b->vector, b->count);
    for (uint32_t i = 0; i < m->sites; i++) {
        uint64_t hit[2][8];
        const uint64_t *now = gate_sim_value(b->sim.sim,
                                             gate_site_net(m->u->netlist, GATE_SITE(m->site[i])));
        find_hits(m, b, m->site[i], hit);
        for (uint32_t w = 0; w < words; w++)
            for (uint32_t p = 64 * w; p < 64 * w + 64 && p < b->count; p++) {
                struct seen *v = b->seen[p];
                uint64_t bit = 1ull << i % 64;
                for (int by = 0; by < 2; by++)
                    v->capture[by][i / 64] |= hit[by][w] >> p % 64 & 1 ? bit : 0;
                v->launch[i / 64] |= (now[w] >> p % 64 & 1) == GATE_STUCK_AT(m->site[i]) ? bit : 0;
            }
    }
    b->count = 0;
}

static void forget_slow(struct maker *m)
{
    for (uint32_t f = 0; f < m->bags; f++)
        for (uint32_t k = 0; k < m->bag[f].count; k++) {
            struct seen *v = &m->bag[f].seen[k];
            free(v->capture[0]);
            v->capture[0] = v->capture[1] = v->launch = NULL;
        }
}

/* The same of all vectors, or of those in groups. */
static void look_slow(struct maker *m, bool all)
{
    struct block b = block_new(m);
    size_t n = m->site_words = (m->sites + 63) / 64;
    for (uint32_t f = 0; f < m->bags; f++)
        for (uint32_t k = 0; k < m->bag[f].count; k++) {
            struct seen *v = &m->bag[f].seen[k];
            if (!all && !v->used[0] && !v->used[1])
                continue;
            v->capture[0] = fl_alloc(3 * n * sizeof *v->launch);
            v->capture[1] = v->capture[0] + n;
            v->launch = v->capture[1] + n;
            put_in_block(m, &b, &m->forms.form[f / 2], v);
            if (b.count == b.sim.room)
                simulate_slow(m, &b);
        }
    simulate_slow(m, &b);
    block_free(&b);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static int price(const struct form *f, bool flags)
{
    int sum = 1 + FOLD + (flags ? FLAGS : 0) - f->memory + f->immediate;
    for (int s = 0; s < 3; s++)
        sum += f->operand[s] == FORM_WORD || f->operand[s] == FORM_HALF;
    return sum;
}

static uint32_t gain(const struct maker *m, const uint64_t *by, const uint64_t *have)
{
    uint32_t sum = 0;
    for (uint32_t w = 0; w < m->words; w++)
        sum += (uint32_t)__builtin_popcountll(by[w] & m->want[w] & ~have[w]);
    return sum;
}

/* The best four vectors of a form that no group has; what they show together goes to `have`. Returns how
 * many faults that are wanted. */
static uint32_t choose(const struct maker *m, uint32_t bag, bool flags, uint32_t set[GROUP_SETS],
                       uint64_t *have)
{
    const struct bag *b = &m->bag[bag];
    uint32_t sum = 0;
    memset(have, 0, m->words * sizeof *have);
    for (int k = 0; k < GROUP_SETS; k++) {
        uint32_t best = UINT32_MAX, most = 0;
        for (uint32_t i = 0; i < b->count; i++) {
            bool taken = b->seen[i].used[flags];
            for (int j = 0; j < k; j++)
                taken |= set[j] == i;
            uint32_t g = taken ? 0 : gain(m, b->seen[i].by[flags], have);
            if (!taken && (best == UINT32_MAX || g > most)) {
                best = i;
                most = g;
            }
        }
        set[k] = best != UINT32_MAX ? best : k ? set[0] : 0; /* too few: one of them again */
        sum += most;
        for (uint32_t w = 0; w < m->words; w++)
            have[w] |= b->seen[set[k]].by[flags][w];
    }
    return sum;
}

static void print_bits(const uint64_t *bits, uint32_t words, struct fl_buf *out)
{
    for (uint32_t w = 0; w < words; w++)
        for (int k = 0; k < 64; k += 4) /* the first fault is the lowest bit of the first digit */
            fl_buf_printf(out, "%x", (unsigned)(bits[w] >> k & 15));
}

static void print_operand(const struct seen *seen, const uint32_t set[GROUP_SETS], int which,
                          const char *to, struct fl_buf *out)
{
    fl_buf_printf(out, "    <operand to=\"%s\">", to);
    for (int k = 0; k < GROUP_SETS; k++) {
        const struct seen *v = &seen[set[k]];
        uint32_t x = which == 0   ? v->a
                     : which == 1 ? v->b
                     : which == 2 ? v->c
                     : v->carry   ? SM_CC_C
                                  : 0;
        fl_buf_printf(out, "%s0x%08x", k ? " " : "", x);
    }
    fl_buf_printf(out, "</operand>\n");
}

static uint32_t words_of_all(const struct maker *m)
{
    return (m->faults + m->slow->count + 63) / 64;
}

static struct made *add_group(struct maker *m, uint32_t bag, bool flags,
                              const uint32_t set[GROUP_SETS])
{
    FL_ROOM(m->made, m->groups, m->room, 64);
    struct made *g = &m->made[m->groups++];
    *g = (struct made){.bag = bag, .flags = flags};
    g->shows = fl_alloc(words_of_all(m) * sizeof *g->shows);
    for (int k = 0; k < GROUP_SETS; k++) {
        struct seen *v = &m->bag[bag].seen[set[k]];
        g->set[k] = set[k];
        v->used[0] = v->used[flags] = true;
        for (uint32_t w = 0; w < m->words; w++)
            g->shows[w] |= v->by[flags][w];
    }
    return g;
}

static void print_group(const struct maker *m, const struct made *g, struct fl_buf *out)
{
    static const char *const to[] = {"R1", "R2", "R3"};
    const uint32_t bag = g->bag, *set = g->set;
    const bool flags = g->flags;
    const struct form *f = &m->forms.form[bag / 2];
    const struct seen *seen = m->bag[bag].seen;
    fl_buf_printf(out, "  <group insn=\"%s\" price=\"%d\"%s%s>\n", f->text[bag & 1],
                  price(f, flags), flags ? " flags=\"C0\"" : "",
                  !f->immediate ? ""
                  : bag & 1     ? " carry=\"1\""
                                : " carry=\"0\"");
    for (int s = f->memory; s < 3; s++)
        if (f->operand[s] == FORM_WORD || f->operand[s] == FORM_HALF)
            print_operand(seen, set, s, f->immediate && s == 2 ? "R16" : to[s], out);
    if (f->memory)
        print_operand(seen, set, 0, "memory", out);
    fl_buf_printf(out, "    <shows>");
    print_bits(g->shows, words_of_all(m), out);
    fl_buf_printf(out, "</shows>\n  </group>\n");
}

static bool writes_flags(const struct maker *m, uint32_t form)
{
    return m->forms.form[form].written >> VECTOR_D_BITS;
}

/* What a form, with or without flags, may show at most for its price: nothing without vectors. */
static void start_bounds(struct maker *m, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        m->bound[i] = m->bag[i / 2].count == 0 || (i & 1 && !writes_flags(m, i / 4)) ? 0
                                                                                     : m->faults;
}

static uint32_t best_bound(const struct maker *m, uint32_t n)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i < n; i++)
        if (m->bound[i] > m->bound[best])
            best = i;
    return best;
}

/* Groups until no form shows a wanted fault. */
static void make_groups(struct maker *m)
{
    uint64_t *have = fl_alloc(m->words * sizeof *have);
    uint32_t n = 4 * m->forms.count, set[GROUP_SETS];
    start_bounds(m, n);
    for (;;) {
        uint32_t best = best_bound(m, n);
        if (n == 0 || m->bound[best] == 0)
            break;
        bool flags = best & 1;
        double now = choose(m, best / 2, flags, set, have) /
                     (double)price(&m->forms.form[best / 4], flags);
        bool still = true;
        for (uint32_t i = 0; i < n; i++)
            still &= i == best || m->bound[i] <= now;
        m->bound[best] = now;
        if (!still || now == 0)
            continue;
        add_group(m, best / 2, flags, set);
        for (uint32_t w = 0; w < m->words; w++) {
            for (uint64_t b = have[w] & m->want[w]; b; b &= b - 1)
                m->times[64 * w + (uint32_t)__builtin_ctzll(b)]++;
            m->want[w] &= ~have[w];
            m->shown[w] |= have[w];
        }
    }
    free(have);
}

/* ---- slow gates ------------------------------------------------------------------------------ */

/* Of the slow gates at hand that are wanted, how many a set shows behind another, and which. */
static uint32_t behind(const struct maker *m, const struct seen *first, const struct seen *second,
                       bool flags, const uint64_t *want, uint64_t *have)
{
    uint32_t sum = 0;
    for (uint32_t w = 0; w < m->site_words; w++) {
        uint64_t shows = first->launch[w] & second->capture[flags][w];
        sum += (uint32_t)__builtin_popcountll(shows & want[w] & ~have[w]);
        have[w] |= shows;
    }
    return sum;
}

static uint32_t in_order(const struct maker *m, const struct made *g,
                         const uint32_t set[GROUP_SETS], const uint64_t *want, uint64_t *have)
{
    const struct seen *seen = m->bag[g->bag].seen;
    uint32_t sum = 0;
    memset(have, 0, m->site_words * sizeof *have);
    for (int k = 1; k < GROUP_SETS; k++)
        sum += behind(m, &seen[set[k - 1]], &seen[set[k]], g->flags, want, have);
    return sum;
}

/* The order that shows most of what no group before shows. All of `want` are at hand. */
static void order_sets(struct maker *m, struct made *g, uint64_t *want, uint64_t *have)
{
    uint32_t best[GROUP_SETS] = {0}, set[GROUP_SETS], most = 0;
    for (int code = 0; code < 24; code++) {
        uint32_t left[GROUP_SETS];
        memcpy(left, g->set, sizeof left);
        for (int k = 0, rest = code; k < GROUP_SETS; rest /= GROUP_SETS - k, k++) {
            int at = rest % (GROUP_SETS - k);
            set[k] = left[at];
            left[at] = left[GROUP_SETS - 1 - k];
        }
        uint32_t n = in_order(m, g, set, want, have);
        if (code == 0 || n > most) {
            most = n;
            memcpy(best, set, sizeof best);
        }
    }
    memcpy(g->set, best, sizeof best);
    in_order(m, g, g->set, want, have);
    for (uint32_t w = 0; w < m->site_words; w++)
        want[w] &= ~have[w];
}

/* What a group shows of all slow gates, which are at hand. */
static void show_slow(struct maker *m, struct made *g, const uint64_t *have)
{
    for (uint32_t i = 0; i < m->sites; i++)
        g->shows[(m->faults + i) / 64] |= (have[i / 64] >> i % 64 & 1) << (m->faults + i) % 64;
}

/* The pair of a form that shows most, and then what goes best behind it. */
static uint32_t choose_slow(const struct maker *m, uint32_t bag, bool flags,
                            uint32_t set[GROUP_SETS], const uint64_t *want, uint64_t *have)
{
    const struct bag *b = &m->bag[bag];
    uint64_t *try = fl_alloc(m->site_words * sizeof *try);
    uint32_t sum = 0;
    for (int k = 1; k < GROUP_SETS && b->count; k++) {
        uint32_t most = 0, pair[2] = {k == 1 ? 0 : set[k - 1], 0};
        for (uint32_t i = k == 1 ? 0 : set[k - 1]; i < (k == 1 ? b->count : set[k - 1] + 1); i++)
            for (uint32_t j = 0; j < b->count; j++) {
                memcpy(try, have, m->site_words * sizeof *try);
                uint32_t n = behind(m, &b->seen[i], &b->seen[j], flags, want, try);
                if (n > most) {
                    most = n;
                    pair[0] = i;
                    pair[1] = j;
                }
            }
        set[k - 1] = pair[0];
        set[k] = pair[1];
        sum += behind(m, &b->seen[pair[0]], &b->seen[pair[1]], flags, want, have);
    }
    free(try);
    return sum;
}

/* Groups until no form shows another slow gate. */
static void make_slow_groups(struct maker *m)
{
    uint64_t *want = fl_alloc((m->site_words + 1) * sizeof *want),
             *have = fl_alloc((m->site_words + 1) * sizeof *have);
    uint32_t n = 4 * m->forms.count, set[GROUP_SETS];
    for (uint32_t i = 0; i < m->sites; i++)
        want[i / 64] |= 1ull << i % 64;
    start_bounds(m, n);
    for (;;) {
        uint32_t best = best_bound(m, n);
        if (n == 0 || m->bound[best] == 0)
            break;
        memset(have, 0, m->site_words * sizeof *have);
        double now = choose_slow(m, best / 2, best & 1, set, want, have) /
                     (double)price(&m->forms.form[best / 4], best & 1),
               was = m->bound[best];
        bool still = true;
        m->bound[best] = now < was ? now : was;
        for (uint32_t i = 0; i < n; i++)
            still &= i == best || m->bound[i] <= now;
        if (!still || now == 0) {
            if (now == 0)
                m->bound[best] = 0;
            continue;
        }
        add_group(m, best / 2, best & 1, set);
        for (uint32_t w = 0; w < m->site_words; w++)
            want[w] &= ~have[w];
    }
    free(want);
    free(have);
}

static void take_all_slow(struct maker *m)
{
    m->sites = m->slow->count;
    memcpy(m->site, m->slow->fault, m->sites * sizeof *m->site);
    look_slow(m, false);
}

static void do_slow(struct maker *m)
{
    uint32_t words = (m->slow->count + 63) / 64, plain = m->groups;
    uint64_t *want = fl_alloc(words * sizeof *want), *have = fl_alloc(words * sizeof *have);
    m->site = fl_alloc(m->slow->count * sizeof *m->site);
    take_all_slow(m);
    for (uint32_t i = 0; i < m->sites; i++)
        want[i / 64] |= 1ull << i % 64;
    for (struct made *g = m->made; g < m->made + plain; g++) {
        order_sets(m, g, want, have);
        show_slow(m, g, have);
    }
    forget_slow(m);
    m->sites = 0;
    for (uint32_t i = 0; i < m->slow->count; i++)
        if (want[i / 64] >> i % 64 & 1)
            m->site[m->sites++] = m->slow->fault[i];
    look_slow(m, true);
    make_slow_groups(m);
    forget_slow(m);
    take_all_slow(m);
    for (struct made *g = m->made + plain; g < m->made + m->groups; g++) {
        in_order(m, g, g->set, want, have);
        show_slow(m, g, have);
    }
    forget_slow(m);
    free(want);
    free(have);
    free(m->site);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void print_head(const struct maker *m, struct fl_buf *out)
{
    char id[GATE_ID_ROOM];
    fl_buf_printf(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- What a self-test of sm_%s can be "
        "made of. Made by faultsim gate; read by sbstgen; docs/reference/exports-gates.md. -->\n"
        "<groups version=\"1\" unit=\"%s\" netlist=\"%s\" sps=\"8\">\n  <faults>",
        m->u->name, m->u->name, m->u->netlist->digest);
    for (uint32_t i = 0; i < m->faults; i++)
        fl_buf_printf(out, "%s%s", i % 16 ? " " : "\n    ",
                      gate_fault_id(m->u->netlist, GATE_STUCK, m->u->faults->fault[i], id));
    for (uint32_t i = 0; i < m->slow->count; i++)
        fl_buf_printf(out, "%s%s", i % 16 ? " " : "\n    ",
                      gate_fault_id(m->u->netlist, GATE_TRANSITION, m->slow->fault[i], id));
    fl_buf_printf(out, "\n  </faults>\n");
}

struct groups_facts groups_print(const struct unit *u, const struct gate_patterns *patterns,
                                 uint32_t random, uint32_t often, uint64_t seed, struct fl_buf *out)
{
    struct maker m = {.u = u, .forms = forms_of(u), .faults = u->faults->count};
    m.slow = gate_faults_new(u->netlist, GATE_TRANSITION);
    struct groups_facts facts = {.forms = m.forms.count, .faults = m.faults};
    m.words = (m.faults + 63) / 64;
    make_room(&m);
    m.want = fl_alloc(m.words * sizeof *m.want);
    m.shown = fl_alloc(m.words * sizeof *m.shown);
    m.times = fl_alloc((size_t)m.words * 64);
    take_patterns(&m, patterns, &facts);
    m.bound = fl_alloc((4 * m.forms.count + 1) * sizeof *m.bound);
    draw(&m, random, seed);
    look(&m);
    for (uint32_t pass = 1; pass <= often; pass++) {
        for (uint32_t i = 0; i < m.faults; i++)
            if (m.times[i] < pass)
                m.want[i / 64] |= 1ull << i % 64;
        make_groups(&m);
    }
    facts.plain = m.groups;
    do_slow(&m);
    facts.groups = m.groups;
    print_head(&m, out);
    uint64_t *slow = fl_alloc(words_of_all(&m) * sizeof *slow);
    for (struct made *g = m.made; g < m.made + m.groups; g++) {
        print_group(&m, g, out);
        for (uint32_t w = 0; w < words_of_all(&m); w++)
            slow[w] |= g->shows[w];
        free(g->shows);
    }
    fl_buf_printf(out, "</groups>\n");
    facts.slow = m.slow->count;
    for (uint32_t i = m.faults; i < m.faults + m.slow->count; i++)
        facts.slow_shown += (uint32_t)(slow[i / 64] >> i % 64 & 1);
    free(slow);
    free(m.made);
    for (uint32_t i = 0; i < m.faults; i++)
        facts.shown += (uint32_t)(m.shown[i / 64] >> i % 64 & 1);
    for (uint32_t f = 0; f < 2 * m.forms.count; f++) {
        for (uint32_t k = 0; k < m.bag[f].count; k++) {
            free(m.bag[f].seen[k].by[0]);
            free(m.bag[f].seen[k].by[1]);
        }
        free(m.bag[f].seen);
    }
    free(m.bag);
    free(m.order);
    free(m.want);
    free(m.shown);
    free(m.times);
    free(m.bound);
    gate_faults_free(m.slow);
    forms_free(&m.forms);
    return facts;
}
