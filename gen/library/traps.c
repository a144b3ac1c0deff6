/* traps.c -- what a host is told of a trap: one of six errors of CUDA's driver. The job of a library takes all traps of that error for
 * the stated one, so that a campaign over it says what the host does. host/launch.c has the same of the driver here.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#include "sm/gpu/gpu.h"

/* Numbers of cuda.h. */
enum {
    ILLEGAL_ADDRESS = 700,
    HARDWARE_STACK_ERROR = 714,
    ILLEGAL_INSTRUCTION = 715,
    MISALIGNED_ADDRESS = 716,
    INVALID_PC = 718,
    LAUNCH_FAILED = 719
};
static const int error_of[TRAP_COUNT] = {[TRAP_FETCH_UNMAPPED] = INVALID_PC,
                                         [TRAP_FETCH_MISALIGNED] = INVALID_PC,
                                         [TRAP_ILLEGAL_INSTRUCTION] = ILLEGAL_INSTRUCTION,
                                         [TRAP_UNSUPPORTED_INSTRUCTION] = ILLEGAL_INSTRUCTION,
                                         [TRAP_TRAP_INSTRUCTION] = LAUNCH_FAILED,
                                         [TRAP_MISALIGNED_GLOBAL] = MISALIGNED_ADDRESS,
                                         [TRAP_MISALIGNED_SHARED] = MISALIGNED_ADDRESS,
                                         [TRAP_MISALIGNED_LOCAL] = MISALIGNED_ADDRESS,
                                         [TRAP_MISALIGNED_CONST] = MISALIGNED_ADDRESS,
                                         [TRAP_OUT_OF_BOUNDS_GLOBAL] = ILLEGAL_ADDRESS,
                                         [TRAP_OUT_OF_BOUNDS_SHARED] = ILLEGAL_ADDRESS,
                                         [TRAP_OUT_OF_BOUNDS_LOCAL] = ILLEGAL_ADDRESS,
                                         [TRAP_OUT_OF_BOUNDS_CONST] = ILLEGAL_ADDRESS,
                                         [TRAP_STACK_OVERFLOW] = HARDWARE_STACK_ERROR,
                                         [TRAP_STACK_UNDERFLOW] = HARDWARE_STACK_ERROR,
                                         [TRAP_STACK_MISMATCH] = HARDWARE_STACK_ERROR};

int library_error(const struct job_launch *l)
{
    for (int t = 1; l->trap && t < TRAP_COUNT; t++) {
        const char *name = sm_trap_name((enum sm_trap)t);
        if (strncmp(l->trap, name, strlen(name)) == 0 && strchr(" ", l->trap[strlen(name)]))
            return error_of[t];
    }
    return 0;
}

char *library_traps(const char *trap)
{
    struct fl_buf all = {0};
    const int error = library_error(&(struct job_launch){.trap = (char *)(uintptr_t)trap});
    for (int t = 1; t < TRAP_COUNT; t++)
        if (error_of[t] == error)
            fl_buf_printf(&all, "%s%s", all.size ? " " : "", sm_trap_name((enum sm_trap)t));
    fl_buf_add(&all, "", 1);
    return (char *)all.data;
}
