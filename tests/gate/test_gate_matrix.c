/* test_gate_matrix.c -- which pattern shows which fault at which port, against one fault and one pattern at a time. */
#include <string.h>

#include "gate/prove/matrix.h"
#include "netlists.h"
#include "tests/lib/check.h"

enum { INPUTS = 6, PATTERNS = 100 };

static struct gate_netlist *two_ports(void)
{
    return netlists_read("x.blif", ".inputs a b c d e f\n.outputs y[0] y[1] z\n"
                                   ".names a b g\n11 1\n.names g c y[0]\n1- 1\n-1 1\n"
                                   ".names g d e y[1]\n110 1\n.names g f z\n10 1\n01 1\n");
}

static uint8_t bit(const struct gate_patterns *p, uint32_t pattern, uint32_t source)
{
    return p->word[pattern / 64 * p->sources + source] >> pattern % 64 & 1;
}

static void load(const struct gate_patterns *p, uint32_t pattern, uint8_t input[INPUTS])
{
    for (uint32_t i = 0; i < INPUTS; i++)
        input[i] = bit(p, pattern, i);
}

/* Whether the pattern, behind the one before it, shows the fault at an output of the port. */
static bool shows(const struct gate_netlist *n, enum gate_model model, uint32_t fault,
                  const struct gate_patterns *p, uint32_t pattern, const struct gate_ports *ports,
                  uint32_t port)
{
    struct naive good = naive_new(n, model, UINT32_MAX), bad = naive_new(n, model, fault);
    uint8_t input[INPUTS];
    bool differs = false;
    load(p, pattern ? pattern - 1 : 0, input);
    if (model == GATE_TRANSITION) {
        naive_eval(&bad, input);
        bad.last = bad.now;
        bad.first = false;
    }
    load(p, pattern, input);
    naive_eval(&good, input);
    naive_eval(&bad, input);
    for (uint32_t o = 0; o < n->outputs; o++)
        differs |= ports->of[o] == port && good.watched[o] != bad.watched[o];
    naive_free(&good);
    naive_free(&bad);
    return differs;
}

static void a_bit_is_set_where_the_pattern_shows_the_fault_at_the_port(void)
{
    struct gate_netlist *n = two_ports();
    struct gate_patterns p = gate_patterns_random(INPUTS, PATTERNS, 3);
    struct gate_ports ports = gate_ports_of(n);
    CU_ASSERT_EQUAL_FATAL(ports.count, 2);
    CU_ASSERT_STRING_EQUAL(ports.name[0], "y");
    CU_ASSERT_STRING_EQUAL(ports.name[1], "z");
    for (int model = GATE_STUCK; model <= GATE_TRANSITION; model++) {
        struct gate_faults *f = gate_faults_new(n, (enum gate_model)model);
        uint64_t *m = gate_matrix(n, f, &p, &ports, NULL);
        int wrong = 0, set = 0;
        for (uint32_t i = 0; i < f->count; i++)
            for (uint32_t k = 0; k < ports.count; k++)
                for (uint32_t t = 0; t < PATTERNS; t++) {
                    bool is = m[(i * ports.count + k) * 2 + t / 64] >> t % 64 & 1;
                    wrong += is != shows(n, (enum gate_model)model, f->fault[i], &p, t, &ports, k);
                    set += is;
                }
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT(set > 100);
        free(m);
        gate_faults_free(f);
    }
    gate_ports_free(&ports);
    gate_patterns_free(&p);
    gate_netlist_free(n);
}

static void a_port_that_is_not_watched_shows_nothing(void)
{
    struct gate_netlist *n = two_ports();
    struct gate_patterns p = gate_patterns_random(INPUTS, PATTERNS, 3);
    struct gate_ports ports = gate_ports_of(n);
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    struct gate_constraints *c = NULL;
    struct fl_err err = {""};
    CU_ASSERT_EQUAL_FATAL(gate_constraints_text("c", "watch y[1:0] when f\n", n, &c, &err), 0);
    uint64_t *all = gate_matrix(n, f, &p, &ports, NULL), *some = gate_matrix(n, f, &p, &ports, c);
    for (uint32_t i = 0; i < f->count; i++)
        for (uint32_t t = 0; t < PATTERNS; t++) {
            uint32_t y = i * 4 + t / 64, z = y + 2;
            CU_ASSERT_EQUAL(some[y] >> t % 64 & 1, all[y] >> t % 64 & bit(&p, t, 5));
            CU_ASSERT_EQUAL(some[z] >> t % 64 & 1, all[z] >> t % 64 & 1);
        }
    free(all);
    free(some);
    gate_constraints_free(c);
    gate_faults_free(f);
    gate_ports_free(&ports);
    gate_patterns_free(&p);
    gate_netlist_free(n);
}

int main(void)
{
    return CHECK_RUN("gate_matrix",
                     CHECK(a_bit_is_set_where_the_pattern_shows_the_fault_at_the_port),
                     CHECK(a_port_that_is_not_watched_shows_nothing));
}
