/* trace.h -- the trace of one fault, from injection to outcome: in sentences, and as what both machines commit around the
 * first differences. Who makes it: faultsim/verdict/explain.c; who draws it: faultsim/pages/trace_html.c.
 *
 * Rows are of one warp at a time: a few before the first difference, each difference that the sentences name, and a few behind
 * it. Up to a divergence of control both machines commit the same instructions; behind it a row has what each does next.
 */
#ifndef FAULT_TRACE_H
#define FAULT_TRACE_H

#include "base/fl.h"
#include "outcome.h"
#include "sm/machine.h"

enum { TRACE_GOLDEN, TRACE_FAULTY, TRACE_MACHINES };

enum trace_event {
    TRACE_NONE,
    TRACE_POP,      /* of a stack entry that the fault changes */
    TRACE_REGISTER, /* the first wrong result */
    TRACE_STORE,    /* the first wrong value or address in a store */
    TRACE_CONTROL,  /* the first divergence of control */
    TRACE_EVENTS
};
/* "First wrong result in a register" */
const char *trace_event_text(enum trace_event e);

/* The divergence stack of a warp, without entries that are spilled. */
struct trace_stack {
    int depth;
    struct trace_entry {
        uint8_t id;
        uint32_t tm, spc;
    } le[SM_MAX_LE];
};

struct trace_row {
    enum trace_event event;
    bool skipped; /* instructions of the warp are left out before it */
    struct trace_side {
        bool there;
        struct sm_commit commit;
        struct trace_stack stack; /* behind the commit; of events */
        bool has_stack;
    } of[TRACE_MACHINES];
};

struct fault_trace { /* zero-initialise */
    char *id;
    enum fsim_outcome outcome;
    char *reason;
    uint64_t injected;  /* its cells are wrong from this cycle on */
    uint64_t activated; /* cycle; FSIM_NEVER */
    uint64_t end;       /* of the faulty run; FSIM_NEVER: none */
    uint64_t cycles;    /* of the fault-free run */
    uint32_t kept;      /* its wrong elements, where they are kept (faultsim/outputs/outputs.h) */
    struct fl_buf text; /* sentences, and the rows of events as sm/trace prints commits */
    struct trace_row *row;
    int rows, room;
};
void fault_trace_free(struct fault_trace *t);
struct trace_row *fault_trace_row(struct fault_trace *t);

/* What the stack was before a commit, from what it is behind it. */
struct trace_stack trace_stack_before(const struct trace_stack *behind, const struct sm_commit *c);

/* Does it write memory? */
bool trace_stores(const struct sm_commit *c);
/* Of `lanes` those in which two vectors differ. */
uint32_t trace_values_differ(const uint32_t *a, const uint32_t *b, uint32_t lanes);
/* Of two instructions at one place the lanes whose results, addresses or data differ, or which one of the two does not
 * execute; else all lanes. */
uint32_t trace_lanes_differ(const struct sm_commit *golden, const struct sm_commit *faulty);

#endif
