/* print.h -- printf and assert of kernels: what a launch has left in the machine's memory becomes text when it is over.
 *
 * A kernel that prints has a constant `smcc_printf` (cc/headers/print.h), which a launch gets the places of. Each warp of the grid has room of its
 * own for records. Of a faulty machine they may hold anything: a record that is none is refused.
 */
#ifndef HOST_PRINT_H
#define HOST_PRINT_H

#include "sm/job/job.h"

struct host_device;

enum { HOST_FIFO_BYTES = 1 << 20 }; /* for all warps, when the program does not say */

struct host_fifo {
    int buffer; /* -1: none yet */
    uint32_t size, warps, room;
    bool clean; /* no warp has used any of it since it was cleared */
    int module; /* that knows the places; -1: none */
    uint32_t place[5];
};

/* Before a launch: room for what it prints. False: no kernel of its module prints. */
bool host_print_begin(struct host_device *d, const struct job_launch *l);
/* After it, if so: the text goes to standard output, of asserts to standard error. True: an assert has failed. */
bool host_print_end(struct host_device *d, const struct job_launch *l);

#endif
