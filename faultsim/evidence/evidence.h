/* evidence.h -- campaigns of permanent faults as evidence: which faults of each part of the SM are safe, detected and by what, or
 * residual, joined from the stores of one machine.
 *
 *     evidence_open(&given, &e, &err)      refuses stores that do not belong together, by name
 *     evidence_parts_csv(&e, &out) ...     all writers read struct evidence and nothing else
 *     evidence_close(&e)
 *
 * A part is a structure, or a unit of gates, with the faults of one model. Several stores may have one part: then a fault is
 * detected when any job of any of them detects it, and one store must have all of its faults.
 */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "base/stats.h"
#include "faultsim/store/store.h"

/* What shows a fault; bits, as jobs may show one in different ways. */
enum evidence_means {
    EVIDENCE_SIGNATURE = 1, /* outputs that differ */
    EVIDENCE_TRAP = 2,
    EVIDENCE_WATCHDOG = 4, /* no end in time */
    EVIDENCE_TIME = 8,     /* another number of cycles (--detect-timing) */
    EVIDENCE_ANY = 15
};
/* A bit each, the strongest first; what shows a fault first counts where sums go over the means. */
enum { EVIDENCE_MEANS = 4 };
extern const char *const evidence_means_name[EVIDENCE_MEANS];

enum evidence_verdict {
    EVIDENCE_TESTABLE, /* nothing is proved */
    EVIDENCE_IF_ENDS,  /* no program that ends without a trap on the fault-free machine shows it */
    EVIDENCE_SAFE      /* no program shows it */
};

struct evidence_share { /* of all faults but the safe ones */
    double share, lo, hi;
};

struct evidence_part {
    char *name;         /* "rf", "dstack/w0", "alu_int.sp0" */
    const char *model;  /* "stuck-at", "memory", "gate" */
    const char *engine; /* "c", "rtl" */
    bool gates, transition, timing;
    bool listed;  /* chosen faults, of how many is not known */
    bool dropped; /* some were not simulated again once a job had detected them */
    int source;   /* the store that has all of its faults, as `most` says; -1: none yet */
    long most;
    char *target;  /* in stores: "dstack" */
    char *netlist; /* digest, or NULL */
    struct evidence_fault {
        char *id;
        uint8_t means, verdict;
        bool drawn; /* else it is known by its proof alone */
        int tests, first,
            store; /* how many tests detect it, and the first; the last store that has it */
    } * fault;
    long count;
    int room;
    uint32_t *slot; /* [slots] fault + 1, by a hash of its id */
    uint32_t slots;
    /* all faults of the part; of these: no program shows, no program that ends shows, in no campaign, the others */
    uint64_t faults, safe, if_ends, unsimulated, testable;
    uint64_t structure; /* stuck-at faults of the whole structure, in all SMs; 0: not known */
    uint64_t drawn;     /* testable ones that were simulated */
    uint64_t by[EVIDENCE_ANY + 1]; /* of these, by the set of means that shows them */
    double fit;                    /* of the whole part; NAN: no rate */
    struct evidence_of_test {
        int source; /* + 1; 0: the test was not tried on this part */
        uint64_t detected, alone;
    } * test; /* [tests] */
    int tests;
};

struct evidence {
    struct evidence_source {
        const struct store *store;
        const struct result *result;
        const char *made, *file;
    } * source;
    int sources;
    struct evidence_part *part;
    int parts;
    struct evidence_test {
        const struct result_job *job;
        uint64_t cycles; /* of a program: of all its uses of the device */
    } * test;
    int tests;
    struct evidence_proof {
        char *name; /* of its file */
        char sha256[65], *command;
        char *of; /* "dstack"; the digest of a netlist */
        bool transition;
        bool no_transition; /* no program shows any transition-delay fault of the netlist */
        struct fl_buf text; /* of a proof that was run: it goes into the folder */
        struct evidence_verdict_row {
            char *fault;
            enum evidence_verdict verdict;
        } * row; /* of a file of verdicts, by fault */
        int rows;
        bool used;
    } * proof;
    int proofs;
    double interval_ms; /* 0: nobody said */
    char rates_sha256[65];
};

struct evidence_given {
    struct evidence_source *source; /* [sources] of finished campaigns */
    int sources;
    const char *const *proof; /* [proofs] files of verdicts on gates */
    int proofs;
    const char *rates; /* a file, or NULL */
    double interval_ms;
};
int evidence_open(const struct evidence_given *given, struct evidence *e, struct fl_err *err);
void evidence_close(struct evidence *e);

void evidence_parts_csv(const struct evidence *e, const char *made, struct fl_buf *out);
void evidence_tests_csv(const struct evidence *e, const char *made, struct fl_buf *out);
void evidence_residual_csv(const struct evidence *e, const char *made, struct fl_buf *out);
void evidence_html(const struct evidence *e, const char *made, struct fl_buf *out);

/* ---- shared by the files ---------------------------------------------------------------------- */

/* The fault of that id, or NULL. */
struct evidence_fault *evidence_find(const struct evidence_part *p, const char *id);
struct evidence_fault *evidence_add(struct evidence_part *p, const char *id);
const char *evidence_unit(const char *target); /* "flow" of "gate/flow", "alu_int.sp0" */

/* proofs.c: reads the files; then the verdict on each fault, and how many faults the part has. -1: a proof is of another
 * netlist or machine, or a test detects a fault that is proved to be shown by none. */
int evidence_read_proofs(struct evidence *e, const struct evidence_given *given,
                         struct fl_err *err);
int evidence_prove(struct evidence *e, struct evidence_part *p, struct fl_err *err);
int evidence_proofs_used(const struct evidence *e, struct fl_err *err);
char *evidence_proof_name(int structure); /* of the file in the folder; caller frees */

/* figures.c */
int evidence_rates(struct evidence *e, const char *path, struct fl_err *err);
/* What any of these means detects: exact where all faults were simulated. */
struct evidence_share evidence_detected(const struct evidence *e, const struct evidence_part *p,
                                        unsigned means);
/* The same of the testable faults: the testable coverage of other reports. */
struct evidence_share evidence_testable(const struct evidence *e, const struct evidence_part *p,
                                        unsigned means);
/* By the i-th of the means and by none before it. */
double evidence_first(const struct evidence *e, const struct evidence_part *p, int means);
/* Sums: parts of cells or gates by their faults (of one model), or all that have a rate by these; `if_end`: where faults that no
 * program that ends shows are safe. False: there are none. */
enum evidence_sum { EVIDENCE_CELLS, EVIDENCE_GATES, EVIDENCE_RATES, EVIDENCE_SUMS };
/* "cells of 2 parts": a sum says of how many, since a campaign may have few of them. Caller frees. */
char *evidence_sum_name(const struct evidence *e, enum evidence_sum sum);
bool evidence_in_sum(const struct evidence_part *p, enum evidence_sum sum);
bool evidence_total(const struct evidence *e, enum evidence_sum sum, unsigned means, bool if_end,
                    struct evidence_share *out);
/* FIT of the part that are safe, or not detected by these means. */
double evidence_fit_safe(const struct evidence_part *p);
struct evidence_share evidence_fit_residual(const struct evidence *e, const struct evidence_part *p,
                                            unsigned means);
double evidence_fit(const struct evidence *e); /* of all parts that have a rate */
double evidence_ms(const struct evidence_test *t);

#endif
