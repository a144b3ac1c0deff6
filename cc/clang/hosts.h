/* hosts.h -- functions of the host in a .cu file whose bodies clang does not parse: they are left out, since no
 * kernel is in them. */
#ifndef CC_HOSTS_H
#define CC_HOSTS_H

#include <stdbool.h>
#include "base/fl.h"

/* Takes the bodies out of `source`, the text of the file that clang calls `path`, in which `errors`, clang's messages,
 * stand; lines stay where they are. Appends a warning for each to `said`. False when an error stands elsewhere: in a
 * kernel, a function of the device, a header, or outside of functions. */
bool cc_hosts_leave_out(struct fl_buf *source, const char *path, const struct fl_buf *errors,
                        struct fl_buf *said);

#endif
