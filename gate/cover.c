/* cover.c -- all faults through all patterns, with and without dropping. See cover.h. */
#include "cover.h"

#include <stdlib.h>
#include <string.h>

#include "sim.h"

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
    uint64_t *source = fl_alloc_line(p->sources * (size_t)how->width / 8);
    for (uint32_t from = 0; from < p->count && l.count;) {
        /* the first patterns detect most: in words that cost less than those that follow */
        struct gate_sim *s = how->drop && from < 64 ? narrow : wide;
        uint32_t room = 64 * (uint32_t)gate_sim_words(s), kept = 0;
        uint32_t count = p->count - from < room ? p->count - from : room;
        load(s, p, f->model, from, (int)count, source);
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
            uint64_t differs[8] = {0};
            input_of(p, c, input);
            gate_group_eval(g, input);
            for (uint32_t o = 0; o < n->outputs; o++) {
                const uint64_t *w = gate_group_watched(g, o);
                uint64_t good = -(w[words - 1] >> 63);
                for (int k = 0; k < words; k++)
                    differs[k] |= w[k] ^ good;
            }
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

void gate_cover(const struct gate_netlist *n, const struct gate_faults *f,
                const struct gate_patterns *p, struct gate_cover how, struct gate_found *found)
{
    for (uint32_t i = 0; i < f->count; i++)
        found[i] = (struct gate_found){GATE_NEVER, 0};
    if (how.engine == GATE_BY_PATTERNS)
        by_patterns(n, f, p, &how, found);
    else
        by_faults(n, f, p, &how, found);
}
