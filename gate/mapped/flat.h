/* flat.h -- a design of library cells without its hierarchy, on the way from Verilog to a netlist
 * of gates. Private to this room.
 *
 * Nets have the numbers of their bits in the modules, each module instance its own; nets that a port
 * or an assign connects are one, whose number flat_net returns. Numbers below VL_NETS are constants.
 */
#ifndef GATE_MAPPED_FLAT_H
#define GATE_MAPPED_FLAT_H

#include "gate/build.h"
#include "mapped.h"
#include "verilog.h"

enum { MOST_PATH = 1000 }; /* characters of a name with its hierarchy */

/* A module, instantiated: its nets follow `base`. */
struct flat_scope {
    const struct vl_module *module;
    char *path; /* "" or "u_alu/" */
    uint32_t base, deep;
};

struct flat_instance {
    uint32_t cell; /* of the library */
    char *path;
    uint32_t pin; /* its nets in flat.pin, one a pin of the cell; VL_OPEN: not connected */
    uint32_t line;
    uint32_t clock_pin; /* it only passes the clock on, from this pin; or LIB_NONE */
};

struct flat {
    const char *path; /* of the file */
    const struct gate_how *how;
    struct library l;
    struct verilog v;
    const struct vl_module *top;
    struct flat_scope *scope;
    uint32_t scopes, room_scopes;
    uint32_t *parent, *scope_of; /* [nets] */
    uint32_t nets, room_nets;
    struct flat_instance *instance;
    uint32_t instances, room_instances;
    uint32_t *pin, pins, room_pins;
    /* by number of a net that flat_net returns */
    uint32_t *driver, *driver_pin; /* an instance + 1; 0: none */
    uint32_t *input;               /* the net of the input port that it is; 0: of none */
    uint32_t *clock;               /* 1 + net of the port that clocks it; 0: it is no clock */
    bool *falling;                 /* of a clock: its edges are those of the port inverted */
    uint8_t *no_clock;             /* a search for clocks has ended here: 1; for known ones: 2 */
    struct fl_err *err;
};

/* Modules to instances and nets; drivers of nets. */
int flat_make(struct flat *f);
/* Which nets carry the clock, from the flip-flops back to ports. */
int flat_clocks(struct flat *f);
/* The pin that clocks a flip-flop; `inverts`: by its falling edge. */
int flat_clock_pin(struct flat *f, uint32_t instance, uint32_t *pin, bool *inverts);
/* Cells as gates and flip-flops, ports as inputs and outputs. */
int flat_to_gates(struct flat *f, struct gate_build *b);
void flat_free(struct flat *f);

uint32_t flat_net(struct flat *f, uint32_t net);
/* The name of a net for messages: static until the next call with the same buffer. */
const char *flat_net_name(const struct flat *f, uint32_t net, struct fl_buf *out);

static inline const struct lib_cell *flat_cell(const struct flat *f, uint32_t instance)
{
    return &f->l.cell[f->instance[instance].cell];
}

/* What pin p of an instance is connected to. */
static inline uint32_t flat_at(struct flat *f, uint32_t instance, uint32_t p)
{
    return flat_net(f, f->pin[f->instance[instance].pin + p]);
}

#endif
