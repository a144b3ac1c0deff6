/* host.c -- what the host does between two launches, in all copies at once: bytes that
 * differ are overwritten or copied, and where they decide what comes next, the copies are lost.
 */
#include "internal.h"

/* The host reads a word, and what it does next hangs on its being the one that ends a repeat. */
static void decide(struct follower *l, uint32_t event)
{
    const struct sm_launch *launch = &l->g->img->launch[l->f->event[event].pc];
    const struct word *w = find_word(l, (launch->word - JOB_BASE) / 4);
    if (!w)
        return;
    bool over = follow_word_before(l, w->number, event) == launch->until;
    uint32_t others = 0;
    for (int v = 0; v < COPIES; v++)
        if ((w->x.v[v] == launch->until) != over)
            others |= lane_bit[v];
    lose(l, w->mask & others);
}

/* What the word holds before the event. */
static void word_before(const struct follower *l, uint32_t number, uint32_t event,
                        uint32_t out[COPIES])
{
    const struct word *w = find_word((struct follower *)l, number);
    if (w)
        memcpy(out, w->x.v, sizeof w->x.v);
    else
        fill(out, follow_word_before(l, number, event));
}

/* What it holds behind the step. */
static void change(struct follower *l, const struct sm_step *s, uint32_t number, uint32_t event,
                   uint32_t *n)
{
    uint32_t source[COPIES], known = FLOW_NONE;
    FL_ROOM(l->changed, *n, l->changed_room, MAX_WORDS);
    struct word *x = &l->changed[(*n)++];
    x->number = number;
    word_before(l, number, event, x->x.v);
    for (uint32_t b = 0; b < 4; b++) {
        uint32_t at = 4 * number + b - s->to, from = s->from + at;
        if (at >= s->size)
            continue;
        if (s->copies && from / 4 != known)
            word_before(l, known = from / 4, event, source);
        for (int v = 0; v < COPIES; v++) {
            uint32_t byte = s->copies ? source[v] >> 8 * (from % 4)
                            : s->data ? s->data[at]
                                      : s->value >> 8 * (at % 4);
            x->x.v[v] = (x->x.v[v] & ~(0xffu << 8 * b)) | (byte & 0xff) << 8 * b;
        }
    }
}

/* Has the word bytes in a range? Those are [*from, *to) of it. */
static bool meets(uint32_t number, uint32_t at, uint32_t size, uint32_t *from, uint32_t *to)
{
    *from = 4 * number > at ? 4 * number - at : 0;
    *to = 4 * number + 4 > at ? 4 * number + 4 - at : 0;
    *to = *to < size ? *to : size;
    return *from < *to;
}

void follow_host(struct follower *l, uint32_t event)
{
    const struct flow_event *e = &l->f->event[event];
    uint32_t n = 0, from, to;
    if (e->at == FLOW_NONE) {
        decide(l, event);
        return;
    }
    const struct sm_step *s = &l->g->img->step[e->at];
    for (uint32_t i = 0; i < l->nwords; i++) {
        if (s->copies && meets(l->word[i].number, s->from, s->size, &from, &to))
            for (uint32_t w = (s->to + from) / 4; w <= (s->to + to - 1) / 4; w++)
                change(l, s, w, event, &n);
        if (meets(l->word[i].number, s->to, s->size, &from, &to))
            change(l, s, l->word[i].number, event, &n);
    }
    for (uint32_t i = 0; i < n && l->alive; i++)
        follow_set_word(l, l->changed[i].number, event, l->changed[i].x.v,
                        follow_word_after(l, l->changed[i].number, event));
}
