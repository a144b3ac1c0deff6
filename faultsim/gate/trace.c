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

uint32_t trace_load(const struct trace *t, struct gate_sim *sim, uint32_t from, uint64_t *source)
{
    const uint64_t *now[UNIT_PATTERNS], *before[UNIT_PATTERNS];
    const bool slow = unit_slow(t->unit);
    const uint32_t width = 64 * (uint32_t)gate_sim_words(sim), left = trace_patterns(t) - from,
                   count = left < width ? left : width;
    for (uint32_t p = 0; p < count; p++) {
        now[p] = trace_pattern(t, from + p, false);
        before[p] = slow ? trace_pattern(t, from + p, true) : NULL;
    }
    unit_load(t->unit, sim, now, slow ? before : NULL, count, source);
    return count;
}

int trace_check(const struct trace *t, struct fl_err *err)
{
    struct gate_sim *sim = gate_sim_new(t->unit->netlist, gate_width(0, NULL));
    uint64_t *source = fl_alloc((size_t)t->unit->netlist->inputs * (size_t)gate_sim_words(sim) *
                                sizeof *source);
    int bad = 0;
    for (uint32_t from = 0, n; from < trace_patterns(t) && !bad; from += n) {
        n = trace_load(t, sim, from, source);
        bad = t->unit->kind->check(t, sim, from, n, err);
    }
    free(source);
    gate_sim_free(sim);
    return bad;
}
