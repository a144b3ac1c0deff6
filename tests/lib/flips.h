/* flips.h -- random jobs and random flips for the tests of transient faults. */
#ifndef FLIPS_H
#define FLIPS_H

#include "faultsim/record/run.h"
#include "faultsim/verdict/transient.h"
#include "faults.h"
#include "random_program.h"
#include "random_mix.h"

struct bench { /* a job with all that injections need */
    struct job *job;
    struct sm_image *img;
    struct golden *g;
    struct accesses *t;
    struct fsim_worker *w;
};

/* Fails the test when the job has no fault-free run, unless `may_fail`: random programs trap now and then. */
struct bench bench_open(struct job *job, bool may_fail);

void bench_close(struct bench *l);

/* A fault as shortcuts decide it, which `pruned` gets, and by brute force. False, with both on the screen: they differ. */
bool bench_agrees(const struct bench *l, const struct fsim_fault *u,
                  struct transient_result *pruned);

struct job *flips_structured(uint64_t seed);

struct job *flips_mix(uint64_t seed);
/* With instructions of compute capability 1.2. */
struct job *flips_above(uint64_t seed);
struct job *flips_locks(uint64_t seed); /* all threads add to one word under its lock */

/* Every kind of memory and of address, all of it on the way to the output. */
struct job *flips_memories(uint64_t seed);

/* A loop of the host: threads count their words down until that of thread 0 is 0, six passes at most. */
struct job *flips_repeat(void);

/* Launches with steps of the host between them: it writes memory and constants, fills, copies and reads, in ranges of all
 * alignments. Of each four seeds one is a loop of the host, one of structured programs, two of all instructions. */
struct job *flips_hosted(uint64_t seed);

/* Such steps for a job of two buffers of one size, before each launch and behind the last; job_finish comes then. The first
 * `spared` bytes of the first buffer are written by none that comes before a launch. */
void flips_add_steps(struct job *job, uint64_t *seed, uint32_t spared);

/* The job gets several SMs, with one port or a port for each, and more blocks. */
void flips_on_a_chip(struct job *job, uint64_t *seed);

void flips_cell(const struct bench *l, int structure, uint64_t *seed, struct sm_cell *c);

enum shape { ONE_FLIP, THREE_FLIPS, WINDOW, OPEN_WINDOW };

/* In random cells of a structure and a random cycle; the same cell may come twice in one of several flips. */
enum { FLIPS_CELLS = 3 };
void flips_draw(const struct bench *l, int structure, enum shape shape, uint64_t *seed,
                struct fsim_fault out[FLIPS_CELLS]);

#endif
