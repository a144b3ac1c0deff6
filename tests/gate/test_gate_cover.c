/* test_gate_cover.c -- all faults through all patterns: each engine, width and way of dropping
 * finds what one machine a fault finds. */
#include <string.h>

#include "base/random.h"
#include "gate/cover.h"
#include "tests/lib/check.h"
#include "netlists.h"

enum { INPUTS = 8, FLOPS = 6, GATES = 90 };

static void put(uint8_t *to, const struct gate_patterns *p, uint32_t pattern, uint32_t from,
                uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = p->word[(size_t)(pattern / 64) * p->sources + from + i] >> pattern % 64 & 1;
}

/* Does the pattern observe a difference of the two? */
static bool observed(const struct naive *good, const struct naive *bad,
                     const struct gate_patterns *p, uint32_t pattern, uint32_t watched)
{
    for (uint32_t i = 0; i < watched; i++)
        if (good->watched[i] != bad->watched[i] &&
            (!p->strobe || p->strobe[(size_t)(pattern / 64) * p->watched + i] >> pattern % 64 & 1))
            return true;
    return false;
}

static void end_cycle(struct naive *m, bool hold)
{
    uint8_t kept[FLOPS];
    memcpy(kept, m->flop, m->n->flops);
    naive_clock(m);
    if (hold)
        memcpy(m->flop, kept, m->n->flops);
}

/* One machine with the fault and one without, pattern by pattern. */
static struct gate_found naive_found(const struct gate_netlist *n, enum gate_model model,
                                     uint32_t fault, const struct gate_patterns *p, bool scan)
{
    struct naive good = naive_new(n, model, UINT32_MAX), bad = naive_new(n, model, fault);
    struct gate_found found = {GATE_NEVER, 0, GATE_NEVER};
    uint32_t watched = n->outputs + (scan ? n->flops : 0);
    uint8_t *input = fl_alloc(n->inputs);
    for (uint32_t k = 0; k < p->count; k++) {
        put(input, p, k, 0, n->inputs);
        if (scan) { /* the pattern before it, without a fault's past, then the pattern itself */
            if (k) {
                bad.first = true;
                put(bad.flop, p, k - 1, n->inputs, n->flops);
                put(input, p, k - 1, 0, n->inputs);
                naive_eval(&bad, input);
                bad.last = bad.now;
                bad.first = false;
                put(input, p, k, 0, n->inputs);
            }
            put(good.flop, p, k, n->inputs, n->flops);
            put(bad.flop, p, k, n->inputs, n->flops);
        }
        naive_eval(&good, input);
        naive_eval(&bad, input);
        if (observed(&good, &bad, p, k, watched)) {
            found.times++;
            if (found.first == GATE_NEVER)
                found.first = k;
        }
        if (!scan) {
            end_cycle(&good, gate_patterns_hold(p, k));
            end_cycle(&bad, gate_patterns_hold(p, k));
        }
    }
    free(input);
    naive_free(&good);
    naive_free(&bad);
    return found;
}

/* Each output of a pattern is observed in a quarter of them, and half of the clock edges are there. */
static void add_strobes(struct gate_patterns *p, uint32_t watched, uint64_t seed)
{
    size_t words = (p->count + 63) / 64;
    p->watched = watched;
    p->strobe = fl_alloc(words * watched * sizeof *p->strobe);
    p->hold = fl_alloc(words * sizeof *p->hold);
    for (size_t i = 0; i < words * watched; i++)
        p->strobe[i] = fl_random(&seed) & fl_random(&seed);
    for (size_t i = 0; i < words; i++)
        p->hold[i] = fl_random(&seed);
}

static void check_cover(enum gate_model model, bool scan, bool strobes, uint64_t seed)
{
    static const int width[] = {64, 128, 256, 512};
    struct gate_netlist *n = netlists_random(seed, INPUTS, GATES, FLOPS);
    struct gate_faults *f = gate_faults_new(n, model);
    uint32_t count = scan ? (check_few() ? 90 : 400) : (check_few() ? 90 : 200);
    struct gate_patterns p = gate_patterns_random(n->inputs + (scan ? n->flops : 0), count, seed);
    if (strobes)
        add_strobes(&p, n->outputs + (scan ? n->flops : 0), seed);
    struct gate_found *want = fl_alloc(f->count * sizeof *want),
                      *have = fl_alloc(f->count * sizeof *have);
    int wrong = 0, found = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        want[i] = naive_found(n, model, f->fault[i], &p, scan);
        found += want[i].times > 0;
    }
    CU_ASSERT(found > 20 && found < (int)f->count);
    for (int e = GATE_BY_PATTERNS; e <= GATE_MIXED; e++)
        for (int k = 0; k < 8 && scan == (e == GATE_BY_PATTERNS); k++) {
            bool drop = k & 1;
            gate_cover(n, f, &p, (struct gate_cover){(enum gate_engine)e, width[k / 2], drop},
                       have);
            for (uint32_t i = 0; i < f->count; i++)
                wrong += have[i].first != want[i].first ||
                         have[i].times != (drop ? want[i].times > 0 : want[i].times);
        }
    CU_ASSERT_EQUAL(wrong, 0);
    free(want);
    free(have);
    gate_patterns_free(&p);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void patterns_side_by_side_find_what_one_after_the_other_does(void)
{
    for (uint64_t seed = 1; seed <= (check_few() ? 1 : 3); seed++) {
        check_cover(GATE_STUCK, true, false, seed);
        check_cover(GATE_TRANSITION, true, false, 50 + seed);
    }
}

static void cycles_from_the_reset_find_what_one_machine_does(void)
{
    for (uint64_t seed = 1; seed <= (check_few() ? 2 : 4); seed++) {
        check_cover(GATE_STUCK, false, false, 100 + seed);
        check_cover(GATE_TRANSITION, false, false, 150 + seed);
    }
}

static void only_what_a_strobe_observes_detects_a_fault(void)
{
    for (uint64_t seed = 1; seed <= (check_few() ? 1 : 3); seed++)
        for (int model = GATE_STUCK; model <= GATE_TRANSITION; model++) {
            check_cover((enum gate_model)model, true, true, 200 + seed);
            check_cover((enum gate_model)model, false, true, 250 + seed);
        }
}

static void a_part_of_a_list_is_found_as_in_the_whole(void)
{
    struct gate_netlist *n = netlists_random(7, INPUTS, GATES, FLOPS);
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    struct gate_patterns p = gate_patterns_random(n->inputs, 100, 3);
    struct gate_found *whole = fl_alloc(f->count * sizeof *whole), one;
    struct gate_cover how = {GATE_MIXED, 64, true};
    int wrong = 0;
    gate_cover(n, f, &p, how, whole);
    for (uint32_t c = 0; c < f->count; c += 7) {
        struct gate_faults *part = gate_faults_of(f, f->fault[c]);
        CU_ASSERT_FATAL(part->count == 1);
        gate_cover(n, part, &p, how, &one);
        wrong += one.first != whole[c].first || one.times != whole[c].times;
        gate_faults_free(part);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(whole);
    gate_patterns_free(&p);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void more_patterns_of_a_seed_begin_with_the_fewer(void)
{
    struct gate_patterns few = gate_patterns_random(5, 70, 9),
                         many = gate_patterns_random(5, 300, 9);
    CU_ASSERT(memcmp(few.word, many.word, 2 * 5 * sizeof *few.word) == 0);
    gate_patterns_free(&few);
    gate_patterns_free(&many);
}

int main(void)
{
    return CHECK_RUN("gate_cover", CHECK(patterns_side_by_side_find_what_one_after_the_other_does),
                     CHECK(cycles_from_the_reset_find_what_one_machine_does),
                     CHECK(only_what_a_strobe_observes_detects_a_fault),
                     CHECK(a_part_of_a_list_is_found_as_in_the_whole),
                     CHECK(more_patterns_of_a_seed_begin_with_the_fewer));
}
