/* matrix.h -- which job detects which fault, as a table that sbstgen --compact reads.
 *
 * CSV, a column per job: first what each job costs and is (lines that begin with @), then a line
 * per fault with the outcome where the job detects it, and nothing where it does not.
 * docs/reference/exports-permanent.md has the details.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include "campaign.h"

/* 2: faults that were drawn name the draw, and the testable faults that it was from. */
enum { MATRIX_VERSION = 2 };
void matrix_csv(const struct fsim_campaign *c, int n, struct fl_buf *out);

/* A job of a matrix. */
struct matrix_job {
    const char *name;
    const struct job *job;
    uint64_t instructions, cycles;
    uint8_t digest[32]; /* of the fault-free outputs */
};
/* The same from a finished campaign's store, of faults that are not classified as testable: those of gates. `made`: as
 * exports have it. */
int matrix_of_store(const struct store *s, const struct matrix_job *job, const char *made,
                    struct fl_buf *out, struct fl_err *err);

#endif
