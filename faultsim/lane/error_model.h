/* error_model.h -- a file of `faultsim gate --syndromes` in place of the gates: faults change results by its rules.
 *
 * This is what a software injector does with such a file, in the machine itself, so that its outcomes can be compared with
 * those of the gates. Whether a rule of a share of the uses holds is decided by a hash of the inputs: equal inputs give
 * equal results, as in a unit without state.
 */
#ifndef FAULTSIM_LANE_ERROR_MODEL_H
#define FAULTSIM_LANE_ERROR_MODEL_H

#include "lane.h"

/* Ends such a file: a line with the digest of all lines before it. */
void error_model_end(struct fl_buf *csv);

/* Refuses a file that is cut short or changed, and one of another netlist, version of results or profile. */
struct error_model *error_model_read(const char *path, const struct unit *u, const char *profile,
                                     struct fl_err *err);
void error_model_free(struct error_model *m);
/* The digest of the file's lines, in hex. */
const char *error_model_digest(const struct error_model *m);

/* Bits of d and flags that a fault makes wrong, of those that count. */
uint64_t error_model_wrong(const struct error_model *m, uint32_t fault, const struct vector *v,
                           uint64_t good);

#endif
