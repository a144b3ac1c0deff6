/* prove.h -- why some faults can never be detected: by an argument that is run, not believed. */
#ifndef PROVE_H
#define PROVE_H

#include "fault.h"

/* NULL, or in one sentence why no program can detect the fault under the image's profile. */
const char *prove_untestable(const struct sm_image *img, const struct fsim_fault *f);

/* Runs the argument for the divergence stack under a profile and tells it: every writer of a line-entry, enumerated from
 * isa.def, and what a pop consumes. Returns the number of faults of one stack that it proves, -1 when a check failed. */
int prove_stack(const struct profile *p, struct fl_buf *out, struct fl_err *err);

/* What can be claimed of bits of SPC: every writer of a line-entry leaves 0 in `zero`, no pop consumes `ignored`. */
struct prove_claim {
    uint32_t zero, ignored;
};

/* Tries to disprove a claim on the machine model; -1 with the counterexample when that succeeds. */
int prove_check(const struct profile *p, const struct prove_claim *claim, struct fl_buf *out,
                struct fl_err *err);

#endif
