/* faults.h -- the faults of a netlist, collapsed.
 *
 * A site is a net, a pin: one input of the cell that drives a net, or a port: an output whose net
 * has other readers too. Sites are numbered nets first, then pins as in the netlist's `literal`,
 * then ports as in its `port`. Each site has two faults.
 */
#ifndef GATE_FAULTS_H
#define GATE_FAULTS_H

#include "netlist.h"

enum gate_model {
    GATE_STUCK,      /* value 0: sa0, value 1: sa1 */
    GATE_TRANSITION, /* value 0: str, slow to rise: still 0 where it rises; value 1: stf */
};

/* A fault's number: 2 * site + value. */
#define GATE_FAULT(site, value) ((uint32_t)(site) << 1 | (uint32_t)(value))
#define GATE_SITE(fault)        ((fault) >> 1)
#define GATE_STUCK_AT(fault)    ((fault)&1u)

/* What a fault holds its site at: a clock that is stuck at either value stops. */
static inline bool gate_stuck_value(const struct gate_netlist *n, uint32_t fault)
{
    return GATE_STUCK_AT(fault) && !(n->stops && n->stops[GATE_SITE(fault)]);
}

/* Classes of faults that no input can tell apart. A class is called by its representative, its
 * fault of the lowest number. */
struct gate_faults {
    enum gate_model model;
    uint32_t all;    /* faults before they were collapsed: two a site */
    uint32_t listed; /* of them: all; in a netlist of library cells, two a place that has a name */
    uint32_t count;  /* classes */
    uint32_t *fault; /* [count] representatives, ascending */
    uint32_t *members;  /* [count] how many of the listed faults a class has */
    uint32_t *class_of; /* [all]; UINT32_MAX: no place has it, or it is in no class of this part */
};

/* All faults of a model: stuck-at faults collapsed by equivalence at each cell and along each wire
 * that has one reader, but not across flip-flops; transition faults along wires, buffers and inverters alone. */
struct gate_faults *gate_faults_new(const struct gate_netlist *n, enum gate_model model);
void gate_faults_free(struct gate_faults *f);

/* n12:sa0 is net 12 stuck at 0, n12.1:sa0 pin 1 of the cell that drives it, o3:sa0 output 3; where
 * the place has a name, U3/A1:sa0. For transition faults str and stf. */
enum { GATE_ID_ROOM = 1280 }; /* names have at most 1,000 characters, and a pin */
const char *gate_fault_id(const struct gate_netlist *n, enum gate_model model, uint32_t fault,
                          char out[GATE_ID_ROOM]);
/* The number of a fault that is written so. */
int gate_fault_parse(const struct gate_netlist *n, enum gate_model model, const char *id,
                     uint32_t *fault, struct fl_err *err);

/* A list as a file: the netlist's digest, the model, how many classes, then a line a class, the representative first.
 */
void gate_faults_print(const struct gate_netlist *n, const struct gate_faults *f,
                       struct fl_buf *out);
/* The listed faults of each class as chains, the representative first: row by row, where a row is 2 * place + value or, where no
 * place has a name, a fault. UINT32_MAX ends a chain. */
struct gate_chains {
    uint32_t *first, *next; /* [classes], [rows] */
};
struct gate_chains gate_chains_of(const struct gate_netlist *n, const struct gate_faults *f);
void gate_chains_free(struct gate_chains *c);
/* The place of a row, without the fault there. */
const char *gate_row_name(const struct gate_netlist *n, uint32_t row, char out[GATE_ID_ROOM]);
/* For who reads such files, line by line. */
struct gate_list {
    void *of;
    /* A remark names the netlist of the lines below. */
    int (*netlist)(void *of, const char *digest, struct fl_err *err);
    /* An id. `first`: the line begins with it; the others are of its class. */
    int (*id)(void *of, const char *id, bool first, struct fl_err *err);
};
/* -1: see err, with the line; a list of another model, or one that is cut short, is refused. */
int gate_list_read(const char *path, enum gate_model model, const struct gate_list *l,
                   struct fl_err *err);
/* Those classes of f whose faults such a file names, first on each line. A file of another netlist
 * or model is refused. */
int gate_faults_read(const char *path, const struct gate_netlist *n, const struct gate_faults *f,
                     struct gate_faults **out, struct fl_err *err);
/* Those classes of f that are wanted. */
struct gate_faults *gate_faults_part(const struct gate_faults *f, const bool *wanted);
/* One fault's class alone. */
struct gate_faults *gate_faults_of(const struct gate_faults *f, uint32_t fault);
extern const char *const gate_model_name[2]; /* stuck-at, transition */

/* The model of that name; transition-delay is the same as transition. -1: none. */
int gate_model_find(const char *name);

enum gate_place { GATE_AT_NET, GATE_AT_PIN, GATE_AT_PORT };

/* What a site is, and its number there: a net, a pin in `literal`, or an output. */
static inline enum gate_place gate_site(const struct gate_netlist *n, uint32_t site, uint32_t *at)
{
    bool port = site >= n->nets + n->pins;
    *at = site < n->nets ? site : port ? n->port[site - n->nets - n->pins] : site - n->nets;
    return site < n->nets ? GATE_AT_NET : port ? GATE_AT_PORT : GATE_AT_PIN;
}

/* The net whose value a site carries. */
static inline uint32_t gate_site_net(const struct gate_netlist *n, uint32_t site)
{
    uint32_t at;
    switch (gate_site(n, site, &at)) {
    case GATE_AT_PIN: return GATE_NET(n->literal[at]);
    case GATE_AT_PORT: return n->output[at];
    default: return site;
    }
}

#endif
