/* unit.c -- see unit.h. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "faultsim/gate/unit.h"

/* Units that decide see few different vectors. */
static const bool decides[SM_CONTROLS] = {[SM_CONTROL_SCHED] = true,
                                          [SM_CONTROL_DECODE] = true,
                                          [SM_CONTROL_UOP] = true,
                                          [SM_CONTROL_FLOW] = true};

const char *control_unit_name(enum sm_control which)
{
    return sm_control_pins[which].unit;
}

int control_unit_find(const char *name)
{
    for (int i = 0; i < SM_CONTROLS; i++)
        if (strcmp(sm_control_pins[i].unit, name) == 0)
            return i;
    return -1;
}

bool control_unit_is(enum sm_control which, const char *name)
{
    const char *of = decides[which] ? "control" : which < SM_CONTROL_SLOT ? "ports" : "pipeline";
    return fl_same_name(name, control_unit_name(which)) || strcmp(name, of) == 0;
}

int control_unit_open(const char *path, enum sm_control which, struct control_unit *u,
                      struct fl_err *err)
{
    *u = (struct control_unit){.which = which, .sees_data = !decides[which]};
    if (gate_read(path, &u->netlist, err) != 0)
        return -1;
    const struct gate_netlist *n = u->netlist;
    if (n->flops || n->inputs > SM_CONTROL_BITS || n->outputs > SM_CONTROL_BITS) {
        fl_fail(err,
                "%s: %u inputs, %u outputs and %u flip-flops are not those of %s; make the netlist "
                "anew: scripts/gates",
                path, n->inputs, n->outputs, n->flops, control_unit_name(which));
        control_unit_close(u);
        return -1;
    }
    if (control_registers_find(n, control_unit_name(which), &u->registers, err) != 0) {
        control_unit_close(u);
        return -1;
    }
    control_unit_choose(u, GATE_STUCK);
    u->in_words = (n->inputs + 63) / 64;
    u->out_words = (n->outputs + 63) / 64;
    u->doubt = unit_doubt(path, FAULTLINE_CONTROL_RTL);
    return 0;
}

void control_unit_choose(struct control_unit *u, enum gate_model model)
{
    gate_faults_free(u->faults);
    u->faults = gate_faults_new(u->netlist, model);
    if (!u->registers)
        return;
    struct gate_faults *all = u->faults;
    u->faults = control_registers_faults(u->registers, u->netlist, all);
    gate_faults_free(all);
}

void control_unit_close(struct control_unit *u)
{
    gate_faults_free(u->faults);
    control_registers_free(u->registers);
    gate_netlist_free(u->netlist);
    *u = (struct control_unit){0};
}

void control_fault_id(const struct control_unit *u, uint32_t fault, char out[CONTROL_ID])
{
    char id[GATE_ID_ROOM];
    snprintf(out, CONTROL_ID, "gate/%s/%s", control_unit_name(u->which),
             gate_fault_id(u->netlist, u->faults->model, fault, id));
}
