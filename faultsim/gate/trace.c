/* trace.c -- see trace.h. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "kind.h"

void trace_free(struct trace *t)
{
    vectors_free(&t->seen);
    vectors_free(&t->pair);
    free(t->good);
    free(t->first);
    free(t->last);
    free(t->uses);
    free(t->behind);
    free(t->at);
    *t = (struct trace){.unit = t->unit, .sp = t->sp};
}

void trace_note(struct trace *t, uint32_t pattern, uint64_t cycle)
{
    if (pattern == t->noted) {
        if (t->noted == t->room) {
            t->room = t->room ? 2 * t->room : 256;
            t->first = fl_grow(t->first, t->room, sizeof *t->first);
            t->last = fl_grow(t->last, t->room, sizeof *t->last);
            t->uses = fl_grow(t->uses, t->room, sizeof *t->uses);
        }
        t->first[pattern] = cycle;
        t->uses[pattern] = 0;
        t->noted++;
    }
    t->last[pattern] = cycle;
    t->uses[pattern]++;
}

void trace_good(struct trace *t, uint32_t vector, const uint64_t *good)
{
    const uint32_t words = t->unit->out_words;
    if (vector >= t->goods) {
        t->goods = t->goods ? 2 * t->goods : 256;
        t->good = fl_grow(t->good, (size_t)t->goods * words, sizeof *t->good);
    }
    memcpy(&t->good[(size_t)vector * words], good, words * sizeof *good);
}

const uint64_t *trace_pattern(const struct trace *t, uint32_t pattern, bool before)
{
    if (t->pair.words)
        return vectors_at(&t->seen, (uint32_t)(t->pair.word[pattern] >> (before ? 32 : 0)));
    return vectors_at(&t->seen, pattern) + (before ? t->unit->in_words : 0);
}

uint32_t trace_load(const struct trace *t, struct unit_sim *sim, uint32_t from)
{
    const uint64_t *now[UNIT_PATTERNS], *before[UNIT_PATTERNS];
    const uint32_t left = trace_patterns(t) - from, count = left < sim->room ? left : sim->room;
    for (uint32_t p = 0; p < count; p++) {
        now[p] = trace_pattern(t, from + p, false);
        before[p] = trace_pattern(t, from + p, true);
    }
    unit_sim_load(sim, now, before, count);
    return from + count;
}

int trace_check(const struct trace *t, struct fl_err *err)
{
    struct unit_sim sim = unit_sim_new(t->unit, gate_width(0, NULL));
    int bad = 0;
    for (uint32_t from = 0, to; from < trace_patterns(t) && !bad; from = to) {
        to = trace_load(t, &sim, from);
        bad = t->unit->kind->check(t, &sim, from, err);
    }
    unit_sim_free(&sim);
    return bad;
}
