/* lists.h -- fault lists of other tools: read, and written with what became of each fault.
 *
 * The forms are those of public files of TetraMAX (write_faults), FastScan and Tessent (write_faults), and VC Z01X (.sff).
 * Their classes have the same letters for different things: UD is undetectable in TetraMAX and undetected in FastScan, ND not
 * detected in TetraMAX and, in Z01X, not observed but diagnosed. So a list is always one of a named form.
 */
#ifndef GATE_LISTS_LISTS_H
#define GATE_LISTS_LISTS_H

#include "gate/faults.h"
#include "gate/patterns.h"

/* What is known of a class of faults. */
enum gate_status {
    GATE_IS_DETECTED,
    GATE_IS_IMPLIED,     /* of the clock or the scan path, which no vector of the proof exercises */
    GATE_IS_POSSIBLE,    /* only where the fault-free machine, or the faulty one, is unknown */
    GATE_IS_UNTESTABLE,  /* redundant */
    GATE_IS_TIED,        /* untestable: the site always has this value */
    GATE_IS_UNUSED,      /* untestable: nothing observed depends on the site */
    GATE_IS_CONSTRAINED, /* untestable under the constraints */
    GATE_IS_UNOBSERVED,  /* simulated, not detected: the site had the other value */
    GATE_IS_UNCONTROLLED, /* simulated, and the site never had the other value */
    GATE_IS_UNDECIDED,    /* the proof was given up */
    GATE_STATUSES
};

enum gate_form {
    GATE_FORM_OWN,
    GATE_FORM_TETRAMAX,
    GATE_FORM_FASTSCAN,
    GATE_FORM_Z01X,
    GATE_FORMS
};
extern const char *const gate_form_name[GATE_FORMS];

/* A list as the tool writes it: status[class]; `collapsed`: representatives alone. */
void gate_lists_write(const struct gate_netlist *n, const struct gate_faults *f,
                      enum gate_form form, bool collapsed, const uint8_t *status,
                      struct fl_buf *out);

/* What a list names. */
struct gate_listed {
    enum gate_form form;
    struct gate_faults *faults; /* the classes of which it names a fault */
    uint8_t *
        status; /* [classes] UNTESTABLE, TIED, UNUSED, CONSTRAINED; UNDECIDED: anything else, which a simulation finds */
    uint32_t elsewhere; /* faults of Z01X at places other than ports, left out */
};

/* Its form shows in its first lines. Names may begin with the path of the netlist in a test bench, the same in all lines. Refused:
 * a fault with two different classes, and a class of equivalent faults that is both detected and undetectable. */
int gate_lists_read(const char *path, const struct gate_netlist *n, const struct gate_faults *f,
                    struct gate_listed *out, struct fl_err *err);
void gate_listed_free(struct gate_listed *l);

/* How untestable a class is, by constants and by what reads the site: TIED, UNUSED or UNTESTABLE, into status[] of classes
 * that are UNTESTABLE; and UNCONTROLLED for UNOBSERVED ones. values[net] has bit v where the net has had the value v, or is
 * NULL. */
void gate_lists_refine(const struct gate_netlist *n, const struct gate_faults *f,
                       const uint8_t *values, uint8_t *status);

/* Faults by class of a form, and the coverage as these tools print it. */
struct gate_summary {
    uint32_t detected, possible, untestable, constrained, other, all; /* faults */
    double test, fault;                                               /* coverage in % */
};
struct gate_summary gate_summary_of(const struct gate_faults *f, const uint8_t *status);

#endif
