/* run.h -- a job run to its end on the C model, and what it was like. */
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "sm/gpu/gpu.h"

struct bench_run {
    struct job *job;
    struct sm_image *image;
    struct gpu *machine;
    uint8_t **after; /* contents of each buffer */
    bool executed[OP_COUNT];
    int launches; /* that ran: how often those of a <repeat> do, the run decides */
    int deepest;  /* highest line-entry of any divergence stack that was used */
    uint64_t instructions;
    uint64_t warp_cycles; /* cycles times the warps that held threads in them */
};

/* 0; -1 with the reason when the job cannot start, or traps. Call bench_run_drop in any case. */
int bench_run_job(const char *path, struct bench_run *r, struct fl_err *err);
void bench_run_drop(struct bench_run *r);

/* The job FOLDER/NAME.job.xml, or NAME-paper.job.xml, as a row of a table in bench/README.md. */
int bench_run_row(const char *folder, const char *name, bool paper, struct fl_buf *out,
                  struct fl_err *err);

#endif
