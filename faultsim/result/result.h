/* result.h -- what transient campaigns found: the data that the engine fills, the store keeps and
 * the reports print.
 *
 *     result - job (one golden run)  - kernel   cycles, occupancy
 *                                    - launch   of which kernel, cycles
 *                                    - timeline
 *                                    - code     disassembly, so that a report needs no other file
 *            - part (one job x target x method) - tally per launch, sites, moments
 *            - population of each target, when permanent faults were drawn
 *
 * Parts stand in the order in which the campaign works on them; reports keep that order.
 */
#ifndef RESULT_H
#define RESULT_H

#include "sites.h"
#include "sm/job/profile.h"
#include "tally.h"

/* All launches of one kernel of a job, in the order of its first launch. */
struct result_kernel {
    char *name;
    uint64_t cycles;      /* of its launches; those of all kernels tile the job */
    uint64_t warp_cycles; /* cycles x resident warps with threads left */
    /* cycles x threads of resident blocks; of whole warps, as registers are given out */
    uint64_t thread_cycles;
    uint64_t block_cycles; /* cycles x resident blocks */
    int regs_per_thread;
    /* bytes a block is given: its own or the launch state and parameters, whichever is more,
     * plus the launch's, rounded up to 16. Mean over the cycles of blocks when launches differ */
    uint32_t block_shared;
};

struct result_launch {
    int kernel;
    uint64_t cycles;
};

struct result_code { /* one instruction */
    int kernel;
    uint32_t pc;
    char *text;
};

struct result_source { /* a file that code was made of, as the cubin holds it */
    char *name, *text; /* printable, lines end with \n, no tabs */
};

/* A cache, in the fault-free run: accesses that instructions made when they acted, a line each, as smrun prints them;
 * and of the rows of its state and of its data which share of bits x cycles of the campaign's window is read before it
 * is written, the only ones in which a flip can matter. NAN: not known. */
enum { CACHE_HITS, CACHE_MISSES, CACHE_WRITE_BACKS, CACHE_LIVE, CACHE_LIVE_DATA, CACHE_FIGURES };
struct result_cache {
    bool there;
    double figure[CACHE_FIGURES];
};
extern const char *const result_cache_figure[CACHE_FIGURES]; /* "hits" ... "live_data" */

struct result_job {
    char *name, *profile;
    char digest[65]; /* SHA-256 in hex of machine, code and inputs: identity.h */
    char cubin[65];  /* SHA-256 in hex of the cubin's file; "": the code came from no file */
    /* the same of gates that stand in for a unit, and of a program that judges outputs; "": none */
    char netlist[65], checker[65];
    int outputs;           /* without any, no fault can end as sdc */
    uint64_t instructions; /* warp instructions of the fault-free run; 0: not known */
    double clock_mhz;
    int warps, regs, sps; /* of the profile */
    uint32_t shared_bytes;
    int nkernels;
    struct result_kernel *kernel;
    int nlaunches;
    struct result_launch *launch;
    struct timeline timeline;
    int ncode;
    struct result_code *code;
    int nsources;
    struct result_source *source;
    struct result_cache cache[CACHES];
};

struct result_part {
    int job;
    char *model;           /* "transient", "intermittent" */
    char *target, *engine; /* "rf"; "c" or "rtl" */
    enum tally_method method;
    double confidence;
    bool active_only; /* see tally.h */
    bool sums_only;   /* sample, list: no single injection is kept */
    uint64_t units;   /* pieces of work (stretches of plan.h, injections), numbered from 0 */
    /* of a sample or list: how many in all, `cut` in each unit but the last; else 0 */
    uint64_t flips;
    uint64_t cut; /* how: plan_digest, or flips of a unit */
    /* SMs with tallies of their own: all of a chip's, by number, those without a fault too. 0: of one SM, or
     * no SM's own */
    int sms;
    struct tally *tally; /* [launches of the job], then the same again for each of those SMs */
    struct sites sites;
    struct moment *moment; /* [buckets of the job] */
};

/* Permanent faults that a sample was drawn from: of a field of a structure, or of a unit. The same in
 * all jobs. */
struct result_population {
    char *target, *field; /* "dstack", "tm"; "alu_int.sp0", "" */
    uint64_t faults, untestable;
};

struct result {
    int njobs, nparts, npopulations; /* no population: nothing was drawn, or that is not known */
    struct result_job *job;
    struct result_part *part;
    struct result_population *population;
};

/* Of each part a row for each kernel, behind it one for each of its launches when there are
 * several, and last "all". The texts belong to `r`. Caller frees the array. */
struct tally_row *result_rows(const struct result *r, int *count);
/* The launches of a kernel together; kernel -1: all. */
void result_tally(const struct result_job *j, const struct result_part *p, int kernel,
                  struct tally *out);
/* The same of an SM alone, one of p->sms; sm -1: of the whole machine. */
void result_sm_tally(const struct result_job *j, const struct result_part *p, int sm, int kernel,
                     struct tally *out);
/* How many tallies a part has. */
int result_tallies(const struct result_job *j, const struct result_part *p);
/* A fault can have been in that SM. */
bool result_has_sm(const struct result_job *j, const struct result_part *p, int sm);

uint64_t result_cycles(const struct result_job *j); /* of the fault-free run */
/* As far as a store keeps it. */
bool result_same_machine(const struct result_job *a, const struct result_job *b);

/* What was injected into, the one name for it in all exports: the targets of the parts, each once,
 * with commas between, as --target takes them. Caller frees. */
char *result_targets(const struct result *r);

/* What a campaign injects: all that hangs on the model of its faults. */
struct result_model {
    const char *name, *title; /* "stuck-at", "Stuck-at faults" */
    bool permanent;           /* their coverage is counted; others have a cycle, and an AVF */
    const char *of;           /* what a target is */
    enum { DRAWN_BY_TARGET, DRAWN_BY_UNIT, DRAWN_AT_ONCE } drawn; /* what of them is one sample */
    bool
        classified; /* campaigns prove which of their faults are untestable; of others nothing is known */
};
/* Without a part, or of a model that is not known, a row without a name. */
const struct result_model *result_model(const struct result *r);

/* Whether any fault ended so. */
bool result_has(const struct result *r, enum fsim_outcome o);

const char *tally_method_name(enum tally_method m); /* exact, sample, list, ace */
const char *tally_reason_name(enum tally_reason r); /* idle, overwritten, logic, fails */
const char *tally_extent_name(enum tally_extent e); /* elements_1 ... unwritten */

/* Into a job that has none. */
void result_sources_copy(struct result_job *to, const struct result_job *from);
void result_job_copy(struct result_job *to, const struct result_job *from);
void result_job_free(struct result_job *j);
void result_part_free(struct result_part *p);
void result_free(struct result *r);

#endif
