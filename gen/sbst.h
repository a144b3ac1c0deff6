/* sbst.h -- self-test programs: the library of routines, programs composed of them, and the files
 * they become.
 *
 * A routine is data: a sasm macro in sbst/<name>.sasm and a row in sbst/manifest.xml that says
 * which parameters it takes, which registers it needs and writes, what it pushes and pops, what it
 * costs and what it does to the two signatures of a thread. A kernel is a list of steps (a routine
 * with arguments). sbst_add walks the signatures of 32 threads along while the list grows, so the
 * outputs to expect are there when the last step is.
 *
 * Order of use: sbst_library_load, sbst_machine_load, a method (sbst_sync_trick), sbst_assemble,
 * then the writers. docs/explain/sbst.md explains the method and its arithmetic.
 */
#ifndef SBST_H
#define SBST_H

#include <stdbool.h>
#include <stdint.h>
#include "asm/cubin/cubin.h"
#include "base/fl.h"

enum {
    SBST_LANES = 32,
    SBST_MAX_PARAMS = 8,
    SBST_MAX_EFFECTS = 8,
    SBST_MAX_USES = 4,
    SBST_MAX_KERNELS = 2,
    SBST_PAD_LES = 3, /* that a program with landing pads uses at least */
    SBST_MAX_SPLITS = 32
};

/* ---- the library ---- */

enum sbst_type {
    SBST_U32,
    SBST_THREAD, /* names one thread */
    SBST_LABEL,
    SBST_REGISTER,
    SBST_COUNT, /* how often the <each> of the routine happens */
    SBST_LOWER, /* names the threads below this number */
    SBST_UPPER, /* names the threads from this number on */
    SBST_CONST  /* a number that lies in c1[]; the macro gets its offset */
};

struct sbst_param {
    char *name;
    enum sbst_type type;
};

enum sbst_threads {
    SBST_ALL,
    SBST_ONE,
    SBST_OTHERS
}; /* one: the threads that the thread, lower or upper argument names */
enum sbst_signature { SBST_SIG, SBST_CHK, SBST_SIGNATURES };
enum sbst_effect_kind {
    SBST_SEED,   /* signature := argument, or argument + thread number */
    SBST_UPDATE, /* signature := 5 * signature + argument */
    SBST_EXPECT, /* every thread's signature must be the argument */
    SBST_STORE,  /* signatures go to memory */
    SBST_LEAVE,  /* gone until the kernel ends */
    SBST_SPLIT,  /* only these threads go on, the others wait */
    SBST_SWAP,   /* those that went on wait, those that waited go on */
    SBST_MERGE,  /* both go on */
    SBST_LOAD,   /* signature := what an earlier launch has stored */
};

enum sbst_form {
    SBST_TIMES5, /* 5 * signature + argument */
    SBST_LOW,    /* only the low bits are multiplied: 24, or as many as a target has */
    SBST_ADD     /* signature + argument */
};

struct sbst_effect {
    enum sbst_effect_kind kind;
    enum sbst_threads threads;
    enum sbst_signature signature; /* SBST_STORE: SBST_SIGNATURES means both */
    int param;                     /* index in param[] of the routine */
    int times;                     /* SBST_UPDATE: index of a count, or -1 */
    bool plus_thread;              /* SBST_SEED */
    enum sbst_form form;           /* SBST_UPDATE */
};

struct sbst_cost {
    int pushes, pops;        /* stack entries, left behind and taken away */
    int depth;               /* most entries above those found, at any time */
    int instructions, bytes; /* static; checked against the assembled code */
    int executed;            /* warp instructions on a fault-free machine */
    int waits;               /* cycles for pops beyond the first that an instruction makes */
};

struct sbst_routine {
    char *name;
    char *target; /* the machine whose programs take this one for the other of its name; or NULL */
    char *title;
    char *file;                     /* of the macro sbst_<name>, beside the manifest */
    char *text;                     /* what the file holds */
    int uses[SBST_MAX_USES], nuses; /* routines whose macros this one calls */
    struct sbst_param param[SBST_MAX_PARAMS];
    int nparams;
    uint64_t needs, writes; /* bit i: register[i] */
    struct sbst_cost once;
    struct sbst_cost each; /* the same for each of `count` */
    int count;             /* index of that parameter, or -1 */
    struct sbst_effect effect[SBST_MAX_EFFECTS];
    int neffects;
};

struct sbst_register {
    char *name;
    char *holds;
    int number;
};

struct sbst_library {
    struct sbst_register *reg;
    int nregs;
    struct sbst_routine *routine;
    int nroutines;
};

/* Reads `root`/sbst/manifest.xml, checked against `root`/docs/sbst-manifest.rng, and the macro
 * files it names. */
int sbst_library_load(const char *root, struct sbst_library **out, struct fl_err *err);
void sbst_library_free(struct sbst_library *lib);
/* Index, or -1. The row for the target, when it has one of its own; `target` may be NULL. */
int sbst_routine_find(const struct sbst_library *lib, const char *name, const char *target);

/* ---- what a program needs to know of the machine ---- */

/* A data cache; a machine without it has 0 bytes. */
struct sbst_cache {
    int bytes, line, ways;
    bool global; /* for global memory */
    bool shared; /* by all SMs */
};

struct sbst_machine {
    char *profile;       /* as the user named it */
    int stack_entries;   /* LEs per warp */
    int stack_spill;     /* entries behind them */
    int barriers;        /* of a block */
    int regs;            /* 32-bit registers of the SM */
    int code_bits;       /* of a code address */
    int warps;           /* warp slots */
    int block_threads;   /* at most, in one block */
    int blocks, threads; /* resident at once, at most */
    int shared_bytes;
    int sps;                                /* scalar processors */
    int global_latency, global_transaction; /* cycles */
    int sfu_cycles, shared_conflict, const_conflict, spill_latency;
    int exit_ends; /* 0: an exit ends no thread, RET does */
    int sms;       /* of the chip: blocks go round them, so each gets as many */
    bool fixed;    /* block b runs on SM b mod sms, whoever has room */
    struct sbst_cache l1d, l2;
};

/* `name` is a shipped profile, found in `root`/profiles, or a path to an .xml file. */
/* Where the profile is. The caller frees it. */
char *sbst_profile_path(const char *root, const char *name);
int sbst_machine_load(const char *root, const char *name, struct sbst_machine *out,
                      struct fl_err *err);
/* Warps of a block, at most, where `blocks` of them are resident at once. */
int sbst_resident_warps(const struct sbst_machine *machine, int blocks);
void sbst_machine_free(struct sbst_machine *machine);

/* A foreign machine that runs programs in a dialect of its own; docs/explain/sbst-targets.md. Far blocks
 * and landing pads are for none of them. */
struct sbst_target {
    const char *name;
    const char *profile; /* its model here */
    int stack_entries;   /* that a program can use */
    int code_bits;       /* of an address that is fetched */
    int factor_bits;     /* of a multiplication */
    int call_sps;        /* CALL entries are exact up to so many SPs */
    int break_sps;       /* BREAK entries from so many SPs on */
    uint32_t buffer;     /* where --format puts the outputs */
};

const struct sbst_target *sbst_target_find(const char *name); /* or NULL */

/* ---- programs ---- */

struct sbst_arg {
    const char *name; /* of the parameter */
    uint32_t value;   /* numbers of all types */
    const char *label;
};

struct sbst_step {
    const struct sbst_routine *routine;
    char *label;                     /* unique in the kernel: the symbol that gives its address */
    uint32_t value[SBST_MAX_PARAMS]; /* arguments in the order of the parameters */
    char *target[SBST_MAX_PARAMS];   /* the same for labels */
    struct sbst_cost cost;
    int le;       /* deepest LE that it uses, 0 when none */
    uint32_t org; /* where its code lies; 0: behind the step before it */
};

struct sbst_kernel {
    char *name;
    struct sbst_step *step;
    int nsteps;
    /* the walk: what the steps so far leave on a fault-free machine */
    int depth;        /* entries on the stack */
    uint64_t written; /* registers that hold something */
    uint32_t alive;   /* threads that have not left */
    uint32_t active;  /* threads that go on, a subset */
    uint32_t waiting[SBST_MAX_SPLITS];
    int nwaiting;
    uint32_t signature[SBST_SIGNATURES][SBST_LANES];
    uint32_t output[SBST_SIGNATURES]
                   [SBST_LANES];  /* spt and chk in memory; 0xffffffff before a thread stores */
    bool stored[SBST_SIGNATURES]; /* whether some thread has */
    int instructions, bytes, executed;
    int waits;    /* cycles that one warp waits for its stores and further pops */
    uint32_t org; /* of the next step */
};

struct sbst_program {
    const struct sbst_library *lib;
    const struct sbst_machine *machine;
    const struct sbst_target *target; /* or NULL */
    bool launch_folders;
    char *name;                                  /* of its files: sync-trick-acc-le01-10 */
    char *command;                               /* the sbstgen call that makes it again */
    char *about;                                 /* one sentence */
    struct sbst_kernel kernel[SBST_MAX_KERNELS]; /* one launch, one life each, in this order */
    int nkernels;
    /* the launches share their outputs: each goes on with what the last one left */
    bool one_buffer;
    int warps;  /* warps that a launch tests, each with outputs of its own */
    int blocks; /* blocks of a launch; together they have at least so many warps */
};

/* Appends a step and walks it. Refuses what the manifest forbids: missing or unknown arguments,
 * registers that nothing wrote, a stack that overflows or underflows, an expected value that the
 * walk does not have. */
int sbst_add(struct sbst_program *p, struct sbst_kernel *k, const char *routine, const char *label,
             const struct sbst_arg *arg, int nargs, struct fl_err *err);
/* The next step that is added lies at this address, a section of its own. */
void sbst_org(struct sbst_kernel *k, uint32_t address);
/* Checks that a kernel ends well: stack empty, every thread gone and stored, no output that looks
 * like the prefill. */
int sbst_close(const struct sbst_program *p, const struct sbst_kernel *k, struct fl_err *err);
void sbst_program_free(struct sbst_program *p);

/* ---- methods ---- */

enum sbst_approach { SBST_ACC, SBST_IND };

/* What a program holds of its range: all of it or, as a part of a split self-test with LE 1, one of
 * three. */
enum sbst_share { SBST_WHOLE, SBST_PEEL_1, SBST_PEEL_2, SBST_BUT_PEELS };

struct sbst_request {
    int le_first, le_last; /* from 1; SBST_IND: both the same */
    enum sbst_approach approach;
    bool checkpoint;
    bool nesting; /* the method */
    bool minimal; /* two complementary patterns for each LE instead of one for each thread */
    bool pc;      /* the PC routine: every LE stores complementary addresses */
    bool flow_id; /* CALL and BREAK entries in every LE */
    /* code where a wrong address bit lands; launches that check the one before */
    bool landing_pads;
    enum sbst_share share;
    int warps;                        /* warp slots whose stacks are tested at once; 0: one */
    const struct sbst_target *target; /* or NULL */
    bool launch_folders;              /* a folder for each launch, for the target */
};

/* Refuses what no method makes, and what the machine has no room for, with what to choose
 * instead. */
int sbst_request_check(const struct sbst_request *r, const struct sbst_machine *m,
                       struct fl_err *err);

/* Warps of a block; the last block may have some that nobody asked for. */
int sbst_block_warps(const struct sbst_program *p);

/* Cycles of a program with one warp, all launches; docs/explain/sbst-targets.md, "Cycles". */
int sbst_cycles(const struct sbst_program *p);
int sbst_bytes(const struct sbst_program *p); /* of code */
/* Fails when a kernel's code does not fit below its far blocks, or into the code space. */
int sbst_check_space(const struct sbst_program *p, struct fl_err *err);

/* The options of a request as the command line writes them, and as the names of files show them. */
char *sbst_options(const struct sbst_request *r);
char *sbst_suffix(const struct sbst_request *r);

int sbst_sync_trick(const struct sbst_library *lib, const struct sbst_machine *machine,
                    const struct sbst_request *request, struct sbst_program *out,
                    struct fl_err *err);

/* The method that the request names. */
int sbst_compose(const struct sbst_library *lib, const struct sbst_machine *machine,
                 const struct sbst_request *request, struct sbst_program *out, struct fl_err *err);
int sbst_nesting(const struct sbst_library *lib, const struct sbst_machine *machine,
                 const struct sbst_request *request, struct sbst_program *out, struct fl_err *err);

/* The addend of one signature update; docs/explain/sbst.md, "Signatures". */
enum sbst_role { SBST_TAKEN, SBST_NOT_TAKEN, SBST_CHECK, SBST_NEST };
enum {
    SBST_PLACE_JOIN = 32,
    SBST_PLACE_CHECKPOINT = 33,
    SBST_PLACE_SEED = 34
}; /* below: the thread number */
uint32_t sbst_constant(int kernel, int le, int place, enum sbst_role role);

/* ---- what a program becomes ---- */

void sbst_write_source(const struct sbst_program *p, struct fl_buf *out);
int sbst_assemble(const struct sbst_program *p, const struct fl_buf *source, struct cubin **out,
                  struct fl_err *err);
int sbst_write_listing(const struct sbst_program *p, const struct cubin *cubin, struct fl_buf *out,
                       struct fl_err *err);
int sbst_write_job(const struct sbst_program *p, struct fl_buf *out, struct fl_err *err);
void sbst_digest(const struct sbst_program *p,
                 uint8_t digest[32]); /* SHA-256 of the outputs in order */

/* The profile as a file elsewhere can name it: a path is made absolute. The caller frees it. */
char *sbst_portable_profile(const char *profile);
/* The head of a job.xml, up to and with its <job>, whose cubin has its name. */
void sbst_begin_job(const char *about, const char *name, const char *profile, struct fl_buf *out);

/* Makes a folder where there is none. */
int sbst_make_folder(const char *dir, struct fl_err *err);
/* Refuses to write any of these files into the folder, which exists, over one that the command reads. */
int sbst_check_outputs(const char *dir, char *const *name, int count, const struct fl_files *read,
                       struct fl_err *err);
/* The files of these names go from `stage` into `dir`, in order; older ones of these names, also where no new one is, go into the stage
 * before, with the ending .old. After an error all is as it was. */
int sbst_replace_files(char *const *name, int count, const char *stage, const char *dir,
                       struct fl_err *err);
/* Makes all files of the programs in `dir`, a folder that is made when it is not there. Either
 * every file of every program is there afterwards, new, or (on an error) those of before are.
 * `schedule`, when not NULL, is the name of a file that lists the programs as parts; `read`: what the command reads, or
 * NULL, which no file goes over. */
int sbst_write_files(const struct sbst_program *p, int count, const char *schedule, const char *dir,
                     const struct fl_files *read, struct fl_err *err);

/* The same for any programs: `write` makes NAME.sasm, .lst, .cubin and .job.xml in the folder `stage`,
 * and what belongs in NAME.launch1 and so on, which are there. `text` is what the schedule holds. */
struct sbst_set {
    const char *name;
    int launches; /* with a folder each */
    const void *program;
    int (*write)(const void *program, const char *stage, struct fl_err *err);
};
int sbst_write_sets(const struct sbst_set *set, int count, const char *schedule,
                    const struct fl_buf *text, const char *dir, const struct fl_files *read,
                    struct fl_err *err);

/* What such a `write` does for a program that is one source: the four files. */
struct sbst_texts {
    const char *name;
    const struct fl_buf *source;
    const void *program;
    int (*listing)(const void *program, const struct cubin *cubin, struct fl_buf *out,
                   struct fl_err *err);
    int (*job)(const void *program, struct fl_buf *out, struct fl_err *err);
};
/* The code as lines of a listing: address, words, text. */
void sbst_write_code(const struct cubin_code *code, struct fl_buf *out);
int sbst_write_texts(const struct sbst_texts *t, const char *stage, struct fl_err *err);

/* ---- splitting ---- */

struct sbst_budget {
    int cycles, bytes; /* of a part; 0: any */
};

/* Cuts the range of the request into as few parts as fit the budget, each a program of its own. The
 * caller frees each program and the array. Returns 1 when an LE alone is too much. */
int sbst_split(const struct sbst_library *lib, const struct sbst_machine *machine,
               const struct sbst_request *request, const struct sbst_budget *budget,
               struct sbst_program **out, int *count, struct fl_err *err);
/* What to run in which order: a line for each part. Its file is written behind all others. */
void sbst_write_schedule(const struct sbst_program *part, int count, struct fl_buf *out);

#endif
