/* control.h -- self-tests of the memories and registers that control an SM: stacks, PCs, masks,
 * thread states, barriers, scheduler.
 *
 * A test is sasm written by hand, a file of sbst/control/ with a row in sbst/control.xml. Here it
 * becomes a program for a profile: a kernel for each launch, which finds the sizes of the machine
 * and of the launch as names, and the digest of the outputs to expect. docs/explain/sbst-units.md, "Control".
 */
#ifndef CONTROL_H
#define CONTROL_H

#include "gen/sbst.h"

enum {
    CONTROL_MAX_LAUNCHES = 16,
    CONTROL_CHUNK = 128 /* bytes that a warp accesses at once */
};

/* ONE: a single warp. FEWEST: all warps, in as few blocks as hold them evenly. SLOTS: a launch for each block slot that
 * needs one, so that every slot has had as many warps as it can. */
enum control_shapes { CONTROL_FEWEST, CONTROL_SLOTS, CONTROL_ONE };

struct control_unit {
    char *name, *title, *saves;
    char *text; /* of its file */
    enum control_shapes shapes;
    int lives;       /* launches of each shape */
    uint32_t expect; /* what every thread leaves */
    char *instead;   /* of it, what a test of all memories has; or NULL */
    char *cache;     /* that it fills, or NULL; then it is no part of a test of all memories */
};

struct control_library {
    char *common; /* macros that the files use */
    struct control_unit *unit;
    int nunits;
};

/* sbst/control.xml of `root`, and the files it names. */
int control_library_load(const char *root, struct control_library **out, struct fl_err *err);
void control_library_free(struct control_library *lib);
const struct control_unit *control_unit_find(const struct control_library *lib, const char *name);

struct control_launch {
    int blocks, warps; /* warps of a block */
    int tested;        /* so many warps of each block have been tested in a launch of more blocks */
    int life;
};

struct control_program {
    const struct control_unit *unit;
    const struct sbst_machine *machine;
    const struct sbst_cache *cache; /* or NULL */
    char *name, *command, *about;
    struct control_launch launch[CONTROL_MAX_LAUNCHES];
    int nlaunches;
    struct fl_buf source;
};

int control_compose(const struct control_library *lib, const struct control_unit *unit,
                    const struct sbst_machine *machine, struct control_program *out,
                    struct fl_err *err);
void control_program_free(struct control_program *p);

/* For sbst_write_sets. */
struct sbst_set control_set(const struct control_program *p);
/* Its line of a schedule, as part `part`. Its programs have loops, so the cells of instructions and cycles stay empty:
 * smrun --measure writes them. */
int control_write_part(const struct control_program *p, int part, struct fl_buf *out,
                       struct fl_err *err);
/* All files of the program in `dir`, or none. */
int control_write_files(const struct control_program *p, const char *dir,
                        const struct fl_files *read, struct fl_err *err);

#endif
