/* detect.h -- where only detection is asked for: outputs that decide before a run ends.
 *
 * What the host has taken of a buffer with <read> is in pages that no kernel can write, and the host takes it for the last
 * time before a launch that is known. Launches only go forward. So from that launch on these bytes are those that the
 * run will be judged by: one that is wrong stays wrong, and the run ends as sdc, or as a crash, a hang or a timeout. All
 * of them are detections. Outputs of which some difference is tolerated, or which are judged together, do not decide
 * early, nor do bytes of a buffer itself, which a faulty machine may write again at any time.
 */
#ifndef DETECT_H
#define DETECT_H

#include "faultsim/machine/engine.h"
#include "faultsim/outputs/outputs.h"

struct detection;

/* `outputs` must outlive it. */
struct detection *detection_new(const struct sm_image *img, const struct outputs *outputs);
void detection_free(struct detection *d);
/* Can any output decide early? */
bool detection_decides(const struct detection *d);
/* Is one wrong of those that are as they will be judged? Of several the one that was taken first, whenever it is asked;
 * `what` becomes "output:NAME+0x14". */
bool detection_wrong(const struct detection *d, const struct dut_end *now, char what[64]);

#endif
