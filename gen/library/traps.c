/* traps.c -- what a host is told of a trap: one of six errors of CUDA's driver. The job of a library takes all traps of that error for
 * the stated one, so that a campaign over it says what the host does.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "sm/gpu/gpu.h"

int library_error(const struct job_launch *l)
{
    for (int t = 1; l->trap && t < TRAP_COUNT; t++) {
        const char *name = sm_trap_name((enum sm_trap)t);
        if (strncmp(l->trap, name, strlen(name)) == 0 && strchr(" ", l->trap[strlen(name)]))
            return (int)sm_trap_error((enum sm_trap)t);
    }
    return 0;
}

char *library_traps(const char *trap)
{
    struct fl_buf all = {0};
    const int error = library_error(&(struct job_launch){.trap = (char *)(uintptr_t)trap});
    for (int t = 1; t < TRAP_COUNT; t++)
        if ((int)sm_trap_error((enum sm_trap)t) == error)
            fl_buf_printf(&all, "%s%s", all.size ? " " : "", sm_trap_name((enum sm_trap)t));
    fl_buf_add(&all, "", 1);
    return (char *)all.data;
}
