/* unit.h -- a unit of an SM as gates: its netlist, its faults, and which of its pins is which bit of a vector.
 *
 * Units have no state of their own: what a register of one holds is an input of its gates, and what it will hold an
 * output. Whose units they are, of a lane or of the control, is their kind (kind.h).
 *
 * Beside UNIT.blif lies UNIT.proved when scripts/gates has proved the netlist equal to the RTL: a line
 * `netlist SHA256` of the file and a line `rtl SHA256` of its sources, one behind the other.
 */
#ifndef FAULTSIM_GATE_UNIT_H
#define FAULTSIM_GATE_UNIT_H

#include "gate/sim.h"
#include "registers.h"
#include "vectors.h"

struct unit_kind;
struct error_model;

struct unit {
    const struct unit_kind *kind;
    int which; /* of its kind */
    const char *name;
    struct gate_netlist *netlist;
    struct gate_faults *faults;
    uint32_t in_words, out_words; /* of 64 bits: a vector, an answer */
    uint16_t *place, *output;     /* of each input in a vector; of each output in an answer */
    uint64_t *used;               /* [in_words] the places of a vector that count */
    struct registers *registers;  /* or NULL. Its outputs are what these take, and nothing else */
    /* Hardly a vector comes twice: nothing is kept, only what faults can change is evaluated, over what the RTL
     * answers. */
    bool sees_data;
    struct error_model
        *errors;       /* of a lane: what faults do, in place of the gates; NULL: nothing is */
    const char *doubt; /* why it is not known to be the RTL of this build; NULL: it is proved */
};

/* Reads the netlist of a unit, a file that scripts/gates has made. Refuses one whose ports are not those of the unit,
 * and one with flip-flops. Its faults are stuck-at faults. */
int unit_open(const char *path, const struct unit_kind *kind, int which, struct unit *out,
              struct fl_err *err);
struct gate_how;
/* The same of a netlist of library cells, too, read so. Its faults have the names of pins. */
int unit_open_cells(const char *path, const struct gate_how *how, const struct unit_kind *kind,
                    int which, struct unit *out, struct fl_err *err);
/* Faults of another model. */
void unit_choose(struct unit *u, enum gate_model model);
void unit_close(struct unit *u);

/* Slow gates answer by what the unit had before, too. */
static inline bool unit_slow(const struct unit *u)
{
    return u->faults->model == GATE_TRANSITION;
}

/* Of a vector the netlist's inputs, input i in bit i % 64 of word i / 64. */
void unit_inputs(const struct unit *u, const uint64_t *vector, uint64_t *inputs);
static inline uint32_t unit_input_words(const struct unit *u)
{
    return (u->netlist->inputs + 63) / 64;
}

/* A unit in a simulator of many patterns. */
struct unit_sim {
    const struct unit *unit;
    struct gate_sim *sim;
    uint32_t words, room, count; /* of 64 patterns; patterns */
    uint64_t *source;            /* [inputs * words] */
    uint64_t *care;              /* [outputs * words] the outputs that count, or NULL: all do */
};
enum { UNIT_PATTERNS = 512 }; /* at once, at most */
/* `width` is one of gate_width. */
struct unit_sim unit_sim_new(const struct unit *u, int width);
void unit_sim_free(struct unit_sim *s);
/* Vectors become its patterns, of slow gates in pairs behind those of `before`, which else is not read. */
void unit_sim_load(struct unit_sim *s, const uint64_t *const *now, const uint64_t *const *before,
                   uint32_t count);
/* The patterns of a word in which an output is wrong, and counts. */
static inline uint64_t unit_sim_wrong(const struct unit_sim *s, const struct gate_diff *d,
                                      uint32_t word)
{
    return d->mask[word] & (s->care ? s->care[d->watched * s->words + word] : ~0ull);
}

/* gate/alu_int.sp3/n12.1:sa0, without .sp3 when sp is -1; `out` has room for UNIT_ID. */
enum { UNIT_ID = GATE_ID_ROOM + 32 };
void unit_fault_id(const struct unit *u, int sp, uint32_t fault, char out[UNIT_ID]);
/* What stores call it: alu_int.sp3, gate/flow. Caller frees. */
char *unit_target(const struct unit *u, int sp);
/* The parts of an id such as gate/alu_int.sp3/n12.1:sa0: a name, an SP (-1: it names none), and what stands behind. -1:
 * it is written otherwise. */
enum { UNIT_NAME = 32 };
int unit_split(const char *id, char name[UNIT_NAME], int *sp, const char **fault,
               struct fl_err *err);
/* The same of a unit of this kind: which one, and SP 0 where none is named. -1 too: there is no such unit. */
int unit_parse(const char *id, const struct unit_kind *kind, int *which, int *sp,
               const char **fault, struct fl_err *err);
/* The number of a fault that stands there, and that campaigns have. */
int unit_fault(const struct unit *u, const char *fault, uint32_t *number, struct fl_err *err);

#endif
