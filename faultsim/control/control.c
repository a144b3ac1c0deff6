/* control.c -- see control.h. */
#include "control.h"

#include <stdlib.h>
#include <string.h>

#include "faultsim/result/made.h"
#include "group.h"

const char *control_name(int which)
{
    return sm_control_pins[which].unit;
}

int control_find(const char *name, struct fl_err *err)
{
    for (int i = 0; i < SM_CONTROLS; i++)
        if (strcmp(sm_control_pins[i].unit, name) == 0)
            return i;
    return fl_fail(err, "the control has no unit '%s'", name);
}

bool control_is(int which, const char *name)
{
    const char *of = which <= SM_CONTROL_FLOW   ? "control"
                     : which <= SM_CONTROL_SMEM ? "ports"
                     : which <= SM_CONTROL_PIPE ? "pipeline"
                     : which <= SM_CONTROL_EXECUTE_RESULT || which == SM_CONTROL_WRITEBACK
                         ? "operands"
                     : which > SM_CONTROL_WRITEBACK ? "blocks"
                                                    : "lsu";
    return fl_same_name(name, control_name(which)) || strcmp(name, of) == 0;
}

static const char *rtl_of(int which, bool above)
{
    static const char *const digest[][2] = {
        {FAULTLINE_CONTROL_RTL}, {FAULTLINE_DATA_RTL}, {FAULTLINE_BLOCK_RTL}};
    return digest[(which > SM_CONTROL_PIPE) + (which > SM_CONTROL_WRITEBACK)][above];
}

static int open_unit(struct unit *u, const char *path, struct fl_err *err)
{
    const struct gate_netlist *n = u->netlist;
    u->sees_data = u->which >
                   SM_CONTROL_FLOW; /* those before decide: they see few different vectors */
    if (n->flops || n->inputs > SM_CONTROL_BITS || n->outputs > SM_CONTROL_BITS)
        return fl_fail(err,
                       "%s: %u inputs, %u outputs and %u flip-flops are not those of %s; make the "
                       "netlist again with scripts/gates",
                       path, n->inputs, n->outputs, n->flops, u->name);
    return registers_find(n, u->name, &u->registers, err);
}

/* ---- the fault-free run ---------------------------------------------------------------------- */

struct recorder {
    struct trace *t;
    const struct dut *m;
    struct register_inputs inputs; /* of a unit before registers: all that it sees */
};

static void hold(void *context)
{
    struct recorder *r = context;
    register_inputs_hold(&r->inputs);
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
    struct trace *t = r->t;
    const uint64_t cycle = dut_cycle(r->m);
    bool isnew;
    if (t->unit->registers) {
        register_inputs_see(&r->inputs, in);
        in = r->inputs.in;
    }
    uint32_t i = vectors_add(&t->seen, in, &isnew);
    t->at[cycle] = i;
    if (isnew && !t->unit->registers)
        trace_good(t, i, own);
    if (t->pair.words) {
        const uint64_t pair = i | (uint64_t)t->at[cycle ? cycle - 1 : 0] << 32;
        i = vectors_add(&t->pair, &pair, &isnew);
    }
    trace_note(t, i, cycle);
}

int control_record(const struct reference *ref, struct trace *t, struct fl_err *err)
{
    const struct unit *u = t->unit;
    struct dut *m = ref->engine->make(ref->img, err);
    if (!m)
        return -1;
    t->seen.words = u->in_words;
    t->pair.words = unit_slow(u);
    t->cycles = ref->cycles;
    t->at = fl_alloc(ref->cycles * sizeof *t->at);
    struct gate_group *gates = gate_group_new(u->netlist, 64); /* without a focus they read all */
    struct recorder r = {.t = t, .m = m};
    struct sm_override by = {.answer = unchanged, .context = &r, .edge = note};
    int bad = ref->engine->replace_unit(m, &sm_control_pins[u->which], 0, &by);
    if (bad)
        fl_fail(err, "the %s has no %s that gates could override; give --engine rtl",
                ref->engine->text, u->name);
    if (!bad && u->registers) {
        by.before = hold;
        by.behind = writes_nothing;
        bad = register_inputs_open(&r.inputs, u->registers, m, err);
        if (!bad)
            register_inputs_focus(&r.inputs, gates);
    }
    if (!bad)
        dut_run(m, ref->cycles);
    register_inputs_close(&r.inputs);
    gate_group_free(gates);
    dut_free(m);
    return bad;
}

static int record(const struct golden *g, const struct reference *ref, struct trace *t, int n,
                  struct fl_err *err)
{
    (void)g;
    for (int i = 0; i < n; i++)
        if (control_record(ref, &t[i], err) != 0)
            return -1;
    return 0;
}

/* What the RTL made of a pattern; of registers it shows in the next cycle, and behind the last one nobody
 * knows. */
static bool good_is(const struct trace *t, uint32_t pattern, uint32_t output, bool netlist)
{
    const struct unit *u = t->unit;
    if (!u->registers)
        return vectors_bit(&t->good[(size_t)trace_vector(t, pattern) * u->out_words], output);
    const uint64_t cycle = t->first[pattern] + 1;
    return cycle == t->cycles
               ? netlist
               : vectors_bit(vectors_at(&t->seen, t->at[cycle]), u->registers->input_of[output]);
}

/* Without a fault the netlist does what the RTL does. */
static int check(const struct trace *t, const struct unit_sim *sim, uint32_t from,
                 struct fl_err *err)
{
    const struct gate_netlist *net = t->unit->netlist;
    for (uint32_t p = 0; p < sim->count; p++)
        for (uint32_t o = 0; o < net->outputs; o++) {
            bool is = gate_sim_value(sim->sim, net->output[o])[p / 64] >> p % 64 & 1;
            if (is != good_is(t, from + p, o, is))
                return fl_fail(err,
                               "%s: output %s is %d in cycle %llu, and in the RTL it is not; the "
                               "netlist was made from another rtl/ or for another profile: make it "
                               "again with scripts/gates",
                               net->file, net->output_name[o], is,
                               (unsigned long long)t->first[from + p]);
        }
    return 0;
}

/* Each netlist is held against the RTL on all that it sees in the run; some are proved. */
static int vet(const struct unit *u, int units, uint64_t vectors, struct fl_err *err)
{
    (void)vectors, (void)err;
    int known = MADE_PROVED;
    for (int i = 0; i < units; i++)
        known = u[i].doubt ? MADE_BY_VECTORS : known;
    return known;
}

/* The outputs that are wrong at the first pattern that shows the fault. */
static void first_wrong(const struct trace *t, uint32_t pattern, uint64_t cycles, uint32_t fault,
                        struct fl_buf *out)
{
    const struct gate_netlist *n = t->unit->netlist;
    struct gate_group *g = gate_group_new(n, 64);
    const char *before = "";
    uint32_t bit;
    (void)cycles;
    fault = registers_fault(t->unit->registers, n, fault, &bit);
    gate_group_set(g, t->unit->faults->model, &fault, 1);
    if (unit_slow(t->unit)) {
        gate_group_eval(g, trace_pattern(t, pattern, true));
        gate_group_clock(g);
    }
    gate_group_eval(g, trace_pattern(t, pattern, false));
    fl_buf_printf(out, "First wrong answer: cycle %llu:", (unsigned long long)t->first[pattern]);
    for (uint32_t o = 0; o < n->outputs; o++) {
        uint64_t w = *gate_group_watched(g, o); /* bit 1 has no fault */
        if ((w ^ w >> 1) & 1) {
            fl_buf_printf(out, "%s %s is %d", before, n->output_name[o], (int)(w & 1));
            before = ",";
        }
    }
    fl_buf_printf(out, ".\n");
    gate_group_free(g);
}

static const struct unit_machine *machine(const struct engine *e)
{
    (void)e;
    return &control_machine;
}

const struct unit_kind control_kind = {.rtl = rtl_of,
                                       .count = SM_CONTROLS,
                                       .name = control_name,
                                       .find = control_find,
                                       .is = control_is,
                                       .cut = 64,
                                       .cut_alone = 4,
                                       .place_bits = 16,
                                       .open = open_unit,
                                       .record = record,
                                       .check = check,
                                       .vet = vet,
                                       .machine = machine,
                                       .first_wrong = first_wrong};
