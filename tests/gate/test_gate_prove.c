/* test_gate_prove.c -- vectors and proofs against trying all inputs of small netlists. */
#include <string.h>

#include "base/random.h"
#include "gate/cover.h"
#include "gate/prove/prove.h"
#include "tests/lib/check.h"
#include "netlists.h"

enum { INPUTS = 5, FLOPS = 3, SOURCES = INPUTS + FLOPS, ALL = 1 << SOURCES };

static void spread(uint32_t bits, uint8_t source[SOURCES])
{
    for (int i = 0; i < SOURCES; i++)
        source[i] = bits >> i & 1;
}

static void eval(struct naive *m, const uint8_t source[SOURCES])
{
    memcpy(m->flop, source + INPUTS, FLOPS);
    naive_eval(m, source);
}

/* Does the vector (behind the one before it) detect the fault, where `watch` (or NULL) says that outputs are seen? */
static bool detects(const struct gate_netlist *n, enum gate_model model, uint32_t fault,
                    const uint8_t *before, const uint8_t *source,
                    const struct gate_constraints *watch)
{
    uint64_t word[SOURCES], *seen = fl_alloc(n->outputs * sizeof *seen);
    struct naive good = naive_new(n, model, UINT32_MAX), bad = naive_new(n, model, fault);
    if (model == GATE_TRANSITION) {
        eval(&bad, before);
        bad.last = bad.now;
        bad.first = false;
    }
    eval(&good, source);
    eval(&bad, source);
    bool differs = false;
    for (int i = 0; i < SOURCES; i++)
        word[i] = source[i];
    if (watch)
        gate_constraints_watched(watch, n->outputs, word, seen);
    for (uint32_t o = 0; o < n->outputs + n->flops; o++)
        differs |= good.watched[o] != bad.watched[o] && (!watch || o >= n->outputs || seen[o] & 1);
    free(seen);
    naive_free(&good);
    naive_free(&bad);
    return differs;
}

/* By any input that keeps to the constraints, as a pair whose first half sets the site so. */
static bool testable(const struct gate_netlist *n, enum gate_model model, uint32_t fault,
                     const struct gate_constraints *c, const struct gate_constraints *watch)
{
    uint8_t source[SOURCES];
    bool before = model == GATE_STUCK, found = false;
    struct naive good = naive_new(n, GATE_STUCK, UINT32_MAX);
    for (uint32_t v = 0; v < ALL && !(before && found); v++) {
        spread(v, source);
        if (c && gate_constraints_broken(c, source) >= 0)
            continue;
        eval(&good, source);
        before |= good.net[gate_site_net(n, GATE_SITE(fault))] == GATE_STUCK_AT(fault);
        found |= detects(n, GATE_STUCK, fault, NULL, source, watch);
    }
    naive_free(&good);
    return before && found;
}

static struct gate_constraints *constraints(const struct gate_netlist *n, const char *text)
{
    struct gate_constraints *c = NULL;
    struct fl_err err = {""};
    if (gate_constraints_text("c", text, n, &c, &err))
        fprintf(stderr, "%s\n", err.msg);
    CU_ASSERT_FATAL(c != NULL);
    return c;
}

static void check_prover(enum gate_model model, const char *relations, uint64_t seed,
                         int tally[GATE_VERDICTS])
{
    struct gate_netlist *n = netlists_random(seed, INPUTS, 30, FLOPS);
    struct gate_faults *f = gate_faults_new(n, model);
    struct gate_constraints *c = relations ? constraints(n, relations) : NULL;
    struct gate_prover *p;
    struct fl_err err;
    int wrong = 0;
    CU_ASSERT_FATAL(gate_prover_new(n, model, c, 0, &p, &err) == 0);
    for (uint32_t i = 0; i < f->count; i++) {
        uint8_t source[SOURCES], before[SOURCES];
        enum gate_verdict v = gate_prove(p, f->fault[i], source, before);
        bool any = testable(n, model, f->fault[i], NULL, NULL),
             kept = c ? testable(n, model, f->fault[i], c, NULL) : any,
             seen = c ? testable(n, model, f->fault[i], c, c) : kept;
        wrong += v != (seen   ? GATE_TESTABLE
                       : kept ? GATE_UNOBSERVABLE
                       : any  ? GATE_UNREACHABLE
                              : GATE_UNTESTABLE);
        if (v == GATE_TESTABLE) {
            wrong += !detects(n, model, f->fault[i], before, source, c);
            wrong += c && (gate_constraints_broken(c, source) >= 0 ||
                           gate_constraints_broken(c, before) >= 0);
        }
        tally[v]++;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    gate_prover_free(p);
    gate_constraints_free(c);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void untestable_is_what_no_input_detects(void)
{
    int tally[GATE_VERDICTS] = {0};
    for (uint64_t seed = 1; seed <= (check_few() ? 2 : 12); seed++) {
        check_prover(GATE_STUCK, NULL, seed, tally);
        check_prover(GATE_TRANSITION, NULL, 40 + seed, tally);
    }
    CU_ASSERT(tally[GATE_TESTABLE] > 100 && tally[GATE_UNTESTABLE] > 50);
    CU_ASSERT(tally[GATE_UNREACHABLE] == 0 && tally[GATE_UNDECIDED] == 0);
}

static void constraints_forbid_vectors_and_nothing_else(void)
{
    static const char *const relations[] = {"x0 -> x1\nx2 ^ x3 ^ x4\n", "x0 & !x1 | x5 = x6\n",
                                            "x0 = 1\nx1 = 0 # why\n\n!(x2 & x3)\n"};
    int tally[GATE_VERDICTS] = {0};
    for (uint64_t seed = 1; seed <= (check_few() ? 3 : 12); seed++)
        check_prover(seed & 1 ? GATE_STUCK : GATE_TRANSITION, relations[seed % 3], 80 + seed,
                     tally);
    CU_ASSERT(tally[GATE_TESTABLE] > 50 && tally[GATE_UNTESTABLE] > 20);
    CU_ASSERT(tally[GATE_UNREACHABLE] > 10 && tally[GATE_UNDECIDED] == 0);
}

enum { MADE_OF = 4 }; /* inputs of a netlist that makes inputs */

/* Whether the maker gives this vector to the sources that have its outputs' numbers. */
static bool makes(const struct gate_netlist *maker, const uint8_t source[SOURCES])
{
    bool found = false;
    struct naive m = naive_new(maker, GATE_STUCK, UINT32_MAX);
    for (uint32_t v = 0; v < 1u << MADE_OF && !found; v++) {
        uint8_t in[MADE_OF] = {v & 1, v >> 1 & 1, v >> 2 & 1, v >> 3 & 1};
        naive_eval(&m, in);
        found = true;
        for (uint32_t o = 0; o < maker->outputs && o < SOURCES; o++)
            found &= m.watched[o] == source[o];
    }
    naive_free(&m);
    return found;
}

static void check_maker(uint64_t seed, int tally[GATE_VERDICTS])
{
    struct fl_err err = {""};
    struct gate_netlist *n = netlists_random(seed, INPUTS, 30, FLOPS), *maker = NULL;
    struct fl_buf text = netlists_random_text(seed + 1000, MADE_OF, 20, 0), c = {0};
    char *path = fl_format("%s/maker.blif", FAULTLINE_BUILD_DIR);
    CU_ASSERT_EQUAL_FATAL(fl_write_file(path, text.data, text.size, &err), 0);
    CU_ASSERT_EQUAL_FATAL(gate_read(path, &maker, &err), 0);
    fl_buf_printf(&c, "use %s\n", path);
    for (uint32_t o = 0; o < maker->outputs && o < SOURCES; o++)
        fl_buf_printf(&c, "x%u = maker.%s\n", o, maker->output_name[o]);
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    struct gate_constraints *made = constraints(n, (const char *)c.data);
    struct gate_patterns p;
    uint8_t *verdict = fl_alloc(f->count), source[SOURCES];
    uint32_t *vector = fl_alloc(f->count * sizeof *vector);
    CU_ASSERT_EQUAL_FATAL(
        gate_prove_all(n, f, made, NULL, 0, seed, verdict, vector, &p, NULL, &err), 0);
    for (uint32_t i = 0; i < f->count; i++) {
        enum gate_verdict is = GATE_UNTESTABLE;
        for (uint32_t v = 0; v < ALL && is != GATE_TESTABLE; v++) {
            spread(v, source);
            if (detects(n, GATE_STUCK, f->fault[i], source, source, NULL))
                is = makes(maker, source) ? GATE_TESTABLE : GATE_UNREACHABLE;
        }
        CU_ASSERT_EQUAL(verdict[i], is);
        tally[is]++;
    }
    free(verdict);
    free(vector);
    free(path);
    gate_patterns_free(&p);
    gate_constraints_free(made);
    gate_faults_free(f);
    gate_netlist_free(maker);
    gate_netlist_free(n);
    fl_buf_free(&text);
    fl_buf_free(&c);
}

#define NEXT      FAULTLINE_BUILD_DIR "/next.blif"
#define NEXT_TEXT ".inputs p q\n.outputs s\n.names p q s\n11 1\n"
#define FLOP      FAULTLINE_BUILD_DIR "/flop.blif"
#define FLOP_TEXT ".inputs p\n.outputs s\n.latch p s 0\n"

/* ---- a netlist that outputs go into ----------------------------------------------------------- */

enum { DRIVEN = 2, FREE = MADE_OF - DRIVEN, WHOLE = SOURCES + FREE };

struct joined {
    struct gate_netlist *first, *next;
    uint32_t fault;
};

/* What the outside sees of both with a fault in the first: `seen[k]`, first the first one's outputs and flip-flops. */
static void eval_joined(const struct joined *j, const uint8_t *source, uint8_t *seen)
{
    struct naive a = naive_new(j->first, GATE_STUCK, j->fault),
                 b = naive_new(j->next, GATE_STUCK, UINT32_MAX);
    uint8_t in[MADE_OF];
    uint32_t outs = j->first->outputs + j->first->flops;
    eval(&a, source);
    for (int i = 0; i < MADE_OF; i++)
        in[i] = i < DRIVEN ? a.watched[i] : source[SOURCES + i - DRIVEN];
    naive_eval(&b, in);
    memcpy(seen, a.watched, outs);
    memcpy(seen + outs, b.watched, j->next->outputs);
    naive_free(&a);
    naive_free(&b);
}

/* The verdict on a fault under: the next one's output 0 = x0; its output 1 is watched when the first one's output 0 is 1. What drives
 * something is not watched. */
static enum gate_verdict verdict_of(struct joined *j, uint32_t fault)
{
    uint32_t outs = j->first->outputs + j->first->flops, all = outs + j->next->outputs;
    uint8_t *good = fl_alloc(all), *bad = fl_alloc(all), source[WHOLE];
    enum gate_verdict is = GATE_UNTESTABLE;
    for (uint32_t v = 0; v < 1u << WHOLE && is != GATE_TESTABLE; v++) {
        bool any = false, seen = false;
        for (int i = 0; i < WHOLE; i++)
            source[i] = v >> i & 1;
        j->fault = UINT32_MAX;
        eval_joined(j, source, good);
        j->fault = fault;
        eval_joined(j, source, bad);
        for (uint32_t k = 0; k < all; k++)
            if (k >= DRIVEN && good[k] != bad[k]) {
                any = true;
                seen |= k != outs + 1 || good[0];
            }
        bool kept = good[outs] == source[0];
        if (any && kept && seen)
            is = GATE_TESTABLE;
        else if (any && kept)
            is = GATE_UNOBSERVABLE;
        else if (any && is == GATE_UNTESTABLE)
            is = GATE_UNREACHABLE;
    }
    free(good);
    free(bad);
    return is;
}

/* The first two outputs, where a file may name one twice. */
static bool differ(const struct gate_netlist *n)
{
    return n->outputs > 1 && strcmp(n->output_name[0], n->output_name[1]) != 0;
}

static void check_joined(uint64_t seed, int tally[GATE_VERDICTS])
{
    struct fl_err err = {""};
    struct joined j = {netlists_random(seed, INPUTS, 30, FLOPS), NULL, UINT32_MAX};
    struct fl_buf text = netlists_random_text(seed + 3000, MADE_OF, 20, 0), c = {0};
    char *path = fl_format("%s/joined.blif", FAULTLINE_BUILD_DIR);
    CU_ASSERT_EQUAL_FATAL(fl_write_file(path, text.data, text.size, &err), 0);
    CU_ASSERT_EQUAL_FATAL(gate_read(path, &j.next, &err), 0);
    if (!differ(j.first) || !differ(j.next)) {
        free(path);
        fl_buf_free(&text);
        gate_netlist_free(j.first);
        gate_netlist_free(j.next);
        return;
    }
    fl_buf_printf(&c, "into %s\n", path);
    for (int i = 0; i < DRIVEN; i++)
        fl_buf_printf(&c, "joined.%s <- %s\n", j.next->name[i], j.first->output_name[i]);
    fl_buf_printf(&c, "joined.%s = x0\nwatch joined.%s when %s\n", j.next->output_name[0],
                  j.next->output_name[1], j.first->output_name[0]);
    struct gate_faults *f = gate_faults_new(j.first, GATE_STUCK);
    struct gate_constraints *made = constraints(j.first, (const char *)c.data);
    struct gate_faults *all = gate_join_faults(made->join, f);
    struct gate_patterns p;
    uint8_t *verdict = fl_alloc(f->count);
    uint32_t *vector = fl_alloc(f->count * sizeof *vector);
    CU_ASSERT_EQUAL_FATAL(
        gate_prove_all(made->join->n, all, made, NULL, 0, seed, verdict, vector, &p, NULL, &err),
        0);
    for (uint32_t i = 0; i < f->count; i++) {
        CU_ASSERT_EQUAL(verdict[i], verdict_of(&j, f->fault[i]));
        tally[verdict[i]]++;
    }
    free(verdict);
    free(vector);
    free(path);
    gate_patterns_free(&p);
    gate_constraints_free(made);
    gate_faults_free(all);
    gate_faults_free(f);
    gate_netlist_free(j.first);
    gate_netlist_free(j.next);
    fl_buf_free(&text);
    fl_buf_free(&c);
}

static void a_fault_is_seen_through_the_netlist_that_its_outputs_drive(void)
{
    int tally[GATE_VERDICTS] = {0};
    for (uint64_t seed = 1; seed <= (check_few() ? 2 : 12); seed++)
        check_joined(seed, tally);
    CU_ASSERT(tally[GATE_TESTABLE] > 50 && tally[GATE_UNTESTABLE] > 20);
    CU_ASSERT(tally[GATE_UNREACHABLE] > 2 && tally[GATE_UNDECIDED] == 0);
}

/* One bit of a row, and a row, may drive. */
static void a_bit_of_a_row_drives_and_is_watched_alone(void)
{
    struct fl_err err = {""};
    CU_ASSERT_EQUAL_FATAL(fl_write_file(NEXT, NEXT_TEXT, strlen(NEXT_TEXT), &err), 0);
    struct gate_netlist *n = netlists_read(
        "x.blif", ".inputs a\n.outputs y[0] y[5]\n.names a y[0]\n1 1\n.names a y[5]\n0 1\n");
    struct gate_constraints *c = constraints(n, "into " NEXT "\nnext.p <- y[5]\nnext.q <- y[0]\n");
    CU_ASSERT_EQUAL(c->join->n->inputs, 1);
    CU_ASSERT_EQUAL(c->join->n->outputs, 1);
    gate_constraints_free(c);
    c = constraints(n, "watch y[5] when a\n");
    CU_ASSERT(!c->watch[0] && c->watch[1]);
    gate_constraints_free(c);
    gate_netlist_free(n);
}

/* `use` with `watch`: an output counts when the netlist that makes the inputs has this output. */
static void a_used_netlist_says_when_outputs_are_watched(void)
{
    struct fl_err err = {""};
    static const char maker[] = ".inputs p q\n.outputs s t\n.names p q s\n11 1\n.names p t\n0 1\n";
    CU_ASSERT_EQUAL_FATAL(
        fl_write_file(FAULTLINE_BUILD_DIR "/says.blif", maker, strlen(maker), &err), 0);
    struct gate_netlist *n = netlists_read("x.blif",
                                           ".inputs a b\n.outputs y\n.names a b y\n11 1\n");
    struct gate_constraints *c = constraints(n, "use " FAULTLINE_BUILD_DIR
                                                "/says.blif\na = says.s\nwatch y when says.t\n");
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    struct gate_patterns p;
    uint8_t *verdict = fl_alloc(f->count);
    uint32_t *vector = fl_alloc(f->count * sizeof *vector), y, a;
    CU_ASSERT_EQUAL_FATAL(gate_prove_all(n, f, c, NULL, 0, 1, verdict, vector, &p, NULL, &err), 0);
    CU_ASSERT_EQUAL(gate_fault_parse(n, GATE_STUCK, "n2:sa1", &y, &err), 0);
    CU_ASSERT_EQUAL(gate_fault_parse(n, GATE_STUCK, "n0:sa0", &a, &err), 0);
    /* where t is 1, p is 0, and so s and a are 0: then y stuck at 0 is no difference */
    CU_ASSERT_EQUAL(verdict[f->class_of[y]], GATE_TESTABLE);
    CU_ASSERT_EQUAL(verdict[f->class_of[a]], GATE_UNOBSERVABLE);
    free(verdict);
    free(vector);
    gate_patterns_free(&p);
    gate_constraints_free(c);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void a_netlist_that_is_used_makes_its_outputs_and_nothing_else(void)
{
    int tally[GATE_VERDICTS] = {0};
    for (uint64_t seed = 1; seed <= (check_few() ? 4 : 20); seed++)
        check_maker(seed, tally);
    CU_ASSERT(tally[GATE_TESTABLE] > 50 && tally[GATE_UNREACHABLE] > 20);
    CU_ASSERT(tally[GATE_UNDECIDED] == 0);
}

/* A line for the first output and one for the last, whatever they are called; they may be one. */
static char *with_watch(uint64_t seed, const char *relations, const char *when)
{
    struct gate_netlist *n = netlists_random(seed, INPUTS, 30, FLOPS);
    const char *first = n->output_name[0], *last = n->output_name[n->outputs - 1];
    char *text = strcmp(first, last) == 0
                     ? fl_format("%s\nwatch %s when %s\n", relations, first, when)
                     : fl_format("%s\nwatch %s when %s\nwatch %s when %s\n", relations, first, when,
                                 last, when);
    gate_netlist_free(n);
    return text;
}

static void an_output_that_is_not_watched_shows_nothing(void)
{
    static const char *const when[] = {"x0", "!x1 & x2", "0"};
    int tally[GATE_VERDICTS] = {0};
    for (uint64_t seed = 1; seed <= (check_few() ? 3 : 12); seed++) {
        char *text = with_watch(80 + seed, seed & 2 ? "x2 -> x3" : "", when[seed % 3]);
        check_prover(seed & 1 ? GATE_STUCK : GATE_TRANSITION, text, 80 + seed, tally);
        free(text);
    }
    CU_ASSERT(tally[GATE_TESTABLE] > 50 && tally[GATE_UNTESTABLE] > 20);
    CU_ASSERT(tally[GATE_UNOBSERVABLE] > 10 && tally[GATE_UNDECIDED] == 0);
}

/* A way along which a fault shows may leave others that differ and are masked. */
static void a_difference_may_die_beside_the_way(void)
{
    struct gate_netlist *n = netlists_read(
        "x.bench", "INPUT(a)\nINPUT(b)\nOUTPUT(y)\nn = BUFF(a)\nd = NOT(n)\n"
                   "e = AND(d, n)\nf = OR(e, b)\ny = XOR(f, n)\n");
    struct gate_prover *p;
    struct fl_err err;
    uint32_t fault;
    uint8_t source[2];
    CU_ASSERT_FATAL(gate_prover_new(n, GATE_STUCK, NULL, 0, &p, &err) == 0);
    CU_ASSERT_FATAL(gate_fault_parse(n, GATE_STUCK, "n0:sa0", &fault, &err) == 0);
    CU_ASSERT_EQUAL(gate_prove(p, fault, source, NULL), GATE_TESTABLE);
    gate_prover_free(p);
    gate_netlist_free(n);
}

/* No random pattern sets a hundred inputs. */
static void a_gate_of_a_hundred_inputs_has_a_vector_for_each_fault(void)
{
    enum { PINS = 100 };
    struct fl_buf b = {0};
    struct fl_err err;
    fl_buf_printf(&b, "OUTPUT(y)\ny = NAND(x0");
    for (int i = 1; i < PINS; i++)
        fl_buf_printf(&b, ", x%d", i);
    fl_buf_printf(&b, ")\n");
    for (int i = 0; i < PINS; i++)
        fl_buf_printf(&b, "INPUT(x%d)\n", i);
    struct gate_netlist *n = netlists_read("x.bench", (char *)b.data);
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    struct gate_patterns found;
    uint8_t verdict[PINS + 2];
    uint32_t vector[PINS + 2];
    CU_ASSERT_EQUAL_FATAL(f->count, PINS + 2); /* each input at 1, the output at 0 and 1 */
    CU_ASSERT_EQUAL(gate_prove_all(n, f, NULL, NULL, 0, 1, verdict, vector, &found, NULL, &err), 0);
    for (uint32_t i = 0; i < f->count; i++)
        CU_ASSERT_EQUAL(verdict[i], GATE_TESTABLE);
    CU_ASSERT(found.count >= PINS + 1);
    gate_patterns_free(&found);
    gate_faults_free(f);
    gate_netlist_free(n);
    fl_buf_free(&b);
}

/* With the patterns that there are going first, the verdicts are the same; what detects is among them. */
static void again(const struct gate_netlist *n, const struct gate_faults *f,
                  const struct gate_constraints *c, const struct gate_patterns *first,
                  const uint8_t *verdict)
{
    struct gate_patterns pat;
    struct fl_err err;
    uint8_t *other = fl_alloc(f->count);
    uint32_t *vector = fl_alloc(f->count * sizeof *vector);
    CU_ASSERT_FATAL(gate_prove_all(n, f, c, first, 0, 1, other, vector, &pat, NULL, &err) == 0);
    CU_ASSERT(memcmp(other, verdict, f->count) == 0);
    CU_ASSERT(pat.count > 0 && pat.count <= (f->model == GATE_STUCK ? 1 : 2) * first->count);
    gate_patterns_free(&pat);
    free(other);
    free(vector);
}

/* All at once: the same verdicts, and each pattern detects what it is said to detect. */
static void all_faults_at_once_are_decided_as_one_by_one(void)
{
    for (uint64_t seed = 1; seed <= (check_few() ? 2 : 8); seed++) {
        enum gate_model model = seed & 1 ? GATE_STUCK : GATE_TRANSITION;
        struct gate_netlist *n = netlists_random(120 + seed, INPUTS, 40, FLOPS);
        struct gate_faults *f = gate_faults_new(n, model);
        char *text = fl_format("x0 & x1 -> x2 ^ x3\nwatch %s when x4\n", n->output_name[0]);
        struct gate_constraints *c = seed & 2 ? constraints(n, text) : NULL;
        free(text);
        struct gate_prover *p;
        struct gate_patterns pat;
        struct fl_err err;
        uint8_t *verdict = fl_alloc(f->count), two[2][SOURCES];
        uint32_t *vector = fl_alloc(f->count * sizeof *vector);
        int wrong = 0;
        CU_ASSERT_FATAL(gate_prove_all(n, f, c, NULL, 0, 1, verdict, vector, &pat, NULL, &err) ==
                        0);
        CU_ASSERT_FATAL(gate_prover_new(n, model, c, 0, &p, &err) == 0);
        for (uint32_t i = 0; i < f->count; i++) {
            wrong += verdict[i] != gate_prove(p, f->fault[i], NULL, NULL);
            wrong += (vector[i] != GATE_NEVER) != (verdict[i] == GATE_TESTABLE);
            for (uint32_t k = 0; vector[i] != GATE_NEVER && k < 2; k++) {
                uint32_t at = k || model == GATE_STUCK ? vector[i] : vector[i] - 1;
                for (uint32_t s = 0; s < SOURCES; s++)
                    two[k][s] = pat.word[at / 64 * SOURCES + s] >> at % 64 & 1;
                wrong += c && gate_constraints_broken(c, two[k]) >= 0;
            }
            wrong += vector[i] != GATE_NEVER && !detects(n, model, f->fault[i], two[0], two[1], c);
        }
        CU_ASSERT_EQUAL(wrong, 0);
        again(n, f, c, &pat, verdict);
        gate_prover_free(p);
        gate_patterns_free(&pat);
        gate_constraints_free(c);
        free(verdict);
        free(vector);
        gate_faults_free(f);
        gate_netlist_free(n);
    }
}

static void what_the_limit_leaves_open_is_undecided(void)
{
    struct gate_netlist *n = netlists_random(5, 24, 700, 0);
    struct gate_faults *f = gate_faults_new(n, GATE_STUCK);
    struct gate_prover *limited, *free_one;
    struct fl_err err;
    int open = 0, wrong = 0;
    CU_ASSERT_FATAL(gate_prover_new(n, GATE_STUCK, NULL, 1, &limited, &err) == 0);
    CU_ASSERT_FATAL(gate_prover_new(n, GATE_STUCK, NULL, 0, &free_one, &err) == 0);
    for (uint32_t i = 0; i < f->count; i += check_few() ? 100 : 8) {
        enum gate_verdict v = gate_prove(limited, f->fault[i], NULL, NULL),
                          w = gate_prove(free_one, f->fault[i], NULL, NULL);
        open += v == GATE_UNDECIDED;
        wrong += w == GATE_UNDECIDED || (v != GATE_UNDECIDED && v != w);
    }
    CU_ASSERT(open > 0);
    CU_ASSERT_EQUAL(wrong, 0);
    gate_prover_free(limited);
    gate_prover_free(free_one);
    gate_faults_free(f);
    gate_netlist_free(n);
}

static void a_relation_means_what_it_says(void)
{
    static const struct {
        const char *text, *holds; /* for cba = 000, 001, 010, ... */
    } row[] = {
        {"a[0]", "01010101"},
        {"!a[0] & a[1]", "00100010"},
        {"a[0] | a[1] & a[2]", "01010111"},
        {"a[0] ^ a[1] | a[2]", "01101111"},
        {"(a[0] | a[1]) & a[2]", "00000111"},
        {"a[0] = a[1]", "10011001"},
        {"a[0] != a[1]", "01100110"},
        {"a[2] -> a[1] -> a[0]", "11111101"},
        {"a[0] = 0", "10101010"},
        {"a[2:0] = 5", "00000100"},
        {"a[2:0] != 0b101", "11111011"},
        {"a[2:0] in {1, 3..5}", "01011100"},
        {"a[2:1] in {0x1..3} -> a[0]", "11010101"},
        {"a[2:1] = a[1:0]", "10000001"},
        {"a[2:1] != a[1:0] & a[2]", "00001110"},
        {"!!a[1]", "00110011"},
        {"1", "11111111"},
        {"# nothing\n\n a[1]\n a[0] # both", "00010001"},
    };
    struct gate_netlist *n = netlists_read(
        "x.blif", ".inputs a[0] a[1] a[2]\n.outputs y\n.names a[0] y\n1 1\n");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct gate_constraints *c = constraints(n, row[i].text);
        for (uint32_t v = 0; v < 8; v++) {
            uint8_t source[3] = {v & 1, v >> 1 & 1, v >> 2 & 1};
            bool holds = gate_constraints_broken(c, source) < 0;
            if (holds != (row[i].holds[v] == '1'))
                fprintf(stderr, "\n%s for %u\n", row[i].text, v);
            CU_ASSERT_EQUAL(holds, row[i].holds[v] == '1');
        }
        gate_constraints_free(c);
    }
    gate_netlist_free(n);
}

#define NAME_51  "a23456789_123456789_123456789_123456789_123456789_x"
#define NAME_255 NAME_51 NAME_51 NAME_51 NAME_51 NAME_51 /* the longest */

static void a_bad_relation_is_told_with_its_line(void)
{
    static const struct {
        const char *text, *says;
    } row[] = {
        {"a[0]\nb", "c:2: 'b': no input, flip-flop or output has this name"},
        {"z", "'z': no input"},
        {NAME_255 NAME_51, "c:1: '" NAME_255 "': no input"},
        {"a[0] &", "c:1: a name, a number or ( is missing"},
        {"(a[0]", "c:1: a ) is missing"},
        {"a[0] a[1]", "c:1: 'a': not understood from here on"},
        {"a[3:0] = 1", "'a[3]': no input"},
        {"a[0:2] = 1", "goes from the highest to the lowest"},
        {"a[2:0]", "followed by =, != or in"},
        {"a[2:0] = 8", "more bits than the row"},
        {"a[2:0] = x", "'a[2:0]': a row is compared with a number or with another row"},
        {"a[2:0] = a[1:0]", "these rows differ in width"},
        {"use", "'use': no input"},
        {"use no.blif", "no.blif"},
        {"a[2:0] in {1, 2", "lacks its }"},
        {"a[2:0] in 3", "a set is written {1, 4..7}"},
        {"a[2:0] in {5..2}", "ends before it begins"},
        {"watch y a[0]", "c:1: a line is written watch OUTPUT when RELATION"},
        {"watch z when a[0]", "c:1: 'z': no output has this name"},
        {"watch y when a[0]\nwatch y when a[1]", "c:2: 'y': a second line says when"},
        {"watch y[0:1] when a[0]", "goes from the highest to the lowest"},
        {"watch y when", "c:1: a name, a number or ( is missing"},
        {"into", "c:1: a line is written into NETLIST"},
        {"into no.blif", "no.blif"},
        {"into " NEXT "\ninto " NEXT, "c:2: 'next': a netlist is joined once"},
        {"into " FLOP, "'flop': a netlist that is joined has no flip-flops"},
        {"next.p <- y\ninto " NEXT, "c:1: 'next.p': it is no input of a netlist that an into line"},
        {"into " NEXT "\nnext.p <-", "c:2: a line is written NETLIST.INPUT <- OUTPUT"},
        {"into " NEXT "\nnext.r <- y", "c:2: 'r': no input of the joined netlist"},
        {"into " NEXT "\nnext.p <- a[0]", "c:2: 'a[0]': no output has this name"},
        {"into " NEXT "\nnext.p <- next.s",
         "c:2: 'next.s': a netlist is driven by those before it"},
        {"into " NEXT "\nnext.p <- y\nnext.p <- y", "c:3: 'p': a second line drives it"},
        {"into " NEXT "\nnext.p[1:0] <- y", "these rows differ in width"},
        {"into " NEXT "\nnext.p <- y\nnext.s & next.t",
         "c:3: 'next.t': no input, flip-flop or output"},
        {"into " NEXT "\nnext.p <- y\nwatch next.t when 1", "'next.t': no output has this name"},
    };
    struct fl_err none = {""};
    CU_ASSERT_EQUAL_FATAL(fl_write_file(NEXT, NEXT_TEXT, strlen(NEXT_TEXT), &none), 0);
    CU_ASSERT_EQUAL_FATAL(fl_write_file(FLOP, FLOP_TEXT, strlen(FLOP_TEXT), &none), 0);
    struct gate_netlist *n = netlists_read(
        "x.blif", ".inputs a[0] a[1] a[2]\n.outputs y\n.names a[0] y\n1 1\n");
    struct fl_err err;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct gate_constraints *c = NULL;
        CU_ASSERT(gate_constraints_text("c", row[i].text, n, &c, &err) == -1 && !c);
        if (!strstr(err.msg, row[i].says))
            fprintf(stderr, "\n%s\nshould say: %s\n", err.msg, row[i].says);
        CU_ASSERT(strstr(err.msg, row[i].says) != NULL);
    }
    struct gate_constraints *c = constraints(n, "a[0]\n!a[0] & a[1]\n");
    struct gate_prover *p;
    CU_ASSERT(gate_prover_new(n, GATE_STUCK, c, 0, &p, &err) == -1);
    CU_ASSERT(strstr(err.msg, "contradict each other") != NULL);
    gate_constraints_free(c);
    gate_netlist_free(n);
}

int main(void)
{
    return CHECK_RUN("gate_prove", CHECK(untestable_is_what_no_input_detects),
                     CHECK(constraints_forbid_vectors_and_nothing_else),
                     CHECK(a_netlist_that_is_used_makes_its_outputs_and_nothing_else),
                     CHECK(a_fault_is_seen_through_the_netlist_that_its_outputs_drive),
                     CHECK(a_bit_of_a_row_drives_and_is_watched_alone),
                     CHECK(a_used_netlist_says_when_outputs_are_watched),
                     CHECK(an_output_that_is_not_watched_shows_nothing),
                     CHECK(a_difference_may_die_beside_the_way),
                     CHECK(a_gate_of_a_hundred_inputs_has_a_vector_for_each_fault),
                     CHECK(all_faults_at_once_are_decided_as_one_by_one),
                     CHECK(what_the_limit_leaves_open_is_undecided),
                     CHECK(a_relation_means_what_it_says),
                     CHECK(a_bad_relation_is_told_with_its_line));
}
