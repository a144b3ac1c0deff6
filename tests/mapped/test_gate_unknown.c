/* test_gate_unknown.c -- unknown states at power-up: a fault counts as detected where it is whatever flip-flops hold, and engines
 * agree. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "gate/tester/formats.h"
#include "gate/unknown.h"
#include "mapped_cells.h"
#include "tests/gate/netlists.h"
#include "tests/lib/check.h"

enum { PATTERNS = 100 };

static struct gate_netlist *random_netlist(uint64_t seed)
{
    struct fl_buf text = {0};
    char name[32];
    mapped_random(seed, -1, 0, &text, name);
    struct gate_netlist *n = mapped_read((const char *)text.data);
    fl_buf_free(&text);
    return n;
}

static struct gate_found *cover(const struct gate_netlist *n, const struct gate_faults *f,
                                const struct gate_patterns *p, enum gate_engine engine, bool drop)
{
    struct gate_found *found = fl_alloc(f->count * sizeof *found);
    gate_cover(n, f, p, (struct gate_cover){engine, 256, drop}, found);
    return found;
}

static uint8_t pattern_bit(const struct gate_patterns *p, uint32_t c, uint32_t i)
{
    return p->word[(size_t)(c / 64) * p->sources + i] >> c % 64 & 1;
}

/* The outputs of all cycles from these values of the flip-flops. */
static uint8_t *run(const struct gate_netlist *n, enum gate_model model, uint32_t fault,
                    const struct gate_patterns *p, uint32_t state)
{
    struct naive m = naive_new(n, model, fault);
    uint8_t *out = fl_alloc(p->count * n->outputs), input[MAPPED_INPUTS];
    for (uint32_t f = 0; f < n->flops; f++)
        m.flop[f] = state >> f & 1;
    for (uint32_t c = 0; c < p->count; c++) {
        for (uint32_t i = 0; i < n->inputs; i++)
            input[i] = pattern_bit(p, c, i);
        naive_eval(&m, input);
        memcpy(out + c * n->outputs, m.watched, n->outputs);
        naive_clock(&m);
    }
    naive_free(&m);
    return out;
}

/* The first pattern at which, from each of the states, an output of the good machine has one value and that of the faulty machine the
 * other: three values may find it later, as they know less, never earlier. */
static uint32_t first_for_all(const struct gate_netlist *n, const uint8_t *const *good,
                              uint8_t *const *bad, uint32_t states)
{
    for (uint32_t at = 0; at < PATTERNS * n->outputs; at++) {
        bool sure = true;
        for (uint32_t s = 0; s < states && sure; s++)
            sure = good[s][at] == good[0][at] && bad[s][at] != good[0][at];
        if (sure)
            return at / n->outputs;
    }
    return GATE_NEVER;
}

static void a_detected_fault_is_detected_from_every_state(void)
{
    uint32_t detected = 0, exact = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct gate_netlist *n = random_netlist(seed);
        uint32_t states = 1u << (n->flops < 8 ? n->flops : 8);
        struct gate_patterns p = gate_patterns_random(n->inputs, PATTERNS, seed);
        for (int model = 0; model < 2; model++) {
            struct gate_faults *f = gate_faults_new(n, (enum gate_model)model);
            struct gate_found *found = cover(n, f, &p, GATE_BY_FAULTS, true);
            uint8_t *good[256], *bad[256];
            for (uint32_t s = 0; s < states; s++)
                good[s] = run(n, f->model, UINT32_MAX, &p, s);
            for (uint32_t c = 0; c < f->count; c += SANITIZED ? 7 : 1) {
                bool stops = n->stops[GATE_SITE(f->fault[c])];
                uint32_t fault = stops ? f->fault[c] & ~1u : f->fault[c];
                for (uint32_t s = 0; s < states; s++)
                    bad[s] = run(n, f->model, fault, &p, s);
                uint32_t first = first_for_all(n, (const uint8_t *const *)good, bad, states);
                CU_ASSERT(found[c].first >= first);
                detected += found[c].times;
                exact += found[c].first == first;
                for (uint32_t s = 0; s < states; s++)
                    free(bad[s]);
            }
            for (uint32_t s = 0; s < states; s++)
                free(good[s]);
            free(found);
            gate_faults_free(f);
        }
        gate_patterns_free(&p);
        gate_netlist_free(n);
    }
    CU_ASSERT(detected > 50 && exact > detected / 2);
}

/* Also where the good machine is known, and two values go on, in the middle of a word of patterns; and with cycles without a clock
 * edge. */
static void mixed_finds_what_faults_find(void)
{
    int inside = 0;
    for (uint64_t seed = 1; seed <= (SANITIZED ? 10 : 40); seed++) {
        struct gate_netlist *n = random_netlist(seed);
        struct gate_patterns p = gate_patterns_random(n->inputs, 300, seed);
        struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
        uint64_t state = seed;
        p.hold = seed % 2 ? fl_alloc(5 * sizeof *p.hold) : NULL;
        for (int i = 0; i < 5 && p.hold; i++)
            p.hold[i] = fl_random(&state) & fl_random(&state);
        uint32_t known = gate_unknown_patterns(n, &p, 64);
        inside += known > 1 && known < 63;
        for (int drop = 0; drop < 2; drop++) {
            struct gate_found *a = cover(n, f, &p, GATE_BY_FAULTS, drop),
                              *b = cover(n, f, &p, GATE_MIXED, drop);
            for (uint32_t c = 0; c < f->count; c++) {
                CU_ASSERT(a[c].first == b[c].first && a[c].times == b[c].times);
                CU_ASSERT(a[c].times || a[c].possible == b[c].possible);
            }
            free(a);
            free(b);
        }
        gate_faults_free(f);
        gate_patterns_free(&p);
        gate_netlist_free(n);
    }
    CU_ASSERT(inside > 3);
}

static void a_reset_makes_states_known(void)
{
    struct gate_netlist *n = mapped_read("module t (input ck, d, rn, output q, r); DFFRS a (.D(d), "
                                         ".CK(ck), .RN(rn), .SN(1'b1), .Q(q)); "
                                         "DFF b (.D(q), .CK(ck), .Q(r)); endmodule");
    /* d, rn: nothing is known, a reset, and it reaches the second flip-flop */
    uint64_t word[2] = {4 | 8, 1 | 4 | 8};
    struct gate_patterns p = {.count = 4, .sources = 2, .word = word};
    struct gate_unknowns u;
    word[1] = 1 | 8; /* rn 1, 0, 0, 1 */
    u = gate_unknowns_of(n, &p);
    CU_ASSERT(u.all == 8 && u.unknown == 3 && u.known_from == 2);
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    struct gate_found *found = cover(n, f, &p, GATE_MIXED, true);
    uint32_t fault;
    struct fl_err err;
    /* without its clock the second one stays unknown: possibly detected */
    CU_ASSERT_FATAL(gate_fault_parse(n, GATE_STUCK, "b/CK:sa0", &fault, &err) == 0);
    struct gate_found *x = &found[f->class_of[fault]];
    CU_ASSERT(x->possible == 2 && x->times == 0);
    CU_ASSERT_FATAL(gate_fault_parse(n, GATE_STUCK, "q:sa1", &fault, &err) == 0);
    x = &found[f->class_of[fault]];
    CU_ASSERT(x->first == 1 && x->times == 1);
    free(found);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void written_patterns_expect_nothing_unknown(void)
{
    struct gate_netlist *n = mapped_read(
        "module t (input ck, d, rn, output q); DFFRS a (.D(d), .CK(ck), "
        ".RN(rn), .SN(1'b1), .Q(q)); endmodule");
    uint64_t word[2] = {0, 1}; /* rn 1, 0, 0 */
    struct gate_patterns p = {.count = 3, .sources = 2, .word = word};
    struct fl_buf text = {0};
    struct fl_err err;
    CU_ASSERT_EQUAL_FATAL(gate_stil_print(n, &p, &text, &err), 0);
    fl_buf_add(&text, "", 1);
    CU_ASSERT(strstr((const char *)text.data, "\"pattern 0\": V { \"_pi\"=01; \"_po\"=X;") != NULL);
    CU_ASSERT(strstr((const char *)text.data, "\"pattern 1\": V { \"_pi\"=00; \"_po\"=L;") != NULL);
    fl_buf_free(&text);
    gate_netlist_free(n);
}

int main(void)
{
    return CHECK_RUN("gate_unknown", CHECK(a_detected_fault_is_detected_from_every_state),
                     CHECK(mixed_finds_what_faults_find), CHECK(a_reset_makes_states_known),
                     CHECK(written_patterns_expect_nothing_unknown));
}
