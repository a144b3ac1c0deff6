/* trace.c -- see trace.h. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"

/* ---- sets of vectors ------------------------------------------------------------------------- */

static uint64_t hash_of(const uint64_t *vector, uint32_t words)
{
    uint64_t h = FL_HASH_START;
    for (uint32_t i = 0; i < words; i++)
        h = fl_hash(h, vector[i] ^ vector[i] >> 32);
    return h ^ h >> 29;
}

static uint32_t *slot_of(const struct control_vectors *s, const uint64_t *vector)
{
    uint32_t at = (uint32_t)hash_of(vector, s->words) & (s->slots - 1);
    while (s->slot[at] && memcmp(&s->word[(size_t)(s->slot[at] - 1) * s->words], vector,
                                 s->words * sizeof *vector) != 0)
        at = (at + 1) & (s->slots - 1);
    return &s->slot[at];
}

uint32_t control_vector(struct control_vectors *s, const uint64_t *vector, bool *isnew)
{
    if (2 * s->count >= s->slots) {
        s->slots = s->slots ? 2 * s->slots : 1024;
        free(s->slot);
        s->slot = fl_alloc(s->slots * sizeof *s->slot);
        for (uint32_t i = 0; i < s->count; i++)
            *slot_of(s, &s->word[(size_t)i * s->words]) = i + 1;
    }
    uint32_t *slot = slot_of(s, vector);
    *isnew = !*slot;
    if (*isnew) {
        if (s->count == s->room) {
            s->room = s->room ? 2 * s->room : 256;
            s->word = fl_grow(s->word, (size_t)s->room * s->words, sizeof *s->word);
        }
        memcpy(&s->word[(size_t)s->count * s->words], vector, s->words * sizeof *vector);
        *slot = ++s->count;
    }
    return *slot - 1;
}

void control_vectors_empty(struct control_vectors *s)
{
    memset(s->slot, 0, s->slots * sizeof *s->slot);
    s->count = 0;
}

void control_vectors_free(struct control_vectors *s)
{
    free(s->word);
    free(s->slot);
    *s = (struct control_vectors){0};
}

/* ---- the fault-free run ---------------------------------------------------------------------- */

struct recorder {
    struct control_trace *t;
    const struct dut *m;
    struct control_spot *spot; /* of registers, and what they held before the edge */
    uint64_t held[SM_CONTROL_WORDS];
};

/* What registers hold, before they take anything else; pins are not known yet. */
static void hold(void *context)
{
    struct recorder *r = context;
    control_registers_held(r->t->unit->registers, r->spot, r->held);
}

static bool writes_nothing(void *context)
{
    (void)context;
    return false;
}

static void unchanged(void *context, const uint64_t *in, uint64_t *out)
{
    (void)context, (void)in, (void)out;
}

static void note(void *context, const uint64_t *in, const uint64_t *own)
{
    struct recorder *r = context;
    struct control_trace *t = r->t;
    const uint32_t words = t->unit->out_words;
    const uint64_t cycle = dut_cycle(r->m);
    bool isnew;
    if (t->unit->registers) {
        control_registers_pins(t->unit->registers, t->unit->netlist->inputs, in, r->held);
        in = r->held;
    }
    uint32_t i = control_vector(&t->seen, in, &isnew);
    t->at[cycle] = i;
    if (!t->unit->registers && i >= t->owns) {
        t->owns = t->owns ? 2 * t->owns : 256;
        t->own = fl_grow(t->own, (size_t)t->owns * words, sizeof *t->own);
    }
    if (isnew && !t->unit->registers)
        memcpy(&t->own[(size_t)i * words], own, words * sizeof *own);
    if (control_unit_slow(t->unit)) {
        const uint64_t pair = i | (uint64_t)t->at[cycle ? cycle - 1 : 0] << 32;
        i = control_vector(&t->pair, &pair, &isnew);
    }
    if (i >= t->room) {
        t->room = t->room ? 2 * t->room : 256;
        t->first = fl_grow(t->first, t->room, sizeof *t->first);
        t->last = fl_grow(t->last, t->room, sizeof *t->last);
    }
    if (isnew)
        t->first[i] = cycle;
    t->last[i] = cycle;
}

int control_trace_record(const struct reference *ref, const struct control_unit *u,
                         struct control_trace *t, struct fl_err *err)
{
    *t = (struct control_trace){
        .unit = u, .seen.words = u->in_words, .pair.words = 1, .cycles = ref->cycles};
    struct dut *m = ref->engine->make(ref->img, err);
    if (!m)
        return -1;
    t->at = fl_alloc(ref->cycles * sizeof *t->at);
    struct recorder r = {.t = t, .m = m};
    struct sm_stand_in by = {.answer = unchanged, .context = &r, .edge = note};
    int bad = ref->engine->replace_unit(m, &sm_control_pins[u->which], 0, &by);
    if (bad)
        fl_fail(err, "the %s has no %s that gates could stand in for; give --engine rtl",
                ref->engine->text, control_unit_name(u->which));
    if (!bad && u->registers) {
        r.spot = control_registers_in(u->registers, m, err);
        by.before = hold;
        by.behind = writes_nothing;
        bad = r.spot ? 0 : -1;
    }
    if (!bad)
        dut_run(m, ref->cycles);
    free(r.spot);
    dut_free(m);
    return bad;
}

void control_trace_free(struct control_trace *t)
{
    control_vectors_free(&t->seen);
    control_vectors_free(&t->pair);
    free(t->at);
    free(t->own);
    free(t->first);
    free(t->last);
    *t = (struct control_trace){0};
}

/* ---- answers --------------------------------------------------------------------------------- */

uint32_t control_patterns(const struct control_trace *t)
{
    return control_unit_slow(t->unit) ? t->pair.count : t->seen.count;
}

/* The number of what the unit sees there. */
static uint32_t number_at(const struct control_trace *t, uint32_t pattern, bool before)
{
    return control_unit_slow(t->unit) ? (uint32_t)(t->pair.word[pattern] >> (before ? 32 : 0))
                                      : pattern;
}

const uint64_t *control_pattern(const struct control_trace *t, uint32_t pattern, bool before)
{
    return &t->seen.word[(size_t)number_at(t, pattern, before) * t->seen.words];
}

/* A block of patterns from number `from` on; returns how many. */
static uint32_t unpack(const struct control_trace *t, uint32_t words, uint32_t from, bool before,
                       uint64_t *source)
{
    const uint32_t inputs = t->unit->netlist->inputs, left = control_patterns(t) - from;
    uint32_t n = left < 64 * words ? left : 64 * words;
    memset(source, 0, (size_t)inputs * words * sizeof *source);
    for (uint32_t p = 0; p < n; p++) {
        const uint64_t *v = control_pattern(t, from + p, before);
        for (uint32_t i = 0; i < inputs; i++)
            source[i * words + p / 64] |= (v[i / 64] >> i % 64 & 1) << p % 64;
    }
    return n;
}

static uint32_t load(const struct control_trace *t, struct gate_sim *sim, uint32_t from,
                     uint64_t *source)
{
    const uint32_t words = (uint32_t)gate_sim_words(sim);
    if (control_unit_slow(t->unit)) {
        uint32_t n = unpack(t, words, from, true, source);
        gate_sim_load(sim, source, (int)n);
        unpack(t, words, from, false, source);
        gate_sim_load_second(sim, source, (int)n);
        return n;
    }
    uint32_t n = unpack(t, words, from, false, source);
    gate_sim_load(sim, source, (int)n);
    return n;
}

/* What the RTL made of a pattern; of registers it shows in the next cycle, and behind the last one nobody
 * knows. */
static bool own_is(const struct control_trace *t, uint32_t pattern, uint32_t output, bool netlist)
{
    const struct control_registers *r = t->unit->registers;
    if (!r) {
        const uint64_t *own = &t->own[(size_t)number_at(t, pattern, false) * t->unit->out_words];
        return own[output / 64] >> output % 64 & 1;
    }
    const uint64_t cycle = t->first[pattern] + 1;
    const uint32_t i = r->input_of[output];
    if (cycle == t->cycles)
        return netlist;
    return t->seen.word[(size_t)t->at[cycle] * t->seen.words + i / 64] >> i % 64 & 1;
}

/* Without a fault the netlist does what the RTL does. */
static int check(const struct control_trace *t, struct gate_sim *sim, uint32_t from, uint32_t n,
                 struct fl_err *err)
{
    const struct gate_netlist *net = t->unit->netlist;
    for (uint32_t p = 0; p < n; p++)
        for (uint32_t o = 0; o < net->outputs; o++) {
            bool is = gate_sim_value(sim, net->output[o])[p / 64] >> p % 64 & 1;
            if (is != own_is(t, from + p, o, is))
                return fl_fail(err,
                               "%s: output %s is %d in cycle %llu, and in the RTL it is not; it "
                               "was made of another rtl/ or for another profile: run scripts/gates",
                               net->file, net->output_name[o], is,
                               (unsigned long long)t->first[from + p]);
        }
    return 0;
}

int control_trace_check(const struct control_trace *t, struct fl_err *err)
{
    struct gate_sim *sim = gate_sim_new(t->unit->netlist, gate_width(0, NULL));
    uint64_t *source = fl_alloc((size_t)t->unit->netlist->inputs * (size_t)gate_sim_words(sim) *
                                sizeof *source);
    int bad = 0;
    for (uint32_t from = 0, n; from < control_patterns(t) && !bad; from += n) {
        n = load(t, sim, from, source);
        bad = check(t, sim, from, n, err);
    }
    free(source);
    gate_sim_free(sim);
    return bad;
}

/* A register that is stuck at what it does not start with is wrong from the start. */
static void respond_at_start(const struct control_trace *t, struct response *out)
{
    const struct control_unit *u = t->unit;
    uint32_t bit;
    for (uint32_t i = 0; i < u->faults->count; i++) {
        const uint32_t fault = u->faults->fault[i];
        control_registers_fault(u->registers, u->netlist, fault, &bit);
        if (bit == UINT32_MAX)
            continue;
        const uint32_t input = u->registers->input + bit;
        if ((t->seen.word[input / 64] >> input % 64 & 1) == GATE_STUCK_AT(fault))
            continue;
        out[i].first = 0;
        out[i].hash[0] += fl_random_mix(fault + FL_RANDOM_STEP);
    }
}

int control_respond(const struct control_trace *t, struct response *out, uint64_t *last,
                    struct fl_err *err)
{
    const struct gate_faults *f = t->unit->faults;
    struct gate_sim *sim = gate_sim_new(t->unit->netlist, gate_width(0, NULL));
    const uint32_t words = (uint32_t)gate_sim_words(sim);
    uint64_t *source = fl_alloc((size_t)t->unit->netlist->inputs * words * sizeof *source);
    uint32_t *order = fl_alloc(f->count * sizeof *order);
    uint64_t any[RESPONSE_WORDS];
    int bad = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        out[i] = (struct response){.first = RESPONSE_NONE};
        last[i] = 0;
    }
    uint32_t *class_of = fl_alloc(f->all * sizeof *class_of), bit;
    for (uint32_t i = 0; i < f->count; i++) {
        order[i] = control_registers_fault(t->unit->registers, t->unit->netlist, f->fault[i], &bit);
        class_of[order[i]] = i;
    }
    gate_sim_order(sim, order, f->count);
    for (uint32_t from = 0, n; from < control_patterns(t) && !bad; from += n) {
        n = load(t, sim, from, source);
        bad = check(t, sim, from, n, err);
        for (uint32_t i = 0; i < f->count && !bad; i++) {
            uint32_t class = class_of[order[i]];
            response_add(sim, f->model, words, from, order[i], NULL, NULL, &out[class], any);
            for (uint32_t k = 0; k < words; k++)
                for (uint64_t left = any[k]; left; left &= left - 1) {
                    uint64_t at = t->last[from + 64 * k + (uint32_t)__builtin_ctzll(left)];
                    last[class] = at > last[class] ? at : last[class];
                }
        }
    }
    if (!bad && t->unit->registers)
        respond_at_start(t, out);
    free(order);
    free(class_of);
    free(source);
    gate_sim_free(sim);
    return bad;
}
