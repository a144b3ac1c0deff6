/* source.h -- the user's source with what fails in each line, for programs whose cubin says which instruction was made of
 * which line.
 */
#ifndef REPORT_SOURCE_H
#define REPORT_SOURCE_H

#include "faultsim/result/result.h"

struct source_line {
    int number;
    char *text;
    bool code; /* instructions were made of it */
    uint64_t failed
        [SITE_ROLES]; /* by the instruction that reads a fault, and by the one that had written the value */
};

struct source_file {
    char *name;
    struct source_line *line; /* in their order: all that is known of the file */
    int nlines;
    uint64_t failed[SITE_ROLES]; /* of all lines */
};

/* The files of a job's code with the failures of a part; those that nothing was made of are left out. */
struct source_file *source_heat(const struct result_job *j, const struct result_part *p,
                                int *count);
void source_free(struct source_file *file, int count);

/* An instruction's text taken apart: "MOV R1, R2 // vadd.cl:5: c[i] = 0;". False: it has no line. */
struct source_place {
    const char *file, *text;
    int code_length, file_length, number;
};
bool source_place(const char *code, struct source_place *out);

#endif
