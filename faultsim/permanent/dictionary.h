/* dictionary.h -- from what a failing self-test leaves back to the fault.
 *
 * What one job shows of a fault is its *observed response*: outputs that differ, a trap, or no end. Faults with
 * equal responses in all jobs cannot be told apart; they form a *group*. Group 0 are the faults that
 * show nothing. Each later group is a *signature* of the dictionary, numbered by its first fault in
 * the list.
 *
 * A dictionary stands alone: it can be written as XML, read back without any job, and looked into.
 */
#ifndef DICTIONARY_H
#define DICTIONARY_H

#include "campaign.h"
#include "faultsim/result/result.h"

/* How much of a job that does not end well can be seen from outside. */
enum dict_view {
    DICT_PLACE, /* a trap: its name, launch and address; no end: the launch */
    DICT_TRAP,  /* a trap: its name and launch; no end: the launch */
    DICT_END    /* only that the job did not end well */
};

enum dict_kind { SEES_NOTHING, SEES_OUTPUTS, SEES_TRAP, SEES_NO_END };

struct dict_response {
    enum dict_kind kind;
    uint8_t digest[32]; /* SEES_OUTPUTS: SHA-256 of all outputs in order */
    char what[64];      /* the first byte that differs, "spt1+0x4", or the trap's name */
    uint32_t launch;    /* SEES_TRAP, SEES_NO_END: counts from 1; 0 when it cannot be seen */
    uint32_t pc;        /* SEES_TRAP with DICT_PLACE */
    uint64_t cycles;    /* SEES_OUTPUTS when times are seen, else 0 */
};

struct dict_output {
    char *name, *buffer;
    uint32_t offset, size;
};

struct dict_job {
    char *name;
    struct result_job made; /* what made.h prints of it */
    uint8_t digest[32];     /* of the fault-free outputs */
    uint64_t cycles;
    struct dict_output *output;
    int noutputs;
};

struct dict_fault {
    char id[FSIM_ID];
    long group;
    bool untestable;
};

/* How well the faults of a part of the list can be told apart. Faults that show nothing count
 * nowhere. */
struct dict_resolution {
    char name[16]; /* all, a field, an element: "le3" */
    long faults;   /* that show something */
    long groups;   /* that hold one of them */
    long alone;    /* in a group of one */
    /* all of whose group are in the same LE; field; field and bit. Of gates: unit and SP; cell; pin of it */
    long element, field, bit;
    double candidates; /* mean size of the group of a fault */
};

struct dict {
    char *made; /* made.h */
    char *profile, *target;
    const char *model, *engine;
    enum dict_view view;
    bool timing; /* how long a job runs is seen */
    struct dict_job *job;
    int njobs;
    struct dict_fault *fault;
    long nfaults;
    struct dict_response *response; /* [group * njobs + job] */
    long ngroups;                   /* group 0 included */
    struct dict_resolution *resolution;
    int nresolutions;
};

/* From campaigns of engine c over one list. Each fault whose outputs differ is run to its end on
 * the machine, so what it leaves is exact, whatever shortcut decided its outcome. */
int dict_build(const struct fsim_campaign *c, int n, enum dict_view view, int threads,
               struct dict *out, struct fl_err *err);
/* Of faults of gates. What jobs show of them is had from their campaign: `response` as in struct dict, but of each fault,
 * [fault * njobs + job], with zeros where it shows nothing; `d` has faults with ids, and all that says what it is of. */
void dict_add_job(struct dict *d, const char *name, const struct job *job, uint64_t cycles,
                  const uint8_t digest[32]);
void dict_group_gates(struct dict *d, const struct dict_response *response);
/* What can be seen of a detected fault that ends so, where `launch` (from 0) ran last and `pc` is where it trapped. True:
 * its outputs, whose digest (and cycles, where times are seen) is for the caller to fill in. */
bool dict_sees(const struct fsim_result *r, enum dict_view view, uint32_t launch, uint32_t pc,
               struct dict_response *out);
void dict_free(struct dict *d);

/* The diagnostic resolution, for people. */
void dict_report(const struct dict *d, struct fl_buf *out);
/* A line for each fault and job that shows it, docs/reference/exports-permanent.md. */
void dict_csv(const struct dict *d, struct fl_buf *out);
/* All of it, after docs/dictionary.rng; and back. */
int dict_xml(const struct dict *d, struct fl_buf *out, struct fl_err *err);
int dict_load(const char *path, struct dict *out, struct fl_err *err);

/* Tells which faults show what was seen. Each of `seen` is [JOB:]WHAT, where WHAT is
 *     12 to 64 hex digits    the digest of the outputs, or how it begins
 *     BUFFER=FILE            what smrun --dump wrote of a buffer; all buffers with outputs are
 *                            needed
 *     FETCH_UNMAPPED[@ADDR]  a trap
 *     no-end                 the job did not end in time
 *     good                   the job was right; without JOB: all jobs that are not named were
 * Returns how many groups fit, -1 when an observation makes no sense. */
long dict_lookup(const struct dict *d, const char *const *seen, int n, struct fl_buf *out,
                 struct fl_err *err);

#endif
