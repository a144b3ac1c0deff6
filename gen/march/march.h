/* march.h -- self-tests of memories: March tests by name, how each memory is reached, and the
 * programs that come of both.
 *
 * A march is a line of sbst/march.xml, an order and operations for each element. A row of
 * sbst/units.xml says with which instructions a unit of the machine is written, read and compared,
 * what fills it, and in which passes it is tested. A program is the march printed through the row,
 * cell by cell, without loops. docs/explain/sbst-units.md, "Memories".
 */
#ifndef MARCH_H
#define MARCH_H

#include "gen/sbst.h"

enum {
    MARCH_MAX_ELEMENTS = 16,
    MARCH_MAX_STEPS = 8,
    MARCH_MAX_DATA = 4,
    MARCH_MAX_PASSES = 4,
    MARCH_MAX_PARTS = 63
};

enum march_order { MARCH_ANY, MARCH_UP, MARCH_DOWN };
/* MARCH_INVERT reads what the cell should hold and writes its complement. */
enum march_kind { MARCH_READ, MARCH_WRITE, MARCH_INVERT };

struct march_step {
    enum march_kind kind;
    int value; /* that is read, or written; MARCH_INVERT: read */
    int data;  /* of the unit: what 0 and 1 mean */
};

struct march_element {
    enum march_order order;
    struct march_step step[2 * MARCH_MAX_STEPS];
    int nsteps;
};

struct march {
    char *name, *file, *title; /* "c-", in names of files "c-minus", "March C-" */
    bool pass;                 /* no march to ask for: a pass that units have */
    struct march_element element[MARCH_MAX_ELEMENTS];
    int nelements;
};

/* "any(w0) up(r0 w1) down(i) any(r1)". Refuses a march that reads anything but what it wrote. */
int march_parse(const char *text, struct march *out, struct fl_err *err);

struct march_data {
    char *name;
    char *value[2]; /* the operand that is 0, and 1; the second may be missing */
    char *setup;    /* before its pass; or NULL */
    int flag;       /* the condition register that its comparisons leave */
    bool plain;     /* all bits alike: what <turn> writes */
};

enum march_fills { MARCH_REGISTERS, MARCH_SHARED, MARCH_WARPS };

/* Lines of sasm; in braces what the program puts there. */
struct march_unit {
    char *name, *title, *saves;
    enum march_fills fills;
    int cells;       /* of a warp; 0: as many as it takes */
    int least, most; /* that a warp can have */
    int regs;        /* of a thread; 0: one for each cell */
    uint32_t expect; /* what every thread leaves */
    char
        *follows; /* the unit whose fault it names, or NULL; a test of all memories leaves it out */
    char *constants, *begin, *end, *write, *read, *invert, *turn[2];
    char *fetch, *through; /* a cell into that register, where cells are no registers or flags */
    struct march_data data[MARCH_MAX_DATA];
    int ndata;
    struct march_pass {
        char *march; /* or NULL: the one that is asked for */
        int data;
    } pass[MARCH_MAX_PASSES];
    int npasses;
};

struct march_library {
    struct march *march;
    int nmarches;
    struct march_unit *unit;
    int nunits;
};

/* sbst/march.xml and sbst/units.xml of `root`. */
int march_library_load(const char *root, struct march_library **out, struct fl_err *err);
void march_library_free(struct march_library *lib);
const struct march *march_find(const struct march_library *lib, const char *name);
const struct march_unit *march_unit_find(const struct march_library *lib, const char *name);

struct march_request {
    const struct march_unit *unit;
    const struct march *march;
    bool alone;   /* the march on plain data and nothing else */
    bool compare; /* each SM of the chip leaves an output, to be held against those of the others */
    bool inside;  /* macros for the middle of a kernel, which give back what they overwrite */
    /* A part of a test that was cut, from 1; 0: all of it. Passes from the first; cells from the
     * first, the one behind the last is cell 0. */
    int part, first_pass, passes, first_cell, cells;
    struct sbst_budget budget; /* of a part */
};

struct march_program {
    const struct march_library *lib;
    const struct sbst_machine *machine;
    struct march_request request;
    char *name, *command, *about;
    int blocks, warps, cells, regs; /* warps of a block, cells of a warp, registers of a thread */
    struct march_element element[MARCH_MAX_PASSES * MARCH_MAX_ELEMENTS];
    int pass_of[MARCH_MAX_PASSES * MARCH_MAX_ELEMENTS];
    int nelements;
    struct fl_buf source;
    /* lines of the source that are instructions: of the beginning, each element, the end */
    int begin, body[MARCH_MAX_PASSES * MARCH_MAX_ELEMENTS], end;
    int saved;              /* bytes of local memory in which macros keep what they overwrite */
    int accesses, barriers; /* instructions that go to global or local memory; barriers */
};

/* Is there a number of warps that fills the memory? Else no test of it is possible on this machine. */
bool march_fills(const struct march_unit *unit, const struct sbst_machine *machine);
int march_compose(const struct march_library *lib, const struct sbst_machine *machine,
                  const struct march_request *request, struct march_program *out,
                  struct fl_err *err);
int march_threads(const struct march_program *p); /* of an SM */
void march_program_free(struct march_program *p);
int march_instructions(const struct march_program *p);            /* of a warp */
int march_executed(const struct march_program *p);                /* by all warps */
int march_bytes(const struct march_program *p);                   /* of code */
int march_cycles(const struct march_program *p);                  /* at most */
uint32_t march_expect(const struct march_program *p, int thread); /* what it leaves */
/* An element as march.xml writes it. */
void march_element_text(const struct march_element *e, struct fl_buf *out);

/* Cuts a test into as few parts as fit the budget, in order: passes, and a pass that is too much by
 * itself into runs of cells that share their ends, so that all neighbours meet. Appends to *out, the
 * caller frees each program and the array. Returns 1, without a message, when that is not possible: march_least
 * knows what is. */
int march_split(const struct march_library *lib, const struct sbst_machine *machine,
                const struct march_request *request, const struct sbst_budget *budget,
                struct march_program **out, int *count, struct fl_err *err);
/* The largest of the smallest parts that a test can be cut into: no smaller budget will do. */
struct march_least {
    int amount;              /* cycles or bytes */
    const char *unit, *pass; /* of that part: the unit, and the data of its pass */
    int cells;
};
/* Raises both to what this unit needs. */
int march_least(const struct march_library *lib, const struct sbst_machine *machine,
                const struct march_request *request, struct march_least *cycles,
                struct march_least *bytes, struct fl_err *err);
/* What to run in which order: a line for each program. */
void march_write_schedule(const struct march_program *p, int count, struct fl_buf *out);

/* NAME.sasm of each, in `dir`: macros to include. */
int march_write_macros(const struct march_program *p, int count, const char *dir,
                       const struct fl_files *read, struct fl_err *err);

/* For sbst_write_sets. */
struct sbst_set march_set(const struct march_program *p);

#endif
