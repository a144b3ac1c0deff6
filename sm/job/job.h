/* job.h -- one test or kernel as a user states it: job.xml, read, checked and resolved.
 *
 * A job is: a profile, a cubin, buffers with initial contents, launches in order and what the host
 * does between them, outputs (byte ranges of buffers) and optionally the SHA-256 of all outputs in
 * order. Memory persists over the launches. Schema: docs/job.rng.
 */
#ifndef JOB_H
#define JOB_H

#include <stdbool.h>
#include <stdint.h>
#include "asm/cubin/cubin.h"
#include "base/fl.h"
#include "profile.h"
#include "sm/texture/texture.h"

enum {
    JOB_BASE = 0x00010000,   /* address of the first buffer */
    JOB_GUARD = 4096,        /* unmapped bytes between buffers, at least */
    JOB_PARAM0 = 0x10,       /* s[] address of the first parameter */
    JOB_MAX_BYTES = 1 << 30, /* all buffers together */
    JOB_MAX_CONST = 65536,   /* bytes of one constant bank */
    JOB_MAX_LAUNCHES = 65536,
    JOB_MAX_PARAMS = 64, /* of one launch: 256 bytes */
    JOB_MAX_CONSTS = 65536,
    JOB_MAX_OUTPUTS = 65536,
    JOB_MAX_STEPS = 65536,
    JOB_MAX_TEXTURES = 65536,
    JOB_END = JOB_BASE + 0x60000000 /* no buffer lies beyond */
};

/* `line` is where the thing stands in job.xml, for messages; 0 when it came from a command line. */

struct job_buffer {
    int line;
    char *name;
    /* in g14[]: as the job dictates; else in job order from JOB_BASE, 256-byte aligned, a guard page
     * between */
    uint32_t addr;
    bool dictated;
    uint32_t size; /* bytes */
    uint8_t *init; /* size bytes */
};

struct job_param {
    int line;
    uint32_t offset; /* byte address in s[], from 0x10 */
    uint32_t value;  /* 32 bits, a buffer reference already turned into its address */
};

struct job_const {
    int line;
    int bank;   /* c[bank] */
    int module; /* of the kernels of which it is: as cubin_kernel.module */
    uint32_t offset, size;
    uint8_t *data;
};

/* What the host does between two launches, in no time. */
enum job_step_kind { STEP_WRITE, STEP_FILL, STEP_COPY, STEP_READ };
struct job_step {
    int line;
    enum job_step_kind kind;
    bool konst; /* WRITE: into constant memory c[bank], of all kernels of a module */
    int module;
    int bank, buffer;      /* what is written, filled, copied from or read */
    uint32_t offset, size; /* ... the bytes of it */
    uint8_t *data;         /* WRITE: size bytes */
    uint32_t value;        /* FILL: from its low byte on, again and again */
    int to;                /* COPY: the buffer, and its first byte */
    uint32_t at;
    int output; /* READ: what is taken then */
};
struct job_steps { /* job.step[first ...] */
    int first, count;
};

struct job_texture { /* a binding of a unit, from the next launch on */
    int line;
    int unit, buffer;
    uint32_t offset; /* of texel (0, 0) in its buffer; texture.address follows from it */
    struct texture texture;
};

struct job_launch {
    int line;
    struct job_steps before; /* what the host does before it */
    int textures;            /* so many of job.texture are bound, of a unit the last one */
    char *kernel;
    int kernel_index;  /* in cubin->kernel[] */
    uint32_t grid[2];  /* blocks in x, y */
    uint32_t block[3]; /* threads in x, y, z */
    uint32_t shared;   /* dynamic shared bytes, on top of the kernel's static ones */
    char *trap;        /* of the last launch: the name of the trap that it ends in, or NULL */
    struct job_param *param;
    int nparams;
    /* In a <repeat>, whose launches stand here once for each pass up to its limit: this one is that
     * which stands `back` launches before it, and owns nothing; 0: it is itself. */
    int back;
    /* Behind the last launch of a pass the host reads the word at `word` and goes on with launch
     * `over` when it is `until`, else with the next pass; behind the last pass it gives up. */
    bool decides, last_pass;
    uint32_t word, until;
    int over;
};

/* What an output may differ by. NOTHING: every bit counts. */
enum job_tolerance {
    TOLERANCE_NOTHING,
    TOLERANCE_ABS,     /* |x - right| <= within */
    TOLERANCE_REL,     /* |x - right| <= within * |right| */
    TOLERANCE_ULP,     /* so many floats of 32 bits apart */
    TOLERANCE_CHECKER, /* a program decides */
};
enum job_element {
    ELEMENT_F32,
    ELEMENT_S32,
    ELEMENT_U32,
    ELEMENT_S16,
    ELEMENT_U16,
    ELEMENT_S8,
    ELEMENT_U8
};

struct job_output {
    int line;
    char *name;
    bool taken; /* by a step of the host; else from memory at the end of the job */
    int buffer; /* index in buffer[] */
    uint32_t offset, size;
    enum job_tolerance tolerance;
    bool typed;               /* by type= or a tolerance with a number; else words of 32 bits */
    enum job_element element; /* what the bytes are, when typed */
    double within;
    bool compared; /* what an SM leaves: all that are must be equal */
    char *checker; /* path of the program, or NULL */
    char checker_sha256[65];
};
/* Bytes of an element. */
int job_element_size(enum job_element e);

struct job {
    char *name; /* from the file, else the file's name without .job.xml */
    char *path; /* of job.xml, or of the cubin for a job made from a command line */
    int line;   /* of <job> */
    struct profile profile;
    struct cubin *cubin; /* with the modules of the job joined */
    char cubin_sha256
        [65]; /* of its file, in hex, or of all files in their order; "": it came from none */
    struct job_buffer *buffer;
    int nbuffers;
    struct job_const *konst; /* overrides of constant memory, applied over the cubin's own */
    int nconsts;
    struct job_launch *launch;
    int nlaunches;
    struct job_step *step;
    int nsteps;
    struct job_steps after; /* behind the last launch */
    struct job_texture *texture;
    int ntextures;
    struct job_output *output;
    int noutputs;
    bool has_digest;
    uint8_t digest[32];
    struct fl_files files; /* all that it was read from */
};

/* Is it stated to end in a trap? */
static inline bool job_traps(const struct job *job)
{
    return job->launch[job->nlaunches - 1].trap != NULL;
}

/* Numbers of the outputs that are compared with each other; how many. */
enum { JOB_MAX_COMPARED = SM_MAX_SMS };
int job_compared(const struct job *job, int output[JOB_MAX_COMPARED]);
/* Which of `n` things of one size differ from what more than half of them are; false: no such half. */
bool job_find_odd(const uint8_t *const bytes[], int n, uint32_t size, bool odd[]);
int job_check_compared(const struct job *job, struct fl_err *err); /* job_finish does */

/* The machine that a job is to run on; zero-initialised: the one that it names. */
struct job_machine {
    const char
        *profile;   /* must be the job's, else it is an error ("--profile g80 contradicts ...") */
    const char *on; /* in place of the job's */
    int sms;        /* in place of the profile's; 0: as that has it */
};

/* Reads and checks a job; `machine` may be NULL. Every inconsistency is refused with file:line. */
int job_load(const char *path, const struct job_machine *machine, struct job **out,
             struct fl_err *err);
/* Checks everything about a job that does not depend on its file (used by job_load, and for jobs
 * built in memory): kernels exist, sizes fit the profile, buffer addresses assigned, outputs in
 * range. */
int job_finish(struct job *job, struct fl_err *err);
/* Whether a job is for the machine of another: a campaign is of one. */
int job_check_machine(const struct job *job, const struct job *other, const struct profile *machine,
                      struct fl_err *err);
/* Whether the machine can run it: its part of job_finish. Finds the kernel by its name. */
int job_check_launch(const struct job *job, struct job_launch *l, struct fl_err *err);
/* Whether the machine has room for the addresses of its code: its part of job_finish. */
int job_check_code(const struct job *job, struct fl_err *err);
/* Gives a binding its address, and checks that it lies in its buffer. */
int job_check_texture(const struct job *job, struct job_texture *t, struct fl_err *err);
/* Gives the buffers their addresses (job_finish does so too): for those who build parameters out of
 * them. */
int job_place(struct job *job, struct fl_err *err);
/* Puts the launches from `first` on into a repeat, with the host's steps from `step` on: the word at
 * address `word` ends it when it is `until`. -1: more than JOB_MAX_LAUNCHES. */
int job_repeat(struct job *job, int first, int step, uint32_t limit, uint32_t word, uint32_t until);
/* The parameter of that name: its place in kernel->param, or -1 with a message that says which
 * there are. */
int job_find_param(const struct cubin_kernel *kernel, const char *name, struct fl_err *err);
int job_find_buffer(const struct job *job, const char *name); /* index, or -1 */
void job_free(struct job *job);

/* SHA-256 over the concatenation of byte ranges. */
struct job_range {
    const uint8_t *data;
    size_t size;
};
void job_sha256(const struct job_range *range, int count, uint8_t digest[32]);

#endif
