/* test_gate_sim.c -- each simulator against an evaluator of one fault and one pattern. */
#include <string.h>

#include "base/random.h"
#include "gate/sim.h"
#include "tests/lib/check.h"
#include "netlists.h"

enum { INPUTS = 9, GATES = 120, FLOPS = 7, MOST = 512 };
static const int widths[] = {64, 128, 256, 512};

/* Random bits for n sources, `words` each. */
static void fill(uint64_t *to, uint32_t n, int words, uint64_t *seed)
{
    for (uint32_t i = 0; i < n * (uint32_t)words; i++)
        to[i] = fl_random(seed);
}

static uint8_t bit(const uint64_t *words, int i)
{
    return words[i / 64] >> i % 64 & 1;
}

/* The sources of pattern i into a machine. */
static void put_sources(struct naive *m, const uint64_t *source, int words, int i)
{
    uint8_t input[INPUTS];
    for (uint32_t k = 0; k < m->n->inputs; k++)
        input[k] = bit(source + k * (uint32_t)words, i);
    for (uint32_t f = 0; f < m->n->flops; f++)
        m->flop[f] = bit(source + (m->n->inputs + f) * (uint32_t)words, i);
    naive_eval(m, input);
}

static struct gate_netlist *random_netlist(uint64_t seed)
{
    return netlists_random(seed, INPUTS, GATES, FLOPS);
}

/* One fault in all patterns, and what gate_sim_fault says of it. */
static bool same_diffs(const struct gate_netlist *n, enum gate_model model, uint32_t fault,
                       const uint64_t *first, const uint64_t *source, int words, int count,
                       const struct gate_diff *diff, int diffs)
{
    struct naive good = naive_new(n, model, UINT32_MAX), bad = naive_new(n, model, fault);
    bool same = true;
    for (int i = 0; i < count && same; i++) {
        good.first = bad.first = true;
        if (first) {
            put_sources(&bad, first, words, i);
            bad.last = bad.now;
            bad.first = false;
        }
        put_sources(&good, source, words, i);
        put_sources(&bad, source, words, i);
        for (uint32_t w = 0; w < n->outputs + n->flops; w++) {
            bool differs = false;
            for (int d = 0; d < diffs; d++)
                differs |= diff[d].watched == w && bit(diff[d].mask, i);
            same &= differs == (good.watched[w] != bad.watched[w]);
        }
    }
    for (int d = 0; d < diffs; d++)
        for (int i = count; i < 64 * words; i++)
            same &= !bit(diff[d].mask, i);
    naive_free(&good);
    naive_free(&bad);
    return same;
}

/* Frees the netlist. */
static void check_patterns(struct gate_netlist *n, enum gate_model model, int width, uint64_t seed)
{
    struct gate_faults *f = gate_faults_new(n, model);
    struct gate_sim *s = gate_sim_new(n, width);
    static uint64_t first[(INPUTS + FLOPS) * MOST / 64], source[(INPUTS + FLOPS) * MOST / 64];
    int words = width / 64, count = width - (int)(seed % 7), wrong = 0, shown = 0;
    fill(first, n->inputs + n->flops, words, &seed);
    fill(source, n->inputs + n->flops, words, &seed);
    if (model == GATE_TRANSITION) {
        gate_sim_load(s, first, count);
        gate_sim_load_second(s, source, count);
    } else {
        gate_sim_load(s, source, count);
    }
    gate_sim_order(s, f->fault, f->count);
    for (uint32_t i = 0; i < f->count; i += check_few() ? 17 : 3) {
        const struct gate_diff *diff;
        int diffs = gate_sim_fault(s, model, f->fault[i], &diff);
        wrong += !same_diffs(n, model, f->fault[i], model == GATE_TRANSITION ? first : NULL, source,
                             words, count, diff, diffs);
        shown += diffs > 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(shown > (check_few() ? 5 : 30));
    gate_sim_free(s);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void many_patterns_find_what_one_finds(void)
{
    for (int w = 0; w < 4; w++)
        for (uint64_t seed = 1; seed <= (check_few() ? 3 : 6); seed++)
            check_patterns(random_netlist(seed), GATE_STUCK, widths[w], seed);
}

static void pairs_of_patterns_find_slow_nets(void)
{
    for (int w = 0; w < 4; w++)
        for (uint64_t seed = 1; seed <= (check_few() ? 2 : 4); seed++)
            check_patterns(random_netlist(100 + seed), GATE_TRANSITION, widths[w], 100 + seed);
}

/* Outputs that a fault can change say the same in a group that looks at them alone; the others never change. */
static void check_focus(struct gate_netlist *n, uint64_t seed)
{
    enum { FEW = 4, CYCLES = 8 };
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    struct gate_group *all = gate_group_new(n, 64), *some = gate_group_new(n, 64);
    uint32_t count, wrong = 0, left_out = 0;
    for (uint32_t from = 0; from + FEW <= f->count; from += FEW) {
        gate_group_set(all, GATE_STUCK, f->fault + from, FEW);
        gate_group_set(some, GATE_STUCK, f->fault + from, FEW);
        const uint32_t lowest = from % n->outputs, end = from & 1 << 2 ? n->outputs : lowest + 1;
        gate_group_focus(some, lowest, end);
        const uint32_t *output = gate_group_changeable(some, &count);
        for (int c = 0; c < CYCLES; c++) {
            uint64_t input = fl_random(&seed);
            gate_group_eval(all, &input);
            gate_group_eval(some, &input);
            for (uint32_t o = lowest, i = 0; o < end; o++) {
                const uint64_t is = *gate_group_watched(all, o);
                if (i < count && output[i] == o)
                    wrong += *gate_group_watched(some, output[i++]) != is;
                else
                    wrong += is != 0 && is != UINT64_MAX;
            }
        }
        left_out += end - lowest - count;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(left_out > 0);
    gate_group_set(some, GATE_STUCK, f->fault, FEW);
    gate_group_changeable(some, &count);
    CU_ASSERT_EQUAL(count, n->outputs); /* until the next set */
    gate_group_free(all);
    gate_group_free(some);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void a_group_that_looks_at_its_cone_alone_says_the_same(void)
{
    for (uint64_t seed = 1; seed <= 4; seed++)
        check_focus(netlists_random(200 + seed, INPUTS, GATES, 0), seed);
}

/* A group of faults over some cycles, from the reset. `each`: with inputs of their own, one bit without a fault. */
static void check_group(struct gate_netlist *n, enum gate_model model, int width, bool each,
                        uint64_t seed)
{
    enum { CYCLES = 12 };
    struct gate_faults *f = gate_faults_new(n, model);
    struct gate_group *g = gate_group_new(n, width);
    uint32_t count = f->count < (uint32_t)width ? f->count : (uint32_t)width - (uint32_t)(seed % 3);
    uint32_t from = (uint32_t)(fl_random(&seed) % (f->count - count + 1));
    uint64_t input[CYCLES];
    int wrong = 0, shown = 0;
    fill(input, CYCLES, 1, &seed);
    if (each)
        f->fault[from + count / 2] = GATE_NO_FAULT;
    gate_group_set(g, model, f->fault + from, count);
    struct naive *m = fl_alloc((count + 1) * sizeof *m);
    uint64_t *own = fl_alloc((count + 1) * sizeof *own),
             *source = fl_alloc(INPUTS * (size_t)width / 8);
    for (uint32_t i = 0; i <= count; i++)
        m[i] = naive_new(n, model, i < count ? f->fault[from + i] : UINT32_MAX);
    for (int c = 0; c < CYCLES; c++) {
        memset(source, 0, INPUTS * (size_t)width / 8);
        for (uint32_t i = 0; i <= count; i++) {
            own[i] = each ? fl_random_mix(input[c] + i) : input[c];
            for (int p = 0; p < INPUTS && i < (uint32_t)width; p++)
                source[p * width / 64 + (int)i / 64] |= (own[i] >> p & 1) << i % 64;
        }
        if (each)
            gate_group_eval_each(g, source);
        else
            gate_group_eval(g, &input[c]);
        for (uint32_t i = 0; i <= count; i++) {
            uint8_t bytes[INPUTS];
            for (int p = 0; p < INPUTS; p++)
                bytes[p] = own[i] >> p & 1;
            naive_eval(&m[i], bytes);
            for (uint32_t w = 0; w < n->outputs + n->flops && i < (uint32_t)width; w++) {
                wrong += bit(gate_group_watched(g, w), (int)i) != m[i].watched[w];
                shown += m[i].watched[w] != m[0].watched[w];
            }
            naive_clock(&m[i]);
        }
        gate_group_clock(g);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(shown > 0);
    for (uint32_t i = 0; i <= count; i++)
        naive_free(&m[i]);
    free(m);
    free(own);
    free(source);
    gate_group_free(g);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void many_faults_do_what_one_does(void)
{
    for (int w = 0; w < 4; w++)
        for (uint64_t seed = 1; seed <= (check_few() ? 3 : 6); seed++) {
            check_group(random_netlist(200 + seed), GATE_STUCK, widths[w], false, 200 + seed);
            check_group(random_netlist(300 + seed), GATE_TRANSITION, widths[w], false, 300 + seed);
        }
}

static void many_faults_with_inputs_of_their_own_do_what_one_does(void)
{
    for (int w = 0; w < 4; w++)
        for (uint64_t seed = 1; seed <= (check_few() ? 2 : 4); seed++)
            check_group(random_netlist(500 + seed), GATE_STUCK, widths[w], true, 500 + seed);
}

/* Gates of 74 to 85 inputs, each of three nets again and again: so most faults of AND and OR do nothing, and 64 in a row may. */
static void gates_of_many_inputs_do_what_one_evaluation_does(void)
{
    static const char *const function[] = {"AND", "XOR", "NAND", "XNOR",
                                           "OR",  "XOR", "NOR",  "XNOR"};
    struct fl_buf b = {0};
    uint64_t seed = 1;
    for (int i = 0; i < INPUTS; i++)
        fl_buf_printf(&b, "INPUT(x%d)\n", i);
    for (int i = INPUTS; i < INPUTS + 12; i++) {
        uint32_t from = (uint32_t)(fl_random(&seed) % (uint32_t)(i - 2)), pins = 65 + (uint32_t)i;
        fl_buf_printf(&b, "OUTPUT(x%d)\nx%d = %s(x%u", i, i, function[i % 8], from);
        for (uint32_t p = 1; p < pins; p++)
            fl_buf_printf(&b, ", x%u", from + (uint32_t)(fl_random(&seed) % 3));
        fl_buf_printf(&b, ")\n");
    }
    for (int w = 0; w < 4; w++) {
        check_patterns(netlists_read("x.bench", (char *)b.data), GATE_STUCK, widths[w], 1);
        if (widths[w] > 64)
            check_group(netlists_read("x.bench", (char *)b.data), GATE_STUCK, widths[w], false, 2);
    }
    fl_buf_free(&b);
}

/* Two faults of a class differ in nothing, from the reset on. */
static void faults_of_a_class_are_one(void)
{
    enum { CYCLES = 200 };
    int wrong = 0, pairs = 0;
    for (int k = 0; k < (check_few() ? 2 : 12); k++) {
        uint64_t seed = 400 + (uint64_t)k;
        enum gate_model model = k & 1 ? GATE_TRANSITION : GATE_STUCK;
        struct gate_netlist *n = netlists_random(seed, INPUTS, GATES, FLOPS);
        struct gate_faults *f = gate_faults_new(n, model);
        for (uint32_t i = 0; i < f->all; i += check_few() ? 3 : 1) {
            uint32_t other = f->fault[f->class_of[i]];
            if (other == i)
                continue;
            struct naive a = naive_new(n, model, i), b = naive_new(n, model, other);
            for (int c = 0; c < CYCLES; c++) {
                uint8_t input[INPUTS];
                uint64_t bits = fl_random(&seed);
                for (int p = 0; p < INPUTS; p++)
                    input[p] = bits >> p & 1;
                naive_eval(&a, input);
                naive_eval(&b, input);
                wrong += memcmp(a.watched, b.watched, n->outputs) != 0;
                naive_clock(&a);
                naive_clock(&b);
            }
            pairs++;
            naive_free(&a);
            naive_free(&b);
        }
        gate_faults_free(f);
        gate_netlist_free(n);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(pairs > 100);
}

/* Each gate reads the net before it twice, so that each net is a stem. */
static void a_chain_may_be_as_long_as_the_netlist(void)
{
    enum { LONG = 60000 };
    struct fl_buf text = {0};
    fl_buf_printf(&text, ".inputs x0\n.outputs x%d\n", LONG);
    for (int i = 0; i < LONG; i++)
        fl_buf_printf(&text, ".names x%d x%d x%d\n11 0\n", i, i, i + 1);
    fl_buf_printf(&text, ".end\n");
    struct gate_netlist *n = netlists_read("chain.blif", (const char *)text.data);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        struct gate_sim *s = gate_sim_new(n, widths[w]);
        uint64_t source[MOST / 64] = {2};
        uint32_t fault[2] = {GATE_FAULT(0, 0), GATE_FAULT(0, 1)};
        struct gate_hit hit[2];
        gate_sim_load(s, source, 3); /* 0, 1, 0 */
        gate_sim_detect(s, GATE_STUCK, fault, 2, hit);
        CU_ASSERT(hit[0].first == 1 && hit[0].times == 1 && hit[1].first == 0 && hit[1].times == 2);
        gate_sim_free(s);
    }
    gate_netlist_free(n);
    fl_buf_free(&text);
}

int main(void)
{
    return CHECK_RUN(
        "gate_sim", CHECK(a_chain_may_be_as_long_as_the_netlist),
        CHECK(many_patterns_find_what_one_finds), CHECK(pairs_of_patterns_find_slow_nets),
        CHECK(a_group_that_looks_at_its_cone_alone_says_the_same),
        CHECK(many_faults_do_what_one_does),
        CHECK(many_faults_with_inputs_of_their_own_do_what_one_does),
        CHECK(gates_of_many_inputs_do_what_one_evaluation_does), CHECK(faults_of_a_class_are_one));
}
