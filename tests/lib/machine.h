/* machine.h -- runs a few lines of sasm on the C model and looks inside, for the tests.
 *
 *     struct machine m = machine_start("tiny", 32, ".kernel k\n SSY end\n end: NOP.S\n NOP.EXIT");
 *     machine_run(&m);
 *     CU_ASSERT_EQUAL(m.log[0].stack[0].spc, 8);
 *     machine_end(&m);
 *
 * For more than one block of one launch: machine_job, machine_buffer, machine_launch for each
 * launch, machine_load. machine_run writes a commit record of everything that happened into
 * `log`. Conditions need no code: machine_flags puts lanes into the Z flag of a $c register, so
 * that `BRA C1.EQ` is taken by just those lanes.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm/sasm/sasm.h"
#include "sm/gpu/gpu.h"
#include "sm/structures.h"
#include "check.h"

enum { MACHINE_MAX_CYCLES = 2000000, MACHINE_MAX_LOG = 4096 };

struct machine {
    struct job *job;
    struct sm_image *img;
    struct gpu *gpu;
    struct sm_commit
        *log; /* by machine_run: the first MACHINE_MAX_LOG commits, block starts included */
    int nlog, room;
};

/* The same program for a machine whose exit flag ends no thread: with a RET behind each exit. */
char *machine_with_ret(const char *text);

/* A job without launches; ends the test when the text does not assemble. */
struct job *machine_job(const char *profile, const char *text);

/* Adds a buffer and returns its address; `init` may be NULL: zeros. */
uint32_t machine_buffer(struct job *job, uint32_t size, const void *init);

/* Adds a launch of kernel number `kernel`; add to the result what the defaults do not say before
 * the next one. */
struct job_launch *machine_launch(struct job *job, int kernel, uint32_t blocks, uint32_t threads);

/* The next parameter of a launch, from s[0x10]. */
void machine_param(struct job_launch *l, uint32_t value);

/* Bytes of bank `bank`, over what the program itself says. */
void machine_const(struct job *job, int bank, const void *bytes, uint32_t size);

/* Takes the job over. */
struct machine machine_load(struct job *job);

/* One launch of the first kernel: one block of `threads`; the parameter, if the kernel has one,
 * is the address of a buffer of 4 KB. */
struct machine machine_start(const char *profile, uint32_t threads, const char *text);

void machine_end(struct machine *m);

/* Lanes for which C<c>.EQ holds in a warp; all others have C<c>.NE. */
void machine_flags(struct machine *m, int warp, int c, uint32_t lanes);

/* To the end, or MACHINE_MAX_CYCLES further, with a log. */
void machine_run(struct machine *m);

/* Until `n` instructions have committed, without a log. */
void machine_run_instructions(struct machine *m, uint64_t n);

/* The nth (from 0) commit of a kind by a warp (or -1: any), or NULL. */
const struct sm_commit *machine_commit(const struct machine *m, int warp, int kind, int n);

/* The nth instruction of warp 0; ends the test when there is none. */
const struct sm_commit *machine_insn(const struct machine *m, int n);

/* The nth push or pop of all, in order; an empty one when there is none. */
struct sm_stack_event machine_event(const struct machine *m, int n);

int machine_events(const struct machine *m);

uint32_t machine_reg(const struct machine *m, int warp, int lane, int reg);

/* The 32-bit word number `i` of a buffer. */
uint32_t machine_word(const struct machine *m, int buffer, uint32_t i);

/* A cell by structure, field and indices; for forces and flips. */
struct sm_cell machine_cell(const struct machine *m, const char *structure, int field, int bit,
                            int a, int b);

void machine_stick(struct machine *m, struct sm_cell cell, int value);

void machine_flip(struct machine *m, struct sm_cell cell);

/* One seeded generator for tests (splitmix64): the same numbers on every machine. */
uint32_t machine_random(uint64_t *seed);

#define ASSERT_TRAP(m, t)                                                                          \
    do {                                                                                           \
        if ((m).gpu->sm->s.trap != TRAP_##t)                                                       \
            printf("\n    wanted %s, got %s at pc %x\n", #t,                                       \
                   sm_trap_name((enum sm_trap)(m).gpu->sm->s.trap), (m).gpu->sm->s.trap_pc);       \
        CU_ASSERT_EQUAL((m).gpu->sm->s.trap, TRAP_##t);                                            \
    } while (0)

#define ASSERT_FINISHED(m)                                                                         \
    do {                                                                                           \
        ASSERT_TRAP(m, NONE);                                                                      \
        CU_ASSERT((m).gpu->grid.done);                                                             \
        CU_ASSERT_FALSE((m).gpu->sm->s.deadlock);                                                  \
    } while (0)

/* What kernels begin with. */
#define K   ".kernel k\n"
#define TID "I2I.U32.U16 R0, R0L\n" /* R0 = tid.x */

/* All lanes. */
#define ALL 0xffffffffu

/* machine_start, and machine_run. */
struct machine machine_ran(const char *profile, uint32_t threads, const char *text);

/* Commit cycle of instruction n of a warp. */
uint64_t machine_cycle(const struct machine *m, int warp, int n);

#endif
