/* identity.h -- what makes two jobs the same to a campaign: the machine, the code and every input,
 * wherever the files lie; and the job's facts that a report prints.
 */
#ifndef IDENTITY_H
#define IDENTITY_H

#include "sm/job/job.h"
#include "result.h"

/* Name, profile, sizes, digest, the kernels in the order of their first launch and launches (cycles
 * and shared memory are left 0: the golden run and the image know them), their disassembly, and the
 * source that it was made of. */
void identity_job(const struct job *job, struct result_job *out);

#endif
