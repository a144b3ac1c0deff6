/* join.h -- a netlist whose outputs drive further netlists, as one netlist.
 *
 * A file of constraints says so (constrain.h):
 *
 *     into uop.blif
 *     uop.insn_i[302:0] <- insn_o[302:0]
 *
 * Inputs of the further netlists that nothing drives are free; their ports are called NETLIST.NAME. An output that drives something is
 * no output of the whole, unless a `watch` line names it. A fault of the first netlist is a fault of the whole.
 */
#ifndef GATE_PROVE_JOIN_H
#define GATE_PROVE_JOIN_H

#include "gate/faults.h"

struct gate_join {
    const struct gate_netlist *first;
    struct gate_netlist *n; /* all of them */
    uint32_t *net;          /* [nets of the first] its net in the whole */
    uint32_t *port;         /* [outputs of the first] the net that carries it to its readers */
    struct gate_joined {
        char *name; /* what its ports are called by */
        struct gate_netlist *n;
        uint32_t line;
        uint32_t *net;    /* [nets] in the whole; of inputs that are driven, what drives them */
        uint32_t *driver; /* [inputs] the name of the build that drives it, + 1; 0: free */
    } * part;
    uint32_t parts;
};

/* What the lines `into` and `<-` of a file make of n; *out is NULL where there are none. */
int gate_join_text(const char *path, const char *text, const struct gate_netlist *n,
                   struct gate_join **out, struct fl_err *err);
void gate_join_free(struct gate_join *j);

/* Whether a line of such a file is one of these, which say nothing else. */
bool gate_join_line(const char *from, const char *to);

/* The net of an output of the first netlist, NAME, or of a further one, NETLIST.NAME; UINT32_MAX: there is none. */
uint32_t gate_join_output(const struct gate_join *j, const char *name);

/* A fault of the first netlist as one of the whole; the faults of a list: class i of `f` is class i here. */
uint32_t gate_join_fault(const struct gate_join *j, uint32_t fault);
struct gate_faults *gate_join_faults(const struct gate_join *j, const struct gate_faults *f);

#endif
