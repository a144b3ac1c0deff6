/* gates.h -- self-tests of the gates of an SM's control, for the units of faultsim gate: random mixes of all
 * instructions, and templates for what random ones do not reach.
 *
 * sbst/gates.xml names the programs and the units that each of them is for. A program depends on the profile, the seed
 * and the budget of cycles alone. Its expected outputs come from a run (smrun --sign): gen knows no arithmetic.
 * docs/explain/sbst-control-gates.md.
 */
#ifndef GATES_H
#define GATES_H

#include "gen/sbst.h"

enum { GATES_UNITS = 24 };

/* The name of a unit, as faultsim gate --unit has it, and the group that it belongs to. */
const char *gates_unit_name(int unit);
const char *gates_unit_group(int unit);
/* A bit for each unit of a list with commas, which may have groups and "all"; 0 with err filled in. */
uint32_t gates_units(const char *list, struct fl_err *err);
/* The names of these units, with `between` between. The caller frees it. */
char *gates_unit_list(uint32_t units, const char *between);

/* ---- the library ------------------------------------------------------------------------------------------------- */

enum {
    GATES_MAX_LAUNCHES = 16,
    GATES_MAX_BUFFERS = 24,
    GATES_MAX_PARAMETERS = 63,
    GATES_TEXTURES = 32
};

struct gates_shape {
    int blocks, warps; /* resident at once; warps of a block, 0: as many as there can be */
    int less;          /* threads that the last warp of a block lacks */
    int waves; /* blocks of the grid, in resident ones: later ones start where others have ended */
    int parameters; /* words of parameters that the launch has, at most */
    int shared;     /* bytes of shared memory of a block, 0: those of the kernel */
};

struct gates_buffer {
    char *name; /* of the buffer, in capitals that of the parameter with its address */
    uint32_t address, bytes;
};

struct gates_row {
    char *name, *title;
    uint32_t units;
    int cycles;     /* of a mix, where no budget is given */
    uint32_t flow;  /* of a mix: per cent of the steps that are control flow */
    bool witnesses; /* a mix of a file of witnesses */
    bool hosted;    /* a mix without banks of constants, which a host cannot write */
    /* of a template */
    char *file, *text; /* NULL: a mix */
    bool full;         /* every launch fills all warp slots that its blocks can have */
    int parameters;    /* words with random values, at most */
    uint32_t textures; /* units that have one */
    bool constants;    /* bank 0 has random words */
    char *trap;        /* that its only launch ends in, or NULL */
    int variants;      /* of a template with a trap: a program each */
    struct gates_shape shape[GATES_MAX_LAUNCHES];
    struct gates_buffer buffer[GATES_MAX_BUFFERS];
    int shapes, buffers;
};

struct gates_library {
    char *common_file, *common; /* macros that the files of templates use */
    struct gates_row *row;
    int rows;
};

/* Where the random numbers of a program begin: other ones for each name and each seed. */
uint64_t gates_random(const struct gates_row *row, uint32_t seed);

/* sbst/gates.xml of `root`. */
int gates_library_load(const char *root, struct gates_library **out, struct fl_err *err);
void gates_library_free(struct gates_library *lib);

/* ---- witnesses of a solver --------------------------------------------------------------------------------------- */

enum { GATES_FLAGS = 8 }; /* bits 0 to 2 of `has`: operands */
struct gates_witness {
    uint32_t lo, hi, operand[3], flags, has;
    bool held; /* by a program */
};

struct gates_rows {
    struct gates_witness *row;
    int rows, room;
};

/* A file of docs/gates-rows.rng; refused when it was made for another profile. */
int gates_rows_load(const char *path, const char *profile, struct gates_rows *out,
                    struct fl_err *err);
void gates_rows_free(struct gates_rows *r);

/* ---- programs ---------------------------------------------------------------------------------------------------- */

struct gates_program {
    const struct gates_row *row;
    const struct sbst_machine *machine;
    char *name, *command, *about;
    uint32_t seed;
    struct fl_buf source;
    struct fl_buf job; /* buffers, launches and outputs of job.xml */
    int launches;
    const char *trap;        /* that the last launch must end in, or NULL */
    int variant;             /* of a template with a trap, from 0 */
    long cycles;             /* of a mix, at most; 0: only a run can tell */
    int instructions, bytes; /* static */
    int shared;              /* bytes of shared memory of the kernel of a template */
};

/* A random mix of at most `cycles`. Returns 1 when that is too few; *least becomes the least budget, unless it is more. */
int gates_mix(const struct gates_row *row, const struct sbst_machine *machine, uint32_t seed,
              int cycles, struct gates_program *out, long *least, struct fl_err *err);
/* The first witnesses that no program holds yet, in as many warps as there can be; `wide`: in fewer, with all registers that a
 * word can name. Returns 1 as gates_mix does, and 2 when such a program can hold none of them. */
int gates_witnesses(const struct gates_row *row, const struct sbst_machine *machine, uint32_t seed,
                    int part, int cycles, bool wide, struct gates_rows *rows,
                    struct gates_program *out, long *least, struct fl_err *err);
/* The kernel of a template, in each of its shapes. `root` has the library. */
int gates_template(const struct gates_library *lib, const char *root, const struct gates_row *row,
                   const struct sbst_machine *machine, uint32_t seed, int variant,
                   struct gates_program *out, struct fl_err *err);
/* A witness that traps whatever a program holds, such as words that are no instruction. False: it is none. */
bool gates_trap(const struct gates_row *row, const struct sbst_machine *machine, uint32_t seed,
                const struct gates_rows *rows, int witness, struct gates_program *out);
/* Random texels, and the textures of these units. */
void gates_write_textures(struct fl_buf *job, uint32_t seed, uint32_t units);
/* Random words in all of a bank. */
void gates_write_constants(struct fl_buf *job, uint32_t seed, unsigned bank);
void gates_program_free(struct gates_program *p);
/* All files of the programs, and `manifest`, a file that says what each of them is for. */
int gates_write(struct gates_program *p, int count, const char *manifest, uint32_t units,
                const char *dir, const struct fl_files *read, struct fl_err *err);

/* ---- the command ------------------------------------------------------------------------------------------------- */

struct gates_options {
    const char *units, *rows, *seed, *max_cycles, *profile,
        *dir;                    /* NULL: none, but units and dir */
    bool hosted;                 /* all mixes are */
    bool traps;                  /* only programs that must trap; else none of them */
    const struct fl_files *read; /* what no file goes over, or NULL */
};
/* What sbstgen --gates does, and lines that say what was written. Returns the status to exit with. */
int gates_make(const struct gates_options *o, struct fl_buf *report, struct fl_err *err);

#endif
