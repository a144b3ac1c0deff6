/* engine_rtl.h -- the outcome of one stuck-at fault of the divergence stack, simulated in the RTL.
 *
 * Pruned by the trace of a fault-free run of the RTL itself, never by that of the C model. Outcomes, reasons and
 * cycles are those of engine.h; the tests hold both engines against each other.
 */
#ifndef ENGINE_RTL_H
#define ENGINE_RTL_H

#include "engine.h"

struct fsim_rtl; /* the fault-free run; read-only once made, any number of threads share it */
/* Refused when no RTL of that profile was built, or when it does not run the job as the C model did. */
struct fsim_rtl *fsim_rtl_new(const struct golden *g, struct fl_err *err);
void fsim_rtl_free(struct fsim_rtl *r);

struct fsim_rtl_worker; /* one per thread */
struct fsim_rtl_worker *fsim_rtl_worker_new(const struct fsim_rtl *r);
void fsim_rtl_worker_free(struct fsim_rtl_worker *w);
/* Fastest when faults come in the order of their first activation. */
void fsim_rtl_simulate(struct fsim_rtl_worker *w, const struct fsim_fault *f,
                       struct fsim_result *out);
void fsim_rtl_statistics(const struct fsim_rtl_worker *w, struct fsim_statistics *add_to);

#endif
