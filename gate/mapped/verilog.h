/* verilog.h -- structural Verilog as data: modules, nets bit by bit, instances. Private to this
 * room.
 *
 * IEEE 1364-2005, as far as netlists of synthesis use it: ports, wires, buses, assign of nets to
 * nets, instances, concatenations, selects, constants, gate primitives, escaped names. What
 * describes behaviour is refused with its line.
 */
#ifndef GATE_MAPPED_VERILOG_H
#define GATE_MAPPED_VERILOG_H

#include "liberty.h"

/* A bit of a module: a net of it, or a constant. */
enum { VL_ZERO, VL_ONE, VL_UNKNOWN, VL_OPEN, VL_NETS }; /* nets are numbered from VL_NETS */

enum vl_direction { VL_WIRE, VL_INPUT, VL_OUTPUT, VL_INOUT };

struct vl_symbol {
    char *name;
    bool bus;
    bool fresh; /* a port of the header: neither declared nor used yet */
    uint8_t direction;
    int32_t msb, lsb;
    uint32_t first; /* its bits, from msb to lsb */
    uint32_t line;
};

struct vl_pin {
    char *name;           /* NULL: by position */
    uint32_t first, bits; /* in the module's list of bits; none: not connected */
};

struct vl_instance {
    char *cell, *name;
    uint32_t primitive; /* a cell of the library, or LIB_NONE */
    uint32_t first, pins, line;
};

struct vl_assign {
    uint32_t left, right, bits, line; /* in the list of bits */
};

struct vl_module {
    char *name;
    uint32_t line;
    bool used; /* another module, or one that the library stands for, names it */
    struct vl_symbol *symbol;
    uint32_t symbols, room_symbols, *slot, slots;
    uint32_t *port, ports, room_ports; /* symbols */
    uint32_t nets;                     /* numbers of nets end here */
    uint32_t *net_symbol;              /* [nets - VL_NETS] */
    uint32_t room_nets;
    uint32_t *bit, bits, room_bits;
    struct vl_pin *pin;
    uint32_t pins, room_pins;
    struct vl_instance *instance;
    uint32_t instances, room_instances;
    struct vl_assign *assign;
    uint32_t assigns, room_assigns;
};

struct verilog {
    const char *path;
    struct vl_module *module;
    uint32_t modules, room;
};

/* Modules whose name is a cell of the library are passed over: the library knows them better. */
int verilog_read(struct verilog *v, const char *path, const char *text, struct library *l,
                 struct fl_err *err);
/* The number of a module, or UINT32_MAX. */
uint32_t verilog_find(const struct verilog *v, const char *name);
/* The name of net `net`, with its index where it is a bit of a bus. */
void verilog_net_name(const struct vl_module *m, uint32_t net, struct fl_buf *out);
void verilog_free(struct verilog *v);

static inline uint32_t vl_width(const struct vl_symbol *s)
{
    return (uint32_t)(s->msb >= s->lsb ? s->msb - s->lsb : s->lsb - s->msb) + 1;
}

#endif
