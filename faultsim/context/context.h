/* context.h -- a job opened for a campaign: its image, its fault-free run with all records of it, the
 * facts that reports print.
 */
#ifndef CONTEXT_H
#define CONTEXT_H

#include "faultsim/faults/fault.h"
#include "faultsim/record/run.h"
#include "faultsim/result/result.h"

/* What the records of a job may take. */
#define CONTEXT_ACCESS_BYTES ((size_t)600 << 20)
struct context_room {
    size_t accesses, flow;
};

/* One job with what is known of its fault-free run. Read-only once open, but for context_watch. */
struct job_context {
    const struct job *job;
    struct sm_image *img;
    struct golden *g;
    struct accesses
        *t; /* all of them, or those of the window, or those asked for by context_watch */
    /* the accesses of the window are all there: enough for every flip, and lifetimes */
    bool recorded;
    bool whole;    /* those of the whole run are */
    uint64_t fits; /* when they are not: about so many cycles fit */
    struct context_room room;
    struct result_job facts;
    int *kernel;           /* of each launch: index in facts.kernel */
    uint64_t from, to;     /* flips happen in cycles [from, to) */
    struct fsim_sms in_sm; /* and in these SMs */
};

struct context_window {    /* which cycles: all of them, those of a launch, or a range; which SMs */
    int launch;            /* counted from 0; -1: all */
    uint64_t from, to;     /* both included; to == UINT64_MAX: to the end */
    struct fsim_sms in_sm; /* none: all */
};

extern const struct context_window context_all_cycles;

/* Of so much memory in all; 0: CONTEXT_ACCESS_BYTES and FLOW_BYTES (flow.h). */
struct context_room context_room_of(size_t max_memory);

/* Runs of any length: what does not fit is left out, and `recorded` and g->flow say so. `faults`: when they
 * first act is recorded too (run.h); or NULL. */
int context_open_in(struct job_context *l, const struct job *job,
                    const struct sm_image_cells *least, /* sm/image.h; NULL: the job's own */
                    const struct context_window *window, const struct fsim_list *faults,
                    uint64_t max_cycles, struct context_room room, struct fl_err *err);
int context_open(struct job_context *l, const struct job *job, const struct context_window *window,
                 uint64_t max_cycles, struct fl_err *err);
/* Gives a part of a result its sums: nothing counted yet, and the cycles of each launch in the window. */
void context_part(const struct job_context *l, struct result_part *part);
void context_close(struct job_context *l);

/* A run that is not recorded: what decides some faults is. Add them, then record; nothing else may
 * use the context meanwhile. */
struct context_watches {
    struct access_watch *watch;
    uint64_t count, room;
};
enum { CONTEXT_WATCHES = 1 << 20 }; /* cells at a time: 50 MB, and as much for the accesses */
void context_watch(const struct job_context *l, struct context_watches *w,
                   const struct fsim_fault *u);
int context_record(struct job_context *l, struct context_watches *w,
                   struct fl_err *err); /* empties w */

int context_launch(const struct job_context *l, uint64_t cycle); /* that runs in this cycle */
/* The cells of a structure in the SMs of the window: how many, and the one of a number; whether a unit has any. */
uint64_t context_bits(const struct job_context *l, int structure);
struct sm_cell context_cell(const struct job_context *l, int structure, uint64_t number);
bool context_has_unit(const struct job_context *l, int structure, uint32_t unit);
/* The cycles of [*from, to] (both included) that lie in the window, a piece for each launch: moves
 * *from on; false when none is left. */
struct context_piece {
    uint64_t from, to; /* [from, to) */
    int launch;
};
bool context_piece(const struct job_context *l, uint64_t *from, uint64_t to,
                   struct context_piece *out);

/* Counts flips at an instruction of accesses.site; SITE_NONE counts nothing. `row`: of the register
 * file, or -1. */
void context_count_site(const struct job_context *l, struct sites *to, enum site_role role,
                        uint32_t site, int row, enum fsim_outcome o, uint64_t weight);

/* For fsim_parse: the void pointer is the job context. */
int context_owner(void *ctx, int sm, int warp, uint64_t cycle, int *regs);

#endif
