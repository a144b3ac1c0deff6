/* stack_checks.h -- what a kernel of one warp pushed and popped, and which way it took. */
#ifndef STACK_CHECKS_H
#define STACK_CHECKS_H

#include "machine.h"

/* Runs a kernel of one warp whose C0 is EQ for `z` and C1 for `z1`. */
struct machine stack_run(const char *profile, uint32_t threads, uint32_t z, uint32_t z1,
                         const char *text);

void stack_event(const struct machine *m, int n, int push, int le, enum sm_le_id id, uint32_t tm,
                 uint32_t spc);

/* Warp 0 executed exactly these, as pairs of PC and active mask before the instruction. */
struct stack_step {
    uint32_t pc, active;
};

void stack_path(const struct machine *m, const struct stack_step *want, int n);

#define STACK_PATH(m, ...)                                                                         \
    stack_path(                                                                                    \
        m, (const struct stack_step[]){__VA_ARGS__},                                               \
        (int)(sizeof((const struct stack_step[]){__VA_ARGS__}) / sizeof(struct stack_step)))

#endif
