/* lane.h -- self-tests of the logic of a lane: its units' gates, from groups that faultsim gate --groups wrote.
 *
 * A group is an instruction with four operand sets, and the faults that they show. Here the cheapest groups are
 * chosen that show all faults, and become a program: several warps share them, operands come from shared memory,
 * and each thread folds its results into a signature. What the signatures are is for a run to say (smrun --sign):
 * the arithmetic is not ours. docs/explain/sbst-gates.md.
 */
#ifndef LANE_H
#define LANE_H

#include "gen/sbst.h"

enum { LANE_SETS = 4, LANE_MAX_OPERANDS = 4, LANE_MAX_UNITS = 4, LANE_MAX_WARPS = 16 };

struct lane_operand {
    char to[8]; /* a register, or "memory": the instruction fetches it itself */
    uint32_t word[LANE_SETS];
};

struct lane_group {
    char *insn;
    int price;  /* instructions executed */
    bool flags; /* C0 is folded too */
    int carry;  /* that C0 has to hold; -1: any */
    struct lane_operand operand[LANE_MAX_OPERANDS];
    int operands;
    uint64_t *shows; /* a bit a fault */
};

/* A file of groups: one unit. */
struct lane_groups {
    char *path, *unit, *netlist;
    char **fault; /* ids */
    long faults, words, shown;
    struct lane_group *group;
    int count;
    uint8_t *wanted; /* [faults] groups that have to show it, at least, where there are so many */
    long first_slow; /* stuck gates are below this number, slow ones from here on */
    long spare;      /* so many wanted slow ones may stay without a group */
};

int lane_groups_load(const char *path, struct lane_groups **out, struct fl_err *err);
void lane_groups_free(struct lane_groups *g);
/* Faults that a judge has found undetected, a line each with an id of faultsim: each of them is wanted once more.
 * The number of them that are of this unit, or -1. */
long lane_groups_left(struct lane_groups *g, const char *path, struct fl_err *err);

/* So many of the slow ones suffice; 0: all. */
void lane_groups_suffice(struct lane_groups *g, long slow);

/* Numbers of groups that show each fault as often as it is wanted, for few instructions. Caller frees. */
int *lane_cover(const struct lane_groups *g, int *count);

/* One launch: the test of one unit. */
struct lane_launch {
    const struct lane_groups *groups;
    int *chosen, count;
    int warps, chunks; /* loads of four words that a thread does for operands */
    uint32_t *data;    /* what the buffer holds */
    int words, executed, instructions;
};

struct lane_program {
    const struct sbst_machine *machine;
    char *name, *command, *about;
    struct lane_launch launch[LANE_MAX_UNITS];
    int launches;
    struct fl_buf source;
};

/* A program of `n` files of groups; `warps` of each launch. */
int lane_compose(const struct lane_groups *const *g, int n, const char *unit, int warps,
                 const struct sbst_machine *machine, struct lane_program *out, struct fl_err *err);
void lane_program_free(struct lane_program *p);
/* Where the buffer of a launch lies. */
uint32_t lane_address(int launch);
/* Bytes of shared memory behind header and parameters. */
int lane_shared(const struct lane_launch *l);
int lane_executed(const struct lane_program *p);
/* All files of the program in `dir`, or none. */
int lane_write_files(const struct lane_program *p, const char *dir, const struct fl_files *read,
                     struct fl_err *err);

/* What sbstgen is asked for. */
struct lane_options {
    const char *unit, *groups, *left, *profile,
        *dir;    /* groups: files with commas between; left, profile: or NULL */
    long enough; /* slow gates of `left` that suffice in each unit; 0: all */
    int warps;
    const struct fl_files *read; /* what no file goes over, or NULL */
};
/* alu_int, alu_fp, alu_cvt, sfu or lane: the name that all tools print, of a name that a user may write, as alu-int and
 * cvt; NULL: no such unit. */
const char *lane_unit(const char *name);
/* Of 0 to LANE_MAX_UNITS - 1. */
const char *lane_unit_name(int unit);
/* All of it, and a line that says what was written. Returns 0, 1 for a problem or 2 for wrong usage. */
int lane_make(const struct lane_options *o, struct fl_buf *report, struct fl_err *err);

#endif
