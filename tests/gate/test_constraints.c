/* test_constraints.c -- what is said of a unit's inputs is true of every instruction, and no more words keep to it.
 */
#include "tests/lib/check.h"
#include "tests/lib/flips.h"

#include <string.h>

#include "faultsim/lane/constraints.h"

/* Each unit's ports stand in its netlist; those of the whole lane are enough for a netlist of their own. */
enum { UNITS = 3 };
static const enum vector_unit units[UNITS] = {VECTOR_INT, VECTOR_CVT, VECTOR_LANE};

static char *lane_netlist(void)
{
    static const struct {
        const char *name;
        unsigned width;
    } port[] = {
#define X(name, first, width) {#name, width},
        VECTOR_PORTS(X)
#undef X
    };
    struct fl_buf text = {0};
    struct fl_err err;
    char *path = fl_format("%s/ports-of-lane.blif", FAULTLINE_BUILD_DIR);
    fl_buf_printf(&text, ".model lane\n.inputs");
    for (size_t p = 0; p < sizeof port / sizeof *port - 3; p++) /* without what sm_lane makes */
        for (unsigned b = 0; b < port[p].width; b++)
            fl_buf_printf(&text, port[p].width == 1 ? " %s_i" : " %s_i[%u]", port[p].name, b);
    fl_buf_printf(&text, "\n.outputs");
    for (int o = 0; o < VECTOR_OUTPUTS; o++)
        fl_buf_printf(&text, o < 32 ? " d_o[%d]" : " flags_o[%d]", o % 32);
    fl_buf_printf(&text, "\n");
    for (int o = 0; o < VECTOR_OUTPUTS; o++)
        fl_buf_printf(&text, o < 32 ? ".names d_o[%d]\n" : ".names flags_o[%d]\n", o % 32);
    fl_buf_printf(&text, ".end\n");
    CU_ASSERT_EQUAL_FATAL(fl_write_file(path, text.data, text.size, &err), 0);
    fl_buf_free(&text);
    return path;
}

static struct gate_constraints *parsed(const struct unit *u, const char *text)
{
    struct gate_constraints *c = NULL;
    struct fl_err err;
    CU_ASSERT_EQUAL_FATAL(gate_constraints_text("it", text, u->netlist, &c, &err), 0);
    return c;
}

struct stated {
    struct unit unit;
    struct fl_buf text;
    struct gate_constraints *c;
    uint32_t words;
};

static struct stated stated(enum vector_unit which)
{
    struct stated s = {.words = 0};
    struct fl_err err = {""};
    char *path = which == VECTOR_LANE
                     ? lane_netlist()
                     : fl_format(FAULTLINE_BUILD_DIR "/gates/%s.blif", lane_name(which));
    if (unit_open(path, &lane_kind, which, &s.unit, &err) != 0)
        CU_FAIL_FATAL("no netlist");
    s.words = constraints_print(&s.unit, &s.text);
    s.c = parsed(&s.unit, (const char *)s.text.data);
    free(path);
    return s;
}

static void done(struct stated *s)
{
    gate_constraints_free(s->c);
    fl_buf_free(&s->text);
    unit_close(&s->unit);
}

static void random_words_of_every_row_keep_to_them(void)
{
    for (int i = 0; i < UNITS; i++) {
        struct stated s = stated(units[i]);
        struct vectors set = {0};
        for (uint64_t seed = 1; seed <= (check_few() ? 1 : 2); seed++) {
            struct fl_err err = {""};
            CU_ASSERT_EQUAL(constraints_hold(&s.unit, s.c, 20000, seed, &set, &err), 0);
            if (*err.msg)
                printf("\n%s\n", err.msg);
        }
        CU_ASSERT(set.count > (check_few() ? 10000 : 20000));
        vectors_free(&set);
        done(&s);
    }
}

/* Here the machine itself fetches the operands. */
static void random_programs_keep_to_them(void)
{
    for (int i = 0; i < UNITS; i++) {
        struct stated s = stated(units[i]);
        uint32_t seen = 0;
        for (uint64_t seed = 1; seed <= (check_few() ? 10 : 30); seed++) {
            struct job *job = flips_mix(seed);
            struct bench b = bench_open(job, true);
            struct trace t = {.unit = &s.unit, .sp = -1};
            struct fl_err err = {""};
            if (b.g) /* some trap */
                lane_record(b.g, &t, 1);
            CU_ASSERT_EQUAL(constraints_hold_in(&t, s.c, &err), 0);
            if (*err.msg)
                printf("\n%s\n", err.msg);
            seen += t.seen.count;
            trace_free(&t);
            bench_close(&b);
        }
        CU_ASSERT(seen > (check_few() ? 2000 : 6000));
        done(&s);
    }
}

enum { NO, YES, UNKNOWN };

/* Whether a line is broken whatever the inputs hold that are not known yet. */
static bool impossible(const struct gate_constraints *c, const uint8_t *source, uint8_t *v)
{
    for (uint32_t i = 0; i < c->nodes; i++) {
        const struct gate_relation *n = &c->node[i];
        uint8_t a = n->kind > GATE_REL_FREE ? v[n->a] : 0, b = n->kind > GATE_REL_NOT ? v[n->b] : 0;
        switch (n->kind) {
        case GATE_REL_CONST: v[i] = n->a & 1; break;
        case GATE_REL_NET: v[i] = source[n->a]; break;
        case GATE_REL_FREE: v[i] = UNKNOWN; break;
        case GATE_REL_NOT: v[i] = a == UNKNOWN ? a : !a; break;
        case GATE_REL_AND: v[i] = !a || !b ? NO : a | b; break;
        case GATE_REL_OR: v[i] = a == YES || b == YES ? YES : a | b; break;
        case GATE_REL_XOR: v[i] = a == UNKNOWN || b == UNKNOWN ? UNKNOWN : a ^ b; break;
        }
        v[i] = v[i] > UNKNOWN ? UNKNOWN : v[i];
    }
    for (uint32_t i = 0; i < c->lines; i++)
        if (v[c->line[i].node] == NO)
            return true;
    return false;
}

/* How many control words keep to them: bit by bit, the operation first. */
static uint32_t kept(const struct stated *s, uint8_t *source, uint8_t *v, uint32_t place)
{
    const struct gate_netlist *n = s->unit.netlist;
    uint32_t i = 0;
    while (i < n->inputs && s->unit.place[i] != place)
        i++;
    if (place == VECTOR_CARE)
        return 1;
    if (i == n->inputs)
        return kept(s, source, v, place + 1);
    uint32_t words = 0;
    for (source[i] = NO; source[i] < UNKNOWN; source[i]++)
        if (!impossible(s->c, source, v))
            words += kept(s, source, v, place + 1);
    return words;
}

static void as_many_control_words_keep_to_them_as_the_decoder_makes(void)
{
    for (int i = 0; i < (check_few() ? 1 : UNITS); i++) {
        struct stated s = stated(units[i]);
        uint8_t *source = fl_alloc(s.unit.netlist->inputs), *v = fl_alloc(s.c->nodes);
        memset(source, UNKNOWN, s.unit.netlist->inputs);
        CU_ASSERT(s.words > 100);
        CU_ASSERT_EQUAL(kept(&s, source, v, VECTOR_op), s.words);
        free(source);
        free(v);
        done(&s);
    }
}

/* Each line without its condition, one after the other; the first, which has none, with an operation less. What is true
 * without its condition too is one line: no operation has another subop. */
static void a_line_that_says_too_much_is_told_with_an_instruction(void)
{
    struct stated s = stated(VECTOR_INT);
    uint32_t told = 0;
    for (uint32_t i = 0; i < s.c->lines; i++) {
        const char *arrow = strstr(s.c->line[i].text, "-> ");
        char *wrong = fl_strdup(arrow ? arrow + 3 : "op_i[5:0] in {22..48}");
        struct gate_constraints *c = parsed(&s.unit, wrong);
        struct fl_err err = {""};
        if (constraints_hold(&s.unit, c, 20000, 1, NULL, &err) != 0) {
            told++;
            CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "line 1 of the constraints of alu_int"));
            CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, wrong));
            CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "\n  by "));
        }
        gate_constraints_free(c);
        free(wrong);
    }
    CU_ASSERT(told > 20 && told + 1 == s.c->lines);
    done(&s);
}

/* Of all lines about outputs each is needed: with none watched, some instruction is told that writes them. */
static void an_output_that_is_written_must_be_watched(void)
{
    struct stated s = stated(VECTOR_CVT);
    char *text = fl_strdup((const char *)s.text.data);
    for (char *at = text; (at = strstr(at, "\nwatch "));) {
        struct fl_err err = {""};
        char *end = strchr(at + 1, '\n'),
             *without = fl_format("%.*s when 0%s", (int)(strstr(at, " when") - text), text, end);
        struct gate_constraints *c = parsed(&s.unit, without);
        CU_ASSERT_EQUAL(constraints_hold(&s.unit, c, 20000, 1, NULL, &err), -1);
        CU_ASSERT_PTR_NOT_NULL(strstr(err.msg, "do not watch"));
        gate_constraints_free(c);
        free(without);
        at = end;
    }
    free(text);
    done(&s);
}

int main(void)
{
    return CHECK_RUN("constraints", CHECK(random_words_of_every_row_keep_to_them),
                     CHECK(random_programs_keep_to_them),
                     CHECK(as_many_control_words_keep_to_them_as_the_decoder_makes),
                     CHECK(a_line_that_says_too_much_is_told_with_an_instruction),
                     CHECK(an_output_that_is_written_must_be_watched));
}
