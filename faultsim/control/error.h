/* error.h -- permanent errors at the level of instructions, in the C model: what the literature injects in place of a
 * fault of the control, class by class.
 *
 * In code: a bit of the word of all instructions of one form is stuck; what the words then say tells the class. In the
 * machine: a lane of all warps executes never, or always; those of one SP never do; a warp never executes. That is all
 * there is, and all of it can be run.
 */
#ifndef FAULTSIM_CONTROL_ERROR_H
#define FAULTSIM_CONTROL_ERROR_H

#include "class.h"
#include "faultsim/context/context.h"

struct control_error {
    enum control_class class;
    bool in_code;
    uint16_t row; /* of the ISA's table: the form */
    uint8_t bit, value;
    uint8_t first, step,
        warps; /* lanes first, first + step, ... of warp `warp` and `warps` - 1 behind it */
    uint8_t warp;
};

/* All errors that a job can have, those of one class together, each class shuffled by `seed`: the first N are a sample.
 * Caller frees. */
struct control_error *control_errors(const struct job_context *ctx, uint64_t seed, uint32_t *count);

/* Runs one on engine c to its end. */
int control_error_run(const struct job_context *ctx, const struct control_error *e,
                      struct fsim_result *out, struct fl_err *err);

/* "form 12 bit 9 is 1", "warp 3 lanes 0-31 never" */
void control_error_print(const struct control_error *e, struct fl_buf *out);

#endif
