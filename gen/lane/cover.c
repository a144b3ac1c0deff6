/* cover.c -- which groups a self-test is made of: few instructions that show every fault.
 *
 * Greedy first: the group that shows most new faults for an instruction, again and again; then whatever has
 * become superfluous goes. That is near the least, so then, over and over, a tenth of the groups is
 * thrown out by a fixed draw and the rest filled up as cheaply as can be; what costs less is kept.
 */
#include "lane.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

enum { TRIES = 400, OUT = 12 /* one in so many goes */ };

struct cover {
    const struct lane_groups *g;
    uint16_t *times; /* [faults] chosen groups that show it */
    uint64_t *open;  /* faults that need more */
    double *bound;   /* [count] what a group can bring for an instruction, at most */
    bool *chosen;
    int price;
    long stuck, slow; /* how many are open */
};

static void count_open(struct cover *c, long fault, int more)
{
    long *n = fault < c->g->first_slow ? &c->stuck : &c->slow;
    *n += more;
}

#define EACH_FAULT(c, group, i)                                                                    \
    for (long w_ = 0; w_ < (c)->g->words; w_++)                                                    \
        for (uint64_t b_ = (c)->g->group[group].shows[w_], i = 0;                                  \
             b_ && (i = (uint64_t)(64 * w_ + __builtin_ctzll(b_)), true); b_ &= b_ - 1)

static void take(struct cover *c, int group)
{
    c->chosen[group] = true;
    c->price += c->g->group[group].price;
    EACH_FAULT(c, group, i)
    if (++c->times[i] == c->g->wanted[i]) {
        c->open[i / 64] &= ~(1ull << i % 64);
        count_open(c, (long)i, -1);
    }
}

static void drop(struct cover *c, int group)
{
    c->chosen[group] = false;
    c->price -= c->g->group[group].price;
    EACH_FAULT(c, group, i)
    if (--c->times[i] == c->g->wanted[i] - 1) {
        c->open[i / 64] |= 1ull << i % 64;
        count_open(c, (long)i, 1);
    }
}

/* Without it every stuck gate that it shows is shown often enough, and no more slow ones are left than may be. */
static bool superfluous(const struct cover *c, int group)
{
    long slow = c->slow;
    EACH_FAULT(c, group, i)
    if (c->times[i] <= c->g->wanted[i] &&
        ((long)i < c->g->first_slow || (c->times[i] == c->g->wanted[i] && ++slow > c->g->spare)))
        return false;
    return true;
}

static double worth(const struct cover *c, int group)
{
    long sum = 0;
    for (long w = 0; w < c->g->words; w++)
        sum += __builtin_popcountll(c->g->group[group].shows[w] & c->open[w]);
    return (double)sum / c->g->group[group].price;
}

/* What a group can bring only falls while others are taken: an old figure is a bound. */
static void fill(struct cover *c)
{
    for (int i = 0; i < c->g->count; i++)
        c->bound[i] = c->chosen[i] ? 0 : 1e9;
    for (;;) {
        int best = 0;
        for (int i = 1; i < c->g->count; i++)
            if (c->bound[i] > c->bound[best])
                best = i;
        if (c->bound[best] == 0 || (c->stuck == 0 && c->slow <= c->g->spare))
            return;
        double was = c->bound[best], now = worth(c, best);
        c->bound[best] = now;
        bool still = now == was;
        for (int i = 0; !still && i <= c->g->count; i++)
            if (i == c->g->count)
                still = true;
            else if (c->bound[i] > now)
                break;
        if (still && now > 0) {
            take(c, best);
            c->bound[best] = 0;
        }
    }
}

/* The dearest first. */
static void prune(struct cover *c)
{
    for (int price = 100; price > 0; price--)
        for (int i = c->g->count; i-- > 0;)
            if (c->chosen[i] && c->g->group[i].price == price && superfluous(c, i))
                drop(c, i);
}

static void restore(struct cover *c, const bool *chosen)
{
    for (int i = 0; i < c->g->count; i++)
        if (c->chosen[i] && !chosen[i])
            drop(c, i);
    for (int i = 0; i < c->g->count; i++)
        if (!c->chosen[i] && chosen[i])
            take(c, i);
}

int *lane_cover(const struct lane_groups *g, int *count)
{
    size_t n = (size_t)g->count;
    struct cover c = {.g = g};
    bool *best = fl_alloc(n);
    uint64_t seed = 1;
    c.times = fl_alloc((size_t)g->faults * sizeof *c.times);
    c.open = fl_alloc((size_t)g->words * sizeof *c.open);
    c.bound = fl_alloc(n * sizeof *c.bound);
    c.chosen = fl_alloc(n);
    for (long i = 0; i < g->faults; i++)
        if (g->wanted[i]) {
            c.open[i / 64] |= 1ull << i % 64;
            count_open(&c, i, 1);
        }
    fill(&c);
    prune(&c);
    memcpy(best, c.chosen, n);
    for (int price = c.price, k = 0; k < TRIES; k++) {
        for (int i = 0; i < g->count; i++)
            if (c.chosen[i] && fl_random(&seed) % OUT == 0)
                drop(&c, i);
        fill(&c);
        prune(&c);
        if (c.price <= price) {
            price = c.price;
            memcpy(best, c.chosen, n);
        } else {
            restore(&c, best);
        }
    }
    int *chosen = fl_alloc(n * sizeof *chosen);
    *count = 0;
    for (int i = 0; i < g->count; i++)
        if (best[i])
            chosen[(*count)++] = i;
    free(best);
    free(c.times);
    free(c.open);
    free(c.bound);
    free(c.chosen);
    return chosen;
}
